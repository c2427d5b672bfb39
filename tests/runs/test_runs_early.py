"""Leaving a run's events early, on a real machine, harms nobody."""

from __future__ import annotations

import gc
from pathlib import Path

import anyio
import pytest
from task_desk import button, task_desk

from carrel.actions import Click
from carrel.agent.agent import Agent
from carrel.intents import Done
from carrel.models.scripted import ScriptedModel

pytestmark = [pytest.mark.anyio, pytest.mark.namespace, pytest.mark.image]


async def test_a_loop_left_early_on_a_named_machine_can_be_resumed(tmp_path: Path) -> None:
    first, second = button(0), button(1)
    script = [Click(first.x, first.y), Click(second.x, second.y), Done(True, "both")]
    agent = Agent(model=ScriptedModel(script), home=tmp_path)
    with anyio.fail_after(180):
        async with task_desk() as desk:
            running = agent.run("Press two", desk.name)
            async for event in running:
                if event.kind == "result":
                    break
            run = running.id
            del running, event
            gc.collect()
            # What another task closes now must not reach this one.
            await anyio.sleep(0.2)
            async with agent.resume(run, desk.name) as resumed:
                ended = await resumed.result()
            state = await desk.until(lambda state: len(state["clicks"]) == 2)
    assert ended.text == "both"
    assert state["clicks"] == {"0": 1, "1": 1}
