"""Screenshots against the bare minimum: raw XShm and the same encoder, called directly.

Run `python benchmarks/screen.py`; needs Xvfb, and openbox and xterm for a picture to take.
"""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import anyio
from Xlib import X

from carrel.actions import Screenshot
from carrel.geometry import Size
from carrel.guest._film import SharedFilm, load_film
from carrel.guest._pixels import Pixels
from carrel.guest.display import open_display
from carrel.guest.encode import encode
from carrel.guest.screen import Screen

SIZES = (Size(1024, 768), Size(1920, 1080))
ROUNDS = 150


@contextmanager
def x_server(size: Size) -> Iterator[str]:
    reader, writer = os.pipe()
    options = ["-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), *options], pass_fds=[writer])
    os.close(writer)
    try:
        ready, _, _ = select.select([reader], [], [], 20)
        if not ready:
            raise SystemExit("Xvfb did not start")
        yield f":{os.read(reader, 16).decode().strip()}"
    finally:
        os.close(reader)
        server.terminate()
        server.wait(10)


@contextmanager
def program(display: str, *command: str) -> Iterator[None]:
    process = subprocess.Popen(
        command,
        env={**os.environ, "DISPLAY": display},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


def wait_for_manager(name: str) -> None:
    """Terminals that meet a window manager half started take seconds to appear, or for ever."""
    display = open_display(name)
    check = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
    deadline = time.monotonic() + 20
    while display.screen().root.get_full_property(check, X.AnyPropertyType) is None:
        if time.monotonic() > deadline:
            raise SystemExit("openbox did not start")
        time.sleep(0.02)
    display.close()


@contextmanager
def desktop(display: str, size: Size) -> Iterator[None]:
    """A window manager and terminals full of text, most of the screen covered."""
    with ExitStack() as stack:
        stack.enter_context(program(display, "openbox"))
        wait_for_manager(display)
        listing = "ls -la --color=always /usr/bin | head -400; sleep 600"
        for index in range(4):
            x, y = 40 + index * size.width // 6, 30 + index * size.height // 9
            geometry = f"{size.width // 11}x{size.height // 22}+{x}+{y}"
            colours = ["-bg", "white", "-fg", "black"] if index % 2 else ["-bg", "#101830"]
            command = ["xterm", "-geometry", geometry, *colours, "-e", "sh", "-c", listing]
            stack.enter_context(program(display, *command))
        yield


def timed(work: Callable[[int], object], rounds: int = ROUNDS) -> list[float]:
    times = []
    for index in range(rounds):
        started = time.perf_counter()
        work(index)
        times.append(time.perf_counter() - started)
    return sorted(times)


def show(name: str, times: list[float], floor: list[float] | None = None) -> None:
    p50, p95 = (times[int(len(times) * share)] * 1000 for share in (0.5, 0.95))
    ratio = f"  {p50 / (floor[len(floor) // 2] * 1000):5.2f} x floor" if floor else ""
    print(f"  {name:<34} p50 {p50:7.3f} ms   p95 {p95:7.3f} ms{ratio}")


class Painter:
    """Draws something different each time, so that no capture can be spared."""

    def __init__(self, display: str, size: Size) -> None:
        self._display = open_display(display)
        root = self._display.screen().root
        self._box = (0, 0, size.width // 3, size.height // 3)
        window = root.create_window(*self._box, 0, 24, override_redirect=True)
        window.map()
        self._window, self._gc = window, window.create_gc()

    def paint(self, index: int) -> None:
        self._gc.change(foreground=index * 7919 & 0xFFFFFF)
        self._window.fill_rectangle(self._gc, *self._box)
        self._display.sync()


def paired(
    paint: Callable[[int], object], floor: Callable[[], object], ours: Callable[[], object]
) -> tuple[list[float], list[float]]:
    """Time both in turns, so that a noisy neighbour hits them alike."""
    floors, times = [], []
    for index in range(ROUNDS):
        for work, into in ((floor, floors), (ours, times)):
            paint(2 * index + (work is ours))
            started = time.perf_counter()
            work()
            into.append(time.perf_counter() - started)
    return sorted(floors), sorted(times)


def measure(display: str, size: Size) -> None:
    bare = open_display(display)
    film = load_film(bare, size)
    if not isinstance(film, SharedFilm):
        raise SystemExit("no shared memory here")
    screen, painter = Screen(display), Painter(display, size)
    print(f"{size}: {len(screen.shoot(Screenshot()).image) // 1024} KiB of PNG")
    for image_format in ("png", "jpeg"):
        floor, ours = paired(
            painter.paint,
            lambda form=image_format: encode(film.expose()(), form),
            lambda form=image_format: screen.shoot(Screenshot(format=form)),
        )
        show(f"{image_format} floor: XShm + encoder", floor)
        show(f"{image_format} screenshot, screen changed", ours, floor)
    before = Pixels.copy_of(film.expose()().tobytes(), size.width, size.height)
    floor = timed(lambda _: film.expose()().same_bytes(before))
    show("unchanged floor: XShm + compare", floor)
    show("png screenshot, screen unchanged", timed(lambda _: screen.shoot(Screenshot())), floor)
    show("png with the pointer, unchanged", timed(lambda _: screen.shoot(Screenshot(cursor=True))))
    mark = screen.mark()
    show("change since a mark, unchanged", timed(lambda _: screen.change_since(mark)))
    show("webp screenshot", timed(lambda i: encode(film.expose()(), "webp", 85), 10))
    screen.close()
    film.close()
    bare.close()


async def drawn(display: str) -> None:
    """Wait until the terminals are there and still."""
    screen = Screen(display)
    with anyio.fail_after(60):
        while len(screen.shoot(Screenshot()).image) < 60_000:  # noqa: ASYNC110
            await anyio.sleep(0.1)
        await screen.wait_stable(1.0, 30.0)
    screen.close()


def main() -> None:
    for size in SIZES:
        with x_server(size) as display, desktop(display, size):
            anyio.run(drawn, display)
            measure(display, size)


if __name__ == "__main__":
    main()
