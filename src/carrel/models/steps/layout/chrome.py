"""The browser's own controls: meant only when they are named as such."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element

__all__ = ["part_meant", "web_page"]

_NAMED = re.compile(
    r"\b(?:browser|address bar|url bar|omnibox|location bar|tab strip|browser tab|bookmarks? bar)\b"
    r"|浏览器|地址栏|标签栏|书签栏|网址栏",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\b(?:new tab|bookmarks?|toolbar)\b|书签|新标签页|工具栏", re.IGNORECASE)
"""Words for what a browser has, and many a page, too."""


def web_page(elements: Sequence[Element]) -> Element | None:
    """The page in the browser, the topmost one; None where there is none."""
    pages = [e for e in elements if e.role == "document web" and e.box is not None and e.box.area]
    focused = next((page for page in pages if "focused" in page.states), None)
    return focused or (pages[-1] if pages else None)


def part_meant(elements: Sequence[Element], phrase: str) -> Sequence[Element]:
    """The elements a phrase can mean: a page's window without what the browser puts around it."""
    page = web_page(elements)
    if page is None:
        return elements
    around = _around_page(elements)
    if _NAMED.search(phrase):
        return [e for e in elements if e.id in around] or elements
    inside = [e for e in elements if e.id not in around]
    return elements if _EITHER.search(phrase) else inside


def _around_page(elements: Sequence[Element]) -> frozenset[str]:
    """What is in the same window as a page, and not in the page."""
    above = {element.id: element for element in elements}
    windows, inside = set[str](), set[str]()
    for element in elements:
        chain = _ancestors(element, above)
        if any(item.role == "document web" for item in chain):
            inside.add(element.id)
            windows.add(chain[-1].id)
    return frozenset(
        element.id
        for element in elements
        if element.id not in inside
        and element.source in ("tree", "browser")
        and _ancestors(element, above)[-1].id in windows
        and element.role not in ("frame", "window", "dialog", "alert")
        and not any(item.role in ("dialog", "alert") for item in _ancestors(element, above))
    )


def _ancestors(element: Element, above: dict[str, Element]) -> list[Element]:
    """The element and all that hold it, the outermost last."""
    chain = [element]
    while (parent := above.get(chain[-1].parent or "")) is not None and len(chain) < 200:
        chain.append(parent)
    return chain
