"""Chinese clauses: the verb, and what follows or comes before it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from carrel.errors import InvalidInput
from carrel.keys import canonical_key
from carrel.models.steps.language.atoms import DATED, NAME, OTHER, QUOTE, TIMED
from carrel.models.steps.language.conditions_zh import read_condition_zh
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, IT, NotUnderstood, Talk, listed
from carrel.models.steps.language.verbs_desk import web_address
from carrel.models.steps.language.verbs_point import PATH, chord
from carrel.models.steps.language.verbs_text import value_steps
from carrel.models.steps.program import (
    Check,
    Choose,
    Clear,
    CloseWindow,
    Compute,
    Copy,
    Drag,
    Enter,
    Expand,
    Find,
    ForEach,
    GoTo,
    Highlight,
    Let,
    Navigate,
    Open,
    Paste,
    Perform,
    Point,
    Press,
    Read,
    Run,
    Scroll,
    SetValue,
    Shows,
    Sort,
    Step,
    Submit,
    SwitchTo,
    Tick,
    Wait,
)

__all__ = ["VERBS", "is_clause", "read_clause_zh"]

Rule = Callable[[re.Match[str], Talk], list[Step]]

_TO = r"(?:到|至|往|进|入)"
_IN = r"(?:里面|之中|当中|里|中|内|上)?"
_OWN = (
    "删除|移除|转发|回复|发送|分享|点赞|收藏|归档|购买|预订|订购|下单|登录|登陆|注销|退出登录|注册|搜索|下载|上传|保存|打印|重命名|取消|新建|创建|添加|"
    "安装|卸载|播放|暂停播放|撤销|重做|关注|取消关注|评论|发布|导出|导入|编辑|确认订单|继续|完成|跳过|停止"
)
VERBS = re.compile(
    rf"(?:双击|三击|右键(?:单击|点击)|右击|中键点击|(?:鼠标)?左键(?:单击|点击)|单击|点击|轻点|点按|点开|点选|点|按下|按住|按|敲|敲击|"
    rf"将?鼠标(?:移动?到|悬停在|放在|移至)|悬停在|悬停于|指向|输入|键入|填写|填入|填上|填|写入|写上|录入|追加|清空|清除|擦除|"
    rf"全选|多选|选择|选中|选取|挑选|选|取消勾选|取消选中|取消选择|不勾选|勾选|勾上|打勾|启用|禁用|开启|打开|启动|运行|执行|关闭|关掉|关上|"
    rf"设置|设为|设成|调到|调整|调节|把|将|滚动|翻到|向[上下左右]|往[上下左右]|拖动|拖拽|拖放|拖|移动|高亮|等待|等|暂停|复制|拷贝|剪切|粘贴|切换到|"
    rf"切换至|切到|访问|前往|转到|跳转到|进入|浏览|返回|后退|前进|刷新|重新加载|读取|读出|读|记住|记下|记录|令|让|验证|检查|确认|断言|确保|核对|"
    rf"找到|查找|寻找|找|展开|收起|折叠|提交|回到|统计|计算|求|数一数|数|排序|按.+排序|给|对|在|从|用|使用|通过|{_OWN})"
)
_WORDY = re.compile(r"(?:在|从|用|使用|通过|把|将|对|给|让)")


def is_clause(text: str) -> bool:
    """Whether the words can be an instruction of their own."""
    if re.match(r"(?:如果|若|当|等到?|直到|否则|重复|一直)", text):
        return True
    found = VERBS.match(text)
    if found is None:
        return False
    if found[0] == "按" and re.match(r"按[钮键]", text):
        return False
    if _WORDY.fullmatch(found[0]):
        return any(
            VERBS.match(text, at) and not _WORDY.match(text, at) for at in range(1, len(text))
        )
    return True


def _thing(masked: str, talk: Talk) -> str:
    bare = re.sub(r"^(?:一下|一次|了|着)\s*|[\s，,。、]+$", "", masked.strip())
    return talk.phrase(bare)


def _times(text: str) -> tuple[str, int]:
    found = re.search(rf"\s*(?P<n>{NUMBER})\s*[次下遍]$|^\s*(?P<m>{NUMBER})\s*[次下遍]\s*", text)
    if found is None:
        return text, 1
    count = int(number(found["n"] or found["m"]) or 1)
    return (text[: found.start()] + text[found.end() :]).strip(), max(count, 1)


def _all(text: str) -> str | None:
    found = re.match(r"\s*(?:所有的?|全部的?|每一?个|每一?[项条])\s*(?P<what>.+)", text)
    return found["what"] if found else None


def _click(how: Literal["click", "double", "triple", "right", "middle", "hover"]) -> Rule:
    def rule(found: re.Match[str], talk: Talk) -> list[Step]:
        rest, count = _times(found["rest"])
        if what := _all(rest):
            return [ForEach(EACH, (Point(f"{{{EACH}}}", how=how),), every=_thing(what, talk))]
        if len(parts := PATH.split(rest.strip())) > 1 and how == "click":
            return [Choose(tuple(_thing(part, talk) for part in parts), path=True)]
        items = listed(rest)
        if len(items) > 1 and all(re.search(QUOTE, item) for item in items):
            return [Point(_thing(item, talk), how=how) for item in items]
        return [Point(_thing(rest, talk), how=how, times=count)]

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


def _key(text: str) -> str | None:
    bare = re.sub(r"\s*(?:组合|快捷|方向)?键$", "", text.strip())
    if bare in _KEYS_ZH:
        return _KEYS_ZH[bare]
    try:
        found = chord(bare)
    except InvalidInput:
        return None
    plain = len(bare) > 1 and re.fullmatch(r"[\w+ -]+", bare, re.ASCII)
    return found if found and (plain or text.strip().endswith("键")) else None


def _press(found: re.Match[str], talk: Talk) -> list[Step]:
    rest, count = _times(found["rest"])
    if aim := re.fullmatch(
        r"(?P<key>(?:(?:ctrl|alt|shift|cmd)\s*\+\s*)+\w+|回车键?|F\d+)\s*(?:以|来|键)?\s*[\u3400-\u9fff]{2,}",
        rest,
        re.IGNORECASE,
    ):
        rest = aim["key"]
    parts = [talk.atoms.text(part) for part in re.split(r"\s*(?:、|，|,|和|再按|然后按)\s*", rest)]
    keys = [_key(part) for part in parts]
    if all(keys) and not re.search(r"按钮$", rest):
        return [Press(tuple(key for key in keys if key), times=count)]
    return _click("click")(found, talk)


def _typed(text: str, into: str | None, talk: Talk, *, append: bool = False) -> list[Step]:
    field = _thing(into, talk) if into else None
    bare = text.strip()
    if re.fullmatch(
        r"它|其|该(?:文本|内容|值|数字)|刚才的?(?:内容|文本|值)|这个(?:值|文本|数字)", bare
    ):
        return [Enter(f"{{{IT}}}", field)]
    if into and (what := _all(into) or (into[1:] if into.startswith("两个") else None)):
        return [
            ForEach(
                EACH,
                (Enter(talk.text(bare), f"{{{EACH}}}"),),
                every=_thing(what.lstrip("个"), talk),
            )
        ]
    if found := re.fullmatch(
        rf"(?P<noun>\w{{1,8}}?)\s*(?:为|是|：|:)?\s*(?P<text>{QUOTE}|{NAME})", bare
    ):
        noun = found["noun"]
        plain = re.fullmatch(r"文本|文字|内容|数字|值|单词|字符", noun)
        return [
            Enter(talk.text(found["text"]), field or (None if plain else f"{noun}字段"), append)
        ]
    if re.fullmatch(rf"{DATED}|{TIMED}", bare):
        return value_steps(bare, field, talk)
    if re.fullmatch(
        r".+的(?:值|内容|文字|文本|电话|电话号码|邮箱|地址|价格|名字|名称|数值)|(?:下面|上面|下方|上方)的.+",
        bare,
    ) and not re.search(QUOTE + "$", bare):
        return [Read(talk.phrase(bare), IT), Enter(f"{{{IT}}}", field)]
    return [Enter(talk.atoms.text(bare), field, append)]


def _enter(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = found["rest"].strip()
    append = "追加" in found[0][:6]
    if not rest:
        raise NotUnderstood("it does not say what to type")
    shared = re.findall(rf"(\w{{1,8}}?)\s*(?:为|是|：|:)?\s*({QUOTE}|{NAME})", rest)
    if len(shared) > 1 and re.fullmatch(
        rf"(?:\w{{1,8}}?\s*(?:为|是|：|:)?\s*(?:{QUOTE}|{NAME})[\s、，,和及]*)+", rest
    ):
        return [
            Enter(talk.text(text), f"{re.sub('^[和及]', '', noun)}字段") for noun, text in shared
        ]
    if moved := re.fullmatch(rf"(?P<text>.+?)\s*(?:到|进|入|在)\s*(?P<into>.+?){_IN}", rest):
        return _typed(moved["text"], moved["into"], talk, append=append)
    if pair := re.fullmatch(r"(?P<into>[^，,]+?)\s*(?:：|:|为|成)\s*(?P<text>.+)", rest):
        return _typed(pair["text"], pair["into"], talk, append=append)
    return _typed(rest, None, talk, append=append)


def _enter_in(found: re.Match[str], talk: Talk) -> list[Step]:
    append = "追加" in found["verb"]
    into = found["into"]
    pairs = re.split(r"[，,、]?\s*(?:并)?在(?=.+?(?:输入|键入|填))", found[0])
    if len(pairs) > 1 and pairs[0] == "" and len(pairs) > 2:
        return [s for p in pairs[1:] for s in read_clause_zh("在" + p, talk)]
    return _typed(found["text"], into, talk, append=append)


def _choose(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = found["rest"].strip()
    if re.fullmatch(r"空|无|什么都不选|任何", rest):
        return [Choose(())]
    if re.fullmatch(rf"(?:日期|时间)?\s*(?:{DATED}|{TIMED})(?:\s*(?:作为|为).+)?", rest):
        when = re.search(rf"{DATED}|{TIMED}", rest)
        return value_steps(when[0] if when else rest, None, talk)
    if re.search(r"(?:文本|文字|段落)$", rest):
        return [Highlight(_thing(rest, talk))]
    if len(parts := PATH.split(rest)) > 1:
        return [Choose(tuple(_thing(part, talk) for part in parts), path=True)]
    if what := _all(rest):
        return [ForEach(EACH, (Choose((f"{{{EACH}}}",)),), every=_thing(what, talk))]
    return [_chosen(rest, None, talk)]


def _chosen(rest: str, source: str | None, talk: Talk) -> Step:
    items = listed(rest)
    said = "" if len(items) < 2 or all(re.fullmatch(QUOTE, i) for i in items) else talk.phrase(rest)
    return Choose(
        tuple(_thing(item, talk) for item in items),
        _thing(source, talk) if source else None,
        said=said,
    )


def _choose_in(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = found["what"].strip()
    if re.fullmatch(rf"{DATED}|{TIMED}", rest):
        return value_steps(rest, _thing(found["source"], talk), talk)
    if len(parts := PATH.split(rest)) > 1:
        return [
            Choose(tuple(_thing(p, talk) for p in parts), _thing(found["source"], talk), path=True)
        ]
    return [_chosen(rest, found["source"], talk)]


def _tick(*, on: bool) -> Rule:
    def rule(found: re.Match[str], talk: Talk) -> list[Step]:
        rest = (
            re.sub(r"\s*(?:的)?(?:复选框|勾选框|开关)们?$", r"", found["rest"])
            if len(listed(found["rest"])) > 1
            else found["rest"]
        )
        if what := _all(rest):
            return [ForEach(EACH, (Tick((f"{{{EACH}}}",), on),), every=_thing(what, talk))]
        items = listed(rest)
        said = (
            ""
            if len(items) < 2 or all(re.fullmatch(QUOTE, i) for i in items)
            else talk.phrase(rest)
        )
        return [Tick(tuple(_thing(item, talk) for item in items), on, said=said)]

    return rule


def _set(found: re.Match[str], talk: Talk) -> list[Step]:
    value = found["value"].strip()
    if value in ("开", "打开", "开启", "关", "关闭"):
        return [Tick((_thing(found["what"], talk),), value in ("开", "打开", "开启"))]
    if re.fullmatch(rf"{DATED}|{TIMED}", value):
        return value_steps(value, _thing(found["what"], talk), talk)
    return [SetValue(_thing(found["what"], talk), talk.text(value))]


_WAY: dict[str, Literal["up", "down", "left", "right"]] = {
    "上": "up",
    "下": "down",
    "左": "left",
    "右": "right",
}


def _scroll(found: re.Match[str], talk: Talk) -> list[Step]:
    text = found[0]
    where = found.groupdict().get("where")
    place = _thing(where, talk) if where else None
    way = re.search(r"[向往朝]([上下左右])", text)
    direction = _WAY[way[1]] if way else "down"
    if end := re.search(
        r"(?:到|至)\s*(?:最)?(?P<end>底部|底端|末尾|最后|结尾|底|顶部|顶端|开头|顶|最左边?|最右边?|最上面|最下面)(?:为止)?$",
        text,
    ):
        if end["end"][0] in "顶开" or "上" in end["end"]:
            direction = "up"
        elif "左" in end["end"] or "右" in end["end"]:
            direction = "left" if "左" in end["end"] else "right"
        of = re.search(
            r"(?:滚动|滚|翻)(?:到|至)\s*(?P<of>(?!最?[底顶末结开]).+?)的?(?:最)?(?:底|顶|末尾|结尾|开头|最)",
            text,
        )
        return [Scroll(direction, "end", place or (_thing(of["of"], talk) if of else None))]
    if until := re.search(
        r"(?:直到|至|到)\s*(?:看到|看见|出现)?\s*(?P<what>.+?)(?:出现|可见|显示)?(?:为止)?$", text
    ):
        return [Scroll(direction, where=place, until=_thing(until["what"], talk))]
    count = re.search(rf"({NUMBER})\s*(?:次|格|下|行|页)", text)
    return [Scroll(direction, int(number(count[1]) or 1) if count else None, place)]


def _drag(found: re.Match[str], talk: Talk) -> list[Step]:
    what, target = found["what"].strip(), (found["onto"] or "").strip()
    if way := re.fullmatch(
        rf"(?:[向往朝])?([上下左右])(?:边|面|方)?(?:移动?|拖动?)?\s*(?:(?P<n>{NUMBER})\s*(?P<unit>个?像素|px|格|位|个位置)?)?",
        target,
    ):
        count = int(number(way["n"]) or 0) if way["n"] else None
        direction = _WAY[way[1]]
        if count is None:
            return [Drag(_thing(what, talk), direction=direction)]
        if way["unit"] and "格" not in way["unit"] and "位" not in way["unit"]:
            sign = -1 if direction in ("left", "up") else 1
            by = (sign * count, 0) if direction in ("left", "right") else (0, sign * count)
            return [Drag(_thing(what, talk), by=by)]
        return [Drag(_thing(what, talk), direction=direction, places=count)]
    if re.fullmatch(rf"{NUMBER}%?", target) and re.search(r"滑块|滑动条|音量|旋钮", what):
        return [SetValue(_thing(what, talk), target)]
    target = re.sub(r"(?:里面|里|中|内|上)$", "", target)
    if each := _all(what):
        return [
            ForEach(
                EACH, (Drag(f"{{{EACH}}}", onto=_thing(target, talk)),), every=_thing(each, talk)
            )
        ]
    return [Drag(_thing(what, talk), onto=_thing(target, talk))]


def _wait(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = re.sub(r"^(?:到|直到|着)\s*", "", found["rest"].strip())
    if not rest or rest in ("一会儿", "一会", "片刻", "一下"):
        return [Wait(seconds=1.0)]
    timed = re.fullmatch(rf"(?P<n>{NUMBER}|半)\s*个?(?P<unit>毫秒|秒钟?|分钟?|小时)", rest)
    if timed:
        scale = {"毫": 0.001, "秒": 1, "分": 60, "小": 3600}[timed["unit"][0]]
        amount = 0.5 if timed["n"] == "半" else number(timed["n"]) or 0
        return [Wait(seconds=round(amount * scale, 3))]
    condition = read_condition_zh(rest, talk.atoms)
    return [Wait(until=condition or Shows(_thing(rest, talk)))]


def _check(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = re.sub(r"^(?:是否|一下|：|:)\s*", "", found["rest"].strip())
    condition = read_condition_zh(rest, talk.atoms)
    if condition is None:
        raise NotUnderstood(f"what “{talk.atoms.original(rest)}” would look like is not clear")
    return [Check(condition)]


def _read(found: re.Match[str], talk: Talk) -> list[Step]:
    name = found["name"]
    return [Read(_thing(found["what"], talk), talk.atoms.text(name).strip("{}") if name else IT)]


def _open(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = found["rest"].strip()
    if url := web_address(re.sub(r"^(?:网页|网址|网站|页面)\s*", "", rest), talk):
        return [GoTo(url)]
    if re.fullmatch(NAME, rest) and not re.match(r"打开|启动", found[0]):
        return [GoTo(talk.text(rest))]
    if re.search(r"开关$|蓝牙$|选项$", rest):
        return [Tick((_thing(rest, talk),))]
    if len(parts := PATH.split(rest)) > 1:
        return [Choose(tuple(_thing(part, talk) for part in parts), path=True)]
    bare = re.sub(r"^(?:应用程序|应用|程序|文件)\s*(?=\S)", "", rest)
    return [
        Open(
            talk.atoms.text(bare)
            if re.fullmatch(f"{QUOTE}|{OTHER}|{NAME}", bare)
            else _thing(bare, talk)
        )
    ]


def _close(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = found["rest"].strip()
    if not rest or re.fullmatch(r"(?:当前|这个|该)?窗口", rest):
        return [CloseWindow()]
    if window := re.fullmatch(r"(?:窗口\s*(?P<a>.+)|(?P<b>.+?)\s*(?:的)?(?:窗口|应用|程序))", rest):
        return [CloseWindow(talk.text(window["a"] or window["b"]))]
    if re.search(r"开关$|通知$|蓝牙$|声音$", rest):
        return [Tick((_thing(rest, talk),), on=False)]
    return [Perform("close", _thing(rest, talk))]


def _switch(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = re.sub(r"\s*(?:的)?窗口$", "", found["rest"].strip())
    if re.search(r"(?:标签页?|选项卡|页面|视图)$", rest):
        return [Point(_thing(rest, talk))]
    return [SwitchTo(talk.text(rest))]


def _run(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = re.sub(r"^(?:命令|程序|脚本)\s*[：:]?\s*", "", found["rest"].strip())
    named = re.fullmatch(
        rf"(?P<what>.+?)[，,]?\s*(?:并)?(?:把(?:输出|结果))?(?:记为|保存为|存为|记作)\s*(?P<name>{NAME}|\w+)",
        rest,
    )
    name = talk.atoms.text(named["name"]).strip("{}") if named else None
    return [Run(talk.atoms.text(named["what"] if named else rest), name)]


_OWN_EN = {
    "删除": "delete",
    "移除": "remove",
    "转发": "forward",
    "回复": "reply",
    "发送": "send",
    "分享": "share",
    "点赞": "like",
    "收藏": "favorite",
    "归档": "archive",
    "购买": "buy",
    "预订": "book",
    "订购": "order",
    "下单": "order",
    "登录": "log in",
    "登陆": "log in",
    "注销": "log out",
    "退出登录": "log out",
    "注册": "sign up",
    "搜索": "search",
    "下载": "download",
    "上传": "upload",
    "保存": "save",
    "打印": "print",
    "重命名": "rename",
    "取消": "cancel",
    "新建": "create",
    "创建": "create",
    "添加": "add",
    "安装": "install",
    "卸载": "uninstall",
    "播放": "play",
    "撤销": "undo",
    "重做": "redo",
    "关注": "follow",
    "取消关注": "unfollow",
    "评论": "comment",
    "发布": "post",
    "导出": "export",
    "导入": "import",
    "编辑": "edit",
    "继续": "continue",
    "完成": "finish",
    "跳过": "skip",
    "停止": "stop",
}


def _own(found: re.Match[str], talk: Talk) -> list[Step]:
    verb = _OWN_EN.get(found["verb"], found["verb"])
    rest = found["rest"].strip()
    groups = found.groupdict()
    what = groups.get("what")
    details: list[tuple[str, str]] = []
    if to := re.search(r"(?:给|到|至)\s*(?P<who>.+)$", rest):
        details.append(("to", talk.text(to["who"])))
        rest = rest[: to.start()].strip()
    if text := re.search(rf"(?:内容为|内容是|：|:|说)?\s*(?P<text>{QUOTE})$", rest):
        if verb in ("reply", "send", "comment", "post"):
            details.append(("text", talk.text(text["text"])))
            rest = rest[: text.start()].strip()
    thing = (what or rest).strip("，, ")
    if each := _all(thing):
        return [
            ForEach(EACH, (Perform(verb, f"{{{EACH}}}", tuple(details)),), every=_thing(each, talk))
        ]
    return [Perform(verb, _thing(thing, talk) if thing else None, tuple(details))]


def _simple(*steps: Step) -> Rule:
    return lambda _found, _talk: list(steps)


def _paste(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = re.sub(rf"^(?:它|其)?\s*{_TO}?\s*|(?:里面|里|中|内)$", "", found["rest"].strip())
    return [Paste(_thing(rest, talk) if rest else None)]


def _copy(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = found["rest"].strip()
    if moved := re.fullmatch(rf"(?P<what>.+?)\s*(?:并粘贴)?到\s*(?P<into>.+?){_IN}", rest):
        if moved["into"] != "剪贴板":
            return [Copy(_thing(moved["what"], talk)), Paste(_thing(moved["into"], talk))]
        rest = moved["what"]
    return [
        Copy(
            _thing(rest, talk)
            if rest and not re.fullmatch(r"它|选中的?(?:文本|内容)", rest)
            else None
        )
    ]


_REST = r"\s*(?P<rest>.*)"
_RULES: tuple[tuple[str, Rule], ...] = (
    (
        r"令\s*(?P<name>\w+)\s*(?:为|=|是)\s*(?P<text>.+)|(?:设置?|让)\s*(?P<name2>\w+)\s*=\s*(?P<text2>.+)",
        lambda f, t: [Let(f["name"] or f["name2"], t.atoms.text(f["text"] or f["text2"]))],
    ),
    (
        rf"(?:在|往|向)\s*(?P<into>.+?){_IN}\s*(?P<verb>输入|键入|填写|填入|填上|填|写入|写上|录入|追加)\s*(?P<text>.+)",
        _enter_in,
    ),
    (
        r"(?:把|将)\s*(?P<rest>.+?\s*(?:输入|填入|写入|键入|填写)(?:到|进|在)?\s*.+)",
        lambda f, t: _enter_in_moved(f, t),
    ),
    (rf"(?:在|从)\s*(?P<source>.+?){_IN}\s*(?:选择|选中|选取|挑选|选)\s*(?P<what>.+)", _choose_in),
    (
        r"(?:把|将)?\s*(?P<what>.+?)\s*(?:设置?[为成到]|调[整节]?[到为成]|改[为成])\s*(?P<value>.+)",
        _set,
    ),
    (r"(?:用|使用|通过)\s*(?P<what>.+?)\s*(?:选择|选中|选|设置为?|调到)\s*(?P<value>.+)", _set),
    (
        r"(?:把|将)?\s*(?:鼠标)(?:指针)?\s*(?:移动?到|悬停在|放在|移至|停在)\s*(?P<rest>.+?)(?:上|上面)?",
        _click("hover"),
    ),
    (r"(?:悬停在|悬停于|指向)\s*(?P<rest>.+?)(?:上|上面)?", _click("hover")),
    (
        rf"(?:在\s*(?P<where>.+?){_IN}\s*)?(?:把|将)?(?:[向往朝][上下左右])?(?:滚动|滚|翻)(?P<rest>.*)",
        _scroll,
    ),
    (
        r"(?:把|将)?\s*(?P<what>.+?)\s*(?:拖动|拖拽|拖放|拖|移动|移)\s*(?:到|至|进|入|向(?=.))?\s*(?P<onto>.+)",
        _drag,
    ),
    (
        r"(?:拖动|拖拽|拖放|拖|移动)\s*(?P<what>.+?)\s*(?:到|至|进|(?=[向往朝][上下左右]))\s*(?P<onto>.+)",
        _drag,
    ),
    (rf"(?:双击){_REST}", _click("double")),
    (rf"(?:三击){_REST}", _click("triple")),
    (rf"(?:右键(?:单击|点击)|右击){_REST}", _click("right")),
    (rf"(?:中键点击){_REST}", _click("middle")),
    (rf"(?:取消勾选|取消选中|取消选择|不勾选|禁用){_REST}", _tick(on=False)),
    (rf"(?:勾选|勾上|打勾|启用|开启){_REST}", _tick(on=True)),
    (rf"(?:(?:鼠标)?左键(?:单击|点击)|单击|点击|轻点|点按|点开|点选){_REST}", _click("click")),
    (rf"(?:按下|按住|敲击|敲|按)(?!.*排序){_REST}", _press),
    (rf"点{_REST}", _click("click")),
    (rf"(?:输入|键入|填写|填入|填上|填|写入|写上|录入|追加){_REST}", _enter),
    (
        rf"(?:清空|清除|擦除){_REST}",
        lambda f, t: [Clear(_thing(f["rest"], t) if f["rest"].strip() else None)],
    ),
    (rf"(?:高亮|全选){_REST}", lambda f, t: [Highlight(_thing(f["rest"] or "文本", t))]),
    (rf"(?:选择|选中|选取|挑选|多选|选){_REST}", _choose),
    (rf"(?:等待|等|暂停){_REST}", _wait),
    (rf"(?:复制|拷贝){_REST}", _copy),
    (
        r"(?:把|将)\s*(?P<what>.+?)\s*复制\s*到\s*(?P<into>.+)",
        lambda f, t: [Copy(_thing(f["what"], t)), Paste(_thing(f["into"], t))],
    ),
    (
        rf"(?:剪切){_REST}",
        lambda f, t: [
            *([Highlight(_thing(f["rest"], t))] if f["rest"].strip() else []),
            Press(("ctrl+x",)),
        ],
    ),
    (rf"(?:把它|将其)?\s*粘贴{_REST}", _paste),
    (rf"(?:切换到|切换至|切到){_REST}", _switch),
    (r"(?:返回|后退)(?:上一页|上一级)?", _simple(Navigate("back"))),
    (r"前进(?:一页)?", _simple(Navigate("forward"))),
    (r"(?:刷新|重新加载)(?:页面|网页|一下)?", _simple(Navigate("reload"))),
    (rf"(?:访问|前往|转到|跳转到|浏览|进入|打开|启动|回到){_REST}", _open),
    (rf"(?:关闭|关掉|关上){_REST}", _close),
    (rf"(?:运行|执行){_REST}", _run),
    (
        (
            rf"(?:读取|读出|读|记住|记下|记录)\s*(?P<what>.+?)(?:[，,]?\s*(?:并)?(?:把它)?(?:记住为|记为|记作|保存为|存为|命名为|"
            rf"作为)\s*(?P<name>{NAME}|\w+))?"
        ),
        _read,
    ),
    (rf"(?:验证|检查|确认|断言|确保|核对){_REST}", _check),
    (rf"(?:找到|查找|寻找|找){_REST}", lambda f, t: [Find(_thing(f["rest"], t))]),
    (rf"展开{_REST}", lambda f, t: [Expand(_thing(f["rest"], t))]),
    (rf"(?:收起|折叠){_REST}", lambda f, t: [Expand(_thing(f["rest"], t), on=False)]),
    (r"提交(?:表单|表格|该表单)?", _simple(Submit())),
    (
        rf"(?:统计|数一数|数){_REST}",
        lambda f, t: [Compute("count", _thing(re.sub("的(?:数量|个数)$", "", f["rest"]), t), IT)],
    ),
    (
        r"(?:求|计算)\s*(?P<what>.+?)的?(?:总和|和|之和)",
        lambda f, t: [Compute("sum", _thing(f["what"], t), IT)],
    ),
    (rf"(?:求|计算){_REST}", lambda f, t: [Compute("solve", _thing(f["rest"], t), IT)]),
    (
        r"(?:把|将)?\s*(?P<what>.+?)\s*按\s*(?P<how>升序|降序|从小到大|从大到小)(?:的?顺序)?(?:排序|排列)|按\s*(?P<how2>升序|降序|从小到大|从大到小)(?:的?顺序)?(?:排序|排列)\s*(?P<what2>.+)",
        lambda f, t: [
            Sort(
                _thing(f["what"] or f["what2"], t),
                "descending" if (f["how"] or f["how2"]) in ("降序", "从大到小") else "ascending",
            )
        ],
    ),
    (rf"(?:把|将)\s*(?P<what>.+?)\s*(?P<verb>{_OWN}){_REST}", _own),
    (rf"(?P<verb>{'|'.join(sorted(_OWN_EN, key=len, reverse=True))}){_REST}", _own),
)


def _enter_in_moved(found: re.Match[str], talk: Talk) -> list[Step]:
    parts = re.fullmatch(
        rf"(?P<text>.+?)\s*(?:输入|填入|写入|键入|填写)(?:到|进|在)?\s*(?P<into>.+?){_IN}",
        found["rest"],
    )
    if parts is None:
        raise NotUnderstood("it does not say where to type it")
    return _typed(parts["text"], parts["into"], talk)


_COMPILED = tuple((re.compile(words, re.DOTALL), rule) for words, rule in _RULES)


def read_clause_zh(clause: str, talk: Talk) -> list[Step]:
    """The steps of one masked Chinese clause.

    Raises:
        NotUnderstood: No rule takes it.
    """
    for pattern, rule in _COMPILED:
        if found := pattern.fullmatch(clause):
            return rule(found, talk)
    condition = read_condition_zh(clause, talk.atoms)
    if condition is not None and re.search(rf"应该|应当|必须|{QUOTE}", clause):
        return [Check(condition)]
    raise NotUnderstood(
        "no rule begins like this; a step begins with what to do, such as 点击 or 输入"
    )


def known_key(name: str) -> bool:
    """Whether a key is called so."""
    try:
        canonical_key(name)
    except InvalidInput:
        return name in _KEYS_ZH
    return True
