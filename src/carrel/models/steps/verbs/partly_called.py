"""Drop-downs by what they show, or by a part of what they are called."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.shown.reading import chosen_of, field_value, fold
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["drop_down_called", "drop_down_hinting", "drops_down"]

_HAN = re.compile(r"[\u3400-\u9fff]")

_SAYING = re.compile(
    r"(?:the |an? )?(?:drop-?down|combo ?box|select(?:ion)?|pull-?down|list|menu|box)"
    r"(?: (?:list|menu|box))?,? (?:(?:that|which) (?:now |currently )?(?:says|shows|reads|displays|"
    r"holds|has|stands at|is (?:set to|on|at))|saying|showing|reading|displaying|set to) "
    r"(?P<text>\S.*)",
    re.IGNORECASE,
)
"""A drop-down by what it shows at the time."""


def drop_down_called(desk: Desk, phrase: str) -> Element | None:
    """The one drop-down that shows the name, or has it in its own, where none is called so.

    A heading or a text of that name is no drop-down, where one is asked for.
    """
    if (said := _SAYING.fullmatch(phrase.strip())) is not None:
        few = [e for e in part_meant(desk.elements, "") if drops_down(e) and not is_disabled(e)]
        few = [e for e in few if fold(_shown(desk, e)) == fold(said["text"].strip('"“”'))]
        return few[0] if len(few) == 1 else None
    one = wished(phrase).description
    if one.kinds != (Kind.COMBO,) or not one.name or one.relations or one.ordinal or one.denied:
        return None
    drops = [e for e in part_meant(desk.elements, "") if drops_down(e) and not is_disabled(e)]
    found = look_for(desk, wished(phrase))
    if is_there(found) and found.best is not None and found.best.element in drops:
        return None
    showing = [e for e in drops if fold(_shown(desk, e)) == fold(one.name)]
    called = [] if one.exact else [e for e in drops if _says(desk, e, one.name)]
    return next((few[0] for few in (showing, called) if len(few) == 1), None)


_HINT = re.compile(
    r"^[-—\s]*(?:请|点击)?(?:选择|挑选|选|全部|所有|不限|任意)+的?"
    r"|^[-—\s]*(?:please )?(?:all|any|every|select|choose|pick|filter by)\s+"
    r"(?:an?\s|the\s|your\s)?",
    re.IGNORECASE,
)
"""How a drop-down that nobody named begins to tell what it is for: 全部部门, Select a city."""


def drop_down_hinting(desk: Desk, phrase: str) -> Element | None:
    """The one drop-down that says what it is for, and is called by nothing else: 全部部门."""
    one = wished(phrase).description
    if not one.name or one.relations or one.ordinal or one.denied:
        return None
    drops = [e for e in part_meant(desk.elements, "") if drops_down(e) and not is_disabled(e)]
    found = [e for e in drops if any(_hints(text, one.name) for text in _texts_on(desk, e))]
    return found[0] if len(found) == 1 else None


def _hints(text: str, name: str) -> bool:
    bare = _HINT.sub("", fold(text))
    return bare != fold(text) and fold(name).rstrip("s") == bare.rstrip("s.… -—")


def _texts_on(desk: Desk, drop: Element) -> list[str]:
    """What is written on it: its value, its hint, the text drawn in it."""
    inner = [
        e
        for e in desk.elements
        if kind_of(e) is Kind.TEXT and within(e.box, drop.box) and e.source in ("tree", "browser")
    ]
    return [drop.name, _shown(desk, drop), *map(written_on, inner)]


def drops_down(element: Element) -> bool:
    """Whether it is one: a page's own may be a field that nobody can write into."""
    if element.box is None:
        return False
    closed = kind_of(element) is Kind.FIELD and "read only" in element.states
    return kind_of(element) is Kind.COMBO or closed


def _shown(desk: Desk, drop: Element) -> str:
    return chosen_of(drop, desk.elements) or field_value(drop)


def _says(desk: Desk, drop: Element, name: str) -> bool:
    """Whether its name or its label has these words, among others."""
    label = label_of(drop, desk.elements)
    texts = (drop.name, written_on(label) if label is not None else "")
    words = fold(name)
    if _HAN.search(words):
        return any(words in fold(text) for text in texts)
    return any(re.search(rf"\b{re.escape(words)}\b", fold(text)) for text in texts)
