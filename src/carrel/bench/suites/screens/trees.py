"""The truth about an application, from its accessibility tree.

What its pixels show is held against it. Names that are on no pixel (of icons in a tool bar) are
kept apart as hints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from carrel.bench.suites.screens.truth import Control, Picture, Run, Truth
from carrel.frames import Element
from carrel.geometry import Box, Size

__all__ = ["truth_of_tree"]

KINDS = {
    "push button": "button",
    "toggle button": "button",
    "check box": "checkbox",
    "radio button": "radio",
    "switch": "switch",
    "entry": "field",
    "password text": "password",
    "spin button": "spinner",
    "combo box": "combo",
    "slider": "slider",
    "link": "link",
    "page tab": "tab",
    "menu": "menu item",
    "menu item": "menu item",
    "check menu item": "menu item",
    "radio menu item": "menu item",
}
SHOWN = frozenset({"label", "static", "heading", "table column header", "status bar"})
"""Roles that are nothing but the text that is their name."""
LETTER = 4.5
"""Pixels that a letter of a user interface takes at least: a longer name is not written there."""
UNTOLD = frozenset({"table", "tree table", "document spreadsheet", "text", "terminal"})
"""Roles of areas with more in them than their tree tells."""
DRAWN = frozenset({"panel", "filler", "drawing area", "canvas", "unknown"})
"""Roles of areas that, with nothing in them, are drawn by the application without a word."""
SMALLEST = 4
MOST_TEXT = 80


def truth_of_tree(elements: Sequence[Element], size: Size, app: str) -> Truth:
    """What of an application's tree can be seen on the screen."""
    screen = Box(0, 0, size.width, size.height)
    known = {element.id: element for element in elements}
    runs: list[Run] = []
    controls: list[Control] = []
    ignored: list[Box] = []
    parents = {element.parent for element in elements}
    for element in elements:
        box = element.box.intersect(screen) if element.box is not None else None
        if box is None or element.box is None or min(box.width, box.height) < SMALLEST:
            continue
        if not _is_of(element, app):
            ignored.append(box)
        elif box.area < 0.6 * element.box.area:
            if element.role in KINDS or element.role in SHOWN:
                ignored.append(box)
        elif element.role in UNTOLD or (element.role in DRAWN and element.id not in parents):
            ignored.append(box)
        elif element.role in KINDS:
            control = _control(element, box, on_bar=_is_on_bar(element, known))
            if control.text:
                runs.append(Run(control.text, box, len(controls)))
            controls.append(control)
        elif element.role in SHOWN and _fits(element.name, box):
            runs.append(Run(_flat(element.name), box))
    pictures = tuple(_pictures(elements, screen))
    owned = tuple(_owned(run, controls) for run in runs)
    return Truth(size, owned, tuple(controls), pictures, tuple(ignored))


def _is_of(element: Element, app: str) -> bool:
    return app.casefold() in element.app.casefold()


def _control(element: Element, box: Box, *, on_bar: bool) -> Control:
    name = _flat(element.name)
    kind = KINDS[element.role]
    entered = kind in ("field", "password", "spinner", "combo", "slider")
    written = not entered and _fits(name, box) and not (on_bar and kind == "button")
    states = tuple(s for s in ("checked", "selected") if s in element.states)
    return Control(
        kind,
        box,
        boxed=kind == "button" and not on_bar,
        text=name if written else "",
        value=_flat(element.value or "") if entered and kind != "password" else "",
        hint="" if written else name,
        states=states,
    )


def _fits(name: str, box: Box) -> bool:
    flat = _flat(name)
    return 0 < len(flat) <= MOST_TEXT and box.width >= LETTER * len(flat)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _is_on_bar(element: Element, known: dict[str, Element]) -> bool:
    parent = known.get(element.parent or "")
    while parent is not None:
        if parent.role == "tool bar":
            return True
        parent = known.get(parent.parent or "")
    return False


def _pictures(elements: Sequence[Element], screen: Box) -> Iterator[Picture]:
    for element in elements:
        box = element.box.intersect(screen) if element.box is not None else None
        if box is not None and element.role in ("icon", "image", "canvas", "drawing area"):
            yield Picture(box, replaced=True)


def _owned(run: Run, controls: Sequence[Control]) -> Run:
    """A label that lies on a control is its text."""
    if run.owner >= 0:
        return run
    for number, control in enumerate(controls):
        inside = control.box.contains(run.box.center) and run.box.area <= control.box.area
        if inside and control.kind not in ("field", "combo"):
            return replace(run, owner=number)
    return run
