"""Answers, particulars and what one signs in with, taken for things to be found or typed."""

from __future__ import annotations

import re

from carrel.models.steps import program as p
from carrel.models.steps.language.afresh.quoting import is_quoted

__all__ = ["answers_twice", "is_odd_answer", "tells_in_name"]

_IT = re.compile(r"(?:it|them|those|these)\s+[a-z]", re.IGNORECASE)
# What was asked or looked up before, and no thing of that name.
_VAGUE = re.compile(
    r"(?:the|its|your|his|her|their) (?:number|answer|result|value|solution|count|amount|age)|"
    r"what (?:it|that|is) (?:says|shows|reads|gives|there)|what [a-z] is|(?:how many )?there are|"
    r"what you (?:find|see|read)(?: there)?|the value of [a-z]|what you see (?:below|here|above)|"
    r".*\b(?:final|closing|opening) word\b.*",
    re.IGNORECASE,
)

_SOMEBODY = re.compile(r"(?:him|her|them|[A-Z][\w'’-]*)\s+[\"“]")
"""Whom a text is for, and that text."""


def answers_twice(one: p.Step, after: p.Step) -> bool:
    """Whether a question is answered by itself, and its answer then written somewhere as well."""
    if isinstance(one, p.Perform) and isinstance(after, p.Check):
        # What it takes to sign in is told behind it, and is nothing to see.
        told = (
            after.condition.conditions
            if isinstance(after.condition, p.Every)
            else (after.condition,)
        )
        held = " ".join(each.what for each in told if isinstance(each, p.Has))
        if one.verb in ("reply", "answer"):
            # What an answer has to say is no claim.
            return re.search(r"\b(?:reply|answer|text|message)\b", held.casefold()) is not None
        return one.verb in _SIGNS_IN and bool(re.search("pass|user|login", held.casefold()))
    asked = isinstance(one, p.Answer) and not one.aloud
    return asked and isinstance(after, p.Enter | p.Read)


def is_odd_answer(step: p.Step) -> bool:
    """Whether what is told, asked or signed in with was taken for a thing or a text."""
    if isinstance(step, p.Enter) and not is_quoted(step):
        return _MORE_FIELDS.search(step.text) is not None or _IT.match(step.text) is not None
    if isinstance(step, p.SetValue):
        return _MANNER.search(step.value) is not None
    if isinstance(step, p.Answer):
        return _SOMEBODY.match(step.text) is not None
    if isinstance(step, p.Read | p.Compute):
        return _VAGUE.fullmatch(step.what) is not None
    if isinstance(step, p.Wait | p.Check | p.If):
        return _is_bound(step)
    return isinstance(step, p.Perform) and _is_ill_told(step)


_MANNER = re.compile(r"^(?:its|their)\s|\sby\s+\w+ing$", re.IGNORECASE)
"""Words of a value that rather tell how, or where to."""
_BOUND = re.compile(r"(?:under|below|over|above|less than|more than)\s+\W?\d", re.IGNORECASE)


def _is_bound(step: p.Wait | p.Check | p.If) -> bool:
    """Whether it looks for words that say how much something may be, or whose it is."""
    held = step.until if isinstance(step, p.Wait) else step.condition
    if isinstance(held, p.Has) and re.match(r"my\s", held.what, re.IGNORECASE):
        return True  # What is one's own is told, and not to be seen.
    return isinstance(held, p.Has) and _BOUND.match(held.text) is not None


_SIGNS_IN = ("log in", "login", "log on", "sign in")


def tells_in_name(step: p.Step) -> bool:
    """Whether what is said of a thing was taken for a part of its name."""
    return isinstance(step, p.Perform) and any(_RELATIVE.search(text) for _, text in step.details)


def _is_ill_told(step: p.Perform) -> bool:
    """Whether particulars hold words that say what they are, and not only what is meant."""
    words = [word for word, _ in step.details]
    if tells_in_name(step):
        return True
    if any(_HALF_QUOTED.search(text) or _GLUE.match(text) for _, text in step.details):
        return True
    if _OF_WHAT.match(step.what or "") and step.verb in ("buy", "purchase", "sell", "order"):
        return True
    if step.verb == "search" and (_is_more_than_sought(step) or words.count("as") > 1):
        return True
    if step.verb == "give" and re.match(r"(?:the|your) (?:answer|result)\b", step.what or ""):
        return True
    if step.verb not in _SIGNS_IN:
        return False
    twice = len(set(words)) < len(words)
    told = twice or any(word in ("to", "with", "in") for word in words)
    return told or bool(step.what) or step.place is not None


def _is_more_than_sought(step: p.Perform) -> bool:
    """Whether what is searched for tells its particulars, or where, in so many words."""
    what = step.what or ""
    listed = any(word == "with" and "," in text for word, text in step.details)
    listed = listed or any(re.search(r"\swhose\s", text) for _, text in step.details)
    return listed or re.search(r"\samong\s|,\s+and\s+(?:of|in|from)\s", what) is not None


_OF_WHAT = re.compile(r"the (?:price|cost|value) of\b", re.IGNORECASE)
"""What is paid, and not what is bought."""
_HALF_QUOTED = re.compile(r"^[^\"“].*\s[\"“][^\"”]+[\"”]|^[\"“][^\"”]+[\"”]\s+\w")
_MORE_FIELDS = re.compile(r"\w[,;]\s*(?:and\s+)?(?:the\s+)?[a-z]+(?:\s[a-z]+)?\s*[:=]\s*\S")
# "called Gym that repeats on Monday": of what is called so, and no part of the name.
_RELATIVE = re.compile(r"^[^\"“”]+\s(?:that|which)\s+[a-z]+s\s")
_GLUE = re.compile(r"(?:and|is|are|being|as|whose|with)\s", re.IGNORECASE)
