"""Questions of a run to its person: written first, awaited second, answered from anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from carrel.agent.control import Answer, Control
from carrel.codec import Json
from carrel.guest.tasks import task_group

__all__ = ["Asker", "Kind", "Question", "Suspended", "first_answer"]

Kind = Literal["rule", "safety", "question", "limit", "stuck", "price", "secret"]


@dataclass(frozen=True, slots=True)
class Question:
    """Something only the person can decide.

    Attributes:
        choices: What may be answered; empty for free text.
        words: The action it is about, in words; empty when it is about none.
        details: The action and the provider's checks, for those who want to see them.
    """

    id: str
    kind: Kind
    text: str
    choices: tuple[str, ...] = ()
    words: str = ""
    details: Mapping[str, Json] = field(default_factory=dict)


class Asker(Protocol):
    """A way to reach the person: a terminal, a web page, a test."""

    async def ask(self, question: Question) -> Answer | None:
        """Wait for the person; None when nobody can be reached this way."""
        ...


class Suspended(Exception):
    """Nobody is there to answer: the run waits, on disk, until it is resumed."""


async def first_answer(control: Control, asker: Asker | None, question: Question) -> Answer:
    """The first answer, whether it comes through the asker or through the run's controls.

    Raises:
        Suspended: Nobody can be asked from here.
    """
    found = control.take_answer(question.id)
    if found is not None:
        return found
    if asker is None:
        raise Suspended(question.text)
    answers: list[Answer | None] = []
    async with task_group() as tasks:

        async def ask() -> None:
            answers.append(await asker.ask(question))
            tasks.cancel_scope.cancel()

        def is_there() -> bool:
            given = control.take_answer(question.id)
            if given is not None:
                answers.append(given)
            return given is not None

        tasks.start_soon(ask)
        await control.until(is_there)
        tasks.cancel_scope.cancel()
    if not answers or answers[0] is None:
        raise Suspended(question.text)
    return answers[0]
