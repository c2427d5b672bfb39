"""Marking texts and spots: highlighted words, the middle of two points, a place of a grid."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import OTHER

__all__ = ["HIGHLIGHTING"]

_END = r"(?=\s*(?:[.;!]|,|$|\s(?:and|then)\s+(?:then\s+)?[a-z]))"
_NTH = r"(?:first|second|third|fourth|fifth|last|\d+(?:st|nd|rd|th))"
_PASSAGE = (
    rf"(?P<the>the\s+)?(?:whole\s+|entire\s+|complete\s+|full\s+)?(?P<nth>{_NTH}\s+)?"
    r"(?P<what>paragraph|passage|text|sentence)(?P<number>\s+(?:number\s+)?\d+)?"
    r"(?P<where>\s+(?:below|underneath|above|at\s+the\s+bottom|at\s+the\s+top|on\s+the\s+page|"
    r"shown|that\s+is\s+shown))?"
)
_MARK = (
    r"(?:select|mark|highlight|choose|swipe\s+over|drag\s+over|run\s+over|sweep\s+over|go\s+over)"
)
_ALL = (
    r"(?:(?:all|every|each)\s+(?:of\s+)?(?:the\s+|its\s+)?|the\s+)?(?:(?:words?|text|letters|"
    r"content|contents|lines|whole)\s+)"
    r"(?:of|in|inside)\s+|all\s+(?:of\s+)?|the\s+whole\s+of\s+|everything\s+in\s+|every\s+word\s+"
    r"(?:of|in)\s+"
)
_SO = (
    r"(?:\s+(?:with|using)\s+(?:the|your)\s+(?:mouse|pointer|cursor)\s+(?:to|so\s+as\s+to)\s+"
    r"(?:highlight|mark|select)\s+(?:it|them)|\s+to\s+(?:highlight|mark|select)\s+(?:it|them)|"
    r"\s*,?\s+(?:so|such)\s+that\s+(?:it|they|all\s+of\s+it|every\s+word)\s+(?:is|are|gets?|"
    r"becomes?)\s+"
    r"(?:highlighted|marked|selected)|\s+(?:with|using|by\s+dragging)\s+(?:the|your)\s+(?:mouse|"
    r"pointer|cursor)|"
    r"\s+by\s+dragging(?:\s+over\s+it)?|\s+from\s+(?:start|beginning|its\s+first\s+word|the\s+"
    r"first\s+word)\s+to\s+"
    r"(?:end|finish|the\s+end|its\s+last(?:\s+word)?|the\s+last(?:\s+word)?))"
)


def _passage(m: re.Match[str]) -> str:
    where = " below" if re.search(r"below|underneath", m["where"] or "") else ""
    nth = m["nth"] or ""
    if m["number"]:
        nth = f"{_ordinal(int(re.sub(r'[^0-9]', '', m['number'])))} "
    return f"highlight the {nth}{m['what']}{where}"


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


_MIDDLE = (
    r"(?:(?:exactly|right|precisely|just)\s+)?(?:(?:the\s+)?(?:point|spot|place|position|location)"
    r"\s+)?"
    r"(?:(?:that|which)\s+(?:is|lies)\s+)?(?:(?:exactly|right|precisely|just)\s+)?"
    r"(?:halfway|half\s+way|midway|half-way|in\s+the\s+(?:exact\s+)?(?:middle|cent(?:er|re))|"
    r"the\s+(?:exact\s+)?(?:middle|"
    r"cent(?:er|re)|mid-?\s?point|halfway\s+(?:point|mark)))\s+(?:between|of)\s+(?P<ends>(?:the|"
    r"these|both)\s[^.;,]+?)"
)


def _between(m: re.Match[str]) -> str:
    ends = re.sub(r"^(?:both|each)(?:\s+of)?(?:\s+the)?\s", "the two ", m["ends"])
    return f"click the midpoint between {ends}"


_SPOTS: tuple[Turn, ...] = (
    turn(
        r"\b(?:click|press|tap|mark)\s+(?:on\s+)?the\s+(?:point|spot|place|position)\s+(?:that|"
        r"which)\s+(?:is|has|lies)\s+"
        r"(?:equally\s+(?:far|distant)|the\s+same\s+distance|equidistant|as\s+far)\s+(?:away\s+)"
        r"?(?:from|to)\s+"
        rf"(?P<ends>(?:both|the|each)\s[^.;,]+?){_END}",
        _between,
    ),
    turn(
        r"\b(?:find|locate|determine|look\s+for|work\s+out)\s+"
        + _MIDDLE
        + r"\s*,?\s+(?:and\s+|then\s+)*(?:click|press|"
        rf"tap|mark)\s+(?:on\s+)?(?:it|there|that\s+(?:spot|point|place)){_END}",
        r"click the midpoint between \g<ends>",
    ),
    turn(
        r"\b(?:click|press|tap|mark)\s+(?:on\s+)?(?:the\s+\w+\s+)?where\s+x\s*(?:is|=|equals)"
        r"\s*(?P<x>-?\d+)\s*(?:,|and)\s*"
        rf"y\s*(?:is|=|equals)\s*(?P<y>-?\d+)(?:\s+(?:on|in)\s+the\s+\w+)?{_END}",
        r"click the point (\g<x>,\g<y>) on the grid",
    ),
    turn(
        r"\b(?:click|press|tap|hit|mark|choose|select|find)\s+(?:on\s+|at\s+|in\s+)?"
        + _MIDDLE
        + r"(?:\s+(?:with|by)\s+"
        rf"(?:a\s+)?(?:click(?:ing)?(?:\s+(?:on\s+)?it|\s+there)?|mouse\s+click|tap))?{_END}",
        r"click the midpoint between \g<ends>",
    ),
    turn(
        r"\bfind\s+(?:out\s+)?(?:where\s+)?"
        + _MIDDLE
        + r"(?:\s+is)?\s*(?:,|and|,\s+and)\s+(?:then\s+)?(?:click|press|tap|"
        rf"mark)\s+(?:on\s+)?(?:it|there|that\s+(?:spot|point|place)){_END}",
        r"click the midpoint between \g<ends>",
    ),
    # A place on a grid, told first and clicked then.
    turn(
        r"\b(?:(?:on|in)\s+(?:the|this)\s+(?:grid|plane|chart|coordinate\s+(?:system|plane|grid))"
        r"\s*,?\s+)?(?:find|locate|look\s+"
        r"for|go\s+to|spot)\s+(?:the\s+)?(?:position|point|coordinates?|spot|place|location|cell|"
        r"intersection)?\s*(?:with\s+the\s+"
        rf"coordinates?\s+)?(?P<at>{OTHER})(?:\s+(?:on|in)\s+the\s+\w+)?\s*,?\s+(?:and|then)\s+"
        rf"(?:then\s+)?(?:click|press|tap|"
        rf"select|mark|choose|hit|pick)\s+(?:on\s+)?(?:it|there|that\s+\w+){_END}",
        r"click the point \g<at> on the grid",
    ),
    turn(
        r"\b(?:click|press|tap|select|mark|choose|hit|pick)\s+(?:on\s+)?(?:the\s+)?(?:position|"
        r"point|coordinates?|spot|place|"
        rf"location|cell|intersection)?\s*(?:(?:at|with\s+the\s+coordinates?)\s+)?(?P<at>{OTHER})"
        rf"\s+(?:on|in)\s+the\s+(?:grid|"
        rf"plane|chart|coordinate\s+\w+){_END}",
        r"click the point \g<at> on the grid",
    ),
    turn(
        r"^(?:on|in)\s+(?:the|this)\s+(?:grid|plane|chart|coordinate\s+\w+)\s*,?\s+(?:click|press|"
        r"tap|select|mark|choose|hit|"
        rf"pick)\s+(?:on\s+)?(?:the\s+)?(?:\w+\s+)?(?P<at>{OTHER}){_END}",
        r"click the point \g<at> on the grid",
    ),
)
_HOVER = r"(?:mouse(?:\s+pointer)?|pointer|cursor)"
_HOVERS: tuple[Turn, ...] = (
    turn(
        rf"\b(?:hold|keep|leave|let|have)\s+(?:the|your)\s+{_HOVER}\s+(?:stay\s+|remain\s+|"
        rf"hovering\s+|hover\s+|resting\s+)?"
        r"(?:above|over|on|on\s+top\s+of|inside|within)\s+(?P<what>the\s[^.;,]+?)\s*,?\s+(?:the\s+"
        r"whole\s+time|all\s+the\s+time|"
        rf"at\s+all\s+times|all\s+along|continuously|throughout|constantly|always){_END}",
        r"keep the mouse over \g<what>",
    ),
    turn(
        rf"\b(?:let|have|make)\s+(?:the|your)\s+{_HOVER}\s+(?:stay|remain|hover|rest|sit)\s+"
        rf"(?:above|over|on|on\s+top\s+of|inside)"
        rf"\s+(?P<what>the\s[^.;,]+?){_END}",
        r"keep the mouse over \g<what>",
    ),
    turn(
        rf"\b(?:follow|track|trail|chase)\s+(?P<what>the\s[^.;,]+?)\s+with\s+(?:the|your)\s+"
        rf"{_HOVER}(?:\s*,?\s+so\s+(?:that\s+)?"
        rf"(?:it|the\s+{_HOVER})\s+(?:is|stays|remains)\s+(?:always\s+)?(?:over|on|above)\s+"
        rf"it(?:\s+all\s+the\s+time)?)?{_END}",
        r"keep the mouse over \g<what>",
    ),
)
HIGHLIGHTING: tuple[Turn, ...] = (
    turn(rf"\b{_MARK}\s+(?:{_ALL}){_PASSAGE}{_SO}?{_END}", _passage),
    turn(rf"\b{_MARK}\s+{_PASSAGE}{_SO}{_END}", _passage),
    turn(
        rf"\b{_MARK}\s+(?:the\s+)?(?:whole|entire|complete|full)\s+(?:of\s+)"
        rf"?{_PASSAGE}{_SO}?{_END}",
        _passage,
    ),
    *_SPOTS,
    *_HOVERS,
)
