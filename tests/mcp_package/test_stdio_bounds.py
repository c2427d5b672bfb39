"""What a server that knows no measure can do to its session: real processes, a guest in memory."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from anyio.abc import ByteStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from carrel.guest.processes import Processes
from carrel.machines.apps import APP_LOG, App
from carrel.machines.attendant import MAX_LINE
from carrel.machines.spec import Machine, MachineSpec
from carrel.mcp import stdio
from carrel.stream import Connection, Stream, memory_pair

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> AsyncIterator[tuple[stdio.StdioServer, Any, Any]]:
    """A session with a server that is a shell script, and the client's ends of it."""
    processes = Processes(lambda: {"PATH": os.environ["PATH"]}, str(tmp_path))

    async def handle(stream: Stream) -> None:
        args = stream.header["args"]
        assert isinstance(args, dict)
        await processes.exec(stream, args)

    ours, theirs = memory_pair()

    async def channel(machine: Machine) -> ByteStream:
        return ours

    monkeypatch.setattr(stdio, "get_provider", lambda name: SimpleNamespace(channel=channel))
    machine = Machine("mac_1", "desk", MachineSpec(), tmp_path, 0.0)
    app = App("rude", ("/bin/sh", "-c", script), str(tmp_path), 1.0)
    server = stdio.StdioServer(machine, app)
    asks, incoming = anyio.create_memory_object_stream[Any](10)
    outgoing, answers = anyio.create_memory_object_stream[Any](10)
    hello = {"carrel": 1, "boot": "boot_1"}
    async with Connection(theirs, initiator=False, handler=handle, hello=hello):
        with asks, incoming, outgoing, answers, anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(server.run, incoming, outgoing)
                yield server, asks, answers
                tasks.cancel_scope.cancel()


def question(number: int) -> SessionMessage:
    return SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=number, method="tools/list"))


async def test_junk_is_cut_in_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = """read line; head -c 3000000 /dev/zero | tr '\\0' j; echo
        echo '{"jsonrpc":"2.0","id":1,"result":{}}'; cat"""
    async with session(tmp_path, monkeypatch, script) as (_, asks, answers):
        await asks.send(question(1))
        assert isinstance((await answers.receive()).message, JSONRPCResponse)
    (line,) = (tmp_path / APP_LOG).read_text().splitlines()
    assert json.loads(line)["text"] == "j" * MAX_LINE


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ('{"jsonrpc":"2.0","id":2,"result":"', '"}'),
        ('{"result":"', '","jsonrpc":"2.0","id":2}'),
    ],
)
async def test_a_message_that_is_too_large_answers_its_request_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str, tail: str
) -> None:
    monkeypatch.setattr(stdio, "MAX_MESSAGE", 100_000)
    script = f"""read one; read two; printf %s '{head}'
        head -c 300000 /dev/zero | tr '\\0' x; echo '{tail}'
        echo '{{"jsonrpc":"2.0","id":1,"result":{{}}}}'; cat"""
    async with session(tmp_path, monkeypatch, script) as (_, asks, answers):
        await asks.send(question(1))
        await asks.send(question(2))
        refused = (await answers.receive()).message
        assert isinstance(refused, JSONRPCError)
        assert refused.id == 2
        assert "at most 100000 are passed on" in refused.error.message
        served = (await answers.receive()).message
        assert isinstance(served, JSONRPCResponse)
        assert served.id == 1
    assert len((tmp_path / APP_LOG).read_bytes()) < 1000


async def test_questions_of_a_server_are_remembered_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio, "MAX_ASKED", 5)
    script = """read line; for n in 1 2 3 4 5 6 7 8 9; do
        printf '{"jsonrpc":"2.0","id":"%s","method":"ping"}\\n' $n; done
        printf '{"jsonrpc":"2.0","id":"%05000d","method":"ping"}\\n' 0
        echo '{"jsonrpc":"2.0","id":1,"result":{}}'; cat"""
    async with session(tmp_path, monkeypatch, script) as (server, asks, answers):
        await asks.send(question(1))
        got = [(await answers.receive()).message for _ in range(10)]
        assert [type(message) for message in got] == [JSONRPCRequest] * 9 + [JSONRPCResponse]
        assert list(server._asked) == ["5", "6", "7", "8", "9"]
