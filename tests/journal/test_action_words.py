"""Actions in plain words."""

from __future__ import annotations

import pytest

from carrel import actions as a
from carrel import intents as i
from carrel.actions import ACTIONS, Action
from carrel.geometry import Box, Point
from carrel.intents import INTENTS, encode_any
from carrel.journal import in_words
from carrel.journal.words import wire_in_words

WORDS: list[tuple[Action, str]] = [
    (a.Click(10, 20), "click at 10, 20"),
    (a.Click(10, 20, "right"), "right click at 10, 20"),
    (a.Click(1, 2, count=2, modifiers=("ctrl",)), "double-click at 1, 2 holding ctrl"),
    (a.Click(1, 2, count=3), "triple-click at 1, 2"),
    (a.Click(1, 2, count=5), "click 5 times at 1, 2"),
    (a.Move(3, 4), "move to 3, 4"),
    (a.Drag((Point(1, 2), Point(3, 4))), "drag from 1, 2 to 3, 4"),
    (
        a.Drag((Point(1, 2), Point(9, 9), Point(3, 4)), "middle"),
        "middle drag from 1, 2 to 3, 4 through 1 point",
    ),
    (a.MouseDown(), "press the left button"),
    (a.MouseUp("right"), "release the right button"),
    (a.Scroll(5, 6, dy=3), "scroll down 3 at 5, 6"),
    (a.Scroll(5, 6, dx=-1, dy=-2), "scroll up 2 and left 1 at 5, 6"),
    (a.Type("hello"), 'type "hello"'),
    (a.Type('two\nlines "x"'), 'type "two\\nlines \\"x\\""'),
    (a.Key(("ctrl", "l")), "press ctrl+l"),
    (a.Key(("down",), repeat=3), "press down 3 times"),
    (a.Key(("a",), hold=1.5), "press a for 1.5 s"),
    (a.KeyDown("shift"), "hold shift down"),
    (a.KeyUp("shift"), "release shift"),
    (a.Screenshot(), "look at the screen"),
    (a.Screenshot(Box(1, 2, 30, 40)), "look at 30x40 at 1, 2"),
    (a.Wait(2.0), "wait 2 s"),
    (a.Wait(stable=0.5), "wait until the screen is still for 0.5 s"),
    (a.Open("firefox", ("--new",)), "open firefox --new"),
    (a.Shell("ls -l\n/tmp"), "run ls -l /tmp"),
    (a.WriteFile("/a", "xyz"), "write 3 characters to /a"),
    (a.DeleteFile("/a", recursive=True), "delete /a and all it holds"),
    (a.FocusWindow(255), "focus window 0xff"),
    (a.MaximizeWindow(1, on=False), "restore window 0x1"),
    (i.Done(True, "ready"), "done: ready"),
    (i.Done(False), "give up"),
    (i.Ask("which?"), "ask: which?"),
    (i.Note("it is\nred"), "note: it is red"),
    (i.CallTool("add", {"a": 1}), 'call add {"a": 1}'),
    (i.CallTool("now"), "call now"),
]


@pytest.mark.parametrize(("action", "words"), WORDS, ids=[words for _, words in WORDS])
def test_an_action_in_words(action: Action, words: str) -> None:
    assert in_words(action) == words
    assert wire_in_words(encode_any(action)) == words


SMALLEST = {
    "x": 1,
    "y": 1,
    "dy": 1,
    "width": 9,
    "height": 9,
    "window": 7,
    "to": "/b",
    "path": "/a",
    "text": "t",
    "keys": ["a"],
    "key": "a",
    "what": "x",
    "command": "x",
    "question": "q?",
    "name": "n",
    "seconds": 1.0,
}


@pytest.mark.parametrize("kind", sorted({**ACTIONS, **INTENTS}))
def test_every_action_has_one_short_line(kind: str) -> None:
    cls = {**ACTIONS, **INTENTS}[kind]
    wire = {name: value for name, value in SMALLEST.items() if name in cls.__dataclass_fields__}
    if kind == "drag":
        wire["path"] = [{"x": 1, "y": 2}, {"x": 3, "y": 4}]
    words = wire_in_words({"type": kind, **wire})
    assert words
    assert "\n" not in words
    assert len(words) < 140
    assert words != kind or kind == "done"


def test_long_and_strange_actions_stay_one_line() -> None:
    assert len(in_words(a.Type("x" * 10_000))) < 130
    assert len(in_words(a.Shell("x\n" * 10_000))) <= 120
    assert wire_in_words({"type": "fly_away", "height": 3}) == "fly away"
    assert wire_in_words({}) == "unknown action"
    assert wire_in_words({"type": "click", "x": "here"}) == "click"
