"""A Firecracker for tests, with a guest of a few instructions that stays."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fake_firecracker import install

from carrel.errors import Unavailable
from carrel.machines.firecracker import wishes
from carrel.machines.firecracker.api import API_SOCKET, FirecrackerApi
from carrel.machines.firecracker.orders import Orders
from carrel.machines.firecracker.process import launch, lay_out
from carrel.machines.firecracker.trial import trial_kernel
from carrel.machines.firecracker.wishes import Wish
from carrel.machines.qemu.accelerator import find_qemu


def require_qemu() -> None:
    try:
        find_qemu()
    except Unavailable as error:
        pytest.skip(f"{error.message}: {error.hint}")


def put_on_path(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the stand-in be this system's Firecracker."""
    import os

    monkeypatch.delenv("CARREL_FIRECRACKER", raising=False)
    monkeypatch.setenv("PATH", f"{install(directory)}:{os.environ['PATH']}")
    return directory / "firecracker"


def lasting_kernel() -> bytes:
    """A guest that says its word and then waits for ever, instead of a reset."""
    kernel = trial_kernel()
    reset = b"\x66\xba\x64\x00\xb0\xfe\xee"
    assert kernel.count(reset) == 1
    return kernel.replace(reset, b"\x90" * len(reset))


def tiny(*more: Wish) -> tuple[Wish, ...]:
    """A machine with that guest, and everything but disks."""
    return (
        wishes.logger("log"),
        wishes.metrics("metrics"),
        wishes.machine_config(1, 64),
        wishes.boot_source("kernel", "console=ttyS0"),
        wishes.vsock("v.sock"),
        wishes.balloon(reporting=True),
        wishes.entropy(),
        *more,
    )


@contextmanager
def running(
    place: Path, asked: tuple[Wish, ...] = (), **files: Path
) -> Iterator[tuple[FirecrackerApi, subprocess.Popen[bytes]]]:
    """A Firecracker of which that much was asked."""
    require_qemu()
    place.mkdir(parents=True, exist_ok=True)
    program = install(place) / "firecracker"
    (place / "kernel").write_bytes(lasting_kernel())
    laid = {"kernel": str(place / "kernel"), **{name: str(path) for name, path in files.items()}}
    argv = (str(program), "--id", "tiny", "--api-sock", API_SOCKET)
    root = place / "root"
    orders = Orders(argv, str(root), asked, laid)
    lay_out(orders)
    with (place / "console").open("wb") as console:
        process = launch(orders, console.fileno(), tied=False)
    try:
        yield FirecrackerApi(root), process
    finally:
        process.kill()
        process.wait()
