"""One process per machine with apps: has them run, and keeps what they write.

Started by `carrel.machines.apps.see_to`; it ends with the machine. The apps are supervised inside,
by the guest, and do not end with it: the next attendant goes on where this one stopped. One that
is killed is followed by another.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, PIPE
from time import monotonic, sleep
from typing import NoReturn

import anyio
from anyio.abc import Process, TaskStatus

from carrel.codec import Json
from carrel.errors import CarrelError, ProtocolError
from carrel.guest.restarts import Restarts
from carrel.guest.tasks import task_group
from carrel.machines.apps import APP_LOG, PREFIX, Apps, attended
from carrel.machines.attention import tell_faults
from carrel.machines.keep import Keep
from carrel.machines.linelog import LineLog, lines_of, note, stamp
from carrel.machines.luggage import is_arriving
from carrel.machines.provider import get_provider
from carrel.machines.spares import put_back
from carrel.machines.spec import Machine
from carrel.machines.state import State
from carrel.machines.store import Store
from carrel.stream import Connection, Lane, Message, call, request

__all__ = ["Attendant", "Position", "Splitter", "main", "positions"]

GATEWAY = "carrel.mcp.gateway"
MAX_LINE = 16 * 1024
_RECONNECT = 0.25
_DISTRUST = 5.0
_MOST_PROCESSES = 1024
_MOST_LETTERS = 200
_ANSWER = 60.0
_ALIVE = (State.CREATING, State.RUNNING, State.PAUSED)
_SUMMARY_EVERY = 500

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Position:
    """How much of a process's output and ends is in the log."""

    out: int = 0
    err: int = 0
    ends: int = 0


def positions(directory: Path) -> dict[str, Position]:
    """Of every process that the log tells of."""
    found: dict[str, Position] = {}
    for line in lines_of([directory / APP_LOG]):
        with suppress(ValueError, TypeError):
            entry = json.loads(line)
            found.update({k: Position(*v) for k, v in entry.get("positions", {}).items()})
            if process := entry.get("process"):
                at = found.setdefault(process, Position())
                if entry["stream"] in ("out", "err", "ends"):
                    setattr(at, entry["stream"], int(entry["to"]))
    return found


@dataclass(slots=True)
class Splitter:
    """Takes one output apart into lines and says where each ends."""

    offset: int
    _rest: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> list[tuple[bytes, int]]:
        """The lines that are whole now; one without an end is cut."""
        self._rest += data
        lines = []
        while (end := self._next_end()) is not None:
            line, length = bytes(self._rest[:end]), end
            if self._rest[end : end + 1] == b"\n":
                length += 1
            del self._rest[:length]
            self.offset += length
            lines.append((line.removesuffix(b"\r"), self.offset))
        return lines

    def _next_end(self) -> int | None:
        end = self._rest.find(b"\n")
        if end < 0:
            return MAX_LINE if len(self._rest) > MAX_LINE else None
        return min(end, MAX_LINE)

    def finish(self) -> list[tuple[bytes, int]]:
        """What is left when nothing more comes."""
        return self.feed(b"\n") if self._rest else []


class Attendant:
    """Sees to the apps of one machine for as long as it lives."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._provider = get_provider(machine.spec.provider)
        self._apps = Apps(machine)
        self._log = LineLog(machine.directory / APP_LOG)
        self._positions = positions(machine.directory)
        self._written = self._lost = 0
        self._complaint = ""
        self._changed = anyio.Event()

    async def is_needed(self) -> bool:
        """Whether the machine lives and has apps."""
        if not self._machine.directory.is_dir() or not self._apps.all():
            return False
        return (await self._provider.inspect(self._machine)).state in _ALIVE

    async def run(self) -> None:
        """Until the machine ends, or nothing is deployed in it any more."""
        tell_faults(self._machine.directory, {})  # of another life
        async with task_group() as tasks:
            await tasks.start(self._listen_for_changes)
            tasks.start_soon(self._keep_gateway)
            while await self.is_needed():
                try:
                    # Whoever brings its home in would undo what was put there before.
                    if not is_arriving(Keep(self._machine.directory).home):
                        transport = await self._provider.channel(self._machine)
                        async with Connection(transport, initiator=True) as connection:
                            await self._attend(connection)
                except ProtocolError as error:
                    self._complain(error)
                    await anyio.sleep(_DISTRUST)
                except (CarrelError, OSError) as error:
                    logger.debug("the connection ended: %s", error)
                await anyio.sleep(_RECONNECT)
            tasks.cancel_scope.cancel()

    def _complain(self, error: ProtocolError) -> None:
        # Once, however often a guest that went wrong says the same.
        if error.message != self._complaint:
            self._complaint = error.message
            self._note(f"the machine's answers cannot be used: {error.message}")

    async def _listen_for_changes(self, *, task_status: TaskStatus[None]) -> None:
        with anyio.open_signal_receiver(signal.SIGHUP) as signals:
            task_status.started()
            async for _ in signals:
                self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, anyio.Event()
        changed.set()

    async def _attend(self, connection: Connection) -> None:
        followed: set[str] = set()
        async with task_group() as tasks:

            async def end_with_connection() -> None:
                await connection.wait_closed()
                tasks.cancel_scope.cancel()

            tasks.start_soon(end_with_connection)
            while True:
                changed = self._changed
                if not self._apps.all():
                    break
                faults = await self._put_back()
                faults |= await self._start_missing(connection, faults)
                tell_faults(self._machine.directory, faults)
                for process, name in await self._listed(connection):
                    if process not in followed:
                        followed.add(process)
                        tasks.start_soon(self._follow, connection, process, name)
                await changed.wait()
            tasks.cancel_scope.cancel()

    async def _listed(self, connection: Connection) -> list[tuple[str, str]]:
        found = (await call(connection, "process.list", timeout=_ANSWER)).result.get("processes")
        if not isinstance(found, list) or len(found) > _MOST_PROCESSES:
            raise ProtocolError("it does not list its processes")
        named = [_named(item) for item in found]
        return [(i, name.removeprefix(PREFIX)) for i, name in named if name.startswith(PREFIX)]

    async def _put_back(self) -> dict[str, str]:
        """Have the apps' files there; for each of which that cannot be, why."""
        try:
            faults = await put_back(lambda: self._provider.channel(self._machine), self._machine)
        except ProtocolError:
            raise
        except (CarrelError, OSError) as error:
            # They may be there all the same, and can be tried.
            logger.debug("the apps' files were not looked at: %s", error)
            return {}
        for name, cause in faults.items():
            self._note(f"{name} cannot be started: {cause}")
        return faults

    async def _start_missing(
        self, connection: Connection, without: Mapping[str, str]
    ) -> dict[str, str]:
        """Start what was never started in this life of the machine; says what failed, and why."""
        known = {name for _, name in await self._listed(connection)}
        faults = {}
        for app in self._apps.all():
            if not app.lasting or app.name in known or app.name in without:
                continue
            try:
                await call(connection, "process.start", app.start_args(), timeout=_ANSWER)
            except CarrelError as error:
                faults[app.name] = error.message
                self._note(f"{app.name} could not be started: {error.message}")
            else:
                self._note(f"{app.name} is started")
        return faults

    def _note(self, text: str) -> None:
        note(self._machine.directory, "apps", text)

    async def _follow(self, connection: Connection, process: str, name: str) -> None:
        at = self._positions.setdefault(process, Position())
        args: dict[str, object] = {"id": process, "offset": at.out, "errors_offset": at.err}
        args |= {"endings": at.ends, "follow": True}
        stream = await request(connection, "process.read", args, end=True)
        async with stream:
            first = (await stream.receive_message()).get("result")
            if not isinstance(first, dict):
                raise ProtocolError("it does not say where a process's output begins")
            splitters = {
                Lane.DATA: Splitter(_number(first.get("offset"))),
                Lane.ERRORS: Splitter(_number(first.get("errors_offset"))),
            }
            while (item := await stream.receive()) is not None:
                if isinstance(item, Message):
                    self._tell_end(process, name, splitters, item.data)
                else:
                    lines = splitters[item.lane].feed(item.data)
                    self._keep(process, name, item.lane, lines)

    def _keep(self, process: str, name: str, lane: Lane, lines: list[tuple[bytes, int]]) -> None:
        stream = "err" if lane is Lane.ERRORS else "out"
        for text, end in lines:
            setattr(self._positions[process], stream, end)
            self._write(process, name, stream, end, text.decode(errors="replace"))

    def _tell_end(
        self, process: str, name: str, splitters: dict[Lane, Splitter], message: dict[str, Json]
    ) -> None:
        for lane, splitter in splitters.items():
            self._keep(process, name, lane, splitter.finish())
        ended = message.get("ended")
        if isinstance(ended, dict):
            number, status = _number(ended.get("number")), ended.get("exit")
            ended_by = ended.get("signal")
            if not isinstance(status, int | None) or not isinstance(ended_by, int | None):
                raise ProtocolError("it does not say how a process ended")
            self._positions[process].ends = number
            words = ending_words(status, ended_by, ended.get("next") is None)
            self._write(process, name, "ends", number, words)
            self._note(f"{name} {words}")

    def _write(self, process: str, name: str, stream: str, to: int, text: str) -> None:
        entry = {"at": stamp(), "app": name, "stream": stream, "text": text}
        lines = [json.dumps({**entry, "process": process, "to": to})]
        self._written += 1
        if self._written % _SUMMARY_EVERY == 0:
            # The lines that told of a quiet process may be gone by now.
            known = {key: (at.out, at.err, at.ends) for key, at in self._positions.items()}
            lines.append(json.dumps({"positions": known}))
        if self._lost:
            words = f"{self._lost} lines before this one could not be written"
            lines.insert(0, json.dumps({**entry, "stream": "ends", "text": words}))
        try:
            self._log.write(*(line.encode() for line in lines))
            self._lost = 0
        except FileNotFoundError:  # the machine was deleted
            self._wake()
        except OSError:
            # A full disk costs lines, not the attendant; how many is told later.
            self._lost += 1

    async def _keep_gateway(self) -> None:
        """Have MCP servers published while there are any."""
        restarts = Restarts("always")
        while True:
            changed = self._changed
            if not self._publishes():
                await changed.wait()
                continue
            began = anyio.current_time()
            status = await self._run_gateway()
            if self._publishes():
                self._note(f"the gateway for MCP ended with status {status}")
                await anyio.sleep(restarts.after(True, anyio.current_time() - began) or 0)

    def _publishes(self) -> bool:
        return any(app.kind != "program" for app in self._apps.all())

    async def _run_gateway(self) -> int:
        """Until it ends, or nothing is to be published any more."""
        home = self._machine.directory.parent.parent
        command = [sys.executable, "-P", "-m", GATEWAY, str(home), self._machine.id]
        # It ends when its input does, and that with us.
        run = await anyio.open_process(command, stdin=PIPE, stdout=DEVNULL, stderr=PIPE)
        async with run, task_group() as tasks:

            async def pass_changes_on() -> None:
                # One that has ended meanwhile is waited for below.
                with suppress(ProcessLookupError):
                    while self._publishes():
                        await self._changed.wait()
                        run.send_signal(signal.SIGHUP)
                    run.terminate()

            tasks.start_soon(self._note_words, run)
            tasks.start_soon(pass_changes_on)
            status = await run.wait()
            tasks.cancel_scope.cancel()
        return status

    async def _note_words(self, run: Process) -> None:
        assert run.stderr is not None
        splitter = Splitter(0)
        async for data in run.stderr:
            for line, _ in splitter.feed(data):
                note(self._machine.directory, "mcp", line.decode(errors="replace"))


def ending_words(code: Json, number: Json, last: bool) -> str:
    """How a program ended, for people."""
    if isinstance(number, int):
        with suppress(ValueError):
            number = signal.Signals(number).name
        how = f"was ended by {number}"
    elif code == 127:
        how = "ended with status 127: its program, or one it runs, was not found"
    else:
        how = f"ended with status {code}"
    return how if last else f"{how} and is started again"


def _number(value: Json) -> int:
    if not isinstance(value, int) or not 0 <= value < 2**63:
        raise ProtocolError("it does not say where a process's output is")
    return value


def _named(entry: Json) -> tuple[str, str]:
    """A process's id and its name, where it has one."""
    identity = entry.get("id") if isinstance(entry, dict) else None
    name = (entry.get("name") or "") if isinstance(entry, dict) else None
    for text in (identity, name):
        if not isinstance(text, str) or len(text) > _MOST_LETTERS:
            raise ProtocolError("it lists something that is no process")
    return str(identity), str(name)


async def _attend(machine: Machine) -> None:
    # One that was about to end may have kept us from being started for the machine's next life.
    while await Attendant(machine).is_needed():
        with attended(machine.directory) as alone:
            if not alone:
                return
            await Attendant(machine).run()


def main() -> NoReturn:
    """Attend to the machine that the arguments name: the store's directory, and an id."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if os.fork():
        os._exit(0)
    os.chdir("/")
    home, identity = sys.argv[-2:]
    machine = next((m for m in Store(Path(home)).all() if m.id == identity), None)
    sys.exit(0 if machine is None else _last(machine))


def _last(machine: Machine) -> int:
    """Attend by a child, and by another one whenever it is killed; returns the last one's status.

    The first is the smaller of the two by all that they do not share: who runs out of memory
    loses the other one.
    """
    restarts = Restarts("always")
    while True:
        began = monotonic()
        child = os.fork()
        if child == 0:
            return _work(machine)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            return os.waitstatus_to_exitcode(status)
        name = signal.Signals(os.WTERMSIG(status)).name
        note(machine.directory, "apps", f"the attendant was ended by {name} and is started again")
        sleep(restarts.after(True, monotonic() - began) or 0)


def _work(machine: Machine) -> int:
    try:
        anyio.run(_attend, machine)
    except (CarrelError, OSError) as error:
        note(machine.directory, "apps", f"the attendant ended: {error}")
        return 1
    return 0


if __name__ == "__main__":
    main()
