from __future__ import annotations

import hashlib
import io
import time

import pytest
from PIL import Image, ImageChops
from proofs import bounded, proves
from subjects import Subject

from carrel.actions import Click
from carrel.errors import InvalidInput, TimedOut
from carrel.frames import Frame
from carrel.geometry import Box
from carrel.results import Effect

pytestmark = [pytest.mark.desktop, pytest.mark.browser]


def picture(frame: Frame) -> Image.Image:
    with Image.open(io.BytesIO(frame.image)) as image:
        return image.convert("RGB")


async def truth(desk: Subject) -> Image.Image:
    """The screen as XGetImage gives it."""
    with desk.folder() as (here, _):
        width, height, data = await desk.peek.pixels(here / "pixels")
    return Image.frombytes("RGB", (width, height), data, "raw", "BGRX")


async def paint(desk: Subject, colour: str) -> tuple[int, int]:
    """Give a part of the page a colour; returns a point in it."""
    page = await desk.page()
    await page.ask(f"of('moving').style.background = '{colour}', drawn()")
    x, y = await page.at("moving")

    async def painted() -> bool:
        wanted = tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
        return (await truth(desk)).getpixel((x, y)) == wanted

    await desk.until(painted, "the page has drawn itself")
    return x, y


@proves("screenshot")
async def test_a_screenshot_shows_every_pixel_as_the_server_has_it(desk: Subject) -> None:
    for colour in ("#12c834", "#c81290"):
        await paint(desk, colour)

        async def same() -> bool:
            before = await truth(desk)
            frame = await desk.computer.screenshot()
            assert frame.id == hashlib.sha256(frame.image).hexdigest()
            seen = picture(frame)
            return before.size == seen.size and not ImageChops.difference(before, seen).getbbox()

        await desk.until(same, f"the same picture, {colour}")


@bounded
async def test_a_region_is_that_part_of_the_screen(desk: Subject) -> None:
    x, y = await paint(desk, "#3412c8")
    box = Box(x - 100, y - 60, 161, 97)
    frame = await desk.computer.screenshot(region=box)
    assert frame.region == box
    assert picture(frame).size == (161, 97)
    assert picture(frame).getpixel((100, 60)) == (0x34, 0x12, 0xC8)
    corners = (x - 100, y - 60, x + 61, y + 37)
    whole = (await truth(desk)).crop(corners)
    assert not ImageChops.difference(whole, picture(frame)).getbbox()


@bounded
async def test_every_format_shows_the_screen(desk: Subject) -> None:
    x, y = await paint(desk, "#c83412")
    starts = {"png": b"\x89PNG", "jpeg": b"\xff\xd8\xff", "webp": b"RIFF"}
    for name, start in starts.items():
        frame = await desk.computer.screenshot(format=name)  # type: ignore[arg-type]
        assert frame.image.startswith(start)
        colour = picture(frame).getpixel((x, y))
        assert isinstance(colour, tuple)
        assert max(abs(a - b) for a, b in zip(colour, (0xC8, 0x34, 0x12), strict=True)) <= 12
    small = await desk.computer.screenshot(format="jpeg", quality=5)
    large = await desk.computer.screenshot(format="jpeg", quality=95)
    assert len(small.image) < len(large.image) / 2


@bounded
async def test_the_pointer_is_drawn_only_when_asked_for(desk: Subject) -> None:
    page = await desk.page()
    x, y = await page.at("dead")
    await desk.tool("xdotool", "mousemove", str(x), str(y))
    await desk.computer.wait_stable(0.3, 20)
    plain = await desk.computer.screenshot()
    drawn = await desk.computer.screenshot(cursor=True)
    assert (plain.cursor.x, plain.cursor.y) == (drawn.cursor.x, drawn.cursor.y) == (x, y)
    box = ImageChops.difference(picture(plain), picture(drawn)).getbbox()
    assert box is not None
    assert x - 40 <= box[0] <= box[2] <= x + 40
    assert y - 40 <= box[1] <= box[3] <= y + 40


@bounded
async def test_a_frame_the_caller_has_is_not_sent_again(desk: Subject) -> None:
    await paint(desk, "#101010")
    await desk.computer.wait_stable(0.3, 20)
    first = await desk.computer.screenshot()
    again = await desk.computer.screenshot(unless=first.id)
    assert (again.id, again.image) == (first.id, b"")
    await paint(desk, "#fefefe")
    changed = await desk.computer.screenshot(unless=first.id)
    assert changed.id != first.id
    assert changed.image
    assert changed.change is not None
    assert changed.change.pixels >= 60 * 60


@proves("screen")
async def test_the_size_of_the_screen_is_what_the_server_says(desk: Subject) -> None:
    seen = await desk.peek.state()
    size = await desk.computer.screen_size()
    assert (size.width, size.height) == (seen["width"], seen["height"])
    assert f"dimensions:    {size} pixels" in await desk.tool("xdpyinfo")


@proves("resize_screen")
async def test_the_screen_takes_another_size_and_its_own_again(desk: Subject) -> None:
    try:
        await desk.computer.resize_screen(1000, 700)
        seen = await desk.peek.state()
        assert (seen["width"], seen["height"]) == (1000, 700)
        assert "current 1000 x 700" in await desk.tool("xrandr")
        assert picture(await desk.computer.screenshot()).size == (1000, 700)
        with pytest.raises(InvalidInput):
            await desk.computer.move(1100, 100)
    finally:
        await desk.computer.resize_screen(1280, 800)
    seen = await desk.peek.state()
    assert (seen["width"], seen["height"]) == (1280, 800)


@proves("wait")
async def test_waiting_takes_the_time_asked_for(desk: Subject) -> None:
    started = time.monotonic()
    await desk.computer.wait(0.4)
    assert 0.4 <= time.monotonic() - started < 5


@proves("wait")
async def test_waiting_for_a_still_screen_ends_when_it_is_still(desk: Subject) -> None:
    page = await desk.page()
    await page.ask("turn(true)")
    try:
        with pytest.raises(TimedOut):
            await desk.computer.wait_stable(0.4, 1.0)
    finally:
        await page.ask("turn(false)")
    started = time.monotonic()
    await desk.computer.wait_stable(0.4, 20)
    assert time.monotonic() - started >= 0.35


@bounded
async def test_a_click_that_changes_the_screen_is_confirmed(desk: Subject) -> None:
    page = await desk.page()
    x, y = await page.at("press")
    # A page that has only just come has been moving by itself.
    await desk.computer.wait_stable(2.0, 20)
    result = await desk.computer.act(Click(x, y), settle=2.0)
    assert result.ok
    assert result.effect is Effect.CONFIRMED
    box = result.evidence["change"]["box"]  # type: ignore[index, call-overload]
    assert box["x"] <= x < box["x"] + box["width"]  # type: ignore[index, call-overload, operator]
    assert await page.seen("press")


@bounded
async def test_a_click_that_changes_nothing_is_suspected(desk: Subject) -> None:
    page = await desk.page()
    x, y = await page.at("dead")
    await desk.tool("xdotool", "mousemove", str(x), str(y), "click", "1")
    effects = []
    # The clock of the panel may strike meanwhile, but not three times.
    for _ in range(3):
        await desk.computer.wait_stable(0.3, 20)
        result = await desk.computer.act(Click(x, y), settle=0.6)
        assert result.ok
        effects.append(result.effect)
    assert effects.count(Effect.SUSPECTED_NOOP) >= 2
