from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.actions import (
    Action,
    Click,
    DeleteFile,
    Key,
    MoveFile,
    Open,
    ReadFile,
    Shell,
    Type,
    WriteFile,
)
from carrel.errors import InvalidInput, Refused
from carrel.intents import CallTool
from carrel.policy.grants import Grants, Pattern, pattern_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "grants.json"


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        (Click(1, 1), Click(500, 500), True),
        (Click(1, 1), Type("x"), False),
        (Type("a"), Type("b"), True),
        (Shell("ls"), Shell("ls"), True),
        (Shell("ls"), Shell("ls -l"), False),
        (Shell("ls *"), Shell("ls secret"), False),
        (Shell("ls"), Shell("ls", env={"PATH": "/evil"}), False),
        (Shell("sh", stdin="echo a"), Shell("sh", stdin="rm b"), False),
        (Shell("make"), Shell("make", cwd="/evil"), False),
        (Shell("make", timeout=1), Shell("make", timeout=2), True),
        (Open("https://a.com/x"), Open("https://A.com:443/y"), True),
        (Open("https://a.com/x"), Open("http://a.com/x"), False),
        (Open("https://a.com/"), Open("https://a.com:8443/"), False),
        (Open("https://a.com/"), Open("https://a.com@evil.org/"), False),
        (Open("https://a.com/"), Open("https://a.com/", ("--no-sandbox",)), False),
        (Open("xterm"), Open("xterm", ("-e", "rm")), False),
        (Open("/tmp/a"), Open("/tmp/b"), False),
        (ReadFile("/tmp/a"), ReadFile("/tmp/./a"), True),
        (ReadFile("/tmp/a"), ReadFile("/tmp/b/../a"), True),
        (ReadFile("/tmp/a"), ReadFile("/tmp/../etc/a"), False),
        (ReadFile("/tmp/a"), WriteFile("/tmp/a", text=""), False),
        (DeleteFile("/tmp/a"), DeleteFile("/tmp/a", recursive=True), False),
        (MoveFile("/a", to="/b"), MoveFile("/a", to="/c"), False),
        (Key(("ctrl", "w")), Key(("ctrl_r", "W")), True),
        (Key(("ctrl", "w")), Key(("w",)), False),
        (CallTool("f", {"a": 1}), CallTool("f", {"a": 2}), True),
        (CallTool("f"), CallTool("g"), False),
    ],
)
def test_what_a_grant_for_one_says_of_another(one: Action, two: Action, same: bool) -> None:
    assert (pattern_of(one) == pattern_of(two)) is same


def test_keys_held_down_belong_to_what_was_agreed_to() -> None:
    assert pattern_of(Key(("w",)), held=("ctrl",)) == pattern_of(Key(("ctrl", "w")))
    assert pattern_of(Key(("w",)), held=("ctrl",)) != pattern_of(Key(("w",)))


def test_once_is_until_it_is_forgotten(path: Path) -> None:
    grants = Grants(path)
    grants.add([Pattern("click", "")], "once")
    assert grants.covers(Pattern("click", ""))
    grants.forget_once()
    assert not grants.covers(Pattern("click", ""))


def test_a_grant_for_the_run_is_not_kept(path: Path) -> None:
    grants = Grants(path)
    grants.add([Pattern("click", "")], "run")
    grants.forget_once()
    assert grants.covers(Pattern("click", ""))
    assert not path.exists()
    assert not Grants(path).covers(Pattern("click", ""))


def test_a_standing_grant_is_kept_in_a_private_file(path: Path) -> None:
    Grants(path).add([Pattern("shell", "ls")], "always")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Grants(path).covers(Pattern("shell", "ls"))
    assert Grants(path).standing == (Pattern("shell", "ls"),)
    assert not Grants(path).covers(Pattern("shell", "ls -l"))


def test_a_grant_inside_a_machine_is_none_on_ones_own_screen(path: Path) -> None:
    Grants(path, where="process").add([Pattern("click", "")], "always")
    assert Grants(path, where="process").covers(Pattern("click", ""))
    assert not Grants(path, where="none").covers(Pattern("click", ""))
    Grants(path, where="none").add([Pattern("key", "a")], "always")
    assert Grants(path, where="process").standing == (Pattern("click", ""),)


def test_two_runs_do_not_lose_each_others_grants(path: Path) -> None:
    one, two = Grants(path), Grants(path)
    one.add([Pattern("a", "1")], "always")
    two.add([Pattern("b", "2")], "always")
    assert Grants(path).standing == (Pattern("a", "1"), Pattern("b", "2"))


def test_a_grant_can_be_taken_back(path: Path) -> None:
    grants = Grants(path)
    for scope in ("run", "always"):
        grants.add([Pattern("a", "1")], scope)
    grants.revoke(Pattern("a", "1"))
    grants.revoke(Pattern("a", "never given"))
    assert not grants.covers(Pattern("a", "1"))
    assert Grants(path).standing == ()


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o606])
def test_a_file_others_could_have_written_grants_nothing(path: Path, mode: int) -> None:
    Grants(path).add([Pattern("a", "1")], "always")
    path.chmod(mode)
    with pytest.raises(Refused, match="used by others"):
        Grants(path)


@pytest.mark.parametrize("text", ["", "[", "[]", '{"": 1}', '{"": [["a"]]}', '{"": [["a", 1]]}'])
def test_a_damaged_file_is_said_to_be_so(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(InvalidInput, match=r"grants\.json"):
        Grants(path)


def test_grants_are_looked_for_where_settings_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path))
    Grants().add([Pattern("a", "1")], "always")
    assert json.loads((tmp_path / "grants.json").read_text()) == {"": [["a", "1"]]}


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(st.lists(st.builds(Pattern, TEXT, TEXT), max_size=5))
def test_standing_grants_are_read_as_they_were_written(patterns: list[Pattern]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        file = Path(home) / "g.json"
        Grants(file).add(patterns, "always")
        assert set(Grants(file).standing) == set(patterns)
