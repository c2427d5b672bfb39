"""`carrel bench` as a real command: played, killed, gone on with, compared."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from carrel.bench.results import RESULTS, Header, Row, read_results, write_results
from carrel.errors import NotFound

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel", "bench"]


def carrel(env: Env, *args: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*CARREL, *args],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        text=True,
    )
    assert done.returncode == status, (args, done.stdout[-2000:], done.stderr[-2000:])
    return done


@pytest.fixture
def script(tmp_path: Path) -> str:
    """A model that takes its time, then copies the word."""
    lines = [
        {"actions": [{"type": "wait", "seconds": 0.2}]},
        {"actions": [{"type": "set_clipboard", "text": "alpha"}]},
    ]
    path = tmp_path / "script.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"scripted:{path}"


@pytest.mark.namespace
@pytest.mark.image
def test_a_suite_is_played_told_and_reported(env: Env, script: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    args = ("clip", "--model", script, "--seeds", "0,7", "--tasks", "copy", "--tasks", "ha*")
    done = carrel(env, *args, "-j", "2", "--out", str(out))
    assert "seeds 0, 7" in done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["TASK", "DONE", "RATE", "SECONDS", "STEPS", "FAULTS"]
    assert lines[1].split()[:5] == ["copy", "2", "of", "2", "100%"]
    assert lines[3].startswith("50.0% of all episodes done: 2 of 4")
    assert lines[4].startswith("1 of 2 tasks at 80% or more, 1 perfect")
    assert (out / "report.html").is_file()
    # The failures can be played again.
    failed = [row.run for row in read_results(out).rows if not row.success]
    assert sorted(path.stem for path in (out / "replays").iterdir()) == sorted(failed)
    header = read_results(out).header
    assert (header.suite, header.version, header.model) == ("clip", "1", script)
    assert header.machine == {"provider": "namespace", "image": "desktop", "screen": "640x480"}
    # All of it was played: going on plays nothing, and says the same.
    again = carrel(env, *args, "--out", str(out), "--resume", "--json", "--fail-under", "50")
    found = json.loads(again.stdout)
    assert (found["episodes"], found["successes"], found["missing"]) == (4, 2, 0)
    carrel(env, *args, "--out", str(out), "--resume", "--fail-under", "51", status=1)
    refused = carrel(env, *args, "--out", str(out), status=2)
    assert "--resume" in refused.stderr


@pytest.mark.namespace
@pytest.mark.image
def test_killed_at_any_moment_it_goes_on_and_plays_nothing_twice(
    env: Env, script: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    wish = ["clip", "--model", script, "--seeds", "6", "--tasks", "copy", "-j", "2"]
    wish += ["--attempts", "2", "--out", str(out)]
    for kill in range(2):
        args = [*CARREL, *wish, *(["--resume"] if kill else [])]
        child = subprocess.Popen(args, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        _wait_for_rows(out, 2 + 3 * kill, child)
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=20)
        assert list((out / "desks").iterdir()), "its desks are known"
        with (out / RESULTS).open("ab") as file:
            file.write(b'{"type": "episode", "task": "co')
    done = carrel(env, *wish, "--resume", "--json")
    found = json.loads(done.stdout)
    assert (found["episodes"], found["successes"], found["missing"]) == (12, 12, 0)
    assert found["pass_at"] == {"1": 1.0, "2": 1.0}
    lines = [json.loads(line) for line in (out / RESULTS).read_bytes().splitlines()]
    played = Counter((x["seed"], x["attempt"]) for x in lines if x["type"] == "episode")
    assert set(played.values()) == {1}
    assert [line["type"] for line in lines].count("bench") == 3
    assert not list((out / "desks").iterdir())
    status = [sys.executable, "-m", "carrel", "status", "--json"]
    left = subprocess.run(status, env=env, capture_output=True, text=True, timeout=30)
    assert "bench-" not in left.stdout


@pytest.mark.namespace
@pytest.mark.image
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_broken_off_by_hand_it_puts_its_desks_away_and_says_how_to_go_on(
    env: Env, script: str, tmp_path: Path, number: int
) -> None:
    out = tmp_path / "out"
    wish = ["clip", "--model", script, "--seeds", "99", "--tasks", "copy", "--out", str(out)]
    with subprocess.Popen([*CARREL, *wish], env=env, stderr=subprocess.PIPE) as child:
        try:
            _wait_for_rows(out, 1, child)
        finally:
            child.send_signal(number)
        _, said = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "--resume" in said.decode()
    assert not list((out / "desks").iterdir())
    assert all(row.success for row in read_results(out).rows)


def _wait_for_rows(out: Path, count: int, child: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 30
    while _rows(out) < count:
        assert time.monotonic() < until
        assert child.poll() is None, child.stderr and child.stderr.read()
        time.sleep(0.02)


def _rows(out: Path) -> int:
    try:
        return len(read_results(out).rows)
    except NotFound:
        return 0


def test_suites_and_tasks_are_listed(env: Env) -> None:
    listed = json.loads(carrel(env, "list", "--json").stdout)["suites"]
    by_name = {suite["name"]: suite for suite in listed}
    assert by_name["miniwob"]["tasks"] == 130
    assert by_name["clip"] == {"name": "clip", "version": "1", "tasks": 4}
    assert "problem" in by_name["broken"]
    assert "click-test" in carrel(env, "list", "miniwob").stdout.split()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("nonsense", "--model", "scripted:x"), "no suite 'nonsense'"),
        (("clip", "--model", "scripted:x", "--tasks", "z*"), "no task 'z*'"),
        (("clip", "--model", "scripted:x", "--seeds", "many"), "are no seeds"),
        (("clip", "--model", "scripted:x", "--resume"), "--out DIR"),
        (("clip",), "no model is chosen"),
        (("clip", "--model", "human"), "a person"),
        (("clip", "--model", "scripted:nowhere.jsonl"), "nowhere.jsonl"),
        (("report", "nowhere"), "no results"),
        (("compare", "nowhere", "nowhere"), "no results"),
    ],
)
def test_mistakes_are_told_before_a_desk_is_made(
    env: Env, tmp_path: Path, args: tuple[str, ...], said: str
) -> None:
    env = {key: value for key, value in env.items() if key != "CARREL_MODEL"}
    done = subprocess.run(
        [*CARREL, *args], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert not list(tmp_path.glob("bench-*/desks"))


def write(place: Path, outcomes: str) -> str:
    header = Header("clip", "1", place.name, ("copy",), tuple(range(len(outcomes))))
    with write_results(place, header) as (writer, _):
        for seed, mark in enumerate(outcomes):
            writer.add(Row("copy", seed, success=mark == "+", seconds=1.0, text="Copy it."))
    return str(place)


def test_two_results_are_compared_episode_by_episode(env: Env, tmp_path: Path) -> None:
    before = write(tmp_path / "before", "------------")
    after = write(tmp_path / "after", "+++++++++---")
    done = carrel(env, "compare", before, after)
    assert "second against first: better" in done.stdout
    assert "9 gained, 0 lost" in done.stdout
    found = json.loads(carrel(env, "compare", before, after, "--json").stdout)
    assert found["overall"]["p"] == pytest.approx(2 / 2**9, abs=1e-6)
    assert found["tasks"][0]["clear"]
    little = write(tmp_path / "little", "+-----------")
    assert "no difference that chance" in carrel(env, "compare", before, little).stdout


def test_a_report_is_written_anew_from_results_alone(env: Env, tmp_path: Path) -> None:
    place = write(tmp_path / "some", "++-")
    done = carrel(env, "report", place, "--json")
    found = json.loads(done.stdout)
    # The journals are not there: no replay, and no link to one.
    assert (found["rate"], found["replays"]) == (0.6667, 0)
    page = (tmp_path / "some" / "report.html").read_text()
    assert "66.7% done" in page
    assert "href" not in page
