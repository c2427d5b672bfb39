"""What the client promises beyond carrying actions: nothing is cut, lost or left out in silence."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from anyio.abc import ByteStream

from carrel.actions import Shell, WriteFile
from carrel.computer import Computer
from carrel.computer import client as client_module
from carrel.computer.local import local_computer
from carrel.errors import InvalidInput, TimedOut, WrongState
from carrel.frames import ImageFormat
from carrel.geometry import Box, Size
from carrel.results import Result

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def computer_at(home: Path) -> AsyncIterator[Computer]:
    with anyio.fail_after(60):
        async with local_computer(size=Size(640, 480), home=home) as computer:
            yield computer


async def test_a_computer_that_is_not_entered_says_so() -> None:
    async def connect() -> ByteStream:
        raise AssertionError

    with pytest.raises(WrongState, match="not connected"):
        await Computer(connect).info()


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda c: c.click("5", 5), "click.x"),
        (lambda c: c.click(5, 5, modifiers=7), "click.modifiers"),
        (lambda c: c.type(None), "type.text"),
        (lambda c: c.key(5), "key.keys"),
        (lambda c: c.drag([(1, 2), (3, "4")]), "drag.path"),
        (lambda c: c.drag([(1, 2), (3, 4, 5)]), "drag.path"),
        (lambda c: c.drag(5), "drag.path"),
        (lambda c: c.screenshot((0, 0, 10)), "screenshot.region"),
        (lambda c: c.screenshot((0, 0, 10, "10")), "screenshot.region"),
        (lambda c: c.screenshot("all"), "screenshot.region"),
        (lambda c: c.screenshot(quality="x"), "screenshot.quality"),
        (lambda c: c.shell("x", env=[1]), "shell.env"),
        (lambda c: c.open(5), "open.what"),
    ],
)
async def test_an_ill_typed_argument_is_named_before_anything_is_sent(
    call: Callable[[Computer], Awaitable[object]], field: str
) -> None:
    async def connect() -> ByteStream:
        raise AssertionError

    with pytest.raises(InvalidInput, match=re.escape(field)):
        await call(Computer(connect))


@pytest.mark.desktop
async def test_a_region_may_be_plain_numbers(tmp_path: Path) -> None:
    async with computer_at(tmp_path) as computer:
        frame = await computer.screenshot((10, 20, 30, 40))
        assert frame.region == Box(10, 20, 30, 40)
        assert frame.id == (await computer.screenshot(Box(10, 20, 30, 40))).id


@pytest.mark.desktop
async def test_a_text_too_long_is_refused_unless_a_part_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "long").write_text("x" * 1_000_001)
    async with computer_at(tmp_path) as computer:
        assert await computer.read_file("long", limit=3) == "xxx"
        with pytest.raises(InvalidInput, match="too long"):
            await computer.read_file("long")
        with pytest.raises(InvalidInput, match="limit"):
            await computer.read_file("long", limit=0)


@pytest.mark.desktop
async def test_what_a_tree_cannot_hold_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "kept").write_text("kept")
    (tree / "away").symlink_to("/etc/hostname")
    home = tmp_path / "home"
    home.mkdir()
    async with computer_at(home) as computer:
        with caplog.at_level(logging.WARNING):
            await computer.upload(tree, "copy")
        assert "1 of" in caplog.text
        assert "away" in caplog.text
        caplog.clear()
        (home / "copy" / "out").symlink_to("/etc/hostname")
        with caplog.at_level(logging.WARNING):
            await computer.download("copy", tmp_path / "back")
        assert "1 of copy left out" in caplog.text
    assert [path.name for path in (tmp_path / "back").iterdir()] == ["kept"]


@pytest.mark.desktop
async def test_a_command_whose_time_is_up_tells_what_it_had_said(tmp_path: Path) -> None:
    async with computer_at(tmp_path) as computer:
        result = await computer.act(Shell("echo so far; sleep 60", timeout=1.0))
        assert result.error is not None
        assert result.error.context["stdout"] == "so far\n"
        with pytest.raises(TimedOut) as caught:
            result.raise_for_error()
    assert caught.value.context["stdout"] == "so far\n"


@pytest.mark.desktop
async def test_what_was_written_is_evidence(tmp_path: Path) -> None:
    async with computer_at(tmp_path) as computer:
        result = await computer.act(WriteFile("note", "four"))
    assert result.evidence == {"path": str(tmp_path / "note"), "size": 4}


@pytest.mark.desktop
@pytest.mark.parametrize("form", ["png", "jpeg"])
async def test_a_screen_that_stays_crosses_once_and_is_given_whole(
    tmp_path: Path, form: ImageFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    crossed: list[int] = []
    real = client_module.Computer._act

    async def counted(self: Computer, *args: object) -> tuple[Result, bytes]:
        answer = await real(self, *args)  # type: ignore[arg-type]
        crossed.append(len(answer[1]))
        return answer

    monkeypatch.setattr(client_module.Computer, "_act", counted)
    async with computer_at(tmp_path) as computer:
        await computer.wait_stable()
        crossed.clear()
        first = await computer.screenshot(format=form)
        second = await computer.screenshot(format=form)
        assert (second.id, second.image) == (first.id, first.image)
        part = await computer.screenshot(Box(0, 0, 50, 40), form)
        assert part.image != first.image
        again = await computer.screenshot(format=form)
        assert again.image == first.image
        assert (await computer.screenshot(format=form, unless=first.id)).image == b""
    assert first.image
    assert crossed == [len(first.image), 0, len(part.image), len(first.image), 0]
