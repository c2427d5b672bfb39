"""What other processes tell a run: pause, resume, cancel, steer, answer.

A message is a file in the run's directory, put there in one step. It waits until the run takes
it, also when no process is working on the run at the time.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from carrel import codec
from carrel.codec import Json
from carrel.errors import CarrelError, InvalidInput
from carrel.journal._disk import refused, replace_file
from carrel.journal.paths import MAILBOX, existing_run, sync_directory

__all__ = ["Mailbox", "Message", "MessageKind"]

_logger = logging.getLogger(__name__)

MessageKind = Literal["pause", "resume", "cancel", "steer", "answer"]

_SUFFIX = ".json"
_TICK = 2_000_000_000
"""Nanoseconds in which the time of a directory may stand still: two seconds on the coarsest."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `name` is that of its file."""

    kind: MessageKind
    data: Mapping[str, Json] = field(default_factory=dict)
    at: float = 0.0
    name: str = ""


class Mailbox:
    """The mailbox of one run, for those who post and for the one who takes.

    Args:
        run: The run's id.
        home: Where runs are kept; the user's own place by default.
    """

    def __init__(self, run: str, home: Path | None = None) -> None:
        self.directory = existing_run(run, home) / MAILBOX
        self._last = 0
        self._empty: int | None = None
        """When the directory was last changed, if it is known to have been empty ever since."""

    def post(self, kind: MessageKind, data: Mapping[str, Json] | None = None) -> Message:
        """Leave a message; it is on disk when this returns.

        Raises:
            InvalidInput: There is no such kind of message, or the data has no JSON form.
            Unavailable: The disk is full or cannot be written.
        """
        if kind not in get_args(MessageKind):
            known = ", ".join(get_args(MessageKind))
            raise InvalidInput(f"there is no message {kind!r}", hint=f"known: {known}")
        # Two posts of one process keep their order even when the clock does not move.
        self._last = max(time.time_ns(), self._last + 1)
        name = f"{self._last:020}-{os.getpid()}-{os.urandom(4).hex()}{_SUFFIX}"
        message = Message(kind, dict(data or {}), self._last / 1e9, name)
        wire = {"kind": kind, "data": message.data, "at": message.at}
        try:
            content = json.dumps(wire, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise InvalidInput(f"the message has no JSON form: {error}") from error
        try:
            self.directory.mkdir(mode=0o700, exist_ok=True)
            replace_file(self.directory / name, content)
            sync_directory(self.directory)
        except OSError as error:
            raise refused(error, self.directory) from error
        return message

    def peek(self) -> list[Message]:
        """Messages that wait, oldest first; they stay until `remove`.

        Whoever must not lose one even when it dies writes down what a message led to first, and
        removes the message then.
        """
        try:
            changed = os.stat(self.directory).st_mtime_ns  # noqa: PTH116 (asked at every turn)
            if changed == self._empty:
                return []
            names = sorted(os.listdir(self.directory))  # noqa: PTH208
        except FileNotFoundError:
            return []
        # A file system's clock ticks slowly: a message may come in the tick of the last change.
        settled = time.time_ns() - changed > _TICK
        self._empty = changed if settled and not names else None
        found = [self._read(name) for name in names if name.endswith(_SUFFIX) and name[0] != "."]
        return [message for message in found if message is not None]

    def remove(self, message: Message) -> None:
        """Take a message out; one that is gone already is fine."""
        (self.directory / message.name).unlink(missing_ok=True)

    def take(self) -> list[Message]:
        """Messages that wait, oldest first; they are gone afterwards."""
        messages = self.peek()
        for message in messages:
            self.remove(message)
        return messages

    def _read(self, name: str) -> Message | None:
        path = self.directory / name
        try:
            message = codec.decode(Message, {**json.loads(path.read_bytes()), "name": name})
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, CarrelError) as error:
            # Not ours, or of another version: out of the way, so that it is not met again.
            _logger.warning("%s is not a message: %s", path, error)
            path.rename(path.with_suffix(".bad"))
            return None
        return message
