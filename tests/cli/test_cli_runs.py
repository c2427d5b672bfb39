"""`carrel runs`, `show`, `verify` and `export`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import Carrel, invoke
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from carrel.codec import Json
from carrel.journal import Journal
from synthetic_run import ask_entry, make_run


@pytest.fixture
def runs(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home with two runs: `run_old` was interrupted, `run_new` ended well."""
    monkeypatch.delenv("CARREL_RUNS", raising=False)
    make_run(home, 4, run="run_old", stop_after=8, cost=None)
    make_run(home, 3, run="run_new")
    monkeypatch.chdir(tmp_path)
    return home


def test_runs_are_listed(carrel: Carrel, runs: Path) -> None:
    done = carrel("runs")
    assert done.exit_code == 0
    head, new, old = done.stdout.splitlines()
    assert head.split() == ["ID", "STATUS", "REASON", "STEPS", "COST", "WHEN", "TASK"]
    assert new.startswith("run_new  succeeded    done")
    assert "$0.0492" in new
    assert old.startswith("run_old  interrupted  interrupted")
    assert "unknown" in old
    assert old.endswith("Fill in the form")
    assert len(carrel("runs", "--limit", "1").stdout.splitlines()) == 2


def test_runs_as_json(carrel: Carrel, runs: Path) -> None:
    found = json.loads(carrel("runs", "--json").stdout)["runs"]
    assert [(run["id"], run["status"], run["cost"]) for run in found] == [
        ("run_new", "succeeded", "0.0492"),
        ("run_old", "interrupted", None),
    ]


def test_no_runs_is_said(carrel: Carrel, home: Path) -> None:
    assert "There is no run yet" in carrel("runs").stdout
    assert json.loads(carrel("runs", "--json").stdout) == {"runs": []}
    done = carrel("show", "latest")
    assert done.exit_code == 2
    assert "there is no run yet" in done.stderr


def test_a_question_that_waits_is_pointed_out(carrel: Carrel, runs: Path) -> None:
    with Journal.open("run_old", home=runs) as journal:
        journal.append(*ask_entry("ask_7", "Really?")[:2])
        listed = carrel("runs").stdout
        assert "run_old asks: Really?\n  carrel answer run_old yes (or no)\n" in listed
        assert "run_old  running" in listed
    shown = carrel("show", "run_old").stdout
    assert "asks     Really?\n         carrel answer run_old yes (or no)\n" in shown


def test_a_question_says_which_action_it_is_about(carrel: Carrel, runs: Path) -> None:
    action: Json = {"type": "shell", "command": "rm -rf /tmp/x", "env": {}}
    asked: dict[str, Json] = {
        **ask_entry("ask_7", "it deletes")[1],
        "choices": ["allow", "deny"],
        "words": "run rm -rf /tmp/x",
        "action": action,
    }
    with Journal.open("run_old", home=runs) as journal:
        journal.append("ask", asked)
    answer = "carrel answer run_old allow (or deny)"
    assert f"run_old asks: run rm -rf /tmp/x: it deletes\n  {answer}\n" in carrel("runs").stdout
    shown = carrel("show", "run_old").stdout
    assert f"asks     it deletes\n         run rm -rf /tmp/x\n         {answer}\n" in shown
    assert "A person is asked: run rm -rf /tmp/x: it deletes" in shown
    with Journal.open("run_old", home=runs) as journal:
        journal.append("ask", {**asked, "ask": "ask_8"})
    assert "carrel answer run_old allow --ask ask_8 (or deny)" in carrel("show", "run_old").stdout


def test_a_run_is_shown_in_words(carrel: Carrel, runs: Path) -> None:
    shown = carrel("show", "latest").stdout
    for line in (
        "run      run_new",
        "status   succeeded (done): the model said so",
        "machine  desk (namespace, process)",
        "cost     $0.0492",
        "   1    click at 40, 50 → delivered",
        '   2    type "hello" → delivered',
        "   2  A person is asked: Send the form?",
        "   4  The run succeeded: All filled in.",
    ):
        assert line in shown.splitlines()
    old = carrel("show", "run_o").stdout
    assert "status   interrupted\n" in old
    assert "cost     unknown" in old
    assert 'unsure   type "hello": begun, and its result is not known' in old


OUTCOMES: list[tuple[dict[str, Json], str, str]] = [
    ({"ok": True, "effect": "confirmed"}, "done", "Done: X"),
    (
        {"ok": True, "effect": "suspected_noop"},
        "delivered, the screen did not change",
        "Delivered, the screen did not change: X",
    ),
    (
        {"ok": True, "effect": "confirmed", "text": "hi", "data": {"exit": 3, "signal": None}},
        "exited with 3",
        "Exited with 3: X: hi",
    ),
    (
        {"ok": False, "effect": "refused", "error": {"code": "refused", "message": "stay"}},
        "refused: stay",
        "Refused: X: stay",
    ),
]


@pytest.mark.parametrize(("result", "shown", "event"), OUTCOMES)
def test_what_came_of_an_action_is_shown(
    carrel: Carrel, runs: Path, result: dict[str, Json], shown: str, event: str
) -> None:
    verdict: Json = {"verdict": "allow", "stage": "stuck", "reason": ""}
    place: dict[str, Json] = {"step": 9, "call": "c", "index": 0, "request": "r"}
    with Journal.open("run_old", home=runs) as journal:
        journal.append("act", {**place, "words": "X", "verdict": verdict})
        journal.append("result", {**place, "result": result})
    assert f"   9    X → {shown}" in carrel("show", "run_old").stdout.splitlines()
    *_, act, last = carrel("show", "run_old", "--events").stdout.splitlines()
    assert act.endswith("act           X")
    assert last.endswith(f"result        {event}")


@pytest.mark.parametrize(
    ("end", "status", "last"),
    [
        (
            {"status": "failed", "reason": "gave_up", "message": "too hard", "text": ""},
            "failed (gave_up): too hard",
            "The run failed (gave_up): too hard",
        ),
        (
            {"status": "cancelled", "reason": "cancelled", "message": "cancelled by ann"},
            "cancelled by ann",
            "The run was cancelled by ann",
        ),
    ],
)
def test_the_end_of_a_run_says_why_and_says_it_once(
    carrel: Carrel, runs: Path, end: dict[str, Json], status: str, last: str
) -> None:
    with Journal.open("run_old", home=runs) as journal:
        journal.append("run.finished", {**end, "steps": 1})
    shown = carrel("show", "run_old").stdout
    assert f"status   {status}\n" in shown
    assert shown.endswith(f"  {last}\n")


def test_a_run_that_was_changed_is_shown_with_a_warning(carrel: Carrel, runs: Path) -> None:
    assert carrel("show", "run_new").stderr == ""
    for blob in (runs / "runs/run_new/blobs").iterdir():
        # Not looked at for this: only the chain is.
        blob.write_bytes(b"other")
    assert carrel("show", "run_new").stderr == ""
    path = runs / "runs/run_new/journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b"click at 40, 50", b"click at 40, 51"))
    warning = "warning: run_new is not as it was written: event 3: it was changed"
    for command in (["show", "run_new"], ["show", "run_new", "--events"]):
        done = carrel(*command)
        assert done.exit_code == 0
        assert done.stderr == f"{warning} (carrel verify run_new)\n"
    assert warning in carrel("export", "run_new", "--jsonl").stderr


def test_of_many_problems_the_first_are_listed(carrel: Carrel, runs: Path) -> None:
    path = runs / "runs/run_new/journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"run":"run_new"', b'"run":"run_now"'))
    done = carrel("verify", "run_new")
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    facts = json.loads(carrel("verify", "run_new", "--json").stdout)
    assert len(lines) == 11
    assert facts["found"] > 11
    assert lines[-1] == f"and {facts['found'] - 10} more"


def test_one_event_is_not_called_events(carrel: Carrel, runs: Path) -> None:
    with Journal.create("run_1", home=runs) as journal:
        journal.append("run.started", {"task": "x"})
    assert "as it was written: 1 event, 0 pictures" in carrel("verify", "run_1").stdout


def test_a_run_is_shown_as_json(carrel: Carrel, runs: Path) -> None:
    facts = json.loads(carrel("show", "new", "--json").stdout)
    assert (facts["id"], facts["status"], facts["steps"]) == ("run_new", "succeeded", 4)
    assert facts["usage"] == {"input": 4000, "cached": 800, "output": 200, "reasoning": 40}
    old = json.loads(carrel("show", "run_old", "--json").stdout)
    assert old["cost"] is None
    assert old["unfinished"][0]["words"] == 'type "hello"'


def test_events_are_shown_one_to_a_line(carrel: Carrel, runs: Path) -> None:
    lines = carrel("show", "run_new", "--events").stdout.splitlines()
    assert len(lines) == 21
    assert "act           click at 40, 50" in lines[3]
    wires = [
        json.loads(line)
        for line in carrel("show", "run_new", "--events", "--json").stdout.splitlines()
    ]
    assert [wire["seq"] for wire in wires] == list(range(21))


def test_text_of_a_run_cannot_steer_the_terminal_or_break_lines(
    carrel: Carrel, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CARREL_RUNS", raising=False)
    with Journal.create("run_1", home=home) as journal:
        journal.append("run.started", {"task": "a\nb\x1b[31m", "model": "m\nx"})
        journal.append("text", {"role": "model", "text": "one\ntwo\u2028three"})
    for command in (["runs"], ["show", "run_1"], ["show", "run_1", "--events"]):
        done = carrel(*command)
        assert done.exit_code == 0
        assert "a\nb" not in done.stdout
        assert "two\u2028" not in done.stdout


def test_verify_says_yes_or_names_the_first_bad_event(carrel: Carrel, runs: Path) -> None:
    done = carrel("verify", "run_new")
    assert done.exit_code == 0
    assert done.stdout == "run_new is as it was written: 21 events, 4 pictures\n"
    path = runs / "runs/run_new/journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b"click at 40, 50", b"click at 40, 51"))
    done = carrel("verify", "run_new")
    assert done.exit_code == 1
    assert "run_new: event 3: it was changed" in done.stdout
    facts = json.loads(carrel("verify", "run_new", "--json").stdout)
    assert (facts["ok"], facts["first_bad"]) == (False, 3)
    assert carrel("verify", "nonsense").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "name", "begins"),
    [
        (["-o", "a.html"], "a.html", b"<!DOCTYPE html>"),
        (["--html"], "run_new.html", b"<!DOCTYPE html>"),
        (["-o", "a.jsonl"], "a.jsonl", b'{"seq":0'),
        (["--jsonl", "--blobs", "-o", "a.txt"], "a.txt", b'{"seq":0'),
        (["--atif"], "run_new.trajectory.json", b'{\n  "schema_version": "ATIF-v1.7"'),
        (["-o", "a.gif", "--fps", "2"], "a.gif", b"GIF89a"),
        (["--video", "-o", "b.gif"], "b.gif", b"GIF89a"),
        (["--gif"], "run_new.gif", b"GIF89a"),
    ],
)
def test_a_run_is_exported(
    carrel: Carrel, runs: Path, arguments: list[str], name: str, begins: bytes
) -> None:
    done = carrel("export", "latest", *arguments, "--json")
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    assert facts["path"] == name
    assert Path(name).read_bytes().startswith(begins)
    assert Path(name).stat().st_size == facts["bytes"]
    assert not list(Path().glob(".*"))
    if name.endswith(".gif"):
        with Image.open(name) as film:
            assert film.n_frames == 7
    assert ("pictures" in facts) == ("--atif" in arguments)
    if "--atif" in arguments:
        assert len(list(Path("run_new.trajectory.images").iterdir())) == 4


def test_a_film_needs_ffmpeg_and_says_so(
    carrel: Carrel, runs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = carrel("export", "run_new", "--video")
    assert done.exit_code == 3
    assert "run.gif" in done.stderr
    assert not list(tmp_path.glob("*.webm"))
    assert not list(tmp_path.glob(".*"))


def test_a_file_is_replaced_only_by_force(carrel: Carrel, runs: Path) -> None:
    Path("a.html").write_text("mine")
    done = carrel("export", "run_new", "-o", "a.html")
    assert done.exit_code == 2
    assert "--force" in done.stderr
    assert Path("a.html").read_text() == "mine"
    assert carrel("export", "run_new", "-o", "a.html", "--force").exit_code == 0
    assert Path("a.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    "arguments",
    [
        ["run_new"],
        ["run_new", "-o", "a.xyz"],
        ["run_new", "-o", "a"],
        ["run_new", "--video", "-o", "a.html"],
        ["run_new", "--gif", "-o", "a.webm"],
        ["run_new", "--html", "--fps", "3"],
        ["run_new", "--atif", "--blobs"],
        ["nonsense", "--html"],
        ["../run_new", "--html"],
        ["run_", "--html"],
    ],
)
def test_an_export_that_cannot_be_meant_is_refused(
    carrel: Carrel, runs: Path, arguments: list[str]
) -> None:
    done = carrel("export", *arguments)
    assert done.exit_code == 2, done.output
    assert "error: " in done.stderr
    assert [path.name for path in Path().iterdir() if path.is_file()] == []


def test_an_export_that_fails_leaves_nothing(carrel: Carrel, runs: Path) -> None:
    for blob in (runs / "runs/run_new/blobs").iterdir():
        blob.unlink()
    done = carrel("export", "run_new", "-o", "a.gif")
    assert done.exit_code == 2
    assert "missing" in done.stderr
    assert not list(Path().glob("*a.*"))


def test_a_directory_that_is_missing_is_named(carrel: Carrel, runs: Path) -> None:
    done = carrel("export", "run_new", "-o", "nowhere/a.html")
    assert done.exit_code == 2
    assert "there is no directory nowhere" in done.stderr
    assert "mkdir -p nowhere" in done.stderr
    assert ".a.html" not in done.stderr


def test_the_pictures_beside_a_trajectory_are_pointed_out(carrel: Carrel, runs: Path) -> None:
    done = carrel("export", "run_new", "-o", "t.json")
    assert done.stdout.splitlines()[1] == "wrote 4 pictures beside it, in t.images/"
    with Journal.create("run_1", home=runs) as journal:
        journal.append("run.started", {"task": "x"})
    assert "beside" not in carrel("export", "run_1", "-o", "t.json", "--force").stdout


def test_ids_of_runs_complete(runs: Path, plain_env: dict[str, str]) -> None:
    def complete(line: str) -> list[str]:
        words = line.split(" ")
        env = {
            **plain_env,
            "CARREL_HOME": str(runs),
            "_CARREL_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        }
        done = subprocess.run(
            [sys.executable, "-m", "carrel"], env=env, capture_output=True, text=True, timeout=60
        )
        assert done.stderr == ""
        return [answer.partition(",")[2] for answer in done.stdout.split("\n") if answer]

    assert complete("carrel show ") == ["run_new", "run_old", "latest"]
    assert complete("carrel verify run_n") == ["run_new"]
    assert complete("carrel export l") == ["latest"]
    (runs / "runs").rename(runs / "elsewhere")
    assert complete("carrel show ") == []


def test_a_damaged_run_is_listed_and_refused_in_words(carrel: Carrel, runs: Path) -> None:
    path = runs / "runs/run_new/journal.jsonl"
    path.write_bytes(b"garbage\n" + path.read_bytes())
    assert "run_new: event 0 of run_new cannot be read" in carrel("runs").stdout
    for command in (["show", "run_new"], ["export", "run_new", "--html"]):
        done = carrel(*command)
        assert done.exit_code == 1
        assert "cannot be read" in done.stderr
        assert "carrel verify run_new" in done.stderr
    assert "event 0: it cannot be read" in carrel("verify", "run_new").stdout


def test_a_torn_tail_is_mentioned_and_no_fault(carrel: Carrel, runs: Path) -> None:
    with (runs / "runs/run_old/journal.jsonl").open("ab") as file:
        file.write(b'{"at":17')
    done = carrel("verify", "run_old")
    assert done.exit_code == 0
    assert "last 8 bytes were left by a process that died" in done.stdout
    assert carrel("show", "run_old").exit_code == 0


def test_what_is_exported_is_private(carrel: Carrel, runs: Path) -> None:
    assert carrel("export", "run_new", "-o", "a.html").exit_code == 0
    assert Path("a.html").stat().st_mode & 0o777 == 0o600


def test_only_a_file_is_replaced_and_a_link_leads_to_one(carrel: Carrel, runs: Path) -> None:
    os.mkfifo("pipe")
    done = carrel("export", "run_new", "--html", "-o", "pipe", "--force")
    assert done.exit_code == 2
    assert "is not a file" in done.stderr
    assert Path("pipe").is_fifo()
    Path("real.html").write_text("old")
    Path("link.html").symlink_to("real.html")
    assert carrel("export", "run_new", "-o", "link.html", "--force").exit_code == 0
    assert Path("link.html").is_symlink()
    assert Path("real.html").read_text().startswith("<!DOCTYPE html>")


def test_errors_are_json_too(carrel: Carrel, runs: Path) -> None:
    for command in (["show"], ["verify"], ["export", "--html"]):
        error = json.loads(carrel(*command, "nothing", "--json").stdout)["error"]
        assert error["code"] == "not_found"
        assert error["hint"]


WORDS = st.sampled_from(
    [
        *(
            "latest",
            "run_new",
            "run_",
            "../x",
            "",
            "\0",
            "\udcff",
            "x" * 5000,
            "--json",
            "--events",
        ),
        *(
            "--html",
            "--atif",
            "--jsonl",
            "--video",
            "--blobs",
            "--fps",
            "nan",
            "0",
            "--limit",
            "-1",
        ),
        *("-o", "out/none/a.html", "--force", "--", "a.gif", "/", "."),
    ]
)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(["runs", "show", "verify", "export"]), st.lists(WORDS, max_size=5))
def test_arguments_never_bring_out_a_traceback(
    runs: Path, command: str, arguments: list[str]
) -> None:
    done = invoke([command, *arguments])
    assert done.exit_code in (0, 1, 2, 3), (arguments, done.output)
    assert "Traceback" not in done.output
    assert "internal error" not in done.output, (arguments, done.output)
