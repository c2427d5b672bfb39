"""What a Chinese sentence leaves out because it was just said: 同意周婷的, 第三个留空.

A noun is said once and only told apart after that, by whose it is or by which it is in order. The
noun is put back here, before any rule reads the words, wherever only one can be meant.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.chinese.heads import verb_at_zh
from carrel.models.steps.language.chinese.nouns import KIND

__all__ = ["filled_out_zh"]

_HAN = r"[\u3400-\u9fff]"
_UNIT = r"[个条项张封件行列栏格份位段篇]"
_NTH = rf"(?:倒数)?第\s*(?:\d+|[一二三四五六七八九十]+)\s*{_UNIT}|最后一{_UNIT}"
_KINDED = re.compile(
    rf"(?:{_NTH})(?P<noun>{_HAN}{{0,4}}?(?:{KIND}|[框栏格]|商品|选项|问题|题|结果|文章|视频|订单|任务|记录))"
)
_BARE_NTH = re.compile(
    rf"(?P<nth>{_NTH})(?P<into>里面|里|中|内)?(?=(?:则|都|就|也)?(?:留空|空着|不填|填|写|输入(?![框栏])|选(?![项框])|勾(?!选框)|打勾|不勾|取消勾选|改|设|点击?|删除?|打开|关闭)|[，,]|$)"
)
_SOUGHT = re.compile(rf"(?:搜索?|查询|检索)(?:一下)?\s*(?:{QUOTE}|[^，,、]{{1,16}}?)[，,]")
_OPENED_NTH = re.compile(
    rf"(?P<act>点开|打开|点进|点击|单击|双击|点)(?P<nth>{_NTH})(?=$|[，,。；])"
)
_OWNED = re.compile(
    rf"(?:{QUOTE}|(?!的){_HAN}{{1,8}}?|[\x21-\x7e]+)的(?P<noun>(?!时候|话|情况){_HAN}{{2,8}}?)(?=[，,]|$|为|是|设|改|填|选|点|勾|删)"
)
_BARE_OWNER = re.compile(
    r"(?<=[，,])\s*(?:再|然后|并|接着|最后)?(?P<said>[^，,的]{2,10})的(?=$|[，,])"
)
_WHOSE = re.compile(rf"{QUOTE}|{_HAN}{{2,4}}|[\x21-\x7e]+")


def filled_out_zh(masked: str) -> str:
    """The masked sentence with the nouns that were left out."""
    return _by_owner(_by_order(masked))


def _by_order(text: str) -> str:
    """在第二个文本框里输入“a”，第三个留空: the third field."""
    nouns = {found["noun"] for found in _KINDED.finditer(text)}
    if not nouns and (sought := _SOUGHT.search(text)):
        # 搜“耳机”，点开第二个: what was found.
        return text[: sought.end()] + _OPENED_NTH.sub(r"\g<act>\g<nth>结果", text[sought.end() :])
    if len(nouns) != 1:
        return text
    noun = nouns.pop()
    start = next(_KINDED.finditer(text)).end()
    said = _BARE_NTH.sub(rf"\g<nth>{noun}\g<into>", text[start:].replace("\\", "\\\\"))
    return text[:start] + said.replace("\\\\", "\\")


def _by_owner(text: str) -> str:
    """拒绝陈浩的好友请求，同意周婷的: the request of the other."""
    found = _BARE_OWNER.search(text)
    verb = verb_at_zh(found["said"]) if found else None
    owned = list(_OWNED.finditer(text[: found.start()])) if found else []
    if found is None or verb is None or not owned:
        return text
    if not _WHOSE.fullmatch(found["said"][verb.end() :].strip()):
        return text
    return text[: found.end()] + owned[-1]["noun"] + _by_owner(text[found.end() :])
