"""The actions: everything that can be done to a computer, as typed data.

Coordinates are screen pixels. Scrolling is in wheel notches, positive is down and right. Keys are
canonical names (`carrel.keys`); an action built with another spelling stores the canonical one.
Unknown or ill-typed fields are refused by `decode_action`, never ignored.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Literal

from carrel import codec
from carrel.errors import InvalidInput
from carrel.frames import ImageFormat
from carrel.geometry import Box, Point, Size
from carrel.keys import MODIFIERS, canonical_key

__all__ = [
    "ACTIONS",
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
    "encode_action",
]

Button = Literal["left", "middle", "right", "back", "forward"]

MAX_TEXT = 1_000_000
MAX_SECONDS = 3600.0


class EffectClass(StrEnum):
    """What kind of thing an action does; policy rules speak of these."""

    OBSERVE = "observe"
    INPUT = "input"
    EXEC = "exec"
    WRITE = "write"
    NET = "net"
    HUMAN = "human"
    END = "end"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. Subclasses are the actions there are."""

    type: ClassVar[str]
    effect: ClassVar[EffectClass]

    @property
    def target(self) -> str:
        """What a policy rule is matched against: a command, a path, a URL, or nothing."""
        return ""


ACTIONS: dict[str, type[Action]] = {}
"""Every action by its `type`."""


def _action(cls: type[Action]) -> type[Action]:
    ACTIONS[cls.type] = cls
    return cls


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise InvalidInput(message)


def _seconds(value: float | None, name: str) -> None:
    _require(
        value is None or 0 <= value <= MAX_SECONDS,
        f"{name} must be between 0 and {MAX_SECONDS:.0f} seconds",
    )


def _path(value: str) -> None:
    _require(0 < len(value) <= 4096, "a path has 1 to 4096 characters")
    _require("\0" not in value, "a path cannot hold a NUL character")


def _canonical_modifiers(action: Action, names: tuple[str, ...]) -> None:
    keys = tuple(canonical_key(name) for name in names)
    for key in keys:
        _require(key.removesuffix("_r") in MODIFIERS, f"{key!r} is not a modifier key")
    object.__setattr__(action, "modifiers", keys)


# Pointer


@_action
@dataclass(frozen=True, slots=True)
class Click(Action):
    """Click at a point, with held keys if any."""

    type = "click"
    effect = EffectClass.INPUT
    x: int
    y: int
    button: Button = "left"
    count: int = 1
    modifiers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Point(self.x, self.y)
        _require(1 <= self.count <= 10, "count must be between 1 and 10")
        _canonical_modifiers(self, self.modifiers)


@_action
@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move the pointer."""

    type = "move"
    effect = EffectClass.INPUT
    x: int
    y: int

    def __post_init__(self) -> None:
        Point(self.x, self.y)


@_action
@dataclass(frozen=True, slots=True)
class Drag(Action):
    """Press at the first point, move along the path, release at the last."""

    type = "drag"
    effect = EffectClass.INPUT
    path: tuple[Point, ...]
    button: Button = "left"
    modifiers: tuple[str, ...] = ()
    seconds: float = 0.2

    def __post_init__(self) -> None:
        _require(2 <= len(self.path) <= 10_000, "a drag path has 2 to 10000 points")
        _seconds(self.seconds, "seconds")
        _canonical_modifiers(self, self.modifiers)


@_action
@dataclass(frozen=True, slots=True)
class MouseDown(Action):
    """Press a button and keep it down."""

    type = "mouse_down"
    effect = EffectClass.INPUT
    button: Button = "left"


@_action
@dataclass(frozen=True, slots=True)
class MouseUp(Action):
    """Release a button."""

    type = "mouse_up"
    effect = EffectClass.INPUT
    button: Button = "left"


@_action
@dataclass(frozen=True, slots=True)
class Scroll(Action):
    """Turn the wheel at a point: `dy` notches down, `dx` notches right; negative is up, left."""

    type = "scroll"
    effect = EffectClass.INPUT
    x: int
    y: int
    dx: int = 0
    dy: int = 0
    modifiers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Point(self.x, self.y)
        _require(abs(self.dx) <= 1000 and abs(self.dy) <= 1000, "at most 1000 notches at once")
        _require(bool(self.dx or self.dy), "a scroll needs dx or dy")
        _canonical_modifiers(self, self.modifiers)


# Keyboard


@_action
@dataclass(frozen=True, slots=True)
class Type(Action):
    """Type text: any Unicode, newlines as Enter, tabs as Tab, whatever the keyboard layout."""

    type = "type"
    effect = EffectClass.INPUT
    text: str

    def __post_init__(self) -> None:
        _require(len(self.text) <= MAX_TEXT, f"at most {MAX_TEXT} characters at once")
        bad = next((c for c in self.text if ord(c) < 32 and c not in "\n\r\t"), None)
        _require(bad is None, f"control character {bad!r} cannot be typed; use a key action")


@_action
@dataclass(frozen=True, slots=True)
class Key(Action):
    """Press keys together (a chord), `repeat` times, each held for `hold` seconds."""

    type = "key"
    effect = EffectClass.INPUT
    keys: tuple[str, ...]
    repeat: int = 1
    hold: float = 0.0

    def __post_init__(self) -> None:
        _require(1 <= len(self.keys) <= 8, "a chord has 1 to 8 keys")
        _require(1 <= self.repeat <= 100, "repeat must be between 1 and 100")
        _seconds(self.hold, "hold")
        object.__setattr__(self, "keys", tuple(canonical_key(key) for key in self.keys))

    @property
    def target(self) -> str:
        """The chord, for example `ctrl+l`."""
        return "+".join(self.keys)


@_action
@dataclass(frozen=True, slots=True)
class KeyDown(Action):
    """Press a key and keep it down."""

    type = "key_down"
    effect = EffectClass.INPUT
    key: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", canonical_key(self.key))


@_action
@dataclass(frozen=True, slots=True)
class KeyUp(Action):
    """Release a key."""

    type = "key_up"
    effect = EffectClass.INPUT
    key: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", canonical_key(self.key))


# Observe


@_action
@dataclass(frozen=True, slots=True)
class Screenshot(Action):
    """Take a picture of the screen or a part of it.

    `unless` is the id of a frame the caller has: if the screen still shows it, no bytes are sent.
    """

    type = "screenshot"
    effect = EffectClass.OBSERVE
    region: Box | None = None
    format: ImageFormat = "png"
    quality: int = 85
    cursor: bool = False
    unless: str | None = None

    def __post_init__(self) -> None:
        _require(1 <= self.quality <= 100, "quality must be between 1 and 100")
        if self.region is not None:
            _require(self.region.area > 0, "a region has at least one pixel")


@_action
@dataclass(frozen=True, slots=True)
class Screen(Action):
    """Read the size of the screen: data `{width, height}`."""

    type = "screen"
    effect = EffectClass.OBSERVE


@_action
@dataclass(frozen=True, slots=True)
class Cursor(Action):
    """Read where the pointer is: data `{x, y}`."""

    type = "cursor"
    effect = EffectClass.OBSERVE


@_action
@dataclass(frozen=True, slots=True)
class Elements(Action):
    """Read the accessibility tree: data `{elements, complete, apps}`."""

    type = "elements"
    effect = EffectClass.OBSERVE
    app: str | None = None
    visible_only: bool = True
    limit: int = 5000
    timeout: float = 3.0

    def __post_init__(self) -> None:
        _require(1 <= self.limit <= 100_000, "limit must be between 1 and 100000")
        _seconds(self.timeout, "timeout")


@_action
@dataclass(frozen=True, slots=True)
class Windows(Action):
    """List the windows: data `{windows}`, the topmost last."""

    type = "windows"
    effect = EffectClass.OBSERVE


@_action
@dataclass(frozen=True, slots=True)
class GetClipboard(Action):
    """Read the clipboard: data `{text}`."""

    type = "get_clipboard"
    effect = EffectClass.OBSERVE


@_action
@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Wait for a time, or until the screen has not changed for `stable` seconds.

    With `stable`, giving up after `timeout` is an error (`timed_out`).
    """

    type = "wait"
    effect = EffectClass.OBSERVE
    seconds: float | None = None
    stable: float | None = None
    timeout: float = 10.0

    def __post_init__(self) -> None:
        _require(
            (self.seconds is None) != (self.stable is None), "wait takes either seconds or stable"
        )
        for name in ("seconds", "stable", "timeout"):
            _seconds(getattr(self, name), name)


# The machine


@_action
@dataclass(frozen=True, slots=True)
class SetClipboard(Action):
    """Put text on the clipboard."""

    type = "set_clipboard"
    effect = EffectClass.INPUT
    text: str

    def __post_init__(self) -> None:
        _require(len(self.text) <= 16 * MAX_TEXT, "at most 16 million characters")


@_action
@dataclass(frozen=True, slots=True)
class ResizeScreen(Action):
    """Change the size of the screen, where the display can."""

    type = "resize_screen"
    effect = EffectClass.INPUT
    width: int
    height: int

    def __post_init__(self) -> None:
        Size(self.width, self.height)


@_action
@dataclass(frozen=True, slots=True)
class Open(Action):
    """Open an application, a URL or a file: data `{pid, kind}`.

    `what` is a URL when it has a scheme, a file when it is an absolute path or `~/…` that exists,
    and otherwise the name of a program or desktop entry, with arguments.
    """

    type = "open"
    effect = EffectClass.EXEC
    what: str
    arguments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _require(0 < len(self.what) <= 65_536 and "\0" not in self.what, "nothing to open")

    @property
    def target(self) -> str:
        """What is opened."""
        return self.what


@dataclass(frozen=True, slots=True)
class _WindowAction(Action):
    window: int

    def __post_init__(self) -> None:
        _require(0 < self.window < 2**32, "a window id is a positive 32-bit number")

    @property
    def target(self) -> str:
        """The window id in hexadecimal."""
        return hex(self.window)


@_action
@dataclass(frozen=True, slots=True)
class FocusWindow(_WindowAction):
    """Raise a window and give it the keyboard."""

    type = "focus_window"
    effect = EffectClass.INPUT


@_action
@dataclass(frozen=True, slots=True)
class MoveWindow(_WindowAction):
    """Move a window's frame so that its top left corner is at a point."""

    type = "move_window"
    effect = EffectClass.INPUT
    x: int = 0
    y: int = 0

    def __post_init__(self) -> None:
        _WindowAction.__post_init__(self)
        Point(self.x, self.y)


@_action
@dataclass(frozen=True, slots=True)
class ResizeWindow(_WindowAction):
    """Give a window's content a new size."""

    type = "resize_window"
    effect = EffectClass.INPUT
    width: int = 1
    height: int = 1

    def __post_init__(self) -> None:
        _WindowAction.__post_init__(self)
        Size(self.width, self.height)


@_action
@dataclass(frozen=True, slots=True)
class MinimizeWindow(_WindowAction):
    """Minimise a window; focus it to bring it back."""

    type = "minimize_window"
    effect = EffectClass.INPUT


@_action
@dataclass(frozen=True, slots=True)
class MaximizeWindow(_WindowAction):
    """Maximise a window, or restore it with `on` false."""

    type = "maximize_window"
    effect = EffectClass.INPUT
    on: bool = True


@_action
@dataclass(frozen=True, slots=True)
class CloseWindow(_WindowAction):
    """Ask a window to close."""

    type = "close_window"
    effect = EffectClass.INPUT


@_action
@dataclass(frozen=True, slots=True)
class Shell(Action):
    """Run a command with `/bin/sh` and wait for it: data `{exit, stdout, stderr, truncated}`.

    Output beyond one mebibyte per stream is dropped and said so; stream it with `Computer.exec`.
    """

    type = "shell"
    effect = EffectClass.EXEC
    command: str
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: str | None = None
    timeout: float = 60.0

    def __post_init__(self) -> None:
        _require(0 < len(self.command) <= MAX_TEXT, "there is no command")
        _require("\0" not in self.command, "a command cannot hold a NUL character")
        _seconds(self.timeout, "timeout")

    @property
    def target(self) -> str:
        """The command."""
        return self.command


@dataclass(frozen=True, slots=True)
class _FileAction(Action):
    path: str

    def __post_init__(self) -> None:
        _path(self.path)

    @property
    def target(self) -> str:
        """The path."""
        return self.path


@_action
@dataclass(frozen=True, slots=True)
class ReadFile(_FileAction):
    """Read a text file: data `{text, size, truncated}`.

    For bytes and large files use `Computer.read_bytes`.
    """

    type = "read_file"
    effect = EffectClass.OBSERVE
    limit: int = MAX_TEXT


@_action
@dataclass(frozen=True, slots=True)
class WriteFile(_FileAction):
    """Write a text file in one step: readers see the old content or the new, never a part."""

    type = "write_file"
    effect = EffectClass.WRITE
    text: str = ""


@_action
@dataclass(frozen=True, slots=True)
class AppendFile(_FileAction):
    """Add text to the end of a file."""

    type = "append_file"
    effect = EffectClass.WRITE
    text: str = ""


@_action
@dataclass(frozen=True, slots=True)
class ListFiles(_FileAction):
    """List a directory: data `{entries: [{name, kind, size, mode, modified}]}`."""

    type = "list_files"
    effect = EffectClass.OBSERVE


@_action
@dataclass(frozen=True, slots=True)
class StatFile(_FileAction):
    """Describe a file: data `{name, kind, size, mode, modified, owner}`."""

    type = "stat_file"
    effect = EffectClass.OBSERVE


@_action
@dataclass(frozen=True, slots=True)
class MakeDirectory(_FileAction):
    """Make a directory and its parents."""

    type = "make_directory"
    effect = EffectClass.WRITE


@_action
@dataclass(frozen=True, slots=True)
class MoveFile(_FileAction):
    """Rename a file or directory."""

    type = "move_file"
    effect = EffectClass.WRITE
    to: str = ""

    def __post_init__(self) -> None:
        _FileAction.__post_init__(self)
        _path(self.to)


@_action
@dataclass(frozen=True, slots=True)
class DeleteFile(_FileAction):
    """Delete a file, or a directory with all it holds when `recursive`."""

    type = "delete_file"
    effect = EffectClass.WRITE
    recursive: bool = False


def encode_action(action: Action) -> dict[str, codec.Json]:
    """The action as a JSON object with its `type`."""
    wire = codec.encode(action)
    assert isinstance(wire, dict)
    return wire


def decode_action(wire: object) -> Action:
    """Read an action.

    Raises:
        InvalidInput: There is no such action, or a field is unknown, missing or ill-typed.
    """
    if not isinstance(wire, dict):
        raise InvalidInput("an action is a JSON object")
    kind = wire.get("type")
    if not isinstance(kind, str):
        raise InvalidInput("an action needs a type", hint=f"known types: {', '.join(ACTIONS)}")
    cls = ACTIONS.get(kind)
    if cls is None:
        raise InvalidInput(
            f"there is no action {kind[:40]!r}", hint=f"known types: {', '.join(ACTIONS)}"
        )
    return codec.decode(cls, wire, where=kind)


def describe(cls: type[Action]) -> str:
    """The first line of an action's documentation."""
    return (inspect.getdoc(cls) or "").partition("\n")[0]
