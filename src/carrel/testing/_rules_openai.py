"""What OpenAI's Responses and chat completions refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from carrel.codec import Json
from carrel.testing import _images
from carrel.testing._ledger import Ledger
from carrel.testing._refusals import Refusal, openai_misfit
from carrel.testing._shape import misfit
from carrel.testing.openai import given_items
from carrel.testing.seen import Seen

__all__ = ["check_chat", "check_responses"]

Item = Mapping[str, Json]

_OUTPUTS = {
    "computer_call_output": "computer_call",
    "function_call_output": "function_call",
    "custom_tool_call_output": "custom_tool_call",
}
_FORMATS = ("image/png", "image/jpeg", "image/webp", "image/gif")


def check_responses(seen: Seen, ledger: Ledger) -> None:
    """Refuse what the Responses API would.

    Raises:
        Refusal: With its words.
    """
    from openai.types.responses.response_create_params import ResponseCreateParams

    found = misfit(dict(seen.body), ResponseCreateParams)
    if found is not None:
        raise openai_misfit(found)
    if not seen.model:
        raise Refusal("you must provide a model parameter", param="model")
    items = list(_conversation(seen, ledger))
    _check_preview(seen)
    _check_calls(items)
    for index, item in enumerate(items):
        _check_reasoning(index, item, items, seen, ledger)
        _check_safety(item, items, ledger)
        _check_pictures(item)


def _conversation(seen: Seen, ledger: Ledger) -> Iterator[Item]:
    previous = seen.body.get("previous_response_id")
    if isinstance(previous, str) and previous not in ledger.stored:
        raise Refusal(
            f"Previous response with id '{previous}' not found.",
            code="previous_response_not_found",
            param="previous_response_id",
        )
    if not seen.body.get("input") and previous is None:
        raise Refusal("Missing required parameter: 'input'.", param="input")
    for item in (*ledger.stored.get(str(previous), []), *given_items(seen)):
        assert isinstance(item, dict)
        yield item


def _check_preview(seen: Seen) -> None:
    tools = seen.body.get("tools")
    given = tools if isinstance(tools, list) else []
    kinds = [tool.get("type") for tool in given if isinstance(tool, dict)]
    if "computer_use_preview" in kinds and seen.body.get("truncation") != "auto":
        message = "Computer use requires truncation to be set to 'auto'."
        raise Refusal(message, code="invalid_value", param="truncation")


def _check_calls(items: list[Item]) -> None:
    """Every call has exactly one output of its kind, after it."""
    open_calls: dict[str, str] = {}
    answered: set[str] = set()
    for item in items:
        kind, call = str(item.get("type")), str(item.get("call_id"))
        if kind in _OUTPUTS.values():
            open_calls[call] = kind
        elif kind in _OUTPUTS:
            words = kind.replace("_output", "").replace("_", " ")
            if call in answered:
                raise Refusal(f"Duplicate output for {words} {call}.", param="input")
            if open_calls.get(call) != _OUTPUTS[kind]:
                message = f"No tool call found for {words} output with call_id {call}."
                raise Refusal(message, param="input")
            answered.add(call)
    for call, kind in open_calls.items():
        if call not in answered:
            words = kind.replace("_", " ")
            raise Refusal(f"No tool output found for {words} {call}.", param="input")


def _check_reasoning(index: int, item: Item, items: list[Item], seen: Seen, ledger: Ledger) -> None:
    name, kind = str(item.get("id", "")), str(item.get("type"))
    if kind == "reasoning":
        _check_encrypted(item, seen, ledger)
        after = items[index + 1] if index + 1 < len(items) else {}
        spoken = after.get("type") == "message" and after.get("role") == "assistant"
        if not spoken and not str(after.get("type")).endswith("_call"):
            raise Refusal(
                f"Item '{name}' of type 'reasoning' was provided without its required "
                "following item.",
                param="input",
            )
    needed = ledger.needs.get(name)
    if needed and needed not in [each.get("id") for each in items]:
        raise Refusal(
            f"Item '{name}' of type '{kind}' was provided without its required "
            f"'reasoning' item: '{needed}'.",
            param="input",
        )


def _check_encrypted(item: Item, seen: Seen, ledger: Ledger) -> None:
    name, encrypted = str(item.get("id")), item.get("encrypted_content")
    if encrypted is not None:
        if not ledger.signed(encrypted, "reasoning", name):
            raise Refusal(
                f"The encrypted content for item {name} could not be verified.",
                code="invalid_encrypted_content",
            )
        return
    stored = {
        str(each.get("id"))
        for items in ledger.stored.values()
        for each in items
        if isinstance(each, dict)
    }
    if seen.body.get("store") is False or name not in stored:
        raise Refusal(
            f"Item with id '{name}' not found. Items are not persisted when `store` is set to "
            "false. Try again with `store` set to true, or remove this item from your input.",
            status=404,
            param="input",
        )


def _check_safety(item: Item, items: list[Item], ledger: Ledger) -> None:
    if item.get("type") != "computer_call_output":
        return
    call = str(item.get("call_id"))
    asked = next(each for each in items if each.get("call_id") == call)
    pending = _ids(ledger.checks.get(call, asked.get("pending_safety_checks")))
    if pending != _ids(asked.get("pending_safety_checks")):
        raise Refusal(f"The safety checks of computer call {call} were changed.", param="input")
    acknowledged = _ids(item.get("acknowledged_safety_checks"))
    left = [name for name in pending if name not in acknowledged]
    if left:
        raise Refusal(f"Computer tool has unacknowledged safety check for {left}", param="input")
    extra = [name for name in acknowledged if name not in pending]
    if extra:
        message = f"Acknowledged safety checks {extra} were not pending for computer call {call}."
        raise Refusal(message, param="input")


def _ids(checks: Json) -> list[str]:
    found = checks if isinstance(checks, list) else []
    return [str(check.get("id")) for check in found if isinstance(check, dict)]


def _check_pictures(item: Item) -> None:
    parts: list[Json] = []
    for name in ("content", "output"):
        value = item.get(name)
        parts += value if isinstance(value, list) else [value]
    for part in parts:
        if isinstance(part, dict) and part.get("type") in ("input_image", "computer_screenshot"):
            _check_picture(part.get("image_url"), part.get("file_id"))


def _check_picture(url: Json, file: Json) -> None:
    if url is None and file is None:
        raise Refusal("Missing required parameter: 'image_url'.", param="image_url")
    if not isinstance(url, str) or url.startswith(("https://", "http://")):
        return
    image = _images.decode_url(url)
    if image is None or image.media_type not in _FORMATS:
        message = (
            "The image data you provided does not represent a valid image. Please check your "
            "input and try again with one of the supported image formats."
        )
        raise Refusal(message, code="invalid_image_format", param="input")


def check_chat(seen: Seen, ledger: Ledger) -> None:
    """Refuse what chat completions would.

    Raises:
        Refusal: With its words.
    """
    from openai.types.chat.completion_create_params import CompletionCreateParams

    body = dict(seen.body)
    if _OWN.match(seen.model) is None:
        body = {name: value for name, value in body.items() if name not in _check_extras(body)}
    found = misfit(body, CompletionCreateParams)
    if found is not None:
        raise openai_misfit(found)
    messages = seen.body.get("messages")
    assert isinstance(messages, list)
    if not messages:
        raise Refusal("[] is too short - 'messages'", code="empty_array", param="messages")
    if "stream_options" in seen.body and not seen.stream:
        message = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        raise Refusal(message, param="stream_options")
    _check_tool_messages(messages)
    for message_ in messages:
        assert isinstance(message_, dict)
        _check_chat_pictures(message_)


_OWN = re.compile(r"(?:gpt|chatgpt|computer-use|o\d)")
"""How OpenAI's own models are called; other servers take more than OpenAI does."""

# Of vLLM and SGLang, from vLLM's "Extra parameters for Chat API".
_EXTRAS: dict[str, tuple[type, ...]] = {
    "top_k": (int,),
    "min_p": (int, float),
    "repetition_penalty": (int, float),
    "skip_special_tokens": (bool,),
    "spaces_between_special_tokens": (bool,),
    "chat_template_kwargs": (dict,),
}


def _check_extras(body: Mapping[str, Json]) -> set[str]:
    """The names of further parameters that open servers take."""
    for name, kinds in _EXTRAS.items():
        if name in body and not isinstance(body[name], kinds):
            raise Refusal(f"Invalid type for '{name}'.", param=name)
    return set(_EXTRAS)


def _check_tool_messages(messages: list[Json]) -> None:
    waiting: list[str] = []
    for index, message in enumerate(messages):
        assert isinstance(message, dict)
        if message.get("role") != "tool":
            _none_waiting(waiting, index)
            calls = message.get("tool_calls") or []
            assert isinstance(calls, list)
            waiting = [str(call["id"]) for call in calls if isinstance(call, dict)]
        elif str(message.get("tool_call_id")) in waiting:
            waiting.remove(str(message["tool_call_id"]))
        else:
            raise Refusal(
                "Invalid parameter: messages with role 'tool' must be a response to a preceding "
                "message with 'tool_calls'.",
                param=f"messages.[{index}].role",
            )
    _none_waiting(waiting, len(messages))


def _none_waiting(waiting: list[str], index: int) -> None:
    if waiting:
        raise Refusal(
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            + ", ".join(waiting),
            param=f"messages.[{index}].role",
        )


def _check_chat_pictures(message: Item) -> None:
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "image_url":
            if message.get("role") != "user":
                raise Refusal("Image URLs are only allowed for messages with role 'user'.")
            image = part.get("image_url")
            assert isinstance(image, dict)
            _check_picture(image.get("url"), None)
