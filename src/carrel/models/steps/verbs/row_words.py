"""The one control of an entry, by the entry and the letters of its verb: 给 3 号投一票 is 投票."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.layout.runs import run_of
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["by_row_words"]

_HAN = re.compile(r"[\u3400-\u9fff]")
_VERB = re.compile(r"[^\u3400-\u9fff]*(?P<verb>[\u3400-\u9fff]{2,6})[^\u3400-\u9fff]*")
_QUOTED = re.compile(r"[\"“「]([^\"“”「」]+)[\"”」]")
_NOT = re.compile(r"[不别勿未]|取消|撤|解除")
_KINDS = (Kind.BUTTON, Kind.LINK)


@dataclass(frozen=True, slots=True)
class _Fit:
    """A control of an entry that is named, and what of the entry was said."""

    control: Element
    said: tuple[str, ...]
    whole: bool

    @property
    def rank(self) -> tuple[bool, int]:
        return self.whole, sum(map(len, self.said))


def by_row_words(desk: Desk, said: str) -> Turns[bool]:
    """Press the control of the one entry that a deed names; whether there is one.

    Args:
        desk: Where that is.
        said: The deed, in the person's words.
    """
    meant = _meant(desk, said)
    if meant is None or meant.control.box is None:
        return False
    if modal_over(desk.elements, meant.control) is not None:
        return False
    if not meant.whole:
        desk.doubt(f"{named(meant.control)} is the only control of what is named")
    at = meant.control.box.center
    why = f"{named(meant.control)}, of the entry with {', '.join(meant.said)}"
    yield from desk.do(Click(at.x, at.y), why=why, last=True)
    yield from desk.effect()
    return True


def _meant(desk: Desk, said: str) -> _Fit | None:
    if not _HAN.search(said):
        return None
    tree, plain = lineage_of(tuple(desk.elements)), _plain(said)
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None and e.box.area]
    controls = [e for e in shown if kind_of(e) in _KINDS and _VERB.fullmatch(written_on(e).strip())]
    names = Counter(written_on(e).strip() for e in controls)
    repeated = [e for e in controls if names[written_on(e).strip()] > 1]
    quoted = [_plain(text) for text in _QUOTED.findall(said)]
    fits: list[_Fit] = []
    for control in repeated:
        like = [e for e in repeated if written_on(e) == written_on(control)]
        own = _said_of(desk, tree, control, like, plain)
        if own and not is_disabled(control) and all(q in own for q in quoted):
            fits += _fit(control, own, plain, alone=len(names) == 1)
    best = max((fit.rank for fit in fits), default=None)
    meant = [fit for fit in fits if fit.rank == best]
    return meant[0] if len(meant) == 1 else None


def _fit(control: Element, own: tuple[str, ...], plain: str, *, alone: bool) -> list[_Fit]:
    rest = plain
    for text in sorted(own, key=len, reverse=True):
        rest = rest.replace(text, " ", 1)
    found = _VERB.fullmatch(written_on(control).strip())
    verb = found["verb"] if found is not None else ""
    if bool(_NOT.search(verb)) is not bool(_NOT.search(rest)):
        return []
    if re.search(".*".join(verb), rest):
        return [_Fit(control, own, whole=True)]
    return [_Fit(control, own, whole=False)] if alone and verb[-1] in rest else []


def _said_of(
    desk: Desk, tree: Lineage, control: Element, like: Sequence[Element], plain: str
) -> tuple[str, ...]:
    """The texts of an entry that were said, where one of them is of this entry alone."""
    mine = _texts(desk, tree, control, like)
    others = {t for e in like if e.id != control.id for t in _texts(desk, tree, e, like)}
    told = tuple(text for text in mine if len(text) > 1 and text in plain)
    return told if any(text not in others for text in told) else ()


def _texts(desk: Desk, tree: Lineage, control: Element, like: Sequence[Element]) -> list[str]:
    """What is written in the entry of a control: the largest part that holds none of the others."""
    ids, inside = {e.id for e in like if e.id != control.id}, list[Element]()
    for holder in tree.above(control):
        held = tree.below(holder)
        if holder.role == "document web" or any(e.id in ids for e in held):
            break
        inside = list(held)
    if len(inside) < 2 and (run := run_of(desk.elements, control)) is not None:
        inside = [x for e in run for x in (e, *tree.below(e))]
    kinds = (Kind.TEXT, Kind.HEADING, Kind.CELL)
    texts = [written_on(e) for e in inside if kind_of(e) in kinds and e.id != control.id]
    return list(dict.fromkeys(_plain(text) for text in texts if text.strip()))


def _plain(text: str) -> str:
    return re.sub(r"[\s《》\"“”「」]", "", fold(text))
