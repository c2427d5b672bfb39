"""One view of all logs of a machine."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Collection
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import InvalidInput
from carrel.machines.apps import APP_LOG
from carrel.machines.chronicle import Chronicle
from carrel.machines.collector import SOURCES, Collector, LogLine, Source, parse_since
from carrel.machines.decisions import Decision, DecisionLog
from carrel.machines.keep import Keep
from carrel.machines.linelog import LineLog, note, older, stamp
from carrel.machines.spec import Machine, MachineSpec


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    place = tmp_path / "machines" / "mac_1"
    place.mkdir(parents=True)
    return place


def say(directory: Path, at: float, text: str) -> None:
    with Keep(directory).console.open("a") as file:
        file.write(f"{stamp(at)} {text}\n")


def say_app(directory: Path, at: float, text: str, stream: str = "out", app: str = "web") -> None:
    entry = {"at": stamp(at), "app": app, "stream": stream, "text": text}
    LineLog(directory / APP_LOG).write(json.dumps(entry).encode())


def read(directory: Path, sources: Collection[Source] = SOURCES) -> list[LogLine]:
    with closing(Collector(directory, sources)) as collector:
        return collector.read()


def test_all_sources_are_read_in_the_order_of_time(directory: Path) -> None:
    say(directory, 10, "openbox: a word of the desk")
    say(directory, 40, "keeper: the owner's connection ended")
    say(directory, 50, "[    0.000000] Linux version 6.1")
    say_app(directory, 20, "serving")
    say_app(directory, 30, "oops", "err")
    found = read(directory)
    assert [(line.at, line.source, line.who, line.stream) for line in found] == [
        (10, "system", "", ""),
        (20, "app", "web", "out"),
        (30, "app", "web", "err"),
        (40, "carrel", "keeper", ""),
        (50, "engine", "", ""),
    ]
    assert found[3].text == "the owner's connection ended"
    for source in SOURCES:
        only = read(directory, [source])
        assert only == [line for line in found if line.source == source]


def test_decisions_and_doings_are_carrels(directory: Path) -> None:
    log = DecisionLog(Keep(directory).decisions)
    wish = Decision("out_1", "example.org", 443)
    log.write(wish.made("deny", "no rule names it"))
    log.write(wish.made("closed", "").carried(7, 9))
    note(directory, "apps", "web is deployed")
    machine = Machine("mac_1", "desk", MachineSpec(), directory, 0.0)
    other = Machine("mac_2", "other", MachineSpec(), directory, 0.0)
    chronicle = Chronicle(directory.parent.parent)
    chronicle.write("configured", machine, facts={"fields": ["cpus", "memory"]})
    chronicle.write("started", machine)
    chronicle.write("crashed", machine, "the keeper was killed")
    chronicle.write("hook-failed", machine, "hook x failed", {"moment": "on_machine_stop"})
    chronicle.write("paused", other)
    found = {(line.who, line.text) for line in read(directory, ["carrel"])}
    assert found == {
        ("egress", "deny example.org:443 no rule names it"),
        ("egress", "closed example.org:443, 9 bytes out, 7 in"),
        ("apps", "web is deployed"),
        ("store", "the machine was configured, fields cpus memory"),
        ("store", "the machine failed: the keeper was killed"),
        ("store", "a hook failed, moment on_machine_stop: hook x failed"),
    }


def test_a_line_without_a_moment_has_that_of_the_line_before(directory: Path) -> None:
    say(directory, 12.5, "first")
    with Keep(directory).console.open("a") as file:
        file.write("Traceback (most recent call last):\n")
    assert [line.at for line in read(directory)] == [12.5, 12.5]


def test_a_moment_is_told_once(directory: Path) -> None:
    say(directory, 7, "2026-01-01 10:00:00,123 carrel.guest INFO ready")
    assert [line.text for line in read(directory)] == ["carrel.guest INFO ready"]


def test_reading_again_gives_what_came_since(directory: Path) -> None:
    collector = Collector(directory)
    assert collector.read() == []
    say_app(directory, 1, "one")
    assert [line.text for line in collector.read()] == ["one"]
    Keep(directory).console.write_text(f"{stamp(2)} before the next start\n")
    assert [line.text for line in collector.read()] == ["before the next start"]
    Keep(directory).console.replace(older(Keep(directory).console))
    say(directory, 3, "after it")
    say_app(directory, 2, "two")
    assert [line.text for line in collector.read()] == ["two", "after it"]
    assert collector.read() == []
    collector.close()


def test_what_was_dropped_is_told(directory: Path) -> None:
    collector = Collector(directory)
    say_app(directory, 1, "first")
    assert len(collector.read()) == 1
    log = LineLog(directory / APP_LOG, limit=300)
    for number in range(20):
        entry = {"at": stamp(2), "app": "web", "stream": "out", "text": str(number)}
        log.write(json.dumps(entry).encode())
    found = collector.read()
    assert "older lines were dropped before they were read" in [line.text for line in found]
    assert collector.read() == []
    collector.close()


def test_damaged_lines_are_left_out(directory: Path) -> None:
    for path in (directory / APP_LOG, Keep(directory).decisions):
        path.write_bytes(b'{"at": 3}\n[]\n\xff\xfe\n{"at": "x", "stream"')
    with (directory / APP_LOG).open("a") as file:
        file.write("\n")
    say_app(directory, 4, "whole")
    assert read(directory) == [LogLine(4, "app", "whole", "web", "out")]


@pytest.mark.parametrize(
    ("text", "ago"), [("10s", 10), ("5m", 300), ("2h", 7200), ("1.5 d", 129600)]
)
def test_a_moment_may_be_so_long_ago(text: str, ago: float) -> None:
    assert parse_since(text, now=1_000_000.0) == 1_000_000.0 - ago
    assert parse_since(text) == pytest.approx(time.time() - ago, abs=5)


@given(st.integers(0, 4_000_000_000))
def test_a_moment_may_be_written_out(seconds: int) -> None:
    assert parse_since(str(seconds)) == seconds or len(str(seconds)) == 8
    assert parse_since(stamp(seconds)) == seconds


@given(st.text(max_size=20))
def test_any_text_is_a_moment_or_refused(text: str) -> None:
    with suppress(InvalidInput):
        assert math.isfinite(parse_since(text))
