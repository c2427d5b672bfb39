"""Files of steps: one step a line, indented bodies, scenarios and what comes before each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from carrel.errors import InvalidInput
from carrel.models.steps.language.accounting import holds_unclear
from carrel.models.steps.language.afresh import is_doubtful
from carrel.models.steps.language.blocks import Block, opened
from carrel.models.steps.language.held import as_held
from carrel.models.steps.language.links import link
from carrel.models.steps.language.naming import names_used
from carrel.models.steps.language.sentence import read_afresh, read_text
from carrel.models.steps.language.worded import as_worded, tells_alone
from carrel.models.steps.program import (
    Check,
    ForEach,
    If,
    Perform,
    Program,
    Repeat,
    Said,
    Step,
    Unclear,
    Worded,
)

__all__ = ["read_file"]

_HEADING = re.compile(
    r"(?P<kind>title|feature|scenario|test|before|background|标题|场景|测试|准备|之前)\s*[:：]\s*(?P<text>.*)",
    re.IGNORECASE,
)
_TITLE, _BEFORE = {"title", "feature", "标题"}, {"before", "background", "准备", "之前"}


@dataclass(slots=True)
class _Line:
    number: int
    indent: int
    text: str
    body: list[_Line] = field(default_factory=list)


def read_file(text: str, title: str = "") -> tuple[Program, ...]:
    """The programs of a file of steps: one for each scenario, each with the common part before it.

    Args:
        text: What the file holds.
        title: What to call it in messages; its name.

    Raises:
        InvalidInput: A line is not understood; the message names the file, the line and the word.
    """
    lines = _lines(text, title)
    told = tuple((line.number, line.text) for line in lines)
    heading, before, scenarios = _sections(lines, title)
    faults: list[InvalidInput] = []
    common = _read_all(before, title, faults)
    bodies = [(name, _read_all(lines, title, faults)) for name, lines in scenarios]
    if faults:
        raise _together(faults)
    if not scenarios:
        return (replace(_program(common, heading or title, title), told=told),)
    return tuple(
        replace(_program([*common, *body], name or heading or title, title), told=told)
        for name, body in bodies
    )


def _read_all(lines: list[_Line], title: str, faults: list[InvalidInput]) -> list[Step]:
    """The steps of all lines that are read; what is wrong with the others is added to the faults.

    One line that cannot be read does not hide how the others are read.
    """
    steps: list[Step] = []
    for line in _tree(lines):
        try:
            _add(steps, line, title)
        except InvalidInput as fault:
            faults.append(fault)
    return steps


def _together(faults: Sequence[InvalidInput]) -> InvalidInput:
    """All that is wrong, in the order of the lines."""
    first = faults[0]
    if len(faults) == 1:
        return first
    lines = [fault.context.get("line") for fault in faults]
    return InvalidInput(
        "\n".join(fault.message for fault in faults),
        hint=first.hint,
        context={**first.context, "lines": lines},
    )


def _program(steps: Sequence[Step], title: str, file: str) -> Program:
    linked = link(steps)
    # Only together do they show that a word stands for nothing.
    _refuse_unclear(linked, file)
    _refuse_all_worded(linked, file)
    return Program(tuple(linked), tuple(names_used(linked)), title)


def _lines(text: str, title: str) -> list[_Line]:
    """The lines that say something; a text in triple quotes may span several."""
    lines: list[_Line] = []
    open_at: int | None = None
    for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if open_at is not None:
            lines[-1].text += "\n" + raw
            if raw.count('"""') % 2:
                open_at = None
            continue
        stripped = raw.strip()
        if not stripped or stripped.startswith("#"):
            continue
        indent = len(raw.expandtabs(4)) - len(raw.expandtabs(4).lstrip())
        lines.append(_Line(number, indent, stripped))
        if raw.count('"""') % 2:
            open_at = number
    if open_at is not None:
        raise _error(title, open_at, 'the text that begins with """ never ends')
    return lines


def _sections(
    lines: list[_Line], title: str
) -> tuple[str, list[_Line], list[tuple[str, list[_Line]]]]:
    """The title, the common part, and each scenario with its lines."""
    heading, before = "", list[_Line]()
    scenarios: list[tuple[str, list[_Line]]] = []
    current = before
    for line in lines:
        found = _HEADING.fullmatch(line.text)
        if found is None:
            current.append(line)
        elif found["kind"].lower() in _TITLE:
            heading = found["text"].strip()
        elif found["kind"].lower() in _BEFORE:
            if scenarios:
                raise _error(
                    title, line.number, "what comes before must stand above the first scenario"
                )
            current = before
        else:
            scenarios.append((found["text"].strip(), []))
            current = scenarios[-1][1]
    return heading, before, scenarios


def _tree(lines: list[_Line]) -> list[_Line]:
    """Lines that stand further right belong to the one above."""
    roots: list[_Line] = []
    path: list[_Line] = []
    for line in lines:
        while path and path[-1].indent >= line.indent:
            path.pop()
        # A scenario's steps may be indented as a whole: only a line that opens a body has one.
        while path and opened(path[-1].text) is None:
            path.pop()
        (path[-1].body if path else roots).append(line)
        path.append(line)
    return roots


def _steps(lines: list[_Line], title: str) -> list[Step]:
    steps: list[Step] = []
    for line in lines:
        _add(steps, line, title)
    return steps


def _add(steps: list[Step], line: _Line, title: str) -> None:
    block = opened(line.text)
    if block is None or (not line.body and block.whole):
        steps += _plain(line, title)
    elif block.kind == "else":
        _add_else(steps, line, block, title)
    else:
        steps.append(_block(line, block, title))


_STATED = re.compile(
    r"(?:(?:then|and)\s+)?(?P<claim>(?!please\b|you\b|we\b|i\b).+?\s(?:should|must)\s+(?:now\s+)?be\s+"
    r"\w+.*?)[.!]?",
    re.IGNORECASE,
)
"""`The request should be approved`: a wish in a task, and in a test what has to be so."""


def _plain(line: _Line, title: str) -> list[Step]:
    steps = read_text(line.text, line.number)
    stated = _STATED.fullmatch(line.text.strip())
    if stated is not None and len(steps) == 1 and isinstance(steps[0], Perform):
        # Nothing is done to make a claim true.
        return [Check(Said(stated["claim"]), line=line.number, words=line.text.strip())]
    if holds_unclear(steps) or is_doubtful(steps):
        held = as_worded(as_held(steps, line.text), among=True)
        steps = next(read_afresh(line.text, line.number), held)
    _refuse_unclear(steps, title, line.number)
    if not steps:
        raise _error(title, line.number, f"“{line.text}” asks for nothing")
    return steps


def _refuse_unclear(steps: Sequence[Step], title: str, line: int = 0) -> None:
    for step in steps:
        if isinstance(step, Unclear):
            raise _error(title, line or step.line or 0, step.why)
        for name in ("then", "otherwise", "body"):
            _refuse_unclear(getattr(step, name, ()), title, line)


def _refuse_all_worded(steps: Sequence[Step], title: str) -> None:
    """Refuse what would be left to the screen as a whole: of it nothing is understood."""
    if all(isinstance(step, Worded) and not tells_alone(step.words) for step in steps):
        faults = [_error(title, s.line or 0, s.why) for s in steps if isinstance(s, Worded)]
        if faults:
            raise _together(faults)


def _block(line: _Line, block: Block, title: str) -> Step:
    if block.why:
        raise _error(title, line.number, f"“{line.text}”: {block.why}")
    body = tuple(_steps(line.body, title))
    if not body:
        raise _error(title, line.number, f"“{line.text}” has no steps below it, further right")
    step: Step
    if block.kind == "if" and block.condition is not None:
        step = If(block.condition, body)
    elif block.kind == "each":
        step = ForEach(
            block.name,
            body,
            block.items,
            every=block.every,
            but=block.but,
            order=block.order,
            limit=block.limit,
        )
    else:
        step = Repeat(body, times=block.times, until=block.condition)
    return replace(step, line=line.number, words=line.text, place=block.place)


def _add_else(steps: list[Step], line: _Line, block: Block, title: str) -> None:
    """Put an `else` to the `if` above it; `else if` opens another one inside."""
    last = steps[-1] if steps else None
    if not isinstance(last, If):
        raise _error(title, line.number, f"“{line.text}” has no “if” above it")
    if block.why:
        raise _error(title, line.number, f"“{line.text}”: {block.why}")
    body = tuple(_steps(line.body, title))
    if block.condition is not None:
        body = (If(block.condition, body, line=line.number, words=line.text),)
    steps[-1] = _deepest(last, body)


def _deepest(step: If, body: tuple[Step, ...]) -> If:
    inner = step.otherwise[0] if len(step.otherwise) == 1 else None
    if isinstance(inner, If) and re.match(r"(?:else|otherwise|否则)", inner.words, re.IGNORECASE):
        return replace(step, otherwise=(_deepest(inner, body),))
    return replace(step, otherwise=body)


def _error(title: str, line: int, what: str) -> InvalidInput:
    return InvalidInput(
        f"{title or 'steps'}:{line}: {what}",
        hint="see docs/reference/steps.md for what a step may say",
        context={"file": title, "line": line},
    )
