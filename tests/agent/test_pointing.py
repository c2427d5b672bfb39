"""A model that only points: it locates, and is refused for a task before anything happens."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from boards import Board

from carrel.agent.agent import Agent
from carrel.errors import UsageError
from carrel.geometry import Point, Size
from carrel.testing import FakeComputer, FakeProvider, chat

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", ["GTA1-7B", "Holo1.5-7B", "UI-Ins-7B", "InternVL3_5-8B"])
async def test_a_model_that_only_points_is_refused_for_a_task_at_once(
    tmp_path: Path, name: str
) -> None:
    board = Board()
    agent = Agent(model=f"vllm:{name}", home=tmp_path)
    for begin in (agent.check_model, agent.run("do it", board.functions()).result):
        with anyio.fail_after(20), pytest.raises(UsageError) as caught:
            await begin()
        assert f"vllm:{name}+PROVIDER:MODEL" in str(caught.value.hint)
    assert not list(tmp_path.rglob("journal.jsonl"))


async def test_a_model_that_only_points_still_locates() -> None:
    async with FakeProvider() as provider, FakeComputer(Size(800, 600)) as computer:
        provider.script(chat.text("(400,300)"))
        agent = Agent(model="vllm:GTA1-7B", base_url=provider.openai_url, api_key=provider.key)
        frame = await computer.screenshot()
        with anyio.fail_after(20):
            found = await agent.locate(frame, "the Save button")
    assert abs(found.x - 400) <= 20
    assert abs(found.y - 300) <= 20
    assert isinstance(found, Point)


async def test_with_a_model_that_thinks_it_may_work_on_a_task(tmp_path: Path) -> None:
    agent = Agent(model="vllm:GTA1-7B+ollama:llama3.2-vision", home=tmp_path)
    with anyio.fail_after(20):
        await agent.check_model()


async def test_the_end_of_a_run_without_a_server_says_where_it_was_looked_for_and_what_to_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.agent.loop.wait_before_retry", lambda *a, **k: None)
    agent = Agent(model="ollama:llama", base_url="http://127.0.0.1:1/v1", home=tmp_path)
    with anyio.fail_after(20):
        run = await agent.run("do it", Board().functions()).result()
    assert run.reason == "provider_error"
    assert "nothing answers at http://127.0.0.1:1/v1" in run.message
    assert "--base-url" in run.message
