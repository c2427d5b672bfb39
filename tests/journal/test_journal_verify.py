"""Whatever is done to a record afterwards is found."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from carrel.errors import NotFound
from carrel.journal import Journal
from carrel.journal.verify import verify
from synthetic_run import make_run

COMMON = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("finished")
    make_run(home, 4, run="run_1")
    return home


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("running")
    make_run(home, 4, run="run_1", stop_after=15)
    return home


def journal_of(home: Path) -> Path:
    return home / "runs/run_1/journal.jsonl"


def check(home: Path, change: Callable[[list[bytes]], list[bytes]]) -> int | None:
    """Change the lines, verify, put them back; which event is named, None when nothing is."""
    path = journal_of(home)
    whole = path.read_bytes()
    try:
        path.write_bytes(b"".join(change(whole.splitlines(keepends=True))))
        assume(path.read_bytes() != whole)
        result = verify("run_1", home)
    finally:
        path.write_bytes(whole)
    assert result.ok == (not result.problems) == (result.first_bad is None)
    if result.problems:
        assert result.problems[0].startswith(f"event {result.first_bad}:")
    return result.first_bad


def test_what_was_not_touched_is_fine(finished: Path, running: Path) -> None:
    for home in (finished, running):
        result = verify("run_1", home)
        assert result.ok
        assert result.problems == ()
        assert result.torn == 0
    assert verify("run_1", finished).blobs == 5


@pytest.mark.parametrize("which", ["finished", "running"])
@COMMON
@given(data=st.data())
def test_any_changed_byte_is_found(
    which: str, data: st.DataObject, request: pytest.FixtureRequest
) -> None:
    home: Path = request.getfixturevalue(which)
    content = journal_of(home).read_bytes()
    position = data.draw(st.integers(0, len(content) - 2))
    byte = data.draw(st.integers(0, 255))
    bad = check(home, lambda lines: [content[:position] + bytes([byte]) + content[position + 1 :]])
    line = content[:position].count(b"\n")
    assert bad == line


@pytest.mark.parametrize("which", ["finished", "running"])
@COMMON
@given(data=st.data())
def test_removed_events_are_found_also_at_the_end(
    which: str, data: st.DataObject, request: pytest.FixtureRequest
) -> None:
    home: Path = request.getfixturevalue(which)
    count = journal_of(home).read_bytes().count(b"\n")
    first = data.draw(st.integers(0, count - 1))
    last = data.draw(st.integers(first, count - 1))
    assert check(home, lambda lines: lines[:first] + lines[last + 1 :]) == first


@pytest.mark.parametrize("which", ["finished", "running"])
@COMMON
@given(data=st.data())
def test_moved_and_repeated_events_are_found(
    which: str, data: st.DataObject, request: pytest.FixtureRequest
) -> None:
    home: Path = request.getfixturevalue(which)
    count = journal_of(home).read_bytes().count(b"\n")
    one = data.draw(st.integers(0, count - 1))
    other = data.draw(st.integers(0, count - 1))

    def swap(lines: list[bytes]) -> list[bytes]:
        lines[one], lines[other] = lines[other], lines[one]
        return lines

    if one != other:
        assert check(home, swap) == min(one, other)
    bad = check(home, lambda lines: [*lines[:other], lines[one], *lines[other:]])
    assert bad is not None
    assert bad <= other + 1


@COMMON
@given(data=st.data())
def test_an_event_put_in_is_found_even_when_it_fits_the_one_before(
    finished: Path, data: st.DataObject
) -> None:
    """Written by the journal itself after the lines before it: chained, numbered, all."""
    count = journal_of(finished).read_bytes().count(b"\n")
    place = data.draw(st.integers(1, count))
    other = finished.parent / f"forged-{place}"
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(finished, other)
    lines = journal_of(other).read_bytes().splitlines(keepends=True)
    journal_of(other).write_bytes(b"".join(lines[:place]))
    with Journal.open("run_1", home=other) as journal:
        journal.append("note", {"text": "never happened"})
    forged = journal_of(other).read_bytes().splitlines(keepends=True)[place]
    bad = check(finished, lambda lines: [*lines[:place], forged, *lines[place:]])
    assert bad in (place, place + 1)


@COMMON
@given(st.integers(1, 4000))
def test_an_end_that_was_cut_off_anywhere_is_found(finished: Path, length: int) -> None:
    content = journal_of(finished).read_bytes()
    kept = content[: max(0, len(content) - length)]
    bad = check(finished, lambda lines: [kept])
    assert bad is not None
    assert bad >= kept.count(b"\n")


def test_a_changed_or_missing_picture_is_found(tmp_path: Path) -> None:
    make_run(tmp_path, 2, run="run_1")
    blobs = sorted((tmp_path / "runs/run_1/blobs").iterdir())
    data = blobs[0].read_bytes()
    blobs[0].write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    result = verify("run_1", tmp_path)
    assert not result.ok
    assert f"blob {blobs[0].name} was changed" in result.problems[0]
    blobs[0].unlink()
    assert "is missing" in verify("run_1", tmp_path).problems[0]


def test_a_head_that_was_taken_away_or_changed_is_found(tmp_path: Path) -> None:
    make_run(tmp_path, 2, run="run_1")
    head = tmp_path / "runs/run_1/head"
    content = head.read_bytes()
    for changed in (b"", b"garbage", content.replace(b"a", b"b").replace(b"1", b"2")):
        head.write_bytes(changed)
        assert not verify("run_1", tmp_path).ok
    head.unlink()
    assert not verify("run_1", tmp_path).ok
    head.write_bytes(content)
    assert verify("run_1", tmp_path).ok


def test_a_run_that_ended_may_be_resumed_and_end_again(tmp_path: Path) -> None:
    make_run(tmp_path, 2, run="run_1")
    for _ in range(2):
        with Journal.open("run_1", home=tmp_path) as journal:
            journal.append("run.status", {"status": "running", "reason": "resumed"})
            assert verify("run_1", tmp_path).ok
            journal.append("run.finished", {"status": "succeeded"})
        assert verify("run_1", tmp_path).ok


def test_a_head_behind_the_journal_is_what_a_power_cut_leaves(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        head = tmp_path / "runs/run_1/head"
        journal.append("run.started", {})
        older = head.read_bytes()
        journal.append("note", {})
        journal.append("note", {})
    head.write_bytes(older)
    assert verify("run_1", tmp_path).ok


def test_another_runs_journal_is_not_taken_for_this_one(tmp_path: Path) -> None:
    make_run(tmp_path, 1, run="run_1")
    make_run(tmp_path, 1, run="run_2")
    for name in ("journal.jsonl", "head"):
        shutil.copy(tmp_path / "runs/run_2" / name, tmp_path / "runs/run_1" / name)
    result = verify("run_1", tmp_path)
    assert result.first_bad == 0
    assert "belongs to run_2" in result.problems[0]


def test_an_unknown_run_is_not_verified(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        verify("run_1", tmp_path)
