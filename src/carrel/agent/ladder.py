"""The ladder for a model that goes round in circles: hint, replan, ask, stop."""

from __future__ import annotations

from collections.abc import AsyncIterator

from carrel.agent.diary import Diary
from carrel.agent.parts import Ending, Parts
from carrel.agent.past import Past
from carrel.agent.questions import Questions
from carrel.agent.telling import STUCK
from carrel.codec import Json
from carrel.events import Event
from carrel.journal.ends import EndReason
from carrel.policy.stuck import Rung

__all__ = ["Ladder"]


class Ladder:
    """Climbs one rung at a time.

    Attributes:
        advice: What the model is to be told.
        ending: Set by a climb that ends the run, None by one that does not.
    """

    def __init__(self, parts: Parts, past: Past, diary: Diary, questions: Questions) -> None:
        self._parts = parts
        self._past = past
        self._diary = diary
        self._questions = questions
        self.advice: list[str] = []
        self.ending: Ending | None = None

    async def climb(self, rung: Rung, place: dict[str, Json]) -> AsyncIterator[Event]:
        """Help the model, ask the person, or end the run, as the rung says."""
        self.ending = None
        told: dict[str, Json] = {"rung": rung.name, "repeats": rung.repeats}
        yield self._diary.write("stuck", {**told, "signature": rung.signature})
        if rung.name in STUCK:
            self.advice.append(STUCK[rung.name].format(repeats=rung.repeats))
            return
        message = f"{rung.repeats} times the same, to no effect"
        self.ending = Ending("failed", EndReason.STUCK, message)
        if rung.name == "ask" and self._parts.gate.may_ask(self._parts.tally):
            text = f"The same action {rung.repeats} times, and nothing changes. Go on?"
            async for event in self._ask_to_go_on(text, place):
                yield event

    async def ask_once_more(self, place: dict[str, Json]) -> AsyncIterator[Event]:
        """Take up what was asked about an action that was over before a restart."""
        self.ending = None
        asked = self._past.asked("stuck", place)
        if asked is not None:
            async for event in self._ask_to_go_on(asked, place):
                yield event

    async def _ask_to_go_on(self, text: str, place: dict[str, Json]) -> AsyncIterator[Event]:
        choices = ("continue", "stop")
        async for event in self._questions.ask("stuck", text, choices, details=place):
            yield event
        answer = self._questions.answer
        if answer.text:
            self._parts.control.steer(answer.text)
        if answer.choice == "continue":
            self._parts.gate.unstick()
            self.ending = None
        else:
            self.ending = Ending("failed", EndReason.STUCK, f"stopped by {answer.by}: {text}")
