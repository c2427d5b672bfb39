"""The report of a benchmark: what it links to, and who may read it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_bench_incoming import keep

from carrel.bench.report import FOLDER, REPORT, _replay, write_report
from carrel.bench.results import RESULTS, Header, Row, read_results, write_results
from carrel.errors import InvalidInput

HEADER = Header("clip", "1", "steps", ("a", "b"), (0,))


def fill(place: Path, *rows: Row) -> None:
    with write_results(place, HEADER) as (writer, _):
        for row in rows:
            writer.add(row)


@pytest.fixture
def _open_handed() -> Iterator[None]:
    """Whatever is made is for everybody, unless it says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_open_handed")
def test_the_report_and_its_replays_are_for_their_owner_alone(tmp_path: Path) -> None:
    place = tmp_path / "results"
    fill(place, Row("a", 0, run="run_1", text="<b>copy</b>"), Row("b", 0, run="run_gone"))
    keep(place)
    page, count = write_report(place)
    assert (page, count) == (place / REPORT, 1)
    replay = place / FOLDER / "run_1.html"
    modes = [path.stat().st_mode & 0o777 for path in (page, replay.parent, replay)]
    assert modes == [0o600, 0o700, 0o600]
    text = page.read_text()
    assert f'href="{FOLDER}/run_1.html"' in text
    assert "run_gone.html" not in text
    assert "<b>copy" not in text
    assert "&lt;b&gt;copy" in text
    assert [path.name for path in (place / FOLDER).iterdir()] == ["run_1.html"]


@pytest.mark.parametrize("run", ["../../outside", "/tmp/outside", "a/b", "..", "a b", "\u0000"])
def test_a_row_cannot_name_a_file_elsewhere(tmp_path: Path, run: str) -> None:
    place = tmp_path / "in" / "results"
    fill(place, Row("a", 0, run="run_1"))
    path = place / RESULTS
    lines = path.read_text().splitlines()
    row = {**json.loads(lines[1]), "run": run}
    path.write_text(f"{lines[0]}\n{json.dumps(row)}\n")
    for use in (read_results, write_report):
        with pytest.raises(InvalidInput, match=r"results\.jsonl:2: .* is not the id of a run"):
            use(place)
    with pytest.raises(InvalidInput, match="is not the id of a run"):
        _replay(place, run)
    assert not list(tmp_path.rglob("*.html"))
