"""No word of an instruction gets lost: it is in the steps, or it is told."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.accounting import left_over
from carrel.models.steps.language.atoms import Atoms
from carrel.models.steps.language.talk import Talk


def texts(value: object) -> str:
    """Everything that the steps say, in one text."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return " ".join(texts(one) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        said = [f for f in fields(value) if f.name not in ("words", "line")]
        return " ".join(texts(getattr(value, f.name)) for f in said)
    return str(value)


def unclear(text: str) -> list[p.Unclear]:
    return [step for step in read_sentence(text).steps if isinstance(step, p.Unclear)]


NAMES = st.sampled_from(["Zorp", "Quux", "Blimey", "Grault", "Waldo"])
FRAMES = st.sampled_from(
    [
        "Click {0}",
        "Click the {0} button, then press Tab twice and type {1}",
        "Enter {0} in the {1} field and {2} in the {3} field",
        "Select {0} from the {1} list",
        "If the {0} banner is visible, close it, then click {1}",
        "Tick all boxes except {0} and {1}",
        "Change the {0} setting to {1}",
        "Drag {0} from {1} to {2}",
        "Rename {0} to {1}",
        "Click {0} only if the {1} field is empty",
        "Before clicking {0}, choose {1} in the {2} menu",
        "Delete the email by {0} and forward the message by {1} to {2}",
        "Verify that the {0} field contains {1} and that {2} is shown",
        "Wait until {0} appears or {1} disappears",
        "Open {0} without {1}",
        "Type {0} into {1}, or {2} if {3} is full",
        "Sort the {0} table by {1}, highest first",
        "Put {0} into the {1} basket and {2}",
        "Scroll down until you see {0} somewhere near {1}",
    ]
)


@settings(max_examples=400, deadline=None)
@given(FRAMES, st.lists(NAMES, min_size=4, max_size=4, unique=True))
def test_every_name_of_an_instruction_is_in_its_steps_or_told(frame: str, names: list[str]) -> None:
    text = frame.format(*names)
    steps = read_sentence(text).steps
    used = [name for name in names if re.search(rf"\b{name}\b", text)]
    said = texts(steps)
    assert [name for name in used if name not in said] == []


_LOOSE = st.lists(
    st.sampled_from(
        [
            "click", "type", "select", "press", "the", "button", "Zorp", "Quux", "and", "then",
            "in", "into", "from", "twice", "if", "unless", "except", "or", "all", "not",
            "field", "is", "visible", "it", ",", "3", "with", "without", "until", "Waldo",
        ]
    ),
    min_size=2,
    max_size=12,
).map(" ".join)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(_LOOSE)
def test_no_name_is_dropped_whatever_the_words_around_it(text: str) -> None:
    said = texts(read_sentence(text).steps)
    for name in {"Zorp", "Quux", "Waldo"} & set(text.split()):
        # "Click A, not B": B is only told apart.
        assert name in said or re.search(r"(?:,|\b(?:and|but)) (?:and |but )?not\b", text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Type my nickname is “Bob” into the comment box", "nickname"),
        ("Go forward twice", "twice"),
        ("Reload the page unless", "unless"),
        ("Submit the form or", "or"),
        ("刷新页面两遍吧香蕉", "香蕉"),
    ],
)
def test_words_that_no_step_says_are_named(text: str, word: str) -> None:
    told = unclear(text)
    assert told
    assert word in told[0].why


def test_what_a_step_itself_means_needs_no_words() -> None:
    talk = Talk(Atoms())
    steps = [p.Press(("tab",), times=2)]
    assert left_over("press Tab twice", steps, talk) == ()
    assert left_over("press Tab twice", [p.Press(("tab",))], talk) == ("twice",)


def test_an_exception_must_be_left_out_by_something() -> None:
    talk = Talk(Atoms())
    loop = p.ForEach("each", (p.Tick(("{each}",)),), every="boxes Cheese")
    assert left_over("tick all boxes except Cheese", [loop], talk) == ("except",)


def test_a_negation_must_be_in_the_steps() -> None:
    talk = Talk(Atoms(), chinese=True)
    shown = p.Check(p.Shows("错误"))
    assert "不" in left_over("验证不显示错误", [shown], talk)
    assert left_over("验证不显示错误", [p.Check(p.Not(p.Shows("错误")))], talk) == ()


def test_what_was_put_aside_is_accounted_for() -> None:
    talk = Talk(Atoms())
    steps = [p.SetValue("the language", "German")]
    assert left_over("change the language from English to German", steps, talk) == ("English",)
    talk.put_aside("English")
    assert left_over("change the language from English to German", steps, talk) == ()
