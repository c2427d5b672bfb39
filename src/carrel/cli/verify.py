"""`carrel verify`."""

from __future__ import annotations

import click

from carrel.cli._group import Command
from carrel.cli._output import Output, one_line
from carrel.cli._runs import RUN, find_run

__all__ = ["verify"]


@click.command(cls=Command)
@click.argument("run", type=RUN)
@click.pass_obj
def verify(out: Output, run: str) -> int:
    """Check that nothing in a run's record was changed, removed or put in.

    Exit status 0 when it is as it was written, 1 when it is not.
    """
    from carrel.journal.verify import verify as check

    found = find_run(run)
    result = check(found)
    document = {
        "run": found,
        "ok": result.ok,
        "events": result.events,
        "blobs": result.blobs,
        "first_bad": result.first_bad,
        "problems": list(result.problems),
        "torn": result.torn,
    }
    lines = [f"{found}: {one_line(problem)}" for problem in result.problems]
    if result.ok:
        lines = [f"{found} is as it was written: {result.events} events, {result.blobs} pictures"]
    if result.torn:
        lines.append(
            f"its last {result.torn} bytes were left by a process that died; they say nothing"
        )
    out.result(document, *lines)
    return 0 if result.ok else 1
