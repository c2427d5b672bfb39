from __future__ import annotations

import datetime
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps_world import DeadWorld, World, desk_of, element, play

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element, Window
from carrel.geometry import Box, Point
from carrel.models.steps.program import (
    Clear,
    Complete,
    Enter,
    PickDate,
    PickTime,
    SetValue,
    Submit,
)
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.dates import pick_date, written
from carrel.models.steps.verbs.entering import clear, enter, submit
from carrel.models.steps.verbs.fields import field_aside, taking_text
from carrel.models.steps.verbs.finding import complete
from carrel.models.steps.verbs.setting import set_value
from carrel.models.steps.verbs.times import pick_time
from carrel.perception.find import Match


def field(name: str, y: int = 10, *states: str, value: str = "", role: str = "entry") -> Element:
    return element(name, role, (100, y, 200, 20), "editable", *states, value=value)


def value_of(world: World, name: str) -> str | None:
    return next(e.value for e in world.elements if e.name == name)


def test_a_field_is_clicked_emptied_and_filled_in_one_go() -> None:
    world = World(field("Name", value="old"), field("Email", 60))
    play(world, enter(desk_of(world), Enter("Ada", "Name")))
    assert value_of(world, "Name") == "Ada"
    assert world.done == [Click(200, 20), Key(("ctrl", "a")), Type("Ada")]


def test_text_may_be_added_to_what_is_there() -> None:
    world = World(field("Name", value="Ada"))
    play(world, enter(desk_of(world), Enter(" L.", "Name", append=True)))
    assert value_of(world, "Name") == "Ada L."


def test_a_field_is_found_by_the_label_next_to_it() -> None:
    world = World(element("Phone:", "label", (10, 10, 80, 20)), field(""))
    play(world, enter(desk_of(world), Enter("123", "Phone")))
    assert value_of(world, "") == "123"


def test_a_field_that_takes_the_text_at_the_second_time_is_no_failure() -> None:
    world = World(field("Name"))
    tried: list[Action] = []

    def busy(w: World, e: Element, action: Action) -> None:
        tried.append(action)
        if len(tried) == 1:
            w.change("Name", states=tuple(s for s in e.states if s != "focused"))

    world.on("Name", busy)
    play(world, enter(desk_of(world), Enter("Ada", "Name")))
    assert len(tried) == 2
    assert value_of(world, "Name") == "Ada"


def test_a_field_that_never_takes_the_text_is_told() -> None:
    world = World(field("Name", value="fixed"))
    world.on("Name", lambda w, e, _a: w.change("Name", states=e.states))
    with pytest.raises(Missed, match="holds 'fixed' after 'Ada' was typed"):
        play(world, enter(desk_of(world), Enter("Ada", "Name")))


def test_a_field_may_write_a_number_its_own_way() -> None:
    world = World(field("Phone"))
    desk = desk_of(world)
    turns = enter(desk, Enter("5551234", "Phone"))
    request = next(turns)
    world.answer(request)
    world.change("Phone", value="555-1234")
    with pytest.raises(StopIteration):
        turns.send(world.seen())


def test_a_password_is_checked_by_its_length() -> None:
    world = World(field("Password", role="password text"))
    desk = desk_of(world)
    turns = enter(desk, Enter("s3cret", "Password"))
    world.answer(next(turns))
    world.change("Password", value="••••••")
    with pytest.raises(StopIteration):
        turns.send(world.seen())


def test_text_without_a_place_goes_into_the_only_field_or_asks_which() -> None:
    world = World(field("Name"), element("Go", at=(10, 300, 50, 20)))
    play(world, enter(desk_of(world), Enter("Ada")))
    assert value_of(world, "Name") == "Ada"
    two = World(field("Name"), field("Email", 60))
    with pytest.raises(Missed, match="not said which field"):
        play(two, enter(desk_of(two), Enter("Ada")))
    assert not [action for action in two.done if isinstance(action, Type)]


def test_text_without_a_place_goes_where_the_keyboard_is() -> None:
    world = World(field("Name"), field("Email", 60, "focused"))
    play(world, enter(desk_of(world), Enter("a@b.c")))
    assert value_of(world, "Email") == "a@b.c"


def test_a_window_without_a_tree_is_simply_typed_into() -> None:
    root = element("Form", "frame", (0, 0, 800, 600), id="f")
    world = World(root, replace(field("Name"), parent="f"))
    world.windows = [
        Window(1, "Form", Box(0, 0, 800, 600)),
        Window(2, "xterm", Box(50, 50, 400, 300), focused=True),
    ]
    play(world, enter(desk_of(world), Enter("ls")))
    assert world.done[-1] == Type("ls")
    assert not [action for action in world.done if isinstance(action, Click)]


def test_a_field_is_emptied() -> None:
    world = World(field("Name", value="old"))
    play(world, clear(desk_of(world), Clear("Name")))
    assert value_of(world, "Name") == ""


def test_a_form_is_finished_with_the_button_it_has_for_that() -> None:
    world = World(element("Cancel"), element("Submit", at=(200, 10, 80, 20)))
    play(world, submit(desk_of(world), Submit()))
    assert world.done == [Click(240, 20)]
    bare = World(field("Name", 10, "focused"))
    play(bare, submit(desk_of(bare), Submit()))
    assert bare.done == [Key(("enter",))]
    with pytest.raises(Missed, match="no button to finish"):
        play(World(element("Help")), submit(desk_of(World(element("Help"))), Submit()))


def test_the_suggestion_that_fits_is_taken() -> None:
    world = World(field("City"))

    def suggest(w: World) -> None:
        for number, name in enumerate(("Lima", "Lisbon", "Liverpool")):
            w.elements.append(element(name, "list item", (100, 40 + 20 * number, 100, 18)))

    world.after(0.3, suggest)
    step = Complete(starts="Li", ends="pool", into="City")
    world.on("Liverpool", lambda w, _e, _a: w.change("City", value="Liverpool"))
    assert play(world, complete(desk_of(world), step)) == "Liverpool"
    assert world.done[-1] == Click(150, 89)


def test_several_suggestions_that_fit_are_not_guessed_between() -> None:
    world = World(field("City"))
    world.after(
        0.3,
        lambda w: w.elements.extend(
            element(name, "list item", (100, y, 100, 18))
            for name, y in (("Lima", 40), ("Lisbon", 60))
        ),
    )
    with pytest.raises(Missed, match="several suggestions"):
        play(world, complete(desk_of(world), Complete(starts="Li", into="City")))


# Values


def slider(world: World, _e: Element, action: Action) -> None:
    assert isinstance(action, Key)
    step = 5 if action.keys == ("right",) else -5
    now = int(next(e.value or "0" for e in world.elements if e.role == "slider"))
    world.change("Volume", value=str(min(100, max(0, now + step * action.repeat))))


def test_a_slider_is_driven_by_what_it_says_itself() -> None:
    world = World(element("Volume", "slider", (100, 10, 200, 20), value="20"))
    world.on("key", slider)
    play(world, set_value(desk_of(world), SetValue("Volume", "75")))
    assert value_of(world, "Volume") == "75"
    play(world, set_value(desk_of(world), SetValue("Volume", "10")))
    assert value_of(world, "Volume") == "10"
    play(world, set_value(desk_of(world), SetValue("Volume", "5", relative=True)))
    assert value_of(world, "Volume") == "15"


def test_a_slider_without_a_value_is_driven_by_the_number_that_goes_with_it() -> None:
    world = World(
        element("Volume", "slider", (100, 40, 20, 20)),
        element("", "entry", (100, 10, 80, 20), value="$20"),
        element("", "entry", (100, 90, 80, 20), value="7"),
    )

    def turn(world: World, _e: Element, action: Action) -> None:
        assert isinstance(action, Key)
        change = action.repeat if action.keys == ("right",) else -action.repeat
        shown = next(e for e in world.elements if e.value and e.value.startswith("$"))
        now = replace(shown, value=f"${int((shown.value or '')[1:]) + change}")
        world.elements = tuple(now if e is shown else e for e in world.elements)

    world.on("key", turn)
    play(world, set_value(desk_of(world), SetValue("Volume", "75")))
    assert [e.value for e in world.elements] == [None, "$75", "7"]


def test_a_value_that_a_slider_cannot_have_is_told() -> None:
    world = World(element("Volume", "slider", (100, 10, 200, 20), value="20"))
    world.on("key", slider)
    with pytest.raises(Missed, match="cannot be brought to 42"):
        play(world, set_value(desk_of(world), SetValue("Volume", "42")))


def test_a_spinner_is_typed_into() -> None:
    world = World(field("Quantity", role="spin button", value="1"))
    play(world, set_value(desk_of(world), SetValue("Quantity", "12")))
    assert value_of(world, "Quantity") == "12"


# Dates and times


def date_field(*parts: str) -> World:
    editor = element("Due", "date editor", (100, 10, 200, 20), id="d")
    inner = [
        element(f"{part} Due", "spin button", (105 + 30 * n, 10, 25, 20), parent="d")
        for n, part in enumerate(parts)
    ]
    return World(editor, *inner)


def test_the_parts_of_a_date_are_typed_in_the_order_they_stand() -> None:
    world = date_field("Month", "Day", "Year")
    play(world, pick_date(desk_of(world), PickDate("May 4, 2023", "2023-05-04", "Due")))
    assert world.done[-1] == Type("05042023")
    world = date_field("Day", "Month", "Year")
    play(world, pick_date(desk_of(world), PickDate("May 4, 2023", "2023-05-04")))
    assert world.done[-1] == Type("04052023")


def test_the_parts_of_a_time_are_typed_as_the_clock_has_them() -> None:
    world = date_field("Hours", "Minutes", "AM/PM")
    play(world, pick_time(desk_of(world), PickTime("5:07 pm", "17:07", "Due")))
    assert world.done[-1] == Type("0507PM")
    world = date_field("Hours", "Minutes")
    play(world, pick_time(desk_of(world), PickTime("5:07 pm", "17:07")))
    assert world.done[-1] == Type("1707")


def calendar(world: World, year: int, month: int) -> None:
    world.elements = [e for e in world.elements if not e.id.startswith("cal")]
    first = datetime.date(year, month, 1)
    world.elements += [
        element(f"{first:%B %Y}", "label", (150, 60, 100, 20), id="cal-head"),
        element("Prev", "link", (100, 60, 30, 20), id="cal-prev"),
        element("Next", "link", (270, 60, 30, 20), id="cal-next"),
    ]
    days = (datetime.date(year + month // 12, month % 12 + 1, 1) - first).days
    for day in range(1, days + 1):
        place = first.weekday() + day - 1
        at = (100 + 28 * (place % 7), 100 + 24 * (place // 7), 26, 22)
        world.elements.append(element(str(day), "link", at, id=f"cal-{day}"))


def test_a_calendar_is_walked_to_the_month_and_its_day_is_clicked() -> None:
    world = World(field("Due"))
    shown = [2024, 3]

    def turn(by: int) -> None:
        months = shown[0] * 12 + shown[1] - 1 + by
        shown[:] = [months // 12, months % 12 + 1]
        calendar(world, shown[0], shown[1])

    world.on("Due", lambda w, _e, _a: calendar(w, 2024, 3))
    world.on("Prev", lambda _w, _e, _a: turn(-1))
    world.on("Next", lambda _w, _e, _a: turn(1))
    clicked: list[str] = []
    world.on("27", lambda _w, e, _a: clicked.append(f"{shown[0]}-{shown[1]}-{e.name}"))
    play(world, pick_date(desk_of(world), PickDate("27 Nov 2022", "2022-11-27", "Due")))
    assert clicked == ["2022-11-27"]


@pytest.mark.parametrize(
    ("years", "months"),
    [
        (("Previous year", "Next year"), ("Previous month", "Next month")),
        (("上一年", "下一年"), ("上个月", "下个月")),
        (("«", "»"), ("‹", "›")),
        ((), ("«", "»")),
    ],
)
@pytest.mark.parametrize("iso", ["1995-08-27", "2031-01-27", "2024-02-27"])
def test_a_far_year_is_gone_to_by_the_arrows_for_years_where_there_are_any(
    years: tuple[str, ...], months: tuple[str, str], iso: str
) -> None:
    world = World()
    shown = [2024, 3]

    def draw() -> None:
        calendar(world, shown[0], shown[1])
        world.elements = [e for e in world.elements if e.name not in ("Prev", "Next")]
        arrows = zip((*years, *months), (60, 300, 100, 270), strict=False)
        world.elements += [
            element(name, "push button", (x, 60, 30, 20), id=f"cal-{name}") for name, x in arrows
        ]

    def turn(by: int) -> None:
        month = shown[0] * 12 + shown[1] - 1 + by
        shown[:] = [month // 12, month % 12 + 1]
        draw()

    draw()
    for name, by in zip((*months, *years), (-1, 1, -12, 12), strict=False):
        world.on(name, lambda _w, _e, _a, by=by: turn(by))  # type: ignore[misc]
    clicked: list[str] = []
    world.on("27", lambda _w, e, _a: clicked.append(f"{shown[0]}-{shown[1]:02}-{e.name}"))
    play(world, pick_date(desk_of(world), PickDate(iso, iso)))
    assert clicked == [iso]
    count = len([a for a in world.done if isinstance(a, Click)])
    assert not years or count < 45


def test_a_calendar_that_does_not_go_on_is_told() -> None:
    world = World()
    calendar(world, 2024, 3)
    with pytest.raises(Missed, match=r"shows March 2024 and has no way to 1995-08-27"):
        play(world, pick_date(desk_of(world), PickDate("27 Aug 1995", "1995-08-27")))
    assert len([a for a in world.done if isinstance(a, Click)]) <= 24


def test_a_year_that_is_a_field_of_the_heading_is_typed() -> None:
    world = World()
    shown = [2024, 3]

    def draw() -> None:
        calendar(world, shown[0], shown[1])
        world.elements = [e for e in world.elements if e.id != "cal-head"]
        first = datetime.date(shown[0], shown[1], 1)
        head = element(f"{first:%B}", "label", (150, 60, 60, 20), id="cal-month")
        year = element("Year", "spin button", (215, 60, 50, 20), value=str(shown[0]), id="cal-year")
        world.elements += [head, year]

    def typed(world: World, _e: Element, action: Action) -> None:
        if isinstance(action, Type):
            shown[0] = int(action.text)
            draw()

    def turn(by: int) -> None:
        month = shown[0] * 12 + shown[1] - 1 + by
        shown[:] = [month // 12, month % 12 + 1]
        draw()

    draw()
    world.on("type", typed)
    world.on("Prev", lambda _w, _e, _a: turn(-1))
    world.on("Next", lambda _w, _e, _a: turn(1))
    clicked: list[str] = []
    world.on("27", lambda _w, e, _a: clicked.append(f"{shown[0]}-{shown[1]:02}-{e.name}"))
    play(world, pick_date(desk_of(world), PickDate("27 Aug 1995", "1995-08-27")))
    assert clicked == ["1995-08-27"]


def test_keys_of_a_display_that_takes_no_text_are_pressed_one_at_a_time() -> None:
    def display(shown: str) -> Element:
        states = ("focusable", "focused", "multi line")
        return element("", "text", (10, 10, 300, 50), *states, value=shown)

    def keyed(world: World, _e: Element, action: Action) -> None:
        assert isinstance(action, Type)
        # Of keys that come at once only the first is taken.
        world.elements[0] = display(action.text[0])

    world = World(display("0"), element("=", at=(10, 100, 40, 40)))
    world.on("type", keyed)
    play(world, enter(desk_of(world), Enter("125/5")))
    assert [a.text for a in world.done if isinstance(a, Type)] == ["1", "2", "5", "/", "5"]
    dead = DeadWorld(display("0"))
    with pytest.raises(Missed, match="nothing changed"):
        play(dead, enter(desk_of(dead), Enter("125/5")))


def test_of_months_side_by_side_any_tells_which_the_first_is() -> None:
    """The first has its name in a drop-down that does not tell what is chosen."""
    world = World(field("Due"))

    def opened(world: World, _e: Element, _a: Action) -> None:
        world.elements.append(element("", "combo box", (150, 60, 60, 20)))
        for x, name in ((100, ""), (400, "March"), (700, "April")):
            world.elements.append(element("", "table", (x, 90, 200, 160)))
            for n, text in enumerate((name, "2027") if name else ()):
                world.elements.append(element(text, "static", (x + 60 + 50 * n, 60, 40, 20)))
            for day in range(1, 31):
                at = (x + 28 * (day % 7), 100 + 24 * (day // 7), 26, 22)
                world.elements.append(element(str(day), "link", at))

    world.on("Due", opened)
    play(world, pick_date(desk_of(world), PickDate("10 Feb 2027", "2027-02-10", "Due")))
    clicks = [action for action in world.done if isinstance(action, Click)]
    assert clicks[-1] == Click(100 + 28 * 3 + 13, 100 + 24 + 11)


def test_a_plain_field_takes_the_date_as_it_asks_for_it() -> None:
    world = World(field("Due (yyyy-mm-dd)"))
    play(world, pick_date(desk_of(world), PickDate("May 4, 2023", "2023-05-04", "Due")))
    assert world.elements[0].value == "2023-05-04"


@given(st.dates(datetime.date(1000, 1, 1), datetime.date(9999, 12, 31)))
def test_a_hint_says_how_a_date_is_written(date: datetime.date) -> None:
    assert written(date, "yyyy-mm-dd", "") == date.isoformat()
    assert written(date, "dd.mm.yyyy", "") == f"{date:%d}.{date:%m}.{date:%Y}"
    assert written(date, "", "as said") == "as said"


def test_words_that_open_no_field_take_no_text() -> None:
    page = element("Draft", "document web", (0, 0, 800, 600), id="p")
    label = element("Body", "static", (20, 100, 40, 16), parent="p")
    other = element(
        "Headline", "entry", (20, 40, 300, 30), "editable", "focused", value="", parent="p"
    )
    third = element("Author", "entry", (400, 40, 300, 30), "editable", value="", parent="p")
    world = World(page, other, third, label)
    with pytest.raises(Missed, match="only a text"):
        play(world, taking_text(desk_of(world), Match(label, 1.0, Point(40, 108))))
    assert not [a for a in world.done if isinstance(a, Type)]


def test_an_editor_goes_by_the_words_over_its_tools() -> None:
    page = element("Draft", "document web", (0, 0, 800, 600), id="p")
    label = element("Body", "static", (20, 100, 40, 16), parent="p")
    bold = element("bold", at=(60, 124, 24, 24), parent="p")
    states = ("editable", "multi line", "focusable")
    editor = element("", "section", (20, 160, 500, 120), *states, value="", parent="p", id="e")
    world = World(page, label, bold, editor)
    play(world, enter(desk_of(world), Enter("Hello", "the Body editor")))
    assert next(e for e in world.elements if e.id == "e").value == "Hello"


def test_the_field_below_is_the_one_under_what_was_read() -> None:
    text = element("", "entry", (10, 10, 200, 80), "editable", "multi line", value="one two")
    answer = element("", "entry", (10, 120, 200, 20), "editable", value="")
    desk = desk_of(World(text, answer))
    desk.worked = text.box
    assert field_aside(desk, "the field below") == answer
    assert field_aside(desk, "the field above") is None
    desk.worked = None
    assert field_aside(desk, "the field below") is None
