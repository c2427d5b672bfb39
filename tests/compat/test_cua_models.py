from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.compat.cua.models import translate
from carrel.errors import CarrelError, InvalidInput, Unsupported


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("anthropic/claude-sonnet-4-5-20250929", "anthropic:claude-sonnet-4-5-20250929"),
        ("claude-sonnet-4-5-20250929", "anthropic:claude-sonnet-4-5-20250929"),
        ("openai/computer-use-preview", "openai:computer-use-preview"),
        ("computer-use-preview", "openai:computer-use-preview"),
        ("gpt-5.4", "openai:gpt-5.4"),
        ("cua/anthropic/claude-sonnet-4.5", "anthropic:claude-sonnet-4.5"),
        ("cua/openai/gpt-5.4", "openai:gpt-5.4"),
        ("gemini/gemini-3-pro-preview", "gemini:gemini-3-pro-preview"),
        ("gemini-3-pro-preview", "gemini:gemini-3-pro-preview"),
        ("vertex_ai/claude-opus-5", "vertex:claude-opus-5"),
        ("bedrock/us.anthropic.claude-opus-5", "bedrock:us.anthropic.claude-opus-5"),
        ("azure/computer-use-preview", "azure:computer-use-preview"),
        ("openrouter/z-ai/glm-4.5v", "openrouter:z-ai/glm-4.5v"),
        ("ollama/qwen2.5vl:7b", "ollama:qwen2.5vl:7b"),
        ("ollama_chat/qwen2.5vl", "ollama:qwen2.5vl"),
        ("hosted_vllm/ByteDance-Seed/UI-TARS-1.5-7B", "vllm:ByteDance-Seed/UI-TARS-1.5-7B"),
        ("lm_studio/ui-tars-1.5", "lmstudio:ui-tars-1.5"),
        ("vllm/GTA1-7B+openai/gpt-5.4", "vllm:GTA1-7B+openai:gpt-5.4"),
        ("human/human", "human"),
        ("human", "human"),
        ("openai/computer-use-preview+human/human", "human"),
        ("scripted:steps.jsonl", "scripted:steps.jsonl"),
        ("anthropic:claude-opus-5", "anthropic:claude-opus-5"),
    ],
)
def test_a_model_has_one_name_here(theirs: str, ours: str) -> None:
    assert translate(theirs).name == ours
    assert translate(theirs).dialect is None


@pytest.mark.parametrize("prefix", ["omniparser", "omni"])
def test_omniparser_becomes_marks_from_the_accessibility_tree(prefix: str) -> None:
    assert translate(f"{prefix}+openai/gpt-4o") == ("openai:gpt-4o", "marks")
    assert translate(f"{prefix}+anthropic/claude-opus-5") == ("anthropic:claude-opus-5", "marks")


@pytest.mark.parametrize(
    "theirs",
    [
        "huggingface-local/ByteDance-Seed/UI-TARS-1.5-7B",
        "huggingface-local/HelloKKMe/GTA1-7B+openai/gpt-5.4",
        "mlx/mlx-community/UI-TARS-1.5-7B-6bit",
        "azure_ml/Fara-7B",
        "moondream3+openai/gpt-5.4",
        "yutori/n1",
    ],
)
def test_what_is_not_here_says_what_is(theirs: str) -> None:
    with pytest.raises(Unsupported) as caught:
        translate(theirs)
    assert caught.value.hint


@pytest.mark.parametrize("theirs", ["", "llama", "nobody/model", "openai/", "cua/", "+", "omni+"])
def test_a_name_without_a_provider_is_refused(theirs: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        translate(theirs)
    assert "openai/" in str(caught.value.hint)


@given(st.text(alphabet="acdeghimnoprtuy/+:-. 5", max_size=40))
def test_any_text_is_a_model_or_a_helpful_error(text: str) -> None:
    try:
        named = translate(text)
    except CarrelError as refused:
        error = refused
    else:
        assert named.name
        assert translate(named.name).name == named.name
        return
    assert error.hint
