"""The figures and the misses as a page, with pictures on which the misses are marked."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from carrel.bench.suites.screens.figures import Sheet
from carrel.bench.suites.screens.score import Mark
from carrel.bench.suites.screens.tally import Judged

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

__all__ = ["REPORT", "draw_misses", "missed", "write_report"]

REPORT = "report.html"
FOLDER = "misses"
MEASURES = ("text", "boxes", "locate")
_COLOURS = {"text": (214, 39, 40), "boxes": (230, 120, 0), "locate": (160, 0, 190)}
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem }
table { border-collapse: collapse; margin: 0 0 2rem }
td, th { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #ccc }
td:first-child, th:first-child { text-align: left }
img { max-width: 100%; border: 1px solid #ccc }
.text { color: #d62728 } .boxes { color: #b85f00 } .locate { color: #a000be }
li { overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) { body { background: #151515; color: #ddd } }
"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>screens · Carrel</title>
<style>{style}</style>
</head>
<body>
<h1>How well the screen is seen</h1>
{body}
</body>
</html>
"""


def missed(judged: Judged, source: str = "merged") -> tuple[Mark, ...]:
    """What all sources together got wrong on one screen; links without a box are text."""
    return tuple(
        mark
        for mark in judged.marks
        if not mark.right and mark.source == source and mark.measure in MEASURES
    )


def draw_misses(image: bytes, marks: Iterable[Mark]) -> bytes:
    """A picture with every miss boxed and numbered, and a line to where it was taken to be."""
    from PIL import Image, ImageDraw

    with Image.open(io.BytesIO(image)) as original:
        picture = original.convert("RGB")
    draw = ImageDraw.Draw(picture)
    for number, mark in enumerate(marks, 1):
        _draw(draw, number, mark)
    out = io.BytesIO()
    picture.save(out, "webp", quality=80)
    return out.getvalue()


def _draw(draw: ImageDraw, number: int, mark: Mark) -> None:
    colour = _COLOURS[mark.measure]
    if mark.box is None:
        return
    box = mark.box
    draw.rectangle((box.x - 1, box.y - 1, box.right, box.bottom), outline=colour, width=2)
    draw.rectangle((box.x, box.y - 12, box.x + 7 * len(str(number)) + 2, box.y), fill=colour)
    draw.text((box.x + 2, box.y - 12), str(number), fill=(255, 255, 255))
    if mark.answer is not None:
        x, y = mark.answer.x, mark.answer.y
        draw.line((box.center.x, box.center.y, x, y), fill=colour)
        draw.ellipse((x - 4, y - 4, x + 4, y + 4), outline=colour, width=2)


def write_report(
    place: Path,
    tables: Sequence[Sheet],
    judged: Sequence[Judged],
    images: Mapping[str, Path],
    missing: Mapping[str, str],
) -> Path:
    """Write the page, and a picture for every screen on which something was missed.

    Args:
        place: Where to.
        tables: The figures.
        judged: The screens.
        images: The picture of each, by key.
        missing: What could not be looked at, and why.
    """
    folder = place / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    parts = [_table(sheet) for sheet in tables]
    if missing:
        items = (f"<li>{escape(name)}: {escape(why)}</li>" for name, why in missing.items())
        parts.append(f"<h2>Not looked at</h2><ul>{''.join(items)}</ul>")
    parts.append("<h2>What was missed, by all sources together</h2>")
    for one in judged:
        marks = missed(one)
        if marks:
            name = f"{one.key}.webp"
            (folder / name).write_bytes(draw_misses(images[one.key].read_bytes(), marks))
            parts.append(_screen(one, marks, name))
    path = place / REPORT
    path.write_text(_PAGE.format(style=_STYLE, body="\n".join(parts)), "utf-8")
    return path


def _table(sheet: Sheet) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in sheet.heading)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in sheet.rows
    )
    return f"<h2>{escape(sheet.title)}</h2><table><tr>{head}</tr>{rows}</table>"


def _screen(judged: Judged, marks: Sequence[Mark], name: str) -> str:
    items = "".join(
        f'<li class="{mark.measure}">{escape(f"{mark.measure} {mark.kind}: {mark.subject}")} '
        f"<small>{escape(mark.why)}</small></li>"
        for mark in marks
    )
    return (
        f"<details><summary>{escape(judged.key)}: {len(marks)} of {len(judged.marks)}</summary>"
        f'<img loading="lazy" alt="" src="{FOLDER}/{quote(name)}"><ol>{items}</ol></details>'
    )
