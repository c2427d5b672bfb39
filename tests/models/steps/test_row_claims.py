"""Claims about entries: which alone are listed, which are done, how many messages there are."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written
from steps_world import World, desk_of, element, play

from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player

SENTENCES = corpus("english_row_claims.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_is_claimed_of_rows_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "Verify that only the Save button is enabled.",
    ],
)
def test_what_no_list_tells_is_refused(said: str) -> None:
    assert is_refused(said)


def so(world: World, claim: str) -> bool:
    """Whether a claim passes on a screen."""
    desk = desk_of(world)
    player = Player(read_sentence(claim), desk)
    play(world, player.play(), desk)
    return player.account is None


def todos(*entries: tuple[str, bool]) -> World:
    """A page with a list of things to do, its filters, and a log that tells of the past."""
    listed: list[Element] = [
        element("Todos", "document web", (0, 0, 800, 600), id="page"),
        element("", "list", (10, 50, 400, 200), id="list", parent="page"),
        element("", "list", (10, 300, 400, 30), id="filters", parent="page"),
        element("Completed: Call Bob", "static", (450, 50, 200, 20), parent="page"),
    ]
    for n, (name, done) in enumerate(entries):
        y = 50 + 30 * n
        states = ("checkable", "checked") if done else ("checkable",)
        listed += [
            element("", "list item", (10, y, 400, 30), id=f"item-{n}", parent="list"),
            element("", "check box", (12, y + 5, 20, 20), *states, parent=f"item-{n}"),
            element(name, "static", (40, y + 5, 200, 20), parent=f"item-{n}"),
        ]
    for n, name in enumerate(("All", "Active", "Completed")):
        at = (10 + 100 * n, 300, 90, 30)
        listed.append(element("", "list item", at, id=f"filter-{n}", parent="filters"))
        listed.append(element(name, "link", at, parent=f"filter-{n}"))
    return World(*listed)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ('Verify that only "Call Bob" and "Buy milk" are listed', True),
        ('Verify that only "Call Bob" is listed', False),
        ('Verify that only "Call" and "Buy milk" are listed', False),
        ('Verify that only "Call Bob" and "Completed" are listed', False),
        ('Verify that the list contains only "Buy milk" and "Call Bob"', True),
        ('Verify that nothing but "Buy milk" is listed', False),
    ],
)
def test_only_what_is_named_is_listed(claim: str, true: bool) -> None:
    assert so(todos(("Call Bob", False), ("Buy milk", True)), claim) is true


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ('Verify that "Buy milk" is done', True),
        ('Verify that "Buy milk" is not done', False),
        ('Verify that "Call Bob" is completed', False),
        ('Verify that "Call Bob" is not completed', True),
        ('Verify that "Call Bob" is shown as done', False),
    ],
)
def test_the_box_of_an_entry_tells_whether_it_is_done(claim: str, true: bool) -> None:
    assert so(todos(("Call Bob", False), ("Buy milk", True)), claim) is true


def mails() -> World:
    """An inbox of plain boxes: nothing says which of the texts is a message."""
    page = element("Inbox (3)", "document web", (0, 0, 800, 600), id="page")
    folder = element("Inbox", "static", (10, 10, 60, 20), parent="page")
    number = element("3", "static", (80, 10, 10, 20), parent="page")
    lines = [
        element(name, "static", (150, 10 + 40 * n, 200, 20), parent="page")
        for n, name in enumerate(("Ann", "Your loan", "Ben", "Lunch", "Cy", "A ticket"))
    ]
    return World(page, folder, number, *lines)


@pytest.mark.parametrize("number", ["no", "two", "three", "six", "at most nine"])
def test_texts_are_not_counted_as_messages(number: str) -> None:
    assert not so(mails(), f"Verify that there are {number} messages in the inbox")


def asking() -> World:
    """A dialog about one of two people."""
    return World(
        element("Users", "document web", (0, 0, 800, 600), id="page"),
        element("Boris Lind", "static", (20, 20, 100, 20), parent="page"),
        element("Remove user", "dialog", (200, 150, 300, 200), id="box", parent="page"),
        element("Remove Ann Lee from the team?", "static", (220, 200, 250, 20), parent="box"),
        element("Remove", "push button", (220, 300, 80, 30), parent="box"),
    )


@pytest.mark.parametrize(("name", "true"), [("Ann Lee", True), ("Boris Lind", False)])
def test_a_dialog_asks_only_about_whom_it_names(name: str, true: bool) -> None:
    assert so(asking(), f"Verify that the dialog asks whether to remove {name}") is true


def settings(on: bool) -> World:
    """A switch without a name, far right of the words that say what it is for."""
    states = ("checkable", "checked") if on else ("checkable",)
    return World(
        element("Settings", "document web", (0, 0, 800, 600), id="page"),
        element("", "section", (10, 50, 700, 40), id="row", parent="page"),
        element("Weekly digest", "static", (20, 60, 120, 20), parent="row"),
        element("", "check box", (660, 58, 42, 22), *states, parent="row"),
    )


@pytest.mark.parametrize("on", [True, False])
def test_a_switch_is_told_by_the_words_of_its_row(on: bool) -> None:
    world = settings(on)
    assert so(world, "Verify that the Weekly digest is on") is on
    assert so(world, "Verify that the Weekly digest is off") is not on
    assert so(world, "Verify that the toggle for Weekly digest is on") is on
