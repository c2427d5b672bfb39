"""A field that the step before has brought is the one that is meant where none is said."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element

from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.fields import only_field

FORM = [
    element(name, "entry", (20, 40 + 40 * n, 200, 24), "editable", "single line", value="")
    for n, name in enumerate(("Full name", "Phone"))
]
CODE = element("Voucher code", "entry", (20, 200, 200, 24), "editable", "single line", value="")


def test_the_field_that_has_come_is_meant() -> None:
    desk = desk_of(World(*FORM, CODE))
    desk.before_last = tuple(FORM)
    assert only_field(desk).name == "Voucher code"


@pytest.mark.parametrize("before", [(), (*FORM, CODE), tuple(FORM[:1])])
def test_else_it_has_to_be_said_which(before: tuple[object, ...]) -> None:
    desk = desk_of(World(*FORM, CODE))
    desk.before_last = before  # type: ignore[assignment]
    with pytest.raises(Missed, match="not said which field"):
        only_field(desk)
