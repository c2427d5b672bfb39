"""How many entries a page of a table shows is taken from the drop-down that says it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.language import read_sentence, write_step
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs import verb_of

NUMBERS = ("10", "25", "50", "100")


def table(name: str, options: tuple[str, ...] = NUMBERS, label: str = "", value: str = "") -> World:
    """A drop-down that tells its options when it is open, and out of sight when it is not."""
    combo = element(name, "combo box", (90, 10, 60, 28), "has popup", value=value or None, id="c")
    others = [element(label, "static", (10, 14, 70, 20))] if label else []
    world = World(combo, *others)
    listed = [
        element(one, "menu item", (90, 50 + 20 * n, 60, 20), parent="c", id=f"o{n}")
        for n, one in enumerate(options)
    ]
    if not value:
        world.hidden = [replace(one, box=None) for one in listed]

    def opened(w: World, _e: Element, _a: Action) -> None:
        w.hidden = []
        w.elements += listed

    def pick(w: World, e: Element, _a: Action) -> None:
        w.elements = [replace(combo, value=e.name), *others]

    world.on(name, opened)
    for one in options:
        world.on(one, pick)
    return world


def carry_out(world: World, sentence: str) -> None:
    (step,) = read_sentence(sentence).steps
    verb = verb_of(step)
    assert verb is not None
    play(world, verb(desk_of(world), step))


@pytest.mark.parametrize(
    ("sentence", "name", "label", "number"),
    [
        ("choose 25 entries per page", "Show entries", "", "25"),
        ("select 50 rows per page", "Show entries", "", "50"),
        ("show 50 rows per page", "Page size", "", "50"),
        ("show 100 users per page", "Users", "", "100"),
        ("show 10 items per page", "", "Show items", "10"),
        ("每页显示 25 条", "每页记录数", "", "25"),
        ("每页显示50条记录", "", "每页", "50"),
        ("选择每页 25 条", "", "显示条数", "25"),
    ],
)
def test_the_number_is_taken_from_the_drop_down_that_says_what_is_counted(
    sentence: str, name: str, label: str, number: str
) -> None:
    world = table(name, label=label)
    carry_out(world, sentence)
    assert world.elements[0].value == number


@pytest.mark.parametrize(
    ("sentence", "options", "taken"),
    [
        ("choose 20 rows per page", ("10 / page", "20 / page"), "20 / page"),
        ("每页显示 20 条", ("10条/页", "20条/页", "200条/页"), "20条/页"),
    ],
)
def test_a_drop_down_may_say_it_by_what_it_shows(
    sentence: str, options: tuple[str, ...], taken: str
) -> None:
    world = table("", options, value=options[0])
    carry_out(world, sentence)
    assert world.elements[0].value == taken


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Show entries", ("10", "50")),
        ("Show entries", ("25", "Berlin")),
        ("Quantity", NUMBERS),
    ],
)
def test_another_drop_down_is_left_alone(name: str, options: tuple[str, ...]) -> None:
    world = table(name, options)
    with pytest.raises(Missed):
        carry_out(world, "choose 25 entries per page")
    assert world.elements[0].value is None


def test_of_two_drop_downs_that_say_it_none_is_taken() -> None:
    world = table("Show entries")
    other = element("Rows", "combo box", (90, 300, 60, 28), "has popup", id="d")
    world.elements.append(other)
    world.hidden += [replace(one, parent="d", id=f"d{one.id}") for one in world.hidden]
    with pytest.raises(Missed):
        carry_out(world, "choose 25 entries per page")
    assert not [a for a in world.done if isinstance(a, Click)]


def test_a_drop_down_out_of_sight_over_a_long_table_is_brought_into_view() -> None:
    world = table("Show entries")
    (combo,) = world.elements
    assert combo.box is not None
    world.elements = [element("Last row", "table cell", (10, 500, 200, 20))]
    world.hidden.insert(0, replace(combo, box=replace(combo.box, y=-200)))

    def scrolled(w: World, _e: Element, _a: Action) -> None:
        w.elements, w.hidden = [combo], w.hidden[1:]

    world.on("scroll", scrolled)
    carry_out(world, "show 50 rows per page")
    assert world.elements[0].value == "50"


def test_how_many_a_page_shows_is_set_and_only_checked_where_that_is_said() -> None:
    def written(sentence: str) -> list[str]:
        return [write_step(step) for step in read_sentence(sentence).steps]

    assert written("每页显示 20 条") == ['set 每页显示条数 to "20"']
    assert written("每页显示20条数据") == ['set 每页显示条数 to "20"']
    for claim in ("检查每页显示 20 条", "每页应显示 20 条"):
        assert written(claim)[0].startswith("verify that there are exactly 20")
    assert written("点击“查询”，每页显示 20 条")[1].startswith("verify that there are exactly 20")
