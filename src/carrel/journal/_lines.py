"""Events as the lines of a journal, and the hash that chains them."""

from __future__ import annotations

import hashlib
import json
from typing import cast

from carrel import codec
from carrel.errors import CarrelError, InvalidInput
from carrel.events import Event

__all__ = ["BadLine", "decode_line", "encode_line", "hash_line"]

_FIELDS = frozenset(Event.__dataclass_fields__)


class BadLine(ValueError):
    """A line that is not an event."""


def encode_line(event: Event) -> bytes:
    """The event as one line, without its newline.

    Raises:
        InvalidInput: The data has no JSON form.
    """
    wire = {
        "at": event.at,
        "blobs": event.blobs,
        "data": event.data,
        "kind": event.kind,
        "previous": event.previous,
        "run": event.run,
        "seq": event.seq,
    }
    try:
        text = json.dumps(
            wire, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
        )
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"the data of a {event.kind} event has no JSON form: {error}") from error
    # Half of a surrogate pair has no UTF-8; written as \udXXX, JSON reads it back as it was.
    return text.encode("utf-8", "backslashreplace")


def decode_line(line: bytes) -> Event:
    """Read a line.

    Raises:
        BadLine: It is not an event; the message says why.
    """
    try:
        wire = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadLine("it is not JSON") from error
    if not isinstance(wire, dict) or wire.keys() != _FIELDS:
        raise BadLine("it has not the fields of an event")
    data = wire.pop("data")
    if not isinstance(data, dict):
        raise BadLine("its data is not an object")
    try:
        event = codec.decode(Event, wire, where="event")
    except CarrelError as error:
        raise BadLine(error.message) from error
    object.__setattr__(event, "data", cast("dict[str, codec.Json]", data))
    return event


def hash_line(line: bytes) -> str:
    """What the next line names as its `previous`."""
    return hashlib.sha256(line).hexdigest()
