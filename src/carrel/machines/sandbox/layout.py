"""Which parts of the host a sandbox shows: from an image, or from this system itself."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import Unavailable
from carrel.machines.sandbox.plan import (
    AGENT_GID,
    AGENT_HOME,
    AGENT_UID,
    GUEST_BUNDLE,
    Bind,
    Tmpfs,
)

__all__ = [
    "Layout",
    "agent_env",
    "host_layout",
    "image_layout",
    "machine_identity",
    "machine_uid",
    "write_identity",
    "write_settings",
]

# What a Unix system keeps its programs in. A list of what may be seen, not of what may not: a
# directory nobody thought of stays outside.
_SHOWN = (
    "bin",
    "etc",
    "gnu",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "nix",
    "opt",
    "sbin",
    "usr",
)
# Of /var only what installed programs look things up in. Services keep their sockets there, and a
# read-only mount does not keep anybody from connecting to one.
_SHOWN_IN_VAR = (
    "cache/fontconfig",
    "cache/man",
    "lib/app-info",
    "lib/aspell",
    "lib/dictionaries-common",
    "lib/dpkg",
    "lib/emacsen-common",
    "lib/flatpak",
    "lib/ghostscript",
    "lib/ispell",
    "lib/python",
    "lib/sgml-base",
    "lib/swcatalog",
    "lib/texmf",
    "lib/xfonts",
    "lib/xkb",
    "lib/xml-core",
)
_NEVER = ("/etc/ssh", "/usr/local/etc/ssh", "/nix/var/nix/daemon-socket")
_RUN_DIRECTORIES = ("/run/lock", "/run/user")
_SYSTEM_PYTHON = "/usr/bin/python3"
_OLDEST_PYTHON = (3, 11)
# Above every range that distributions and systemd hand out, below the sign bit.
_FIRST_UID = 0x7000_0000


@dataclass(frozen=True, slots=True)
class Layout:
    """The file system part of a sandbox plan, and the interpreter found in it."""

    python: str
    lower: str | None = None
    links: tuple[tuple[str, str], ...] = ()
    binds: tuple[Bind, ...] = ()
    masks: tuple[str, ...] = ()


def machine_uid(machine_id: str) -> int:
    """The user a machine of root's runs as: nobody else's, and the same at every start."""
    digest = hashlib.sha256(machine_id.encode()).digest()
    return _FIRST_UID + (int.from_bytes(digest[:4], "big") >> 5)


def machine_identity(machine_id: str) -> str:
    """What a machine's `/etc/machine-id` says: its own, and the same at every start."""
    return hashlib.sha256(f"machine-id {machine_id}".encode()).hexdigest()[:32]


def image_layout(tree: Path, python: str = _SYSTEM_PYTHON) -> Layout:
    """A root that is an image's tree with a private layer over it."""
    return Layout(python=python, lower=str(tree))


def host_layout(private: Iterable[Path], root: Path = Path("/")) -> Layout:
    """A root made of this system's programs, read-only, without anybody's files.

    Args:
        private: Directories that must look empty, such as the caller's home.
        root: Where to look; the tests use another one.
    """
    links: list[tuple[str, str]] = []
    binds: list[Bind] = []
    for name in _SHOWN:
        path = root / name
        if path.is_symlink():
            links.append((f"/{name}", str(path.readlink())))
        elif path.is_dir():
            binds.append(Bind(str(path), f"/{name}"))
    inner = ((root / "var" / name, f"/var/{name}") for name in _SHOWN_IN_VAR)
    binds += [Bind(str(path), target) for path, target in inner if path.is_dir()]
    masks = {*_NEVER, *(str(path.resolve()) for path in private)} - {"/"}
    python, extra = _interpreter()
    shown = tuple(binds + extra)
    return Layout(python, links=tuple(links), binds=shown, masks=tuple(sorted(masks)))


def _interpreter() -> tuple[str, list[Bind]]:
    version = Path(_SYSTEM_PYTHON).resolve().name.removeprefix("python")
    numbers = tuple(int(part) for part in version.split(".") if part.isdecimal())
    if numbers >= _OLDEST_PYTHON:
        return _SYSTEM_PYTHON, []
    base = Path(sys.base_prefix).resolve()
    executable = base / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not executable.exists():
        raise Unavailable(
            f"no Python {_OLDEST_PYTHON[0]}.{_OLDEST_PYTHON[1]} that a machine could run",
            hint="install your distribution's python3 (3.11 or later), or use --image desktop",
        )
    already = any(base.is_relative_to(f"/{name}") for name in _SHOWN)
    return str(executable), [] if already else [Bind(str(base), str(base))]


def scratch(memory_mb: int) -> tuple[Tmpfs, ...]:
    """The empty file systems every sandbox has. Their pages count as the machine's memory."""
    half = max(memory_mb // 2, 32)
    return (
        Tmpfs("/tmp", half, "1777"),  # noqa: S108
        Tmpfs("/var/tmp", half, "1777"),  # noqa: S108
        Tmpfs("/run", 64),
        *(Tmpfs(path, 16, "1777") for path in _RUN_DIRECTORIES),
        Tmpfs(f"/run/user/{AGENT_UID}", 64, "700"),
        Tmpfs("/home", 1),
    )


def agent_env(bundle: str = GUEST_BUNDLE, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of the guest program; nothing of the caller's comes along."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games",
        "LANG": "C.UTF-8",
        "SHELL": "/bin/bash",
        **(extra or {}),
        "HOME": AGENT_HOME,
        "USER": "agent",
        "LOGNAME": "agent",
        "XDG_RUNTIME_DIR": f"/run/user/{AGENT_UID}",
        "PYTHONPATH": bundle,
    }


def write_identity(directory: Path, machine_id: str, name: str, etc: Path) -> tuple[Bind, ...]:
    """Write who the machine is, and say over which files of its `/etc` that goes.

    Args:
        directory: Where to write.
        machine_id: Gives the machine id that D-Bus and others ask for.
        name: The host name.
        etc: The `/etc` to start from; files it does not have are left out.
    """
    directory.mkdir(mode=0o755, exist_ok=True)
    agent = f"agent:x:{AGENT_UID}:{AGENT_GID}:Agent:{AGENT_HOME}:/bin/bash"
    texts = {
        "passwd": _accounts(etc / "passwd", AGENT_UID, agent),
        "group": _accounts(etc / "group", AGENT_GID, f"agent:x:{AGENT_GID}:"),
        "hostname": f"{name}\n",
        "hosts": f"127.0.0.1 localhost {name}\n::1 localhost ip6-localhost ip6-loopback\n",
        "machine-id": machine_identity(machine_id) + "\n",
    }
    binds = []
    for file, text in texts.items():
        path = directory / file
        path.write_text(text)
        path.chmod(0o644)
        # A link (NixOS, ostree) leads elsewhere; what it says then stays as it is.
        if (etc / file).is_file() and not (etc / file).is_symlink():
            binds.append(Bind(str(path), f"/etc/{file}"))
    directory.chmod(0o755)
    return tuple(binds)


def write_settings(directory: Path, etc: Path, texts: Mapping[str, str]) -> tuple[Bind, ...]:
    """Write settings that programs need inside walls, over a copy of what the system has there.

    Args:
        directory: Where to write.
        etc: The `/etc` to start from; programs that have no directory in it are left out.
        texts: By path below `/etc`: `chromium.d/carrel`.
    """
    tops = sorted({file.split("/")[0] for file in texts})
    shown = [top for top in tops if (etc / top).is_dir() and not (etc / top).is_symlink()]
    for top in shown:
        shutil.rmtree(directory / top, ignore_errors=True)
        shutil.copytree(etc / top, directory / top, ignore_dangling_symlinks=True)
    for file, text in texts.items():
        path = directory / file
        if file.split("/")[0] in shown:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o644)
            for folder in list(path.relative_to(directory).parents)[:-1]:
                (directory / folder).chmod(0o755)
    return tuple(Bind(str(directory / top), f"/etc/{top}") for top in shown)


def _accounts(source: Path, number: int, ours: str) -> str:
    """The system's own accounts; a person who has our number or name would only confuse."""
    try:
        lines = source.read_text(errors="surrogateescape").splitlines()
    except FileNotFoundError:
        lines = []
    kept = [line for line in lines if _is_system(line, number)]
    return os.linesep.join([*kept, ours, ""]).encode(errors="replace").decode()


def _is_system(line: str, number: int) -> bool:
    fields = line.split(":")
    if len(fields) < 3 or not fields[2].isdecimal() or fields[0] == "agent":
        return False
    return int(fields[2]) < number or int(fields[2]) >= 65000
