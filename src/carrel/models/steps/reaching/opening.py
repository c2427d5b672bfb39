"""Opening what may hide something: tabs, closed sections, folders, menus, further pages."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from carrel.actions import Click, Key
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, children_of, within
from carrel.models.steps.finding.wishes import Wish, look_for, loosened, resolve
from carrel.models.steps.layout.accordions import covered
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.shown.front import not_behind
from carrel.models.steps.shown.pagers import BACK, MORE, page_after, page_control, pager_to
from carrel.models.steps.shown.reading import options_of
from carrel.models.steps.turns import Turns
from carrel.perception.find import Match
from carrel.perception.roles import CONTROLS, Kind, is_disabled, kind_of

__all__ = [
    "Search",
    "hides",
    "in_folders",
    "in_menus",
    "in_sections",
    "in_tabs",
    "on_further_pages",
]

PRESSES = 12
"""Things that are opened in one search, all in all."""
SECONDS = 20.0
"""How long one search may open things."""
PAGES = 3
"""Pages that are turned to where nobody said to look through them."""
ENTRIES = 20
STILL = 10
"""Looks at something that moves."""
MARK = 24
"""Pixels that the mark before an entry of a tree takes at most."""
_TREE = re.compile(
    r"\b(?:tree|folders?|director(?:y|ies)|subfolders?)\b|文件夹|目录|树", re.IGNORECASE
)
_LOOKING = re.compile(
    r"\b(?:find|look (?:for|through|in)|locate|search (?:through|in)|browse|navigate|explore)\b"
    r"|找到|查找|寻找|浏览",
    re.IGNORECASE,
)
"""Words that ask to look around."""
_TABS = re.compile(r"\btabs?\b|选项卡|标签", re.IGNORECASE)
_SECTIONS = re.compile(
    r"\b(?:sections?|accordions?|panels?|expand|unfold|open up|collaps\w+|groups?|details|tree)\b"
    r"|展开|折叠|分组|面板|章节",
    re.IGNORECASE,
)
_IS_MENU = re.compile(
    r"\bmenu(?: (?:button|icon))?(?= (?:in|on|at|of|for|beside|next to)\b|$)", re.IGNORECASE
)
_NEVER = re.compile(r"(?!)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_FOLDS = re.compile(f"{_TABS.pattern}|{_SECTIONS.pattern}", re.IGNORECASE)
_MENUS = re.compile(r"\bmenus?\b|菜单", re.IGNORECASE)
_ENTRIES = (Kind.TREE_ITEM, Kind.CELL, Kind.ROW)
"""What a click selects, besides or instead of opening it."""
TOLD = 4
"""Closed things that an account names."""


@dataclass
class Search:
    """One search for something that is not in sight, which may not go on for ever.

    Attributes:
        wish: What is looked for.
        windows: What is open, where it is more than one: nothing is opened behind the first.
        presses: How many things were opened.
        began: When, by the monotonic clock.
    """

    wish: Wish
    windows: Sequence[Window] = ()
    presses: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def is_over(self) -> bool:
        """Whether it has gone on for long enough."""
        return self.presses >= PRESSES or time.monotonic() - self.began > SECONDS


def _try(
    desk: Desk, search: Search, element: Element, told: str, *, commits: bool = False
) -> Turns[Match | None]:
    """Open one thing and look."""
    if element.box is None:
        return None
    at, wish = element.box.center, search.wish
    search.presses += 1
    desk.tried.append(told)
    why = f"{told}, to look for {wish.phrase}"
    yield from desk.do(Click(at.x, at.y), why=why, commits=commits)
    match = _now_seen(desk, wish)
    if match is None and desk.changed:
        yield from desk.again(0.3, why="it may take a moment to open")
        match = _now_seen(desk, wish)
    return match


def _now_seen(desk: Desk, wish: Wish) -> Match | None:
    """What has come into sight: of the kind that was said, or of the very name at least."""
    return resolve(desk, look_for(desk, wish)) or resolve(desk, look_for(desk, loosened(wish)))


def _usable(desk: Desk, search: Search) -> list[Element]:
    """What can be opened: never what the browser puts around a page."""
    shown = not_behind(desk.elements, search.windows)
    return [e for e in part_meant(shown, "") if e.box and not is_disabled(e)]


def _promising(
    desk: Desk, phrase: str, closed: Sequence[Element], kind: re.Pattern[str]
) -> list[Element]:
    """Of closed things those that what was said gives a reason to open.

    All of them where it asks to look around or speaks of such things, else the ones that it names,
    else the only one there is: nobody wants the others to be touched.
    """
    said = f"{phrase} {desk.step} {desk.notice}".casefold()
    # A name is no word of the step: “expand "Tree View"” speaks of no tree.
    spoken = _QUOTED.sub(" ", said)
    if kind.search(spoken) or _LOOKING.search(spoken):
        return list(closed)
    named = [e for e in closed if len(e.name.strip()) > 1 and _says(said, e.name)]
    return named or (list(closed) if len({e.name for e in closed}) == 1 else [])


def _says(said: str, name: str) -> bool:
    return (
        bool(name.strip())
        and re.search(rf"(?<!\w){re.escape(name.strip().casefold())}(?!\w)", said) is not None
    )


def _leave(desk: Desk, closed: Sequence[Element], told: str) -> None:
    """Tell of what was not opened, since nothing says that it should be."""
    names = list(dict.fromkeys(e.name.strip() for e in closed if e.name.strip()))
    if names:
        more = ", …" if len(names) > TOLD else ""
        desk.tried.append(f"not opened, as none is named: {told} {', '.join(names[:TOLD])}{more}")


def in_tabs(desk: Desk, search: Search) -> Turns[Match | None]:
    """On another tab; back to the one of each row that was open when it is on none."""
    rows: dict[str | None, list[Element]] = {}
    for tab in _usable(desk, search):
        if kind_of(tab) is Kind.TAB and not covered(tab, desk.elements):
            rows.setdefault(tab.parent, []).append(tab)
    for tabs in rows.values():
        if search.is_over:
            return None
        match = yield from _in_row(desk, search, tabs)
        if match is not None:
            return match
    return None


def _in_row(desk: Desk, search: Search, tabs: Sequence[Element]) -> Turns[Match | None]:
    chosen = next((tab for tab in tabs if "selected" in tab.states), None)
    others, opened = [tab for tab in tabs if tab is not chosen], False
    # The headings of an accordion are told as tabs, and are sections to whoever sees them.
    sort = _FOLDS if _are_stacked(tabs) else _TABS
    promising = _promising(desk, search.wish.phrase, others, sort)
    if not promising:
        _leave(desk, others, "the tabs")
    for tab in promising:
        if search.is_over:
            break
        # What one of them shows may push the others away.
        here = yield from _where_now(desk, tab)
        if here is None:
            continue
        match = yield from _try(desk, search, here, f"opened the tab {tab.name}")
        if match is not None:
            return match
        opened = True
    chosen = None if chosen is None else same_as(desk.elements, chosen)
    if chosen is not None and chosen.box is not None and opened:
        at = chosen.box.center
        yield from desk.do(Click(at.x, at.y), why=f"back to the tab {chosen.name}", commits=False)
    return None


def _are_stacked(tabs: Sequence[Element]) -> bool:
    """Whether they stand one below the other."""
    heights = {tab.box.y for tab in tabs if tab.box is not None}
    return len(tabs) > 1 and len(heights) == len(tabs)


def _where_now(desk: Desk, element: Element) -> Turns[Element | None]:
    """Where it is when it has stopped moving; None where it is gone."""
    before = same_as(desk.elements, element)
    if before is None or before.box == element.box:
        return before
    for _ in range(STILL):
        yield from desk.again(0.1, why=f"{element.name} may still move")
        now = same_as(desk.elements, element)
        if now is None or now.box == before.box:
            return now
        before = now
    return before


def _is_closed(element: Element) -> bool:
    states = element.states
    return (
        "expandable" in states
        and "expanded" not in states
        and kind_of(element) not in (Kind.COMBO, Kind.FIELD, Kind.MENU, Kind.TAB)
        and "has popup" not in states
    )


def in_sections(desk: Desk, search: Search) -> Turns[Match | None]:
    """In what is closed and says so; closed again where it is not in there."""
    done: set[tuple[str, str]] = set()
    opened: list[Element] = []
    while not search.is_over:
        closed = [e for e in _usable(desk, search) if _is_closed(e)]
        closed = [e for e in closed if _may_be_clicked(desk, search, e)]
        left = [e for e in closed if (e.role, e.name) not in done]
        promising = _promising(desk, search.wish.phrase, left, _SECTIONS)
        if not promising:
            _leave(desk, left, "the sections")
            break
        left = promising
        section = left[0]
        done.add((section.role, section.name))
        match = yield from _try(desk, search, section, f"opened {section.name}")
        if match is not None:
            return (yield from _close_others(desk, search, opened)) or match
        # What is inside may be closed too: it stays open until all was looked at.
        opened.append(section)
    yield from _close(desk, opened)
    return None


def _close_others(desk: Desk, search: Search, opened: Sequence[Element]) -> Turns[Match | None]:
    """Close what was opened in vain on the way; what was found has to stay in sight."""
    for section in reversed(opened):
        yield from _close(desk, [section])
        if _now_seen(desk, search.wish) is None:
            yield from desk.again(0.3, why="where it is now")
        now = same_as(desk.elements, section)
        if _now_seen(desk, search.wish) is None and now is not None and now.box is not None:
            at = now.box.center
            why = f"it is in there: open {section.name} again"
            yield from desk.do(Click(at.x, at.y), why=why, commits=False)
            yield from desk.again(0.3, why="what it shows")
    return _now_seen(desk, search.wish) if opened else None


def _may_be_clicked(desk: Desk, search: Search, closed: Element) -> bool:
    """Whether a click does no more than open it: an entry of a tree is also chosen by one.

    Only for what is itself in the tree such entries are opened.
    """
    if kind_of(closed) not in _ENTRIES:
        return True
    said = f"{search.wish.phrase} {desk.step}".casefold()
    if not closed.name.strip() or kind_of(closed) is not Kind.TREE_ITEM:
        # A row of a program's tree is selected by a click, and often says not where its sign is.
        return _says(said, closed.name)
    spoken = _QUOTED.sub(" ", said)
    asked = _TREE.search(spoken) or _LOOKING.search(spoken) or _SECTIONS.search(spoken)
    return asked is not None or _says(said, closed.name)


def _close(desk: Desk, opened: Sequence[Element]) -> Turns[None]:
    """Close again what was opened in vain, the last first, where it says that it is open."""
    for section in reversed(opened):
        now = same_as(desk.elements, section)
        if now is not None and now.box is not None and "expanded" in now.states:
            at = now.box.center
            why = f"not there: close {section.name}"
            yield from desk.do(Click(at.x, at.y), why=why, commits=False)


def in_folders(desk: Desk, search: Search) -> Turns[Match | None]:
    """Entries of a tree that says nothing of its state: by the mark before their names."""
    if not _TREE.search(f"{search.wish.phrase} {desk.step} {desk.notice}"):
        return None
    done: set[str] = set()
    while len(done) < ENTRIES and time.monotonic() - search.began <= SECONDS:
        left = [(name, mark) for name, mark in _marks(desk, search) if name not in done]
        if not left:
            return None
        name, mark = left[0]
        done.add(name)
        match = yield from _try(desk, search, mark, f"opened {name}")
        if match is not None:
            return match
    return None


def _marks(desk: Desk, search: Search) -> Iterator[tuple[str, Element]]:
    """The small unnamed thing before the text of each entry, where one has it."""
    listed = _usable(desk, search)
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


def _is_open(desk: Desk, menu: Element) -> bool:
    """Whether its items are in sight: a bar that a page calls a menu does not open."""
    inner = children_of(desk.elements, menu)
    return any(kind_of(e) in CONTROLS and within(e.box, menu.box) for e in inner)


def in_menus(desk: Desk, search: Search) -> Turns[Match | None]:
    """In a menu that tells nothing of what is in it."""
    menus = [
        e
        for e in _usable(desk, search)
        if "has popup" in e.states or (kind_of(e) is Kind.MENU and e.role == "menu")
        if kind_of(e) not in (Kind.FIELD, Kind.COMBO) and not _is_read(desk, e)
        if not _is_open(desk, e)
    ]
    # A menu that is looked for itself is in no other one.
    itself = Kind.MENU in search.wish.description.kinds or _IS_MENU.search(search.wish.phrase)
    looked = _NEVER if itself else _MENUS
    promising = _promising(desk, search.wish.phrase, menus, looked)
    if not promising:
        _leave(desk, menus, "the menus")
    for menu in promising:
        if search.is_over:
            return None
        match = yield from _try(desk, search, menu, f"opened the menu {menu.name}")
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


def on_further_pages(desk: Desk, search: Search) -> Turns[Match | None]:
    """On the pages that follow, where there is a pager; back to the first one when on none.

    A lone "Next" may as well send a form on its way: it is not pressed.
    """
    turned = 0
    for _ in range(PAGES):
        further = pager_to(desk, MORE) or page_after(desk, turned + 1)
        if further is None or search.is_over or further not in _usable(desk, search):
            break
        before = {(e.role, e.name) for e in desk.elements}
        told = f"went on by {further.name}"
        match = yield from _try(desk, search, further, told, commits=True)
        if match is not None:
            return match
        turned += 1
        if before == {(e.role, e.name) for e in desk.elements}:
            break
    back, times = pager_to(desk, BACK), turned
    if back is None:
        back, times = page_control(desk, 1), 1
    if turned and back is not None and back.box is not None:
        at = back.box.center
        yield from desk.do(*(Click(at.x, at.y),) * times, why="not there: back to the first page")
    return None


def hides(desk: Desk, phrase: str) -> bool:
    """Whether there are tabs or closed sections that may hide what is not in sight."""
    listed = part_meant(desk.elements, "")
    tabs = [e for e in listed if kind_of(e) is Kind.TAB and "selected" not in e.states]
    closed = [e for e in listed if _is_closed(e)]
    promising = _promising(desk, phrase, tabs, _TABS)
    return bool(promising or _promising(desk, phrase, closed, _SECTIONS))
