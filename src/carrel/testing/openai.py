"""Answers of OpenAI's Responses API.

```python
provider.script(
    openai.reasoning("The button is on the left.")
    + openai.computer_call([{"type": "click", "x": 10, "y": 20, "button": "left"}]),
    openai.text("Done."),
)
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from carrel.codec import Json
from carrel.decisions import SafetyCheck, Usage
from carrel.models.dialect import Api
from carrel.testing._ledger import Ledger
from carrel.testing.answers import Answer, ComputerCall, Piece, Said, Thought, ToolCall
from carrel.testing.chat import CREATED, pieces
from carrel.testing.seen import Seen

__all__ = ["computer_call", "function_call", "reasoning", "text"]

ENCRYPTED = "reasoning.encrypted_content"
"""What a request includes to get its reasoning back in a form it can send again."""


def text(words: str) -> Answer:
    """An answer in words."""
    return Answer((Said(words),), Api.OPENAI_RESPONSES)


def reasoning(summary: str) -> Answer:
    """A reasoning item; encrypted too when the request includes it."""
    return Answer((Thought(summary),), Api.OPENAI_RESPONSES)


def computer_call(
    actions: Sequence[Mapping[str, Json]],
    *,
    checks: Sequence[SafetyCheck] = (),
    call_id: str = "",
    preview: bool = False,
) -> Answer:
    """A computer call; with `preview` in the form of `computer-use-preview`: one `action`."""
    call = ComputerCall(tuple(actions), call_id, tuple(checks), preview)
    return Answer((call,), Api.OPENAI_RESPONSES)


def function_call(name: str, arguments: Mapping[str, Json] | str, call_id: str = "") -> Answer:
    """A call of a function tool; arguments given as text are sent as they are."""
    return Answer((ToolCall(name, arguments, call_id),), Api.OPENAI_RESPONSES)


def render(answer: Answer, seen: Seen, ledger: Ledger) -> dict[str, Json]:
    """The body of a response."""
    output: list[Json] = []
    reasoning = ""
    for piece in answer.pieces:
        item = _item(piece, answer, seen, ledger)
        name = str(item["id"])
        if item["type"] == "reasoning":
            reasoning = name
        elif reasoning:
            ledger.needs[name] = reasoning
        output.append(item)
    body = _response(answer, seen, ledger, output)
    if seen.body.get("store") is not False:
        before = ledger.stored.get(str(seen.body.get("previous_response_id")), [])
        ledger.stored[str(body["id"])] = [*before, *given_items(seen), *output]
    return body


def given_items(seen: Seen) -> list[Json]:
    """The input of a request; text is short for a message of the user's."""
    given = seen.body.get("input", [])
    return given if isinstance(given, list) else [{"role": "user", "content": given}]


def _item(piece: Piece, answer: Answer, seen: Seen, ledger: Ledger) -> dict[str, Json]:
    if isinstance(piece, Thought):
        return _reasoning(piece, seen, ledger)
    if isinstance(piece, ComputerCall):
        return _computer_call(piece, ledger)
    if isinstance(piece, ToolCall):
        return {
            "id": ledger.mint("fc_"),
            "type": "function_call",
            "status": "completed",
            "call_id": piece.id or ledger.mint("call_"),
            "name": piece.name,
            "arguments": piece.as_text,
        }
    part: dict[str, Json] = {"type": "output_text", "text": piece.text, "annotations": []}
    if answer.stop == "refusal":
        part = {"type": "refusal", "refusal": piece.text}
    return {
        "id": ledger.mint("msg_"),
        "type": "message",
        "status": "incomplete" if answer.stop == "truncated" else "completed",
        "role": "assistant",
        "content": [part],
    }


def _reasoning(piece: Thought, seen: Seen, ledger: Ledger) -> dict[str, Json]:
    name = ledger.mint("rs_")
    summary: Json = [{"type": "summary_text", "text": piece.text}] if piece.text else []
    item: dict[str, Json] = {"id": name, "type": "reasoning", "summary": summary}
    include = seen.body.get("include")
    if isinstance(include, list) and ENCRYPTED in include:
        item["encrypted_content"] = ledger.sign("reasoning", name)
    return item


def _computer_call(piece: ComputerCall, ledger: Ledger) -> dict[str, Json]:
    call = piece.id or ledger.mint("call_")
    checks: list[Json] = [
        {"id": check.id, "code": check.code, "message": check.message} for check in piece.checks
    ]
    ledger.checks[call] = checks
    actions: list[Json] = [_action(action) for action in piece.actions]
    what: dict[str, Json] = {"action": actions[0]} if piece.preview else {"actions": actions}
    return {
        "id": ledger.mint("cu_"),
        "type": "computer_call",
        "status": "completed",
        "call_id": call,
        "pending_safety_checks": checks,
        **what,
    }


def _action(action: Mapping[str, Json]) -> dict[str, Json]:
    # The API always says which keys are held for a double click, also when there are none.
    held: dict[str, Json] = {"keys": None} if action.get("type") == "double_click" else {}
    return {**held, **action}


def _response(answer: Answer, seen: Seen, ledger: Ledger, output: list[Json]) -> dict[str, Json]:
    reasons = {"truncated": "max_output_tokens", "content_filter": "content_filter"}
    reason = reasons.get(answer.stop)
    asked = seen.body
    return {
        "id": ledger.mint("resp_"),
        "object": "response",
        "created_at": CREATED,
        "status": "incomplete" if reason else "completed",
        "background": False,
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "instructions": asked.get("instructions"),
        "max_output_tokens": asked.get("max_output_tokens"),
        "model": seen.model,
        "output": output,
        "parallel_tool_calls": asked.get("parallel_tool_calls", True),
        "previous_response_id": asked.get("previous_response_id"),
        "reasoning": {"effort": None, "summary": None},
        "service_tier": "default",
        "store": asked.get("store", True),
        "temperature": asked.get("temperature", 1.0),
        "text": {"format": {"type": "text"}},
        "tool_choice": asked.get("tool_choice", "auto"),
        "tools": asked.get("tools", []),
        "top_p": asked.get("top_p", 1.0),
        "truncation": asked.get("truncation", "disabled"),
        "usage": _usage(answer.usage),
        "user": None,
        "metadata": {},
    }


def _usage(usage: Usage) -> dict[str, Json]:
    given = usage.input + usage.cached + usage.cache_writes
    details: Json = {"cached_tokens": usage.cached, "cache_write_tokens": usage.cache_writes}
    return {
        "input_tokens": given,
        "input_tokens_details": details,
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": given + usage.output,
    }


def events(body: Mapping[str, Json], seen: Seen) -> Iterator[tuple[str, Json]]:
    """The same response as server-sent events."""
    for number, event in enumerate(_events(body)):
        yield str(event["type"]), {**event, "sequence_number": number}


def _events(body: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
    begun: Json = {**body, "status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    output = body["output"]
    assert isinstance(output, list)
    for index, item in enumerate(output):
        assert isinstance(item, dict)
        yield from _item_events(item, {"output_index": index})
    yield {"type": f"response.{body['status']}", "response": dict(body)}


def _item_events(item: dict[str, Json], at: dict[str, Json]) -> Iterator[dict[str, Json]]:
    hollow: dict[str, Json] = {
        "content": [],
        "summary": [],
        "arguments": "",
        "status": "in_progress",
    }
    begun = {name: hollow.get(name, value) for name, value in item.items()}
    yield {"type": "response.output_item.added", "item": begun, **at}
    where: dict[str, Json] = {"item_id": item["id"], **at}
    if item["type"] == "message":
        yield from _message_events(item, where)
    elif item["type"] == "reasoning":
        yield from _summary_events(item, where)
    elif item["type"] == "function_call":
        name, arguments = "response.function_call_arguments", str(item["arguments"])
        yield from ({"type": f"{name}.delta", "delta": part, **where} for part in pieces(arguments))
        yield {"type": f"{name}.done", "arguments": arguments, "name": item["name"], **where}
    yield {"type": "response.output_item.done", "item": item, **at}


def _message_events(item: dict[str, Json], where: dict[str, Json]) -> Iterator[dict[str, Json]]:
    content = item["content"]
    assert isinstance(content, list)
    for index, part in enumerate(content):
        assert isinstance(part, dict)
        at: dict[str, Json] = {**where, "content_index": index}
        field = "refusal" if part["type"] == "refusal" else "text"
        words = str(part[field])
        more: dict[str, Json] = {} if field == "refusal" else {"logprobs": []}
        name = "response.refusal" if field == "refusal" else "response.output_text"
        yield {"type": "response.content_part.added", "part": {**part, field: ""}, **at}
        for piece in pieces(words):
            yield {"type": f"{name}.delta", "delta": piece, **at, **more}
        yield {"type": f"{name}.done", field: words, **at, **more}
        yield {"type": "response.content_part.done", "part": part, **at}


def _summary_events(item: dict[str, Json], where: dict[str, Json]) -> Iterator[dict[str, Json]]:
    summary = item["summary"]
    assert isinstance(summary, list)
    for index, part in enumerate(summary):
        assert isinstance(part, dict)
        at: dict[str, Json] = {**where, "summary_index": index}
        name, words = "response.reasoning_summary", str(part["text"])
        yield {"type": f"{name}_part.added", "part": {**part, "text": ""}, **at}
        for piece in pieces(words):
            yield {"type": f"{name}_text.delta", "delta": piece, **at}
        yield {"type": f"{name}_text.done", "text": words, **at}
        yield {"type": f"{name}_part.done", "part": part, **at}
