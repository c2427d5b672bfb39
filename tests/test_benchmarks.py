from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_a_quick_run_of_one_part_prints_a_table_and_writes_its_rows(tmp_path: Path) -> None:
    done = run("--quick", "--only", "stream", "--json", str(tmp_path / "rows.json"))
    assert done.returncode == 0, done.stderr
    written = json.loads((tmp_path / "rows.json").read_text())
    assert written["quick"] is True
    assert len(written["before"]["load"]) == 3
    assert {row["section"] for row in written["rows"]} == {"stream"}
    for row in written["rows"]:
        assert row["name"] in done.stdout
        assert 0 < row["p50"] <= row["p95"]
        assert row["ratio"] == pytest.approx(row["p50"] / row["floor_p50"])


def test_an_unknown_part_is_refused_with_the_known_ones() -> None:
    done = run("--only", "nothing")
    assert done.returncode == 2
    assert "screenshot" in done.stderr
