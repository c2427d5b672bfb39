"""Calls in tags: `<function=click><parameter=point>…</parameter></function>`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from carrel.errors import InvalidInput

__all__ = ["Tagged", "between", "read_functions", "write_function"]

MAX_FUNCTIONS = 100
MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class Tagged:
    """One function and its parameters, as text."""

    name: str
    parameters: dict[str, str] = field(default_factory=dict)


def between(text: str, start: str, end: str) -> Iterator[str]:
    """The pieces between two tags; the last may lack its end, as servers cut stop words off."""
    at = text.find(start)
    while at >= 0:
        at += len(start)
        following = text.find(start, at)
        limit = following if following >= 0 else len(text)
        stop = text.find(end, at, limit)
        yield text[at : stop if stop >= 0 else limit]
        at = following


def read_functions(text: str) -> list[Tagged]:
    """The functions of a text.

    Raises:
        InvalidInput: A tag is not finished, or there are too many.
    """
    found: list[Tagged] = []
    at = text.find("<function=")
    while at >= 0:
        if len(found) >= MAX_FUNCTIONS:
            raise InvalidInput(f"more than {MAX_FUNCTIONS} functions in one answer")
        name, at = _name(text, at + len("<function="))
        parameters, at = _parameters(text, at)
        found.append(Tagged(name, parameters))
        at = text.find("<function=", at)
    return found


def _name(text: str, at: int) -> tuple[str, int]:
    end = text.find(">", at, at + MAX_NAME)
    if end < 0:
        raise InvalidInput(f"the tag {text[at : at + 30]!r} has no end")
    return text[at:end].strip().strip("\"'"), end + 1


def _parameters(text: str, at: int) -> tuple[dict[str, str], int]:
    parameters: dict[str, str] = {}
    while True:
        at = _skip_space(text, at)
        if not text.startswith("<parameter=", at):
            break
        name, at = _name(text, at + len("<parameter="))
        end = text.find("</parameter>", at)
        if end < 0:
            raise InvalidInput(f"the parameter {name!r} has no end")
        if name in parameters:
            raise InvalidInput(f"the parameter {name!r} is given twice")
        parameters[name] = text[at:end]
        at = end + len("</parameter>")
    if not text.startswith("</function>", at):
        raise InvalidInput(
            f"expected </function>, got {text[at : at + 30]!r}",
            hint="write <function=NAME><parameter=NAME>VALUE</parameter></function>",
        )
    return parameters, at + len("</function>")


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def write_function(name: str, parameters: Mapping[str, str], *, lines: bool = False) -> str:
    """The same as text; with `lines`, every value on a line of its own, as Qwen writes it."""
    gap = "\n" if lines else ""
    inner = "".join(
        f"<parameter={key}>{gap}{value}{gap}</parameter>{gap}" for key, value in parameters.items()
    )
    return f"<function={name}>{gap}{inner}</function>"
