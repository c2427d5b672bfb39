"""Choices by a noun and a name, and entries that are put on a list, as plain instructions."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["CHOICES"]

_KIND = (
    r"(?:time|entry|start(?:ing)?|departure|arrival|delivery|pick-?up|time-?slot|slot|seat|size|"
    r"colou?r|plan|tariff|option|variant|format|room|table|class|ticket|day|date|month|answer|"
    r"rating|score|number|value|quantity|amount|language|currency|country|city|region|branch|"
    r"method|type|kind|category|priority|status|level|mode|theme|style|model|version|flavou?r|"
    r"topping|crust|service|package|course|project|department|team)"
)
_NAME = r"(?:[\ue000-\uf8ff]|(?-i:[A-Z\d])[\w-]*(?:\s(?-i:[A-Z\d])[\w-]*)*)"
_LIST = r"(?:the|my|our|your|this|that)\s+(?:[\w'’-]+\s+){0,2}(?:list|checklist|agenda)"


def _added(match: re.Match[str]) -> str:
    return f"add {match['what']} to {match['list']}"


_HOLDER = (
    r"(?:the|my|our|your|this)\s+(?:[\w-]+\s+)?(?:play|wish|watch|reading|shopping|packing|guest|"
    r"waiting)?\s?(?:list|queue|cart|basket|bag|order|table|invoice|agenda|collection|selection)"
)

CHOICES: tuple[Turn, ...] = (
    # "remove the song “X” from the playlist": where else would it be taken from
    turn(
        r"\b(?P<act>remove|delete|take\s+out|drop|take)\s+(?P<what>[^,.;]+?)\s+(?:from|off|out\s+of)\s+"
        rf"{_HOLDER}(?=\s*(?:[,.;]|$|and\s|then\s))",
        lambda m: f"{'remove' if m['act'].lower().startswith('take') else m['act']} {m['what']}",
    ),
    # "choose a large tea with oat milk": several choices that one thing is told by
    turn(
        r"\b(?:choose|select|pick|take|go\s+for|opt\s+for)\s+"
        r"(?P<rest>an?\s(?!(?:[\w-]+\s)?(?:date|day|time|file|month|year|number|random)\b)[^,.;]*?"
        r"\s(?:with|in)\s[^,.;]+)",
        r"set up \g<rest>",
    ),
    # A time slot by its time.
    turn(
        rf"\b(?P<act>choose|select|pick|take)\s+the\s+(?:{_KIND}\s+){{1,2}}(?:of\s+)?(?P<name>{_NAME})"
        r"(?=\s*(?:[,.;]|$|and\s|then\s))",
        r"\g<act> \g<name>",
    ),
    # "put “Bread” on the chores list"
    turn(
        r"\b(?:put|write|note(?:\s+down)?|jot(?:\s+down)?|enter|type|include|place|insert|append)\s+"
        rf"(?P<what>(?:(?:the|an?)\s+[\w-]+\s+)?[\ue000-\ue7ff])\s+(?:on|onto|in|into|to|at\s+the\s+end"
        rf"\s+of)\s+(?P<list>{_LIST})(?=\s*(?:[,.;]|$|and\s|then\s))",
        _added,
    ),
)
