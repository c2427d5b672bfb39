"""`carrel bench screens`: what is seen of real screens, held against the truth."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carrel.cli._bench import Meter
from carrel.cli._group import Command
from carrel.cli._machines import run as run_async
from carrel.cli._output import Output
from carrel.geometry import Size

if TYPE_CHECKING:
    from carrel.bench.suites.screens import Outcome

__all__ = ["SCREENS", "screen_names", "screens"]

SCREENS = "screens"
"""Measured like a suite, but played by nobody."""


def screen_names() -> tuple[str, tuple[str, ...]]:
    """Its version, and every screen that can be looked at."""
    from carrel.bench.suites.screens.capture import screen_names as names
    from carrel.bench.suites.screens.record import VERSION

    return VERSION, names()


@click.command(SCREENS, cls=Command, local_names=("out_directory", "shots"))
@click.option("--size", "sizes", multiple=True, metavar="WxH", help="1024x768 and 1920x1080.")
@click.option("--only", multiple=True, metavar="GLOB", help="Only these screens; repeatable.")
@click.option("--out", "out_directory", metavar="DIR", help="Where the results go.")
@click.option("--shots", metavar="DIR", help="Look again at these, without a desk.")
@click.pass_obj
def screens(
    out: Output,
    sizes: tuple[str, ...],
    only: tuple[str, ...],
    out_directory: str | None,
    shots: str | None,
) -> None:
    """Measure how well the screen is seen.

    Real pages and applications, against what they say of themselves: text, controls, icons, and
    things described in words. Pages of npm packages are fetched once.
    """
    from carrel.bench.suites.screens import run

    place = Path(out_directory or f"bench-screens-{time.strftime('%Y%m%d-%H%M%S')}").absolute()
    meter = Meter(out, 0)

    async def measure() -> Outcome:
        return await run(
            place,
            sizes=tuple(Size.parse(size) for size in sizes),
            only=only,
            shots=Path(shots).absolute() if shots else None,
            progress=meter.stage,
        )

    try:
        outcome = run_async(measure)
    finally:
        meter.finish()
    _show(out, outcome)


def _show(out: Output, outcome: Outcome) -> None:
    from carrel.bench.suites.screens.figures import as_json, as_text

    if out.json:
        found = {**as_json(outcome.tally), "missing": outcome.missing}
        out.document({**found, "report": str(outcome.report)})
        return
    out.line(as_text(outcome.sheets))
    for name, why in outcome.missing.items():
        out.note(f"not looked at: {name}: {why}")
    out.note(f"wrote {outcome.report}")
