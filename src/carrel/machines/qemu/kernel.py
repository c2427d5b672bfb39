"""The kernel of a virtual machine and what it unpacks at its start: Debian's, fetched once."""

from __future__ import annotations

import hashlib
import platform
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from carrel.errors import Unavailable, Unsupported
from carrel.machines.paths import data_home
from carrel.machines.provider import Progress
from carrel.machines.qemu.attune import program
from carrel.machines.qemu.cpio import archive

__all__ = ["Kernel", "get_kernel"]

_META = "linux-image-cloud-amd64"
_SHELL = "busybox-static"
_MODULES = (
    "virtio",
    "virtio_ring",
    "virtio_mmio",
    "virtio_pci_modern_dev",
    "virtio_pci_legacy_dev",
    "virtio_pci",
    "virtio_blk",
    "virtio_console",
    "virtio-rng",
    "virtio_balloon",
)
"""In an order in which each finds what it needs."""

_LAYERED = ("overlay", "vsock", "vmw_vsock_virtio_transport_common", "vmw_vsock_virtio_transport")
"""What a machine needs beside these whose disk is a layer on its image's, and has no console."""

_CARD = ("failover", "net_failover", "virtio_net")
"""What one with a network card needs."""

_FETCH_SECONDS = 600.0
_DEPENDS = re.compile(r"Depends:\s*(linux-image-\S+-cloud-amd64)")


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel, and the beginning of what it unpacks; a machine's own files follow it."""

    image: Path
    initrd: Path


def get_kernel(progress: Progress) -> Kernel:
    """The newest kernel of the system's own Debian archive; fetched when it is not there.

    Raises:
        Unsupported: This processor has none that is known here.
        Unavailable: It cannot be had.
    """
    if platform.machine() != "x86_64":
        raise Unsupported(f"there is no kernel for {platform.machine()} here", op="qemu.kernel")
    if (known := _newest()) is not None:
        return known
    progress("fetching a kernel", None)
    home = _home()
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".partial-", dir=home) as place:
        unpacked = _fetch(Path(place), _package())
        image = next((unpacked / "boot").glob("vmlinuz-*"))
        draft = Path(place) / "made"
        draft.mkdir()
        shutil.copyfile(image, draft / "vmlinuz")
        (draft / "initrd").write_bytes(_initrd(unpacked))
        final = home / f"{image.name.removeprefix('vmlinuz-')}-{_form()}"
        if not final.is_dir():
            draft.rename(final)
    found = _newest()
    assert found is not None
    return found


def _home() -> Path:
    return data_home() / "kernels"


def _script() -> bytes:
    return (files("carrel.machines.qemu") / "init.sh").read_bytes()


def _form() -> str:
    """Changes with what is made of the same packages."""
    names = " ".join((*_MODULES, *_LAYERED, *_CARD))
    return hashlib.sha256(_script() + program() + names.encode()).hexdigest()[:8]


def _newest() -> Kernel | None:
    # A name that begins with a dot is not complete yet.
    made = [path for path in _home().glob(f"[0-9]*-{_form()}") if path.is_dir()]
    if not made:
        return None
    newest = max(made, key=lambda path: path.stat().st_mtime)
    return Kernel(newest / "vmlinuz", newest / "initrd")


def _run(*words: str, cwd: Path | None = None) -> str:
    try:
        done = subprocess.run(
            words,
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=_FETCH_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise Unavailable(
            f"{words[0]} is not here, and a kernel is fetched with it",
            op="qemu.kernel",
            hint="the qemu provider takes its kernel from Debian's archive: use Debian or Ubuntu",
        ) from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{words[0]} took too long", op="qemu.kernel") from None
    if done.returncode != 0:
        raise Unavailable(
            f"a kernel could not be fetched: {done.stderr.strip()[-300:]}",
            op="qemu.kernel",
            hint="apt-get update",
        )
    return done.stdout


def _package() -> str:
    """The package that the newest kernel is in."""
    found = _DEPENDS.search(_run("apt-cache", "depends", _META))
    if found is None:
        raise Unavailable(f"the archive has no {_META}", op="qemu.kernel", hint="apt-get update")
    return found[1]


def _fetch(place: Path, package: str) -> Path:
    _run("apt-get", "download", package, _SHELL, cwd=place)
    unpacked = place / "unpacked"
    for archived in place.glob("*.deb"):
        _run("dpkg-deb", "-x", str(archived), str(unpacked))
    return unpacked


def _initrd(unpacked: Path) -> bytes:
    shell = next(unpacked.glob("**/bin/busybox"))
    content = {"init": (0o755, _script()), "bin/busybox": (0o755, shell.read_bytes())}
    content["bin/attune"] = (0o755, program())
    listings = {"modules": _MODULES, "modules.layered": _LAYERED, "modules.card": _CARD}
    for listing, names in listings.items():
        found = {name: next(unpacked.glob(f"**/{name}.ko"), None) for name in names}
        # Without those that the kernel has built in.
        modules = {name: path for name, path in found.items() if path is not None}
        for name, path in modules.items():
            content[f"lib/modules/{name}.ko"] = (0o644, path.read_bytes())
        content[f"etc/{listing}"] = (0o644, "\n".join(modules).encode() + b"\n")
    for directory in ("proc/", "sys/", "dev/", "machine/"):
        content[directory] = (0o755, b"")
    return archive(content)
