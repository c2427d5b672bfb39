"""English as people plainly say it: claims, means, circumstances, verbs, references."""

from __future__ import annotations

import random

import pytest
from corpora import corpus, is_refused, written
from hypothesis import given
from hypothesis import strategies as st

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence

SENTENCES = corpus("english_plainly.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_is_plainly_said_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        # No picture of now tells it
        "The window title should remain unchanged.",
        "Nothing should have changed in the list.",
        "The list must not contain any duplicates.",
        "Verify that the number in the badge has increased by one.",
        "The picture should have become smaller.",
        "The changes should be saved.",
        "The image should be rotated by 90 degrees.",
        "The text should be aligned to the right.",
        'The message "Sent" should be displayed for a moment and then vanish.',
        "The Delete button should only be enabled once a row is selected.",
        "The pop-up must disappear on its own after a few seconds.",
        "A tick should appear beside every finished task.",
        "Only the third tab should remain open.",
        # To be worked out
        "The total should be twice the price.",
        "Verify that both prices are equal.",
        "Set column B to be twice as wide.",
        # What may be meant is left open
        "Choose a password with at least eight characters, for example Tr0ub4dor.",
        "Proceed to the form and fill in Lena Maier, lena@example.com and +49 170 1234567.",
        "Turn off the screen saver, or set it to Never.",
        "Share your screen, but only the browser window.",
        "Switch to satellite view and back.",
        "Sort ascending by date, then descending by amount.",
        "Turn the volume down to zero and the subtitles on.",
        "Delete the account and confirm with the password.",
        "Every time a new message arrives, click it.",
        "Zoom in until street names are readable.",
        "If the upload fails, try again.",
        "If the price is below 50, buy it.",
        "Delete it.",
        # A remark, a setting or a manner is no part of a name
        "Attach the invoice, it's the newest file in Downloads.",
        "Join the meeting that runs now, camera off and microphone muted.",
        "Print the letter - it must be in colour.",
        "Start from the blank sheet.",
        "Calculate 3 + 4 with its buttons.",
        "Verify that the price stays put.",
        "Put on some music: search for Bach.",
        "Check in Mr Bo, room 3, breakfast included.",
        "The clock should show 24-hour time, not am and pm.",
        "Tasks: there should be none left.",
        "Hand the chat over to Billing, leaving a note: refund.",
        "Is the tank below a fifth? If so, click Refill.",
        "Stick a pin on the map.",
        "Send it, but read it first.",
    ],
)
def test_what_nothing_shows_or_says_is_refused(said: str) -> None:
    assert is_refused(said)


@pytest.mark.parametrize(
    ("said", "verb"),
    [
        ("Shuffle should be on", "shuffle"),
        ("The account should now be locked", "lock"),
        ("The volume should be muted", "mute"),
        ("The entry must have been deleted", "delete"),
        ("You should end up on the start page, logged out", "log out"),
    ],
)
def test_a_claim_is_never_done(said: str, verb: str) -> None:
    steps = read_sentence(said).steps
    assert not any(isinstance(step, p.Perform) and step.verb == verb for step in steps)
    assert not any(isinstance(step, p.Perform | p.Point | p.Enter) for step in steps)


@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES), st.integers(0, 10_000))
def test_words_in_any_order_are_read_or_refused(
    one: tuple[str, str], other: tuple[str, str], seed: int
) -> None:
    words = f"{one[0]} {other[0]}".split()
    random.Random(seed).shuffle(words)
    assert read_sentence(" ".join(words[:14])).steps
