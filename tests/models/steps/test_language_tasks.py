"""Whole tasks as people at work word them, each read as one would mean it."""

from __future__ import annotations

import pytest

from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.writing import write_program


def lines(said: str) -> list[str]:
    return [line.strip() for line in write_program(read_sentence(said)).splitlines() if line]


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        (
            "Delete every order that is cancelled and confirm each deletion.",
            ["for each [order that is cancelled]", "delete {each}", 'perform "confirm"'],
        ),
        (
            "Delete all the drafts, confirming each deletion.",
            ["for each [drafts]", "delete {each}", 'perform "confirm"'],
        ),
        (
            "Open order #1043 for editing, change its status to Shipped and save.",
            ["edit order #1043", 'set the status to "Shipped"', "save"],
        ),
        (
            "Edit order #1043: change its status to Shipped and save.",
            ["edit order #1043", 'set the status to "Shipped"', "save"],
        ),
        (
            "Search the contacts for Novak and put his email address into the Contact field.",
            [
                "in the contacts, search Novak",
                "read the email address of Novak as it",
                'type "{it}" into the Contact field',
            ],
        ),
        ("The inbox should then hold three messages.",
         ["verify that there are exactly 3 messages in the inbox"]),
        ("Make the font size 18", ['set the font size to "18"']),
        (
            "Make the text bold and the heading red.",
            ['give the text the style "bold"', 'give the heading the style "red"'],
        ),
        ("Go on to the next step.", ["continue"]),
        ("Go back to the previous step.", ['perform "back"']),
        ("Set the price range from 100 to 400.", ['set the price range to "100 – 400"']),
        (
            "Change the date range from 3 May 2027 to 9 May 2027.",
            ['set the date range to "3 May 2027 – 9 May 2027"'],
        ),
        (
            "Enter the sum of the two numbers shown into the Result field.",
            ["remember the sum of the two numbers shown as it",
             'type "{it}" into the Result field'],
        ),
        (
            "Replace every “colour” with “color” using Find and Replace from the Search menu.",
            ['replace "colour" (with: "color", in: "everywhere")'],
        ),
        (
            "Filter the list to show only active users.",
            ['filter the list (by: "active")'],
        ),
        (
            "Fly from Oslo to Lisbon in Business class with 3 passengers.",
            ['fly (from: "Oslo", to: "Lisbon", in: "Business class", with: "3 passengers")'],
        ),
        ("Choose One way.", ["choose One way"]),
        (
            "On the Appearance tab make the size 18, then set my name on the Me tab to “Jane”.",
            [
                'in the Appearance tab, set the size to "18"',
                'set my name on the Me tab to "Jane"',
            ],
        ),
        (
            "Register with my name Ann Lee and my email ann@lee.example.",
            ['register (name: "Ann Lee", email: "ann@lee.example")'],
        ),
    ],
)  # fmt: skip
def test_a_task_is_these_steps(said: str, steps: list[str]) -> None:
    assert lines(said) == steps
