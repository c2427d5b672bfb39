"""The actions: everything that can be done to a computer, as typed data.

Coordinates are screen pixels. Scrolling is in wheel notches, positive is down and right. Keys are
canonical names (`carrel.keys`); an action built with another spelling stores the canonical one.
Unknown or ill-typed fields are refused by `decode_action`, never ignored.
"""

from __future__ import annotations

from carrel.actions._base import MAX_SECONDS, MAX_TEXT, Action, EffectClass
from carrel.actions._table import ACTIONS
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
from carrel.actions.pointer import Button, Click, Drag, MouseDown, MouseUp, Move, Scroll
from carrel.actions.programs import Open, ResizeScreen, SetClipboard, Shell
from carrel.actions.windows import (
    CloseWindow,
    FocusWindow,
    MaximizeWindow,
    MinimizeWindow,
    MoveWindow,
    ResizeWindow,
)
from carrel.actions.wire import decode_action, describe, encode_action

__all__ = [
    "ACTIONS",
    "MAX_SECONDS",
    "MAX_TEXT",
    "Action",
    "AppendFile",
    "Button",
    "Click",
    "CloseWindow",
    "Cursor",
    "DeleteFile",
    "Drag",
    "EffectClass",
    "Elements",
    "FocusWindow",
    "GetClipboard",
    "Key",
    "KeyDown",
    "KeyUp",
    "ListFiles",
    "MakeDirectory",
    "MaximizeWindow",
    "MinimizeWindow",
    "MouseDown",
    "MouseUp",
    "Move",
    "MoveFile",
    "MoveWindow",
    "Open",
    "ReadFile",
    "ResizeScreen",
    "ResizeWindow",
    "Screen",
    "Screenshot",
    "Scroll",
    "SetClipboard",
    "Shell",
    "StatFile",
    "Type",
    "Wait",
    "Windows",
    "WriteFile",
    "decode_action",
    "describe",
    "encode_action",
]
