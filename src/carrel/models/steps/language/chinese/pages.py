"""Chinese steps about pages, windows and programs; waiting, reading and checking."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import NAME, OTHER, QUOTE
from carrel.models.steps.language.chinese.conditions import (
    is_loaded_zh,
    read_condition_zh,
    unread_zh,
)
from carrel.models.steps.language.chinese.heads import verb_at_zh
from carrel.models.steps.language.chinese.modals import without_modals
from carrel.models.steps.language.chinese.own import OWN_FORMS
from carrel.models.steps.language.chinese.point import QUOTED_PATH, all_of, switched, thing
from carrel.models.steps.language.chinese.predicates import compared_zh, more_zh
from carrel.models.steps.language.english.pages import web_address
from carrel.models.steps.language.english.pointer import PATH
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, IT, NotUnderstood, Talk, listed
from carrel.models.steps.phrases.programs import kind_said
from carrel.models.steps.program import (
    Check,
    Choose,
    CloseWindow,
    Condition,
    ForEach,
    GoTo,
    Has,
    Is,
    Not,
    Open,
    Perform,
    Point,
    Read,
    Run,
    Shows,
    Step,
    SwitchTo,
    Tick,
    Wait,
)

__all__ = [
    "check",
    "checked",
    "close",
    "compared",
    "leave",
    "open_",
    "read",
    "run",
    "switch",
    "told_zh",
    "wait",
]


_TIMED = re.compile(rf"(?:{NUMBER}|半)\s*个?(?:毫秒|秒钟?|分钟|小时)(?=.)")
_COMES_TO_PASS = re.compile(
    r"[\u3400-\u9fff]{2,8}(?:自动|重新)?(?:刷新|更新|加载|下载|上传|提交|保存|安装|同步|导出|导入|发送|启动|重启|生成|处理|执行|运行)了?"
)
"""What happens to a thing, and is no name of it: 等文件下载."""


def wait(found: re.Match[str], talk: Talk) -> list[Step]:
    """等待 for a time, or until something is so."""
    rest = re.sub(r"^(?:到|直到|着)\s*", "", found["rest"].strip())
    if not rest or rest in ("一会儿", "一会", "片刻", "一下"):
        return [Wait(seconds=1.0)]
    timed = re.fullmatch(
        rf"(?P<n>{NUMBER}|半)\s*个?(?P<unit>毫秒|秒钟?|分钟?|小时)(?P<aim>(?:让|以便|好让|供|等)[\u3400-\u9fff]{{2,12}})?",
        rest,
    )
    if timed:
        talk.put_aside(timed["aim"] or "")
        scale = {"毫": 0.001, "秒": 1, "分": 60, "小": 3600}[timed["unit"][0]]
        amount = 0.5 if timed["n"] == "半" else number(timed["n"]) or 0
        return [Wait(seconds=round(amount * scale, 3))]
    most = re.fullmatch(
        rf"(?P<n>{NUMBER}|半)\s*个?(?P<unit>秒钟?|分钟?|小时)[，,]?\s*(?:或者?)?(?:直到|等到?)\s*(?P<rest>.+)",
        rest,
    )
    seconds = None
    most = most or re.fullmatch(
        rf"(?P<n>{NUMBER})\s*(?P<unit>秒钟?|分钟?)(?:之内|以内|内)[，,]?\s*(?P<rest>.+)", rest
    )
    if most:
        seconds = round(
            (number(most["n"]) or 0.5) * {"秒": 1, "分": 60, "小": 3600}[most["unit"][0]], 3
        )
        rest = most["rest"]
    rest = re.sub(r"(?:之后|以后|后|时|为止)$", "", rest)
    rest = re.sub(r"(?<=[\u3400-\u9fff]{2})(?<!重新)(加载|载入)$", r"\1完成", rest)
    if is_loaded_zh(rest):
        talk.put_aside(rest)
        return [Wait()]
    if re.fullmatch(
        r"[^\ue000-\ue7ff]*(?:结束|完成|停止|完毕)了?|"
        r"[\u3400-\u9fff]{0,6}(?:导[出入]|上传|下载|安装|保存|发送|同步|生成|处理|提交|转换|计算|打印|备份|扫描)(?:好|完)了?",
        rest,
    ):
        # When that is cannot be seen but by this: nothing goes on changing.
        talk.put_aside(rest)
        return [Wait()]
    if late := re.fullmatch(
        rf"(?P<rest>.+?)[，,]\s*(?:最多|至多|最长|最久|不超过|超时(?:时间)?[为是]?)(?:等待?)?\s*(?P<n>{NUMBER})\s*(?P<unit>秒|分)钟?",
        rest,
    ):
        rest = late["rest"]
        seconds = (number(late["n"]) or 0) * (60 if late["unit"] == "分" else 1)
    if turned := re.fullmatch(rf"{QUOTE}(?:变[成为]|换成)(?P<to>{QUOTE})", rest):
        rest = f"出现{turned['to']}"
        talk.put_aside(turned[0][0])
    condition = read_condition_zh(rest, talk.atoms)
    if condition is None and _TIMED.match(rest):
        raise NotUnderstood("where does the time end? a comma says it")
    if condition is None and (
        re.search(r"完$|完成|好$|变|跳转|进入|结束", rest) or _COMES_TO_PASS.fullmatch(rest)
    ):
        raise NotUnderstood("when that is cannot be seen; “等到“完成”出现”, “等待 X 消失”")
    return [Wait(seconds, until=condition or Shows(thing(rest, talk)))]


def check(found: re.Match[str], talk: Talk) -> list[Step]:
    """验证: fail unless something is so."""
    rest = re.sub(r"^(?:是否|一下|：|:)\s*", "", found["rest"].strip())
    if found[0].startswith("确认") and re.fullmatch(
        r"|删除|提交|保存|退出|支付|付款|取消|下单|发布|选座|订单|收货|购买|预订|修改|发送|报名|添加|上传|清空|重置",
        rest,
    ):
        return [Perform("confirm", said=found[0])]
    timed = re.match(rf"(?:在)?\s*(?P<n>{NUMBER})\s*(?P<unit>秒|分)钟?(?:之内|以内|内)\s*", rest)
    rest = rest[timed.end() :] if timed else rest
    condition = read_condition_zh(rest, talk.atoms)
    if timed and condition is not None:
        seconds = (number(timed["n"]) or 0) * (60 if timed["unit"] == "分" else 1)
        return [Wait(seconds, condition)]
    if condition is None and (steps := compared(rest, talk)):
        return steps
    if condition is None and found[0].startswith("确认") and _DEED.fullmatch(rest):
        return [Perform("confirm", said=found[0])]
    if condition is None and (shown := _COLON.fullmatch(rest)):
        return [Check(Has(thing(shown["what"], talk), talk.text(shown["to"]), "equals"))]
    if condition is None and _NAMED_ACT.fullmatch(found[0]):
        return [Point(f'"{found[0]}"')]
    if condition is None:
        unread = talk.atoms.original(unread_zh(rest, talk.atoms))
        raise NotUnderstood(f"what “{unread}” would look like is not clear")
    return checked(condition)


_DEED = re.compile(rf"(?:{'|'.join(OWN_FORMS)})(?![了着过的成失])[\u3400-\u9fff]{{0,4}}")
"""确认驳回, 确认取消订单: what is done, and nothing that is so."""
_COLON = re.compile(
    rf"(?P<what>(?!页面|提示|结果|以下|如下)[\u3400-\u9fff]{{2,8}})\s*[：:]\s*(?P<to>{QUOTE}|{NAME}|[^\s，,：:]{{1,16}})"
)
"""正在播放：城南旧事, as the page writes it."""
_NAMED_ACT = re.compile(
    r"确认(?!.*[有无没是在为可能已不了过着中对完满足够])(?!.*(?:一致|成功|失败|正确|正常|存在|可见|显示|出现|弹出|状态|信息|内容|结果|金额|数量|价格|页面|列表|按钮)$)[\u3400-\u9fff]{2,4}"
)
"""确认借书: only what a button may be called by; nothing else is pressed for it."""


def compared(claim: str, talk: Talk) -> list[Step] | None:
    """退款金额和实付金额一致: the one is read, and the other is the same."""
    bare = without_modals(re.sub(r"是否|是不是", "", claim.strip()))
    if than := more_zh(bare):
        what, other, how, so = than
        talk.put_aside(claim)
        measured: Condition = Has(thing(what, talk), "{other}", how)
        return [Read(thing(other, talk), "other"), Check(measured if so else Not(measured))]
    pair = compared_zh(bare)
    if pair is None:
        return None
    if re.search(r"乘以?|除以|加上|减去", pair[0]):
        raise NotUnderstood("that would have to be worked out first")
    what, other, alike = pair
    if re.fullmatch(r"它|其|该值|这个[值数]字?", what.strip()):
        same: Condition = Has(thing(other, talk), f"{{{IT}}}", "equals")
        return [Check(same if alike else Not(same))]
    held: Condition = Has(thing(what, talk), "{other}", "equals")
    return [Read(thing(other, talk), "other"), Check(held if alike else Not(held))]


_EVERY = re.compile(r"(?:所有的?|全部的?|每一?[个项条行张])(?P<what>.+?)(?:都|均)?")


def checked(condition: Condition) -> list[Step]:
    """A claim of all of a kind is one of each of them."""
    inner = condition.condition if isinstance(condition, Not) else condition
    found = _EVERY.fullmatch(inner.what) if isinstance(inner, Is | Has) else None
    if found is None or not isinstance(inner, Is | Has):
        return [Check(condition)]
    one: Condition = replace(inner, what=f"{{{EACH}}}")
    body = Check(Not(one) if isinstance(condition, Not) else one)
    return [ForEach(EACH, (body,), every=found["what"])]


def told_zh(what: str) -> str:
    """Without the words that say the same as reading does: 输入框的值 is the field."""
    held = r"(?<=[框栏格域\ue000-\ue7ff])(?:里面|里|中|内)?的(?:值|内容|文本|文字|数值)$"
    return re.sub(held, "", what.strip())


def read(found: re.Match[str], talk: Talk) -> list[Step]:
    """读取 what a thing says, and remember it."""
    name = talk.atoms.text(found["name"]).strip("{}") if found["name"] else IT
    return [Read(thing(told_zh(found["what"]), talk), name)]


_PAGE = re.compile(
    rf"^(?:[\u3400-\u9fff]{{0,6}}?(?:网页|网址|网站|页面|首页|主页|地址|链接|页)\s*[：:]?\s*(?={OTHER}|[a-z])|"
    rf"[\u3400-\u9fff]{{2,10}}\s*[：:]?\s*(?={OTHER}$))"
)


def _named_each(rest: str, talk: Talk) -> list[Step]:
    """Each of several that are named in quotes, opened by itself."""
    items = listed(rest)
    quoted = len(items) > 1 and all(re.fullmatch(QUOTE, item) for item in items)
    return [Open(talk.text(item)) for item in items] if quoted else []


def open_(found: re.Match[str], talk: Talk) -> list[Step]:
    """打开 a page, a program, a file or a thing on the screen."""
    # 返回日期…: what a field is called.
    return [] if verb_at_zh(found[0]) is None else _opened(found, talk)


def _opened(found: re.Match[str], talk: Talk) -> list[Step]:
    rest = found["rest"].strip()
    if not rest and found[0].startswith("启动"):
        return [Perform("start", said="启动")]
    if re.match(r"访问|浏览", found[0]) and re.fullmatch(
        r"[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/\S*)?", rest
    ):
        return [GoTo(rest)]
    if url := web_address(_PAGE.sub("", rest), talk):
        talk.put_aside(rest)
        return [GoTo(url)]
    window = re.fullmatch(r"(?P<title>[^，,]+?)\s*(?:的)?窗口", rest)
    if window and re.match(r"回到|转到|前往|进入", found[0]):
        return [SwitchTo(talk.text(window["title"]))]
    if held := re.fullmatch(rf"(?P<path>{OTHER})\s*(?:这个|该)?(?:目录|文件夹|文件|路径)", rest):
        return [Open(talk.text(held["path"]))]
    if re.fullmatch(NAME, rest) and not re.match(r"打开|启动", found[0]):
        return [GoTo(talk.text(rest))]
    if re.fullmatch(QUOTE, rest) and re.search(r"\s>\s|→", inner := talk.text(rest)):
        return [Choose(tuple(re.split(r"\s*(?:>|→)\s*", inner)), path=True)]
    if all_of(rest):
        raise NotUnderstood("one is opened after another; “对每个 X，点击它”")
    if re.match(r"打开|启动", found[0]) and (many := switched(rest, talk)):
        return [Tick(many)]
    if many_named := _named_each(rest, talk):
        return many_named
    if len(parts := PATH.split(QUOTED_PATH.sub(" > ", rest))) > 1:
        return [Choose(tuple(thing(part, talk) for part in parts), path=True)]
    apart = r"(?:\s+(?=\S)|(?=[\x21-\x7e\ue000-\uf8ff]))"
    named = rf"^(?:应用程序|应用|程序|文件|网页|网址|网站|页面){apart}"
    bare = rest if kind_said(rest) else re.sub(named, "", rest)
    bare = re.sub(
        rf"(?<={QUOTE})\s*(?:页面?|界面|模块|栏目|板块|这一项|应用程序|应用|程序)$", "", bare
    )
    return [
        Open(
            talk.atoms.text(bare)
            if re.fullmatch(f"{QUOTE}|{OTHER}|{NAME}", bare)
            else thing(bare, talk)
        )
    ]


_SOME_WINDOW = r"(?:弹出|打开|新弹出|新打开)?的?(?:新|原来?|另一?个?|刚才|之前|前一个|其他|旧)的?"


def close(found: re.Match[str], talk: Talk) -> list[Step]:
    """关闭 a window, or what on the screen closes a thing."""
    rest = found["rest"].strip()
    saving: bool | None = None
    if asked := re.search(
        r"[，,]?\s*(?:但|并且?)?(?:(?P<no>不要?|别)保存|(?:并|且)保存)(?:更改|修改|文件|文档)?$",
        rest,
    ):
        saving, rest = asked["no"] is None, rest[: asked.start()].strip()
        talk.put_aside(asked[0])
    if not rest or re.fullmatch(r"(?:当前|这个|该)?的?(?:窗口|应用程序|应用|程序)", rest):
        return [CloseWindow(None, saving)]
    items = listed(rest)
    if len(items) > 1 and all(kind_said(item) or re.fullmatch(QUOTE, item) for item in items):
        return [_closed(item, talk) for item in items]
    if what := all_of(rest):
        each = f"{{{EACH}}}"
        act = Tick((each,), on=False) if rest.endswith("开关") else Perform("close", each)
        return [ForEach(EACH, (act,), every=thing(what, talk))]
    if re.fullmatch(_SOME_WINDOW + r"(?:窗口|标签页?)", rest):
        raise NotUnderstood("which one is that? its title says it")
    if window := re.fullmatch(r"(?:窗口\s*(?P<a>.+)|(?P<b>.+?)\s*(?:的)?(?:窗口|应用|程序))", rest):
        return [CloseWindow(talk.text(window["a"] or window["b"]), saving)]
    if saving is not None:
        return [CloseWindow(talk.text(rest), saving)]
    if many := switched(rest, talk):
        return [Tick(many, on=False)]
    return [_closed(rest, talk)]


def _closed(rest: str, talk: Talk) -> Step:
    if kind_said(rest):
        return CloseWindow(talk.text(rest))
    return Perform("close", thing(rest, talk), said="关闭")


def leave(found: re.Match[str], talk: Talk) -> list[Step]:
    """退出 a program."""
    rest = re.sub(r"^(?:当前|该|这个|整个)|(?:应用程序|程序|应用|软件)$", "", found["rest"].strip())
    if rest and not kind_said(rest) and not re.fullmatch(rf"{QUOTE}|[\x21-\x7e ]+", rest):
        raise NotUnderstood("what is left, and by what? “点击“退出””, “关闭窗口”")
    return [CloseWindow(talk.text(rest) if rest else None)]


_PROGRAM = re.compile(r"[\x00-\x7f]+|.*(?:浏览器|终端|计算器|编辑器|管理器|记事本|应用|程序|软件)")


def switch(found: re.Match[str], talk: Talk) -> list[Step]:
    """切换到 another window or tab."""
    rest = re.sub(r"\s*(?:的)?窗口$", "", found["rest"].strip())
    if re.fullmatch(_SOME_WINDOW + r"(?:标签页?|页面)", rest):
        raise NotUnderstood("which one is that? its title says it")
    if re.search(r"(?:标签页?|选项卡|页面|视图|页签|页|[Tt]ab|栏目?|模式)$", rest):
        return [Point(thing(rest, talk))]
    if re.search(rf"{QUOTE}的?(?!$)", rest) and rest == found["rest"].strip():
        # “汇总”工作表: a thing of that kind, by its name.
        return [Point(thing(rest, talk))]
    if re.fullmatch(
        r"(?:弹出|打开|新弹出)?的?(?:新|原来?|另一?个?|刚才|之前|前一个|上一个|其他)的?", rest
    ):
        raise NotUnderstood("which window is that? its title says it")
    if titled := re.fullmatch(
        rf"(?:窗口)?标题(?:里|中)?(?:包含|含有?|带有?|是|为)\s*(?P<title>{QUOTE})的?", rest
    ):
        return [SwitchTo(talk.text(titled["title"]))]
    window = rest != found["rest"].strip() or _PROGRAM.fullmatch(talk.text(rest))
    return [SwitchTo(talk.text(rest)) if window else Open(talk.text(rest))]


def run(found: re.Match[str], talk: Talk) -> list[Step]:
    """运行 a command, and remember its output when that is asked for."""
    rest = re.sub(r"^(?:以下|下面的?)?(?:命令|程序|脚本)\s*[：:]?\s*", "", found["rest"].strip())
    named = re.fullmatch(
        rf"(?P<what>.+?)\s*[，,]?\s*(?:并|然后|再)?(?:把|将)?(?:它|其|命令)?的?(?:输出|结果|返回值)?"
        rf"(?:记为|保存为|保存到|存为|存到|记作|记到|命名为)\s*(?:变量\s*)?(?P<name>{NAME}|{QUOTE}|\w+)",
        rest,
    )
    name = talk.atoms.text(named["name"]).strip("{}") if named else None
    command = (named["what"] if named else rest).strip()
    if re.fullmatch(r"[\u3400-\u9fff]*", command):
        raise NotUnderstood("which command? “运行 `ls -l`”")
    if (re.match(QUOTE, command) and len(command) > 1) or re.search(r"[，。；]", command):
        # What follows the command is no part of it.
        raise NotUnderstood(f"where does the command “{talk.atoms.original(command)}” end?")
    return [Run(talk.atoms.text(command), name)]
