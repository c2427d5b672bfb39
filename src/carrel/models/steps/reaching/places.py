"""A part of the screen that was named, and that the steps stay in."""

from __future__ import annotations

import re

from carrel.actions import Click, FocusWindow
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, Place, within
from carrel.models.steps.finding.bounds import not_told
from carrel.models.steps.finding.extents import extent_of
from carrel.models.steps.finding.windowed import looked_into
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.floating import all_dialogs
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.sections import section_under, under_heading
from carrel.models.steps.phrases.place_words import read_place
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.reaching.reveal import out_of_sight
from carrel.models.steps.shown.front import is_panel, open_windows
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.find import Match
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["come_to", "stay_in"]

_WHOLE = re.compile(
    r"(?:the|this|that|my|your|our|an?) (?:[\w-]+ ){0,2}"
    r"(?:book|inbox|mailbox|directory|catalog(?:ue)?|list|page|website|site|app|application|"
    r"program|screen|editor|terminal|console|calendar|feed|timeline|menu|form|table|document|"
    r"window|store|shop|game|map|database|system|survey|questionnaire|quiz|poll|wizard|dashboard|"
    r"planner|tracker)(?: (?:below|above|here|shown))?",
    re.IGNORECASE,
)
"""Words for something as a whole, which seldom stand on it."""
_SORT = re.compile(
    r"\s+(?:settings?|preferences|options|section|area|part|page|screen|panel|view|tab"
    r"|box|card|block|frame|group|form|widget)$"
    r"|(?:设置|选项|部分|页面|面板|区域|栏目?|页)$",
    re.IGNORECASE,
)
"""Words for what sort of part it is, which its name need not say."""
_OPEN = re.compile(
    r"(?:the |this |that )?(?:open(?:ed)? |current |new )?(?:dialog(?:ue)?(?: box)?|pop-?up|modal)"
    r"(?: window)?"
    r"(?: (?:that|which) (?:is|has|just|was|came|opens?|opened|open|up|appeared|shown| )+"
    r"| in front| on (?:the )?screen)?"
    r"|(?:当前|打开|弹出|出现|显示)?的?(?:这个|那个)?(?:对话框|弹窗|弹出框|弹出窗口|弹层|气泡框?)"
    r"|(?:弹出|出现|跳出)(?:来)?的?(?:这个|那个)?(?:二次)?(?:确认|提示|询问|警告)(?:信息)?(?:弹?窗口?|弹?框|层)?"
    r"|(?:弹出|跳出)(?:来)?的(?:窗口?|小窗|框|层)",
    re.IGNORECASE,
)
"""Words for whatever dialog is open."""
_CAME = re.compile(
    r"(?:the|that|this|an?) (?:(?:small|little|tiny|new|other|extra|separate|second|next|resulting|"
    r"pop-?up) )*(?:window|dialog(?:ue)?(?: box| window)?|pop-?up(?: window)?|box)"
    r"(?: (?:that|which) (?:then |now |just |has |have |is )*(?:open(?:s|ed)?|appear(?:s|ed)?|"
    r"show(?:s|ed|n)|c[ao]mes?|pop(?:s|ped)?)(?: up)?(?: (?:next|then|now|on (?:the )?screen))?)",
    re.IGNORECASE,
)
"""Words for a window by nothing but that it came up."""
COMING = (0.3, 0.6, 1.0)
"""Seconds in which it does."""
_HOLDING = frozenset({Kind.DIALOG, Kind.WINDOW})
MOST_OF_SCREEN = 0.6
"""What is larger than this share of the screen is no part of it."""


def stay_in(desk: Desk, phrase: str) -> Turns[None]:
    """Look only in a part of the screen from now on, until `desk.place` is taken away."""
    window = yield from looked_into(desk, phrase)
    if window is not None:
        # It has the keyboard then; what is behind it is not meant.
        if not window[0].focused:
            title = window[0].title
            yield from desk.do(FocusWindow(window[0].id), why=f"in the window {title}")
        return
    if _CAME.fullmatch(phrase.strip()) and (yield from _came_up(desk)):
        return
    if (yield from _is_titled(desk, phrase)):
        return
    if _WHOLE.fullmatch(phrase.strip()):
        wish = wished(phrase)
        known = resolve(desk, look_for(desk, wish, want="hold"))
        if known is None and not is_there(look_for(desk, wish, want="hold")):
            # The screen does not say it of a part of it: it is all of what is shown.
            return
    match = yield from _meant(desk, phrase)
    inner = match.element.box or Box(match.point.x, match.point.y, 1, 1)
    under = _under(desk, phrase, match.element)
    headed = under and kind_of(match.element) is Kind.HEADING
    # What a heading heads ends where the next part begins.
    most = under[0].area if headed else MOST_OF_SCREEN * desk.size.width * desk.size.height
    around = {
        e.box
        for e in desk.elements
        if e.box and within(inner, e.box) and inner.area < e.box.area < most
    }
    areas = sorted({inner, *under, *around}, key=lambda b: b.area)
    desk.place = Place(phrase, tuple(areas), match.point)
    desk.worked = inner


def _is_titled(desk: Desk, phrase: str) -> Turns[bool]:
    """Whether the window in front is called just so: `the order form` is all of “Order form”."""
    if web_page(desk.elements) is not None:
        return False
    said = re.sub(r"^(?:the|this|my)\s+", "", phrase.strip(' "“”'), flags=re.IGNORECASE)
    listed = [w for w in (yield from open_windows(desk)) if not is_panel(w, desk.size)]
    return any(w.focused and w.title.strip().casefold() == said.casefold() for w in listed)


def _came_up(desk: Desk) -> Turns[bool]:
    """Whether a window came up over another and has the keyboard; what is behind is not meant."""
    if web_page(desk.elements) is not None:
        return False
    for pause in (0.0, *COMING):
        if pause:
            yield from desk.again(pause, why="the window may still be coming up")
        listed = [w for w in (yield from open_windows(desk)) if not is_panel(w, desk.size)]
        shown = [w for w in listed if not w.minimized]
        if len(shown) > 1 and shown[-1].focused:
            return True
    return False


def _meant(desk: Desk, phrase: str) -> Turns[Match]:
    """The part that is meant; what just opened may come up while it is looked for."""
    match = _at_side(desk, phrase)
    if match is not None:
        return match
    try:
        return (yield from _held(desk, _without_sort(desk, phrase)))
    except Missed:
        match = _at_side(desk, phrase) or _in_lane(desk, phrase)
        if match is None:
            raise
        return match


def _in_lane(desk: Desk, phrase: str) -> Match | None:
    """The title of a column that is no table's: what stands under it is the place."""
    if read_place(phrase).sort != "column":
        return None
    try:
        extent = extent_of(desk, phrase)
    except Missed:
        return None
    title = extent.title if extent is not None else None
    if title is None or title.box is None:
        return None
    return Match(title, 0.9, title.box.center, "the title of a column")


def _at_side(desk: Desk, phrase: str) -> Match | None:
    """The list at a side of its window, where no more is said: a tree or a table as well."""
    words = read_place(phrase)
    if not words.side or words.name or words.number or words.sort not in ("list", "table"):
        return None
    if is_there(look_for(desk, wished(phrase), want="hold")):
        return None
    tops = [e for e in desk.elements if e.parent is None and kind_of(e) in _HOLDING]
    front = [e for e in tops if "active" in e.states]
    own = lineage_of(desk.elements).inside(front[0]) if len(front) == 1 else None
    try:
        extent = extent_of(desk, phrase, [e for e in desk.elements if own is None or e.id in own])
    except Missed:
        return None
    holder = extent.holder if extent is not None else None
    if holder is None or holder.box is None or not _is_at(desk, holder, words.side):
        return None
    return Match(holder, 0.9, holder.box.center, f"at the {words.side}")


def _is_at(desk: Desk, element: Element, side: str) -> bool:
    """Whether it is in that half of its page or window."""
    by_id = {e.id: e for e in desk.elements}
    outer = by_id.get(element.parent or "")
    while outer is not None and kind_of(outer) not in (*_HOLDING, Kind.PAGE):
        outer = by_id.get(outer.parent or "")
    whole = outer.box if outer is not None else Box(0, 0, desk.size.width, desk.size.height)
    if whole is None or element.box is None:
        return False
    at, middle = element.box.center, whole.center
    across, along = at.x - middle.x, at.y - middle.y
    return {"left": -across, "right": across, "top": -along, "bottom": along}[side] > 0


def _under(desk: Desk, phrase: str, title: Element) -> tuple[Box, ...]:
    """What a heading heads, or a text over something."""
    if kind_of(title) not in (Kind.HEADING, Kind.TEXT):
        return ()
    tree = lineage_of(desk.elements)
    if kind_of(title) is Kind.HEADING:
        held, strip = section_under(title, tree), under_heading(title, tree)
        if held is not None and held.box is not None:
            return (held.box,)
        if strip is not None:
            return (strip[1],)
    try:
        extent = extent_of(desk, phrase)
    except Missed:
        return ()
    return () if extent is None else (extent.box,)


def come_to(desk: Desk, phrase: str) -> Turns[None]:
    """Have a place in sight that is to be looked at: a tab chosen, a section scrolled to.

    What comes by itself, as a dialog does, is only waited for.
    """
    words = read_place(phrase)
    if words.sort not in ("tab", "group", "any", "list", "table", "column", "row"):
        return
    tabs = [e for e in part_meant(desk.elements, phrase) if kind_of(e) is Kind.TAB and e.box]
    named = [e for e in tabs if words.name and e.name.strip().casefold() == words.name.casefold()]
    if len(named) == 1 and words.sort in ("tab", "any") and "selected" not in named[0].states:
        at = named[0].box
        assert at is not None
        why = f"{phrase} is not the one that is shown"
        yield from desk.do(Click(at.center.x, at.center.y), why=why)
        return
    if not_told(desk, phrase) is not None:
        yield from out_of_sight(desk, wished(phrase))


def _without_sort(desk: Desk, phrase: str) -> str:
    """Without "settings" and the like, where the rest is what the screen calls that part."""
    bare = _SORT.sub("", phrase.strip())
    if not bare or bare == phrase.strip():
        return phrase
    if is_there(look_for(desk, wished(phrase), want="hold")):
        return phrase
    known = resolve(desk, look_for(desk, wished(bare), want="hold"))
    parts = (Kind.TAB, Kind.HEADING, Kind.GROUP, Kind.DIALOG, Kind.WINDOW)
    if known is not None and kind_of(known.element) in parts:
        return bare
    # What is called so elsewhere only leads there: its heading stands over it.
    heading = f'the heading "{read_place(bare).name}"'
    headed = resolve(desk, look_for(desk, wished(heading), want="hold"))
    is_one = headed is not None and kind_of(headed.element) is Kind.HEADING
    return heading if is_one else phrase


def _held(desk: Desk, phrase: str) -> Turns[Match]:
    """What is meant by it; a control of that name is no dialog, and no window.

    Raises:
        Missed: Only such a control is there.
    """
    asked = set(wished(phrase).description.kinds) & _HOLDING
    if _OPEN.fullmatch(phrase.strip()) and len(dialogs := all_dialogs(desk.elements)) == 1:
        box = dialogs[0].box
        assert box is not None
        return Match(dialogs[0], 1.0, box.center, "the only dialog")
    known = resolve(desk, look_for(desk, wished(phrase), want="hold"))
    if not asked or (known is not None and kind_of(known.element) not in CONTROLS):
        return (yield from ground(desk, phrase, want="hold"))
    dialogs = all_dialogs(desk.elements) if Kind.DIALOG in asked else []
    if len(dialogs) == 1 and dialogs[0].box is not None:
        return Match(dialogs[0], 0.9, dialogs[0].box.center, "the only dialog")
    match = known or (yield from ground(desk, phrase, want="hold"))
    if kind_of(match.element) in CONTROLS:
        raise Missed(f"no {phrase}: {match} is only called so")
    return match
