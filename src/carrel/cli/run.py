"""`carrel run` and `carrel resume`."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import anyio
import click

from carrel.cli._display import DISPLAYS, Display, Mode, choose_display
from carrel.cli._given import read_given
from carrel.cli._group import Command
from carrel.cli._machines import describe, is_machine
from carrel.cli._machines import run as run_async
from carrel.cli._origin import as_before, describe_origin, is_fresh
from carrel.cli._output import Output
from carrel.cli._progress import Stages
from carrel.cli._runs import about, require_either
from carrel.cli._scenarios import (
    STEPS,
    Reports,
    choose_scenarios,
    complete,
    equip,
    run_scenarios,
    scenario_options,
)
from carrel.cli._types import MACHINE, VARIABLE
from carrel.errors import NotFound, UsageError
from carrel.events import Event

if TYPE_CHECKING:
    from carrel.agent.agent import Agent
    from carrel.agent.running import Running
    from carrel.cli._person import Console
    from carrel.codec import Json
    from carrel.journal.run import Run
    from carrel.machines.lifecycle import Machines
    from carrel.scenarios.outcome import Outcome

__all__ = ["resume", "run"]

_TICK = 0.2
_ENDED = ("succeeded", "failed", "refused", "cancelled")


_SET_HELP = "What {NAME} in the steps stands for; repeatable."
_HIDDEN_HELP = "As --set, from the environment, and written down nowhere; asked for otherwise."


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that running and resuming share."""
    options = [
        click.option("--model", metavar="PROVIDER:MODEL", help="Who decides; see carrel models."),
        click.option("--base-url", metavar="URL", help="Where the model's server is."),
        click.option(
            "--option",
            "model_options",
            multiple=True,
            metavar="NAME=VALUE",
            help="For the model: dialect=marks, stream=false, region=…; repeatable.",
        ),
        click.option("--budget", metavar="USD", help="Most money to spend."),
        click.option("--max-steps", type=click.IntRange(min=1), help="Most decisions; 100."),
        click.option("--max-seconds", type=click.IntRange(min=1), help="Most time; 1800."),
        click.option("--policy", "policy_file", metavar="FILE", help="What is allowed (TOML)."),
        click.option("--instructions", metavar="FILE", help="Told to the model with the task."),
        click.option(
            "--tool", "tools", multiple=True, metavar="MODULE:FN", help="A function it may call."
        ),
        click.option("--mcp", multiple=True, metavar="COMMAND|URL", help="A server of tools."),
        click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help=_SET_HELP),
        click.option(
            "--set-secret",
            "hidden",
            multiple=True,
            type=VARIABLE,
            metavar="NAME[=VARIABLE]",
            help=_HIDDEN_HELP,
        ),
        click.option("--display", type=click.Choice(DISPLAYS), help="full, plain, json or none."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


_LOCAL = ("policy_file", "instructions", "files", "junit", "report")


@click.command(cls=Command, local_names=_LOCAL)
@click.argument("task", required=False)
@click.option("-m", "--machine", type=MACHINE, help="Where; a fresh desk when left out.")
@_options
@scenario_options
@click.option("--keep", is_flag=True, help="Keep the fresh desk afterwards.")
@click.pass_obj
def run(
    out: Output,
    /,
    task: str | None,
    machine: str | None,
    keep: bool,
    files: tuple[str, ...],
    given: tuple[str, ...],
    hidden: tuple[str, ...],
    only: tuple[str, ...],
    fail_fast: bool,
    fail_on_doubt: bool,
    junit: str | None,
    report: str | None,
    **options: Any,
) -> int:
    r"""Have a model carry out a task on a desk, or run files of steps as tests.

    Every action passes the policy and is written to the run's journal. Ctrl-C pauses; again, it
    stops. A run that was interrupted, or waits for an answer, goes on with carrel resume.

    \b
    carrel run "Open the terminal" --model steps
    carrel run -f login.steps --set user=ann --junit out.xml --report out.html
    """
    if files:
        if task:
            raise UsageError("give a task or -f, not both", hint="leave out one of them")
        reports = Reports(*(None if path is None else Path(path) for path in (junit, report)))
        wish = _Files(files, only, fail_fast, fail_on_doubt, reports, machine, keep)
        return _go_through(out, wish, given=given, hidden=hidden, **options)
    extra = {"--only": only, "--fail-fast": fail_fast, "--fail-on-doubt": fail_on_doubt}
    alone = [
        name for name, value in {**extra, "--junit": junit, "--report": report}.items() if value
    ]
    if alone:
        raise UsageError(
            f"{alone[0]} goes with -f FILE only", hint="write the task into a file, or leave it out"
        )
    if not (task or "").strip():
        raise UsageError("there is no task", hint='carrel run "Open a terminal"')
    return _go(out, _Wish(task, None, machine, keep), given=given, hidden=hidden, **options)


@click.command(cls=Command, local_names=("policy_file", "instructions"))
@click.argument("which", metavar="RUN|MACHINE", default="latest")
@click.option("-m", "--machine", type=MACHINE, help="Where; the machine it ran on when left out.")
@_options
@click.pass_obj
def resume(out: Output, /, which: str, machine: str | None, **options: Any) -> int:
    """Go on with a run, after a pause, a crash or a question, or with a halted machine.

    Nothing is done twice. RUN is an id, the beginning of one, or latest.
    """
    from carrel.journal import Mailbox, Runs

    if is_machine(which):
        item = run_async(_resume_machine, which)
        out.result({"machine": item}, f"{which} is {item['state']}")
        return 0
    require_either(which)
    runs = Runs()
    found = runs.find(which)
    if runs.is_live(found):
        Mailbox(found).post("resume")
        out.result({"run": found, "resumed": True}, f"{found} goes on where it runs")
        return 0
    return _go(out, _Wish(None, found, machine, True), **options)


async def _resume_machine(name: str) -> dict[str, object]:
    from carrel.machines.lifecycle import Machines

    return describe(await Machines().resume(name))


@dataclass(frozen=True, slots=True)
class _Wish:
    task: str | None
    run: str | None
    machine: str | None
    keep: bool
    identity: str | None = None
    """That of the machine, where it was chosen before: another may have its name by now."""


def _go(
    out: Output,
    wish: _Wish,
    *,
    given: tuple[str, ...] = (),
    hidden: tuple[str, ...] = (),
    display: Mode | None = None,
    **options: Any,
) -> int:
    assert display is None or display in get_args(Mode)
    from carrel.cli._agent import make_agent
    from carrel.cli._person import Console

    console = Console()
    shown = choose_display(out, display, console)
    origin = describe_origin(options, fresh=wish.machine is None and not wish.keep)
    if wish.run is not None:
        options = as_before(wish.run, options)
    names = read_given(given, hidden, can_ask=console.is_there)
    agent = make_agent(console, shown, wish.run, secrets=names.secrets, **options)
    if names:
        agent = equip(agent, None, names.values)
    ended: Run = run_async(_drive, out, agent, wish, console, shown, origin)
    _report(out, ended)
    return 0 if ended.status == "succeeded" else 1


@dataclass(frozen=True, slots=True)
class _Files:
    files: tuple[str, ...]
    only: tuple[str, ...]
    fail_fast: bool
    fail_on_doubt: bool
    reports: Reports
    machine: str | None
    keep: bool


def _go_through(
    out: Output,
    wish: _Files,
    *,
    given: tuple[str, ...],
    hidden: tuple[str, ...],
    display: Mode | None = None,
    **options: Any,
) -> int:
    """Run files of steps: 0 when every scenario passed, 1 when one did not."""
    from carrel.cli._agent import make_agent
    from carrel.cli._person import Console
    from carrel.scenarios.outcome import summarise

    if wish.fail_on_doubt and options["model"] not in (None, "steps"):
        message = "--fail-on-doubt goes with --model steps only: others tell no doubt"
        raise UsageError(message, hint="leave out one of them")
    console = Console()
    names = read_given(given, hidden, can_ask=console.is_there)
    scenarios = choose_scenarios(wish.files, names.values, wish.only)
    wish.reports.check()
    shown = choose_display(out, display or ("none" if out.json else None), console)
    origin = describe_origin(options, fresh=wish.machine is None and not wish.keep)
    options["model"] = options["model"] or "steps"
    options["max_steps"] = options["max_steps"] or STEPS
    agent = make_agent(console, shown, None, secrets=names.secrets, **options)
    identity = None if wish.machine is None else _identity(wish.machine)

    async def drive(agent: Agent, task: str) -> Run:
        one = _Wish(task, None, wish.machine, wish.keep, identity)
        return await _drive(out, agent, one, console, shown, origin)

    go = partial(run_scenarios, fail_fast=wish.fail_fast, fail_on_doubt=wish.fail_on_doubt)
    outcomes: list[Outcome] = []
    try:
        run_async(go, out, agent, scenarios, names, drive, outcomes)
    finally:
        # Whatever ended it: what was run before is told.
        if outcomes:
            wish.reports.write(complete(outcomes, scenarios))
    out.note(summarise(outcomes))
    return 0 if all(outcome.verdict == "passed" for outcome in outcomes) else 1


# Driving


async def _drive(
    out: Output,
    agent: Agent,
    wish: _Wish,
    console: Console,
    display: Display,
    origin: dict[str, Json],
) -> Run:
    # Before a desk is made for nothing.
    await agent.check_model()
    async with AsyncExitStack() as stack:
        desk = await stack.enter_async_context(_desk(out, wish))
        watch = {"on_text": display.text, "observers": [desk.begin, display.event]}
        if wish.run is not None:
            running = agent.resume(wish.run, wish.machine, **watch)  # type: ignore[arg-type]
        else:
            assert wish.task is not None
            running = agent.run(wish.task, desk.name, origin=origin, **watch)  # type: ignore[arg-type]
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_tick, display)
            tasks.start_soon(_obey_interrupts, running, console, display)
            ended = await running.result()
            tasks.cancel_scope.cancel()
        display.clear()
        desk.ended = ended.status in _ENDED
        return ended


@dataclass(slots=True)
class _Desk:
    name: str
    ended: bool = True

    def begin(self, event: Event) -> None:
        """From the first event on there is a run that may need it again."""
        if event.kind == "run.started":
            self.ended = False


@asynccontextmanager
async def _desk(out: Output, wish: _Wish) -> AsyncIterator[_Desk]:
    """The machine to work on; a fresh one goes away when the run has ended."""
    from carrel.ids import new_id
    from carrel.journal import load_run
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    fresh = wish.machine is None
    if wish.run is not None:
        name = str(load_run(wish.run).machine.get("name", ""))
        fresh = fresh and is_fresh(wish.run)
        desk = _Desk(name, ended=False)
    else:
        name = wish.machine or f"run-{new_id('x')[-8:]}"
        stages = Stages(quiet=out.json, passing=True)
        async with stages.running():
            if wish.machine is None:
                await machines.up(name, progress=stages)
            else:
                await _start(machines, name, wish.identity or _identity(name), stages)
        desk = _Desk(name)
    try:
        yield desk
    finally:
        if fresh:
            with anyio.CancelScope(shield=True):
                await _put_away(out, machines, desk, keep=wish.keep and wish.run is None)


def _identity(name: str) -> str:
    """The id of the machine of a name.

    Raises:
        NotFound: There is none: a name that is not there is more likely a slip than a wish.
    """
    from carrel.machines.store import Store

    return Store().get(name).id


async def _start(machines: Machines, name: str, identity: str, stages: Stages) -> None:
    """Have a chosen machine running, and no other one.

    Raises:
        NotFound: It was deleted meanwhile, whether or not there is another of its name.
    """
    if machines.store.get(name).id == identity:
        standing = await machines.start(name, progress=stages)
        if standing.machine.id == identity:
            return
    raise NotFound(f"the machine {name} was deleted meanwhile; there is another of that name now")


async def _put_away(out: Output, machines: Machines, desk: _Desk, *, keep: bool) -> None:
    if keep:
        out.note(f"its desk is kept: carrel do -m {desk.name} …, or carrel delete {desk.name}")
    elif desk.ended:
        await machines.delete(desk.name)
    else:
        # The run may go on, and needs what it was working on.
        out.note(f"its desk is kept: carrel resume, or carrel delete {desk.name}")


async def _tick(display: Display) -> None:
    while True:
        await anyio.sleep(_TICK)
        display.tick()


async def _obey_interrupts(running: Running, console: Console, display: Display) -> None:
    """Ctrl-C pauses and asks; a second one, or one without a terminal, stops."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with anyio.create_task_group() as tasks:
            asked = False
            async for number in signals:
                if asked or number == signal.SIGTERM or not console.is_there:
                    running.cancel("Ctrl-C" if number == signal.SIGINT else "SIGTERM")
                    continue
                asked = True
                display.clear()
                running.pause("Ctrl-C")

                async def choose() -> None:
                    nonlocal asked
                    await menu_of(console, running)
                    asked = False

                tasks.start_soon(choose)


async def menu_of(console: Console, running: Running) -> None:
    """Ask how to go on after Ctrl-C."""
    from carrel.cli._person import menu

    await menu(console, running)


def _report(out: Output, ended: Run) -> None:
    from carrel.journal.views.phrases import counted, money

    cost = None if ended.cost is None else str(ended.cost)
    document = {
        "run": ended.id,
        "status": ended.status,
        "reason": ended.reason,
        "message": ended.message,
        "text": ended.text,
        "steps": ended.steps,
        "cost": cost,
        "seconds": ended.seconds,
        "asks": [{"ask": ask.ask, "question": ask.question} for ask in ended.asks],
    }
    if out.json:
        out.json_line(document)
        return
    if ended.text:
        out.line(ended.text)
    why = ended.message or ended.reason
    out.note(ended.status if why.startswith(ended.status) else f"{ended.status}: {why}")
    steps = counted(ended.steps, "step")
    spent = f"cost {money(ended.cost)}"
    out.note(f"{steps}, {ended.seconds:.1f} s, {spent}; carrel show {ended.id}")
    for ask in ended.asks:
        for line in about(str(ask.data.get("words", "")), ask.data.get("action")):
            out.note(f"? {line}")
        out.note(f"it waits: {ask.question}")
        out.note(f"try: carrel answer {ended.id} {' | '.join(ask.choices) or 'TEXT'}")
