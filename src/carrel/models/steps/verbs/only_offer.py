"""Choices by their own names, where what they belong to is called otherwise on the screen.

People name a question as they think of it (用餐次数, "the size"), and a page asks it in a whole
sentence. What is to be chosen stands there word by word. Where one thing alone offers it, that is
meant; it is told that nothing was called as said.
"""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.language import readings
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.program import Choose, Point, Step, Tick
from carrel.models.steps.shown.reading import fold, options_of
from carrel.models.steps.turns import Turns
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = ["is_told_by_names", "only_drop_down", "silent_drop_down"]


def only_drop_down(desk: Desk, options: tuple[str, ...]) -> Turns[Element | None]:
    """The one drop-down that has all of the options, by their very names."""
    yield from desk.again(0, why="what the drop-downs have to choose from", hidden=True)
    wanted = {_bare(option) for option in options}
    found = []
    for combo in _shown(desk):
        if kind_of(combo) is not Kind.COMBO:
            continue
        twins = [e for e in desk.unseen if (e.role, e.box) == (combo.role, combo.box)]
        offered = {fold(written_on(e)) for twin in twins for e in options_of(twin, desk.unseen)}
        if wanted <= offered:
            found.append(combo)
    if len(found) != 1 or any(_boxes(desk, option) for option in options):
        return None
    return found[0]


def silent_drop_down(desk: Desk) -> Element | None:
    """The only closed drop-down that tells what it offers only when it is open."""
    silent = [
        e
        for e in _shown(desk)
        if kind_of(e) is Kind.COMBO and not options_of(same_as(desk.unseen, e) or e, desk.unseen)
    ]
    for area in desk.place.areas if desk.place is not None else ():
        if within := [e for e in silent if e.box is not None and area.contains(e.box.center)]:
            silent = within
            break
    return silent[0] if len(silent) == 1 else None


def is_told_by_names(desk: Desk, step: Step) -> bool:
    """Whether each box or button that is to be ticked is the only one of its name."""
    if isinstance(step, Tick):
        splits = (step.what, *readings(step.said)) if step.said else (step.what,)
    elif isinstance(step, Choose) and step.source is None:
        splits = (step.options,)
    elif isinstance(step, Point) and step.how == "click" and step.times == 1:
        return _is_only_one(desk, step)
    else:
        return False
    return any(all(len(_boxes(desk, one)) == 1 for one in split) and split for split in splits)


_DIALOGS = re.compile(
    r"(?:的|那个|这个)?(?:弹出的?)?(?:对话框|弹窗|弹框|弹出框|弹层|确认框|提示框|提示|窗口)"
    r"|the (?:dialog|pop-?up|modal|confirmation)(?: (?:box|window|dialog))?",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[\u3400-\u9fff]{0,4}(?:条件|选项|标签|操作|区域|菜单)")


def _is_only_one(desk: Desk, step: Point) -> bool:
    """Whether a click is on the only thing of its name, in a place that is called by its sort.

    What is said to be in a dialog has to have come up with the step before.
    """
    place, name = (step.place or "").strip(), _bare(step.what)
    called = {e.box: e for e in _shown(desk) if fold(written_on(e)) == name and _is_pressed(e)}
    if _DIALOGS.fullmatch(place):
        before = {(e.role, fold(written_on(e)), e.box) for e in desk.earlier}
        known = any((e.role, fold(written_on(e)), e.box) in before for e in called.values())
        return len(called) == 1 and bool(before) and not known
    return len(called) == 1 and _PARTS.fullmatch(place) is not None


def _is_pressed(element: Element) -> bool:
    return kind_of(element) in (Kind.BUTTON, Kind.LINK, Kind.TEXT)


def _boxes(desk: Desk, name: str) -> list[Element]:
    return [e for e in _shown(desk) if kind_of(e) in TICKED and _is_called(desk, e, _bare(name))]


def _is_called(desk: Desk, element: Element, name: str) -> bool:
    label = label_of(element, desk.elements)
    return name in (fold(element.name), fold(written_on(label)) if label is not None else "")


def _shown(desk: Desk) -> list[Element]:
    return [e for e in part_meant(desk.elements, "") if e.box is not None and not is_disabled(e)]


def _bare(name: str) -> str:
    return fold(name.strip().strip('"“”「」'))
