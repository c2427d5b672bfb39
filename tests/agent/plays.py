"""Runs of scripts on a board, and the person who is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
from boards import Board

from carrel.actions import Action
from carrel.agent.agent import Agent
from carrel.agent.asking import Question
from carrel.agent.control import Answer
from carrel.agent.parts import Observer
from carrel.decisions import Decision
from carrel.events import Event
from carrel.journal.run import Run
from carrel.journal.verify import verify
from carrel.models.context import Context
from carrel.models.model import OnText
from carrel.models.scripted import ScriptedModel


class Seeing(ScriptedModel):
    """A script that keeps what it was told."""

    def __init__(self, script: list[Decision | Action | tuple[Action, ...]]) -> None:
        super().__init__(script)
        self.contexts: list[Context] = []

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        self.contexts.append(context)
        return await super().decide(context, on_text)


class Person:
    """Answers every question the same, and remembers what was asked."""

    def __init__(self, choice: str = "allow", text: str = "", grant: str = "once") -> None:
        self.asked: list[Question] = []
        self._answer = Answer(choice, text, grant)  # type: ignore[arg-type]

    async def ask(self, question: Question) -> Answer | None:
        self.asked.append(question)
        return self._answer


async def play(
    tmp_path: Path,
    script: list[Decision | Action | tuple[Action, ...]] | ScriptedModel,
    board: Board | None = None,
    **settings: object,
) -> tuple[Run, list[Event]]:
    model = script if isinstance(script, ScriptedModel) else ScriptedModel(script)
    observers: tuple[Observer, ...] = ()
    agent = Agent(model=model, home=tmp_path, settle=0, **settings)  # type: ignore[arg-type]
    running = agent.run("do it", (board or Board()).functions(), observers=observers)
    events: list[Event] = []
    with anyio.fail_after(30):
        async for event in running:
            events.append(event)  # noqa: PERF401
    assert verify(running.id, tmp_path).ok
    return running.run, events


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 (the run has no event for it)
        await anyio.sleep(0.01)


def results(events: list[Event]) -> list[dict[str, object]]:
    return [event.data["result"] for event in events if event.kind == "result"]  # type: ignore[misc]
