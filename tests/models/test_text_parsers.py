from __future__ import annotations

import json

import pytest
from chats import SCREEN, answer, foreign
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.actions import Click, Drag, Scroll, Type
from carrel.codec import Json
from carrel.decisions import Usage
from carrel.errors import InvalidInput
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.dialects._text import (
    call_ids,
    merged,
    read_answer,
    split_thinking,
    text_part,
    user,
    whole,
)
from carrel.models.dialects._text_calls import Literal, Written, quote, read_calls
from carrel.models.dialects._text_functions import Tagged, between, read_functions, write_function
from carrel.models.dialects._text_json import find_objects, read_object, read_value
from carrel.models.dialects._text_points import (
    direction_of,
    last_pointer,
    read_keys,
    read_pair,
    read_point,
    scroll_by,
)
from carrel.models.space import Space

UNHURRIED = settings(deadline=None)
texts = st.text(st.characters(blacklist_categories=("Cs",)), max_size=60)
SPACE = Space(SCREEN, SCREEN, "thousand")


def one(text: str, *, strict: bool = False) -> Written:
    (call,) = read_calls(text, strict=strict)
    return call


@UNHURRIED
@given(text=texts, strict=st.booleans())
def test_every_text_survives_quoting(text: str, strict: bool) -> None:
    assert one(f"f(a={quote(text)})", strict=strict).keywords == {"a": text}
    both = one(f"f(a={quote(text)}, b={quote(text)})", strict=strict)
    assert both.keywords == {"a": text, "b": text}


literals = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | texts,
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


def python(value: Literal) -> str:
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list):
        return f"[{', '.join(map(python, value))}]"
    return repr(value)


@UNHURRIED
@given(st.lists(literals, max_size=4), st.dictionaries(st.sampled_from("abc"), literals))
def test_literals_are_read_as_python_would(
    positional: list[Literal], keywords: dict[str, Literal]
) -> None:
    arguments = [*map(python, positional), *(f"{k}={python(v)}" for k, v in keywords.items())]
    try:
        call = one(f"a.b({', '.join(arguments)})", strict=True)
    except InvalidInput as error:
        assert "nested" in error.message  # noqa: PT017
        return
    assert call == Written("a.b", tuple(positional), keywords)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1),
        ("-2", -2),
        ("+3", 3),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("(1, 2)", [1, 2]),
        ("[1, [2]]", [1, [2]]),
        ("True", True),
        ("null", None),
        ("'a' ", "a"),
        ('"a"', "a"),
        ("'''a'b'''", "a'b"),
        (r"'\x41\u00e9'", "Aé"),
        (r"'\d'", r"\d"),
        (r"'\ud800'", r"\ud800"),
    ],
)
def test_literals_of_every_kind(written: str, value: Literal) -> None:
    assert one(f"f({written})", strict=True).positional == (value,)


@pytest.mark.parametrize(
    "text",
    [
        "f",
        "f(",
        "f(1",
        "f(1 2)",
        "f(a=1, 2)",
        "f(a=1, a=2)",
        "f(x)",
        "f(x())",
        "f(a=b)",
        "f('a' 'b')",
        "f(1)g",
        "f(1) if True else 2",
        "f(9" + "9" * 50 + ")",
        "f(1e999)",
        "f([[[[[1]]]]])",
        "f('a",
        "f(*[1])",
        "f(**{})",
        "f(-)",
        "lambda: 1",
        "f(f'{1}')",
        "1 + 1",
        "wait();" * 200,
        "f(" + "1," * 200 + ")",
        "f([" + "1," * 200 + "])",
    ],
)
def test_what_is_no_call_with_literals_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        list(read_calls(text, strict=True))


def test_calls_may_be_separated_by_lines_commas_semicolons_and_comments() -> None:
    text = "a()\n\nb(1), c(x='y'); # why\nd()"
    assert [call.name for call in read_calls(text)] == ["a", "b", "c", "d"]


names = st.text("abcdefgh_", min_size=1, max_size=8)
values = st.text(st.characters(blacklist_categories=("Cs",)), max_size=30).filter(
    lambda text: "</parameter>" not in text
)


@UNHURRIED
@given(names, st.dictionaries(names, values, max_size=4))
def test_functions_in_tags_are_read_as_they_are_written(
    name: str, parameters: dict[str, str]
) -> None:
    (tagged,) = read_functions(write_function(name, parameters))
    assert tagged == Tagged(name, parameters)
    (lined,) = read_functions(f"before\n{write_function(name, parameters, lines=True)}\nafter")
    assert lined == Tagged(name, {key: f"\n{value}\n" for key, value in parameters.items()})


@pytest.mark.parametrize(
    "text",
    [
        "<function=a",
        "<function=a>",
        "<function=a><parameter=b>c",
        "<function=a><parameter=b>c</parameter>",
        "<function=a>words</function>",
        "<function=a><parameter=b>1</parameter><parameter=b>2</parameter></function>",
        f"<function={'a' * 300}></function>",
        "<function=a></function>" * 101,
    ],
)
def test_unfinished_tags_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_functions(text)


def test_pieces_between_tags() -> None:
    assert list(between("x<a>1</a>y<a>2</a>", "<a>", "</a>")) == ["1", "2"]
    assert list(between("<a>1<a>2", "<a>", "</a>")) == ["1", "2"]
    assert list(between("no tags", "<a>", "</a>")) == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


@UNHURRIED
@given(json_values)
def test_json_is_read_as_it_is_written(value: Json) -> None:
    assert read_value(json.dumps(value)) == value
    wrapped: dict[str, Json] = {"v": value}
    text = json.dumps(wrapped)
    assert read_object(text) == wrapped
    assert find_objects(f"words\n```json\n{text}\n```\n{text}") == [wrapped, wrapped]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "NaN",
        "[Infinity]",
        "-Infinity",
        "1e999",
        "9" * 50,
        '"\\ud800"',
        "[" * 100_000,
        "'a'",
    ],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_value(text)


@pytest.mark.parametrize(
    ("written", "pair"),
    [
        ("(1,2)", (1, 2)),
        ("[1, 2]", (1, 2)),
        ("1 2", (1, 2)),
        ("<point>1 2</point>", (1, 2)),
        ("<|box_start|>(1,2)<|box_end|>", (1, 2)),
        ("(1,2,3,4)", (2, 3)),
        ("[[1, 2, 3, 4]]", (2, 3)),
        ("0.5, 0.25", (0.5, 0.25)),
        ([1, 2], (1, 2)),
        ([[1, 2]], (1, 2)),
        ([1, 2, 3, 4], (2, 3)),
    ],
)
def test_points_in_every_spelling(written: object, pair: tuple[float, float]) -> None:
    assert read_pair(written) == pair


@pytest.mark.parametrize(
    "written",
    [
        "",
        "1",
        "(1,2,3)",
        "(a,b)",
        "(1,2) or (3,4)",
        "nan nan",
        "(1,inf)",
        [1],
        [True, 1],
        ["1", "2"],
        None,
        3,
        {"x": 1},
        "(" * 300,
        "(9999999999999,1)",
    ],
)
def test_what_is_no_point_is_refused(written: object) -> None:
    with pytest.raises(InvalidInput):
        read_point(written, SPACE)


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("ctrl c", ("ctrl", "c")),
        ("ctrl+c", ("ctrl", "c")),
        ("ctrl + c", ("ctrl", "c")),
        ("Page_Down", ("pagedown",)),
        ("page down", ("pagedown",)),
        ("Return", ("enter",)),
        ("ctrl++", ("ctrl", "+")),
        ("ctrl-c", ("ctrl", "c")),
        ("+", ("+",)),
        (" ", ("space",)),
        (["ctrl", "shift", "t"], ("ctrl", "shift", "t")),
        (["ctrl+shift", "t"], ("ctrl", "shift", "t")),
    ],
)
def test_chords_in_every_spelling(written: object, keys: tuple[str, ...]) -> None:
    assert read_keys(written) == keys


@pytest.mark.parametrize("written", ["", "frob", "ctrl frob", None, 3, ["a", 3], "a" * 500])
def test_what_is_no_key_is_refused(written: object) -> None:
    with pytest.raises(InvalidInput):
        read_keys(written)


@pytest.mark.parametrize("direction", ["up", "down", "left", "right"])
def test_directions_are_kept(direction: str) -> None:
    scroll = scroll_by(Point(1, 2), f" {direction.upper()} ", 3)
    assert direction_of(scroll) == direction
    assert max(abs(scroll.dx), abs(scroll.dy)) == 3


def test_the_pointer_is_where_the_last_actions_left_it() -> None:
    def after(*actions: Click | Drag | Scroll | Type) -> Point | None:
        return last_pointer(Context("t", SCREEN, (foreign(*actions),)))

    assert after(Click(1, 2), Type("x")) == Point(1, 2)
    assert after(Drag((Point(1, 2), Point(3, 4)))) == Point(3, 4)
    assert after(Click(1, 2), Scroll(5, 6, dy=1)) == Point(5, 6)
    assert after(Type("x")) is None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<think>a</think>b", ("a", "b")),
        ("a</think>b", ("a", "b")),
        ("<think>a", ("a", "")),
        ("b", ("", "b")),
    ],
)
def test_thinking_is_told_apart(text: str, parts: tuple[str, str]) -> None:
    assert split_thinking(text) == parts


def test_adjacent_messages_of_the_person_become_one() -> None:
    a, b, c = text_part("a"), text_part("b"), text_part("c")
    assistant: dict[str, Json] = {"role": "assistant", "content": "x"}
    assert merged([user([a]), user([b]), assistant, user([c])]) == [
        user([a, b]),
        assistant,
        user([c]),
    ]
    assert merged([assistant, assistant]) == [assistant, assistant]
    assert merged([]) == []


def test_answers_in_parts_and_without_usage_are_read() -> None:
    body = answer(None)
    choice = {"message": {"content": [{"type": "text", "text": "a"}, {"text": "b"}, 3]}}
    found = read_answer({**body, "choices": [choice], "usage": "many"})
    assert (found.content, found.usage, found.truncated) == ("ab", Usage(), False)
    odd: dict[str, Json] = {"prompt_tokens": -5, "completion_tokens": True}
    assert read_answer({**body, "usage": odd}).usage == Usage()
    thinking = read_answer(answer("x", reasoning="hm"))
    assert thinking.reasoning == "hm"
    assert len(set(call_ids(thinking, 3))) == 3


def test_half_characters_are_replaced() -> None:
    assert whole("a\ud800b") == "a?b"
