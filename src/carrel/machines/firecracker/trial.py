"""Whether Firecracker works here: it is given a guest of a few instructions, and told to run it.

That /dev/kvm is there says little: it may open, and the processor still run nothing.
"""

from __future__ import annotations

import os
import struct
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from carrel.errors import CarrelError, MachineLost, Unavailable
from carrel.machines.firecracker import wishes
from carrel.machines.firecracker.api import FirecrackerApi
from carrel.machines.firecracker.jail import FIRST_USER, Jail, command, is_jailed
from carrel.machines.firecracker.orders import Orders
from carrel.machines.firecracker.process import launch, lay_out
from carrel.machines.paths import machines_home, private_directory
from carrel.machines.sandbox.probe import PROBES

__all__ = ["run_guest", "trial_kernel"]

_SAID = b"carrel ran\n"
_ADDRESS = 16 << 20
_SERIAL = 0x3F8
_KEYBOARD = 0x64
_RESET = 0xFE
_SECONDS = 30.0
_MEMORY_MB = 128
_KVM = Path("/dev/kvm")


def run_guest(program: Path) -> None:
    """Run one.

    Raises:
        Unavailable: It did not run to its end, with what is wrong and what helps.
    """
    # Where machines are, too; named for its maker, so that what a killed one left is known.
    home = private_directory(machines_home())
    prefix = f"{PROBES}{os.getpid()}-"
    with tempfile.TemporaryDirectory(prefix=prefix, dir=home) as place:
        orders = _orders(Path(place), program)
        with (Path(place) / "console").open("w+b") as console:
            failure = _failure(orders, console.fileno())
            console.seek(0)
            said = console.read()
    if failure is None and _SAID not in said:
        failure = "its guest did not speak"
    if failure is not None:
        last = said.decode(errors="replace").strip().splitlines()[-1:]
        raise Unavailable(
            f"Firecracker ran no guest: {': '.join([failure, *last])[:300]}",
            op="firecracker.trial",
            hint=_fix(),
        )


def _orders(place: Path, program: Path) -> Orders:
    kernel = place / "kernel"
    kernel.write_bytes(trial_kernel())
    kernel.chmod(0o644)
    asked = (
        wishes.machine_config(1, _MEMORY_MB),
        wishes.boot_source("kernel", "console=ttyS0"),
    )
    jail = Jail("trial", place / "jail", program, FIRST_USER - 1 if is_jailed() else None)
    laid = {"kernel": str(kernel)}
    return Orders(command(jail), str(jail.root), asked, laid, user=jail.user)


def _failure(orders: Orders, console: int) -> str | None:
    try:
        lay_out(orders)
        process = launch(orders, console)
    except (CarrelError, OSError) as error:
        return str(error)
    try:
        # Its guest may have ended, and it with that, before it could answer.
        with suppress(MachineLost):
            FirecrackerApi(Path(orders.root)).ask(wishes.start())
        status = process.wait(_SECONDS)
    except CarrelError as error:
        return error.message
    except subprocess.TimeoutExpired:
        return "its guest did not come to its end"
    finally:
        process.kill()
        process.wait()
    return None if status == 0 else f"it ended with status {status}"


def _fix() -> str:
    if not _KVM.exists():
        return "Firecracker needs KVM: modprobe kvm_intel (or kvm_amd), or use --provider qemu"
    if not os.access(_KVM, os.R_OK | os.W_OK):
        return "let this user use /dev/kvm: usermod -aG kvm $USER, then log in again"
    return "the processor's virtualization cannot be used here: use --provider qemu"


def trial_kernel() -> bytes:
    """An ELF file that says a word on the serial port and resets its machine.

    The instructions mean the same to a processor of 32 bits as to one of 64: by which of its two
    ways Firecracker enters a kernel depends on its version.
    """
    code = b"".join(_out(_SERIAL, byte) for byte in _SAID) + _out(_KEYBOARD, _RESET)
    code += b"\xf4\xeb\xfd"  # halt, for ever
    at_note = 64 + 2 * 56
    # The entry of 32 bits, in Xen's words (PVH); that of 64 is in the file's header.
    note = struct.pack("<III4sQ", 4, 8, 18, b"Xen\0", _ADDRESS)
    at_code = 0x1000
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, 62, 1, _ADDRESS, 64, 0, 0,
                         64, 56, 2, 0, 0, 0)  # fmt: skip
    load = _segment(1, 7, at_code, _ADDRESS, len(code), 0x1000)
    noted = _segment(4, 4, at_note, 0, len(note), 4)
    return (header + load + noted + note).ljust(at_code, b"\0") + code


def _segment(kind: int, flags: int, offset: int, address: int, size: int, align: int) -> bytes:
    return struct.pack("<IIQQQQQQ", kind, flags, offset, address, address, size, size, align)


def _out(port: int, byte: int) -> bytes:
    """`mov dx, port; mov al, byte; out dx, al`."""
    return struct.pack("<BBHBBB", 0x66, 0xBA, port, 0xB0, byte, 0xEE)
