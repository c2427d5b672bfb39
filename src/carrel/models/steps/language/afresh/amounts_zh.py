"""So many of a thing for a cart, in Chinese: 往购物车里加两罐“A”和一盒“B”.

What is counted differs with the thing (罐, 盒, 张), and means nothing more than how many.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["AMOUNTS_ZH", "MEASURE", "SO_MANY"]

MEASURE = (
    r"(?:公斤|千克|个|件|罐|盒|瓶|箱|袋|包|斤|份|杯|支|条|张|本|只|双|套|台|块|桶|把|束|盆|串|颗|粒|片|提|组|"
    r"对|部|辆|位|名|间|棵|枝|听|卷|筒|壶|碗|盘|幅|册|副|朵|根|捆|朵|扎|款|样|种|项|封|篇|笔)"
)
"""Words that things are counted by."""
SO_MANY = r"(?:\d+|[一两二三四五六七八九十]+)"
_ITEM = rf"(?:{QUOTE}|(?:(?![和与及到进放加买、，,；。])[\w\u3400-\u9fff·-]){{2,14}}?)"
_COUNTED = rf"{SO_MANY}\s*{MEASURE}(?:的)?\s*{_ITEM}"
_AND = (
    r"\s*(?:[、和与及]|以及|还有|外加|再加上?|"
    r"[，,；]\s*(?:再?加上?|和|以及|还有|外加|再要|再来)?)\s*"
)
_LIST = rf"(?P<list>{_COUNTED}(?:{_AND}{_COUNTED})*)"
_CART = r"(?:购物车|购物袋|购物篮|菜篮子?|订单)"
_END = r"(?=\s*(?:[，,；。、]|并|然后|再(?!加)|最后|$))"
_START = r"(?:^|(?<=[，,；。]))\s*(?P<then>(?:然后|再|接着|先|最后|请|帮我|给我|我要|我想|想要)*)"
_PUT = r"(?:添加|加入|加进|加上|放入|放进|放上|添进|添上|装进|加|放|添|买|购买|选购|订)"
_ONE = re.compile(rf"(?P<n>{SO_MANY})\s*{MEASURE}(?:的)?\s*(?P<what>{_ITEM})(?={_AND}|$)")


def _each(found: re.Match[str]) -> str:
    """Every thing of the list with its number, one after another."""
    place = found["cart"] if "cart" in found.re.groupindex and found["cart"] else "购物车"
    told = [f"把 {one['n']} 件{one['what']}加入{place}" for one in _ONE.finditer(found["list"])]
    return found["then"] + "，".join(told)


AMOUNTS_ZH: tuple[Turn, ...] = (
    # 往购物车里加两罐“A”和一盒“B”
    turn(
        rf"{_START}(?:往|向|在|给)(?P<cart>{_CART})(?:里面|里|中|内)?{_PUT}\s*{_LIST}{_END}",
        _each,
    ),
    # 加三瓶“A”到购物车, 把两罐“A”放进购物车
    turn(
        rf"{_START}(?:把|将)?{_PUT}?\s*{_LIST}(?:都|一起|一并)?(?:添加|加入|加|放入|放)?(?:到|进|入|至)+(?P<cart>{_CART})"
        rf"(?:里面|里|中|内)?(?:去)?{_END}",
        _each,
    ),
    # “A”来两罐，“B”来一盒
    turn(
        rf"{_START}(?P<what>{QUOTE})(?:加|来|要|买|拿)?(?:上)?\s*(?P<n>{SO_MANY})\s*{MEASURE}{_END}",
        lambda m: f"{m['then']}把 {m['n']} 件{m['what']}加入购物车",
    ),
    # 买 2 盒“A”和 1 箱“B”
    turn(
        rf"{_START}(?:买|购买|选购|选|订购?|点|下单|要|来|拿|加购|加)\s*{_LIST}{_END}",
        _each,
    ),
)
"""How many are put into a cart, each thing as one instruction."""
