"""The journal on a real disk, with real processes that die."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel.errors import (
    AlreadyExists,
    InvalidInput,
    NotFound,
    RunError,
    Unavailable,
    WrongState,
)
from carrel.events import EVENT_TYPES
from carrel.journal import Journal, Reader, is_being_written, read_blob, read_events
from carrel.journal.verify import verify
from synthetic_run import make_run, picture

WRITER = Path(__file__).with_name("journal_writer.py")


def journal_path(home: Path, run: str) -> Path:
    return home / "runs" / run / "journal.jsonl"


def test_events_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        written = [
            journal.append("run.started", {"task": "größe 💡"}),
            journal.append("text", {"text": "line\nbreak   \u2028 </script>", "n": [1, 2.5, None]}),
        ]
        assert list(journal.events) == written
    assert list(read_events("run_1", tmp_path)) == written
    assert list(read_events("run_1", tmp_path, after=0)) == written[1:]
    assert [event.seq for event in written] == [0, 1]


def test_a_line_is_compact_json_with_sorted_keys_and_the_hash_of_the_line_before(
    tmp_path: Path,
) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {"b": 1, "a": 2})
        journal.append("note", {})
    first, second = journal_path(tmp_path, "run_1").read_bytes().splitlines()
    assert list(json.loads(first)) == sorted(json.loads(first))
    assert b'"data":{"a":2,"b":1}' in first
    assert json.loads(first)["previous"] == ""
    assert json.loads(second)["previous"] == sha256(first).hexdigest()


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.dictionaries(st.text(max_size=9), JSON, max_size=4), min_size=1, max_size=6))
def test_any_json_survives_also_half_surrogates(
    tmp_path_factory: pytest.TempPathFactory, datas: list[dict[str, object]]
) -> None:
    home = tmp_path_factory.mktemp("home")
    with Journal.create("run_1", home=home) as journal:
        journal.append("run.started", {})
        for data in datas:
            journal.append("memory", data)  # type: ignore[arg-type]
    assert verify("run_1", home).ok
    read = [event.data for event in read_events("run_1", home, after=0)]
    # An unlucky text may look like a credential; nothing else may differ.
    if "[redacted]" not in json.dumps(read):
        assert read == datas


def test_data_without_a_json_form_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {})
        for bad in (float("nan"), object(), {1, 2}, b"bytes"):
            with pytest.raises(InvalidInput, match="no JSON form"):
                journal.append("note", {"text": bad})  # type: ignore[dict-item]
        with pytest.raises(InvalidInput):
            journal.append("note", {"text": deep})  # type: ignore[dict-item]
        with pytest.raises(InvalidInput, match="there is no event"):
            journal.append("nonsense", {})  # type: ignore[arg-type]
        with pytest.raises(NotFound, match="no blob"):
            journal.append("frame", {}, ("0" * 64,))
        assert journal.append("note", {"text": "fine"}).seq == 1
    assert verify("run_1", tmp_path).ok


def test_all_sixteen_kinds_can_be_written(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        for kind in EVENT_TYPES:
            journal.append(kind, {})  # type: ignore[arg-type]
    assert [event.kind for event in read_events("run_1", tmp_path)] == list(EVENT_TYPES)


def test_nobody_else_can_read_a_run(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    for path in (tmp_path / "runs").rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
    assert run


def test_the_same_bytes_are_stored_once(tmp_path: Path) -> None:
    data = picture(1)
    with Journal.create("run_1", home=tmp_path) as journal:
        assert journal.put_blob(data) == journal.put_blob(data) == sha256(data).hexdigest()
    with Journal.open("run_1", home=tmp_path) as journal:
        sha = journal.put_blob(data)
        assert journal.read_blob(sha) == data
    assert [path.name for path in (tmp_path / "runs/run_1/blobs").iterdir()] == [sha]


def test_a_run_takes_little_more_than_its_distinct_pictures(tmp_path: Path) -> None:
    noise = random.Random(7)
    frames = [noise.randbytes(60_000) for _ in range(40)]
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {"task": "look"})
        for step in range(200):
            sha = journal.put_blob(frames[step % 40])
            journal.append("decision", {"step": step, "decision": {"text": "x" * 500}})
            journal.append("frame", {"step": step, "frame": sha, "blob": sha}, (sha,))
        journal.append("run.finished", {"status": "succeeded"})
    used = sum(path.stat().st_blocks * 512 for path in (tmp_path / "runs").rglob("*"))
    assert used <= 1.2 * sum(map(len, frames))


def test_a_blob_that_was_changed_or_is_gone_is_not_handed_out(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        sha = journal.put_blob(b"one")
    path = tmp_path / "runs/run_1/blobs" / sha
    path.write_bytes(b"two")
    with pytest.raises(RunError, match="has been changed"):
        read_blob("run_1", sha, tmp_path)
    path.unlink()
    with pytest.raises(NotFound):
        read_blob("run_1", sha, tmp_path)
    with pytest.raises(InvalidInput):
        read_blob("run_1", "../journal.jsonl", tmp_path)


def test_ids_that_lead_elsewhere_are_refused(tmp_path: Path) -> None:
    for name in ("../x", "a/b", "", ".", "..", "a b", "x" * 65, "é", "a\n"):
        with pytest.raises(InvalidInput):
            Journal.create(name, home=tmp_path)
        with pytest.raises(InvalidInput):
            list(read_events(name, tmp_path))


def test_a_run_is_made_once_and_found_only_when_it_is_there(tmp_path: Path) -> None:
    Journal.create("run_1", home=tmp_path).close()
    with pytest.raises(AlreadyExists):
        Journal.create("run_1", home=tmp_path)
    with pytest.raises(NotFound):
        Journal.open("run_2", home=tmp_path)
    with pytest.raises(NotFound):
        read_events("run_2", tmp_path)


def test_a_closed_journal_takes_nothing_more(tmp_path: Path) -> None:
    journal = Journal.create("run_1", home=tmp_path)
    journal.close()
    journal.close()
    with pytest.raises(WrongState, match="closed"):
        journal.append("note", {})


# One writer


def test_a_second_writer_is_refused_in_the_same_process(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {})
        with pytest.raises(WrongState, match="another process"):
            Journal.open("run_1", home=tmp_path)
        assert is_being_written("run_1", tmp_path)
    assert not is_being_written("run_1", tmp_path)
    Journal.open("run_1", home=tmp_path).close()


def test_a_second_writer_is_refused_across_processes_and_readers_are_not(tmp_path: Path) -> None:
    with start_writer(tmp_path, "run_1", "create") as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        with pytest.raises(WrongState):
            Journal.open("run_1", home=tmp_path)
        assert is_being_written("run_1", tmp_path)
        assert next(read_events("run_1", tmp_path)).kind == "run.started"
        writer.kill()
    with Journal.open("run_1", home=tmp_path) as journal:
        assert journal.seq > 0


def test_asking_who_writes_never_keeps_a_writer_out(tmp_path: Path) -> None:
    Journal.create("run_1", home=tmp_path).close()
    code = (
        "import sys\nfrom pathlib import Path\nfrom carrel.journal import is_being_written\n"
        "print('up', flush=True)\n"
        "while True: is_being_written('run_1', Path(sys.argv[1]))\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as asker:
        assert asker.stdout is not None
        asker.stdout.readline()
        for _ in range(200):
            Journal.open("run_1", home=tmp_path).close()
        asker.kill()


# Torn tails


def test_a_tail_torn_anywhere_is_cut_off_and_the_run_goes_on(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1, stop_after=4)
    path = journal_path(tmp_path, run)
    whole = path.read_bytes()
    before = whole[: whole.rindex(b"\n", 0, -1) + 1]
    for length in range(1, len(whole) - len(before)):
        path.write_bytes(whole[: len(before) + length])
        assert len(list(read_events(run, tmp_path))) == 3
        with Journal.open(run, home=tmp_path) as journal:
            assert journal.seq == 2
            assert path.read_bytes() == before
            journal.append("note", {"text": "again"})
        assert verify(run, tmp_path).ok, length
        assert len(list(read_events(run, tmp_path))) == 4


def test_the_first_line_may_be_torn_too(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1, stop_after=1)
    path = journal_path(tmp_path, run)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert list(read_events(run, tmp_path)) == []
        with Journal.open(run, home=tmp_path) as journal:
            assert journal.seq == -1
            assert journal.append("run.started", {}).previous == ""
        assert verify(run, tmp_path).ok


@pytest.mark.parametrize("tail", [b"\0" * 5000, b"\0" * 4095 + b"\n", b"{}\n", b"garbage\n", b"["])
def test_what_a_power_cut_leaves_is_cut_off(tmp_path: Path, tail: bytes) -> None:
    run = make_run(tmp_path, 1, stop_after=3)
    path = journal_path(tmp_path, run)
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    assert len(list(read_events(run, tmp_path))) == 3
    assert verify(run, tmp_path).ok
    with Journal.open(run, home=tmp_path) as journal:
        assert path.read_bytes() == whole
        journal.append("note", {"text": "on"})
    assert verify(run, tmp_path).ok


def test_damage_in_the_midst_is_an_error_not_an_end(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1)
    path = journal_path(tmp_path, run)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"garbage\n", *lines[3:]]))
    with pytest.raises(RunError, match=r"event 2 of .* cannot be read"):
        list(read_events(run, tmp_path))
    path.write_bytes(b"".join(lines[:2]) + b"garbage\ngarbage\n")
    with pytest.raises(RunError, match="damaged"):
        Journal.open(run, home=tmp_path)


def test_lines_longer_than_any_buffer_are_found_again(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {})
        journal.append("memory", {"text": "x" * 300_000})
        last = journal.append("memory", {"text": "y" * 700_000})
    with Journal.open("run_1", home=tmp_path) as journal:
        assert journal.seq == last.seq
        journal.append("note", {})
    assert verify("run_1", tmp_path).ok


def test_a_reader_goes_on_where_it_was(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {})
        reader = Reader("run_1", tmp_path)
        assert [event.seq for event in reader.read()] == [0]
        assert list(reader.read()) == []
        journal.append("note", {})
        with journal_path(tmp_path, "run_1").open("ab") as file:
            file.write(b'{"half')
        assert [event.seq for event in reader.read()] == [1]
        assert list(reader.read()) == []


# Killed writers


def start_writer(home: Path, run: str, how: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, str(WRITER), str(home), run, how], stdout=subprocess.PIPE
    )


def test_a_writer_killed_at_any_point_loses_nothing_it_had_acknowledged(tmp_path: Path) -> None:
    chance = random.Random(20)
    durable = -1
    for round_number in range(40):
        how = "create" if round_number == 0 else "open"
        with start_writer(tmp_path, "run_1", how) as writer:
            assert writer.stdout is not None
            said = writer.stdout.readline()
            time.sleep(chance.random() * 0.03)
            writer.send_signal(signal.SIGKILL)
            said += writer.stdout.read()
        whole = said[: said.rindex(b"\n") + 1] if b"\n" in said else b""
        durable = int(whole.splitlines()[-1]) if whole else durable
        result = verify("run_1", tmp_path)
        assert result.ok, result.problems
        events = list(read_events("run_1", tmp_path))
        assert len(events) == result.events > durable
        assert [event.seq for event in events] == list(range(len(events)))
    assert durable > 200
    with Journal.open("run_1", home=tmp_path) as journal:
        journal.append("run.finished", {"status": "succeeded"})
    assert verify("run_1", tmp_path).ok
    assert not list((tmp_path / "runs/run_1/blobs").glob(".*"))


# Disks that do not take it


def limited(home: Path, code: str, limit: int) -> subprocess.CompletedProcess[str]:
    """Run code in a process whose files cannot grow beyond `limit` bytes."""

    def limit_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [sys.executable, "-c", code, str(home)],
        preexec_fn=limit_files,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_disk_without_room_is_a_typed_error_and_the_journal_stays_whole(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from carrel.errors import Unavailable
from carrel.journal import Journal
journal = Journal.create("run_1", home=Path(sys.argv[1]))
journal.append("run.started", {})
refused = 0
for number in range(40):
    try:
        journal.append("note", {"text": "x" * (900 if number % 2 else 30)})
    except Unavailable as error:
        assert "no room left" in error.message, error
        assert error.hint and error.context["errno"]
        refused += 1
try:
    journal.put_blob(b"y" * 20000)
except Unavailable as error:
    refused += 1000
print(journal.seq, refused)
"""
    done = limited(tmp_path, code, 8192)
    assert done.returncode == 0, done.stderr
    seq, refused = map(int, done.stdout.split())
    assert seq > 5
    assert refused > 1000
    result = verify("run_1", tmp_path)
    assert result.ok, result.problems
    assert (result.events, result.torn) == (seq + 1, 0)
    assert list((tmp_path / "runs/run_1/blobs").iterdir()) == []


def test_a_place_that_cannot_be_written_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable, match="cannot be recorded"):
        Journal.create("run_1", home=tmp_path / "file")
    # Not even root can write there.
    with pytest.raises(Unavailable):
        Journal.create("run_1", home=Path("/proc/self"))


def test_a_write_that_fails_half_way_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device that breaks is the one thing that cannot be had for real here."""
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {})
        real = os.fdatasync
        broken = OSError(5, "Input/output error")

        def fail_once(handle: int) -> None:
            monkeypatch.setattr(os, "fdatasync", real)
            raise broken

        monkeypatch.setattr(os, "fdatasync", fail_once)
        with pytest.raises(Unavailable, match="Input/output error"):
            journal.append("act", {})
        assert journal.append("act", {"text": "works again"}).seq == 1

        def fail(handle: int) -> None:
            raise broken

        monkeypatch.setattr(os, "fdatasync", fail)
        with pytest.raises(Unavailable):
            journal.append("act", {})
        monkeypatch.setattr(os, "fdatasync", real)
        with pytest.raises(WrongState, match="could not be written"):
            journal.append("act", {})
    with Journal.open("run_1", home=tmp_path) as journal:
        assert journal.append("note", {"text": "after opening again"}).seq == 2
    assert verify("run_1", tmp_path).ok


# Cost


def test_an_event_costs_the_same_however_long_the_run_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fdatasync", lambda handle: None)
    data = {"step": 1, "text": "I click the button now. " * 40, "raw": {"items": ["A" * 2000]}}
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {})

        def cost() -> float:
            best = 1.0
            for _ in range(5):
                began = time.process_time()
                for _ in range(100):
                    journal.append("memory", data)  # type: ignore[arg-type]
                best = min(best, (time.process_time() - began) / 100)
            return best

        early = cost()
        for _ in range(3000):
            journal.append("note", {"text": "more"})
        late = cost()
    assert early < 0.001
    assert late < early * 1.5 + 0.0001
