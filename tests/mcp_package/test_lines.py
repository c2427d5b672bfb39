"""A server's output is taken apart in bounded memory."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.mcp.lines import PART, Lines, Oversized, request_of


@given(st.lists(st.text("ab\n", max_size=12).map(str.encode), max_size=20))
def test_lines_come_out_as_they_are_however_they_came_in(pieces: list[bytes]) -> None:
    lines = Lines(5)
    found = [line for piece in pieces for line in lines.feed(piece)]
    wanted = b"".join(pieces).split(b"\n")[:-1]
    assert [line if isinstance(line, bytes) else line.size for line in found] == [
        line if len(line) <= 5 else len(line) for line in wanted
    ]


def test_of_an_oversized_line_only_the_ends_are_kept() -> None:
    lines = Lines(2 * PART)
    assert lines.feed(b"a" * PART + b"b" * 3 * PART) == []
    assert lines.feed(b"c" * PART) == []
    (found,) = lines.feed(b"\n")
    assert found == Oversized(b"a" * PART, b"c" * PART, 5 * PART)
    assert lines.feed(b"next\n") == [b"next"]


@given(st.integers(-(10**17), 10**17) | st.text(max_size=20), st.booleans(), st.booleans())
def test_the_request_is_known_by_either_end(request: int | str, first: bool, dense: bool) -> None:
    head = {"jsonrpc": "2.0", "id": request}
    content = {"result": {"id": 7, "text": 'x, "id": 9' * 2000}}
    message = {**head, **content} if first else {**content, "jsonrpc": "2.0", "id": request}
    text = json.dumps(message, separators=(",", ":") if dense else None).encode()
    assert request_of(Oversized(text[:PART], text[-PART:], len(text))) == request


@pytest.mark.parametrize("text", [b"x" * 9000, b'{"id": "\\q", ', b'{"id": {}, "a": [', b""])
def test_junk_speaks_of_no_request(text: bytes) -> None:
    assert request_of(Oversized(text[:PART], text[-PART:], len(text))) is None
