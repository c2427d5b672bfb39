"""English conditions about windows, what pops up, and files."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import Atoms
from carrel.models.steps.phrases.programs import kind_said
from carrel.models.steps.program import Condition, Exists, Not, Shows, WindowOpen

__all__ = ["BE", "NOT", "file_there", "negated", "window_open"]

BE = r"(?:is|are|was|were|be|becomes?|gets?|should be|must be|has been|have been|is now|to be)"
NOT = r"(?P<no>\s+not|n't|\s+no longer|\s+never)?"


def negated(condition: Condition, negative: object) -> Condition:
    """The condition, or its opposite."""
    return Not(condition) if negative else condition


_OPEN = (
    rf"(?:(?:{BE}){NOT}\s+(?:open(?:ed)?|(?P<closed>closed))|opens?|appears?|shows up|comes up|"
    r"(?P<gone>closes?|disappears?|goes away|is gone))"
)


_ENTITLED = (
    r"(?:an?|the|some)\s+window\s+(?:with|having|that has)\s+(?P<title>.+?)\s+in\s+"
    r"(?:its|the)\s+(?:title(?:\s?bar)?|name|caption)"
)
_WHOSE_TITLE = (
    r"(?:an?|the|some)\s+window\s+whose\s+(?:title|name)\s+(?:contains|includes|has|is|says|"
    r"(?:starts|begins|ends) with)\s+(?P<title>.+?)"
)
_TITLE = r"(?P<title>(?!(?:is|was|has|should|must|will|to|does|now)\b).+?)"


def window_open(text: str, atoms: Atoms) -> Condition | None:
    """`the X window is open`, `the dialog is closed`."""
    if re.fullmatch(rf"its window\s+(?:has come up|{_OPEN})", text, re.IGNORECASE):
        return WindowOpen("it")
    for named in (
        _ENTITLED,
        _WHOSE_TITLE,
        rf"(?:an?|the)\s+window\s+(?:titled|named|called|with the title)?\s*{_TITLE}",
        r"(?:the|an?)\s+(?P<title>.+?)\s+window",
    ):
        found = re.fullmatch(rf"{named}\s+{_OPEN}", text, re.IGNORECASE)
        if found:
            away = bool(found["gone"] or found["closed"])
            return negated(WindowOpen(atoms.text(found["title"])), bool(found["no"]) != away)
    gone = rf"(?P<what>.+?)\s+(?:{BE})(?:\s+no longer|n't|\s+not)\s+(?:open|running)(?: any ?more)?"
    if found := re.fullmatch(gone, text, re.IGNORECASE):
        return Not(Shows(atoms.phrase(found["what"])))
    what = rf"(?P<what>(?:the|an?|any)\s+(?:.+?\s+)?{_POPS})"
    program = re.fullmatch(
        rf"(?P<what>\w\S*(?: \w+){{0,2}})\s+(?:{BE})\s+closed", text, re.IGNORECASE
    )
    if program and (kind_said(program["what"]) or re.fullmatch(r"[a-z][\w.+-]+", program["what"])):
        return Not(WindowOpen(atoms.text(program["what"])))
    shut = rf"{what}\s+(?:{BE}){NOT}\s+(?:closed|dismissed)"
    if found := re.fullmatch(shut, text, re.IGNORECASE):
        return negated(Shows(atoms.phrase(found["what"])), not found["no"])
    return None


_POPS = (
    r"(?:dialog(?:ue)?(?: box)?|pop-?up|modal|menu|message(?: box)?|prompt|alert|drop-?down|"
    r"question|window)"
)


# What a program says before it writes over something.
_TAKEN = re.compile(
    r"(?:the|a|an|any|such an?|another)\s+(?:file|folder|directory|name|document|entry|user|item)"
    r"(?:\s+(?:of|with)\s+(?:that|this|the same|the given)\s+name|\s+called that)?\s+"
    r"already\s+(?:exists|(?:is|was) there|(?:is )?taken)",
    re.IGNORECASE,
)


_STILL = r"(?:(?:still|now|also|really|already)\s+)?"
"""Words between a file and that it exists, which are no part of its name."""


def file_there(text: str, atoms: Atoms) -> Condition | None:
    """`the file X exists`."""
    if _TAKEN.fullmatch(text):
        return Shows('"already exists"')
    found = re.fullmatch(
        r"(?:the|a)?\s*(?:file|folder|directory)\s+(?:called\s+|named\s+|with the name\s+)?"
        r"(?!(?:manager|browser|explorer|name|menu|chooser|dialog|list|tree|should|must|to|has)\b)"
        r"(?P<path>.+?)\s+"
        rf"(?:{_STILL}(?P<no>does not |doesn't |no longer )?{_STILL}"
        rf"(?:to )?(?:exists?|appears?)|{BE}(?P<never> not|n't)? {_STILL}"
        r"(?:there|present|created|saved))",
        text,
        re.IGNORECASE,
    )
    if found is None:
        found = _path_there(text, atoms)
    if found is None:
        return None
    return negated(Exists(atoms.text(found["path"])), found["no"] or found["never"])


def _path_there(text: str, atoms: Atoms) -> re.Match[str] | None:
    """`/home/ann/a.txt exists`: what is written so is a file, though nobody says the word."""
    found = re.fullmatch(
        rf"(?P<path>\S+)\s+(?:{_STILL}(?P<no>does not |doesn't |no longer )?{_STILL}"
        r"(?:to )?exists?|"
        rf"{BE}(?P<never> not|n't)? {_STILL}(?:there|present|created|saved))",
        text,
        re.IGNORECASE,
    )
    said = atoms.text(found["path"]) if found is not None else ""
    return found if re.fullmatch(r"/[^\s/]+/\S+", said) else None
