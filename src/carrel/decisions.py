"""What a model decided, in one form for every family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from carrel import codec
from carrel.actions import Action
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Box
from carrel.intents import decode_any
from carrel.results import Failure

__all__ = [
    "Call",
    "Decision",
    "Evaluation",
    "Guard",
    "SafetyCheck",
    "Usage",
    "decode_decision",
    "encode_decision",
]

Evaluation = Literal["success", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer, by what they cost.

    Attributes:
        input: Read afresh.
        cached: Read from the provider's cache.
        cache_writes: Written to it.
        output: Written by the model, its reasoning included.
        reasoning: How many of `output` were reasoning.
    """

    input: int = 0
    cached: int = 0
    cache_writes: int = 0
    output: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        """All tokens, in and out."""
        return self.input + self.cached + self.cache_writes + self.output

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.cached + other.cached,
            self.cache_writes + other.cache_writes,
            self.output + other.output,
            self.reasoning + other.reasoning,
        )


@dataclass(frozen=True, slots=True)
class SafetyCheck:
    """Something the provider wants a person to confirm before the actions of a call run."""

    id: str
    code: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Guard:
    """A call is meant for what a place showed; when that has changed, it is not carried out.

    Attributes:
        frame: Id of the frame the model saw.
        box: The place, in screen pixels.
        name: What it is called to the model, for example `mark 7`.
    """

    frame: str
    box: Box
    name: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One call the model made: answered exactly once, whatever happens.

    Attributes:
        id: The provider's id of the call, or ours where it has none.
        name: The tool's name on the wire, for example `computer` or `left_click`.
        actions: What to do, in order; the first failure ends the batch.
        arguments: What the model wrote, for replaying it word for word.
        problem: Set when the call cannot be understood. Nothing runs; the model is told.
        checks: To be decided before the first action runs.
        guards: Places that must still look as the model saw them.
    """

    id: str
    name: str = ""
    actions: tuple[Action, ...] = ()
    arguments: Mapping[str, Json] = field(default_factory=dict)
    problem: Failure | None = None
    checks: tuple[SafetyCheck, ...] = ()
    guards: tuple[Guard, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer of a model.

    No calls and no text is an empty answer. A final answer is a call with a `Done`.

    Attributes:
        text: What it says to the person.
        thought: What it says to itself.
        evaluation: Its verdict on the step before.
        goal: What it wants to reach next.
        refusal: Why it (or its provider) declined to answer; None when it did not.
        truncated: It was cut off at the output limit.
        shares: Of a decision that several models took part in: what each of them used, by its name.
        model: The model as the provider named it in the answer.
        raw: The provider's own items, to be sent back unchanged in the next request:
            `{"dialect": NAME, "items": [...]}`.
    """

    calls: tuple[Call, ...] = ()
    text: str = ""
    thought: str = ""
    evaluation: Evaluation = "unknown"
    goal: str = ""
    refusal: str | None = None
    truncated: bool = False
    usage: Usage = Usage()
    shares: Mapping[str, Usage] = field(default_factory=dict)
    model: str = ""
    raw: Mapping[str, Json] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to act on and nothing to read."""
        return not self.calls and not self.text.strip() and self.refusal is None


@dataclass(frozen=True, slots=True)
class _WireCall:
    id: str
    name: str = ""
    actions: tuple[Mapping[str, Json], ...] = ()
    arguments: Mapping[str, Json] = field(default_factory=dict)
    problem: Failure | None = None
    checks: tuple[SafetyCheck, ...] = ()
    guards: tuple[Guard, ...] = ()


def encode_decision(decision: Decision) -> dict[str, Json]:
    """The decision as a JSON object."""
    wire = codec.encode(decision)
    assert isinstance(wire, dict)
    return wire


def decode_decision(wire: object) -> Decision:
    """Read a decision.

    Raises:
        InvalidInput: A field is unknown, missing or ill-typed.
    """
    if not isinstance(wire, dict):
        raise InvalidInput("a decision is a JSON object")
    calls = wire.get("calls", [])
    if not isinstance(calls, list):
        raise InvalidInput("decision.calls: expected a list")
    rest = {key: value for key, value in wire.items() if key != "calls"}
    decision = codec.decode(Decision, rest, where="decision")
    object.__setattr__(decision, "calls", tuple(map(_decode_call, calls)))
    return decision


def _decode_call(wire: object) -> Call:
    call = codec.decode(_WireCall, wire, where="call")
    actions = tuple(map(decode_any, call.actions))
    return Call(call.id, call.name, actions, call.arguments, call.problem, call.checks, call.guards)
