"""Distributions that WSL keeps, for a Carrel that runs in one of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Literal

from carrel.errors import Unsupported
from carrel.machines.docker.transfer import tree_as_tar
from carrel.machines.foreign import Tool
from carrel.machines.images import RECIPES, resolve_image
from carrel.machines.provider import Capabilities, Isolation, Metrics
from carrel.machines.providers._foreign import Foreign, system_name
from carrel.machines.providers._guest import check_image_spec
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State
from carrel.machines.wsl import Wsl

__all__ = ["WslProvider"]

_NOTE = "WSL's systems share one memory: its limit of memory is not enforced"


class WslProvider(Foreign):
    """Systems that share one kernel, network and memory with every other of WSL's.

    Windows' drives and programs are kept out, and the desk has neither privileges nor the mounts
    of its system; all the same it is no wall that could be promised. See
    docs/adr/0021-driving-other-programs.md.
    """

    name: ClassVar[str] = "wsl"
    isolation: ClassVar[Isolation] = Isolation.NONE
    capabilities: ClassVar[Capabilities] = Capabilities(snapshot="disk", contains=False)
    network: ClassVar[Literal["own", "shared"]] = "shared"

    def tool(self) -> Wsl:
        """Windows' program."""
        return Wsl()

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse what cannot be promised where all systems are on one network."""
        check_image_spec(spec, tuple(RECIPES))
        if spec.network != "nat":
            raise Unsupported(
                f"network={spec.network} cannot be promised: WSL's systems share one network",
                op="machine.create",
                hint="say --network nat to accept that it has WSL's, or use --provider namespace",
            )

    def make(self, machine: Machine, tool: Tool) -> None:
        """Import the image as a distribution."""
        assert isinstance(tool, Wsl)
        tree = tree_as_tar(resolve_image(machine.spec.image).rootfs, lambda done: None)
        tool.bring_in(system_name(machine.id), tree, str(machine.directory.parent))

    def is_ours(self, system: str, home: Path, tool: Tool) -> bool:
        """As is written beside its disk."""
        assert isinstance(tool, Wsl)
        return tool.owner(system) == str(home)

    async def inspect(self, machine: Machine) -> Observed:
        """With what is not enforced."""
        observed = await super().inspect(machine)
        if observed.state is not State.RUNNING:
            return observed
        return replace(observed, notes=(*observed.notes, _NOTE))

    async def metrics(self, machine: Machine) -> Metrics:
        """Unknown: the kernel's figures are of all systems together."""
        return Metrics()
