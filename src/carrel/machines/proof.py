"""That a provider has worked here, so that not every start begins with a trial.

A proof holds for one user in one run of this system, as long as nothing that decides on sandboxes
has changed. It only spares a trial: a start whose walls cannot be made fails all the same, and
takes the proof away.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from carrel.machines.keep import boot_id
from carrel.machines.paths import private_directory, state_home

__all__ = ["forget", "is_proven", "remember"]

_FILE = "proven.json"
_SWITCHES = (
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/user/max_user_namespaces",
    "/proc/self/attr/current",
)
_ENGINES = (
    "PATH",
    "CARREL_FIRECRACKER",
    "CARREL_LIMACTL",
    "CARREL_LUME_URL",
    "CARREL_RUNSC",
    "CARREL_WSL",
    "DOCKER_HOST",
    "XDG_RUNTIME_DIR",
)
"""Where engines are looked for."""

_NAMESPACES = ("user", "mnt", "pid", "net")
_STATUS = ("Uid:", "Gid:", "CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:")


def is_proven(provider: str) -> bool:
    """Whether it has worked under the very conditions there are now."""
    return _read().get(provider) == _conditions()


def remember(provider: str) -> None:
    """It has just worked."""
    _write({**_read(), provider: _conditions()})


def forget(provider: str) -> None:
    """It has just failed."""
    proofs = _read()
    if proofs.pop(provider, None) is not None:
        _write(proofs)


def _read() -> dict[str, str]:
    try:
        found = json.loads((state_home() / _FILE).read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(proofs: dict[str, str]) -> None:
    home = private_directory(state_home())
    draft = home / f".{_FILE}.{os.getpid()}"
    draft.write_text(json.dumps(proofs))
    draft.replace(home / _FILE)


def _conditions() -> str:
    """All that decides whether a sandbox can be made: where and as whom we are, and what is on."""
    spaces = [os.readlink(f"/proc/self/ns/{name}") for name in _NAMESPACES]  # noqa: PTH115
    status = Path("/proc/self/status").read_text().splitlines()
    ours = [line for line in status if line.startswith(_STATUS)]
    device = private_directory(state_home()).stat().st_dev
    found = [os.environ.get(name) for name in _ENGINES]
    told = [_installation(), boot_id(), device, spaces, ours, found]
    told += [[_text(path) for path in _SWITCHES]]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _installation() -> list[int]:
    """Changes when another version of Carrel is installed."""
    found = Path(__file__).stat()
    return [found.st_ino, found.st_ctime_ns]


def _text(path: str) -> str | None:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return None
