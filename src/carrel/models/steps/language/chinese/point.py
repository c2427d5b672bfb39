"""Chinese steps of the pointer and the keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from carrel.errors import InvalidInput
from carrel.keys import canonical_key
from carrel.models.steps.language.atoms import QUOTE, TIMED
from carrel.models.steps.language.english.keys import chord
from carrel.models.steps.language.english.pointer import PATH
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, NotUnderstood, Talk, listed
from carrel.models.steps.program import (
    Choose,
    Drag,
    ForEach,
    Point,
    Press,
    SetValue,
    Step,
)

__all__ = [
    "IN",
    "QUOTED_PATH",
    "TO",
    "WAY",
    "Rule",
    "all_of",
    "chord_zh",
    "click",
    "drag",
    "is_switch",
    "numbered",
    "press",
    "switched",
    "thing",
]

Rule = Callable[[re.Match[str], Talk], list[Step]]
TO = r"(?:到|至|往|进|入)"
IN = r"(?:里面|之中|当中|里|中|内|上)?"


_CONTROL = r"(?:按钮|按键|图标|链接|选项|菜单项|标签)"
_MORE = re.compile(
    r"[，,；。]|(?:改|设|记|换)[为成]|(?<=.)(?<![另保])存成|应该|应当|时应|应显示|(?<=..)应(?=保[留持]|[为是有能可会在被变不随自立同显出跳弹])(?!有尽有|变)|直到|^(?:然后|接着|并且|再(?=点|按|选|填|勾))|"
    r"^(?:为|到(?![达期货场账岗])|按住|器|将|把|被|从(?=[^\u3400-\u9fff]))|^后(?![台续退缀面端备天排勤边者])|^并(?![列行发])|"
    rf"点击(?![率量数进查此这]|{_CONTROL})|(?:单击|双击|拖动|拖拽|按住)(?!{_CONTROL})|(?<!再次)(?<!重复)输入(?![框栏法区域值内项]|{_CONTROL})|设置[^，,]+[为成]|"
    r"(?:[仍拖缩再从把将]|向[上下左右]|仍然|依然)$|(?<=[框栏单表])[选填点勾]$|^[选填勾](?=[\ue000-\ue7ff])"
)
"""Signs that the words are more than one thing: another instruction, or what should be so."""


_PAGED = re.compile(r"分页(?:器|栏|条|控件|组件|区域?)?(?:里|中|上|内)?的(?=第.+页$|[上下]一页$)")


def thing(masked: str, talk: Talk) -> str:
    """A thing in words, without particles.

    Raises:
        NotUnderstood: It holds more than one name, or another instruction.
    """
    bare = re.sub(r"^(?:一下|一次|了|着)\s*|[\s，,。、]+$", "", masked.strip())
    if paged := _PAGED.match(bare):
        talk.put_aside(paged[0])
        bare = bare[paged.end() :]
    bare = re.sub(r"第\s*(\d+)\s*页$|^页码\s*(\d+)$", r"第\1\2页", bare)
    if _MORE.search(bare) or re.search(r"每一?[个件条行项张封位份].*都$", bare):
        raise NotUnderstood(f"what is “{talk.atoms.original(bare)}”? one name goes in quotes")
    if this := re.search(r"(?<=[\ue000-\ue7ff])这个(?:时间段|时段|选项|日期|标签)$", bare):
        talk.put_aside(this[0])
        bare = bare[: this.start()]
    return talk.phrase(re.sub(r"(?<=[^的])(?:这|那)一?[项个条](?:里|中)?$", "", bare))


_SWITCHED = re.compile(
    r"(?:开关|提醒|通知|推送|模式|功能|蓝牙|声音|音效|权限|共享|同步|自动\w+|网络|验证|热点|备份|锁定|订阅|免打扰|选项|无线|定位|提示音|铃声|震动|字幕|弹幕|麦克风|摄像头|"
    r"Wi-?Fi|WLAN)$|^(?:允许|自动|启用|显示|接收|开启|记住|同步)",
    re.IGNORECASE,
)


_ONE_OF = re.compile(r"第.{1,4}[条个封]|[这那]一?[条封]|未读|最新|最近|最后一|弹出")


_BOX = r"(?:切换|滑动)?开关|复选框|勾选框"
_SWITCH_NAMED = re.compile(rf"(?:[^，,]*[的里中上])?(?P<sort>{_BOX})\s*(?:{QUOTE}|[A-Za-z][\w -]*)")
"""开关“自动保存”: what it is called stands behind."""


def is_switch(masked: str, talk: Talk) -> bool:
    """Whether it is called like what is switched on and off, not like what is opened."""
    if _SWITCH_NAMED.fullmatch(masked.strip()):
        return True
    return _SWITCHED.search(talk.atoms.text(masked)) is not None and not _ONE_OF.search(masked)


def switched(masked: str, talk: Talk) -> tuple[str, ...]:
    """What is switched, also each of 开关“甲”和“乙”; none where it is called like no switch."""
    if many := _switches(masked, talk):
        return many
    return (thing(masked, talk),) if is_switch(masked, talk) else ()


def _switches(masked: str, talk: Talk) -> tuple[str, ...]:
    first, *others = listed(masked) or [masked]
    behind = re.fullmatch(rf"{QUOTE}的?(?P<sort>{_BOX})", others[-1]) if others else None
    if behind and all(re.fullmatch(QUOTE, one) for one in (first, *others[:-1])):
        return tuple(
            thing(one, talk)
            for one in (*(f"{q}{behind['sort']}" for q in (first, *others[:-1])), others[-1])
        )
    named = _SWITCH_NAMED.fullmatch(first)
    if named is None or not all(re.fullmatch(f"(?:{_BOX})?{QUOTE}", one) for one in others):
        return ()
    plain = (one if re.match(_BOX, one) else f"{named['sort']}{one}" for one in others)
    return (thing(first, talk), *(thing(one, talk) for one in plain))


def times_zh(text: str) -> tuple[str, int]:
    """The text without `三次`, and how often that is."""
    found = re.search(rf"\s*(?P<n>{NUMBER})\s*[次下遍]$|^\s*(?P<m>{NUMBER})\s*[次下遍]\s*", text)
    if found is None:
        return text, 1
    count = int(number(found["n"] or found["m"]) or 1)
    return (text[: found.start()] + text[found.end() :]).strip(), max(count, 1)


_DONE_TO_ALL = re.compile(
    r"全部(?:替换|删除|取消|清除|清空|接受|拒绝|允许|忽略|保存|关闭|展开|收起|折叠|下载|导出|同意|标记|已读|标为已读|确认|更新|启用|禁用|选中|选择)(?:按钮|链接|图标|选项)?"
)
"""What a button is called that does it to all: 全部替换."""


def all_of(text: str) -> str | None:
    """What `所有的 X` speaks of; None for one thing."""
    if _DONE_TO_ALL.fullmatch(text.strip()):
        return None
    found = re.match(r"\s*(?:所有的?|全部的?|每一?[个项条封行张件位])\s*(?P<what>.+)", text)
    if found:
        return found["what"]
    if unit := re.fullmatch(r"\s*每一?(?P<unit>[行项条列])", text):
        return unit["unit"]
    inside = re.fullmatch(
        r"(?P<of>.+?(?:中|里|内|下面?))的?(?:所有的?|全部的?|每一?个)(?P<what>.+?)都?", text
    )
    inside = inside or re.fullmatch(
        r"(?P<of>[^把将]+?)的(?:所有|全部|每一?(?=[项条行个]$)|每一?[个条张封件位])的?(?P<what>.+)",
        text,
    )
    return f"{inside['of']}的{inside['what']}" if inside else None


QUOTED_PATH = re.compile(rf"(?<={QUOTE})\s*(?:[-–—/＞〉》]+|=>)\s*(?={QUOTE})")
"""Between the names of a path through menus."""
_APART = re.compile(rf"(?<={QUOTE})\s*(?={QUOTE})")
_ENUMERATED = re.compile(r"[^、]*[^、\s]\s*、\s*[^、\s].*")
_KIND = re.compile(
    r"\s*(?:这?[两三四五六七八九十\d]个)?(?:按钮|按键|键|图标|链接|选项|标签页?|单元格)$"
)


def _clicked(rest: str) -> list[str]:
    """The things of a list, one after the other: `“A”“B”按钮`, `7、8、*、6 和 =`."""
    if re.fullmatch(r"(?:[\x21-\x7e×÷]\s+){2,}[\x21-\x7e×÷]", rest.strip()):
        # 依次按 1 + 2 =: one key after another.
        return rest.split()
    items = listed(_APART.sub("、", rest))
    if len(items) < 2:
        return [rest]
    if all(re.search(rf"^[^点按选填击勾]*{QUOTE}", item) for item in items):
        counted = (
            rf"(?<={QUOTE})\s*这?[两二三四五六七八九十\d]+个(?=按钮|按键|图标|链接|选项|标签|$)"
        )
        return [*items[:-1], re.sub(counted, "", items[-1])]
    plain = re.sub(r"[，,]", "", rest) == rest and _ENUMERATED.fullmatch(rest)
    if not plain or re.search(r"[里中内上下边的]\s*(?:[、和与及])", rest):
        return [rest]
    kind = _KIND.search(items[-1])
    return [*items[:-1], _KIND.sub("", items[-1])] if kind and kind.start() else items


_AIMED = re.compile(
    r"(?<=[^\s的])(?:进行|以便|用于|来)(?:编辑|排序|查看|修改|操作|保存|删除|播放|搜索|登录|提交|确认|下载|筛选|设置)$"
)


_OPENED = re.compile(r"(?:文件夹|文件|快捷方式|文档|桌面图标)$")
"""What two clicks open."""


def click(how: Literal["click", "double", "triple", "right", "middle", "hover"]) -> Rule:
    """The rule of a click of that kind."""

    def rule(found: re.Match[str], talk: Talk) -> list[Step]:
        rest, count = times_zh(found["rest"])
        if "+" in rest and (key := chord_zh(rest)) and how == "click":
            return [Press((key,), times=count)]
        rest = re.sub(r"^(?:打开|进入|选中)(?=\S)", "", rest) if how == "double" else rest
        rest = re.sub(r"(?<=[头题列])(?:来|进行|以)?排序$", "", rest)
        if aim := _AIMED.search(rest):
            talk.put_aside(aim[0])
            rest = rest[: aim.start()]
        rest = re.sub(rf"(?<={QUOTE})号(?=按钮|键|图标|$)", "", rest)
        if what := all_of(rest):
            return [ForEach(EACH, (Point(f"{{{EACH}}}", how=how),), every=thing(what, talk))]
        rest = QUOTED_PATH.sub(" > ", rest)
        if len(parts := PATH.split(rest.strip())) > 1 and how == "click":
            return [Choose(tuple(thing(part, talk) for part in parts), path=True)]
        if how == "click" and count == 2 and _OPENED.search(rest) and "下" in found["rest"]:
            return [Point(thing(rest, talk), how="double")]
        items = _clicked(rest)
        if len(items) > 1:
            return [Point(thing(item, talk), how=how, times=count) for item in items]
        return [Point(thing(rest, talk), how=how, times=count)]

    return rule


_KEYS_ZH = {
    "回车": "enter",
    "回车键": "enter",
    "确定键": "enter",
    "换行": "enter",
    "空格": "space",
    "退格": "backspace",
    "删除键": "delete",
    "制表": "tab",
    "上": "up",
    "下": "down",
    "左": "left",
    "右": "right",
    "向上": "up",
    "向下": "down",
    "向左": "left",
    "向右": "right",
    "上箭头": "up",
    "下箭头": "down",
    "左箭头": "left",
    "右箭头": "right",
    "上翻页": "pageup",
    "下翻页": "pagedown",
    "退出": "esc",
}


def chord_zh(text: str) -> str | None:
    """The keys of a name such as `Ctrl+S` or `回车键`; None when it is none."""
    bare = re.sub(r"\s*(?:组合|快捷|方向)?键$", "", text.strip())
    bare = re.sub(r"^(?:方向|箭头)键?[向往]?(?=[上下左右]$)", "", bare)
    bare = re.sub(r"^(?:[向往]|方向)?([上下左右])(?:方向)?(?:箭头|方向)$", r"\1", bare)
    if bare in _KEYS_ZH:
        return _KEYS_ZH[bare]
    try:
        found = chord(bare)
    except InvalidInput:
        return None
    plain = len(bare) > 1 and re.fullmatch(r"[\w+ -]+", bare, re.ASCII)
    return found if found and (plain or text.strip().endswith("键")) else None


_RANGE = re.compile(
    r"第\s*(?P<a>\d{1,3})\s*[行个项条]?\s*(?:到|至|-|~)\s*第?\s*(?P<b>\d{1,3})\s*(?P<unit>[行个项条列张].*)"
)


_FILES = re.compile(
    r"(?P<pre>[A-Za-z_-]*)(?P<a>[1-9]\d{0,2})(?P<ext>\.\w{2,4})\s*(?:到|至|~)\s*(?P=pre)(?P<b>[1-9]\d{0,2})(?P=ext)"
)


def numbered(text: str) -> str:
    """第1、3、5行 is 第1行、第3行、第5行; 第一个和最后一个文件 are both files."""
    if found := re.fullmatch(
        rf"第\s*(?P<list>{NUMBER}(?:\s*[、,，和与]\s*第?\s*{NUMBER})+)\s*(?P<unit>[行个项条列张].*)",
        text,
    ):
        numbers = re.split(r"\s*[、,，和与]\s*第?\s*", found["list"])
        return "、".join(f"第{one}{found['unit']}" for one in numbers)
    if (found := _FILES.fullmatch(text)) and 0 < int(found["b"]) - int(found["a"]) < 20:
        span = range(int(found["a"]), int(found["b"]) + 1)
        return "、".join(f"{found['pre']}{one}{found['ext']}" for one in span)
    if (found := _RANGE.fullmatch(text)) and int(found["a"]) < int(found["b"]) <= int(
        found["a"]
    ) + 9:
        span = range(int(found["a"]), int(found["b"]) + 1)
        return "、".join(f"第{one}{found['unit']}" for one in span)
    if found := re.fullmatch(
        rf"(?P<a>(?:第\s*{NUMBER}|最后一)[个张条项])\s*[、和与]\s*(?P<b>(?:第\s*{NUMBER}|最后一)[个张条项])(?P<kind>[\u3400-\u9fff]+)",
        text,
    ):
        return f"{found['a']}{found['kind']}、{found['b']}{found['kind']}"
    return text


_HELD = re.compile(
    r"(?:住)?(?P<keys>(?:ctrl|control|shift|alt)(?:\s*(?:\+|和)\s*(?:ctrl|shift|alt))*)\s*键?\s*[，,]?\s*"
    r"(?:再|并|同时|的同时|不放)?[，,]?\s*(?:再|并|同时|然后)?(?:依次|分别|逐个|先后)?(?:点击|单击|点选|选中|选择|点)\s*(?P<what>.+)",
    re.IGNORECASE,
)


_MOD = r"(?:ctrl|control|shift|alt|cmd|super|win)"
_TOGETHER = re.compile(
    rf"(?P<mods>{_MOD}\s*键?(?:\s*(?:\+|和|与|加|、)\s*{_MOD}\s*键?)*)\s*(?:\+|和|与|加|、)\s*"
    r"(?P<key>[a-z\d]|F\d{1,2}|enter|tab|esc|delete|home|end)\s*(?:键|两个键|这两个键|三个键)?"
    r"\s*(?:以|来)?(?:[\u3400-\u9fff]{2,})?",
    re.IGNORECASE,
)


_AIMED_KEY = re.compile(
    r"(?P<key>(?:[上下左右向空回退删制方箭][\u3400-\u9fff]{0,4}?|[\x21-\x7e ]+?)键)\s*"
    r"(?P<aim>(?:以|来|去)?(?!按钮|图标)[\u3400-\u9fff]{2,6})"
)


def press(found: re.Match[str], talk: Talk) -> list[Step]:
    """Press keys, or a button that is called so."""
    if held := _HELD.fullmatch(found["rest"].strip()):
        both = tuple(canonical_key(key) for key in re.split(r"\s*(?:\+|和)\s*", held["keys"]))
        return [Point(thing(item, talk), held=both) for item in listed(numbered(held["what"]))]
    rest, count = times_zh(found["rest"])
    if chorded := _TOGETHER.fullmatch(rest):
        keys = [*re.split(r"\s*(?:\+|和|与|加|、)\s*", chorded["mods"]), chorded["key"]]
        if together := chord("+".join(key.strip(" 键") for key in keys)):
            talk.put_aside(rest)
            return [Press((together,), times=count)]
    if found[0].startswith("按住"):
        raise NotUnderstood("what is done while that is held? “按住 Ctrl 点击 X”")
    if aim := re.fullmatch(
        r"(?P<key>(?:(?:ctrl|alt|shift|cmd)\s*\+\s*)+\w+|回车键?|F\d+|Esc|Tab|Enter|Delete|Home|End|空格键?)\s*(?:键)?\s*(?:以|来|去)?\s*[\u3400-\u9fff]{2,}",
        rest,
        re.IGNORECASE,
    ):
        talk.put_aside(rest[aim.end("key") :])
        rest = aim["key"]
    if (named := _AIMED_KEY.fullmatch(rest)) and chord_zh(named["key"]):
        talk.put_aside(named["aim"])
        rest = named["key"]
    token = re.fullmatch(r"(?P<key>[A-Za-z][\w+]+)\s*键?\s*(?P<aim>[\u3400-\u9fff]{2,})", rest)
    if token and not re.search(r"[按钮链标项]$", token["aim"]) and chord_zh(token["key"]):
        talk.put_aside(token["aim"])
        rest = token["key"]
    parts = [talk.atoms.text(part) for part in re.split(r"\s*(?:、|，|,|和|再按|然后按)\s*", rest)]
    keys = [chord_zh(part) for part in parts]
    if all(keys) and not re.search(r"按钮$", rest):
        return [Press(tuple(key for key in keys if key), times=count)]
    return click("click")(found, talk)


WAY: dict[str, Literal["up", "down", "left", "right"]] = {
    "上": "up",
    "下": "down",
    "左": "left",
    "右": "right",
}


INSIDE = (
    r"里面|里|(?<!进行|处理|测试|开发|审核|审批|配送|运输|办理|等待|评审|设计|制作|施工|生产|维修|招聘|跟进|联调|验收|"
    r"运行|学习|执行|讨论|规划|发布|排队|派送|维护|准备|编辑|修复|调研|谈判|洽谈)中|内|上"
)
"""Words for inside of something, behind its name; the 中 of 进行中 is the name's own."""


def drag(found: re.Match[str], talk: Talk) -> list[Step]:
    """Drag onto something, by pixels or in a direction."""
    what, target = found["what"].strip(), (found["onto"] or "").strip()
    if re.fullmatch(r"(?:鼠标|光标)?(?:的?指针|光标|鼠标)", what):
        raise NotUnderstood("where the pointer goes is not clear; “把鼠标移到 X 上”")
    target += found.groupdict().get("far") or ""
    target = re.sub(r"\s*的(?:位置|地方)$|(?<=[%％\d])\s*(?:位置|处)$", "", target)
    if source := re.fullmatch(rf"(?P<what>.+?)从(?P<source>.+?)(?:{INSIDE})?", what):
        target = re.sub(rf"(?:{INSIDE})$", "", target)
        place = thing(source["source"], talk)
        return [Drag(thing(source["what"], talk), onto=thing(target, talk), place=place)]
    if way := re.fullmatch(
        rf"(?:[向往朝])?([上下左右])(?:边|面|方)?(?:移动?|拖动?)?\s*(?:(?P<n>{NUMBER})\s*(?P<unit>个?像素|px|格|位|个位置)?)?",
        target,
    ):
        count = int(number(way["n"]) or 0) if way["n"] else None
        direction = WAY[way[1]]
        if count is None:
            return [Drag(thing(what, talk), direction=direction)]
        if way["unit"] and "格" not in way["unit"] and "位" not in way["unit"]:
            sign = -1 if direction in ("left", "up") else 1
            by = (sign * count, 0) if direction in ("left", "right") else (0, sign * count)
            return [Drag(thing(what, talk), by=by)]
        return [Drag(thing(what, talk), direction=direction, places=count)]
    if re.fullmatch(TIMED, target):
        return [SetValue(thing(what, talk), talk.text(target))]
    if at := re.fullmatch(r"(?P<m>\d{1,3})\s*分钟?\s*(?P<s>\d{1,2})\s*秒钟?", target):
        talk.put_aside(target)
        return [SetValue(thing(what, talk), f"{at['m']}:{int(at['s']):02d}")]
    amount = re.fullmatch(rf"(?P<n>{NUMBER})\s*(?P<unit>[%％分度])?", target)
    if amount and (amount["unit"] or re.search(r"滑块|滑动条|滑杆|音量|旋钮|亮度|进度", what)):
        percent = "%" if amount["unit"] in ("%", "％") else ""
        return [SetValue(thing(what, talk), amount["n"] + percent)]
    target = re.sub(rf"(?:{INSIDE})$", "", target)
    if re.search(r"对应|相应|各自", target) and re.search(
        r"分别|各|[两二三四五六七八九十\d]+\s*[个张项件]", found[0]
    ):
        raise NotUnderstood("which goes where? “把 X 拖到 Y 上”, one after another")
    if each := all_of(what):
        return [
            ForEach(EACH, (Drag(f"{{{EACH}}}", onto=thing(target, talk)),), every=thing(each, talk))
        ]
    return [Drag(thing(what, talk), onto=thing(target, talk))]
