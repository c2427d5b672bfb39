"""What was read, copied or typed before, and where that goes: `type it`, `remember it as NAME`."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.talk import HERE, IT
from carrel.models.steps.program import (
    Compute,
    Copy,
    Enter,
    Find,
    Let,
    Paste,
    Perform,
    Point,
    Press,
    Read,
    Run,
    Step,
    SwitchTo,
    Unclear,
)

__all__ = ["into_front", "lost", "renamed", "typed"]


def into_front(step: Step, before: list[Step]) -> bool:
    """`open X in a new tab and switch to it`: opened so that it comes to the front."""
    last = before[-1] if before else None
    said = step.title if isinstance(step, SwitchTo) else ""
    said = step.what if isinstance(step, Point) and step.how == "click" else said
    new = re.fullmatch(_NEW_TAB, said, re.IGNORECASE)
    if not new or not isinstance(last, Point) or last.how != "middle":
        return False
    before[-1] = replace(last, how="click", held=("ctrl", "shift"))
    return True


_NEW_TAB = r"it|(?:that|the new|the other|the opened) (?:browser )?(?:tab|page|one)|the new one"


def renamed(step: Step, before: list[Step]) -> bool:
    """`read X and remember it as NAME` is one step."""
    last = before[-1] if before else None
    saved = _saved_as(step)
    if saved and isinstance(last, Read | Compute) and last.name == IT:
        before[-1] = replace(last, name=saved)
        return True
    if isinstance(step, Perform) and step.verb == "rename" and step.what == "it":
        if isinstance(last, Read | Compute) and last.name == IT:
            before[-1] = replace(last, name=step.details[0][1])
            return True
        return False
    if isinstance(step, Read) and step.name == IT and isinstance(last, Compute):
        # "count the stars and type the number": the one that was just worked out.
        return last.name == IT and _SAME.fullmatch(step.what) is not None
    if not isinstance(step, Read) or not _SAME.fullmatch(step.what) or step.name == IT:
        return False
    if not HERE.fullmatch(step.what) and not isinstance(last, Read | Compute):
        return False
    if isinstance(last, Read | Compute) and last.name == IT:
        before[-1] = replace(last, name=step.name)
        return True
    if isinstance(last, Find):
        before[-1] = Read(last.what, step.name, words=last.words, line=last.line, place=last.place)
        return True
    if isinstance(last, Run) and last.name is None:
        before[-1] = replace(last, name=step.name)
        return True
    return False


_SAME = re.compile(
    rf"{HERE.pattern}|(?:the|this|that) (?:number|count|sum|total|result|answer|value|text)",
    re.IGNORECASE,
)


def _saved_as(step: Step) -> str | None:
    """`read the price and save it as PRICE`: the name that it is kept under."""
    if not isinstance(step, Perform) or step.verb != "save" or not HERE.fullmatch(step.what or ""):
        return None
    name = dict(step.details).get("as", "")
    return name.strip("{}") if re.fullmatch(r"\{?[A-Za-z_]\w*\}?", name) else None


def _all_words(step: Step) -> str:
    """What was said of a step, with its place where that was said apart."""
    apart = step.place and step.place not in step.words
    return f"in {step.place}, {step.words}" if apart else step.words


def lost(step: Step) -> Unclear:
    """The step whose pronoun stands for nothing."""
    return Unclear(
        why=f"“{_all_words(step)}”: nothing was named before that “it” could stand for",
        words=step.words,
        line=step.line,
    )


def _pasted(step: Step, before: list[Step]) -> Step:
    """`read X as NAME and paste it into Y`: nothing was copied but what is remembered."""
    said = re.match(r"paste\s+(?:it|that|this|them|the\s)\b", step.words, re.IGNORECASE)
    if not isinstance(step, Paste) or not said or any(_copies(one) for one in before):
        return step
    read = next((one for one in reversed(before) if isinstance(one, Read | Compute)), None)
    if read is None:
        return step
    return Enter(f"{{{read.name}}}", step.into, words=step.words, line=step.line, place=step.place)


def _copies(step: Step) -> bool:
    """Whether it may fill the clipboard."""
    keys = isinstance(step, Press) and {"ctrl+c", "ctrl+x"} & set(step.chords)
    named = re.search(r"\b(?:copy|cut)\b", step.words, re.IGNORECASE)
    return isinstance(step, Copy) or bool(keys) or named is not None


def typed(step: Step, before: list[Step]) -> Step:
    """`type it`: what was copied, found, or typed before."""
    step = _pasted(step, before)
    if not isinstance(step, Enter) or step.text != f"{{{IT}}}":
        return step
    for index in range(len(before) - 1, -1, -1):
        earlier = before[index]
        if isinstance(earlier, Read | Compute | Run) and earlier.name:
            return replace(step, text=f"{{{earlier.name}}}")
        if isinstance(earlier, Copy):
            return Paste(step.into, words=step.words, line=step.line, place=step.place)
        if isinstance(earlier, Find):
            before[index] = Read(
                earlier.what, IT, words=earlier.words, line=earlier.line, place=earlier.place
            )
            return step
        if isinstance(earlier, Enter) and earlier.text != f"{{{IT}}}":
            return replace(step, text=earlier.text)
        if isinstance(earlier, Let):
            return replace(step, text=earlier.text)
        if earlier == Point(step.into or ""):
            continue
        if isinstance(earlier, Point) and re.fullmatch(r"\{\w+\}", earlier.what):
            return replace(step, text=earlier.what)
    return lost(step)
