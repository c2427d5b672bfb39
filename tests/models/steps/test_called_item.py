"""“The item”: a word for anything, and the label of a field on many a form."""

from __future__ import annotations

from steps_world import World, element
from test_verbs_slots import field, held, page, played

from carrel.actions import Click, Type
from carrel.frames import Window
from carrel.geometry import Box


def test_the_field_that_is_labelled_so_takes_the_text() -> None:
    world = page(field("Quantity", 40), field("Item", 80))
    assert played(world, "Type Teapot as the item").account is None
    assert held(world) == {"Quantity": "", "Item": "Teapot"}


def test_a_picture_that_is_called_nothing_takes_none() -> None:
    world = World(element("", "image", (300, 180, 480, 360)))
    assert played(world, "Type Teapot as the item").account is not None
    assert not [action for action in world.done if isinstance(action, Click | Type)]


def test_the_window_in_front_is_a_place_by_its_title() -> None:
    world = World(element("Item", "entry", (400, 200, 200, 24), "editable", value="", id="Item"))
    world.windows = [Window(1, "Order form", Box(300, 160, 480, 360), "Tk", focused=True)]
    assert played(world, "In the order form type Teapot into the Item field").account is None
    assert held(world) == {"Item": "Teapot"}
