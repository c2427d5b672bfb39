"""Check boxes and switches, in English words."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.listing import ALL_BUT, names_of
from carrel.models.steps.language.talk import EACH, Talk, each_of, first_few, for_each, trim
from carrel.models.steps.program import Point, Step, Tick

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
    if but := _BUT_NOT.fullmatch(body):
        return [*tick(but["what"], talk, on=on), *tick(but["but"], talk, on=not on)]
    if there := THERE.fullmatch(body):
        inner = tick(there["what"], talk, on=on)
        return [
            replace(step, place=talk.phrase(there["place"] or there["under"])) for step in inner
        ]
    names, said = names_of(body, talk)
    return [Tick(names, on, said=said)]


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
