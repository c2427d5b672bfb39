"""What is on the disk when, and what a power cut may take."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.errors import RunError, Unavailable, WrongState
from carrel.journal import Journal, read_events
from carrel.journal._head import Head, read_head
from carrel.journal._sync import DURABLE
from carrel.journal.verify import verify
from synthetic_run import picture

WAIT = 10


class Disk:
    """Notes what is synced, lets it wait, and can break."""

    def __init__(self) -> None:
        self.synced: list[str] = []
        self.open = threading.Event()
        self.open.set()
        self.begun = threading.Event()
        self.broken: OSError | None = None
        self._real = os.fdatasync

    def fdatasync(self, handle: int) -> None:
        name = Path(f"/proc/self/fd/{handle}").readlink().name
        self.begun.set()
        assert self.open.wait(WAIT)
        if self.broken is not None:
            raise self.broken
        self._real(handle)
        self.synced.append(name)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    disk = Disk()
    monkeypatch.setattr(os, "fdatasync", disk.fdatasync)
    yield disk
    disk.open.set()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def paths(home: Path) -> tuple[Path, Path]:
    directory = home / "runs" / "run_1"
    return directory / "journal.jsonl", directory / "head"


@pytest.mark.parametrize("kind", sorted(DURABLE))
def test_what_must_not_be_lost_is_on_the_disk_when_it_was_added(
    tmp_path: Path, disk: Disk, kind: str
) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {})
        disk.synced.clear()
        journal.append(kind, {})  # type: ignore[arg-type]
        assert "journal.jsonl" in disk.synced
        head = read_head(paths(tmp_path)[1])
        assert head is not None
        assert head.seq == 1


def test_an_act_takes_everything_before_it_to_the_disk_blobs_first(
    tmp_path: Path, disk: Disk
) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {})
        disk.synced.clear()
        sha = journal.put_blob(picture(1))
        journal.append("frame", {"blob": sha}, (sha,))
        journal.append("decision", {})
        journal.append("act", {})
        assert disk.synced.index(sha) < max(
            place for place, name in enumerate(disk.synced) if name == "journal.jsonl"
        )
        assert disk.synced[-1] == "journal.jsonl"


def test_the_first_event_leaves_a_head_that_can_be_read_at_every_moment(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, heads = os.pwrite, []

    def pwrite(handle: int, data: bytes, offset: int) -> int:
        written = real(handle, data, offset)
        heads.append(read_head(paths(tmp_path)[1]))
        return written

    monkeypatch.setattr(os, "pwrite", pwrite)
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {})
        journal.append("run.finished", {})
    assert [head.seq for head in heads if head is not None] == [-1, -1, 0, 0, 1]
    assert None not in heads


def test_other_events_are_readable_at_once_and_do_not_wait_for_the_disk(
    tmp_path: Path, disk: Disk
) -> None:
    journal = Journal.create("run_1", home=tmp_path)
    journal.append("run.started", {})
    disk.open.clear()
    sha = journal.put_blob(picture(1))
    journal.append("frame", {"blob": sha}, (sha,))
    journal.append("result", {})
    journal.append("decision", {})
    assert [event.seq for event in read_events("run_1", tmp_path)] == [0, 1, 2, 3]
    assert journal.read_blob(sha) == picture(1)
    head = read_head(paths(tmp_path)[1])
    assert head is not None
    assert head.seq == 0
    disk.open.set()
    journal.close()
    head = read_head(paths(tmp_path)[1])
    assert head is not None
    assert head.seq == 3


def test_what_was_added_becomes_durable_without_another_event(tmp_path: Path, disk: Disk) -> None:
    journal = Journal.create("run_1", home=tmp_path)
    journal.append("run.started", {})
    disk.synced.clear()
    disk.begun.clear()
    journal.append("result", {})
    assert disk.begun.wait(WAIT)
    journal.sync()
    assert disk.synced == ["journal.jsonl"]
    journal.close()
    assert disk.synced == ["journal.jsonl"]


def test_a_sync_that_fails_meanwhile_is_told_at_the_next_event(tmp_path: Path, disk: Disk) -> None:
    journal = Journal.create("run_1", home=tmp_path)
    journal.append("run.started", {})
    disk.begun.clear()
    disk.open.clear()
    journal.append("result", {})
    assert disk.begun.wait(WAIT)
    disk.broken = OSError(5, "Input/output error")
    disk.open.set()
    with pytest.raises(Unavailable, match="Input/output error"):
        journal.append("act", {})
    # A later sync would succeed, and say nothing of what the first one lost.
    disk.broken = None
    with pytest.raises(WrongState, match="could not be written"):
        journal.append("act", {})
    journal.close()


def test_a_sync_that_fails_at_the_very_end_is_told_by_close(tmp_path: Path, disk: Disk) -> None:
    journal = Journal.create("run_1", home=tmp_path)
    journal.append("run.started", {})
    disk.broken = OSError(28, "No space left on device")
    journal.append("decision", {})
    with pytest.raises(Unavailable, match="no room left"):
        journal.close()
    journal.close()
    disk.broken = None
    assert len(list(read_events("run_1", tmp_path))) == 2


def test_an_act_that_cannot_be_synced_is_taken_back_and_nothing_follows_lost_events(
    tmp_path: Path, disk: Disk
) -> None:
    journal = Journal.create("run_1", home=tmp_path)
    journal.append("run.started", {})
    journal.append("decision", {})
    disk.broken = OSError(5, "Input/output error")
    with pytest.raises(Unavailable):
        journal.append("act", {})
    disk.broken = None
    # The decision was to be synced with it: whether it is, only opening it again can tell.
    with pytest.raises(WrongState):
        journal.append("act", {})
    journal.close()
    kinds = [event.kind for event in read_events("run_1", tmp_path)]
    assert kinds == ["run.started", "decision"]


def test_many_blobs_keep_few_files_open(tmp_path: Path, disk: Disk) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {})
        before = open_files()
        for number in range(100):
            journal.put_blob(str(number).encode())
        assert open_files() - before < 20


# What a power cut leaves


def cut_short(home: Path, promised: int) -> tuple[Path, list[bytes], str]:
    """A run of which only the events to `promised` are known to be durable."""
    with Journal.create("run_1", home=home) as journal:
        journal.append("run.started", {})
        journal.append("act", {})
        sha = journal.put_blob(picture(1))
        journal.append("frame", {"blob": sha}, (sha,))
        journal.append("result", {})
        journal.append("decision", {})
    path, head = paths(home)
    lines = path.read_bytes().splitlines(keepends=True)
    hashes = [event.previous for event in read_events("run_1", home)][1:]
    head.write_bytes(Head(promised, hashes[promised]).encode())
    return path, lines, sha


def test_an_event_whose_blob_was_lost_ends_the_journal(tmp_path: Path) -> None:
    path, lines, sha = cut_short(tmp_path, 1)
    (path.parent / "blobs" / sha).write_bytes(b"\0" * len(picture(1)))
    found = verify("run_1", tmp_path)
    assert (found.ok, found.events) == (True, 2)
    with Journal.open("run_1", home=tmp_path) as journal:
        assert journal.seq == 1
        assert path.read_bytes() == b"".join(lines[:2])
        assert journal.put_blob(picture(1)) == sha
        journal.append("frame", {"blob": sha}, (sha,))
        assert journal.read_blob(sha) == picture(1)
    assert verify("run_1", tmp_path).ok


@pytest.mark.parametrize("bad", [2, 3, 4])
def test_a_line_that_was_lost_ends_the_journal(tmp_path: Path, bad: int) -> None:
    path, lines, _ = cut_short(tmp_path, 1)
    hole = b"\0" * (len(lines[bad]) - 1) + b"\n"
    path.write_bytes(b"".join([*lines[:bad], hole, *lines[bad + 1 :]]))
    found = verify("run_1", tmp_path)
    assert (found.ok, found.events) == (True, bad)
    with Journal.open("run_1", home=tmp_path) as journal:
        assert journal.seq == bad - 1
    assert path.read_bytes() == b"".join(lines[:bad])
    assert verify("run_1", tmp_path).ok


def test_events_after_the_head_are_kept_when_they_are_whole(tmp_path: Path) -> None:
    path, lines, _ = cut_short(tmp_path, 1)
    with Journal.open("run_1", home=tmp_path) as journal:
        assert journal.seq == 4
    assert path.read_bytes() == b"".join(lines)
    head = read_head(paths(tmp_path)[1])
    assert head is not None
    assert head.seq == 4


def test_damage_to_what_was_promised_is_never_taken_for_a_power_cut(tmp_path: Path) -> None:
    path, lines, sha = cut_short(tmp_path, 3)
    (path.parent / "blobs" / sha).unlink()
    assert not verify("run_1", tmp_path).ok
    path.write_bytes(b"".join([*lines[:2], b"garbage\n", b"garbage\n", lines[4]]))
    assert not verify("run_1", tmp_path).ok
    with pytest.raises(RunError, match="damaged"):
        Journal.open("run_1", home=tmp_path)


def test_nothing_before_a_durable_event_can_have_been_lost(tmp_path: Path) -> None:
    path, _, _ = cut_short(tmp_path, 0)
    # As if the head had not reached the disk after the act; then the event before it was damaged.
    with Journal.open("run_1", home=tmp_path) as journal:
        journal.append("act", {})
    lines = path.read_bytes().splitlines(keepends=True)
    hashes = [event.previous for event in read_events("run_1", tmp_path)]
    paths(tmp_path)[1].write_bytes(Head(1, hashes[2]).encode())
    path.write_bytes(b"".join([*lines[:3], b"garbage\n", *lines[4:]]))
    assert not verify("run_1", tmp_path).ok
    with pytest.raises(RunError, match="damaged"):
        Journal.open("run_1", home=tmp_path)
