"""`carrel run` with a person, a script, a replay and a served model, as people type it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from talks_native import NOTCHES, TEXT
from task_desk import FIELD, GOAL, LIST, PIECE, TaskDesk, button
from wired import Script
from wires import WIRES, Wire

from carrel.journal.run import load_run
from carrel.journal.verify import verify
from carrel.testing import FakeProvider

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.namespace,
    pytest.mark.image,
    pytest.mark.browser,
    pytest.mark.slow,
]

CARREL = (sys.executable, "-m", "carrel")


def carrel(home: Path, *args: str, **env: str) -> dict[str, Any]:
    """What a command says, as JSON."""
    given = {**os.environ, "CARREL_RUNS": str(home), **env}
    command = [*CARREL, *args, "--json"]
    done = subprocess.run(command, env=given, capture_output=True, timeout=90, cwd=home)
    assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:])
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


async def run(home: Path, *args: str, **env: str) -> dict[str, Any]:
    return await anyio.to_thread.run_sync(lambda: carrel(home, *args, **env))


def newest(home: Path) -> str:
    return max(path.name for path in (home / "runs").glob("run_*"))


def check_journal(home: Path, run_id: str, dialect: str) -> None:
    run = load_run(run_id, home)
    assert (run.status.value, run.reason, run.text) == ("succeeded", "done", "All is done.")
    assert run.dialect == dialect
    assert verify(run_id, home).ok


async def check_page(desk: TaskDesk) -> None:
    state = await desk.until(lambda state: state["top"] > 0)
    assert state["clicks"] == {"3": 1, "5": 2}
    assert sorted(state["extra"]) == ["double5", "right6"]
    assert state["dropped"] == [GOAL.x, GOAL.y]
    assert (state["text"], state["keys"]) == (TEXT, ["Enter"])
    assert 30 * NOTCHES <= state["top"] <= 130 * NOTCHES


def script() -> str:
    three, five, six = (button(number) for number in (3, 5, 6))
    path = [{"x": PIECE.x, "y": PIECE.y}, {"x": GOAL.x, "y": GOAL.y}]
    steps: list[list[dict[str, Any]]] = [
        [{"type": "click", "x": three.x, "y": three.y}],
        [
            {"type": "click", "x": five.x, "y": five.y, "count": 2},
            {"type": "click", "x": six.x, "y": six.y, "button": "right"},
        ],
        [{"type": "drag", "path": path}],
        [{"type": "click", "x": FIELD.x, "y": FIELD.y}, {"type": "type", "text": f"{TEXT}\n"}],
        [{"type": "scroll", "x": LIST.x, "y": LIST.y, "dy": NOTCHES}],
        [{"type": "done", "success": True, "text": "All is done."}],
    ]
    lines = [json.dumps({"actions": actions}, ensure_ascii=False) for actions in steps]
    return "# The whole task\n" + "\n".join(lines) + "\n"


async def test_a_script_is_carried_out_and_its_run_repeated(desk: TaskDesk, tmp_path: Path) -> None:
    file = tmp_path / "task.jsonl"
    file.write_text(script())
    await run(tmp_path, "run", "Do it", "-m", desk.name, "--model", f"scripted:{file}")
    first = newest(tmp_path)
    check_journal(tmp_path, first, "scripted")
    await check_page(desk)
    await desk.reset()
    await run(tmp_path, "run", "Do it again", "-m", desk.name, "--model", f"replay:{first}")
    second = newest(tmp_path)
    assert second != first
    check_journal(tmp_path, second, "replay")
    await check_page(desk)
    assert (await run(tmp_path, "verify", second))["ok"] is True


class Terminal:
    """A person at a terminal, who reads before typing."""

    def __init__(self, home: Path, *args: str) -> None:
        self.seen = b""
        self.fd, inner = pty.openpty()
        env = {**os.environ, "CARREL_RUNS": str(home), "TERM": "xterm"}
        self.child = subprocess.Popen(
            [*CARREL, *args],
            env=env,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)

    def expect(self, pattern: bytes, seconds: float = 30) -> None:
        """Read up to what a pattern matches, and no further."""
        until = time.monotonic() + seconds
        while (found := re.search(pattern, self.seen)) is None:
            assert time.monotonic() < until, (pattern, self.seen[-2000:])
            if select.select([self.fd], [], [], 0.1)[0]:
                self.seen += os.read(self.fd, 65536)
        self.seen = self.seen[found.end() :]

    def say(self, line: str) -> None:
        self.expect(rb"next> ")
        os.write(self.fd, f"{line}\n".encode())

    def end(self) -> int:
        try:
            while os.read(self.fd, 65536):
                pass
        except OSError:
            # EIO is how Linux tells the end of a terminal's other side.
            pass
        os.close(self.fd)
        return self.child.wait(30)


def by_hand(home: Path, machine: str) -> int:
    terminal = Terminal(home, "run", "Do it by hand", "-m", machine, "--model", "human")
    three, five, six = (button(number) for number in (3, 5, 6))
    terminal.say("shot")
    terminal.say(f"click {three.x} {three.y}")
    terminal.say(f"fly {three.x}")
    terminal.expect(b"there is no action 'fly'")
    terminal.say(f"double {five.x} {five.y}")
    terminal.say(f"right {six.x} {six.y}")
    terminal.say(f"drag {PIECE.x} {PIECE.y} {GOAL.x} {GOAL.y}")
    terminal.say(f"click {FIELD.x} {FIELD.y}")
    terminal.say(f"type {TEXT}\\n")
    terminal.say(f"scroll {LIST.x} {LIST.y} {NOTCHES}")
    terminal.say("wait 1")
    terminal.say("done All is done.")
    return terminal.end()


async def test_a_person_at_a_terminal_is_the_model(desk: TaskDesk, tmp_path: Path) -> None:
    with anyio.fail_after(60):
        code = await anyio.to_thread.run_sync(by_hand, tmp_path, desk.name)
    assert code == 0
    check_journal(tmp_path, newest(tmp_path), "human")
    await check_page(desk)


@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_a_served_model_is_run_from_the_command_line(
    wire: Wire, desk: TaskDesk, tmp_path: Path
) -> None:
    (tmp_path / "rulers.py").write_text(
        "def measure(width: int, label: str) -> str:\n"
        '    """Measure something."""\n'
        '    return f"{label} measures {width * 2}"\n'
    )

    def talk() -> Any:
        see = yield None
        see = yield wire.call("measure", {"width": 21, "label": "büro"})
        assert "büro measures 42" in see.words
        see = yield wire.click(see, 3)
        yield wire.end("All is done.")

    answers = Script(talk(), desk, await desk.computer.screen_size())
    async with FakeProvider() as provider:
        provider.decide(answers)
        url = provider.url if str(wire) in ("anthropic", "gemini") else provider.openai_url
        options = ("--model", wire.model, "--base-url", url, "--tool", "rulers:measure")
        env = {f"{wire}_API_KEY".upper(): provider.key}
        await run(tmp_path, "run", "Do it", "-m", desk.name, *options, **env)
        assert answers.failure is None
        assert [seen.refused for seen in provider.seen if seen.refused] == []
        key = provider.key
    found = newest(tmp_path)
    assert load_run(found, tmp_path).status.value == "succeeded"
    assert key not in (tmp_path / "runs" / found / "journal.jsonl").read_text()
    assert (await desk.until(lambda state: bool(state["clicks"])))["clicks"] == {"3": 1}
