"""Models for the tests: they do what a test wants, through the real loop."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import TracebackType
from typing import Self

import anyio

from carrel.actions import Action, Click, SetClipboard
from carrel.decisions import Call, Decision
from carrel.errors import ModelError, Unsupported
from carrel.frames import Element
from carrel.geometry import Point
from carrel.intents import Done
from carrel.models.context import Context
from carrel.models.model import OnText
from carrel.models.picture import Picture

Choose = Callable[[Context], Action]


class TestModel:
    """Decides by a function of the context."""

    __test__ = False
    dialect = "test"
    wants_elements = True

    def __init__(self, choose: Choose, name: str = "test") -> None:
        self.name = name
        self._choose = choose

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        action = self._choose(context)
        return Decision(calls=(Call(f"step_{context.decided}", "test", (action,)),))

    async def locate(self, picture: Picture, description: str) -> Point:
        raise Unsupported("it does not see")


class IdleModel(TestModel):
    """Never decides."""

    def __init__(self) -> None:
        super().__init__(copy)

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        await anyio.sleep_forever()
        raise AssertionError


class RefusedModel(TestModel):
    """Its provider does not know the key."""

    def __init__(self) -> None:
        super().__init__(copy)

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        raise ModelError("the key is wrong", context={"kind": "auth"})


def copy(context: Context) -> Action:
    """Copy what stands in quotes."""
    found = re.search('"(.*?)"', context.task)
    return SetClipboard(found[1] if found and not context.decided else "something else")


def elements_of(context: Context) -> tuple[Element, ...]:
    last = context.turns[-1].outcomes[-1].picture if context.turns else context.picture
    picture = last or context.picture
    return picture.elements if picture is not None else ()


def click_names(context: Context) -> Action:
    """Click what the task names in quotes, in their order, then Submit."""
    names = re.findall('"(.*?)"', context.task) or re.findall(r"[Bb]utton (\w+)", context.task)
    step = context.decided
    wanted = names[step] if step < len(names) else "Submit"
    for element in elements_of(context):
        if element.name == wanted and element.box.y > 50:
            middle = element.box.center
            return Click(middle.x, middle.y)
    return Done(False, f"there is no {wanted}")
