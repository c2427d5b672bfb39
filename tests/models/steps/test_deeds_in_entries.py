"""Deeds in one entry of a list: by its own control, its stars or field, or in what it opens."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play
from test_entries_meant import BOATS, cards, page, rows

from carrel.actions import Action, Click, Type
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Clear, Enter, Find, Open, Perform, Point, SetValue, Step
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs import verb_of


def done(world: World, step: Step, desk: Desk | None = None) -> Desk:
    """Carry a step out, as a program has it carried out."""
    desk = desk or desk_of(world)
    desk.step = step.words
    verb = verb_of(step)
    assert verb is not None
    play(world, verb(desk, step))
    return desk


def clicks(world: World) -> list[tuple[int, int]]:
    return [(a.x, a.y) for a in world.done if isinstance(a, Click)]


def test_the_best_of_those_meant_is_used_and_not_the_best_of_all() -> None:
    world = World(*page("Boats", *BOATS))
    words = "rent the cheapest boat in Harbour A"
    done(world, Perform("rent", "the cheapest boat in Harbour A", words=words))
    assert clicks(world) == [(440, 125)]


def test_particulars_may_be_words_of_the_entry() -> None:
    world = World(*page("Boats", *BOATS))
    step = Perform(
        "rent",
        "the cheapest boat",
        (("in", "Harbour B"),),
        words="rent the cheapest boat in Harbour B",
    )
    done(world, step)
    assert clicks(world) == [(440, 225)]


def test_what_cannot_be_compared_is_left_alone() -> None:
    world = World(*page("Boats", *cards(("Skiff", "$3"), ("Punt", "on request"), button="Rent")))
    with pytest.raises(Missed, match="no price"):
        done(world, Perform("rent", "the cheapest boat", words="rent the cheapest boat"))
    assert clicks(world) == []


def test_a_verb_may_be_called_otherwise_where_nothing_else_can_be_meant() -> None:
    trips = cards(("Lake tour", "2 h"), ("Island tour", "5 h"), button="Select")
    world = World(*page("Tours", *trips))
    done(
        world,
        Perform("book", "a place on the longest tour", words="book a place on the longest tour"),
    )
    assert clicks(world) == [(440, 225)]


def test_a_control_for_something_else_is_not_taken() -> None:
    trips = cards(("Lake tour", "2 h"), ("Island tour", "5 h"), button="Delete")
    world = World(*page("Tours", *trips))
    with pytest.raises(Missed):
        done(world, Perform("book", "the longest tour", words="book the longest tour"))
    assert (440, 225) not in clicks(world)


def starred() -> list[Element]:
    found: list[Element] = []
    for number, name in enumerate(("Plum jam", "Fig jam", "Fig tart")):
        y = 100 + 100 * number
        found.append(element(name, "heading", (40, y, 200, 20), parent="all"))
        found += [
            element("★", "static", (40 + 22 * n, y + 30, 20, 20), parent="all", id=f"s{number}{n}")
            for n in range(5)
        ]
        found.append(element("Comment", "entry", (40, y + 60, 200, 24), "editable", parent="all"))
        found.append(element("Post", at=(260, y + 60, 60, 24), parent="all"))
    return found


def test_stars_are_those_of_the_entry() -> None:
    world = World(*page("Jams", *starred()))
    words = "give the fig jam four stars"
    done(world, Perform("rate", "the fig jam", (("with", "four stars"),), words=words))
    assert clicks(world) == [(116, 240)]


def test_a_text_goes_into_the_field_of_the_entry() -> None:
    world = World(*page("Jams", *starred()))
    what = 'the comment "Too sweet" on the fig jam'
    done(world, Perform("post", what, words=f"post {what}"))
    assert [a.text for a in world.done if isinstance(a, Type)] == ["Too sweet"]
    assert clicks(world)[-1] == (290, 272)
    assert all(250 <= y <= 290 for _, y in clicks(world))


NOTES = cards(("Ann Lee", "Tea on Sunday"), ("Bo Ray", "The rent"), ("Ann Lee", "Rent is due"))


def test_what_is_found_is_opened_only_for_what_follows() -> None:
    find = Find("the note from Ann Lee about the rent", words="find the note")
    world = World(*page("Notes", *NOTES))
    done(world, find)
    assert clicks(world) == []
    desk = desk_of(world)
    desk.ahead = (Perform("archive", "it"),)
    done(world, find, desk)
    assert len(clicks(world)) == 1
    assert 300 <= clicks(world)[0][1] <= 340


def test_an_entry_is_opened_by_its_words() -> None:
    world = World(*page("Notes", *NOTES))
    done(world, Open("the last note from Ann Lee", words="open the last note from Ann Lee"))
    assert [300 <= y <= 340 for _, y in clicks(world)] == [True]


def test_an_entry_is_not_opened_by_a_control_for_something_else() -> None:
    found = rows(("Name", "Town"), ("Ann Lee", "Rome"), ("Bo Ray", "Oslo"))
    found += [
        element("Delete", "link", (500, 84 + 30 * n, 60, 18), parent=f"row{n}") for n in (1, 2)
    ]
    world = World(*page("Customers", *found))
    done(world, Open("the first customer", words="open the first customer"))
    assert [x < 500 for x, _ in clicks(world)] == [True]


def test_a_part_of_an_entry_is_set_where_its_own_control_leads() -> None:
    found = rows(("Name", "Town"), ("Ann Lee", "Rome"), ("Bo Ray", "Oslo"))
    found += [
        element("Edit", "link", (500, 84 + 30 * n, 60, 18), parent=f"row{n}", id=f"edit{n}")
        for n in (1, 2)
    ]
    world = World(*page("People", *found))

    def form(world: World, _pressed: Element, _action: Action) -> None:
        world.elements = page(
            "People",
            element("Phone number", "label", (40, 100, 100, 20), parent="all", id="label"),
            element(
                "Phone number", "entry", (150, 100, 200, 24), "editable", value="1", parent="all"
            ),
            element("Save", at=(40, 160, 60, 24), parent="all"),
        )

    world.on("Edit", form)
    words = "set Bo Ray's phone number to 555"
    done(world, SetValue("Bo Ray's phone number", "555", words=words))
    assert (530, 153) in clicks(world)
    assert "555" in [a.text for a in world.done if isinstance(a, Type)]


def test_a_part_of_an_entry_is_pressed() -> None:
    world = World(*page("Boats", *cards(("Skiff", "$3"), ("Punt", "$2"), button="Details")))
    what = "the details of the cheapest boat"
    done(world, Point(what, words=f"click {what}"))
    assert clicks(world) == [(440, 225)]


def test_a_button_that_says_all_of_it_clears_them() -> None:
    lines = cards(("atlas.pdf", "Finished"), ("music.zip", "42 %"))
    world = World(
        *page("Downloads", *lines, element("Clear finished", at=(40, 500, 90, 24), parent="all"))
    )
    done(world, Clear("the finished downloads", words="clear the finished downloads"))
    assert clicks(world) == [(85, 512)]


def test_what_is_written_under_an_entry_goes_into_its_field() -> None:
    world = World(*page("Jams", *starred()))
    done(world, Enter("Good", "the fig tart", words='write "Good" under the fig tart'))
    assert [a.text for a in world.done if isinstance(a, Type)] == ["Good"]
    assert all(350 <= y <= 390 for _, y in clicks(world))


def test_a_particular_that_no_entry_says_may_tell_which_is_meant() -> None:
    world = World(*page("Boats", *BOATS))
    step = Perform(
        "rent", "the cheapest boat", (("in", "Porto"),), words="rent the cheapest boat in Porto"
    )
    with pytest.raises(Missed):
        done(world, step)
    assert clicks(world) == []
