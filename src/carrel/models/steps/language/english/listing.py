"""The names of an English list: `the options A, B and C`, `rows 2 to 5`."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY
from carrel.models.steps.language.numbers import NUMBER, ORDINALS, number
from carrel.models.steps.language.talk import Talk, listed, trim

__all__ = ["ALL_BUT", "items_of", "names_of", "span_of"]


_HEADS = re.compile(
    rf"^(?:the\s+)?(?:following\s+)?(?:(?<=the\s){NUMBER}\s+)?"
    r"(?:options?|items?|values?|entries|choices|check ?boxes|boxes|"
    r"words?|names?|radio buttons?|switches|files|folders|rows|settings|checkbox|columns|cells|"
    r"tags|categories|cities|countries|toppings|products|contacts|people|users|days|photos|images|"
    r"messages|tasks|documents|box|(?<=the\s)(?-i:[a-z]+[^\Ws]s)(?=:?\s+(?-i:[A-Z\d\ue000-\uf8ff])))"
    r"\s*:?\s+(?:(?:labell?ed|named|called|for)\s+)?"
    r"(?!(?:tab|page|menu|button|link|icon|section|dialog|window|panel|field|list)\b)"
    r"(?!of\b|in\b|at\b|with\b|that\b|which\b|similar\b|below\b|above\b|on\b|next\b|from\b|"
    r"labell?ed\b|named\b)(?=\S)",
    re.IGNORECASE,
)


_TAILS = re.compile(
    r"\s+(?:options|items|values|entries|choices|check ?boxes|boxes|radio buttons|switches|"
    r"settings)$",
    re.IGNORECASE,
)


ALL_BUT = re.compile(
    r"(?:everything|all(?: of them)?),?\s+"
    r"(?P<but>(?:except|but|other than|apart from|excluding)\s.+)",
    re.IGNORECASE,
)


_RANGE = re.compile(
    r"(?:the\s+)?(?P<noun>[a-z]+?)(?:e?s)?\s+(?P<first>\d{1,3})\s*(?:to|through|till|until|-|–)\s*"
    r"(?P<last>\d{1,3})",
    re.IGNORECASE,
)


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEK = re.compile(
    rf"(?:from\s+)?(?P<a>{'|'.join(_DAYS)})\s+(?:to|through|till|until|-|–)\s+(?P<b>{'|'.join(_DAYS)})"
)


def _week(masked: str) -> tuple[str, ...]:
    """Each day of `Monday to Friday`."""
    found = _WEEK.fullmatch(trim(masked))
    if found is None:
        return ()
    first, last = _DAYS.index(found["a"]), _DAYS.index(found["b"])
    return _DAYS[first : last + 1] if first < last else ()


def span_of(masked: str) -> tuple[str, ...]:
    """Each of `rows 2 to 5`."""
    found = _RANGE.fullmatch(trim(masked))
    if found is None or not 0 < int(found["last"]) - int(found["first"]) < 100:
        return ()
    numbers = range(int(found["first"]), int(found["last"]) + 1)
    return tuple(f"{found['noun']} {number}" for number in numbers)


_COUNTED = re.compile(r"(?:the\s+)?(?P<noun>row|column|line|page|question)s\b", re.IGNORECASE)


_NTH = re.compile(r"(?P<n>\d+|[A-Z]{1,2})(?P<of>\s+(?:of|in|from)\s+(?:the|this)\s.+)?")


def _of_noun(head: str, items: list[str], talk: Talk) -> list[str]:
    """`rows 2, 4 and 6 of the table`: a number alone tells nothing of what it counts."""
    noun, last = _COUNTED.match(head), _NTH.fullmatch(items[-1])
    if noun is None or last is None or len(items) < 2:
        return []
    if not all(re.fullmatch(r"\d+|[A-Z]{1,2}", item) for item in items[:-1]):
        return []
    of = talk.phrase(last["of"]) if last["of"] else ""
    return [f"{noun['noun']} {one}{' ' if of else ''}{of}" for one in (*items[:-1], last["n"])]


def names_of(masked: str, talk: Talk) -> tuple[tuple[str, ...], str]:
    """The names of a list, and the list as it was said when it may be split otherwise."""
    if several := span_of(masked):
        return several, ""
    head = _HEADS.match(masked)
    plural = head and re.search(
        r"(?:s|people)\s*:?\s*(?:labell?ed|named|called|for)?$", head[0].strip(), re.IGNORECASE
    )
    body = (
        masked[head.end() :]
        if head
        and (plural or (re.match(ANY, masked[head.end() :]) is None and len(listed(masked)) > 1))
        else masked
    )
    if days := _week(body):
        talk.put_aside(f"{head[0] if head else ''} to through")
        return days, ""
    items = listed(body)
    if head and (counted := _of_noun(head[0], items, talk)):
        return tuple(counted), ""
    if head and plural:
        _put_aside(head[0], len(items), talk)
    if len(items) < 2:
        return (talk.phrase(masked if not plural else body, "which"),), ""
    head = re.match(
        r"(?P<head>.+\b(?:similar to|like|starting with|ending with|containing|meaning))\s+\S+$",
        items[0],
        re.IGNORECASE,
    )
    if head and all(len(item.split()) == 1 for item in items[1:]):
        return tuple(
            talk.phrase(item if i == 0 else f"{head['head']} {item}")
            for i, item in enumerate(items)
        ), ""
    if (ones := _ones(items, talk)) != items:
        return tuple(talk.phrase(one) for one in ones), ""
    if numbered := _numbered(items):
        return tuple(talk.phrase(one) for one in numbered), ""
    tail = _TAILS.search(items[-1])
    if tail:
        items[-1] = items[-1][: tail.start()]
        body = body[: body.rindex(tail[0])] if tail[0] in body else body
    said = (
        ""
        if all(re.fullmatch(ANY, item) for item in items)
        else talk.phrase(re.sub(r"^both\s+", "", body))
    )
    return tuple(talk.phrase(item, "which") for item in items), said


def _ones(items: list[str], talk: Talk) -> list[str]:
    """`the first box and the last one`: the noun is said once."""
    first = re.fullmatch(rf"the\s+{_ORDINAL}\s+(?P<noun>[a-z].*)", items[0], re.IGNORECASE)
    if first is None or not any(_ONE.fullmatch(item) for item in items[1:]):
        return items
    talk.put_aside("one")
    return [_ONE.sub(lambda m: f"{m['which']} {first['noun']}", item) for item in items]


_ONE = re.compile(
    rf"(?P<which>the\s+(?:{'|'.join(ORDINALS)}|last|\d+(?:st|nd|rd|th)))\s+one$", re.IGNORECASE
)


def items_of(masked: str, talk: Talk) -> list[str]:
    """The things of a list, each in words of its own: `the first and the third row`."""
    head = _HEADS.match(masked)
    plural = head and re.search(r"s\s*:?\s*(?:labell?ed|named|called|for)?$", head[0].strip())
    if head and plural and len(listed(masked)) > 1:
        if counted := _of_noun(head[0], listed(masked[head.end() :]), talk):
            return counted
        talk.put_aside(head[0])
        masked = masked[head.end() :]
    items = listed(masked)
    return (_numbered(items) if len(items) > 1 else []) or items


def _put_aside(head: str, count: int, talk: Talk) -> None:
    """`the two files named`: how many there are, and what they are, is said by naming them."""
    said = re.search(rf"\b{NUMBER}\b", head, re.IGNORECASE)
    if said is None or number(said[0]) == count:
        talk.put_aside(head)


_ORDINAL = rf"(?:{'|'.join(ORDINALS)}|last|\d+(?:st|nd|rd|th))"


def _numbered(items: list[str]) -> list[str]:
    """`the second and fourth check boxes`: one phrase each."""
    last = re.fullmatch(
        rf"(?:the\s+)?{_ORDINAL}\s+(?P<noun>.+?)(?P<s>e?s)?", items[-1], re.IGNORECASE
    )
    firsts = [
        re.fullmatch(rf"(?:the\s+)?(?P<n>{_ORDINAL})", item, re.IGNORECASE) for item in items[:-1]
    ]
    if last is None or not all(firsts):
        return []
    noun = re.sub(
        r"(?<=x)es$|(?<=[^s])s$", "", items[-1].split(maxsplit=items[-1].startswith("the ") + 1)[-1]
    )
    ordinals = [found["n"] for found in firsts if found] + [
        re.sub(r"^the\s+", "", items[-1]).split()[0]
    ]
    return [f"the {one} {noun}" for one in ordinals]
