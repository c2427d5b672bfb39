"""An application's own verbs: find the thing, what the screen offers under the verb, fill it in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.ground import ground, look_for, resolve, wished
from carrel.models.steps.program import Perform
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import empty_fields, fields_of, put
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import CONTROLS, Kind, is_disabled, is_field, kind_of

__all__ = ["perform"]

_KINDS = (Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.MENU_ITEM, Kind.IMAGE)

_ALSO: Mapping[str, str] = {
    "delete": r"delete|remove|trash|discard|删除|移除",
    "remove": r"remove|delete|trash|删除|移除",
    "forward": r"forward|转发",
    "reply": r"reply|respond|answer|回复",
    "star": r"star|favou?rite|important|important|收藏|星标",
    "like": r"like|favou?rite|点赞|喜欢",
    "share": r"share|retweet|分享|转发",
    "search": r"search|find|go|搜索|查找",
    "log in": r"log ?in|sign ?in|登录",
    "sign in": r"sign ?in|log ?in|登录",
    "book": r"book|reserve|预订",
    "buy": r"buy|add to (?:cart|basket)|order|购买",
    "send": r"send|submit|发送",
    "add": r"add|new|create|\+|添加|新建",
    "create": r"create|new|add|\+|新建|创建",
    "save": r"save|保存",
    "edit": r"edit|change|编辑",
    "archive": r"archive|归档",
    "close": r"close|dismiss|×|✕|关闭",
    "mute": r"mute|静音",
    "block": r"block|屏蔽",
    "report": r"report|举报",
    "follow": r"follow|关注",
}
_FINISH = re.compile(
    r"^(?:send|submit|ok|okay|save|done|confirm|search|go|发送|提交|确定)\b", re.IGNORECASE
)
_TO = re.compile(r"^(?:to|for|recipient)$", re.IGNORECASE)


def perform(desk: Desk, step: Perform) -> Turns[str | None]:
    """Do it as the application offers it."""
    if step.what is not None and (yield from _is_there(desk, step.what)):
        yield from _use_on(desk, step)
    elif step.details and _field_for(desk, step.details[0][0]) is not None:
        # The form is open already: filled first, then finished with the verb.
        yield from _fill(desk, step)
        yield from _finish(desk, step.verb)
        return None
    else:
        yield from _use(desk, step.verb, None)
    if step.details:
        yield from _fill(desk, step)
        yield from _finish(desk, step.verb)
    return None


def _is_there(desk: Desk, phrase: str) -> Turns[bool]:
    match = yield from ground(desk, phrase, want="read")
    desk.worked = match.element.box
    return True


def _use_on(desk: Desk, step: Perform) -> Turns[None]:
    """The verb's control next to the thing, or behind it."""
    assert step.what is not None
    if (yield from _use(desk, step.verb, "near", optional=True)):
        return
    match = yield from ground(desk, step.what)
    why = f"open {named(match.element)}: {step.verb} is not next to it"
    yield from desk.do(Click(match.point.x, match.point.y), why=why, commits=False)
    yield from desk.again(0.2, why="it is opening")
    yield from _use(desk, step.verb, None)


def _use(desk: Desk, verb: str, where: str | None, *, optional: bool = False) -> Turns[bool]:
    """Click what stands for a verb."""
    control = _control(desk, verb, near=where == "near")
    if control is None and not optional and (yield from desk.closer()):
        control = _control(desk, verb, near=False)
    if control is None and optional:
        return False
    if control is None:
        match = yield from ground(desk, verb)
        control = match.element
    assert control.box is not None
    at = control.box.center
    yield from desk.do(Click(at.x, at.y), why=f"{named(control)} stands for {verb}")
    return True


def _control(desk: Desk, verb: str, *, near: bool) -> Element | None:
    """The one control that is named for a verb; `near` where the work is going on."""
    words = verb.casefold()
    pattern = re.compile(rf"^\W*(?:{_ALSO.get(words, re.escape(words))})\b", re.IGNORECASE)
    fitting = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) in _KINDS and e.box is not None and not is_disabled(e)
        if pattern.match(e.name.strip())
    ]
    if near:
        fitting = _same_part(desk, fitting)
    elif len(fitting) > 1:
        fitting = _same_part(desk, fitting) or fitting
    return fitting[0] if len(fitting) == 1 else None


def _same_part(desk: Desk, fitting: list[Element]) -> list[Element]:
    """Those in the smallest part of the screen that holds the thing and a control of its own."""
    worked = desk.worked
    if worked is None:
        return []
    boxes = [e.box for e in desk.elements if e.box is not None and within(worked, e.box)]
    for part in sorted(boxes, key=lambda box: box.area):
        if part.height > max(160, 4 * worked.height):
            return []
        held = [e for e in fitting if within(e.box, part)]
        if held:
            return held
    return []


# Filling in


def _fill(desk: Desk, step: Perform) -> Turns[None]:
    """Put every particular into the field that is labelled for it."""
    for word, text in step.details:
        field = _field_for(desk, word)
        for pause in (0.2, 0.5):
            if field is not None:
                break
            yield from desk.again(pause, why=f"where {word!r} goes")
            field = _field_for(desk, word)
        if field is None:
            listed = ", ".join(map(named, fields_of(desk))) or "none"
            raise Missed(f"no field for {word} {text!r}; fields: {listed}")
        yield from put(desk, field, text, why=f"for {word!r}")
        yield from _take_suggestion(desk, field, text)


def _field_for(desk: Desk, word: str) -> Element | None:
    """The field of a label; for a mere text the one that is left."""
    wish = wished(_label(word), (Kind.FIELD,))
    match = resolve(desk, look_for(desk, wish, want="type"))
    if match is not None and is_field(match.element):
        return match.element
    if re.search(r"text|message|body|saying|with|内容", word, re.IGNORECASE):
        empty = empty_fields(desk)
        many = [e for e in empty if "multi line" in e.states]
        if len(many) == 1 or len(empty) == 1:
            return (many if len(many) == 1 else empty)[0]
    return None


def _label(word: str) -> str:
    if _TO.match(word):
        return "To"
    cleaned = re.sub(r"^(?:with|and|by|as)?\s*(?:the|a|an)?\s*", "", word, flags=re.IGNORECASE)
    return cleaned or word


def _take_suggestion(desk: Desk, field: Element, text: str) -> Turns[None]:
    """A list that comes up under the field wants the entry to be taken from it."""
    for element in desk.elements:
        if kind_of(element) not in (Kind.OPTION, Kind.MENU_ITEM) or element.box is None:
            continue
        below = field.box is not None and 0 <= element.box.y - field.box.bottom < 300
        if below and text.casefold() in element.name.casefold():
            at = element.box.center
            yield from desk.do(Click(at.x, at.y), why=f"take {named(element)}")
            return


def _finish(desk: Desk, verb: str) -> Turns[None]:
    """The button that ends it: named for the verb, or for ending."""
    control = _control(desk, verb, near=False)
    if control is None:
        buttons = [
            e
            for e in part_meant(desk.elements, "")
            if kind_of(e) in CONTROLS and e.box is not None and _FINISH.match(e.name.strip())
        ]
        control = buttons[0] if len(buttons) == 1 else None
    if control is None or control.box is None:
        raise Missed(f"no control to finish {verb!r} with")
    at = control.box.center
    yield from desk.do(Click(at.x, at.y), why=f"finish with {named(control)}", last=True)
