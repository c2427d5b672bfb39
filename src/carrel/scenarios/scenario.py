"""One scenario of a `.steps` file, ready to be run."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import InvalidInput, NotFound, UsageError
from carrel.models.steps.program import Program

__all__ = ["SUFFIX", "Scenario", "read_scenarios", "require_names"]

SUFFIX = ".steps"

_SECRET = re.compile(r"pass|pwd|secret|token|api_?key|密码|口令|密钥", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A program, and the file it was written in."""

    file: Path
    program: Program
    number: int = 1
    """Its place in the file, from 1."""

    @property
    def name(self) -> str:
        """Its title, or the file's name and its place in it."""
        return self.program.title or f"{self.file.stem} {self.number}"

    @property
    def task(self) -> str:
        """The program in words, as a run's task: it can be resumed without the file."""
        from carrel.models.steps.language import write_program

        return write_program(self.program)


def read_scenarios(paths: Iterable[Path]) -> tuple[Scenario, ...]:
    """Every scenario in these files, and in the `.steps` files of these directories.

    Args:
        paths: Files and directories, read in this order.

    Raises:
        NotFound: There is no such file, or no `.steps` file in a directory.
        InvalidInput: Something is not understood; the message names the file and the line.
    """
    return tuple(scenario for path in _files(paths) for scenario in _read(path))


def require_names(scenarios: Sequence[Scenario], given: Container[str]) -> None:
    """See that all names that these scenarios need from outside are set.

    Args:
        scenarios: Those that are to be run.
        given: The names that are set.

    Raises:
        UsageError: One is not; the hint says how to set it.
    """
    needed = {name for scenario in scenarios for name in scenario.program.names}
    missing = sorted(name for name in needed if name not in given)
    if missing:
        where = next(s.file.name for s in scenarios if missing[0] in s.program.names)
        raise UsageError(
            f"{where} needs {', '.join(missing)}",
            hint=" ".join(map(_option, missing)),
        )


def _option(name: str) -> str:
    """How to give a name: what sounds like a secret does not belong into a command line."""
    return f"--set-secret {name}" if _SECRET.search(name) else f"--set {name}=…"


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob(f"*{SUFFIX}"))
            if not found:
                raise NotFound(f"there is no {SUFFIX} file in {path}")
            yield from found
        else:
            yield path


def _read(path: Path) -> Iterator[Scenario]:
    from carrel.models.steps.language import read_file

    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise NotFound(f"there is no file {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}") from error
    programs = read_file(text, str(path))
    if not programs:
        raise InvalidInput(f"{path} holds no step", hint="write one a line: click Save")
    for number, program in enumerate(programs, 1):
        yield Scenario(path, program, number)
