"""What a person asked for, step by step: pure data between the language and the hands.

A phrase (`Phrase`) is kept in the person's own words; `carrel.perception` finds out on the screen
what it means. `{NAME}` in a phrase or a text stands for what was remembered under that name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from carrel.models.steps.acts import (
    Choose,
    Clear,
    Complete,
    Copy,
    Drag,
    Draw,
    Enter,
    Expand,
    Highlight,
    Paste,
    PickDate,
    PickTime,
    Point,
    Press,
    Resize,
    Scroll,
    SetValue,
    Sort,
    Step,
    Tick,
    Wait,
)
from carrel.models.steps.facts import (
    Compare,
    Condition,
    Count,
    Every,
    Exists,
    Has,
    Is,
    Not,
    Only,
    Phrase,
    Said,
    Shows,
    Sorted,
    WindowOpen,
    Within,
)

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
    "Only",
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
    "Said",
    "Scroll",
    "SetValue",
    "Shows",
    "Sort",
    "Sorted",
    "Step",
    "Submit",
    "SwitchTo",
    "Tick",
    "Unclear",
    "Wait",
    "WindowOpen",
    "Within",
    "Worded",
]


@dataclass(frozen=True, slots=True)
class SwitchTo(Step):
    """Bring a window to the front by words of its title or its application."""

    title: str


@dataclass(frozen=True, slots=True)
class CloseWindow(Step):
    """Close a window; the one in front when no title is given.

    Attributes:
        saving: What to answer where it asks whether to save; None leaves the question open.
    """

    title: str | None = None
    saving: bool | None = None


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
    """Open an application, a file, or a thing on the screen by this name.

    Attributes:
        using: The application that shall open it; empty for whatever does.
    """

    what: str
    using: str = ""


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

    Attributes:
        text: What to answer.
        aloud: Whether it is only told at the end, and goes nowhere on the screen.
    """

    text: str
    aloud: bool = False


@dataclass(frozen=True, slots=True)
class Perform(Step):
    """An application's own verb: delete, forward, reply, book, buy, search, log in.

    The hands find the thing, then what the screen offers under that verb (a button, an icon, a
    menu entry), and fill the fields that the particulars name.

    Attributes:
        verb: The base form: `forward`.
        what: What it is done to: `the order of Ann`; None when it is not said.
        details: Particulars in order, each a word that introduces it and the text:
            `("to", "Bob")`, `("from", "Oslo")`, `("text", "Hello")`. Dates are as said.
        said: The verb in the person's own language where that is not English: `转发`; the screen
            may offer it under that word.
    """

    verb: str
    what: Phrase | None = None
    details: tuple[tuple[str, str], ...] = ()
    said: str = field(default="", compare=False)


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
    """

    name: str
    body: tuple[Step, ...]
    items: tuple[str, ...] = ()
    every: Phrase | None = None
    but: tuple[Phrase, ...] = ()
    order: Literal["reading", "ascending", "descending"] = "reading"
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Unclear(Step):
    """Words that no rule understands; a run stops here and says so, and does nothing before.

    Attributes:
        why: What is not understood, and what would be.
    """

    why: str


@dataclass(frozen=True, slots=True)
class Worded(Step):
    """A deed that no rule reads: the screen may tell what it means when its turn has come.

    Attributes:
        why: What is not understood, to be said where the screen does not tell.
    """

    why: str


@dataclass(frozen=True, slots=True)
class Program:
    """Everything asked for, in order.

    Attributes:
        names: Names that must be given from outside (`--set`): used before anything sets them.
        title: Of the file; empty for a sentence.
        told: Each line as it was said, by its number; a sentence is line 0.
    """

    steps: tuple[Step, ...]
    names: tuple[str, ...] = ()
    title: str = ""
    told: tuple[tuple[int, str], ...] = field(default=(), compare=False)
