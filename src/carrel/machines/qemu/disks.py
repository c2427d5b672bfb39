"""The disks of a virtual machine: an image as a file system, and each machine's own layer on it."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import RunError, Unavailable, Unsupported
from carrel.machines.bundle import guest_bundle
from carrel.machines.images import Image

__all__ = [
    "ASIDE",
    "DEFAULT_MB",
    "DiskSize",
    "base_disk",
    "bundle_disk",
    "change_snapshot",
    "disk_size",
    "file_system",
    "grow_layer",
    "make_layer",
    "snapshot_labels",
    "snapshot_tag",
    "snapshot_tags",
]

ASIDE = ".aside"
"""The snapshot that is no user's: what was on a disk before another one was gone on from."""

DEFAULT_MB = 20 << 10
"""What a machine's disk can hold at most, where its owner does not say."""

_NUMBER = re.compile(r"\.[0-9]+")
_OTHER = "~"
_MAGIC = b"QFI\xfb"
_HEAD = struct.Struct(">4s20xQ")
"""How a file of the format qcow2 begins: a word, and after other things its logical size."""

_MAKE_SECONDS = 600.0
_SPARE_MB = 64


@dataclass(frozen=True, slots=True)
class DiskSize:
    """How large a disk looks from inside, and what it takes of this system's."""

    logical: int
    real: int


def base_disk(image: Image) -> Path:
    """An image's tree as an ext4 file system of just that size; made once.

    Raises:
        Unsupported: Its files have other owners here than they would have in it.
        Unavailable: A program for it is missing.
    """
    path = image.rootfs.parent / "disk.ext4"
    if path.exists():
        return path
    if image.rootfs.stat().st_uid != 0:
        raise Unsupported(
            f"image {image.name} was built by an ordinary user, and a disk would hold their ids",
            op="qemu.disk",
            hint=f"build it as root: sudo carrel image build {image.name}",
        )
    # Room for what a file system needs beside the files, and for its own growth.
    used = image.size if image.size is not None else _used(image.rootfs)
    size = used + used // 8 + (_SPARE_MB << 20)
    return file_system(image.rootfs, path, size, journal=True)


def bundle_disk() -> Path:
    """The guest program as a file system; made once for each that there is."""
    bundle = guest_bundle()
    place = bundle.with_name(f"{bundle.name}.disk")
    path = place / "bundle.ext4"
    if not path.exists():
        place.mkdir(exist_ok=True)
        file_system(bundle, path, _used(bundle) + (8 << 20), journal=False)
    os.utime(place)
    return path


def _used(tree: Path) -> int:
    return sum(file.lstat().st_size + 8192 for file in tree.rglob("*"))


def file_system(tree: Path, path: Path, size: int, *, journal: bool) -> Path:
    """Make an ext4 file system of that many bytes that holds a tree."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    draft = Path(name)
    try:
        os.truncate(draft, size)
        options = ["-q", "-F", "-t", "ext4", "-m", "0", "-b", "4096"]
        options += ["-E", "lazy_itable_init=1,nodiscard,root_owner=0:0"]
        options += [] if journal else ["-O", "^has_journal"]
        _run("mke2fs", *options, "-d", str(tree), str(draft))
        draft.chmod(0o644)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path


def make_layer(path: Path, base: Path, size_mb: int) -> None:
    """Make a machine's own disk, whole or not at all: what it changes, over what it starts from."""
    draft = path.with_name(f".{path.name}.begun")
    _run("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(base), str(draft),
         f"{size_mb or DEFAULT_MB}M")  # fmt: skip
    draft.replace(path)


def grow_layer(path: Path, size_mb: int) -> None:
    """Make a disk that nobody uses larger; what is on it does not know of that yet."""
    _run("qemu-img", "resize", "-q", "-f", "qcow2", str(path), f"{size_mb}M")


def disk_size(path: Path) -> DiskSize:
    """How large a disk is, of a machine that may be running.

    Raises:
        FileNotFoundError: It has none.
    """
    # A program for it would take longer than all else that a machine is asked for.
    with path.open("rb") as file:
        head = file.read(_HEAD.size)
        real = os.fstat(file.fileno()).st_blocks * 512
    if len(head) < _HEAD.size or not head.startswith(_MAGIC):
        raise RunError(f"{path} is no disk of QEMU's", op="qemu.disk")
    return DiskSize(_HEAD.unpack(head)[1], real)


def snapshot_labels(path: Path) -> tuple[str, ...]:
    """The labels of the snapshots that a disk holds, oldest first."""
    return tuple(label for label, tags in snapshot_tags(path).items() if tags != [ASIDE])


def snapshot_tags(path: Path) -> dict[str, list[str]]:
    """What QEMU calls the snapshots that a disk holds, by label, oldest first; ours as well.

    There are two of a label only where the one before was about to be removed.
    """
    told = json.loads(_run("qemu-img", "info", "--force-share", "--output=json", str(path)))
    tags: dict[str, list[str]] = {}
    for kept in told.get("snapshots", []):
        tag = str(kept["name"])
        plain = tag.removesuffix(_OTHER)
        label = plain.removeprefix(".") if _NUMBER.fullmatch(plain) else plain
        tags.setdefault(label, []).append(tag)
    return tags


def snapshot_tag(label: str, taken: Sequence[str]) -> str:
    """What QEMU is to call a snapshot: one that is called by a number it takes for another's id."""
    tag = f".{label}" if label.isdecimal() else label
    return tag if tag not in taken else tag + _OTHER


def change_snapshot(path: Path, how: str, tag: str) -> None:
    """Make, apply or delete a snapshot of a disk that nobody uses, by a flag of `qemu-img`."""
    _run("qemu-img", "snapshot", how, tag, str(path))


def _run(program: str, *words: str) -> str:
    found = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None:
        package = "qemu-utils" if program == "qemu-img" else "e2fsprogs"
        raise Unavailable(
            f"{program} is not installed", op="qemu.disk", hint=f"apt-get install {package}"
        )
    done = subprocess.run(
        [found, *words], capture_output=True, text=True, timeout=_MAKE_SECONDS, check=False
    )
    if done.returncode != 0:
        raise RunError(f"{program} failed: {done.stderr.strip()[-300:]}", op="qemu.disk")
    return done.stdout
