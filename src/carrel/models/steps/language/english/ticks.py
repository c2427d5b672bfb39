"""Check boxes and switches, in English words."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import QUOTE, TIMED
from carrel.models.steps.language.english.listing import ALL_BUT, names_of
from carrel.models.steps.language.talk import (
    EACH,
    NotUnderstood,
    Talk,
    each_of,
    first_few,
    for_each,
    listed,
    trim,
)
from carrel.models.steps.program import ForEach, Point, Step, Tick

__all__ = ["THERE", "tick", "toggle"]


def tick(rest: str, talk: Talk, *, on: bool = True) -> list[Step]:
    """Set check boxes and switches."""
    body = re.sub(r"^(?:on|off)\s+", "", trim(rest), flags=re.IGNORECASE)
    if re.fullmatch(r"nothing|none", body, re.IGNORECASE):
        return [Tick((), on)]
    body = re.sub(
        r"\s+(?:as (?:checked|ticked|done)|(?<!\bis )(?<!\bare )(?:back )?(?:on|off))$",
        "",
        body,
        flags=re.IGNORECASE,
    )
    if there := re.fullmatch(r"everything\s+(?P<in>(?:in|on|under|of)\s.+)", body, re.IGNORECASE):
        return [for_each(talk, f"checkboxes {there['in']}", Tick((f"{{{EACH}}}",), on))]
    if re.fullmatch(r"everything|all(?: of them)?", body, re.IGNORECASE):
        return [for_each(talk, "checkboxes", Tick((f"{{{EACH}}}",), on))]
    if but := ALL_BUT.fullmatch(body):
        return [for_each(talk, f"checkboxes {but['but']}", Tick((f"{{{EACH}}}",), on))]
    if what := each_of(body):
        return [for_each(talk, what, Tick((f"{{{EACH}}}",), on))]
    if few := first_few(body):
        return [for_each(talk, few[0], Tick((f"{{{EACH}}}",), on), limit=few[1])]
    if steps := _in_several(body, talk, on=on):
        return steps
    if but := _BUT_NOT.fullmatch(body):
        other = _same_head(but["what"], but["but"])
        return [*tick(but["what"], talk, on=on), *tick(other, talk, on=not on)]
    if there := THERE.fullmatch(body):
        inner = tick(there["what"], talk, on=on)
        return [
            replace(step, place=talk.phrase(there["place"] or there["under"])) for step in inner
        ]
    if re.search(rf"\s(?:from|at|until|till|between)\s+{TIMED}", body):
        raise NotUnderstood("when that is so is set by a step of its own")
    names, said = names_of(body, talk)
    return [Tick(names, on, said=said)]


def _in_several(body: str, talk: Talk, *, on: bool) -> list[Step] | None:
    """`the box in each row`, `only A`, `any boxes that are ticked`, `A for question 1, B for 2`."""
    if each := _IN_EACH.fullmatch(body):
        one = Tick((talk.phrase(each["what"]),), on, place=f"{{{EACH}}}")
        return [for_each(talk, each["every"], one)]
    if only := re.fullmatch(r"only\s+(?P<what>\S.*)", body, re.IGNORECASE):
        names, said = names_of(only["what"], talk)
        talk.put_aside(body)
        rest = ForEach(EACH, (Tick((f"{{{EACH}}}",), not on),), every="checkboxes", but=names)
        return [rest, Tick(names, on, said=said)]
    if some := re.fullmatch(r"any\s+(?P<what>(?:[\w-]+\s)*?(?:boxes|[a-z]+s)\b.*)", body):
        return [for_each(talk, some["what"], Tick((f"{{{EACH}}}",), on))]
    if beside := _BESIDE.fullmatch(body):
        talk.put_aside(beside["boxes"])
        boxes = (f"the box {beside['side']} {name}" for name in listed(beside["names"]))
        return [Tick(tuple(map(talk.phrase, boxes)), on)]
    if answers := _answers(body, talk):
        return [replace(step, on=on) for step in answers]
    return None


# "the boxes next to Ann and Bob": one beside each.
_BESIDE = re.compile(
    rf"the\s+(?P<boxes>check ?boxes|boxes)\s+(?P<side>next to|beside|before|in front of|for)\s+"
    rf"(?P<names>(?:{QUOTE}|(?-i:[A-Z])[\w'’-]*)(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:{QUOTE}|(?-i:[A-Z])[\w'’-]*))+)",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    rf"(?P<what>{QUOTE}|(?-i:[A-Z])\S*(?:\s\S+){{0,2}}?)\s+(?:for|in|under|at)\s+"
    r"(?P<where>(?:the\s+\w+\s+)?(?:question|row|line|day|step|item|section)(?:\s+\S+)?)",
    re.IGNORECASE,
)


def _answers(body: str, talk: Talk) -> list[Tick] | None:
    """`"Yes" for question 4, "No" for question 5`: each where its question is."""
    found = [_ANSWER.fullmatch(item) for item in listed(body)]
    if len(found) < 2 or not all(found):
        return None
    return [Tick((talk.phrase(f["what"]),), place=talk.phrase(f["where"])) for f in found if f]


_IN_EACH = re.compile(
    r"(?P<what>the\s.+?)\s+(?:in|on|of|for|next to|beside)\s+(?:the rows? of\s+)?"
    r"(?:each|every|all(?: of)?(?: the)?)\s+(?P<every>[a-z].*)",
    re.IGNORECASE,
)


def _same_head(what: str, but: str) -> str:
    """`mails for comments, but not for likes`: what they are is said once."""
    word = re.match(r"(?:for|in|from|on|about|to|by|with)\s", but, re.IGNORECASE)
    head = re.match(rf"(?P<head>.+?\s){word[0]}", what, re.IGNORECASE) if word else None
    return f"{head['head']}{but}" if head else but


_BUT_NOT = re.compile(
    r"(?P<what>.+?),?\s+(?:but(?: do)? not|and not|but leave out|not)\s+(?P<but>\S.*)",
    re.IGNORECASE,
)


_AREA = (
    r"settings|preferences|tab|page|section|panel|menu|screen|dialog|area|window|group|view|pane"
)


THERE = re.compile(
    rf"(?P<what>.+?)\s+(?:(?:in|on|under|inside|within)\s+(?P<place>(?:the|my|"
    rf"your)\s+(?:[\w&-]+\s+)"
    rf"{{0,4}}(?:{_AREA})|[A-Z][\w& -]*\s+(?:{_AREA}))|"
    r"under\s+(?P<under>[A-Z][\w&-]*(?:\s[A-Z]\w*)*))"
)


def toggle(rest: str, talk: Talk) -> list[Step]:
    """Bring a switch to its other state."""
    if found := re.fullmatch(r"(?P<what>.+?)\s+(?P<on>on|off)", trim(rest), re.IGNORECASE):
        return tick(found["what"], talk, on=found["on"].lower() == "on")
    return [Point(talk.phrase(rest))]
