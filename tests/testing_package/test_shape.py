"""Values are checked against types as strictly as the types say."""

from __future__ import annotations

from typing import Annotated, Literal, Required

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.responses.response_create_params import ResponseCreateParams
from typing_extensions import TypedDict

from carrel.testing._shape import Misfit, misfit


class Cat(TypedDict, total=False):
    type: Required[Literal["cat"]]
    lives: Required[int]
    names: list[str]


class Dog(TypedDict, total=False):
    type: Required[Literal["dog"]]
    weight: float
    owner: str | None


Animal = Annotated[Cat | Dog, "told apart by type"]


@pytest.mark.parametrize(
    "value",
    [
        {"type": "cat", "lives": 9},
        {"type": "cat", "lives": 9, "names": ["Tom"]},
        {"type": "dog", "weight": 1},
        {"type": "dog", "owner": None},
    ],
)
def test_what_fits_has_no_misfit(value: object) -> None:
    assert misfit(value, Animal) is None


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"type": "cat"}, Misfit("missing", ("lives",))),
        ({"type": "cat", "lives": True}, Misfit("type", ("lives",), "an integer")),
        ({"type": "cat", "lives": 9, "tail": 1}, Misfit("unknown", ("tail",))),
        ({"type": "cat", "lives": 9, "names": [1]}, Misfit("type", ("names", 0), "a string")),
        ({"type": "dog", "weight": "1"}, Misfit("type", ("weight",), "a number")),
        ({"type": "cow"}, Misfit("value", ("type",), "'cat', 'dog'")),
        ("cat", Misfit("type", (), "one of the documented forms")),
    ],
)
def test_a_misfit_says_where_and_why(value: object, found: Misfit) -> None:
    assert misfit(value, Animal) == found


@pytest.mark.parametrize("text", ["aGk=", "aGk", "a-_k", "skip_thought_signature_validator"])
def test_both_alphabets_of_base64_are_bytes(text: str) -> None:
    assert misfit(text, bytes) is None


@pytest.mark.parametrize("value", ["!", "ü", 5, None, "a"])
def test_other_values_are_not_bytes(value: object) -> None:
    assert misfit(value, bytes) is not None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "role", "input", "model", "content", "tools"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_value_is_judged_without_an_exception(value: object) -> None:
    found = misfit(value, ResponseCreateParams)
    assert isinstance(value, dict) or found is not None


@given(st.text(min_size=1).filter(lambda name: name not in Cat.__annotations__))
def test_no_unknown_field_is_let_through(name: str) -> None:
    assert misfit({"type": "cat", "lives": 9, name: 1}, Cat) == Misfit("unknown", (name,))
