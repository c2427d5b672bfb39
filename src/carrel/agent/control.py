"""Pause, resume, cancel, steer and answer: a run's controls, from wherever they are used."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import anyio

from carrel.guest.tasks import task_group
from carrel.journal.mailbox import Mailbox, Message
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
    mailbox, which is read while the run waits for anything. What was said and answered stays there
    until it is in the journal, so that it outlives this process.
    """

    def __init__(self) -> None:
        self._mailbox: Mailbox | None = None
        self._paused_by: str | None = None
        self._cancelled_by: str | None = None
        self._said: deque[tuple[str, Message | None]] = deque()
        self._answers: dict[str, tuple[Answer, Message | None]] = {}
        self._heard: set[str] = set()
        """Names of the messages that were read and are still in the mailbox."""
        self._taken: list[Message] = []
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
        self._say(text)

    def answer(self, ask: str, answer: Answer) -> None:
        """Answer a question of the run."""
        self._reply(ask, answer)

    # What the loop does

    def listen(self, mailbox: Mailbox) -> None:
        """Obey other processes, too."""
        self._mailbox = mailbox

    @property
    def paused_by(self) -> str | None:
        """Who paused it; None when nobody did."""
        self.read_mailbox()
        return self._paused_by

    def take_said(self) -> str | None:
        """The next thing the person said, if there is any; `settle` when it is written down."""
        self.read_mailbox()
        return self._take(*self._said.popleft()) if self._said else None

    def take_answer(self, ask: str) -> Answer | None:
        """The answer to a question, once there is one; `settle` when it is written down."""
        self.read_mailbox()
        return self._take(*self._answers.pop(ask)) if ask in self._answers else None

    def _take(self, value: T, message: Message | None) -> T:
        if message is not None:
            self._taken.append(message)
        return value

    def settle(self) -> None:
        """What was taken is in the journal: nobody needs to be told of it again."""
        while self._taken:
            self._forget(self._taken.pop())

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
        for message in self._mailbox.peek():
            if message.name not in self._heard:
                self._heard.add(message.name)
                self._obey(message)

    def _obey(self, message: Message) -> None:
        kind, data = message.kind, message.data
        by, text = str(data.get("by", "person")), str(data.get("text", ""))
        if kind == "steer":
            self._say(text, message)
        elif kind == "answer":
            answer = Answer(str(data.get("choice")), text, as_scope(data.get("grant")), by)
            self._reply(str(data.get("ask")), answer, message)
        elif kind == "cancel":
            # It stays: a run whose process died before the end ends as soon as it is resumed.
            self.cancel(by)
        else:
            self._forget(message)
            self.pause(by) if kind == "pause" else self.resume()

    def _forget(self, message: Message) -> None:
        assert self._mailbox is not None
        self._mailbox.remove(message)
        self._heard.discard(message.name)

    def _say(self, text: str, message: Message | None = None) -> None:
        self._said.append((text, message))
        self._wake()

    def _reply(self, ask: str, answer: Answer, message: Message | None = None) -> None:
        self._answers[ask] = (answer, message)
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
