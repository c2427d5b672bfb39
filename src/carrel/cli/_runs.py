"""What the commands about runs share."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import click

from carrel.errors import CarrelError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from carrel.journal import Run

    _ParamType = click.ParamType[str]
else:
    _ParamType = click.ParamType

__all__ = ["RUN", "cost_words", "describe_run", "find_run", "shown_status"]

_OFFERED = 50


class _RunType(_ParamType):
    """A run's id, the beginning of one, or `latest`; completed from the runs there are."""

    name = "RUN"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from carrel.journal import Runs

        try:
            summaries = Runs().list(_OFFERED)
        except (CarrelError, OSError):
            # A shell waits for this: nothing is the only useful answer.
            return []
        offered = [(summary.id, summary.task) for summary in summaries]
        if summaries:
            offered.append(("latest", "the newest run"))
        return [
            CompletionItem(name, help=" ".join(task.split())[:60])
            for name, task in offered
            if name.startswith(incomplete)
        ]


RUN = _RunType()


def find_run(text: str) -> str:
    """The id of the run that is meant."""
    from carrel.journal import Runs

    return Runs().find(text)


def cost_words(cost: Decimal | None) -> str:
    """What was spent: `$0.0123`, or `unknown`."""
    from carrel.journal.views.moments import money

    return money(cost)


def shown_status(run: str, status: str) -> str:
    """The status; `interrupted` when the journal says running and no process is."""
    from carrel.journal import is_being_written

    if status in ("running", "queued") and not is_being_written(run):
        return "interrupted"
    return status


def describe_run(run: Run) -> dict[str, object]:
    """One run as JSON; a cost that is not known is null."""
    from carrel import codec

    return {
        "id": run.id,
        "task": run.task,
        "model": run.model,
        "dialect": run.dialect,
        "machine": dict(run.machine),
        "screen": str(run.screen) if run.screen else None,
        "status": shown_status(run.id, run.status),
        "reason": run.reason,
        "message": run.message,
        "text": run.text,
        "steps": run.steps,
        "usage": codec.encode(run.usage),
        "cost": None if run.cost is None else format(run.cost, "f"),
        "seconds": run.seconds,
        "started": run.started,
        "ended": run.ended,
        "updated": run.updated,
        "asks": [dict(ask.data) for ask in run.asks],
        "unfinished": [codec.encode(act) for act in run.unfinished],
        "notes": list(run.notes),
        "frame": run.frame,
        "errors": run.errors,
        "events": run.events,
        "attempts": run.attempts,
    }
