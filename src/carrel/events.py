"""What happened, one line each: the record every view of a run is read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from carrel.codec import Json

__all__ = ["EVENT_TYPES", "Event", "EventType"]

EventType = Literal[
    "run.started",
    "run.status",
    "plan",
    "frame",
    "text",
    "decision",
    "act",
    "result",
    "ask",
    "answer",
    "note",
    "memory",
    "stuck",
    "error",
    "machine",
    "run.finished",
]

EVENT_TYPES: tuple[str, ...] = get_args(EventType)


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a run's journal.

    Attributes:
        seq: Position in the run, from 0, without gaps.
        at: Seconds since the epoch.
        kind: Which of the sixteen types it is.
        blobs: SHA-256 of the files it refers to.
        previous: Hash of the entry before it; empty for the first.
    """

    run: str
    seq: int
    at: float
    kind: EventType
    data: Mapping[str, Json] = field(default_factory=dict)
    blobs: tuple[str, ...] = ()
    previous: str = ""
