"""English words that refer back, that tell the means or the purpose, and where something is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence, write_step


def read(said: str) -> list[str]:
    return [write_step(step) for step in read_sentence(said).steps]


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        # It, its, the same, that, the other one, there
        (
            "Find the row of Ann. Click the pencil in it",
            ["find the row of Ann", "click the pencil in the row of Ann"],
        ),
        (
            "Choose the room with a view, then press Reserve next to it",
            ["choose the room with a view", "click Reserve next to the room with a view"],
        ),
        (
            "Click the third row, then double-click the same row",
            ["click the third row", "double-click the third row"],
        ),
        (
            "In the row for Anna, change the role to Admin and click Save in that row",
            ['in the row for Anna, set the role to "Admin"', "in the row for Anna, click Save"],
        ),
        (
            "Click the second result, go back and click the third one",
            ["click the second result", "go back", "click the third result"],
        ),
        (
            'Type "a" in the first box and "b" in the one below it',
            ['type "a" into the first box', 'type "b" into the box below the first box'],
        ),
        (
            "Go to the second tab and untick everything there",
            ["open the second tab", "for each [checkboxes]\n    untick {each}"],
        ),
        (
            "Create a channel called news and invite Bob to it",
            ['create a channel (called: "news")', 'invite Bob (to: "news")'],
        ),
        (
            "Take the first value in the list and type it into every empty field",
            [
                "read the first value in the list as it",
                'for each [empty field]\n    type "{it}" into {each}',
            ],
        ),
        (
            "For each card in the Done column, open its menu and click Archive",
            ["for each [card in the Done column]\n    in {each}, open the menu\n    click Archive"],
        ),
        (
            'Run the command git status and check that it says "clean"',
            ['run "git status" as it', 'verify that the text "{it}" contains "clean"'],
        ),
        ('Open a terminal and run "ls"', ["open a terminal", 'in the terminal, run "ls"']),
        (
            "Select the Express option and make sure that option is checked",
            ["choose the Express option", "verify that the Express option is checked"],
        ),
        # With what, and by which way
        ("Log out using the link in the footer", ["in the footer, log out"]),
        (
            "Search for red shoes using the search box in the header",
            ["in the search box in the header, search red shoes"],
        ),
        (
            "Download the bill for May by clicking the arrow next to it",
            ["click the arrow next to the bill for May"],
        ),
        (
            "Attach the file notes.txt by dragging it onto the message",
            ["drag the file notes.txt to the message"],
        ),
        (
            "Enroll in Algebra by clicking the button in its row",
            ["click the button in the row of Algebra"],
        ),
        (
            "Delete the second line using the bin icon at the end of that row",
            ["click the bin icon at the end of the second line"],
        ),
        ("Pin the message from its More menu", ["in the message, choose Pin from the More menu"]),
        (
            "Increase the number of adults to 3 with the plus sign",
            ['repeat until [the number of adults] equals "3"\n    click the plus sign'],
        ),
        (
            "Switch the calculator to scientific mode through the View menu",
            ["choose scientific mode from the View menu"],
        ),
        # To what end
        ("Click Return to attempt to close it", ["click Return to attempt"]),
        ("Shift-click the last row to select them all", ["click the last row holding shift"]),
        (
            "Press the down arrow twice and then Enter to choose it",
            ["press the keys down 2 times", "press the keys enter"],
        ),
        # Do and then see
        (
            'Hovering over the icon should show the tooltip "Mine"',
            ["hover over the icon", 'verify that the tooltip "Mine" is visible'],
        ),
        (
            "When you click Save, the dialog should close",
            ["click Save", "verify that not (the dialog is visible)"],
        ),
        # Where
        (
            "In the users table, click the pencil in the row of Henrik Olsen",
            ["in the users table, click the pencil in the row of Henrik Olsen"],
        ),
        ("For the date, choose 14 March 2025", ["choose the date 14 March 2025 in [the date]"]),
        (
            "For check-in pick May 3rd, for check-out pick May 9th",
            ["choose the date May 3rd in check-in", "choose the date May 9th in check-out"],
        ),
        (
            "For the first three results, click the star",
            ["for each [results], at most 3\n    in {each}, click the star"],
        ),
        (
            "From the menu on the left, go to Reports and open Sales",
            ["in the menu on the left, open Reports", "open Sales"],
        ),
        ('At the end of the text, add the line "Done"', ['append "Done"']),
        (
            "Scroll the table to the right until Total is in view",
            ["scroll right until Total is visible in the table"],
        ),
        # What is set, and to what
        (
            "Open the card and give it a due date of next Friday",
            ["open the card", 'set the due date to "next Friday"'],
        ),
        (
            "Choose the savings account as the source and the other account as the target",
            [
                "choose the savings account from the source",
                "choose the other account from the target",
            ],
        ),
        ('Make "USB" the default output device', ['set the default output device to "USB"']),
        ("Set both sliders to 50", ['for each [sliders]\n    set {each} to "50"']),
        ("Put a tick in the first two boxes", ["for each [boxes], at most 2\n    tick {each}"]),
    ],
)
def test_what_leans_on_other_words_is_read_with_them(said: str, steps: list[str]) -> None:
    assert read(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "Delete all of the old users, confirming each time the dialog asks",
        "Create a new folder called Bills with Ctrl+Shift+N",
        "Sign in with an empty password",
        "Paste it into a new document",
        "Clear the search box and try again",
        "Click Save rather than",
        "Choose whichever is cheapest",
        "Sort the files by date so that the newest stand out",
        "Change the view to Grid with the buttons above the table",
        "Write the booking reference into the Notes field",
        "Select the first and the last file while holding Ctrl",
        "Arrange the windows side by side",
        "Switch to the window that has the manual open",
        "Quit it again with q",
        "Give up after 3 attempts",
        "Clear the Name field, then clear the same slider",
        "With the file selected, press F2",
    ],
)
def test_words_that_fit_nowhere_are_never_taken_into_a_name(said: str) -> None:
    assert any(isinstance(step, p.Unclear) for step in read_sentence(said).steps)


THINGS = ("the row of Ann", '"Milk"', "the Express option", "the second card")
RELATIONS = ("next to", "beside", "below", "in", "right of", "under")


@given(
    st.sampled_from(THINGS), st.sampled_from(RELATIONS), st.sampled_from((". ", ", then ", " and "))
)
def test_it_stands_for_what_was_last_named(thing: str, relation: str, joint: str) -> None:
    first, second = read_sentence(f"Click {thing}{joint}click the star {relation} it").steps
    assert (first.what, second.what) == (thing, f"the star {relation} {thing}")  # type: ignore[attr-defined]


@given(
    st.sampled_from(("the Save button", '"OK"', "the gear icon in the toolbar", "Next")),
    st.sampled_from(
        ("to save the file", "to open the dialog", "in order to continue", "so you can print it")
    ),
)
def test_a_purpose_changes_nothing(thing: str, purpose: str) -> None:
    (step,) = read_sentence(f"Click {thing} {purpose}").steps
    assert isinstance(step, p.Point)
    assert step.what == thing
