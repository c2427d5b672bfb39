"""One process per running machine: starts its guest, holds its way out, sees to its end.

`providers/_spawn.py` starts it and has made all that can be made before: the machine's lock, which
the keeper inherits, its socket, its control groups and a first record. What costs time to load is
loaded after the guest was started, while that loads itself: see `carrel.machines.keeping`.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the enumerations of `signal` cost 6 ms
import _thread
import gc
import marshal
import os
import sys
from types import SimpleNamespace

from carrel.guest.without_tls import do_without_tls
from carrel.machines.sandbox._libc import prctl
from carrel.machines.sandbox.engine import fork_engine
from carrel.machines.sandbox.launch import fork, read_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn, TypedDict

    from carrel.machines.sandbox.engine import EngineOrders

    class Orders(TypedDict):
        """What a keeper is told, as plain data.

        Attributes:
            directory: The machine's.
            lock: Descriptor that holds the machine's lock.
            report: Descriptor to write one line to: `{}` when the guest has answered, or why it
                never did.
            listen: Descriptor of the socket that everybody will reach the guest by.
            sandbox: The plan of the walls; None where there are none.
            engine: The program that makes the machine instead; None where there is none.
        """

        directory: str
        lock: int
        report: int
        listen: int
        sandbox: dict[str, object] | None
        engine: EngineOrders | None


__all__ = ["LISTEN", "MODULE", "main"]

LISTEN = "{listen}"
"""Stands in a guest's command line for the number of the descriptor it listens on."""

MODULE = "carrel.machines.keeper"
"""A word of a keeper's command line, before its directory: how it is found."""

_PR_SET_CHILD_SUBREAPER = 36
_LESS_URGENT = 5


def main() -> NoReturn:
    """Keep one machine until it ends."""
    with open(int(sys.argv[-1]), "rb") as file:  # noqa: PTH123 - pathlib costs 10 ms
        orders: Orders = marshal.load(file)  # noqa: S302 - our parent's words
    for name in ("lock", "report", "listen"):
        os.set_inheritable(orders[name], False)
    _detach()
    # A stop that comes before anybody can act on it is remembered.
    asked = SimpleNamespace(stop=False)

    def remember_stop(_: int, __: FrameType | None) -> None:
        asked.stop = True

    _signal.signal(_signal.SIGTERM, remember_stop)
    forked: tuple[int, int, int] | None = None
    line: int | None = None
    try:
        if orders["engine"] is not None:
            forked, line = fork_engine(orders["engine"])
        elif orders["sandbox"] is not None:
            # Copies share what neither of them writes to; a collection would write to all of it.
            gc.freeze()
            forked = fork(read_plan(orders["sandbox"]))
            os.close(orders["listen"])
    except OSError as error:
        _report_failure(orders["report"], error)
        raise
    do_without_tls()
    # The digests that Python brings along are good enough for a process that makes none.
    sys.modules.setdefault("_hashlib", None)  # type: ignore[arg-type]
    _load_behind_the_guest()
    from carrel.machines.keeping import keep

    sys.exit(keep(orders, forked, line, lambda: bool(asked.stop)))


def _report_failure(report: int, error: OSError) -> None:
    """Tell whoever waits for us: there are too many processes or open files, say."""
    import json

    os.write(report, json.dumps({"cause": f"its keeper could not begin: {error}"}).encode() + b"\n")


def _load_behind_the_guest() -> None:
    """Load the rest, but let the guest and its X server have the processors first.

    In a thread, because only a thread can be made less urgent and be gone afterwards.
    """

    def load() -> None:
        os.setpriority(os.PRIO_PROCESS, 0, _LESS_URGENT)
        try:
            import carrel.machines.keeping
            import carrel.machines.watch  # noqa: F401
        finally:
            done.release()

    done = _thread.allocate_lock()
    done.acquire()
    _thread.start_new_thread(load, ())
    done.acquire()


def _detach() -> None:
    """Become nobody's child, so that no long-lived caller has to reap us."""
    if os.fork():
        os._exit(0)
    os.umask(0o077)
    _signal.signal(_signal.SIGHUP, _signal.SIG_IGN)
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    prctl(_PR_SET_CHILD_SUBREAPER, 1)
