"""Answers of Anthropic's Messages API.

```python
provider.script(
    anthropic.thinking("A button.") + anthropic.tool_use("left_click", {"coordinate": [10, 20]}),
    anthropic.text("Done."),
)
```

`tool_use` finds out by itself whether the request declared the computer toolset: the calls of its
members carry `toolset_name`, as the API's do.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping

from carrel.codec import Json
from carrel.decisions import Usage
from carrel.models.dialect import Api
from carrel.testing._ledger import Ledger
from carrel.testing.answers import Answer, Said, Thought, ToolCall
from carrel.testing.chat import pieces
from carrel.testing.seen import Seen

__all__ = ["redacted_thinking", "text", "thinking", "tool_use"]

TOOLSET = "computer_toolset_20260801"
MEMBERS = frozenset(
    (
        "key",
        "hold_key",
        "type",
        "cursor_position",
        "mouse_move",
        "left_mouse_down",
        "left_mouse_up",
        "left_click",
        "left_click_drag",
        "right_click",
        "middle_click",
        "double_click",
        "triple_click",
        "scroll",
        "wait",
        "screenshot",
        "zoom",
    )
)
"""The tools of the computer toolset."""


def text(words: str) -> Answer:
    """An answer in words."""
    return Answer((Said(words),), Api.ANTHROPIC)


def thinking(words: str) -> Answer:
    """A thinking block, signed by the server."""
    return Answer((Thought(words),), Api.ANTHROPIC)


def redacted_thinking() -> Answer:
    """A thinking block whose words are kept back."""
    return Answer((Thought("", redacted=True),), Api.ANTHROPIC)


def tool_use(name: str, input: Mapping[str, Json], id: str = "") -> Answer:  # noqa: A002
    """A call of a tool, or of a member of the computer toolset."""
    return Answer((ToolCall(name, input, id),), Api.ANTHROPIC)


def render(answer: Answer, seen: Seen, ledger: Ledger) -> dict[str, Json]:
    """The body of a message."""
    content: list[Json] = []
    signatures: list[str] = []
    prefix, before = fingerprint(seen), ["", *thinking_before(seen)][-1]
    for piece in answer.pieces:
        if isinstance(piece, Said):
            content.append({"type": "text", "text": piece.text, "citations": None})
        elif isinstance(piece, Thought):
            content.append(block := _thinking(piece, ledger))
            signature = str(block.get("signature") or block["data"])
            ledger.bound.setdefault(signature, set()).add((prefix, before))
            before = signature
            signatures.append(signature)
        elif isinstance(piece, ToolCall):
            content.append(block := _tool_use(piece, seen, ledger))
            ledger.thinking[str(block["id"])] = tuple(signatures)
    return {
        "id": ledger.mint("msg_"),
        "type": "message",
        "role": "assistant",
        "model": seen.model,
        "content": content,
        **_stop(answer),
        "usage": _usage(answer.usage),
    }


def fingerprint(seen: Seen, messages: int | None = None) -> str:
    """Of a conversation up to a message: what its thinking is bound to."""
    given = seen.body.get("messages")
    said = given[:messages] if isinstance(given, list) else []
    facts = [seen.body.get("system"), seen.body.get("tools"), said]
    return hashlib.sha256(json.dumps(_plain(facts), sort_keys=True).encode()).hexdigest()


def _plain(value: Json) -> Json:
    """Without thinking, and without marks for the cache."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items() if name != "cache_control"}
    if isinstance(value, list):
        return [_plain(each) for each in value if signature_of(each) is None]
    return value


def signature_of(block: Json) -> str | None:
    """The signature of a thinking block; None for other blocks."""
    if not isinstance(block, dict):
        return None
    names = {"thinking": "signature", "redacted_thinking": "data"}
    name = names.get(str(block.get("type")))
    return None if name is None else str(block.get(name))


def thinking_before(seen: Seen) -> list[str]:
    """The signatures of all thinking in a request, in its order."""
    messages = seen.body.get("messages")
    found: list[str] = []
    for message in messages if isinstance(messages, list) else ():
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            signature = signature_of(block)
            if signature is not None:
                found.append(signature)
    return found


def _thinking(piece: Thought, ledger: Ledger) -> dict[str, Json]:
    if piece.redacted:
        return {"type": "redacted_thinking", "data": ledger.sign("redacted")}
    signature = ledger.sign("thinking", piece.text)
    return {"type": "thinking", "thinking": piece.text, "signature": signature}


def _tool_use(piece: ToolCall, seen: Seen, ledger: Ledger) -> dict[str, Json]:
    arguments = piece.arguments
    block: dict[str, Json] = {
        "type": "tool_use",
        "id": piece.id or ledger.mint("toolu_"),
        "name": piece.name,
        "input": json.loads(arguments) if isinstance(arguments, str) else dict(arguments),
        "caller": {"type": "direct"},
    }
    if piece.name in MEMBERS and declares_toolset(seen):
        block["toolset_name"] = "computer"
    return block


def declares_toolset(seen: Seen) -> bool:
    """Whether a request declared the computer toolset."""
    tools = seen.body.get("tools")
    return isinstance(tools, list) and any(
        isinstance(tool, dict) and tool.get("type") == TOOLSET for tool in tools
    )


def _stop(answer: Answer) -> dict[str, Json]:
    details: Json = None
    if answer.stop == "refusal":
        details = {"type": "refusal", "category": "general_harms", "explanation": None}
    called = any(isinstance(piece, ToolCall) for piece in answer.pieces)
    reasons = {"refusal": "refusal", "truncated": "max_tokens", "content_filter": "refusal"}
    reason = reasons.get(answer.stop, "tool_use" if called else "end_turn")
    return {"stop_reason": reason, "stop_sequence": None, "stop_details": details}


def _usage(usage: Usage) -> dict[str, Json]:
    return {
        "input_tokens": usage.input,
        "cache_creation_input_tokens": usage.cache_writes,
        "cache_read_input_tokens": usage.cached,
        "cache_creation": {
            "ephemeral_5m_input_tokens": usage.cache_writes,
            "ephemeral_1h_input_tokens": 0,
        },
        "output_tokens": usage.output,
        "service_tier": "standard",
    }


def events(body: Mapping[str, Json], seen: Seen) -> Iterator[tuple[str, Json]]:
    """The same message as server-sent events."""
    for event in _events(body):
        yield str(event["type"]), event


def _events(body: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
    usage, content = body["usage"], body["content"]
    assert isinstance(usage, dict)
    assert isinstance(content, list)
    stop = {name: body[name] for name in ("stop_reason", "stop_sequence", "stop_details")}
    begun: Json = {
        **body,
        "content": [],
        **dict.fromkeys(stop),
        "usage": {**usage, "output_tokens": 1},
    }
    yield {"type": "message_start", "message": begun}
    yield {"type": "ping"}
    for index, block in enumerate(content):
        assert isinstance(block, dict)
        yield from _block_events(block, index)
    counts = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    totals = {name: usage[name] for name in (*counts, "output_tokens")}
    yield {"type": "message_delta", "delta": {**stop}, "usage": totals}
    yield {"type": "message_stop"}


def _block_events(block: dict[str, Json], index: int) -> Iterator[dict[str, Json]]:
    hollow: dict[str, Json] = {"text": "", "thinking": "", "signature": "", "input": {}}
    begun = {name: hollow.get(name, value) for name, value in block.items()}
    at: dict[str, Json] = {"index": index}
    yield {"type": "content_block_start", "content_block": begun, **at}
    for delta in _deltas(block):
        yield {"type": "content_block_delta", "delta": delta, **at}
    yield {"type": "content_block_stop", **at}


def _deltas(block: dict[str, Json]) -> Iterator[dict[str, Json]]:
    kind = block["type"]
    if kind == "text":
        for part in pieces(str(block["text"])):
            yield {"type": "text_delta", "text": part}
    elif kind == "thinking":
        for part in pieces(str(block["thinking"])):
            yield {"type": "thinking_delta", "thinking": part}
        yield {"type": "signature_delta", "signature": block["signature"]}
    elif kind == "tool_use":
        yield {"type": "input_json_delta", "partial_json": ""}
        for part in pieces(json.dumps(block["input"])):
            yield {"type": "input_json_delta", "partial_json": part}
