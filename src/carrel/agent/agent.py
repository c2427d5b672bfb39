"""`Agent`: a model with its tools, its policy and its limits, ready for any task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from carrel.actions import ACTIONS
from carrel.agent.asking import Asker
from carrel.agent.hands import SETTLE
from carrel.agent.history import KEEP_PICTURES
from carrel.agent.mcp import McpServer
from carrel.agent.parts import Observer, quiet
from carrel.agent.running import Running, Setup
from carrel.agent.tools import Tool, Toolbox
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.frames import Frame
from carrel.geometry import Point
from carrel.ids import new_id
from carrel.intents import INTENTS
from carrel.models.context import Options
from carrel.models.model import Model, OnText, require_decisions
from carrel.models.picture import Picture
from carrel.policy.limits import Limits
from carrel.policy.policy import Policy
from carrel.policy.prices import Prices
from carrel.policy.secrets import Secrets

__all__ = ["Agent"]


@dataclass(kw_only=True)
class Agent:
    """Carries out tasks on a computer.

    ```python
    agent = Agent(model="anthropic:claude-…", limits=Limits(steps=30))
    async for event in agent.run("Open the terminal and say hello", computer):
        print(event.kind, event.data)
    ```

    Attributes:
        model: `provider:model`, one of `human`, `scripted:FILE`, `replay:RUN`, or a `Model`.
        tools: Functions the model may call besides the computer's actions.
        mcp: MCP servers whose tools the model may call; each is started with a run, and ended.
        policy: What is allowed, asked about and denied, or a file that says so; None for what the
            machine's isolation warrants.
        limits: In place of the policy's; None for those.
        instructions: Told to the model with every task.
        actions: Types of the actions the model may call; None for all of them.
        images: How many pictures the model is shown at a time.
        asker: How a person is reached; None leaves a run waiting, to be resumed.
        model_options: How to reach it, by name: `dialect` (such as `marks`, whatever the model is
            called), `stream` (`false` where a server cannot), or what its provider takes.
        base_url: Of an OpenAI-compatible server, or a provider's other address.
        api_key: Instead of the one in the environment.
        home: Where runs are kept; None for the user's data directory.
        settle: Seconds to wait at most for the screen to come to rest after an action.
    """

    model: str | Model
    tools: Iterable[Tool | Callable[..., object]] = ()
    mcp: Iterable[McpServer] = ()
    policy: Policy | Path | None = None
    limits: Limits | None = None
    instructions: str = ""
    actions: Iterable[str] | None = None
    images: int = KEEP_PICTURES
    options: Options = field(default_factory=Options)
    secrets: Secrets = field(default_factory=Secrets)
    prices: Prices = field(default_factory=Prices)
    asker: Asker | None = None
    model_options: Mapping[str, str] = field(default_factory=dict)
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    home: Path | None = None
    settle: float = SETTLE

    def __post_init__(self) -> None:
        self._toolbox = Toolbox.of(self.tools)
        self._allowed = None if self.actions is None else frozenset(self.actions)
        unknown = sorted((self._allowed or frozenset()) - ACTIONS.keys() - INTENTS.keys())
        if unknown:
            known = ", ".join((*ACTIONS, *INTENTS))
            raise InvalidInput(f"no such action: {', '.join(unknown)}", hint=f"known: {known}")

    def run(
        self,
        task: str,
        computer: object,
        *,
        on_text: OnText = quiet,
        observers: Iterable[Observer] = (),
        origin: Mapping[str, Json] | None = None,
    ) -> Running:
        """Begin a task; it goes on while its events are taken, or its result is awaited.

        Args:
            task: What to do, in words.
            computer: A `Computer`, a `Machine` or its name, or a custom computer: an object or a
                dict of functions named after the actions.
            on_text: Told of the model's words as they arrive.
            observers: Told of every event as soon as it is written.
            origin: Kept in the first event, for whoever began the run.
        """
        if not task.strip():
            raise InvalidInput("there is no task")
        watchers = tuple(observers)
        running = Running(self._setup(), new_id("run"), computer, task, on_text, watchers)
        running.origin = dict(origin or {})
        return running

    def resume(
        self,
        run: str,
        computer: object = None,
        *,
        on_text: OnText = quiet,
        observers: Iterable[Observer] = (),
    ) -> Running:
        """Go on with a run that was interrupted or is waiting; nothing is done twice.

        Args:
            run: Its id, the beginning of it, or `latest`.
            computer: As for `run`; None for the machine it ran on.
            on_text: Told of the model's words as they arrive.
            observers: Told of every event as soon as it is written.
        """
        from carrel.journal.index import Runs

        found = Runs(self.home).find(run)
        return Running(self._setup(), found, computer, None, on_text, tuple(observers))

    async def locate(self, frame: Frame, description: str) -> Point:
        """Where something is on a frame: `await agent.locate(frame, "the Save button")`.

        Raises:
            Unsupported: This model cannot say.
            ActionFailed: It did not find it.
        """
        image = frame.image
        picture = Picture(frame.id, frame.size, lambda: image, region=frame.region)
        async with self._open_model() as model:
            return await model.locate(picture, description)

    async def check_model(self) -> None:
        """See that the model can be asked, without asking it.

        Raises:
            Unavailable: Its key or its package is missing; the hint says which.
            UsageError: There is no such model, or it only points.
        """
        async with self._open_decider():
            pass

    def _open_decider(self) -> Model:
        return require_decisions(self._open_model())

    def _open_model(self) -> Model:
        if not isinstance(self.model, str):
            return self.model
        from carrel.models.registry import open_model

        return open_model(
            self.model,
            base_url=self.base_url,
            api_key=self.api_key,
            options=self.model_options,
        )

    def _setup(self) -> Setup:
        return Setup(
            open_model=self._open_decider,
            toolbox=self._toolbox,
            mcp=tuple(self.mcp),
            policy=self.policy,
            limits=self.limits,
            instructions=self.instructions,
            allowed=self._allowed,
            images=self.images,
            options=self.options,
            secrets=self.secrets,
            prices=self.prices,
            asker=self.asker,
            api_key=self.api_key,
            home=self.home,
            settle=self.settle,
        )

    def with_model(self, model: str | Model) -> Agent:
        """The same agent with another model."""
        return replace(self, model=model)
