"""`import carrel` is light: it is paid by every command, every time."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import carrel

BUDGET = 0.150
PROBE = """
import json, socket, sys, time
opened = []
real = socket.socket.__init__
def watch(self, *args, **kwargs):
    opened.append(args)
    real(self, *args, **kwargs)
socket.socket.__init__ = watch
before = time.process_time()
import carrel
{extra}
after = time.process_time()
print(json.dumps({{"cpu": after - before, "sockets": len(opened), "modules": sorted(sys.modules)}}))
"""


def probe(extra: str = "") -> dict[str, Any]:
    """The best of several: other work on this system is not what is measured."""
    best: dict[str, Any] | None = None
    for turn in range(10):
        command = [sys.executable, "-c", PROBE.format(extra=extra)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        run = json.loads(told)
        best = run if best is None or run["cpu"] < best["cpu"] else best
        if turn >= 1 and best["cpu"] < BUDGET:
            break
    assert best is not None
    return best


def test_importing_carrel_takes_less_than_150_ms_of_cpu_and_opens_no_socket() -> None:
    run = probe()
    assert run["cpu"] < BUDGET
    assert run["sockets"] == 0


def test_importing_the_client_and_the_machines_stays_within_the_same_budget() -> None:
    run = probe("from carrel import Computer, Machines, MachineSpec")
    assert run["cpu"] < BUDGET
    assert run["sockets"] == 0


def test_importing_carrel_loads_nothing_heavy() -> None:
    heavy = {"rich", "click", "Xlib", "jeepney", "sqlite3", "anyio"}
    modules = probe()["modules"]
    assert isinstance(modules, list)
    assert heavy.isdisjoint(modules)


def test_the_public_surface_is_what_it_says() -> None:
    assert dir(carrel) == sorted(carrel.__all__)
    for name in carrel.__all__:
        assert getattr(carrel, name) is not None


def test_the_public_surface_is_frozen() -> None:
    assert sorted(carrel.__all__) == [
        "Agent",
        "Box",
        "CarrelError",
        "Change",
        "Computer",
        "Effect",
        "Element",
        "ElementTree",
        "Frame",
        "Limits",
        "Machine",
        "MachineSpec",
        "Machines",
        "Point",
        "Policy",
        "Process",
        "Result",
        "Run",
        "Running",
        "Size",
        "Standing",
        "State",
        "Window",
        "__version__",
        "tool",
    ]


def test_an_agent_loads_no_machines_no_sdk_and_no_parser_before_it_runs() -> None:
    heavy = {"carrel.machines.lifecycle", "carrel.computer", "openai", "anthropic", "httpx2"}
    heavy |= {"PIL", "mcp", "sqlite3", "tomllib", "rich", "pydantic"}
    run = probe("from carrel import Agent; Agent")
    modules = run["modules"]
    assert isinstance(modules, list)
    assert heavy.isdisjoint(modules)
    assert run["sockets"] == 0
