"""Shapes on a real display against what the page says is there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import anyio
import anyio.to_thread
import pytest
from page_desk import SIZE, PageDesk, page_desk

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.browser import read_browser
from carrel.perception.colours import colour_of
from carrel.perception.detect import ClassicDetector
from carrel.perception.ocr import Line
from carrel.perception.shapes import shapes
from carrel.perception.view import View

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.namespace,
    pytest.mark.image,
    pytest.mark.browser,
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def desk(anyio_backend: str) -> AsyncIterator[PageDesk]:
    async with page_desk() as desk:
        yield desk


def share(one: Box, other: Box) -> float:
    common = one.intersect(other)
    return 0.0 if common is None else common.area / (one.area + other.area - common.area)


def at(found: Sequence[Element], box: Box | None) -> Element | None:
    """What was found in a place, if anything was."""
    assert box is not None
    best = max(found, key=lambda e: share(e.box, box) if e.box else 0.0, default=None)
    return best if best and best.box and share(best.box, box) >= 0.5 else None


async def look(desk: PageDesk) -> tuple[View, tuple[Element, ...], tuple[Element, ...]]:
    """The pixels, what the page says of itself, and what was detected on it."""
    told = await read_browser(desk.computer.dial, SIZE)
    view = await desk.view()
    origin = told[0].box
    rectangles = await desk.ask(TEXTS)
    assert origin is not None
    assert isinstance(rectangles, list)
    lines = []
    for rectangle in rectangles:
        assert isinstance(rectangle, list)
        x, y, width, height = (round(float(str(side))) for side in rectangle)
        lines.append(Line("words", Box(origin.x + x, origin.y + y, width, height), 1.0))
    found = await anyio.to_thread.run_sync(ClassicDetector().detect, view, lines)
    return view, told, found


TEXTS = """(() => {
  const found = [], range = document.createRange();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    if (!walk.currentNode.data.trim()) continue;
    range.selectNodeContents(walk.currentNode);
    for (const r of range.getClientRects()) found.push([r.left, r.top, r.width, r.height]);
  }
  return found.filter((r) => r[2] > 1 && r[3] > 1);
})()"""


FORM = """
<style>* { font: 15px sans-serif } div { margin: 14px } .d { background: #123; color: #eee }
 .flat { border: 0; background: #07c; color: #fff; padding: 8px 18px; border-radius: 6px }
 .pill { border: 1px solid #999; border-radius: 20px; padding: 8px 20px; background: #fff }
 .faint { border: 0; background: #f6f6f8; width: 260px; height: 34px }</style>
<div><button>Plain</button> <button class=flat>Flat</button> <button class=pill>Pill</button></div>
<div><input size=30> <input size=30 value="with a value"></div>
<div><input class=faint placeholder=faint></div>
<div><textarea rows=5 cols=50></textarea></div>
<div><label><input type=checkbox> off</label> <label><input type=checkbox checked> on</label>
 <label><input type=radio name=a> out</label>
 <label><input type=radio name=a checked> in</label></div>
<div class=d style="padding:12px"><button>Dark</button> <input size=20> </div>
<div><button aria-label="menu" style="border:0;background:none;padding:8px"><svg width=20 height=20>
 <path d="M1 4H19M1 10H19M1 16H19" stroke="#333" stroke-width=2 /></svg></button>
 <button aria-label="find" style="border:0;background:none;padding:8px"><svg width=20 height=20>
 <circle cx=8 cy=8 r=6 fill=none stroke="#333" stroke-width=2 />
 <path d="M12 12L18 18" stroke="#333" stroke-width=2 /></svg></button></div>
"""


async def test_buttons_fields_and_ticks_are_found_and_told_apart(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show(FORM)
        _, told, found = await look(desk)
    controls = {"push button", "entry", "check box", "radio button"}
    wanted = [e for e in told if e.role in controls and e.name not in ("menu", "find")]
    assert len(wanted) == 13
    seen = {e.id: at(found, e.box) for e in wanted}
    assert [e for e in wanted if seen[e.id] is None] == []
    wrong = [(e.role, e.name, s.role) for e in wanted if (s := seen[e.id]) and s.role != e.role]
    assert wrong == [], wrong
    ticks = [e for e in wanted if e.role in ("check box", "radio button")]
    assert len(ticks) == 4
    for tick in ticks:
        thing = seen[tick.id]
        assert thing is not None
        assert ("checked" in thing.states) == ("checked" in tick.states), tick.name


async def test_icons_without_any_text_are_found(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show(FORM)
        _, told, found = await look(desk)
    for name in ("menu", "find"):
        [button] = [e for e in told if e.name == name]
        assert button.box is not None
        icon = [e for e in found if e.box and button.box.contains(e.box.center)]
        assert [e.role for e in icon] == ["icon"], name
        assert icon[0].source == "detector"


async def test_text_that_was_read_is_not_found_again(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show("<p style='font:40px sans-serif'>Good books for long evenings</p>")
        _, told, found = await look(desk)
    [text] = [e for e in told if e.role == "paragraph"]
    assert text.box is not None
    assert [e for e in found if e.box and text.box.contains(e.box.center)] == []


SHAPES = """
<svg id=area width=600 height=260 style="background:#fff">
 <circle cx=60 cy=60 r=30 fill=red /><rect x=120 y=30 width=60 height=60 fill="#0a0" />
 <rect x=210 y=40 width=90 height=40 fill=blue />
 <polygon points="350,90 390,90 370,40" fill=orange />
 <polygon points="460,30 483,47 474,74 446,74 437,47" fill=purple />
 <polygon points="560,25 568,50 595,50 573,66 581,92 560,76 539,92 547,66 525,50 552,50"
   fill=gold />
 <ellipse cx=70 cy=170 rx=50 ry=20 fill=black />
 <polygon points="180,140 210,170 180,200 150,170" fill=cyan />
 <rect x=240 y=150 width=8 height=8 fill=magenta /><circle cx=300 cy=170 r=6 fill=brown />
 <circle cx=380 cy=170 r=25 fill=none stroke=green stroke-width=3 />
</svg>
"""


async def test_drawn_shapes_are_told_with_their_colours_and_sizes(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show(SHAPES)
        view, told, _ = await look(desk)
        [area] = [e for e in told if e.role == "image"]
        assert area.box is not None
        found = await anyio.to_thread.run_sync(shapes, view, area.box)
    assert {(s.kind, s.sides, s.colour.name) for s in found} == {
        ("circle", 0, "red"),
        ("square", 4, "green"),
        ("rectangle", 4, "blue"),
        ("triangle", 3, "orange"),
        ("polygon", 5, "purple"),
        ("star", 5, "yellow"),
        ("ellipse", 0, "black"),
        ("square", 4, "cyan"),
        ("square", 4, "magenta"),
        ("circle", 0, "brown"),
        ("circle", 0, "green"),
    }
    red = next(s for s in found if s.colour.name == "red")
    assert 58 <= red.size_px <= 62
    assert share(red.box, Box(area.box.x + 30, area.box.y + 30, 60, 60)) > 0.9


async def test_the_colour_of_a_thing_is_that_of_what_is_drawn(desk: PageDesk) -> None:
    page = "<style>button { border: 0; width: 90px; height: 36px; margin: 10px }</style>"
    for name in ("red", "green", "blue", "yellow", "black", "white", "gray"):
        page += f"<button aria-label={name} style='background:{name}'></button>"
    page += "<p style='color:red; font: 22px sans-serif'>some words</p>"
    with anyio.fail_after(120):
        await desk.show(f"<body style='background:#ddd'>{page}")
        view, told, _ = await look(desk)
    for element in told:
        if element.role == "push button":
            assert element.box is not None
            expected = "grey" if element.name == "gray" else element.name
            assert colour_of(view, element.box).name == expected
    [words] = [e for e in told if e.role == "paragraph"]
    assert words.box is not None
    assert colour_of(view, Box(words.box.x, words.box.y, 120, words.box.height)).name == "red"
