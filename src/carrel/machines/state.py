"""The states of a machine and what is allowed in each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from carrel.errors import WrongState

__all__ = ["TRY", "Observed", "State", "require_state", "way_on"]

TRY = "try: "
"""Begins the note that says what to do."""


class State(StrEnum):
    """Where a machine is in its life, as observed, never as wished."""

    CREATING = "creating"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    STOPPED = "stopped"
    ERROR = "error"
    """It stopped by itself; `Observed.cause` says why."""
    LOST = "lost"
    """The store knows it, its provider does not."""
    UNREADABLE = "unreadable"
    """Its record or its provider cannot be read, so nobody knows what it does."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What a provider sees of one machine right now.

    Attributes:
        cause: Why it is in this state, where there is something to say.
        pid: Process that stands for it on this system, where there is one.
        started_at: Seconds since the epoch.
        notes: Promises that could not be kept here, such as a limit without cgroups; and what to
            do, where the provider knows better than the state tells.
    """

    state: State
    cause: str | None = None
    pid: int | None = None
    started_at: float | None = None
    notes: tuple[str, ...] = ()


_ALLOWED: dict[str, frozenset[State]] = {
    "start": frozenset({State.STOPPED, State.ERROR, State.LOST}),
    "stop": frozenset(
        {State.CREATING, State.RUNNING, State.PAUSED, State.STOPPING, State.ERROR, State.STOPPED}
    ),
    "configure": frozenset({State.STOPPED, State.ERROR, State.LOST}),
    "use": frozenset({State.RUNNING}),
    "look at": frozenset({State.RUNNING, State.PAUSED}),
    "snapshot": frozenset({State.RUNNING}),
    "fork": frozenset({State.RUNNING}),
    "balloon": frozenset({State.RUNNING}),
    "pause": frozenset({State.RUNNING}),
    "resume": frozenset({State.PAUSED}),
    "delete": frozenset(State),
}

_HINTS = {
    State.STOPPED: "carrel up {name}",
    State.ERROR: "carrel up {name}",
    State.LOST: "carrel delete {name}",
    State.UNREADABLE: "carrel doctor",
    State.RUNNING: "carrel stop {name}",
    State.PAUSED: "carrel resume {name}",
    State.CREATING: "carrel status {name}",
    State.STOPPING: "carrel status {name}",
}


def way_on(observed: Observed) -> str | None:
    """What its provider says is to be done, where it says something."""
    told = (note.removeprefix(TRY) for note in observed.notes if note.startswith(TRY))
    return next(told, None)


def require_state(name: str, operation: str, observed: Observed) -> None:
    """Let an operation through only in a state that allows it.

    Raises:
        WrongState: With the state, its cause, and the command that leads on.
    """
    if observed.state in _ALLOWED[operation]:
        return
    why = f": {observed.cause}" if observed.cause else ""
    hint = _HINTS[observed.state]
    if (operation, observed.state) == ("resume", State.RUNNING):
        hint = "it goes on already; carrel pause {name} halts it"
    how = "it has failed" if observed.state is State.ERROR else f"it is {observed.state}"
    raise WrongState(
        f"cannot {operation} {name}: {how}{why}",
        op=f"machine.{operation}",
        hint=way_on(observed) or hint.format(name=name),
        context={"state": str(observed.state)},
    )
