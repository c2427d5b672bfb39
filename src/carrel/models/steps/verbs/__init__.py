"""One module for each kind of verb; a verb carries out one kind of step and sees to its effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from carrel.models.steps import program
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Step
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.clipboard import copy, paste
from carrel.models.steps.verbs.commands import run
from carrel.models.steps.verbs.computing import answer, compute
from carrel.models.steps.verbs.dates import pick_date
from carrel.models.steps.verbs.dragging import drag, resize, sort
from carrel.models.steps.verbs.drawing import draw
from carrel.models.steps.verbs.entering import clear, enter, submit
from carrel.models.steps.verbs.finding import complete, expand, find_thing
from carrel.models.steps.verbs.forms import fill
from carrel.models.steps.verbs.highlighting import change, highlight
from carrel.models.steps.verbs.in_entries import or_in_entry
from carrel.models.steps.verbs.launching import open_
from carrel.models.steps.verbs.looking import check, let, read, wait
from carrel.models.steps.verbs.page_lengths import or_page_length
from carrel.models.steps.verbs.pages import go_to, navigate
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.pointing import point, press
from carrel.models.steps.verbs.scrolling import scroll
from carrel.models.steps.verbs.several_entries import or_entries
from carrel.models.steps.verbs.split_buttons import or_by_split_button
from carrel.models.steps.verbs.stretching import set_ends
from carrel.models.steps.verbs.ticking import tick
from carrel.models.steps.verbs.times import pick_time
from carrel.models.steps.verbs.windows import close, switch

__all__ = ["REPEATABLE", "Verb", "verb_of"]

Verb: TypeAlias = Callable[[Desk, Step], Turns[str | None]]
"""Carries a step out; what it comes to may be told in the report."""

_VERBS: Mapping[type[Step], Callable[..., Turns[str | None]]] = {
    program.Point: or_by_split_button(or_in_entry(point)),
    program.Press: press,
    program.Enter: or_in_entry(enter),
    program.Clear: or_in_entry(clear),
    program.Submit: submit,
    program.Choose: or_entries(or_in_entry(or_page_length(choose))),
    program.Tick: or_entries(or_in_entry(tick)),
    program.PickDate: or_in_entry(pick_date),
    program.PickTime: or_in_entry(pick_time),
    program.Complete: complete,
    program.Expand: expand,
    program.Fill: fill,
    program.Find: or_in_entry(find_thing),
    program.Compute: compute,
    program.Answer: answer,
    program.Perform: or_in_entry(perform),
    program.Draw: draw,
    program.Resize: resize,
    program.Sort: sort,
    program.SetValue: or_in_entry(or_page_length(set_ends)),
    program.Scroll: scroll,
    program.Drag: or_in_entry(drag),
    program.Highlight: highlight,
    program.Change: change,
    program.Wait: wait,
    program.Copy: copy,
    program.Paste: paste,
    program.SwitchTo: switch,
    program.CloseWindow: close,
    program.GoTo: go_to,
    program.Navigate: navigate,
    program.Open: or_in_entry(open_),
    program.Run: run,
    program.Read: read,
    program.Let: let,
    program.Check: check,
}

REPEATABLE: tuple[type[Step], ...] = (
    program.Clear,
    program.Tick,
    program.SetValue,
    program.PickDate,
    program.PickTime,
    program.Find,
    program.Compute,
    program.Wait,
    program.Copy,
    program.SwitchTo,
    program.GoTo,
    program.Read,
    program.Let,
    program.Check,
    program.Highlight,
)
"""Steps that may be done again after an interruption: doing them twice is doing them once."""


def verb_of(step: Step) -> Verb | None:
    """What carries a step out; None for what only orders others."""
    return cast("Verb | None", _VERBS.get(type(step)))
