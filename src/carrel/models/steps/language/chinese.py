"""Chinese sentences: the order of their instructions, and what surrounds them."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.accounting import holds_unclear, left_over
from carrel.models.steps.language.atoms import ANY, NAME, QUOTE
from carrel.models.steps.language.clauses_zh import CHECKING, clauses_zh, is_bound_zh, joints_zh
from carrel.models.steps.language.conditions_zh import is_loaded_zh, read_condition_zh
from carrel.models.steps.language.exceptions_zh import excepted_zh
from carrel.models.steps.language.fields_zh import is_field_first
from carrel.models.steps.language.heads_zh import VERBS, verb_at_zh
from carrel.models.steps.language.links import spoken_of
from carrel.models.steps.language.loops_zh import looped_zh
from carrel.models.steps.language.manners_zh import bare_zh
from carrel.models.steps.language.nouns_zh import strays
from carrel.models.steps.language.particulars_zh import told_more, with_particulars
from carrel.models.steps.language.places_zh import split_place
from carrel.models.steps.language.purposes_zh import HANDS
from carrel.models.steps.language.talk import IT, NotUnderstood, Talk
from carrel.models.steps.language.verbs_zh import (
    is_clause,
    read_clause_zh,
    renamed_by_key,
)
from carrel.models.steps.program import (
    Answer,
    Check,
    Choose,
    Clear,
    Compute,
    Condition,
    Drag,
    Enter,
    Expand,
    Find,
    Highlight,
    If,
    Not,
    Perform,
    PickDate,
    PickTime,
    Point,
    Press,
    Read,
    Run,
    Scroll,
    SetValue,
    Step,
    Submit,
    Tick,
    Unclear,
    Wait,
)

__all__ = ["read_chinese"]


_UNCHANGED = re.compile(
    r"[，,]\s*(?:其他|其它|其余|别的)(?:的|项|选项|设置|内容)?(?:都|均)?(?:保持)?(?:不变|不动|不改|默认|不填|不用填|不选|留空)(?=[，,]|$)"
)
_NOTHING = re.compile(
    r"(?:什么[都也]不|不)(?:填写?|输入?|选择?|做|改)(?:任何|什么|其他)?(?:内容|东西|信息|字段|文字|修改)?[，,]?\s*"
    r"(?:就|而)?直接(?=点|单|按|提交)"
)
_IF_INSIDE = re.compile(r"^(?P<place>[^，,、]+?[里中上内])如果")


def read_chinese(sentence: str, talk: Talk) -> list[Step]:
    """The steps of one masked Chinese sentence; what no rule takes is an `Unclear` step."""
    kept = talk.mark()
    steps = _read(sentence, talk)
    if not steps or _is_clear(sentence, steps, talk) or talk.trying:
        return steps
    aside = talk.aside[kept[0] :]
    if found := _searched(bare_zh(sentence), talk):
        return found
    talk.aside += aside
    if not holds_unclear(steps) and (lost := strays(steps)):
        words = talk.atoms.original(sentence)
        return [Unclear(why=f"“{words}”: what is “{lost}”? one name goes in quotes", words=words)]
    return steps


def _read(sentence: str, talk: Talk) -> list[Step]:
    text = _IF_INSIDE.sub(r"如果\g<place>", bare_zh(sentence))
    if idle := _NOTHING.match(text):
        talk.put_aside(idle[0])
        text = text[idle.end() :]
    if unchanged := _UNCHANGED.search(text):
        talk.put_aside(unchanged[0])
        text = text[: unchanged.start()] + text[unchanged.end() :]
    if not text:
        return []
    if steps := _forbidden(text, talk):
        return steps
    try:
        if steps := excepted_zh(text, talk, read_chinese):
            return steps
        if steps := _around(text, talk):
            return steps
    except NotUnderstood as error:
        words = talk.atoms.original(text)
        return [Unclear(why=f"“{words}”: {error}", words=words)]
    parts = clauses_zh(text, talk.atoms)
    if len(parts) > 1:
        return _in_order(parts, talk)
    return _clause(bare_zh(parts[0]), talk)


_HIS = re.compile(
    r"(?:她|他|它|其|该)(?:们)?(?:所在|对应)?的?(?:那|这)?一?(?P<unit>[行列])(?:里|中|上)?的?(?!$)"
)


_KEPT = re.compile(
    rf"(?:(?:后面|以后|之后|下文)(?:就)?)?(?:把|将|叫|称)?(?:它|其|结果|该值|这个值)?\s*(?:取名|起名|叫|称|保存|储存|存储|存|记录?|命名|赋值?)(?:为|到|成|作|在|给|入|做)?\s*(?:变量|名为)?\s*"
    rf"(?P<name>{NAME}|{QUOTE}|[A-Za-z_]\w*)(?:变量)?(?:中|里)?"
)


def _kept(steps: list[Step], part: str, talk: Talk) -> bool:
    """读取合计并保存为 TOTAL: what was read, under that name."""
    last, found = steps[-1], _KEPT.fullmatch(bare_zh(part))
    if found is None:
        return False
    if isinstance(last, Perform) and last.verb == "view" and last.what and not last.details:
        # What is looked at so as to be remembered is read.
        last = Read(last.what, IT, words=last.words, place=last.place)
    if not isinstance(last, Read | Compute) or last.name != IT:
        return False
    steps[-1] = replace(last, name=talk.atoms.text(found["name"]).strip("{}"))
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


_EFFECT = re.compile(r"(?:展开|弹出|跳转|加载|打开|进入)(?:完成|完毕|出来)?(?:之后|以后|后)?")
"""What a click does, said with nothing it is done to."""
_ALONE = re.compile(r"(?:点击|单击|双击|右击|点开|点|勾选|打开|展开|删除)")
_OPENING = re.compile(
    r"(?P<verb>双击|点击|单击|点)(?P<aim>(?:打开|进入|查看|展开)[\u3400-\u9fff]{0,8})"
)
_SHOWN = (Find, Scroll, Wait)
_OVER = re.compile(rf"(?:把它|将其)?(?:替换|改写?|换)[为成]\s*(?P<text>{QUOTE}|{NAME})")
_GO_ON = re.compile(r"继续(?:操作|执行|测试|后续操作|下一步操作)?|进行下一步(?:操作)?")
_OUTPUT = re.compile(
    r"(?:确认|验证|检查|断言|确保)?\s*(?:命令|它)?的?(?:输出|结果)(?:里面|里|中)?(?P<rest>(?:应该|应当|应)?(?:不?(?:是|为|等于|包含|含有)|以|有).+)"
)


def _of_output(steps: list[Step], part: str, talk: Talk) -> list[Step] | None:
    """运行 X，确认输出是“a”: what the command wrote, under a name of its own."""
    last, found = steps[-1], _OUTPUT.fullmatch(bare_zh(part))
    if not isinstance(last, Run) or found is None:
        return None
    name = last.name or "output"
    condition = read_condition_zh(talk.atoms.mask(f"{{{name}}}") + found["rest"], talk.atoms)
    if condition is None:
        return None
    check = Check(condition, words=talk.atoms.original(part))
    return [replace(last, name=name), check]


_ARRIVED = re.compile(
    r"(?:返回|回到|进入|打开|跳转到?|跳到|前往|切换[到至]|来到|查看)(?P<where>[\u3400-\u9fff]{2,8})"
)


def _is_arrival(last: Step, part: str) -> bool:
    """点击“首页”，返回首页: where the click leads is no further step."""
    found = _ARRIVED.fullmatch(part)
    if found is None or not isinstance(last, Point):
        return False
    where = re.sub(r"(?:页面|界面|页)$", "", found["where"]) or found["where"]
    return where in last.what


def _in_order(parts: list[str], talk: Talk) -> list[Step]:
    """The steps of several instructions; 她那一行 is the row of what was named before."""
    steps: list[Step] = []
    for part in parts:
        _take(steps, part, talk)
    again = len(steps) > 1 and isinstance(steps[-1], Answer) and isinstance(steps[-2], Answer)
    return steps[:-1] if again else steps


def _take(steps: list[Step], part: str, talk: Talk) -> None:
    """Add what a further part of a sentence asks for, or tells of what was asked before."""
    if steps and (told := _of_output(steps, part, talk)):
        steps[-1:] = told
        return
    if steps and (renamed := renamed_by_key(steps[-1], bare_zh(part), talk)):
        steps += renamed
        return
    if steps and isinstance(steps[-1], Highlight) and (over := _OVER.fullmatch(bare_zh(part))):
        steps.append(Enter(talk.text(over["text"]), words=talk.atoms.original(part)))
        return
    if steps and isinstance(steps[-1], Perform) and (more := told_more(steps[-1], part, talk)):
        steps[-1] = more
        return
    if steps and (_kept(steps, part, talk) or _purpose(steps, part, talk)):
        return
    if steps and _EFFECT.fullmatch(bare_zh(part)) and isinstance(steps[-1], Point | Press):
        talk.put_aside(part)
        return
    if steps and _is_arrival(steps[-1], bare_zh(part)):
        talk.put_aside(part)
        return
    if steps and isinstance(steps[-1], Find) and (open_ := _OPENING.fullmatch(bare_zh(part))):
        # 找到张敏，双击打开聊天窗口: what was found is clicked.
        talk.put_aside(open_["aim"])
        part = f"{open_['verb']}它"
    if steps and isinstance(steps[-1], _SHOWN) and _ALONE.fullmatch(bare_zh(part)):
        part = f"{bare_zh(part)}它"
    if steps and isinstance(steps[-1], Wait) and _GO_ON.fullmatch(bare_zh(part)):
        return
    his, thing = _HIS.search(part), spoken_of(steps)
    if his is None or thing is None:
        steps += read_chinese(part, talk)
        return
    place = f"{thing}那一{his['unit']}"
    body = part[: his.start()] + part[his.end() :]
    steps += [
        s if s.place or isinstance(s, Unclear) else replace(s, place=place)
        for s in read_chinese(body, talk)
    ]


_SCOPED = re.compile(
    r"如果|若|假如|要是|除非|否则|不然|一旦|只要|每(?!页)|重复|循环|一直|直到|反复|逐|不要|别(?!名)|请勿|除了|当(?![前天日])|按住"
)
"""Words whose reach over what follows is for their own rules to tell."""


def _searched(text: str, talk: Talk) -> list[Step] | None:
    """The steps where the sentence is cut so that every part is read, and all its words count."""
    if _SCOPED.search(text):
        return None
    kept, talk.trying = talk.mark(), True
    try:
        return _read_on([], text, talk, set())
    except NotUnderstood:
        talk.back_to(kept)
        return None
    finally:
        talk.trying = False


def _ends(rest: str) -> list[tuple[int, int]]:
    """Where the next part may end, and where the one after it begins, in the order of trying."""
    cuts = [(joint.start(), joint.end()) for joint in joints_zh(rest, wide=True)]
    cuts.append((len(rest), len(rest)))
    # What is checked goes as far as it can: 有“苹果”，但没有“香蕉” is one claim.
    return cuts[::-1] if CHECKING.match(bare_zh(rest)) else cuts


def _read_on(steps: list[Step], rest: str, talk: Talk, lost: set[str]) -> list[Step] | None:
    if rest in lost or len(lost) > MOST_CUTS:
        return None
    for end, start in _ends(rest):
        part, after = rest[:end], rest[start:]
        if not bare_zh(part) or (end == len(rest) and not steps):
            continue
        if after and is_bound_zh(part, rest[end:start], after):
            continue
        kept, added = talk.mark(), list(steps)
        _take(added, part, talk)
        if _is_clear(part, added, talk) and (
            end == len(rest) or (added := _read_on(added, after, talk, lost) or [])
        ):
            return added
        talk.back_to(kept)
    lost.add(rest)
    return None


MOST_CUTS = 12
"""So many ends of a sentence are tried; one that is longer is not understood."""


def _is_clear(part: str, steps: list[Step], talk: Talk) -> bool:
    return not holds_unclear(steps) and not strays(steps) and not left_over(part, steps, talk)


def _particulars(text: str, talk: Talk) -> list[Step] | None:
    return with_particulars(text, talk, read_chinese)


def _looped(text: str, talk: Talk) -> list[Step] | None:
    return looped_zh(text, talk, read_chinese)


def _around(text: str, talk: Talk) -> list[Step] | None:
    """Conditions, loops, order, places: what stands around instructions."""
    for rule in (
        _particulars,
        _if,
        _looped,
        _ordered,
        _question,
        _placed,
        _headed,
    ):
        steps = rule(text, talk)
        if steps is not None:
            return steps
    return None


def _forbidden(text: str, talk: Talk) -> list[Step] | None:
    """不要点取消，点确定: what not to do, and what to do instead."""
    found = re.match(
        r"(?:不要|不准|请勿|不许|别)(?P<act>[^，,]+)(?:[，,]\s*(?P<rest>.+))?$", text, re.DOTALL
    )
    if found is None or not is_clause(found["act"]):
        return None
    words = talk.atoms.original(text[: found.end("act")])
    refused = Unclear(why=f"“{words}”: what not to do is no step", words=words)
    talk.forbidden.append((refused, tuple(read_chinese(found["act"], talk))))
    return [refused, *(read_chinese(found["rest"], talk) if found["rest"] else [])]


def _clause(text: str, talk: Talk) -> list[Step]:
    words = talk.atoms.original(text)
    try:
        steps = read_clause_zh(text, talk)
    except NotUnderstood as error:
        return [Unclear(why=f"“{words}”: {error}", words=words)]
    return [step if step.words else replace(step, words=words) for step in steps]


def _unclear(text: str, talk: Talk) -> list[Step]:
    words = talk.atoms.original(text)
    return [Unclear(why=f"“{words}”: no rule understands this condition", words=words)]


_SUPPOSED = re.compile(
    r"(?P<word>如果|若是|若|假如|假设|倘若|要是|万一|一旦|只要|只有(?=.+才)|除非)\s*(?P<rest>.+)",
    re.DOTALL,
)
# 没有登录按钮的话，刷新页面; 有弹窗就关掉它
_SUPPOSING = re.compile(
    r"(?P<word>)(?P<rest>[^，,。]+?的话\s*[，,]?\s*.+|"
    r"(?:没有?|没看到|看不到|有|看到|出现|弹出)[^，,。]+?[，,]?就.+)",
    re.DOTALL,
)


def _if(text: str, talk: Talk) -> list[Step] | None:
    found = _SUPPOSED.match(text) or _SUPPOSING.match(text)
    if found is None:
        return None
    rest = found["rest"]
    for joint in re.finditer(r"\s*(?:，|,)?\s*(?:那么|则|就|才|请)\s*|\s*[，,：:]\s*", rest):
        condition = read_condition_zh(rest[: joint.start()], talk.atoms)
        body = rest[joint.end() :]
        if condition is None or not is_clause(bare_zh(body)):
            continue
        if found["word"] == "只要" and re.match(r"继续|一直|不断|反复", body):
            # As long as it is so: how often that is, no rule tells.
            return _unclear(text, talk)
        condition = Not(condition) if found["word"] == "除非" else condition
        return _branch(condition, body, talk)
    return _unclear(text, talk)


_ELSE = (
    r"(?:(?:否则|要不然|不然)的?话?[，,：:]?\s*就?|"
    r"(?<=[，,；;])\s*(?:如果)?(?:没有|不是|没看到|看不到)(?:的话)?[，,]?就)\s*"
)


def _branch(condition: Condition, body: str, talk: Talk) -> list[Step]:
    parts = re.split(rf"[，,；;。]?\s*{_ELSE}", body, maxsplit=1)
    last, after = _main_line(parts[-1])
    done = parts[0] if len(parts) > 1 else last
    if re.fullmatch(rf"(?:关闭|关掉|关上|{_ALONE.pattern})(?:一下|即可)?", bare_zh(done)):
        # What is closed is what the condition speaks of, never the window.
        done = re.sub(r"(?:一下|即可)$", "", bare_zh(done)) + "它"
    then = tuple(read_chinese(done, talk))
    idle = re.fullmatch(
        r"什么[都也]不(?:用)?做|不(?:用)?管|忽略|跳过这一步|(?:直接)?继续(?:执行|操作|下一步)?|不做任何(?:操作|事)|跳过",
        bare_zh(last),
    )
    otherwise = tuple(read_chinese(last, talk)) if len(parts) > 1 and not idle else ()
    return [If(condition, then, otherwise), *(read_chinese(after, talk) if after else [])]


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


_SUCCEEDED = re.compile(
    r"(?:用户)?(?:登录|登陆|注册|保存|提交|发送|支付|付款|上传|下载|删除|添加|创建|新建|修改|更新|操作|发布|导入|导出|安装|搜索|查询)"
    r"(?:操作)?(?:成功|完成|完毕|结束)|"
    r"[\u3400-\u9fff]{2,4}(?:登录|注册|保存|提交|发送|支付|上传|下载|删除|添加|创建|修改|更新|发布|导入|导出|转账|加载)(?:成功|完成|完毕|好)?"
)


def _ordered(text: str, talk: Talk) -> list[Step] | None:
    """`在点击保存之前，先勾选同意`; `X 出现后，点击 Y`."""
    found = re.match(
        r"(?:在|当)?\s*(?P<first>[^，,]+?)(?P<word>之前|以前|前|之后|以后|(?<![最然随])后|(?<![计小及实临定按准同])时|的时候)\s*"
        r"(?:[，,]\s*|(?<=[时候])(?=再?[点按选输填勾关])|(?<=后)(?=再|就|点|按|选|输|填|勾|关|打|应|会|页面|设|双|右|单|拖|复制|粘|删|等|在|把|将|验|检|确|保存|滚|上传|下载|提交|返回|刷|切))(?P<body>.+)",
        text,
        re.DOTALL,
    )
    if found is None or not is_clause(bare_zh(found["body"])):
        return None
    main = read_chinese(found["body"], talk)
    if is_loaded_zh(found["first"]) and found["word"] not in ("之前", "以前", "前"):
        return [Wait(words=talk.atoms.original(found["first"] + found["word"])), *main]
    first, before = bare_zh(found["first"]), found["word"] in ("之前", "以前", "前")
    if not before and _SUCCEEDED.fullmatch(first):
        # That it is done cannot be seen; what follows waits until the screen keeps still.
        talk.put_aside(first)
        return [Wait(words=talk.atoms.original(first + found["word"])), *main]
    condition = read_condition_zh(first, talk.atoms)
    turned = re.search(r"变[为成]", first) and not re.match(r"把|将", first)
    seen = verb_at_zh(first) is None and (turned or not is_field_first(first))
    if condition is not None and not before and seen:
        return [Wait(until=condition, words=talk.atoms.original(first + found["word"])), *main]
    if is_clause(first):
        steps = read_chinese(first, talk)
        return [*main, *steps] if before else [*steps, *main]
    if condition is not None and not before:
        return [Wait(until=condition, words=talk.atoms.original(first + found["word"])), *main]
    return None


def _question(text: str, talk: Talk) -> list[Step] | None:
    found = re.fullmatch(
        r"(?:(?:这里|页面上|屏幕上|(?P<of>[^，,]+?)(?:里面|里|中|内|上|下)))?(?:现在|目前|一共|总共|共|还|总计)*(?:有|显示了?|出现了?|列出了?)(?:多少|几)"
        r"(?:个|条|项|张|封|行|件|位|名|份|篇|本|款|种|家)?\s*(?P<what>.+)",
        text,
    )
    if found is None or verb_at_zh(text) or re.search(QUOTE, found["of"] or ""):
        return None
    what = f"{found['of']}里的{found['what']}" if found["of"] else found["what"]
    return [Compute("count", talk.phrase(what), IT), Answer(f"{{{IT}}}")]


_HEADED = re.compile(
    r"(?P<head>(?!验证|检查|确认|断言|确保|核对|等|如果|若|重复|运行|执行|输入|填)[\u3400-\u9fff]{2,12})[：:]\s*(?P<body>.+)",
    re.DOTALL,
)


def _headed(text: str, talk: Talk) -> list[Step] | None:
    """上传头像：点“选择文件”: what the steps behind the colon are for."""
    found = _HEADED.fullmatch(text)
    if found is None or not verb_at_zh(found["head"]) or not is_clause(bare_zh(found["body"])):
        return None
    steps = read_chinese(found["body"], talk)
    if not _is_clear(found["body"], steps, talk):
        return None
    talk.put_aside(found["head"])
    return steps


_PLACE = re.compile(
    r"(?:(?P<word>在(?![职线校])|从(?!业)|于|用(?![户途餐品])|使用(?![者人])|通过(?!率))\s*)(?P<place>[^，,]+?)(?:里面|之中|当中|里|中|内|上|下|页面上)?\s*[，,]\s*(?P<body>.+)",
    re.DOTALL,
)


def _acts(text: str) -> bool:
    """Whether the words hold a verb, not only a letter of one (对话框 holds 对)."""
    if split_place(f"在{text}") is not None:
        return True
    return any(len(found[0]) > 1 for found in VERBS.finditer(text))


_PART = re.compile(
    r"(?P<word>)(?P<place>(?:[^，,、]*?的)?[^，,、的]{0,10}?"
    r"(?:页面?|界面|弹窗|对话框|提示框|窗口|表单|面板|区域?|卡片|列表|表格|菜单|抽屉|栏|[这那该]一?行|[这那该]一?列|第\s*\d+\s*行))"
    r"(?:里面|里|中|内|上|下)\s*[，,]\s*(?P<body>.+)",
    re.DOTALL,
)


def _placed(text: str, talk: Talk) -> list[Step] | None:
    """`在对话框中，点击确定`; 注册页面上，昵称填“小鱼”."""
    found = _PLACE.fullmatch(text)
    if found is None and (found := _PART.fullmatch(text)) and HANDS.match(text):
        return None
    if found is None or not is_clause(bare_zh(found["body"])):
        return None
    if _acts(found["place"]) and found["word"]:
        return None
    if found["word"] == "从" and re.search(r"到|至", found["place"]):
        return _unclear(text, talk)
    place = talk.phrase(found["place"])
    first, *others = read_chinese(found["body"], talk)
    if found["word"] in ("用", "使用", "通过"):
        if isinstance(first, Enter | PickDate | PickTime) and first.into is None:
            return [replace(first, into=place), *others]
        if isinstance(first, SetValue) and first.what is None:
            return [replace(first, what=place), *others]
    steps = [first, *others]
    return [s if isinstance(s, Unclear) or s.place else replace(s, place=place) for s in steps]
