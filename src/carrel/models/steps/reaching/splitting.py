"""Lists as people say them: which "and" belongs to a name only the screen can tell."""

from __future__ import annotations

from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.language import readings
from carrel.perception.roles import Kind

__all__ = ["split_as_seen"]


def split_as_seen(
    desk: Desk, said: str, options: tuple[str, ...], kinds: tuple[Kind, ...]
) -> tuple[str, ...]:
    """Of the ways to split a list, the first whose every part is on the screen."""
    if not said:
        return options
    for split in (options, *readings(said)):
        if all(resolve(desk, look_for(desk, wished(one, kinds))) is not None for one in split):
            return split
    return options
