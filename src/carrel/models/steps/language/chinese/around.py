"""What stands around Chinese instructions: conditions, order, places, headings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.chinese.branches import branched_zh, unclear_zh
from carrel.models.steps.language.chinese.fields import filled_in_zh
from carrel.models.steps.language.chinese.heads import VERBS, verb_at_zh
from carrel.models.steps.language.chinese.loops import looped_zh
from carrel.models.steps.language.chinese.manners import bare_zh
from carrel.models.steps.language.chinese.nouns import KIND, stray
from carrel.models.steps.language.chinese.particulars import with_particulars
from carrel.models.steps.language.chinese.places import split_place
from carrel.models.steps.language.chinese.timing import ordered_zh
from carrel.models.steps.language.chinese.together import is_clear_zh
from carrel.models.steps.language.chinese.verbs import is_clause
from carrel.models.steps.language.talk import IT, Talk
from carrel.models.steps.program import (
    Answer,
    Choose,
    Compute,
    Enter,
    GoTo,
    Navigate,
    Open,
    Perform,
    PickDate,
    PickTime,
    Point,
    Press,
    Run,
    SetValue,
    Step,
    Submit,
    SwitchTo,
    Unclear,
    Wait,
)

__all__ = ["around_zh"]

Reader = Callable[[str, Talk], list[Step]]


def around_zh(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """The steps of a masked sentence with what stands around them; None where nothing does."""
    for rule in (
        _signed_in,
        with_particulars,
        filled_in_zh,
        branched_zh,
        looped_zh,
        ordered_zh,
        _question,
        _placed,
        _headed,
    ):
        steps = rule(text, talk, read)
        if steps is not None:
            return steps
    return None


def _question(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    found = re.fullmatch(
        r"(?:(?:这里|页面上|屏幕上|(?P<of>[^，,]+?)(?:里面|里|中|内|上|下)))?(?:现在|目前|一共|总共|共|还|总计)*(?:有|显示了?|出现了?|列出了?)(?:多少|几)"
        r"(?:个|条|项|张|封|行|件|位|名|份|篇|本|款|种|家)?\s*(?P<what>.+)",
        text,
    )
    if found is None or verb_at_zh(text) or re.search(QUOTE, found["of"] or ""):
        return None
    what = f"{found['of']}里的{found['what']}" if found["of"] else found["what"]
    return [Compute("count", talk.phrase(what), IT), Answer(f"{{{IT}}}")]


_SIGNING = re.compile(
    r"(?P<head>(?P<verb>登录|登陆|注册)(?:(?![页框窗表])[\u3400-\u9fff]){0,10}?(?<![上里中内后]))[，,]\s*(?P<rest>.+)",
    re.DOTALL,
)
_PUSHED = r"(?:点击|单击|点按|点一下|点|按下|按)\s*"
_SIGNED = re.compile(
    rf"(?:用户名|账号|帐号|账户|手机号码?|邮箱|密码|验证码)(?:框|栏|里|中)?(?:填写|输入|填|为|是|写)?\s*(?P<text>{QUOTE}|{NAME}|[\x21-\x7e]+)"
)


def _signed_in(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """登录网上银行，账号填 a，密码填 b，点“登录”: what all of that is for, and no act before it."""
    found = _SIGNING.fullmatch(text)
    if found is None:
        return None
    parts = re.split(r"\s*[，,]\s*", found["rest"])
    fields = [_SIGNED.fullmatch(bare_zh(part)) for part in parts]
    if fields[0] is None:
        return None
    if all(fields):
        told = "，".join(
            re.sub(r"(?:框|栏|里|中)?(?:填写|输入|填|写)", " ", part) for part in parts
        )
        return read(f"{found['head']}：{told}", talk)
    pushed = re.compile(rf"{_PUSHED}(?:{QUOTE}|{found['verb']}(?:按钮)?)")
    for part in parts:
        named = pushed.fullmatch(bare_zh(part))
        if named and found["verb"] in talk.atoms.original(named[0]):
            talk.put_aside(found["head"])
            return read(found["rest"], talk)
    return None


_MAKING = re.compile(r"(?:新增|新建|创建|添加)[\u3400-\u9fff]{1,10}")
_SENDING = re.compile(r"(?:提交|发布|发表|保存)(?=[\u3400-\u9fff])")
_HEADED = re.compile(
    r"(?P<head>(?!验证|检查|确认|断言|确保|核对|等|如果|若|重复|运行|执行|输入|填)[\u3400-\u9fff]{2,12})[：:]\s*(?P<body>.+)",
    re.DOTALL,
)


def _headed(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """上传头像：点“选择文件”: what the steps behind the colon are for."""
    found = _HEADED.fullmatch(text)
    if found is None or not verb_at_zh(found["head"]) or not is_clause(bare_zh(found["body"])):
        return None
    steps = read(found["body"], talk)
    if not is_clear_zh(found["body"], steps, talk):
        return None
    made = _MAKING.fullmatch(found["head"])
    if made and isinstance(steps[0], Enter | Choose | SetValue | PickDate):
        # 新增用户：姓名填“A”: the form is to be opened first.
        return [*read(found["head"], talk), *steps]
    talk.put_aside(found["head"])
    if _SENDING.match(found["head"]) and not isinstance(steps[-1], Submit | Point | Perform):
        # 提交报修单：类型选“A”: what it is filled in for is done at its end.
        return [*steps, Submit(words=talk.atoms.original(found["head"]))]
    return steps


_PLACE = re.compile(
    r"(?:(?P<word>在(?![职线校])|从(?!业)|于|用(?![户途餐品])|使用(?![者人])|通过(?!率))\s*)(?P<place>[^，,]+?)(?:里面|之中|当中|里|中|内|上|下)?\s*[，,]\s*(?P<body>.+)",
    re.DOTALL,
)


def _acts(text: str) -> bool:
    """Whether the words hold a verb, not only a letter of one (对话框 holds 对)."""
    if split_place(f"在{text}") is not None:
        return True
    return any(len(found[0]) > 1 for found in VERBS.finditer(text))


_PART = re.compile(
    r"(?P<word>)(?P<place>(?:[^，,、]*?的)?[^，,、的]{0,10}?"
    r"(?:页面?|界面|弹窗|对话框|提示框|窗口|表单|面板|区域?|卡片|列表|表格|菜单|抽屉|栏|[这那该]一?行|所在行|[这那该]一?列|第\s*\d+\s*行))"
    r"(?:(?:里面|里|中|内|上|下)|(?<=行))\s*[，,]\s*(?P<body>.+)",
    re.DOTALL,
)


_ELSEWHERE = (Wait, Open, GoTo, SwitchTo, Navigate, Run)
# 使用优惠券“A”，…: what is redeemed is used itself, and is no place.
_SPENT = re.compile(r"优惠券|折扣券|代金券|红包|礼品卡|抵扣券|积分")
_BY = ("用", "使用", "通过")
_TOOL = re.compile(rf"[^，,的]{{1,8}}|.*(?:{KIND})")


def _placed(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`在对话框中，点击确定`; 注册页面上，昵称填“小鱼”."""
    found = _PLACE.fullmatch(text)
    if found is None and (found := _PART.fullmatch(text)) and verb_at_zh(text):
        return None
    if found is None or not is_clause(bare_zh(found["body"])):
        return None
    if found["word"] in _BY and _SPENT.match(found["place"]):
        return None
    if _acts(found["place"]) and found["word"]:
        return None
    if stray(found["place"]) or (found["word"] in _BY and not _TOOL.fullmatch(found["place"])):
        return None
    if found["word"] == "从" and re.search(r"到|至", found["place"]):
        return unclear_zh(text, talk)
    place = talk.phrase(found["place"])
    first, *others = read(found["body"], talk)
    if found["word"] in ("用", "使用", "通过"):
        if isinstance(first, Enter | PickDate | PickTime) and first.into is None:
            return [replace(first, into=place), *others]
        if isinstance(first, SetValue) and first.what is None:
            return [replace(first, what=place), *others]
    return [
        first if isinstance(first, Unclear) or first.place else replace(first, place=place),
        *_there(others, place, first),
    ]


_LISTING = re.compile(r"(?:列表|表格|结果|清单|目录|收件箱)$")


def _there(steps: list[Step], place: str, first: Step) -> list[Step]:
    """The further steps where the first one is, as far as they are about things there."""
    done: list[Step] = []
    listing = _LISTING.search(place)
    for at, step in enumerate(steps):
        if listing and at and isinstance(steps[at - 1], Point):
            # What a click in a list leads to is no longer in it.
            break
        if isinstance(step, _ELSEWHERE) or (isinstance(step, Enter) and step.into is None):
            break
        # Keys go where the keyboard is; several in a row all go to the first one's place.
        alone = isinstance(step, Press) and not isinstance((first, *steps)[at], Press)
        keys = alone or isinstance(step, Unclear) or step.place
        done.append(step if keys else replace(step, place=place))
    return [*done, *steps[len(done) :]]
