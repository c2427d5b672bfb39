"""What the guest answers as a whole: every command once, whoever asks again, and nothing left."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from serving import Answer, rest

from carrel.actions import AppendFile, Click, MouseDown, MouseUp, encode_action
from carrel.codec import Json
from carrel.computer.local import local_computer
from carrel.errors import CarrelError, Interrupted, InvalidInput
from carrel.geometry import Size
from carrel.guest.desk import Desk, DeskOptions
from carrel.guest.server import Guest
from carrel.stream import Connection, call, memory_pair

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


@asynccontextmanager
async def serving_guest(display: str, home: Path) -> AsyncIterator[Connection]:
    guest = Guest(Desk(DeskOptions(size=Size(1024, 768), display=display)), home)
    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(guest.run)
            ours, theirs = memory_pair()
            tasks.start_soon(guest.serve, theirs)
            async with Connection(ours, initiator=True) as connection:
                await connection.ready()
                yield connection
            guest.request_stop()


async def ask(
    connection: Connection, op: str, name: str, args: dict[str, Json], body: bytes | None = None
) -> Answer:
    stream = await connection.open({"op": op, "id": name, "args": args}, end=body is None)
    async with stream:
        if body is not None:
            await stream.send(body, end=True)
        return await rest(stream)


async def test_a_repeated_write_answers_the_first_result_and_writes_once(
    x_display: str, tmp_path: Path
) -> None:
    args: dict[str, Json] = {"path": "log", "append": True}
    async with serving_guest(x_display, tmp_path) as connection:
        first = await ask(connection, "file.write", "req_a", args, b"one\n")
        second = await ask(connection, "file.write", "req_a", args, b"one\n")
    assert first.last == second.last
    assert (tmp_path / "log").read_text() == "one\n"


async def test_a_repeated_program_is_not_run_again_and_said_so(
    x_display: str, tmp_path: Path
) -> None:
    args: dict[str, Json] = {"command": "echo x >> ran; echo said"}
    async with serving_guest(x_display, tmp_path) as connection:
        assert (await ask(connection, "exec", "req_a", args)).out == b"said\n"
        with pytest.raises(Interrupted, match="served before"):
            await ask(connection, "exec", "req_a", args)
    assert (tmp_path / "ran").read_text() == "x\n"


async def test_a_program_that_could_not_start_fails_alike_when_asked_again(
    x_display: str, tmp_path: Path
) -> None:
    async with serving_guest(x_display, tmp_path) as connection:
        for _ in range(2):
            with pytest.raises(CarrelError, match="no program"):
                await ask(connection, "exec", "req_a", {"argv": ["no-such-program"]})


async def test_a_repeated_signal_is_sent_once(x_display: str, tmp_path: Path) -> None:
    script = "trap 'echo hit >> hits' USR1; touch ready; while :; do sleep 0.05; done"
    async with serving_guest(x_display, tmp_path) as connection:
        started = await ask(connection, "process.start", "req_a", {"command": script})
        again = await ask(connection, "process.start", "req_a", {"command": script})
        assert started.last == again.last
        await until((tmp_path / "ready").exists)
        facts = started.last["result"]
        assert isinstance(facts, dict)
        kill: dict[str, Json] = {"id": facts["id"], "signal": 10}
        for _ in range(2):
            await ask(connection, "process.kill", "req_b", kill)
            await until((tmp_path / "hits").exists)
        await ask(connection, "process.kill", "req_c", {"id": facts["id"]})
    assert (tmp_path / "hits").read_text() == "hit\n"


async def test_an_id_used_for_something_else_is_refused(x_display: str, tmp_path: Path) -> None:
    def append(text: str) -> dict[str, Json]:
        return {"action": encode_action(AppendFile("log", text))}

    async with serving_guest(x_display, tmp_path) as connection:
        await call(connection, "act", append("a"), id="req_a")
        with pytest.raises(InvalidInput, match="another request"):
            await call(connection, "act", append("b"), id="req_a")
        with pytest.raises(InvalidInput, match="another request"):
            await call(connection, "process.start", {"command": "true"}, id="req_a")
    assert (tmp_path / "log").read_text() == "a"


@pytest.mark.parametrize("op", ["info", "shutdown", "egress.attach"])
async def test_arguments_that_mean_nothing_are_refused(
    x_display: str, tmp_path: Path, op: str
) -> None:
    async with serving_guest(x_display, tmp_path) as connection:
        with pytest.raises(InvalidInput, match="no arguments"):
            await call(connection, op, {"extra": 1})


async def test_a_large_request_must_be_as_long_as_it_says(x_display: str, tmp_path: Path) -> None:
    async with serving_guest(x_display, tmp_path) as connection:
        for size in (1, 10_000):
            with pytest.raises(InvalidInput, match="bytes long"):
                await call(connection, "act", {"json": size}, body=b'{"action": {}}')
        with pytest.raises(InvalidInput, match="at most"):
            await call(connection, "act", {"json": 10**12}, body=b"{}")


async def test_a_button_that_cannot_be_read_back_is_not_confirmed(x_display: str) -> None:
    with anyio.fail_after(60):
        async with local_computer(x_display) as computer:
            assert (await computer.act(MouseDown("left"))).effect == "confirmed"
            assert (await computer.act(MouseUp("left"))).effect == "confirmed"
            down = await computer.act(MouseDown("back"))
            assert down.effect == "unverifiable"
            assert "down" not in down.evidence
            assert (await computer.act(MouseUp("back"))).effect == "unverifiable"
            assert (await computer.act(Click(5, 5))).effect == "unverifiable"


async def test_a_desk_is_cleared_away_when_its_user_fails() -> None:
    marks: list[bytes] = []

    async def use() -> None:
        async with local_computer(size=Size(640, 480)) as computer:
            marks.append((await computer.run("sh", "-c", "echo $CARREL_DESK")).stdout.strip())
            assert alive(marks[0])
            raise ZeroDivisionError

    with anyio.fail_after(60):
        with pytest.raises(ZeroDivisionError):
            await use()
        await until(lambda: not alive(marks[0]))


async def test_a_program_started_at_once_finds_the_display() -> None:
    with anyio.fail_after(60):
        async with local_computer(size=Size(640, 480)) as computer:
            done = await computer.run("sh", "-c", "echo $DISPLAY")
    assert done.stdout.startswith(b":")


async def until(true: Callable[[], object]) -> None:
    while not true():  # noqa: ASYNC110 (nobody tells when)
        await anyio.sleep(0.01)


def alive(mark: bytes) -> list[Path]:
    """The processes of a desk."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"CARREL_DESK=" + mark in (process / "environ").read_bytes().split(b"\0"):
                found.append(process)
        except OSError:  # gone meanwhile, or not ours
            continue
    return found
