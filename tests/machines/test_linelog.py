"""Logs of lines, written and read by several at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from carrel.machines.linelog import (
    CARREL_LOG,
    LineLog,
    Tail,
    lines_of,
    note,
    older,
    split_stamp,
    stamp,
    unstamped,
)

WRITER = """
import sys
from pathlib import Path
from carrel.machines.linelog import LineLog
log = LineLog(Path(sys.argv[1]), limit=20_000)
for number in range(int(sys.argv[3])):
    log.write(f"{sys.argv[2]} {number}".encode())
"""


@given(st.integers(0, 4_000_000_000_000))
def test_a_moment_is_read_as_it_was_written(thousandths: int) -> None:
    at = thousandths / 1000
    line = f"{stamp(at)} some words".encode()
    found, rest = split_stamp(line)
    assert found is not None
    assert abs(found - at) < 0.0015
    assert rest == b"some words"


@given(st.binary(max_size=80))
def test_any_line_can_be_looked_at(line: bytes) -> None:
    at, rest = split_stamp(line)
    assert at is not None or rest == line


def test_a_moment_that_is_none_is_part_of_the_line() -> None:
    line = b"2026-13-77T99:00:00.000Z words"
    assert split_stamp(line) == (None, line)


def test_lines_can_be_had_without_their_moments() -> None:
    text = f"{stamp(1)} one\nbare\n{stamp(2)} two {stamp(3)} \n".encode()
    assert unstamped(text) == f"one\nbare\ntwo {stamp(3)} \n".encode()


def test_each_line_is_read_once_and_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "log"
    tail = Tail(path)
    assert tail.read() == []
    path.write_bytes(b"one\ntw")
    assert tail.read() == [b"one"]
    with path.open("ab") as file:
        file.write(b"o\nthree\n")
    assert tail.read() == [b"two", b"three"]
    assert tail.read() == []
    tail.close()


def test_a_log_stays_bounded_and_its_older_part_is_read_first(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = LineLog(path, limit=2000)
    for number in range(200):
        log.write(f"line {number:04d}".encode())
    assert path.stat().st_size + older(path).stat().st_size < 2100
    assert path.stat().st_mode & 0o777 == 0o600
    numbers = [int(line.split()[1]) for line in lines_of([path])]
    assert numbers == list(range(numbers[0], 200))
    assert len(numbers) >= 90


def test_a_reader_loses_and_doubles_nothing_while_the_log_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log, tail = LineLog(path, limit=2000), Tail(path)
    seen: list[bytes] = []
    for number in range(1000):
        log.write(f"line {number}".encode())
        if number % 7 == 0:
            seen += tail.read()
    seen += tail.read()
    tail.close()
    assert seen == [f"line {number}".encode() for number in range(1000)]
    assert not tail.missed


def test_a_reader_that_comes_too_late_says_so(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log, tail = LineLog(path, limit=200), Tail(path)
    log.write(b"first")
    assert tail.read() == [b"first"]
    for number in range(100):
        log.write(f"line {number}".encode())
    seen = tail.read()
    assert tail.missed
    assert seen[-1] == b"line 99"
    assert len(seen) == len(set(seen))
    tail.close()


def test_two_processes_write_to_one_log_and_a_third_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "log"
    count = 2000
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), name, str(count)])
        for name in ("a", "b")
    ]
    tail, seen, missed = Tail(path), [], False
    while any(writer.poll() is None for writer in writers):
        seen += tail.read()
        missed = missed or tail.missed
    seen += tail.read()
    tail.close()
    assert [writer.wait() for writer in writers] == [0, 0]
    for name in ("a", "b"):
        numbers = [int(line.split()[1]) for line in seen if line.startswith(name.encode())]
        assert numbers == sorted(set(numbers))
        if not missed:
            assert len(numbers) == count


def test_a_note_is_one_line_whatever_it_says(tmp_path: Path) -> None:
    note(tmp_path, "keeper", "two\nlines and \udcff")
    (line,) = lines_of([tmp_path / CARREL_LOG])
    at, rest = split_stamp(line)
    assert at is not None
    assert rest == b"keeper: two lines and \\udcff"
    note(tmp_path / "gone", "keeper", "nobody reads this")
    assert json.dumps(rest.decode())
