"""Your own screen: no walls at all, only for those who ask for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import ClassVar

from anyio import to_thread

from carrel.errors import CarrelError, InvalidInput, Unavailable, Unsupported
from carrel.machines.desks import clear_desks
from carrel.machines.keep import Keep, KeeperPlan
from carrel.machines.keeper import LISTEN
from carrel.machines.lending import refuse_volumes
from carrel.machines.provider import Capabilities, Health, Isolation, Progress
from carrel.machines.providers._kept import Kept
from carrel.machines.sandbox.plan import SandboxPlan
from carrel.machines.spec import Machine, MachineSpec

__all__ = ["HostProvider"]


class HostProvider(Kept):
    """The guest program as an ordinary process of yours, on the display you look at.

    It can do what you can do: nothing is contained, no limit holds.
    """

    name: ClassVar[str] = "host"
    isolation: ClassVar[Isolation] = Isolation.NONE
    capabilities: ClassVar[Capabilities] = Capabilities(contains=False, images=False)

    async def probe(self) -> Health:
        """Connect to the display."""
        try:
            name = _display()
            await to_thread.run_sync(_connect, name)
        except CarrelError as error:
            return Health(False, Isolation.NONE, error.message, error.hint)
        return Health(True, Isolation.NONE, f"the display {name} answers; there are no walls")

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse promises that cannot be kept without walls."""
        refuse_volumes(spec, self.name)
        if spec.network != "nat":
            raise Unsupported(
                f"network={spec.network} cannot be promised on your own system",
                op="machine.create",
                hint="say --network nat to accept that it has your network, "
                "or use --provider namespace",
            )
        if spec.url is not None or spec.token_file is not None:
            raise InvalidInput(
                "url and token_file are for a machine elsewhere", hint="--provider remote"
            )

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """Make sure that there is a display."""
        self.check_spec(spec)
        await to_thread.run_sync(_connect, _display())

    async def collect(self, home: Path, known: frozenset[str]) -> tuple[str, ...]:
        """Finish interrupted removals, and clear desks on this system whose guest was killed."""
        removed = await super().collect(home, known)
        return (*removed, *await to_thread.run_sync(clear_desks))

    def plan(self, machine: Machine) -> KeeperPlan:
        """A command without walls."""
        spec, keep = machine.spec, Keep(machine.directory)
        size = f"{spec.size.width}x{spec.size.height}"
        argv = (
            *(sys.executable, "-P", "-m", "carrel.guest", "--listen-fd", LISTEN, "--size", size),
            *("--display", _display(), "--home", str(Path.home())),
        )
        sandbox = SandboxPlan(
            name=machine.name,
            uid=os.geteuid(),
            gid=os.getegid(),
            drop=False,
            parent=0,
            disk=str(keep.disk),
            home=str(keep.home),
            argv=argv,
            env={**os.environ, **spec.env},
        )
        return KeeperPlan(machine.id, spec, sandbox, walls=False)


def _display() -> str:
    name = os.environ.get("DISPLAY")
    if not name:
        raise Unavailable(
            "there is no display here: DISPLAY is not set",
            op="machine.start",
            hint="run it in your desktop session, or use --provider namespace",
        )
    return name


def _connect(name: str) -> None:
    from carrel.guest.display import open_display

    open_display(name).close()
