from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.bench.suites.screens.near import beside
from carrel.bench.suites.screens.templates import describe_all, sample
from carrel.bench.suites.screens.truth import Cell, Control, Run, Table, Truth
from carrel.geometry import Box, Size

SIZE = Size(800, 600)


def told(truth: Truth, language: str = "en") -> dict[str, list[tuple[str, Box]]]:
    made = describe_all(truth, language, Random(1))  # type: ignore[arg-type]
    return {
        template: [(one.text, one.targets[0]) for one in found] for template, found in made.items()
    }


def button(text: str, x: int, y: int) -> tuple[Control, Run]:
    return (
        Control("button", Box(x, y, 80, 30), boxed=True, text=text),
        Run(text, Box(x + 10, y + 8, 60, 14)),
    )


def screen(*pairs: tuple[Control, Run], runs: tuple[Run, ...] = ()) -> Truth:
    owned = tuple(Run(run.text, run.box, number) for number, (_, run) in enumerate(pairs))
    return Truth(SIZE, owned + runs, tuple(control for control, _ in pairs))


def test_a_name_that_is_there_twice_is_only_asked_for_by_its_number() -> None:
    truth = screen(button("Edit", 0, 0), button("Edit", 0, 100), button("Close", 0, 200))
    made = told(truth)
    assert made["role"]
    assert all("Close" in text for text, _ in made["role"])
    assert all("Edit" not in text for text, _ in made["name"])
    ordinals = dict(made["ordinal"])
    second = [box for text, box in ordinals.items() if "second" in text]
    assert second == [Box(0, 100, 80, 30)]
    assert [box for text, box in ordinals.items() if "last" in text] == [Box(0, 100, 80, 30)]


def test_nothing_is_called_the_last_where_something_is_cut_off() -> None:
    whole = screen(button("Edit", 0, 0), button("Edit", 0, 100))
    cut = Truth(SIZE, whole.runs, whole.controls, ignored=(Box(0, 590, 80, 10),))
    assert not any("last" in text for text, _ in told(cut)["ordinal"])


def test_things_in_no_clear_order_have_no_numbers() -> None:
    crooked = screen(button("Edit", 0, 0), button("Edit", 100, 12))
    assert "ordinal" not in told(crooked)


def test_a_field_is_called_by_its_label_unless_two_have_the_same() -> None:
    fields = (
        Control("field", Box(100, 0, 200, 24), label="Email:"),
        Control("password", Box(100, 40, 200, 24), label="Password"),
        Control("field", Box(100, 80, 200, 24), label="Street"),
        Control("field", Box(100, 120, 200, 24), label="Street"),
    )
    runs = tuple(Run(f.label, Box(0, f.box.y, 60, 20)) for f in fields)
    made = told(Truth(SIZE, runs, fields))
    assert any("Email" in text and ":" not in text for text, _ in made["label"])
    assert {box for _, box in made["label"]} == {fields[0].box, fields[1].box}
    chinese = told(Truth(SIZE, runs, fields), "zh")
    assert all(any("\u4e00" <= c <= "\u9fff" for c in text) for text, _ in chinese["label"])


def test_an_icon_is_called_by_its_name_or_by_what_it_stands_beside() -> None:
    icon = Control("button", Box(70, 0, 24, 24), hint="Print")
    truth = Truth(SIZE, (Run("Report", Box(0, 4, 60, 16)),), (icon,))
    made = told(truth)
    assert [box for _, box in made["icon's name"]] == [icon.box]
    assert any("right of" in text and "Report" in text for text, _ in made["near"])


def test_what_could_be_either_of_two_is_beside_nothing() -> None:
    anchor = Run("Report", Box(0, 4, 60, 16))
    icons = tuple(Control("button", Box(x, 0, 16, 24)) for x in (70, 88))
    truth = Truth(SIZE, (anchor,), icons)
    assert list(beside(anchor, truth, ["icon", "icon"])) == []


def test_a_text_between_two_things_keeps_them_from_being_neighbours() -> None:
    anchor, wall = Run("Report", Box(0, 4, 60, 16)), Run("of May", Box(64, 4, 50, 16))
    icon = Control("button", Box(120, 0, 24, 24))
    truth = Truth(SIZE, (anchor, wall), (icon,))
    assert list(beside(anchor, truth, ["icon"])) == []
    assert ("right", 0) in list(beside(wall, truth, ["icon"]))


def test_cells_are_called_by_row_and_column_and_buttons_by_their_row() -> None:
    rows = tuple(
        tuple(Cell(text, Box(100 * x, 30 * y, 100, 30)) for x, text in enumerate(row))
        for y, row in enumerate((("Ada", "36", "Edit"), ("Alan", "41", "Edit")), 1)
    )
    edits = tuple(Control("link", row[2].box or Box(0, 0, 1, 1), text="Edit") for row in rows)
    runs = tuple(
        Run(cell.text, cell.box, number if cell.text == "Edit" else -1)
        for number, row in enumerate(rows)
        for cell in row
        if cell.box
    )
    truth = Truth(SIZE, runs, edits, tables=(Table(("Name", "Age", ""), rows),))
    made = told(truth)
    assert {box for _, box in made["cell"]} == {rows[0][1].box, rows[1][1].box}
    assert len(made["cell by number"]) == 6
    assert {box for _, box in made["in a row"]} == {rows[0][2].box, rows[1][2].box}


RUNS = st.builds(
    Run,
    st.text(st.characters(exclude_categories=("Cs",)), max_size=12),
    st.builds(
        Box, st.integers(0, 700), st.integers(0, 500), st.integers(1, 90), st.integers(1, 30)
    ),
)
CONTROLS = st.builds(
    Control,
    st.sampled_from(["button", "link", "field", "checkbox", "combo", "clickable", "menu item"]),
    st.builds(
        Box, st.integers(0, 700), st.integers(0, 500), st.integers(4, 90), st.integers(4, 90)
    ),
    text=st.sampled_from(["", "Save", "Open", "保存"]),
    label=st.sampled_from(["", "Name", "Name:", "姓名"]),
    hint=st.sampled_from(["", "Print"]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(RUNS, max_size=12), st.lists(CONTROLS, max_size=12))
def test_every_description_points_at_something_that_is_there(
    runs: list[Run], controls: list[Control]
) -> None:
    truth = Truth(SIZE, tuple(runs), tuple(controls))
    there = {run.box for run in runs} | {control.box for control in controls}
    for one in sample(truth, "any", 40):
        assert set(one.targets) <= there
        assert one.text.strip()


def test_the_same_screen_is_asked_the_same_questions_half_of_them_in_chinese() -> None:
    truth = screen(*(button(name, 0, 40 * y) for y, name in enumerate(("Open", "Save", "Close"))))
    first = sample(truth, "page@800x600", 8)
    assert first == sample(truth, "page@800x600", 8)
    assert first != sample(truth, "other@800x600", 8)
    assert [one.language for one in first].count("zh") == len(first) // 2


@pytest.mark.parametrize("name", ["x" * 60, 'say "no"', ""])
def test_nobody_says_a_name_that_cannot_be_said(name: str) -> None:
    assert "role" not in told(screen(button(name, 0, 0)))
