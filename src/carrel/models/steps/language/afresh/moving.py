"""Moving: told by the result, by what belongs where, or by how far.

What is dragged is told by what it is and where it is then. People tell the second in a clause of
its own ("so that it sits in …"), as a claim ("the box should hold them"), or as a rank ("make it
the first one"). All of these are one plain drag.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["MOVING", "WIDELY"]

_MOVE = (
    r"(?:move|drag|pull|push|put|place|shift|slide|bring|carry|get|take|position|set|reposition|"
    r"drop|"
    r"relocate|transfer)"
)
_MOVING = (
    r"(?:moving|dragging|pulling|pushing|putting|placing|shifting|sliding|bringing|dropping|"
    r"dragging\s+and\s+dropping)"
)
_IT = (
    r"(?:all\s+of\s+(?:it|them)|(?:the\s+)?whole\s+of\s+it|it|they|each(?:\s+of\s+them)?|"
    r"every\s+one)"
)
_SO = r",?\s+(?:so|such|until|till|in\s+such\s+a\s+way|in\s+a\s+way)(?:\s+that)?\s+"
_WHOLLY = (
    r"(?:(?:completely|fully|entirely|wholly|totally|exactly|right|directly|now|all|neatly)\s+)*"
)
_IS = (
    r"(?:is|are|sits?|lies?|ends?\s+up|lands?|stands?|rests?|comes?\s+to\s+(?:rest|lie|stand)|"
    r"appears?|fits?|stays?|gets?|will\s+be|finds?\s+itself|goes|go|comes?|moves?|winds?\s+up)"
)
_INSIDE = r"(?:inside(?:\s+of)?|within|in|into|onto|on\s+top\s+of|on|over|to)"
_SIDE = r"(?P<side>up|down|left|right)(?:wards?)?"
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th))"
)
_ROW = r"(?:item|entry|element|one|name|row|line|position|place|spot|slot|card|tile|task|option)"
_LIST = (
    r"(?:\s+(?:in|of|on|from|within)\s+(?:the|its|that|this)\s+(?:list|row|order|ranking|"
    r"column|grid|stack|queue))?"
)
_REST = (
    r"(?:(?:the\s+)?(?:rest|remainder|others?|remaining\s+(?:ones|pieces|items|shapes|things)|"
    r"other\s+(?:ones|pieces|items|shapes|things))(?:\s+of\s+them)?|"
    r"what(?:ever)?(?:\s+(?:is|remains))?(?:\s+(?:left|over|remaining|left\s+over))*|"
    r"(?:everything|anything|all|those|things?)\s+(?:that|which)\s+(?:is|are|['’]s)(?:\s+not|"
    r"n['’]t)\s+"
    r"(?:an?\s+)?\w+|"
    r"(?:all|every)\s+(?:the\s+)?(?:remaining|other)\s+\w+|"
    r"everything\s+else|anything\s+else|all\s+(?:the\s+)?(?:others?|rest))"
)
_BELONGS = (
    r"(?:should\s+|must\s+|has\s+to\s+|have\s+to\s+|is\s+to\s+|are\s+to\s+|needs?\s+to\s+|ought\s+"
    r"to\s+)?"
    r"(?:go(?:es)?|belongs?|be\s+(?:put|placed|moved|dragged|brought)|end\s+up|land|come|move)"
)
_SORT = r"(?:sort|divide|separate|distribute|arrange|group)\s+(?:out\s+)?[^.:;,]+[:;.]\s*"
_THING = r"(?P<what>(?:(?!\b(?:so|until|that|which|should|must)\b)[^.;:,])+?)"
_PLACE = r"(?P<where>(?:the|an?|its|that|this)\s[^.;,]+?|[\ue000-\uf8ff])"
_END = r"(?=\s*(?:[.;!]|,|$|\s(?:and|then)\s+(?:then\s+)?[a-z]))"


def _rank(word: str) -> str:
    word = word.casefold()
    return "the bottom" if word == "last" else f"the {word} position"


def _plural(m: re.Match[str]) -> str:
    ending = "es" if re.search(r"(?:s|x|z|ch|sh)$", m["one"]) else "s"
    return f"all {m['one']}{ending}"


def _every(what: str) -> str:
    """`each can`, `all of the cans`: all cans."""
    what = re.sub(
        r"^(?:each|every)(?:\s+(?:single\s+)?one)?\s+of\s+the\s+|^all\s+(?:of\s+)?(?:the\s+)?",
        "all ",
        what.strip(),
        flags=re.IGNORECASE,
    )
    return re.sub(r"^(?:each|every)\s+(?P<one>\w+)$", _plural, what, flags=re.IGNORECASE)


def _parted(m: re.Match[str]) -> str:
    what = _every(m["what"])
    what = what if what.startswith("all ") else f"all {what}"
    return f"drag {what} to {m['where']}, then drag all the others to {m['other']}"


_BOXES: tuple[Turn, ...] = (
    turn(
        r"\b(?:the\s+)?(?P<kind>box|area|bin|column|container|frame|field|square|zone|basket|side|"
        r"half)"
        r"\s+(?:(?:that|which)\s+is\s+)?(?:on|at|to|in)\s+the\s+(?P<side>left|right|top|bottom)"
        r"(?:[- ]?hand\s+side|\s+side)?(?=\s*(?:[.,;!]|$|\sand\b|\swhile\b))",
        r"the \g<side> \g<kind>",
    ),
    turn(
        r"\b(?:the\s+)?(?P<which>smaller|larger|bigger|smallest|largest|biggest)\s+of\s+the\s+"
        r"(?:two|three|four|five|\d+)\s+(?P<kind>[a-z]+?)(?P<es>xes|s)\b",
        lambda m: f"the {m['which']} {m['kind']}{'x' if m['es'] == 'xes' else ''}",
    ),
    turn(
        r"\b(?:small|little|tiny|smaller)\s+(?P<kind>[a-z]+)\b"
        r"(?P<between>[^.;]*?)\b(?:larger|bigger|large|big)\s+(?:one|(?P=kind))\b",
        r"smaller \g<kind>\g<between>larger \g<kind>",
    ),
    turn(
        r"\b(?P<which>smaller|small)\s+(?P<kind>[a-z]+)\b"
        r"(?P<between>[^.;]*?)\b(?P<other>larger|bigger|large|big)\s+one\b",
        r"\g<which> \g<kind>\g<between>\g<other> \g<kind>",
    ),
    turn(rf"\b{_WHOLLY[:-1]}+(?={_INSIDE}\s+(?:the|an?)\s)", ""),
)
_RESULTS: tuple[Turn, ...] = (
    # "pull it so that it goes down"
    turn(
        rf"\b{_MOVE}\s+{_THING}{_SO}{_IT}\s+(?:goes|moves|is|travels|slides|shifts)\s+"
        rf"(?:to\s+the\s+)?{_SIDE}{_END}",
        r"drag \g<what> \g<side>",
    ),
    # "so that it is the 1st item in the list"
    turn(
        rf"\b{_MOVE}\s+{_THING}{_SO}{_IT}\s+(?:is|becomes|comes|stands|takes|gets|ranks)\s+"
        rf"(?:in\s+)?"
        rf"(?:the\s+)?(?P<rank>{_ORDINAL})(?:\s+{_ROW})?{_LIST}{_END}",
        lambda m: f"drag {m['what']} to {_rank(m['rank'])}",
    ),
    # "so that it sits at the top of the list", "… in the bottom center of the grid"
    turn(
        rf"\b{_MOVE}\s+{_THING}{_SO}{_IT}\s+{_IS}\s+{_WHOLLY}(?:at|in|to|on)\s+the\s+(?:very\s+)?"
        r"(?P<spot>(?:top|bottom|cent(?:er|re)|middle|upper|lower)(?:[ -](?:left|right|cent(?:er|"
        r"re)|"
        rf"middle))?)(?:\s+(?:corner|cell|square|place|field|spot|position))?{_LIST}{_END}",
        r"drag \g<what> to the \g<spot>",
    ),
    turn(
        rf"\b{_MOVE}\s+{_THING}{_SO}{_IT}\s+{_IS}\s+{_WHOLLY}{_INSIDE}\s+{_PLACE}{_END}",
        r"drag \g<what> into \g<where>",
    ),
    # "make X the 1st item in the list by dragging it"
    turn(
        r"\b(?:make|let|have)\s+(?P<what>[^.;,:]+?)\s+(?:be\s+|become\s+|come\s+|appear\s+|"
        r"stand\s+)?"
        rf"(?:in\s+)?(?:the\s+)?(?P<rank>{_ORDINAL})(?:\s+{_ROW})?{_LIST}"
        rf"(?:\s+by\s+{_MOVING}(?:\s+it(?:\s+there)?)?)?{_END}",
        lambda m: f"drag {m['what']} to {_rank(m['rank'])}",
    ),
    # "X should be the first one in the list"; "give X the 2nd place"
    turn(
        rf"\bgive\s+(?P<what>[^.;,:]+?)\s+(?:the\s+)?(?P<rank>{_ORDINAL})\s+"
        rf"(?:position|place|spot|slot|rank){_LIST}{_END}",
        lambda m: f"drag {m['what']} to {_rank(m['rank'])}",
    ),
    # "into the bottom center cell", "into the top spot"
    turn(
        rf"\b{_MOVE}\s+{_THING}\s+(?:in|into|to|onto|at|on)\s+the\s+(?:very\s+)?"
        r"(?P<spot>(?:top|bottom|cent(?:er|re)|middle|upper|lower)(?:[ -](?:left|right|cent(?:er|"
        r"re)|"
        r"middle))?)(?:\s+(?:corner|cell|square|place|field|spot|position|slot))?"
        rf"{_LIST}{_END}",
        r"drag \g<what> to the \g<spot>",
    ),
    turn(
        rf"\b{_MOVE}\s+{_THING}\s+(?:in|into|to|onto|at|on)\s+(?:the\s+)?(?P<rank>{_ORDINAL})\s+"
        rf"(?:position|place|spot|slot|row|line|rank|cell){_LIST}{_END}",
        lambda m: f"drag {m['what']} to {_rank(m['rank'])}",
    ),
    # "pull it some distance down", "a bit to the left"
    turn(
        rf"\b{_MOVE}\s+{_THING}\s+(?:for\s+|by\s+)?(?:some\s+(?:distance|way)|a\s+(?:bit|"
        rf"little(?:\s+bit)?|"
        rf"short\s+way|short\s+distance|little\s+way)|slightly|somewhat|further)\s+(?:to\s+the\s+|"
        rf"towards\s+the\s+)?"
        rf"{_SIDE}{_END}",
        r"drag \g<what> \g<side>",
    ),
    turn(
        rf"\b{_MOVE}\s+{_THING}\s+(?:by\s+)?(?:a\s+single|just\s+one|only\s+one|exactly\s+one|one)"
        rf"\s+"
        r"(?:step|place|position|spot|row|cell|slot|column|field|square)\s+(?:further\s+)?(?:to\s+"
        r"the\s+)?"
        rf"{_SIDE}{_LIST}{_END}",
        r"drag \g<what> \g<side> by one place",
    ),
    turn(
        rf"\b{_MOVE}\s+{_THING}\s+(?:to\s+the\s+)?{_SIDE}\s+(?:by\s+)?(?:a\s+single|just\s+one|"
        rf"only\s+one|"
        rf"exactly\s+one|one)\s+(?:step|place|position|spot|row|cell|slot|column|field|square)"
        rf"?{_LIST}{_END}",
        r"drag \g<what> \g<side> by one place",
    ),
)
_TOLD = (
    r"(?:(?:i\s+(?:want|need|would\s+like|['’]d\s+like)|i['’]d\s+like|please\s+have|let|have)\s+"
    r"(?P<wished>[^.;,:]+?)\s+(?:to\s+)?(?:be|go|come|move|end\s+up|land|sit|appear|stand|travel|"
    r"slide|roll|shift|drift)|"
    r"(?:(?<=\A)|(?<=[.;:]\s))(?P<stated>(?:(?:all|each|every\s+one|most)\s+of\s+)?"
    r"(?:(?!\b(?:so|by|that|if|when|and|then|to|of|which|until|with)\b)[\w '’-])+?)\s+"
    r"(?:belongs?|goes|go|(?:should|must|has\s+to|have\s+to|needs?\s+to|ought\s+to|is\s+to|"
    r"are\s+to|shall)\s+(?:be(?:\s+(?:moved|put|placed|dragged|brought|pulled|dropped|located|"
    r"positioned|shifted))?|go|come|move|end\s+up|land|sit|appear|lie|stand)))\s+"
    r"(?:(?:completely|fully|entirely|wholly|all|right)\s+)*(?P<dest>[^.;:,]+?)"
    r"(?P<act>\s*[.;,:]\s*(?:so\s+|please\s+|and\s+|then\s+|just\s+)*"
    rf"(?:{_MOVE})\s+(?:it|them|these|that)(?:\s+(?:over|into|there|accordingly|all|place|in|so))"
    rf"*)?"
)
_DOWN = {"up": "up", "upward": "up", "upwards": "up", "down": "down", "downward": "down"}
_DOWN |= {"downwards": "down", "leftwards": "left", "rightwards": "right", "left": "left"}
_DOWN |= {"right": "right", "leftward": "left", "rightward": "right"}
_TOWARDS = re.compile(
    r"(?:(?P<before>one|a\s+single)\s+(?:step|place|position|spot|row|cell|slot|column|field|"
    r"square|line)\s+)?(?:further\s+|more\s+)?(?:to\s+the\s+|towards?\s+the\s+|to\s+its\s+)?"
    r"(?P<side>up|down|left|right|upwards?|downwards?|leftwards?|rightwards?)(?:[ -]?hand)?"
    r"(?:\s+side)?(?:\s+(?:of\s+the\s+\w+))?"
    r"(?P<one>\s+(?:by\s+)?(?:one|a\s+single|1)(?:\s+\w+)?)?"
    rf"{_LIST}",
    re.IGNORECASE,
)
_RANKED = re.compile(
    rf"(?:(?:in|into|to|at|on|as|be)\s+)?(?:the\s+)?(?:very\s+)?(?P<rank>{_ORDINAL})(?:\s+{_ROW})"
    rf"?{_LIST}",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"(?:before|ahead\s+of|above|in\s+front\s+of)\s+(?:all\s+(?:of\s+)?(?:the\s+)?others?|"
    r"everyone\s+else|"
    rf"everything\s+else|everybody\s+else|all\s+the\s+rest){_LIST}",
    re.IGNORECASE,
)
_SPOT = re.compile(
    r"(?:(?:in|into|to|at|on|onto)\s+)?the\s+(?:very\s+)?(?P<spot>(?:top|bottom|cent(?:er|re)|"
    r"middle|"
    r"upper|lower)(?:[ -](?:left|right|cent(?:er|re)|middle))?)(?:[- ](?:most))?"
    rf"(?:\s+(?:corner|cell|square|place|field|spot|position|slot|row))?{_LIST}",
    re.IGNORECASE,
)
_CONTAINER = re.compile(
    r"(?:inside(?:\s+of)?|within|in|into|to|onto|on\s+top\s+of)\s+(?P<where>(?:the|an?)\s.+)",
    re.IGNORECASE,
)
_HERE = re.compile(r"\s*,?\s+(?:please|now|by\s+(?:dragging|moving)(?:\s+\S+)*)$", re.IGNORECASE)


def _dragged(what: str, dest: str) -> str | None:
    """A drag to a place in words: a side, a rank, a spot, or what holds it; None for no such."""
    dest = _HERE.sub("", dest.strip())
    what = _every(what)
    what = what[0].lower() + what[1:] if re.match(r"(?:The|All)\s", what) else what
    if side := _TOWARDS.fullmatch(dest):
        one = " by one place" if side["before"] or side["one"] else ""
        return f"drag {what} {_DOWN[side['side'].casefold()]}{one}"
    if _AHEAD.fullmatch(dest):
        return f"drag {what} to the 1st position"
    if rank := _RANKED.fullmatch(dest):
        return f"drag {what} to {_rank(rank['rank'])}"
    if spot := _SPOT.fullmatch(dest):
        return f"drag {what} to the {spot['spot']}"
    if re.search(r"\b(?:text\s?box|field|input|text\s?area)\b", dest, re.IGNORECASE):
        return None
    if held := _CONTAINER.fullmatch(dest):
        what = re.sub(r"^the\s+(?=[a-z]+(?<!s)s$)", "all ", what)
        return f"drag {what} into {held['where']}"
    return None


_UNSURE = re.compile(
    r"(?:it|they|this|that|there|you|i|we|everything|what|which)\b|.*[\ue000-\uf8ff]|"
    r"(?:(?:an?|the|your)\s+)?(?:\w+\s+)?(?:check|tick|mark|star|flag|line|circle\s+around|text|"
    r"word|focus|cursor|pointer|mouse|e-?mails?|mails?|messages?|number|date|time|total|sum|answer|"
    r"result|value|name|password|height|width|size|style|font(?:\s+size)?)"
    r"(?:\s+(?:from|of|by)\b.*)?$|.*\b(?:than|to\s+\S+\s+in)\b",
    re.IGNORECASE,
)
"""What is put somewhere without being dragged, or cannot be told alone."""


_THE_REST = re.compile(rf"\s*[,;.]?\s*(?:(?:and|while|whereas|but)\s+)*{_REST}\s", re.IGNORECASE)


def _told(m: re.Match[str]) -> str:
    what = m["wished"] or m["stated"]
    if _THE_REST.match(m.string[m.end() :]):
        # What is told of the others would be lost, or taken for a part of the place.
        return m[0]
    if _UNSURE.match(what.strip()):
        return m[0]
    return _dragged(what, m["dest"]) or m[0]


def _moved(m: re.Match[str]) -> str:
    if _UNSURE.match(m["what"].strip()):
        return m[0]
    return _dragged(m["what"], m["dest"]) or m[0]


_WIDELY: tuple[Turn, ...] = (
    # "Take each can and drop it into the green bin."
    turn(
        r"\b(?:take|grab|pick\s+up|get|catch|hold|seize|find|go\s+to|locate|click(?:\s+on)?)\s+"
        rf"(?P<what>[^.;,:]+?)\s*,?\s+(?:and|then)\s+(?:then\s+)?(?:{_MOVE}|nudge)\s+(?:it|them)\s+"
        rf"(?P<dest>[^.;,:]+?)(?:,?\s+after\s+which\s+(?:you\s+)?(?P<next>[^.;]+))?{_END}",
        lambda m: _moved(m) + (f", then {m['next']}" if m["next"] and _moved(m) != m[0] else ""),
    ),
    turn(
        rf"\b(?:{_MOVE}|nudge|gather|collect|swap|stack|sort|lead|send)\s+(?P<what>[^.;,:]+?)\s+"
        r"(?:(?:completely|fully|entirely|wholly|over|all|right|together)\s+)*"
        r"(?P<dest>(?:(?:one|a\s+single)\s+\w+\s+)?(?:further\s+)?(?:to|into|inside|within|in|onto|"
        r"towards?|up|down|left|right|upwards?|downwards?|leftwards?|rightwards?)(?:\s[^.;,:]+?)??)"
        rf"(?:\s*,\s+all\s+of\s+(?:it|them))?{_END}",
        _moved,
    ),
    turn(rf"{_TOLD}{_END}", _told),
)
_BELONGING: tuple[Turn, ...] = (
    turn(rf"\b{_MOVE}\s+(?:each|every)\s+(?:single\s+)?(?:one\s+)?of\s+the\s+", "drag all "),
    # "The green bin should hold all the cans; put them there."
    turn(
        r"(?P<where>\b(?:the|an?)\s[^.;:,]+?)\s+(?:should|must|has\s+to|is\s+to|needs\s+to)\s+"
        r"(?:then\s+)?"
        r"(?:hold|contain|have|receive|take|get|include)\s+(?P<all>all\s+(?:of\s+)?(?:the\s+)?|"
        r"every\s+|each\s+|"
        r"the\s+)(?P<what>[^.;:,]+?)(?:\s+in\s+it)?\s*[;:.,]\s*(?:so\s+|please\s+|and\s+)*"
        rf"(?:{_MOVE})\s+(?:them|it|these|those|each\s+of\s+them)(?:\s+all)?\s+(?:in(?:to)?\s+)"
        rf"?(?:there|it)\b",
        lambda m: (
            f"drag {'the ' if m['all'].strip() == 'the' else 'all '}{m['what']} into "
            f"{m['where'][0].lower()}{m['where'][1:]}"
        ),
    ),
    # What belongs where, told behind what is sorted.
    turn(
        rf"(?:{_SORT})(?:all\s+)?(?:of\s+)?(?:the\s+)?(?P<what>[^.;:,]+?)\s+{_BELONGS}\s+"
        rf"{_INSIDE}\s+(?P<where>[^.;:,]+?)"
        rf",?\s+(?:and|while|whereas|but)\s+{_REST}\s+(?:{_BELONGS}\s+)?{_INSIDE}\s+"
        rf"(?P<other>[^.;:,]+)",
        _parted,
    ),
    # The rest is told in a sentence of its own.
    turn(
        rf"\b{_MOVE}\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?P<what>[^.;:,]+?)\s+{_INSIDE}\s+"
        rf"(?P<where>(?:the|an?)\s[^.;:,]+?)"
        rf"(?:[.;,]\s*|\s+)(?:and\s+|while\s+|whereas\s+|then\s+|but\s+)*(?:{_MOVE}\s+)?{_REST}\s+"
        rf"(?:{_BELONGS}\s+)?{_INSIDE}\s+(?P<other>(?:the|an?)\s[^.;:,]+)",
        _parted,
    ),
    # "All bugs belong in the left column, the rest in the right one."
    turn(
        rf"(?:(?<=\A)|(?<=[.;:]\s))(?:all\s+)?(?:of\s+)?(?:the\s+)?(?P<what>[a-z][^.;:,]*?)\s+"
        rf"(?:belongs?|"
        rf"(?:should|must|has\s+to|have\s+to)\s+(?:go|be\s+(?:put|placed|moved|dragged)))\s+"
        rf"{_INSIDE}\s+"
        rf"(?P<where>(?:the|an?)\s[^.;:,]+?)[,;.]?\s+(?:and\s+|while\s+|whereas\s+|but\s+)"
        rf"*{_REST}\s+"
        rf"(?:{_BELONGS}\s+)?{_INSIDE}\s+(?P<other>(?:the|an?)\s[^.;:,]+)",
        _parted,
    ),
    # "The left tray is for stamps; everything else goes in the right tray. Put them there."
    turn(
        r"(?P<where>\bthe\s(?:[\w-]+\s){0,2}?\w+)\s+(?:is|should\s+be)\s+(?:meant\s+|there\s+)"
        r"?for\s+(?:all\s+)?(?:the\s+)?"
        rf"(?P<what>[^.;:,]+?)\s*[,;.]?\s+(?:and\s+|while\s+|but\s+)*{_REST}\s+(?:{_BELONGS}\s+)"
        rf"?{_INSIDE}\s+"
        rf"(?P<other>(?:the|an?)\s[^.;:,]+)(?:\s*[.;,:]\s*(?:so\s+|please\s+)*{_MOVE}\s+(?:them|"
        rf"everything|all)"
        r"(?:\s+(?:there|accordingly|over|into\s+place))*)?",
        lambda m: _parted(m).replace("to The", "to the"),
    ),
    # "…, and all the others to the right one"
    turn(
        r"\bthe\s+(?P<one>left|right|top|bottom|upper|lower|first|second)\s+(?P<kind>[a-z]+)"
        r"(?P<between>\b[^.;]*\ball\s+the\s+others\s+to\s+the\s+)"
        r"(?P<other>left|right|top|bottom|upper|lower|first|second)\s+one\b",
        r"the \g<one> \g<kind>\g<between>\g<other> \g<kind>",
    ),
)
MOVING: tuple[Turn, ...] = (*_BOXES, *_BELONGING, *_RESULTS)
"""Told by the result, or by what belongs where."""
WIDELY: tuple[Turn, ...] = _WIDELY
"""Whatever else is put somewhere; asked last."""
