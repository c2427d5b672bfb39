"""The fake `generateContent` refuses what the real one refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from wire_client import Client, cut_png, png

from carrel.codec import Json
from carrel.decisions import SafetyCheck
from carrel.testing import FakeProvider, gemini

SKIPPED = "skip_thought_signature_validator"


@pytest.fixture(scope="module")
def provider() -> Iterator[FakeProvider]:
    with FakeProvider() as found:
        yield found


@pytest.fixture
def client(provider: FakeProvider) -> Client:
    return Client(provider, "gemini")


def user(*parts: Json) -> Json:
    return {"role": "user", "parts": list(parts)}


def model(*parts: Json) -> Json:
    return {"role": "model", "parts": list(parts)}


def text(words: str) -> Json:
    return {"text": words}


def call(name: str = "click_at", signature: str | None = SKIPPED, **args: Json) -> Json:
    found: dict[str, Json] = {"functionCall": {"name": name, "args": args}}
    return found if signature is None else {**found, "thoughtSignature": signature}


def answer(name: str = "click_at", *parts: Json, **response: Json) -> Json:
    return {"functionResponse": {"name": name, "response": response, "parts": list(parts)}}


def picture(data: str, kind: str = "image/png") -> Json:
    return {"inlineData": {"mimeType": kind, "data": data}}


def request(*contents: Json, **more: Json) -> dict[str, Json]:
    tools: Json = [{"computerUse": {"environment": "ENVIRONMENT_DESKTOP"}}]
    return {"contents": [user(text("Do it.")), *contents], "tools": tools, **more}


SAFE: Json = {"decision": "require_confirmation", "explanation": "Look out."}

REFUSED: list[tuple[dict[str, Json], str]] = [
    (request(foo=1), 'Unknown name "foo"'),
    (request(model="gemini"), 'Unknown name "model"'),
    (request(user({"text": "x", "foo": 1})), "Unknown name \"foo\" at 'contents[1].parts[0]'"),
    (request(generationConfig={"temperature": "hot"}), "generationConfig.temperature"),
    (request(generationConfig={"maxTokens": 9}), 'Unknown name "maxTokens"'),
    (request(tools=[{"computerUse": {"environment": "DESK"}}]), "environment"),
    ({"contents": []}, "contents is not specified"),
    ({}, "contents is not specified"),
    (request(user()), "parts must not be empty"),
    (request(user({"thought": True})), "required oneof field 'data'"),
    (request({"role": "assistant", "parts": [text("x")]}), "valid role: user, model"),
    (request(model(call())), "is followed by a function response turn"),
    (request(model(call()), user(text("x"))), "number of function response parts is equal"),
    (
        request(model(call(), call("wait", None)), user(answer())),
        "number of function response parts is equal",
    ),
    (request(model(call()), user(answer(), answer())), "number of function response parts"),
    (request(user(answer())), "immediately after a function call turn"),
    (
        request(model(call()), user(answer()), model(text("x")), user(answer())),
        "immediately after a function call turn",
    ),
    (
        request(model(text("x")), model(call()), user(answer())),
        "comes immediately after a user turn",
    ),
    (request(user(call()), user(answer())), "comes immediately after a user turn"),
    (request(model(call()), user(answer("wait"))), "'wait' does not answer 'click_at'"),
    (request(model(call(signature=None)), user(answer())), "missing a thought_signature"),
    (request(model(call(signature="AAAA")), user(answer())), "Thought signature is not valid"),
    (request(model(call(signature="!")), user(answer())), "thoughtSignature"),
    (request(user(picture("AAAA"))), "Unable to process input image"),
    (request(user(picture(cut_png()))), "Unable to process input image"),
    (request(user(picture(png(), "image/jpeg"))), "Unable to process input image"),
    (
        request(model(call()), user(answer("click_at", picture("AAAA")))),
        "Unable to process input image",
    ),
    (
        request(model(call(safety_decision=SAFE)), user(answer())),
        "requires confirmation",
    ),
]


@pytest.mark.parametrize(("body", "words"), REFUSED)
def test_it_refuses(client: Client, body: dict[str, Json], words: str) -> None:
    assert re.search(re.escape(words), client.refusal(body))


def test_what_fits_is_answered(client: Client) -> None:
    client.provider.script(gemini.text("Yes."))
    client.ask(
        request(
            model(text("I click."), call(safety_decision=SAFE), call("wait", None)),
            user(
                answer("click_at", picture(png()), safety_acknowledgement="true", url=""),
                answer("wait"),
                text("And now?"),
            ),
            system_instruction={"parts": [text("Be quick.")]},
            generationConfig={"temperature": 0.1, "thinkingConfig": {"thinkingLevel": "HIGH"}},
        )
    )


def test_a_wrong_key_is_refused_as_gemini_does_it(client: Client) -> None:
    wrong = client.post(request(), key="AIza-wrong")
    assert wrong.status_code == 400
    assert wrong.json()["error"]["details"][0]["reason"] == "API_KEY_INVALID"
    missing = client.post(request(), key="")
    assert missing.status_code == 403
    assert missing.json()["error"]["status"] == "PERMISSION_DENIED"


def test_a_call_must_come_back_signed_and_unchanged(client: Client) -> None:
    check = SafetyCheck("s", "c", "Look out.")
    made = gemini.function_call("click_at", {"x": 1}, checks=[check]) + gemini.function_call(
        "wait", {}
    )
    client.provider.script(made, gemini.text("Done."))
    candidates = client.ask(request())["candidates"]
    assert isinstance(candidates, list)
    assert isinstance(candidates[0], dict)
    content = candidates[0]["content"]
    assert isinstance(content, dict)
    parts = content["parts"]
    assert isinstance(parts, list)
    first, second = parts
    assert isinstance(first, dict)
    assert "thoughtSignature" not in str(second)
    answered = user(answer(safety_acknowledgement="true"), answer("wait"))
    inner = first["functionCall"]
    assert isinstance(inner, dict)
    hidden: Json = {**first, "functionCall": {**inner, "args": {"x": 1}}}
    refused = client.refusal(request(model(hidden, second), user(answer(), answer("wait"))))
    assert refused == "Thought signature is not valid."
    client.ask(request(content, answered))
