"""Where a Chinese sentence ends, and where one instruction of it does."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import Atoms
from carrel.models.steps.language.conditions_zh import read_condition_zh
from carrel.models.steps.language.heads_zh import verb_at_zh
from carrel.models.steps.language.joined_zh import AND
from carrel.models.steps.language.manners_zh import bare_zh
from carrel.models.steps.language.purposes_zh import HANDS
from carrel.models.steps.language.verbs_zh import is_clause, is_lone_word

__all__ = ["clauses_zh", "sentences_zh"]


def sentences_zh(masked: str) -> list[str]:
    """The sentences of a masked text; `否则` stays with its `如果`."""
    parts = [
        part.strip()
        for part in re.split(r"[。！!？?；;\n]+|(?<!\d)\.(?=\s|$)", masked)
        if part.strip(" ，,、")
    ]
    joined: list[str] = []
    for part in parts:
        if joined and re.match(r"否则|不然|要不然", part):
            joined[-1] += "，" + part
        else:
            joined.append(part)
    return joined


_JOINT = re.compile(
    r"\s*(?:[，,；;、]\s*)?(?:然后再?|接着再?|随后|之后再?|并且|而且|但是|但(?=能|看|可|仍|还|不|没)|最后再?|同时|再(?!次)|并(?!且|列)|(?<![最然随之以])后(?=再|点|按|选|输|单|双|提|回车|填|勾|保存|设置|拖|复制|粘贴|验证|检查|确认|刷新|关闭|打开|切换|把|将)|以及|和|与|及|且)\s*|\s*[，,；;、]\s*"
)


_HOLDING = re.compile(r"按住\s*(?:ctrl|control|shift|alt)\s*键?(?:不放)?\s*$", re.IGNORECASE)


_CHECKING = re.compile(r"(?:验证|检查|断言|确保|核对|确认)(?!码)")


def _goes_on(before: str, joint: str, after: str, atoms: Atoms) -> bool:
    """Whether what comes after belongs to what is checked: 验证 A 可见，并且 B 处于勾选状态."""
    if not _CHECKING.match(bare_zh(before)) or re.search(r"[，,；;].*[，,；;]", before):
        return False
    claim = _JOINT.split(after, maxsplit=1)[0]
    if verb_at_zh(bare_zh(claim)) is not None and not re.search(AND, joint):
        return False
    return read_condition_zh(claim, atoms) is not None and HANDS.match(claim) is None


def clauses_zh(text: str, atoms: Atoms) -> list[str]:
    """The instructions of a masked sentence, each with its verb."""
    parts: list[str] = []
    start = 0
    for joint in _JOINT.finditer(text):
        if joint.start() < start or not text[start : joint.start()].strip():
            continue
        before, after = text[start : joint.start()], text[joint.end() :]
        if re.match(r"\s*(?:如果|若|假如|除非|当|每次)", bare_zh(before)):
            continue
        if re.match(r"获取|取得|提取", bare_zh(before)) and re.match(r"记|存|保存", after):
            continue
        if _HOLDING.search(before) or (re.search(r"[之总]$", before) and joint[0][0] == "和"):
            continue
        if re.match(r"命名为|改名为", after) and re.search(r"复制|拷贝", before):
            continue
        if re.match(r"最多|至多|不超过|超时", after) and re.search(r"等", before):
            continue
        if re.match(r"直到", after) and re.search(r"滚|翻|等", before):
            continue
        if re.fullmatch(r"\s*(?:[、和与及]|以及)\s*", joint[0]) and is_lone_word(after):
            # 勾选搜索和分享: a name in a list, not the next instruction.
            continue
        if _goes_on(before, joint[0], after, atoms):
            # A further claim of what is checked, and nothing to do.
            continue
        if is_clause(bare_zh(after)) and is_clause(bare_zh(before)):
            parts.append(before)
            start = joint.end()
    parts.append(text[start:])
    return parts
