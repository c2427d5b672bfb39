"""Runs whose machine cannot be had, or goes away between being chosen and being started."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from cli_runner import Carrel

from carrel.errors import Unavailable
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


def test_a_desk_that_cannot_be_had_is_the_error_of_its_scenario_alone(
    carrel: Carrel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, junit, page = (tmp_path / name for name in ("s.steps", "out.xml", "out.html"))
    file.write_text("".join(f'Scenario: {n}\n    set x = "{n}"\n' for n in ("one", "two", "three")))
    asked: list[str] = []

    async def up(self: lifecycle.Machines, name: str, **_: object) -> None:
        asked.append(name)
        raise Unavailable("no desk is to be had", hint="carrel doctor")

    monkeypatch.setattr(lifecycle.Machines, "up", up)
    reports = ("--junit", str(junit), "--report", str(page))
    done = carrel("run", "-f", str(file), *reports, "--display", "none")
    assert done.exit_code == 1, done.output
    assert len(set(asked)) == 3
    assert "0 of 3 scenarios passed" in done.output
    errors = ET.parse(junit).getroot().findall(".//error")
    told = "no desk is to be had; try: carrel doctor"
    assert [error.get("message") for error in errors] == [told] * 3
    assert page.read_text().count(told) == 3
