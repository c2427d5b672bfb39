"""How far a program has come: small data that every decision carries into the journal.

From it a run that was interrupted goes on at the right step, and a report is folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from carrel import codec
from carrel.codec import Json
from carrel.decisions import Decision
from carrel.errors import InvalidInput

__all__ = ["DIALECT", "How", "Mark", "Record", "State", "read_records", "read_state"]

DIALECT = "steps"

How = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Mark:
    """Where it stands in one block of steps.

    Attributes:
        at: The step, from 0.
        branch: Of a condition: `then` or `otherwise`.
        round: Of a repetition, from 0.
        items: What is gone through, one in each round.
    """

    at: int
    branch: str = ""
    round: int = 0
    items: tuple[str, ...] = ()

    def __str__(self) -> str:
        inner = f".{self.branch}" if self.branch else f".{self.round + 1}" if self.round else ""
        return f"{self.at + 1}{inner}"


@dataclass(frozen=True, slots=True)
class Record:
    """How one step ended.

    Attributes:
        place: Such as `3`, or `4.then.1` within another step.
        account: Why it failed, or what it came to.
        seconds: From its first look to its end.
        doubt: Of a step that passed, why it is not certain that it did anything.
    """

    place: str
    line: int
    words: str
    how: How
    account: str = ""
    seconds: float = 0.0
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """What a decision of `steps` says of the program.

    Attributes:
        path: The step under way, from the outermost block to the innermost.
        words: Of that step.
        commits: Whether the step has done something that must not be done twice.
        last: Whether all it had to do is done with this decision.
        names: What was remembered so far.
        ended: The steps that ended since the decision before.
    """

    path: tuple[Mark, ...] = ()
    line: int = 0
    words: str = ""
    commits: bool = False
    last: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    ended: tuple[Record, ...] = ()

    def as_raw(self) -> dict[str, Json]:
        """As `Decision.raw` holds it."""
        return {"dialect": DIALECT, "state": codec.encode(self)}


def read_state(decision: Decision) -> State | None:
    """The state in a decision; None where it holds none that can be read."""
    if decision.raw.get("dialect") != DIALECT:
        return None
    try:
        return codec.decode(State, decision.raw.get("state"), where="state")
    except InvalidInput:
        return None


def read_records(decisions: Iterable[Mapping[str, Json]]) -> list[Record]:
    """Every step that ended, from the decisions of a journal as they are written there."""
    found: list[Record] = []
    for decision in decisions:
        raw = cast("Mapping[str, Json]", decision.get("raw") or {})
        state = read_state(Decision(raw=raw))
        found.extend(state.ended if state else ())
    return found
