"""An action and what was observed of it, in one line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import cast

from carrel import actions
from carrel.actions import Action
from carrel.cli._output import one_line
from carrel.codec import Json
from carrel.results import Effect, Result

__all__ = ["sentence"]

_WIDTH = 160


def sentence(action: Action, result: Result) -> str:
    """What was done, how sure we are, and by what."""
    return one_line(f"{_deed(action)}: {_outcome(result)}")


def _deed(action: Action) -> str:
    word = _DEEDS.get(type(action))
    return word(action) if word is not None else action.type.replace("_", " ")


def _held(modifiers: tuple[str, ...]) -> str:
    return f" holding {'+'.join(modifiers)}" if modifiers else ""


def _click(action: actions.Click) -> str:
    times = {1: "clicked", 2: "double-clicked"}.get(action.count, f"clicked {action.count} times")
    button = "" if action.button == "left" else f" the {action.button} button"
    return f"{times}{button} at {action.x},{action.y}{_held(action.modifiers)}"


def _drag(action: actions.Drag) -> str:
    first, last = action.path[0], action.path[-1]
    return f"dragged from {first.x},{first.y} to {last.x},{last.y}{_held(action.modifiers)}"


def _scroll(action: actions.Scroll) -> str:
    ways = [
        f"{abs(count)} {positive if count > 0 else negative}"
        for count, positive, negative in ((action.dy, "down", "up"), (action.dx, "right", "left"))
        if count
    ]
    return f"scrolled {' and '.join(ways)} at {action.x},{action.y}{_held(action.modifiers)}"


def _key(action: actions.Key) -> str:
    times = f" {action.repeat} times" if action.repeat > 1 else ""
    return f"pressed {'+'.join(action.keys)}{times}"


def _characters(text: str) -> str:
    return "1 character" if len(text) == 1 else f"{len(text)} characters"


def _quote(text: str) -> str:
    return json.dumps(one_line(text, 60), ensure_ascii=False)


def _wait(action: actions.Wait) -> str:
    return "waited until the screen was still" if action.stable is not None else "waited"


def _deeds() -> dict[type[Action], Callable[[Action], str]]:
    table: dict[type[Action], Callable[..., str]] = {
        actions.Click: _click,
        actions.Move: lambda a: f"moved the pointer to {a.x},{a.y}",
        actions.Drag: _drag,
        actions.MouseDown: lambda a: f"pressed the {a.button} button",
        actions.MouseUp: lambda a: f"released the {a.button} button",
        actions.Scroll: _scroll,
        actions.Type: lambda a: f"typed {_characters(a.text)}",
        actions.Key: _key,
        actions.KeyDown: lambda a: f"pressed {a.key}",
        actions.KeyUp: lambda a: f"released {a.key}",
        actions.Wait: _wait,
        actions.SetClipboard: lambda a: f"set the clipboard to {_characters(a.text)}",
        actions.ResizeScreen: lambda a: f"resized the screen to {a.width}x{a.height}",
        actions.Open: lambda a: f"opened {_quote(a.what)}",
        actions.FocusWindow: lambda a: f"focused window {a.target}",
        actions.MoveWindow: lambda a: f"moved window {a.target} to {a.x},{a.y}",
        actions.ResizeWindow: lambda a: f"resized window {a.target} to {a.width}x{a.height}",
        actions.MinimizeWindow: lambda a: f"minimised window {a.target}",
        actions.MaximizeWindow: lambda a: (
            f"{'maximised' if a.on else 'restored'} window {a.target}"
        ),
        actions.CloseWindow: lambda a: f"closed window {a.target}",
        actions.WriteFile: lambda a: f"wrote {_characters(a.text)} to {_quote(a.path)}",
        actions.AppendFile: lambda a: f"added {_characters(a.text)} to {_quote(a.path)}",
        actions.MakeDirectory: lambda a: f"made {_quote(a.path)}",
        actions.MoveFile: lambda a: f"moved {_quote(a.path)} to {_quote(a.to)}",
        actions.DeleteFile: lambda a: f"deleted {_quote(a.path)}",
    }
    return cast("dict[type[Action], Callable[[Action], str]]", table)


_DEEDS = _deeds()


def _outcome(result: Result) -> str:
    evidence = dict(result.evidence)
    change = evidence.pop("change", None)
    settled = evidence.pop("settled", True)
    why = evidence.pop("why", None)
    doubt = [] if why is None else [f"{_DOUBTS.get(result.effect, '')}{why}"]
    words = doubt or [_EFFECTS[result.effect]]
    if isinstance(change, dict):
        words = [_changed(change), *doubt]
        if not settled:
            words.append("still changing")
    facts = _facts(evidence)
    return "; ".join([*words, *([facts] if facts else [])])


_EFFECTS = {
    Effect.CONFIRMED: "confirmed",
    Effect.UNVERIFIABLE: "delivered, effect not watched (--settle 1 would)",
    Effect.SUSPECTED_NOOP: "delivered, but the screen did not change",
    Effect.REFUSED: "refused",
}

_DOUBTS = {
    Effect.UNVERIFIABLE: "effect unknown, for ",
    Effect.SUSPECTED_NOOP: "delivered, but ",
}


def _changed(change: Mapping[str, Json]) -> str:
    pixels, share, box = change.get("pixels"), change.get("share"), change.get("box")
    if not pixels:
        return "delivered, but the screen did not change"
    part = f" ({share:.2%})" if isinstance(share, int | float) else ""
    where = ""
    if isinstance(box, dict):
        where = f" in {box.get('width')}x{box.get('height')} at {box.get('x')},{box.get('y')}"
    return f"the screen changed: {pixels} pixels{part}{where}"


def _facts(evidence: Mapping[str, Json]) -> str:
    pairs = [f"{key} {_value(value)}" for key, value in evidence.items()]
    return one_line(", ".join(pairs), _WIDTH)


def _value(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and value.keys() == {"x", "y"}:
        return f"{value['x']},{value['y']}"
    return json.dumps(value, ensure_ascii=False)
