"""Controls that a page has made of mere words and signs, told by how they are laid out."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Drag
from carrel.frames import Element
from carrel.geometry import Box
from carrel.geometry import Point as Place
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.program import Choose, Expand, Perform, Point, SetValue, Step
from carrel.models.steps.program import Drag as DragStep
from carrel.models.steps.shown.star_rows import StarRow, row_for
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs import verb_of

PAGE = element("Page", "document web", (0, 0, 800, 600), id="p")


def page(*held: Element) -> World:
    return World(PAGE, *held)


def words(text: str, x: int, y: int, wide: int = 40, parent: str = "p") -> Element:
    return element(text, "static", (x, y, wide, 16), parent=parent, id=f"{text}-{x}-{y}")


def part(id_: str, at: tuple[int, int, int, int], parent: str = "p") -> Element:
    return element("", "section", at, parent=parent, id=id_)


def do(world: World, step: Step, said: str = "") -> None:
    desk = desk_of(world)
    desk.step = desk.asked = said
    verb = verb_of(step)
    assert verb is not None
    play(world, verb(desk, step))


def say(world: World, sentence: str) -> bool:
    """Carry out what a person says; whether all of it was."""
    player = Player(read_sentence(sentence), desk_of(world))
    play(world, player.play())
    return all(record.how == "passed" for record in player.ended)


def clicked(world: World) -> list[str]:
    """What was clicked, by the id of the smallest thing there."""
    found = []
    for action in world.done:
        if isinstance(action, Click):
            at = Place(action.x, action.y)
            here = [e for e in world.elements if e.box and e.box.contains(at)]
            found.append(min(here, key=lambda e: e.box.area if e.box else 0).id)
    return found


# Numbers between signs


def timer() -> World:
    """Rows of a label, a minus, a number with its unit, and a plus; the steps are of five."""
    held: list[Element] = []
    for n, (name, value) in enumerate([("Work phase", 25), ("Break", 5)]):
        y = 60 + 40 * n
        held += [
            words(name, 20, y, 80),
            element("−", "static", (200, y, 20, 16), parent="p", id=f"less{n}"),
            element(f"{value} min", "static", (240, y, 50, 16), parent="p", id=f"n{n}"),
            element("+", "static", (310, y, 20, 16), parent="p", id=f"more{n}"),
        ]
    world = page(*held)

    def react(world: World, pressed: Element, _: Action) -> None:
        line, by = pressed.id[-1], 5 if pressed.id.startswith("more") else -5
        for at, e in enumerate(world.elements):
            if e.id == f"n{line}" and e.box:
                said = f"{int(e.name.split()[0]) + by} min"
                box = (e.box.x, e.box.y, e.box.width, e.box.height)
                world.elements[at] = element(said, "static", box, parent="p", id=e.id)

    world.on("−", react)
    world.on("+", react)
    return world


def shown(world: World) -> list[str]:
    return [e.name for e in world.elements if e.id in ("n0", "n1")]


def test_a_number_with_a_unit_is_brought_to_the_value_in_its_steps() -> None:
    world = timer()
    do(world, SetValue("the work phase", "35 minutes"))
    assert shown(world) == ["35 min", "5 min"]


def test_a_number_is_not_set_that_is_told_in_another_unit() -> None:
    world = timer()
    with pytest.raises(Missed):
        do(world, SetValue("the break", "2 hours"))
    assert shown(world) == ["25 min", "5 min"]


def test_a_value_between_two_steps_is_no_success() -> None:
    world = timer()
    with pytest.raises(Missed, match="over 7"):
        do(world, SetValue("the break", "7 minutes"))


def test_a_number_that_is_chosen_is_counted_to() -> None:
    world = timer()
    do(world, Choose(("15 break",)))
    assert shown(world) == ["25 min", "15 min"]


# Places of a plan


def hall() -> World:
    """Rows A to C, with their letter at the left, of seats that say but their number."""
    held: list[Element] = []
    for r, letter in enumerate("ABC"):
        held.append(words(letter, 10, 60 + 40 * r, 12))
        held += [
            element(
                str(n), "static", (20 + 40 * n, 60 + 40 * r, 30, 20), parent="p", id=f"{letter}{n}"
            )
            for n in range(1, 6)
        ]
    return page(*held, element("Continue", at=(10, 300, 80, 20), parent="p", id="go"))


def week() -> World:
    """Days over the columns, hours at the left; what is at both is empty."""
    held = [words(day, 100 + 90 * d, 50) for d, day in enumerate(["Mon 4", "Tue 5", "Wed 6"])]
    for h, hour in enumerate(["09:00", "10:00", "11:00"]):
        held.append(words(hour, 20, 90 + 30 * h))
        held += [
            element("", "section", (80 + 90 * d, 82 + 30 * h, 88, 28), parent="p", id=f"{d}-{hour}")
            for d in range(3)
        ]
    return page(*held)


@pytest.mark.parametrize(
    "said", ["Take seats B2 and B4", "Choose seats B2 and B4", "Pick seats 2 and 4 in row B"]
)
def test_seats_are_told_by_the_letter_of_their_row_and_their_number(said: str) -> None:
    world = hall()
    assert say(world, said)
    assert clicked(world) == ["B2", "B4"]


def test_of_seats_that_are_not_all_there_none_is_taken() -> None:
    world = hall()
    assert not say(world, "Take seats B2 and B9")
    assert clicked(world) == []


@pytest.mark.parametrize(
    "phrase", ["the slot for Tuesday at 10:00", "Tuesday 10:00", "the cell at 10:00 on Tuesday"]
)
def test_the_empty_place_of_a_day_and_an_hour_is_where_they_meet(phrase: str) -> None:
    world = week()
    do(world, Point(phrase))
    assert clicked(world) == ["1-10:00"]


def test_a_place_is_told_by_the_names_of_its_line_and_its_column() -> None:
    world = page(
        words("Mon", 100, 50), words("Tue", 190, 50), words("Jon", 20, 90), words("Lena", 20, 120),
        *(part(f"{r}{c}", (80 + 90 * c, 84 + 30 * r, 88, 28)) for r in range(2) for c in range(2)),
    )  # fmt: skip
    do(world, Point("the cell for Lena on Tuesday"))
    assert clicked(world) == ["11"]


def test_what_is_added_at_a_time_of_a_plan_goes_into_the_field_that_comes_up_there() -> None:
    world = week()

    def opened(world: World, _hit: Element, _: Action) -> None:
        field = element("Title", "entry", (500, 100, 120, 24), "editable", "focused", parent="p")
        world.elements += [field, element("Save", at=(500, 140, 60, 24), parent="p")]

    world.on("", opened)
    step = Perform("add", "an event", (("named", "Dentist"), ("on", "Wednesday"), ("at", "11:00")))
    do(world, step, "add an event named Dentist on Wednesday at 11:00")
    assert clicked(world)[0] == "2-11:00"
    assert [e.value for e in world.elements if e.name == "Title"] == ["Dentist"]


def test_nothing_is_booked_where_something_stands_already() -> None:
    world = week()
    world.elements += [
        words("Team", 200, 120),
        element("Book", at=(20, 300, 60, 24), parent="p", id="book"),
    ]
    step = Perform("book", "the room", (("on", "Tuesday"), ("at", "10:00")))
    with pytest.raises(Missed, match="Team"):
        do(world, step, "book the room on Tuesday at 10:00")
    assert clicked(world) == []


# Stars


def films(*names: str) -> World:
    held: list[Element] = []
    for r, name in enumerate(names):
        held.append(words(name, 20, 60 + 40 * r, 90))
        held += [
            element("☆", "static", (200 + 24 * n, 60 + 40 * r, 22, 20), parent="p", id=f"{name}{n}")
            for n in range(1, 6)
        ]
    return page(*held)


def test_stars_that_are_mere_signs_are_given_by_their_number() -> None:
    world = films("Your rating")
    do(world, Perform("rate", "the kettle", (("with", "4 stars"),)))
    assert clicked(world) == ["Your rating4"]


def test_of_several_rows_of_stars_the_one_of_the_thing_is_meant() -> None:
    world = films("Blue Door", "Night Ferry")
    do(world, Perform("rate", '"Night Ferry"', (("with", "3 stars"),)))
    assert clicked(world) == ["Night Ferry3"]


def test_stars_of_two_things_are_given_each_its_own() -> None:
    world = films("Staff", "Breakfast")
    do(world, Perform("rate", "the staff", (("with", "5 stars and the breakfast 2 stars"),)))
    assert clicked(world) == ["Staff5", "Breakfast2"]


def test_no_star_of_another_thing_is_given() -> None:
    world = films("Blue Door", "Night Ferry")
    with pytest.raises(Missed):
        do(world, Perform("rate", "the Salt Road", (("with", "3 stars"),)))
    assert clicked(world) == []


def test_numbered_stars_of_cards_side_by_side_are_not_mixed_up() -> None:
    held: list[Element] = []
    for c, name in enumerate(["Maps", "Notes"]):
        held.append(words(name, 20 + 200 * c, 60))
        held += [
            element(
                f"{n} stars", at=(20 + 200 * c + 24 * n, 90, 22, 20), parent="p", id=f"{name}{n}"
            )
            for n in range(1, 6)
        ]
    world = page(*held)
    do(world, Perform("rate", "Notes", (("with", "4 stars"),)))
    assert clicked(world) == ["Notes4"]


# Words side by side


def segments(*, over: bool) -> World:
    """Two rows of choices, each beside what it is for, or under it."""
    held: list[Element] = []
    for r, (label, options) in enumerate([("Mode", "Heat Cool Eco"), ("Fan", "Auto Low High")]):
        y = 60 + 70 * r
        held += [
            words(label, 20, y),
            part(f"row{r}", (20 if over else 100, y + 24 * over, 240, 28)),
        ]
        for n, option in enumerate(options.split()):
            x = (20 if over else 100) + 80 * n
            held.append(part(f"s{option}", (x, y + 24 * over, 78, 28), f"row{r}"))
            held.append(words(option, x + 10, y + 6 + 24 * over, 40, f"s{option}"))
    return page(*held)


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("step", [SetValue("the mode", "Eco"), Choose(("the mode Eco",))])
def test_words_side_by_side_are_chosen_by_what_they_are_for(step: Step, over: bool) -> None:
    world = segments(over=over)
    do(world, step)
    assert [one.split("-")[0] for one in clicked(world)] == ["Eco"]


def test_a_choice_of_the_row_below_is_not_taken_for_a_label_with_its_own() -> None:
    world = segments(over=False)
    with pytest.raises(Missed):
        do(world, SetValue("the mode", "High"))
    assert clicked(world) == []


# Cards, branches, lists


def cards(bubbles: bool) -> World:
    held: list[Element] = []
    for n, name in enumerate(["Marketing", "Roadmap", "Hiring"]):
        x = 10 + 182 * n
        held += [
            part(f"card{n}", (x, 42, 170, 110)),
            element(name, "static", (x + 10, 52, 64, 16), parent=f"card{n}"),
            element("More options", at=(x + 134, 48, 30, 24), parent=f"card{n}", id=f"more{n}"),
        ]
    world = page(*held)
    if bubbles:
        # What a browser keeps for its hints lies over two of the cards.
        world.elements.append(element("", "frame", (63, -15, 226, 88), id="bubble"))

    def opened(world: World, hit: Element, _: Action) -> None:
        item = element(
            "Rename…", "menu item", (300, 90, 100, 24), parent="p", id=f"item{hit.id[-1]}"
        )
        world.elements.append(item)

    world.on("More options", opened)
    return world


@pytest.mark.parametrize("bubbles", [False, True])
def test_the_menu_of_the_card_that_is_named_is_opened(bubbles: bool) -> None:
    world = cards(bubbles)
    with pytest.raises(Missed, match="no field"):
        do(world, Perform("rename", 'the board "Roadmap"', (("to", "Plan"),)), "rename the board")
    assert clicked(world)[0] == "more1"


def test_a_sign_is_that_of_the_card_that_is_named_and_not_the_nearest() -> None:
    held: list[Element] = []
    for n, name in enumerate(["Rock", "Jazz", "Folk"]):
        x = 10 + 150 * n
        held += [
            part(f"card{n}", (x, 42, 140, 60)),
            words(name, x + 8, 50, 30, f"card{n}"),
            words("⋯", x + 120, 50, 12, f"card{n}"),
        ]
    world = page(*held)
    do(world, Point('the ⋯ menu of "Jazz"'))
    assert clicked(world) == ["⋯-280-50"]


def branches() -> World:
    return page(
        part("b0", (10, 40, 300, 22)), part("s0", (12, 42, 18, 18), "b0"),
        words("+", 16, 43, 10, "s0"), words("Sales", 34, 43, 40, "b0"),
        part("b1", (10, 64, 300, 22)), part("s1", (12, 66, 18, 18), "b1"),
        words("−", 16, 67, 10, "s1"), words("Asia", 34, 67, 40, "b1"),
    )  # fmt: skip


def test_a_branch_is_unfolded_by_the_sign_before_its_words() -> None:
    world = branches()
    do(world, Expand("Sales"))
    assert clicked(world) == ["+-16-43"]


def test_a_branch_that_is_open_is_left_open() -> None:
    world = branches()
    do(world, Expand("Asia"))
    assert clicked(world) == []


def drags(world: World) -> list[tuple[int, int]]:
    return [(a.path[-1].x, a.path[-1].y) for a in world.done if isinstance(a, Drag)]


@pytest.mark.parametrize(("side", "low"), [("top", False), ("bottom", True)])
def test_the_ends_of_a_list_are_beyond_its_first_and_last_entry(side: str, low: bool) -> None:
    rows = [part(f"r{n}", (10, 60 + 40 * n, 220, 36)) for n in range(4)]
    texts = [words(f"Song {n}", 20, 70 + 40 * n, 60, f"r{n}") for n in range(4)]
    extras = [words("3:20", 180, 70 + 40 * n, 30, f"r{n}") for n in range(4)]
    world = page(*rows, *texts, *extras)

    def dropped(world: World, _hit: Element, _: Action) -> None:
        world.painted += "moved"

    world.on("drag", dropped)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(World, "_other", lambda self, _action: self._show("moved"))
        do(world, DragStep("Song 1" if low else "Song 2", f"the {side} of the list"))
    ((x, y),) = drags(world)
    last = 60 + 40 * (3 if low else 0)
    assert 10 <= x < 230
    assert (y > last + 18) == low
    assert last <= y < last + 36


def test_a_thing_is_dragged_into_the_box_that_is_titled_with_more_words() -> None:
    world = page(
        words("Lamp", 20, 60), words("Vase", 120, 60),
        part("cart", (10, 150, 400, 100)), words("Your cart", 20, 160, 70, "cart"),
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(World, "_other", lambda self, _action: self._show("moved"))
        do(world, DragStep("the lamp", "the cart"))
    ((x, y),) = drags(world)
    assert 10 <= x < 410
    assert 176 <= y < 250


def test_a_page_that_is_called_like_a_box_takes_nothing() -> None:
    world = World(
        element("Crate - Browser", "frame", (0, 0, 800, 600), id="w"),
        element("Crate", "document web", (0, 40, 800, 560), id="p", parent="w"),
        words("Pears", 20, 60), words("Plums", 120, 60),
        part("crate", (10, 150, 200, 120)), words("Crate", 20, 160, 50, "crate"),
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(World, "_other", lambda self, _action: self._show("moved"))
        do(world, DragStep("the pears", "the crate"))
    ((x, y),) = drags(world)
    assert 10 <= x < 210
    assert 150 <= y < 270


def chips() -> World:
    held: list[Element] = []
    for n, name in enumerate(["Ada", "Olga", "Raj", "Tim"]):
        x = 20 + 90 * n
        held += [
            part(f"chip{n}", (x, 60, 80, 24)), words(name, x + 8, 64, 30, f"chip{n}"),
            part(f"x{n}", (x + 54, 64, 16, 16), f"chip{n}"), words("×", x + 58, 64, 9, f"x{n}"),
        ]  # fmt: skip
    return page(*held)


def test_each_of_the_names_said_together_is_removed_by_its_own_cross() -> None:
    world = chips()
    say(world, "Remove Olga and Tim from the guests")
    assert clicked(world) == ["×-168-64", "×-348-64"]


def test_a_button_is_pressed_by_all_of_its_name() -> None:
    world = page(element("Add to order", at=(20, 40, 90, 24), parent="p", id="add"))
    say(world, "Press Add to order")
    assert clicked(world) == ["add"]


def test_a_switch_that_tells_of_itself_is_not_taken_for_its_knob() -> None:
    world = page(
        element("Receipts", "toggle button", (20, 50, 44, 24), "pressed", parent="p", id="t"),
        part("knob", (41, 53, 20, 20), "t"),
        words("Receipts", 75, 55, 60),
    )

    def turned(world: World, hit: Element, _: Action) -> None:
        world.elements = [
            element("Receipts", "toggle button", (20, 50, 44, 24), parent="p", id="t")
            if e.id == "t" else e
            for e in world.elements
        ]  # fmt: skip

    world.on("", turned)
    world.on("Receipts", turned)
    say(world, "Switch off Receipts")
    assert not any("pressed" in e.states for e in world.elements)


def test_the_only_row_of_stars_is_not_for_what_it_does_not_say() -> None:
    row = StarRow((Box(0, 0, 20, 20),), ("Delivery",))
    assert row_for([row], "the delivery") is row
    assert row_for([row], "the hotel") is None
    mere = StarRow(row.stars, ("Your rating:",))
    assert row_for([mere], "the kettle") is mere
