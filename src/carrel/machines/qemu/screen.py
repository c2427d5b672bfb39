"""The screen of a whole PC, for a viewer on this computer that knows the password."""

from __future__ import annotations

import secrets
import string

from carrel.errors import RunError, Unsupported
from carrel.machines.qemu.command import PC, Place
from carrel.machines.qemu.monitor import Monitor
from carrel.machines.spec import Machine

__all__ = ["show_screen"]

_SECONDS = 3600
_LETTERS = string.ascii_letters + string.digits


def show_screen(machine: Machine) -> str:
    """Where it is seen, by a new password.

    Raises:
        Unsupported: The machine has none.
    """
    if machine.spec.kind != PC:
        raise Unsupported(
            f"{machine.name} has no screen but its desk's",
            op="machine.vnc",
            hint=f"whole PCs have one: --kind q35; or carrel do -m {machine.name} shot",
        )
    # The protocol takes no more of it.
    password = "".join(secrets.choice(_LETTERS) for _ in range(8))
    with Monitor(Place(machine).monitor) as qemu:
        qemu.ask("set_password", protocol="vnc", password=password)
        qemu.ask("expire_password", protocol="vnc", time=f"+{_SECONDS}")
        told = qemu.ask("query-vnc")
    if not isinstance(told, dict) or not told.get("enabled"):
        raise RunError(f"QEMU shows {machine.name} to nobody", op="machine.vnc")
    return f"vnc://:{password}@{told['host']}:{told['service']}"
