"""What Anthropic's Messages API refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby

from carrel.codec import Json
from carrel.testing import _images
from carrel.testing._ledger import Ledger
from carrel.testing._refusals import Refusal, anthropic_misfit
from carrel.testing._shape import misfit
from carrel.testing.anthropic import MEMBERS, declares_toolset, fingerprint, signature_of
from carrel.testing.seen import Seen

__all__ = ["check_messages"]

Block = Mapping[str, Json]

MAX_IMAGE = 5 * 1024 * 1024
MAX_SIDE = 8000
MANY_IMAGES = 20
MAX_SIDE_OF_MANY = 2000
MAX_BREAKPOINTS = 4

BETA_TOOLS = {
    "computer_20241022": "computer-use-2024-10-22",
    "computer_20250124": "computer-use-2025-01-24",
    "computer_20251124": "computer-use-2025-11-24",
}
"""Tools that only exist with their beta header."""

_SAMPLING = ("temperature", "top_p", "top_k")
_SAMPLED = re.compile(r"claude-(3|opus-4(-[0-6])?|sonnet-4|haiku-4)(\D|$)")
"""Models that still take sampling parameters, which the SDK's types have left out."""

_BINDING = re.compile(r"claude-(fable|mythos)-5-[1-9]|claude-\w+-(5-[5-9]|[6-9]|\d\d)(\D|$)")
"""Models whose thinking is bound to all that was said before it: "preserved thinking"."""


def check_messages(seen: Seen, ledger: Ledger) -> None:
    """Refuse what the Messages API would.

    Raises:
        Refusal: With its words.
    """
    _check_betas(seen)
    _check_shape(seen)
    messages = [(i, role, blocks) for i, role, blocks in _messages(seen)]
    if not messages or messages[0][1] != "user":
        raise Refusal('messages: first message must use the "user" role')
    _check_thinking_config(seen)
    _check_turns(messages, seen)
    if messages[-1][1] == "assistant":
        raise Refusal(
            "This model does not support assistant message prefill. The conversation must end "
            "with a user message."
        )
    _check_thinking(messages, ledger, binds=_BINDING.search(seen.model) is not None)
    if _BINDING.search(seen.model) is not None:
        _check_bound(seen, messages, ledger)
    _check_pictures(messages)
    found = sum(1 for _ in _breakpoints(dict(seen.body)))
    if found > MAX_BREAKPOINTS:
        limit = f"A maximum of {MAX_BREAKPOINTS} blocks with cache_control may be provided."
        raise Refusal(f"{limit} Found {found}.")


def _check_betas(seen: Seen) -> None:
    import typing

    from anthropic.types.anthropic_beta_param import AnthropicBetaParam

    known = {name for each in typing.get_args(AnthropicBetaParam) for name in typing.get_args(each)}
    strange = [beta for beta in seen.betas if beta not in known]
    if strange:
        names = ", ".join(f"`{beta}`" for beta in strange)
        raise Refusal(
            f"Unexpected value(s) {names} for the `anthropic-beta` header. Please consult our "
            "documentation at docs.anthropic.com or try again without the header."
        )


def _check_shape(seen: Seen) -> None:
    from anthropic.types.beta.message_create_params import MessageCreateParams as Beta
    from anthropic.types.message_create_params import MessageCreateParams

    body = dict(seen.body)
    for name in _SAMPLING:
        if name in body and not _SAMPLED.search(seen.model):
            raise Refusal(f"`{name}` is deprecated for this model.")
        body.pop(name, None)
    for name in ("betas", "workspace_id", "user_profile_id"):
        if name in body:
            raise Refusal(f"{name}: Extra inputs are not permitted")
    found = misfit(body, Beta if seen.betas else MessageCreateParams)
    if found is not None:
        raise anthropic_misfit(found)
    tools = body.get("tools") or []
    assert isinstance(tools, list)
    for index, tool in enumerate(tools):
        assert isinstance(tool, dict)
        kind = str(tool.get("type"))
        needed = BETA_TOOLS.get(kind)
        if needed is not None and needed not in seen.betas:
            words = "does not match any of the expected tags"
            raise Refusal(f"tools.{index}: Input tag '{kind}' found using 'type' {words}")
    names = [str(tool["name"]) for tool in tools if isinstance(tool, dict) and "name" in tool]
    if len(names) != len(set(names)):
        raise Refusal("tools: Tool names must be unique.")


def _messages(seen: Seen) -> Iterator[tuple[int, str, list[Block]]]:
    """Turns: messages of one role that follow each other are one."""
    messages = seen.body.get("messages")
    assert isinstance(messages, list)
    numbered = [(i, item) for i, item in enumerate(messages) if isinstance(item, dict)]
    spoken = [(i, item) for i, item in numbered if item.get("role") != "system"]
    for role, group in groupby(spoken, key=lambda pair: str(pair[1].get("role"))):
        turn = list(group)
        yield turn[0][0], role, [block for i, item in turn for block in _blocks(i, item)]


def _blocks(index: int, message: Mapping[str, Json]) -> list[Block]:
    content = message.get("content")
    if content == [] or content == "":
        raise Refusal(f"messages.{index}: all messages must have non-empty content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    assert isinstance(content, list)
    for number, block in enumerate(content):
        assert isinstance(block, dict)
        if block.get("type") == "text" and not str(block.get("text")).strip():
            where = f"messages.{index}.content.{number}"
            raise Refusal(f"{where}: text content blocks must contain non-whitespace text")
    return [block for block in content if isinstance(block, dict)]


def _check_turns(messages: list[tuple[int, str, list[Block]]], seen: Seen) -> None:
    """Every tool use has one result, at the start of the very next message."""
    waiting: dict[str, Block] = {}
    for index, role, blocks in messages:
        if role == "user":
            _check_results(index, blocks, waiting)
            waiting = {}
        else:
            uses = [block for block in blocks if block.get("type") == "tool_use"]
            waiting = {str(block["id"]): block for block in uses}
            if len(waiting) != len(uses):
                raise Refusal(f"messages.{index}: `tool_use` ids must be unique")
            _check_members(index, uses, seen)
            if any(block.get("type") == "tool_result" for block in blocks):
                raise Refusal(
                    f"messages.{index}: `tool_result` blocks can only be in `user` messages"
                )
    _none_waiting(messages[-1][0], list(waiting))


def _check_results(index: int, blocks: list[Block], waiting: dict[str, Block]) -> None:
    answered: set[str] = set()
    first = next((i for i, b in enumerate(blocks) if b.get("type") != "tool_result"), len(blocks))
    for number, block in enumerate(blocks):
        if block.get("type") != "tool_result":
            continue
        name, where = str(block["tool_use_id"]), f"messages.{index}.content.{number}"
        if name in answered:
            many = "Found multiple `tool_result` blocks with id"
            raise Refusal(f"{where}: each tool_use must have a single result. {many}: {name}")
        if name not in waiting:
            raise Refusal(
                f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {name}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous "
                "message."
            )
        if number > first:
            break
        if (block.get("toolset_name") or None) != (waiting[name].get("toolset_name") or None):
            raise Refusal(f"{where}: `toolset_name` does not match the paired `tool_use` block")
        answered.add(name)
    _none_waiting(index - 1, [name for name in waiting if name not in answered])


def _none_waiting(index: int, left: list[str]) -> None:
    if left:
        raise Refusal(
            f"messages.{index}: `tool_use` ids were found without `tool_result` blocks "
            f"immediately after: {', '.join(left)}. Each `tool_use` block must have a "
            "corresponding `tool_result` block in the next message."
        )


def _check_members(index: int, uses: list[Block], seen: Seen) -> None:
    for block in uses:
        toolset = block.get("toolset_name")
        if toolset is None:
            continue
        if toolset != "computer" or block.get("name") not in MEMBERS or not declares_toolset(seen):
            name = f"{toolset}.{block.get('name')}"
            raise Refusal(f"messages.{index}: `{name}` is not a member of a declared toolset")


def _check_thinking_config(seen: Seen) -> None:
    config, most = seen.body.get("thinking"), seen.body.get("max_tokens")
    assert isinstance(most, int)
    if most < 1:
        raise Refusal("max_tokens: Input should be greater than or equal to 1")
    if not isinstance(config, dict) or config.get("type") != "enabled":
        return
    budget = config.get("budget_tokens")
    assert isinstance(budget, int)
    if budget < 1024:
        words = "Input should be greater than or equal to 1024"
        raise Refusal(f"thinking.enabled.budget_tokens: {words}")
    if most <= budget:
        raise Refusal("`max_tokens` must be greater than `thinking.budget_tokens`.")
    choice = seen.body.get("tool_choice")
    if isinstance(choice, dict) and choice.get("type") in ("any", "tool"):
        raise Refusal("Thinking may not be enabled when tool_choice forces tool use.")


def _check_thinking(
    messages: list[tuple[int, str, list[Block]]], ledger: Ledger, *, binds: bool
) -> None:
    for index, _, blocks in messages:
        signatures: list[str] = []
        for number, block in enumerate(blocks):
            where = f"messages.{index}.content.{number}"
            if block.get("type") == "thinking":
                if not ledger.signed(block["signature"], "thinking", block["thinking"]):
                    raise Refusal(f"{where}: Invalid `signature` in `thinking` block")
                signatures.append(str(block["signature"]))
            elif block.get("type") == "redacted_thinking":
                if not ledger.signed(block["data"], "redacted"):
                    raise Refusal(f"{where}: Invalid `data` in `redacted_thinking` block")
                signatures.append(str(block["data"]))
            elif block.get("type") == "tool_use" and not binds:
                wanted = ledger.thinking.get(str(block["id"]), ())
                if any(signature not in signatures for signature in wanted):
                    raise Refusal(
                        f"{where}: Expected `thinking` or `redacted_thinking`, but found "
                        "`tool_use`. `thinking` or `redacted_thinking` blocks in the response "
                        "must remain as they were."
                    )


def _check_bound(seen: Seen, messages: list[tuple[int, str, list[Block]]], ledger: Ledger) -> None:
    """Thinking may be left out from the start on; what is sent follows what it followed before."""
    previous: str | None = None
    for index, _, blocks in messages:
        prefix = fingerprint(seen, index)
        for number, block in enumerate(blocks):
            signature = signature_of(dict(block))
            if signature is None:
                continue
            known = ledger.bound.get(signature, set())
            if not any(p == prefix and previous in (None, b) for p, b in known):
                raise Refusal(
                    f"messages.{index}.content.{number}: Invalid `signature` in `thinking` block: "
                    "it was made in a different conversation, whose earlier content has changed."
                )
            previous = signature


def _check_pictures(messages: list[tuple[int, str, list[Block]]]) -> None:
    found = [
        (f"messages.{index}.content.{number}{rest}", source)
        for index, _, blocks in messages
        for number, block in enumerate(blocks)
        for rest, source in _sources(block)
    ]
    limit = MAX_SIDE_OF_MANY if len(found) > MANY_IMAGES else MAX_SIDE
    for where, source in found:
        _check_picture(f"{where}.image.source.base64", source, limit)


def _sources(block: Block) -> Iterator[tuple[str, Block]]:
    if block.get("type") == "image":
        source = block.get("source")
        if isinstance(source, dict) and source.get("type") == "base64":
            yield "", source
    content = block.get("content")
    for number, inner in enumerate(content if isinstance(content, list) else ()):
        if isinstance(inner, dict):
            yield from ((f".tool_result.content.{number}", src) for _, src in _sources(inner))


def _check_picture(where: str, source: Block, limit: int) -> None:
    data = str(source.get("data"))
    if len(data) > MAX_IMAGE:
        raise Refusal(f"{where}: image exceeds 5 MB maximum: {len(data)} bytes > {MAX_IMAGE} bytes")
    image = _images.decode(data)
    if image is None:
        raise Refusal("Could not process image")
    if image.media_type != source.get("media_type"):
        given, kind = source.get("media_type"), image.media_type
        raise Refusal(
            f"{where}.data: Image does not match the provided media type {given}, but is {kind}"
        )
    if max(image.width, image.height) > limit:
        many = " for many-image requests" if limit == MAX_SIDE_OF_MANY else ""
        raise Refusal(
            f"{where}.data: At least one of the image dimensions exceed max allowed size{many}: "
            f"{limit} pixels"
        )


def _breakpoints(value: Json) -> Iterator[None]:
    if isinstance(value, list):
        for item in value:
            yield from _breakpoints(item)
    elif isinstance(value, dict):
        if isinstance(value.get("cache_control"), dict):
            yield None
        for key, item in value.items():
            # The arguments of a call and a tool's schema may hold anything.
            if key not in ("input", "input_schema"):
                yield from _breakpoints(item)
