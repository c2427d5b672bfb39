"""Starting a keeper: all it needs is made here, where everything is loaded already."""

from __future__ import annotations

import json
import marshal
import os
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from carrel.errors import TimedOut
from carrel.machines import interpreter
from carrel.machines.keep import GIVEN, LINE, Keep, KeeperPlan, KeeperRecord, Phase, boot_id
from carrel.machines.keeper import LISTEN, MODULE
from carrel.machines.linelog import older
from carrel.machines.sandbox.cgroups import Group, Limits

if TYPE_CHECKING:
    from carrel.machines.keeper import Orders
    from carrel.machines.sandbox.engine import EngineOrders

__all__ = ["Spawn"]


class Spawn:
    """One start of a keeper.

    `start` in a thread, then `answer`; `close` whatever happens.
    """

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._starter: subprocess.Popen[bytes] | None = None
        self._reader: int | None = None

    def start(self, plan: KeeperPlan, give: Callable[[], socket.socket] | None = None) -> None:
        """Make what the machine needs, and start its keeper.

        Args:
            plan: What it is to do.
            give: Opens what the engine gets a copy of (see `GIVEN`), once nobody else can start it.

        Raises:
            WrongState: It has one.
        """
        keep = self._keep
        with ExitStack() as stack:
            lock = stack.enter_context(keep.lock())
            keep.write_plan(plan)
            given = None if give is None else stack.enter_context(give()).fileno()
            group = _make_group(keep, plan)
            listener = stack.enter_context(keep.listen())
            self._reader, report = os.pipe()
            stack.callback(os.close, report)
            orders: Orders = {
                "directory": str(keep.directory),
                "lock": lock,
                "report": report,
                "listen": listener.fileno(),
                "sandbox": _walls(plan, listener.fileno(), group),
                "engine": _engine(plan, group, given),
            }
            # From here on the lock is the keeper's.
            self._starter = _start(keep, orders, stack)
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
        return dict(json.loads(line)) if line else {"cause": "its keeper died"}

    async def close(self) -> None:
        """Let go of the keeper: it is nobody's child, and the process that left it behind ends."""
        if self._reader is not None:
            os.close(self._reader)
            self._reader = None
        if self._starter is not None:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(self._starter.wait)


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


def _walls(plan: KeeperPlan, listener: int, group: Group) -> dict[str, object] | None:
    sandbox = plan.sandbox
    if sandbox is None or not plan.walls:
        return None
    changed = replace(
        sandbox,
        argv=tuple(part.replace(LISTEN, str(listener)) for part in sandbox.argv),
        keep=(listener,),
        cgroups=tuple(map(str, group.directories)),
        # Two equal limits: only the group's tells when it is reached.
        processes=0 if group.counts_processes() else sandbox.processes,
    )
    return asdict(changed)


def _engine(plan: KeeperPlan, group: Group, given: int | None) -> EngineOrders | None:
    engine = plan.engine
    if engine is None:
        return None
    return {
        "argv": tuple(word.replace(GIVEN, str(given)) for word in engine.argv),
        "env": dict(engine.env),
        "line": LINE if engine.line == "socket" else None,
        "given": given,
        "cgroups": tuple(map(str, group.directories)),
    }


def _start(keep: Keep, orders: Orders, stack: ExitStack) -> subprocess.Popen[bytes]:
    told = os.memfd_create("orders")
    stack.callback(os.close, told)
    os.write(told, marshal.dumps(dict(orders)))
    os.lseek(told, 0, os.SEEK_SET)
    if keep.console.exists():
        # What was said before it ended is what one wants to know of it.
        keep.console.replace(older(keep.console))
    console = stack.enter_context(keep.console.open("ab"))
    keep.console.chmod(0o600)
    engine = orders["engine"]
    given = () if engine is None or engine["given"] is None else (engine["given"],)
    return subprocess.Popen(
        interpreter.command(MODULE, str(keep.directory), str(told)),
        env=interpreter.environment(),
        stdin=subprocess.DEVNULL,
        stdout=console,
        stderr=console,
        start_new_session=True,
        pass_fds=(told, orders["lock"], orders["report"], orders["listen"], *given),
    )


async def _read_line(reader: int) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        await anyio.wait_readable(reader)
        part = os.read(reader, 65536)
        if not part:
            return b""
        line += part
    return line
