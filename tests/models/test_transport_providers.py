"""The table of providers: keys, addresses, SDKs."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import anyio
import pytest

from carrel.codec import Json
from carrel.errors import InvalidInput, ModelError, Unavailable
from carrel.models.dialect import Api, Request
from carrel.models.transports import PROVIDERS, find_provider, open_transport, providers, sdk
from carrel.testing import FakeProvider, anthropic, chat, gemini, openai

CHAT = Request(Api.OPENAI_CHAT, {"messages": [{"role": "user", "content": "Do it."}]})
RESPONSES = Request(Api.OPENAI_RESPONSES, {"input": "Do it."})
MESSAGES = Request(
    Api.ANTHROPIC, {"max_tokens": 9, "messages": [{"role": "user", "content": "Do it."}]}
)
CONTENTS = Request(Api.GEMINI, {"contents": [{"role": "user", "parts": [{"text": "Do it."}]}]})


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


def test_importing_the_transports_imports_no_sdk() -> None:
    program = (
        "import sys, carrel.models.transports, carrel.models.spoken\n"
        "heavy = {'openai', 'anthropic', 'google', 'httpx2', 'pydantic', 'PIL', 'starlette'}\n"
        "print(sorted(heavy & {name.partition('.')[0] for name in sys.modules}))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout.strip() == "[]", found.stderr


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openai", "OPENAI_API_KEY"),
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("gemini", "GEMINI_API_KEY"),
        ("google", "GEMINI_API_KEY"),
        ("azure", "AZURE_OPENAI_API_KEY"),
        ("openrouter", "OPENROUTER_API_KEY"),
    ],
)
def test_a_missing_key_names_the_variable_and_what_works_without(name: str, variable: str) -> None:
    with pytest.raises(Unavailable) as caught:
        open_transport(name, environ={})
    hint = str(caught.value.hint)
    assert variable in hint
    assert "--model human" in hint
    assert caught.value.exit_status == 3


@pytest.mark.parametrize("name", ["ollama", "vllm", "lmstudio"])
def test_local_servers_need_no_key(name: str) -> None:
    assert open_transport(name, environ={}).apis[0] is Api.OPENAI_CHAT


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("bedrock", "AWS_REGION"),
        ("vertex", "GOOGLE_CLOUD_PROJECT"),
        ("openai-compatible", "OPENAI_COMPATIBLE_BASE_URL"),
    ],
)
def test_a_missing_setting_names_its_variable(name: str, hint: str) -> None:
    with pytest.raises(Unavailable) as caught:
        open_transport(name, environ={})
    assert hint in str(caught.value.hint)


def test_azure_needs_its_endpoint() -> None:
    with pytest.raises(Unavailable, match="endpoint"):
        open_transport("azure", key="k", environ={})


def test_an_unknown_provider_or_setting_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput) as caught:
        find_provider("opneai")
    assert "openai" in str(caught.value.hint)
    with pytest.raises(InvalidInput, match="no setting 'regoin'") as caught:
        open_transport("bedrock", settings={"regoin": "x"}, environ={})
    assert "region" in str(caught.value.hint)


def test_a_missing_sdk_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(Unavailable) as caught:
        sdk.load("openai", "openai")
    assert caught.value.hint == "pip install 'carrel[openai]'"
    with pytest.raises(Unavailable, match="nowhere"):
        sdk.check("nowhere.at.all", "openai")


@pytest.mark.parametrize("name", ["ollama", "vllm", "lmstudio", "openai-compatible"])
@pytest.mark.anyio
async def test_the_key_of_openai_is_for_openai_alone(provider: FakeProvider, name: str) -> None:
    environ = {"OPENAI_API_KEY": "sk-of-openai"}
    url = provider.openai_url
    async with open_transport(name, base_url=url, environ=environ) as sender:
        with pytest.raises(ModelError):
            await sender.send("m", CHAT)
    assert "sk-of-openai" not in str(provider.seen[0].headers)


@pytest.mark.parametrize("provider_name", PROVIDERS)
def test_every_provider_names_an_api_and_an_extra(provider_name: str) -> None:
    provider = PROVIDERS[provider_name]
    assert provider.apis
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert provider.extra in project["optional-dependencies"]


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("0.0.0.0:{port}", "127.0.0.1"),
        ("127.0.0.1:{port}", "127.0.0.1"),
        ("http://127.0.0.1:{port}/", "127.0.0.1"),
        ("http://127.0.0.1:{port}/v1", "127.0.0.1"),
    ],
)
@pytest.mark.anyio
async def test_the_address_of_ollama_comes_from_its_own_variable(
    provider: FakeProvider, value: str, address: str
) -> None:
    provider.script(chat.text("Yes."))
    host = value.format(port=provider.url.rpartition(":")[2])
    environ = {"OLLAMA_HOST": host, "OLLAMA_API_KEY": provider.key}
    async with open_transport("ollama", environ=environ) as sender:
        await sender.send("qwen3-vl", CHAT)
    assert provider.seen[0].path == "/v1/chat/completions"
    assert provider.seen[0].headers["host"].startswith(address)


@pytest.mark.anyio
async def test_the_key_comes_from_the_environment(provider: FakeProvider) -> None:
    provider.script(openai.text("Yes."))
    environ = {"OPENAI_API_KEY": provider.key}
    url = provider.openai_url
    async with open_transport("openai", base_url=url, environ=environ) as sender:
        await sender.send("gpt", RESPONSES)
    assert provider.seen[0].key == provider.key


@pytest.mark.parametrize(
    ("request_", "path"), [(CHAT, "chat/completions"), (RESPONSES, "responses")]
)
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.anyio
async def test_azure_speaks_its_v1_endpoint(
    provider: FakeProvider, request_: Request, path: str, stream: bool
) -> None:
    provider.script(chat.text("Yes.") if request_ is CHAT else openai.text("Yes."))
    environ = {"AZURE_OPENAI_API_KEY": provider.key, "AZURE_OPENAI_ENDPOINT": provider.url}
    async with open_transport("azure", environ=environ) as sender:
        await sender.send("my-deployment", request_, print if stream else None)
    assert provider.seen[0].path == f"/openai/v1/{path}"


@pytest.mark.anyio
async def test_azure_speaks_its_dated_api(provider: FakeProvider) -> None:
    provider.script(chat.text("Yes."), openai.text("Yes."))
    settings = {"api_version": "2025-04-01-preview", "endpoint": provider.url}
    async with open_transport("azure", key=provider.key, settings=settings, environ={}) as sender:
        await sender.send("my-deployment", CHAT)
        await sender.send("my-deployment", RESPONSES)
    paths = [seen.path for seen in provider.seen]
    assert paths == ["/openai/deployments/my-deployment/chat/completions", "/openai/responses"]
    assert provider.seen[0].headers["api-key"] == provider.key


@pytest.mark.parametrize("streams", [True, False])
@pytest.mark.anyio
async def test_bedrock_takes_a_bearer_token_and_streams_where_it_can(
    provider: FakeProvider, streams: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if streams:
        pytest.importorskip("botocore")
    else:
        monkeypatch.setattr(providers, "find_spec", lambda name: None)
    provider.script(anthropic.text("Yes, it is done."))
    heard: list[str] = []
    environ = {"AWS_BEARER_TOKEN_BEDROCK": provider.key, "AWS_REGION": "eu-west-1"}
    async with open_transport("bedrock", base_url=provider.url, environ=environ) as sender:
        body = await sender.send("anthropic.claude-sonnet-5", MESSAGES, heard.append)
    assert body["model"] == "anthropic.claude-sonnet-5"
    assert "".join(heard) == "Yes, it is done."
    verb = "invoke-with-response-stream" if streams else "invoke"
    assert provider.seen[0].path == f"/model/anthropic.claude-sonnet-5/{verb}"
    assert (len(heard) > 1) is streams


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.anyio
async def test_vertex_speaks_both_of_its_families(provider: FakeProvider, stream: bool) -> None:
    provider.script(anthropic.text("Yes."), gemini.text("Yes."))
    settings = {"project": "p", "region": "global"}
    on_text = print if stream else None
    async with open_transport(
        "vertex", key=provider.key, base_url=provider.url, settings=settings, environ={}
    ) as sender:
        first = await sender.send("claude-sonnet-5", MESSAGES, on_text)
        second = await sender.send("gemini-3-pro", CONTENTS, on_text)
    assert first["type"] == "message"
    assert second["modelVersion"] == "gemini-3-pro"
    verb = "streamRawPredict" if stream else "rawPredict"
    assert provider.seen[0].path.endswith(f"/publishers/anthropic/models/claude-sonnet-5:{verb}")
    assert "/publishers/google/models/gemini-3-pro:" in provider.seen[1].path
    names: list[Json] = [seen.model for seen in provider.seen]
    assert names == ["claude-sonnet-5", "gemini-3-pro"]
