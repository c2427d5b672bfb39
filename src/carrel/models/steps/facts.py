"""What may be so on the screen, as data: conditions of steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Compare",
    "Condition",
    "Count",
    "Every",
    "Exists",
    "Has",
    "Is",
    "Not",
    "Only",
    "Phrase",
    "Said",
    "Shows",
    "Sorted",
    "WindowOpen",
    "Within",
]

Phrase = str
"""A thing on the screen in words: `the second Save button`, `the Email field`, `保存按钮`."""


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
    state: Literal[
        "checked", "selected", "enabled", "focused", "expanded", "empty", "visible", "editable"
    ]


@dataclass(frozen=True, slots=True)
class Count(Condition):
    """How many of a thing there are."""

    what: Phrase
    number: int
    how: Literal["equals", "least", "most"] = "equals"


@dataclass(frozen=True, slots=True)
class Only(Condition):
    """A list has one entry for each of these names, and no other.

    A name in quotes is all that a part of its entry says; any other is mentioned in it.

    Attributes:
        names: How the entries are called.
        sort: What sort of thing they are, where that is said; the list need not say it.
    """

    names: tuple[Phrase, ...]
    sort: str = ""


@dataclass(frozen=True, slots=True)
class Sorted(Condition):
    """The entries of a list, or the cells of a column, are in order.

    Attributes:
        what: The list, the table, or what is in it: `the list`, `the prices`.
        by: The column, where it is said.
        down: From the greatest to the least.
    """

    what: Phrase
    by: Phrase = ""
    down: bool = False


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
class Said(Condition):
    """A claim that no rule reads: the screen has to say all its words in one place."""

    claim: str


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The opposite."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Every(Condition):
    """All of them, or with `any` at least one."""

    conditions: tuple[Condition, ...]
    any: bool = False


@dataclass(frozen=True, slots=True)
class Within(Condition):
    """Something is so in a part of the screen, and only what is in that part counts."""

    place: Phrase
    condition: Condition
