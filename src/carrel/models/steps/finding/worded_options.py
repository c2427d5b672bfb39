"""The option that is meant by more words than stand on it: `the Savings account` is Savings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.models.steps.finding.sorts_of_value import words_of

__all__ = ["option_said", "says_otherwise"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_KINDS = _listed(
    "account option choice class size plan type kind category room level mode format version "
    "department team group section method delivery shipping payment tariff rate currency "
    "language country city region place location branch store status priority crust colour "
    "color flavour flavor theme layout model edition package course lesson project client "
    "customer supplier meter ticket seat table slot time day month year week folder list "
    "channel queue unit one entry item value setting variant style shade finish service hotel "
    "school office"
)
"""Nouns for what an option is one of, which it need not say itself."""
_OTHERWISE = _listed(
    "not no non never without except un other another half double extra plus more less only "
    "all both neither either or than instead"
)


def says_otherwise(words: Sequence[str] | set[str]) -> bool:
    """Whether words that an option leaves out would make another of it."""
    return bool(_OTHERWISE & set(words)) or any(word.isdigit() for word in words)


def option_said(names: Sequence[str], text: str, label: str = "") -> str:
    """Of the names of options the one that a text means; empty where none or several do.

    All words of the option are said, and what is said beyond them is only what it is one of: a noun
    for its kind, a word of the label over it, or one that other options have at their end.

    Args:
        names: What the options are called.
        text: What somebody calls one of them.
        label: What stands over all of them.
    """
    said = words_of(text)
    proper = {word.casefold() for word in re.findall(r"\b[A-Z][^\W_]*", text)}
    shared = {words_of(name)[-1] for name in names if len(words_of(name)) > 1}
    free = _KINDS | ((set(words_of(label)) | shared) - proper)
    fitting: dict[str, int] = {}
    for name in names:
        own = words_of(re.split(r"\s[-–—]\s|[(:,]", name)[0])
        rest = [word for word in said if word not in own]
        if own and set(own) <= set(said) and set(rest) <= free and not says_otherwise(rest):
            fitting[name] = len(set(own))
    most = max(fitting.values(), default=0)
    best = [name for name, length in fitting.items() if length == most]
    return best[0] if len(best) == 1 else ""
