"""Chinese conditions and what hangs on them: 如果…就…，否则…; 没有的话…; 库存若为 0，…."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.chinese.clauses import CHECKING
from carrel.models.steps.language.chinese.conditions import read_condition_zh
from carrel.models.steps.language.chinese.joined import whole_zh
from carrel.models.steps.language.chinese.manners import bare_zh
from carrel.models.steps.language.chinese.purposes import HANDS
from carrel.models.steps.language.chinese.together import ALONE
from carrel.models.steps.language.chinese.verbs import is_clause
from carrel.models.steps.language.talk import IT, Talk
from carrel.models.steps.program import (
    Check,
    Choose,
    Compute,
    Condition,
    Copy,
    Enter,
    Expand,
    Find,
    Has,
    If,
    Is,
    Not,
    Open,
    Perform,
    Point,
    Read,
    Repeat,
    Run,
    Shows,
    Step,
    Tick,
    Unclear,
)

__all__ = ["IF", "branched_zh", "unclear_zh"]

Reader = Callable[[str, Talk], list[Step]]

IF = r"(?:如果|若是|若(?!干)|假如|假设|倘若|要是|万一|一旦)"
"""Words that begin a condition."""
_SUPPOSED = re.compile(
    rf"(?P<word>{IF}|只要|只有(?=.+才)|除非)\s*(?P<rest>.+)",
    re.DOTALL,
)
# 没有登录按钮的话，刷新页面; 有弹窗就关掉它; 余额大于 100 就点“提现”
_SUPPOSING = re.compile(
    r"(?P<word>)(?P<rest>[^，,。]+?的话\s*[，,]?\s*.+|(?P<stated>[^，,。]+?)[，,]?(?:那?就|则(?!是)).+)",
    re.DOTALL,
)
_MEETING = re.compile(
    r"(?:遇到|碰到|碰见|(?:系统)?(?:提示)?(?:需要|要求)(?:输入)?(?=[^，,]+时))\s*(?P<what>[^，,]+?)(?:的时候|时|的话|的)?\s*(?:[，,]\s*(?:就|则)?|就|则|(?<=时))\s*(?P<body>.+)",
    re.DOTALL,
)
_JOINT = re.compile(
    r"\s*(?:，|,)?\s*(?:那么|那?就|则(?!是)|才|请(?![求假款帖示]))\s*|\s*[，,：:]\s*|(?<=的话)\s*"
)


def unclear_zh(text: str, talk: Talk) -> list[Step]:
    """That no rule understands the condition of the masked words."""
    words = talk.atoms.original(text)
    return [Unclear(why=f"“{words}”: no rule understands this condition", words=words)]


def branched_zh(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """The branch of a masked sentence; None when it says none."""
    if steps := _answered(text, talk, read):
        return steps
    if (met := _MEETING.fullmatch(text)) and is_clause(bare_zh(met["body"])):
        talk.put_aside(text[: met.start("what")])
        shown = read_condition_zh(met["what"], talk.atoms) or Shows(talk.phrase(met["what"]))
        return _branch(shown, met["what"], met["body"], talk, read)
    found = _SUPPOSED.match(text) or _SUPPOSING.match(text)
    if found is None:
        return None
    return _supposed(found, talk, read) or (None if _is_guess(found) else unclear_zh(text, talk))


def _is_guess(found: re.Match[str]) -> bool:
    """Whether nothing but 就 speaks of a condition: it may be said for anything."""
    return bool(found.groupdict().get("stated"))


def _supposed(found: re.Match[str], talk: Talk, read: Reader) -> list[Step] | None:
    rest = found["rest"]
    for joint in _JOINT.finditer(rest):
        said, body = rest[: joint.start()], rest[joint.end() :]
        if _is_guess(found) and (HANDS.match(bare_zh(said)) or not re.search(r"就|则", joint[0])):
            continue
        condition = read_condition_zh(said, talk.atoms)
        if condition is None or not is_clause(bare_zh(body)):
            continue
        again = re.match(r"(?:就)?(?:继续|一直|不断|反复)?", body)
        if found["word"] == "只要" and again and (again[0] or re.search(r"还|仍", said)):
            steps = [_meant(s, condition) for s in _in_that_case(body[again.end() :], talk, read)]
            return [Repeat(tuple(steps), until=_turned(condition))]
        condition = Not(condition) if found["word"] == "除非" else condition
        return _branch(condition, said, body, talk, read)
    return None


def _meant(step: Step, condition: Condition) -> Step:
    """只要“更多”还在，就一直点它: what the condition speaks of."""
    inner = condition.condition if isinstance(condition, Not) else condition
    what = getattr(inner, "what", None)
    return (
        replace(step, what=what) if isinstance(step, Point) and step.what == "它" and what else step
    )


def _turned(condition: Condition) -> Condition:
    return condition.condition if isinstance(condition, Not) else Not(condition)


_NO = (
    r"(?:不是|不一致|不对|不符合?|不同|没有|没(?=的话|就)|否则|不等|不在|没看到|看不到|找不到|"
    r"没出现|不存在|不匹配|不相符|不相等)"
)
_YES = r"(?:有|是|在|对|一致|存在|出现|看到|相同|找到)了?"
_ANSWER = re.compile(
    rf"(?P<claim>.+?)[，,；;]\s*(?:{IF})?(?:(?P<no>{_NO})|(?P<yes>{_YES}))(?:的话|时)?(?P<then>[，,]?\s*(?:那?就|则|请)|(?<=的话)[，,]?|(?<=否则)[，,]?|[，,])\s*(?P<body>.+)",
    re.DOTALL,
)
_ASKED = re.compile(
    r"(?:看看|看一下|看(?=.*(?:有没有|是否|是不是))|检查|核对|确认|验证|查看)(?!码)"
)


_PRESENT = re.compile(r"有|出现|存在|看到|看不到|找到|找不到")


def _answered(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """看看有没有“A”，有的话点它，没有就刷新; 状态应为“B”，不是的话…."""
    found = _ANSWER.fullmatch(text)
    if found is None or _SUPPOSED.match(bare_zh(text)) or not is_clause(bare_zh(found["body"])):
        return None
    parts = re.split(r"[，,；;]\s*(?=[^，,；;]*$)", found["claim"])
    asked = bare_zh(parts[-1])
    if not (_ASKED.match(asked) or CHECKING.match(asked) or re.search(r"应|是否|有没有", asked)):
        return None
    checks = read(asked, talk)
    if len(checks) != 1 or not isinstance(checks[0], Check):
        return None
    before = read(parts[0], talk) if len(parts) > 1 else []
    condition = checks[0].condition
    if _PRESENT.search(found["no"] or found["yes"]) and isinstance(condition, Not):
        # 确认没有出现“A”，如果出现了…: of what is denied.
        talk.put_aside(asked)
        condition = condition.condition
    if found["no"]:
        condition = _turned(condition)
    return [*before, *_branch(condition, asked, found["body"], talk, read)]


_ELSE = (
    r"(?:(?:否则|要不然|不然|反之)的?话?[，,：:]?\s*就?|"
    r"(?<=[，,；;])\s*(?:如果|若|要是)?(?:(?:没有?|未)(?:弹出?来?|出现|看到|找到|显示|提示)(?=的话|[，,]|就|则)|没有|不是|没看到|看不到|找不到|没(?=的话|就)|不一致|不存在)(?:的话)?[，,]?(?:就|则)?)\s*"
)
_NOT_SO = re.compile(
    r"(?:否则|要不然|不然|反之|没有?|不是|没看到|看不到|找不到|不一致|不存在|"
    r"(?:没有?|未)(?:弹出?来?|出现|看到|找到|显示|提示))(?:的话)?"
)
_OTHER = re.compile(
    rf"(?P<done>.+?)[，,；;。]\s*(?:{IF}\s*)?(?P<case>[^，,；;。]{{2,30}}?)(?:的话)?\s*(?:[，,]\s*(?:就|则)|就|则|(?<=的话)[，,]?)\s*(?P<body>.+)",
    re.DOTALL,
)


def _in_that_case(body: str, talk: Talk, read: Reader) -> list[Step]:
    bare = bare_zh(body)
    if re.fullmatch(rf"(?:关闭|关掉|关上|{ALONE.pattern})(?:一下|即可)?", bare):
        # What is closed is what the condition speaks of, never the window.
        bare = re.sub(r"(?:一下|即可)$", "", bare) + "它"
        return read(bare, talk)
    if first := re.match(rf"(?:{ALONE.pattern})(?:一下)?(?=[，,])", bare):
        # …就勾上，再点“继续”: what the condition speaks of.
        return read(first[0].removesuffix("一下") + "它" + bare[first.end() :], talk)
    return read(body, talk)


_IDLE = re.compile(
    r"什么[都也]不(?:用)?做|不(?:用|必|要)?管(?:它)?|忽略|跳过这一步|(?:直接)?继续(?:执行|操作|下一步)?|"
    r"不做任何(?:操作|事)|(?:直接)?跳过|不(?:用|要)点(?:击)?|不处理"
)


def _branch(condition: Condition, said: str, body: str, talk: Talk, read: Reader) -> list[Step]:
    if steps := _other_case(condition, said, body, talk, read):
        return steps
    parts = re.split(rf"[，,；;。]?\s*{_ELSE}", body, maxsplit=1)
    last, after = _main_line(parts[-1])
    then = _in_that_case(parts[0] if len(parts) > 1 else last, talk, read)
    then = [_switched(step, condition) for step in then]
    idle = _IDLE.fullmatch(bare_zh(last))
    if idle and len(parts) > 1:
        talk.put_aside(last)
    if len(parts) > 1:
        # 没有的话 is the other case, and denies nothing itself.
        talk.put_aside(body[len(parts[0]) : len(body) - len(parts[-1])])
    otherwise = read(last, talk) if len(parts) > 1 and not idle else []
    further: list[Step] = []
    if len(parts) == 1 and then and _makes_so(then[0], condition):
        # 如果没勾选就勾上，再点“继续”: it is so then in any case, and goes on.
        then, further = then[:1], then[1:]
    branch = If(condition, tuple(_read_first(condition, then)), tuple(otherwise))
    return [branch, *further, *(read(after, talk) if after else [])]


def _makes_so(step: Step, condition: Condition) -> bool:
    """Whether the step only makes so what the condition says is not."""
    inner = condition.condition if isinstance(condition, Not) else condition
    if not isinstance(inner, Is) or inner.state not in ("checked", "selected", "expanded"):
        return False
    wished = isinstance(condition, Not)
    if isinstance(step, Tick | Expand):
        what = step.what[0] if isinstance(step, Tick) else step.what
        return step.on == wished and what in ("它", inner.what)
    return wished and isinstance(step, Choose) and step.options in (("它",), (inner.what,))


def _switched(step: Step, condition: Condition) -> Step:
    """如果“自动保存”已开启，请关闭: what is on is turned off, and no window closed."""
    inner = condition.condition if isinstance(condition, Not) else condition
    closed = isinstance(step, Perform) and step.verb == "close" and step.what == "它"
    opened = isinstance(step, Open) and step.what == "它"
    if not isinstance(inner, Is) or inner.state != "checked" or not (closed or opened):
        return step
    return Tick((inner.what,), on=opened, words=step.words)


def _read_first(condition: Condition, then: list[Step]) -> list[Step]:
    """…高于 90%，就把这个百分比填入…: what the condition is about is read for that."""
    typed = next((at for at, s in enumerate(then) if isinstance(s, Enter)), None)
    inner = condition.condition if isinstance(condition, Not) else condition
    if typed is None or not isinstance(inner, Has):
        return then
    told = any(isinstance(step, Read | Copy | Compute | Find | Run) for step in then[:typed])
    if told or getattr(then[typed], "text", "") != f"{{{IT}}}":
        return then
    return [Read(inner.what, IT), *then]


def _other_case(
    condition: Condition, said: str, body: str, talk: Talk, read: Reader
) -> list[Step] | None:
    """…就点“A”，低于 60 则点“B”: another condition, where the first does not hold."""
    found = _OTHER.fullmatch(body)
    if found is None or _NOT_SO.fullmatch(found["case"]) or not is_clause(bare_zh(found["done"])):
        return None
    case = re.sub(rf"^{IF}", "", found["case"])
    other = None if HANDS.match(case) else read_condition_zh(whole_zh(case, said), talk.atoms)
    if other is None or not is_clause(bare_zh(found["body"])):
        return None
    if _IDLE.fullmatch(bare_zh(found["body"])):
        talk.put_aside(found[0][found.end("done") :])
        return [If(condition, tuple(_in_that_case(found["done"], talk, read)))]
    branch = If(other, tuple(_in_that_case(found["body"], talk, read)))
    return [If(condition, tuple(_in_that_case(found["done"], talk, read)), (branch,))]


def _main_line(body: str) -> tuple[str, str]:
    """What is done only in that case, and after 然后 what comes in any case."""
    for joint in re.finditer(r"\s*[，,；;]\s*(?:然后再?|接着再?|之后再?|随后|最后再?)\s*", body):
        before, after = bare_zh(body[: joint.start()]), bare_zh(body[joint.end() :])
        sent = re.match(r"(?:输入|填|键入|在.+(?:输入|填))", before) and re.match(
            r"提交|按回车", after
        )
        if is_clause(before) and is_clause(after) and not sent and not re.search(r"它|其", after):
            return body[: joint.start()], body[joint.end() :]
    return body, ""
