"""Writing a run down, and telling those who watch."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from carrel import codec
from carrel.actions import Action
from carrel.agent.parts import Ending, Observer, Parts
from carrel.agent.past import Request
from carrel.codec import Json
from carrel.decisions import Call
from carrel.errors import ModelError
from carrel.events import Event, EventType
from carrel.intents import encode_any
from carrel.journal.words import in_words
from carrel.models.picture import Picture
from carrel.policy.gate import Judgement
from carrel.results import Result

__all__ = ["Diary", "show"]

logger = logging.getLogger(__name__)


def show(event: Event, observers: Iterable[Observer]) -> None:
    """Tell those who watch; what goes wrong in one of them is its own affair."""
    for observe in observers:
        try:
            observe(event)
        except Exception:  # it cannot stop anything
            logger.exception("an observer failed")


class Diary:
    """The run's journal, with the step in every entry."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def write(
        self, kind: EventType, data: Mapping[str, Json], blobs: tuple[str, ...] = ()
    ) -> Event:
        """Write one event, then show it to the observers."""
        step: dict[str, Json] = {"step": self._parts.tally.steps}
        event = self._parts.journal.append(kind, {**step, **data}, blobs)
        show(event, self._parts.observers)
        return event

    def status(self, status: str, reason: str) -> Event:
        """Write that the run is now in another state."""
        return self.write("run.status", {"status": status, "reason": reason})

    def act(
        self, call: Call, index: int, request: Request, action: Action, judged: Judgement
    ) -> Event:
        """Write that an action is about to be carried out."""
        return self.write(
            "act",
            {
                "call": call.id,
                "index": index,
                "request": request.id,
                "boot": request.boot,
                "action": encode_any(action),
                "words": in_words(action),
                "verdict": codec.encode(judged),
            },
        )

    def result(
        self,
        call: Call,
        index: int,
        request: Request | None,
        result: Result,
        shown: Picture | None = None,
    ) -> Event:
        """Write what came of an action; one that was never sent has no request."""
        told: dict[str, Json] = {"call": call.id, "index": index, "result": codec.encode(result)}
        if request is not None:
            told["request"] = request.id
        return self.write("result", {**told, "frame": None if shown is None else shown.id})

    def error(self, error: ModelError, attempt: int, wait: float | None) -> Event:
        """Write that the model could not be reached, and when it is tried again."""
        told: dict[str, Json] = {
            "code": error.code,
            "message": error.message,
            "kind": str(error.context.get("kind", "other")),
            "retryable": error.retryable,
        }
        return self.write("error", {**told, "attempt": attempt, "wait": wait})

    def finish(self, ending: Ending) -> Event:
        """Write the last event."""
        tally = self._parts.tally
        cost = tally.known_cost
        return self.write(
            "run.finished",
            {
                "status": ending.status,
                "reason": ending.reason.value,
                "message": ending.message,
                "text": ending.text,
                "steps": tally.steps,
                "usage": codec.encode(tally.usage),
                "cost": None if cost is None else str(cost),
                "seconds": round(tally.seconds, 3),
            },
        )
