"""Background programs that are started again, as real processes."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from serving import ask, rest, serving

from carrel.errors import AlreadyExists, CarrelError, InvalidInput
from carrel.guest import restarts
from carrel.guest.background import Background
from carrel.guest.restarts import FIRST_DELAY, LONGEST_DELAY, STEADY, Restarts
from carrel.stream import Connection, Message, Stream

QUICK = 0.02


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restarts, "FIRST_DELAY", QUICK)


@asynccontextmanager
async def guest(cwd: Path) -> AsyncIterator[Connection]:
    subject = Background(lambda: {"PATH": os.environ["PATH"]}, str(cwd))

    def replying(method):
        async def op(stream: Stream, args: dict[str, object]) -> None:
            await stream.send_message({"result": await method(args)})

        return op

    ops = {
        "process.read": subject.read,
        "process.start": replying(subject.start),
        "process.list": replying(subject.list),
        "process.kill": replying(subject.kill),
    }
    async with serving(ops) as client:
        try:
            with anyio.fail_after(30):
                yield client
        finally:
            await subject.close()


def lives(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


async def start(client: Connection, command: str, **wishes: object) -> str:
    wishes = {"name": "app", **wishes}
    return str((await ask(client, "process.start", command=command, **wishes)).last["result"]["id"])


async def only(client: Connection) -> dict[str, object]:
    (found,) = (await ask(client, "process.list")).last["result"]["processes"]
    return dict(found)


async def until(client: Connection, condition) -> dict[str, object]:
    while True:
        if condition(found := await only(client)):
            return found
        await anyio.sleep(0.01)


@pytest.mark.anyio
async def test_one_that_fails_is_started_again_until_it_succeeds(tmp_path: Path) -> None:
    script = "echo run >> runs; echo out; test $(wc -l < runs) -ge 3"
    async with guest(tmp_path) as client:
        process = await start(client, script, restart="on-failure")
        answer = await ask(client, "process.read", id=process, follow=True)
        found = await only(client)
    assert answer.out == b"out\n" * 3
    ends = [message["ended"] for message in answer.messages if "ended" in message]
    assert [(end["number"], end["exit"]) for end in ends] == [(1, 1), (2, 1), (3, 0)]
    assert [end["next"] is None for end in ends] == [False, False, True]
    assert answer.last["exit"] == 0
    assert (found["running"], found["restarts"], found["next"]) == (False, 2, None)


@pytest.mark.anyio
async def test_one_that_never_is_to_be_restarted_ends_with_its_status(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        process = await start(client, "exit 3")
        answer = await ask(client, "process.read", id=process, follow=True)
    assert answer.last["exit"] == 3
    assert [m["ended"]["exit"] for m in answer.messages if "ended" in m] == [3]


@pytest.mark.anyio
async def test_always_means_also_after_success(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        process = await start(client, "echo run >> runs", restart="always")
        found = await until(client, lambda item: item["restarts"] >= 3)
        assert found["restart"] == "always"
        await ask(client, "process.kill", id=process)
        count = len((tmp_path / "runs").read_text().splitlines())
        after = await only(client)
        assert after["restarts"] in (count, count - 1)
        assert after["next"] is None


@pytest.mark.anyio
async def test_a_killed_one_comes_back_with_another_process(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        await start(client, "sleep 60", restart="on-failure")
        first = (await only(client))["pid"]
        os.kill(int(first), signal.SIGKILL)
        found = await until(client, lambda item: item["restarts"] == 1 and item["running"])
        assert found["pid"] != first


@pytest.mark.anyio
async def test_one_that_is_ended_does_not_come_back(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        process = await start(client, "sleep 60", restart="always")
        told = (await ask(client, "process.kill", id=process)).last["result"]
        assert (told["running"], told["signal"]) == (False, signal.SIGTERM)
        answer = await ask(client, "process.read", id=process, follow=True)
        assert answer.last["signal"] == signal.SIGTERM
        assert (await only(client))["restarts"] == 0


@pytest.mark.anyio
async def test_one_that_waits_for_its_turn_can_be_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restarts, "FIRST_DELAY", 20.0)
    async with guest(tmp_path) as client:
        process = await start(client, "exit 9", restart="on-failure")
        found = await until(client, lambda item: item["next"] is not None)
        assert (found["running"], found["exit"]) == (False, 9)
        with anyio.fail_after(5):
            await ask(client, "process.kill", id=process)
            answer = await ask(client, "process.read", id=process, follow=True)
        assert answer.last["exit"] == 9
        # The name is free again.
        await start(client, "true")


@pytest.mark.anyio
async def test_what_it_left_running_ends_with_it(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        process = await start(client, "sleep 60 & echo $!; exit 1")
        answer = await ask(client, "process.read", id=process, follow=True)
    assert not lives(int(answer.out))


DAEMON = "mkfifo said; (env -i setsid sh -c 'echo $$; echo > said; exec sleep 60' &); read _ < said"
"""Gets away: neither its mark nor its session nor its parent tells whose it is."""


def put_down(pids: bytes) -> None:
    for pid in pids.split():
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


@pytest.mark.anyio
async def test_a_daemon_that_got_away_does_not_keep_the_name(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        process = await start(client, f"{DAEMON}; exec sleep 60")
        await until(client, lambda found: found["stdout"])
        said = (await ask(client, "process.read", id=process)).out
        try:
            ended = (await ask(client, "process.kill", id=process)).last["result"]
            assert ended["running"] is False
            await start(client, "true")
        finally:
            put_down(said)


@pytest.mark.anyio
async def test_one_that_left_a_daemon_is_started_again(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        process = await start(client, f"{DAEMON}; exit 3", restart="on-failure")
        await until(client, lambda found: found["restarts"] == 1)
        await ask(client, "process.kill", id=process)
        daemons = (await ask(client, "process.read", id=process)).out
        put_down(daemons)
        assert daemons


@pytest.mark.anyio
async def test_one_without_a_name_is_let_go_when_it_is_ended(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        process = await start(client, f"{DAEMON}; exit 0", name=None)
        await until(client, lambda found: not found["running"] and found["stdout"])
        await ask(client, "process.kill", id=process)
        # Without an end of its output this would never return.
        put_down((await ask(client, "process.read", id=process, follow=True)).out)


@pytest.mark.anyio
async def test_a_program_that_vanished_is_told_as_such_and_tried_again(tmp_path: Path) -> None:
    script = tmp_path / "app"
    script.write_text("#!/bin/sh\nrm app; exit 1\n")
    script.chmod(0o700)
    async with guest(tmp_path) as client:
        await ask(client, "process.start", argv=["./app"], name="app", restart="on-failure")
        found = await until(client, lambda item: item["restarts"] >= 2)
        assert found["exit"] == 127
        draft = tmp_path / "draft"
        draft.write_text("#!/bin/sh\necho back; exit 0\n")
        draft.chmod(0o700)
        draft.rename(script)
        found = await until(client, lambda item: item["exit"] == 0)
        assert found["stdout"] == len("back\n")


@pytest.mark.anyio
async def test_a_name_is_taken_only_while_its_process_lives(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        process = await start(client, "sleep 60")
        with pytest.raises(AlreadyExists, match="app runs already"):
            await start(client, "true")
        await ask(client, "process.kill", id=process)
        await start(client, "true")


@pytest.mark.anyio
async def test_known_ends_are_not_told_again(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        process = await start(client, "test -e done && sleep 60; exit 4", restart="on-failure")
        await until(client, lambda item: item["restarts"] >= 2)
        stream = await client.open(
            {
                "op": "process.read",
                "id": "req_1",
                "args": {"id": process, "follow": True, "endings": 1},
            }
        )
        async with stream:
            await stream.receive_message()
            item = await stream.receive()
            assert isinstance(item, Message)
            assert item.data["ended"]["number"] == 2
            (tmp_path / "done").touch()
            await ask(client, "process.kill", id=process)
            await rest(stream)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "wish", [{"name": ""}, {"name": "a\nb"}, {"name": "x" * 81}, {"restart": "sometimes"}]
)
async def test_wishes_without_a_meaning_are_refused(tmp_path: Path, wish: dict[str, str]) -> None:
    async with guest(tmp_path) as client:
        with pytest.raises((InvalidInput, CarrelError)):
            await start(client, "true", **wish)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 200)), max_size=60))
def test_delays_double_within_bounds_and_begin_anew_after_a_steady_run(
    ends: list[tuple[bool, float]],
) -> None:
    policy = Restarts("on-failure")
    in_a_row = 0
    for failed, lived in ends:
        delay = policy.after(failed, lived)
        if not failed:
            assert delay is None
            continue
        in_a_row = 1 if lived >= STEADY else in_a_row + 1
        first = restarts.FIRST_DELAY
        assert delay == min(first * 2.0 ** (in_a_row - 1), LONGEST_DELAY)
    assert policy.count == sum(failed for failed, _ in ends)
    assert Restarts("never").after(True, 0) is None
    assert FIRST_DELAY < LONGEST_DELAY
