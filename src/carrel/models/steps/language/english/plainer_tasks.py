"""English turns of speech in the tasks that people are given, each with a plainer one."""

from __future__ import annotations

from carrel.models.steps.language.atoms import DATED, QUOTE, TIMED
from carrel.models.steps.language.english.plainer_pages import Rule, rule

__all__ = ["OF_TASKS"]

_NAME = rf"(?:{QUOTE}|(?-i:[A-Z])\S*(?:\s(?-i:[A-Z])\S*)*)"
_SAMPLE = r"(?:such\s+as|like|for\s+example|for\s+instance|e\.g\.|say|of|:)"
_UNFIT = (
    r"(?:invalid|valid|wrong|incorrect|bad|malformed|different|unknown|non-?existent|unregistered|"
    r"registered|correct|mismatching|too\s+(?:long|short)|very\s+(?:long|short)|weak|strong)"
)
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_DAY = rf"(?:{DATED}|{_NTH}\s(?-i:[A-Z])[a-z]+|(?-i:[A-Z])[a-z]+\s{_NTH})"
OF_TASKS: tuple[Rule, ...] = (
    # A cell by whose row and in which column it is
    rule(
        rf"(?:enter|type|put|write|record|fill\s+in)\s+(?P<text>{QUOTE}|\d\S*)\s+for\s+(?P<who>{_NAME})\s+"
        r"in(?:to)?\s+(?P<what>the\s[\w -]+?\scolumn)",
        "in the row of {who}, enter {text} into {what}",
    ),
    # What is typed is an example of what is described
    rule(
        rf"(?P<do>enter|type|fill\s+in|provide|input|use)\s+(?:an?|the|your|some)\s+{_UNFIT}\s+"
        rf"(?P<noun>[a-z][a-z -]*?),?\s*(?:{_SAMPLE}\s*,?\s*)?\(?(?P<text>{QUOTE})\)?"
        r"(?P<more>\s+in(?:to)?\s.+)?",
        "enter {text} as the {noun}{more}",
    ),
    rule(
        r"(?:enter|type(?:\s+in)?|fill\s+in|put\s+in)\s+(?:a|another|the)\s+(?:different|new|other|second)\s+"
        r"(?P<noun>[a-z][a-z -]*?)\s*:\s+(?P<text>\S.*)",
        "enter {text} as the {noun}",
    ),
    # From a drop-down
    rule(
        rf"(?:choose|select|pick|set)\s+(?P<what>{_NAME})\s+as\s+"
        r"(?P<of>the\s[a-z][a-z -]*?)\s+for\s+"
        r"(?P<whom>(?:the\s)?[a-z]+\s\d+|the\s[a-z]+\s[a-z]+)",
        "set {of} for {whom} to {what}",
    ),
    rule(
        r"use\s+(?P<of>the\s[^,]*\b(?:drop-?down|menu|list|selector|combo ?box)\b[^,]*?)\s+to\s+"
        r"(?:sort|order|arrange)\s+(?:the\s[a-z ]+?\s)?by\s+(?P<by>[^,]+)",
        "choose {by} from {of}",
    ),
    rule(
        r"(?:sort|order|arrange)\s+(?:the\s[a-z ]+?\s)?by\s+(?P<by>[^,]+?)\s+"
        r"(?:using|with|via|from|in)\s+"
        r"(?P<of>the\s[^,]*\b(?:drop-?down|menu|selector|combo ?box)\b[^,]*)",
        "choose {by} from {of}",
    ),
    rule(
        r"confirm\s+(?:when|if|once)\s+(?:(?:you\s+are|it\s+is)\s+)?(?:asked|prompted)", "confirm"
    ),
    # Days that are called like acts
    rule(rf"check[- ]?in\s+(?:on|date|by)\s+(?P<day>{_DAY})", "set the check-in date to {day}"),
    rule(rf"check[- ]?out\s+(?:on|date|by)\s+(?P<day>{_DAY})", "set the check-out date to {day}"),
    rule(
        r"filter\s+(?P<what>(?:the\s)?(?:column\s\S+|[\w -]+?\scolumn))\s+to\s+"
        rf"(?:only\s+show|show\s+only|show)\s+(?P<text>{QUOTE}|[A-Z]\S*)",
        "filter {what} by {text}",
    ),
    # What has a day goes to another
    rule(
        r"move\s+(?P<what>(?:the|my|our)\s(?:[\w-]+\s)*?(?:meeting|appointment|event|call|booking|reservation|lesson)"
        rf"\b[^,]*?)\s+to\s+(?P<when>(?:{DATED}|{TIMED}|\w+day|tomorrow|today)(?!\w).*)",
        "reschedule {what} to {when}",
    ),
    # How many there are
    rule(
        r"(?:check|see|find\s+out|look|note|determine)\s+how\s+many\s+(?P<what>[a-z][a-z -]*?)\s+"
        r"(?:there\s+are|it\s+(?:lists|shows|has|contains)|are\s+(?:there|listed|shown|displayed|left))"
        r"(?P<more>\s+(?:in|on)\s.+)?",
        "tell me the number of {what}{more}",
    ),
    rule(
        r"(?:check|see|find\s+out|look|note|determine)\s+how\s+many\s+(?P<what>[a-z][a-z -]*?)\s+"
        r"are\s+(?P<more>(?:in|on)\s+the\s.+)",
        "tell me the number of {what} {more}",
    ),
    # Nothing of it stays chosen
    rule(
        r"(?:deselect|unselect|unmark)\s+(?:all(?:\s+of)?(?:\s+the)?|every)\s+(?P<what>[a-z].+)",
        "untick all {what}",
    ),
)
