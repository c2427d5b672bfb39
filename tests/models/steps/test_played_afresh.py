"""A step whose thing is not on the screen is read in another way before it is given up."""

from __future__ import annotations

from steps_world import World, desk_of, element, play

from carrel.actions import Click, Type
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player


def played(world: World, said: str) -> Player:
    desk = desk_of(world)
    player = Player(read_sentence(said), desk)
    play(world, player.play(), desk)
    return player


def test_what_was_taken_for_a_verb_of_the_page_is_set_in_its_row() -> None:
    world = World(
        element("Rank of Bob", "entry", (300, 100, 100, 20), "editable", value="", id="field"),
        element("Rank of Ann", "entry", (300, 140, 100, 20), "editable", value=""),
    )
    player = played(world, "Give Bob the rank Captain")
    assert player.account is None
    assert next(e.value for e in world.elements if e.id == "field") == "Captain"
    assert [record.how for record in player.ended] == ["passed"]


def test_where_no_reading_fits_the_first_account_is_told_and_nothing_was_done() -> None:
    world = World(element("Cancel"))
    player = played(world, "Give Bob the rank Captain")
    assert player.account is not None
    assert not [a for a in world.done if isinstance(a, Click | Type)]


def test_steps_that_share_their_words_are_not_read_anew_one_by_one() -> None:
    field = ("editable",)
    world = World(element("Name", "entry", (300, 100, 100, 20), *field, value=""))
    player = played(world, 'Enter "Ann" in the Name field and "42" in the Age field')
    assert player.account is not None
    assert sum(isinstance(a, Type) for a in world.done) == 1
