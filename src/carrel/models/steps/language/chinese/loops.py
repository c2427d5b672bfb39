"""Chinese words for doing something several times: 重复三次, 对每一行, 一直…直到."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.chinese.conditions import read_condition_zh
from carrel.models.steps.language.chinese.each import (
    UNITS,
    each_given,
    each_of_first,
    in_each,
    of_item,
    tail_of,
    there,
)
from carrel.models.steps.language.chinese.manners import bare_zh
from carrel.models.steps.language.chinese.point import numbered
from carrel.models.steps.language.chinese.verbs import is_clause
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, NotUnderstood, Talk
from carrel.models.steps.program import (
    Condition,
    ForEach,
    Is,
    Not,
    Point,
    Repeat,
    Shows,
    Step,
    Wait,
)

__all__ = ["looped_zh"]

Reader = Callable[[str, Talk], list[Step]]

_BEGIN = (
    r"点|按(?![钮键])|(?<!打)勾|(?<![必选])填(?!项)|双击|右击|右键|删|复制|单击|执行|进行|重复|输入|选择|验证|检查|确认|"
    r"取消|打开|关闭|把|将|读取|(?<![条个项份的])记录(?![点按勾选填双右单删打把将输都里中的旁前后上下])"
)
_EACH = re.compile(
    rf"(?:(?:针对|对|给|在)?(?:于)?(?P<of>(?!把|将)[^，,：:每]*?)(?:里面|里|中|内|上)?的?每一?(?P<unit>{UNITS})\s*"
    rf"(?P<what>[^，,：:]*?)|"
    rf"(?:针对|对|给)(?:于)?所有的?\s*(?P<all>[^，,：:]+?)|"
    rf"(?:逐个|逐一|挨个|逐[行条项])?(?:遍历|循环(?!模式|播放|次数))(?P<over>[^，,：:\d一二三四五六七八九十]+?))"
    rf"(?:里|中|上|来说|而言)?\s*(?:[，,：:]\s*(?:都|均|执行[：:])?|都|均|(?={_BEGIN}))\s*(?P<body>.+)",
    re.DOTALL,
)
_DOING = re.compile(
    r"打[勾钩]|点击|单击|勾选|删除|收藏|点赞|重复|等待|刷新|验证|检查|确认|输入|选择|打开"
)


_TOLD_AFTER = re.compile(
    rf"^(?:针对|对于?)?每一?(?P<unit>行)(?P<clause>[^，,：:的]{{1,12}}?(?:不是|不为|是|为|等于){QUOTE})的[，,：:]"
)
"""每一行状态是“已过期”的: which rows is said after them."""


def looped_zh(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """The loop of a masked sentence; None when it says none."""
    text = _TOLD_AFTER.sub(r"对\g<clause>的每一\g<unit>，", text)
    for rule in (
        each_given,
        each_of_first,
        _each_text,
        _each,
        _repeat,
        _every_seconds,
        _until,
    ):
        steps = rule(text, talk, read)
        if steps is not None:
            return steps
    return None


_ITEM = rf"(?:{QUOTE}|[A-Za-z\d][\w.@-]*)"
_TEXTS = rf"(?P<list>{_ITEM}(?:\s*[、，,和与及]\s*{_ITEM})+)"
_ONE_BY_ONE = re.compile(
    rf"(?:依次|分别|逐个|逐一|先后|挨个)?(?P<head>[^，,、{QUOTE[1:-1]}]*(?:{QUOTE}[^，,、{QUOTE[1:-1]}]+)?"
    rf"(?:输入|填写|填入|键入|录入|添加|点击|单击|双击|选择|勾选|搜索))\s*{_TEXTS}\s*[，,]?\s*"
    rf"(?:每(?:次|当)?(?:输入|填写?|填入|键入|录入|添加|点击?|单击|双击|选择?|勾选|搜索|写|做)?(?:完成?|好)?一?"
    rf"(?:{UNITS}|次|遍)(?:之?后|以后)?|每次)[，,]?\s*(?:就|都|均|要)?(?:再)?(?P<body>.+)",
    re.DOTALL,
)
_INTO = re.compile(
    rf"(?:依次|分别|逐个|逐一|先后|挨个)?(?P<head>)(?:把|将)\s*(?P<list>{QUOTE}(?:\s*[、，,和与及]?\s*{QUOTE})+)\s*(?:依次|分别|逐个|逐一)?"
    r"(?:输入?[进到]?|填[进入到]|写[进入到]|录入到?|添加到)\s*(?P<into>[^，,]+?)(?:里面|里|中|内)?[，,]\s*"
    rf"每(?:次|当)?(?:输入?|填写?|录入|添加|写|加)?(?:完|好)?一?(?:{UNITS}|次|遍)(?:之?后|以后)?[，,]?\s*(?:就|都|均|要)?(?:再)?(?P<body>.+)",
    re.DOTALL,
)
_OF_TEXTS = re.compile(
    rf"(?:针对|对于?|给)\s*(?P<list>{_ITEM}(?:\s*[、，,和与及]?\s*{_ITEM})+)\s*(?:这?[两二三四五六七八九十\d]*(?:{UNITS})[\u3400-\u9fff]{{0,4}}?)?(?:[中里]|当中)?的?[，,]?\s*"
    rf"(?:每一?(?:{UNITS})|各自|分别|逐个|逐一|依次)(?P<head>)\s*[，,：:]?\s*(?:都|均|分别|依次)?(?P<body>.+)",
    re.DOTALL,
)


def _each_text(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """依次输入“甲”、“乙”，每输入一条就按回车; 对“甲”、“乙”中的每一个，搜索它."""
    found = _OF_TEXTS.fullmatch(text) or _ONE_BY_ONE.fullmatch(text) or _INTO.fullmatch(text)
    if found is None:
        return None
    item = talk.atoms.mask(f"{{{EACH}}}")
    head = found["head"] if "into" not in found.groupdict() else f"在{found['into']}里输入"
    head = re.sub(r"(?:依次|分别|逐个|逐一)(?=[\u3400-\u9fff]{2}$)", "", head)
    steps = read(head + item, talk) if head else []
    body = found["body"].replace("它", item)
    if not head:
        body = re.sub(r"(?<=输入|填写|填入|键入)(?=[，,并再后]|$)", item, body)
    steps += read(body, talk)
    texts = tuple(talk.text(one) for one in re.findall(_ITEM, found["list"]))
    return [ForEach(EACH, tuple(steps), items=texts)]


_SIDE = r"(?:(?:上|下|前|后|左|右)(?:面|边|侧|方)|旁边)"
_BESIDE = re.compile(rf"(?P<what>[^，,]*?)(?P<side>{_SIDE})")


_PLAIN_HOLDER = re.compile(r"|表格?|列表|页面")
_ALONE = re.compile(r"(?:执行|进行)?(?:勾选|取消勾选|点击|单击|双击|右击|删除|展开|收藏)(?:操作)?")
_CHECKED = re.compile(r"(?P<verb>验证|检查|确认|确保|核对)(?P<of>.*)")


def _each(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    if line := re.fullmatch(r"逐(?P<unit>[行条项])(?P<body>(?:点|单|双|勾|删|检|验|确).+)", text):
        return [ForEach(EACH, tuple(there(read(line["body"], talk))), every=line["unit"])]
    found = _EACH.fullmatch(text)
    if found is None or (
        re.match(r"应|必须", found["body"]) and not re.match(rf"的|.*{_SIDE}$", found["what"] or "")
    ):
        return None
    kept = talk.mark()
    body, after = tail_of(found["body"], talk)
    if not after and not _APART.search(text[: found.start("body")]):
        body, after = _checked_once(body)
    loop: Step | None
    if told := _CHECKED.fullmatch(found["of"] or ""):
        loop = _checked_each(found, told, body, talk, read)
    elif (found["what"] or "").startswith("的") and (found["unit"] or "") in tuple("行列项条"):
        loop = _in_lines(found, body, talk, read)
    else:
        loop = _each_thing(found, body, talk, read)
    if loop is None:
        talk.back_to(kept)
        return None
    return [loop, *(read(after, talk) if after else [])]


_APART = re.compile(r"[，,：:]\s*(?:都|均|执行[：:])?\s*$")
_ONCE = re.compile(r"[，,；;]\s*(?:再|然后)?(?=(?:验证|检查|确认|确保|核对)(?!它|其|该|此|这))")


def _checked_once(body: str) -> tuple[str, str]:
    """给每一行都点“受理”，验证总数是 0: one act of each, and what is so once all are done."""
    cut = _ONCE.search(body)
    if cut is None or re.search(r"它|其(?!他|它|余)|该|此|每", body[cut.end() :]):
        return body, ""
    return body[: cut.start()], body[cut.end() :]


def _checked_each(
    found: re.Match[str], told: re.Match[str], body: str, talk: Talk, read: Reader
) -> Step:
    """检查每一行的“操作”列都有“删除”: in each row that is checked."""
    unit, rest = found["unit"] or "", found["what"] or ""
    if beside := _BESIDE.fullmatch(re.sub(r"是否$", "", rest)):
        noun = beside["what"] or unit
        talk.put_aside(beside["side"])
        there = talk.atoms.mask(f"{{{EACH}}}") + beside["side"] + of_item(body, noun, talk)
        steps = in_each(read(told["verb"] + there, talk))
        return ForEach(EACH, tuple(steps), every=talk.phrase(noun))
    every = unit if unit in "行列" else "项目"
    every = f"{told['of']}里的{every}" if told["of"] not in ("", "表格", "列表") else every
    claim = f"{told['verb']}{rest.removeprefix('的')}{body}"
    steps = [replace(s, place=f"{{{EACH}}}") for s in read(claim, talk)]
    return ForEach(EACH, tuple(steps), every=talk.phrase(every))


def _in_lines(found: re.Match[str], body: str, talk: Talk, read: Reader) -> Step:
    """给每一行的“数量”填 1: in each row."""
    unit = found["unit"]
    said = read((found["what"] or "")[1:] + body, talk)
    steps = [replace(s, place=f"{{{EACH}}}") for s in said]
    held = (found["of"] or "").strip()
    named = unit if unit in "行列" else "项目"
    every = unit if _PLAIN_HOLDER.fullmatch(held) else f"{held}里的{named}"
    return ForEach(EACH, tuple(steps), every=talk.phrase(every))


def _each_thing(found: re.Match[str], body: str, talk: Talk, read: Reader) -> Step | None:
    unit, held = found["unit"] or "", (found["of"] or "").strip()
    what = found["all"] or found["what"] or (unit if unit in "行列项条" else "")
    what = what or re.sub(r"(?:里面|里|中|内)?的?(?:所有|全部)的?", "里的", found["over"] or "")
    if re.match(r"从.*(?:开始|起)$", held):
        raise NotUnderstood("where it begins no loop is told; “对第 3 到第 8 行的每一行，…”")
    if not what or _DOING.search(what) or _DOING.search(held):
        return None
    if beside := _BESIDE.fullmatch(what):
        # 每张图片下面都有“删除”: what is there of each.
        claim = talk.atoms.mask(f"{{{EACH}}}") + beside["side"] + body
        every = talk.phrase((f"{held}里的" if held else "") + (beside["what"] or unit))
        return ForEach(EACH, tuple(read(claim, talk)), every=every)
    talk.put_aside(f"{what} {unit}")
    alone = _ALONE.fullmatch(body)
    said = alone[0].removesuffix("操作") + "它" if alone else body
    meant = of_item(said, what, talk)
    steps = in_each(read(meant, talk))
    # Where nothing says 它 it is done in each of them.
    done = tuple(there(steps) if meant == body else steps)
    lines = numbered(held).split("、") if unit and what == unit else []
    if len(lines) > 1:
        # 第 2 到第 6 行的每一行: those, by their numbers.
        talk.put_aside(held)
        return ForEach(EACH, done, items=tuple(lines))
    of = re.sub(r"^(?:这个|该)", "", held)
    told = re.search(rf"(?:[为是含有]|等于|[大小高低多少]于|超过)\s*(?:{QUOTE}|\d+\S?)$", of)
    held_in = f"{of}的{what}" if told else f"{of}里的{what}"
    what = what if not of or of in ("表格", "列表", "表", "页面") else held_in
    return ForEach(EACH, done, every=talk.phrase(what))


_THESE = r"(?:以下|下列|下面|上述|如下)的?(?:操作|步骤|动作|流程)?"
_TIMES = rf"(?P<n>{NUMBER})\s*[次遍回]"
_REPEATS = (
    re.compile(
        rf"(?:请)?(?:重复|循环|连续|反复)(?:执行|进行|操作)?\s*(?:{_THESE})?\s*{_TIMES}\s*(?:{_THESE})?\s*[，,：:]?\s*(?P<body>.+)",
        re.DOTALL,
    ),
    re.compile(
        rf"(?:把|将)?{_THESE}\s*(?:重复|循环|执行)(?:执行)?\s*{_TIMES}\s*[，,：:]\s*(?P<body>.+)",
        re.DOTALL,
    ),
    re.compile(rf"执行\s*{_TIMES}(?:{_THESE})?\s*[，,：:]\s*(?P<body>.+)", re.DOTALL),
    re.compile(
        rf"(?P<body>.+?)[，,]?\s*(?:一共|总共|共|这样|如此)?(?:重复|循环)(?:执行|操作)?\s*{_TIMES}",
        re.DOTALL,
    ),
)


# 连续三次点“+”，数量应为 4: where no colon says how far it goes, what is so is looked at once.
_RUNS_ON = re.compile(rf"(?:请)?(?:连续|反复)\s*{NUMBER}\s*[次遍回]\s*[点按单双]")
_CLAIMED = re.compile(
    r"[，,]\s*(?:然后|再|最后)?(?=(?:验证|检查|确认|核对|看看)|[^，,]{1,16}?(?:应该?|应当|必须|要)(?:变|为|是|显|有|出|弹|不))"
)


def _repeat(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    found = next((f for form in _REPEATS if (f := form.fullmatch(text))), None)
    if found is None or not is_clause(bare_zh(found["body"])):
        return None
    count = int(number(found["n"]) or 1)
    body, claims = found["body"], list[str]()
    if _RUNS_ON.match(text):
        body, *claims = _CLAIMED.split(body, maxsplit=1)
    again = Repeat(tuple(read(body, talk)), times=max(count, 1))
    return [again, *(step for claim in claims for step in read(claim, talk))]


_EVERY_SECONDS = re.compile(
    rf"每隔?\s*(?P<n>{NUMBER})\s*(?P<unit>秒|分)钟?[，,]?\s*(?:就)?(?P<body>.+?)(?:一次|一下)?[，,]\s*直到\s*(?P<cond>.+?)(?:为止)?",
    re.DOTALL,
)


_SECONDS_UNTIL = re.compile(
    rf"直到\s*(?P<cond>[^，,]+?)(?:为止)?[，,]\s*(?:都)?每隔?\s*(?P<n>{NUMBER})\s*(?P<unit>秒|分)钟?[，,]?\s*(?:就)?(?P<body>.+?)(?:一次|一下)?",
    re.DOTALL,
)


def _every_seconds(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """每隔 2 秒刷新一次，直到状态变成“成功”."""
    found = _EVERY_SECONDS.fullmatch(text)
    found = found or _SECONDS_UNTIL.fullmatch(text)
    condition = read_condition_zh(found["cond"], talk.atoms) if found else None
    if found is None or condition is None:
        return None
    pause = (number(found["n"]) or 1) * (60 if found["unit"] == "分" else 1)
    return [Repeat((*read(found["body"], talk), Wait(pause)), until=condition)]


_AGAIN = r"(?:重复|一直|不断|反复|持续|循环|不停地?|连续|一路)"


_IN_BETWEEN = re.compile(
    rf"(?P<before>.+?)[，,]\s*(?P<loop>{_AGAIN}[^，,]+?[，,]?\s*直到[^，,]+)(?:[，,]\s*(?P<after>.+))?",
    re.DOTALL,
)


_UNTIL = re.compile(
    rf"{_AGAIN}?(?P<body>(?:(?!直到).)+?)[，,]?\s*直到\s*(?P<cond>[^，,]+?)(?:为止)?(?:[，,]\s*(?P<after>(?:然后|再|最后|接着|之后).+))?",
    re.DOTALL,
)
# 重复以下操作，直到…：…
_UNTIL_FIRST = re.compile(
    rf"(?:重复|循环|反复)(?:执行|进行)?(?:{_THESE}|操作|步骤)?\s*[，,]?\s*直到\s*(?P<cond>[^，,：:]+?)(?:为止)?\s*[：:]\s*(?P<body>.+)",
    re.DOTALL,
)


def _until(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`一直点击下一页，直到看到 X`."""
    if (among := _IN_BETWEEN.fullmatch(text)) and is_clause(bare_zh(among["before"])):
        after = read(among["after"], talk) if among["after"] else []
        return [*read(among["before"], talk), *read(among["loop"], talk), *after]
    found = _UNTIL_FIRST.fullmatch(text) or _UNTIL.fullmatch(text)
    if found is None or re.match(
        r"(?:最多)?等待?|.*滚|.*翻|.*[往向][上下左右][拉滑]", found["body"]
    ):
        return None
    then: str = found.groupdict().get("after") or ""
    condition = read_condition_zh(found["cond"], talk.atoms)
    if condition is None or not is_clause(bare_zh(found["body"])):
        return None
    if then and not is_clause(bare_zh(then)):
        return None
    body = tuple(read(found["body"], talk))
    loop = Repeat(body, until=_of_body(condition, body))
    return [loop, *(read(then, talk) if then else [])]


_KIND_ONLY = re.compile(r"(?:该|这个|此)?(?:按钮|链接|图标|选项|标签|它)")


def _of_body(condition: Condition, body: tuple[Step, ...]) -> Condition:
    """点击“更多”，直到按钮消失: the button that is clicked."""
    if isinstance(condition, Not):
        return Not(_of_body(condition.condition, body))
    clicked = [step for step in body if isinstance(step, Point)]
    if isinstance(condition, Shows) and _KIND_ONLY.fullmatch(condition.what) and clicked:
        return Shows(clicked[-1].what)
    if isinstance(condition, Is) and condition.what == "按钮" and clicked:
        return replace(condition, what=f"{clicked[-1].what}按钮")
    return condition
