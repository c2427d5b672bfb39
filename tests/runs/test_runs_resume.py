"""A run whose process is killed goes on against the provider, which takes its history."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
import wired_run
from task_desk import TaskDesk
from wired import Script, Talk, base_url
from wires import WIRES, Wire

from carrel.agent.agent import Agent
from carrel.journal.run import Run
from carrel.journal.verify import verify
from carrel.testing import FakeProvider, hang

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.namespace,
    pytest.mark.image,
    pytest.mark.browser,
    pytest.mark.slow,
]

CHILD = Path(wired_run.__file__)
STEPS = 6


def buttons(wire: Wire) -> Talk:
    """One button after the other, each after a thought; the fourth request is left hanging."""
    see = yield None
    for number in range(STEPS):
        if number == 3:
            see = yield hang()
        see = yield wire.think(f"Now number {number}.") + wire.click(see, number)
    yield wire.end("All is done.")


def run_until_it_hangs(
    provider: FakeProvider, wire: Wire, desk: TaskDesk, home: Path
) -> subprocess.Popen[bytes]:
    env = {
        **os.environ,
        wired_run.ADDRESS: base_url(provider, wire.model),
        wired_run.KEY: provider.key,
    }
    command = [sys.executable, str(CHILD), str(home), desk.name, wire.model]
    child = subprocess.Popen(command, env=env)
    assert provider.wait_for_requests(4, timeout=30)
    return child


async def resume(provider: FakeProvider, wire: Wire, desk: TaskDesk, home: Path) -> Run:
    agent = Agent(
        model=wire.model,
        base_url=base_url(provider, wire.model),
        api_key=provider.key,
        home=home,
        settle=0.05,
    )
    with anyio.fail_after(60):
        return await agent.resume("latest", desk.name).result()


@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_a_killed_run_goes_on_with_a_history_the_provider_takes(
    wire: Wire, desk: TaskDesk, tmp_path: Path
) -> None:
    script = Script(buttons(wire), desk, await desk.computer.screen_size())
    async with FakeProvider() as provider:
        provider.decide(script)
        child = await anyio.to_thread.run_sync(run_until_it_hangs, provider, wire, desk, tmp_path)
        child.kill()
        child.wait()
        run = await resume(provider, wire, desk, tmp_path)
        assert script.failure is None
        assert [seen.refused for seen in provider.seen if seen.refused] == []
    assert (run.status.value, run.reason, run.attempts) == ("succeeded", "done", 2)
    assert verify(run.id, tmp_path).ok
    # The history after the kill is the one from before it, and what followed.
    assert all(len(view.pictures) == 3 for view in script.views[5:])
    state = await desk.until(lambda state: len(state["clicks"]) == STEPS)
    assert state["clicks"] == {str(number): 1 for number in range(STEPS)}
