"""What a person asked for, step by step: pure data between the language and the hands.

A phrase (`Phrase`) is kept in the person's own words; `carrel.perception` finds out on the screen
what it means. `{NAME}` in a phrase or a text stands for what was remembered under that name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Answer",
    "Change",
    "Check",
    "Choose",
    "Clear",
    "CloseWindow",
    "Compare",
    "Complete",
    "Compute",
    "Condition",
    "Copy",
    "Count",
    "Drag",
    "Draw",
    "Enter",
    "Every",
    "Exists",
    "Expand",
    "Fill",
    "Find",
    "ForEach",
    "GoTo",
    "Has",
    "Highlight",
    "If",
    "Is",
    "Let",
    "Navigate",
    "Not",
    "Open",
    "Paste",
    "Perform",
    "Phrase",
    "PickDate",
    "PickTime",
    "Point",
    "Press",
    "Program",
    "Read",
    "Repeat",
    "Resize",
    "Run",
    "Scroll",
    "SetValue",
    "Shows",
    "Sort",
    "Step",
    "Submit",
    "SwitchTo",
    "Tick",
    "Unclear",
    "Wait",
    "WindowOpen",
]

Phrase = str
"""A thing on the screen in words: `the second Save button`, `the Email field`, `保存按钮`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One instruction.

    Attributes:
        line: In the file, from 1; 0 for a sentence.
        words: As the person wrote it, for reports.
        place: The part of the screen it is about when that was said apart: `the dialog` of "In
            the dialog, click OK", `the email by Ann` of "Find the email by Ann and click its
            star". It may have to be opened or scrolled into view first.
    """

    line: int = 0
    words: str = ""
    place: Phrase | None = None


# Conditions


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that is or is not so on the screen."""


@dataclass(frozen=True, slots=True)
class Shows(Condition):
    """The thing or the text can be seen."""

    what: Phrase


@dataclass(frozen=True, slots=True)
class Has(Condition):
    """What a field, a slider or a text holds.

    `less` and `greater` compare numbers.
    """

    what: Phrase
    text: str
    how: Literal["equals", "contains", "starts", "ends", "matches", "less", "greater"] = "contains"


@dataclass(frozen=True, slots=True)
class Is(Condition):
    """A state of a thing."""

    what: Phrase
    state: Literal["checked", "selected", "enabled", "focused", "expanded", "empty", "visible"]


@dataclass(frozen=True, slots=True)
class Count(Condition):
    """How many of a thing there are."""

    what: Phrase
    number: int
    how: Literal["equals", "least", "most"] = "equals"


@dataclass(frozen=True, slots=True)
class WindowOpen(Condition):
    """A window whose title holds these words is open."""

    title: str


@dataclass(frozen=True, slots=True)
class Exists(Condition):
    """There is such a file on the desk."""

    path: str


@dataclass(frozen=True, slots=True)
class Compare(Condition):
    """Two texts, after names in braces are filled in; numbers are compared as numbers."""

    left: str
    how: Literal["equals", "contains", "starts", "ends", "matches", "less", "greater"]
    right: str


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The opposite."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Every(Condition):
    """All of them, or with `any` at least one."""

    conditions: tuple[Condition, ...]
    any: bool = False


# Steps


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
    """Draw with the pointer: `a vertical line` through `the dot`, `a circle` around a point.

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


@dataclass(frozen=True, slots=True)
class SwitchTo(Step):
    """Bring a window to the front by words of its title or its application."""

    title: str


@dataclass(frozen=True, slots=True)
class CloseWindow(Step):
    """Close a window; the one in front when no title is given."""

    title: str | None = None


@dataclass(frozen=True, slots=True)
class GoTo(Step):
    """Show a web page."""

    url: str


@dataclass(frozen=True, slots=True)
class Navigate(Step):
    """Move in the browser's history."""

    how: Literal["back", "forward", "reload"]


@dataclass(frozen=True, slots=True)
class Open(Step):
    """Open an application, a file, or a thing on the screen by this name."""

    what: str


@dataclass(frozen=True, slots=True)
class Run(Step):
    """Run a command on the desk; its output can be remembered."""

    command: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Read(Step):
    """Read what a thing says and remember it."""

    what: Phrase
    name: str


@dataclass(frozen=True, slots=True)
class Find(Step):
    """Bring a thing into view (scroll, turn pages, open sections); what follows is about it."""

    what: Phrase


@dataclass(frozen=True, slots=True)
class Compute(Step):
    """Work out an answer from what is on the screen and remember it.

    Attributes:
        how: `count` the things that fit `what`; `sum`, `difference`, `product`, `average`,
            `greatest` or `least` of the numbers that fit it; `solve` the calculation or equation
            that it shows.
        what: In words; `x` or `the problem` for `solve`.
        name: What the answer is remembered as.
    """

    how: Literal["count", "sum", "difference", "product", "average", "greatest", "least", "solve"]
    what: Phrase
    name: str


@dataclass(frozen=True, slots=True)
class Answer(Step):
    """Give an answer where the page asks for it: the option, button or field that takes it.

    When there is none, the answer is what the run says at its end.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Perform(Step):
    """An application's own verb: delete, forward, reply, book, buy, search, log in.

    The hands find the thing, then what the screen offers under that verb (a button, an icon, a
    menu entry), and fill the fields that the particulars name.

    Attributes:
        verb: The base form: `forward`.
        what: What it is done to: `the email by Ann`; None when it is not said.
        details: Particulars in order, each a word that introduces it and the text:
            `("to", "Bob")`, `("from", "Oslo")`, `("text", "Hello")`. Dates are as said.
    """

    verb: str
    what: Phrase | None = None
    details: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Let(Step):
    """Remember a text under a name."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Change(Step):
    """Change the look of a passage in an editor: bold, italic, underlined, a colour, a size."""

    what: Phrase
    into: str


@dataclass(frozen=True, slots=True)
class Fill(Step):
    """Fill each field of a form with the value that the screen shows under the same label."""

    into: Phrase | None = None
    source: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Submit(Step):
    """Finish a form with whatever button it has for that."""


@dataclass(frozen=True, slots=True)
class Check(Step):
    """Fail unless something is so (it may become so within a short while)."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class If(Step):
    """Do one thing or the other."""

    condition: Condition
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Repeat(Step):
    """Do something several times, or until something is so."""

    body: tuple[Step, ...]
    times: int | None = None
    until: Condition | None = None


@dataclass(frozen=True, slots=True)
class ForEach(Step):
    """Do something once for each item: texts, or every thing on the screen that fits a phrase.

    In the body `{name}` stands for the item; for things on the screen a phrase that is only
    `{name}` means that very thing, named or not, also as a `place`.

    Attributes:
        name: What stands for the item.
        body: What is done with each.
        items: Texts.
        every: Things, in words.
        but: Things that are left out although they fit.
        order: Of the things: as they are read, or by their numbers or names.
        limit: At most so many; None for all of them.
        said: As in `Choose`.
    """

    name: str
    body: tuple[Step, ...]
    items: tuple[str, ...] = ()
    every: Phrase | None = None
    but: tuple[Phrase, ...] = ()
    order: Literal["reading", "ascending", "descending"] = "reading"
    limit: int | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Unclear(Step):
    """Words that no rule understands; a run stops here and says so, and does nothing before.

    Attributes:
        why: What is not understood, and what would be.
    """

    why: str


@dataclass(frozen=True, slots=True)
class Program:
    """Everything asked for, in order.

    Attributes:
        names: Names that must be given from outside (`--set`): used before anything sets them.
        title: Of the file; empty for a sentence.
    """

    steps: tuple[Step, ...]
    names: tuple[str, ...] = ()
    title: str = ""
