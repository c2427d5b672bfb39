"""Controls that every card has, told by the name of the card: `Details in the Leek card`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.shown.laid_out import goes_with
from carrel.models.steps.turns import Missed
from carrel.perception._names import fold
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["done_in_card", "named_in_card"]

_CARD = r"(?:card|tile|box|row|line|entry|item|product|panel|block|offer|section|record)"
_CUT = re.compile(
    r" (?:in|on|of|for|under|below|next to|beside|by|at|from|belonging to|that belongs to) ",
    re.IGNORECASE,
)
_CUT_ZH = re.compile(
    r"(?P<name>.+?)(?:[这那]一?[张个条项])?(?:(?:卡片?|任务|商品|条目|记录|区块|方框)(?:[上里]面?|中|内)?|"
    r"里面?|中|内)?的(?P<what>[^的]+?)(?:按钮|链接|图标)?"
)
_PRESSED = (Kind.BUTTON, Kind.LINK, Kind.ICON)
_WRITTEN = (Kind.TEXT, Kind.HEADING, Kind.CELL)


def named_in_card(desk: Desk, phrase: str) -> Match | None:
    """The one of several controls of a name that goes with a thing; None where it is not clear."""
    for what, name in _cuts(phrase):
        like = [e for e in _written_on(desk, what) if kind_of(e) in _PRESSED]
        things = _once([e for e in _written_on(desk, name) if kind_of(e) in _WRITTEN])
        found = goes_with(desk, things[0].box, like) if len(things) == 1 else None
        if found is not None and found.box is not None:
            return Match(found, 1.0, found.box.center, f"what goes with {name}")
    return None


def done_in_card(desk: Desk, said: str, what: str) -> Match | None:
    """The control of a thing's card that is called by all that is said of it: 将甲移入收藏.

    Raises:
        Missed: There are such controls, and which goes with the thing is not clear.
    """
    act = re.sub(r"[\s\"“”]", "", said).removeprefix("请").removeprefix("把").removeprefix("将")
    name = act.removeprefix(re.sub(r"[\s\"“”]", "", what))
    if name == act or not _written_on(desk, name):
        return None
    if not any(kind_of(e) in _PRESSED for e in _written_on(desk, name)):
        return None
    found = named_in_card(desk, f"{what}的{name}")
    if found is None:
        raise Missed(f"which {name} goes with {what} cannot be told")
    return found


def _cuts(phrase: str) -> Iterator[tuple[str, str]]:
    """The words for the control and for the card, wherever one may end and the other begin."""
    for cut in _CUT.finditer(phrase):
        what = re.sub(r"^the | (?:button|link|icon)$", "", phrase[: cut.start()].strip())
        name = re.sub(rf"^the | {_CARD}$", "", phrase[cut.end() :].strip(), flags=re.IGNORECASE)
        yield what, name
    if told := _CUT_ZH.fullmatch(phrase.strip()):
        yield told["what"], told["name"]


def _written_on(desk: Desk, text: str) -> list[Element]:
    wanted = fold(text.strip("\"“”'‘’[]"))
    return [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and not is_disabled(e) and wanted and fold(written_on(e)) == wanted
    ]


def _once(elements: list[Element]) -> list[Element]:
    """Each place once: a heading is told with the text in it; the innermost is where it stands."""
    return [
        e
        for e in elements
        if not any(o.id != e.id and within(o.box, e.box) and o.parent == e.id for o in elements)
    ]
