"""Controls that are told by all the words of a step, where nothing is called as they say."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.geometry import Point
from carrel.models.steps.finding.by_words import control_meant
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player


def page() -> tuple[Element, ...]:
    """A shop's settings: choices under a heading, rows with buttons, and a dialog's answers."""
    found = [
        element("Shop", "document web", (0, 0, 800, 600), id="p"),
        element("Theme", "paragraph", (40, 40, 200, 20), parent="p"),
        element("Dark", "radio button", (40, 70, 100, 20), "checkable", parent="p", id="dark"),
        element("Light", "radio button", (40, 100, 100, 20), "checkable", parent="p", id="light"),
        element("Payment", "heading", (400, 40, 200, 20), parent="p"),
        element("PayPal", "radio button", (400, 70, 100, 20), "checkable", parent="p", id="paypal"),
        element(
            *("Student - 80 EUR", "radio button", (400, 100, 200, 20), "checkable"),
            parent="p",
            id="student",
        ),
        element("Your ticket", "heading", (400, 20, 200, 15), parent="p"),
        element("付款方式", "heading", (600, 40, 100, 20), parent="p"),
        element("支付宝", "radio button", (600, 70, 100, 20), "checkable", parent="p", id="alipay"),
        element("下一步", "push button", (650, 560, 100, 30), parent="p", id="further"),
        element("Next", "push button", (40, 560, 100, 30), parent="p", id="next"),
        element("Save changes", "push button", (200, 560, 100, 30), parent="p", id="save"),
        element("Delete account", "push button", (500, 560, 100, 30), parent="p", id="account"),
        element("Open", "link", (300, 300, 60, 20), parent="p", id="open"),
        element("Sign up", "link", (300, 320, 60, 20), parent="p", id="up"),
        element("Print as PDF", "link", (380, 320, 60, 20), parent="p", id="pdf"),
        element("Orders", "heading", (40, 300, 200, 20), parent="p"),
    ]
    for at, number in enumerate(("1042", "1043")):
        y = 340 + 40 * at
        row = f"row{number}"
        found += [
            element("", "table row", (40, y, 600, 30), parent="p", id=row),
            element(f"#{number}", "table cell", (40, y, 100, 30), parent=row),
            element("Edit", "push button", (400, y, 80, 30), parent=row, id=f"edit{number}"),
        ]
    return tuple(found)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("continue with Next", "next"),
        ("go on to the next step", "next"),
        ("proceed", "next"),
        ("pay by PayPal", "paypal"),
        ("pick the dark theme", "dark"),
        ("Choose the Student ticket", "student"),
        ("Open order #1043 for editing", "edit1043"),
        ("show only the open ones", "open"),
        ("save", "save"),
        ("save my changes", "save"),
        ("用支付宝付款", "alipay"),
        ("付款方式选支付宝", "alipay"),
        ("进入下一步", "further"),
    ],
)
def test_a_control_is_told_by_all_the_words(said: str, meant: str) -> None:
    found = control_meant(page(), said)
    assert found is not None
    assert found.id == meant


@pytest.mark.parametrize(
    "said",
    [
        "pay by bank transfer",  # no such choice
        "pick the dark theme for the whole team",  # "team" is nowhere
        "open the order for editing",  # which of two
        "delete the order",  # only an account can be
        "sign in",  # there is only what signs up
        "print",  # and what prints later
        "do not save",  # a word that makes another thing of it
        "save all",
        "choose the second theme",
        "continue without Next",
        "pick the “Blue” theme",
        "",
        "the",
        "选择深色主题",
        "用银行卡付款",
        "不要用支付宝付款",
    ],
)
def test_a_word_that_is_left_over_or_a_second_that_fits_and_nothing_is_taken(said: str) -> None:
    assert control_meant(page(), said) is None


def test_what_is_behind_a_dialog_is_not_taken() -> None:
    dialog = (
        element("Sure?", "dialog", (300, 200, 300, 200), "modal", parent="p", id="d"),
        element("OK", "push button", (400, 350, 80, 30), parent="d", id="ok"),
    )
    assert control_meant((*page(), *dialog), "continue with Next") is None
    found = control_meant((*page(), *dialog), "close the “Sure?” message with OK")
    assert found is not None
    assert found.id == "ok"


def _ticked(world: World, hit: Element, _action: Action) -> None:
    world.change(hit.name, states=(*hit.states, "checked"))


def clicked(sentence: str) -> tuple[list[str], str | None]:
    """What a sentence clicks on the page, and why it stopped, if it did."""
    world = World(*page())
    for name in ("Dark", "PayPal", "Student - 80 EUR"):
        world.on(name, _ticked)
    desk = desk_of(world)
    player = Player(read_sentence(sentence), desk)
    play(world, player.play(), desk)
    at = [Point(a.x, a.y) for a in world.done if isinstance(a, Click)]
    hits = [e.id for p in at for e in page() if e.id != "p" and e.box and e.box.contains(p)]
    return [hit for hit in hits if not hit.startswith("row")], player.account


@pytest.mark.parametrize(
    ("sentence", "hits"),
    [
        ("Pick the dark theme, then pay by PayPal and save", ["dark", "paypal", "save"]),
        ("Open order #1042 for editing", ["edit1042"]),
        ("Switch to the dark theme", ["dark"]),
        ("Choose the Student ticket and continue with Next", ["student", "next"]),
    ],
)
def test_a_sentence_is_carried_out_by_controls_that_its_words_tell(
    sentence: str, hits: list[str]
) -> None:
    found, account = clicked(sentence)
    assert account is None
    assert found == hits


@pytest.mark.parametrize("sentence", ["Pick the purple theme", "Pay by invoice", "Save all themes"])
def test_a_sentence_that_no_control_fits_presses_nothing_and_says_so(sentence: str) -> None:
    found, account = clicked(sentence)
    assert found == []
    assert account is not None
