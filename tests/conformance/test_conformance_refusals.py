"""What cannot be done is refused with a typed error, and nothing is left half done."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest
from proofs import bounded
from subjects import Subject

from carrel.actions import ACTIONS
from carrel.errors import CarrelError

pytestmark = pytest.mark.desktop

Fields = dict[str, Any]

HUGE = 10**9
UNKNOWN = 0xDEADBE
OFF = [{"x": -1, "y": 5}, {"x": 1280, "y": 5}, {"x": 5, "y": 800}, {"x": HUGE, "y": 5}]
OFF += [{"x": 5, "y": -HUGE}, {"x": 1.5, "y": 5}, {"x": True, "y": 5}, {"x": "5", "y": 5}]
ON = {"x": 5, "y": 5}

PLAIN: dict[str, Fields] = {
    "click": ON,
    "move": ON,
    "drag": {"path": [ON, {"x": 9, "y": 9}]},
    "mouse_down": {"button": "left"},
    "mouse_up": {"button": "left"},
    "scroll": {**ON, "dy": 1},
    "type": {"text": "x"},
    "key": {"keys": ["a"]},
    "key_down": {"key": "a"},
    "key_up": {"key": "a"},
    "screenshot": {},
    "screen": {},
    "cursor": {},
    "elements": {},
    "windows": {},
    "get_clipboard": {},
    "wait": {"seconds": 0.0},
    "set_clipboard": {"text": "x"},
    "resize_screen": {"width": 1280, "height": 800},
    "open": {"what": "true"},
    "focus_window": {"window": UNKNOWN},
    "move_window": {"window": UNKNOWN},
    "resize_window": {"window": UNKNOWN},
    "minimize_window": {"window": UNKNOWN},
    "maximize_window": {"window": UNKNOWN},
    "close_window": {"window": UNKNOWN},
    "shell": {"command": "true"},
    "read_file": {"path": "/etc/hostname"},
    "write_file": {"path": "@/x"},
    "append_file": {"path": "@/x"},
    "list_files": {"path": "@"},
    "stat_file": {"path": "@"},
    "make_directory": {"path": "@/d"},
    "move_file": {"path": "@/x", "to": "@/y"},
    "delete_file": {"path": "@/x"},
}
"""A well-formed wish for each action; `@` stands for a directory of the test."""

WRONG: dict[str, list[Fields]] = {
    "click": [
        *OFF,
        *({**ON, "count": count} for count in (0, -1, 11, HUGE)),
        {**ON, "button": "wheel"},
        {**ON, "modifiers": ["a"]},
        {**ON, "modifiers": ["no such key"]},
        {**ON, "modifiers": "ctrl"},
    ],
    "move": OFF,
    "drag": [
        {"path": []},
        {"path": [ON]},
        *({"path": [ON, point]} for point in OFF),
        *({"path": [point, ON]} for point in OFF),
        {"path": [ON, ON], "seconds": -1},
        {"path": [ON, ON], "seconds": HUGE},
        {"path": [ON, ON], "modifiers": ["enter"]},
        {"path": [ON] * 10_001},
    ],
    "mouse_down": [{"button": "no such"}, {"button": 1}],
    "mouse_up": [{"button": "no such"}, {"button": None}],
    "scroll": [
        *({**point, "dy": 1} for point in OFF),
        {**ON},
        {**ON, "dy": HUGE},
        {**ON, "dx": -HUGE},
        {**ON, "dy": 0.5},
        {**ON, "dy": 1, "modifiers": ["a"]},
    ],
    "type": [{"text": "a\x01b"}, {"text": "a\x7fb"}, {"text": "x" * 1_000_001}],
    "key": [
        {"keys": []},
        {"keys": ["no such key"]},
        {"keys": ["ctrl", "no such key"]},
        {"keys": ["a"] * 9},
        {"keys": ["a"], "repeat": 0},
        {"keys": ["a"], "repeat": HUGE},
        {"keys": ["a"], "hold": -1},
        {"keys": ["a"], "hold": HUGE},
        {"keys": [""]},
        {"keys": "ctrl"},
    ],
    "key_down": [{"key": "no such key"}, {"key": ""}, {"key": "\0"}],
    "key_up": [{"key": "no such key"}, {"key": ""}],
    "screenshot": [
        {"region": {"x": 0, "y": 0, "width": 0, "height": 5}},
        {"region": {"x": 0, "y": 0, "width": HUGE, "height": 5}},
        {"region": {"x": 1270, "y": 0, "width": 11, "height": 5}},
        {"region": {"x": -1, "y": 0, "width": 5, "height": 5}},
        {"format": "gif"},
        {"quality": 0},
        {"quality": HUGE},
    ],
    "elements": [{"limit": 0}, {"limit": HUGE}, {"timeout": -1}, {"timeout": HUGE}],
    "wait": [
        {},
        {"seconds": 1, "stable": 1},
        {"seconds": -1},
        {"seconds": HUGE},
        {"stable": -0.1},
        {"stable": 0.1, "timeout": HUGE},
    ],
    "resize_screen": [
        {"width": 0, "height": 0},
        {"width": HUGE, "height": HUGE},
        {"width": -5, "height": 800},
        {"width": 32767, "height": 32767},
    ],
    "open": [
        {"what": ""},
        {"what": "a\0b"},
        {"what": "no-such-application-anywhere"},
        {"what": "/no/such/file"},
        {"what": "http://"},
        {"what": "no-such-scheme-at-all:thing"},
    ],
    "shell": [
        {"command": ""},
        {"command": "a\0b"},
        {"command": "true", "cwd": "/no/such/directory"},
        {"command": "true", "cwd": "/etc/hostname"},
        {"command": "true", "env": {"A=B": "x"}},
        {"command": "true", "env": {"": "x"}},
        {"command": "true", "env": {"A": "a\0b"}},
        {"command": "true", "timeout": -1},
        {"command": "true", "timeout": HUGE},
    ],
    "read_file": [
        {"path": ""},
        {"path": "a\0b"},
        {"path": "x" * 5000},
        {"path": "/no/such/file"},
        {"path": "@"},
        {"path": "/etc/hostname", "limit": -1},
    ],
    "write_file": [{"path": ""}, {"path": "@"}, {"path": "/proc/no/such"}, {"path": "@/a\0b"}],
    "append_file": [{"path": ""}, {"path": "@"}, {"path": "/proc/no/such"}],
    "list_files": [{"path": ""}, {"path": "/no/such"}, {"path": "/etc/hostname"}],
    "stat_file": [{"path": ""}, {"path": "/no/such"}, {"path": "/etc/hostname/x"}],
    "make_directory": [{"path": ""}, {"path": "/etc/hostname"}, {"path": "/proc/no/such"}],
    "move_file": [
        {"path": "/no/such", "to": "@/y"},
        {"path": "@", "to": ""},
        {"path": "@", "to": "@/into/itself"},
        {"path": "@/x"},
    ],
    "delete_file": [{"path": ""}, {"path": "/no/such"}, {"path": "@/no/such", "recursive": True}],
}

WINDOWS: list[Fields] = [
    {"window": 0},
    {"window": -1},
    {"window": 2**32},
    {"window": HUGE},
    {"window": UNKNOWN},
    {"window": "1"},
]
for _name in ACTIONS:
    if _name.endswith("_window"):
        WRONG[_name] = [*WINDOWS]
WRONG["resize_window"] += [{"window": UNKNOWN, "width": 0}, {"window": UNKNOWN, "height": HUGE}]

CODES = {
    "invalid_input",
    "not_found",
    "already_exists",
    "unsupported",
    "unavailable",
    "action_failed",
    "refused",
}


async def refusal(desk: Subject, wire: Mapping[str, object]) -> str:
    """The code of the error that an action ends with."""
    try:
        reply = await desk.computer._link.ask("act", {"action": wire})
    except CarrelError as error:
        return error.code if error.message else "nothing said"
    result: Any = reply.result["result"]
    assert not result["ok"], f"{str(wire)[:200]} was carried out"
    assert result["effect"] == "refused"
    assert result["error"]["message"]
    return str(result["error"]["code"])


async def assert_works(desk: Subject, x: int, y: int) -> None:
    await desk.at_rest()
    await desk.computer.move(x, y)
    seen = await desk.peek.state()
    assert (seen["x"], seen["y"]) == (x, y)


def _ill_formed(action: str) -> list[Fields]:
    """A wish with an unknown field, with each field missing, and with each of the wrong type."""
    plain = PLAIN[action]
    fields = dataclasses.fields(ACTIONS[action])
    required = [f.name for f in fields if f.default is f.default_factory is dataclasses.MISSING]
    missing = [{k: v for k, v in plain.items() if k != name} for name in required]
    wrong: list[object] = [{"a": 1}, [[1]]]
    ill_typed = [{**plain, f.name: value} for f in fields for value in wrong]
    return [{**plain, "unknown": 1}, *missing, *ill_typed]


def test_there_is_a_plain_wish_for_every_action() -> None:
    assert set(PLAIN) == set(ACTIONS)
    assert set(ACTIONS) - set(WRONG) == {
        "screen",
        "cursor",
        "windows",
        "get_clipboard",
        "set_clipboard",
    }


@bounded
async def test_ill_formed_wishes_are_refused_for_every_action(desk: Subject) -> None:
    for action in ACTIONS:
        for fields in _ill_formed(action):
            code = await refusal(desk, {"type": action, **fields})
            assert code == "invalid_input", f"{action} {fields}: {code}"
        await desk.at_rest()
    await assert_works(desk, 50, 60)


@bounded
async def test_what_is_no_action_is_refused(desk: Subject) -> None:
    for wire in ({}, {"type": "no such"}, {"type": 5}, {"type": None}, [], "click", None, 7):
        assert await refusal(desk, wire) == "invalid_input"  # type: ignore[arg-type]
    for settle in (-1, HUGE, "1", True):
        args = {"action": {"type": "move", **ON}, "settle": settle}
        with pytest.raises(CarrelError):
            await desk.computer._link.ask("act", args)


@bounded
async def test_wishes_that_cannot_be_met_are_refused_and_the_next_one_works(desk: Subject) -> None:
    bad = []
    with desk.folder() as (here, inside):
        for action, wishes in WRONG.items():
            for fields in wishes:
                filled = {key: _fill(value, inside) for key, value in fields.items()}
                code = await refusal(desk, {"type": action, **filled})
                if code not in CODES:
                    bad.append((action, str(fields)[:100], code))
            await desk.at_rest()
            await assert_works(desk, 70, 80)
        assert not list(here.iterdir())
    assert not bad


def _fill(value: object, folder: str) -> object:
    return value.replace("@", folder) if isinstance(value, str) else value


@bounded
async def test_missing_things_are_said_to_be_missing(desk: Subject) -> None:
    for action in ACTIONS:
        if action.endswith("_window"):
            assert await refusal(desk, {"type": action, "window": UNKNOWN}) == "not_found"
        if action in ("read_file", "list_files", "stat_file", "delete_file"):
            assert await refusal(desk, {"type": action, "path": "/no/such"}) == "not_found"


@bounded
async def test_a_window_is_not_lost_by_a_place_that_is_none(desk: Subject) -> None:
    async with desk.event_log() as log:
        before = await log.center()
        for x, y in ((HUGE, 0), (0, -HUGE), (10**30, 5), (40_000, 40_000)):
            wire = {"type": "move_window", "window": log.window, "x": x, "y": y}
            assert await refusal(desk, wire) == "invalid_input"
        for width, height in ((0, 0), (HUGE, 5), (5, -1)):
            wire = {"type": "resize_window", "window": log.window}
            assert await refusal(desk, {**wire, "width": width, "height": height}) in CODES
        assert await log.center() == before
