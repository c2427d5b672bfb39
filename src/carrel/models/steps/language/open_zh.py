"""What is open or exists, in Chinese words: windows, dialogs, files."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE, Atoms
from carrel.models.steps.language.held_zh import no_zh
from carrel.models.steps.program import Condition, Exists, Shows, WindowOpen

__all__ = ["file_zh", "window_zh"]


def window_zh(text: str, atoms: Atoms) -> Condition | None:
    """“设置”窗口已打开; None for any other claim."""
    found = re.fullmatch(
        r"(?:(?:标题|名字|名称)(?:是|为|叫|里面?|中)?(?:包含|含有?|带有?|有)?)?\s*(?P<title>.+?)\s*(?:的)?窗口(?:已经?|被|都|应该?)*(?:(?P<no>没有打开|未打开|没有出现|消失|关闭|关掉|不见|不在)|(?:打开|出现|弹出))(?:了)?",
        text,
    )
    found = found or re.fullmatch(
        rf"(?:(?:标题|名字|名称)(?:是|为|叫|里面?|中)?(?:包含|含有?|带有?|有)?)?窗口\s*(?P<title>{QUOTE})(?:已经?|被|都|应该?)*"
        r"(?:(?P<no>没有打开|未打开|没有出现|消失|关闭|关掉|不见)|(?:打开|出现|弹出))了?",
        text,
    )
    if found is None:
        return _shut(text, atoms)
    return no_zh(WindowOpen(atoms.text(found["title"])), found["no"])


def _shut(text: str, atoms: Atoms) -> Condition | None:
    """对话框已关闭: it can no longer be seen."""
    found = re.fullmatch(
        r"(?P<what>.*(?:对话框|弹窗|弹框|提示框|消息框|菜单|下拉框?列表))(?:已经?|都)?(?:被)?(?:(?P<no>没有?|未)(?:被)?)?关闭了?",
        text,
    )
    return no_zh(Shows(atoms.phrase(found["what"])), not found["no"]) if found else None


def file_zh(text: str, atoms: Atoms) -> Condition | None:
    """文件 a.txt 存在; None for any other claim."""
    found = re.fullmatch(
        # A name follows: 文件名, 文件夹 and 文件类型 are words of their own.
        r"(?:文件夹|文件|目录)(?:\s+|(?=[\x21-\x7e\ue000-\uf8ff]))(?P<path>.+?)\s*(?:(?P<no>不)存在|(?:已经?)?(?:存在|出现|生成|创建好?|建好))了?",
        text,
    ) or re.fullmatch(
        r"(?P<path>[\uf500-\uf8ff]|/\S+|[\w.-]+\.[a-z]\w{0,4})\s*(?:这个|该)?(?:文件|目录)?\s*(?:(?P<no>不)存在|(?:已经?)?(?:存在|出现|生成|创建(?:成功)?|建好))了?",
        text,
    )
    return no_zh(Exists(atoms.text(found["path"])), found["no"]) if found else None
