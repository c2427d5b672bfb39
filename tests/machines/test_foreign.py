"""Running programs that keep systems, and what is put into such a system."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import RunError, TimedOut, Unavailable
from carrel.geometry import Size
from carrel.machines.foreign import Condition, find_program, furniture, run_tool
from carrel.machines.foreign.tool import decode_words
from carrel.machines.images import Image
from carrel.machines.provider import Metrics
from carrel.machines.providers._foreign import _seen, read_figures, system_name
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State

ENV = {"PATH": "/usr/bin:/bin"}


def test_a_tool_has_the_environment_it_is_given_and_no_other() -> None:
    told = run_tool(["env"], {**ENV, "ONLY": "this"}, 30)
    assert set(told.decode().split()) == {"PATH=/usr/bin:/bin", "ONLY=this"}


def test_a_tool_that_fails_is_told_of_in_its_own_words() -> None:
    with pytest.raises(RunError, match=r"sh -c failed: no such thing$"):
        run_tool(["sh", "-c", "echo so far; echo no such thing >&2; exit 3"], ENV, 30)
    with pytest.raises(RunError, match="failed: on the wrong stream"):
        run_tool(["sh", "-c", "echo on the wrong stream; exit 1"], ENV, 30)
    with pytest.raises(RunError, match="status 4"):
        run_tool(["sh", "-c", "exit 4"], ENV, 30)


def test_a_tool_that_hangs_is_ended(tmp_path: Path) -> None:
    with pytest.raises(TimedOut, match=r"did not end within 0\.5 s"):
        run_tool(["sh", "-c", "exec sleep 1000"], ENV, 0.5)


def test_a_tool_that_is_not_there_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unavailable, match="cannot be run"):
        run_tool(["/no/such/program"], ENV, 30)
    monkeypatch.delenv("SOME_TOOL", raising=False)
    with pytest.raises(Unavailable, match="no-such-tool is not installed") as caught:
        find_program("no-such-tool", "SOME_TOOL", "install it")
    assert caught.value.hint == "install it"
    monkeypatch.setenv("SOME_TOOL", "/nowhere/tool")
    with pytest.raises(Unavailable, match="SOME_TOOL=/nowhere/tool is no program"):
        find_program("sh", "SOME_TOOL", "install it")


def test_a_tool_reads_what_it_is_fed_whole() -> None:
    pieces = (bytes([number]) * 70_000 for number in range(64))
    assert run_tool(["wc", "-c"], ENV, 30, pieces).split() == [b"4480000"]


@pytest.mark.parametrize("error", [OSError, ValueError, KeyError, SystemExit, RunError])
def test_half_of_what_was_to_be_fed_is_a_failure_whatever_broke(
    error: type[BaseException], tmp_path: Path
) -> None:
    def breaks() -> Iterator[bytes]:
        yield b"the first half"
        raise error("the disk is gone")

    whole = tmp_path / "whole"
    with pytest.raises(RunError, match=r"not all could be given to sh -c: .*the disk is gone"):
        run_tool(["sh", "-c", f"cat > {tmp_path}/half && touch {whole}"], ENV, 30, breaks())
    # It was not told that this was all.
    assert not whole.exists()


def test_what_a_tool_that_hangs_has_started_is_ended_with_it(tmp_path: Path) -> None:
    script = f"sleep 1000 & echo $! > {tmp_path}/pid; wait"
    with pytest.raises(TimedOut):
        run_tool(["sh", "-c", script], ENV, 2.0)
    pid = int((tmp_path / "pid").read_text())
    until = time.monotonic() + 30
    while _lives(pid):
        assert time.monotonic() < until, "it still runs"
        time.sleep(0.05)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_tool_that_reads_no_further_says_why_itself() -> None:
    with pytest.raises(RunError, match="no room"):
        run_tool(["sh", "-c", "echo no room >&2; exit 1"], ENV, 30, [b"x" * (1 << 22)])


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_words_are_read_from_both_of_the_codes_that_tools_write(text: str) -> None:
    assert decode_words(text.encode()) == text.removeprefix("\ufeff")
    if ord(text[0]) < 256:
        assert decode_words(f"{text}\r\n".encode("utf-16-le")) == f"{text}\n"


@given(st.binary())
def test_words_of_any_bytes_are_text(data: bytes) -> None:
    assert isinstance(decode_words(data), str)


def test_colours_are_no_words() -> None:
    assert decode_words(b"\x1b[31mfatal\x1b[0m: no") == "fatal: no"


@given(
    st.integers(0, 1 << 40), st.integers(0, 1 << 40), st.lists(st.integers(0, 1 << 40), min_size=7)
)
def test_the_figures_of_a_kernel_are_read(total: int, free: int, times: list[int]) -> None:
    text = f"cpu  {' '.join(map(str, times))}\ncpu0 1 1 1 1 1 1 1\nMemTotal: {total} kB\n"
    found = read_figures(text + f"MemAvailable:   {free} kB\n")
    busy = sum(times[:3]) + times[5] + times[6]
    assert found == Metrics((total - free) << 10, busy / 100, None)


@given(st.text())
def test_figures_that_are_none_are_unknown(text: str) -> None:
    assert isinstance(read_figures(text), Metrics)
    assert read_figures("MemTotal: 5 kB") == Metrics()


def machine(directory: Path, **env: str) -> Machine:
    spec = MachineSpec(provider="lima", size=Size(640, 480), pids=77, env=env)
    return Machine("mac_" + "0" * 26, "it", spec, directory, 0.0)


ODD = {"ODD": 'it\'s "quoted" $HOME `id` \\ and\ntwo lines'}


def furnished(place: Path) -> None:
    """Unpack what a system would be given."""
    image = Image("minimal", "0" * 64, place, "/usr/bin/python3")
    data = b"".join(furniture(machine(place, **ODD), image, "/tree", "own"))
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        assert {member.uid for member in tar} == {0}
        tar.extractall(place, filter="tar")


def test_a_system_is_given_the_guest_and_orders_that_a_shell_reads_as_they_are_meant(
    tmp_path: Path,
) -> None:
    furnished(tmp_path)
    assert (tmp_path / "bundle/carrel/guest/__main__.py").is_file()
    names = ("NAME", "IMAGE", "PIDS", "NETWORK", "AGENT", "BUNDLE", "PYTHON")
    script = f". {shlex.quote(str(tmp_path / 'orders'))}; "
    script += "; ".join(f'echo "${name}"' for name in names)
    told = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, check=True)
    first = ["it", "/tree", "77", "own", "1000"]
    assert told.stdout.split()[:5] == first
    # Every program of the desk has its owner's variables as they were written.
    script = (tmp_path / "start").read_text().replace("/usr/bin/python3", sys.executable, 1)
    head, _, _ = script.partition(" -S -P -c ")
    shown = f"{head} -c 'import os; print(repr(os.environ[\"ODD\"]))'"
    told = subprocess.run(["sh", "-euc", shown], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == repr(ODD["ODD"])


def test_a_system_refuses_to_be_entered_by_another_than_root() -> None:
    # Everybody may come here, which is not so of pytest's own directories.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        furnished(Path(place))
        Path(place).chmod(0o755)
        done = subprocess.run(
            ["setpriv", "--reuid=1000", "--clear-groups", "sh", Path(place) / "enter"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "its root is needed, and this is user 1000" in done.stderr


@pytest.mark.parametrize(
    ("kept", "condition", "seen"),
    [
        (State.RUNNING, Condition.ON, State.RUNNING),
        (State.RUNNING, Condition.OFF, State.ERROR),
        (State.RUNNING, Condition.BROKEN, State.ERROR),
        (State.RUNNING, None, State.LOST),
        (State.STOPPED, None, State.LOST),
        (State.STOPPED, Condition.OFF, State.STOPPED),
        (State.STOPPED, Condition.ON, State.STOPPED),
        (State.ERROR, Condition.ON, State.ERROR),
        (State.CREATING, Condition.ON, State.CREATING),
    ],
)
def test_what_the_keeper_and_the_tool_say_is_told_as_one(
    kept: State, condition: Condition | None, seen: State
) -> None:
    told = _seen(Observed(kept, "why" if kept is State.ERROR else None), condition, "lima")
    assert told.state is seen
    assert (told.cause is None) == (seen in (State.RUNNING, State.STOPPED, State.CREATING))


def test_systems_are_called_after_their_machines() -> None:
    assert system_name("mac_1") == "carrel-mac_1"
