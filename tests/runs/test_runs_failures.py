"""Everything a provider can do wrong, on every wire: the run goes on, or ends and says why."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from task_desk import FIELD, TaskDesk, button
from wired import Driven, Person, Talk, drive
from wires import WIRES, Wire, impatient

from carrel.agent import acting, patience
from carrel.agent.agent import Agent
from carrel.codec import Json
from carrel.events import Event
from carrel.policy.limits import Limits
from carrel.policy.policy import Policy
from carrel.policy.rules import Rule, Verdict
from carrel.policy.secrets import Secret, Secrets
from carrel.testing import (
    FakeProvider,
    Reply,
    chat,
    disconnect,
    empty,
    filtered,
    garbage,
    hang,
    openai,
    overloaded,
    refusal,
    status,
    truncated,
)

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.namespace,
    pytest.mark.image,
    pytest.mark.browser,
    pytest.mark.slow,
]

each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


def ended(driven: Driven) -> tuple[str, str]:
    """How it ended, as the run and the last line of its journal say."""
    last = driven.events[-1]
    assert last.kind == "run.finished"
    assert (last.data["status"], last.data["reason"]) == (driven.run.status, driven.run.reason)
    return driven.run.status.value, driven.run.reason


def replies(wire: Wire, *given: Reply) -> Talk:
    """Look once, answer as given."""
    yield None
    for reply in given:  # noqa: UP028 (what is sent has to go nowhere)
        yield reply


# What passes


def troubled(wire: Wire) -> Talk:
    """Every passing trouble once, each between two clicks."""
    see = yield None
    see = yield status(429, retry_after=1.2)
    see = yield wire.click(see, 1)
    see = yield overloaded()
    see = yield wire.click(see, 2)
    see = yield status(500)
    see = yield wire.click(see, 3)
    see = yield disconnect(after=3)
    see = yield wire.click(see, 4)
    see = yield garbage(502)
    see = yield wire.click(see, 5)
    see = yield overloaded(after=3)
    see = yield wire.click(see, 6)
    yield wire.end("All is done.")


@each_wire
async def test_passing_troubles_are_waited_out_and_nothing_is_done_twice(
    wire: Wire, desk: TaskDesk, tmp_path: Path
) -> None:
    driven = await drive(desk, wire.model, troubled(wire), tmp_path)
    assert ended(driven) == ("succeeded", "done")
    errors = driven.of("error")
    kinds = [error["kind"] for error in errors]
    assert kinds[:3] == ["rate_limit", "overloaded", "other"]
    assert kinds[-1] == "overloaded"
    assert all(error["retryable"] and error["attempt"] == 1 for error in errors)
    assert errors[0]["wait"] >= 1.2
    assert driven.refused == []
    state = await desk.until(lambda state: len(state["clicks"]) == 6)
    assert state["clicks"] == {str(number): 1 for number in range(1, 7)}


def confused(wire: Wire) -> Talk:
    """Mistakes of the model's own, each of which it is told of."""
    see = yield None
    see = yield wire.bad
    assert "error" in see.words
    see = yield wire.call("fly", {"to": "the moon"})
    assert "fly" in see.words
    see = yield empty()
    see = yield truncated()
    see = yield wire.click(see, 7)
    yield wire.end("All is done.")


@each_wire
async def test_a_model_is_told_of_its_mistakes_and_may_go_on(
    wire: Wire, desk: TaskDesk, tmp_path: Path
) -> None:
    driven = await drive(desk, wire.model, confused(wire), tmp_path)
    assert ended(driven) == ("succeeded", "done")
    assert driven.refused == []
    assert len(driven.of("error")) == 2
    assert [said["role"] for said in driven.of("text")] == ["runtime", "runtime"]
    state = await desk.until(lambda state: bool(state["clicks"]))
    assert state["clicks"] == {"7": 1}


# What ends a run

ENDS: dict[str, tuple[Callable[[Wire], list[Reply]], str, str]] = {
    "nothing but empty answers": (lambda _: [empty()] * 3, "failed", "empty_answers"),
    "a refusal": (lambda _: [refusal("No.")], "refused", "model_refused"),
    "a filter": (lambda _: [filtered()], "refused", "model_refused"),
    "nothing but cut-off answers": (lambda _: [truncated()] * 3, "failed", "truncated"),
    "nothing but nonsense": (lambda wire: [wire.bad] * 4, "failed", "malformed_calls"),
    "a limit longer than the run may last": (
        lambda _: [status(429, retry_after=100)],
        "failed",
        "rate_limited",
    ),
    "a request that is refused": (
        lambda _: [status(400, "no such thing")],
        "failed",
        "provider_error",
    ),
}


@each_wire
@pytest.mark.parametrize("what", ENDS)
async def test_a_run_ends_with_its_reason(
    what: str, wire: Wire, desk: TaskDesk, tmp_path: Path
) -> None:
    given, expected, reason = ENDS[what]
    talk = replies(wire, *given(wire))
    driven = await drive(desk, wire.model, talk, tmp_path, limits=Limits(seconds=20))
    assert ended(driven) == (expected, reason)
    assert driven.run.message
    assert driven.refused == []
    assert (await desk.state())["clicks"] == {}


@each_wire
async def test_a_wrong_key_ends_the_run_at_once_and_is_told_to_nobody(
    wire: Wire, desk: TaskDesk, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    key = "wrong-7f3a9c2e5d8b1046"
    driven = await drive(desk, wire.model, replies(wire), tmp_path, api_key=key)
    assert ended(driven) == ("failed", "auth")
    assert len(driven.seen) == 1
    assert not holds(tmp_path, key)
    assert key not in driven.run.message
    assert key not in caplog.text


@each_wire
async def test_a_model_that_never_answers_is_given_up(
    wire: Wire, desk: TaskDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "ATTEMPTS", 2)
    talk = replies(wire, hang(), hang(after=2))
    opened = impatient(wire.model)
    driven = await drive(desk, wire.model, talk, tmp_path, opened=opened)
    assert ended(driven) == ("failed", "model_timeout")
    assert {error["kind"] for error in driven.of("error")} == {"timeout"}


@each_wire
async def test_a_run_ends_at_its_limit_also_while_the_model_is_silent(
    wire: Wire, desk: TaskDesk, tmp_path: Path
) -> None:
    talk = replies(wire, hang())
    driven = await drive(desk, wire.model, talk, tmp_path, limits=Limits(seconds=1), seconds=30)
    assert ended(driven) == ("failed", "time_limit")


@each_wire
async def test_a_provider_that_always_breaks_off_ends_the_run(
    wire: Wire, desk: TaskDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "ATTEMPTS", 3)
    talk = replies(wire, disconnect(), garbage(), disconnect(after=2))
    driven = await drive(desk, wire.model, talk, tmp_path)
    assert ended(driven) == ("failed", "provider_error")
    assert len(driven.of("error")) == 3


# Streams, batches, parallel calls


@each_wire
async def test_words_arrive_before_the_answer_is_complete(
    wire: Wire, desk: TaskDesk, tmp_path: Path
) -> None:
    said: list[str] = []
    events: list[Event] = []
    heard = anyio.Event()

    def on_text(words: str) -> None:
        said.append(words)
        if len("".join(said)) > 10:
            heard.set()

    async with FakeProvider() as provider, anyio.create_task_group() as tasks:
        # Nothing more comes after some words, so the answer never is complete.
        provider.script(hang(after=8))
        url = provider.url if wire.model.startswith(("anthropic", "gemini")) else None
        agent = Agent(
            model=wire.model,
            base_url=url or provider.openai_url,
            api_key=provider.key,
            home=tmp_path,
        )
        running = agent.run("Talk", desk.name, on_text=on_text, observers=[events.append])
        tasks.start_soon(running.result)
        with anyio.fail_after(20):
            await heard.wait()
        assert "decision" not in {event.kind for event in events}
        running.cancel()
    assert "One word follows".startswith("".join(said)[:16])
    assert running.run.reason == "cancelled"


def batch_with_a_denied_key() -> Talk:
    see = yield None
    see = yield openai.computer_call([{"type": "screenshot"}])
    places = [dict(zip("xy", see.pixel(button(number)), strict=True)) for number in (3, 4)]
    first, second = (
        dict[str, Json]({"type": "click", "button": "left", **place}) for place in places
    )
    press: dict[str, Json] = {"type": "keypress", "keys": ["F5"]}
    see = yield openai.computer_call([first, press, second])
    assert "not tried after that: click" in see.words
    yield openai.text("All is done.")


async def test_a_batch_stops_at_the_first_action_that_is_denied(
    desk: TaskDesk, tmp_path: Path
) -> None:
    rule = Rule(Verdict.DENY, actions=("key",), reason="no keys")
    allowed = Policy.for_isolation("container")
    policy = Policy(rules=(rule,), default=allowed.default)
    talk = batch_with_a_denied_key()
    driven = await drive(desk, "openai:gpt-5.4", talk, tmp_path, policy=policy)
    assert ended(driven) == ("succeeded", "done")
    assert driven.refused == []
    assert (await desk.until(lambda state: bool(state["clicks"])))["clicks"] == {"3": 1}


def batch_with_a_failing_tool() -> Talk:
    def call(name: str, **parameters: str) -> str:
        inner = "".join(f"<parameter={k}>{v}</parameter>" for k, v in parameters.items())
        return f"<function={name}>{inner}</function>"

    def at(number: int) -> str:
        x, y = see.parts(button(number))
        return f"<point>{x} {y}</point>"

    see = yield None
    calls = (
        call("click", point=at(3)),
        call("measure", width="wide", label="x"),
        call("click", point=at(4)),
    )
    see = yield chat.text(f"<seed:tool_call>{''.join(calls)}</seed:tool_call>")
    assert "not tried after that: click" in see.words
    yield chat.text(f"<seed:tool_call>{call('finished', content='ok')}</seed:tool_call>")


async def test_a_batch_stops_at_the_first_action_that_fails(desk: TaskDesk, tmp_path: Path) -> None:
    talk = batch_with_a_failing_tool()
    driven = await drive(desk, "vllm:ui-tars-2", talk, tmp_path)
    assert ended(driven) == ("succeeded", "done")
    assert driven.measured == []
    assert (await desk.until(lambda state: bool(state["clicks"])))["clicks"] == {"3": 1}


async def test_an_action_does_not_outlast_the_run(
    desk: TaskDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acting, "GRACE", 0.2)
    talk = replies(WIRES[1], chat.tool_calls(("wait", {"seconds": 50})))
    model = WIRES[1].model
    driven = await drive(desk, model, talk, tmp_path, limits=Limits(seconds=3), seconds=30)
    assert ended(driven) == ("failed", "time_limit")
    assert driven.of("result")[0]["result"]["error"]["code"] == "interrupted"


def parallel(wire: Wire) -> Talk:
    see = yield None
    see = yield (
        wire.click(see, 3)
        + wire.call("fly", {"to": "the moon"})
        + wire.call("measure", {"width": 21, "label": "büro"})
        + wire.click(see, 4)
    )
    assert "büro measures 42" in see.words
    assert "fly" in see.words
    yield wire.end("All is done.")


@each_wire
async def test_each_of_several_calls_is_answered(
    wire: Wire, desk: TaskDesk, tmp_path: Path
) -> None:
    driven = await drive(desk, wire.model, parallel(wire), tmp_path)
    assert ended(driven) == ("succeeded", "done")
    assert driven.refused == []
    assert driven.measured == [(21, "büro")]
    state = await desk.until(lambda state: len(state["clicks"]) == 2)
    assert state["clicks"] == {"3": 1, "4": 1}


# Secrets

PIN = "kä7-Zürich-90412"


def holds(home: Path, value: str) -> bool:
    """Whether anything that was kept of a run holds a value, as it is or as JSON writes it."""
    forms = {value.encode(), json.dumps(value)[1:-1].encode()}
    for path in home.rglob("*"):
        if any(form in str(path).encode() for form in forms):
            return True
        if path.is_file() and any(form in path.read_bytes() for form in forms):
            return True
    return False


def typing_a_secret(wire: Wire) -> Talk:
    see = yield None
    x, y = see.pixel(FIELD)
    if wire.model.startswith("openai"):
        point: dict[str, Json] = {"x": x, "y": y}
        see = yield openai.computer_call(
            [
                {"type": "click", "button": "left", **point},
                {"type": "type", "text": "{{secret:PIN}}"},
            ]
        )
    else:
        see = yield chat.tool_calls(("click", {"x": x, "y": y}))
        see = yield chat.tool_calls(("type", {"text": "{{secret:PIN}}"}))
    yield (
        wire.end("All is done.")
        if wire.model.startswith("openai")
        else chat.tool_calls(("done", {"success": True, "text": "All is done."}))
    )


@pytest.mark.parametrize("wire", WIRES[:2], ids=str)
async def test_a_secret_reaches_the_page_and_nothing_else(
    wire: Wire, desk: TaskDesk, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = Secrets([Secret("PIN", PIN, apps=("chromium*", "Chromium*"))])
    talk = typing_a_secret(wire)
    driven = await drive(desk, wire.model, talk, tmp_path, secrets=secrets, asker=Person())
    assert ended(driven) == ("succeeded", "done")
    assert (await desk.until(lambda state: state["text"] == PIN))["text"] == PIN
    for seen in driven.seen:
        assert PIN not in json.dumps(seen.body, ensure_ascii=False)
        assert PIN not in str(seen.headers)
    assert not holds(tmp_path, PIN)
    assert PIN not in caplog.text
    assert "{{secret:PIN}}" in (tmp_path / "runs" / driven.run.id / "journal.jsonl").read_text()


async def test_a_secret_of_another_program_is_not_typed_here(
    desk: TaskDesk, tmp_path: Path
) -> None:
    secrets = Secrets([Secret("PIN", PIN, apps=("thunderbird",))])
    talk = typing_a_secret(WIRES[0])
    driven = await drive(desk, "openai:gpt-5.4", talk, tmp_path, secrets=secrets, asker=Person())
    assert ended(driven) == ("succeeded", "done")
    assert (await desk.state())["text"] == ""
    assert not driven.of("result")[1]["result"]["ok"]
    assert not holds(tmp_path, PIN)
