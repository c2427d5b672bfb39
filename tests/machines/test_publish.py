"""Ports on this computer's loopback: taken or not, and what becomes of whoever connects."""

from __future__ import annotations

import resource
import socket
from pathlib import Path

import anyio
import pytest
from anyio.abc import ByteStream
from walls import eventually

from carrel.errors import MachineLost, Unavailable
from carrel.machines.publish import MOST_CLIENTS, publish, require_free

pytestmark = pytest.mark.anyio


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def no_guest() -> ByteStream:
    raise MachineLost("there is nobody")


def test_a_free_port_is_free_and_stays_so() -> None:
    port = free_port()
    for _ in range(2):
        require_free([f"{port}:80"])


def test_a_port_in_use_is_told_with_another_to_try() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Unavailable, match=f"port {port} of this computer") as raised:
            require_free([f"{free_port()}:80", f"{port}:80"])
    assert raised.value.hint is not None
    assert "choose another: -p " in raised.value.hint


async def test_all_ports_are_listened_on_or_none() -> None:
    good = free_port()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = [f"{good}:80", f"{taken.getsockname()[1]}:81"]
        with anyio.fail_after(20), pytest.raises(BaseExceptionGroup) as raised:
            async with anyio.create_task_group() as tasks:
                await tasks.start(publish, ports, no_guest)
    assert raised.group_contains(Unavailable)
    require_free([f"{good}:80"])


async def test_who_connects_to_a_machine_that_does_not_answer_is_let_go(
    caplog: pytest.LogCaptureFixture,
) -> None:
    port = free_port()
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            await tasks.start(publish, [f"{port}:8000"], no_guest)
            for _ in range(3):
                async with await anyio.connect_tcp("127.0.0.1", port) as client:
                    with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                        await client.receive()
            tasks.cancel_scope.cancel()
    assert "published port 8000: there is nobody" in caplog.text
    # It ends with whoever published it.
    require_free([f"{port}:80"])


async def test_only_the_loopback_is_listened_on() -> None:
    port = free_port()
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            await tasks.start(publish, [f"{port}:8000"], no_guest)
            with socket.socket() as other:
                # Another address of this computer is free all the while.
                other.bind(("127.0.0.2", port))
            tasks.cancel_scope.cancel()


async def test_strangers_cannot_use_up_what_the_keeper_needs() -> None:
    port, asked = free_port(), 0
    let_go = anyio.Event()

    async def busy_guest() -> ByteStream:
        nonlocal asked
        asked += 1
        await let_go.wait()
        raise MachineLost("there is nobody")

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            await tasks.start(publish, [f"{port}:8000"], busy_guest)
            clients = [await anyio.connect_tcp("127.0.0.1", port) for _ in range(MOST_CLIENTS + 9)]
            await eventually("all that may", lambda: asked >= MOST_CLIENTS, 10)
            await anyio.sleep(0.1)
            assert asked == MOST_CLIENTS
            let_go.set()
            # Those who had to wait come in when others are gone.
            for client in clients:
                with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                    await client.receive()
                await client.aclose()
            assert asked == len(clients)
            tasks.cancel_scope.cancel()


async def test_a_lack_of_descriptors_passes() -> None:
    port = free_port()
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            await tasks.start(publish, [f"{port}:8000"], no_guest)
            client = await anyio.connect_tcp("127.0.0.1", port)
            hoard = [client]
            before = resource.getrlimit(resource.RLIMIT_NOFILE)
            used = len(list(Path("/proc/self/fd").iterdir()))
            resource.setrlimit(resource.RLIMIT_NOFILE, (used + 1, before[1]))
            try:
                hoard.append(await anyio.connect_tcp("127.0.0.1", port))
                await anyio.sleep(0.3)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, before)
            for each in hoard:
                with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                    await each.receive()
                await each.aclose()
            tasks.cancel_scope.cancel()
