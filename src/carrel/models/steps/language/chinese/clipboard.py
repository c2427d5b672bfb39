"""Chinese steps of the clipboard: 复制, 粘贴."""

from __future__ import annotations

import re

from carrel.models.steps.language.chinese.point import IN, TO, thing
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.program import Copy, Paste, Press, Step

__all__ = ["copy", "copy_of", "paste", "pasted"]

_TEXT_END = re.compile(r"(?:文档|文章|全文|正文|文本|文件)?的?(?:文末|末尾|最后面?|结尾|文尾)处?")


def paste(found: re.Match[str], talk: Talk) -> list[Step]:
    """Paste the clipboard somewhere."""
    rest = re.sub(rf"^(?:它|其)?\s*{TO}?\s*|(?:里面|里|中|内)$", "", found["rest"].strip())
    return pasted(rest, talk)


def pasted(into: str, talk: Talk) -> list[Step]:
    """Paste into something, at the end of the text, or where the keyboard is."""
    if re.fullmatch(r"[一两]段.*|.*(?:文字|内容|文本|的话)", into.strip()):
        raise NotUnderstood("what is pasted was copied before; a text goes in quotes: “输入“…””")
    if _TEXT_END.fullmatch(into.strip()):
        return [Press(("ctrl+end",)), Paste(None)]
    return [Paste(thing(into, talk) if into else None)]


def copy(found: re.Match[str], talk: Talk) -> list[Step]:
    """Copy to the clipboard; `复制 X 到 Y` pastes it there, too."""
    rest = found["rest"].strip()
    if re.search(r"命名为|改名为", rest):
        raise NotUnderstood("what is copied goes to the clipboard, and has no name there")
    if after := re.fullmatch(
        rf"(?:之后|以后|后)[，,]?\s*再?粘贴(?:到|进)\s*(?P<into>.+?){IN}", rest
    ):
        return [Copy(None), Paste(thing(after["into"], talk))]
    if there := re.fullmatch(rf"(?:并粘贴)?[到进]\s*(?P<into>.+?){IN}", rest):
        return [Copy(None), Paste(thing(there["into"], talk))]
    if moved := re.fullmatch(rf"(?P<what>.+?)\s*(?:并粘贴)?到\s*(?P<into>.+?){IN}", rest):
        if moved["into"] != "剪贴板":
            return [Copy(thing(moved["what"], talk)), Paste(thing(moved["into"], talk))]
        rest = moved["what"]
    return [copy_of(rest, talk)]


def copy_of(rest: str, talk: Talk) -> Step:
    """Copy a thing, or what is selected."""
    selected = not rest.strip() or re.fullmatch(
        r"它|选中的?(?:文本|内容|文字)|所选(?:文本|内容)", rest
    )
    return Copy(None if selected else thing(rest, talk))
