"""What a page has made of a mere text: a tab, a button or an entry that nothing calls one."""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.program import Choose, Open, Point, Step
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["by_plain_text"]

_SORTED = re.compile(
    r"(?:[\"“「](?P<quoted>[^\"“”「」]+)[\"”」]|(?P<bare>[\u3400-\u9fff]{2,8}?))\s*的?"
    r"(?:页签|标签页?|选项卡|分页|页面?|按钮|链接|菜单项?|选项|一项|入口|分类|栏目)?"
)


def by_plain_text(desk: Desk, step: Step) -> Turns[bool]:
    """Click the one text that is written just so, where nothing is of the sort that is said.

    Raises:
        Missed: The click did nothing.
    """
    name = _name(step)
    if name is None:
        return False
    tree = lineage_of(tuple(desk.elements))
    called: dict[object, Element] = {}
    for element in part_meant(desk.elements, ""):
        said = written_on(element).strip().casefold()
        if said == name and element.box is not None and element.box.area:
            if kind_of(element) is not Kind.TEXT or is_disabled(element):
                return False
            if not tree.below(element):
                called[element.box] = element
    if len(called) != 1:
        return False
    element = next(iter(called.values()))
    if element.box is None or modal_over(desk.elements, element) is not None:
        return False
    at = element.box.center
    why = f"{named(element)} is all that is written so"
    yield from desk.do(Click(at.x, at.y), why=why, last=True)
    if not (yield from desk.effect()):
        raise Missed(f"{named(element)} is only a text: a click on it does nothing")
    return True


def _name(step: Step) -> str | None:
    """What is to be clicked or opened, without the word for its sort."""
    if isinstance(step, Open):
        said = step.what if not step.using else ""
    elif isinstance(step, Point) and step.how == "click" and step.times == 1 and not step.held:
        said = step.what
    elif isinstance(step, Choose) and len(step.options) == 1 and step.source is None:
        said = step.options[0]
    else:
        return None
    found = _SORTED.fullmatch(said.strip())
    return (found["quoted"] or found["bare"]).strip().casefold() if found is not None else None
