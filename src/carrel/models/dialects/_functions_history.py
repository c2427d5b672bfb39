"""Past turns in function calling: every call has its result, and every result its call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Protocol

from carrel.actions import Action
from carrel.codec import Json
from carrel.decisions import Call, Decision
from carrel.models.context import Context, Outcome, Turn
from carrel.models.dialects._text import GO_ON, Part, merged, text_part, user
from carrel.models.picture import Picture

__all__ = ["FunctionHistory", "Part", "newest_whole"]

LOST = "No result was recorded."


class _Speaker(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def native(self) -> bool: ...
    def opening(self, context: Context) -> list[Part]: ...
    def picture(self, picture: Picture, newest: bool) -> list[Part]: ...
    def written(self, action: Action, context: Context) -> tuple[str, dict[str, Json]]: ...


def newest_whole(context: Context) -> Picture | None:
    """The newest picture of the whole screen; what a zoom showed does not replace it."""
    for turn in reversed(context.turns):
        for outcome in reversed(turn.outcomes):
            if outcome.picture is not None and outcome.picture.region is None:
                return outcome.picture
    return context.first


class FunctionHistory:
    """The messages after the system's, for one request."""

    def __init__(self, speaker: _Speaker, context: Context) -> None:
        self.speaker = speaker
        self.context = context
        self.newest = newest_whole(context)

    def messages(self) -> list[Part]:
        """The task, and every turn with what came of it."""
        opening = self.speaker.opening(self.context)
        if self.context.first is not None:
            opening += self._picture(self.context.first)
        messages = [user(opening)]
        for turn in self.context.turns:
            messages += self._turn(turn)
        if messages[-1]["role"] != "user":
            messages.append(user([text_part(GO_ON)]))
        return merged(messages)

    def _picture(self, picture: Picture) -> list[Part]:
        return self.speaker.picture(picture, picture is self.newest)

    def _turn(self, turn: Turn) -> list[Part]:
        messages = self._decided(turn.decision, turn.outcomes) if turn.decision else []
        parts = [
            part
            for outcome in turn.outcomes
            if outcome.picture is not None
            for part in self._picture(outcome.picture)
        ]
        parts += [text_part(said) for said in turn.said]
        return messages + ([user(parts)] if parts else [])

    def _decided(self, decision: Decision, outcomes: Sequence[Outcome]) -> list[Part]:
        told = {outcome.call: outcome for outcome in outcomes}
        own = self._own(decision)
        if own is not None:
            results = [(call.id, _words(told.get(call.id))) for call in decision.calls]
            return own + self._results(results, "tool_calls" in own[-1])
        return self._foreign(decision, told)

    def _own(self, decision: Decision) -> list[Part] | None:
        items = decision.raw.get("items")
        if decision.raw.get("dialect") != self.speaker.name or not isinstance(items, list):
            return None
        return [item for item in items if isinstance(item, dict)] or None

    def _results(self, results: Sequence[tuple[str, str]], native: bool) -> list[Part]:
        if native:
            return [
                {"role": "tool", "tool_call_id": call, "content": words} for call, words in results
            ]
        words = "\n".join(words for _, words in results)
        return [user([text_part(words)])] if words else []

    def _foreign(self, decision: Decision, told: Mapping[str, Outcome]) -> list[Part]:
        """A turn of another dialect, each action as a call of its own."""
        calls: list[Part] = []
        results: list[tuple[str, str]] = []
        loose: list[str] = []
        for call in decision.calls:
            if call.problem is not None or not call.actions:
                loose.append(f"(A call was not understood. {_words(told.get(call.id))})")
                continue
            written = self._written(call)
            calls += written
            results += _shares(call, written, told.get(call.id))
        content = "\n".join(filter(None, (decision.thought, decision.text, *loose)))
        return self._message(content, calls) + self._results(results, self.speaker.native)

    def _written(self, call: Call) -> list[Part]:
        many = len(call.actions) > 1
        parts: list[Part] = []
        for number, action in enumerate(call.actions, 1):
            name, arguments = self.speaker.written(action, self.context)
            function: Json = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
            id_ = f"{call.id}_{number}" if many else call.id
            parts.append({"id": id_, "type": "function", "function": function})
        return parts

    def _message(self, content: str, calls: Sequence[Part]) -> list[Part]:
        if not calls:
            return [{"role": "assistant", "content": content}] if content else []
        if self.speaker.native:
            return [{"role": "assistant", "content": content, "tool_calls": list(calls)}]
        fences = "\n".join(_fence(call["function"]) for call in calls)
        return [{"role": "assistant", "content": f"{content}\n{fences}".strip()}]


def _fence(function: Json) -> str:
    if not isinstance(function, dict):
        return ""
    call = {"name": function["name"], "arguments": json.loads(str(function["arguments"]))}
    return f"```json\n{json.dumps(call, ensure_ascii=False)}\n```"


def _words(outcome: Outcome | None) -> str:
    if outcome is None:
        return LOST
    if outcome.text:
        return outcome.text
    return "Done." if outcome.picture is not None else "Done; the picture is no longer kept."


def _shares(call: Call, written: Sequence[Part], outcome: Outcome | None) -> list[tuple[str, str]]:
    """A result for each action of a batch; what was told of the whole goes with the last."""
    results = list(outcome.results) if outcome else []
    shares = []
    for number, part in enumerate(written):
        last = number == len(written) - 1
        if last:
            words = _words(outcome)
        elif number < len(results):
            words = results[number].text or ("Done." if results[number].ok else "Failed.")
        else:
            words = "Not tried."
        shares.append((str(part["id"]), words))
    return shares
