"""Being process 1 of a machine whose engine provides none: nobody else takes in orphans."""

from __future__ import annotations

# The enumerations of `signal` cost 6 ms, and every start waits for this.
import _signal  # type: ignore[import-not-found]
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

__all__ = ["become_first"]


def become_first() -> None:
    """Go on in a child; this process reaps until that one ends, and ends as it did."""
    guest = os.fork()
    if guest == 0:
        return

    def forward(number: int, _: FrameType | None) -> None:
        try:
            os.kill(guest, number)
        except ProcessLookupError:
            return  # it has ended by itself

    _signal.signal(_signal.SIGTERM, forward)
    from carrel.guest._closed import shut_others_out

    shut_others_out()
    # Line and console are the guest's alone: their end must be seen at the other end.
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == guest:
            code = os.waitstatus_to_exitcode(status)
            os._exit(128 - code if code < 0 else code)
