"""What is to be done, said of the thing: it needs ticking, it is to be marked, have it typed."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import DATED, QUOTE, TIMED

__all__ = ["VOICES"]

_IRREGULAR = {
    "written": "write",
    "put": "put",
    "set": "set",
    "sent": "send",
    "chosen": "choose",
    "drawn": "draw",
    "typed": "type",
    "moved": "move",
    "closed": "close",
    "deleted": "delete",
    "removed": "remove",
    "dragged": "drag",
    "dropped": "drop",
    "placed": "place",
    "archived": "archive",
    "saved": "save",
    "shared": "share",
    "starred": "star",
    "flagged": "flag",
    "typing": "type",
    "moving": "move",
    "closing": "close",
    "deleting": "delete",
    "removing": "remove",
    "dragging": "drag",
    "dropping": "drop",
    "writing": "write",
    "choosing": "choose",
    "starring": "star",
    "flagging": "flag",
    "unchecked": "uncheck",
}
_DONE = (
    r"written|put|set|sent|chosen|drawn|typed|moved|closed|deleted|removed|dragged|dropped|placed|"
    r"archived|saved|shared|starred|flagged|entered|filled|selected|clicked|pressed|ticked|checked|"
    r"unchecked|unticked|sorted|opened|marked|highlighted|picked|forwarded|answered"
)
_DOING = (
    r"typing|moving|closing|deleting|removing|dragging|dropping|writing|choosing|starring|flagging|"
    r"entering|filling|selecting|clicking|pressing|ticking|checking|unchecking|unticking|sorting|"
    r"opening|marking|highlighting|picking|forwarding|answering"
)


def _base(word: str) -> str:
    word = word.casefold()
    return _IRREGULAR.get(word) or re.sub(r"(?:ed|ing)$", "", word)


def _do(m: re.Match[str]) -> str:
    what = m["what"]
    what = what[0].lower() + what[1:] if re.match(r"(?:The|All|An?)\s", what) else what
    return f"{m['lead'] or ''}{_base(m['act'])} {what}{m['rest'] or ''}"


_END = r"(?=\s*(?:[.;!]|,|$|\s(?:and|then)\s+(?:then\s+)?[a-z]))"
_START = r"(?P<lead>(?:(?<=\A)|(?<=[.;:,]\s))(?:and\s+|then\s+|so\s+|also\s+)*)"
_TOO = r"(?:\s*,?\s+(?:too|as\s+well|also))?"
_THING = r"(?P<what>(?:the|an?|all|both)\s(?:(?!\b(?:should|must|which|that|if|when)\b)[^.;,:])+?)"
_VALUE = rf"(?P<value>{QUOTE}|{DATED}|{TIMED})"
_NAMES = r"(?P<noun>text|word|name|value|number|password|date|time|string|code|answer|phrase)"
_ENTER = (
    r"(?:enter|type|write|fill\s+in|put\s+in|use|key\s+in|input|pick|choose|select|give|set|be\s+"
    r"(?:"
    r"entered|typed|written|filled\s+in|used|put\s+in|picked|chosen|selected|set|given))"
)


def _given(m: re.Match[str]) -> str:
    noun = m["noun"].casefold()
    if noun in ("date", "time"):
        return f"choose the {noun} {m['value']}"
    field = "password" if noun == "password" else "text"
    return f"type {m['value']} into the {field} field"


VOICES: tuple[Turn, ...] = (
    turn(r"\s*,?\s+and\s+the\s+form\s+(?:be\s+)?(?:submitted|sent)(?=\s*[.;]|$)", ", then submit"),
    # "Have X typed into the box", "I want X ticked"
    turn(
        rf"{_START}(?:please\s+)?(?:have|get|i\s+(?:want|need|would\s+like)(?:\s+to\s+have)?|"
        rf"i['’]d\s+like)\s+"
        rf"(?P<what>{QUOTE}|{DATED}|{TIMED}|(?:the|an?|all|both)\s[^.;,:]+?)\s+(?:to\s+be\s+)"
        rf"?(?P<act>{_DONE})"
        rf"(?P<rest>\s+(?:in|into|on|onto|to|as|from|with|for)\s[^.;,]+?)?{_END}",
        _do,
    ),
    # "The 3rd checkbox needs ticking, too"
    turn(
        rf"{_START}{_THING}\s+(?:also\s+|still\s+)?(?:needs?|wants?|requires?)\s+(?P<act>{_DOING})"
        rf"(?P<rest>)"
        rf"{_TOO}{_END}",
        _do,
    ),
    # "The paragraph is to be highlighted"
    turn(
        rf"{_START}{_THING}\s+(?:is|are|needs?|has|have)\s+to\s+be\s+(?P<act>{_DONE})"
        r"(?P<rest>\s+(?:in|into|on|onto|to|as|from|with)\s[^.;,]+?)?"
        rf"{_TOO}{_END}",
        _do,
    ),
    # ""X" is the text to type in", "the date to enter is D"
    turn(
        rf"{_VALUE}\s+(?:is|should\s+be|shall\s+be|will\s+be)\s+(?:the|my|your)\s+{_NAMES}(?:\s+"
        rf"(?:(?:that\s+)?you\s+"
        rf"(?:should|have\s+to|must|need\s+to)\s+|to\s+|which\s+should\s+|that\s+should\s+)"
        rf"?{_ENTER}(?:\s+in)?"
        r"(?:\s+(?:here|there))?)?(?:\s*[.;,:]\s*(?:so\s+|please\s+)*(?:enter|type|write|fill|put|"
        r"use)\s+it(?:\s+in)?)?"
        rf"{_END}",
        _given,
    ),
    turn(
        rf"\b(?:the|your|my)\s+{_NAMES}\s+(?:(?:that\s+|which\s+)?(?:you\s+(?:should|have\s+to|"
        rf"must|need\s+to)|should|"
        rf"has\s+to|must|is|to)\s+)?{_ENTER}(?:\s+in)?\s+(?:is|:)\s+{_VALUE}"
        r"(?:\s*[.;,:]\s*(?:so\s+|please\s+)*(?:enter|type|write|fill|put|use)\s+it(?:\s+in)?)?"
        rf"{_END}",
        _given,
    ),
    # "The field should get "X" as its text; type it"
    turn(
        r"\b(?P<where>the\s(?:[\w-]+\s){0,3}?(?:field|box|input|textbox|area))\s+(?:should|must|"
        r"has\s+to|needs\s+to|is\s+to)"
        rf"\s+(?:get|have|contain|hold|read|say|show|be\s+filled\s+with|receive)\s+(?:the\s+\w+\s+"
        rf")?{_VALUE}"
        r"(?:\s+as\s+(?:its|the)\s+\w+|\s+in\s+it)?\s*[.;,:]\s*(?:so\s+|please\s+|and\s+)"
        r"*(?:enter|type|write|fill|put)"
        rf"\s+(?:it|that)(?:\s+(?:in|there|into\s+it))*{_END}",
        lambda m: f"type {m['value']} into {m['where'][0].lower()}{m['where'][1:]}",
    ),
    # "The cursor belongs in the 2nd textbox, so click it"
    turn(
        r"\b(?:the|your)\s+(?:text\s+)?(?:cursor|caret|focus)\s+(?:belongs|goes|should\s+(?:be|go|"
        r"stand)|has\s+to\s+(?:be|go)|"
        r"must\s+(?:be|go)|needs\s+to\s+(?:be|go)|is\s+to\s+(?:be|go))\s+(?:in|into|inside|on)\s+"
        r"(?P<what>the\s[^.;,]+?)"
        r"\s*[.;,:]\s*(?:so\s+|please\s+|and\s+)*(?:click|press|tap|put)\s+(?:on\s+|into\s+|in\s+)"
        r"?(?:it|there)(?:\s+there)?"
        rf"{_END}",
        r"click into \g<what>",
    ),
)
