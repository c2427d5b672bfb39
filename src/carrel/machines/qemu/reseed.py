"""A program for a machine's process 1 that has its kernel draw new chance at once.

What is written to /dev/urandom counts only when the kernel mixes anew, which may be a minute later:
until then a machine and its copy would draw the same numbers. A call for that exists
(RNDRESEEDCRNG), but the shell that is process 1 knows no calls, so here are the few instructions.
"""

from __future__ import annotations

import struct

__all__ = ["program"]

_PATH = b"/dev/urandom\0"
_BASE = 0x400000
_HEADERS = 64 + 56
_OPEN = (
    b"\xb8\x02\x00\x00\x00"  # mov eax, open
    b"\x48\x8d\x3d"  # lea rdi, [rip + …]: the path
)
_RESEED = (
    b"\xbe\x01\x00\x00\x00"  # mov esi, O_WRONLY
    b"\x31\xd2\x0f\x05"  # xor edx, edx; syscall
    b"\x89\xc7\xb8\x10\x00\x00\x00"  # mov edi, eax; mov eax, ioctl
    b"\xbe\x07\x52\x00\x00"  # mov esi, RNDRESEEDCRNG
    b"\x31\xd2\x0f\x05"  # xor edx, edx; syscall
    b"\x31\xff\x85\xc0\x40\x0f\x95\xc7"  # xor edi, edi; test eax, eax; setne dil
    b"\xb8\x3c\x00\x00\x00\x0f\x05"  # mov eax, exit; syscall
)


def program() -> bytes:
    """It, for x86-64 as our kernels are: ends with 0 when the kernel has done so."""
    code = _OPEN + struct.pack("<i", len(_RESEED)) + _RESEED + _PATH
    size = _HEADERS + len(code)
    ident = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    start = _BASE + _HEADERS
    header = struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, start, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, _BASE, _BASE, size, size, 0x1000)
    return ident + header + segment + code
