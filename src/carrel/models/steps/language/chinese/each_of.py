"""What is said of each of several things at once: “A”和“B”的状态都是“C”."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE

__all__ = ["told_of_each"]

_HAN = r"[\u3400-\u9fff]"
_ONE = (
    rf"(?:(?:(?![和与及]){_HAN}){{0,4}}{QUOTE}(?:[这那]一?[行条个项])?|"
    rf"(?:(?![和与及的都]){_HAN}){{2,6}})"
)
_OF_EACH = re.compile(
    rf"(?P<list>{_ONE}(?:\s*[、，]\s*{_ONE})*\s*[和与及、]\s*{_ONE})"
    rf"(?:[这那]?[两二三四五六七八九十\d]+[个条行项位名人款件])?(?:{_HAN}{{0,3}})?的(?P<part>{_HAN}{{1,8}}?)"
    r"(?:现在|目前|应该?|也)*(?:都|均|全都|全部)(?:应该?|已经?)?(?P<rest>(?:是|为|变[为成]|显示|等于|不是|包含).+)"
)


def told_of_each(text: str) -> list[str]:
    """The claim of each thing by itself; none where it is not said of several.

    Args:
        text: A masked claim.
    """
    found = _OF_EACH.fullmatch(text.strip())
    if found is None:
        return []
    names = re.findall(_ONE, found["list"])
    return [f"{name}的{found['part']}{found['rest']}" for name in names]
