"""The index of runs can be lost, stale or broken, and nobody notices."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from carrel.errors import InvalidInput, NotFound
from carrel.journal import Journal, Runs, Status, runs_home
from synthetic_run import make_run


def test_runs_are_listed_newest_first(tmp_path: Path) -> None:
    made = [make_run(tmp_path, 1) for _ in range(4)]
    runs = Runs(tmp_path)
    assert [summary.id for summary in runs.list()] == made[::-1]
    assert [summary.id for summary in runs.list(2)] == made[:1:-1]
    first = runs.list()[0]
    assert (first.status, first.reason, first.steps) == (Status.SUCCEEDED, "done", 2)
    assert first.money is not None
    assert first.task == "Fill in the form"


def test_an_unknown_cost_is_none(tmp_path: Path) -> None:
    make_run(tmp_path, 1, cost=None)
    assert Runs(tmp_path).list()[0].money is None


def test_there_may_be_none(tmp_path: Path) -> None:
    assert Runs(tmp_path / "nowhere").list() == []
    assert Runs(tmp_path / "nowhere").ids() == []
    assert not (tmp_path / "nowhere").exists()
    with pytest.raises(NotFound, match="no run yet"):
        Runs(tmp_path).find("latest")


def test_a_run_that_went_on_is_read_again(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1, stop_after=3)
    runs = Runs(tmp_path)
    assert runs.list()[0].status == Status.RUNNING
    with Journal.open(run, home=tmp_path) as journal:
        journal.append("run.finished", {"status": "failed", "reason": "stuck"})
        assert runs.is_live(run)
    assert (runs.list()[0].status, runs.list()[0].reason) == (Status.FAILED, "stuck")
    assert not runs.is_live(run)


def test_a_second_listing_reads_no_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_run(tmp_path, 1)
    expected = Runs(tmp_path).list()

    def refuse(*args: object) -> None:
        raise AssertionError("a journal was read")

    monkeypatch.setattr("carrel.journal.index.load_run", refuse)
    assert Runs(tmp_path).list() == expected


@pytest.mark.parametrize("damage", ["missing", "garbage", "empty", "other version", "bad rows"])
def test_a_lost_or_broken_index_is_made_anew(tmp_path: Path, damage: str) -> None:
    made = [make_run(tmp_path, 1) for _ in range(2)]
    expected = Runs(tmp_path).list()
    path = tmp_path / "index.sqlite"
    if damage == "missing":
        path.unlink()
    elif damage == "garbage":
        path.write_bytes(b"no database" * 1000)
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        with sqlite3.connect(path) as database:
            if damage == "other version":
                database.execute("PRAGMA user_version = 99")
            else:
                database.execute("UPDATE runs SET summary = '{\"id\": 3}'")
        database.close()
    assert Runs(tmp_path).list() == expected
    assert Runs(tmp_path).list() == expected
    assert len(expected) == len(made)


def test_a_run_that_is_gone_is_gone_from_the_index(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1, run="run_a")
    make_run(tmp_path, 1, run="run_b")
    Runs(tmp_path).list()
    (tmp_path / "runs" / run / "journal.jsonl").unlink()
    assert [summary.id for summary in Runs(tmp_path).list()] == ["run_b"]


def test_an_index_that_cannot_be_written_hides_nothing(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1)
    (tmp_path / "index.sqlite").mkdir()
    assert [summary.id for summary in Runs(tmp_path).list()] == [run]


def test_a_damaged_run_is_listed_as_damaged(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1)
    path = tmp_path / "runs" / run / "journal.jsonl"
    path.write_bytes(b"garbage\n" + path.read_bytes())
    summary = Runs(tmp_path).list()[0]
    assert (summary.id, summary.reason) == (run, "damaged")
    assert "cannot be read" in summary.problem


def test_what_is_no_run_is_not_listed(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1)
    Journal.create("run_empty", home=tmp_path).close()
    (tmp_path / "runs/a b").mkdir()
    (tmp_path / "runs/a b/journal.jsonl").write_text("x")
    (tmp_path / "runs/file").write_text("x")
    assert Runs(tmp_path).ids() == [run]


def test_a_run_is_found_by_its_id_its_beginning_or_as_the_latest(tmp_path: Path) -> None:
    for run in ("run_aaa1", "run_aaa2", "run_bbb1"):
        make_run(tmp_path, 1, run=run)
    runs = Runs(tmp_path)
    assert runs.find("run_aaa1") == "run_aaa1"
    assert runs.find("run_b") == "run_bbb1"
    assert runs.find("bbb") == "run_bbb1"
    assert runs.find("latest") == "run_bbb1"
    with pytest.raises(InvalidInput, match="beginning of 2 runs"):
        runs.find("run_aaa")
    with pytest.raises(NotFound):
        runs.find("zzz")
    with pytest.raises(InvalidInput):
        runs.find("../run_aaa1")


def test_many_processes_may_list_at_once(tmp_path: Path) -> None:
    made = {make_run(tmp_path, 1) for _ in range(5)}
    code = (
        "import sys\nfrom pathlib import Path\nfrom carrel.journal import Runs\n"
        "for _ in range(20):\n"
        "    assert len(Runs(Path(sys.argv[1])).list()) == 5\n"
        "    (Path(sys.argv[1]) / 'index.sqlite').unlink(missing_ok=True)\n"
    )
    command = [sys.executable, "-W", "error", "-c", code, str(tmp_path)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    for process in processes:
        _, problems = process.communicate(timeout=60)
        assert process.returncode == 0, problems.decode()
    assert set(Runs(tmp_path).ids()) == made


def test_where_runs_are_kept_can_be_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path / "all"))
    monkeypatch.delenv("CARREL_RUNS", raising=False)
    assert runs_home() == tmp_path / "all"
    monkeypatch.setenv("CARREL_RUNS", str(tmp_path / "runs only"))
    assert runs_home() == tmp_path / "runs only"
    monkeypatch.delenv("CARREL_RUNS")
    monkeypatch.delenv("CARREL_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert runs_home() == tmp_path / "data/carrel"
