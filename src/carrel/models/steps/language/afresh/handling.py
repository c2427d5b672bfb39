"""What people say of the controls that they use: a menu that is opened first, a hand on a slider.

Such words tell how a thing is taken hold of, or what it is in the world; on the screen it is one
control that is clicked, chosen or set.
"""

from __future__ import annotations

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import ANY

__all__ = ["HANDLING"]

_BEFORE = r"(?P<before>^|[.;!]\s*|,\s*(?:and\s+)?(?:then\s+)?|\b(?:and|then|please)\s+)"
_END = r"(?=\s*(?:[.;!,]|$|\s(?:and|then)\s))"
_NAME = rf"(?:{ANY}|(?-i:[A-Z@#\d])[\w.#-]*)"
_NAMES = rf"{_NAME}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+){_NAME})*"
_NUMBER = r"-?\d+(?:\.\d+)?"
_PLACES = r"(?:seat|place|slot|spot|table|desk|room|berth|cabin|locker|parking\s+space)s?"
_MAIL = (
    r"(?:newsletters?|mailing\s+lists?|updates?|e-?mails?|notifications?|alerts?|digests?|offers?)"
)
_SIGNS = {"star": "star", "heart": "like", "like": "like", "thumbs up": "like", "flag": "flag"}


HANDLING: tuple[Turn, ...] = (
    # "Open the menu and choose X", where it is open all the time
    turn(
        rf"{_BEFORE}open\s+(?:up\s+)?the\s+(?:menu|list|drop-?down(?:\s+(?:menu|list))?)"
        r"(?:,?\s+and\s+|,\s+(?:then\s+)?|\s+then\s+)(?:then\s+)?(?=(?:choose|select|pick|click|take)\b)",
        r"\g<before>",
    ),
    # "any letter that is small and click it"
    turn(
        r"\b(?P<verb>pick|choose|select|find|click(?:\s+on)?)\s+(?P<any>any|an?|one)\s+(?P<noun>[a-z]+)"
        r"\s+(?:that|which)\s+is\s+(?P<how>[a-z]+)"
        r"(?:\s*,?\s+(?:and\s+)?(?P<act>click|press|tap)(?:\s+on)?\s+it)?(?=[.;!]?$|[.;!,]\s)",
        lambda m: f"{m['act'] or m['verb']} {m['any']} {m['how']} {m['noun']}",
    ),
    # "a line from left to right"
    turn(
        r"\ba\s+(?:straight\s+)?line\s+(?:(?:going|running|that\s+(?:goes|runs))\s+)?from\s+(?:the\s+)?"
        r"(?:left\s+to\s+(?:the\s+)?right|right\s+to\s+(?:the\s+)?left|(?:one\s+)?side\s+to\s+"
        r"(?:side|the\s+other))",
        "a horizontal line",
    ),
    turn(
        r"\ba\s+(?:straight\s+)?line\s+(?:(?:going|running|that\s+(?:goes|runs))\s+)?from\s+(?:the\s+)?"
        r"(?:top\s+to\s+(?:the\s+)?bottom|bottom\s+to\s+(?:the\s+)?top)",
        "a vertical line",
    ),
    # "Use the spinner to set the value to -3"
    turn(
        rf"{_BEFORE}(?:use|with)\s+(?P<what>the\s+(?:[a-z]+\s+)?(?:spinner|slider|stepper|spin\s+box|"
        rf"dial|knob|wheel)),?\s+(?:to\s+)?(?:set|bring|change|adjust|get)\s+(?:the|its)\s+"
        rf"(?:value|number|amount)\s+to\s+(?P<n>{_NUMBER}|{ANY})",
        r"\g<before>set \g<what> to \g<n>",
    ),
    # "Reserve seats B2 and B3": what is clicked says only which
    turn(
        rf"{_BEFORE}(?:reserve|book|take|get|grab|pick)\s+(?:the\s+)?{_PLACES}\s+(?P<n>{_NAMES}){_END}",
        r"\g<before>choose \g<n>",
    ),
    # "take D7 off again": a second click takes it back
    turn(
        rf"{_BEFORE}(?:take\s+(?P<a>{_NAME})\s+(?:off|out|back|away)\s+again|"
        rf"(?:unselect|deselect|unpick|release|drop)\s+(?P<b>{_NAME})\s+again){_END}",
        lambda m: f"{m['before']}click {m['a'] or m['b']}",
    ),
    # "unsubscribe from the newsletter", where that is a box
    turn(
        rf"{_BEFORE}(?:unsubscribe\s+(?:from\s+)?|opt\s+out\s+of\s+)(?P<what>(?:(?:the|any|all)\s+)?"
        rf"(?:\w+\s+)?{_MAIL}){_END}",
        r"\g<before>untick \g<what>",
    ),
    turn(
        rf"{_BEFORE}(?:subscribe\s+to\s+|opt\s+in\s+to\s+|sign\s+up\s+for\s+)"
        rf"(?P<what>(?:the\s+)?(?:\w+\s+)?{_MAIL}){_END}",
        r"\g<before>tick \g<what>",
    ),
    # "give it a star", "give Ann's post a like"
    turn(
        rf"{_BEFORE}give\s+(?P<what>it|this|that|[^,.;]+?)\s+an?\s+(?P<sign>star|heart|like|thumbs\s+up|"
        rf"flag){_END}",
        lambda m: f"{m['before']}{_SIGNS[' '.join(m['sign'].lower().split())]} {m['what']}",
    ),
    # "confirm that you want to delete it", "confirm that you want it deleted"
    turn(
        rf"{_BEFORE}(?:confirm|say|affirm)\s+that\s+(?:you|I|we)\s+(?:really\s+|do\s+|indeed\s+)*"
        r"(?:want|wish|would\s+like|mean|intend|are\s+sure|am\s+sure)"
        r"(?:\s+(?:to|that|it|this|them|the|her|him)(?!\S)(?:(?!\b(?:not|no|never|without|or|only|"
        r"but|except|instead)\b)[^,.;])*?)?(?=[.;!]?$|[.;!,]\s)",
        r"\g<before>confirm",
    ),
    # "look up Ann in the address book", "look Ann up"
    turn(
        rf"{_BEFORE}look\s+(?P<who>{_NAME})\s+up\b",
        r"\g<before>find \g<who>",
    ),
    turn(rf"{_BEFORE}look\s+up\s+(?=(?:the\s+\w+\s+)?{_NAME})", r"\g<before>find "),
)
