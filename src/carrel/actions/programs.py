"""What is opened and run, and what surrounds it: clipboard and screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from carrel.actions._base import MAX_TEXT, Action, EffectClass, check_seconds, require
from carrel.geometry import Size

__all__ = [
    "Open",
    "ResizeScreen",
    "SetClipboard",
    "Shell",
]


@dataclass(frozen=True, slots=True)
class SetClipboard(Action):
    """Put text on the clipboard."""

    type = "set_clipboard"
    effect = EffectClass.INPUT
    text: str

    def _check(self) -> None:
        require(len(self.text) <= 16 * MAX_TEXT, "at most 16 million characters")


@dataclass(frozen=True, slots=True)
class ResizeScreen(Action):
    """Change the size of the screen, where the display can."""

    type = "resize_screen"
    effect = EffectClass.INPUT
    width: int
    height: int

    def _check(self) -> None:
        Size(self.width, self.height)


@dataclass(frozen=True, slots=True)
class Open(Action):
    """Open an application, a URL or a file: data `{pid, kind, running}`.

    `what` is a URL when it has a scheme, a file when it is an absolute path or `~/…` that exists,
    and otherwise the name of a program or desktop entry, with arguments. A program that ended at
    once, and well, is `unverifiable`: it may have handed over to one that runs.
    """

    type = "open"
    effect = EffectClass.EXEC
    what: str
    arguments: tuple[str, ...] = ()

    def _check(self) -> None:
        require(0 < len(self.what) <= 65_536 and "\0" not in self.what, "nothing to open")

    @property
    def target(self) -> str:
        """What is opened."""
        return self.what


@dataclass(frozen=True, slots=True)
class Shell(Action):
    """Run a command with `/bin/sh` and wait for it: data `{exit, stdout, stderr, truncated}`.

    Output beyond one mebibyte per stream is dropped and said so; stream it with `Computer.exec`.
    """

    type = "shell"
    effect = EffectClass.EXEC
    command: str
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: str | None = None
    timeout: float = 60.0

    def _check(self) -> None:
        require(0 < len(self.command) <= MAX_TEXT, "there is no command")
        require("\0" not in self.command, "a command cannot hold a NUL character")
        check_seconds(self.timeout, "timeout")

    @property
    def target(self) -> str:
        """The command."""
        return self.command
