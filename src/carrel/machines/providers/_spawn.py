"""Starting a keeper: all it needs is made here, where everything is loaded already.

Its interpreter is started first. While that loads, the machine's socket, control groups and record
are made; then the keeper is handed what it is to do.
"""

from __future__ import annotations

import json
import marshal
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, BinaryIO

import anyio
from anyio import to_thread

from carrel.errors import TimedOut
from carrel.machines import interpreter
from carrel.machines.keep import GIVEN, LINE, Keep, KeeperPlan, KeeperRecord, Phase, boot_id
from carrel.machines.keeper import GIVES, LISTEN, LISTENS, MODULE
from carrel.machines.linelog import older
from carrel.machines.sandbox.cgroups import Group, Limits

if TYPE_CHECKING:
    from carrel.machines.keeper import Orders
    from carrel.machines.sandbox.engine import EngineOrders

__all__ = ["Spawn"]

_MOST_WORDS = 64 << 10


class Spawn:
    """One start of a keeper.

    `start` in a thread, then `answer`; `close` whatever happens.
    """

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._starter: subprocess.Popen[bytes] | None = None
        self._reader: int | None = None
        # What a keeper says before it has the machine's console.
        self._words = os.memfd_create("words")

    def start(
        self, make_plan: Callable[[], KeeperPlan], give: Callable[[], socket.socket] | None = None
    ) -> None:
        """Start a keeper, and make what the machine needs while it loads.

        Args:
            make_plan: Says what it is to do.
            give: Opens what the engine gets a copy of (see `GIVEN`), once nobody else can start it.

        Raises:
            WrongState: It has one.
        """
        keep = self._keep
        with ExitStack() as stack:
            # Whatever goes wrong from here on, our end of this is closed, and the keeper ends.
            line, self._starter = _start(keep, self._words, stack)
            plan = make_plan()
            lock = stack.enter_context(keep.lock())
            with _announced(keep):
                keep.write_plan(plan)
                given = None if give is None else stack.enter_context(give()).fileno()
                group = _make_group(keep, plan)
            listener = stack.enter_context(keep.listen())
            self._reader, report = os.pipe()
            stack.callback(os.close, report)
            console = stack.enter_context(_open_console(keep)).fileno()
            orders: Orders = {
                "directory": str(keep.directory),
                "sandbox": _walls(plan, group),
                "engine": _engine(plan, group, given is not None),
            }
            # From here on the lock is the keeper's.
            _hand_over(line, orders, [lock, report, listener.fileno(), console, given])
            group.expect_member()

    async def answer(self, bound: float) -> dict[str, str | None]:
        """What the keeper reported: nothing is good.

        Raises:
            TimedOut: Not a word for `bound` seconds.
        """
        assert self._reader is not None
        try:
            with anyio.fail_after(bound):
                line = await _read_line(self._reader)
        except TimeoutError:
            raise TimedOut(f"the guest did not answer within {bound:g} s") from None
        if line:
            return dict(json.loads(line))
        with self._keep.console.open("ab") as console:
            console.write(os.pread(self._words, _MOST_WORDS, 0))
        return {"cause": "its keeper died"}

    async def close(self) -> None:
        """Let go of the keeper: it is nobody's child, and the process that left it behind ends."""
        os.close(self._words)
        if self._reader is not None:
            os.close(self._reader)
            self._reader = None
        if self._starter is not None:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(self._starter.wait)


@contextmanager
def _announced(keep: Keep) -> Iterator[None]:
    """Say that the machine starts: what its last keeper said holds no more, or again on failure."""
    before = keep.read_record()
    known = () if before is None else before.cgroups
    now = KeeperRecord(0, Phase.STARTING, time.time(), cgroups=known, boot=boot_id())
    keep.write_record(now)
    try:
        yield
    except BaseException:
        if before is None:
            keep.record.unlink(missing_ok=True)
        else:
            keep.write_record(before)
        raise


def _make_group(keep: Keep, plan: KeeperPlan) -> Group:
    """Make the control groups, and write down where they are before anything is in them."""
    spec = plan.spec
    pids = (plan.engine and plan.engine.pids) or spec.pids
    limits = Limits(memory_mb=spec.memory_mb, pids=pids, cpus=spec.cpus)
    group = Group.make(plan.machine_id, limits) if plan.grouped else Group()
    record = KeeperRecord(
        pid=0,
        phase=Phase.STARTING,
        started_at=time.time(),
        notes=group.notes,
        cgroups=tuple(map(str, group.directories)),
        boot=boot_id(),
    )
    try:
        keep.write_record(record)
    except OSError:
        group.remove()
        raise
    return group


def _walls(plan: KeeperPlan, group: Group) -> dict[str, object] | None:
    sandbox = plan.sandbox
    if sandbox is None or not plan.walls:
        return None
    changed = replace(
        sandbox,
        argv=tuple(part.replace(LISTEN, str(LISTENS)) for part in sandbox.argv),
        keep=(LISTENS,),
        cgroups=tuple(map(str, group.directories)),
        # Two equal limits: only the group's tells when it is reached.
        processes=0 if group.counts_processes() else sandbox.processes,
    )
    return asdict(changed)


def _engine(plan: KeeperPlan, group: Group, given: bool) -> EngineOrders | None:
    engine = plan.engine
    if engine is None:
        return None
    return {
        "argv": tuple(word.replace(GIVEN, str(GIVES)) for word in engine.argv),
        "env": dict(engine.env),
        "line": LINE if engine.line == "socket" else None,
        "given": GIVES if given else None,
        "cgroups": tuple(map(str, group.directories)),
    }


def _start(
    keep: Keep, words: int, stack: ExitStack
) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Start a keeper that waits for its orders on its standard input."""
    ours, theirs = map(stack.enter_context, socket.socketpair())
    starter = subprocess.Popen(
        interpreter.command(MODULE, str(keep.directory)),
        env=interpreter.environment(),
        stdin=theirs.fileno(),
        stdout=words,
        stderr=words,
        start_new_session=True,
    )
    theirs.close()
    return ours, starter


def _open_console(keep: Keep) -> BinaryIO:
    if keep.console.exists():
        # What was said before it ended is what one wants to know of it.
        keep.console.replace(older(keep.console))
    console = keep.console.open("ab")
    keep.console.chmod(0o600)
    return console


def _hand_over(line: socket.socket, orders: Orders, descriptors: list[int | None]) -> None:
    """Tell a keeper what to do, and give it what is its own: in the order of its numbers for it."""
    told = os.memfd_create("orders")
    try:
        os.write(told, marshal.dumps(dict(orders)))
        os.lseek(told, 0, os.SEEK_SET)
        # One that has died meanwhile is told of by whoever waits for its report.
        with suppress(BrokenPipeError):
            socket.send_fds(
                line, [b"!"], [told, *(each for each in descriptors if each is not None)]
            )
    finally:
        os.close(told)


async def _read_line(reader: int) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        await anyio.wait_readable(reader)
        part = os.read(reader, 65536)
        if not part:
            return b""
        line += part
    return line
