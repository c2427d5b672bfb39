"""What entries can be compared by: sums of money, stretches of time, days, sizes, numbers."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from carrel.models.steps.language.dates import iso_date, iso_time

__all__ = ["MEASURES", "Measure", "counted_by", "values_of"]

_N = r"(?P<n>\d+(?:[.,\u00a0\u202f ]\d{3})*(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)"


@dataclass(frozen=True, slots=True)
class Measure:
    """A sort of value.

    Attributes:
        name: As an account calls it.
        read: The values of it in a text.
        heads: Words of a heading over, or a label before, numbers that are of it.
    """

    name: str
    read: Callable[[str], list[float]]
    heads: str = ""


def _number(text: str, *, sum_: bool = False) -> float:
    """A number as people write it, with commas or spaces between thousands; in sums, points."""
    bare = re.sub(r"[\s\u00a0\u202f]", "", text)
    if re.fullmatch(rf"\d{{1,3}}(?:[{'.' if sum_ else ''},]\d{{3}})+", bare):
        return float(re.sub(r"[.,]", "", bare))
    whole, _, part = bare.replace(",", ".").rpartition(".")
    return float(f"{whole.replace('.', '')}.{part}") if whole else float(bare.replace(",", "."))


_CURRENCY = (
    r"(?:[€$£¥₹]|US\$|\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|JPY|CNY|euros?|dollars?|pounds?|kr|zł|"
    r"Kč)\b)"
)
_MONEY = re.compile(
    rf"{_CURRENCY}\s*{_N}|{_N.replace('<n>', '<m>')}\s*(?:{_CURRENCY}|元|块)", re.IGNORECASE
)


def _money(text: str) -> list[float]:
    if re.fullmatch(r"\W*(?:free|免费)\W*", text, re.IGNORECASE):
        return [0.0]
    return [_number(found["n"] or found["m"], sum_=True) for found in _MONEY.finditer(text)]


_STRETCH = re.compile(
    r"\b(?:(?P<d>\d+)\s*(?:d|days?)\b\s*)?(?:(?P<h>\d+(?:[.,]\d+)?)\s*(?:h|hrs?|hours?|std\.?)\b\s*)?"
    r"(?:(?P<m>\d+)\s*(?:m|min|mins|minutes?)\b\.?\s*)?(?:(?P<s>\d+)\s*(?:s|sec|secs|seconds?)\b)?",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(\d+)\s*h\s*(\d+)\s*(?:m|min)?\b", re.IGNORECASE)
_STRETCH_ZH = re.compile(r"(?:(?P<h>\d+)\s*个?(?:小时|时))?\s*(?:(?P<m>\d+)\s*分钟?)?")


def _stretches(text: str) -> list[float]:
    """Minutes; what was so long ago is no stretch."""
    if re.search(r"\bago\b|前\s*$", text, re.IGNORECASE):
        return []
    joined = _JOINED.sub(r"\1 h \2 min", text)
    found: list[float] = []
    for form in (_STRETCH, _STRETCH_ZH):
        for match in form.finditer(joined):
            parts = {
                name: float((value or "0").replace(",", "."))
                for name, value in match.groupdict().items()
            }
            if any(match.groups()):
                minutes = parts.get("d", 0) * 1440 + parts["h"] * 60 + parts["m"]
                found.append(minutes + parts.get("s", 0) / 60)
    return found


def _counted_time(text: str) -> list[float]:
    """A length that is written as a clock writes it: `3:12`, `1:02:45`."""
    found = re.fullmatch(r"\s*(?:(\d{1,2}):)?(\d{1,3}):(\d\d)\s*", text)
    return [int(found[1] or 0) * 60 + int(found[2]) + int(found[3]) / 60] if found else []


_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAYS = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|"
    rf"\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH},?(?:\s+\d{{4}})?|"
    rf"\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!:),?(?:\s+\d{{4}})?|"
    r"(?:\d{4}\s*年\s*)?\d{1,2}\s*月\s*\d{1,2}\s*[日号]",
    re.IGNORECASE,
)
_CLOCKS = re.compile(
    r"(?<![\d:.])\d{1,2}:\d\d(?!:?\d)(?:\s*[ap]\.?m\b\.?)?|\b\d{1,2}\s*[ap]m\b", re.IGNORECASE
)
_AGO = re.compile(
    r"\b(?P<n>\d+|an?)\s*(?P<unit>m|min|minute|h|hr|hour|d|day|w|week|month|y|year)s?\s+ago\b",
    re.IGNORECASE,
)
_UNITS = {"h": 60, "d": 1440, "w": 10080, "y": 525600}


def _when(text: str) -> list[float]:
    """Minutes from this day's beginning, for a day, a time of day, or both of them together."""
    if ago := _AGO.search(text):
        unit = ago["unit"].casefold()
        minutes = 43200 if unit == "month" else _UNITS.get(unit[0], 1)
        return [1439.0 - minutes * (int(ago["n"]) if ago["n"].isdigit() else 1)]
    days = [_day(found[0]) for found in _DAYS.finditer(text)]
    if said := re.search(r"\b(?:today|yesterday)\b|今天|昨天", text, re.IGNORECASE):
        days.append(0 if said[0].casefold() in ("today", "今天") else -1)
    clocks = [_clock(found[0]) for found in _CLOCKS.finditer(_DAYS.sub(" ", text))]
    known = [day for day in days if day is not None]
    hours = [clock for clock in clocks if clock is not None]
    if len(known) == 1 and len(hours) <= 1:
        return [known[0] * 1440.0 + (hours[0] if hours else 0)]
    return [day * 1440.0 for day in known] or hours


def _day(text: str) -> int | None:
    iso = iso_date(text.replace(".", " ") if re.search(r"[A-Za-z]", text) else text)
    if iso is None:
        return None
    return datetime.date.fromisoformat(iso).toordinal() - datetime.date.today().toordinal()  # noqa: DTZ011


def _clock(text: str) -> float | None:
    iso = iso_time(text)
    return None if iso is None else float(int(iso[:2]) * 60 + int(iso[3:5]))


def _with_units(units: Mapping[str, float]) -> Callable[[str], list[float]]:
    forms = [
        (re.compile(rf"(?<![\d.,]){_N}\s*(?:{unit})(?![\w²³])", re.IGNORECASE), factor)
        for unit, factor in units.items()
    ]

    def read(text: str) -> list[float]:
        return [
            _number(found["n"]) * factor for form, factor in forms for found in form.finditer(text)
        ]

    return read


_RATED = re.compile(
    r"^\W*(?P<n>\d(?:[.,]\d)?|10(?:[.,]0)?)\s*(?:/\s*(?:5|10)|stars?|★|out of (?:5|10))?"
    r"(?:\s*\([\d.,k]+(?: \w+)?\))?\W*$",
    re.IGNORECASE,
)
_STARS = re.compile(r"^\s*(?P<on>[★⭐]+)[☆✩]*\s*$")


def _ratings(text: str) -> list[float]:
    """`4.6`, `★ 4.6 (210)`, `8.9/10`, `★★★☆☆`; no whole number that says no more."""
    if stars := _STARS.match(text):
        return [float(len(stars["on"]))] if len(text.strip()) > 1 else []
    found = _RATED.match(text)
    if found is None or not re.search(r"[.,/★]|stars?|out of", text):
        return []
    return [float(found["n"].replace(",", "."))]


def counted_by(head: str) -> Measure:
    """The numbers that a word follows, or heads: `210 reviews`."""
    unit = rf"{re.escape(head.removesuffix('s'))}s?"
    return Measure(head, _with_units({unit: 1.0}), re.escape(head))


MONEY = Measure(
    "price", _money, r"price|cost|fare|fee|amount|total|rent|salary|budget|价格?|金额|费用"
)
DURATION = Measure("duration", _stretches, r"duration|length|time|takes|journey|时长|用时")
RUNNING = Measure("length", _counted_time, r"duration|length|time|时长")
WHEN = Measure("time", _when, r"(?!x)x")
AREA = Measure(
    "area",
    _with_units({r"m²|m2|sqm|sq\.? ?m|qm|㎡|平米|平方米": 1.0, r"sq\.? ?ft|ft²": 0.0929}),
    r"area|size|面积",
)
BYTES = Measure(
    "size",
    _with_units(
        {r"B|bytes?": 1.0, r"KB|kB|KiB": 1e3, r"MB|MiB": 1e6, r"GB|GiB": 1e9, r"TB|TiB": 1e12}
    ),
    r"size|大小",
)
PAGES = Measure("pages", _with_units({r"pages?|pp\.?|页": 1.0}), r"pages?|页数?")
WEIGHT = Measure(
    "weight",
    _with_units(
        {"g|grams?|克": 1.0, "kg|公斤|千克": 1000.0, "lbs?|pounds?": 453.6, "t|tons?": 1e6}
    ),
    r"weight|重量",
)
_LENGTHS = _with_units(
    {"m|met(?:er|re)s?|米": 1.0, "km|kilomet(?:er|re)s?|公里|千米": 1000.0, "mi|miles?": 1609.0}
)


def _distances(text: str) -> list[float]:
    """Metres; the minutes of `3h 25m` are none."""
    return [] if re.search(r"\d\s*h", text) else _LENGTHS(text)


DISTANCE = Measure(
    "distance",
    _distances,
    r"distance|away|距离",
)
SPEED = Measure(
    "speed", _with_units({r"km/h|kph": 1.0, r"mph": 1.609, r"Mbit/s|Mbps|MB/s": 1.0}), r"speed|速度"
)
HEIGHT = Measure(
    "height",
    _with_units({"m|met(?:er|re)s?|米": 1.0, "cm|厘米": 0.01, "ft|feet": 0.3048}),
    r"height|elevation|altitude|高度|海拔",
)
PEOPLE = Measure(
    "people",
    _with_units({r"people|persons?|guests?|seats?|members?|users?|inhabitants?|人": 1.0}),
    r"population|capacity|members|seats|guests|people|人数|人口",
)
AGE = Measure("age", _with_units({r"years? old|岁": 1.0}), r"age|年龄")
RATING = Measure("rating", _ratings, r"rating|rated|score|stars|评分|评价")

MEASURES = (
    MONEY,
    DURATION,
    RUNNING,
    WHEN,
    AREA,
    BYTES,
    PAGES,
    WEIGHT,
    DISTANCE,
    SPEED,
    HEIGHT,
    PEOPLE,
    AGE,
    RATING,
)

_RUNS = frozenset(
    re.split(
        r"\s",
        "song songs track tracks episode episodes video videos clip clips recording "
        "recordings podcast podcasts film films movie movies tune tunes call calls 歌 歌曲 "
        "视频",
    )
)


def values_of(measure: Measure, texts: Sequence[tuple[str, str]], noun: str = "") -> set[float]:
    """The values of a measure in texts, each with what heads or labels it.

    Args:
        measure: The sort of value.
        texts: What an entry says.
        noun: What sort of thing it is: only of what runs `3:12` is a length without a heading.
    """
    found: set[float] = set()
    for text, head in texts:
        if (
            measure is RUNNING
            and noun not in _RUNS
            and not re.search(measure.heads, head, re.IGNORECASE)
        ):
            continue
        values = measure.read(text)
        if not values and head and re.search(rf"\b(?:{measure.heads})", head, re.IGNORECASE):
            bare = re.fullmatch(rf"\W*{_N}\W*", text)
            values = [_number(bare["n"])] if bare else []
        found.update(values)
    if measure is WHEN and len(found) == 2 and len({value // 1440 for value in found}) == 2:
        # A day in one place, and a time of it in another.
        day, clock = (
            min(found, key=lambda v: v % 1440 != 0),
            max(found, key=lambda v: v % 1440 != 0),
        )
        if (
            day % 1440 == 0
            and 0 <= clock < 1440
            and not any(len(measure.read(t)) > 1 for t, _ in texts)
        ):
            return {day + clock}
    return found
