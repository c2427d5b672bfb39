"""Ports on this computer's loopback: taken or not, and what becomes of whoever connects."""

from __future__ import annotations

import socket

import anyio
import pytest
from anyio.abc import ByteStream

from carrel.errors import MachineLost, Unavailable
from carrel.machines.publish import publish, require_free

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
