"""Lines of a file that have a body: if, else, repeat, for each; in English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

from carrel.models.steps.language.atoms import ANY, NAME, QUOTE, Atoms
from carrel.models.steps.language.chinese.conditions import read_condition_zh
from carrel.models.steps.language.english.conditions import read_condition
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, listed
from carrel.models.steps.program import Condition, Not

__all__ = ["Block", "opened"]


@dataclass(frozen=True, slots=True)
class Block:
    """What a line opens.

    Attributes:
        kind: Which.
        condition: Of an if, or of a repeat until.
        times: Of a repeat.
        name: What stands for the item of a loop.
        items: Texts of a loop.
        every: Things of a loop, in words.
        why: What is wrong with the line; empty when nothing is.
        but: Things that a loop leaves out.
        order: Of a loop.
        limit: Of a loop.
        place: The part of the screen that all of it is about.
        whole: Whether the line may hold its body itself (`if X is shown, click Y`).
    """

    kind: Literal["if", "else", "repeat", "each"]
    condition: Condition | None = None
    times: int | None = None
    name: str = EACH
    items: tuple[str, ...] = ()
    every: str | None = None
    why: str = ""
    whole: bool = False
    but: tuple[str, ...] = ()
    order: Literal["reading", "ascending", "descending"] = "reading"
    limit: int | None = None
    place: str | None = None


_PLACE = re.compile(
    r"(?:(?:in|on|within)\s*(?P<place>[^,，]+?)|在(?P<zh>[^,，]+?)(?:中|里|内|上)?)\s*[,，]\s*"
    r"(?=(?:if|unless|repeat|for (?:each|every)|foreach|如果|若|假如|要是|除非|重复|对于?每)"
    r"(?![a-z]))",
    re.IGNORECASE,
)
_IF = re.compile(
    r"(?P<word>if|unless|如果|若|假如|要是|除非)\s*(?P<rest>.+?)(?:\s+then|时|的话|，?那么)?\s*[:：]?",
    re.IGNORECASE,
)
_ELSE = re.compile(
    r"(?:else|otherwise|否则|不然)(?:[\s,，]*(?:if|如果)\s*(?P<rest>.+?))?\s*[:：]?", re.IGNORECASE
)
_REPEAT = re.compile(
    rf"(?:repeat|do(?: this)?|重复)\s*(?:(?:for\s+)?(?P<n>{NUMBER})\s*(?:times|次|遍)|"
    rf"(?P<word>twice|thrice)|"
    rf"(?P<how>until|while|直到)\s*(?P<rest>.+?))(?:为止)?\s*[:：]?",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"(?:for (?:each|every)|foreach|对于?每一?(?:个|(?=[行列])))\s*"
    r"(?P<what>.+?)\s*(?:do|执行)?\s*[:：]?",
    re.IGNORECASE,
)


def opened(line: str) -> Block | None:
    """What the line opens; None for a step of its own (`if … , click …` on one line is one)."""
    atoms = Atoms()
    masked = atoms.mask(line)
    place = _PLACE.match(masked)
    rest = masked[place.end() :] if place else masked
    block = _block(rest, atoms)
    whole = re.search(r"[,，:：]\s*\S|\bthen\s+\S|那么|就", rest) is not None
    where = atoms.phrase(place["place"] or place["zh"]) if place else None
    return replace(block, whole=whole, place=where) if block else None


def _block(masked: str, atoms: Atoms) -> Block | None:
    if found := _ELSE.fullmatch(masked):
        return _conditional("else", "if", found["rest"], atoms) if found["rest"] else Block("else")
    if found := _REPEAT.fullmatch(masked):
        return _repeated(found, atoms)
    if found := _EACH.fullmatch(masked):
        return _looped(found["what"], atoms)
    if found := _IF.fullmatch(masked):
        return _conditional("if", found["word"], found["rest"], atoms)
    return None


def _read(text: str, atoms: Atoms) -> Condition | None:
    if re.search(r"[\u3400-\u9fff]", text):
        return read_condition_zh(text, atoms) or read_condition(text, atoms)
    return read_condition(text, atoms)


def _conditional(kind: Literal["if", "else"], word: str, rest: str, atoms: Atoms) -> Block:
    condition = _read(rest, atoms)
    if condition is None:
        return Block(kind, why="no rule understands this condition")
    if word.lower() in ("unless", "除非"):
        condition = Not(condition)
    return Block(kind, condition)


def _repeated(found: re.Match[str], atoms: Atoms) -> Block:
    if found["rest"]:
        condition = _read(found["rest"], atoms)
        if condition is None:
            return Block("repeat", why="no rule understands this condition")
        return Block("repeat", Not(condition) if found["how"].lower() == "while" else condition)
    if found["word"]:
        return Block("repeat", times=2 if found["word"].lower() == "twice" else 3)
    return Block("repeat", times=max(int(number(found["n"]) or 1), 1))


def _looped(what: str, atoms: Atoms) -> Block:
    what, extras = _extras(what, atoms)
    return replace(_items(what, atoms), **extras)


_LIMIT = re.compile(
    rf"(?P<rest>.+?)\s*,?\s*(?:at most|最多)\s*(?P<n>{NUMBER})\s*个?", re.IGNORECASE
)
_ORDER = re.compile(r"(?P<rest>.+?)\s+in\s+(?P<order>ascending|descending)\s+order", re.IGNORECASE)
_BUT = re.compile(
    r"(?P<rest>.+?)\s*,?\s*(?:except(?: for)?|but not|除了)\s*(?P<but>.+)", re.IGNORECASE
)


class _Extras(TypedDict, total=False):
    limit: int
    order: Literal["ascending", "descending"]
    but: tuple[str, ...]


def _extras(what: str, atoms: Atoms) -> tuple[str, _Extras]:
    """What a loop leaves out, its order and how many at most."""
    extras: _Extras = {}
    if found := _LIMIT.fullmatch(what):
        what, extras["limit"] = found["rest"], int(number(found["n"]) or 0)
    if found := _ORDER.fullmatch(what):
        what, extras["order"] = found["rest"], found["order"].lower()  # type: ignore[typeddict-item]
    if found := _BUT.fullmatch(what):
        what, extras["but"] = (
            found["rest"],
            tuple(atoms.phrase(one) for one in listed(found["but"])),
        )
    return what, extras


def _items(what: str, atoms: Atoms) -> Block:
    named = re.fullmatch(
        r"(?P<name>[^\W\d]\w*)\s*(?:in|：|:|属于|在)\s*(?P<items>.+?)(?:中)?", what
    )
    items = listed(named["items"]) if named else []
    if named is None or (len(items) < 2 and not re.fullmatch(ANY, named["items"])):
        return Block("each", every=atoms.phrase(what))
    if len(items) > 1 or (items and re.fullmatch(f"{QUOTE}|{NAME}", items[0])):
        return Block("each", name=named["name"], items=tuple(atoms.text(item) for item in items))
    return Block("each", name=named["name"], every=atoms.phrase(named["items"]))
