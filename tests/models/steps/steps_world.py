"""A screen in memory: elements that react to clicks and keys, to run verbs without a machine."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from PIL import Image

from carrel import codec
from carrel.actions import (
    Action,
    Click,
    Drag,
    Elements,
    Key,
    Move,
    ReadFile,
    Scroll,
    Type,
    Wait,
    Windows,
)
from carrel.frames import Element, Window
from carrel.geometry import Box, Size
from carrel.models.picture import Picture
from carrel.models.steps.desk import Desk
from carrel.models.steps.turns import Do, Request, Seen
from carrel.results import Effect, Result

SIZE = Size(800, 600)
USABLE = ("enabled", "sensitive", "showing", "visible")

React = Callable[["World", Element, Action], None]


@cache
def blank() -> bytes:
    """A white screen."""
    out = io.BytesIO()
    Image.new("RGB", (SIZE.width, SIZE.height), "white").save(out, "png")
    return out.getvalue()


def element(
    name: str,
    role: str = "push button",
    at: tuple[int, int, int, int] = (10, 10, 80, 20),
    *states: str,
    value: str | None = None,
    parent: str | None = None,
    id: str = "",  # noqa: A002
) -> Element:
    """One element, usable unless it is said to be `disabled`."""
    usable = USABLE[2:] if "disabled" in states else USABLE
    said = tuple(state for state in states if state != "disabled")
    key = id or f"{role}-{name}-{at}"
    return Element(key, role, name, value, Box(*at), (*usable, *said), parent)


class World:
    """Answers what a verb asks for; what is clicked or pressed is seen to be.

    Attributes:
        done: Every action, in order.
        hidden: What is out of sight.
        clock: Seconds waited.
        painted: What can be seen and no application tells of.
        alive: Whether a click on something, or a key, can be seen at all.
    """

    def __init__(self, *elements: Element) -> None:
        self.elements = list(elements)
        self.hidden: list[Element] = []
        self.done: list[Action] = []
        self.thoughts: list[str] = []
        self.reactions: dict[str, React] = {}
        self.clock = 0.0
        self.later: list[tuple[float, Callable[[World], None]]] = []
        self.windows: list[Window] = []
        self.closer_elements: list[Element] = []
        self.painted = ""
        self.alive = True

    def on(self, name: str, react: React) -> None:
        """Do something when an element of this name is clicked."""
        self.reactions[name] = react

    def change(self, name: str, **fields: object) -> None:
        """Change the elements of a name."""
        self.elements = [
            replace(e, **fields) if e.name == name else e  # type: ignore[arg-type]
            for e in self.elements
        ]

    def after(self, seconds: float, what: Callable[[World], None]) -> None:
        """Do something when so much time was waited."""
        self.later.append((self.clock + seconds, what))

    def seen(self, results: tuple[Result, ...] = (), closer: bool = False) -> Seen:
        """What is there now."""
        shown = (*self.elements, *(self.closer_elements if closer else ()))
        identity = hashlib.sha256(repr((shown, self.painted)).encode()).hexdigest()
        picture = Picture(identity, SIZE, blank, elements=shown)
        return Seen(picture, shown, results, closer)

    def answer(self, request: Request) -> Seen:
        """Carry a request out."""
        if not isinstance(request, Do):
            return self.seen(closer=True)
        self.thoughts.append(request.thought)
        return self.seen(tuple(map(self._act, request.actions)))

    def _act(self, action: Action) -> Result:
        before = repr((self.elements, self.painted))
        self.done.append(action)
        data: dict[str, codec.Json] = {}
        if isinstance(action, Wait):
            self._wait(action.seconds or 0.0)
        elif isinstance(action, Click):
            self._click(action)
        elif isinstance(action, Type):
            self._type(action.text)
            self._other(action)
        elif isinstance(action, Key):
            self._key(action)
        elif isinstance(action, Elements):
            listed = self.elements if action.visible_only else [*self.elements, *self.hidden]
            data["elements"] = [codec.encode(e) for e in listed]
        elif isinstance(action, Windows):
            data["windows"] = [codec.encode(w) for w in self.windows]
        elif isinstance(action, Move | Drag | Scroll):
            self._other(action)
        elif isinstance(action, ReadFile):
            if action.path not in self.files:
                return Result(False, Effect.REFUSED)
            data["text"] = self.files[action.path]
        pixels = int(before != repr((self.elements, self.painted)))
        change: codec.Json = {"pixels": pixels, "share": 0.0, "box": None}
        evidence: dict[str, codec.Json] = {"change": change, "settled": True}
        return Result(True, Effect.CONFIRMED, data=data, evidence=evidence)

    def _wait(self, seconds: float) -> None:
        self.clock += seconds
        due = [what for when, what in self.later if when <= self.clock + 1e-9]
        self.later = [(when, what) for when, what in self.later if when > self.clock + 1e-9]
        for what in due:
            what(self)

    def _click(self, action: Click) -> None:
        here = [
            e
            for e in (*self.elements, *self.closer_elements)
            if e.box and e.box.contains(Box(action.x, action.y, 1, 1).center)
        ]
        if not here:
            return
        hit = min(here, key=lambda e: e.box.area if e.box else 0)
        self._show(f"pressed {hit.name}")
        if "editable" in hit.states:
            self._focus(hit)
        if (react := self.reactions.get(hit.name)) is not None:
            react(self, hit, action)

    def _focus(self, field: Element) -> None:
        self.elements = [
            replace(e, states=tuple(s for s in e.states if s != "focused")) for e in self.elements
        ]
        self.elements = [
            replace(e, states=(*e.states, "focused")) if e.id == field.id else e
            for e in self.elements
        ]

    def _show(self, what: str) -> None:
        if self.alive:
            self.painted += f"; {what}"

    selected = False
    files: Mapping[str, str] = MappingProxyType({})

    def _type(self, text: str) -> None:
        def put(e: Element) -> Element:
            if "focused" not in e.states:
                return e
            return replace(e, value=text if self.selected else (e.value or "") + text)

        if not any("focused" in e.states for e in self.elements):
            self._show(text)
        self.elements = [put(e) for e in self.elements]
        self.selected = False

    def _key(self, action: Key) -> None:
        if action.keys in (("ctrl", "a"), ("shift", "end")):
            self.selected = True
        elif action.keys == ("home",):
            self.selected = False
        elif action.keys == ("delete",) and self.selected:
            self._type("")
        else:
            self._show(f"pressed {action.keys}")
            self._other(action)

    def _other(self, action: Action) -> None:
        react = self.reactions.get(action.type)
        if react is not None:
            react(self, self.elements[0], action)


class DeadWorld(World):
    """Nothing reacts: whatever is done, all stays as it was."""

    def __init__(self, *elements: Element) -> None:
        super().__init__(*elements)
        self.alive = False

    def _click(self, action: Click) -> None:
        return

    def _type(self, text: str) -> None:
        return

    def _key(self, action: Key) -> None:
        return

    def _other(self, action: Action) -> None:
        return


class StubbornWorld(World):
    """Everything is seen to react, and every field and list keeps a value of its own."""

    OWN = "something else"

    def _type(self, text: str) -> None:
        self.elements = [
            replace(e, value=self.OWN) if "focused" in e.states else e for e in self.elements
        ]
        self._show(text)
        self.selected = False


def play(world: World, turns: Generator[Request, Seen, object], desk: Desk | None = None) -> object:
    """Run a verb to its end; what it returns."""
    if desk is not None:
        desk.take(world.seen())
    try:
        request = next(turns)
        while True:
            request = turns.send(world.answer(request))
    except StopIteration as stop:
        return stop.value


def desk_of(world: World) -> Desk:
    """A desk that sees the world."""
    desk = Desk(SIZE)
    desk.take(world.seen())
    return desk
