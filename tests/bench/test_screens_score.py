from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.bench.suites.screens.score import (
    box_marks,
    claim_marks,
    overlap,
    reading_marks,
    text_marks,
)
from carrel.bench.suites.screens.truth import (
    Control,
    Picture,
    Run,
    Table,
    Truth,
    common,
    group_of,
)
from carrel.frames import Element
from carrel.geometry import Box, Size

SIZE = Size(400, 300)
BOXES = st.builds(
    Box, st.integers(0, 300), st.integers(0, 200), st.integers(1, 90), st.integers(1, 90)
)


def element(role: str, box: Box, name: str = "", **more: object) -> Element:
    return Element("e1", role, name, box=box, **more)  # type: ignore[arg-type]


@given(BOXES, BOXES)
def test_overlap_is_mutual_bounded_and_whole_only_for_the_same_box(one: Box, other: Box) -> None:
    share = overlap(one, other)
    assert share == overlap(other, one)
    assert 0.0 <= share <= 1.0
    assert (share == 1.0) == (one == other)


SAVE = Control("button", Box(10, 10, 80, 30), boxed=True, text="Save")
FORM = Truth(
    SIZE,
    runs=(
        Run("Save", Box(30, 16, 40, 16), 0),
        Run("Your name", Box(10, 60, 90, 16)),
        Run("Save", Box(300, 200, 40, 16)),
    ),
    controls=(
        SAVE,
        Control("field", Box(110, 56, 120, 24)),
        Control("link", Box(200, 10, 24, 24)),
        Control("checkbox", Box(10, 100, 120, 20), text="Remember me"),
    ),
    pictures=(Picture(Box(300, 10, 80, 80), replaced=True),),
)


def test_a_string_is_found_on_its_text_or_on_the_control_that_it_is_on() -> None:
    on_edge = element("push button", Box(10, 10, 80, 30), "Save")
    marks = {mark.subject: mark for mark in text_marks("tree", [on_edge], FORM)}
    assert marks["Save"].right
    assert marks["Save"].kind == "clickable"
    assert not marks["Your name"].right
    assert marks["Your name"].why == "not found"


def test_a_string_that_is_there_twice_is_asked_for_once_and_either_is_right() -> None:
    other = element("label", Box(300, 200, 40, 16), "Save")
    marks = [mark for mark in text_marks("ocr", [other], FORM) if mark.subject == "Save"]
    assert [mark.right for mark in marks] == [True]


def test_a_string_at_another_place_is_wrong_and_says_what_it_was_taken_for() -> None:
    elsewhere = element("label", Box(10, 250, 90, 16), "Your name")
    (mark,) = [m for m in text_marks("ocr", [elsewhere], FORM) if m.subject == "Your name"]
    assert not mark.right
    assert mark.why == "taken for label 'Your name' at 10,250 90x16"


def test_a_part_of_a_line_is_clicked_where_it_stands_in_the_line() -> None:
    line = Truth(SIZE, runs=(Run("Home", Box(0, 0, 40, 16)), Run("About", Box(160, 0, 50, 16))))
    whole = element("label", Box(0, 0, 210, 16), "Home Features Pricing About")
    assert all(mark.right for mark in text_marks("ocr", [whole], line))


def test_the_smallest_of_those_that_say_the_same_is_taken() -> None:
    page = element("document web", Box(0, 0, 400, 300), "Your name")
    label = element("label", Box(10, 60, 90, 16), "Your name")
    (mark,) = [m for m in text_marks("tree", [page, label], FORM) if m.subject == "Your name"]
    assert mark.right


def test_a_control_is_found_by_a_box_that_covers_it_by_half() -> None:
    found = [element("push button", Box(12, 12, 78, 28)), element("icon", Box(190, 0, 60, 60))]
    marks = {mark.kind: mark for mark in box_marks("detector", found, FORM)}
    assert marks["button"].right
    assert not marks["icon"].right
    assert marks["icon"].why.startswith("best overlap 0.1")
    assert not marks["field"].right


def test_the_square_of_a_check_box_stands_for_it_with_its_text() -> None:
    square = element("check box", Box(12, 103, 14, 14))
    marks = {mark.kind: mark for mark in box_marks("detector", [square], FORM)}
    assert marks["check"].right
    assert [mark.right for mark in claim_marks("detector", [square], FORM)] == [True]


def test_a_claim_counts_once_and_pictures_count_neither_way() -> None:
    claims = [
        element("push button", Box(10, 10, 80, 30)),
        element("push button", Box(11, 11, 78, 28)),
        element("icon", Box(310, 20, 40, 40)),
        element("icon", Box(350, 250, 20, 20)),
        element("label", Box(200, 250, 20, 20)),
    ]
    assert [mark.right for mark in claim_marks("merged", claims, FORM)] == [True, False, False]


def test_what_was_read_is_right_where_it_is_written() -> None:
    def read(text: str, box: Box) -> list[bool]:
        line = element("label", box, text, source="ocr")
        return [mark.right for mark in reading_marks("ocr", [line], FORM)]

    assert read("Your nane", Box(10, 60, 90, 16)) == [True]
    assert read("Something else", Box(10, 60, 90, 16)) == [False]
    assert read("Nothing is here", Box(200, 250, 90, 16)) == [False]
    assert read("On a picture", Box(310, 30, 40, 16)) == []


@pytest.mark.parametrize(
    ("control", "group"),
    [
        (SAVE, "button"),
        (Control("link", Box(0, 0, 90, 20), text="More"), "link"),
        (Control("link", Box(0, 0, 90, 20), text="More", boxed=True), "button"),
        (Control("link", Box(0, 0, 20, 20)), "icon"),
        (Control("link", Box(0, 0, 200, 200)), "other"),
        (Control("combo", Box(0, 0, 90, 20)), "field"),
        (Control("radio", Box(0, 0, 16, 16)), "check"),
        (Control("slider", Box(0, 0, 90, 20)), "other"),
    ],
)
def test_controls_are_grouped_as_they_look(control: Control, group: str) -> None:
    assert group_of(control) == group


def test_of_two_looks_only_what_both_agree_on_is_kept_and_the_rest_is_not_counted() -> None:
    moved = Truth(
        SIZE,
        runs=(FORM.runs[0], Run("Your name", Box(10, 64, 90, 16))),
        controls=FORM.controls[:1],
        tables=(Table(("a", "b"), ()),),
    )
    kept = common(FORM, moved)
    assert [run.text for run in kept.runs] == ["Save"]
    assert kept.runs[0].owner == 0
    assert kept.controls == (SAVE,)
    assert Box(10, 60, 90, 16) in kept.ignored
    assert kept.tables == ()


def test_an_icon_without_a_border_is_found_by_what_is_drawn_in_its_middle() -> None:
    def found(*boxes: Box, boxed: bool = False) -> tuple[bool, list[bool]]:
        truth = Truth(SIZE, controls=(Control("button", Box(100, 100, 40, 40), boxed=boxed),))
        seen = [element("icon", box) for box in boxes]
        (mark,) = box_marks("detector", seen, truth)
        return mark.right, [claim.right for claim in claim_marks("detector", seen, truth)]

    assert found(Box(110, 110, 20, 20)) == (True, [True])
    assert found(Box(110, 110, 20, 20), boxed=True) == (False, [False])
    assert found(Box(100, 100, 10, 10)) == (False, [False])
    assert found(Box(118, 118, 4, 4)) == (False, [False])


def test_a_cut_off_text_is_not_asked_for_but_as_good_as_a_whole_one() -> None:
    cut = Run("Total", Box(10, 290, 50, 10), whole=False)
    truth = Truth(SIZE, (Run("Total", Box(10, 10, 50, 16)), cut, Run("Tax", cut.box, whole=False)))
    below = element("label", cut.box, "Total")
    assert [(m.subject, m.right) for m in text_marks("tree", [below], truth)] == [("Total", True)]


def test_a_line_of_a_wrapped_text_is_found_on_any_of_its_lines() -> None:
    lines = tuple(Run(f"line {n}", Box(10, 20 * n, 80, 16), block=1) for n in range(3))
    label = Run("Agree", Box(200, 10, 50, 16), labels=0)
    box = Control("checkbox", Box(180, 10, 14, 14))
    truth = Truth(SIZE, (*lines, label), (box,))
    whole = element("static", Box(10, 0, 80, 56), "line 0 line 1 line 2")
    ticked = element("check box", box.box, "Agree")
    assert all(mark.right for mark in text_marks("tree", [whole, ticked], truth))
