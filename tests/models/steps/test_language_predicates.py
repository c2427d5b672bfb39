"""English claims in whatever words: each is read by its subject, its verb and what is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence, write_step
from carrel.models.steps.language.english.predicates import predicate_of


def condition_of(said: str) -> p.Condition:
    (step,) = read_sentence(said).steps
    assert isinstance(step, p.Check), said
    return step.condition


@pytest.mark.parametrize(
    ("said", "step"),
    [
        # There, away, and where
        ("The tooltip should now show up", "verify that the tooltip is visible"),
        (
            "Confirm that Lunch shows up under Tuesday and is gone from Monday",
            (
                "verify that all of (Lunch under Tuesday is visible), "
                "(not (Lunch in Monday is visible))"
            ),
        ),
        (
            "The badge next to Inbox must have gone away",
            "verify that not (the badge next to Inbox is visible)",
        ),
        (
            "Wait until vim disappears from the list",
            "wait until not (vim in the list is visible)",
        ),
        ("You shouldn't see the Delete button", "verify that not (the Delete button is visible)"),
        ("There shouldn't be any banner", "verify that not (banner is visible)"),
        ("I expect a cookie notice to appear", "verify that a cookie notice is visible"),
        (
            'Check that neither "Error" nor "Warning" is displayed anywhere on the page',
            'verify that all of (not ("Error" is visible)), (not ("Warning" is visible))',
        ),
        # What it holds
        ("C7 should now display 4,250", 'verify that C7 contains "4,250"'),
        ("The log should include the word ready", 'verify that the log contains "ready"'),
        (
            "Ensure the label has changed from New to Open",
            'verify that all of (the label equals "Open"), (not (the label equals "New"))',
        ),
        ("Verify the volume is back at 100%", 'verify that the volume equals "100%"'),
        (
            "Verify that the total is no longer equal to {TOTAL}",
            'verify that not (the total equals "{TOTAL}")',
        ),
        (
            "Make sure the summary lists the amount as €25.00",
            'verify that the amount in the summary equals "€25.00"',
        ),
        (
            'The menu should offer "Cut" and "Copy" but not "Paste"',
            (
                'verify that all of (the menu contains "Cut"), (the menu contains "Copy"), '
                '(not (the menu contains "Paste"))'
            ),
        ),
        (
            "The elapsed time should be at least 0:30",
            'verify that not (the elapsed time is less than "0:30")',
        ),
        # States, also in a place
        (
            "The Revoke entry must be disabled for the key named live",
            "verify that not (the Revoke entry for the key named live is enabled)",
        ),
        (
            'The Size list should have "Medium" selected',
            'verify that "Medium" in the Size list is selected',
        ),
        (
            "Neither the Save nor the Cancel button should be enabled",
            (
                "verify that all of (not (the Save button is enabled)), "
                "(not (the Cancel button is enabled))"
            ),
        ),
        # How many
        (
            "The table should list exactly 5 users",
            "verify that there are exactly 5 users in the table",
        ),
        (
            "Backlog should now contain three cards",
            "verify that there are exactly 3 cards in Backlog",
        ),
        (
            "The cart should have two items in it",
            "verify that there are exactly 2 items in the cart",
        ),
        ("There must not be more than 5 hints", "verify that not (there are at least 6 hints)"),
        # Of each
        (
            "Every row should have a Delete button",
            "for each [row]\n    verify that a Delete button in {each} is visible",
        ),
        (
            'No row should contain "error"',
            'for each [row]\n    verify that not ([{each}] contains "error")',
        ),
        ("Make sure both boxes are ticked", "for each [boxes]\n    verify that {each} is checked"),
        # Where one is, and how soon
        (
            "We should be back on the login page",
            (
                "verify that any of "
                '(the page title contains "login"), (the heading "login" is visible)'
            ),
        ),
        (
            'You should land on a page titled "Mine"',
            'verify that any of (the page title contains "Mine"), (the heading "Mine" is visible)',
        ),
        (
            "The toast should show up within ten seconds",
            "wait up to 10 seconds until the toast is visible",
        ),
    ],
)
def test_a_claim_is_read_in_whatever_words(said: str, step: str) -> None:
    assert [write_step(one) for one in read_sentence(said).steps] == [step]


@pytest.mark.parametrize(
    "said",
    [
        "Only the third tab should remain open",
        "Nothing else should be selected",
        "The background should be dark",
        "All prices should be shown in euros",
        "The link should open in a new tab",
        "Make sure the icon shows that you are connected",
        "Verify that {NEW} is 10 more than {OLD}",
        'The title changes to "Done" and the button turns upside down',
        "The button must stay disabled as long as the box is empty",
        "Verify that the session has expired",
        "Confirm that Lunch has moved: Lunch shows up under Tuesday",
        "Verify with cat that the file has two lines",
        "Check that it matches",
    ],
)
def test_what_no_screen_shows_is_refused_and_never_done(said: str) -> None:
    steps = read_sentence(said).steps
    assert any(isinstance(step, p.Unclear) for step in steps)


THINGS = ("the total", "the Name field", "C7", "the panel on the left", "the row of Ann Lee")
ADVERBS = ("", " now", " still", " already", " finally", " once again")


@given(
    st.sampled_from(THINGS),
    st.sampled_from((" should", " must", " ought to", " has to")),
    st.sampled_from(ADVERBS),
    st.sampled_from(("contain", "show", "display", "say", "mention")),
    st.booleans(),
)
def test_a_verb_says_the_same_however_it_is_bound(
    thing: str, modal: str, adverb: str, verb: str, denied: bool
) -> None:
    no = " not" if denied else ""
    modal = modal if not denied or modal in (" should", " must") else " should"
    said = condition_of(f'Verify that {thing}{modal}{no}{adverb} {verb} "x y"')
    held = p.Has(thing, "x y", "contains")
    assert said == (p.Not(held) if denied else held)


@given(
    st.lists(
        st.sampled_from(
            (
                "the banner is gone",
                '"Saved" is shown',
                "the Save button is disabled",
                'the title contains "Ann"',
                "the list has 3 rows",
                "the box isn't ticked",
            )
        ),
        min_size=2,
        max_size=4,
        unique=True,
    ),
    st.sampled_from((" and ", ", and ", " and that ", ", but ")),
)
def test_claims_one_after_another_are_read_as_each_alone(claims: list[str], joint: str) -> None:
    alone = tuple(condition_of(f"Verify that {one}") for one in claims)
    assert condition_of(f"Verify that {joint.join(claims)}") == p.Every(alone)


@given(st.text(alphabet="abc is not shows the A\ue000", max_size=40))
def test_the_verb_of_a_claim_is_found_or_not_but_never_fails(text: str) -> None:
    found = predicate_of(text)
    assert found is None or len(found.subject) + len(found.rest) <= len(text)
