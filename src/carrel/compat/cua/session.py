"""One run, told as results to the caller and as calls to the callbacks."""

from __future__ import annotations

import base64
import copy
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import cast

import anyio.lowlevel

from carrel.agent.agent import Agent
from carrel.agent.running import Running
from carrel.codec import Json
from carrel.compat import trajectory
from carrel.compat.cua.callbacks import Callbacks
from carrel.compat.cua.options import Budget, Trajectories
from carrel.compat.cua.watched import WatchedModel
from carrel.compat.items import Answered, Item, Moment, Reader, Responded, Started, usage_item
from carrel.decisions import Decision, Usage
from carrel.errors import RunError
from carrel.events import Event
from carrel.journal.blobs import read_blob
from carrel.journal.ends import EndReason
from carrel.journal.redact import Redactor
from carrel.journal.run import Run
from carrel.models.model import Model

__all__ = ["BudgetExceededError", "Session"]

logger = logging.getLogger("carrel.compat.cua")

_QUIET = (EndReason.DONE, EndReason.GAVE_UP, EndReason.MODEL_REFUSED, EndReason.CANCELLED)
"""Ends that the results themselves tell, or that the caller brought about."""


class BudgetExceededError(RunError):
    """The budget is spent, or the next answer might exceed it."""


@dataclass(kw_only=True)
class Session:
    """What one call of `ComputerAgent.run` needs.

    Attributes:
        kwargs: What callbacks are told of the run.
        old_items: What was said before it.
        new_items: What happened in it.
    """

    agent: Agent
    task: str
    computer: object
    callbacks: Callbacks
    kwargs: Item
    old_items: list[Item]
    retries: int
    budget: Budget | None
    trajectories: Trajectories | None
    verbosity: int | None
    new_items: list[Item] = field(default_factory=list)
    _fault: Exception | None = None

    def __post_init__(self) -> None:
        model = WatchedModel(
            cast("Model", self.agent.model), self.retries, self._before, self._after
        )
        agent = self.agent.with_model(model)
        self._running: Running = agent.run(self.task, self.computer)
        read = partial(read_blob, self._running.id, home=self.agent.home)
        self._read_blob = read
        self._reader = Reader(read)

    @property
    def run(self) -> Run:
        """How far it has come."""
        return self._running.run

    def cancel(self, by: str) -> None:
        """End it."""
        self._running.cancel(by)

    async def results(self) -> AsyncGenerator[Item, None]:
        """Everything that happens, to the end; then the error it ended with, if any."""
        try:
            await self.callbacks.tell("on_run_start", self.kwargs, self.old_items)
            events = cast("AsyncGenerator[Event, None]", aiter(self._running))
            async with aclosing(events):
                async for event in events:
                    for moment in () if self._fault else self._reader.read(event):
                        result = await self._tell_safely(moment)
                        if result is not None:
                            yield copy.deepcopy(result)
            self._raise_end()
        finally:
            self._settle()
            end = (self.kwargs, self.old_items, self.new_items)
            await self.callbacks.tell_all("on_run_end", *end)

    async def _tell_safely(self, moment: Moment) -> Item | None:
        """Tell the callbacks; one that fails ends the run, which is then written down as ended."""
        if self._fault is not None:
            return None
        try:
            return await self._tell(moment)
        except Exception as error:  # noqa: BLE001 (the user's code; raised when the run has ended)
            self._fault = error
            self.cancel("a callback that failed")
            return None

    async def _tell(self, moment: Moment) -> Item | None:
        if isinstance(moment, Responded):
            return await self._responded(moment)
        if isinstance(moment, Started):
            await self.callbacks.tell(f"on_{moment.item['type']}_start", moment.item)
            return None
        if isinstance(moment, Answered):
            self.new_items.append(moment.output)
            self._log(moment.output)
            if moment.started:
                kind = f"on_{moment.item['type']}_end"
                await self.callbacks.tell(kind, moment.item, [moment.output])
            return {"output": [moment.output], "usage": usage_item(Usage(), "0")}
        if self.callbacks:
            picture = base64.b64encode(self._read_blob(moment.blob)).decode("ascii")
            await self.callbacks.tell("on_screenshot", picture, "screenshot_after")
        return None

    async def _responded(self, moment: Responded) -> Item:
        self.new_items += moment.items
        for item in moment.items:
            self._log(item)
        result: Item = {"output": cast("Json", moment.items), "usage": moment.usage}
        await self.callbacks.tell("on_usage", moment.usage)
        await self.callbacks.show("on_llm_end", moment.items)
        await self.callbacks.tell("on_responses", self.kwargs, result)
        for item in moment.items:
            if item["type"] == "message":
                await self.callbacks.tell("on_text", item)
        return result

    def _log(self, item: Item) -> None:
        if self.verbosity is not None:
            shown = {key: value for key, value in item.items() if key != "output"}
            logger.log(self.verbosity, "%s", shown)

    # Around every request

    async def _before(self) -> None:
        try:
            if not await self.callbacks.agree(self.kwargs, self.old_items, self.new_items):
                self.cancel("on_run_continue")
                # The cancellation arrives here, before anything is asked.
                await anyio.lowlevel.checkpoint()
            await self.callbacks.show("on_llm_start", [*self.old_items, *self.new_items])
            await self.callbacks.tell("on_api_start", self._request())
        except Exception as error:
            self._fault = error
            raise

    async def _after(self, decision: Decision) -> None:
        try:
            # The journal is rid of the key; what comes straight from the model is not.
            answer = Redactor(filter(None, (self.agent.api_key,))).data(decision.raw)
            await self.callbacks.tell("on_api_end", self._request(), answer)
        except Exception as error:
            self._fault = error
            raise

    def _request(self) -> Item:
        told: Json = cast("Json", [*self.old_items, *self.new_items])
        return {**self.kwargs, "messages": told}

    # The end

    def _settle(self) -> None:
        run = self.run
        if not run.events:
            return
        if self.budget is not None:
            self.budget.spent += run.known_cost
        places = self.trajectories
        if places is not None:
            written = trajectory.write(
                run.id,
                places.directory,
                home=self.agent.home,
                screenshot_dir=places.screenshot_dir,
                into=None if places.reset_on_run else places.current,
            )
            places.current = written.name

    def _raise_end(self) -> None:
        if self._fault is not None:
            raise self._fault
        run = self.run
        told = run.message or run.reason
        facts = {"run": run.id, "reason": run.reason}
        if not run.is_final:
            raise RunError(
                f"the run waits: {told}", hint="give ComputerAgent an asker", context=facts
            )
        if run.end in _QUIET:
            return
        if run.end is EndReason.MONEY_LIMIT and self.budget is not None:
            if self.budget.raises:
                raise BudgetExceededError(told, context=facts)
            return
        raise RunError(told, hint=f"carrel show {run.id}", context=facts)
