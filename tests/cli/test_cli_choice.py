"""Which machine is meant, and what `carrel` alone suggests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import Carrel

from carrel.cli._machines import choose_machine
from carrel.errors import NotFound, UsageError
from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store


def add(home: Path, *names: str) -> Store:
    store = Store(home)
    for name in names:
        store.complete(store.add(name, MachineSpec(image="host")))
    return store


def test_the_only_machine_is_meant(home: Path) -> None:
    assert choose_machine(None, add(home, "web")) == "web"


def test_desk_is_meant_among_several(home: Path) -> None:
    assert choose_machine(None, add(home, "web", "desk")) == "desk"


def test_a_name_is_taken_as_it_is(home: Path) -> None:
    assert choose_machine("other", add(home, "web", "desk")) == "other"


def test_several_without_desk_are_named(home: Path) -> None:
    store = add(home, "web", "mail")
    with pytest.raises(UsageError, match="there are web, mail"):
        choose_machine(None, store)


def test_none_leads_to_up(home: Path, carrel: Carrel) -> None:
    with pytest.raises(NotFound, match="no machine yet"):
        choose_machine(None, Store(home))
    done = carrel("do", "cursor")
    assert (done.exit_code, done.stderr) == (2, "error: there is no machine yet\ntry: carrel up\n")


def test_alone_it_shows_three_next_commands(home: Path, carrel: Carrel) -> None:
    done = carrel()
    assert done.exit_code == 0
    assert "There is no machine" in done.stdout
    assert len(json.loads(carrel("--json").stdout)["next"]) == 3
    add(home, "web")
    document = json.loads(carrel("--json").stdout)
    assert [machine["name"] for machine in document["machines"]] == ["web"]
    assert document["machines"][0]["state"] == "lost"
    assert len(document["next"]) == 3


def test_options_that_differ_from_the_machine_are_named(home: Path, carrel: Carrel) -> None:
    add(home, "web")
    done = carrel("up", "web", "--size", "640x480", "--memory", "1GB")
    assert done.exit_code == 2
    assert done.stderr.startswith("error: web exists with size 1280x800, memory 4GB\n")


def test_a_copy_needs_one_end_inside(carrel: Carrel) -> None:
    assert carrel("cp", "a", "b").stderr.startswith("error: neither side is inside")
    assert carrel("cp", "a:b", "c:d").stderr.startswith("error: both sides are inside")
    assert carrel("cp", "A_B:x", ".").stderr.startswith("error: 'A_B' is not a machine name")


def test_the_egress_log_is_shown_as_lines_and_as_json(home: Path, carrel: Carrel) -> None:
    store = add(home, "web")
    directory = store.get("web").directory
    directory.mkdir(parents=True)
    entry = {"at": "2026-01-01T00:00:00.000+00:00", "verdict": "deny", "host": "evil.example"}
    entry |= {"port": 443, "reason": "no rule"}  # type: ignore[dict-item]
    (directory / "egress.jsonl.1").write_text(json.dumps(entry) + "\n")
    (directory / "egress.jsonl").write_text(json.dumps({**entry, "port": 80}) + '\n{"half')
    lines = carrel("logs", "web", "--egress").stdout.splitlines()
    assert [line.split()[2] for line in lines] == ["evil.example:443", "evil.example:80"]
    found = carrel("logs", "web", "--egress", "--json").stdout.splitlines()
    assert [json.loads(line)["port"] for line in found] == [443, 80]
