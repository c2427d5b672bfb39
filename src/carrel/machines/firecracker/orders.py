"""What the process that holds a machine is told."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from carrel.codec import decode, encode
from carrel.machines.firecracker.wishes import Wish

__all__ = ["Orders", "read_orders", "write_orders"]


@dataclass(frozen=True, slots=True)
class Orders:
    """How to have a machine.

    Attributes:
        argv: The command line of Firecracker, or of the jailer.
        root: The directory it runs in.
        wishes: What to ask of it, in this order.
        files: What to lay into the directory first, by name.
        own: The names of those that the machine writes to.
        user: Who owns these; None where there is no jail.
        forget: The names of those that nobody needs any more once all wishes are granted.
    """

    argv: tuple[str, ...]
    root: str
    wishes: tuple[Wish, ...]
    files: dict[str, str] = field(default_factory=dict)
    own: tuple[str, ...] = ()
    user: int | None = None
    forget: tuple[str, ...] = ()


def write_orders(path: Path, orders: Orders) -> None:
    """Write them down, in one step: two may want to start the same machine."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(json.dumps(encode(orders)))
    draft.replace(path)


def read_orders(path: Path) -> Orders:
    """What was written."""
    return decode(Orders, json.loads(path.read_text()))
