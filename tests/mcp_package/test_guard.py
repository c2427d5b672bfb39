"""Who may use a published MCP server."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.mcp.guard import Guard

TOKEN = "a-long-token-of-43-characters-and-some-more"
GOOD = ((b"host", b"127.0.0.1:4000"), (b"authorization", f"Bearer {TOKEN}".encode()))


def refused(*headers: tuple[bytes, bytes]) -> int | None:
    refusal = Guard(4000, TOKEN).check(headers)
    return None if refusal is None else refusal.status


def test_whoever_has_the_token_may_come_in() -> None:
    assert refused(*GOOD) is None
    assert refused((b"Host", b"LOCALHOST:4000"), (b"Authorization", GOOD[1][1])) is None
    assert refused(*GOOD, (b"origin", b"http://localhost:4000")) is None


@pytest.mark.parametrize(
    "given_token",
    [b"", b"Bearer", b"Bearer ", b"Bearer x", f"Basic {TOKEN}".encode(), TOKEN.encode()],
)
def test_without_the_token_nobody_comes_in(given_token: bytes) -> None:
    assert refused(GOOD[0], (b"authorization", given_token)) == 401
    assert refused(GOOD[0]) == 401
    assert refused(*GOOD, GOOD[1]) == 401


@pytest.mark.parametrize(
    "host", [b"evil.example", b"evil.example:4000", b"127.0.0.1", b"127.0.0.1:4001", b""]
)
def test_a_name_that_was_bent_to_loopback_is_refused(host: bytes) -> None:
    assert refused((b"host", host), GOOD[1]) == 421
    assert refused(GOOD[1]) == 421
    assert refused(*GOOD, (b"host", host)) == 421


@pytest.mark.parametrize("origin", [b"http://evil.example", b"null", b"https://127.0.0.1:4000"])
def test_a_web_page_is_refused_even_with_the_token(origin: bytes) -> None:
    assert refused(*GOOD, (b"origin", origin)) == 403


@given(st.lists(st.tuples(st.binary(max_size=20), st.binary(max_size=60)), max_size=8))
def test_nothing_made_up_comes_in(headers: list[tuple[bytes, bytes]]) -> None:
    assert refused(*headers) in (401, 403, 421)
