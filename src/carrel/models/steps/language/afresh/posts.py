"""What is done on something by somebody: the act, the thing and its author in any order."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["POSTS"]

_START = r"(?:^|(?<=[.!?;:]\s)|(?<=\bthen\s))"
_CLICK = r"(?:press|hit|click|tap|choose|select|pick|use|push)(?:\s+on)?"
_NAME = (
    rf"(?P<name>(?:the\s+)?(?:{QUOTE}|(?-i:[A-Z])[\w’'-]*(?:\s(?-i:[A-Z])[\w’'-]*)*)(?:\s+"
    rf"(?:button|link|icon|action|option))?)"
)
_NOUN = (
    r"(?:posts?|tweets?|messages?|comments?|mails?|e-?mails?|entry|entries|cards?|articles?|"
    r"reviews?|"
    r"notes?|items?|replies|reply|rows?|photos?|pictures?|videos?)"
)
_BY = (
    r"(?:by|from|of|written\s+by|posted\s+by|sent\s+by|made\s+by|that\s+(?:is|are|was|were)\s+"
    r"(?:written\s+|posted\s+|sent\s+)?by)"
)
_WHO = rf"(?P<who>@\w[\w.-]*|{QUOTE}|(?-i:[A-Z])[\w’'-]*(?:\s(?-i:[A-Z])[\w’'-]*)*)"
_WROTE = r"(?:(?:has|have)\s+)?(?:wrote|written|posted|sent|made|shared|published)"
_ONE = (
    rf"(?:the|a)\s+(?P<noun>{_NOUN})\s+(?:{_BY}\s+{_WHO}|(?:that\s+|which\s+"
    rf")?{_WHO.replace('who', 'whom')}\s+{_WROTE})"
)
_ON = r"(?:on|in|for|at|of|below|under)"
_MANY = (
    rf"(?P<many>{_NOUN})\s+(?:{_BY}\s+{_WHO}|(?:that\s+|which\s+)?{_WHO.replace('who', 'whom')}\s+"
    rf"{_WROTE})"
)


def _who(found: re.Match[str]) -> str:
    return found["who"] or found["whom"]


def _in_one(found: re.Match[str]) -> str:
    return f"in the {found['noun']} by {_who(found)}, click {found['name']}"


def _in_each(found: re.Match[str]) -> str:
    return f"click {found['name']} in all the {_plural(found['many'])} by {_who(found)}"


def _in_some(found: re.Match[str]) -> str:
    return f"click {found['name']} in {found['n']} {_plural(found['many'])} by {_who(found)}"


def _plural(noun: str) -> str:
    """`post` and `posts` as `posts`, `reply` as `replies`."""
    return re.sub(r"ys$", "ies", noun.lower().removesuffix("s") + "s")


_EACH = r"(?:each|every|all)(?:\s+(?:one\s+)?of)?(?:\s+(?:the|single))*"
_SOME = r"(?P<n>\d+|one|two|three|four|five|six|seven|eight|nine|ten)(?:\s+of)?(?:\s+the)?"
_THERE = (
    r"(?:there|on\s+(?:them|it|each(?:\s+of\s+them)?|each\s+one)|for\s+(?:them|it|each(?:\s+of\s+"
    r"them)?|each\s+one)|of\s+(?:it|them)|in\s+(?:it|them))"
)
_FIND = r"(?:find|look\s+for|locate|go\s+to|choose|select|pick|take|look\s+at|search\s+for|open)"
POSTS: tuple[Turn, ...] = (
    # "Press Pin on the card by Ann", "Use Like on the message that Ann sent"
    turn(rf"\b{_CLICK}\s+{_NAME}\s+{_ON}\s+{_ONE}", _in_one),
    # "Find what Ann has posted and choose Pin for it"
    turn(
        rf"{_START}(?:please\s+)?{_FIND}\s+what\s+{_WHO}\s+{_WROTE}(?P<whom>(?!))?,?\s+(?:and\s+|"
        rf"then\s+)*"
        rf"{_CLICK}\s+{_NAME}(?:\s+{_THERE})?",
        lambda m: f"in the post by {m['who']}, click {m['name']}",
    ),
    turn(
        rf"{_START}(?:please\s+)?{_FIND}\s+{_ONE},?\s+(?:and\s+|then\s+)*{_CLICK}\s+{_NAME}"
        rf"\s+{_THERE}",
        _in_one,
    ),
    # "Ann wrote a comment. Use Hide on it."
    turn(
        rf"{_START}{_WHO}\s+{_WROTE}\s+(?:an?|one)\s+(?P<noun>{_NOUN})[.;,]\s+(?:and\s+|please\s+"
        rf")*{_CLICK}\s+{_NAME}"
        r"\s+(?:on|for|in|of)\s+it",
        lambda m: f"in the {m['noun']} by {m['who']}, click {m['name']}",
    ),
    # "Every review of Ann should get a Like"
    turn(
        rf"{_START}(?:every|each)\s+(?P<many>{_NOUN})\s+{_BY}\s+{_WHO}(?P<whom>(?!))?\s+(?:should|"
        rf"must|shall|has\s+to|"
        rf"needs\s+to)\s+(?:get|have|receive)\s+an?\s+{_NAME}",
        _in_each,
    ),
    # "Go through the notes, and wherever the author is Ann, click Pin"
    turn(
        rf"{_START}(?:go|look)\s+through\s+(?:all\s+)?(?:the\s+)?(?P<many>{_NOUN}),?\s+(?:and\s+"
        rf")?(?:wherever|where|whenever|"
        rf"each\s+time|if)\s+(?:the\s+(?:author|sender|user|name|writer|poster)\s+is|it\s+is\s+by|"
        rf"one\s+is\s+by)\s+"
        rf"{_WHO}(?P<whom>(?!))?,\s+{_CLICK}\s+{_NAME}",
        _in_each,
    ),
    # "Use Archive on each of the mails from Ann"
    turn(rf"\b{_CLICK}\s+{_NAME}\s+{_ON}\s+{_EACH}\s+{_MANY}", _in_each),
    turn(
        rf"{_START}(?:for|on|in)\s+{_EACH}\s+{_MANY},\s+{_CLICK}\s+{_NAME}",
        _in_each,
    ),
    # "Press Hide for 5 of the notes that Ann wrote", "Choose 5 notes from Ann, use Pin there"
    turn(rf"\b{_CLICK}\s+{_NAME}\s+{_ON}\s+(?:any\s+)?{_SOME}\s+{_MANY}", _in_some),
    turn(
        rf"{_START}(?:please\s+)?{_FIND}\s+(?:any\s+)?{_SOME}\s+{_MANY},?\s+(?:and\s+|then\s+"
        rf")*{_CLICK}\s+"
        rf"{_NAME}(?:\s+{_THERE})?",
        _in_some,
    ),
)
