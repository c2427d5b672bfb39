"""Things told by where they are or come, in a sentence of their own or in a clause."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["WHEREABOUTS"]

_START = r"(?:^|(?<=[.!?;:]\s))"
_NTH = (
    r"(?P<nth>\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|"
    r"last)"
)
_NAME = rf"(?P<name>{QUOTE}|(?-i:[A-Z])[\w’'.-]*(?:\s(?-i:[A-Z])[\w’'.-]*)*)"
_CALLED = r"(?:called|named|labell?ed|titled|with\s+the\s+(?:name|label|text|title))"
_FIND = r"(?:locate|find|look\s+for|search\s+for|go\s+to|spot|track\s+down)"
_USE = r"(?:select|click(?:\s+on)?|press|open|choose|pick|tap|hit)"
_PEOPLE = (
    r"(?:contacts?(?:\s+(?:list|book))?|address\s+book|phone\s?book|contact\s+book|directory|"
    r"people|"
    r"members|customers|employees|users|list|table|results|entries|staff)"
)
_ONE_OF = {
    "results": "result", "hits": "hit", "matches": "match", "entries": "entry", "items": "item",
    "links": "link", "options": "option",
}  # fmt: skip


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def _awaited(found: re.Match[str]) -> str:
    over = found["how"].lower() in ("above", "over", "to more than")
    size = "greater" if over else "less"
    return f"wait until {found['what']} is {size} than {found['n']}, then "


WHEREABOUTS: tuple[Turn, ...] = (
    # "Somewhere in the tree there is an entry called X. Locate it and select it."
    turn(
        rf"{_START}(?:somewhere\s+)?(?:(?:in|on|among|within)\s+(?P<place>the\s+[^,.;]+?),?\s+"
        rf")?there(?:['’]s|"
        rf"\s+is)\s+(?:somewhere\s+)?an?\s+(?P<noun>[a-z]+(?:\s[a-z]+){{0,2}})\s+{_CALLED}\s+{_NAME}"
        rf"(?:\s+(?:somewhere\s+)?(?:in|on|among)\s+(?P<other>the\s+[^,.;]+?))?[.;,]\s+"
        rf"(?:please\s+)?"
        rf"(?:{_FIND}\s+it\s+(?:there\s+)?(?:and|,|then)\s+(?:then\s+)?)?{_USE}\s+(?:on\s+)?it\b",
        lambda m: (
            f"Find and click {m['name']}"
            + (f" in {m['place'] or m['other']}" if m["place"] or m["other"] else "")
        ),
    ),
    turn(
        rf"{_START}{_NAME}\s+is\s+(?:hidden\s+|somewhere\s+|located\s+)*(?:in|inside|under|"
        rf"within)\s+(?:one\s+of\s+)?"
        rf"(?P<place>the\s+[a-z ]+?)[.;,]\s+(?:(?:please\s+)?(?:expand|open|unfold|go\s+through|"
        rf"search)\s+(?:them|it|those|"
        rf"the\s+[a-z]+)\s*(?:,|and|then)\s+(?:then\s+)?)?{_USE}\s+(?:on\s+)?it\b",
        r"Find and click \g<name>",
    ),
    turn(
        rf"{_START}(?:dig|look|search|go|browse|work|click|navigate)\s+(?:your\s+way\s+"
        rf")?(?:through|in|around)\s+(?P<place>the\s+"
        rf"[a-z ]+?)\s+(?:until|till)\s+(?:you\s+(?:find|see|reach|come\s+(?:to|across))\s+"
        rf"{_NAME}|{_NAME.replace('name', 'other')}"
        rf"\s+(?:turns\s+up|shows(?:\s+up)?|appears|comes\s+up|is\s+(?:visible|shown)|can\s+be\s+"
        rf"seen)),?\s+(?:and\s+|then\s+)*"
        rf"{_USE}\s+(?:on\s+)?(?:it|that)\b",
        lambda m: f"Find and click {m['name'] or m['other']} in {m['place']}",
    ),
    # "Go to the entry of Ann in the staff list and click the phone"
    turn(
        rf"{_START}(?:go\s+to|open|find|look\s+for|look\s+up|search\s+for)\s+(?:the\s+)?(?:entry|"
        rf"card|record|contact|details)\s+"
        rf"(?:of|for)\s+{_NAME}\s+(?:among|in|from|within)\s+(?P<place>the\s+(?:[a-z]+\s+"
        rf")?{_PEOPLE}),?\s+(?:and\s+|then\s+)*"
        rf"{_USE}\s+(?:the|his|her|their|its)\s+(?P<what>[a-z]+(?:\s[a-z]+)?)(?=[.;,]|\s+(?:and|"
        rf"then)\b|$)",
        r"In \g<place>, find \g<name>. In \g<name>, click the \g<what>",
    ),
    turn(
        rf"{_START}i\s+(?:need|want|am\s+looking\s+for)\s+the\s+(?P<what>[a-z]+(?:\s[a-z]+)?)\s+"
        rf"(?:of|for)\s+{_NAME}[:;,.]\s+"
        rf"(?:please\s+)?(?:look\s+for|find|search\s+for|look\s+up|locate)\s+(?:it|him|her|"
        rf"them)\s+(?:among|in)\s+"
        rf"(?P<place>the\s+(?:[a-z]+\s+)?{_PEOPLE}),?\s+(?:and\s+|then\s+)*{_USE}\s+(?:on\s+)?it\b",
        r"In \g<place>, find \g<name>. In \g<name>, click the \g<what>",
    ),
    # "of the results click number 4", "whichever result is the 4th one"
    turn(
        rf"\b(?:of|from|among)\s+the\s+(?P<noun>results|hits|matches|entries|items|links|"
        rf"options),?\s+{_USE}\s+(?:the\s+)?"
        rf"(?:number\s+|no\.?\s*)?(?P<n>\d+)(?:st|nd|rd|th)?(?:\s+one)?(?=[.;,]|$)",
        lambda m: f"click the {_ordinal(int(m['n']))} {_ONE_OF[m['noun'].lower()]}",
    ),
    turn(
        rf"\b(?:whichever|the)\s+(?P<noun>[a-z]+)\s+(?:that\s+|which\s+)?is\s+the\s+{_NTH}(?:\s+"
        rf"one)?(?=[.;,]|\s+and\b|$)",
        r"the \g<nth> \g<noun>",
    ),
    turn(r"\s+(?:with|using|in)\s+the\s+search\s+engine\b", ""),
    turn(r"\bfollow\s+(?=the\s+\S+\s+(?:result|hit|match|entry|suggestion)\b)", "click "),
    # "the result that comes 4th", "the item in third place"
    turn(
        rf"\bthe\s+(?P<noun>[a-z]+)\s+(?:(?:that|which)\s+(?:comes|is|appears|stands|is\s+"
        rf"listed)\s+"
        rf"(?:in\s+)?(?:the\s+)?|in\s+(?:the\s+)?){_NTH}(?:\s+(?:place|position|one|row|line|"
        rf"spot))?"
        r"(?=[\s,.;]|$)",
        r"the \g<nth> \g<noun>",
    ),
    turn(
        r"\b(?:result|entry|item|link|hit|match)\s+(?:number|no\.?|#)\s*(?P<n>\d+)\b",
        lambda m: f"{_ordinal(int(m['n']))} {m[0].split()[0]}",
    ),
    # "Look up Ann among the members, then press the address"
    turn(
        rf"{_START}(?:please\s+)?(?:look\s+up|search\s+for|look\s+for|find|locate)\s+{_NAME}\s+"
        rf"(?:among|in|"
        rf"amongst|from|within)\s+(?P<place>the\s+(?:[a-z]+\s+)?{_PEOPLE}),?\s+(?:and\s+|then\s+"
        rf")*{_USE}\s+"
        r"(?:the|his|her|their|its)\s+(?P<what>[a-z]+(?:\s[a-z]+)?)(?=[.;,]|\s+(?:and|then)\b|$)",
        r"In \g<place>, find \g<name>. In \g<name>, click the \g<what>",
    ),
    turn(r"\s+among(?:st)?\s+(?=the\s+[a-z]+)", " in "),
    # What logs in need not be called so.
    turn(
        r"\b(?:press|hit|click(?:\s+on)?|tap|push)\s+(?:the\s+)?(?:log-?\s?in|sign-?\s?in)(?:\s+"
        r"button)?"
        r"(?=[.;,]|\s+(?:and|then)\b|$)",
        "log in",
    ),
    # "sign with the name X and click Agree": it is written, and sent by what comes next.
    turn(
        rf"\bsign\s+(?:it\s+|here\s+)?(?:with|as|using|by)\s+(?:the\s+)?(?:name\s+"
        rf")?(?P<name>{QUOTE})"
        r"(?=,?\s+(?:and|then)\s+(?:then\s+)?(?:click|press|hit|tap|choose|push)\b)",
        r"enter the name \g<name>",
    ),
    # "the price of X … buy it": X, and not its price.
    turn(
        r"\b(?P<of>the\s+(?:price|cost|value)\s+of\s+(?P<what>[^,;]+?)\s+(?:is|falls|drops|goes|"
        r"gets|sinks|"
        r"rises|reaches)\b[^,;]*,\s+(?:then\s+)?)(?P<verb>buy|purchase|sell|order|get)\s+it\b",
        r"\g<of>\g<verb> \g<what>",
    ),
    turn(
        r"\b(?P<what>(?-i:[A-Z])[\w-]*|the\s+[a-z]+(?:\s[a-z]+)?|it)\s+costs\s+(?P<how>under|"
        r"below|less\s+than|"
        r"over|above|more\s+than|at\s+most|at\s+least)\s+",
        r"the price of \g<what> is \g<how> ",
    ),
    turn(
        r"\b(?:as\s+soon\s+as|once|the\s+moment|whenever)\s+(?P<what>(?:the|its)\s+[^,;]+?)\s+"
        r"(?:falls|drops|"
        r"sinks|goes|gets|is|rises|climbs)\s+(?P<how>below|under|above|over|to\s+less\s+than|to\s+"
        r"more\s+"
        r"than|beneath)\s+(?P<n>[^\s,;]+),\s+",
        _awaited,
    ),
)
