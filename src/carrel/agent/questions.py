"""Where a run waits for its person: while it is paused, and for the answers to its questions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager

from carrel.actions import Action
from carrel.agent.asking import Kind, Question, first_answer
from carrel.agent.control import Answer
from carrel.agent.diary import Diary
from carrel.agent.parts import Parts
from carrel.agent.past import Past
from carrel.codec import Json
from carrel.events import Event
from carrel.ids import new_id
from carrel.journal.words import in_words

__all__ = ["Questions"]


class Questions:
    """Asks, and waits. The last answer is in `answer`."""

    def __init__(self, parts: Parts, past: Past, diary: Diary) -> None:
        self._parts = parts
        self._past = past
        self._diary = diary
        self.answer = Answer("")

    async def ask(
        self,
        kind: Kind,
        text: str,
        choices: tuple[str, ...] = (),
        action: Action | None = None,
        details: Mapping[str, Json] | None = None,
    ) -> AsyncIterator[Event]:
        """Write the question, then wait for its answer; after a restart, only wait."""
        parts, details = self._parts, details or {}
        known = self._past.take_ask(kind, details)
        words = in_words(action) if action else ""
        question = Question(known or new_id("ask"), kind, text, choices, words, details)
        if known is None:
            data: dict[str, Json] = {"ask": question.id, "kind": kind, "question": text}
            data["choices"] = list(choices)
            yield self._diary.write("ask", {**data, "words": words, **details})
            parts.tally.asks += 1
        given = self._past.answers.get(question.id)
        if given is None:
            yield self._diary.status("waiting", text)
            with self._clock_stopped():
                given = await first_answer(parts.control, parts.asker, question)
            data = {"ask": question.id, "choice": given.choice, "text": given.text}
            answer = self._diary.write("answer", {**data, "grant": given.grant, "by": given.by})
            parts.control.settle()
            yield answer
            yield self._diary.status("running", "answered")
        self.answer = given

    @contextmanager
    def _clock_stopped(self) -> Iterator[None]:
        """What a person takes is not the run's time."""
        self._parts.tally.pause()
        try:
            yield
        finally:
            self._parts.tally.resume()

    async def pause(self) -> AsyncIterator[Event]:
        """Wait here while the run is paused."""
        control = self._parts.control
        control.check()
        by = control.paused_by
        if by is None:
            return
        yield self._diary.status("paused", f"paused by {by}")
        with self._clock_stopped():
            await control.until(lambda: control.paused_by is None)
        yield self._diary.status("running", "resumed")
