"""What people say of the windows and the files of a desktop."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written


@pytest.mark.parametrize(("said", "steps"), corpus("english_in_programs.txt"))
def test_what_is_said_of_a_program_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        'replace "Monday" with "Friday" twice',
        'replace "Monday" with "Friday" only once',
        'replace all Mondays with "Friday" on the page',
        'replace "a" with "b" and "c" with "d"',
        'replace "a" with "b" quickly',
    ],
)
def test_words_after_the_new_text_are_no_part_of_it(said: str) -> None:
    assert is_refused(said)
