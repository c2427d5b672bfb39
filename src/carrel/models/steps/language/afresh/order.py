"""What comes first, what after it and how much later, each as plain instructions in a row."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["ORDER"]

_ACT = r"(?:click|press|hit|tap|push|choose|select|pick|tick|check|type|enter|open)(?:\s+on)?"
_POINT = r"(?:click|press|hit|tap|push)(?:\s+on)?"
_POINTING = r"(?:click|press|hitt?|tapp?|push)(?:ing|ed)?(?:\s+on)?"
_NAME = (
    r"(?!(?:it|them|that|this|and|then)\b)[^\s,.;:]+(?:\s(?!and\b|then\b|before\b)[^\s,.;:]+){0,3}?"
)
_END = r"(?=\s*(?:[.,;]|$))"
_SPAN = (
    r"(?P<time>(?:\d+|an?|one|two|three|four|five|six|ten)\s(?:milli)?(?:seconds?|minutes?|"
    r"secs?|s|ms)\b)"
)
_LEAST = r"(?:smallest|lowest|least|littlest|shortest|minimum|small|low|minor)"
_MOST = r"(?:largest|biggest|highest|greatest|maximum|tallest|longest|large|big|high|top)"
_IN_TURN = (
    r"(?:\s*,?\s*(?:all\s+)?(?:one\s+after\s+(?:another|the\s+other)|one\s+by\s+one|one\s+"
    r"at\s+a\s+time|"
    r"in\s+turn|in\s+order(?:\s+of\s+(?:their\s+)?(?:size|value))?|in\s+sequence|in\s+a\s+row))?"
)
_EACH = (
    r"(?:each(?:\s+one|\s+of\s+(?:them|these|those))?|all\s+of\s+them|them\s+all|them|"
    r"every\s+one(?:\s+of\s+them)?|"
    r"all\s+the\s+(?:others|rest)|the\s+(?:others|rest))"
)


def _runs(low: str, high: str, order: str) -> tuple[Turn, ...]:
    """All ways to say in which order things of a kind are gone through, by their size."""
    to = (
        r"(?:,?\s+(?:and\s+)?(?:(?:going|working|moving|ending|finishing|climbing|up|"
        r"down|all\s+the\s+way|"
        r"your\s+way)\s+)*(?:up\s+|down\s+)?(?:to|with|at|until|till|through)\s+(?:the\s+"
        rf")?{high}(?:\s+(?:one|\w+))?)"
    )
    begin = r"(?:start|beginn?|commenc)(?:e|ing|s)?\s+(?:with|from|at|by)\s+(?:the\s+)?"
    return (
        turn(
            rf"\b{begin}{low}\s+(?P<noun>[a-z]+?)s?(?:,|\s+and|\.)\s+(?:then\s+"
            rf")?(?P<act>{_POINT})\s+"
            rf"(?:{_EACH}|the\s+(?P=noun)s|every\s+(?P=noun)|each\s+"
            rf"(?P=noun)){_IN_TURN}{to}?{_IN_TURN}{_END}",
            lambda m: f"{m['act']} the {m['noun']}s in {order} order",
        ),
        turn(
            rf"\b(?P<act>{_POINT})\s+(?:(?:all(?:\s+of)?|each\s+of|every\s+one\s+of)\s+"
            r")?the\s+(?P<noun>[a-z]+s)"
            rf"{_IN_TURN},?\s+(?:(?:going|moving|working|first)\s+|{begin})?(?:from\s+"
            rf")?(?:the\s+)?{low}(?:\s\w+)?{to}",
            lambda m: f"{m['act']} the {m['noun']} in {order} order",
        ),
        turn(
            rf"\b(?P<act>{_POINT})\s+(?:each|every)\s+(?P<noun>[a-z]+){_IN_TURN},?\s+"
            rf"(?:(?:(?:going|moving|working)\s+from\s+(?:the\s+)?|{begin}){low}(?:\s\w+)?{to}?|"
            rf"(?:the\s+)?{low}(?:\s+one)?\s+first){_END}",
            lambda m: f"{m['act']} the {m['noun']}s in {order} order",
        ),
        turn(
            rf"\b(?P<act>{_POINT})\s+(?:all(?:\s+of)?\s+)?the\s+(?P<noun>[a-z]+s){_IN_TURN},?\s+"
            rf"(?:with\s+)?(?:{begin}{low}(?:\s\w+)?|(?:the\s+)?{low}(?:\s+one)?\s+"
            rf"first)(?:,?\s+(?:and\s+)?(?:the\s+)?{high}(?:\s+one)?\s+last)?{_END}",
            lambda m: f"{m['act']} the {m['noun']} in {order} order",
        ),
        turn(
            rf"\bgo\s+from\s+the\s+{low}\s+(?P<noun>[a-z]+?)s?\s+(?:up\s+|down\s+)?to\s+"
            rf"the\s+{high}(?:\s+one)?(?:,|,?\s+and)\s+"
            rf"(?P<act>{_POINT})\s+{_EACH}{_IN_TURN}{_END}",
            lambda m: f"{m['act']} the {m['noun']}s in {order} order",
        ),
        turn(
            r"\b(?P<what>the\s+[a-z]+s)\s+(?:have|need|ought|are)\s+to\s+be\s+"
            r"(?P<act>click|press|tapp|push)ed\s+"
            rf"(?:in\s+{order}\s+order|(?:from\s+)?(?:the\s+)?{low}{to})",
            lambda m: f"{_base(m['act'])} {m['what']} in {order} order",
        ),
    )


def _listed_in_order(match: re.Match[str]) -> str:
    """`in this order: A, B and C` as one instruction for each."""
    names = [name.strip() for name in re.split(r",\s*(?:and\s+|then\s+)?|\s+and\s+", match["all"])]
    return ", then ".join(f"{match['act'].lower()} {name}" for name in names if name)


ORDER: tuple[Turn, ...] = (
    *_runs(_LEAST, _MOST, "ascending"),
    *_runs(_MOST, _LEAST, "descending"),
    turn(r"\bin\s+(?:rising|growing|climbing|upward)\s+order\b", "in ascending order"),
    turn(r"\bin\s+(?:falling|sinking|declining|downward)\s+order\b", "in descending order"),
    turn(
        r"\b(?:(?:the\s+)?(?:two|three|four)\s+)?(?:buttons|links|items|tabs|keys)\s+"
        r"(?:have\s+to|must|need\s+to|are\s+to)\s+be\s+(?P<act>click|press|tapp|push)ed\s*:\s*"
        rf"(?:first\s+)?(?P<a>{_NAME}),?\s+(?:and\s+)?(?:then|afterwards|after\s+that|next)\s+"
        rf"(?P<b>{_NAME}){_END}",
        lambda m: f"{_base(m['act'])} {m['a']}, then {_base(m['act'])} {m['b']}",
    ),
    turn(
        rf"(?:^|(?<=[.;]\s))(?P<later>(?:{_ACT}|submit)\b[^.;,]*?),?\s+but\s+(?:first\s+)?"
        rf"(?P<first>(?:{_ACT}|expand|unfold)\s[^.;,]+?)(?:\s+(?:first|before(?:\s+that|hand)?))?"
        rf"{_END}",
        lambda m: f"{m['first']}, then {m['later'][0].lower()}{m['later'][1:]}",
    ),
    # How much later
    turn(
        rf"\bbetween\s+(?P<act>{_POINTING})\s+(?P<first>{_NAME})\s+and\s+(?:{_POINTING}\s+)?"
        rf"(?P<second>{_NAME}),\s+(?:wait|pause|leave|let|allow)\s+(?:for\s+)?{_SPAN}(?:\s+pass)?",
        lambda m: (
            f"{_plain(m['act'])} {m['first']}, wait {m['time']}, "
            f"then {_plain(m['act'])} {m['second']}"
        ),
    ),
    turn(
        rf"[,;.]?\s+(?:and\s+)?then\s+(?P<then>{_POINT}\s+(?:the\s)?{_NAME}),?\s+(?:but\s+)?"
        rf"(?:only\s+)?after\s+(?:waiting\s+)?{_SPAN}(?:\s+(?:have|has)\s+(?:passed|gone\s+by))?"
        rf"{_END}",
        r", wait \g<time>, then \g<then>",
    ),
    turn(
        rf"(?P<first>\b{_POINT}\s+{_NAME})(?:\s+first)?,?\s+(?:and\s+)?(?:then,?\s+)?after\s+"
        rf"(?:(?:a|another)\s+(?:pause|delay|wait|break|gap)\s+of\s+|waiting\s+(?:for\s+)?)?{_SPAN}"
        rf"(?:\s+(?:have|has)\s+(?:passed|gone\s+by|elapsed))?,?\s+(?:(?P<act>{_POINT})\s+"
        rf")?(?P<second>{_NAME}){_END}",
        lambda m: (
            f"{m['first']}, wait {m['time']}, then {m['act'] or _verb(m['first'])} {m['second']}"
        ),
    ),
    turn(
        rf"(?:^|(?<=[.;])\s*|\b){_SPAN}\s+after\s+(?:you\s+(?:have\s+"
        rf")?)?(?P<act>{_POINTING})\s+(?P<first>{_NAME}),\s+"
        rf"(?P<then>{_POINT}\s+{_NAME}){_END}",
        lambda m: f"{_plain(m['act'])} {m['first']}, wait {m['time']}, then {m['then']}",
    ),
    turn(
        rf"\b(?P<act>{_POINT})\s+(?P<second>{_NAME})\s+{_SPAN}\s+after\s+(?:you\s+"
        rf"(?:have\s+)?)?(?:{_POINTING}\s+)"
        rf"(?P<first>{_NAME}){_END}",
        lambda m: f"{m['act']} {m['first']}, wait {m['time']}, then {m['act']} {m['second']}",
    ),
    turn(
        rf"(?P<first>\b{_POINT}\s+{_NAME})[,;.]?\s+(?:and\s+)?(?:then\s+)?(?:exactly\s+)?{_SPAN}\s+"
        rf"(?:later|afterwards|after\s+that),?\s+(?:(?P<act>{_POINT})\s+"
        rf")?(?P<second>{_NAME}){_END}",
        lambda m: (
            f"{m['first']}, wait {m['time']}, then {m['act'] or _verb(m['first'])} {m['second']}"
        ),
    ),
    turn(
        rf"(?P<first>\b{_POINT}\s+{_NAME})[,;.]?\s+(?:and\s+)?(?:then\s+"
        rf")?(?:(?P<act>{_POINT})\s+)?(?P<second>{_NAME})\s+"
        rf"{_SPAN}\s+(?:later|afterwards|after\s+that){_END}",
        lambda m: (
            f"{m['first']}, wait {m['time']}, then {m['act'] or _verb(m['first'])} {m['second']}"
        ),
    ),
    turn(
        rf"\b(?:let|allow)\s+{_SPAN}\s+(?:to\s+)?(?:go\s+by|pass|elapse)",
        r"wait \g<time>",
    ),
    turn(
        rf"\bwait\s+(?:for\s+)?{_SPAN},?\s+before\s+(?:you\s+)?(?P<act>{_POINTING})\s+",
        lambda m: f"wait {m['time']}, then {_plain(m['act'])} ",
    ),
    turn(
        r"\b(?:leave|keep|have|allow|wait)\s+(?:(?:a|an)\s+(?:gap|pause|interval|break|"
        rf"delay)\s+of\s+)?(?:for\s+)?{_SPAN}\s+between\s+"
        rf"(?P<act>{_POINTING})\s+(?P<first>{_NAME})\s+and\s+(?:{_POINTING}\s+"
        rf")?(?P<second>{_NAME}){_END}",
        lambda m: (
            f"{_plain(m['act'])} {m['first']}, wait {m['time']}, "
            f"then {_plain(m['act'])} {m['second']}"
        ),
    ),
    turn(
        rf"\b(?P<act>{_POINT})\s+(?P<first>{_NAME})\s+and\s+(?:then\s+)?(?:{_POINT}\s+"
        rf")?(?P<second>{_NAME}),?\s+"
        r"(?:with\s+|leaving\s+|waiting\s+)(?:(?:a|an)\s+(?:gap|pause|interval|break|"
        rf"delay)\s+of\s+)?{_SPAN}\s+"
        rf"(?:in\s+)?between(?:\s+(?:them|the\s+two|the\s+clicks|both))?{_END}",
        lambda m: f"{m['act']} {m['first']}, wait {m['time']}, then {m['act']} {m['second']}",
    ),
    turn(
        rf"(?P<mark>[.,;]|\s+and)\s+(?:once|when|as\s+soon\s+as)\s+{_SPAN}\s+(?:have|has|are|is)\s+"
        r"(?:passed|gone\s+by|elapsed|over|up|past),\s+",
        r", wait \g<time>, then ",
    ),
    turn(rf"\bhold\s+on\s+(?:for\s+)?{_SPAN}", r"wait \g<time>"),
    turn(rf"\b(?:take|make)\s+a\s+(?:break|pause)\s+of\s+{_SPAN}", r"wait \g<time>"),
    turn(r"[.;,]\s*(?:and\s+)?after\s+(?:it|that\s+one|this\s+one),\s+", ", then "),
    turn(
        rf"(?:^|(?<=[.;]\s))(?P<a>(?:the\s)?{_NAME})\s+(?:comes|goes|is)\s+first,?\s+"
        r"(?:and\s+)?(?:then\s+)?(?:comes\s+)?"
        rf"(?P<b>(?:the\s)?{_NAME})[;.,:]\s*(?:please\s+)?(?P<act>{_POINT})\s+(?:them|"
        r"both)\s+in\s+(?:that|this)\s+(?:order|sequence)",
        lambda m: f"{m['act']} {m['a']}, then {m['act']} {m['b']}",
    ),
    turn(r",?\s+(?:and\s+)?only\s+then\s+", ", then "),
    turn(r"\bpause\s+(?=for\s+\d)", "wait "),
    # "Press Start first and Stop second"
    turn(
        rf"\b(?P<act>{_ACT})\s+(?P<a>\S+(?:\s\S+)?)\s+first,?\s+(?:and|then)(?:\s+then)?\s+"
        r"(?P<b>(?!\w+\s+(?:the|on)\b)\S+(?:\s\S+)?)\s+(?:second|next|last|afterwards)(?=[.,;]|$)",
        lambda m: f"{m['act']} {m['a']}, then {m['act'].lower()} {m['b']}",
    ),
    turn(
        rf"\b(?P<act>{_POINT})\s+(?P<a>{_NAME})(?:\s+first)?,\s+(?:and\s+)?(?P<b>{_NAME})\s+"
        rf"(?:comes|goes|is|follows)\s+(?:second|next|after(?:wards|\s+that)?|last){_END}",
        lambda m: f"{m['act']} {m['a']}, then {m['act'].lower()} {m['b']}",
    ),
    turn(
        rf"\b(?P<act>{_POINT})\s+(?P<a>{_NAME}),?\s+(?:followed\s+by|and\s+(?:then\s+"
        rf")?after\s+(?:it|that))\s+(?P<b>{_NAME}){_END}",
        lambda m: f"{m['act']} {m['a']}, then {m['act'].lower()} {m['b']}",
    ),
    turn(
        rf"\b(?P<act>{_POINT})\s+(?:the\s+)?(?:\w+\s+)?(?:buttons|links|items|entries|"
        r"tabs|boxes|keys|following)?\s*"
        r"in\s+(?:this|the\s+following|the|that)\s+(?:order|sequence)\s*:?\s+"
        r"(?P<all>[^.;]+?)(?=\s*(?:[.;]|$))",
        _listed_in_order,
    ),
    turn(
        rf"\b(?P<act>{_POINT})\s+(?P<all>{_NAME}(?:,\s+{_NAME})*,?\s+and\s+{_NAME}),?\s+"
        r"in\s+(?:that|this|exactly\s+that)\s+(?:order|sequence)",
        _listed_in_order,
    ),
    turn(
        rf"\b(?P<a>{_NAME})\s+(?:must|has\s+to|needs\s+to|should|is\s+to)\s+be\s+"
        r"(?P<act>click|press|tapp|push)ed\s+"
        rf"before\s+(?P<b>{_NAME})(?:\s+is)?{_END}",
        lambda m: f"{_base(m['act'])} {m['a']}, then {_base(m['act'])} {m['b']}",
    ),
    turn(
        rf"\b(?P<b>{_NAME})\s+(?:must|has\s+to|needs\s+to|should|is\s+to)\s+be\s+"
        r"(?P<act>click|press|tapp|push)ed\s+"
        rf"(?:only\s+)?after\s+(?P<a>{_NAME}){_END}",
        lambda m: f"{_base(m['act'])} {m['a']}, then {_base(m['act'])} {m['b']}",
    ),
    turn(
        rf"\b(?P<act>{_POINT})\s+(?P<a>{_NAME})\s+before\s+(?P<b>(?!you\b|\w+ing\b){_NAME}){_END}",
        lambda m: f"{m['act']} {m['a']}, then {m['act'].lower()} {m['b']}",
    ),
    # "hit B after you have hit A"
    turn(
        rf"(?P<later>\b{_ACT}\s[^,.;]+?)\s+after\s+(?:you(?:['’]ve|\s+have)\s+)?"
        r"(?P<act>press|hit|click|tapp|push|select|pick|tick|check|open|enter|typ|chos|choos)"
        r"(?:ed|en|ing)?\s+(?P<rest>[^,.;]+)",
        lambda m: f"{_base(m['act'])} {m['rest']}, then {m['later'][0].lower()}{m['later'][1:]}",
    ),
    turn(
        r",?\s+(?:and\s+)?after\s+(?P<time>\d+\s\w+)(?:\s+(?:have|has)\s+(?:passed|gone by|"
        r"elapsed))?,?\s+(?=[a-z])",
        r", wait \g<time>, then ",
    ),
    turn(
        r",?\s+and\s+(?:finish|end|conclude)(?:\s+(?:it|up|off|this))?\s+(?:with|by\s+using)\s+"
        r"(?P<what>(?:the\s+)?(?-i:[A-Z\ue000-\ue7ff])\w*(?:\s+button)?)(?=[.;,]|$)",
        r", then click \g<what>",
    ),
    turn(
        r"\s+(?:when|once|as\s+soon\s+as|after)\s+(?:that|it|this|you|everything|all|"
        r"they)(?:['’]s|['’]re|"
        r"\s+(?:is|does|do|are|have|has|has\s+been|have\s+been))(?:\s+(?:that|it|so|done|finished|"
        r"set|ready|"
        r"through|complete|there))*(?=[.;,]|$)",
        "",
    ),
    turn(
        r"\b(?:send|hand\s+in|send\s+off)\s+(?:in\s+)?(?:the|your)\s+(?:form|answers?)\b", "submit"
    ),
    turn(r"^(?:can|could|would|will)\s+you\s+(?:please\s+)?(?P<do>[^?]+)\?", r"\g<do>."),
    turn(r"(?<=\w)\s+(?:after\s+that|afterwards|after\s+this|thereafter)(?=[.;,]|$)", ""),
    turn(r"(?<=[a-z])\s+first,\s+(?=(?:and|then|wait)\b)", ", "),
    turn(
        r",?\s+and\s+(?:finish|end|conclude)\s+(?:by|with)\s+(?=\w+ing\b)",
        ", then ",
    ),
)


def _verb(said: str) -> str:
    """The verb that an instruction begins with."""
    return said.split()[0].lower()


def _plain(said: str) -> str:
    """`pressing`, `pressed on` as `press`."""
    stem = re.sub(r"(?:ing|ed)?(?:\s+on)?$", "", said.lower())
    return {"hitt": "hit", "tapp": "tap"}.get(stem, stem)


def _base(stem: str) -> str:
    return {"tapp": "tap", "typ": "type", "chos": "choose", "choos": "choose"}.get(stem, stem)
