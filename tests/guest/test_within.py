"""What a program tells only within its window gets its place, and only what is seen is shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from carrel.geometry import Box
from carrel.guest._within import ACTIVE, FOCUSED, SENSITIVE, SHOWING, VISIBLE, Ref, place_windows
from carrel.guest.manager import Client

USABLE = SENSITIVE | VISIBLE


def ref(name: str) -> Ref:
    return (":1.1", f"/{name}")


@dataclass
class Told:
    """An object as a program tells it."""

    name: str
    box: Box | None
    role: str = "push button"
    states: int = USABLE
    hits: list[Ref | None] = field(default_factory=list)
    children: list[Told] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ref = ref(self.name)


def seen(name: str, box: Box, role: str = "push button", *children: Told) -> Told:
    """One that its window and it itself have at its middle."""
    return Told(name, box, role, hits=[ref(name), ref(name)], children=list(children))


def window(*children: Told) -> Told:
    return seen("Notes", Box(0, 0, 400, 300), "frame", *children)


CLIENT = Client("notes", 7, "Notes", Box(100, 50, 410, 310))


def test_what_is_in_a_window_is_placed_by_it() -> None:
    save = seen("Save", Box(20, 10, 60, 24))
    place_windows([window(save)], [CLIENT])
    assert save.box == Box(125, 65, 60, 24)
    assert save.states & SHOWING


def test_a_shadow_that_is_told_counts() -> None:
    save = seen("Save", Box(20, 10, 60, 24))
    place_windows([window(save)], [Client("notes", 7, "Notes", CLIENT.box, (26, 23))])
    assert save.box == Box(146, 83, 60, 24)


def test_a_page_that_another_one_covers_is_not_shown() -> None:
    gone = Told("Old", Box(20, 10, 60, 24), hits=[ref("New"), None])
    place_windows([window(gone)], [CLIENT])
    assert not gone.states & SHOWING


def test_what_cannot_be_used_is_shown_where_the_next_around_it_is_found() -> None:
    off = Told("Off", Box(20, 10, 60, 24), states=VISIBLE, hits=[ref("Box"), None])
    box = seen("Box", Box(10, 0, 200, 60), "panel", off)
    place_windows([window(box)], [CLIENT])
    assert off.states & SHOWING


def test_an_icon_that_cannot_be_named_is_found_at_the_edge_of_its_button() -> None:
    button = Told("Menu", Box(20, 10, 24, 24), hits=[None, None, ref("Menu"), ref("Menu")])
    place_windows([window(button)], [CLIENT])
    assert button.states & SHOWING


def test_what_opened_is_where_the_window_of_its_size_is() -> None:
    item = Told("Print", Box(30, 40, 100, 30), "menu item", hits=[ref("Notes"), ref("Print")])
    menu = Told("", Box(20, 10, 120, 200), "menu", hits=[ref("Notes"), ref("Print")])
    menu.children.append(item)
    place_windows([window(menu)], [CLIENT], [Box(300, 90, 120, 200), Box(0, 0, 1, 1)])
    assert item.box == Box(310, 120, 100, 30)
    assert item.states & SHOWING


def test_a_closed_menu_is_not_shown() -> None:
    menu = Told("", Box(20, 10, 120, 200), "menu", hits=[ref("Notes"), None])
    place_windows([window(menu)], [CLIENT])
    assert not menu.states & SHOWING


def test_two_windows_that_cannot_be_told_apart_place_nothing() -> None:
    save = seen("Save", Box(20, 10, 60, 24))
    place_windows([window(save)], [CLIENT, CLIENT])
    assert save.box is None


def test_names_are_what_is_written() -> None:
    tab, twice, typed = (seen(n, Box(0, 0, 9, 9)) for n in ("Page _2", "Save Save", "GtkEntry"))
    label = seen("GtkEntry", Box(0, 0, 9, 9), "label")
    place_windows([window(tab, twice, typed, label)], [CLIENT])
    assert [one.name for one in (tab, twice, typed, label)] == ["Page 2", "Save", "", "GtkEntry"]


def test_what_stands_over_a_window_is_a_dialog_and_the_one_with_the_keyboard_is_active() -> None:
    field = seen("Name", Box(20, 10, 60, 24), "text")
    field.states |= FOCUSED
    dialog = seen("Save As", Box(0, 0, 400, 300), "filler", field)
    place_windows([dialog], [Client("notes", 7, "Save As", Box(100, 50, 400, 300))])
    assert dialog.role == "dialog"
    assert dialog.states & ACTIVE
