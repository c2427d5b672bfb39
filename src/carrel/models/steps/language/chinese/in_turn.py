"""Chinese words for one thing after another: 依次展开“A”“B”, 依次打开每个菜单项."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.chinese.point import QUOTED_PATH, Rule, all_of, thing
from carrel.models.steps.language.chinese.text import choose
from carrel.models.steps.language.english.pointer import PATH
from carrel.models.steps.language.talk import EACH, NotUnderstood, Talk, listed
from carrel.models.steps.program import Choose, Expand, ForEach, Point, Step

__all__ = ["IN_TURN"]


def _one_by_one(found: re.Match[str], talk: Talk) -> list[Step]:
    """依次展开“A”“B”: each by itself, in that order."""
    if found["verb"].startswith("选") and (
        QUOTED_PATH.search(found["rest"]) or re.search(r"[两三四五六\d]\s*[个项]", found["rest"])
    ):
        return choose(found, talk)
    items = listed(re.sub(rf"(?<={QUOTE})\s*(?={QUOTE})", "、", found["rest"]))
    if (every := all_of(found["rest"])) is not None:
        one = f"{{{EACH}}}"
        act: Step = {"展开": Expand(one), "选": Choose((one,))}.get(found["verb"][:2], Point(one))
        return [ForEach(EACH, (act,), every=thing(every, talk))]
    if len(items) < 2 and len(items := PATH.split(found["rest"].strip())) < 2:
        raise NotUnderstood("one after another, but it names only one")
    if found["verb"] == "展开":
        return [Expand(thing(item, talk)) for item in items]
    if found["verb"].startswith("选"):
        return [Choose((talk.phrase(item),)) for item in items]
    return [Point(talk.phrase(item)) for item in items]


IN_TURN: tuple[tuple[str, Rule], ...] = (
    (r"依次(?P<verb>选择|选中|选|展开|打开|点开)\s*(?P<rest>[^，,]+)", _one_by_one),
)
"""Rules, each with the words of a whole clause."""
