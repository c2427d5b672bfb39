"""Whether the steps say all that was said: no word of an instruction may get lost on the way.

A word is accounted for when a step repeats it, when the kind of a step is what it means (`twice`
needs a repetition, `except` something left out), when a rule put it aside knowingly, or when it is
only grammar. Whatever is left over makes the instruction unclear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass

from carrel.models.steps import program as p
from carrel.models.steps.language.accounting_words import ENGLISH, IDIOMS, MEANINGS, SAID_BY
from carrel.models.steps.language.atoms import ANY
from carrel.models.steps.language.chinese.accounting import HAN, HAN_MEANINGS
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.language.words import KINDS, verb_words

__all__ = ["holds_unclear", "left_over"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def left_over(masked: str, steps: Sequence[p.Step], talk: Talk) -> tuple[str, ...]:
    """The words and quotes of a masked text that no step accounts for.

    Args:
        masked: What was read.
        steps: What it was read as.
        talk: What it belongs to, with what was put aside.
    """
    parts = list(_parts(steps))
    if holds_unclear(steps):
        return ()
    said = [*_texts(parts), *talk.aside]
    atoms = [talk.atoms.inner.get(letter, letter) for letter in re.findall(ANY, masked)]
    lost = tuple(atom for atom in atoms if not _is_said(atom, said))
    words = IDIOMS.sub(" ", re.sub(ANY, " ", masked))
    if talk.chinese:
        # 周五下午三点的预约: the time is one letter here, what stands beside it is said as well.
        said += [one.replace(atom, " ") for atom in atoms if atom for one in said if atom in one]
        return (*lost, *_left_han(words, said, parts))
    known = {form for one in said for form in _forms(one)}
    return (
        *lost,
        *(
            word
            for word in _WORD.findall(words)
            if not _forms(word) & known and not _is_known(word.lower(), parts)
        ),
    )


def holds_unclear(steps: Sequence[p.Step]) -> bool:
    """Whether any of the steps, or of those inside them, is one that no rule understood."""
    return any(isinstance(part, p.Unclear) for part in _parts(steps))


def _is_said(atom: str, said: Sequence[str]) -> bool:
    """Whether a text is repeated as a whole, or at least word by word."""
    folded = re.sub(r"[《》]", "", atom.casefold())
    if any(folded in one.casefold() or atom in one for one in said):
        return True
    words = _forms(atom)
    return bool(words) and words <= {form for one in said for form in _forms(one)}


def _parts(value: object) -> Iterator[object]:
    """Every step and condition, those inside others too."""
    if isinstance(value, p.Step | p.Condition):
        yield value
    if isinstance(value, tuple | list):
        for one in value:
            yield from _parts(one)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _parts(getattr(value, field.name))


def _texts(parts: Sequence[object]) -> Iterator[str]:
    for part in parts:
        for field in fields(part):  # type: ignore[arg-type]
            if field.name not in ("words", "why", "line"):
                yield from _flat(getattr(part, field.name))


def _flat(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        # Also the minutes or hours that the seconds were, and one more or less than a limit.
        near = (abs(value), value / 60, value / 3600, value * 1000, value - 1, value + 1)
        yield " ".join(f"{one:g}" for one in near)
    elif isinstance(value, tuple):
        for one in value:
            yield from _flat(one)


def _forms(text: str) -> set[str]:
    """The words of a text, a number in words also in digits, plurals also as one."""
    found = {word.lower().replace("’", "'") for word in _WORD.findall(text)}
    digits = {f"{value:g}" for word in found if (value := number(word)) is not None}
    singular = {re.sub(r"(?:'s|(?<=[sx])es|(?<=[^s'])s)$", "", word) for word in found}
    return found | digits | singular


def _is_known(word: str, parts: Sequence[object]) -> bool:
    if meant := MEANINGS.get(word):
        return any(meant(part) for part in parts)
    if word in ENGLISH or word in verb_words() or re.fullmatch(KINDS, word):
        return True
    return any(word in SAID_BY.get(type(part), ()) for part in parts)


# Words that hold a letter of another meaning: 不超过 is no negation, 否则 no 不.
_HARMLESS = re.compile(
    r"不变|不动|不改|什么[都也]不做|不填|不用填|是不是|有没有|不超过|不断|不停|不然|消失|不管|要不要"
)
_CROSSED = re.compile("|".join(sorted(HAN, key=len, reverse=True)))
_UNITS = set("栏侧格")
_KEYS = r"(?:ctrl|control|shift|alt|tab|enter|esc|delete|f\d+)(?:\s*\+\s*\w+)*"


_IFS = ("的话", "前提是", "除非")


def _without(text: str, piece: str) -> str:
    """A text with something crossed out, in large or small letters.

    Not by a pattern: one for every piece of every sentence drives all others out of Python's cache.
    """
    low, wanted = text.lower(), piece.lower()
    if len(low) != len(text) or len(wanted) != len(piece):
        return text.replace(piece, "\0")  # letters that are two when small: as they are
    kept = []
    at = 0
    while (found := low.find(wanted, at)) >= 0:
        kept += [text[at:found], "\0"]
        at = found + len(wanted)
    return "".join((*kept, text[at:]))


def _left_han(text: str, said: Sequence[str], parts: Sequence[object]) -> tuple[str, ...]:
    """In Chinese no spaces part the words: what remains when all that is said is crossed out."""
    rest = text
    pieces = {piece for one in said for piece in re.split(r"[\s\"“”,，。、]+", one) if piece}
    parted = {part for piece in pieces for part in re.split(r"里的|的", piece)}
    pieces |= {part for part in parted if len(part) > 1 or part in _UNITS}
    pieces |= {piece.removesuffix("字段") for piece in pieces} - {""}
    for piece in sorted(pieces, key=len, reverse=True):
        rest = _without(rest, piece)
    bare = _HARMLESS.sub("\0", rest)
    lost = [w for w, meant in HAN_MEANINGS.items() if w in bare and not any(map(meant, parts))]
    if not any(isinstance(part, p.If) for part in parts):
        # A condition that was taken for a part of a name would be done without.
        lost += [word for word in _IFS if word in text]
    if any(isinstance(part, p.Press | p.Point) for part in parts):
        rest = re.sub(_KEYS, "\0", rest, flags=re.IGNORECASE)
    rest = re.sub(NUMBER, "\0", _CROSSED.sub("\0", rest))
    # A word may stand beside a date or time that is one letter here: UTC of (UTC+08:00).
    words = re.findall(r"[^\W_]+", rest)
    again = [w for w in words if (w.isascii() or len(w) > 1) and any(w in one for one in said)]
    return (*lost, *(w for w in words if w not in again))
