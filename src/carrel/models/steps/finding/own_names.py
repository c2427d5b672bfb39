"""What is called by its own name, where a phrase says with a noun what it is: "seat 7A".

People put a word of their own before a name: the recipe for Lentil soup, the conversation with
Ann Lee, seat 7A, 主题为“预算”的邮件. The screen writes the name alone. Where nothing is called as
the whole phrase says, that name is looked for, as it is written. It has to stand there once: of
two, and where the phrase tells a place, a number, a look or a sort of control, nothing is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.desk import within
from carrel.models.steps.shown.entries import is_entries
from carrel.perception._names import fold
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, kind_of
from carrel.perception.symbols import is_symbol_word

__all__ = ["by_own_name", "own_name", "says_part"]

SURE = 0.8
"""How sure it is of something that is called by the name alone, and by no other words."""
_QUOTED = re.compile(r"[\"“«「『]([^\"”»」』]+)[\"”»」』]")
_NOUN = (
    r"(?!(?:in|on|at|of|for|with|to|from|by|the|an?|and|or|not|no|near|than|as|is|it|first|second|"
    r"third|last|next|other|every|all|any|each|both|two|three|new|old|large|small|big|empty|open|"
    r"active|red|green|blue|yellow|black|white|grey|gray|orange|purple|pink|brown|bold|un\w+|"
    r"\w+ed)\b)[a-z][a-z-]*"
)
_JOINT = r"(?:for|with|of|about|called|named|titled|labell?ed|from|by)"
_NAME = r"(?:[A-Z\d#@][^\s\"“”]*(?:\s+[^\s\"“”]+)*)"
_PHRASE = re.compile(
    rf"(?:(?:the|an?|my|your|this|that)\s+)?(?:{_NOUN}\s+){{1,3}}(?:{_JOINT}\s+(?:the\s+)?)?"
    rf"(?P<name>{_NAME})"
)
_BEFORE_NOUN = re.compile(rf"the\s+(?P<name>(?:[A-Z][\w'’-]*(?:\s[\w'’-]+)*|{_NOUN}))\s+{_NOUN}")
"""A name with the noun for it behind: "the Garden double room", "the design channel"."""
_BEFORE = re.compile(
    rf"(?:(?:the|an?|my|your)\s+)?(?:{_NOUN}\s+){{1,3}}(?:{_JOINT}\s+(?:the\s+)?)?"
)
"""What stands before a quoted name."""
_AROUND_ZH = re.compile(
    r"(?:[\u3400-\u9fff]{1,6}(?:为|是|叫做?|名为))?(?:的?[\u3400-\u9fff]{1,4})?的?"
    r"(?:[\u3400-\u9fff]{1,4})?"
)
_PLACED = re.compile(
    r"\b(?:next to|beside|below|above|under|over|left|right|row|column|button|link|icon|checkbox|"
    r"box|field|tab|menu|slider|switch|toggle|radio|drop-?down|list|table|dialog|window|cell|"
    r"heading)\b|"
    r"[旁左右上下]|第|按钮|链接|图标|复选框|输入框|选项卡|标签页|菜单|开关|下拉|行|列|格",
    re.IGNORECASE,
)


_PART = re.compile(
    r"(?:[左右前后旁]边|[左右]侧|[后前]面|旁)的?.+|[+＋−–－×✕☆★⋮…-]|.*(?:按钮|按键|图标|箭头|加号|减号|操作)"
)
"""Words for a part of a thing, or for what is beside it."""


def says_part(word: str) -> bool:
    """Whether a word behind a name means a part of what is called so: 的加号 is not the thing."""
    said = word.strip().removeprefix("的").strip('"“” ')
    if _PART.fullmatch(said) is not None:
        return True
    # An envelope is drawn for mail, which is also what a list may be of.
    return is_symbol_word(said) and not is_entries(said)


_OF = re.compile(r"\b(?:of|for|on)\b", re.IGNORECASE)
_PARTS = frozenset(
    {
        "price",
        "picture",
        "photo",
        "status",
        "corner",
        "edge",
        "cross",
        "end",
        "top",
        "bottom",
        "arrow",
    }
)


def _is_part(word: str) -> bool:
    return word in _PARTS or (is_symbol_word(word) and not is_entries(word))


def own_name(phrase: str) -> str | None:
    """The name in a phrase that has a noun before it; None where it says more than that."""
    said = phrase.strip()
    quoted = _QUOTED.findall(said)
    rest = _QUOTED.sub("", said).strip()
    if _PLACED.search(rest) or says_part(_QUOTED.split(said)[-1]):
        return None
    lead = _QUOTED.split(said)[0]
    if _OF.search(lead) and any(_is_part(word) for word in lead.casefold().split()):
        # The star of “Plan” is a sign on it, and not what is called so.
        return None
    if len(quoted) == 1:
        before = _BEFORE.fullmatch(lead) if _QUOTED.split(said)[-1] == "" else None
        around = before or (re.search(r"[\u3400-\u9fff]", rest) and _AROUND_ZH.fullmatch(rest))
        return quoted[0] if around and rest else None
    found = _PHRASE.fullmatch(said) or _BEFORE_NOUN.fullmatch(said) if not quoted else None
    return found["name"] if found else None


def by_own_name(elements: Sequence[Element], phrase: str) -> Match | None:
    """The one thing that is called by the name in a phrase; None where there is none, or two."""
    name = own_name(phrase)
    if name is None:
        return None
    called = [e for e in elements if e.box is not None and _is_called(e, name)]
    controls = [e for e in called if kind_of(e) in CONTROLS and kind_of(e) is not Kind.OPTION]
    alone = _as_one(controls) or _as_one(called)
    if alone is None or alone.box is None:
        return None
    return Match(alone, SURE, alone.box.center, f"called {name!r}")


def _is_called(element: Element, name: str) -> bool:
    """Whether the name is all that is written on it, but for what is added in brackets."""
    said = written_on(element)
    return fold(name) in (fold(said), fold(re.sub(r"\s*[(（][^()（）]+[)）]$", "", said)))


def _as_one(called: Sequence[Element]) -> Element | None:
    """The one of them, where all the others hold it or are in it."""
    if not called:
        return None
    inner = min(called, key=lambda e: e.box.area if e.box else 0)
    return inner if all(within(inner.box, e.box) for e in called) else None
