"""`computer.interface`: the methods people know, on a real desk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn, cast

import anyio

from carrel.actions import Button
from carrel.codec import Json
from carrel.compat.cua._tree import nested
from carrel.computer import Computer
from carrel.errors import InvalidInput, NotFound, Unsupported
from carrel.frames import Window
from carrel.geometry import Point

__all__ = ["CommandResult", "Interface"]

WindowId = int | str


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command wrote, and how it ended."""

    stdout: str
    stderr: str
    returncode: int


class Interface:
    """Mouse, keyboard, screen, clipboard, files, windows and commands of one machine.

    Where a coordinate may be left out, the pointer's place is meant. `delay` is how many seconds
    to wait afterwards. What does not work raises a `CarrelError`; nothing is passed over.
    """

    def __init__(self, computer: Computer) -> None:
        self._computer = computer
        self.delay = 0.0

    async def _pause(self, delay: float | None) -> None:
        seconds = self.delay if delay is None else delay
        if seconds > 0:
            await anyio.sleep(seconds)

    async def _at(self, x: int | None, y: int | None) -> Point:
        if x is None and y is None:
            return await self._computer.cursor()
        if x is None or y is None:
            raise InvalidInput("give both x and y, or neither")
        return Point(x, y)

    async def _move_if(self, x: int | None, y: int | None) -> None:
        if x is not None or y is not None:
            point = await self._at(x, y)
            await self._computer.move(point.x, point.y)

    # Mouse

    async def left_click(
        self, x: int | None = None, y: int | None = None, delay: float | None = None
    ) -> None:
        """Click with the left button."""
        await self._click(x, y, delay)

    async def right_click(
        self, x: int | None = None, y: int | None = None, delay: float | None = None
    ) -> None:
        """Click with the right button."""
        await self._click(x, y, delay, "right")

    async def double_click(
        self, x: int | None = None, y: int | None = None, delay: float | None = None
    ) -> None:
        """Click twice with the left button."""
        await self._click(x, y, delay, count=2)

    async def _click(
        self,
        x: int | None,
        y: int | None,
        delay: float | None,
        button: Button = "left",
        count: int = 1,
    ) -> None:
        point = await self._at(x, y)
        await self._computer.click(point.x, point.y, button, count)
        await self._pause(delay)

    async def move_cursor(self, x: int, y: int, delay: float | None = None) -> None:
        """Move the pointer."""
        await self._computer.move(x, y)
        await self._pause(delay)

    async def mouse_down(
        self,
        x: int | None = None,
        y: int | None = None,
        button: Button = "left",
        delay: float | None = None,
    ) -> None:
        """Press a button and keep it down."""
        await self._move_if(x, y)
        await self._computer.mouse_down(button)
        await self._pause(delay)

    async def mouse_up(
        self,
        x: int | None = None,
        y: int | None = None,
        button: Button = "left",
        delay: float | None = None,
    ) -> None:
        """Release a button."""
        await self._move_if(x, y)
        await self._computer.mouse_up(button)
        await self._pause(delay)

    async def drag_to(
        self,
        x: int,
        y: int,
        button: Button = "left",
        duration: float = 0.5,
        delay: float | None = None,
    ) -> None:
        """Drag from where the pointer is."""
        start = await self._computer.cursor()
        await self._computer.drag([start, (x, y)], button, seconds=duration)
        await self._pause(delay)

    async def drag(
        self,
        path: Sequence[tuple[int, int]],
        button: Button = "left",
        duration: float = 0.5,
        delay: float | None = None,
    ) -> None:
        """Press at the first point, move along the path, release at the last."""
        await self._computer.drag(list(path), button, seconds=duration)
        await self._pause(delay)

    async def scroll(self, x: int, y: int, delay: float | None = None) -> None:
        """Turn the wheel where the pointer is: `x` notches right, `y` notches up."""
        place = await self._computer.cursor()
        await self._computer.scroll(place.x, place.y, dy=-y, dx=x)
        await self._pause(delay)

    async def scroll_down(self, clicks: int = 1, delay: float | None = None) -> None:
        """Turn the wheel down."""
        await self.scroll(0, -clicks, delay)

    async def scroll_up(self, clicks: int = 1, delay: float | None = None) -> None:
        """Turn the wheel up."""
        await self.scroll(0, clicks, delay)

    # Keyboard

    async def type_text(self, text: str, delay: float | None = None) -> None:
        """Type any text."""
        await self._computer.type(text)
        await self._pause(delay)

    async def press_key(self, key: str, delay: float | None = None) -> None:
        """Press one key."""
        await self._computer.key([str(key)])
        await self._pause(delay)

    async def press(self, key: str, delay: float | None = None) -> None:
        """Press one key."""
        await self.press_key(key, delay)

    async def hotkey(self, *keys: str, delay: float | None = None) -> None:
        """Press keys together."""
        await self._computer.key([str(key) for key in keys])
        await self._pause(delay)

    async def key_down(self, key: str, delay: float | None = None) -> None:
        """Press a key and keep it down."""
        await self._computer.key_down(str(key))
        await self._pause(delay)

    async def key_up(self, key: str, delay: float | None = None) -> None:
        """Release a key."""
        await self._computer.key_up(str(key))
        await self._pause(delay)

    # Screen and clipboard

    async def screenshot(self) -> bytes:
        """The screen as PNG."""
        return (await self._computer.screenshot()).image

    async def get_screen_size(self) -> dict[str, int]:
        """Width and height in pixels."""
        size = await self._computer.screen_size()
        return {"width": size.width, "height": size.height}

    async def get_cursor_position(self) -> dict[str, int]:
        """Where the pointer is."""
        point = await self._computer.cursor()
        return {"x": point.x, "y": point.y}

    async def to_screen_coordinates(self, x: float, y: float) -> tuple[float, float]:
        """The same: a screenshot has the pixels of the screen."""
        return x, y

    async def to_screenshot_coordinates(self, x: float, y: float) -> tuple[float, float]:
        """The same: a screenshot has the pixels of the screen."""
        return x, y

    async def copy_to_clipboard(self) -> str:
        """The text on the clipboard."""
        return await self._computer.get_clipboard()

    async def set_clipboard(self, text: str) -> None:
        """Put text on the clipboard."""
        await self._computer.set_clipboard(text)

    async def get_accessibility_tree(self) -> dict[str, Json]:
        """What the applications say is on the screen, as a tree."""
        return nested(await self._computer.elements())

    # Commands

    async def run_command(self, command: str, timeout: float | None = None) -> CommandResult:
        """Run a shell command to its end."""
        async with self._computer.exec(command=command, timeout=timeout) as process:
            await process.close_stdin()
            done = await process.collect()
        out, errors = (data.decode(errors="replace") for data in (done.stdout, done.stderr))
        return CommandResult(out, errors, done.exit.status)

    # Files

    async def _kind(self, path: str) -> str:
        try:
            return str((await self._computer.stat_file(path)).get("kind"))
        except NotFound:
            return ""

    async def file_exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return await self._kind(path) == "file"

    async def directory_exists(self, path: str) -> bool:
        """Whether there is such a directory."""
        return await self._kind(path) == "directory"

    async def list_dir(self, path: str) -> list[str]:
        """The names in a directory."""
        return [str(entry["name"]) for entry in await self._computer.list_files(path)]

    async def read_text(self, path: str, encoding: str = "utf-8") -> str:
        """The text of a file."""
        return (await self._computer.read_bytes(path)).decode(encoding)

    async def write_text(
        self, path: str, content: str, encoding: str = "utf-8", append: bool = False
    ) -> None:
        """Write a text file, or add to it."""
        if append:
            await self._computer.append_file(path, content)
        else:
            await self._computer.write_bytes(path, content.encode(encoding))

    async def read_bytes(self, path: str, offset: int = 0, length: int | None = None) -> bytes:
        """The bytes of a file, or of a part of it."""
        return await self._computer.read_bytes(path, offset, length)

    async def write_bytes(self, path: str, content: bytes, append: bool = False) -> None:
        """Write a file in one step."""
        if append and await self.file_exists(path):
            content = await self._computer.read_bytes(path) + content
        await self._computer.write_bytes(path, content)

    async def delete_file(self, path: str) -> None:
        """Delete a file."""
        if await self._kind(path) == "directory":
            raise InvalidInput(f"{path} is a directory", hint="use delete_dir")
        await self._computer.delete_file(path)

    async def create_dir(self, path: str) -> None:
        """Make a directory and its parents."""
        await self._computer.make_directory(path)

    async def delete_dir(self, path: str) -> None:
        """Delete a directory with all it holds."""
        if await self._kind(path) not in ("directory", ""):
            raise InvalidInput(f"{path} is not a directory", hint="use delete_file")
        await self._computer.delete_file(path, recursive=True)

    async def get_file_size(self, path: str) -> int:
        """Bytes of a file."""
        return cast("int", (await self._computer.stat_file(path))["size"])

    # Programs and windows

    async def open(self, target: str) -> None:
        """Open a file, a folder or a URL with what belongs to it."""
        await self._computer.open(target)

    async def launch(self, app: str, args: Sequence[str] | None = None) -> int | None:
        """Start a program; its process id, where it is known."""
        result = await self._computer.open(app, *(args or ()))
        pid = result.data.get("pid")
        return pid if isinstance(pid, int) else None

    async def get_current_window_id(self) -> int:
        """The window that has the keyboard."""
        for window in await self._computer.windows():
            if window.focused:
                return window.id
        raise NotFound("no window has the keyboard")

    async def get_application_windows(self, app: str) -> list[WindowId]:
        """The windows of an application, by its name."""
        name = app.casefold()
        return [w.id for w in await self._computer.windows() if name in w.app.casefold()]

    async def _window(self, window_id: WindowId) -> Window:
        number = _number(window_id)
        for window in await self._computer.windows():
            if window.id == number:
                return window
        raise NotFound(f"there is no window {window_id}")

    async def get_window_name(self, window_id: WindowId) -> str:
        """Its title."""
        return (await self._window(window_id)).title

    async def get_window_title(self, window_id: WindowId) -> str:
        """Its title."""
        return await self.get_window_name(window_id)

    async def get_window_size(self, window_id: WindowId) -> tuple[int, int]:
        """Width and height."""
        box = (await self._window(window_id)).box
        return box.width, box.height

    async def window_size(self, window_id: WindowId) -> tuple[int, int]:
        """Width and height."""
        return await self.get_window_size(window_id)

    async def get_window_position(self, window_id: WindowId) -> tuple[int, int]:
        """Its top left corner."""
        box = (await self._window(window_id)).box
        return box.x, box.y

    async def set_window_size(self, window_id: WindowId, width: int, height: int) -> None:
        """Give it a new size."""
        await self._computer.resize_window(_number(window_id), width, height)

    async def set_window_position(self, window_id: WindowId, x: int, y: int) -> None:
        """Move it."""
        await self._computer.move_window(_number(window_id), x, y)

    async def maximize_window(self, window_id: WindowId) -> None:
        """Maximise it."""
        await self._computer.maximize_window(_number(window_id))

    async def minimize_window(self, window_id: WindowId) -> None:
        """Minimise it."""
        await self._computer.minimize_window(_number(window_id))

    async def activate_window(self, window_id: WindowId) -> None:
        """Raise it and give it the keyboard."""
        await self._computer.focus_window(_number(window_id))

    async def close_window(self, window_id: WindowId) -> None:
        """Ask it to close."""
        await self._computer.close_window(_number(window_id))

    # Life

    async def wait_for_ready(self, timeout: float = 60.0) -> None:
        """Return when the guest answers."""
        with anyio.fail_after(timeout):
            await self._computer.info()

    # What is not there

    async def playwright_exec(
        self, command: str, params: Mapping[str, Json] | None = None
    ) -> NoReturn:
        """There is no second way into the browser: use its window."""
        _refuse("playwright_exec", "open(URL), then use the mouse and the keyboard")

    async def set_wallpaper(self, path: str) -> NoReturn:
        """The desk has no wallpaper."""
        _refuse("set_wallpaper", "run_command starts any program that draws one")

    async def get_desktop_environment(self) -> Literal["openbox"]:
        """The window manager of our desks."""
        return "openbox"


def _number(window_id: WindowId) -> int:
    try:
        return int(window_id, 0) if isinstance(window_id, str) else window_id
    except ValueError:
        raise InvalidInput(f"{window_id!r} is not a window id") from None


def _refuse(name: str, instead: str) -> NoReturn:
    raise Unsupported(f"there is no {name} here", hint=instead)
