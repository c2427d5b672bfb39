"""Events on the wire: as text, and as Bedrock's binary frames."""

from __future__ import annotations

import base64
import json
import struct
import zlib

from carrel.codec import Json

__all__ = ["binary_event", "text_event"]


def text_event(name: str, data: Json) -> bytes:
    """A server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {_text(data)}\n\n".encode()


def binary_event(name: str, data: Json) -> bytes:
    """A message of `application/vnd.amazon.eventstream` that holds the same event."""
    inner = base64.b64encode(_text(data).encode()).decode("ascii")
    payload = json.dumps({"bytes": inner}).encode()
    headers = b"".join(
        _header(key, value)
        for key, value in (
            (":event-type", "chunk"),
            (":content-type", "application/json"),
            (":message-type", "event"),
        )
    )
    # Two lengths and their checksum, the headers, the payload, and a checksum of it all.
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    start = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + payload
    return start + struct.pack(">I", zlib.crc32(start))


def _header(name: str, value: str) -> bytes:
    text = value.encode()
    return bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(text)) + text


def _text(data: Json) -> str:
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
