from __future__ import annotations

import pytest
from steps_world import DeadWorld, World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.program import Choose
from carrel.models.steps.shown.entries import is_entries, listed_entries, several_entries
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose

FILES = ("报告.docx", "预算.xlsx", "照片.zip")


def files(*, boxes: bool, kind: type[World] = World) -> World:
    """A table of files, each with a box to tick it by or without."""
    made = [element("", "table", (10, 10, 400, 300), id="t")]
    for n, name in enumerate(FILES):
        row, y = f"r{n}", 10 + 40 * n
        made.append(element("", "table row", (10, y, 400, 40), parent="t", id=row))
        if boxes:
            at = (15, y + 10, 14, 14)
            made.append(element(f"选择 {name}", "check box", at, "checkable", parent=row))
        made.append(element(name, "table cell", (50, y, 200, 40), parent=row, id=f"c{n}"))
    world = kind(*made)
    for name in FILES:
        world.on(f"选择 {name}", toggle)
    return world


def toggle(world: World, e: Element, _action: Action) -> None:
    world.change(e.name, states=tuple(set(e.states) ^ {"checked"}))


def ticked(world: World) -> list[str]:
    return [e.name for e in world.elements if "checked" in e.states]


def test_files_are_selected_by_the_boxes_of_their_rows() -> None:
    world = files(boxes=True)
    play(world, choose(desk_of(world), Choose(FILES[:2], said="报告.docx和预算.xlsx")))
    assert ticked(world) == ["选择 报告.docx", "选择 预算.xlsx"]


def test_a_click_that_is_seen_to_do_something_selects() -> None:
    world = files(boxes=False)
    desk = desk_of(world)
    play(world, choose(desk, Choose((FILES[0],))))
    assert world.done[0] == Click(150, 30)
    assert not desk.doubts


def test_where_nothing_changes_nothing_is_selected() -> None:
    world = files(boxes=False, kind=DeadWorld)
    with pytest.raises(Missed, match="is not selected"):
        play(world, choose(desk_of(world), Choose((FILES[0],))))


@pytest.mark.parametrize("phrase", ["the first two files", "前两个文件", "前2项", "the top 2 rows"])
def test_so_many_entries_are_selected_from_the_first_on(phrase: str) -> None:
    world = files(boxes=True)
    play(world, choose(desk_of(world), Choose((phrase,))))
    assert ticked(world) == ["选择 报告.docx", "选择 预算.xlsx"]


def test_the_last_entries_are_counted_from_the_end() -> None:
    desk = desk_of(files(boxes=True))
    assert several_entries(desk, "the last two items") == listed_entries(desk)[1:]
    assert several_entries(desk, "the second file") is None


def test_more_entries_than_there_are_is_told_and_nothing_is_done() -> None:
    world = files(boxes=True)
    with pytest.raises(Missed, match="not so many entries"):
        play(world, choose(desk_of(world), Choose(("the first nine files",))))
    assert world.done == []


@pytest.mark.parametrize("phrase", ["all tasks", "the remaining messages", "剩下的任务", "任务"])
def test_words_for_whatever_a_list_holds_are_known(phrase: str) -> None:
    assert is_entries(phrase)
    assert not is_entries(f"{phrase} by Ann")
