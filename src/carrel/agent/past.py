"""What a run had done before its process ended, read from its journal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple, cast

from carrel import codec
from carrel.actions import Action, KeyDown, KeyUp
from carrel.agent.control import Answer, as_scope
from carrel.agent.history import History
from carrel.agent.telling import tell_failure, tell_results
from carrel.codec import Json
from carrel.decisions import Call, Decision, decode_decision
from carrel.events import Event
from carrel.geometry import Box, Size
from carrel.intents import decode_any, encode_any
from carrel.journal.redact import MARK
from carrel.models.context import Outcome
from carrel.models.picture import Picture
from carrel.policy.limits import Tally
from carrel.results import Result

__all__ = ["Past", "Request", "read_past"]

Place = tuple[str, int]
"""A call's id and the position of an action in it."""


class Request(NamedTuple):
    """A request that may have reached the machine.

    Attributes:
        boot: Which start of the machine it was sent to: another one does not know it.
    """

    id: str
    boot: str


class Asked(NamedTuple):
    """A question that was put to the person."""

    id: str
    text: str


@dataclass(slots=True)
class Past:
    """How far a run had come.

    Attributes:
        pending: The decision that was being carried out; None when it was the model's turn.
        picture: The screen as it was last seen.
    """

    resumed: bool = False
    pending: Decision | None = None
    picture: Picture | None = None
    results: dict[Place, Result] = field(default_factory=dict)
    requests: dict[Place, Request] = field(default_factory=dict)
    pictures: dict[Place, Picture] = field(default_factory=dict)
    asks: dict[tuple[str, str, int], Asked] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    grants: list[Action] = field(default_factory=list)
    """What the person allowed for the whole run."""
    keys: list[Action] = field(default_factory=list)
    """What pressed and released keys, one after the other."""

    def result(self, call: str, index: int) -> Result | None:
        """What came of an action, if it is known."""
        return self.results.get((call, index))

    def request(self, call: str, index: int) -> Request | None:
        """The request under which an action was sent, if it may have been."""
        return self.requests.get((call, index))

    def take_ask(self, kind: str, details: Mapping[str, Json]) -> str | None:
        """The question that was already put to the person about this very thing."""
        asked = self.asks.pop(_about(kind, details), None)
        return None if asked is None else asked.id

    def asked(self, kind: str, details: Mapping[str, Json]) -> str | None:
        """What the person was asked about this very thing."""
        asked = self.asks.get(_about(kind, details))
        return None if asked is None else asked.text

    def knows(self, action: Action) -> bool:
        """Whether an action is as it was decided: a secret in it was never written down."""
        return self.pending is None or MARK not in json.dumps(encode_any(action))

    def forget(self) -> None:
        """The pending decision is dealt with."""
        self.pending = None
        for table in (self.results, self.requests, self.pictures, self.asks):
            table.clear()


def _about(kind: str, details: Mapping[str, Json]) -> tuple[str, str, int]:
    index = details.get("index")
    return (kind, str(details.get("call", "")), index if isinstance(index, int) else -1)


def read_past(
    events: Iterable[Event], load: Callable[[str], bytes], history: History, tally: Tally
) -> Past:
    """Read a journal into the memory of the run that goes on from it."""
    reader = _Reader(load, history, tally)
    for event in events:
        reader.read(event)
    return reader.past


class _Reader:
    def __init__(self, load: Callable[[str], bytes], history: History, tally: Tally) -> None:
        self._load = load
        self._history = history
        self._tally = tally
        self._frames: dict[str, Picture] = {}
        self._keys: dict[Place, Action] = {}
        self._begun = False
        self._asked: dict[str, Mapping[str, Json]] = {}
        self.past = Past(resumed=True)

    def read(self, event: Event) -> None:
        data = event.data
        self._tally.steps = max(self._tally.steps, cast("int", data.get("step", 0)))
        if event.kind == "frame":
            self._frame(data)
        elif event.kind == "decision":
            self._decision(data)
        elif event.kind == "text":
            self._close_turn()
            self._history.say(str(data["text"]))
        elif event.kind == "act":
            self._act(data)
        elif event.kind == "result":
            self._result(data)
        elif event.kind == "note":
            self._history.note(str(data["text"]))
        elif event.kind == "ask":
            self._tally.asks += 1
            self._asked[str(data["ask"])] = data
            asked = Asked(str(data["ask"]), str(data.get("question", "")))
            self.past.asks[_about(str(data["kind"]), data)] = asked
        elif event.kind == "answer":
            self._answer(data)

    def _frame(self, data: Mapping[str, Json]) -> None:
        blob = str(data["blob"])
        region = codec.decode(Box, data["region"]) if "region" in data else None
        screen = Size(cast("int", data["width"]), cast("int", data["height"]))
        picture = Picture(str(data["frame"]), screen, lambda: self._load(blob), region=region)
        self._frames[picture.id] = picture
        if region is not None:
            return
        self.past.picture = picture
        if not self._begun:
            self._begun = True
            self._history.begin(picture)

    def _decision(self, data: Mapping[str, Json]) -> None:
        self._close_turn()
        self.past.pending = decode_decision(data["decision"])
        cost = data.get("cost")
        known = Decimal(cost) if isinstance(cost, str) else None
        self._tally.add(self.past.pending.usage, known)

    def _act(self, data: Mapping[str, Json]) -> None:
        place, action = _place(data), cast("dict[str, Json]", data["action"])
        self.past.requests[place] = Request(str(data["request"]), str(data.get("boot", "")))
        if action.get("type") in (KeyDown.type, KeyUp.type):
            self._keys[place] = decode_any(action)

    def _result(self, data: Mapping[str, Json]) -> None:
        place = _place(data)
        result = self.past.results[place] = codec.decode(Result, data["result"])
        key = self._keys.pop(place, None)
        if key is not None and result.ok:
            self.past.keys.append(key)
        shown = self._frames.get(str(data.get("frame")))
        if shown is not None:
            self.past.pictures[place] = shown

    def _answer(self, data: Mapping[str, Json]) -> None:
        choice, text, by = (str(data.get(key, "")) for key in ("choice", "text", "by"))
        grant = as_scope(data.get("grant"))
        self.past.answers[str(data["ask"])] = Answer(choice, text, grant, by)
        action = self._asked.get(str(data["ask"]), {}).get("action")
        if choice == "allow" and grant == "run" and action is not None:
            self.past.grants.append(decode_any(action))

    def _close_turn(self) -> None:
        """The decision before was dealt with: what follows it says so."""
        decision = self.past.pending
        if decision is None:
            return
        outcomes = tuple(map(self._outcome, decision.calls))
        self._history.close(decision, outcomes)
        self.past.forget()

    def _outcome(self, call: Call) -> Outcome:
        if call.problem is not None:
            return Outcome(call.id, tell_failure(call.problem))
        places = [(call.id, index) for index in range(len(call.actions))]
        results = tuple(self.past.results[p] for p in places if p in self.past.results)
        pictures = [self.past.pictures[p] for p in places if p in self.past.pictures]
        return Outcome(
            call.id,
            tell_results(call.actions, results),
            results,
            pictures[-1] if pictures else None,
            call.checks if (call.id, 0) in self.past.requests else (),
        )


def _place(data: Mapping[str, Json]) -> Place:
    index = data["index"]
    assert isinstance(index, int)
    return (str(data["call"]), index)
