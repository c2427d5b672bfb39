"""Runs or resumes the scripted task, to be killed: `python killed_run.py HOME MACHINE [RUN]`."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
from task_desk import FIELD, button

from carrel.actions import Action, Click, Type
from carrel.agent.agent import Agent
from carrel.intents import Done
from carrel.models.scripted import ScriptedModel

STEPS = 30


def script() -> list[tuple[Action, ...]]:
    """Each button once, a piece of text now and then, and the end."""
    steps: list[tuple[Action, ...]] = []
    for number in range(STEPS - 1):
        point = button(number)
        if number % 5 == 4:
            steps.append((Click(FIELD.x, FIELD.y), Type(f"{number};")))
        else:
            steps.append((Click(point.x, point.y),))
    return [*steps, (Done(True, "all pressed"),)]


async def main() -> None:
    home, machine, *rest = sys.argv[1:]
    agent = Agent(model=ScriptedModel(script()), home=Path(home), settle=0.02)
    running = agent.resume(rest[0], machine) if rest else agent.run("Press them all", machine)
    async for event in running:
        if event.kind == "run.started":
            print(running.id, flush=True)
    print(running.run.status.value, running.run.text, flush=True)


if __name__ == "__main__":
    anyio.run(main)
