from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.perception.numbers import CARDINALS, NUMBER, ORDINALS, han_number, number

DIGITS = "零一二三四五六七八九"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("1,200", 1200),
        ("-2.5", -2.5),
        ("−3", -3),
        ("twenty-one", 21),
        ("three hundred and five", 305),
        ("a dozen", 12),
        ("two dozen", 24),
        ("half a dozen", 6),
        ("a couple", 2),
        ("十二", 12),
        ("二百零三", 203),
        ("两万", 20000),
        ("二〇二六", 2026),
    ],
)
def test_numbers_in_digits_and_words(text: str, value: float) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["", "button", "one button", "-", "五个"])
def test_what_is_no_number_has_no_value(text: str) -> None:
    assert number(text) is None


@given(st.integers(1, 99))
def test_chinese_numbers_are_read_as_they_are_written(value: int) -> None:
    tens, ones = divmod(value, 10)
    written = (DIGITS[tens] if tens > 1 else "") + ("十" if tens else "")
    written += DIGITS[ones] if ones else ""
    assert han_number(written) == value


@given(st.text(max_size=20))
def test_no_text_breaks_the_reading_of_numbers(text: str) -> None:
    assert number(text) is None or re.search(r"\w", text)


def test_every_word_for_a_number_is_known_as_one() -> None:
    assert [number(word) for word in CARDINALS] == list(range(20))
    assert all(re.fullmatch(NUMBER, word) for word in CARDINALS)
    assert len(ORDINALS) == 20
