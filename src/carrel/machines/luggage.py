"""The agent's home where a machine keeps it in memory: brought in at its start, out at its end."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
from anyio import to_thread
from anyio.abc import ByteStream

from carrel.computer import Computer
from carrel.errors import WrongState
from carrel.machines.removal import remove_tree

__all__ = ["bring_in", "bring_out", "expect", "has_all", "is_arriving", "pack", "recover_home"]

_MOST = 300.0

Connect = Callable[[], Awaitable[ByteStream]]


def pack(home: Path, skeleton: Path) -> None:
    """Begin a home with what an image has there."""
    shutil.copytree(skeleton, home, symlinks=True, dirs_exist_ok=True)


def expect(home: Path) -> None:
    """Note that a machine is to have this home and does not have all of it yet."""
    recover_home(home)
    _partial(home).touch()


async def bring_in(connect: Connect, home: Path) -> None:
    """Copy a kept home into a machine that has just started, for which `expect` was called."""
    if any(home.iterdir()):
        with anyio.fail_after(_MOST):
            async with Computer(connect) as computer:
                await computer.upload(home, "~")
    has_all(home)


def has_all(home: Path) -> None:
    """Note that what runs has all of its home: it was brought in, or it woke up with it."""
    _partial(home).unlink(missing_ok=True)


def is_arriving(home: Path) -> bool:
    """Whether what runs is to have this home and does not have all of it yet."""
    return _partial(home).exists()


async def bring_out(connect: Connect, home: Path) -> None:
    """Keep the home of a machine that is about to end, in one step: all of it or the old one.

    Raises:
        WrongState: The machine never got all of the home that is kept.
    """
    await to_thread.run_sync(recover_home, home)
    if is_arriving(home):
        raise WrongState("it never got all of the one that is kept", op="machine.stop")
    fresh, old = _beside(home)
    try:
        with anyio.fail_after(_MOST):
            async with Computer(connect) as computer:
                await computer.download("~", fresh)
    except BaseException:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(remove_tree, fresh)  # half of it is of no use to anybody
        raise
    home.rename(old)
    fresh.rename(home)
    await to_thread.run_sync(remove_tree, old)


def recover_home(home: Path) -> None:
    """Have the home that is kept where it belongs, whenever the one who kept it was ended."""
    fresh, old = _beside(home)
    if not home.exists() and old.exists():
        # Ended between the two renames: what is new is complete by then.
        (fresh if fresh.exists() else old).rename(home)
    for path in (fresh, old):
        remove_tree(path)


def _beside(home: Path) -> tuple[Path, Path]:
    return home.with_name(f"{home.name}.new"), home.with_name(f"{home.name}.old")


def _partial(home: Path) -> Path:
    return home.with_name(f"{home.name}.partial")
