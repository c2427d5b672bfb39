"""Chinese words that rather say where, how many or what to do than what a thing is called."""

from __future__ import annotations

import re

from carrel.models.steps import program as p
from carrel.models.steps.language.afresh.quoting import is_quoted

__all__ = ["NO_NAME_ZH", "is_odd_zh"]

NO_NAME_ZH = re.compile(
    r"(?:[加打标贴换补]上|[加点打来]个|[调降升增减]\w到|[两三]次|.[那这][里儿边])$|^往|"
    r"^[\d一两二三四五六七八九十]+\s*[箱袋盒瓶罐包斤杯支本双套桶束串颗]$|"
    r"^(?:\d+|[一两二三四五六七八九十])\s*[份碗杯瓶盒罐盘串斤袋箱](?=[\u3400-\u9fff])|"
    r"^(?:问卷|表单|申请表|登记表)$|^给(?!付)|^个|[\u3400-\u9fff](?<![首成古])都$|"
    r"里的[个条项张封件位名]$|(?:今天|明天|[上下]午|现在)还有?$|"
    r"的(?:全部|全都|都|统统)$|[为是叫][\s\"“”]*的(?:[两三四五六七八九十]|\d+)\s*[台个件条张项种款位名人份封行]|"
    r"^(?:勾上|勾选|点击|打开|关闭|取消)$|应(?![用付收届聘对变急])"
)
"""What is no name of a thing."""
_WHERE = re.compile(r"在.{2,10}[部端里中内侧边方面处]")
_POINTS = re.compile(
    r"(?:一?[封条]新?的?)?(?:邮件|信|短信)|[那这][里儿边]|[再也都]?\w?[勾选填写]上?"
)


_TIMED = re.compile(
    r"(?:[一1]?[个条项场])?\s*(?:[今明后]天|下?周.|早上|早晨|上午|中午|下午|晚上|凌晨|\d+\s*月|\d{1,2}\s*[点:：])"
    r".{0,16}的[\u3400-\u9fff]{2,4}$"
)
"""一个早上 7 点的闹钟: when a new thing is, which is no part of its name."""


def is_odd_zh(step: p.Step) -> bool:
    """Whether a text only points at something, or a place was taken for what is written there."""
    if isinstance(step, p.Enter):
        return _POINTS.fullmatch(step.text) is not None and not is_quoted(step)
    if isinstance(step, p.Perform):
        return step.verb in ("create", "add") and bool(_TIMED.match(step.what or ""))
    return isinstance(step, p.Check) and _is_place_claimed(step)


def _is_place_claimed(step: p.Check) -> bool:
    """Whether a thing would have to hold the words that rather say where it stands."""
    claim = step.condition
    if not isinstance(claim, p.Has):
        return False
    return _WHERE.fullmatch(claim.text) is not None and f"“{claim.text}" not in step.words
