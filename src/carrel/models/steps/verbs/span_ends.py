"""The two ends of a span of time, by whatever the screen calls them: 开始, 起始时间, 到."""

from __future__ import annotations

import re

from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["end_called"]

_END = re.compile(r"(?P<of>.*?)的?(?P<end>开始|结束)(?P<sort>时间|日期)")
_NAMES = {"开始": ("开始", "起始", "起", "从"), "结束": ("结束", "截止", "终止", "至", "到", "止")}


def end_called(desk: Desk, into: str) -> str:
    """What the field is called where one end of a span goes; the words themselves if nothing is."""
    said = _END.fullmatch(into.strip())
    if said is None or is_there(look_for(desk, wished(into, (Kind.FIELD,)), want="type")):
        return into
    of, sort = said["of"], said["sort"]
    for name in _NAMES[said["end"]]:
        for phrase in (f"{of}{name}{sort}", f"{of}{name}", f"{name}{sort}", f'"{name}"'):
            match = resolve(desk, look_for(desk, wished(phrase, (Kind.FIELD,)), want="type"))
            taken = match.element if match is not None else None
            if taken is not None and (
                is_field(taken) or kind_of(taken) in (Kind.FIELD, Kind.COMBO)
            ):
                return phrase
    return into
