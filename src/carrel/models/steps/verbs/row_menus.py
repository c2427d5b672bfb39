"""The menu at a row's end: ⋯ of the entry that a step names, and in it what the step says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.layout.runs import run_of
from carrel.models.steps.phrases.small_words import GRAMMAR
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["by_row_menu"]

_MORE = re.compile(
    r"(?:[⋯…⋮︙︰•·]{1,3}|\.{3})|更多(?:操作|选项)?|more(?: options| actions)?|options|actions",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“「『]([^\"“”「」『』]+)[\"”」』]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_MARKING = re.compile(
    r"^(?:标记?[为成]|设置?[为成]|移(?:动)?[到至]|加[入到]|添加到|mark as |move to |add to )",
    re.IGNORECASE,
)
"""How the name of an entry of a menu begins, where the rest says all of it."""
_SMALL_ZH = re.compile(
    r"[，。,.!！]|请|帮我|把|将|给|对|与|和|跟|的|那|这|[一两]?[封条个项张件位份]|聊天|对话|会话|邮件|消息(?!免)|文件|记录|"
    r"标记?[为成]|设置?[为成]|设|移动?[到至]|加[入到]|了|一下|再|并|然后|最后|先|掉|里|中|去"
)
_NOT = re.compile(r"取消|解除|关闭|不(?!再提醒)|\b(?:un|not |remove |cancel )", re.IGNORECASE)
COMING = (0.0, 0.3, 0.6)
"""Seconds between looks for the menu."""
LONGEST = 24
"""Letters of an entry of a menu, at most."""


def by_row_menu(desk: Desk, said: str) -> Turns[bool]:
    """Do what a step says by the menu of the one entry that it names; whether it offers that.

    Args:
        desk: Where that is.
        said: The step, in the person's words.

    Raises:
        Missed: The menu was opened, and does not offer it.
    """
    meant = _entry_meant(desk, said)
    if meant is None:
        return False
    button, rest = meant
    if not rest or button.box is None or modal_over(desk.elements, button) is not None:
        return False
    before = {_told(e) for e in desk.elements}
    at = button.box.center
    yield from desk.do(
        Click(at.x, at.y), why=f"open the menu of its row: {named(button)}", commits=False
    )
    new: list[Element] = []
    for pause in COMING:
        if pause:
            yield from desk.again(pause, why="what its menu offers")
        new = [e for e in _shown(desk) if _told(e) not in before and _may_be_taken(e)]
        if (entry := _said_by(new, rest)) is not None and entry.box is not None:
            place = entry.box.center
            yield from desk.do(
                Click(place.x, place.y), why=f"{named(entry)} of its menu", last=True
            )
            yield from desk.effect()
            return True
    offered = ", ".join(written_on(e) for e in new) or "nothing"
    yield from desk.attempt(Key(("escape",)), why="leave the menu", commits=False)
    raise Missed(f"the menu of its row does not say “{rest}”; it offers {offered}")


def _entry_meant(desk: Desk, said: str) -> tuple[Element, str] | None:
    """The menu button of the one entry that is named, and the words that are left for the menu."""
    tree = lineage_of(tuple(desk.elements))
    buttons = [e for e in _shown(desk) if _opens_menu(e)]
    quoted = _QUOTED.findall(said)
    fitting: dict[str, tuple[Element, str]] = {}
    texts = [list(_texts_with(desk, tree, button, buttons)) for button in buttons]
    for at, button in enumerate(buttons):
        others = {text for n, listed in enumerate(texts) if n != at for text in listed}
        own = [text for text in texts[at] if text not in others and _is_named(text, said, quoted)]
        if own:
            fitting[button.id] = button, max(own, key=len)
    if len(fitting) != 1:
        return None
    button, name = next(iter(fitting.values()))
    return button, _QUOTED.sub(lambda q: " " if fold(q[1]) == name else q[0], said).replace(
        name, " "
    )


def _texts_with(
    desk: Desk, tree: Lineage, button: Element, buttons: Sequence[Element]
) -> Iterator[str]:
    """What is written in the entry of a button: the largest part that holds no other of them."""
    ids = {e.id for e in buttons}
    inside: Sequence[Element] = ()
    for holder in tree.above(button):
        held = tree.below(holder)
        if any(e.id in ids and e.id != button.id for e in held) or holder.role == "document web":
            break
        inside = held
    if not any(_is_text(e) for e in inside) and (run := run_of(desk.elements, button)) is not None:
        inside = [x for e in run for x in (e, *tree.below(e))]
    if not any(_is_text(e) and e.id != button.id for e in inside):
        # A row that nothing holds is what stands in one line with it.
        inside = [e for e in _shown(desk) if _is_on_line(e, button)]
    yield from dict.fromkeys(fold(written_on(e)) for e in inside if _is_text(e))


def _is_on_line(element: Element, button: Element) -> bool:
    a, b = element.box, button.box
    return a is not None and b is not None and a.right <= b.x and b.y <= a.center.y < b.bottom


def _is_text(element: Element) -> bool:
    kinds = (Kind.TEXT, Kind.HEADING, Kind.LINK, Kind.CELL)
    return kind_of(element) in kinds and bool(written_on(element).strip())


def _is_named(text: str, said: str, quoted: Sequence[str]) -> bool:
    """Whether a text of an entry is said: in quotes, or in so many words."""
    if quoted:
        return text in map(fold, quoted)
    if _HAN.search(text):
        return len(text) > 1 and text in fold(said)
    return len(text) > 2 and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", fold(said)) is not None


def _opens_menu(element: Element) -> bool:
    pressed = kind_of(element) in (Kind.BUTTON, Kind.LINK, Kind.TEXT, Kind.ICON)
    return pressed and not is_disabled(element) and bool(_MORE.fullmatch(written_on(element)))


def _shown(desk: Desk) -> list[Element]:
    return [e for e in part_meant(desk.elements, "") if e.box is not None and e.box.area]


def _told(element: Element) -> tuple[object, ...]:
    return element.role, written_on(element), element.box


def _may_be_taken(element: Element) -> bool:
    kinds = (Kind.TEXT, Kind.MENU_ITEM, Kind.BUTTON, Kind.LINK, Kind.OPTION)
    said = written_on(element).strip()
    return kind_of(element) in kinds and 0 < len(said) <= LONGEST and not is_disabled(element)


def _said_by(entries: Sequence[Element], rest: str) -> Element | None:
    """The one entry of a menu that the words left over say, the longest name first."""
    outer = [e for e in entries if not any(o is not e and within(o.box, e.box) for o in entries)]
    ranked = sorted(
        (e for e in outer if _all_said(written_on(e), rest)),
        key=lambda e: len(written_on(e)),
        reverse=True,
    )
    longest = [e for e in ranked if len(written_on(e)) == len(written_on(ranked[0]))]
    if len(longest) == 1:
        return longest[0]
    core = _SMALL_ZH.sub("", _QUOTED.sub(r"\1", rest)).strip()
    if ranked or len(core) < len("归档") or not _HAN.fullmatch(core[:1]):
        return None
    wider = [e for e in outer if core in written_on(e)]
    wider = [e for e in wider if bool(_NOT.search(written_on(e))) is bool(_NOT.search(rest))]
    return wider[0] if len(wider) == 1 else None


def _all_said(name: str, rest: str) -> bool:
    """Whether the words left over say all of a name, in whatever order."""
    plain = _MARKING.sub("", fold(name).strip())
    if not plain or bool(_NOT.search(name)) is not bool(_NOT.search(rest)):
        return False
    if not _HAN.search(plain):
        return set(stems(plain)) - GRAMMAR <= set(stems(rest))
    if plain in fold(rest):
        return True
    pieces = [plain[at : at + 2] for at in range(0, len(plain), 2)]
    return len(plain) >= len("置顶聊天") and all(piece in fold(rest) for piece in pieces)
