"""A run as a sequence of moments: what happened, in words, and what the screen showed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import ClassVar, Literal, TypeGuard, cast

from carrel.codec import Json
from carrel.events import Event
from carrel.journal.run import Folding
from carrel.journal.views.phrases import (
    box_words,
    change_words,
    counted,
    money,
    outcome_of,
    place_words,
    result_text,
    verdict_words,
)
from carrel.journal.words import wire_in_words

__all__ = ["Line", "Mark", "Moment", "tell"]

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
        tone: `good`, `doubt`, `bad`, `person`, or nothing.
        frame: Blob of the picture that the screen showed.
        screen: Width and height of the screen in that picture; None when it shows only a part.
        marks: Where the action took place.
        cost: Spent by then, in US dollars; None when not known.
        action: The action that an act or a result is about, in words.
        outcome: What came of it, in short; of a result only.
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
    action: str = ""
    outcome: str = ""


def tell(events: Iterable[Event]) -> Iterator[Moment]:
    """The moments of a run, one for each event. Never raises, whatever the events hold."""
    teller = _Teller()
    for event in events:
        yield teller.tell(event)


@dataclass(slots=True)
class _Said:
    title: str
    lines: list[Line]
    tone: str = ""
    marks: tuple[Mark, ...] = ()
    action: str = ""
    outcome: str = ""


class _Teller:
    def __init__(self) -> None:
        self._folding = Folding()
        self._frame: str | None = None
        self._screen: tuple[int, int] | None = None
        self._pointer: tuple[int, int] | None = None
        self._step = 0
        self._deeds: dict[tuple[str, int], str] = {}

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
            said.action,
            said.outcome,
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
        return _Said(
            "Task",
            [
                ("task", _text(data, "task")),
                ("model", _text(data, "model")),
                ("machine", place_words(_mapping(data, "machine"))),
                ("instructions", _text(data, "instructions")),
            ],
        )

    def _status(self, data: Data) -> _Said:
        by, why = _text(data, "by"), _text(data, "reason")
        title = f"The run is {_text(data, 'status')}{': ' + why if why else ''}"
        return _Said(title, [("by", by)], "person" if by else "")

    def _plan(self, data: Data) -> _Said:
        return _Said("Plan", [("plan", _any(data))])

    def _seen(self, data: Data) -> _Said:
        change = _mapping(data, "change")
        region = _mapping(data, "region")
        if region:
            return _Said(" ".join(("A closer look at", box_words(region) or "a part")), [])
        changed = change_words(change)
        if changed:
            return _Said(f"The screen changed {changed}", [])
        if change.get("share") == 0 or change.get("pixels") == 0:
            return _Said("The screen did not change", [])
        if change:
            return _Said("The screen changed", [])
        size = box_words(data)
        return _Said(f"The screen, {size}" if size else "The screen", [])

    def _words(self, data: Data) -> _Said:
        who = {"person": "You said", "model": "The model says"}.get(_text(data, "role"), "Carrel")
        return _Said(who, [("", _text(data, "text"))], "person" if who == "You said" else "")

    def _decision(self, data: Data) -> _Said:
        decision = _mapping(data, "decision")
        usage = _mapping(decision, "usage")
        tokens = ", ".join(f"{value} {key}" for key, value in usage.items())
        seconds = data.get("seconds")
        deeds = list(_calls(decision))
        self._deeds = _numbered(decision)
        lines = [
            ("thought", _text(decision, "thought")),
            ("goal", _text(decision, "goal")),
            ("step before", _text(decision, "evaluation")),
            ("says", _text(decision, "text")),
            ("refuses", _text(decision, "refusal")),
            ("cut off", "at the output limit" if decision.get("truncated") else ""),
            *(("calls", words) for words in deeds),
            ("cost", money(_amount(data.get("cost")))),
            ("time", f"{seconds:.1f} s" if _is_time(seconds) else ""),
            ("tokens", tokens),
        ]
        refuses = bool(_text(decision, "refusal"))
        return _Said(_decided(deeds, refuses), lines, "bad" if refuses else "")

    def _act(self, data: Data) -> _Said:
        action = _mapping(data, "action")
        words = _text(data, "words") or wire_in_words(action)
        self._deeds[_text(data, "call"), _index(data)] = words
        verdict = _mapping(data, "verdict")
        tone = "bad" if verdict.get("verdict") == "deny" else ""
        lines = [("verdict", verdict_words(verdict))]
        return _Said(words, lines, tone, self._marks(action, words), words)

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
        outcome = outcome_of(result)
        words = self._deeds.get((_text(data, "call"), _index(data)), "")
        lines = [
            ("why", outcome.why),
            ("", result_text(result) if not outcome.why else ""),
            ("hint", _text(_mapping(result, "error"), "hint")),
            ("effect", outcome.effect),
        ]
        if words.startswith(("done", "give up")):
            # The model's own word, which nobody can confirm.
            return _Said("It ends there", lines[1:3], "", (), words)
        short = outcome.words[:1].upper() + outcome.words[1:]
        title = f"{short}: {words}" if words else short
        return _Said(title, lines, outcome.tone, (), words, outcome.words)

    def _ask(self, data: Data) -> _Said:
        choices = data.get("choices")
        offered = ", ".join(map(str, choices)) if isinstance(choices, list) else ""
        action = _mapping(data, "action")
        words = _text(data, "words") or (wire_in_words(action) if action else "")
        lines = [
            ("question", _text(data, "question")),
            ("choices", offered),
            ("checks", _any(data.get("checks"))),
        ]
        if _text(data, "kind") == "question":
            return _Said("The model asks a person", lines, "person")
        title = f"A person is asked: {words}" if words else "A person is asked"
        return _Said(title, lines, "person")

    def _answer(self, data: Data) -> _Said:
        choice, by = _text(data, "choice"), _text(data, "by")
        title = f"The answer{' of ' + by if by else ''}{': ' + choice if choice else ''}"
        return _Said(title, [(key, _text(data, key)) for key in ("text", "grant")], "person")

    def _note(self, data: Data) -> _Said:
        return _Said("Note", [("", _text(data, "text"))])

    def _memory(self, data: Data) -> _Said:
        return _Said("Memory", [("", _any(data))])

    def _stuck(self, data: Data) -> _Said:
        times = f"{counted(data.get('repeats', 'some'), 'time')} the same, and nothing changes"
        return _Said("It is going in circles", [("", times), ("rung", _text(data, "rung"))], "bad")

    def _error(self, data: Data) -> _Said:
        lines = [("message", _text(data, "message")), ("code", _text(data, "code"))]
        if isinstance(data.get("wait"), int | float):
            lines.append(("tried again after", f"{data['wait']} s"))
        return _Said("Something went wrong", lines, "bad")

    def _machine(self, data: Data) -> _Said:
        return _Said("The machine", [("", _any(data))])

    def _finished(self, data: Data) -> _Said:
        status, reason = _text(data, "status"), _text(data, "reason")
        answer, message = _text(data, "text"), _text(data, "message")
        was = "was " if status in ("refused", "cancelled") else ""
        tone = "good" if status == "succeeded" else "bad"
        if status and message.startswith(f"{status} "):
            return _Said(f"The run {was}{message}", [("answer", answer)], tone)
        why = f" ({reason})" if reason not in ("", "done", status) else ""
        lines = [("answer", answer), ("message", message if message != answer else "")]
        return _Said(f"The run {was}{status}{why}", lines, tone)

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


def _decided(deeds: list[str], refuses: bool) -> str:
    if refuses:
        return "The model refuses"
    if not deeds:
        return "The model answers without an action"
    more = f", and {len(deeds) - 1} more" if len(deeds) > 1 else ""
    return f"The model decides: {deeds[0]}{more}"


def _numbered(decision: Data) -> dict[tuple[str, int], str]:
    """The actions in words, by call and position, as results refer to them."""
    return {
        (_text(call, "id"), index): wire_in_words(action)
        for call in _dicts(decision.get("calls"))
        for index, action in enumerate(_dicts(call.get("actions")))
    }


def _dicts(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _index(data: Data) -> int:
    index = data.get("index")
    return index if isinstance(index, int) else 0


def _is_time(value: Json) -> TypeGuard[float]:
    return isinstance(value, int | float) and 0 <= value < 1e9


def _amount(value: Json) -> Decimal | None:
    try:
        amount = Decimal(value) if isinstance(value, str) else None
    except InvalidOperation:
        return None
    return amount if amount is not None and amount.is_finite() else None


def _calls(decision: Data) -> Iterator[str]:
    for call in _dicts(decision.get("calls")):
        problem = _mapping(call, "problem")
        if problem:
            yield f"{_text(call, 'name')}: not understood: {_text(problem, 'message')}"
        for action in _dicts(call.get("actions")):
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
