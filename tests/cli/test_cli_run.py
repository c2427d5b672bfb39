"""`carrel run` and its controls, as real commands on a real machine."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.desktop, pytest.mark.slow]

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel"]


def carrel(env: Env, *args: str, check: int | None = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*CARREL, *args],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        text=True,
    )
    if check is not None:
        assert done.returncode == check, (args, done.stdout[-2000:], done.stderr[-2000:])
    return done


def document(env: Env, *args: str) -> dict[str, object]:
    found = json.loads(carrel(env, *args, "--json").stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def eventually(condition: Callable[[], object], what: str, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.05)


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory, plain_env: Env) -> Iterator[Env]:
    """A store with one running machine, `desk`, and runs of its own."""
    home = tmp_path_factory.mktemp("home")
    settings = {
        **plain_env,
        # Not the whole home: the image, which takes a minute to build, is shared.
        "XDG_STATE_HOME": str(home / "state"),
        "CARREL_RUNS": str(home / "runs"),
        "XDG_CONFIG_HOME": str(home / "config"),
    }
    listed = document(settings, "provider", "list")["providers"]
    assert isinstance(listed, list)
    found = next(item for item in listed if item["name"] == "namespace")
    require_namespaces(found["usable"], found["reason"])
    carrel(settings, "up", "desk", "--provider", "namespace", "--image", "host")
    yield settings
    carrel(settings, "delete", "--yes", "desk", check=None)


def script(path: Path, *steps: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps({"actions": step}) + "\n" for step in steps))
    return f"scripted:{path}"


WRITE = {"type": "write_file", "path": "note.txt", "text": "written"}
READ = {"type": "read_file", "path": "note.txt"}


def test_a_task_is_done_and_can_be_looked_at(env: Env, tmp_path: Path) -> None:
    model = script(tmp_path / "s", [WRITE], [READ], [{"type": "done", "text": "all well"}])
    done = carrel(env, "run", "Write a note", "--model", model, "-m", "desk")
    assert done.stdout.strip() == "all well"
    assert "write" in done.stderr
    assert "succeeded: done" in done.stderr
    assert carrel(env, "exec", "desk", "--", "cat", "note.txt").stdout == "written"
    found = document(env, "show", "latest")
    assert "Write a note" in json.dumps(found)
    carrel(env, "verify", "latest")


def test_events_come_as_json_lines_and_the_last_says_how_it_ended(env: Env, tmp_path: Path) -> None:
    model = script(tmp_path / "s", [READ], [{"type": "done", "success": False, "text": "no"}])
    done = carrel(env, "run", "x", "--model", model, "-m", "desk", "--json", check=1)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["seq"] for line in lines[:-1]] == list(range(len(lines) - 1))
    assert lines[0]["kind"] == "run.started"
    assert (lines[-1]["status"], lines[-1]["reason"]) == ("failed", "gave_up")


def test_a_fresh_desk_goes_away_with_the_run_unless_it_is_kept(env: Env, tmp_path: Path) -> None:
    model = script(tmp_path / "s", [READ], [{"type": "done"}])
    before = {m["name"] for m in document(env, "status")["machines"]}  # type: ignore[attr-defined]
    carrel(env, "run", "x", "--model", model)
    after = {m["name"] for m in document(env, "status")["machines"]}  # type: ignore[attr-defined]
    assert after == before
    carrel(env, "run", "x", "--model", model, "--keep")
    kept = {m["name"] for m in document(env, "status")["machines"]} - before  # type: ignore[attr-defined]
    assert len(kept) == 1
    carrel(env, "delete", "--yes", *kept)


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["run", "x"], 3, "no model is chosen"),
        (["run", " ", "--model", "human"], 2, "no task"),
        (["run", "x", "--model", "anthropic:claude-opus-5-5"], 3, "ANTHROPIC_API_KEY"),
        (["run", "x", "--model", "openai:gpt-5.4"], 3, "OPENAI_API_KEY"),
        (["run", "x", "--model", "nobody:thing"], 2, "provider"),
        (["run", "x", "--model", "human"], 2, "needs a terminal"),
        (["run", "x", "--model", "scripted:/none"], 2, "no script"),
        (["run", "x", "--model", "replay:run_none"], 2, "run"),
        (["run", "x", "--model", "scripted:/dev/null", "--budget", "much"], 2, "amount of money"),
        (["run", "x", "--model", "scripted:/dev/null", "--policy", "/none.toml"], 2, "none.toml"),
        (["run", "x", "--model", "scripted:/dev/null", "--tool", "nothing"], 2, "MODULE:FUNCTION"),
        (["run", "x", "--model", "scripted:/dev/null", "--tool", "os:gone"], 2, "no function"),
        (["run", "x", "--model", "scripted:/dev/null", "--tool", "no_mod:f"], 2, "imported"),
        (["run", "x", "--model", "scripted:/dev/null", "--instructions", "/none"], 2, "no file"),
        (["run", "x", "--model", "human", "--fail-on-doubt"], 2, "goes with -f FILE only"),
        (["run", "-f", "x.steps", "--model", "human", "--fail-on-doubt"], 2, "--model steps only"),
        (["resume", "run_none"], 2, "run"),
        (["answer", "run_none", "allow"], 2, "run"),
        (["steer", "latest", " "], 2, "nothing to say"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_made(
    env: Env, args: list[str], status: int, words: str
) -> None:
    clean = {key: value for key, value in env.items() if not key.endswith("_API_KEY")}
    before = document(clean, "status")["machines"]
    done = carrel(clean, *args, check=status)
    assert words in done.stderr
    assert "try:" in done.stderr or status == 2
    assert len(document(clean, "status")["machines"]) == len(before)  # type: ignore[arg-type]


class Background:
    """A run in the background, with its JSON lines."""

    def __init__(self, env: Env, *args: str) -> None:
        self.env = env
        self.process = subprocess.Popen(
            [*CARREL, "run", *args, "-m", "desk", "--json"],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.id: str = json.loads(self.process.stdout.readline())["run"]

    def wait(self) -> dict[str, object]:
        out, _ = self.process.communicate(timeout=60)
        found = json.loads(out.splitlines()[-1])
        assert isinstance(found, dict)
        return found

    def status(self) -> str:
        return str(document(self.env, "show", self.id)["status"])


def busy(count: int) -> list[list[dict[str, object]]]:
    """Steps that take a while, each another, so that nobody takes them for going in circles."""
    return [[{"type": "shell", "command": f"sleep 0.2; echo {n}"}] for n in range(count)]


def test_another_terminal_pauses_steers_resumes_and_cancels(env: Env, tmp_path: Path) -> None:
    run = Background(env, "x", "--model", script(tmp_path / "s", *busy(90)))
    carrel(env, "pause", run.id)
    eventually(lambda: run.status() == "paused", "it pauses")
    carrel(env, "steer", run.id, "go left")
    carrel(env, "resume", run.id)
    eventually(lambda: run.status() == "running", "it goes on")
    eventually(lambda: "go left" in carrel(env, "show", run.id, "--events").stdout, "it is told")
    carrel(env, "cancel", run.id)
    ended = run.wait()
    assert (ended["status"], ended["reason"]) == ("cancelled", "cancelled")
    carrel(env, "cancel", run.id, check=2)


def test_a_run_waits_for_an_answer_and_goes_on_with_it(env: Env, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(
        '[[rules]]\nverdict = "ask"\nactions = ["write_file"]\nreason = "it writes"\n'
    )
    write = {**WRITE, "path": "asked.txt"}
    model = script(tmp_path / "s", [write], [{"type": "done", "text": "fine"}])
    args = ("--model", model, "-m", "desk", "--policy", str(policy))
    done = carrel(env, "run", "x", *args, "--budget", "0.50", "--max-steps", "7", check=1)
    assert "it writes" in done.stderr
    assert "text: written" in done.stderr
    assert "carrel answer" in done.stderr
    carrel(env, "exec", "desk", "--", "test", "-e", "asked.txt", check=1)
    assert "asks" in json.dumps(document(env, "show", "latest"))
    carrel(env, "answer", "latest", "perhaps", check=2)
    carrel(env, "answer", "latest", "allow")
    done = carrel(env, "resume", "latest")
    assert done.stdout.strip() == "fine"
    assert carrel(env, "exec", "desk", "--", "cat", "asked.txt").stdout == "written"


def test_a_resumed_run_keeps_its_policy_and_limits(env: Env, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('[[rules]]\nverdict = "ask"\nactions = ["write_file"]\n')
    steps = [[{**WRITE, "path": f"kept-{n}.txt"}] for n in range(4)]
    model = script(tmp_path / "s", *steps)
    args = ("--model", model, "-m", "desk", "--policy", str(policy), "--max-steps", "2")
    carrel(env, "run", "x", *args, check=1)
    carrel(env, "answer", "latest", "allow")
    carrel(env, "resume", "latest", check=1)
    assert document(env, "show", "latest")["status"] == "waiting"
    carrel(env, "exec", "desk", "--", "test", "-e", "kept-1.txt", check=1)
    carrel(env, "answer", "latest", "allow")
    carrel(env, "resume", "latest", check=1)
    assert document(env, "show", "latest")["reason"] == "step_limit"
    carrel(env, "exec", "desk", "--", "test", "-e", "kept-2.txt", check=1)


def test_a_killed_run_goes_on_with_resume(env: Env, tmp_path: Path) -> None:
    append = {"type": "append_file", "path": "log.txt", "text": "x"}
    steps = [[append], *busy(8), [append], [{"type": "done"}]]
    run = Background(env, "x", "--model", script(tmp_path / "s", *steps))
    eventually(
        lambda: carrel(env, "exec", "desk", "--", "cat", "log.txt", check=None).stdout, "it began"
    )
    run.process.kill()
    run.process.communicate()
    carrel(env, "resume", run.id)
    assert carrel(env, "exec", "desk", "--", "cat", "log.txt").stdout == "xx"
    carrel(env, "verify", run.id)
    carrel(env, "resume", run.id, check=2)


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, env: Env, *args: str) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [*CARREL, *args], {**env, "TERM": "xterm", "COLUMNS": "120"})
        self.seen = ""

    def expect(self, pattern: str, seconds: float = 30) -> None:
        until = time.monotonic() + seconds
        while re.search(pattern, self.seen) is None:
            assert time.monotonic() < until, (pattern, self.seen[-2000:])
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    assert re.search(pattern, self.seen), (pattern, self.seen[-2000:])

    def say(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def end(self) -> int:
        while True:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                break
            if not data:
                break
            self.seen += data.decode(errors="replace")
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


def test_ctrl_c_pauses_and_the_person_says_how_to_go_on(env: Env, tmp_path: Path) -> None:
    model = script(tmp_path / "s", *busy(12), [{"type": "done", "text": "at its end"}])
    terminal = Terminal(env, "run", "x", "--model", model, "-m", "desk")
    terminal.expect("step 2")
    terminal.say("\x03")
    terminal.expect("say something to the model")
    terminal.say("mind the gap\n")
    terminal.expect("person: mind the gap")
    terminal.expect("at its end")
    assert terminal.end() == 0


def test_ctrl_c_twice_stops(env: Env, tmp_path: Path) -> None:
    model = script(tmp_path / "s", *busy(90))
    terminal = Terminal(env, "run", "x", "--model", model, "-m", "desk")
    terminal.expect("step 2")
    terminal.say("\x03")
    terminal.expect("say something to the model")
    terminal.say("\x03")
    terminal.expect("cancelled")
    assert terminal.end() == 1


def test_a_person_at_the_terminal_is_asked_and_decides(env: Env, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('[[rules]]\nverdict = "ask"\nactions = ["write_file"]\nreason = "ask me"\n')
    write = {**WRITE, "path": "never.txt"}
    model = script(tmp_path / "s", [write], [{"type": "done", "text": "over"}])
    terminal = Terminal(env, "run", "x", "--model", model, "-m", "desk", "--policy", str(policy))
    terminal.expect("ask me")
    terminal.expect("deny, or say why not")
    terminal.say("not in my house\n")
    terminal.expect("over")
    assert terminal.end() == 0
    carrel(env, "exec", "desk", "--", "test", "-e", "never.txt", check=1)
    assert "not in my house" in carrel(env, "show", "latest", "--events").stdout


def test_a_person_can_be_the_model(env: Env) -> None:
    terminal = Terminal(env, "run", "Write it down", "--model", "human", "-m", "desk")
    terminal.expect("next>")
    terminal.say("shell echo by hand > hand.txt\n")
    terminal.expect(r"next>[\s\S]*next>")
    terminal.say("done as you wished\n")
    terminal.expect("as you wished")
    assert terminal.end() == 0
    assert carrel(env, "exec", "desk", "--", "cat", "hand.txt").stdout == "by hand\n"


def test_a_function_of_the_users_own_is_a_tool(env: Env, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def shout(word: str) -> str:\n    'Say it louder.'\n    return word.upper()\n"
    )
    call = {"type": "tool", "name": "shout", "arguments": {"word": "quiet"}}
    model = script(tmp_path / "s", [call], [{"type": "done"}])
    command = [*CARREL, "run", "x", "--model", model, "-m", "desk", "--tool", "mine:shout"]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "QUIET" in carrel(env, "show", "latest", "--events").stdout


def test_sigterm_ends_a_run_with_its_reason(env: Env, tmp_path: Path) -> None:
    run = Background(env, "x", "--model", script(tmp_path / "s", *busy(90)))
    run.process.send_signal(signal.SIGTERM)
    assert run.wait()["message"] == "cancelled by SIGTERM"


def test_the_families_are_listed_with_what_they_need(env: Env) -> None:
    found = document(env, "models")["families"]
    assert isinstance(found, list)
    names = {family["name"] for family in found}
    assert {"OpenAI computer", "Claude computer use", "Gemini computer use", "UI-TARS"} <= names
    assert "OPENAI_API_KEY" in carrel(env, "models").stdout


def test_a_machine_that_is_not_there_is_a_slip(env: Env, tmp_path: Path) -> None:
    model = script(tmp_path / "s", [READ], [{"type": "done"}])
    done = carrel(env, "run", "x", "--model", model, "-m", "dsek", check=2)
    assert "no machine" in done.stderr


def test_a_run_that_waits_can_be_ended(env: Env, tmp_path: Path) -> None:
    model = script(tmp_path / "s", [{"type": "ask", "question": "Which?"}])
    carrel(env, "run", "x", "--model", model, "-m", "desk", check=1)
    run = str(document(env, "show", "latest")["id"])
    carrel(env, "cancel", run)
    assert document(env, "show", run)["status"] == "cancelled"
    carrel(env, "verify", run)
    carrel(env, "cancel", run, check=2)
    carrel(env, "resume", run, check=2)


def test_a_resumed_run_has_its_tools_and_its_fresh_desk_goes_with_it(
    env: Env, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(
        "def shout(word: str) -> str:\n    'Say it louder.'\n    return word.upper()\n"
    )
    call = {"type": "tool", "name": "shout", "arguments": {"word": "quiet"}}
    script(tmp_path / "s", [{"type": "ask", "question": "Go on?"}], [call], [{"type": "done"}])
    before = {m["name"] for m in document(env, "status")["machines"]}  # type: ignore[attr-defined]
    command = [*CARREL, "run", "x", "--model", "scripted:s", "--tool", "mine:shout"]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 1, done.stderr
    during = {m["name"] for m in document(env, "status")["machines"]}  # type: ignore[attr-defined]
    assert len(during - before) == 1
    carrel(env, "answer", "latest", "yes")
    carrel(env, "resume", "latest")
    assert "QUIET" in carrel(env, "show", "latest", "--events").stdout
    after = {m["name"] for m in document(env, "status")["machines"]}  # type: ignore[attr-defined]
    assert after == before


def test_a_question_stays_on_the_screen_until_it_is_answered(env: Env, tmp_path: Path) -> None:
    model = script(tmp_path / "s", [{"type": "ask", "question": "Which colour?"}], [READ])
    terminal = Terminal(env, "run", "x", "--model", model, "-m", "desk")
    terminal.expect("Which colour")
    terminal.expect(r"> $")
    time.sleep(0.7)  # long enough for the line of status to be drawn three times
    terminal.expect(r"> $", 0)
    shown = terminal.seen
    terminal.say("blue\n")
    terminal.expect("succeeded")
    assert terminal.end() == 0
    # What the terminal echoed stands right behind the question.
    assert terminal.seen[len(shown) :].lstrip().startswith("blue")


def test_a_reader_that_leaves_does_not_disturb_the_run(env: Env, tmp_path: Path) -> None:
    model = script(tmp_path / "s", *busy(3), [{"type": "done"}])
    command = f"{sys.executable} -m carrel run x --model {model} -m desk --json | head -c 300"
    done = subprocess.run(["bash", "-c", command], env=env, capture_output=True, timeout=60)
    assert b"Traceback" not in done.stderr
    assert b"observer" not in done.stderr
    assert document(env, "show", "latest")["status"] == "succeeded"
