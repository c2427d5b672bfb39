"""English claims that begin with `there is`: what is there, and how many."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, QUOTE, Atoms
from carrel.models.steps.language.english.claim_parts import PAGE
from carrel.models.steps.language.english.counts import HOW_MANY, counted, of_now
from carrel.models.steps.language.english.several import neither, several
from carrel.models.steps.language.english.windows import negated
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.program import Condition, Every, Has, Is, Shows

__all__ = ["there_is"]


def there_is(text: str, atoms: Atoms) -> Condition | None:
    """`there are three rows in the table`, `there is no message`."""
    found = re.fullmatch(
        rf"there (?:is|are|(?:should|must|will|shall)(?P<never> not)?(?: now| still)? be|exists?|"
        rf"(?:has|have) to be)(?:\s+(?:now|still|already|currently))?"
        rf"(?P<no> not| no(?! (?:more|fewer|less) than)(?: more| longer)?)?\s+"
        rf"(?:{HOW_MANY}\s+)?(?:(?P<n>{NUMBER})\s+)?(?P<what>.+?)"
        rf"(?:\s+(?:on (?:the )?(?:screen|page)|visible|shown|displayed|left|to be seen))?",
        text,
        re.IGNORECASE,
    )
    if found is None:
        return None
    denied = found["no"] or found["never"]
    count = number(found["n"]) if found["n"] and not found["no"] else None
    if count is not None:
        what = atoms.phrase(of_now(found["what"]))
        return negated(counted(what, int(count), found["how"]), denied)
    if nothing := re.fullmatch(
        r"nothing\s+(?:left\s+)?(?:in|on|inside)\s+(?P<in>.+)", found["what"]
    ):
        return negated(Is(atoms.phrase(nothing["in"]), "empty"), denied)
    if re.fullmatch(r"any|one|some|such an? \w+", found["what"], re.IGNORECASE):
        return negated(Shows("it"), denied)
    if (each := _several_there(found["what"], atoms)) is not None:
        return neither(each) if denied else each
    what = re.sub(r"^(?:any|a|an)\s+", "", found["what"], flags=re.IGNORECASE)
    if written := _WRITTEN.fullmatch(what):
        sign = _SIGN.get(written["text"].lower(), written["text"])
        return negated(Has(atoms.phrase(written["in"]), atoms.text(sign), "contains"), denied)
    return negated(Shows(atoms.phrase(what)), denied)


_IN = re.compile(r"(?P<things>.+?)\s+(?:in|on|inside|within|at)\s+(?P<owner>(?:the|this|my)\s\S.*)")


def _several_there(what: str, atoms: Atoms) -> Condition | None:
    """`there are the buttons Yes and No in the dialog`."""
    placed = _IN.fullmatch(what)
    things, owner = (placed["things"], placed["owner"]) if placed else (what, "")
    each = several("" if PAGE.fullmatch(owner) else owner, things, atoms)
    return each if isinstance(each, Every) else None


_SIGN = {"asterisk": "*", "star": "*", "question mark": "?", "exclamation mark": "!", "dot": "."}
_WRITTEN = re.compile(
    rf"(?P<text>{QUOTE}|{NAME}|{'|'.join(_SIGN)})\s+(?:sign\s+)?"
    r"(?:in|at the (?:start|beginning|end) of)\s+"
    r"(?P<in>the\s+(?:.+\s)?(?:title|url|address|address bar|title bar))",
    re.IGNORECASE,
)
