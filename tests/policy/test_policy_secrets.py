from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.actions import Action, Click, Open, SetClipboard, Shell, Type, WriteFile
from carrel.errors import InvalidInput, NotFound, Refused
from carrel.intents import Ask, CallTool, Done, Note
from carrel.policy.secrets import Secret, Secrets

VALUE = "correct horse & battery"


@dataclass
class At:
    app: str = ""
    host: str = ""


def write(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.fixture(autouse=True)
def _no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path / "home"))


# Values never show


@pytest.mark.parametrize(
    "shown",
    [
        repr(Secret("bank", VALUE)),
        str(Secret("bank", VALUE)),
        f"{Secret('bank', VALUE)}",
        repr(Secrets([Secret("bank", VALUE)])),
        str([Secrets([Secret("bank", VALUE)])]),
        str({"s": Secret("bank", VALUE)}),
    ],
)
def test_no_text_made_of_a_secret_holds_its_value(shown: str) -> None:
    assert VALUE not in shown
    assert "BANK" in shown


def test_no_error_holds_a_value(tmp_path: Path) -> None:
    secrets = Secrets([Secret("bank", VALUE, apps=("chromium",), hosts=("bank.example",))])
    for focus in (At(), At("xterm"), At("chromium", "evil.example")):
        with pytest.raises(Refused) as caught:
            secrets.resolve(Type("{{secret:bank}}"), focus)
        assert VALUE not in f"{caught.value!r} {caught.value.hint} {caught.value.context}"
    bad = write(tmp_path / "bad.toml", f'[bank]\nvalue = "{VALUE}"\n"')
    with pytest.raises(InvalidInput) as broken:
        Secrets.load(bad, environ={})
    assert VALUE not in str(broken.value)


# References


@pytest.mark.parametrize(
    ("action", "names"),
    [
        (Type("a {{secret:bank}} b"), ("BANK",)),
        (Type("{{secret:a}}{{ secret:B }}{{secret:a}}"), ("A", "B")),
        (Type("nothing"), ()),
        (Type("{{secret:}} {{secret:a-b}} {secret:a}"), ()),
        (SetClipboard("{{secret:a}}"), ("A",)),
        (Shell("x", env={"K": "{{secret:a}}"}, stdin="{{secret:b}}"), ("A", "B")),
        (Shell("echo {{secret:a}}"), ("A",)),
        (CallTool("f", {"x": [{"y": "{{secret:a}}"}]}), ("A",)),
        (WriteFile("f", text="{{secret:a}}"), ("A",)),
        (Click(1, 1), ()),
        (Note("{{secret:a}}"), ()),
        (Done(text="{{secret:a}}"), ()),
        (Ask("what is {{secret:a}}?"), ()),
    ],
)
def test_references_are_found_in_every_text_of_an_action(
    action: Action, names: tuple[str, ...]
) -> None:
    assert Secrets().references(action) == names


def test_a_secret_is_typed_where_it_is_pinned_to() -> None:
    secrets = Secrets([Secret("bank", VALUE, apps=("Chromium*",))])
    typed = secrets.resolve(Type("x{{secret:Bank}}y"), At("chromium-browser"))
    assert typed == Type(f"x{VALUE}y")


@pytest.mark.parametrize(
    ("apps", "hosts", "focus", "fits"),
    [
        (("chromium",), (), At("chromium"), True),
        (("chromium",), (), At("Chromium"), True),
        (("chromium",), (), At("xterm"), False),
        (("chromium",), (), At(""), False),
        (("a", "b*"), (), At("bb"), True),
        ((), ("bank.example",), At("", "bank.example"), True),
        ((), ("bank.example",), At("", "BANK.example."), True),
        ((), ("*.bank.example",), At("", "www.bank.example"), True),
        ((), ("*.bank.example",), At("", "bank.example"), False),
        ((), ("bank.example",), At("", "bank.example.evil.org"), False),
        ((), ("bank.example",), At("", "evil.org"), False),
        ((), ("bank.example",), At("chromium", ""), False),
        ((), ("*",), At("", "fa\u00df.de"), False),
        (("chromium",), ("bank.example",), At("chromium", "bank.example"), True),
        (("chromium",), ("bank.example",), At("chromium", "evil.org"), False),
        (("chromium",), ("bank.example",), At("xterm", "bank.example"), False),
        ((), (), At(), True),
    ],
)
def test_pins(apps: tuple[str, ...], hosts: tuple[str, ...], focus: At, fits: bool) -> None:
    secrets = Secrets([Secret("s", VALUE, apps, hosts)])
    if fits:
        assert secrets.resolve(Type("{{secret:s}}"), focus) == Type(VALUE)
        return
    with pytest.raises(Refused, match="may be typed only"):
        secrets.resolve(Type("{{secret:s}}"), focus)


def test_one_misplaced_secret_is_enough_to_refuse() -> None:
    secrets = Secrets([Secret("a", "1", apps=("x",)), Secret("b", "2", apps=("y",))])
    with pytest.raises(Refused):
        secrets.resolve(Type("{{secret:a}}{{secret:b}}"), At("x"))


def test_an_action_without_references_comes_back_as_it_is() -> None:
    action = Type("plain")
    assert Secrets().resolve(action, At()) is action


def test_an_unknown_secret_is_answered_with_the_known_ones() -> None:
    with pytest.raises(NotFound, match="NOPE") as caught:
        Secrets([Secret("bank", VALUE)]).resolve(Type("{{secret:nope}}"), At())
    assert "BANK" in (caught.value.hint or "")
    assert VALUE not in (caught.value.hint or "")


# Where they may go


@pytest.mark.parametrize(
    "action",
    [
        SetClipboard("{{secret:s}}"),
        Shell("x", env={"K": "{{secret:s}}"}),
        Shell("x", stdin="{{secret:s}}"),
        CallTool("f", {"x": "{{secret:s}}"}),
    ],
)
def test_by_default_a_secret_is_only_typed(action: Action) -> None:
    with pytest.raises(Refused, match="may not be used with"):
        Secrets([Secret("s", VALUE)]).resolve(action, At())


def test_a_secret_may_be_given_more_uses() -> None:
    secret = Secret("s", VALUE, uses=("set_clipboard", "shell", "tool"))
    secrets = Secrets([secret])
    assert secrets.resolve(SetClipboard("{{secret:s}}"), At()) == SetClipboard(VALUE)
    shell = secrets.resolve(Shell("x", env={"K": "a{{secret:s}}"}, stdin="{{secret:s}}\n"), At())
    assert shell == Shell("x", env={"K": "a" + VALUE}, stdin=VALUE + "\n")
    call = secrets.resolve(CallTool("f", {"x": ["{{secret:s}}", 1, None]}), At())
    assert call == CallTool("f", {"x": [VALUE, 1, None]})
    with pytest.raises(Refused):
        secrets.resolve(Type("{{secret:s}}"), At())


@pytest.mark.parametrize(
    "action",
    [
        Shell("echo {{secret:s}}"),
        Shell("x", cwd="/{{secret:s}}"),
        Shell("x", env={"{{secret:s}}": "v"}),
        WriteFile("/tmp/x", text="{{secret:s}}"),
        WriteFile("/tmp/{{secret:s}}", text=""),
        Open("https://example.com/?{{secret:s}}"),
        CallTool("f", {"{{secret:s}}": 1}),
        CallTool("f", {"x": [{"{{secret:s}}": 1}]}),
    ],
)
def test_no_secret_goes_where_it_would_be_seen(action: Action) -> None:
    secrets = Secrets([Secret("s", VALUE, uses=("type", "set_clipboard", "shell", "tool"))])
    with pytest.raises(Refused, match="cannot be used there"):
        secrets.resolve(action, At())


def test_a_value_is_never_read_for_references() -> None:
    secrets = Secrets([Secret("a", "{{secret:b}}"), Secret("b", VALUE)])
    assert secrets.resolve(Type("{{secret:a}}"), At()) == Type("{{secret:b}}")


# Where they come from


def test_secrets_come_from_the_environment() -> None:
    secrets = Secrets.load(environ={"CARREL_SECRET_BANK": VALUE, "OTHER": "x"})
    assert secrets.names == ("BANK",)
    assert secrets.values() == (VALUE,)
    assert not secrets.get("bank").is_pinned


def test_secrets_come_from_a_private_file(tmp_path: Path) -> None:
    text = '[bank]\nvalue = "v"\napps = ["chromium"]\nhosts = ["bank.example"]\nuses = ["type"]'
    secrets = Secrets.load(write(tmp_path / "s.toml", text), environ={})
    assert secrets.get("BANK") == Secret("bank", "v", ("chromium",), ("bank.example",))


def test_the_file_is_looked_for_where_settings_are(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    write(tmp_path / "home" / "secrets.toml", '[a]\nvalue = "1"')
    assert Secrets.load(environ={}).names == ("A",)


def test_pins_of_the_file_hold_for_values_from_elsewhere(tmp_path: Path) -> None:
    path = write(tmp_path / "s.toml", '[a]\napps = ["x"]\n[b]\nvalue = "file"\napps = ["y"]')
    environ = {"CARREL_SECRET_A": "env", "CARREL_SECRET_B": "env"}
    secrets = Secrets.load(path, environ=environ, given={"b": "given"})
    assert secrets.get("a") == Secret("a", "env", apps=("x",))
    assert secrets.get("b") == Secret("b", "given", apps=("y",))
    mine = Secret("b", "mine", hosts=("h",))
    assert Secrets.load(path, environ={}, given={"b": mine}).get("b") == mine


def test_a_secret_of_the_file_without_a_value_is_none(tmp_path: Path) -> None:
    path = write(tmp_path / "s.toml", '[a]\napps = ["x"]')
    assert Secrets.load(path, environ={}).names == ()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o620, 0o602])
def test_a_file_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    path = write(tmp_path / "s.toml", '[a]\nvalue = "1"', mode)
    with pytest.raises(Refused) as caught:
        Secrets.load(path, environ={})
    assert caught.value.hint == f"chmod 600 {path}"


def test_what_is_not_a_plain_file_is_refused(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo, 0o600)
    with pytest.raises(Refused, match="plain file"):
        Secrets.load(fifo, environ={})
    with pytest.raises(NotFound):
        Secrets.load(tmp_path / "nowhere", environ={})


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[a]\nvalues = "x"', "values"),
        ("[a]\nvalue = 1", "a.value"),
        ('[a]\nvalue = ""', "empty"),
        ('[a]\nvalue = "x"\napps = "y"', "a.apps"),
        ('[a]\nvalue = "x"\nhosts = [1]', "a.hosts"),
        ('[a]\nvalue = "x"\nuses = ["print"]', "a.uses"),
        ('a = "x"', "table"),
        ('["a b"]\nvalue = "x"', "name"),
        ("= 1", "TOML"),
    ],
)
def test_a_file_that_is_not_understood_is_refused(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(InvalidInput, match=key):
        Secrets.load(write(tmp_path / "s.toml", text), environ={})


NAME = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,10}", fullmatch=True)
TEXT = st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"]), min_size=1, max_size=20)


@given(NAME, TEXT, TEXT, TEXT)
def test_resolving_puts_the_value_in_and_nothing_else(
    name: str, value: str, before: str, after: str
) -> None:
    if "{{" in before + after or before.endswith("{") or after.startswith("}"):
        return
    secrets = Secrets([Secret(name, value)])
    action = Type(f"{before}{{{{secret:{name}}}}}{after}")
    assert secrets.references(action) == (name.upper(),)
    assert secrets.resolve(action, At()) == Type(before + value + after)


@given(st.text(max_size=60))
def test_any_text_can_be_looked_through_for_references(text: str) -> None:
    Secrets().references(Note(text))
    Secrets().references(CallTool("f", {text: text}))
