"""Screenshots over the stream, against bare XShm, the same encoder and a bare socket."""

from __future__ import annotations

from benchmarks.desks import Bench, Desk
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
