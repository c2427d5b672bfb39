"""Sums that are to be done on a calculator, and what is done with their result."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.models.steps.language.english.reader import Reader
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.talk import IT, NotUnderstood, Talk
from carrel.models.steps.program import Check, Compute, Perform, Step, Wait

__all__ = ["carried_on", "keyed_in"]

_PAD = r"(?:[\w-]+\s+)?(?:calculator|key\s?pad|number\s?pad)"
_ON = (
    r"(?:on|with|using|via|in|by\s+(?:using|pressing|clicking|tapping)|with\s+the\s+help\s+of)\s+"
    rf"(?:(?:the|its)\s+(?:\w+\s+)?(?:buttons?|keys|digits)\s+(?:of|on)\s+(?:the|a|its)\s+{_PAD}|"
    rf"(?:the|a|its)\s+{_PAD}(?:['’]s\s+(?:own\s+)?(?:buttons|keys))?)"
)
_SIGN = (
    r"(?:[-+*/×÷·−–x]|plus|minus|times|over|multiplied\s+by|divided\s+by|added\s+to|percent\s+of|"
    r"%\s+of)"
)
_SUM = rf"(?P<sum>\(*(?:\d[\d.,]*|{NUMBER})\)?(?:\s*{_SIGN}\s*\(*(?:\d[\d.,]*|{NUMBER})\)*)+)"
_SOLVED = re.compile(
    rf"(?:work\s+out|calculate|compute|solve|evaluate|find\s+out|do)\s+{_SUM},?\s+{_ON}",
    re.IGNORECASE,
)
_N = rf"(?:\d[\d.,]*|{NUMBER})"
_SAID = re.compile(
    rf"(?:multiply\s+(?P<m1>{_N})\s+(?:by|with|and)\s+(?P<m2>{_N})|divide\s+(?P<d1>{_N})\s+by\s+"
    rf"(?P<d2>{_N})|add\s+(?:up\s+)?(?P<a1>{_N})\s+(?:and|to|plus)\s+(?P<a2>{_N})|"
    rf"subtract\s+(?P<s2>{_N})\s+from\s+(?P<s1>{_N}))",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf"(?P<sum>\S.*?),?\s+{_ON}", re.IGNORECASE)
_BEFORE = re.compile(
    rf"(?:use\s+(?:(?:the|a)\s+{_PAD}(?:['’]s\s+(?:own\s+)?(?:buttons|keys))?|"
    rf"the\s+(?:buttons|keys)\s+of\s+the\s+{_PAD})\s+to\s+|{_ON},?\s+)(?P<sum>\S.*)",
    re.IGNORECASE,
)
_SIGNS = {"m": "×", "d": "÷", "a": "+", "s": "-"}
_TYPED = re.compile(
    rf"(?:enter|type|key\s+in|punch\s+in|tap\s+in)\s+{_SUM},?\s+{_ON}", re.IGNORECASE
)


def keyed_in(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Work out 84 ÷ 7 with the buttons of the calculator`: its keys are pressed.

    Raises:
        NotUnderstood: It is only typed, and nobody said whether the result is wanted.
    """
    del read
    if _TYPED.fullmatch(text) and not re.search(r"\d\s*[-+*/×÷]\s*\d", text):
        raise NotUnderstood("which keys are pressed? “work out 4 + 5 on the calculator”")
    if solved := _SOLVED.fullmatch(text):
        return [_sum_of(solved["sum"], text, talk)]
    for around in (_BEHIND, _BEFORE):
        found = around.fullmatch(text)
        said = _SAID.fullmatch(found["sum"]) if found else None
        if said is not None:
            parts = {name: value for name, value in said.groupdict().items() if value}
            sign = _SIGNS[next(iter(parts))[0]]
            one, two = (next(v for k, v in parts.items() if k.endswith(n)) for n in "12")
            return [_sum_of(f"{one} {sign} {two}", text, talk)]
    return None


def _sum_of(said: str, text: str, talk: Talk) -> Step:
    talk.put_aside(text)
    return Compute("solve", f"{talk.text(said)} {_HERE}", IT, words=talk.atoms.original(text))


_HERE = "on the calculator"
_RESULT = re.compile(
    r"(?:it|that|this|the\s+(?:result|answer|outcome|total|number)|that\s+result|this\s+result)",
    re.IGNORECASE,
)
_OF_RESULT = {"multiply": "×", "divide": "÷", "add": "+", "subtract": "-"}
_FROM = re.compile(r"(?P<n>\S+)\s+from\s+(?P<of>\S.*)", re.IGNORECASE)


def carried_on(step: Step, before: Sequence[Step]) -> Step:
    """`multiply the result by 5`, where a calculator has just shown one; or the step itself."""
    if not isinstance(step, Perform) or step.verb not in _OF_RESULT:
        return step
    last = next((one for one in reversed(before) if not isinstance(one, Check | Wait)), None)
    if not isinstance(last, Compute) or not last.what.endswith(_HERE):
        return step
    number = _number_of(step)
    if number is None:
        return step
    said = f"{{{last.name}}} {_OF_RESULT[step.verb]} {number} {_HERE}"
    return Compute("solve", said, last.name, line=step.line, words=step.words)


def _number_of(step: Perform) -> str | None:
    """What the result is taken times, divided by, or increased by."""
    told, what = dict(step.details), step.what or "it"
    if step.verb in ("multiply", "divide"):
        return told.get("by") or told.get("with") if _RESULT.fullmatch(what) else None
    if step.verb == "add":
        return what if _RESULT.fullmatch(told.get("to", "")) else None
    taken = _FROM.fullmatch(what)
    if taken is not None:
        return taken["n"] if _RESULT.fullmatch(taken["of"]) else None
    return what if _RESULT.fullmatch(told.get("from", "")) else None
