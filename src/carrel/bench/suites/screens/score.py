"""What was seen, held against what is there.

Every answer is one `Mark`: a string to be found, a control to be boxed, a claim to be true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from carrel.bench.suites.screens.truth import Control, Run, Truth, group_of
from carrel.bench.suites.screens.words import alike, normal, part_of, worth_finding
from carrel.frames import Element
from carrel.geometry import Box, Point, Size

__all__ = ["Mark", "Measure", "box_marks", "claim_marks", "overlap", "reading_marks", "text_marks"]

SAME = 0.5
"""Intersection over union from which a box is that of the control."""
SLACK = 3
"""Pixels by which a click on a text may miss it."""
WRAPPED = 3
"""Lines of a text that is one thing to click on; a longer one is a paragraph."""

Measure = Literal["text", "reading", "boxes", "claims", "locate"]

# What a source can claim to be clickable or to take input.
_CLAIMS = frozenset(
    {
        "check box",
        "check menu item",
        "combo box",
        "entry",
        "icon",
        "link",
        "menu item",
        "page tab",
        "password text",
        "push button",
        "radio button",
        "radio menu item",
        "slider",
        "spin button",
        "toggle button",
    }
)
_TEXTS = frozenset({"label", "static", "text", "paragraph", "heading"})
_WHOLE = frozenset({"application", "frame", "window", "document web", "document frame"})
_SMALL = frozenset({"check box", "radio button", "toggle button", "icon", "switch"})


@dataclass(frozen=True, slots=True)
class Mark:
    """One answer.

    Attributes:
        kind: Of a text `clickable` or `plain`; of a control its group.
        subject: What was asked for.
        right: Whether the answer was right.
        why: What was answered, where it was wrong.
        box: Where the thing is.
        answer: Where it was taken to be.
    """

    measure: Measure
    source: str
    kind: str
    subject: str
    right: bool
    why: str = ""
    box: Box | None = None
    answer: Point | None = None


def overlap(one: Box, other: Box) -> float:
    """Intersection over union."""
    common = one.intersect(other)
    if common is None:
        return 0.0
    return common.area / (one.area + other.area - common.area)


def _padded(box: Box, by: int) -> Box:
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


# Text: given the string, would a click be right?


def text_marks(source: str, elements: Sequence[Element], truth: Truth) -> Iterator[Mark]:
    """One mark for each different string on the screen."""
    said = [(element, text) for element in elements for text in _said(element)]
    by_text: dict[str, list[Run]] = {}
    for run in truth.runs:
        if worth_finding(run.text):
            by_text.setdefault(normal(run.text), []).append(run)
    for text, runs in by_text.items():
        # What is cut off is not asked for, but found as well as any other.
        runs.sort(key=lambda run: not run.whole)
        if not runs[0].whole:
            continue
        kind = "clickable" if runs[0].owner >= 0 else "plain"
        found = _look_up(text, said)
        if found is None:
            yield Mark("text", source, kind, runs[0].text, False, "not found", runs[0].box)
            continue
        element, point = found
        right = any(_hits(point, run, truth) for run in runs)
        why = "" if right else f"taken for {_told(element)}"
        yield Mark("text", source, kind, runs[0].text, right, why, runs[0].box, point)


def _said(element: Element) -> Iterator[str]:
    if element.box is None or element.box.area == 0:
        return
    told = dict.fromkeys((element.name, element.text, element.value or ""))
    yield from (normal(text) for text in told if text.strip())


def _look_up(text: str, said: Sequence[tuple[Element, str]]) -> tuple[Element, Point] | None:
    """The smallest element that says exactly this, else nearly this, else more than this."""
    best: tuple[tuple[float, int], Element, Point] | None = None
    for element, other in said:
        assert element.box is not None
        likeness = 1.0 if other == text else alike(text, other)
        point = element.box.center
        if likeness == 0.0:
            share = part_of(text, other)
            if share is None:
                continue
            likeness = 0.5
            point = Point(element.box.x + int(share * element.box.width), point.y)
        key = (-likeness, element.box.area)
        if best is None or key < best[0]:
            best = (key, element, point)
    return None if best is None else (best[1], best[2])


def _hits(point: Point, run: Run, truth: Truth) -> bool:
    """Whether a click there is one on that text, or has the same effect."""
    lines = [other for other in truth.runs if run.block and other.block == run.block]
    boxes = [other.box for other in lines] if len(lines) <= WRAPPED else []
    if any(_padded(box, SLACK).contains(point) for box in (run.box, *boxes)):
        return True
    controls = [truth.controls[n] for n in (run.owner, run.labels) if n >= 0]
    return any(control.box.contains(point) for control in controls)


def _told(element: Element) -> str:
    box = element.box
    where = f" at {box.x},{box.y} {box.width}x{box.height}" if box is not None else ""
    said = element.name or element.text or element.value or ""
    return f"{element.role} {said[:60]!r}{where}"


# Reading: is what was read really written there?


def reading_marks(source: str, elements: Sequence[Element], truth: Truth) -> Iterator[Mark]:
    """One mark for each element whose text was read from pixels, or that is nothing but text."""
    blind = [p.box for p in truth.pictures if p.replaced] + list(truth.ignored)
    for element in elements:
        text = element.text or (element.name if element.role in _TEXTS else "")
        box = element.box
        if box is None or not worth_finding(text) or element.source not in ("ocr", "detector"):
            continue
        if any(other.contains(box.center) or overlap(box, other) > 0.2 for other in blind):
            continue
        written = _written(box, truth)
        right = _agree(normal(text), written)
        why = "" if right else f"there is {' '.join(written)[:80]!r}"
        yield Mark("reading", source, element.role, text, right, why, box)


def _written(box: Box, truth: Truth) -> list[str]:
    room = _padded(box, 4)
    runs = [run for run in truth.runs if room.contains(run.box.center)]
    runs += [run for run in truth.runs if run not in runs and run.box.contains(box.center)]
    runs.sort(key=lambda run: (run.box.center.y // 8, run.box.x))
    entered = [
        text
        for control in truth.controls
        if _padded(control.box, 4).contains(box.center)
        for text in (control.value, control.placeholder, control.text)
        if text
    ]
    return [normal(run.text) for run in runs] + [normal(text) for text in entered]


def _agree(text: str, written: list[str]) -> bool:
    joined = " ".join(written)
    if not joined:
        return False
    return (
        alike(text, joined) > 0
        or part_of(text, joined) is not None
        or any(alike(text, one) > 0 for one in written)
        or _mostly_from(text, written)
    )


def _mostly_from(text: str, written: list[str]) -> bool:
    """Whether most letters of a text are those of what is written there, in any order."""
    left = text
    for one in sorted(written, key=len, reverse=True):
        left = left.replace(one, " ", 1)
    return len(left.replace(" ", "")) <= 0.25 * len(text.replace(" ", ""))


# Controls: is there a box around it?


def box_marks(source: str, elements: Sequence[Element], truth: Truth) -> Iterator[Mark]:
    """One mark for each control on the screen."""
    boxes = [(e, e.box) for e in elements if e.box is not None and e.role not in _WHOLE]
    for number, control in enumerate(truth.controls):
        group = group_of(control)
        drawn = _drawn(number, truth)
        best = max((overlap(box, one) for _, box in boxes for one in drawn), default=0.0)
        right = best >= SAME
        if not right and group in ("link", "check", "icon"):
            right = any(_stands_for(element, box, control) for element, box in boxes)
        name = control.text or control.label or control.hint or control.placeholder
        subject = f"{control.kind} {name[:60]!r}"
        why = "" if right else f"best overlap {best:.2f}"
        yield Mark("boxes", source, group, subject, right, why, control.box)


def _drawn(number: int, truth: Truth) -> list[Box]:
    """The boxes that can be seen of a control.

    Of an icon without a border that is its picture: how far around it one may click, no pixel says.
    """
    control = truth.controls[number]
    boxes = [control.box]
    if group_of(control) == "icon" and not control.boxed:
        boxes += [picture.box for picture in truth.pictures if picture.owner == number]
    return boxes


def _stands_for(element: Element, box: Box, control: Control) -> bool:
    """Whether something within a control is as good as its box.

    A link is clicked on its text; the box of a check box may take in the text beside it; how much
    room there is around an icon without a border, no pixel says.
    """
    common = box.intersect(control.box)
    if common is None or common.area < 0.8 * box.area:
        return False
    if control.kind in ("checkbox", "radio", "switch"):
        wide = control.box.width > 2 * control.box.height
        return wide and element.role in _SMALL
    if group_of(control) == "icon":
        return not control.boxed and _in_the_middle(box, control.box)
    return True


def _in_the_middle(box: Box, of: Box) -> bool:
    """Whether a box lies in the middle of another, and is more than a speck of it."""
    x, y = abs(box.center.x - of.center.x), abs(box.center.y - of.center.y)
    return 4 * x <= of.width and 4 * y <= of.height and 8 * box.area >= of.area


# Claims: is it really a control?


def claim_marks(source: str, elements: Sequence[Element], truth: Truth) -> Iterator[Mark]:
    """One mark for each element that claims to be a control or an icon."""
    taken: set[int] = set()
    spared = [*truth.ignored, *(picture.box for picture in truth.pictures)]
    for element in elements:
        box = element.box
        if box is None or element.role not in _CLAIMS or not _on_screen(box, truth.size):
            continue
        match = _best_control(box, truth, taken)
        if match is not None:
            taken.add(match)
        elif _is_spared(box, spared):
            continue
        right = match is not None
        yield Mark("claims", source, element.role, _told(element), right, "", box)


def _on_screen(box: Box, size: Size) -> bool:
    return Box(0, 0, size.width, size.height).contains(box.center)


def _best_control(box: Box, truth: Truth, taken: set[int]) -> int | None:
    controls = truth.controls
    found = [
        (max(overlap(box, one) for one in _drawn(number, truth)), number)
        for number in range(len(controls))
        if number not in taken
    ]
    best = max(found, default=(0.0, -1))
    if best[0] >= SAME:
        return best[1]
    for number, control in enumerate(controls):
        if number not in taken and _covers_part(box, control):
            return number
    return None


def _covers_part(box: Box, control: Control) -> bool:
    """Whether a claim within a control is that control."""
    if control.box.intersect(box) != box:
        return False
    if group_of(control) == "check":
        return control.box.width > 2 * control.box.height
    return group_of(control) == "icon" and not control.boxed and _in_the_middle(box, control.box)


def _is_spared(box: Box, spared: Iterable[Box]) -> bool:
    """Whether it is one of those things that count neither way."""
    for other in spared:
        common = box.intersect(other)
        if common is not None and common.area >= 0.5 * min(box.area, other.area):
            return True
    return False
