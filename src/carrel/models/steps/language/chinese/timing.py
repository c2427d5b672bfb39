"""When Chinese instructions are carried out: 在…之前，先…; …出现后，…; 登录后…."""

from __future__ import annotations

import re
from collections.abc import Callable

from carrel.models.steps.language.chinese.clauses import is_whole_zh
from carrel.models.steps.language.chinese.conditions import is_loaded_zh, read_condition_zh
from carrel.models.steps.language.chinese.fields import is_field_first
from carrel.models.steps.language.chinese.heads import verb_at_zh
from carrel.models.steps.language.chinese.manners import bare_zh
from carrel.models.steps.language.chinese.own import OWN_ZH
from carrel.models.steps.language.chinese.purposes import HANDS
from carrel.models.steps.language.chinese.together import is_clear_zh
from carrel.models.steps.language.chinese.verbs import is_clause, is_stated
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.program import Check, Count, Has, Is, Step, Wait

__all__ = ["ordered_zh"]

Reader = Callable[[str, Talk], list[Step]]

_WHEN = re.compile(
    r"(?P<word>之前|以前|(?<![当目以])前(?=先|[，,]|要|应|必须)|之后|以后|(?<![最然随])后(?![面边方台端续者来天排缀退的])|"
    r"(?<![计小及实临定按准同])时(?![间段区刻])|的时候|的情况下|完了?(?=[，,]|应|看|检查|确认|验证))\s*[，,]?\s*(?=\S)"
)
_BUTTONS = ("保存", "提交", "确认", "确定", "发送", "搜索", "查询", "上传", "重置")
"""Said alone, what somebody clicks; any other verb tells of what was done before."""
_WHILE = ("时", "的时候", "的情况下")
_MEASURED = ("less", "greater")
_BEFORE = ("之前", "以前", "前")
# That it is done cannot be seen, or was done before.
_SUCCEEDED = re.compile(
    r"(?:用户|全部|都|一切)?(?:登录|登陆|注册|保存|提交|发送|支付|付款|上传|下载|删除|添加|创建|新建|修改|更新|操作|发布|导入|导出|安装|连接|搜索|查询|跑|做|处理|执行|运行|填|输入|写|选|看)"
    r"(?:操作)?(?:成功|完成|完毕|结束|完)|(?:登录|登陆|注册|退出|登出|注销|跳转|加载|启动|安装|连接|删除|移除|清空|卸载)(?:进去|进来|上去)?|"
    r"[\u3400-\u9fff]{2,4}(?:登录|注册|保存|提交|发送|支付|上传|下载|删除|添加|创建|修改|更新|发布|导入|导出|转账|加载|启动|重启)(?:成功|完成|完毕|好)?"
)
_PLAIN_ACT = re.compile(r"(?![点按选填写勾搜拖把将在])[\u3400-\u9fff]{2,3}")
_OVER = re.compile(r"[\u3400-\u9fff]{2,8}(?:完成?|完毕|结束)了?")
_DONE = re.compile(r"[\u3400-\u9fff]{1,4}")
_GONE_WRONG = re.compile(
    r"[^，,]{2,14}(?:不一致|不正确|不匹配|不合法|不存在|为空|错误|有误|无效|过长|太[长短大小多少]|过大|失败|重复|已存在|超时|不足|已满)"
)
_NO_ACT = re.compile(r"[\u3400-\u9fff]{2,}(?:都|也)?(?:不|没|未)[\u3400-\u9fff]{1,3}")


def ordered_zh(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """The steps of a sentence that says when; None when it does not."""
    for found in _WHEN.finditer(text):
        if re.search(r"[，,；;]", text[: found.start()]):
            return None
        if found.start() < 2 or is_whole_zh(text, found.start("word"), found.end("word")):
            continue
        first = bare_zh(re.sub(r"^\s*(?:在|当)\s*", "", text[: found.start()]))
        body = text[found.end() :]
        marked = re.search(r"[，,]", found[0]) is not None
        if not first or re.match(r"等(?![级号于])", first) or not _goes_on(body, talk):
            continue
        kept = talk.mark()
        steps = _timed(first, found["word"], body, talk, read)
        # Where no comma says so, it must be read as that without a rest.
        if steps and (marked or is_clear_zh(text, steps, talk)):
            return steps
        talk.back_to(kept)
    return None


def _goes_on(body: str, talk: Talk) -> bool:
    """Whether that is something to do, or something that is so then."""
    bare = bare_zh(body)
    claims = verb_at_zh(bare) is None and read_condition_zh(bare, talk.atoms) is not None
    return is_clause(bare) or claims


def _timed(first: str, word: str, body: str, talk: Talk, read: Reader) -> list[Step] | None:
    before = word in _BEFORE
    words = talk.atoms.original(first + word)
    if is_loaded_zh(first) and not before:
        talk.put_aside(first)
        return [Wait(words=words), *read(body, talk)]
    stated = is_stated(bare_zh(body))
    told = (
        (stated and first in OWN_ZH and first not in _BUTTONS)
        or (
            _SUCCEEDED.fullmatch(first)
            and not re.match(
                rf"{HANDS.pattern}|[点按]|重新|退出登录$|登出$|注销$|提示|出现|弹出|显示|看到",
                first,
            )
        )
        or (word.startswith("完") and _DONE.fullmatch(first))
        or (
            stated
            and not verb_at_zh(first)
            and any(form.fullmatch(first) for form in (_PLAIN_ACT, _OVER, _GONE_WRONG))
        )
    )
    if (not before and told) or (word == "的情况下" and stated and _NO_ACT.fullmatch(first)):
        # What follows waits until the screen keeps still.
        talk.put_aside(first + word)
        return [Wait(words=words), *read(body, talk)]
    condition = read_condition_zh(first, talk.atoms)
    if stated and word in _WHILE and isinstance(condition, Has) and condition.how in _MEASURED:
        raise NotUnderstood("whether it is so is not known; “如果 X 低于 Y，验证 Z” says the case")
    if stated and word in _WHILE and isinstance(condition, Has | Is | Count):
        # 余额不足 100 时应提示…: a case that is told, and nothing to wait for.
        talk.put_aside(first + word)
        return [Wait(words=words), *read(body, talk)]
    turned = re.search(r"变[为成]", first) and not re.match(r"把|将", first)
    seen = verb_at_zh(first) is None and (turned or not is_field_first(first))
    if condition is not None and not before and seen:
        return [Wait(until=condition, words=words), *read(body, talk)]
    if is_clause(first):
        steps, main = read(first, talk), read(body, talk)
        claims = re.match(r"\s*(?:要|应|必须|会|得)", body)
        if before and claims and isinstance(main[0], Check):
            # 删除前要弹出确认框: what comes of an act is no reason to do it.
            raise NotUnderstood("what is so before an act is looked at after it; do it, then look")
        return [*main, *steps] if before else [*steps, *main]
    if condition is not None and not before:
        return [Wait(until=condition, words=words), *read(body, talk)]
    return None
