"""Kept states on the command line: listed, completed and deleted."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import Carrel

from carrel.machines.chronicle import Chronicle
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.store import Store


@pytest.fixture
def desk(home: Path) -> Machine:
    """A stopped machine of gVisor's, of which two states are kept; no engine is needed for that."""
    store = Store(home)
    machine = store.add("desk", MachineSpec(provider="gvisor"))
    for label in ("before-checkout", "fresh"):
        place = machine.directory / "snapshots" / label
        place.mkdir(parents=True)
        (place / "checkpoint.img").write_bytes(bytes(4096))
    store.complete(machine)
    return machine


def kept(machine: Machine) -> list[str]:
    return sorted(path.name for path in (machine.directory / "snapshots").iterdir())


def test_a_deleted_snapshot_is_gone_and_that_is_on_record(
    carrel: Carrel, home: Path, desk: Machine
) -> None:
    done = carrel("snapshot", "desk", "fresh", "--delete")
    assert (done.exit_code, done.stdout) == (0, "the snapshot fresh of desk is deleted\n")
    assert kept(desk) == ["before-checkout"]
    (told,) = Chronicle(home).read()
    assert (told.kind, told.machine, told.facts) == ("discarded", "desk", {"label": "fresh"})
    assert json.loads(carrel("snapshot", "desk", "--json").stdout) == {
        "machine": "desk",
        "snapshots": ["before-checkout"],
    }
    done = carrel("snapshot", "desk", "before-checkout", "-d", "--json")
    assert json.loads(done.stdout) == {"machine": "desk", "deleted": ["before-checkout"]}
    assert kept(desk) == []


def test_what_cannot_be_deleted_is_told_with_what_can(
    carrel: Carrel, home: Path, desk: Machine
) -> None:
    done = carrel("snapshot", "desk", "nope", "--delete", "--json")
    error = json.loads(done.stdout)["error"]
    assert (done.exit_code, error["code"]) == (2, "not_found")
    assert error["message"] == "desk has no snapshot 'nope'"
    assert error["hint"] == "there is before-checkout, fresh"
    done = carrel("snapshot", "desk", "--delete")
    assert done.exit_code == 2
    assert "carrel snapshot desk LABEL --delete" in done.stderr
    assert "'a/b' is not a label for" in carrel("snapshot", "desk", "a/b", "--delete").stderr
    assert "no machine named nobody" in carrel("snapshot", "nobody", "fresh", "-d").stderr
    store = Store(home)
    plain = store.add("plain", MachineSpec())
    plain.directory.mkdir()
    store.complete(plain)
    done = carrel("snapshot", "plain", "fresh", "--delete")
    assert done.exit_code == 3
    assert "machines of the namespace provider have no snapshots to delete" in done.stderr
    assert kept(desk) == ["before-checkout", "fresh"]
    assert list(Chronicle(home).read()) == []


@pytest.mark.parametrize(("answer", "left"), [("n", 2), ("y", 1)])
def test_on_a_terminal_it_asks_first(
    home: Path, desk: Machine, plain_env: dict[str, str], answer: str, left: int
) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, f"{answer}\n".encode())
    try:
        done = subprocess.run(
            [sys.executable, "-m", "carrel", "snapshot", "desk", "fresh", "--delete"],
            env={**plain_env, "CARREL_HOME": str(home)},
            stdin=theirs,
            capture_output=True,
            text=True,
            timeout=60,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert "Delete the snapshot fresh of desk? [y/N]" in done.stderr
    assert len(kept(desk)) == left
    assert (done.returncode == 0) is (answer == "y"), done.stderr


def test_what_an_interrupted_deletion_left_is_no_snapshot_and_goes_with_the_next(
    carrel: Carrel, desk: Machine
) -> None:
    place = desk.directory / "snapshots"
    (place / "fresh").rename(place / ".discarded-0123abcd")
    assert json.loads(carrel("snapshot", "desk", "--json").stdout)["snapshots"] == [
        "before-checkout"
    ]
    assert carrel("snapshot", "desk", "before-checkout", "--delete").exit_code == 0
    assert kept(desk) == []
