"""What goes wrong, and what it becomes: one error, of the right kind, without the key."""

from __future__ import annotations

import email.utils
import logging
import time
import traceback
from collections.abc import AsyncIterator

import anyio
import anyio.to_thread
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.codec import Json
from carrel.errors import ModelError
from carrel.models.dialect import Api, Request
from carrel.models.transports import Timeouts, Transport, faults, open_transport
from carrel.testing import (
    FakeProvider,
    Fault,
    disconnect,
    garbage,
    hang,
    overloaded,
    raw,
    status,
    text,
)

APIS = (Api.OPENAI_RESPONSES, Api.OPENAI_CHAT, Api.ANTHROPIC, Api.GEMINI)
NAMES = dict(zip(APIS, ("openai", "vllm", "anthropic", "gemini"), strict=True))
BODIES: dict[Api, dict[str, Json]] = {
    Api.OPENAI_RESPONSES: {"input": "Do it."},
    Api.OPENAI_CHAT: {"messages": [{"role": "user", "content": "Do it."}]},
    Api.ANTHROPIC: {"max_tokens": 9, "messages": [{"role": "user", "content": "Do it."}]},
    Api.GEMINI: {"contents": [{"role": "user", "parts": [{"text": "Do it."}]}]},
}
USUAL = Timeouts()
QUICK = Timeouts(connect=20, read=0.5, total=20)


@pytest.fixture(scope="module")
def provider() -> FakeProvider:
    return FakeProvider()


@pytest.fixture(scope="module", autouse=True)
def running(provider: FakeProvider) -> object:
    with provider:
        yield provider


@pytest.fixture
async def bounded() -> AsyncIterator[None]:
    with anyio.fail_after(30):
        yield


def transport(
    provider: FakeProvider, api: Api, *, key: str | None = None, timeouts: Timeouts = USUAL
) -> Transport:
    url = provider.openai_url if api.startswith("openai") else provider.url
    key = provider.key if key is None else key
    return open_transport(NAMES[api], key=key, base_url=url, timeouts=timeouts)


async def failure(
    provider: FakeProvider,
    api: Api,
    *,
    stream: bool = False,
    key: str | None = None,
    timeouts: Timeouts = USUAL,
) -> ModelError:
    async with transport(provider, api, key=key, timeouts=timeouts) as sender:
        with pytest.raises(ModelError) as caught:
            await sender.send("m-1", Request(api, BODIES[api]), print if stream else None)
    return caught.value


TABLE = [
    (status(400, "Bad field."), "bad_request", False),
    (status(403, "Not yours."), "auth", False),
    (status(404, "No such model."), "bad_request", False),
    (status(408), "timeout", True),
    (status(413), "too_large", False),
    (status(429), "rate_limit", True),
    (status(500), "other", True),
    (status(502), "other", True),
    (overloaded(), "overloaded", True),
    (status(504), "timeout", True),
]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_a_status_becomes_its_kind(provider: FakeProvider, api: Api, stream: bool) -> None:
    async with transport(provider, api) as sender:
        for fault, kind, retryable in TABLE:
            provider.script(fault)
            with pytest.raises(ModelError) as caught:
                await sender.send("m-1", Request(api, BODIES[api]), print if stream else None)
            found = caught.value
            busy = api is Api.ANTHROPIC and kind == "overloaded"
            assert found.context["kind"] == kind, fault
            assert found.context["status"] == (529 if busy else fault.status)
            assert found.retryable is retryable, fault
            assert fault.message in found.message
            assert "retry_after" not in found.context


@pytest.mark.parametrize(
    ("api", "fault", "kind"),
    [
        (Api.OPENAI_RESPONSES, status(429, type="insufficient_quota"), "quota"),
        (Api.OPENAI_CHAT, status(400, error_code="context_length_exceeded"), "too_large"),
        (Api.OPENAI_CHAT, status(400, error_code="content_policy_violation"), "content"),
        (Api.OPENAI_CHAT, status(429, error_code="insufficient_quota"), "quota"),
        (Api.ANTHROPIC, status(400, "Your credit balance is too low to access it."), "quota"),
        (Api.ANTHROPIC, status(400, "prompt is too long: 300000 tokens"), "too_large"),
        (Api.ANTHROPIC, status(402), "quota"),
        (Api.GEMINI, status(400, "The input token count (9) exceeds the maximum"), "too_large"),
    ],
)
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_a_providers_own_word_counts_for_more_than_its_status(
    provider: FakeProvider, api: Api, fault: Fault, kind: str
) -> None:
    provider.script(fault)
    found = await failure(provider, api)
    assert found.context["kind"] == kind
    assert not found.retryable


@pytest.mark.parametrize("api", APIS)
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_the_time_to_wait_is_read_in_every_form(provider: FakeProvider, api: Api) -> None:
    date = email.utils.formatdate(time.time() + 100, usegmt=True)
    forms = [
        (status(429, retry_after=7), 7.0),
        (status(429, retry_after=0.5), 0.5),
        (status(429, retry_after_ms=1500), 1.5),
        (status(429, retry_after=9, retry_after_ms=1500), 1.5),
        (status(503, retry_after=date), 100.0),
    ]
    if api is Api.GEMINI:
        forms.append((status(429, retry_info="34.5s"), 34.5))
    async with transport(provider, api) as sender:
        for fault, seconds in forms:
            provider.script(fault)
            with pytest.raises(ModelError) as caught:
                await sender.send("m-1", Request(api, BODIES[api]))
            assert caught.value.context["retry_after"] == pytest.approx(seconds, abs=5.0)


@pytest.mark.parametrize(
    ("api", "key"),
    [
        (Api.OPENAI_CHAT, ""),
        *((api, key) for api in APIS for key in ("sk-wrong-key-of-some-length", "short")),
    ],
)
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_a_wrong_key_is_an_error_of_the_key_and_is_never_shown(
    provider: FakeProvider, api: Api, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    found = await failure(provider, api, key=key)
    assert found.context["kind"] == "auth"
    assert not found.retryable
    shown = "".join(traceback.format_exception(found)) + str(found.to_wire()) + caplog.text
    assert not key or key not in shown


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_a_key_that_the_provider_repeats_is_taken_out(
    provider: FakeProvider, api: Api, stream: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    provider.script(status(400, f"Do not use {provider.key} here, {provider.key}!"))
    found = await failure(provider, api, stream=stream)
    assert "Do not use [key] here, [key]!" in found.message
    shown = "".join(traceback.format_exception(found)) + str(found.to_wire()) + caplog.text
    assert provider.key not in shown


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("fault", "stream", "kind"),
    [
        (disconnect(), False, "connection"),
        (disconnect(), True, "connection"),
        (disconnect(after=2), True, "connection"),
        (overloaded(after=2), True, "overloaded"),
        (garbage(), False, "other"),
        (garbage(502), False, "other"),
        (garbage(502), True, "other"),
        (hang(), False, "timeout"),
        (hang(), True, "timeout"),
        (hang(after=2), True, "timeout"),
    ],
)
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_a_broken_answer_can_be_asked_for_again(
    provider: FakeProvider, api: Api, fault: Fault, stream: bool, kind: str
) -> None:
    provider.script(fault)
    # Only what hangs may run out of time: a busy computer is not to look like a slow provider.
    timeouts = QUICK if fault.kind == "hang" else USUAL
    found = await failure(provider, api, stream=stream, timeouts=timeouts)
    assert found.context["kind"] == kind
    assert found.retryable


@pytest.mark.parametrize("api", APIS)
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_the_whole_answer_is_bounded(provider: FakeProvider, api: Api) -> None:
    provider.script(hang())
    began = time.monotonic()
    found = await failure(provider, api, timeouts=Timeouts(read=20, total=0.3))
    assert found.context["kind"] == "timeout"
    assert "0.3 seconds" in found.message
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("api", APIS)
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_nothing_listens_there(api: Api) -> None:
    url = "http://me:word@127.0.0.1:1/v1"
    async with open_transport(NAMES[api], key="k", base_url=url) as sender:
        with pytest.raises(ModelError) as caught:
            await sender.send("m-1", Request(api, BODIES[api]))
    assert caught.value.context["kind"] == "connection"
    assert caught.value.retryable
    assert f"{NAMES[api]}: nothing answers at http://127.0.0.1:1/v1" in caught.value.message
    assert "word" not in caught.value.message
    assert "--base-url" in str(caught.value.hint)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_a_connection_that_was_cut_is_told_with_its_address(
    provider: FakeProvider, api: Api, stream: bool
) -> None:
    provider.script(disconnect())
    found = await failure(provider, api, stream=stream)
    assert provider.url in found.message
    assert found.hint is None


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(("stream", "after"), [(False, 0), (True, 0), (True, 2)])
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_a_cancelled_call_closes_its_connection_at_once(
    provider: FakeProvider, api: Api, stream: bool, after: int
) -> None:
    provider.script(hang(after=after))
    before = len(provider.seen)
    assert await anyio.to_thread.run_sync(provider.wait_for_connections, 0)
    on_text = print if stream else None
    async with transport(provider, api) as sender:
        async with anyio.create_task_group() as group:
            group.start_soon(sender.send, "m-1", Request(api, BODIES[api]), on_text)
            assert await anyio.to_thread.run_sync(provider.wait_for_requests, before + 1)
            assert provider.connections == 1
            group.cancel_scope.cancel()
        # The transport lives on: it is the call's own connection that was closed.
        assert await anyio.to_thread.run_sync(provider.wait_for_connections, 0)
        provider.script(text("Yes."))
        await sender.send("m-1", Request(api, BODIES[api]), on_text)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_no_answer_is_asked_for_twice(provider: FakeProvider, api: Api) -> None:
    before = len(provider.seen)
    provider.script(status(500))
    await failure(provider, api)
    assert len(provider.seen) == before + 1
    assert provider.left == 0


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_an_answer_that_is_none_is_an_error(provider: FakeProvider, stream: bool) -> None:
    failed: dict[str, Json] = {
        "object": "response",
        "status": "failed",
        "error": {"code": "rate_limit_exceeded", "message": "Slow down."},
    }
    provider.script(raw(failed))
    found = await failure(provider, Api.OPENAI_RESPONSES, stream=stream)
    assert found.context["kind"] == "rate_limit"
    assert found.retryable
    assert "Slow down." in found.message


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_an_error_that_was_answered_with_200_is_one(
    provider: FakeProvider, stream: bool
) -> None:
    provider.script(raw({"error": {"code": 429, "message": "The provider behind is busy."}}))
    found = await failure(provider, Api.OPENAI_CHAT, stream=stream)
    assert found.context["kind"] == "rate_limit"
    assert found.context["status"] == 429
    assert found.retryable


@pytest.mark.anyio
@pytest.mark.usefixtures("bounded")
async def test_an_error_names_the_request(provider: FakeProvider) -> None:
    provider.script(status(500), text("Yes."))
    found = await failure(provider, Api.ANTHROPIC)
    provider.script()
    assert str(found.context["request"]).startswith("req_")
    async with transport(provider, Api.ANTHROPIC) as sender:
        await sender.send("m-1", Request(Api.ANTHROPIC, BODIES[Api.ANTHROPIC]))


@given(st.text(max_size=30))
def test_any_header_of_waiting_is_read_or_ignored(value: str) -> None:
    for name in ("retry-after", "Retry-After-Ms"):
        found = faults.retry_after({name: value}, {})
        assert found is None or 0 <= found < float("inf")


@given(st.floats(0, 1e6))
def test_seconds_of_waiting_are_kept(value: float) -> None:
    assert faults.retry_after({"Retry-After": repr(value)}, {}) == value


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(st.none() | st.integers(100, 599), json_values, st.text(max_size=50))
def test_any_body_becomes_an_error_without_the_key(
    code: int | None, body: Json, message: str
) -> None:
    key = "sk-0123456789"
    found = faults.refused("openai", status=code, body=body, message=message + key, secrets=(key,))
    assert key not in str(found.to_wire())
    assert isinstance(found.context["kind"], str)
