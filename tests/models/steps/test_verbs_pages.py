"""Going to pages, turning pages, sorting; and what is said where nothing changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import SIZE, DeadWorld, World, blank, desk_of, element, play

from carrel.actions import Action, Click, Key, Scroll, Type
from carrel.frames import Element
from carrel.models.picture import Picture
from carrel.models.steps.desk import UNCHANGED, Desk
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.program import (
    ForEach,
    GoTo,
    Is,
    Navigate,
    Not,
    Perform,
    Point,
    Press,
    Program,
    Step,
)
from carrel.models.steps.program import If as When
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.turns import Missed, Seen
from carrel.models.steps.verbs.pages import go_to, is_at, navigate
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.pointing import point, press
from carrel.results import Result

CART = "https://shop.example/cart"


def browser(url: str) -> World:
    frame = element("Browser", "frame", (0, 0, 800, 600), id="b")
    bar = element("Address", "entry", (100, 10, 400, 20), "editable", parent="b", value="")
    page = element("Shop", "document web", (0, 60, 800, 540), value=url, parent="b", id="page")
    return World(frame, bar, page)


def leads_to(url: str, after: float = 0.3) -> World:
    world = browser("https://start.example/")

    def load(w: World, _e: Element, action: Action) -> None:
        if isinstance(action, Key) and action.keys == Key(("enter",)).keys:
            w.after(after, lambda v: v.change("Shop", value=url))

    world.reactions["key"] = load
    return world


def carry_out(world: World, *steps: Step) -> Player:
    desk = Desk(SIZE)
    desk.take(world.seen())
    player = Player(Program(steps), desk)
    play(world, player.play())
    return player


def test_a_page_that_comes_is_arrived_at() -> None:
    world = leads_to(f"{CART}/")
    assert play(world, go_to(desk_of(world), GoTo("shop.example/cart"))) is None


def test_where_a_page_leads_on_is_told() -> None:
    world = leads_to("https://shop.example/login")
    assert (
        play(world, go_to(desk_of(world), GoTo(CART))) == "it led on to https://shop.example/login"
    )


@pytest.mark.parametrize("url", ["chrome-error://chromewebdata/", "https://start.example/"])
def test_an_error_or_the_page_from_before_is_no_arrival(url: str) -> None:
    world = leads_to(url)
    with pytest.raises(Missed, match=r"could not be loaded|still shows"):
        play(world, go_to(desk_of(world), GoTo(CART)))


def keeps_keys(world: World) -> World:
    """A field of the page has the keyboard, and lets no key go to the browser."""
    at = (20, 100, 300, 20)
    field = element("Command", "entry", at, "editable", "focused", parent="page", value="")
    world.elements.append(field)
    return world


def held(world: World, name: str) -> str | None:
    return next(e.value for e in world.elements if e.name == name)


def test_an_address_is_not_typed_into_a_field_of_the_page_that_keeps_the_keys() -> None:
    world = keeps_keys(browser(CART))
    assert play(world, go_to(desk_of(world), GoTo(CART))) is None
    assert held(world, "Command") == ""
    assert held(world, "Address") == CART


def test_the_same_page_is_not_said_to_be_loaded_where_no_key_leaves_it() -> None:
    world = keeps_keys(DeadWorld(*browser(CART).elements))
    with pytest.raises(Missed, match=r"the keyboard stays in Command"):
        play(world, go_to(desk_of(world), GoTo(CART)))
    assert not any(isinstance(action, Type) for action in world.done)


def test_a_page_is_not_said_to_be_loaded_again_where_no_key_leaves_it() -> None:
    world = keeps_keys(DeadWorld(*browser(CART).elements))
    with pytest.raises(Missed, match=r"the keyboard stays in Command"):
        play(world, navigate(desk_of(world), Navigate("reload")))


def test_without_a_page_nothing_was_arrived_at() -> None:
    world = World(element("Desktop", "label"))
    with pytest.raises(Missed, match="no page can be seen"):
        play(world, go_to(desk_of(world), GoTo(CART)))


@pytest.mark.parametrize(
    ("now", "url", "there"),
    [
        ("https://a.example/x?page=1", "https://a.example/x?page=2", False),
        ("https://a.example/x?b=2&a=1", "https://a.example/x?b=2&a=1", True),
        ("http://www.a.example/x/", "https://a.example/x", True),
        ("https://a.example/x#one", "https://a.example/x#two", False),
        ("https://a.example/x#one", "https://a.example/x", True),
        ("file:///tmp/a%20b.html", "file:///tmp/a b.html", True),
        ("about:blank", "https://blank", False),
    ],
)
def test_addresses_are_compared_by_what_they_ask_for(now: str, url: str, there: bool) -> None:
    assert is_at(now, url) is there


def test_going_back_where_nothing_is_fails() -> None:
    world = DeadWorld(*browser("https://start.example/").elements)
    with pytest.raises(Missed, match="nothing changed by going back"):
        play(world, navigate(desk_of(world), Navigate("back")))


# In doubt


def test_a_click_on_which_nothing_changes_is_in_doubt() -> None:
    player = carry_out(DeadWorld(element("Save")), Point("Save", words="Click Save"))
    assert player.account is None
    assert [record.doubt for record in player.take_ended()] == [UNCHANGED]
    assert player.doubtful == [f"Click Save: {UNCHANGED}"]


def test_what_changes_a_moment_later_is_in_no_doubt() -> None:
    world = World(element("Save"))
    world.alive = False
    world.on("Save", lambda w, _e, _a: w.after(0.5, lambda v: v.change("Save", value="saved")))
    player = carry_out(world, Point("Save"))
    assert not player.doubtful
    assert len([action for action in world.done if isinstance(action, Click)]) == 1


class SameLooks(DeadWorld):
    """Whatever is told of it, it looks as it did."""

    def seen(self, results: tuple[Result, ...] = (), closer: bool = False) -> Seen:
        seen = super().seen(results, closer)
        return replace(seen, picture=Picture("same", SIZE, blank, elements=seen.elements))


@pytest.mark.parametrize(
    ("role", "doubtful"), [("page tab", [f"click Save: {UNCHANGED}"]), ("label", [])]
)
def test_the_memory_that_a_tab_is_said_to_take_is_no_effect(role: str, doubtful: list[str]) -> None:
    shop, save = element("Shop", role, (0, 0, 100, 20)), element("Save", at=(10, 50, 80, 20))
    world = SameLooks(shop, save)
    told = replace(shop, name="Shop - Memory usage - 22.4 MB")
    world.after(0.1, lambda w: setattr(w, "elements", [told, save]))
    assert carry_out(world, Point("Save", words="click Save")).doubtful == doubtful


def test_what_can_be_seen_to_change_nothing_is_in_no_doubt() -> None:
    world = DeadWorld(element("Name", "entry", (10, 10, 80, 20), "editable", "focused", value=""))
    steps = (Point("Name", how="hover"), Point("Name"), Press(("ctrl+c",)))
    assert not carry_out(world, *steps).doubtful


def test_nothing_is_done_less_often_than_it_was_asked_for() -> None:
    world = World(element("Plus"))
    play(world, point(desk_of(world), Point("Plus", times=120)))
    assert len([action for action in world.done if isinstance(action, Click)]) == 120
    play(world, press(desk_of(world), Press(("tab",), times=250)))
    assert sum(action.repeat for action in world.done if isinstance(action, Key)) == 250
    with pytest.raises(Missed, match="too often"):
        play(world, point(desk_of(world), Point("Plus", times=5000)))


def test_fewer_things_than_were_asked_for_are_none() -> None:
    world = World(*(element("Add", at=(10, 10 + 40 * n, 80, 20)) for n in range(3)))
    every = ForEach("x", (Point("{x}"),), every="Add buttons", limit=5)
    player = carry_out(world, every)
    assert player.account == "there are only 3 of Add buttons, not 5"
    assert not [action for action in world.done if isinstance(action, Click)]


@pytest.mark.parametrize("wrong", [False, True])
def test_what_depends_on_what_is_not_there_stops(wrong: bool) -> None:
    ticked = Is("the Trial checkbox", "checked")
    condition = Not(ticked) if wrong else ticked
    world = World(element("Delete"))
    player = carry_out(world, When(condition, (Point("Delete"),), (Point("Delete"),)))
    assert player.account is not None
    assert not [action for action in world.done if isinstance(action, Click)]


# Further pages


def test_a_lone_next_is_not_pressed_in_search_of_something() -> None:
    world = World(element("Next", at=(600, 500, 80, 20)), element("Name", "label"))
    with pytest.raises(Missed):
        play(world, ground(desk_of(world), "Sumbit"))
    assert not [action for action in world.done if isinstance(action, Click)]


def pager() -> list[Element]:
    places = {"<": 10, "1": 40, "2": 70, "3": 100, ">": 130}
    return [element(name, "link", (x, 500, 20, 20)) for name, x in places.items()]


def rename(world: World, old: str, new: str) -> None:
    world.elements = [replace(e, name=new) if e.name == old else e for e in world.elements]


def test_a_pager_is_turned_a_few_pages_and_back() -> None:
    world = World(element("Ann", "link", (10, 100, 80, 20)), *pager())
    shown = ["Ann"]

    def turn(w: World, e: Element, _a: Action) -> None:
        name = shown[-1]
        shown.append(name + "!" if e.name == ">" else name[:-1])
        rename(w, name, shown[-1])

    world.on(">", turn)
    world.on("<", turn)
    with pytest.raises(Missed):
        play(world, ground(desk_of(world), "Zork"))
    assert max(map(len, shown)) == len("Ann!!!")
    assert shown[-1] == "Ann"


def test_what_is_on_a_further_page_is_found() -> None:
    world = World(element("Ann", "link", (10, 100, 80, 20)), *pager())
    world.on(">", lambda w, _e, _a: rename(w, "Ann", "Bob"))
    assert play(world, ground(desk_of(world), "Bob")).element.name == "Bob"  # type: ignore[attr-defined]


def test_a_search_opens_no_more_than_a_dozen_things() -> None:
    tabs = [
        element(f"Tab {n}", "page tab", (20 * n, 10, 18, 20), *(["selected"] if not n else []))
        for n in range(30)
    ]
    world = World(*tabs)
    desk = desk_of(world)
    desk.step = "look through the tabs for Frobnicate"
    with pytest.raises(Missed):
        play(world, ground(desk, "Frobnicate"))
    clicks = [action for action in world.done if isinstance(action, Click)]
    assert len(clicks) == 13
    assert clicks[-1] == Click(9, 20)


def test_a_section_that_was_opened_in_vain_is_closed_again() -> None:
    section = element("More", "push button", (10, 10, 80, 20), "expandable")
    world = World(section)

    def toggle(w: World, e: Element, _a: Action) -> None:
        open_now = "expanded" in e.states
        states = [s for s in e.states if s != "expanded"]
        w.change("More", states=tuple(states if open_now else [*states, "expanded"]))

    world.on("More", toggle)
    with pytest.raises(Missed):
        play(world, ground(desk_of(world), "Frobnicate"))
    assert "expanded" not in world.elements[0].states


def test_results_are_not_the_links_beside_them() -> None:
    bar = [element(f"Section {n}", "link", (10, 60 + 20 * n, 80, 16)) for n in range(6)]
    found = [element(f"Result {n}", "link", (200, 60 + 60 * n, 200, 16)) for n in range(3)]
    said = [element(f"about {n}", "label", (200, 80 + 60 * n, 300, 16)) for n in range(3)]
    world = World(*bar, *found, *said)
    match = play(world, ground(desk_of(world), "the second result"))
    assert match.element.name == "Result 1"  # type: ignore[attr-defined]


# Sorting


def table() -> World:
    cells = ("Bob", "Ann", "Cid")
    header = element("Name", "table column header", (10, 10, 90, 20), id="h")
    rows = [
        element(name, "table cell", (10, 40 + 20 * n, 90, 20), id=f"c{n}")
        for n, name in enumerate(cells)
    ]
    world = World(header, *rows, element("Order now", at=(400, 10, 80, 20)))

    def order(w: World, _e: Element, _a: Action) -> None:
        names = [e.name for e in w.elements[1:4]]
        names.sort(reverse=names == sorted(names))
        w.elements[1:4] = [
            replace(e, name=name) for e, name in zip(w.elements[1:4], names, strict=True)
        ]

    world.on("Name", order)
    return world


@pytest.mark.parametrize(("order", "first"), [("ascending", "Ann"), ("descending", "Cid")])
def test_a_table_is_sorted_by_its_header_and_read_back(order: str, first: str) -> None:
    world = table()
    step = Perform("sort", None, (("by", "Name"), ("order", order)))
    play(world, perform(desk_of(world), step))
    assert world.elements[1].name == first


def test_nothing_else_sorts() -> None:
    world = table()
    with pytest.raises(Missed, match="nothing to sort by date"):
        play(world, perform(desk_of(world), Perform("sort", None, (("by", "date"),))))
    assert not [action for action in world.done if isinstance(action, Click)]


def test_a_form_that_lacks_a_field_is_not_sent() -> None:
    entry = element("Password", "password text", (10, 60, 90, 20), "editable", value="")
    world = World(element("Log in"), entry)
    program = read_sentence('Log in with tenant "bob" and password "pw"')
    player = carry_out(world, *program.steps)
    assert player.account is not None
    assert not [action for action in world.done if isinstance(action, Click)]


def test_a_particular_may_begin_with_the_label_of_its_field() -> None:
    fields = [
        element(name, "entry", (10, 60 + 30 * n, 90, 20), "editable", value="")
        for n, name in enumerate(("Year", "Category"))
    ]
    world = World(element("Search"), *fields)
    details = (("from", "year 2006"), ("in", "category Books"))
    play(world, perform(desk_of(world), Perform("search", None, details)))
    assert [e.value for e in world.elements[1:]] == ["2006", "Books"]


def test_a_wheel_that_moves_nothing_leaves_a_doubt() -> None:
    world = DeadWorld(element("Text", "label"))
    player = carry_out(world, *read_sentence("Scroll down").steps)
    assert player.doubtful
    assert any(isinstance(action, Scroll) for action in world.done)
