from __future__ import annotations

import pytest
from chats import GIANTS, SCREEN, answer, context, hostile, picture, quick
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.errors import ActionFailed, CarrelError, UsageError
from carrel.geometry import Box, Point, Size
from carrel.models.dialects.grounding import GTA1, Gelato, Holo, Holo2, InternVL, Pointing, UIIns

ALL: list[Pointing] = [GTA1(), Gelato(), UIIns(), Holo(), Holo2(), InternVL()]
MIDDLE = Point(960, 540)
UI_INS = '{"name": "grounding", "arguments": {"action": "click", "coordinate": [966, 546]}}'

# The forms of the models' own cards; 966, 546 is the middle of what a full HD screen is scaled to.
GOLDEN: list[tuple[Pointing, str]] = [
    (GTA1(), "(966,546)"),
    (GTA1(), "( 966.0 , 546 )"),
    (Gelato(), "(500,500)"),
    (UIIns(), f"<think>\nIn the middle.\n</think>\n<tool_call>\n{UI_INS}\n</tool_call>"),
    (Holo(), '{"action": "click_absolute", "x": 966, "y": 546}'),
    (Holo(), '```json\n{"action": "click_absolute", "x": 966, "y": 546}\n```'),
    (Holo2(), '{"x": 500, "y": 500}'),
    (InternVL(), "[[490, 490, 510, 510]]"),
    (InternVL(), "<ref>it</ref><box>[[490, 490, 510, 510]]</box>"),
    (InternVL(), "[[500, 500]]"),
    (Gelato(), "<point>500 500</point>"),
]


@pytest.mark.parametrize(("model", "text"), GOLDEN, ids=lambda value: getattr(value, "name", None))
def test_published_forms_are_understood(model: Pointing, text: str) -> None:
    assert model.decode_locate(answer(text), picture()) == MIDDLE


@pytest.mark.parametrize("model", ALL, ids=lambda m: m.name)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot see it.",
        "(x,y)",
        "(5000,5)",
        "(-1,5)",
        '{"x": "left", "y": 3}',
        '{"x": NaN, "y": 3}',
        "[[1,2,3]]",
        "<point>9</point>",
        "0",
    ],
)
def test_what_is_no_point_on_the_picture_fails_and_is_never_the_corner(
    model: Pointing, text: str
) -> None:
    with pytest.raises(ActionFailed):
        model.decode_locate(answer(text), picture())


def test_a_refusal_to_point_fails() -> None:
    with pytest.raises(ActionFailed, match="declined"):
        GTA1().decode_locate(answer(None, refusal="no"), picture())


@pytest.mark.parametrize("model", ALL, ids=lambda m: m.name)
def test_the_request_shows_the_picture_in_the_size_it_counts_on(model: Pointing) -> None:
    shown = picture()
    request = model.encode_locate("served", shown, "the green button")
    assert request.body["model"] == "served"
    assert "the green button" in str(request.body["messages"])
    assert list(shown._encoded) == [model.grid.shown(SCREEN)]


def test_gta1_is_told_the_size_it_is_shown() -> None:
    body = GTA1().encode_locate("m", picture(), "x").body
    assert "height 1092 and width 1932" in str(body)


@pytest.mark.parametrize("model", ALL, ids=lambda m: m.name)
@settings(deadline=None)
@given(x=st.integers(0, 1919), y=st.integers(0, 1079))
def test_every_pixel_is_found_within_the_models_own_grain(model: Pointing, x: int, y: int) -> None:
    where = model.grid.space(SCREEN).to_model(Point(x, y))
    text = f"({where[0]:g},{where[1]:g})"
    found = model.decode_locate(answer(text), _PLAIN)
    assert abs(found.x - x) <= 2
    assert abs(found.y - y) <= 2


_PLAIN = picture()


def test_a_point_on_a_part_of_the_screen_is_a_point_of_the_screen() -> None:
    part = picture(region=Box(1000, 500, 400, 200))
    assert Holo2().decode_locate(answer('{"x": 500, "y": 500}'), part) == Point(1200, 600)
    size = GTA1().grid.shown(Size(400, 200))
    middle = f"({size.width // 2},{size.height // 2})"
    assert GTA1().decode_locate(answer(middle), part) == Point(1200, 600)


@pytest.mark.parametrize("model", ALL, ids=lambda m: m.name)
def test_they_cannot_work_on_a_task_and_say_how_to_use_them(model: Pointing) -> None:
    with pytest.raises(UsageError, match="only says where things are"):
        model.encode("vllm:x", context())
    with pytest.raises(UsageError):
        model.decode(answer("(1,1)"), context())


@settings(deadline=None)
@given(text=hostile)
def test_hostile_text_is_a_point_on_the_screen_or_a_failure(text: str) -> None:
    for model in ALL:
        try:
            point = model.decode_locate(answer(text), _PLAIN)
        except ActionFailed:
            continue
        assert Box(0, 0, 1920, 1080).contains(point)


@pytest.mark.parametrize("text", GIANTS, ids=range(len(GIANTS)))
def test_giant_text_is_read_quickly(text: str) -> None:
    with quick(), pytest.raises(CarrelError):
        GTA1().decode_locate(answer(text), _PLAIN)
