"""English turns about the controls that something is done with, put into plainer words.

`Switch to the Active view using the link at the bottom` names the link; `close the "Saved" message
with OK` names the button.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY, QUOTE

__all__ = ["CONTROL_TURNS", "END", "LEAD", "Turn", "turn"]

LEAD = r"(?P<lead>^|,\s+(?:(?:and|then)\s+)*|\s(?:and|then)\s+(?:then\s+)?)"
END = r"(?=\s*$|\s*,|\s+(?:and|then)\s)"
Turn = tuple[re.Pattern[str], str]


def turn(words: str, plain: str) -> Turn:
    """A turn at the beginning of a clause, and the words that it stands for."""
    return re.compile(rf"{LEAD}{words}", re.IGNORECASE), rf"\g<lead>{plain}"


_BY = r"(?:using|with|via|through|by\s+means\s+of|by\s+(?:clicking|pressing|using))"
_PLACE = (
    r"(?P<at>\s+(?:at|in|on|below|above|under|beneath|underneath|beside|next\s+to)\s+(?:the|its)\s"
    r"[^,;]+?)?"
)
_ANYWHERE = _PLACE.replace("P<at>", ":")
_NAME = rf"(?:{QUOTE}|(?-i:[A-Z\d])[\w&/'’-]*(?:\s(?-i:[A-Z\d&])[\w&/'’-]*)*)"
_TO = (
    r"(?:(?:switch|go|change|move|navigate|jump|get|head|turn)\s+(?:(?:over|on|back|across)\s+)?to|"
    r"open|show|display|visit)"
)
_VIEW = r"(?:view|tab|section|page|screen|list|filter|panel|area|step|items?|entries|tasks?|ones)"
_WAY = r"(?:next|previous|following|preceding|last|first)"
_SPAN = r"(?:month|year|week|day|slide|picture|image|photo)"
_ARROW = (
    r"(?:the|its)\s+(?:(?:little|small|right|left)\s+)?(?:arrows?|buttons?|chevrons?|links?|icons?)"
)
_SPOKEN = (
    r"(?:message|dialog(?:\s+box)?|pop-?up|alert|box|window|modal|notice|notification|prompt|"
    r"confirmation|warning|question|toast)"
)
_ANSWERED = r"(?:close|dismiss|confirm|accept|acknowledge|clear|leave|get\s+rid\s+of)"
_KEY = r"(?:esc(?:ape)?|enter|return|space|tab|delete|(?:ctrl|alt|shift|cmd)\b.*|f\d+)\b"
_ANSWER = (
    r"(?:with|via|using|by\s+(?:clicking|pressing|choosing|hitting))\s+(?:on\s+)?(?:the\s+)?"
    rf"(?!{_KEY})(?P<ok>{_NAME}(?:\s+button)?)"
)
_HANDLE = (
    r"(?:(?:upper|lower|left|right|left-hand|right-hand|first|second)\s+(?:handle|thumb|knob|end))"
)

CONTROL_TURNS: tuple[Turn, ...] = (
    turn(
        rf"give\s+(?:it|(?:the|this|my|your)\s[^,;]+?|{QUOTE})\s+(?:the|an?)\s+(?:new\s+)?"
        r"(?P<what>(?!value\b|name\b|style\b|colou?r\b|font\b|format\b)[a-z][a-z -]*?)\s+"
        rf"(?:of\s+)?(?P<text>{QUOTE}){END}",
        r"set the \g<what> to \g<text>",
    ),
    # The link that is meant is the one that is named.
    turn(
        rf"{_TO}\s+(?:the\s+)?(?P<what>{_NAME})(?:\s+{_VIEW})?\s+{_BY}\s+(?:the|its)\s+"
        rf"(?P<noun>link|button|tab|icon|entry|filter)s?{_PLACE}{END}",
        r"click the \g<what> \g<noun>\g<at>",
    ),
    turn(
        rf"{_TO}\s+(?P<what>(?:the\s+)?{_NAME}(?:\s+{_VIEW})?)\s+{_BY}\s+the\s+"
        r"(?P<bar>(?:[a-z]+\s+)?(?:menu|sidebar|side\s+bar|nav(?:igation)?(?:\s+bar)?|tool ?bar))"
        rf"{_PLACE}{END}",
        r"in the \g<bar>\g<at>, click \g<what>",
    ),
    # Of two arrows it is the one that leads there.
    turn(
        rf"(?:switch|go|change|move|navigate|jump|turn|step|flip|page|advance)\s+(?:(?:over|on|"
        rf"back|forwards?|ahead)\s+)?to\s+the\s+(?P<way>{_WAY}\s+{_SPAN})\s+{_BY}\s+"
        rf"{_ARROW}{_ANYWHERE}{END}",
        r"go to the \g<way>",
    ),
    turn(
        rf"{_ANSWERED}\s+(?P<what>(?:the|this|that)\s(?:[^,;]*?\s)?(?:{_NAME}\s+{_SPOKEN}|{_SPOKEN}\s+"
        rf"{QUOTE}))\s+{_ANSWER}{END}",
        r"in \g<what>, click \g<ok>",
    ),
    turn(
        rf"{_ANSWERED}\s+(?:the|this|that)\s(?:(?:[a-z-]+\s){{0,2}}?{_SPOKEN})\s+{_ANSWER}{END}",
        r"click \g<ok>",
    ),
    # Several fields, one verb.
    turn(
        rf"(?:replace|overwrite)\s+(?P<one>(?:the|my|your|its)\s[^,;]+?)\s+(?:with|by)\s+(?P<text>{ANY})"
        rf"(?=(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:the|my|your|its)\s[^,;]+?\s+(?:with|by)\s+{ANY})",
        r"fill in \g<one> with \g<text>",
    ),
    turn(
        rf"(?:put|move|bring|get|place|send)\s+(?P<what>{_NAME}|(?:the|this)\s[^,;]+?)\s+(?:to|at|in|into|onto|on)\s"
        r"[^,;]+?\s+by\s+(?:dragging|moving|pulling)\s+it\s+(?=\S)",
        r"drag \g<what> ",
    ),
    # The value of a handle, whichever way that is.
    turn(
        r"(?:move|drag|pull|slide|push|bring|set)\s+(?P<what>(?:the|its)\s(?:[^,;]*?\s)?(?:handle|thumb|knob|slider)"
        r"(?:\s+(?:of|on|for)\s[^,;]+?)?)\s+(?:up|down|left|right|over|back)\s+to\s+(?=[^\w\s]?\d)",
        r"set \g<what> to ",
    ),
    turn(
        rf"(?:move|drag|pull|slide|push|bring)\s+(?P<what>(?:the|its)\s(?:[^,;]*?\s)?{_HANDLE}"
        rf"(?:\s+(?:of|on|for)\s[^,;]+?)?)\s+to\s+(?=[^\w\s]\d)",
        r"set \g<what> to ",
    ),
    # The boxes of several rows.
    turn(
        r"(?P<act>tick|untick|check|uncheck|select|mark)\s+the\s+"
        r"(?P<what>check ?box|tick ?box|box|radio button)(?:es|s)?\s+"
        r"(?:at\s+the\s+(?:start|beginning|front|left|end)\s+of|in\s+front\s+of|(?:next|belonging)\s+to|beside|"
        r"in|of|for)\s+the\s+"
        rf"(?P<a>{_NAME})\s+and\s+(?:the\s+)?(?P<b>{_NAME})\s+(?P<noun>row|line|entry|item|card|entrie)s?{END}",
        r"in the \g<a> \g<noun>, \g<act> the \g<what>, and in the \g<b> \g<noun>, "
        r"\g<act> the \g<what>",
    ),
    turn(
        r"(?P<act>sort|order|arrange)\s+(?P<what>[^;]*?\bby\s+[^,;]+?),?\s+(?:with\s+the\s+|the\s+)?"
        r"(?P<end>highest|largest|newest|latest|biggest|lowest|smallest|oldest|cheapest|"
        r"earliest|longest|shortest|greatest)\s+(?:[a-z]+\s+)first(?=\s*$|\s*[,;])",
        r"\g<act> \g<what> \g<end> first",
    ),
)
