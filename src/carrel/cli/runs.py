"""`carrel runs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import since
from carrel.cli._output import Output, one_line
from carrel.cli._runs import asked_words, cost_words, how_to_answer, standing

if TYPE_CHECKING:
    from carrel.journal import Summary

__all__ = ["runs"]

_COLUMNS = ("id", "status", "reason", "steps", "cost", "when", "task")


@click.command(cls=Command)
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, help="How many at most; 20 by default."
)
@click.pass_obj
def runs(out: Output, limit: int) -> None:
    """List the runs there were, the newest first."""
    from carrel.journal import Runs

    found = Runs().list(limit)
    if out.json:
        out.document({"runs": [_describe(summary) for summary in found]})
        return
    if not found:
        out.line('There is no run yet. Begin one with: carrel run "TASK"')
        return
    out.table(_COLUMNS, [_row(summary) for summary in found])
    for summary in found:
        if summary.open_asks:
            _tell_asks(out, summary.id)
        if summary.problem:
            out.line(f"{summary.id}: {one_line(summary.problem)}")


def _tell_asks(out: Output, name: str) -> None:
    from carrel.journal import load_run

    run = load_run(name)
    for ask in run.asks:
        out.line(f"{run.id} asks: {one_line(asked_words(ask), 200)}")
        out.line(f"  {how_to_answer(run, ask)}")


def _row(summary: Summary) -> list[object]:
    status, reason = standing(summary.id, summary.status, summary.reason)
    return [
        summary.id,
        status,
        one_line(reason, 40),
        summary.steps,
        cost_words(summary.money),
        since(summary.started),
        one_line(summary.task, 60),
    ]


def _describe(summary: Summary) -> dict[str, object]:
    status, reason = standing(summary.id, summary.status, summary.reason)
    return {
        "id": summary.id,
        "status": status,
        "reason": reason,
        "task": summary.task,
        "model": summary.model,
        "steps": summary.steps,
        "cost": summary.cost,
        "seconds": summary.seconds,
        "started": summary.started,
        "ended": summary.ended,
        "updated": summary.updated,
        "open_asks": summary.open_asks,
        "problem": summary.problem or None,
    }
