"""How long a run bears with answers that lead nowhere, and with a provider that gives none."""

from __future__ import annotations

from carrel.agent.parts import Ending
from carrel.decisions import Decision
from carrel.errors import ModelError
from carrel.journal.ends import EndReason

__all__ = ["Patience", "wait_before_retry"]

ATTEMPTS = 5
LONGEST_WAIT = 120.0
MOST_BLANKS = 3
MOST_WORDS = 2
MOST_MALFORMED = 4


class Patience:
    """Counts empty answers, words alone, and calls that cannot be understood, in a row."""

    def __init__(self) -> None:
        self._blanks = 0
        self._words = 0
        self._malformed = 0

    def consider(self, decision: Decision) -> Ending | None:
        """Whether this answer is one too many."""
        self._blanks = 0 if decision.calls else self._blanks + 1
        spoke = not decision.calls and not decision.truncated and bool(decision.text.strip())
        self._words = self._words + 1 if spoke else 0
        bad = bool(decision.calls) and all(call.problem for call in decision.calls)
        self._malformed = self._malformed + 1 if bad else 0
        if decision.refusal is not None:
            return Ending("refused", EndReason.MODEL_REFUSED, decision.refusal)
        if self._words >= MOST_WORDS:
            # It was told how to end. Words are no success: they may as well say that it failed.
            told = "the model stopped with words and did not say whether it succeeded"
            return Ending("failed", EndReason.UNCONFIRMED, told, decision.text)
        if self._blanks >= MOST_BLANKS:
            reason = EndReason.TRUNCATED if decision.truncated else EndReason.EMPTY_ANSWERS
            return Ending("failed", reason, f"{self._blanks} answers without an action")
        if self._malformed >= MOST_MALFORMED:
            told = f"{self._malformed} answers in a row that cannot be understood"
            return Ending("failed", EndReason.MALFORMED_CALLS, told)
        return None


def wait_before_retry(
    error: ModelError, attempt: int, *, first: float, left: float
) -> float | None:
    """Seconds until the same question may be asked again; None to give up.

    Args:
        error: Why there was no answer; its provider may have said how long to wait.
        attempt: How often it was asked by now.
        first: Seconds before the first retry; each further one waits twice as long.
        left: Seconds the run has left.
    """
    asked = error.context.get("retry_after")
    wait = float(asked) if isinstance(asked, int | float) else 0.0
    wait = max(wait, first * 2.0 ** (attempt - 1))
    if not error.retryable or attempt >= ATTEMPTS or wait > min(LONGEST_WAIT, left):
        return None
    return wait
