"""Lume as a program that keeps systems: its server turns them on, ssh is the way in."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping

from carrel.errors import CarrelError, MachineLost, TimedOut, Unsupported
from carrel.machines.foreign.copies import Copies
from carrel.machines.foreign.furniture import SHARED
from carrel.machines.foreign.tool import Condition, run_tool
from carrel.machines.lume.api import LumeApi, Share, Vm
from carrel.machines.lume.ssh import Ssh

__all__ = ["Lume"]

_BOOT_SECONDS = 300.0
_LOOK_AGAIN = 0.5
_SYNC_SECONDS = 60.0
_PROBE_SECONDS = 5.0
# The server gives this name to all that it shares, which is macOS's own for what it finds itself.
_SHARE_TAG = "com.apple.virtio-fs.automount"
_CONDITIONS = {"running": Condition.ON, "stopped": Condition.OFF}
_OTHER_NAMES = {"arm64": "aarch64", "amd64": "x86_64"}


class Lume(Copies):
    """The server, and the way into what it keeps."""

    name: str = "Lume"

    def __init__(self, api: LumeApi | None = None, ssh: Ssh | None = None) -> None:
        self.api = api or LumeApi()
        self.ssh = ssh or Ssh.chosen()

    def about(self) -> str:
        """Ask the server for its virtual machines, and this system for its ssh."""
        count = len(self.api.vms(_PROBE_SECONDS))
        self.ssh.command("probe", "192.0.2.1", "true")
        return f"Lume answers at {self.api.url} and keeps {count} virtual machines"

    def environment(self) -> dict[str, str]:
        """What ssh needs."""
        return self.ssh.environment()

    def systems(self) -> Mapping[str, Condition]:
        """How every virtual machine is."""
        return {vm.name: _condition(vm) for vm in self.api.vms()}

    def command(self, name: str, *argv: str) -> tuple[str, ...]:
        """By ssh to wherever it is now, as its root.

        Raises:
            MachineLost: It has no address.
        """
        address = self.api.vm(name).address
        if address is None:
            raise MachineLost(f"Lume's {name} has no address", op="lume", retryable=True)
        return self.ssh.command(name, address, "sudo", "-n", *argv)

    def turn_on(self, name: str, *, known: bool = True) -> None:
        """Start it, and wait until ssh is let in, or answered where it does not know us yet.

        Raises:
            TimedOut: It is not, with what the server complains of.
        """
        # What machines are cloned from is lent nothing.
        shares = Share.chosen() if name.startswith("carrel-mac_") else ()
        self.api.run(name, shares)
        self._wait(name, known)
        if shares:
            words = f"mkdir -p {SHARED} && mount -t virtiofs {_SHARE_TAG} {SHARED}"
            argv = self.command(name, "sh", "-c", words)
            run_tool(argv, self.environment(), _SYNC_SECONDS)

    def _wait(self, name: str, known: bool) -> None:
        until = time.monotonic() + _BOOT_SECONDS
        why: str | None = "it was not started"
        while why is not None:
            if time.monotonic() > until:
                words = self.api.complaints()
                raise TimedOut(
                    f"Lume's {name} cannot be entered: {why}"
                    + (f"; Lume complains: {words}" if words else ""),
                    op="lume",
                    hint="carrel provider list says whether Lume answers; lume get shows the rest",
                )
            time.sleep(_LOOK_AGAIN)
            why = self._not_ready(self.api.vm(name), known)

    def _not_ready(self, vm: Vm, known: bool) -> str | None:
        if vm.status != "running":
            return f"it is {vm.status}"
        if vm.address is None:
            return "it has no address"
        return self.ssh.answers(vm.name, vm.address, known=known)

    def turn_off(self, name: str, *, force: bool) -> None:
        """Have the server end it, after what it wrote is on its disk."""
        if not force:
            run_tool(self.command(name, "sync"), self.environment(), _SYNC_SECONDS)
        self.api.stop(name)

    def discard(self, name: str) -> None:
        """Remove it and its copies."""
        self.remove(*self.with_copies(name))
        self.ssh.forget(name)

    def remove(self, *names: str) -> None:
        """Remove these and no copies."""
        found = self.systems()
        for name in names:
            if found.get(name) is Condition.ON:
                self.api.stop(name)
            if name in found:
                self.api.delete(name)

    def copy(self, old: str, new: str) -> None:
        """Clone it."""
        try:
            self.api.clone(old, new)
        except CarrelError:
            self.remove(new)
            raise

    def fetch(self, image: str, name: str) -> None:
        """Have a virtual machine of a wished image: a copy of one that is there, or a fetched one.

        Raises:
            Unsupported: It is none of Linux, which our guest program needs.
        """
        if image in self.systems():
            self.api.clone(image, name)
        else:
            self.api.pull(image, name)
        system = self.api.vm(name).os
        if system.lower() != "linux":
            self.discard(name)
            raise Unsupported(
                f"{image} is a system of {system}: the guest program needs X and Linux's kernel, "
                "and can neither see nor use another",
                op="lume",
                hint="CARREL_LUME_IMAGE=ubuntu-noble-vanilla:latest, or your own virtual machine "
                "of Linux; a Mac's screen is shown by lume itself, at its VNC address",
            )

    def settle(self, name: str) -> None:
        """Make ourselves at home in a system that was just fetched and is on.

        Raises:
            Unsupported: Its processor is not this system's, for which our images are.
        """
        address = self.api.vm(name).address or ""
        self.ssh.settle(name, address)
        found = self.ssh.run(name, address, "uname", "-m").decode().strip()
        if _processor(found) != _processor(platform.machine()):
            raise Unsupported(
                f"{name} has a processor of kind {found}, and our images are for "
                f"{platform.machine()}",
                op="lume",
                hint="run Carrel in a Linux on the same Mac",
            )

    def screen(self, name: str) -> str | None:
        """Where its own screen is shown, by VNC, with the password; None where it is not."""
        return self.api.vm(name).vnc


def _processor(name: str) -> str:
    return _OTHER_NAMES.get(name, name)


def _condition(vm: Vm) -> Condition:
    return _CONDITIONS.get(vm.status, Condition.BROKEN)
