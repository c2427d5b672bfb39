"""What is really on a screen, as those say who drew it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from carrel.geometry import Box, Size

__all__ = ["Cell", "Control", "Group", "Picture", "Run", "Table", "Truth", "common", "group_of"]

ICON_SIDE = 72
"""A clickable thing without text that is larger than this is a picture."""

Group = str
"""`icon`, `field`, `check`, `button`, `link` or `other`."""

_GROUPS = {
    "field": "field",
    "password": "field",
    "spinner": "field",
    "combo": "field",
    "list": "field",
    "checkbox": "check",
    "radio": "check",
    "switch": "check",
    "button": "button",
}
_CLICKED = frozenset({"button", "link", "tab", "menu item", "clickable"})


@dataclass(frozen=True, slots=True)
class Run:
    """Text on one line.

    Attributes:
        owner: Index of the control it is written on; -1 for none.
        height: Of its letters, in pixels; 0 where it is not known.
        block: Lines of one text have the same number; 0 for a text of one line.
        labels: Index of the control that a click on it goes to; -1 for none.
        whole: False for one that is covered or cut off in part: nobody asks for it.
    """

    text: str
    box: Box
    owner: int = -1
    height: float = 0.0
    block: int = 0
    labels: int = -1
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Control:
    """Something to click at, or to type into.

    Attributes:
        kind: `button`, `field`, `link`, …; `clickable` when nothing is said but that it is.
        box: The part of it that can be seen.
        semantic: Whether it says what it is; else only the pointer's shape does.
        boxed: Whether it is set off by a border or a background of its own.
        text: What is written on it.
        value: What is written in it.
        label: The text on the screen that says what it is for.
        hint: A name that is not on the screen.
        states: `checked`, `disabled`, `selected`.
    """

    kind: str
    box: Box
    semantic: bool = True
    boxed: bool = False
    text: str = ""
    value: str = ""
    label: str = ""
    placeholder: str = ""
    hint: str = ""
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """An image or a symbol, clickable (`owner`) or not.

    Attributes:
        replaced: Whether it may have text of its own in its pixels.
    """

    box: Box
    owner: int = -1
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table; without a box when it cannot be seen as a whole."""

    text: str
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one heading for each column."""

    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """Everything that is there to be seen.

    Attributes:
        ignored: What is partly covered or cut off: neither missing it nor finding it counts.
    """

    size: Size
    runs: tuple[Run, ...] = ()
    controls: tuple[Control, ...] = ()
    pictures: tuple[Picture, ...] = ()
    ignored: tuple[Box, ...] = ()
    tables: tuple[Table, ...] = ()


def group_of(control: Control) -> Group:
    """Which kind of thing a control is to the eye."""
    bare = not (control.text or control.value)
    if control.kind in _CLICKED and bare:
        small = max(control.box.width, control.box.height) <= ICON_SIDE
        return "icon" if small else "other"
    if control.kind in _GROUPS:
        return _GROUPS[control.kind]
    if control.kind in _CLICKED:
        return "button" if control.boxed else "link"
    return "other"


def common(one: Truth, other: Truth) -> Truth:
    """What two looks at the same screen agree on; the rest is not counted."""
    controls, runs = frozenset(other.controls), {(run.text, run.box) for run in other.runs}
    moved = [control.box for control in one.controls if control not in controls]
    kept = [number for number, control in enumerate(one.controls) if control in controls]
    numbers = {old: new for new, old in enumerate(kept)}
    still = [run for run in one.runs if (run.text, run.box) in runs]
    moved += [run.box for run in one.runs if (run.text, run.box) not in runs]
    return Truth(
        one.size,
        tuple(
            replace(run, owner=numbers.get(run.owner, -1), labels=numbers.get(run.labels, -1))
            for run in still
        ),
        tuple(one.controls[number] for number in kept),
        tuple(replace(p, owner=numbers.get(p.owner, -1)) for p in one.pictures),
        (*one.ignored, *moved),
        tuple(table for table in one.tables if table in other.tables),
    )
