"""English instructions: many wordings of one wish are the same steps."""

from __future__ import annotations

import dataclasses

import pytest

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence, readings


def bare(step: p.Step) -> p.Step:
    inner = {
        field.name: tuple(bare(one) for one in value)
        for field in dataclasses.fields(step)
        if isinstance(value := getattr(step, field.name), tuple)
        and value
        and isinstance(value[0], p.Step)
    }
    return dataclasses.replace(step, words="", line=0, **inner)  # type: ignore[arg-type]


def steps_of(text: str) -> list[p.Step]:
    return [bare(step) for step in read_sentence(text).steps]


EACH = "{each}"
SAME: list[tuple[list[str], list[p.Step]]] = [
    (
        [
            "Click Save",
            "Click on Save.",
            "Please click Save",
            "Could you please click Save?",
            "Now tap Save!",
            "I want you to click on Save, thanks.",
            "You should press Save.",
            "Hi! Push Save for me, please.",
            "Go ahead and hit Save",
        ],
        [p.Point("Save")],
    ),
    (
        [
            'Click "Save and Close"',
            "Click on “Save and Close”.",
            "Tap 「Save and Close」",
            "Press 'Save and Close'",
            "Hit «Save and Close» when done",
        ],
        [p.Point('"Save and Close"')],
    ),
    (
        [
            'Enter "Ann" in the name field and "42" in the age field',
            'Type "Ann" into the name field, then type "42" into the age field.',
            'Fill in the name field with "Ann" and the age field with "42"',
            'In the name field type "Ann". In the age field type "42".',
            'Enter "Ann" into the name field and then enter "42" into the age field',
            'Put "Ann" in the name field, and "42" in the age field',
        ],
        [p.Enter("Ann", "the name field"), p.Enter("42", "the age field")],
    ),
    (
        [
            'Enter the username "bob" and the password "pw"',
            'Type username "bob" and password "pw" into the text fields',
            'Fill in the username with "bob" and the password with "pw"',
            'Enter username: "bob", password: "pw"',
            'Fill the form: username "bob", password "pw"',
        ],
        [p.Enter("bob", "the username field"), p.Enter("pw", "the password field")],
    ),
    (
        [
            'Type "x" into both fields',
            'Enter "x" in all the fields',
            'Put "x" in each of the fields',
            'Write "x" into all fields',
            'Enter the word "x" into both of the fields',
        ],
        [p.ForEach("each", (p.Enter("x", EACH),), every="fields")],
    ),
    (
        [
            "Before clicking Save, tick Agree",
            "Tick Agree before clicking Save",
            "Tick Agree, then click Save",
            "After ticking Agree, click Save",
            "Click Save after you have ticked Agree",
            "Once you have ticked Agree, click Save",
            "First tick Agree and after that click Save.",
        ],
        [p.Tick(("Agree",)), p.Point("Save")],
    ),
    (
        [
            "When the dialog appears, click OK",
            "Once the dialog is visible, click OK",
            "As soon as you see the dialog, click OK",
            "Click OK when the dialog is shown",
            "Wait until the dialog appears, then click OK",
            "Wait for the dialog to appear and click OK",
        ],
        [p.Wait(until=p.Shows("the dialog")), p.Point("OK")],
    ),
    (
        [
            "From the File menu choose Save As",
            "In the File menu, select Save As",
            "Choose Save As from the File menu",
            "Pick Save As in the File menu",
            "Select Save As from the File menu.",
        ],
        [p.Choose(("Save As",), "the File menu")],
    ),
    (
        [
            "Choose File > Save As",
            "Click File → Save As",
            "Go to File > Save As",
            "Select File › Save As",
            "Open File -> Save As",
        ],
        [p.Choose(("File", "Save As"), path=True)],
    ),
    (
        [
            'Tick "Milk", "Eggs" and "Bread"',
            'Check the boxes "Milk", "Eggs", and "Bread"',
            'Check "Milk", "Eggs", "Bread"',
            'Please check off "Milk", "Eggs" and "Bread"',
            'Enable "Milk", "Eggs" and "Bread"',
        ],
        [p.Tick(('"Milk"', '"Eggs"', '"Bread"'))],
    ),
    (
        ["Untick Sound", "Uncheck Sound", "Turn off Sound", "Switch off Sound", "Disable Sound"],
        [p.Tick(("Sound",), on=False)],
    ),
    (
        [
            "Find the phone number of Ann and enter it in the field",
            "Look up the phone number of Ann, then type it into the field",
            "Enter the phone number of Ann into the field",
            "Type the phone number of Ann in the field",
            "Locate the phone number of Ann and put that into the field",
        ],
        [p.Read("the phone number of Ann", "it"), p.Enter("{it}", "the field")],
    ),
    (
        [
            "Copy the first line and paste it into the box",
            "Copy the first line, then paste it in the box",
            "Copy the first line. Paste it into the box.",
            "Copy the first line to the box",
            "Copy the first line and then paste that into the box",
        ],
        [p.Copy("the first line"), p.Paste("the box")],
    ),
    (
        [
            "Choose December 31st, 2016",
            "Select 12/31/2016 as the date",
            "Pick the date 2016-12-31",
            "Set the date to 31 December 2016",
            "Enter 12/31/2016 as the date",
        ],
        [p.PickDate("*", "2016-12-31")],
    ),
    (
        [
            "Set the slider to 7",
            "Drag the slider to 7",
            "Move the slider to 7",
            "Select 7 with the slider",
            "Use the slider to select 7",
            "Choose 7 using the slider",
        ],
        [p.SetValue("the slider", "7")],
    ),
    (
        [
            "Press Tab twice",
            "Hit the Tab key two times",
            "Press the Tab key 2 times",
            "Press Tab 2 times",
            "Push the tab key twice.",
        ],
        [p.Press(("tab",), 2)],
    ),
    (
        [
            "Press Ctrl+A, then Delete",
            "Press Ctrl + A and then Delete",
            "Hit control+a, delete",
            "Press the keys Ctrl+A and Delete",
            "Press Ctrl-A then the Delete key",
        ],
        [p.Press(("ctrl+a", "delete"))],
    ),
    (
        [
            "Hold Shift and click Last",
            "Shift-click Last",
            "Click Last while holding Shift",
            "Click on Last holding the shift key",
            "Hold down the Shift key while clicking Last",
        ],
        [p.Point("Last", held=("shift",))],
    ),
    (
        [
            "Click Next 3 times",
            "Click on Next three times",
            "Click Next three times in a row",
            "Please tap Next 3 times.",
            "Press Next 3 times",
        ],
        [p.Point("Next", times=3)],
    ),
    (
        [
            "Click Next until the end appears",
            "Repeat until the end appears: click Next",
            "Tap Next till the end is visible",
            "Click Next until you see the end",
            "Press Next until the end is shown",
        ],
        [p.Repeat((p.Point("Next"),), until=p.Shows("the end"))],
    ),
    (
        [
            "If the banner is visible, click Accept; otherwise click Next",
            "If the banner is shown then click Accept, else click Next",
            "If you see the banner, click Accept. Otherwise, click Next.",
            "If the banner appears, tap Accept, otherwise tap Next",
            "If the banner is displayed, press Accept or else press Next",
        ],
        [p.If(p.Shows("the banner"), (p.Point("Accept"),), (p.Point("Next"),))],
    ),
    (
        [
            "For each row, click its Delete button",
            "For every row, click its Delete button.",
            "For each row: press its Delete button",
            "For each row, hit its Delete button",
            "For each row, please click its Delete button",
        ],
        [p.ForEach("each", (p.Point("the Delete button", place=EACH),), every="row")],
    ),
    (
        [
            "Click all links",
            "Click on all the links",
            "Tap all of the links",
            "Click each of the links",
            "Please press all links",
        ],
        [p.ForEach("each", (p.Point(EACH),), every="links")],
    ),
    (
        [
            "Find the message by Ann and click the star icon",
            "Look for the message by Ann and click the star icon to mark it",
            "Locate the message by Ann, then click the star icon",
            "Find the message by Ann. Click the star icon.",
            "Please find the message by Ann and tap the star icon",
        ],
        [p.Find("the message by Ann"), p.Point("the star icon", place="the message by Ann")],
    ),
    (
        [
            "Forward the message by Ann to Bob",
            "Forward to Bob the message by Ann",
            "Please forward the message by Ann to Bob.",
            "The message by Ann should be forwarded to Bob",
            "Forward Bob the message by Ann",
        ],
        [p.Perform("forward", "the message by Ann", (("to", "Bob"),))],
    ),
    (
        [
            'Log in with username "a" and password "b"',
            'Sign in using the username "a" and the password "b"',
            'Login with the username "a" and the password "b"',
            'Log on with username "a" and password "b"',
            'Please sign in with username "a" and password "b".',
        ],
        [p.Perform("log in", None, (("username", "a"), ("password", "b")))],
    ),
    (
        [
            'Enter an item that starts with "An" and ends with "a"',
            'Type any word that begins with "An" and ends in "a"',
            'Enter a country which starts with "An" and ends with "a"',
            'Input some name that begins with "An" and ends with "a"',
            'Enter an entry that starts with "An" and ends with "a".',
        ],
        [p.Complete("An", "a")],
    ),
    (
        [
            "How many red circles are there?",
            "How many red circles are shown?",
            "How many red circles do you see?",
            "How many red circles can you see?",
            "How many red circles are visible?",
        ],
        [p.Compute("count", "red circles", "it"), p.Answer("{it}")],
    ),
    (
        [
            "Scroll to the bottom of the list",
            "Scroll the list to the bottom",
            "Scroll down to the bottom of the list",
            "Scroll the list all the way down to the end",
            "Scroll to the end of the list",
        ],
        [p.Scroll("down", "end", "the list")],
    ),
    (
        [
            "Drag the ball into the box",
            "Drag and drop the ball onto the box",
            "Move the ball to the box",
            "Drag the ball and drop it on the box",
            "Drop the ball into the box",
        ],
        [p.Drag("the ball", "the box")],
    ),
    (
        [
            "Drag all circles into A and everything else into B",
            "Drag every circles into A, and everything else into B",
            "Move all circles into A, and the rest into B",
            "Drag all the circles to A and the others to B",
            "Drag all of the circles onto A and everything else onto B",
        ],
        [
            p.ForEach("each", (p.Drag(EACH, "A"),), every="circles"),
            p.ForEach("each", (p.Drag(EACH, "B"),), every="everything", but=("circles",)),
        ],
    ),
    (
        [
            "Read the total and remember it as sum",
            "Read the total as sum",
            "Remember the total as sum",
            "Find the total and store it as sum",
            "Note the total as {sum}",
        ],
        [p.Read("the total", "sum")],
    ),
    (
        [
            'Verify that the title is "Home"',
            'Check that the title equals "Home"',
            'The title should be "Home"',
            'Assert the title is "Home"',
            'Verify that the title is equal to "Home"',
        ],
        [p.Check(p.Has("the title", "Home", "equals"))],
    ),
    (
        [
            'Make sure the title reads "Home"',
            'Ensure that the title says "Home"',
            'Check that the title shows "Home"',
            'Verify that the title displays "Home"',
            'Verify that the title contains "Home"',
        ],
        [p.Check(p.Has("the title", "Home", "contains"))],
    ),
    (
        [
            'Then I should see "Welcome"',
            'Verify that "Welcome" is visible',
            'I see "Welcome"',
            'Make sure "Welcome" is shown on the page',
            'Check that the page shows "Welcome"',
            'The page should contain the text "Welcome"',
        ],
        [p.Check(p.Shows('"Welcome"'))],
    ),
    (
        [
            "To log in, click Start",
            "In order to continue, click Start",
            "Click Start to log in",
            "Click Start so that your changes are kept",
            "Log in by clicking Start",
        ],
        [p.Point("Start")],
    ),
    (
        [
            "Look through the tabs to find and click on Prices",
            "Go through the tabs to find and click Prices",
            "Navigate through the pages. Find and click on Prices.",
            "Open the groups on the left, to find and click on Prices",
            "Find and click Prices",
        ],
        [p.Point("Prices")],
    ),
    (
        [
            'Type "ann" in capital letters into the box',
            'Type "ann" in all upper case letters in the box',
            'Enter "ann" in uppercase into the box',
            'Write "ann" in capitals in the box',
            'Type "Ann" in upper case in the box',
        ],
        [p.Enter("ANN", "the box")],
    ),
    (
        [
            "Give everything the style bold",
            "Make everything bold",
            "Turn everything bold",
            "Give everything the font style bold",
            "Format everything in bold",
        ],
        [p.Change("everything", "bold")],
    ),
    (
        [
            "Solve the equation and type your answer into the box",
            "Solve the equation and enter the result into the box",
            "Solve the equation, then type the answer in the box",
            "Work out the equation and put your solution in the box",
            "Calculate the equation and type the answer into the box",
        ],
        [p.Compute("solve", "the equation", "it"), p.Enter("{it}", "the box")],
    ),
    (
        [
            "Buy the book when the price is less than $5",
            "When the price is less than $5, buy the book",
            "Once the price is lower than $5, buy the book",
            "Buy the book as soon as the price is below $5",
            "As soon as the price is under $5 , buy the book",
        ],
        [p.Wait(until=p.Has("the price", "$5", "less")), p.Perform("buy", "the book")],
    ),
    (
        [
            "Go to https://example.org/a?b=1 and wait 2 seconds",
            "Visit https://example.org/a?b=1, then wait for two seconds.",
            "Open https://example.org/a?b=1. Wait 2 secs.",
            "Navigate to https://example.org/a?b=1 and pause for 2 seconds",
            "Browse to the page https://example.org/a?b=1 and then wait 2 s",
        ],
        [p.GoTo("https://example.org/a?b=1"), p.Wait(2.0)],
    ),
    (
        [
            "In the dialog, click OK",
            "Inside the dialog, press OK",
            "Within the dialog, tap OK.",
            "In the dialog please click on OK",
            "On the dialog, hit OK",
        ],
        [p.Point("OK", place="the dialog")],
    ),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [(text, steps) for texts, steps in SAME for text in texts],
)
def test_other_words_for_the_same_wish_are_the_same_steps(
    text: str, expected: list[p.Step]
) -> None:
    found = [
        dataclasses.replace(step, text="*") if isinstance(step, p.PickDate) else step
        for step in steps_of(text)
    ]
    assert found == expected


def test_every_group_has_five_wordings() -> None:
    assert all(len(set(texts)) >= 5 for texts, _ in SAME)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Frobnicate the widget", "Frobnicate"),
        ("Clik the button", "click"),
        ("Click", "what to click"),
        ("Don't click Cancel", "not to do"),
        ("Click Yes, No or Maybe", "which of them"),
        ("Click it", "nothing was named"),
        ("Type it into the field", "nothing was named"),
        ("Scroll sideways like a crab", "scroll where"),
        ("", "nothing is asked"),
        ("Thank you!", "nothing is asked"),
        ("Move the cube around", "where"),
        ("Choose 31.02.2016", "no such day"),
    ],
)
def test_words_that_no_rule_understands_are_told_precisely(text: str, word: str) -> None:
    unclear = [step for step in read_sentence(text).steps if isinstance(step, p.Unclear)]
    assert unclear
    assert word in unclear[0].why


def test_what_follows_unclear_words_is_still_read() -> None:
    first, second = read_sentence("Frobnicate the widget and click OK").steps
    assert isinstance(first, p.Unclear)
    assert bare(second) == p.Point("OK")


def test_capitalised_names_in_a_list_are_not_verbs() -> None:
    assert steps_of("Select Open, Close and Save As from the list") == [
        p.Choose(("Open", "Close", "Save As"), "the list", said="Open, Close and Save As")
    ]
    assert steps_of("Click Save and Close") == [p.Point("Save and Close")]


def test_a_list_that_may_be_split_otherwise_says_so() -> None:
    step, *_ = read_sentence("Select Soup, Rice and Beans").steps
    assert isinstance(step, p.Choose)
    assert step.said == "Soup, Rice and Beans"
    assert ("Soup", "Rice and Beans") in readings(step.said)
    assert readings(step.said)[0] == step.options


def test_names_and_secrets_pass_through_untouched() -> None:
    program = read_sentence(
        "Enter {user} as the username and {{secret:PW}} into the password field"
    )
    first, second = (bare(step) for step in program.steps)
    assert first == p.Enter("{user}", "the username")
    assert second == p.Enter("{{secret:PW}}", "the password field")
    assert program.names == ("user",)


def test_a_name_that_was_read_before_need_not_be_given() -> None:
    program = read_sentence("Read the total as sum. Enter {sum} into the field.")
    assert program.names == ()


def test_numbered_lists_are_read_one_by_one() -> None:
    assert steps_of('1. Click A 2. Type "x" in B 3. Press Enter') == [
        p.Point("A"),
        p.Enter("x", "B"),
        p.Press(("enter",)),
    ]


def test_every_step_keeps_the_words_it_was_read_from() -> None:
    first, second = read_sentence("Click A and then type “b” into C").steps
    assert first.words == "Click A"
    assert second.words == "type “b” into C"


def test_a_sentence_with_a_long_tail_of_clauses_keeps_their_order() -> None:
    assert steps_of(
        "Open the File menu, click Export, choose PDF, type report into the Name field and "
        "press Save"
    ) == [
        p.Open("the File menu"),
        p.Point("Export"),
        p.Choose(("PDF",)),
        p.Enter("report", "the Name field"),
        p.Point("Save"),
    ]


def test_where_a_thing_lies_is_not_a_number() -> None:
    assert steps_of('Verify that "2" is above "195"') == [p.Check(p.Shows('"2" above "195"'))]
    assert steps_of("Verify that Ann is not in the table") == [
        p.Check(p.Not(p.Shows("Ann in the table")))
    ]
    assert steps_of("Verify that the total is above 20") == [
        p.Check(p.Has("the total", "20", "greater"))
    ]


def test_what_is_remembered_may_name_a_thing() -> None:
    assert steps_of("Verify that {item} is checked") == [p.Check(p.Is("{item}", "checked"))]
    assert steps_of("Verify that {item} is not visible") == [p.Check(p.Not(p.Shows("{item}")))]


def test_things_are_dragged_next_to_others() -> None:
    assert steps_of('Drag "A" below "C"') == [p.Drag('"A"', onto='the place below "C"')]
    assert steps_of("Drag the ball to the box below the title") == [
        p.Drag("the ball", onto="the box below the title")
    ]


def test_a_wait_may_say_how_long_at_most() -> None:
    assert steps_of('Wait up to 2 minutes for "Complete!"') == [
        p.Wait(120.0, until=p.Shows('"Complete!"'))
    ]


def test_keys_are_pressed_where_it_is_said() -> None:
    assert steps_of('Press Up in the "Amount" field three times') == [
        p.Point('the "Amount" field'),
        p.Press(("up",), times=3),
    ]


def test_windows_open_and_close() -> None:
    opened = p.WindowOpen("Survey")
    assert steps_of("Wait for the Survey window to open") == [p.Wait(until=opened)]
    assert steps_of("Wait until the Survey window closes") == [p.Wait(until=p.Not(opened))]
    assert steps_of('Verify that a window titled "Survey" is not open') == [p.Check(p.Not(opened))]


def test_a_name_may_begin_like_an_instruction() -> None:
    assert steps_of("Choose Search > Find and Replace") == [
        p.Choose(("Search", "Find and Replace"), path=True)
    ]


@pytest.mark.parametrize(
    ("words", "step"),
    [
        ("Save with Ctrl+S", p.Press(("ctrl+s",))),
        ("Click the header again", p.Point("the header")),
        ("{SUM} should be 42", p.Check(p.Compare("{SUM}", "equals", "42"))),
        ('Bring the "Notes" window to the front', p.SwitchTo("Notes")),
        ('Replace the Email with "x"', p.Enter("x", "the Email")),
        ("Follow the link Labels", p.Point("the link Labels")),
        ("Scroll back up to the top of the page", p.Scroll("up", "end", "the page")),
        (
            'For each of "a", "b" and "c", tick it',
            p.ForEach("each", (p.Tick(("{each}",)),), ("a", "b", "c")),
        ),
        ("The Shopping tab should not be visible", p.Check(p.Not(p.Shows("the Shopping tab")))),
        ("Wait until the file notes/a is there", p.Wait(until=p.Exists("notes/a"))),
    ],
)
def test_another_way_to_say_it(words: str, step: p.Step) -> None:
    assert steps_of(words) == [step]
