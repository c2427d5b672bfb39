"""What Gemini's `generateContent` refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from carrel.codec import Json
from carrel.models.transports import sdk
from carrel.testing import _images
from carrel.testing._ledger import Ledger
from carrel.testing._refusals import Refusal, gemini_misfit
from carrel.testing._shape import Misfit, misfit
from carrel.testing.seen import Seen

__all__ = ["check_generate"]

Part = Mapping[str, Json]

SKIPPED = ("skip_thought_signature_validator", "context_engineering_is_the_way_to_go")
"""Documented stand-ins for the signature of a call that Gemini did not make."""

MAX_BODY = 20 * 1024 * 1024


def check_generate(seen: Seen, ledger: Ledger) -> None:
    """Refuse what `generateContent` would.

    Raises:
        Refusal: With its words.
    """
    _check_shape(seen)
    contents = _get(seen.body, "contents")
    if not isinstance(contents, list) or not contents:
        raise Refusal("* GenerateContentRequest.contents: contents is not specified")
    turns: list[tuple[str, list[Part]]] = []
    for index, content in enumerate(contents):
        assert isinstance(content, dict)
        turns.append(_turn(index, content))
    _check_order(turns)
    _check_signatures(turns, seen, ledger)
    for _, parts in turns:
        for part in parts:
            _check_pictures(part)


def _get(value: Mapping[str, Json], name: str) -> Json:
    """A field by its camel-case name, or as it is written in snake case: JSON may use both."""
    snake = re.sub(r"([A-Z])", lambda match: "_" + match[1].lower(), name)
    return value.get(name, value.get(snake))


def _check_shape(seen: Seen) -> None:
    sdk.load("google.genai", "gemini")
    from google.genai import types

    known: dict[str, object] = {
        "contents": list[types.Content],
        "systemInstruction": types.Content,
        "tools": list[types.Tool],
        "toolConfig": types.ToolConfig,
        "safetySettings": list[types.SafetySetting],
        "generationConfig": types.GenerationConfig,
        "cachedContent": str,
        "serviceTier": str,
        "labels": dict[str, str],
    }
    for name, value in seen.body.items():
        camel = re.sub(r"_([a-z])", lambda match: match[1].upper(), name)
        if camel not in known:
            raise gemini_misfit(Misfit("unknown", (name,)))
        found = misfit(value, known[camel], (name,))
        if found is not None:
            raise gemini_misfit(found)


def _turn(index: int, content: Mapping[str, Json]) -> tuple[str, list[Part]]:
    role, parts = content.get("role") or "user", content.get("parts")
    if role not in ("user", "model", "function"):
        raise Refusal("Please use a valid role: user, model.")
    if not isinstance(parts, list) or not parts:
        where = f"* GenerateContentRequest.contents[{index}].parts"
        raise Refusal(f"{where}: contents.parts must not be empty.")
    found: list[Part] = [part for part in parts if isinstance(part, dict)]
    kinds = ("text", "inlineData", "fileData", "functionCall", "functionResponse")
    for number, part in enumerate(found):
        data = [kind for kind in kinds if _get(part, kind) is not None]
        if len(data) != 1:
            where = f"contents[{index}].parts[{number}].data"
            raise Refusal(f"* GenerateContentRequest.{where}: required oneof field 'data'")
    return "user" if role == "function" else str(role), found


def _check_order(turns: list[tuple[str, list[Part]]]) -> None:
    waiting: list[Part] = []
    before = ""
    for role, parts in turns:
        calls = list(_of(parts, "functionCall"))
        answers = list(_of(parts, "functionResponse"))
        if answers and (role != "user" or not waiting):
            raise Refusal(
                "Please ensure that function response turn comes immediately after a function "
                "call turn."
            )
        if waiting and len(answers) != len(waiting):
            raise Refusal(
                "Please ensure that the number of function response parts is equal to the number "
                "of function call parts of the function call turn."
            )
        _check_answers(waiting, answers)
        if calls and (role != "model" or before != "user"):
            raise Refusal(
                "Please ensure that function call turn comes immediately after a user turn or "
                "after a function response turn."
            )
        waiting, before = calls, role
    if waiting:
        raise Refusal(
            "Please ensure that function call turn is followed by a function response turn."
        )


def _of(parts: list[Part], kind: str) -> Iterator[Part]:
    for part in parts:
        found = _get(part, kind)
        if isinstance(found, dict):
            yield found


def _check_answers(calls: list[Part], answers: list[Part]) -> None:
    for call, answer in zip(calls, answers, strict=True):
        if answer.get("name") != call.get("name"):
            wrong = f"{answer.get('name')!r} does not answer {call.get('name')!r}"
            raise Refusal(f"Function response {wrong}.")
        if answer.get("id") is not None and answer.get("id") != call.get("id"):
            raise Refusal(f"Function response id {answer.get('id')!r} matches no function call.")
        _check_acknowledged(call, answer)


def _check_acknowledged(call: Part, answer: Part) -> None:
    args, response = call.get("args"), answer.get("response")
    decision = args.get("safety_decision") if isinstance(args, dict) else None
    asked = isinstance(decision, dict) and decision.get("decision") == "require_confirmation"
    given = response.get("safety_acknowledgement") if isinstance(response, dict) else None
    if asked and str(given).lower() != "true":
        raise Refusal(
            f"The safety decision of function call {call.get('name')!r} requires confirmation and "
            "its function response holds no safety_acknowledgement."
        )


def _check_signatures(turns: list[tuple[str, list[Part]]], seen: Seen, ledger: Ledger) -> None:
    """Of each model turn the first call is signed; Gemini 3 and later insist on it."""
    strict = re.match(r"gemini-([3-9]|\d\d)", seen.model) is not None
    for position, (role, parts) in enumerate(turns, 1):
        calls = [part for part in parts if _get(part, "functionCall") is not None]
        if role != "model" or not calls:
            continue
        call, signature = _get(calls[0], "functionCall"), _get(calls[0], "thoughtSignature")
        assert isinstance(call, dict)
        if signature is None and strict:
            raise Refusal(
                "Function call is missing a thought_signature in functionCall parts. This is "
                "required for tools to work correctly, and missing thought_signature may lead to "
                "degraded model performance. Additional data, function call "
                f"`default_api:{call.get('name')}` , position {position}."
            )
        if signature is None or signature in SKIPPED:
            continue
        if not ledger.signed(signature, "call", call):
            raise Refusal("Thought signature is not valid.")


def _check_pictures(part: Part) -> None:
    holders = [part]
    response = _get(part, "functionResponse")
    if isinstance(response, dict):
        inner = response.get("parts") or []
        assert isinstance(inner, list)
        holders += [item for item in inner if isinstance(item, dict)]
    for holder in holders:
        blob = _get(holder, "inlineData")
        kind = str(_get(blob, "mimeType")) if isinstance(blob, dict) else ""
        if isinstance(blob, dict) and kind.startswith("image/"):
            image = _images.decode(str(blob.get("data")))
            if image is None or image.media_type != kind:
                raise Refusal("Unable to process input image. Please retry or report.")
