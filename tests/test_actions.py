from __future__ import annotations

import dataclasses
import json
import re
import typing
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel import actions
from carrel.actions import ACTIONS, Action, decode_action, encode_action
from carrel.errors import InvalidInput
from carrel.geometry import Box, Point
from carrel.intents import Ask

coordinates = st.integers(-32767, 32767)
modifiers = st.lists(st.sampled_from(["ctrl", "shift", "alt", "super"]), unique=True).map(tuple)
text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=50)
seconds = st.floats(0, 3600)
buttons = st.sampled_from(typing.get_args(actions.Button))
windows = st.integers(1, 2**32 - 1)
points = st.builds(Point, coordinates, coordinates)
boxes = st.builds(Box, coordinates, coordinates, st.integers(1, 999), st.integers(1, 999))

SPECIAL: dict[type[Action], st.SearchStrategy[Action]] = {
    actions.Drag: st.builds(
        actions.Drag, st.lists(points, min_size=2, max_size=6).map(tuple), buttons, modifiers
    ),
    actions.Scroll: st.builds(
        actions.Scroll, coordinates, coordinates, st.just(1), st.integers(-9, 9), modifiers
    ),
    actions.Key: st.builds(
        actions.Key,
        st.lists(st.sampled_from(["a", "ctrl", "é", "f5"]), min_size=1, max_size=4).map(tuple),
    ),
    actions.Wait: st.builds(actions.Wait, seconds=seconds, stable=st.none()),
    actions.Screenshot: st.builds(actions.Screenshot, region=st.none() | boxes),
    actions.MoveFile: st.builds(actions.MoveFile, text, to=text),
    actions.Shell: st.builds(actions.Shell, text, env=st.dictionaries(text, text)),
}
FIELDS: dict[str, st.SearchStrategy[typing.Any]] = {
    "x": coordinates,
    "y": coordinates,
    "width": st.integers(1, 32767),
    "height": st.integers(1, 32767),
    "window": windows,
    "modifiers": modifiers,
    "count": st.integers(1, 10),
    "key": st.sampled_from(["enter", "a", "shift", "漢"]),
    "limit": st.integers(1, 1000),
    "timeout": seconds,
    "text": text,
    "path": text,
    "what": text,
    "app": st.none() | text,
}


def strategy_for(cls: type[Action]) -> st.SearchStrategy[Action]:
    if cls in SPECIAL:
        return SPECIAL[cls]
    names = [field.name for field in dataclasses.fields(cls)]
    return st.builds(cls, **{name: FIELDS[name] for name in names if name in FIELDS})


any_action = st.one_of([strategy_for(cls) for cls in ACTIONS.values()])


@given(any_action)
def test_every_action_survives_json(action: Action) -> None:
    assert decode_action(json.loads(json.dumps(encode_action(action)))) == action


@pytest.mark.parametrize("cls", ACTIONS.values(), ids=ACTIONS)
def test_every_action_refuses_an_unknown_field(cls: type[Action]) -> None:
    with pytest.raises(InvalidInput, match=r"unknown field|missing"):
        decode_action({"type": cls.type, "no_such_field": 1})


@pytest.mark.parametrize("cls", ACTIONS.values(), ids=ACTIONS)
def test_every_action_has_a_sentence_an_effect_and_a_target(cls: type[Action]) -> None:
    assert actions.describe(cls).rstrip(":").endswith((".", "}", "`", "left."))
    assert cls.effect in actions.EffectClass
    assert isinstance(cls.target, property)


@pytest.mark.parametrize(
    "wire",
    [
        None,
        [],
        {},
        {"type": 3},
        {"type": "clik"},
        {"type": "click", "x": 1},
        {"type": "click", "x": "1", "y": 2},
        {"type": "click", "x": 1.5, "y": 2},
        {"type": "click", "x": 10**9, "y": 2},
        {"type": "click", "x": 1, "y": 2, "button": "purple"},
        {"type": "click", "x": 1, "y": 2, "count": 0},
        {"type": "click", "x": 1, "y": 2, "modifiers": ["a"]},
        {"type": "drag", "path": [{"x": 1, "y": 1}]},
        {"type": "scroll", "x": 1, "y": 1},
        {"type": "key", "keys": []},
        {"type": "key", "keys": ["nosuchkey"]},
        {"type": "type", "text": "\x07"},
        {"type": "type", "text": "\ud800"},
        {"type": "wait"},
        {"type": "wait", "seconds": 1, "stable": 1},
        {"type": "wait", "seconds": -1},
        {"type": "resize_screen", "width": 0, "height": 10**9},
        {"type": "read_file", "path": "a\0b"},
        {"type": "read_file", "path": ""},
        {"type": "shell", "command": ""},
    ],
)
def test_nonsense_is_refused(wire: object) -> None:
    with pytest.raises(InvalidInput):
        decode_action(wire)


def test_other_spellings_of_keys_are_stored_as_ours() -> None:
    assert actions.Key(("Control_L", "Return")).keys == ("ctrl", "enter")
    assert actions.Click(1, 2, modifiers=("CMD",)).modifiers == ("super",)


def test_the_target_is_what_a_policy_speaks_of() -> None:
    assert actions.Shell("rm -rf /").target == "rm -rf /"
    assert actions.Open("https://example.org/").target == "https://example.org/"
    assert actions.WriteFile("/etc/hosts").target == "/etc/hosts"
    assert actions.Key(("ctrl", "l")).target == "ctrl+l"


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: actions.Click("5", 5), "click.x"),  # type: ignore[arg-type]
        (lambda: actions.Click(5, 5.0), "click.y"),  # type: ignore[arg-type]
        (lambda: actions.Click(5, 5, count=True), "click.count"),
        (lambda: actions.Click(5, 5, "thumb"), "click.button"),  # type: ignore[arg-type]
        (lambda: actions.Click(5, 5, modifiers="ctrl"), "click.modifiers"),  # type: ignore[arg-type]
        (lambda: actions.Type(b"x"), "type.text"),  # type: ignore[arg-type]
        (lambda: actions.Type(None), "type.text"),  # type: ignore[arg-type]
        (lambda: actions.Type("\ud800"), "type.text"),
        (lambda: actions.MouseDown(1), "mouse_down.button"),  # type: ignore[arg-type]
        (lambda: actions.Screenshot(quality="x"), "screenshot.quality"),  # type: ignore[arg-type]
        (lambda: actions.Screenshot(cursor=1), "screenshot.cursor"),  # type: ignore[arg-type]
        (lambda: actions.Drag(((1, 2), (3, 4))), "drag.path"),  # type: ignore[arg-type]
        (lambda: actions.Wait(seconds=float("nan")), "wait.seconds"),
        (lambda: actions.MoveWindow("1", 2, 3), "move_window.window"),  # type: ignore[arg-type]
        (lambda: actions.Shell("x", env={"A": 1}), "shell.env.A"),  # type: ignore[dict-item]
        (lambda: actions.MoveFile("a", 5), "move_file.to"),  # type: ignore[arg-type]
        (lambda: Ask(5), "ask.question"),  # type: ignore[arg-type]
    ],
)
def test_an_ill_typed_field_is_named(make: Callable[[], object], field: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(field)):
        make()


def test_what_stands_for_the_right_type_becomes_it() -> None:
    assert actions.Open("x", ["a"]).arguments == ("a",)  # type: ignore[arg-type]
    pause = actions.Wait(seconds=1).seconds
    assert (pause, type(pause)) == (1.0, float)
