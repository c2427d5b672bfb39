from __future__ import annotations

import contextlib
import json
import math
from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.codec import decode, encode
from carrel.errors import InvalidInput
from carrel.geometry import Box, Size


@dataclass(frozen=True)
class Sample:
    name: str
    count: int = 1
    ratio: float = 0.5
    mode: Literal["on", "off"] = "on"
    box: Box | None = None
    tags: tuple[str, ...] = ()


sizes = st.integers(1, 32767)
texts = st.text(st.characters(exclude_categories=["Cs"]))
samples = st.builds(
    Sample,
    name=texts,
    count=st.integers(),
    ratio=st.floats(allow_nan=False, allow_infinity=False),
    mode=st.sampled_from(["on", "off"]),
    box=st.none() | st.builds(Box, sizes, sizes, sizes, sizes),
    tags=st.lists(texts).map(tuple),
)


@given(samples)
def test_what_is_encoded_decodes_to_the_same(sample: Sample) -> None:
    assert decode(Sample, json.loads(json.dumps(encode(sample)))) == sample


def test_defaults_are_left_out() -> None:
    assert encode(Sample("x")) == {"name": "x"}


@pytest.mark.parametrize(
    ("wire", "complaint"),
    [
        ({}, "'name' is missing"),
        ({"name": "x", "nmae": "y"}, "unknown field 'nmae'"),
        ({"name": 3}, "expected text"),
        ({"name": None}, "expected text, got nothing"),
        ({"name": "x", "count": True}, "expected a whole number"),
        ({"name": "x", "count": 1.0}, "expected a whole number"),
        ({"name": "x", "count": "1"}, "expected a whole number"),
        ({"name": "x", "ratio": math.nan}, "finite"),
        ({"name": "x", "ratio": 10**400}, "finite"),
        ({"name": "x", "mode": "maybe"}, "not one of on, off"),
        ({"name": "x", "box": {"x": 1}}, "Sample.box: 'y' is missing"),
        ({"name": "x", "tags": ["a", 1]}, r"tags\[1\]: expected text"),
        ({"name": "x", "tags": "ab"}, "expected a list"),
        ({"name": "\ud800"}, "surrogate"),
        ([], "expected an object"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(wire: object, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        decode(Sample, wire)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values)
def test_any_json_is_decoded_or_refused_never_more(value: object) -> None:
    with contextlib.suppress(InvalidInput):
        decode(Sample, value)


def test_what_has_no_json_form_is_refused() -> None:
    for value in (object(), {1, 2}, math.inf, b"bytes"):
        with pytest.raises(InvalidInput):
            encode(value)


def test_a_size_out_of_range_is_refused_while_decoding() -> None:
    with pytest.raises(InvalidInput, match="not between"):
        decode(Size, {"width": 0, "height": 10**9})


@dataclass(frozen=True)
class Odd:
    one: tuple[str]
    maybe: str | None = None
    flag: bool = False


@pytest.mark.parametrize(
    ("wire", "complaint"),
    [
        ({"one": "x"}, "expected a list"),
        ({"one": ["x"], "maybe": 1}, "expected text"),
        ({"one": ["x"], "maybe": "\ud800"}, "surrogate"),
        ({"one": ["x"], "flag": 1}, "expected true or false"),
        ({"one": ["x"], "flag": None}, "expected true or false"),
    ],
)
def test_a_quick_look_at_a_field_is_no_less_strict(wire: object, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        decode(Odd, wire)


def test_optional_text_beyond_ascii_is_taken() -> None:
    assert decode(Odd, {"one": ["x"], "maybe": "日本"}) == Odd(("x",), "日本")
    assert decode(Odd, {"one": ["x"], "maybe": None}) == Odd(("x",))
