"""Rows that are told by one of their columns, and loops over rows that go while they run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Wait
from carrel.frames import Element
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.row_clauses import row_words
from carrel.models.steps.language import read_file, read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.program import Count
from carrel.models.steps.turns import Do

HEADS = ("Customer", "City", "Status", "")
ROWS = (
    ("Blue Lake", "Bergen", "Active"),
    ("Corner Bakery", "Turku", "Expired"),
    ("Delta Freight", "Malmö", "Active"),
    ("Elm & Sons", "Tallinn", "Expired"),
)


def table(
    rows: Sequence[Sequence[str]], heads: Sequence[str] = HEADS, button: str = "Remove"
) -> list[Element]:
    """Rows without a name, each with a button in a column without a heading."""
    made = [element("", "table", (10, 10, 480, 300), id="t")]
    made.append(element("", "table row", (10, 10, 480, 40), parent="t", id="r0"))
    made += [
        element(head, "column header", (10 + 120 * n, 10, 120, 40), parent="r0", id=f"h{n}")
        for n, head in enumerate(heads)
    ]
    for at, cells in enumerate(rows, 1):
        y, row = 10 + 40 * at, f"r{at}"
        made.append(element("", "table row", (10, y, 480, 40), parent="t", id=row))
        for n, cell in enumerate((*cells, "")):
            inner, x = f"{row}-{n}", 10 + 120 * n
            made.append(element(cell, "table cell", (x, y, 120, 40), parent=row, id=inner))
            if cell:
                at_text = (x + 5, y + 10, 60, 20)
                made.append(element(cell, "static", at_text, parent=inner, id=f"{inner}t"))
        last = (15 + 120 * len(cells), y + 5, 70, 30)
        held = f"{row}-{len(cells)}"
        made.append(element(button, "push button", last, parent=held, id=f"{row}-b"))
    return made


class Customers(World):
    """A table whose buttons take a row off; the others move up at once."""

    def __init__(
        self,
        rows: Sequence[Sequence[str]] = ROWS,
        heads: Sequence[str] = HEADS,
        button: str = "Remove",
    ) -> None:
        self.rows, self.heads, self.button = list(rows), heads, button
        super().__init__(*table(rows, heads, button))
        self.on(button, self.remove)

    def remove(self, _world: World, pressed: Element, _action: Action) -> None:
        """Draw the table without the row that was pressed in."""
        del self.rows[int(pressed.id[1:].partition("-")[0]) - 1]
        self.elements = table(self.rows, self.heads, self.button)

    @property
    def left(self) -> list[str]:
        return [row[0] for row in self.rows]


def run(world: World, sentence: str) -> Player:
    player = Player(read_sentence(sentence), desk_of(world))
    play(world, player.play())
    return player


@pytest.mark.parametrize(
    "sentence",
    [
        "for each row whose status is Expired, click its Remove button",
        'for each line whose status is "Expired", click Remove',
        "for each customer whose status is Expired, click Remove",
        "for each row where the status is Expired, click its Remove button",
        "for every entry where Status = Expired, click Remove",
        "for each record with status Expired, click Remove",
        "for each item with an Expired status, click Remove",
        "for each row whose status is not Active, click Remove",
    ],
)
def test_a_loop_goes_through_the_rows_that_a_column_tells(sentence: str) -> None:
    world = Customers()
    assert run(world, sentence).account is None
    assert world.left == ["Blue Lake", "Delta Freight"]


@pytest.mark.parametrize(
    "sentence",
    [
        "对每一个状态为“已过期”的行，点击“删除”",
        "对状态是“已过期”的每一行，点击“删除”",
        "对状态是已过期的每一行，点击“删除”",
        "对于每一行状态是“已过期”的，点击“删除”",
        "每一行状态为“已过期”的，都点击“删除”",
        "对于每个状态为“已过期”的客户，点击“删除”",
    ],
)
def test_a_loop_in_chinese_goes_through_the_rows_that_a_column_tells(sentence: str) -> None:
    rows = [("甲", "北京", "有效"), ("乙", "上海", "已过期"), ("丙", "广州", "已过期")]
    world = Customers(rows, ("客户", "城市", "状态", ""), "删除")
    assert run(world, sentence).account is None
    assert world.left == ["甲"]


def test_every_row_goes_though_all_of_them_move_up() -> None:
    world = Customers()
    assert run(world, "for each row, click its Remove button").account is None
    assert world.left == []


def test_rows_that_say_the_same_are_told_by_their_number() -> None:
    world = Customers([("Tea", "Oslo", "New"), ("Tea", "Oslo", "New"), ("Rice", "Oslo", "Old")])
    assert run(world, "for each row whose status is New, click Remove").account is None
    assert world.left == ["Rice"]


def test_a_row_that_goes_a_moment_later_is_waited_for() -> None:
    world = Customers()

    def later(_world: World, pressed: Element, action: Action) -> None:
        world.after(0.4, lambda w: world.remove(w, pressed, action))

    world.on("Remove", later)
    run(world, "for each row whose status is Expired, click Remove")
    world.answer(Do((Wait(seconds=1),), "", commits=False))
    assert world.left == ["Blue Lake", "Delta Freight"]


def test_rows_that_come_a_moment_later_are_waited_for() -> None:
    world = Customers()
    rows, world.elements = world.elements, [element("Customers", "heading")]
    world.after(0.8, lambda w: setattr(w, "elements", rows))
    assert run(world, "for each row whose status is Expired, click Remove").account is None
    assert world.left == ["Blue Lake", "Delta Freight"]


def test_nothing_is_done_where_no_row_says_it() -> None:
    world = Customers()
    account = run(world, "for each row whose status is Lost, click Remove").account
    assert account is not None
    assert "row whose status is Lost" in account
    assert any(isinstance(action, Wait) for action in world.done)
    assert not any(isinstance(action, Click) for action in world.done)


@pytest.mark.parametrize(
    "sentence",
    [
        "click Remove in the row whose city is Turku",
        "click the Remove button of the customer whose city is Turku",
        "in the row whose city is Turku, click Remove",
        "click Remove in the row where the city is Turku",
        "click the Remove button of the customer with the city Turku",
        "click Remove in the first row whose status is Expired",
        "点击City为“Turku”的那一行的“Remove”按钮",
    ],
)
def test_a_click_in_a_row_that_a_column_tells(sentence: str) -> None:
    world = Customers()
    assert run(world, sentence).account is None
    assert world.left == ["Blue Lake", "Delta Freight", "Elm & Sons"]


def test_of_two_rows_none_is_taken_by_guess() -> None:
    world = Customers()
    assert run(world, "click Remove in the row whose status is Expired").account is not None
    assert world.left == [row[0] for row in ROWS]


def count(desk: Desk, world: World, what: str, number: int) -> bool:
    so = play(world, holds(desk, Count(what, number)))
    assert isinstance(so, tuple)
    return so[0] is True


def test_rows_that_a_column_tells_are_counted() -> None:
    world = Customers()
    desk = desk_of(world)
    assert count(desk, world, "rows whose status is Expired", 2)
    assert count(desk, world, "customers with status Active", 2)
    assert count(desk, world, "rows whose city is Turku and status is Expired", 1)
    assert not count(desk, world, "rows whose city is Expired", 2)
    assert not count(desk, world, "rows whose city is Turku and status is Active", 1)


@pytest.mark.parametrize(
    ("sentence", "so"),
    [
        ('verify that the row whose city is Turku contains "Expired"', True),
        ('verify that the row whose city is Turku contains "Active"', False),
        ("verify that there are 2 rows whose status is Expired", True),
        ("verify that there are 3 rows whose status is Expired", False),
        ("verify that there is no row whose status is Lost", True),
        ("verify that there is no row whose status is Expired", False),
        ("verify that there is a row whose status is Expired", True),
        ("verify that the row where the city is Turku is visible", True),
        ("verify that the row whose city is Turku is not visible", False),
        ("verify that the status of the customer whose city is Turku is Expired", True),
        ("verify that the status of the customer whose city is Turku is Active", False),
        # No column is called so: nobody knows.
        ("verify that there is no row whose rank is Expired", False),
        ("检查没有Status为“Lost”的行", True),
        ("检查没有Status为“Expired”的行", False),
        ("检查Status为“Expired”的行有 2 个", True),
        ("检查City为“Turku”的行包含“Expired”", True),
    ],
)
def test_what_is_claimed_of_rows_that_a_column_tells(sentence: str, so: bool) -> None:
    world = Customers()
    assert (run(world, sentence).account is None) is so


def test_in_a_round_a_name_that_many_have_is_that_of_its_row() -> None:
    world = Customers()
    program = read_file("for each row whose status is Expired\n    click Remove\n", "rows")[0]
    player = Player(program, desk_of(world))
    play(world, player.play())
    assert player.account is None
    assert world.left == ["Blue Lake", "Delta Freight"]


def test_a_price_is_told_without_its_sign() -> None:
    rows = [("Oslo", "Flat", "€ 80"), ("Oslo", "House", "€ 90"), ("Rome", "House", "€ 90")]
    world = Customers(rows, ("City", "Kind", "Price (EUR)", ""))
    run(world, "click Remove in the row where the city is Oslo and the price is 90")
    assert world.rows == [rows[0], rows[2]]


def test_boxes_of_rows_that_a_column_tells_are_ticked() -> None:
    world = Customers()
    cells = [e for e in world.elements if e.role == "table cell" and e.id.endswith("-3")]
    for cell in cells:
        assert cell.box is not None
        at = (cell.box.x + 90, cell.box.y, 16, 16)
        box = element("Select", "check box", at, "checkable", parent=cell.id, id=f"{cell.id}c")
        world.elements.append(box)

    def tick(_world: World, pressed: Element, _action: Action) -> None:
        world.elements = [
            replace(e, states=(*e.states, "checked")) if e.id == pressed.id else e
            for e in world.elements
        ]

    world.on("Select", tick)
    assert run(world, "tick every row whose status is Expired").account is None
    ticked = [e.id for e in world.elements if "checked" in e.states]
    assert ticked == ["r2-3c", "r4-3c"]


def test_words_for_other_things_are_no_rows() -> None:
    assert row_words("the button with status Expired") == ()
    assert row_words("the Save button") == ()
