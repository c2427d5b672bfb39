"""Dialogs that claim all input: nothing behind one can be used."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.geometry import Point
from carrel.perception.overlays import Overlays

__all__ = ["dialogs_shown", "list_over", "modal_over"]

_DIALOGS = ("dialog", "alert", "file chooser", "color chooser", "font chooser")
DEEPEST = 200


def dialogs_shown(elements: Sequence[Element]) -> list[Element]:
    """The dialogs on the screen, the outermost of each."""
    found = [e for e in elements if e.role in _DIALOGS or "modal" in e.states]
    known = {e.id for e in found}
    above = {e.id: e for e in elements}
    return [e for e in found if not any(p.id in known for p in _ancestors(e, above)) and e.box]


def modal_over(elements: Sequence[Element], element: Element) -> Element | None:
    """The dialog that keeps an element from being used; None where nothing does."""
    above = {e.id: e for e in elements}
    holders = _ancestors(element, above)
    if (dialog := _over_window(elements, element, holders, above)) is not None:
        return dialog
    if element.source not in ("tree", "browser"):
        return _over_pixels(elements, element, above)
    for dialog in (e for e in elements if "modal" in e.states and e.box is not None):
        if dialog.id == element.id or any(holder.id == dialog.id for holder in holders):
            return None
    overlays = Overlays(elements)
    for dialog in (e for e in elements if "modal" in e.states and e.box is not None):
        if _is_over(dialog, element, holders, above) and not overlays.lies_over(element, dialog):
            return dialog
    return None


def _over_pixels(
    elements: Sequence[Element], element: Element, above: dict[str, Element]
) -> Element | None:
    """The dialog of a page that what was only read on that page, beside the dialog, is behind.

    With a dialog in front, pages do not tell of the rest, which still shows.
    """
    for dialog in (e for e in elements if "modal" in e.states and e.box is not None):
        page = next((e for e in _ancestors(dialog, above) if e.role == "document web"), None)
        if page is None or page.box is None or element.box is None or dialog.box is None:
            continue
        at = element.box.center
        if page.box.contains(at) and not dialog.box.contains(at):
            return dialog
    return None


def list_over(elements: Sequence[Element], element: Element, at: Point) -> bool:
    """Whether a list in a window of its own, as browsers fill in forms with, lies over a place."""
    above = {e.id: e for e in elements}
    for listed in (e for e in elements if e.role == "list box"):
        holders = _ancestors(listed, above)
        window = holders[-1] if holders else None
        if window is None or window.role not in ("frame", "window") or window.name:
            continue
        own = element.id == window.id or window in _ancestors(element, above)
        if window.box is not None and window.box.contains(at) and not own:
            return True
    return False


def _over_window(
    elements: Sequence[Element], element: Element, holders: list[Element], above: dict[str, Element]
) -> Element | None:
    """A dialog of a browser that has the keyboard and has taken the page away from it.

    Browsers do not call it modal; that they tell of no page any more does. The page's pixels are
    still there, and nothing takes a click on them.
    """
    if any(e.role == "document web" for e in elements):
        return None
    for dialog in (e for e in elements if e.role in _DIALOGS and "active" in e.states and e.box):
        outer = _ancestors(dialog, above)
        window = outer[-1].box if outer else None
        if window is None or dialog.box is None or element.box is None:
            continue
        if dialog.id == element.id or any(holder.id == dialog.id for holder in holders):
            continue
        at = element.box.center
        if window.contains(at) and not dialog.box.contains(at):
            return dialog
    return None


def _is_over(
    dialog: Element, element: Element, holders: list[Element], above: dict[str, Element]
) -> bool:
    """Whether both belong to one page, or, of what is no page's, to one application."""
    page = next((e for e in _ancestors(dialog, above) if e.role == "document web"), None)
    if page is not None:
        return any(holder.id == page.id for holder in holders)
    if (
        dialog.box is not None
        and element.box is not None
        and dialog.box.contains(element.box.center)
    ):
        # It lies there: a list that the dialog has opened may be a window of its own.
        return False
    popup = holders[-1] if holders else element
    return bool(dialog.app) and dialog.app == element.app and popup.role in ("frame", "window")


def _ancestors(element: Element, above: dict[str, Element]) -> list[Element]:
    chain: list[Element] = []
    at = above.get(element.parent or "")
    while at is not None and len(chain) < DEEPEST:
        chain.append(at)
        at = above.get(at.parent or "")
    return chain
