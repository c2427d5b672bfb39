"""What a system needs to hold a desk: an image's tree, the guest program, and orders."""

from __future__ import annotations

import io
import shlex
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from carrel.machines.bundle import guest_bundle
from carrel.machines.docker.transfer import tree_as_tar
from carrel.machines.foreign.tool import Tool, run_tool
from carrel.machines.images import Image
from carrel.machines.provider import Progress
from carrel.machines.providers._guest import guest_argv
from carrel.machines.sandbox.layout import agent_env, machine_identity
from carrel.machines.sandbox.plan import AGENT_UID, GUEST_BUNDLE
from carrel.machines.spec import Machine

__all__ = ["HOME", "IMAGE", "SHARED", "enter_command", "furnish", "furniture", "hand_over"]

HOME = "/var/lib/carrel"
"""Where all that is ours lies in somebody else's system."""

IMAGE = f"{HOME}/image"
"""The tree of the image that desks of that system are made of."""

SHARED = f"{HOME}/shared"
"""What of its host a system was lent, if anything; a desk has it at `/mnt/shared`."""

_ENTER = Path(__file__).with_name("enter.sh")
_HAND_OVER_SECONDS = 1800.0
_FURNISH_SECONDS = 300.0


def enter_command() -> tuple[str, ...]:
    """What root runs in a system to have its desk; the desk's line is its stdio."""
    return ("/bin/sh", f"{HOME}/enter")


def hand_over(tool: Tool, system: str, image: Image, progress: Progress) -> None:
    """Put an image's tree into a system that is on."""

    def seen(done: int) -> None:
        share = min(done / image.size, 1.0) if image.size else None
        progress(f"giving {system} the image {image.name}", share)

    argv = tool.command(system, "/bin/sh", "-c", f"mkdir -p {IMAGE} && exec tar -x -C {IMAGE}")
    run_tool(argv, tool.environment(), _HAND_OVER_SECONDS, tree_as_tar(image.rootfs, seen))


def furnish(
    tool: Tool, system: str, machine: Machine, image: Image, network: Literal["own", "shared"]
) -> None:
    """Give a system that is on what its next desk is to be."""
    unpack = f"mkdir -p {HOME} && rm -rf {HOME}/bundle && exec tar -x -C {HOME}"
    argv = tool.command(system, "/bin/sh", "-c", unpack)
    tree = "/" if network == "shared" else IMAGE
    feed = furniture(machine, image, tree, network)
    run_tool(argv, tool.environment(), _FURNISH_SECONDS, feed)


def furniture(
    machine: Machine, image: Image, tree: str, network: Literal["own", "shared"]
) -> Iterator[bytes]:
    """A tar of the guest program and what it is to be, for `HOME`."""
    bundle = guest_bundle()
    spec = machine.spec
    env = [f"{name}={value}" for name, value in agent_env(extra=spec.env).items()]
    start = ["exec", "/usr/bin/env", "-i", *env]
    start += guest_argv(image.python, spec, "--first", "--stdio")
    orders = {
        "NAME": machine.name,
        "IDENTITY": machine_identity(machine.id),
        "IMAGE": tree,
        "BUNDLE": GUEST_BUNDLE,
        "PYTHON": image.python,
        "PIDS": str(spec.pids),
        "AGENT": str(AGENT_UID),
        "NETWORK": network,
    }
    texts = {
        "enter": _ENTER.read_text(),
        "orders": "".join(f"{name}={shlex.quote(value)}\n" for name, value in orders.items()),
        "start": shlex.join(start) + "\n",
    }
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as tar:
        for name, text in texts.items():
            tar.addfile(*_member(name, text.encode()))
        tar.add(bundle, "bundle", filter=_roots)
    yield whole.getvalue()


def _member(name: str, content: bytes) -> tuple[tarfile.TarInfo, io.BytesIO]:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    member.mode = 0o644
    return member, io.BytesIO(content)


def _roots(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member
