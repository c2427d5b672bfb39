"""Putting streamed answers together: the body as it would have come at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from carrel.codec import Json

__all__ = ["ChatStream", "GeminiStream", "MessageStream", "ResponseStream"]

Object = dict[str, Json]


class ResponseStream:
    """Events of OpenAI's Responses: the last one holds the whole response."""

    def __init__(self) -> None:
        self.body: Object | None = None
        self.error: Object | None = None

    def add(self, event: Mapping[str, Json]) -> str:
        """Take one event; returns the text in it."""
        kind = event.get("type")
        response = event.get("response")
        if kind in ("response.completed", "response.incomplete", "response.failed"):
            self.body = cast("Object", response)
        elif kind == "error":
            self.error = dict(event)
        elif kind == "response.output_text.delta":
            return str(event.get("delta", ""))
        return ""


class ChatStream:
    """Chunks of chat completions."""

    error: Object | None = None

    def __init__(self) -> None:
        self._body: Object = {}
        self._choices: dict[int, Object] = {}
        self._finished = False

    def add(self, chunk: Mapping[str, Json]) -> str:
        """Take one chunk; returns the text in it."""
        for name, value in chunk.items():
            if name != "choices" and (value is not None or name not in self._body):
                self._body[name] = value
        choices, text = chunk.get("choices"), ""
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict):
                text += self._add_choice(choice)
        return text

    def _add_choice(self, choice: Object) -> str:
        index = cast("int", choice.get("index", 0))
        empty: Object = {"role": "assistant", "content": None, "refusal": None, "annotations": []}
        start: Object = {"index": index, "message": empty, "logprobs": None, "finish_reason": None}
        whole = self._choices.setdefault(index, start)
        reason = choice.get("finish_reason")
        if reason is not None:
            whole["finish_reason"], self._finished = reason, True
        delta, message = choice.get("delta"), cast("Object", whole["message"])
        if not isinstance(delta, dict):
            return ""
        for name, value in delta.items():
            if name == "tool_calls" and isinstance(value, list):
                calls = cast("list[Json]", message.setdefault("tool_calls", []))
                for each in value:
                    _add_call(calls, cast("Object", each))
            elif name != "role" and value is not None:
                message[name] = _joined(message.get(name), value)
        if not message.get("content"):
            message["content"] = None
        return str(delta.get("content") or "") if index == 0 else ""

    @property
    def body(self) -> Object | None:
        """The completion; None while no choice has ended."""
        if not self._finished:
            return None
        choices: list[Json] = [self._choices[index] for index in sorted(self._choices)]
        body: Object = {**self._body, "object": "chat.completion", "choices": choices}
        body.pop("obfuscation", None)
        return body


def _add_call(calls: list[Json], delta: Object) -> None:
    """Add to a tool call. Servers that leave out the index send whole calls."""
    index = delta.get("index")
    place = index if isinstance(index, int) else len(calls)
    while len(calls) <= place:
        calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
    call = cast("Object", calls[place])
    for name, value in delta.items():
        if name == "function" and isinstance(value, dict):
            function = cast("Object", call["function"])
            for key, part in value.items():
                function[key] = _joined(function.get(key), part)
        elif name != "index" and value:
            call[name] = value


def _joined(before: Json, more: Json) -> Json:
    if isinstance(before, str) and isinstance(more, str):
        return before + more
    if isinstance(before, list) and isinstance(more, list):
        return [*before, *more]
    return before if more is None else more


class MessageStream:
    """Events of Anthropic's Messages."""

    error: Object | None = None

    def __init__(self) -> None:
        self._message: Object = {}
        self._json: dict[int, str] = {}
        self._ended = False

    def add(self, event: Mapping[str, Json]) -> str:
        """Take one event; returns the text in it."""
        kind = event.get("type")
        if kind == "message_start":
            self._message = dict(cast("Object", event["message"]))
            self._message["content"] = []
        elif kind == "content_block_start":
            self._content.append(dict(cast("Object", event["content_block"])))
        elif kind == "content_block_delta":
            return self._add_delta(cast("int", event["index"]), cast("Object", event["delta"]))
        elif kind == "content_block_stop":
            self._close(cast("int", event["index"]))
        elif kind == "message_delta":
            self._message.update(cast("Object", event["delta"]))
            self._add_usage(event.get("usage"))
        elif kind == "message_stop":
            self._ended = True
        return ""

    @property
    def _content(self) -> list[Json]:
        return cast("list[Json]", self._message["content"])

    def _add_delta(self, index: int, delta: Object) -> str:
        block = cast("Object", self._content[index])
        for name, value in delta.items():
            if name == "partial_json":
                self._json[index] = self._json.get(index, "") + str(value)
            elif name == "citation":
                block["citations"] = _joined(block.get("citations") or [], [value])
            elif name != "type":
                block[name] = _joined(block.get(name), value)
        return str(delta.get("text", "")) if delta.get("type") == "text_delta" else ""

    def _close(self, index: int) -> None:
        text = self._json.pop(index, "")
        if not text:
            return
        block = cast("Object", self._content[index])
        try:
            block["input"] = json.loads(text)
        except ValueError:
            # Cut off by the output limit; the message's stop reason says so.
            block["input"] = {}

    def _add_usage(self, usage: Json) -> None:
        if isinstance(usage, dict):
            before = cast("Object", self._message.get("usage") or {})
            known = {name: value for name, value in usage.items() if value is not None}
            self._message["usage"] = {**before, **known}

    @property
    def body(self) -> Object | None:
        """The message; None while it has not ended."""
        return self._message if self._ended else None


class GeminiStream:
    """Chunks of `streamGenerateContent`."""

    error: Object | None = None

    def __init__(self) -> None:
        self._body: Object = {}
        self._candidates: dict[int, Object] = {}
        self._ended = False

    def add(self, chunk: Mapping[str, Json]) -> str:
        """Take one chunk; returns the text in it."""
        for name, value in chunk.items():
            if name != "candidates":
                self._body[name] = value
        # A blocked prompt has no candidates at all.
        self._ended |= "promptFeedback" in chunk
        candidates, text = chunk.get("candidates"), ""
        for candidate in candidates if isinstance(candidates, list) else ():
            if isinstance(candidate, dict):
                text += self._add_candidate(candidate)
        return text

    def _add_candidate(self, candidate: Object) -> str:
        index = cast("int", candidate.get("index", 0))
        whole = self._candidates.setdefault(index, {"content": {}})
        for name, value in candidate.items():
            if name != "content":
                whole[name] = value
        self._ended |= "finishReason" in candidate
        content, known = candidate.get("content"), cast("Object", whole["content"])
        if not isinstance(content, dict):
            return ""
        known.update({name: value for name, value in content.items() if name != "parts"})
        text, parts = "", content.get("parts")
        for part in parts if isinstance(parts, list) else ():
            assert isinstance(part, dict)
            merged = cast("list[Json]", known.setdefault("parts", []))
            _add_part(merged, part)
            if index == 0 and not part.get("thought"):
                text += str(part.get("text") or "")
        return text

    @property
    def body(self) -> Object | None:
        """The response; None while no candidate has ended."""
        if not self._ended:
            return None
        candidates: list[Json] = [self._candidates[index] for index in sorted(self._candidates)]
        return {"candidates": candidates, **self._body} if candidates else dict(self._body)


def _add_part(parts: list[Json], part: Object) -> None:
    """Add a part; text goes on in the part before it when that is of the same kind."""
    last = cast("Object", parts[-1]) if parts else {}
    same = set(part) - {"thoughtSignature"} == set(last) and part.get("thought") == last.get(
        "thought"
    )
    if same and "text" in part and set(part) <= {"text", "thought", "thoughtSignature"}:
        last.update({**part, "text": f"{last['text']}{part['text']}"})
    else:
        parts.append(dict(part))
