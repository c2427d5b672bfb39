"""Answers of Gemini's `generateContent`.

```python
provider.script(
    gemini.function_call("click_at", {"x": 500, "y": 500}),
    gemini.text("Done."),
)
```
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from carrel.codec import Json
from carrel.decisions import SafetyCheck, Usage
from carrel.models.dialect import Api
from carrel.testing._ledger import Ledger
from carrel.testing.answers import Answer, ComputerCall, Piece, Said, Thought, ToolCall
from carrel.testing.chat import pieces
from carrel.testing.seen import Seen

__all__ = ["function_call", "text", "thought"]


def text(words: str) -> Answer:
    """An answer in words."""
    return Answer((Said(words),), Api.GEMINI)


def thought(words: str) -> Answer:
    """A summary of the model's thoughts."""
    return Answer((Thought(words),), Api.GEMINI)


def function_call(
    name: str,
    args: Mapping[str, Json],
    *,
    id: str = "",  # noqa: A002 (the field's name on the wire)
    checks: Sequence[SafetyCheck] = (),
) -> Answer:
    """A call of a function, predefined or declared.

    A check becomes the `safety_decision` in the arguments, which must be acknowledged.
    """
    return Answer((ToolCall(name, args, id, checks=tuple(checks)),), Api.GEMINI)


def render(answer: Answer, seen: Seen, ledger: Ledger) -> dict[str, Json]:
    """The body of a response."""
    parts: list[Json] = []
    for piece in answer.pieces:
        part = _part(piece, ledger)
        call = part.get("functionCall")
        # Of parallel calls only the first is signed.
        if call is not None and not any("functionCall" in json.dumps(each) for each in parts):
            part["thoughtSignature"] = ledger.sign("call", call)
        parts.append(part)
    content: dict[str, Json] = {"role": "model"}
    if parts:
        content["parts"] = parts
    reasons = {"truncated": "MAX_TOKENS", "refusal": "SAFETY", "content_filter": "SAFETY"}
    reason = reasons.get(answer.stop, "STOP")
    return {
        "candidates": [{"content": content, "finishReason": reason, "index": 0}],
        "usageMetadata": _usage(answer.usage),
        "modelVersion": seen.model,
        "responseId": ledger.mint("gemini-"),
    }


def _part(piece: Piece, ledger: Ledger) -> dict[str, Json]:
    assert not isinstance(piece, ComputerCall)
    if isinstance(piece, Said):
        return {"text": piece.text}
    if isinstance(piece, Thought):
        return {"text": piece.text, "thought": True}
    given = piece.arguments
    args: dict[str, Json] = json.loads(given) if isinstance(given, str) else dict(given)
    for check in piece.checks:
        args["safety_decision"] = {
            "decision": "require_confirmation",
            "explanation": check.message,
        }
    return {
        "functionCall": {"id": piece.id or ledger.mint("fc-"), "name": piece.name, "args": args}
    }


def _usage(usage: Usage) -> dict[str, Json]:
    prompt = usage.input + usage.cached
    found: dict[str, Json] = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": usage.output - usage.reasoning,
        "totalTokenCount": prompt + usage.output,
    }
    if usage.cached:
        found["cachedContentTokenCount"] = usage.cached
    if usage.reasoning:
        found["thoughtsTokenCount"] = usage.reasoning
    return found


def events(body: Mapping[str, Json], seen: Seen) -> Iterator[tuple[str, Json]]:
    """The same response as server-sent events."""
    kept = {name: value for name, value in body.items() if name != "candidates"}
    candidates = body["candidates"]
    assert isinstance(candidates, list)
    candidate = candidates[0]
    assert isinstance(candidate, dict)
    content, index = candidate["content"], candidate["index"]
    assert isinstance(content, dict)
    parts = content.get("parts", [])
    assert isinstance(parts, list)
    for part in parts:
        for piece in _chunks(part):
            chunk: Json = [{"content": {"role": "model", "parts": [piece]}, "index": index}]
            yield "", {**kept, "candidates": chunk}
    last: dict[str, Json] = {"finishReason": candidate["finishReason"], "index": index}
    yield "", {**kept, "candidates": [{"content": {"role": "model"}, **last}]}


def _chunks(part: Json) -> Iterator[dict[str, Json]]:
    assert isinstance(part, dict)
    if "text" not in part:
        yield part
        return
    for piece in pieces(str(part["text"])):
        yield {**part, "text": piece}
