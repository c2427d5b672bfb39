"""Programs that say what really happened; none of them shares code with Carrel."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any, TypeVar, cast

import anyio
from anyio import to_thread
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

T = TypeVar("T")
Seen = dict[str, Any]
Look = Callable[[], T | Awaitable[T]]

HERE = Path(__file__).parent
GUEST_TESTS = HERE.parent / "guest"


async def until(look: Look[T], seconds: float, what: str) -> T:
    """The first true answer of `look`; fails when none comes in time."""
    seen: object = None
    with anyio.move_on_after(seconds):
        while True:
            found = look()
            seen = await found if isinstance(found, Awaitable) else found
            if seen:
                return cast("T", seen)
            await anyio.sleep(0.01)
    raise AssertionError(f"not within {seconds:g} s: {what} (last seen: {str(seen)[:500]})")


class Peek:
    """What the X server holds, asked without Carrel."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._stdin = process.stdin
        self._stdout = BufferedByteReceiveStream(process.stdout)

    async def _ask(self, line: str) -> Seen:
        # A question without its answer would put all later answers out of step.
        with anyio.CancelScope(shield=True), anyio.fail_after(15):
            await self._stdin.send(line.encode() + b"\n")
            answer = await self._stdout.receive_until(b"\n", 100_000)
        return cast("Seen", json.loads(answer))

    async def state(self) -> Seen:
        return await self._ask("")

    async def held(self) -> tuple[list[int], list[int]]:
        """Buttons and keycodes that are down."""
        seen = await self.state()
        return seen["buttons"], seen["keys"]

    async def pixels(self, target: Path) -> tuple[int, int, bytes]:
        seen = await self._ask(str(target))
        return seen["width"], seen["height"], target.read_bytes()


async def tool(env: Mapping[str, str], *argv: str, data: bytes = b"", mute: bool = False) -> str:
    """Run a program of this system; `mute` for one that leaves a child behind.

    It is let end also when nobody waits any more: killed amid a stroke, it leaves the key down.
    """
    out = DEVNULL if mute else PIPE
    with anyio.CancelScope(shield=True), anyio.fail_after(30):
        done = await anyio.run_process(
            argv, input=data, env=env, stdout=out, stderr=out, check=False
        )
    assert done.returncode == 0, f"{argv[0]}: {(done.stderr or b'').decode()[-300:]}"
    return (done.stdout or b"").decode()


class EventLog:
    """A window that logs the events it receives."""

    def __init__(self, path: Path, env: Mapping[str, str], seconds: float) -> None:
        self._path = path
        self._env = env
        self._seconds = seconds
        self._start = 0

    def all(self) -> list[Seen]:
        lines = self._path.read_text().split("\n")[:-1]
        return [json.loads(line) for line in lines]

    @property
    def window(self) -> int:
        return int(next(e["window"] for e in self.all() if e["event"] == "ready"))

    async def center(self) -> tuple[int, int]:
        shape = await geometry(self._env, self.window)
        return shape["X"] + shape["WIDTH"] // 2, shape["Y"] + shape["HEIGHT"] // 2

    async def take(self) -> list[Seen]:
        """Everything since the last call; a key that another program strikes marks the end."""
        await tool(self._env, "xdotool", "key", "F12")
        before = self._start

        def marked() -> list[Seen] | None:
            seen = self.all()[before:]
            return seen if seen and _is_mark(seen[-1], "release") else None

        seen = await until(marked, self._seconds, "the mark in the event log")
        assert seen is not None
        self._start = before + len(seen)
        return [event for event in seen if not _is_mark(event) and event["event"] != "ready"]

    async def keys(self) -> list[tuple[str, str]]:
        kinds = ("press", "release")
        return [(e["event"], e["name"]) for e in await self.take() if e["event"] in kinds]

    async def buttons(self) -> list[tuple[str, int]]:
        """The next ones that arrive: a window manager may hold them back, but not the mark."""
        return await until(self._new_buttons, self._seconds, "a button in the event log")

    async def _new_buttons(self) -> list[tuple[str, int]]:
        kinds = ("button_press", "button_release")
        return [
            (e["event"].removeprefix("button_"), e["button"])
            for e in await self.take()
            if e["event"] in kinds
        ]


def _is_mark(event: Seen, kind: str | None = None) -> bool:
    return event.get("name") == "F12" and kind in (None, event["event"])


async def geometry(env: Mapping[str, str], window: int) -> dict[str, int]:
    """Where a window's content is, by xdotool."""
    text = await tool(env, "xdotool", "getwindowgeometry", "--shell", str(window))
    return {key: int(value) for key, value in (line.split("=") for line in text.split())}


async def find_window(env: Mapping[str, str], title: str) -> int | None:
    """A visible window by its title, by xdotool."""
    argv = ["xdotool", "search", "--onlyvisible", "--name", title]
    with anyio.fail_after(30):
        done = await anyio.run_process(argv, env=env, check=False)
    found = done.stdout.split()
    return int(found[-1]) if found else None


@dataclass
class Page:
    """A page in a browser that says itself what happened to it."""

    port: int
    env: Mapping[str, str]
    seconds: float
    left: int = 0
    top: int = 0

    async def ask(self, expression: str) -> Any:
        """What a JavaScript expression is worth in the page."""
        answer = json.loads(await to_thread.run_sync(self._http, "/ask", expression.encode()))
        assert "error" not in answer, answer["error"]
        return answer["value"]

    async def visited(self) -> list[str]:
        return cast("list[str]", json.loads(await to_thread.run_sync(self._http, "/visited", None)))

    def _http(self, path: str, body: bytes | None) -> bytes:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body)
        # No proxy: this is our own loopback.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=40) as response:
            return cast("bytes", response.read())

    async def seen(self, *kinds: str) -> list[Seen]:
        events = cast("list[Seen]", await self.ask("seen"))
        return [event for event in events if not kinds or event["kind"] in kinds]

    async def until(self, expression: str, what: str) -> Any:
        return await until(lambda: self.ask(expression), self.seconds, what)

    async def box(self, name: str) -> tuple[float, float, float, float]:
        """An element's box in screen pixels, by getBoundingClientRect."""
        box = await self.ask(f"box({json.dumps(name)})")
        return box["x"] + self.left, box["y"] + self.top, box["width"], box["height"]

    async def at(self, name: str, x: float = 0.5, y: float = 0.5) -> tuple[int, int]:
        """A point of an element on the screen."""
        left, top, width, height = await self.box(name)
        return round(left + width * x), round(top + height * y)

    async def calibrate(self) -> None:
        """Find out where the page is, by a pointer that xdotool moves."""
        guess = "[screenX + (outerWidth - innerWidth) / 2, screenY + outerHeight - innerHeight]"
        self.left, self.top = map(round, await self.ask(guess))

        async def moved() -> Seen | None:
            for share in (0.4, 0.6):
                x, y = await self.at("pad", share, share)
                await tool(self.env, "xdotool", "mousemove", str(x), str(y))
            moves = await self.seen("mousemove")
            return moves[-1] if moves else None

        last = await until(moved, 30, "the pointer over the page")
        assert last is not None
        self.left, self.top = last["screen"][0] - last["x"], last["screen"][1] - last["y"]

    async def rest(self) -> None:
        """Put everything back: nothing seen, nothing typed, the pointer where nothing happens."""
        await self.ask("reset()")
        x, y = await self.at("dead")
        await tool(self.env, "xdotool", "mousemove", str(x), str(y))
        await self.ask("drawn()")
        await self.ask("seen.length = 0")

    async def click_field(self) -> None:
        """Give the text area the keyboard, without Carrel."""
        x, y = await self.at("field")
        await tool(self.env, "xdotool", "mousemove", str(x), str(y), "click", "1")
        await self.until("document.activeElement.id === 'field'", "the text area has the keyboard")
        await self.ask("seen.length = 0")
