"""`carrel run -f`: scenarios one after another, a verdict on each, and reports."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carrel.cli._machines import telling
from carrel.cli._output import Output
from carrel.errors import CarrelError, NotFound, UsageError

if TYPE_CHECKING:
    from carrel.agent.agent import Agent
    from carrel.cli._given import Given
    from carrel.journal.run import Run
    from carrel.models.steps.program import Program
    from carrel.scenarios.outcome import Outcome
    from carrel.scenarios.scenario import Scenario

__all__ = ["Reports", "choose_scenarios", "complete", "equip", "run_scenarios", "scenario_options"]

STEPS = 2000
"""Most decisions of a scenario: its own steps bound it, not the money of a model."""

Drive = Callable[["Agent", str], Awaitable["Run"]]
"""Carries out a task with an agent, on the desk that the person chose or on a fresh one."""


_FILE_HELP = "Steps to carry out and verify, one a line; --model steps by default."
_DOUBT_HELP = "With -f: a step that shows no effect fails its scenario."


def scenario_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of running files of steps."""
    options = [
        click.option("-f", "--file", "files", multiple=True, metavar="FILE|DIR", help=_FILE_HELP),
        click.option("--only", multiple=True, metavar="GLOB", help="With -f: scenarios by name."),
        click.option("--fail-fast", is_flag=True, help="With -f: stop at the first that fails."),
        click.option("--fail-on-doubt", is_flag=True, help=_DOUBT_HELP),
        click.option("--junit", metavar="FILE.xml", help="With -f: a report for build servers."),
        click.option("--report", metavar="FILE.html", help="With -f: a report to read."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Reports:
    """Where to write what came of it."""

    junit: Path | None = None
    page: Path | None = None

    def check(self) -> None:
        """Refuse places that cannot be written, before anything runs."""
        for path in (self.junit, self.page):
            if path is not None and not path.parent.is_dir():
                raise NotFound(
                    f"there is no directory {path.parent}", hint=f"mkdir -p {path.parent}"
                )

    def write(self, outcomes: Sequence[Outcome]) -> None:
        """Write them; a run's replay goes into a directory beside the page."""
        if self.junit is not None:
            from carrel.scenarios.junit import write_junit

            _write(self.junit, write_junit(outcomes))
        if self.page is not None:
            from carrel.journal.views.document import private_file
            from carrel.scenarios.page import write_page

            # It has pictures of the screen in it.
            with private_file(self.page) as passing:
                passing.write_bytes(write_page(outcomes, _last_picture, self._replay))

    def _replay(self, outcome: Outcome) -> str | None:
        from carrel.journal.views.document import private_file
        from carrel.journal.views.html import write_html

        assert self.page is not None
        if not outcome.run:
            return None
        beside = self.page.with_name(f"{self.page.stem}-runs")
        beside.mkdir(mode=0o700, exist_ok=True)
        path = beside / f"{outcome.run}.html"
        with private_file(path) as passing, passing.open("wb") as file:
            write_html(outcome.run, file)
        return f"{beside.name}/{outcome.run}.html"


def _last_picture(outcome: Outcome) -> bytes | None:
    from carrel.journal.blobs import read_blob

    return read_blob(outcome.run, outcome.frame) if outcome.frame else None


def _write(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def choose_scenarios(
    files: Sequence[str], given: dict[str, str], only: Sequence[str]
) -> tuple[Scenario, ...]:
    """Read the files, and keep the scenarios whose names fit.

    Raises:
        UsageError: No name fits, or a name that a scenario which is kept needs is not set.
    """
    from carrel.scenarios.scenario import read_scenarios, require_names

    found = read_scenarios([Path(file) for file in files])
    kept = tuple(
        scenario
        for scenario in found
        if not only or any(fnmatchcase(scenario.name.lower(), glob.lower()) for glob in only)
    )
    if not kept:
        names = ", ".join(scenario.name for scenario in found)
        raise UsageError(f"no scenario is called {' or '.join(only)}", hint=f"there are: {names}")
    require_names(kept, given)
    return kept


async def run_scenarios(
    out: Output,
    agent: Agent,
    scenarios: Sequence[Scenario],
    given: Given,
    drive: Drive,
    outcomes: list[Outcome],
    *,
    fail_fast: bool,
    fail_on_doubt: bool = False,
) -> None:
    """Run them in order; each has a run of its own, with a journal.

    Args:
        out: Where each is told as it ends.
        agent: Who carries them out.
        scenarios: What to run.
        given: What the names in them stand for.
        drive: Carries one out on a desk.
        outcomes: What came of them is added here, so that it is there whatever ends this early.
        fail_fast: Skip the rest after the first that did not pass.
        fail_on_doubt: A step in doubt fails its scenario.
    """
    from carrel.scenarios.outcome import Outcome, fail_if_doubtful

    # What is wrong for all of them is no scenario's error.
    await agent.check_model()
    why_not = ""
    for number, scenario in enumerate(scenarios, 1):
        if why_not:
            outcome = Outcome(str(scenario.file), scenario.name, "skipped", why_not)
        else:
            out.note(f"{number}/{len(scenarios)} {scenario.name}")
            try:
                outcome = await _run_one(agent, scenario, given, drive)
            except BaseException:
                outcomes.append(Outcome(str(scenario.file), scenario.name, "error", "broken off"))
                raise
            outcome = fail_if_doubtful(outcome) if fail_on_doubt else outcome
            if outcome.verdict == "skipped":
                why_not = "cancelled"
            elif fail_fast and outcome.verdict != "passed":
                why_not = "one before it did not pass"
        outcomes.append(outcome)
        _tell(out, outcome)


async def _run_one(agent: Agent, scenario: Scenario, given: Given, drive: Drive) -> Outcome:
    """Run a scenario; that it could not be run is its outcome, too."""
    from carrel.journal import read_events
    from carrel.scenarios.outcome import Outcome, fold_outcome

    file, name = str(scenario.file), scenario.name
    if agent.model == "steps":
        needed = {name: given.values[name] for name in scenario.program.names}
        agent, task = equip(agent, scenario.program, needed), scenario.task
    else:
        # Other models read it as a task, in words.
        task = given.fill(scenario.task)
    started = time.monotonic()
    try:
        ended = await _alone(drive(agent, task))
    except CarrelError as error:
        account = f"{error}; try: {error.hint}" if error.hint else str(error)
        return Outcome(file, name, "error", account, seconds=time.monotonic() - started)
    return fold_outcome(file, name, read_events(ended.id))


async def _alone(run: Awaitable[Run]) -> Run:
    """The same, with an error as itself, not in a group."""
    try:
        return await run
    except BaseExceptionGroup as group:
        raise telling(group) from None


def complete(outcomes: Sequence[Outcome], scenarios: Sequence[Scenario]) -> tuple[Outcome, ...]:
    """What came of the first scenarios, and that the rest were not come to."""
    from carrel.scenarios.outcome import Outcome

    rest = scenarios[len(outcomes) :]
    return (*outcomes, *(Outcome(str(s.file), s.name, "skipped", "broken off") for s in rest))


def equip(agent: Agent, program: Program | None, given: dict[str, str]) -> Agent:
    """The agent with a program, or with what names in its task stand for.

    Raises:
        UsageError: Its model is another than `steps`.
    """
    if agent.model != "steps":
        raise UsageError(
            "--set and --set-secret go with -f FILE or --model steps only",
            hint="write the task out; {{secret:NAME}} is for secrets",
        )
    from carrel.models.steps.model import StepsModel

    return replace(agent, model=StepsModel(program, given))


def _tell(out: Output, outcome: Outcome) -> None:
    if out.json:
        out.json_line(asdict(outcome))
        return
    lines = [f"{outcome.verdict}: {outcome.name} ({outcome.seconds:.1f} s)"]
    step = outcome.failed_step
    if step is not None:
        lines.append(f"  {outcome.file}:{step.line}: {step.words}")
    if outcome.verdict != "passed":
        lines.append(f"  {outcome.account}")
    for doubted in outcome.doubtful:
        place = f"{outcome.file}:{doubted.line}"
        lines.append(f"  doubtful: {place}: {doubted.words}: {doubted.doubt}")
    for line in lines:
        out.line(line)
