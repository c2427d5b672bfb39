"""No secret is written down, in whatever form it comes."""

from __future__ import annotations

import base64
import html
import json
import os
import time
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from carrel.journal import Journal, Redactor
from carrel.journal.redact import MARK

SECRET = 'pa"ss\\wörd / 💡 x9'
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
SECRETS = st.text(st.characters(exclude_categories=("Cs",)), min_size=6, max_size=30)


def mixed(value: str) -> str:
    """Every second character as a \\u escape, as some programs write JSON."""
    units = value.encode("utf-16-be")
    escapes = [f"\\u{units[i]:02x}{units[i + 1]:02X}" for i in range(0, len(units), 2)]
    return "".join(escapes)


FORMS = {
    "plain": lambda value: value,
    "json": json.dumps,
    "json unicode": lambda value: json.dumps(value, ensure_ascii=False),
    "json in json": lambda value: json.dumps(json.dumps({"a": value})),
    "three times json": lambda value: json.dumps(json.dumps(json.dumps([value]))),
    "escapes": mixed,
    "url": lambda value: f"https://example.org/?q={quote(value, safe='')}&x=1",
    "url lower case": lambda value: (
        quote(value, safe="").lower() if value.islower() else quote(value)
    ),
    "form": quote_plus,
    "base64": lambda value: base64.b64encode(value.encode()).decode(),
    "base64 url": lambda value: base64.urlsafe_b64encode(value.encode()).decode(),
    "base64 inside": lambda value: base64.b64encode(f"user:{value}\n".encode()).decode(),
    "base64 inside 2": lambda value: base64.b64encode(f"abcd{value}xyz".encode()).decode(),
    "hex": lambda value: value.encode().hex(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_known_value_is_found_in_every_form(form: str) -> None:
    written = FORMS[form](SECRET)
    cleaned = Redactor([SECRET]).text(f"before {written} after")
    assert MARK in cleaned
    assert cleaned.startswith("before ")
    assert cleaned.endswith(" after")
    for reveal in ("wörd", "w\\u00f6rd", "ss\\\\w", "%C3%B6rd"):
        assert reveal not in cleaned


@settings(max_examples=300, deadline=None)
@given(SECRETS, TEXT, TEXT, st.sampled_from(sorted(FORMS)))
@example("\\\\\\\\\\\\", "\\\\", "\\", "json in json")
@example('""""""', "", "", "three times json")
@example("      ", "", "", "form")
def test_no_form_of_a_value_is_left(secret: str, before: str, after: str, form: str) -> None:
    redactor = Redactor([secret])
    written = FORMS[form](secret)
    cleaned = redactor.text(before + written + after)
    if secret not in MARK:
        assert secret not in cleaned.replace(MARK, "\0")
    assert MARK in cleaned
    assert redactor.text(cleaned).count(MARK) >= cleaned.count(MARK)


@settings(max_examples=100, deadline=None)
@given(SECRETS, st.binary(max_size=9), st.binary(max_size=9))
def test_base64_of_something_larger_shows_nothing_of_it(
    secret: str, before: bytes, after: bytes
) -> None:
    encoded = base64.b64encode(before + secret.encode() + after).decode()
    cleaned = Redactor([secret]).text(encoded)
    assert MARK in cleaned
    # What is left of the value is less than the characters that share bits with its neighbours.
    assert len(cleaned.replace(MARK, "")) <= len(encoded) - len(secret.encode()) + 6


def test_every_string_is_looked_at_and_nothing_else_is_changed() -> None:
    data = {
        "a": SECRET,
        SECRET: 1,
        "list": [1, 2.5, None, True, {"deep": [f"x{SECRET}y"]}],
        "fine": "nothing to see",
    }
    cleaned = Redactor([SECRET]).data(data)  # type: ignore[arg-type]
    assert cleaned == {
        "a": MARK,
        MARK: 1,
        "list": [1, 2.5, None, True, {"deep": [f"x{MARK}y"]}],
        "fine": "nothing to see",
    }


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-abcDEF123456789012345678",
        "sk-ant-api03-abcdefgh_IJKL-1234",
        "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuv",
        "xoxb-123456789012-abcdefghij",
        "hf_abcdefghijklmnopqrstuvwxyz",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_credential_is_taken_out_unasked(key: str) -> None:
    cleaned = Redactor().text(f'curl -H "x: {key}" https://example.org')
    assert cleaned == f'curl -H "x: {MARK}" https://example.org'
    assert key not in Redactor().text(json.dumps({"args": key.replace("\n", " ")}))


def test_credentials_in_headers_lose_their_value_and_keep_their_name() -> None:
    assert Redactor().text("Authorization: Bearer abc.DEF-123_456") == (
        f"Authorization: Bearer {MARK}"
    )
    assert Redactor().text("authorization: basic dXNlcjpwYXNz=") == f"authorization: basic {MARK}"


@pytest.mark.parametrize(
    "text",
    [
        "this is a basic introduction to task-oriented desk-sharing",
        "the bearer of bad news",
        "sk-learn is a library, ask-me-anything-you-want-to-know",
        "risk-management-and-compliance-overview",
        "GitHub, ghosts and highlights; hf_ is a prefix",
        "click at 10, 20",
        "f1d2d2f924e986ac86fdf7b36c94bcdf32beec15",
    ],
)
def test_plain_words_stay(text: str) -> None:
    assert Redactor().text(text) == text


@pytest.mark.parametrize("name", ["api_key", "apiKey", "x-api-key", "Authorization", "password"])
def test_a_field_named_for_a_credential_is_emptied(name: str) -> None:
    cleaned = Redactor().data({"options": {name: "whatever it is", "temperature": 1}})
    assert cleaned == {"options": {name: MARK, "temperature": 1}}
    assert Redactor().data({"tokens": 12, "token_limit": "none"}) == {
        "tokens": 12,
        "token_limit": "none",
    }


def test_values_come_from_the_environment_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_MODEL_KEY", "correct horse battery")
    redactor = Redactor(env=("MY_MODEL_KEY", "NOT_SET_ANYWHERE"))
    assert redactor.text("say correct horse battery") == f"say {MARK}"
    assert Redactor([""]).text("nothing") == "nothing"


def test_a_short_value_goes_where_it_stands_alone() -> None:
    redactor = Redactor(["42"])
    assert redactor.text("the pin is 42.") == f"the pin is {MARK}."
    assert redactor.text("click at 142, 420") == "click at 142, 420"


def test_a_secret_that_is_part_of_another_does_not_uncover_it() -> None:
    cleaned = Redactor(["hunter", "hunter22-and-more"]).text("hunter22-and-more hunter")
    assert cleaned == f"{MARK} {MARK}"


def test_nothing_secret_reaches_the_disk(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path, redact=Redactor([SECRET])) as journal:
        for form, write in FORMS.items():
            journal.append("text", {"role": "model", "text": write(SECRET), "form": form})
        journal.append("run.started", {"options": {"api_key": "sk-ant-api03-zzzzzzzzzzzz"}})
        event = journal.append("text", {"text": SECRET})
    assert event.data == {"text": MARK}
    content = b"".join(
        path.read_bytes() for path in (tmp_path / "runs").rglob("*") if path.is_file()
    ).decode()
    for leak in ("wörd", "\\u00f6rd", "%C3%B6", "sk-ant", html.escape("wörd")):
        assert leak not in content
    assert base64.b64encode(SECRET.encode()).decode()[4:16] not in content


@pytest.mark.parametrize(
    ("secret", "text"),
    [
        ("\\" * 12 + "x", "\\" * 50_000),
        ("aaaaaaaaaaaaaaab", "a" * 200_000 + "%"),
        ('"' * 12 + "x", '\\"' * 50_000),
        ("%" * 12 + "x", "%25" * 50_000),
        ("Bearer", "Bearer " * 20_000),
        ("secret-value", "sk-" * 50_000),
        ("secret-value", "-----BEGIN PRIVATE KEY-----" * 2_000),
    ],
)
def test_no_text_makes_it_slow(secret: str, text: str) -> None:
    began = time.process_time()
    Redactor([secret]).text(text)
    assert time.process_time() - began < 2


def test_many_secrets_and_a_large_event_cost_little() -> None:
    redactor = Redactor([os.urandom(16).hex() for _ in range(20)])
    data = {"items": [{"type": "reasoning", "content": "It is 5% done \\ maybe. " * 400}]}
    began = time.process_time()
    for _ in range(20):
        redactor.data(data)  # type: ignore[arg-type]
    assert (time.process_time() - began) / 20 < 0.03
