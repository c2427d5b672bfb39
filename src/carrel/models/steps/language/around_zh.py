"""What stands around Chinese instructions: conditions, order, places, headings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.conditions_zh import is_loaded_zh, read_condition_zh
from carrel.models.steps.language.fields_zh import filled_in_zh, is_field_first
from carrel.models.steps.language.heads_zh import VERBS, verb_at_zh
from carrel.models.steps.language.loops_zh import looped_zh
from carrel.models.steps.language.manners_zh import bare_zh
from carrel.models.steps.language.nouns_zh import KIND, stray
from carrel.models.steps.language.particulars_zh import with_particulars
from carrel.models.steps.language.places_zh import split_place
from carrel.models.steps.language.purposes_zh import HANDS
from carrel.models.steps.language.talk import IT, Talk
from carrel.models.steps.language.together_zh import ALONE, is_clear_zh
from carrel.models.steps.language.verbs_zh import is_clause
from carrel.models.steps.program import (
    Answer,
    Compute,
    Condition,
    Enter,
    If,
    Not,
    PickDate,
    PickTime,
    SetValue,
    Step,
    Unclear,
    Wait,
)

__all__ = ["around_zh"]

Reader = Callable[[str, Talk], list[Step]]


def around_zh(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """The steps of a masked sentence with what stands around them; None where nothing does."""
    for rule in (
        with_particulars,
        filled_in_zh,
        _if,
        looped_zh,
        _ordered,
        _question,
        _placed,
        _headed,
    ):
        steps = rule(text, talk, read)
        if steps is not None:
            return steps
    return None


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


def _if(text: str, talk: Talk, read: Reader) -> list[Step] | None:
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
        return _branch(condition, body, talk, read)
    return _unclear(text, talk)


_ELSE = (
    r"(?:(?:否则|要不然|不然)的?话?[，,：:]?\s*就?|"
    r"(?<=[，,；;])\s*(?:如果)?(?:没有|不是|没看到|看不到)(?:的话)?[，,]?就)\s*"
)


def _branch(condition: Condition, body: str, talk: Talk, read: Reader) -> list[Step]:
    parts = re.split(rf"[，,；;。]?\s*{_ELSE}", body, maxsplit=1)
    last, after = _main_line(parts[-1])
    done = parts[0] if len(parts) > 1 else last
    if re.fullmatch(rf"(?:关闭|关掉|关上|{ALONE.pattern})(?:一下|即可)?", bare_zh(done)):
        # What is closed is what the condition speaks of, never the window.
        done = re.sub(r"(?:一下|即可)$", "", bare_zh(done)) + "它"
    then = tuple(read(done, talk))
    idle = re.fullmatch(
        r"什么[都也]不(?:用)?做|不(?:用)?管|忽略|跳过这一步|(?:直接)?继续(?:执行|操作|下一步)?|不做任何(?:操作|事)|跳过",
        bare_zh(last),
    )
    otherwise = tuple(read(last, talk)) if len(parts) > 1 and not idle else ()
    return [If(condition, then, otherwise), *(read(after, talk) if after else [])]


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


def _ordered(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`在点击保存之前，先勾选同意`; `X 出现后，点击 Y`."""
    found = re.match(
        r"(?:在|当)?\s*(?P<first>[^，,]+?)(?P<word>之前|以前|前|之后|以后|(?<![最然随])后|(?<![计小及实临定按准同])时|的时候)\s*"
        r"(?:[，,]\s*|(?<=[时候])(?=再?[点按选输填勾关])|(?<=后)(?=按钮|弹窗|对话框|列表|表格|标题|图标|状态|再|就|点|按|选|输|填|勾|关|打|应|会|页面|设|双|右|单|拖|复制|粘|删|等|在|把|将|验|检|确|保存|滚|上传|下载|提交|返回|刷|切))(?P<body>.+)",
        text,
        re.DOTALL,
    )
    if found is None or not is_clause(bare_zh(found["body"])):
        return None
    main = read(found["body"], talk)
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
        steps = read(first, talk)
        return [*main, *steps] if before else [*steps, *main]
    if condition is not None and not before:
        return [Wait(until=condition, words=talk.atoms.original(first + found["word"])), *main]
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


_BY = ("用", "使用", "通过")
_TOOL = re.compile(rf"[^，,的]{{1,8}}|.*(?:{KIND})")


def _placed(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`在对话框中，点击确定`; 注册页面上，昵称填“小鱼”."""
    found = _PLACE.fullmatch(text)
    if found is None and (found := _PART.fullmatch(text)) and HANDS.match(text):
        return None
    if found is None or not is_clause(bare_zh(found["body"])):
        return None
    if _acts(found["place"]) and found["word"]:
        return None
    if stray(found["place"]) or (found["word"] in _BY and not _TOOL.fullmatch(found["place"])):
        return None
    if found["word"] == "从" and re.search(r"到|至", found["place"]):
        return _unclear(text, talk)
    place = talk.phrase(found["place"])
    first, *others = read(found["body"], talk)
    if found["word"] in ("用", "使用", "通过"):
        if isinstance(first, Enter | PickDate | PickTime) and first.into is None:
            return [replace(first, into=place), *others]
        if isinstance(first, SetValue) and first.what is None:
            return [replace(first, what=place), *others]
    steps = [first, *others]
    return [s if isinstance(s, Unclear) or s.place else replace(s, place=place) for s in steps]
