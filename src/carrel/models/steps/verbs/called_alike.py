"""Steps that give something a value, with the label that the screen has for it."""

from __future__ import annotations

from dataclasses import replace

from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.label_ends import labelled_alike
from carrel.models.steps.program import Choose, Enter, PickDate, PickTime, SetValue, Step

__all__ = ["called_alike"]


def called_alike(desk: Desk, step: Step) -> Step | None:
    """The step about what is labelled with a word more or less; that is a doubt.

    Args:
        desk: Where that is.
        step: One of which nothing was found.
    """
    if isinstance(step, SetValue) and (label := _label(desk, step.what)):
        return replace(step, what=label)
    if isinstance(step, Enter | PickDate | PickTime) and (label := _label(desk, step.into)):
        return replace(step, into=label)
    if isinstance(step, Choose) and (label := _label(desk, step.source)):
        return replace(step, source=label)
    return None


def _label(desk: Desk, said: str | None) -> str | None:
    label = labelled_alike(desk, said) if said else None
    if label is not None:
        desk.doubt(f"nothing is called {said}; it was taken for {label}")
    return label
