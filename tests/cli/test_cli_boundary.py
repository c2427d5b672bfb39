"""Every error becomes words and an exit status."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import Carrel

from carrel.cli._machines import run
from carrel.errors import ActionFailed, CarrelError, InvalidInput, TimedOut, Unavailable
from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store


def raises(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def store(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr("carrel.machines.store.Store.all", store)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ActionFailed("no", hint="look"), 1),
        (InvalidInput("no", hint="look"), 2),
        (Unavailable("no", hint="look"), 3),
    ],
)
def test_the_exit_status_is_the_error_s(
    carrel: Carrel, monkeypatch: pytest.MonkeyPatch, error: CarrelError, status: int
) -> None:
    raises(monkeypatch, error)
    done = carrel("status")
    assert (done.exit_code, done.stdout) == (status, "")
    assert done.stderr == "error: no\ntry: look\n"
    done = carrel("status", "--json")
    assert (done.exit_code, done.stderr) == (status, "")
    assert json.loads(done.stdout) == {"error": error.to_wire()}


def test_an_unknown_option_is_told_as_json_too(carrel: Carrel) -> None:
    done = carrel("status", "--nonsense", "--json")
    assert done.exit_code == 2
    wire = json.loads(done.stdout)["error"]
    assert wire["code"] == "usage"
    assert wire["hint"] == "carrel status --help"


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded", "/some/file"),
        sqlite3.OperationalError("database or disk is full"),
    ],
)
def test_a_full_disk_is_told_with_the_way_out(
    carrel: Carrel, home: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    raises(monkeypatch, error)
    done = carrel("status")
    assert done.exit_code == 1
    where = getattr(error, "filename", None) or home
    assert done.stderr.startswith(f"error: there is no room left on the disk of {where}\ntry: ")


def test_a_disk_that_is_almost_full_is_told_with_the_machines(
    carrel: Carrel, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(home)
    machine = store.add("desk", MachineSpec(image="host"))
    machine.directory.mkdir(parents=True)
    store.complete(machine)
    assert "disk:" not in carrel("status").stdout
    usage = shutil.disk_usage(home)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=5_000_000))
    assert f"disk: 5.0 MB are left in {home}: delete files or machines" in carrel("status").stdout


def test_no_error_shows_a_traceback(carrel: Carrel, monkeypatch: pytest.MonkeyPatch) -> None:
    raises(monkeypatch, ZeroDivisionError("surprise"))
    done = carrel("status")
    assert done.exit_code == 1
    assert done.stderr.startswith("error: internal error: ZeroDivisionError: surprise\ntry: ")
    assert "Traceback" not in done.output
    assert "Traceback" in carrel("--debug", "status").stderr


def test_a_damaged_store_is_told(carrel: Carrel, home: Path) -> None:
    home.mkdir()
    (home / "carrel.db").write_bytes(b"this is no database" * 100)
    done = carrel("status")
    assert done.exit_code == 1
    assert done.stderr.startswith("error: the store of machines cannot be used: ")
    assert issubclass(sqlite3.DatabaseError, Exception)


def test_a_home_that_cannot_be_made_is_told(carrel: Carrel, home: Path) -> None:
    home.write_text("a file in the way")
    done = carrel("status")
    assert done.exit_code == 1
    assert done.stderr == f"error: {home}: File exists\n"


def test_ctrl_c_is_130(carrel: Carrel, monkeypatch: pytest.MonkeyPatch) -> None:
    raises(monkeypatch, KeyboardInterrupt())
    done = carrel("status")
    assert done.exit_code == 130
    assert "Traceback" not in done.output


def test_a_group_of_errors_comes_out_as_the_one_that_tells() -> None:
    async def fail() -> None:
        raise BaseExceptionGroup("", [ValueError(), ExceptionGroup("", [TimedOut("late")])])

    with pytest.raises(TimedOut, match="late"):
        run(fail)


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, plain_env: dict[str, str]) -> None:
    env = {**plain_env, "CARREL_HOME": str(tmp_path)}
    for command in (["--help"], ["status", "--json"], ["do", "--help"], ["nonsense", "--json"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [sys.executable, "-m", "carrel", *command],
            stdout=writer,
            stderr=subprocess.PIPE,
            env=env,
            timeout=60,
        )
        os.close(writer)
        assert done.stderr == b""
        assert done.returncode in (1, 2)


def test_an_interrupt_ends_a_waiting_command_quietly(
    tmp_path: Path, plain_env: dict[str, str]
) -> None:
    """`type -` waits for its input, as any long command waits for something."""
    process = subprocess.Popen(
        [sys.executable, "-m", "carrel", "do", "type", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**plain_env, "CARREL_HOME": str(tmp_path)},
    )
    assert process.stdin is not None
    # It reads only once it is up: a full pipe that drains says so.
    process.stdin.write(b"x" * 200_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors
