"""The parts of what is said of one deed: each with the small word before it, in any order."""

from __future__ import annotations

import re
from typing import NamedTuple

from carrel.models.steps.language.atoms import ANY, Atoms

__all__ = ["Part", "is_proper", "joined", "parts_of", "without_article"]

_WORDS = (
    "with|and|as|from|to|for|on|at|in|by|of|under|using|into|until|till|about|called|named|titled|"
    "via|through|starting|beginning|ending|is|being|should be|set|where|whose|having|within|per|"
    "per|against|between|plus|then|while|leaving|departing|arriving|returning|paying|choosing"
)
_SPLIT = re.compile(rf"\s*([,;:])\s*|(?:^|(?<=\s))({_WORDS})(?=\s|$)", re.IGNORECASE)
_WEAK = frozenset({",", ";", ":", "and", "then", "plus", "with", ""})
_ARTICLE = re.compile(
    r"^(?:the|an?|my|your|his|her|their|our|its|this|that)\s+(?=\S)", re.IGNORECASE
)


class Part(NamedTuple):
    """Some words in a row.

    Attributes:
        word: The small word that leads to them; empty for the first.
        text: The words as they were said.
        is_quoted: Whether they are one text in quotes, and nothing else.
    """

    word: str
    text: str
    is_quoted: bool = False


def parts_of(said: str, verb: str) -> list[Part]:
    """What is said beside the verb, cut at every small word.

    Args:
        said: The step, as the person said it.
        verb: The verb, which comes first; one word of another verb may stand for it.
    """
    atoms = Atoms()
    masked = " ".join(atoms.mask(said.strip().rstrip(".!")).split())
    own = re.match(rf"(?:perform {ANY} on|{re.escape(verb)})(?=\s|$)", masked, re.IGNORECASE)
    body = masked[own.end() :] if own else masked.partition(" ")[2]
    parts: list[Part] = []
    word, at = "", 0
    for cut in _SPLIT.finditer(body):
        _add(parts, word, body[at : cut.start()].strip(), atoms)
        before = word if not body[at : cut.start()].strip() else ""
        this = (cut[1] or cut[2]).casefold()
        # "and to", ", with": the one that says more.
        word = before if this in _WEAK and before not in _WEAK else this
        at = cut.end()
    _add(parts, word, body[at:].strip(), atoms)
    return parts


_MEASURED = re.compile(
    rf"(?P<value>[€$£¥]?\s?\d+(?:[.,]\d+)*\s*(?:[€$£¥]|euros?|dollars?|pounds?|francs?)|{ANY})\s+(?P<rest>\S.*)",
    re.IGNORECASE,
)


def _add(parts: list[Part], word: str, masked: str, atoms: Atoms) -> None:
    # "25 euros monthly": a value that is whole, and more behind it.
    if (both := _MEASURED.fullmatch(masked)) is not None:
        _add(parts, word, both["value"], atoms)
        _add(parts, "", both["rest"], atoms)
    elif masked:
        alone = len(masked) == 1 and re.match(ANY, masked) is not None
        quoted = alone and atoms.inner.get(masked) != atoms.known.get(masked)
        parts.append(Part(word, atoms.text(masked), quoted))


def joined(parts: list[Part]) -> str:
    """Several parts as one text, with the small words between them."""
    text = parts[0].text
    for part in parts[1:]:
        space = "" if part.word in (",", ";", ":") else " "
        text += f"{space}{part.word} {part.text}" if part.word else f" {part.text}"
    return text


def without_article(text: str) -> str:
    """Words without the article or the owner before them."""
    return _ARTICLE.sub("", text.strip())


def is_proper(part: Part | str) -> bool:
    """Whether words are a text of somebody's own: quoted, a name, a number."""
    if isinstance(part, Part) and part.is_quoted:
        return True
    text = part.text if isinstance(part, Part) else part
    return bool(re.match(r"[A-Z\d€$£¥+]", text)) or "@" in text
