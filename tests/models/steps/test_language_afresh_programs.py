"""English about desktop programs that no rule takes at first, put into plainer words."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence

SENTENCES = corpus("english_afresh_programs.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_is_said_of_programs_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "Run `ls` in it.",
        "The question whether the photos should be deleted is answered with No.",
        "Say no.",
        "Paste the clipboard into a new editor window.",
    ],
)
def test_what_cannot_be_certain_is_refused(said: str) -> None:
    assert is_refused(said)


def test_what_a_dialog_asks_is_never_done() -> None:
    for said in (
        "The dialog asks whether 3 photos should be deleted. Click Keep.",
        "A message asks if the file should be overwritten. Choose Cancel.",
        "A prompt asks whether the old entries must be removed. Click Keep.",
    ):
        steps = read_sentence(said).steps
        assert [type(step) for step in steps][:1] == [p.Check]
        assert not any(isinstance(step, p.Perform) for step in steps)


def test_a_text_is_still_highlighted() -> None:
    for said in ("Select the second paragraph.", "Select the text in the box."):
        assert isinstance(read_sentence(said).steps[0], p.Highlight)
