"""Chinese phrases for one of several: 吴桐的那张工单, 林岚老师的“机器学习导论”."""

from __future__ import annotations

import re

__all__ = ["pieces_of", "says_piece"]

_QUOTED = re.compile(r"[\"“]([^\"”]+)[\"”]")
_MEASURE = "[个条项张份封篇位名件笔门款间行道部只家本首节场趟班套支批]"
_CUT = re.compile(rf"(?:的)?[那这该]一?{_MEASURE}的?|的")
_LEAD = re.compile(
    r"^[\u3400-\u9fff]{1,5}(?:为|是|叫做?|名为)\s*|"
    r"^(?:订单号?|单号|编号|工单|标题|名称|姓名|客户|用户|商品|员工|来自|由)(?=[\W\dA-Za-z]|$)\s*"
)
_TAIL = re.compile(
    r"(?:发来|发送|寄来|提交|创建|发布|上传|负责|预约|申请|开|写|发)$|"
    r"(?<=[\u3400-\u9fff]{2})(?:老师|先生|女士|经理|主任|医生|教授|同学|同事|主管)$"
)
_MORE = re.compile(
    r"第\s*[\d一二两三四五六七八九十]|最|所有|全部|每|任意|其[他余它]|[前后左右上下旁里中内外]|之|和|或|、|"
    r"按钮|链接|图标|输入框|文本框|下拉|菜单|标签|选项卡|开关|复选框|单选|列表|表格|对话框|弹窗|窗口|页面|日期|字段"
)
"""Words that say more than which entry is meant, or that something else is."""
_NAME = re.compile(r"[\u3400-\u9fff]{2,8}|[A-Za-z#]?[\w-]*\d[\w-]*|[A-Z][\w-]+")
LONG = 4
"""Signs of a text that is no part of a longer word by chance."""


def pieces_of(phrase: str) -> tuple[tuple[str, ...], str] | None:
    """What an entry has to say to be meant, and the noun for its sort; None for other phrases.

    Args:
        phrase: In the person's words, which have to have 的 or 那张 and the like in them.
    """
    plain = _QUOTED.sub("", phrase)
    if not _CUT.search(plain) or _MORE.search(plain):
        return None
    cuts = _CUT.findall(plain)
    *parts, noun = _CUT.split(plain)
    pieces = [_TAIL.sub("", _LEAD.sub("", part.strip())) for part in parts]
    pieces = [piece for piece in pieces if piece]
    noun = noun.strip()
    if any(_NAME.fullmatch(piece) is None for piece in pieces):
        return None
    if noun and re.fullmatch(r"[\u3400-\u9fff]{1,8}", noun) is None:
        return None
    if re.search("[那这该]", cuts[-1]):
        # Whatever such things are called: one of several is meant.
        noun = ""
    return (tuple(pieces), noun) if pieces or _QUOTED.search(phrase) else None


def says_piece(piece: str, text: str) -> bool:
    """Whether a text says a name, and not a longer one that begins or ends so."""
    edge = "[\u3400-\u9fff]" if re.search(r"[\u3400-\u9fff]", piece) else r"[\w-]"
    if len(piece) >= LONG and edge != r"[\w-]":
        return piece in text
    return re.search(rf"(?<!{edge}){re.escape(piece)}(?!{edge})", text) is not None
