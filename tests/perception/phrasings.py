"""Descriptions of things on a screen, made from its elements by templates.

Each phrasing says of one element what a person could say to mean just that one. Whether the words
do mean just that one is decided here, by plain rules over the elements that share nothing with the
code under test: a name is unique among what shows, an ordinal counts in rows, a neighbour is the
next thing of its kind in its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.geometry import Box

# What people call the roles; words on purpose not taken from the product's tables.
ENGLISH = {
    "push button": "button",
    "toggle button": "button",
    "check box": "checkbox",
    "radio button": "radio button",
    "link": "link",
    "page tab": "tab",
    "menu item": "menu item",
    "menu": "menu",
    "entry": "text field",
    "combo box": "dropdown",
    "slider": "slider",
    "spin button": "spin box",
    "heading": "heading",
    "list item": "list item",
    "table cell": "cell",
    "table column header": "column header",
}
CHINESE = {
    "push button": "按钮",
    "toggle button": "按钮",
    "check box": "复选框",
    "radio button": "单选按钮",
    "link": "链接",
    "page tab": "选项卡",
    "entry": "输入框",
    "combo box": "下拉框",
    "slider": "滑块",
    "heading": "标题",
}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
NUMERALS = "一二三四五六"


@dataclass(frozen=True)
class Phrasing:
    """Words for an element."""

    words: str
    element: Element
    template: str


def phrasings(elements: Sequence[Element]) -> Iterator[Phrasing]:
    """Everything that the templates can say about a screen."""
    shown = _Shown(elements)
    for element in shown.controls:
        for template in TEMPLATES:
            words = template(shown, element)
            if words is not None:
                yield Phrasing(words, element, template.__name__.strip("_"))


class _Shown:
    """What the templates need to know of a screen."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self.all = [e for e in elements if e.box is not None and e.box.area > 4]
        self.parents = {e.id: e.parent for e in elements}
        self.controls = [
            e for e in self.all if e.role in ENGLISH and _is_free(e) and not self._has_twin(e)
        ]

    def _has_twin(self, element: Element) -> bool:
        """Whether something else of its role lies at the very same place."""
        return any(
            other is not element and other.role == element.role and other.box == element.box
            for other in self.all
        )

    def is_unique(self, element: Element) -> bool:
        """Whether nothing but parts of it, or what holds it, has its name."""
        name = _flat(element.name)
        return bool(name) and not any(
            name in (_flat(other.name), _flat(other.value or ""))
            for other in self.all
            if other is not element and not self.related(element, other)
        )

    def related(self, one: Element, other: Element) -> bool:
        return self._above(one, other.id) or self._above(other, one.id)

    def _above(self, element: Element, wanted: str) -> bool:
        parent = self.parents.get(element.id)
        while parent is not None:
            if parent == wanted:
                return True
            parent = self.parents.get(parent)
        return False

    def peers(self, element: Element) -> list[Element]:
        """All of its kind, in rows."""
        word = ENGLISH[element.role]
        found = [e for e in self.all if ENGLISH.get(e.role) == word]
        return sorted(found, key=lambda e: (_box(e).y, _box(e).x))

    def in_page(self, element: Element) -> bool:
        """Whether it is in a web page, if there is one."""
        pages = [e.id for e in self.all if e.role == "document web"]
        return not pages or any(self._above(element, page) for page in pages)


def _is_free(element: Element) -> bool:
    return "enabled" in element.states or "sensitive" in element.states


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())


def _box(element: Element) -> Box:
    assert element.box is not None
    return element.box


def _sayable(shown: _Shown, element: Element) -> str | None:
    """A unique name that a person would say."""
    name = " ".join(element.name.split())
    fits = 2 <= len(name) <= 40 and any(char.isalpha() for char in name) and '"' not in name
    return name if fits and shown.is_unique(element) else None


def _bare_name(shown: _Shown, element: Element) -> str | None:
    return _sayable(shown, element)


def _quoted_with_kind(shown: _Shown, element: Element) -> str | None:
    name = _sayable(shown, element)
    return name and f'the "{name}" {ENGLISH[element.role]}'


def _kind_that_says(shown: _Shown, element: Element) -> str | None:
    name = _sayable(shown, element)
    return name and f"{ENGLISH[element.role]} that says “{name}”"


def _plain_with_kind(shown: _Shown, element: Element) -> str | None:
    name = _sayable(shown, element)
    return name and f"the {name} {ENGLISH[element.role]}"


def _lower_case(shown: _Shown, element: Element) -> str | None:
    name = _sayable(shown, element)
    return name and f"{name.lower()} {ENGLISH[element.role]}"


def _kind_called(shown: _Shown, element: Element) -> str | None:
    name = _sayable(shown, element)
    return name and f"the {ENGLISH[element.role]} called {name}"


def _chinese_quoted(shown: _Shown, element: Element) -> str | None:
    name = _sayable(shown, element)
    kind = CHINESE.get(element.role)
    return name and kind and f"“{name}”{kind}"


def _chinese_named(shown: _Shown, element: Element) -> str | None:
    name = _sayable(shown, element)
    kind = CHINESE.get(element.role)
    return name and kind and f"名为{name}的{kind}"


def _counted(shown: _Shown, element: Element) -> str | None:
    at = _place(shown, element)
    if at is None or at >= len(ORDINALS):
        return None
    return f"the {ORDINALS[at]} {ENGLISH[element.role]}"


def _counted_in_chinese(shown: _Shown, element: Element) -> str | None:
    at = _place(shown, element)
    kind = CHINESE.get(element.role)
    if at is None or at >= len(NUMERALS) or kind is None:
        return None
    return f"第{NUMERALS[at]}个{kind}"


def _last(shown: _Shown, element: Element) -> str | None:
    peers = _rows(shown, element)
    return f"the last {ENGLISH[element.role]}" if peers and peers[-1] is element else None


def _place(shown: _Shown, element: Element) -> int | None:
    peers = _rows(shown, element)
    return peers.index(element) if peers and element in peers else None


def _rows(shown: _Shown, element: Element) -> list[Element]:
    """Its kind in reading order, where nobody could count otherwise; else nothing."""
    peers = [e for e in shown.peers(element) if shown.in_page(e)]
    if element not in peers or len(peers) < 2:
        return []
    for one in peers:
        for other in peers:
            # Nested, or neither beside nor below each other: people count these as they like.
            if one is other:
                continue
            if _box(one).intersect(_box(other)) is not None:
                return []
            common = _common_rows(_box(one), _box(other))
            least = min(_box(one).height, _box(other).height)
            if 0.1 * least < common < 0.8 * least:
                return []
    return sorted(peers, key=lambda e: (round(_box(e).center.y / 12), _box(e).x))


def _common_rows(one: Box, other: Box) -> int:
    return min(one.bottom, other.bottom) - max(one.y, other.y)


def _right_neighbour(shown: _Shown, element: Element) -> str | None:
    """The next of its kind to the right of something with a unique name in the same row."""
    row = [
        e
        for e in shown.all
        if e.role in ENGLISH
        and e is not element
        and _common_rows(_box(e), _box(element)) > 0.8 * max(_box(e).height, _box(element).height)
        and not shown.related(e, element)
    ]
    row = sorted([*row, element], key=lambda e: _box(e).x)
    at = row.index(element)
    if at == 0:
        return None
    anchor = row[at - 1]
    name = _sayable(shown, anchor)
    gap = _box(element).x - _box(anchor).right
    if name is None or not 0 <= gap < 200:
        return None
    return f"the {ENGLISH[element.role]} to the right of {name}"


def _below_neighbour(shown: _Shown, element: Element) -> str | None:
    """The next below something with a unique name, with nothing else between or beside."""
    box = _box(element)
    over = [
        e
        for e in shown.all
        if e.role in ENGLISH
        and e is not element
        and not shown.related(e, element)
        and min(_box(e).right, box.right) - max(_box(e).x, box.x) > 0
        and _box(e).y < box.bottom
    ]
    anchor = max(over, key=lambda e: _box(e).bottom, default=None)
    if anchor is None or not 0 <= box.y - _box(anchor).bottom <= 60:
        return None
    others = [
        e
        for e in shown.all
        if e.role in ENGLISH
        and e is not element
        and not shown.related(e, element)
        and _common_rows(_box(e), box) > 0
        and min(_box(e).right, _box(anchor).right) - max(_box(e).x, _box(anchor).x) > 0
    ]
    name = _sayable(shown, anchor)
    apart = abs(_box(anchor).x - box.x) <= 2
    return (
        f'the {ENGLISH[element.role]} directly below "{name}"'
        if name and apart and not others
        else None
    )


def _inside_heading(shown: _Shown, element: Element) -> str | None:
    """A kind that occurs once in a named group or dialog."""
    name = _sayable(shown, element)
    parent = shown.parents.get(element.id)
    by_id = {e.id: e for e in shown.all}
    while parent is not None:
        holder = by_id.get(parent)
        if holder is not None and holder.role in ("dialog", "frame") and _sayable(shown, holder):
            return name and f"{name} in the window {holder.name}"
        parent = shown.parents.get(parent)
    return None


_Template = Callable[[_Shown, Element], str | None]
TEMPLATES: tuple[_Template, ...] = (
    _bare_name,
    _quoted_with_kind,
    _kind_that_says,
    _plain_with_kind,
    _lower_case,
    _kind_called,
    _chinese_quoted,
    _chinese_named,
    _counted,
    _counted_in_chinese,
    _last,
    _right_neighbour,
    _below_neighbour,
    _inside_heading,
)
