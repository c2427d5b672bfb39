"""A scripted provider that costs next to nothing: a process of its own, answers made beforehand.

It speaks just enough of OpenAI's Responses and Anthropic's Messages, streamed and not, to lead an
agent through a number of clicks and then say that it is done. It notes when each request had come
in whole and when its answer was out: what lies between an answer and the next request is the
agent's own time, taken by the same clock for everybody.

    python _agent_server.py        prints its port; `/N/v1/...` leads through N steps
"""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections.abc import Iterator

__all__ = ["response", "serve"]

USAGE = {"input_tokens": 1200, "output_tokens": 60}


def place(step: int) -> tuple[int, int]:
    """Where step `step` clicks: elsewhere each time, as a model that gets on would."""
    return 40 + step * 37 % 940, 40 + step * 53 % 680


def openai(step: int, steps: int) -> dict[str, object]:
    x, y = place(step)
    call: dict[str, object] = {
        "type": "computer_call",
        "id": f"cu_{step}",
        "call_id": f"call_{step}",
        "action": {"type": "click", "button": "left", "x": x, "y": y},
        "pending_safety_checks": [],
        "status": "completed",
    }
    words = {"type": "output_text", "text": "Done.", "annotations": []}
    said: dict[str, object] = {"type": "message", "id": f"msg_{step}", "role": "assistant"}
    said |= {"status": "completed", "content": [words]}
    return {
        "id": f"resp_{step}",
        "object": "response",
        "created_at": 1_760_000_000,
        "status": "completed",
        "model": "computer-use-preview",
        "output": [call if step < steps else said],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            **USAGE,
            "total_tokens": 1260,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def anthropic(step: int, steps: int) -> dict[str, object]:
    click = {"action": "left_click", "coordinate": list(place(step))}
    use = {"type": "tool_use", "id": f"toolu_{step}", "name": "computer", "input": click}
    done = {"type": "text", "text": "Done."}
    return {
        "id": f"msg_{step}",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5-20250929",
        "content": [use if step < steps else done],
        "stop_reason": "tool_use" if step < steps else "end_turn",
        "stop_sequence": None,
        "usage": USAGE,
    }


def openai_events(body: dict[str, object]) -> Iterator[dict[str, object]]:
    output = body["output"]
    assert isinstance(output, list)
    begun = {**body, "status": "in_progress", "output": []}
    yield {"type": "response.created", "sequence_number": 0, "response": begun}
    item = {"output_index": 0, "item": output[0]}
    yield {"type": "response.output_item.added", "sequence_number": 1, **item}
    yield {"type": "response.output_item.done", "sequence_number": 2, **item}
    yield {"type": "response.completed", "sequence_number": 3, "response": body}


def anthropic_events(body: dict[str, object]) -> Iterator[dict[str, object]]:
    content = body["content"]
    assert isinstance(content, list)
    block = content[0]
    begun = {**body, "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": begun}
    empty = {**block, "input": {}} if block["type"] == "tool_use" else {**block, "text": ""}
    yield {"type": "content_block_start", "index": 0, "content_block": empty}
    delta = {"type": "text_delta", "text": block.get("text", "")}
    if block["type"] == "tool_use":
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    stop = {"stop_reason": body["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 60}}
    yield {"type": "message_stop"}


def response(wire: str, step: int, steps: int, *, streamed: bool) -> bytes:
    """The whole HTTP response to request number `step`."""
    body = openai(step, steps) if wire == "responses" else anthropic(step, steps)
    kind = "application/json"
    data = json.dumps(body).encode()
    if streamed:
        events = openai_events(body) if wire == "responses" else anthropic_events(body)
        kind = "text/event-stream"
        data = b"".join(
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events
        )
    head = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(data)}\r\n\r\n"
    return head.encode() + data


class Log:
    """When requests came and answers went, since the log was last taken."""

    def __init__(self) -> None:
        self.rows: list[tuple[float, float, int]] = []
        self.body = b""

    def take(self) -> bytes:
        rows, self.rows = self.rows, []
        data = json.dumps({"rows": rows}).encode()
        head = f"HTTP/1.1 200 OK\r\ncontent-length: {len(data)}\r\n\r\n"
        return head.encode() + data


def read_request(client: socket.socket, rest: bytearray) -> tuple[str, bytes] | None:
    """The path and the body; None when the client is gone."""
    while (end := rest.find(b"\r\n\r\n")) < 0:
        more = client.recv(1 << 16)
        if not more:
            return None
        rest += more
    head = rest[:end].decode("latin-1").split("\r\n")
    length = 0
    for line in head[1:]:
        name, _, value = line.partition(":")
        if name.lower() == "content-length":
            length = int(value)
    got = bytes(rest[end + 4 :])
    rest.clear()
    body = bytearray(length)
    body[: len(got)] = got
    view = memoryview(body)[len(got) :]
    while view:
        count = client.recv_into(view)
        if not count:
            return None
        view = view[count:]
    return head[0].split(" ")[1], bytes(body)


def converse(client: socket.socket, log: Log) -> None:
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    rest = bytearray()
    with client:
        while (request := read_request(client, rest)) is not None:
            came = time.monotonic()
            path, body = request
            if path == "/log":
                client.sendall(log.take())
                continue
            if path == "/body":
                head = f"HTTP/1.1 200 OK\r\ncontent-length: {len(log.body)}\r\n\r\n"
                client.sendall(head.encode() + log.body)
                continue
            steps, wire = int(path.split("/")[1]), path.partition("?")[0].rpartition("/")[2]
            streamed = b'"stream":true' in body or b'"stream": true' in body
            client.sendall(response(wire, len(log.rows), steps, streamed=streamed))
            log.rows.append((came, time.monotonic(), len(body)))
            log.body = body


def serve() -> None:
    log = Log()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        threading.Thread(target=take_clients, args=(listener, log), daemon=True).start()
        # Whoever started this closes the pipe in the end, whatever becomes of them.
        sys.stdin.read()


def take_clients(listener: socket.socket, log: Log) -> None:
    while True:
        client, _ = listener.accept()
        threading.Thread(target=converse, args=(client, log), daemon=True).start()


if __name__ == "__main__":
    serve()
