from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from anyio import fail_after
from chats import answer, context, only, picture
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.actions import Action, Click, Wait
from carrel.codec import Json
from carrel.decisions import Decision
from carrel.errors import InvalidInput, NotFound, Unavailable, UsageError
from carrel.intents import Done
from carrel.models import registry
from carrel.models._registry_table import DIALECTS, TABLE
from carrel.models.composed import ComposedModel
from carrel.models.context import Context
from carrel.models.dialect import Api, Request
from carrel.models.registry import (
    RESERVED,
    Family,
    dialect,
    dialect_named,
    families,
    find_dialect,
    open_model,
    parse,
)

NAMES = [
    ("openai:gpt-5.4", "openai-computer"),
    ("openai:gpt-5.5-pro", "openai-computer"),
    ("openai:gpt-5.4-2026-03-05", "openai-computer"),
    ("openai:gpt-6", "openai-computer"),
    ("azure:gpt-5.4", "openai-computer"),
    ("openai:computer-use-preview", "openai-preview"),
    ("azure:computer-use-preview-2025-03-11", "openai-preview"),
    ("openai:gpt-4.1", "functions"),
    ("openai:gpt-5-2025-08-07", "functions"),
    ("openai:gpt-5.1", "functions"),
    ("azure:gpt-35-turbo", "functions"),
    ("openai:o3", "functions"),
    ("anthropic:claude-opus-5-5", "anthropic-toolset"),
    ("anthropic:claude-sonnet-5", "anthropic-toolset"),
    ("anthropic:claude-haiku-5-5", "anthropic-toolset"),
    ("anthropic:claude-fable-5-1", "anthropic-toolset"),
    ("anthropic:claude-opus-4-8", "anthropic-toolset"),
    ("vertex:claude-opus-5-5@20260801", "anthropic-toolset"),
    ("anthropic:claude-opus-4-7", "anthropic-20251124"),
    ("anthropic:claude-opus-4-6", "anthropic-20251124"),
    ("anthropic:claude-sonnet-4-6", "anthropic-20251124"),
    ("anthropic:claude-opus-4-5-20251101", "anthropic-20251124"),
    ("anthropic:claude-opus-4.5", "anthropic-20251124"),
    ("anthropic:claude-haiku-5", "anthropic-20251124"),
    ("bedrock:us.anthropic.claude-opus-4-5-20251101-v1:0", "anthropic-20251124"),
    # The toolset is not to be had there.
    ("bedrock:anthropic.claude-opus-5-5-v1:0", "anthropic-20251124"),
    ("anthropic:claude-sonnet-4-5-20250929", "anthropic-20250124"),
    ("anthropic:claude-haiku-4-5-20251001", "anthropic-20250124"),
    ("anthropic:claude-sonnet-4-20250514", "anthropic-20250124"),
    ("anthropic:claude-opus-4-1-20250805", "anthropic-20250124"),
    ("anthropic:claude-3-7-sonnet-latest", "anthropic-20250124"),
    ("bedrock:anthropic.claude-3-7-sonnet-20250219-v1:0", "anthropic-20250124"),
    ("gemini:gemini-2.5-computer-use-preview-10-2025", "gemini-2.5"),
    ("gemini:models/gemini-2.5-computer-use-preview-10-2025", "gemini-2.5"),
    ("gemini/gemini-2.5-computer-use-preview-10-2025", "gemini-2.5"),
    ("gemini:gemini-3-flash-preview", "gemini-3"),
    ("gemini:gemini-3.5-flash", "gemini-3"),
    ("google:gemini-3.6-flash", "gemini-3"),
    ("gemini/gemini-3-pro-preview", "gemini-3"),
    ("vertex:publishers/google/models/gemini-3.5-flash", "gemini-3"),
    ("gemini:gemini-2.5-flash", "functions-thousand"),
    ("openrouter:google/gemini-3.5-flash", "functions-thousand"),
    ("openrouter:anthropic/claude-opus-5.5", "functions"),
    ("openrouter:openai/gpt-5.4", "functions"),
    ("openrouter:bytedance/ui-tars-1.5-7b", "ui-tars-1.5"),
    ("vllm:ByteDance-Seed/UI-TARS-1.5-7B", "ui-tars-1.5"),
    ("vllm:UI-TARS-72B-DPO", "ui-tars"),
    ("vllm:ByteDance-Seed/UI-TARS-2B-SFT", "ui-tars"),
    ("openai-compatible:doubao-1-5-ui-tars-250428", "ui-tars"),
    ("openai-compatible:ui-tars-2", "ui-tars-2"),
    ("openai-compatible:UITARS-2", "ui-tars-2"),
    ("openai-compatible:doubao-seed-1-8", "ui-tars-2"),
    ("ollama:qwen2.5vl:7b", "qwen2.5-vl"),
    ("ollama/qwen2.5vl:7b", "qwen2.5-vl"),
    ("vllm:Qwen/Qwen2.5-VL-72B-Instruct", "qwen2.5-vl"),
    ("vllm:Qwen/Qwen3-VL-32B-Instruct", "qwen3-vl"),
    ("ollama:qwen3-vl:8b", "qwen3-vl"),
    ("vllm:Qwen/Qwen3.5-35B-A3B", "qwen3.5"),
    ("vllm:qwen35", "qwen3.5"),
    ("vllm:qwen3.6-27b", "qwen3.5"),
    ("openrouter:qwen/qwen3.5-397b-a17b", "qwen3.5"),
    ("vllm:qwen3-8b", "functions"),
    ("vllm:zai-org/GLM-4.5V", "glm-v"),
    ("openrouter:z-ai/glm-4.6v", "glm-v"),
    ("openrouter:z-ai/glm-4.6", "functions"),
    ("vllm:xlangai/OpenCUA-32B", "opencua"),
    ("vllm:OpenCUA-A3B", "opencua-relative"),
    ("vllm:OpenCUA-Qwen2-7B", "opencua-relative"),
    ("vllm:HelloKKMe/GTA1-7B", "gta1"),
    ("vllm:mlfoundations/Gelato-30B-A3B", "gelato"),
    ("vllm:Tongyi-MiA/UI-Ins-7B", "ui-ins"),
    ("vllm:Hcompany/Holo1.5-7B", "holo"),
    ("vllm:Hcompany/Holo2-30B-A3B", "holo2"),
    ("vllm:OpenGVLab/InternVL3_5-8B", "internvl"),
    ("lmstudio:google/gemma-3-27b", "functions-thousand"),
    ("ollama:llama3.2-vision", "functions"),
    ("claude-opus-5-5", "anthropic-toolset"),
    ("gpt-5.4", "openai-computer"),
    ("gemini-3.5-flash", "gemini-3"),
]


@pytest.mark.parametrize(("name", "expected"), NAMES, ids=[name for name, _ in NAMES])
def test_every_model_finds_the_dialect_its_api_speaks(name: str, expected: str) -> None:
    assert find_dialect(name).name == expected


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_of_the_table_is_there_under_its_own_name(name: str) -> None:
    assert dialect_named(name).name == name


def test_the_table_names_only_dialects_of_the_api_it_says() -> None:
    for entry in TABLE:
        assert dialect_named(entry.dialect).api == entry.api


@pytest.mark.parametrize(
    ("text", "provider", "model"),
    [
        ("openai:gpt-5.4", "openai", "gpt-5.4"),
        ("OpenAI:gpt-5.4", "openai", "gpt-5.4"),
        ("ollama:qwen2.5vl:7b", "ollama", "qwen2.5vl:7b"),
        ("anthropic/claude-opus-5", "anthropic", "claude-opus-5"),
        ("google:gemini-3.5-flash", "gemini", "gemini-3.5-flash"),
        ("claude-opus-5", "anthropic", "claude-opus-5"),
        ("human", "human", ""),
        ("scripted:/a/b.jsonl", "scripted", "/a/b.jsonl"),
    ],
)
def test_names_are_taken_apart(text: str, provider: str, model: str) -> None:
    parsed = parse(text)
    assert (parsed.provider, parsed.model) == (provider, model)


@pytest.mark.parametrize("text", ["", "llama", "nowhere:llama", "mistral/large", "openai:", ":x"])
def test_a_name_without_a_known_provider_is_told_the_known_ones(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert "openai" in f"{caught.value.hint}"


def test_a_model_no_dialect_fits_is_told_the_known_models() -> None:
    with pytest.raises(UsageError) as caught:
        find_dialect("bedrock:amazon.nova-pro-v1:0")
    assert "anthropic:claude-opus-5-5" in str(caught.value.hint)
    with pytest.raises(NotFound) as missing:
        dialect_named("klingon")
    assert "functions" in str(missing.value.hint)


def test_models_that_are_not_language_models_have_no_dialect() -> None:
    for name in RESERVED:
        with pytest.raises(UsageError, match="not a language model"):
            find_dialect(name)


class Mine:
    """A dialect of a plugin."""

    name: ClassVar[str] = "mine"
    api: ClassVar[Api] = Api.OPENAI_CHAT
    wants_elements: ClassVar[bool] = False

    def encode(self, model: str, context: Context) -> Request:
        return Request(self.api, {"model": model})

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        return Decision(text="mine")


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", [])
    monkeypatch.setattr(registry, "_plugins", {})


@pytest.mark.usefixtures("clean")
def test_a_plugin_takes_the_models_it_names_by_priority() -> None:
    assert dialect(r"my-model", priority=50)(Mine) is Mine
    assert find_dialect("vllm:me/My-Model-7B") is Mine
    assert find_dialect("vllm:llama").name == "functions"
    assert dialect_named("mine") is Mine
    assert "mine" in [family.name for family in families()]
    with pytest.raises(InvalidInput, match="regular expression"):
        dialect("(")


@pytest.mark.usefixtures("clean")
def test_of_the_same_priority_the_newest_plugin_wins_over_ours() -> None:
    dialect(r"gta1", priority=30)(Mine)
    assert find_dialect("vllm:GTA1-7B") is Mine


def test_a_plugin_is_found_by_its_entry_point(tmp_path: Path) -> None:
    (tmp_path / "my_plugin.py").write_text(
        "from carrel.models.registry import dialect\n"
        "from carrel.models.dialects.functions import Functions\n"
        "@dialect(r'my-model', priority=50)\n"
        "class Mine(Functions):\n"
        "    name = 'my-own'\n"
    )
    info = tmp_path / "my_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[carrel.models]\nmine = my_plugin:Mine\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from carrel.models.registry import find_dialect\n"
        "print(find_dialect('vllm:my-model').name)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "my-own", done.stderr


def test_finding_a_dialect_imports_no_sdk() -> None:
    code = (
        "import sys\n"
        "from carrel.models.registry import families, find_dialect\n"
        "for name in ('openai:gpt-5.4', 'anthropic:claude-opus-5-5', 'gemini:gemini-3.5-flash',"
        " 'vllm:UI-TARS-1.5-7B', 'vllm:llama'):\n"
        "    find_dialect(name)\n"
        "families()\n"
        "print([m for m in ('openai', 'anthropic', 'google.genai', 'PIL', 'httpx2')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.fixture
def no_keys(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("OPENAI", "ANTHROPIC", "GEMINI", "GOOGLE", "OPENROUTER", "AZURE_OPENAI"):
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)
    for name in tuple(os.environ):
        if name.startswith(("AWS_", "GOOGLE_", "VLLM_", "OLLAMA_", "LMSTUDIO_", "AZURE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", "/nonexistent")
    return monkeypatch


def test_families_say_what_is_needed_and_whether_it_is_there(no_keys: pytest.MonkeyPatch) -> None:
    found = {family.name: family for family in families()}
    openai = found["OpenAI computer"]
    assert not openai.available
    assert "OPENAI_API_KEY" in openai.reason
    assert any("OPENAI_API_KEY" in need for need in openai.needs)
    assert found["A person"].available
    no_keys.setenv("OPENAI_API_KEY", "sk-x")
    again = {family.name: family for family in families()}["OpenAI computer"]
    assert again.available
    assert again.reason == "OPENAI_API_KEY is set"


def by_name() -> dict[str, Family]:
    return {family.name: family for family in families()}


def test_a_family_with_servers_of_ones_own_needs_no_key(no_keys: pytest.MonkeyPatch) -> None:
    served = by_name()["UI-TARS"]
    assert not served.available
    assert served.reason == "ready if your server runs: it is not looked for"
    assert served.needs[0] == (
        "a server of your own (vllm:, ollama:, lmstudio:, openai-compatible:), "
        "or OPENROUTER_API_KEY"
    )
    no_keys.setenv("VLLM_BASE_URL", "http://127.0.0.1:8000/v1")
    assert by_name()["UI-TARS"].reason == "VLLM_BASE_URL is set"
    no_keys.delenv("VLLM_BASE_URL")
    no_keys.setenv("OPENROUTER_API_KEY", "sk-or-x")
    assert by_name()["Qwen-VL"].available
    assert not by_name()["Pointing models"].available


@pytest.mark.parametrize(
    ("family", "variables", "ready"),
    [
        ("Claude on Bedrock", ("AWS_REGION",), False),
        ("Claude on Bedrock", ("AWS_PROFILE",), False),
        ("Claude on Bedrock", ("AWS_DEFAULT_REGION", "AWS_BEARER_TOKEN_BEDROCK"), True),
        ("Claude on Vertex", ("GOOGLE_CLOUD_PROJECT",), False),
        ("Claude on Vertex", ("GOOGLE_CLOUD_PROJECT", "GOOGLE_APPLICATION_CREDENTIALS"), True),
        ("OpenAI computer", ("AZURE_OPENAI_API_KEY",), False),
        ("OpenAI computer", ("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT"), True),
        ("Function calling", ("OPENAI_API_KEY",), True),
    ],
)
def test_a_family_is_ready_only_with_all_it_needs(
    no_keys: pytest.MonkeyPatch, family: str, variables: tuple[str, ...], ready: bool
) -> None:
    assert not by_name()[family].available
    for name in variables:
        no_keys.setenv(name, "x")
    assert by_name()[family].available is ready


def test_credentials_that_a_clouds_own_tool_left_count(
    no_keys: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    no_keys.setenv("HOME", str(tmp_path))
    no_keys.setenv("AWS_REGION", "eu-west-1")
    assert not by_name()["Claude on Bedrock"].available
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws" / "credentials").touch()
    found = by_name()["Claude on Bedrock"]
    assert found.reason == "AWS_REGION is set, ~/.aws/credentials is there"


def test_families_name_missing_packages(no_keys: pytest.MonkeyPatch) -> None:
    no_keys.setattr(registry, "_is_installed", lambda module: False)
    found = {family.name: family for family in families()}["Claude computer use"]
    assert not found.available
    assert "carrel[anthropic]" in found.reason


def test_every_example_of_a_family_can_be_found() -> None:
    for family in families():
        for example in family.examples:
            for part in example.split("+"):
                if parse(part).provider not in RESERVED:
                    assert find_dialect(part).name in DIALECTS


def test_opening_a_model_puts_dialect_and_transport_together() -> None:
    model = open_model("vllm:ByteDance-Seed/UI-TARS-1.5-7B", base_url="http://127.0.0.1:9/v1")
    assert (model.name, model.dialect) == ("vllm:ByteDance-Seed/UI-TARS-1.5-7B", "ui-tars-1.5")
    assert not model.wants_elements
    marks = open_model("vllm:llama", options={"dialect": "marks", "stream": "false"})
    assert (marks.dialect, marks.wants_elements) == ("marks", True)


def test_opening_without_a_key_says_which_one(no_keys: pytest.MonkeyPatch) -> None:
    for name, key in (
        ("openai:gpt-5.4", "OPENAI_API_KEY"),
        ("anthropic:claude-opus-5-5", "ANTHROPIC_API_KEY"),
        ("vllm:GTA1-7B+anthropic:claude-opus-5-5", "ANTHROPIC_API_KEY"),
        ("gemini:gemini-2.5-flash", "GEMINI_API_KEY"),
    ):
        with pytest.raises(Unavailable) as caught:
            open_model(name)
        assert key in str(caught.value.hint)


def test_dialects_of_chat_reach_providers_with_an_api_of_their_own(
    no_keys: pytest.MonkeyPatch,
) -> None:
    model = open_model(
        "anthropic:claude-opus-5-5", api_key="sk-ant-x", options={"dialect": "marks"}
    )
    assert model.dialect == "marks"
    no_keys.setenv("ANTHROPIC_API_KEY", "sk-ant-x")
    pair = open_model("vllm:GTA1-7B+anthropic:claude-opus-5-5")
    assert isinstance(pair, ComposedModel)


def test_a_grounder_and_a_thinker_are_composed() -> None:
    model = open_model("vllm:GTA1-7B+ollama:llama3.2-vision")
    assert isinstance(model, ComposedModel)
    assert model.name == "vllm:GTA1-7B+ollama:llama3.2-vision"
    for pointing in ("vllm:UI-TARS-1.5-7B", "ollama:qwen2.5vl:7b", "vllm:OpenCUA-7B"):
        assert isinstance(open_model(f"{pointing}+vllm:llama"), ComposedModel)


@pytest.mark.parametrize(
    "name",
    ["vllm:llama+vllm:llama", "+vllm:llama", "vllm:GTA1+", "vllm:GTA1+a+b", "vllm:GTA1+nowhere:x"],
)
def test_what_cannot_be_composed_is_told(name: str) -> None:
    with pytest.raises(UsageError):
        open_model(name)


@pytest.mark.parametrize("options", [{"dialect": "klingon"}, {"colour": "red"}])
def test_unknown_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        open_model("vllm:llama", options=options)


def test_scripts_are_opened_by_file_and_others_say_how(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"actions": [{"type": "done"}]}\n')
    assert open_model(f"scripted:{script}").dialect == "scripted"
    with pytest.raises(NotFound):
        open_model(f"scripted:{tmp_path}/none.jsonl")
    for name in ("human", "scripted", "replay"):
        with pytest.raises(UsageError) as caught:
            open_model(name)
        assert caught.value.hint


class Server(ThreadingHTTPServer):
    """A chat server that always says the same and remembers what it was asked."""

    def __init__(self, *words: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.words = list(words)
        self.asked: list[dict[str, Json]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.asked.append(json.loads(self.rfile.read(length)))
        body = json.dumps(answer(self.server.words.pop(0))).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        return


@contextmanager
def serving(*words: str) -> Iterator[Server]:
    server = Server(*words)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "words", "action"),
    [
        ("vllm:UI-TARS-1.5-7B", "Action: click(start_box='(966,546)')", Click(960, 540)),
        ("vllm:GLM-4.5V", "<|begin_of_box|>WAIT()<|end_of_box|>", Wait(seconds=5.0)),
        ("vllm:OpenCUA-7B", "```python\npyautogui.click(966, 546)\n```", Click(960, 540)),
        ("vllm:llama", '```json\n{"name": "done", "arguments": {}}\n```', Done()),
        (
            "vllm:qwen3.5-35b",
            '<tool_call>{"name": "computer_use", "arguments": {"action": "wait", "time": 1}}',
            Wait(seconds=1.0),
        ),
    ],
)
async def test_an_opened_model_decides_over_a_real_connection(
    name: str, words: str, action: Action
) -> None:
    with serving(words) as server, fail_after(20):
        async with open_model(name, base_url=server.url, options={"stream": "false"}) as model:
            decision = await model.decide(context(first=picture()), lambda _: None)
    assert only(decision) == (action,)
    assert server.asked[0]["model"] == name.partition(":")[2]


@pytest.mark.anyio
async def test_an_opened_pair_thinks_and_points_over_real_connections() -> None:
    thought = '```json\n{"name": "click", "arguments": {"target": "the OK button"}}\n```'
    with serving(thought, "(966,546)") as server, fail_after(20):
        pair = open_model(
            "vllm:GTA1-7B+vllm:llama", base_url=server.url, options={"stream": "false"}
        )
        async with pair as model:
            decision = await model.decide(context(first=picture()), lambda _: None)
    assert only(decision) == (Click(960, 540),)
    assert decision.usage.output == 40
    assert [asked["model"] for asked in server.asked] == ["llama", "GTA1-7B"]


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_model_or_a_clear_error(text: str) -> None:
    for name in (text, f"vllm:{text}", f"anthropic/{text}", f"{text}+vllm:llama"):
        with suppress(UsageError):
            find_dialect(name)
