"""`ComputerAgent`: the constructor and the results people know, on Carrel's runtime."""

from __future__ import annotations

import base64
import hashlib
import io
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from typing import NoReturn, cast

from carrel.actions import EffectClass
from carrel.agent.agent import Agent
from carrel.agent.asking import Asker, Question
from carrel.agent.control import Answer
from carrel.agent.custom import CustomHands
from carrel.codec import Json
from carrel.compat.cua.callbacks import Callbacks
from carrel.compat.cua.computer import Computer
from carrel.compat.cua.custom import CustomComputer
from carrel.compat.cua.messages import Messages, read_messages
from carrel.compat.cua.models import Named, translate
from carrel.compat.cua.options import (
    Budget,
    BudgetLike,
    Trajectories,
    TrajectoryLike,
    generation,
)
from carrel.compat.cua.session import Session
from carrel.compat.cua.tools import sort_tools
from carrel.compat.items import Item
from carrel.computer import Computer as Handle
from carrel.errors import ActionFailed, InvalidInput, Unsupported, UsageError
from carrel.frames import Frame
from carrel.geometry import Point, Size
from carrel.journal.run import Run
from carrel.machines.brief import BriefComputer
from carrel.machines.spec import Machine
from carrel.models.model import Model
from carrel.policy.limits import Limits
from carrel.policy.policy import Policy
from carrel.policy.rules import Rule, Verdict

__all__ = ["ACTIONS", "ComputerAgent"]

ACTIONS = (
    *("screenshot", "click", "move", "drag", "scroll", "mouse_down", "mouse_up"),
    *("type", "key", "key_down", "key_up", "wait", "tool", "note", "done"),
)
"""What a model may do: use the screen, and call the tools it was given."""

IMAGES = 3
_OWN = (EffectClass.OBSERVE, EffectClass.INPUT, EffectClass.HUMAN, EffectClass.END)


class ComputerAgent:
    """Runs tasks on a computer, and yields what happens as dicts.

    ```python
    agent = ComputerAgent(model="anthropic/claude-…", tools=[computer])
    async for result in agent.run("Open the terminal and say hello"):
        for item in result["output"]:
            print(item["type"])
    ```

    Args:
        model: In the style of litellm, in ours (`provider:model`), or a `Model`.
        tools: One computer (a `Computer` of here or of Carrel, a machine or its name, a dict of
            functions, a handler) and functions or objects with name, parameters and call.
        custom_loop: Not supported; give a `Model` as `model`.
        only_n_most_recent_images: How many pictures the model is shown at a time; 3 when None.
        callbacks: Told of everything; `on_run_continue` may end the run.
        instructions: Told to the model with every task.
        verbosity: A level of `logging` at which every item is logged.
        trajectory_dir: Where runs are also written to in cua's layout.
        max_retries: How often a request that failed is repeated.
        screenshot_delay: Seconds to wait for the screen after an action: at most, on a machine,
            where it is seen to come to rest; always, on a custom computer.
        use_prompt_caching: Caching is always on where the provider has it.
        max_trajectory_budget: The most a run may cost, in US dollars, or a dict with `max_budget`,
            `reset_after_each_run` and `raise_error`. No run begins when the price is not known.
        telemetry_enabled: Nothing is ever sent.
        trust_remote_code: No model is loaded into this process.
        api_key: Instead of the one in the environment.
        api_base: Where the model is served.
        policy: Carrel's own: what is allowed, asked about and denied.
        limits: Carrel's own: steps, seconds, money, tokens, asks.
        asker: Carrel's own: how a person is reached. Without one, what must be asked is refused.
        home: Where journals are kept.
        generation_kwargs: max_tokens, temperature, reasoning_effort.
    """

    def __init__(
        self,
        model: str | Model,
        tools: Iterable[object] | None = None,
        custom_loop: object = None,
        only_n_most_recent_images: int | None = None,
        callbacks: Sequence[object] | None = None,
        instructions: str | None = None,
        verbosity: int | None = None,
        trajectory_dir: TrajectoryLike | None = None,
        max_retries: int | None = 3,
        screenshot_delay: float | None = 0.5,
        use_prompt_caching: bool | None = False,
        max_trajectory_budget: BudgetLike | None = None,
        telemetry_enabled: object = False,
        trust_remote_code: bool | None = False,
        api_key: str | None = None,
        api_base: str | None = None,
        *,
        policy: Policy | None = None,
        limits: Limits | None = None,
        asker: Asker | None = None,
        home: Path | None = None,
        **generation_kwargs: object,
    ) -> None:
        if custom_loop is not None:
            raise Unsupported(
                "a custom loop cannot be run: the loop is where the gate stands",
                hint="give an object with decide(context, on_text) as model, or register a dialect",
            )
        if only_n_most_recent_images is not None and only_n_most_recent_images < 1:
            raise InvalidInput("only_n_most_recent_images is at least 1")
        generation(generation_kwargs)
        self.model = model
        self._named = translate(model) if isinstance(model, str) else Named(model.name)
        self._given = sort_tools(tools or ())
        self._callbacks = Callbacks(tuple(callbacks or ()))
        self._images = only_n_most_recent_images or IMAGES
        self._instructions = instructions or ""
        self._verbosity = verbosity
        self._trajectories = Trajectories.of(trajectory_dir)
        self._retries = max(0, max_retries or 0)
        self._delay = max(0.0, float(screenshot_delay or 0.0))
        self._budget = Budget.of(max_trajectory_budget)
        self._access = (api_key, api_base)
        self._policy, self._limits, self._asker, self._home = policy, limits, asker, home
        self._generation = dict(generation_kwargs)
        self._session: Session | None = None

    @property
    def last_run(self) -> Run | None:
        """How the last run ended, or how far the present one has come; None before the first."""
        return None if self._session is None else self._session.run

    def cancel(self) -> None:
        """End the run that is under way."""
        if self._session is not None:
            self._session.cancel("ComputerAgent.cancel")

    async def run(
        self,
        messages: Messages,
        stream: bool = False,
        api_key: str | None = None,
        api_base: str | None = None,
        **generation_kwargs: object,
    ) -> AsyncIterator[Item]:
        """Carry out a task, and yield `{"output": [items], "usage": {…}}` as it happens.

        One for each answer of the model, then one for each call that was dealt with.

        Raises:
            RunError: The run ended otherwise than by the model, a callback or the budget.
        """
        if "step" not in self.get_capabilities():
            raise Unsupported(
                f"{self._named.name} only points",
                hint=f"put it before a model that thinks: {self.model}+openai/…",
            )
        told = read_messages(messages)
        given = {**self._generation, **generation_kwargs}
        key, base = api_key or self._access[0], api_base or self._access[1]
        computer, policy = await self._target()
        limits = self._run_limits()
        agent = Agent(
            model=self._open(key, base),
            tools=self._given.tools,
            policy=policy,
            limits=limits,
            instructions="\n\n".join(filter(None, (self._instructions, told.instructions))),
            actions=(*ACTIONS, "ask") if self._asker is not None else ACTIONS,
            images=self._images,
            options=generation(given),
            asker=self._asker or _Nobody(),
            api_key=key,
            home=self._home,
            settle=self._delay,
        )
        kwargs = self._kwargs(told.items, stream, given, base)
        session = Session(
            agent=agent,
            task=told.task,
            computer=computer,
            callbacks=self._callbacks,
            kwargs=kwargs,
            old_items=told.items,
            retries=self._retries,
            budget=self._budget,
            trajectories=self._trajectories,
            verbosity=self._verbosity,
        )
        self._session = session
        async with aclosing(session.results()) as results:
            async for result in results:
                yield result

    async def predict_click(
        self, instruction: str, image_b64: str | None = None
    ) -> tuple[int, int] | None:
        """Where something is on a picture, or on the computer's screen; None when not found.

        Raises:
            Unsupported: This model cannot point.
        """
        frame = await self._frame(image_b64)
        agent = Agent(model=self._open(*self._access), home=self._home)
        try:
            point = await agent.locate(frame, instruction)
        except ActionFailed:
            return None
        return point.x, point.y

    def get_capabilities(self) -> list[str]:
        """`step` where the model can act, `click` where it can point."""
        if not isinstance(self.model, str) or "+" in self._named.name:
            return ["step", "click"]
        from carrel.models.dialects.grounding import Pointing
        from carrel.models.registry import find_dialect

        with suppress(UsageError):
            found = find_dialect(self._named.name)
            if issubclass(found, Pointing):
                return ["click"]
            return ["step", "click"]
        return ["step"]

    def open(self, port: int | None = None, host: str | None = None) -> NoReturn:
        """There is no playground."""
        raise Unsupported("there is no playground", hint="carrel run shows a task live")

    # What a run is made of

    def _open(self, key: str | None, base: str | None) -> Model:
        if not isinstance(self.model, str):
            return self.model
        from carrel.models.registry import open_model

        options = {} if self._named.dialect is None else {"dialect": self._named.dialect}
        return open_model(self._named.name, base_url=base, api_key=key, options=options)

    async def _target(self) -> tuple[object, Policy]:
        """What the runtime acts on, and what its isolation warrants."""
        given = self._given.computer
        if given is None:
            raise InvalidInput(
                "there is no computer among the tools",
                hint="a Computer, the name of a machine, or a dict with a screenshot function",
            )
        if isinstance(given, Computer):
            given = given.handle or await given.start_machine()
        if isinstance(given, str | Machine):
            given = BriefComputer(given if isinstance(given, str) else given.name)
        if isinstance(given, Handle):
            return given, self._warranted(given.isolation)
        functions = await CustomComputer(given, self._delay).functions()
        return functions, self._warranted(None)

    def _warranted(self, isolation: str | None) -> Policy:
        if self._policy is not None:
            return self._policy
        if isolation is None:
            # The user's own functions are the boundary, those of the computer and the tools alike.
            tools = (Rule(Verdict.ALLOW, actions=("tool",)),)
            return Policy(rules=tools, default=dict.fromkeys(_OWN, Verdict.ALLOW))
        return Policy.for_isolation(isolation)

    def _run_limits(self) -> Limits | None:
        if self._budget is None:
            return self._limits
        money = Limits(money=self._budget.left)
        return money if self._limits is None else self._limits.merge(money)

    def _kwargs(
        self, items: list[Item], stream: bool, given: Mapping[str, object], base: str | None
    ) -> Item:
        """What callbacks are told of a run: never a key."""
        told = {name: value for name, value in given.items() if _is_plain(value)}
        name = self.model if isinstance(self.model, str) else self.model.name
        kwargs: Item = {"messages": cast("Json", items), "stream": stream, "model": name}
        if base is not None:
            kwargs["api_base"] = base
        return {**kwargs, **cast("Item", told)}

    async def _frame(self, image_b64: str | None) -> Frame:
        if image_b64 is not None:
            return _frame_of(base64.b64decode(image_b64.rpartition(",")[2]))
        computer, _ = await self._target()
        if isinstance(computer, Handle):
            return await computer.screenshot()
        return await CustomHands(computer).look()


class _Nobody:
    """Answers for a person who is not there: no."""

    async def ask(self, question: Question) -> Answer:
        choice = question.choices[-1] if question.choices else ""
        return Answer(choice, "nobody is there to ask", by="Carrel")


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float | bool | dict | list)


def _frame_of(data: bytes) -> Frame:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as image:
            size = Size(image.width, image.height)
    except UnidentifiedImageError as error:
        raise InvalidInput("image_b64 holds no image") from error
    name = hashlib.sha256(data).hexdigest()
    return Frame(name, size, "png", time.time(), Point(0, 0), image=data)
