"""`carrel show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import local_time
from carrel.cli._output import Output, one_line
from carrel.cli._runs import RUN, about, cost_words, describe_run, find_run, shown_status

if TYPE_CHECKING:
    from carrel.journal import Run
    from carrel.journal.views import Moment

__all__ = ["show"]

_WIDTH = 200
_TOLD = frozenset({"act", "ask", "answer", "text", "note", "stuck", "error", "run.finished"})


@click.command(cls=Command)
@click.argument("run", type=RUN)
@click.option("--events", is_flag=True, help="Every event, one to a line.")
@click.pass_obj
def show(out: Output, run: str, events: bool) -> None:
    r"""Show what happened in a run.

    \b
    carrel show latest             what was done, in words
    carrel show RUN --events       every event
    carrel show RUN --json         all facts for a program
    """
    found = find_run(run)
    if events:
        _show_events(out, found)
        return
    from carrel.journal import fold, read_events
    from carrel.journal.views import tell

    history = list(read_events(found))
    folded = fold(history)
    if out.json:
        out.document(describe_run(folded))
        return
    for line in _head(folded):
        out.line(line)
    out.line()
    for moment in tell(history):
        line = _line(moment)
        if line:
            out.line(line)


def _show_events(out: Output, run: str) -> None:
    from carrel.journal import read_events
    from carrel.journal.views import tell
    from carrel.journal.views.jsonl import lines

    if out.json:
        for wire in lines(run):
            out.json_line(wire)
        return
    for moment in tell(read_events(run)):
        words = ": ".join(text for text in (moment.title, _first(moment)) if text)
        line = f"{moment.seq:5}  {local_time(moment.at)}  {moment.kind:12}  {words}"
        out.line(one_line(line, _WIDTH))


def _head(run: Run) -> list[str]:
    status = shown_status(run.id, run.status)
    why = f" ({run.reason})" if run.reason else ""
    facts = {
        "run": run.id,
        "task": one_line(run.task, _WIDTH),
        "status": f"{status}{why}",
        "model": run.model,
        "machine": " ".join(str(value) for value in run.machine.values()),
        "steps": str(run.steps),
        "cost": cost_words(run.cost),
        "tokens": f"{run.usage.total} ({run.usage.cached} cached, {run.usage.output} out)",
        "time": f"{run.seconds:.1f} s",
        "started": local_time(run.started),
        "answer": one_line(run.text, _WIDTH),
    }
    lines = [f"{name:8} {one_line(text)}" for name, text in facts.items() if text]
    for ask in run.asks:
        lines.append(f"{'asks':8} {ask.ask}: {one_line(ask.question, _WIDTH)}")
        words, action = str(ask.data.get("words", "")), ask.data.get("action")
        lines += [f"{'':8} {line}" for line in about(words, action)]
    lines += [
        f"{'unsure':8} {one_line(act.words)}: begun, and its result is not known"
        for act in run.unfinished
    ]
    return lines


def _line(moment: Moment) -> str:
    if moment.kind == "decision":
        said = dict(moment.lines)
        words = said.get("thought") or said.get("says") or said.get("refuses")
        return one_line(f"{moment.step:4}  {words}", _WIDTH) if words else ""
    if moment.kind == "result":
        if moment.tone != "bad":
            return ""
        return one_line(f"{moment.step:4}    → failed: {_first(moment)}", _WIDTH)
    if moment.kind not in _TOLD:
        return ""
    if moment.kind == "act":
        denied = " (denied)" if moment.tone == "bad" else ""
        return one_line(f"{moment.step:4}    {moment.title}{denied}", _WIDTH)
    return one_line(f"{moment.step:4}  {moment.title}: {_first(moment)}", _WIDTH)


def _first(moment: Moment) -> str:
    skipped = ("effect", "verdict") if moment.kind == "result" else ("verdict",)
    return next((text for label, text in moment.lines if label not in skipped), "")
