"""Actions in plain words, one line each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from carrel import actions, intents
from carrel.actions import Action
from carrel.codec import Json
from carrel.errors import CarrelError
from carrel.geometry import Box
from carrel.intents import decode_any

__all__ = ["in_words", "wire_in_words"]

_WIDTH = 120
_BREAKS = re.compile(r"\s+")

A = TypeVar("A", bound=Action)
_WORDS: dict[type[Action], Callable[[Action], str]] = {}


def in_words(action: Action) -> str:
    """What the action does, for a person to read: `click at 10, 20`."""
    words = _WORDS.get(type(action))
    return words(action) if words is not None else action.type.replace("_", " ")


def wire_in_words(wire: Mapping[str, Json]) -> str:
    """The same for an action as the journal holds it; its type when it cannot be read."""
    try:
        return in_words(decode_any(dict(wire)))
    except CarrelError:
        return str(wire.get("type", "unknown action"))[:_WIDTH].replace("_", " ")


def _words(cls: type[A]) -> Callable[[Callable[[A], str]], Callable[[A], str]]:
    def register(function: Callable[[A], str]) -> Callable[[A], str]:
        def words(action: Action) -> str:
            assert isinstance(action, cls)
            return function(action)

        _WORDS[cls] = words
        return function

    return register


def _cut(text: str, width: int = _WIDTH) -> str:
    flat = _BREAKS.sub(" ", text).strip()
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def _quoted(text: str, width: int = 80) -> str:
    shown = text if len(text) <= width else text[: width - 1] + "…"
    return json.dumps(shown, ensure_ascii=False)


def _held(modifiers: tuple[str, ...]) -> str:
    return f" holding {'+'.join(modifiers)}" if modifiers else ""


def _seconds(value: float) -> str:
    return f"{value:g} s"


@_words(actions.Click)
def _click(action: actions.Click) -> str:
    times = {1: "click", 2: "double-click", 3: "triple-click"}
    button = "" if action.button == "left" else f"{action.button} "
    deed = f"{button}{times.get(action.count, f'click {action.count} times')}"
    return f"{deed} at {action.x}, {action.y}{_held(action.modifiers)}"


@_words(actions.Move)
def _move(action: actions.Move) -> str:
    return f"move to {action.x}, {action.y}"


@_words(actions.Drag)
def _drag(action: actions.Drag) -> str:
    first, last = action.path[0], action.path[-1]
    between = len(action.path) - 2
    through = f" through {between} point{'s' * (between > 1)}" if between else ""
    button = "" if action.button == "left" else f"{action.button} "
    ends = f"from {first.x}, {first.y} to {last.x}, {last.y}"
    return f"{button}drag {ends}{through}{_held(action.modifiers)}"


@_words(actions.MouseDown)
def _mouse_down(action: actions.MouseDown) -> str:
    return f"press the {action.button} button"


@_words(actions.MouseUp)
def _mouse_up(action: actions.MouseUp) -> str:
    return f"release the {action.button} button"


@_words(actions.Scroll)
def _scroll(action: actions.Scroll) -> str:
    ways = [
        f"{positive if count > 0 else negative} {abs(count)}"
        for count, positive, negative in ((action.dy, "down", "up"), (action.dx, "right", "left"))
        if count
    ]
    return f"scroll {' and '.join(ways)} at {action.x}, {action.y}{_held(action.modifiers)}"


@_words(actions.Type)
def _type(action: actions.Type) -> str:
    return f"type {_quoted(action.text)}"


@_words(actions.Key)
def _key(action: actions.Key) -> str:
    times = f" {action.repeat} times" if action.repeat > 1 else ""
    hold = f" for {_seconds(action.hold)}" if action.hold else ""
    return f"press {'+'.join(action.keys)}{times}{hold}"


@_words(actions.KeyDown)
def _key_down(action: actions.KeyDown) -> str:
    return f"hold {action.key} down"


@_words(actions.KeyUp)
def _key_up(action: actions.KeyUp) -> str:
    return f"release {action.key}"


def _place(box: Box) -> str:
    return f"{box.width}x{box.height} at {box.x}, {box.y}"


@_words(actions.Screenshot)
def _screenshot(action: actions.Screenshot) -> str:
    if action.region is not None:
        return f"look at {_place(action.region)}"
    return "look at the screen"


@_words(actions.Screen)
def _screen(action: actions.Screen) -> str:
    return "read the size of the screen"


@_words(actions.Cursor)
def _cursor(action: actions.Cursor) -> str:
    return "read where the pointer is"


@_words(actions.Elements)
def _elements(action: actions.Elements) -> str:
    return f"read the elements of {_quoted(action.app)}" if action.app else "read the elements"


@_words(actions.Windows)
def _windows(action: actions.Windows) -> str:
    return "list the windows"


@_words(actions.GetClipboard)
def _get_clipboard(action: actions.GetClipboard) -> str:
    return "read the clipboard"


@_words(actions.SetClipboard)
def _set_clipboard(action: actions.SetClipboard) -> str:
    return f"put {_quoted(action.text)} on the clipboard"


@_words(actions.Wait)
def _wait(action: actions.Wait) -> str:
    if action.seconds is not None:
        return f"wait {_seconds(action.seconds)}"
    return f"wait until the screen is still for {_seconds(action.stable or 0)}"


@_words(actions.ResizeScreen)
def _resize_screen(action: actions.ResizeScreen) -> str:
    return f"make the screen {action.width}x{action.height}"


@_words(actions.Open)
def _open(action: actions.Open) -> str:
    return _cut(" ".join(("open", action.what, *action.arguments)))


@_words(actions.FocusWindow)
def _focus(action: actions.FocusWindow) -> str:
    return f"focus window {action.target}"


@_words(actions.MoveWindow)
def _move_window(action: actions.MoveWindow) -> str:
    return f"move window {action.target} to {action.x}, {action.y}"


@_words(actions.ResizeWindow)
def _resize_window(action: actions.ResizeWindow) -> str:
    return f"make window {action.target} {action.width}x{action.height}"


@_words(actions.MinimizeWindow)
def _minimize(action: actions.MinimizeWindow) -> str:
    return f"minimise window {action.target}"


@_words(actions.MaximizeWindow)
def _maximize(action: actions.MaximizeWindow) -> str:
    return f"{'maximise' if action.on else 'restore'} window {action.target}"


@_words(actions.CloseWindow)
def _close(action: actions.CloseWindow) -> str:
    return f"close window {action.target}"


@_words(actions.Shell)
def _shell(action: actions.Shell) -> str:
    return _cut(f"run {action.command}")


@_words(actions.ReadFile)
def _read_file(action: actions.ReadFile) -> str:
    return _cut(f"read {action.path}")


@_words(actions.WriteFile)
def _write_file(action: actions.WriteFile) -> str:
    return _cut(f"write {len(action.text)} characters to {action.path}")


@_words(actions.AppendFile)
def _append_file(action: actions.AppendFile) -> str:
    return _cut(f"add {len(action.text)} characters to {action.path}")


@_words(actions.ListFiles)
def _list_files(action: actions.ListFiles) -> str:
    return _cut(f"list {action.path}")


@_words(actions.StatFile)
def _stat_file(action: actions.StatFile) -> str:
    return _cut(f"look up {action.path}")


@_words(actions.MakeDirectory)
def _make_directory(action: actions.MakeDirectory) -> str:
    return _cut(f"make directory {action.path}")


@_words(actions.MoveFile)
def _move_file(action: actions.MoveFile) -> str:
    return _cut(f"move {action.path} to {action.to}")


@_words(actions.DeleteFile)
def _delete_file(action: actions.DeleteFile) -> str:
    return _cut(f"delete {action.path}{' and all it holds' if action.recursive else ''}")


@_words(intents.Done)
def _done(action: intents.Done) -> str:
    verdict = "done" if action.success else "give up"
    return _cut(f"{verdict}: {action.text}" if action.text.strip() else verdict)


@_words(intents.Ask)
def _ask(action: intents.Ask) -> str:
    return _cut(f"ask: {action.question}")


@_words(intents.Note)
def _note(action: intents.Note) -> str:
    return _cut(f"note: {action.text}")


@_words(intents.CallTool)
def _tool(action: intents.CallTool) -> str:
    arguments = json.dumps(dict(action.arguments), ensure_ascii=False, default=str)
    return _cut(f"call {action.name} {arguments}" if action.arguments else f"call {action.name}")
