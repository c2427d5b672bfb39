"""The agent's home where a machine keeps it in memory: brought in at its start, out at its end."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
from anyio import to_thread
from anyio.abc import ByteStream

from carrel.computer import Computer
from carrel.machines.removal import remove_tree

__all__ = ["bring_in", "bring_out", "pack"]

_MOST = 300.0

Connect = Callable[[], Awaitable[ByteStream]]


def pack(home: Path, skeleton: Path) -> None:
    """Begin a home with what an image has there."""
    shutil.copytree(skeleton, home, symlinks=True, dirs_exist_ok=True)


async def bring_in(connect: Connect, home: Path) -> None:
    """Copy a kept home into a machine that has just started."""
    if any(home.iterdir()):
        with anyio.fail_after(_MOST):
            async with Computer(connect) as computer:
                await computer.upload(home, "~")


async def bring_out(connect: Connect, home: Path) -> None:
    """Keep the home of a machine that is about to end, in one step: all of it or the old one."""
    fresh, old = home.with_name(f"{home.name}.new"), home.with_name(f"{home.name}.old")
    for path in (fresh, old):
        if path.exists():
            await to_thread.run_sync(remove_tree, path)
    with anyio.fail_after(_MOST):
        async with Computer(connect) as computer:
            await computer.download("~", fresh)
    home.rename(old)
    fresh.rename(home)
    await to_thread.run_sync(remove_tree, old)
