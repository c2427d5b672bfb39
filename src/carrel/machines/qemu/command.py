"""The command line of a virtual machine, and what is written for it before its start."""

from __future__ import annotations

import os
import re
import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from carrel.geometry import Size
from carrel.machines.images import Image
from carrel.machines.keep import GIVEN, LINE
from carrel.machines.layered import Layered
from carrel.machines.providers._guest import guest_argv
from carrel.machines.qemu.accelerator import Accelerator, find_accelerator, find_qemu
from carrel.machines.qemu.card import card_address
from carrel.machines.qemu.cpio import archive
from carrel.machines.qemu.disks import bundle_disk
from carrel.machines.qemu.kernel import Kernel
from carrel.machines.sandbox.layout import agent_env, machine_identity
from carrel.machines.sandbox.plan import AGENT_GID, AGENT_HOME, AGENT_UID, GUEST_BUNDLE
from carrel.machines.spec import Machine

__all__ = ["DISK", "KINDS", "PC", "Place", "command", "initrd"]

DISK = "disk"
"""What QEMU calls the machine's own disk; snapshots name it."""

_SANDBOX = "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"
"""QEMU's own filter: whoever breaks out into it can start no program and gain no right."""

MICROVM = "microvm"
PC = "q35"


@dataclass(frozen=True, slots=True)
class _Kind:
    words: str
    bus: str
    has_screen: bool


_KINDS = {
    MICROVM: _Kind("microvm,acpi=on,rtc=on,pit=on,pic=on,isa-serial=on", "device", False),
    PC: _Kind("q35,vmport=off,sata=off,smbus=off,hpet=off", "pci", True),
}
KINDS = tuple(_KINDS)
"""The kinds of computer: one with the least there can be, and a whole PC with a screen."""

_VIDEO_MB = 64
_BOGOMIPS = re.compile(r"^bogomips\s*:\s*([\d.]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place(Layered):
    """The files of one virtual machine."""

    @property
    def layer(self) -> Path:
        """Its own disk."""
        return self.machine.directory / "disk.qcow2"

    @property
    def grown(self) -> Path:
        """Is there once its file system has taken the whole disk."""
        return self.machine.directory / "grown"

    @property
    def fresh(self) -> Path:
        """Is there until it is first started: nothing on its disk is its own."""
        return self.machine.directory / "fresh"

    def take_fresh(self) -> bool:
        """Whether it was never started; from now on it counts as started."""
        try:
            self.fresh.unlink()
        except FileNotFoundError:
            return False
        return True

    @property
    def kept(self) -> Path:
        """How it was built when its snapshots were taken."""
        return self.machine.directory / "kept.json"

    @property
    def words(self) -> Path:
        """The pipe by which its owner speaks to its process 1."""
        return self.machine.directory / "init"

    @property
    def monitor(self) -> str:
        """The socket of QEMU itself; the path may be longer than a socket address."""
        return str(self.machine.directory / "monitor.sock")


def command(place: Place, image: Image, kernel: Kernel, memory: str, *more: str) -> tuple[str, ...]:
    """How to start a machine.

    Args:
        place: Where its files are.
        image: What it starts from.
        kernel: Its kernel.
        memory: QEMU's object that holds its memory, named `ram`.
        more: What else QEMU is told, such as the snapshot to wake up in.
    """
    spec = place.machine.spec
    accelerator = find_accelerator()
    _write_initrd(place, image, kernel)
    kind = _KINDS[spec.kind or MICROVM]
    bus = kind.bus
    return (
        *(find_qemu(), "-M", f"{kind.words},memory-backend=ram", "-accel", accelerator),
        *("-cpu", "max", "-m", f"{spec.memory_mb}M"),
        *("-smp", str(_processors(place.machine, accelerator)), "-object", memory),
        *("-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"),
        # Not -runas: a process that changes its user no longer dies with its keeper.
        *("-sandbox", _SANDBOX, "-serial", "stdio", "-name", place.machine.name),
        *("-kernel", str(kernel.image), "-initrd", str(place.initrd)),
        *("-append", _boot_words(accelerator, kind)),
        *_drive(DISK, place.layer, "qcow2,discard=unmap", bus),
        *_drive("bundle", bundle_disk(), "raw,read-only=on", bus),
        *("-device", f"virtio-serial-{bus}"),
        *("-chardev", f"socket,id=line,fd={LINE}"),
        *("-device", "virtserialport,chardev=line,name=carrel,nr=1"),
        *("-chardev", f"pipe,id=words,path={_as_value(place.words)}"),
        *("-device", "virtserialport,chardev=words,name=carrel-init,nr=2"),
        # What the machine does not use, this system has back; what the balloon holds, the machine
        # has back before any of its programs is killed for want of it.
        *("-device", f"virtio-balloon-{bus},free-page-reporting=on,deflate-on-oom=on"),
        *("-device", f"virtio-rng-{bus}"),
        *_card(place.machine, bus),
        *(_screen(spec.size) if kind.has_screen else ()),
        *("-chardev", f"socket,id=monitor,fd={GIVEN},server=on,wait=off"),
        *("-mon", "chardev=monitor,mode=control"),
        *more,
    )


def _processors(machine: Machine, accelerator: Accelerator) -> int:
    if not accelerator.is_hardware:
        return 1  # more of them are slower where they are only imitated
    return machine.spec.cpus or min(os.cpu_count() or 1, 4)


def _drive(name: str, path: Path, kind: str, bus: str) -> tuple[str, ...]:
    file = f"driver={kind},file.driver=file,file.filename={_as_value(path)},node-name={name}"
    return ("-blockdev", file, "-device", f"virtio-blk-{bus},drive={name},id={name}")


def _as_value(path: Path) -> str:
    """A path within a list of options, where a comma ends one unless there are two."""
    return str(path).replace(",", ",,")


def _card(machine: Machine, bus: str) -> tuple[str, ...]:
    """A network card with nothing behind it: what is sent on it, nobody gets."""
    address = card_address(machine)
    if address is None:
        return ()
    # One on PCI would bring a program to start from the network.
    program = ",romfile=" if bus == "pci" else ""
    return ("-device", f"virtio-net-{bus},mac={address}{program}")


def _screen(size: Size) -> tuple[str, ...]:
    """A screen and a keyboard, for a viewer on this computer that knows the password."""
    adapter = f"VGA,xres={size.width},yres={size.height},vgamem_mb={_VIDEO_MB}"
    viewer = "127.0.0.1:0,to=9999,password=on"
    return ("-device", adapter, "-device", "qemu-xhci", "-device", "usb-tablet", "-vnc", viewer)


def _boot_words(accelerator: Accelerator, kind: _Kind) -> str:
    words = [
        # The last one is where process 1 speaks.
        *(["console=tty0", "console=ttyS0"] if kind.has_screen else ["console=ttyS0", "quiet"]),
        "panic=-1",
        "reboot=t",
        "random.trust_cpu=on",
        "mitigations=off",
    ]
    if not accelerator.is_hardware:
        # There is no clock to measure the processor's own against. It counts as this system's does,
        # whose kernel tells twice its rate; and compared with ticks that come late when many want
        # to run here, it would be taken for a bad one.
        found = _BOGOMIPS.search(Path("/proc/cpuinfo").read_text())
        words += [f"tsc_early_khz={float(found[1]) * 500:.0f}", "tsc=reliable"] if found else []
    return " ".join(words)


def _write_initrd(place: Place, image: Image, kernel: Kernel) -> None:
    more = {} if place.grown.exists() else {"grow": b""}
    place.initrd.write_bytes(initrd(place.machine, image, kernel, {}, more))


def initrd(
    machine: Machine,
    image: Image,
    kernel: Kernel,
    settings: Mapping[str, str],
    files: Mapping[str, bytes],
) -> bytes:
    """What a machine unpacks at its start: the kernel's own part, and after it its own.

    Args:
        machine: Whose.
        image: What it starts from.
        kernel: Its kernel.
        settings: What `init.sh` is told beside what every machine's is.
        files: More files for it, by their names in /etc/carrel.
    """
    told = {
        "NAME": machine.name,
        "IDENTITY": machine_identity(machine.id),
        "AGENT": str(AGENT_UID),
        "BUNDLE": GUEST_BUNDLE,
        "PIDS": str(machine.spec.pids),
        "NOW": f"{time.time():.0f}",
        "CARD": "yes" if machine.spec.mac else "",
        **settings,
    }
    text = "".join(f"{name}={shlex.quote(value)}\n" for name, value in told.items())
    own = {"machine": text.encode(), "start": _start(machine, image).encode(), **files}
    packed = {f"etc/carrel/{name}": (0o644, content) for name, content in own.items()}
    return kernel.initrd.read_bytes() + archive(packed)


def _start(machine: Machine, image: Image) -> str:
    env = [f"{name}={value}" for name, value in agent_env(extra=machine.spec.env).items()]
    guest = guest_argv(image.python, machine.spec)
    lowered = ["--reuid", str(AGENT_UID), "--regid", str(AGENT_GID), "--clear-groups"]
    lowered += ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
    words = [
        "chroot",
        "/machine",
        "/usr/bin/setpriv",
        *lowered,
        "/usr/bin/env",
        "-i",
        "-C",
        AGENT_HOME,
    ]
    limits = "echo $$ > /sys/fs/cgroup/agent/cgroup.procs\nulimit -n 4096\nulimit -c 0\n"
    # Which line there is, init.sh has found out.
    return f"{limits}exec {shlex.join([*words, *env, *guest])} $LINE\n"
