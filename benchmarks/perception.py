"""Reading the screen's text: the first look, a changed line, an unchanged screen.

The floor is RapidOCR itself with the same weights, which reads everything at every look.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from itertools import count

import anyio.to_thread
from PIL import Image, ImageDraw, ImageFont

from benchmarks.desks import LARGE, SMALL, Bench
from benchmarks.report import Row, alternate, limit, ratio
from carrel.geometry import Size
from carrel.perception import Reader, View
from carrel.perception._nets import Nets

__all__ = ["measure"]

WORDS = (
    "Open the settings of this computer and choose a language",
    "Your order has been sent and will arrive on Thursday",
    "File   Edit   View   Insert   Format   Tools   Window   Help",
    "Remember my password on this device for thirty days",
    "Total 1,284.50   Tax 205.52   Shipping 12.00",
)
HEIGHTS = (11, 12, 13, 14, 16)


async def measure(bench: Bench) -> list[Row]:
    rows = []
    nets, theirs = Nets(), _rapid()
    for size in (SMALL, LARGE):
        rows += await _looks(bench, size, nets, theirs)
    return rows


async def _looks(bench: Bench, size: Size, nets: Nets, theirs: Callable[[View], None]) -> list[Row]:
    number = count()
    reader = Reader(nets)
    shown = _page(size, "0")
    reader.read(shown)

    async def turn() -> None:
        nonlocal shown
        shown = _page(size, str(next(number)))

    async def all_of_it() -> None:
        await anyio.to_thread.run_sync(theirs, shown)

    async def first() -> None:
        await anyio.to_thread.run_sync(Reader(nets).read, shown)

    async def second() -> None:
        await anyio.to_thread.run_sync(reader.read, shown)

    rounds = bench.rounds(6, 2)
    floor, whole = await alternate(rounds, [all_of_it, first], before=turn, warmup=1)
    changed = (await alternate(bench.rounds(30, 5), [second], before=turn, warmup=2))[0]
    same = (await alternate(bench.rounds(100, 10), [second], warmup=1))[0]
    lines = len(reader.read(shown))
    return [
        Row(
            "perception", f"text {size}, first look", "ms", whole, floor, ratio(1), f"{lines} lines"
        ),
        Row("perception", f"text {size}, one line changed", "ms", changed, floor, limit(100, "ms")),
        Row("perception", f"text {size}, unchanged", "ms", same, floor, limit(1, "ms")),
    ]


def _page(size: Size, changing: str) -> View:
    """A screen of texts in the sizes of user interfaces; its third line is another every time."""
    image = Image.new("RGB", (size.width, size.height), (250, 250, 250))
    draw = ImageDraw.Draw(image)
    for row in range((size.height - 40) // 36):
        font = ImageFont.load_default(HEIGHTS[row % len(HEIGHTS)])
        for x in range(20, size.width - 480, 490):
            text = f"{row} {WORDS[(row + x) % len(WORDS)]}"
            if (row, x) == (2, 20):
                text = f"{changing} of 900 files were copied"
            draw.text((x, 20 + 36 * row), text, (20, 20, 20), font)
    out = io.BytesIO()
    image.save(out, "png", compress_level=1)
    data = out.getvalue()
    return View(hashlib.sha256(data).hexdigest(), size, lambda: data)


def _rapid() -> Callable[[View], None]:
    from rapidocr import RapidOCR

    params = {
        "Global.log_level": "error",
        "Global.use_cls": False,
        "EngineConfig.onnxruntime.intra_op_num_threads": 2,
    }
    engine = RapidOCR(params=params)

    def read(view: View) -> None:
        engine(view.pixels[:, :, ::-1])

    return read
