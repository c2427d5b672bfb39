"""Pages in the plain old style: boxes beside mere words, arrows beside “Next”, long pages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import DeadWorld, World, desk_of, element, play

from carrel import codec
from carrel.actions import Action, Click, Key, Scroll, Type
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.claims.contents import has_content
from carrel.models.steps.program import Choose, Enter, Has, Perform, Point, Read
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.entering import enter
from carrel.models.steps.verbs.looking import read
from carrel.models.steps.verbs.pointing import point
from carrel.models.steps.verbs.saving import save_in_program
from carrel.perception.find import find
from carrel.results import Result


def clicks(world: World) -> list[tuple[int, int]]:
    return [(action.x, action.y) for action in world.done if isinstance(action, Click)]


# Boxes and the words beside them


def delivery() -> World:
    """Radio buttons without names, each before words that the page does not tie to it."""
    world = World(
        element("Delivery", "static", (10, 10, 60, 16)),
        element("", "radio button", (100, 12, 13, 13), "checkable", "checked", id="r1"),
        element("By mail", "static", (116, 10, 60, 16)),
        element("", "radio button", (190, 12, 13, 13), "checkable", id="r2"),
        element("At the desk", "static", (206, 10, 90, 16)),
    )

    def taken(world: World, hit: Element, _action: Action) -> None:
        if hit.role == "radio button":
            for n, e in enumerate(world.elements):
                if e.role == "radio button":
                    kept = tuple(s for s in e.states if s != "checked")
                    states = (*kept, "checked") if e.id == hit.id else kept
                    world.elements[n] = replace(e, states=states)

    world.on("", taken)
    return world


def chosen(world: World) -> list[str]:
    return [e.id for e in world.elements if "checked" in e.states]


def test_words_beside_a_nameless_radio_button_choose_it() -> None:
    world = delivery()
    play(world, choose(desk_of(world), Choose(('"At the desk"',))))
    assert chosen(world) == ["r2"]


def test_a_click_on_words_beside_a_nameless_radio_button_is_one_on_it() -> None:
    world = delivery()
    play(world, point(desk_of(world), Point('"At the desk"')))
    assert chosen(world) == ["r2"]


class Elsewhere(DeadWorld):
    """Whatever is clicked, another thing loses the keyboard and is drawn anew."""

    def _act(self, action: Action) -> Result:
        result = super()._act(action)
        change: codec.Json = {"pixels": 40, "share": 0.0, "box": codec.encode(Box(500, 500, 9, 9))}
        return replace(result, evidence={"change": change, "settled": True})


def test_a_mere_text_is_not_selected_by_what_changes_elsewhere() -> None:
    world = Elsewhere(element("Gift wrap", "static", (10, 10, 60, 16)))
    desk = desk_of(world)
    play(world, choose(desk, Choose(('"Gift wrap"',))))
    assert desk.doubts == ["nothing tells that Gift wrap (static, 40,18) is selected"]


# Tables


def order() -> World:
    parts = [element("", "table", (0, 0, 400, 100), id="t")]
    for n, name in enumerate(("Copy paper", "Ring binder")):
        row, y = f"r{n}", 30 * n
        parts += [
            element("", "table row", (0, y, 400, 30), parent="t", id=row),
            element(name, "table cell", (0, y, 200, 30), parent=row),
            element("", "table cell", (200, y, 200, 30), parent=row, id=f"c{n}"),
            element("", "entry", (210, y + 5, 60, 20), "editable", parent=f"c{n}", value="0"),
        ]
    return World(*parts)


def test_a_row_with_one_field_is_filled_in_by_its_name() -> None:
    world = order()
    play(world, enter(desk_of(world), Enter("3", "the Ring binder")))
    held = [e.value for e in world.elements if e.role == "entry"]
    assert held == ["0", "3"]


class Covered(World):
    """A list lies over the second field: what is clicked there leaves the keyboard in the first."""

    def _focus(self, field: Element) -> None:
        super()._focus(next(e for e in self.elements if e.name == "Phone"))


def test_what_went_into_another_field_is_told_and_not_only_typed_again() -> None:
    world = Covered(
        element("Phone", "entry", (10, 10, 100, 20), "editable", value="4420"),
        element("City", "entry", (10, 40, 100, 20), "editable", value=""),
    )
    with pytest.raises(Missed, match="went into Phone"):
        play(world, enter(desk_of(world), Enter("Wien", "City")))


def test_a_list_that_a_browser_fills_in_with_is_closed_over_what_is_meant() -> None:
    world = World(
        element("Form", "frame", (0, 0, 400, 400), id="win"),
        element("City", "entry", (10, 40, 100, 20), "editable", parent="win", value=""),
        element("", "frame", (20, 35, 100, 80), id="own"),
        element("Autofill", "list box", (22, 37, 96, 76), parent="own", id="list"),
        element("4420", "list item", (24, 39, 90, 30), "selectable", parent="list"),
    )

    def closed(world: World, _hit: Element, action: Action) -> None:
        if action == Key(("escape",)):
            world.elements = world.elements[:2]

    world.on("key", closed)
    play(world, enter(desk_of(world), Enter("Wien", "City")))
    assert world.elements[1].value == "Wien"


def test_a_row_that_nothing_said_before_is_not_read_from_another() -> None:
    world = World(element("Phone", "column header", (0, 0, 100, 20)))
    with pytest.raises(Missed, match="which row is meant"):
        play(world, read(desk_of(world), Read("这一行的“Phone”", "TEL")))


def test_a_row_with_several_fields_is_not_guessed_at() -> None:
    world = order()
    second = element("", "entry", (290, 35, 60, 20), "editable", parent="c1", value="")
    world.elements.append(second)
    with pytest.raises(Missed, match="only a cell of a table"):
        play(world, enter(desk_of(world), Enter("3", "the Ring binder")))


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("the next page", (145, 58)),
        ("上一页", (35, 58)),
        ("the previous page of the list", (35, 58)),
    ],
)
def test_pages_are_turned_by_words_with_an_arrow_beside_them(words: str, at: object) -> None:
    world = World(
        element("< Previous", "link", (10, 50, 50, 16)),
        element("1", "link", (70, 50, 10, 16)),
        element("2", "static", (90, 50, 10, 16)),
        element("3", "link", (110, 50, 10, 16)),
        element("Next »", "link", (130, 50, 30, 16)),
    )
    play(world, point(desk_of(world), Point(words)))
    assert clicks(world) == [at]


def numbered(*links: str, shown: str) -> World:
    names = sorted({*links, shown}, key=int)
    return World(
        element(f"12 entries, page {shown} of 3", "static", (10, 10, 120, 16)),
        *(
            element(n, "static" if n == shown else "link", (10 + 20 * at, 50, 12, 16))
            for at, n in enumerate(names)
        ),
    )


@pytest.mark.parametrize("words", ["the last page", "最后一页"])
def test_the_last_page_is_the_highest_number(words: str) -> None:
    world = numbered("2", "3", shown="1")
    play(world, point(desk_of(world), Point(words)))
    assert clicks(world) == [(56, 58)]


def test_the_last_page_that_is_shown_is_not_turned_away_from() -> None:
    world = numbered("1", "2", shown="3")
    with pytest.raises(Missed):
        play(world, point(desk_of(world), Point("the last page")))
    assert clicks(world) == []


# Number fields


@pytest.mark.parametrize(("words", "key"), [("the up arrow", "up"), ("向下箭头", "down")])
def test_the_arrows_of_a_number_field_are_its_keys(words: str, key: str) -> None:
    world = World(element("Value", "spin button", (10, 10, 80, 20), "editable", value="12"))

    def turned(world: World, _hit: Element, action: Action) -> None:
        assert isinstance(action, Key)
        by = action.repeat if action.keys == ("up",) else -action.repeat
        world.change("Value", value=str(12 + by))

    world.on("key", turned)
    play(world, point(desk_of(world), Point(words, times=2)))
    assert [a for a in world.done if isinstance(a, Key)] == [Key((key,), repeat=2)]
    assert [e.value for e in world.elements] == ["14" if key == "up" else "10"]


# Dialogs, displays, parts of a tab


def asked() -> World:
    world = World(
        element("Delete it?", "dialog", (100, 100, 300, 120), "modal", id="d"),
        element("Delete it?", "static", (120, 110, 100, 16), parent="d"),
        element("OK", at=(120, 180, 60, 24), parent="d"),
        element("Cancel", at=(200, 180, 60, 24), parent="d"),
    )
    for name in ("OK", "Cancel"):
        world.on(name, lambda w, _e, _a: w.elements.clear())
    return world


@pytest.mark.parametrize(("word", "at"), [("“确定”", (150, 192)), ("“取消”按钮", (230, 192))])
def test_a_usual_answer_is_known_in_the_language_of_the_dialog(word: str, at: object) -> None:
    world = asked()
    play(world, point(desk_of(world), Point(word)))
    assert clicks(world) == [at]


def test_without_a_dialog_no_button_is_taken_for_its_name_in_another_language() -> None:
    world = World(element("OK", at=(120, 180, 60, 24)))
    with pytest.raises(Missed, match="确定"):
        play(world, point(desk_of(world), Point("“确定”")))


def test_the_field_for_a_file_name_is_known_in_the_language_of_the_dialog() -> None:
    world = World(
        element("Save As", "dialog", (0, 0, 600, 400), id="d"),
        element("File name:", "label", (10, 350, 70, 16), parent="d"),
        element("", "text", (90, 350, 300, 20), "editable", parent="d", value="", id="name"),
        element("Look in:", "label", (10, 10, 70, 16), parent="d"),
        element("", "text", (90, 10, 300, 20), "editable", parent="d", value="/home"),
    )
    play(world, enter(desk_of(world), Enter("/tmp/a.txt", "文件名")))
    assert [e.value for e in world.elements if e.role == "text"] == ["/tmp/a.txt", "/home"]


def test_the_last_sum_of_a_calculator_is_its_result() -> None:
    lines = ("6*7", "= 42", "37*42", "= 1554")
    world = World(*(element(t, "label", (10, 20 * n, 80, 16)) for n, t in enumerate(lines)))
    assert has_content(desk_of(world), Has("结果", "1554"))[0]
    assert not has_content(desk_of(world), Has("the result", "42"))[0]


@pytest.mark.parametrize(
    ("lines", "words", "told"),
    [
        (("6*7", "= 42", "37*42", "= 1554"), "结果", "1554"),
        (("86.4",), "the display", "86.4"),
        (("6*7", "= 42", "37*42", "= 1554"), "最后一行的结果", "1554"),
    ],
)
def test_what_a_program_shows_as_its_result_is_read(
    lines: tuple[str, ...], words: str, told: str
) -> None:
    parts = [element(t, "label", (10, 20 * n, 80, 16)) for n, t in enumerate(lines)]
    world = World(*parts, element("7", at=(200, 200, 30, 30)))
    world.windows = [Window(1, "Calculator", Box(0, 0, 600, 400), "calc", focused=True)]
    desk = desk_of(world)
    play(world, read(desk, Read(words, "X")))
    assert desk.names["X"] == told


@pytest.mark.parametrize("words", ["“Notes”标签上的关闭图标", 'the close icon on the "Notes" tab'])
def test_a_part_of_a_tab_that_is_not_told_is_not_the_tab(words: str) -> None:
    tab = element("Notes", "page tab", (0, 0, 100, 30), id="t")
    link = element("Notes", "link", (5, 5, 70, 20), parent="t")
    assert not find([tab, link], words).sure


# Long pages


class LongPage(World):
    """What is out of sight is told in its place among the rest."""

    def _act(self, action: Action) -> Result:
        result = super()._act(action)
        listed = result.data.get("elements")
        if isinstance(listed, list):
            everything = [*self.elements, *self.hidden]
            everything.sort(key=lambda e: (e.id != "page", e.id))
            result.data["elements"] = [codec.encode(e) for e in everything]
        return result


def long_page(top: int) -> World:
    """Five boxes of the same name down a page that is scrolled so that `top` is its upper edge."""
    world = LongPage()

    def drawn() -> None:
        page = element("Page", "document web", (0, 0, 800, 600), id="page")
        every = []
        for n in range(5):
            at = (40, 200 + 500 * n - top, 20, 20)
            states = ("checkable", *(("checked",) if n in ticked else ()))
            every.append(_placed(f"box{n}", at, *states))
        world.elements = [page, *(e for e in every if _is_seen(e))]
        world.hidden = [e for e in every if not _is_seen(e)]

    def scrolled(world: World, _hit: Element, action: Action) -> None:
        nonlocal top
        assert isinstance(action, Scroll)
        top = min(2000, max(0, top + 100 * action.dy))
        drawn()

    def clicked(world: World, hit: Element, _action: Action) -> None:
        ticked.add(int(hit.id[-1]))
        drawn()

    ticked: set[int] = set()
    drawn()
    world.on("scroll", scrolled)
    world.on("News", clicked)
    return world


def _placed(key: str, at: tuple[int, int, int, int], *states: str) -> Element:
    known = ("enabled", "sensitive", "visible", *states)
    return Element(key, "check box", "News", None, Box(*at), known, "page")


def _is_seen(element: Element) -> bool:
    return element.box is not None and element.box.y >= 0 and element.box.bottom <= 600


@pytest.mark.parametrize("top", [0, 700, 2000])
@pytest.mark.parametrize(
    ("words", "box"),
    [
        ("the first News", 0),
        ("the second News check box", 1),
        ("第三个 News", 2),
        ("the last News", 4),
    ],
)
def test_what_is_out_of_sight_counts_for_the_first_and_the_last(
    top: int, words: str, box: int
) -> None:
    world = long_page(top)
    play(world, point(desk_of(world), Point(words)))
    everything = [*world.elements, *world.hidden]
    assert [e.id for e in everything if "checked" in e.states] == [f"box{box}"]


def test_a_box_by_its_number_is_none_that_only_happens_to_be_in_sight() -> None:
    world = long_page(700)
    play(world, point(desk_of(world), Point("the second News box")))
    assert [e.id for e in world.elements if "checked" in e.states] == ["box1"]


# Saving


def test_it_is_the_document_that_is_saved_under_a_path() -> None:
    world = World(
        element("Draft - Editor", "frame", (0, 0, 600, 400), id="f"),
        element("", "text", (0, 40, 600, 300), "editable", "multi line", parent="f"),
    )
    world.windows = [Window(1, "Draft - Editor", Box(0, 0, 600, 400), "editor", focused=True)]
    desk = desk_of(world)
    desk.step = "save it as /home/agent/a.txt"
    step = Perform("save", '"The summer was warm."', (("as", "/home/agent/a.txt"),))
    with pytest.raises(Missed, match="no dialog came up"):
        play(world, save_in_program(desk, step))
    assert Key(("ctrl", "shift", "s")) in world.done
    assert not any(isinstance(action, Type) for action in world.done)
