"""What an English claim says a thing to be that is no state of a control: its colour, its fate."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, PHRASE, QUOTE, Atoms
from carrel.models.steps.language.english.claim_parts import AT, is_place, where
from carrel.models.steps.program import Condition, Has, Not, Shows

__all__ = ["CAME", "COLOURS", "STATUS_WORDS", "WENT", "coloured", "happened", "of_kind", "worded"]

COLOURS = (
    r"red|green|blue|yellow|orange|gr[ae]y|black|white|purple|violet|pink|brown|magenta|cyan|"
    r"turquoise"
)
"""Words for colours that are told apart."""
_COLOURED = re.compile(
    rf"(?:(?:shown|displayed|marked|outlined|highlighted|coloured|colored|printed|drawn|framed|"
    rf"set|written|underlined|rendered|filled)\s+)?(?:in\s+)?(?P<colour>{COLOURS})"
    r"(?:\s+(?:in colou?r|now|letters|text))?",
    re.IGNORECASE,
)
WENT = r"gone|absent|missing|no more|removed|deleted|discarded|erased|dismissed|taken away|cleared"
"""What became of a thing that is there no more."""
CAME = (
    r"added|created|uploaded|inserted|restored|posted|imported|attached|pasted|appended|put back|"
    r"brought back|registered|published"
)
"""What became of a thing that is there now."""
STATUS_WORDS = re.compile(
    r"locked|unlocked|paid|unpaid|shipped|delivered|cancell?ed|archived|approved|rejected|declined|"
    r"accepted|pending|complete|completed|closed|resolved|unresolved|online|offline|connected|"
    r"disconnected|muted|paused|stopped|expired|verified|unverified|confirmed|blocked|suspended|"
    r"overdue|public|private|optional|required|mandatory|sold out|out of stock|in stock|"
    r"in progress|in transit|on hold|up to date|installed|encrypted|read[- ]only|subscribed|"
    r"booked|reserved|fully booked|scheduled|queued|postponed|reopened|refunded|signed|"
    r"on leave|on vacation|on holiday|on sale|on order|at work|at home|on strike|on call|"
    r"free of charge|free|full|busy|away|absent|new|done|finished|invalid|valid|"
    r"incorrect|correct|clean",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?P<the>(?:the|an?|this|that|its|each|every)\s)?(?P<what>.+)", re.IGNORECASE)


def coloured(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`is green`, `should be outlined in red`: the thing of that colour is there."""
    found = _COLOURED.fullmatch(rest)
    if found is None or re.match(r"(?:all|every|each|both|no)\s", subject, re.IGNORECASE):
        return None
    thing = re.sub(
        r"^the\s+(?:background\s+|text\s+|font\s+)?colou?r\s+of\s+",
        "",
        subject,
        flags=re.IGNORECASE,
    )
    return Shows(f"{atoms.phrase(thing)} that is {found['colour'].lower()}")


def happened(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`has been deleted` is not there any more; `has been added to the list` is there now."""
    found = re.fullmatch(
        rf"(?:(?P<went>{WENT})(?:\s+(?:from|in|on)\s+(?P<of>\S.*))?|"
        rf"(?P<came>{CAME})(?P<to>\s+(?:to|into|{AT})\s+\S.*)?)",
        rest,
        re.IGNORECASE,
    )
    if found is None:
        return None
    if found["went"] and found["went"].lower() == "cleared" and _SET_BACK.search(subject):
        return None  # it is there as before: what it holds is what is meant
    if found["went"]:
        place = f"in {found['of']}" if found["of"] else None
        return Not(Shows(where(subject, place, atoms)))
    if re.fullmatch(r"it|they|this|that", subject, re.IGNORECASE):
        return None
    place = re.sub(r"^\s*(?:in)?to\s", "in ", found["to"] or "")
    return Shows(where(subject, place, atoms)) if is_place(place) else None


_SET_BACK = re.compile(
    r"\b(?:filters?|selections?|choices?|settings?|forms?|fields?|box(?:es)?|inputs?|cells?|display|"
    r"search|sorting|basket|cart|editor|canvas|board|screen)$",
    re.IGNORECASE,
)
_KIND_OF = re.compile(r"an?\s+(?P<text>[A-Za-z][a-z-]*(?:\s[A-Za-z][a-z-]*)?)")


def of_kind(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`the first one is an audiobook`: it says so."""
    found = _KIND_OF.fullmatch(rest)
    if found is None or re.search(r"\b(?:bit|little|lot|few|problem|error)\b", rest):
        return None
    return Has(atoms.phrase(subject), found["text"])


def worded(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`is locked`, `is in stock`: that is what it says of itself."""
    named = re.match(rf"\S+\s|[A-Z]|[a-z]{{3,}}$|{NAME}|{QUOTE}|{PHRASE}", subject)
    if not STATUS_WORDS.fullmatch(rest) or named is None:
        return None
    return Has(atoms.phrase(subject), rest.lower())
