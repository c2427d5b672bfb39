"""Files of steps: scenarios, bodies, names, and errors that name file, line and word."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.errors import InvalidInput
from carrel.models.steps import program as p
from carrel.models.steps.language import read_file

FILE = """# how people log in
title: Login

Before:
    go to {URL}

Scenario: good password
    enter {user} into the username field
    enter {{secret:PW}} into the password field
    click "Log in"
    if the "Cookies" dialog is visible
        click Accept
    else if there are 3 rows
        click Deny
    else
        wait 2 seconds
    verify that "Welcome" is visible

Scenario: bad password
    set word = "nonsense"
    Given I enter {word} into the password field
    When I press "Log in"
    Then I should see "Sorry"
    And I should not see "Welcome"
"""


def bare(step: p.Step) -> p.Step:
    inner = {
        name: tuple(bare(one) for one in getattr(step, name))
        for name in ("body", "then", "otherwise")
        if hasattr(step, name)
    }
    return dataclasses.replace(step, words="", line=0, **inner)  # type: ignore[arg-type]


def test_each_scenario_is_a_program_with_the_common_part_before_it() -> None:
    good, bad = read_file(FILE, "login.steps")
    assert (good.title, bad.title) == ("good password", "bad password")
    assert bare(good.steps[0]) == bare(bad.steps[0]) == p.GoTo("{URL}")
    assert good.names == ("URL", "user")
    assert bad.names == ("URL",)
    assert bare(good.steps[4]) == p.If(
        p.Shows('the "Cookies" dialog'),
        (p.Point("Accept"),),
        (p.If(p.Count("rows", 3), (p.Point("Deny"),), (p.Wait(2.0),)),),
    )
    assert [bare(step) for step in bad.steps[1:]] == [
        p.Let("word", "nonsense"),
        p.Enter("{word}", "the password field"),
        p.Point('"Log in"'),
        p.Check(p.Shows('"Sorry"')),
        p.Check(p.Not(p.Shows('"Welcome"'))),
    ]


def test_every_step_knows_its_line_and_words() -> None:
    good, _ = read_file(FILE)
    assert [(step.line, step.words) for step in good.steps][:2] == [
        (5, "go to {URL}"),
        (8, "enter {user} into the username field"),
    ]


def test_a_file_without_scenarios_is_one_program_with_its_title() -> None:
    (program,) = read_file("click A\nclick B\n", "two.steps")
    assert program.title == "two.steps"
    assert len(program.steps) == 2


def test_loops_have_bodies() -> None:
    (program,) = read_file(
        """
repeat 3 times
    press Tab
    repeat until "End" is visible
        click Next
for each name in "Ann", "Bob"
    enter {name} into the field
for each row of the table except [the first row] in descending order, at most 2
    click [the Delete button]
"""
    )
    assert [bare(step) for step in program.steps] == [
        p.Repeat(
            (
                p.Press(("tab",)),
                p.Repeat((p.Point("Next"),), until=p.Shows('"End"')),
            ),
            times=3,
        ),
        p.ForEach("name", (p.Enter("{name}", "the field"),), ("Ann", "Bob")),
        p.ForEach(
            "each",
            (p.Point("the Delete button"),),
            every="row of the table",
            but=("the first row",),
            order="descending",
            limit=2,
        ),
    ]


def test_a_text_in_triple_quotes_may_span_lines() -> None:
    (program,) = read_file('type """one\n  two""" into the box\nclick OK')
    assert bare(program.steps[0]) == p.Enter("one\n  two", "the box")
    assert program.steps[1].line == 3


def test_a_condition_and_its_step_may_share_a_line() -> None:
    (program,) = read_file("if the banner is visible, click Accept\nclick Next")
    assert bare(program.steps[0]) == p.If(p.Shows("the banner"), (p.Point("Accept"),))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("click A\nclik B", 2, ["clik", "did you mean “click”"]),
        ("\n\nfrobnicate it", 3, ["frobnicate"]),
        ("if the moon sings\n    click A", 1, ["condition"]),
        ("else\n    click A", 1, ["no “if” above"]),
        ("repeat 3 times\nclick A", 1, ["no steps below"]),
        ("click A\nif X is visible\n    clck B", 3, ["clck"]),
        ('click A\ntype """never\nends', 2, ["never ends"]),
        ("Scenario: a\nclick A\nBefore:\nclick B", 3, ["above the first scenario"]),
        ("click A\nplease", 2, ["asks for nothing"]),
        ("choose 31.02.2016", 1, ["no such day"]),
        ("wait 2 seconds\nclick it", 2, ["nothing was named before"]),
    ],
)
def test_an_error_names_the_file_the_line_and_the_word(
    text: str, line: int, words: list[str]
) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_file(text, "x.steps")
    assert str(caught.value).startswith(f"x.steps:{line}: ")
    assert all(word in str(caught.value) for word in words)
    assert caught.value.context["line"] == line


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "click A",
                "if",
                "if X is visible",
                "else",
                "otherwise",
                "repeat 3 times",
                "repeat until",
                "for each",
                "for each x in",
                '"""',
                "Scenario:",
                "Before:",
                "title: t",
                "    click B",
                "        press Tab",
                "# c",
                "{a}",
                "set a = 1",
                "否则",
                "如果",
                "对每个 X",
            ]
        ),
        max_size=8,
    ).map("\n".join)
    | st.text(max_size=60)
)
def test_any_file_is_read_or_refused_with_its_line(text: str) -> None:
    try:
        told = str(len(read_file(text, "f")))
    except InvalidInput as error:
        told = str(error)
    assert told.isdigit() or told.startswith("f:")
