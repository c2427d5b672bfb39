"""Exports for programs, read by readers of their own."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, model_validator

from carrel.errors import NotFound
from carrel.journal import Journal, read_events
from carrel.journal.views import tell, write_atif, write_jsonl
from synthetic_run import make_run

# The format's own rules, written down apart from the code that follows them.


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Source(Strict):
    media_type: Literal["image/jpeg", "image/png", "image/gif", "image/webp"]
    path: str


class Part(Strict):
    type: Literal["text", "image"]
    text: str | None = None
    source: Source | None = None

    @model_validator(mode="after")
    def fits(self) -> Part:
        assert (self.type == "text") == (self.text is not None) == (self.source is None)
        return self


class Observed(Strict):
    source_call_id: str | None = None
    content: str | list[Part] | None = None
    extra: dict[str, Any] | None = None


class Observation(Strict):
    results: list[Observed]


class ToolCall(Strict):
    tool_call_id: str
    function_name: str
    arguments: dict[str, Any]
    extra: dict[str, Any] | None = None


class Metrics(Strict):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    extra: dict[str, Any] | None = None


class Step(Strict):
    step_id: int = Field(ge=1)
    timestamp: datetime | None = None
    source: Literal["system", "user", "agent"]
    message: str | list[Part]
    model_name: str | None = None
    reasoning_content: str | None = None
    tool_calls: list[ToolCall] | None = None
    observation: Observation | None = None
    metrics: Metrics | None = None
    llm_call_count: int | None = Field(default=None, ge=0)
    extra: dict[str, Any] | None = None

    @model_validator(mode="after")
    def fits(self) -> Step:
        if self.source != "agent":
            of_agents = (self.model_name, self.reasoning_content, self.tool_calls, self.metrics)
            assert all(value is None for value in of_agents)
        calls = {call.tool_call_id for call in self.tool_calls or []}
        for result in self.observation.results if self.observation else []:
            assert result.source_call_id is None or result.source_call_id in calls
        return self


class Agent(Strict):
    name: str
    version: str
    model_name: str | None = None
    extra: dict[str, Any] | None = None


class Totals(Strict):
    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cached_tokens: int | None = None
    total_cost_usd: float | None = None
    total_steps: int | None = Field(default=None, ge=0)
    extra: dict[str, Any] | None = None


class Trajectory(Strict):
    schema_version: Literal["ATIF-v1.7"]
    session_id: str
    trajectory_id: str
    agent: Agent
    steps: list[Step] = Field(min_length=1)
    final_metrics: Totals | None = None
    extra: dict[str, Any] | None = None

    @model_validator(mode="after")
    def fits(self) -> Trajectory:
        assert [step.step_id for step in self.steps] == list(range(1, len(self.steps) + 1))
        return self


def export_atif(run: str, home: Path, pictures: Path | None = None) -> Trajectory:
    file = io.BytesIO()
    write_atif(run, file, home=home, pictures=pictures)
    return Trajectory.model_validate_json(file.getvalue())


def test_a_trajectory_follows_the_format(tmp_path: Path) -> None:
    run = make_run(tmp_path, 8)
    found = export_atif(run, tmp_path)
    assert found.session_id == run
    assert (found.agent.name, found.agent.version) == ("carrel", "0.1.0")
    assert found.agent.model_name == "openai:gpt-5.4"
    assert found.steps[0].source == "user"
    assert found.steps[0].message == "Fill in the form"
    agent = [step for step in found.steps if step.source == "agent"]
    assert len(agent) == 9
    first = agent[0]
    assert first.reasoning_content == "The form is still empty; step 1 fills a part of it."
    assert first.tool_calls is not None
    assert first.tool_calls[0].arguments["actions"] == [{"type": "click", "x": 40, "y": 50}]
    assert first.metrics is not None
    assert (first.metrics.prompt_tokens, first.metrics.completion_tokens) == (1200, 50)
    assert first.metrics.cost_usd == pytest.approx(0.0123)
    assert first.observation is not None
    assert first.observation.results[0].content == "delivered"
    assert first.observation.results[0].source_call_id == "call_1"
    assert "the window is gone" in json.dumps(agent[6].observation.model_dump())  # type: ignore[union-attr]
    assert found.final_metrics is not None
    assert found.final_metrics.total_prompt_tokens == 9 * 1200
    assert found.final_metrics.total_cost_usd == pytest.approx(0.1107)
    assert found.extra is not None
    assert (found.extra["status"], found.extra["reason"]) == ("succeeded", "done")


def test_pictures_lie_beside_the_trajectory(tmp_path: Path) -> None:
    run = make_run(tmp_path, 3)
    found = export_atif(run, tmp_path, tmp_path / "t.images")
    parts = [
        part
        for step in found.steps
        for result in (step.observation.results if step.observation else [])
        if isinstance(result.content, list)
        for part in result.content
    ]
    assert len(parts) == 4
    for part in parts:
        assert part.source is not None
        data = (tmp_path / part.source.path).read_bytes()
        assert hashlib.sha256(data).hexdigest() == Path(part.source.path).stem
        assert part.source.media_type == "image/png"


def test_an_unknown_cost_is_left_out_of_a_trajectory(tmp_path: Path) -> None:
    found = export_atif(make_run(tmp_path, 2, cost=None), tmp_path)
    assert found.final_metrics is not None
    assert found.final_metrics.total_cost_usd is None
    assert all(step.metrics.cost_usd is None for step in found.steps if step.metrics)


def test_every_beginning_of_a_run_is_a_trajectory(tmp_path: Path) -> None:
    whole = len(list(read_events(make_run(tmp_path, 3), tmp_path)))
    for length in range(1, whole):
        export_atif(make_run(tmp_path, 3, stop_after=length), tmp_path)
    Journal.create("run_none", home=tmp_path).close()
    with pytest.raises(NotFound, match="nothing has happened"):
        export_atif("run_none", tmp_path)


def test_json_lines_are_the_events(tmp_path: Path) -> None:
    run = make_run(tmp_path, 3, text="</b> \u2028 \ud83d half")
    file = io.BytesIO()
    write_jsonl(run, file, home=tmp_path)
    wires = [json.loads(line) for line in file.getvalue().splitlines()]
    events = list(read_events(run, tmp_path))
    assert [(w["seq"], w["kind"], w["data"], w["previous"]) for w in wires] == [
        (event.seq, event.kind, event.data, event.previous) for event in events
    ]
    assert all("blob_data" not in wire for wire in wires)


def test_json_lines_hold_each_picture_once_on_request(tmp_path: Path) -> None:
    run = make_run(tmp_path, 3)
    file = io.BytesIO()
    write_jsonl(run, file, home=tmp_path, blobs=True)
    found: dict[str, str] = {}
    for line in file.getvalue().splitlines():
        for sha, data in json.loads(line)["blob_data"].items():
            assert sha not in found
            found[sha] = data
    assert len(found) == 4
    for sha, data in found.items():
        assert hashlib.sha256(base64.b64decode(data)).hexdigest() == sha


def test_moments_keep_the_screen_while_a_part_is_looked_at(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        whole, part = journal.put_blob(b"whole"), journal.put_blob(b"part")
        journal.append("frame", {"blob": whole, "width": 10, "height": 20}, (whole,))
        region = {"x": 1, "y": 1, "width": 2, "height": 2}
        journal.append(
            "frame", {"blob": part, "width": 10, "height": 20, "region": region}, (part,)
        )
        journal.append("act", {"action": {"type": "type", "text": "x"}})
    moments = list(tell(read_events("run_1", tmp_path)))
    assert [(moment.frame, moment.screen) for moment in moments] == [
        (whole, (10, 20)),
        (part, None),
        (whole, (10, 20)),
    ]
    assert moments[2].marks[0].points == ((5, 10),)
    assert moments[2].title == 'type "x"'
