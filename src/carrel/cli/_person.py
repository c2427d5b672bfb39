"""The person at the terminal: questions, a menu after Ctrl-C, and being the model."""

from __future__ import annotations

import os
import sys
import termios
from typing import TYPE_CHECKING

import anyio
import click

from carrel.agent.asking import Question
from carrel.agent.control import Answer
from carrel.cli._output import clean, one_line
from carrel.cli._runs import about
from carrel.policy.grants import Scope

if TYPE_CHECKING:
    from carrel.agent.running import Running

__all__ = ["Console", "TerminalAsker", "menu"]

_ANSWERS: dict[str, tuple[str, Scope]] = {
    "y": ("allow", "once"),
    "yes": ("allow", "once"),
    "r": ("allow", "run"),
    "a": ("allow", "always"),
    "n": ("deny", "once"),
    "no": ("deny", "once"),
}


class Console:
    """Reads lines from standard input without holding up the run; one reader at a time."""

    def __init__(self) -> None:
        self._buffer = b""
        self._lock = anyio.Lock()
        self.is_asking = False
        """A question is on the screen: nothing may be written over it."""

    @property
    def is_there(self) -> bool:
        """Whether a person can be asked here."""
        return sys.stdin.isatty() and sys.stderr.isatty()

    def say(self, text: str) -> None:
        """A line for the person."""
        click.echo(clean(text), err=True)

    async def ask(self, prompt: str) -> str:
        """A line from the person.

        Raises:
            EOFError: There is nobody any more.
        """
        async with self._lock:
            click.echo(f"\r\x1b[K{clean(prompt)}", nl=False, err=True)
            self.is_asking = True
            try:
                return await self._line()
            finally:
                self.is_asking = False

    def forget(self) -> None:
        """Let go of what was typed by now: it is no answer to what was not asked yet."""
        self._buffer = b""
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    async def _line(self) -> str:
        fd = sys.stdin.fileno()
        while b"\n" not in self._buffer:
            await anyio.wait_readable(fd)
            data = os.read(fd, 4096)
            if not data:
                raise EOFError
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode(errors="replace").strip()


class TerminalAsker:
    """Puts a run's questions to the person at the terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console

    async def ask(self, question: Question) -> Answer | None:
        """Ask until the answer is one of the choices."""
        if not self._console.is_there:
            return None
        say = self._console.say
        say("")
        for number, line in enumerate(about(question.words, question.details.get("action"))):
            say(f"  {line}" if number else f"? {line}")
        say(f"  {question.text}")
        if question.kind != "question":
            self._console.forget()
        try:
            if question.kind in ("rule", "safety"):
                return await self._leave(question)
            return await self._choice(question)
        except EOFError:
            return None

    async def _leave(self, question: Question) -> Answer:
        grants = question.kind == "rule"
        longer = ", [r] allow for this run, [a] always" if grants else ""
        if grants and question.details.get("covers"):
            covers = one_line(str(question.details["covers"]), 300)
            self._console.say(f"  [r] and [a] are for: {covers}")
        while True:
            line = await self._console.ask(f"  [y] allow once{longer}, [n] deny, or say why not: ")
            known = _ANSWERS.get(line.lower())
            if known is not None and (grants or known[1] == "once"):
                return Answer(known[0], grant=known[1])
            if len(line) > 1:
                return Answer("deny", line)

    async def _choice(self, question: Question) -> Answer:
        choices = question.choices
        prompt = f"  ({' / '.join(choices)}) " if choices else "  > "
        while True:
            line = await self._console.ask(prompt)
            found = [choice for choice in choices if line and choice.startswith(line.lower())]
            if len(found) == 1:
                return Answer(found[0])
            if line and question.kind in ("question", "stuck"):
                return Answer("continue" if question.kind == "stuck" else "", line)


async def menu(console: Console, running: Running) -> None:
    """The run is paused: ask how to go on."""
    console.say("")
    console.say("Paused before the next action.")
    while True:
        try:
            line = await console.ask("[r] resume, [q] stop, or say something to the model: ")
        except EOFError:
            line = "q"
        if line.lower() in ("q", "quit", "stop"):
            running.cancel()
            return
        if line and line.lower() not in ("r", "resume"):
            running.steer(line)
        if line:
            running.resume()
            return
