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
_HAN = r"[\u3400-\u9fff]"
_TOLD = rf"(?:{QUOTE}|[\"“][^\"”]+[\"”])"
_FORMS = re.compile(
    # 给“3 号”投一票, 挂张桂芳医生的号: a verb with something between its letters.
    rf"给\S.*?{_HAN}一{_HAN}{_HAN}?|{_HAN}[^的]{{2,14}}的{_HAN}|"
    # 周三的瑜伽课帮我约上
    rf".{{2,18}}(?:帮我|给我|替我){_HAN}[上好下]|"
    # 求职意向填“A”, 期望薪资 15-20K: a name that begins like a verb, and what it gets.
    rf"{_HAN}{{2,8}}[填选写]{_TOLD}|{_HAN}{{3,6}}\s+[\w.~–-]*\d[\w.~–-]*|"
    # 勾选同时发送到邮箱
    rf"勾选{_HAN}{{4,12}}"
)
"""How a deed is said of which the screen can tell what no rule does."""
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
    told = len(plain) <= LONGEST and _FORMS.fullmatch(plain) is not None
    return told and _REACHES.search(plain) is None
