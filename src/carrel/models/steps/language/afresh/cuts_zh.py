"""Where a Chinese instruction of several parts is cut, so that each part is read for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["cut_zh"]

_HAN = re.compile(r"[\u3400-\u9fff]")
_REACHES = re.compile(
    r"如果|若|假如|要是|除非|否则|不然|一旦|只要|每(?!页)|重复|循环|一直|直到|反复|逐|不要|别(?!名)|请勿|除了|"
    r"当(?![前天日])|按住|的话|所有|全部|都"
)
"""Words whose reach over what follows is not told by a comma."""
_COMMA = re.compile(r"\s*[，,；;]\s*")
_THEN = re.compile(
    r"\s*[，,；;]?\s*(?:然后|接着|随后|最后)(?:再)?|\s*[，,；;]\s*再(?=[把将点按选填到去])"
)


def cut_zh(text: str) -> Iterator[str]:
    """The masked text as sentences of their own, one for each part; nothing where that may err.

    Args:
        text: Masked.
    """
    if not _HAN.search(text) or _REACHES.search(text) or not _COMMA.search(text):
        return
    yield _THEN.sub("。", text)
    yield _COMMA.sub("。", _THEN.sub("。", text))
