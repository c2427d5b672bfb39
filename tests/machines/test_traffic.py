"""What went between a machine and the network, counted while it goes on."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from test_egress import attached, echo, go, talk
from walls import eventually

from carrel.guest.tunnels import Traffic
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
