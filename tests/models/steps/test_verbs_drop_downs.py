"""Drop-downs that pages make of several things: a box that shows, a list, a field to search it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import SIZE, World, desk_of, element, play

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.claims.contents import has_content
from carrel.models.steps.program import Choose, Enter, Has, Point
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.entering import enter
from carrel.models.steps.verbs.pointing import point
from carrel.perception.merging import merge

ROOMS = ("Amber", "Birch", "Cedar")


class Form:
    """A page with a drop-down `Room`, which shows its choice by a field in it, and with `Notes`.

    Attributes:
        chosen: What is chosen.
        search: Whether a field over the open list looks through it.
    """

    def __init__(self, *, search: bool = True) -> None:
        self.chosen, self.search, self.opened = "Choose a room", search, False
        self.typed, self.notes = "", ""
        self.focus = ""
        self.world = World()
        self.world._click = self._click  # type: ignore[method-assign]
        self.world._type = self._type  # type: ignore[method-assign]
        self.world.on("key", self._key)
        self.draw()

    def draw(self) -> None:
        page = element("Booking", "document web", (0, 0, 800, 600), id="p")
        label = element("Room", "static", (40, 100, 46, 20), parent="p", id="l")
        states = ("focusable", "has popup", *(("expanded",) if self.opened else ()))
        combo = element(self.chosen, "combo box", (40, 124, 600, 28), *states, parent="p", id="c")
        shown = element(
            "", "entry", (41, 125, 598, 28), "read only", "disabled", value=self.chosen, parent="c"
        )
        notes = self._field("Notes", (40, 500, 600, 40), self.notes, "notes")
        rows = [page, label, combo, shown, notes]
        if self.opened:
            rows.append(element("", "list box", (40, 190, 600, 90), parent="c", id="b"))
            rows += [
                element(name, "list item", (40, 190 + 30 * n, 600, 30), parent="b", id=name)
                for n, name in enumerate(self.offered())
            ]
            if self.search:
                rows.append(self._field("", (44, 156, 590, 30), self.typed, "search"))
        self.world.elements = list(merge({"tree": rows}, SIZE))

    def _field(self, name: str, at: tuple[int, int, int, int], value: str, key: str) -> Element:
        states = ("editable", "focusable", "single line")
        focused = ("focused",) if self.focus == key else ()
        return element(name, "entry", at, *states, *focused, value=value, parent="p", id=key)

    def offered(self) -> list[str]:
        return [name for name in ROOMS if name.casefold().startswith(self.typed.casefold())]

    def _click(self, action: Click) -> None:
        hit = [e for e in self.world.elements if e.box and _in(e, action) and e.role != "list box"]
        at = min(hit, key=lambda e: e.box.area if e.box else 0)
        if at.role == "list item":
            self.chosen, self.opened, self.typed = at.name, False, ""
        elif at.id == "search":
            self.focus = "search"
        else:
            self.opened = 124 <= action.y < 152 and not self.opened
            self.focus = "notes" if at.id == "notes" else ""
        self.draw()

    def _type(self, text: str) -> None:
        if self.focus == "search":
            self.typed += text
        elif self.focus == "notes":
            self.notes += text
        self.draw()

    def _key(self, _w: World, _e: Element, action: Action) -> None:
        if action == Key(("enter",)) and self.opened and self.offered():
            self.chosen, self.opened, self.typed = self.offered()[0], False, ""
        elif action == Key(("escape",)):
            self.opened, self.typed = False, ""
        self.draw()


def _in(e: Element, at: Click) -> bool:
    return e.box is not None and e.box.x <= at.x < e.box.right and e.box.y <= at.y < e.box.bottom


@pytest.mark.parametrize("phrase", ["the Room drop-down", "Room", "the Room field"])
def test_a_drop_down_is_clicked_by_its_label_though_the_field_in_it_is_disabled(
    phrase: str,
) -> None:
    form = Form()
    desk = desk_of(form.world)
    play(form.world, point(desk, Point(phrase)))
    assert form.opened
    play(form.world, point(desk, Point("Cedar")))
    assert form.chosen == "Cedar"
    assert has_content(desk, Has("Room", "Cedar", "equals"))[0]
    assert not has_content(desk, Has("Room", "Birch", "equals"))[0]


def test_what_is_typed_while_a_list_is_open_goes_to_the_field_that_looks_through_it() -> None:
    form = Form()
    desk = desk_of(form.world)
    play(form.world, point(desk, Point("the Room drop-down")))
    play(form.world, enter(desk, Enter("Bir", None)))
    assert (form.typed, form.notes) == ("Bir", "")
    assert form.offered() == ["Birch"]


@pytest.mark.parametrize(("text", "typed", "chosen"), [("Cedar", "", "Cedar"), ("Ce", "Ce", "")])
def test_an_option_that_is_typed_is_chosen_and_a_part_of_one_is_searched_for(
    text: str, typed: str, chosen: str
) -> None:
    form = Form()
    play(form.world, enter(desk_of(form.world), Enter(text, "the Room field")))
    assert (form.typed, form.chosen) == (typed, chosen or "Choose a room")


def test_a_part_of_an_option_is_refused_where_nothing_looks_through_the_list() -> None:
    form = Form(search=False)
    with pytest.raises(Missed, match="has no option"):
        play(form.world, enter(desk_of(form.world), Enter("Ce", "the Room field")))
    assert (form.chosen, form.notes) == ("Choose a room", "")
    assert Type("Ce") not in form.world.done


def test_what_was_chosen_beside_the_field_of_a_drop_down_is_read_with_it() -> None:
    rows = [
        element("Things", "document web", (0, 0, 800, 600), id="p"),
        element("Equipment", "static", (40, 100, 80, 20), parent="p"),
        element("", "combo box", (40, 124, 600, 40), "focusable", "has popup", parent="p", id="c"),
        element("×", "static", (46, 130, 14, 20), parent="c", id="x"),
        element("Camera", "static", (62, 130, 60, 20), parent="c", id="t"),
        element("", "entry", (140, 130, 12, 24), "editable", value="", parent="c", id="e"),
    ]
    desk = desk_of(World(*rows))
    assert has_content(desk, Has("Equipment", "Camera", "equals"))[0]
    assert not has_content(desk, Has("Equipment", "Projector", "contains"))[0]


def test_a_drop_down_in_a_slit_is_used_by_what_the_page_has_put_after_it() -> None:
    slit = element("", "combo box", (95, 100, 2, 22), "has popup", "focusable", parent="p", id="c")
    world = World(
        element("Shop", "document web", (0, 0, 800, 600), id="p"),
        element("Country", "static", (30, 100, 64, 20), parent="p"),
        slit,
        element("", "section", (30, 124, 600, 36), parent="p", id="s"),
        element("Norway", "static", (40, 132, 50, 18), parent="s", id="shown"),
    )

    def opened(w: World, _e: Element, _a: Action) -> None:
        w.elements.append(element("Sweden", "list item", (30, 170, 600, 30), parent="p", id="o"))

    def taken(w: World, _e: Element, _a: Action) -> None:
        kept = [e for e in w.elements if e.id != "o"]
        w.elements = [replace(e, name="Sweden") if e.id == "shown" else e for e in kept]

    world.on("", opened)
    world.on("Norway", opened)
    world.on("Sweden", taken)
    play(world, choose(desk_of(world), Choose(("Sweden",), "the Country drop-down")))
    assert [e.name for e in world.elements if e.id == "shown"] == ["Sweden"]
    assert [a.y for a in world.done if isinstance(a, Click)] == [142, 185]


def test_a_box_with_one_text_beside_a_label_is_the_drop_down_of_that_name() -> None:
    world = World(
        element("Shop", "document web", (0, 0, 800, 600), id="p"),
        element("Team", "static", (30, 100, 40, 20), parent="p"),
        element("", "section", (76, 98, 300, 26), parent="p", id="s"),
        element("Sales", "static", (84, 102, 40, 18), parent="s", id="shown"),
        element("Name", "entry", (76, 200, 300, 26), "editable", value="", parent="p"),
    )

    def opened(w: World, _e: Element, _a: Action) -> None:
        w.elements.append(element("Support", "list item", (76, 130, 300, 26), parent="p", id="o"))

    def taken(w: World, _e: Element, _a: Action) -> None:
        kept = [e for e in w.elements if e.id != "o"]
        w.elements = [replace(e, name="Support") if e.id == "shown" else e for e in kept]

    world.on("", opened)
    world.on("Support", taken)
    play(world, choose(desk_of(world), Choose(("Support",), "the Team drop-down")))
    assert [e.name for e in world.elements if e.id == "shown"] == ["Support"]
    assert not [a for a in world.done if isinstance(a, Type)]


class Tags:
    """A drop-down that takes several, keeps its list open, and has what was taken before it."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.opened = False
        self.world = World()
        self.world._click = self._click  # type: ignore[method-assign]
        self.world.on("key", self._key)
        self.draw()

    def draw(self) -> None:
        states = ("editable", "focusable", "has popup", *(("expanded",) if self.opened else ()))
        left = 60 + 70 * len(self.taken)
        at = (left, 124, 640 - left, 24)
        rows = [
            element("Form", "document web", (0, 0, 800, 600), id="p"),
            element("Tags", "static", (10, 126, 40, 18), parent="p"),
            element("", "section", (56, 120, 590, 32), parent="p", id="s"),
            element("Tags", "combo box", at, *states, value="", parent="s", id="c"),
        ]
        for n, name in enumerate(self.taken):
            at = (60 + 70 * n, 126, 60, 18)
            rows.append(element(name, "static", at, parent="s", id=f"tag-{n}"))
        if self.opened:
            rows.append(element("", "list box", (56, 160, 590, 90), parent="p", id="b"))
            for n, name in enumerate(("Urgent", "Fragile", "Gift")):
                at, focus = (56, 160 + 30 * n, 590, 30), ("focused",) if not n else ()
                rows.append(element(name, "list item", at, *focus, parent="b", id=f"o{n}"))
        else:
            rows.append(element("Day", "entry", (56, 170, 590, 30), "editable", value="", id="day"))
        self.world.elements = rows

    def _click(self, action: Click) -> None:
        name = next((e.name for e in self.world.elements if _in(e, action) and e.id[0] == "o"), "")
        if name:
            self.taken = [t for t in self.taken if t != name] or []
            self.taken.append(name)
        else:
            self.opened = 120 <= action.y < 152 and not self.opened
        self.draw()

    def _key(self, _w: World, _e: Element, action: Action) -> None:
        self.opened = self.opened and action != Key(("escape",))
        self.draw()


def test_a_second_choice_is_taken_from_the_list_that_was_left_open() -> None:
    tags = Tags()
    desk = desk_of(tags.world)
    for name in ("Gift", "Urgent"):
        play(tags.world, choose(desk, Choose((name,), "Tags")))
    assert tags.taken == ["Gift", "Urgent"]
    assert not [a for a in tags.world.done if isinstance(a, Type)]
    assert has_content(desk, Has("Tags", "Gift", "contains"))[0]
    assert not has_content(desk, Has("Tags", "Fragile", "contains"))[0]


def test_a_list_that_was_left_open_is_closed_for_what_it_lies_over() -> None:
    tags = Tags()
    desk = desk_of(tags.world)
    play(tags.world, choose(desk, Choose(("Gift",), "Tags")))
    play(tags.world, point(desk, Point("the Day field")))
    assert not tags.opened
    assert tags.taken == ["Gift"]


def test_an_item_is_chosen_from_a_menu_that_a_button_of_a_page_opens() -> None:
    world = World(
        element("Invoices", "document web", (0, 0, 800, 600), id="p"),
        element("Actions", "push button", (600, 20, 100, 30), parent="p"),
    )
    taken: list[str] = []

    def opened(w: World, _e: Element, _a: Action) -> None:
        for n, name in enumerate(("Export", "New invoice")):
            w.elements.append(element(name, "link", (600, 60 + 30 * n, 120, 28), parent="p"))

    world.on("Actions", opened)
    world.on("New invoice", lambda _w, e, _a: taken.append(e.name))
    desk = desk_of(world)
    play(world, choose(desk, Choose(("New invoice",), "the Actions menu")))
    assert taken == ["New invoice"]
    assert not desk.doubts


def test_a_drop_down_that_tells_nothing_is_read_where_it_is_drawn() -> None:
    combo = element("Language", "combo box", (40, 100, 300, 30), "read only", "has popup", id="c")
    world = World(element("Form", "document web", (0, 0, 800, 600), id="p"), combo)

    def opened(w: World, _e: Element, _a: Action) -> None:
        w.elements.append(element("German", "list item", (40, 140, 300, 30), parent="p", id="o"))

    def picked(w: World, _e: Element, _a: Action) -> None:
        w.elements = [e for e in w.elements if e.id != "o"]
        at = Box(50, 106, 60, 18)
        w.closer_elements = [Element("r", "label", "German", None, at, source="ocr")]

    world.on("Language", opened)
    world.on("German", picked)
    desk = desk_of(world)
    play(world, choose(desk, Choose(("German",), "Language")))
    assert not desk.doubts
    world.closer_elements = []
    opened(world, combo, Click(0, 0))
    world.on("German", lambda w, _e, _a: w.elements.remove(w.elements[-1]))
    play(world, choose(desk, Choose(("German",), "Language")))
    assert desk.doubts
