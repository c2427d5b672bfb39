"""What the commands about runs share."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

import click

from carrel.cli._output import Output, one_line
from carrel.errors import CarrelError, NotFound

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from carrel.journal import Run
    from carrel.journal.run import OpenAsk

    _ParamType = click.ParamType[str]
else:
    _ParamType = click.ParamType

__all__ = [
    "RUN",
    "about",
    "asked_words",
    "cost_words",
    "describe_run",
    "find_run",
    "how_to_answer",
    "require_either",
    "standing",
    "warn_if_changed",
]

_OFFERED = 50
_WORDED = frozenset({"command", "path", "to", "what", "name", "key"})
"""Fields of actions that their words give as they are, unless they are too long."""
_MOST = 8000
_LAST = 2000


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


def require_either(word: str) -> None:
    """Refuse a word that is neither a machine's name, which was looked for, nor any run's.

    Raises:
        NotFound: With where to find both.
    """
    try:
        find_run(word)
    except NotFound as error:
        if word == "latest" or word.startswith("run_"):
            raise
        raise NotFound(
            f"there is no machine and no run {word}",
            op=error.op,
            hint="carrel status shows the machines, carrel runs the runs",
        ) from None


def cost_words(cost: Decimal | None) -> str:
    """What was spent: `$0.0123`, or `unknown`."""
    from carrel.journal.views.phrases import money

    return money(cost)


def standing(run: str, status: str, reason: str) -> tuple[str, str]:
    """Status and reason; `interrupted` when the journal says running and no process is."""
    from carrel.journal.views.phrases import standing as stands

    return stands(run, status, reason)


def warn_if_changed(out: Output, run: str) -> None:
    """Say on standard error when a run's record is not as it was written."""
    from carrel.journal.verify import verify

    found = verify(run, blobs=False)
    if not found.ok:
        what = one_line(found.problems[0], 200)
        out.note(f"warning: {run} is not as it was written: {what} (carrel verify {run})")


def asked_words(ask: OpenAsk) -> str:
    """What a question is about, in one line."""
    words = str(ask.data.get("words", "")) if ask.kind != "question" else ""
    question = ask.question or "a question"
    return one_line(f"{words}: {question}" if words else question)


def how_to_answer(run: Run, ask: OpenAsk) -> str:
    """The command that answers a question."""
    which = f" --ask {ask.ask}" if len(run.asks) > 1 else ""
    others = f" (or {', '.join(ask.choices[1:])})" if len(ask.choices) > 1 else ""
    choice = ask.choices[0] if ask.choices else "TEXT"
    return one_line(f"carrel answer {run.id} {choice}{which}{others}")


def about(words: str, action: object) -> list[str]:
    """What a question is about, in full: its words, and whatever of the action is not in them.

    Nobody can agree to what they were not shown.
    """
    lines = [one_line(words)] if words else []
    for name, value in action.items() if isinstance(action, dict) else ():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        told = name in _WORDED or isinstance(value, int | float)
        if name != "type" and value not in ({}, []) and not (told and text in words):
            lines += _indented(f"{name}: {_middle_cut(text)}")
    return lines


def _middle_cut(text: str) -> str:
    """The beginning and the end of a text that nobody would read."""
    if len(text) <= _MOST:
        return text
    left_out = f"\n[{len(text) - _MOST} characters left out; carrel show RUN --json has them]\n"
    return text[: _MOST - _LAST] + left_out + text[-_LAST:]


def _indented(text: str) -> list[str]:
    """Lines that cannot be taken for anything but a part of what is shown."""
    first, *others = text.splitlines() or [""]
    return [f"  {first}", *(f"  | {line}" for line in others)]


def describe_run(run: Run) -> dict[str, object]:
    """One run as JSON; a cost that is not known is null."""
    from carrel import codec

    status, reason = standing(run.id, run.status, run.reason)
    return {
        "id": run.id,
        "task": run.task,
        "model": run.model,
        "dialect": run.dialect,
        "machine": dict(run.machine),
        "screen": str(run.screen) if run.screen else None,
        "status": status,
        "reason": reason,
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
