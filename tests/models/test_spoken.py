"""A dialect and a transport make a model."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Mapping
from typing import ClassVar

import anyio
import pytest
from PIL import Image

from carrel.actions import Click
from carrel.codec import Json
from carrel.decisions import Call, Decision, Usage
from carrel.errors import ActionFailed, ModelError, Unsupported
from carrel.geometry import Point, Size
from carrel.models.context import Context
from carrel.models.dialect import Api, Request
from carrel.models.model import Model
from carrel.models.picture import Picture
from carrel.models.spoken import SpokenModel
from carrel.models.transports import open_transport
from carrel.testing import FakeProvider, chat, status

SCREEN = Size(64, 48)


class Plain:
    """The simplest of dialects: the answer is the text."""

    name: ClassVar[str] = "plain"
    api: ClassVar[Api] = Api.OPENAI_CHAT
    wants_elements: ClassVar[bool] = True

    def encode(self, model: str, context: Context) -> Request:
        return Request(
            self.api, {"model": model, "messages": [{"role": "user", "content": context.task}]}
        )

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        message = _message(body)
        calls = message.get("tool_calls") or []
        assert isinstance(calls, list)
        click = Call("c", "click", (Click(1, 2),))
        text = str(message.get("content") or "")
        return Decision((click,) * len(calls), text, usage=Usage(input=1))


class Pointing(Plain):
    """One that can say where something is."""

    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        parts: list[Json] = [
            {"type": "text", "text": description},
            {"type": "image_url", "image_url": {"url": picture.data_url()}},
        ]
        return Request(self.api, {"messages": [{"role": "user", "content": parts}]})

    def decode_locate(self, body: Mapping[str, Json], picture: Picture) -> Point:
        try:
            x, y = str(_message(body)["content"]).split(",")
            return Point(int(x), int(y))
        except ValueError:
            raise ActionFailed("the answer holds no point") from None


def _message(body: Mapping[str, Json]) -> dict[str, Json]:
    choices = body["choices"]
    assert isinstance(choices, list)
    assert isinstance(choices[0], dict)
    message = choices[0]["message"]
    assert isinstance(message, dict)
    return message


def picture() -> Picture:
    out = io.BytesIO()
    Image.new("RGB", (SCREEN.width, SCREEN.height)).save(out, "png")
    return Picture("id", SCREEN, out.getvalue)


@pytest.fixture
async def provider() -> AsyncIterator[FakeProvider]:
    with anyio.fail_after(30):
        async with FakeProvider() as found:
            yield found


def spoken(provider: FakeProvider, dialect: Plain, *, stream: bool = True) -> SpokenModel:
    url = provider.openai_url
    transport = open_transport("openai-compatible", key=provider.key, base_url=url)
    return SpokenModel("openai-compatible:qwen:7b", dialect, transport, stream=stream)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.anyio
async def test_it_decides(provider: FakeProvider, stream: bool) -> None:
    provider.script(chat.text("I click it now.") + chat.tool_calls(("click", {})))
    heard: list[str] = []
    model: Model = spoken(provider, Plain(), stream=stream)
    async with model:
        decision = await model.decide(Context("Click it.", SCREEN), heard.append)
    assert decision.calls[0].actions == (Click(1, 2),)
    assert decision.text == "I click it now."
    assert "".join(heard) == ("I click it now." if stream else "")
    assert provider.seen[0].model == "qwen:7b"
    assert provider.seen[0].stream is stream
    assert (model.name, model.dialect) == ("openai-compatible:qwen:7b", "plain")
    assert model.wants_elements


@pytest.mark.anyio
async def test_it_locates_when_its_dialect_can(provider: FakeProvider) -> None:
    provider.script(chat.text("10,20"), chat.text("nowhere"))
    async with spoken(provider, Pointing()) as model:
        assert await model.locate(picture(), "the button") == Point(10, 20)
        with pytest.raises(ActionFailed):
            await model.locate(picture(), "the button")


@pytest.mark.anyio
async def test_one_that_only_clicks_points_by_where_it_would_click(provider: FakeProvider) -> None:
    provider.script(chat.tool_calls(("click", {})), chat.text("I see no such thing"))
    async with spoken(provider, Plain()) as model:
        assert await model.locate(picture(), "the button") == Point(1, 2)
        with pytest.raises(ActionFailed, match="did not find 'the button': I see no such"):
            await model.locate(picture(), "the button")
    assert "the button" in str(provider.seen[0].body)


@pytest.mark.anyio
async def test_errors_of_the_provider_come_through(provider: FakeProvider) -> None:
    provider.script(status(429, retry_after=3))
    async with spoken(provider, Plain()) as model:
        with pytest.raises(ModelError) as caught:
            await model.decide(Context("Click it.", SCREEN), print)
    assert caught.value.context["retry_after"] == 3


def test_a_dialect_that_the_provider_does_not_speak_is_refused_at_once() -> None:
    with pytest.raises(Unsupported, match="needs openai-chat"):
        SpokenModel("anthropic:m", Plain(), open_transport("anthropic", key="k"))
