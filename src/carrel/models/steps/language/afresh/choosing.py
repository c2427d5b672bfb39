"""Choosing from lists and menus: a path of entries, and what of a list is marked or highlighted."""

from __future__ import annotations

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import DATED

__all__ = ["CHOOSING"]

_STEP = r"(?-i:[^\s>,.;:]+(?:\s(?!(?:and|in|from|of)\b)[^\s>,.;:]+){0,2}?)"
_ONE = r"(?-i:[^\s>,.;:]+)"
_ARROW = r"\s*(?:>|→|»|->|⟶|➔)\s*"
_PATH = rf"(?P<path>{_ONE}(?:\s(?-i:[A-Z])[^\s>,.;:]*){{0,2}}(?:{_ARROW}{_STEP})+)"
_MENU = (
    r"(?:\s+(?:in|from|of|on|through|via|within)\s+(?:the|that|this)\s+(?:[a-z]+\s)?(?:menus?|"
    r"menu\s+bar|navigation|menu\s+below))"
)
_IT = (
    r"(?:it|that|that\s+(?:one|entry|item|option)|this|the\s+(?:entry|item|last\s+one)|the\s+"
    r"last\s+(?:entry|item|one))"
)
_TAKE = r"(?:click(?:\s+on)?|select|choose|pick|press|activate|tap|open)"
_LIST = (
    r"the\s+(?:[a-z-]+\s)*?(?:list(?:\s?box)?|drop-?down(?:\s+(?:list|menu))?|combo\s?box|"
    r"select(?:or)?)(?:\s+(?:below|above|here))?"
)
_END = r"(?=\s*(?:[.,;]|$|\s(?:and|then)\b))"
CHOOSING: tuple[Turn, ...] = (
    turn(
        r"\bopen\s+(?:up\s+)?(?:the\s+)?(?:[a-z]+\s)?menu(?:\s+below)?(?:,|,?\s+and)\s+"
        rf"(?:then\s+)?(?:{_TAKE}|go\s+to|navigate\s+to|follow)\s+"
        rf"(?:the\s+(?:entry|item|option|path)\s+)?{_PATH}(?:\s+(?:from|in)\s+(?:it|there|"
        rf"the\s+menu))?{_END}",
        r"choose \g<path>",
    ),
    turn(
        r"\b(?:(?:go|navigate|get|head|move|browse)\s+(?:(?:the|through\s+the)\s+menu\s+"
        r")?to|find|locate|look\s+for|follow|use|take|"
        r"work\s+through|navigate)\s+(?:the\s+)?(?:menu\s+)?(?:entry|entries|items?|"
        r"option|path|command|menu\s+path)?\s*"
        rf"{_PATH}{_MENU}?(?:\s*,?\s+(?:and|then|and\s+then)\s+{_TAKE}\s+{_IT}(?:\s+"
        rf"there)?)?{_END}",
        r"choose \g<path>",
    ),
    turn(
        rf"\bin\s+the\s+(?:[a-z]+\s)?menu,?\s+(?:{_TAKE}|go\s+to|navigate\s+to|follow)\s+{_PATH}"
        rf"(?:\s*,?\s+and\s+(?:then\s+)?{_TAKE}\s+{_IT})?{_END}",
        r"choose \g<path>",
    ),
    turn(
        rf"\b(?:from|in)\s+the\s+menu,?\s+{_TAKE}\s+(?P<last>{_STEP}),?\s+(?:which|"
        r"that)\s+(?:is|sits|lies|can\s+be\s+found)\s+(?:under|in|below|at)\s+"
        rf"{_PATH}{_END}",
        r"choose \g<path> > \g<last>",
    ),
    # What is marked in a list is chosen from it
    turn(
        rf"\bin\s+(?P<of>{_LIST}),?\s+(?:mark|highlight|tick|check|click(?:\s+on)?)\s+"
        r"(?P<what>[^.;]+?)(?=,?\s+(?:and\s+)?(?:then|submit|press|click|hit)\b|"
        r"\s*(?:[.;]|$))",
        r"choose \g<what> from \g<of>",
    ),
    turn(
        rf"\b(?:mark|highlight|tick)\s+(?P<what>[^.;]+?)\s+(?:in|on|from)\s+(?P<of>{_LIST}){_END}",
        r"choose \g<what> from \g<of>",
    ),
    turn(
        r"\b(?:check|tick|select|mark|choose)\s+(?:every\s+(?:single\s+)?one|each(?:\s+"
        r"one)?|all)(?:\s+of)?\s+(?:of\s+)?"
        r"(?:these|those|the\s+following)(?:\s+(?:boxes|checkboxes|options|items|entries|"
        r"words))?\s*:\s*",
        "tick ",
    ),
    turn(
        r"\b(?:these|the\s+following)\s+(?:check)?(?:boxes|options|items)\s+(?:"
        r"have\s+to|need\s+to|are\s+to)\s+be\s+(?:ticked|checked)\s*:\s*",
        "tick ",
    ),
    turn(
        rf"\b(?:set|change|switch|put)\s+(?P<of>{_LIST})\s+to\s+(?P<what>[^.;,]+?){_END}",
        r"choose \g<what> from \g<of>",
    ),
    turn(
        r"\b(?:find|locate|look\s+for|look\s+up|scroll\s+to)\s+(?P<what>[^.;]+?)\s+(?:in|"
        rf"on)\s+(?P<of>{_LIST})(?:,|,?\s+and)\s+(?:then\s+)?"
        r"(?:select|choose|pick|click(?:\s+on)?|mark|take)\s+(?:it|them|that|"
        r"those)(?=\s*(?:[.;,]|$|\s(?:and|then)\b))",
        r"choose \g<what> from \g<of>",
    ),
    turn(
        r"\b(?:we|I|you)(?:['’]d)?\s+(?:need|want|would\s+like|like)\s+"
        rf"(?P<day>{DATED})\s+as\s+the\s+(?:date|day)[.;,]\s+(?:so\s+|please\s+)?"
        r"(?:choose|pick|select|set|enter)\s+(?:it|that)\b",
        r"choose the date \g<day>",
    ),
    turn(
        rf"\b(?:open|pull\s+down|click(?:\s+on)?|use)\s+(?P<of>{_LIST})(?:,|,?\s+and)\s+(?:then\s+"
        rf")?(?:choose|select|pick|take)\s+"
        rf"(?P<what>[^.;,]+?)(?:\s+(?:from|in)\s+(?:it|there))?{_END}",
        r"choose \g<what> from \g<of>",
    ),
    turn(
        rf"\bscroll\s+(?:through|in|down|along)\s+(?P<of>{_LIST})(?:,|,?\s+and)\s+(?:then\s+"
        rf")?(?:choose|select|pick|take|click(?:\s+on)?)\s+"
        rf"(?P<what>[^.;,]+?)(?:\s+(?:from|in)\s+(?:it|there))?{_END}",
        r"choose \g<what> from \g<of>",
    ),
    turn(
        rf"\bmake\s+(?P<what>[^.;,]+?)\s+(?:be\s+)?the\s+(?:selected|chosen|current)\s+(?:entry|"
        rf"option|item|choice|one|value)\s+(?:of|in)\s+(?P<of>{_LIST})",
        r"choose \g<what> from \g<of>",
    ),
    turn(
        rf"\b(?:mark|choose|pick|select|set|click(?:\s+on)?)\s+(?:the\s+(?:day|date)\s+"
        rf")?(?P<day>{DATED})\s+(?:in|on|from)\s+the\s+(?:calendar|date\s?picker)",
        r"choose the date \g<day>",
    ),
    turn(
        rf"\bset\s+the\s+(?:calendar|date\s?picker)\s+to\s+(?P<day>{DATED})",
        r"choose the date \g<day>",
    ),
    turn(
        rf"\bchoose\s+the\s+menu\s+(?:item|entry|option|path)\s+(?:at|under)?\s*{_PATH}",
        r"choose \g<path>",
    ),
    # Which date it is to be
    turn(
        rf"\b(?:make|have)\s+(?P<day>{DATED})\s+(?:be\s+)?the\s+(?:selected|chosen|picked|"
        r"current)?\s*(?:date|day)",
        r"choose the date \g<day>",
    ),
    turn(
        r"\b(?:I\s+)?(?:want|need|would\s+like)\s+the\s+(?P<what>[a-z ]*?(?:date|day))\s+"
        rf"to\s+be\s+(?:set\s+to\s+)?(?P<day>{DATED})",
        r"set the \g<what> to \g<day>",
    ),
    turn(
        r"\bthe\s+(?:day|date)\s+(?:to|you\s+should|you\s+have\s+to|you\s+need\s+to)\s+"
        rf"(?:choose|select|pick|enter|set)\s+is\s+(?P<day>{DATED})",
        r"choose the date \g<day>",
    ),
    turn(
        r"\b(?:pick|choose|select|click(?:\s+on)?|tap)\s+(?:on\s+)?the\s+(?:calendar\s+"
        rf")?(?:day|date)\s+(?P<day>{DATED})",
        r"choose the date \g<day>",
    ),
    # What is shut is opened
    turn(
        r"\b(?:make|have|let|get)\s+(?P<what>the\s[a-z ]*?(?:section|panel|menu|tree|"
        r"group|accordion|part|box)(?:\s+(?:below|above|underneath|here))?)\s+"
        r"(?:to\s+)?(?:be\s+)?(?:unfold(?:ed)?|expand(?:ed)?|open(?:ed)?(?:\s+up)?)",
        r"expand \g<what>",
    ),
    turn(
        r"\bthe\s+(?P<what>section|panel|accordion|group|menu)\s+(?:below\s+)?is\s+"
        r"(?:collapsed|closed|folded|shut)(?:\s+(?:now|at\s+first))?(?:[.;,]|\s+so)\s+"
        r"(?:please\s+)?(?:open|expand|unfold)\s+it",
        r"expand the \g<what>",
    ),
)
