"""Where a Chinese sentence ends, and where one instruction of it does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from carrel.models.steps.language.atoms import Atoms
from carrel.models.steps.language.chinese.conditions import read_condition_zh
from carrel.models.steps.language.chinese.fields import is_field_first
from carrel.models.steps.language.chinese.heads import OWN_WORDS, verb_at_zh
from carrel.models.steps.language.chinese.joined import AND
from carrel.models.steps.language.chinese.manners import bare_zh
from carrel.models.steps.language.chinese.modals import is_supposed
from carrel.models.steps.language.chinese.purposes import HANDS
from carrel.models.steps.language.chinese.verbs import is_clause, is_lone_word, is_stated

__all__ = ["CHECKING", "clauses_zh", "is_bound_zh", "is_whole_zh", "joints_zh", "sentences_zh"]


_GOES_ON = re.compile(
    r"否则|不然|要不然|反之|(?:如果|若|要是)?(?:不是?|没有?|不为空|非空|[大小低高]于|超过|成功|失败|有)(?:[^，,]{0,10})(?:的话|[，,]|就|则)"
)
_IF = re.compile(r"(?:[^，,]{0,10})(?:如果|若|要是|一旦|的话|就)|[^，,]*时")


_ASKED = re.compile(
    r"(?:^|[，,])\s*(?:再|然后|接着|并)?(?:看看?一?下?|查看|检查|确认|核对)[^，,]*(?:有没有|是否|是不是)[^，,]*$"
)
_ANSWERS = re.compile(
    r"(?:如果|若|要是)?(?:没有?|有|不?是|不?在|找到|找不到|看不到)(?:的话|就|则|[，,])"
)


_BEGINS = (
    r"(?:^|(?<=[。！!？?；]))\s*(?!看|检查|确认|验证|核对|查|告诉|如果|若|要是|能不能|可以|请)"
)
_SO = r"[^，,。！!？?；]+"
_WHETHER = re.compile(
    rf"{_BEGINS}(?P<what>{_SO}(?:是不是|是否|有没有){_SO}?)[呢啊]?(?=\s*[？?]\s*$)"
)
"""按钮是不是灰的？: a question at the end wants to be told."""
_IS_IT = re.compile(
    rf"{_BEGINS}(?P<what>{_SO}?)(?:了)?吗\s*[？?]\s*"
    r"(?P<then>(?:如果)?(?:没有?|有|不?是|不?在)(?:的话|就))?"
)


def _asked(masked: str) -> str:
    """The masked text, where a question is something to tell or to look at."""
    masked = _WHETHER.sub(r"告诉我\g<what>", masked)
    return _IS_IT.sub(
        lambda f: f"看看是否{f['what']}，{f['then']}" if f["then"] else f"告诉我是否{f['what']}。",
        masked,
    )


def sentences_zh(masked: str) -> list[str]:
    """The sentences of a masked text; `否则` stays with its `如果`."""
    parts = [
        part.strip()
        for part in re.split(
            r"(?:[。！!？?；\n]|(?<![\x21-\x7e]);|(?<![\w)]);(?=\s*[\u3400-\u9fff]))+|(?<!\d)\.(?=\s|$)",
            _asked(masked),
        )
        if part.strip(" ，,、")
    ]
    joined: list[str] = []
    for part in parts:
        asked = joined and _ASKED.search(joined[-1]) and _ANSWERS.match(part)
        if joined and ((_GOES_ON.match(part) and _IF.match(joined[-1])) or asked):
            joined[-1] += "，" + part
        else:
            joined.append(part)
    return joined


_JOINT = re.compile(
    r"\s*(?:[，,；;、]\s*)?(?:然后再?|接着再?|随后|之后再?|并且|而且|但是|但(?=能|看|可|仍|还|不|没)|最后(?![一几两的])再?|(?<!勾选)(?<!勾上)同时|再(?!次)|并(?!且|列)|(?<![最然随之以])后(?=再|点|按|选|输|单|双|提|回车|填|勾|保存|设置|拖|复制|粘贴|验证|检查|确认|刷新|关闭|打开|切换|把|将)|以及|和|与|及|且)\s*|\s*[，,；;、]\s*"
)


# Words that hold a letter of a joint, and are never cut.
_WHOLE = re.compile(
    r"对话框|而且|并且|不(?:能|可以?|会|要|用|应该?|允许)?再|再也|再次|[最然随之以]后|后[面边台续端退缀者方来]|"
    r"[总之]和|和(?=谐|平|解)|与此同时|参与|以及|[以普涉]及|及[格时]|并(?=列|行|发|集)|[合兼]并|并不|并非|就[诊业职读餐近绪医任学]|"
    r"同时段|来[自源]|原来|后来|出来|起来|下来|来[电信]|[本原]来"
)


_ACTS = (
    r"粘贴|复制(?!品)|剪切|双击|右键点击|右击|单击|点击(?![率量])|点(?=[\ue000-\ue7ff])|输入(?![框栏法区域])|填写|填入|勾选(?!框)|勾上|取消勾选|"
    r"运行|执行|访问|打开(?!方式)|关闭|关掉|查看|搜索(?![框栏])|选择(?![框器])|选(?=[\ue000-\ue7ff])|按(?=\s*(?:[A-Za-z]|回车|空格))|把|将(?!来)|返回|刷新|保存|提交|下载|上传|告诉我"
)
_WIDE = re.compile(
    rf"{_JOINT.pattern}|(?<![最然随之以])后(?=[\u3400-\u9fff])|"
    rf"(?<=[\u3400-\u9fff\x21-\x7e\ue000-\uf8ff])\s*(?=(?:{_ACTS}))|"
    r"(?<=.)(?=看一下|看看|检查(?![项结人])|验证(?![码方])|确认(?![框密码新书])|应(?:该|当)?(?:弹出|提示|显示|出现|能?看到|跳))"
)


def joints_zh(text: str, *, wide: bool = False) -> Iterator[re.Match[str]]:
    """Where a masked sentence could go on with something else, but never inside a word.

    Args:
        text: Masked.
        wide: Also where nothing but 后 or a verb of looking says so.
    """
    whole = [found.span() for found in _WHOLE.finditer(text)]
    for joint in (_WIDE if wide else _JOINT).finditer(text):
        said = joint.end() - len(joint[0].lstrip(" ，,；;、")), joint.end()
        cut = any(
            a < said[1] and said[0] < b and not (a >= said[0] and b <= said[1]) for a, b in whole
        )
        if not cut or said[0] == said[1]:
            yield joint


def is_whole_zh(text: str, start: int, end: int) -> bool:
    """Whether the letters there belong to a longer word: 后 of 后台, 前 of 之前."""
    return any(
        a <= start and end <= b and b - a > end - start
        for a, b in (found.span() for found in _WHOLE.finditer(text))
    )


_HOLDING = re.compile(r"按住\s*(?:ctrl|control|shift|alt)\s*键?(?:不放)?\s*$", re.IGNORECASE)


_AWAITS = re.compile(r"(?:等待?|等到|稍等)(?![级于号])")
_CAME = re.compile(
    r"[\d一二两三四五六七八九十半]\s*个?(?:秒钟?|分钟?|小时)$|(?:了|完|好|完成|出现|出来|消失|可见|一下|一会儿?|片刻)$"
)
CHECKING = re.compile(r"(?:验证|检查|断言|确保|核对|确认)(?!码)")
"""How a clause begins that claims something."""


def _goes_on(before: str, joint: str, after: str, atoms: Atoms) -> bool:
    """Whether what comes after belongs to what is checked: 验证 A 可见，并且 B 处于勾选状态."""
    checks = CHECKING.match(bare_zh(before)) or (is_supposed(before) and is_stated(bare_zh(before)))
    if not checks or re.search(r"[，,；;].*[，,；;]", before):
        return False
    claim = _JOINT.split(after, maxsplit=1)[0]
    if CHECKING.match(bare_zh(claim)):
        return False
    if verb_at_zh(bare_zh(claim)) is not None and not re.search(AND, joint):
        return False
    return read_condition_zh(claim, atoms) is not None and HANDS.match(claim) is None


_AIMS = re.compile(r"(?:点击|单击|双击|点|选择|选中|选|勾选|勾上)(?=.)")


def _is_verb_name(clause: str) -> bool:
    """Whether what is clicked or chosen is called like a verb, with nothing else: 点击编辑."""
    aims = _AIMS.match(clause)
    if aims is None or (verb := verb_at_zh(clause, aims.end())) is None:
        return False
    return verb.end() == len(clause) and len(verb[0]) > 1


def _is_lone_verb(text: str) -> bool:
    """Whether a verb is all that the next part says."""
    part = re.split(r"[，,、；;]", text, maxsplit=1)[0].strip()
    verb = verb_at_zh(part)
    return verb is not None and verb[0] == part


_ALL_FIELDS = re.compile(r"[^，,；;]{2,10}?(?:都|均|统一|分别)(?:填|输入|写|设)")


def is_bound_zh(before: str, joint: str, after: str) -> bool:
    """Whether what stands before and after a joint is one instruction, whatever each would be."""
    bare = bare_zh(before)
    return bool(
        re.match(r"\s*(?:如果|若|假如|除非|当|每次)", bare)
        or (re.match(r"获取|取得|提取", bare) and re.match(r"记|存|保存", after))
        or _HOLDING.search(before)
        # 等表格刷新: what is waited for, as long as nothing says that it has come to pass.
        or (not joint.strip() and _AWAITS.match(bare) and not _CAME.search(bare))
        or (re.search(r"[之总]$", before) and joint[0] == "和")
        or (re.match(r"命名为|改名为", after) and re.search(r"复制|拷贝", before))
        or (re.match(r"最[多长久]|至多|不超过|超时", after) and re.search(r"等", before))
        or (re.match(r"直到", after) and re.search(r"滚|翻|等|[上下左右][拉滑]", before))
        # 设置密码和确认密码都填“a”: fields in a list, and not the verb that one begins with.
        or (
            re.fullmatch(r"\s*(?:[、和与及]|以及)\s*", joint)
            and is_field_first(
                re.split(r"[，,；;]", before)[-1] + "和" + re.split(r"[，,；;]", after)[0]
            )
            and _ALL_FIELDS.match(after)
        )
        # 勾选等待确认: what is called like two verbs is rather one name than two instructions.
        or (not joint.strip() and _is_verb_name(bare) and _is_lone_verb(after))
        # 勾选搜索和分享: a name in a list, not the next instruction.
        or (re.fullmatch(r"\s*(?:[、和与及]|以及)\s*", joint) and is_lone_word(after))
    )


# 然后查看结果: what only looks like a noun is done next.
_THEN = re.compile(rf"[，,；;]\s*(?:然后|最后|接着)(?:再)?(?:{OWN_WORDS})")


def clauses_zh(text: str, atoms: Atoms) -> list[str]:
    """The instructions of a masked sentence, each with its verb."""
    parts: list[str] = []
    start = 0
    for joint in joints_zh(text):
        if joint.start() < start or not text[start : joint.start()].strip():
            continue
        before, after = text[start : joint.start()], text[joint.end() :]
        # Neither is cut what is one, nor a further claim of what is checked from the first.
        if is_bound_zh(before, joint[0], after) or _goes_on(before, joint[0], after, atoms):
            continue
        begins = is_clause(bare_zh(after)) or _THEN.match(text, joint.start()) is not None
        if begins and is_clause(bare_zh(before)):
            parts.append(before)
            start = joint.end()
    parts.append(text[start:])
    return parts
