"""Rows in claims that a column tells of: the verb of such a clause is not that of the claim."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE, Atoms

__all__ = ["with_column"]

_NEXT = (
    r"(?:is|are|was|were|contains?|has|have|should|must|shows?|says?|reads?|includes?|exists?|"
    r"appears?|does|do|can|and|or|in the|on the)\b"
)
_CLAUSE = re.compile(
    r"\b(?P<noun>(?:rows?|lines?|entry|entries|records?|items?)(?= where)|[a-z]+(?= whose))"
    r" (?:where|whose)(?: the| its)? (?P<column>[\w-]+(?: [\w-]+){0,2}?) (?:is|are|equals|=) "
    rf"(?P<value>{QUOTE}|(?!not\b|{_NEXT}).+?)(?=$|[,;]|\s{_NEXT})",
    re.IGNORECASE,
)


def with_column(text: str, atoms: Atoms) -> str:
    """`the row whose city is Riga is shown` as `the row with the city "Riga" is shown`."""

    def told(found: re.Match[str]) -> str:
        value = found["value"]
        if not re.fullmatch(QUOTE, value):
            said = atoms.phrase(value)
            value = atoms.keep_quote(f'"{said}"', said)
        return f"{found['noun']} with the {found['column'].lower()} {value}"

    return _CLAUSE.sub(told, text)
