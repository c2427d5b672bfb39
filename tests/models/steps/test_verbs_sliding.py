"""Sliders that tell only of their handle, or take no keys, or keep silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from steps_world import SIZE, World, desk_of, element, play

from carrel.actions import Action, Click, Drag, Key
from carrel.frames import Element
from carrel.models.steps.program import SetValue
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.setting import set_value
from carrel.perception.merging import merge


class Board:
    """Sliders under each other, each a handle on a bar of 200 pixels that is worth 0 to 100.

    Attributes:
        values: What each stands at.
        step: What one key is worth.
        keys: Whether a handle takes the keyboard when it is clicked.
        bars: Whether a click on the bar moves the handle.
        told: Whether a slider says its value itself.
        shown: Whether a number beside it does.
    """

    def __init__(self, names: Sequence[str], **ways: bool | int) -> None:
        self.values = dict.fromkeys(names, 20)
        self.step = int(ways.get("step", 1))
        self.keys, self.bars = bool(ways.get("keys", True)), bool(ways.get("bars", True))
        self.told, self.shown = bool(ways.get("told", True)), bool(ways.get("shown", False))
        self.focus: str | None = None
        self.world = World()
        self.world.on("key", self._key)
        self.world.on("drag", self._drag)
        self.world._click = self._click  # type: ignore[method-assign]
        self.draw()

    def draw(self) -> None:
        rows: list[Element] = []
        for number, (name, value) in enumerate(self.values.items()):
            top = 40 + 70 * number
            bar = element("", "section", (100, top + 30, 200, 12), id=f"bar-{number}")
            role, own = ("slider", str(value)) if self.told else ("section", None)
            states = ("focusable", *(("focused",) if self.focus == name else ()))
            at = (100 + 2 * value - 8, top + 26, 16, 20)
            handle = element("", role, at, *states, value=own, parent=bar.id, id=f"handle-{number}")
            rows += [element(f"{name}:", "static", (100, top, 60, 16)), bar, handle]
            if self.shown:
                rows.append(element(str(value), "static", (165, top, 20, 16), id=f"said-{number}"))
        self.world.elements = list(merge({"tree": rows}, SIZE))

    def _set(self, name: str, value: float) -> None:
        self.values[name] = max(0, min(100, round(value)))
        self.draw()

    def _row(self, y: int) -> str | None:
        number = (y - 40) // 70
        inside = 26 <= (y - 40) % 70 < 46 and 0 <= number < len(self.values)
        return list(self.values)[number] if inside else None

    def _key(self, _w: World, _e: Element, action: Action) -> None:
        if isinstance(action, Key) and self.focus is not None:
            sign = {"right": 1, "left": -1}.get(action.keys[0], 0)
            self._set(self.focus, self.values[self.focus] + sign * self.step * action.repeat)

    def _click(self, action: Click) -> None:
        name = self._row(action.y)
        if name is None:
            return
        on_handle = abs(action.x - (100 + 2 * self.values[name])) <= 8
        if self.keys and on_handle:
            self.focus = name
        if self.bars and not on_handle:
            self.values[name] = round((action.x - 100) / 2)
        self.draw()

    def _drag(self, _w: World, _e: Element, action: Action) -> None:
        if isinstance(action, Drag) and (name := self._row(action.path[0].y)) is not None:
            self._set(name, (action.path[-1].x - 100) / 2)


@pytest.mark.parametrize("told", [True, False])
def test_a_handle_is_called_by_what_stands_over_its_bar(told: bool) -> None:
    board = Board(("Volume", "Bass", "Treble"), told=told, shown=not told)
    board.values["Bass"] = 80
    board.draw()
    play(board.world, set_value(desk_of(board.world), SetValue("the Bass slider", "35")))
    assert board.values == {"Volume": 20, "Bass": 35, "Treble": 20}


def test_keys_do_not_go_to_a_slider_that_has_kept_the_keyboard() -> None:
    board = Board(("Volume", "Bass"))
    board.focus = "Volume"
    board.keys = False
    board.draw()
    play(board.world, set_value(desk_of(board.world), SetValue("the Bass slider", "45")))
    assert board.values == {"Volume": 20, "Bass": 45}


def test_a_slider_that_stands_there_already_is_not_touched() -> None:
    board = Board(("Volume",))
    play(board.world, set_value(desk_of(board.world), SetValue("the Volume slider", "20")))
    assert not [one for one in board.world.done if isinstance(one, Click | Drag | Key)]


@pytest.mark.parametrize("bars", [True, False])
def test_what_keys_cannot_reach_is_clicked_or_dragged_to(bars: bool) -> None:
    board = Board(("Volume",), step=10, bars=bars)
    play(board.world, set_value(desk_of(board.world), SetValue("the Volume slider", "35")))
    assert board.values == {"Volume": 35}
    assert bars or any(isinstance(a, Drag) for a in board.world.done)


def test_a_slider_that_nothing_tells_of_is_refused_and_left_as_it_was() -> None:
    board = Board(("Volume",), told=False)
    with pytest.raises(Missed, match="does not say what it stands at"):
        play(board.world, set_value(desk_of(board.world), SetValue("the Volume slider", "35")))
    assert board.values == {"Volume": 20}


def test_no_key_is_pressed_for_a_text_that_labels_no_slider() -> None:
    world = World(element("Volume", "static", (10, 10, 60, 16)))
    with pytest.raises(Missed, match="only a text"):
        play(world, set_value(desk_of(world), SetValue("Volume", "35")))
    assert not [a for a in world.done if isinstance(a, Key | Click)]


def test_the_number_that_goes_with_a_slider_is_not_read_where_another_says_the_same() -> None:
    board = Board(("Volume",), told=False, shown=True)
    other = element("20", "static", (500, 500, 20, 16), id="other")
    draw = board.draw

    def with_other() -> None:
        draw()
        board.world.elements.append(replace(other))

    board.draw = with_other  # type: ignore[method-assign]
    board.draw()
    play(board.world, set_value(desk_of(board.world), SetValue("the Volume slider", "23")))
    assert board.values == {"Volume": 23}
