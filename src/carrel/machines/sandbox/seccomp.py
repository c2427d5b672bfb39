"""The system call filter: what no unprivileged program needs and has been a hole before.

libseccomp is called directly: pyseccomp searches for the library by starting programs, which costs
more than the rest of the launch.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
import termios

from carrel.machines.sandbox._libc import PR_SET_SECCOMP, Namespace, prctl

__all__ = ["Filter"]

_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_ERRNO = 0x00050000
_MASKED_EQ, _EQ, _GT = 7, 4, 6
_ATTR_BAD_ARCH, _ATTR_OPTIMIZE = 2, 8
_SECCOMP_MODE_FILTER = 2

_REFUSED = (
    # mounts and roots
    *("mount", "umount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr"),
    *("move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr"),
    *("swapon", "swapoff", "quotactl", "quotactl_fd", "acct"),
    # other namespaces, other people's files
    *("setns", "open_by_handle_at", "fanotify_init", "lookup_dcookie"),
    # the kernel itself
    *("init_module", "finit_module", "delete_module", "create_module", "query_module"),
    *("get_kernel_syms", "kexec_load", "kexec_file_load", "reboot", "syslog", "bpf"),
    *("perf_event_open", "nfsservctl", "sysfs", "_sysctl", "uselib", "vhangup"),
    *("iopl", "ioperm", "vm86", "vm86old", "modify_ldt"),
    # keys are not divided by namespaces
    *("add_key", "request_key", "keyctl"),
    # clocks
    *("settimeofday", "stime", "clock_settime", "clock_settime64"),
    *("clock_adjtime", "clock_adjtime64"),
    # memory of other processors' nodes
    *("move_pages", "migrate_pages", "mbind", "set_mempolicy", "set_mempolicy_home_node"),
)

# Programs probe for these and have another way: tell them "not here" rather than "forbidden".
_ABSENT = ("clone3", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register")

# Calls that older libseccomp does not know; numbers since 424 are the same everywhere.
_NUMBERS = {
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "clone3": 435,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "set_mempolicy_home_node": 450,
    "open_tree_attr": 467,
}

_TIOCLINUX = 0x541C
_FAMILIES = (1, 2, 10, 16)  # unix, inet, inet6, netlink
# Linux, Linux32, UNAME26 (with both), ADDR_NO_RANDOMIZE (debuggers), and the question itself.
_PERSONALITIES = (0, 0x8, 0x20000, 0x20008, 0x40000, 0xFFFFFFFF)


class _Compare(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    )


def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    except OSError as error:
        raise OSError(errno.ENOPKG, "libseccomp.so.2 is not installed", "seccomp") from error
    library.seccomp_init.argtypes = (ctypes.c_uint32,)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_attr_set.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32)
    library.seccomp_rule_add_array.argtypes = (
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.POINTER(_Compare),
    )
    library.seccomp_syscall_resolve_name.argtypes = (ctypes.c_char_p,)
    library.seccomp_load.argtypes = (ctypes.c_void_p,)
    return library


class Filter:
    """A filter built while the library can still be found, and loaded behind the walls."""

    def __init__(self) -> None:
        self._library = _library()
        self._context = self._library.seccomp_init(_ALLOW)
        # A call made in another architecture's way would slip past rules made for this one.
        self._attribute(_ATTR_BAD_ARCH, _KILL_PROCESS)
        # A tree instead of a list. Libraries before 2.5 do not have it, and are only slower.
        self._library.seccomp_attr_set(self._context, _ATTR_OPTIMIZE, 2)
        for name in _REFUSED:
            self._refuse(name)
        for name in _ABSENT:
            self._refuse(name, code=errno.ENOSYS)
        self._namespaces()
        self._sockets()
        self._terminals()

    def load(self) -> None:
        """Put it over this process and everything it will start."""
        self._check(self._library.seccomp_load(self._context))
        self._load_personality()

    def _attribute(self, name: int, value: int) -> None:
        self._check(self._library.seccomp_attr_set(self._context, name, value))

    def _number(self, name: str) -> int:
        number: int = self._library.seccomp_syscall_resolve_name(name.encode())
        # Negative numbers but -1 stand for calls this architecture does not have.
        return _NUMBERS.get(name, number) if number == -1 else number

    def _refuse(self, name: str, *compare: _Compare, code: int = errno.EPERM) -> None:
        number = self._number(name)
        if number == -1:
            return
        array = (_Compare * len(compare))(*compare)
        result = self._library.seccomp_rule_add_array(
            self._context, _ERRNO | code, number, len(compare), array
        )
        # EDOM: a pseudo call that cannot be expressed here, so cannot be made either.
        if result != -errno.EDOM:
            self._check(result)

    def _namespaces(self) -> None:
        for same in Namespace.ALL:
            self._refuse("unshare", _Compare(0, _MASKED_EQ, same, same))
            if same != Namespace.TIME:  # in clone(2) that bit is part of the signal number
                order = 1 if os.uname().machine == "s390x" else 0
                self._refuse("clone", _Compare(order, _MASKED_EQ, same, same))

    def _sockets(self) -> None:
        for call in ("socket", "socketpair"):
            self._refuse(call, _Compare(0, _GT, max(_FAMILIES)), code=errno.EAFNOSUPPORT)
            for family in set(range(max(_FAMILIES))) - set(_FAMILIES):
                self._refuse(call, _Compare(0, _EQ, family), code=errno.EAFNOSUPPORT)

    def _terminals(self) -> None:
        # The kernel reads 32 bits of the request, so the rule must not look at the rest.
        for request in (termios.TIOCSTI, _TIOCLINUX):
            self._refuse("ioctl", _Compare(1, _MASKED_EQ, 0xFFFFFFFF, request))

    def _load_personality(self) -> None:
        """Allow a short list of values: libseccomp's rules cannot say "none of these"."""
        number = self._number("personality")
        if number >= 0:
            load_filter(_personality_program(number))

    def _check(self, result: int) -> None:
        if result < 0:
            raise OSError(-result, os.strerror(-result), "seccomp")


def _personality_program(number: int) -> bytes:
    load, equal, answer = 0x20, 0x15, 0x06
    count = len(_PERSONALITIES)
    low_word = 16 if sys.byteorder == "little" else 20
    steps = [(load, 0, 0, 0), (equal, 0, count + 2, number), (load, 0, 0, low_word)]
    steps += [(equal, count - i, 0, value) for i, value in enumerate(_PERSONALITIES)]
    steps += [(answer, 0, 0, _ERRNO | errno.EPERM), (answer, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def load_filter(program: bytes) -> None:
    """Add one classic BPF program to the filters of this process."""
    buffer = ctypes.create_string_buffer(program, len(program))
    header = ctypes.create_string_buffer(
        struct.pack("HL", len(program) // 8, ctypes.addressof(buffer))
    )
    prctl(PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(header))
