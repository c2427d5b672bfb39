"""Counting what is shown, and giving the number where the page takes it."""

from __future__ import annotations

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["COUNTING"]

_ACT = r"(?:click(?:\s+on)?|press|hit|tap(?:\s+on)?|push|choose|select|pick|enter|mark)"
_RIGHT = (
    r"(?:(?:right|correct|matching|corresponding|appropriate|fitting|same|resulting|proper)\s+"
    r"(?:number|answer|button|option|one|count|result|value|choice|total)|"
    r"(?:number|answer|result|count|total)(?:\s+(?:you\s+(?:get|find|found|counted)|"
    r"that\s+(?:fits|matches|is\s+right)))?)"
)
_GIVE = (
    rf"(?:{_ACT}|give|tell|answer\s+with|answer\s+by\s+\w+ing)\s+(?:on\s+)?(?:the\s+)?"
    r"(?:(?:button|option|answer|number|choice)\s+(?:with|that\s+(?:has|shows|says|gives|"
    r"is|matches|equals|fits)|showing|for|of)\s+)?"
    rf"(?:that\s+(?:number|many|count|amount)|it|(?:the\s+)?{_RIGHT})"
)
_SEEN = (
    r"(?:\s+(?:you\s+(?:can\s+)?see|that\s+are\s+(?:shown|there|visible)|there\s+are|are\s+"
    r"there|(?:in|on)\s+(?:the|this)\s+(?:picture|image|drawing|page|screen|grid|area)))*"
)
_WHAT = r"(?P<what>[a-z][a-z -]*?)"
_END = r"(?=\s*(?:[.;,]|$))"


def _counted(what: str) -> str:
    """Counted, and given where the page asks for it."""
    return f'remember the number of {what.strip()} as it, then answer "{{it}}"'


COUNTING: tuple[Turn, ...] = (
    turn(
        rf"\bcount\s+(?:up\s+)?(?:all\s+)?(?:the\s+|how\s+many\s+)?{_WHAT}{_SEEN}(?:,|\.|"
        rf",?\s+and|;)\s+(?:then\s+)?(?:please\s+)?{_GIVE}{_END}\.?",
        lambda m: _counted(m["what"]),
    ),
    turn(
        r"\b(?:give|state|report|answer)\s+(?:me\s+)?the\s+(?:number|count|total\s+"
        rf"number)\s+of\s+(?:all\s+)?(?:the\s+)?{_WHAT}{_SEEN}{_END}\.?",
        lambda m: _counted(m["what"]),
    ),
    turn(
        r"\bwhat\s+is\s+the\s+(?:number|count|total\s+number)\s+of\s+(?:the\s+"
        rf")?{_WHAT}{_SEEN}\?\s+(?:please\s+)?{_GIVE}{_END}\.?",
        lambda m: _counted(m["what"]),
    ),
    turn(
        rf"\b(?P<asked>how\s+many\s+[^?.]+)\?\s+(?:please\s+)?{_GIVE}{_END}\.?",
        r"\g<asked>?",
    ),
    turn(
        r"\b(?:tell|say|answer|indicate|show|find\s+out|work\s+out)\s+(?:me\s+)?how\s+"
        rf"many\s+{_WHAT}(?:\s+there\s+are|\s+are\s+(?:there|shown)|\s+you\s+(?:can\s+"
        r")?see)"
        r"(?:\s+(?:in|on)\s+the\s+\w+)?(?:\s+by\s+(?:click|press|choos|select|tapp|"
        rf"pick)ing|(?:,|,?\s+and)\s+(?:then\s+)?{_ACT})\s+(?:on\s+)?(?:the\s+"
        rf")?{_RIGHT}{_END}\.?",
        lambda m: _counted(m["what"]),
    ),
    turn(
        rf"\b(?:tell|say|state)\s+(?:me\s+)?how\s+many\s+{_WHAT}\s+(?:the|this)\s+(?:picture|"
        rf"image|drawing|page|grid)\s+"
        rf"(?:shows|has|contains|holds){_END}\.?",
        lambda m: _counted(m["what"]),
    ),
    turn(
        rf"\b{_ACT}\s+(?:on\s+)?the\s+(?:number|button|answer|option)\s+(?:that|which)\s+"
        r"(?:equals|is|matches|gives|shows|states|tells|says)\s+"
        rf"(?:the\s+)?(?:count|number)\s+of\s+(?:the\s+)?{_WHAT}{_SEEN}{_END}\.?",
        lambda m: _counted(m["what"]),
    ),
)
