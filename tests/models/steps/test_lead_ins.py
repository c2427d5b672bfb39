"""Values that a sentence tells after their name, in the next text of the line or in its own."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.frames import Element
from carrel.models.steps.claims.contents import has_content
from carrel.models.steps.program import Check, Has, Read
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.looking import check, read


def paragraph(*pieces: str, y: int = 40, id: str = "p") -> list[Element]:  # noqa: A002
    """A paragraph whose pieces are told one by one, as words that are bold are."""
    parts = [element("", "paragraph", (20, y, 600, 18), value=pieces[0], id=id)]
    x = 20
    for number, piece in enumerate(pieces):
        wide = 8 * len(piece)
        at = (x, y, wide, 18)
        parts.append(element(piece, "static", at, parent=id, id=f"{id}{number}"))
        x += wide
    return parts


def text(words: str, y: int = 40) -> Element:
    return element(words, "static", (20, y, 8 * len(words), 18))


def read_as(world: World, what: str) -> str:
    desk = desk_of(world)
    play(world, read(desk, Read(what, "it")))
    return desk.names["it"]


SPLIT = [
    (("Your order number is ", "S-1"), "the order number", "S-1"),
    (("Your order number is ", "S-1", "."), "order number", "S-1"),
    (("Thank you! Your order number: ", "S-1", " and goes out on Monday"), "order number", "S-1"),
    (("Your host is ", "Anna Berg"), "the host", "Anna Berg"),
    (("报名成功！您的报名编号：", "PX6904"), "报名编号", "PX6904"),
    (("您的讲师是", "王芳"), "讲师", "王芳"),
]
WHOLE = [
    ("Your order number is S-1.", "the order number", "S-1"),
    ("Thanks! Your order number is S-1. We will write to you.", "the order number", "S-1"),
    ("Your order number is S-1, please keep it.", "order number", "S-1"),
    ("Your amount due is 26.40 EUR.", "the amount due", "26.40 EUR"),
    ("Your host is Anna Berg.", "the host", "Anna Berg"),
    ("订单号：A-17", "订单号", "A-17"),
    ("下单成功！您的订单号：A-17，请妥善保管。", "订单号", "A-17"),
    ("您的订单号为 A-17。", "订单号", "A-17"),
    ("合计金额是20元", "合计金额", "20元"),
]


@pytest.mark.parametrize(("pieces", "what", "value"), SPLIT)
def test_what_follows_a_name_in_its_line_is_read(
    pieces: tuple[str, ...], what: str, value: str
) -> None:
    world = World(*paragraph(*pieces), text("Track your order", 90))
    assert read_as(world, what) == value
    assert has_content(desk_of(world), Has(what, value, "equals"))[0]
    assert not has_content(desk_of(world), Has(what, f"{value}0", "equals"))[0]


@pytest.mark.parametrize(("words", "what", "value"), WHOLE)
def test_what_a_sentence_says_after_a_name_is_read(words: str, what: str, value: str) -> None:
    world = World(text(words), text("Track your order", 90))
    assert read_as(world, what) == value
    play(world, check(desk_of(world), Check(Has(what, value, "equals"))))
    with pytest.raises(Missed, match="holds"):
        play(world, check(desk_of(world), Check(Has(what, f"{value}0", "equals"))))


@pytest.mark.parametrize(
    "pieces",
    [
        ("Your order number is ", "required"),
        ("Your order number is not ", "S-1"),
        ("If your order number is ", "S-1"),
        ("Your previous order number is ", "S-1"),
        ("Enter the order number: ", "8 digits"),
        ("Your order number is ", "S-1", " or ", "S-2"),
        ("Your order number is ", "S-", "1"),
        ("Your order number is late. It goes to ", "S-1"),
        ("Your reorder number is ", "S-1"),
    ],
)
def test_what_is_no_value_of_the_name_is_not_read(pieces: tuple[str, ...]) -> None:
    world = World(*paragraph(*pieces))
    with pytest.raises(Missed):
        read_as(world, "the order number")
    assert not has_content(desk_of(world), Has("the order number", "S-1", "equals"))[0]


@pytest.mark.parametrize(
    "words",
    [
        "Your order number is required.",
        "If the order number is wrong, call us.",
        "Your order number is shown in 5 minutes.",
        "Your order number is not S-1.",
        "Your doctor for order number is Dr. Berg",
        "Your order number is. S-1",
    ],
)
def test_what_is_said_of_a_name_is_no_value(words: str) -> None:
    with pytest.raises(Missed):
        read_as(World(text(words)), "the order number")


@pytest.mark.parametrize(
    "words", ["订单号为必填项", "订单号是系统自动生成的", "请输入订单号是10位数字"]
)
def test_what_is_said_of_a_chinese_name_is_no_value(words: str) -> None:
    with pytest.raises(Missed):
        read_as(World(text(words)), "订单号")


def test_a_value_is_not_sought_in_the_next_line_nor_far_away() -> None:
    lead = text("Your order number is")
    for at in ((20, 62, 60, 18), (400, 40, 60, 18)):
        with pytest.raises(Missed):
            read_as(World(lead, element("S-1", "static", at)), "the order number")


def test_of_two_sentences_with_a_name_none_is_read() -> None:
    world = World(
        *paragraph("Your order number is ", "S-1"),
        *paragraph("Their order number is ", "S-2", y=80, id="q"),
    )
    with pytest.raises(Missed):
        read_as(world, "the order number")


def test_a_sentence_that_comes_later_is_read() -> None:
    world = World(text("One moment"))
    world.after(0.5, lambda w: w.elements.extend(paragraph("Your order number is ", "S-1", y=90)))
    assert read_as(world, "the order number") == "S-1"


def terms(*told: tuple[str, str]) -> World:
    """A list of terms, each with what is told of it in the next line."""
    held = [element("", "description list", (20, 20, 600, 400), id="dl")]
    for number, (role, words) in enumerate(told):
        key, y = f"d{number}", 30 + 24 * number
        held.append(element("", f"description {role}", (20, y, 600, 20), parent="dl", id=key))
        held.append(element(words, "static", (20, y, 8 * len(words), 20), parent=key))
    return World(*held)


def test_what_a_list_of_terms_tells_is_read() -> None:
    world = terms(
        ("term", "Customer"), ("value", "Tove"), ("term", "Amount due"), ("value", "26.40")
    )
    assert read_as(world, "the amount due") == "26.40"
    assert has_content(desk_of(world), Has("the amount due", "26.40", "equals"))[0]
    assert not has_content(desk_of(world), Has("the customer", "26.40", "equals"))[0]


def test_a_term_with_two_values_tells_none_of_them() -> None:
    world = terms(("term", "Guest"), ("value", "Tove"), ("value", "Ida"), ("term", "Room"))
    with pytest.raises(Missed, match="nothing tells what it says"):
        read_as(world, "the guest")
