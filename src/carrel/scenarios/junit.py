"""Outcomes as JUnit's XML, which every build server reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from xml.etree import ElementTree as ET

from carrel.models.steps.state import Record
from carrel.scenarios.outcome import Outcome

__all__ = ["write_junit"]

_TAGS = {"failed": "failure", "error": "error", "skipped": "skipped"}

# XML 1.0 has no place for these, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(outcomes: Iterable[Outcome], *, now: datetime | None = None) -> str:
    """The whole document: a suite for each file, a case for each scenario."""
    listed = list(outcomes)
    at = (now or datetime.now(UTC)).isoformat(timespec="seconds")
    root = ET.Element("testsuites", _counts("carrel", listed))
    for file, group in groupby(listed, key=lambda outcome: outcome.file):
        cases = list(group)
        suite = ET.SubElement(root, "testsuite", {**_counts(_clean(file), cases), "timestamp": at})
        for outcome in cases:
            _add_case(suite, outcome)
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _counts(name: str, outcomes: list[Outcome]) -> dict[str, str]:
    def count(verdict: str) -> str:
        return str(sum(outcome.verdict == verdict for outcome in outcomes))

    return {
        "name": name,
        "tests": str(len(outcomes)),
        "failures": count("failed"),
        "errors": count("error"),
        "skipped": count("skipped"),
        "time": f"{sum(outcome.seconds for outcome in outcomes):.3f}",
    }


def _add_case(suite: ET.Element, outcome: Outcome) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": _clean(outcome.file),
            "name": _clean(outcome.name),
            "time": f"{outcome.seconds:.3f}",
        },
    )
    if outcome.verdict in _TAGS:
        about = ET.SubElement(case, _TAGS[outcome.verdict], {"message": _clean(outcome.account)})
        about.text = _clean("\n".join(_blamed(outcome))) or None
    lines = [_line(record) for record in outcome.records]
    if outcome.doubtful:
        lines.append(f"{len(outcome.doubtful)} doubtful")
    if outcome.run:
        lines.append(f"carrel show {outcome.run}")
    ET.SubElement(case, "system-out").text = _clean("\n".join(lines))


def _blamed(outcome: Outcome) -> Iterator[str]:
    """The step that failed; where none did, those in doubt that a scenario failed for."""
    step = outcome.failed_step
    if step is not None:
        yield f"{outcome.file}:{step.line}: {step.words}\n{step.account}"
    elif outcome.verdict == "failed":
        for record in outcome.doubtful:
            yield f"{outcome.file}:{record.line}: {record.words}\nin doubt: {record.doubt}"


def _line(record: Record) -> str:
    line = f"{record.how}  {record.line or record.place}: {record.words}"
    return f"{line}  (in doubt: {record.doubt})" if record.doubt else line


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
