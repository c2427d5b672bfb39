"""Bringing into sight what is not: scrolling, other tabs, closed sections, menus, further pages.

Everything is tried in a fixed order with a bound, told in the thought, and put back when it did not
help.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from carrel.actions import Click, Key, Scroll
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.chrome import part_meant, web_page
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import Wish, look_for, loosened, resolve
from carrel.models.steps.reading import options_of
from carrel.models.steps.turns import Turns
from carrel.perception.roles import Kind, is_disabled, kind_of

if TYPE_CHECKING:
    from carrel.perception.find import Match

__all__ = [
    "MORE",
    "bring_into_view",
    "is_pager",
    "number_of",
    "off_screen",
    "out_of_sight",
    "reveal",
    "same_one",
    "scroll_until",
    "view_box",
]

SCROLLS = 12
NOTCH = 53
"""Pixels that a notch of the wheel moves a page, roughly; the rest is read back."""
LOOKS = 5
"""At something that is still moving."""
SECTIONS = 12
PAGES = 20

MORE = re.compile(
    r"^(?:(?:show|load|see|view) (?:more|all)|more|next(?: page)?|older|»|›|>|>>|→|下一页|更多)"
    r"(?: results| items| entries| posts)?[.…]*$",
    re.IGNORECASE,
)
MARK = 24
"""Pixels that the mark before an entry of a tree takes at most."""
_TREE = re.compile(
    r"\b(?:tree|folders?|director(?:y|ies)|subfolders?)\b|文件夹|目录|树", re.IGNORECASE
)
_ENDS = re.compile(r"^(?:first|last|«|»|<<|>>|首页|末页)(?: page)?$", re.IGNORECASE)
_BACK = re.compile(r"^(?:prev(?:ious)?(?: page)?|newer|«|‹|<|<<|←|上一页)$", re.IGNORECASE)


def reveal(desk: Desk, wish: Wish) -> Turns[Match | None]:
    """Look for something that is not in sight; None when nothing helped."""
    for way in (_scrolled, _in_tabs, _in_sections, _in_folders, _in_menus, _on_further_pages):
        match = yield from way(desk, wish)
        if match is not None:
            return match
    return None


def out_of_sight(desk: Desk, wish: Wish) -> Turns[Match | None]:
    """What the application knows but does not show: further down, or in a closed list."""
    yield from desk.again(0, why=f"what is out of sight, for {wish.phrase}", hidden=True)
    found = look_for(desk, wish, off_screen(desk))
    best = resolve(desk, found)
    if best is None or best.element.box is None:
        return None
    if (yield from bring_into_view(desk, best.element)):
        return resolve(desk, look_for(desk, wish))
    return None


def off_screen(desk: Desk) -> list[Element]:
    """What lies beyond the edges of what can be seen, as of the last look for it."""
    seen = {(e.role, e.name, e.box) for e in desk.elements}
    return [
        e
        for e in desk.unseen
        if e.box is not None and e.box.area and (e.role, e.name, e.box) not in seen
    ]


def view_box(desk: Desk) -> Box:
    """The part of the screen that scrolls as a whole: the page, or all of it."""
    page = web_page(desk.elements)
    screen = Box(0, 0, desk.size.width, desk.size.height)
    box = page.box if page is not None else None
    return (box.intersect(screen) if box is not None else None) or screen


def bring_into_view(desk: Desk, element: Element) -> Turns[bool]:
    """Scroll towards an element whose box is beyond an edge; whether it is in sight then."""
    told, notch = element.name or element.role, float(NOTCH)
    number = number_of(desk.unseen, element)
    for _ in range(SCROLLS):
        pane, box = _pane_of(desk, element), element.box
        if box is None:
            return False
        dx, dy = _distance(box, pane)
        if not dx and not dy:
            yield from desk.again(0, why=f"{told} should be in sight now")
            return True
        at = pane.center
        wheel = Scroll(at.x, at.y, dx=_notches(dx, notch), dy=0 if dx else _notches(dy, notch))
        yield from desk.do(wheel, why=f"scroll towards {told}", commits=False)
        if "scrolled towards it" not in desk.tried:
            desk.tried.append("scrolled towards it")
        if not desk.changed:
            return False
        element = yield from _at_rest(desk, element, number)
        notch = _measured(box, element.box, wheel) or notch
    return False


def _at_rest(desk: Desk, element: Element, number: int | None) -> Turns[Element]:
    """Where it is after scrolling; applications tell of that a moment later than they show it."""
    now, last = element, None
    for _ in range(LOOKS):
        told = element.name or element.role
        yield from desk.again(0.1, why=f"where {told} is now", hidden=True)
        now = same_one(desk.unseen, element, number) or element
        if last is not None and now.box == last:
            break
        last = now.box
    return now


def _measured(before: Box, now: Box | None, wheel: Scroll) -> float | None:
    """How far one notch went; None when it went nowhere."""
    if now is None:
        return None
    moved = abs(now.x - before.x) / abs(wheel.dx) if wheel.dx else abs(now.y - before.y)
    return (moved if wheel.dx else moved / abs(wheel.dy)) or None


def _alike(elements: Iterable[Element], one: Element) -> list[Element]:
    """Elements of the same words, in their order."""
    known = (one.role, one.name, one.value)
    return [e for e in elements if (e.role, e.name, e.value) == known and e.box is not None]


def number_of(elements: Iterable[Element], one: Element) -> int | None:
    """Which of its like it is; scrolling moves them all, and leaves their order."""
    places = [e.box for e in _alike(elements, one)]
    return places.index(one.box) if one.box in places else None


def same_one(elements: Iterable[Element], before: Element, number: int | None) -> Element | None:
    """The same element in a later look: by its number among its like, else in the same column."""
    alike = _alike(elements, before)
    if number is not None and number < len(alike):
        return alike[number]
    if before.box is None:
        return alike[0] if len(alike) == 1 else None
    x = before.box.x
    return min(alike, key=lambda e: abs((e.box or Box(0, 0, 0, 0)).x - x), default=None)


def _pane_of(desk: Desk, element: Element) -> Box:
    """The part of the screen that has to be scrolled for an element."""
    page = view_box(desk)
    above = {e.id: e for e in desk.unseen}
    at, box = above.get(element.parent or ""), element.box
    while at is not None:
        if at.role == "document web" or box is None:
            break
        if at.box is not None and at.box.area and not at.box.contains(box.center):
            part = at.box.intersect(page)
            if part is not None:
                return part
        at = above.get(at.parent or "")
    return page


def _distance(box: Box, pane: Box) -> tuple[int, int]:
    """How far the middle of a box is outside of a pane, across and along."""
    at = box.center
    margin_x, margin_y = min(8, pane.width // 4), min(24, pane.height // 4)
    dx = min(0, at.x - pane.x - margin_x) or max(0, at.x - pane.right + margin_x)
    dy = min(0, at.y - pane.y - margin_y) or max(0, at.y - pane.bottom + margin_y)
    return dx, dy


def _notches(distance: int, notch: float) -> int:
    if not distance:
        return 0
    count = max(1, min(100, round(abs(distance) / notch)))
    return count if distance > 0 else -count


def _scrolled(desk: Desk, wish: Wish) -> Turns[Match | None]:
    """Where no tree says what is further down, only looking helps."""
    if web_page(desk.elements) is not None and len(desk.unseen) > len(desk.elements):
        # The page has told of everything it has, in sight or not; only its panes are left.
        return None

    def there() -> Match | None:
        return resolve(desk, look_for(desk, wish))

    at = view_box(desk).center
    for dy, told in ((5, "to the end"), (-5, "to the beginning")):
        match = yield from scroll_until(desk, at, 0, dy, there)
        desk.tried.append(f"scrolled {told}")
        if match is not None:
            return match
    return None


def scroll_until(
    desk: Desk,
    at: Point,
    dx: int,
    dy: int,
    there: Callable[[], Match | None],
    limit: int = SCROLLS,
) -> Turns[Match | None]:
    """Turn the wheel until something is there, or nothing moves any more."""
    for _ in range(limit):
        yield from desk.do(Scroll(at.x, at.y, dx=dx, dy=dy), why="scroll on", commits=False)
        match = there()
        if match is None and not desk.elements and (yield from desk.closer()):
            match = there()
        if match is not None:
            return match
        if not desk.changed:
            return None
    return None


# Opening what is closed


def _try(
    desk: Desk, wish: Wish, element: Element, told: str, undo: bool = True
) -> Turns[Match | None]:
    """Open one thing and look; close it again when it did not help."""
    if element.box is None:
        return None
    at = element.box.center
    desk.tried.append(told)
    yield from desk.do(Click(at.x, at.y), why=f"{told}, to look for {wish.phrase}", commits=False)
    match = _now_seen(desk, wish)
    if match is None and desk.changed:
        yield from desk.again(0.3, why="it may take a moment to open")
        match = _now_seen(desk, wish)
    if match is None and undo and desk.changed:
        yield from desk.do(Click(at.x, at.y), why=f"not there: close {element.name}", commits=False)
    return match


def _now_seen(desk: Desk, wish: Wish) -> Match | None:
    """What has come into sight: of the kind that was said, or of the very name at least."""
    return resolve(desk, look_for(desk, wish)) or resolve(desk, look_for(desk, loosened(wish)))


def _usable(desk: Desk, wish: Wish) -> list[Element]:
    return [e for e in part_meant(desk.elements, wish.phrase) if e.box and not is_disabled(e)]


def _in_tabs(desk: Desk, wish: Wish) -> Turns[Match | None]:
    tabs = [e for e in _usable(desk, wish) if kind_of(e) is Kind.TAB]
    chosen = next((tab for tab in tabs if "selected" in tab.states), None)
    for tab in [tab for tab in tabs if tab is not chosen][:SECTIONS]:
        match = yield from _try(desk, wish, tab, f"opened the tab {tab.name}", undo=False)
        if match is not None:
            return match
    if chosen is not None and chosen.box is not None and len(tabs) > 1:
        at = chosen.box.center
        yield from desk.do(Click(at.x, at.y), why=f"back to the tab {chosen.name}", commits=False)
    return None


def _is_closed(element: Element) -> bool:
    states = element.states
    return (
        "expandable" in states
        and "expanded" not in states
        and kind_of(element) not in (Kind.COMBO, Kind.FIELD, Kind.MENU, Kind.TAB)
        and "has popup" not in states
    )


def _in_sections(desk: Desk, wish: Wish) -> Turns[Match | None]:
    done: set[tuple[str, str]] = set()
    opened = 0
    while opened < SECTIONS:
        left = [e for e in _usable(desk, wish) if _is_closed(e) and (e.role, e.name) not in done]
        if not left:
            return None
        section = left[0]
        done.add((section.role, section.name))
        opened += 1
        # What is inside may be closed too: it stays open, as a person would leave it.
        match = yield from _try(desk, wish, section, f"opened {section.name}", undo=False)
        if match is not None:
            return match
    return None


def _in_folders(desk: Desk, wish: Wish) -> Turns[Match | None]:
    """Entries of a tree that says nothing of its state: by the mark before their names."""
    if not _TREE.search(f"{wish.phrase} {desk.step} {desk.notice}"):
        return None
    done: set[str] = set()
    while len(done) < PAGES:
        left = [(name, mark) for name, mark in _marks(desk, wish) if name not in done]
        if not left:
            return None
        name, mark = left[0]
        done.add(name)
        match = yield from _try(desk, wish, mark, f"opened {name}", undo=False)
        if match is not None:
            return match
    return None


def _marks(desk: Desk, wish: Wish) -> Iterator[tuple[str, Element]]:
    """The small unnamed thing before the text of each entry, where one has it."""
    listed = _usable(desk, wish)
    texts = [e for e in listed if kind_of(e) is Kind.TEXT and e.name.strip() and e.box]
    for entry in (e for e in listed if kind_of(e) in (Kind.OPTION, Kind.TREE_ITEM)):
        inner = [e for e in listed if e.parent == entry.id and not e.name and _is_mark(e)]
        for mark in inner[:1]:
            beside = [e for e in texts if _follows(mark.box, e.box)]
            if beside:
                yield beside[0].name.strip(), mark


def _is_mark(element: Element) -> bool:
    box = element.box
    return box is not None and max(box.width, box.height) <= MARK and min(box.width, box.height) > 4


def _follows(mark: Box | None, text: Box | None) -> bool:
    if mark is None or text is None:
        return False
    middle = mark.center.y
    return text.y - 4 <= middle <= text.bottom + 4 and 0 <= text.x - mark.right < 3 * MARK


def _is_read(desk: Desk, menu: Element) -> bool:
    """Whether what is in it is known although it is closed: it is not in there, then."""
    closed = [e for e in desk.unseen if (e.role, e.name, e.box) == (menu.role, menu.name, menu.box)]
    return any(options_of(e, desk.unseen) for e in closed)


def _in_menus(desk: Desk, wish: Wish) -> Turns[Match | None]:
    menus = [
        e
        for e in _usable(desk, wish)
        if "has popup" in e.states or (kind_of(e) is Kind.MENU and e.role == "menu")
        if kind_of(e) is not Kind.FIELD and not _is_read(desk, e)
    ]
    for menu in menus[:SECTIONS]:
        match = yield from _try(desk, wish, menu, f"opened the menu {menu.name}", undo=False)
        if match is not None:
            return match
        yield from desk.do(Key(("escape",)), why="not there: close the menu", commits=False)
        still = [
            e for e in desk.elements if (e.role, e.name, e.box) == (menu.role, menu.name, menu.box)
        ]
        if any("expanded" in e.states for e in still) and menu.box is not None:
            at = menu.box.center
            yield from desk.do(Click(at.x, at.y), why=f"close {menu.name}", commits=False)
    return None


def _on_further_pages(desk: Desk, wish: Wish) -> Turns[Match | None]:
    turned = 0
    for _ in range(PAGES):
        further = _named_like(desk, wish, MORE)
        if further is None:
            break
        before = {(e.role, e.name) for e in desk.elements}
        match = yield from _try(desk, wish, further, f"went on by {further.name}", undo=False)
        if match is not None:
            return match
        turned += 1
        if before == {(e.role, e.name) for e in desk.elements}:
            break
    back = _named_like(desk, wish, _BACK)
    if turned and back is not None and back.box is not None:
        at = back.box.center
        clicks = (Click(at.x, at.y),) * turned
        yield from desk.do(*clicks, why="not there: back to the first page", commits=False)
    return None


def is_pager(element: Element, elements: Sequence[Element]) -> bool:
    """Whether it turns pages: named for that, or a number beside others of the kind."""
    name = element.name.strip()
    if MORE.search(name) or _BACK.search(name) or _ENDS.search(name):
        return True
    if not name.isdigit() or element.box is None:
        return False
    row = [
        e for e in elements if e.box is not None and e.role == element.role and e.id != element.id
    ]
    return any(
        (e.name.strip().isdigit() or MORE.search(e.name.strip()))
        and abs(e.box.center.y - element.box.center.y) < element.box.height
        for e in row
        if e.box is not None
    )


def _named_like(desk: Desk, wish: Wish, pattern: re.Pattern[str]) -> Element | None:
    """The one link or button that is named so."""
    fitting = [
        e
        for e in _usable(desk, wish)
        if kind_of(e) in (Kind.LINK, Kind.BUTTON) and pattern.search(e.name.strip())
    ]
    return fitting[0] if len(fitting) == 1 else None
