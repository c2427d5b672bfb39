from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.guest._identifiers import MOST, spoken_words


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("fa fa-trash", "trash"),
        ("openSearch", "open search"),
        ("addToCart", "add cart"),
        ("closeBtn", "close"),
        ("icon-thumbs-up", "thumbs up"),
        ("reply_all", "reply all"),
        ("chevronRight", "chevron right"),
        ("x", "x"),
        ("btn btn-primary col-md-2", ""),
        ("svg-inline--fa fa-w-16", ""),
        ("css-1q2w3e kYfkzQ", ""),
        ("sc-bdVaJa", ""),
        ("3f2a9c", ""),
        ("", ""),
        ("alpha beta gamma delta epsilon", ""),
    ],
)
def test_the_words_a_person_would_say_are_told(identifier: str, words: str) -> None:
    assert " ".join(spoken_words(identifier)) == words


@given(st.text(max_size=60))
def test_any_identifier_has_few_plain_words_or_none(identifier: str) -> None:
    words = spoken_words(identifier)
    assert len(words) <= MOST
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)
