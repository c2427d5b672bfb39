"""Bodies as they are sent: the very JSON they stand for, with pictures copied in."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from carrel.geometry import Size
from carrel.models.picture import Picture, Plain
from carrel.models.transports.bodies import dump

TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
PLAIN = st.text("ABCxyz019+/=:;,", max_size=40).map(Plain)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT | PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=15,
)


@given(st.dictionaries(TEXT, JSON, max_size=5))
def test_a_body_is_read_back_as_it_was_given(body: dict[str, object]) -> None:
    read = json.loads(dump(body))  # type: ignore[arg-type]
    # Two halves of a surrogate pair side by side are read as the one character they make.
    assert json.dumps(read) == json.dumps(body)


def test_what_is_not_json_is_refused() -> None:
    for bad in (float("nan"), object()):
        try:
            dump({"x": bad})  # type: ignore[dict-item]
        except (TypeError, ValueError):
            continue
        raise AssertionError(bad)


def test_a_picture_is_encoded_once_however_often_it_is_sent() -> None:
    loads = []

    def load() -> bytes:
        loads.append(1)
        return b"png"

    picture = Picture("x", Size(2, 2), load)
    assert picture.data_url() is picture.data_url()
    assert picture.data_url() == f"data:image/png;base64,{picture.base64()}"
    assert picture.base64() == "cG5n"
    assert isinstance(picture.base64(), Plain)
    assert len(loads) == 1
    assert dump({"a": [picture.base64(), picture.data_url()]}) == (
        b'{"a":["cG5n","data:image/png;base64,cG5n"]}'
    )
