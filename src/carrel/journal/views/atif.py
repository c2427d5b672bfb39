"""A run as an ATIF trajectory (Agent Trajectory Interchange Format, version 1.7).

Version 1.8 added audio only, which a run has none of, so the older label says all and more
readers know it. A decision is an `agent` step with its calls and what came of them; what a person
said is a `user` step; what the runtime noted is a `system` step. Pictures are files of their own
next to the document, as the format wants it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import BinaryIO, ClassVar

from carrel.codec import Json
from carrel.decisions import Usage
from carrel.errors import NotFound
from carrel.events import Event
from carrel.journal.blobs import read_blob
from carrel.journal.reader import read_events
from carrel.journal.run import Run, fold
from carrel.journal.views.phrases import Outcome, outcome_of, result_text, standing

__all__ = ["SCHEMA", "trajectory", "write_atif"]

SCHEMA = "ATIF-v1.7"

Data = Mapping[str, Json]
Step = dict[str, Json]

_LONG = 20_000
_FORMATS = ("png", "jpeg", "webp", "gif")


def write_atif(
    run: str, file: BinaryIO, *, home: Path | None = None, pictures: Path | None = None
) -> int:
    """Write the trajectory; with `pictures`, also its pictures into that directory.

    The document names them relative to the directory that `pictures` is in.

    Returns:
        How many pictures were written; for none, no directory is made.

    Raises:
        NotFound: There is no such run, it has no event, or a picture is missing.
        RunError: The journal or a picture is damaged.
    """
    events = list(read_events(run, home))
    if not events:
        raise NotFound(f"nothing has happened in {run} yet")
    document = trajectory(events, pictures=pictures.name if pictures is not None else None)
    extra = document["extra"]
    assert isinstance(extra, dict)
    extra["status"], extra["reason"] = standing(
        run, str(extra["status"]), str(extra["reason"]), home
    )
    written = 0 if pictures is None else _write_pictures(run, events, home, pictures)
    file.write(json.dumps(document, indent=2).encode() + b"\n")
    return written


def _write_pictures(run: str, events: list[Event], home: Path | None, directory: Path) -> int:
    blobs = {
        _picture_name(event.data): event.blobs[0]
        for event in events
        if event.kind == "frame" and event.blobs
    }
    if blobs:
        directory.mkdir(mode=0o700, exist_ok=True)
    for name, sha in blobs.items():
        (directory / name).write_bytes(read_blob(run, sha, home))
    return len(blobs)


def trajectory(events: Iterable[Event], *, pictures: str | None = None) -> dict[str, Json]:
    """The document. `pictures` is the directory that pictures are said to be in; None for none."""
    events = list(events)
    run = fold(events)
    builder = _Builder(pictures)
    for event in events:
        builder.add(event)
    return {
        "schema_version": SCHEMA,
        "session_id": run.id,
        "trajectory_id": run.id,
        "agent": _agent(run, events),
        "steps": builder.numbered(),
        "final_metrics": _totals(run, len(builder.steps)),
        "extra": {
            "status": str(run.status),
            "reason": run.reason,
            "message": run.message,
            "seconds": run.seconds,
            "machine": dict(run.machine),
            "screen": {"width": run.screen.width, "height": run.screen.height}
            if run.screen
            else None,
        },
    }


def _agent(run: Run, events: list[Event]) -> dict[str, Json]:
    first = events[0].data if events else {}
    agent: dict[str, Json] = {"name": "carrel", "version": _text(first, "carrel") or "unknown"}
    if run.model:
        agent["model_name"] = run.model
    extra = {key: first[key] for key in ("dialect", "tools", "limits", "options") if key in first}
    return {**agent, "extra": extra} if extra else agent


def _totals(run: Run, steps: int) -> dict[str, Json]:
    usage = run.usage
    totals: dict[str, Json] = {
        "total_prompt_tokens": usage.input + usage.cached + usage.cache_writes,
        "total_completion_tokens": usage.output,
        "total_cached_tokens": usage.cached,
        "total_steps": steps,
    }
    # An unknown cost is left out, never a zero.
    return totals if run.cost is None else {**totals, "total_cost_usd": float(run.cost)}


class _Builder:
    def __init__(self, pictures: str | None) -> None:
        self.steps: list[Step] = []
        self._pictures = pictures
        self._agent: Step | None = None
        self._calls: set[str] = set()
        self._last_call: str | None = None

    def add(self, event: Event) -> None:
        handler = self._HANDLERS.get(event.kind)
        if handler is not None:
            handler(self, event)

    def numbered(self) -> list[Json]:
        return [{"step_id": number, **step} for number, step in enumerate(self.steps, 1)]

    def _begin(self, event: Event, source: str, message: str, **more: Json) -> Step:
        stamp = datetime.fromtimestamp(event.at, UTC).isoformat()
        step: Step = {"timestamp": stamp, "source": source, "message": message, **more}
        self.steps.append(step)
        if source != "agent":
            self._agent = None
        return step

    def _started(self, event: Event) -> None:
        instructions = _text(event.data, "instructions")
        if instructions:
            self._begin(event, "system", instructions)
        self._begin(event, "user", _text(event.data, "task"))

    def _said(self, event: Event) -> None:
        role = _text(event.data, "role")
        if role != "model":
            self._begin(event, "user" if role == "person" else "system", _text(event.data, "text"))

    def _decided(self, event: Event) -> None:
        decision = _mapping(event.data, "decision")
        calls = [call for call in _list(decision.get("calls")) if isinstance(call, dict)]
        step = self._begin(event, "agent", _text(decision, "text"), llm_call_count=1)
        if _text(decision, "model"):
            step["model_name"] = _text(decision, "model")
        if _text(decision, "thought"):
            step["reasoning_content"] = _text(decision, "thought")
        if calls:
            step["tool_calls"] = [_call(call, index) for index, call in enumerate(calls)]
        step["metrics"] = _metrics(event.data, _mapping(decision, "usage"))
        kept = {key: decision[key] for key in ("goal", "evaluation", "refusal") if key in decision}
        step["extra"] = {"step": event.data.get("step"), **kept}
        self._agent = step
        self._calls = {_text(call, "id") or f"call_{index}" for index, call in enumerate(calls)}
        self._last_call = None

    def _acted(self, event: Event) -> None:
        verdict = _mapping(event.data, "verdict")
        if verdict.get("verdict") == "deny":
            self._observe(event, f"denied: {_text(verdict, 'reason')}")

    def _resulted(self, event: Event) -> None:
        result = _mapping(event.data, "result")
        outcome, data = outcome_of(result), _mapping(result, "data")
        ended = {key: data[key] for key in ("exit", "signal") if key in data}
        self._observe(event, _observed(result, outcome), effect=_text(result, "effect"), **ended)

    def _looked(self, event: Event) -> None:
        size = f"{event.data.get('width')}x{event.data.get('height')}"
        if self._pictures is None:
            self._observe(event, f"screenshot {size}")
            return
        source: dict[str, Json] = {
            "media_type": f"image/{_format(event.data)}",
            "path": f"{self._pictures}/{_picture_name(event.data)}",
        }
        self._observe(event, [{"type": "image", "source": source}])

    def _observe(self, event: Event, content: Json, **extra: Json) -> None:
        """Add what was seen to the decision it belongs to, or to a step of its own."""
        call = _text(event.data, "call")
        if call in self._calls:
            self._last_call = call
        # What no call is named for belongs to the last one that was answered.
        source = call if call in self._calls else self._last_call
        result: dict[str, Json] = {"source_call_id": source, "content": content}
        if extra:
            result["extra"] = extra
        step = self._agent
        if step is None:
            result["source_call_id"] = None
            words = "The screen" if event.kind == "frame" else "What came of the call"
            step = self._begin(event, "system", words)
        observation = step.setdefault("observation", {"results": []})
        assert isinstance(observation, dict)
        results = observation["results"]
        assert isinstance(results, list)
        results.append(result)

    def _asked(self, event: Event) -> None:
        extra: dict[str, Json] = {"ask": dict(event.data)}
        agent = self._agent
        self._begin(event, "system", f"Asked: {_text(event.data, 'question')}", extra=extra)
        self._agent = agent

    def _answered(self, event: Event) -> None:
        words = _text(event.data, "text") or _text(event.data, "choice")
        agent = self._agent
        self._begin(event, "user", words, extra={"answer": dict(event.data)})
        self._agent = agent

    def _noted(self, event: Event) -> None:
        words = {"error": _text(event.data, "message"), "note": _text(event.data, "text")}
        agent = self._agent
        extra: dict[str, Json] = {event.kind: dict(event.data)}
        self._begin(event, "system", words.get(event.kind) or event.kind, extra=extra)
        self._agent = agent

    def _finished(self, event: Event) -> None:
        words = _text(event.data, "message") or _text(event.data, "reason") or "ended"
        self._begin(event, "system", words, extra={"run.finished": dict(event.data)})

    _HANDLERS: ClassVar[dict[str, Callable[[_Builder, Event], None]]] = {
        "run.started": _started,
        "text": _said,
        "decision": _decided,
        "act": _acted,
        "result": _resulted,
        "frame": _looked,
        "ask": _asked,
        "answer": _answered,
        "error": _noted,
        "note": _noted,
        "stuck": _noted,
        "plan": _noted,
        "memory": _noted,
        "run.finished": _finished,
    }


def _observed(result: Data, outcome: Outcome) -> str:
    """What there is to read in a result, and how it ended unless that goes without saying."""
    if outcome.why:
        return _bounded(f"{outcome.words}: {outcome.why}")
    text = result_text(result)
    plain = outcome.words in ("done", "delivered")
    if text and plain:
        return _bounded(text)
    return f"{_bounded(text.rstrip())}\n[{outcome.words}]" if text else outcome.words


def _bounded(text: str) -> str:
    if len(text) <= _LONG:
        return text
    return f"{text[:_LONG]}\n[{len(text) - _LONG} more characters left out]"


def _call(call: Data, index: int) -> Json:
    arguments = _mapping(call, "arguments") or {"actions": call.get("actions", [])}
    return {
        "tool_call_id": _text(call, "id") or f"call_{index}",
        "function_name": _text(call, "name") or "computer",
        "arguments": dict(arguments),
        "extra": {"actions": call.get("actions", [])},
    }


def _metrics(data: Data, usage: Data) -> Json:
    spent = Usage(*(_number(usage, name) for name in ("input", "cached", "cache_writes", "output")))
    metrics: dict[str, Json] = {
        "prompt_tokens": spent.input + spent.cached + spent.cache_writes,
        "completion_tokens": spent.output,
        "cached_tokens": spent.cached,
        "extra": {"usage": dict(usage), "seconds": data.get("seconds")},
    }
    cost = data.get("cost")
    if isinstance(cost, str) and cost.replace(".", "", 1).isdigit():
        metrics["cost_usd"] = float(Decimal(cost))
    return metrics


def _format(data: Data) -> str:
    named = _text(data, "format")
    return named if named in _FORMATS else "png"


def _picture_name(data: Data) -> str:
    name = _text(data, "blob") or _text(data, "frame")
    safe = "".join(letter for letter in name if letter.isalnum())[:64]
    return f"{safe or 'frame'}.{_format(data)}"


def _text(data: Data, name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


def _number(data: Data, name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) else 0


def _mapping(data: Data, name: str) -> Data:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
