"""What is open or exists, in Chinese words: windows, dialogs, files."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE, Atoms
from carrel.models.steps.language.chinese.held import no_zh
from carrel.models.steps.program import Condition, Every, Exists, Has, Shows, WindowOpen

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


_HELD = re.compile(
    rf"(?:文件\s*)?(?P<path>[\uf500-\uf8ff]|/\S+?)\s*(?:的?(?:内容|正文))?(?:里面|里|中|内)"
    rf"(?:(?P<no>没有|不包含|不含有?|看不到|没有写|未出现)|有|写[着有]|包含|含有?|出现|记录?[着有]|存[着有])了?\s*"
    rf"(?P<texts>{QUOTE}(?:\s*[、和与及]\s*{QUOTE})*)(?:这?[一两三]?[行句])?"
)
"""文件 a.txt 里有“甲”和“乙”: what it holds, and nothing on the screen."""


def file_zh(text: str, atoms: Atoms) -> Condition | None:
    """文件 a.txt 存在, 文件 a.txt 里有“甲”; None for any other claim."""
    if held := _HELD.fullmatch(text):
        path = atoms.text(held["path"])
        texts = map(atoms.text, re.findall(QUOTE, held["texts"]))
        claims = tuple(no_zh(Has(f"文件 {path}", one, "contains"), held["no"]) for one in texts)
        return claims[0] if len(claims) == 1 else Every(claims)
    found = re.fullmatch(
        # A name follows: 文件名, 文件夹 and 文件类型 are words of their own.
        r"(?:文件夹|文件|目录)(?:\s+|(?=[\x21-\x7e\ue000-\uf8ff]))(?P<path>.+?)\s*(?:(?P<no>不)存在|(?:已经?)?(?:存在|出现|生成|创建好?|建好))了?",
        text,
    ) or re.fullmatch(
        r"(?P<path>[\uf500-\uf8ff]|/\S+|[\w.-]+\.[a-z]\w{0,4})\s*(?:这个|该)?(?:文件|目录)?\s*(?:(?P<no>不)存在|(?:已经?)?(?:存在|出现|生成|创建(?:成功)?|建好))了?",
        text,
    )
    return no_zh(Exists(atoms.text(found["path"])), found["no"]) if found else None
