from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps_world import World, desk_of, element, play

from carrel.frames import Element
from carrel.models.steps.program import Copy, Read
from carrel.models.steps.reaching.passages import Passage, passage, shown_texts
from carrel.models.steps.shown.captions import value_beside
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.clipboard import copy
from carrel.models.steps.verbs.looking import read

LETTER = "Dear reader, the ferry leaves at nine.\nBring warm clothes!\n\nYours, Mira."


def area(value: str, y: int = 10, *, lines: str = "multi line") -> Element:
    return element("", "entry", (10, y, 300, 60), "editable", lines, value=value)


def read_text(world: World, phrase: str) -> str:
    found = play(world, passage(desk_of(world), phrase))
    assert isinstance(found, Passage)
    return found.text


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("the last word in the text area", "Mira"),
        ("the final word of the text area below", "Mira"),
        ("the 3rd word in the textarea", "the"),
        ("the second to last word in the text area", "Yours"),
        ("the second line of the text area", "Bring warm clothes!"),
        ("the first sentence in the text area", "Dear reader, the ferry leaves at nine."),
        ("the fourth letter of the text area", "r"),
    ],
)
def test_a_part_of_a_text_is_read(phrase: str, said: str) -> None:
    world = World(area(LETTER), area("", 100, lines="single line"))
    assert read_text(world, phrase) == said


def test_a_part_that_is_not_there_is_told() -> None:
    world = World(area("two words"))
    with pytest.raises(Missed, match="no 5th word"):
        read_text(world, "the 5th word in the text area")


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=6), min_size=1, max_size=12))
def test_the_nth_word_is_the_nth_word(words: list[str]) -> None:
    world = World(area(" ".join(words)))
    assert read_text(world, f"the {len(words)}th word in the text area") == words[-1]
    assert read_text(world, "the first word in the text area") == words[0]


def table(*rows: tuple[str, str]) -> World:
    cells: list[Element] = []
    for number, (label, value) in enumerate(rows):
        y = 10 + 20 * number
        cells.append(element(label, "table cell", (10, y, 80, 18)))
        cells.append(element(value, "table cell", (95, y, 80, 18)))
    return World(*cells)


@pytest.mark.parametrize(
    "phrase", ["the value of Harbour", "the value next to Harbour", "the text beside Harbour"]
)
def test_the_value_of_a_label_is_what_stands_beside_it(phrase: str) -> None:
    assert read_text(table(("Ship", "Aurora"), ("Harbour", "Oslo")), phrase) == "Oslo"


def test_a_label_with_a_colon_says_what_stands_after_it() -> None:
    world = World(
        element("Total:", "label", (10, 10, 50, 20)), element("$12", "static", (70, 10, 40, 20))
    )
    assert read_text(world, "the total") == "$12"


def test_a_value_may_stand_under_its_label() -> None:
    label = element("Captain", "label", (10, 10, 80, 16))
    value = element("Ida", "static", (10, 30, 60, 16))
    assert value_beside((label, value), label) == value


def test_nothing_far_away_is_a_value() -> None:
    label = element("Captain", "label", (10, 10, 80, 16))
    assert value_beside((label, element("Ida", "static", (10, 300, 60, 16))), label) is None


@pytest.mark.parametrize(
    "phrase", ["the text below", "the code shown above", "the word displayed on the screen"]
)
def test_what_is_shown_is_read_beside_labels_and_controls(phrase: str) -> None:
    world = World(
        element("Answer", "label", (10, 80, 60, 20)),
        element("", "entry", (80, 80, 100, 20), "editable"),
        element("xK7", "static", (40, 20, 60, 20)),
        element("Send", at=(10, 120, 60, 20)),
    )
    assert read_text(world, phrase) == "xK7"


def test_letters_set_apart_are_one_word() -> None:
    holder = element("", "section", (10, 10, 100, 40), id="h")
    letters = [
        element("b", "static", (32, 12, 20, 30), parent="h"),
        element("Q", "static", (10, 16, 22, 30), parent="h"),
        element("7", "static", (52, 10, 18, 30), parent="h"),
    ]
    assert [p.text for p in shown_texts(desk_of(World(holder, *letters)))] == ["Qb7"]


@pytest.mark.parametrize(
    "phrase",
    ["the text in the 2nd text area", "the content of the second text area below",
     "the whole text from the second textarea"],
)  # fmt: skip
def test_the_text_of_a_field_is_copied(phrase: str) -> None:
    world = World(area("one"), area("two", 100), area("", 200, lines="single line"))
    found = play(world, passage(desk_of(world), phrase))
    assert isinstance(found, Passage)
    assert found.text == "two"


def test_reading_remembers_the_value() -> None:
    world = table(("Ship", "Aurora"), ("Harbour", "Oslo"))
    desk = desk_of(world)
    play(world, read(desk, Read("the value of Ship", "it")))
    assert desk.names["it"] == "Aurora"


def test_copying_what_is_not_there_is_told() -> None:
    world = World(element("Send"))
    with pytest.raises(Missed):
        play(world, copy(desk_of(world), Copy("the text in the second text area")))


@pytest.mark.parametrize(
    "phrase", ["the text in the 1st paragraph", "the words of the first paragraph",
               "the whole text from the first paragraph below"],
)  # fmt: skip
def test_a_paragraph_is_no_label_of_the_next(phrase: str) -> None:
    world = World(
        element("The ferry leaves at nine.", "paragraph", (10, 10, 300, 20)),
        element("It comes back at noon.", "paragraph", (10, 35, 300, 20)),
    )
    assert read_text(world, phrase) == "The ferry leaves at nine."


def test_a_field_is_read_by_the_words_over_it_and_not_these_words() -> None:
    world = World(
        element("Business ID", "static", (40, 40, 75, 16)),
        element("", "entry", (40, 62, 200, 30), "editable", value="560afc32"),
        element("Location", "static", (260, 40, 54, 16)),
        element("", "entry", (260, 62, 200, 30), "editable", value="Oslo"),
    )
    assert read_text(world, "the Business ID") == "560afc32"
    assert read_text(world, 'the "Location"') == "Oslo"


def test_a_number_on_a_card_is_read_by_the_words_with_it() -> None:
    cards = []
    for number, (name, value) in enumerate((("Sales", "1,234"), ("Visits", "88"))):
        card = element("", "section", (40 + 200 * number, 40, 180, 80), id=f"c{number}")
        box = (50 + 200 * number, 50, 60, 16)
        cards += [card, element(name, "static", box, parent=card.id)]
        cards.append(element(value, "static", (box[0], 80, 60, 24), parent=card.id))
    assert read_text(World(*cards), "the sales") == "1,234"
    assert read_text(World(*cards), "visits") == "88"


def test_words_that_tell_nothing_are_no_value() -> None:
    world = World(element("Total", "static", (40, 40, 75, 16)))
    with pytest.raises(Missed, match="nothing tells what it says"):
        read_text(world, "the total")
