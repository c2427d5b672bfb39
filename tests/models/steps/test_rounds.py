"""Loops over rows that go, are numbered anew, are drawn late, or move while they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from steps_world import World, desk_of, element, play

from carrel import codec
from carrel.actions import Action, Click, Elements, Scroll
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.play import Player
from carrel.models.steps.reaching.items import Key, read_key
from carrel.models.steps.shown.said_rows import said_by
from carrel.results import Effect, Result

HEIGHT, TOP, VIEW = 40, 60, 560
NAMES = ("Ann", "Bob", "Cid", "Dora", "Eve", "Fay", "Gus", "Hal")
LOOP = "for each row whose status is Expired, click Remove"


class LongTable(World):
    """A page with a table that is longer than the screen and counts its rows anew.

    Attributes:
        rows: Each with its name and its status.
        removed: The names of those that were clicked off.
        delay: Seconds until the table is drawn without one.
        pounce: What the page does right before a click hits something.
    """

    def __init__(self, rows: Sequence[tuple[str, str]], *, button: str = "Remove") -> None:
        self.rows, self.button, self.offset = list(rows), button, 0
        self.removed: list[str] = []
        self.delay = 0.5
        self.pounce: Callable[[LongTable], None] | None = None
        super().__init__()
        self.on(button, self._remove)
        self.on("scroll", self._scroll)
        self.draw()

    def draw(self) -> None:
        """Show what is in sight of the table."""
        page = element("Customers", "document web", (0, 20, 700, VIEW), id="page")
        table = element("", "table", (10, TOP - self.offset, 480, 2000), parent="page", id="t")
        rows = [e for at in range(len(self.rows) + 1) for e in self._row(at)]
        self.everything = [page, table, *rows]
        self.elements = [e for e in self.everything if e.box and 20 - HEIGHT < e.box.y < 20 + VIEW]

    def _act(self, action: Action) -> Result:
        if isinstance(action, Elements):
            listed: list[codec.Json] = [codec.encode(e) for e in self.everything]
            return Result(True, Effect.CONFIRMED, data={"elements": listed})
        return super()._act(action)

    def _row(self, at: int) -> list[Element]:
        y = TOP + HEIGHT * at - self.offset
        made = [element("", "table row", (10, y, 480, HEIGHT), parent="t", id=f"r{at}")]
        cells = ("#", "Customer", "Status", "") if at == 0 else (str(at), *self.rows[at - 1], "")
        for n, cell in enumerate(cells):
            inner, where = f"r{at}-{n}", (10 + 120 * n, y, 120, HEIGHT)
            role = "table cell" if at else "column header"
            made.append(element(cell, role, where, parent=f"r{at}", id=inner))
            if cell:
                text = (15 + 120 * n, y + 10, 60, 20)
                made.append(element(cell, "static", text, parent=inner, id=f"{inner}t"))
        if at:
            last = (375, y + 5, 70, 30)
            made.append(element(self.button, "push button", last, parent=f"r{at}-3", id=f"r{at}b"))
        return made

    def _remove(self, _world: World, pressed: Element, _action: Action) -> None:
        row = self.rows[int(pressed.id[1:-1]) - 1]
        self.removed.append(row[0])

        def gone(_world: World) -> None:
            self.rows = [one for one in self.rows if one is not row]
            self.draw()

        self.after(self.delay, gone)

    def _scroll(self, _world: World, _first: Element, action: Action) -> None:
        assert isinstance(action, Scroll)
        most = max(0, TOP + HEIGHT * (len(self.rows) + 1) - VIEW)
        self.offset = min(most, max(0, self.offset + 53 * action.dy))
        self.draw()

    def _click(self, action: Click) -> None:
        if self.pounce is not None:
            self.pounce(self)
        super()._click(action)


def customers(expired: Sequence[int], count: int = 30) -> list[tuple[str, str]]:
    return [
        (f"{NAMES[n % len(NAMES)]} {n}", "Expired" if n in expired else "Active")
        for n in range(1, count + 1)
    ]


def run(world: World, sentence: str = LOOP) -> str | None:
    player = Player(read_sentence(sentence), desk_of(world))
    play(world, player.play())
    return player.account


@pytest.mark.parametrize("delay", [0.0, 0.3, 0.8, 1.4, 2.6])
def test_only_the_rows_that_are_meant_go_however_late_the_table_is_drawn(delay: float) -> None:
    world = LongTable(customers((2, 3, 5, 21, 29)))
    world.delay = delay
    assert run(world) is None
    assert world.removed == ["Cid 2", "Dora 3", "Fay 5", "Fay 21", "Fay 29"]


@pytest.mark.parametrize("delay", [0.3, 0.8, 2.6])
def test_rows_that_only_differ_in_their_number_go_once_each(delay: float) -> None:
    rows = [("Customer", "Expired" if n in (2, 3, 6, 24) else "Active") for n in range(30)]
    world = LongTable(rows)
    world.delay = delay
    assert run(world) is None
    assert [row[1] for row in world.rows] == ["Active"] * 26


def test_a_row_that_moves_between_the_look_and_the_click_is_found_where_it_is() -> None:
    world = LongTable(customers((4, 6, 7)))

    def newer(_world: World) -> None:
        world.rows.insert(0, (f"New {len(world.rows)}", "Active"))
        world.draw()
        if len(world.rows) < 45:
            world.after(0.25, newer)

    world.after(0.3, newer)
    assert run(world) is None
    assert world.removed == ["Eve 4", "Gus 6", "Hal 7"]


def test_a_click_that_hits_another_row_ends_the_loop_with_an_account() -> None:
    world = LongTable(customers((2, 4, 6)))

    def late(table: LongTable) -> None:
        if len(table.removed) == 1:
            table.rows.insert(0, ("New", "Active"))
            table.draw()

    world.pounce = late
    account = run(world)
    assert account is not None
    assert "“Eve 4 Expired”, which is still there" in account
    assert "“Dora 3 Active” is not" in account
    assert world.removed == ["Cid 2", "Dora 3"]


def test_a_row_that_is_not_what_it_was_chosen_for_any_more_is_not_clicked() -> None:
    world = LongTable(customers((2, 4)))

    def renewed(_world: World) -> None:
        world.rows = [(name, "Active") for name, _ in world.rows]
        world.draw()

    def later(table: LongTable) -> None:
        table.after(0.6, renewed)

    world.pounce = later
    account = run(world)
    assert account is not None
    assert "“Eve 4 Expired”" in account
    assert world.removed == ["Cid 2"]


def test_a_row_that_stays_where_the_others_went_ends_the_loop() -> None:
    world = LongTable(customers((2, 4, 6)), button="Close")

    def but_one(table: LongTable) -> None:
        table.delay = 60.0 if len(table.removed) == 1 else 0.2

    world.pounce = but_one
    account = run(world, "for each row whose status is Expired, click Close")
    assert account is not None
    assert "“Eve 4 Expired” is still there after a click on Close" in account
    assert world.removed == ["Cid 2", "Eve 4"]


def test_rows_that_stay_are_clicked_once_each() -> None:
    world = LongTable(customers((2, 3, 22)), button="Star")
    world.delay = 1000.0
    assert run(world, "for each row whose status is Expired, click Star") is None
    assert world.removed == ["Cid 2", "Dora 3", "Gus 22"]


def test_a_click_meant_for_a_row_is_never_made_in_another() -> None:
    world = LongTable(customers((2, 4)))
    kept = world.draw

    def without_button() -> None:
        kept()
        world.everything = [e for e in world.everything if e.id != "r2b"]
        world.elements = [e for e in world.elements if e.id != "r2b"]

    world.draw = without_button  # type: ignore[method-assign]
    world.draw()
    assert run(world) is not None
    assert world.removed == []


@pytest.mark.parametrize(
    "sentence",
    [
        "check that no customer whose status is Expired is visible",
        "make sure there are no rows whose status is Expired",
        "verify that none of the rows has the status Expired",
        'verify that none of the rows has status "Expired"',
        "检查没有Status为“Expired”的客户",
        "检查没有一行的Status是“Expired”",
    ],
)
@pytest.mark.parametrize(("expired", "so"), [((), True), ((2,), False), ((28,), False)])
def test_that_no_row_is_so_is_told_of_all_rows_in_sight_or_not(
    sentence: str, expired: tuple[int, ...], so: bool
) -> None:
    world = LongTable(customers(expired))
    assert (run(world, sentence) is None) is so
    assert not any(isinstance(action, Click) for action in world.done)


def test_that_no_row_is_so_holds_of_a_table_without_rows() -> None:
    assert run(LongTable([]), "verify that none of the rows has the status Expired") is None


def test_that_no_row_is_something_is_denied_by_a_row_that_says_more() -> None:
    assert run(LongTable(customers((2,), 5)), "verify that no rows are Expired") is not None
    assert run(LongTable(customers((), 5)), "verify that no rows are Expired") is None


@pytest.mark.parametrize(
    ("sentence", "expired", "so"),
    [
        ('verify that every row contains "Active"', (), True),
        ('verify that every row contains "Active"', (3,), False),
        ("检查每一行的Status都不是“Expired”", (), True),
        ("检查每一行的Status都不是“Expired”", (3,), False),
        ("verify that every row has a Remove button", (), True),
        ("verify that every row has an Undo button", (), False),
    ],
)
def test_what_is_claimed_of_each_row_is_looked_for_in_that_row(
    sentence: str, expired: tuple[int, ...], so: bool
) -> None:
    assert (run(LongTable(customers(expired, 5)), sentence) is None) is so


def test_a_number_that_counts_the_rows_is_no_part_of_what_a_row_says() -> None:
    tree = Lineage(LongTable(customers((2,), 4)).elements)
    rows = [e for e in tree.elements if e.role == "table row"][1:]
    said = said_by(tree, rows)
    assert [one.bare for one in said][:2] == ["Bob 1 Active", "Cid 2 Expired"]
    assert said[1].full == "2 Cid 2 Expired"
    assert said[1].tells("Cid 2 Expired")


def test_numbers_that_do_not_count_the_rows_are_kept() -> None:
    world = LongTable(customers((), 3))
    world.elements = [
        element(name="407", role=e.role, at=(e.box.x, e.box.y, 9, 9), parent=e.parent, id=e.id)
        if e.name == "2" and e.box
        else e
        for e in world.elements
    ]
    tree = Lineage(world.elements)
    rows = [e for e in tree.elements if e.role == "table row"][1:]
    assert [one.bare for one in said_by(tree, rows)][1] == "407 Cid 2 Active"


@pytest.mark.parametrize(
    "key", [Key(1, 3), Key(2, 3, "Ann 5"), Key(4, 9, "2/3 of it", 2, 3), Key(1, 1, "~1/2 x")]
)
def test_a_key_is_read_as_it_was_written(key: Key) -> None:
    assert read_key(str(key)) == key
