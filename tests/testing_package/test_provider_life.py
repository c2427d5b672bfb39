"""How a fake provider lives: scripts, records, starting and stopping."""

from __future__ import annotations

import threading
import time

import anyio
import httpx2
import pytest
from wire_client import Client

from carrel.codec import Json
from carrel.errors import WrongState
from carrel.testing import FakeProvider, Reply, Seen, chat, hang, status, text

ASK: dict[str, Json] = {"model": "m", "messages": [{"role": "user", "content": "Do it."}]}


def test_replies_come_in_order_and_then_the_function_decides() -> None:
    def decide(seen: Seen) -> Reply:
        return chat.text(f"Number {seen.number} for {seen.model}.")

    with FakeProvider() as provider:
        provider.decide(decide)
        provider.script(text("First."), status(500))
        client = Client(provider, "chat")
        assert "First." in client.post(ASK).text
        assert provider.left == 1
        assert client.post(ASK).status_code == 500
        assert "Number 2 for m." in client.post(ASK).text
        assert [seen.number for seen in provider.seen] == [0, 1, 2]


def test_what_a_script_raises_is_raised_when_the_provider_is_left() -> None:
    def script(seen: Seen) -> Reply:
        assert seen.model == "another", "wrong model"
        return text("Yes.")

    def run(error: type[Exception] | None) -> None:
        with FakeProvider() as provider:
            provider.decide(script)
            assert "the script raised AssertionError" in Client(provider, "chat").refusal(ASK)
            if error is not None:
                raise error

    with pytest.raises(AssertionError, match="wrong model"):
        run(None)
    with pytest.raises(KeyError):
        run(KeyError)


def test_requests_are_kept_with_their_key() -> None:
    with FakeProvider(key="sk-mine") as provider:
        provider.script(text("Yes."))
        Client(provider, "chat").ask(ASK)
        seen = provider.seen[0]
        assert seen.body == ASK
        assert seen.key == "sk-mine"
        assert seen.headers["authorization"] == "Bearer sk-mine"


def test_it_has_no_address_while_it_does_not_run() -> None:
    provider = FakeProvider()
    with pytest.raises(WrongState):
        _ = provider.url
    with provider:
        url = provider.url
        with pytest.raises(WrongState), provider:
            pass
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(url)


@pytest.mark.anyio
async def test_it_stops_at_once_with_a_request_in_flight() -> None:
    threads = threading.active_count()
    with anyio.fail_after(20):
        async with FakeProvider() as provider, anyio.create_task_group() as group:
            provider.script(hang())
            client = Client(provider, "chat")

            async def ask() -> None:
                with pytest.raises(httpx2.TransportError):
                    await anyio.to_thread.run_sync(client.post, ASK)

            group.start_soon(ask)
            assert await anyio.to_thread.run_sync(provider.wait_for_requests, 1)
            began = time.monotonic()
            await provider.__aexit__(None, None, None)
            assert time.monotonic() - began < 10
            await provider.__aenter__()
    assert not [each for each in threading.enumerate() if each.name == "fake-provider"]
    assert threading.active_count() <= threads + 3


def test_waiting_for_what_never_comes_ends() -> None:
    with FakeProvider() as provider:
        assert not provider.wait_for_requests(1, timeout=0.05)
        assert not provider.wait_for_connections(1, timeout=0.05)
        assert provider.wait_for_connections(0, timeout=0.05)
