"""A custom computer as people wrote them for cua: a dict of functions with a picture."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path

import anyio
from PIL import Image, ImageDraw

from carrel.actions import Action
from carrel.codec import Json
from carrel.compat.cua import ComputerAgent
from carrel.decisions import Call, Decision
from carrel.models.model import Model
from carrel.models.scripted import ScriptedModel

Item = dict[str, Json]


class Board:
    """Notes every call, and shows each on its picture."""

    def __init__(self, width: int = 320, height: int = 240) -> None:
        self.size = (width, height)
        self.done: list[tuple[object, ...]] = []
        self.still = False

    def screenshot(self) -> bytes:
        image = Image.new("RGB", self.size, "white")
        if not self.still:
            ImageDraw.Draw(image).text((4, 4), f"{len(self.done)} {self.done[-1:]}", fill="black")
        out = io.BytesIO()
        image.save(out, "png")
        return out.getvalue()

    def note(self, name: str) -> object:
        def function(*arguments: object) -> None:
            self.done.append((name, *arguments))

        return function

    def functions(self, *names: str, **values: object) -> dict[str, object]:
        """The functions of these names (the usual ones when none is named), and plain values."""
        names = names or ("click", "double_click", "move", "drag", "scroll", "type", "keypress")
        noted = {name: self.note(name) for name in names}
        return {"screenshot": self.screenshot, **noted, **values}


def scripted(*steps: Decision | Action | Iterable[Action]) -> ScriptedModel:
    return ScriptedModel([s if isinstance(s, Decision | Action) else tuple(s) for s in steps])


def calls(*given: Call, text: str = "", thought: str = "") -> Decision:
    return Decision(calls=given, text=text, thought=thought)


def make_agent(
    model: str | Model, tools: list[object], home: Path, **options: object
) -> ComputerAgent:
    given = {"screenshot_delay": 0, "home": home, **options}
    return ComputerAgent(model, tools, **given)  # type: ignore[arg-type]


async def results_of(
    agent: ComputerAgent, messages: str | list[Mapping[str, Json]] = "do it"
) -> list[Item]:
    with anyio.fail_after(60):
        return [result async for result in agent.run(messages)]


def items_of(results: list[Item], kind: str = "") -> list[Item]:
    found: list[Item] = []
    for result in results:
        output = result["output"]
        assert isinstance(output, list)
        found += [item for item in output if isinstance(item, dict)]
    return [item for item in found if not kind or item["type"] == kind]


class Log:
    """A callback that notes the hooks it was called with."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.hooks: list[str] = []
        self.told: list[tuple[str, tuple[object, ...]]] = []
        self._stop_after = stop_after
        self._asked = 0

    def __getattr__(self, name: str) -> object:
        if not name.startswith("on_"):
            raise AttributeError(name)

        async def hook(*arguments: object) -> object:
            self.hooks.append(name)
            self.told.append((name, arguments))
            if name == "on_run_continue":
                self._asked += 1
                return self._stop_after is None or self._asked <= self._stop_after
            return arguments[0] if name in ("on_llm_start", "on_llm_end") else None

        return hook
