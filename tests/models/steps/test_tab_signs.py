"""What is drawn on a tab and not told: the cross that closes it."""

from __future__ import annotations

import pytest
from drawn_world import PaintedWorld
from PIL import ImageDraw
from steps_world import desk_of, element, play

from carrel.models.steps.program import Point
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.pointing import point


def tabs(*, crossed: bool) -> PaintedWorld:
    parts = [element("", "page tab list", (0, 0, 400, 40), id="s")]
    for n, name in enumerate(("Notes", "Plans")):
        x = 10 + 130 * n
        parts += [
            element(name, "page tab", (x, 4, 120, 32), parent="s", id=name),
            element(name, "link", (x + 1, 5, 95, 30), parent=name, id=f"l{n}"),
            element(name, "static", (x + 10, 12, 70, 16), parent=f"l{n}"),
        ]

    def paint(draw: ImageDraw.ImageDraw) -> None:
        for x in (10, 140):
            draw.rectangle((x, 4, x + 119, 35), fill=(0, 90, 200), outline="black")
            draw.text((x + 12, 14), "words", fill="white")
            if crossed:
                draw.line((x + 100, 15, x + 108, 23), fill="white", width=2)
                draw.line((x + 108, 15, x + 100, 23), fill="white", width=2)

    return PaintedWorld(*parts, paint=paint)


@pytest.mark.parametrize(
    "words",
    [
        'the close icon on the "Plans" tab',
        "the x on the Plans tab",
        "“Plans”标签上的关闭图标",
        "“Plans”选项卡上的关闭按钮",
    ],
)
def test_the_cross_on_a_tab_is_what_is_drawn_after_its_words(words: str) -> None:
    world, at = tabs(crossed=True), list[tuple[int, int]]()
    world.clicked = lambda x, y: at.append((x, y))
    play(world, point(desk_of(world), Point(words)))
    assert [(abs(x - 244) <= 2, abs(y - 19) <= 2) for x, y in at] == [(True, True)]


def test_a_tab_without_a_cross_has_none() -> None:
    world = tabs(crossed=False)
    with pytest.raises(Missed, match="Plans"):
        play(world, point(desk_of(world), Point('the close icon on the "Plans" tab')))
