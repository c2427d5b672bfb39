"""What a model is told: the task, the last steps, and what they led to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from carrel.codec import Json
from carrel.decisions import Decision, SafetyCheck
from carrel.geometry import Size
from carrel.models.picture import Picture
from carrel.results import Result

__all__ = ["Context", "Options", "Outcome", "ToolSpec", "Turn"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A function tool as models see it; `schema` is the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Options:
    """How to ask; None leaves it to the provider."""

    max_tokens: int | None = None
    temperature: float | None = None
    reasoning: str | None = None
    """`low`, `medium` or `high`, where the model can."""
    cache: bool = True
    """Mark what stays the same, where the provider bills it as cached."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call led to. Every call of a decision has exactly one.

    Attributes:
        call: The call's id.
        text: What the model is told in words: results, errors, refusals, interruptions.
        results: Of the actions that were tried, in order.
        picture: The screen afterwards, or what a zoom showed; None when it is no longer kept.
        acknowledged: The provider's checks that a person or a rule confirmed.
    """

    call: str
    text: str = ""
    results: tuple[Result, ...] = ()
    picture: Picture | None = None
    acknowledged: tuple[SafetyCheck, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every action that was tried worked, and at least one was."""
        return bool(self.results) and all(result.ok for result in self.results)


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision, and what came of it.

    Attributes:
        decision: None for a turn in which only the person spoke.
        outcomes: One for each call, in the order of the calls.
        said: What the person (or the runtime) said to the model after it.
        memo: How a dialect has told it before, to be told again in every request that follows.
    """

    decision: Decision | None
    outcomes: tuple[Outcome, ...] = ()
    said: tuple[str, ...] = ()
    memo: dict[object, tuple[Json, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a model needs to decide the next step.

    Attributes:
        screen: Size of the screen in pixels.
        first: The screen before the first turn; None when it is no longer kept, or for a dialect
            that asks for its own screenshots and has not yet.
        summary: Of turns that are no longer in `turns`; empty when all are.
        actions: Types of the actions the model may call; None for all of them.
        decided: How many decisions were made before this one, also those no longer in `turns`.
    """

    task: str
    screen: Size
    turns: tuple[Turn, ...] = ()
    first: Picture | None = None
    instructions: str = ""
    summary: str = ""
    tools: tuple[ToolSpec, ...] = ()
    actions: frozenset[str] | None = None
    options: Options = field(default_factory=Options)
    decided: int = 0

    @property
    def picture(self) -> Picture | None:
        """The newest picture there is."""
        for turn in reversed(self.turns):
            for outcome in reversed(turn.outcomes):
                if outcome.picture is not None:
                    return outcome.picture
        return self.first
