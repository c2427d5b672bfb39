"""Podman's engine by its Docker-compatible socket: the same provider, the same machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from carrel.geometry import Size
from carrel.machines.lifecycle import Machines
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store
from carrel.machines.volumes import Volumes
from thorough import FULL

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.desktop, pytest.mark.image]

SPEC = MachineSpec(provider="docker", size=Size(800, 600), memory_mb=1024)


@pytest.fixture
def podman(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An engine of the test's own, with its own socket and its own disk."""
    if shutil.which("podman") is None:
        pytest.skip("podman is not installed: apt-get install podman")
    if os.geteuid() != 0:
        pytest.skip("only root can start an engine of its own")
    home = Path(tempfile.mkdtemp(prefix="carrel-podman-"))
    socket = home / "podman.sock"
    words: list[str | Path] = ["podman", "--root", home / "root", "--runroot", home / "run"]
    # Debian 12's crun does not know control groups of both versions at once.
    words += ["--runtime", shutil.which("runc") or "crun", "--cgroup-manager", "cgroupfs"]
    words += ["system", "service", "--time=0", f"unix://{socket}"]
    apart = ["unshare", "--mount", "--propagation", "slave"]
    with (home / "log").open("wb") as log:
        engine = subprocess.Popen([*apart, *words], stdout=log, stderr=log)
    try:
        until = time.monotonic() + 30
        while not socket.exists():
            assert engine.poll() is None, (home / "log").read_text()
            assert time.monotonic() < until
            time.sleep(0.05)
        monkeypatch.setenv("DOCKER_HOST", f"unix://{socket}")
        yield socket
    finally:
        engine.terminate()
        engine.wait(30)
        shutil.rmtree(home, ignore_errors=True)


@pytest.mark.skipif(not FULL, reason="Docker is tried with the same code: make test FULL=1")
async def test_podman_makes_the_same_machine(podman: Path, tmp_path: Path) -> None:
    store = Store(tmp_path)
    machines, volumes = Machines(store), Volumes(store)
    volumes.create("data")
    with anyio.fail_after(240):
        try:
            await machines.up("desk", SPEC)
            async with machines.computer("desk") as computer:
                done = await computer.run("sh", "-c", "id -u; grep CapEff /proc/self/status")
                assert done.stdout.decode().split() == ["1000", "CapEff:", "0000000000000000"]
                assert (await computer.screenshot()).size == Size(800, 600)
                await computer.write_file("note", "kept")
            await machines.stop("desk")
            await machines.up("desk")
            async with machines.computer("desk") as computer:
                assert await computer.read_file("note") == "kept"
            # Another container, on the same disk.
            await volumes.attach(machines, "data", "desk", "/srv/data")
            await machines.restart("desk")
            async with machines.computer("desk") as computer:
                assert await computer.read_file("note") == "kept"
                await computer.write_file("/srv/data/note", "lent")
            assert (volumes.get("data").path / "note").read_text() == "lent"
            await machines.pause("desk")
            assert (await machines.status("desk")).observed.state is State.PAUSED
        finally:
            with anyio.CancelScope(shield=True):
                await machines.delete("desk")
    assert asked(podman, "containers/json?all=1") == "[]"
    # Nor the disk that the second container was made from.
    assert "kept" not in asked(podman, "images/json")


def asked(socket: Path, path: str) -> str:
    """What somebody else sees: through curl, not through our own code."""
    command = ["curl", "-sf", "--unix-socket", socket, f"http://localhost/v1.41/{path}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
