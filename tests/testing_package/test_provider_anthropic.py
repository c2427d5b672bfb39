"""The fake Messages API refuses what the real one refuses."""

from __future__ import annotations

import base64
import io
import random
import re
from collections.abc import Iterator

import pytest
from PIL import Image
from wire_client import Client, cut_png, png

from carrel.codec import Json
from carrel.testing import FakeProvider, anthropic

USER: Json = {"role": "user", "content": "Do it."}
TOOLSET: Json = {"type": "computer_toolset_20260801"}
CLICK: dict[str, Json] = {
    "type": "tool_use",
    "id": "toolu_x",
    "name": "left_click",
    "input": {"coordinate": [1, 2]},
    "toolset_name": "computer",
}


@pytest.fixture(scope="module")
def provider() -> Iterator[FakeProvider]:
    with FakeProvider() as found:
        yield found


@pytest.fixture
def client(provider: FakeProvider) -> Client:
    return Client(provider, "messages")


def request(*messages: Json, **more: Json) -> dict[str, Json]:
    start: dict[str, Json] = {"model": "claude-sonnet-5", "max_tokens": 4000, "tools": [TOOLSET]}
    return {**start, "messages": [USER, *messages], **more}


def assistant(*blocks: Json) -> Json:
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: Json) -> Json:
    return {"role": "user", "content": list(blocks)}


def image(data: str, media_type: str = "image/png", **more: Json) -> dict[str, Json]:
    source: Json = {"type": "base64", "media_type": media_type, "data": data}
    return {"type": "image", "source": source, **more}


def result(name: str = "toolu_x", *content: Json, **more: Json) -> dict[str, Json]:
    found: dict[str, Json] = {"type": "tool_result", "tool_use_id": name}
    return {**found, "content": list(content), "toolset_name": "computer", **more}


def words(text: str, **more: Json) -> dict[str, Json]:
    return {"type": "text", "text": text, **more}


def noise() -> str:
    """A picture of more than five megabytes."""
    pixels = random.Random(1).randbytes(1400 * 1000 * 3)
    out = io.BytesIO()
    Image.frombytes("RGB", (1400, 1000), pixels).save(out, "png", compress_level=0)
    return base64.b64encode(out.getvalue()).decode()


MARK: Json = {"type": "ephemeral"}
OLD: dict[str, Json] = {
    "type": "computer_20251124",
    "name": "computer",
    "display_width_px": 100,
    "display_height_px": 100,
}

REFUSED: list[tuple[dict[str, Json], str]] = [
    (request(foo=1), "foo: Extra inputs are not permitted"),
    (request(betas=["x"]), "betas: Extra inputs are not permitted"),
    (request({"role": "user", "content": "x", "foo": 1}), "messages.1.foo: Extra inputs"),
    ({"model": "claude-sonnet-5", "messages": [USER]}, "max_tokens: Field required"),
    (request(max_tokens="9"), "max_tokens: Input should be an integer"),
    (request(max_tokens=0), "max_tokens"),
    (request(temperature=0.5), "`temperature` is deprecated for this model"),
    (request(tools=[OLD]), "tools.0: Input tag"),
    (request(tools=[{**OLD, "type": "computer_19990101"}]), "tools.0: Input tag"),
    (request(tools=[{"type": "computer_toolset_20260801", "name": "computer"}]), "tools.0.name"),
    ({**request(), "messages": [assistant(words("Hi."))]}, 'first message must use the "user"'),
    (request(assistant(words("So"))), "prefill"),
    (request({"role": "user", "content": []}), "non-empty content"),
    (request({"role": "user", "content": [words("  ")]}), "non-whitespace text"),
    (request({"role": "tool", "content": "x"}), "messages.1: Input tag"),
    (request(assistant(CLICK)), "without `tool_result` blocks immediately after: toolu_x"),
    (request(assistant(CLICK), USER), "without `tool_result` blocks immediately after"),
    (
        request(assistant(CLICK), user(words("Here:"), result())),
        "without `tool_result` blocks immediately after",
    ),
    (request(user(result())), "unexpected `tool_use_id` found"),
    (request(assistant(CLICK), user(result("toolu_y"))), "unexpected `tool_use_id` found"),
    (
        request(assistant(CLICK), user(result()), assistant(words("A.")), user(result())),
        "unexpected `tool_use_id` found",
    ),
    (request(assistant(CLICK), user(result(), result())), "Found multiple `tool_result` blocks"),
    (request(assistant(CLICK, CLICK), user(result())), "ids must be unique"),
    (request(assistant(CLICK), user(result(toolset_name=None))), "`toolset_name` does not match"),
    (request(assistant(result()), USER), "only be in `user` messages"),
    (
        request(assistant({**CLICK, "name": "levitate"}), user(result())),
        "not a member of a declared toolset",
    ),
    (
        request(assistant(CLICK), user(result()), tools=[]),
        "not a member of a declared toolset",
    ),
    (request(user(image("AAAA"))), "Could not process image"),
    (request(user(image("not base64!"))), "Could not process image"),
    (request(user(image(cut_png()))), "Could not process image"),
    (request(user(image(png(), "image/jpeg"))), "does not match the provided media type"),
    (request(user(image(png(8001, 1)))), "exceed max allowed size: 8000 pixels"),
    (request(user(image(noise()))), "image exceeds 5 MB maximum"),
    (
        request(user(*[image(png(2001, 1))] * 21)),
        "exceed max allowed size for many-image requests: 2000 pixels",
    ),
    (
        request(assistant(CLICK), user(result("toolu_x", image("AAAA")))),
        "Could not process image",
    ),
    (
        request(user(*[words("x", cache_control=MARK)] * 5)),
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    (
        request(
            user(*[words("x", cache_control=MARK)] * 3),
            system=[words("s", cache_control=MARK)],
            tools=[{"type": "computer_toolset_20260801", "cache_control": MARK}],
        ),
        "Found 5",
    ),
    (
        request(assistant({"type": "thinking", "thinking": "Hm", "signature": "x"}), USER),
        "Invalid `signature` in `thinking` block",
    ),
    (
        request(assistant({"type": "redacted_thinking", "data": "x"}), USER),
        "Invalid `data` in `redacted_thinking` block",
    ),
    (request(thinking={"type": "enabled", "budget_tokens": 9}), "1024"),
    (request(thinking={"type": "enabled", "budget_tokens": 4000}), "must be greater than"),
    (
        request(thinking={"type": "enabled", "budget_tokens": 2000}, tool_choice={"type": "any"}),
        "Thinking may not be enabled when tool_choice forces tool use",
    ),
]


@pytest.mark.parametrize(("body", "expected"), REFUSED)
def test_it_refuses(client: Client, body: dict[str, Json], expected: str) -> None:
    assert re.search(re.escape(expected), client.refusal(body))


def test_what_fits_is_answered(client: Client) -> None:
    client.provider.script(anthropic.text("Yes."))
    body = request(
        assistant(words("I click."), CLICK, {**CLICK, "id": "toolu_y"}),
        user(result("toolu_y"), result("toolu_x", image(png()), words("ok")), words("And now?")),
        user(*[image(png(2000, 1))] * 21),
        system=[words("s", cache_control=MARK)],
        thinking={"type": "enabled", "budget_tokens": 2000},
    )
    client.ask(body)


def test_older_models_still_take_a_temperature(client: Client) -> None:
    client.provider.script(anthropic.text("Yes."))
    client.ask({**request(), "model": "claude-sonnet-4-5", "temperature": 0.2})


@pytest.mark.parametrize("key", ["", "sk-ant-wrong"])
def test_it_refuses_a_wrong_key(client: Client, key: str) -> None:
    response = client.post(request(), key=key)
    assert response.status_code == 401
    assert response.json()["error"]["type"] == "authentication_error"


def test_it_wants_its_version(provider: FakeProvider) -> None:
    import httpx2

    head = {"x-api-key": provider.key}
    response = httpx2.post(f"{provider.url}/v1/messages", json=request(), headers=head)
    assert "anthropic-version: header is required" in response.text


def test_the_beta_tools_need_their_own_header(client: Client) -> None:
    body = request(tools=[OLD])
    for wrong in ("computer-use-2025-01-24", "context-management-2025-06-27"):
        assert "Input tag" in client.refusal(body, {"anthropic-beta": wrong})
    strange = {"anthropic-beta": "computer-use-2031-01-01"}
    assert "Unexpected value(s) `computer-use-2031-01-01`" in client.refusal(body, strange)
    client.provider.script(anthropic.text("Yes."), anthropic.text("Yes."))
    client.ask(body, {"anthropic-beta": "computer-use-2025-11-24"})
    client.ask(request(), {"anthropic-beta": "computer-use-2025-11-24"})


def test_thinking_must_come_back_as_it_was(client: Client) -> None:
    click = anthropic.tool_use("left_click", {"coordinate": [1, 2]}, id="toolu_t")
    client.provider.script(anthropic.thinking("Hm.") + anthropic.redacted_thinking() + click)
    made = client.ask(request())["content"]
    assert isinstance(made, list)
    thought, redacted, use = made
    assert isinstance(thought, dict)
    answered = user(result("toolu_t"))
    changed: Json = {**thought, "thinking": "Hm!"}
    assert "Invalid `signature`" in client.refusal(
        request(assistant(changed, redacted, use), answered)
    )
    for kept in ([use], [thought, use], [redacted, use], [use, thought, redacted]):
        refused = client.refusal(request(assistant(*kept), answered))
        assert "must remain as they were" in refused
    client.provider.script(anthropic.text("Done."))
    client.ask(request(assistant(*made), answered))


def test_newer_thinking_is_bound_to_what_was_said_before_it(client: Client) -> None:
    def ask(*messages: Json) -> dict[str, Json]:
        return request(*messages, model="claude-opus-5-5")

    def made(*before: Json) -> list[Json]:
        found = client.ask(ask(*before))["content"]
        assert isinstance(found, list)
        return found

    click: dict[str, Json] = {"coordinate": [1, 2]}
    client.provider.script(
        anthropic.thinking("One.") + anthropic.tool_use("left_click", click, id="toolu_1"),
        anthropic.thinking("Two.") + anthropic.tool_use("left_click", click, id="toolu_2"),
    )
    first = made()
    told = user(result("toolu_1", {"type": "text", "text": "seen"}))
    second = made(assistant(*first), told)
    end = user(result("toolu_2"))
    other = user(result("toolu_1", {"type": "text", "text": "no longer kept"}))
    # What follows a change is refused; what comes before it, and answers without any, are not.
    changed = (assistant(*first), other, assistant(*second), end)
    assert "different conversation" in client.refusal(ask(*changed))
    client.provider.script(*[anthropic.text("Done.")] * 4)
    client.ask(ask(assistant(*first), other, assistant(second[1]), end))
    client.ask(ask(assistant(first[1]), other, assistant(second[1]), end))
    # From the start on it may be left out, and marks for the cache are no change.
    client.ask(ask(assistant(first[1]), told, assistant(*second), end))
    cached: Json = {"type": "ephemeral"}
    marked = result("toolu_1", {"type": "text", "text": "seen"}, cache_control=cached)
    client.ask(ask(assistant(*first), user(marked), assistant(*second), end))


def test_members_of_the_toolset_say_so_and_other_tools_do_not(client: Client) -> None:
    both = anthropic.tool_use("left_click", {}) + anthropic.tool_use("save", {})
    client.provider.script(both, both)
    for tools, expected in (([TOOLSET], ["computer", None]), ([], [None, None])):
        made = client.ask(request(tools=tools))["content"]
        assert isinstance(made, list)
        found = [block.get("toolset_name") for block in made if isinstance(block, dict)]
        assert found == expected
