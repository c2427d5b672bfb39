"""A whole instruction as a person gives it, one or several sentences, English or Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from carrel.models.steps.language.accounting import holds_unclear, left_over
from carrel.models.steps.language.afresh import (
    commonly,
    is_doubtful,
    is_miswritten,
    plainer,
    tells_in_name,
)
from carrel.models.steps.language.afresh.cuts_zh import cut_zh
from carrel.models.steps.language.answers import with_answers
from carrel.models.steps.language.atoms import ANY, Atoms
from carrel.models.steps.language.background import without_background
from carrel.models.steps.language.beforehand import in_time_order
from carrel.models.steps.language.chinese.background import without_background_zh
from carrel.models.steps.language.chinese.clauses import sentences_zh
from carrel.models.steps.language.chinese.sentences import read_chinese
from carrel.models.steps.language.chinese.settings import page_length_zh
from carrel.models.steps.language.english.clauses import sentences
from carrel.models.steps.language.english.sentences import read_english
from carrel.models.steps.language.forbidding import without_forbidden
from carrel.models.steps.language.held import as_held, retold
from carrel.models.steps.language.links import link
from carrel.models.steps.language.naming import names_used
from carrel.models.steps.language.same_way import resolved
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.language.told_days import as_told, with_days
from carrel.models.steps.language.wished import wished
from carrel.models.steps.language.worded import as_worded
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.language.worked_out import on_calculator, worked_out
from carrel.models.steps.program import Check, Program, Step, Unclear, Worded

__all__ = ["is_chinese", "read_afresh", "read_sentence", "read_text"]

_HAN = re.compile(r"[\u3400-\u9fff]")
# Words that a Chinese sentence does not begin with, whatever the things are called.
_ENGLISH = re.compile(
    r"(?:in|on|at|under|within|from|for|if|unless|when|once|while|as soon as|after|before|until|"
    r"the|there|every|each|all|repeat)\s(?!=)",
    re.IGNORECASE,
)
_LOOKING = re.compile(
    r"(?:navigate|browse|look|go|explore|search|move|click)\s+(?:through|around|between|"
    r"among)\s+(?:(?!\s(?:and|then)\s)[^,;])+",
    re.IGNORECASE,
)

_ASSERTED = re.compile(
    r"\b(?:verify|assert|ensure|validate|expect|make sure|make certain|see that|"
    r"(?:check|confirm) (?:that|whether|if))\b",
    re.IGNORECASE,
)

# A quote that nothing closes; after a number it may be inches.
_OPEN_QUOTE = re.compile(r'(?<!\d)["“”「」『』`]|["].*["]')


def read_sentence(text: str) -> Program:
    """What an instruction asks for, step by step.

    Never raises: words that no rule understands become an `Unclear` step that says why.

    Args:
        text: One or several sentences, in English or Chinese.
    """
    asked = commonly(wished(text))
    steps = _linked(asked)
    if holds_unclear(steps) or is_doubtful(steps):
        held = as_worded(as_held(steps, asked))
        if holds_unclear(held):
            held = next(_in_parts(asked), held)
        steps = next(read_afresh(asked), _not_miswritten(held, asked))
    if not steps:
        steps = [Unclear(why="nothing is asked for", words=text.strip())]
    return Program(tuple(steps), tuple(names_used(steps)), told=((0, text),))


def _in_parts(text: str) -> Iterator[list[Step]]:
    """The steps of a Chinese text, part by part: what no rule reads is left to the screen."""
    atoms = Atoms()
    for parts in cut_zh(" ".join(atoms.mask(text).split())):
        steps: list[Step] = []
        for part in re.split(r"[。！!]", parts):
            said = atoms.original(part).strip()
            steps += _linked(said) if said else []
        worded = as_worded(steps)
        left = any(isinstance(step, Worded) for step in worded)
        if left and not holds_unclear(worded) and not is_doubtful(worded):
            yield worded


def _not_miswritten(steps: list[Step], text: str) -> list[Step]:
    if any(map(tells_in_name, steps)):
        why = "where the name ends, and what is said of it, is not clear; a name goes in quotes"
        return [Unclear(why=f"“{text.strip()}”: {why}", words=text.strip())]
    if not is_miswritten(steps):
        return steps
    return [Unclear(why="what is to be typed in which letters is not clear", words=text.strip())]


def _linked(text: str, line: int = 0) -> list[Step]:
    return on_calculator(link(read_text(text, line)))


def read_afresh(text: str, line: int = 0) -> Iterator[list[Step]]:
    """The steps of the same instruction in plainer words, wherever these leave nothing unclear.

    Args:
        text: An instruction that was not understood, or that nothing on the screen fits.
        line: Where it stands.
    """
    claims = _claims(_linked(text, line)) if _ASSERTED.search(text) else 0
    for worded in plainer(text):
        steps = _linked(worded, line)
        # What is to be verified is not done instead.
        if not steps or _claims(steps) < claims:
            continue
        if not holds_unclear(steps) and not is_doubtful(steps):
            yield steps


def _claims(steps: list[Step]) -> int:
    return sum(isinstance(step, Check) for step in steps)


def read_text(text: str, line: int = 0) -> list[Step]:
    """The steps of a text, pronouns not yet filled in."""
    atoms = Atoms()
    masked = re.sub(r"[ \t\r\f\v\u00a0\u3000]+", " ", atoms.mask(text))
    steps: list[Step] = []
    talk = Talk(atoms, chinese=is_chinese(masked))
    if talk.chinese and (length := page_length_zh(masked)):
        steps = length
    elif talk.chinese:
        for part in in_time_order(without_background_zh(sentences_zh(masked))):
            steps += _accounted(part, _read(part, talk), talk)
    else:
        steps = _english(masked, talk)
    steps = without_forbidden(steps, talk)
    return [retold(_placed(step, line, text)) for step in steps]


def _english(masked: str, talk: Talk) -> list[Step]:
    told = without_background(_with_else(with_answers(sentences(masked))))
    parts = in_time_order(told)
    steps: list[Step] = []
    before: list[Step] = []
    for index, part in enumerate(parts):
        # Looking through something is how, not what, when the next sentence says what.
        if index + 1 < len(parts) and _LOOKING.fullmatch(bare(part)):
            continue
        read = resolved(_accounted(part, _read(part, talk), talk), before)
        before = read if any(not isinstance(step, Check) for step in read) else before
        steps += read
    return steps


def _read(part: str, talk: Talk) -> list[Step]:
    """The steps of one sentence, with the days that it tells."""
    try:
        _refuse_arithmetic(part, talk)
        worded = with_days(part, talk)
    except NotUnderstood as error:
        words = talk.atoms.original(part).strip()
        return [Unclear(why=f"“{words}”: {error}", words=words)]
    read = read_chinese if talk.chinese else read_english
    return as_told(read(worded, talk), talk)


def _refuse_arithmetic(part: str, talk: Talk) -> None:
    if said := worked_out(part):
        raise NotUnderstood(f"“{talk.atoms.original(said)}” would have to be worked out first")


def _accounted(part: str, steps: list[Step], talk: Talk) -> list[Step]:
    """The steps, or that it is unclear what some words are to them."""
    words = talk.atoms.original(part).strip()
    if steps and _OPEN_QUOTE.search(part):
        why = 'the quotes do not close; a text that holds quotes goes in others: «say "no"»'
        return [Unclear(why=f"“{words}”: {why}", words=words)]
    lost = left_over(part, steps, talk) if steps else ()
    if not lost:
        return steps
    told = ", ".join(f"“{word}”" for word in lost)
    return [Unclear(why=f"“{words}”: no rule knows what {told} means here", words=words)]


def _with_else(parts: list[str]) -> list[str]:
    """`If … . Otherwise …` belong together."""
    joined: list[str] = []
    for part in parts:
        if joined and re.match(r"(?:otherwise|else|if not)\b", part, re.IGNORECASE):
            joined[-1] = f"{joined[-1]}, {part}"
        else:
            joined.append(part)
    return joined


def is_chinese(masked: str) -> bool:
    """Whether the words around the atoms are Chinese."""
    words = re.sub(ANY, " ", masked)
    if not _HAN.search(words):
        return False
    return verb_at(bare(words.lstrip())) is None and not _ENGLISH.match(words.lstrip())


def _placed(step: Step, line: int, text: str) -> Step:
    words = step.words or text.strip()
    return replace(step, line=line, words=words)
