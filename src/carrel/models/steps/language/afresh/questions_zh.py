"""Questions in Chinese, each as what is to be told: 王芳在哪个部门？ is 告诉我王芳的部门."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.chinese.heads import verb_at_zh

__all__ = ["QUESTIONS_ZH"]

_HAN = r"[\u3400-\u9fff]"
_SO = r"[^，,；;。！!？?：:]"
_START = r"(?:^|(?<=[，,；。！!？?：:]))\s*(?P<then>(?:然后|再|接着|最后|并|同时|随后|之后|顺便)*)"
_ASK = (
    r"(?:(?:请|你|帮我|麻烦你?|给我|替我|先|想|我想|想要|要)*(?:告诉我|请问|问一下|问问|查查|查一查|查一下|查下|查询一下|看看|看一下|看下|瞧瞧|"
    r"了解一下|知道|确认一下|查)+(?:一下)?\s*)"
)
_END = r"(?:呢|啊|呀|了|的)?(?=\s*(?:[，,；。！!？?]|$))"
_NOW = r"(?:现在|目前|当前|此刻|这会儿|今天)?"
_MOST = {
    "多": "最多",
    "少": "最少",
    "高": "最高",
    "低": "最低",
    "贵": "最贵",
    "便宜": "最便宜",
    "大": "最大",
    "小": "最小",
    "早": "最早",
    "晚": "最晚",
    "长": "最长",
    "短": "最短",
    "快": "最快",
    "慢": "最慢",
    "新": "最新",
    "好": "最好",
}
_ADJ = "|".join(sorted(_MOST, key=len, reverse=True))
_NOT_ASKED = re.compile(r"哪|什么|多少|几(?!何)|谁|吗|是不是|是否|有没有|怎么|为什么")


def _of(found: re.Match[str], attribute: str) -> str:
    of = re.sub(r"^我们?的|(?:的|是|一共|总共)+$", "", found["of"].strip())
    if _NOT_ASKED.search(of) or of.endswith("有"):
        return found[0]
    apart = " " if re.search(r"[\x21-\x7e]$", of) else ""
    return f"{found['then']}告诉我{of}{apart}的{attribute}"


def _amount(found: re.Match[str]) -> str:
    of = re.sub(r"^我们?的|(?:里|上|的)$", "", found["of"].strip())
    if _NOT_ASKED.search(of) or verb_at_zh(of) is not None:
        return found[0]
    return f"{found['then']}告诉我{of}"


def _which(found: re.Match[str]) -> str:
    noun = found["noun"] or ("人" if "谁" in found[0] else "日期" if "哪天" in found[0] else "")
    of = found["of"].strip() if "of" in found.re.groupindex and found["of"] else ""
    by = re.sub(r"^的|(?:的|是|卖得|还剩|剩|有)$", "", found["by"].strip())
    if not by or _NOT_ASKED.search(by):
        return found[0]
    return f"{found['then']}告诉我{of}{by}最{found['adj']}的{noun}"


QUESTIONS_ZH: tuple[Turn, ...] = (
    turn(
        rf"{_START}(?:最后|现在)?(?:查查|查一查|查一下|查下|看看|看一下|看下)?(?:最后|最终|总共|一共|现在)*(?:要|需要?|应该)?(?:付|支付|交|花)多少钱?{_END}",
        r"\g<then>告诉我应付金额",
    ),
    turn(
        rf"{_START}{_ASK}(?:里面|里|下面)?(?:一共|总共|还|现在|共)*有(?:多少|几)(?P<n>[条个项张封行])(?:记录|数据)?{_END}",
        r"\g<then>告诉我有多少\g<n>记录",
    ),
    # 余额还有多少, 还有多少积分
    turn(
        rf"{_START}{_ASK}?(?P<of>{_SO}{{2,24}}?)(?:还|现在|目前|一共|总共|共)*(?:有|剩下?|余下?|是)多少(?:[度元块分岁米吨个]|公里|公斤|积分)?{_END}",
        _amount,
    ),
    turn(
        rf"{_START}{_ASK}(?:我|账户|账号|卡里|里面)?(?:里|上)?(?:还|现在|目前|一共|总共|共)+(?:有|剩下?|余下?)多少(?P<of>{_HAN}{{2,6}}){_END}",
        r"\g<then>告诉我\g<of>",
    ),
    # 快递走到哪一步了, 请假批了没有
    turn(
        rf"{_START}{_ASK}?(?P<of>{_SO}{{2,24}}?)(?:现在|目前|已经)?(?:走|进行|处理|办|送|到|进展|运)?(?:到)?(?:哪一?步|哪里|哪儿|什么程度|什么阶段)(?:了|啦){_END}",
        lambda m: _of(m, "状态"),
    ),
    turn(
        rf"{_START}{_ASK}?(?P<of>{_SO}{{2,24}}?)(?:现在|目前|已经)?(?:审?批|通过|发货|到货?|签收|付款|完成|处理|办好|寄出|退款)(?:了)(?:没有|没|吗|么)(?=\s*(?:[，,；。！!？?]|$))",
        lambda m: _of(m, "状态"),
    ),
    # 这份文件是谁上传的
    turn(
        rf"{_START}{_ASK}?(?P<of>{_SO}{{2,24}}?)(?:是)?由?谁(?P<a>{_HAN}{{2}})的(?=\s*(?:[，,；。！!？?]|$))",
        lambda m: _of(m, f"{m['a']}人"),
    ),
    turn(
        rf"{_START}{_ASK}(?:页面|系统)?(?:上)?(?P<a>提示|显示|弹出)(?:了)?(?:的)?什么{_END}",
        r"\g<then>告诉我提示",
    ),
    # 订单 A1 现在是什么状态, 王芳在哪个部门
    turn(
        rf"{_START}{_ASK}?(?P<of>{_SO}{{2,24}}?)(?:的)?{_NOW}(?:是|为|在|属于|处于|归|住|用的?是?|选的?是?|写的?是?|填的?是?)*(?:什么|哪一?[个种位家类间]|哪)(?P<a>(?!时候|地方|东西|样|里|儿|些|一|步){_HAN}{{1,5}}?)(?:[上教管带写做办开订里]的?)?{_END}",
        lambda m: _of(m, m["a"]),
    ),
    turn(
        rf"{_START}{_ASK}?(?P<of>{_SO}{{2,24}}?)(?:的)?{_NOW}(?:要|卖|是)?(?:多少钱|什么价钱?格?|啥价){_END}",
        lambda m: _of(m, "价格"),
    ),
    turn(
        rf"{_START}{_ASK}?(?P<of>{_SO}{{2,24}}?)(?:是|在|会|要)?(?:什么时候|何时|几点|哪天|哪一天|几号|几月几号)(?P<a>{_HAN}{{2,4}}?){_END}",
        lambda m: _of(m, f"{m['a']}时间"),
    ),
    turn(
        rf"{_START}{_ASK}?(?P<of>{_SO}{{2,24}}?)(?:是)?由?谁(?:来|在)?(?P<a>负责|管理|审批|创建|提交|申请|发布|签收|处理|跟进){_END}",
        lambda m: _of(m, f"{m['a']}人"),
    ),
    turn(
        rf"{_START}{_ASK}?谁(?:来|在)?(?P<a>负责|管理|审批|创建|提交|申请|发布|签收|处理|跟进)(?:了|的)?(?P<of>{_SO}{{2,24}}?){_END}",
        lambda m: _of(m, f"{m['a']}人"),
    ),
    # 哪个仓库的库存最多, 谁的业绩最高
    turn(
        rf"{_START}{_ASK}?(?:哪一?[个种位家类款件条张本间台部支辆项天]|哪些|什么|谁)(?P<noun>{_HAN}{{0,6}}?)(?:的|里|里的)(?P<by>{_SO}{{1,12}}?)最(?P<adj>{_ADJ}){_END}",
        _which,
    ),
    turn(
        rf"{_START}{_ASK}?(?P<of>{_SO}{{0,12}}?)(?P<by>{_HAN}{{2,6}}?)最(?P<adj>{_ADJ})的(?P<noun>{_HAN}{{1,6}}?)?(?:是|叫)(?:哪一?[个种位家类款件条张本间台部支辆项天]?|谁|什么)(?:{_HAN}{{0,4}}?){_END}",
        _which,
    ),
    # 还没审批的申请有几个: so many of them.
    turn(
        rf"{_START}{_ASK}?(?P<what>{_SO}{{2,24}}?)(?:一共|总共|还|共|都|现在|目前)*有(?:多少|几)[个条项张封件位名份行本款家种笔人次台]{_END}",
        lambda m: (
            m[0]
            if _NOT_ASKED.search(m["what"])
            else f"{m['then']}告诉我有多少个{re.sub('的$', '', m['what'])}"
        ),
    ),
    # 查一下王芳的电话: what is looked up is told.
    turn(
        rf"{_START}(?:帮我|请|麻烦你?|给我|替我)*(?:查查|查一查|查一下|查下|查询一下|看看|看一下|看下|查(?![询看找阅验收重]))\s*(?P<what>{_SO}{{1,20}}?的(?!时候){_HAN}{{2,8}}){_END}",
        lambda m: m[0] if _NOT_ASKED.search(m["what"]) else f"{m['then']}告诉我{m['what']}",
    ),
)
"""Questions, as what is to be told."""
