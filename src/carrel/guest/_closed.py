"""Keeping other programs of the same user out of this process."""

from __future__ import annotations

import sys

__all__ = ["shut_others_out"]

_PR_SET_DUMPABLE = 4


def shut_others_out() -> None:
    """Let nobody without privileges read or trace this process, or take its descriptors.

    What an agent starts has the same user id: it could speak on the guest's line, and in its name.
    Children that become another program are as open as ever.

    Raises:
        OSError: The kernel does not do that.
    """
    if sys.platform != "linux":
        return
    import ctypes
    import os

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_DUMPABLE, *map(ctypes.c_ulong, (0, 0, 0, 0))):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), "prctl")
