"""What crosses between a real machine and this side: copies, standard streams, output."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.desktop]

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel"]


def carrel(env: Env, *args: str, check: int | None = 0) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run([*CARREL, *args], env=env, input=b"", capture_output=True, timeout=120)
    if check is not None:
        assert done.returncode == check, (args, done.stdout[-2000:], done.stderr[-2000:])
    return done


def document(env: Env, *args: str, check: int = 0) -> dict[str, object]:
    found = json.loads(carrel(env, *args, "--json", check=check).stdout)
    assert isinstance(found, dict)
    return found


def by_shell(env: Env, line: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which `carrel` is the command under test."""
    script = f'carrel() {{ "{sys.executable}" -m carrel "$@"; }}; {line}'
    return subprocess.run(["bash", "-c", script], env=env, capture_output=True, timeout=120)


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory, plain_env: Env) -> Iterator[Env]:
    """A store with one running machine, `desk`."""
    settings = {**plain_env, "CARREL_HOME": str(tmp_path_factory.mktemp("home"))}
    listed = document(settings, "provider", "list")["providers"]
    assert isinstance(listed, list)
    found = next(item for item in listed if item["name"] == "namespace")
    require_namespaces(bool(found["usable"]), str(found["reason"]))
    carrel(settings, "up", "--image", "host", "--size", "800x600", "--provider", "namespace")
    script = "echo secret > key; chmod 600 key; echo '#!/bin/sh' > run; chmod 755 run; ln -s run to"
    carrel(settings, "exec", "desk", "--", "sh", "-c", script)
    yield settings
    carrel(settings, "delete", "desk", check=None)


# Copies


@pytest.mark.parametrize(("name", "mode"), [("key", 0o600), ("run", 0o755), ("to", 0o755)])
def test_a_copy_out_of_a_machine_keeps_its_mode(
    env: Env, tmp_path: Path, name: str, mode: int
) -> None:
    """Of a link, it is the mode of the file that it leads to."""
    carrel(env, "cp", f"desk:{name}", str(tmp_path / "copy"))
    assert (tmp_path / "copy").stat().st_mode & 0o7777 == mode


def test_a_copy_writes_through_nothing_that_lies_beside_it(env: Env, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    (tmp_path / ".x.carrel-partial").symlink_to(victim)
    carrel(env, "cp", "desk:key", str(tmp_path / "x"))
    assert victim.read_text() == "kept"
    assert (tmp_path / "x").read_text() == "secret\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".x.carrel-partial", "victim", "x"]


def test_copies_to_one_target_do_not_disturb_each_other(env: Env, tmp_path: Path) -> None:
    # Long enough that they are under way at once.
    carrel(env, "exec", "desk", "--", "truncate", "-s", "40M", "empty")
    copies = [
        subprocess.Popen(
            [*CARREL, "cp", "desk:empty", str(tmp_path / "x")],
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for _ in range(6)
    ]
    told = [copy.communicate(timeout=120)[1] for copy in copies]
    assert [copy.returncode for copy in copies] == [0] * 6, told
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
    assert (tmp_path / "x").stat().st_size == 40 << 20


def test_a_name_as_long_as_names_may_be_is_copied_too(env: Env, tmp_path: Path) -> None:
    target = tmp_path / ("名" * 85)
    carrel(env, "cp", "desk:key", str(target))
    carrel(env, "cp", str(target), f"desk:{target.name}")
    assert carrel(env, "exec", "desk", "cat", target.name).stdout == b"secret\n"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_copy_that_is_broken_off_leaves_nothing(
    env: Env, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    # Without a byte on any disk, and long enough to be broken off.
    carrel(env, "exec", "desk", "--", "truncate", "-s", "20G", "endless")
    copy = subprocess.Popen([*CARREL, "cp", "desk:endless", str(tmp_path / "x")], env=env)
    until = time.monotonic() + 60
    while not any(path.stat().st_size for path in tmp_path.iterdir()):
        assert copy.poll() is None
        assert time.monotonic() < until
        time.sleep(0.01)
    copy.send_signal(number)
    assert copy.wait(60) == status
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_is_not_there_is_told_and_not_made_a_file(
    env: Env, tmp_path: Path
) -> None:
    done = carrel(env, "cp", "desk:key", f"{tmp_path}/new/", check=2)
    assert done.stderr == (
        f"error: there is no directory {tmp_path}/new/\ntry: make its directory first\n".encode()
    )
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "new").mkdir()
    found = document(env, "cp", "desk:key", f"{tmp_path}/new/")
    assert found["to"] == f"{tmp_path}/new/key"
    assert (tmp_path / "new/key").read_text() == "secret\n"


def test_what_a_copy_leaves_out_is_in_the_document(env: Env, tmp_path: Path) -> None:
    script = "mkdir tree; cd tree; echo a > a; mkfifo pipe; ln -s /etc/passwd out"
    carrel(env, "exec", "desk", "--", "sh", "-c", script)
    found = document(env, "cp", "desk:tree", str(tmp_path))
    assert (found["to"], found["bytes"]) == (str(tmp_path / "tree"), 2)
    assert (sorted(found["left_out"]), found["left_out_total"]) == (["out", "pipe"], 2)  # type: ignore[call-overload]
    for number in range(30):
        (tmp_path / "tree" / f"link {number}").symlink_to("/nowhere")
    found = document(env, "cp", str(tmp_path / "tree"), "desk:again")
    assert (len(found["left_out"]), found["left_out_total"]) == (20, 30)  # type: ignore[arg-type]


def test_a_dash_is_no_file(env: Env, tmp_path: Path) -> None:
    done = carrel(env, "cp", "desk:key", "-", check=2)
    assert done.stderr.endswith(b"try: carrel exec NAME -- cat FILE; ./- is a file of that name\n")
    assert b"cat > FILE" in carrel(env, "cp", "-", "desk:key", check=2).stderr
    assert not Path("-").exists()
    carrel(env, "cp", "desk:key", f"{tmp_path}/-")
    assert (tmp_path / "-").read_text() == "secret\n"


# Standard streams


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_program_reads_from_a_device_that_cannot_be_waited_for(env: Env, device: str) -> None:
    done = by_shell(env, f"carrel exec desk -- head -c 5 < {device}")
    assert (done.returncode, len(done.stdout), done.stderr) == (0, 5, b"")


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_one_that_nobody_uses(env: Env, stream: str) -> None:
    for command in ("exec desk -- cat", "do cursor"):
        done = by_shell(env, f"carrel {command} {stream}")
        assert (done.returncode, done.stderr) == (0, b"")


def test_output_that_cannot_be_written_is_told_as_that(env: Env) -> None:
    told = b"error: standard output cannot be written: No space left on device\n"
    commands = ["exec desk echo hi", "status", "status --json", "--help", "do shot -o -"]
    for unbuffered in ("", "1"):
        settings = {**env, "PYTHONUNBUFFERED": unbuffered}
        for command in commands:
            done = by_shell(settings, f"carrel {command} > /dev/full")
            assert (done.returncode, done.stderr) == (1, told), command
        done = by_shell(settings, "carrel status other --json > /dev/full")
        assert done.returncode == 2
        assert done.stderr.startswith(b"error: there is no machine named other\n")
        assert by_shell(settings, "carrel status > /dev/full 2>&1").returncode == 1


def test_sigterm_ends_what_has_no_end(env: Env) -> None:
    """Also in the background of a script, where Ctrl-C is ignored."""
    for command in ("status --watch", "events --follow", "exec desk -- sh -c 'echo up; sleep 999'"):
        begins = f"exec 3< <(exec {sys.executable} -m carrel {command}); pid=$!; read -r <&3"
        done = by_shell(env, f"{begins}; kill $pid; wait $pid; echo $?")
        assert (done.stdout, done.stderr.strip()) == (b"143\n", b""), command


# What `carrel do` prints


def test_output_that_is_cut_without_being_asked_for_is_a_failure(env: Env, tmp_path: Path) -> None:
    (tmp_path / "long").write_text("x" * 2_000_000)
    carrel(env, "cp", str(tmp_path / "long"), "desk:long")
    done = carrel(env, "do", "files", "read", "long", check=1)
    assert len(done.stdout) == 1_000_000
    assert done.stderr.startswith(b"error: this is not all: ")
    assert b"try: carrel cp desk:long . takes" in done.stderr
    assert document(env, "do", "files", "read", "long", check=1)["ok"] is True
    assert carrel(env, "do", "files", "read", "long", "--limit", "9").stdout == b"x" * 9
    done = carrel(env, "do", "shell", "cat long", check=1)
    assert len(done.stdout) == 1 << 20
    assert b"try: carrel exec desk -- " in done.stderr
    assert len(carrel(env, "exec", "desk", "cat", "long").stdout) == 2_000_000
    script = "mkdir many; cd many; seq 50001 | xargs touch"
    carrel(env, "exec", "desk", "--", "sh", "-c", script)
    done = carrel(env, "do", "files", "list", "many", check=1)
    assert len(done.stdout.splitlines()) == 50_001
    assert b"try: carrel exec desk -- ls" in done.stderr


def test_a_program_gets_what_a_machine_wrote_as_it_is(env: Env) -> None:
    done = carrel(env, "do", "shell", r"printf '\033[31mred\a'; printf '\033[1mbad\n' >&2")
    assert (done.stdout, done.stderr) == (b"\x1b[31mred\a", b"\x1b[1mbad\n")


def test_names_of_files_lose_no_character(env: Env) -> None:
    make = r"mkdir odd; cd odd; touch $'a\033[31mb' $'c\nd\te'"
    carrel(env, "exec", "desk", "--", "bash", "-c", make)
    lines = carrel(env, "do", "files", "list", "odd").stdout.splitlines()
    assert [line.split(b"  ")[-1] for line in lines[1:]] == [rb"a\x1b[31mb", rb"c\nd\te"]


def test_a_command_ended_by_a_signal_is_told_so(env: Env) -> None:
    assert carrel(env, "do", "shell", "kill -9 $$", check=1).stderr == b"ended by signal 9\n"


def test_hints_are_what_can_be_typed(env: Env) -> None:
    carrel(env, "exec", "desk", "--", "sh", "-c", r"mkdir full; printf '\377' > full/bytes")
    for command, hint in [
        ("delete full", b"-r deletes it with all it holds"),
        ("read full/bytes", b"carrel cp takes any bytes"),
        ("read full", b"carrel do files list; carrel cp takes whole directories"),
    ]:
        done = carrel(env, "do", "files", *command.split(), check=2)
        assert done.stderr.splitlines()[-1] == b"try: " + hint
    done = carrel(env, "do", "shot", "-o", "-", "--json", check=2)
    assert json.loads(done.stdout)["error"]["hint"] == "-o FILE, or leave out --json"


def test_what_cannot_be_meant_is_refused(env: Env) -> None:
    done = carrel(env, "do", "wait", "--stable", "--for", "3", "--timeout", "1", check=2)
    assert done.stderr.startswith(b"error: a screen cannot be seen to be still for longer than ")
    done = carrel(env, "do", "act", '{"type": "move", "x": 1, "x": 2, "y": 3}', check=2)
    assert done.stderr.startswith(b"error: 'x' is in one JSON object twice")
