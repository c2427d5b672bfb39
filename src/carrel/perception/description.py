"""A thing on the screen as a person describes it, taken apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from carrel.perception.roles import Kind

__all__ = ["Description", "Relation", "RelationKind", "Want", "unique"]

Want = Literal["act", "read", "type", "hold"]
"""What something is wanted for: to be used, read, typed into, or to look inside."""

RelationKind = Literal[
    "right_of",
    "left_of",
    "above",
    "below",
    "next_to",
    "in",
    "of",
    "row",
    "column",
    "after",
    "before",
    "between",
    "containing",
]


@dataclass(frozen=True, slots=True)
class Relation:
    """How the thing lies to another one.

    Attributes:
        other: The second one, of `between`.
        negated: It does not lie so.
    """

    kind: RelationKind
    target: Description
    other: Description | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Description:
    """What is known about a thing from a person's words.

    Attributes:
        text: The words.
        name: What is written on it, or what its label says; empty when nothing is said of it.
        exact: The name was quoted: it is exactly that.
        part: The name is only the beginning, the end or some part of what is written.
        ordinal: From 1; from the end with -1 for the last; 0 when none is said.
        superlative: A place (`top`, `bottom right`, `middle`), an extent (`largest`), or the one
            `next` or `previous` to what is chosen now.
        states: Such as `checked`, `unchecked`, `disabled`, `empty`; all of them are so.
        without: It is none of these.
        everything: All of them are meant.
        any_one: One of them is meant, whichever: "a button", "any of the links".
        shade: A word for the colour that says more than `colour` does, such as `lime`.
        denied: There is a "not" in it, or a word for which one is meant, that no rule understands:
            nothing may be done about it.
        hint: What a word for a kind says of its use: the "search" of "the search field".
        rest: Words that are not understood.
        readings: Other ways to take the same words.
    """

    text: str
    name: str = ""
    exact: bool = False
    part: Literal["", "starts", "ends", "contains"] = ""
    kinds: tuple[Kind, ...] = ()
    ordinal: int = 0
    superlative: str = ""
    relations: tuple[Relation, ...] = ()
    colour: str = ""
    shape: str = ""
    size: Literal["", "small", "large"] = ""
    states: tuple[str, ...] = ()
    without: tuple[Description, ...] = ()
    everything: bool = False
    any_one: bool = False
    shade: str = ""
    denied: bool = False
    hint: str = ""
    rest: tuple[str, ...] = ()
    readings: tuple[Description, ...] = ()

    @property
    def relation(self) -> Relation | None:
        """The first relation, of which there is seldom more than one."""
        return self.relations[0] if self.relations else None

    @property
    def is_bare(self) -> bool:
        """Whether nothing at all is said that could tell one element from another."""
        return not (
            self.name
            or self.kinds
            or self.relations
            or self.colour
            or self.shape
            or self.states
            or self.superlative
            or self.ordinal
        )


def unique(found: Iterable[Description], most: int) -> list[Description]:
    """Without those that say the same in other words; at most so many."""
    kept: dict[Description, Description] = {}
    for one in found:
        kept.setdefault(replace(one, text=""), one)
        if len(kept) >= most:
            break
    return list(kept.values())
