"""What hands do, as data: the steps of the pointer, the keyboard and the eyes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from carrel.models.steps.facts import Condition, Phrase

__all__ = [
    "Choose",
    "Clear",
    "Complete",
    "Copy",
    "Drag",
    "Draw",
    "Enter",
    "Expand",
    "Highlight",
    "Paste",
    "PickDate",
    "PickTime",
    "Point",
    "Press",
    "Resize",
    "Scroll",
    "SetValue",
    "Sort",
    "Step",
    "Tick",
    "Wait",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One instruction.

    Attributes:
        line: In the file, from 1; 0 for a sentence.
        words: As the person wrote it, for reports.
        place: The part of the screen it is about when that was said apart: `the dialog` of "In
            the dialog, click OK", `the order of Ann` of "Find the order of Ann and press its
            bin". It may have to be opened or scrolled into view first.
    """

    line: int = 0
    words: str = ""
    place: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Point(Step):
    """Click something, or only move the pointer there; with `stay` it follows what moves."""

    what: Phrase
    how: Literal["click", "double", "triple", "right", "middle", "hover"] = "click"
    held: tuple[str, ...] = ()
    times: int = 1
    stay: bool = False


@dataclass(frozen=True, slots=True)
class Enter(Step):
    """Type a text, into something or where the keyboard is; what was there before goes."""

    text: str
    into: Phrase | None = None
    append: bool = False


@dataclass(frozen=True, slots=True)
class Clear(Step):
    """Empty a field."""

    what: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Choose(Step):
    """Choose one or more options: of a list, a drop-down, a menu, radio buttons, tabs, suggestions.

    Attributes:
        options: Each in words; a path through a menu has several with `path`; empty when nothing
            is to be chosen ("select nothing").
        source: What they belong to; None when it is not said.
        said: The list as it was said, when it may be split otherwise: "Rice and Beans" can be one
            name or two, which only the screen can tell (`carrel.models.steps.language.readings`).
    """

    options: tuple[Phrase, ...]
    source: Phrase | None = None
    path: bool = False
    said: str = ""


@dataclass(frozen=True, slots=True)
class Tick(Step):
    """Set check boxes and switches; those that already are as wished are left alone.

    Attributes:
        what: Each in words.
        on: Whether they shall be ticked.
        said: As in `Choose`.
    """

    what: tuple[Phrase, ...]
    on: bool = True
    said: str = ""


@dataclass(frozen=True, slots=True)
class PickDate(Step):
    """Choose a date, in a calendar or by typing it; as the person wrote it, and in ISO.

    Attributes:
        text: As written.
        iso: The day, month first where only the order of two numbers can tell.
        into: The field or calendar.
        other: The day it is with the day first, when that is as likely; empty when it is not.
    """

    text: str
    iso: str
    into: Phrase | None = None
    other: str = ""


@dataclass(frozen=True, slots=True)
class PickTime(Step):
    """Set a time of day; as the person wrote it, and as HH:MM (or HH:MM:SS) of 24 hours."""

    text: str
    iso: str
    into: Phrase | None = None


@dataclass(frozen=True, slots=True)
class SetValue(Step):
    """Bring a slider, a spinner, a colour picker or a setting to a value, or change it by one."""

    what: Phrase | None
    value: str
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Press(Step):
    """Press keys: each chord one after another."""

    chords: tuple[str, ...]
    times: int = 1


@dataclass(frozen=True, slots=True)
class Scroll(Step):
    """Scroll: by notches, to an end, or until something shows."""

    direction: Literal["up", "down", "left", "right"] = "down"
    amount: int | Literal["end"] | None = None
    where: Phrase | None = None
    until: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Drag(Step):
    """Drag something onto something else, or by so many pixels, or in a direction.

    Attributes:
        what: In words.
        onto: Where to: a thing, or a place in words (`the 3rd position`, `the bottom right`).
        by: Pixels right and down.
        direction: Where to, when neither is said.
        places: How many places of a list or grid in that direction; None for some way.
    """

    what: Phrase
    onto: Phrase | None = None
    by: tuple[int, int] | None = None
    direction: Literal["up", "down", "left", "right"] | None = None
    places: int | None = None


@dataclass(frozen=True, slots=True)
class Draw(Step):
    """Draw with the pointer: `a vertical line` through `the logo`, `a circle` around a word.

    Attributes:
        what: The figure, in words.
        where: What it goes by, in words.
        how: How it lies to that.
    """

    what: Phrase
    where: Phrase | None = None
    how: Literal["through", "around", "from", "on"] = "on"


@dataclass(frozen=True, slots=True)
class Resize(Step):
    """Make something larger or smaller by dragging its edge or corner."""

    what: Phrase
    how: Literal["larger", "smaller"]
    side: Literal["width", "height", "both"] = "both"


@dataclass(frozen=True, slots=True)
class Sort(Step):
    """Bring things into order by moving them."""

    what: Phrase
    order: Literal["ascending", "descending"] = "ascending"


@dataclass(frozen=True, slots=True)
class Expand(Step):
    """Unfold a section, a tree entry or a menu, or fold it with `on` False."""

    what: Phrase
    on: bool = True


@dataclass(frozen=True, slots=True)
class Complete(Step):
    """Type the beginning of an entry and take the suggestion that fits.

    Attributes:
        starts: How it begins; what to type.
        ends: How it ends.
        contains: What it holds.
        into: The field.
    """

    starts: str = ""
    ends: str = ""
    contains: str = ""
    into: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Highlight(Step):
    """Select text: of a thing, or a passage by its words."""

    what: Phrase


@dataclass(frozen=True, slots=True)
class Wait(Step):
    """Wait for a time, or until something is so; with neither, until the screen keeps still."""

    seconds: float | None = None
    until: Condition | None = None


@dataclass(frozen=True, slots=True)
class Copy(Step):
    """Copy the text of a thing, or what is selected, to the clipboard."""

    what: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Paste(Step):
    """Paste the clipboard, into something or where the keyboard is."""

    into: Phrase | None = None
