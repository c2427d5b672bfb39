"""Every wire, streamed and not, with the official SDKs against the fake provider."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import anyio
import pytest

from carrel.codec import Json
from carrel.decisions import SafetyCheck, Usage
from carrel.errors import Unsupported
from carrel.models.dialect import Api, Request
from carrel.models.transports import Transport, open_transport
from carrel.testing import (
    Answer,
    FakeProvider,
    anthropic,
    chat,
    empty,
    filtered,
    gemini,
    openai,
    raw,
    refusal,
    truncated,
)
from carrel.testing.answers import Said

pytestmark = pytest.mark.anyio

CLICK: dict[str, Json] = {"type": "click", "x": 10, "y": 20, "button": "left"}
CHECK = SafetyCheck("sc_1", "malicious_instructions", "Look out.")
LONG = "Words that are long enough to come in more than one piece, with ümläuts and 日本語."

BODIES: dict[Api, dict[str, Json]] = {
    Api.OPENAI_RESPONSES: {
        "input": "Do it.",
        "tools": [{"type": "computer"}],
        "include": ["reasoning.encrypted_content"],
        "store": False,
    },
    Api.OPENAI_CHAT: {"messages": [{"role": "user", "content": "Do it."}]},
    Api.ANTHROPIC: {
        "max_tokens": 100,
        "tools": [{"type": "computer_toolset_20260801"}],
        "messages": [{"role": "user", "content": "Do it."}],
    },
    Api.GEMINI: {
        "contents": [{"role": "user", "parts": [{"text": "Do it."}]}],
        "tools": [{"computerUse": {"environment": "ENVIRONMENT_DESKTOP"}}],
    },
}
NAMES = {
    Api.OPENAI_RESPONSES: "openai",
    Api.OPENAI_CHAT: "vllm",
    Api.ANTHROPIC: "anthropic",
    Api.GEMINI: "gemini",
}
ANSWERS: list[tuple[Api, Answer]] = [
    (Api.OPENAI_RESPONSES, openai.text(LONG)),
    (Api.OPENAI_RESPONSES, openai.reasoning("Hm, a button.") + openai.computer_call([CLICK])),
    (
        Api.OPENAI_RESPONSES,
        openai.computer_call([CLICK, {"type": "double_click", "x": 1, "y": 2}], checks=[CHECK]),
    ),
    (Api.OPENAI_RESPONSES, openai.computer_call([CLICK], preview=True)),
    (Api.OPENAI_RESPONSES, openai.function_call("save", {"text": LONG}) + openai.text("Saved.")),
    (Api.OPENAI_CHAT, chat.text(LONG)),
    (Api.OPENAI_CHAT, chat.tool_calls(("a", {"x": 1}), ("b", '{"broken'), ids=("c1", "c2"))),
    (Api.OPENAI_CHAT, chat.text("Now.") + chat.tool_calls(("click", {"text": LONG}))),
    (Api.ANTHROPIC, anthropic.text(LONG)),
    (
        Api.ANTHROPIC,
        anthropic.thinking("Hm, a button.")
        + anthropic.redacted_thinking()
        + anthropic.text("I click.")
        + anthropic.tool_use("left_click", {"coordinate": [10, 20]})
        + anthropic.tool_use("screenshot", {}),
    ),
    (Api.GEMINI, gemini.text(LONG)),
    (
        Api.GEMINI,
        gemini.thought("Hm, a button.")
        + gemini.text("I click.")
        + gemini.function_call("click_at", {"x": 500, "y": 999}, checks=[CHECK])
        + gemini.function_call("wait_5_seconds", {}),
    ),
    *((api, answer) for api in BODIES for answer in (refusal(), truncated(), empty(), filtered())),
]


@pytest.fixture(scope="module")
def running() -> Iterator[FakeProvider]:
    with FakeProvider() as found:
        yield found


@pytest.fixture
async def provider(running: FakeProvider) -> AsyncIterator[FakeProvider]:
    running.reset()
    with anyio.fail_after(30):
        yield running
    assert running.left == 0


def transport(provider: FakeProvider, api: Api) -> Transport:
    url = provider.openai_url if api.startswith("openai") else provider.url
    return open_transport(NAMES[api], key=provider.key, base_url=url)


def without_ids(body: Json) -> Json:
    """A body without what no two answers share: their ids, and what is signed for them."""
    if isinstance(body, list):
        return [without_ids(item) for item in body]
    if not isinstance(body, dict):
        return body
    ids = ("id", "call_id", "responseId", "thoughtSignature", "encrypted_content")
    return {name: "…" if name in ids else without_ids(value) for name, value in body.items()}


@pytest.mark.parametrize(("api", "answer"), ANSWERS)
async def test_a_streamed_answer_is_the_same_as_one_at_once(
    provider: FakeProvider, api: Api, answer: Answer
) -> None:
    answer = answer.using(Usage(input=30, cached=12, output=9, reasoning=4))
    provider.script(answer, answer)
    heard: list[str] = []
    async with transport(provider, api) as sender:
        whole = await sender.send("fake-1", Request(api, BODIES[api]))
        streamed = await sender.send("fake-1", Request(api, BODIES[api]), heard.append)
    assert without_ids(dict(streamed)) == without_ids(dict(whole))
    assert [seen.stream for seen in provider.seen] == [False, True]
    # A refusal's words are not the answer's text everywhere.
    if answer.stop != "refusal":
        words = "".join(piece.text for piece in answer.pieces if isinstance(piece, Said))
        assert "".join(heard) == words
        assert len(heard) > 1 or len(words) < 8


@pytest.mark.parametrize("api", BODIES)
@pytest.mark.parametrize("stream", [False, True])
async def test_the_body_is_sent_as_it_is(provider: FakeProvider, api: Api, stream: bool) -> None:
    provider.script(empty())
    async with transport(provider, api) as sender:
        await sender.send("fake-1", Request(api, BODIES[api]), print if stream else None)
    seen = provider.seen[0]
    added = {"model", "stream", "stream_options"}
    assert {name: value for name, value in seen.body.items() if name not in added} == BODIES[api]
    assert seen.model == "fake-1"
    assert seen.key == provider.key
    assert seen.wire is api


async def test_what_the_gemini_sdk_does_not_know_of_is_not_dropped(provider: FakeProvider) -> None:
    call = gemini.function_call("click_at", {"x": 1, "y": 2}, checks=[CHECK], id="c1")
    provider.script(call, gemini.text("Done."))
    async with transport(provider, Api.GEMINI) as sender:
        first = await sender.send("gemini-3-pro", Request(Api.GEMINI, BODIES[Api.GEMINI]))
        candidates = first["candidates"]
        assert isinstance(candidates, list)
        assert isinstance(candidates[0], dict)
        content = candidates[0]["content"]
        answered: Json = {
            "functionResponse": {
                "name": "click_at",
                "id": "c1",
                "response": {"url": "", "safety_acknowledgement": "true"},
            }
        }
        start = BODIES[Api.GEMINI]["contents"]
        assert isinstance(start, list)
        turns: list[Json] = [*start, content, {"role": "user", "parts": [answered]}]
        await sender.send("gemini-3-pro", Request(Api.GEMINI, {"contents": turns}))
    assert provider.seen[1].body["contents"] == turns
    assert provider.seen[1].refused == ""
    assert "thoughtSignature" in str(content)
    assert "safety_decision" in str(content)


async def test_betas_are_sent_as_their_header(provider: FakeProvider) -> None:
    provider.script(anthropic.text("Yes."))
    tool: dict[str, Json] = {
        "type": "computer_20251124",
        "name": "computer",
        "display_width_px": 1024,
        "display_height_px": 768,
    }
    body: dict[str, Json] = {**BODIES[Api.ANTHROPIC], "tools": [tool]}
    request = Request(Api.ANTHROPIC, body, ("computer-use-2025-11-24",))
    async with transport(provider, Api.ANTHROPIC) as sender:
        await sender.send("claude-opus-4-5", request)
    assert provider.seen[0].betas == ("computer-use-2025-11-24",)
    assert "betas" not in provider.seen[0].body


@pytest.mark.parametrize("api", [Api.OPENAI_RESPONSES, Api.OPENAI_CHAT, Api.ANTHROPIC])
async def test_a_server_that_does_not_stream_is_understood(
    provider: FakeProvider, api: Api
) -> None:
    provider.script(raw({"an": "answer"}))
    async with transport(provider, api) as sender:
        body = await sender.send("fake-1", Request(api, BODIES[api]), print)
    assert body == {"an": "answer"}


async def test_an_api_that_a_provider_does_not_speak_is_refused(provider: FakeProvider) -> None:
    async with transport(provider, Api.ANTHROPIC) as sender:
        with pytest.raises(Unsupported, match="does not speak openai-chat"):
            await sender.send("m", Request(Api.OPENAI_CHAT, BODIES[Api.OPENAI_CHAT]))
    assert provider.seen == []


async def test_connections_are_used_again(provider: FakeProvider) -> None:
    provider.script(empty(), empty(), empty())
    async with transport(provider, Api.OPENAI_RESPONSES) as sender:
        assert await anyio.to_thread.run_sync(provider.wait_for_connections, 0)
        for stream in (None, print, None):
            request = Request(Api.OPENAI_RESPONSES, BODIES[Api.OPENAI_RESPONSES])
            await sender.send("m", request, stream)
            assert provider.connections == 1
    assert await anyio.to_thread.run_sync(provider.wait_for_connections, 0)
