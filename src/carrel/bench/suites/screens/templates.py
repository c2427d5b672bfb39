"""What people would call the things on a screen, made from the truth about it.

Nothing here knows how descriptions are understood. A description is only made where the truth has
exactly one thing that it fits.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Literal

from carrel.bench.suites.screens.near import Side, beside
from carrel.bench.suites.screens.truth import Cell, Control, Run, Table, Truth, group_of
from carrel.bench.suites.screens.words import normal, worth_finding
from carrel.geometry import Box

__all__ = ["Language", "Told", "describe_all", "sample"]

Language = Literal["en", "zh"]
LONGEST = 40
"""Letters of a name that somebody would say."""

_ENGLISH = {
    "button": ("button",),
    "link": ("link",),
    "tab": ("tab",),
    "menu item": ("menu item", "menu entry"),
    "checkbox": ("checkbox", "check box", "tick box"),
    "radio": ("radio button", "option button"),
    "switch": ("switch", "toggle"),
    "field": ("field", "text field", "text box", "input"),
    "password": ("password field", "field"),
    "spinner": ("number field", "field"),
    "combo": ("dropdown", "drop-down list", "select box"),
    "slider": ("slider",),
    "icon": ("icon",),
}
_CHINESE = {
    "button": ("按钮",),
    "link": ("链接",),
    "tab": ("标签页", "选项卡"),
    "menu item": ("菜单项", "菜单"),
    "checkbox": ("复选框", "勾选框"),
    "radio": ("单选按钮", "单选框"),
    "switch": ("开关",),
    "field": ("输入框", "文本框"),
    "password": ("密码框", "输入框"),
    "spinner": ("数字框", "输入框"),
    "combo": ("下拉框", "下拉列表", "下拉菜单"),
    "slider": ("滑块",),
    "icon": ("图标",),
}
_WORDS = {"en": _ENGLISH, "zh": _CHINESE}
_ORDINALS = {
    "en": ("first", "second", "third", "fourth", "fifth", "sixth"),
    "zh": ("第一个", "第二个", "第三个", "第四个", "第五个", "第六个"),
}
_LAST = {"en": "last", "zh": "最后一个"}

_NAMED = {
    "en": ("{name}", "“{name}”", 'the text "{name}"', "the place that says {name}"),
    "zh": ("{name}", "“{name}”", "写着“{name}”的地方", "文字“{name}”"),
}
_ROLE_NAMED = {
    "en": ("the {name} {kind}", 'the {kind} "{name}"', "{kind} named {name}", '"{name}" {kind}'),
    "zh": ("“{name}”{kind}", "{name} {kind}", "名为“{name}”的{kind}", "叫“{name}”的{kind}"),
}
_ORDINAL_NAMED = {
    "en": ("the {nth} {name} {kind}", 'the {nth} {kind} that says "{name}"'),
    "zh": ("{nth}“{name}”{kind}", "{nth}写着“{name}”的{kind}"),
}
_ORDINAL = {"en": ("the {nth} {kind}", "{nth} {kind}"), "zh": ("{nth}{kind}",)}
_LABELLED = {
    "en": (
        "the {kind} labelled {name}",
        "the {name} {kind}",
        'the {kind} for "{name}"',
        "the {kind} with the label “{name}”",
    ),
    "zh": (
        "标签为“{name}”的{kind}",
        "{name}{kind}",
        "“{name}”对应的{kind}",
        "“{name}”一栏的{kind}",
    ),
}
_HINTED = {
    "en": ("the {name} icon", "the icon called {name}"),
    "zh": ("“{name}”图标", "名为“{name}”的图标"),
}
_NEAR: dict[Language, dict[Side, tuple[str, ...]]] = {
    "en": {
        "right": ("the {kind} right of {name}", 'the {kind} to the right of "{name}"'),
        "left": ("the {kind} left of {name}", 'the {kind} to the left of "{name}"'),
        "below": ("the {kind} below {name}", 'the {kind} under "{name}"'),
        "above": ("the {kind} above {name}", 'the {kind} just above "{name}"'),
    },
    "zh": {
        "right": ("“{name}”右边的{kind}", "{name} 右侧的{kind}"),
        "left": ("“{name}”左边的{kind}", "{name} 左侧的{kind}"),
        "below": ("“{name}”下面的{kind}", "“{name}”下方的{kind}"),
        "above": ("“{name}”上面的{kind}", "“{name}”上方的{kind}"),
    },
}
_CELL = {
    "en": (
        "the {heading} of {row}",
        'the cell in the row "{row}" and the column "{heading}"',
        "the {heading} column in the {row} row",
    ),
    "zh": ("“{row}”那一行的“{heading}”列", "{row} 的 {heading}", "“{row}”行“{heading}”列的单元格"),
}
_CELL_NUMBER = {
    "en": ("row {row}, column {column} of the table", "the cell in row {row} and column {column}"),
    "zh": ("表格第{row}行第{column}列", "第{row}行第{column}列的单元格"),
}
_IN_ROW = {
    "en": ('the {name} {kind} in the row of "{row}"', "the {kind} {name} in the {row} row"),
    "zh": ("“{row}”这一行的“{name}”{kind}", "{row} 那行中的“{name}”{kind}"),
}


@dataclass(frozen=True, slots=True)
class Told:
    """A description and where the thing is.

    Attributes:
        template: Which kind of description: `name`, `role`, `ordinal`, `label`, `near`, …
        targets: A click in any of these is right.
    """

    text: str
    language: Language
    template: str
    targets: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class _Screen:
    """The truth, with how often everything is written there."""

    truth: Truth
    counts: dict[str, int]

    @property
    def single(self) -> Iterator[Run]:
        """Texts of one line: nobody calls a wrapped one by one of its lines."""
        lines = Counter(run.block for run in self.truth.runs)
        for run in self.truth.runs:
            if run.whole and (not run.block or lines[run.block] == 1):
                yield run

    def once(self, text: str) -> bool:
        return self.counts.get(normal(text), 0) == 1


_Maker = Callable[[_Screen, Language, Random], Iterator[Told]]


def describe_all(truth: Truth, language: Language, random: Random) -> dict[str, list[Told]]:
    """Every description that the templates can make of a screen, by template."""
    counts: dict[str, int] = defaultdict(int)
    for run in truth.runs:
        counts[normal(run.text)] += 1
    # What is written on a control in several runs has the name of all of them together.
    for number, control in enumerate(truth.controls):
        whole = normal(control.text)
        if whole and not any(r.owner == number and normal(r.text) == whole for r in truth.runs):
            counts[whole] += 1
    screen = _Screen(truth, counts)
    found: dict[str, list[Told]] = defaultdict(list)
    for maker in _MAKERS:
        for told in maker(screen, language, random):
            found[told.template].append(told)
    return found


def sample(truth: Truth, name: str, most: int) -> tuple[Told, ...]:
    """At most so many descriptions, of all templates alike, half in each language.

    The same name gives the same ones.
    """
    random = Random(name)  # noqa: S311 (chance that can be repeated)
    chosen: list[Told] = []
    for language in ("en", "zh"):
        by_template = describe_all(truth, language, random)
        for made in by_template.values():
            random.shuffle(made)
        piles = [by_template[template] for template in sorted(by_template)]
        random.shuffle(piles)
        chosen += _in_turn(piles, most // 2)
    return tuple(chosen)


def _in_turn(piles: list[list[Told]], most: int) -> list[Told]:
    taken: list[Told] = []
    while len(taken) < most and any(piles):
        for pile in piles:
            if pile and len(taken) < most:
                taken.append(pile.pop())
    return taken


def _sayable(text: str) -> bool:
    return (
        worth_finding(text)
        and len(text) <= LONGEST
        and not set(text) & set('"“”{}\n')
        and text.strip() == text
    )


def _kind_words(control: Control) -> str:
    """The key of the words for a control, as it looks."""
    group = group_of(control)
    if group == "icon":
        return "icon"
    if group == "button" and control.kind in ("link", "clickable"):
        return "button"
    return control.kind


def _places(number: int, truth: Truth) -> tuple[Box, ...]:
    """Where a click on a control is right: on it, or on what is written on it."""
    runs = (run.box for run in truth.runs if run.owner == number)
    return (truth.controls[number].box, *runs)


def _names(screen: _Screen, language: Language, random: Random) -> Iterator[Told]:
    for run in screen.single:
        if _sayable(run.text) and screen.once(run.text):
            # A click on a label goes to its control, and the other way round.
            controls = (screen.truth.controls[n].box for n in (run.owner, run.labels) if n >= 0)
            boxes = (run.box, *controls)
            text = random.choice(_NAMED[language]).format(name=run.text)
            yield Told(text, language, "name", boxes)


def _named_controls(screen: _Screen) -> Iterator[tuple[int, Control, str]]:
    for number, control in enumerate(screen.truth.controls):
        kind = _kind_words(control)
        if _sayable(control.text) and kind in _ENGLISH:
            yield number, control, kind


def _roles(screen: _Screen, language: Language, random: Random) -> Iterator[Told]:
    for number, control, kind in _named_controls(screen):
        if screen.once(control.text):
            word = random.choice(_WORDS[language][kind])
            text = random.choice(_ROLE_NAMED[language]).format(name=control.text, kind=word)
            yield Told(text, language, "role", _places(number, screen.truth))


def _rows(controls: Sequence[tuple[int, Control]]) -> list[int] | None:
    """Indices in reading order; None where it is a matter of opinion which comes first."""
    ordered = sorted(controls, key=lambda item: (item[1].box.center.y, item[1].box.x))
    for (_, one), (_, other) in pairwise(ordered):
        away = other.box.center.y - one.box.center.y
        if 3 < away < 0.8 * max(one.box.height, other.box.height):
            return None
        if away <= 3 and away > 0 and other.box.x < one.box.x:
            return None
    return [number for number, _ in ordered]


def _ordinals_of(
    numbers: list[int], screen: _Screen, language: Language
) -> Iterator[tuple[str, int]]:
    words = _ORDINALS[language]
    yield from zip(words, numbers, strict=False)
    if not screen.truth.ignored:
        yield _LAST[language], numbers[-1]


def _ordinals(screen: _Screen, language: Language, random: Random) -> Iterator[Told]:
    groups: dict[tuple[str, str], list[tuple[int, Control]]] = defaultdict(list)
    for number, control, kind in _named_controls(screen):
        groups[kind, normal(control.text)].append((number, control))
    for (kind, _), group in groups.items():
        numbers = _rows(group) if 2 <= len(group) <= 6 else None
        for nth, number in _ordinals_of(numbers, screen, language) if numbers else ():
            word = random.choice(_WORDS[language][kind])
            template = random.choice(_ORDINAL_NAMED[language])
            text = template.format(nth=nth, name=group[0][1].text, kind=word)
            yield Told(text, language, "ordinal", _places(number, screen.truth))


def _bare_ordinals(screen: _Screen, language: Language, random: Random) -> Iterator[Told]:
    groups: dict[str, list[tuple[int, Control]]] = defaultdict(list)
    for number, control in enumerate(screen.truth.controls):
        if control.kind in ("checkbox", "radio", "switch", "combo", "slider", "field", "spinner"):
            # Whatever takes text is a field to the eye.
            kind = "field" if control.kind in ("field", "password", "spinner") else control.kind
            groups[kind].append((number, control))
    for kind, group in groups.items():
        numbers = _rows(group) if 2 <= len(group) <= 6 else None
        for nth, number in _ordinals_of(numbers, screen, language) if numbers else ():
            word = random.choice(_WORDS[language][kind])
            text = random.choice(_ORDINAL[language]).format(nth=nth, kind=word)
            yield Told(text, language, "nth of a kind", _places(number, screen.truth))


def _labels(screen: _Screen, language: Language, random: Random) -> Iterator[Told]:
    controls = screen.truth.controls
    labels = [normal(_clean(control.label)) for control in controls]
    for number, control in enumerate(controls):
        label = _clean(control.label)
        if not _sayable(label) or control.kind not in _ENGLISH:
            continue
        if labels.count(normal(label)) > 1 or screen.counts.get(normal(control.label), 0) != 1:
            continue
        word = random.choice(_WORDS[language][control.kind])
        text = random.choice(_LABELLED[language]).format(name=label, kind=word)
        places = _places(number, screen.truth)
        if group_of(control) == "check":
            # A click on its text ticks it, too.
            said = normal(control.label)
            places += tuple(run.box for run in screen.truth.runs if normal(run.text) == said)
        yield Told(text, language, "label", places)


def _clean(label: str) -> str:
    return label.strip().rstrip(":：*").strip()


def _hints(screen: _Screen, language: Language, random: Random) -> Iterator[Told]:
    controls = screen.truth.controls
    hints = [normal(control.hint) for control in controls]
    for control in controls:
        if group_of(control) != "icon" or not _sayable(control.hint):
            continue
        if hints.count(normal(control.hint)) == 1 and normal(control.hint) not in screen.counts:
            text = random.choice(_HINTED[language]).format(name=control.hint)
            yield Told(text, language, "icon's name", (control.box,))


def _nearness(screen: _Screen, language: Language, random: Random) -> Iterator[Told]:
    anchors = [run for run in screen.single if _sayable(run.text) and screen.once(run.text)]
    kinds = [_kind_words(control) for control in screen.truth.controls]
    for anchor in anchors:
        for side, number in beside(anchor, screen.truth, kinds):
            if kinds[number] not in _ENGLISH or _is_own(anchor, number, screen):
                continue
            word = random.choice(_WORDS[language][kinds[number]])
            template = random.choice(_NEAR[language][side])
            text = template.format(name=anchor.text, kind=word)
            yield Told(text, language, "near", _places(number, screen.truth))


def _is_own(anchor: Run, number: int, screen: _Screen) -> bool:
    return anchor.owner == number or screen.truth.controls[number].box.contains(anchor.box.center)


def _cells(screen: _Screen, language: Language, random: Random) -> Iterator[Told]:
    for table in screen.truth.tables:
        for key, row in _keyed_rows(table, screen):
            for heading, cell in zip(table.headings[1:], row[1:], strict=False):
                clear = _sayable(heading) and table.headings.count(heading) == 1
                if clear and cell.box is not None and worth_finding(cell.text):
                    text = random.choice(_CELL[language]).format(row=key, heading=heading)
                    yield Told(text, language, "cell", (cell.box,))


def _keyed_rows(table: Table, screen: _Screen) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    for row in table.rows:
        if len(row) == len(table.headings) and _sayable(row[0].text) and screen.once(row[0].text):
            yield row[0].text, row


def _numbered_cells(screen: _Screen, language: Language, random: Random) -> Iterator[Told]:
    if len(screen.truth.tables) != 1:
        return
    table = screen.truth.tables[0]
    for number, row in enumerate(table.rows[:9], 1):
        if row and row[0].box is None:
            return
        for column, cell in enumerate(row, 1):
            if cell.box is not None and worth_finding(cell.text):
                text = random.choice(_CELL_NUMBER[language]).format(row=number, column=column)
                yield Told(text, language, "cell by number", (cell.box,))


def _in_rows(screen: _Screen, language: Language, random: Random) -> Iterator[Told]:
    for table in screen.truth.tables:
        for key, row in _keyed_rows(table, screen):
            boxes = [cell.box for cell in row if cell.box is not None]
            inside = [
                (number, control, kind)
                for number, control, kind in _named_controls(screen)
                if any(box.contains(control.box.center) for box in boxes)
            ]
            texts = [normal(control.text) for _, control, _ in inside]
            for number, control, kind in inside:
                if texts.count(normal(control.text)) == 1 and normal(control.text) != normal(key):
                    word = random.choice(_WORDS[language][kind])
                    template = random.choice(_IN_ROW[language])
                    text = template.format(row=key, name=control.text, kind=word)
                    yield Told(text, language, "in a row", _places(number, screen.truth))


_MAKERS: tuple[_Maker, ...] = (
    _names,
    _roles,
    _ordinals,
    _bare_ordinals,
    _labels,
    _hints,
    _nearness,
    _cells,
    _numbered_cells,
    _in_rows,
)
