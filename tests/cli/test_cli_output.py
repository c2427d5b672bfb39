"""Words and JSON that cannot harm a terminal."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.cli._output import Output, clean, one_line, to_json

ANY_TEXT = st.text(st.characters(exclude_categories=()))
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=20,
)


@given(ANY_TEXT)
def test_clean_text_has_no_control_character(text: str) -> None:
    for character in clean(text):
        assert character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs")


@given(ANY_TEXT)
def test_plain_text_is_left_alone(text: str) -> None:
    if text.isprintable():
        assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]52;c;aGk=\x07", "\\x1b]52;c;aGk=\\x07"),
        ("\x9b31mred", "\\x9b31mred"),
        ("good\rbad", "good\\rbad"),
        ("a\u202eb", "a\\u202eb"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("half \udcff", "half \\udcff"),
        ("日本語 🙂 é", "日本語 🙂 é"),
    ],
)
def test_escape_sequences_are_spelled_out(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(ANY_JSON)
def test_json_comes_back_as_it_was_and_is_safe(value: object) -> None:
    text = to_json(value)
    assert json.loads(text) == value
    text.encode()
    assert clean(text) == text or "\u200e" in text or "\u200f" in text or "\u061c" in text


@given(ANY_TEXT, st.integers(2, 30))
def test_one_line_is_one_line(text: str, width: int) -> None:
    flat = one_line(text, width)
    assert "\n" not in flat
    assert len(flat) <= width


def test_a_table_is_aligned_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Output().table(("name", "state"), [("desk", "running"), ("web-1", None), ("x\ny", "a")])
    assert capsys.readouterr().out == "NAME   STATE\ndesk   running\nweb-1\nx y    a\n"
