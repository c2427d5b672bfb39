from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread

from carrel.actions import Elements
from carrel.codec import decode
from carrel.errors import TimedOut, Unsupported
from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.guest.desk import Desk, DeskOptions
from carrel.guest.elements import ElementReader

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

FORM = (
    *("zenity", "--forms", "--title=Visitor", "--text=Please sign"),
    *("--add-entry=Name", "--add-password=Secret"),
)
TK = "wm title . Silent; pack [button .b -text Press]"


class Reading:
    """One answer of the reader, decoded strictly."""

    def __init__(self, data: dict[str, Any]) -> None:
        assert set(data) == {"elements", "complete", "cut", "apps"}
        assert data["complete"] is (data["cut"] == "")
        self.elements = [decode(Element, item) for item in data["elements"]]
        self.complete: bool = data["complete"]
        self.cut: str = data["cut"]
        self.apps: list[str] = data["apps"]

    def find(self, role: str, name: str) -> Element | None:
        return next((e for e in self.elements if (e.role, e.name) == (role, name)), None)

    def get(self, role: str, name: str) -> Element:
        found = self.find(role, name)
        assert found is not None, [(e.role, e.name) for e in self.elements]
        return found


class Room:
    """A desk, and programs on it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.env = {**os.environ, **desk.env}
        self.reader = ElementReader(desk.env)

    @contextmanager
    def program(self, *argv: str, **options: Any) -> Any:
        process = subprocess.Popen(
            argv,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **options,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=20)

    async def read(self, **options: Any) -> Reading:
        action = Elements(**options)
        return Reading(await to_thread.run_sync(self.reader.read, action))

    async def until(self, check: Callable[[Reading], object], **options: Any) -> Reading:
        with anyio.fail_after(60):
            while not check(reading := await self.read(**options)):  # noqa: ASYNC110
                await anyio.sleep(0.05)
        return reading

    async def xdotool(self, *words: object) -> str:
        done = await anyio.run_process(["xdotool", *map(str, words)], env=self.env)
        return done.stdout.decode().strip()

    async def geometry(self, window: str) -> Box:
        done = await anyio.run_process(["xwininfo", "-id", window], env=self.env)
        facts = dict(re.findall(r"^ *([^:\n]+): +(-?\d+)$", done.stdout.decode(), re.MULTILINE))
        keys = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        return Box(*(int(facts[key]) for key in keys))

    async def menu_bar(self) -> tuple[int, int, int] | None:
        bars = [e.box for e in (await self.read()).elements if e.role == "menu bar"]
        return None if not bars or bars[0] is None else (bars[0].x, bars[0].y, bars[0].width)

    async def top_edge(self, window: str) -> tuple[int, int, int]:
        client = await self.geometry(window)
        return client.x, client.y, client.width

    async def click(self, box: Box | None) -> None:
        assert box is not None
        await self.xdotool("mousemove", box.center.x, box.center.y, "click", 1)


@asynccontextmanager
async def opened() -> AsyncIterator[Room]:
    desk = Desk(DeskOptions(Size(1280, 800)))
    with anyio.fail_after(120):
        await desk.start()
        try:
            await desk.ready()
            yield Room(desk)
        finally:
            await desk.stop()


async def test_an_empty_desk_has_no_elements_and_says_it_is_complete() -> None:
    async with opened() as room:
        reading = await room.read()
        assert (reading.elements, reading.complete, reading.apps) == ([], True, [])


async def test_a_form_is_filled_by_clicking_the_centres_of_its_boxes() -> None:
    async with opened() as room:
        with room.program(*FORM) as form:
            reading = await room.until(lambda r: r.find("push button", "OK"))
            (entry,) = [e for e in reading.elements if e.role == "text"]
            (secret,) = [e for e in reading.elements if e.role == "password text"]
            for element, text in ((entry, "Ada"), (secret, "xyzzy")):
                await room.click(element.box)
                await room.until(lambda r, e=element: _is_focused(r, e))
                await room.xdotool("type", text)
            reading = await room.until(lambda r: any(e.value == "Ada" for e in r.elements))
            assert "xyzzy" not in {e.value for e in reading.elements}
            await room.click(reading.get("push button", "OK").box)
            output, _ = await to_thread.run_sync(form.communicate, None, 20)
            assert output == b"Ada|xyzzy\n"
            assert form.returncode == 0


def _is_focused(reading: Reading, element: Element) -> bool:
    return any(e.box == element.box and "focused" in e.states for e in reading.elements)


async def test_elements_name_their_place_in_the_tree() -> None:
    async with opened() as room:
        with room.program(*FORM):
            reading = await room.until(lambda r: r.find("push button", "OK"))
            assert [e.id for e in reading.elements] == [
                f"e{i}" for i in range(len(reading.elements))
            ]
            seen: set[str] = set()
            for element in reading.elements:
                assert element.parent is None or element.parent in seen
                seen.add(element.id)
            (window,) = [e for e in reading.elements if e.parent is None]
            assert (window.role, window.name, window.app) == ("dialog", "Visitor", "zenity")
            assert {e.app for e in reading.elements} == {"zenity"}
            assert {"enabled", "showing"} <= set(reading.get("push button", "OK").states)


async def test_ids_stay_while_the_tree_does() -> None:
    async with opened() as room:
        with room.program(*FORM):
            await room.until(lambda r: r.find("push button", "OK"))
            first = await room.until(lambda r: any("active" in e.states for e in r.elements))
            assert (await room.read()).elements == first.elements


async def test_boxes_agree_with_the_window_manager() -> None:
    async with opened() as room:
        with room.program("mousepad", "--disable-server"):
            await room.until(lambda r: r.find("menu", "File"))
            window = (await room.xdotool("search", "--onlyvisible", "--name", "Mousepad")).split()
            await room.xdotool("windowmove", "--sync", window[-1], 300, 200)
            # The window manager may still be placing it: both are looked at until they agree.
            with anyio.fail_after(60):
                while (bar := await room.menu_bar()) != await room.top_edge(window[-1]):  # noqa: ASYNC110
                    await anyio.sleep(0.05)
            assert bar is not None
            assert bar[0] >= 300


async def test_hidden_elements_are_left_out_unless_asked_for() -> None:
    async with opened() as room:
        with room.program("mousepad", "--disable-server"):
            shown = await room.until(lambda r: r.find("menu", "File"))
            assert shown.find("menu item", "Save") is None
            every = await room.read(visible_only=False)
            assert len(every.elements) > 3 * len(shown.elements)
            await room.click(shown.get("menu", "File").box)
            opened_menu = await room.until(
                lambda r: any(e.role == "menu item" and "Save" in e.name for e in r.elements)
            )
            assert opened_menu.complete


async def test_text_typed_into_an_editor_is_its_value() -> None:
    async with opened() as room:
        with room.program("mousepad", "--disable-server"):
            reading = await room.until(
                lambda r: any("focused" in e.states and e.role == "text" for e in r.elements)
            )
            (area,) = [e for e in reading.elements if e.role == "text"]
            await room.click(area.box)
            await room.xdotool("type", "Hello there, 42")
            await room.until(lambda r: any(e.value == "Hello there, 42" for e in r.elements))


@pytest.mark.parametrize("program", ["featherpad", "speedcrunch"])
async def test_a_qt_program_is_seen_however_often_it_is_started(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"needs {program}")
    async with opened() as room:
        for _ in range(4):
            with room.program(program):
                await room.until(lambda seen: len(seen.elements) > 10)


async def test_a_slider_has_its_number_as_value() -> None:
    async with opened() as room:
        with room.program("zenity", "--scale", "--text=Volume", "--value=42"):
            reading = await room.until(lambda r: any(e.role == "slider" for e in r.elements))
            assert [e.value for e in reading.elements if e.role == "slider"] == ["42"]


async def test_an_application_that_exposes_nothing_is_named_without_elements() -> None:
    async with opened() as room:
        with room.program("wish", stdin=subprocess.PIPE) as wish:
            assert wish.stdin is not None
            wish.stdin.write(TK.encode() + b"\n")
            wish.stdin.flush()
            reading = await room.until(lambda r: r.apps)
            assert (reading.apps, reading.elements) == (["wish"], [])
            assert reading.complete


async def test_a_filter_keeps_one_application() -> None:
    async with opened() as room:
        with room.program(*FORM), room.program("mousepad", "--disable-server"):
            await room.until(lambda r: r.find("push button", "OK") and r.find("menu", "File"))
            reading = await room.read(app="Zenity")
            assert {e.app for e in reading.elements} == {"zenity"}
            assert sorted(reading.apps) == ["mousepad", "zenity"]
            assert (await room.read(app="nothing of the kind")).elements == []


async def test_a_hung_application_costs_the_bound_and_nobody_elses_elements() -> None:
    async with opened() as room:
        with room.program(*FORM), room.program("mousepad", "--disable-server") as hung:
            await room.until(lambda r: r.find("push button", "OK") and r.find("menu", "File"))
            os.kill(hung.pid, signal.SIGSTOP)
            begun = time.monotonic()
            reading = await room.read(timeout=0.7)
            assert 0.6 < time.monotonic() - begun < 6
            assert not reading.complete
            assert reading.find("push button", "OK") is not None
            assert sorted(reading.apps) == ["mousepad", "zenity"]
            # Asking for the healthy one alone is complete all the same.
            assert (await room.read(app="zenity", timeout=0.7)).complete
            os.kill(hung.pid, signal.SIGCONT)
            await room.until(lambda r: r.complete and r.find("menu", "File"))


async def test_too_short_a_time_is_not_called_a_bus_that_is_silent() -> None:
    async with opened() as room:
        with pytest.raises(TimedOut, match="in the time given") as caught:
            await room.read(timeout=0)
        assert "longer" in str(caught.value.hint)
        assert (await room.read()).complete


async def test_a_limit_cuts_and_says_so() -> None:
    async with opened() as room:
        with room.program(*FORM):
            await room.until(lambda r: r.find("push button", "OK"))
            reading = await room.read(limit=4)
            assert [e.id for e in reading.elements] == ["e0", "e1", "e2", "e3"]
            assert not reading.complete


async def test_an_application_that_dies_takes_its_elements_with_it() -> None:
    async with opened() as room:
        with room.program(*FORM):
            await room.until(lambda r: r.find("push button", "OK"))
        reading = await room.until(lambda r: not r.apps)
        assert (reading.elements, reading.complete) == ([], True)


async def test_without_a_session_bus_it_is_unsupported(x_display: str) -> None:
    reader = ElementReader({"DISPLAY": x_display})
    with pytest.raises(Unsupported, match="no session bus") as caught:
        reader.read(Elements())
    assert "at-spi2-core" in str(caught.value.hint)


async def test_without_an_accessibility_bus_it_is_unsupported() -> None:
    async with opened() as room:
        config = Path(room.desk.env["XDG_RUNTIME_DIR"], "bare.conf")
        socket = config.with_suffix(".socket")
        config.write_text(
            "<!DOCTYPE busconfig PUBLIC '-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN' ''>"
            f"<busconfig><listen>unix:path={socket}</listen><policy context='default'>"
            "<allow send_destination='*'/><allow receive_sender='*'/><allow own='*'/>"
            "</policy></busconfig>"
        )
        with room.program("dbus-daemon", f"--config-file={config}", "--nofork"):
            with anyio.fail_after(10):
                while not socket.exists():  # noqa: ASYNC110
                    await anyio.sleep(0.01)
            address = f"unix:path={socket}"
            reader = ElementReader({**room.desk.env, "DBUS_SESSION_BUS_ADDRESS": address})
            with pytest.raises(Unsupported, match="no accessibility bus"):
                await to_thread.run_sync(reader.read, Elements())


PAGE = """<!doctype html><title>waiting</title><body style="margin:20px">
<h1>Head line</h1><button id=b>Press me</button>
<input id=i value="typed text" aria-label="Your name">
<input aria-label="Search users" placeholder="Name or email">
<input type=range value=42 aria-label=Volume><div style="height:4000px"></div>
<button>Far below</button>
<script>
b.onclick = event => {
  const box = b.getBoundingClientRect();
  document.title = "clicked " + [event.screenX - event.clientX + box.x,
    event.screenY - event.clientY + box.y, box.width, box.height].map(Math.round).join(" ");
};
</script>"""
MANY = "<title>Many</title>" + "".join(f"<button>b{i}</button>" for i in range(600))
needs_chromium = pytest.mark.skipif(shutil.which("chromium") is None, reason="needs chromium")


def chromium(directory: Path, content: str) -> list[str]:
    page = directory / "page.html"
    page.write_text(content)
    flags = "--no-sandbox --disable-background-networking --disable-component-update"
    flags += " --disable-sync --no-first-run --no-default-browser-check"
    return ["chromium", *flags.split(), f"--user-data-dir={directory}", page.as_uri()]


@pytest.mark.browser
@needs_chromium
async def test_chromium_exposes_its_page_where_the_page_says_it_is(tmp_path: Path) -> None:
    async with opened() as room:
        with room.program(*chromium(tmp_path, PAGE)):
            reading = await room.until(lambda r: r.find("push button", "Press me"))
            assert reading.get("entry", "Your name").value == "typed text"
            assert reading.get("entry", "Search users").hint == "Name or email"
            assert reading.get("slider", "Volume").value == "42"
            assert reading.find("push button", "Far below") is None
            button = reading.get("push button", "Press me")
            await room.click(button.box)
            reading = await room.until(
                lambda r: any(e.name.startswith("clicked") for e in r.elements)
            )
            title = next(e.name for e in reading.elements if e.name.startswith("clicked"))
            assert button.box is not None
            seen = (button.box.x, button.box.y, button.box.width, button.box.height)
            # The page rounds fractions of a pixel its own way.
            assert seen == pytest.approx([int(word) for word in title.split()[1:5]], abs=1)
            every = await room.read(visible_only=False)
            assert every.find("push button", "Far below") is not None


ICONS = """<title>icons</title><style>.pic{content:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=);
width:16px;height:16px}</style><button class="fa fa-trash" style="width:30px"></button>
<span class="pic star"></span><span class="pic" id="openSearch"></span>
<button class="big-save" style="width:200px"></button>
<button class="btn btn-primary col-md-2 svg-inline css-1q2w3e kYfkzQ" style="width:30px"></button>
<input type="checkbox" class="fa-bomb"><button class="x">Words</button>"""


@pytest.mark.browser
@needs_chromium
async def test_an_icon_without_a_name_is_called_what_its_author_calls_it(tmp_path: Path) -> None:
    async with opened() as room:
        with room.program(*chromium(tmp_path, ICONS)):
            reading = await room.until(lambda r: r.find("push button", "Words") is not None)
        names = [e.name for e in reading.elements if e.role in ("push button", "image")]
        assert "trash-symbolic" in names
        assert "star-symbolic" in names
        assert "open-search-symbolic" in names
        # A wide button is no icon, and words on the screen come before any other.
        assert not any("save" in name for name in names)
        assert "Words" in names
        # A name that nobody sees is not sure, and neither layout nor what a program made up is one.
        unsure = {e.name for e in reading.elements if e.confidence < 1}
        assert unsure == {"trash-symbolic", "star-symbolic", "open-search-symbolic"}


@pytest.mark.browser
@needs_chromium
async def test_a_page_of_six_hundred_buttons_is_read_quickly(tmp_path: Path) -> None:
    async with opened() as room:
        with room.program(*chromium(tmp_path, MANY)):
            await room.until(lambda r: r.find("push button", "b599"), visible_only=False)
            seconds: list[float] = []
            # Of several, the best: other work on this system is not what is measured.
            while len(seconds) < 3 or (min(seconds) >= 1.0 and len(seconds) < 15):
                begun = time.monotonic()
                reading = await room.read(visible_only=False)
                seconds.append(time.monotonic() - begun)
            buttons = [e.name for e in reading.elements if re.fullmatch(r"b\d+", e.name)]
            assert len(buttons) >= 600
            assert reading.complete
            assert min(seconds) < 1.0, seconds
