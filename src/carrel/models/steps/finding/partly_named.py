"""What is called by the last part of its name in Chinese: 设备 for 所需设备.

In Chinese the last word of a name says what a thing is, and what comes before it only tells more.
So a field, or what heads a part of a page, is meant by that word where it is the only one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import Wish, is_there, look_for
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception._names import fold
from carrel.perception.description import Want
from carrel.perception.find import Match
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["partly_named"]

_HAN = re.compile(r"[\u3400-\u9fff]{2,}")
_HINT = re.compile(
    r"(?:请|可|在此|在这里|此处)*(?:输入|填写|写下|写|填|添加|说明)(?:你|您|一?[条个段])?的?|"
    r"(?:内容|信息|文字)?[…。.:：*]*$"
)
"""How a field asks for what goes into it."""
_SORT = re.compile(r"(?:输入|文本|编辑|内容)?[框栏]$|(?:区域?|部分|一[栏项])$")
_NOUNS = (
    "日期|时间|姓名|名称|名字|号码|编号|地址|方式|类型|类别|人|人数|数量|内容|"
    "说明|信息|选项|设置|金额|标题|账号|城市|地点"
)
"""What sort of thing a field asks for, which goes without saying: 入住 for 入住日期."""
_PARTS = (Kind.HEADING, Kind.TEXT, Kind.GROUP)


def partly_named(desk: Desk, wish: Wish, want: Want) -> Match | None:
    """The one field, or the one title, whose name ends so; None where others end so as well."""
    one = wish.description
    name = _SORT.sub("", one.text if one.readings else one.name)
    if want not in ("type", "hold") or not _HAN.fullmatch(name) or one.exact:
        return None
    if one.relations or one.ordinal or one.states or is_there(look_for(desk, wish, want=want)):
        return None
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None and not is_disabled(e)]
    able = [e for e in shown if (_takes_text(e) if want == "type" else kind_of(e) in _PARTS)]
    found = [e for e in able if any(_ends_so(text, name) for text in _called(desk, e))]
    found = [e for e in found if not any(o is not e and within(e.box, o.box) for o in found)]
    places = {e.box: e for e in found}
    if len({fold(written_on(e)) for e in found}) > 1 or not places:
        return None
    if want == "type" and len(places) > 1:
        return None
    element = next(iter(places.values()))
    assert element.box is not None
    return Match(element, 0.9, element.box.center, f"the only one whose name ends with {name}")


def _takes_text(element: Element) -> bool:
    return is_field(element) or kind_of(element) in (Kind.FIELD, Kind.COMBO)


def _called(desk: Desk, element: Element) -> Iterator[str]:
    label = label_of(element, desk.elements) if _takes_text(element) else None
    yield from (element.name, element.hint, written_on(label) if label is not None else "")


def _ends_so(text: str, name: str) -> bool:
    said = fold(text).strip(" :：*")
    if said == name:
        return False
    ends = said.endswith(name) or _HINT.sub("", said).endswith(name)
    return ends or re.fullmatch(rf"{name}(?:{_NOUNS})", said) is not None
