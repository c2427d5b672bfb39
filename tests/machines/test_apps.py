"""What is on record about deployed programs, and who attends to them."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import AlreadyExists, InvalidInput, NotFound, RunError, WrongState
from carrel.machines.apps import (
    APP_LOG,
    App,
    Apps,
    attended,
    see_to,
    tell_attendant,
)
from carrel.machines.attendant import MAX_LINE, Position, Splitter, ending_words, positions
from carrel.machines.attention import faults_of, notes_of, publishing, tell_faults
from carrel.machines.deploy import app_name
from carrel.machines.linelog import LineLog
from carrel.machines.spares import inherit, prune
from carrel.machines.spec import Machine, MachineSpec

HOLDER = """
import signal, sys, time
from pathlib import Path
from carrel.machines.apps import attended
signal.signal(signal.SIGHUP, lambda *_: print("told", flush=True))
with attended(Path(sys.argv[1])) as alone:
    print(alone, flush=True)
    while True:
        time.sleep(60)
"""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    directory = tmp_path / "machines" / "mac_1"
    directory.mkdir(parents=True)
    return Machine("mac_1", "desk", MachineSpec(), directory, 0.0)


def app(name: str = "web", **wishes: object) -> App:
    return App(name, ("python3", "main.py"), f"~/apps/{name}", 1.0, **wishes)  # type: ignore[arg-type]


def test_apps_are_kept_in_the_machines_directory(machine: Machine) -> None:
    apps = Apps(machine)
    assert apps.all() == ()
    first, second = app(env={"A": "b"}), app("files", kind="mcp-stdio", restart="always")
    apps.put(first, replacing=False)
    apps.put(second, replacing=False)
    assert Apps(machine).all() == (first, second)
    assert (machine.directory / "apps.json").stat().st_mode & 0o777 == 0o600
    apps.remove("web")
    assert apps.all() == (second,)
    assert [second.lasting, first.lasting] == [False, True]


def test_a_second_one_of_a_name_must_be_meant(machine: Machine) -> None:
    apps = Apps(machine)
    apps.put(app(), replacing=False)
    with pytest.raises(AlreadyExists, match="already has an app web") as caught:
        apps.put(app(port=1), replacing=False)
    assert "--restart" in str(caught.value.hint)
    apps.put(app(port=1), replacing=True)
    assert apps.get("web").port == 1


def test_one_that_is_not_there_is_told_with_those_that_are(machine: Machine) -> None:
    with pytest.raises(NotFound, match="no app 'web'") as caught:
        Apps(machine).get("web")
    assert caught.value.hint == "nothing is deployed in it"
    Apps(machine).put(app("files"), replacing=False)
    with pytest.raises(NotFound) as caught:
        Apps(machine).get("web")
    assert caught.value.hint == "it has files"


def test_a_damaged_record_is_told_and_keeps_no_machine_from_starting(machine: Machine) -> None:
    (machine.directory / "apps.json").write_text('{"apps": [{"name": 3}]}')
    with pytest.raises(RunError, match="is damaged"):
        Apps(machine).all()
    see_to(machine)


def test_a_copy_of_a_machine_has_its_apps_on_record(machine: Machine, tmp_path: Path) -> None:
    other = Machine("mac_2", "copy", MachineSpec(), tmp_path / "machines" / "mac_2", 0.0)
    other.directory.mkdir()
    inherit(machine, other)
    assert Apps(other).all() == ()


def test_the_record_goes_back_to_what_was_kept_with_a_snapshot(machine: Machine) -> None:
    apps = Apps(machine)
    apps.keep("empty")
    apps.put(app(copy="one"), replacing=False)
    apps.keep("first")
    apps.put(app(copy="two"), replacing=True)
    assert {each.copy for each in apps.ever()} == {"one", "two"}
    apps.go_back("first")
    assert [each.copy for each in apps.all()] == ["one"]
    assert (machine.directory / "apps.json").stat().st_mode & 0o777 == 0o600
    apps.go_back("empty")
    assert apps.all() == ()
    apps.put(app("files"), replacing=False)
    apps.go_back("of another version, which kept none")
    assert [each.name for each in apps.all()] == ["files"]
    apps.discard("first")
    assert [each.name for each in apps.ever()] == ["files"]


def test_copies_that_no_record_speaks_of_are_removed(machine: Machine) -> None:
    for identity in ("one", "two", "left"):
        (machine.directory / "deployed" / identity / "deep").mkdir(parents=True)
    apps = Apps(machine)
    apps.put(app(copy="one"), replacing=False)
    apps.keep("first")
    apps.put(app(copy="two"), replacing=True)
    (machine.directory / "apps-kept/damaged.json").write_text("{")
    prune(machine)
    assert len(list((machine.directory / "deployed").iterdir())) == 3
    apps.discard("damaged")
    prune(machine)
    assert {p.name for p in (machine.directory / "deployed").iterdir()} == {"one", "two"}


def test_faults_are_told_of_what_is_deployed(machine: Machine) -> None:
    assert notes_of(machine) == ()
    Apps(machine).put(app(), replacing=False)
    tell_faults(machine.directory, {"web": "no such file", "gone": "it was removed"})
    assert notes_of(machine) == ("its app web could not be started: no such file",)
    tell_faults(machine.directory, {})
    assert notes_of(machine) == ()
    Apps(machine).put(app("files", kind="mcp-stdio"), replacing=False)
    assert notes_of(machine) == ("its MCP servers are not published at this moment",)
    with publishing(machine.directory):
        assert notes_of(machine) == ()
    (machine.directory / "apps-faults.json").write_text("[")
    assert faults_of(machine) == {}
    (machine.directory / "apps.json").write_text("{")
    assert "is damaged" in notes_of(machine)[0]


def test_a_machine_has_one_attendant_that_can_be_told_of_changes(machine: Machine) -> None:
    assert not tell_attendant(machine.directory)
    command = [sys.executable, "-c", HOLDER, str(machine.directory)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        with attended(machine.directory) as alone:
            assert not alone
        assert tell_attendant(machine.directory)
        assert holder.stdout.readline() == "told\n"
        holder.kill()
    assert not tell_attendant(machine.directory)


def test_whoever_only_looks_does_not_turn_an_attendant_away(machine: Machine) -> None:
    lock = machine.directory / "attendant.lock"
    handle = os.open(lock, os.O_RDONLY | os.O_CREAT, 0o600)
    fcntl.flock(handle, fcntl.LOCK_SH)
    looker = threading.Timer(0.1, os.close, [handle])
    looker.start()
    with attended(machine.directory) as alone:
        assert alone
        assert lock.read_text() == str(os.getpid())
    looker.join()
    assert lock.read_text() == ""


def test_a_number_that_another_process_has_by_now_is_not_signalled(machine: Machine) -> None:
    with subprocess.Popen(["sleep", "60"]) as bystander:
        try:
            with attended(machine.directory) as alone:
                assert alone
                # As one that was killed left it, before its successor has written its own.
                (machine.directory / "attendant.lock").write_text(str(bystander.pid))
                assert tell_attendant(machine.directory)
            with pytest.raises(subprocess.TimeoutExpired):
                bystander.wait(0.2)
        finally:
            bystander.kill()


def test_one_deploys_at_a_time(machine: Machine) -> None:
    with (
        Apps(machine).deploying(),
        pytest.raises(WrongState, match="another command is deploying to desk"),
        Apps(machine).deploying(),
    ):
        pass
    with Apps(machine).deploying():
        pass


def test_nobody_attends_where_nothing_is_deployed(machine: Machine) -> None:
    see_to(machine)
    assert not (machine.directory / "attendant.lock").exists()


@pytest.mark.parametrize(
    ("word", "name"),
    [("My App", "my-app"), ("server.py", "server-py"), ("--x--", "x"), ("a" * 60, "a" * 40)],
)
def test_a_name_is_made_of_a_path(word: str, name: str) -> None:
    assert app_name(word) == name


def test_a_path_without_a_letter_gives_no_name() -> None:
    with pytest.raises(InvalidInput, match="gives no name"):
        app_name("..")


@pytest.mark.parametrize(
    ("code", "number", "last", "words"),
    [
        (1, None, True, "ended with status 1"),
        (None, signal.SIGKILL, False, "was ended by SIGKILL and is started again"),
        (None, 77, True, "was ended by 77"),
    ],
)
def test_an_end_is_told_in_words(
    code: int | None, number: int | None, last: bool, words: str
) -> None:
    assert ending_words(code, number, last) == words
    assert "not found" in ending_words(127, None, True)


@given(st.lists(st.binary(max_size=40), max_size=30), st.integers(0, 1000))
def test_lines_come_out_whole_however_they_came_in(pieces: list[bytes], offset: int) -> None:
    splitter = Splitter(offset)
    found = [line for piece in pieces for line in splitter.feed(piece)]
    found += splitter.finish()
    data = b"".join(pieces)
    expected = data.split(b"\n")
    if not expected[-1]:
        expected.pop()
    assert [line for line, _ in found] == [line.removesuffix(b"\r") for line in expected]
    at = offset
    for (_, end), line in zip(found, expected, strict=True):
        at += len(line) + 1
        assert end == at


def test_a_line_without_an_end_is_cut() -> None:
    splitter = Splitter(0)
    lines = splitter.feed(b"x" * (MAX_LINE * 2 + 10))
    assert [len(line) for line, _ in lines] == [MAX_LINE, MAX_LINE]
    assert splitter.finish() == [(b"x" * 10, MAX_LINE * 2 + 11)]


def test_an_attendant_goes_on_where_the_log_ends(tmp_path: Path) -> None:
    log = LineLog(tmp_path / APP_LOG)
    for stream, to in (("out", 3), ("err", 5), ("out", 9), ("ends", 2)):
        entry = {"at": "", "app": "a", "stream": stream, "text": "", "process": "p", "to": to}
        log.write(json.dumps(entry).encode())
    log.write(b'{"positions": {"q": [7, 8, 9]}}', b'{"half')
    log.write(json.dumps({"at": "", "app": "a", "stream": "err", "text": "no process"}).encode())
    assert positions(tmp_path) == {"p": Position(9, 5, 2), "q": Position(7, 8, 9)}
    assert os.fspath(tmp_path)


@pytest.mark.anyio
async def test_an_attendant_of_a_machine_that_is_gone_ends(machine: Machine) -> None:
    from carrel.machines.attendant import Attendant

    Apps(machine).put(app(), replacing=False)
    with anyio.fail_after(10):
        assert not await Attendant(machine).is_needed()
        await Attendant(machine).run()
