"""What the controls on a screen offer: a value that one can take, a state, a row to choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from carrel.frames import Element
from carrel.models.steps.afforded.sayings import Saying, without_kinds
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.by_words import names_of, stands_around
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.shown.reading import options_of
from carrel.models.steps.verbs.slots import called, controls_of
from carrel.perception.labels import written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, is_field, kind_of

__all__ = ["Offer", "offers_for", "topics_of"]

_SWITCHED = frozenset({Kind.CHECKBOX, Kind.SWITCH})
_CHOSEN = frozenset({Kind.RADIO, Kind.TAB})
_TOPICS = frozenset({Kind.HEADING, Kind.PAGE, Kind.COLUMN, Kind.DIALOG, Kind.WINDOW})
_ROWS = frozenset({Kind.ROW, Kind.OPTION, Kind.TREE_ITEM})
_PICKS = frozenset(
    {"click", "open", "select", "choose", "pick", "highlight", "press", "tap", "view"}
)
"""Verbs for taking a row."""
_TAKES = _PICKS | {"switch", "tick", "check"}
"""Verbs by which nothing is written."""
_PRESSES = frozenset({"click", "press", "tap", "hit"})
"""Verbs for what is in sight: no drop-down is opened for them."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that a control may be used for.

    Attributes:
        control: Which.
        value: What it is to have; empty where it is to be used as it is.
        told: The words of the step that name the value, or the control where it takes none.
        label: Those that say what the control is called.
        around: Those that stand around it.
        how: What is done with it.
    """

    control: Element
    value: str
    told: frozenset[str]
    label: frozenset[str]
    around: frozenset[str]
    how: str

    @property
    def rank(self) -> tuple[int, int, int]:
        """How much of the step it takes, by itself before by what is around it."""
        return len(self.told | self.label), len(self.label), len(self.around)

    @property
    def said(self) -> frozenset[str]:
        """All that it accounts for."""
        return self.told | self.label | self.around


def offers_for(desk: Desk, saying: Saying) -> Iterator[Offer]:
    """Everything on the screen that a step may be about.

    Args:
        desk: Where that is.
        saying: The step.
    """
    tree = lineage_of(tuple(desk.elements))
    if saying.on is not None:
        yield from _switches(desk, tree, saying)
        return
    yield from _values(desk, tree, saying)
    if saying.verb not in _PRESSES:
        yield from _options(desk, tree, saying)
    yield from _choices(desk, tree, saying)
    if saying.verb in _PICKS:
        yield from _rows(desk, tree, saying)


def _usable(desk: Desk) -> Iterator[Element]:
    for element in part_meant(desk.elements, ""):
        if element.box is None or is_disabled(element):
            continue
        if modal_over(desk.elements, element) is None:
            yield element


def _around(tree: Lineage, element: Element, words: frozenset[str]) -> frozenset[str]:
    return words & {word for text in stands_around(tree, element) for word in stems(text)}


def _quotes_fit(saying: Saying, texts: list[str]) -> bool:
    """Whether each text that is quoted stands there."""
    return all(any(text.casefold() in one.casefold() for one in texts) for text in saying.quoted)


def _switches(desk: Desk, tree: Lineage, saying: Saying) -> Iterator[Offer]:
    """Boxes and switches whose name has words of the step."""
    words = without_kinds(saying).words
    for element in _usable(desk):
        if kind_of(element) not in _SWITCHED:
            continue
        names = names_of(tree, element)
        own = words & {word for name in names for word in stems(name)}
        around = stands_around(tree, element)
        if (own or saying.quoted) and _quotes_fit(saying, [*names, *around]):
            how = "on" if saying.on else "off"
            yield Offer(element, "", own, frozenset(), _around(tree, element, words) - own, how)


def _values(desk: Desk, tree: Lineage, saying: Saying) -> Iterator[Offer]:
    """Fields that are called as the step says, and one quoted text to go into them."""
    if len(saying.quoted) != 1 or saying.verb in _TAKES:
        return
    for control in _free_fields(desk):
        label = saying.words & frozenset(stems(called(desk, control)))
        if label:
            around = _around(tree, control, saying.words) - label
            yield Offer(control, saying.quoted[0], frozenset(), label, around, "set")


def _free_fields(desk: Desk) -> Iterator[Element]:
    """What takes any text."""
    for control in controls_of(desk):
        chosen = kind_of(control) is Kind.COMBO and not is_field(control)
        if not chosen and modal_over(desk.elements, control) is None:
            yield control


def _options(desk: Desk, tree: Lineage, saying: Saying) -> Iterator[Offer]:
    """What drop-downs offer."""
    for control in controls_of(desk):
        if kind_of(control) is not Kind.COMBO or modal_over(desk.elements, control) is not None:
            continue
        now = same_as(desk.unseen, control)
        options = options_of(now, desk.unseen) if now is not None else []
        label = frozenset(stems(called(desk, control)))
        if not options:
            yield from _unopened(desk, control, label, saying)
        for name in dict.fromkeys(option.name for option in options):
            told = _takes(saying, name)
            if told is not None:
                around = _around(tree, control, saying.words) - told - label
                yield Offer(control, name, told, (label & saying.words) - told, around, "set")


def _unopened(
    desk: Desk, control: Element, label: frozenset[str], saying: Saying
) -> Iterator[Offer]:
    """A list that is only there when it is opened: what else is said is an entry, or it fails."""
    if saying.quoted or not label or not label <= saying.words:
        return
    told = saying.words - label - topics_of(desk)
    if value := saying.run_of(told):
        yield Offer(control, value, told, label, frozenset(), "set")


def topics_of(desk: Desk) -> frozenset[str]:
    """The words of headings, columns and titles: what all of the page is about."""
    heads = (e for e in part_meant(desk.elements, "") if kind_of(e) in _TOPICS)
    return frozenset(word for head in heads for word in stems(written_on(head)))


def _choices(desk: Desk, tree: Lineage, saying: Saying) -> Iterator[Offer]:
    """Round choices and tabs."""
    for element in _usable(desk):
        if kind_of(element) not in _CHOSEN:
            continue
        for name in names_of(tree, element)[:1]:
            told = _takes(saying, name)
            if told is not None:
                around = _around(tree, element, saying.words) - told
                how = "set" if kind_of(element) in TICKED else "use"
                yield Offer(element, name, told, frozenset(), around, how)


def _takes(saying: Saying, name: str) -> frozenset[str] | None:
    """The words of the step that a value has, where all of its own are said; None otherwise."""
    if saying.quoted:
        same = name.strip().casefold() == saying.quoted[0].strip().casefold()
        return frozenset() if same and len(saying.quoted) == 1 else None
    own = frozenset(stems(name))
    return own if own and own <= saying.words else None


def _rows(desk: Desk, tree: Lineage, saying: Saying) -> Iterator[Offer]:
    """Rows and entries that hold all the words of the step."""
    words = without_kinds(saying).words
    for element in _usable(desk):
        if kind_of(element) not in _ROWS:
            continue
        texts = [written_on(element), *(written_on(e) for e in tree.below(element))]
        own = words & {word for text in texts for word in stems(text)}
        if own and own == words and _quotes_fit(saying, texts):
            yield Offer(element, "", own, frozenset(), frozenset(), "row")
