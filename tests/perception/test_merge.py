from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.frames import Element, Source, Window
from carrel.geometry import Box, Size
from carrel.perception import Line, Tracker, Word, merge, merging, tracking
from carrel.perception._order import reading_order
from carrel.perception.merging import as_elements

SCREEN = Size(800, 600)
WHOLE = Box(0, 0, 800, 600)


def button(name: str, box: Box, parent: str | None = "w", **more: object) -> Element:
    return Element(f"b-{name}", "push button", name, box=box, parent=parent, **more)  # type: ignore[arg-type]


def line(text: str, box: Box, *words: tuple[str, Box]) -> Line:
    return Line(text, box, 0.95, tuple(Word(word, at) for word, at in words))


def seen(name: str, role: str, box: Box, sure: float = 0.6) -> Element:
    return Element(name, role, box=box, source="detector", confidence=sure)


FRAME = Element("w", "frame", "Editor", box=WHOLE)


def named(elements: tuple[Element, ...], name: str) -> Element:
    (found,) = [element for element in elements if element.name == name]
    return found


def names(elements: tuple[Element, ...]) -> list[str]:
    return [element.name for element in elements if element.name]


# Text


def test_a_text_on_a_button_is_the_buttons_text_and_no_element_of_its_own() -> None:
    save = button("save-button", Box(100, 100, 80, 30))
    found = merge({"tree": [FRAME, save]}, SCREEN, lines=[line("Save", Box(118, 106, 40, 18))])
    assert [(e.role, e.text) for e in found] == [("frame", ""), ("push button", "Save")]
    assert found[1] == replace(save, text="Save")


def test_a_text_on_no_control_is_a_label_inside_its_holder() -> None:
    panel = Element("p", "panel", box=Box(50, 50, 400, 300), parent="w")
    found = merge({"tree": [FRAME, panel]}, SCREEN, lines=[line("Total", Box(60, 60, 40, 16))])
    label = named(found, "Total")
    assert (label.role, label.text, label.source, label.confidence) == (
        "label",
        "Total",
        "ocr",
        0.95,
    )
    assert label.parent == "p"


def test_a_line_across_several_buttons_is_shared_out_by_its_words() -> None:
    menus = [button(name, Box(x, 0, 50, 20)) for name, x in (("File", 0), ("Edit", 50))]
    read = line(
        "File Edit Untitled",
        Box(8, 2, 180, 16),
        ("File", Box(10, 2, 28, 16)),
        ("Edit", Box(60, 2, 28, 16)),
        ("Untitled", Box(130, 2, 55, 16)),
    )
    found = merge({"tree": [FRAME, *menus]}, SCREEN, lines=[read])
    assert [(e.name, e.text) for e in found if e.role != "frame"] == [
        ("File", "File"),
        ("Edit", "Edit"),
        ("Untitled", "Untitled"),
    ]
    assert named(found, "Untitled").box == Box(130, 2, 55, 16)


def test_lines_of_a_paragraph_are_its_text_and_each_is_where_it_stands() -> None:
    words = Element("t", "paragraph", "One two", box=Box(10, 10, 300, 60), parent="w")
    lines = [line("One", Box(12, 12, 100, 16)), line("two", Box(12, 34, 100, 16))]
    found = merge({"tree": [words]}, SCREEN, lines=lines)
    assert named(found, "One two").text == "One\ntwo"
    assert [(e.name, e.role, e.parent, e.box) for e in found[1:]] == [
        ("One", "label", "t", Box(12, 12, 100, 16)),
        ("two", "label", "t", Box(12, 34, 100, 16)),
    ]


def test_a_text_of_one_line_is_not_told_twice() -> None:
    words = Element("t", "paragraph", "One two", box=Box(10, 10, 300, 20), parent="w")
    lines = [line("One", Box(12, 12, 40, 16)), line("two", Box(60, 12, 40, 16))]
    assert names(merge({"tree": [words]}, SCREEN, lines=lines)) == ["One two"]


def wrapped_link() -> tuple[Element, list[Line]]:
    """A link that begins at the end of one line and ends at the beginning of the next."""
    link = Element("l", "link", "the guide for gardeners", box=Box(10, 10, 300, 40), parent="w")
    first = line(
        "Before you dig, read the guide",
        Box(10, 12, 296, 16),
        ("Before", Box(10, 12, 50, 16)),
        ("you", Box(66, 12, 30, 16)),
        ("dig,", Box(100, 12, 30, 16)),
        ("read", Box(140, 12, 40, 16)),
        ("the", Box(190, 12, 30, 16)),
        ("guide", Box(230, 12, 76, 16)),
    )
    second = line(
        "for gardeners twice.",
        Box(10, 32, 170, 16),
        ("for", Box(10, 32, 20, 16)),
        ("gardeners", Box(36, 32, 70, 16)),
        ("twice.", Box(120, 32, 60, 16)),
    )
    return link, [first, second]


def test_a_wrapped_link_is_where_its_longest_part_is() -> None:
    link, lines = wrapped_link()
    found = merge({"tree": [link]}, SCREEN, lines=lines)
    assert named(found, link.name).box == Box(190, 12, 116, 16)


def test_a_wrapped_link_is_where_the_browser_says_that_its_part_is() -> None:
    link, _ = wrapped_link()
    part = Element("1", "link", link.name, box=Box(190, 10, 120, 20), source="browser")
    (found,) = merge({"tree": [link], "browser": [part]}, SCREEN)
    assert (found.source, found.box) == ("tree", part.box)


def test_a_link_of_several_whole_lines_is_one_block() -> None:
    link = Element("l", "link", "Spring bulbs ready to plant", box=Box(10, 10, 300, 60))
    lines = [
        line("Spring bulbs", Box(20, 14, 200, 16)),
        line("ready to plant", Box(20, 40, 90, 16)),
    ]
    assert named(merge({"tree": [link]}, SCREEN, lines=lines), link.name).box == link.box


def test_a_link_whose_words_are_not_read_stays_where_its_application_says() -> None:
    link, lines = wrapped_link()
    other = replace(link, name="Something else altogether")
    assert named(merge({"tree": [other]}, SCREEN, lines=lines), other.name).box == link.box


def test_a_link_in_one_line_keeps_the_room_around_its_text() -> None:
    link = Element("l", "link", "Help", box=Box(10, 10, 80, 40), parent="w")
    found = merge({"tree": [link]}, SCREEN, lines=[line("Help", Box(30, 22, 40, 16))])
    assert named(found, "Help").box == link.box


def test_a_text_that_a_control_says_it_has_is_not_told_twice_for_a_few_pixels() -> None:
    said = Element("s", "static", "row 0", box=Box(601, 401, 35, 16), parent="w")
    read = line("row 0", Box(597, 397, 46, 27))
    assert names(merge({"tree": [said]}, SCREEN, lines=[read])) == ["row 0"]


def test_elements_that_were_read_need_no_words() -> None:
    texts = as_elements([line("Alpha", Box(10, 10, 50, 16))])
    (label,) = merge({"ocr": texts}, SCREEN)
    assert (label.name, label.role, label.box) == ("Alpha", "label", Box(10, 10, 50, 16))


# Shapes and browsers


def test_the_picture_of_a_known_control_is_not_a_second_one() -> None:
    groups: dict[Source, list[Element]] = {
        "tree": [button("ok", Box(100, 100, 80, 30))],
        "detector": [
            seen("1", "push button", Box(101, 101, 78, 28)),
            seen("2", "icon", Box(110, 105, 16, 16)),
            seen("3", "icon", Box(400, 300, 24, 24)),
        ],
    }
    found = merge(groups, SCREEN)
    assert [(e.source, e.role) for e in found] == [("tree", "push button"), ("detector", "icon")]


def test_a_shape_with_a_text_is_named_by_it() -> None:
    groups: dict[Source, list[Element]] = {
        "detector": [seen("1", "push button", Box(100, 100, 80, 30))]
    }
    (found,) = merge(groups, SCREEN, lines=[line("Send", Box(120, 106, 40, 18))])
    assert (found.name, found.text, found.role, found.confidence) == (
        "Send",
        "Send",
        "push button",
        0.6,
    )


def test_the_outline_of_a_text_is_not_an_icon() -> None:
    groups: dict[Source, list[Element]] = {"detector": [seen("1", "icon", Box(12, 11, 30, 14))]}
    assert names(merge(groups, SCREEN, lines=[line("Send", Box(10, 10, 40, 18))])) == ["Send"]


def test_what_the_application_says_goes_before_what_the_browser_says() -> None:
    tree = button("Buy", Box(100, 100, 80, 30), states=("focused",))
    groups: dict[Source, list[Element]] = {
        "tree": [tree],
        "browser": [
            Element("1", "push button", "Buy", box=Box(100, 101, 80, 29), source="browser"),
            Element("2", "link", "Terms", box=Box(100, 200, 80, 20), source="browser"),
        ],
    }
    found = merge(groups, SCREEN)
    assert [(e.name, e.source) for e in found] == [("Buy", "tree"), ("Terms", "browser")]
    assert found[0].states == ("focused",)


# What cannot be seen


def test_what_is_off_the_screen_is_dropped_and_what_reaches_out_of_it_is_cut() -> None:
    groups: dict[Source, list[Element]] = {
        "tree": [
            button("out", Box(900, 10, 50, 20)),
            button("above", Box(10, -50, 50, 20)),
            button("half", Box(780, 10, 60, 20)),
            Element("nowhere", "push button", "nowhere"),
            button("flat", Box(10, 10, 50, 0)),
        ]
    }
    (half,) = merge(groups, SCREEN)
    assert (half.name, half.box) == ("half", Box(780, 10, 20, 20))


def windows(*boxes: Box, **more: bool) -> list[Window]:
    return [Window(n, f"Window {n}", box, **more) for n, box in enumerate(boxes)]


def top(number: int, box: Box) -> Element:
    return Element(f"w{number}", "frame", f"Window {number}", box=box)


def test_what_is_behind_another_window_is_dropped() -> None:
    low, high = Box(0, 0, 500, 400), Box(200, 100, 500, 400)
    groups: dict[Source, list[Element]] = {
        "tree": [
            top(0, low),
            button("free", Box(20, 20, 80, 30), "w0"),
            button("hidden", Box(300, 200, 80, 30), "w0"),
            button("half", Box(150, 300, 100, 30), "w0"),
            top(1, high),
            button("front", Box(300, 200, 80, 30), "w1"),
        ]
    }
    found = merge(groups, SCREEN, windows(low, high))
    assert sorted(names(found)) == ["Window 0", "Window 1", "free", "front", "half"]
    assert named(found, "half").box == Box(150, 300, 50, 30)
    raised = merge(groups, SCREEN, list(reversed(windows(low, high))))
    assert "hidden" in names(raised)
    assert "front" not in names(raised)


def test_minimised_windows_hide_nothing() -> None:
    box = Box(0, 0, 500, 400)
    groups: dict[Source, list[Element]] = {
        "tree": [top(0, box), button("a", Box(20, 20, 80, 30), "w0")]
    }
    over = Window(5, "Other", Box(0, 0, 600, 500), minimized=True)
    assert "a" in names(merge(groups, SCREEN, [*windows(box), over]))


def test_an_open_menu_and_a_dialog_hide_what_is_under_them_but_not_what_holds_them() -> None:
    tree = [
        FRAME,
        Element("m", "menu", "File", box=Box(0, 0, 40, 20), parent="w"),
        *(
            Element(f"i{n}", "menu item", f"Item {n}", box=Box(0, 20 + 20 * n, 150, 20), parent="m")
            for n in range(3)
        ),
        button("under the menu", Box(20, 40, 60, 20)),
        Element("d", "dialog", "Sure?", box=Box(300, 200, 200, 100), parent="w"),
        button("under the dialog", Box(350, 220, 60, 20)),
        button("Yes", Box(320, 260, 60, 20), "d"),
        button("beside", Box(600, 220, 60, 20)),
    ]
    found = names(merge({"tree": tree}, SCREEN))
    assert "under the menu" not in found
    assert "under the dialog" not in found
    assert set(found) >= {"File", "Item 0", "Item 2", "Editor", "Sure?", "Yes", "beside"}


def page_with_dialog(*after: Element) -> list[str]:
    """A page with a text and, behind that in the page, an open dialog; then what follows."""
    tree = [
        FRAME,
        Element("p", "document web", "Staff", box=WHOLE, parent="w"),
        Element("a", "section", box=Box(20, 20, 760, 400), parent="p"),
        Element("t", "static", "All staff", box=Box(20, 20, 100, 20), parent="a"),
        Element("o", "section", box=WHOLE, parent="a"),
        Element("d", "dialog", "New member", box=Box(200, 100, 400, 300), parent="o"),
        Element("c", "combo box", "Team", box=Box(220, 150, 300, 30), parent="d"),
        *after,
    ]
    return names(merge({"tree": tree}, SCREEN))


def test_a_list_that_a_page_lays_over_a_dialog_is_seen() -> None:
    listed = Element("l", "section", box=Box(220, 184, 300, 90), parent="p")
    item = Element("i", "list item", "Sales", box=Box(220, 184, 300, 30), parent="l")
    assert {"Sales", "Team"} <= set(page_with_dialog(listed, item))


def test_what_merely_follows_a_dialog_in_a_page_is_behind_it() -> None:
    below = Element("f", "section", box=Box(20, 430, 760, 20), parent="p")
    aside = Element("s", "section", box=Box(250, 300, 200, 20), parent="o")
    found = page_with_dialog(
        replace(below, box=Box(20, 420, 760, 20)),
        Element("x", "static", "Imprint", box=Box(20, 420, 80, 20), parent="f"),
        aside,
        Element("y", "static", "Draft", box=Box(250, 300, 50, 20), parent="s"),
    )
    assert "Imprint" in found


def test_what_is_said_only_to_screen_readers_is_dropped() -> None:
    dot = Element("l", "log", box=Box(21, 426, 1, 2), parent="w")
    said = Element("s", "static", "Your address", box=Box(21, 426, 68, 96), parent="l")
    assert names(merge({"tree": [FRAME, dot, said]}, SCREEN)) == ["Editor"]


def test_a_control_in_a_dot_is_where_its_label_is() -> None:
    labels = [
        Element(f"l{x}", "label", "", " Paris ", box=Box(x, 250, 94, 35), parent="w")
        for x in (173, 500)
    ]
    dot = Element("r", "radio button", "Paris", box=Box(271, 249, 2, 2), parent="w")
    found = merge({"tree": [FRAME, dot, *labels], "browser": [dot]}, SCREEN)
    radios = [element for element in found if element.role == "radio button"]
    assert [radio.box for radio in radios] == [labels[0].box]


def test_a_handle_on_a_bar_is_a_slider() -> None:
    bar = Element("t", "section", box=Box(22, 148, 700, 15), parent="w")
    handle = Element("h", "section", box=Box(66, 144, 22, 22), states=("focusable",), parent="t")
    cell = Element("c", "section", box=Box(66, 344, 22, 22), states=("focusable",), parent="w")
    found = merge({"tree": [FRAME, bar, handle, cell]}, SCREEN)
    assert [e.id for e in found if e.role == "slider"] == ["h"]


def test_parents_are_in_the_list_or_none() -> None:
    tree = [
        FRAME,
        Element("gone", "panel", box=None, parent="w"),
        button("inner", Box(10, 10, 50, 20), "gone"),
        button("orphan", Box(10, 50, 50, 20), "unknown"),
    ]
    found = merge({"tree": tree}, SCREEN)
    assert (named(found, "inner").parent, named(found, "orphan").parent) == ("w", None)


# Order


def order(**boxes: Box) -> list[str]:
    keys = list(boxes)
    return [keys[n] for n in reading_order([boxes[key] for key in keys])]


def test_rows_are_read_from_the_left_though_they_are_not_quite_even() -> None:
    assert order(
        low=Box(10, 100, 50, 20),
        right=Box(300, 12, 50, 20),
        left=Box(10, 10, 50, 24),
        middle=Box(100, 8, 50, 24),
    ) == ["left", "middle", "right", "low"]


def test_columns_of_different_heights_are_read_one_after_the_other() -> None:
    found = order(
        head=Box(0, 0, 600, 30),
        a1=Box(0, 50, 200, 80),
        b1=Box(300, 50, 250, 30),
        a2=Box(0, 140, 200, 150),
        b2=Box(300, 90, 250, 110),
        b3=Box(300, 210, 250, 80),
        foot=Box(0, 300, 600, 30),
    )
    assert found == ["head", "a1", "a2", "b1", "b2", "b3", "foot"]


def test_a_table_is_read_row_by_row() -> None:
    cells = {f"c{y}{x}": Box(100 * x, 22 * y, 90, 18) for x in range(3) for y in range(3)}
    assert order(**cells) == [f"c{y}{x}" for y in range(3) for x in range(3)]


def test_what_holds_others_comes_before_them() -> None:
    found = order(
        other=Box(0, 0, 50, 20),
        inside=Box(20, 120, 50, 20),
        outer=Box(10, 100, 700, 400),
        more=Box(20, 150, 50, 20),
    )
    assert found == ["other", "outer", "inside", "more"]


boxes = st.builds(
    Box, st.integers(-50, 850), st.integers(-50, 650), st.integers(0, 300), st.integers(0, 200)
)


@settings(deadline=None)
@given(st.lists(boxes, max_size=30))
def test_every_box_is_read_once(found: list[Box]) -> None:
    assert sorted(reading_order(found)) == list(range(len(found)))


roles = st.sampled_from(["push button", "panel", "label", "icon", "dialog", "menu", "frame"])


@st.composite
def trees(draw: st.DrawFn) -> list[Element]:
    count = draw(st.integers(0, 12))
    return [
        Element(
            f"t{n}",
            draw(roles),
            draw(st.sampled_from(["", "a", "b"])),
            box=draw(st.none() | boxes),
            parent=draw(st.none() | st.sampled_from([f"t{m}" for m in range(n)] or ["t0"])),
        )
        for n in range(count)
    ]


@settings(deadline=None)
@given(trees(), st.lists(boxes, max_size=6), st.lists(boxes, max_size=3))
def test_whatever_is_said_the_list_is_sound(
    tree: list[Element], shapes: list[Box], over: list[Box]
) -> None:
    detected = [seen(str(n), "icon", box) for n, box in enumerate(shapes)]
    found = merge({"tree": tree, "detector": detected}, SCREEN, windows(*over))
    ids = {element.id for element in found}
    assert len(ids) == len(found)
    for element in found:
        assert element.box is not None
        assert element.box.area > 0
        assert WHOLE.intersect(element.box) == element.box
        assert element.parent is None or element.parent in ids


def test_a_thousand_elements_are_merged() -> None:
    tree = [button(str(n), Box(n % 40 * 20, n // 40 * 20, 18, 18)) for n in range(1000)]
    shapes = [seen(str(n), "icon", Box(n % 20 * 40, n // 20 * 40, 30, 30)) for n in range(200)]
    found = merge({"tree": tree, "detector": shapes}, SCREEN)
    assert len(found) >= 1000


@pytest.mark.parametrize("role", ["panel", "document web", "list", "tool bar"])
def test_a_text_is_not_swallowed_by_what_holds_it(role: str) -> None:
    holder = Element("h", role, "holder", box=Box(10, 10, 300, 200))
    found = merge({"tree": [holder]}, SCREEN, lines=[line("Word", Box(20, 20, 40, 16))])
    assert named(found, "holder").text == ""
    assert named(found, "Word").parent == "h"


# Icons that look like characters


def test_a_picture_that_looks_like_a_character_is_still_an_icon() -> None:
    icon = seen("d1", "icon", Box(245, 20, 14, 12))
    sign = Line("三", Box(243, 18, 16, 14), 0.85)
    found = merge({"detector": [icon]}, SCREEN, lines=[sign])
    assert [(e.role, e.source, e.text) for e in found] == [("icon", "detector", "三")]


def test_a_letter_that_is_read_clearly_is_no_icon() -> None:
    shape = seen("d1", "icon", Box(245, 20, 14, 12))
    letter = Line("A", Box(243, 18, 16, 14), 0.99)
    found = merge({"detector": [shape]}, SCREEN, lines=[letter])
    assert [(e.role, e.source) for e in found] == [("label", "ocr")]


def test_on_a_chinese_screen_a_chinese_character_is_one() -> None:
    shape = seen("d1", "icon", Box(245, 20, 14, 12))
    page = [line(text, Box(20, 100 + 40 * n, 80, 16)) for n, text in enumerate(("设置", "关于"))]
    sign = Line("三", Box(243, 18, 16, 14), 0.85)
    found = merge({"detector": [shape]}, SCREEN, lines=[*page, sign])
    assert "icon" not in [e.role for e in found]


def test_a_bar_that_takes_the_keyboard_with_a_handle_on_it_is_a_slider() -> None:
    bar = Element("b", "section", box=Box(40, 100, 400, 12), states=("focusable",))
    handle = Element("h", "section", box=Box(100, 96, 16, 20))
    found = merge({"tree": [bar, handle]}, SCREEN)
    assert [e.id for e in found if e.role == "slider"] == ["b"]
    assert not [e for e in merge({"tree": [bar]}, SCREEN) if e.role == "slider"]


def test_radio_buttons_at_one_place_are_where_their_labels_are() -> None:
    labels = [
        Element(f"l{n}", "label", "", said, box=Box(100 + 70 * n, 250, 68, 38), parent="w")
        for n, said in enumerate(("Email", "Post"))
    ]
    radios = [
        Element(f"r{n}", "radio button", said, box=Box(100, 250, 13, 13), parent="w")
        for n, said in enumerate(("Email", "Post"))
    ]
    found = merge({"tree": [FRAME, *radios, *labels]}, SCREEN)
    places = {e.name: e.box for e in found if e.role == "radio button"}
    assert places == {"Email": radios[0].box, "Post": labels[1].box}


def crowd(count: int) -> list[Element]:
    """Buttons in rows, as many as that."""
    return [
        Element(f"c{n}", "push button", f"B{n}", box=Box(12 * (n % 60), 11 * (n // 60), 11, 10))
        for n in range(count)
    ]


def test_the_work_grows_with_what_is_on_the_screen_and_not_with_its_square(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = 0
    overlap, near = merging._overlap, tracking._near

    def counted(one: Box, other: Box) -> int:
        nonlocal asked
        asked += 1
        return overlap(one, other)

    def counted_near(one: Element, other: Element) -> bool:
        nonlocal asked
        asked += 1
        return near(one, other)

    monkeypatch.setattr(merging, "_overlap", counted)
    monkeypatch.setattr(tracking, "_near", counted_near)
    work = []
    for count in (500, 2000):
        asked, tree = 0, crowd(count)
        told = [replace(e, source="browser") for e in tree]
        lines = [line(e.name, e.box, (e.name, e.box)) for e in tree if e.box is not None]
        tracker = Tracker()
        found = merge({"tree": tree, "browser": told}, SCREEN, lines=lines)
        assert len(found) == count
        tracker.track(found)
        shifted = [replace(e, box=Box(e.box.x + 1, e.box.y, 9, 9)) for e in found if e.box]
        assert {e.id for e in tracker.track(shifted)} == {f"e{n + 1}" for n in range(count)}
        work.append(asked)
    assert work[1] < 6 * work[0]
