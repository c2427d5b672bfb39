"""Wishes and statements as what they ask for: `I need X ticked`, `X is the right one. Press it`."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["DEMANDS"]

_DONE = {
    "clicked": "click",
    "pressed": "press",
    "tapped": "tap",
    "pushed": "press",
    "hit": "click",
    "ticked": "tick",
    "checked": "tick",
    "unticked": "untick",
    "unchecked": "untick",
    "selected": "select",
    "chosen": "choose",
    "picked": "choose",
    "taken": "choose",
    "opened": "open",
    "expanded": "expand",
    "unfolded": "expand",
    "closed": "close",
    "deleted": "delete",
    "removed": "remove",
    "bought": "buy",
    "booked": "book",
    "followed": "follow",
    "purchased": "buy",
    "collapsed": "collapse",
    "sent": "send",
}
_PAST = f"(?P<done>{'|'.join(_DONE)})"
_MUST = r"(?:has\s+to|have\s+to|needs?\s+to|must|should|is\s+to|are\s+to|ought\s+to)"
_WANT = (
    r"(?:I|we|you)(?:['’]d)?\s+(?:(?:will|would|really)\s+)*(?:need|want|like|wish|require|"
    r"prefer)(?:\s+to\s+have)?"
)
_ACT = (
    r"(?:click(?:\s+on)?|press|hit|tap(?:\s+on)?|push|choose|select|pick|tick|open|follow|"
    r"buy|purchase|book|"
    r"reserve|take|order|delete|remove|mark|expand)"
)
_THING = (
    r"(?P<thing>[^\s.;:?!,](?:[^.;:?!,]|,(?=\s(?!please|so|just|now|and|then)\S+(?:,|\s(?:and|"
    r"or)\s)))*?)"
)
_IT = (
    r"(?:that\s+(?:one|link|button|box|option|item|entry|tab|ticket)|this\s+one|the\s+(?:link|"
    r"button|box|one)|it|that|them)"
)
_AND = (
    r"\s*(?:[.;:?!,]|\s[-–—]|,?\s+(?:and|so))\s*(?:(?:please|so|just|now|then|and|go\s+"
    r"ahead\s+and)\s+)*"
)
_SO = rf"{_AND}(?P<act>{_ACT})\s+{_IT}(?=\s*(?:[.;,]|$|\s(?:and|then|there|once|before)\b))"
_AFTER = r"(?=\s*(?:[.;,]|$|\s(?:and|then)\b))"


def _told(match: re.Match[str]) -> str:
    """What was named before, in the place of the word that stands for it."""
    return f"{match['act']} {_article(match['thing'])}"


def _article(thing: str) -> str:
    """`a link "Terms"` that was told of is `the link "Terms"`."""
    return re.sub(r"^an?\s+", "the ", thing.strip(), flags=re.IGNORECASE)


def _looked(match: re.Match[str]) -> str:
    """`one of the boxes is grey` is about the grey box."""
    noun = re.sub(r"(?<=[a-z])(?:(?<=x|h)es|s)$", "", match["noun"])
    return f"{match['act']} the {match['how']} {noun}"


def _done(match: re.Match[str]) -> str:
    return f"{_DONE[match['done'].lower()]} {match['thing'].strip()}"


DEMANDS: tuple[Turn, ...] = (
    # A wish that something be done
    turn(rf"\b{_WANT}\s+(?P<thing>[^.;:?!]+?)\s+(?:to\s+be\s+)?{_PAST}{_AFTER}", _done),
    turn(
        rf"(?:^|(?<=[.;]\s)){_THING}\s+{_MUST}\s+(?:first\s+)?be\s+{_PAST}(?P<of>\s+"
        r"(?:from|in|on)\s[^.;,]+?)?,?\s+"
        rf"before\s+(?:you\s+)?(?P<next>(?:{_ACT}|submit|send|confirm|save)\b)(?P<ing>ing)?",
        lambda m: f"{_done(m)}{m['of'] or ''}, then {m['next']}",
    ),
    turn(
        rf"(?:^|(?<=[.;]\s)){_THING}\s+(?:has\s+to|have\s+to|needs?\s+to|must|is\s+to|are\s+to)\s+"
        rf"be\s+"
        rf"(?P<done>clicked|pressed|tapped|pushed|hit)(?=\s*(?:[.;]|$))",
        _done,
    ),
    turn(
        rf"\bit(?:['’]s|\s+is)\s+{_THING}\s+(?:that|which)\s+(?:(?:you|we)\s+(?:have|need|"
        r"want|are|ought)\s+to|"
        rf"(?:you|we)\s+should|(?:you|we)\s+must|I\s+want\s+you\s+to)\s+(?P<act>{_ACT}){_AFTER}",
        r"\g<act> \g<thing>",
    ),
    turn(
        rf"\bgive\s+{_THING}\s+an?\s+(?:single\s+|quick\s+)?(?P<act>click|press|tap|push){_AFTER}",
        r"\g<act> \g<thing>",
    ),
    turn(
        r"\bput\s+(?:ticks|check\s?marks|checks|crosses|a\s+tick|a\s+check)\s+(?:in|into|"
        r"on|next\s+to|beside|at)\s+"
        r"(?:(?:all\s+)?the\s+(?:check\s?)?boxes\s+)?(?:(?:for|of|named|called|labell?ed|"
        r"next\s+to|beside)\s+)?",
        "tick ",
    ),
    # A question or a statement that names the thing, and an act on it
    turn(
        r"\b(?:which|what)\s+(?:one\s+)?(?:of\s+the\s+)?(?P<noun>[a-z]+)\s+is\s+(?:the\s+"
        rf")?(?P<how>[a-z]+(?:\s[a-z]+)?){_SO}",
        _looked,
    ),
    turn(
        r"\b(?:exactly\s+)?one\s+of\s+the\s+(?P<noun>[a-z]+)\s+is\s+(?:the\s+"
        rf")?(?P<how>[a-z]+(?:\s[a-z]+)?){_SO}",
        _looked,
    ),
    turn(
        rf"(?:^|(?<=[.;]\s)){_THING}\s+is\s+the\s+(?:right|correct|proper|wanted|needed|"
        r"desired)\s+(?:option|one|choice|answer|"
        rf"button|link|entry|item|box|tab){_SO}",
        _told,
    ),
    turn(rf"\b{_WANT}\s+{_THING}{_SO}", _told),
    turn(
        r"\b(?:take|find|locate|look\s+for|identify|pick\s+out|find\s+out|determine|see)\s+"
        rf"(?:which\s+(?P<noun>[a-z]+)\s+(?P<has>has|is)\s+)?{_THING}{_SO}",
        lambda m: (
            f"{m['act']} the {m['noun']} {'with' if m['has'] == 'has' else 'that is'} {m['thing']}"
            if m["noun"]
            else f"{m['act']} {m['thing']}"
        ),
    ),
    turn(
        r"\bthere\s+(?:is|are|may\s+be|might\s+be|can\s+be)\s+(?:more\s+than\s+one|"
        r"several|many|some|a\s+few|multiple)\s+"
        rf"(?P<thing>[^.;:?!,]+?){_AND}(?P<act>{_ACT})\s+(?:any(?:\s+(?:one|of\s+them))?|"
        r"one(?:\s+of\s+them)?|whichever\s+you\s+like)"
        r"(?=\s*(?:[.;,]|$))",
        r"\g<act> any \g<thing>",
    ),
    turn(
        r"\b(?:out\s+of|among|of|from)\s+(?:all\s+)?the\s+(?P<noun>[a-z ]+?s),\s+"
        r"(?P<act>take|choose|select|pick|tick|mark|click(?:\s+on)?|press)\s+"
        rf"(?P<name>{QUOTE}|(?!the\b|only\b|all\b|every\b|each\b|(?-i:one)\b|any\b|"
        rf"just\b)\S+){_AFTER}",
        lambda m: f"{'choose' if m['act'].lower() in ('take', 'mark') else m['act']} {m['name']}",
    ),
)
