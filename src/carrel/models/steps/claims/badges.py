"""The small number beside a name: how many are unread in a folder, how much is in the cart."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.reading import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["badge_of", "badged_name"]

_SORT = r"(?:(?:unread|red|small|notification|number|count|counter) )*(?:badge|unread count|bubble)"
_BADGE = re.compile(
    rf"(?:the |an? |any )?(?:{_SORT} (?:next to|beside|on|of|at|for|behind) (?:the )?(?P<of>.+?)"
    rf"(?: (?:link|icon|button|folder|tab|menu item|entry))?|(?P<name>.+?) {_SORT})"
    r"|(?:(?:页面)?[左右顶上][侧边部方]?的?(?:菜单|导航栏?|侧边?栏)?(?:里|中)?的?)?(?P<named>[^的]+?)(?:图标|按钮|菜单|文件夹|标签页?)?"
    r"(?:(?:旁边?|右侧|右边|后面|后边|右上角|上方?|上面)的?(?:未读|红色?的?|小|那个)*"
    r"(?:数字|角标|徽标|徽章|计数|数目|气泡|红点|个数|数)|的?(?:角标|徽标|徽章)|"
    r"(?:里|中)?的?未读(?:邮件|消息|信息|通知)?(?:数量?|数目|个数|条数|封数))"
    r"|(?:[左右][侧边]的?)?(?P<quoted>[\"“][^\"”]+[\"”])的(?:数量|个数|条数|封数|数目)",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d{1,4}\+?")


def badged_name(phrase: str) -> str | None:
    """What has the badge that is meant; None where no badge is."""
    found = _BADGE.fullmatch(phrase.strip())
    said = next(filter(None, found.groups()), "") if found else ""
    return said.strip("\"“”'") or None


def badge_of(desk: Desk, name: str) -> tuple[bool, Element | None]:
    """Whether the name is to be seen, and the one number that stands with it in the same thing."""
    tree = Lineage(tuple(part_meant(desk.elements, "")))
    texts = [e for e in tree.elements if kind_of(e) is Kind.TEXT and not tree.below(e)]
    named = [e for e in texts if fold(written_on(e)) == fold(name)]
    found: list[Element] = []
    for one in named:
        beside = [e for e in texts if e.parent == one.parent and _FIGURE.fullmatch(_said(e))]
        beside = beside if len(beside) < 2 else _next_to(one, texts)
        found += beside if len(beside) == 1 else []
    if not named:
        own = [e for e in tree.elements if _numbered(written_on(e), name) is not None]
        figures = {_numbered(written_on(e), name) for e in own}
        told = [replace(own[0], name=figures.pop() or "")] if len(figures) == 1 else []
        return bool(own), told[0] if told else None
    return True, found[0] if len(found) == 1 else None


def _numbered(text: str, name: str) -> str | None:
    """The number that stands behind a name in one text: 收件箱 (3); None for any other text."""
    found = re.fullmatch(
        rf"{re.escape(fold(name))}\s*[(（\[]?\s*(\d{{1,4}}\+?)\s*[)）\]]?", fold(text)
    )
    return found[1] if found else None


def _next_to(name: Element, texts: list[Element]) -> list[Element]:
    """The number that follows a name in its line, where no other words stand between them."""
    at = name.box
    line = [
        e
        for e in texts
        if at is not None and e.box is not None and e.box.x >= at.right
        if abs(e.box.center.y - at.center.y) <= at.height // 2
    ]
    first = min(line, key=lambda e: e.box.x if e.box else 0, default=None)
    return [first] if first is not None and _FIGURE.fullmatch(_said(first)) else []


def _said(element: Element) -> str:
    return written_on(element).strip()
