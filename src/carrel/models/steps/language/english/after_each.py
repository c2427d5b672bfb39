"""English lists that are typed or added one by one, with something done after each of them."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY
from carrel.models.steps.language.english.reader import Reader
from carrel.models.steps.language.talk import EACH, Talk, listed
from carrel.models.steps.language.words import verb_at
from carrel.models.steps.program import ForEach, Perform, Step

__all__ = ["after_each"]

_ONE = (
    r"(?:\s+(?:one|item|name|entry|word|value|line|number|tag|address|task|to-?do|of them|of these|"
    r"time))?"
)
_PRESSED = r"(?:press|hitt?|click|tapp?|select)(?:ing)?\s(?:on\s)?[^,;]+?"
_AFTER = re.compile(
    r"(?P<act>(?:type|enter|input|write|put|add|insert)\s[^;]+?)(?:,\s*|\s+)"
    rf"(?:(?:and\s+|then\s+|while\s+)*(?P<then>{_PRESSED})\s+(?:after|for|following)\s+(?:each|every){_ONE}|"
    rf"(?:and\s+)?(?:each|every\s+one)(?:\s+time|\s+one|\s+of\s+them)?\s+followed\s+by\s+(?P<key>[^,;]+?)|"
    r"followed\s+by\s+(?P<key2>[^,;]+?)\s+(?:each\s+time|after\s+each))"
    r"(?P<more>(?:,\s*(?:and\s+)?(?:then\s+)?|\s+and\s+(?:then\s+)?|\s+then\s+)\S.*)?",
    re.IGNORECASE | re.DOTALL,
)
_ITEM = rf"(?:{ANY}|[^\s,()]+(?:\s(?!(?:into|in|to|on|and)\s)[^\s,()]+){{0,3}})"
_ITEMS = re.compile(
    r"(?P<verb>\w+)\s+(?:(?:the|these|some|my|two|three|four|five|six|\d)\s+(?:following\s+|new\s+|two\s+|three\s+|four\s+)?(?:\w+\s+)?[a-z-]+s:?\s+|the\s+following:?\s+|both\s+)?"
    rf"(?P<items>{_ITEM}(?:\s*,\s*(?:and\s+)?{_ITEM})*\s*,?\s+and\s+{_ITEM}|{_ITEM}(?:\s*,\s*{_ITEM})+)"
    r"(?:\s+(?P<at>into|in|to|on)\s+(?P<place>(?:the|this|my)\s.+))?",
    re.IGNORECASE,
)
# "add milk to the list" is what the page has for that; of a field it is typed into it.
_FIELD = re.compile(r"\b(?:field|box|input|bar|area|editor|column|cell)\b", re.IGNORECASE)


_ENTER = re.compile(r"(?:press|hit|tap)\s+(?:the\s+)?(?:enter|return)(?:\s+key)?", re.IGNORECASE)
_PLURAL = re.compile(r"(?P<noun>[a-z-]+?)(?:(?<=[sx])es|s):?\s*$", re.IGNORECASE)


def _sort(said: re.Match[str]) -> str:
    """One of what is listed: the keyword of `the keywords A and B`."""
    head = said.string[said.end("verb") : said.start("items")]
    noun = _PLURAL.search(re.sub(r"ies:?\s*$", "ys", head.strip()))
    return noun["noun"].lower() if noun else ""


def after_each(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Type A, B and C into X, pressing Enter after each`: a loop over what is named."""
    found = _AFTER.fullmatch(text)
    said = _ITEMS.fullmatch(found["act"]) if found else None
    if found is None or said is None or len(listed(said["items"])) < 2:
        return None
    then = re.sub(
        r"^(press|hit|click|tap|select)\w*", r"\1", found["then"] or "", flags=re.IGNORECASE
    )
    then = then or f"press {found['key'] or found['key2']}"
    if verb_at(then) is None:
        return None
    each = talk.atoms.mask(f"{{{EACH}}}")
    into = f" into {said['place']}" if said["place"] else ""
    if said["verb"].lower() == "add" and said["place"] and not _FIELD.search(said["place"]):
        into = ""
    talk.put_aside(found.string[: said.start("items")] + found.string[said.end("items") :])
    if (
        said["verb"].lower() == "add"
        and not said["place"]
        and (sort := _sort(said))
        and _ENTER.fullmatch(then)
    ):
        # Which field takes them is told by what they are; that is where Enter is pressed.
        words = talk.atoms.original(found["act"])
        body: tuple[Step, ...] = (Perform("add", f'the {sort} "{{{EACH}}}"', words=words),)
    else:
        body = (*read(f"type {each}{into}", talk), *read(then, talk))
    loop = ForEach(EACH, body, tuple(talk.text(item) for item in listed(said["items"])))
    more = re.sub(r"^(?:,|\s|and\b|then\b)+", "", found["more"] or "", flags=re.IGNORECASE)
    return [loop, *(read(more, talk) if more else [])]
