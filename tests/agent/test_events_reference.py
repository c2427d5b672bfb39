"""docs/reference/events.md says of real runs what is in their events, no less and no more."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

import anyio
import pytest
from plays import Person

from carrel.actions import Action, Click, Screenshot
from carrel.agent.agent import Agent
from carrel.agent.asking import Asker
from carrel.decisions import Call, Decision, SafetyCheck
from carrel.errors import ModelError
from carrel.events import EVENT_TYPES, Event
from carrel.geometry import Box
from carrel.intents import Ask, Done, Note
from carrel.journal.ends import EndReason
from carrel.models.context import Context
from carrel.models.model import OnText
from carrel.models.scripted import ScriptedModel
from carrel.policy.policy import Policy
from carrel.policy.rules import Rule, Verdict
from carrel.results import Failure
from carrel.testing import FakeComputer

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "events.md"
EVENTS, _, ENDS = PAGE.read_text().partition("# Why a run ended")
UNUSED = {"plan", "memory", "machine"}
STEPLESS = {"run.started"}


def tables() -> dict[str, dict[str, bool]]:
    """Of each kind, its keys and whether they are always there."""
    found = {}
    for section in EVENTS.split("\n## ")[1:]:
        rows = re.findall(r"^\| `(\w+)` \| (yes|–) \|", section, re.MULTILINE)
        found[section.partition("\n")[0]] = {key: always == "yes" for key, always in rows}
    return found


def test_the_page_has_every_kind_and_every_reason() -> None:
    kinds = [kind for title in tables() for kind in title.split(", ")]
    assert sorted(kinds) == sorted(EVENT_TYPES)
    reasons = re.findall(r"^\| `(\w+)`", ENDS, re.MULTILINE)
    assert sorted(reasons) == sorted(EndReason)


class Moody(ScriptedModel):
    """Fails once before each run of its script."""

    def __init__(self, script: list[Decision | Action]) -> None:
        super().__init__(script)
        self._failed = False

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        if not self._failed:
            self._failed = True
            raise ModelError("try again", retryable=True, context={"kind": "overloaded"})
        return await super().decide(context, on_text)


async def play(
    home: Path, model: ScriptedModel, asker: Asker, *, still: bool = False, said: str = ""
) -> list[Event]:
    rules = (Rule(Verdict.ASK, actions=("click",)),)
    base = Policy.for_isolation("process")
    policy = base.merge(Policy(rules=rules, default=base.default))
    agent = Agent(model=model, policy=policy, asker=asker, home=home, settle=0)
    running = agent.run("do it", FakeComputer(still=still), origin={"directory": "/"})
    if said:
        running.steer(said)
    with anyio.fail_after(60):
        return [event async for event in running]


def checked(action: Action) -> Decision:
    check = SafetyCheck("1", "malicious_instructions", "Is that wanted?")
    return Decision(calls=(Call("c1", "computer", (action,), checks=(check,)),))


class Reader(ScriptedModel):
    """Wants what can be read from the pixels."""

    reads_pixels = True


@pytest.mark.anyio
async def test_the_page_is_true_of_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzling = Call("c2", "computer", problem=Failure("invalid_input", "what is that?"))
    events = await play(
        tmp_path,
        Moody(
            [
                Click(10, 20),
                checked(Click(30, 40)),
                Decision(calls=(puzzling,)),
                Note("remember"),
                Screenshot(Box(0, 0, 50, 50)),
                Ask("Which one?", ("a", "b")),
                Done(True, "that is it"),
            ]
        ),
        Person("allow", "go on"),
        said="Look at the left",
    )
    again: list[Decision | Action | tuple[Action, ...]] = [Click(5, 5)] * 20
    events += await play(tmp_path, ScriptedModel(again), Person("stop"), still=True)
    events += await play(tmp_path, ScriptedModel(again), Person("allow"), still=True)
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    events += await play(tmp_path, Reader([Done(True)]), Person("stop"))
    described = tables()
    seen: dict[str, set[str]] = defaultdict(set)
    for event in events:
        keys = set(event.data) - (set() if event.kind in STEPLESS else {"step"})
        always = {key for key, there in described[event.kind].items() if there}
        assert always <= keys <= described[event.kind].keys(), (event.kind, keys)
        assert ("step" in event.data) is (event.kind not in STEPLESS)
        seen[event.kind] |= keys
    assert seen.keys() == set(EVENT_TYPES) - UNUSED
    assert {kind: set(keys) for kind, keys in described.items() if kind in seen} == dict(seen)
