"""`Computer`: one method per action."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from carrel import actions, codec
from carrel.actions import Action, Button, encode_action
from carrel.codec import Json
from carrel.computer import forward, transfer
from carrel.computer._given import items, of_numbers
from carrel.computer.forward import Dial
from carrel.computer.link import Connect, Link
from carrel.computer.process import BackgroundOutput, Completed, Process, read_background
from carrel.computer.transfer import Copied, Progress, quiet
from carrel.errors import InvalidInput, ProtocolError
from carrel.frames import Element, Frame, ImageFormat, Window
from carrel.geometry import Box, Point, Size
from carrel.keys import parse_chord
from carrel.results import Result
from carrel.stream import Reply

if TYPE_CHECKING:
    # Loaded when they are used: every program that imports this waits for it.
    from carrel.computer.differences import Synced
    from carrel.guest.restarts import Restart

__all__ = ["Computer", "ElementTree"]

LARGE_TEXT = 100_000
"""Characters of text that may go into the header of a request: at most six bytes each."""


@dataclass(frozen=True, slots=True)
class ElementTree:
    """What the applications say is on the screen.

    Attributes:
        complete: False when the time bound or the limit cut the reading short.
        apps: Every application that was found, also those that expose nothing.
        cut: What cut it short: the `time`, the `limit`, or a `crowd` of cells in a table that is
            not entered. Empty when it is complete.
    """

    elements: tuple[Element, ...]
    complete: bool
    apps: tuple[str, ...]
    cut: str = ""


class Computer:
    """Sees and acts on one machine.

    Every method sends one action and returns what was observed; an action that could not be
    carried out raises a `CarrelError`. Use it with `async with`.

    Args:
        connect: Opens a byte stream to the machine's guest.
        settle: When set, every input action watches the screen for at most that many seconds
            and reports what changed in `Result.evidence`.
        isolation: What stands between the machine and its host, in the words of
            `carrel.machines.provider.Isolation`; policies ask for it.
        name: The machine's, where it has one.
    """

    def __init__(
        self,
        connect: Connect,
        *,
        settle: float | None = None,
        isolation: str = "unknown",
        name: str = "",
    ) -> None:
        self._link = Link(connect)
        # The last frame, by what was asked: a screen that stays as it is crosses no second time.
        self._seen: dict[actions.Screenshot, Frame] = {}
        self.settle = settle
        self.isolation = isolation
        self.name = name

    async def __aenter__(self) -> Self:
        await self._link.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._link.__aexit__(kind, error, trace)

    async def info(self) -> dict[str, Json]:
        """Facts about the guest: phase, display, size, missing parts."""
        return (await self._link.ask("info", {})).result

    @property
    def boot(self) -> str:
        """Which start of the guest this is: one that started anew has forgotten every request."""
        return self._link.boot

    async def act(
        self, action: Action, *, settle: float | None = None, request: str | None = None
    ) -> Result:
        """Do any action; the result says what was observed, also when it failed.

        Args:
            action: What to do.
            settle: Watch the screen for at most this many seconds afterwards.
            request: The id of the request, to be able to ask again for the same answer.
        """
        result, _ = await self._act(action, settle, request)
        return result

    async def _act(
        self, action: Action, settle: float | None, request: str | None = None
    ) -> tuple[Result, bytes]:
        args: dict[str, object] = {"action": encode_action(action)}
        if action.effect is actions.EffectClass.INPUT and settle is None:
            settle = self.settle
        if settle is not None:
            args["settle"] = settle
        reply = await self._ask_to_act(args, request, large=_is_large(action))
        wire, image = reply.result.get("result"), reply.body
        size = reply.result.get("json")
        if isinstance(size, int):
            # Too large for a message: the result stands in front of the image.
            wire, image = json.loads(image[:size]), image[size:]
        return codec.decode(Result, wire), image

    async def _ask_to_act(
        self, args: dict[str, object], request: str | None, *, large: bool
    ) -> Reply:
        if not large:
            return await self._link.ask("act", args, id=request)
        # Too large for a header: the request follows as bytes.
        text = json.dumps(args, ensure_ascii=False).encode()
        return await self._link.ask("act", {"json": len(text)}, body=text, id=request)

    async def _do(self, action: Action) -> Result:
        return (await self.act(action)).raise_for_error()

    async def _read(self, action: Action) -> Mapping[str, Json]:
        return (await self._do(action)).data

    # Pointer

    async def click(
        self,
        x: int,
        y: int,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
    ) -> Result:
        """Click at a point."""
        return await self._do(
            actions.Click(x, y, button, count, items(modifiers, "click.modifiers"))
        )

    async def double_click(self, x: int, y: int) -> Result:
        """Click twice with the left button."""
        return await self.click(x, y, count=2)

    async def right_click(self, x: int, y: int) -> Result:
        """Click with the right button."""
        return await self.click(x, y, "right")

    async def move(self, x: int, y: int) -> Result:
        """Move the pointer."""
        return await self._do(actions.Move(x, y))

    async def drag(
        self,
        path: Sequence[Point | tuple[int, int]],
        button: Button = "left",
        modifiers: Sequence[str] = (),
        seconds: float = 0.2,
    ) -> Result:
        """Press at the first point, move along the path, release at the last."""
        points = tuple(of_numbers(Point, each, "drag.path") for each in items(path, "drag.path"))
        held = items(modifiers, "drag.modifiers")
        return await self._do(actions.Drag(points, button, held, seconds))

    async def mouse_down(self, button: Button = "left") -> Result:
        """Press a button and keep it down."""
        return await self._do(actions.MouseDown(button))

    async def mouse_up(self, button: Button = "left") -> Result:
        """Release a button."""
        return await self._do(actions.MouseUp(button))

    async def scroll(
        self, x: int, y: int, dy: int = 0, dx: int = 0, modifiers: Sequence[str] = ()
    ) -> Result:
        """Turn the wheel: positive is down and right."""
        return await self._do(actions.Scroll(x, y, dx, dy, items(modifiers, "scroll.modifiers")))

    # Keyboard

    async def type(self, text: str) -> Result:
        """Type any text."""
        return await self._do(actions.Type(text))

    async def key(self, chord: str | Sequence[str], repeat: int = 1, hold: float = 0.0) -> Result:
        """Press keys together, such as `ctrl+l` or `["ctrl", "l"]`."""
        keys = parse_chord(chord) if isinstance(chord, str) else items(chord, "key.keys")
        return await self._do(actions.Key(keys, repeat, hold))

    async def key_down(self, key: str) -> Result:
        """Press a key and keep it down."""
        return await self._do(actions.KeyDown(key))

    async def key_up(self, key: str) -> Result:
        """Release a key."""
        return await self._do(actions.KeyUp(key))

    # Observe

    async def screenshot(
        self,
        region: Box | tuple[int, int, int, int] | None = None,
        format: ImageFormat = "png",  # noqa: A002 (the word users look for)
        quality: int = 85,
        cursor: bool = False,
        unless: str | None = None,
    ) -> Frame:
        """Look at the screen.

        Args:
            region: Only this part of it: a box, or its x, y, width and height.
            format: Of the image: `png`, `jpeg` or `webp`.
            quality: Of a JPEG or WebP, from 1 to 100.
            cursor: Whether the pointer is drawn in.
            unless: The id of a frame that is known: if it is still shown, the image is empty.
        """
        part = None if region is None else of_numbers(Box, region, "screenshot.region")
        action = actions.Screenshot(part, format, quality, cursor, unless)
        seen = self._seen.get(action) if unless is None else None
        asked = action if seen is None else replace(action, unless=seen.id)
        result, image = await self._act(asked, None)
        result.raise_for_error()
        frame = replace(codec.decode(Frame, dict(result.data)), image=image)
        if seen is not None and frame.id == seen.id:
            return replace(frame, image=seen.image)
        if unless is None:
            self._seen = {action: frame}
        return frame

    async def screen_size(self) -> Size:
        """The size of the screen."""
        return codec.decode(Size, dict(await self._read(actions.Screen())))

    async def cursor(self) -> Point:
        """Where the pointer is."""
        return codec.decode(Point, dict(await self._read(actions.Cursor())))

    async def elements(
        self,
        app: str | None = None,
        visible_only: bool = True,
        limit: int = 5000,
        timeout: float = 3.0,
    ) -> ElementTree:
        """Read the accessibility tree."""
        data = await self._read(actions.Elements(app, visible_only, limit, timeout))
        return codec.decode(ElementTree, dict(data))

    async def windows(self) -> tuple[Window, ...]:
        """The windows, the topmost last."""
        data = await self._read(actions.Windows())
        return codec.decode(_WindowList, dict(data)).windows

    async def get_clipboard(self) -> str:
        """The text on the clipboard."""
        return str((await self._read(actions.GetClipboard()))["text"])

    async def wait(self, seconds: float) -> Result:
        """Let time pass."""
        return await self._do(actions.Wait(seconds=seconds))

    async def wait_stable(self, stable: float = 0.3, timeout: float = 10.0) -> Result:
        """Wait until the screen has not changed for a while."""
        return await self._do(actions.Wait(stable=stable, timeout=timeout))

    # The machine

    async def set_clipboard(self, text: str) -> Result:
        """Put text on the clipboard."""
        return await self._do(actions.SetClipboard(text))

    async def resize_screen(self, width: int, height: int) -> Result:
        """Change the size of the screen."""
        return await self._do(actions.ResizeScreen(width, height))

    async def open(self, what: str, *arguments: str) -> Result:
        """Open an application, a URL or a file."""
        return await self._do(actions.Open(what, arguments))

    async def focus_window(self, window: int) -> Result:
        """Raise a window and give it the keyboard."""
        return await self._do(actions.FocusWindow(window))

    async def move_window(self, window: int, x: int, y: int) -> Result:
        """Move a window."""
        return await self._do(actions.MoveWindow(window, x, y))

    async def resize_window(self, window: int, width: int, height: int) -> Result:
        """Give a window a new size."""
        return await self._do(actions.ResizeWindow(window, width, height))

    async def minimize_window(self, window: int) -> Result:
        """Minimise a window."""
        return await self._do(actions.MinimizeWindow(window))

    async def maximize_window(self, window: int, on: bool = True) -> Result:
        """Maximise a window, or restore it."""
        return await self._do(actions.MaximizeWindow(window, on))

    async def close_window(self, window: int) -> Result:
        """Ask a window to close."""
        return await self._do(actions.CloseWindow(window))

    async def shell(
        self,
        command: str,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        stdin: str | None = None,
        timeout: float = 60.0,
    ) -> Result:
        """Run a shell command and wait for it; its exit code is in `data["exit"]`."""
        return await self._do(actions.Shell(command, cwd, env or {}, stdin, timeout))

    async def read_file(self, path: str, limit: int | None = None) -> str:
        """Read a text file, all of it or the first `limit` characters.

        Raises:
            InvalidInput: Without a limit, it has more than a million characters.
        """
        most = actions.MAX_TEXT if limit is None else limit
        data = await self._read(actions.ReadFile(path, most))
        if data["truncated"] and limit is None:
            raise InvalidInput(f"{path} is too long to read as text", hint="read its bytes")
        return str(data["text"])

    async def write_file(self, path: str, text: str) -> Result:
        """Write a text file in one step."""
        return await self._do(actions.WriteFile(path, text))

    async def append_file(self, path: str, text: str) -> Result:
        """Add text to the end of a file."""
        return await self._do(actions.AppendFile(path, text))

    async def list_files(self, path: str) -> list[dict[str, Json]]:
        """The entries of a directory.

        Raises:
            InvalidInput: There are too many for one answer.
        """
        data = await self._read(actions.ListFiles(path))
        entries = data["entries"]
        assert isinstance(entries, list)
        if data["truncated"]:
            raise InvalidInput(f"{path} has more than {len(entries)} entries", hint="use run")
        return [entry for entry in entries if isinstance(entry, dict)]

    async def stat_file(self, path: str) -> dict[str, Json]:
        """Facts about a file."""
        return dict(await self._read(actions.StatFile(path)))

    async def make_directory(self, path: str) -> Result:
        """Make a directory and its parents."""
        return await self._do(actions.MakeDirectory(path))

    async def move_file(self, path: str, to: str) -> Result:
        """Rename a file or directory."""
        return await self._do(actions.MoveFile(path, to))

    async def delete_file(self, path: str, recursive: bool = False) -> Result:
        """Delete a file, or a whole directory."""
        return await self._do(actions.DeleteFile(path, recursive))

    # Streams

    @asynccontextmanager
    async def exec(
        self,
        *argv: str,
        command: str | None = None,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
        pty: tuple[int, int] | None = None,
        stdin: bool = False,
    ) -> AsyncIterator[Process]:
        """Start a program and stream its output; `pty` is (rows, columns) of a terminal."""
        args: dict[str, object] = {"stdin": stdin or pty is not None}
        if argv:
            args["argv"] = list(argv)
        optional = {"command": command, "cwd": cwd, "timeout": timeout}
        args.update({key: value for key, value in optional.items() if value is not None})
        if env:
            args["env"] = dict(env)
        if pty is not None:
            args["pty"] = {"rows": pty[0], "cols": pty[1]}
        stream = await self._link.open("exec", args)
        async with stream:
            started = (await stream.receive_message()).get("result")
            pid = started.get("pid") if isinstance(started, dict) else None
            if not isinstance(pid, int):
                raise ProtocolError("the guest did not say which process it started")
            yield Process(stream, pid)

    async def run(self, *argv: str, timeout: float | None = 60.0, stdin: bytes = b"") -> Completed:
        """Run a program to its end and keep its output."""
        async with self.exec(*argv, timeout=timeout, stdin=bool(stdin)) as process:
            if stdin:
                await process.write(stdin)
            await process.close_stdin()
            return await process.collect()

    async def start_process(
        self,
        *argv: str,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        name: str | None = None,
        restart: Restart = "never",
    ) -> str:
        """Start a program in the background and return its id.

        Args:
            argv: The program and its arguments.
            cwd: Where it runs; its home by default.
            env: Added to its environment.
            name: No other that runs may have it; what it started ends with it.
            restart: Start it again when it failed, or whenever it ended.
        """
        args: dict[str, object] = {"argv": list(argv), "env": dict(env or {})}
        if cwd is not None:
            args["cwd"] = cwd
        if name is not None or restart != "never":
            args |= {"name": name, "restart": restart}
        return str((await self._link.ask("process.start", args)).result["id"])

    async def list_processes(self) -> list[dict[str, Json]]:
        """The background programs, running or ended."""
        found = (await self._link.ask("process.list", {})).result["processes"]
        assert isinstance(found, list)
        return [item for item in found if isinstance(item, dict)]

    async def read_process(
        self, process: str, offset: int = 0, errors_offset: int = 0
    ) -> BackgroundOutput:
        """What a background program wrote, from these offsets on."""
        args = {"id": process, "offset": offset, "errors_offset": errors_offset}
        stream = await self._link.open("process.read", args, end=True)
        return await read_background(stream)

    async def kill_process(self, process: str) -> dict[str, Json]:
        """End a background program and all it started."""
        return (await self._link.ask("process.kill", {"id": process})).result

    async def read_bytes(self, path: str, offset: int = 0, length: int | None = None) -> bytes:
        """The bytes of a file, or of a part of it."""
        parts = [part async for part in transfer.read(self._link, path, offset, length)]
        return b"".join(parts)

    async def write_bytes(self, path: str, data: bytes | AsyncIterable[bytes]) -> dict[str, Json]:
        """Write a file in one step; an async iterable is streamed."""
        return await transfer.write(self._link, path, data)

    async def download(self, path: str, to: Path, progress: Progress = quiet) -> Copied:
        """Copy a file or a whole directory out of the machine."""
        return await transfer.download(self._link, self, path, to, progress)

    async def upload(self, source: Path, path: str, progress: Progress = quiet) -> Copied:
        """Copy a file or a whole directory into the machine."""
        return await transfer.upload(self._link, source, path, progress)

    async def sync_in(
        self,
        source: Path,
        path: str,
        *,
        delete: bool = False,
        checksum: bool = False,
        dry_run: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Synced:
        """Make a file or directory in the machine like one here; only what differs crosses.

        Args:
            source: What it should be like.
            path: Where, in the machine; made if it is not there.
            delete: Delete there what the source does not have, once all else is done.
            checksum: Compare files by their hashes, not by size and time.
            dry_run: Only say what would be done.
            progress: Told how many bytes of all that are to cross are dealt with.
        """
        from carrel.computer import syncing

        options = syncing.Options(delete, checksum, dry_run, progress or syncing.unwatched)
        return await syncing.sync_in(self._link, source, path, options)

    async def sync_out(
        self,
        path: str,
        target: Path,
        *,
        delete: bool = False,
        checksum: bool = False,
        dry_run: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Synced:
        """Make a file or directory here like one in the machine; see `sync_in`."""
        from carrel.computer import syncing

        options = syncing.Options(delete, checksum, dry_run, progress or syncing.unwatched)
        return await syncing.sync_out(self._link, path, target, options)

    async def list_tree(self, path: str, *, hashed: bool = False) -> list[dict[str, Json]]:
        """All that is below a directory, or the one file that is there; with hashes if wanted.

        Raises:
            NotFound: There is no such path.
        """
        from carrel.computer import syncing

        return await syncing.describe_tree(self._link, path, hashed=hashed)

    @asynccontextmanager
    async def forward(
        self, port: int, *, host: str = "127.0.0.1", local_port: int = 0
    ) -> AsyncIterator[int]:
        """Listen on this side's loopback and carry connections to a port in the machine."""
        async with forward.listen(self._link, host, port, local_port) as bound:
            yield bound

    @property
    def dial(self) -> Dial:
        """Connects to a port inside the machine, past this system's own loopback.

        `async with await computer.dial(8000) as stream:` is a byte stream of the caller alone.
        """
        return partial(forward.dial, self._link)

    async def shutdown(self) -> None:
        """Ask the guest to end, and the machine with it."""
        await self._link.ask("shutdown", {})


def _is_large(action: Action) -> bool:
    cls: type = type(action)
    for name in _field_names(cls):
        value = getattr(action, name)
        if isinstance(value, str) and len(value) > LARGE_TEXT:
            return True
    return False


@cache
def _field_names(cls: type) -> tuple[str, ...]:
    return tuple(item.name for item in fields(cls))


@dataclass(frozen=True, slots=True)
class _WindowList:
    windows: tuple[Window, ...]
