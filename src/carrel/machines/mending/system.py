"""What this system lacks: packages, engines that do not run, providers that cannot be loaded."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial

from anyio import to_thread

from carrel.errors import CarrelError, RunError, Unavailable
from carrel.machines.docker.api import EngineApi, engine_socket, find_dockerd
from carrel.machines.mending.fault import Fault
from carrel.machines.paths import data_home, state_home
from carrel.machines.provider import get_provider, provider_names
from carrel.machines.store import Store

__all__ = [
    "LEAST_ROOM",
    "X_SERVER",
    "disk_faults",
    "engine_faults",
    "missing_parts",
    "package_faults",
    "provider_faults",
]

# What the guest loads by name when it runs on this system itself; the image brings its own.
_LIBRARIES = {
    "libyuv.so.0": ("libyuv0", "PNG is slower without it"),
    "libisal.so.2": ("libisal2", "PNG is slower without it"),
    "libturbojpeg.so.0": ("libturbojpeg0", "no JPEG without it"),
    "libwebp.so.7": ("libwebp7", "no WebP without it"),
}
_PROGRAMS = {
    "dbus-daemon": ("dbus", "no accessibility tree without it"),
    "openbox": ("openbox", "no window management without it"),
    "tint2": ("tint2", "no panel without it"),
}
X_SERVER = "an X server"
LEAST_ROOM = 3e8
"""Bytes on a disk, below which little works."""
_SERVER = ("xvfb", "no desk without it")
_APT_SECONDS = 900.0


def missing_parts() -> tuple[tuple[str, str, str], ...]:
    """What image host lacks on this system: the part, its package, and what is lost."""
    server = not any(map(shutil.which, ("Xvfb", "Xtigervnc")))
    return (
        *(((X_SERVER, *_SERVER),) if server else ()),
        *((name, *about) for name, about in _PROGRAMS.items() if shutil.which(name) is None),
        *((name, *about) for name, about in _LIBRARIES.items() if not _loads(name)),
    )


def _loads(library: str) -> bool:
    import ctypes

    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def package_faults(*, install: bool) -> Iterator[Fault]:
    """What is missing for image host.

    Args:
        install: Whether this system may be changed.
    """
    missing = missing_parts()
    if not missing:
        return
    packages = sorted({package for _, package, _ in missing})
    command = ["apt-get", "install", "--yes", *packages]
    words = ", ".join(f"{name} ({loss})" for name, _, loss in missing)
    may = install and os.geteuid() == 0 and shutil.which("apt-get") is not None
    sudo = "" if os.geteuid() == 0 else "sudo "
    yield Fault(
        "packages",
        " ".join(packages),
        f"missing for image host: {words}",
        f"run {' '.join(command)}" if may else None,
        f"{sudo}apt-get install {' '.join(packages)}",
        partial(to_thread.run_sync, _install, command) if may else None,
    )


def _install(command: list[str]) -> str:
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        command,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_APT_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise RunError(
            f"{' '.join(command)} failed: {''.join(said)}", hint="apt-get update, and try again"
        )
    return f"{' '.join(command[3:])} installed"


def disk_faults() -> Iterator[Fault]:
    """Disks on which machines soon cannot write any more."""
    for path in dict.fromkeys((data_home(), state_home())):
        there = next(parent for parent in (path, *path.parents) if parent.exists())
        free = shutil.disk_usage(there).free
        if free < LEAST_ROOM:
            yield Fault(
                "disk",
                str(path),
                f"{free // 1_000_000} MB are left on its disk",
                hint="delete files, images or machines, or set CARREL_HOME to another disk",
            )


def engine_faults(store: Store) -> Iterator[Fault]:
    """Docker, installed and not running, where machines need it.

    It is started by whoever wants it, not by us; and who has no machine of it may not want it.
    """
    needed = any(machine.spec.provider == "docker" for machine in store.all())
    if not needed or find_dockerd() is None:
        return
    try:
        path = engine_socket()
        if path.exists() and not os.access(path, os.W_OK):
            return  # not this user's
        EngineApi(path).get("/_ping", timeout=10.0)
    except Unavailable as error:
        yield Fault("engine", "docker", error.message, hint=error.hint)
    except CarrelError:
        return  # it answers, or another engine is meant


def provider_faults() -> Iterator[Fault]:
    """Providers of other packages that cannot be loaded."""
    for name in provider_names():
        try:
            get_provider(name)
        except Unavailable as error:
            yield Fault("provider", name, error.message, hint=error.hint)
