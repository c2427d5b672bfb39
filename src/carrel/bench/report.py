"""Results as a page: rates and times by task, every episode, and the replays of some.

The page needs no network and no script. What a task or an agent said is text in it, whatever it
holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from html import escape
from importlib import resources
from itertools import zip_longest
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from carrel.bench.results import Results, Row, read_results
from carrel.bench.table import Line, Summary, summarise
from carrel.errors import InvalidInput, NotFound
from carrel.journal.paths import check_run_id
from carrel.journal.views import write_html
from carrel.journal.views.document import private_file, write_document

__all__ = ["MOST_REPLAYS", "REPORT", "Replays", "write_report"]

REPORT = "report.html"
FOLDER = "replays"
MOST_REPLAYS = 100

Replays = Literal["failures", "all", "none"]


def write_report(
    place: Path, *, replays: Replays = "failures", most: int = MOST_REPLAYS
) -> tuple[Path, int]:
    """Write the report of a directory of results.

    Args:
        place: The directory.
        replays: Of which episodes a page that plays the run is written, too.
        most: How many of those at most, spread over the tasks.

    Returns:
        The page, and how many replays it links to.

    Raises:
        InvalidInput: No agent played there: whoever measured has written a page of its own.
    """
    results = read_results(place)
    require_played(results, place)
    chosen = _choose(results.rows, replays, most)
    there = {row.run for row in chosen if _replay(place, row.run)}
    style = resources.files(__package__).joinpath("report.css").read_text("utf-8")
    title = f"{results.header.suite}, {results.header.model} · Carrel"
    path = place / REPORT
    with private_file(path) as passing:
        passing.write_bytes(
            write_document(title, style, _body(results, summarise(results), there, place))
        )
    return path, len(there)


def require_played(results: Results, place: Path) -> None:
    """Refuse results without a plan of episodes, of which there is another report.

    Raises:
        InvalidInput: They are such.
    """
    if len(results.header.plan):
        return
    page = place / REPORT
    raise InvalidInput(
        f"{place} holds a measurement of {results.header.suite}, which no agent played",
        hint=f"its report is {page}" if page.exists() else f"carrel bench {results.header.suite}",
    )


def _choose(rows: Iterable[Row], replays: Replays, most: int) -> list[Row]:
    """One of each task, then another of each, until there are enough."""
    by_task: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.run and (replays == "all" or (replays == "failures" and not row.success)):
            by_task[row.task].append(row)
    turns = zip_longest(*by_task.values())
    return [row for turn in turns for row in turn if row is not None][:most]


def _replay(place: Path, run: str) -> bool:
    """Write the page that plays a run, unless it is there; False when its journal is gone."""
    path = place / FOLDER / f"{check_run_id(run)}.html"
    if path.exists():
        return True
    path.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        with private_file(path) as passing, passing.open("wb") as file:
            write_html(run, file, home=place)
    except NotFound:
        return False
    return True


# Words


def _body(results: Results, summary: Summary, there: Collection[str], place: Path) -> str:
    by_task: dict[str, list[Row]] = defaultdict(list)
    for row in results.rows:
        by_task[row.task].append(row)
    parts = [
        f"<h1>{escape(results.header.suite)}: {escape(results.header.model)}</h1>",
        _head(results, summary),
        _HEADING,
        *(_task(line, by_task[line.task], there) for line in summary.lines),
        (
            f"<p>Any other episode: <code>CARREL_RUNS={escape(place.name)} carrel export RUN"
            " --html</code>, in the directory above this one.</p>"
        ),
    ]
    return "\n".join(parts)


_HEADING = (
    '<div class="heading"><span>task</span><span class="number">done</span><span></span>'
    '<span class="number">95 %</span><span class="number">seconds</span>'
    '<span class="number">steps</span></div>'
)


def _head(results: Results, summary: Summary) -> str:
    header = results.header
    low, high = summary.interval
    facts = {
        "episodes": f"{summary.episodes} of {len(header.plan)}",
        "95 %": f"{low:.1%} to {high:.1%}",
        "tasks": f"{len(summary.lines)}",
        "at 80 % or more": f"{summary.good}",
        "perfect": f"{summary.perfect}",
        "mean": f"{summary.seconds:.2f} s, and {summary.overhead:.2f} s beside it",
        "faults": f"{summary.faults}, counted as failures",
        "seeds": _seeds(header.seeds),
        "limits": "the suite's own" if header.timeout is None else f"{header.timeout:g} s",
        "suite": f"{header.suite} {header.version}",
        "desk": ", ".join(header.machine.values()),
        "Carrel": header.carrel,
    }
    facts |= {f"pass@{k}": f"{value:.1%}" for k, value in summary.pass_at.items()}
    cells = (f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts.items())
    return f'<p class="overall">{summary.rate:.1%} done</p>\n<dl>{"".join(cells)}</dl>'


def _seeds(seeds: tuple[int, ...]) -> str:
    if len(seeds) > 2 and seeds == tuple(range(seeds[0], seeds[-1] + 1)):
        return f"{seeds[0]} to {seeds[-1]}"
    return ", ".join(map(str, seeds))


def _task(line: Line, rows: list[Row], there: Collection[str]) -> str:
    low, high = line.interval
    cells = (
        f"<span>{escape(line.task)}</span>"
        f'<span class="number">{line.successes} of {line.episodes}</span>'
        f'<meter min="0" max="1" value="{line.rate:.3f}">{line.rate:.0%}</meter>'
        f'<span class="number">{low * 100:.0f}–{high * 100:.0f}</span>'
        f'<span class="number">{line.seconds:.1f}</span>'
        f'<span class="number">{line.steps:.1f}</span>'
    )
    ordered = sorted(rows, key=lambda row: row.trial)
    body = "".join(_episode(row, row.run in there) for row in ordered)
    head = (
        "<tr><th>seed</th><th></th><th>task</th><th>how it ended</th><th>s</th><th>replay</th></tr>"
    )
    return f"<details><summary>{cells}</summary><table>{head}{body}</table></details>"


def _episode(row: Row, has_replay: bool) -> str:
    mark, word = ("won", "done") if row.success else ("lost", "not done")
    if row.fault:
        mark, word = "fault", "fault"
    again = f".{row.attempt + 1}" if row.attempt else ""
    said = [row.reason, row.fault, row.message, *(f"before: {each}" for each in row.earlier)]
    if not row.success and 0 < row.reward < 1:
        said.insert(0, f"reward {row.reward:.2f}")
    how = "; ".join(dict.fromkeys(each for each in said if each))
    link = escape(row.run)
    if has_replay:
        link = f'<a href="{FOLDER}/{quote(row.run)}.html">{link}</a>'
    return (
        f'<tr><td>{row.seed}{again}</td><td class="{mark}">{word}</td><td>{escape(row.text)}</td>'
        f"<td>{escape(how)}</td><td>{row.seconds:.1f}</td><td><code>{link}</code></td></tr>"
    )
