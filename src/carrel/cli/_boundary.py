"""Where every error becomes words and an exit status."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from types import FrameType
from typing import Any, NoReturn, TextIO

import click

from carrel.cli._group import LazyGroup
from carrel.cli._output import Output
from carrel.cli._streams import STANDARD_OUTPUT
from carrel.errors import CarrelError, RunError, UsageError

__all__ = ["Root", "heed_termination", "plain_error"]

INTERRUPTED = 130
TERMINATED = 143
"""Exit statuses after Ctrl-C and SIGTERM, as shells have them: 128 plus the signal."""

_terminated = False


def heed_termination() -> None:
    """Have SIGTERM unwind a command as Ctrl-C does, so that it leaves nothing half done."""
    signal.signal(signal.SIGTERM, _terminate)


def _terminate(number: int, frame: FrameType | None) -> None:
    global _terminated  # noqa: PLW0603 (a signal is the whole process's)
    _terminated = True
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        # An event loop has one of its own, which cancels what is under way.
        handler(signal.SIGINT, frame)
    else:
        # Ctrl-C is ignored, as in the background of a script.
        raise KeyboardInterrupt


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
            _forget(sys.stdout)
            return 1
        except (click.Abort, KeyboardInterrupt):
            return TERMINATED if _terminated else INTERRUPTED
        except click.UsageError as error:
            out.json = out.json or _asks_json(args)
            return _tell_usage(out, error)
        except SystemExit:
            raise
        except BaseException as error:  # noqa: BLE001 (the outermost boundary: nothing is a traceback)
            return _tell(out, error)
        if _terminated:
            return TERMINATED
        return status if isinstance(status, int) else 0


def _asks_json(args: list[str]) -> bool:
    """Whether `--json` is among arguments that could not be parsed."""
    own = args[: args.index("--")] if "--" in args else args
    return "--json" in own


def _forget(stream: TextIO) -> None:
    """Let the interpreter end quietly when nobody takes what it still has to say."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())


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
    if isinstance(error, OSError) and error.filename == STANDARD_OUTPUT:
        context = {"errno": error.errno}
        return RunError(f"{STANDARD_OUTPUT} cannot be written: {error.strerror}", context=context)
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
        sys.stdout.flush()
    except BrokenPipeError:
        _forget(sys.stdout)
    except OSError:
        # No document arrives there: words may arrive elsewhere.
        out.json = False
        _forget(sys.stdout)
    if not out.json:
        _print_words(out, error)
    return error.exit_status


def _print_words(out: Output, error: CarrelError) -> None:
    try:
        out.note(f"error: {error.message}")
        if error.hint:
            out.note(f"try: {error.hint}")
    except OSError:
        # The exit status is all that can be told.
        _forget(sys.stderr)
