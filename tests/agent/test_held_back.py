"""What a run must not do, tell or hide."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import anyio
import pytest
from boards import Board
from plays import Person, Seeing, play, results

from carrel.actions import Action, Click, Open, Screenshot, Shell, Type
from carrel.agent.agent import Agent
from carrel.agent.asking import Question
from carrel.agent.control import Answer
from carrel.agent.custom import CustomHands
from carrel.agent.running import Running
from carrel.agent.tools import tool
from carrel.decisions import Call, Decision, SafetyCheck
from carrel.errors import InvalidInput
from carrel.events import Event
from carrel.geometry import Box
from carrel.intents import CallTool, Done
from carrel.journal.reader import read_events
from carrel.models.context import Context, Options
from carrel.models.model import OnText
from carrel.models.scripted import ScriptedModel
from carrel.policy.limits import Limits
from carrel.policy.policy import Policy
from carrel.policy.rules import Rule, Verdict
from carrel.policy.secrets import Secret, Secrets

pytestmark = pytest.mark.anyio

EVERYTHING = dict.fromkeys(Policy().default, Verdict.ALLOW)


def told(model: Seeing) -> str:
    return "\n".join(
        outcome.text
        for context in model.contexts
        for turn in context.turns
        for outcome in turn.outcomes
    )


async def test_a_tool_cannot_tell_the_model_the_secret_it_was_given(tmp_path: Path) -> None:
    @tool
    def sign_in(word: str) -> str:
        """Sign in.

        Args:
            word: The pass word.
        """
        return f"signed in with {word}"

    secrets = Secrets([Secret("BANK", "tulip-4711", uses=("tool",))])
    model = Seeing([CallTool("sign_in", {"word": "{{secret:BANK}}"}), Done()])
    await play(tmp_path, model, tools=[sign_in], secrets=secrets)
    assert "signed in with" in told(model)
    assert "tulip-4711" not in told(model)


async def test_a_function_that_fails_cannot_tell_the_model_the_secret_it_was_given(
    tmp_path: Path,
) -> None:
    def refuse(text: str) -> None:
        raise ValueError(f"cannot type {text}")

    secrets = Secrets([Secret("BANK", "tulip-4711")])
    model = Seeing([Type("{{secret:BANK}}"), Done()])
    functions = {**Board().functions(), "type": refuse}
    policy = Policy(default=EVERYTHING, unpinned_secrets=Verdict.ALLOW)
    agent = Agent(model=model, home=tmp_path, secrets=secrets, policy=policy)
    with anyio.fail_after(30):
        await agent.run("x", functions).result()
    assert "cannot type" in told(model)
    assert "tulip-4711" not in told(model)


async def test_keys_of_providers_are_not_written_whatever_their_shape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "0123456789abcdef" * 2)
    run, _ = await play(tmp_path, [Decision(text="0123456789abcdef" * 2), Done()])
    assert "0123456789abcdef" not in str(list(read_events(run.id, tmp_path)))


async def test_a_pause_while_a_question_is_open_holds_the_action_it_allows(tmp_path: Path) -> None:
    board = Board()
    running: list[Running] = []

    class Hesitant(Person):
        async def ask(self, question: Question) -> Answer | None:
            running[0].pause("me")
            return await super().ask(question)

    policy = Policy(rules=(Rule(Verdict.ASK, actions=("click",)),), default=EVERYTHING)
    script = ScriptedModel([Click(1, 1), Done()])
    agent = Agent(model=script, home=tmp_path, policy=policy, asker=Hesitant())
    running.append(agent.run("x", board.functions()))
    seen = []
    with anyio.fail_after(30):
        async for event in running[0]:
            seen.append((event.kind, event.data.get("status")))
            if seen[-1] == ("run.status", "paused"):
                assert board.clicks == []
                running[0].resume()
    assert ("run.status", "paused") in seen
    assert board.clicks == [(1, 1)]


async def test_a_look_beside_the_screen_is_told_and_ends_nothing(tmp_path: Path) -> None:
    model = Seeing([Screenshot(region=Box(5000, 5000, 10, 10)), Done(True, "well")])
    run, _ = await play(tmp_path, model)
    assert (run.status.value, run.text) == ("succeeded", "well")
    assert "outside the screen" in told(model)


async def test_looking_closer_at_one_part_after_the_other_is_not_going_in_circles(
    tmp_path: Path,
) -> None:
    zooms = [Screenshot(region=Box(x, 20, 30, 30)) for x in range(0, 280, 20)]
    run, events = await play(tmp_path, [*zooms, Done()])
    assert run.reason == "done"
    assert [event for event in events if event.kind == "stuck"] == []


async def test_a_run_that_may_not_ask_is_stopped_when_it_goes_in_circles(tmp_path: Path) -> None:
    board = Board()
    board.dead = True
    person = Person("continue")
    run, events = await play(
        tmp_path, [Click(5, 5) for _ in range(30)], board, limits=Limits(asks=0), asker=person
    )
    assert run.reason == "stuck"
    assert person.asked == []
    assert [event for event in events if event.kind == "ask"] == []


async def test_a_models_own_timeout_is_not_taken_for_the_limit_of_the_run(tmp_path: Path) -> None:
    class Broken(ScriptedModel):
        async def decide(self, context: Context, on_text: OnText) -> Decision:
            raise TimeoutError("a socket")

    run, _ = await play(tmp_path, Broken([]))
    assert run.reason == "internal"


async def test_a_confirmation_is_for_one_call_even_if_another_has_its_id(tmp_path: Path) -> None:
    check = SafetyCheck("s", "malicious", "this looks odd")
    script = [
        Decision(calls=(Call("same", "computer", (Click(n, n),), checks=(check,)),)) for n in (1, 2)
    ]
    person, board = Person("allow"), Board()
    await play(tmp_path, [*script, Done()], board, asker=person)
    assert [question.kind for question in person.asked] == ["safety", "safety"]


async def test_an_agreement_to_a_rule_is_none_to_a_later_check(tmp_path: Path) -> None:
    check = SafetyCheck("s", "malicious", "this looks odd")
    script = ScriptedModel(
        [
            Decision(calls=(Call("same", "computer", (Click(1, 1),)),)),
            Decision(calls=(Call("same", "computer", (Click(2, 2),), checks=(check,)),)),
            Done(),
        ]
    )
    person = Person("allow", grant="run")
    policy = Policy(rules=(Rule(Verdict.ASK, actions=("click",)),), default=EVERYTHING)
    await play(tmp_path, script, asker=person, policy=policy)
    assert [question.kind for question in person.asked] == ["rule", "safety"]


async def test_the_estimate_reckons_with_the_longest_answer_that_may_come(tmp_path: Path) -> None:
    model = ScriptedModel([Done()], "anthropic:claude-opus-4-5")
    options = Options(max_tokens=100_000)
    run, _ = await play(tmp_path, model, limits=Limits(money=Decimal(1)), options=options)
    assert run.reason == "money_limit"


async def test_a_request_the_machine_knows_in_another_form_is_not_called_invalid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CustomHands, "boot", "boot_1")
    board, model = Board(), Seeing([Click(1, 1), Done()])
    agent = Agent(model=model, home=tmp_path)
    running = agent.run("x", board.functions())
    with anyio.fail_after(30):
        async for event in running:
            if event.kind == "act":
                break
        await running.aclose()

    async def other(self: CustomHands, action: object, request: str) -> object:
        raise InvalidInput("this request id was used for another request")

    monkeypatch.setattr(CustomHands, "act", other)
    events: list[Event] = []
    with anyio.fail_after(30):
        await agent.resume(running.id, board.functions(), observers=[events.append]).result()
    assert "interrupted" in str(results(events)[0])


@pytest.mark.parametrize(
    ("action", "covers"),
    [
        (Click(1, 1), "every click"),
        (Type("harmless"), "every type"),
        (Shell("git status"), "shell git status"),
        (Open("https://example.org/a/b"), "open https://example.org:443"),
    ],
)
async def test_whoever_is_asked_is_told_what_a_longer_agreement_covers(
    tmp_path: Path, action: Action, covers: str
) -> None:
    person = Person("deny")
    policy = Policy(rules=(Rule(Verdict.ASK, unless=("done",)),), default=EVERYTHING)
    await play(tmp_path, [action], asker=person, policy=policy)
    assert person.asked[0].details["covers"] == covers
