"""What an action says of its effect, on a screen of its own."""

from __future__ import annotations

import itertools
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import anyio
import pytest
from Xlib import X
from Xlib.display import Display

from carrel.actions import Action, Click, KeyDown, KeyUp, MouseDown, MouseUp, Open
from carrel.geometry import Size
from carrel.guest.actor import Actor
from carrel.guest.desk import Desk, DeskOptions
from carrel.guest.files import Files
from carrel.guest.launch import Launcher
from carrel.guest.processes import Processes
from carrel.results import Effect, Result

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

CLOCK = (300, 40, 90, 20)
BUTTON = (20, 20, 40, 30)


@asynccontextmanager
async def actor_on(display: str, home: Path) -> AsyncIterator[Actor]:
    """An actor as the guest runs it."""
    desk = Desk(DeskOptions(Size(1024, 768), display=display))
    place = str(home)
    launcher = Launcher(lambda: {**os.environ, "DISPLAY": display}, place)
    actor = Actor(desk, Processes(dict, place), Files(place), launcher)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(actor.watch)
        try:
            yield actor
        finally:
            tasks.cancel_scope.cancel()
            actor.close()
            with anyio.CancelScope(shield=True):
                await launcher.close()


class Board:
    """A window that fills its whole `box` with another colour whenever it is told to."""

    def __init__(self, display: str, box: tuple[int, int, int, int]) -> None:
        self._display = Display(display)
        screen = self._display.screen()
        self._window = screen.root.create_window(
            *box, 0, screen.root_depth, background_pixel=0, event_mask=X.ButtonPressMask
        )
        self._window.map()
        self._colours = itertools.cycle((0xFF0000, 0x00FF00))
        self.draw()

    def close(self) -> None:
        self._display.close()

    def draw(self) -> None:
        self._window.change_attributes(background_pixel=next(self._colours))
        self._window.clear_area()
        self._display.sync()

    async def tick(self, seconds: float) -> None:
        """Draw again and again."""
        while True:
            self.draw()
            await anyio.sleep(seconds)

    async def draw_when_clicked(self) -> None:
        while True:
            await anyio.wait_readable(self._display.fileno())
            for _ in range(self._display.pending_events()):
                if self._display.next_event().type == X.ButtonPress:
                    self.draw()


@asynccontextmanager
async def board(display: str, box: tuple[int, int, int, int]) -> AsyncIterator[Board]:
    with closing(Board(display, box)) as found:
        yield found


async def watched(actor: Actor, action: Action, settle: float = 0.3) -> Result:
    with anyio.fail_after(10):
        return (await actor.perform(action, settle)).result


async def test_what_moves_by_itself_is_no_evidence_of_a_click(
    x_display: str, tmp_path: Path
) -> None:
    async def tick_soon() -> None:
        await anyio.sleep(0.03)
        clock.draw()

    async with (
        actor_on(x_display, tmp_path) as actor,
        board(x_display, CLOCK) as clock,
        anyio.create_task_group() as tasks,
    ):
        await anyio.sleep(0.6)
        for _ in range(3):
            clock.draw()
            await anyio.sleep(0.4)
        # It is not forgotten either while one action follows the other.
        for _ in range(6):
            tasks.start_soon(tick_soon)
            result = await watched(actor, Click(900, 700))
            assert result.effect is Effect.UNVERIFIABLE
            assert "by itself" in str(result.evidence["why"])
            box = result.evidence["change"]["box"]  # type: ignore[index, call-overload]
            assert tuple(box.values()) == CLOCK  # type: ignore[union-attr]
        assert (await watched(actor, Click(900, 700))).effect is Effect.SUSPECTED_NOOP


async def test_an_effect_beside_what_moves_is_confirmed(x_display: str, tmp_path: Path) -> None:
    async with (
        actor_on(x_display, tmp_path) as actor,
        board(x_display, CLOCK) as clock,
        board(x_display, BUTTON) as button,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(clock.tick, 0.1)
        tasks.start_soon(button.draw_when_clicked)
        await anyio.sleep(1.0)
        # Also at once after another: what an action did does not move by itself.
        for _ in range(3):
            assert (await watched(actor, Click(30, 30))).effect is Effect.CONFIRMED
        tasks.cancel_scope.cancel()


async def test_what_was_drawn_but_once_is_not_taken_for_moving(
    x_display: str, tmp_path: Path
) -> None:
    async with actor_on(x_display, tmp_path) as actor, anyio.create_task_group() as tasks:
        await anyio.sleep(0.7)
        async with board(x_display, BUTTON) as button:
            tasks.start_soon(button.draw_when_clicked)
            await anyio.sleep(0.7)
            assert (await watched(actor, Click(30, 30))).effect is Effect.CONFIRMED
            tasks.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("down", "up"), [(MouseDown(), MouseUp()), (KeyDown("shift"), KeyUp("shift"))]
)
async def test_to_release_what_is_not_down_does_nothing(
    x_display: str, tmp_path: Path, down: Action, up: Action
) -> None:
    async with actor_on(x_display, tmp_path) as actor:
        for action, effect in (
            (up, Effect.SUSPECTED_NOOP),
            (down, Effect.CONFIRMED),
            (up, Effect.CONFIRMED),
            (up, Effect.SUSPECTED_NOOP),
        ):
            result = (await actor.perform(action)).result
            assert result.effect is effect
            assert ("why" in result.evidence) == (effect is Effect.SUSPECTED_NOOP)


async def test_a_button_of_unknown_state_claims_nothing(x_display: str, tmp_path: Path) -> None:
    async with actor_on(x_display, tmp_path) as actor:
        assert (await actor.perform(MouseUp("back"))).result.effect is Effect.UNVERIFIABLE


async def test_a_program_that_ended_at_once_is_not_called_open(
    x_display: str, tmp_path: Path
) -> None:
    async with actor_on(x_display, tmp_path) as actor:
        for action in (Open("/bin/true"), Open("true")):
            result = (await actor.perform(action)).result
            assert (result.ok, result.data["running"]) == (True, False)
            assert result.effect is Effect.UNVERIFIABLE
            assert "ended at once" in str(result.evidence["why"])
        # The screen tells more, where it is watched.
        result = await watched(actor, Open("true"))
        assert result.effect is Effect.SUSPECTED_NOOP
        assert "why" not in result.evidence
        result = await watched(actor, Open("xsetroot", ("-solid", "#123456")))
        assert result.effect is Effect.CONFIRMED
        result = (await actor.perform(Open("sleep", ("60",)))).result
        assert (result.effect, result.data["running"]) == (Effect.CONFIRMED, True)
