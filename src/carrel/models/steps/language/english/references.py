"""What `next to it`, `the same row`, `the last one` and `there` stand for: what was said before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from carrel.models.steps.language.numbers import ORDINALS
from carrel.models.steps.language.spoken import spoken_of
from carrel.models.steps.program import (
    Check,
    Compare,
    Condition,
    Count,
    Every,
    GoTo,
    Has,
    Navigate,
    Not,
    Open,
    Perform,
    Point,
    Run,
    Step,
    SwitchTo,
    Unclear,
)

__all__ = ["THERE", "dialog_before", "made_before", "output_of", "place_meant", "refer"]

THERE = "there"
"""A place that was spoken of before."""
_IT = r"(?:it|them|that one|this one|him|her)"
_BESIDE = re.compile(
    r"(?P<what>.+\s(?:below|above|under|underneath|over|beside|next to|left of|right of|near|"
    r"inside|in front of|behind|after|before|with|beneath|within|around|in|on|of|for|from|at))\s+"
    rf"{_IT}",
    re.IGNORECASE,
)
_THAT = re.compile(
    r"(?P<which>that|this|those|these|the same|that same|this very|that very)\s+"
    r"(?P<noun>[a-z][a-z-]*(?:\s[a-z-]+)?)",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    r"(?P<what>\S.*?)\s+(?P<at>in|on|of|inside|within|from|next to|below|above|under)\s+"
    r"(?:that|this|the same|that same)\s+(?P<noun>[a-z][a-z-]*)",
    re.IGNORECASE,
)
_ITS = re.compile(
    r"(?P<what>\S.*\s(?:in|on|at|of|beside|next to|below|above|under|from|inside|near|left of|"
    r"right of))"
    r"\s+(?:its|their)\s+(?P<noun>[a-z][\w -]*)",
    re.IGNORECASE,
)
_ONE = re.compile(
    rf"the\s+(?:(?P<which>{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th)|last|next|previous|other)\s+one"
    r"(?P<more>\s.+)?|one(?P<where>\s+(?:below|above|next to|under|beside|right of|left of|"
    r"after)\s.+))",
    re.IGNORECASE,
)
_PLACED_IT = re.compile(
    r"(?:it|they|he|she)\s+(?P<where>(?:in|on|under|at|inside|within|below|above|next to|beside|"
    r"among|near)\s\S.*)",
    re.IGNORECASE,
)


def _unplaced(thing: str) -> str:
    """Where it was before tells nothing of where it is now."""
    return re.sub(r"\s(?:in|on|from|under|of)\s(?:the|my|your)\s[^\"]+$", "", thing) or thing


_LINES = ("row", "line", "entry", "item", "record", "card", "thing")
_KIND = re.compile(
    r"\b(?P<kind>button|link|icon|tab|menu|item|field|box|checkbox|option|row|column|cell|card|"
    r"message|mail|email|entry|result|file|folder|image|picture|line|list|table|section|product|"
    r"order|task|note|post|comment|page|window|dialog|switch|slider|paragraph|word|event|user|"
    r"record|tile|track|song|video|photo|track)(?:e?s)?\b",
    re.IGNORECASE,
)

_ONLY = re.compile(
    r"only\s+(?:the\s+)?(?:[a-z-]+\s)??(?P<kind>[a-z-]+?)(?:(?<=[sxh])e)?s"
    r"(?=$|\s(?:that|which|who|with|without|in|on|from|by|under|for|of)\s)",
    re.IGNORECASE,
)
"""What is shown alone, of which one may be meant next."""


def refer(phrase: str, before: Sequence[Step], place: str | None = None) -> str | None:
    """The thing in words of its own; the phrase itself where it speaks of nothing said before.

    Args:
        phrase: A thing in words.
        before: What was said before it.
        place: Where it is, where that was said with it.

    Returns:
        None where it does, and nothing before it fits.
    """
    if re.fullmatch(r"(?:it|they) there", phrase, re.IGNORECASE):
        # "… go to the Starred view and check that it is there": what was named before that.
        elsewhere = [
            step for step in before if not isinstance(step, GoTo | Navigate | Open | SwitchTo)
        ]
        return spoken_of(elsewhere) or spoken_of(before)
    if (placed := _PLACED_IT.fullmatch(phrase)) and (thing := spoken_of(before)):
        return f"{_unplaced(thing)} {placed['where']}"
    if inside := _INSIDE.fullmatch(phrase):
        if place and re.search(rf"\b{inside['noun']}\b", place, re.IGNORECASE):
            return inside["what"]
        there = _mentioned(inside["noun"], before)
        return f"{inside['what']} {inside['at']} {there}" if there else phrase
    if (within := re.fullmatch(r"(?P<what>the\s.+?)\s+(?:inside|within)", phrase)) and before:
        thing = spoken_of(before)
        return None if thing is None else f"{within['what']} in {thing}"
    if beside := _BESIDE.fullmatch(phrase):
        thing = spoken_of(before)
        return None if thing is None else refer(f"{beside['what']} {thing}", before, place)
    if that := _THAT.fullmatch(phrase):
        same = "same" in that["which"].lower()
        return _mentioned(that["noun"], before) or (None if same else phrase)
    # In the same place something was found first: that is nearer than the place.
    near = spoken_of(before) if before and before[-1].place == place else None
    if (its := _ITS.fullmatch(phrase)) and (thing := near or place or spoken_of(before)):
        return f"{its['what']} the {its['noun']} of {thing}"
    return _one_meant(phrase, before, place)


def _one_meant(phrase: str, before: Sequence[Step], place: str | None) -> str:
    """`the last one`, `the one from Ann`: of the kind that was named before."""
    told = [Point(place)] if place else []
    if (one := _ONE.fullmatch(phrase)) and (counted := _counted(before, one)):
        return counted
    if (one := _ONE.fullmatch(phrase)) and (kind := _kind_before([*before, *told])):
        which = f"{one['which']} " if one["which"] else ""
        return f"the {which}{kind}{one['more'] or one['where'] or ''}"
    if (of := _ONE_OF.fullmatch(phrase)) and (held := _HOLDER.fullmatch(spoken_of(before) or "")):
        return f"the {held['noun'].lower()}{of['more']}"
    if (of := _ONE_OF.fullmatch(phrase)) and (noun := _head(spoken_of([*before, *told]))):
        return f"the {noun}{of['more']}"
    if (other := _OTHER_ONE.fullmatch(phrase)) and (noun := _head(spoken_of([*before, *told]))):
        return f"the {other['which']} {re.sub(r'(?<=[^s])s$', '', noun)}"
    return phrase


# "open the Statements tab and download the one for May": one of what it holds.
_HOLDER = re.compile(
    r"the\s+(?P<noun>[A-Za-z]+[^s\W])s\s+(?:tab|page|list|section|folder|menu|table|view|screen|panel)",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"the\s+one(?P<more>\s+(?:from|by|with|for|named|called|in|on|at|about|to|of|that|whose)\s.+)",
    re.IGNORECASE,
)


def _counted(before: Sequence[Step], one: re.Match[str]) -> str | None:
    """`the list has 8 entries and the last one is …`: one of those that were counted."""
    last = before[-1] if before else None
    condition = last.condition if isinstance(last, Check) else None
    if not isinstance(condition, Count) or not one["which"]:
        return None
    noun, *place = re.split(r"(?=\s(?:in|on|of|under)\s)", condition.what, maxsplit=1)
    singular = re.sub(r"ies$", "y", noun) if noun.endswith("ies") else re.sub(r"s$", "", noun)
    return f"the {one['which']} {singular}{''.join(place)}{one['more'] or ''}"


_OTHER_ONE = re.compile(r"the\s+(?P<which>(?!same\b)[\w-]+)\s+one", re.IGNORECASE)


def _head(phrase: str | None) -> str | None:
    """The noun of a thing: `layout` of `a German keyboard layout`."""
    said = re.split(
        r"\s(?:in|on|of|from|at|with|for|by|about|that|which|called|named|under|next)\s",
        phrase or "",
    )[0]
    if whose := re.fullmatch(r"(?:the\s)?\S+['’]s\s(?P<noun>[a-z][a-z -]*)", said):
        return whose["noun"]
    noun = re.search(r"[a-z]+$", said)
    return noun[0] if noun and re.match(r"(?:the|an?|my|your|this)\s", said) else None


def _mentioned(noun: str, before: Sequence[Step]) -> str | None:
    """The last thing of this kind that was named."""
    head = re.compile(rf"\b{re.escape(noun)}\b", re.IGNORECASE)
    said = (phrase for step in reversed(before) for phrase in (*_made(step), *_phrases(step)))
    found = next((p for p in said if head.search(p) and not _THAT.fullmatch(p)), None)
    # A line of a table is a row, and an entry, and an item.
    if found or noun.lower() not in _LINES:
        return found
    thing = spoken_of(before)
    if thing is None or noun.lower() != "row":
        return thing
    if owner := re.fullmatch(r"the\s[\w -]+?\sof\s(?P<of>.+)", thing):
        return f"the row of {owner['of']}"
    named = re.fullmatch(r'"[^"]+"|[A-Z]\S*(?: [A-Z]\S*)*', thing)
    return f"the row of {thing}" if named or _IN_ROW.search(thing) else thing


_NEW = re.compile(
    r"(?:the|that|this)\s+(?:new\s+|newly\s+(?:created|made)\s+|just\s+(?:created|made)\s+|same\s+)?"
    r"(?P<noun>folder|directory|file|document)(?:\s+(?:you|I|we)\s+(?:just\s+)?(?:created|made))?",
    re.IGNORECASE,
)


def made_before(phrase: str, before: Sequence[Step]) -> str | None:
    """What was made just before under a name, where a phrase says no more than what it is."""
    found = _NEW.fullmatch(phrase.strip())
    if found is None:
        return None
    made = [one for step in before for one in _made(step)]
    names = [
        name for one in made if (name := one.removeprefix(f"the {found['noun'].lower()} ")) != one
    ]
    return names[-1] if names else None


def _made(step: Step) -> Iterator[str]:
    """What a step makes under a name: `create a folder named X` makes the folder "X"."""
    if not isinstance(step, Perform) or step.verb not in ("create", "make", "add", "new"):
        return
    names = [text for word, text in step.details if word in _NAMING]
    noun = re.search(r"[a-z-]+$", step.what or "")
    if len(names) == 1 and noun:
        yield f'the {noun[0]} "{names[0]}"'


_NAMING = ("named", "called", "name", "titled", "with the name")
_IN_ROW = re.compile(r"\b(?:field|box|input|checkbox|button|icon|switch)\b", re.IGNORECASE)


_DIALOG = re.compile(
    r"(?:^|.*\s(?:in|on|of|from)\s+)(?P<what>(?:the|an?|this|that)\s+(?:[^,]*?\s)?(?:dialog(?:ue)?"
    r"(?: box)?|pop-?up|modal|prompt)\b.*)",
    re.IGNORECASE,
)


def dialog_before(before: Sequence[Step]) -> str | None:
    """The dialog that the step just before was done in, as it was first called."""
    last = [p for p in _phrases(before[-1]) if _DIALOG.fullmatch(p)] if before else []
    if not last:
        return None
    found = _DIALOG.fullmatch(last[0])
    named = [p for step in before[:-1] for p in _phrases(step) if _DIALOG.match(p)]
    return named[-1] if named else found and found["what"]


def _kind_before(before: Sequence[Step]) -> str | None:
    for step in reversed(before):
        for phrase in _phrases(step):
            if found := _KIND.search(phrase) or _ONLY.match(phrase):
                return found["kind"].lower()
    return None


def _phrases(step: Step | Condition) -> Iterator[str]:
    """Every thing that a step or a condition names."""
    for name in ("what", "into", "source", "onto", "options", "place", "until", "condition"):
        value = getattr(step, name, None)
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from (one for one in value if isinstance(one, str))
        elif isinstance(value, Condition):
            yield from _phrases(value)
    for one in getattr(step, "conditions", ()):
        yield from _phrases(one)


# What leads somewhere else is not a place itself: what it shows is in front then.
_LEADS = re.compile(
    r"\b(?:tab|link|button|menu|icon|page|window|dialog|app|program|terminal|editor|settings|"
    r"screen)\b",
    re.IGNORECASE,
)


_NTH = rf"the (?:{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th)|last|next|other)"
_NTH_ALONE = re.compile(_NTH, re.IGNORECASE)


def _with_noun(place: str, before: Sequence[Step]) -> str:
    """`in the first section …, in the second …`: the noun is said once."""
    last = next((step.place for step in reversed(before) if step.place), None)
    noun = re.fullmatch(rf"{_NTH} (?P<noun>.+)", last or "", re.IGNORECASE)
    return f"{place} {noun['noun']}" if noun else place


def place_meant(step: Step, before: Sequence[Step]) -> Step:
    """The step where `there` or `in it` is; nothing where that was named before."""
    if step.place is None:
        return step
    if that := _THAT.fullmatch(step.place):
        named = _mentioned(that["noun"], before)
        return replace(step, place=named) if named else step
    if _NTH_ALONE.fullmatch(step.place):
        return replace(step, place=_with_noun(step.place, before))
    if not re.fullmatch(rf"{THERE}|here|{_IT}", step.place, re.IGNORECASE):
        return step
    for earlier in reversed(before):
        if isinstance(earlier, GoTo | SwitchTo | Navigate | Open):
            return replace(step, place=None)
        if earlier.place:
            return replace(step, place=earlier.place)
        if isinstance(earlier, Point) and _LEADS.search(earlier.what):
            return replace(step, place=None)
        if (named := spoken_of([earlier])) is not None:
            return replace(step, place=named)
    why = f"“{step.words}”: nothing was named before that “{step.place}” could stand for"
    return Unclear(why=why, words=step.words, line=step.line)


_OUTPUT = re.compile(
    r"it|(?:the|its|that|this)(?: command(?:['’]s)?)? (?:output|result)(?: of (?:it|the command))?",
    re.IGNORECASE,
)


def output_of(condition: Condition, before: list[Step], name: str) -> Condition:
    """`run X and check that it says Y`: what the command answered, which is remembered for that."""
    if isinstance(condition, Not):
        return Not(output_of(condition.condition, before, name))
    if isinstance(condition, Every):
        parts = tuple(output_of(one, before, name) for one in condition.conditions)
        return replace(condition, conditions=parts)
    last = before[-1] if before else None
    if not isinstance(condition, Has) or not isinstance(last, Run):
        return condition
    if not _OUTPUT.fullmatch(condition.what):
        return condition
    if last.name is None:
        last = before[-1] = replace(last, name=name)
    return Compare(f"{{{last.name}}}", condition.how, condition.text)
