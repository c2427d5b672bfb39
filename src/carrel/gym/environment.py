"""A suite's tasks as a Gymnasium environment: reset, step, observe, reward, on a real desk.

```python
import gymnasium

env = gymnasium.make("carrel.gym:carrel/Desk-v0", suite="miniwob", task="click-button")
observation, info = env.reset(seed=3)
observation, reward, terminated, truncated, info = env.step({"type": "click", "x": 9, "y": 80})
```
"""

from __future__ import annotations

import io
import logging
import subprocess
import sys
import tempfile
import weakref
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from carrel import codec
from carrel.agent.agent import Agent
from carrel.agent.running import Running
from carrel.bench.desk import LOST, TRIES, Desks
from carrel.bench.suite import Episode, Verdict, choose_tasks, get_suite
from carrel.errors import CarrelError, WrongState
from carrel.gym.moves import move_space, read_move
from carrel.gym.player import Persistent, Player
from carrel.gym.portal import open_portal
from carrel.models.context import Context
from carrel.policy.limits import Limits
from carrel.results import Result

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from carrel.actions import Action
    from carrel.bench.desk import StagedDesk
    from carrel.events import Event

__all__ = ["DeskEnv", "Observation"]

Observation = dict[str, Any]
"""`screen`: the pixels; `task`: what to do, in words."""

Outcome = dict[str, Any]
"""`ok`; `effect`; `code`, of the error or empty; `message`."""

logger = logging.getLogger(__name__)

MOST_WORDS = 2000
MOST_SEED = 2**31 - 1


class DeskEnv(gymnasium.Env[Observation, Any]):
    """One desk, one episode at a time; each is a run with a journal.

    Args:
        suite: Its name: `carrel bench list` shows them.
        task: One of its tasks, or a pattern such as `click-*`, from which the seed chooses.
        elements: Give what the applications say is on the screen in `info["elements"]`.
        max_steps: After so many the episode is truncated.
        home: Where the journals are kept; a temporary directory that goes with the environment
            when None.
        render_mode: `rgb_array`, or None.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self,
        suite: str = "miniwob",
        task: str = "*",
        *,
        elements: bool = False,
        max_steps: int | None = 100,
        home: Path | str | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self._suite = get_suite(suite)
        self._tasks = choose_tasks(self._suite, [task])
        self._elements = elements
        self._max_steps = max_steps
        self._stack = ExitStack()
        self._around_desk = ExitStack()
        self._home = Path(home) if home else Path(self._temporary())
        self._portal: BlockingPortal | None = None
        self._desk: StagedDesk | None = None
        self._play: _Play | None = None
        self._screen: NDArray[np.uint8] | None = None
        size = self._suite.desk.size
        shape = (size.height, size.width, 3)
        self.observation_space = spaces.Dict(
            {
                "screen": spaces.Box(0, 255, shape, np.uint8),
                "task": _Words(MOST_WORDS, min_length=0),
            }
        )
        self.action_space = move_space(size)

    def _temporary(self) -> str:
        return self._stack.enter_context(tempfile.TemporaryDirectory(prefix="carrel-gym-"))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode; `options` may name the `task`. A desk that was lost is replaced.

        Raises:
            MachineLost: Three desks in a row could not be had, or were lost at once.
        """
        super().reset(seed=seed)
        self._end_episode()
        if seed is None:
            seed = int(self.np_random.integers(MOST_SEED))
        wish = (options or {}).get("task")
        tasks = self._tasks if wish is None else choose_tasks(self._suite, [wish])
        task = tasks[seed % len(tasks)]
        for left in reversed(range(TRIES)):
            try:
                return self._begin(task, seed)
            except LOST as error:
                logger.warning("the desk was lost: %s", error)
                self._drop_desk()
                if not left:
                    raise
        raise AssertionError("unreachable")

    def _begin(self, task: str, seed: int) -> tuple[Observation, dict[str, Any]]:
        portal, desk = self._opened()
        episode = portal.call(desk.stage.begin, task, seed, None)
        player = Player(elements=self._elements)
        agent = Agent(
            model=player,
            home=self._home,
            actions=self._suite.actions,
            limits=Limits(steps=None, seconds=None, asks=None),
            asker=Persistent(),
        )
        heard: list[Event] = []
        running = agent.run(episode.text or task, desk.computer, observers=[heard.append])
        self._play = _Play(portal, episode, player, running, heard)
        context = self._play.begin()
        info = {"task": task, "seed": seed, "run": running.id, "time_limit": episode.time_limit}
        return self._observe(context), info | self._more(context)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do something, and see what came of it.

        `info["outcomes"]` says of each action that was tried whether it was carried out: one that
        was refused or failed changes nothing, and is not an error.

        Raises:
            WrongState: There is no episode, or it is over.
            InvalidInput: It is not a move.
            MachineLost: The desk is gone; `reset` makes another.
        """
        play = self._play
        if play is None or play.over:
            raise WrongState("there is no episode", hint="reset the environment first")
        context, verdict = play.move(read_move(action))
        late = self._max_steps is not None and play.steps >= self._max_steps
        truncated = not verdict.done and (late or context is None)
        if verdict.done or truncated:
            self._end_episode()
        info: dict[str, Any] = {
            "reason": verdict.reason,
            "success": verdict.success,
            "outcomes": play.outcomes(),
        }
        reward = verdict.reward if verdict.done else 0.0
        observation = self._observe(context)
        return observation, reward, verdict.done, truncated, info | self._more(context)

    def render(self) -> NDArray[np.uint8] | None:
        """The screen as it was last seen."""
        return self._screen if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """End the episode and remove the desk."""
        self._end_episode()
        self._drop_desk()
        self._portal = None
        self._stack.close()

    def _opened(self) -> tuple[BlockingPortal, StagedDesk]:
        """The desk, made when there is none, and the thread that talks to it."""
        if self._portal is None:
            self._portal = self._stack.enter_context(open_portal())
        if self._desk is None:
            desks = Desks(self._suite, self._home)
            opened = self._portal.wrap_async_context_manager(desks.open())
            self._desk = self._around_desk.enter_context(opened)
            # For a program that never comes to close it.
            lost = weakref.finalize(self, _remove, self._desk.name)
            self._around_desk.callback(lost.detach)
        return self._portal, self._desk

    def _drop_desk(self) -> None:
        """Put the desk away, whatever state it is in."""
        self._end_episode()
        self._desk = None
        try:
            self._around_desk.close()
        except LOST as error:
            logger.warning("a desk that was lost: %s", error)

    def _end_episode(self) -> None:
        play, self._play = self._play, None
        if play is not None:
            play.end()

    def _observe(self, context: Context | None) -> Observation:
        picture = None if context is None else context.picture
        if picture is not None:
            from PIL import Image

            with Image.open(io.BytesIO(picture.original())) as image:
                self._screen = np.asarray(image.convert("RGB"))
        assert self._screen is not None
        self._words = context.task if context is not None else self._words
        return {"screen": self._screen, "task": self._words[:MOST_WORDS]}

    _words = ""

    def _more(self, context: Context | None) -> dict[str, Any]:
        if not self._elements:
            return {}
        picture = None if context is None else context.picture
        return {"elements": () if picture is None else picture.elements}


def _remove(desk: str) -> None:
    """Remove a desk from a process that is about to end, and can start no thread any more."""
    delete = [sys.executable, "-m", "carrel", "delete", desk]
    subprocess.run(delete, capture_output=True, check=False)


def _outcome(result: Result) -> Outcome:
    code = "" if result.error is None else result.error.code
    message = result.text if result.error is None else result.error.message
    return {"ok": result.ok, "effect": str(result.effect), "code": code, "message": message}


class _Words(spaces.Text):
    """Any text at all: a task's words are not drawn from an alphabet."""

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length


class _Play:
    """One episode under way, seen from the thread that steps it."""

    def __init__(
        self,
        portal: BlockingPortal,
        episode: Episode,
        player: Player,
        running: Running,
        heard: list[Event],
    ) -> None:
        self._portal = portal
        self._episode = episode
        self._player = player
        self._running = running
        self._heard = heard
        self._run: Future[object] | None = None
        self.steps = 0
        self.over = False

    def begin(self) -> Context:
        """The first look."""
        self._run = self._portal.start_task_soon(self._running.result)
        context = self._portal.call(self._player.look)
        if context is None:
            # It ended before anything was seen: its error says why.
            self._run.result()
            raise WrongState("the episode ended before it began")
        return context

    def move(self, actions: tuple[Action, ...]) -> tuple[Context | None, Verdict]:
        """Act, look, and be judged."""
        self.steps += 1
        self._heard.clear()
        return self._portal.call(self._move, actions)

    async def _move(self, actions: tuple[Action, ...]) -> tuple[Context | None, Verdict]:
        self._player.move(actions)
        context = await self._player.look()
        return context, await self._episode.judge()

    def outcomes(self) -> tuple[Outcome, ...]:
        """What came of the actions of the last move that were tried."""
        found = (event.data.get("result") for event in self._heard if event.kind == "result")
        return tuple(_outcome(codec.decode(Result, each)) for each in found)

    def end(self) -> None:
        """End the run."""
        self.over = True
        self._portal.call(self._end)
        if self._run is not None:
            try:
                self._run.result()
            except CarrelError as error:
                # Whoever waited for a look was told; there is nothing left to end.
                logger.debug("the run ended with an error: %s", error)

    async def _end(self) -> None:
        self._running.cancel("the environment")
        while await self._player.look() is not None:
            pass
        self._player.close()
