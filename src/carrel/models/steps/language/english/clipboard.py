"""Steps of the clipboard, in English words: copying, cutting, pasting."""

from __future__ import annotations

import re

from carrel.models.steps.language.numbers import times
from carrel.models.steps.language.talk import PRONOUN, NotUnderstood, Talk, trim
from carrel.models.steps.language.values import refuse_new
from carrel.models.steps.program import Copy, Highlight, Paste, Press, Repeat, Step

__all__ = ["copy", "cut", "paste"]


def copy(rest: str, talk: Talk) -> list[Step]:
    """Copy to the clipboard; `copy X to Y` pastes it there, too."""
    body = trim(rest)
    found = re.fullmatch(
        r"(?P<what>.+?)\s+(?:in)?to\s+(?P<into>(?:the|an?|cell)\s+.+|[A-Z]\S*|[\ue000-\ue7ff])",
        body,
        re.IGNORECASE,
    )
    if found and not re.fullmatch(r"(?:the )?clipboard", found["into"], re.IGNORECASE):
        return [Copy(talk.phrase(found["what"])), Paste(talk.phrase(found["into"]))]
    cells = re.fullmatch(
        r"(?P<what>.+?)\s+(?:in)?to\s+(?:cells\s+)?"
        r"(?P<into>[A-Z]+\d+(?:(?:,\s+|\s+and\s+)[A-Z]+\d+)+)",
        body,
    )
    if cells:
        pasted = [Paste(f"cell {name}") for name in re.findall(r"[A-Z]+\d+", cells["into"])]
        return [Copy(talk.phrase(cells["what"])), *pasted]
    body = re.sub(r"\s+to (?:the )?clipboard$", "", body, flags=re.IGNORECASE)
    selected = not body or re.fullmatch(
        r"it|that|them|these|those|the (?:selection|selected \w+)", body, re.IGNORECASE
    )
    return [Copy(None if selected else talk.phrase(body))]


def cut(rest: str, talk: Talk) -> list[Step]:
    """Cut to the clipboard."""
    body = trim(rest)
    selected = not body or re.fullmatch(
        r"it|that|them|these|those|the (?:selection|selected \w+)", body, re.IGNORECASE
    )
    before: list[Step] = [] if selected else [Highlight(talk.phrase(body))]
    return [*before, Press(("ctrl+x",))]


def paste(rest: str, talk: Talk) -> list[Step]:
    """Paste the clipboard somewhere."""
    once, count = times(trim(rest))
    if count > 1:
        return [Repeat(tuple(paste(once, talk)), times=count)]
    body = re.sub(
        rf"^(?:{PRONOUN}|the (?:text|clipboard|contents?)(?: (?:of|from) the clipboard)?)\b\s*",
        "",
        trim(rest),
        flags=re.IGNORECASE,
    )
    held = re.match(
        r"(?:the|this|that)\s+(?:copied\s+)?[a-z-]+"
        r"(?:\s+(?:that\s+)?you(?:['’]ve|\s+have)?(?:\s+just)?\s+copied)?(?=\s+(?:into|in|to|inside|on|onto|at|over)\s)",
        body,
    )
    beside = (
        r"(?:(?:the|this|that)\s+(?:copied\s+)?[a-z-]+\s+)?(?:behind|after|before|below|above)\s"
    )
    if re.match(beside, body):
        raise NotUnderstood("it is pasted where the keyboard is; click there first")
    if held:
        # Whatever it is called: what was copied.
        talk.put_aside(held[0])
        body = body[held.end() :].strip()
    body = re.sub(
        r"^(?:back\s+)?(?:into|in|to|inside|on|onto|at|here|over)\s*", "", body, flags=re.IGNORECASE
    )
    if at := re.fullmatch(r"the (?:cursor|caret)(?: position)?", body, re.IGNORECASE):
        talk.put_aside(at[0])
        return [Paste(None)]
    refuse_new(body)
    return [Paste(talk.phrase(body) if body else None)]
