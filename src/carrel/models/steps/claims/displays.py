"""What a program shows as its result: the display of a calculator, a counter, an output."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.claims.comparing import read_number
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.reading import text_of
from carrel.perception.roles import CONTROLS, FIELDS, Kind, kind_of

__all__ = ["is_display", "last_sum", "readouts", "result_shown"]

_DISPLAY = re.compile(
    r"(?:the |its |a )?(?:calculator(?:['’]s)? |calculated |calculation |final |current |numeric )*"
    r"(?:display|read-?out|results?|answer|output|outcome|counter|calculator|screen|lcd|"
    r"number shown|"
    r"shown (?:number|value|result)|displayed (?:number|value|result))"
    r"(?: (?:field|area|label|text|value|line|window|of the (?:calculation|calculator|sum)))?"
    r"|(?:the )?calculator['’]s (?:display|screen|result)"
    r"|(?:计算器?的?|最终的?|最后的?|当前的?|运算的?)?(?:显示屏|显示的?(?:结果|数字|数值|内容|值)|计算结果|运算结果|"
    r"结果|答案|输出|计数器?|计算器|屏幕|显示区域?|显示器|显示)(?:栏|框|区)?(?:上|里|中)?",
    re.IGNORECASE,
)
_NUMERAL = re.compile(r"[-−+]?0[xob][\dA-F]+", re.IGNORECASE)
"""A number that is written with another base than ten."""
_USED = CONTROLS - FIELDS


def is_display(phrase: str) -> bool:
    """Whether the words are for whatever a program shows its result in."""
    return _DISPLAY.fullmatch(phrase.strip()) is not None


def readouts(desk: Desk) -> list[str]:
    """Each text that is shown and not written on anything to press."""
    shown = tuple(part_meant(desk.elements, ""))
    tree = Lineage(shown)
    keys = [e for e in shown if kind_of(e) in _USED and e.box is not None]
    found: list[str] = []
    for element in _in_front(shown, tree):
        kind = kind_of(element)
        framed = element.role == "frame" and element.parent is not None and bool(element.name)
        # A display that is only drawn tells nothing: what was read of it counts.
        drawn = kind is Kind.SHAPE and bool(element.text.strip())
        if kind not in FIELDS | {Kind.TEXT, Kind.HEADING} and not framed and not drawn:
            continue
        if kind is Kind.PASSWORD:
            continue
        if any(kind_of(e) in _USED for e in tree.above(element)):
            continue
        told = element.source in ("tree", "browser")
        if any(
            k.id != element.id and within(element.box, k.box)
            for k in keys
            # A shape around what an application tells is how it draws that.
            if not (framed and told and k.source == "detector")
        ):
            continue
        said = element.text if drawn else element.name if framed else text_of(element, shown)
        for text in (_number_alone(element, said), " ".join(said.split())):
            if text and text not in found:
                found.append(text)
    return found


def _number_alone(element: Element, said: str) -> str:
    """The one number that has a line of a display for itself, over or under what labels it."""
    lines = [" ".join(line.split()) for line in said.splitlines() if line.strip()]
    if len(lines) < 2 or "editable" in element.states:
        return ""
    numbers = [line for line in lines if read_number(line) is not None or _NUMERAL.fullmatch(line)]
    return numbers[0] if len(numbers) == 1 else ""


def last_sum(shown: Sequence[str]) -> str:
    """What the last line says after an equals sign, where a program keeps its sums as lines."""
    sums = [text.rpartition("=")[2].strip() for text in shown if "=" in text]
    told = bool(sums) and (read_number(sums[-1]) is not None or _NUMERAL.fullmatch(sums[-1]))
    return sums[-1] if told else ""


def result_shown(desk: Desk) -> str:
    """The one thing that is shown as a result; empty where it is not certain which that is."""
    shown = readouts(desk)
    if (told := last_sum(shown)) or len(shown) == 1:
        return told or shown[0]
    numbers = [text for text in shown if read_number(text) is not None]
    return numbers[0] if len(numbers) == 1 else ""


def _in_front(shown: tuple[Element, ...], tree: Lineage) -> tuple[Element, ...]:
    """What is in the window that has the keyboard, where one says that it has."""
    frames = [e for e in shown if e.parent is None and "active" in e.states and e.box is not None]
    if not frames:
        return shown
    front = frames[-1]
    own = tree.inside(front)
    return tuple(
        e
        for e in shown
        if e.id in own or (e.source in ("ocr", "detector") and within(e.box, front.box))
    )
