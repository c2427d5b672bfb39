"""Words replaced in an editor, and words that only explain what a thing is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key, Type
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.program import Perform
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.performing import perform

EDITABLE = ("editable", "focusable", "multi line")


class Editor(World):
    """An editor with a caret, and a selection made with the keyboard."""

    def __init__(self, text: str) -> None:
        super().__init__(element("", "text", (10, 10, 400, 300), *EDITABLE, value=text, id="t"))
        self.at = self.marked = 0

    def _act(self, action: Action):  # type: ignore[no-untyped-def]
        held = self.elements[0].value or ""
        if isinstance(action, Key) and action.keys == ("ctrl", "home"):
            self.at = self.marked = 0
        elif isinstance(action, Key) and action.keys == ("right",):
            self.at, self.marked = self.at + action.repeat, 0
        elif isinstance(action, Key) and action.keys == ("shift", "right"):
            self.marked += action.repeat
        elif isinstance(action, Type):
            text = held[: self.at] + action.text + held[self.at + self.marked :]
            self.elements[0] = replace(self.elements[0], value=text)
            self.done.append(action)
            return super()._act(Key(("shift",)))
        return super()._act(action)


def test_every_one_of_the_words_is_typed_over() -> None:
    world = Editor("苹果 2 斤\n牛奶\n苹果醋 1 瓶")
    step = Perform("replace", '"苹果"', (("with", "香梨子"), ("in", "everywhere")))
    play(world, perform(desk_of(world), step))
    assert world.elements[0].value == "香梨子 2 斤\n牛奶\n香梨子醋 1 瓶"


def test_of_several_words_none_is_replaced_unless_all_are_meant() -> None:
    world = Editor("tea, coffee, tea")
    with pytest.raises(Missed, match="2 times"):
        play(world, perform(desk_of(world), Perform("replace", '"tea"', (("with", "milk"),))))
    assert not [a for a in world.done if isinstance(a, Click | Type)]
    play(world, perform(desk_of(world), Perform("replace", '"coffee"', (("with", "milk"),))))
    assert world.elements[0].value == "tea, milk, tea"


def table() -> World:
    column = element("Country", "column header", (100, 0, 80, 30), id="c")
    cell = element("", "table cell", (100, 30, 80, 30), id="d")
    return World(
        element("", "table", (0, 0, 400, 90), id="t"),
        replace(element("", "table row", (0, 0, 400, 30), id="h"), parent="t"),
        replace(column, parent="h"),
        replace(element("", "table row", (0, 30, 400, 30), id="r"), parent="t"),
        replace(cell, parent="r"),
        replace(element("", "combo box", (105, 34, 70, 22), id="b"), parent="d"),
        replace(element("Search", "push button", (300, 34, 20, 20), id="s"), parent="r"),
    )


@pytest.mark.parametrize(
    ("phrase", "id_"),
    [
        ("Country 列的筛选下拉框", "b"),
        ("搜索图标（Search）", "s"),
        ("搜索按钮(Search)", "s"),
    ],
)
def test_a_filter_is_found_by_its_column_and_a_control_by_its_name_in_brackets(
    phrase: str, id_: str
) -> None:
    desk = desk_of(table())
    match = resolve(desk, look_for(desk, wished(phrase)))
    assert match is not None
    assert match.element.id == id_
