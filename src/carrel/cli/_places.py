"""Paths here and in machines, as `carrel cp` and `carrel data sync` write them."""

from __future__ import annotations

from dataclasses import dataclass

from carrel.errors import InvalidInput

__all__ = ["Place", "read_place"]


@dataclass(frozen=True, slots=True)
class Place:
    """One end of a copy; `machine` is None on this system, and empty for the usual machine."""

    machine: str | None
    path: str


def read_place(text: str) -> Place:
    """Read `NAME:PATH`, `:PATH` or a path of this system.

    Raises:
        InvalidInput: The path in the machine is not text.
    """
    head, colon, path = text.partition(":")
    # As scp has it: a slash before the colon means a file here, such as ./a:b.
    if not colon or "/" in head:
        return Place(None, text)
    try:
        path.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"{path[:60]!a} is not valid UTF-8") from None
    return Place(head, path)
