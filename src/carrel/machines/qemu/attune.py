"""A program that stays beside a machine's process 1, sets its clock and has it draw new chance.

What is written to /dev/urandom counts only when the kernel mixes anew, which may be a minute later:
until then a machine and its copy would draw the same numbers. A call for that exists
(RNDRESEEDCRNG), as there is one for the clock, but the shell that is process 1 knows no calls. And
to start a program is what a machine that has just woken up on an imitated processor does slowest:
all that takes part in it has to be translated first. So here are the few instructions, and they
are there already, waiting for a line.
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
_WORK = (
    b"\xbe\x01\x00\x00\x00\x31\xd2\x0f\x05"  # mov esi, O_WRONLY; xor edx, edx; syscall
    b"\x41\x89\xc4"  # mov r12d, eax
    # line:
    b"\x31\xdb"  # xor ebx, ebx: the number in this line
    # digit:
    b"\x31\xc0\x31\xff"  # xor eax, eax: read; xor edi, edi
    b"\x48\x89\xe6\xba\x01\x00\x00\x00\x0f\x05"  # mov rsi, rsp; mov edx, 1; syscall
    b"\xff\xc8\x75\x63"  # dec eax; jnz end
    b"\x0f\xb6\x04\x24\x83\xe8\x30"  # movzx eax, byte [rsp]; sub eax, '0'
    b"\x78\x09"  # js act: the line has ended
    b"\x48\x6b\xdb\x0a\x48\x01\xc3\xeb\xdc"  # imul rbx, rbx, 10; add rbx, rax; jmp digit
    # act:
    b"\x48\x85\xdb\x74\x18"  # test rbx, rbx; jz reseed
    b"\x48\x89\x1c\x24\x48\x83\x64\x24\x08\x00"  # mov [rsp], rbx; and qword [rsp + 8], 0
    b"\xb8\xe3\x00\x00\x00\x31\xff"  # mov eax, clock_settime; xor edi, edi
    b"\x48\x89\xe6\x0f\x05\xeb\xbd"  # mov rsi, rsp; syscall; jmp line
    # reseed:
    b"\xb8\x10\x00\x00\x00\x44\x89\xe7"  # mov eax, ioctl; mov edi, r12d
    b"\xbe\x07\x52\x00\x00\x31\xd2\x0f\x05"  # mov esi, RNDRESEEDCRNG; xor edx, edx; syscall
    b"\x85\xc0\x0f\x95\xc0\x0f\xb6\xc0"  # test eax, eax; setne al; movzx eax, al
    b"\x05\x30\x0a\x00\x00\x89\x04\x24"  # add eax, "0\n"; mov [rsp], eax
    b"\xb8\x01\x00\x00\x00\x89\xc7"  # mov eax, write; mov edi, eax
    b"\x48\x89\xe6\xba\x02\x00\x00\x00"  # mov rsi, rsp; mov edx, 2
    b"\x0f\x05\xeb\x89"  # syscall; jmp line
    # end:
    b"\x31\xff\xb8\x3c\x00\x00\x00\x0f\x05"  # xor edi, edi; mov eax, exit; syscall
)


def program() -> bytes:
    """It, for x86-64 as our kernels are.

    It reads lines of one number each. Seconds since 1970 become the time. 0 has the kernel draw new
    chance, and is answered by a line: 0 when that was done, 1 when it was not.
    """
    code = _OPEN + struct.pack("<i", len(_WORK)) + _WORK + _PATH
    size = _HEADERS + len(code)
    ident = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    start = _BASE + _HEADERS
    header = struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, start, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, _BASE, _BASE, size, size, 0x1000)
    return ident + header + segment + code
