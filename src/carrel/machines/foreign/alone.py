"""One at a time: what two who want the same system would both make."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from carrel.machines.paths import data_home, private_directory

__all__ = ["alone"]


@contextmanager
def alone(system: str) -> Iterator[None]:
    """Have others of this user who make the same system wait, from whatever shell they do it."""
    place = private_directory(data_home() / "foreign")
    with (place / f"{system}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
