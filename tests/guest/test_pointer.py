from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator

import anyio
import pytest
from clients import EventLog, event_log, run
from hypothesis import given
from hypothesis import strategies as st
from Xlib.display import Display

from carrel.actions import Click, Drag, MouseDown, MouseUp, Move, Scroll
from carrel.errors import ActionFailed, InvalidInput, MachineLost
from carrel.geometry import Point, Size
from carrel.guest.keyboard import Keyboard
from carrel.guest.pointer import Pointer, _waypoints
from carrel.guest.screen import Screen

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

SHIFT, CONTROL, ALT = 1, 4, 8
BUTTON1 = 256


@pytest.fixture
def pointer(x_display: str) -> Iterator[Pointer]:
    keyboard = Keyboard(x_display)
    pointer = Pointer(x_display, keyboard)
    yield pointer
    pointer.close()
    keyboard.close()


@pytest.fixture
def log(x_display: str) -> Iterator[EventLog]:
    with event_log(x_display) as log:
        yield log


def buttons(events: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(e["event"], e["button"]) for e in events if "button" in e]


@pytest.mark.parametrize(
    ("name", "number"), [("left", 1), ("middle", 2), ("right", 3), ("back", 8), ("forward", 9)]
)
async def test_a_click_presses_and_releases_its_button_at_the_point(
    pointer: Pointer, log: EventLog, x_display: str, name: str, number: int
) -> None:
    evidence = await pointer.click(Click(123, 45, button=name))  # type: ignore[arg-type]
    events = await log.take()
    assert buttons(events) == [("button_press", number), ("button_release", number)]
    assert all((e["x"], e["y"]) == (123, 45) for e in events if "button" in e)
    # The server does not say whether the last two are down.
    known = {"down": False} if number <= 3 else {}
    assert evidence == {"x": 123, "y": 45, "button": name, **known}
    assert run(x_display, "xdotool", "getmouselocation").startswith("x:123 y:45 ")


async def test_a_click_is_held_for_as_long_as_it_says(pointer: Pointer, log: EventLog) -> None:
    await pointer.click(Click(10, 10, hold=0.1))
    events = [e for e in await log.take() if "button" in e]
    assert buttons(events) == [("button_press", 1), ("button_release", 1)]
    assert 90 <= events[1]["time"] - events[0]["time"] < 2000


async def test_a_triple_click_is_quick_enough_to_be_one(pointer: Pointer, log: EventLog) -> None:
    await pointer.click(Click(10, 10, count=3))
    events = [e for e in await log.take() if "button" in e]
    assert buttons(events) == [("button_press", 1), ("button_release", 1)] * 3
    assert events[-1]["time"] - events[0]["time"] < 200


async def test_modifiers_are_held_around_a_click(pointer: Pointer, log: EventLog) -> None:
    await pointer.click(Click(10, 10, modifiers=("ctrl", "shift")))
    events = [e for e in await log.take() if e["event"] != "motion"]
    assert [(e["event"], e.get("name", e.get("button"))) for e in events] == [
        ("press", "Control_L"),
        ("press", "Shift_L"),
        ("button_press", 1),
        ("button_release", 1),
        ("release", "Shift_L"),
        ("release", "Control_L"),
    ]
    assert events[2]["state"] == CONTROL | SHIFT


async def test_a_move_is_read_back(pointer: Pointer, x_display: str) -> None:
    assert await pointer.move(Move(1023, 767)) == {"x": 1023, "y": 767}
    assert pointer.position() == Point(1023, 767)
    assert run(x_display, "xdotool", "getmouselocation").startswith("x:1023 y:767 ")


@pytest.mark.parametrize("point", [(1024, 10), (10, 768), (-1, 10), (10, -1), (32767, 32767)])
async def test_a_point_outside_the_screen_is_refused(
    pointer: Pointer, log: EventLog, point: tuple[int, int]
) -> None:
    await pointer.move(Move(5, 5))
    await log.take()
    path = (Point(1, 1), Point(*point))
    for attempt in (
        pointer.move(Move(*point)),
        pointer.click(Click(*point, modifiers=("ctrl",))),
        pointer.scroll(Scroll(*point, dy=1)),
        pointer.drag(Drag(path)),
    ):
        with pytest.raises(InvalidInput, match="outside the screen of 1024x768"):
            await attempt
    assert await log.take() == []
    assert pointer.position() == Point(5, 5)


async def test_a_resized_screen_is_followed(pointer: Pointer, x_display: str) -> None:
    screen = Screen(x_display)
    for wide, high in ((800, 600), (1024, 768), (640, 480)):
        await anyio.to_thread.run_sync(screen.resize, Size(wide, high))
        assert run(x_display, "xdotool", "getdisplaygeometry") == f"{wide} {high}\n"
        await pointer.move(Move(wide - 1, high - 1))
        with pytest.raises(InvalidInput, match=f"outside the screen of {wide}x{high}"):
            await pointer.click(Click(wide, high))
    screen.close()


async def test_a_drag_follows_the_whole_path_with_one_press(
    pointer: Pointer, log: EventLog
) -> None:
    path = (Point(50, 50), Point(250, 50), Point(250, 200), Point(60, 199))
    started = time.monotonic()
    await pointer.drag(Drag(path, modifiers=("alt",), seconds=0.3))
    took = time.monotonic() - started
    events = await log.take()
    assert buttons(events) == [("button_press", 1), ("button_release", 1)]
    press, release = (
        next(i for i, e in enumerate(events) if e["event"] == kind)
        for kind in ("button_press", "button_release")
    )
    moves = [e for e in events[press:release] if e["event"] == "motion"]
    assert (events[press]["x"], events[press]["y"]) == (50, 50)
    assert (events[release]["x"], events[release]["y"]) == (60, 199)
    assert len(moves) > 20
    assert {(p.x, p.y) for p in path[1:]} <= {(m["x"], m["y"]) for m in moves}
    assert all(m["state"] & BUTTON1 and m["state"] & ALT for m in moves)
    assert 0.29 < took < 10


async def test_a_drag_without_time_still_moves_in_steps(pointer: Pointer, log: EventLog) -> None:
    await pointer.drag(Drag((Point(10, 10), Point(100, 100)), seconds=0))
    assert len([e for e in await log.take() if e["event"] == "motion"]) >= 8


async def test_a_cancelled_drag_holds_nothing(pointer: Pointer, log: EventLog) -> None:
    with anyio.move_on_after(0.2) as scope:
        await pointer.drag(Drag((Point(10, 10), Point(200, 200)), modifiers=("shift",), seconds=60))
    assert scope.cancelled_caught
    events = [e for e in await log.take() if e["event"] != "motion"]
    assert [e["event"] for e in events] == ["press", "button_press", "button_release", "release"]
    await pointer.click(Click(10, 10))
    assert all(e["state"] & SHIFT == 0 for e in await log.take())


async def test_a_button_stays_down_until_it_is_released(pointer: Pointer, log: EventLog) -> None:
    await pointer.move(Move(20, 20))
    assert (await pointer.mouse_down(MouseDown()))["down"] is True
    await pointer.move(Move(30, 30))
    assert (await pointer.mouse_up(MouseUp()))["down"] is False
    events = await log.take()
    assert [e["event"] for e in events][-3:] == ["button_press", "motion", "button_release"]
    assert events[-2]["state"] & BUTTON1


@pytest.mark.parametrize(
    ("dx", "dy", "expected"),
    [(0, 3, [5] * 3), (0, -2, [4] * 2), (2, 0, [7] * 2), (-1, 0, [6]), (1, 1, [5, 7])],
)
async def test_the_wheel_turns_by_notches(
    pointer: Pointer, log: EventLog, dx: int, dy: int, expected: list[int]
) -> None:
    await pointer.scroll(Scroll(40, 30, dx=dx, dy=dy, modifiers=("ctrl",)))
    pressed = [e for e in await log.take() if e["event"] == "button_press"]
    assert [e["button"] for e in pressed] == expected
    assert all((e["x"], e["y"], e["state"] & CONTROL) == (40, 30, CONTROL) for e in pressed)


async def test_left_is_left_for_a_left_handed_pointer(
    pointer: Pointer, log: EventLog, x_display: str
) -> None:
    other = Display(x_display)
    mapping = other.get_pointer_mapping()
    other.set_pointer_mapping([3, 2, 1, *mapping[3:]])
    other.sync()
    await pointer.click(Click(10, 10))
    await pointer.click(Click(10, 10, button="right"))
    events = await log.take()
    assert [e["button"] for e in events if e["event"] == "button_press"] == [1, 3]
    other.close()


async def test_a_confined_pointer_is_no_success(
    pointer: Pointer, log: EventLog, x_display: str
) -> None:
    await pointer.move(Move(100, 100))
    other = Display(x_display)
    window = other.create_resource_object("window", log.window)
    window.grab_pointer(True, 0, 1, 1, window.id, 0, 0)
    other.sync()
    with pytest.raises(ActionFailed, match="stays at"):
        await pointer.click(Click(900, 700))
    other.close()
    assert buttons(await log.take()) == []


async def test_a_dead_display_is_a_lost_machine(
    x_server_process: tuple[str, subprocess.Popen[bytes]],
) -> None:
    display, server = x_server_process
    keyboard = Keyboard(display)
    pointer = Pointer(display, keyboard)
    server.kill()
    server.wait()
    with anyio.fail_after(5), pytest.raises(MachineLost, match="display server is gone"):
        await pointer.click(Click(1, 1))
    pointer.close()
    keyboard.close()


points = st.builds(Point, st.integers(0, 300), st.integers(0, 300))


@given(st.lists(points, min_size=2, max_size=8), st.floats(0, 2))
def test_waypoints_pass_every_corner_in_order(path: list[Point], seconds: float) -> None:
    found = list(_waypoints(path, seconds))
    places = iter(point for point, _ in found)
    assert all(corner in places for corner in path[1:])
    shares = [share for _, share in found]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1) or len(set(path)) == 1
