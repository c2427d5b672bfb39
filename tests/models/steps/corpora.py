"""Tables of sentences, each followed by the steps that it is, and what tests ask of steps."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence, write_program

__all__ = ["corpora", "corpus", "is_refused", "is_unclear", "stripped", "written"]

_HERE = Path(__file__).parent


def corpora() -> list[str]:
    """The names of all tables."""
    return sorted(path.name for path in _HERE.glob("*.txt"))


def corpus(name: str) -> list[tuple[str, str]]:
    """Each sentence of a table, and its steps as they are written.

    A line at the margin is a sentence, what is indented under it are its steps; `#` begins a
    remark.
    """
    said: list[tuple[str, list[str]]] = []
    for line in (_HERE / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            said[-1][1].append(line.removeprefix("    "))
        elif line and not line.startswith("#"):
            said.append((line, []))
    return [(sentence, "\n".join(steps)) for sentence, steps in said]


def written(said: str) -> str:
    """The steps of a sentence as they are written."""
    return write_program(p.Program(read_sentence(said).steps)).rstrip("\n")


def is_unclear(step: p.Step) -> bool:
    """Whether it is not understood, or a step inside it is not."""
    inner = [one for name in ("then", "otherwise", "body") for one in getattr(step, name, ())]
    return isinstance(step, p.Unclear) or any(map(is_unclear, inner))


def is_refused(said: str) -> bool:
    """Whether a part of the sentence is not understood, so that nothing is done."""
    return any(map(is_unclear, read_sentence(said).steps))


def stripped(step: p.Step) -> p.Step:
    """The step, and those inside it, without where and in what words it was said."""
    inner = {
        field.name: tuple(stripped(one) for one in value)
        for field in dataclasses.fields(step)
        if isinstance(value := getattr(step, field.name), tuple)
        and value
        and isinstance(value[0], p.Step)
    }
    return dataclasses.replace(step, words="", line=0, **inner)  # type: ignore[arg-type]
