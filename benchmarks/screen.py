"""Screenshots over the stream, against bare XShm, the same encoder and a bare socket.

And, of the small screen, against cua's computer-server on the same display.
"""

from __future__ import annotations

from benchmarks._peer import Absent, Peer, peer
from benchmarks.desks import SMALL, Bench, Desk
from benchmarks.report import Row, alternate, ratio
from carrel.frames import ImageFormat
from carrel.geometry import Size

__all__ = ["measure"]

FORMATS: tuple[ImageFormat, ...] = ("png", "jpeg")


async def measure(bench: Bench) -> list[Row]:
    rows = []
    for size, subject in bench.desks.items():
        for image_format in FORMATS:
            rows.append(await _changed(bench, subject, size, image_format))
            rows.append(await _unchanged(bench, subject, size, image_format))
    async with peer(bench, bench.desks[SMALL]) as other:
        if isinstance(other, Peer):
            rows.append(await _against(bench, bench.desks[SMALL], other))
    if isinstance(other, Absent):
        rows[0].note += f"; {other.why}"
    return rows


async def _changed(bench: Bench, subject: Desk, size: Size, form: ImageFormat) -> Row:
    async def shoot() -> None:
        await subject.computer.screenshot(format=form)

    floor, ours = await alternate(
        bench.rounds(150, 25),
        [subject.floor.work(f"shot {form}"), shoot],
        before=subject.floor.work("paint"),
    )
    name = f"{form} {size}, changed screen"
    kilobytes = len(subject.floor.ask(f"shot {form}")) // 1024
    return Row("screenshot", name, "ms", ours, floor, ratio(1.5), f"{kilobytes} KiB")


async def _unchanged(bench: Bench, subject: Desk, size: Size, form: ImageFormat) -> Row:
    async def shoot() -> None:
        await subject.computer.screenshot(format=form)

    floor, ours = await alternate(
        bench.rounds(200, 30), [subject.floor.work(f"cached {form}"), shoot]
    )
    return Row("screenshot", f"{form} {size}, unchanged", "ms", ours, floor, ratio(1.5))


async def _against(bench: Bench, subject: Desk, other: Peer) -> Row:
    async def theirs() -> None:
        other.ask("screenshot")

    async def ours() -> None:
        await subject.computer.screenshot(format="png")

    taken, mine = await alternate(
        bench.rounds(20, 4), [theirs, ours], before=subject.floor.work("paint"), warmup=2
    )
    name = f"png {SMALL}, changed screen, against cua-computer-server by WebSocket"
    return Row("screenshot", name, "ms", mine, taken)
