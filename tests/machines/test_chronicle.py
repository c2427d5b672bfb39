"""The log of what became of machines: added to, put aside when long, followed while written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from walls import StandInProvider, use_home, use_provider

from carrel import codec
from carrel.machines import chronicle as module
from carrel.machines.chronicle import Chronicle, Follower, Happening, Kind
from carrel.machines.lifecycle import Machines
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store

SPEC = MachineSpec(provider="namespace", image="host", memory_mb=512, pids=256)


def test_what_is_written_is_read_in_its_order(tmp_path: Path) -> None:
    machine = Store(tmp_path).add("desk", SPEC)
    log = Chronicle(tmp_path)
    log.write("made", machine, facts={"image": "host"})
    log.write("refused", "other", "too large")
    made, refused = log.read()
    assert (made.kind, made.machine, made.id, made.facts) == (
        "made",
        "desk",
        machine.id,
        {"image": "host"},
    )
    assert (refused.machine, refused.id, refused.cause) == ("other", "", "too large")
    assert made.at <= refused.at
    assert log.path.stat().st_mode & 0o077 == 0


def test_nothing_written_is_nothing_read(tmp_path: Path) -> None:
    assert [*Chronicle(tmp_path).read()] == []
    with Follower(Chronicle(tmp_path)) as follower:
        assert [*follower.fresh()] == []


def test_a_line_half_written_is_left_out(tmp_path: Path) -> None:
    log = Chronicle(tmp_path)
    log.write("made", "desk")
    with log.path.open("ab") as file:
        file.write(b'{"at": "20\n[1]\n')
    log.write("deleted", "desk")
    assert [each.kind for each in log.read()] == ["made", "deleted"]


def test_it_is_put_aside_when_it_is_long_and_only_so_much_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 1000)
    log = Chronicle(tmp_path)
    with Follower(log) as follower:
        followed = []
        for number in range(100):
            log.write("made", f"m{number}")
            followed += follower.fresh()
    kept = [each.machine for each in log.read()]
    assert kept == [f"m{number}" for number in range(100 - len(kept), 100)]
    assert 20 < len(kept) < 60
    assert len([*tmp_path.glob("events.jsonl*")]) == 3
    assert all(path.stat().st_size <= 1000 for path in tmp_path.glob("events.jsonl*"))
    # Whoever follows has seen every one all the same.
    assert [each.machine for each in followed] == [f"m{number}" for number in range(100)]


def test_following_begins_with_what_comes(tmp_path: Path) -> None:
    log = Chronicle(tmp_path)
    log.write("made", "before")
    with Follower(log) as follower:
        assert [*follower.fresh()] == []
        log.write("made", "after")
        with log.path.open("ab") as file:
            file.write(b'{"at": "now", "kind": "made", ')
        assert [each.machine for each in follower.fresh()] == ["after"]
        with log.path.open("ab") as file:
            file.write(b'"machine": "slow"}\n')
        assert [each.machine for each in follower.fresh()] == ["slow"]


WRITER = """
import sys
from pathlib import Path
from carrel.machines import chronicle
chronicle.MAX_BYTES = 4000
log = chronicle.Chronicle(Path(sys.argv[1]))
for number in range(60):
    log.write("made", f"{sys.argv[2]}-{number}", "x" * 40)
"""


def test_writers_at_the_same_time_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Chronicle(tmp_path)
    seen: list[str] = []
    with Follower(log) as follower:
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name])
            for name in ("a", "b", "c")
        ]
        while any(writer.poll() is None for writer in writers):
            seen += (each.machine for each in follower.fresh())
        assert [writer.wait() for writer in writers] == [0, 0, 0]
        seen += (each.machine for each in follower.fresh())
    for path in tmp_path.glob("events.jsonl*"):
        for line in path.read_text().splitlines():
            assert json.loads(line)["kind"] == "made"
    for name in ("a", "b", "c"):
        mine = [each for each in seen if each.startswith(name)]
        assert mine == sorted(mine, key=lambda each: int(each.split("-")[1]))
    kept = [each.machine for each in log.read()]
    assert len(kept) == len(set(kept)) > 20


def test_a_disk_that_takes_nothing_is_told_and_does_no_harm(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = Chronicle(tmp_path / "nowhere")
    log.write("made", "desk")
    assert "desk made could not be written down" in caplog.text


@given(
    st.builds(
        Happening,
        at=st.just("2026-01-01T00:00:00.000+00:00"),
        kind=st.sampled_from(get_args(Kind)),
        machine=st.from_regex(r"[a-z]{1,9}", fullmatch=True),
        cause=st.none() | st.text(st.characters(exclude_categories=["Cs"])),
        facts=st.dictionaries(st.sampled_from(["a", "b"]), st.integers() | st.booleans()),
    )
)
def test_a_happening_is_read_as_it_was_written(happening: Happening) -> None:
    line = json.dumps(codec.encode(happening))
    assert "\n" not in line
    assert codec.decode(Happening, json.loads(line)) == happening


@pytest.fixture
def machines(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Machines:
    """Real machines, behind real walls, with a small stand-in for the guest."""
    use_home(tmp_path_factory.getbasetemp(), monkeypatch)
    provider = StandInProvider()
    use_provider(monkeypatch, provider)
    return Machines(Store(tmp_path))


def kinds(machines: Machines) -> list[str]:
    return [each.kind for each in Chronicle(machines.store.home).read()]


@pytest.mark.anyio
@pytest.mark.namespace
async def test_a_life_is_written_down_from_the_making_to_the_end(machines: Machines) -> None:
    with anyio.fail_after(60):
        await machines.create("desk", SPEC)
        await machines.up("desk")
        await machines.up("desk")
        await machines.pause("desk")
        await machines.resume("desk")
        await machines.stop("desk")
        await machines.stop("desk")
        await machines.up("desk")
        await machines.stop("desk", force=True)
        await machines.up("desk")
        await machines.delete("desk")
    assert kinds(machines) == [
        *("made", "started", "paused", "resumed", "stopped"),
        *("started", "stopped", "started", "stopped", "deleted"),
    ]


@pytest.mark.anyio
@pytest.mark.namespace
async def test_a_crash_is_told_once_with_its_cause(machines: Machines) -> None:
    with anyio.fail_after(60):
        try:
            for turn in (1, 2):
                standing = await machines.up("desk", SPEC)
                assert standing.observed.pid is not None
                os.kill(standing.observed.pid, 9)
                while (await machines.status("desk")).observed.state is not State.ERROR:  # noqa: ASYNC110
                    await anyio.sleep(0.05)
                await machines.reconcile()
                await machines.reconcile()
                assert kinds(machines).count("crashed") == turn
        finally:
            await machines.delete("desk")
    crashed = [each for each in Chronicle(machines.store.home).read() if each.kind == "crashed"]
    assert crashed[0].cause == "the keeper was killed"
    assert kinds(machines)[-1] == "deleted"
