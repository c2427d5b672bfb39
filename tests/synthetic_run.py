"""Makes runs for tests: real journals with everything that can be in one."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw

from carrel import actions, intents
from carrel.actions import Action
from carrel.codec import Json, encode
from carrel.decisions import Call, Decision, Usage, encode_decision
from carrel.errors import ActionFailed
from carrel.events import EventType
from carrel.geometry import Point
from carrel.ids import new_id
from carrel.intents import encode_any
from carrel.journal import Journal, Redactor, in_words
from carrel.results import Effect, Result

SIZE = (320, 200)

DEEDS: tuple[Action, ...] = (
    actions.Click(40, 50),
    actions.Type("hello"),
    actions.Drag((Point(10, 10), Point(60, 80), Point(200, 150))),
    actions.Scroll(100, 100, dy=3),
    actions.Key(("ctrl", "l")),
    actions.Click(300, 190, button="right", count=2),
    actions.Shell("ls -l /tmp"),
    actions.Move(5, 195),
)

Entry = tuple[EventType, dict[str, Json], tuple[str, ...]]


def picture(number: int, size: tuple[int, int] = SIZE) -> bytes:
    """A PNG that differs for each number."""
    image = Image.new("RGB", size, (240, 240, 235))
    draw = ImageDraw.Draw(image)
    draw.rectangle((10 + number % 200, 20, 60 + number % 200, 60), fill=(30, 60, 200))
    draw.text((12, 100), f"frame {number}", fill=(0, 0, 0))
    out = io.BytesIO()
    image.save(out, "png")
    return out.getvalue()


def frame_entry(step: int, data: bytes, size: tuple[int, int] = SIZE) -> Entry:
    sha = hashlib.sha256(data).hexdigest()
    wire: dict[str, Json] = {
        "step": step,
        "frame": sha,
        "width": size[0],
        "height": size[1],
        "format": "png",
        "cursor": {"x": 100, "y": 120},
        "change": {"pixels": 500, "share": 0.01, "box": {"x": 1, "y": 2, "width": 3, "height": 4}},
        "blob": sha,
    }
    return "frame", wire, (sha,)


def started(task: str = "Fill in the form", model: str = "openai:gpt-5.4") -> Entry:
    wire: dict[str, Json] = {
        "task": task,
        "model": model,
        "dialect": "openai-computer",
        "machine": {"name": "desk", "provider": "namespace", "isolation": "process"},
        "screen": {"width": SIZE[0], "height": SIZE[1]},
        "instructions": "",
        "tools": [],
        "policy": {},
        "limits": {"steps": 100},
        "options": {},
        "carrel": "0.1.0",
    }
    return "run.started", wire, ()


def decision_entry(step: int, deeds: tuple[Action, ...], text: str, cost: str | None) -> Entry:
    decision = Decision(
        (Call(f"call_{step}", "computer", deeds),),
        text,
        f"The form is still empty; step {step} fills a part of it.",
        usage=Usage(1000, 200, 0, 50, 10),
        model="gpt-5.4-2026-03-05",
        raw={"dialect": "openai-computer", "items": []},
    )
    wire: dict[str, Json] = {
        "step": step,
        "decision": encode_decision(decision),
        "cost": cost,
        "seconds": 1.5,
    }
    return "decision", wire, ()


def act_entries(step: int, index: int, deed: Action, *, ok: bool = True) -> Iterator[Entry]:
    request = new_id("req")
    base: dict[str, Json] = {"step": step, "call": f"call_{step}", "index": index}
    yield (
        "act",
        {
            **base,
            "request": request,
            "action": encode_any(deed),
            "words": in_words(deed),
            "verdict": {"verdict": "allow", "stage": "rule", "reason": "isolated machine"},
        },
        (),
    )
    if ok:
        result = Result(True, Effect.UNVERIFIABLE, "delivered", duration=0.01)
    else:
        result = Result.failed(ActionFailed("the window is gone"))
    wire: dict[str, Json] = {**base, "request": request, "result": encode(result), "frame": None}
    yield "result", wire, ()


def entries(steps: int, *, text: str = "Clicking.", cost: str | None = "0.0123") -> Iterator[Entry]:
    """A whole run that ends well; the pictures are `picture(0)` to `picture(steps)`."""
    yield started()
    yield frame_entry(0, picture(0))
    for step in range(1, steps + 1):
        deed = DEEDS[(step - 1) % len(DEEDS)]
        yield decision_entry(step, (deed,), text, cost)
        yield from act_entries(step, 0, deed, ok=step % 7 != 0)
        yield frame_entry(step, picture(step))
        if step == 2:
            yield "note", {"step": 2, "text": "the form has two pages"}, ()
            yield ask_entry("ask_1")
            yield answer_entry("ask_1")
        if step == 3:
            yield "error", _error(step), ()
            yield "stuck", {"step": 3, "rung": "hint", "repeats": 3, "signature": "click"}, ()
    yield decision_entry(steps + 1, (intents.Done(True, "All filled in."),), "", cost)
    yield finished(steps + 1, cost)


def ask_entry(ask: str, question: str = "Send the form?") -> Entry:
    wire: dict[str, Json] = {
        "ask": ask,
        "kind": "rule",
        "step": 2,
        "question": question,
        "choices": ["yes", "no"],
    }
    return "ask", wire, ()


def answer_entry(ask: str) -> Entry:
    return "answer", {"ask": ask, "choice": "yes", "grant": "once", "by": "person"}, ()


def _error(step: int) -> dict[str, Json]:
    return {
        "step": step,
        "code": "model",
        "message": "overloaded",
        "kind": "overloaded",
        "attempt": 1,
        "wait": 2.0,
        "retryable": True,
    }


def finished(steps: int, cost: str | None) -> Entry:
    wire: dict[str, Json] = {
        "status": "succeeded",
        "reason": "done",
        "message": "the model said so",
        "text": "All filled in.",
        "steps": steps,
        "usage": {"input": 1000 * steps, "cached": 200 * steps, "output": 50 * steps},
        "cost": None if cost is None else str(float(cost) * steps),
        "seconds": 12.5,
    }
    return "run.finished", wire, ()


def make_run(
    home: Path,
    steps: int = 3,
    *,
    run: str | None = None,
    text: str = "Clicking.",
    cost: str | None = "0.0123",
    redact: Redactor | None = None,
    stop_after: int | None = None,
) -> str:
    """Write a run; `stop_after` leaves it after that many events."""
    run = run or new_id("run")
    with Journal.create(run, home=home, redact=redact) as journal:
        for number in range(steps + 1):
            journal.put_blob(picture(number))
        for count, (kind, data, blobs) in enumerate(entries(steps, text=text, cost=cost)):
            if count == stop_after:
                break
            journal.append(kind, data, blobs)
    return run
