"""The same change to all of a kind, and money that goes somewhere: 把状态为“A”的订单都改成“B”."""

from __future__ import annotations

import re
from typing import Literal

from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.chinese.point import Rule, thing
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, Talk
from carrel.models.steps.program import Drag, ForEach, Paste, Perform, Point, Repeat, SetValue, Step

__all__ = ["BULK"]

_HAN = r"[\u3400-\u9fff]"
_ALL = r"(?:全部|全都|统统|统一|批量|一律|都)"
_EVERY = rf"(?:所有的?|全部的?|每一?[个行条项张]{_HAN}{{0,2}}?的?)"
_CHANGED = r"(?:修改|更改|变更|切换|设置|调整|更新|改|设|换)(?:为|成|到)"
_PART = rf"(?P<part>{QUOTE}|(?!所有|全部|每){_HAN}{{2,6}}?)"
_NEW = rf"(?P<new>{QUOTE}|{NAME}|[\x21-\x7e]+)"


def _changed(found: re.Match[str], talk: Talk) -> list[Step]:
    """The change in every row that has the old value under that heading."""
    part = thing(found["part"], talk)
    noun = found.groupdict().get("noun") or "行"
    every = f"{part}为{thing(found['old'], talk)}的{noun}"
    if found.groupdict().get("told"):
        every = f"{thing(found['old'], talk)}的{noun}"
    talk.put_aside(found[0])
    body = SetValue(part, talk.text(found["new"]), place=f"{{{EACH}}}")
    return [ForEach(EACH, (body,), every=every)]


_AMOUNT = r"(?P<amount>[¥￥$€]?\s*\d[\d.,]*\s*(?:万|千)?(?:元|块钱?|美元|欧元|港币|人民币)?)"
_TO = rf"(?P<to>{QUOTE}(?:账户|账号|卡)?|{NAME}|[^，,\d]{{2,12}}?)"
_FROM = rf"(?P<from>{QUOTE}|[^，,]{{2,12}}?)(?:里面|里|中|上)?"
_PAYS = r"(?:转账|转入|转出|转|汇款|汇|划转|打款)"


def _transferred(found: re.Match[str], talk: Talk) -> list[Step]:
    """从“储蓄卡”转 500 元到“信用卡”: how much, from where, to whom."""
    groups = found.groupdict()
    told = [("amount", re.sub(r"\s", "", talk.text(found["amount"])))]
    told += [(word, talk.text(groups[word])) for word in ("from", "to") if groups.get(word)]
    talk.put_aside(found[0])
    return [Perform("transfer", None, tuple(told), said="转账")]


def _attached(found: re.Match[str], talk: Talk) -> list[Step]:
    talk.put_aside(found[0][found.end("what") :])
    return [Perform("attach", thing(found["what"], talk), said="添加附件")]


def _applied(found: re.Match[str], talk: Talk) -> list[Step]:
    return [Perform("apply", thing(found["what"], talk), said="使用")]


_WAYS: dict[str, Literal["up", "down", "left", "right"]] = {
    "上": "up",
    "下": "down",
    "左": "left",
    "右": "right",
}
BULK: tuple[tuple[str, Rule], ...] = (
    # 把所有状态从“待办”改成“完成”
    (
        rf"(?:把|将)\s*{_EVERY}\s*{_PART}\s*{_ALL}?(?:从|由)\s*(?P<old>{QUOTE})\s*{_ALL}?{_CHANGED}\s*{_NEW}",
        _changed,
    ),
    (
        rf"(?:把|将)\s*{_PART}\s*(?:从|由)\s*(?P<old>{QUOTE})\s*{_ALL}{_CHANGED}\s*{_NEW}",
        _changed,
    ),
    # 把状态为“待审核”的订单都改成“已通过”
    (
        rf"(?:把|将)\s*(?:所有的?|全部的?)\s*{_PART}(?:为|是)\s*(?P<old>{QUOTE})的(?P<noun>{_HAN}{{1,6}}?)(?:的?(?P=part))?{_ALL}?{_CHANGED}\s*{_NEW}",
        _changed,
    ),
    (
        rf"(?:把|将)\s*{_PART}(?:为|是)\s*(?P<old>{QUOTE})的(?P<noun>{_HAN}{{1,6}}?)(?:的?(?P=part))?{_ALL}{_CHANGED}\s*{_NEW}",
        _changed,
    ),
    # 把所有“待付款”的订单状态改成“已取消”
    (
        (
            rf"(?:把|将)\s*(?:所有的?|全部的?)\s*(?P<old>{QUOTE})(?P<told>的)?(?P<noun>{_HAN}{{1,4}}?)的?(?P<part>状态|优先级|类型|分类|等级|级别|角色|权限)"
            rf"{_ALL}?{_CHANGED}\s*{_NEW}"
        ),
        _changed,
    ),
    (rf"从\s*{_FROM}\s*{_PAYS}(?:出)?\s*{_AMOUNT}\s*(?:到|给|至|进)\s*{_TO}", _transferred),
    (rf"(?:给|向)\s*{_TO}\s*(?:账户|账号)?{_PAYS}\s*{_AMOUNT}", _transferred),
    (rf"{_PAYS}\s*{_AMOUNT}\s*(?:到|给|至)\s*{_TO}", _transferred),
    (
        r"(?:用|使用|通过|在)(?:屏幕|数字|虚拟|软)小?键盘(?:上|里)?(?:依次)?(?:输入|按下?|点击?)\s*(?P<digits>\d+)",
        lambda f, t: t.put_aside(f[0]) or [Point(one) for one in f["digits"]],  # type: ignore[func-returns-value]
    ),
    (
        r"(?:并)?(?:把它|将其)?设置?为(?P<name>默认[\u3400-\u9fff]{0,4})",
        lambda f, t: [Perform("set as default", None, said=f"设为{f['name']}")],
    ),
    (
        rf"(?:把它|将其)?粘贴\s*(?P<n>{NUMBER})\s*[次遍]",
        lambda f, t: [Repeat((Paste(),), times=int(number(f["n"]) or 1))],
    ),
    (
        rf"(?:把|将)\s*(?P<what>[^，,]+?)\s*(?:向|往)?(?P<way>[上下左右])移动?\s*(?P<n>{NUMBER})\s*(?:位|格|行|列|个位置)",
        lambda f, t: [
            Drag(thing(f["what"], t), direction=_WAYS[f["way"]], places=int(number(f["n"]) or 1))
        ],
    ),
    (
        rf"(?:留言|发表评论|写评论)\s*[：:]?\s*(?P<text>{QUOTE})",
        lambda f, t: [Perform("comment", None, (("text", t.text(f["text"])),), said="留言")],
    ),
    (
        rf"(?:设置|设定|设|定)(?:一)?个\s*(?P<n>{NUMBER}\s*(?:秒|分钟|小时))的?(?P<what>倒计时|定时器|计时器)",
        lambda f, t: [Perform("set", thing(f["what"], t), (("for", t.text(f["n"])),), said="设置")],
    ),
    (
        rf"(?P<verb>停用|禁用|启用)\s*(?P<what>(?:用户|账号|账户|成员|员工|规则|任务|插件|角色|商品|优惠券)\s*(?:{QUOTE}|[\x21-\x7e]+))",
        lambda f, t: [
            Perform(
                "enable" if f["verb"] == "启用" else "disable", thing(f["what"], t), said=f["verb"]
            )
        ],
    ),
    (
        rf"(?:把|将)\s*(?P<what>[^，,]+?)\s*(?:加入|放入|添加到)\s*(?P<to>购物车|收藏夹|清单)\s*(?P<n>{NUMBER})\s*次",
        lambda f, t: [
            Repeat(
                (Perform("add", thing(f["what"], t), (("to", f["to"]),), said=f"加入{f['to']}"),),
                times=int(number(f["n"]) or 1),
            )
        ],
    ),
    (
        r"显示(?P<what>隐藏的?文件夹?|网格线?|行号|标尺|工具栏|状态栏|侧边栏|书签栏)",
        lambda f, t: [Perform("show", thing(f["what"], t), said="显示")],
    ),
    (
        r"连接(?:到)?\s*(?P<what>(?:Wi-?Fi|WLAN|网络|无线网|蓝牙|VPN|服务器|数据库|打印机)[^，,]*)",
        lambda f, t: [Perform("connect", thing(f["what"], t), said="连接")],
    ),
    (
        r"(?:把|将)\s*(?P<what>[^，,]+?)\s*(?:添加|设|作|加)为附件",
        _attached,
    ),
    (
        r"开始(?:计时|播放|录制|游戏)?",
        lambda f, t: t.put_aside(f[0]) or [Perform("start", said="开始")],  # type: ignore[func-returns-value]
    ),
    (
        r"点赞\s*(?P<what>[^，,]*)",
        lambda f, t: [Perform("like", thing(f["what"], t) if f["what"] else None, said="点赞")],
    ),
    (
        rf"(?:加|来)\s*(?P<n>{NUMBER})\s*[份个杯碗瓶盒件只包罐](?P<what>{QUOTE}|(?:(?![和与及]){_HAN}){{1,10}})",
        lambda f, t: [
            Perform("add", thing(f["what"], t), (("quantity", f"{number(f['n']):g}"),), said="加")
        ],
    ),
    (
        rf"(?:使用|用|通过)\s*(?P<by>{QUOTE}|{_HAN}{{2,6}}?|[A-Za-z]+)(?:来|进行)?(?P<verb>支付|付款|缴费)",
        lambda f, t: [Perform("pay", None, (("with", t.text(f["by"])),), said=f["verb"])],
    ),
    (
        rf"(?:使用|用上?)\s*(?P<what>(?:优惠券|折扣券|代金券|红包|礼品卡|抵扣券|积分)\s*(?:{QUOTE}|[\x21-\x7e]+)?)",
        _applied,
    ),
)
"""Rules, each with the words of a whole clause."""
