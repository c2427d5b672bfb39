"""The system calls Python has no name for.

Part of what a keeper loads before it starts its machine, so plain numbers instead of enumerations.
"""

from __future__ import annotations

import ctypes
import os

__all__ = [
    "Mount",
    "Namespace",
    "drop_capabilities",
    "internet_socket",
    "lock_mounts",
    "mount",
    "pivot_root",
    "prctl",
    "set_title",
    "sethostname",
    "share_memory",
    "unmount",
    "unshare",
]

_libc = ctypes.CDLL(None, use_errno=True)


class Namespace:
    """Arguments of unshare(2)."""

    TIME = 0x00000080
    MOUNT = 0x00020000
    CGROUP = 0x02000000
    UTS = 0x04000000
    IPC = 0x08000000
    USER = 0x10000000
    PID = 0x20000000
    NET = 0x40000000

    ALL = (TIME, MOUNT, CGROUP, UTS, IPC, USER, PID, NET)


class Mount:
    """Arguments of mount(2)."""

    READ_ONLY = 1
    NO_SUID = 2
    NO_DEV = 4
    NO_EXEC = 8
    BIND = 0x1000
    RECURSIVE = 0x4000
    PRIVATE = 1 << 18


PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

# Every bit that takes power away, each with its lock; see capabilities(7). "Keep" stays open:
# setpriv(1) sets it without need, and without capabilities there is nothing to keep.
_SECUREBITS = 0b1100_1111

_AT_EMPTY_PATH = 0x1000
_AT_RECURSIVE = 0x8000
_MNT_DETACH = 2
# The same number on every architecture, as all calls since 424.
_SYS_MOUNT_SETATTR = 442
_SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "ppc64le": 203, "s390x": 217}
_SYS_KCMP = {"x86_64": 312, "aarch64": 272, "riscv64": 272, "ppc64le": 354, "s390x": 343}
_KCMP_VM = 1


class _MountAttributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("user_namespace", ctypes.c_uint64),
    )


def _check(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def _text(value: str | None) -> bytes | None:
    return None if value is None else os.fsencode(value)


def unshare(flags: int) -> None:
    """Leave the namespaces named by `flags` for new ones."""
    _check(_libc.unshare(flags), "unshare")


def mount(
    source: str | None, target: str, kind: str | None, flags: int, data: str | None = None
) -> None:
    """Mount a file system, or change a mount; as the system call does."""
    result = _libc.mount(
        _text(source), _text(target), _text(kind), ctypes.c_ulong(flags), _text(data)
    )
    _check(result, f"mount {kind or source or 'propagation'} on {target}")


def unmount(target: str) -> None:
    """Detach a mount and all below it."""
    _check(_libc.umount2(_text(target), _MNT_DETACH), f"unmount {target}")


def lock_mounts(target: str, flags: int) -> None:
    """Add flags to a mount and all below it: mount_setattr(2), Linux 5.12."""
    wanted = _MountAttributes(set=flags)
    result = _libc.syscall(
        ctypes.c_long(_SYS_MOUNT_SETATTR),
        ctypes.c_int(-100),
        ctypes.c_char_p(os.fsencode(target)),
        ctypes.c_uint(_AT_RECURSIVE),
        ctypes.byref(wanted),
        ctypes.c_size_t(ctypes.sizeof(wanted)),
    )
    _check(result, f"mount_setattr {target}")


def pivot_root(new: str, old: str) -> None:
    """Change the root of this mount namespace."""
    number = _SYS_PIVOT_ROOT[os.uname().machine]
    result = _libc.syscall(ctypes.c_long(number), _text(new), _text(old))
    _check(result, "pivot_root")


def prctl(option: int, *arguments: int) -> None:
    """Change a property of this process."""
    padded = [*arguments, 0, 0, 0, 0][:4]
    _check(_libc.prctl(option, *map(ctypes.c_ulong, padded)), f"prctl {option}")


def internet_socket() -> int:
    """A datagram socket, to ask the kernel about devices with."""
    af_inet, sock_dgram, cloexec = 2, 2, os.O_CLOEXEC
    fd: int = _libc.socket(af_inet, sock_dgram | cloexec, 0)
    _check(fd, "socket")
    return fd


def set_title(title: str) -> None:
    """What `ps` shows for this process, instead of the words it was started with."""
    with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 - pathlib costs more than all this
        start, end = map(int, file.read().rpartition(b")")[2].split()[45:47])
    words = title.encode()[: end - start - 1]
    ctypes.memset(start, 0, end - start)
    ctypes.memmove(start, words, len(words))


def share_memory(one: int, other: int) -> bool:
    """Whether two processes have one and the same memory: kcmp(2)."""
    number = _SYS_KCMP[os.uname().machine]
    order: int = _libc.syscall(*map(ctypes.c_long, (number, one, other, _KCMP_VM, 0, 0)))
    _check(order, "kcmp")
    return order == 0


def sethostname(name: str) -> None:
    """Name this system."""
    encoded = name.encode()
    _check(_libc.sethostname(encoded, ctypes.c_size_t(len(encoded))), "sethostname")


def drop_capabilities() -> None:
    """Give up every capability in every set, for good: this process and all it starts."""
    prctl(PR_SET_SECUREBITS, _SECUREBITS)
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # one past the last the kernel knows
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    _check(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")
    prctl(PR_SET_NO_NEW_PRIVS, 1)
