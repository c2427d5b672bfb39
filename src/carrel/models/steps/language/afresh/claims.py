"""What should be so, said in passing: as the plain claims that there are rules for."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["CLAIMS"]

_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|no)"
_STATE = (
    r"(?:ticked|checked|unchecked|unticked|selected|enabled|disabled|on|off|visible|hidden|empty|"
    r"active|expanded|collapsed|turned on|turned off|switched on|switched off)"
)
_START = r"(?:^|(?<=[.;] ))(?:(?:then|and|also|finally|now)\s+)?"
_LEAD = r"(?:verify|check|make sure|ensure|confirm|assert|expect)(?: that)?\s+"
_CLAIM = rf"(?P<lead>{_START}(?:{_LEAD})?)"
_THING = r"(?P<what>(?!verify|check|make|ensure|confirm|assert|expect)[^,.;]{2,60}?)"
_BE = r"(?:should|must)\s+(?:now\s+|still\s+|also\s+|both\s+)?be|(?:is|are)(?:\s+now|\s+still)?"
_BEFORE = ("before", "above", "over")

_WITH = (
    r"(?:(?:(?:together |along )?with|including|plus)\s[^,.;\"“]+?|in (?:total|sum)|all in all|"
    r"altogether)"
)

CLAIMS: tuple[Turn, ...] = (
    # "With the delivery fee the total should come to 15.00", "all in all it should cost 45.10"
    turn(
        rf"{_CLAIM}{_WITH},?\s(?P<what>(?:the|it|this|that|everything)\b[^,.;]*?)\s"
        r"(?P<should>(?:should|must)\s[^;]*\d[^;]*?)$",
        lambda m: f"{m['lead']}{_summed(m['what'])} {m['should']}",
    ),
    # "Dark should be the selected theme"
    turn(
        rf"{_CLAIM}{_THING}\s+(?:{_BE})\s+the\s+(?P<state>selected|chosen|active|current|checked)"
        r"\s+(?P<sort>\w+)(?=[.;]|$)",
        lambda m: f"verify that {m['what']} is {_plain_state(m['state'])}",
    ),
    # the same of a list: "Deutsch should be the selected language"
    turn(
        rf"{_CLAIM}{_THING}\s+(?:{_BE})\s+the\s+(?:selected|chosen|active|current)"
        r"\s+(?P<sort>\w+)(?=[.;]|$)",
        lambda m: f"verify that the {m['sort']} is {m['what']}",
    ),
    # "Digests should be turned on and Pushes off", "A is ticked, and B is not"
    turn(
        rf"{_CLAIM}{_THING}\s+(?:{_BE})\s+(?P<state>{_STATE}),?\s+(?:and|but|while)\s+"
        rf"(?P<other>[^,.;]{{2,60}}?)\s+(?:(?:{_BE})\s+)?(?P<second>not|{_STATE})(?=[.;]|$)",
        lambda m: (
            f"verify that {m['what']} is {m['state']}. Verify that {m['other']} is "
            f"{_second(m['state'], m['second'])}"
        ),
    ),
    # "Email digests should be turned on", where it begins like an act
    turn(
        rf"{_CLAIM}{_THING}\s+(?:should|must)\s+(?P<neg>not\s+)?be\s+(?P<state>{_STATE})(?=[.;]|$)",
        lambda m: f"verify that {_as_thing(m['what'])} is {'not ' if m['neg'] else ''}{m['state']}",
    ),
    # "The slider should stand at 40"
    turn(
        r"\b(?:should|must)\s+(?:stand|sit|rest|be(?:\s+set)?)\s+(?:at|on)\s+(?=\d|[\ue000-\uf8ff])",
        "should be ",
    ),
    # "1042 comes before 1043 in the list"
    turn(
        rf"{_CLAIM}(?!nothing\b|nobody\b|none\b){_THING}(?<!not)(?<!n't)(?<!n’t)\s+(?:comes?|stands?|is\s+listed|should\s+(?:come|stand|be(?:\s+listed)?))"
        r"\s+(?:right\s+|directly\s+)?(?P<way>before|above|over|after|below|under)\s+"
        r"(?P<other>[^,.;]{1,60}?)(?:\s+in\s+the\s+(?:list|table))?(?=[.;]|$)",
        lambda m: (
            f"verify that the text {_quoted(m['what'])} is "
            f"{'above' if m['way'].lower() in _BEFORE else 'below'} the text {_quoted(m['other'])}"
        ),
    ),
    # "expect 4 rows in the table"
    turn(
        rf"{_START}{_LEAD}(?P<count>{_NUMBER}\s+[a-z]+(?:\s+in\s+the\s+\w+)?)(?=[.;]|$)",
        lambda m: f"verify that there are {m['count']}",
    ),
    # "Mia Brandt has two orders", of which each is a row
    turn(
        rf"{_CLAIM}(?P<who>(?!each|every|all|no)(?-i:[A-Z])[\w-]+(?:\s(?-i:[A-Z])[\w-]+)*)\s+(?:has|should\s+have)\s+"
        rf"(?P<count>{_NUMBER})\s+(?P<sort>[a-z]+)(?=[.;]|$)",
        lambda m: f'verify that there are {m["count"]} rows with "{m["who"]}"',
    ),
    # "The first row shows A and the last one B"
    turn(
        r"\bthe\s+(?P<nth>first|last|second|third|top|bottom)\s+(?P<sort>row|item|entry|line)\s+"
        r"(?P<verb>shows|is|reads|contains|says)\s+(?P<a>[^,.;]+?),?\s+and\s+the\s+"
        r"(?P<other>first|last|second|third|top|bottom)\s+one\s+(?P<b>[^,.;]+)",
        lambda m: (
            f"verify that the {m['nth']} {m['sort']} contains {m['a']}. Verify that the "
            f"{m['other']} {m['sort']} contains {m['b']}"
        ),
    ),
    # "The lamp should be the last item in the basket"
    turn(
        rf"{_CLAIM}(?:the\s+)?{_THING}\s+(?:{_BE})\s+the\s+(?P<nth>first|last|second|third)\s+"
        r"(?P<sort>item|entry|row|one|product|message|task|result)(?:\s+(?:in|of|on)\s+the\s+"
        r"(?P<where>[a-z]+))?(?=[.;]|$)",
        lambda m: f"verify that the {m['nth']} {_row(m['sort'])} contains {m['what']}",
    ),
)


def _plain_state(state: str) -> str:
    return "selected" if state.lower() in ("chosen", "current", "active") else state


def _second(first: str, second: str) -> str:
    return f"not {first}" if second.lower() == "not" else second


def _as_thing(what: str) -> str:
    """A name that begins like an act, as a thing: “order 1041” is “the order 1041”."""
    begun = re.match(r"(?P<noun>[A-Z][a-z]+)\s(?=\S*\d)", what)
    return f"the {what[0].lower()}{what[1:]}" if begun is not None else what


def _quoted(what: str) -> str:
    return what if re.search(r"[\ue000-\uf8ff]", what) else f'"{what}"'


def _row(sort: str) -> str:
    return "row" if sort.lower() in ("one", "row") else "item"


def _summed(what: str) -> str:
    return "the total" if re.fullmatch(r"it|this|that|everything", what) else what
