"""Sums that are said, keyed into a calculator that is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.phrases.equations import solve
from carrel.models.steps.phrases.programs import program_kind
from carrel.models.steps.shown.front import window_in_front
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.fields import typed
from carrel.models.steps.verbs.pointing import in_turn
from carrel.perception.labels import written_on
from carrel.perception.numbers import NUMBER, number
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["key_sum", "said_sum"]

_ON = re.compile(
    r"[,\s]+(?:on|with|using|in|by)\s+(?:the|a|my)\s+(?:\w+\s+)?calculator$", re.IGNORECASE
)
_WORDS: tuple[tuple[str, str], ...] = (
    (r"divided by|over", "/"),
    (r"multiplied by|times|x", "*"),
    (r"plus|added to|and(?= )", "+"),
    (r"minus|less", "-"),
)
_KEYS: Mapping[str, str] = {
    "+": r"\+|plus|add|addition",
    "-": r"[-−–]|minus|subtract|subtraction",
    "*": r"[*×xX✕·]|multiply|times|multiplication",
    "/": r"[/÷:]|divide|division",
    ".": r"[.,]|point|decimal(?: point)?|dot",
    "(": r"\(", ")": r"\)",
    "=": r"=|equals?|enter|result|calculate",
}  # fmt: skip
_CLEAR = re.compile(r"AC|C|CLR|CE|clear(?: all)?|all clear", re.IGNORECASE)
_DIGITS = "0123456789"


def said_sum(text: str) -> str | None:
    """`45 times 12 plus 60 on the calculator` as a sum of signs; None where it is none."""
    said = _ON.sub("", text.strip())
    if share := re.fullmatch(r"(?P<n>[\d.]+)\s*(?:%|percent)\s+of\s+(?P<of>[\d.]+)", said):
        said = f"{share['n']} * {share['of']} / 100"
    for words, sign in _WORDS:
        said = re.sub(rf"(?<=[\w)])\s+(?:{words})\s+(?=[\w(])", f" {sign} ", said)
    said = re.sub(
        rf"\b(?:{NUMBER})\b",
        lambda m: f"{number(m[0]):g}" if m[0][0].isalpha() else m[0],
        said,
        flags=re.IGNORECASE,
    )
    said = re.sub(r"(?<=\d),(?=\d{3}\b)", "", said).rstrip("=? ")
    signs = said.translate(str.maketrans("×÷−–", "*/--"))
    plain = re.sub(r"(?<=\d)\s*x\s*(?=\d)", "*", signs)
    if not re.fullmatch(r"[\d\s.+*/()-]+", plain) or solve(plain) is None:
        return None
    return re.sub(r"\s", "", plain)


def key_sum(desk: Desk, said: str) -> Turns[bool]:
    """Press the keys of a sum on the calculator in sight; whether one is.

    Raises:
        Missed: It has no key for one of the signs.
    """
    keys = _keys(desk)
    if not all(digit in keys for digit in _DIGITS):
        return (yield from _type_sum(desk, said))
    wanted = [*said, "="]
    lacking = sorted(set(wanted) - keys.keys())
    if lacking:
        raise Missed(f"the calculator has no key for {', '.join(lacking)}")
    clear = keys.get("clear")
    pressed = [*([clear] if clear is not None else []), *(keys[sign] for sign in wanted)]
    clicks = tuple(Click(e.box.center.x, e.box.center.y) for e in pressed if e.box)
    yield from in_turn(desk, clicks, f"the keys of {said}=")
    yield from desk.effect()
    return True


def _type_sum(desk: Desk, said: str) -> Turns[bool]:
    """Type a sum into a calculator without keys that has the keyboard; whether there is one."""
    front = yield from window_in_front(desk)
    kind = None if front is None else program_kind(front)
    if kind is None or kind.name != "calculator" or web_page(desk.elements) is not None:
        return False
    strokes: tuple[Action, ...] = (typed(said), Key(("enter",)))
    yield from desk.do(*strokes, why=f"type {said}, and Enter", last=True)
    yield from desk.effect()
    return True


def _keys(desk: Desk) -> dict[str, Element]:
    """The keys of a calculator, by their signs: those that are there once."""
    shown = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.BUTTON and e.box is not None and not is_disabled(e)
    ]
    patterns = {**{digit: re.escape(digit) for digit in _DIGITS}, **_KEYS, "clear": _CLEAR.pattern}
    found: dict[str, Element] = {}
    for sign, pattern in patterns.items():
        keys = [e for e in shown if re.fullmatch(pattern, written_on(e).strip(), re.IGNORECASE)]
        if len({e.box for e in keys}) == 1 or (keys and sign == "clear"):
            found[sign] = keys[0]
    return found
