"""Which entry of which list a phrase means: by its words, its number, or what makes it the best."""

from __future__ import annotations

import pytest
from steps_world import element

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.entries import entry_meant, lists_on, splits_of
from carrel.models.steps.turns import Missed


def page(title: str, *parts: Element) -> list[Element]:
    return [
        element(title, "frame", (0, 0, 900, 700), id="frame"),
        element(title, "document web", (0, 40, 900, 660), parent="frame", id="page"),
        element("", "section", (20, 60, 860, 600), parent="page", id="all"),
        *parts,
    ]


def cards(*told: tuple[str, ...], button: str = "") -> list[Element]:
    """Cards one below another whose boxes no browser tells of: all their parts are of one thing."""
    found: list[Element] = []
    for number, texts in enumerate(told):
        y = 100 + 100 * number
        for line, text in enumerate(texts):
            found.append(element(text, "static", (40, y + 20 * line, 200, 18), parent="all"))
        if button:
            found.append(element(button, at=(400, y + 10, 80, 30), parent="all"))
    return found


def rows(heads: tuple[str, ...], *told: tuple[str, ...]) -> list[Element]:
    found = [element("", "table", (40, 80, 600, 400), parent="all", id="table")]
    for number, texts in enumerate((heads, *told)):
        y, row = 80 + 30 * number, f"row{number}"
        found.append(element("", "table row", (40, y, 600, 28), parent="table", id=row))
        for column, text in enumerate(texts):
            role = "table cell" if number else "column header"
            at = (40 + 150 * column, y, 148, 28)
            found.append(element(text, role, at, parent=row, id=f"{row}-{column}"))
            inside = (at[0] + 5, y + 4, 60, 18)
            found.append(element(text, "static", inside, parent=f"{row}-{column}"))
    return found


def said(elements: list[Element], phrase: str) -> str | None:
    meant = entry_meant(elements, phrase)
    return None if meant is None else meant.entry.said()[0]


BOATS = cards(
    ("Rowing boat", "Harbour A", "€ 30.00"),
    ("Paddle boat", "Harbour B", "€ 18.50"),
    ("Canoe", "Harbour A", "€ 12.00"),
    ("Sailing boat", "Harbour B", "€ 95.00"),
    button="Rent",
)


def test_boxes_that_nobody_tells_of_are_known_by_what_comes_back() -> None:
    (listed,) = lists_on(page("Boats", *BOATS))
    assert [entry.said()[0] for entry in listed] == [
        "Rowing boat",
        "Paddle boat",
        "Canoe",
        "Sailing boat",
    ]


def test_so_are_lines_without_any_control() -> None:
    found = page("Notes", *cards(("Ann Lee", "Tea"), ("Bo Ray", "Rent"), ("Ann Lee", "Rent due")))
    assert said(found, "the note from Ann Lee about the rent") == "Ann Lee"
    meant = entry_meant(found, "the note from Ann Lee about the rent")
    assert meant is not None
    assert meant.entry.said() == ["Ann Lee", "Rent due"]


def test_cells_of_a_row_are_no_list_beside_the_rows() -> None:
    found = page("Boats", *rows(("Name", "Mail"), ("Ann Lee", "a@x.test"), ("Bo Lee", "b@x.test")))
    meant = entry_meant(found, "Bo Lee")
    assert meant is not None
    assert meant.entry.said() == ["Bo Lee", "b@x.test"]


def test_every_telling_word_has_to_be_said_by_one_entry() -> None:
    found = page("Boats", *BOATS)
    assert said(found, "the paddle boat in Harbour B") == "Paddle boat"
    assert said(found, "the paddle boat in Harbour A") is None
    assert said(found, "the rowing lamp") is None


def test_two_entries_that_say_it_are_none() -> None:
    with pytest.raises(Missed, match="2 entries fit"):
        entry_meant(page("Boats", *BOATS), "the boat in Harbour B")


def test_the_cheapest_is_that_of_those_that_are_meant() -> None:
    found = page("Boats", *BOATS)
    assert said(found, "the cheapest boat") == "Paddle boat"
    assert said(found, "the most expensive boat in Harbour A") == "Rowing boat"


def test_a_word_for_a_sort_that_nothing_tells_of_chooses_none() -> None:
    found = page("Rental", *BOATS)
    assert said(found, "the cheapest bicycle") is None


def test_the_sort_may_be_told_by_the_page_alone() -> None:
    found = page("Bicycles for rent", *cards(("Swift", "$20"), ("Hill", "$15"), button="Rent"))
    assert said(found, "the cheapest bicycle") == "Hill"


def test_nothing_is_compared_that_does_not_show_one_value() -> None:
    sale = cards(("Red pen", "$3"), ("Blue pen", "$2 instead of $4"), ("Green pen", "$5"))
    with pytest.raises(Missed, match="more than one price"):
        entry_meant(page("Pens", *sale), "the cheapest pen")
    bare = cards(("Red pen", "$3"), ("Blue pen", "sold out"), ("Green pen", "$5"))
    with pytest.raises(Missed, match="no price"):
        entry_meant(page("Pens", *bare), "the cheapest pen")


def test_two_of_the_least_value_are_no_best() -> None:
    with pytest.raises(Missed, match="the same price"):
        entry_meant(page("Pens", *cards(("Red", "$3"), ("Blue", "$3"))), "the cheapest pen")


@pytest.mark.parametrize(
    ("phrase", "values", "best"),
    [
        ("the fastest ferry", ("2 h 05 min", "1 h 50 min", "115 min"), 1),
        ("the longest ferry", ("2h 5m", "1h 50m", "95 min"), 0),
        ("the newest ferry", ("3 May 2026", "28 April 2026", "11 May 2026"), 2),
        ("the oldest ferry", ("2026-03-02", "2025-12-14", "2026-01-30"), 1),
        ("the latest ferry", ("2 hours ago", "3 days ago", "20 minutes ago"), 2),
        ("the earliest ferry", ("10:15", "07:50", "16:30"), 1),
        ("the earliest ferry", ("10:15 am", "1:05 pm", "9:30 pm"), 0),
        ("the lightest ferry", ("1.4 kg", "980 g", "1.125 kg"), 1),
        ("the largest ferry", ("54 m²", "81 m²", "39 m²"), 1),
        ("the largest ferry", ("900 KB", "1.2 GB", "350 MB"), 1),
        ("the highest-rated ferry", ("4.3", "★ 4.8 (210)", "4.6"), 1),
        ("the nearest ferry", ("1.2 km away", "600 m away", "0.9 km away"), 1),
        ("the ferry with the most decks", ("4 decks", "11 decks", "7 decks"), 1),
        ("the cheapest ferry", ("1,050 kr", "990 kr", "12 300 kr"), 1),
    ],
)
def test_values_are_compared_as_what_they_are(
    phrase: str, values: tuple[str, ...], best: int
) -> None:
    names = ("Anna", "Berta", "Clara")
    found = page("Ferries", *cards(*zip(names, values, strict=True)))
    assert said(found, phrase) == names[best]


def test_a_time_of_departure_is_no_duration() -> None:
    found = page("Ferries", *rows(("Ferry", "Departs"), ("Anna", "06:25"), ("Berta", "07:10")))
    with pytest.raises(Missed):
        entry_meant(found, "the fastest ferry")


def test_a_bare_number_is_what_its_heading_says() -> None:
    found = page("Inns", *rows(("Inn", "Rating"), ("Swan", "7"), ("Crown", "9"), ("Bear", "8")))
    assert said(found, "the highest-rated inn") == "Crown"


def test_entries_are_counted_in_the_order_they_are_read() -> None:
    found = page("Boats", *BOATS)
    assert said(found, "the third boat") == "Sailing boat"
    assert said(found, "the last one") == "Sailing boat"
    assert said(found, "the second boat in Harbour B") == "Sailing boat"
    with pytest.raises(Missed, match="only 3"):
        entry_meant(found, "the fifth boat")


def test_of_a_sort_that_nothing_tells_of_a_number_is_in_doubt() -> None:
    meant = entry_meant(page("Rental", *BOATS), "the third bargain in the list")
    assert meant is not None
    assert (meant.entry.said()[0], meant.doubt) == (
        "Canoe",
        "nothing tells that what is listed is a bargain",
    )


def test_what_holds_several_that_fit_is_not_the_one() -> None:
    two = [
        element("", "section", (20, 80, 400, 300), parent="all", id="left"),
        element("", "section", (440, 80, 400, 300), parent="all", id="right"),
        element("Ann", "static", (460, 100, 50, 18), parent="right"),
        element("News", "static", (460, 120, 50, 18), parent="right"),
    ]
    for number, text in enumerate(("Tea", "Tea")):
        line = f"line{number}"
        y = 100 + 40 * number
        two.append(element("", "section", (30, y, 380, 30), parent="left", id=line))
        two.append(element("Bo", "static", (40, y, 30, 18), parent=line))
        two.append(element(text, "static", (90, y, 30, 18), parent=line))
    with pytest.raises(Missed):
        entry_meant(page("Post", *two), "the message from Bo about tea")


def test_a_phrase_is_taken_apart_where_the_choice_begins() -> None:
    first = next(iter(splits_of("a seat on the earliest bus to Graz")))
    assert (first.entry, first.part) == ("the earliest bus to Graz", "a seat")
    ways = list(splits_of("Ann Lee's mobile number"))
    assert ("Ann Lee", "mobile number") in [(one.entry, one.part) for one in ways]


def test_only_those_in_a_place_are_meant_where_one_is_said() -> None:
    found = page("Boats", *BOATS)
    meant = entry_meant(found, "the cheapest one", None, Box(20, 90, 860, 190))
    assert meant is not None
    assert meant.entry.said()[0] == "Paddle boat"


def test_what_is_best_of_one_page_is_in_doubt_where_there_are_others() -> None:
    on = element("Next", at=(40, 600, 60, 24), parent="page")
    meant = entry_meant(page("Boats", *BOATS, on), "the cheapest boat")
    assert meant is not None
    assert meant.doubt == "there are more of them on a further page"
