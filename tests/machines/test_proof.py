"""A provider that has worked is not tried again, until something has changed or it has failed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from walls import StandInProvider, use_home, use_provider

from carrel.errors import RunError, Unavailable
from carrel.machines import auto, proof
from carrel.machines.auto import AUTO_ORDER, choose_provider
from carrel.machines.keep import KeeperPlan
from carrel.machines.lifecycle import Machines
from carrel.machines.provider import Health, Isolation
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.store import Store

pytestmark = pytest.mark.anyio

NO = Health(False, Isolation.PROCESS, "switched off", "switch it on")
YES = Health(True, Isolation.PROCESS, "a sandbox ran")


class Tried:
    """A provider that counts its trials."""

    def __init__(self) -> None:
        self.health = YES
        self.trials = 0

    async def probe(self) -> Health:
        self.trials += 1
        return self.health


@pytest.fixture
def tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tried:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path))
    found = Tried()
    monkeypatch.setattr(auto, "get_provider", lambda name: found)
    return found


FIRST = AUTO_ORDER[0]


async def test_a_provider_that_worked_is_not_tried_again(tried: Tried) -> None:
    assert (await choose_provider())[0] == FIRST
    assert (await choose_provider())[0] == FIRST
    assert tried.trials == 1


async def test_a_failure_is_never_remembered(tried: Tried) -> None:
    tried.health = NO
    for _ in range(2):
        with pytest.raises(Unavailable, match="switched off") as caught:
            await choose_provider()
        assert caught.value.hint == "switch it on"
    assert tried.trials == 2 * len(AUTO_ORDER)


@pytest.mark.parametrize(
    "change", ["boot_id", "_text", "_installation", "private_directory", "_NAMESPACES", "_STATUS"]
)
async def test_other_conditions_call_for_another_trial(
    tried: Tried, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    await choose_provider()
    others = {
        "boot_id": lambda: "another",
        "_text": lambda path: "0",
        "_installation": lambda: [1, 2],
        "private_directory": lambda path: Path("/proc"),
        "_NAMESPACES": ("user",),
        "_STATUS": ("Threads:",),
    }
    monkeypatch.setattr(proof, change, others[change])
    assert not proof.is_proven(FIRST)


@pytest.mark.parametrize("name", ["PATH", "CARREL_RUNSC", "DOCKER_HOST"])
async def test_engines_looked_for_elsewhere_are_tried_again(
    tried: Tried, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    await choose_provider()
    monkeypatch.setenv(name, "/elsewhere")
    assert not proof.is_proven(FIRST)
    await choose_provider()
    assert tried.trials == 2


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"namespace": 3}', '{"other": "x"}'])
async def test_a_damaged_proof_proves_nothing(tried: Tried, tmp_path: Path, text: str) -> None:
    (tmp_path / "proven.json").write_text(text)
    assert not proof.is_proven(FIRST)
    await choose_provider()
    assert tried.trials == 1


async def test_only_the_owner_can_read_or_give_a_proof(tmp_path: Path) -> None:
    home = tmp_path / "new"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARREL_HOME", str(home))
        proof.remember("namespace")
        assert proof.is_proven("namespace")
    assert home.stat().st_mode & 0o777 == 0o700


class Broken(StandInProvider):
    """Its walls cannot be made: a source is missing."""

    def plan(self, machine: Machine) -> KeeperPlan:
        plan = super().plan(machine)
        return replace(plan, sandbox=replace(plan.sandbox, lower="/no/such/image"))


@pytest.mark.namespace
async def test_a_failed_start_takes_the_proof_away(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_home(tmp_path_factory.getbasetemp(), monkeypatch)
    provider = Broken()
    use_provider(monkeypatch, provider)
    proof.remember("namespace")
    machines = Machines(Store(tmp_path))
    with anyio.fail_after(30):
        try:
            with pytest.raises(RunError, match="the sandbox could not be made: stage"):
                await machines.up("desk", MachineSpec(provider="namespace", image="host"))
            assert not proof.is_proven(FIRST)
        finally:
            await machines.delete("desk")
