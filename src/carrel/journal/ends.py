"""How a run can be, and why it ended."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["FINAL", "EndReason", "Status"]


class Status(StrEnum):
    """How a run is."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    """For a person's answer."""
    PAUSED = "paused"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    REFUSED = "refused"
    CANCELLED = "cancelled"


FINAL = frozenset({Status.SUCCEEDED, Status.FAILED, Status.REFUSED, Status.CANCELLED})
"""The ones a run ends in."""


class EndReason(StrEnum):
    """Why a run ended. Every run that ended has exactly one."""

    DONE = "done"
    GAVE_UP = "gave_up"
    """The model said that it cannot be done."""
    EMPTY_ANSWERS = "empty_answers"
    UNCONFIRMED = "unconfirmed"
    """The model stopped with words, and did not say whether it succeeded."""
    MODEL_REFUSED = "model_refused"
    TRUNCATED = "truncated"
    """The model's answers were cut off at its output limit."""
    MALFORMED_CALLS = "malformed_calls"
    STEP_LIMIT = "step_limit"
    TIME_LIMIT = "time_limit"
    MONEY_LIMIT = "money_limit"
    TOKEN_LIMIT = "token_limit"  # noqa: S105 (tokens of a model)
    ASK_LIMIT = "ask_limit"
    PRICE_UNKNOWN = "price_unknown"
    STUCK = "stuck"
    DENIED = "denied"
    """A rule or a person said no, and there was nothing else to do."""
    CANCELLED = "cancelled"
    RATE_LIMITED = "rate_limited"
    PROVIDER_ERROR = "provider_error"
    MODEL_TIMEOUT = "model_timeout"
    AUTH = "auth"
    MACHINE_LOST = "machine_lost"
    INTERNAL = "internal"
    INTERRUPTED = "interrupted"
    """The process that ran it ended; the run can be resumed."""

    @property
    def status(self) -> Status:
        """The status a run with this reason ends in."""
        return _STATUS.get(self, Status.FAILED)


_STATUS = {
    EndReason.DONE: Status.SUCCEEDED,
    EndReason.MODEL_REFUSED: Status.REFUSED,
    EndReason.DENIED: Status.REFUSED,
    EndReason.CANCELLED: Status.CANCELLED,
}
