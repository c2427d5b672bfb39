"""What the fake answers is what the official SDKs' own types say."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import anthropic.types
import anthropic.types.beta
import httpx2
import pytest
from anthropic.types import RawMessageStreamEvent
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from carrel.codec import Json
from carrel.decisions import SafetyCheck, Usage
from carrel.models.dialect import Api
from carrel.testing import FakeProvider, Seen, chat, empty, filtered, gemini, refusal, truncated
from carrel.testing import anthropic as messages
from carrel.testing import openai as responses
from carrel.testing._ledger import Ledger
from carrel.testing._shape import misfit
from carrel.testing.answers import Answer

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from google.genai import types as genai_types

CHECK = SafetyCheck("sc_1", "malicious_instructions", "Look out.")
USAGE = Usage(input=5, cached=3, cache_writes=2, output=9, reasoning=4)
ACTIONS: list[dict[str, Json]] = [
    {"type": "click", "x": 1, "y": 2, "button": "left", "keys": ["ctrl"]},
    {"type": "double_click", "x": 1, "y": 2},
    {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]},
    {"type": "keypress", "keys": ["ctrl", "l"]},
    {"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": 100},
    {"type": "type", "text": "ü"},
    {"type": "wait"},
    {"type": "screenshot"},
]
COMMON = [empty(), refusal(), truncated(), filtered()]
TOOLSET: dict[str, Json] = {"tools": [{"type": "computer_toolset_20260801"}]}


def seen(api: Api, **body: Json) -> Seen:
    return Seen(0, api, "/", "m-1", body, {}, "", stream=True)


@pytest.mark.parametrize(
    "answer",
    [
        responses.text("Yes."),
        responses.reasoning("Hm.") + responses.computer_call(ACTIONS, checks=[CHECK]),
        responses.computer_call(ACTIONS[:1], preview=True),
        responses.function_call("save", {"x": 1}),
        *COMMON,
    ],
)
def test_responses(answer: Answer) -> None:
    asked = seen(Api.OPENAI_RESPONSES, include=["reasoning.encrypted_content"])
    body = responses.render(answer.using(USAGE), asked, Ledger(b"s"))
    found = Response.model_validate(body, strict=True)
    assert found.usage is not None
    assert found.usage.total_tokens == 19
    event = TypeAdapter[object](ResponseStreamEvent)
    for name, data in responses.events(body, asked):
        assert type(event.validate_python(data, strict=True)).__name__ != "dict"
        assert isinstance(data, dict)
        assert data["type"] == name


@pytest.mark.parametrize("answer", [responses.reasoning("Hm.") + responses.computer_call(ACTIONS)])
def test_items_can_be_sent_back_as_they_are(answer: Answer) -> None:
    from openai.types.responses.response_input_param import ResponseInputParam

    asked = seen(Api.OPENAI_RESPONSES, include=["reasoning.encrypted_content"])
    body = responses.render(answer, asked, Ledger(b"s"))
    assert misfit(body["output"], ResponseInputParam) is None


@pytest.mark.parametrize(
    "answer",
    [chat.text("Yes."), chat.tool_calls(("a", {}), ("b", {"x": 1})) + chat.text("So."), *COMMON],
)
def test_completions(answer: Answer) -> None:
    asked = seen(Api.OPENAI_CHAT, stream_options={"include_usage": True})
    body = chat.render(answer.using(USAGE), asked, Ledger(b"s"))
    ChatCompletion.model_validate(body, strict=True)
    chunks = [data for _, data in chat.events(body, asked)]
    assert chunks.pop() == "[DONE]"
    for chunk in chunks:
        ChatCompletionChunk.model_validate(chunk, strict=True)


@pytest.mark.parametrize(
    "answer",
    [
        messages.text("Yes."),
        messages.thinking("Hm.")
        + messages.redacted_thinking()
        + messages.tool_use("left_click", {"coordinate": [1, 2]}),
        *COMMON,
    ],
)
@pytest.mark.parametrize("beta", [False, True])
def test_messages(answer: Answer, beta: bool) -> None:
    asked = seen(Api.ANTHROPIC, **TOOLSET)
    body = messages.render(answer.using(USAGE), asked, Ledger(b"s"))
    kind = anthropic.types.beta.BetaMessage if beta else anthropic.types.Message
    kind.model_validate(body, strict=True)
    event = TypeAdapter[object](RawMessageStreamEvent)
    for name, data in messages.events(body, asked):
        if name != "ping":
            event.validate_python(data, strict=True)


def test_content_can_be_sent_back_as_it_is() -> None:
    from anthropic.types import ContentBlockParam

    click = messages.tool_use("left_click", {"coordinate": [1, 2]})
    answer = messages.thinking("Hm.") + messages.redacted_thinking() + messages.text("So.") + click
    body = messages.render(answer, seen(Api.ANTHROPIC, **TOOLSET), Ledger(b"s"))
    assert misfit(body["content"], list[ContentBlockParam]) is None


@pytest.mark.parametrize(
    "answer",
    [
        gemini.text("Yes."),
        gemini.thought("Hm.") + gemini.function_call("click_at", {"x": 1}, checks=[CHECK]),
        *COMMON,
    ],
)
def test_gemini(answer: Answer) -> None:
    asked = seen(Api.GEMINI)
    body = gemini.render(answer.using(USAGE), asked, Ledger(b"s"))
    bodies: list[Json] = [body, *(data for _, data in gemini.events(body, asked))]
    for each in bodies:
        assert misfit(each, genai_types.GenerateContentResponse) is None
        genai_types.GenerateContentResponse.model_validate(each)


def test_models_are_listed_for_every_wire() -> None:
    with FakeProvider(models=("a", "b")) as provider:
        key = provider.key

        def names(path: str, headers: Mapping[str, str]) -> str:
            return httpx2.get(provider.url + path, headers=headers).text

        assert '"id":"b"' in names("/v1/models", {"authorization": f"Bearer {key}"})
        head = {"x-api-key": key, "anthropic-version": "2023-06-01"}
        assert '"display_name":"b"' in names("/v1/models", head)
        assert '"models/b"' in names("/v1beta/models", {"x-goog-api-key": key})
        assert httpx2.get(f"{provider.url}/v1/models").status_code == 401
        assert provider.seen[-1].refused
