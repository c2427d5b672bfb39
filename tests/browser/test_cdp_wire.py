"""What answers on the port may be anything: nothing it says may hang or confuse us."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest
from anyio.abc import ByteStream
from fake_browser import PAGE, Peer, answering, pages, serving, talking
from hypothesis import given
from hypothesis import strategies as st
from wsproto.events import BytesMessage, CloseConnection, Ping, TextMessage

from carrel.browser import Session, connect, list_targets
from carrel.browser.cdp import MAX_EVENTS
from carrel.browser.targets import Target, parse_targets
from carrel.errors import (
    Interrupted,
    InvalidInput,
    NotFound,
    ProtocolError,
    Refused,
    TimedOut,
    Unavailable,
)

pytestmark = pytest.mark.anyio


async def echo(peer: Peer) -> None:
    while True:
        command = await peer.hear()
        await peer.say({"id": command["id"], "result": {"echo": command}})


async def test_commands_carry_their_number_name_and_parameters() -> None:
    with anyio.fail_after(10):
        async with serving(pages(PAGE), talking(echo)) as dial, connect(dial, 9) as page:
            for number in (1, 2):
                sent = (await page.send("A.b", {"c": [1]}))["echo"]
                assert sent == {"id": number, "method": "A.b", "params": {"c": [1]}}
            inner = (await page.within("S1").send("A.b"))["echo"]
            assert inner == {"id": 3, "method": "A.b", "params": {}, "sessionId": "S1"}


async def test_answers_may_come_in_any_order_with_others_between() -> None:
    async def talk(peer: Peer) -> None:
        first, second = await peer.hear(), await peer.hear()
        await peer.send(Ping())
        await peer.say({"id": 999, "result": {}})
        await peer.say({"method": "A.event"})
        await peer.say({"neither": 1})
        await peer.say({"id": second["id"], "result": {"of": second["method"]}})
        await peer.say({"id": first["id"], "result": {"of": first["method"]}})
        await peer.next()

    found: dict[str, object] = {}

    async def ask(page: Session, name: str) -> None:
        found[name] = (await page.send(name))["of"]

    with anyio.fail_after(10):
        async with (
            serving(pages(PAGE), talking(talk)) as dial,
            connect(dial, 9) as page,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(ask, page, "A.a")
            tasks.start_soon(ask, page, "A.b")
    assert found == {"A.a": "A.a", "A.b": "A.b"}


@pytest.mark.parametrize(
    "nonsense",
    ["[]", "7", "{", "[" * 100_000, "", "\ud83d".encode("utf-8", "replace").decode()],
)
async def test_nonsense_ends_the_conversation_with_its_reason(nonsense: str) -> None:
    async def talk(peer: Peer) -> None:
        await peer.hear()
        await peer.send(TextMessage(data=nonsense))
        await peer.next()

    with anyio.fail_after(10):
        async with serving(pages(PAGE), talking(talk)) as dial, connect(dial, 9) as page:
            with pytest.raises(Interrupted, match="the browser sent what is not"):
                await page.send("A.b")


@pytest.mark.parametrize("event", [BytesMessage(data=b"x"), CloseConnection(code=1001)])
async def test_other_endings_are_told_to_who_waits(event: Any) -> None:
    async def talk(peer: Peer) -> None:
        await peer.hear()
        await peer.send(event)
        await peer.next()

    with anyio.fail_after(10):
        async with serving(pages(PAGE), talking(talk)) as dial, connect(dial, 9) as page:
            with pytest.raises(Interrupted, match=r"bytes instead of text|closed .* \(1001\)"):
                await page.send("A.b")


@pytest.mark.parametrize("answer", [{}, {"result": 7}, {"result": None}])
async def test_an_answer_without_a_result_is_no_success(answer: dict[str, Any]) -> None:
    async def talk(peer: Peer) -> None:
        command = await peer.hear()
        await peer.say({"id": command["id"], **answer})
        await peer.next()

    with anyio.fail_after(10):
        async with serving(pages(PAGE), talking(talk)) as dial, connect(dial, 9) as page:
            with pytest.raises(ProtocolError, match="without a result"):
                await page.send("A.b")


async def test_a_listener_that_does_not_listen_is_told_that_it_lost_events() -> None:
    async def talk(peer: Peer) -> None:
        command = await peer.hear()
        for number in range(MAX_EVENTS + 10):
            await peer.say({"method": "A.tick", "params": {"n": number}})
        await peer.say({"id": command["id"], "result": {}})
        await peer.next()

    with anyio.fail_after(60):
        async with (
            serving(pages(PAGE), talking(talk)) as dial,
            connect(dial, 9) as page,
            page.listen("A.tick") as slow,
            page.listen("A.other") as other,
        ):
            await page.send("A.b")
            ticks = [(await slow.next()).params["n"] for _ in range(MAX_EVENTS)]
            assert ticks == list(range(MAX_EVENTS))
            with pytest.raises(ProtocolError, match="not listened to"):
                await slow.next()
            with pytest.raises(TimedOut):
                await other.next(timeout=0.01)


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"[]", "500 No"), (b"{}", "200 OK"), (b"[", "200 OK"), (b"[" * 200_000, "200 OK")],
)
async def test_a_list_that_is_none_is_said_so(body: bytes, status: str) -> None:
    with anyio.fail_after(10):
        async with serving(answering(body, status)) as dial:
            with pytest.raises(ProtocolError):
                await list_targets(dial, 9)


async def test_what_does_not_speak_http_is_no_browser() -> None:
    async def shout(stream: ByteStream) -> None:
        await stream.send(b"220 mail.example ESMTP\r\n\r\n")

    async def slam(stream: ByteStream) -> None:
        await stream.receive()
        await stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

    with anyio.fail_after(10):
        async with serving(shout, slam) as dial:
            for _ in range(2):
                with pytest.raises(ProtocolError, match=r"does not speak HTTP|broke off"):
                    await list_targets(dial, 9)


async def test_a_browser_that_hangs_up_without_an_answer_is_going_away() -> None:
    async def leave(stream: ByteStream) -> None:
        await stream.receive()

    with anyio.fail_after(10):
        async with serving(leave) as dial:
            with pytest.raises(Unavailable, match="closing"):
                await list_targets(dial, 9)


async def test_what_says_nothing_is_given_up() -> None:
    async def hang(stream: ByteStream) -> None:
        await anyio.sleep_forever()

    with anyio.fail_after(10):
        async with serving(hang, hang) as dial:
            with pytest.raises(TimedOut):
                await list_targets(dial, 9, timeout=0.05)
            target = Target("A", "page", "", "", "/devtools/page/A")
            with pytest.raises(TimedOut):
                async with connect(dial, 9, target, timeout=0.05):
                    pass


async def test_a_refused_websocket_is_said_so() -> None:
    with anyio.fail_after(10):
        async with serving(pages(PAGE), answering(b"no", "403 Forbidden")) as dial:
            with pytest.raises(Refused, match="403"):
                async with connect(dial, 9):
                    pass


async def test_a_browser_without_pages_has_none_to_talk_to() -> None:
    with anyio.fail_after(10):
        async with serving(pages({**PAGE, "type": "worker"})) as dial:
            with pytest.raises(NotFound, match="no page open"):
                async with connect(dial, 9):
                    pass
        with pytest.raises(InvalidInput):
            await list_targets(dial, 0)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)


@given(st.lists(JSON | st.fixed_dictionaries({}, optional=dict.fromkeys(PAGE, JSON)), max_size=5))
def test_any_list_gives_targets_that_can_be_asked_for(items: list[object]) -> None:
    for target in parse_targets(json.dumps(items).encode()):
        assert target.path.startswith("/devtools/")
        assert target.path.isascii()
        assert not set(target.path) & set(" \r\n\t")


@given(st.binary(max_size=200))
def test_any_bytes_are_targets_or_no_protocol(body: bytes) -> None:
    try:
        parse_targets(body)
    except ProtocolError:
        return


@given(st.from_regex(r"[A-F0-9]{8,32}", fullmatch=True), st.text(max_size=30), st.text())
def test_a_target_is_read_back_as_it_was_listed(number: str, title: str, url: str) -> None:
    path = f"/devtools/page/{number}"
    listed = {**PAGE, "id": number, "title": title, "url": url}
    listed["webSocketDebuggerUrl"] = f"ws://127.0.0.1:9{path}"
    body = json.dumps([listed]).encode()
    assert parse_targets(body) == (Target(number, "page", title, url, path),)
