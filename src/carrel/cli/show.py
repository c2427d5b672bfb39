"""`carrel show`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import local_time
from carrel.cli._output import Output, one_line
from carrel.cli._runs import (
    RUN,
    about,
    cost_words,
    describe_run,
    find_run,
    how_to_answer,
    standing,
    warn_if_changed,
)

if TYPE_CHECKING:
    from carrel.journal import Run
    from carrel.journal.views import Moment

__all__ = ["show"]

_WIDTH = 200
_TOLD = frozenset({"ask", "answer", "text", "note", "stuck", "error", "run.finished"})


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
    warn_if_changed(out, found)
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
    for line in _story(tell(history)):
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
        words = _told(moment)
        line = f"{moment.seq:5}  {local_time(moment.at)}  {moment.kind:12}  {words}"
        out.line(one_line(line, _WIDTH))


def _head(run: Run) -> list[str]:
    from carrel.journal.views.phrases import place_words

    facts = {
        "run": run.id,
        "task": one_line(run.task, _WIDTH),
        "status": one_line(_status(run), _WIDTH),
        "model": run.model,
        "machine": place_words(run.machine),
        "steps": str(run.steps),
        "cost": cost_words(run.cost),
        "tokens": f"{run.usage.total} ({run.usage.cached} cached, {run.usage.output} out)",
        "time": f"{run.seconds:.1f} s",
        "started": local_time(run.started),
        "answer": one_line(run.text, _WIDTH),
    }
    lines = [f"{name:8} {one_line(text)}" for name, text in facts.items() if text]
    for ask in run.asks:
        lines.append(f"{'asks':8} {one_line(ask.question, _WIDTH)}")
        if ask.kind != "question":
            words, action = str(ask.data.get("words", "")), ask.data.get("action")
            lines += [f"{'':8} {line}" for line in about(words, action)]
        lines.append(f"{'':8} {how_to_answer(run, ask)}")
    lines += [
        f"{'unsure':8} {one_line(act.words)}: begun, and its result is not known"
        for act in run.unfinished
    ]
    return lines


def _status(run: Run) -> str:
    """Status, reason and message, nothing twice."""
    status, reason = standing(run.id, run.status, run.reason)
    message = "" if run.message == run.text and status == "succeeded" else run.message
    if message.startswith(f"{status} "):
        return message
    why = f" ({reason})" if reason not in ("", status) else ""
    return f"{status}{why}{': ' + message if message and message != reason else ''}"


def _story(moments: Iterable[Moment]) -> Iterator[str]:
    """What is worth a line; an action and what came of it are in one."""
    begun: Moment | None = None
    for moment in moments:
        if moment.kind == "result":
            apart = begun is None and moment.outcome in ("done", "delivered")
            if not apart:
                yield _deed(moment)
            begun = None
            continue
        line = "" if moment.kind == "act" else _line(moment)
        if begun is not None and (line or moment.kind == "act"):
            yield _deed(begun)
            begun = None
        if moment.kind == "act":
            begun = moment
        elif line:
            yield line
    if begun is not None:
        yield _deed(begun)


def _deed(moment: Moment) -> str:
    why = dict(moment.lines).get("why", "")
    came = f" → {moment.outcome}{': ' + why if why else ''}" if moment.outcome else ""
    denied = " (denied)" if moment.kind == "act" and moment.tone == "bad" else ""
    room = max(20, _WIDTH - len(came) - 8)
    return one_line(f"{moment.step:4}    {one_line(moment.action, room)}{denied}{came}", _WIDTH)


def _line(moment: Moment) -> str:
    if moment.kind == "decision":
        said = dict(moment.lines)
        words = said.get("thought") or said.get("says") or said.get("refuses")
        return one_line(f"{moment.step:4}  {words}", _WIDTH) if words else ""
    if moment.kind not in _TOLD:
        return ""
    return one_line(f"{moment.step:4}  {_told(moment)}", _WIDTH)


def _told(moment: Moment) -> str:
    """A moment in one line: what it was, and the first thing there is to read about it."""
    facts = ("calls", "cost", "time", "tokens", "effect", "grant", "model")
    first = next((text for label, text in moment.lines if label not in facts), "")
    plain = moment.kind == "act" and first == "allowed"
    return moment.title if plain or not first else f"{moment.title}: {first}"
