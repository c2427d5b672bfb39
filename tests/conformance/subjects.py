"""The computers under test, each with everything that is needed to look at it from outside."""

from __future__ import annotations

import copy
import itertools
import os
import shutil
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from subprocess import PIPE

import anyio
from anyio.abc import ByteStream
from oracles import GUEST_TESTS, HERE, EventLog, Page, Peek, find_window, tool, until

from carrel.actions import Action
from carrel.codec import Json
from carrel.computer import Computer
from carrel.computer.local import local_computer
from carrel.errors import CarrelError
from carrel.geometry import Size
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store
from carrel.results import Effect, Result
from carrel.stream import connect_tcp

SIZE = Size(1280, 800)
TOKEN = "conformance-token-0123456789"
START = 30.0

BROWSER = """#!/bin/sh
exec chromium --no-sandbox --no-first-run --no-default-browser-check --password-store=basic \\
    --disable-gpu --disable-background-networking --disable-component-update --disable-sync "$@"
"""

_numbers = itertools.count(1)


@dataclass
class Subject:
    """One computer under test.

    Attributes:
        home: The directory where its files are seen from here, without Carrel.
        inside: What the computer itself calls that directory.
        env: Lets programs of this system reach its display.
        python: An interpreter inside.
        dial: Where another process can reach it, for killed_client.py; empty when none can.
        patience: Seconds an effect may take to show.
    """

    kind: str
    computer: Computer
    connect: Callable[[], Awaitable[ByteStream]]
    home: Path
    inside: str
    env: dict[str, str]
    peek: Peek
    python: str
    dial: str = ""
    patience: float = 15.0
    pages: list[Page] = field(default_factory=list)

    async def tool(self, *argv: str, data: bytes = b"", mute: bool = False) -> str:
        return await tool(self.env, *argv, data=data, mute=mute)

    async def until(self, look: Callable[[], object], what: str) -> object:
        return await until(look, self.patience, what)

    @contextmanager
    def folder(self) -> Iterator[tuple[Path, str]]:
        """A new directory: its path here, and its path inside."""
        name = f"scratch{next(_numbers)}"
        path = self.home / name
        path.mkdir()
        owner = self.home.stat()
        os.chown(path, owner.st_uid, owner.st_gid)
        try:
            yield path, f"{self.inside}/{name}"
        finally:
            shutil.rmtree(path)

    @asynccontextmanager
    async def program(self, *argv: str) -> AsyncIterator[str]:
        """A program on the desk while the block runs."""
        process = await self.computer.start_process(*argv)
        try:
            yield process
        finally:
            await self.computer.kill_process(process)

    @asynccontextmanager
    async def event_log(self, shape: str = "500x400+40+40") -> AsyncIterator[EventLog]:
        with self.folder() as (here, inside):
            await self.computer.upload(GUEST_TESTS / "event_log.py", f"{inside}/event_log.py")
            out = here / "events"
            line = f"exec {self.python} {inside}/event_log.py {shape} > {inside}/events"
            async with self.program("sh", "-c", line):
                log = EventLog(out, self.env, self.patience)
                await until(lambda: out.exists() and log.all(), START, "the event log")
                await self.activate(log.window)
                yield log

    async def activate(self, window: int) -> None:
        """Give a window the keyboard, without Carrel."""

        async def active() -> bool:
            await self.tool("xdotool", "windowactivate", str(window))
            # Between two windows none has it, and xdotool calls that an error.
            done = await anyio.run_process(
                ["xdotool", "getactivewindow"], env=self.env, check=False
            )
            return done.returncode == 0 and int(done.stdout) == window

        await until(active, START, "the window has the keyboard")

    async def window(self, title: str) -> int:
        """A window by its title, without Carrel."""
        found = await until(lambda: find_window(self.env, title), START, f"window {title!r}")
        assert found is not None
        return found

    async def page(self) -> Page:
        """The page in the browser of this desk, in front and at rest."""
        page = self.pages[0]
        await self.activate(await self.window("conformance page"))
        await page.rest()
        return replace(page, seconds=self.patience)

    async def at_rest(self) -> None:
        """Nothing is down."""
        await until(self._nothing_down, 5, "no key and no button is down")

    async def let_go(self) -> None:
        """Release whatever is down, without Carrel: the next test is not to blame."""
        buttons, keys = await self.peek.held()
        for button in buttons:
            await self.tool("xdotool", "mouseup", str(button))
        for key in keys:
            await self.tool("xdotool", "keyup", str(key))

    async def _nothing_down(self) -> bool:
        return await self.peek.held() == ([], [])


# Kinds of computers


@asynccontextmanager
async def local(folder: Path) -> AsyncIterator[Subject]:
    """The guest in this very process."""
    home = _make_home(folder)
    with _environ(HOME=str(home), PATH=f"{home / 'bin'}:{os.environ['PATH']}"):
        async with (
            local_computer(size=SIZE, home=home) as computer,
            _subject("local", computer, computer._link._connect, home, str(home)) as subject,
            _browsing(subject),
        ):
            yield subject


@dataclass
class GuestProcess:
    """A guest that listens on TCP."""

    port: int
    pid: int
    said: Path
    token_file: Path

    @property
    def dial(self) -> str:
        return f"tcp:{self.port}:{TOKEN}"

    async def connect(self) -> ByteStream:
        return await connect_tcp("127.0.0.1", self.port, TOKEN)


@asynccontextmanager
async def guest_process(folder: Path, home: Path) -> AsyncIterator[GuestProcess]:
    """A guest process of its own on this system."""
    token_file, said = folder / "token", folder / "guest.log"
    token_file.write_text(TOKEN)
    port = await _free_port()
    argv = [sys.executable, "-m", "carrel.guest", "--listen", f"127.0.0.1:{port}"]
    argv += ["--token-file", str(token_file), "--size", str(SIZE), "--home", str(home)]
    env = {**os.environ, "HOME": str(home), "PATH": f"{home / 'bin'}:{os.environ['PATH']}"}
    env.pop("XAUTHORITY", None)
    with said.open("wb") as err:
        process = await anyio.open_process(argv, env=env, stdout=err, stderr=err)
    async with process:
        try:
            yield GuestProcess(port, process.pid, said, token_file)
        finally:
            if process.returncode is None:
                process.terminate()
            with anyio.move_on_after(20, shield=True):
                await process.wait()


@asynccontextmanager
async def remote(folder: Path) -> AsyncIterator[Subject]:
    """A guest process on TCP, through the provider `remote`."""
    home = _make_home(folder)
    async with guest_process(folder, home) as guest:
        machines = Machines(Store(folder / "state"))
        spec = MachineSpec(
            provider="remote",
            network="nat",
            url=f"tcp://127.0.0.1:{guest.port}",
            token_file=str(guest.token_file),
        )
        await until(lambda: _is_up(machines, "far", spec), START, "the guest answers")
        async with (
            machines.computer("far") as computer,
            _subject("remote", computer, guest.connect, home, str(home)) as subject,
            _browsing(subject),
        ):
            yield replace(subject, dial=guest.dial)


@asynccontextmanager
async def bare_guest(folder: Path) -> AsyncIterator[tuple[Subject, GuestProcess]]:
    """A guest process without a browser, for a test that spoils it."""
    home = _make_home(folder)
    async with guest_process(folder, home) as guest:
        await until(lambda: _answers(guest), START, "the guest answers")
        async with (
            Computer(guest.connect) as computer,
            _subject("remote", computer, guest.connect, home, str(home)) as subject,
        ):
            yield subject, guest


async def _answers(guest: GuestProcess) -> bool:
    try:
        async with await guest.connect():
            return True
    except CarrelError:
        return False


@asynccontextmanager
async def machine(folder: Path) -> AsyncIterator[Subject]:
    """A machine of its own, with the desktop image."""
    machines = Machines(Store(folder / "state"))
    standing = await machines.up("subject", MachineSpec(size=SIZE))
    keep = Keep(standing.machine.directory)
    try:
        async with machines.computer("subject") as computer:
            connect = computer._link._connect
            inside = (await computer.run("sh", "-c", "echo ~")).stdout.decode().strip()
            async with (
                _subject("machine", computer, connect, keep.home, inside) as subject,
                _browsing(subject),
            ):
                yield replace(subject, dial=f"unix:{keep.socket}")
    finally:
        with anyio.CancelScope(shield=True):
            await machines.delete("subject")


KINDS = {"local": local, "remote": remote, "machine": machine}


async def _is_up(machines: Machines, name: str, spec: MachineSpec) -> bool:
    try:
        await machines.up(name, spec)
    except CarrelError:
        return False
    return True


@asynccontextmanager
async def _subject(
    kind: str,
    computer: Computer,
    connect: Callable[[], Awaitable[ByteStream]],
    home: Path,
    inside: str,
) -> AsyncIterator[Subject]:
    async def ready() -> bool:
        return (await computer.info())["phase"] == "ready"

    await until(ready, START, "the desk is complete")
    foreign = kind == "machine"
    python = "python3" if foreign else sys.executable
    argv = [sys.executable, str(HERE / "peek.py")]
    async with (
        _display_env(computer, home, foreign=foreign) as env,
        await anyio.open_process(argv, env=env, stdin=PIPE, stdout=PIPE, stderr=None) as process,
    ):
        try:
            peek = Peek(process)
            yield Subject(kind, computer, connect, home, inside, env, peek, python)
        finally:
            if process.returncode is None:
                process.kill()


@asynccontextmanager
async def _display_env(
    computer: Computer, home: Path, *, foreign: bool
) -> AsyncIterator[dict[str, str]]:
    """What a program of this system needs to reach the desk's display."""
    told = (await computer.run("env", "-0")).stdout.decode().split("\0")
    inner = dict(item.split("=", 1) for item in told if "=" in item)
    display, authority = inner["DISPLAY"], inner["XAUTHORITY"]
    kept = {key: value for key, value in os.environ.items() if key != "LC_ALL"}
    env = {**kept, "DISPLAY": display, "XAUTHORITY": authority, "LANG": "C.UTF-8"}
    if not foreign:
        yield env
        return
    root = await _root_of(computer)
    cookie = home.parent / "cookie"
    cookie.write_bytes(_wild_cookie((root / authority.lstrip("/")).read_bytes()[-16:]))
    with _door(root / "tmp/.X11-unix" / f"X{display.removeprefix(':')}") as outer:
        yield {**env, "DISPLAY": outer, "XAUTHORITY": str(cookie)}


@contextmanager
def _door(socket: Path) -> Iterator[str]:
    """A display number of this system that leads to a display inside a machine."""
    sockets = Path("/tmp/.X11-unix")
    sockets.mkdir(mode=0o1777, exist_ok=True)
    for number in itertools.count(7000 + os.getpid() % 1000):
        link = sockets / f"X{number}"
        try:
            link.symlink_to(socket)
        except FileExistsError:
            continue
        try:
            yield f":{number}"
        finally:
            link.unlink()
        return


async def _root_of(computer: Computer) -> Path:
    """The root directory inside, reached through a process that runs there."""
    mark = f"carrel-conformance-{next(_numbers)}-{os.getpid()}"
    process = await computer.start_process("sh", "-c", f"sleep 60; : {mark}")
    try:
        pid = await until(lambda: next(iter(processes(mark)), None), 10, "a process inside")
        assert pid is not None
        # The directory of a thread of the machine that stays: the root is the same for all.
        return Path("/proc", str(_parent(pid)), "root")
    finally:
        await computer.kill_process(process)


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def processes(mark: str) -> list[int]:
    """Processes of this system, also those inside machines, with a word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(mark in word for word in words):
            found.append(int(path.parent.name))
    return sorted(found)


def _wild_cookie(cookie: bytes) -> bytes:
    fields = (b"", b"", b"MIT-MAGIC-COOKIE-1", cookie)
    return b"\xff\xff" + b"".join(struct.pack(">H", len(item)) + item for item in fields)


def _make_home(folder: Path) -> Path:
    home = folder / "home"
    (home / "bin").mkdir(parents=True)
    browser = home / "bin" / "x-www-browser"
    browser.write_text(BROWSER)
    browser.chmod(0o755)
    return home


@contextmanager
def _environ(**values: str) -> Iterator[None]:
    before = {key: os.environ.get(key) for key in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


async def _free_port() -> int:
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        return int(listener.extra(anyio.abc.SocketAttribute.local_port))


@asynccontextmanager
async def _browse(subject: Subject) -> AsyncIterator[Page]:
    """Chromium on the desk with the page in it."""
    computer = subject.computer
    with subject.folder() as (here, inside):
        for name in ("page.html", "page_server.py"):
            await computer.upload(HERE / name, f"{inside}/{name}")
        argv = (subject.python, f"{inside}/page_server.py", f"{inside}/port")
        async with subject.program(*argv):
            told = await until(lambda: _read(here / "port"), START, "the page server")
            assert told is not None
            await computer.open(f"http://127.0.0.1:{told}/")
            async with computer.forward(int(told)) as port:
                page = Page(port, subject.env, subject.patience)
                await subject.activate(await subject.window("conformance page"))
                await page.calibrate()
                yield page


@asynccontextmanager
async def _browsing(subject: Subject) -> AsyncIterator[None]:
    async with _browse(subject) as page:
        subject.pages.append(page)
        yield


def _read(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


# A computer that lies

_LIES: Mapping[str, Mapping[str, Json]] = {
    "screen": {"width": 1024, "height": 768},
    "cursor": {"x": 0, "y": 0},
    "elements": {"elements": [], "complete": True, "apps": []},
    "windows": {"windows": []},
    "get_clipboard": {"text": ""},
    "read_file": {"text": "", "size": 0, "truncated": False},
    "list_files": {"entries": []},
    "stat_file": {"name": "x", "kind": "file", "size": 0, "mode": 420, "modified": 0.0},
    "shell": {"exit": 0, "stdout": "", "stderr": "", "truncated": False},
    "open": {"pid": 1, "kind": "app"},
}


async def lying(subject: Subject, action: str) -> Subject:
    """The same computer, but `action` answers `ok` without anything being done."""
    honest = subject.computer
    liar = copy.copy(honest)
    frame, image = await honest._act(_stale_shot(), None)

    async def act(
        wish: Action, settle: float | None, request: str | None = None
    ) -> tuple[Result, bytes]:
        if wish.type != action:
            return await honest._act(wish, settle, request)
        if action == "screenshot":
            return frame, image
        return Result(True, Effect.CONFIRMED, data=_LIES.get(action, {})), b""

    liar._act = act  # type: ignore[method-assign]
    return replace(subject, computer=liar, patience=0.7)


def _stale_shot() -> Action:
    from carrel.actions import Screenshot

    return Screenshot()
