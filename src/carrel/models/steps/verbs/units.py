"""What goods are counted by: `packs of Sencha` are Sencha, where nothing is called so."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.language.numbers import number
from carrel.models.steps.program import Perform

__all__ = ["without_unit"]

_GOODS = ("add", "order", "buy", "get", "purchase", "put")
_UNIT = re.compile(
    r"(?:(?:an?|the|one)\s+)?(?:box|bottle|can|pack|packet|pair|bag|cup|kilo|piece|copy|copie|unit|"
    r"slice|set|ticket|jar|bunch|roll|carton|crate|glass|portion|serving|lit(?:re|er)|tin|tube|"
    r"bar|tray|case)(?:e?s)?\s+of\s+(?=\S)",
    re.IGNORECASE,
)
_COUNTED_ZH = re.compile(
    r"(?P<n>\d+|[一两二三四五六七八九十])\s*(?:公斤|千克|[个件罐盒瓶箱袋包斤份杯支条张本只双套台块桶把束盆串颗粒片提组对部辆"
    r"棵枝听卷筒壶碗盘幅册副朵根捆扎款样种])的?\s*(?=\S)"
)
"""How many: 2 件, 两罐."""


def without_unit(desk: Desk, step: Perform) -> Perform:
    """The step about the goods themselves."""
    if step.verb not in _GOODS or step.what is None:
        return step
    unit, counted = _UNIT.match(step.what), _COUNTED_ZH.match(step.what)
    if unit is None and counted is None:
        return step
    if is_there(look_for(desk, wished(step.what), want="read")):
        return step
    if counted is None:
        return replace(step, what=step.what[unit.end() :]) if unit is not None else step
    many = number(counted["n"])
    told = () if many is None else (("quantity", f"{many}"),)
    return replace(step, what=step.what[counted.end() :], details=told + _rest(step))


def _rest(step: Perform) -> tuple[tuple[str, str], ...]:
    """Without where all goods go, where the number is told apart: any control for it puts them."""
    return tuple(one for one in step.details if one != ("to", "购物车"))
