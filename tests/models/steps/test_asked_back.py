"""An act that opens a dialog ends with it: the dialog is answered, or success is not told."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Type
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player

PAGE = element("Leave", "document web", (0, 0, 800, 600), id="p")


def requests(yes: tuple[str, ...], no: str, *, goes: bool = True, field: str = "Reason") -> World:
    """Two rows, each with a button that asks why in a dialog of its own."""
    shown = [PAGE, element("", "table", (0, 0, 800, 120), parent="p", id="t")]
    for number, who in enumerate(("Ann", "Bob")):
        top = 20 + 40 * number
        shown += [
            element("", "table row", (0, top, 800, 30), parent="t", id=who),
            element(who, "table cell", (0, top, 200, 30), parent=who),
            element("Reject", at=(500, top, 80, 24), parent=who, id=f"reject-{who}"),
            element("驳回", at=(600, top, 80, 24), parent=who, id=f"驳回-{who}"),
        ]
    world = World(*shown)
    dialog = [
        element("Rejecting", "dialog", (200, 200, 400, 200), "modal", parent="p", id="d"),
        element(field, "entry", (220, 240, 200, 24), "editable", value="", parent="d", id="why"),
        element(no, at=(220, 350, 80, 24), parent="d", id="no"),
        *(element(n, at=(320 + 110 * i, 350, 100, 24), parent="d") for i, n in enumerate(yes)),
    ]

    def ask(world: World, element: Element, action: Action) -> None:
        world.elements = [*shown, *dialog]

    def go(world: World, element: Element, action: Action) -> None:
        if goes:
            world.elements = list(shown)

    world.on("Reject", ask)
    world.on("驳回", ask)
    for name in (*yes, no):
        world.on(name, go)
    return world


def played(world: World, said: str) -> tuple[Player, list[tuple[int, int]]]:
    desk = desk_of(world)
    player = Player(read_sentence(said), desk)
    play(world, player.play(), desk)
    return player, [(a.x, a.y) for a in world.done if isinstance(a, Click)]


@pytest.mark.parametrize(
    ("said", "yes", "no", "field"),
    [
        ('Reject Bob, then enter "too late" in the Reason field', "Reject it", "Cancel", "Reason"),
        ("驳回“Bob”，理由写“太晚了”", "确认驳回", "取消", "驳回理由"),
        ("驳回“Bob”，驳回理由填“太晚了”", "提交", "取消", "驳回理由"),
    ],
)
def test_the_button_that_ends_the_dialog_of_an_act_belongs_to_it(
    said: str, yes: str, no: str, field: str
) -> None:
    world = requests((yes,), no, field=field)
    player, clicks = played(world, said)
    assert player.account is None
    assert clicks[-1] == (370, 362)
    assert not any(e.role == "dialog" for e in world.elements)
    assert any(isinstance(a, Type) for a in world.done)


def test_what_a_later_step_answers_is_not_answered_before() -> None:
    world = requests(("确认驳回",), "取消", field="驳回理由")
    player, clicks = played(world, "驳回“Bob”，理由写“太晚了”，在弹窗里点“取消”")
    assert player.account is None
    assert clicks[-1] == (260, 362)
    assert (370, 362) not in clicks


def test_a_dialog_that_two_buttons_may_end_is_not_told_as_done() -> None:
    world = requests(("驳回并通知", "驳回不通知"), "取消", field="驳回理由")
    player, clicks = played(world, "驳回“Bob”，理由写“太晚了”")
    assert player.account is not None
    assert "still open" in player.account
    assert (370, 362) not in clicks


def test_a_dialog_that_does_not_go_is_not_told_as_done() -> None:
    world = requests(("确认驳回",), "取消", goes=False, field="驳回理由")
    player, _ = played(world, "驳回“Bob”，理由写“太晚了”")
    assert player.account is not None
    assert "still open after 确认驳回" in player.account
