from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.errors import CarrelError, InvalidInput, NotFound, ProtocolError, error_from_wire
from carrel.stream.frames import (
    FINAL,
    HEADER_SIZE,
    MAX_CHUNK,
    MAX_MESSAGE,
    MORE,
    PIECE,
    Decoder,
    Frame,
    Kind,
    Lane,
    dump_error,
    dump_json,
    pack,
    parse_json,
)

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
json_objects = st.dictionaries(st.text(), json_values, max_size=6)
stream_ids = st.integers(1, 2**32 - 1)


def wire(frame: Frame) -> bytes:
    return pack(frame.kind, frame.stream, len(frame.payload), frame.lane) + frame.payload


def frames() -> st.SearchStrategy[Frame]:
    small = st.binary(max_size=300)
    texts = json_objects.map(dump_json)
    final = st.sampled_from([0, FINAL])
    lanes = st.sampled_from([Lane.DATA, Lane.DATA | FINAL, Lane.ERRORS, Lane.ERRORS | FINAL])
    return st.one_of(
        st.builds(Frame, st.just(Kind.HELLO), st.just(0), st.just(0), texts),
        st.builds(Frame, st.just(Kind.OPEN), final, stream_ids, texts),
        st.builds(Frame, st.just(Kind.DATA), lanes, stream_ids, small),
        st.builds(Frame, st.just(Kind.DATA), final, stream_ids, texts),
        st.builds(
            Frame, st.just(Kind.CREDIT), st.just(0), stream_ids, st.binary(min_size=4, max_size=4)
        ),
        st.builds(Frame, st.just(Kind.END), st.just(0), stream_ids, st.just(b"")),
        st.builds(Frame, st.just(Kind.RESET), st.just(0), stream_ids, texts),
        st.builds(
            Frame,
            st.sampled_from([Kind.PING, Kind.PONG]),
            st.just(0),
            st.just(0),
            st.binary(min_size=8, max_size=8),
        ),
        st.builds(Frame, st.just(Kind.BYE), st.just(0), st.just(0), small),
    )


def cut(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        for size in sizes:
            yield data[at : at + size]
            at += size


def decode(pieces: Iterator[bytes] | list[bytes]) -> list[Frame]:
    decoder = Decoder()
    found = [frame for piece in pieces if piece for frame in decoder.feed(piece)]
    decoder.finish()
    return found


@given(st.lists(frames(), max_size=8), st.lists(st.integers(1, 200), min_size=1, max_size=5))
def test_frames_come_back_however_the_bytes_are_cut(sent: list[Frame], sizes: list[int]) -> None:
    data = b"".join(map(wire, sent))
    assert decode(cut(data, sizes)) == sent
    assert decode([data] if data else []) == sent


@given(json_objects)
def test_json_objects_come_back(value: dict[str, object]) -> None:
    assert parse_json(dump_json(value)) == value


@given(st.binary(max_size=400), st.lists(st.integers(1, 50), min_size=1, max_size=3))
def test_random_bytes_are_frames_or_a_protocol_error(data: bytes, sizes: list[int]) -> None:
    try:
        found = decode(cut(data, sizes))
    except ProtocolError:
        return
    assert b"".join(map(wire, found)) == data


@given(st.lists(frames(), min_size=1, max_size=4), st.data())
def test_a_flipped_byte_never_crashes_the_decoder(sent: list[Frame], data: st.DataObject) -> None:
    damaged = bytearray(b"".join(map(wire, sent)))
    at = data.draw(st.integers(0, len(damaged) - 1))
    damaged[at] ^= data.draw(st.integers(1, 255))
    with contextlib.suppress(ProtocolError):
        assert isinstance(decode([bytes(damaged)]), list)


@given(st.binary(max_size=200))
def test_random_payloads_are_json_objects_or_a_protocol_error(payload: bytes) -> None:
    try:
        value = parse_json(payload)
    except ProtocolError:
        return
    assert value == json.loads(payload)


@given(st.integers(1, HEADER_SIZE + 4), frames())
def test_bytes_that_stop_inside_a_frame_are_an_error(short: int, frame: Frame) -> None:
    data = wire(frame)[:-short]
    if not data:
        return
    with pytest.raises(ProtocolError, match="middle of a frame"):
        decode([data])


def test_frames_before_the_garbage_are_still_delivered() -> None:
    decoder = Decoder()
    good = Frame(Kind.END, 0, 7, b"")
    found = decoder.feed(wire(good) + b"\xff" * HEADER_SIZE)
    assert next(found) == good
    with pytest.raises(ProtocolError):
        next(found)


@pytest.mark.parametrize(
    ("length", "kind", "lane", "stream"),
    [
        (0, 0, 0, 1),
        (0, 99, 0, 1),
        (2, Kind.DATA, 3, 1),
        (2, Kind.DATA, Lane.DATA | MORE, 1),
        (0, Kind.END, FINAL, 1),
        (MAX_MESSAGE + 1, Kind.OPEN, 0, 1),
        (MAX_MESSAGE + 1, Kind.DATA, Lane.MESSAGE, 1),
        (MAX_CHUNK + 1, Kind.DATA, Lane.DATA, 1),
        (2**32 - 1, Kind.DATA, Lane.ERRORS, 1),
        (1, Kind.END, 0, 1),
        (3, Kind.CREDIT, 0, 1),
        (5, Kind.CREDIT, 0, 1),
        (0, Kind.PING, 0, 0),
        (8, Kind.PING, 0, 5),
        (2, Kind.OPEN, 0, 0),
        (2, Kind.HELLO, 0, 1),
        (0, Kind.DATA, Lane.MESSAGE, 1),
        (1 << 20, Kind.RESET, 0, 1),
    ],
)
def test_a_header_outside_the_protocol_is_refused_before_its_payload(
    length: int, kind: int, lane: int, stream: int
) -> None:
    with pytest.raises(ProtocolError):
        list(Decoder().feed(struct.pack(">IBBI", length, kind, lane, stream)))


def test_the_request_of_a_web_browser_is_refused() -> None:
    with pytest.raises(ProtocolError):
        list(Decoder().feed(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))


@settings(max_examples=25)
@given(st.lists(st.integers(1, 120_000), min_size=1, max_size=4), st.integers(0, MAX_CHUNK))
def test_a_large_payload_is_handed_on_in_order_as_it_arrives(sizes: list[int], size: int) -> None:
    payload = bytes(range(256)) * (size // 256 + 1)
    payload = payload[:size]
    tail = Frame(Kind.END, 0, 9, b"")
    data = wire(Frame(Kind.DATA, Lane.DATA | FINAL, 9, payload)) + wire(tail)
    found = decode(cut(data, sizes))
    pieces = found[:-1]
    assert found[-1] == tail
    assert b"".join(piece.payload for piece in pieces) == payload
    assert all(piece.lane == Lane.DATA | MORE for piece in pieces[:-1])
    assert all(len(piece.payload) >= PIECE for piece in pieces[:-1])
    assert pieces[-1].lane == Lane.DATA | FINAL


def test_a_payload_read_exactly_is_not_copied() -> None:
    decoder = Decoder()
    header, payload = pack(Kind.DATA, 1, MAX_CHUNK, Lane.DATA), bytes(MAX_CHUNK)
    assert not list(decoder.feed(header))
    assert decoder.wants() == MAX_CHUNK
    (frame,) = decoder.feed(payload)
    assert frame.payload is payload
    assert decoder.wants() == HEADER_SIZE


def test_a_peer_that_sends_byte_by_byte_costs_no_object_per_byte() -> None:
    decoder = Decoder()
    payload = dump_json({"text": "x" * 5000})
    data = pack(Kind.DATA, 1, len(payload), Lane.MESSAGE) + payload
    for at in range(len(data) - 1):
        assert not list(decoder.feed(data[at : at + 1]))
        assert len(decoder._parts) <= 65
    (frame,) = decoder.feed(data[-1:])
    assert frame.payload == payload


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"[]",
        b"1",
        b'"text"',
        b"{",
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b"\xff\xfe{}",
        b'{"a":"\xff"}',
        '{"a":1}'.encode("utf-16"),
        b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"a":' + b"9" * 10_000 + b"}",
    ],
)
def test_what_is_not_a_strict_json_object_is_a_protocol_error(payload: bytes) -> None:
    with pytest.raises(ProtocolError):
        parse_json(payload)


@pytest.mark.parametrize(
    "value",
    [
        {"a": float("nan")},
        {"a": float("inf")},
        {"a": object()},
        {"a": b"bytes"},
        {"a": "\ud800"},
        {"a": "x" * MAX_MESSAGE},
    ],
)
def test_what_has_no_json_form_is_refused_before_it_is_sent(value: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        dump_json(value)


def test_an_error_crosses_with_everything_it_says() -> None:
    error = NotFound("no window 7", op="act", hint="list them", context={"id": 7}, retryable=True)
    back = error_from_wire(parse_json(dump_error(error)))
    assert type(back) is NotFound
    assert back.to_wire() == error.to_wire()


@pytest.mark.parametrize(
    "error",
    [
        CarrelError("x", context={"value": object()}),
        CarrelError("x", context={"text": "y" * 100_000}),
        CarrelError("x" * 100_000),
        CarrelError("half a pair \ud800"),
    ],
)
def test_an_error_that_does_not_fit_crosses_without_its_details(error: CarrelError) -> None:
    data = dump_error(error)
    assert len(data) <= 64 << 10
    assert parse_json(data)["code"] == "error"
