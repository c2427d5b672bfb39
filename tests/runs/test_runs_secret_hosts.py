"""A secret pinned to a host is typed into that host's page, and into no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from task_desk import FIELD, TaskDesk

from carrel.actions import Click, Key, Type
from carrel.agent.agent import Agent
from carrel.agent.hands import ComputerHands
from carrel.intents import Done
from carrel.models.scripted import ScriptedModel
from carrel.policy.secrets import Secret, Secrets

pytestmark = [pytest.mark.anyio, pytest.mark.namespace, pytest.mark.image]

VALUE = "hunter2-of-the-test"


@pytest.fixture
async def served(desk: TaskDesk) -> TaskDesk:
    """The page again, from a server inside the machine, so that it has a host."""
    computer = desk.computer
    await computer.start_process("python3", "-m", "http.server", "8123", "--bind", "127.0.0.1")
    await computer.shell("for i in $(seq 50); do curl -s 127.0.0.1:8123 && break; sleep 0.1; done")
    await computer.open("chromium", "--kiosk", "http://127.0.0.1:8123/task.html")
    state = await desk.until(lambda state: state.get("text") == "")
    assert state["text"] == ""
    return desk


async def test_it_is_typed_on_its_host_only(served: TaskDesk, tmp_path: Path) -> None:
    await served.computer.wait_stable(0.5)
    for host, expected in (("other.example", ""), ("127.0.0.1", VALUE)):
        secrets = Secrets([Secret("PIN", VALUE, hosts=(host,))])
        script = [
            (Click(FIELD.x, FIELD.y), Key(("ctrl", "a")), Type("{{secret:PIN}}")),
            Done(),
        ]
        agent = Agent(model=ScriptedModel(script), home=tmp_path, secrets=secrets)
        running = agent.run("Type it", served.name)
        run = await running.result()
        assert run.reason == "done"
        state = await served.until(lambda state, text=expected: state["text"] == text)
        assert state["text"] == expected, host
        journal = (tmp_path / "runs" / run.id / "journal.jsonl").read_text()
        assert VALUE not in journal
        assert ("may be typed only on other.example" in journal) == (not expected)


async def test_the_host_is_that_of_the_page_with_the_focus(served: TaskDesk) -> None:
    await served.computer.click(FIELD.x, FIELD.y)
    await served.computer.wait_stable(0.3)
    hands = ComputerHands(served.computer)
    assert (await hands.focus()).host == "127.0.0.1"
