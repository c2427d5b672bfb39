"""What the buttons are called by which a form, a dialog or a question is finished or left."""

from __future__ import annotations

import re

__all__ = ["closes", "ends", "is_submit", "leaves", "only_ends"]

_ENDING = (
    r"(?:submit|ok|okay|send|save|done|go|confirm|continue|apply|finish|search|log ?in|"
    r"sign ?in|create|add|book|post|提交|确定|确认|发送|保存|完成|登录|搜索)"
)
_ENDS = re.compile(rf"\W*{_ENDING}(?![a-z])", re.IGNORECASE)
_END = re.compile(_ENDING, re.IGNORECASE)
_CLOSES = (
    r"cancel|close|dismiss|no(?:,? thanks?| thank you)?|not now|(?:maybe |remind me )?later|skip|"
    r"stay|don['’]?t allow|reject|×|✕|x|取消|关闭|不|稍后"
)
_LEAVES = re.compile(
    rf"(?:{_CLOSES}|(?:go )?back|discard|clear|reset|left|arrow|返回|清除|重置)", re.IGNORECASE
)
_CLOSED = re.compile(rf"(?:{_CLOSES})", re.IGNORECASE)
_SUBMIT = re.compile(r"submit|提交", re.IGNORECASE)


def ends(name: str) -> bool:
    """Whether a control of this name finishes what was begun."""
    if leaves(name):
        return False
    return _ENDS.match(name.strip()) is not None or any(map(_END.fullmatch, _icon_words(name)))


def only_ends(name: str) -> bool:
    """Whether that is all a text says."""
    return _END.fullmatch(name.strip(" .:!")) is not None


def is_submit(name: str) -> bool:
    """Whether it says just that."""
    return _SUBMIT.fullmatch(name.strip()) is not None


def leaves(name: str) -> bool:
    """Whether a control of this name gives it up, wholly or in part; icons say it by one word."""
    words = name.strip()
    return any(map(_LEAVES.fullmatch, (words, *_icon_words(words)))) or _begins_so(words)


def _icon_words(name: str) -> list[str]:
    """The words of an icon's name: `mail-send-symbolic`."""
    bare = name.strip().removesuffix("-symbolic")
    return bare.split("-") if bare != name.strip() else []


def _begins_so(words: str) -> bool:
    """`Cancel order`, `Clear all`: whatever follows, it gives something up."""
    first = re.match(r"(?:cancel|close|dismiss|discard|clear|reset)\b", words, re.IGNORECASE)
    return first is not None


def closes(name: str) -> bool:
    """Whether it takes away what has come up, and agrees to nothing."""
    return _CLOSED.fullmatch(name.strip()) is not None
