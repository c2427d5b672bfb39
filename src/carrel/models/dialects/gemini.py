"""Gemini's computer use: of browsers (2.5, 3) and of desktops (3.5 and later)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from carrel.actions import Action
from carrel.codec import Json
from carrel.decisions import Call, Decision, SafetyCheck, Usage
from carrel.errors import CarrelError, InvalidInput, ProtocolError
from carrel.models.context import Context
from carrel.models.dialect import Api, Request
from carrel.models.dialects._extras import function_action
from carrel.models.dialects._gemini_actions import FUNCTIONS, read_function
from carrel.models.dialects._gemini_contents import Writer, is_desktop, space_of
from carrel.models.dialects._history import FINAL, final_call, problem, problem_call
from carrel.models.dialects._wire import (
    arguments_of,
    check_body,
    count,
    dicts_of,
    object_of,
    text_of,
)

__all__ = ["Gemini3", "Gemini25"]

MALFORMED = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS")
DECLINED = (
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
)
ALLOWED = ("", "allow", "allowed", "regular")


class Gemini25:
    """Computer use of `gemini-2.5-computer-use-preview`: the functions of a browser."""

    name: ClassVar[str] = "gemini-2.5"
    api: ClassVar[Api] = Api.GEMINI
    wants_elements: ClassVar[bool] = False

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        return Request(self.api, Writer(self.name, context, desktop=False).body())

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer to the request for this very context."""
        return _Answer(body, context, self.name).decision()


class Gemini3:
    """Computer use of Gemini 3: of a desktop where the model knows desktops, else of a browser."""

    name: ClassVar[str] = "gemini-3"
    api: ClassVar[Api] = Api.GEMINI
    wants_elements: ClassVar[bool] = False

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        return Request(self.api, Writer(self.name, context, is_desktop(model)).body())

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer to the request for this very context."""
        return _Answer(body, context, self.name).decision()


@dataclass(frozen=True, slots=True)
class _Answer:
    """One response, to be understood in one context."""

    body: Mapping[str, Json]
    context: Context
    dialect: str

    def decision(self) -> Decision:
        body = check_body(self.body)
        candidates = dicts_of(body, "candidates")
        blocked = _blocked(body)
        if not candidates and blocked is None:
            raise ProtocolError("the answer has no candidates")
        candidate = candidates[0] if candidates else {}
        parts, reason = dicts_of(object_of(candidate, "content"), "parts"), _reason(candidate)
        text, thought = _texts(parts, False), _texts(parts, True)
        refusal = blocked or _declined(candidate, reason)
        calls = () if refusal is not None else self._calls(candidate, parts, reason, text)
        whole = calls or text.strip()
        return Decision(
            calls=calls,
            text=text,
            thought=thought,
            goal=next((text_of(call.arguments, "intent") for call in calls), ""),
            refusal=refusal,
            truncated=reason == "MAX_TOKENS",
            usage=_usage(object_of(body, "usageMetadata")),
            model=text_of(body, "modelVersion"),
            raw={"dialect": self.dialect, "items": list(parts)}
            if parts and whole and refusal is None and reason not in MALFORMED
            else {},
        )

    def _calls(
        self, candidate: Mapping[str, Json], parts: list[dict[str, Json]], reason: str, text: str
    ) -> tuple[Call, ...]:
        if reason in MALFORMED:
            # The call itself is not in the answer: there is nothing to reply to but words.
            words = text_of(candidate, "finishMessage") or reason.lower().replace("_", " ")
            return (problem_call(FINAL, "call", f"the call could not be read: {words[:500]}"),)
        wires = [wire for part in parts if isinstance(wire := part.get("functionCall"), dict)]
        cut = reason == "MAX_TOKENS" and bool(parts) and "functionCall" in parts[-1]
        calls = tuple(
            self._call(wire, number, cut and number == len(wires) - 1)
            for number, wire in enumerate(wires)
        )
        if len({call.id for call in calls}) < len(calls):
            raise ProtocolError("two calls of the answer have the same id")
        if not calls and text.strip() and reason in ("", "STOP"):
            return (final_call(text),)
        return calls

    def _call(self, wire: dict[str, Json], number: int, cut: bool) -> Call:
        name = text_of(wire, "name")
        if not name:
            raise ProtocolError("a function call has no name")
        made = f"call_{max(self.context.decided, len(self.context.turns))}_{number}"
        call_id = text_of(wire, "id") or made
        arguments: dict[str, Json] = {}
        try:
            if cut:
                raise InvalidInput("the call was cut off at the output limit")
            arguments = arguments_of(wire.get("args"))
            actions = self._actions(name, arguments)
        except CarrelError as error:
            return Call(call_id, name, (), arguments, problem(error), _checks(call_id, arguments))
        return Call(call_id, name, actions, arguments, None, _checks(call_id, arguments))

    def _actions(self, name: str, arguments: dict[str, Json]) -> tuple[Action, ...]:
        space = space_of(self.context)
        own = any(tool.name == name for tool in self.context.tools)
        if name not in FUNCTIONS or own:
            plain = arguments if own else _without_notes(arguments)
            return (function_action(name, plain, self.context, space),)
        try:
            return read_function(name, arguments, space)
        except InvalidInput:
            # Some of our own actions have the same names and other arguments.
            try:
                return (function_action(name, _without_notes(arguments), self.context, space),)
            except CarrelError:
                pass
            raise


def _without_notes(arguments: dict[str, Json]) -> dict[str, Json]:
    notes = ("intent", "safety_decision")
    return {key: value for key, value in arguments.items() if key not in notes}


def _checks(call_id: str, arguments: Mapping[str, Json]) -> tuple[SafetyCheck, ...]:
    """What a person has to confirm: everything that is not plainly allowed."""
    found = object_of(arguments, "safety_decision")
    decision = text_of(found, "decision")
    if not found or decision.lower() in ALLOWED:
        return ()
    return (SafetyCheck(f"{call_id}-safety", decision, text_of(found, "explanation")),)


def _blocked(body: Mapping[str, Json]) -> str | None:
    feedback = object_of(body, "promptFeedback")
    reason = text_of(feedback, "blockReason")
    if not reason:
        return None
    return text_of(feedback, "blockReasonMessage") or f"The provider blocked the request: {reason}."


def _reason(candidate: Mapping[str, Json]) -> str:
    return text_of(candidate, "finishReason")


def _declined(candidate: Mapping[str, Json], reason: str) -> str | None:
    if reason not in DECLINED:
        return None
    return text_of(candidate, "finishMessage") or f"The provider stopped the answer: {reason}."


def _texts(parts: list[dict[str, Json]], thought: bool) -> str:
    found = (text_of(part, "text") for part in parts if (part.get("thought") is True) == thought)
    return "\n".join(text for text in found if text)


def _usage(usage: Mapping[str, Json]) -> Usage:
    cached = count(usage, "cachedContentTokenCount")
    prompt = count(usage, "promptTokenCount") + count(usage, "toolUsePromptTokenCount")
    thoughts = count(usage, "thoughtsTokenCount")
    return Usage(
        # Their prompt holds the cached tokens; their candidates do not hold the thoughts.
        input=max(0, prompt - cached),
        cached=cached,
        output=count(usage, "candidatesTokenCount") + thoughts,
        reasoning=thoughts,
    )
