"""A program of somebody else's that keeps systems, and how it is run. Blocking: use a thread."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import IO, Protocol

from carrel.errors import RunError, TimedOut, Unavailable

__all__ = [
    "Condition",
    "Tool",
    "decode_words",
    "find_program",
    "run_tool",
    "tool_environment",
]

_MOST_SAID = 600
# What such programs and the ssh they run need to start, and not the caller's secrets.
_ENV = ("HOME", "USER", "LOGNAME", "PATH", "SHELL", "TMPDIR", "XDG_RUNTIME_DIR", "WSLENV")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Condition(StrEnum):
    """How a system is, as its keeper tells."""

    ON = "on"
    OFF = "off"
    BROKEN = "broken"


class Tool(Protocol):
    """One such program. Every method asks it, and none answers from memory."""

    name: str
    """What people call it."""

    def about(self) -> str:
        """Run it, and say what it is.

        Raises:
            Unavailable: It is not here, or does not work.
        """
        ...

    def systems(self) -> Mapping[str, Condition]:
        """Every system it keeps."""
        ...

    def command(self, name: str, *argv: str) -> tuple[str, ...]:
        """The command that runs a program in a system as its root, on the command's own stdio."""
        ...

    def environment(self) -> dict[str, str]:
        """What its commands are run with, and nothing else."""
        ...

    def turn_on(self, name: str) -> None:
        """Start a system; return when programs can be run in it."""
        ...

    def turn_off(self, name: str, *, force: bool) -> None:
        """End a system, in order or at once."""
        ...

    def discard(self, name: str) -> None:
        """Remove a system in any condition; one that is not there is gone already."""
        ...

    def keep(self, name: str, label: str) -> None:
        """Copy the disk of a system that is off."""
        ...

    def kept(self, name: str) -> tuple[str, ...]:
        """The labels of its copies."""
        ...

    def drop(self, name: str, label: str) -> None:
        """Remove a copy of it, and nothing else."""
        ...

    def go_back(self, name: str, label: str) -> None:
        """Put a copy in the place of the disk of a system that is off."""
        ...


def find_program(program: str, variable: str, hint: str) -> str:
    """Where a program is: what a variable of the environment says, or on the path.

    Raises:
        Unavailable: It is nowhere.
    """
    wish = os.environ.get(variable)
    found = shutil.which(wish or program)
    if found is None:
        what = f"{variable}={wish} is no program" if wish else f"{program} is not installed"
        raise Unavailable(what, op=program, hint=hint)
    return found


def tool_environment(*more: str) -> dict[str, str]:
    """The part of our environment that a tool is given."""
    return {name: os.environ[name] for name in (*_ENV, *more) if name in os.environ}


def run_tool(
    argv: Iterable[str],
    env: Mapping[str, str],
    timeout: float,
    feed: Iterable[bytes] | None = None,
) -> bytes:
    """Run a tool to its end, and return what it wrote.

    Args:
        argv: The command.
        env: All of its environment.
        timeout: Seconds it may take.
        feed: What it reads; nothing by default.

    Raises:
        Unavailable: It cannot be run.
        RunError: It failed, with its own last words.
        TimedOut: It took too long, and was ended.
    """
    command = list(argv)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as words:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
                stdout=out,
                stderr=words,
                env=dict(env),
                start_new_session=True,
            )
        except OSError as error:
            raise Unavailable(f"{command[0]} cannot be run: {error.strerror}") from error
        failure = _attend(process, timeout, feed)
        if isinstance(failure, subprocess.TimeoutExpired):
            raise TimedOut(f"{_shown(command)} did not end within {timeout:g} s", op=command[0])
        if failure is not None:
            message = f"not all could be given to {_shown(command)}: {failure}"
            raise RunError(message, op=_shown(command)) from failure
        out.seek(0)
        if process.returncode != 0:
            raise RunError(
                f"{_shown(command)} failed: {_last_words(words, out, process.returncode)}",
                op=_shown(command),
            )
        return out.read()


def _attend(
    process: subprocess.Popen[bytes], timeout: float, feed: Iterable[bytes] | None
) -> BaseException | None:
    """Feed it and wait; say what kept it from the whole, where it was ended or ended well."""
    feeder = None
    broken: list[BaseException] = []
    if feed is not None:
        feeder = threading.Thread(target=_pour, args=(process, feed, broken), daemon=True)
        feeder.start()
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired as error:
        return error
    finally:
        if process.returncode is None:
            _kill(process)
            process.wait()
        if feeder is not None:
            feeder.join(timeout)
    if feeder is not None and feeder.is_alive():
        broken.append(TimeoutError("what it was to read never ended"))
    # One that reads no further and fails says itself why.
    itself = process.returncode != 0 and isinstance(next(iter(broken), None), BrokenPipeError)
    return broken[0] if broken and not itself else None


def _pour(
    process: subprocess.Popen[bytes], feed: Iterable[bytes], broken: list[BaseException]
) -> None:
    assert process.stdin is not None
    try:
        with process.stdin as target:
            try:
                for piece in feed:
                    target.write(piece)
            except BaseException as error:
                broken.append(error)
                if not isinstance(error, BrokenPipeError):
                    # Now: the end of half of it would be that of the whole to it.
                    _kill(process)
                raise
    except BaseException as error:  # noqa: BLE001 (of a thread; `run_tool` tells it)
        broken.append(error)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End it and all that it has started: it leads a group of its own."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _shown(command: list[str]) -> str:
    """A command's program and its first word."""
    return " ".join([os.path.basename(command[0]), *command[1:2]])  # noqa: PTH119 (any path)


def _last_words(words: IO[bytes], out: IO[bytes], status: int) -> str:
    for file in (words, out):
        file.seek(0)
        text = decode_words(file.read()).strip()
        if text:
            return text[-_MOST_SAID:]
    return f"status {status}"


def decode_words(data: bytes) -> str:
    """What a tool wrote, in whichever way: Windows programs write UTF-16 to a pipe."""
    code = "utf-16-le" if b"\0" in data[:64] else "utf-8"
    text = data.decode(code, errors="replace").removeprefix("\ufeff")
    return _COLOURS.sub("", text.replace("\r\n", "\n"))
