"""`carrel bench`."""

from __future__ import annotations

import signal
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carrel.cli._bench import (
    Meter,
    describe_comparison,
    describe_summary,
    show_comparison,
    show_summary,
)
from carrel.cli._group import GROUP, Command, Group
from carrel.cli._machines import run as run_async
from carrel.cli._output import Output
from carrel.cli._screens import SCREENS, screen_names, screens
from carrel.cli._types import parse_pairs
from carrel.errors import InvalidInput, UsageError

if TYPE_CHECKING:
    from carrel.agent.agent import Agent
    from carrel.bench.results import Results
    from carrel.bench.runner import Bench

__all__ = ["bench"]


class _Bench(Group):
    """A group in which any other word than its commands is the name of a suite."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or take the word for a suite."""
        if args[0] in self.commands:
            return super().resolve_command(ctx, args)
        return "run", self.commands["run"], args


@click.group(cls=_Bench, context_settings=GROUP)
def bench() -> None:
    """Measure an agent on a suite of tasks, on real desks.

    The word after it is a suite: carrel bench miniwob --model steps --seeds 10 -j 2
    """


bench.add_command(screens)


@bench.command("run", local_names=("out_directory",))
@click.argument("suite")
@click.option("--model", metavar="PROVIDER:MODEL", help="Who plays; see carrel models.")
@click.option("--base-url", metavar="URL", help="Where the model's server is.")
@click.option(
    "--option", "model_options", multiple=True, metavar="NAME=VALUE", help="For the model."
)
@click.option("--seeds", default="10", metavar="N|LIST", help="10: 0 to 9; or 0,3,5, or 20-29.")
@click.option("--tasks", multiple=True, metavar="GLOB", help="Only these; repeatable.")
@click.option("--attempts", type=click.IntRange(1, 100), default=1, help="Of each: for pass@k.")
@click.option("-j", "workers", type=click.IntRange(1, 64), default=1, help="Desks at a time.")
@click.option("--out", "out_directory", metavar="DIR", help="Where the results go.")
@click.option("--resume", is_flag=True, help="Go on with the results in DIR.")
@click.option("--timeout", type=click.FloatRange(0.1, 86400), help="Seconds for each, not its own.")
@click.option("--max-steps", type=click.IntRange(min=1), help="Most decisions for each; 100.")
@click.option("--keep", is_flag=True, help="Keep the desks afterwards.")
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    help="Where the desks are: on this computer, or on the nodes of a Ray cluster.",
)
@click.option("--ray-address", metavar="HOST:PORT", help="Of the cluster; one here by default.")
@click.option(
    "--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="Exit 1 below this."
)
@click.pass_obj
def run(out: Output, /, suite: str, fail_under: float | None, **options: Any) -> int:
    """Play a suite: carrel bench SUITE is the same.

    Every worker has a fresh desk. Each episode is one line of results.jsonl as soon as it is
    judged, so that a benchmark that was broken off goes on with --resume.
    """
    planned = _plan(suite, **options)
    meter = Meter(out, len(planned.plan))
    planned.on_row, planned.progress = meter.row, meter.stage
    if not out.json:
        seeds = ", ".join(map(str, planned.plan.seeds))
        out.note(f"{len(planned.plan.tasks)} tasks, seeds {seeds}; results in {planned.out}")
    _log_to(out, planned.out)
    try:
        results: Results | None = run_async(_play, planned)
    finally:
        meter.finish()
    if results is None:
        out.note(f"broken off; go on with the same command and --out {planned.out} --resume")
        raise KeyboardInterrupt
    return _conclude(out, results, planned.out, fail_under)


async def _play(planned: Bench) -> Results | None:
    """Play; None when it was broken off from outside, and its desks are put away."""
    import anyio

    from carrel.guest.tasks import task_group

    results: Results | None = None
    async with task_group() as tasks:

        async def heed_signals() -> None:
            with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                async for _ in signals:
                    tasks.cancel_scope.cancel()
                    # The desks are going away; another signal has nothing more to break off.

        tasks.start_soon(heed_signals)
        results = await planned.play()
        tasks.cancel_scope.cancel()
    return results


def _log_to(out: Output, place: Path) -> None:
    """Keep what went wrong inside of single episodes off the progress, in a file."""
    import logging

    if out.debug:
        return
    # Opened with the first line, when the directory is there.
    handler = logging.FileHandler(place.absolute() / "bench.log", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)


def _conclude(out: Output, results: Results, place: Path, fail_under: float | None) -> int:
    from carrel.bench.report import write_report
    from carrel.bench.table import summarise

    summary = summarise(results)
    report, _ = write_report(place)
    if out.json:
        found = {**describe_summary(results, summary), "out": str(place), "report": str(report)}
        out.document(found)
    else:
        show_summary(out, results, summary)
        out.note(f"wrote {report}")
    return 1 if fail_under is not None and summary.rate * 100 < fail_under else 0


def _plan(
    name: str,
    *,
    seeds: str,
    tasks: tuple[str, ...],
    attempts: int,
    workers: int,
    out_directory: str | None,
    resume: bool,
    timeout: float | None,
    max_steps: int | None,
    keep: bool,
    engine: str,
    ray_address: str | None,
    **of_model: Any,
) -> Bench:
    from carrel.bench.plan import Plan, parse_seeds
    from carrel.bench.runner import Bench
    from carrel.bench.suite import choose_tasks, get_suite

    suite = get_suite(name)
    if resume and out_directory is None:
        raise UsageError("--resume goes on with which results?", op="bench", hint="add --out DIR")
    if engine != "ray" and ray_address is not None:
        message = "--ray-address goes with --engine ray only"
        raise UsageError(message, op="bench", hint="add --engine ray, or leave it out")
    if engine == "ray" and keep:
        raise UsageError("desks on a cluster are not kept", op="bench", hint="leave out --keep")
    place = out_directory or f"bench-{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    planned = Bench(
        suite=suite,
        agent=_agent(**of_model),
        plan=Plan(choose_tasks(suite, tasks), parse_seeds(seeds), attempts),
        out=Path(place),
        workers=workers,
        timeout=timeout,
        max_steps=max_steps,
        resume=resume,
        keep=keep,
    )
    if engine == "ray":
        from carrel.bench.ray_seats import RaySeats

        planned.make_seats = partial(RaySeats.of, address=ray_address)
    return planned


def _agent(*, model: str | None, base_url: str | None, model_options: tuple[str, ...]) -> Agent:
    import os

    from carrel.agent.agent import Agent

    chosen = model or os.environ.get("CARREL_MODEL")
    if not chosen:
        raise UsageError(
            "no model is chosen", op="bench", hint="--model steps, or any of carrel models"
        )
    if chosen == "human":
        raise InvalidInput("a person cannot be benchmarked", hint="--model steps")
    kind, colon, path = chosen.partition(":")
    if kind == "scripted" and colon and path:
        # As it is kept in the results, it must be found from anywhere.
        chosen = f"{kind}:{Path(path).absolute()}"
    return Agent(model=chosen, base_url=base_url, model_options=parse_pairs(model_options))


@bench.command("list")
@click.argument("suite", required=False)
@click.pass_obj
def list_suites(out: Output, suite: str | None) -> None:
    """List the suites there are, or the tasks of one."""
    from carrel.bench.suite import get_suite, suite_names
    from carrel.errors import Unavailable

    if suite is not None:
        if suite == SCREENS:
            tasks = [*screen_names()[1]]
        else:
            tasks = [task.name for task in get_suite(suite).tasks()]
        out.result({"suite": suite, "tasks": tasks}, *tasks)
        return
    found: list[dict[str, object]] = []
    for name in suite_names():
        try:
            known = get_suite(name)
            found.append({"name": name, "version": known.version, "tasks": len(known.tasks())})
        except Unavailable as error:
            found.append({"name": name, "version": None, "tasks": None, "problem": error.hint})
    version, names = screen_names()
    measured = {"name": SCREENS, "version": version, "tasks": len(names)}
    if out.json:
        out.document({"suites": found, "measurements": [measured]})
        return
    listed = [*((suite, "an agent") for suite in found), (measured, "nobody")]
    rows = [(s["name"], s["version"], s["tasks"], who, s.get("problem")) for s, who in listed]
    out.table(("suite", "version", "tasks", "played by", "needs"), rows)


@bench.command("report", local_names=("directory",))
@click.argument("directory", metavar="DIR", type=click.Path())
@click.option(
    "--replays",
    type=click.Choice(["failures", "all", "none"]),
    default="failures",
    help="Which episodes can be played; the failures by default.",
)
@click.option("--most", type=click.IntRange(0), default=100, help="Replays at most; 100.")
@click.pass_obj
def report(out: Output, directory: str, replays: Any, most: int) -> None:
    """Show results again, and write their page anew."""
    from carrel.bench.report import write_report
    from carrel.bench.results import read_results
    from carrel.bench.table import summarise

    place = Path(directory)
    results = read_results(place)
    summary = summarise(results)
    page, count = write_report(place, replays=replays, most=most)
    if out.json:
        found = describe_summary(results, summary)
        out.document({**found, "report": str(page), "replays": count})
        return
    show_summary(out, results, summary)
    out.note(f"wrote {page}, with {count} replays")


@bench.command("compare", cls=Command, local_names=("first", "second"))
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@click.pass_obj
def compare(out: Output, first: str, second: str) -> None:
    """Set two results against each other, episode by episode.

    Only episodes that both have are compared; a difference that chance alone would often make is
    not called one. Of screens, all sources together are what is compared in the end, and a
    question counts once, at however many sizes it is put.
    """
    from carrel.bench.compare import compare as set_against
    from carrel.bench.results import read_results

    found = set_against(read_results(Path(first)), read_results(Path(second)))
    if out.json:
        out.document(describe_comparison(found))
        return
    show_comparison(out, found)
