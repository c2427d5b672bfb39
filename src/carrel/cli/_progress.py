"""Progress: one line per stage with its seconds, live on a terminal."""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import click

from carrel.cli._output import clean, one_line
from carrel.errors import Refused

__all__ = ["Stages", "size_words"]

_TICK = 0.1
_WIDEST = 79
# `installing 12 of 296: tint2` and `installing 13 of 296: xterm` are one stage.
_KIND = re.compile(r"[:\d(]")


class Stages:
    """Told what is being done, it says so on standard error.

    Args:
        quiet: Say nothing, for `--json`.
        passing: Leave no line behind; what follows says it all.
    """

    def __init__(self, *, quiet: bool = False, passing: bool = False) -> None:
        self._quiet = quiet
        self._passing = passing
        self._live = not quiet and sys.stderr.isatty()
        self._text: str | None = None
        self._share: float | None = None
        self._began = 0.0

    def __call__(self, stage: str, share: float | None = None) -> None:
        """Enter a stage, or say how far the present one is."""
        if self._text is not None and _kind(stage) != _kind(self._text):
            self.finish()
        if self._text is None:
            self._began = time.monotonic()
        self._text, self._share = one_line(stage), share
        self.draw()

    def note(self, stage: str) -> None:
        """Say more about the present stage, from any thread; the next tick shows it."""
        self._text = one_line(stage)

    def draw(self) -> None:
        """Show the stage under way, where it can be shown live."""
        if not self._live or self._text is None:
            return
        percent = "" if self._share is None else f" {self._share:4.0%}"
        ending = f"{percent} {time.monotonic() - self._began:6.1f} s"
        # A line that wraps cannot be drawn over: every tick would leave one behind.
        width = min(_WIDEST, shutil.get_terminal_size().columns - 1)
        text = one_line(clean(self._text), max(width - len(ending), 1))
        click.echo(f"\r\x1b[K{text}{ending}", nl=False, err=True)

    def finish(self, how: str = "") -> None:
        """The stage under way is over: done, or as `how` says."""
        text, self._text = self._text, None
        if text is None or self._quiet:
            return
        if self._live:
            click.echo("\r\x1b[K", nl=False, err=True)
        if not self._passing:
            seconds = time.monotonic() - self._began
            click.echo(f"{clean(text)}  {how}{seconds:.1f} s", err=True)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the seconds moving while the block runs, and end the last line after it."""
        try:
            async with anyio.create_task_group() as tasks:
                if self._live:
                    tasks.start_soon(self._tick)
                try:
                    yield
                except Refused:
                    # No stage has failed: what was asked for is not allowed.
                    self.finish()
                    raise
                tasks.cancel_scope.cancel()
        except BaseException as error:
            self.finish("failed after " if isinstance(error, Exception) else "interrupted after ")
            raise
        self.finish()

    async def _tick(self) -> None:
        while True:
            await anyio.sleep(_TICK)
            self.draw()


def _kind(stage: str) -> str:
    return _KIND.split(stage, maxsplit=1)[0].strip()


def size_words(size: float) -> str:
    """A number of bytes for a person."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError
