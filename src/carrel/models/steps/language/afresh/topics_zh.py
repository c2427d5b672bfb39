"""What comes first and what is said of it, in Chinese: 标题“周会”，时间是明天三点，时长 1 小时.

People tell a form by its parts, each a name and what it gets, with or without a word between, and
a check by what is looked at and then its parts. A name may begin like a verb (报名课程) or end like
one (提前 30 分钟提醒): what the rules take apart there is put together here.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.amounts_zh import MEASURE, SO_MANY
from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import DATED, NAME, OTHER, QUOTE, TIMED
from carrel.models.steps.language.chinese.heads import (
    CHOOSING,
    ENTERING,
    OWN_WORDS,
    verb_at_zh,
)

__all__ = ["TOPICS_ZH"]

_HAN = r"[\u3400-\u9fff]"
_COMMA = r"\s*[，,；;]\s*"
_SO = r"[^，,；;。！!？?：:]"
_START = (
    r"(?:^|(?<=[，,；;。]))\s*(?P<then>(?:然后|再|接着|先|最后|请|并|同时|随后|帮我|给我|麻烦)*)"
)
_END = r"(?=\s*(?:[，,；;。！!]|$))"
_CHECK = r"(?:核对|检查|验证|确认|断言|核实|查验|确保)(?:一下)?"
_MAKING = re.compile(
    rf"\s*(?:请|帮我|给我|麻烦你?|再|先)*(?:新建|创建|新增|添加|建立|建|发起|预约|预订|预定|登记|录入|填写|安排|发布|起草|写|加|提交|约|编辑|修改)"
    rf"(?!成|为){_SO}{{0,24}}"
)
_CLAIMS = re.compile(rf"{_CHECK}|应(?![用付收急])|看到|出现")
_NOUN = rf"(?P<what>(?:(?![把将在从到给用请再并和与的每第点按]){_HAN}){{2,6}}?)"
_IS = (
    r"\s*(?:就)?(?:设为|定为|定在|定于|安排在|约在|选在|改为|叫做?|写成?|是|为|在|填|选|要|：|:)?"
    r"\s*"
)
_VALUE = (
    rf"(?P<to>{QUOTE}|{NAME}|{OTHER}|{DATED}|{TIMED}|[¥￥$]?\d[\w.%:+-]*"
    rf"(?:\s*(?:{MEASURE}|[年月天周日]|小时|分钟|元|分|岁|人|点|号))?)"
)
_LEVEL = re.compile(
    r"(?P<what>优先级|重要性|重要程度|紧急程度|等级|级别|难度|风险)(?:是|为|设?为|选)?"
    r"(?P<to>最?[高中低]|紧急|重要|普通|一般|正常|困难|简单|[A-Z]|P\d)级?"
)
_AHEAD = re.compile(
    rf"(?P<to>提前\s*(?:{SO_MANY}|半)\s*个?(?:分钟|小时|天|周|刻钟))(?:时|要)?(?P<what>提醒|通知|提示|预警)(?:我|一下)?"
)
_OFTEN = re.compile(
    r"(?P<to>每(?:天|日|周|月|年|个?工作日|两周|隔?[一两三]天))(?P<what>重复|循环)(?:一次)?"
)
_MOMENT = re.compile(rf"{_NOUN}{_IS}(?P<day>{DATED})\s*(?:的)?(?P<at>{TIMED})")
_PAIR = re.compile(rf"{_NOUN}{_IS}{_VALUE}")
_FILLED = re.compile(r"[设改填选写调换变定]$|输入|勾|日?期?时间[选填]$")


def _part(said: str) -> str:
    """One part of what is made, as a field and what it gets; as it was where it is none."""
    if found := _AHEAD.fullmatch(said) or _OFTEN.fullmatch(said):
        return f"{found['what']}选“{found['to']}”"
    if found := _LEVEL.fullmatch(said):
        return f"{found['what']}选“{found['to']}”"
    found = _MOMENT.fullmatch(said)
    if found and not _is_act(found["what"]):
        what = found["what"]
        day = what.replace("时间", "日期") if "时间" in what else "日期"
        return f"{day}选{found['day']}，{what}选{found['at']}"
    found = _PAIR.fullmatch(said)
    if found and not _is_act(found["what"]):
        verb = "选" if re.fullmatch(rf"{DATED}|{TIMED}", found["to"]) else "设为 "
        return f"{found['what']}{verb}{found['to']}"
    return said


def _is_act(what: str) -> bool:
    return verb_at_zh(what) is not None or _FILLED.search(what) is not None


def _made_of(found: re.Match[str]) -> str:
    """新建…，标题“A”，时间是…: each part of what is made as a field of its own."""
    text = found[0]
    head = _MAKING.match(text)
    if head is None or _CLAIMS.search(text):
        return text
    parts = re.split(rf"({_COMMA}|\s*[。！!]+\s*)", text[head.end() :])
    return text[: head.end()] + "".join(_part(p) if i % 2 == 0 else p for i, p in enumerate(parts))


_CUT = re.compile(
    rf"(?P<own>(?:{OWN_WORDS}){_HAN}{{2,4}})(?P<act>(?:{CHOOSING}|{ENTERING})\s*{QUOTE})"
)


def _after_act(found: re.Match[str]) -> str:
    """新建任务输入“A”: where no field is called so, first the one and then the other."""
    return f"{found['then']}{found['own']}，{found['act']}"


_SAID_OF = rf"(?P<parts>{_SO}+?(?:是|为|等于|显示为?|包含|有|：|:)\s*{_SO}+(?:{_COMMA}{_SO}+)*)"
_GENERAL = re.compile(
    r"(?:以下|如下|下列|下面|这些|页面|所有|各项|全部)(?:的)?(?:几[项点个条])?(?:内容|信息|数据|结果|字段|各?项)?(?:如下)?"
)


def _looked_at(found: re.Match[str]) -> str:
    """核对订单信息：收货人为“A”，金额为 9: each claim in what is looked at."""
    what, parts = found["what"], re.split(_COMMA, found["parts"])
    if _GENERAL.fullmatch(what):
        return f"{found['then']}验证" + "，".join(parts)
    return f"{found['then']}" + "，".join(f"验证{what}里的{part}" for part in parts)


_STAY = {
    "入住": "入住日期",
    "离店": "离店日期",
    "退房": "离店日期",
    "出发": "出发日期",
    "返回": "返回日期",
    "返程": "返程日期",
    "取车": "取车日期",
    "还车": "还车日期",
    "到店": "到店日期",
}
_WHOLE_STAY = re.compile(
    rf"(?P<day>{DATED})\s*(?:当天|那天)?(?P<how>{'|'.join(_STAY)})|(?P<how2>{'|'.join(_STAY)})(?:日期)?\s*(?:是|为|：|:)?\s*(?P<day2>{DATED})"
)
_ROOMS = re.compile(
    rf"(?:要|住|共|订)?\s*(?P<n>{SO_MANY})\s*(?:间(?:客|大床|双床|标准|单人|双人)?房?|个?房间)"
)
_GUESTS = re.compile(
    rf"(?:共|住)?\s*(?P<n>{SO_MANY})\s*(?:位|个|名)?(?P<who>成人|大人|儿童|小孩|客人|人)(?:入住)?"
)
_LOOK_UP = re.compile(
    r"^\s*(?:请|帮我|给我|麻烦你?|想)*(?P<act>查询一下|查一下|查查|查询|查看|查|搜索一下|搜一下|搜索|搜|找|看看|看一下)\s*"
)
_SORT = re.compile(
    r"(?:的|[，,、])*(?:有没有|还有)?(?:的)?(?:空房|空余|房间|房型|酒店|客房|余房|房态|剩余房间|可订房|航班|机票|车次|火车票|车)?(?:情况|信息|价格|列表|状态)?(?:的|吗|呢)*[。？?！!]?\s*$"
)


def _stay(found: re.Match[str]) -> str:
    """查 D 入住、D 离店、要 2 间房的空房: what a form for it is asked with."""
    text = found[0]
    head = _LOOK_UP.match(text)
    if head is None or len(_WHOLE_STAY.findall(text)) < 2:
        return text
    rest = text[head.end() :]
    told = [
        f"{_STAY[part['how'] or part['how2']]}选{part['day'] or part['day2']}"
        for part in _WHOLE_STAY.finditer(rest)
    ]
    rest = _WHOLE_STAY.sub("", rest)
    if rooms := _ROOMS.search(rest):
        told.append(f"房间数设为 {rooms['n']}")
        rest = rest[: rooms.start()] + rest[rooms.end() :]
    told += [
        f"{'人数' if guests['who'] in ('客人', '人') else guests['who']}设为 {guests['n']}"
        for guests in _GUESTS.finditer(rest)
    ]
    rest = _GUESTS.sub("", rest)
    if not _SORT.fullmatch(re.sub(r"^[\s，,、]+", "", rest)):
        return text
    return "，".join([*told, "查询"])


def _so_many(found: re.Match[str]) -> str:
    """勾选状态为“A”的两台: as many as there have to be, and then each of them."""
    noun = found["noun"] or "行"
    each = f"{found['what']}的{noun}"
    return f"{found['then']}验证有 {found['n']} 个{each}，{found['verb']}所有{each}"


_AWAY = r"(?:清掉|清了|清空|清除|清理掉?|删掉|删除掉?|删了|移除掉?|去掉|清一下)"
_STATE = rf"(?P<what>(?:已|未|过期|失效|无效|废弃|作废|空|重复)(?:(?!的){_HAN}){{0,4}}?)"
_CLEARED = (
    rf"{_START}(?:(?:把|将)(?:所有|全部)?{_STATE}的?(?P<noun>(?:(?!的|全|都|统|通|一){_HAN}){{0,3}}?)(?:全部|全都|都|全|统统|通通|一起|一次性|一并)*{_AWAY}|"
    rf"{_AWAY}(?:所有|全部){_STATE.replace('what', 'what2')}的?(?P<noun2>{_HAN}{{0,3}}?)){_END}"
)


def _named_clear(word: str) -> Turn:
    def said(found: re.Match[str]) -> str:
        what = found["what"] or found["what2"]
        noun = found["noun"] or found["noun2"] or ""
        return f"{found['then']}点击“{word}{what}{noun}”"

    return turn(_CLEARED, said)


TOPICS_ZH: tuple[Turn, ...] = (
    # 邮编填错了，改成 518000
    turn(
        rf"{_START}{_NOUN}(?:填|写|选|输|输入)错了{_COMMA}(?:请|帮我|麻烦你?|把它|将其)*(?:更?改|换|更正|修改)(?:成|为)",
        r"\g<then>把\g<what>改成",
    ),
    # 查询 3 月 1 日到 3 月 5 日的订单
    turn(
        rf"{_START}(?P<verb>查询|搜索|筛选|检索|查一下|查)\s*(?:从)?\s*(?P<a>{DATED})\s*(?:到|至|~|～|-|—)+\s*(?P<b>{DATED})(?:之间|期间)?的{_HAN}{{1,6}}{_END}",
        r"\g<then>日期选\g<a>到\g<b>，查询",
    ),
    turn(r"\A.+\Z", _stay),
    turn(r"\A.+\Z", _made_of),
    turn(
        rf"{_START}{_CHECK}(?P<what>(?:(?!是否|是不是){_SO}){{2,12}}?)[：:]\s*{_SAID_OF}(?=[。！!]|$)",
        _looked_at,
    ),
    # 勾选状态为“A”的两台
    turn(
        rf"{_START}(?P<verb>勾选|勾上|选中)(?P<what>{_HAN}{{1,8}}?(?:[为是叫]|大于|小于|等于|包含)\s*(?:{QUOTE}|\d[\d.]*|{_HAN}{{2,6}}?))的"
        rf"(?:这|那)?\s*(?P<n>{SO_MANY})\s*{MEASURE}?(?P<noun>{_HAN}{{0,4}}?){_END}",
        _so_many,
    ),
)
"""Topics and what is said of them."""

TOPICS_APART_ZH: tuple[Turn, ...] = (
    turn(rf"{_START}{_CUT.pattern}", _after_act),
    *map(_named_clear, ("清除", "清空", "删除", "清理")),
)
"""Other readings of the same, one at a time, where the screen has nothing that fits the first."""
