"""What `carrel do` says of an action."""

from __future__ import annotations

import pytest

from carrel import actions
from carrel.actions import Action
from carrel.cli.do._words import sentence
from carrel.geometry import Point
from carrel.results import Effect, Result

CHANGE = {"pixels": 1200, "share": 0.0125, "box": {"x": 4, "y": 5, "width": 60, "height": 20}}


@pytest.mark.parametrize(
    ("action", "result", "words"),
    [
        (
            actions.Click(10, 20, "right", 2, ("ctrl",)),
            Result(True, Effect.UNVERIFIABLE, evidence={"pointer": {"x": 10, "y": 20}}),
            (
                "double-clicked the right button at 10,20 holding ctrl: "
                "delivered, effect not watched (--settle 1 would); pointer 10,20"
            ),
        ),
        (
            actions.Key(("ctrl", "l")),
            Result(True, Effect.CONFIRMED, evidence={"change": CHANGE, "settled": True}),
            "pressed ctrl+l: the screen changed: 1200 pixels (1.25%) in 60x20 at 4,5",
        ),
        (
            actions.Type("hi"),
            Result(True, Effect.SUSPECTED_NOOP, evidence={"change": {"pixels": 0, "share": 0.0}}),
            "typed 2 characters: delivered, but the screen did not change",
        ),
        (
            actions.Scroll(1, 2, dx=-1, dy=3),
            Result(True, Effect.CONFIRMED, evidence={"change": CHANGE, "settled": False}),
            (
                "scrolled 3 down and 1 left at 1,2: "
                "the screen changed: 1200 pixels (1.25%) in 60x20 at 4,5; still changing"
            ),
        ),
        (
            actions.Type("hi"),
            Result(True, Effect.UNVERIFIABLE, evidence={"change": CHANGE, "why": "it moves"}),
            (
                "typed 2 characters: the screen changed: 1200 pixels (1.25%) in 60x20 at 4,5; "
                "effect unknown, for it moves"
            ),
        ),
        (
            actions.MouseUp(),
            Result(True, Effect.SUSPECTED_NOOP, evidence={"down": False, "why": "it was up"}),
            "released the left button: delivered, but it was up; down false",
        ),
        (
            actions.WriteFile("a\nb", "x"),
            Result(True, Effect.CONFIRMED, evidence={"size": 1}),
            'wrote 1 character to "a b": confirmed; size 1',
        ),
        (
            actions.Drag((Point(1, 2), Point(3, 4))),
            Result(True, Effect.UNVERIFIABLE),
            "dragged from 1,2 to 3,4: delivered, effect not watched (--settle 1 would)",
        ),
    ],
)
def test_a_sentence_says_what_was_seen(action: Action, result: Result, words: str) -> None:
    assert sentence(action, result) == words


def test_every_action_has_a_sentence() -> None:
    samples = {
        "click": {"x": 1, "y": 2},
        "move": {"x": 1, "y": 2},
        "drag": {"path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]},
        "scroll": {"x": 1, "y": 2, "dy": 1},
        "type": {"text": "x"},
        "key": {"keys": ["a"]},
        "key_down": {"key": "a"},
        "key_up": {"key": "a"},
        "wait": {"seconds": 1},
        "set_clipboard": {"text": "x"},
        "resize_screen": {"width": 3, "height": 4},
        "open": {"what": "x"},
        "shell": {"command": "x"},
        "move_file": {"path": "x", "to": "y"},
    }
    for kind in actions.ACTIONS:
        fields = samples.get(kind)
        if fields is None:
            fields = {"window": 3} if kind.endswith("_window") else {}
            fields = {"path": "x"} if "file" in kind or "directory" in kind else fields
        action = actions.decode_action({"type": kind, **fields})
        assert sentence(action, Result(True, Effect.CONFIRMED)).endswith(": confirmed")
