"""Searching with particulars told in any way: `whose K is V`, `the K V`, `V as K`, `K: V`."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import ANY, QUOTE

__all__ = ["SEEKING"]

_SEEK = (
    r"(?:(?:please\s+)?(?:(?:fill\s+in|use)\s+the\s+(?:search\s+)?(?:form|fields)\s+to\s+(?:find|search\s+for|"
    r"look\s+up)|search(?:\s+for)?|look\s+up|look\s+for|find(?:\s+me)?|seek)|"
    r"i(?:['’]m|\s+am)\s+(?:looking|searching)\s+for|i\s+(?:want|need|would\s+like)\s+to\s+(?:find|"
    r"search\s+for|look\s+up)|(?:please\s+)?(?:run|do|make|perform|start|carry\s+out|conduct)\s+"
    r"a\s+"
    r"search(?:\s+for)?)"
)
_AFTER = (
    r"(?:[.;,]\s+(?:and\s+)?(?:please\s+)?(?:search\s+for|look\s+up|look\s+for|find|search)\s+"
    r"(?:it|them|that|this|such\s+\w+))?"
)
_FORM = (
    r"(?:(?:using|with|in|through|via)\s+the\s+(?:[a-z]+\s+)?(?:search|form|search\s+form|search\s+box|"
    r"filters?),\s+)?"
)
_PRESSED = (
    r"(?:,?\s+(?:and|then)\s+(?:press|click|hit|tap|start|run|begin)\s+(?:on\s+)?(?:the\s+)?(?:search|find|go|submit)"
    r"(?:\s+button)?)?"
)
_WORD = r"[a-z][a-z-]*(?:\s(?:name|number|date|code|address|type|title|year))?"
_VALUE = rf"{QUOTE}|{ANY}|\d[\w.,/:-]*|[A-Z][\w’'&.-]*(?:\s[A-Z][\w’'&.-]*)*"
_LOOSE = (
    rf"{_VALUE}|(?!(?:the|and|with|by|from|of|in|or|is|as|whose|for|to|a|an|made|released|published|"
    r"written|produced|shot|built|filmed|recorded|directed)\b)[a-z][\w-]*"
)
_SORT = r"(?:genre|category|department|language|format|section|branch|style|class|city|country)"
_BY = {
    "directed": "directed by", "wrote": "written by", "made": "made by",
    "published": "published by", "sold": "sold by", "produced": "produced by",
    "sang": "sung by", "painted": "painted by",
    "composed": "composed by", "designed": "designed by", "built": "built by",
    "recorded": "recorded by", "posted": "posted by",
}  # fmt: skip
_LINK = r"(?:\s*,\s*|\s+|^)(?:(?:and|with|having|where|using|that\s+has|that\s+have)\s+)*"
_TOLD = re.compile(
    rf"{_LINK}(?:"
    rf"(?:whose|the|its|their|which\s+has\s+the|with)\s+(?P<k1>{_WORD})\s+(?:is|are|was|equals|"
    rf"being)\s+(?P<v1>{_LOOSE})"
    rf"|(?P<v2>{_LOOSE})\s+(?:as|for)\s+(?:the\s+|its\s+|their\s+)?(?P<k2>{_WORD})(?=\s*(?:,|"
    rf"and\b|$))"
    rf"|(?P<by>(?:made|released|published|written|produced|shot|built|filmed|recorded|issued|dated|"
    rf"from|of|in)\s*(?:in|on|by)?)\s+(?:the\s+)?(?:year\s+)?(?P<year>(?:1[5-9]|20|21)\d\d)(?!\w)"
    rf"|(?P<made>(?:directed|written|made|published|sold|produced|sung|painted|composed|designed|"
    rf"built|recorded|posted|authored)\s+by)\s+(?P<maker>{_VALUE})"
    rf"|in\s+the\s+(?P<v6>{_LOOSE})\s+(?P<k6>{_SORT})(?=\s|,|$)"
    rf"|(?:that|which)\s+(?P<maker2>{_VALUE})\s+(?P<did>{'|'.join(_BY)})(?=\s|,|$)"
    rf"|(?:(?:by|of|in|from|for|with|under|on|at)\s+)?the\s+(?P<k3>{_WORD})\s*(?:of|:|=|called|"
    rf"named)?\s+(?P<v3>{_LOOSE})(?=\s|,|$)"
    rf"|(?:that|which)\s+(?:came\s+out|appeared|was\s+(?:made|released|published|written|shot|"
    rf"built)|were\s+(?:made|released)|"
    rf"is|are|dates?)\s+(?:in|from)\s+(?:the\s+year\s+)?(?P<then>(?:1[5-9]|20|21)\d\d)(?!\w)"
    rf"|(?:(?:by|of|in|from|for|with|under)\s+)?(?P<k5>(?!(?:in|on|at|by|of|from|with|for|and|the|"
    rf"or|to|an?|whose|that|which|as)\b)"
    rf"[a-z]+)\s+(?P<v5>{_LOOSE})(?=\s*(?:,|and\b|that\b|from\b|in\b|$))"
    rf"|(?P<k4>{_WORD})\s*(?::|=)\s*(?P<v4>{_LOOSE})"
    rf")",
)
_BOUND = re.compile(
    r"\b(?:then|click|press|open|select|choose|tell|verify|check|sort|add|not|or)\b"
)
_AT_ONCE = re.compile(
    r"(?:with|where|using|by|in|of|from|under|having)\s|[a-z]+(?:\s[a-z]+)?\s*[:=]"
)
"""How particulars begin where no thing is named that they are about."""


def _searched(found: re.Match[str]) -> str:
    """All of it as what is searched for and its particulars; as it was where a word is left."""
    body = " ".join(found["body"].split())
    if _BOUND.search(body):
        return found[0]
    for head in range(5):
        told = _read(body, head)
        if told is not None:
            what, pairs = told
            listed = ", ".join(f"{word}: {_quoted(text)}" for word, text in pairs)
            return f"Search {what} ({listed})".replace("  ", " ")
    return found[0]


def _read(body: str, words: int) -> tuple[str, list[tuple[str, str]]] | None:
    """The first words as the thing, and all that follows as particulars."""
    bare = re.sub(r"^(?:an?|the|some|all(?:\s+the)?|any)\s+(?!\w+\s+(?:is|of|:))", "", body)
    said = bare if words else body
    head = re.match(rf"(?:[a-z][\w-]*\s*){{{words}}}(?<!\s)(?=\s|,|$)", said) if words else None
    if (words and head is None) or not (words or _AT_ONCE.match(body)):
        return None
    at, pairs = (head.end() if head else 0), list[tuple[str, str]]()
    while at < len(said):
        one = _TOLD.match(said, at)
        if one is None or one.end() == at:
            return None
        pairs.append(_pair(one))
        at = one.end()
    named = [word for word, _ in pairs]
    if not pairs or len(set(named)) < len(named):
        return None
    what = head[0] if head else ""
    if re.search(r"\b(?:the|and|whose|by|of|in|from|with|for|as|is)\b", what):
        return None
    return what, pairs


def _pair(one: re.Match[str]) -> tuple[str, str]:
    if year := one["year"] or one["then"]:
        return "year", year
    if one["made"]:
        return one["made"], one["maker"]
    if one["did"]:
        return _BY[one["did"]], one["maker2"]
    for number in "123456":
        if one[f"k{number}"]:
            return one[f"k{number}"], one[f"v{number}"]
    raise AssertionError(one)


def _quoted(text: str) -> str:
    return text if re.fullmatch(rf"{QUOTE}", text) else f'"{text}"'


SEEKING: tuple[Turn, ...] = (
    turn(
        rf"(?:^{_FORM}|(?<=[.!?;:]\s)){_SEEK}\s+(?P<body>(?:(?!\b(?:and|then)\s+(?:click|open|press|"
        rf"select|choose|"
        rf"add|sort)\b)[^.;?!])+?){_AFTER}{_PRESSED}(?=[.;!]|$)",
        _searched,
    ),
)
