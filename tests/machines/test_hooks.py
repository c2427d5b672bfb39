"""Hooks: called with what they are promised, told when they fail, never waited for without end."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import anyio
import pytest

from carrel.machines import hooks
from carrel.machines.chronicle import Chronicle
from carrel.machines.hooks import run_hooks
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State
from carrel.machines.telling import Teller

pytestmark = pytest.mark.anyio


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module of somebody else's."""
    found = ModuleType("acme_hooks_under_test")
    monkeypatch.setitem(sys.modules, found.__name__, found)
    install(monkeypatch, "acme")
    return found


def install(monkeypatch: pytest.MonkeyPatch, *names: str, module: str = "") -> None:
    points = tuple(
        EntryPoint(name, module or "acme_hooks_under_test", "carrel.hooks") for name in names
    )
    monkeypatch.setattr(hooks, "_hooks", lambda: points)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    directory = tmp_path / "machines" / "mac_x"
    directory.mkdir(parents=True)
    return Machine("mac_x", "desk", MachineSpec(), directory, 0.0)


async def test_a_hook_hears_of_the_machine_and_the_cause(
    module: ModuleType, machine: Machine
) -> None:
    heard: list[object] = []
    module.on_machine_start = heard.append  # type: ignore[attr-defined]
    module.on_machine_stop = lambda *told: heard.append(told)  # type: ignore[attr-defined]
    with anyio.fail_after(10):
        assert await run_hooks("on_machine_start", machine) == ()
        assert await run_hooks("on_machine_stop", machine, "it fell") == ()
    assert heard == [machine, (machine, "it fell")]


async def test_a_hook_need_not_have_both(module: ModuleType, machine: Machine) -> None:
    with anyio.fail_after(10):
        assert await run_hooks("on_machine_start", machine) == ()


async def test_no_hooks_cost_no_wait(monkeypatch: pytest.MonkeyPatch, machine: Machine) -> None:
    install(monkeypatch)
    before = time.perf_counter()
    with anyio.fail_after(10):
        assert await run_hooks("on_machine_stop", machine) == ()
    assert time.perf_counter() - before < 0.5


async def test_one_that_fails_does_not_keep_the_next_from_being_called(
    module: ModuleType, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, "one", "two")
    calls: list[str] = []

    def fail(machine: Machine) -> None:
        calls.append(machine.name)
        raise ValueError("no")

    module.on_machine_start = fail  # type: ignore[attr-defined]
    with anyio.fail_after(10):
        problems = await run_hooks("on_machine_start", machine)
    assert calls == ["desk", "desk"]
    assert [problem.split(" of ")[0] for problem in problems] == ["hook one", "hook two"]
    assert all(problem.endswith("failed: ValueError: no") for problem in problems)


async def test_one_that_cannot_be_loaded_is_told(
    monkeypatch: pytest.MonkeyPatch, machine: Machine
) -> None:
    install(monkeypatch, "gone", module="no_such_module_anywhere")
    with anyio.fail_after(10):
        (problem,) = await run_hooks("on_machine_start", machine)
    assert "hook gone of no_such_module_anywhere failed: ModuleNotFoundError" in problem


async def test_one_that_does_not_end_is_left_behind(
    module: ModuleType, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks, "PATIENCE", 0.3)
    let_go = threading.Event()
    module.on_machine_stop = lambda machine, cause: let_go.wait(30)  # type: ignore[attr-defined]
    try:
        with anyio.fail_after(10):
            (problem,) = await run_hooks("on_machine_stop", machine)
    finally:
        let_go.set()
    assert problem.endswith("took longer than 0.3 s and is not waited for")


async def test_a_failure_is_in_the_log_and_in_the_chronicle(
    module: ModuleType, machine: Machine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(machine: Machine, cause: str | None) -> None:
        raise OSError(f"after {cause}")

    module.on_machine_stop = fail  # type: ignore[attr-defined]
    teller = Teller(tmp_path)
    with anyio.fail_after(10):
        await teller.crashed(machine, Observed(State.ERROR, "it fell", started_at=5.0))
        await teller.crashed(machine, Observed(State.ERROR, "it fell", started_at=5.0))
    assert "failed: OSError: after it fell" in caplog.text
    told = [(each.kind, each.cause) for each in Chronicle(tmp_path).read()]
    assert told[0] == ("crashed", "it fell")
    assert told[1][0] == "hook-failed"
    assert len(told) == 2
