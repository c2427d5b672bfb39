"""Starting an engine from its keeper, before that has loaded anything else.

Every start waits for this module: see `carrel.machines.keeper`.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the enumerations of `signal` cost 6 ms
import _socket  # and those of `socket` 8 ms
import os
import sys

from carrel.machines.sandbox.launch import die_with, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    class EngineOrders(TypedDict):
        """What a keeper is told of its engine, as plain data.

        Attributes:
            argv: Its command line.
            env: All of its environment.
            line: What stands in the command line for the number of the line's descriptor; None
                where the line is its standard input and output.
            given: Another descriptor of ours that becomes its alone.
            cgroups: Directories of the control groups it joins.
        """

        argv: tuple[str, ...]
        env: dict[str, str]
        line: str | None
        given: int | None
        cgroups: tuple[str, ...]


__all__ = ["STEP", "fork_engine"]

STEP = "engine"
"""What a failure to start one is called on the status descriptor."""

# What Python ignores and programs do not expect to be ignored: SIGPIPE, SIGXFSZ.
_RESTORED = (13, 25)


def fork_engine(orders: EngineOrders) -> tuple[tuple[int, int, int], int]:
    """Start an engine from a copy of this process, which must have one thread.

    Returns:
        Its number with the read ends of its console and its status, and our end of its line.
    """
    ours, theirs = (end.detach() for end in _socket.socketpair())
    # Not a pipe: gVisor lets whoever has the guest's user id open that anew.
    read_console, write_console = (end.detach() for end in _socket.socketpair())
    read_status, write_status = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            die_with(parent)
            join(orders["cgroups"])
            _exec(orders, theirs, write_console)
        except OSError as error:
            told = f"{STEP}\n{error.errno or ''}\n{error}"
            os.write(write_status, told.encode(errors="surrogateescape"))
        except BaseException:  # noqa: BLE001 (a copy must never go on as its original)
            sys.excepthook(*sys.exc_info())
        os._exit(127)
    for each in (theirs, write_console, write_status, orders["given"]):
        if each is not None:
            os.close(each)
    return (pid, read_console, read_status), ours


def _exec(orders: EngineOrders, line: int, console: int) -> None:
    os.setsid()
    for number in _RESTORED:
        _signal.signal(number, _signal.SIG_DFL)
    null = os.open(os.devnull, os.O_RDONLY)
    on_line = orders["line"] is None
    os.dup2(line if on_line else null, 0)
    os.dup2(line if on_line else console, 1)
    os.dup2(console, 2)
    argv = list(orders["argv"])
    if orders["line"] is not None:
        os.set_inheritable(line, True)
        argv = [word.replace(orders["line"], str(line)) for word in argv]
    if orders["given"] is not None:
        os.set_inheritable(orders["given"], True)
    os.execvpe(argv[0], argv, orders["env"])  # noqa: S606
