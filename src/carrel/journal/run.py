"""A run: what its events amount to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import ClassVar, cast

from carrel.codec import Json
from carrel.decisions import Usage
from carrel.errors import InvalidInput
from carrel.events import Event
from carrel.geometry import Size
from carrel.journal.ends import FINAL, EndReason, Status
from carrel.journal.reader import read_events

__all__ = ["Folding", "OpenAsk", "Run", "UnfinishedAct", "fold", "load_run"]

Data = Mapping[str, Json]

_REASONS = {str(reason): reason for reason in EndReason}
_STATUSES = {str(status): status for status in Status}


@dataclass(frozen=True, slots=True)
class OpenAsk:
    """A question that was asked and not answered yet."""

    ask: str
    kind: str
    question: str
    choices: tuple[str, ...] = ()
    data: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnfinishedAct:
    """An action that was begun and whose result is not known: it must never be repeated blindly."""

    step: int
    call: str
    index: int
    request: str
    words: str
    action: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """One task, as far as it has come.

    Attributes:
        machine: What it runs on, as the first event says.
        reason: Why it ended, or why it is as it is; empty when there is no reason.
        message: The end in words.
        text: The model's answer to the person.
        cost: In US dollars; None when what a decision cost is not known.
        known_cost: What the decisions with a known cost come to.
        seconds: How long it took, or has taken by its last event.
        asks: Questions without an answer.
        unfinished: Actions without a result.
        frame: Id of the last picture.
        events: How many events there are.
        attempts: How often it was started: 1, and one more for each time it was resumed.
    """

    id: str = ""
    task: str = ""
    model: str = ""
    dialect: str = ""
    machine: Data = field(default_factory=dict)
    screen: Size | None = None
    status: Status = Status.QUEUED
    reason: str = ""
    message: str = ""
    text: str = ""
    steps: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: Decimal | None = Decimal(0)
    known_cost: Decimal = Decimal(0)
    seconds: float = 0.0
    started: float | None = None
    ended: float | None = None
    updated: float | None = None
    asks: tuple[OpenAsk, ...] = ()
    unfinished: tuple[UnfinishedAct, ...] = ()
    frame: str | None = None
    notes: tuple[str, ...] = ()
    errors: int = 0
    events: int = 0
    attempts: int = 0

    @property
    def is_final(self) -> bool:
        """Whether it has ended."""
        return self.status in FINAL

    @property
    def end(self) -> EndReason | None:
        """Why it ended; None when it has not."""
        return _REASONS.get(self.reason) if self.is_final else None


def fold(events: Iterable[Event]) -> Run:
    """What the events amount to. Never raises, whatever the events hold."""
    folding = Folding()
    for event in events:
        folding.add(event)
    return folding.run()


def load_run(run: str, home: Path | None = None) -> Run:
    """A run as it is on disk.

    Raises:
        NotFound: There is no such run.
        RunError: Its journal is damaged.
    """
    return fold(read_events(run, home))


class Folding:
    """A fold that goes on: add events as they come, take the run at any time."""

    def __init__(self) -> None:
        self._facts: dict[str, object] = {}
        self._usage = Usage()
        self._cost = Decimal(0)
        self._unknown = False
        self._steps = 0
        self._asks: dict[str, OpenAsk] = {}
        self._acts: dict[str, UnfinishedAct] = {}
        self._notes: list[str] = []
        self._errors = 0
        self._events = 0
        self._attempts = 0
        self._worked = 0.0
        self._began: float | None = None
        self._last: float | None = None

    def add(self, event: Event) -> None:
        """Take one more event into account."""
        if not self._events:
            self._facts.update(id=event.run, started=event.at)
        self._events += 1
        self._clock(event)
        self._facts["updated"] = event.at
        handler = self._HANDLERS.get(event.kind)
        if handler is not None:
            handler(self, event.data, event.at)

    @property
    def cost(self) -> Decimal | None:
        """What the decisions so far have cost; None when not known."""
        return None if self._unknown else self._cost

    def run(self) -> Run:
        """The run so far."""
        values: dict[str, object] = {
            "usage": self._usage,
            "known_cost": self._cost,
            "cost": self.cost,
            "steps": self._steps,
            "seconds": round(self._worked, 3),
            **self._facts,
            "asks": tuple(self._asks.values()),
            "unfinished": tuple(self._acts.values()),
            "notes": tuple(self._notes),
            "errors": self._errors,
            "events": self._events,
            "attempts": self._attempts,
        }
        return Run(**values)  # type: ignore[arg-type]

    def _clock(self, event: Event) -> None:
        """Add up the time between events, without that during which nothing ran or a person took.

        That is the run's time as its limit reckons with it.
        """
        resumed = event.kind == "run.status" and event.data.get("reason") == "resumed"
        idle = self._facts.get("status") in (Status.WAITING, Status.PAUSED)
        if self._last is not None and not resumed and not idle:
            self._worked += max(0.0, event.at - self._last)
        self._last = event.at

    def _started(self, data: Data, at: float) -> None:
        self._attempts += 1
        screen = _mapping(data, "screen")
        self._facts.update(
            task=_text(data, "task"),
            model=_text(data, "model"),
            dialect=_text(data, "dialect"),
            machine=_mapping(data, "machine"),
            screen=_size(screen.get("width"), screen.get("height")),
            status=Status.RUNNING,
        )

    def _status(self, data: Data, at: float) -> None:
        status, reason = _STATUSES.get(_text(data, "status")), _text(data, "reason")
        if status is None:
            return
        self._facts.update(status=status, reason=reason)
        if status in FINAL:
            self._facts["ended"] = at
            return
        if reason == "resumed":
            self._attempts += 1
        # A run that goes on has not ended, whatever it said before.
        for name in ("ended", "message", "seconds", "steps", "cost"):
            self._facts.pop(name, None)

    def _frame(self, data: Data, at: float) -> None:
        frame = _text(data, "frame")
        if frame:
            self._facts["frame"] = frame

    def _decision(self, data: Data, at: float) -> None:
        self._steps += 1
        usage = _mapping(_mapping(data, "decision"), "usage")
        self._usage += _usage(usage)
        cost = _money(data.get("cost"))
        if cost is None:
            self._unknown = True
        else:
            self._cost += cost

    def _act(self, data: Data, at: float) -> None:
        verdict = _mapping(data, "verdict").get("verdict")
        request = _text(data, "request") or f"{data.get('call')}/{data.get('index')}"
        if verdict == "deny":
            return
        self._acts[request] = UnfinishedAct(
            _number(data, "step"),
            _text(data, "call"),
            _number(data, "index"),
            request,
            _text(data, "words"),
            _mapping(data, "action"),
        )

    def _result(self, data: Data, at: float) -> None:
        request = _text(data, "request") or f"{data.get('call')}/{data.get('index')}"
        self._acts.pop(request, None)

    def _ask(self, data: Data, at: float) -> None:
        ask = _text(data, "ask")
        choices = data.get("choices")
        self._asks[ask] = OpenAsk(
            ask,
            _text(data, "kind"),
            _text(data, "question"),
            tuple(map(str, choices)) if isinstance(choices, list) else (),
            data,
        )

    def _answer(self, data: Data, at: float) -> None:
        self._asks.pop(_text(data, "ask"), None)

    def _note(self, data: Data, at: float) -> None:
        self._notes.append(_text(data, "text"))

    def _error(self, data: Data, at: float) -> None:
        self._errors += 1

    def _finished(self, data: Data, at: float) -> None:
        self._facts.update(
            status=_STATUSES.get(_text(data, "status"), Status.FAILED),
            reason=_text(data, "reason"),
            message=_text(data, "message"),
            text=_text(data, "text"),
            ended=at,
        )
        if isinstance(data.get("steps"), int):
            self._facts["steps"] = data["steps"]
        if "cost" in data:
            self._facts["cost"] = _money(data["cost"])
        if isinstance(data.get("seconds"), int | float):
            self._facts["seconds"] = data["seconds"]
        # Nobody waits for an answer any more.
        self._asks.clear()

    _HANDLERS: ClassVar[dict[str, Callable[[Folding, Data, float], None]]] = {
        "run.started": _started,
        "run.status": _status,
        "frame": _frame,
        "decision": _decision,
        "act": _act,
        "result": _result,
        "ask": _ask,
        "answer": _answer,
        "note": _note,
        "error": _error,
        "run.finished": _finished,
    }


def _text(data: Data, name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


def _number(data: Data, name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) else 0


def _mapping(data: Data, name: str) -> Data:
    value = data.get(name)
    return cast("Data", value) if isinstance(value, dict) else {}


def _size(width: object, height: object) -> Size | None:
    if not isinstance(width, int) or not isinstance(height, int):
        return None
    try:
        return Size(width, height)
    except InvalidInput:
        return None


def _usage(wire: Data) -> Usage:
    names = ("input", "cached", "cache_writes", "output", "reasoning")
    return Usage(*(_number(wire, name) for name in names))


def _money(value: object) -> Decimal | None:
    if not isinstance(value, str | int) or isinstance(value, bool):
        return None
    try:
        amount = Decimal(value)
    except (InvalidOperation, ValueError):
        return None
    return amount if amount.is_finite() else None
