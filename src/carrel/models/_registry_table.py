"""The table of models: which name speaks which dialect, and which families there are.

Which tool a Claude model takes is what Anthropic's documentation of the computer use tool says: the
toolset of 2026-08 for Opus 4.8, the 5th generation (of Haiku, from 5.5) and later, on its own API
and Google's; the tool of 2025-11-24 for Opus 4.5 to 4.7, Sonnet 4.6, and all that is newer on
Bedrock; that of 2025-01-24 before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from carrel.models.dialect import Api

__all__ = ["DIALECTS", "FAMILIES", "TABLE", "Entry", "FamilyLine"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the table.

    Attributes:
        pattern: Searched in the model's name, in lower case and without its routing prefix.
        dialect: The dialect's name.
        providers: Which ones serve the tool the dialect needs; None for all that speak its API.
    """

    pattern: str
    priority: int
    dialect: str
    api: Api
    providers: frozenset[str] | None = None


DIALECTS: Mapping[str, str] = {
    "functions": "functions:Functions",
    "functions-thousand": "functions:FunctionsThousand",
    "functions-text": "functions:FunctionsText",
    "marks": "marks:Marks",
    "described": "_functions_described:Described",
    "holo": "grounding:Holo",
    "holo2": "grounding:Holo2",
    "gta1": "grounding:GTA1",
    "gelato": "grounding:Gelato",
    "ui-ins": "grounding:UIIns",
    "internvl": "grounding:InternVL",
    "ui-tars": "uitars:UITars",
    "ui-tars-1.5": "uitars:UITars15",
    "ui-tars-2": "uitars2:UITars2",
    "qwen2.5-vl": "qwen:Qwen25VL",
    "qwen3-vl": "qwen:Qwen3VL",
    "qwen3.5": "qwen:Qwen35",
    "glm-v": "glm:GLMV",
    "opencua": "opencua:OpenCUA",
    "opencua-relative": "opencua:OpenCUARelative",
    "openai-computer": "openai_computer:OpenAIComputer",
    "openai-preview": "openai_preview:OpenAIPreview",
    "anthropic-toolset": "anthropic_toolset:AnthropicToolset",
    "anthropic-20251124": "anthropic_computer:Anthropic20251124",
    "anthropic-20250124": "anthropic_computer:Anthropic20250124",
    "gemini-2.5": "gemini:Gemini25",
    "gemini-3": "gemini:Gemini3",
}
"""Every dialect by name: `module:Class` within `carrel.models.dialects`."""

_OPENAI = frozenset({"openai", "azure"})
_CLAUDE = frozenset({"anthropic", "bedrock", "vertex"})
_CLAUDE_NEW = frozenset({"anthropic", "vertex"})
_GOOGLE = frozenset({"gemini", "vertex"})

_TOOLSET = (
    r"claude-(?:(?:opus|sonnet|fable|mythos)-(?:[5-9]|\d\d)(?!\d)|opus-4[-.][89](?!\d)"
    r"|haiku-(?:5[-.]5|[6-9])(?!\d))"
)
_TOOL_2511 = (
    r"claude-(?:opus-4[-.][5-9]|sonnet-4[-.][6-9]|(?:opus|sonnet|haiku|fable|mythos)-[5-9])(?!\d)"
)


def _openai(pattern: str, priority: int, dialect: str) -> Entry:
    return Entry(pattern, priority, dialect, Api.OPENAI_RESPONSES, _OPENAI)


def _chat(pattern: str, priority: int, dialect: str) -> Entry:
    return Entry(pattern, priority, dialect, Api.OPENAI_CHAT)


TABLE: tuple[Entry, ...] = (
    _openai(r"computer-use-preview", 20, "openai-preview"),
    _openai(r"gpt-?(?:5[.-](?:[4-9]|\d\d)|[6-9]|1\d)(?!\d)", 10, "openai-computer"),
    Entry(_TOOLSET, 30, "anthropic-toolset", Api.ANTHROPIC, _CLAUDE_NEW),
    Entry(_TOOL_2511, 20, "anthropic-20251124", Api.ANTHROPIC, _CLAUDE),
    Entry(r"claude", 10, "anthropic-20250124", Api.ANTHROPIC, _CLAUDE),
    Entry(r"gemini-2\.5(?:-pro)?-computer-use", 20, "gemini-2.5", Api.GEMINI, _GOOGLE),
    Entry(r"gemini-[3-9](?:\.\d+)?-(?!.*lite)", 10, "gemini-3", Api.GEMINI, _GOOGLE),
    _chat(r"ui-?tars-?2(?![b\d])", 30, "ui-tars-2"),
    _chat(r"seed-?(?:1[-.][68]|2)", 20, "ui-tars-2"),
    # Served by Volcano Engine, which counts in thousandths whatever the version.
    _chat(r"doubao.*ui-?tars", 25, "ui-tars"),
    _chat(r"ui-?tars-?1[-.]?5", 20, "ui-tars-1.5"),
    _chat(r"ui-?tars", 10, "ui-tars"),
    _chat(r"gelato", 30, "gelato"),
    _chat(r"gta1", 30, "gta1"),
    _chat(r"ui-?ins", 30, "ui-ins"),
    _chat(r"holo-?[2-9]", 30, "holo2"),
    _chat(r"holo-?1", 30, "holo"),
    _chat(r"internvl", 30, "internvl"),
    _chat(r"opencua.*(?:a3b|qwen2-)", 30, "opencua-relative"),
    _chat(r"opencua", 25, "opencua"),
    _chat(r"glm-?[4-9](?:\.\d)?v", 20, "glm-v"),
    _chat(r"qwen-?2\.?5-?vl", 20, "qwen2.5-vl"),
    _chat(r"qwen-?3-?vl", 20, "qwen3-vl"),
    _chat(r"qwen-?(?:3\.?[5-9]|[4-9])(?!\d?b)", 15, "qwen3.5"),
    _chat(r"qwen.*vl", 10, "qwen3-vl"),
    _chat(r"gemini|gemma", 5, "functions-thousand"),
    _chat(r"", -100, "functions"),
)


@dataclass(frozen=True, slots=True)
class FamilyLine:
    """A family, as far as it is known without looking at this computer.

    Attributes:
        modules: One of these packages must be installed.
        words: What it takes, where the providers' own needs do not say it; or what it is.
        pair: Whether it is of use only with a model of another family.
    """

    name: str
    examples: tuple[str, ...]
    api: Api | None
    providers: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    words: str = ""
    pair: bool = False


_SERVERS = ("vllm", "ollama", "lmstudio", "openrouter", "openai-compatible")


def _served(name: str, *examples: str) -> FamilyLine:
    return FamilyLine(name, examples, Api.OPENAI_CHAT, _SERVERS, ("openai",))


FAMILIES: tuple[FamilyLine, ...] = (
    FamilyLine(
        "OpenAI computer",
        ("openai:gpt-5.4", "azure:gpt-5.4", "openai:computer-use-preview"),
        Api.OPENAI_RESPONSES,
        ("openai", "azure"),
        ("openai",),
    ),
    FamilyLine(
        "Claude computer use",
        ("anthropic:claude-opus-5-5", "anthropic:claude-sonnet-4-6"),
        Api.ANTHROPIC,
        ("anthropic",),
        ("anthropic",),
    ),
    FamilyLine(
        "Claude on Bedrock",
        ("bedrock:us.anthropic.claude-opus-4-5-20251101-v1:0",),
        Api.ANTHROPIC,
        ("bedrock",),
        ("anthropic",),
        words="AWS_REGION and credentials of AWS",
    ),
    FamilyLine(
        "Claude on Vertex",
        ("vertex:claude-opus-5-5",),
        Api.ANTHROPIC,
        ("vertex",),
        ("anthropic",),
        words="GOOGLE_CLOUD_PROJECT and default credentials of Google Cloud",
    ),
    FamilyLine(
        "Gemini computer use",
        ("gemini:gemini-3.6-flash", "gemini:gemini-2.5-computer-use-preview-10-2025"),
        Api.GEMINI,
        ("gemini",),
        ("google.genai",),
    ),
    _served("UI-TARS", "vllm:ByteDance-Seed/UI-TARS-1.5-7B", "vllm:UI-TARS-72B-DPO"),
    _served("UI-TARS 2", "openai-compatible:ui-tars-2"),
    _served("Qwen-VL", "ollama:qwen2.5vl:7b", "vllm:Qwen/Qwen3-VL-8B-Instruct", "vllm:qwen3.5-35b"),
    _served("GLM-V", "vllm:zai-org/GLM-4.5V"),
    _served("OpenCUA", "vllm:xlangai/OpenCUA-32B"),
    FamilyLine(
        "Pointing models",
        (
            "vllm:GTA1-7B+openai:gpt-5.4",
            "vllm:Holo1.5-7B+openrouter:anthropic/claude-sonnet-4.6",
            "vllm:UI-Ins-7B+openai:gpt-4.1",
            "vllm:Gelato-30B-A3B+openai:gpt-4.1",
            "vllm:InternVL3_5-8B+openai:gpt-4.1",
        ),
        Api.OPENAI_CHAT,
        _SERVERS,
        ("openai",),
        words="a server of your own for the first, and what the second needs",
        pair=True,
    ),
    FamilyLine(
        "Function calling",
        ("openrouter:PUBLISHER/MODEL", "openai:gpt-4.1", "ollama:MODEL"),
        Api.OPENAI_CHAT,
        (*_SERVERS, "openai"),
        ("openai",),
    ),
    FamilyLine("Plain steps", ("steps",), None, words="no key: does what the words say"),
    FamilyLine("A person", ("human",), None, words="you type every step"),
    FamilyLine("A script", ("scripted:FILE",), None, words="decisions from a file"),
    FamilyLine("A replay", ("replay:RUN",), None, words="the decisions of an earlier run"),
)
