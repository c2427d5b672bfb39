"""The keyboard: text, chords and single keys."""

from __future__ import annotations

from dataclasses import dataclass

from carrel.actions._base import MAX_TEXT, Action, EffectClass, check_seconds, require
from carrel.keys import canonical_key

__all__ = [
    "Key",
    "KeyDown",
    "KeyUp",
    "Type",
]


@dataclass(frozen=True, slots=True)
class Type(Action):
    """Type text: any Unicode, newlines as Enter, tabs as Tab, whatever the keyboard layout."""

    type = "type"
    effect = EffectClass.INPUT
    text: str

    def _check(self) -> None:
        require(len(self.text) <= MAX_TEXT, f"at most {MAX_TEXT} characters at once")
        bad = next((c for c in self.text if ord(c) < 32 and c not in "\n\r\t"), None)
        require(bad is None, f"control character {bad!r} cannot be typed; use a key action")


@dataclass(frozen=True, slots=True)
class Key(Action):
    """Press keys together (a chord), `repeat` times, each held for `hold` seconds."""

    type = "key"
    effect = EffectClass.INPUT
    keys: tuple[str, ...]
    repeat: int = 1
    hold: float = 0.0

    def _check(self) -> None:
        require(1 <= len(self.keys) <= 8, "a chord has 1 to 8 keys")
        require(1 <= self.repeat <= 100, "repeat must be between 1 and 100")
        check_seconds(self.hold, "hold")
        object.__setattr__(self, "keys", tuple(canonical_key(key) for key in self.keys))

    @property
    def target(self) -> str:
        """The chord, for example `ctrl+l`."""
        return "+".join(self.keys)


@dataclass(frozen=True, slots=True)
class KeyDown(Action):
    """Press a key and keep it down."""

    type = "key_down"
    effect = EffectClass.INPUT
    key: str

    def _check(self) -> None:
        object.__setattr__(self, "key", canonical_key(self.key))


@dataclass(frozen=True, slots=True)
class KeyUp(Action):
    """Release a key."""

    type = "key_up"
    effect = EffectClass.INPUT
    key: str

    def _check(self) -> None:
        object.__setattr__(self, "key", canonical_key(self.key))
