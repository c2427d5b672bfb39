"""The verb `switch` in English: to another window, tab, view or setting."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import OTHER
from carrel.models.steps.language.english.levels import set_value
from carrel.models.steps.language.english.pointer import PATH
from carrel.models.steps.language.english.ticks import tick
from carrel.models.steps.language.numbers import ORDINALS
from carrel.models.steps.language.talk import NotUnderstood, Talk, trim
from carrel.models.steps.program import Choose, Find, Point, Press, Run, Step, SwitchTo

__all__ = ["switch"]

_DIRECTORY = re.compile(
    rf"(?:the\s+)?(?:[\w-]+\s+)?(?:directory|folder)\s*(?:(?P<path>{OTHER})|"
    r"(?:with|using|via)\s+(?P<command>cd\s\S+))",
    re.IGNORECASE,
)


_NTH = rf"(?:{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th))"


def _refuse_both(body: str) -> None:
    """One thing and then another.

    Raises:
        NotUnderstood: It does not say which comes when.
    """
    if re.search(r"\sand\s+back(?:\s+again)?$", body, re.IGNORECASE):
        raise NotUnderstood("back to what? One step for each")
    if re.search(r"\s(?:twice|\w+ times)$", body, re.IGNORECASE):
        raise NotUnderstood("from what to what? One step for each")


def switch(rest: str, talk: Talk) -> list[Step]:
    """To another window or tab."""
    body = re.sub(r"^(?:back|over)\s+(?=to\s)", "", trim(rest), flags=re.IGNORECASE)
    _refuse_both(body)
    if re.fullmatch(r"(?:to\s+)?the\s+(?:other|previous|last)\s+window", body, re.IGNORECASE):
        talk.put_aside(body)
        return [Press(("alt+tab",))]
    if re.fullmatch(rf"(?:to\s+)?the\s+{_NTH}\s+(?:window|application|app)", body, re.IGNORECASE):
        raise NotUnderstood("windows have no order; say words of its title, or its program")
    if found := re.fullmatch(
        r"(?:to\s+)?(?:the\s+)?(?:window\s+(?:titled\s+|named\s+)?(?P<a>.+)|"
        r"(?P<b>.+?)\s+(?:window|application|app))",
        body,
        re.IGNORECASE,
    ):
        _refuse_described(body)
        return [SwitchTo(talk.text(found["a"] or found["b"]))]
    if re.match(r"(?:to\s+)?the\s+one\s", body, re.IGNORECASE):
        return [Point(talk.phrase(re.sub(r"^to\s+", "", body)))]
    if re.match(r"(?:between|through|among)\b", body, re.IGNORECASE):
        return [Find(talk.phrase(re.sub(r"^\w+\s+", "", body)))]
    if found := re.fullmatch(r"(?P<what>.+?)\s+(?P<on>on|off)", body, re.IGNORECASE):
        return tick(found["what"], talk, on=found["on"].lower() == "on")
    if there := _DIRECTORY.fullmatch(re.sub(r"^to\s+", "", body)):
        talk.put_aside(body)
        path = talk.atoms.text(there["path"]) if there["path"] else ""
        return [Run(talk.atoms.original(there["command"]) if there["command"] else f"cd {path}")]
    if both := re.fullmatch(r"from\s+(?P<old>.+?)\s+to\s+(?P<new>.+)", body, re.IGNORECASE):
        talk.put_aside(both["old"])
        return [Choose((talk.phrase(both["new"]),))]
    if setting := re.fullmatch(
        r"(?P<what>(?:the|my)\s.+?)\s+(?:back\s+|over\s+)?to\s+(?P<value>\S.*)", body, re.IGNORECASE
    ):
        return set_value(f"{setting['what']} to {setting['value']}", talk)
    bare = re.sub(r"^to\s+", "", body, flags=re.IGNORECASE)
    if len(parts := PATH.split(bare)) > 1:
        return [Choose(tuple(talk.phrase(part) for part in parts), path=True)]
    if re.search(r"\b(?:tab|page|view|mode|section|sheet|worksheet)\b", bare, re.IGNORECASE):
        return [Point(talk.phrase(bare))]
    _refuse_described(bare)
    return [SwitchTo(talk.atoms.text(re.sub(r"^the\s+", "", bare, flags=re.IGNORECASE)))]


def _refuse_described(body: str) -> None:
    """A window goes by its title or its program.

    Raises:
        NotUnderstood: Only what it shows is told.
    """
    if re.search(r"\s(?:that|which|where|with)\s|\sand\s(?=[a-z])|\b(?:folder|directory)\b", body):
        raise NotUnderstood("which window? Say words of its title, or its program")
