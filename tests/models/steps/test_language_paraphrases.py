"""English turns of speech that testers write, and the plain steps that they mean."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.models.steps.language import read_sentence, write_step
from carrel.models.steps.program import PickDate, Unclear

WORDS: list[tuple[str, list[str]]] = [
    # Values
    ('Give the Name field the value "Anna"', ['type "Anna" into the Name field']),
    ("Use 3 as the quantity", ['set the quantity to "3"']),
    (
        'Change "Draft" to "Final" in the Status drop-down',
        ['set the Status drop-down to "Final"'],
    ),
    ("Erase what is in the Notes field", ["clear the Notes field"]),
    ("Remove the text from the search field", ["clear the search field"]),
    ("Delete everything in the Notes box", ["clear the Notes box"]),
    ('Type "Oslo" where it says "City"', ['type "Oslo" into "City"']),
    ('Into the field "City" type "Oslo"', ['type "Oslo" into the field "City"']),
    (
        'Fill out the form: Name "Ann", Email "a@b.c", Age 31',
        [
            'type "Ann" into the Name field',
            'type "a@b.c" into the Email field',
            'type "31" into the Age field',
        ],
    ),
    (
        "For Country choose Norway and for City type Oslo",
        ["choose Norway from Country", 'type "Oslo" into City'],
    ),
    # Choices
    ("Go with the monthly plan", ["choose the monthly plan"]),
    ("Take the second option", ["choose the second option"]),
    (
        'Choose "Large" for Size and "Red" for Colour',
        ['choose "Large" from Size', 'choose "Red" from Colour'],
    ),
    (
        "Choose Large for Size and Red for Colour",
        ["choose Large from Size", "choose Red from Colour"],
    ),
    ('Tick both "A" and "B"', ['tick "A" and "B"']),
    ("Click either button", ["click any button"]),
    ("Click once on the icon", ["click the icon"]),
    # By what means
    ("Save the document with Ctrl+S", ["press the keys ctrl+s"]),
    ("Close the dialog with Escape", ["press the keys esc"]),
    (
        "Select everything with Ctrl+A and press Delete",
        ["press the keys ctrl+a", "press the keys delete"],
    ),
    (
        "Use Ctrl+A to select everything and then press Delete",
        ["press the keys ctrl+a", "press the keys delete"],
    ),
    ("Close the popup with the X in the corner", ["click the X in the corner"]),
    ("Tab to the next field", ["press the keys tab"]),
    ("Type a space", ["press the keys space"]),
    ("Hold Shift and press the right arrow three times", ["press the keys shift+right 3 times"]),
    ("Place the cursor at the end of the line", ["press the keys end"]),
    ("Press the plus key", ["press the keys +"]),
    # What has come up, and what was named
    (
        'Double-click "Dialogs" and click OK in the dialog that appears',
        ['double-click "Dialogs"', "click OK"],
    ),
    ('Click the "More" button in the window that opens', ['click the "More" button']),
    ('Choose "Don\'t save" when asked', ['choose "Don\'t save"']),
    ("Click Yes when you are asked to confirm", ["click Yes"]),
    ("Answer the dialog with Yes", ["click Yes"]),
    (
        'Scroll to "Start" and click the icon below it',
        ['scroll down until "Start" is visible', 'click the icon below "Start"'],
    ),
    (
        'Find "Bob" and click the button next to it',
        ['find "Bob"', 'click the button next to "Bob"'],
    ),
    ("Reload the page and wait until it has loaded", ["reload", "wait until the page has loaded"]),
    ("Run `date` and store its output as NOW", ['run "date"', "read the output as NOW"]),
    ('Name the file "report.txt"', ['rename the file (to: "report.txt")']),
    ("Leave the dialog open", ["verify that the dialog is visible"]),
    # Windows and places
    ("Bring the Calculator to the front", ['switch to "Calculator"']),
    ("Exit the program", ["close the window"]),
    ("Go up one folder", ["press the keys alt+up"]),
    ("Switch back to the first tab", ["click the first tab"]),
    ("Start galculator and maximise its window", ["open galculator", "maximise the window"]),
    ('Move the pointer onto "Help"', ['hover over "Help"']),
    # Scrolling
    ("Scroll down a bit", ["scroll down"]),
    ("Scroll a little further down", ["scroll down"]),
    ("Scroll all the way down", ["scroll to the bottom"]),
    (
        'Scroll through the list until you find "Zoe" and click it',
        ['scroll down until "Zoe" is visible in the list', 'click "Zoe"'],
    ),
    (
        'Scroll the list on the left to "Spin Buttons"',
        ['scroll down until "Spin Buttons" is visible in the list on the left'],
    ),
    (
        'Scroll down the list on the left until "Zebra" appears',
        ['scroll down until "Zebra" is visible in the list on the left'],
    ),
    ("Scroll up the list", ["scroll up in the list"]),
    # What more testers write
    (
        'Enter "Lee" for the surname and tab out of the field',
        ['type "Lee" into the surname', "press the keys tab"],
    ),
    (
        "Increase the quantity to 3 by clicking +",
        ['repeat until [the quantity] equals "3"\n    click +'],
    ),
    ("Pick a date: 4 July 2026", ["choose the date 4 July 2026"]),
    (
        "Press Down three times and then Enter",
        ["press the keys down 3 times", "press the keys enter"],
    ),
    ("Use the Tab key to move to the next field", ["press the keys tab"]),
    ("Use the menu File > Open", ["choose File > Open"]),
    ("Choose Edit > Preferences... from the menu", ["choose Edit > Preferences from the menu"]),
    (
        "Open https://example.org in a new tab",
        ["press the keys ctrl+t", "go to https://example.org"],
    ),
    ("Verify that the slider is at 40", ['verify that the slider equals "40"']),
    ("Save the text of the first row as FIRST", ["read the first row as FIRST"]),
    ("Save the file as REPORT", ['save the file (as: "REPORT")']),
    ('Expand "Details" and then collapse it again', ['expand "Details"', 'collapse "Details"']),
    ("Click Try again", ["click Try again"]),
    ('Click "OK" again', ['click "OK"']),
    (
        'If "A" is visible, click "B", otherwise do nothing',
        ['if ["A"] is visible\n    click "B"'],
    ),
    (
        'Replace "old" by "new" in the Notes field',
        ['replace "old" (with: "new", in: "the Notes field")'],
    ),
    ("Set the slider to its maximum", ['set the slider to "maximum"']),
    ("Set the counter back to 0", ['set the counter to "0"']),
    ("Tick all three boxes", ["for each [boxes]\n    tick {each}"]),
    ("Click Cancel instead of OK", ["click Cancel"]),
    ("Press the letter a", ["press the keys a"]),
    ("Open the context menu of the first row", ["right-click the first row"]),
    ("Close the notification by clicking its X", ["click the X in the notification"]),
    ('Check "Status" is "Open"', ['verify that "Status" equals "Open"']),
    ("Check the Save button is disabled", ["verify that not (the Save button is enabled)"]),
    ('Check the box next to "A is B"', ['tick the box next to "A is B"']),
    ("The Save button is greyed out", ["verify that not (the Save button is enabled)"]),
    ("There is no error message", ["verify that not (error message is visible)"]),
    (
        "Tell me if the box is ticked",
        ['if [the box] is checked\n    tell me "yes"\nelse\n    tell me "no"'],
    ),
    ('Log out and log in again as "bob"', ["log out", 'log in (username: "bob")']),
    (
        "Cut the first line and paste it at the end",
        ["highlight the first line", "press the keys ctrl+x", "press the keys ctrl+end", "paste"],
    ),
    # Telling
    ("Report the number of rows", ["remember the number of rows as it", 'tell me "{it}"']),
    (
        "Tell me how many items are in the cart",
        ["remember the number of items in the cart as it", 'tell me "{it}"'],
    ),
    # Loops
    ("Go back two pages", ["repeat 2 times\n    go back"]),
    (
        "Click Load more until there is no such button any more",
        ["repeat until not ([Load more] is visible)\n    click Load more"],
    ),
    (
        'For each of "a" and "b", type it into the search box',
        ['for each each in "a", "b"\n    type "{each}" into the search box'],
    ),
]


@pytest.mark.parametrize(("said", "steps"), WORDS)
def test_a_turn_of_speech_is_read_as_the_plain_step(said: str, steps: list[str]) -> None:
    assert [write_step(step) for step in read_sentence(said).steps] == steps


@pytest.mark.parametrize(
    "said",
    [
        "Ensure that Save is disabled before you type anything",
        "Click Next until the last page is reached",
    ],
)
def test_what_cannot_be_seen_or_typed_is_unclear(said: str) -> None:
    assert any(isinstance(step, Unclear) for step in read_sentence(said).steps)


def test_a_day_may_be_told_by_how_far_it_is_from_today() -> None:
    today = datetime.datetime.now(tz=datetime.UTC).astimezone().date()
    (step,) = read_sentence("Enter tomorrow's date in the Date field").steps
    assert isinstance(step, PickDate)
    assert step.iso == (today + datetime.timedelta(days=1)).isoformat()
    (step,) = read_sentence("Pick the 15th of next month").steps
    assert isinstance(step, PickDate)
    assert step.iso[-2:] == "15"
    assert 0 < (datetime.date.fromisoformat(step.iso) - today).days < 62


@given(
    st.sampled_from(["Save it", "Close the dialog", "Open the menu", "Select everything"]),
    st.sampled_from(["Ctrl+S", "Escape", "Alt+F", "F5", "Shift+Tab"]),
    st.sampled_from(["with", "using", "via"]),
)
def test_what_is_done_with_a_key_is_that_key(goal: str, key: str, how: str) -> None:
    (step,) = read_sentence(f"{goal} {how} {key}").steps
    assert write_step(step).startswith("press the keys ")
