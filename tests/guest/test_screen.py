from __future__ import annotations

import gc
import hashlib
import io
import os
import random
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest
from anyio import to_thread
from PIL import Image
from Xlib import X
from Xlib.protocol.request import QueryPointer
from xservers import x_server

from carrel.actions import Screenshot
from carrel.errors import InvalidInput, MachineLost, TimedOut, Unavailable, Unsupported
from carrel.frames import Change, Frame
from carrel.geometry import Box, Point, Size
from carrel.guest import _film
from carrel.guest._film import PlainFilm, SharedFilm
from carrel.guest._shm import SharedImages
from carrel.guest.display import answer, open_display
from carrel.guest.screen import Screen

pytestmark = pytest.mark.desktop

Server = tuple[str, "subprocess.Popen[bytes]"]


class Painter:
    """Another program with a window of its own on the display."""

    def __init__(self, name: str, box: Box) -> None:
        self.display = open_display(name)
        self.root = self.display.screen().root
        self.window = self.root.create_window(
            box.x, box.y, box.width, box.height, 0, 24, background_pixel=0, override_redirect=True
        )
        self.window.map()
        self.gc = self.window.create_gc()
        self.display.sync()

    def fill(self, colour: int, box: Box) -> None:
        self.gc.change(foreground=colour)
        self.window.fill_rectangle(self.gc, box.x, box.y, box.width, box.height)
        self.display.sync()

    def point_at(self, x: int, y: int) -> None:
        self.root.warp_pointer(x, y)
        self.display.sync()

    def truth(self) -> Image.Image:
        """The screen by the core protocol, on a connection of its own."""
        size = self.root.get_geometry()
        pair = (size.width, size.height)
        data = self.root.get_image(0, 0, *pair, X.ZPixmap, 0xFFFFFFFF).data
        return Image.frombytes("RGB", pair, data, "raw", "BGRX")


@pytest.fixture
def screen(x_display: str) -> Iterator[Screen]:
    made = Screen(x_display)
    yield made
    made.close()


@pytest.fixture
def painter(x_display: str) -> Iterator[Painter]:
    made = Painter(x_display, Box(100, 50, 400, 300))
    yield made
    made.display.close()


def image_of(frame: Frame) -> Image.Image:
    return Image.open(io.BytesIO(frame.image)).convert("RGB")


def differing(before: Image.Image, after: Image.Image) -> int:
    one, two = before.tobytes(), after.tobytes()
    return sum(one[at : at + 3] != two[at : at + 3] for at in range(0, len(one), 3))


def shoot(screen: Screen) -> Frame:
    return screen.shoot(Screenshot())


@pytest.fixture
def captures(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one item with each capture."""
    seen: list[int] = []
    real = SharedFilm.expose

    def counted(film: SharedFilm) -> _film.Exposure:
        seen.append(1)
        return real(film)

    monkeypatch.setattr(SharedFilm, "expose", counted)
    return seen


def test_a_screenshot_shows_what_was_painted(screen: Screen, painter: Painter) -> None:
    painter.fill(0xC86432, Box(0, 0, 400, 300))
    painter.fill(0x0A14FF, Box(10, 20, 30, 40))
    frame = shoot(screen)
    image = image_of(frame)
    assert (frame.size, image.size) == (Size(1024, 768), (1024, 768))
    assert image.getpixel((100, 50)) == image.getpixel((499, 349)) == (0xC8, 0x64, 0x32)
    assert image.getpixel((110, 70)) == image.getpixel((139, 109)) == (0x0A, 0x14, 0xFF)
    assert image.getpixel((99, 50)) == image.getpixel((500, 349)) == (0, 0, 0)
    assert image.tobytes() == painter.truth().tobytes()


def test_a_frame_is_named_by_its_bytes(screen: Screen) -> None:
    before = time.time()
    frame = shoot(screen)
    assert frame.id == hashlib.sha256(frame.image).hexdigest()
    assert before <= frame.at <= time.time()


def test_a_region_shows_only_that_part(screen: Screen, painter: Painter) -> None:
    painter.fill(0x336699, Box(5, 5, 50, 60))
    region = Box(101, 52, 77, 33)
    frame = screen.shoot(Screenshot(region=region))
    assert frame.region == region
    assert image_of(frame).tobytes() == painter.truth().crop((101, 52, 178, 85)).tobytes()


@pytest.mark.parametrize("region", [Box(1000, 0, 25, 10), Box(-1, 0, 5, 5), Box(0, 768, 1, 1)])
def test_a_region_off_the_screen_is_refused(screen: Screen, region: Box) -> None:
    with pytest.raises(InvalidInput, match="1024x768"):
        screen.shoot(Screenshot(region=region))


@pytest.mark.parametrize("image_format", ["jpeg", "webp"])
def test_other_formats_come_on_request(screen: Screen, image_format: str) -> None:
    frame = screen.shoot(Screenshot(format=image_format))  # type: ignore[arg-type]
    image = Image.open(io.BytesIO(frame.image))
    assert (image.format, image.size) == (image_format.upper(), (1024, 768))


def test_the_first_frame_has_no_change_and_the_next_counts_one_pixel(
    screen: Screen, painter: Painter
) -> None:
    assert shoot(screen).change is None
    painter.fill(0x000001, Box(7, 9, 1, 1))
    change = shoot(screen).change
    assert change is not None
    assert (change.pixels, change.box) == (1, Box(107, 59, 1, 1))
    assert change.share == 1 / (1024 * 768)
    nothing = shoot(screen).change
    assert nothing is not None
    assert (nothing.pixels, nothing.share, nothing.box) == (0, 0.0, None)


def test_changes_far_apart_are_boxed_together(screen: Screen, painter: Painter) -> None:
    shoot(screen)
    painter.fill(0xFFFFFF, Box(0, 0, 3, 2))
    painter.fill(0xFFFFFF, Box(399, 299, 1, 1))
    change = shoot(screen).change
    assert change is not None
    assert (change.pixels, change.box) == (7, Box(100, 50, 400, 300))


def test_a_mark_counts_all_that_happened_since(screen: Screen, painter: Painter) -> None:
    mark = screen.mark()
    for step in range(5):
        painter.fill(0x00FF00, Box(10 * step, 4, 2, 2))
        shoot(screen)
    change = screen.change_since(mark)[0]
    assert (change.pixels, change.box) == (20, Box(100, 54, 42, 2))
    painter.fill(0, Box(0, 0, 400, 300))
    assert screen.change_since(mark)[0].pixels == 0


def test_a_mark_outlives_many_changes(screen: Screen, painter: Painter) -> None:
    mark = screen.mark()
    for step in range(200):
        painter.fill(0x010101 * (step + 1), Box(0, 0, 5, 5))
        shoot(screen)
    assert screen.change_since(mark)[0].pixels == 25


def test_an_unchanged_screen_is_not_captured_again(
    screen: Screen, painter: Painter, captures: list[int]
) -> None:
    first = shoot(screen)
    for step in range(5):
        painter.point_at(300 + step, 300)
        again = shoot(screen)
        assert again.image is first.image
        assert again.cursor == Point(300 + step, 300)
    assert len(captures) == 1


def test_redrawing_the_same_pixels_keeps_the_frame(
    screen: Screen, painter: Painter, captures: list[int]
) -> None:
    painter.fill(0x123456, Box(0, 0, 400, 300))
    first = shoot(screen)
    painter.fill(0x123456, Box(0, 0, 400, 300))
    again = shoot(screen)
    assert len(captures) == 2
    assert again.image is first.image
    assert again.change is not None
    assert again.change.pixels == 0


def test_unless_spares_the_bytes_only_while_nothing_changed(
    screen: Screen, painter: Painter
) -> None:
    first = shoot(screen)
    same = screen.shoot(Screenshot(unless=first.id))
    assert (same.id, same.image) == (first.id, b"")
    painter.fill(0xFF00FF, Box(0, 0, 9, 9))
    changed = screen.shoot(Screenshot(unless=first.id))
    assert changed.id != first.id
    assert changed.image


def test_a_glance_gives_what_a_shot_would_while_nothing_is_drawn(
    screen: Screen, painter: Painter
) -> None:
    assert screen.glance(Screenshot()) is None
    first = shoot(screen)
    painter.point_at(123, 45)
    again = screen.glance(Screenshot())
    assert again is not None
    assert (again.id, again.image, again.cursor) == (first.id, first.image, Point(123, 45))
    assert again.change == Change(0, 0.0)
    spared = screen.glance(Screenshot(unless=first.id))
    assert spared is not None
    assert spared.image == b""


@pytest.mark.parametrize("other", [Screenshot(format="jpeg"), Screenshot(cursor=True)])
def test_a_glance_leaves_what_was_not_made_yet_to_a_shot(screen: Screen, other: Screenshot) -> None:
    shoot(screen)
    assert screen.glance(other) is None


def test_a_glance_never_gives_an_old_picture(screen: Screen, painter: Painter) -> None:
    for turn in range(200):
        shoot(screen)
        painter.fill(0x010101 * (turn % 2 + 1), Box(turn, 3, 2, 2))
        assert screen.glance(Screenshot()) is None


def test_a_glance_does_not_wait_for_others_who_look(screen: Screen) -> None:
    shoot(screen)
    with screen._camera._lock:
        assert screen.glance(Screenshot()) is None
    # A server that others keep busy may now and then take longer than a glance does.
    assert any(screen.glance(Screenshot()) is not None for _ in range(100))


def test_a_glance_does_not_wait_for_a_silent_server(x_server_process: Server) -> None:
    name, server = x_server_process
    screen = Screen(name)
    frame = shoot(screen)
    server.send_signal(signal.SIGSTOP)
    started = time.monotonic()
    assert screen.glance(Screenshot()) is None
    assert time.monotonic() - started < 5
    server.send_signal(signal.SIGCONT)
    assert shoot(screen).id == frame.id
    screen.close()


def test_only_rows_that_were_drawn_on_are_captured_again(
    screen: Screen, painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[tuple[int, int]] = []
    real = SharedImages.fetch

    def noted(
        images: SharedImages, drawable: int, width: int, rows: tuple[int, int], name: int
    ) -> object:
        fetched.append(rows)
        return real(images, drawable, width, rows, name)

    monkeypatch.setattr(SharedImages, "fetch", noted)
    for colour in range(1, 7):
        painter.fill(colour, Box(0, 10 * colour, 20, 5))
        assert image_of(shoot(screen)).tobytes() == painter.truth().tobytes()
    assert fetched[0] == (0, 768)
    # Two pieces of memory take turns: what the one before saw is still to be copied to this one.
    assert fetched[-1][1] < 60


def test_after_a_failed_capture_everything_is_captured(
    screen: Screen, painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    shoot(screen)
    painter.fill(0xABCDEF, Box(0, 0, 30, 30))
    with monkeypatch.context() as broken:

        def fail(film: SharedFilm) -> _film.Exposure:
            raise TimedOut("the display server did not answer")

        broken.setattr(SharedFilm, "expose", fail)
        with pytest.raises(TimedOut):
            shoot(screen)
    painter.fill(0x123456, Box(0, 200, 30, 30))
    frame = shoot(screen)
    assert image_of(frame).tobytes() == painter.truth().tobytes()
    assert frame.change is not None
    assert frame.change.pixels == 2 * 30 * 30


def red_cursor(painter: Painter) -> None:
    """A pointer that is a red square of 16 pixels, pointing with its corner (3, 2)."""
    shape = painter.root.create_pixmap(16, 16, 1)
    gc = shape.create_gc(foreground=1)
    shape.fill_rectangle(gc, 0, 0, 16, 16)
    cursor = shape.create_cursor(shape, (0xFFFF, 0, 0), (0, 0, 0), 3, 2)
    painter.root.change_attributes(cursor=cursor)
    painter.window.change_attributes(cursor=cursor)
    painter.display.sync()


def test_the_pointer_is_drawn_on_request_only(screen: Screen, painter: Painter) -> None:
    red_cursor(painter)
    painter.fill(0x0000FF, Box(0, 0, 400, 300))
    painter.point_at(200, 100)
    plain = image_of(shoot(screen))
    expected = plain.copy()
    expected.paste((255, 0, 0), (197, 98, 213, 114))
    frame = screen.shoot(Screenshot(cursor=True))
    assert image_of(frame).tobytes() == expected.tobytes()
    assert frame.cursor == Point(200, 100)
    assert plain.getpixel((200, 100)) == (0, 0, 255)


def test_the_drawn_pointer_follows_and_may_hang_over_the_edge(
    screen: Screen, painter: Painter
) -> None:
    red_cursor(painter)
    painter.point_at(0, 0)
    first = screen.shoot(Screenshot(cursor=True))
    assert image_of(first).getpixel((0, 0)) == (255, 0, 0)
    assert screen.shoot(Screenshot(cursor=True)).image is first.image
    painter.point_at(1023, 767)
    corner = image_of(screen.shoot(Screenshot(cursor=True)))
    assert corner.getpixel((1023, 767)) == (255, 0, 0)
    assert corner.getpixel((0, 0)) == (0, 0, 0)


def test_the_pointer_is_where_it_was_put(screen: Screen, painter: Painter) -> None:
    painter.point_at(321, 654)
    assert screen.cursor() == Point(321, 654)


def test_no_drawing_is_ever_missed(screen: Screen, painter: Painter) -> None:
    chance = random.Random(11)
    before = image_of(shoot(screen))
    for _ in range(60):
        for _ in range(chance.randrange(3)):
            x, y = chance.randrange(400), chance.randrange(300)
            size = chance.choice([1, 3, 80])
            painter.fill(chance.choice([0, 0x00FF00, 0xABCDEF]), Box(x, y, size, size))
        frame = shoot(screen)
        after = image_of(frame)
        assert after.tobytes() == painter.truth().tobytes()
        assert frame.change is not None
        if chance.random() < 0.1:
            assert frame.change.pixels == differing(before, after)
        else:
            assert (frame.change.pixels == 0) == (before.tobytes() == after.tobytes())
        before = after


def test_changes_add_up_while_others_draw_without_pause(
    x_display: str, screen: Screen, painter: Painter
) -> None:
    """What a frame shows and what its change says agree, whenever the drawing happens."""
    stop = threading.Event()
    other = Painter(x_display, Box(600, 400, 200, 200))

    def draw() -> None:
        chance = random.Random(5)
        while not stop.is_set():
            x, y = chance.randrange(200), chance.randrange(200)
            other.fill(chance.randrange(1 << 24), Box(x, y, 9, 9))

    with ThreadPoolExecutor(1) as pool:
        drawing = pool.submit(draw)
        try:
            before = image_of(shoot(screen))
            for _ in range(60):
                frame = shoot(screen)
                after = image_of(frame)
                box = (600, 400, 800, 600)
                assert frame.change is not None
                assert frame.change.pixels == differing(before.crop(box), after.crop(box))
                before = after
        finally:
            stop.set()
        drawing.result(10)
    other.display.close()


def test_without_shared_memory_the_pictures_are_the_same(
    x_display: str, painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_film.SharedImages, "of", lambda _: None)
    plain = Screen(x_display)
    painter.fill(0x778899, Box(3, 3, 100, 100))
    shoot(plain)
    painter.fill(0x112233, Box(3, 3, 2, 1))
    frame = shoot(plain)
    assert isinstance(plain._camera._film, PlainFilm)
    assert image_of(frame).tobytes() == painter.truth().tobytes()
    assert frame.change is not None
    assert frame.change.pixels == 2
    plain.close()


def test_memory_the_server_cannot_reach_is_not_used(
    x_display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_film.Segment, "attached", lambda _: 1)
    before = shared_segments()
    screen = Screen(x_display)
    assert shoot(screen).image
    assert isinstance(screen._camera._film, PlainFilm)
    assert shared_segments() == before
    screen.close()


# Sizes


def test_the_screen_shrinks_and_grows_back(screen: Screen, painter: Painter) -> None:
    shoot(screen)
    assert screen.resize(Size(801, 603)) == Size(801, 603)
    small = shoot(screen)
    assert (small.size, image_of(small).size) == (Size(801, 603), (801, 603))
    assert small.change is not None
    assert (small.change.share, small.change.box) == (1.0, Box(0, 0, 801, 603))
    assert screen.resize(Size(1024, 768)) == Size(1024, 768)
    assert screen.size() == Size(1024, 768)
    assert image_of(shoot(screen)).tobytes() == painter.truth().tobytes()


def test_a_size_the_display_cannot_have_is_refused(screen: Screen) -> None:
    with pytest.raises(Unsupported, match="1x1 to 1024x768"):
        screen.resize(Size(1025, 768))
    assert screen.size() == Size(1024, 768)


def test_a_resize_by_another_program_is_noticed(x_display: str, screen: Screen) -> None:
    shoot(screen)
    other = Screen(x_display)
    other.resize(Size(640, 480))
    assert screen.size() == Size(640, 480)
    assert image_of(shoot(screen)).size == (640, 480)
    other.resize(Size(1024, 768))
    assert image_of(shoot(screen)).size == (1024, 768)
    other.close()


def test_a_mark_from_before_a_resize_differs_everywhere(screen: Screen) -> None:
    mark = screen.mark()
    screen.resize(Size(500, 400))
    assert screen.change_since(mark)[0].share == 1.0


@pytest.mark.skipif(shutil.which("Xtigervnc") is None, reason="needs Xtigervnc")
def test_tigervnc_grows_beyond_its_first_size() -> None:
    options = ("-geometry", "800x600", "-depth", "24", "-SecurityTypes", "None", "-rfbport", "-1")
    with x_server("Xtigervnc", *options) as (name, _):
        screen = Screen(name)
        shoot(screen)
        assert screen.resize(Size(1601, 903)) == Size(1601, 903)
        assert image_of(shoot(screen)).size == (1601, 903)
        screen.close()


@pytest.mark.parametrize("depth", [8, 16])
def test_a_screen_without_true_colour_is_unsupported(depth: int) -> None:
    with (
        x_server("Xvfb", "-screen", "0", f"320x240x{depth}") as (name, _),
        pytest.raises(Unsupported, match=f"depth {depth}"),
    ):
        Screen(name)


# Stillness


@pytest.mark.anyio
async def test_a_still_screen_is_stable_at_once(screen: Screen) -> None:
    with anyio.fail_after(5):
        waited = await screen.wait_stable(0.2, 3.0)
    assert 0.2 <= waited < 1.0


@pytest.mark.anyio
async def test_waiting_lasts_until_the_drawing_stops(screen: Screen, painter: Painter) -> None:
    async def animate() -> None:
        for step in range(12):
            painter.fill(0x111111 * (step + 1), Box(0, 0, 20, 20))
            await anyio.sleep(0.05)

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(animate)
            waited = await screen.wait_stable(0.3, 10.0)
    assert waited >= 0.55 + 0.3


@pytest.mark.anyio
async def test_a_screen_that_never_rests_times_out(screen: Screen, painter: Painter) -> None:
    async def animate() -> None:
        colour = 0
        while True:
            colour += 1
            painter.fill(colour, Box(0, 0, 2, 2))
            await anyio.sleep(0.01)

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(animate)
            with pytest.raises(TimedOut, match=r"not still for 0\.2 seconds within 0\.5"):
                await screen.wait_stable(0.2, 0.5)
            tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_redrawing_the_same_pixels_is_stillness(screen: Screen, painter: Painter) -> None:
    async def redraw() -> None:
        while True:
            painter.fill(0x555555, Box(0, 0, 50, 50))
            await anyio.sleep(0.01)

    painter.fill(0x555555, Box(0, 0, 50, 50))
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(redraw)
            await screen.wait_stable(0.3, 5.0)
            tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_several_may_wait_at_once_and_one_may_give_up(screen: Screen) -> None:
    waited: list[float] = []

    async def wait() -> None:
        waited.append(await screen.wait_stable(0.2, 5.0))

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(wait)
            with anyio.move_on_after(0.05):
                await screen.wait_stable(2.0, 5.0)
    assert len(waited) == 3


@pytest.mark.anyio
async def test_a_screen_that_does_not_tell_of_drawing_is_watched_all_the_same(
    x_display: str, painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.guest._camera.Damage.of", lambda _: None)
    deaf = Screen(x_display)
    first = shoot(deaf)
    assert shoot(deaf).image is first.image
    painter.fill(0xFFFFFF, Box(0, 0, 1, 1))
    change = shoot(deaf).change
    assert change is not None
    assert change.pixels == 1
    with anyio.fail_after(10):
        assert await deaf.wait_stable(0.1, 5.0) >= 0.1
    deaf.close()


# Trouble


def test_no_display_is_unavailable() -> None:
    with pytest.raises(Unavailable, match=":64999"):
        Screen(":64999")
    with pytest.raises(Unavailable, match="not the name"):
        Screen("nonsense")


def test_a_dead_server_is_a_lost_machine(x_server_process: Server) -> None:
    name, server = x_server_process
    screen = Screen(name)
    shoot(screen)
    server.kill()
    server.wait(10)
    calls = (lambda: shoot(screen), screen.mark, screen.size, screen.cursor)
    for call in (*calls, lambda: screen.resize(Size(640, 480))):
        with pytest.raises(MachineLost, match="display server is gone"):
            call()
    screen.close()


@pytest.mark.anyio
async def test_a_server_that_dies_ends_the_wait(x_server_process: Server) -> None:
    name, server = x_server_process
    screen = Screen(name)

    async def kill() -> None:
        await anyio.sleep(0.1)
        server.kill()

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(kill)
            with pytest.raises(MachineLost):
                await screen.wait_stable(5.0, 8.0)
    screen.close()


def test_a_silent_server_does_not_hold_us_for_ever(x_server_process: Server) -> None:
    name, server = x_server_process
    display = open_display(name)
    root = display.screen().root
    os.kill(server.pid, signal.SIGSTOP)
    try:
        query = QueryPointer(display=display.display, defer=True, window=root)
        with pytest.raises(TimedOut, match="did not answer"):
            answer(display, query, 0.2)
    finally:
        os.kill(server.pid, signal.SIGCONT)
    query.reply()
    assert query.root_x == 512
    display.close()


@pytest.mark.skipif(shutil.which("Xtigervnc") is None, reason="needs Xtigervnc")
def test_one_process_may_watch_servers_of_different_kinds(x_display: str) -> None:
    options = ("-geometry", "800x600", "-depth", "24", "-SecurityTypes", "None", "-rfbport", "-1")
    with x_server("Xtigervnc", *options) as (name, _):
        screens = [Screen(x_display), Screen(name)]
        sizes = [shoot(screen).size for screen in [*screens, *screens]]
        assert sizes == [Size(1024, 768), Size(800, 600)] * 2
        for screen in screens:
            screen.close()


# Load


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def shared_segments() -> int:
    gc.collect()  # what earlier failures still hold
    return Path("/proc/self/maps").read_text().count("/SYSV")


def test_a_thousand_shots_leak_nothing(screen: Screen, painter: Painter) -> None:
    def shots(count: int) -> None:
        for step in range(count):
            painter.fill(step * 7919 & 0xFFFFFF, Box(step % 300, step % 200, 60, 60))
            action = Screenshot(
                format=("png", "jpeg")[step % 2],  # type: ignore[arg-type]
                cursor=step % 7 == 0,
                region=Box(step % 50, 0, 400, 300) if step % 5 == 0 else None,
            )
            screen.shoot(action)
            screen.change_since(screen.mark())

    shots(150)
    memory, segments = resident(), shared_segments()
    shots(1000)
    assert shared_segments() <= segments
    assert resident() - memory < 6_000_000


def test_resizing_and_closing_give_all_memory_back(x_display: str) -> None:
    before = shared_segments()
    screen = Screen(x_display)
    for _ in range(5):
        for size in (Size(640, 480), Size(1024, 768)):
            screen.resize(size)
            mark = screen.mark()
            shoot(screen)
            del mark
    assert shared_segments() <= before + 2
    held = screen.mark()
    screen.close()
    assert held.picture.pixels.row(0) == bytes(4 * 1024)
    del held
    assert shared_segments() == before


def test_those_who_ask_at_once_share_one_picture(
    screen: Screen, painter: Painter, captures: list[int]
) -> None:
    painter.fill(0xFEDCBA, Box(0, 0, 300, 300))
    with ThreadPoolExecutor(16) as pool:
        frames = list(pool.map(lambda _: shoot(screen), range(64)))
    assert len({frame.id for frame in frames}) == 1
    assert all(frame.image is frames[0].image for frame in frames)
    assert len(captures) == 1


@pytest.mark.anyio
async def test_three_busy_photographers_leave_the_loop_responsive(
    screen: Screen, painter: Painter
) -> None:
    medians: list[float] = []
    # Of several, the best: other work on this system is not what is measured.
    while not medians or (min(medians) >= 0.02 and len(medians) < 5):
        lags = await lags_beside_photographers(screen, painter)
        medians.append(sorted(lags)[len(lags) // 2])
    assert min(medians) < 0.02


async def lags_beside_photographers(screen: Screen, painter: Painter) -> list[float]:
    stop = threading.Event()

    def photograph() -> int:
        count = 0
        while not stop.is_set():
            painted = Screenshot(region=Box(count % 9, 0, 1000, 768))
            screen.shoot(painted)
            count += 1
        return count

    lags: list[float] = []
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(to_thread.run_sync, photograph)
            for step in range(200):
                started = time.perf_counter()
                painter.fill(step, Box(0, 0, 5, 5))
                await anyio.sleep(0.002)
                lags.append(time.perf_counter() - started - 0.002)
            stop.set()
    return lags
