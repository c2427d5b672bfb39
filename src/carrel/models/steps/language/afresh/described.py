"""Things told by a clause, as the one to be used, or as any of a kind: by their plain names."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["DESCRIBED"]

_COLOUR = (
    r"(?:(?:light|dark|bright|pale|deep)[\s-]?)?(?:red|green|blue|yellow|orange|purple|"
    r"pink|brown|black|white|gr[ae]y|"
    r"cyan|magenta|violet|turquoise|teal|olive|maroon|navy|lime|aqua|gold|silver|beige|"
    r"indigo|fuchsia)"
)
_POINT = (
    r"(?:click(?:\s+on)?|press|hit|tap(?:\s+on)?|push|choose|select|pick|tick|open|follow|buy|"
    r"book|purchase|reserve|take|order|delete|mark)"
)
_ON = r"(?:click(?:\s+on)?|press|hit|tap(?:\s+on)?|push|choose|select|pick)"
_SUPER = r"(?:most\s[a-z]+|least\s[a-z]+|[a-z]{2,}est|best|worst)"
_KIND = (
    r"(?:button|link|tab|icon|option|item|entry|check ?box|radio button|box|choice|answer|"
    r"menu item|key|field|card|tile|one)"
)
_LOOKS = (
    r"(?:slice|piece|segment|sector|wedge|circle|disc|bubble|tile|block|sign|spot|part|"
    r"square|chip|badge|bit|thing|element|"
    r"shape|label|word|number|figure|digit|one)"
)
_NAMED = rf"(?:{QUOTE}|(?-i:[A-Z])[^\s.,;]*(?:\s(?-i:[A-Z])[^\s.,;]*){{0,3}}|(?-i:\w*[A-Z\d]\w*))"
_TO_BE = (
    r"(?:to|(?:that\s+)?(?:you\s+(?:need|have|want|are|ought)\s+to|you\s+should|you\s+must|"
    r"we\s+need\s+to|I\s+want\s+you\s+to))"
)
_DONE = r"(?:click|press|tapp|push|open|select|pick|follow|tick)ed|hit|chosen"
_LISTED = (
    r"(?:\s+(?:listed|shown|offered|below|above|here|available|on\s+(?:offer|the\s+page|"
    r"this\s+page|sale)|that\s+are\s+(?:listed|shown|offered)|on\s+the\s+list))*"
)


def _singular(noun: str) -> str:
    return re.sub(r"(?<=[a-z])(?:(?<=x|h)es|s)$", "", noun)


def _base(said: str) -> str:
    stem = re.sub(r"ed$", "", said.lower())
    return {"tapp": "tap", "chosen": "choose"}.get(stem, stem)


def _as_button(match: re.Match[str]) -> str:
    """`Start is the button to press` as `press the button Start`."""
    noun = "" if match["noun"].lower() == "one" else f"the {match['noun'].lower()} "
    act = match["act"] or "click"
    return f"{_base(act)} {noun}{match['name']}"


def _of_a_group(match: re.Match[str]) -> str:
    """`of all the tickets, buy the one with …` as `buy the ticket with …`."""
    noun, how = _singular(match["noun"]), match["how"] or ""
    best = match["best"]
    return f"{match['act']} the {best + ' ' if best else ''}{noun}{how}"


_CHEAP = {
    "costs the least": "cheapest",
    "costs least": "cheapest",
    "costs the most": "most expensive",
    "costs most": "most expensive",
}


def _by_cost(match: re.Match[str]) -> str:
    return f"{_CHEAP[' '.join(match['cost'].lower().split())]} {match['noun']}"


DESCRIBED: tuple[Turn, ...] = (
    # By a colour
    turn(
        r"\bthe\s+(?P<noun>[a-z]+)\s+(?:whose\s+colou?r\s+is|that['’]s|(?:that|which)\s+(?:is|"
        r"has)(?:\s+(?:of|a|the))?"
        rf"(?:\s+colou?red)?|colou?red|painted|filled\s+(?:with|in)|drawn\s+in|of|having|with|in)"
        rf"(?:\s+(?:the|an?))?(?:\s+colou?r)?\s+(?P<colour>{_COLOUR})(?:\s+(?:colou?r|"
        r"fill(?:ing)?|background))?"
        r"(?=\s*(?:[.,;]|$|\s(?:and|then)\b))",
        r"the \g<colour> \g<noun>",
    ),
    # "every tile that is some kind of blue", "all the boxes in a tone of green"
    turn(
        r"\b(?P<all>each|every|all(?:\s+the)?)\s+(?P<noun>[a-z]+)\s+(?:(?:that|which)\s+(?:is|are)"
        r"(?:\s+in)?|in)\s+(?:an?\s+|some\s+|any\s+)?(?:kind|shade|sort|hue|tone|tint)s?\s+of\s+"
        rf"(?P<colour>{_COLOUR})\b",
        r"\g<all> \g<colour> \g<noun>",
    ),
    # By what it has the most or least of
    turn(
        rf"\bthe\s+(?P<noun>[a-z]+)\s+whose\s+(?P<of>[a-z]+)\s+is\s+(?:the\s+)?(?P<how>{_SUPER})"
        r"(?:\s+(?:of\s+all|one))?",
        r"the \g<noun> with the \g<how> \g<of>",
    ),
    turn(
        rf"\b(?P<noun>[a-z]+)\s+(?:that|which)\s+has\s+the\s+(?P<how>{_SUPER})\s+"
        r"(?P<of>[a-z]+)(?:\s+of\s+all)?",
        r"\g<noun> with the \g<how> \g<of>",
    ),
    turn(
        r"\b(?P<noun>[a-z]+)\s+(?:that|which)\s+(?:takes|lasts)\s+the\s+"
        rf"(?P<how>{_SUPER})(?:\s+time)?",
        r"\g<noun> with the \g<how> duration",
    ),
    turn(
        r"\b(?P<noun>[a-z]+)\s+(?:that|which)\s+(?P<cost>costs\s+(?:the\s+)?(?:least|"
        r"most))(?:\s+(?:money|of\s+all))?",
        _by_cost,
    ),
    turn(
        r"\bwhichever\s+(?P<noun>[a-z]+)\s+(?=(?:has|is|takes|lasts|costs)\s)",
        r"the \g<noun> that ",
    ),
    turn(
        r"\bthe\s+(?P<noun>[a-z]+)\s+(?:that|which)\s+is\s+(?:the\s+"
        rf")?(?P<how>{_SUPER})(?:\s+of\s+(?:all|them))?"
        r"(?=\s*(?:[.,;]|$))",
        r"the \g<how> \g<noun>",
    ),
    turn(
        r"\b(?:of|among|amongst|out\s+of|from)\s+(?:all\s+)?(?:of\s+)?the\s+"
        rf"(?P<noun>[a-z]+s){_LISTED},\s+(?P<act>{_POINT})\s+"
        rf"(?:the|only)\s+(?:(?P<best>{_SUPER})(?:\s+one)?|one)(?:\s+of\s+(?:them|"
        r"all))?(?P<how>\s+(?:with|that|which|whose|from|named|called|labell?ed|"
        r"marked)\s[^.,;]+)?"
        r"(?=\s*(?:[.,;]|$|\s(?:and|then)\b))",
        _of_a_group,
    ),
    turn(
        r"\b(?:look\s+at|compare|go\s+through|check|examine)\s+(?:all\s+)?the\s+"
        rf"(?P<noun>[a-z]+s){_LISTED}(?:,|\s+and|,\s+and)\s+(?:then\s+"
        rf")?(?P<act>{_POINT})\s+"
        rf"(?:the)\s+(?:(?P<best>{_SUPER})(?:\s+one)?(?:\s+of\s+(?:them|all))?|"
        r"one)(?P<how>\s+(?:with|that|which|whose)\s[^.,;]+)?"
        r"(?=\s*(?:[.,;]|$|\s(?:and|then)\b))",
        _of_a_group,
    ),
    turn(
        r"\bwhich\s+(?:of\s+the\s+)?(?P<noun>[a-z]+)\s+is\s+(?:the\s+"
        rf")?(?P<best>{_SUPER})\?\s+(?:please\s+)?(?P<act>{_POINT})\s+"
        r"(?:it|that\s+one|this\s+one|that)\b",
        lambda m: f"{m['act']} the {m['best']} {_singular(m['noun'])}",
    ),
    turn(
        rf"\bthe\s+(?P<how>{_SUPER})(?:\s+one)?\s+of\s+(?:all\s+)?the\s+(?P<noun>[a-z]+s)\b",
        lambda m: f"the {m['how']} {_singular(m['noun'])}",
    ),
    turn(
        r"\bthe\s+(?P<how>[a-z]+)\s+one\s+(?:among|amongst|of|out\s+of|from|in)\s+(?:all\s+"
        r")?the\s+(?P<noun>[a-z]+s)\b",
        lambda m: f"the {m['how']} {_singular(m['noun'])}",
    ),
    turn(
        rf"\bthe\s+(?P<noun>[a-z]+)\s+(?:to|you\s+(?:should|have\s+to|need\s+to)|I\s+want\s+to)\s+"
        rf"(?P<act>{_POINT})\s+is\s+the\s+(?:(?P<best>{_SUPER})\s+one|one(?P<how>\s+(?:with|that|"
        rf"which|whose)\s[^.,;]+))",
        lambda m: (
            f"{m['act']} the {m['best'] + ' ' if m['best'] else ''}{m['noun']}{m['how'] or ''}"
        ),
    ),
    turn(
        rf"\bget\s+(?:me\s+|us\s+)?(?=the\s+(?:{_SUPER}\s+)?(?:[a-z-]+\s)?(?:ticket|seat|"
        r"flight|train|room)\b)",
        "buy ",
    ),
    # The one to be used
    turn(
        rf"(?P<name>{_NAMED})\s+is\s+the\s+(?P<noun>{_KIND})\s+(?:(?:{_TO_BE})\s+"
        rf"(?P<act>{_ON})|(?:that\s+)?(?:you|we|I)\s+(?:want|need)|"
        r"(?:that\s+)?(?:has\s+to|needs\s+to|must|should|is\s+to)\s+be\s+"
        rf"(?:{_DONE}))(?=\s*(?:[.,;]|$|\s(?:from|in)\b))",
        _as_button,
    ),
    turn(
        rf"\bthe\s+(?P<noun>{_KIND})\s+(?:(?:{_TO_BE})\s+(?P<act>{_ON})|(?:that\s+"
        r")?(?:you|we|I)\s+(?:want|need)|"
        rf"(?:that\s+)?(?:has\s+to|needs\s+to|must|should|is\s+to)\s+be\s+(?:{_DONE}))\s+is\s+"
        rf"(?:called\s+|named\s+|labell?ed\s+)?(?:the\s+(?:{_KIND}\s+)?)?(?P<name>{_NAMED})",
        _as_button,
    ),
    turn(
        rf"\bwhat\s+(?:(?:has|needs|is)\s+to|must|should)\s+be\s+(?P<act>{_DONE})\s+is\s+"
        r"(?P<name>[^.,;]+)",
        lambda m: f"{_base(m['act'])} {m['name']}",
    ),
    turn(
        r"(?P<place>\bthe\s[a-z ]+?)\s+(?:has|contains|holds|includes|shows|offers|"
        rf"comes\s+with)\s+(?:an?|the)\s+(?P<noun>{_KIND})\s+"
        r"(?:(?:reading|labell?ed|marked|saying|named|called|titled|that\s+(?:says|reads)|"
        rf"with\s+the\s+(?:text|label|caption))\s+)?(?P<name>{_NAMED})(?:\s+(?:in\s+it|there))?"
        rf"(?:[.;,]|\s+and)\s+(?:please\s+)?(?P<act>{_ON})\s+(?:it|that\s+{_KIND}|this\s+"
        rf"one|the\s+{_KIND}|that)\b",
        lambda m: f"{m['act']} the {m['noun']} {m['name']} in the{m['place'][3:]}",
    ),
    # A noun for how it looks, where what is written on it is said
    turn(
        rf"\bthe\s+{_LOOKS}\s+(?:(?:that\s+is\s+)?(?:marked|labell?ed|named|called)|"
        r"(?:that|which)\s+(?:says|reads|shows|has)|"
        r"saying|reading|showing|with(?:\s+the\s+(?:text|label|number|word|name))?)\s+"
        rf"(?P<name>{QUOTE})",
        r"\g<name>",
    ),
    turn(
        rf"\bthe\s+word\s+(?P<name>{QUOTE})\s+(?:that|which)\s+is\s+a\s+link\b",
        r"the link \g<name>",
    ),
    # Any of a kind
    turn(
        rf"\b(?P<act>{_ON})\s+(?:any(?:\s+one)?|one|either)\s+of\s+the\s+(?P<noun>[a-z ]+?s)(?:\s+"
        rf"(?:that\s+)?(?:you\s+(?:can\s+)?see|there\s+are|shown|below))?"
        r"(?=\s*(?:[.;]|$))",
        lambda m: f"{m['act']} any {_singular(m['noun'])}",
    ),
    turn(
        rf"\b(?P<act>{_ON})\s+(?P<one>an?|any|one)\s+(?P<noun>[a-z ]+?)\s+(?:in|on|from)\s+the\s+"
        rf"(?:picture|image|drawing)(?=\s*(?:[.;,]|$))",
        r"\g<act> \g<one> \g<noun>",
    ),
    turn(
        r"\bany\s+(?:one\s+)?(?:of\s+the\s+)?(?P<noun>[^.,;:]+?)\s+(?:will\s+do|is\s+"
        r"(?:fine|ok(?:ay)?|good|enough|acceptable)|would\s+do|works|does)"
        rf"\s*(?:[.,;:]|\s[-–—]|\s+so)\s*(?:so\s+|just\s+|please\s+)?(?P<act>{_ON})\s+"
        r"(?:any\s+)?(?:one(?:\s+of\s+them)?|it|any)(?=\s*(?:[.,;]|$))",
        lambda m: f"{m['act']} any {_singular(m['noun'])}",
    ),
    turn(
        rf"\b(?P<act>{_ON})\s+(?:one\s+of\s+the|an?|one|some)\s+"
        r"(?P<noun>[^.,;:]+?)\s*(?:[.,;:(]|\s[-–—])\s*"
        r"(?:(?:it|that)\s+(?:does\s+not|doesn['’]t)\s+matter\s+which(?:\s+one)?|no\s+"
        r"matter\s+which(?:\s+one)?|any(?:\s+of\s+them|\s+one)?\s+will\s+do|whichever\s+"
        r"you\s+(?:like|want|prefer))\)?",
        lambda m: f"{m['act']} any {_singular(m['noun'])}",
    ),
    turn(
        rf"\b(?P<act>{_ON})\s+(?:whichever|whatever|any)\s+(?P<noun>[^.,;:]+?)\s+"
        r"(?:that\s+)?you\s+(?:like|want|prefer|wish|please|choose|find)",
        lambda m: f"{m['act']} any {_singular(m['noun'])}",
    ),
    turn(
        r"\bit\s+(?:does\s+not|doesn['’]t)\s+matter\s+which\s+(?P<noun>[^.,;:]+?)\s+"
        r"(?:you|it\s+is)(?:\s+[a-z]+)?\s*[.,;:]\s*"
        rf"(?:so\s+|just\s+|please\s+)*(?P<act>{_ON})\s+(?:any\s+)?(?:one(?:\s+of\s+"
        r"them)?|it|any)(?=\s*(?:[.,;]|$))",
        lambda m: f"{m['act']} any {_singular(m['noun'])}",
    ),
    turn(
        r"\b(?:choose|pick|select|take)\s+(?:any\s+|just\s+)?one\s+(?P<noun>[a-z ]+?)\s+"
        r"(?:from|in|on)\s+(?:the\s+)?(?:picture|image|drawing|page|screen)"
        r"\s+(?:with|by)\s+(?:a\s+)?(?:single\s+)?(?:mouse\s+)?click(?:ing(?:\s+(?:on\s+)?it)?)?",
        r"click any \g<noun>",
    ),
    turn(
        r"\b(?P<a>an?|the|any)\s+(?P<noun>[a-z]+)\s+of\s+(?:the\s+)?(?:type|kind|sort)\s+"
        rf"(?P<name>{QUOTE})",
        r"\g<a> \g<name> \g<noun>",
    ),
    turn(r"\b(?:something|anything)\s+(?:that|which)\s+is\s+(?=an?\s)", ""),
)
