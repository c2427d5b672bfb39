"""The engines that machines are tried on, each with what it needs here."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from dockerd import Dockerd, docker_engine, require_docker

from carrel.errors import Unavailable
from carrel.geometry import Size
from carrel.machines import gvisor
from carrel.machines.lifecycle import Machines
from carrel.machines.qemu.accelerator import find_accelerator
from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store
from thorough import FULL

ENGINES = ("namespace", "gvisor", "docker", "qemu")
BOUND = 240.0
"""Seconds for a test: a virtual machine on an imitated processor, beside other tests."""

_RUNSC = Path(__file__).parents[2] / ".venv/gvisor/runsc"
_SPEC = MachineSpec(image="minimal", size=Size(640, 480), memory_mb=512, pids=400)


@dataclass(frozen=True)
class Engine:
    """One that works here."""

    name: str
    dockerd: Dockerd | None = None
    spec: MachineSpec = field(default=_SPEC)

    def __str__(self) -> str:
        return self.name


def only_if_full(engine: str) -> None:
    """Skip what takes long, with how to have it."""
    if not FULL:
        pytest.skip(f"on {engine} only with: make test FULL=1")


@contextmanager
def engine_ready(name: str) -> Iterator[Engine]:
    """Have an engine, or skip with what is missing."""
    engine = Engine(name, spec=replace(_SPEC, provider=name))
    with pytest.MonkeyPatch.context() as patch:
        try:
            if name == "gvisor":
                if "CARREL_RUNSC" not in os.environ and _RUNSC.exists():
                    patch.setenv("CARREL_RUNSC", str(_RUNSC))
                gvisor.find_runsc()
            elif name == "qemu":
                find_accelerator()
        except Unavailable as error:
            pytest.skip(f"{error.message}: {error.hint}")
        if name != "docker":
            yield engine
            return
        require_docker()
        with docker_engine() as own:
            patch.setenv("DOCKER_HOST", f"unix://{own.socket}")
            yield replace(engine, dockerd=own)


class Place:
    """A store of a test's own, as the command line and as this process see it."""

    def __init__(self, home: Path, engine: Engine) -> None:
        self.engine = engine
        self.home = home
        self.machines = Machines(Store(home / "carrel"))

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, "XDG_STATE_HOME": str(self.home)}

    @property
    def wish(self) -> list[str]:
        """The engine's machine, in words of the command line."""
        spec = self.engine.spec
        words = ["--provider", spec.provider, "--image", spec.image, "--size", str(spec.size)]
        return [*words, "--memory", str(spec.memory_mb), "--pids", str(spec.pids)]

    @staticmethod
    def command(*words: str) -> list[str]:
        return [sys.executable, "-m", "carrel", *words]

    def carrel(
        self, *words: str, through: list[str] | None = None, timeout: float = BOUND
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end; `through` begins its command line."""
        command = [*(through or []), *self.command(*words)]
        return subprocess.run(
            command, env=self.env, capture_output=True, text=True, timeout=timeout
        )
