"""Chinese clauses: the verb, and what follows or comes before it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.chinese.again import typed_again
from carrel.models.steps.language.chinese.bulk import BULK
from carrel.models.steps.language.chinese.conditions import read_condition_zh
from carrel.models.steps.language.chinese.exceptions import ONLY
from carrel.models.steps.language.chinese.fields import field_first, is_field_first
from carrel.models.steps.language.chinese.filters import FILTERS
from carrel.models.steps.language.chinese.heads import (
    OWN_WORDS,
    TICKING,
    UNTICKING,
    verb_at_zh,
)
from carrel.models.steps.language.chinese.hovers import HOVERS
from carrel.models.steps.language.chinese.in_turn import IN_TURN
from carrel.models.steps.language.chinese.means import MEANS, is_means
from carrel.models.steps.language.chinese.modals import is_supposed, topic_of
from carrel.models.steps.language.chinese.moved import MOVED
from carrel.models.steps.language.chinese.nouns import is_noun, strays
from carrel.models.steps.language.chinese.pages import (
    check,
    checked,
    compared,
    run,
    wait,
)
from carrel.models.steps.language.chinese.places import placed_zh, split_place
from carrel.models.steps.language.chinese.point import (
    Rule,
)
from carrel.models.steps.language.chinese.purposes import HANDS, split_purpose
from carrel.models.steps.language.chinese.remembered import REMEMBERED
from carrel.models.steps.language.chinese.rules import RULES
from carrel.models.steps.language.chinese.windows import WINDOWS
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.program import (
    Choose,
    Condition,
    Enter,
    ForEach,
    Point,
    Press,
    Step,
    Wait,
)

__all__ = ["is_clause", "is_lone_word", "is_stated", "read_clause_zh", "renamed_by_key"]


Reader = Callable[[str, Talk], list[Step] | None]

_WORDY = re.compile(r"(?:在|从|用|使用|通过|把|将|对|给|让)")
_OWN_WORD = re.compile(rf"(?:{OWN_WORDS})")
_DONE_TO = re.compile(
    r"(?:[改设调变填写选换记存切定标][为成到作下住]|设[置定]为|[删勾拖移挪点关]|打开|开启|加[入到进粗]|[加减]\s*\d|增加|减少|放[入到进]|展开|收起|重命名|记录)"
)
_LOOKING = re.compile(r"验证|检查|断言|确保|核对|确认|核实|查验|看看|看一下|查一下")
_SEEN = re.compile(r"(?<![\u3400-\u9fff])(?:能|可以)?(?:看到|看见)")


_OF_BEFORE = re.compile(
    r"(?:不(?:应该?|应当|该|会|能|得|可以?|许|要)(?:再)?|应该?|应当|必须|要)(?:是|为|等于|包含|含有)"
)
"""不能是“离线”: said of what was named before, and of nothing by itself."""


_STATIVE = re.compile(
    rf"(?P<what>{QUOTE}|[^，,]{{2,}}?)(?:(?:现在|当前|目前|默认|此时)?(?:已经?|都已经?|均已|未|尚未|还?没有?)(?:被)?(?:自动)?(?:勾选|勾上|选中|选上|打开|开启|关闭|启用|禁用|停用|展开|收起|折叠|"
    r"置灰|清空|隐藏|锁定|填好|取消|删除|发布|完成|发送|保存|提交|关掉)了?|"
    r"处[于在][^，,]{1,8}?(?:状态)?|(?:现在|当前|目前|默认|此时)?(?:选中|选择|显示|填写|勾选|高亮|展示)的?(?:内容|选项|值|文字)?[是为][^，,]+)"
)
"""“记住我”已勾选, 下拉框当前选中的是“全部”: how it is, and nothing to do."""
_COUNTED_SO = re.compile(
    rf"(?:一共|总共|共|合计|已选[择中]?|已勾选|(?:当前|现在|目前|页码|页面)+页?码?(?:停留?)?(?:在|是|为)第)\s*{NUMBER}\s*[个条行项张封件位名份人页款种]"
    r"[\u3400-\u9fff]{0,6}"
)
"""共 12 条记录, 当前是第 2 页."""


def _is_stative(claim: str) -> bool:
    """Whether the words tell the state of a thing, which somebody finds and does not make."""
    if _COUNTED_SO.fullmatch(claim):
        return True
    found = _STATIVE.fullmatch(claim)
    if found is None or re.match(rf"[把将如若当每等]|直到|{_LOOKING.pattern}", claim):
        return False
    verb = verb_at_zh(found["what"])
    return verb is None or is_noun(found["what"])


def is_stated(text: str) -> bool:
    """Whether the words before the first comma say what is supposed to be so of a thing."""
    claim = re.split(r"[，,；;]", text, maxsplit=1)[0].strip()
    if _is_stative(claim):
        return True
    if not is_supposed(claim):
        return _SEEN.match(claim) is not None
    topic = topic_of(claim)
    if not topic.strip() and _OF_BEFORE.match(claim.strip()):
        return False
    if HANDS.match(topic) or split_place(topic) or re.match(r"[把将]|如果|若|每", topic):
        return False
    verb = verb_at_zh(topic)
    # 检查总价应为 98: what is to be looked at, and no thing of that name.
    return verb is None or (is_noun(topic) and not _LOOKING.fullmatch(verb[0]))


_COMES_UP = re.compile(
    r"(?:弹出|跳出|出现|显示(?![屏器区框栏])|提示)(?=[^，,的]*[\ue000-\ue7ff])|弹出(?=[^，,的]{2,8}(?:$|[，,]))"
)


_LEFT = re.compile(
    rf"(?!如果|若|当|[把将])[\u3400-\u9fff]{{2,8}}?(?:只剩下?|仅剩下?|还剩|只有|共有)\s*{NUMBER}\s*[个条行项张封件份]"
)
"""结果只剩 1 条: how many there are, said of a thing without a word of checking."""


def is_clause(text: str) -> bool:
    """Whether the words can be an instruction of their own."""
    if re.match(r"(?:如果|若|当|等到?(?![号级于])|直到|否则|重复|一直|要是|假如|每)", text):
        return True
    if re.match(r"(?:使(?!用)得?|好让|以便|从而|便于)(?=[\u3400-\u9fff])", text):
        return True
    if re.match(r"(?:不要|别|请勿|不许)(?=点|按|选|勾|提交)", text):
        return True
    if is_field_first(text) or is_stated(text) or _COMES_UP.match(text) or _LEFT.match(text):
        return True
    if _ONCE.match(text) or is_means(text):
        return True
    found = verb_at_zh(text)
    if found is None:
        return split_place(text) is not None or _MOVED_AT.match(text) is not None
    if re.match(r"[^，,]*?[把将]", text) and _DONE_TO.search(text):
        return True
    if _WORDY.fullmatch(found[0]):
        return any(
            verb_at_zh(text, at) and not _WORDY.match(text, at) for at in range(1, len(text))
        )
    return True


_ONCE = re.compile(
    r"[^，,]+?(?:出现|消失|弹出|加载完成?|打开|完成|可见|显示)(?:之后|以后|后|时)[，,]?\s*[^，,\s]|"
    r"[^，,]+?里?如果"
)
_MOVED_AT = re.compile(
    rf"[^，,、]+?(?:记[为作]\s*\w|加粗|[加减]\s*\d|{UNTICKING}|{TICKING}|留空|空着|不填)"
)


def is_lone_word(text: str) -> bool:
    """Whether it is only an application's verb, which may as well be a name: 分享."""
    return _OWN_WORD.fullmatch(re.split(r"[，,、和与及]|然后|再|并", text)[0].strip()) is not None


_COMPILED = tuple(
    (re.compile(words, re.DOTALL | re.IGNORECASE), rule)
    for words, rule in (
        *HOVERS,
        *BULK,
        *MEANS,
        *WINDOWS,
        *ONLY,
        *FILTERS,
        *REMEMBERED,
        *IN_TURN,
        *MOVED,
        *RULES,
    )
)


_ASSERTED = re.compile(
    rf"应|必须|只剩|还剩|仅剩|看到|看见|显示|出现|弹出|包含|可见|消失|等于|存在|有|被|不可|不能|可用|置灰|为空|空的|{QUOTE}$|是{QUOTE}"
)
_NOT_TOLD = re.compile(rf"[^应]*(?:名称|名字|名|标题|内容|主题)[为叫]{QUOTE}")
_FEW = re.compile(
    rf"(?P<head>(?:把|将)?[^，,前]*?)前\s*(?!一个)(?P<n>{NUMBER})\s*(?P<unit>[个条项封行张件位])(?P<what>[^，,]*)"
)


_COUNTED = {"封": "邮件", "行": "行", "位": "人"}
"""What is meant where only the word that counts it is said."""


def _first_few(clause: str, talk: Talk) -> list[Step] | None:
    """勾选前两项: all of them, at most two."""
    found = _FEW.fullmatch(clause)
    if found is None or not (found["head"] and verb_at_zh(found["head"])):
        return None
    what = found["what"] or _COUNTED.get(found["unit"], "项目")
    what = found["unit"] + what if re.match(r"全?[都部]", what) else what
    (step, *others) = read_clause_zh(f"{found['head']}所有{what}", talk)
    if others or not isinstance(step, ForEach):
        raise NotUnderstood("only what is clicked, ticked or deleted can be the first few")
    return [replace(step, limit=int(number(found["n"]) or 1))]


_PLACED_THING = re.compile(
    r"(?!把|将)[^，,]*?(?:[里中内上下边行列栏框页项]|[\ue000-\ue7ff])\s*[，,]?(?:把|将)"
)


_REST = r"\s*(?P<rest>.*)"
_FIRST_OF_ALL: tuple[tuple[str, Rule], ...] = (
    (
        r"验证|检查|断言|确保|核对|确认|核实|查验|(?:查一下|看一下|看看)(?!.*(?:多少|几|什么|哪))|看(?=[^，,]*是否)",
        check,
    ),
    (r"等待|等|稍等", wait),
    (r"运行|执行", run),
)


def _by_verb(clause: str, talk: Talk) -> list[Step] | None:
    """What is checked, awaited or run goes to the end of the clause, whatever words it holds."""
    verb = verb_at_zh(clause)
    if verb is None or re.match(r"等[级于]", clause):
        return None
    for words, rule in _FIRST_OF_ALL:
        found = re.fullmatch(rf"(?:{words}){_REST}", clause, re.DOTALL)
        known = rule is not run or re.search(rf"命令|{QUOTE}", clause)
        if found and known and re.fullmatch(words, verb[0]):
            return rule(found, talk)
    return None


_NEW_NAME = re.compile(rf"(?:重命名|改名|更名|命名)[为成]\s*(?P<text>{QUOTE}|{NAME}|[\w.-]+)")


_NEW_TEXT = re.compile(
    rf"(?:把?(?:名字|名称|文件名|它))?(?:修?改|换)[为成]\s*(?P<text>{QUOTE}|{NAME}|[\w.-]+)"
)
_RENAME = re.compile(r"\"?(?:重命名|改名|更名)\"?(?:选项|菜单项|按钮)?")


def renamed_by_key(last: Step, clause: str, talk: Talk) -> list[Step] | None:
    """按 F2，重命名为“b.txt”: the name is typed where it stands."""
    chosen = last.options[-1] if isinstance(last, Choose) and last.options else ""
    chosen = last.what if isinstance(last, Point) and last.how == "click" else chosen
    found = _NEW_NAME.fullmatch(clause)
    if _RENAME.fullmatch(chosen):
        # 右击“a”，选择“重命名”，改成“b”: the name stands open to be typed over.
        found = found or _NEW_TEXT.fullmatch(clause)
    elif not isinstance(last, Press) or last.chords != ("f2",):
        return None
    if found is None:
        return None
    words = talk.atoms.original(clause)
    return [Enter(talk.text(found["text"]), words=words), Press(("enter",), words=words)]


def _stated(clause: str, talk: Talk) -> Condition | None:
    """“保存”按钮应变为可用: what should be so, said without a verb before it."""
    if not (is_supposed(clause) or _is_stative(clause)) or not is_stated(clause):
        return None
    return read_condition_zh(clause, talk.atoms)


def _one_after_another(act: str, then: str, talk: Talk) -> list[Step]:
    steps = read_clause_zh(act, talk)
    if not then:
        return steps
    return [*steps, *(renamed_by_key(steps[-1], then, talk) or read_clause_zh(then, talk))]


def read_clause_zh(clause: str, talk: Talk) -> list[Step]:
    """The steps of one masked Chinese clause.

    Raises:
        NotUnderstood: No rule takes it.
    """
    unfit = ""
    for read in _READERS:
        kept = talk.mark()
        steps = read(clause, talk)
        if not steps:
            talk.back_to(kept)
            continue
        lost = strays(steps)
        if not lost:
            return steps
        # What it is about is called by no such words: another rule may cut them otherwise.
        talk.back_to(kept)
        unfit = unfit or lost
    if unfit and (steps := _without_aim(clause, unfit, talk)):
        return steps
    if unfit:
        raise NotUnderstood(f"what is “{talk.atoms.original(unfit)}” here? one name goes in quotes")
    if re.match(r"把|将|除", clause):
        raise NotUnderstood("no rule knows what is done there")
    raise NotUnderstood(
        "no rule begins like this; a step begins with what to do, such as 点击 or 输入"
    )


_AIM = re.compile(
    r"(?:让|使)[\u3400-\u9fff]{2,4}(?:最大化|最小化|还原|全屏)|(?:以(?![上下内外前后])|来|去|用来|从而|使其?|让其?|将其|把它|并)*(?:进入|打开|新建|创建|查看|返回|回到|跳转|展开|收起|隐藏|显示|弹出|"
    r"全选|编辑|修改|保存|提交|搜索|排序|添加|新增|切换|刷新|下载|播放|暂停|放大|缩小|清空|关闭|关掉|快进|恢复|发送|预览|开始|看|查)"
    r"[\u3400-\u9fff]{0,8}"
)


def _without_aim(clause: str, aim: str, talk: Talk) -> list[Step] | None:
    """双击画面进入全屏: the click; what is said behind the thing is only what it is for."""
    if not clause.endswith(aim) or not _AIM.fullmatch(aim):
        return None
    act = clause[: -len(aim)].strip()
    if not act or HANDS.match(aim) or verb_at_zh(act) is None:
        return None
    steps = read_clause_zh(act, talk)
    if len(steps) != 1 or not isinstance(steps[0], Point | Press):
        return None
    talk.put_aside(aim)
    return steps


def _placed_first(clause: str, talk: Talk) -> list[Step] | None:
    return placed_zh(clause, talk, read_clause_zh) if _PLACED_THING.match(clause) else None


_OUGHT = re.compile(
    r"应该|应当|必须|理应|(?<!对)(?<!供)(?<!响)(?<!反)应(?![用付收届聘答急纳还缴交扣])"
)
_WITHIN = re.compile(
    rf"(?:(?<=.)|^)(?:在|于)?\s*(?P<n>{NUMBER})\s*(?P<unit>秒|分)钟?(?:之内|以内|内)\s*(?=\S)"
)


def _claimed(clause: str, talk: Talk) -> list[Step] | None:
    within = _WITHIN.search(clause) if is_supposed(clause) else None
    if within is None:
        condition = _stated(clause, talk)
        if condition is not None:
            return checked(condition)
        if not is_supposed(clause) or not is_stated(clause):
            return None
        if steps := compared(clause, talk):
            return steps
        if _OUGHT.search(clause):
            # What is supposed to be so is never something to do.
            raise NotUnderstood("what that would look like is not clear")
        return None
    condition = read_condition_zh(clause[: within.start()] + clause[within.end() :], talk.atoms)
    seconds = (number(within["n"]) or 0) * (60 if within["unit"] == "分" else 1)
    if condition is None:
        raise NotUnderstood("what that would look like is not clear")
    return [Wait(seconds, condition)]


def _with_purpose(clause: str, talk: Talk) -> list[Step] | None:
    parts = split_purpose(clause, talk)
    return _one_after_another(*parts, talk) if parts else None


def _placed(clause: str, talk: Talk) -> list[Step] | None:
    return placed_zh(clause, talk, read_clause_zh)


def _asserted(clause: str, talk: Talk) -> list[Step] | None:
    """What is so, said with no verb of checking."""
    if re.match(r"把|将|除", clause):
        return None
    condition = read_condition_zh(clause, talk.atoms)
    told = condition is not None and not _NOT_TOLD.fullmatch(clause) and _ASSERTED.search(clause)
    return checked(condition) if condition is not None and told else None


def _by_rule(words: re.Pattern[str], rule: Rule) -> Reader:
    def read(clause: str, talk: Talk) -> list[Step] | None:
        found = words.fullmatch(clause)
        return rule(found, talk) if found else None

    return read


_READERS: tuple[Reader, ...] = (
    _placed_first,
    _claimed,
    _with_purpose,
    typed_again,
    field_first,
    _by_verb,
    _first_few,
    *(_by_rule(words, rule) for words, rule in _COMPILED),
    _placed,
    _asserted,
)
"""Ways to read a clause, in the order in which they are tried."""
