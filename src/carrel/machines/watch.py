"""What a keeper does while its guest lives: listens, answers, waits."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections import deque
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskStatus

from carrel.errors import CarrelError, Unsupported
from carrel.machines.keep import Phase
from carrel.machines.linelog import older, stamp
from carrel.machines.sandbox.child import AnyChild, Failure, read_failure
from carrel.machines.sandbox.engine import STEP
from carrel.stream import (
    Connection,
    Handler,
    Stream,
    call,
    connect_unix,
    request,
    socket_stream,
)

if TYPE_CHECKING:
    from carrel.machines.keeping import Keeper
    from carrel.machines.traffic import TrafficCount

__all__ = ["watch"]

_LINE_TOLD = 200
_CONSOLE_LIMIT = 2 << 20
_TAIL = 16384
_GRACE = 30.0
_REMIND = 0.5
_RECONNECT = 0.25
_CUT_GRACE = 2.0
# The guest is not trusted, and each connection it has through us may hold memory.
_MOST_WAYS_OUT = 256
_ASK_AGAIN = 0.01
_INFO_TIMEOUT = 10.0
_LOOK_AT_LIMITS = 5.0
_LONGEST_PAUSE = 300.0


def watch(keeper: Keeper, child: AnyChild) -> str | None:
    """Watch over a started guest to its end.

    Returns:
        Why it ended; None when somebody asked for it.
    """
    try:
        return anyio.run(_Watch(keeper, child).run)
    except ExceptionGroup as group:
        raise _first(group) from group


def _first(group: ExceptionGroup[Exception]) -> Exception:
    """What happened in the first of several tasks; the others were ended because of it."""
    first = group.exceptions[0]
    return _first(first) if isinstance(first, ExceptionGroup) else first


class _Watch:
    def __init__(self, keeper: Keeper, child: AnyChild) -> None:
        self._keeper = keeper
        self._child = child
        self._console = _Console(keeper.keep.console, own=(1, 2))
        self._handler = self._way_out()
        self._limits: deque[tuple[str, ...]] = deque([()], maxlen=2)

    async def run(self) -> str | None:
        async with anyio.create_task_group() as tasks:
            drained = anyio.Event()
            tasks.start_soon(self._drain, drained)
            await tasks.start(self._stop_on_signal)
            if self._keeper.plan.spec.ports:
                await tasks.start(self._publish)
            if self._keeper.line is not None:
                tasks.start_soon(self._switch, self._keeper.line)
            tasks.start_soon(self._own)
            tasks.start_soon(self._tell_limits)
            failure = read_failure(await _read_all(self._child.status))
            await self._wait_for_end()
            # The last words may still be on their way.
            with anyio.move_on_after(1.0):
                await drained.wait()
            tasks.cancel_scope.cancel()
        return self._cause(failure)

    def _cause(self, failure: Failure | None) -> str | None:
        if self._keeper.state.phase is Phase.STOPPING:
            return None
        if failure is not None:
            return self._explain(failure)
        status = self._child.process.returncode
        # What was reached long before is no cause. The last look may have been in the last moment.
        reached, before = self._keeper.group.reached(), self._limits[0]
        if long_ago := tuple(each for each in reached if each in before):
            state = self._keeper.state
            self._keeper.state = replace(state, notes=(*state.notes, *long_ago))
        said = self._console.last_words() or _ending(status, self._console.last_line())
        return "; ".join([said, *(each for each in reached if each not in before)])

    def _explain(self, failure: Failure) -> str:
        if failure.step == STEP:
            return f"its engine could not be started: {failure.message}"
        from carrel.machines.sandbox.probe import explain

        finding = explain(failure)
        self._keeper.hint = finding.fix
        return f"the sandbox could not be made: {finding.reason}"

    async def _wait_for_end(self) -> None:
        process = self._child.process
        if process.poll() is None:
            handle = os.pidfd_open(process.pid)
            try:
                await anyio.wait_readable(handle)
            finally:
                os.close(handle)
        process.wait()

    async def _drain(self, done: anyio.Event) -> None:
        # An ordinary user's guest can open the other end of its output and read it before us.
        os.set_blocking(self._child.console, False)
        while True:
            await anyio.wait_readable(self._child.console)
            try:
                data = os.read(self._child.console, 65536)
            except BlockingIOError:
                continue
            if not data:
                done.set()
                return
            self._console.write(data)

    async def _stop_on_signal(self, *, task_status: TaskStatus[None]) -> None:
        with anyio.open_signal_receiver(signal.SIGTERM) as signals:
            task_status.started()
            if not self._keeper.stop_asked():
                async for _ in signals:
                    break
        await self._stop()

    async def _stop(self) -> None:
        """Ask the guest to end, again and again: process 1 is deaf until it listens."""
        try:
            self._keeper.tell(Phase.STOPPING)
        except OSError as error:  # a full disk is no reason to let it run on
            self._console.note(f"stopping, which could not be written down: {error}")
        process = self._child.process
        engine = self._keeper.plan.engine
        if engine is not None and engine.by_guest:
            await self._ask_to_end()
        with anyio.move_on_after(_GRACE):
            while process.poll() is None:
                process.send_signal(signal.SIGTERM)
                await anyio.sleep(_REMIND)
        process.kill()

    async def _ask_to_end(self) -> None:
        """Have the guest end itself, and wait until its machine has done so, too."""
        try:
            with anyio.fail_after(_GRACE):
                transport = await connect_unix(self._keeper.keep.socket)
                async with Connection(transport, initiator=True) as connection:
                    await call(connection, "shutdown", timeout=_GRACE)
                await self._wait_for_end()
        except (CarrelError, TimeoutError) as error:
            self._console.note(f"the guest could not be asked to end: {error}")

    async def _publish(self, *, task_status: TaskStatus[None]) -> None:
        from carrel.machines.publish import publish

        keeper = self._keeper
        ports = keeper.plan.spec.ports
        connect = partial(connect_unix, keeper.keep.socket)
        await publish(ports, connect, self._count, task_status=task_status)

    async def _switch(self, line: socket.socket) -> None:
        """Let clients have their share of the guest's only line, until it is cut."""
        from carrel.machines.switchboard import Switchboard

        board = Switchboard(socket_stream(line), self._keeper.listen)
        try:
            await board.run(self._keeper.keep.control)
        except CarrelError as error:
            self._console.note(str(error))
        # Whoever carried it is about to end; one that does not is of no use to anybody.
        await anyio.sleep(_CUT_GRACE)
        self._child.process.kill()

    async def _tell_limits(self) -> None:
        """Write down what the kernel killed or refused, less often the longer that goes on."""
        told: tuple[str, ...] = ()
        pause, next_words = _LOOK_AT_LIMITS, 0.0
        while True:
            await anyio.sleep(_LOOK_AT_LIMITS)
            reached = self._keeper.group.reached()
            self._limits.append(reached)
            if anyio.current_time() < next_words:
                continue
            for each in reached:
                if each not in told:
                    self._console.note(each)
                    pause = min(2 * pause, _LONGEST_PAUSE)
                    next_words = anyio.current_time() + pause
            told = reached

    async def _own(self) -> None:
        """Be connected to the guest as its owner, again after every loss."""
        while True:
            try:
                await self._attend()
            except CarrelError as error:  # a guest may answer with any of them
                if self._keeper.state.phase is Phase.READY:
                    self._console.note(f"the owner's connection ended: {error}")
            await anyio.sleep(_RECONNECT)

    async def _attend(self) -> None:
        transport = await connect_unix(self._keeper.keep.socket)
        handler = self._handler
        async with Connection(
            transport, initiator=True, handler=handler, max_streams=_MOST_WAYS_OUT
        ) as connection:
            while (await _ask_phase(connection)) == "starting":  # noqa: ASYNC110 - not our event
                await anyio.sleep(_ASK_AGAIN)
            self._keeper.ready()
            if handler is None:
                await connection.wait_closed()
                return
            async with await request(connection, "egress.attach") as attached:
                await attached.receive_message()
                await connection.wait_closed()

    @cached_property
    def _count(self) -> TrafficCount:
        """What the machine's connections carry, both out of it and into its published ports."""
        from carrel.machines.traffic import TrafficCount

        return TrafficCount(self._keeper.keep.traffic)

    def _way_out(self) -> Handler | None:
        """Who decides on the machine's requests for a connection; nobody where it has none."""
        spec = self._keeper.plan.spec
        if spec.network == "none" or not self._keeper.plan.contains:
            return None
        from carrel.machines.egress import EgressPolicy, Rule

        rules = map(Rule.parse, spec.allow)
        decisions = self._keeper.keep.decisions
        policy = EgressPolicy(spec.network, rules, decisions, count=self._count)

        async def handle(stream: Stream) -> None:
            if stream.header.get("op") != "egress":
                raise Unsupported("a machine may ask its keeper for a connection only")
            await policy.handle(stream)

        return handle


class _Console:
    """The bounded file of what keeper and guest say, every line with its moment.

    Args:
        path: The file; when it gets too long it becomes `NAME.1`.
        own: Descriptors of ours that are open on it.
    """

    def __init__(self, path: Path, own: tuple[int, ...] = ()) -> None:
        self._path = path
        self._own = own
        self._tail = b""
        self._unwritten = 0
        self._in_line = False

    def write(self, data: bytes) -> None:
        """Append; the oldest part goes when it gets too long."""
        self._tail = (self._tail + data)[-_TAIL:]
        gap = f"keeper: {self._unwritten} bytes could not be written\n".encode()
        try:
            with self._path.open("ab") as file:
                file.write(self._stamped(gap + data if self._unwritten else data))
                length = file.tell()
            self._in_line = not data.endswith(b"\n")
            if length > _CONSOLE_LIMIT:
                self._put_aside()  # in the midst of a line as well: it may have no end
                self._in_line = False
        except OSError:
            # A full disk costs words, not the machine; what is missing is told later.
            self._unwritten += len(data)
            self._in_line = False
        else:
            self._unwritten = 0

    def _stamped(self, data: bytes) -> bytes:
        now = stamp().encode() + b" "
        first, *others = data.split(b"\n")
        begun = first if self._in_line else now + first
        return b"\n".join([begun, *(now + line if line else b"" for line in others)])

    def note(self, text: str) -> None:
        """Say something ourselves."""
        self.write(b"\n" * self._in_line + f"keeper: {text}\n".encode())

    def _put_aside(self) -> None:
        self._path.replace(older(self._path))
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            for descriptor in self._own:
                os.dup2(handle, descriptor)
        finally:
            os.close(handle)

    def last_words(self) -> str | None:
        """The cause in one of the guest's last lines, if it gave one."""
        for line in reversed(self._tail.splitlines()[-20:]):
            # A hostile one can be nested deeper than the parser goes.
            with suppress(ValueError, RecursionError):
                told = json.loads(line)
                if isinstance(told, dict) and isinstance(told.get("cause"), str):
                    return str(told["cause"])
        return None

    def last_line(self) -> str:
        """What was said last, in whatever words: of an engine, why it has ended."""
        lines = self._tail.decode(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        return "".join(filter(str.isprintable, last))[:_LINE_TOLD].strip()


def _ending(status: int | None, said: str) -> str:
    number = -status if status is not None and status < 0 else (status or 0) - 128
    if number > 0:
        with suppress(ValueError):
            return f"the machine was killed ({signal.Signals(number).name})"
    ended = f"the guest ended by itself with status {status}"
    return f"{ended}: {said}" if status and said else ended


async def _ask_phase(connection: Connection) -> str:
    """Where the guest is on its way: a machine is ready when its desk is."""
    reply = await call(connection, "info", timeout=_INFO_TIMEOUT)
    return str(reply.result.get("phase"))


async def _read_all(fd: int) -> bytes:
    """Everything up to the end of a short pipe."""
    text = b""
    while True:
        await anyio.wait_readable(fd)
        part = os.read(fd, 65536)
        if not part:
            os.close(fd)
            return text
        text += part
