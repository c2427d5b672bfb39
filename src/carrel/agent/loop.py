"""The loop: look, decide, pass the gate, act, look again.

A run goes on only while its events are taken: `async for event in loop.run()`. Everything that
happens is written to the journal before it is yielded, an `act` before its effect and its `result`
after it, so that a run whose process was killed goes on where it was and repeats nothing.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator
from functools import partial

import anyio

from carrel.agent.acting import Acting
from carrel.agent.asking import Kind, Suspended
from carrel.agent.control import Cancelled
from carrel.agent.diary import Diary
from carrel.agent.eyes import Eyes
from carrel.agent.parts import Ending, Parts, reason_of
from carrel.agent.past import Past
from carrel.agent.patience import Patience, wait_before_retry
from carrel.agent.questions import Questions
from carrel.agent.telling import tell_blank
from carrel.decisions import Decision, encode_decision
from carrel.errors import CarrelError, MachineLost, ModelError
from carrel.events import Event
from carrel.journal.ends import EndReason
from carrel.policy.gate import Judgement
from carrel.policy.rules import Verdict

__all__ = ["Loop"]

logger = logging.getLogger(__name__)


class Loop:
    """One run of one task."""

    def __init__(self, parts: Parts, past: Past | None = None) -> None:
        self._parts = parts
        self._past = past or Past()
        self._diary = Diary(parts)
        self._eyes = Eyes(
            parts.hands,
            parts.journal,
            self._diary.write,
            elements=parts.model.wants_elements,
            pixels=getattr(parts.model, "reads_pixels", False),
        )
        self._questions = Questions(parts, self._past, self._diary)
        self._acting = Acting(parts, self._past, self._diary, self._eyes, self._questions)
        self._patience = Patience()
        self._decision: Decision | None = None
        self.ending: Ending | None = None

    async def run(self) -> AsyncGenerator[Event, None]:
        """Everything that happens, as it happens, to the end of the run."""
        try:
            async for event in self._steps():
                yield event
            ending = self.ending or Ending("failed", EndReason.INTERNAL, "it ended by itself")
        except Suspended as question:
            yield self._diary.status("waiting", f"nobody is there to answer: {question}")
            return
        except Cancelled as error:
            ending = Ending("cancelled", EndReason.CANCELLED, f"cancelled by {error.by}")
        except ModelError as error:
            told = f"{error.message}; {error.hint}" if error.hint else error.message
            ending = Ending("failed", reason_of(error), told)
        except MachineLost as error:
            ending = Ending("failed", EndReason.MACHINE_LOST, error.message)
        except CarrelError as error:
            ending = Ending("failed", EndReason.INTERNAL, error.message)
        except Exception as error:  # a run always ends with a reason
            logger.exception("the run failed")
            ending = Ending("failed", EndReason.INTERNAL, f"{type(error).__name__}: {error}")
        self.ending = ending
        yield self._diary.finish(ending)

    async def _steps(self) -> AsyncIterator[Event]:
        async for event in self._begin():
            yield event
        while self.ending is None:
            async for event in self._questions.pause():
                yield event
            if self._decision is None:
                while (text := self._parts.control.take_said()) is not None:
                    self._parts.history.say(text)
                    said = self._diary.write("text", {"role": "person", "text": text})
                    self._parts.control.settle()
                    yield said
                async for event in self._decide():
                    yield event
            if self._decision is not None:
                async for event in self._carry_out(self._decision):
                    yield event

    async def _begin(self) -> AsyncIterator[Event]:
        """Look at the screen; after a restart, take up the decision that was under way."""
        past = self._past
        yield self._diary.status("running", "resumed" if past.resumed else "started")
        self._decision = past.pending
        if past.picture is not None:
            self._eyes.remember(past.picture)
        frame = await self._parts.control.guard(self._eyes.look)
        if frame is not None:
            yield frame
        if not past.resumed and self._eyes.picture is not None:
            self._parts.history.begin(self._eyes.picture)

    async def _decide(self) -> AsyncIterator[Event]:
        """Ask the model, again if need be: asking has no effect on the machine."""
        parts = self._parts
        context = parts.history.context()
        leave = parts.gate.before_decision(
            parts.tally, parts.model.name, parts.tally.last_input, context.options.max_tokens
        )
        if leave.verdict is not Verdict.ALLOW:
            async for event in self._settle_limit(leave):
                yield event
            if self.ending is not None:
                return
        parts.tally.steps += 1
        started, attempt = time.monotonic(), 0
        while self._decision is None:
            attempt += 1
            left = parts.gate.seconds_left(parts.tally)
            try:
                with anyio.move_on_after(left) as time_left:
                    self._decision = await parts.control.guard(
                        lambda: parts.model.decide(context, parts.on_text)
                    )
                if time_left.cancelled_caught:
                    self.ending = Ending("failed", EndReason.TIME_LIMIT, "no answer came in time")
                    return
            except ModelError as error:
                left = parts.gate.seconds_left(parts.tally)
                wait = wait_before_retry(error, attempt, first=parts.first_wait, left=left)
                yield self._diary.error(error, attempt, wait)
                if wait is None:
                    raise
                await parts.control.guard(partial(anyio.sleep, wait))
        yield self._write_decision(self._decision, time.monotonic() - started)

    def _write_decision(self, decision: Decision, seconds: float) -> Event:
        cost = self._parts.prices.cost_of(self._parts.model.name, decision)
        self._parts.tally.add(decision.usage, cost)
        return self._diary.write(
            "decision",
            {
                "decision": encode_decision(decision),
                "cost": None if cost is None else str(cost),
                "seconds": round(seconds, 3),
            },
        )

    async def _settle_limit(self, leave: Judgement) -> AsyncIterator[Event]:
        """A limit stands in the way of the next decision: end, or ask."""
        if leave.verdict is Verdict.ASK:
            kind: Kind = "price" if leave.end is EndReason.PRICE_UNKNOWN else "limit"
            async for event in self._questions.ask(kind, leave.reason, ("continue", "stop")):
                yield event
            if self._questions.answer.choice == "continue":
                self._parts.gate.allow_unknown_price()
                return
        self.ending = Ending("failed", leave.end or EndReason.DENIED, leave.reason)

    async def _carry_out(self, decision: Decision) -> AsyncIterator[Event]:
        """Every call in its order; then the turn is over, and the model may be told more."""
        acting = self._acting
        self.ending = self._patience.consider(decision)
        for call in decision.calls:
            if self.ending is not None:
                break
            async for event in acting.carry_out(call):
                yield event
            self.ending = acting.ending
        if len(acting.outcomes) == len(decision.calls):
            self._parts.history.close(decision, tuple(acting.outcomes))
        acting.outcomes.clear()
        self._decision = None
        self._past.forget()
        if not decision.calls:
            acting.ladder.advice.append(tell_blank(decision))
        while acting.ladder.advice and self.ending is None:
            advice = acting.ladder.advice.pop(0)
            self._parts.history.say(advice)
            yield self._diary.write("text", {"role": "runtime", "text": advice})
