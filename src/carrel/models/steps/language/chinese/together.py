"""Chinese instructions one after another: what a later one tells of an earlier one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.accounting import holds_unclear, left_over
from carrel.models.steps.language.atoms import ANY, NAME, QUOTE
from carrel.models.steps.language.chinese.again import clicked_again, once_more
from carrel.models.steps.language.chinese.conditions import read_condition_zh
from carrel.models.steps.language.chinese.manners import bare_zh
from carrel.models.steps.language.chinese.nouns import strays
from carrel.models.steps.language.chinese.outputs import if_output, of_output
from carrel.models.steps.language.chinese.particulars import told_more
from carrel.models.steps.language.chinese.references import row_in
from carrel.models.steps.language.chinese.verbs import renamed_by_key
from carrel.models.steps.language.spoken import spoken_of
from carrel.models.steps.language.talk import IT, Talk
from carrel.models.steps.program import (
    Answer,
    Check,
    Choose,
    Clear,
    Compute,
    Drag,
    Enter,
    Expand,
    Find,
    ForEach,
    Has,
    Highlight,
    Is,
    Not,
    Perform,
    Point,
    Press,
    Read,
    Repeat,
    Run,
    Scroll,
    SetValue,
    Step,
    Submit,
    Tick,
    Unclear,
    Wait,
)

__all__ = ["ALONE", "in_order", "is_clear_zh", "take"]

Reader = Callable[[str, Talk], list[Step]]


def is_clear_zh(part: str, steps: list[Step], talk: Talk) -> bool:
    """Whether every masked word counts in the steps, and every thing is called like one."""
    return not holds_unclear(steps) and not strays(steps) and not left_over(part, steps, talk)


_HIS = re.compile(
    r"(?:她|他|它|其|该)(?:们)?(?:所在|对应)?的?(?:那|这)?一?(?P<unit>[行列])(?:里|中|上)?的?(?!$)"
)


_KEPT = re.compile(
    rf"(?:(?:后面|以后|之后|下文)(?:就)?)?(?:把|将|叫|称)?(?:它|其|结果|该值|这个值)?\s*(?:取名|起名|叫|称|保存|储存|存储|存|记录?|命名|赋值?)(?:为|到|成|作|在|给|入|做)?\s*(?:变量|名为)?\s*"
    rf"(?P<name>{NAME}|{QUOTE}|[A-Za-z_]\w*)(?:变量)?(?:中|里)?|"
    rf"(?:后面|以后|之后|下文)(?:就|再|都)?(?:用|以|叫|称)(?:它|其)?(?:为|作)?\s*(?P<alias>{NAME}|{QUOTE}|[A-Za-z_]\w*)\s*(?:来)?(?:表示|代表|指代|代替|引用)?"
)


_KEPT_IT = re.compile(r"(?:把它|将其|并)?(?:记录?下来|记住|记下|保存下来|存下来)(?:它)?")


def _kept(steps: list[Step], part: str, talk: Talk) -> bool:
    """读取合计并保存为 TOTAL: what was read, under that name."""
    last, found = steps[-1], _KEPT.fullmatch(bare_zh(part))
    if isinstance(last, Read | Compute) and _KEPT_IT.fullmatch(bare_zh(part)):
        talk.put_aside(part)
        return True
    if found is None:
        return False
    if isinstance(last, Perform) and last.verb == "view" and last.what and not last.details:
        # What is looked at so as to be remembered is read.
        last = Read(last.what, IT, words=last.words, place=last.place)
    if isinstance(last, Find):
        last = Read(last.what, IT, words=last.words, place=last.place)
    if not isinstance(last, Read | Compute) or last.name != IT:
        return False
    steps[-1] = replace(last, name=talk.atoms.text(found["name"] or found["alias"]).strip("{}"))
    return True


_SO_THAT = re.compile(
    r"(?:好?让|使得?(?!用)|令(?!牌)|以便|从而|以使|便于|好使)(?!.*(?:最大化|最小化|留空|=))(?P<so>[^，,]{2,})"
)
_ACTING = (Point, Press, Choose, Submit, Clear, Enter, Tick, SetValue, Drag, Scroll, Expand)
_TELLING = re.compile(rf"{ANY}|\d")


def _purpose(steps: list[Step], part: str, talk: Talk) -> bool:
    """点击“Name”，让表格按姓名排列: what the click is for is no further step.

    Where it tells what can be seen then, 使数量变为 4, that is checked.
    """
    found = _SO_THAT.fullmatch(part.strip())
    if found is None or not isinstance(steps[-1], _ACTING):
        return False
    if not _TELLING.search(found["so"]):
        talk.put_aside(part)
        return True
    condition = read_condition_zh(found["so"], talk.atoms)
    if condition is None:
        return False
    steps.append(Check(condition, words=talk.atoms.original(part)))
    return True


_ORDERED = re.compile(r"(?:按|使|让|呈)?(?:升序|降序|倒序|正序)(?:排列|排序|显示)?")
_EFFECT = re.compile(r"(?:展开|弹出|跳转|加载|打开|进入)(?:完成|完毕|出来)?(?:之后|以后|后)?")
"""What a click does, said with nothing it is done to."""
ALONE = re.compile(
    r"(?:点击|单击|双击|右击|右键点击|点开|点|取消勾选|取消选中|勾选|勾上|选中|选择|选上|打开|展开|收起|删除|复制)"
)
_INTO = re.compile(r"(?:点|点击|双击)?进去")
_OPENING = re.compile(
    r"(?P<verb>双击|点击|单击|点)(?P<aim>(?:打开|进入|查看|展开)[\u3400-\u9fff]{0,8})"
)
_ALONE = re.compile(rf"(?P<act>{ALONE.pattern})(?:一[下次])?")
_SHOWN = (Find, Scroll, Wait)
_OVER = re.compile(rf"(?:把它|将其)?(?:替换|改写?|换)[为成]\s*(?P<text>{QUOTE}|{NAME})")


def _is_selected(last: Step) -> bool:
    """Whether the words that were pointed at are selected now: a text goes in their place."""
    return isinstance(last, Highlight) or (isinstance(last, Point) and last.how == "double")


_GO_ON = re.compile(r"继续(?:操作|执行|测试|后续操作|下一步操作)?|进行下一步(?:操作)?")
_ARRIVED = re.compile(
    r"(?:返回|回到|进入|打开|跳转到?|跳到|前往|切换[到至]|来到|查看)(?P<where>[\u3400-\u9fff]{2,8})"
)


def _is_arrival(last: Step, part: str) -> bool:
    """点击“首页”，返回首页: where the click leads is no further step."""
    found = _ARRIVED.fullmatch(part)
    if found is None or not isinstance(last, Point):
        return False
    where = re.sub(r"(?:页面|界面|页)$", "", found["where"]) or found["where"]
    return where in last.what and not re.search(rf"(?:[加放移][入到进出]){where}", last.what)


def in_order(parts: list[str], talk: Talk, read: Reader) -> list[Step]:
    """The steps of several instructions; 她那一行 is the row of what was named before."""
    steps: list[Step] = []
    for part in parts:
        take(steps, part, talk, read)
    return steps


def take(steps: list[Step], part: str, talk: Talk, read: Reader) -> None:
    """Add what a further part of a sentence asks for, or tells of what was asked before."""
    if steps and (_tells_more(steps, part, talk) or _is_aim(steps, part, talk)):
        return
    if steps and _same_as(steps, part, talk, read):
        return
    part = if_output(steps, _of_found(steps[-1], part, talk), talk) if steps else part
    if steps and isinstance(steps[-1], Read) and (case := _OF_READ.match(part)):
        # 读取温度，如果高于 30，…: what was read.
        part = case[0] + talk.atoms.mask(steps[-1].what) + part[case.end() :]
    if steps and _is_none(steps[-1]):
        part = re.sub(r"^\s*(?:再|然后|并)?[只仅](?=勾|选)", "", part)
    if steps and (all_ := _all_found(steps[-1], part, talk)):
        steps.pop()
        part = all_
    his, thing = _HIS.search(part), spoken_of(steps)
    if his is None or thing is None:
        if steps and (loop := _each_time(steps, part, talk, read)):
            steps[-1] = loop
            return
        last = steps[-1] if steps else None
        steps += [_its(_of_result(step, steps, part), last) for step in read(part, talk)]
        if len(steps) > 1 and isinstance(steps[-1], Answer) and isinstance(steps[-2], Answer):
            del steps[-1]
        return
    place = row_in(thing) or f"{thing}那一{his['unit']}"
    body = part[: his.start()] + part[his.end() :]
    steps += [
        s if s.place or isinstance(s, Unclear) else replace(s, place=place)
        for s in read(body, talk)
    ]


_EACH_TIME = re.compile(
    r"(?P<check>确认|验证|检查)(?:它们|每个|每次|每一个)?(?P<of>[^，,都]{0,8}?)都(?P<claim>.+)"
)
_AFTER_EACH = re.compile(
    r"每(?:一?次)?(?:点击?|按|单击|双击|做|操作|刷新|执行|[\u3400-\u9fff]{0,4})?(?:完|好|过|一?[次下遍])?(?:之后|以后|后)?[，,]?\s*(?:都|就|均|再)(?:要)?(?P<body>.+)",
    re.DOTALL,
)


def _each_time(steps: list[Step], part: str, talk: Talk, read: Reader) -> Step | None:
    """把每个菜单点开，确认都没有“404”: that is checked each time; 点“A” 3 次，每次都关掉弹窗."""
    last, found = steps[-1], _EACH_TIME.fullmatch(bare_zh(part))
    if found is not None and isinstance(last, ForEach):
        checks = read(found["check"] + found["of"] + found["claim"], talk)
        return None if holds_unclear(checks) else replace(last, body=(*last.body, *checks))
    bare = re.sub(
        r"^每[次回](?:之间|中间)?(?:间隔|相隔|隔|停顿?)(?=\s*\d|[一二两三])",
        "每次都等",
        bare_zh(part),
    )
    after = _AFTER_EACH.fullmatch(bare)
    if after is None or not isinstance(last, Point | Press | Repeat | ForEach):
        return None
    more = tuple(read(after["body"], talk))
    if isinstance(last, Point | Press):
        if last.times < 2:
            return None
        return Repeat((replace(last, times=1), *more), times=last.times)
    return replace(last, body=(*last.body, *more))


_OF_IT = re.compile(r"[\u3400-\u9fff]{2,6}")


def _its(step: Step, last: Step | None) -> Step:
    """找到 A，状态应为“B”: that of A."""
    inner = step.condition if isinstance(step, Check) else None
    if not isinstance(step, Check) or not isinstance(last, Find) or not isinstance(inner, Has | Is):
        return step
    if not _OF_IT.fullmatch(inner.what) or re.search(r"页面|标题|屏幕|窗口", inner.what):
        return step
    return replace(step, condition=replace(inner, what=f"{last.what}的{inner.what}"))


def _of_result(step: Step, before: list[Step], part: str) -> Step:
    """点“运行”，结果记为 N: what the page shows as that, where nothing else has one."""
    worked_out = before and isinstance(before[-1], Read | Compute | Run | Find)
    named = re.search(r"结果|输出|返回值", part)
    if not isinstance(step, Read) or step.what != "它" or worked_out or named is None:
        return step
    return replace(step, what=named[0])


def _same_as(steps: list[Step], part: str, talk: Talk, read: Reader) -> bool:
    """读取合计，叫“A”，它应与总额相同: what was read, under its name."""
    last = steps[-1]
    if not isinstance(last, Read | Compute) or not re.match(
        r"它|其|该值|这个[值数]", bare_zh(part)
    ):
        return False
    steps += [_named(step, last.name) for step in read(part, talk)]
    return True


def _named(step: Step, name: str) -> Step:
    """The check with what was read under that name, where it speaks of it."""
    inner = step.condition if isinstance(step, Check) else None
    held = inner.condition if isinstance(inner, Not) else inner
    if not isinstance(step, Check) or not isinstance(held, Has) or held.text != f"{{{IT}}}":
        return step
    told = replace(held, text=f"{{{name}}}")
    return replace(step, condition=Not(told) if isinstance(inner, Not) else told)


_RENAMED = re.compile(r"改名|命名|[改换][为成]")
_ENTERED = re.compile(r"(?:按|敲)?(?:一下)?回车键?(?:确认|保存|完成)?")
_ONCE_MORE = re.compile(r"(?:再)?按一[次下](?P<aim>(?:来|以)?[\u3400-\u9fff]{2,4})?")


_BACK = {
    True: re.compile(r"(?:关上|关掉|关闭|关了|停用|禁用|取消勾选)(?:它)?"),
    False: re.compile(r"(?:打开|开启|启用|勾上)(?:它)?"),
}
_FOLDED = {True: re.compile(r"(?:收起|折叠)(?:来|它)?"), False: re.compile(r"展开(?:它)?")}


def _turned_back(steps: list[Step], bare: str) -> Step | None:
    """开启蓝牙，等 3 秒，再关闭: what was turned on, whatever was waited for."""
    last = next((step for step in reversed(steps) if not isinstance(step, Wait | Check)), None)
    if isinstance(last, Tick) and _BACK[last.on].fullmatch(bare):
        return replace(last, on=not last.on)
    if isinstance(last, Expand) and _FOLDED[last.on].fullmatch(bare):
        return replace(last, on=not last.on)
    return None


_UNDONE = re.compile(
    rf"(?:取消|去掉|(?P<ba>把|将))\s*(?P<those>{QUOTE}(?:\s*[、和与及]?\s*{QUOTE})*)"
    r"(?(ba)(?:的勾选?)?都?(?:去掉|取消掉?|去除|勾掉))"
)


def _tells_more(steps: list[Step], part: str, talk: Talk) -> bool:
    """Whether the part only tells more of the last step, which then says so."""
    last, bare = steps[-1], bare_zh(part)
    if turned := _turned_back(steps, bare):
        steps.append(replace(turned, words=talk.atoms.original(part)))
    elif isinstance(last, Tick) and last.on and (undone := _UNDONE.fullmatch(bare)):
        those = tuple(talk.phrase(one) for one in re.findall(QUOTE, undone["those"]))
        steps.append(Tick(those, on=False, place=last.place, words=talk.atoms.original(part)))
    elif last == Press(("enter",), words=last.words) and _RENAMED.search(last.words):
        # 改名为“b”，回车: that the name is taken is a part of it.
        return _ENTERED.fullmatch(bare) is not None
    elif isinstance(last, Press) and (once := _ONCE_MORE.fullmatch(bare)):
        talk.put_aside(once["aim"] or "")
        steps.append(replace(last, words=talk.atoms.original(part)))
    elif clicked := clicked_again(last, bare, talk):
        steps.append(clicked)
    elif again := once_more(last, part, talk):
        steps.append(again)
    elif told := of_output(steps, part, talk):
        steps[-1:] = told
    elif check := _updated(steps, part, talk):
        steps.append(check)
    elif renamed := renamed_by_key(last, bare, talk):
        steps += renamed
    elif _is_selected(last) and (over := _OVER.fullmatch(bare)):
        steps.append(Enter(talk.text(over["text"]), words=talk.atoms.original(part)))
    elif isinstance(last, Perform) and (more := told_more(last, part, talk)):
        steps[-1] = more
    else:
        return _kept(steps, part, talk)
    return True


_UPDATED = re.compile(
    r"(?:验证|检查|确认|确保|核对)(?P<what>[^，,]*?(?P<noun>[\u3400-\u9fff]{2,6}?))(?:是否)?(?:已经?)?(?:被)?(?:更新|修改|变更|改变)(?:了|成功)?"
)


def _updated(steps: list[Step], part: str, talk: Talk) -> Check | None:
    """将价格改为 59.9，…，验证列表中的价格已更新: it is what it was set to."""
    found = _UPDATED.fullmatch(bare_zh(part))
    if found is None:
        return None
    for step in reversed(steps):
        field = step.what if isinstance(step, SetValue) else getattr(step, "into", None)
        value = step.value if isinstance(step, SetValue) else getattr(step, "text", None)
        if field and value and found["what"].endswith(field.strip('"')):
            words = talk.atoms.original(part)
            return Check(Has(talk.phrase(found["what"]), value, "equals"), words=words)
    return None


def _is_aim(steps: list[Step], part: str, talk: Talk) -> bool:
    """Whether the part says what the last step is for, or what it does."""
    last, bare = steps[-1], bare_zh(part)
    if isinstance(last, Wait) and _GO_ON.fullmatch(bare):
        return True
    clicked = isinstance(last, Point | Press) and _EFFECT.fullmatch(bare) is not None
    headed = isinstance(last, Point) and re.search(r"表头|列头|列标题|列$", last.what)
    if clicked or _is_arrival(last, bare) or (headed and _ORDERED.fullmatch(bare)):
        talk.put_aside(part)
        return True
    return _purpose(steps, part, talk)


def _is_none(last: Step) -> bool:
    """Whether nothing is ticked any more: 取消全选，只勾选“A”."""
    return isinstance(last, ForEach) and any(isinstance(s, Tick) and not s.on for s in last.body)


_OF_READ = re.compile(
    r"\s*(?:如果|若|要是|假如)(?=[大小高低多少]于|超过|不足|等于|不等于|不?是|不?为|包含|不包含|不到)"
)
_THEM = re.compile(r"它们|他们|她们|这些[\u3400-\u9fff]{0,2}?(?=[勾选删点拖移])")


def _all_found(last: Step, part: str, talk: Talk) -> str | None:
    """找到所有“逾期”的行，把它们勾选: it is done to all of those."""
    if not isinstance(last, Find) or not re.match(r"所有|全部", last.what):
        return None
    if not _THEM.search(part):
        return None
    place = f"{last.place}里的" if last.place else ""
    every = re.sub(r"^(?:所有|全部)的?", "", last.what)
    talk.put_aside("它们")
    return _THEM.sub(talk.atoms.mask(f"所有{place}{every}"), part)


def _of_found(last: Step, part: str, talk: Talk) -> str:
    """The part, about what was found before where it names nothing: 找到张敏，双击打开."""
    bare = bare_zh(part)
    if (
        isinstance(last, Read)
        and _INTO.fullmatch(bare)
        and (owner := last.what.rpartition("的")[0])
    ):
        # 记下第一件商品的价格，点进去: the product.
        return f"{'双击' if '双' in part else '点击'}{talk.atoms.mask(owner)}"
    made = isinstance(last, Perform) and last.verb in ("create", "rename", "save", "download")
    if made and (alone := _ALONE.fullmatch(bare)) and alone["act"] in ("打开", "双击", "点开"):
        return f"{alone['act']}它"
    if not isinstance(last, _SHOWN):
        return part
    if isinstance(last, Find) and (open_ := _OPENING.fullmatch(bare)):
        talk.put_aside(open_["aim"])
        return f"{open_['verb']}它"
    if _INTO.fullmatch(bare):
        return "双击它" if "双" in part else "点击它"
    return f"{alone['act']}它" if (alone := _ALONE.fullmatch(bare)) else part
