"""What `--set` and `--set-secret` come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel.cli._given import Given, read_given
from carrel.errors import InvalidInput, UsageError
from carrel.policy.secrets import Secrets

NAMES = st.from_regex(r"[A-Za-z_密码][A-Za-z0-9_密码]{0,8}|SET_1|[pP]in", fullmatch=True)


def test_a_secret_comes_from_the_environment_under_its_own_name_or_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PIN", "4711")
    monkeypatch.setenv("CI_PASSWORD", "hush=hush")
    found = read_given(["user=ann"], ["PIN", "password=CI_PASSWORD"], can_ask=False)
    assert found.values == {"user": "ann", "PIN": "4711", "password": "hush=hush"}
    assert found.open == {"user": "ann"}
    assert "4711" not in repr(found)
    assert "hush" not in repr(found)


def test_a_person_is_asked_for_what_the_environment_does_not_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PIN", raising=False)
    monkeypatch.setattr("getpass.getpass", lambda prompt: f"asked {prompt}")
    assert read_given([], ["PIN"], can_ask=True).secret == {"PIN": "asked PIN: "}


@pytest.mark.parametrize("text", ["", "=X", "a b", "PIN=", "1X", "{PIN}"])
def test_what_is_no_name_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(InvalidInput, match="NAME or NAME=VARIABLE") as caught:
        read_given([], [text], can_ask=False)
    assert not text or text not in str(caught.value)


def test_a_name_is_given_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIN", "4711")
    with pytest.raises(UsageError, match="PIN is given twice"):
        read_given(["PIN=1"], ["PIN"], can_ask=False)
    with pytest.raises(UsageError, match="PIN is given twice"):
        read_given([], ["PIN", "PIN"], can_ask=False)


def test_other_models_get_values_and_references() -> None:
    found = Given({"user": "ann {PIN}"}, {"PIN": "4711", "密码": "geheim"})
    task = "enter {user} and {PIN}, then {密码}; remember {other} and {{secret:X}}"
    # A value that looks like a name is a value; what is not given stays.
    assert found.fill(task) == (
        "enter ann {PIN} and {{secret:PIN}}, then {{secret:SET_1}};"
        " remember {other} and {{secret:X}}"
    )
    assert found.secrets == {"PIN": "4711", "SET_1": "geheim"}


@pytest.fixture(autouse=True)
def _no_secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(NAMES, st.text(max_size=8), max_size=4),
    st.dictionaries(NAMES, st.text(min_size=1, max_size=8), max_size=4),
    st.text(max_size=20),
)
def test_no_secret_is_ever_filled_in(
    shown: dict[str, str], hidden: dict[str, str], words: str
) -> None:
    marked = {name: f"\x00{value}\x00" for name, value in hidden.items()}
    found = Given({k: v for k, v in shown.items() if k not in hidden}, marked)
    task = words + " ".join(f"{{{name}}}" for name in found.values)
    assert not any(value in found.fill(task) for value in marked.values())
    assert sorted(Secrets.load(environ={}, given=found.secrets).values()) == sorted(marked.values())
