from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import pytest

from carrel.computer.local import local_computer
from carrel.errors import CarrelError, MachineLost, TimedOut
from carrel.guest import pulse
from carrel.guest.pulse import Pulse

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

Server = tuple[str, "subprocess.Popen[bytes]"]


@contextmanager
def stopped(server: subprocess.Popen[bytes]) -> Iterator[None]:
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


async def test_a_living_server_has_a_pulse_and_a_dead_one_is_lost(
    x_server_process: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "_FRESH", 0.0)
    name, server = x_server_process
    felt = Pulse(name)
    with anyio.fail_after(20):
        await felt.check()
        server.kill()
        server.wait()
        with pytest.raises(MachineLost):
            await felt.check()
    felt.close()


async def test_a_server_that_wakes_up_in_time_is_waited_for(x_server_process: Server) -> None:
    name, server = x_server_process
    felt = Pulse(name)
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            with stopped(server):
                for _ in range(5):
                    tasks.start_soon(felt.check)
                await anyio.sleep(0.3)
    felt.close()


async def test_a_silent_display_holds_up_nothing_but_what_needs_it(
    x_server_process: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "ANSWER_SECONDS", 4.0)
    monkeypatch.setattr(pulse, "_FRESH", 0.0)
    name, server = x_server_process
    silent: list[CarrelError] = []

    with anyio.fail_after(60):
        async with local_computer(name) as computer:
            await computer.move(5, 5)
            with stopped(server):
                async with anyio.create_task_group() as tasks:

                    async def move() -> None:
                        with pytest.raises(TimedOut, match="did not answer") as caught:
                            await computer.move(6, 6)
                        silent.append(caught.value)

                    tasks.start_soon(move)
                    tasks.start_soon(move)
                    with anyio.fail_after(3.5):
                        assert (await computer.run("echo", "alive")).stdout == b"alive\n"
                    assert silent == []
            assert len(silent) == 2
            await computer.move(7, 7)
            assert (await computer.cursor()).x == 7
