"""A Firecracker of ours: started in its directory, asked for what it is to be, ended."""

from __future__ import annotations

import os
import subprocess
import time
from functools import partial
from pathlib import Path

from carrel.errors import CarrelError, MachineLost, TimedOut
from carrel.machines.firecracker.api import FirecrackerApi
from carrel.machines.firecracker.figures import PIPE, make_pipe
from carrel.machines.firecracker.jail import lay
from carrel.machines.firecracker.log import LOG
from carrel.machines.firecracker.orders import Orders
from carrel.machines.sandbox.launch import die_with

__all__ = ["launch", "lay_out"]

_LOOK_AGAIN = 0.01
_LISTENS = 30.0


def lay_out(orders: Orders) -> None:
    """Put everything into its directory that it needs, and nothing else.

    Raises:
        RunError: A file is not there.
    """
    root = Path(orders.root)
    lay(root, orders.files, frozenset(orders.own), orders.user)
    for name in (LOG, PIPE):
        make_pipe(root / name, orders.user)


def launch(orders: Orders, console: int, *, tied: bool = False) -> subprocess.Popen[bytes]:
    """Start it in its directory and have every wish granted.

    Args:
        orders: What it is to be.
        console: Where it writes, and what its guest writes to its serial port.
        tied: Whether it dies with us. Only for a process that has one thread.

    Raises:
        CarrelError: It did not start, or refused something; it is gone then.
    """
    root = Path(orders.root)
    process = subprocess.Popen(
        orders.argv,
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=console,
        stderr=console,
        preexec_fn=partial(die_with, os.getpid()) if tied else None,  # noqa: PLW1509 - see `tied`
    )
    try:
        _wait_for(FirecrackerApi(root), process)
        api = FirecrackerApi(root, timeout=120.0)
        for wish in orders.wishes:
            api.ask(wish)
    except BaseException:
        process.kill()
        process.wait()
        raise
    for name in orders.forget:
        (root / name).unlink(missing_ok=True)
    return process


def _wait_for(api: FirecrackerApi, process: subprocess.Popen[bytes]) -> None:
    """Until it answers.

    Raises:
        MachineLost: It has ended.
        TimedOut: It never did.
    """
    until = time.monotonic() + _LISTENS
    while True:
        try:
            api.state()
        except CarrelError as error:
            if process.poll() is not None:
                message = f"Firecracker ended at once with status {process.returncode}"
                raise MachineLost(message, op="firecracker.start") from error
            if time.monotonic() > until:
                raise TimedOut(f"Firecracker does not listen: {error}") from error
            time.sleep(_LOOK_AGAIN)
        else:
            return
