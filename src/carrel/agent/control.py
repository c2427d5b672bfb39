"""Pause, resume, cancel, steer and answer: a run's controls, from wherever they are used."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import anyio

from carrel.codec import Json
from carrel.guest.tasks import task_group
from carrel.journal.mailbox import Mailbox
from carrel.policy.grants import Scope

__all__ = ["Answer", "Cancelled", "Control", "as_scope"]

POLL = 0.2
"""Seconds between looks into the mailbox of other processes."""

T = TypeVar("T")


class Cancelled(Exception):
    """Somebody ended the run; `by` says who."""

    def __init__(self, by: str) -> None:
        super().__init__(by)
        self.by = by


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said to a question of the run.

    Attributes:
        choice: One of the question's choices, or free text where it has none.
        grant: For how long an `allow` holds.
    """

    choice: str
    text: str = ""
    grant: Scope = "once"
    by: str = "person"


def as_scope(value: object) -> Scope:
    """For how long an answer holds, as it was written down."""
    scopes: tuple[Scope, ...] = ("run", "always")
    return next((scope for scope in scopes if scope == value), "once")


class Control:
    """The controls of one run.

    Methods may be called from any task of the run's event loop; other processes use the run's
    mailbox, which is read while the run waits for anything.
    """

    def __init__(self) -> None:
        self._mailbox: Mailbox | None = None
        self._paused_by: str | None = None
        self._cancelled_by: str | None = None
        self._said: deque[str] = deque()
        self._answers: dict[str, Answer] = {}
        self._changed = anyio.Event()
        self._scope: anyio.CancelScope | None = None

    # What a person does

    def pause(self, by: str = "person") -> None:
        """Stop before the next action, until resumed."""
        self._paused_by = by
        self._wake()

    def resume(self) -> None:
        """Go on."""
        self._paused_by = None
        self._wake()

    def cancel(self, by: str = "person") -> None:
        """End the run now; what is under way is broken off."""
        self._cancelled_by = by
        if self._scope is not None:
            self._scope.cancel()
        self._wake()

    def steer(self, text: str) -> None:
        """Say something to the model before its next decision."""
        self._said.append(text)
        self._wake()

    def answer(self, ask: str, answer: Answer) -> None:
        """Answer a question of the run."""
        self._answers[ask] = answer
        self._wake()

    # What the loop does

    def listen(self, mailbox: Mailbox) -> None:
        """Obey other processes, too."""
        self._mailbox = mailbox

    @property
    def paused_by(self) -> str | None:
        """Who paused it; None when nobody did."""
        self.read_mailbox()
        return self._paused_by

    def take_said(self) -> tuple[str, ...]:
        """What the person said since the last time this was asked."""
        self.read_mailbox()
        said = tuple(self._said)
        self._said.clear()
        return said

    def take_answer(self, ask: str) -> Answer | None:
        """The answer to a question, once there is one."""
        self.read_mailbox()
        return self._answers.pop(ask, None)

    def check(self) -> None:
        """Raise `Cancelled` if somebody ended the run."""
        self.read_mailbox()
        if self._cancelled_by is not None:
            raise Cancelled(self._cancelled_by)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until the controls make `condition` true; `Cancelled` ends the wait."""
        while True:
            self.check()
            if condition():
                return
            self._changed = anyio.Event()
            with anyio.move_on_after(POLL):
                await self._changed.wait()

    async def guard(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something that a cancel breaks off at once."""
        self.check()
        done: list[T] = []
        async with task_group() as tasks:
            self._scope = tasks.cancel_scope
            tasks.start_soon(self._watch)
            try:
                done.append(await work())
            finally:
                self._scope = None
                tasks.cancel_scope.cancel()
        self.check()
        return done[0]

    async def _watch(self) -> None:
        while True:
            await anyio.sleep(POLL)
            self.read_mailbox()

    def read_mailbox(self) -> None:
        """Take in what other processes said."""
        if self._mailbox is None:
            return
        for message in self._mailbox.take():
            self._obey(message.kind, message.data)

    def _obey(self, kind: str, data: Mapping[str, Json]) -> None:
        by, text = str(data.get("by", "person")), str(data.get("text", ""))
        if kind == "pause":
            self.pause(by)
        elif kind == "resume":
            self.resume()
        elif kind == "cancel":
            self.cancel(by)
        elif kind == "steer":
            self.steer(text)
        elif kind == "answer":
            answer = Answer(str(data.get("choice")), text, as_scope(data.get("grant")), by)
            self.answer(str(data.get("ask")), answer)

    def _wake(self) -> None:
        self._changed.set()
