"""A run under way: its events, its controls and its result."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self, cast

import carrel
from carrel import codec
from carrel.actions import EffectClass
from carrel.agent.asking import Asker
from carrel.agent.control import Answer, Control
from carrel.agent.custom import CustomHands
from carrel.agent.diary import show
from carrel.agent.hands import ComputerHands, Hands, is_computer
from carrel.agent.history import History
from carrel.agent.loop import Loop
from carrel.agent.mcp import McpServer
from carrel.agent.parts import Observer, Parts
from carrel.agent.past import read_past
from carrel.agent.terms import describe_limits, describe_policy, read_terms
from carrel.agent.tools import Toolbox
from carrel.codec import Json
from carrel.errors import InvalidInput, UsageError, WrongState
from carrel.events import Event
from carrel.geometry import Size
from carrel.journal.journal import Journal
from carrel.journal.mailbox import Mailbox
from carrel.journal.redact import Redactor
from carrel.journal.run import Folding, Run, fold
from carrel.models.context import Options
from carrel.models.model import Model, OnText
from carrel.policy.gate import Gate
from carrel.policy.grants import Grants
from carrel.policy.limits import Limits, Tally
from carrel.policy.load import load_policy
from carrel.policy.policy import Policy
from carrel.policy.prices import Prices
from carrel.policy.rules import Rule, Verdict
from carrel.policy.secrets import Secrets

__all__ = ["Running", "Setup"]

_KEY = re.compile(r"\w*(API_KEY|SECRET_ACCESS_KEY|(AUTH|SESSION|AD)_TOKEN|BEARER_TOKEN_BEDROCK)")
_SHORTEST_KEY = 16


@dataclass(frozen=True, slots=True)
class Setup:
    """What an agent brings to every run."""

    open_model: Callable[[], Model]
    toolbox: Toolbox
    mcp: tuple[McpServer, ...]
    policy: Policy | Path | None
    limits: Limits | None
    instructions: str
    allowed: frozenset[str] | None
    images: int
    options: Options
    secrets: Secrets
    prices: Prices
    asker: Asker | None
    api_key: str | None
    home: Path | None
    settle: float


class Running:
    """One run, which goes on while its events are taken.

    ```python
    async for event in agent.run(task, computer): ...
    run = await agent.run(task, computer).result()
    async with agent.run(task, computer) as running: ...
    ```

    Leaving the loop early leaves the run interrupted, to be resumed. A machine given by its name is
    connected to for each request where events are taken in a bare loop, which nobody may ever
    finish; with `async with` and `result` there is one connection for the whole run.

    The controls may be used by other tasks, and by other processes through `carrel pause`, `steer`,
    `answer` and `cancel`.
    """

    def __init__(
        self,
        setup: Setup,
        run: str,
        computer: object,
        task: str | None,
        on_text: OnText,
        observers: tuple[Observer, ...],
    ) -> None:
        self.id = run
        self.origin: dict[str, Json] = {}
        self._setup = setup
        self._computer = computer
        self._task = task
        self._on_text = on_text
        self._observers = observers
        self._control = Control()
        self._folding = Folding()
        self._events: AsyncGenerator[Event, None] | None = None
        self._held = False
        """Whether the end of the run is sure to be seen to by the task that began it."""

    async def __aenter__(self) -> Self:
        self._held = self._events is None
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    # Controls

    def pause(self, by: str = "person") -> None:
        """Stop before the next action."""
        self._control.pause(by)

    def resume(self) -> None:
        """Go on after a pause."""
        self._control.resume()

    def cancel(self, by: str = "person") -> None:
        """End it now."""
        self._control.cancel(by)

    def steer(self, text: str) -> None:
        """Say something to the model before its next decision."""
        self._control.steer(text)

    def answer(self, ask: str, answer: Answer) -> None:
        """Answer one of its questions."""
        self._control.answer(ask, answer)

    @property
    def run(self) -> Run:
        """How far it has come."""
        return self._folding.run()

    # Events

    def __aiter__(self) -> AsyncIterator[Event]:
        if self._events is None:
            self._events = self._take()
        return self._events

    async def aclose(self) -> None:
        """Stop taking events: the run is left where it is, to be resumed."""
        if self._events is not None:
            await self._events.aclose()

    async def result(self) -> Run:
        """Take all events that are left, and say how it ended."""
        self._held = self._held or self._events is None
        async for _ in self:
            pass
        return self.run

    async def _take(self) -> AsyncGenerator[Event, None]:
        async with AsyncExitStack() as stack:
            # First what may fail for want of a key or a machine: then there is no run.
            model = await stack.enter_async_context(self._setup.open_model())
            toolbox = self._setup.toolbox
            if self._setup.mcp and not self._held:
                raise UsageError(
                    "MCP servers need a run that is seen to its end",
                    hint="async with agent.run(…) as running, or await agent.run(…).result()",
                )
            for server in self._setup.mcp:
                toolbox = toolbox.with_tools(await stack.enter_async_context(server.tools()))
            self._setup = replace(self._setup, toolbox=toolbox)
            redact = Redactor((*self._setup.secrets.values(), *_keys(self._setup.api_key)))
            if self._task is None:
                journal = stack.enter_context(
                    Journal.open(self.id, home=self._setup.home, redact=redact)
                )
                started = next(journal.events).data
                hands = await stack.enter_async_context(self._hands(_machine_of(started)))
                screen = await hands.size()
                policy = self._policy(hands, started)
                gate = self._gate(policy, hands)
            else:
                hands = await stack.enter_async_context(self._hands(None))
                screen = await hands.size()
                policy = self._policy(hands)
                gate = self._gate(policy, hands)
                journal = stack.enter_context(
                    Journal.create(self.id, home=self._setup.home, redact=redact)
                )
                yield self._begin(journal, model, hands, screen, policy)
            self._control.listen(Mailbox(self.id, self._setup.home))
            loop = self._loop(journal, model, hands, screen, gate)
            events = await stack.enter_async_context(aclosing(loop.run()))
            async for event in events:
                self._folding.add(event)
                yield event

    def _begin(
        self, journal: Journal, model: Model, hands: Hands, screen: Size, policy: Policy
    ) -> Event:
        setup = self._setup
        described: dict[str, object] = {
            "task": self._task,
            "model": model.name,
            "dialect": model.dialect,
            "machine": dict(hands.description),
            "screen": screen,
            "instructions": setup.instructions,
            "tools": list(setup.toolbox.tools),
            "policy": describe_policy(policy),
            "limits": describe_limits(policy.limits),
            "options": setup.options,
            "carrel": carrel.__version__,
        }
        if self.origin:
            described["origin"] = self.origin
        event = journal.append("run.started", cast("dict[str, Json]", codec.encode(described)))
        self._folding.add(event)
        show(event, self._observers)
        return event

    def _policy(self, hands: Hands, started: Mapping[str, Json] | None = None) -> Policy:
        """What holds for the run; one that goes on keeps what it began under, unless given more."""
        custom = hands.isolation == "custom"
        base = _for_own_functions() if custom else Policy.for_isolation(hands.isolation)
        given, limits = self._setup.policy, self._setup.limits
        if started is not None and given is None:
            terms = read_terms(started)
            same = terms.isolation == hands.isolation
            # What was agreed on for another machine may be too much for this one.
            given = terms.policy if same else base.merge(terms.policy)
        policy = load_policy(given, base) if isinstance(given, Path) else given or base
        return policy if limits is None else replace(policy, limits=limits)

    def _gate(self, policy: Policy, hands: Hands) -> Gate:
        setup = self._setup
        return Gate(
            policy,
            prices=setup.prices,
            allowed=setup.allowed,
            tools=frozenset(setup.toolbox.tools),
            secrets=setup.secrets,
            grants=Grants(where=hands.isolation),
        )

    def _loop(self, journal: Journal, model: Model, hands: Hands, screen: Size, gate: Gate) -> Loop:
        setup, past_events = self._setup, list(journal.events)
        if self._task is None:
            _require_unfinished(past_events)
            for event in past_events:
                self._folding.add(event)
        tally = Tally()
        history = self._history(past_events[0].data, screen)
        parts = Parts(
            model,
            hands,
            gate,
            journal,
            history,
            setup.toolbox,
            setup.prices,
            setup.secrets,
            tally,
            self._control,
            setup.asker,
            self._on_text,
            self._observers,
        )
        if self._task is not None:
            return Loop(parts)
        tally.before = fold(past_events).seconds
        past = read_past(past_events, journal.read_blob, history, tally)
        for action in past.grants:
            gate.grant(action, "run")
        for action in past.keys:
            gate.hold(action)
        return Loop(parts, past)

    def _history(self, started: Mapping[str, Json], screen: Size) -> History:
        setup = self._setup
        return History(
            str(started.get("task", "")),
            screen,
            instructions=setup.instructions or str(started.get("instructions", "")),
            tools=setup.toolbox.specs,
            actions=setup.allowed,
            options=setup.options,
            keep_pictures=setup.images,
        )

    @asynccontextmanager
    async def _hands(self, machine: str | None) -> AsyncIterator[Hands]:
        # Who brings a computer of their own functions needs none of these.
        from carrel.machines.brief import BriefComputer
        from carrel.machines.lifecycle import Machines
        from carrel.machines.spec import Machine

        given = self._computer if self._computer is not None else machine
        if is_computer(given):
            yield ComputerHands(given, settle=self._setup.settle)
        elif isinstance(given, str | Machine):
            name = given if isinstance(given, str) else given.name
            machines = Machines()
            provider = machines.store.get(name).spec.provider
            settle = self._setup.settle
            if self._held:
                async with machines.computer(name) as computer:
                    yield ComputerHands(computer, provider=provider, settle=settle)
            else:
                yield ComputerHands(BriefComputer(name), provider=provider, settle=settle)
        elif given is None:
            raise InvalidInput("there is no computer to act on", hint="give one to the run")
        else:
            yield CustomHands(given)


def _keys(given: str | None) -> Iterator[str]:
    """Keys of models' providers: the one given, and those in the environment."""
    yield given or ""
    for name, value in os.environ.items():
        # Servers without keys are given words such as EMPTY in place of one.
        if _KEY.fullmatch(name) and len(value) >= _SHORTEST_KEY:
            yield value


def _for_own_functions() -> Policy:
    """What functions of the user's own warrant: they are the boundary, for looking and input."""
    free = (EffectClass.OBSERVE, EffectClass.INPUT, EffectClass.HUMAN, EffectClass.END)
    tools = Rule(Verdict.ALLOW, actions=("tool",))
    return Policy(rules=(tools,), default=dict.fromkeys(free, Verdict.ALLOW))


def _machine_of(started: Mapping[str, Json]) -> str | None:
    machine = started.get("machine")
    name = machine.get("name") if isinstance(machine, dict) else None
    return str(name) if name else None


def _require_unfinished(events: list[Event]) -> None:
    run = fold(events)
    if run.is_final:
        raise WrongState(
            f"{run.id} has ended: {run.status.value}, {run.reason}", hint=f"carrel show {run.id}"
        )
