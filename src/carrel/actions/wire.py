"""Actions as JSON, and in words."""

from __future__ import annotations

import inspect

from carrel import codec
from carrel.actions._base import Action
from carrel.actions._table import ACTIONS
from carrel.errors import InvalidInput

__all__ = ["decode_action", "describe", "encode_action"]


def encode_action(action: Action) -> dict[str, codec.Json]:
    """The action as a JSON object with its `type`."""
    wire = codec.encode(action)
    assert isinstance(wire, dict)
    return wire


def decode_action(wire: object) -> Action:
    """Read an action.

    Raises:
        InvalidInput: There is no such action, or a field is unknown, missing or ill-typed.
    """
    if not isinstance(wire, dict):
        raise InvalidInput("an action is a JSON object")
    kind = wire.get("type")
    if not isinstance(kind, str):
        raise InvalidInput("an action needs a type", hint=f"known types: {', '.join(ACTIONS)}")
    cls = ACTIONS.get(kind)
    if cls is None:
        raise InvalidInput(
            f"there is no action {kind[:40]!r}", hint=f"known types: {', '.join(ACTIONS)}"
        )
    return codec.decode(cls, wire, where=kind)


def describe(cls: type[Action]) -> str:
    """The first line of an action's documentation."""
    return (inspect.getdoc(cls) or "").partition("\n")[0]
