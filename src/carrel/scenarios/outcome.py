"""How a scenario went, folded from its journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from carrel.codec import Json
from carrel.events import Event
from carrel.journal.ends import EndReason
from carrel.journal.run import Run, fold
from carrel.models.steps.state import Record, read_records

__all__ = ["Outcome", "Verdict", "fail_if_doubtful", "fold_outcome", "summarise"]

Verdict = Literal["passed", "failed", "error", "skipped"]

_OURS = frozenset({EndReason.DONE, EndReason.GAVE_UP})
"""Ends that are a verdict on what was tested; any other is trouble on the way to one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One scenario's result.

    Attributes:
        file: As it was given.
        verdict: `failed` when a step was not as written, or is in doubt where that is not enough;
            `error` when something else ended the run.
        account: What went wrong, exactly; what was read when nothing did.
        records: The steps that ended, in order.
        frame: The last picture's blob, or empty.
    """

    file: str
    name: str
    verdict: Verdict
    account: str = ""
    records: tuple[Record, ...] = ()
    seconds: float = 0.0
    run: str = ""
    frame: str = ""

    @property
    def failed_step(self) -> Record | None:
        """The step that failed, if one did."""
        return next((record for record in self.records if record.how == "failed"), None)

    @property
    def doubtful(self) -> tuple[Record, ...]:
        """The steps that passed although nothing shows that they did anything."""
        return tuple(record for record in self.records if record.doubt)


def fail_if_doubtful(outcome: Outcome) -> Outcome:
    """The same, but that a scenario which passed with a step in doubt has failed."""
    if outcome.verdict != "passed" or not outcome.doubtful:
        return outcome
    first, *more = outcome.doubtful
    account = f"{first.words} is in doubt: {first.doubt}"
    told = f"{account}; and {len(more)} more in doubt" if more else account
    return replace(outcome, verdict="failed", account=told)


def summarise(outcomes: Sequence[Outcome]) -> str:
    """How many passed, and how many of those in doubt."""
    passed = [outcome for outcome in outcomes if outcome.verdict == "passed"]
    doubtful = sum(bool(outcome.doubtful) for outcome in passed)
    told = f"{len(passed)} of {len(outcomes)} scenarios passed"
    return f"{told}, {doubtful} of them with steps in doubt" if doubtful else told


def fold_outcome(file: str, name: str, events: Iterable[Event]) -> Outcome:
    """Read it from the events of its run."""
    listed = list(events)
    run = fold(listed)
    decisions = (event.data.get("decision") for event in listed if event.kind == "decision")
    records = read_records(cast("Mapping[str, Json]", d) for d in decisions if isinstance(d, dict))
    return Outcome(
        file,
        name,
        _verdict(run),
        run.text if run.status == "succeeded" else run.message or run.reason,
        tuple(records),
        run.seconds,
        run.id,
        run.frame or "",
    )


def _verdict(run: Run) -> Verdict:
    if run.status == "succeeded":
        return "passed"
    if run.status == "cancelled":
        return "skipped"
    return "failed" if run.reason in _OURS else "error"
