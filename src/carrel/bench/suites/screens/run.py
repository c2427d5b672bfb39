"""The whole of it: screens caught, looked at, judged, and the figures written down."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio

from carrel.bench.results import RESULTS
from carrel.bench.suites.screens.capture import SIZES, Captured, capture, find_kept
from carrel.bench.suites.screens.figures import Sheet, as_json, sheets
from carrel.bench.suites.screens.judging import DESCRIPTIONS, judge
from carrel.bench.suites.screens.record import header_of, rows_of, write_rows
from carrel.bench.suites.screens.report import write_report
from carrel.bench.suites.screens.shot import read_shot
from carrel.bench.suites.screens.tally import Judged, Tally, tally
from carrel.errors import AlreadyExists, NotFound
from carrel.geometry import Size
from carrel.machines.lifecycle import quiet
from carrel.machines.provider import Progress

__all__ = ["FIGURES", "SHOTS", "Outcome", "run"]

SHOTS = "shots"
FIGURES = "figures.json"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it.

    Attributes:
        missing: Screens that could not be looked at, and why.
        report: The page with the misses.
    """

    tally: Tally
    judged: tuple[Judged, ...]
    missing: dict[str, str]
    report: Path

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The figures in tables."""
        return sheets(self.tally)


async def run(
    place: Path,
    *,
    sizes: Sequence[Size] = (),
    only: Collection[str] = (),
    shots: Path | None = None,
    descriptions: int = DESCRIPTIONS,
    progress: Progress = quiet,
) -> Outcome:
    """Measure how well the screen is seen.

    Args:
        place: Where results, figures and report go; screens that were caught there by a run that
            was broken off are not caught again.
        sizes: Of the desk's screen; `SIZES` when empty, or those that are in `shots`.
        only: Patterns of names of pages and applications; all when empty.
        shots: Where the screens of an earlier time are: they are looked at again as they were,
            and none is caught. None catches them, and keeps them in `place`.
        descriptions: How many things are asked for on each screen.
        progress: Told of every screen.

    Raises:
        NotFound: There is no screen to look at.
        AlreadyExists: There are results in `place`.
        Unavailable: The packages that read pixels are not installed.
    """
    if (place / RESULTS).exists():
        raise AlreadyExists(f"there are results in {place} already", hint="another --out")
    home = shots or place / SHOTS
    if shots is None:
        caught = await capture(home, sizes=sizes or SIZES, only=only, progress=progress)
    else:
        caught = find_kept(home, sizes=sizes, only=only)
    if not caught.keys:
        why = "; ".join(f"{name}: {reason}" for name, reason in [*caught.missing.items()][:3])
        raise NotFound(f"there is no screen to look at: {why or 'nothing has such a name'}")
    judged = await _judge_all(home, caught, descriptions, progress)
    return await anyio.to_thread.run_sync(_write, place, home, judged, caught.missing)


async def _judge_all(
    home: Path, caught: Captured, descriptions: int, progress: Progress
) -> tuple[Judged, ...]:
    from carrel.perception._nets import Nets

    nets = Nets()
    judged: list[Judged] = []
    # Once for nothing: what is loaded first would be counted as slow.
    await judge(read_shot(home, caught.keys[0]), nets, 0)
    for number, key in enumerate(caught.keys):
        progress(f"looking at {key}", number / len(caught.keys))
        judged.append(await judge(read_shot(home, key), nets, descriptions))
    return tuple(judged)


def _write(place: Path, home: Path, judged: tuple[Judged, ...], missing: dict[str, str]) -> Outcome:
    place.mkdir(parents=True, exist_ok=True)
    total = tally(judged)
    rows = tuple(rows_of(judged))
    write_rows(place, header_of(rows), rows)
    images = {one.key: home / one.key / "screen.png" for one in judged}
    report = write_report(place, sheets(total), judged, images, missing)
    figures = {**as_json(total), "missing": dict(missing)}
    (place / FIGURES).write_text(json.dumps(figures, ensure_ascii=False, indent=1), "utf-8")
    return Outcome(total, judged, missing, report)
