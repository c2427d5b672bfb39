"""What is told of scenarios when a desk, a name or the command itself is lost on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.ids import new_id

pytestmark = [pytest.mark.image, pytest.mark.namespace, pytest.mark.slow]

LOOKS = """
Scenario: At work
    run command "echo begun > begun"
    wait 5 seconds
    run command "cat begun"

Scenario: After it
    run command "test -e begun || echo blank > blank"

Scenario: At the end
    run command "true"
"""


@pytest.fixture
def desk() -> Iterator[str]:
    name = f"losses-{new_id('x')[-8:]}"
    subprocess.run(carrel("up", name), check=True, capture_output=True, timeout=120)
    yield name
    subprocess.run(carrel("delete", "--yes", name), capture_output=True, timeout=60)


def carrel(*words: str) -> list[str]:
    return [sys.executable, "-m", "carrel", *words]


def end(process: subprocess.Popen[str]) -> str:
    said, _ = process.communicate(timeout=120)
    return said


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    reports = ("--junit", str(folder / "out.xml"), "--report", str(folder / "out.html"))
    return subprocess.Popen(
        carrel("run", *words, *reports, "--display", "none"),
        env={**os.environ, "CARREL_RUNS": str(folder / "runs")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def until_written(folder: Path, kind: str, count: int) -> None:
    until = time.monotonic() + 60
    while not any(
        path.read_text().count(f'"kind":"{kind}"') >= count
        for path in folder.rglob("journal.jsonl")
    ):
        assert time.monotonic() < until
        time.sleep(0.02)


def verdicts(folder: Path) -> dict[str, str]:
    cases = ET.parse(folder / "out.xml").getroot().iter("testcase")
    return {case.get("name", ""): case[0].tag for case in cases}


def test_a_desk_that_was_deleted_meanwhile_is_no_other_of_its_name(
    desk: str, tmp_path: Path
) -> None:
    file = tmp_path / "looks.steps"
    file.write_text(LOOKS)
    running = start(tmp_path, "-f", str(file), "-m", desk)
    until_written(tmp_path, "act", 2)
    running.send_signal(signal.SIGSTOP)
    try:
        for words in (("delete", "--yes", desk), ("up", desk)):
            subprocess.run(carrel(*words), check=True, capture_output=True, timeout=120)
    finally:
        running.send_signal(signal.SIGCONT)
    said = end(running)
    assert running.returncode == 1, said
    assert "0 of 3 scenarios passed" in said
    assert verdicts(tmp_path) == dict.fromkeys(("At work", "After it", "At the end"), "error")
    assert "was deleted meanwhile" in (tmp_path / "out.xml").read_text()
    assert "At the end" in (tmp_path / "out.html").read_text()
    looked = subprocess.run(
        carrel("exec", desk, "--", "sh", "-c", "ls"), capture_output=True, text=True, timeout=60
    )
    assert looked.returncode == 0
    assert "blank" not in looked.stdout


def test_without_its_desk_every_scenario_is_an_error_and_both_reports_are_written(
    desk: str, tmp_path: Path
) -> None:
    file = tmp_path / "looks.steps"
    file.write_text(LOOKS)
    running = start(tmp_path, "-f", str(file), "-m", desk)
    until_written(tmp_path, "act", 2)
    running.send_signal(signal.SIGSTOP)
    try:
        subprocess.run(
            carrel("delete", "--yes", desk), check=True, capture_output=True, timeout=120
        )
    finally:
        running.send_signal(signal.SIGCONT)
    said = end(running)
    assert running.returncode == 1, said
    assert verdicts(tmp_path) == dict.fromkeys(("At work", "After it", "At the end"), "error")
    assert f"there is no machine named {desk}" in (tmp_path / "out.xml").read_text()
    listed = subprocess.run(
        carrel("status", "--json"), check=True, capture_output=True, text=True, timeout=60
    )
    assert desk not in {machine["name"] for machine in json.loads(listed.stdout)["machines"]}


def test_what_ends_the_command_leaves_the_reports_of_what_was_run(
    desk: str, tmp_path: Path
) -> None:
    file = tmp_path / "looks.steps"
    file.write_text(LOOKS)
    running = start(tmp_path, "-f", str(file), "-m", desk)
    until_written(tmp_path, "act", 2)
    running.send_signal(signal.SIGTERM)
    said = end(running)
    assert running.returncode != 0, said
    assert list(verdicts(tmp_path)) == ["At work", "After it", "At the end"]
    assert set(verdicts(tmp_path).values()) <= {"error", "skipped"}


def test_scenarios_that_are_skipped_are_told_too(desk: str, tmp_path: Path) -> None:
    file = tmp_path / "three.steps"
    file.write_text(
        'Scenario: Good\n    run command "true"\n'
        'Scenario: Bad\n    set x = "1"\n    verify that {x} is "2"\n'
        'Scenario: Left\n    run command "true"\n'
        'Scenario: Left too\n    run command "true"\n'
    )
    running = start(tmp_path, "-f", str(file), "-m", desk, "--fail-fast", "--json")
    said = end(running)
    assert running.returncode == 1, said
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    told = [(line["name"], line["verdict"]) for line in lines if "verdict" in line]
    assert told == [
        ("Good", "passed"),
        ("Bad", "failed"),
        ("Left", "skipped"),
        ("Left too", "skipped"),
    ]


def test_only_the_names_of_scenarios_that_are_run_are_needed(desk: str, tmp_path: Path) -> None:
    file = tmp_path / "names.steps"
    file.write_text(
        'Scenario: Without\n    run command "true"\n'
        'Scenario: With\n    run command "echo {THING}"\n'
    )
    chosen = ("-f", str(file), "-m", desk)
    running = start(tmp_path, *chosen, "--only", "without")
    assert "1 of 1 scenarios passed" in end(running)
    running = start(tmp_path, *chosen)
    said = end(running)
    assert running.returncode == 2
    assert "names.steps needs THING" in said
