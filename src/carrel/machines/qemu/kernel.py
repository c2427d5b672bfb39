"""The kernel of a virtual machine and what it unpacks at its start: Debian's, fetched once."""

from __future__ import annotations

import hashlib
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
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
    "virtio_mmio",
    "virtio_pci",
    "virtio_blk",
    "virtio_console",
    "virtio-rng",
    "virtio_balloon",
)
"""What every machine needs, and with it what these need."""

_LAYERED = ("overlay", "vmw_vsock_virtio_transport")
"""What a machine needs beside these whose disk is a layer on its image's, and has no console."""

_CARD = ("virtio_net",)
"""What one with a network card needs."""

_FETCH_SECONDS = 600.0
_DEPENDS = re.compile(r"Depends:\s*(linux-image-\S+-cloud-amd64)")
_NEEDS = re.compile(rb"\0depends=([^\0]*)\0")
"""In a module: which others have to be there first."""


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
    modules = _modules(unpacked)
    _require(_MODULES, modules, unpacked)
    listings = {"modules": _MODULES, "modules.layered": _LAYERED, "modules.card": _CARD}
    loaded: list[str] = []
    for listing, names in listings.items():
        more = [name for name in _in_order(names, modules) if name not in loaded]
        # Of the two kinds of extras a machine may have one alone.
        loaded += more if listing == "modules" else []
        for name in more:
            content[f"lib/modules/{name}.ko"] = (0o644, _content(modules[name]))
        content[f"etc/{listing}"] = (0o644, "\n".join(more).encode() + b"\n")
    for directory in ("proc/", "sys/", "dev/", "machine/"):
        content[directory] = (0o755, b"")
    return archive(content)


def _modules(unpacked: Path) -> dict[str, Path]:
    """The files of all modules by name, packed or not."""
    files = (path for pattern in ("*.ko", "*.ko.xz") for path in unpacked.glob(f"**/{pattern}"))
    return {_plain(path.name.partition(".ko")[0]): path for path in files}


def _content(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix != ".xz":
        return data
    import lzma

    return lzma.decompress(data)


def _require(names: Iterable[str], modules: Mapping[str, Path], unpacked: Path) -> None:
    """See that each is there, or built into the kernel.

    Raises:
        Unavailable: One is not: no machine would find its devices.
    """
    listed = " ".join(path.read_text() for path in unpacked.glob("**/modules.builtin"))
    built_in = {_plain(Path(line).name.partition(".ko")[0]) for line in listed.split()}
    missing = [name for name in map(_plain, names) if name not in modules and name not in built_in]
    if missing:
        raise Unavailable(
            f"the kernel of the archive has no {', '.join(missing)}", op="qemu.kernel"
        )


def _in_order(names: Iterable[str], modules: Mapping[str, Path]) -> list[str]:
    """These modules and all that they need, each behind what it needs itself.

    Without those that the kernel has built in.
    """
    found: list[str] = []

    def add(name: str) -> None:
        if name not in modules or name in found:
            return
        needed = _NEEDS.search(_content(modules[name]))
        for other in needed[1].decode().split(",") if needed else ():
            add(_plain(other))
        found.append(name)

    for name in names:
        add(_plain(name))
    return found


def _plain(name: str) -> str:
    """A module's name as the kernel tells it, whatever its file is called."""
    return name.replace("-", "_")
