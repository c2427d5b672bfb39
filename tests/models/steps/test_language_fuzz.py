"""No words break the reader, and what is in quotes comes through verbatim."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence, readings
from carrel.models.steps.language.atoms import Atoms, quoted
from carrel.models.steps.language.dates import iso_date, iso_time
from carrel.models.steps.language.numbers import number

_PIECES = [
    "click",
    "type",
    "select",
    "drag",
    "the",
    "a",
    "button",
    "field",
    "and",
    "then",
    ",",
    ".",
    ";",
    ":",
    "before",
    "after",
    "if",
    "otherwise",
    "until",
    "for each",
    "repeat",
    "3",
    "twice",
    "into",
    "from",
    "to",
    "in",
    "with",
    "by",
    '"',
    "“",
    "”",
    "'",
    "{",
    "}",
    "{x}",
    "[",
    "]",
    "(",
    ")",
    ">",
    "Ann",
    "Submit",
    "it",
    "that",
    "12/31/2016",
    "9:30 PM",
    "not",
    "is visible",
    "equals",
    "使用",
    "点击",
    "输入",
    "“",
    "”",
    "，",
    "如果",
    "否则",
    "在",
    "中",
    "把",
    "拖到",
    "和",
    "\n",
    "\t",
    "\ue000",
    "https://a.b/c",
    "@",
    "#",
    "%",
    "=",
]
TALK = st.one_of(
    st.lists(st.sampled_from(_PIECES), max_size=14).map(" ".join),
    st.lists(st.sampled_from(_PIECES), max_size=14).map("".join),
    st.text(max_size=80),
)
INSIDE = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Co", "Zl", "Zp")), min_size=1, max_size=30
).filter(lambda text: '"""' not in text and not text.endswith('"'))


@settings(max_examples=500, deadline=None)
@given(TALK)
def test_no_text_breaks_the_reader(text: str) -> None:
    program = read_sentence(text)
    assert program.steps
    for step in program.steps:
        assert not isinstance(step, p.Unclear) or step.why


@settings(max_examples=200, deadline=None)
@given(
    INSIDE,
    st.sampled_from(
        [
            "Click {}",
            "Select {} from the list and click OK",
            "Drag {} to X",
            "点击{}",
            "Find and click on the link {}.",
        ]
    ),
)
def test_a_quoted_name_is_never_taken_apart(inside: str, sentence: str) -> None:
    program = read_sentence(sentence.format(quoted(inside)))
    first = program.steps[0]
    phrase = first.options[0] if isinstance(first, p.Choose) else getattr(first, "what", "")
    assert quoted(inside) in phrase


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_masking_and_unmasking_gives_the_text_back(text: str) -> None:
    atoms = Atoms()
    assert atoms.original(atoms.mask(text)) == text


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_every_reading_of_a_list_holds_the_same_letters(said: str) -> None:
    for items in readings(said):
        for item in items:
            assert re.sub(r"[\s\"]", "", item[:1]) in said or '"' in item


@given(st.dates(min_value=__import__("datetime").date(1000, 1, 1)))
def test_dates_are_read_in_every_spelling(day: object) -> None:
    iso = str(day)
    year, month, number_ = iso.split("-")
    for text in (
        iso,
        f"{month}/{number_}/{year}",
        f"{number_}.{month}.{year}",
        f"{year}年{int(month)}月{int(number_)}日",
    ):
        assert iso_date(text) == iso


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("December 31st, 2016", "2016-12-31"),
        ("31 December 2016", "2016-12-31"),
        ("Dec. 31, 2016", "2016-12-31"),
        ("the 31st of December 2016", "2016-12-31"),
        ("Saturday, December 31, 2016", "2016-12-31"),
        ("31/12/2016", "2016-12-31"),
        ("12/31/16", "2016-12-31"),
        ("2016/2/30", None),
        ("13/13/2016", None),
        ("May", None),
    ],
)
def test_dates_in_words(text: str, iso: str | None) -> None:
    assert iso_date(text) == iso


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("9:37 PM", "21:37"),
        ("12:05 AM", "00:05"),
        ("12 pm", "12:00"),
        ("23:59:30", "23:59:30"),
        ("下午3点半", "15:30"),
        ("25:00", None),
    ],
)
def test_times_of_day(text: str, iso: str | None) -> None:
    assert iso_time(text) == iso


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-2.5", -2.5),
        ("three", 3),
        ("twenty-one", 21),
        ("two hundred", 200),
        ("1,000", 1000),
        ("十二", 12),
        ("两百零五", 205),
        ("三万", 30000),
        ("二〇一六", 2016),
        ("many", None),
        ("", None),
        ("-", None),
    ],
)
def test_numbers_in_words(text: str, value: float | None) -> None:
    assert number(text) == value
