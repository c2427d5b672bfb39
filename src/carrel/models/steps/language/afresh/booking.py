"""A journey to be booked: its particulars in any order, as wishes or as a demand.

Where every word tells from where, to where, when, or which of the offers, it is one booking with
these particulars.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, listed, whole
from carrel.models.steps.language.atoms import ANY, DATED, QUOTE

__all__ = ["BOOKING"]

_CITY = (
    rf"(?:{QUOTE}|"
    rf"(?:St\.\s)?(?-i:[A-Z])[\w'’-]*(?:\s(?-i:[A-Z])[\w'’-]*)*(?:,\s(?-i:[A-Z]{{2}})\b)?"
    r"(?:\s\((?-i:[A-Z]{3})\))?)"
)
_FROM = re.compile(
    r"\b(?:(?:from|origin\s*:?|out\s+of|leav(?:e|es|ing)|depart(?:s|ing)?)\s+(?:is\s+|"
    rf"from\s+)?(?P<a>{_CITY})|"
    rf"(?:with\s+)?(?P<b>{_CITY})\s+as\s+(?:the\s+|my\s+)?(?:origin|start|starting\s+"
    r"(?:point|place)|departure(?:\s+\w+)?)|"
    rf"(?:starting|departure)\s+(?:point|place|airport|city)?\s*(?:is|:)?\s*(?P<c>{_CITY}))",
    re.IGNORECASE,
)
_TO = re.compile(
    r"\b(?:(?:to|destination\s*:?|into|bound\s+for|for|(?:be|get|arrive|land)\s+in|arriving\s+(?:in|"
    r"at)|going\s+to|"
    rf"arrival\s*:?)\s+(?:is\s+)?(?P<a>{_CITY})|"
    rf"(?:with\s+)?(?P<b>{_CITY})\s+as\s+(?:the\s+|my\s+)?(?:destination|goal|target|"
    r"arrival(?:\s+\w+)?))",
    re.IGNORECASE,
)
_ON = re.compile(
    r"\b(?:(?:on|for|departing|leaving|date|day|dated|the)\s*:?\s*(?:is\s+|on\s+"
    rf")?)*(?P<a>{DATED})",
    re.IGNORECASE,
)
_BOOK = re.compile(r"\b(?:book|reserve|booking|reservation|fly|buy|purchase)\b", re.IGNORECASE)
_BOOKS = re.compile(r"\b(?:book|reserve|booking|reservation|buy|purchase)\b", re.IGNORECASE)
_WHICH = re.compile(
    r"\b(?P<a>cheapest|shortest|fastest|quickest|longest|earliest|latest|most\s+expensive)\b",
    re.IGNORECASE,
)
_NOUN = re.compile(r"\b(?P<a>flight|train|bus|ticket|journey|trip|ferry)\b", re.IGNORECASE)
_FLIES = re.compile(r"\bfl(?:y|ies|ying|ight)", re.IGNORECASE)
_WAY = re.compile(r"\b(?P<a>one|round|single|return)[\s-](?:way|trip)\b", re.IGNORECASE)
_WORDS = listed(
    "i we me us my our want wants need needs would d like please can could you to go goes "
    "going fly flying travel travelling traveling get book booking reserve reservation make "
    "made place buy purchase find search look for a an the one it that which is and with as "
    "on in of this leaves leaving departs departing arrives arriving take choose pick select "
    "trip flight flights journey ticket there being date day from by at ll m way only option "
    "offer available then should must will leave depart arrive be have coming whichever flights"
)


def _plain(said: str) -> str:
    rest = said
    told: dict[str, str] = {}
    for name, pattern in (
        *(("on", _ON), ("from", _FROM), ("to", _TO)),
        *(("way", _WAY), ("which", _WHICH), ("noun", _NOUN)),
    ):
        found = pattern.search(rest)
        if found is None:
            continue
        told[name] = next(text for text in found.groups() if text)
        rest = f"{rest[: found.start()]} , {rest[found.end() :]}"
    if not {"from", "to", "on"} <= told.keys():
        return ""
    # Who only wants to fly, and not with which of the flights, books none.
    if not (_BOOK if "which" in told else _BOOKS).search(said):
        return ""
    words = re.findall(r"[^\W_]+", rest.casefold())
    if re.search(ANY, rest) or any(word not in _WORDS for word in words):
        return ""
    if told.get("way", "one").lower() != "one":
        return ""
    which = f"{told['which'].lower()} " if "which" in told else ""
    way = "one-way " if "way" in told else ""
    noun = told.get("noun", "").lower()
    # Who flies takes a flight, whatever it is called.
    noun = "flight" if noun in ("", "trip", "journey") and _FLIES.search(said) else noun or "trip"
    places = ", ".join(f"{word}: {_quoted(told[word])}" for word in ("from", "to", "on"))
    return f"Book the {which}{way}{noun} ({places})"


def _quoted(said: str) -> str:
    return said if re.fullmatch(QUOTE, said) else f'"{said}"'


BOOKING: tuple[Turn, ...] = (whole(_plain),)
