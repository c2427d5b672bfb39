from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import anyio
import pytest
from boards import Board
from plays import Person, Seeing, play, results, until

from carrel.actions import Action, Click, Key, Screenshot, Scroll, Shell, Type, Wait
from carrel.agent import acting
from carrel.agent.agent import Agent
from carrel.agent.asking import Question
from carrel.agent.control import Answer
from carrel.agent.tools import tool
from carrel.decisions import Call, Decision, SafetyCheck, Usage
from carrel.errors import ModelError
from carrel.events import Event
from carrel.geometry import Box
from carrel.intents import Ask, CallTool, Done, Note
from carrel.journal.verify import verify
from carrel.models.context import Context
from carrel.models.model import OnText
from carrel.models.scripted import ScriptedModel
from carrel.policy.limits import Limits
from carrel.policy.policy import Policy
from carrel.policy.rules import Rule, Verdict
from carrel.results import Failure

pytestmark = pytest.mark.anyio


async def test_actions_happen_in_order_and_the_run_ends_as_the_model_says(tmp_path: Path) -> None:
    board = Board()
    run, events = await play(
        tmp_path, [Click(50, 60), (Type("hi"), Key(("enter",))), Done(True, "all done")], board
    )
    assert (board.clicks, board.typed, board.keys) == ([(50, 60)], "hi", [("enter",)])
    assert (run.status.value, run.reason, run.text, run.steps) == (
        "succeeded",
        "done",
        "all done",
        3,
    )
    kinds = [event.kind for event in events]
    assert kinds[0] == "run.started"
    assert kinds[-1] == "run.finished"
    assert kinds.index("act") < kinds.index("result")


async def test_a_batch_stops_at_its_first_failure_and_the_model_is_told_of_the_rest(
    tmp_path: Path,
) -> None:
    board = Board()
    model = Seeing([(Click(1, 1), Scroll(1, 1, dy=1), Click(2, 2)), Done()])
    await play(tmp_path, model, board)
    assert board.clicks == [(1, 1)]
    told = model.contexts[1].turns[0].outcomes[0].text
    assert "unsupported" in told
    assert "not tried after that: click" in told


async def test_a_missing_function_is_an_error_told_to_the_model(tmp_path: Path) -> None:
    model = Seeing([Scroll(5, 5, dy=3), Done()])
    _, events = await play(tmp_path, model)
    assert results(events)[0].get("ok") is not True
    assert "cannot carry out 'scroll'" in model.contexts[1].turns[0].outcomes[0].text


async def test_every_call_of_a_decision_gets_its_own_outcome(tmp_path: Path) -> None:
    decision = Decision(
        calls=(
            Call("a", "computer", (Click(1, 2),)),
            Call("b", "computer", problem=Failure("invalid_input", "no such tool")),
            Call("c", "computer", (Click(3, 4),)),
        )
    )
    model = Seeing([decision, Done()])
    board = Board()
    await play(tmp_path, model, board)
    outcomes = model.contexts[1].turns[0].outcomes
    assert [outcome.call for outcome in outcomes] == ["a", "b", "c"]
    assert "no such tool" in outcomes[1].text
    assert board.clicks == [(1, 2), (3, 4)]


async def test_empty_answers_end_the_run_after_three(tmp_path: Path) -> None:
    model = Seeing([Decision(), Decision(), Decision(), Click(1, 1)])
    run, _ = await play(tmp_path, model)
    assert (run.status.value, run.reason) == ("failed", "empty_answers")
    assert len(model.contexts) == 3


async def test_words_without_an_action_are_not_called_nothing(tmp_path: Path) -> None:
    model = Seeing([Decision(text="I would click there."), Done(True, "ok")])
    run, _ = await play(tmp_path, model)
    assert run.status == "succeeded"
    (hint,) = model.contexts[1].turns[-1].said
    assert "words and no action" in hint


class Silent(ScriptedModel):
    """A model that never answers."""

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        await anyio.sleep_forever()
        raise AssertionError


async def test_the_time_limit_ends_a_run_whose_model_is_silent(tmp_path: Path) -> None:
    run, _ = await play(tmp_path, Silent([]), limits=Limits(seconds=0.2))
    assert (run.status.value, run.reason) == ("failed", "time_limit")


async def test_the_time_limit_ends_an_action_that_does_not_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait(seconds: float | None = None, **_: object) -> None:
        await anyio.sleep_forever()

    monkeypatch.setattr(acting, "GRACE", 0.1)
    limits = Limits(seconds=0.3)
    agent = Agent(model=ScriptedModel([Wait(5)]), home=tmp_path, limits=limits)
    with anyio.fail_after(20):
        run = await agent.run("do it", {**Board().functions(), "wait": wait}).result()
    assert (run.status.value, run.reason) == ("failed", "time_limit")
    assert "during this wait" in run.message


async def test_an_empty_answer_is_followed_by_a_hint(tmp_path: Path) -> None:
    model = Seeing([Decision(), Done()])
    run, _ = await play(tmp_path, model)
    assert run.reason == "done"
    assert "neither an action nor a word" in model.contexts[1].turns[-1].said[0]


async def test_a_truncated_answer_is_told_and_then_ends_the_run(tmp_path: Path) -> None:
    run, _ = await play(tmp_path, [Decision(truncated=True)] * 3)
    assert run.reason == "truncated"


async def test_calls_that_cannot_be_understood_end_the_run_after_four(tmp_path: Path) -> None:
    bad = Decision(calls=(Call("x", problem=Failure("invalid_input", "what?")),))
    run, _ = await play(tmp_path, [bad] * 9)
    assert (run.reason, run.steps) == ("malformed_calls", 4)


async def test_a_refusal_ends_the_run_with_its_words(tmp_path: Path) -> None:
    run, _ = await play(tmp_path, [Decision(refusal="I will not")])
    assert (run.status.value, run.reason, run.message) == ("refused", "model_refused", "I will not")


async def test_giving_up_is_a_failure_with_the_reason(tmp_path: Path) -> None:
    run, _ = await play(tmp_path, [Done(False, "there is no such button")])
    assert (run.status.value, run.reason) == ("failed", "gave_up")
    assert run.message == "there is no such button"


async def test_terminate_ends_the_run_at_once(tmp_path: Path) -> None:
    board = Board()
    model = Seeing([(Click(1, 1), Done(), Click(2, 2)), Click(3, 3)])
    await play(tmp_path, model, board)
    assert board.clicks == [(1, 1)]
    assert len(model.contexts) == 1


async def test_the_step_limit_ends_the_run(tmp_path: Path) -> None:
    board = Board()
    script = [Click(number, 1) for number in range(50)]
    run, _ = await play(tmp_path, list(script), board, limits=Limits(steps=5))
    assert (run.reason, run.steps, len(board.clicks)) == ("step_limit", 5, 5)


async def test_a_denied_action_does_not_happen_and_the_model_is_told(tmp_path: Path) -> None:
    policy = Policy(
        rules=(Rule(Verdict.DENY, actions=("click",), reason="no clicking"),),
        default=Policy.for_isolation("process").default,
    )
    board = Board()
    model = Seeing([Click(1, 1), Type("x"), Done()])
    run, events = await play(tmp_path, model, board, policy=policy)
    assert board.clicks == []
    assert board.typed == "x"
    assert "no clicking" in model.contexts[1].turns[0].outcomes[0].text
    assert run.reason == "done"
    acts = [event.data["words"] for event in events if event.kind == "act"]
    assert not any("click" in str(words) for words in acts)


async def test_only_the_allowed_actions_can_be_called(tmp_path: Path) -> None:
    board = Board()
    model = Seeing([Click(1, 1), Done()])
    await play(tmp_path, model, board, actions=("type",))
    assert board.clicks == []
    assert "may not use click" in model.contexts[1].turns[0].outcomes[0].text


async def test_an_action_is_asked_about_before_it_happens(tmp_path: Path) -> None:
    board = Board()
    person = Person()
    policy = Policy.for_isolation("none")

    class Watching(Person):
        async def ask(self, question: Question) -> Answer | None:
            assert board.clicks == []
            return await person.ask(question)

    _, events = await play(tmp_path, [Click(7, 8), Done()], board, policy=policy, asker=Watching())
    assert board.clicks == [(7, 8)]
    assert person.asked[0].words == "click at 7, 8"
    kinds = [event.kind for event in events]
    assert kinds.index("ask") < kinds.index("answer") < kinds.index("act")


async def test_a_refused_ask_stops_the_action_and_tells_the_reason(tmp_path: Path) -> None:
    board = Board()
    model = Seeing([Click(7, 8), Done()])
    person = Person("deny", "not that one")
    await play(tmp_path, model, board, policy=Policy.for_isolation("none"), asker=person)
    assert board.clicks == []
    assert "not that one" in model.contexts[1].turns[0].outcomes[0].text


async def test_a_grant_for_the_run_asks_once(tmp_path: Path) -> None:
    board = Board()
    person = Person(grant="run")
    script: list[Decision | Action | tuple[Action, ...]] = [Type("a"), Type("b"), Done()]
    await play(tmp_path, script, board, policy=Policy.for_isolation("none"), asker=person)
    assert board.typed == "ab"
    assert len(person.asked) == 1


@pytest.mark.parametrize(("choice", "clicks"), [("allow", [(9, 9)]), ("deny", [])])
async def test_a_providers_safety_check_is_decided_before_the_action(
    tmp_path: Path, choice: str, clicks: list[tuple[int, int]]
) -> None:
    board = Board()
    check = SafetyCheck("sc1", "malicious_instructions", "the page says so")
    decision = Decision(calls=(Call("c", "computer", (Click(9, 9),), checks=(check,)),))
    person = Person(choice)

    class Watching(Person):
        async def ask(self, question: Question) -> Answer | None:
            assert board.clicks == []
            assert "the page says so" in question.text
            return await person.ask(question)

    model = Seeing([decision, Done()])
    await play(tmp_path, model, board, asker=Watching())
    assert board.clicks == clicks
    acknowledged = model.contexts[1].turns[0].outcomes[0].acknowledged
    assert acknowledged == ((check,) if clicks else ())


async def test_without_anybody_to_ask_the_run_waits_on_disk(tmp_path: Path) -> None:
    board = Board()
    run, events = await play(
        tmp_path, [Click(1, 1), Done()], board, policy=Policy.for_isolation("none")
    )
    assert board.clicks == []
    assert run.status.value == "waiting"
    assert events[-1].kind == "run.status"
    assert len(run.asks) == 1


async def test_a_waiting_run_goes_on_when_it_is_answered_and_resumed(tmp_path: Path) -> None:
    board = Board()
    policy = Policy.for_isolation("none")
    model = ScriptedModel([Click(1, 1), Done(True, "fine")])
    agent = Agent(model=model, home=tmp_path, policy=policy, settle=0)
    waiting = await agent.run("do it", board.functions()).result()
    again = agent.resume(waiting.id, board.functions())
    again.answer(waiting.asks[0].ask, Answer("allow"))
    with anyio.fail_after(10):
        run = await again.result()
    assert board.clicks == [(1, 1)]
    assert (run.status.value, run.text) == ("succeeded", "fine")


async def test_a_question_of_the_model_reaches_the_person_and_comes_back(tmp_path: Path) -> None:
    person = Person("", "blue")
    model = Seeing([Ask("Which colour?"), Done()])
    await play(tmp_path, model, asker=person)
    assert person.asked[0].text == "Which colour?"
    assert "blue" in model.contexts[1].turns[0].outcomes[0].text


async def test_notes_stay_in_the_context(tmp_path: Path) -> None:
    model = Seeing([Note("the code is 1234"), Click(1, 1), Done()])
    await play(tmp_path, model)
    assert "the code is 1234" in model.contexts[2].summary


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
def explode() -> str:
    """Fail."""
    raise RuntimeError("boom")


async def test_function_tools_are_called_and_their_faults_are_told(tmp_path: Path) -> None:
    policy = Policy(default=dict.fromkeys(Policy().default, Verdict.ALLOW))
    model = Seeing(
        [
            CallTool("add", {"a": 2, "b": 3}),
            CallTool("explode"),
            CallTool("add", {"a": "2", "b": 3}),
            CallTool("nothing"),
            Done(),
        ]
    )
    run, _ = await play(tmp_path, model, tools=[add, explode], policy=policy)
    told = [turn.outcomes[0].text for turn in model.contexts[-1].turns]
    assert told[0] == "5"
    assert "boom" in told[1]
    assert "expected integer" in told[2]
    assert "no tool 'nothing'" in told[3]
    assert run.reason == "done"


async def test_pictures_are_bounded_and_old_turns_keep_their_words(tmp_path: Path) -> None:
    model = Seeing([*(Click(10 * n, 5) for n in range(8)), Done()])
    await play(tmp_path, model)
    last = model.contexts[-1]
    pictures = [outcome.picture for turn in last.turns for outcome in turn.outcomes]
    assert [picture is not None for picture in pictures] == [False] * 5 + [True] * 3
    assert last.first is None
    assert all(turn.outcomes[0].text for turn in last.turns)


async def test_a_zoom_shows_a_part_and_the_whole_comes_back_next(tmp_path: Path) -> None:
    model = Seeing([Screenshot(region=Box(10, 10, 50, 40)), Screenshot(), Done()])
    await play(tmp_path, model)
    first, second = (turn.outcomes[0].picture for turn in model.contexts[2].turns)
    assert first is not None
    assert (first.size.width, first.size.height) == (50, 40)
    assert second is not None
    assert second.region is None


async def test_a_model_that_goes_in_circles_is_told_and_then_stopped(tmp_path: Path) -> None:
    board = Board()
    board.dead = True
    model = Seeing([Click(100 + number % 2, 100) for number in range(60)])
    person = Person("stop")
    run, events = await play(tmp_path, model, board, asker=person)
    rungs = [event.data["rung"] for event in events if event.kind == "stuck"]
    assert rungs[:2] == ["hint", "replan"]
    assert run.reason == "stuck"
    assert len(board.clicks) < 15
    said = [text for turn in model.contexts[-1].turns for text in turn.said]
    assert any("the screen did not change" in text for text in said)


async def test_typing_a_long_form_is_never_stuck(tmp_path: Path) -> None:
    script: list[Decision | Action | tuple[Action, ...]] = []
    for _ in range(15):
        script += [Type("same"), Key(("tab",))]
    run, events = await play(tmp_path, [*script, Done()])
    assert run.reason == "done"
    assert not [event for event in events if event.kind == "stuck"]


class Failing(ScriptedModel):
    """Fails some times before it answers."""

    def __init__(self, errors: list[ModelError]) -> None:
        super().__init__([Click(5, 5), Done()])
        self.errors = errors
        self.calls = 0

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return await super().decide(context, on_text)


def overloaded(after: float | None = None, *, retryable: bool = True) -> ModelError:
    context = {"kind": "rate_limit", "retry_after": after}
    return ModelError("slow down", context=context, retryable=retryable)


async def test_a_rate_limit_is_waited_for_and_no_effect_is_repeated(tmp_path: Path) -> None:
    board = Board()
    model = Failing([overloaded(1.2)])
    started = anyio.current_time()
    run, events = await play(tmp_path, model, board)
    assert anyio.current_time() - started >= 1.2
    assert run.reason == "done"
    assert board.clicks == [(5, 5)]
    errors = [event.data for event in events if event.kind == "error"]
    assert errors[0]["wait"] == 1.2


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (overloaded(100_000.0), "rate_limited"),
        (overloaded(retryable=False), "rate_limited"),
        (ModelError("no", context={"kind": "auth"}), "auth"),
        (ModelError("no", context={"kind": "timeout"}), "model_timeout"),
        (ModelError("no", context={"kind": "bad_request"}), "provider_error"),
    ],
)
async def test_what_cannot_be_retried_ends_the_run_with_its_reason(
    tmp_path: Path, error: ModelError, reason: str
) -> None:
    model = Failing([error])
    run, _ = await play(tmp_path, model)
    assert (run.status.value, run.reason) == ("failed", reason)
    assert model.calls == 1


async def test_an_unforeseen_error_still_ends_the_run_with_a_reason(tmp_path: Path) -> None:
    class Broken(ScriptedModel):
        async def decide(self, context: Context, on_text: OnText) -> Decision:
            raise ZeroDivisionError("oops")

    run, _ = await play(tmp_path, Broken([]))
    assert (run.status.value, run.reason) == ("failed", "internal")
    assert "oops" in run.message


async def test_cancel_breaks_off_a_model_that_thinks(tmp_path: Path) -> None:
    class Slow(ScriptedModel):
        async def decide(self, context: Context, on_text: OnText) -> Decision:
            await anyio.sleep(60)
            raise AssertionError

    running = Agent(model=Slow([]), home=tmp_path).run("x", Board().functions())
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(running.result)
            await until(lambda: running.run.status.value == "running")
            running.cancel("a test")
    assert (running.run.status.value, running.run.message) == ("cancelled", "cancelled by a test")


async def test_pause_holds_the_next_action_until_resumed(tmp_path: Path) -> None:
    board = Board()
    model = ScriptedModel([Click(1, 1), Click(2, 2), Done()])
    running = Agent(model=model, home=tmp_path, settle=0).run("x", board.functions())
    seen: list[str] = []

    async def drive() -> None:
        async for event in running:
            seen.append(event.kind)
            if event.kind == "result" and len(board.clicks) == 1:
                running.pause("a test")

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(drive)
            await until(lambda: running.run.status.value == "paused")
            await anyio.sleep(0.3)
            assert len(board.clicks) == 1
            running.resume()
    assert len(board.clicks) == 2
    assert running.run.reason == "done"


async def test_steering_reaches_the_next_decision(tmp_path: Path) -> None:
    model = Seeing([Click(1, 1), Done()])
    running = Agent(model=model, home=tmp_path, settle=0).run("x", Board().functions())
    async for event in running:
        if event.kind == "act":
            running.steer("use the other one")
    assert model.contexts[1].turns[-1].said == ("use the other one",)


async def test_an_observers_fault_changes_nothing(tmp_path: Path) -> None:
    def fall(event: Event) -> None:
        raise RuntimeError("observer")

    board = Board()
    agent = Agent(model=ScriptedModel([Click(1, 1), Done()]), home=tmp_path, settle=0)
    run = await agent.run("x", board.functions(), observers=[fall]).result()
    assert run.reason == "done"
    assert board.clicks == [(1, 1)]


async def test_leaving_early_leaves_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    board = Board()
    script: list[Decision | Action | tuple[Action, ...]] = [Click(1, 1), Click(2, 2), Done()]
    agent = Agent(model=ScriptedModel(script), home=tmp_path, settle=0)
    running = agent.run("x", board.functions())
    async for event in running:
        if event.kind == "result":
            break
    await running.aclose()
    run = await agent.resume(running.id, board.functions()).result()
    assert board.clicks == [(1, 1), (2, 2)]
    assert run.reason == "done"
    assert verify(running.id, tmp_path).ok


async def test_a_finished_run_is_not_resumed(tmp_path: Path) -> None:
    from carrel.errors import WrongState

    run, _ = await play(tmp_path, [Done()])
    agent = Agent(model=ScriptedModel([]), home=tmp_path)
    with pytest.raises(WrongState, match="has ended"):
        await agent.resume(run.id, Board().functions()).result()


async def test_cost_is_counted_exactly_and_unknown_is_never_nothing(tmp_path: Path) -> None:
    paid = Decision(calls=(Call("c", "x", (Done(),)),), usage=Usage(input=1000, output=100))

    class Named(ScriptedModel):
        pass

    run, _ = await play(tmp_path, Named([paid], "nobody:knows-this-model"))
    assert run.cost is None
    assert run.usage.total == 1100
    run, _ = await play(tmp_path, ScriptedModel([paid]))
    assert run.cost == Decimal(0)


async def test_summaries_bound_a_long_run(tmp_path: Path) -> None:
    model = Seeing([*(Click(n % 300, n % 200) for n in range(150)), Done()])
    run, _ = await play(tmp_path, model, limits=Limits(steps=500))
    assert run.steps == 151
    assert max(len(context.turns) for context in model.contexts) <= 60
    assert "1. click\n" in model.contexts[70].summary
    assert model.contexts[-1].decided == 150


def _shell() -> Callable[..., object]:
    def shell(command: str, **rest: object) -> str:
        return f"ran {command}"

    return shell


async def test_own_functions_that_run_commands_are_asked_about(tmp_path: Path) -> None:
    board = Board()
    person = Person("deny")
    agent = Agent(
        model=ScriptedModel([Shell("rm -rf /"), Done()]), home=tmp_path, settle=0, asker=person
    )
    functions = {**board.functions(), "shell": _shell()}
    await agent.run("x", functions).result()
    assert person.asked[0].kind == "rule"


async def test_mcp_servers_need_a_run_that_is_seen_to_its_end(tmp_path: Path) -> None:
    from carrel.agent.mcp import McpServer
    from carrel.errors import UsageError

    server = McpServer("x", command=("true",))
    agent = Agent(model=ScriptedModel([Done()]), home=tmp_path, mcp=[server])
    with pytest.raises(UsageError, match="seen to its end"):
        async for _ in agent.run("x", Board().functions()):
            pass


async def test_tools_given_with_ones_own_functions_need_no_leave(tmp_path: Path) -> None:
    model = Seeing([CallTool("add", {"a": 1, "b": 1}), Done()])
    run, _ = await play(tmp_path, model, tools=[add])
    assert run.reason == "done"
    assert model.contexts[1].turns[0].outcomes[0].text == "2"


async def test_words_alone_said_again_end_the_run_and_are_no_success(tmp_path: Path) -> None:
    model = Seeing([Click(1, 1), Decision(text="It is done."), Decision(text="Yes, done.")])
    run, _ = await play(tmp_path, model)
    assert (run.status.value, run.reason, run.text) == ("failed", "unconfirmed", "Yes, done.")
    assert "If the task is over" in model.contexts[2].turns[-1].said[0]


async def test_words_between_actions_end_nothing(tmp_path: Path) -> None:
    board = Board()
    script: list[Decision | Action | tuple[Action, ...]] = [
        Decision(text="I look first."),
        Click(1, 1),
        Decision(text="Now the other."),
        Click(2, 2),
        Done(True, "both"),
    ]
    run, _ = await play(tmp_path, script, board)
    assert board.clicks == [(1, 1), (2, 2)]
    assert run.text == "both"
