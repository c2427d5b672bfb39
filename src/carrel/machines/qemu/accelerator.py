"""Which accelerator works here: each is tried with a guest of a few instructions.

That a device file is there says little: it may open and still run nothing.
"""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path

from carrel.errors import Unavailable

__all__ = ["Accelerator", "find_accelerator", "find_qemu"]

_ROM = 64 << 10
_PORT = 0xF4
_WORD = 0x2A
# mov al, WORD; out PORT, al; hlt - and at the place where a processor begins, a jump to it.
_PROGRAM = bytes([0xB0, _WORD, 0xE6, _PORT, 0xF4])
_RESET = _ROM - 16
_JUMP = b"\xe9" + (-(_RESET + 3) % (1 << 16)).to_bytes(2, "little")
_SAID = _WORD << 1 | 1
"""What QEMU exits with after that: its device for it says so."""

_TRY_SECONDS = 20.0
_INSTALL = "apt-get install qemu-system-x86 qemu-utils"


class Accelerator(str):
    """A name that QEMU knows: `kvm` or `tcg`."""

    __slots__ = ()

    @property
    def is_hardware(self) -> bool:
        """Whether the processor itself runs the guest."""
        return self != "tcg"


def find_qemu() -> str:
    """The program.

    Raises:
        Unavailable: It is not installed.
    """
    import shutil

    found = shutil.which("qemu-system-x86_64")
    if found is None:
        raise Unavailable("qemu-system-x86_64 is not installed", op="qemu", hint=_INSTALL)
    return found


@cache
def find_accelerator() -> Accelerator:
    """The best one that has just run a guest's instructions.

    Raises:
        Unavailable: None has.
    """
    qemu = find_qemu()
    failures = []
    for name in ("kvm", "tcg"):
        failure = _try(qemu, name)
        if failure is None:
            return Accelerator(name)
        failures.append(f"{name}: {failure}")
    raise Unavailable(f"QEMU runs no guest here: {'; '.join(failures)}", op="qemu", hint=_INSTALL)


def _try(qemu: str, accelerator: str) -> str | None:
    """Why it does not work; None if it does."""
    rom = bytearray(_ROM)
    rom[: len(_PROGRAM)] = _PROGRAM
    rom[_RESET : _RESET + len(_JUMP)] = _JUMP
    with tempfile.NamedTemporaryFile(prefix="carrel-probe-") as file:
        Path(file.name).write_bytes(rom)
        words = [qemu, "-M", "microvm", "-cpu", "max", "-accel", accelerator, "-m", "16"]
        words += [
            "-bios",
            file.name,
            "-nodefaults",
            "-no-user-config",
            "-display",
            "none",
            "-no-reboot",
        ]
        words += ["-device", f"isa-debug-exit,iobase={_PORT:#x},iosize=1"]
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, timeout=_TRY_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return "the guest did not come to its end"
    if done.returncode == _SAID:
        return None
    said = done.stderr.strip().splitlines()
    return said[-1][:200] if said else f"QEMU ended with status {done.returncode}"
