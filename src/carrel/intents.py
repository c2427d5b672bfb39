"""The actions that the runtime carries out itself, because no machine can: end, ask, note, tools.

Together with `carrel.actions` they are everything a model can call. A machine's guest knows only
the actions of `carrel.actions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from carrel import codec
from carrel.actions import ACTIONS, Action, EffectClass, decode_action
from carrel.codec import Json
from carrel.errors import InvalidInput

__all__ = ["INTENTS", "Ask", "CallTool", "Done", "Note", "decode_any", "encode_any"]

MAX_TEXT = 100_000

INTENTS: dict[str, type[Action]] = {}
"""Every action of the runtime by its `type`."""


def _intent(cls: type[Action]) -> type[Action]:
    INTENTS[cls.type] = cls
    return cls


def _bounded(text: str, name: str) -> None:
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"{name} has at most {MAX_TEXT} characters")


@_intent
@dataclass(frozen=True, slots=True)
class Done(Action):
    """End the task: `success` is the model's own verdict, `text` its answer to the person."""

    type = "done"
    effect = EffectClass.END
    success: bool = True
    text: str = ""

    def _check(self) -> None:
        _bounded(self.text, "text")


@_intent
@dataclass(frozen=True, slots=True)
class Ask(Action):
    """Ask the person a question and wait for the answer."""

    type = "ask"
    effect = EffectClass.HUMAN
    question: str
    choices: tuple[str, ...] = ()

    def _check(self) -> None:
        _bounded(self.question, "question")
        if not self.question.strip():
            raise InvalidInput("there is no question")


@_intent
@dataclass(frozen=True, slots=True)
class Note(Action):
    """Write down something to remember for the rest of the task."""

    type = "note"
    effect = EffectClass.OBSERVE
    text: str

    def _check(self) -> None:
        _bounded(self.text, "text")


@_intent
@dataclass(frozen=True, slots=True)
class CallTool(Action):
    """Call a function tool or an MCP tool."""

    type = "tool"
    effect = EffectClass.EXEC
    name: str
    arguments: Mapping[str, Json] = field(default_factory=dict)

    @property
    def target(self) -> str:
        """The tool's name."""
        return self.name


def encode_any(action: Action) -> dict[str, Json]:
    """Any action, of a machine or of the runtime, as a JSON object with its `type`."""
    wire = codec.encode(action)
    assert isinstance(wire, dict)
    return wire


def decode_any(wire: object) -> Action:
    """Read any action, of a machine or of the runtime.

    Raises:
        InvalidInput: There is no such action, or a field is unknown, missing or ill-typed.
    """
    kind = wire.get("type") if isinstance(wire, dict) else None
    if isinstance(kind, str) and kind in INTENTS:
        return codec.decode(INTENTS[kind], wire, where=kind)
    if isinstance(kind, str) and kind not in ACTIONS:
        known = ", ".join((*ACTIONS, *INTENTS))
        raise InvalidInput(f"there is no action {kind[:40]!r}", hint=f"known types: {known}")
    return decode_action(wire)
