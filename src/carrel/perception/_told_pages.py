"""Pages that tell everything that is written in: what else looks like a field there is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from carrel.frames import Element, Window
from carrel.geometry import Box

__all__ = ["without_false_fields"]

MOST = 1900
"""Elements of a page that may not have told everything."""
WITHIN = 0.9
"""How much of a page lies in the window that shows it."""
_DRAWN = frozenset({"canvas", "embedded", "image", "internal frame", "video"})
"""Parts of a page of which nobody tells what is drawn in them."""


def without_false_fields(
    seen: Sequence[Element], paged: Sequence[Element], windows: Sequence[Window]
) -> list[Element]:
    """Shapes but those that look like fields, and stand on a page that has told of its own.

    Frames of texts and cells of tables are drawn like fields.
    """
    pages = [e.box for e in paged if e.role == "document web" and e.box is not None]
    if not pages or len(paged) > MOST:
        return list(seen)
    drawn = [e.box for e in paged if e.role in _DRAWN and e.box is not None]
    shown = [window.box for window in windows if not window.minimized]

    def is_false(box: Box) -> bool:
        page = next((page for page in pages if page.contains(box.center)), None)
        if page is None or _any_holds(drawn, box):
            return False
        top = next((window for window in reversed(shown) if window.contains(box.center)), None)
        return top is not None and _is_on(page, top)

    return [e for e in seen if e.role != "entry" or e.box is None or not is_false(e.box)]


def _is_on(page: Box, window: Box) -> bool:
    common = page.intersect(window)
    return common is not None and common.area >= WITHIN * page.area


def _any_holds(boxes: Iterable[Box], inner: Box) -> bool:
    return any(box.contains(inner.center) for box in boxes)
