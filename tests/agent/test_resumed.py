from __future__ import annotations

import time
from decimal import Decimal
from pathlib import Path

import anyio
import pytest
from boards import Board
from plays import Person, Seeing, results

from carrel.actions import Action, Click, Key, KeyDown, Type
from carrel.agent.agent import Agent
from carrel.agent.asking import Question
from carrel.agent.control import Answer
from carrel.agent.custom import CustomHands
from carrel.agent.running import Running
from carrel.agent.tools import tool
from carrel.decisions import Call, Decision, Usage
from carrel.events import Event
from carrel.intents import CallTool, Done
from carrel.journal.mailbox import Mailbox
from carrel.journal.run import Run, fold, load_run
from carrel.models.context import Context
from carrel.models.model import OnText
from carrel.models.scripted import ScriptedModel
from carrel.policy.limits import Limits
from carrel.policy.policy import Policy
from carrel.policy.rules import Rule, Verdict

pytestmark = pytest.mark.anyio


async def leave_at(running: Running, kind: str, **data: object) -> list[Event]:
    """Take events up to one of a kind, and leave the run there as a killed process would."""
    events: list[Event] = []
    with anyio.fail_after(30):
        async for event in running:
            events.append(event)
            if event.kind == kind and data.items() <= dict(event.data).items():
                break
        await running.aclose()
    return events


async def go_on(agent: Agent, run: str, board: Board) -> tuple[Run, list[Event]]:
    events: list[Event] = []
    with anyio.fail_after(30):
        running = agent.resume(run, board.functions(), observers=[events.append])
        ended = await running.result()
    return ended, events


async def test_a_resumed_run_keeps_the_policy_it_began_with(tmp_path: Path) -> None:
    board, script = Board(), ScriptedModel([Click(1, 1), Click(2, 2), Done()])
    policy = Policy(
        rules=(Rule(Verdict.DENY, actions=("click",), reason="hands off"),),
        default=dict.fromkeys(Policy().default, Verdict.ALLOW),
    )
    running = Agent(model=script, home=tmp_path, policy=policy).run("do it", board.functions())
    await leave_at(running, "result")
    await go_on(Agent(model=script, home=tmp_path), running.id, board)
    assert board.clicks == []


async def test_a_resumed_run_keeps_the_limits_and_instructions_it_began_with(
    tmp_path: Path,
) -> None:
    board = Board()
    script = Seeing([Click(n, n) for n in range(9)])
    limits = Limits(steps=3, money=Decimal("2.50"), seconds=600)
    agent = Agent(model=script, home=tmp_path, limits=limits, instructions="never twice")
    running = agent.run("do it", board.functions())
    await leave_at(running, "result")
    ended, _ = await go_on(Agent(model=script, home=tmp_path), running.id, board)
    assert ended.reason == "step_limit"
    assert len(board.clicks) == 3
    assert script.contexts[-1].instructions == "never twice"


async def test_a_resumed_run_takes_the_limits_it_is_given(tmp_path: Path) -> None:
    board, script = Board(), ScriptedModel([Click(1, 1), Click(2, 2), Done()])
    agent = Agent(model=script, home=tmp_path, limits=Limits(steps=1))
    running = agent.run("do it", board.functions())
    await leave_at(running, "result")
    wider = Agent(model=script, home=tmp_path, limits=Limits(steps=9))
    ended, _ = await go_on(wider, running.id, board)
    assert ended.status.value == "succeeded"


async def test_what_was_not_written_down_is_not_done_in_its_written_form(tmp_path: Path) -> None:
    key = "sk-ant-" + "a1" * 20
    board, script = Board(), ScriptedModel([Type(key), Done()])
    agent = Agent(model=script, home=tmp_path)
    running = agent.run("do it", board.functions())
    await leave_at(running, "decision")
    _, events = await go_on(agent, running.id, board)
    assert board.typed == ""
    assert results(events)[0].get("ok") is not True


async def test_a_tool_is_not_called_with_what_stands_for_a_secret(tmp_path: Path) -> None:
    called: list[str] = []

    @tool
    def sign_in(password: str) -> str:
        """Sign in.

        Args:
            password: The word.
        """
        called.append(password)
        return "in"

    script = ScriptedModel([CallTool("sign_in", {"password": "tulip"}), Done()])
    agent = Agent(model=script, home=tmp_path, tools=[sign_in])
    board = Board()
    running = agent.run("do it", board.functions())
    await leave_at(running, "decision")
    await go_on(agent, running.id, board)
    assert called == []


def circling(count: int) -> list[Action]:
    return [Click(5, 5) for _ in range(count)]


@pytest.mark.parametrize("choice", ["stop", "continue"])
async def test_whether_to_go_on_in_circles_is_still_asked_after_a_restart(
    tmp_path: Path, choice: str
) -> None:
    board = Board()
    board.dead = True
    script = ScriptedModel([*circling(8), Done()])
    first = Agent(model=script, home=tmp_path).run("do it", board.functions())
    with anyio.fail_after(30):
        waiting = await first.result()
    (ask,) = waiting.asks
    assert ask.kind == "stuck"
    Mailbox(first.id, tmp_path).post("answer", {"ask": ask.ask, "choice": choice, "by": "me"})
    ended, events = await go_on(Agent(model=script, home=tmp_path), first.id, board)
    answers = [event.data for event in events if event.kind == "answer"]
    assert [answer["ask"] for answer in answers] == [ask.ask]
    assert ended.reason == ("stuck" if choice == "stop" else "done")


class Slow(ScriptedModel):
    """Never answers, until it is let."""

    let = False

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        if not self.let:
            await anyio.sleep_forever()
        return await super().decide(context, on_text)


async def test_what_a_person_said_outlives_the_process_that_heard_it(tmp_path: Path) -> None:
    board, model = Board(), Slow([Done()])
    running = Agent(model=model, home=tmp_path).run("do it", board.functions())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(running.result)
        with anyio.fail_after(30):
            while running.run.frame is None:  # noqa: ASYNC110 (the run has no event for it)
                await anyio.sleep(0.01)
            Mailbox(running.id, tmp_path).post("steer", {"text": "the other one"})
            await anyio.sleep(0.5)  # longer than it takes to look into the mailbox
        tasks.cancel_scope.cancel()
    model.let = True
    _, events = await go_on(Agent(model=model, home=tmp_path), running.id, board)
    said = [event.data["text"] for event in events if event.kind == "text"]
    assert said == ["the other one"]
    assert Mailbox(running.id, tmp_path).peek() == []


async def test_time_a_person_took_is_not_the_runs_after_a_restart(tmp_path: Path) -> None:
    class Late(Person):
        async def ask(self, question: Question) -> Answer | None:
            await anyio.sleep(1.2)
            return await super().ask(question)

    rules = (Rule(Verdict.ASK, actions=("click",)),)
    policy = Policy(rules=rules, default=dict.fromkeys(Policy().default, Verdict.ALLOW))
    board, script = Board(), ScriptedModel([Click(1, 1), Done()])
    agent = Agent(model=script, home=tmp_path, policy=policy, asker=Late())
    running = agent.run("do it", board.functions())
    began = time.monotonic()
    events = await leave_at(running, "act")
    took = time.monotonic() - began
    assert took > 1.2
    assert fold(events).seconds < took - 1.1
    assert load_run(running.id, tmp_path).seconds < took - 1.1


async def test_keys_that_were_held_before_a_restart_count_in_a_chord(tmp_path: Path) -> None:
    board = Board()
    functions = {**board.functions(), "key_down": lambda key: None}
    rules = (Rule(Verdict.DENY, actions=("key*",), targets=("ctrl+w",)),)
    policy = Policy(rules=rules, default=dict.fromkeys(Policy().default, Verdict.ALLOW))
    script = ScriptedModel([KeyDown("ctrl"), Key(("w",)), Done()])
    agent = Agent(model=script, home=tmp_path, policy=policy)
    running = agent.run("do it", functions)
    await leave_at(running, "result")
    await agent.resume(running.id, functions).result()
    assert board.keys == []


async def test_an_action_that_may_have_happened_is_not_sent_against_the_policy_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As of a machine that knows which requests it has served.
    monkeypatch.setattr(CustomHands, "boot", "boot_1")
    board, script = Board(), ScriptedModel([Click(1, 1), Done()])
    running = Agent(model=script, home=tmp_path).run("do it", board.functions())
    await leave_at(running, "act")
    rules = (Rule(Verdict.DENY, actions=("click",), reason="hands off"),)
    strict = Policy(rules=rules, default=dict.fromkeys(Policy().default, Verdict.ALLOW))
    _, events = await go_on(Agent(model=script, home=tmp_path, policy=strict), running.id, board)
    assert board.clicks == []
    assert "interrupted" in str(results(events)[0])


async def test_a_run_that_cannot_begin_leaves_none_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir(mode=0o700)
    grants = tmp_path / "home" / "grants.json"
    grants.touch(mode=0o600)
    grants.write_text("{")
    running = Agent(model=ScriptedModel([Done()]), home=tmp_path).run("x", Board().functions())
    with pytest.raises(Exception, match=r"grants\.json is damaged"):
        await running.result()
    assert not (tmp_path / "runs" / running.id).exists()


async def test_costs_before_a_restart_count_against_the_money_of_the_run(tmp_path: Path) -> None:
    used = Usage(input=100_000, output=1000)
    script = ScriptedModel(
        [Decision(calls=(Call(f"c{n}", "x", (Click(n, n),)),), usage=used) for n in range(3)],
        "anthropic:claude-opus-4-5",
    )
    board = Board()
    agent = Agent(model=script, home=tmp_path, limits=Limits(money=Decimal("0.70")))
    running = agent.run("do it", board.functions())
    await leave_at(running, "result")
    ended, _ = await go_on(Agent(model=script, home=tmp_path), running.id, board)
    assert ended.reason == "money_limit"
