from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.actions import (
    Action,
    Click,
    EffectClass,
    Key,
    KeyDown,
    KeyUp,
    Open,
    Screenshot,
    Shell,
    Type,
)
from carrel.decisions import Call, SafetyCheck, Usage
from carrel.intents import Ask, CallTool, Done
from carrel.journal.ends import EndReason
from carrel.policy.gate import Gate, Judgement
from carrel.policy.grants import Grants, Scope
from carrel.policy.limits import Limits, Tally
from carrel.policy.policy import Policy
from carrel.policy.prices import Prices
from carrel.policy.rules import Rule, Verdict
from carrel.policy.secrets import Secret, Secrets
from carrel.results import Failure

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
CHECK = SafetyCheck("sc_1", "malicious_instructions", "the page gives orders")
ISOLATED = Policy.for_isolation("process")
OWN = Policy.for_isolation("none")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path))


def gate(
    policy: Policy = ISOLATED,
    *,
    allowed: frozenset[str] | None = None,
    tools: frozenset[str] = frozenset({"search"}),
    secrets: Secrets | None = None,
    grants: Grants | None = None,
) -> Gate:
    return Gate(
        policy,
        prices=Prices(),
        allowed=allowed,
        tools=tools,
        secrets=secrets or Secrets(),
        grants=grants or Grants(),
    )


def call(*actions: Action, name: str = "c1", checks: tuple[SafetyCheck, ...] = ()) -> Call:
    return Call(name, actions=actions, checks=checks)


def judge(subject: Gate, *actions: Action, tally: Tally | None = None) -> Judgement:
    return subject.judge(call(*actions), 0, tally or Tally())


# Schema, then the agent's list


def test_a_call_that_was_not_understood_is_denied_first() -> None:
    problem = Failure("invalid_input", "x must be a number")
    subject = gate(OWN, allowed=frozenset())
    judged = subject.judge(Call("c", problem=problem, checks=(CHECK,)), 0, Tally(steps=999))
    assert judged == Judgement(DENY, "schema", "x must be a number")


def test_an_action_that_the_call_does_not_have_is_denied() -> None:
    subject = gate()
    assert subject.judge(call(), 0, Tally()).stage == "schema"
    assert subject.judge(call(Click(1, 1)), 1, Tally()).stage == "schema"
    assert subject.judge(call(Click(1, 1)), -1, Tally()).stage == "schema"


def test_only_actions_of_the_table_pass() -> None:
    @dataclass(frozen=True, slots=True)
    class Forged(Action):
        type = "click"
        effect = EffectClass.OBSERVE

    @dataclass(frozen=True, slots=True)
    class Unheard(Action):
        type = "format_disk"
        effect = EffectClass.OBSERVE

    for action in (Forged(), Unheard()):
        judged = judge(gate(), action)
        assert (judged.verdict, judged.stage) == (DENY, "schema")


def test_an_unknown_tool_is_denied_with_the_known_ones() -> None:
    judged = judge(gate(), CallTool("serach"))
    assert (judged.verdict, judged.stage) == (DENY, "schema")
    assert "search" in judged.reason
    assert judge(gate(), CallTool("search")).verdict is ALLOW


def test_the_agents_list_comes_before_the_rules() -> None:
    policy = Policy((Rule(DENY, actions=("shell",)),), ISOLATED.default)
    subject = gate(policy, allowed=frozenset({"click"}))
    assert judge(subject, Shell("ls")).stage == "allow_list"
    assert judge(subject, Click(1, 1)).verdict is ALLOW
    assert "shell" in judge(subject, Shell("ls")).reason


def test_the_agents_list_names_tools_one_by_one_or_all_together() -> None:
    assert judge(gate(allowed=frozenset({"search"})), CallTool("search")).verdict is ALLOW
    assert judge(gate(allowed=frozenset({"tool"})), CallTool("search")).verdict is ALLOW
    assert judge(gate(allowed=frozenset({"click"})), CallTool("search")).stage == "allow_list"


def test_an_agent_may_always_end() -> None:
    assert judge(gate(OWN, allowed=frozenset()), Done()).verdict is ALLOW


# Rules and grants


def test_a_denied_target_is_denied_with_its_reason() -> None:
    policy = Policy((Rule(DENY, targets=("evil.com",), reason="not there"),), ISOLATED.default)
    judged = judge(gate(policy), Open("http://good.com@evil.com/"))
    assert judged == Judgement(DENY, "rule", "not there")


def test_ones_own_screen_is_asked_about() -> None:
    judged = judge(gate(OWN), Click(1, 1))
    assert (judged.verdict, judged.stage, judged.end) == (ASK, "rule", None)


@pytest.mark.parametrize("scope", ["run", "always"])
def test_a_grant_lifts_an_ask_for_the_same_thing(scope: Scope) -> None:
    subject = gate(OWN)
    judge(subject, Shell("ls"))
    subject.grant(Shell("ls"), scope)
    subject.after(Shell("ls"), True, True)
    assert subject.judge(call(Shell("ls"), name="c2"), 0, Tally()).verdict is ALLOW
    assert subject.judge(call(Shell("rm x"), name="c3"), 0, Tally()).verdict is ASK
    assert (judge(gate(OWN), Shell("ls")).verdict is ALLOW) is (scope == "always")


def test_a_grant_for_once_is_for_this_action_of_this_call() -> None:
    subject = gate(OWN)
    first = call(Click(1, 1), Click(2, 2))
    assert subject.judge(first, 0, Tally()).verdict is ASK
    subject.grant(Click(1, 1), "once")
    assert subject.judge(first, 0, Tally()).verdict is ALLOW
    assert subject.judge(first, 1, Tally()).verdict is ASK
    assert subject.judge(first, 0, Tally()).verdict is ASK


def test_a_grant_for_once_is_used_up_by_the_action() -> None:
    subject = gate(OWN)
    judge(subject, Click(1, 1))
    subject.grant(Click(1, 1), "once")
    subject.after(Click(1, 1), True, True)
    assert judge(subject, Click(1, 1)).verdict is ASK


def test_after_a_restart_an_answer_is_honoured_by_a_new_gate() -> None:
    subject = gate(OWN)
    subject.grant(Click(1, 1), "once")
    assert judge(subject, Click(1, 1)).verdict is ALLOW


def test_no_grant_lifts_a_denial() -> None:
    policy = Policy((Rule(DENY, actions=("shell",)),), OWN.default)
    grants = Grants()
    asking = gate(OWN, grants=grants)
    judge(asking, Shell("ls"))
    asking.grant(Shell("ls"), "run")
    assert judge(asking, Shell("ls")).verdict is ALLOW
    assert judge(gate(policy, grants=grants), Shell("ls")).verdict is DENY


def test_agreeing_to_what_was_not_asked_grants_nothing() -> None:
    grants = Grants()
    subject = gate(ISOLATED, grants=grants)
    judge(subject, Shell("ls"))
    subject.grant(Shell("ls"), "run")
    assert judge(gate(OWN, grants=grants), Shell("ls")).verdict is ASK


def test_keys_held_down_count() -> None:
    policy = Policy((Rule(DENY, actions=("key*",), targets=("ctrl+w",)),), ISOLATED.default)
    subject = gate(policy)
    assert judge(subject, Key(("w",))).verdict is ALLOW
    subject.after(KeyDown("ctrl"), True, True)
    assert judge(subject, Key(("w",))).verdict is DENY
    subject.after(KeyUp("ctrl"), True, True)
    assert judge(subject, Key(("w",))).verdict is ALLOW
    subject.after(KeyDown("ctrl"), None, False)
    assert judge(subject, Key(("w",))).verdict is ALLOW


def test_a_models_question_needs_no_question_before_it() -> None:
    assert judge(gate(), Ask("which?")).verdict is ALLOW
    alone = replace(ISOLATED, default={**ISOLATED.default, EffectClass.HUMAN: DENY})
    assert judge(gate(alone), Ask("which?")).verdict is DENY


# Secrets

LOOSE = Secrets([Secret("loose", "v1"), Secret("bank", "v2", apps=("chromium",))])


def test_a_pinned_secret_passes_and_a_loose_one_is_asked_about() -> None:
    subject = gate(secrets=LOOSE)
    assert judge(subject, Type("{{secret:bank}}")).verdict is ALLOW
    judged = judge(subject, Type("{{secret:loose}}"))
    assert (judged.verdict, judged.stage) == (ASK, "rule")
    assert "LOOSE" in judged.reason
    assert "v1" not in judged.reason


def test_agreeing_to_a_secret_is_not_agreeing_to_all_typing() -> None:
    grants = Grants()
    subject = gate(secrets=LOOSE, grants=grants)
    judge(subject, Type("{{secret:loose}}"))
    subject.grant(Type("{{secret:loose}}"), "run")
    assert judge(subject, Type("a {{secret:loose}}")).verdict is ALLOW
    assert judge(gate(OWN, secrets=LOOSE, grants=grants), Type("x")).verdict is ASK


def test_agreeing_to_typing_is_not_agreeing_to_secrets() -> None:
    subject = gate(OWN, secrets=LOOSE)
    judge(subject, Type("x"))
    subject.grant(Type("x"), "run")
    assert judge(subject, Type("y")).verdict is ALLOW
    assert judge(subject, Type("{{secret:loose}}")).verdict is ASK
    assert judge(subject, Type("{{secret:bank}}")).verdict is ALLOW


@pytest.mark.parametrize(("setting", "verdict"), [(ALLOW, ALLOW), (DENY, DENY)])
def test_the_policy_decides_about_loose_secrets(setting: Verdict, verdict: Verdict) -> None:
    subject = gate(replace(ISOLATED, unpinned_secrets=setting), secrets=LOOSE)
    assert judge(subject, Type("{{secret:loose}}")).verdict is verdict


@pytest.mark.parametrize(
    "action",
    [Type("{{secret:nope}}"), Shell("echo {{secret:bank}}"), Shell("x", stdin="{{secret:bank}}")],
)
def test_a_secret_out_of_place_is_denied(action: Action) -> None:
    judged = judge(gate(secrets=LOOSE), action)
    assert (judged.verdict, judged.stage) == (DENY, "rule")
    assert "v2" not in judged.reason


# The provider's checks


def test_a_providers_check_is_decided_before_the_action() -> None:
    subject = gate()
    judged = subject.judge(call(Click(1, 1), checks=(CHECK,)), 0, Tally())
    assert (judged.verdict, judged.stage) == (ASK, "safety")
    assert "the page gives orders" in judged.reason


def test_a_confirmed_check_holds_for_its_call_only() -> None:
    subject = gate()
    first = call(Click(1, 1), Click(2, 2), checks=(CHECK,))
    subject.judge(first, 0, Tally())
    subject.grant(Click(1, 1), "once")
    assert subject.judge(first, 0, Tally()).verdict is ALLOW
    subject.after(Click(1, 1), True, True)
    assert subject.judge(first, 1, Tally()).verdict is ALLOW
    again = replace(first, id="c2")
    assert subject.judge(again, 0, Tally()).verdict is ASK


def test_no_grant_and_no_rule_waves_a_check_through() -> None:
    policy = replace(ISOLATED, rules=(Rule(ALLOW),), unpinned_secrets=ALLOW, unknown_price=ALLOW)
    subject = gate(policy)
    judge(subject, Click(1, 1))
    subject.grant(Click(1, 1), "always")
    other = call(Click(1, 1), name="c2", checks=(CHECK,))
    assert subject.judge(other, 0, Tally()).verdict is ASK


def test_runs_without_a_person_deny_what_needs_one() -> None:
    subject = gate(replace(ISOLATED, safety_checks=DENY))
    judged = subject.judge(call(Click(1, 1), checks=(CHECK,)), 0, Tally())
    assert (judged.verdict, judged.stage) == (DENY, "safety")


def test_two_asks_are_one_question_that_says_both() -> None:
    subject = gate(OWN)
    both = call(Shell("ls"), checks=(CHECK,))
    judged = subject.judge(both, 0, Tally())
    assert (judged.verdict, judged.stage) == (ASK, "safety")
    assert "exec" in judged.reason
    assert "the page gives orders" in judged.reason
    subject.grant(Shell("ls"), "once")
    assert subject.judge(both, 0, Tally()).verdict is ALLOW


def test_a_denial_comes_before_a_question() -> None:
    policy = Policy((Rule(DENY, actions=("click",)),), ISOLATED.default)
    judged = gate(policy).judge(call(Click(1, 1), checks=(CHECK,)), 0, Tally())
    assert (judged.verdict, judged.stage) == (DENY, "rule")


# Limits


def limited(**limits: object) -> Gate:
    return gate(replace(ISOLATED, limits=Limits(**limits)))  # type: ignore[arg-type]


def test_steps_end_a_run_before_the_next_decision() -> None:
    subject = limited(steps=3)
    assert subject.before_decision(Tally(steps=2), "human", 0).verdict is ALLOW
    judged = subject.before_decision(Tally(steps=3), "human", 0)
    assert (judged.verdict, judged.stage, judged.end) == (DENY, "limits", EndReason.STEP_LIMIT)
    assert judge(subject, Click(1, 1), tally=Tally(steps=3)).verdict is ALLOW
    assert judge(subject, Click(1, 1), tally=Tally(steps=4)).end is EndReason.STEP_LIMIT


def test_time_ends_a_run_before_a_decision_and_before_an_action() -> None:
    clock = Clock()
    subject, tally = limited(seconds=60.0), Tally(before=50, clock=clock)
    assert subject.before_decision(tally, "human", 0).verdict is ALLOW
    assert subject.seconds_left(tally) == 10
    clock.now = 10
    assert subject.before_decision(tally, "human", 0).end is EndReason.TIME_LIMIT
    assert judge(subject, Click(1, 1), tally=tally).end is EndReason.TIME_LIMIT
    clock.now = 100
    assert subject.seconds_left(tally) == 0
    assert limited(seconds=None).seconds_left(tally) == float("inf")


def test_tokens_end_a_run() -> None:
    subject = limited(tokens=1000)
    tally = Tally(usage=Usage(input=500, output=100))
    assert subject.before_decision(tally, "human", 400).verdict is ALLOW
    assert subject.before_decision(tally, "human", 401).end is EndReason.TOKEN_LIMIT
    over = Tally(usage=Usage(input=1001))
    assert judge(subject, Click(1, 1), tally=over).end is EndReason.TOKEN_LIMIT


MODEL = "anthropic:claude-opus-5"  # 6.25 to write a million to the cache, 25 for a million out


def test_money_is_reckoned_before_it_is_spent() -> None:
    subject = limited(money=Decimal("0.10"))
    # 8000 tokens written to the cache and an answer of 2000: exactly ten cents.
    assert subject.before_decision(Tally(), MODEL, 8_000, 2_000).verdict is ALLOW
    judged = subject.before_decision(Tally(), MODEL, 8_001, 2_000)
    assert (judged.verdict, judged.end) == (DENY, EndReason.MONEY_LIMIT)
    assert "$0.1 " in judged.reason
    spent = Tally(cost=Decimal("0.000001"))
    assert subject.before_decision(spent, MODEL, 8_000, 2_000).end is EndReason.MONEY_LIMIT


def test_money_that_is_spent_ends_a_run() -> None:
    subject = limited(money=Decimal("0.10"))
    assert judge(subject, Click(1, 1), tally=Tally(cost=Decimal("0.10"))).verdict is ALLOW
    judged = judge(subject, Click(1, 1), tally=Tally(cost=Decimal("0.11")))
    assert judged.end is EndReason.MONEY_LIMIT


def test_what_costs_nothing_needs_no_money() -> None:
    subject = limited(money=Decimal(0))
    for model in ("human", "steps", "ollama:qwen3-vl"):
        assert subject.before_decision(Tally(), model, 100_000).verdict is ALLOW
    assert subject.before_decision(Tally(), MODEL, 1).end is EndReason.MONEY_LIMIT


UNKNOWN = "acme:new-model"


def test_an_unknown_price_is_asked_about_where_money_is_limited() -> None:
    subject = limited(money=Decimal(5))
    judged = subject.before_decision(Tally(), UNKNOWN, 10)
    assert (judged.verdict, judged.end) == (ASK, EndReason.PRICE_UNKNOWN)
    assert UNKNOWN in judged.reason
    subject.allow_unknown_price()
    assert subject.before_decision(Tally(), UNKNOWN, 10).verdict is ALLOW
    assert gate().before_decision(Tally(), UNKNOWN, 10).verdict is ALLOW


@pytest.mark.parametrize("money", [None, Decimal(5)])
def test_an_unknown_price_may_be_denied_always(money: Decimal | None) -> None:
    subject = gate(replace(ISOLATED, unknown_price=DENY, limits=Limits(money=money)))
    judged = subject.before_decision(Tally(), UNKNOWN, 10)
    assert (judged.verdict, judged.end) == (DENY, EndReason.PRICE_UNKNOWN)
    assert subject.before_decision(Tally(), MODEL, 10).verdict is ALLOW


def test_an_unknown_price_may_be_allowed() -> None:
    subject = gate(replace(ISOLATED, unknown_price=ALLOW, limits=Limits(money=Decimal(5))))
    assert subject.before_decision(Tally(), UNKNOWN, 10).verdict is ALLOW


def test_answers_of_unknown_price_before_a_known_one_still_count() -> None:
    subject = limited(money=Decimal(5))
    assert subject.before_decision(Tally(unknown_costs=1), MODEL, 10).verdict is ASK


def test_where_nobody_may_be_asked_an_ask_ends_the_run() -> None:
    policy = replace(OWN, limits=Limits(asks=2, money=Decimal(1)))
    subject = gate(policy)
    assert judge(subject, Click(1, 1), tally=Tally(asks=1)).verdict is ASK
    judged = judge(subject, Click(1, 1), tally=Tally(asks=2))
    assert (judged.verdict, judged.end) == (DENY, EndReason.ASK_LIMIT)
    assert judge(subject, Ask("why?"), tally=Tally(asks=2)).end is EndReason.ASK_LIMIT
    assert judge(subject, Screenshot(), tally=Tally(asks=2)).verdict is ALLOW
    judged = subject.before_decision(Tally(asks=2), UNKNOWN, 1)
    assert (judged.verdict, judged.end) == (DENY, EndReason.PRICE_UNKNOWN)


# Stuck


def test_circles_climb_the_ladder_and_end_the_run() -> None:
    subject = gate()
    names = []
    for _ in range(9):
        assert judge(subject, Click(5, 5)).verdict is ALLOW
        rung = subject.after(Click(5, 5), False, True)
        names += [] if rung is None else [rung.name]
    assert names == ["hint", "replan", "ask", "stop"]
    judged = judge(subject, Click(5, 5))
    assert (judged.verdict, judged.stage, judged.end) == (DENY, "stuck", EndReason.STUCK)
    subject.unstick()
    assert judge(subject, Click(5, 5)).verdict is ALLOW


def test_what_fails_again_and_again_is_a_circle() -> None:
    subject = gate()
    rungs = [subject.after(Click(5, 5), None, False) for _ in range(3)]
    assert rungs[-1] is not None


# The order, and that nothing gets past it

ACTION = st.sampled_from(
    [Click(1, 1), Shell("ls"), Type("{{secret:loose}}"), CallTool("search"), CallTool("no"), Done()]
)
VERDICT = st.sampled_from(list(Verdict))


@given(
    ACTION,
    st.dictionaries(st.sampled_from(list(EffectClass)), VERDICT),
    st.sampled_from([None, frozenset({"click", "shell"}), frozenset({"type", "search"})]),
    st.booleans(),
    st.integers(0, 3),
)
def test_what_passes_the_gate_passed_every_step(
    action: Action,
    default: dict[EffectClass, Verdict],
    allowed: frozenset[str] | None,
    checked: bool,
    steps: int,
) -> None:
    policy = Policy(default=default, limits=Limits(steps=2))
    subject = gate(policy, allowed=allowed, secrets=LOOSE)
    given_call = call(action, checks=(CHECK,) if checked else ())
    judged = subject.judge(given_call, 0, Tally(steps=steps))
    if judged.verdict is not ALLOW:
        assert judged.reason
        return
    assert not checked
    assert steps <= 2
    assert policy.judge(action).verdict is ALLOW
    assert action != CallTool("no")
    assert not LOOSE.references(action)
    listed = allowed is None or bool({action.type, action.target} & allowed)
    assert listed or action.effect is EffectClass.END


@given(ACTION, st.dictionaries(st.sampled_from(list(EffectClass)), VERDICT))
def test_judging_twice_says_the_same(action: Action, default: dict[EffectClass, Verdict]) -> None:
    subject = gate(Policy(default=default), secrets=LOOSE)
    assert judge(subject, action) == judge(subject, action)


@given(ACTION, st.dictionaries(st.sampled_from(list(EffectClass)), VERDICT))
def test_agreeing_lifts_every_ask_and_no_denial(
    action: Action, default: dict[EffectClass, Verdict]
) -> None:
    subject = gate(Policy(default=default), secrets=LOOSE)
    before = judge(subject, action)
    subject.grant(action, "once")
    after = judge(subject, action)
    assert after.verdict is (DENY if before.verdict is DENY else ALLOW)
