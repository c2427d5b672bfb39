"""What a check speaks of and is further down the page: brought into sight, as for a click."""

from __future__ import annotations

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.program import Condition, Has, Is, Not, Shows
from carrel.models.steps.shown.front import not_behind, several_windows
from carrel.models.steps.shown.panes import bring_into_view, off_screen, view_box
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Turns
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["come_to_words"]


def come_to_words(desk: Desk, condition: Condition) -> Turns[bool]:
    """Scroll to the one thing or text that a claim is about; whether it is in sight now.

    Only on a page, which tells of what it has further down; and only to what it would show there.
    """
    if isinstance(condition, Not) and isinstance(condition.condition, Is | Has):
        # What a thing is not, it is not wherever it lies; that it is not to be seen is another.
        condition = condition.condition
        if isinstance(condition, Is) and condition.state == "visible":
            return False
    if not isinstance(condition, Shows | Is | Has) or web_page(desk.elements) is None:
        return False
    yield from desk.again(0, why=f"what is out of sight, for {condition.what}", hidden=True)
    windows = yield from several_windows(desk)
    shown = {e.id for e in not_behind(desk.unseen, windows)}
    listed = [e for e in part_meant(off_screen(desk), "") if e.id in shown]
    listed = [e for e in listed if _is_beyond(desk, e)]
    wish = wished(condition.what)
    match = resolve(desk, look_for(desk, wish, listed, want="read"))
    element = match.element if match is not None else None
    if element is None and isinstance(condition, Shows):
        element = _saying(listed, wish.description.name if wish.description.exact else "")
    return element is not None and (yield from bring_into_view(desk, element))


def _is_beyond(desk: Desk, element: Element) -> bool:
    """Whether it lies above or below what the page shows, and not beside it or in a hidden part."""
    page, box = view_box(desk), element.box
    if box is None or box.width < 2 or box.height < 2 or "visible" not in element.states:
        return False
    return page.x <= box.center.x < page.right and not page.contains(box.center)


def _saying(listed: list[Element], words: str) -> Element | None:
    """The one text that has quoted words in it."""
    said = fold(words)
    having = [e for e in listed if kind_of(e) is Kind.TEXT and said in fold(written_on(e))]
    return having[-1] if said and len({fold(written_on(e)) for e in having}) == 1 else None
