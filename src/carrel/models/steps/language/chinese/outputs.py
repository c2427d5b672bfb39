"""What Chinese sentences say of the output of a command: 运行 X，确认输出是“a”."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.chinese.conditions import read_condition_zh
from carrel.models.steps.language.chinese.manners import bare_zh
from carrel.models.steps.language.chinese.modals import without_modals
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Check, Enter, Press, Run, Step

__all__ = ["if_output", "of_output"]

_TERMINAL = re.compile(r"(?:[^，,]*的)?(?:终端|命令行|控制台|命令提示符)(?:窗口)?")


def run_there(steps: list[Step]) -> None:
    """在终端里输入 ls 并回车: a command that is run there."""
    *_, first, last = [None, None, *steps]
    if not isinstance(first, Enter) or last != Press(("enter",), words=getattr(last, "words", "")):
        return
    if _TERMINAL.fullmatch(first.into or first.place or ""):
        steps[-2:] = [Run(first.text, place="终端", words=first.words)]


_OUTPUT = re.compile(
    r"(?:确认|验证|检查|断言|确保|核对|看看|看一下|看)?\s*(?:命令|它)?的?(?:输出|结果|返回)(?:内容|信息)?(?:里面|里|中|内)?(?:是否)?(?P<no>没有?|不|无)?"
    r"(?P<how>是|为|等于|包含|含有?|有|出现|显示|看到|带有|以|(?<=没有)|(?<=无))(?P<text>.+)"
)


_IF_OUTPUT = re.compile(
    r"(?P<if>\s*(?:如果|若|要是|假如))(?:命令|它)?的?(?:输出|结果|返回)(?:内容|信息)?(?:里面|里|中|内)?(?P<no>没有?|不|无)?(?P<how>包含|含有?|有|出现|是|为|等于|(?<=没有)|(?<=没))"
)


def if_output(steps: list[Step], part: str, talk: Talk) -> str:
    """运行 X，如果输出里没有“a”，就…: what the command wrote, under a name of its own."""
    found = _IF_OUTPUT.match(part)
    last = steps[-1]
    if found is None or not isinstance(last, Run):
        return part
    steps[-1] = replace(last, name=last.name or "output")
    talk.put_aside(found[0])
    how = found["how"] if found["how"] in ("是", "为", "等于") else "包含"
    name = talk.atoms.mask(f"{{{last.name or 'output'}}}")
    return f"{found['if']}{name}{'不' if found['no'] else ''}{how}{part[found.end() :]}"


def of_output(steps: list[Step], part: str, talk: Talk) -> list[Step] | None:
    """运行 X，确认输出是“a”: what the command wrote, under a name of its own."""
    found = _OUTPUT.fullmatch(without_modals(re.sub(r"有没有", "有", bare_zh(part))))
    if found is None:
        return None
    run_there(steps)
    last = steps[-1]
    if not isinstance(last, Run):
        return None
    name = last.name or "output"
    how = found["how"] if re.match(r"[是为等以]", found["how"]) else "包含"
    claim = f"{'不' if found['no'] else ''}{how}{found['text']}"
    condition = read_condition_zh(talk.atoms.mask(f"{{{name}}}") + claim, talk.atoms)
    if condition is None:
        return None
    check = Check(condition, words=talk.atoms.original(part))
    return [replace(last, name=name), check]
