"""Small acts in Chinese that are said with a word less, each as a plain instruction."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.amounts_zh import MEASURE, SO_MANY
from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import DATED, OTHER, QUOTE, TIMED
from carrel.models.steps.language.chinese.heads import verb_at_zh

__all__ = ["LAST_ACT_ZH", "SMALL_ACTS_ZH"]

_HAN = r"[\u3400-\u9fff]"
_START = r"(?:^|(?<=[，,；。]))\s*(?P<then>(?:然后|再|接着|先|最后|请|并|同时|随后|之后|就|还|也)*)"
_END = r"(?=\s*(?:[，,；。]|然后|最后|$))"
_CHECKS = re.compile(r"验证|检查|断言|核对|核实|确保|应(?!用|付|收)")


_POLITE = re.compile(
    r"谢|辛苦|好吗|可以|就行|即可|不变|默认|其他|备注|匿名|[的了吧呢吗里中个]$|[选填写设改居有要等排]"
)
"""Words at the end that ask for nothing, or for something else."""


def _starred(found: re.Match[str]) -> str:
    """So many stars for what is named, where nothing is claimed."""
    if _CHECKS.search(found.string) or verb_at_zh(found["what"]) is not None:
        return found[0]
    return f"{found['then']}给{found['what']}打 {found['n']} 星"


def _last(found: re.Match[str]) -> str:
    """What is said last, and no rule reads, as the name of the button that ends it all."""
    if _CHECKS.search(found.string) or verb_at_zh(found["what"]) or _POLITE.search(found["what"]):
        return found[0]
    return f"，点击“{found['what']}”"


def _so_many(found: re.Match[str]) -> str:
    """How many of a thing there shall be in what holds it: the number beside it."""
    if _CHECKS.search(found.string):
        return found[0]
    return f"{found['then']}把{found['what']}的数量改成 {found['n']}"


SMALL_ACTS_ZH: tuple[Turn, ...] = (
    # 下一步后点确认, 下一步，填邮箱: the button by its name alone.
    turn(
        rf"{_START}(?P<what>[上下]一步)(?:之后|以后|后)?[，,]?\s*(?=\S)(?!是|为|按钮)",
        r"\g<then>点击“\g<what>”，",
    ),
    turn(rf"{_START}(?P<what>[上下]一步){_END}", r"\g<then>点击“\g<what>”"),
    # 商品质量打 5 星: in a list of them 给 is said once.
    turn(
        rf"{_START}(?P<what>{QUOTE}|{_HAN}{{2,8}}?)(?:打|给|评)(?:上|个|了)*\s*(?P<n>\d|[一二三四五])\s*颗?星{_END}",
        _starred,
    ),
    # 购物车里洗衣液改成 4 件
    turn(
        rf"{_START}(?:把|将)?(?:在)?(?:购物[车袋篮]|清单|订单|列表)(?:里面|里|中|上)的?(?P<what>(?!把|将|每|所有|全部){_HAN}{{1,12}}?|{QUOTE})(?:的?数量)?(?:改|调整?|变|换|设)(?:成|为|到)\s*(?P<n>{SO_MANY})\s*{MEASURE}?{_END}",
        _so_many,
    ),
    # 新建一个早上 7 点的闹钟: when it is belongs into it.
    turn(
        rf"{_START}(?P<make>新建|创建|添加|新增)(?:[一1]?[个条项场])?\s*(?P<day>(?:{DATED}|[今明后]天))\s*的?(?P<at>{TIMED})\s*的(?P<what>{_HAN}{{2,4}}){_END}",
        r"\g<then>\g<make>\g<what>，日期选\g<day>，时间选\g<at>",
    ),
    turn(
        rf"{_START}(?P<make>新建|创建|添加|新增)(?:[一1]?[个条项场])?\s*(?P<at>{TIMED})\s*的(?P<what>{_HAN}{{2,4}}){_END}",
        r"\g<then>\g<make>\g<what>，时间选\g<at>",
    ),
    # 按手机号 139 搜索会员: what is looked for, in the field for it or in the one for all.
    turn(
        rf"{_START}(?:按照?|用|通过|根据)(?P<by>{_HAN}{{2,5}})\s*(?P<to>{QUOTE}|{OTHER}|[\w.@+-]*\d[\w.@+-]*)\s*(?:来|去|进行)?(?P<act>搜索|查询|查找|检索){_HAN}{{0,4}}{_END}",
        r"\g<then>搜索\g<to>",
    ),
    # 记一笔支出：分类“餐饮”: what all of the form is for.
    turn(
        rf"^\s*(?:请|帮我|我要)*(?:记|寄|订|约|买|填|登记)(?:一[个笔条份封张单次件])?{_HAN}{{1,6}}[：:]\s*(?={_HAN}{{2,8}}?(?:选|填|为|是|用|写|\s|{QUOTE})[^，]*，)",
        "",
    ),
    # 选择日志级别“错误”: of what sort it is may stand beside it, or nowhere.
    turn(
        rf"{_START}(?:选择|选)(?P<what>(?!所有|全部){_HAN}{{2,6}})(?P<to>{QUOTE}){_END}",
        r"\g<then>\g<what>选\g<to>",
    ),
    turn(
        rf"{_START}(?:选择|选)(?!所有|全部){_HAN}{{2,6}}(?P<to>{QUOTE}){_END}",
        r"\g<then>点击\g<to>",
    ),
    # 连接“Home-5G”: what is in a list is clicked for it.
    turn(rf"{_START}连接(?P<to>{QUOTE}){_END}", r"\g<then>点击\g<to>"),
    # 把“有电梯”点上
    turn(
        rf"{_START}(?:把|将)(?P<what>{QUOTE}(?:\s*[、和与及]\s*{QUOTE})*)(?:都|也)?点(?:上|亮|选){_END}",
        r"\g<then>点击\g<what>",
    ),
)
"""Small acts, in the words that the rules know."""

LAST_ACT_ZH: tuple[Turn, ...] = (
    # 用车时间改为明早，呼叫: the button that ends it.
    turn(rf"[，,]\s*(?:最后|然后|再)?(?P<what>{_HAN}{{2,4}})(?=[。！!]?\s*$)", _last),
)
"""What ends it all, where nothing else makes an instruction clear."""
