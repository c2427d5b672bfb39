"""How many entries a page of a table shows: `25 entries per page`, 每页 20 条."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.program import Choose, SetValue
from carrel.models.steps.shown.panes import bring_into_view
from carrel.models.steps.shown.reading import chosen_of, field_value, options_of
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.made_up import choose_from_made_up
from carrel.models.steps.verbs.partly_called import drops_down
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["or_page_length"]

_COUNTED = r"entries|rows|items|results|records|lines"
_UNITS = r"[条行项个笔]"
_ASKED = re.compile(
    r"(?:(?P<n>\d{1,4})\s+)?(?:(?P<what>[a-z]+)\s+)?(?:per|on (?:each|every|one)|each|a)\s+page"
    rf"|每页(?:显示|展示)?的?\s*(?P<number>\d{{1,4}})?\s*(?:{_UNITS}?(?:记录|数据|结果)?数?量?)?",
    re.IGNORECASE,
)
_SAYS = re.compile(
    rf"\b(?:{_COUNTED}|per page|page (?:size|length))\b|/\s*page\b"
    rf"|每页|{_UNITS}\s*/\s*页|分页大小|显示{_UNITS}数",
    re.IGNORECASE,
)
"""What a drop-down says that is for the length of a page."""
_OPTION = re.compile(
    rf"(?:show|每页(?:显示)?|显示)?\s*(?P<n>\d{{1,4}})\s*(?:(?:{_COUNTED})?\s*(?:/|per)?\s*(?:page)?"
    rf"|{_UNITS}?(?:记录|数据)?\s*(?:/\s*页)?)",
    re.IGNORECASE,
)
_ALL = re.compile(r"all|show all|全部|所有", re.IGNORECASE)
BESIDE = 16
"""Pixels between a number and the words that it belongs to."""
_SET = (Kind.COMBO, Kind.FIELD, Kind.SPINNER, Kind.SLIDER)
S = TypeVar("S", Choose, SetValue)


@dataclass(frozen=True, slots=True)
class _Length:
    """So many of something on one page; what, where a word says it."""

    number: str
    what: str


def or_page_length(
    verb: Callable[[Desk, S], Turns[str | None]],
) -> Callable[[Desk, S], Turns[str | None]]:
    """A verb that takes the length of a page, where a step says just that, from its drop-down."""

    def carried_out(desk: Desk, step: S) -> Turns[str | None]:
        length = _length_of(desk, step)
        found = None if length is None else (yield from _drop_down_for(desk, length))
        button = _button_for(desk, length) if found is None and length is not None else None
        if button is not None and length is not None:
            yield from choose_from_made_up(desk, button, f'"{length.number}"')
            return None
        if found is None:
            return (yield from verb(desk, step))
        yield from choose_from_combo(desk, *found)
        return None

    return carried_out


def _length_of(desk: Desk, step: Choose | SetValue) -> _Length | None:
    """The length that a step says, where nothing on the screen has just the name it says."""
    if isinstance(step, SetValue):
        if step.what is None or step.relative or _is_called(desk, step.what, *_SET):
            return None
        return _asked(step.what, step.value)
    if step.path or len(step.options) != 1:
        return None
    (option,) = step.options
    if step.source is not None:
        return None if _is_called(desk, step.source, *_SET) else _asked(step.source, option)
    return None if _is_called(desk, option, Kind.OPTION) else _asked(option)


def _is_called(desk: Desk, phrase: str, *kinds: Kind) -> bool:
    """Whether something of these kinds has that name."""
    found = (resolve(desk, look_for(desk, wished(phrase, (kind,)))) for kind in kinds)
    return any(match is not None and kind_of(match.element) in kinds for match in found)


def _asked(phrase: str, number: str = "") -> _Length | None:
    """What a phrase says of the length of a page; the number may be said beside it."""
    bare = re.sub(r"^(?:the )?(?:number of )?", "", phrase.strip(), flags=re.IGNORECASE)
    found = _ASKED.fullmatch(bare)
    if found is None:
        return None
    said = found["n"] or found["number"] or ""
    given = re.fullmatch(rf"(\d{{1,4}})\s*{_UNITS}?", number.strip())
    if bool(said) == (given is not None):
        return None
    return _Length(said or (given[1] if given else ""), found["what"] or "")


def _drop_down_for(desk: Desk, length: _Length) -> Turns[tuple[Element, str] | None]:
    """The one drop-down for the length of a page that has the number, and its option for it."""
    yield from desk.again(0, why=f"which drop-down has {length.number}", hidden=True)
    saying = _saying(desk, desk.elements, length.what)
    if not saying and len(further := _saying(desk, desk.unseen, length.what)) == 1:
        # Who has looked at the end of a table has its head out of sight.
        yield from bring_into_view(desk, further[0])
        yield from desk.again(0, why=f"which drop-down has {length.number}", hidden=True)
        saying = _saying(desk, desk.elements, length.what)
    having: list[tuple[Element, str]] = []
    for drop in saying:
        now = same_as(desk.unseen, drop) or drop
        names = [e.name.strip() for e in options_of(now, desk.unseen)]
        option = _option_in(names, length.number) if names else _as_shown(desk, drop, length.number)
        if option is not None:
            having.append((same_as(desk.elements, drop) or drop, option))
    return having[0] if len(having) == 1 else None


def _button_for(desk: Desk, length: _Length) -> Element | None:
    """The one button with a number right beside the words for the length of a page."""
    texts = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.TEXT and e.box]
    texts = [e for e in texts if _SAYS.search(written_on(e))]
    found = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.BUTTON and e.box is not None and not is_disabled(e)
        if _OPTION.fullmatch(written_on(e).strip()) and any(_is_at(t, e) for t in texts)
    ]
    return found[0] if len(found) == 1 else None


def _is_at(text: Element, button: Element) -> bool:
    """Whether words stand in the line of a button, next to it."""
    own, at = text.box, button.box
    if own is None or at is None or not at.y <= own.center.y < at.bottom:
        return False
    return -BESIDE <= own.x - at.right <= BESIDE or -BESIDE <= at.x - own.right <= BESIDE


def _saying(desk: Desk, elements: Sequence[Element], what: str) -> list[Element]:
    """The drop-downs among them that say that they are for the length of a page."""
    drops = [e for e in part_meant(elements, "") if drops_down(e) and not is_disabled(e)]
    return [e for e in drops if _is_for_length(desk, e, elements, what)]


def _is_for_length(desk: Desk, drop: Element, elements: Sequence[Element], what: str) -> bool:
    label = label_of(drop, elements)
    said = f"{drop.name} {written_on(label) if label is not None else ''}"
    own = what and re.search(rf"\b{re.escape(what)}\b", said, re.IGNORECASE)
    return bool(own or _SAYS.search(f"{said} {_shown(desk, drop)}"))


def _shown(desk: Desk, drop: Element) -> str:
    return chosen_of(drop, desk.elements) or field_value(drop)


def _option_in(names: list[str], number: str) -> str | None:
    """The one option that is the number, where all are such numbers."""
    told = [_OPTION.fullmatch(name) for name in names if not _ALL.fullmatch(name)]
    fitting = [one[0] for one in told if one is not None and one["n"] == number]
    return fitting[0] if all(told) and len(fitting) == 1 else None


def _as_shown(desk: Desk, drop: Element, number: str) -> str | None:
    """What the option would be called, of one that tells its options only when it is open."""
    shown = _OPTION.fullmatch(_shown(desk, drop).strip())
    return None if shown is None else shown[0].replace(shown["n"], number, 1)
