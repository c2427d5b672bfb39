"""A model that decides again what a run's model decided: `replay:RUN`."""

from __future__ import annotations

from pathlib import Path

from carrel.decisions import Decision, decode_decision
from carrel.errors import NotFound
from carrel.journal.index import Runs
from carrel.journal.reader import read_events
from carrel.models.scripted import ScriptedModel

__all__ = ["ReplayModel"]


class ReplayModel(ScriptedModel):
    """The decisions of an earlier run, in their order.

    It does not look: on a screen that has become another, the same clicks do other things.

    Args:
        run: Its id, the beginning of it, or `latest`. The model's name holds the whole id, so that
            a run of it that is resumed goes on with the same decisions.
        home: Where runs are kept; None for the user's data directory.

    Raises:
        NotFound: There is no such run, or it decided nothing.
    """

    dialect = "replay"

    def __init__(self, run: str, *, home: Path | None = None) -> None:
        found = Runs(home).find(run)
        super().__init__(_decisions(found, home), f"replay:{found}")


def _decisions(run: str, home: Path | None) -> list[Decision]:
    found = [
        decode_decision(event.data["decision"])
        for event in read_events(run, home=home)
        if event.kind == "decision"
    ]
    if not found:
        raise NotFound(f"{run} has no decisions to repeat", hint="carrel runs")
    return found
