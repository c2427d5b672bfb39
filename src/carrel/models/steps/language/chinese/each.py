"""The items of a Chinese loop, and how its body speaks of one: 每个城市（北京、上海）, 该商品的."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY, NAME, QUOTE
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, Talk
from carrel.models.steps.program import (
    Check,
    Choose,
    Condition,
    Enter,
    ForEach,
    Has,
    Is,
    Point,
    Read,
    SetValue,
    Shows,
    Step,
    Tick,
    Unclear,
)

__all__ = [
    "UNITS",
    "each_given",
    "each_of_first",
    "in_each",
    "of_item",
    "tail_of",
    "there",
]

Reader = Callable[[str, Talk], list[Step]]

UNITS = "个|道|行|条|项|封|张|列|件|份|名|位|款|本|部|种|篇|首|家|支"
"""Words that count things."""
_THIS = r"(?:该|此|当前|这一?(?:{u})?|那一?(?:{u})?|每一?(?:{u}))(?:{u})?"
_EACH = f"{{{EACH}}}"
_OWN = re.compile(rf"\{{{EACH}\}}(?:里面|里|中|内|上)?的(?=.)")


# 对名单里的每个人：输入姓名: by what the item is called.
_ITS_NAME = re.compile(
    r"(?<=输入|填入|键入|搜索|查询)(?:其|它的?|[他她]的?)?(?:姓名|名字|名称)(?=[，,并后再]|$)"
)


def of_item(body: str, noun: str, talk: Talk) -> str:
    """The masked body with 该商品, 这个商品 and 它 as the item of the loop."""
    item = talk.atoms.mask(_EACH)
    this = _THIS.format(u=UNITS)
    named = rf"{this}{re.escape(noun)}|" if noun else ""
    if its := _ITS_NAME.search(body):
        talk.put_aside(its[0])
    typed = _ITS_NAME.sub(item, body)
    return re.sub(rf"{named}它(?!们)", item, typed)


def in_each(steps: Sequence[Step]) -> list[Step]:
    """What is done to a part of the item is done there: {each}的复选框 is 复选框, in it."""
    return [_part(step) for step in steps]


def there(steps: Sequence[Step]) -> list[Step]:
    """The steps, each in the item where it says no other place; a click may lead elsewhere."""
    done: list[Step] = []
    for step in steps:
        left = any(isinstance(one, Point) and one.how == "click" for one in done)
        apart = step.place or left or isinstance(step, Unclear)
        done.append(step if apart else replace(step, place=_EACH))
    return done


def _part(step: Step) -> Step:
    for name in ("then", "otherwise", "body"):
        if inner := getattr(step, name, None):
            step = replace(step, **{name: tuple(in_each(inner))})  # type: ignore[arg-type]
    if step.place or isinstance(step, Unclear):
        return step
    if isinstance(step, Check):
        return _checked(step)
    if isinstance(step, Tick) and all(map(_OWN.match, step.what)):
        return replace(step, what=tuple(_OWN.sub("", one) for one in step.what), place=_EACH)
    if isinstance(step, Point | Read | SetValue) and step.what and _OWN.match(step.what):
        return replace(step, what=_OWN.sub("", step.what), place=_EACH)
    if isinstance(step, Enter) and step.into and _OWN.match(step.into):
        return replace(step, into=_OWN.sub("", step.into), place=_EACH)
    if isinstance(step, Choose) and step.source and _OWN.match(step.source):
        return replace(step, source=_OWN.sub("", step.source), place=_EACH)
    return step


def _checked(step: Check) -> Step:
    inner: Condition = step.condition
    if isinstance(inner, Has | Is | Shows) and _OWN.match(inner.what):
        return replace(step, condition=replace(inner, what=_OWN.sub("", inner.what)), place=_EACH)
    return step


_TAIL = re.compile(
    r"[，,；;]\s*(?:等|待)?(?:全部|全都|都|所有[\u3400-\u9fff]{0,4}(?:都|均)?)[\u3400-\u9fff]{0,4}?(?:完成|完毕|完|好|结束)了?(?:之后|以后|后)?[，,]?\s*(?:再|就)?(?=\S)|"
    r"[，,；;]\s*(?:循环|遍历)(?:结束|完成?|完毕)(?:之后|以后|后)?[，,]?\s*(?=\S)|"
    # 最后点“提交”, 检查列表里没有“待审”: once, of all of them.
    r"[，,；;]\s*最后(?![一几两的])再?(?=\S)|"
    r"[，,；;]\s*(?:再|然后)?(?=(?:验证|检查|确认|确保|核对)(?:整个|当前)?"
    r"(?:表格?|列表|清单|页面|结果|界面)(?:里面|里|中|内|上)[^，,；;]*$)"
)


def tail_of(body: str, talk: Talk) -> tuple[str, str]:
    """What is done with each, and what comes once all are done: 全部改完以后点击“保存”."""
    found = _TAIL.search(body)
    if found is None:
        return body, ""
    talk.put_aside(found[0])
    return body[: found.start()], body[found.end() :]


_ITEM = rf"(?:{QUOTE}|{NAME}|[^，,、：:（）()\s]{{1,12}}?)"
_LIST = rf"(?P<list>{_ITEM}(?:\s*[、，,和与及]\s*{_ITEM})+)"
_GIVEN = (
    # 对下面每个城市（北京、上海）：…
    re.compile(
        rf"(?:针对|对于?|给|遍历)?(?:下面|以下|下列|这些?)?的?(?:每一?(?:{UNITS})?|各(?:{UNITS})?|几(?:{UNITS}))?(?P<noun>[\u3400-\u9fff]{{1,6}}?)(?:里的每一?(?:{UNITS}))?\s*"
        rf"[（(]\s*{_LIST}\s*[）)]\s*[，,：:]?\s*(?:都|均|分别|依次)?(?P<body>.+)",
        re.DOTALL,
    ),
    # 对北京、上海、广州这三个城市，分别…
    re.compile(
        rf"(?:针对|对于?|给)\s*{_LIST}\s*(?:这?[两二三四五六七八九十\d]+(?:{UNITS})|这些|各(?:{UNITS}))(?P<noun>[\u3400-\u9fff]{{0,6}}?)"
        rf"(?:[中里]?的?每一?(?:{UNITS}))?\s*(?:[，,：:]\s*(?:都|均|分别|依次)?|分别|依次|都)(?P<body>.+)",
        re.DOTALL,
    ),
)


def each_given(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """The loop over texts that the sentence lists itself; None where it lists none."""
    found = next((f for form in _GIVEN if (f := form.fullmatch(text))), None)
    if found is None:
        return None
    item = talk.atoms.mask(_EACH)
    noun = re.escape(found["noun"])
    body, after = tail_of(found["body"], talk)
    said = of_item(body, found["noun"], talk)
    if noun:
        said = re.sub(rf"{noun}(?:的?名称?|的?名字)?(?![\u3400-\u9fff]*[框栏])", item, said)
    if item not in said:
        return None
    steps = read(said, talk)
    talk.put_aside(found[0][: found.start("body")])
    talk.put_aside(found["noun"])
    texts = tuple(talk.text(one) for one in re.split(r"\s*[、，,和与及]\s*", found["list"]) if one)
    return [
        ForEach(EACH, tuple(in_each(steps)), items=texts),
        *(read(after, talk) if after else []),
    ]


_FIRST = re.compile(
    rf"(?:针对|对于?|给|遍历|依次(?:处理|遍历)?|循环(?:处理)?)\s*(?P<of>[^，,：:前]{{0,16}}?)(?:里面|里|中|内)?的?前\s*(?P<n>{NUMBER})\s*(?P<unit>{UNITS})(?P<what>[^，,：:{ANY[1:-1]}]{{0,8}}?)"
    rf"(?:中?的?每一?(?:{UNITS}))?\s*(?:[，,：:]\s*(?:都|均|分别|依次)?|分别|依次|都|逐一)(?P<body>.+)",
    re.DOTALL,
)
_BY_ONE = re.compile(
    rf"^(?:逐一?(?:{UNITS})|逐一|挨个|依次|分别|一(?P<u>{UNITS})一?(?P=u)地?)?(?P<verb>打开|点开|点击|双击|勾选|选中|点进去?)(?=[，,]|$)"
)


def each_of_first(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """遍历搜索结果的前 5 条，逐条打开，…: the first few, and no more."""
    found = _FIRST.fullmatch(text)
    if found is None or not (found["of"] or found["what"]):
        return None
    of, what = found["of"].strip(), found["what"].strip()
    if not what and re.search(r"(?:列表|表格|清单|表)$", of):
        what = found["unit"] if found["unit"] in "行列" else "项目"
    every = f"{of}里的{what}" if of and what else of or what
    body, after = tail_of(found["body"], talk)
    said = _BY_ONE.sub(lambda f: f"{f['verb'].removesuffix('进去')}它", body)
    meant = of_item(said, what or of, talk)
    steps = in_each(read(meant, talk))
    steps = there(steps) if meant == body else steps
    talk.put_aside(found[0][: found.start("body")])
    loop = ForEach(EACH, tuple(steps), every=talk.phrase(every), limit=int(number(found["n"]) or 1))
    return [loop, *(read(after, talk) if after else [])]
