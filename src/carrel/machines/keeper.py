"""One process per running machine: starts its guest, holds its way out, sees to its end.

`providers/_spawn.py` starts it, makes all that can be made by others while it loads (the machine's
lock, its socket, its control groups and a first record), and hands that over. What costs time to
load is loaded after the guest was started, while that loads itself: see `carrel.machines.keeping`.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the enumerations of `signal` cost 6 ms
import _socket  # and those of `socket` 8 ms
import _thread
import gc
import marshal
import os
import sys
import time
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
            sandbox: The plan of the walls; None where there are none.
            engine: The program that makes the machine instead; None where there is none.
        """

        directory: str
        sandbox: dict[str, object] | None
        engine: EngineOrders | None


__all__ = ["CONSOLE", "GIVES", "LISTEN", "LISTENS", "LOCK", "MODULE", "REPORT", "main"]

LISTEN = "{listen}"
"""Stands in a guest's command line for the number of the descriptor it listens on."""

MODULE = "carrel.machines.keeper"
"""A word of a keeper's command line, before its directory: how it is found."""

LOCK, REPORT, LISTENS, CONSOLE, GIVES = 20, 21, 22, 23, 24
"""The numbers that a keeper's descriptors have for it.

The machine's lock, which is held for as long as one of its copies is open; where to write one
line, `{}` when the guest has answered, or why it never did; the socket that everybody will reach
the guest by; the console, which becomes its standard output and error; what the engine alone gets,
where there is such a thing.
"""

_PR_SET_CHILD_SUBREAPER = 36
_LESS_URGENT = 5
_AUTOGROUP = "/proc/self/autogroup"
_HEAD_START = 0.05
_MOST_GIVEN = 6


def main() -> NoReturn:
    """Keep one machine until it ends."""
    _detach()
    # A stop that comes before anybody can act on it is remembered.
    asked = SimpleNamespace(stop=False)

    def remember_stop(_: int, __: FrameType | None) -> None:
        asked.stop = True

    _signal.signal(_signal.SIGTERM, remember_stop)
    orders = _receive()
    forked: tuple[int, int, int] | None = None
    line: int | None = None
    try:
        if orders["engine"] is not None:
            forked, line = fork_engine(orders["engine"])
        elif orders["sandbox"] is not None:
            # Copies share what neither of them writes to; a collection would write to all of it.
            gc.freeze()
            forked = fork(read_plan(orders["sandbox"]))
            os.close(LISTENS)
    except OSError as error:
        _report_failure(error)
        raise
    do_without_tls()
    # The digests that Python brings along are good enough for a process that makes none.
    sys.modules.setdefault("_hashlib", None)  # type: ignore[arg-type]
    _load(behind_a_guest=forked is not None)
    from carrel.machines.keeping import keep

    sys.exit(keep(orders, forked, line, lambda: bool(asked.stop)))


def _receive() -> Orders:
    """Wait for our orders; they come with the descriptors, in the order of their numbers."""
    line = _socket.socket(fileno=0)
    word, told, _, _ = line.recvmsg(1, _socket.CMSG_SPACE(_MOST_GIVEN * 4))
    if not word:
        os._exit(0)  # whoever started us has given up
    given = memoryview(told[0][2]).cast("i")
    for number, descriptor in enumerate(given[1:], LOCK):
        os.dup2(descriptor, number, inheritable=False)
        os.close(descriptor)
    null = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((null, line.detach()), (CONSOLE, 1), (CONSOLE, 2)):
        os.dup2(source, target)
    os.close(null)
    os.close(CONSOLE)
    with open(given[0], "rb") as file:  # noqa: PTH123 - pathlib costs 10 ms
        orders: Orders = marshal.load(file)  # noqa: S302 - our parent's words
    return orders


def _report_failure(error: OSError) -> None:
    """Tell whoever waits for us: there are too many processes or open files, say."""
    import json

    os.write(REPORT, json.dumps({"cause": f"its keeper could not begin: {error}"}).encode() + b"\n")


def _load(*, behind_a_guest: bool) -> None:
    """Load the rest, but let a guest and its X server have the processors first.

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
    if behind_a_guest and _set_urgency(3 * _LESS_URGENT):
        _thread.start_new_thread(_come_back, ())
    _thread.start_new_thread(load, ())
    done.acquire()


def _come_back() -> None:
    """Be as urgent as all the others again: on a busy system who is not never gets on."""
    time.sleep(_HEAD_START)
    # Of who is not root, the kernel hears one such word in a tenth of a second.
    while not _set_urgency(0):
        time.sleep(_HEAD_START)


def _set_urgency(nice: int) -> bool:
    """Say how urgent our session is; whether that was heard.

    Where the kernel shares out processors by sessions, how urgent a thread is counts within its
    own alone. Where it does not, there is no such file.
    """
    try:
        handle = os.open(_AUTOGROUP, os.O_WRONLY)
    except OSError:
        return False
    try:
        os.write(handle, b"%d" % nice)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _detach() -> None:
    """Become nobody's child, so that no long-lived caller has to reap us."""
    if os.fork():
        os._exit(0)
    os.chdir("/")  # no file system of our caller's is held
    os.umask(0o077)
    _signal.signal(_signal.SIGHUP, _signal.SIG_IGN)
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    prctl(_PR_SET_CHILD_SUBREAPER, 1)
