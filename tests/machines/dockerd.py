"""A container engine of the tests' own, with its own socket and its own disk."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from carrel.machines.limits import available_mb

PLENTY_MB = 8192


class Dockerd:
    """Docker's engine; start it, kill it, ask it by its own command what there is."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self.socket = home / "docker.sock"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        home = self._home
        for name in ("pid", "exec/containerd/containerd.pid"):
            (home / name).unlink(missing_ok=True)
        options = ["--data-root", home / "data", "--exec-root", home / "exec"]
        options += ["--pidfile", home / "pid", "-H", f"unix://{self.socket}"]
        # No network of its own: our machines have none, and this host's rules stay as they are.
        options += ["--iptables=false", "--ip6tables=false", "--bridge=none"]
        with (home / "log").open("ab") as log:
            # Its mounts are its own: others look at this host's, and must see none of them.
            apart = ["unshare", "--mount", "--propagation", "slave", "dockerd"]
            self._process = subprocess.Popen([*apart, *options], stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while self.ask("version").returncode:
            assert self._process.poll() is None, (home / "log").read_text()[-2000:]
            assert time.monotonic() < deadline, (home / "log").read_text()[-2000:]
            time.sleep(0.2)

    def kill(self) -> None:
        assert self._process is not None
        # With the containerd it started: one left behind would not answer the next.
        containerd = int((self._home / "exec/containerd/containerd.pid").read_text())
        for pid in (self._process.pid, containerd):
            os.kill(pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(60)

    @contextmanager
    def unable_to_remove(self) -> Iterator[None]:
        """Have it fail at removing what a container has written, as a faulty disk would."""
        assert self._process is not None
        place = self._home / "data" / json.loads(self.ask("/info").stdout)["Driver"]
        inside = ["nsenter", "-t", str(self._process.pid), "-m"]
        subprocess.run([*inside, "mount", "--bind", place, place], check=True)
        try:
            subprocess.run([*inside, "mount", "-o", "remount,bind,ro", place], check=True)
            yield
        finally:
            subprocess.run([*inside, "umount", place], check=True)

    def ask(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What somebody else sees: through curl, not through our own code."""
        path = {"version": "/version", "list": "/containers/json?all=1"}.get(words[0], words[0])
        command = ["curl", "-sf", "--unix-socket", str(self.socket), f"http://localhost{path}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=30)

    def containers(self) -> list[dict[str, object]]:
        return list(json.loads(self.ask("list").stdout))


def require_docker() -> None:
    if shutil.which("dockerd") is None:
        pytest.skip("dockerd is not installed: apt-get install docker.io")
    if os.geteuid() != 0:
        pytest.skip("only root can start an engine of its own")


def _quickest() -> Path | None:
    """Where to unpack images and throw them away again: in memory, where there is plenty."""
    place = Path("/dev/shm")
    if not place.is_dir() or (available_mb() or 0) < PLENTY_MB:
        return None
    return place if shutil.disk_usage(place).free >> 20 >= PLENTY_MB else None


@contextmanager
def docker_engine() -> Iterator[Dockerd]:
    # Short: the engine makes sockets below it.
    home = Path(tempfile.mkdtemp(prefix="carrel-dockerd-", dir=_quickest()))
    engine = Dockerd(home)
    try:
        engine.start()
        yield engine
    finally:
        engine.stop()
        shutil.rmtree(home, ignore_errors=True)
