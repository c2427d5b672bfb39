from __future__ import annotations

from pathlib import Path

import pytest

from carrel.actions import Click, Type
from carrel.errors import InvalidInput, NotFound
from carrel.geometry import Size
from carrel.intents import Done
from carrel.models.context import Context
from carrel.models.scripted import ScriptedModel, read_script


def context(decided: int) -> Context:
    return Context("t", Size(9, 9), decided=decided)


@pytest.mark.anyio
async def test_the_step_decides_what_comes_so_that_a_resumed_run_goes_on() -> None:
    model = ScriptedModel([Click(1, 1), (Type("a"), Type("b"))])
    second = await model.decide(context(1), print)
    assert second.calls[0].actions == (Type("a"), Type("b"))
    first = await model.decide(context(0), print)
    assert first.calls[0].actions == (Click(1, 1),)
    end = await model.decide(context(2), print)
    assert isinstance(end.calls[0].actions[0], Done)


def test_a_script_file_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(
        '# a remark\n{"actions": [{"type": "click", "x": 1, "y": 2}], "thought": "there"}\n\n'
        '{"actions": [{"type": "done"}], "text": "bye"}\n'
    )
    first, second = read_script(path)
    assert (first.thought, first.calls[0].actions) == ("there", (Click(1, 2),))
    assert second.text == "bye"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("nonsense", "s.jsonl:1: not JSON"),
        ("[]", "a line is an object"),
        ('{"action": []}', "unknown field action"),
        ('{"actions": [{"type": "dance"}]}', "no action 'dance'"),
        ('{"actions": [{"type": "click", "x": 1}]}', "'y' is missing"),
        ('{"actions": 3}', "actions is a list"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(line)
    with pytest.raises(InvalidInput, match=complaint.replace("[", "\\[")):
        read_script(path)


def test_a_missing_script_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_script(tmp_path / "none")


@pytest.mark.parametrize("text", ["", "\n\n", "# only a remark\n"])
def test_a_script_without_a_decision_is_a_mistake_and_no_success(tmp_path: Path, text: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(text)
    with pytest.raises(InvalidInput, match="holds no decision"):
        read_script(path)
