"""The table of actions: what is not in it cannot be done."""

from __future__ import annotations

from carrel.actions._base import Action
from carrel.actions.files import (
    AppendFile,
    DeleteFile,
    ListFiles,
    MakeDirectory,
    MoveFile,
    ReadFile,
    StatFile,
    WriteFile,
)
from carrel.actions.keyboard import Key, KeyDown, KeyUp, Type
from carrel.actions.observing import (
    Cursor,
    Elements,
    GetClipboard,
    Screen,
    Screenshot,
    Wait,
    Windows,
)
from carrel.actions.pointer import Click, Drag, MouseDown, MouseUp, Move, Scroll
from carrel.actions.programs import Open, ResizeScreen, SetClipboard, Shell
from carrel.actions.windows import (
    CloseWindow,
    FocusWindow,
    MaximizeWindow,
    MinimizeWindow,
    MoveWindow,
    ResizeWindow,
)

__all__ = ["ACTIONS"]

_EVERY: tuple[type[Action], ...] = (
    Click,
    Move,
    Drag,
    MouseDown,
    MouseUp,
    Scroll,
    Type,
    Key,
    KeyDown,
    KeyUp,
    Screenshot,
    Screen,
    Cursor,
    Elements,
    Windows,
    GetClipboard,
    Wait,
    SetClipboard,
    ResizeScreen,
    Open,
    FocusWindow,
    MoveWindow,
    ResizeWindow,
    MinimizeWindow,
    MaximizeWindow,
    CloseWindow,
    Shell,
    ReadFile,
    WriteFile,
    AppendFile,
    ListFiles,
    StatFile,
    MakeDirectory,
    MoveFile,
    DeleteFile,
)

ACTIONS: dict[str, type[Action]] = {each.type: each for each in _EVERY}
"""Every action by its `type`, in the order in which they are shown."""
