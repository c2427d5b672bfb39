"""How sure, how wanted and how long a Chinese claim is said to be so: 应该, 要, 不该再, 还.

A claim is a topic and a predicate, whatever stands between them. What only says that it is
supposed to be so is taken away here, once for all predicates, and 不应该再有 is said as 没有.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from carrel.models.steps.language.atoms import ANY

__all__ = ["is_supposed", "topic_of", "without_modals"]

_HEAD = (
    r"(?:显示|出现|弹出?|跳出|提示|看得?[到见]|找得?到|列[出着]|展示|有(?![效些关])|为(?!止)|是(?!否)|等于|变|含(?!税)|包[含括]|带[有着]|"
    r"[大小高低多少早晚]于|超过|消失|可(?=[见用点选以勾编输])|不|没|无(?!线)|未(?!来|知|读)|被|处于|处在|在(?![线职校途售库建读])|停[在留]|位于|排[在成列]|按(?![钮键])|"
    r"跳[到转回]|回到|返回|进入|保持|仍|还|只|仅|共|剩|多[了出]|新增|增加|减少|列|勾|打[勾钩]|选中|选上|置灰|灰|高亮|点亮|展开|收起|折叠|关闭|关着|"
    r"打开|开着|开启|隐藏|存在|一致|相[同等]|与|和|跟|同(?!意|步|学|事)|达到|到(?![期达货])|至少|最多|不少|全[部都]?|都|均|自动|立[即刻]|马上|标[有着红为]|改[为成]|"
    r"更新[为成到]|恢复[为成到]?|清空|以|由|从|能|允许|正常|默认|已|依[次然旧]|写[着有明]|报|露出|禁用|启用|可用|呈|直接|重新|同时|也|空|加载|成功|生成|留在|是否|包|比(?![例分赛]))"
)
_MODAL = re.compile(
    r"(?:(?<=.)|^)(?:应该|应当|理应|理当|必须|务必|应(?![用付收届聘答急纳还缴交扣])|"
    r"(?<=[^\s])(?:须(?![知要])|需要?(?!求)|要(?![求素点闻么不])|得(?![到分以知票])|该(?![行项列按链图])|会(?![员议话计])|将会?(?![军来]))|^会(?=出现|弹|提示|显示|跳|有))"
    rf"(?={_HEAD})"
)
_NEVER = re.compile(
    r"不(?:应该?|应当|该|会|能|得|可以?|可能|许|准|要)(?:再|够)?(?:有)?(?:能|被)?"
    r"(?=为空|是空|出现|显示|弹|提示|看到|找到|包含|含|等于|[是为有]|存在|超过|[大小高低多少]于|选中|勾|被|带|展示|列|报|与|和|跟|处于|在|留|停|保留|变)"
)
_AGAIN = re.compile(
    r"不(?:应该?|该|会|能|可以?)?再(?=为|是|有|等于|包含|含|显示|出现|提示|存在|弹|在|被|处于|看到|列)"
)


_BECOMES = re.compile(
    r"(?<=.)(?:应该|应当|应|必须|要|会)(?:已经?|自动|立即|同步)?(?:更|修|变)?(?:改|更新|变更|调整|切换)(?:为|成)"
)


def is_supposed(text: str) -> bool:
    """Whether the words say that something is supposed to be so."""
    return any(True for _ in _modals(text))


def topic_of(text: str) -> str:
    """What stands before the first word that says so; all of it where none does."""
    found = next(_modals(text), None)
    return text if found is None else text[: found.start()]


def _modals(text: str) -> Iterator[re.Match[str]]:
    for pattern in (_NEVER, _AGAIN, _MODAL):
        yield from pattern.finditer(text)


def without_modals(claim: str) -> str:
    """The masked claim as a plain one: 不应再有“A” is 没有“A”, 要显示“B” is 显示“B”."""
    bare = _NEVER.sub("不", _BECOMES.sub("为", claim))
    bare = _AGAIN.sub("不", bare)
    bare = re.sub(
        r"(?<![不])(?:能够?|可以)(?=看得?[到见]|找到|搜到|查到)", "", _MODAL.sub("", bare)
    )
    bare = re.sub(r"不有(?=\S)|没再有", "没有", bare)
    bare = re.sub(rf"不看(?:得)?[到见](?={ANY})", "没看到", bare)
    return re.sub(r"不(?=找到)", "没", bare)
