"""What every action is, and the checks they share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from carrel import codec
from carrel.errors import InvalidInput
from carrel.keys import MODIFIERS, canonical_key

__all__ = [
    "MAX_SECONDS",
    "MAX_TEXT",
    "Action",
    "EffectClass",
    "check_path",
    "check_seconds",
    "require",
    "store_modifiers",
]

MAX_TEXT = 1_000_000
MAX_SECONDS = 3600.0


class EffectClass(StrEnum):
    """What kind of thing an action does; policy rules speak of these."""

    OBSERVE = "observe"
    INPUT = "input"
    EXEC = "exec"
    WRITE = "write"
    NET = "net"
    HUMAN = "human"
    END = "end"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. Subclasses are the actions there are."""

    type: ClassVar[str]
    effect: ClassVar[EffectClass]

    def __post_init__(self) -> None:
        codec.conform(self, self.type)
        self._check()

    def _check(self) -> None:
        """Refuse values that cannot be meant; their types are right by then."""

    @property
    def target(self) -> str:
        """What a policy rule is matched against: a command, a path, a URL, or nothing."""
        return ""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise InvalidInput(message)


def check_seconds(value: float | None, name: str) -> None:
    require(
        value is None or 0 <= value <= MAX_SECONDS,
        f"{name} must be between 0 and {MAX_SECONDS:.0f} seconds",
    )


def check_path(value: str) -> None:
    require(0 < len(value) <= 4096, "a path has 1 to 4096 characters")
    require("\0" not in value, "a path cannot hold a NUL character")


def store_modifiers(action: Action, names: tuple[str, ...]) -> None:
    keys = tuple(canonical_key(name) for name in names)
    for key in keys:
        require(key.removesuffix("_r") in MODIFIERS, f"{key!r} is not a modifier key")
    object.__setattr__(action, "modifiers", keys)
