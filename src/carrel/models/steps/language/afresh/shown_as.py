"""What something is labelled with, what opens its menu, and whom a message goes to."""

from __future__ import annotations

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["SHOWN_AS"]

_NAME = rf"(?:{QUOTE}|(?-i:[A-Z])[\w'’-]*(?:\s[\w'’-]+){{0,3}}?)"
_SAID = (
    r"(?:is|are|should\s+be|must\s+be|has\s+been|was)\s+(?:now\s+)?(?:labell?ed|tagged|badged|flagged|"
    r"stamped|captioned)(?:\s+(?:as|with))?"
)
SHOWN_AS: tuple[Turn, ...] = (
    turn(
        rf"\b(?P<what>{_NAME})\s+{_SAID}\s+(?P<text>{QUOTE})\s+(?P<place>in\s+the\s[^,.;]+)",
        r"\g<what> \g<place> shows \g<text>",
    ),
    turn(
        r"\bopen\s+the\s+(?:[\w-]+\s+)?menu\s+(?P<where>(?:next\s+to|beside|of|for|at|behind)\s[^,.;]+?)"
        r"\s+(?:with|using|via|by)\s+(?P<by>the\s+(?:three\s+dots|ellipsis|kebab|gear|cog|arrow)[^,.;]*)",
        r"click \g<by> \g<where>",
    ),
    turn(r"\bsend\s+(?:him|her|them)\s+(?=(?:the|a)\s+(?:message|reply|text|note))", "send "),
)
