"""Where every error becomes words and an exit status."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from carrel.cli._group import LazyGroup
from carrel.cli._output import Output
from carrel.errors import CarrelError, RunError, UsageError

__all__ = ["Root", "plain_error"]

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it: 128 plus the signal."""


class Root(LazyGroup):
    """The top of the command line: nothing leaves it but an exit status."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run one command and exit."""
        given = list(sys.argv[1:] if args is None else args)
        out = Output()
        sys.exit(self._run(out, given, {**extra, "obj": out}))

    def _run(self, out: Output, args: list[str], extra: dict[str, Any]) -> int:
        try:
            status = super().main(
                args, "carrel", "_CARREL_COMPLETE", standalone_mode=False, **extra
            )
            sys.stdout.flush()
        except BrokenPipeError:
            _forget_output()
            return 1
        except (click.Abort, KeyboardInterrupt):
            return INTERRUPTED
        except click.UsageError as error:
            out.json = out.json or _asks_json(args)
            return _tell_usage(out, error)
        except SystemExit:
            raise
        except BaseException as error:  # noqa: BLE001 (the outermost boundary: nothing is a traceback)
            return _tell(out, error)
        return status if isinstance(status, int) else 0


def _asks_json(args: list[str]) -> bool:
    """Whether `--json` is among arguments that could not be parsed."""
    own = args[: args.index("--")] if "--" in args else args
    return "--json" in own


def _forget_output() -> None:
    """Let the interpreter end quietly when nobody reads what it still has to say."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _tell_usage(out: Output, error: click.UsageError) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError) and not out.json:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    path = error.ctx.command_path if error.ctx is not None else "carrel"
    message = error.format_message().strip().rstrip(".")
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        message = f"{path} needs a command"
    return _print(out, UsageError(message, hint=f"{path} --help"))


def _tell(out: Output, error: BaseException) -> int:
    if out.debug:
        traceback.print_exception(error)
    return _print(out, plain_error(error))


def plain_error(error: BaseException) -> CarrelError:
    """Any error as one that says what happened and what to do."""
    if isinstance(error, CarrelError):
        return error
    if isinstance(error, click.ClickException):
        return RunError(error.format_message())
    if is_disk_full(error):
        return _no_room(error)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return RunError(f"{where}{error.strerror or error}", context={"errno": error.errno})
    kind = type(error)
    if kind is ValueError and "embedded null" in str(error):
        return RunError("a path or a name holds a null character, which no file can have")
    if kind.__module__ == "sqlite3":
        return RunError(
            f"the store of machines cannot be used: {error}", hint="carrel doctor --fix"
        )
    return RunError(
        f"internal error: {kind.__name__}: {error}",
        hint="run it again as carrel --debug … and report what it prints",
    )


def is_disk_full(error: BaseException) -> bool:
    """Whether it means that there was no room for something."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return type(error).__module__ == "sqlite3" and "disk is full" in str(error)


def _no_room(error: BaseException) -> RunError:
    from carrel.machines.paths import state_home

    where = getattr(error, "filename", None) or state_home()
    return RunError(
        f"there is no room left on the disk of {where}",
        hint="delete files or machines; carrel doctor shows how much is free",
        context={"errno": errno.ENOSPC},
    )


def _print(out: Output, error: CarrelError) -> int:
    try:
        if out.json:
            out.document({"error": error.to_wire()})
        else:
            out.note(f"error: {error.message}")
            if error.hint:
                out.note(f"try: {error.hint}")
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
    return error.exit_status
