"""Clicks, moves and typing over the stream, against XTEST in process and cua's computer-server."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from benchmarks._peer import Absent, Peer, peer
from benchmarks.desks import SMALL, Bench, Desk
from benchmarks.report import Row, Target, Work, alternate, limit

__all__ = ["measure"]

TEXT = "thequickbrownfoxjump"
BARE, MANAGED = (100, 100), (600, 400)
BY_PEER = "against cua-computer-server by WebSocket"
# What 0.5 ms were to its 0.64 ms, on one computer.
SHARE = Target("≤ 0.78 × peer", 0.78)
IN_A_ROW = 25

Taker = Callable[[], Awaitable[list[float]]]


async def measure(bench: Bench) -> list[Row]:
    subject = bench.desks[SMALL]
    async with peer(bench, subject) as other:
        rows = [*await _click(bench, subject), *await _in_a_row(bench, subject, other)]
        if isinstance(other, Peer):
            theirs, ours = await alternate(
                bench.rounds(1000, 50), [_by_peer(other), _by_us(subject, BARE)]
            )
            rows.append(Row("click", f"on a bare window, {BY_PEER}", "ms", ours, theirs, SHARE))
    if isinstance(other, Absent):
        rows[0].note = other.why
    return [*rows, await _type(bench, subject)]


def _by_us(subject: Desk, place: tuple[int, int]) -> Work:
    turn = 0

    async def click() -> None:
        nonlocal turn
        turn += 1
        await subject.computer.click(place[0] + turn % 7 * 3, place[1] + turn % 5 * 3)

    return click


def _by_peer(other: Peer) -> Work:
    turn = 0

    async def click() -> None:
        nonlocal turn
        turn += 1
        other.click(BARE[0] + turn % 7 * 3, BARE[1] + turn % 5 * 3)

    return click


async def _click(bench: Bench, subject: Desk) -> list[Row]:
    rows = []
    # The window manager takes a click on a window before the window does, and we wait for it; XTEST
    # does not, and the floor's own window it leaves alone: the target is held there.
    places = {"on a bare window": (BARE, limit(0.5, "ms")), "on a managed window": (MANAGED, None)}
    for where, ((x, y), target) in places.items():
        bare: list[float] = []

        async def in_process(samples: list[float] = bare, x: int = x, y: int = y) -> None:
            samples.extend(subject.floor.times(1, "click", str(x), str(y)))

        behind = subject.floor.work(f"click {x} {y}")
        rounds = bench.rounds(1000, 50)
        socket, ours, _ = await alternate(rounds, [behind, _by_us(subject, (x, y)), in_process])
        name = f"{where}, against XTEST"
        rows.append(Row("click", f"{name} in process", "ms", ours, bare[-len(ours) :], target))
        rows.append(Row("click", f"{name} behind a bare socket", "ms", ours, socket))
    return rows


async def _in_a_row(bench: Bench, subject: Desk, other: Peer | Absent) -> list[Row]:
    """The same in spells: in turns, each finds the processors' caches full of the others."""
    x, y = BARE
    takers: dict[str, Taker] = {
        "against XTEST in process": _noted_there(subject, x, y),
        "against XTEST behind a bare socket": _noted(subject.floor.work(f"click {x} {y}")),
        "ours": _noted(_by_us(subject, BARE)),
    }
    if isinstance(other, Peer):
        takers[BY_PEER] = _noted(_by_peer(other))
    samples: dict[str, list[float]] = {name: [] for name in takers}

    def spell(name: str) -> Work:
        async def run() -> None:
            samples[name] += await takers[name]()

        return run

    spells = await alternate(bench.rounds(40, 4), [spell(name) for name in takers], warmup=1)
    counted = len(spells[0]) * IN_A_ROW
    where, ours = f"{IN_A_ROW} in a row on a bare window", samples.pop("ours")[-counted:]
    return [
        Row("click", f"{where}, {name}", "ms", ours, each[-counted:])
        for name, each in samples.items()
    ]


def _noted(work: Work) -> Taker:
    async def take() -> list[float]:
        times = []
        for _ in range(IN_A_ROW):
            started = time.perf_counter()
            await work()
            times.append((time.perf_counter() - started) * 1000)
        return times

    return take


def _noted_there(subject: Desk, x: int, y: int) -> Taker:
    async def take() -> list[float]:
        return subject.floor.times(IN_A_ROW, "click", str(x), str(y))

    return take


async def _type(bench: Bench, subject: Desk) -> Row:
    async def type_text() -> None:
        await subject.computer.type(TEXT)

    await subject.computer.click(*MANAGED)
    floor, ours = await alternate(
        bench.rounds(30, 6), [subject.floor.work(f"type {TEXT}"), type_text], warmup=2
    )
    return Row("typing", "20 characters", "ms", ours, floor, limit(205, "ms"))
