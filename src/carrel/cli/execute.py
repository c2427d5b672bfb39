"""`carrel exec`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._types import MACHINE, SECONDS, parse_pairs
from carrel.errors import NotFound, UsageError

if TYPE_CHECKING:
    from carrel.computer import Completed, Computer, Process

__all__ = ["execute"]


class _ExecCommand(Command):
    """Options end where the program begins: `exec NAME ls -l` needs no `--`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take our options before and after NAME, and nothing of the program's."""
        before, rest = self._split(ctx, args)
        if rest:
            after, program = self._split(ctx, rest[1:])
            args = [*before, *after, "--", rest[0], *program]
        return super().parse_args(ctx, args)

    def _split(self, ctx: click.Context, args: list[str]) -> tuple[list[str], list[str]]:
        options: list[click.Parameter] = [
            param for param in self.get_params(ctx) if isinstance(param, click.Option)
        ]
        parser = click.Command(None, params=options, add_help_option=False).make_parser(ctx)
        parser.allow_interspersed_args = False
        _, rest, _ = parser.parse_args(list(args))
        own = args[: len(args) - len(rest)]
        return [arg for i, arg in enumerate(own) if arg != "--" or i + 1 < len(own)], rest


class _NoProgram(NotFound):
    """There is no such program in the machine."""

    exit_status = 127
    """As shells have it, so that it is not taken for our own wrong usage."""


@dataclass(frozen=True, slots=True)
class _Wish:
    name: str
    argv: tuple[str, ...]
    stdin: bool
    tty: bool
    cwd: str | None
    env: Mapping[str, str]
    timeout: float | None


@click.command("exec", cls=_ExecCommand)
@click.argument("name", type=MACHINE)
@click.argument("argv", nargs=-1, required=True, metavar="-- CMD...")
@click.option("-i", "--stdin", is_flag=True, help="Send standard input even from a terminal.")
@click.option("-n", "--no-stdin", is_flag=True, help="Send no input at all.")
@click.option("-t", "--tty", is_flag=True, help="Give it a terminal.")
@click.option("--cwd", metavar="DIR", help="Where it runs; its home by default.")
@click.option("--env", multiple=True, metavar="NAME=VALUE", help="Add to its environment.")
@click.option("--timeout", type=SECONDS, help="End it after that long, with exit status 124.")
@click.pass_context
def execute(
    context: click.Context,
    name: str,
    argv: tuple[str, ...],
    stdin: bool,
    no_stdin: bool,
    tty: bool,
    cwd: str | None,
    env: tuple[str, ...],
    timeout: float | None,
) -> None:
    """Run a program inside a machine.

    Its exit status becomes ours; 128 plus the number when a signal ended it, 127 when there is no
    such program. Standard input is
    sent when it is not a terminal, or with -i or -t. Ctrl-C ends the program inside.
    """
    out: Output = context.obj
    _check_options(out, stdin, no_stdin, tty)
    sends = not no_stdin and (stdin or tty or not sys.stdin.isatty())
    variables = parse_pairs(env)
    if tty:
        variables.setdefault("TERM", os.environ.get("TERM", "xterm"))
    wish = _Wish(name, argv, sends, tty, cwd, variables, timeout)
    if out.json:
        context.exit(_report(out, run(_collect, wish)))
    context.exit(run(_stream, wish))


def _check_options(out: Output, stdin: bool, no_stdin: bool, tty: bool) -> None:
    if no_stdin and (stdin or tty):
        other = "--tty" if tty else "--stdin"
        raise UsageError(f"--no-stdin and {other} exclude each other", hint="leave out one of them")
    if tty and out.json:
        message = "--json collects the output, which --tty shows as it comes"
        raise UsageError(message, hint="leave out one of them")


def _report(out: Output, done: Completed) -> int:
    out.document(
        {
            "exit": done.exit.code,
            "signal": done.exit.signal,
            "timed_out": done.exit.timed_out,
            "stdout": done.stdout.decode("utf-8", "backslashreplace"),
            "stderr": done.stderr.decode("utf-8", "backslashreplace"),
        }
    )
    return done.exit.status


async def _open(stack: AsyncExitStack, wish: _Wish) -> Process:
    from carrel.cli._terminal import terminal_size
    from carrel.machines.lifecycle import Machines

    computer: Computer = await stack.enter_async_context(Machines().computer(wish.name))
    program = computer.exec(
        *wish.argv,
        cwd=wish.cwd,
        env=wish.env,
        timeout=wish.timeout,
        pty=terminal_size() if wish.tty else None,
        stdin=wish.stdin,
    )
    try:
        return await stack.enter_async_context(program)
    except NotFound as error:
        raise _NoProgram(error.message, op=error.op, hint=error.hint) from error


async def _collect(wish: _Wish) -> Completed:
    import anyio

    async with AsyncExitStack() as stack:
        process = await _open(stack, wish)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_send_input, process, wish.stdin)
            done = await process.collect()
            tasks.cancel_scope.cancel()
        return done


async def _stream(wish: _Wish) -> int:
    import anyio

    from carrel.cli._terminal import FdWriter, raw_mode

    async with AsyncExitStack() as stack:
        process = await _open(stack, wish)
        sinks = {"stdout": FdWriter(1, raw=wish.tty), "stderr": FdWriter(2, raw=wish.tty)}
        for sink in sinks.values():
            stack.callback(sink.close)
        if wish.tty:
            stack.enter_context(raw_mode(0))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_send_input, process, wish.stdin)
            if wish.tty:
                tasks.start_soon(_send_resizes, process)
            async for piece in process:
                await sinks[piece.source].write(piece.data)
            tasks.cancel_scope.cancel()
        return (await process.wait()).status


async def _send_input(process: Process, sends: bool) -> None:
    from carrel.cli._terminal import read_fd

    if sends:
        async for data in read_fd(0):
            await process.write(data)
    await process.close_stdin()


async def _send_resizes(process: Process) -> None:
    from carrel.cli._terminal import resizes

    async for rows, columns in resizes():
        await process.resize(rows, columns)
