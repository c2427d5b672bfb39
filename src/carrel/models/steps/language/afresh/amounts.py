"""How many of a thing, written as on a bill."""

from __future__ import annotations

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["AMOUNTS"]

AMOUNTS: tuple[Turn, ...] = (
    # "2 x Snake plant", "3× Mocha"
    turn(r"\b(?P<count>\d{1,3})\s?[x×]\s(?=[a-z\ue000-\uf8ff])", r"\g<count> "),
    turn(r"\b(?P<count>\d{1,3})\s(?:pieces?|pcs\.?|units?|copies|items)\s+of\s+", r"\g<count> "),
)
