"""The guest's side of the line over a true vsock: the kernel's own, from the guest to itself.

The stand-in for Firecracker has no vsock device. So that the way through one is gone all the same,
the guest here believes that there is one, and a relay in it connects the console's ports to the
sockets that guest program and process 1 listen on, over the kernel's loopback.
"""

from __future__ import annotations

import time
from importlib.resources import files
from pathlib import Path

import anyio
import pytest
from firecracker_fixtures import put_on_path, require_qemu

from carrel.geometry import Size
from carrel.machines.lifecycle import Machines
from carrel.machines.qemu import kernel as kernels
from carrel.machines.qemu.command import initrd
from carrel.machines.qemu.cpio import archive
from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store
from thorough import FULL

SPEC = MachineSpec(provider="firecracker", size=Size(800, 600), memory_mb=512)
DEVICE = "grep -qsx 0x0013 /sys/bus/virtio/devices/*/device"
RELAY = """
import os, socket, threading, time

def relay(device, port):
    console = os.open(device, os.O_RDWR)
    while True:
        line = socket.socket(socket.AF_VSOCK)
        try:
            line.connect((1, port))
            break
        except OSError:  # the guest does not listen yet
            time.sleep(0.1)
    threading.Thread(target=feed, args=(console, line)).start()
    while data := line.recv(65536):
        while data:
            data = data[os.write(console, data):]

def feed(console, line):
    while data := os.read(console, 65536):
        line.sendall(data)

threading.Thread(target=relay, args=("/dev/relay1", 1024)).start()
relay("/dev/relay2", 100)
"""
START = """hear &
for number in 1 2; do
    name=carrel
    [ $number = 1 ] || name=carrel-init
    mknod "/machine/dev/relay$number" c $(tr : ' ' < "/sys/class/virtio-ports/$(port $name)/dev")
done
chroot /machine "$PYTHON" -I -S -c "$(cat /etc/carrel/relay)" &
"""


TAKEN = """
import errno, socket
try:
    socket.socket(socket.AF_VSOCK).bind((socket.VMADDR_CID_ANY, 1024))
    print("free")
except OSError as error:
    print(errno.errorcode[error.errno])
"""


def believing(folder: Path) -> bytes:
    """What has a guest believe that, over what it unpacks otherwise."""
    found = kernels._modules(kernels._fetch(folder, kernels._package()))
    # With the kernel's module for the loopback, which machines do without.
    wanted = kernels._in_order([*kernels._LAYERED, "vsock_loopback"], found)
    loaded = kernels._in_order(kernels._MODULES, found)
    modules = [*(name for name in wanted if name not in loaded), ""]
    init = (files("carrel.machines.qemu") / "init.sh").read_text()
    hear = (files("carrel.machines.firecracker") / "hear.py").read_text()
    assert init.count(DEVICE) == init.count("hear &\n") == 1
    init = init.replace(DEVICE, '[ -n "$(port carrel-init)" ]').replace("hear &\n", START)
    # From the guest itself, which is 1, instead of its host.
    hear = hear.replace("socket.VMADDR_CID_HOST", "1")
    return archive(
        {
            "init": (0o755, init.encode()),
            "lib/modules/vsock_loopback.ko": (0o644, kernels._content(found["vsock_loopback"])),
            "etc/modules.layered": (0o644, "\n".join(modules).encode()),
            "etc/carrel/relay": (0o644, RELAY.encode()),
            "etc/carrel/hear": (0o644, hear.encode()),
        }
    )


@pytest.mark.anyio
@pytest.mark.slow
@pytest.mark.desktop
@pytest.mark.image
@pytest.mark.skipif(not FULL, reason="takes half a minute under TCG: make test FULL=1")
async def test_a_guest_is_reached_over_vsock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_qemu()
    programs = tmp_path / "bin"
    programs.mkdir()
    put_on_path(programs, monkeypatch)
    more = believing(tmp_path)
    monkeypatch.setattr(
        "carrel.machines.firecracker.place.initrd", lambda *about: initrd(*about) + more
    )
    machines = Machines(Store(tmp_path / "home"))
    with anyio.fail_after(600):
        try:
            await machines.up("desk", SPEC)
            async with machines.computer("desk") as computer:
                text = "0123456789abcdef" * 50_000
                await computer.write_file("big", text)
                assert await computer.read_file("big") == text
                assert (await computer.screenshot()).size == Size(800, 600)
                # The guest program itself is nothing that others there can see.
                await computer.write_file("taken.py", TAKEN)
                shown = (await computer.shell("python3 taken.py")).raise_for_error().data["stdout"]
                assert shown == "EADDRINUSE\n"
            # Process 1 hears the time by its own port.
            await machines.pause("desk")
            await machines.resume("desk")
            async with machines.computer("desk") as computer:
                clock = (await computer.shell("date +%s")).raise_for_error().data["stdout"]
            assert abs(float(str(clock)) - time.time()) < 60
            await machines.stop("desk")
        finally:
            with anyio.CancelScope(shield=True):
                for standing in await machines.list():
                    await machines.delete(standing.machine.name)
