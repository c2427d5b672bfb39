"""`carrel pause`, `cancel`, `steer` and `answer`: a run's controls from another terminal."""

from __future__ import annotations

import os
import pwd
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import describe, is_machine, run
from carrel.cli._output import Output
from carrel.cli._runs import require_either
from carrel.codec import encode
from carrel.errors import InvalidInput, NotFound, UsageError, WrongState

if TYPE_CHECKING:
    from carrel.journal.run import OpenAsk, Run

__all__ = ["answer", "cancel", "pause", "steer"]


def _live(which: str) -> str:
    from carrel.journal import Runs

    runs = Runs()
    found = runs.find(which)
    if not runs.is_live(found):
        raise WrongState(f"{found} is not running", hint=f"carrel show {found}")
    return found


def _whoami() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"


@click.command(cls=Command)
@click.argument("which", metavar="RUN|MACHINE", default="latest")
@click.pass_obj
def pause(out: Output, which: str) -> None:
    """Have a run stop before its next action, or halt a machine where it is."""
    from carrel.journal import Mailbox

    if is_machine(which):
        item = run(_pause, which)
        out.result({"machine": item}, f"{which} is {item['state']}; carrel resume {which} goes on")
        return
    require_either(which)
    found = _live(which)
    Mailbox(found).post("pause", {"by": _whoami()})
    out.result({"run": found, "paused": True}, f"{found} pauses; carrel resume {found} goes on")


async def _pause(name: str) -> dict[str, object]:
    from carrel.machines.lifecycle import Machines

    return describe(await Machines().pause(name))


@click.command(cls=Command)
@click.argument("which", metavar="RUN")
@click.pass_obj
def cancel(out: Output, which: str) -> None:
    """End a run now."""
    from carrel.journal import Mailbox, Runs

    runs = Runs()
    found = runs.find(which)
    if runs.is_live(found):
        Mailbox(found).post("cancel", {"by": _whoami()})
        out.result({"run": found, "cancelled": True}, f"{found} is being ended")
        return
    _end(found)
    out.result({"run": found, "cancelled": True}, f"{found} is ended, and cannot be resumed")


def _end(found: str) -> None:
    """Write the last event of a run that nobody runs: it waits, or was interrupted."""
    from carrel.journal import Journal, load_run

    run = load_run(found)
    if run.is_final:
        raise WrongState(f"{found} has ended already", hint=f"carrel show {found}")
    with Journal.open(found) as journal:
        journal.append(
            "run.finished",
            {
                "step": run.steps,
                "status": "cancelled",
                "reason": "cancelled",
                "message": f"cancelled by {_whoami()}",
                "text": "",
                "steps": run.steps,
                "usage": encode(run.usage),
                "cost": None if run.cost is None else str(run.cost),
                "seconds": run.seconds,
            },
        )


@click.command(cls=Command)
@click.argument("which", metavar="RUN")
@click.argument("text")
@click.pass_obj
def steer(out: Output, which: str, text: str) -> None:
    """Say something to the model of a run, before its next decision."""
    from carrel.journal import Mailbox

    if not text.strip():
        raise UsageError("there is nothing to say")
    found = _live(which)
    Mailbox(found).post("steer", {"text": text, "by": _whoami()})
    out.result({"run": found, "said": text}, f"{found} is told")


@click.command(cls=Command)
@click.argument("which", metavar="RUN")
@click.argument("choice")
@click.option("--ask", "ask_id", metavar="ID", help="Which question; the only one when left out.")
@click.option(
    "--for", "grant", type=click.Choice(["once", "run", "always"]), default="once", help="How long."
)
@click.option("--text", default="", help="What to tell the model besides.")
@click.pass_obj
def answer(out: Output, which: str, choice: str, ask_id: str | None, grant: str, text: str) -> None:
    """Answer a question of a run: allow, deny, continue, stop, or words.

    A run that is not running any more takes the answer when it is resumed.
    """
    from carrel.journal import Mailbox, Runs, load_run

    found = Runs().find(which)
    ask = _find_ask(load_run(found), ask_id)
    if ask.choices and choice not in ask.choices:
        known = ", ".join(ask.choices)
        raise InvalidInput(f"{choice!r} is not an answer to that", hint=f"one of {known}")
    Mailbox(found).post(
        "answer",
        {"ask": ask.ask, "choice": choice, "grant": grant, "text": text, "by": _whoami()},
    )
    live = Runs().is_live(found)
    next_step = "" if live else f"; carrel resume {found} goes on with it"
    out.result({"run": found, "ask": ask.ask, "choice": choice}, f"answered{next_step}")


def _find_ask(run: Run, ask_id: str | None) -> OpenAsk:
    found = [ask for ask in run.asks if ask_id is None or ask.ask.startswith(ask_id)]
    if not found:
        known = ", ".join(ask.ask for ask in run.asks)
        raise NotFound(
            f"{run.id} asks nothing" if ask_id is None else f"{run.id} asks no question {ask_id}",
            hint=f"it asks {known}" if known else "carrel runs shows which runs wait",
        )
    if len(found) > 1:
        listed = ", ".join(f"{ask.ask}: {ask.question}" for ask in found)
        raise UsageError(f"{run.id} asks several things: {listed}", hint="--ask ID")
    return found[0]
