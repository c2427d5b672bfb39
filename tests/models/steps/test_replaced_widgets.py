"""Widgets that pages draw themselves: what they hide is not seen, what they show is used."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Check, Choose, Has, Open, Perform, Shows, Tick
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.launching import open_
from carrel.models.steps.verbs.looking import check
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.ticking import tick
from carrel.perception._names import compare
from carrel.perception.labels import label_of
from carrel.perception.shown import as_shown

PAGE = element("Shop", "document web", (0, 0, 800, 500), id="p", value="file:///s.html")


def clicks(world: World) -> list[tuple[int, int]]:
    return [(a.x, a.y) for a in world.done if isinstance(a, Click)]


def test_a_list_that_a_page_has_shrunk_to_a_line_is_not_seen() -> None:
    shrunk = element("Colours", "list box", (88, 419, 2, 81), id="l")
    inner = element("Red", "list item", (88, 419, 5, 21), parent="l")
    drawn = element("Colours", "combo box", (47, 460, 498, 19), "editable")
    assert as_shown([shrunk, inner, drawn]) == (drawn,)


def test_a_list_under_the_field_of_its_drop_down_is_not_seen() -> None:
    combo = element("", "combo box", (46, 311, 560, 58), "has popup", id="c")
    under = element("Trips", "list box", (46, 311, 560, 53), parent="c", id="l")
    option = element("Hiking", "list item", (48, 333, 543, 18), parent="l")
    field = element("Trips", "entry", (54, 319, 9, 25), "editable", parent="c")
    assert as_shown([combo, under, option, field]) == (combo, field)


def test_an_option_that_is_told_twice_is_the_one_that_can_be_read() -> None:
    popup = element("", "section", (299, 401, 472, 104), id="s")
    row = element("", "section", (303, 405, 464, 32), parent="s", id="r")
    text = element("Sales", "static", (315, 413, 42, 16), parent="r")
    hidden = element("Sales", "list item", (303, 408, 14, 60), parent="s")
    assert as_shown([popup, row, text, hidden]) == (popup, row, text)


def test_an_option_at_the_edge_of_its_list_is_clicked_where_it_is_seen() -> None:
    listed = element("", "list box", (46, 256, 978, 105), id="l")
    cut = element("Portuguese", "list item", (47, 342, 961, 39), parent="l")
    box = as_shown([listed, cut])[1].box
    assert box is not None
    assert (box.y, box.bottom) == (342, 361)


def test_a_number_is_labelled_over_the_button_that_turns_it_down() -> None:
    label = element("Guests", "static", (66, 305, 56, 15))
    minus = element("", at=(146, 297, 32, 32))
    field = element("", "entry", (191, 302, 54, 22), "editable", value="1")
    assert label_of(field, (label, minus, field)) is label
    other = element("Reset", at=(146, 297, 40, 32))
    assert label_of(field, (label, other, field)) is None


@pytest.mark.parametrize(
    ("wish", "text", "same"),
    [("quantity", "Qty", True), ("phone", "Tel.", True), ("no", "Number", False)],
)
def test_shortened_words_are_known(wish: str, text: str, same: bool) -> None:
    assert (compare(wish, text) >= 0.9) is same


def test_an_editor_is_no_field_for_one_line() -> None:
    title = element("Title", "entry", (40, 40, 300, 20), "editable", "single line", value="")
    body = element("", "section", (40, 90, 600, 160), "editable", "multi line", value="")
    world = World(PAGE, title, body)
    assert play(world, ground(desk_of(world), "the editor")).element == body  # type: ignore[attr-defined]
    alone = World(PAGE, title)
    with pytest.raises(Missed):
        play(alone, ground(desk_of(alone), "the editor"))


def test_the_picture_at_the_end_of_a_row_is_told_by_its_place() -> None:
    parts = [PAGE, element("", "table", (0, 0, 800, 60), parent="p", id="t")]
    for n, name in enumerate(("Mugs", "Pens")):
        row, y = f"r{n}", 30 * n
        parts += [
            element(f"{name} 5", "table row", (0, y, 800, 30), parent="t", id=row),
            element(name, "table cell", (0, y, 300, 30), parent=row),
            element("", "table cell", (700, y, 60, 30), parent=row, id=f"{row}c"),
            element("", "image", (720, y + 8, 15, 15), parent=f"{row}c", id=f"{row}i"),
        ]
    world = World(*parts)
    found = play(world, ground(desk_of(world), "the cross at the end of the Pens row"))
    assert found.element.id == "r1i"  # type: ignore[attr-defined]


def test_what_is_said_is_the_name_of_a_control() -> None:
    link = element("Proceed to checkout", "link", (20, 200, 140, 18), parent="p")
    world = World(PAGE, link)
    desk = desk_of(world)
    desk.step = "proceed to checkout"
    play(world, open_(desk, Open("checkout")), desk)
    assert clicks(world) == [(90, 209)]


def test_a_choice_is_named_with_the_noun_over_its_group() -> None:
    world = World(
        PAGE,
        element("Contract", "static", (20, 40, 80, 18), parent="p"),
        element("Full-time", "radio button", (20, 64, 90, 18), "checkable", parent="p"),
        element("Part-time", "radio button", (120, 64, 90, 18), "checkable", parent="p"),
    )

    def take(w: World, e: Element, _a: Action) -> None:
        w.change(e.name, states=(*e.states, "checked"))

    world.on("Part-time", take)
    play(world, choose(desk_of(world), Choose(("the Part-time contract",))))
    assert clicks(world) == [(165, 73)]


def test_a_message_of_whatever_kind_says_what_the_page_says() -> None:
    world = World(PAGE, element("Saved", "static", (600, 20, 80, 18), parent="p"))
    for message in ("the snackbar", "a toast", "a notification", "the success banner"):
        play(world, check(desk_of(world), Check(Has(message, "Saved"))))
        with pytest.raises(Missed):
            play(world, check(desk_of(world), Check(Has(message, "Deleted"))))


def test_a_colour_that_is_said_of_a_text_is_not_left_out() -> None:
    world = World(PAGE, element("Saved", "static", (600, 20, 80, 18), parent="p"))
    with pytest.raises(Missed):
        play(world, check(desk_of(world), Check(Shows('the red "Saved"'))))


def test_a_tag_is_added_to_the_field_for_tags() -> None:
    field = element("Tags", "entry", (20, 60, 200, 24), "editable", "focusable", value="", id="f")
    world = World(PAGE, element("Save", at=(20, 200, 60, 20), parent="p"), field)

    def enter(w: World, _e: Element, action: Action) -> None:
        if action == Key(("enter",)):
            w.elements.append(element("urgent", "static", (24, 64, 50, 16), parent="p"))

    world.on("key", enter)
    play(world, perform(desk_of(world), Perform("add", 'the tag "urgent"')))
    assert Key(("enter",)) in world.done


def test_a_confirmation_is_accepted_by_the_button_that_says_so() -> None:
    asked = (
        element("Delete?", "dialog", (200, 100, 300, 120), "modal", id="d"),
        element("Cancel", at=(220, 180, 80, 24), parent="d"),
        element("OK", at=(320, 180, 80, 24), parent="d"),
    )
    for verb, at in (("accept", (360, 192)), ("dismiss", (260, 192))):
        world = World(PAGE, *asked)

        def go(w: World, _e: Element, _a: Action) -> None:
            w.elements = [PAGE]

        world.on("OK", go)
        world.on("Cancel", go)
        play(world, perform(desk_of(world), Perform(verb, "the confirmation")))
        assert clicks(world) == [at]
    empty = World(PAGE)
    with pytest.raises(Missed, match="0 dialogs are open"):
        play(empty, perform(desk_of(empty), Perform("accept", "the confirmation")))


def test_the_switch_of_a_cell_is_switched() -> None:
    world = World(
        PAGE,
        element("", "table", (0, 0, 800, 60), parent="p", id="t"),
        element("", "table row", (0, 0, 800, 30), parent="t", id="h"),
        element("Name", "column header", (0, 0, 300, 30), parent="h"),
        element("Active", "column header", (300, 0, 300, 30), parent="h"),
        element("Ann", "table row", (0, 30, 800, 30), parent="t", id="r"),
        element("Ann", "table cell", (0, 30, 300, 30), parent="r"),
        element("", "table cell", (300, 30, 300, 30), parent="r", id="c"),
        element("", "switch", (310, 34, 44, 22), "checkable", "checked", parent="c", id="s"),
    )

    def off(w: World, e: Element, _a: Action) -> None:
        kept = tuple(s for s in e.states if s != "checked")
        w.elements = [
            x
            if x.id != "s"
            else element("", "switch", (310, 34, 44, 22), *kept, parent="c", id="s")
            for x in w.elements
        ]

    world.on("", off)
    play(world, tick(desk_of(world), Tick(("Ann's Active",), on=False)))
    assert clicks(world) == [(332, 45)]


def a_table(*ages: str) -> list[Element]:
    parts = [
        PAGE,
        element("", "table", (0, 0, 800, 400), parent="p", id="t"),
        element("", "table row", (0, 0, 800, 30), parent="t", id="h"),
        element("Age", "column header", (0, 0, 300, 30), parent="h", id="head"),
        element("", "table row", (0, 300, 800, 30), parent="t", id="f"),
        element("Age", "column header", (0, 300, 300, 30), parent="f", id="foot"),
    ]
    for n, age in enumerate(ages):
        row, y = f"r{n}", 30 * n + 30
        parts += [
            element("", "table row", (0, y, 800, 30), parent="t", id=row),
            element(age, "table cell", (0, y, 300, 30), parent=row),
        ]
    return parts


def test_a_table_that_is_drawn_anew_is_clicked_once_at_its_head() -> None:
    world = World(*a_table("61", "22", "40"))

    def sort(w: World, _e: Element, _a: Action) -> None:
        w.elements = a_table()
        w.after(0.15, lambda later: setattr(later, "elements", a_table("22", "40", "61")))

    world.on("Age", sort)
    details = (("by", "Age"), ("order", "ascending"))
    play(world, perform(desk_of(world), Perform("sort", None, details)))
    assert clicks(world) == [(150, 15)]


def test_a_cell_is_under_the_heading_over_it_and_not_that_at_the_foot() -> None:
    world = World(*a_table("61", "22"))
    play(world, check(desk_of(world), Check(Has("61's Age", "61", "equals"))))


def test_a_toast_is_not_looked_for_in_a_dialog() -> None:
    world = World(
        PAGE,
        element("Ask", "dialog", (200, 100, 300, 120), id="d"),
        element("OK", at=(320, 180, 80, 24), parent="d"),
        element("Saved", "static", (600, 20, 80, 18), parent="p"),
    )
    play(world, check(desk_of(world), Check(Has("the toast", "Saved"))))


def test_who_logs_in_is_called_by_an_address() -> None:
    email = element("Email address", "entry", (20, 20, 200, 24), "editable", value="", id="e")
    secret = element("Password", "password text", (20, 60, 200, 24), "editable", value="", id="s")
    world = World(PAGE, email, secret, element("Sign in", at=(20, 100, 80, 24), parent="p"))
    details = (("username", "mia@x.org"), ("password", "pw"))
    play(world, perform(desk_of(world), Perform("sign in", None, details)))
    assert next(e.value for e in world.elements if e.id == "e") == "mia@x.org"
    assert clicks(world)[-1] == (60, 112)


def tagged() -> list[Element]:
    """A field for tags that a page draws, and the one that it stands for, without a place."""
    return [
        element("", "landmark", (40, 100, 500, 300), id="f", parent="p"),
        element("Keywords", "static", (60, 180, 80, 18), parent="f"),
        element("", "section", (60, 210, 460, 40), id="tags", parent="f"),
        element("Tags input field", "entry", (260, 214, 250, 28), "editable", parent="tags"),
        element("Keywords", "entry", (40, 100, 500, 300), "editable", value="[]", parent="f"),
        element("Headline", "entry", (60, 120, 460, 28), "editable", parent="f"),
        element("Publish", at=(240, 236, 90, 30), parent="f"),
    ]


def test_a_field_without_a_place_is_the_one_that_the_page_draws_instead() -> None:
    fields = [e for e in as_shown([PAGE, *tagged()]) if e.role == "entry"]
    assert [(e.name, e.box.width if e.box else 0) for e in fields] == [
        ("Keywords", 250),
        ("Headline", 460),
    ]


@pytest.mark.parametrize("said", ["Keywords", "the keywords field", "Headline"])
def test_nothing_is_typed_or_clicked_where_a_field_only_seems_to_be(said: str) -> None:
    desk = desk_of(World(PAGE, *tagged()))
    match = play_ground(desk, said)
    assert match.box is not None
    assert match.box.height < 40


def play_ground(desk: Desk, said: str) -> Element:
    world = World(*desk.elements)
    return play(world, ground(desk, said, want="type")).element


def test_a_field_that_fills_what_holds_it_is_seen_with_its_buttons() -> None:
    holder = element("", "section", (40, 40, 300, 30), id="s", parent="p")
    field = element("Search", "entry", (40, 40, 300, 30), "editable", parent="s")
    clear = element("Clear", at=(300, 44, 20, 20), parent="s")
    assert field in as_shown([PAGE, holder, field, clear])
