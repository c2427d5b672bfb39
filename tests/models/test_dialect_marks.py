from __future__ import annotations

import base64
import gc
import io
import json
import sys
from dataclasses import replace
from typing import cast

import pytest
from chats import (
    actions_of,
    answer,
    check_survives,
    context,
    foreign,
    hostile,
    messages,
    native,
    only,
    picture,
    problem_of,
    said,
)
from hypothesis import given, settings
from PIL import Image

from carrel.actions import Click, Drag, Move, Scroll, Type
from carrel.codec import Json
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.context import Context, Outcome, Turn
from carrel.models.dialects import marks as module
from carrel.models.dialects.marks import Marks
from carrel.models.picture import Picture

MARKS = Marks()
ELEMENTS = (
    Element("e0", "frame", "Editor", box=Box(0, 0, 1920, 1080)),
    Element("e1", "push button", "Save", box=Box(100, 100, 80, 40), states=("enabled",)),
    Element("e2", "text", "Name", box=Box(300, 100, 200, 40), states=("enabled", "editable")),
    Element("e3", "link", "Help", box=Box(1880, 500, 200, 40), states=("enabled",)),
)


def urls(message: dict[str, Json]) -> list[str]:
    content = cast("list[dict[str, dict[str, str]]]", message["content"])
    return [part["image_url"]["url"] for part in content if "image_url" in part]


def seen() -> Picture:
    return picture(elements=ELEMENTS)


def test_it_asks_for_elements() -> None:
    assert Marks.wants_elements


def test_marks_become_the_middle_of_their_elements_on_the_screen() -> None:
    calls: list[Json] = [
        native("click", {"mark": 1}, "a"),
        native("move", {"mark": 2}, "b"),
        native("click", {"mark": 3, "count": 2}, "c"),
        native("scroll", {"mark": "2", "dy": 3}, "d"),
        native("drag", {"path": [{"mark": 1}, {"x": 640, "y": 360}]}, "e"),
        native("type", {"text": "x"}, "f"),
    ]
    decision = MARKS.decode(answer("", calls=calls), context(first=seen()))
    assert actions_of(decision) == [
        Click(140, 120),
        Move(400, 120),
        # The element reaches beyond the screen: the middle of its visible part.
        Click(1900, 520, count=2),
        Scroll(400, 120, dy=3),
        Drag((Point(140, 120), Point(960, 540))),
        Type("x"),
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mark": 9}, "no mark 9"),
        ({"mark": 0}, "no mark 0"),
        ({"mark": "save"}, "no mark save"),
        ({"mark": 1.5}, "no mark 1.5"),
        ({"mark": True}, "no mark True"),
        ({}, "a place is missing"),
        ({"mark": 1, "x": 3, "y": 4}, "not both"),
    ],
)
def test_unknown_marks_are_told_with_what_there_is(arguments: dict[str, Json], words: str) -> None:
    body = answer("", calls=[native("click", arguments)])
    assert words in problem_of(MARKS.decode(body, context(first=seen())))


def test_marks_of_an_older_picture_are_stale() -> None:
    newer = picture(elements=ELEMENTS[:2])
    turn = Turn(None, (Outcome("a", picture=newer),))
    given_ = context(turn, first=seen())
    body = answer("", calls=[native("click", {"mark": 3})])
    assert "no mark 3 on the newest picture" in problem_of(MARKS.decode(body, given_))
    fine = answer("", calls=[native("click", {"mark": 1})])
    assert only(MARKS.decode(fine, given_)) == (Click(140, 120),)


def test_numbers_stay_with_what_stays_and_are_not_given_to_what_is_new() -> None:
    gone, kept = ELEMENTS[1], ELEMENTS[2]
    new = Element("e9", "push button", "Undo", box=Box(100, 100, 90, 40), states=("enabled",))
    first, second, third = (
        picture(elements=(gone, kept)),
        picture(elements=(kept, new)),
        picture(elements=(kept, new, ELEMENTS[3])),
    )
    turns = [Turn(None, (Outcome("a", picture=shown),)) for shown in (second, third)]
    after = context(turns[0], first=first)
    assert "[3] push button" in said(messages(MARKS, after)[-1])
    body = answer("", calls=[native("click", {"mark": 1})])
    told = problem_of(MARKS.decode(body, after))
    assert "mark 1 was on an earlier picture" in told
    assert "the screen has changed" in told
    assert only(MARKS.decode(answer("", calls=[native("click", {"mark": 2})]), after)) == (
        Click(400, 120),
    )
    later = said(messages(MARKS, context(*turns, first=first))[-1])
    assert '[2] text "Name"' in later
    assert '[3] push button "Undo"' in later
    assert '[4] link "Help"' in later


def table_of(after: Context) -> str:
    return said(messages(MARKS, after)[-1])


def button(name: str, number: int) -> Element:
    at = Box(100, 100, 80, 40)
    return Element(f"e{number}", "push button", name, box=at, states=("enabled",))


def test_the_number_of_what_is_gone_is_never_given_to_anything_else() -> None:
    shown = [picture(elements=(button(f"Page {n}", n),)) for n in range(12)]
    turns = tuple(Turn(None, (Outcome("a", picture=one),)) for one in shown[1:])
    for count in range(len(turns)):
        told = table_of(context(*turns[: count + 1], first=shown[0]))
        assert f'[{count + 2}] push button "Page {count + 1}"' in told
    body = answer("", calls=[native("click", {"mark": 1})])
    told = problem_of(MARKS.decode(body, context(*turns, first=shown[0])))
    assert "mark 1 was on an earlier picture" in told


def test_what_says_something_else_at_its_place_has_a_new_number() -> None:
    first = picture(elements=(button("Keep", 1), ELEMENTS[3]))
    other = picture(elements=(button("Delete account", 1), ELEMENTS[3]))
    turn = Turn(None, (Outcome("a", picture=other),))
    after = context(turn, first=first)
    assert '[3] push button "Delete account"' in table_of(after)
    assert '[2] link "Help"' in table_of(after)
    body = answer("", calls=[native("click", {"mark": 1})])
    assert "mark 1 was on an earlier picture" in problem_of(MARKS.decode(body, after))


def test_a_field_keeps_its_number_while_it_is_written_in() -> None:
    field = ELEMENTS[2]
    written = replace(field, value="Ada", text="Ada")
    turn = Turn(None, (Outcome("a", picture=picture(elements=(written,))),))
    assert '[1] text "Name" = "Ada"' in table_of(context(turn, first=picture(elements=(field,))))


def test_numbers_are_not_given_twice_though_only_the_newest_picture_is_kept() -> None:
    marks = Marks()
    told = []
    for number, names in enumerate((("Save", "Help"), ("Delete", "Help"))):
        elements = tuple(
            replace(button(name, at + 10 * number * (at == 0)), box=Box(9 + 99 * at, 9, 80, 40))
            for at, name in enumerate(names)
        )
        after = replace(context(first=picture(elements=elements)), decided=number)
        told.append(said(messages(marks, after)[-1]))
    assert '[1] push button "Save"' in told[0]
    assert '[3] push button "Delete"' in told[1]
    assert '[2] push button "Help"' in told[1]


def test_what_gets_no_number_is_counted_for_the_model() -> None:
    many = tuple(
        Element(f"e{n}", "push button", f"B{n}", box=Box(10 * (n % 100), 20 * (n // 100), 9, 9))
        for n in range(400)
    )
    told = table_of(context(first=picture(elements=many)))
    assert "(and 100 more without a number)" in told.splitlines()
    assert "more without" not in table_of(context(first=seen()))


def test_a_call_by_mark_is_guarded_by_the_place_the_model_saw() -> None:
    shown = seen()
    calls: list[Json] = [
        native("click", {"mark": 1}, "a"),
        native("drag", {"path": [{"mark": "1"}, {"mark": 2.0}]}, "b"),
        native("click", {"x": 3, "y": 4}, "c"),
        native("click", {"mark": 77}, "d"),
    ]
    decision = MARKS.decode(answer("", calls=calls), context(first=shown))
    guards = [[(g.frame, g.box, g.name) for g in call.guards] for call in decision.calls]
    first = (shown.id, Box(100, 100, 80, 40), "mark 1")
    assert guards == [[first], [first, (shown.id, Box(300, 100, 200, 40), "mark 2")], [], []]


def test_it_reads_pixels_where_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MARKS.reads_pixels
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    assert not MARKS.reads_pixels


def test_looking_closer_at_a_part_does_not_take_the_marks_away() -> None:
    zoom = Turn(None, (Outcome("a", picture=picture(region=Box(0, 0, 200, 200))),))
    given_ = context(zoom, first=seen())
    assert '[1] push button "Save"' in said(messages(MARKS, given_)[1])
    body = answer("", calls=[native("click", {"mark": 1})])
    assert only(MARKS.decode(body, given_)) == (Click(140, 120),)


def test_without_elements_points_still_work_and_marks_are_told_to_be_none() -> None:
    given_ = context(first=picture())
    body = answer("", calls=[native("click", {"x": 640, "y": 360})])
    assert only(MARKS.decode(body, given_)) == (Click(960, 540),)
    (call,) = MARKS.decode(answer("", calls=[native("click", {"mark": 1})]), given_).calls
    assert call.problem is not None
    assert "nothing is marked" in str(call.problem.hint)


def test_only_the_newest_picture_is_marked_and_its_table_told() -> None:
    older, newer = seen(), seen()
    turn = Turn(None, (Outcome("a", picture=newer),))
    history = messages(MARKS, context(turn, first=older))
    words = said(history[-1])
    assert words.count('[1] push button "Save"') == 1
    plain, marked = urls(history[-1])
    assert plain == older.data_url(MARKS.grid.shown(older.size))
    assert marked != newer.data_url(MARKS.grid.shown(newer.size))


def test_the_marked_picture_is_drawn_once_and_the_picture_itself_stays_clean(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = []
    real = module.annotate

    def counting(*args: object) -> bytes:
        drawn.append(args)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "annotate", counting)
    shown = seen()
    original = shown.original()
    first = urls(messages(MARKS, context(first=shown))[-1])
    again = urls(messages(MARKS, context(foreign(Type("x")), first=shown))[1])
    assert first == again
    assert len(drawn) == 1
    # What is annotated is what was captured, never what was annotated before.
    assert drawn[0][0] == original == shown.original()
    with Image.open(io.BytesIO(base64.b64decode(first[0].partition(",")[2]))) as image:
        assert image.size == (1280, 720)
        # The button's box is drawn around 100..180 by 100..140 of the screen.
        assert image.convert("RGB").getpixel((80, 67)) != (40, 90, 140)


def test_marked_pictures_are_forgotten_with_their_pictures() -> None:
    shown = seen()
    messages(MARKS, context(first=shown))
    assert shown in module._MARKED
    before = len(module._MARKED)
    del shown
    gc.collect()
    assert len(module._MARKED) < before


def test_history_of_other_models_uses_points_because_old_marks_mean_nothing() -> None:
    history = messages(MARKS, context(foreign(Click(960, 540)), first=seen()))
    (call,) = cast("list[dict[str, dict[str, str]]]", history[2]["tool_calls"])
    assert json.loads(call["function"]["arguments"]) == {"x": 640, "y": 360}


def test_functions_declare_marks() -> None:
    body = MARKS.encode("m", context(first=seen())).body
    tools = cast("list[dict[str, dict[str, Json]]]", body["tools"])
    (click,) = [tool["function"] for tool in tools if tool["function"]["name"] == "click"]
    assert "mark" in json.dumps(click["parameters"])


@settings(deadline=None)
@given(text=hostile)
def test_hostile_text_is_always_a_decision(text: str) -> None:
    check_survives(MARKS, text)
    MARKS.decode(answer("", calls=[native("click", text)]), context(first=_SEEN))


_SEEN = seen()
