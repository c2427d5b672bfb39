"""What `carrel bench` says: its progress, its table and its comparison."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

import click

from carrel.cli._output import Output, clean, one_line

if TYPE_CHECKING:
    from carrel.bench.compare import Comparison, Difference
    from carrel.bench.results import Results, Row
    from carrel.bench.table import Line, Summary

__all__ = ["Meter", "describe_comparison", "describe_summary", "show_comparison", "show_summary"]

_QUIET = 30.0
"""Seconds between two lines where none can be drawn over."""


class Meter:
    """How far a benchmark is: one live line on a terminal, one line now and then elsewhere."""

    def __init__(self, out: Output, total: int) -> None:
        self._out = out
        self._total = total
        self._live = not out.json and sys.stderr.isatty()
        self._began = time.monotonic()
        self._said = self._began
        self._played = 0

    def stage(self, text: str, share: float | None = None) -> None:
        """What is done before the first episode, or between two."""
        if self._live and not self._played:
            percent = "" if share is None else f" {share:.0%}"
            self._draw(f"{text}{percent}")

    def row(self, row: Row, results: Results) -> None:
        """One more episode."""
        self._played += 1
        now = time.monotonic()
        if self._live:
            self._draw(self._words(row, results))
        elif not self._out.json and now - self._said >= _QUIET:
            self._said = now
            self._out.note(self._words(row, results))

    def finish(self) -> None:
        """Clear the live line."""
        if self._live:
            click.echo("\r\x1b[K", nl=False, err=True)

    def _words(self, row: Row, results: Results) -> str:
        done = len(results.rows)
        won = sum(each.success for each in results.rows)
        each = (time.monotonic() - self._began) / self._played
        left = each * max(self._total - done, 0)
        word = "done" if row.success else "fault" if row.fault else "not done"
        return (
            f"{done} of {self._total}, {won / done:.1%} done, {_span(left)} left; "
            f"{row.task} {row.seed}: {word}"
        )

    def _draw(self, text: str) -> None:
        width = min(99, shutil.get_terminal_size().columns - 1)
        click.echo(f"\r\x1b[K{one_line(clean(text), width)}", nl=False, err=True)


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


# The table


def describe_summary(results: Results, summary: Summary) -> dict[str, object]:
    """All of it as a document."""
    from carrel import codec

    header = codec.encode(results.header)
    assert isinstance(header, dict)
    low, high = summary.interval
    return {
        "bench": header,
        "episodes": summary.episodes,
        "missing": summary.missing,
        "successes": summary.successes,
        "rate": round(summary.rate, 4),
        "interval": [round(low, 4), round(high, 4)],
        "faults": summary.faults,
        "good": summary.good,
        "perfect": summary.perfect,
        "seconds": round(summary.seconds, 3),
        "overhead": round(summary.overhead, 3),
        "pass_at": {str(k): round(value, 4) for k, value in summary.pass_at.items()},
        "tasks": [_describe_line(line) for line in summary.lines],
    }


def _describe_line(line: Line) -> dict[str, object]:
    return {
        "task": line.task,
        "episodes": line.episodes,
        "successes": line.successes,
        "rate": round(line.rate, 4),
        "faults": line.faults,
        "seconds": round(line.seconds, 3),
        "steps": round(line.steps, 2),
        "pass_at": {str(k): round(value, 4) for k, value in line.pass_at.items()},
    }


def show_summary(out: Output, results: Results, summary: Summary) -> None:
    """The table, and what it comes to."""
    ks = sorted(summary.pass_at)[1:]
    columns = ("task", "done", "rate", "seconds", "steps", *(f"pass@{k}" for k in ks), "faults")
    rows = [
        (
            line.task,
            f"{line.successes} of {line.episodes}",
            f"{line.rate:.0%}",
            f"{line.seconds:.2f}",
            f"{line.steps:.1f}",
            *(f"{line.pass_at[k]:.0%}" if k in line.pass_at else "" for k in ks),
            str(line.faults or ""),
        )
        for line in summary.lines
    ]
    out.table(columns, rows)
    for text in _conclusion(results, summary):
        out.line(text)


def _conclusion(results: Results, summary: Summary) -> list[str]:
    from carrel.bench.table import GOOD

    low, high = summary.interval
    tasks = len(summary.lines)
    lines = [
        (
            f"{summary.rate:.1%} of all episodes done: {summary.successes} of {summary.episodes} "
            f"(95 %: {low:.1%} to {high:.1%})"
        ),
        (
            f"{summary.good} of {tasks} tasks at {GOOD:.0%} or more, {summary.perfect} perfect; "
            f"{summary.seconds:.2f} s per episode, and {summary.overhead:.2f} s beside it"
        ),
    ]
    lines += [f"pass@{k}: {value:.1%}" for k, value in summary.pass_at.items()]
    if summary.faults:
        lines.append(f"{summary.faults} spoilt by faults that were not the agent's, counted here")
    if summary.missing:
        lines.append(f"{summary.missing} of {len(results.header.plan)} were not played: --resume")
    return lines


# The comparison


def describe_comparison(found: Comparison) -> dict[str, object]:
    """All of it as a document."""
    return {
        "verdict": found.verdict,
        "overall": _describe_difference(found.overall),
        "tasks": [
            {**_describe_difference(task), "clear": task.name in found.clear}
            for task in found.tasks
        ],
        "only_first": found.only_first,
        "only_second": found.only_second,
        "differs": list(found.differs),
    }


def _describe_difference(each: Difference) -> dict[str, object]:
    return {
        "name": each.name,
        "episodes": each.episodes,
        "first": each.first,
        "second": each.second,
        "gained": each.gained,
        "lost": each.lost,
        "questions": each.questions,
        "better": each.better,
        "worse": each.worse,
        "change": round(each.change, 4),
        "p": round(each.p, 6),
    }


def show_comparison(out: Output, found: Comparison) -> None:
    """The tasks that came out differently, and whether that means anything."""
    rows = [
        (
            task.name,
            f"{task.first} of {task.episodes}",
            f"{task.second} of {task.episodes}",
            f"{task.change * 100:+.0f}",
            f"{task.p:.3f}",
            "yes" if task.name in found.clear else "may be chance",
        )
        for task in sorted(found.tasks, key=lambda each: (-each.change, each.name))
        if task.gained or task.lost
    ]
    if rows:
        out.table(("task", "first", "second", "points", "p", "clear"), rows)
    all_ = found.overall
    (low, high), (low2, high2) = all_.intervals
    out.line(
        f"first {all_.first / all_.episodes:.1%} ({low:.1%} to {high:.1%}), "
        f"second {all_.second / all_.episodes:.1%} ({low2:.1%} to {high2:.1%}) "
        f"of {all_.episodes} episodes; {all_.gained} gained, {all_.lost} lost"
    )
    if all_.questions < all_.episodes:
        out.line(
            f"they ask {all_.questions} different things, each of which counts once: "
            f"{all_.better} came out better, {all_.worse} worse"
        )
    out.line(f"second against first: {found.verdict} (sign test, p = {all_.p:.2g})")
    if found.only_first or found.only_second:
        out.line(
            f"left out: {found.only_first} only in the first, {found.only_second} in the second"
        )
    if found.differs:
        out.line(f"beside the agent these differ: {', '.join(found.differs)}")
