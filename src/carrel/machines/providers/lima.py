"""Virtual machines that Lima keeps, on whichever system it runs."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import ClassVar

from anyio import to_thread

from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.machines.foreign import Condition, Tool, alone, hand_over
from carrel.machines.images import RECIPES, Image, resolve_image
from carrel.machines.lima import CloudImage, Limactl, template
from carrel.machines.provider import Capabilities, Isolation, Progress
from carrel.machines.providers._foreign import Foreign, system_name
from carrel.machines.providers._guest import check_image_spec
from carrel.machines.spec import Machine, MachineSpec

__all__ = ["LimaProvider"]

_BASE_MB = 8192
_DISK_MB = 20480
_COMPLETE = "what Carrel's machines are cloned from"
_UNFINISHED = "unfinished"
_MB = 1 << 20


class LimaProvider(Foreign):
    """Machines with a kernel of their own, and in each a desk without network or privileges.

    A first instance is made of the user's cloud image and given one of our images; every machine
    is a clone of it. See docs/adr/0021-driving-other-programs.md.
    """

    name: ClassVar[str] = "lima"
    isolation: ClassVar[Isolation] = Isolation.VM
    capabilities: ClassVar[Capabilities] = Capabilities(
        snapshot="disk", disk_limit=True, default_disk_mb=_DISK_MB
    )

    def tool(self) -> Limactl:
        """Lima's program."""
        return Limactl()

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse what an instance cannot be made from."""
        check_image_spec(spec, tuple(RECIPES))
        if 0 < spec.disk_mb < _BASE_MB:
            raise InvalidInput(
                f"a disk of {spec.disk_mb} MB is too small for Lima's cloud image and ours",
                op="machine.create",
                hint=f"--disk {_BASE_MB >> 10}GB or more",
            )

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """Have the instance that machines are cloned from."""
        await super().prepare(spec, progress)
        image = resolve_image(spec.image)
        await to_thread.run_sync(_have_base, Limactl(), image, progress)

    def make(self, machine: Machine, tool: Tool) -> None:
        """Clone the instance that has the image."""
        assert isinstance(tool, Limactl)
        base = base_name(resolve_image(machine.spec.image), CloudImage.chosen())
        changes = {**_wish(machine.spec), "message": _owner(machine.directory.parent)}
        tool.clone(base, system_name(machine.id), changes)

    def fit(self, machine: Machine, tool: Tool) -> None:
        """Edit its template where the wish has changed."""
        assert isinstance(tool, Limactl)
        found = tool.instances()[system_name(machine.id)]
        spec = machine.spec
        same = found.memory == spec.memory_mb * _MB and found.cpus == (spec.cpus or found.cpus)
        if not same or found.disk < (spec.disk_mb or 0) * _MB:
            tool.edit(found.name, _wish(spec))

    def is_ours(self, system: str, home: Path, tool: Tool) -> bool:
        """As its message says, or where it is gone, those of its copies."""
        assert isinstance(tool, Limactl)
        return _owner(home) in tool.owners(system)


def base_name(image: Image, cloud: CloudImage) -> str:
    """What the instance is called that machines of an image are cloned from."""
    start = hashlib.sha256(f"{cloud.location}\0{cloud.digest}".encode()).hexdigest()
    return f"carrel-base-{image.name}-{image.hash[:12]}-{start[:8]}"


def _owner(home: Path) -> str:
    return f"a machine of Carrel's, in {home}"


def _wish(spec: MachineSpec) -> dict[str, Json]:
    wish: dict[str, Json] = {"memory": f"{spec.memory_mb}MiB"}
    if spec.cpus:
        wish["cpus"] = spec.cpus
    wish["disk"] = f"{spec.disk_mb or _DISK_MB}MiB"
    return wish


def _have_base(tool: Limactl, image: Image, progress: Progress) -> None:
    """Make the instance that machines are cloned from, unless it is there and complete."""
    cloud = CloudImage.chosen()
    name = base_name(image, cloud)
    with alone(name):
        found = tool.instances().get(name)
        if found is not None and found.message.strip() == _COMPLETE:
            if found.condition is not Condition.OFF:
                tool.turn_off(name, force=True)
            return
        tool.discard(name)
        progress("Lima: fetching the cloud image", None)
        tool.create(name, template(cloud, _BASE_MB, _UNFINISHED))
        progress("Lima: starting it for the first time", None)
        tool.turn_on(name)
        hand_over(tool, name, image, progress)
        tool.turn_off(name, force=False)
        tool.edit(name, {"message": _COMPLETE})
