"""The figures in tables, for a terminal and for a page, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from carrel.bench.suites.screens.tally import Count, Tally
from carrel.codec import Json

__all__ = ["Sheet", "as_json", "as_text", "sheets"]

SOURCES = ("tree", "browser", "ocr", "detector", "pixels", "merged")
GROUPS = ("icon", "field", "check", "button", "link", "other")
WHERE = ("pages", "apps")
LOOKS = {
    "asked tree": "asking the tree",
    "asked browser": "asking the browser",
    "first": "first look",
    "first ocr": "  of that, text",
    "first detector": "  of that, shapes",
    "first processor": "  processors at work",
    "again": "second look, nothing changed",
    "again processor": "  processors at work",
    "changed": "one line of text changed",
    "changed ocr": "  of that, text",
    "changed detector": "  of that, shapes",
    "changed processor": "  processors at work",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table."""

    title: str
    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sheets(tally: Tally) -> tuple[Sheet, ...]:
    """Every table there is something to say in."""
    made = [*_of_text(tally), *_of_boxes(tally), _of_times(tally), *_of_locate(tally)]
    return tuple(sheet for sheet in made if sheet.rows)


def _rate(count: Count) -> str:
    return "–" if count.rate is None else f"{count.rate:.3f}".removeprefix("0")


def _both(tally: Tally, where: str, measure: str, source: str, kind: str = "all") -> str:
    """One figure for each size of the screen."""
    counts = [tally.count(where, size, measure, source, kind) for size in tally.sizes]
    if not any(count.of for count in counts):
        return ""
    return " / ".join(_rate(count) for count in counts)


def _asked(tally: Tally, where: str, measure: str, source: str, kind: str = "all") -> str:
    found = [tally.count(where, size, measure, source, kind).of for size in tally.sizes]
    return " / ".join(map(str, found))


def _of_text(tally: Tally) -> list[Sheet]:
    made = []
    for where in WHERE:
        rows = [
            (
                source,
                _both(tally, where, "text", source),
                _both(tally, where, "text", source, "clickable"),
                _both(tally, where, "reading", source),
            )
            for source in SOURCES
            if _both(tally, where, "text", source)
        ]
        if rows:
            strings = ("strings", _asked(tally, where, "text", "merged"))
            clickable = _asked(tally, where, "text", "merged", "clickable")
            rows.append((*strings, clickable, _asked(tally, where, "reading", "merged")))
        title = (
            f"Text on {where}: given the string, is the click right? ({' / '.join(tally.sizes)})"
        )
        heading = ("source", "all", "clickable ones", "read, and really there")
        made.append(Sheet(title, heading, tuple(rows)))
    return made


def _of_boxes(tally: Tally) -> list[Sheet]:
    made = []
    for where in WHERE:
        rows = [
            (
                source,
                *(_both(tally, where, "boxes", source, group) for group in GROUPS),
                _both(tally, where, "claims", source),
            )
            for source in SOURCES
            if _both(tally, where, "boxes", source)
        ]
        if rows:
            asked = (_asked(tally, where, "boxes", "merged", group) for group in GROUPS)
            rows.append(("there are", *asked, ""))
        title = f"Controls on {where}: found with a box at IoU ≥ .5 ({' / '.join(tally.sizes)})"
        made.append(Sheet(title, ("source", *GROUPS, "precision"), tuple(rows)))
    return made


def _of_times(tally: Tally) -> Sheet:
    rows = []
    for what, words in LOOKS.items():
        seconds = [tally.times.get((size, what)) for size in tally.sizes]
        if any(value is not None for value in seconds):
            rows.append((words, *("–" if s is None else f"{s:.3f}" for s in seconds)))
    return Sheet("Seconds per screen, median", ("", *tally.sizes), tuple(rows))


def _of_locate(tally: Tally) -> list[Sheet]:
    made = []
    for source in ("merged", "pixels"):
        rows = []
        kinds = [kind for kind in tally.kinds("locate") if kind != "all"]
        for kind in [*kinds, "all"]:
            count = tally.total("locate", source, kind)
            if count.of:
                numbers = (count.of, count.right, count.wrong, count.unsure)
                rows.append((kind, *map(str, numbers), _rate(count)))
        heading = ("description", "asked", "right", "wrong", "not sure", "rate")
        made.append(Sheet(f"Locate, by {source} elements", heading, tuple(rows)))
    return made


def as_text(tables: Sequence[Sheet]) -> str:
    """For a terminal."""
    return "\n\n".join(_lines(sheet) for sheet in tables)


def _lines(sheet: Sheet) -> str:
    table = [sheet.heading, *sheet.rows]
    widths = [max(_width(row[column]) for row in table) for column in range(len(sheet.heading))]
    rows = []
    for row in table:
        cells = [_fill(row[0], widths[0])]
        cells += [_fill(cell, width, right=True) for cell, width in zip(row, widths, strict=True)][
            1:
        ]
        rows.append("  ".join(cells).rstrip())
    return "\n".join([sheet.title, *rows])


def _width(text: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _fill(text: str, width: int, *, right: bool = False) -> str:
    gap = " " * (width - _width(text))
    return gap + text if right else text + gap


def as_json(tally: Tally) -> dict[str, Json]:
    """All sums, one object for each."""
    names = ("where", "size", "measure", "source", "kind")
    counts: list[Json] = []
    for key, count in sorted(tally.counts.items()):
        found: dict[str, Json] = dict(zip(names, key, strict=True))
        found |= {"asked": count.of, "right": count.right, "unsure": count.unsure}
        counts.append(found)
    times: list[Json] = [
        {"size": size, "what": what, "seconds": round(seconds, 4)}
        for (size, what), seconds in sorted(tally.times.items())
    ]
    return {"shots": tally.shots, "counts": counts, "times": times}
