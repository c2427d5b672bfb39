"""Contexts, pictures and hostile JSON for the tests of the native dialects."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from functools import cache
from typing import cast

from hypothesis import strategies as st
from PIL import Image
from pydantic import TypeAdapter

from carrel.actions import (
    Action,
    Click,
    Drag,
    Key,
    MouseDown,
    Move,
    Screenshot,
    Scroll,
    Shell,
    Type,
    Wait,
)
from carrel.codec import Json
from carrel.decisions import Call, Decision
from carrel.geometry import Box, Point, Size
from carrel.models.context import Context, Outcome, ToolSpec, Turn
from carrel.models.dialect import Dialect
from carrel.models.picture import Picture
from carrel.results import Effect, Failure, Result

SCREEN = Size(1280, 800)
LARGE = Size(1920, 1080)
OK = Result(True, Effect.CONFIRMED)
BAD = Result(False, Effect.REFUSED, "no", error=Failure("action_failed", "no"))
WEATHER = ToolSpec(
    "weather", "Say the weather.", {"type": "object", "properties": {"city": {"type": "string"}}}
)


@cache
def png(size: Size) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (size.width, size.height), (40, 80, 120)).save(out, "png")
    return out.getvalue()


@cache
def picture(screen: Size = SCREEN, region: Box | None = None) -> Picture:
    size = screen if region is None else Size(region.width, region.height)
    return Picture("f" * 64, screen, lambda: png(size), region=region)


def answered(decision: Decision, *, kept: bool = True, screen: Size = SCREEN) -> Turn:
    """A turn in which everything the model wanted was done."""
    outcomes = tuple(
        Outcome(
            call.id,
            results=tuple(OK for _ in call.actions),
            picture=picture(screen) if kept else None,
            acknowledged=call.checks,
        )
        for call in decision.calls
    )
    return Turn(decision, outcomes)


def foreign(*actions: Action, text: str = "", kept: bool = True, screen: Size = SCREEN) -> Turn:
    """A turn that another dialect decided."""
    decision = Decision((Call("their id / 1", "act", actions),), text, raw={"dialect": "other"})
    return answered(decision, kept=kept, screen=screen)


def context_of(*turns: Turn, screen: Size = SCREEN, first: bool = True, **rest: object) -> Context:
    return Context(
        task="Open the editor",
        screen=screen,
        turns=turns,
        first=picture(screen) if first else None,
        **rest,  # type: ignore[arg-type]
    )


def points(screen: Size) -> st.SearchStrategy[Point]:
    return st.builds(Point, st.integers(0, screen.width - 1), st.integers(0, screen.height - 1))


KEYS = st.sampled_from(["enter", "tab", "esc", "f5", "a", "z", "-", "+", "pagedown", "kp_enter"])
MODIFIERS = st.lists(
    st.sampled_from(["ctrl", "shift", "alt", "super"]), unique=True, max_size=2
).map(tuple)
CHORDS = st.builds(lambda held, key: (*held, key), MODIFIERS, KEYS)
TYPED = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20
)


def any_action(screen: Size) -> st.SearchStrategy[Action]:
    """Actions of every kind, also such as no native tool can say."""
    at = points(screen)
    return st.one_of(
        st.builds(
            lambda p, button, count, held: Click(p.x, p.y, button, count, held),
            at,
            st.sampled_from(["left", "right", "middle", "back"]),
            st.integers(1, 3),
            MODIFIERS,
        ),
        st.builds(lambda p: Move(p.x, p.y), at),
        st.builds(lambda path: Drag(tuple(path)), st.lists(at, min_size=2, max_size=4)),
        st.builds(
            lambda p, dx, dy: Scroll(p.x, p.y, dx, dy), at, st.integers(-3, 3), st.integers(1, 9)
        ),
        st.builds(Key, CHORDS, st.integers(1, 3)),
        st.builds(Type, TYPED),
        st.just(Screenshot()),
        st.just(Screenshot(Box(10, 10, 100, 50))),
        st.just(Wait(seconds=2)),
        st.just(MouseDown()),
        st.just(Shell("ls")),
    )


@st.composite
def foreign_turns(draw: st.DrawFn, screen: Size = SCREEN) -> Turn:
    calls = tuple(
        Call(f"id {n}", draw(st.sampled_from(["act", "", "käse!"])), actions, problem=problem)
        for n, (actions, problem) in enumerate(
            draw(
                st.lists(
                    st.tuples(
                        st.lists(any_action(screen), max_size=3).map(tuple),
                        st.sampled_from([None, None, Failure("invalid_input", "what?")]),
                    ),
                    max_size=3,
                )
            )
        )
    )
    decision = Decision(calls, draw(st.sampled_from(["", "I click."])), raw={"dialect": "other"})
    return draw(outcomes_for(decision, screen))


@st.composite
def outcomes_for(draw: st.DrawFn, decision: Decision, screen: Size = SCREEN) -> Turn:
    """A turn whose outcomes are kept, pruned, zoomed, failed, or lost altogether."""
    outcomes = []
    for call in decision.calls:
        if draw(st.integers(0, 9)) == 0:
            continue
        outcomes.append(
            Outcome(
                call.id,
                draw(st.sampled_from(["", "It did not work."])),
                tuple(draw(st.sampled_from([OK, OK, BAD])) for _ in call.actions),
                draw(
                    st.sampled_from(
                        [None, picture(screen), picture(screen), picture(screen, Box(5, 5, 90, 40))]
                    )
                ),
                draw(st.sampled_from([(), call.checks])),
            )
        )
    return Turn(decision, tuple(outcomes), draw(st.sampled_from([(), ("Go on.",)])))


@st.composite
def contexts(
    draw: st.DrawFn, dialect: Dialect, bodies: st.SearchStrategy[dict[str, Json]]
) -> Context:
    """A context grown as a run grows it: native turns, foreign ones, words of the person."""
    screen = draw(st.sampled_from([SCREEN, SCREEN, LARGE]))
    context = context_of(
        screen=screen,
        first=draw(st.booleans()),
        tools=(WEATHER,),
        summary=draw(st.sampled_from(["", "The editor is open."])),
    )
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.integers(0, 2))
        if kind == 0:
            turn = draw(foreign_turns(screen))
        elif kind == 1:
            turn = Turn(None, said=("Please hurry.",))
        else:
            turn = draw(outcomes_for(dialect.decode(draw(bodies), context), screen))
        context = context_of(
            *context.turns,
            turn,
            screen=screen,
            first=context.first is not None,
            tools=context.tools,
            summary=context.summary,
        )
    return context


HOSTILE: st.SearchStrategy[object] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**25), 10**25),
        st.sampled_from([10**400, math.nan, math.inf, -0.0, 1e308, 0, -1]),
        st.floats(),
        st.text(max_size=12),
        st.sampled_from(
            ["left", "ctrl+a", "click", "down", "toolu_1", "computer", "{}", '{"x":NaN}']
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def deep(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


@st.composite
def spoiled(draw: st.DrawFn, value: object, keys: tuple[str, ...] = ()) -> object:
    """A JSON value with some of its parts left out or replaced by anything."""
    choice = draw(st.integers(0, 11))
    if choice == 0:
        return draw(HOSTILE)
    if choice == 1:
        return deep(draw(st.sampled_from([70, 3000])))
    if isinstance(value, dict):
        return {
            key: draw(spoiled(item, keys))
            for key, item in value.items()
            if draw(st.integers(0, 9)) > 0
        }
    if isinstance(value, list):
        return [draw(spoiled(item, keys)) for item in value]
    return value


def validate(kind: object, value: Mapping[str, Json]) -> None:
    """Check a value against a type of an SDK, to the last field; unknown fields are refused."""
    known = set(cast("type", kind).__annotations__) | {
        name
        for base in getattr(kind, "__mro__", ())
        for name in getattr(base, "__annotations__", {})
    }
    unknown = set(value) - known
    assert not unknown, f"{kind} has no {unknown}"
    exhaust(adapter(kind).validate_python(value))


@cache
def adapter(kind: object) -> TypeAdapter[object]:
    return TypeAdapter(cast("type[object]", kind))


def exhaust(value: object) -> None:
    """Draw out the iterators in which pydantic checks iterables only when asked."""
    if isinstance(value, str | bytes) or value is None:
        return
    if isinstance(value, Mapping):
        for item in value.values():
            exhaust(item)
    elif hasattr(value, "__iter__"):
        for item in value:
            exhaust(item)


def values_of(wire: object, key: str) -> list[object]:
    """Every value of a key, however deep."""
    found: list[object] = []
    if isinstance(wire, Mapping):
        found.extend(value for name, value in wire.items() if name == key)
        for value in wire.values():
            found.extend(values_of(value, key))
    elif isinstance(wire, list):
        for value in wire:
            found.extend(values_of(value, key))
    return found
