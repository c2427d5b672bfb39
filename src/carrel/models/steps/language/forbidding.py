"""What shall not be done: it asks for nothing, as long as no step does it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Choose, Perform, Point, Press, Step, Submit, Tick, Unclear

__all__ = ["without_forbidden"]


def without_forbidden(steps: Sequence[Step], talk: Talk) -> list[Step]:
    """The steps without the prohibitions that they keep to anyway.

    A prohibition that stands alone, or that a step may break, stays unclear.
    """
    refused = [unclear for unclear, _ in talk.forbidden]
    wished = [step for step in steps if step not in refused]
    if not wished:
        return list(steps)
    kept = [unclear for unclear, acts in talk.forbidden if _keeps_to(wished, acts)]
    return [step for step in steps if step not in kept]


def _keeps_to(steps: Sequence[Step], acts: Sequence[Step]) -> bool:
    """Whether none of the steps can do what the acts would."""
    if not acts or any(isinstance(step, Unclear) for step in (*steps, *acts)):
        return False
    if all(isinstance(act, Submit) for act in acts):
        return not any(_may_submit(step) for step in steps)
    if all(isinstance(act, Press) for act in acts):
        keys = {key for act in acts if isinstance(act, Press) for key in act.chords}
        pressed = {key for step in steps if isinstance(step, Press) for key in step.chords}
        return not keys & pressed and not any(isinstance(step, Submit) for step in steps)
    if all(isinstance(act, Perform) for act in acts):
        return not any(_may_perform(step, act) for step in steps for act in acts)
    names = {name for act in acts for name in _named(act)}
    if not names or not all(_named(act) for act in acts):
        return False
    return not names & {name for step in steps for name in _named(step)}


def _may_perform(step: Step, act: Step) -> bool:
    verb = act.verb.split()[0] if isinstance(act, Perform) else ""
    if isinstance(step, Perform):
        return step.verb.split()[0] == verb
    return isinstance(step, Submit | Press) or any(verb in name for name in _named(step))


def _may_submit(step: Step) -> bool:
    pressed = isinstance(step, Press) and "enter" in step.chords
    named = any(re.search(r"submit|send|提交|发送", name) for name in _named(step))
    return isinstance(step, Submit) or pressed or named


def _named(step: Step) -> set[str]:
    """What a step clicks or chooses, by name."""
    if isinstance(step, Point):
        names: tuple[str, ...] = (step.what,)
    elif isinstance(step, Choose):
        names = step.options
    else:
        names = step.what if isinstance(step, Tick) else ()
    return {
        re.sub(r"^the |\"| (?:button|link|box|option)$|按钮$", "", name).lower() for name in names
    }
