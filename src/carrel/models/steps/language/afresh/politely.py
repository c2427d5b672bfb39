"""Tasks as one asks a colleague: for me, a bit, that box there, what is told before it is asked."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import OTHER, QUOTE, TIMED

__all__ = ["POLITELY"]

_END = r"(?=\s*(?:[.;!?]|,|$|\s(?:and|then)\b))"
_ASK = r"(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+|just\s+|maybe\s+)*"
_WRITE = r"(?:type|enter|write|put|fill(?:\s+in)?)"
_FIELD = r"(?:the|that|its)\s(?:[a-z-]+\s)*?(?:field|box|textbox|input|text\s?area)"
_KEY = rf"(?:{QUOTE}|(?-i:[A-Z])\w*(?:\s\w+)?)"
_NTH = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th))"
)
_NAME = r"(?:(?-i:[A-Z])[\w'’-]*)"
_LIST = rf"(?P<list>\[[^\]]*\]|{OTHER}|-?\d+(?:\s*,\s*-?\d+)*(?:\s*,)?\s+and\s+-?\d+)"
_CASE = r"(?P<case>capital\s+letters|capitals|caps|upper[- ]?case|small\s+letters|lower[- ]?case)"
_THINGS = (
    r"(?:text\s?box|text\s?area|paragraph|file\s+tree|tree|agreement|list|drop-?down|slider|circle|"
    r"form|table|menu|spinner)"
)


def _in_letters(found: re.Match[str]) -> str:
    small = re.match(r"small|lower", found["case"], re.IGNORECASE)
    letters = "small" if small else "capital"
    return f"type {found['text']} in {letters} letters into {found['field']}"


POLITELY: tuple[Turn, ...] = (
    turn(
        r"(?P<lead>^|[.!?;]\s+)(?:can|could|would|will)\s+you\s+(?:please\s+|just\s+|maybe\s+|quickly\s+)*"
        r"(?P<act>[a-z])(?P<rest>[^.?!]*)\?",
        lambda m: f"{m['lead']}{m['act'].upper()}{m['rest']}.",
    ),
    turn(
        r"(?<=[\w\ue000-\uf8ff])\s+for\s+me(?=\s*(?:[.;!?,]|$)|\s+and\s+(?:then\s+)?(?:click|press|hit|tap|open|"
        r"submit|select|choose|type|enter|send|save|find|put|write|fill|move|drag|tick)\b)",
        "",
    ),
    turn(rf"\bthat\s+(?={_THINGS}\b)", "the "),
    turn(r"\s+(?:a\s+(?:little\s+)?bit|a\s+little|somewhat)" + _END, ""),
    turn(rf"\s*[.;?]\s*{_ASK}do\s+(?:that|this|so)\s+and\s+(?:then\s+)?(?=[a-z])", ", then "),
    turn(
        r"\b(?:dig|track|hunt)\s+(?P<what>it|the\s[^.;,?]+?)\s+(?:out|down|up)\b", r"find \g<what>"
    ),
    turn(r"\b(?:dig|track|hunt)\s+(?:out|down|up)\s+(?=the\s|it\b)", "find "),
    # Both of two, in their order
    turn(
        r"(?<!not\s)(?<!n['’]t\s)(?<!never\s)\b(?P<act>press|click|hit|tap|push|tick|choose|select)\s+(?P<a>[^.;,?]+?)\s+first,?\s+(?:and\s+then|and|then)\s+(?P<b>[^.;,?]+?)\s+"
        r"(?:second|next|afterwards|after\s+that|last)" + _END,
        lambda m: f"{m['act']} {m['a']}, then {m['act'].lower()} {m['b']}",
    ),
    # Letters
    turn(
        rf"\b(?P<write>{_WRITE})\s+(?P<text>{QUOTE})\s+in(?:to)?\s+(?P<field>{_FIELD}),?\s+(?:(?:all|only|entirely|written)\s+)*in\s+(?:all\s+"
        rf"|only\s+)?{_CASE}",
        _in_letters,
    ),
    turn(
        rf"\bfill\s+(?:in\s+)?(?P<field>{_FIELD}|the\s+input)\s+with\s+(?:the\s+(?:word|text|name)\s+)?(?P<text>{QUOTE}),?\s+(?:(?:all|only|"
        rf"entirely|completely|written)\s+)*in\s+(?:all\s+|only\s+)?{_CASE}",
        _in_letters,
    ),
    turn(
        rf"\bthe\s+(?:password|code|pin)\s+is\s+(?P<text>{QUOTE})\s*[.;]\s*{_ASK}{_WRITE}\s+it\s+in(?:to)?\s+both\s+(?P<fields>boxes|fields)",
        r"type \g<text> into both \g<fields>",
    ),
    turn(
        rf"\b(?:put|enter|fill|key)\s+the\s+time\s+(?:in\s+)?(?:as|at|to|with)\s+(?P<time>{TIMED})",
        r"set the time to \g<time>",
    ),
    # What is to be read first
    turn(
        rf"\b(?:see|check|find\s+out|look\s+up|tell)\s+what\s+the\s+(?P<nth>{_NTH})\s+word\s+(?:of|in)\s+(?P<of>the\s[a-z]+)\s+is,?\s+(?:and\s+)?"
        rf"(?:then\s+)?{_WRITE}\s+it",
        r"find the \g<nth> word in \g<of> and type it",
    ),
    turn(
        rf"\blook\s+up\s+(?P<key>{_KEY})\s+in\s+the\s+table,?\s+(?:and\s+)?(?:{_WRITE}|copy)\s+(?:the\s+(?:corresponding|matching)\s+(?:value|entry|"
        rf"text)|what\s+it\s+says|it)\s+(?:in|into|to)\s+(?P<field>{_FIELD})",
        r"enter the value of \g<key> into \g<field>",
    ),
    turn(
        rf"\b(?:see|check|look|look\s+up|find\s+out)\s+what\s+(?:it|the\s+table)\s+says\s+(?:for|next\s+to|beside|under|at)\s+(?P<key>{_KEY}),?\s+"
        rf"(?:and\s+)?(?:then\s+)?{_WRITE}\s+(?:that|it)\s+in(?:to)?\s+(?P<field>{_FIELD})",
        r"enter the value of \g<key> into \g<field>",
    ),
    turn(
        rf"\b(?:look\s+up|find(?:\s+out)?|search\s+for)\s+which\s+(?P<what>[a-z ]+?)\s+"
        rf"(?P<who>{_NAME})\s+(?P<did>directed|wrote|made|produced|published|painted|recorded)\b",
        r"search for \g<what> that \g<who> \g<did>",
    ),
    # Searching
    turn(
        rf"\b(?P<seek>(?:run|do|make)\s+a\s+search\s+for|search\s+for|look\s+up)\s+(?P<text>{QUOTE})\s+(?:using|with|by\s+means\s+of)\s+the\s+"
        rf"(?:[a-z-]+\s)*?(?:field|box|input)(?:\s+and\s+the\s+(?:{QUOTE}|[a-z]+)\s+button)?",
        r"search for \g<text>",
    ),
    turn(
        rf"\b(?:look\s+up|search\s+for|find)\s+(?P<text>{QUOTE})\s*[?.]\s*{_ASK}{_WRITE}\s+it\s+in(?:to)?\s+"
        r"(?P<field>the\s+(?:search\s+)?(?:box|bar|field))(?=\s*[.,;])",
        r"type \g<text> into \g<field>",
    ),
    turn(
        rf"\b(?:among|from|of|in|out\s+of)\s+the\s+(?P<noun>result|hit|link|item|entr)(?:s|ies),?\s+(?:then\s+)?(?:locate|find|choose|take|pick|open|"
        rf"click(?:\s+on)?|select|go\s+to)\s+the\s+(?P<nth>{_NTH})(?:\s+(?:one|result|hit|entry))?(?:\s+and\s+(?:open|click(?:\s+on)?|select|"
        r"choose)\s+it)?" + _END,
        r"open the \g<nth> \g<noun>",
    ),
    turn(
        r"\b(?:everything|all)(?:\s+that)?\s+(?P<who>@[\w.-]+)\s+(?:has\s+)?(?:posted|wrote|written|shared)\s+and\s+(?:hit|click|press|tap)\s+(?:on\s+)?"
        rf"(?P<sign>{QUOTE})\s+(?:on|under|at|for)\s+(?:each|every|all)(?:\s+one|\s+of\s+them)?",
        r"the posts and click \g<sign> on each one by \g<who>",
    ),
    # Mails
    turn(
        r"\b(?P<mail>the\s+(?:e-?mail|mail|message|letter))\s+(?:(?:that|which)\s+(?:was\s+)?)?(?:sent|written)\s+by\s+",
        r"\g<mail> from ",
    ),
    turn(
        r"\b(?:delete|remove|discard)\s+(?P<what>[^.;,]+?)\s+by\s+(?:locating|finding)\s+it(?:\s+in\s+[^.;,]+?)?\s+and\s+(?:pressing|clicking|hitting)\s+"
        r"(?:on\s+)?(?:its|the)\s+(?P<sign>trash|bin)(?:\s+(?:icon|button))?",
        r"in \g<what>, click the \g<sign> icon",
    ),
    turn(
        r"\bsend\s+back\s+an?\s+(?:response|reply|answer)\s+(?:that\s+(?:says|reads)|saying|with(?:\s+the\s+text)?)\s+",
        "reply with ",
    ),
    turn(
        r"(?P<mail>\bthe\s+(?:e-?mail|mail|message|letter)\s+from\s[^.;,]+?)\s+and\s+(?:respond|reply|answer)(?:\s+to)?\s+it\s*[.;,]\s*the\s+(?:body|text|"
        r"content|words)\s+of\s+(?:the|your)\s+(?:response|reply|answer|message)\s+(?:should|must|has\s+to|is\s+to)\s+(?:be|read|say)\s+",
        r"\g<mail> and reply with ",
    ),
    # Scrolling and what a control shows
    turn(
        rf"\b(?:bring|scroll|move|take|get)\s+(?P<what>the\s+{_THINGS})\s+(?:all\s+the\s+way\s+)?(?:up\s+|back\s+)?to\s+(?:the\s+(?:very\s+)?(?:beginning|start|top)"
        r"(?:\s+of\s+(?:its|the)\s+text)?|where\s+(?:the|its)\s+text\s+(?:starts|begins))(?:\s+by\s+scrolling)?",
        r"scroll \g<what> to the top",
    ),
    turn(
        rf"\b(?:go|scroll)\s+to\s+the\s+(?:very\s+)?(?P<end>end|bottom|top|beginning)\s+of\s+(?P<what>the\s+(?:{_THINGS}|terms)(?:\s+text)?)\s+by\s+scrolling(?:\s+\w+)?",
        r"scroll \g<what> to the \g<end>",
    ),
    turn(
        rf"\bscroll\s+(?:all\s+the\s+way\s+)?(?:down\s+)?through\s+(?P<what>the\s+(?:{_THINGS}|terms)(?:\s+text)?)"
        + _END,
        r"scroll \g<what> to the bottom",
    ),
    turn(
        r"\b(?:get|have|make|let)\s+(?P<what>the\s+(?:[a-z]+\s)?(?:spinner|slider|counter|stepper|dial|knob))\s+(?:to\s+)?(?:show|read|say|display|be\s+at)\s+"
        r"(?P<n>-?\d+(?:\.\d+)?)",
        r"set \g<what> to \g<n>",
    ),
    turn(r"^(?P<ask>(?:(?:can|could)\s+you\s+)?)slide\s+it\s+to\s+(?=-?\d)", "set the slider to "),
    turn(
        r"\b(?:adjust|set|move|change)\s+(?:all\s+)?the\s+(?P<sort>sliders|spinners|counters|dials|knobs)\s+so\s+that\s+their\s+values,?\s+(?:in\s+(?:that\s+|this\s+)?order,?\s+)?"
        rf"(?:are|read|become)\s+{_LIST}",
        r"set the \g<sort> to \g<list>",
    ),
    # Drawing
    turn(r"\b(?:take|use)\s+the\s+mouse\s+and\s+(?=draw|drag|trace|sketch)", ""),
    turn(
        r"\b(?:draw|drag\s+out|trace|sketch|make)\s+a\s+circle\s+with\s+(?P<at>the\s[^.;,?]+?)\s+(?:right\s+)?in\s+(?:the|its)\s+(?:middle|cent(?:er|re))",
        r"draw a circle around \g<at>",
    ),
    turn(
        r"\b(?:draw|put|make|trace)\s+a\s+(?:straight\s+)?line\s+(?:going\s+|running\s+)?(?:across\s+)?from\s+(?:side\s+to\s+side|left\s+to\s+right)\s+(?:through|over|across)\s+"
        r"(?=the\s)",
        "draw a horizontal line through ",
    ),
)
