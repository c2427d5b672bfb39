"""A run as a sequence of moments: what happened, in words, and what the screen showed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal, cast

from carrel.codec import Json
from carrel.events import Event
from carrel.journal.run import Folding
from carrel.journal.words import wire_in_words

__all__ = ["Line", "Mark", "Moment", "money", "tell"]

Data = Mapping[str, Json]
Line = tuple[str, str]
"""What a text is, and the text."""

_LONG = 20_000


@dataclass(frozen=True, slots=True)
class Mark:
    """Something drawn on the picture, in screen pixels."""

    kind: Literal["click", "drag", "scroll", "move", "text"]
    points: tuple[tuple[int, int], ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """One event as a person sees it.

    Attributes:
        title: What happened, in one line.
        lines: What there is to read about it.
        tone: `good`, `bad`, `person`, or nothing.
        frame: Blob of the picture that the screen showed.
        screen: Width and height of the screen in that picture; None when it shows only a part.
        marks: Where the action took place.
        cost: Spent by then, in US dollars; None when not known.
    """

    seq: int
    at: float
    step: int
    kind: str
    title: str
    lines: tuple[Line, ...] = ()
    tone: str = ""
    frame: str | None = None
    screen: tuple[int, int] | None = None
    marks: tuple[Mark, ...] = ()
    cost: Decimal | None = Decimal(0)


def tell(events: Iterable[Event]) -> Iterator[Moment]:
    """The moments of a run, one for each event. Never raises, whatever the events hold."""
    teller = _Teller()
    for event in events:
        yield teller.tell(event)


def money(amount: Decimal | None) -> str:
    """An amount in words: `$0.0123`, or `unknown`."""
    if amount is None:
        return "unknown"
    places = Decimal("0.0001") if 0 < amount < 1 else Decimal("0.01")
    return f"${amount.quantize(places):f}"


@dataclass(slots=True)
class _Said:
    title: str
    lines: list[Line]
    tone: str = ""
    marks: tuple[Mark, ...] = ()


class _Teller:
    def __init__(self) -> None:
        self._folding = Folding()
        self._frame: str | None = None
        self._screen: tuple[int, int] | None = None
        self._pointer: tuple[int, int] | None = None
        self._step = 0

    def tell(self, event: Event) -> Moment:
        self._folding.add(event)
        data = event.data
        step = data.get("step")
        self._step = step if isinstance(step, int) else self._step
        shown = (self._frame, self._screen)
        if event.kind == "frame":
            shown = self._look(data)
        said = self._TELLERS[event.kind](self, data)
        lines = tuple((label, text[:_LONG]) for label, text in said.lines if text.strip())
        return Moment(
            event.seq,
            event.at,
            self._step,
            event.kind,
            said.title,
            lines,
            said.tone,
            shown[0],
            shown[1],
            said.marks,
            self._folding.cost,
        )

    def _look(self, data: Data) -> tuple[str | None, tuple[int, int] | None]:
        blob = _text(data, "blob") or _text(data, "frame") or None
        if data.get("region"):
            # A closer look at a part; the screen itself is what it was.
            return blob, None
        width, height = data.get("width"), data.get("height")
        known = isinstance(width, int) and isinstance(height, int) and width > 0 and height > 0
        self._frame = blob
        self._screen = (cast("int", width), cast("int", height)) if known else None
        self._pointer = _point(data.get("cursor")) or self._pointer
        return self._frame, self._screen

    def _started(self, data: Data) -> _Said:
        machine = _mapping(data, "machine")
        place = " ".join(
            str(machine[key]) for key in ("name", "provider", "kind") if key in machine
        )
        return _Said(
            "Task",
            [
                ("task", _text(data, "task")),
                ("model", _text(data, "model")),
                ("machine", place),
                ("instructions", _text(data, "instructions")),
            ],
        )

    def _status(self, data: Data) -> _Said:
        by = _text(data, "by")
        return _Said(
            f"The run is {_text(data, 'status')}",
            [("why", _text(data, "reason")), ("by", by)],
            "person" if by else "",
        )

    def _plan(self, data: Data) -> _Said:
        return _Said("Plan", [("plan", _any(data))])

    def _seen(self, data: Data) -> _Said:
        change = _mapping(data, "change")
        share = change.get("share")
        if data.get("region"):
            title = "A closer look"
        elif isinstance(share, int | float) and not isinstance(share, bool):
            title = "The screen changed" if share else "The screen did not change"
        else:
            title = "The screen"
        lines = [("changed", f"{share:.2%}")] if isinstance(share, float) and share else []
        return _Said(title, lines)

    def _words(self, data: Data) -> _Said:
        who = {"person": "You said", "model": "The model says"}.get(_text(data, "role"), "Carrel")
        return _Said(who, [("", _text(data, "text"))], "person" if who == "You said" else "")

    def _decision(self, data: Data) -> _Said:
        decision = _mapping(data, "decision")
        usage = _mapping(decision, "usage")
        tokens = ", ".join(f"{value} {key}" for key, value in usage.items())
        cost = data.get("cost")
        seconds = data.get("seconds")
        lines = [
            ("thought", _text(decision, "thought")),
            ("goal", _text(decision, "goal")),
            ("step before", _text(decision, "evaluation")),
            ("says", _text(decision, "text")),
            ("refuses", _text(decision, "refusal")),
            ("cut off", "at the output limit" if decision.get("truncated") else ""),
            *(("calls", words) for words in _calls(decision)),
            ("cost", f"${cost}" if isinstance(cost, str) else "unknown"),
            ("time", f"{seconds:.1f} s" if isinstance(seconds, int | float) else ""),
            ("tokens", tokens),
        ]
        return _Said("The model decides", lines, "bad" if _text(decision, "refusal") else "")

    def _act(self, data: Data) -> _Said:
        action = _mapping(data, "action")
        words = _text(data, "words") or wire_in_words(action)
        verdict = _mapping(data, "verdict")
        said = " ".join(_text(verdict, key) for key in ("verdict", "stage"))
        lines = [("verdict", said), ("because", _text(verdict, "reason"))]
        marks = self._marks(action, words)
        return _Said(words, lines, "bad" if verdict.get("verdict") == "deny" else "", marks)

    def _marks(self, action: Data, words: str) -> tuple[Mark, ...]:
        kind = action.get("type")
        place = _point(action)
        if kind == "drag":
            path = action.get("path")
            points = [_point(item) for item in path] if isinstance(path, list) else []
            known = tuple(point for point in points if point is not None)
            if known:
                self._pointer = known[-1]
                return (Mark("drag", known, words),)
        if kind in ("click", "scroll", "move") and place is not None:
            self._pointer = place
            return (Mark(cast("Literal['click', 'scroll', 'move']", kind), (place,), words),)
        if kind in ("type", "key", "key_down", "key_up") and self._screen is not None:
            width, height = self._screen
            return (Mark("text", (self._pointer or (width // 2, height // 2),), words),)
        return ()

    def _result(self, data: Data) -> _Said:
        result = _mapping(data, "result")
        error = _mapping(result, "error")
        lines = [
            ("effect", _text(result, "effect")),
            ("text", _text(result, "text")),
            ("error", _text(error, "message")),
            ("hint", _text(error, "hint")),
            ("data", _any(_mapping(result, "data"))),
        ]
        ok = result.get("ok") is True
        return _Said("It was done" if ok else "It failed", lines, "good" if ok else "bad")

    def _ask(self, data: Data) -> _Said:
        choices = data.get("choices")
        offered = ", ".join(map(str, choices)) if isinstance(choices, list) else ""
        action = _mapping(data, "action")
        lines = [
            ("question", _text(data, "question")),
            ("choices", offered),
            ("action", wire_in_words(action) if action else ""),
            ("checks", _any(data.get("checks"))),
        ]
        return _Said("A person is asked", lines, "person")

    def _answer(self, data: Data) -> _Said:
        keys = ("choice", "text", "grant", "by")
        return _Said("The answer", [(key, _text(data, key)) for key in keys], "person")

    def _note(self, data: Data) -> _Said:
        return _Said("Note", [("", _text(data, "text"))])

    def _memory(self, data: Data) -> _Said:
        return _Said("Memory", [("", _any(data))])

    def _stuck(self, data: Data) -> _Said:
        lines = [("rung", _text(data, "rung")), ("repeats", str(data.get("repeats", "")))]
        return _Said("It is going in circles", lines, "bad")

    def _error(self, data: Data) -> _Said:
        lines = [("message", _text(data, "message")), ("code", _text(data, "code"))]
        if isinstance(data.get("wait"), int | float):
            lines.append(("tried again after", f"{data['wait']} s"))
        return _Said("Something went wrong", lines, "bad")

    def _machine(self, data: Data) -> _Said:
        return _Said("The machine", [("", _any(data))])

    def _finished(self, data: Data) -> _Said:
        status = _text(data, "status")
        lines = [
            ("answer", _text(data, "text")),
            ("reason", _text(data, "reason")),
            ("message", _text(data, "message")),
        ]
        was = "was " if status in ("refused", "cancelled") else ""
        return _Said(f"The run {was}{status}", lines, "good" if status == "succeeded" else "bad")

    _TELLERS: ClassVar[dict[str, Callable[[_Teller, Data], _Said]]] = {
        "run.started": _started,
        "run.status": _status,
        "plan": _plan,
        "frame": _seen,
        "text": _words,
        "decision": _decision,
        "act": _act,
        "result": _result,
        "ask": _ask,
        "answer": _answer,
        "note": _note,
        "memory": _memory,
        "stuck": _stuck,
        "error": _error,
        "machine": _machine,
        "run.finished": _finished,
    }


def _calls(decision: Data) -> Iterator[str]:
    calls = decision.get("calls")
    for call in calls if isinstance(calls, list) else []:
        if not isinstance(call, dict):
            continue
        problem = _mapping(call, "problem")
        if problem:
            yield f"{_text(call, 'name')}: not understood: {_text(problem, 'message')}"
        actions = call.get("actions")
        for action in actions if isinstance(actions, list) else []:
            if isinstance(action, dict):
                yield wire_in_words(action)


def _text(data: Data, name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


def _mapping(data: Data, name: str) -> Data:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _any(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str) if value else ""


def _point(value: object) -> tuple[int, int] | None:
    if not isinstance(value, Mapping):
        return None
    x, y = value.get("x"), value.get("y")
    return (x, y) if isinstance(x, int) and isinstance(y, int) else None
