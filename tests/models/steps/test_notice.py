from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.phrases.notice import without_notice
from carrel.models.steps.program import Point
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.pointing import point

WORDS = "Write the city of Ann into the box, then press Send."


def shown(*parts: str, role: str = "static") -> list[Element]:
    """A paragraph of several pieces of text, as pages have them."""
    block = element("", "section", (0, 0, 400, 40), id="block")
    return [
        block,
        *(
            element(part, role, (10 * n, 0, 90, 20), parent="block", id=f"part{n}")
            for n, part in enumerate(parts)
        ),
    ]


@pytest.mark.parametrize(
    "parts",
    [
        (WORDS,),
        ("Write the city of ", "Ann", " into the box, then press Send."),
        ("WRITE the city of Ann", "into the box", ", then press ", "Send"),
    ],
)
def test_the_instruction_on_the_screen_is_left_out(parts: tuple[str, ...]) -> None:
    city = element("Oslo", "label", (0, 60, 80, 20))
    assert without_notice([*shown(*parts), city], WORDS) == (city,)


def test_words_of_it_elsewhere_stay() -> None:
    parts = [element("the city of Ann", "static"), element("Send", at=(0, 90, 50, 20))]
    assert without_notice(parts, WORDS) == tuple(parts)


def test_a_block_with_a_control_or_more_words_is_no_notice() -> None:
    with_link = shown("Write the city of Ann into the box, then press ")
    with_link.append(element("Send", "link", parent="block"))
    assert without_notice(with_link, WORDS) == tuple(with_link)
    longer = shown(WORDS, "Ann lives in Oslo")
    left = without_notice(longer, WORDS)
    assert [e.name for e in left] == ["", "Ann lives in Oslo"]


def test_a_short_name_is_never_an_instruction() -> None:
    button = [element("Press Send", "label")]
    assert without_notice(button, "Press Send") == tuple(button)


def test_lines_read_from_the_pixels_are_left_out_too() -> None:
    lines = [
        Element("o1", "label", "Write the city of Ann", box=Box(0, 0, 90, 12), source="ocr"),
        Element(
            "o2", "label", "into the box,then press Send", box=Box(0, 14, 90, 12), source="ocr"
        ),
        Element("o3", "label", "Ann", box=Box(0, 40, 30, 12), source="ocr"),
    ]
    assert [e.id for e in without_notice(lines, WORDS)] == ["o3"]


def test_a_click_goes_to_the_thing_and_not_to_the_words_about_it() -> None:
    task = "Please click the word Harbour and be quick"
    world = World(*shown("Please click the word ", "Harbour", " and be quick"))
    world.elements.append(element("Harbour", "static", (200, 300, 60, 20)))
    desk = desk_of(world)
    desk.notice = task
    desk.take(world.seen())
    play(world, point(desk, Point("Harbour")))
    assert Click(230, 310) in world.done


def test_what_only_the_instruction_names_is_not_there() -> None:
    desk = Desk(desk_of(World()).size)
    desk.notice = WORDS
    world = World(*shown(WORDS))
    desk.take(world.seen())
    with pytest.raises(Missed, match="Send"):
        play(world, point(desk, Point("Send")))


def test_a_picture_in_the_place_of_a_word_goes_with_the_instruction() -> None:
    block = shown("Press the ", " lamp, then wait.")
    swatch = element("", "section", (60, 4, 12, 12), parent="block", id="swatch")
    lamp = element("", "section", (60, 100, 40, 40), id="lamp")
    left = without_notice([*block, swatch, lamp], "Press the purple lamp, then wait.")
    assert [e.id for e in left] == ["lamp"]


@pytest.mark.parametrize(
    ("task", "label"),
    [
        ("Tick I accept the terms and conditions", "I accept the terms and conditions"),
        ("Open the report about last year's sales", "report about last year's sales"),
        ("Click Next until the end of the list", "Next until the end"),
    ],
)
def test_what_is_named_in_full_stays_without_the_verb(task: str, label: str) -> None:
    named = [element(label, "label", (0, 30, 200, 20))]
    assert without_notice(named, task) == tuple(named)


def test_what_holds_the_instruction_alone_goes_and_the_page_stays() -> None:
    page = element("Home", "document web", (0, 0, 500, 500), id="page")
    inner = [replace(e, parent="page") if e.id == "block" else e for e in shown(WORDS)]
    assert [e.id for e in without_notice([page, *inner], WORDS)] == ["page"]


def test_pieces_told_in_the_order_of_their_corners_are_one_instruction() -> None:
    parts = shown("Write the city of ", " into the box, then press Send.", "Ann")
    left = without_notice([*parts, element("Ann", "static", (0, 200, 30, 20))], WORDS)
    assert [e.box.y for e in left if e.box] == [200]


ASKED = "Ann should get the mail that Bob sent; pass it along."


def page_with(*parts: str, under: tuple[Element, ...] = ()) -> list[Element]:
    """A page that begins with a text of several pieces."""
    page = element("Mail", "document web", (0, 0, 800, 600), id="page")
    block = replace(element("", "section", (0, 0, 400, 40), id="block"), parent="page")
    pieces = [
        element(part, "static", (60 * n, 0, 60, 20), parent="block", id=f"part{n}")
        for n, part in enumerate(parts)
    ]
    return [page, block, *pieces, *(replace(e, parent="page") for e in under)]


def test_an_instruction_on_top_of_a_page_may_be_in_other_words() -> None:
    sender = element("Bob", "static", (0, 60, 80, 20), id="sender")
    told = page_with("Find the mail by ", "Bob", " and forward it to Ann.", under=(sender,))
    assert [e.id for e in without_notice(told, ASKED)] == ["page", "sender"]


@pytest.mark.parametrize(
    "text",
    [
        "Find the mail by Carl and forward it to Ann.",  # names somebody else
        "Bob sent Ann the mail",  # no instruction
        "Forward Bob Ann",  # too short for one
        "Read our terms before you register with the shop for the first time.",  # shares nothing
    ],
)
def test_what_says_something_else_on_top_of_a_page_stays(text: str) -> None:
    told = page_with(text)
    assert without_notice(told, ASKED) == tuple(told)


def test_what_an_order_is_about_stays_though_both_are_mere_texts() -> None:
    order = element("Click on the word", "static", (0, 0, 120, 20), parent="order", id="a")
    named = element("lorem", "static", (120, 0, 40, 20), parent="order", id="b")
    words = element("Dolor lorem sit amet", "static", (0, 60, 200, 20), parent="text", id="c")
    told = [
        element("Words", "document web", (0, 0, 800, 600), id="page"),
        element("", "section", (0, 0, 400, 90), parent="page", id="all"),
        element("", "section", (0, 0, 400, 20), parent="all", id="order"),
        *(order, named),
        element("", "section", (0, 60, 400, 20), parent="all", id="text"),
        words,
    ]
    left = without_notice(told, 'Find the word "lorem" in the text and press it.')
    assert "c" in [e.id for e in left]
    assert "b" not in [e.id for e in left]


def test_what_is_quoted_from_the_top_of_a_page_stays() -> None:
    told = page_with("Read the mail by Bob, then forward it.")
    words = 'Check that the page says "Read the mail by Bob, then forward it."'
    assert without_notice(told, words) == tuple(told)
