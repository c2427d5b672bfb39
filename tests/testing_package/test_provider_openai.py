"""The fake Responses API and chat completions refuse what the real ones refuse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from wire_client import Client, cut_png, png

from carrel.codec import Json
from carrel.decisions import SafetyCheck
from carrel.testing import FakeProvider, chat, openai

CLICK: dict[str, Json] = {"type": "click", "x": 1, "y": 2, "button": "left"}
CHECKS = [SafetyCheck("sc_1", "malicious_instructions", "Look out.")]
USER: Json = {"role": "user", "content": "Do it."}


@pytest.fixture(scope="module")
def provider() -> Iterator[FakeProvider]:
    with FakeProvider() as found:
        yield found


@pytest.fixture
def client(provider: FakeProvider) -> Client:
    return Client(provider, "responses")


@pytest.fixture
def completions(provider: FakeProvider) -> Client:
    return Client(provider, "chat")


def request(*items: Json, **more: Json) -> dict[str, Json]:
    start: dict[str, Json] = {"model": "gpt", "input": [USER, *items], "store": False}
    return {**start, "tools": [{"type": "computer"}], **more}


def call(**changes: Json) -> dict[str, Json]:
    found: dict[str, Json] = {
        "type": "computer_call",
        "id": "cu_x",
        "call_id": "call_x",
        "status": "completed",
        "pending_safety_checks": [],
        "actions": [CLICK],
    }
    return {**found, **changes}


def output(call_id: str = "call_x", data: str | None = None, **changes: Json) -> dict[str, Json]:
    url = f"data:image/png;base64,{png() if data is None else data}"
    screen: Json = {"type": "computer_screenshot", "image_url": url}
    found: dict[str, Json] = {"type": "computer_call_output", "call_id": call_id, "output": screen}
    return {**found, **changes}


def function(call_id: str = "f1") -> dict[str, Json]:
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}"}


def returned(call_id: str = "f1") -> dict[str, Json]:
    return {"type": "function_call_output", "call_id": call_id, "output": "yes"}


def test_what_fits_is_answered(client: Client) -> None:
    client.provider.script(openai.text("Yes."))
    picture: Json = {
        "type": "input_image",
        "detail": "auto",
        "image_url": f"data:image/png;base64,{png()}",
    }
    seen: Json = {"role": "user", "content": [{"type": "input_text", "text": "Look."}, picture]}
    client.ask(request(seen, call(), output(), function(), returned()))
    assert client.provider.seen[-1].refused == ""


REFUSED: list[tuple[dict[str, Json], str]] = [
    (request(foo=1), "Unknown parameter: 'foo'"),
    (request(call(foo=1), output()), r"Unknown parameter: 'input\[1\].foo'"),
    (request(max_output_tokens="9"), "Invalid type for 'max_output_tokens'"),
    (request(truncation="maybe"), "Invalid value for 'truncation'"),
    (request({"type": "computer_cal"}), r"Invalid value for 'input\[1\].type'"),
    (request({"role": "boss", "content": "x"}), r"input\[1\]"),
    (request(tools=[{"type": "computer", "display_width": 1}]), "tools.0..display_width"),
    (request(tools=[{"type": "computer_20251124"}]), r"'tools\[0\].type'"),
    (request(call(actions=[{**CLICK, "x": 1.5}]), output()), r"actions\[0\].x'"),
    (request(call(actions=[{**CLICK, "x": True}]), output()), r"actions\[0\].x'"),
    (request(call(actions=[{"type": "hop"}]), output()), r"actions\[0\].type'"),
    ({"input": "x"}, "must provide a model"),
    ({"model": "gpt"}, "Missing required parameter: 'input'"),
    (request(call()), "No tool output found for computer call call_x"),
    (request(function()), "No tool output found for function call f1"),
    (request(output()), "No tool call found for computer call output with call_id call_x"),
    (request(output(), call()), "No tool call found for computer call output"),
    (request(returned()), "No tool call found for function call output with call_id f1"),
    (request(function("call_x"), output()), "No tool call found for computer call output"),
    (request(call(), output(), output()), "Duplicate output for computer call call_x"),
    (request(call(), output(data="AAAA")), "does not represent a valid image"),
    (request(call(), output(data="not base64!")), "does not represent a valid image"),
    (request(call(), output(data=cut_png())), "does not represent a valid image"),
    (
        request(call(), output(output={"type": "input_image", "image_url": "x"})),
        r"'input\[2\].output.type'",
    ),
    (request(call(), output(output={"type": "computer_screenshot"})), "image_url"),
    (request(call(), output(output="a screen")), r"'input\[2\].output'"),
    (request(call(), output(acknowledged_safety_checks=[{"id": "sc_9"}])), "were not pending"),
    (
        request(call(pending_safety_checks=[{"id": "sc_9"}]), output()),
        r"unacknowledged safety check for \['sc_9'\]",
    ),
    (request({"type": "reasoning", "id": "rs_9", "summary": []}), "rs_9' not found"),
    (request(previous_response_id="resp_9"), "'resp_9' not found"),
    (
        request(
            tools=[
                {
                    "type": "computer_use_preview",
                    "display_width": 9,
                    "display_height": 9,
                    "environment": "linux",
                }
            ]
        ),
        "truncation",
    ),
]


@pytest.mark.parametrize(("body", "words"), REFUSED)
def test_it_refuses(client: Client, body: dict[str, Json], words: str) -> None:
    import re

    assert re.search(words, client.refusal(body))


@pytest.mark.parametrize("key", ["", "sk-wrong-key-of-some-length"])
def test_it_refuses_a_wrong_key(client: Client, key: str) -> None:
    response = client.post(request(), key=key)
    assert response.status_code == 401
    assert response.json()["error"]["type"] == "invalid_request_error"
    assert not key or key not in response.text


def test_it_refuses_what_is_no_json_and_what_is_no_path(provider: FakeProvider) -> None:
    import httpx2

    head = {"authorization": f"Bearer {provider.key}"}
    bad = httpx2.post(f"{provider.url}/v1/responses", content=b"{", headers=head)
    assert bad.status_code == 400
    assert httpx2.post(f"{provider.url}/v1/nowhere", json={}, headers=head).status_code == 404


def test_pending_checks_must_be_acknowledged_as_they_were(client: Client) -> None:
    client.provider.script(openai.computer_call([CLICK], checks=CHECKS), openai.text("Done."))
    made = client.ask(request())["output"]
    assert isinstance(made, list)
    item = made[0]
    assert isinstance(item, dict)
    name = str(item["call_id"])
    known: Json = [{"id": "sc_1"}]
    assert "unacknowledged" in client.refusal(request(item, output(name)))
    hidden = {**item, "pending_safety_checks": []}
    assert "were changed" in client.refusal(request(hidden, output(name)))
    client.ask(request(item, output(name, acknowledged_safety_checks=known)))


def test_reasoning_must_come_back_encrypted_and_unchanged(client: Client) -> None:
    client.provider.script(openai.reasoning("Hm.") + openai.computer_call([CLICK]))
    made = client.ask(request(include=["reasoning.encrypted_content"]))["output"]
    assert isinstance(made, list)
    thought, item = made
    assert isinstance(thought, dict)
    assert isinstance(item, dict)
    shown = output(str(item["call_id"]))
    forged = {**thought, "encrypted_content": "gAAA"}
    bare = {key: value for key, value in thought.items() if key != "encrypted_content"}
    assert "could not be verified" in client.refusal(request(forged, item, shown))
    assert "Items are not persisted" in client.refusal(request(bare, item, shown))
    assert "without its required 'reasoning' item" in client.refusal(request(item, shown))
    assert "required following item" in client.refusal(request(thought))
    client.provider.script(openai.text("Done."))
    client.ask(request(thought, item, shown))


def test_reasoning_is_not_encrypted_when_nobody_asks(client: Client) -> None:
    client.provider.script(openai.reasoning("Hm.") + openai.text("Yes."))
    assert "encrypted_content" not in str(client.ask(request()))


def test_a_stored_response_is_gone_on_with(client: Client) -> None:
    client.provider.script(openai.computer_call([CLICK]), openai.text("Done."))
    first = client.ask({"model": "gpt", "input": "Do it.", "tools": [{"type": "computer"}]})
    made = first["output"]
    assert isinstance(made, list)
    assert isinstance(made[0], dict)
    more: dict[str, Json] = {"model": "gpt", "previous_response_id": first["id"]}
    name = str(made[0]["call_id"])
    assert "No tool output found" in client.refusal({**more, "input": [USER]})
    client.ask({**more, "input": [output(name)]})


def test_preview_needs_its_own_form(client: Client) -> None:
    tool: Json = {
        "type": "computer_use_preview",
        "display_width": 9,
        "display_height": 9,
        "environment": "linux",
    }
    client.provider.script(openai.computer_call([CLICK], preview=True))
    made = client.ask(request(tools=[tool], truncation="auto"))["output"]
    assert isinstance(made, list)
    assert isinstance(made[0], dict)
    assert made[0]["action"] == CLICK


def test_a_script_that_has_ended_is_a_refusal_and_no_reason_to_retry(client: Client) -> None:
    assert "the script has no answer" in client.refusal(request())


def test_an_answer_of_another_wire_is_said_so(client: Client) -> None:
    client.provider.script(chat.text("Yes."))
    response = client.post(request())
    assert "the script's answer is for openai-chat" in response.text


def chat_body(*messages: Json, **more: Json) -> dict[str, Json]:
    return {"model": "qwen", "messages": [USER, *messages], **more}


CALLED: Json = {
    "role": "assistant",
    "tool_calls": [
        {"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}}
        for name in ("c1", "c2")
    ],
}


def tool(name: str) -> Json:
    return {"role": "tool", "tool_call_id": name, "content": "yes"}


def image(data: str) -> Json:
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


CHAT_REFUSED: list[tuple[dict[str, Json], str]] = [
    (chat_body(foo=1), "Unknown parameter: 'foo'"),
    (chat_body({"role": "user", "content": "x", "foo": 1}), "messages.1..foo"),
    ({"messages": [USER]}, "Missing required parameter: 'model'"),
    ({"model": "qwen", "messages": []}, "too short"),
    (chat_body(temperature="hot"), "Invalid type for 'temperature'"),
    (chat_body(tool("c1")), "must be a response to a preceding"),
    (chat_body(CALLED), "did not have response messages: c1, c2"),
    (chat_body(CALLED, tool("c1")), "did not have response messages: c2"),
    (chat_body(CALLED, tool("c1"), USER, tool("c2")), "did not have response messages: c2"),
    (chat_body(CALLED, tool("c1"), tool("c1")), "must be a response to a preceding"),
    (chat_body({"role": "user", "content": [image("AAAA")]}), "valid image"),
    (chat_body({"role": "system", "content": [image(png())]}), "content.0..type"),
    (chat_body(stream_options={"include_usage": True}), "only allowed when 'stream'"),
    (chat_body(tools=[{"type": "computer"}]), "tools.0..type"),
]


@pytest.mark.parametrize(("body", "words"), CHAT_REFUSED)
def test_completions_refuse(completions: Client, body: dict[str, Json], words: str) -> None:
    import re

    assert re.search(words, completions.refusal(body))


def test_completions_that_fit_are_answered(completions: Client) -> None:
    completions.provider.script(chat.text("Yes."))
    shown: Json = {"role": "user", "content": [{"type": "text", "text": "Look."}, image(png())]}
    completions.ask(chat_body(CALLED, tool("c2"), tool("c1"), shown))


def test_open_servers_take_more_parameters_than_openai_does(completions: Client) -> None:
    body: dict[str, Json] = {"messages": [USER], "skip_special_tokens": False, "top_k": 5}
    completions.provider.script(chat.text("Yes."))
    completions.ask({"model": "zai-org/GLM-4.5V", **body})
    assert "Unknown parameter" in completions.refusal({"model": "gpt-5.4", **body})
    wrong: dict[str, Json] = {"model": "zai-org/GLM-4.5V", **body, "top_k": "many"}
    assert "top_k" in completions.refusal(wrong)
    assert "typo" in completions.refusal({"model": "zai-org/GLM-4.5V", **body, "typo": 1})
