"""The frames of the stream: bytes in, frames out, no I/O.

```
 length u32 | kind u8 | lane u8 | stream u32 | payload (length bytes)      big endian, 10 + length
```

| kind   | lane          | stream | payload                                       |
| ------ | ------------- | ------ | --------------------------------------------- |
| HELLO  | 0             | 0      | JSON: version and greeting; the first frame   |
| OPEN   | 0 or FINAL    | new id | JSON: the header of the stream                |
| DATA   | lane (+FINAL) | id     | a JSON object (MESSAGE) or bytes              |
| CREDIT | 0             | id     | u32: how much more the receiver takes         |
| END    | 0             | id     | empty: nothing more from this side            |
| RESET  | 0             | id     | JSON: the error; both directions are over     |
| PING   | 0             | 0      | 8 bytes, sent back in a PONG                  |
| PONG   | 0             | 0      | the 8 bytes of the PING                       |
| BYE    | 0             | 0      | empty, or JSON: the error that ends it all    |

`FINAL` on OPEN or DATA stands for an END right behind it. A DATA frame costs its payload plus
`FRAME_COST` of credit, may be sent while any credit is left, and so overdraws it by one frame at
most: a message never has to wait for a window of its own size.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple

from carrel.codec import Json
from carrel.errors import CarrelError, InvalidInput, ProtocolError

__all__ = [
    "FINAL",
    "FRAME_COST",
    "HEADER_SIZE",
    "MAX_CHUNK",
    "MAX_MESSAGE",
    "MAX_WINDOW",
    "MORE",
    "PIECE",
    "READ_SIZE",
    "VERSION",
    "WINDOW",
    "Decoder",
    "Frame",
    "Kind",
    "Lane",
    "dump_error",
    "dump_json",
    "pack",
    "parse_json",
]

VERSION = 1
HEADER = struct.Struct(">IBBI")
HEADER_SIZE = HEADER.size
FINAL = 0x80
MORE = 0x40
WINDOW = 1 << 20
# A stream that moves much is given a wider window: fewer turns of the two event loops.
MAX_WINDOW = 4 << 20
MAX_MESSAGE = 1 << 20
MAX_CHUNK = 256 << 10
# Charged on top of the payload, so that a flood of empty frames runs out of credit as well.
FRAME_COST = 64
_MAX_CONTROL = 64 << 10
_MAX_PARTS = 64
_LANE_MASK = 0x0F
# Small enough that Python's allocator does not have to ask the kernel for every read.
READ_SIZE = 32 << 10
# Frames below this size arrive whole; larger ones are handed on in pieces of at least this size.
PIECE = 64 << 10


class Kind(IntEnum):
    """What a frame is."""

    HELLO = 1
    OPEN = 2
    DATA = 3
    CREDIT = 4
    END = 5
    RESET = 6
    PING = 7
    PONG = 8
    BYE = 9


class Lane(IntEnum):
    """What the payload of a DATA frame is."""

    MESSAGE = 0
    """One JSON object."""
    DATA = 1
    """Bytes: standard output, a file, an image, a tunnel."""
    ERRORS = 2
    """Bytes of a second kind: standard error."""


class Frame(NamedTuple):
    """One frame as it came from the wire.

    `lane` still has its FINAL bit. The bytes of a large DATA frame are handed on as they arrive:
    all pieces but the last have `MORE` set in their lane, which never crosses the wire.
    """

    kind: int
    lane: int
    stream: int
    payload: bytes


class _Rule(NamedTuple):
    least: int
    most: int
    on_stream: bool
    in_pieces: bool = False


def _rules() -> dict[int, _Rule]:
    """What is allowed, by kind and lane in one number: one look-up for each header."""
    rules = {
        Kind.HELLO: _Rule(2, _MAX_CONTROL, False),
        Kind.OPEN: _Rule(2, MAX_MESSAGE, True),
        Kind.CREDIT: _Rule(4, 4, True),
        Kind.END: _Rule(0, 0, True),
        Kind.RESET: _Rule(2, _MAX_CONTROL, True),
        Kind.PING: _Rule(8, 8, False),
        Kind.PONG: _Rule(8, 8, False),
        Kind.BYE: _Rule(0, _MAX_CONTROL, False),
    }
    table = {kind << 8: rule for kind, rule in rules.items()}
    table[Kind.OPEN << 8 | FINAL] = rules[Kind.OPEN]
    for final in (0, FINAL):
        table[Kind.DATA << 8 | Lane.MESSAGE | final] = _Rule(2, MAX_MESSAGE, True)
        for lane in (Lane.DATA, Lane.ERRORS):
            table[Kind.DATA << 8 | lane | final] = _Rule(0, MAX_CHUNK, True, True)
    return table


_RULES = _rules()


def pack(kind: int, stream: int, length: int, lane: int = 0) -> bytes:
    """The header of a frame whose payload is `length` bytes long."""
    return HEADER.pack(length, kind, lane, stream)


def _check(length: int, kind: int, lane: int, stream: int) -> _Rule:
    rule = _RULES.get(kind << 8 | lane)
    if rule is None:
        raise ProtocolError(
            f"frame of unknown kind {kind} on lane {lane:#x}", hint="is the other side a Carrel?"
        )
    if not rule.least <= length <= rule.most:
        name = Kind(kind).name
        raise ProtocolError(f"{name} frame of {length} bytes, not {rule.least} to {rule.most}")
    if rule.on_stream != (stream != 0):
        raise ProtocolError(f"{Kind(kind).name} frame on stream {stream}")
    return rule


class Decoder:
    """Cuts received bytes into frames, checking every header before its payload is kept."""

    def __init__(self) -> None:
        self._start = b""
        self._header: tuple[int, int, int, int] | None = None
        self._missing = 0
        self._parts: list[bytes | bytearray | memoryview] = []
        self._kept = 0
        self._in_pieces = False
        self._bulk = False

    def wants(self) -> int:
        """How many bytes to read next.

        In the middle of a bulk transfer this is exactly the payload or exactly the header, so
        that a large payload is handed on as it was read, without a copy.
        """
        if self._header is not None:
            return max(self._missing, PIECE) if self._bulk else READ_SIZE
        return HEADER_SIZE if self._bulk and not self._start else READ_SIZE

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yield the frames that `data` completes; use it up before the next call.

        Raises:
            ProtocolError: A header is not one of the protocol.
        """
        at, size = 0, len(data)
        while True:
            if self._header is None:
                at = self._read_header(data, at, size)
                if self._header is None:
                    return
            _, kind, lane, stream = self._header
            missing = self._missing
            if size - at < missing:
                if at < size:
                    self._keep(data, at, size)
                if self._in_pieces and self._kept >= PIECE:
                    yield Frame(kind, lane & _LANE_MASK | MORE, stream, self._join())
                return
            if self._parts:
                self._keep(data, at, at + missing)
                payload = self._join()
            else:
                payload = data[at : at + missing]
            self._header = None
            at += missing
            yield Frame(kind, lane, stream, payload)

    def _read_header(self, data: bytes, at: int, size: int) -> int:
        end = at + HEADER_SIZE - len(self._start)
        if end > size:
            self._start += data[at:]
            return size
        header: tuple[int, int, int, int]
        if self._start:
            header = HEADER.unpack(self._start + data[at:end])
            self._start = b""
        else:
            header = HEADER.unpack_from(data, at)
        self._in_pieces = _check(*header).in_pieces
        self._header = header
        self._missing = header[0]
        self._bulk = self._missing >= PIECE and self._in_pieces
        return end

    def _keep(self, data: bytes, start: int, end: int) -> None:
        part = data if end - start == len(data) else memoryview(data)[start:end]
        self._missing -= len(part)
        self._kept += len(part)
        self._parts.append(part)
        if len(self._parts) > _MAX_PARTS:
            # A peer that sends byte by byte must not cost one object per byte.
            first = self._parts[0]
            whole = first if isinstance(first, bytearray) else bytearray(first)
            for other in self._parts[1:]:
                whole += other
            self._parts = [whole]

    def _join(self) -> bytes:
        parts, self._parts, self._kept = self._parts, [], 0
        if len(parts) == 1 and isinstance(parts[0], bytes):
            return parts[0]
        return b"".join(parts)

    def finish(self) -> None:
        """Say that no more bytes come.

        Raises:
            ProtocolError: The bytes ended in the middle of a frame.
        """
        if self._start or self._header is not None:
            raise ProtocolError("the connection ended in the middle of a frame")


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def dump_json(value: Mapping[str, object], what: str = "message") -> bytes:
    """A JSON object as the payload of a frame.

    Raises:
        InvalidInput: It has no JSON form or is larger than `MAX_MESSAGE`.
    """
    try:
        data = _ENCODER.encode(value if type(value) is dict else dict(value)).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"the {what} has no JSON form: {error}") from None
    if len(data) > MAX_MESSAGE:
        raise InvalidInput(
            f"the {what} takes {len(data)} bytes of JSON, {MAX_MESSAGE} is the most",
            hint="send large content as the body of the request",
        )
    return data


def dump_error(error: CarrelError) -> bytes:
    """An error as the payload of RESET or BYE, without what does not fit."""
    try:
        data = dump_json(error.to_wire())
    except InvalidInput:
        data = b""
    if not 2 <= len(data) <= _MAX_CONTROL:
        text = error.message[:4000].encode(errors="replace").decode()
        data = dump_json({"code": error.code, "message": text, "retryable": error.retryable})
    return data


def parse_json(payload: bytes) -> dict[str, Json]:
    """The JSON object in a payload.

    Raises:
        ProtocolError: It is not strict UTF-8 JSON, or not an object.
    """
    try:
        value = _DECODER.decode(str(payload, "utf-8"))
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"a message is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ProtocolError("a message is not a JSON object")
    return value
