"""What Firecracker tells of its disks, line by line, and what is kept of that."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.machines.firecracker.figures import (
    PIPE,
    Figures,
    follow,
    make_pipe,
    read_figures,
)

AMOUNTS = st.integers(0, 1 << 50)


@given(st.lists(st.tuples(AMOUNTS, AMOUNTS)))
def test_what_was_added_each_time_is_summed_up(told: list[tuple[int, int]]) -> None:
    figures = Figures()
    for read, written in told:
        line = json.dumps({"block": {"read_bytes": read, "write_bytes": written}, "vcpu": {}})
        figures = figures.with_line(line.encode())
    sums = [sum(column) for column in zip(*told, strict=True)] or [0, 0]
    assert figures == Figures(len(told), *sums)


@given(st.binary() | st.text().map(str.encode) | st.just(b'{"block": 5}'))
def test_what_is_no_figure_adds_nothing(line: bytes) -> None:
    assert Figures(3, 4, 5).with_line(line) == Figures(4, 4, 5)


def wait_for(directory: Path, lines: int) -> Figures:
    until = time.monotonic() + 60
    while (found := read_figures(directory)) is None or found.lines < lines:
        assert time.monotonic() < until, found
        time.sleep(0.01)
    return found


def test_however_much_is_told_two_numbers_are_left_of_it(tmp_path: Path) -> None:
    make_pipe(tmp_path / PIPE, None)
    assert (tmp_path / PIPE).stat().st_mode & 0o777 == 0o600
    pipe = os.open(tmp_path / PIPE, os.O_RDWR | os.O_CLOEXEC)
    # It reads to the end of its process, as its holder does.
    threading.Thread(target=follow, args=(pipe, tmp_path), daemon=True).start()
    line = json.dumps({"block": {"read_bytes": 2, "write_bytes": 1}, "rest": "x" * 9000})
    assert wait_for(tmp_path, 0) == Figures()
    with (tmp_path / PIPE).open("a") as told:
        for _ in range(500):
            told.write(line + "\n")
        told.write("y" * (2 << 20) + "\n" + line + "\n")
    found = wait_for(tmp_path, 502)
    assert (found.read, found.written) == (1002, 501)
    assert sum(path.stat().st_size for path in tmp_path.glob("*.json")) < 200
    assert (tmp_path / PIPE).stat().st_size == 0


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"lines": "x"}', "\0"])
def test_figures_that_are_damaged_are_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "figures.json").write_text(text)
    assert read_figures(tmp_path) is None
    assert read_figures(tmp_path / "nowhere") is None
