"""What has just come up to choose from, by words for only that: 弹出的菜单, the popup menu."""

from __future__ import annotations

import re

from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception.roles import Kind, kind_of

__all__ = ["SOURCE", "is_drawn_menu"]

SOURCE = (Kind.COMBO, Kind.LIST)
"""What options are chosen from."""
_LISTED = re.compile(
    r"(?:the |that |this )?(?:suggestions? |result )?list(?: that (?:opens|appears))?"
    r"|(?:建议)?列表",
    re.IGNORECASE,
)
_POPPED = re.compile(
    r"(?:the |that |this )?(?:context|popup|pop-up|right[- ]click|shortcut) menu"
    r"|(?:the |that )?menu that (?:opens|opened|appears|appeared|pops up|comes up)"
    r"|(?:(?:页面|屏幕)?(?:底部|下方|上方|顶部|右侧|左侧))?(?:弹出|打开|出现|跳出)来?的"
    r"(?:(?:右键|上下文|快捷|下拉|选择)?菜单|面板|弹层|选项|选择器|操作列表)"
    r"|(?:右键|上下文|快捷|弹出|底部)菜单",
    re.IGNORECASE,
)


def is_drawn_menu(desk: Desk, phrase: str) -> bool:
    """Whether it means what has just come up, drawn by a page that does not call it so."""
    if _LISTED.fullmatch(phrase.strip()):
        # What a field offers need not be called a list by its page; and what is only drawn tells
        # nothing of which of its parts is one.
        told = [e for e in part_meant(desk.elements, "") if e.source != "detector"]
        return not any(kind_of(e) in SOURCE for e in told)
    if _POPPED.fullmatch(phrase.strip()) is None:
        return False
    return not any(kind_of(e) is Kind.MENU for e in part_meant(desk.elements, ""))
