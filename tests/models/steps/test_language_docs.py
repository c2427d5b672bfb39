"""Every example of the reference of steps is read, and reads as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from carrel.models.steps.language import read_file, read_sentence, write_program, write_step

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "steps.md"
BLOCK = re.compile(r"^```(sentences|steps)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str]]:
    """Each sentence with the indented lines below it."""
    found: list[tuple[str, list[str]]] = []
    for kind, body in BLOCK.findall(PAGE.read_text()):
        for line in body.splitlines() if kind == "sentences" else []:
            if line.startswith("    "):
                found[-1][1].append(line[4:])
            else:
                found.append((line, []))
    return [(sentence, "\n".join(lines)) for sentence, lines in found]


@pytest.mark.parametrize(("sentence", "steps"), examples())
def test_a_sentence_reads_as_the_page_says(sentence: str, steps: str) -> None:
    assert "\n".join(write_step(step) for step in read_sentence(sentence).steps) == steps


@pytest.mark.parametrize(("sentence", "steps"), examples())
def test_what_the_page_says_reads_as_the_sentence(sentence: str, steps: str) -> None:
    (program,) = read_file(steps)
    assert "\n".join(write_step(step) for step in program.steps) == steps


def test_the_files_of_the_page_are_read_and_can_be_written() -> None:
    files = [body for kind, body in BLOCK.findall(PAGE.read_text()) if kind == "steps"]
    assert len(files) == 2
    for text in files:
        for program in read_file(text, "page.steps"):
            assert program.steps
            (again,) = read_file(write_program(program))
            assert write_program(again) == write_program(program)
