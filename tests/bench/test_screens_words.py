from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.bench.suites.screens.words import alike, normal, part_of, worth_finding

TEXT = st.text(max_size=60)


@given(TEXT)
def test_what_is_normal_stays_as_it_is(text: str) -> None:
    assert normal(normal(text)) == normal(text)


@given(TEXT)
def test_a_string_is_like_itself_and_a_part_of_itself(text: str) -> None:
    assert alike(text, text) == 1.0
    found = part_of(text, text)
    assert found is None if not text.split() else found == pytest.approx(0.5)


@given(TEXT, TEXT)
def test_likeness_is_mutual_and_bounded(one: str, other: str) -> None:
    likeness = alike(one, other)
    assert 0.0 <= likeness <= 1.0
    assert (likeness > 0) == (alike(other, one) > 0)


@given(TEXT, st.text(min_size=1, max_size=20), TEXT)
def test_a_part_lies_between_the_ends_of_the_whole(before: str, part: str, after: str) -> None:
    found = part_of(part, before + part + after)
    assert found is None or 0.0 < found < 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Caf\u00e9 \u201cTo go\u201d", 'cafe\u0301 "to go"'),
        ("Ｓａｖｅ　ａｓ", "save as"),
        ("Next\u200b  page", "next page"),
        ("2019\u20132020", "2019-2020"),
    ],
)
def test_spelling_that_the_eye_does_not_tell_apart_is_the_same(one: str, other: str) -> None:
    assert normal(one) == normal(other)


def test_one_letter_read_wrongly_is_forgiven_in_a_word_but_not_in_two_letters() -> None:
    assert alike("settings", "sett1ngs") > 0
    assert alike("on", "an") == 0
    assert alike("save", "save as a copy") == 0


def test_where_a_part_is_goes_by_the_width_of_its_letters() -> None:
    assert part_of("home", "home pricing about") == pytest.approx(0.14, abs=0.03)
    assert part_of("设置", "ab设置") == pytest.approx(4 / 6)
    assert part_of("contact", "home pricing about") is None


@pytest.mark.parametrize(
    ("text", "wanted"), [("OK", True), ("x", False), ("→", False), ("字", True)]
)
def test_nobody_asks_for_a_single_letter_or_a_sign(text: str, wanted: bool) -> None:
    assert worth_finding(text) is wanted
