"""Model strings as people wrote them, in ours: `anthropic/claude-…` is `anthropic:claude-…`."""

from __future__ import annotations

from typing import NamedTuple

from carrel.errors import InvalidInput, Unsupported

__all__ = ["Named", "translate"]


class Named(NamedTuple):
    """A model in our words, and the dialect it must speak whatever it is called."""

    name: str
    dialect: str | None = None


_PREFIXES = {
    "anthropic": "anthropic",
    "azure": "azure",
    "bedrock": "bedrock",
    "gemini": "gemini",
    "hosted_vllm": "vllm",
    "lm_studio": "lmstudio",
    "ollama": "ollama",
    "ollama_chat": "ollama",
    "openai": "openai",
    "openrouter": "openrouter",
    "vertex_ai": "vertex",
    "vllm": "vllm",
}
_OURS = ("scripted", "replay", "human", "google", "openai-compatible", "lmstudio", "vertex")
_SERVE = "serve it with vLLM, LM Studio or Ollama, and write vllm/MODEL with api_base=its address"
_GONE = {
    "huggingface-local": ("models are not loaded into this process", _SERVE),
    "mlx": ("models are not loaded into this process", _SERVE),
    "azure_ml": (
        "Azure ML endpoints are not reached by name",
        "openai/MODEL with api_base=its URL",
    ),
    "moondream3": ("Moondream is not among the models", "omniparser+MODEL marks elements instead"),
    "yutori": ("Yutori is not among the providers", "take a model with a computer tool"),
}
_BARE = {"claude": "anthropic", "gpt": "openai", "computer-use": "openai", "gemini": "gemini"}
_MARKS = ("omniparser", "omni")


def translate(model: str) -> Named:
    """What a model string of theirs is here.

    Raises:
        Unsupported: There is no such thing here; the hint says what there is.
        InvalidInput: It does not say who serves the model.
    """
    name = model.strip()
    if name in ("human", "human/human"):
        return Named("human")
    first, plus, rest = name.partition("+")
    if plus and first in _MARKS:
        # The elements are read from the accessibility tree, not found by another model.
        return Named(_one(rest), "marks")
    if plus and rest in ("human", "human/human"):
        return Named("human")
    if plus:
        return Named(f"{_one(first)}+{_one(rest)}")
    return Named(_one(name))


def _one(name: str) -> str:
    """A single model: the provider's prefix becomes ours, the rest stays as it is."""
    # Their router named the provider after its own prefix; that service has ended.
    name = name.strip().removeprefix("cua/")
    provider, slash, rest = name.partition("/")
    if provider in _GONE:
        why, instead = _GONE[provider]
        raise Unsupported(f"{name[:80]}: {why}", hint=instead)
    if slash and provider in _PREFIXES and rest:
        return f"{_PREFIXES[provider]}:{rest}"
    before = name.partition(":")[0]
    if before in _OURS or before in _PREFIXES.values():
        return name
    usual = next((ours for start, ours in _BARE.items() if name.startswith(start)), None)
    if slash or usual is None:
        known = ", ".join(f"{prefix}/" for prefix in _PREFIXES)
        raise InvalidInput(
            f"{name[:80]!r} does not say who serves the model", hint=f"begin it with {known}"
        )
    return f"{usual}:{name}"
