"""Giving an engine one of our images: its tree as a tar, imported once under its hash."""

from __future__ import annotations

import os
import tarfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from carrel.errors import NotFound
from carrel.machines.docker.api import EngineApi
from carrel.machines.images import Image
from carrel.machines.sandbox.plan import GUEST_BUNDLE

__all__ = ["LABEL", "engine_image", "import_image", "tree_as_tar"]

LABEL = "org.carrel.image"
_REPOSITORY = "carrel"
_PIECE = 1 << 18
_SHOWN = f".{Path(GUEST_BUNDLE).parent}"
_IMPORT_SECONDS = 600.0

Report = Callable[[str, float | None], None]


def engine_image(image: Image) -> str:
    """What the engine calls it."""
    return f"{_REPOSITORY}/{image.name}:{image.hash[:12]}"


def import_image(api: EngineApi, image: Image, report: Report) -> str:
    """Have the engine hold an image; at once when it does already. Returns its name there."""
    name = engine_image(image)
    try:
        api.get(f"/images/{name}/json")
    except NotFound:
        total = image.size or 0

        def seen(done: int) -> None:
            share = min(done / total, 1.0) if total else None
            report(f"giving the engine the image {image.name}", share)

        api.upload(
            "/images/create",
            tree_as_tar(image.rootfs, seen),
            _IMPORT_SECONDS,
            fromSrc="-",
            # Tag and all: Podman does not look for a tag beside it.
            repo=name,
            changes=f"LABEL {LABEL}={image.hash}",
        )
    return name


def tree_as_tar(rootfs: Path, seen: Callable[[int], None]) -> Iterator[bytes]:
    """A tree as the bytes of a tar, made while they are read; `seen` is told how many."""
    reader, writer = os.pipe()
    failure: list[OSError] = []
    maker = threading.Thread(target=_make, args=(rootfs, writer, failure), daemon=True)
    maker.start()
    done = 0
    with os.fdopen(reader, "rb") as stream:
        while data := stream.read(_PIECE):
            done += len(data)
            seen(done)
            yield data
    maker.join()
    if failure:
        # Half an image must not be taken for one.
        raise failure[0]


def _make(rootfs: Path, writer: int, failure: list[OSError]) -> None:
    root = os.geteuid() == 0

    def owned(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        # What another engine has made there to mount on may be root's alone, and Podman copies it.
        if member.name == _SHOWN:
            return None
        # An ordinary user's tree belongs to them; inside, all but the agent's home is root's.
        if not root:
            agent = member.name.startswith("./home/agent")
            member.uid = member.gid = 1000 if agent else 0
        member.uname = member.gname = ""
        return member

    try:
        with (
            os.fdopen(writer, "wb") as stream,
            tarfile.open(fileobj=stream, mode="w|", bufsize=_PIECE) as tar,
        ):
            tar.add(rootfs, ".", filter=owned)
    except OSError as error:
        failure.append(error)
