"""Every verb over screens on which nothing reacts, nothing is there, or another value is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from steps_world import SIZE, DeadWorld, StubbornWorld, World, element

from carrel.actions import Click, Drag, Key, Type
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps import program as p
from carrel.models.steps.desk import Desk
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.program import Program, Step
from carrel.models.steps.verbs import _VERBS

EXAMPLES: dict[type[Step], Step] = {
    p.Point: p.Point("Save"),
    p.Press: p.Press(("enter",)),
    p.Enter: p.Enter("Ada", "Name"),
    p.Clear: p.Clear("Notes"),
    p.Submit: p.Submit(),
    p.Choose: p.Choose(("Red",), "the Colours list"),
    p.Tick: p.Tick(("Terms",)),
    p.PickDate: p.PickDate("3 May 2027", "2027-05-03", "Name"),
    p.PickTime: p.PickTime("10:30", "10:30", "Name"),
    p.Complete: p.Complete(starts="Li", into="Name"),
    p.Expand: p.Expand("More"),
    p.Fill: p.Fill(),
    p.Answer: p.Answer("Save"),
    p.Perform: p.Perform("delete", "Report.pdf"),
    p.Draw: p.Draw("a line", "Save", "through"),
    p.Resize: p.Resize("Save", "larger"),
    p.Sort: p.Sort("list items", "descending"),
    p.SetValue: p.SetValue("Volume", "7"),
    p.Scroll: p.Scroll("down"),
    p.Drag: p.Drag("Save", "More"),
    p.Highlight: p.Highlight("Report.pdf"),
    p.Change: p.Change("Report.pdf", "bold"),
    p.Copy: p.Copy("Name"),
    p.Paste: p.Paste("Name"),
    p.SwitchTo: p.SwitchTo("Editor"),
    p.CloseWindow: p.CloseWindow("Editor"),
    p.GoTo: p.GoTo("https://shop.example/cart?page=2"),
    p.Navigate: p.Navigate("back"),
    p.Open: p.Open("Save"),
    p.Run: p.Run("true"),
}
LOOKS = {p.Wait, p.Read, p.Find, p.Compute, p.Let, p.Check}
"""They change nothing."""
OF_ONE_VALUE = (p.Enter, p.Clear, p.PickDate, p.PickTime, p.SetValue, p.Fill)


ANYWHERE = (p.Press, p.Scroll, p.Run, p.GoTo, p.Navigate, p.Open)
"""They need nothing on the screen."""


def field(name: str, top: int, *states: str, value: str = "") -> Element:
    return element(name, "entry", (100, top, 120, 20), "editable", *states, value=value)


def things() -> list[Element]:
    """One of everything."""
    box = (500, 60, 100, 60)
    return [
        element("Save", "push button", (10, 10, 80, 20)),
        element("Name:", "label", (10, 60, 60, 20)),
        field("Name", 60),
        field("Notes", 90, value="old"),
        element("Terms", "check box", (10, 120, 80, 20), "checkable"),
        element("More", "push button", (10, 150, 80, 20), "expandable"),
        element("Report.pdf", "label", (10, 180, 80, 20)),
        element("Delete", "push button", (100, 180, 60, 20)),
        element("bold", "toggle button", (200, 180, 60, 20)),
        element("Volume", "slider", (10, 210, 100, 20), value="3"),
        element("Colours", "list", box, id="list"),
        element("Blue", "list item", (500, 60, 100, 20), "selectable", parent="list"),
        element("Red", "list item", (500, 80, 100, 20), "selectable", parent="list"),
        element("Ada", "label", (400, 300, 60, 20)),
        element("Name:", "label", (340, 300, 50, 20)),
    ]


def carry_out(world: World, program: Program) -> Player:
    desk = Desk(SIZE)
    desk.take(world.seen())
    player = Player(program, desk)
    turns = player.play()
    try:
        request = next(turns)
        for _ in range(600):
            request = turns.send(world.answer(request))
        pytest.fail("no end")
    except StopIteration:
        return player


def windows() -> list[Window]:
    editor = Window(1, "Editor", Box(0, 0, 400, 300), "editor", focused=False)
    return [editor, replace(editor, id=2, title="Mail", app="mail", focused=True)]


def test_every_verb_has_an_example() -> None:
    assert set(EXAMPLES) | LOOKS == set(_VERBS)


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_where_nothing_reacts_no_verb_passes_silently(kind: type[Step]) -> None:
    world = DeadWorld(*things())
    world.windows = windows()
    player = carry_out(world, Program((EXAMPLES[kind],)))
    assert player.account is not None or player.doubtful


@pytest.mark.parametrize("kind", OF_ONE_VALUE, ids=lambda kind: kind.__name__)
def test_where_a_field_keeps_another_value_the_step_fails(kind: type[Step]) -> None:
    player = carry_out(StubbornWorld(*things()), Program((EXAMPLES[kind],)))
    assert player.account is not None


@pytest.mark.parametrize(
    "kind", [k for k in EXAMPLES if k not in ANYWHERE], ids=lambda kind: kind.__name__
)
def test_what_is_not_there_is_not_worked_on(kind: type[Step]) -> None:
    world = World(element("Welcome", "label", (10, 10, 80, 20)))
    player = carry_out(world, Program((EXAMPLES[kind],)))
    assert player.account is not None or kind is p.Answer
    pressed = [a for a in world.done if isinstance(a, Click | Drag | Type)]
    assert not pressed


ABSENT = st.sampled_from(
    ["Frobnicate", "Zork", "Quux settings", "Blorb", "Yonder", "Plugh", "Xyzzy list", "杂项甲乙"]
)
SENTENCES = st.sampled_from(
    [
        "Click {}",
        "Click the {} button",
        "Double-click {}",
        "Type hello into {}",
        "Select {}",
        "Select {} from the Blorb list",
        "Check {}",
        "Delete {}",
        "Reply to {}",
        "Open the {} menu",
        "Set the {} slider to 5",
        "Drag {} onto Zork",
        "Click {} and then Zork",
        "If {} is checked, click Delete",
        "Sort by {}",
        "点击{}",
        "在{}里输入你好",
        "勾选{}",
    ]
)


@settings(max_examples=60, deadline=None)
@given(SENTENCES, ABSENT)
def test_sentences_about_what_is_not_there_press_nothing(sentence: str, name: str) -> None:
    tabs = [element(n, "page tab", (10 + 90 * i, 400, 80, 20)) for i, n in enumerate("ABC")]
    menu = element("File", "menu", (600, 10, 60, 20), "has popup")
    wizard = element("Next", "push button", (600, 500, 80, 20))
    world = World(*things(), *tabs, menu, wizard)
    program = read_sentence(sentence.format(name))
    if any(isinstance(step, p.Unclear) for step in program.steps):
        return
    player = carry_out(world, program)
    assert player.account is not None
    revealing = [(e.box or Box(0, 0, 1, 1)) for e in (*tabs, menu)]
    revealing.append(Box(10, 150, 80, 20))
    for action in world.done:
        assert not isinstance(action, Type | Drag)
        if isinstance(action, Click):
            assert any(box.contains(Box(action.x, action.y, 1, 1).center) for box in revealing)
        if isinstance(action, Key):
            assert action.keys == Key(("escape",)).keys
