"""Chinese manners and connecting words, which ask for nothing themselves."""

from __future__ import annotations

import re

from carrel.models.steps.language.heads_zh import VERBS

__all__ = ["bare_zh"]

_MANNERS = re.compile(
    r"^(?:用鼠标(?=[把将点单双右拖])|请(?![假求购款帖教])你?|麻烦你?|帮我|帮忙|劳驾|你好|您好|谢谢|首先|第[一二三四五六七八九十\d]+步|其次|接下来|紧接着|接着|然后|之后|随后|最后|最终|再(?:次|一次)?|并且|并|同时|一直(?=[往向滚翻滑])|依次|逐个|逐一|挨个|分别|直接|此外|顺便|现在|我要|我想|"
    r"你需要|需要|我们|给我|先|而后|就|另外|\d+[.、)）]|[-*•])[\s，,：:！!]*"
)
_TAIL = re.compile(
    r"(?:谢谢你?|吧|即可|好吗|可以吗|行吗|就行|就好|就可以了?)?[\s。.！!？?；;，,、]*$"
)


def bare_zh(text: str) -> str:
    """Without manners and connecting words at the ends."""
    text = text.strip()
    while True:
        shorter = _TAIL.sub("", _MANNERS.sub("", text)).strip()
        if shorter == text or not shorter:
            return text if not shorter and VERBS.match(text) else shorter
        text = shorter
