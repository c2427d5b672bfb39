"""Buttons that say what they choose, and drop a list: `Status: All ▾`, `10 ▾` rows per page.

To a page they are buttons. A person takes them for the drop-downs that they look like, and calls
them by the words before the choice that is shown on them, or by the words beside them.
"""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.made_up import choose_from_made_up
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["filter_by_menu", "menu_button_called", "menu_buttons"]

_NARROWS = frozenset({"filter", "show", "list", "view", "display", "narrow", "sort", "group"})
_SIGN = re.compile(r"\s*[▾▼▿▽⌄˅∨⏷🞃]\s*$")


def filter_by_menu(desk: Desk, step: Perform) -> Turns[bool]:
    """`Filter the orders by the status "On hold"`, by the button that is called Status."""
    if step.verb not in _NARROWS or len(step.details) != 1:
        return False
    label, value = step.details[0]
    button = menu_button_called(desk, label)
    if button is None:
        return False
    yield from choose_from_made_up(desk, button, f'"{value.strip("“”")}"')
    return True


def menu_button_called(desk: Desk, name: str) -> Element | None:
    """The one button that drops a list and is called so, whatever is chosen in it now."""
    wanted = fold(name).strip(" :")
    found = [e for e in menu_buttons(desk) if _title(e) == wanted]
    return found[0] if wanted and len(found) == 1 else None


def menu_buttons(desk: Desk) -> list[Element]:
    """Every button in use that tells, or shows, that it drops a list."""
    return [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.BUTTON and e.box is not None and not is_disabled(e)
        if "has popup" in e.states or _SIGN.search(written_on(e))
        if modal_over(desk.elements, e) is None
    ]


def _title(button: Element) -> str:
    """What it is called before the choice that it shows."""
    said = _SIGN.sub("", written_on(button))
    return fold(re.split(r"[:：]", said)[0]).strip()
