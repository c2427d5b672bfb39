"""Lines and heads: what is read back is what was written, or it is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from carrel.events import EVENT_TYPES, Event
from carrel.journal._head import Head, HeadFile, read_head
from carrel.journal._lines import BadLine, decode_line, encode_line, hash_line

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
HASH = st.text("0123456789abcdef", min_size=64, max_size=64)
EVENTS = st.builds(
    Event,
    run=TEXT,
    seq=st.integers(0, 2**53),
    at=st.floats(0, 4e9),
    kind=st.sampled_from(EVENT_TYPES),
    data=st.dictionaries(TEXT, TEXT | st.integers() | st.none() | st.lists(TEXT)),
    blobs=st.lists(HASH, max_size=3).map(tuple),
    previous=HASH | st.just(""),
)


@given(EVENTS)
def test_an_event_survives_its_line(event: Event) -> None:
    line = encode_line(event)
    assert b"\n" not in line
    assert decode_line(line) == event
    assert encode_line(decode_line(line)) == line


@given(EVENTS, st.data())
def test_a_damaged_line_is_an_event_or_refused_and_never_anything_else(
    event: Event, data: st.DataObject
) -> None:
    line = bytearray(encode_line(event))
    for _ in range(data.draw(st.integers(1, 4))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    with suppress(BadLine):
        assert isinstance(decode_line(bytes(line)), Event)


@given(st.binary(max_size=200))
@example(b"")
@example(b"[" * 100_000)
@example(b'{"at":1,"blobs":[],"data":{},"kind":"note","previous":"","run":"r","seq":true}')
@example(b'{"at":NaN,"blobs":[],"data":{},"kind":"note","previous":"","run":"r","seq":1}')
@example(b'{"at":1,"blobs":[],"data":[],"kind":"note","previous":"","run":"r","seq":1}')
@example(b'{"at":1,"blobs":[],"data":{},"kind":"nope","previous":"","run":"r","seq":1}')
@example(b'{"at":1,"blobs":[3],"data":{},"kind":"note","previous":"","run":"r","seq":1}')
def test_what_is_no_event_is_refused(line: bytes) -> None:
    with pytest.raises(BadLine):
        decode_line(line)


def test_every_field_must_be_there_and_no_other() -> None:
    wire = json.loads(encode_line(Event("r", 0, 1.0, "note")))
    for name in wire:
        with pytest.raises(BadLine):
            decode_line(json.dumps({k: v for k, v in wire.items() if k != name}).encode())
    with pytest.raises(BadLine):
        decode_line(json.dumps({**wire, "extra": 1}).encode())


def test_the_hash_is_of_the_bytes() -> None:
    assert hash_line(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@given(st.integers(-1, 10**18), HASH, st.booleans())
def test_a_head_survives_its_file_and_has_one_length(seq: int, digest: str, final: bool) -> None:
    head = Head(seq, digest, final)
    assert len(head.encode()) == len(Head().encode()) < 512


@given(st.integers(-1, 10**18), HASH, st.booleans())
def test_a_head_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, seq: int, digest: str, final: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "a head"
    file = HeadFile(path)
    file.write(Head(5, "f" * 64, True), sync=True)
    file.write(Head(seq, digest, final))
    file.close()
    assert read_head(path) == Head(seq, digest, final)


@given(st.binary(max_size=120))
def test_a_damaged_head_is_no_head(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "bad head"
    path.write_bytes(content)
    assert read_head(path) is None


def test_a_missing_head_is_no_head(tmp_path: Path) -> None:
    assert read_head(tmp_path / "none") is None
