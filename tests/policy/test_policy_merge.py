from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.actions import (
    Action,
    Click,
    EffectClass,
    GetClipboard,
    Key,
    Open,
    ReadFile,
    Screenshot,
    Shell,
    Type,
    Wait,
    WriteFile,
)
from carrel.errors import InvalidInput
from carrel.intents import Ask, CallTool, Done, Note
from carrel.machines.provider import Isolation
from carrel.policy.limits import Limits
from carrel.policy.policy import Policy
from carrel.policy.rules import Rule, Verdict

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY

VERDICT = st.sampled_from(list(Verdict))
RULE = st.builds(
    Rule,
    VERDICT,
    st.sampled_from([("*",), ("click",), ("shell", "open"), ("*_file",), ("key*",)]),
    st.sampled_from([(), (EffectClass.INPUT,), (EffectClass.EXEC, EffectClass.WRITE)]),
    st.sampled_from([("*",), ("ls*",), ("/etc/*", "~/*"), ("example.com",), ("ctrl+*",)]),
    st.sampled_from([(), ("ls",), ("/etc/hosts",), ("example.com",)]),
    st.sampled_from(["", "because"]),
)
LIMIT = st.one_of(st.none(), st.integers(0, 1000))
LIMITS = st.builds(
    Limits,
    steps=LIMIT,
    seconds=st.one_of(st.none(), st.floats(0, 1e6)),
    money=st.one_of(st.none(), st.decimals(0, 100, places=2)),
    tokens=LIMIT,
    asks=LIMIT,
)
POLICY = st.builds(
    Policy,
    st.lists(RULE, max_size=4).map(tuple),
    st.fixed_dictionaries(dict.fromkeys(EffectClass, VERDICT)),
    LIMITS,
    VERDICT,
    st.sampled_from([ASK, DENY]),
    VERDICT,
)
ACTION = st.sampled_from(
    [
        Click(1, 2),
        Type("x"),
        Key(("ctrl", "l")),
        Screenshot(),
        Shell("ls"),
        Shell("ls; cat x"),
        Open("https://example.com/"),
        Open("https://a@evil.org/"),
        ReadFile("/etc/hosts"),
        ReadFile("/tmp/../etc/passwd"),
        WriteFile("notes", text=""),
        CallTool("search"),
        Ask("why?"),
        Done(),
    ]
)


def verdict(policy: Policy, action: Action) -> Verdict:
    return policy.judge(action).verdict


@given(POLICY, POLICY)
def test_merging_is_commutative(one: Policy, two: Policy) -> None:
    assert one.merge(two) == two.merge(one)


@given(POLICY, POLICY, POLICY)
def test_merging_is_associative(one: Policy, two: Policy, three: Policy) -> None:
    assert one.merge(two).merge(three) == one.merge(two.merge(three))


@given(POLICY, POLICY, POLICY, ACTION)
def test_merging_is_associative_in_what_it_decides(
    one: Policy, two: Policy, three: Policy, action: Action
) -> None:
    left, right = one.merge(two).merge(three), one.merge(two.merge(three))
    assert verdict(left, action) is verdict(right, action)
    assert left.limits == right.limits
    assert left.unknown_price is right.unknown_price


@given(POLICY, POLICY)
def test_merging_is_idempotent(one: Policy, two: Policy) -> None:
    assert one.merge(one) == one
    both = one.merge(two)
    assert both.merge(both) == both
    assert both.merge(one) == both
    assert both.merge(two) == both


@given(POLICY, POLICY, ACTION)
def test_a_merged_policy_is_exactly_as_strict_as_the_stricter_of_the_two(
    one: Policy, two: Policy, action: Action
) -> None:
    both = verdict(one.merge(two), action)
    assert both.rank == max(verdict(one, action).rank, verdict(two, action).rank)


@given(POLICY, POLICY)
def test_merged_settings_are_never_milder(one: Policy, two: Policy) -> None:
    both = one.merge(two)
    for part in (one, two):
        assert both.unknown_price.rank >= part.unknown_price.rank
        assert both.safety_checks.rank >= part.safety_checks.rank
        assert both.unpinned_secrets.rank >= part.unpinned_secrets.rank
        for name in ("steps", "seconds", "money", "tokens", "asks"):
            limit, merged = getattr(part.limits, name), getattr(both.limits, name)
            assert limit is None or (merged is not None and merged <= limit)


@given(POLICY, RULE, ACTION)
def test_one_more_rule_that_denies_never_makes_a_policy_milder(
    policy: Policy, rule: Rule, action: Action
) -> None:
    deny = replace(rule, verdict=DENY)
    before = verdict(Policy(policy.rules, policy.default), action)
    after = verdict(Policy((*policy.rules, deny), policy.default), action)
    assert after is DENY or after is before


def test_a_rule_that_asks_about_a_part_does_not_lift_a_denial_of_the_rest() -> None:
    policy = Policy((Rule(ASK, targets=("git *",)),), dict.fromkeys(EffectClass, DENY))
    assert verdict(policy, Shell("git status")) is ASK
    assert verdict(policy, Shell("git status; rm x")) is DENY
    assert verdict(policy, Shell("git $(rm x)")) is DENY
    assert verdict(policy, Shell("rm x")) is DENY


@given(POLICY, ACTION)
def test_the_order_of_rules_does_not_matter(policy: Policy, action: Action) -> None:
    turned = Policy(policy.rules[::-1], policy.default)
    assert verdict(turned, action) is verdict(Policy(policy.rules, policy.default), action)


# What isolation warrants


@pytest.mark.parametrize("isolation", [item for item in Isolation if item is not Isolation.NONE])
def test_an_isolated_machine_may_do_all_it_can_contain(isolation: Isolation) -> None:
    policy = Policy.for_isolation(isolation)
    for action in (
        Screenshot(),
        Click(1, 1),
        Type("x"),
        Shell("rm -rf /"),
        WriteFile("/etc/x", text=""),
        ReadFile("/etc/passwd"),
        Open("https://example.com"),
        Note("x"),
        Done(),
    ):
        assert verdict(policy, action) is ALLOW
    assert policy.default[EffectClass.NET] is ALLOW
    assert verdict(policy, Ask("who?")) is ASK


@pytest.mark.parametrize("isolation", ["none", "host", "", "unknown", "no such thing", "Process"])
def test_without_known_isolation_all_but_looking_is_asked_about(isolation: str) -> None:
    policy = Policy.for_isolation(isolation)
    for action in (
        Click(1, 1),
        Type("x"),
        Key(("enter",)),
        Shell("ls"),
        WriteFile("x", text=""),
        Open("https://example.com"),
        CallTool("search"),
        Ask("who?"),
        ReadFile("~/.ssh/id"),
        GetClipboard(),
    ):
        assert verdict(policy, action) is ASK, action
    for action in (Screenshot(), Wait(seconds=1), Done(), Note("x")):
        assert verdict(policy, action) is ALLOW, action


def test_a_policy_that_says_nothing_asks() -> None:
    assert verdict(Policy(), Click(1, 1)) is ASK
    assert verdict(Policy(default={}), Screenshot()) is ASK


def test_safety_checks_cannot_be_waved_through() -> None:
    with pytest.raises(InvalidInput, match="safety checks"):
        Policy(safety_checks=ALLOW)


def test_the_smaller_limit_wins_and_no_limit_is_the_largest() -> None:
    one = Limits(steps=10, seconds=None, money=Decimal("0.5"), tokens=None, asks=3)
    two = Limits(steps=20, seconds=60.0, money=Decimal("0.25"), tokens=None, asks=None)
    expected = Limits(steps=10, seconds=60.0, money=Decimal("0.25"), tokens=None, asks=3)
    assert one.merge(two) == two.merge(one) == expected


@given(LIMITS, LIMITS, LIMITS)
def test_limits_merge_as_a_lattice(one: Limits, two: Limits, three: Limits) -> None:
    assert one.merge(one) == one
    assert one.merge(two) == two.merge(one)
    assert one.merge(two).merge(three) == one.merge(two.merge(three))
    assert one.merge(Limits(None, None, None, None, None)) == one
