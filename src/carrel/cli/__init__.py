"""The `carrel` command."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from carrel.cli._boundary import Root, heed_termination
from carrel.cli._group import GROUP, Lazy
from carrel.cli._output import Output
from carrel.cli._streams import prepare_streams

__all__ = ["main", "root"]

# A command's module is loaded when it is used; the help shown here must not need it.
_COMMANDS = {
    "doctor": Lazy(
        "carrel.cli.doctor:doctor", "Check what this computer can do, and how to fix it."
    ),
    "up": Lazy("carrel.cli.up:up", "Make a machine, or start the one there is."),
    "init": Lazy("carrel.cli.init:init", "Make a machine without starting it."),
    "start": Lazy(
        "carrel.cli.start:start",
        "Start a machine that was made, with other resources if you like.",
    ),
    "template": Lazy("carrel.cli.template:template", "Show what machines can be made from."),
    "config": Lazy(
        "carrel.cli.config:config",
        "Show and change settings, of one machine or for those to come.",
    ),
    "status": Lazy("carrel.cli.status:status", "Show how the machines are."),
    "do": Lazy("carrel.cli.do:do", "See and use a machine: one action per command."),
    "see": Lazy(
        "carrel.cli.see:see", "List what can be seen on a desk: controls, texts and icons."
    ),
    "locate": Lazy(
        "carrel.cli.locate:locate", "Say where something is, by a person's words for it."
    ),
    "exec": Lazy("carrel.cli.execute:execute", "Run a program inside a machine."),
    "cp": Lazy("carrel.cli.copy:copy", "Copy files into or out of a machine."),
    "data": Lazy(
        "carrel.cli.data:data",
        "Keep directories here and in machines alike, and list what is there.",
    ),
    "volume": Lazy(
        "carrel.cli.volume:volume",
        "Make and delete volumes, and attach them to machines, which they outlive.",
    ),
    "forward": Lazy("carrel.cli.forward:forward", "Reach ports of a machine from here."),
    "balloon": Lazy(
        "carrel.cli.balloon:balloon",
        "Show or change how much memory a running machine has, up to what it started with.",
    ),
    "vnc": Lazy("carrel.cli.vnc:vnc", "Print where a VNC viewer sees a machine's own screen."),
    "deploy": Lazy(
        "carrel.cli.deploy:deploy",
        "Put a program into a machine and keep it running there; it starts with the machine.",
    ),
    "mcp-config": Lazy(
        "carrel.cli.mcp:mcp_config",
        "Print what an MCP client needs to reach the servers deployed in a machine.",
    ),
    "logs": Lazy(
        "carrel.cli.logs:logs", "Show what a machine's programs wrote, and what was done with it."
    ),
    "snapshot": Lazy(
        "carrel.cli.branch:snapshot",
        "Keep a running machine's state under a label, list what is kept, or delete it.",
    ),
    "restore": Lazy(
        "carrel.cli.branch:restore",
        "Have a machine go on from a snapshot; what it did since is gone.",
    ),
    "fork": Lazy(
        "carrel.cli.branch:fork",
        "Make running copies of a running machine, which goes on as well.",
    ),
    "stop": Lazy("carrel.cli.machines:stop", "Stop machines; their disks stay."),
    "restart": Lazy(
        "carrel.cli.machines:restart", "Stop machines and start them again; their disks stay."
    ),
    "metrics": Lazy(
        "carrel.cli.metrics:metrics",
        "Show what machines use at this moment; what cannot be known is left out.",
    ),
    "events": Lazy(
        "carrel.cli.events:events", "Show what became of machines, and why, oldest first."
    ),
    "gc": Lazy(
        "carrel.cli.machines:gc",
        "Clear what killed processes and interrupted commands left behind.",
    ),
    "pool": Lazy("carrel.cli.pool:pool", "Keep machines ready, so that one more is there at once."),
    "delete": Lazy("carrel.cli.machines:delete", "Delete machines with all they hold."),
    "run": Lazy(
        "carrel.cli.run:run",
        "Have a model carry out a task on a desk, or run files of steps as tests.",
    ),
    "resume": Lazy(
        "carrel.cli.run:resume",
        "Go on with a run, after a pause, a crash or a question, or with a halted machine.",
    ),
    "runs": Lazy("carrel.cli.runs:runs", "List the runs there were, the newest first."),
    "show": Lazy("carrel.cli.show:show", "Show what happened in a run."),
    "verify": Lazy(
        "carrel.cli.verify:verify",
        "Check that nothing in a run's record was changed, removed or put in.",
    ),
    "export": Lazy("carrel.cli.export:export", "Write a run to a file: a page, a film, or data."),
    "bench": Lazy("carrel.cli.bench:bench", "Measure an agent on a suite of tasks, on real desks."),
    "image": Lazy("carrel.cli.image:image", "Build, list and delete images."),
    "provider": Lazy("carrel.cli.provider:provider", "List and check the ways to have a machine."),
    "pause": Lazy(
        "carrel.cli.control:pause",
        "Have a run stop before its next action, or halt a machine where it is.",
    ),
    "steer": Lazy(
        "carrel.cli.control:steer",
        "Say something to the model of a run, before its next decision.",
    ),
    "answer": Lazy(
        "carrel.cli.control:answer",
        "Answer a question of a run: allow, deny, continue, stop, or words.",
    ),
    "cancel": Lazy("carrel.cli.control:cancel", "End a run now."),
    "models": Lazy("carrel.cli.models:models", "List the families of models, and what each needs."),
    "completion": Lazy("carrel.cli.completion:completion", "Print a shell completion script."),
}


def _show_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if not value or context.resilient_parsing:
        return
    from importlib.metadata import version

    number = version("carrel")
    context.obj.result({"version": number}, f"carrel {number}")
    context.exit()


@click.group(
    cls=Root,
    lazy=_COMMANDS,
    invoke_without_command=True,
    context_settings=GROUP,
    epilog="Every command takes --json. Exit status: 0 done, 1 failed, 2 wrong usage, "
    "3 something is missing on this computer.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.option("--debug", is_flag=True, help="Log to standard error, with tracebacks.")
@click.pass_context
def root(context: click.Context, debug: bool) -> None:
    """A desk of its own for an AI agent: a real, isolated computer it can see and use."""
    out: Output = context.obj
    if debug:
        import logging

        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
        out.debug = True
    if context.invoked_subcommand is None:
        from carrel.cli.status import show_overview

        show_overview(out)


def main() -> NoReturn:
    """Run the command line and exit."""
    heed_termination()
    prepare_streams()
    root.main(prog_name="carrel")
