"""Virtual machines of Linux that Lume keeps on a Mac."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import ClassVar

from anyio import to_thread

from carrel.codec import Json
from carrel.errors import CarrelError, InvalidInput, RunError, Unsupported
from carrel.machines.foreign import Tool, alone, hand_over
from carrel.machines.images import RECIPES, Image, resolve_image
from carrel.machines.lume import Lume, Share, Vm
from carrel.machines.paths import private_directory
from carrel.machines.provider import Capabilities, Isolation, Progress
from carrel.machines.providers._foreign import Foreign, system_name
from carrel.machines.providers._guest import check_image_spec
from carrel.machines.spec import Machine, MachineSpec

__all__ = ["LumeProvider"]

_DEFAULT_IMAGE = "ubuntu-noble-vanilla:latest"
_MB = 1 << 20


class LumeProvider(Foreign):
    """Machines with a kernel of their own, and in each a desk without network or privileges.

    A first virtual machine is fetched, settled in and given one of our images; every machine is a
    clone of it. See docs/adr/0021-driving-other-programs.md.
    """

    name: ClassVar[str] = "lume"
    isolation: ClassVar[Isolation] = Isolation.VM
    capabilities: ClassVar[Capabilities] = Capabilities(snapshot="disk", disk_limit=True)
    start_bound: float = 180.0

    def tool(self) -> Lume:
        """The server, as the environment says."""
        return Lume()

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse what a virtual machine cannot be made from."""
        if spec.image == "macos":
            raise Unsupported(
                "the guest program needs X and Linux: a machine of macOS has no desk to use",
                op="machine.create",
                hint=f"known images: {', '.join(RECIPES)}; lume itself runs macOS, shown by VNC",
            )
        check_image_spec(spec, tuple(RECIPES))
        Share.chosen()

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """Have the virtual machine that machines are cloned from."""
        await super().prepare(spec, progress)
        image = resolve_image(spec.image)
        await to_thread.run_sync(_have_base, self.tool(), image, progress)

    def make(self, machine: Machine, tool: Tool) -> None:
        """Clone the virtual machine that has the image, and set what is wished."""
        assert isinstance(tool, Lume)
        name = system_name(machine.id)
        _note(machine.directory.parent, name).touch()
        try:
            tool.api.clone(base_name(resolve_image(machine.spec.image)), name)
            self.fit(machine, tool)
        except CarrelError:
            tool.discard(name)
            raise

    def fit(self, machine: Machine, tool: Tool) -> None:
        """Set what of the wish is not so yet.

        Raises:
            InvalidInput: Its disk is larger than wished, and cannot shrink.
        """
        assert isinstance(tool, Lume)
        found, spec = tool.api.vm(system_name(machine.id)), machine.spec
        if 0 < spec.disk_mb * _MB < found.disk:
            raise InvalidInput(
                f"the disk of Lume's machines has {found.disk // _MB} MB already",
                op="machine.create",
                hint=f"--disk {-(-found.disk // _MB) // 1024 + 1}GB or more",
            )
        if (wish := _changes(spec, found)) != {}:
            tool.api.set(found.name, wish)

    def gone(self, system: str, home: Path) -> None:
        """Remove the note that it was ours."""
        _note(home, system).unlink(missing_ok=True)

    def is_ours(self, system: str, home: Path, tool: Tool) -> bool:
        """As a note says, for Lume keeps none for us."""
        return _note(home, system).exists()

    async def vnc_url(self, machine: Machine) -> str:
        """Where Lume shows its system's own screen, with a password that lasts while it is on."""
        name = system_name(machine.id)
        screen = await to_thread.run_sync(lambda: self.tool().screen(name))
        if screen is None:
            raise RunError(
                f"Lume shows the screen of {machine.name} to nobody",
                op="machine.vnc",
                hint=f"carrel do -m {machine.name} shot shows its desk",
            )
        return screen


def base_name(image: Image) -> str:
    """What the virtual machine is called that machines of an image are cloned from."""
    start = hashlib.sha256(_wished().encode()).hexdigest()
    return f"carrel-base-{image.name}-{image.hash[:12]}-{start[:8]}"


def _wished() -> str:
    return os.environ.get("CARREL_LUME_IMAGE") or _DEFAULT_IMAGE


def _note(home: Path, system: str) -> Path:
    return private_directory(home / ".lume.d") / system


def _changes(spec: MachineSpec, found: Vm) -> dict[str, Json]:
    """What of a virtual machine has to be set for it to be as wished."""
    wish: dict[str, Json] = {}
    if found.memory != spec.memory_mb * _MB:
        wish["memory"] = f"{spec.memory_mb}MB"
    if spec.cpus and found.cpus != spec.cpus:
        wish["cpu"] = spec.cpus
    if found.disk < spec.disk_mb * _MB:
        wish["diskSize"] = f"{spec.disk_mb}MB"
    if found.display != (size := f"{spec.size.width}x{spec.size.height}"):
        wish["display"] = size
    return wish


def _have_base(tool: Lume, image: Image, progress: Progress) -> None:
    """Make the virtual machine that machines are cloned from, unless it is there."""
    name = base_name(image)
    draft = name.replace("carrel-base-", "carrel-making-")
    with alone(name):
        if name in tool.systems():
            return
        tool.discard(draft)
        try:
            progress(f"Lume: fetching {_wished()}", None)
            tool.fetch(_wished(), draft)
            progress("Lume: starting it for the first time", None)
            tool.turn_on(draft, known=False)
            tool.settle(draft)
            hand_over(tool, draft, image, progress)
            tool.turn_off(draft, force=False)
            # It has that name only when it is complete.
            tool.api.clone(draft, name)
        finally:
            tool.discard(draft)
