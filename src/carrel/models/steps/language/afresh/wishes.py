"""Deeds told as what somebody would like, as what comes after what, or as the one that is meant."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import ANY, QUOTE

__all__ = ["WISHES"]

_DONE = {
    "clicked": "click", "pressed": "press", "tapped": "tap", "pushed": "press", "hit": "click",
    "ticked": "tick", "checked": "tick", "unticked": "untick", "unchecked": "untick",
    "selected": "select", "chosen": "choose", "picked": "choose", "opened": "open",
    "expanded": "expand", "unfolded": "expand", "closed": "close", "deleted": "delete",
    "removed": "remove", "marked": "mark", "followed": "follow", "typed": "type",
    "entered": "enter", "written": "write", "moved": "move", "dragged": "drag",
    "scrolled": "scroll", "highlighted": "highlight", "archived": "archive", "starred": "star",
    "forwarded": "forward", "shared": "share", "submitted": "submit",
}  # fmt: skip
_PAST = f"(?P<done>{'|'.join(_DONE)})"
_WANTED = (
    "(?P<done>clicked|pressed|tapped|pushed|ticked|checked|unticked|unchecked|selected|chosen|picked|"
    "expanded|unfolded|marked|typed|entered|highlighted)"
)
"""What is wished of a control; what is deleted or sent may also be told of what one looks for."""
_CLICKED = "(?P<done>clicked|pressed|tapped|pushed|hit|opened|followed)"
_ACT = (
    r"(?P<act>click(?:\s+on)?|press|hit|tap(?:\s+on)?|push|choose|select|pick|tick|check|open|"
    r"follow|mark|take)"
)
_START = r"(?P<lead>(?:^|(?<=[.;:!?]\s)|(?<=,\s))(?:and\s+|then\s+|so\s+|also\s+|finally,?\s+)*)"
_WANT = (
    r"(?:(?:I|we)(?:['’]d|\s+would)?\s+(?:really\s+)?(?:want|need|like|love|wish|prefer)"
    r"(?:\s+to\s+have)?|(?:please|kindly|could\s+you(?:\s+please)?|can\s+you(?:\s+please)?|"
    r"let['’]s|let\s+me)\s+have)"
)
_SHALL = r"(?:should|must|needs?\s+to|ha(?:s|ve)\s+to|ought\s+to|(?:is|are)\s+(?:supposed\s+)?to)"
_END = r"(?=\s*(?:[.;!?]|,|$|\s(?:and|then)\b))"
_NAME = rf"(?:{ANY}|(?-i:[A-Z\d@])[\w@'’-]*)"
_NTH = r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th)"
_ALL_DONE = (
    r"(?:once|when|as\s+soon\s+as|after)\s+(?:you(?:['’]ve|\s+have|['’]re|\s+are)|all\s+(?:of\s+them|"
    r"is|are))\s+(?:done|finished|ready|\w+(?:ed|en))(?:\s+(?:with\s+)?(?:them\s+all|all(?:\s+of\s+"
    r"(?:them|these|it))?|everything|so|that|it|this))?"
)


def _wished(found: re.Match[str]) -> str:
    groups = found.groupdict()
    what = re.sub(r"\s+(?:all|both)$", "", found["what"].strip())
    what = re.sub(r"^(?:The|My|All|Both|Every|Each)\b", lambda m: m[0].lower(), what)
    act = _DONE[found["done"].lower()]
    return f"{groups.get('lead') or ''}{act} {what}{groups.get('at') or ''}"


def _in_turn(found: re.Match[str]) -> str:
    """What was done before comes first."""
    first = f"{_DONE[found['done'].lower()]} {found['b'].strip()}"
    return f"{found['lead'] or ''}{first}, then {found['act'].lower()} {found['a'].strip()}"


def _after(found: re.Match[str]) -> str:
    first = f"{_DONE[found['done'].lower()]} {found['what']}{found['at'] or ''}"
    return f"{first[0].upper()}{first[1:]}, then {found['next']}"


WISHES: tuple[Turn, ...] = (
    # "I'd like A chosen in the list, followed by a press of Submit"
    turn(
        r",?\s+followed\s+by\s+(?:an?\s+)?(?:press|click|tap|hit|push|pressing|clicking|tapping|"
        r"hitting)(?:\s+(?:of|on))?\s+(?=\S)",
        ", then press ",
    ),
    turn(
        rf"{_START}{_WANT}\s+(?P<what>[^.;:?!]+?)\s+(?:to\s+be\s+)?{_WANTED}(?P<at>\s+(?:in|from|on|"
        rf"with|as|into|onto|to|under)\s+(?:the|its|my|their|your|{QUOTE})[^.;,]*?)?{_END}",
        _wished,
    ),
    turn(
        r"\s*,?\s+and\s+(?:the|your|my)\s+form\s+(?:be\s+)?(?:submitted|sent)" + _END,
        ", then submit",
    ),
    # "the Save button should be pressed": nothing shows afterwards that it was
    turn(
        rf"{_START}(?P<what>(?!(?:verify|check|confirm|ensure|assert|none|nothing|no|neither|expect)\b)(?:the|{_NAME})(?:\s[^.;:?!,]+?)?)\s+{_SHALL}\s+(?:then\s+)?be\s+{_CLICKED}"
        rf"{_END}",
        _wished,
    ),
    turn(
        r"(?:from|of|among|out\s+of)\s+the\s+(?P<noun>[a-z]+?)s,\s+(?P<act>open|click|press|choose|select|"
        rf"tick)?\s*the\s+(?P<nth>{_NTH})(?:\s+one)?\s+is\s+the\s+one\s+(?:that\s+)?(?:to\s+be|(?:I|"
        rf"we)\s+(?:want|need)|{_SHALL}\s+be)\s+{_PAST}",
        lambda m: f"{_DONE[m['done'].lower()]} the {m['nth']} {m['noun']}",
    ),
    # "of the buttons, A is the one to be clicked"
    turn(
        r"(?:(?:of|among|from|out\s+of)\s+(?:all\s+)?the\s+[a-z]+(?:\s[^.;:?!,]+?)?,\s+)?"
        rf"(?P<what>{_NAME}(?:\s{_NAME})*|the\s[^.;:?!,]+?)\s+is\s+the\s+one\s+(?:that\s+)?(?:to\s+be|"
        rf"(?:I|we)\s+(?:want|need)|{_SHALL}\s+be)\s+{_PAST}{_END}",
        _wished,
    ),
    turn(
        r"\bone\s+of\s+the\s+[a-z]+(?:\s[^.;:,]+?)?\s+is\s+(?:an?|the)\s+(?P<thing>[^.;,]+?)\s*(?:[.;,:]|"
        r"\s[-–—])\s*(?:and\s+)?(?:that|this|it)(?:['’]s|\s+is)\s+the\s+one\s+(?:to|you\s+(?:should|must|"
        rf"have\s+to|need\s+to)|(?:I|we)\s+want\s+you\s+to)\s+{_ACT}{_END}",
        r"\g<act> the \g<thing>",
    ),
    turn(
        r"(?:(?:among|of|out\s+of)\s+(?:all\s+)?the\s+[a-z]+(?:\s[^.;:?!,]+?)?,\s+)which(?:\s+one)?\s+is\s+"
        rf"(?P<thing>an?\s[^?.;,]+?)\s*[?.;,]\s*(?:please\s+)?{_ACT}\s+(?:on\s+)?(?:that|it|this)"
        rf"(?:\s+one)?{_END}",
        r"\g<act> \g<thing>",
    ),
    # What comes after what
    turn(
        r"(?P<act>\b(?:click(?:ed)?|press(?:ed)?|hit|tap(?:ped)?|push(?:ed)?)\s+(?:on\s+)?)the\s+one\s+(?:marked|"
        r"labell?ed|called|named|saying|that\s+says|reading)\s+",
        r"\g<act>",
    ),
    turn(
        rf"{_START}(?:(?:could|can|would|will)\s+you\s+)?(?:please\s+)?{_ACT}\s+(?P<a>[^.;,?]+?),?\s+(?:but\s+)?"
        rf"(?:only\s+)?after\s+(?:you(?:['’]ve|\s+have)?\s+)?{_PAST}\s+(?P<b>[^.;,?]+)\??",
        _in_turn,
    ),
    turn(
        rf"(?P<first>\b{_ACT}\s+[^.;,?]+?)\s*[;,.]\s*(?P<b>{_NAME}(?:\s{_NAME})*)\s+(?:comes|follows)\s+(?:right\s+|directly\s+|"
        rf"straight\s+|immediately\s+)?(?:after\s+(?:it|that|this)|next|second|afterwards){_END}",
        lambda m: f"{m['first']}, then {m['act'].lower()} {m['b']}",
    ),
    turn(
        r"\A(?:once|when|after|as\s+soon\s+as)\s+(?P<what>the\s[^.;,]+?)\s+(?:has|have)\s+been\s+"
        rf"{_PAST}(?P<at>\s[^.;,]+?)?,\s+(?:then\s+)?(?P<next>[a-z])",
        _after,
    ),
    turn(r",?\s+so\s+(?:please\s+)?do\s+(?:that|so|this)\s+first" + _END, ""),
    turn(
        rf"{_START}(?P<what>the\s[^.;:?!,]+?)\s+{_SHALL}\s+be\s+{_PAST}\s+before\s+you\s+(?P<next>[a-z][^.;,]+)",
        lambda m: f"{_wished(m)}, then {m['next']}",
    ),
    turn(
        rf"(?:\s*[;,.]\s+(?:and\s+)?|\s+and\s+)(?P<act>submit|save|finish|send)\s+{_ALL_DONE}(?=\s*(?:[.;]|$))",
        r", then \g<act>",
    ),
    turn(
        rf"\s*,?\s+and\s+(?P<act>(?:click|press|hit|tap)\s[^.;,]+?)\s+{_ALL_DONE}(?=\s*(?:[.;]|$))",
        r", then \g<act>",
    ),
    # "I don't need X any more. Remove it"
    turn(
        r"\b(?:I|we)\s+(?:don['’]?t|do\s+not|no\s+longer)\s+(?:need|want|like)\s+(?P<thing>(?:(?-i:[A-Z])[\w-]*['’]s|the|this|that|"
        r"my)\s[^.;,]+?)(?:\s+any\s?(?:more|longer))?\s*[.;,:]\s*(?:so\s+)?(?:(?:can|could)\s+you\s+)?(?:please\s+)?(?:find\s+it\s+and\s+)?(?P<act>remove|"
        r"delete|close|archive|cancel|get\s+rid\s+of|throw\s+away|discard|untick)\s+(?:it|that|this)\b",
        r"\g<act> \g<thing>",
    ),
)
