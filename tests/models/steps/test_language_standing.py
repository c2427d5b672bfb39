"""Claims about how a thing stands among its like, and claims in other words."""

from __future__ import annotations

import pytest

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.writing import write_program


def written(said: str) -> str:
    """What a sentence is read as, in canonical words."""
    return write_program(read_sentence(said)).strip()


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        (
            "Verify that Mill cottage is the only flat left in the table",
            'verify that the only flat in the table contains "Mill cottage"',
        ),
        (
            "Verify that the table still has 4 rows and none of them is Staples",
            (
                "verify that all of (there are exactly 4 rows in the table), "
                '(not (the table contains "Staples"))'
            ),
        ),
        # "No" denies what it stands before, also in the second claim of two.
        (
            'Verify that the tab reads "Budget" and no "Sheet1" is left',
            'verify that all of (the tab contains "Budget"), (not ("Sheet1" is visible))',
        ),
        (
            "Verify that monday.txt and Minutes are shown and agenda.txt is gone",
            (
                "verify that all of (monday.txt is visible), (Minutes is visible), "
                "(not (agenda.txt is visible))"
            ),
        ),
        (
            "验证周婷的状态是“已签到”，赵敏的状态仍然是“待就诊”",
            'verify that all of (周婷的状态 equals "已签到"), (赵敏的状态 equals "待就诊")',
        ),
        (
            "Sort the list by price with the most expensive first",
            'sort the list (by: "price", order: "descending")',
        ),
        (
            "Emil Roth should come last in the table",
            'verify that the last row in the table contains "Emil Roth"',
        ),
        (
            "Verify that Write tests is the first card in the To do column",
            'verify that the first card in the To do column contains "Write tests"',
        ),
        (
            "Verify that Ann appears only once in the table",
            'verify that there are exactly 1 "Ann" in the table',
        ),
        (
            'Verify that "None" is displayed instead of the table',
            'verify that all of ("None" is visible), (not (the table is visible))',
        ),
        (
            "Verify that Express is the selected delivery option",
            'verify that the delivery option equals "Express"',
        ),
        (
            "Verify that between 2 and 4 rows are shown",
            "verify that all of (there are at least 2 rows), (there are at most 4 rows)",
        ),
        (
            'Verify that either "Yes" or "No" is selected',
            'verify that any of ("Yes" is selected), ("No" is selected)',
        ),
        (
            'Verify that "A" is in the Done column and no longer in To do',
            (
                'verify that all of ("A" in the Done column is visible), '
                '(not ("A" in To do is visible))'
            ),
        ),
        (
            "Verify that the name is Ann and the city Oslo",
            'verify that all of (the name equals "Ann"), (the city equals "Oslo")',
        ),
        (
            "Verify that the cards in To do are Write tests, Fix login and Update docs",
            (
                "verify that all of (there are exactly 3 cards in To do), "
                '("Write tests" in To do is visible), ("Fix login" in To do is visible), '
                '("Update docs" in To do is visible)'
            ),
        ),
        (
            "The inbox should then hold three messages",
            "verify that there are exactly 3 messages in the inbox",
        ),
        (
            "Verify that the table is no longer showing Bob",
            'verify that not (the table contains "Bob")',
        ),
        ("Verify that the balance is negative", 'verify that the balance is less than "0"'),
        (
            "Verify that the search returned 3 results",
            "verify that there are exactly 3 results",
        ),
        (
            "Verify that two requests are pending",
            'verify that there are exactly 2 requests containing "pending"',
        ),
        (
            "Verify that the Withdraw button can't be clicked",
            "verify that not (the Withdraw button is enabled)",
        ),
        (
            'A dialog should ask "Delete it?"',
            'verify that a dialog contains "Delete it?"',
        ),
        (
            "Verify that Norwegian is selected as the language",
            'verify that the language equals "Norwegian"',
        ),
        (
            "The folder should contain a.txt and b.txt but not c.txt",
            (
                'verify that all of (the folder contains "a.txt"), (the folder contains "b.txt"), '
                '(not (the folder contains "c.txt"))'
            ),
        ),
        (
            "The due date should be 2027-01-05 and the priority High.",
            'verify that all of (the due date equals "2027-01-05"), (the priority equals "High")',
        ),
        (
            "Check that all three checkboxes are ticked",
            (
                "verify that there are exactly 3 checkboxes\n"
                "for each [checkboxes]\n    verify that {each} is checked"
            ),
        ),
        (
            "Check that the fields are empty again",
            "for each [fields]\n    verify that {each} is empty",
        ),
        (
            "Verify that neither box is ticked",
            "for each [box]\n    verify that not ({each} is checked)",
        ),
    ],
)
def test_how_a_thing_stands_is_read(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "Check that the Submit button is greyed out until I accept the terms",
        "Verify that the discount is applied",
        "Verify that the description is longer than 10 characters",
    ],
)
def test_what_no_screen_tells_is_refused(said: str) -> None:
    assert any(isinstance(step, p.Unclear) for step in read_sentence(said).steps)


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        (
            "Verify that #20418 is the only order still listed",
            "verify that #20418 is the only order listed",
        ),
        (
            "Verify that the only order still listed is #20418",
            "verify that #20418 is the only order listed",
        ),
        ("Verify that order 20418 is the only remaining one", "verify that only 20418 is listed"),
        ("Verify that only #20418 is listed in the table", "verify that only #20418 is listed"),
        ("Verify that nothing but Tea is left in the list", "verify that only Tea is listed"),
        ("Verify that the search box is cleared", "verify that the search box is empty"),
    ],
)
def test_what_is_left_alone_is_the_only_entry_of_its_list(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "Verify that no other order than #20418 is listed",
        "Verify that nothing but the header is visible",
        "Verify that Kim is not the only customer shown",
        "Verify that both filters are cleared",
    ],
)
def test_what_would_pass_where_nothing_is_called_so_is_refused(said: str) -> None:
    assert any(isinstance(step, p.Unclear) for step in read_sentence(said).steps)
