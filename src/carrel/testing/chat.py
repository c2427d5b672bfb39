"""Answers of OpenAI's chat completions, as every compatible server gives them.

```python
provider.script(
    chat.tool_calls(("click", {"x": 10, "y": 20})),
    chat.text("Done."),
)
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from carrel.codec import Json
from carrel.decisions import Usage
from carrel.models.dialect import Api
from carrel.testing._ledger import Ledger
from carrel.testing.answers import Answer, Said, ToolCall
from carrel.testing.seen import Seen

__all__ = ["text", "tool_calls"]

CREATED = 1_790_000_000
"""Every answer is made at the same second, so that transcripts can be compared."""


def text(words: str) -> Answer:
    """An answer in words."""
    return Answer((Said(words),), Api.OPENAI_CHAT)


def tool_calls(*calls: tuple[str, Mapping[str, Json] | str], ids: tuple[str, ...] = ()) -> Answer:
    """Calls of function tools: pairs of a name and arguments (text is sent as it is)."""
    given = (*ids, *[""] * (len(calls) - len(ids)))
    pieces = (
        ToolCall(name, arguments, call)
        for (name, arguments), call in zip(calls, given, strict=True)
    )
    return Answer(tuple(pieces), Api.OPENAI_CHAT)


def render(answer: Answer, seen: Seen, ledger: Ledger) -> dict[str, Json]:
    """The body of a completion."""
    message = _message(answer, ledger)
    stops = {"truncated": "length", "content_filter": "content_filter"}
    reason = stops.get(answer.stop, "tool_calls" if "tool_calls" in message else "stop")
    choice: Json = {"index": 0, "message": message, "logprobs": None, "finish_reason": reason}
    return {
        "id": ledger.mint("chatcmpl-"),
        "object": "chat.completion",
        "created": CREATED,
        "model": seen.model,
        "choices": [choice],
        "usage": _usage(answer.usage),
        "service_tier": "default",
        "system_fingerprint": None,
    }


def _message(answer: Answer, ledger: Ledger) -> dict[str, Json]:
    words = "".join(piece.text for piece in answer.pieces if isinstance(piece, Said))
    refused = answer.stop == "refusal"
    message: dict[str, Json] = {
        "role": "assistant",
        "content": None if refused else words or None,
        "refusal": (words or None) if refused else None,
        "annotations": [],
    }
    calls: list[Json] = [
        {
            "id": piece.id or ledger.mint("call_"),
            "type": "function",
            "function": {"name": piece.name, "arguments": piece.as_text},
        }
        for piece in answer.pieces
        if isinstance(piece, ToolCall)
    ]
    return {**message, "tool_calls": calls} if calls else message


def _usage(usage: Usage) -> dict[str, Json]:
    prompt = usage.input + usage.cached
    return {
        "prompt_tokens": prompt,
        "completion_tokens": usage.output,
        "total_tokens": prompt + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cached, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning, "audio_tokens": 0},
    }


def events(body: Mapping[str, Json], seen: Seen) -> Iterator[tuple[str, Json]]:
    """The same answer as server-sent events."""
    choices = body["choices"]
    assert isinstance(choices, list)
    for choice in choices:
        assert isinstance(choice, dict)
        for delta in _deltas(choice["message"]):
            yield "", _chunk(body, [{"index": 0, "delta": delta, "finish_reason": None}])
        last: Json = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
        yield "", _chunk(body, [last])
    options = seen.body.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        yield "", {**_chunk(body, []), "usage": body["usage"]}
    yield "", "[DONE]"


def _chunk(body: Mapping[str, Json], choices: list[Json]) -> dict[str, Json]:
    kept = {name: body[name] for name in ("id", "created", "model", "service_tier")}
    last: Json = body["system_fingerprint"]
    chunk: dict[str, Json] = {**kept, "object": "chat.completion.chunk", "choices": choices}
    return {**chunk, "system_fingerprint": last, "usage": None}


def _deltas(message: Json) -> Iterator[dict[str, Json]]:
    assert isinstance(message, dict)
    yield {"role": "assistant", "content": None if message["content"] is None else ""}
    for name in ("content", "refusal"):
        value = message[name]
        if isinstance(value, str):
            for piece in pieces(value):
                yield {name: piece}
    calls = message.get("tool_calls", [])
    assert isinstance(calls, list)
    for index, call in enumerate(calls):
        assert isinstance(call, dict)
        function = call["function"]
        assert isinstance(function, dict)
        start: Json = {**call, "index": index, "function": {**function, "arguments": ""}}
        yield {"tool_calls": [start]}
        for piece in pieces(str(function["arguments"])):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def pieces(text: str, size: int = 7) -> Iterator[str]:
    """Text in small parts, as it is streamed."""
    for start in range(0, len(text), size):
        yield text[start : start + size]
