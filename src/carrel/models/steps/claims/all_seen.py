"""What claims of absence rest on: that all of the screen was seen.

What is not found is not there only if everybody who was asked told everything. Where one was too
slow, or had more to tell than fits, another look may help; else nothing can be said. Where there
is nobody to ask (an application without accessibility, no reader of text), what the others tell
is all there will ever be: then it is said, in doubt. So it is where only the browser is silent, of
a page that never keeps still: the application's own tree has told the page, too.
"""

from __future__ import annotations

from carrel.models.steps.claims.whole_page import is_by_number
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import (
    Condition,
    Count,
    Every,
    Is,
    Not,
    Only,
    Said,
    Shows,
    Sorted,
    WindowOpen,
    Within,
)

__all__ = ["look_again", "not_all_seen", "rests_on_absence"]

PAUSE = 0.3
"""Seconds before another look at a screen that was not seen whole."""
NOT_ALL = "not all of the screen was seen"


def rests_on_absence(condition: Condition, so: bool = True) -> bool:
    """Whether that it is so, or not so, is known only from what was not found."""
    if isinstance(condition, Not):
        return rests_on_absence(condition.condition, not so)
    if isinstance(condition, Within):
        return rests_on_absence(condition.condition, so)
    if isinstance(condition, Every):
        return any(rests_on_absence(one, so) for one in condition.conditions)
    if isinstance(condition, Count):
        return condition.how == "equals" or so is (condition.how == "most")
    if isinstance(condition, Only | Sorted):
        return so
    if isinstance(condition, Is):
        return condition.state == "visible" and not so
    return isinstance(condition, Shows | Said | WindowOpen) and not so


def look_again(desk: Desk, condition: Condition) -> bool:
    """Whether another look may show what this one left out, of what the condition is about."""
    return any(not one.lasting for one in desk.seen.left_out) or _is_cut(desk, condition)


def not_all_seen(desk: Desk, condition: Condition) -> str | None:
    """Why nothing can be said of what was not found; None where that is gone for all one can see.

    What nobody will ever tell puts the step in doubt.
    """
    left_out = desk.seen.left_out
    late = [str(one) for one in left_out if not one.lasting and one.source != "browser"]
    if not late and _is_cut(desk, condition):
        late = ["tree: what is out of sight was not told to the end"]
    if late:
        return f"cannot tell: {NOT_ALL} ({'; '.join(late)})"
    if left_out:
        desk.doubt(f"{NOT_ALL} ({'; '.join(map(str, left_out))})")
    return None


def _is_cut(desk: Desk, condition: Condition) -> bool:
    """Whether what counts on all of a page was not told to its end."""
    return is_by_number(condition) and desk.unseen_cut
