"""Runs that are left in their midst, and the double of a computer as what they run on."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest

from carrel.actions import Click
from carrel.agent.agent import Agent
from carrel.agent.mcp import McpServer
from carrel.intents import CallTool, Done
from carrel.journal.run import load_run
from carrel.models.scripted import ScriptedModel
from carrel.testing import FakeComputer

pytestmark = pytest.mark.anyio

SERVER = """
from mcp.server import MCPServer
server = MCPServer("echo")

@server.tool()
def say(word: str) -> str:
    "Say it again."
    return word

server.run("stdio")
"""


class Oops(Exception):
    pass


def with_server(tmp_path: Path) -> Agent:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    server = McpServer("echo", command=(sys.executable, str(script)))
    model = ScriptedModel([CallTool("echo_say", {"word": "hi"}), Click(1, 2), Done()])
    return Agent(model=model, mcp=[server], home=tmp_path, settle=0)


async def test_a_run_with_an_mcp_server_is_left_with_break_and_resumed(tmp_path: Path) -> None:
    agent, computer = with_server(tmp_path), FakeComputer()
    with anyio.fail_after(60):
        async with agent.run("say it", computer) as running:
            async for event in running:
                if event.kind == "result":
                    break
        assert not load_run(running.id, tmp_path).is_final
        run = await agent.resume(running.id, computer).result()
    assert run.status == "succeeded"
    assert [action for action in computer.done if isinstance(action, Click)] == [Click(1, 2)]


async def test_what_a_run_with_an_mcp_server_is_left_for_is_raised_as_it_is(tmp_path: Path) -> None:
    async def look() -> None:
        async with with_server(tmp_path).run("say it", FakeComputer()) as running:
            async for event in running:
                if event.kind == "act":
                    raise Oops

    with anyio.fail_after(60), pytest.raises(Oops):
        await look()


async def test_the_double_of_a_computer_is_used_as_a_computer(tmp_path: Path) -> None:
    computer = FakeComputer()
    agent = Agent(model=ScriptedModel([Click(5, 6), Done()]), home=tmp_path, settle=0)
    with anyio.fail_after(30):
        run = await agent.run("click", computer).result()
    assert (run.status, dict(run.machine)) == ("succeeded", {"isolation": "process"})
    assert run.screen == await computer.screen_size()
    assert Click(5, 6) in computer.done
