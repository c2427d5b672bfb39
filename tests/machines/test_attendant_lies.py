"""An attendant whose machine answers what makes no sense: it tells so, and goes on."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest
from anyio.abc import ByteStream, TaskGroup

from carrel.codec import Json
from carrel.machines import attendant
from carrel.machines.apps import APP_LOG, App, Apps
from carrel.machines.attendant import Attendant
from carrel.machines.linelog import CARREL_LOG
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import State
from carrel.stream import Connection, Stream, memory_pair

pytestmark = pytest.mark.anyio

HONEST: Json = {"processes": [{"id": "proc_1", "name": "app:web"}]}
BEGIN: Json = {"offset": 0, "errors_offset": 0}
ENDED: dict[str, Json] = {"number": 1, "exit": 3, "signal": None, "next": None}


class Guest:
    """Says what it is told to say, and the truth once that is used up."""

    def __init__(self, listing: Json, begin: Json, ended: dict[str, Json]) -> None:
        self.lies: tuple[Json, Json, dict[str, Json]] | None = (listing, begin, ended)
        self.connections = 0
        self.tasks: TaskGroup | None = None

    async def inspect(self, machine: Machine) -> SimpleNamespace:
        return SimpleNamespace(state=State.RUNNING)

    async def channel(self, machine: Machine) -> ByteStream:
        self.connections += 1
        if self.connections > 3:
            self.lies = None
        ours, theirs = memory_pair()
        assert self.tasks is not None
        self.tasks.start_soon(self.serve, theirs)
        return ours

    async def serve(self, line: ByteStream) -> None:
        async with Connection(line, initiator=False, handler=self.answer) as connection:
            await connection.wait_closed()

    async def answer(self, stream: Stream) -> None:
        listing, begin, ended = self.lies or (HONEST, BEGIN, ENDED)
        if stream.header["op"] == "process.list":
            await stream.send_message({"result": listing})
            return
        await stream.send_message({"result": begin})
        await stream.send(b"words\n")
        await stream.send_message({"ended": ended})


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    directory = tmp_path / "machines" / "mac_1"
    directory.mkdir(parents=True)
    made = Machine("mac_1", "desk", MachineSpec(), directory, 0.0)
    Apps(made).put(App("web", ("true",), "~", 1.0), replacing=False)
    return made


@pytest.mark.parametrize(
    ("listing", "begin", "ended"),
    [
        ({}, BEGIN, ENDED),
        ({"processes": 3}, BEGIN, ENDED),
        ({"processes": [3]}, BEGIN, ENDED),
        ({"processes": [{"name": "app:web"}]}, BEGIN, ENDED),
        ({"processes": [{"id": ["x"], "name": "app:web"}]}, BEGIN, ENDED),
        ({"processes": [{"id": "x", "name": {"app:web": 1}}]}, BEGIN, ENDED),
        ({"processes": [{"id": "x" * 500, "name": "app:web"}]}, BEGIN, ENDED),
        ({"processes": [{"id": "x", "name": "app:web"}] * 2000}, BEGIN, ENDED),
        (HONEST, 3, ENDED),
        (HONEST, {}, ENDED),
        (HONEST, {"offset": -1, "errors_offset": 0}, ENDED),
        (HONEST, {"offset": 10**100, "errors_offset": 0}, ENDED),
        (HONEST, BEGIN, {**ENDED, "number": "first"}),
        (HONEST, BEGIN, {**ENDED, "exit": {"a": 1}}),
        (HONEST, BEGIN, {**ENDED, "signal": "x" * 1000}),
    ],
)
async def test_nonsense_is_noted_once_and_the_attendant_goes_on(
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    listing: Json,
    begin: Json,
    ended: dict[str, Json],
) -> None:
    guest = Guest(listing, begin, ended)
    monkeypatch.setattr(attendant, "get_provider", lambda name: guest)
    monkeypatch.setattr(attendant, "_DISTRUST", 0.01)
    monkeypatch.setattr(attendant, "_RECONNECT", 0.01)
    log = machine.directory / APP_LOG
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            guest.tasks = tasks
            tasks.start_soon(Attendant(machine).run)
            # A file is all there is to see of it.
            while not log.is_file() or '"ends"' not in log.read_text():  # noqa: ASYNC110
                await anyio.sleep(0.01)
            tasks.cancel_scope.cancel()
    assert guest.connections == 4
    noted = (machine.directory / CARREL_LOG).read_text().splitlines()
    assert len([line for line in noted if "answers cannot be used" in line]) == 1
    last = json.loads(log.read_text().splitlines()[-1])
    assert (last["stream"], last["text"]) == ("ends", "ended with status 3")
