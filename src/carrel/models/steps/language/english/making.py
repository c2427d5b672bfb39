"""The verb `make` in English: what becomes bold, wider, private, or comes into being."""

from __future__ import annotations

import re

from carrel.models.steps.language.english import dragging, looks, ticks
from carrel.models.steps.language.english.own import perform
from carrel.models.steps.language.talk import NotUnderstood, Talk, trim
from carrel.models.steps.program import Perform, SetValue, Step

__all__ = ["make", "picture"]

_SIZED = re.compile(
    r"(?P<what>.+?)\s+(?:wider|narrower|taller|shorter)|"
    r"(?P<thing>.*\b(?:window|dialog|pane|panel|column|row|box|image|picture|sidebar|shape|area|"
    r"frame|map))\s+(?:larger|smaller|bigger)",
    re.IGNORECASE,
)


_ROLE = re.compile(r"(?P<who>[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*)\s+(?P<role>(?:an?|the)\s[a-z].*)")


_KIND_OF = re.compile(
    r"(?P<what>(?:the|my|your|this|it)\b.*?)\s+(?P<how>private|public|read-only|optional|mandatory|"
    r"required|transparent|editable|active|inactive|permanent|anonymous|recurring)",
    re.IGNORECASE,
)


def make(rest: str, talk: Talk) -> list[Step]:
    """`make X bold`, `make the window wider`, `make Ann an admin`, `make a list`."""
    body = trim(rest)
    if re.search(r"\s(?:on|off)$", body, re.IGNORECASE):
        return ticks.toggle(rest, talk)
    if re.fullmatch(r"(?:an?|the|one)?\s*screen ?shots?(?:\s.*)?", body, re.IGNORECASE):
        return picture(rest, talk)
    if role := _ROLE.fullmatch(body):
        return [Perform("make", talk.phrase(role["who"]), (("as", talk.text(role["role"])),))]
    if how := _KIND_OF.fullmatch(body):
        return [SetValue(talk.phrase(how["what"]), how["how"].lower())]
    try:
        return _styled(rest, body, talk)
    except NotUnderstood:
        if re.match(r"(?:an?|another|two|three)\s", body, re.IGNORECASE):
            return perform("create", rest, talk)
        raise


def _styled(rest: str, body: str, talk: Talk) -> list[Step]:
    if found := _SIZED.fullmatch(body):
        what = found["what"] or found["thing"]
        return dragging.resize(f"{what} to be {body[len(what) :].strip()}", talk)
    return looks.change(rest, talk)


def picture(rest: str, talk: Talk) -> list[Step]:
    """No step takes one.

    Raises:
        NotUnderstood: Always.
    """
    raise NotUnderstood("a picture of every step is kept anyway; there is no step for one")
