from __future__ import annotations

import json
import string
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.agent.agent import Agent
from carrel.bench.plan import Plan, Trial
from carrel.bench.results import (
    RESULTS,
    Header,
    Results,
    Row,
    Writer,
    read_results,
    write_results,
)
from carrel.bench.runner import Bench
from carrel.bench.suite import get_suite
from carrel.errors import AlreadyExists, InvalidInput, NotFound, WrongState
from carrel.policy.limits import Limits

HEADER = Header("clip", "1", "scripted:x", ("a", "b"), (0, 1))

TEXT = st.text(max_size=40)
ROWS = st.builds(
    Row,
    task=st.text(string.ascii_lowercase, min_size=1, max_size=3),
    seed=st.integers(0, 3),
    attempt=st.integers(0, 1),
    success=st.booleans(),
    reward=st.floats(-1, 1),
    reason=TEXT,
    message=TEXT,
    text=TEXT,
    seconds=st.floats(0, 1e4),
    cost=st.none() | st.just("0.25"),
    fault=TEXT,
    earlier=st.lists(TEXT, max_size=2).map(tuple),
)


def write(place: Path, *rows: Row, header: Header = HEADER, resume: bool = False) -> Results:
    with write_results(place, header, resume=resume) as (writer, before):
        for row in rows:
            writer.add(row)
    return before


@settings(max_examples=40, deadline=None)
@given(st.lists(ROWS, max_size=8))
def test_what_is_written_is_read_back(rows: list[Row]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        write(Path(name), *rows)
        found = read_results(Path(name))
    last = {row.trial: row for row in rows}
    assert found.header == HEADER
    assert {row.trial: row for row in found.rows} == last
    assert len(found.rows) == len(last)


def test_a_later_line_stands_in_place_of_an_earlier_one(tmp_path: Path) -> None:
    write(tmp_path, Row("a", 0, fault="lost"), Row("b", 0), Row("a", 0, success=True))
    found = read_results(tmp_path)
    assert [(row.task, row.success) for row in found.rows] == [("a", True), ("b", False)]
    assert found.missing == (Trial("a", 1), Trial("b", 1))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 400))
def test_a_line_cut_off_anywhere_is_no_result_and_nothing_else_is_lost(cut: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        write(place, Row("a", 0), Row("b", 0, text="x" * 300))
        path = place / RESULTS
        whole = path.read_bytes()
        last = whole.rindex(b"\n", 0, -1) + 1
        path.write_bytes(whole[: max(last, len(whole) - cut)])
        assert [row.task for row in read_results(place).rows] == ["a"]
        before = write(place, Row("b", 0, success=True), resume=True)
        assert [row.task for row in before.rows] == ["a"]
        assert [row.success for row in read_results(place).rows] == [False, True]


def test_results_are_not_added_to_unasked(tmp_path: Path) -> None:
    write(tmp_path, Row("a", 0))
    with pytest.raises(AlreadyExists) as caught:
        write(tmp_path, Row("b", 0))
    assert "--resume" in str(caught.value.hint)
    assert [row.task for row in read_results(tmp_path).rows] == ["a"]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"model": "other"}, "model"),
        ({"version": "2"}, "version"),
        ({"timeout": 5.0}, "timeout"),
        ({"options": {"dialect": "marks"}}, "options"),
        ({"base_url": "http://other.example/v1"}, "base_url"),
        ({"max_steps": 7}, "max_steps"),
        ({"machine": {"screen": "640x480"}}, "machine"),
        ({"carrel": "0.0.1"}, "carrel"),
    ],
)
def test_results_of_something_else_are_not_gone_on_with(
    tmp_path: Path, change: dict[str, object], word: str
) -> None:
    write(tmp_path, Row("a", 0))
    other = replace(HEADER, **change)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=word):
        write(tmp_path, header=other, resume=True)


def test_more_seeds_and_tasks_may_be_played_later(tmp_path: Path) -> None:
    write(tmp_path, Row("a", 0))
    wider = replace(HEADER, tasks=("a", "b", "c"), seeds=(0, 1, 2), workers=4)
    write(tmp_path, Row("c", 2), header=wider, resume=True)
    found = read_results(tmp_path)
    assert found.header == wider
    assert len(found.missing) == 7


@pytest.mark.parametrize("change", [{"tasks": ("b",)}, {"seeds": (1,)}, {"attempts": 1}])
def test_what_is_not_asked_for_now_does_not_stay_among_the_results(
    tmp_path: Path, change: dict[str, object]
) -> None:
    wide = replace(HEADER, attempts=2)
    write(tmp_path, Row("a", 0), Row("a", 0, 1), header=wide)
    narrow = replace(wide, **change)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="not asked for now: a seed 0"):
        write(tmp_path, header=narrow, resume=True)
    assert read_results(tmp_path).header == wide


def test_keys_in_options_and_addresses_are_not_kept_with_the_results(tmp_path: Path) -> None:
    agent = Agent(
        model="openai:some",
        model_options={"api_key": "anything", "dialect": "marks", "x": "sk-ant-0123456789abcd"},
        base_url="https://ann:hush@models.example/v1",
        limits=Limits(steps=7),
    )
    bench = Bench(suite=get_suite("miniwob"), agent=agent, plan=Plan(("a",), (0,)), out=tmp_path)
    write(tmp_path, header=bench.header())
    text = (tmp_path / RESULTS).read_text()
    assert not any(word in text for word in ("anything", "sk-ant", "hush", "ann"))
    header = read_results(tmp_path).header
    assert header.options["dialect"] == "marks"
    assert header.base_url == "https://models.example/v1"
    assert header.max_steps == 7
    write(tmp_path, header=bench.header(), resume=True)


def test_only_one_process_at_a_time_plays_into_a_directory(tmp_path: Path) -> None:
    with (
        write_results(tmp_path, HEADER),
        pytest.raises(WrongState),
        write_results(tmp_path, HEADER, resume=True),
    ):
        pytest.fail("it was let in")
    write(tmp_path, resume=True)


def test_what_a_later_version_added_is_left_out(tmp_path: Path) -> None:
    write(tmp_path)
    with (tmp_path / RESULTS).open("a") as file:
        file.write(json.dumps({"type": "episode", "task": "a", "seed": 0, "mood": "good"}) + "\n")
        file.write(json.dumps({"type": "weather", "sun": True}) + "\n")
    assert read_results(tmp_path).rows == (Row("a", 0),)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("nonsense\n", "results.jsonl:1"),
        ("[]\n", "object"),
        ('{"type": "episode", "task": "a", "seed": 0}\n', "does not begin"),
        ('{"type": "bench", "suite": 3}\n', "results.jsonl:1"),
    ],
)
def test_a_file_that_holds_no_results_is_told_from_one(
    tmp_path: Path, text: str, word: str
) -> None:
    (tmp_path / RESULTS).write_text(text)
    with pytest.raises(InvalidInput, match=word):
        read_results(tmp_path)


def test_a_directory_without_results_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_results(tmp_path)
    with pytest.raises(NotFound):
        read_results(tmp_path / "nowhere")
    for begun in ("", '{"type": "ben'):
        (tmp_path / RESULTS).write_text(begun)
        with pytest.raises(NotFound):
            read_results(tmp_path)


def test_each_line_is_there_as_soon_as_it_is_added(tmp_path: Path) -> None:
    with Writer(tmp_path / RESULTS) as writer:
        writer.begin(HEADER)
        writer.add(Row("a", 0))
        assert len(read_results(tmp_path).rows) == 1
