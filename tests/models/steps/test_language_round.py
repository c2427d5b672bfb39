"""What is read of a sentence and written down is read as the same steps again."""

from __future__ import annotations

import pytest
from corpora import corpora, corpus, stripped

from carrel.models.steps import program as p
from carrel.models.steps.language import read_file, read_sentence, write_program


def _again(steps: tuple[p.Step, ...]) -> list[p.Step]:
    (program,) = read_file(write_program(p.Program(steps)))
    return [stripped(step) for step in program.steps]


@pytest.mark.parametrize("name", corpora())
def test_every_sentence_is_the_same_steps_once_written(name: str) -> None:
    other = []
    for said, _ in corpus(name):
        steps = read_sentence(said).steps
        if _again(steps) != [stripped(step) for step in steps]:
            other.append(said)
    assert not other


@pytest.mark.parametrize(
    "said",
    [
        "在“筛选”中取消全选",
        "In the dialog, for each row, click Delete",
        "In the Users table, if Ann is visible, click Remove; otherwise click Add",
        "In the Cart section, repeat 3 times: click +",
    ],
)
def test_a_place_that_is_said_of_all_of_it_is_written(said: str) -> None:
    steps = read_sentence(said).steps
    assert any(step.place for step in steps)
    assert _again(steps) == [stripped(step) for step in steps]


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("in [the dialog], for each [row]", "the dialog"),
        ("In the dialog, for each row", "the dialog"),
        ('in the list "A, B", repeat 2 times', 'the list "A, B"'),
        ("on the Users tab, if Ann is visible", "the Users tab"),
        ("在“筛选”中，对每个复选框", '"筛选"'),
        ("for each row", None),
    ],
)
def test_a_line_of_a_file_may_say_where_its_body_is_done(line: str, place: str | None) -> None:
    (program,) = read_file(f"{line}\n    click OK")
    assert [step.place for step in program.steps] == [place]
