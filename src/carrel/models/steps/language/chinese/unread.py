"""Clauses in Chinese that no rule reads: deeds whose words may all be found on the screen."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE

__all__ = ["may_be_left_zh"]

_REACHES = re.compile(
    r"如果|若|假如|要是|除非|否则|不然|一旦|只要|每(?!页)|重复|循环|一直|直到|反复|逐|除(?!夕)|当(?![前天日])|按住|的话|所有|全部|"
    r"都|不|别|勿|没|未|无|或|可能|大概|左右|一半|最|验证|检查|断言|核对|核实|确保|应|是否|等待|记住|告诉|它|其|该|那个|这个|"
    r"上次|刚才|之前|随便|任意|密码|截图|保存为|复制|粘贴|输入|双击|右击|右键|拖|滚动|运行|执行|排序|计算|[？?]"
)
"""Words that bound a deed, leave it open, or that only a rule can carry out."""
LONGEST = 24
"""Letters of a deed that is left to the screen."""


def may_be_left_zh(words: str) -> bool:
    """Whether it is one short deed of which the screen may tell all.

    Args:
        words: As the person said them.
    """
    plain = re.sub(r"(?<=\d)[:：](?=\d)", "点", words.strip(" ，,。！!"))
    if not re.search(r"[\u3400-\u9fff]", plain) or re.search(r"[，,；;。：:{}<>]", plain):
        return False
    if re.fullmatch(rf"(?:{QUOTE}|[\"“][^\"”]+[\"”]|[和与及、\s])+", plain):
        return False
    return 3 <= len(plain) <= LONGEST and _REACHES.search(plain) is None
