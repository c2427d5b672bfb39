"""What a person is told of a benchmark, and which replays a report has."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from carrel.bench.report import _choose, _seeds, write_report
from carrel.bench.results import Header, Results, Row, write_results
from carrel.cli._bench import Meter
from carrel.cli._output import Output

HEADER = Header("clip", "1", "<model>", ("a", "b"), (0, 1, 2))


def results(*rows: Row) -> Results:
    return Results(HEADER, rows)


def test_a_terminal_shows_one_line_that_is_drawn_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    meter = Meter(Output(), 6)
    meter.stage("starting", 0.5)
    first, second = Row("a", 0, success=True), Row("b\x1b[31m", 0)
    meter.row(first, results(first))
    meter.row(second, results(first, second))
    meter.finish()
    said = capsys.readouterr().err
    assert "starting 50%" in said
    assert "1 of 6, 100.0% done" in said
    assert "2 of 6, 50.0% done" in said
    assert "\x1b[31m" not in said
    assert "\n" not in said
    assert said.endswith("\r\x1b[K")


def test_elsewhere_it_says_a_line_now_and_then_and_nothing_for_programs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = Row("a", 0, success=True)
    meter = Meter(Output(), 6)
    meter.row(row, results(row))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("carrel.cli._bench._QUIET", 0.0)
    meter.row(row, results(row))
    assert "1 of 6" in capsys.readouterr().err
    out = Output()
    out.json = True
    quiet = Meter(out, 6)
    quiet.row(row, results(row))
    quiet.finish()
    assert capsys.readouterr().err == ""


def test_replays_are_spread_over_the_tasks() -> None:
    rows = [Row(task, seed, run=f"run_{task}{seed}") for task in "ab" for seed in range(3)]
    rows += [Row("c", 0, success=True, run="run_c0"), Row("d", 0, fault="lost")]
    chosen = [row.run for row in _choose(rows, "failures", 4)]
    assert chosen == ["run_a0", "run_b0", "run_a1", "run_b1"]
    assert len(_choose(rows, "all", 100)) == 7
    assert _choose(rows, "none", 100) == []


def test_seeds_in_a_row_are_told_briefly() -> None:
    assert _seeds(tuple(range(10))) == "0 to 9"
    assert _seeds((0, 3, 5)) == "0, 3, 5"
    assert _seeds((4,)) == "4"


def test_nothing_that_was_said_becomes_markup_in_the_report(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    with write_results(tmp_path, HEADER) as (writer, _):
        writer.add(Row(evil, 0, text=evil, message=evil, reason=evil, fault=evil, earlier=(evil,)))
        writer.add(Row("a", 1, reward=0.4, run="run_1"))
    page = write_report(tmp_path, replays="none")[0].read_text()
    assert "<script" not in page
    assert "&lt;model&gt;" in page
    assert "reward 0.40" in page
    assert "default-src 'none'" in page
