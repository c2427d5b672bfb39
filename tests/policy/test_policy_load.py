from __future__ import annotations

import re
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.actions import Click, EffectClass, Open, ReadFile, Screenshot, Shell
from carrel.errors import CarrelError, InvalidInput, NotFound
from carrel.policy.limits import Limits
from carrel.policy.load import load_policy, parse_policy
from carrel.policy.policy import Policy
from carrel.policy.rules import Verdict

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
ISOLATED = Policy.for_isolation("process")
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "policy.md"


def test_an_empty_file_changes_nothing() -> None:
    policy = parse_policy("", ISOLATED)
    assert policy.judge(Click(1, 1)).verdict is ALLOW
    assert policy.limits == ISOLATED.limits


def test_without_a_base_a_file_is_read_as_for_ones_own_screen() -> None:
    assert parse_policy("").judge(Click(1, 1)).verdict is ASK
    assert parse_policy('[default]\ninput = "allow"').judge(Click(1, 1)).verdict is ASK


def test_rules_and_defaults_of_a_file_make_the_base_stricter() -> None:
    text = """
    [default]
    exec = "ask"
    [[rules]]
    verdict = "deny"
    actions = "read_file"
    targets = ["/etc/*", "~/.ssh/*"]
    reason = "not yours"
    [[rules]]
    verdict = "allow"
    actions = ["shell"]
    targets = "git *"
    """
    policy = parse_policy(text, ISOLATED)
    assert policy.judge(Shell("rm x")).verdict is ASK
    assert policy.judge(Shell("git status")).verdict is ALLOW
    assert policy.judge(ReadFile("/etc/x")).reason == "not yours"
    assert policy.judge(ReadFile("/tmp/x")).verdict is ALLOW
    host = parse_policy(text, Policy.for_isolation("none"))
    assert host.judge(Shell("git status")).verdict is ASK


def test_a_file_may_replace_the_base_if_it_says_so() -> None:
    host = Policy.for_isolation("none")
    policy = parse_policy('mode = "replace"\n[default]\ninput = "allow"', host)
    assert policy.judge(Click(1, 1)).verdict is ALLOW
    assert policy.judge(Shell("ls")).verdict is ASK


def test_limits_of_a_file_are_taken_as_they_are() -> None:
    text = '[limits]\nsteps = 500\nmoney = 0.10\nseconds = "none"\ntokens = 5'
    policy = parse_policy(text, ISOLATED)
    assert policy.limits == Limits(500, None, Decimal("0.10"), 5, 20)


def test_money_is_exact() -> None:
    money = parse_policy("[limits]\nmoney = 0.1").limits.money
    assert money == Decimal("0.1")
    assert parse_policy("[limits]\nmoney = 3").limits.money == Decimal(3)


def test_settings() -> None:
    text = 'unknown_price = "deny"\nsafety_checks = "deny"\nunpinned_secrets = "allow"'
    policy = parse_policy(text, ISOLATED)
    assert (policy.unknown_price, policy.safety_checks) == (DENY, DENY)
    assert policy.unpinned_secrets is ALLOW


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("colour = 1", "colour"),
        ("[limits]\nstep = 1", "limits.step"),
        ('[limits]\nsteps = "many"', "limits.steps"),
        ("[limits]\nsteps = true", "limits.steps"),
        ("[limits]\nsteps = 1.5", "limits.steps"),
        ("[limits]\nsteps = -1", "limits.steps"),
        ("[limits]\nmoney = nan", "limits.money"),
        ("[limits]\nseconds = inf", "limits.seconds"),
        ("limits = 3", "limits"),
        ('[default]\nnetwork = "ask"', "default.network"),
        ('[default]\ninput = "maybe"', "default.input"),
        ("[default]\ninput = 1", "default.input"),
        ('rules = "x"', "rules"),
        ("rules = [1]", "rules[0]"),
        ('[[rules]]\nactions = "click"', "rules[0].verdict"),
        ('[[rules]]\nverdict = "perhaps"', "rules[0].verdict"),
        ('[[rules]]\nverdict = "deny"\naction = "click"', "rules[0].action"),
        ('[[rules]]\nverdict = "deny"\nactions = "clik"', "rules[0]"),
        ('[[rules]]\nverdict = "deny"\nactions = []', "rules[0]"),
        ('[[rules]]\nverdict = "deny"\ntargets = [1]', "rules[0].targets"),
        ('[[rules]]\nverdict = "deny"\neffects = ["loud"]', "rules[0].effects"),
        ('[[rules]]\nverdict = "deny"\nreason = 3', "rules[0].reason"),
        ('safety_checks = "allow"', "safety_checks"),
        ('unknown_price = "free"', "unknown_price"),
        ('mode = "merge"', "mode"),
        ("= 3", "not TOML"),
    ],
)
def test_what_is_not_understood_is_refused_by_its_key(text: str, key: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_policy(text, where="my.toml")
    assert caught.value.message.startswith("my.toml")
    assert key in caught.value.message


def test_an_unknown_key_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_policy("[limits]\nstep = 1")
    assert caught.value.hint == "known keys: steps, seconds, money, tokens, asks"


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"nowhere\.toml"):
        load_policy(tmp_path / "nowhere.toml")
    broken = tmp_path / "broken.toml"
    broken.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="cannot be read"):
        load_policy(broken)
    good = tmp_path / "good.toml"
    good.write_text('[default]\nexec = "deny"')
    assert load_policy(good, ISOLATED).judge(Shell("ls")).verdict is DENY


@given(st.text(max_size=200))
def test_any_text_is_a_policy_or_a_typed_error(text: str) -> None:
    with suppress(CarrelError):
        assert isinstance(parse_policy(text), Policy)


SCALAR = st.sampled_from(["true", "7", "-1", '"deny"', '"x"', "1.5", "nan", "2026-01-01", "{}"])
VALUE = st.one_of(SCALAR, st.lists(SCALAR, max_size=3).map(lambda items: f"[{', '.join(items)}]"))
KEY = st.sampled_from(
    ["mode", "limits", "rules", "default", "unknown_price", "safety_checks", "limits.money"]
)


@given(KEY, VALUE)
def test_any_value_in_a_known_key_is_read_or_refused(key: str, value: str) -> None:
    with suppress(InvalidInput):
        assert isinstance(parse_policy(f"{key} = {value}"), Policy)


def test_the_example_in_the_guide_is_a_policy_and_names_every_key() -> None:
    example = re.search(r"```toml\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert example is not None
    policy = parse_policy(example[1], ISOLATED)
    for key in ("mode", "unknown_price", "safety_checks", "unpinned_secrets", "unless", "effects"):
        assert re.search(rf"^{key} = ", example[1], re.MULTILINE), key
    for effect in EffectClass:
        assert f"{effect.value} = " in example[1]
    assert policy.judge(Screenshot()).verdict is ALLOW
    assert policy.judge(Open("https://example.org@evil.example/")).verdict is not ALLOW
