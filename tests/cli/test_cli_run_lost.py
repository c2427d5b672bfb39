"""A machine that goes away between being chosen and being started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import Carrel

from carrel.machines import lifecycle
from carrel.machines.spec import Machine
from carrel.machines.store import Store


@pytest.mark.namespace
def test_a_machine_that_goes_away_while_a_run_begins_is_not_made_anew(
    carrel: Carrel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_RUNS", str(tmp_path / "runs"))
    script = tmp_path / "script"
    script.write_text(json.dumps({"actions": [{"type": "done"}]}) + "\n")
    assert carrel("init", "mine", "--provider", "namespace", "--image", "host").exit_code == 0
    get = Store.get

    def get_for_the_last_time(self: Store, name: str) -> Machine:
        machine = get(self, name)
        self.remove(machine)
        monkeypatch.setattr(Store, "get", get)
        return machine

    async def make_anew(*_: object) -> None:
        pytest.fail("another machine is made")

    monkeypatch.setattr(Store, "get", get_for_the_last_time)
    monkeypatch.setattr(lifecycle, "make_running", make_anew)
    done = carrel("run", "x", "--model", f"scripted:{script}", "-m", "mine")
    assert done.exit_code == 2, done.output
    assert "no machine" in done.output
    assert list(Store().names()) == []
    assert not (tmp_path / "runs").exists()
