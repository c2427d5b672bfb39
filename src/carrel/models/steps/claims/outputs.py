"""What the last command wrote, and one thing of it: `the year it prints`."""

from __future__ import annotations

import re

from carrel.models.steps.desk import Desk
from carrel.models.steps.turns import Missed

__all__ = ["is_output", "printed"]

_OUTPUT = re.compile(
    r"(?:(?:the|its|that) )?(?:command(?:'s)? )?output(?: of the command)?|(?:命令的?)?输出",
    re.IGNORECASE,
)
_PRINTED = re.compile(
    r"(?:what|(?:the )?(?P<noun>[\w ]+?)(?: that| which)?) (?:it|the command|that command) "
    r"(?:prints?|printed|outputs?|returns?|returned|writes|wrote|prints out|printed out)|"
    r"(?:它|命令)(?:打印|输出|返回)(?:出来?)?的(?P<zh>\w*)",
    re.IGNORECASE,
)
_SHAPES = {
    "year": r"(?<![\d.])(?:19|20|21)\d\d(?![\d.])",
    "number": r"-?\d+(?:\.\d+)?",
    "年份": r"(?<![\d.])(?:19|20|21)\d\d(?![\d.])",
    "数字": r"-?\d+(?:\.\d+)?",
}


def is_output(phrase: str) -> bool:
    """Whether the words are for what a command wrote, or for something of that."""
    said = phrase.strip()
    return _OUTPUT.fullmatch(said) is not None or _PRINTED.fullmatch(said) is not None


def printed(desk: Desk, phrase: str) -> str | None:
    """What is meant of the output of the last command; None where none is known, or meant.

    Raises:
        Missed: It has no such thing, or several.
    """
    if desk.output is None or not is_output(phrase):
        return None
    found = _PRINTED.fullmatch(phrase.strip())
    noun = (found["noun"] or found["zh"] or "").casefold() if found else ""
    shape = _SHAPES.get(noun)
    if shape is None:
        return desk.output
    values = re.findall(shape, desk.output)
    if len(values) != 1:
        count = "several" if values else "none"
        raise Missed(f"the {noun} of what was printed: there is {count} in {desk.output[:80]!r}")
    return str(values[0])
