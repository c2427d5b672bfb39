"""Opening applications, URLs and files the way a desktop does, and seeing that they start."""

from __future__ import annotations

import errno
import fcntl
import mimetypes
import os
import re
import shlex
import stat
import subprocess
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, cast
from urllib.parse import unquote, urlsplit

import anyio
from anyio import to_thread

from carrel.actions import Open
from carrel.codec import Json
from carrel.errors import ActionFailed, InvalidInput, NotFound, Unavailable, Unsupported
from carrel.guest.children import MARK, Child, ExitStatus, find_directory, find_program, start_error
from carrel.guest.disk import os_errors
from carrel.guest.entries import Entries, Entry, read_entry
from carrel.guest.tasks import task_group
from carrel.ids import new_id

__all__ = ["Launcher"]

WATCH = 0.3
"""Seconds a program is watched: most that cannot start say so at once."""
CLOSE_GRACE = 0.5
"""Seconds a program has to end by itself when its display goes away."""

MAX_STDERR = 1024 * 1024
TRIM_EVERY = 5.0

SCHEMES = ("http", "https", "file", "about")
BROWSERS = (
    "x-www-browser",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "firefox-esr",
    "firefox",
)
TERMINALS = ("x-terminal-emulator", "xterm")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST = re.compile(r"[\w-]+(\.[\w-]+)+(/\S*)?")
_TEXT_TYPES = re.compile(
    r"text/.*|inode/x-empty|application/(json|xml|javascript|toml|yaml|sql|x-sh|x-yaml|.*\+(json|xml))"
)
_BROWSER_TYPES = re.compile(r"(image|video|audio|text)/.*|application/(pdf|json|xml|xhtml\+xml)")

Kind = Literal["app", "url", "file"]


@dataclass(frozen=True, slots=True)
class _Plan:
    kind: Kind
    words: Sequence[str]
    cwd: str = ""


class Launcher:
    """Opens things in one environment.

    Args:
        env: Gives the environment at the moment something is opened.
        cwd: Where applications start.
    """

    def __init__(self, env: Callable[[], Mapping[str, str]], cwd: str) -> None:
        self._env = env
        self._cwd = cwd
        self._running: set[Child] = set()

    async def close(self) -> None:
        """End everything that was opened and still runs, with all it started."""
        # Taken out of the set, they are ours to bury and no longer their threads'.
        running, self._running = self._running, set()
        async with task_group() as tasks:
            for child in running:
                tasks.start_soon(child.terminate, CLOSE_GRACE)
        for child in running:
            child.close()

    async def open(self, action: Open) -> dict[str, Json]:
        """Open it and watch it start: `{pid, kind, running}`.

        One that ended at once and well may have handed over to one that runs, or done nothing.

        Raises:
            NotFound: There is no such application or file.
            Unsupported: URLs of that kind are not opened.
            Unavailable: No installed application opens it.
            ActionFailed: The file may not be read, or the program ended at once with an error;
                `context` has what it said.
        """
        env = {**self._env(), MARK: new_id("exec")}
        plan = await to_thread.run_sync(self._plan, action, env)
        child, log = _start(plan, env, find_directory(plan.cwd or None, self._cwd, env))
        status: ExitStatus | None = None
        try:
            with anyio.move_on_after(WATCH):
                status = await child.wait()
        finally:
            said = _read_tail(log) if status is not None else ""
            self._mind(child, log, ended=status is not None)
        if status is not None and status.code != 0:
            raise _failed(plan, status, said)
        return {"pid": child.pid, "kind": plan.kind, "running": status is None}

    def _mind(self, child: Child, log: BinaryIO, *, ended: bool) -> None:
        """Bury the program when it ends, and keep what it says from filling the disk."""

        def wait() -> None:
            with log:
                while child.wait_for(TRIM_EVERY) is None:
                    if os.fstat(log.fileno()).st_size > MAX_STDERR:
                        os.ftruncate(log.fileno(), 0)
            if child in self._running:
                self._running.discard(child)
                child.close()

        if ended:
            log.close()
            child.close()
        else:
            self._running.add(child)
            threading.Thread(target=wait, name=f"mind {child.pid}", daemon=True).start()

    def _plan(self, action: Open, env: Mapping[str, str]) -> _Plan:
        what = action.what
        if any("\0" in word for word in action.arguments):
            raise InvalidInput("an argument cannot hold a NUL character")
        home = env.get("HOME", self._cwd)
        if what.startswith(("/", "~/")):
            path = home + what[1:] if what.startswith("~") else what
            return _plan_file(path, action.arguments, env, home)
        if _SCHEME.match(what):
            _check_url(what)
            return _Plan("url", [*_browser(env, what, action.arguments)])
        return _plan_app(what, action.arguments, env, self._cwd, home)


def _check_url(url: str) -> None:
    """Refuse what a browser may not be given, or cannot show; it is data, never read by a shell."""
    scheme, _, rest = url.partition(":")
    scheme = scheme.lower()
    if scheme not in SCHEMES:
        a_port = rest[:1].isdigit()
        raise Unsupported(
            f"URLs that begin with {scheme}: are not opened",
            hint=f"write http://{url[:60]}" if a_port else f"use {', '.join(SCHEMES)}",
            context={"scheme": scheme},
        )
    if not url.isprintable() or " " in url:
        raise InvalidInput("a URL holds no spaces and control characters", hint="write %20")
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise InvalidInput(f"{url[:80]!r} is not a URL: {error}") from error
    if scheme in ("http", "https") and not parts.netloc:
        raise InvalidInput(f"{url[:80]!r} names no host")
    if scheme == "file":
        _check_file(unquote(parts.path))


def _browser(env: Mapping[str, str], url: str, arguments: Sequence[str] = ()) -> list[str]:
    for wish in filter(None, env.get("BROWSER", "").split(":")):
        try:
            words = shlex.split(wish)
        except ValueError as error:
            raise Unavailable(f"BROWSER={wish!r} cannot be read: {error}") from error
        if words and _exists(words[0], env):
            filled = [word.replace("%s", url) for word in words]
            return [*filled, *arguments] if filled != words else [*words, *arguments, url]
    found = next((name for name in BROWSERS if _exists(name, env)), None)
    if found is None:
        raise Unavailable("there is no browser in this machine", hint="apt-get install chromium")
    return [found, *arguments, url]


def _exists(name: str, env: Mapping[str, str], cwd: str = "/") -> bool:
    try:
        find_program(name, cwd, env)
    except (NotFound, ActionFailed):
        return False
    return True


def _plan_app(
    name: str, arguments: Sequence[str], env: Mapping[str, str], cwd: str, home: str
) -> _Plan:
    entries = Entries(env, home)
    entry = entries.find(name)
    if entry is None and _exists(name, env, cwd):
        return _Plan("app", [find_program(name, cwd, env), *arguments])
    entry = entry or entries.search(name)
    if entry is not None and not _can_start(entry, env):
        able = (other for other in entries.of_kind(name) if _can_start(other, env))
        entry = next(able, entry)
    if entry is None:
        raise NotFound(
            f"there is no application {name[:100]!r}",
            hint=_meant(name, cwd, entries),
            context={"name": name[:100]},
        )
    return _plan_entry("app", entry, arguments, env)


def _meant(name: str, cwd: str, entries: Entries) -> str | None:
    """What to write for something that is not the name of an application."""
    file = Path(cwd, name[:4096])
    with suppress(OSError):
        if file.exists():
            return f"write the whole path of a file: {file}"
    if _HOST.fullmatch(name):
        return f"https://{name[:60]} for a web page, or the whole path of a file"
    known = ", ".join(entries.names()[:20])
    return f"known applications: {known}" if known else None


def _can_start(entry: Entry, env: Mapping[str, str]) -> bool:
    """Whether the program of an entry is there at all."""
    return _exists(entry.try_exec or entry.command()[0], env)


def _plan_entry(
    kind: Kind, entry: Entry, arguments: Sequence[str], env: Mapping[str, str]
) -> _Plan:
    if entry.try_exec and not _exists(entry.try_exec, env):
        raise NotFound(f"{entry.name} is not installed: there is no {entry.try_exec}")
    words = entry.command(arguments)
    if entry.terminal:
        terminal = next((name for name in TERMINALS if _exists(name, env)), None)
        if terminal is None:
            raise Unavailable(f"{entry.name} needs a terminal", hint="apt-get install xterm")
        words = [terminal, "-e", *words]
    return _Plan(kind, words, entry.cwd)


def _plan_file(path: str, arguments: Sequence[str], env: Mapping[str, str], home: str) -> _Plan:
    file = Path(path)
    _check_file(path)
    if file.suffix == ".desktop" and (entry := read_entry(file.stem, file)) is not None:
        return _plan_entry("app", entry, arguments, env)
    if _is_program(file):
        return _Plan("app", [path, *arguments])
    mime = _mime_type(file)
    entries = Entries(env, home)
    able = entries.for_type(mime)
    if not able and _TEXT_TYPES.fullmatch(mime):
        able = entries.for_type("text/plain")
    able = [entry for entry in able if not entry.try_exec or _exists(entry.try_exec, env)]
    if able:
        return _plan_entry("file", able[0], [path, *arguments], env)
    if _BROWSER_TYPES.fullmatch(mime):
        return _Plan("file", _browser(env, file.absolute().as_uri(), arguments))
    raise Unavailable(
        f"no installed application opens {path} ({mime})",
        hint="open an application by name and give it the file as an argument",
        context={"path": path, "type": mime},
    )


def _check_file(path: str) -> None:
    """Refuse what nobody here can open, before some application is left alone with it."""
    with os_errors(path):
        if not Path(path).exists():
            raise NotFound(f"there is no file {path}", context={"path": path})
        if not os.access(path, os.R_OK | (os.X_OK if Path(path).is_dir() else 0)):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def _is_program(file: Path) -> bool:
    if not file.is_file() or not os.access(file, os.X_OK):
        return False
    with file.open("rb") as opened:
        start = opened.read(4)
    # Some file systems mark every file as executable.
    return start == b"\x7fELF" or start.startswith(b"#!")


def _mime_type(file: Path) -> str:
    info = file.stat()
    if stat.S_ISDIR(info.st_mode):
        return "inode/directory"
    if not stat.S_ISREG(info.st_mode):
        raise InvalidInput(f"{file} is a device, pipe or socket")
    by_name, coding = mimetypes.guess_type(file.name, strict=False)
    if coding is not None:
        return f"application/{coding}"
    if by_name is not None:
        return by_name
    if not info.st_size:
        return "inode/x-empty"
    with file.open("rb") as opened:
        start = opened.read(4096)
    return "application/octet-stream" if b"\0" in start else "text/plain"


def _start(plan: _Plan, env: Mapping[str, str], cwd: str) -> tuple[Child, BinaryIO]:
    words = list(plan.words)
    executable = find_program(words[0], cwd, env)
    log = cast("BinaryIO", tempfile.TemporaryFile(buffering=0))  # noqa: SIM115  outlives us
    # So that the file can be emptied under a program that goes on writing.
    flags = fcntl.fcntl(log, fcntl.F_GETFL)
    fcntl.fcntl(log, fcntl.F_SETFL, flags | os.O_APPEND)
    try:
        popen = subprocess.Popen(
            words,
            executable=executable,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
    except OSError as error:
        log.close()
        raise start_error(words[0], error) from error
    return Child(popen, (None, None, None), env[MARK]), log


def _read_tail(log: BinaryIO) -> str:
    size = os.fstat(log.fileno()).st_size
    log.seek(max(0, size - 4000))
    return log.read(4000).decode("utf-8", "replace").strip()


def _failed(plan: _Plan, status: ExitStatus, said: str) -> ActionFailed:
    how = f"exit code {status.code}" if status.signal is None else f"signal {status.signal}"
    last = said.splitlines()[-1] if said else "it said nothing"
    return ActionFailed(
        f"{plan.words[0]} ended at once with {how}: {last[:300]}",
        context={
            "argv": list(plan.words),
            "exit": status.code,
            "signal": status.signal,
            "stderr": said,
        },
    )
