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

from carrel.agent.agent import Agent
from carrel.agent.running import Running
from carrel.bench.desk import Desks
from carrel.bench.suite import Episode, Verdict, choose_tasks, get_suite
from carrel.errors import WrongState
from carrel.gym.moves import move_space, read_move
from carrel.gym.player import Persistent, Player
from carrel.gym.portal import open_portal
from carrel.models.context import Context
from carrel.policy.limits import Limits

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from carrel.actions import Action
    from carrel.bench.desk import StagedDesk

__all__ = ["DeskEnv", "Observation"]

Observation = dict[str, Any]
"""`screen`: the pixels; `task`: what to do, in words."""

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
        """Begin an episode; `options` may name the `task`."""
        super().reset(seed=seed)
        self._end_episode()
        if seed is None:
            seed = int(self.np_random.integers(MOST_SEED))
        wish = (options or {}).get("task")
        tasks = self._tasks if wish is None else choose_tasks(self._suite, [wish])
        task = tasks[seed % len(tasks)]
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
        running = agent.run(episode.text or task, desk.computer)
        self._play = _Play(portal, episode, player, running)
        context = self._play.begin()
        info = {"task": task, "seed": seed, "run": running.id, "time_limit": episode.time_limit}
        return self._observe(context), info | self._more(context)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do something, and see what came of it.

        Raises:
            WrongState: There is no episode, or it is over.
            InvalidInput: It is not a move.
        """
        play = self._play
        if play is None or play.over:
            raise WrongState("there is no episode", hint="reset the environment first")
        context, verdict = play.move(read_move(action))
        late = self._max_steps is not None and play.steps >= self._max_steps
        truncated = not verdict.done and (late or context is None)
        if verdict.done or truncated:
            self._end_episode()
        info: dict[str, Any] = {"reason": verdict.reason, "success": verdict.success}
        reward = verdict.reward if verdict.done else 0.0
        observation = self._observe(context)
        return observation, reward, verdict.done, truncated, info | self._more(context)

    def render(self) -> NDArray[np.uint8] | None:
        """The screen as it was last seen."""
        return self._screen if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """End the episode and remove the desk."""
        self._end_episode()
        self._desk = self._portal = None
        self._stack.close()

    def _opened(self) -> tuple[BlockingPortal, StagedDesk]:
        """The desk, made when it is first needed, and the thread that talks to it."""
        if self._portal is None or self._desk is None:
            self._portal = self._stack.enter_context(open_portal())
            desks = Desks(self._suite, self._home)
            opened = self._portal.wrap_async_context_manager(desks.open())
            self._desk = self._stack.enter_context(opened)
            # For a program that never comes to close it.
            lost = weakref.finalize(self, _remove, self._desk.name)
            self._stack.callback(lost.detach)
        return self._portal, self._desk

    def _end_episode(self) -> None:
        if self._play is not None:
            self._play.end()
            self._play = None

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


class _Words(spaces.Text):
    """Any text at all: a task's words are not drawn from an alphabet."""

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length


class _Play:
    """One episode under way, seen from the thread that steps it."""

    def __init__(
        self, portal: BlockingPortal, episode: Episode, player: Player, running: Running
    ) -> None:
        self._portal = portal
        self._episode = episode
        self._player = player
        self._running = running
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
        return self._portal.call(self._move, actions)

    async def _move(self, actions: tuple[Action, ...]) -> tuple[Context | None, Verdict]:
        self._player.move(actions)
        context = await self._player.look()
        return context, await self._episode.judge()

    def end(self) -> None:
        """End the run."""
        self.over = True
        self._portal.call(self._end)
        if self._run is not None:
            self._run.result()

    async def _end(self) -> None:
        self._running.cancel("the environment")
        while await self._player.look() is not None:
            pass
        self._player.close()
