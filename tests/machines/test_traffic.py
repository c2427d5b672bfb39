"""What went between a machine and the network, counted while it goes on."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import pytest
from test_egress import attached, echo, go, talk
from walls import eventually

from carrel.guest.tunnels import Traffic
from carrel.machines import traffic
from carrel.machines.egress import EgressPolicy, Rule
from carrel.machines.traffic import TrafficCount, read_traffic

pytestmark = pytest.mark.anyio


async def test_what_connections_carry_is_counted_ended_or_not(tmp_path: Path) -> None:
    path = tmp_path / "traffic"
    async with echo() as port:
        rules = [Rule("localhost", port)]
        policy = EgressPolicy("allowlist", rules, count=TrafficCount(path))
        assert read_traffic(path) == (0, 0), "from the start on"
        async with attached(policy) as inside:
            assert (
                await talk(await go(inside, "localhost", port), b"x" * 1000) == b"x" * 1000 + b"!"
            )
            await eventually("counted", lambda: read_traffic(path) == (1001, 1000), 20)
            async with await go(inside, "localhost", port) as stream:
                await stream.send(b"y" * 50)
                await eventually(
                    "counted while open", lambda: read_traffic(path) == (1051, 1050), 20
                )
            await eventually("its end", lambda: (read_traffic(path) or (0,))[0] >= 1051, 20)


async def test_however_many_connections_are_open_the_figures_are_written_once_in_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every, span = 0.2, 1.0
    monkeypatch.setattr(traffic, "_EVERY", every)
    path = tmp_path / "traffic"
    count = TrafficCount(path)
    written: set[int] = set()
    carried = [Traffic() for _ in range(50)]
    with anyio.fail_after(60):
        async with AsyncExitStack() as stack:
            for each in carried:
                await stack.enter_async_context(count.counting(each))
            began = anyio.current_time()
            while (took := anyio.current_time() - began) < span or len(written) < 3:
                carried[0].received += 1
                written.add((read_traffic(path) or (0, 0))[0])
                await anyio.sleep(0.001)
    assert len(written) <= took / every + 2, written
    assert read_traffic(path) == (carried[0].received, 0)


async def test_a_disk_without_room_costs_figures_only(tmp_path: Path) -> None:
    missing = tmp_path / "gone" / "traffic"
    count = TrafficCount(missing)
    with anyio.fail_after(20):
        async with count.counting(Traffic()):
            pass
    assert read_traffic(missing) is None


@pytest.mark.parametrize("text", ["", "12", "a b", "1 2 3"])
def test_a_file_that_says_nothing_is_unknown(tmp_path: Path, text: str) -> None:
    (tmp_path / "traffic").write_text(text)
    assert read_traffic(tmp_path / "traffic") is None
