"""Carrying out what was decided: each action through the gate, each call to one outcome."""

from __future__ import annotations

from collections.abc import AsyncIterator

import anyio

from carrel.actions import Action, Screenshot
from carrel.agent.diary import Diary
from carrel.agent.doing import do, why_lost
from carrel.agent.eyes import Eyes
from carrel.agent.ladder import Ladder
from carrel.agent.leave import Leave
from carrel.agent.parts import Ending, Parts
from carrel.agent.past import Past, Request
from carrel.agent.questions import Questions
from carrel.agent.telling import tell_failure, tell_results
from carrel.codec import Json
from carrel.decisions import Call
from carrel.errors import CarrelError, Interrupted, InvalidInput, Refused
from carrel.events import Event
from carrel.geometry import Box
from carrel.ids import new_id
from carrel.intents import Ask, Done, Note
from carrel.journal.ends import EndReason
from carrel.models.context import Outcome
from carrel.models.picture import Picture
from carrel.policy.rules import Verdict
from carrel.results import Effect, Result

__all__ = ["Acting"]

GRACE = 5.0
"""Seconds that an action has even if the run's time is over: most need a fraction of one."""


class Acting:
    """The hands of the loop.

    Attributes:
        outcomes: Of the calls carried out so far; the loop takes them.
        ladder: Notices a model that goes round in circles.
        ending: Set when an action, a limit or the person ended the run.
    """

    def __init__(
        self, parts: Parts, past: Past, diary: Diary, eyes: Eyes, questions: Questions
    ) -> None:
        self._parts = parts
        self._past = past
        self._diary = diary
        self._eyes = eyes
        self._questions = questions
        self._leave = Leave(parts, questions)
        self.ladder = Ladder(parts, past, diary, questions)
        self._result = Result(True, Effect.UNVERIFIABLE)
        self._acted = False
        self.outcomes: list[Outcome] = []
        self.ending: Ending | None = None

    async def carry_out(self, call: Call) -> AsyncIterator[Event]:
        """The actions of one call, in order, to the first that fails; then its one outcome."""
        if call.problem is not None:
            self.outcomes.append(Outcome(call.id, tell_failure(call.problem)))
            told: dict[str, Json] = {"code": call.problem.code, "message": call.problem.message}
            yield self._diary.write("error", {"call": call.id, **told})
            return
        results: list[Result] = []
        self._acted = False
        for index, action in enumerate(call.actions):
            async for event in self._act(call, index, action):
                yield event
            results.append(self._result)
            if not self._result.ok or self.ending is not None:
                break
        told_results = tell_results(call.actions, tuple(results))
        # A check is acknowledged by going on; one that was refused is not.
        checks = call.checks if self._acted else ()
        self.outcomes.append(
            Outcome(call.id, told_results, tuple(results), self._eyes.shown, checks)
        )

    async def _act(self, call: Call, index: int, action: Action) -> AsyncIterator[Event]:
        """One action, unless it is known from before a restart what came of it."""
        known = self._past.result(call.id, index)
        request = self._past.request(call.id, index)
        if known is not None:
            self._result = known
            self._acted = self._acted or request is not None
            self._eyes.shown = self._past.pictures.get((call.id, index), self._eyes.shown)
            self._end_if_done(action)
            async for event in self.ladder.ask_once_more({"call": call.id, "index": index}):
                yield event
            self.ending = self.ending or self.ladder.ending
            return
        again = request is not None
        lost = why_lost(self._parts, self._past, action, again=again)
        if lost is not None:
            self._acted = self._acted or again
            yield self._write_undone(call, index, lost, request)
            return
        if request is None:
            stale = await self._parts.control.guard(lambda: self._why_stale(call, index))
            if stale is not None:
                frame = await self._parts.control.guard(lambda: self._look(None))
                if frame is not None:
                    yield frame
                yield self._write_undone(call, index, stale)
                return
            async for event in self._leave.ask(call, index, action):
                yield event
            judged = self._leave.judged
            if judged.verdict is not Verdict.ALLOW:
                if judged.end is not None:
                    self.ending = Ending("failed", judged.end, judged.reason)
                yield self._write_undone(call, index, Refused(judged.reason))
                return
            request = Request(new_id("req"), self._parts.hands.boot)
            yield self._diary.act(call, index, request, action, judged)
        self._acted = True
        async for event in self._perform(call, index, action, request, again=again):
            yield event
        async for event in self._look_after(call, index, action, request):
            yield event

    def _write_undone(
        self, call: Call, index: int, why: CarrelError, request: Request | None = None
    ) -> Event:
        """Write that nothing is done about an action, and tell the model why."""
        self._result = Result.failed(why)
        return self._diary.result(call, index, request, self._result)

    async def _perform(
        self, call: Call, index: int, action: Action, request: Request, *, again: bool
    ) -> AsyncIterator[Event]:
        if isinstance(action, Ask):
            place: dict[str, Json] = {"call": call.id, "index": index}
            asked = self._questions.ask("question", action.question, action.choices, action, place)
            async for event in asked:
                yield event
            answer = self._questions.answer
            self._result = Result(True, Effect.CONFIRMED, answer.text or answer.choice)
            return
        parts, told = self._parts, f"the run's time was over during this {action.type}"
        self._result = Result.failed(Interrupted(told))
        with anyio.move_on_after(max(parts.gate.seconds_left(parts.tally), GRACE)) as time:
            try:
                done = await parts.control.guard(lambda: do(parts, action, request, again=again))
            except Interrupted as error:
                done = Result.failed(error)
            self._result = parts.secrets.hide(done)
        if time.cancelled_caught:
            self.ending = Ending("failed", EndReason.TIME_LIMIT, told)
            return
        self._end_if_done(action)
        if isinstance(action, Note):
            yield self._diary.write("note", {"text": action.text})

    def _end_if_done(self, action: Action) -> None:
        if isinstance(action, Done) and action.success:
            self.ending = Ending("succeeded", EndReason.DONE, text=action.text)
        elif isinstance(action, Done):
            self.ending = Ending("failed", EndReason.GAVE_UP, action.text, action.text)

    async def _look_after(
        self, call: Call, index: int, action: Action, request: Request
    ) -> AsyncIterator[Event]:
        """See what the action led to, write its result, and notice when nothing ever changes."""
        last = index == len(call.actions) - 1 or not self._result.ok
        changed = _changed(self._result)
        if last and self.ending is None:
            before = self._eyes.picture
            region = action.region if isinstance(action, Screenshot) else None
            frame = await self._parts.control.guard(lambda: self._look(region))
            if frame is not None:
                yield frame
            changed = changed or _id(self._eyes.picture) != _id(before)
        shown = self._eyes.shown if last else None
        yield self._diary.result(call, index, request, self._result, shown)
        rung = self._parts.gate.after(action, changed, self._result.ok)
        if getattr(self._parts.model, "patient", False):
            # A model that bounds its own waits is not stuck while it waits.
            self._parts.gate.unstick()
        elif rung is not None and self.ending is None:
            async for event in self.ladder.climb(rung, {"call": call.id, "index": index}):
                yield event
            self.ending = self.ladder.ending

    async def _why_stale(self, call: Call, index: int) -> CarrelError | None:
        """Why a call is no longer meant for what is on the screen; None when it is."""
        return await self._eyes.why_stale(call.guards) if index == 0 else None

    async def _look(self, region: Box | None) -> Event | None:
        try:
            return await self._eyes.look(region)
        except InvalidInput as error:
            if region is None:
                raise
            # The model named a part that the screen does not have.
            self._result = Result.failed(error)
            return None


def _id(picture: Picture | None) -> str | None:
    return None if picture is None else picture.id


def _changed(result: Result) -> bool | None:
    """Whether the machine saw the screen change; None when it did not watch."""
    change = result.evidence.get("change")
    return bool(change.get("pixels")) if isinstance(change, dict) else None
