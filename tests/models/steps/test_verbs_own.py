from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.phrases.owners import is_person, owner_of
from carrel.models.steps.program import Fill, Perform
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.forms import fill
from carrel.models.steps.verbs.offers import best_of, read_duration, read_money
from carrel.models.steps.verbs.performing import perform


def field(name: str, y: int, *states: str) -> Element:
    return element(name, "entry", (100, y, 200, 20), "editable", *states, value="")


def clicks(world: World) -> list[tuple[int, int]]:
    return [(a.x, a.y) for a in world.done if isinstance(a, Click)]


@pytest.mark.parametrize(
    ("phrase", "who"),
    [
        ("the letter by Mira", "Mira"),
        ("the message from Mira Lund", "Mira Lund"),
        ("Mira's note", "Mira"),
        ("the post that Mira wrote", "Mira"),
        ("all of Mira's messages from today", "Mira"),
        ("the user @mira", "@mira"),
        ('the comment by "mira"', "mira"),
    ],
)
def test_a_thing_is_known_by_whom_it_belongs_to(phrase: str, who: str) -> None:
    assert owner_of(phrase) == who


@pytest.mark.parametrize(
    "phrase", ["the contact book", "the button by Save", "the user name", "Save", "the task list"]
)
def test_other_things_belong_to_nobody(phrase: str) -> None:
    assert owner_of(phrase) is None


def test_a_person_is_no_thing_of_theirs() -> None:
    assert is_person("the user @mira")
    assert not is_person("the post by @mira")


@given(st.text(max_size=60))
def test_any_words_can_be_asked_whose_they_are(text: str) -> None:
    owner_of(text)
    best_of(text)
    read_money(text)
    read_duration(text)


def mailbox() -> World:
    """Three entries, each with a name, a line, and two icons."""
    parts: list[Element] = []
    for number, who in enumerate(("Mira", "Jon", "Ada")):
        y, row = 20 + 60 * number, f"row{number}"
        parts += [
            element("", "section", (0, y, 400, 50), id=row),
            element(who, "static", (10, y + 4, 80, 16), parent=row),
            element("Hello there", "static", (10, y + 24, 120, 16), parent=row),
            element("pic-trash-symbolic", "image", (340, y + 10, 16, 16), parent=row),
            element("pic-star-symbolic", "image", (360, y + 10, 16, 16), parent=row),
        ]
    return World(*parts)


@pytest.mark.parametrize(
    ("step", "at"),
    [
        (Perform("delete", "the letter by Jon"), (348, 98)),
        (Perform("remove", "Jon's message"), (348, 98)),
        (Perform("mark", "the mail from Ada", (("as", "important"),)), (368, 158)),
        (Perform("star", "the email from Mira"), (368, 38)),
    ],
)
def test_the_icon_of_the_entry_itself_is_pressed(step: Perform, at: tuple[int, int]) -> None:
    world = mailbox()
    play(world, perform(desk_of(world), step))
    assert clicks(world) == [at]


def test_a_verb_is_found_under_the_person_s_own_word() -> None:
    world = World(
        element("", "table row", (0, 30, 460, 40), id="row"),
        element("照片.zip", "table cell", (10, 40, 80, 20), parent="row"),
        element("重命名", "push button", (300, 40, 60, 20), parent="row"),
        element("分享", "push button", (380, 40, 60, 20), parent="row"),
    )
    desk = desk_of(world)
    desk.said = "重命名"
    play(world, perform(desk, Perform("rename", '"照片.zip"', said="重命名")))
    assert clicks(world) == [(330, 50)]


def test_a_verb_that_is_behind_the_entry_is_found_there() -> None:
    world = mailbox()

    def opened(world: World, hit: Element, action: Action) -> None:
        world.elements = [
            element("Answer", "static", (20, 300, 60, 20)),
            element("Forward", "static", (120, 300, 60, 20)),
        ]

    def form(world: World, hit: Element, action: Action) -> None:
        world.elements = [
            element("To:", "label", (20, 20, 40, 20)),
            field("", 20),
            replace(field("", 60, "multi line"), id="body"),
            element("close-symbolic", "image", (10, 200, 16, 16)),
            element("send-symbolic", "image", (60, 200, 16, 16)),
        ]

    world.on("Ada", opened)
    world.on("Forward", form)
    step = Perform("forward", "the message from Ada", (("to", "Jon"),))
    play(world, perform(desk_of(world), step))
    assert clicks(world)[0] == (50, 152)
    assert clicks(world)[-1] == (68, 208)
    assert [e.value for e in world.elements if e.role == "entry"] == ["Jon", ""]


def shop(*offers: tuple[str, str, str]) -> World:
    parts: list[Element] = []
    for number, (name, duration, price) in enumerate(offers):
        y = 10 + 50 * number
        parts.append(element(name, "static", (10, y, 100, 16)))
        parts.append(element(f"Takes {duration}", "static", (120, y, 100, 16)))
        parts.append(element(f"Book for {price}", at=(10, y + 20, 120, 20)))
    return World(*parts)


OFFERS = (("Night boat", "9h 5m", "$80"), ("Fast boat", "50 min", "$210"), ("Bus", "1h", "$45"))


@pytest.mark.parametrize(
    ("phrase", "at"),
    [
        ("the cheapest trip", 140),
        ("the least expensive ticket", 140),
        ("the trip with the highest price", 90),
        ("the most expensive ticket", 90),
        ("the fastest connection", 90),
        ("the shortest trip", 90),
        ("the longest trip", 40),
    ],
)
def test_the_best_of_several_offers_is_taken(phrase: str, at: int) -> None:
    world = shop(*OFFERS)
    world.hidden = []
    play(world, perform(desk_of(world), Perform("book", phrase)))
    assert clicks(world) == [(70, at)]


def test_two_equally_good_offers_are_not_guessed_between() -> None:
    world = shop(("A", "1h", "$5"), ("B", "2h", "$5"))
    with pytest.raises(Missed, match="equally good"):
        play(world, perform(desk_of(world), Perform("book", "the cheapest seat")))
    assert not clicks(world)


def test_nothing_to_compare_is_told() -> None:
    world = World(element("Read more"))
    with pytest.raises(Missed, match="nothing to book"):
        play(world, perform(desk_of(world), Perform("book", "the cheapest seat")))


def movie_form() -> World:
    return World(
        element("Painter", "label", (10, 20, 60, 20)),
        field("", 20),
        element("Style:", "label", (10, 60, 60, 20)),
        replace(field("", 60), id="style"),
        element("Year:", "label", (10, 100, 60, 20)),
        replace(field("", 100), id="year"),
        element("Submit", at=(10, 140, 80, 20)),
    )


def test_an_open_form_takes_every_particular_and_what_is_left() -> None:
    world = movie_form()
    details = (("painted by", "Munch"), ("from year", "1893"))
    play(world, perform(desk_of(world), Perform("search", "expressionist pictures", details)))
    assert [e.value for e in world.elements if e.role == "entry"] == [
        "Munch",
        "expressionist",
        "1893",
    ]
    assert clicks(world)[-1] == (50, 150)


def test_a_form_is_filled_from_what_the_screen_tells() -> None:
    world = World(
        element("Ship", "table cell", (10, 10, 80, 18)),
        element("Aurora", "table cell", (95, 10, 80, 18)),
        element("Crew", "table cell", (10, 30, 80, 18)),
        element("12", "table cell", (95, 30, 80, 18)),
        element("Crew:", "label", (10, 100, 80, 20)),
        field("", 100),
        element("Ship:", "label", (10, 140, 80, 20)),
        replace(field("", 140), id="ship"),
    )
    play(world, fill(desk_of(world), Fill()))
    assert [e.value for e in world.elements if e.role == "entry"] == ["12", "Aurora"]


def test_a_field_that_nothing_tells_of_is_not_guessed() -> None:
    world = World(element("Crew:", "label", (10, 100, 80, 20)), field("", 100))
    with pytest.raises(Missed, match="nothing on the screen tells"):
        play(world, fill(desk_of(world), Fill()))


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("5h 39m", 339),
        ("2 hours", 120),
        ("45 min", 45),
        ("1d 2h", 1560),
        ("11/05/2016 Departs, 2h", 120),
    ],
)
def test_stretches_of_time_are_read_in_minutes(text: str, minutes: int) -> None:
    assert read_duration(f"Duration: {text}") == minutes


@pytest.mark.parametrize(
    ("text", "money"),
    [("Book for $1,332", 1332), ("12.50 €", 12.5), ("from £9", 9), ("free", None)],
)
def test_prices_are_read(text: str, money: float | None) -> None:
    assert read_money(text) == money


@pytest.mark.parametrize("leave", ["Cancel", "No thanks", "×"])
def test_what_comes_up_in_the_middle_is_put_aside(leave: str) -> None:
    from carrel.models.steps.program import Enter
    from carrel.models.steps.verbs.entering import enter

    world = World(field("Name", 20))
    covered = True

    def pop(world: World, hit: Element, action: Action) -> None:
        if covered:
            world.change("Name", states=("showing", "visible"))
            world.elements.append(element("Stay informed?", "label", (90, 10, 100, 20)))
            world.elements.append(element("Yes", at=(90, 200, 40, 20)))
            world.elements.append(element(leave, at=(140, 200, 60, 20)))

    def closed(world: World, hit: Element, action: Action) -> None:
        nonlocal covered
        covered = False
        world.elements = [field("Name", 20)]

    world.on("Name", pop)
    world.on(leave, closed)
    play(world, enter(desk_of(world), Enter("Ida", "Name")))
    assert world.elements[0].value == "Ida"
