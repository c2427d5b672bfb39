"""Leave to act: from the gate, and from the person where the gate says so."""

from __future__ import annotations

from collections.abc import AsyncIterator

from carrel import codec
from carrel.actions import Action
from carrel.agent.asking import Kind
from carrel.agent.parts import Parts
from carrel.agent.questions import Questions
from carrel.codec import Json
from carrel.decisions import Call
from carrel.events import Event
from carrel.intents import encode_any
from carrel.policy.gate import Judgement
from carrel.policy.rules import Verdict

__all__ = ["Leave"]


class Leave:
    """Asks for leave; the last judgement is in `judged`, and only `allow` is leave."""

    def __init__(self, parts: Parts, questions: Questions) -> None:
        self._parts = parts
        self._questions = questions
        self.judged = Judgement(Verdict.DENY, "schema", "")

    async def ask(self, call: Call, index: int, action: Action) -> AsyncIterator[Event]:
        """Have an action of a call judged, while the run is not paused."""
        async for event in self._questions.pause():
            yield event
        self.judged = self._parts.gate.judge(call, index, self._parts.tally)
        if self.judged.verdict is Verdict.ASK:
            async for event in self._ask_person(call, index, action, self.judged):
                yield event
            async for event in self._questions.pause():
                yield event

    async def _ask_person(
        self, call: Call, index: int, action: Action, judged: Judgement
    ) -> AsyncIterator[Event]:
        kind: Kind = "safety" if judged.stage == "safety" else "rule"
        details: dict[str, Json] = {"call": call.id, "index": index, "action": encode_any(action)}
        if kind == "safety":
            details["checks"] = codec.encode(call.checks)
        else:
            details["covers"] = self._parts.gate.scope_of(action)
        choices = ("allow", "deny")
        async for event in self._questions.ask(kind, judged.reason, choices, action, details):
            yield event
        answer = self._questions.answer
        allowed = answer.choice == "allow"
        if allowed:
            self._parts.gate.grant(action, answer.grant)
        said = f": {answer.text}" if answer.text else ""
        word = "allowed" if allowed else "refused"
        self.judged = Judgement(
            Verdict.ALLOW if allowed else Verdict.DENY,
            judged.stage,
            f"{word} by {answer.by}{said} ({judged.reason})",
        )
