"""Programs as child processes: found, started in a session of their own, watched and ended.

Every child leads its own session and carries a mark in its environment. Ending one ends its
session, its process group, whatever descends from it and whatever carries its mark, so that
neither a shell's background jobs nor daemons outlive the one who asked for them.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import shutil
import signal
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio import CapacityLimiter, to_thread

from carrel.errors import ActionFailed, InvalidInput, NotFound, Unavailable
from carrel.guest.family import family, read_stat, signal_all
from carrel.ids import new_id

__all__ = [
    "MARK",
    "Child",
    "ExitStatus",
    "Program",
    "Terminal",
    "find_directory",
    "find_program",
    "spawn",
    "start_error",
]

GRACE = 2.0
"""Seconds between asking a process group to end and ending it."""

MARK = "CARREL_EXEC"
"""The variable by which a program's daemons are told from others'."""

MAX_WAITERS = 4096


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a process ended: exactly one of the two is set."""

    code: int | None
    signal: int | None

    @classmethod
    def of(cls, returncode: int) -> ExitStatus:
        """From what `subprocess` calls a return code."""
        return cls(returncode, None) if returncode >= 0 else cls(None, -returncode)


@dataclass(frozen=True, slots=True)
class Terminal:
    """The size of a terminal in character cells."""

    rows: int = 24
    cols: int = 80

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= 65535 and 1 <= self.cols <= 65535):
            raise InvalidInput("a terminal has 1 to 65535 rows and columns")


@dataclass(frozen=True, slots=True)
class Program:
    """What to start: exactly one of `argv` and `command` (for `/bin/sh`)."""

    argv: tuple[str, ...] | None = None
    command: str | None = None
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.argv is None) == (self.command is None):
            raise InvalidInput("give either argv or command")
        if not (self.command or (self.argv and self.argv[0])):
            raise InvalidInput("there is no program to run")
        texts = [*(self.argv or ()), self.command or "", self.cwd or "", *self.env.values()]
        if any("\0" in text for text in texts):
            raise InvalidInput("a command, path or variable cannot hold a NUL character")
        bad = next((name for name in self.env if not name or "=" in name or "\0" in name), None)
        if bad is not None:
            raise InvalidInput(f"{bad[:40]!r} is not a name for an environment variable")

    @property
    def words(self) -> list[str]:
        """The argument list."""
        if self.argv is not None:
            return list(self.argv)
        return ["/bin/sh", "-c", self.command or ""]


class Child:
    """A started process; `stdin`, `stdout` and `stderr` are non-blocking file descriptors."""

    def __init__(
        self, popen: subprocess.Popen[bytes], fds: Sequence[int | None], mark: str
    ) -> None:
        self._popen = popen
        self._mark = f"{MARK}={mark}".encode()
        self.pid = popen.pid
        self.stdin, self.stdout, self.stderr = fds
        self.on_terminal = self.stdin is not None and self.stdin == self.stdout
        # Before anyone can reap it, so that it cannot be another process of the same number.
        self._pidfd = _open_pidfd(popen.pid)
        row = read_stat(popen.pid)
        self._started = row[3] if row is not None else None

    @property
    def status(self) -> ExitStatus | None:
        """How it ended, or None while it runs."""
        code = self._popen.poll()
        return None if code is None else ExitStatus.of(code)

    async def wait(self) -> ExitStatus:
        """Wait for the end of this one process."""
        if (status := self.status) is not None:
            return status
        if self._pidfd is None:
            return await to_thread.run_sync(
                self.wait_blocking, abandon_on_cancel=True, limiter=_waiters()
            )
        fd = os.dup(self._pidfd)
        try:
            await anyio.wait_readable(fd)
        finally:
            os.close(fd)
        return self.wait_blocking()

    def wait_blocking(self) -> ExitStatus:
        """Wait, keeping the thread."""
        return ExitStatus.of(self._popen.wait())

    def wait_for(self, seconds: float) -> ExitStatus | None:
        """Wait at most that long, keeping the thread; None when it still runs."""
        if self._pidfd is not None:
            poll = select.poll()
            poll.register(self._pidfd, select.POLLIN)
            poll.poll(seconds * 1000)
        else:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(seconds)
        return self.status

    def signal(self, number: int) -> None:
        """Send a signal to the process group; a group that is gone is not an error."""
        with contextlib.suppress(ProcessLookupError):
            if self.status is None:
                os.killpg(self.pid, number)

    async def terminate(self, grace: float = GRACE) -> ExitStatus:
        """End it and everything it started: ask, wait for `grace` seconds, then kill."""
        victims = await to_thread.run_sync(self._ask_to_end)
        with anyio.move_on_after(grace):
            await self.wait()
            await _gone(victims)
        await to_thread.run_sync(self.kill, victims)
        return await self.wait()

    def _ask_to_end(self) -> dict[int, int]:
        victims = family(self.pid, self._started, self._mark)
        if self.on_terminal:
            # A shell at a prompt ignores SIGTERM; a terminal that hangs up ends it.
            signal_all(victims, signal.SIGHUP)
        signal_all(victims, signal.SIGTERM)
        # A stopped process cannot act on SIGTERM.
        signal_all(victims, signal.SIGCONT)
        return victims

    def kill(self, known: Mapping[int, int] | None = None) -> None:
        """End it and everything it started, at once."""
        victims = {**(known or {}), **family(self.pid, self._started, self._mark)}
        # Again, because something may have forked between the look and the signal.
        for _ in range(10):
            if not signal_all(victims, signal.SIGKILL):
                return
            victims = family(self.pid, self._started, self._mark)

    def close(self) -> None:
        """Let go of it: nothing can be asked of it any more."""
        self.close_pipes()
        if self._pidfd is not None:
            os.close(self._pidfd)
        self._pidfd = None

    def close_pipes(self) -> None:
        """Close our ends of its pipes or terminal."""
        for fd in {self.stdin, self.stdout, self.stderr}:
            if fd is not None:
                os.close(fd)
        self.stdin = self.stdout = self.stderr = None

    def close_stdin(self) -> None:
        """Let it see the end of its input."""
        if self.stdin is not None and not self.on_terminal:
            os.close(self.stdin)
            self.stdin = None

    def resize(self, size: Terminal) -> None:
        """Tell its terminal a new size; the kernel signals the program."""
        if self.stdin is None or not self.on_terminal:
            raise InvalidInput("only a program on a terminal can be resized", hint="pass pty")
        _set_size(self.stdin, size)


def _open_pidfd(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except OSError:  # some sandboxes lack it
        return None


async def _gone(victims: Mapping[int, int]) -> None:
    # Grandchildren are not ours to wait for: looking is all one can do.
    while any(map(read_stat, victims)):  # noqa: ASYNC110
        await anyio.sleep(0.01)


_limiter: CapacityLimiter | None = None


def _waiters() -> CapacityLimiter:
    global _limiter  # noqa: PLW0603  waiting must never use up the threads that work
    if _limiter is None:
        _limiter = CapacityLimiter(MAX_WAITERS)
    return _limiter


def spawn(
    program: Program,
    env: Mapping[str, str],
    cwd: str,
    *,
    stdin: bool = False,
    pty: Terminal | None = None,
) -> Child:
    """Start a program.

    Args:
        program: What to run; its `env` is added to `env`, its `cwd` is seen from `cwd`.
        env: The environment.
        cwd: The directory to start in.
        stdin: Give it a pipe to read from instead of nothing.
        pty: Run it on a terminal of its own of this size.

    Raises:
        NotFound: The program or the directory does not exist.
        ActionFailed: The system could not start it.
    """
    environment = {**env, **program.env, MARK: new_id("exec")}
    directory = find_directory(program.cwd, cwd, environment)
    words = program.words
    executable = find_program(words[0], directory, environment)
    try:
        if pty is not None:
            environment.setdefault("TERM", "xterm-256color")
            return _on_terminal(words, executable, environment, directory, pty)
        return _on_pipes(words, executable, environment, directory, stdin)
    except OSError as error:
        raise start_error(words[0], error) from error


def _on_pipes(
    words: list[str], executable: str, env: Mapping[str, str], cwd: str, stdin: bool
) -> Child:
    popen = subprocess.Popen(
        words,
        executable=executable,
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=env,
        start_new_session=True,
        bufsize=0,
    )
    files = (popen.stdin, popen.stdout, popen.stderr)
    # We keep bare descriptors: Popen's file objects would close them a second time.
    fds = [None if file is None else os.dup(file.fileno()) for file in files]
    for file in filter(None, files):
        file.close()
    popen.stdin = popen.stdout = popen.stderr = None
    for fd in fds:
        if fd is not None:
            os.set_blocking(fd, False)
    return Child(popen, fds, env[MARK])


def _on_terminal(
    words: list[str], executable: str, env: Mapping[str, str], cwd: str, size: Terminal
) -> Child:
    setsid = shutil.which("setsid", path=env.get("PATH", os.defpath))
    if setsid is None:
        raise Unavailable("there is no program setsid", hint="apt-get install util-linux")
    ours, theirs = os.openpty()
    try:
        _set_size(theirs, size)
        # setsid takes the terminal as the controlling one and then becomes the program: doing
        # this in a forked Python with other threads around could deadlock.
        popen = subprocess.Popen(
            [setsid, "--ctty", executable, *words[1:]],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env=env,
        )
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    os.set_blocking(ours, False)
    return Child(popen, (ours, ours, None), env[MARK])


def _set_size(fd: int, size: Terminal) -> None:
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.cols, 0, 0))


def find_directory(wish: str | None, base: str, env: Mapping[str, str]) -> str:
    """The directory to start in.

    Raises:
        NotFound: It is not there, or is not a directory.
    """
    path = Path(base)
    if wish:
        home = env.get("HOME", base)
        path = path / (home + wish[1:] if wish == "~" or wish.startswith("~/") else wish)
    if not path.is_dir():
        raise NotFound(f"there is no directory {path}", context={"path": str(path)})
    return str(path)


def find_program(name: str, cwd: str, env: Mapping[str, str]) -> str:
    """The file to execute for a program's name.

    Raises:
        NotFound: No such program.
        ActionFailed: It is there, but may not be executed.
    """
    if "/" not in name:
        found = shutil.which(name, path=env.get("PATH", os.defpath))
        if found is None:
            raise NotFound(f"there is no program {name[:200]!r} in PATH", context={"program": name})
        return str(Path(cwd, found))
    path = Path(cwd, name)
    if not path.is_file():
        raise NotFound(f"there is no program {name[:200]!r}", context={"program": name})
    if not os.access(path, os.X_OK):
        raise ActionFailed(
            f"{name[:200]!r} is not executable", hint=f"chmod +x {name}", context={"program": name}
        )
    return str(path)


def start_error(name: str, error: OSError) -> ActionFailed | InvalidInput:
    """Why the system would not start a program."""
    if error.errno == errno.E2BIG:
        return InvalidInput("the arguments and environment are too long", hint="send it as stdin")
    reason = error.strerror or str(error)
    return ActionFailed(f"{name[:200]!r} could not be started: {reason}", context={"program": name})
