"""What `python3 -m carrel.guest` does once its X server is on its way."""

from __future__ import annotations

import argparse
import json
import logging
import os
import platform
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from carrel.errors import CarrelError, InvalidInput
from carrel.geometry import Size
from carrel.guest._closed import shut_others_out
from carrel.guest.desk import Desk, DeskOptions
from carrel.guest.server_start import Started, abandon

if TYPE_CHECKING:
    # Loaded while the X server starts, which takes as long.
    from anyio.abc import ByteStream, TaskStatus

    from carrel.guest.server import Guest
    from carrel.guest.trunk import Serve
    from carrel.stream import FdStream, Listener

__all__ = ["run"]

logger = logging.getLogger("carrel.guest")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="carrel-guest",
        description="Answer Carrel clients from inside a machine.",
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--listen-fd", type=int, help="an inherited listening unix socket")
    where.add_argument("--listen", metavar="HOST:PORT", help="TCP, for clients with the token")
    where.add_argument("--stdio", action="store_true", help="one line: standard input and output")
    where.add_argument("--device", type=Path, metavar="PATH", help="one line: a character device")
    where.add_argument("--vsock", type=int, metavar="PORT", help="one line: the host of a machine")
    parser.add_argument("--token-file", type=Path, help="file holding the token for --listen")
    parser.add_argument("--size", type=Size.parse, default=Size(1280, 800), help="of the screen")
    parser.add_argument("--display", help="use this display instead of starting one")
    parser.add_argument("--home", type=Path, default=Path.home(), help="where programs start")
    return parser.parse_args()


async def _listen(
    options: argparse.Namespace, guest: Guest, *, task_status: TaskStatus[None]
) -> None:
    async def serve(transport: ByteStream) -> None:
        try:
            await guest.serve(transport)
        except CarrelError as error:
            logger.warning("a connection ended: %s", error)

    if options.vsock is not None:
        from carrel.guest.trunk import listen_vsock, serve_lines

        with listen_vsock(options.vsock) as calls:
            task_status.started()
            await serve_lines(calls, serve)
    if (line := _line(options)) is not None:
        task_status.started()
        await _serve_line(line, guest, serve, lasting=options.device is not None)
        return
    async with await _listener(options) as listener:
        if options.listen:
            logger.info("listening on %s", options.listen)
        task_status.started()
        await listener.serve(serve)


def _line(options: argparse.Namespace) -> FdStream | None:
    from carrel.guest.trunk import open_device
    from carrel.stream import take_stdio

    if options.stdio:
        return take_stdio()
    return open_device(options.device) if options.device else None


async def _serve_line(line: FdStream, guest: Guest, serve: Serve, *, lasting: bool) -> None:
    """Nobody can reach a guest whose only line is cut: it ends."""
    from carrel.guest.trunk import serve_line

    await serve_line(line, serve, lasting=lasting)
    guest.request_stop()


async def _listener(options: argparse.Namespace) -> Listener:
    from carrel.stream import listen_inherited, listen_tcp

    if options.listen_fd is not None:
        return listen_inherited(options.listen_fd)
    host, _, port = str(options.listen).rpartition(":")
    if not host or not port.isdecimal():
        raise InvalidInput(f"{options.listen!r} is not HOST:PORT", hint="127.0.0.1:7077")
    token = _read_token(options.token_file) if options.token_file else ""
    if len(token) < 16:
        raise InvalidInput(
            "--listen needs --token-file with a token of at least 16 characters",
            hint="head -c 24 /dev/urandom | base64 > token; chmod 600 token",
        )
    return await listen_tcp(token, host.strip("[]"), int(port))


def _read_token(path: Path) -> str:
    try:
        if path.stat().st_mode & 0o077:
            # Not refused: secrets are handed into containers like that, where nobody else is.
            logger.warning(
                "others on this system may read the token, and so use this desk: chmod 600 %s", path
            )
        return path.read_text().strip()
    except OSError as error:
        raise InvalidInput(f"the token cannot be read: {path}: {error.strerror}") from error


async def _stop_on_signal(guest: Guest, *, task_status: TaskStatus[None]) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        async for _ in signals:
            guest.request_stop()


async def _main(options: argparse.Namespace, desk: Desk) -> str:
    from carrel.guest.server import Guest
    from carrel.guest.tasks import task_group

    guest = Guest(desk, options.home)
    async with task_group() as tasks:
        await tasks.start(_stop_on_signal, guest)
        await tasks.start(_listen, options, guest)
        cause = await guest.run()
        tasks.cancel_scope.cancel()
    return cause


async def _with_desk(options: argparse.Namespace, desk: Desk) -> str:
    try:
        return await _main(options, desk)
    finally:
        await desk.stop()


def _know_the_processor() -> None:
    """Spare a process: python-xlib asks for the system's name, for which `uname -p` is run."""
    platform.uname().__dict__.setdefault("processor", "")


def run(started: Started | None) -> int:
    """Run until the desk dies or somebody says stop; the last line of stderr says why.

    Args:
        started: The X server, where the arguments asked for one.

    Returns:
        The exit status.
    """
    try:
        options = _arguments()
    except SystemExit:
        if started is not None:
            abandon(started)
        raise
    logging.basicConfig(
        level=os.environ.get("CARREL_LOG", "INFO"),
        format="%(asctime)s %(name)s %(levelname)s %(message)s",
        stream=sys.stderr,
    )
    _know_the_processor()
    shut_others_out()  # before the desk's programs: some of them may be the agent's
    desk = Desk(DeskOptions(size=options.size, display=options.display), started)
    try:
        desk.launch()
        cause = anyio.run(_with_desk, options, desk)
    except CarrelError as error:
        sys.stderr.write(json.dumps({"cause": error.message, "hint": error.hint}) + "\n")
        return error.exit_status
    sys.stderr.write(json.dumps({"cause": cause}) + "\n")
    return 0 if cause == "stopped" else 1
