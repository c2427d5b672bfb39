"""What went wrong in cua's runtime, one test for each, against ours.

The first sentence of every docstring is the defect; the test shows that it is not here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from cua_board import Board, Log, calls, items_of, make_agent, results_of, scripted
from subjects import Subject

from carrel.actions import Click, Drag, Key, Scroll, Shell, Type
from carrel.agent.asking import Question
from carrel.agent.control import Answer
from carrel.compat.cua import AsyncCallbackHandler, BudgetExceededError, Interface
from carrel.decisions import Call, Decision, SafetyCheck, Usage
from carrel.errors import CarrelError, InvalidInput, NotFound, RunError, Unsupported
from carrel.geometry import Point
from carrel.intents import CallTool, Done
from carrel.policy.policy import Policy
from carrel.testing import FakeProvider, empty, openai, text

pytestmark = pytest.mark.anyio

GPT = "openai/gpt-5.4"


def add(a: int, b: int) -> int:
    return a + b


# Acting


@pytest.mark.desktop
async def test_a_drag_ends_where_the_model_said(local: Subject, tmp_path: Path) -> None:
    """`left_click_drag` was read from a field that is never sent: every drag went to 0, 0."""
    async with local.event_log("500x400+40+40") as log:
        x, y = await log.center()
        path = (Point(x - 50, y - 50), Point(x, y), Point(x + 60, y + 40))
        model = scripted(Drag(path), Done())
        policy = Policy.for_isolation("process")
        agent = make_agent(model, [local.computer], tmp_path, policy=policy)
        await results_of(agent)
        seen = await log.take()
    pressed = [event for event in seen if event["event"] == "button_press"]
    released = [event for event in seen if event["event"] == "button_release"]
    assert len(pressed) == len(released) == 1
    moved = (released[0]["x"] - pressed[0]["x"], released[0]["y"] - pressed[0]["y"])
    assert moved == (110, 90)


async def test_all_points_of_a_drag_reach_a_custom_computer(tmp_path: Path) -> None:
    """Drags with several points were reduced to two, or to none."""
    board = Board()
    path = (Point(1, 2), Point(3, 4), Point(5, 6))
    await results_of(make_agent(scripted(Drag(path), Done()), [board.functions()], tmp_path))
    assert board.done == [("drag", [{"x": 1, "y": 2}, {"x": 3, "y": 4}, {"x": 5, "y": 6}])]


@pytest.mark.desktop
async def test_scrolling_down_scrolls_down_by_notches(local: Subject, tmp_path: Path) -> None:
    """Positive was down in some places and up in others, in pixels or notches: hundreds, upward."""
    async with local.event_log() as log:
        x, y = await log.center()
        policy = Policy.for_isolation("process")
        model = scripted(Scroll(x, y, 0, 3), Done())
        results = await results_of(make_agent(model, [local.computer], tmp_path, policy=policy))
        assert await log.buttons() == [("press", 5), ("release", 5)] * 3
        await Interface(local.computer).scroll(0, 2)
        assert await log.buttons() == [("press", 4), ("release", 4)] * 2
    [call] = items_of(results, "computer_call")
    assert call["action"] == {"type": "scroll", "x": x, "y": y, "scroll_x": 0, "scroll_y": 3}


async def test_custom_computers_scroll_in_the_direction_they_declare(tmp_path: Path) -> None:
    """Nothing converted between the two conventions."""
    for values, expected in (({}, -3), ({"positive_scroll": "down"}, 3)):
        board = Board()
        computer = board.functions("scroll", **values)
        await results_of(make_agent(scripted(Scroll(9, 8, 1, 3), Done()), [computer], tmp_path))
        assert board.done == [("scroll", 9, 8, 1, expected)]


async def test_every_action_of_a_batch_is_carried_out(tmp_path: Path) -> None:
    """Batched `actions[]` were dropped without an action, an output or an error."""
    board = Board()
    async with FakeProvider() as provider:
        click = {"type": "click", "x": 10, "y": 20, "button": "left"}
        batch = [click, {"type": "type", "text": "hi"}, {"type": "keypress", "keys": ["ENTER"]}]
        provider.script(openai.computer_call(batch, call_id="call_1"), openai.text("Done."))
        access = {"api_key": provider.key, "api_base": provider.openai_url}
        results = await results_of(make_agent(GPT, [board.functions()], tmp_path, **access))
    assert [item[0] for item in board.done] == ["click", "type", "keypress"]
    [call] = items_of(results, "computer_call")
    assert [each["type"] for each in call["actions"]] == ["click", "type", "keypress"]  # type: ignore[index,union-attr]
    [output] = items_of(results, "computer_call_output")
    assert output["call_id"] == call["call_id"] == "call_1"


async def test_a_double_click_is_not_a_single_one(tmp_path: Path) -> None:
    """Clicks with other buttons and counts fell back to a plain left click."""
    board = Board()
    script = scripted(Click(1, 2, count=2), Click(3, 4, "middle"), Click(5, 6, count=3), Done())
    results = await results_of(make_agent(script, [board.functions()], tmp_path))
    assert board.done == [("double_click", 1, 2), ("click", 3, 4, "wheel")]
    assert "cannot click 3 times" in str(items_of(results, "computer_call_output")[2]["error"])


# Size


@pytest.mark.parametrize("size", [(640, 400), (400, 640)])
async def test_width_and_height_are_not_swapped(size: tuple[int, int], tmp_path: Path) -> None:
    """`predict_click` gave height and width to a function of width and height."""
    board = Board(*size)
    seen = await declared_size(board.functions(), tmp_path)
    assert seen == size


async def test_the_declared_dimensions_are_what_the_model_is_told(tmp_path: Path) -> None:
    """A dict computer of 1920 by 1080 was announced as 1024 by 768."""
    board = Board(320, 180)
    computer = board.functions("click", dimensions=(1920, 1080), environment="linux")
    assert await declared_size(computer, tmp_path) == (1920, 1080)
    agent = make_agent(scripted(Click(1900, 1000), Done()), [computer], tmp_path)
    await results_of(agent)
    assert board.done == [("click", 1900, 1000, "left")]


async def declared_size(computer: dict[str, object], home: Path) -> tuple[int, int]:
    agent = make_agent(scripted(Done()), [computer], home)
    await results_of(agent)
    assert agent.last_run is not None
    assert agent.last_run.screen is not None
    return agent.last_run.screen.width, agent.last_run.screen.height


# Safety


class Person:
    def __init__(self, choice: str, before: Callable[[], object]) -> None:
        self.choice, self.before = choice, before
        self.asked: list[tuple[Question, object]] = []

    async def ask(self, question: Question) -> Answer:
        self.asked.append((question, self.before()))
        return Answer(self.choice)


CHECKED = Call("c1", "computer", (Click(5, 5),), checks=(SafetyCheck("sc1", "malicious", "Odd"),))


async def test_a_safety_check_is_decided_before_the_act(tmp_path: Path) -> None:
    """The click ran first; then the check was read, and acknowledged by itself."""
    board = Board()
    person = Person("allow", lambda: list(board.done))
    model = scripted(calls(CHECKED), Done())
    results = await results_of(make_agent(model, [board.functions()], tmp_path, asker=person))
    [(question, done_before)] = person.asked
    assert question.kind == "safety"
    assert done_before == []
    assert board.done == [("click", 5, 5, "left")]
    [output] = items_of(results, "computer_call_output")
    check = {"id": "sc1", "code": "malicious", "message": "Odd"}
    assert output["acknowledged_safety_checks"] == [check]


@pytest.mark.parametrize("answer", ["deny", None])
async def test_a_check_that_nobody_confirms_stops_the_act(
    answer: str | None, tmp_path: Path
) -> None:
    """There was nobody who could have said no."""
    board = Board()
    asker = Person(answer, lambda: None) if answer else None
    model = scripted(calls(CHECKED), Done())
    results = await results_of(make_agent(model, [board.functions()], tmp_path, asker=asker))
    assert board.done == []
    [output] = items_of(results, "computer_call_output")
    assert output["acknowledged_safety_checks"] == []
    assert "confirm" in str(output["error"])


async def test_only_the_actions_of_the_table_can_be_called(tmp_path: Path) -> None:
    """The model could call any method of the handler by its name, `close` and `__init__` too."""
    called: list[str] = []

    class Handler(Board):
        def __getattr__(self, name: str) -> object:
            if name in ("click", "type"):
                return self.note(name)
            raise AttributeError(name)

        def close(self) -> None:
            called.append("close")

    board = Handler()
    async with FakeProvider() as provider:
        provider.script(
            openai.computer_call([{"type": "close"}], call_id="a"),
            openai.computer_call([{"type": "__init__"}], call_id="b"),
            openai.text("Done."),
        )
        access = {"api_key": provider.key, "api_base": provider.openai_url}
        results = await results_of(make_agent(GPT, [board], tmp_path, **access))
    assert called == []
    errors = [str(item["output"]) for item in items_of(results, "function_call_output")]
    assert len(errors) == 2
    assert all("there is no computer action" in error for error in errors)


async def test_a_gui_agent_has_no_shell(tmp_path: Path) -> None:
    """What a handler happened to have, the model could use."""
    board = Board()
    computer = board.functions("click", shell=board.note("shell"))
    results = await results_of(make_agent(scripted(Shell("id"), Done()), [computer], tmp_path))
    assert board.done == []
    assert "may not use shell" in str(items_of(results, "computer_call_output")[0]["error"])


async def test_a_missing_function_is_told_and_not_passed_over(tmp_path: Path) -> None:
    """A custom computer without `type` answered with a screenshot, as if it had typed."""
    board = Board()
    results = await results_of(
        make_agent(scripted(Type("secret"), Done()), [board.functions("click")], tmp_path)
    )
    [output] = items_of(results, "computer_call_output")
    assert "type" in str(output["error"])
    assert board.done == []


# Secrets


async def test_no_file_holds_the_api_key(tmp_path: Path) -> None:
    """The key stood in clear in the metadata and in every turn of a trajectory, seven files."""
    board = Board()
    key = "an-ordinary-word-as-a-key-4711"

    def leak() -> str:
        return f"the key is {key}"

    async with FakeProvider(key=key) as provider:
        provider.script(openai.function_call("leak", {}), openai.text(f"It is {key}."))
        log = Log()
        places = {"trajectory_dir": str(tmp_path / "t"), "screenshot_dir": tmp_path / "s"}
        agent = make_agent(
            GPT,
            [board.functions(), leak],
            tmp_path / "runs",
            trajectory_dir=places,
            callbacks=[log],
            api_key=key,
            api_base=provider.openai_url,
        )
        await results_of(agent)
        assert provider.seen[0].key == key
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 8
    assert [path.name for path in files if key.encode() in path.read_bytes()] == []
    assert key not in str(log.told)


# Ends


async def test_empty_answers_end_the_run(tmp_path: Path) -> None:
    """An empty answer was asked for again for ever."""
    board = Board()
    async with FakeProvider() as provider:
        provider.decide(lambda seen: empty())
        access = {"api_key": provider.key, "api_base": provider.openai_url}
        agent = make_agent(GPT, [board.functions()], tmp_path, **access)
        with pytest.raises(RunError, match="without an action") as caught:
            await results_of(agent)
        assert len(provider.seen) < 6
    assert caught.value.context["reason"] == "empty_answers"


async def test_a_model_that_never_ends_is_ended(tmp_path: Path) -> None:
    """There was no limit on steps anywhere."""
    from carrel.policy.limits import Limits

    board = Board()
    model = scripted(*[Click(n, n) for n in range(50)])
    agent = make_agent(model, [board.functions()], tmp_path, limits=Limits(steps=4))
    with pytest.raises(RunError, match="4 steps"):
        await results_of(agent)
    assert len(board.done) == 4


async def test_the_model_ends_the_run_when_it_says_so(tmp_path: Path) -> None:
    """`terminate` was carried out as an action, and the model was asked again, five times."""
    board = Board()
    asked = Log()
    model = scripted(Done(False, "I cannot find it."), Click(1, 1))
    agent = make_agent(model, [board.functions()], tmp_path, callbacks=[asked])
    results = await results_of(agent)
    assert asked.hooks.count("on_api_start") == 1
    assert board.done == []
    assert results[-1]["output"][-1]["content"][0]["text"] == "I cannot find it."  # type: ignore[index]
    assert agent.last_run is not None
    assert agent.last_run.reason == "gave_up"


async def test_going_round_in_circles_is_noticed(tmp_path: Path) -> None:
    """The same click on a screen that never changes went on as long as the money lasted."""
    board = Board()
    board.still = True
    agent = make_agent(scripted(*[Click(5, 5)] * 60), [board.functions()], tmp_path)
    with pytest.raises(RunError):
        await results_of(agent)
    assert len(board.done) < 30


# History


async def test_every_call_keeps_its_output_when_pictures_are_forgotten(tmp_path: Path) -> None:
    """Pruning images removed outputs and left their calls, which providers refuse with 400."""
    board = Board()
    async with FakeProvider() as provider:
        click = {"type": "click", "x": 1, "y": 2, "button": "left"}
        steps = [openai.computer_call([click], call_id=f"c{n}") for n in range(5)]
        provider.script(*steps, openai.text("Done."))
        access = {"api_key": provider.key, "api_base": provider.openai_url}
        agent = make_agent(
            GPT, [board.functions()], tmp_path, only_n_most_recent_images=1, **access
        )
        await results_of(agent)
        assert [seen.refused for seen in provider.seen] == [""] * 6
        sent = provider.seen[-1].body["input"]
    assert isinstance(sent, list)
    assert json.dumps(sent).count("data:image/png") == 1
    made = [item["call_id"] for item in sent if str(item.get("type")).endswith("_call")]  # type: ignore[union-attr,index]
    given = [item["call_id"] for item in sent if str(item.get("type")).endswith("_output")]  # type: ignore[union-attr,index]
    assert made == given
    assert len(made) == 5


async def test_every_call_of_a_failed_step_has_an_output(tmp_path: Path) -> None:
    """A call that failed, or came after one that ended the run, was left without an output."""
    board = Board()
    decision = calls(
        Call("a", "computer", (Click(1, 1), Type("x"), Click(2, 2))),
        Call("b", "add", (CallTool("nothing", {}),)),
        Call("c", "computer", (Done(),)),
        Call("d", "computer", (Click(3, 3),)),
    )
    computer = board.functions("click")
    results = await results_of(make_agent(scripted(decision), [computer], tmp_path))
    made = [item["call_id"] for item in items_of(results) if str(item["type"]).endswith("_call")]
    answered = [
        item["call_id"] for item in items_of(results) if str(item["type"]).endswith("_output")
    ]
    assert sorted(made) == sorted(answered)  # type: ignore[type-var]
    assert board.done == [("click", 1, 1, "left")]


# Tools


async def test_a_tool_that_fails_is_told_to_the_model(tmp_path: Path) -> None:
    """An ordinary exception of a tool, or bad arguments, killed the run."""
    board = Board()

    def divide(a: int, b: int) -> float:
        return a / b

    script = scripted(
        CallTool("divide", {"a": 1, "b": 0}),
        CallTool("divide", {"a": "x", "b": 0}),
        CallTool("divide", {"a": 1}),
        CallTool("divide", {"a": 6, "b": 2}),
        Done(),
    )
    results = await results_of(make_agent(script, [board.functions(), divide], tmp_path))
    outputs = [str(item["output"]) for item in items_of(results, "function_call_output")]
    assert [json.loads(each)["error"] for each in outputs[:3]] == [
        "divide: ZeroDivisionError: division by zero",
        "divide.a: expected integer, got 'x'",
        "divide needs 'b'",
    ]
    assert outputs[3] == "3.0"


async def test_arguments_that_are_no_json_are_told_to_the_model(tmp_path: Path) -> None:
    """Arguments that could not be parsed ended the run with an exception."""
    board = Board()
    async with FakeProvider() as provider:
        provider.script(openai.function_call("add", "{not json"), openai.text("Done."))
        access = {"api_key": provider.key, "api_base": provider.openai_url}
        agent = make_agent(GPT, [board.functions(), add], tmp_path, **access)
        results = await results_of(agent)
        assert provider.left == 0
    assert "error" in json.loads(str(items_of(results, "function_call_output")[0]["output"]))


async def test_a_plain_function_needs_no_other_package(tmp_path: Path) -> None:
    """Without numpydoc a function tool was left out with a printed warning."""
    board = Board()
    script = scripted(CallTool("add", {"a": 2, "b": 3}), Done())
    results = await results_of(make_agent(script, [board.functions(), add], tmp_path))
    assert items_of(results, "function_call_output")[0]["output"] == "5"


def test_what_cannot_be_a_tool_is_refused(tmp_path: Path) -> None:
    """Unknown tools were left out with a printed warning."""

    def untyped(a):  # type: ignore[no-untyped-def]
        return a

    for bad in (untyped, 3, {"click": print}):
        with pytest.raises(InvalidInput):
            make_agent(scripted(), [bad], tmp_path)


# Callbacks


class Failing(AsyncCallbackHandler):
    def __init__(self, hook: str) -> None:
        self.hook = hook
        setattr(self, hook, self._fail)

    async def _fail(self, *arguments: object) -> None:
        raise ValueError(f"{self.hook} is broken")


HOOKS = (
    *("on_run_start", "on_run_continue", "on_llm_start", "on_api_start", "on_api_end", "on_usage"),
    *("on_llm_end", "on_responses", "on_computer_call_start", "on_screenshot"),
    *("on_computer_call_end", "on_text"),
)


@pytest.mark.parametrize("hook", HOOKS)
async def test_the_end_is_told_also_after_an_exception(hook: str, tmp_path: Path) -> None:
    """`on_run_end` was not called after an exception, and the trajectory stayed `running`."""
    board = Board()
    log = Log()
    agent = make_agent(
        scripted(Click(1, 1), Done(True, "ok")),
        [board.functions()],
        tmp_path,
        callbacks=[Failing(hook), log],
        trajectory_dir=tmp_path / "t",
    )
    with pytest.raises(ValueError, match=f"{hook} is broken"):
        await results_of(agent)
    assert log.hooks.count("on_run_end") == 1
    written = [json.loads(p.read_text()) for p in (tmp_path / "t").rglob("metadata.json")]
    assert [item["status"] for item in written if item["status"] == "running"] == []
    assert len(written) == (0 if hook == "on_run_start" else 1)


async def test_the_end_is_told_when_the_model_cannot_be_reached(tmp_path: Path) -> None:
    """A provider's error left run and trajectory without an end."""
    from carrel.testing import status

    board = Board()
    log = Log()
    async with FakeProvider() as provider:
        provider.decide(lambda seen: status(401))
        agent = make_agent(
            GPT,
            [board.functions()],
            tmp_path,
            callbacks=[log],
            api_key=provider.key,
            api_base=provider.openai_url,
            trajectory_dir=tmp_path / "t",
        )
        with pytest.raises(RunError) as caught:
            await results_of(agent)
        assert len(provider.seen) == 1
    assert caught.value.context["reason"] == "auth"
    assert log.hooks[-1] == "on_run_end"
    [metadata] = (tmp_path / "t").rglob("metadata.json")
    assert json.loads(metadata.read_text())["status"] == "failed"


async def test_the_list_of_callbacks_stays_the_users(tmp_path: Path) -> None:
    """Every agent put its own callbacks into the list it was given."""
    board = Board()
    given: list[object] = [Log()]
    for _ in range(2):
        options = {"instructions": "Be brief.", "trajectory_dir": tmp_path / "t", "verbosity": 10}
        agent = make_agent(
            scripted(Done()),
            [board.functions()],
            tmp_path,
            callbacks=given,
            max_trajectory_budget=1.0,
            **options,
        )
        await results_of(agent)
    assert len(given) == 1


async def test_what_a_callback_changes_changes_nothing(tmp_path: Path) -> None:
    """Hooks shared the runtime's own objects."""

    class Vandal(AsyncCallbackHandler):
        async def on_computer_call_start(self, item: dict[str, object]) -> None:  # type: ignore[override]
            item["action"]["x"] = 200  # type: ignore[index]
            item.clear()

    board = Board()
    agent = make_agent(
        scripted(Click(1, 1), Done()), [board.functions()], tmp_path, callbacks=[Vandal()]
    )
    results = await results_of(agent)
    assert board.done == [("click", 1, 1, "left")]
    assert items_of(results, "computer_call_output")[0]["call_id"] == "step_0"


async def test_rewriting_what_the_model_is_told_is_refused_and_not_ignored(tmp_path: Path) -> None:
    """A callback that looked like protection did nothing."""

    class Censor(AsyncCallbackHandler):
        async def on_llm_start(self, messages: list[dict[str, object]]) -> list[object]:  # type: ignore[override]
            return []

    agent = make_agent(scripted(Done()), [Board().functions()], tmp_path, callbacks=[Censor()])
    with pytest.raises(Unsupported, match="on_llm_start of Censor"):
        await results_of(agent)


async def test_a_callback_ends_the_run_before_the_model_is_asked(tmp_path: Path) -> None:
    """The only thing a callback may decide."""
    board = Board()
    log = Log(stop_after=2)
    agent = make_agent(
        scripted(*[Click(n, n) for n in range(9)]), [board.functions()], tmp_path, callbacks=[log]
    )
    await results_of(agent)
    assert len(board.done) == 2
    assert log.hooks.count("on_api_start") == 2
    assert agent.last_run is not None
    assert agent.last_run.reason == "cancelled"


# Money


def priced(amount: int) -> Decision:
    """A decision of a model that costs: a million tokens in is 2.50 dollars."""
    return replace(calls(Call("c", "computer", (Click(1, 1),))), usage=Usage(input=amount))


class Priced:
    """A scripted model under a name that has a price."""

    def __new__(cls, *steps: Decision) -> object:
        model = scripted(*steps)
        model.name = "openai:gpt-5.4"
        return model


async def test_a_second_run_over_budget_ends_as_the_first(tmp_path: Path) -> None:
    """The second run of a spent budget raised UnboundLocalError."""
    board = Board()
    budget = {"max_budget": 0.6, "reset_after_each_run": False}
    model = Priced(*[priced(240_000)] * 20)
    agent = make_agent(  # type: ignore[arg-type]
        model, [board.functions()], tmp_path, max_trajectory_budget=budget
    )
    await results_of(agent)
    assert agent.last_run is not None
    assert agent.last_run.reason == "money_limit"
    first = len(board.done)
    assert 0 < first < 3
    results = await results_of(agent)
    assert agent.last_run.reason == "money_limit"
    assert len(board.done) == first
    assert results == []


async def test_a_budget_can_raise(tmp_path: Path) -> None:
    """The error named a budget that was already overrun."""
    model = Priced(*[priced(200_000)] * 20)
    agent = make_agent(  # type: ignore[arg-type]
        model,
        [Board().functions()],
        tmp_path,
        max_trajectory_budget={"max_budget": 1.0, "raise_error": True},
    )
    with pytest.raises(BudgetExceededError):
        await results_of(agent)
    assert agent.last_run is not None
    assert agent.last_run.known_cost <= 1


async def test_a_budget_without_a_price_is_no_budget(tmp_path: Path) -> None:
    """Of models without a known price the budget never tripped."""
    model = scripted(Click(1, 1))
    model.name = "openrouter:nobody/prices-this"
    board = Board()
    agent = make_agent(model, [board.functions()], tmp_path, max_trajectory_budget=1.0)
    with pytest.raises(RunError, match="price"):
        await results_of(agent)
    assert board.done == []


# The rest


async def test_usage_is_always_plain_data(tmp_path: Path) -> None:
    """Some results carried a dict, others an object of litellm."""
    script = scripted(Click(1, 1), CallTool("add", {"a": 1, "b": 1}), Key(("a",)), Done())
    results = await results_of(make_agent(script, [Board().functions(), add], tmp_path))
    assert json.loads(json.dumps(results)) == results
    assert all(type(result["usage"]) is dict for result in results)


async def test_requests_are_repeated_as_often_as_asked_and_no_more(tmp_path: Path) -> None:
    """Any error whose text held `connection`, `timeout` or `503` was tried again."""
    from carrel.testing import status

    for retries, expected in ((0, 1), (1, 2)):
        async with FakeProvider() as provider:
            provider.decide(lambda seen: status(503, "connection timeout", retry_after=0))
            agent = make_agent(
                GPT,
                [Board().functions()],
                tmp_path,
                max_retries=retries,
                api_key=provider.key,
                api_base=provider.openai_url,
            )
            with pytest.raises(RunError):
                await results_of(agent)
            assert len(provider.seen) == expected


async def test_a_slow_tool_does_not_stop_the_event_loop(tmp_path: Path) -> None:
    """`BaseTool.call` ran in the event loop."""
    import threading

    from carrel.compat.cua import BaseTool

    released = threading.Event()

    class Slow(BaseTool):
        name = "slow"
        description = "Takes its time."

        @property
        def parameters(self) -> dict[str, object]:  # type: ignore[override]
            return {"type": "object", "properties": {}}

        def call(self, params: dict[str, object]) -> str:  # type: ignore[override]
            assert released.wait(20)
            return "slept"

    agent = make_agent(
        scripted(CallTool("slow", {}), Done()), [Board().functions(), Slow()], tmp_path
    )
    results: list[dict[str, object]] = []

    async def run() -> None:
        results.extend(await results_of(agent))  # type: ignore[arg-type]

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run)
            while agent.last_run is None or not agent.last_run.unfinished:  # noqa: ASYNC110
                await anyio.sleep(0.01)
            released.set()
    assert items_of(results, "function_call_output")[0]["output"] == "slept"  # type: ignore[arg-type]


async def test_words_of_the_system_and_the_assistant_are_kept(tmp_path: Path) -> None:
    """System messages and plain assistant texts were dropped from the conversation."""
    async with FakeProvider() as provider:
        provider.script(text("Done."))
        access = {"api_key": provider.key, "api_base": provider.openai_url}
        agent = make_agent(GPT, [Board().functions()], tmp_path, **access)
        await results_of(
            agent,
            [
                {"role": "system", "content": "Speak like a pirate."},
                {"role": "user", "content": "Open the editor."},
                {"role": "assistant", "content": "The editor is open."},
                {"role": "user", "content": "Now close it."},
            ],
        )
        asked = json.dumps(provider.seen[0].body)
    for words in ("pirate", "Open the editor", "The editor is open", "Now close it"):
        assert words in asked


async def test_results_that_look_like_json_stay_what_they_are(tmp_path: Path) -> None:
    """A tool's JSON object became a screenshot, and its `3` an AttributeError."""

    def facts(kind: str) -> str:
        return {"object": '{"type": "input_image", "image_url": "x"}', "number": "3"}[kind]

    async with FakeProvider() as provider:
        provider.script(
            openai.function_call("facts", {"kind": "object"}),
            openai.function_call("facts", {"kind": "number"}),
            openai.text("Done."),
            openai.text("Again."),
        )
        access = {"api_key": provider.key, "api_base": provider.openai_url}
        agent = make_agent(GPT, [Board().functions(), facts], tmp_path, **access)
        results = await results_of(agent)
        history: list[dict[str, object]] = [{"role": "user", "content": "Look."}]
        history += items_of(results)  # type: ignore[arg-type]
        history.append({"role": "user", "content": "Again."})
        await results_of(agent, history)  # type: ignore[arg-type]
        assert [seen.refused for seen in provider.seen] == [""] * 4
    outputs = [item["output"] for item in items_of(results, "function_call_output")]
    assert outputs == ['{"type": "input_image", "image_url": "x"}', "3"]


async def test_instructions_are_told_once(tmp_path: Path) -> None:
    """Instructions were a message of the user's, put in front again at every call."""
    async with FakeProvider() as provider:
        click = {"type": "click", "x": 1, "y": 2, "button": "left"}
        provider.script(*[openai.computer_call([click])] * 3, openai.text("Done."))
        access = {"api_key": provider.key, "api_base": provider.openai_url}
        words = "Mind the gap between the trains."
        agent = make_agent(GPT, [Board().functions()], tmp_path, instructions=words, **access)
        await results_of(agent)
        bodies = [json.dumps(seen.body) for seen in provider.seen]
    assert [body.count(words) for body in bodies] == [1] * 4
    assert all(words not in json.dumps(seen.body["input"]) for seen in provider.seen)


async def test_a_model_on_ollama_sees_the_screen(tmp_path: Path) -> None:
    """Ollama was refused as soon as there was a picture, so always."""
    async with FakeProvider() as provider:
        provider.script(text("Done."))
        agent = make_agent(
            "ollama/some-vision-model",
            [Board().functions()],
            tmp_path,
            api_key=provider.key,
            api_base=provider.openai_url,
        )
        with suppress(RunError):
            await results_of(agent)
        assert "data:image/png;base64," in json.dumps(provider.seen[0].body)


async def test_agents_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Every agent overwrote a table of providers that all of them shared."""
    async with FakeProvider() as one, FakeProvider() as two:
        agents = []
        for provider in (one, two):
            provider.script(openai.text("Done."))
            access = {"api_key": provider.key, "api_base": provider.openai_url}
            agents.append(make_agent(GPT, [Board().functions()], tmp_path, **access))
        async with anyio.create_task_group() as tasks:
            for agent in agents:
                tasks.start_soon(results_of, agent)
        assert [seen.refused for seen in (*one.seen, *two.seen)] == ["", ""]


def test_a_custom_loop_is_refused_and_not_forgotten(tmp_path: Path) -> None:
    """`custom_loop` was accepted, and then no run could begin."""
    with pytest.raises(Unsupported, match="custom loop"):
        make_agent(scripted(), [Board().functions()], tmp_path, custom_loop=print)


async def test_nothing_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Loops and callbacks printed, debugging lines and whole answers among it."""
    script = scripted(Click(1, 1), Type("x"), CallTool("add", {}), Done())
    await results_of(make_agent(script, [Board().functions("click"), add], tmp_path))
    assert capsys.readouterr() == ("", "")


@pytest.mark.desktop
async def test_the_accessibility_tree_is_the_desks_own(local: Subject) -> None:
    """The tree was made up, with `success: true` and another screen's size."""
    tree = await Interface(local.computer).get_accessibility_tree()
    names = json.dumps(tree)
    assert "1920" not in names
    assert tree["role"] == "desktop"


@pytest.mark.desktop
async def test_keys_have_all_their_names_and_others_are_an_error(local: Subject) -> None:
    """`del`, `pagedown` and `win` were unknown, and the client ignored the refusal."""
    interface = Interface(local.computer)
    async with local.event_log() as log:
        for key in ("del", "pagedown", "win", "option"):
            await interface.press(key)
        pressed = [name for kind, name in await log.keys() if kind == "press"]
    assert pressed == ["Delete", "Next", "Super_L", "Alt_L"]
    with pytest.raises(InvalidInput):
        await interface.press("no-such-key")


@pytest.mark.desktop
async def test_a_drag_presses_once(local: Subject) -> None:
    """A drag pressed and released at every point of its path."""
    async with local.event_log() as log:
        x, y = await log.center()
        await Interface(local.computer).drag([(x, y), (x + 20, y), (x + 20, y + 20)], duration=0.1)
        assert await log.buttons() == [("press", 1), ("release", 1)]


@pytest.mark.desktop
async def test_what_fails_in_the_machine_raises(local: Subject) -> None:
    """`success: false` of the server was ignored by the client."""
    interface = Interface(local.computer)
    for attempt in (
        interface.read_text("/no/such/file"),
        interface.get_window_name(12345),
        interface.delete_dir("/no/such/directory"),
    ):
        with pytest.raises((CarrelError, NotFound)):
            await attempt
