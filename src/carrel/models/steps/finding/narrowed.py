"""Entries of which more is said than whose they are: `the unread messages from Bob`.

Each word before the noun has to be shown by an entry, or it is not meant. Where no entry of all
shows it, nothing tells which are: then none of them is worked on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from carrel.frames import Element
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.phrases.small_words import GRAMMAR
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.models.steps.turns import Missed
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, TICKED, Kind, kind_of

__all__ = ["bare_of", "narrowing_words", "showing"]

_AFTER = re.compile(
    r"\s(?:from|by|of|to|for|about|in|on|at|with|sent|that|which|who|whose|titled|named|called)\s.*",
    re.IGNORECASE | re.DOTALL,
)
_LEADS = GRAMMAR | {
    *("all", "every", "each", "any", "both", "these", "those", "last", "latest", "newest"),
    *("recent", "first", "only", "copy", "other"),
}
_SORTS = frozenset(
    map(
        stem,
        ("email", "e-mail", "mail", "message", "letter", "chat", "text", "post", "note", "news",
         "task", "item", "entry", "record", "line", "row", "contact", "person", "user", "customer",
         "member", "order", "ticket", "issue", "request", "invoice", "bill"),
    )
)  # fmt: skip
"""Nouns, which also stand before a noun and then narrow nothing: `the mail messages`."""
_SHOWN_AS: Mapping[str, frozenset[str]] = {
    "unread": frozenset({"unread", "new", "unseen"}),
    "new": frozenset({"new", "unread", "unseen"}),
    "starred": frozenset({"starred"}),
    "flagged": frozenset({"flagged"}),
    "pinned": frozenset({"pinned"}),
}
"""How an entry says how it stands, in a mark of its own: the word in a sentence tells nothing."""
_SIGNS: Mapping[str, str] = {
    "unread": "●•⬤🔵🔴",
    "new": "●•⬤🔵🔴🆕",
    "starred": "★⭐🌟",
    "flagged": "⚑🚩",
    "pinned": "📌📍",
    "important": "❗‼!★",
}
_ON: Mapping[str, str] = {"selected": "selected", "ticked": "checked", "checked": "checked"}
SHORT = 3
"""Words of a mark, at most."""


def narrowing_words(phrase: str, owner: str = "") -> tuple[str, ...]:
    """The words before the noun that tell which of the things are meant.

    Args:
        phrase: As it was said, in English.
        owner: Whose they are, where that is told already.
    """
    plain = re.sub(rf"{re.escape(owner)}(?:['’]s?)?", " ", phrase) if owner else phrase
    head = _AFTER.sub("", f"{plain.strip()} ").split()
    words = [re.sub(r"\W+$", "", word) for word in head]
    told = [word for word in words if word and word.casefold() not in _LEADS]
    if not told or not all(re.fullmatch(r"[a-z][a-z-]*", word) for word in told):
        return ()
    return tuple(word for word in told[:-1] if stem(word) not in _SORTS)


def bare_of(phrase: str) -> str:
    """A phrase without the words that narrow it."""
    narrowing = narrowing_words(phrase)
    return " ".join(word for word in phrase.split() if word not in narrowing)


def showing(
    tree: Lineage, entries: Sequence[Element], words: Iterable[str], listed: Sequence[Element]
) -> list[Element]:
    """Those of some entries that show every word.

    Args:
        tree: All that is on the screen.
        entries: Those that may be meant.
        words: Each of them is to be shown.
        listed: All entries of the same list, which tell whether a word is shown at all.

    Raises:
        Missed: One of them is shown by no entry.
    """
    heads = (e for e in part_meant(tree.elements, "") if kind_of(e) in (Kind.HEADING, Kind.PAGE))
    topics = {word for head in heads for word in stems(written_on(head))}
    for word in words:
        if stem(word) in topics:
            continue
        if not any(_shows(tree, entry, word) for entry in (*entries, *listed)):
            raise Missed(f"nothing shows which of them are {word}; none was worked on")
        entries = [entry for entry in entries if _shows(tree, entry, word)]
    return list(entries)


def _shows(tree: Lineage, entry: Element, word: str) -> bool:
    """Whether an entry shows a word: in a mark, in its own name, or else in what it says."""
    said, state = word.casefold(), _ON.get(word.casefold())
    held = [entry, *tree.below(entry)]
    if state is not None:
        return any(state in e.states for e in held if e is entry or kind_of(e) in TICKED)
    texts = [written_on(e) for e in held if kind_of(e) not in CONTROLS or e is entry]
    if any(text.strip() and text.strip()[0] in _SIGNS.get(said, "") for text in texts):
        return True
    marks = _SHOWN_AS.get(said)
    if marks is None:
        return any(stem(said) in stems(text) for text in texts)
    return any(_is_mark(text, marks) for text in texts) or said in _words(entry.name)


def _is_mark(text: str, marks: frozenset[str]) -> bool:
    words = _words(text)
    return 0 < len(words) <= SHORT and words <= marks


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", text.casefold()))
