"""Readings that nobody would mean: words of order or reference in the name of a thing or a text.

They only decide whether an instruction is read afresh, and whether what comes of it is any better.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise

from carrel.models.steps import program as p
from carrel.models.steps.language.afresh.odd_answers import answers_twice, is_odd_answer
from carrel.models.steps.language.afresh.odd_choices import is_odd_choice
from carrel.models.steps.language.afresh.odd_in_programs import is_odd_in_programs
from carrel.models.steps.language.afresh.odd_steps import is_odd_of_its_kind
from carrel.models.steps.language.afresh.odd_zh import NO_NAME_ZH, is_odd_zh
from carrel.models.steps.language.afresh.quoting import QUOTED, is_quoted

__all__ = ["is_doubtful"]

_NO_NAME = re.compile(
    r"\b(?:after(?:wards)?|until|once|so that|whose|in turn|one by one|one after another|"
    r"one at a time|one after the other|followed by|comes? (?:second|next|last)|"
    r"in (?:this|that) order|"
    r"which|whatever|whichever|somewhere|seconds|it (?:has|needs) to|"
    r"hold on|an? (?:[\w-]+[ -])?(?:click|press|tap)|in order of|ticks in|boxes for|"
    r"you (?:can|will|have|need|may|want|should|like)|"
    r"that (?:number|link|one|entry|item)|those of|as (?:origin|destination)|"
    r"(?:right|correct|matching|corresponding) (?:number|answer|button)|the same (?:text|words)|"
    r"reading of|of (?:the )?(?:type|kind|sort)|"
    r"(?:some|an?|any) (?:kind|shade|hue|tone|tint) of|from .+ to .+ depart\w+|"
    r"with destination|one of the|each of the following|of the following|in the picture|"
    r"(?:and|then) \w+ (?:first|second|next))\b|\s(?:first|second)$|"
    r"\bto (?:press|click|choose|select|pick|open|tick|push)\b|^(?:all of them|me)$|"
    r"^(?:the )?(?:tabs|sections|panels|cheapest|shortest)$|\bfollowing(?: \w+)?:|^ticks$|"
    r"^(?:a )?check ?marks?$|\bover$|\bmenu open$|^entries\b|^of\b|^through\b|^(?:two|three|"
    r"four) \w+s$|^the menu (?:item|entry) at\b|(?:has|needs|have) to be\b|in the text$|"
    r"in the way$|\bboxe\b|^to\b|^it$|\byou$|"
    r"you (?:can )?see\b|\b(?:that|which) comes \w+|\bin \w+ (?:place|position)\b|"
    r"(?:est|expensive) of (?:them|the)\b|\S>\S|[a-z] > [a-z]|"
    r"^(?:the|my|your|an?) (?:answer|reply|response) to\b|\bin (?:reply|response|answer) to\b|"
    r"\b(?:upper|lower)[ -]?case\b|\b(?:capital|small) letters\b",
    re.IGNORECASE,
)
# Nobody types into a list: something is added to it.
_LISTED = re.compile(
    r"^(?:the|my|our|your)\s(?:[\w'’-]+\s){0,2}(?:list|checklist|agenda)$", re.IGNORECASE
)
_CLAIMED = re.compile(
    r"(?:is|are|was|were|should|must|belongs?|contains?|shows?|reads|came)\b", re.IGNORECASE
)
"""How what follows a verb begins, where that verb is rather the name of a thing."""
_NAMES = ("what", "place", "into", "options", "to", "every", "title", "source", "onto")
"""The parts of a step or a condition that are a thing in words."""
_ODD = (is_odd_answer, is_odd_in_programs, is_odd_of_its_kind, is_odd_zh)


def is_doubtful(steps: Sequence[p.Step]) -> bool:
    """Whether a step has a thing or a text with words that rather say when, which or how."""
    return any(map(_is_odd, steps)) or any(answers_twice(*two) for two in pairwise(steps))


def _is_odd(step: p.Step | p.Condition, words: str = "") -> bool:
    if is_odd_choice(step) or (isinstance(step, p.Step) and _is_odd_step(step)):
        return True
    words = step.words if isinstance(step, p.Step) else words
    return any(_is_odd_part(field.name, getattr(step, field.name), words) for field in fields(step))


def _is_odd_step(step: p.Step) -> bool:
    if isinstance(step, p.Enter) and " should " in step.text and not is_quoted(step):
        return True
    if isinstance(step, p.Enter) and step.into and _LISTED.search(step.into):
        return True
    if isinstance(step, p.Perform) and _CLAIMED.match(step.what or ""):
        return True
    return any(is_odd(step) for is_odd in _ODD)


def _is_odd_part(name: str, held: object, words: str) -> bool:
    """Whether a part of a step is no thing in words, or holds a step or a claim that is odd.

    Args:
        name: Of the part.
        held: What it is.
        words: All that was said: a name that was put in brackets there is a name.
    """
    if name == "every" and held == "everything":
        return False
    if name in _NAMES:
        said = held if isinstance(held, tuple) else (held,)
        return any(
            isinstance(one, str) and f"[{one}]" not in words and _is_no_name(one) for one in said
        )
    if name in ("body", "then", "otherwise") and isinstance(held, tuple):
        return is_doubtful(held)
    return name in ("condition", "until") and isinstance(held, p.Condition) and _is_odd(held, words)


def _is_no_name(said: str) -> bool:
    bare = QUOTED.sub(" ", said)
    return _NO_NAME.search(bare) is not None or NO_NAME_ZH.search(bare) is not None
