"""`ComputerAgent` as people use it."""

from __future__ import annotations

import base64
import io
import json
import logging
from pathlib import Path

import pytest
from cua_board import Board, Log, items_of, make_agent, results_of, scripted
from PIL import Image
from subjects import Subject

from carrel.actions import Click, Type
from carrel.compat.cua import AsyncCallbackHandler, BaseTool, ComputerAgent
from carrel.compat.cua.callbacks import Callbacks
from carrel.errors import CarrelError, InvalidInput, RunError, Unsupported
from carrel.intents import Ask, CallTool, Done
from carrel.policy.policy import Policy
from carrel.policy.rules import Rule, Verdict
from carrel.testing import FakeProvider, anthropic, chat, openai

pytestmark = pytest.mark.anyio

USAGE = {"prompt_tokens", "completion_tokens", "total_tokens", "input_tokens", "output_tokens"}


async def test_a_run_yields_answers_and_outputs(tmp_path: Path) -> None:
    board = Board()
    async with FakeProvider() as provider:
        provider.script(
            anthropic.tool_use("left_click", {"coordinate": [30, 40]}, id="toolu_1"),
            anthropic.text("Clicked."),
        )
        agent = make_agent(
            "anthropic/claude-opus-5",
            [board.functions()],
            tmp_path,
            api_key=provider.key,
            api_base=provider.url,
            instructions="Be quick.",
        )
        results = await results_of(agent, "Click the button.")
        asked = json.dumps(provider.seen[0].body)
    assert "Be quick." in asked
    assert "Click the button." in asked
    assert board.done == [("click", 30, 40, "left")]
    assert [[item["type"] for item in items_of([result])] for result in results] == [
        ["computer_call"],
        ["computer_call_output"],
        ["message"],
    ]
    call, output, message = items_of(results)
    assert call["call_id"] == output["call_id"]
    assert str(output["output"]["image_url"]).startswith("data:image/png;base64,")  # type: ignore[index,call-overload]
    assert message["role"] == "assistant"
    assert all(set(result) == {"output", "usage"} for result in results)
    assert all(set(result["usage"]) >= USAGE for result in results)  # type: ignore[arg-type]
    assert results[0]["usage"]["total_tokens"] > 0  # type: ignore[index,call-overload,operator]
    assert results[1]["usage"]["total_tokens"] == 0  # type: ignore[index,call-overload]


async def test_access_may_be_given_for_one_run(tmp_path: Path) -> None:
    async with FakeProvider() as provider:
        provider.script(openai.text("Done."))
        agent = make_agent("openai/gpt-5.4", [Board().functions()], tmp_path, api_key="wrong")
        run = agent.run("do it", api_key=provider.key, api_base=provider.openai_url, max_tokens=77)
        results = [result async for result in run]
        assert provider.seen[0].body["max_output_tokens"] == 77
    assert items_of(results, "message")


async def test_a_conversation_goes_on(tmp_path: Path) -> None:
    async with FakeProvider() as provider:
        click = {"type": "click", "x": 1, "y": 2, "button": "left"}
        provider.script(
            openai.computer_call([click]),
            openai.text("The menu is open."),
            openai.text("The menu is closed."),
        )
        access = {"api_key": provider.key, "api_base": provider.openai_url}
        agent = make_agent("openai/gpt-5.4", [Board().functions()], tmp_path, **access)
        history: list[dict[str, object]] = [{"role": "user", "content": "Open the menu."}]
        for result in await results_of(agent, history):  # type: ignore[arg-type]
            history += result["output"]  # type: ignore[arg-type]
        history.append({"role": "user", "content": [{"type": "input_text", "text": "Close it."}]})
        results = await results_of(agent, history)  # type: ignore[arg-type]
        asked = json.dumps(provider.seen[-1].body)
    for words in ("Open the menu.", "The menu is open.", "Close it.", "click"):
        assert words in asked
    assert "closed" in str(items_of(results, "message"))


@pytest.mark.parametrize(
    "messages",
    [
        "",
        [],
        [{"role": "assistant", "content": "hello"}],
        [{"role": "user"}],
        ["hello"],
        [{"type": "video"}, {"role": "user", "content": "x"}],
    ],
)
async def test_messages_without_a_task_are_refused(messages: object, tmp_path: Path) -> None:
    agent = make_agent(scripted(Done()), [Board().functions()], tmp_path)
    with pytest.raises(InvalidInput):
        await results_of(agent, messages)  # type: ignore[arg-type]


async def test_a_picture_from_the_person_is_refused(tmp_path: Path) -> None:
    agent = make_agent(scripted(Done()), [Board().functions()], tmp_path)
    content = [{"type": "input_image", "image_url": "data:image/png;base64,AAAA"}]
    with pytest.raises(Unsupported, match="input_image"):
        await results_of(agent, [{"role": "user", "content": content}])  # type: ignore[dict-item,list-item]


async def test_callbacks_hear_everything_in_order(tmp_path: Path) -> None:
    def add(a: int, b: int) -> int:
        return a + b

    log = Log()
    script = scripted(Click(1, 2), CallTool("add", {"a": 1, "b": 2}), Done(True, "ok"))
    tools = [Board().functions(), add]
    await results_of(make_agent(script, tools, tmp_path, callbacks=[log]))
    asked = ["on_run_continue", "on_llm_start", "on_api_start", "on_api_end"]
    answered = ["on_usage", "on_llm_end", "on_responses"]
    step = [*asked, *answered]
    pictures = [hook for hook in log.hooks if hook == "on_screenshot"]
    assert len(pictures) >= 2
    assert [hook for hook in log.hooks if hook != "on_screenshot"] == [
        "on_run_start",
        *step,
        *("on_computer_call_start", "on_computer_call_end"),
        *step,
        *("on_function_call_start", "on_function_call_end"),
        *step,
        "on_text",
        "on_run_end",
    ]
    told = dict(log.told)
    picture, name = told["on_screenshot"]
    assert name == "screenshot_after"
    assert base64.b64decode(str(picture)).startswith(b"\x89PNG")
    kwargs, old, new = told["on_run_end"]
    assert kwargs["model"] == "scripted"  # type: ignore[index]
    assert old == [{"role": "user", "content": "do it"}]
    assert len(new) == 5  # type: ignore[arg-type]


async def test_callbacks_need_not_be_asynchronous_nor_whole(tmp_path: Path) -> None:
    heard: list[str] = []

    class Plain:
        def on_run_end(self, *arguments: object) -> None:
            heard.append("end")

    callbacks = [Plain(), AsyncCallbackHandler()]
    await results_of(
        make_agent(
            scripted(Click(1, 1), Done()), [Board().functions()], tmp_path, callbacks=callbacks
        )
    )
    assert heard == ["end"]
    with pytest.raises(InvalidInput, match="is a class"):
        Callbacks([Plain])


async def test_all_callbacks_are_told_of_the_end_though_one_fails(tmp_path: Path) -> None:
    class Broken:
        async def on_run_end(self, *arguments: object) -> None:
            raise OSError("disk full")

    log = Log()
    agent = make_agent(scripted(Done()), [Board().functions()], tmp_path, callbacks=[Broken(), log])
    with pytest.raises(OSError, match="disk full"):
        await results_of(agent)
    assert log.hooks[-1] == "on_run_end"


async def test_the_start_of_a_call_is_told_before_it_happens(tmp_path: Path) -> None:
    board = Board()
    done: list[int] = []

    class Watch(AsyncCallbackHandler):
        async def on_computer_call_start(self, item: object) -> None:
            done.append(len(board.done))

        async def on_computer_call_end(self, item: object, result: object) -> None:
            done.append(len(board.done))

    agent = make_agent(
        scripted(Click(1, 1), Done()), [board.functions()], tmp_path, callbacks=[Watch()]
    )
    await results_of(agent)
    assert done == [0, 1]


async def test_tools_as_objects_are_called_with_their_arguments(tmp_path: Path) -> None:
    class Multiply(BaseTool):
        name = "multiply"
        description = "Multiplies."

        @property
        def parameters(self) -> dict[str, object]:  # type: ignore[override]
            number = {"type": "integer"}
            return {
                "type": "object",
                "properties": {"a": number, "b": number},
                "required": ["a", "b"],
            }

        def call(self, params: dict[str, int]) -> int:  # type: ignore[override]
            return params["a"] * params["b"]

    class Later:
        name = "later"
        parameters = {"type": "object", "properties": {}}  # noqa: RUF012

        async def call(self, params: dict[str, object]) -> dict[str, object]:
            return {"given": params}

    script = scripted(
        CallTool("multiply", {"a": 6, "b": 7}),
        CallTool("multiply", {"a": 6}),
        CallTool("later", {}),
        Done(),
    )
    agent = make_agent(script, [Board().functions(), Multiply(), Later()], tmp_path)
    outputs = items_of(await results_of(agent), "function_call_output")
    assert outputs[0]["output"] == "42"
    assert json.loads(str(outputs[1]["output"])) == {"error": "multiply needs b"}
    assert outputs[2]["output"] == '{"given": {}}'


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"top_p": 0.5}, Unsupported),
        ({"stop": ["x"]}, Unsupported),
        ({"custom_loop": print}, Unsupported),
        ({"only_n_most_recent_images": 0}, InvalidInput),
        ({"max_trajectory_budget": {"max": 1}}, InvalidInput),
        ({"max_trajectory_budget": -1}, InvalidInput),
        ({"max_trajectory_budget": "much"}, InvalidInput),
        ({"max_trajectory_budget": float("nan")}, InvalidInput),
        ({"max_trajectory_budget": float("inf")}, InvalidInput),
        ({"max_trajectory_budget": True}, InvalidInput),
        ({"trajectory_dir": {"dir": "x"}}, InvalidInput),
        ({"trajectory_dir": {}}, InvalidInput),
    ],
)
def test_options_that_cannot_be_honoured_are_refused(
    options: dict[str, object], error: type[CarrelError], tmp_path: Path
) -> None:
    with pytest.raises(error):
        make_agent(scripted(), [Board().functions()], tmp_path, **options)


async def test_options_without_a_meaning_are_accepted(tmp_path: Path) -> None:
    agent = make_agent(
        scripted(Done()),
        [Board().functions()],
        tmp_path,
        telemetry_enabled=True,
        trust_remote_code=True,
        use_prompt_caching=True,
        max_retries=None,
        verbosity=None,
        temperature=0.5,
        reasoning_effort="low",
    )
    assert items_of(await results_of(agent), "message")


async def test_what_happens_is_logged_at_the_level_asked_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "carrel.compat.cua"):
        agent = make_agent(
            scripted(Click(1, 2), Done()), [Board().functions()], tmp_path, verbosity=logging.INFO
        )
        await results_of(agent)
    assert "computer_call" in caplog.text
    assert "base64" not in caplog.text


def test_an_agent_has_one_computer(tmp_path: Path) -> None:
    board = Board().functions()
    with pytest.raises(InvalidInput, match="2 computers"):
        make_agent(scripted(), [board, board], tmp_path)


async def test_an_agent_without_a_computer_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no computer"):
        await results_of(make_agent(scripted(Done()), [], tmp_path))


async def test_an_own_policy_counts(tmp_path: Path) -> None:
    board = Board()
    policy = Policy(
        rules=(Rule(Verdict.DENY, actions=("type",), reason="no typing"),),
        default=Policy.for_isolation("process").default,
    )
    agent = make_agent(
        scripted(Click(1, 1), Type("x"), Done()), [board.functions()], tmp_path, policy=policy
    )
    results = await results_of(agent)
    assert board.done == [("click", 1, 1, "left")]
    assert "no typing" in str(items_of(results, "computer_call_output")[1]["error"])


async def test_a_model_cannot_ask_when_nobody_is_there(tmp_path: Path) -> None:
    agent = make_agent(scripted(Ask("May I?"), Done()), [Board().functions()], tmp_path)
    results = await results_of(agent)
    assert "may not use ask" in str(items_of(results, "function_call_output")[0]["output"])


@pytest.mark.desktop
async def test_what_must_be_asked_is_refused_when_nobody_is_there(
    local: Subject, tmp_path: Path
) -> None:
    before = await local.computer.cursor()
    agent = make_agent(
        scripted(Click(before.x + 5, before.y + 5), Done()), [local.computer], tmp_path
    )
    results = await results_of(agent)
    assert "nobody is there" in str(items_of(results, "computer_call_output")[0]["error"])
    assert await local.computer.cursor() == before


async def test_a_run_can_be_cancelled(tmp_path: Path) -> None:
    board = Board()
    agent = make_agent(scripted(*[Click(n, n) for n in range(9)]), [board.functions()], tmp_path)
    results = []
    async for result in agent.run("do it"):
        results.append(result)
        if len(results) == 2:
            agent.cancel()
    assert len(board.done) == 1
    assert agent.last_run is not None
    assert agent.last_run.reason == "cancelled"


def picture(size: tuple[int, int]) -> str:
    out = io.BytesIO()
    Image.new("RGB", size).save(out, "png")
    return base64.b64encode(out.getvalue()).decode()


@pytest.mark.parametrize("given", [True, False])
async def test_a_model_that_points_says_where(given: bool, tmp_path: Path) -> None:
    async with FakeProvider() as provider:
        provider.script(chat.text("(100, 50)"))
        agent = make_agent(
            "vllm/HelloKKMe/GTA1-7B",
            [Board(320, 240).functions()],
            tmp_path,
            api_key=provider.key,
            api_base=provider.openai_url,
        )
        image = picture((320, 240)) if given else None
        point = await agent.predict_click("the Save button", image)
    assert point is not None
    assert abs(point[0] - 100) <= 10
    assert abs(point[1] - 50) <= 10


async def test_what_is_not_found_is_none(tmp_path: Path) -> None:
    async with FakeProvider() as provider:
        provider.script(chat.text("I see nothing of that kind."))
        agent = make_agent(
            "vllm/HelloKKMe/GTA1-7B",
            [],
            tmp_path,
            api_key=provider.key,
            api_base=provider.openai_url,
        )
        assert await agent.predict_click("the Save button", picture((320, 240))) is None
    with pytest.raises(InvalidInput, match="no image"):
        await agent.predict_click("x", base64.b64encode(b"nothing").decode())


async def test_a_model_that_cannot_point_says_so(tmp_path: Path) -> None:
    agent = make_agent(scripted(), [Board().functions()], tmp_path)
    with pytest.raises(Unsupported):
        await agent.predict_click("x")


def test_capabilities_are_those_of_the_model() -> None:
    assert ComputerAgent("vllm/HelloKKMe/GTA1-7B").get_capabilities() == ["click"]
    assert ComputerAgent("openai/gpt-5.4").get_capabilities() == ["step", "click"]
    assert ComputerAgent("vllm/UI-TARS-1.5-7B").get_capabilities() == ["step", "click"]
    assert ComputerAgent("vllm/GTA1-7B+openai/gpt-5.4").get_capabilities() == ["step", "click"]
    assert ComputerAgent("scripted:file.jsonl").get_capabilities() == ["step"]


async def test_a_model_that_only_points_runs_nothing(tmp_path: Path) -> None:
    agent = make_agent("vllm/GTA1-7B", [Board().functions()], tmp_path)
    with pytest.raises(Unsupported, match="only points"):
        await results_of(agent)


def test_there_is_no_playground() -> None:
    with pytest.raises(Unsupported):
        ComputerAgent("openai/gpt-5.4").open()


async def test_a_missing_key_is_told_before_anything_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    agent = make_agent("openai/gpt-5.4", [Board().functions()], tmp_path)
    with pytest.raises(CarrelError, match=r"(?i)key"):
        await results_of(agent)
    assert agent.last_run is None
    assert not list(tmp_path.iterdir())


async def test_a_run_that_fails_names_its_journal(tmp_path: Path) -> None:
    async with FakeProvider() as provider:
        provider.decide(lambda seen: openai.text(""))
        access = {"api_key": provider.key, "api_base": provider.openai_url}
        agent = make_agent("openai/gpt-5.4", [Board().functions()], tmp_path, **access)
        with pytest.raises(RunError) as caught:
            await results_of(agent)
    assert agent.last_run is not None
    assert caught.value.context["run"] == agent.last_run.id
    assert agent.last_run.id in str(caught.value.hint)
