"""What an English claim says that a thing shows or has: texts, other things, so many of them."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, QUOTE, Atoms
from carrel.models.steps.language.english.claim_parts import (
    AT,
    LETTERS,
    PAGE,
    PLAIN,
    STATE,
    TEXT,
    THE,
    equal,
    equals,
    held,
    state_of,
    where,
)
from carrel.models.steps.language.english.counts import HOW_MANY, counted, of_now
from carrel.models.steps.language.english.predicates import Predicate
from carrel.models.steps.language.english.several import several
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.words import KINDS
from carrel.models.steps.program import Condition, Every, Has, Is, Not, Shows

__all__ = ["having", "telling"]

_CONTAINER = re.compile(
    r"\b(?:table|list|grid|tree|folder|column|board|menu|gallery|results|row|drop-?down|queue|"
    r"playlist)\b",
    re.IGNORECASE,
)
_THING = re.compile(
    rf"{THE}(?:.+\s)?(?:{KINDS}|messages?|errors?|warnings?|notice|tooltip|banner|toast|badge|"
    r"spinner|chart|graph|map|headings?|title|logo|avatar|photo|video|card|cards|rows?|columns?|"
    r"arrow|check ?mark|tick|star|cross|lock|preview|summary|notification|alert|pop-?up|prompt|"
    r"attachments?|comments?|repl(?:y|ies)|footer|header|caption|thumbnail|checkmark|scroll ?bar|"
    r"sidebar|legend|flag|pin|marker|placeholder|subtitle|signature|border|cursor)"
    rf"(?:\s+(?:{AT}|of|for|with|named|called|saying|labell?ed|that|from|by)\s.+)?",
    re.IGNORECASE,
)


_IN_COLUMN = re.compile(
    rf"(?P<text>{QUOTE}|{NUMBER}|[^\w\s]?[A-Z\d]\S*(?:\s[A-Z\d]\S*)*)\s+(?:in|under)\s+the\s+"
    r"(?P<part>[\w -]+?)\s+column"
)


def telling(claim: Predicate, atoms: Atoms) -> Condition | None:
    """What a thing shows: a text, so many of something, or another thing in it."""
    cell = _IN_COLUMN.fullmatch(claim.rest)
    if cell and re.search(r"\brow\b", claim.subject, re.IGNORECASE):
        part = f"the {cell['part']} of {atoms.phrase(claim.subject)}"
        return Has(part, atoms.text(cell["text"]), "equals")
    subject, rest = claim.subject, claim.rest
    if not rest:
        return None
    if not re.match(r"(?:show|display|indicat|reveal|suggest)", claim.verb, re.IGNORECASE):
        told = re.sub(r"^(?:you|us|me|the user)\s+(?=that\s)", "", rest)
        if (words := _THAT.sub("", told)) != told:
            return held(subject, words, atoms, "contains")
    whole = PAGE.fullmatch(subject) is not None
    if (amount := _AMOUNT_OF.fullmatch(rest)) is not None:
        return _measured(subject, amount, atoms)
    if re.match(r"t[ao]+k", claim.verb, re.IGNORECASE) and "up" not in claim.verb:
        return None
    if without := _NO_LINE.fullmatch(rest):
        return Not(_one(subject, without["text"], atoms, whole=whole))
    counted_or_listed = (
        _in_row(subject, rest, atoms)
        or _many(claim, atoms, whole=whole)
        or several("" if whole else subject, rest, atoms)
    )
    if counted_or_listed is not None:
        return counted_or_listed
    if (items := _listed(rest)) is not None:
        return Every(tuple(_one(subject, item, atoms, whole=whole) for item in items))
    if re.fullmatch(rf"(?:{LETTERS})?(?:{QUOTE}|{NAME})|{PLAIN}", rest, re.IGNORECASE):
        return _one(subject, rest, atoms, whole=whole)
    placed = re.fullmatch(
        rf"(?P<what>(?:{LETTERS})?{QUOTE})\s+(?P<place>{AT}\s+\S.*)", rest, re.IGNORECASE
    )
    if placed:
        whole = whole or subject.lower() == "it"
        there = where(placed["what"], placed["place"], atoms)
        return Shows(there if whole else f"{there} in {atoms.phrase(subject)}")
    return _described(subject, rest, atoms, whole=whole)


_ITEM = re.compile(
    rf"(?:{LETTERS})?{QUOTE}|{NAME}|(?-i:[A-Z][^\s,]*(?:\s[\w.'’-]+){{0,3}})|[^\w\s]?\d\S*|"
    r"[\w-]+\.[a-z]{2,4}",
    re.IGNORECASE,
)


def _listed(rest: str) -> list[str] | None:
    """The texts of a list: quoted, names, amounts, names of files; None for anything else."""
    items = re.split(r"\s*,\s+(?:and\s+|but\s+)?|\s+(?:and|as well as)\s+", rest)
    items[0] = re.sub(_NOUNS, "", items[0]) if len(items) > 1 else items[0]
    return items if len(items) > 1 and all(map(_ITEM.fullmatch, items)) else None


def _in_row(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`the Price column contains 9.99 in the first row`: what that row has there."""
    column, cell = _COLUMN.fullmatch(subject), _IN_ROW.fullmatch(rest)
    if column is None or cell is None:
        return None
    what = f"the {column['part']} of {atoms.phrase(cell['row'])}"
    return Has(what, atoms.text(cell["text"]), "contains")


# "says that all is well": the words that it says.
_THAT = re.compile(r"^that\s+(?=(?:\S+\s+)*?(?:is|are|was|were|has|have|had|can|could|will)\b)")
_AMOUNT_OF = re.compile(
    r"(?P<how>no more than|no less than|at most|at least|up to|less than|more than|fewer than)\s+"
    rf"(?P<n>(?:[^\w\s]?\d[\d.,]*|{NUMBER})\s?(?:%|[kKMG]B|km|cm|mm|kg|g|euros?|dollars?|pounds?|percent|seconds?|"
    r"minutes?|hours?|degrees|points?|€|\$))(?:\s+(?:of|in)\s+(?P<of>[a-z].*))?"
)


def _measured(subject: str, found: re.Match[str], atoms: Atoms) -> Condition:
    """`needs no more than 200 MB of space`: a number with its unit, and not so many things."""
    what = atoms.phrase(subject)
    what = f"the {atoms.phrase(found['of'])} of {what}" if found["of"] else what
    how = found["how"].lower()
    least = how in ("at least", "no less than", "more than")
    strict = how in ("less than", "fewer than", "more than")
    if strict:
        return Has(what, found["n"], "greater" if least else "less")
    return Not(Has(what, found["n"], "less" if least else "greater"))


_NO_LINE = re.compile(
    rf"no\s+(?:[a-z]+\s+)?(?:line|entry|row|message|item|word|text|name|result|value|mention|trace)s?"
    rf"\s+(?:of|with|containing|saying|called|named|that (?:says|contains|reads|mentions))\s+"
    rf"(?:{LETTERS})?(?P<text>{QUOTE}|{NAME})",
    re.IGNORECASE,
)


# "the entries Cut, Copy and Paste": what they are is no part of the first.
_NOUNS = r"^(?:the\s+)?(?:entries|items|options|names|words|values|columns|files|tabs|buttons)\s+"


def _one(subject: str, said: str, atoms: Atoms, *, whole: bool) -> Condition:
    text = re.sub(rf"^{LETTERS}(?={QUOTE}|{NAME})", "", said, flags=re.IGNORECASE)
    if not whole:
        return held(subject, text, atoms, "contains")
    quoted = re.fullmatch(PLAIN, text)
    return Shows(atoms.phrase(said if text != said and not quoted else text))


def _described(subject: str, rest: str, atoms: Atoms, *, whole: bool) -> Condition | None:
    """What is not quoted: words to be read, or a thing."""
    owner = atoms.phrase(subject)
    pair = re.fullmatch(
        rf"(?P<what>(?:{THE}.+?|{QUOTE}))\s+as\s+(?P<text>{PLAIN}|[^\w\s]?\d\S*|[A-Z].*)", rest
    )
    if pair:
        return Has(f"{atoms.phrase(pair['what'])} in {owner}", atoms.text(pair["text"]), "equals")
    if re.match(TEXT, rest, re.IGNORECASE):
        plain = re.sub(rf"^{TEXT}", "", rest, flags=re.IGNORECASE)
        return _one(subject, plain, atoms, whole=False) if not whole else Shows(atoms.phrase(rest))
    if whole or _THING.fullmatch(rest):
        return Shows(atoms.phrase(rest) if whole else f"{atoms.phrase(rest)} in {owner}")
    labelled = re.fullmatch(
        rf"{THE}(?P<what>[a-z][a-z -]*?)\s+(?:of\s+)?(?P<text>{PLAIN}|[^\w\s]?\d\S*)", rest
    )
    if labelled:
        return Has(f"the {labelled['what']} in {owner}", atoms.text(labelled["text"]), "equals")
    if re.fullmatch(r"nothing(?: at all)?", rest, re.IGNORECASE):
        return Is(re.sub(r"^the command$", "the output", owner, flags=re.IGNORECASE), "empty")
    if re.match(r"an?\s|some\s", rest, re.IGNORECASE) and not re.search(r"\bsame\b", rest):
        return Shows(f"{atoms.phrase(rest)} in {owner}")
    if re.match(
        rf"{THE}|(?:both|all|only|nothing|no|none|neither|how|what|whether)\b", rest, re.IGNORECASE
    ):
        return None
    return held(subject, rest, atoms, "contains")


def _many(claim: Predicate, atoms: Atoms, *, whole: bool) -> Condition | None:
    """`contains exactly 5 users`; what only shows `3 items` may say so in words."""
    found = re.fullmatch(
        rf"(?:{HOW_MANY}\s+)?(?P<n>{NUMBER}|no)\s+(?P<what>[a-z][a-z -]*?)"
        rf"(?P<place>\s+{AT}\s+(?:{THE}|{PLAIN}|[A-Z]).*)?",
        claim.rest,
        re.IGNORECASE,
    )
    if found is None or re.fullmatch(rf"{NAME}|{QUOTE}", claim.subject):
        return None
    if found["what"].split()[-1].lower() in _LETTERED:
        return None
    said = re.match(r"(?:show|display)", claim.verb, re.IGNORECASE)
    told = re.match(
        r"(?:say|read|state|mention|give|report|print|announce|indicat|tell|warn|cost|weigh|measur|"
        r"return|quote|note)",
        claim.verb,
        re.IGNORECASE,
    )
    plain = not found["n"][0].isdigit()
    if (told and not found["how"]) or (
        said and not (_CONTAINER.search(claim.subject) or found["how"] or whole or plain)
    ):
        return None
    return _so_many(
        claim.subject, found, where(of_now(found["what"]), found["place"], atoms), atoms
    )


# Not things that are counted, but what a number is of.
_LETTERED = (
    "characters", "letters", "digits", "percent", "words", "longer", "euros", "euro", "dollars",
    "pounds", "cents", "seconds", "minutes", "hours", "pixels", "points", "degrees", "bytes", "kb",
    "mb", "gb", "km", "kilometres", "kilometers", "miles", "metres", "meters", "duplicates",
    "matches", "hits",
)  # fmt: skip


def _so_many(subject: str, found: re.Match[str], what: str, atoms: Atoms) -> Condition:
    whole = PAGE.fullmatch(subject) or re.fullmatch("there", subject, re.IGNORECASE)
    phrase = what if whole else f"{what} in {atoms.phrase(subject)}"
    if found["n"].lower() == "no":
        return Not(Shows(phrase))
    return counted(phrase, int(number(found["n"]) or 0), found["how"])


# "the value Paid in the Status column": of which part, and no part of the text.
_OF_PART = re.compile(
    r"(?P<text>\S.*?)\s(?:in|on|under|for)\s(?:the|its)\s(?:(?P<part>[\w -]+)\s(?:column|field)|"
    r"(?:.+\s)?(?:column|row|cell|field|line|list|box|table))",
    re.IGNORECASE,
)
_COLUMN = re.compile(r"the\s+(?P<part>[\w -]+)\s+column", re.IGNORECASE)
_IN_ROW = re.compile(
    rf"(?P<text>{QUOTE}|{NUMBER}|(?-i:[^\w\s]?[A-Z\d]\S*))\s+(?:in|for)\s+"
    r"(?P<row>(?:the\s(?:.+\s)?row\b|row\s\d).*)",
    re.IGNORECASE,
)
# What holds more than one text is not all of it.
_AREA = re.compile(
    r"\b(?:footer|header|page|screen|dialog(?:ue)?|section|panel|side ?bar|table|list|window|card|"
    r"row|form|menu|tool ?bar|pop-?up|modal|area)$",
    re.IGNORECASE,
)


def having(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """What a thing has: so many of something, a value, one of its options."""
    rest = re.sub(r"\s+in (?:it|them)$", "", rest, flags=re.IGNORECASE)
    if re.match(r"[a-z]+ed\b", rest):
        # "the session has expired": what happened, which nothing shows.
        return None
    chosen = re.fullmatch(rf"(?P<what>.+?)\s+(?P<state>{STATE})", rest, re.IGNORECASE)
    if chosen and chosen["state"].islower():
        phrase = f"{atoms.phrase(chosen['what'])} in {atoms.phrase(subject)}"
        return state_of(atoms.mask(f"[{phrase}]"), chosen["state"], atoms)
    found = re.fullmatch(
        rf"(?:{HOW_MANY}\s+)?(?P<n>{NUMBER}|no)\s+(?P<what>[a-z][\w -]*)", rest, re.IGNORECASE
    )
    if found and not re.fullmatch(rf"{NAME}|{QUOTE}", subject):
        if found["what"].split()[-1].lower() in _LETTERED:
            return None
        return _so_many(subject, found, atoms.phrase(of_now(found["what"])), atoms)
    each = several("" if PAGE.fullmatch(subject) else subject, rest, atoms)
    if each is not None:
        return each
    if (items := _listed(rest)) is not None:
        return Every(tuple(held(subject, item, atoms, "contains") for item in items))
    if text := re.fullmatch(
        r"(?:the|a) (?P<noun>value|text|number|figure|words?|letters?)\s+(?:of\s+)?(?P<text>.+)",
        rest,
        re.IGNORECASE,
    ):
        if part := _OF_PART.fullmatch(text["text"]):
            what = f"the {part['part']} of {atoms.phrase(subject)}" if part["part"] else ""
            return Has(what, atoms.text(part["text"]), "equals") if what else None
        if text["noun"].lower() not in ("value", "text") or _AREA.search(subject):
            return held(subject, text["text"], atoms, "contains")
        return equals(subject, text["text"], atoms)
    named = re.fullmatch(
        rf"(?:the|an?)\s+(?P<what>[a-z][a-z -]*?)(?<!called)(?<!named)(?<!led)(?<! for)\s+"
        rf"(?:of\s+)?(?P<text>{PLAIN}|{NUMBER}|"
        rf"[^\w\s]?\d\S*|[°%€$£#]\w*|(?-i:[A-Z])\w*)",
        rest,
        re.IGNORECASE,
    )
    if named and not re.search(r"\b(?:and|with|that|which)\b", named["what"]):
        return Has(
            f"the {named['what']} of {atoms.phrase(subject)}", atoms.text(named["text"]), "equals"
        )
    if _THING.fullmatch(rest):
        return Shows(f"{atoms.phrase(rest)} in {atoms.phrase(subject)}")
    return equal(subject, rest, atoms)
