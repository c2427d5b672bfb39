"""What the rules around English clauses share: how they read on, and how they say no."""

from __future__ import annotations

import re
from collections.abc import Callable

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.addressed import asked_of, of_person
from carrel.models.steps.language.english.conditions import read_condition
from carrel.models.steps.language.english.told_values import as_value
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Condition, Step, Unclear

__all__ = ["ENDS", "NO_END", "Reader", "condition_of", "imperative", "is_gerund", "unclear"]

Reader = Callable[[str, Talk], list[Step]]
"""Reads a whole masked sentence, or what a rule left of it."""


ENDS = re.compile(
    r"(?:stop|abort|fail|halt|quit|exit|end)(?:\s+(?:the|this)\s+(?:run|test|script|task|"
    r"scenario))?"
    r"(?:\s+(?:here|now|immediately))?(?:,?\s+(?:with|and (?:say|report|show|print)|saying)\s+"
    r"(?:(?:the|an?)\s+)?(?:(?:error\s+)?(?:message|error|text|reason)\s*:?\s+)?[\ue000-\ue7ff])",
    re.IGNORECASE,
)
"""Words that would end the run with a message."""
NO_END = (
    "a run cannot be told to stop here; check it instead: “verify that …” fails unless it is so"
)


def unclear(text: str, talk: Talk, why: str) -> Unclear:
    """A step for masked words that no rule takes."""
    words = talk.atoms.original(text)
    return Unclear(why=f"“{words}”: {why}", words=words)


def condition_of(text: str, talk: Talk) -> Condition | None:
    """What the masked words state; None when no rule understands them."""
    if (told := of_person(text, talk)) is not None:
        return told
    if (asks := _ASKS.fullmatch(text)) and not _ASKED.search(text):
        # What it asks is said for people; that it is there can be seen, and a name in it.
        talk.put_aside(text[asks.end("what") :])
        dialog = re.sub(r"\bwindow$", "dialog", asks["what"], flags=re.IGNORECASE)
        shown = read_condition(f"{dialog} appears", talk.atoms)
        told = asked_of(talk.phrase(dialog), talk.atoms.original(asks["about"]))
        return told if shown is not None and told is not None else shown
    plain, besides = as_value(text)
    if plain != text and (valued := read_condition(plain, talk.atoms)) is not None:
        talk.put_aside(besides)
        return valued
    return read_condition(text, talk.atoms)


# "should ask “Delete it?”": the very words, which can be read.
_ASKED = re.compile(rf"\b(?:asks?|warns?)\s+{QUOTE}$", re.IGNORECASE)
_ASKS = re.compile(
    r"(?P<what>(?:an?|the)\s+(?:[\w-]+\s+)?(?:dialog(?:ue)?(?: box)?|pop-?up|modal|message|"
    r"message box|prompt|alert|window))\s+(?:should\s+|must\s+|will\s+)?(?:asks?|wants to know|"
    r"warns?)\b(?P<about>.*)",
    re.IGNORECASE,
)


def is_gerund(text: str) -> bool:
    """Whether it begins with a word like `clicking`."""
    return re.match(r"\w+ing\b", text) is not None


def imperative(text: str) -> str:
    """Gerunds as commands: `clicking A and typing B`."""
    return re.sub(r"\b(and|then|,)\s+(?=\w+ing\b)", r"\1 ", text)
