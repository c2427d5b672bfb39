"""Clicks, moves and typing over the stream, against XTEST called in process."""

from __future__ import annotations

from benchmarks.desks import SMALL, Bench, Desk
from benchmarks.report import Row, alternate, limit

__all__ = ["measure"]

TEXT = "thequickbrownfoxjump"
BARE, MANAGED = (100, 100), (600, 400)


async def measure(bench: Bench) -> list[Row]:
    subject = bench.desks[SMALL]
    return [*await _click(bench, subject), await _type(bench, subject)]


async def _click(bench: Bench, subject: Desk) -> list[Row]:
    rows = []
    # The window manager takes a click on a window before the window does, and we wait for it; XTEST
    # does not, and the floor's own window it leaves alone: the target is held there.
    places = {"on a bare window": (BARE, limit(0.5, "ms")), "on a managed window": (MANAGED, None)}
    for where, ((x, y), target) in places.items():
        bare: list[float] = []
        turn = 0

        async def click(x: int = x, y: int = y) -> None:
            nonlocal turn
            turn += 1
            await subject.computer.click(x + turn % 7 * 3, y + turn % 5 * 3)

        async def in_process(samples: list[float] = bare, x: int = x, y: int = y) -> None:
            samples.extend(subject.floor.times(1, "click", str(x), str(y)))

        behind = subject.floor.work(f"click {x} {y}")
        rounds = bench.rounds(1000, 50)
        socket, ours, _ = await alternate(rounds, [behind, click, in_process])
        name = f"{where}, against XTEST"
        rows.append(Row("click", f"{name} in process", "ms", ours, bare[-len(ours) :], target))
        rows.append(Row("click", f"{name} behind a bare socket", "ms", ours, socket))
    return rows


async def _type(bench: Bench, subject: Desk) -> Row:
    async def type_text() -> None:
        await subject.computer.type(TEXT)

    await subject.computer.click(*MANAGED)
    floor, ours = await alternate(
        bench.rounds(30, 6), [subject.floor.work(f"type {TEXT}"), type_text], warmup=2
    )
    return Row("typing", "20 characters", "ms", ours, floor, limit(205, "ms"))
