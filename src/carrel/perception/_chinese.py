"""Chinese phrases for things on a screen: what is said of a thing stands before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from carrel.perception._cells import chinese_cells
from carrel.perception._chinese_words import COLOURS, CORNERS, PLACES, SHAPES, SIDES, SIZES, STATES
from carrel.perception._tokens import QUOTED
from carrel.perception.description import Description, Relation, RelationKind, unique
from carrel.perception.numbers import han_number
from carrel.perception.roles import CHINESE, Kind

__all__ = ["read_chinese"]

MAX_DEPTH = 4
MAX_READINGS = 12

_SIDE = "|".join(sorted(SIDES, key=len, reverse=True))
_RELATION = re.compile(rf"(?:位于|处于|在)?(?P<target>.+?)的?(?P<side>{_SIDE})的?(?P<head>.+)")
_WITHIN = re.compile(r"(?:位于|处于|在)?(?P<target>.+?)(?P<side>里|中|内|上)的(?P<head>.+)")
_ROW = re.compile(
    r"(?:与|和|跟)?(?P<target>.+?)(?:的)?(?:所在的?|那|这|同)?(?:(?<!第)(?<!最后)一)?"
    r"(?P<side>行|列)(?:里|中|内|上)?的(?P<head>.+)"
)
_CROSSED = re.compile(
    r"(?P<first>.+?)的?(?:所在的?|那|这)一?(?P<side>行|列)(?:里|中|内|上)?的?[\s,，、]*(?P<rest>.+?)(?:那|这)?"
)
_BETWEEN = re.compile(r"(?:位于|在)?(?P<one>.+?)(?:和|与|跟)(?P<other>.+?)之?间的?(?P<head>.+)")
_NAMED = re.compile(
    r"(?:名为|叫做|叫作|名叫|叫|标有|标为|标记为|标签为|标签是|写着|写有|名称为|名称是|标题为|标题是|"
    r"文字为|文字是|文本为|内容为|显示为|显示|显示着|称为)(?P<name>.+?)(?:字样|文字|字)?的(?P<head>.+)"
)
_HOLDING = re.compile(
    r"(?P<how>包含|含有|带有|带|开头为|开头是|以)(?P<name>.+?)(?:开头|结尾)?的(?P<head>.+)"
)
_OF = re.compile(r"(?P<target>.+?)的(?P<head>.+)")
_SCREEN = r"(?:整个|当前)?(?:页面|屏幕|界面|网页|画面|桌面|浏览器窗口)"
_FILLERS = re.compile(
    r"^(?:请|那个|这个|该|那|这|此|页面上的?|屏幕上的?|界面上的?|网页上的?|"
    rf"{_SCREEN}的?(?={'|'.join(CORNERS)}|[左右][侧边面]|[上下]方))+"
)
# 弹出的对话框: how it came is no name of it.
_CAME = re.compile(
    r"^(?:刚刚?|新|自动|随后)?(?:弹出来?|出现|跳出来?|打开|展开|显示出?来?)的"
    r"(?=.*(?:框|窗|窗口|菜单|面板|列表|日历|提示|抽屉|消息|通知))"
)
_CORNER = re.compile(rf"(?P<target>.+?)的?(?P<place>{'|'.join(CORNERS)})的?(?P<head>.+)")
_HELD = re.compile(
    r"(?P<target>.*(?:列表|表格|菜单|下拉框|清单|表|结果|对话框|弹窗|窗口|[具单航边侧题]栏|面板|区域|卡片|选项卡|"
    r"标签页|表单))的(?P<head>.+)"
)
_AIMS = (
    "保存|登录|关闭|提交|确定|确认|取消|搜索|查询|打开|退出|删除|继续|完成|返回|清空|清除|"
    "刷新|下载|上传|发送|开始"
)
_WHICH = r"(?:(?:倒数)?第[\d一二三四五六七八九十两]{1,3}|最后一)"
_NTH = re.compile(rf"(?:^|的){_WHICH}[行列]$")
_OF_TABLE = re.compile(rf"(?<=列表|表格|菜单|清单|结果)(?={_WHICH}[行列项个条])")
_ANY = re.compile(r"(?:任意|任何|随便|随意|某|其中)(?:的|哪|选)?一?[个张条项只位行件份篇本款]?的?")
_APART = re.compile(r"第\s*(\d{1,3})\s*(?=[个条项张次位只行列])")
_FILED = re.compile(r"^(?:文件夹|文件|文档|目录)\s*(?=[\x21-\x7e\ue000-\ue7ff])")
_FOR = re.compile(rf"(?P<name>[A-Z\d=+][\x21-\x7e]*(?: [\x21-\x7e]+)*)\s*(?:{_AIMS})")

_ORDINAL = re.compile(
    r"第(\d{1,3}|[一二三四五六七八九十两]{1,3})(?P<unit>[个条项张次位只行列页件本款种封份篇名家部台幅段句组])?"
)
_BACKWARDS = re.compile(
    r"倒数第(\d{1,3}|[一二三四五六七八九十]{1,3})(?P<unit>[个条项张行列件本款种封份篇位段])?"
)
_LAST = re.compile(r"最后(?:的?一?(?P<unit>[个条项张行列件本款种封份篇位段])|的)")
_LATIN = re.compile(r"\s*[A-Za-z\d][\x20-\x7e]*$")
_SELF = ("头像",)
"""Words for a kind that may as well be the name."""
_HINTS = ("搜索", "密码", "地址", "数字", "数值")
"""What a field is for, said in one word with it."""
_UNITS: Mapping[str, Kind] = {"行": Kind.ROW, "列": Kind.COLUMN}
_ALL = re.compile(r"所有的?|全部的?|每一?个|每一?条|各个")
_DENIAL = re.compile(r"不|没有|未|非|除了")
_TELLING = re.compile(rf"{_SIDE}|{_ORDINAL.pattern}|最后|行|列|之?间")
"""What says which one it is; where such a word is not understood, it may be any other."""
_EXCEPT = re.compile(r"除了?(?P<other>.+?)(?:以外|之外|外)的?(?P<head>.+)")


def read_chinese(text: str, depth: int = 0) -> list[Description]:
    """Every sensible way to read a phrase, the likelier ones first."""
    veiled = _Veiled.of(text)
    return unique(_phrase(veiled, veiled.text, depth), MAX_READINGS)


@dataclass(frozen=True, slots=True)
class _Veiled:
    """A phrase in which each quoted text is one character that no rule looks into."""

    text: str
    quotes: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> _Veiled:
        quotes: list[str] = []

        def veil(match: re.Match[str]) -> str:
            quotes.append(next(group for group in match.groups() if group is not None))
            return chr(0xE000 + len(quotes) - 1)

        return cls(QUOTED.sub(veil, text).strip(" 　。！？.!?，,"), tuple(quotes))

    def name(self, text: str) -> tuple[str, bool, str]:
        """A name, whether it was quoted, and what stands around it."""
        for at, char in enumerate(text):
            if 0 <= ord(char) - 0xE000 < len(self.quotes):
                around = self.clear(text[:at] + text[at + 1 :]).strip(" 　的")
                return self.quotes[ord(char) - 0xE000].strip(), True, around
        return text.strip(" 　，,"), False, ""

    def count(self, text: str) -> int:
        """How many quoted texts there are in it."""
        return sum(0 <= ord(char) - 0xE000 < len(self.quotes) for char in text)

    def clear(self, text: str) -> str:
        return "".join(
            self.quotes[ord(char) - 0xE000] if 0 <= ord(char) - 0xE000 < len(self.quotes) else char
            for char in text
        )


def _phrase(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    text = text.strip(" 　，,")
    text = _APART.sub(r"第\1", text)
    text = _FILLERS.sub("", _CAME.sub("", text)).strip() or text
    if not text:
        return
    if not list(chinese_cells(text, veiled.name, _numeral)):
        text = _OF_TABLE.sub("里的", text)
    if depth < MAX_DEPTH:
        yield from chinese_cells(text, veiled.name, _numeral)
        for rule in _RULES:
            yield from rule(veiled, text, depth)
    yield from _heads(veiled, text)
    if depth < MAX_DEPTH:
        yield from _belonging(veiled, text, depth)
    if aimed := _FOR.fullmatch(text):
        # 点击 Close 关闭: what it is for, where nothing is called so in two languages.
        yield Description(text, name=aimed["name"])


_Rule = Callable[[_Veiled, str, int], Iterator[Description]]


def _excepted(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    match = _EXCEPT.fullmatch(text)
    if match is None:
        return
    others = list(_phrase(veiled, match["other"], depth + 1))
    for one in _phrase(veiled, match["head"], depth + 1):
        if others:
            yield replace(one, without=(*one.without, others[0]))


def _between(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    match = _BETWEEN.fullmatch(text)
    if match is None:
        return
    ones = list(_phrase(veiled, match["one"], depth + 1))
    others = list(_phrase(veiled, match["other"], depth + 1))
    for one in _heads(veiled, match["head"]):
        if ones and others:
            yield replace(one, relations=(Relation("between", ones[0], others[0]),))


def _named(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    before, text = _modified(Description(""), text)[-1]
    match = _NAMED.fullmatch(text)
    if match is None:
        return
    name, exact, around = veiled.name(match["name"])
    for one in _heads(veiled, match["head"], before):
        if not one.name:
            rest = (*one.rest, around) if around else one.rest
            yield replace(one, name=name, exact=exact, rest=rest)


def _holding(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    match = _HOLDING.fullmatch(text)
    if match is None:
        return
    name, exact, _ = veiled.name(match["name"])
    target = Description(veiled.clear(match["name"]), name=name, exact=exact)
    for one in _heads(veiled, match["head"]):
        if match["how"] == "以" and not one.name:
            part = "ends" if "结尾的" in text else "starts"
            yield replace(one, name=name, exact=exact, part=cast("Literal['starts', 'ends']", part))
        elif match["how"] != "以":
            yield replace(one, relations=(*one.relations, Relation("containing", target)))


def _related(
    veiled: _Veiled, kind: RelationKind, target: str, head: str, depth: int
) -> Iterator[Description]:
    negated = target.endswith("不在") or target.startswith("不在")
    target = target.removeprefix("不在").removesuffix("不在")
    for one in list(_phrase(veiled, target, depth + 1))[:3]:
        for thing in list(_heads(veiled, head))[:3]:
            relation = Relation(kind, replace(one, text=veiled.clear(target)), None, negated)
            yield replace(thing, relations=(*thing.relations, relation))


def _sides(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    # The last one governs the head; what is before it belongs to the target.
    for match in reversed(list(re.finditer(_SIDE, text))):
        target, head = text[: match.start()], text[match.end() :].removeprefix("的")
        target = re.sub(r"^(?:位于|处于|在)", "", target.removesuffix("的"))
        # "最右边" is a superlative.
        if target and head and not target.endswith("最"):
            yield from _related(veiled, SIDES[match[0]], target, head, depth)
            return


def _within(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    match = _WITHIN.fullmatch(text)
    # "选中的" says a state, not a place.
    if match is not None and not any(text.startswith(state + "的") for state in STATES):
        yield from _related(veiled, "in", match["target"], match["head"], depth)


def _held(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    """列表的第一项, 工具栏的“打印”: in what holds them."""
    match = _HELD.fullmatch(text)
    if match is None:
        return
    head = match["head"]
    if veiled.count(head) or re.match("第|最后|倒数", head) or _kind_at_end(head):
        yield from _related(veiled, "in", match["target"], match["head"], depth)


def _cornered(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    """对话框右下角的“保存”按钮: in the dialog, the one in its corner."""
    match = _CORNER.fullmatch(text)
    if match is None or match["target"].endswith("最"):
        return
    for one in _related(veiled, "in", match["target"], match["head"], depth):
        if not one.superlative:
            yield replace(one, superlative=PLACES[match["place"]])


def _rows(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    match = _ROW.fullmatch(text)
    if match is None:
        return
    kind: RelationKind = "row" if match["side"] == "行" else "column"
    crossed = _CROSSED.fullmatch(match["target"])
    if crossed is not None and crossed["side"] != match["side"]:
        # 甲那一行 14:00 一列的: it is in that row and in that column; neither is of the other.
        other: RelationKind = "row" if crossed["side"] == "行" else "column"
        for one in _related(veiled, kind, crossed["rest"], match["head"], depth):
            for place in list(_phrase(veiled, crossed["first"], depth + 1))[:1]:
                yield replace(one, relations=(Relation(other, place), *one.relations))
        return
    if _NTH.search(match["target"] + match["side"]):
        yield from _related(veiled, "in", match["target"] + match["side"], match["head"], depth)
    else:
        yield from _related(veiled, kind, match["target"], match["head"], depth)


def _belonging(veiled: _Veiled, text: str, depth: int) -> Iterator[Description]:
    match = _OF.fullmatch(text)
    if match is not None:
        yield from _related(veiled, "of", match["target"], match["head"], depth)


_RULES: tuple[_Rule, ...] = (
    *(_excepted, _between, _named, _holding, _rows, _cornered, _sides, _within, _held),
)


def _heads(veiled: _Veiled, text: str, said: Description | None = None) -> Iterator[Description]:
    """A thing by itself: with all its modifiers taken, then with fewer.

    `said` is what is known of it already.
    """
    start = replace(said or Description(""), text=veiled.clear(text))
    for one, left in reversed(_modified(start, text)):
        yield from _cores(veiled, one, left)


def _modified(one: Description, text: str) -> list[tuple[Description, str]]:
    """What modifiers at the front say, one more each time, and what is left."""
    steps = [(one, text.strip(" 　"))]
    while (taken := _modifier(*steps[-1])) is not None:
        steps.append(taken)
    return steps


def _cores(veiled: _Veiled, one: Description, text: str) -> Iterator[Description]:
    text = text.removeprefix("的").strip(" 　")
    if filed := _FILED.match(text):
        yield from _finish(veiled, one, text[filed.end() :])
    found = _kind_at_end(text)
    if found is not None:
        word, kind = found
        kinds = one.kinds if kind is Kind.ANY else (*one.kinds, kind)
        hint = next((hint for hint in _HINTS if word.startswith(hint)), "")
        name = text[: -len(word)].rstrip(" 　的")
        if hint and not veiled.count(name):
            called = replace(one, kinds=(*one.kinds, Kind.FIELD))
            yield from _finish(veiled, called, name + hint)
        hint = "" if name else hint
        yield from _finish(veiled, replace(one, kinds=kinds, hint=hint), name)
    shape = next((word for word in SHAPES if text.endswith(word)), None)
    if shape is not None:
        yield from _finish(
            veiled, replace(one, shape=SHAPES[shape]), text[: -len(shape)].rstrip(" 　的")
        )
    before = next((length for length in range(6, 0, -1) if text[:length] in CHINESE), 0)
    if before and (veiled.count(text[before : before + 1]) or _LATIN.match(text[before:])):
        # In 按钮“保存” the kind stands before the name.
        kind = CHINESE[text[:before]]
        kinds = one.kinds if kind is Kind.ANY else (*one.kinds, kind)
        yield from _finish(veiled, replace(one, kinds=kinds), text[before:])
    if found is None or found[0] != text or text in _SELF:
        yield from _finish(veiled, one, text)


def _finish(veiled: _Veiled, one: Description, text: str) -> Iterator[Description]:
    name, exact, around = veiled.name(text)
    rest = (*one.rest, around) if around else one.rest
    denied = bool(_DENIAL.search("".join(rest) if exact else name))
    if exact and rest:
        denied = denied or veiled.count(text) > 1 or bool(_TELLING.search(" ".join(rest)))
    yield replace(one, name=name, exact=exact, rest=rest, denied=one.denied or denied)


def _kind_at_end(text: str) -> tuple[str, Kind] | None:
    for length in range(min(6, len(text)), 0, -1):
        kind = CHINESE.get(text[-length:])
        if kind is not None:
            return text[-length:], kind
    return None


def _modifier(one: Description, text: str) -> tuple[Description, str] | None:
    """Take one modifier from the front."""
    for pattern, sign in ((_BACKWARDS, -1), (_ORDINAL, 1)):
        match = pattern.match(text)
        if match is not None and not one.ordinal:
            number = sign * _numeral(match[1])
            return _with_unit(replace(one, ordinal=number), match, text)
    match = _LAST.match(text)
    if match is not None:
        return _with_unit(replace(one, ordinal=-1), match, text)
    match = _ANY.match(text)
    if match is not None and match.end() > 1 and len(text) > match.end():
        return replace(one, any_one=True), text[match.end() :]
    match = _ALL.match(text)
    if match is not None:
        return replace(one, everything=True), text[match.end() :]
    return _look(one, text)


def _with_unit(one: Description, match: re.Match[str], text: str) -> tuple[Description, str]:
    kind = _UNITS.get(match["unit"] or "")
    left = text[match.end() :]
    # "第三行" is a row by itself; in "第三行文字" it is the third line of text.
    if kind is not None and not left:
        one = replace(one, kinds=(*one.kinds, kind))
    return one, left.removeprefix("的")


def _look(one: Description, text: str) -> tuple[Description, str] | None:
    for word, place in PLACES.items():
        if text.startswith(word) and len(text) > len(word) and not one.superlative:
            left = text[len(word) :].removeprefix("的")
            return replace(one, superlative=place), re.sub(r"^(?:一个|那个)", "", left)
    if current := re.match(r"当前(?=标签页|选项卡|页签|标签)", text):
        return replace(one, states=(*one.states, "selected")), text[current.end() :]
    for word, state in STATES.items():
        if text.startswith(word + "的"):
            return replace(one, states=(*one.states, state)), text[len(word) + 1 :]
    match = re.match(r"(?:浅|深|淡|亮)?([红橙黄绿青蓝紫粉棕褐黑白灰])色?的?", text)
    if match is not None and not one.colour and len(text) > match.end():
        return replace(one, colour=COLOURS[match[1]]), text[match.end() :]
    match = re.match(r"([大小])的?", text)
    if match is not None and not one.size and len(text) > match.end():
        return replace(one, size=SIZES[match[1]]), text[match.end() :]
    return None


def _numeral(text: str) -> int:
    """`12`, `十二`, `二十`."""
    return int(text) if text.isdigit() else han_number(text)
