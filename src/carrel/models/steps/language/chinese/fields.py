"""Chinese clauses that name the field first: 姓名填张三, 部门选研发部, 爱好勾选阅读和跑步."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from carrel.models.steps.language.atoms import ANY, DATED, NAME, OTHER, QUOTE, TIMED
from carrel.models.steps.language.chinese.days import day_meant
from carrel.models.steps.language.chinese.heads import (
    CHOOSING,
    ENTERING,
    OWN_WORDS,
    TICKING,
    verb_at_zh,
)
from carrel.models.steps.language.chinese.point import IN, thing
from carrel.models.steps.language.chinese.text import choose_of, ticked, typed
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.language.values import value_steps
from carrel.models.steps.program import Check, Choose, Is, PickDate, SetValue, Step

__all__ = ["field_first", "is_field_first"]

_LABEL = (
    rf"(?:{ANY}|[\u3400-\u9fff\w()（）/.&'’-]|(?<=\w) (?=\w)|(?<={QUOTE}) (?=\w)|"
    rf"(?<=\w) (?={QUOTE}))"
)
_FIRST = re.compile(
    rf"(?P<into>{_LABEL}{{2,24}}?|{QUOTE}|[姓名省市区县年月日])\s*{IN}(?:处|里头)?\s*[：:]?\s*"
    rf"(?:就|都|请|要|则|也?同样|也|仍然?|那就|统一|同时|一起|下拉|手动|先|再|分别|依次|需要?|应该?|重新|改)?(?:"
    rf"(?:(?P<enter>{ENTERING}|[用改](?={QUOTE}|{NAME}))|(?P<choose>{CHOOSING})|(?P<tick>{TICKING}))"
    rf"(?:的?是|为)?\s*[：:]?\s*(?P<rest>\S.*)|"
    rf"(?P<empty>留空|不填|不用填|空着|保持空白|保持为空|什么都不填))",
    re.DOTALL,
)
_PLAIN = re.compile(
    r"(?:请|先|再|然后|并|不要|别|重新|手动|直接|一直|依次|点|按|的|全部|都|只|单|复|多|右键|鼠标)"
)
_SET = re.compile(
    rf"(?:[^，,、{ANY[1:-1]}\s]{{1,12}}|{QUOTE})\s*(?:设置?[为成到]|改[为成到]|调[到为成高低]|变[为成]|(?<![替更切转])换[为成]|切换?[为成到])"
)


_LABELLED = re.compile(
    rf"(?:查找|替换|提交|确认|验证|转账|返回|访问|刷新|执行|等待|启动|运行|{OWN_WORDS})"
    r"(?:内容|文本|关键[字词]|金额|原因|理由|备注|说明|姓名|昵称|名称|标题|[文密]?[件码]名?|账号|用户名|密码|邮箱|地址|日期|时间|人|数量|条件|意见|评语|方式)"
    r"(?:框|栏)?|[抄密]送|评论|评价|留言|回复"
)
"""Names of fields that begin like an instruction."""


_NOUN_FIRST = re.compile(
    rf"(?:排序|{OWN_WORDS})(?:[\u3400-\u9fff]{{0,3}}[号码名址箱额量价期题容证度值数式型项称签别类组人员因由]|"
    r"(?:[\u3400-\u9fff]{0,6}(?:仓库|门店|部门|科室|医生|公司|银行|机构|网点|地区|城市|平台|模板|渠道|对象|账户|角色|语言|班次|车次|站点|"
    r"下拉框|下拉菜单|下拉列表|输入框|文本框|单选框|复选框|选择框|选择器)))"
)

_OWN_NOUN = re.compile(rf"(?:{OWN_WORDS})[\u3400-\u9fff]{{2,4}}")
_ATTRIBUTE = re.compile(
    r"(?!把|将|在|从|往|向|点|按|打开|进入|输入|键入|填|选|写|勾|去|到|让|令|验证|检查|确保|核对|断言)[\u3400-\u9fff]{1,8}"
    r"(?:类型|类别|方式|时间|日期|期限|年限|周期|时长|地点|位置|原因|事由|理由|人数|数量|份数|次数|金额|额度|比例|"
    r"状态|级别|等级|账户|账号|密码|姓名|名称|标题|编号|号码|范围|格式|频率|渠道|途径|性质|目的|用途|对象|部门|"
    r"人员|说明|备注|内容|意见|要求|条件|规格)"
)
"""What is told of something: 用工类型, 设置密码 name a field though a verb begins them."""


def _match(text: str) -> re.Match[str] | None:
    found = _FIRST.match(text)
    if (
        found is None
        or _PLAIN.fullmatch(found["into"])
        or re.match(r"如果|若|当|每一?[个行条项封张列]|确保", text)
    ):
        return None
    if re.fullmatch(r"(?:了)?(?:什么|啥|多少|几|谁)[\u3400-\u9fff]{0,2}", found["rest"] or ""):
        # 提示写的是什么: that asks what it says.
        return None
    head = found["into"]
    if re.search(r"[只仅]$|随[便意手]$", head) or re.match(
        r"根据|按照|依据|参照|[往向](?!来|导)", head
    ):
        return None
    if re.search(
        r"(?:并|再|和|且|然后|之后|接着)$|应该|应当|必须|应$|没有|已经?$|被$|是$|到$|后$|[往向朝]$|别忘了?$|[漏没不未]$|(?<![性类级组派国班科])(?<!^[席舱党色种款])别$",
        head,
    ):
        return None
    if verb_at_zh(head) is not None and not re.fullmatch(QUOTE, head[0]):
        # What is chosen or typed in quotes right behind two nouns is chosen in what they name.
        quoted = re.match(QUOTE, found["rest"] or "")
        forms = (_LABELLED, _NOUN_FIRST, _ATTRIBUTE, *([_OWN_NOUN] if quoted else []))
        names = re.split(r"[、和与及]", head) if found["enter"] else [head]
        return found if all(any(f.fullmatch(n) for f in forms) for n in names) else None
    return found


_PAIR = re.compile(
    rf"(?P<noun>(?:(?![从在把将用给选填写点按里中的删改换拖添])[\u3400-\u9fff]){{2,8}}?(?<![到至成加减]))\s*(?:(?:为|是|：|:)\s*(?P<said>[\u3400-\u9fff]{{1,8}})|"
    rf"(?:为|是|：|:)?\s*(?P<text>{ANY}|[\x21-\x7e]+(?:\s?[元件份张天人岁个位间])?))"
)
_BARE_PAIR = re.compile(
    rf"(?P<noun>(?:(?![从在把将用给选填写点按里中的删改换拖添第])[\u3400-\u9fff]){{2,8}}?)(?:\s*(?P<text>{QUOTE}|{NAME}|{OTHER})|"
    r"\s+(?P<spaced>[\x21-\x7e]+|[\u3400-\u9fff]{2,8}))"
)
_TELLING = re.compile(r"验证|检查|确认|断言|确保|核对|应|看")


_WHEN = re.compile(rf"{DATED}|{TIMED}")


def _filling(part: str) -> re.Match[str] | None:
    """The field and what it gets, where that is typed or chosen."""
    found = _match(part)
    return found if found and (found["enter"] or found["choose"]) else None


def _valued(value: str, noun: str, talk: Talk) -> list[Step]:
    # 开始日期设为…: the verb is no part of the name.
    noun = re.sub(r"(?<=日期|时间)[设改定选填调]$|(?<=[\u3400-\u9fff]{2})要$", "", noun)
    field = thing(noun, talk)
    if re.fullmatch(rf"{DATED}|{TIMED}", value):
        return value_steps(value, field, talk)
    if day := day_meant(value, noun, talk):
        return [PickDate(day, day, field)]
    return [SetValue(field, talk.text(value))]


_FINISHES = re.compile(
    r"(?:然后|再|最后|并)?(?:点击?|单击|按|提交|保存|确定|发送|下一步)[^，,]{0,10}"
)


def _listed_fields(
    parts: list[str], talk: Talk, read: Callable[[str, Talk], list[Step]]
) -> list[Step] | None:
    """姓名“a”，邮箱 b@c.cn，然后提交: texts behind the names of fields, and what comes next."""
    pairs = list(takewhile(bool, map(_pair, parts)))
    rest = parts[len(pairs) :]
    if len(pairs) < 2 or not rest or not (_FINISHES.fullmatch(rest[0]) or _filling(rest[0])):
        return None
    fields = [s for p in pairs if p for s in _valued(p["text"] or p["spaced"], p["noun"], talk)]
    return [*fields, *read("，".join(rest), talk)]


def _pair(part: str) -> re.Match[str] | None:
    """A field and its text, with nothing between them, or a space."""
    found = _BARE_PAIR.fullmatch(part)
    verb = verb_at_zh(part) and not part.startswith("留言")
    return None if found is None or verb or _TELLING.search(part) else found


def filled_in_zh(
    text: str, talk: Talk, read: Callable[[str, Talk], list[Step]]
) -> list[Step] | None:
    """类型为年假，开始时间 2025-05-06，事由填“探亲”: fields, and what each gets.

    That they are filled in, and not what is so, is told by the one that says 填 or 选.
    """
    parts = re.split(r"\s*[，,；;]\s*", text)
    if (listed := _listed_fields(parts, talk, read)) is not None:
        return listed
    told = [_filling(part) for part in parts]
    pairs = [None if verb_at_zh(part) else _PAIR.fullmatch(part) for part in parts]
    if (
        _TELLING.search(text)
        or not (
            any(told)
            or (len(parts) > 1 and all(p and _WHEN.fullmatch(p["text"] or "") for p in pairs))
        )
        or not all(a or b for a, b in zip(told, pairs, strict=True))
    ):
        return None
    if all(told):
        return None
    steps: list[Step] = []
    for part, first, pair in zip(parts, told, pairs, strict=True):
        if first is not None or pair is None:
            steps += read(part, talk)
            continue
        value = pair["text"] or pair["said"]
        steps += _valued(value, pair["noun"], talk)
    return steps


def is_field_first(text: str) -> bool:
    """Whether the clause names a field, and then what it gets."""
    if _match(text) is not None:
        return True
    return _SET.match(text) is not None and verb_at_zh(text) is None


_PART_OF = re.compile(
    r"(?P<place>[^，,]{2,16}?(?:页面?|窗口|弹窗|弹框|对话框|表单|面板|条件|区域?|卡片|设置|明细)(?=[里中内上])|"
    r"[\u3400-\u9fff]{2,8}?(?=那[儿里边]))(?:里面|里|中|内|上|那[儿里边])的?(?P<field>[\u3400-\u9fff]{2,8})"
)


def _in_turn(fields: list[str], found: re.Match[str], talk: Talk) -> list[Step]:
    """地区依次选“A”、“B”: one choice leads to the next; 姓名、电话分别填“a”、“b”: each its own.

    Raises:
        NotUnderstood: They are not as many texts as fields.
    """
    items = re.findall(QUOTE, found["rest"])
    quoted = re.fullmatch(rf"{QUOTE}(?:\s*[、，,和与及]?\s*{QUOTE})+", found["rest"].strip())
    if quoted and found["choose"] and len(fields) == 1:
        options = tuple(thing(item, talk) for item in items)
        return [Choose(options, thing(fields[0], talk), path=True)]
    if not quoted or len(items) != len(fields):
        raise NotUnderstood("which goes where? one field after another says it")
    one = choose_of if found["choose"] else (lambda into, text, t: typed(text, into, t))
    return [s for into, text in zip(fields, items, strict=True) for s in one(into, text, talk)]


def field_first(text: str, talk: Talk) -> list[Step] | None:
    """The steps of such a clause; None for any other."""
    found = _match(text)
    if found is None or found.end() != len(text):
        return None
    into = re.sub(r"(?<=..)[那这][里儿边]?$", "", found["into"])
    into = re.sub(rf"(?<={QUOTE})(?:里面|里|中|内|上|处)$", "", into)
    if (part := _PART_OF.fullmatch(into)) and not re.search(QUOTE, part["field"]):
        where = thing(part["place"], talk)
        talk.put_aside(into[part.end("place") : part.start("field")])
        inner = field_first(text[found.start("into") + part.start("field") :], talk) or []
        return [step if step.place else replace(step, place=where) for step in inner] or None
    verb = next((at for at in ("enter", "choose") if found[at]), "")
    manner = text[found.end("into") : found.start(verb)] if verb else ""
    if "同样" in manner:
        talk.put_aside("同样")
    several = re.split(r"\s*[、和与及]\s*", into)
    if re.search(r"分别|依次", manner) and re.search(r"[、和与及]", found["rest"] or ""):
        return _in_turn(several, found, talk)
    if re.search(r"都|统一", manner) and len(several) > 1 and found["enter"]:
        return [step for one in several for step in typed(found["rest"], one, talk)]
    if found["empty"]:
        return [Check(Is(thing(into, talk), "empty"))]
    if found["enter"]:
        return typed(found["rest"], into, talk, append=found["enter"] == "追加")
    if found["choose"]:
        return choose_of(into, found["rest"], talk)
    place = thing(into, talk)
    return [replace(step, place=place) for step in ticked(found["rest"], talk, on=True)]
