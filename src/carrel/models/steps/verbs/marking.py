"""Marking a thing as something: by the box or the choice that says it, or by the answer to that."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.phrases.small_words import GRAMMAR
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.entries import entry_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.slots import choice_called
from carrel.models.steps.verbs.ticking import bring_to
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["mark_by_answer", "mark_by_choice"]

_NOT = re.compile(r"(?:not|un|no longer)\s?(?P<state>[a-z]+)", re.IGNORECASE)
_THING = frozenset(map(stem, ("answer", "reply", "comment", "review", "it", "its", "article")))
NEAR = 60
"""Pixels between a question and its answers, at most."""
_PRESSED = frozenset({Kind.BUTTON, Kind.LINK, Kind.RADIO})


def mark_by_choice(desk: Desk, step: Perform) -> Turns[bool]:
    """Tick the box that says what a thing is to be: its own, else the form's where it is no entry.

    What is made with a form is nowhere on the screen yet: `mark the call as urgent`.
    """
    if step.verb not in ("mark", "flag", "set") or step.what is None or len(step.details) != 1:
        return False
    word, state = step.details[0]
    if word != "as":
        return False
    match = resolve(desk, look_for(desk, wished(step.what), want="read"))
    entry = entry_of(desk.elements, match.element) if match is not None else None
    choice = choice_called(desk, state, entry.box if entry is not None else None)
    if choice is None:
        return False
    yield from bring_to(desk, choice, True, f"{step.what} is to be {state}")
    return True


def mark_by_answer(desk: Desk, step: Perform) -> Turns[bool]:
    """Answer the question whether a thing is so: `mark it as helpful` where `Helpful?` has a Yes.

    Raises:
        Missed: It is asked of several things, and none of them is told.
    """
    if step.verb not in ("mark", "rate", "flag") or len(step.details) != 1:
        return False
    word, state = step.details[0]
    away = _NOT.fullmatch(state.strip())
    state = away["state"] if away is not None else state
    if word != "as" or not state.strip().isalpha():
        return False
    asked = [(q, a) for q in _asking(desk, state) for a in _answers(desk, q, away is None)]
    if len(asked) > 1:
        asked = [pair for pair in asked if _is_of(desk, pair[0], step.what or "", asked)]
    if not asked:
        return False
    if len(asked) > 1:
        raise Missed(f"which of several is to be marked as {state} cannot be told")
    question, answer = asked[0]
    assert answer.box is not None
    at, why = answer.box.center, f"{named(answer)} answers {named(question)}"
    yield from desk.do(Click(at.x, at.y), why=why, last=True)
    yield from desk.effect()
    return True


def _asking(desk: Desk, state: str) -> list[Element]:
    """The texts that ask whether something is so."""
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    texts = [e for e in shown if kind_of(e) in (Kind.TEXT, Kind.HEADING)]
    asking = [e for e in texts if written_on(e).strip().endswith(("?", "？"))]
    asking = [e for e in asking if stem(state.casefold().strip()) in set(stems(written_on(e)))]
    return [e for e in asking if modal_over(desk.elements, e) is None]


def _answers(desk: Desk, question: Element, yes: bool) -> list[Element]:
    """The Yes beside a question, or its No."""
    own = re.compile(r"yes|是|有用" if yes else r"no|否|没用", re.IGNORECASE)
    return [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) in _PRESSED and not is_disabled(e) and own.fullmatch(written_on(e).strip())
        if _is_beside(e, question)
    ]


def _is_beside(answer: Element, question: Element) -> bool:
    own, at = answer.box, question.box
    if own is None or at is None:
        return False
    level = abs(own.center.y - at.center.y) <= at.height and own.x >= at.x
    return level or (0 <= own.y - at.bottom <= NEAR and own.x >= at.x - NEAR)


def _is_of(
    desk: Desk, question: Element, what: str, asked: Sequence[tuple[Element, Element]]
) -> bool:
    """Whether what stands over a question, down from the one before, says what is meant."""
    words = set(stems(what)) - {*stems(" ".join(GRAMMAR))} - _THING
    tops = [q.box.bottom for q, _ in asked if q.box is not None]
    at = question.box.y if question.box is not None else 0
    start = max((top for top in tops if top <= at), default=0)
    over = [
        written_on(e)
        for e in part_meant(desk.elements, "")
        if e.box is not None and start <= e.box.center.y <= at + 2
    ]
    return bool(words) and words <= {word for text in over for word in stems(text)}
