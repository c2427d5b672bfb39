"""`carrel verify`."""

from __future__ import annotations

import click

from carrel.cli._group import Command
from carrel.cli._output import Output, one_line
from carrel.cli._runs import RUN, find_run

__all__ = ["verify"]

_SHOWN = 10


@click.command(cls=Command)
@click.argument("run", type=RUN)
@click.pass_obj
def verify(out: Output, run: str) -> int:
    """Check that nothing in a run's record was changed, removed or put in.

    Exit status 0 when it is as it was written, 1 when it is not.
    """
    from carrel.journal.verify import verify as check
    from carrel.journal.views.phrases import counted

    found = find_run(run)
    result = check(found)
    document = {
        "run": found,
        "ok": result.ok,
        "events": result.events,
        "blobs": result.blobs,
        "first_bad": result.first_bad,
        "problems": list(result.problems),
        "found": result.found,
        "torn": result.torn,
    }
    lines = [f"{found}: {one_line(problem)}" for problem in result.problems[:_SHOWN]]
    if result.found > _SHOWN:
        lines.append(f"and {result.found - _SHOWN} more")
    if result.ok:
        held = f"{counted(result.events, 'event')}, {counted(result.blobs, 'picture')}"
        lines = [f"{found} is as it was written: {held}"]
    if result.torn:
        were = "was" if result.torn == 1 else "were"
        lines.append(
            f"its last {counted(result.torn, 'byte')} {were} left by a process that died; "
            "that says nothing"
        )
    out.result(document, *lines)
    return 0 if result.ok else 1
