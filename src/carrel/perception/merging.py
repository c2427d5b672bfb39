"""One list of what is on the screen, whoever said so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from carrel.frames import Element, Source, Window
from carrel.geometry import Box, Size
from carrel.perception._answers import said_on_button
from carrel.perception._closed_lists import without_closed_lists
from carrel.perception._cover import HOLDERS, uncovered
from carrel.perception._drawn_tables import with_tables
from carrel.perception._grid import Grid
from carrel.perception._group_names import without_group_names
from carrel.perception._menu_bars import without_bars, without_twins
from carrel.perception._order import reading_order
from carrel.perception._rows import with_rows
from carrel.perception._stand_ins import (
    drawn_by_labels,
    with_boxes_in_cells,
    with_sliders,
    with_switches,
)
from carrel.perception._told_pages import without_false_fields
from carrel.perception._wrapping import narrowed
from carrel.perception.ocr import Line, Word

__all__ = ["as_elements", "merge"]

SAME = 0.6
"""How much two boxes must have in common to be the same control."""
LAID = 0.9
"""How much of a text must lie in the room for it."""
WITHIN = 0.6
"""How much of a text must lie on a control to be written on it."""
PAGE = 120
"""Pixels that a field is high at least which holds a whole text."""
LINES = 4
"""A control whose shape alone is known has less than so many lines of text."""
ROOMY = 4
"""An icon in something so many times larger may be a thing of its own."""
SLACK = 6
"""Pixels between the beginning of a line and that of a box to tick which was read with it."""
CLEAR = 0.9
"""A single letter that is read with less may be an icon."""
HAN_LINES = 3
"""With so many lines of Chinese on the screen a single character is one."""

_WHOLE_CONTROLS = frozenset(
    {
        "check box",
        "check menu item",
        "icon",
        "image",
        "link",
        "menu item",
        "page tab",
        "push button",
        "radio button",
        "radio menu item",
        "slider",
        "toggle button",
    }
)
"""One thing to click on, whatever is drawn inside."""

_ARROW = ("icon", "combo box")

TEXTS = frozenset({"block quote", "heading", "label", "paragraph", "static"})
"""Nothing but text, which may have been wrapped."""


def as_elements(lines: Sequence[Line]) -> tuple[Element, ...]:
    """Lines of text as elements of the screen: role `label`, with the text as name."""
    return tuple(
        _label(f"o{number}", line.text, line.box, line.confidence)
        for number, line in enumerate(lines, 1)
    )


def merge(
    groups: Mapping[Source, Sequence[Element]],
    size: Size,
    windows: Sequence[Window] = (),
    lines: Sequence[Line] | None = None,
) -> tuple[Element, ...]:
    """What is on the screen, each thing once, in reading order.

    A text on a control becomes the control's `text`; one on nothing is an element of its own. What
    is outside the screen, behind another window or under an open menu is dropped, and what of it
    is not, is reduced to the part that shows.

    Args:
        groups: By their source; ids need to differ only within one.
        size: Of the screen.
        windows: As the window manager lists them, the topmost last.
        lines: The text that was read, with its words; without it that of `groups["ocr"]`.
    """
    told = without_group_names(without_closed_lists(_named_apart("tree", groups)))
    tree = without_twins(list(uncovered(told, windows)))
    known = with_switches(with_sliders(drawn_by_labels(_on_screen(tree, size), tree)))
    known = with_boxes_in_cells(known)
    paged = drawn_by_labels(_on_screen(_named_apart("browser", groups), size), tree)
    known = _where_shown(known, paged)
    twins = _twins(paged, known)
    known += [e for e in paged if e.id not in twins]
    if lines is None:
        lines = [_as_line(element) for element in _named_apart("ocr", groups)]
    # The frame of a room for a text is known, though only the text itself is kept.
    framed = [*known, *(e for e in paged if e.id in twins and e.role in TEXTS)]
    seen = _bare(_on_screen(_named_apart("detector", groups), size), framed)
    seen = without_false_fields(seen, paged, windows)
    seen, lines = without_bars(seen, lines, windows)
    lines = [part for line in lines for part in _at_ticks(line, seen)]
    # A calendar that tells nothing of itself is lines of words, whatever shapes they have.
    drawn = [e.box for e in known if e.role == "calendar" and e.box is not None]
    seen = [e for e in seen if not any(e.box and e.box.intersect(box) == e.box for box in drawn)]
    found = with_tables(_Writing([*known, *_not_text(seen, lines)]).written(lines))
    return _with_parents(_in_order(_on_screen(with_rows(found), size)), groups, twins)


def _named_apart(source: Source, groups: Mapping[Source, Sequence[Element]]) -> list[Element]:
    """The elements of a source; ids of all but the tree begin with whose they are."""
    elements = groups.get(source, ())
    if source == "tree":
        return list(elements)
    return [
        replace(e, id=f"{source}-{e.id}", parent=e.parent and f"{source}-{e.parent}")
        for e in elements
    ]


def _on_screen(elements: Sequence[Element], size: Size) -> list[Element]:
    """Those that have a place on the screen, cut off at its edges."""
    whole = Box(0, 0, size.width, size.height)
    found = []
    for element in elements:
        box = element.box and element.box.intersect(whole)
        if box is not None:
            found.append(element if box == element.box else replace(element, box=box))
    return found


def _twins(paged: Sequence[Element], known: Sequence[Element]) -> dict[str, str]:
    """The ids of what the application tells, too, by those of what the browser tells."""
    grid = Grid(element.box for element in known)
    found = {}
    for element in paged:
        twin = _twin(element, [known[n] for n in grid.near(element.box)])
        if twin is not None:
            found[element.id] = twin.id
    return found


def _twin(element: Element, known: Sequence[Element]) -> Element | None:
    """What has been named at its place already: the application knows its own states better."""
    holds = element.role in HOLDERS
    best, likest = None, SAME
    for other in known:
        # Of equal ones the innermost comes last.
        if (other.role in HOLDERS) == holds and (alike := _alike(element, other)) >= likest:
            best, likest = other, alike
    if best is None and element.role in TEXTS and element.name:
        best = next((other for other in known if _is_same_text(element, other)), None)
    return best


def _is_same_text(element: Element, other: Element) -> bool:
    """Whether both are one text, of which one source tells the room it has, and one the letters."""
    if other.role not in TEXTS or max(_share(element, other), _share(other, element)) < LAID:
        return False
    return _plain(other.name) == _plain(element.name)


def _where_shown(known: Sequence[Element], paged: Sequence[Element]) -> list[Element]:
    """The elements, wrapped links with the boxes that the browser has of a part in one line."""
    grid = Grid(element.box for element in paged)
    return [
        _within_line(e, [paged[n] for n in grid.near(e.box)]) if e.role == "link" else e
        for e in known
    ]


def _within_line(element: Element, paged: Sequence[Element]) -> Element:
    """A wrapped link with the box that the browser has of its part within one line."""
    if element.role != "link" or not element.name or element.box is None:
        return element
    for other in paged:
        same = other.role == "link" and _plain(other.name) == _plain(element.name)
        lower = other.box is not None and other.box.height * 1.5 <= element.box.height
        if same and lower and _share(other, element) >= 0.9:
            return replace(element, box=other.box)
    return element


def _bare(seen: Sequence[Element], known: Sequence[Element]) -> list[Element]:
    """The shapes that are more than the picture of something that is known."""
    grid = Grid(element.box for element in known)
    return [e for e in seen if _is_bare(e, [known[n] for n in grid.near(e.box)])]


def _is_bare(element: Element, known: Sequence[Element]) -> bool:
    """Whether a shape is more than the picture of something that is known."""
    for other in known:
        if other.role in HOLDERS:
            continue
        if _alike(element, other) >= SAME:
            return False
        # The arrow on a drop-down is drawn on it, however long that is.
        whole = other.role in _WHOLE_CONTROLS or (element.role, other.role) == _ARROW
        if _share(element, other) >= 0.8 and (whole or _area(other) < ROOMY * _area(element)):
            return False
    return True


def _not_text(seen: Sequence[Element], lines: Sequence[Line]) -> list[Element]:
    """Shapes that are not just the outline of a text."""
    foreign = sum(_is_han(line.text) for line in lines) >= HAN_LINES
    read = [line.box for line in lines if not _is_sign(line, foreign=foreign)]
    return [
        e
        for e in seen
        if e.role not in ("icon", "image")
        or not any(e.box and _overlap(box, e.box) > 0.5 * e.box.area for box in read)
    ]


_TICK_SIGNS = "■□▢◆◇●○☑☐☒✓✔ "
"""What a box to tick is read as."""


def _at_ticks(line: Line, seen: Sequence[Element]) -> list[Line]:
    """A line in parts that each begin behind a box to tick, where it was read as one with those."""
    ticks = [e.box for e in seen if e.role in ("check box", "radio button") and e.box is not None]
    parts = [line]
    for box in sorted(ticks, key=lambda box: box.x):
        last = parts[-1]
        if not last.box.y <= box.center.y < last.box.bottom:
            continue
        if last.box.x - SLACK <= box.x <= last.box.x + SLACK:
            if last.box.right > box.right + box.width:
                parts[-1] = _behind(last, last.words, box)
            continue
        before = [word for word in last.words if word.box.center.x < box.x]
        after = [word for word in last.words if word.box.right > box.right + box.width]
        if before and after and len(before) + len(after) == len(last.words):
            left = replace(last, text=_joined(before), box=_around(before), words=tuple(before))
            right = replace(last, text=_joined(after), box=_around(after))
            parts[-1:] = [left, _behind(right, after, box)]
    return parts


def _behind(line: Line, words: Sequence[Word], box: Box) -> Line:
    """A line of some words, without what of it lies on a box to tick."""
    kept = tuple(replace(word, box=_right_of(word.box, box.right)) for word in words)
    text = line.text.lstrip(_TICK_SIGNS) or line.text
    return replace(line, text=text, box=_right_of(line.box, box.right), words=kept)


def _right_of(box: Box, x: int) -> Box:
    """What of a box is right of something, and never nothing."""
    left = min(max(box.x, x), box.right - 1)
    return Box(left, box.y, box.right - left, box.height)


def _is_sign(line: Line, *, foreign: bool) -> bool:
    """Whether it is a picture that looks like a character to a reader: ☰ like 三."""
    text = line.text.strip()
    if len(text) != 1 or (text.isascii() and text.isalnum() and line.confidence >= CLEAR):
        return False
    return not (foreign and _is_han(text))


def _is_han(text: str) -> bool:
    return any("\u2e80" <= character <= "\u9fff" for character in text)


class _Ranked:
    """Elements by where they are, in the order of who comes first."""

    def __init__(self, elements: Sequence[Element], order: Sequence[int]) -> None:
        self._order = order
        self._grid = Grid(elements[number].box for number in order)

    def near(self, box: Box) -> Iterator[int]:
        return (self._order[rank] for rank in self._grid.near(box))


class _Writing:
    """Puts texts on the controls they stand on."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self._elements = list(elements)
        # A text belongs to the innermost control, which of equal ones is the last.
        inner = sorted(range(len(elements)), key=lambda n: (_area(elements[n]), -n))
        self._controls = _Ranked(elements, [n for n in inner if elements[n].role not in HOLDERS])
        self._holders = _Ranked(elements, [n for n in inner if elements[n].role in HOLDERS])

    def written(self, lines: Sequence[Line]) -> list[Element]:
        """The elements with their texts, and the texts that stand for themselves."""
        texts: dict[int, list[Element]] = {}
        read: dict[int, list[list[Word]]] = {}
        labels: list[Element] = []
        for number, line in enumerate(lines, 1):
            for part, (control, words) in enumerate(self._parts(line)):
                whole = len(words) == len(line.words)
                text, box = (line.text, line.box) if whole else (_joined(words), _around(words))
                name = f"ocr-{number}" + (f".{part}" if part else "")
                label = _label(name, text, box, line.confidence)
                if control is not None:
                    texts.setdefault(control, []).append(label)
                    read.setdefault(control, []).append(words or [Word(text, box)])
                else:
                    labels.append(replace(label, parent=self._holder(box)))
        for control, parts in texts.items():
            labels += self._wrapped(self._elements[control], parts)
            self._elements[control] = narrowed(self._elements[control], read[control])
        return [self._with_text(n, texts.get(n)) for n in range(len(self._elements))] + labels

    def _wrapped(self, element: Element, parts: Sequence[Element]) -> list[Element]:
        """The lines of a text that has several: each is where it is, and not in the middle.

        A terminal has nothing but lines, and so has an editor that does not tell what it holds.
        """
        if element.role == "terminal" or _is_silent(element):
            return [replace(part, parent=element.id) for part in parts]
        if element.role not in TEXTS or not _stacked(parts):
            return []
        return [replace(part, parent=element.id) for part in parts]

    def _parts(self, line: Line) -> list[tuple[int | None, list[Word]]]:
        """The words of a line by the innermost control they stand on."""
        whole = self._control(line.box)
        if whole is None:
            whole = self._namesake(line)
        parts: list[tuple[int | None, list[Word]]] = []
        for word in line.words:
            control = self._control(word.box)
            if control is None:
                control = whole
            if parts and parts[-1][0] == control:
                parts[-1][1].append(word)
            else:
                parts.append((control, [word]))
        return parts or [(whole, [])]

    def _control(self, box: Box) -> int | None:
        for number in self._controls.near(box):
            element = self._elements[number]
            if element.box is None or _overlap(box, element.box) < WITHIN * box.area:
                continue
            # A shape much higher than a text is an area in which there may be more of it.
            if element.source != "detector" or box.height * LINES >= element.box.height:
                return number
        return None

    def _namesake(self, line: Line) -> int | None:
        """The control that says it has this text where the text is."""
        for number in self._controls.near(line.box):
            element = self._elements[number]
            said = {_plain(element.name), _plain(element.value or "")}
            if (
                element.box is not None
                and _plain(line.text) in said
                and element.box.contains(line.box.center)
            ):
                return number
        return None

    def _holder(self, box: Box) -> str | None:
        for number in self._holders.near(box):
            other = self._elements[number].box
            if other is not None and _overlap(box, other) >= WITHIN * box.area:
                return self._elements[number].id
        return None

    def _with_text(self, number: int, parts: Sequence[Element] | None) -> Element:
        element = self._elements[number]
        if not parts:
            return element
        texts = [part.text for part in parts]
        text = "\n".join(texts)
        if element.source != "detector" or element.name:
            return replace(element, text=text)
        if element.role in ("entry", "combo box"):
            return replace(element, text=text, value=text)
        said = " ".join(texts)
        name = said_on_button(said) if element.role in ("push button", "icon") else said
        return replace(element, text=text, name=name)


def _is_silent(element: Element) -> bool:
    """Whether it is written in over many lines, and does not tell what it holds."""
    tall = element.box is not None and element.box.height >= PAGE
    return element.role == "text" and tall and not element.value and element.source == "tree"


def _in_order(elements: Sequence[Element]) -> list[Element]:
    boxes = [element.box or Box(0, 0, 0, 0) for element in elements]
    return [elements[number] for number in reading_order(boxes)]


def _with_parents(
    elements: Sequence[Element],
    groups: Mapping[Source, Sequence[Element]],
    twins: Mapping[str, str],
) -> tuple[Element, ...]:
    """The same with the nearest ancestor that is in the list as parent.

    What only the browser names is in what the application names at the place of its parent.
    """
    above = {e.id: e.parent for source in groups for e in _named_apart(source, groups)}
    above |= twins
    here = {element.id for element in elements}
    found = []
    for element in elements:
        parent, steps = element.parent, 0
        while parent is not None and parent not in here and steps < 200:
            parent, steps = above.get(parent), steps + 1
        if parent not in here:
            parent = None
        found.append(element if parent == element.parent else replace(element, parent=parent))
    return tuple(found)


def _label(name: str, text: str, box: Box, sure: float) -> Element:
    return Element(name, "label", text, box=box, text=text, source="ocr", confidence=sure)


def _as_line(element: Element) -> Line:
    box = element.box or Box(0, 0, 0, 0)
    return Line(element.text or element.name, box, element.confidence)


def _plain(text: str) -> str:
    """A text as it is compared: without what is easily read wrong."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _joined(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _around(words: Sequence[Word]) -> Box:
    left, right = min(w.box.x for w in words), max(w.box.right for w in words)
    top, bottom = min(w.box.y for w in words), max(w.box.bottom for w in words)
    return Box(left, top, right - left, bottom - top)


def _stacked(parts: Sequence[Element]) -> bool:
    """Whether some stand below others."""
    boxes = [part.box for part in parts if part.box]
    return any(one.bottom <= other.center.y for one in boxes for other in boxes)


def _area(element: Element) -> int:
    return element.box.area if element.box else 0


def _overlap(one: Box, other: Box) -> int:
    width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return width * height if width > 0 and height > 0 else 0


def _share(inner: Element, outer: Element) -> float:
    """How much of one lies in the other."""
    if inner.box is None or outer.box is None or not inner.box.area:
        return 0.0
    return _overlap(inner.box, outer.box) / inner.box.area


def _alike(one: Element, other: Element) -> float:
    """What two boxes have in common, as a share of what they cover together."""
    if one.box is None or other.box is None:
        return 0.0
    common = _overlap(one.box, other.box)
    return common / (one.box.area + other.box.area - common) if common else 0.0
