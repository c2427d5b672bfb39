"""Set the host name of a process's namespace. Run as a program it loads nothing else of ours."""

from __future__ import annotations

import ctypes
import os
import sys

__all__ = ["call"]

_NEW_UTS = 0x04000000
_NEW_USER = 0x10000000

_libc = ctypes.CDLL(None, use_errno=True)


def call(pid: int, name: str, *, as_owner: bool) -> None:
    """Enter the namespace, for good, and set its name.

    Args:
        pid: Whose.
        name: The new one.
        as_owner: Become the owner of the process's namespaces first, which no thread can.
    """
    if as_owner:
        _enter(f"/proc/{pid}/ns/user", _NEW_USER)
    _enter(f"/proc/{pid}/ns/uts", _NEW_UTS)
    text = name.encode()
    _check(_libc.sethostname(text, ctypes.c_size_t(len(text))))


def _enter(place: str, kind: int) -> None:
    handle = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        _check(_libc.setns(handle, kind))
    finally:
        os.close(handle)


def _check(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    try:
        call(int(sys.argv[1]), sys.argv[2], as_owner=True)
    except OSError as error:
        sys.exit(str(error))
