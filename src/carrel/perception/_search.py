"""One reading of a description, searched for on one screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from carrel.errors import Unavailable
from carrel.perception._kind_words import THINGS
from carrel.perception._looks import drawn, has_states, looks_so, sized
from carrel.perception._names import (
    SAME,
    compare,
    fold,
    is_same,
    is_unspaced,
    same_wrapped,
    says_first,
    words_of,
)
from carrel.perception._nearness import AWAY, between, is_clipped, is_far, related
from carrel.perception._pick import choose, collapse
from carrel.perception._vocabulary import SIZES
from carrel.perception._wordings import (
    adds_hint,
    adds_nothing,
    consents,
    file_says,
    says_more,
    tells_apart,
)
from carrel.perception.description import Description, Relation, Want
from carrel.perception.labels import written_on
from carrel.perception.layout import Called, Layout, Placed
from carrel.perception.roles import FIELDS, HOLDERS, TICKED, Kind, fits
from carrel.perception.symbols import is_drawn, is_pictured, same_symbol, symbol_of

if TYPE_CHECKING:
    from carrel.perception.view import View

__all__ = ["Hit", "Search"]

FLOOR = 0.35
"""Names less alike than this are not even near."""

MATCH = 0.5
ANCHOR = 0.6
"""From here on something is what was meant; and sure enough to measure from."""

PROPER = 0.99
"""From here on a thing is of the very kind that was said."""

WHOLE = 0.8
"""Below, only a part of the name is the same."""

LABEL = 0.99
"""What a label is worth that says just the name."""

UNWRITTEN = 0.9
"""What the name of a field or a box is worth where it is asked for what says so."""

SMALL = 48
"""The longest side of what shows a picture and no words."""

OTHER = 0.6
"""What remains of the certainty where a name says that it is another one."""

CLIPPED = 8.0
"""Pixels that what is hardly level with something counts as farther off."""

BAR = 64
"""The height of the highest row of buttons."""

FARTHER = (2, 40)
"""So many times farther, and so many pixels, than another is not beside something."""
_BESIDE = frozenset({"right_of", "left_of", "above", "below", "next_to"})

_SAME_NAME, _SAME_KIND, _WIDE = 0.015, 0.02, 0.05
_TYPED = FIELDS | {Kind.COMBO}
_LABELLED = _TYPED | {Kind.AREA} | {Kind.SLIDER, Kind.CHECKBOX, Kind.RADIO, Kind.SWITCH}
_WRITTEN_IN = frozenset({"entry", "password text", "spin button", "text", "document web"})
_USED = ("act", "type")
_SHOWN = re.compile(r"^(?:show|display)\s+(?=\S)|^显示\s*(?=.)", re.IGNORECASE)
_SAYS = re.compile(r"\b(?:says|saying|reads)\b|写着|写有", re.IGNORECASE)
FILTERS = frozenset({"filter", "search"})
"""What a field over a column is for, whatever the column is called."""
_ICONS = frozenset({Kind.ICON, Kind.IMAGE, Kind.BUTTON})


@dataclass(slots=True, eq=False)
class Hit:
    """An element, and how sure it is that it is meant."""

    item: Placed
    name: float
    kind: float
    why: str
    cost: float = 0.0
    factor: float = 1.0

    @property
    def by_label(self) -> bool:
        """Whether only the text beside it is called so."""
        return self.why.startswith("labelled ")

    @property
    def confidence(self) -> float:
        """All in all."""
        return max(0.0, min(1.0, self.name * self.kind * self.factor))


class Search:
    """Looks for things on one screen.

    Attributes:
        notes: What could not be taken into account, and why.
    """

    def __init__(self, layout: Layout, view: View | None, want: Want) -> None:
        self.layout, self.view, self.want = layout, view, want
        self.notes: list[str] = []

    def run(self, one: Description) -> list[Hit]:
        """Everything that fits more or less, the best first; what is meant is clearly ahead."""
        hits = self._candidates(one)
        if not hits:
            return []
        tier = self._tier(one, hits)
        chosen = choose(self.layout, one, tier, self.want)
        _doubt_farther(one, hits, chosen)
        self._doubt_numbered(one, hits, chosen)
        self._doubt_hinted(one, chosen)
        self._doubt_sized(one, chosen)
        return self._ranked(one, hits, tier, chosen)

    def every(self, one: Description) -> list[Hit]:
        """All that fit equally well."""
        hits = self._candidates(one)
        if not hits:
            return []
        tier = self._tier(replace(one, everything=True), hits)
        near = any(relation.kind == "next_to" for relation in one.relations)
        if near or one.ordinal or (one.superlative and not one.everything):
            return choose(self.layout, one, tier, self.want)
        return [hit for hit in tier if hit.cost < AWAY] or tier

    def _doubt_numbered(self, one: Description, hits: Sequence[Hit], chosen: Sequence[Hit]) -> None:
        """Make less sure of the first of all that is called "Item 10", and not "Item 1"."""
        if one.ordinal < 1:
            return
        counted = any(hit not in chosen and self._number(one, hit) == one.ordinal for hit in hits)
        digits = re.search(rf"(?<![\d第]){one.ordinal}(?![\d]|st|nd|rd|th)", one.text) is not None
        for hit in chosen:
            number = self._number(one, hit)
            if number not in (None, one.ordinal) and (digits or counted):
                hit.factor *= OTHER

    def _number(self, one: Description, hit: Hit) -> int | None:
        """Its own number, where it is called by the word that was said and a number."""
        said = set(words_of(re.sub(r"\d+", " ", one.text)))
        for called in self.layout.called(hit.item):
            found = re.findall(r"\d+", called.text)
            words = words_of(re.sub(r"\d+", " ", called.text))
            if len(found) == 1 and words and set(words) <= said:
                return int(found[0])
        return None

    def _doubt_hinted(self, one: Description, chosen: Sequence[Hit]) -> None:
        """Make less sure of the only field there is, where it is called otherwise."""
        if not one.hint:
            return
        for hit in chosen:
            texts = [called.text for called in self.layout.called(hit.item)]
            proper = hit.item.kind is Kind.PASSWORD and Kind.PASSWORD in one.kinds
            if self._is_headed(one, hit.item):
                continue
            told = proper or not texts or any(fold(one.hint) in fold(text) for text in texts)
            if not told or any(tells_apart(one.hint, text) for text in texts):
                hit.factor *= OTHER

    def _is_headed(self, one: Description, item: Placed) -> bool:
        """Whether a field is only called by the heading that tells where it is."""
        texts = [called.text for called in self.layout.called(item) if called.why != "holding"]
        anchors = [r.target.name for r in one.relations if not r.negated]
        if not texts or not all(any(is_same(text, name) for name in anchors) for text in texts):
            return False
        kinds = {h.kind for h in self.layout.placed if is_same(written_on(h.element), texts[0])}
        # What a column holds is its own name, unless one only looks through it.
        return Kind.COLUMN in kinds if one.hint in FILTERS else Kind.HEADING in kinds

    def _doubt_sized(self, one: Description, chosen: Sequence[Hit]) -> None:
        """Make less sure of the large one, where one is called "Extra large"."""
        if not one.size or one.name:
            return
        said = set(words_of(one.text)) & SIZES.keys()
        for hit in chosen:
            if any(said & set(words_of(called.text)) for called in self.layout.called(hit.item)):
                hit.factor *= OTHER

    def fitting(self, one: Description) -> list[Hit]:
        """All that fit, well or less well, in no order."""
        return self._candidates(one)

    def _candidates(self, one: Description) -> list[Hit]:
        if not self._is_drawn(one):
            hits = [hit for item in self.layout.placed for hit in self._weigh(one, item)]
        else:
            hits = self._drawn(one)
        return self._placed(one, self._described(one, hits))

    def _is_drawn(self, one: Description) -> bool:
        """Whether it is looked for among the drawn things, or among the written ones."""
        written = ("", "number") if self.view is not None else ("", "number", "digit", "letter")
        return one.shape not in written

    def _drawn(self, one: Description) -> list[Hit]:
        if self.view is None:
            self.notes.append("its shape cannot be seen without a picture")
            return []
        try:
            found = drawn(self.layout, one, self.view, self.want)
        except Unavailable as error:
            self.notes.append(f"its shape cannot be seen: {error.message}")
            return []
        why = f"a {one.colour} {one.shape}".replace("  ", " ")
        # A box is also what people write in, and that comes first.
        fields = one.shape == "box" and any(item.kind in FIELDS for item in self.layout.placed)
        return [Hit(item, 0.94 if fields and not one.colour else 0.98, 1.0, why) for item in found]

    def _ranked(
        self, one: Description, hits: list[Hit], tier: list[Hit], chosen: list[Hit]
    ) -> list[Hit]:
        meant = {id(hit) for hit in chosen}
        for hit in hits:
            if id(hit) not in meant and (chosen or hit in tier):
                # It fits as well, but for its place among its equals.
                hit.factor *= 0.6
        # A word that is not understood matters less where a name and a kind are.
        known = bool(one.kinds and one.name) or self._is_sorted(one)
        doubt = (0.85 if known else 0.75) ** _left_over(one.rest)
        if not (one.name or one.kinds or one.shape or one.relations):
            doubt *= 0.75
        # Where shapes are counted, one more or less may have been taken for a control.
        counted = bool(one.ordinal and one.kinds and not one.name and not one.shape)
        for hit in hits:
            hit.factor *= doubt
            if counted and hit.item.element.source == "detector":
                hit.factor *= 0.8
            if one.denied and one.rest:
                hit.factor *= 0.4
        return sorted(hits, key=lambda hit: -hit.confidence)

    def _is_sorted(self, one: Description) -> bool:
        """Whether the word beside a quoted name only says what sort of thing it is."""
        if not one.exact or len(one.rest) != 1 or one.denied:
            return False
        word = one.rest[0].casefold()
        heads = [h for h in self.layout.placed if h.kind in (Kind.COLUMN, Kind.HEADING)]
        shown = {fold(written_on(head.element)) for head in heads}
        return word in THINGS or bool({word, f"{word}s"} & shown)

    # Each by itself

    def _weigh(self, one: Description, item: Placed) -> Iterator[Hit]:
        kind = self._kind(one, item)
        if kind == 0:
            return
        name, why = self._name(one, item) if one.name else (0.95, "")
        if name < FLOOR or (one.denied and one.name and not one.exact and name < 0.9 * SAME):
            return
        if has_states(self.layout, item, one.states):
            # With no name to go by, a word for another kind says too little.
            weight = 0.75 + 0.25 * kind if one.name or kind >= 0.9 else 0.85 * kind
            yield Hit(item, name, weight, why, factor=self._fitness(one, item))

    def _kind(self, one: Description, item: Placed) -> float:
        if one.kinds == (Kind.ANY,):
            return 1.0 if self._is_single(item) else 0.0
        if one.kinds:
            if item.kind is Kind.FIELD and self._is_part_of_field(item):
                return max(0.9 * (kind is Kind.TEXT) for kind in one.kinds)
            return max(fits(item.element, kind) for kind in one.kinds)
        if one.shape:
            return 0.8 if item.kind in HOLDERS else 1.0
        if self.want == "hold":
            return 1.0 if item.kind in HOLDERS else 0.9
        if item.kind in (Kind.WINDOW, Kind.PAGE):
            return 0.5
        if item.kind in HOLDERS:
            return 0.6
        if not one.name:
            return 1.0 if item.is_control else 0.7
        return 1.0

    def _is_part_of_field(self, item: Placed) -> bool:
        """Whether it is a text in something that is written in as a whole."""
        if item.element.role in _WRITTEN_IN:
            return False
        return any("editable" in parent.states for parent in self.layout.ancestors(item))

    def _is_single(self, item: Placed) -> bool:
        """Whether it is one thing to look at, and not a part of the screen that holds others."""
        if item.is_control or item.kind is Kind.IMAGE:
            return True
        holder = item.kind in (Kind.PAGE, Kind.WINDOW, Kind.SHAPE)
        return not holder and next(iter(self.layout.inside(item)), None) is None

    def _fitness(self, one: Description, item: Placed) -> float:
        """Less for what cannot be used in the way it is wanted."""
        if self.want == "type" and not one.kinds:
            return 1.0 if item.kind in _TYPED or "editable" in item.element.states else 0.6
        if self.want == "act" and not one.kinds and item.kind in (Kind.DIALOG, Kind.WINDOW):
            # Nobody clicks a dialog by its title: something in it is meant that is not there yet.
            return 0.7
        if self.want == "act" and not one.kinds and not item.is_control:
            return 0.97
        if item.element.source in ("ocr", "detector"):
            return 0.9 + 0.1 * item.element.confidence
        return 1.0

    def _name(self, one: Description, item: Placed) -> tuple[float, str]:
        best, why = 0.0, ""
        # "The place that says Date" is where that is written, and not the field beside it.
        written = not one.kinds and _SAYS.search(one.text) is not None
        for called in self.layout.called(item):
            if written and called.why == "labelled":
                continue
            alike = self._alike(one, item, called)
            score = called.weight * alike
            if written and called.why == "named" and item.kind in _LABELLED:
                # Its name is written beside it, as a rule; where it is not, it is all there is.
                score *= UNWRITTEN
            unnamed = item.kind in _TYPED and not item.element.name.strip() and self.want in _USED
            if called.why == "labelled" and alike >= SAME and unnamed:
                # What stands beside a field is its name as much as one that nobody sees.
                score = LABEL
            if score > best:
                best, why = score, f"{called.why} {called.text!r}"
        return self._bounded(one, best), why

    def _alike(self, one: Description, item: Placed, called: Called) -> float:
        text = called.text
        if one.part:
            return _partly(one, text)
        if called.file:
            score, shown = file_says(one.name, text)
            return max(score, same_symbol(one.name, shown, words=Kind.ICON in one.kinds))
        score = compare(one.name, text, read=item.element.source == "ocr")
        if item.kind is Kind.BUTTON:
            score = max(score, says_first(one.name, text))
        if item.kind in _LABELLED or called.why == "labelled":
            return self._as_label(one, item, called, score)
        if item.kind is Kind.ICON and same_wrapped(one.name, text):
            score = max(score, SAME)
        icon = bool(set(one.kinds) & _ICONS) or item.kind is Kind.ICON
        words = (icon and Kind.ICON in one.kinds) or (item.is_control and is_drawn(one.name))
        small = max(item.box.width, item.box.height) <= SMALL
        words |= small and item.is_control and not one.exact and is_pictured(one.name)
        return max(score, same_symbol(one.name, text, words=words, verb=small))

    def _as_label(self, one: Description, item: Placed, called: Called, score: float) -> float:
        """What a label says beside the name: neutral words, or that one agrees to it."""
        text = called.text
        if item.kind in (Kind.COMBO, Kind.SPINNER):
            # "Show … entries" stands around the number of them.
            text = _SHOWN.sub("", text)
        if called.why != "holding" and adds_nothing(one.name, text):
            return max(score, 0.92)
        if called.why != "holding" and adds_hint(one.name, text):
            return max(score, 0.9)
        if says_more(one.name, text):
            return max(score, 0.92)
        if item.kind in TICKED and not one.exact and consents(one.name, text):
            return max(score, 0.86) if self._is_only_one(one.name, item) else score
        if item.kind in _TYPED and text[-1:].isdigit() and not one.name[-1:].isdigit():
            # The second line of an address is not the address.
            return min(score, 0.72)
        return score

    def _is_only_one(self, name: str, item: Placed) -> bool:
        """Whether no other box to tick speaks of it."""
        said = set(words_of(name))
        others = (other for other in self.layout.placed if other.kind in TICKED)
        return not any(
            said <= set(words_of(called.text))
            for other in others
            if other is not item
            for called in self.layout.called(other)
        )

    @staticmethod
    def _bounded(one: Description, score: float) -> float:
        """What a part of a name is worth: what says more may do more, or be another."""
        if score >= WHOLE or one.part:
            return score
        return 0.6 * score if one.exact else min(0.72, score)

    # Together

    def _described(self, one: Description, hits: list[Hit]) -> list[Hit]:
        if one.without:
            avoided = {id(hit.item) for other in one.without for hit in self._avoided(other)}
            hits = [hit for hit in hits if id(hit.item) not in avoided]
        if not self._is_drawn(one) and (one.colour or one.shape):
            hits = self._seen(one, hits)
        if one.size and not self._is_drawn(one):
            kept = {id(item) for item in sized([hit.item for hit in hits], one.size)}
            hits = [hit for hit in hits if id(hit.item) in kept]
        return hits

    def _avoided(self, other: Description) -> list[Hit]:
        return [hit for hit in self.every(other) if hit.confidence >= MATCH]

    def _seen(self, one: Description, hits: list[Hit]) -> list[Hit]:
        what = " and ".join(word for word in ("colour", "shape") if getattr(one, word))
        if self.view is None:
            self.notes.append(f"its {what} cannot be seen without a picture")
            return [_doubted(hit) for hit in hits]
        try:
            kept = {id(item) for item in looks_so(one, [hit.item for hit in hits], self.view)}
        except Unavailable as error:
            self.notes.append(f"its {what} cannot be seen: {error.message}")
            return [_doubted(hit) for hit in hits]
        return [hit for hit in hits if id(hit.item) in kept]

    def _placed(self, one: Description, hits: list[Hit]) -> list[Hit]:
        for relation in one.relations:
            hits = self._lying(relation, hits, named=bool(one.name or one.ordinal))
        return hits

    def _lying(self, relation: Relation, hits: list[Hit], *, named: bool) -> list[Hit]:
        """Those that lie so to the other thing, each with its distance."""
        by_item = {id(hit.item): hit for hit in hits}
        items = [hit.item for hit in hits]
        found: dict[int, Hit] = {}
        reached: dict[int, Placed] = {}
        measured = list(self._measured(relation, items))
        if not measured:
            return []
        for anchor, costs in measured:
            for cost, item in costs:
                hit = by_item[id(item)]
                factor = hit.factor * min(1.0, 0.1 + anchor.confidence)
                factor *= 0.75 if cost >= AWAY else 1.0
                better = found.get(id(item))
                if better is None or cost < better.cost:
                    why = f"{hit.why}, {relation.kind} {anchor.why}".strip(", ")
                    found[id(item)] = replace(hit, cost=cost, factor=factor, why=why)
                    reached[id(item)] = anchor.item
        if relation.negated:
            return [hit for hit in hits if id(hit.item) not in found]
        anchors = [anchor.item for anchor, _ in measured]
        for hit in found.values():
            if all(is_clipped(relation.kind, anchor, hit.item) for anchor in anchors):
                hit.cost += CLIPPED
        if not named and relation.kind in ("above", "below"):
            _doubt_far(self.layout, relation, list(found.values()), reached)
        return list(found.values())

    def _measured(
        self, relation: Relation, items: Sequence[Placed]
    ) -> Iterator[tuple[Hit, list[tuple[float, Placed]]]]:
        anchors = self._anchors(relation.target, relation)
        if relation.kind == "between":
            others = self._anchors(relation.other, relation) if relation.other else []
            for anchor in anchors:
                for other in others:
                    yield anchor, between(anchor.item, other.item, items)
            return
        for anchor in anchors:
            yield anchor, related(self.layout, relation.kind, anchor.item, items)
        if relation.kind == "containing" and relation.target.name:
            yield from self._holding(relation.target, items)

    def _holding(
        self, target: Description, items: Sequence[Placed]
    ) -> Iterator[tuple[Hit, list[tuple[float, Placed]]]]:
        """Things with the words in their own text."""
        part: Description = replace(target, part="contains", kinds=())
        for item in items:
            score, why = self._name(part, item)
            # The label next to a box that has a name of its own is that of another.
            others = item.kind in TICKED and item.element.name and why.startswith("labelled")
            if score >= MATCH and not others:
                yield Hit(item, score, 1.0, why), [(0.0, item)]

    def _anchors(self, target: Description, relation: Relation) -> list[Hit]:
        want: Want = "hold" if relation.kind in ("in", "of") else "read"
        inner = Search(self.layout, self.view, want)
        hits = [hit for hit in inner.run(target) if hit.confidence >= ANCHOR]
        self.notes += inner.notes
        if not hits and target.kinds == (Kind.TOOLBAR,) and not target.name:
            # A page makes its own of a row of buttons.
            hits = [Hit(item, 0.95, 0.9, "a row of buttons") for item in self._button_rows()]
        best = hits[0].confidence if hits else 0.0
        anchors = [hit for hit in hits if hit.confidence >= best - _SAME_NAME]
        bare = not (target.name or target.ordinal or target.superlative)
        if relation.kind == "in" and bare and hits and hits[0].kind < PROPER:
            # "In the list": whichever of them holds it, be it a table to its application.
            held = [hit for hit in inner.fitting(target) if hit.confidence >= ANCHOR]
            anchors = [replace(hit, kind=max(hit.kind, 0.9)) for hit in held]
        # What a text announces is not that text.
        told = [hit for hit in anchors if hit.item.kind is not Kind.LINK or not hit.by_label]
        anchors = told or anchors
        # A label and its field are one to people who measure from it.
        fields = [
            replace(anchor, item=field)
            for anchor in anchors
            for field in self.layout.labelled(anchor.item)
            if field.kind in _LABELLED
        ]
        return [*anchors, *fields]

    def _button_rows(self) -> list[Placed]:
        """Groups that hold nothing but some buttons side by side."""
        return [item for item in self.layout.placed if self._is_button_row(item)]

    def _is_button_row(self, item: Placed) -> bool:
        if item.kind is not Kind.GROUP or item.box.height > BAR:
            return False
        held = [inner for inner in self.layout.inside(item) if inner.is_control]
        buttons = [inner for inner in held if inner.kind in (Kind.BUTTON, Kind.COMBO)]
        return len(buttons) >= 3 and len(buttons) == len(held)

    def _tier(self, one: Description, hits: list[Hit]) -> list[Hit]:
        """Those that fit best, and as well as each other."""
        counted = bool(one.ordinal or one.superlative or one.relations or one.everything)
        name = max(hit.name * hit.factor for hit in hits)
        reach = _WIDE if counted else _SAME_NAME
        tier = [hit for hit in hits if hit.name * hit.factor >= name - reach]
        if one.name and not one.relations and not is_drawn(one.name):
            tier = self._but_drawn(one.name, tier)
        kind = max(hit.kind for hit in tier)
        tier = [hit for hit in tier if hit.kind >= kind - _SAME_KIND]
        return collapse(self.layout, tier, inner=one.kinds == (Kind.TEXT,))

    def _but_drawn(self, name: str, tier: list[Hit]) -> list[Hit]:
        """Without pictures that mean a name, where others are called by that very name."""
        texts = [[called.text for called in self.layout.called(hit.item)] for hit in tier]
        said = [any(is_same(name, text) for text in listed) for listed in texts]
        if not any(said) or is_pictured(name):
            return tier
        pairs = zip(tier, texts, said, strict=True)
        return [hit for hit, listed, so in pairs if so or not any(map(symbol_of, listed))]


def _doubt_far(
    layout: Layout, relation: Relation, hits: Sequence[Hit], anchors: Mapping[int, Placed]
) -> None:
    """Make less sure of what other things stand before, and of all where the nearest is such."""
    far = {
        id(hit)
        for hit in hits
        if hit.cost < AWAY and is_far(layout, relation.kind, anchors[id(hit.item)], hit.item)
    }
    nearest = min(hits, key=lambda hit: hit.cost, default=None)
    for hit in hits:
        if id(hit) in far or id(nearest) in far:
            hit.factor *= 0.75


def _doubt_farther(one: Description, hits: Sequence[Hit], chosen: Sequence[Hit]) -> None:
    """Make less sure of what is far off, where what may be called the same is much nearer."""
    if one.name or one.ordinal or not any(r.kind in _BESIDE for r in one.relations):
        return
    nearest = min(hit.cost for hit in hits)
    for hit in chosen:
        if hit.cost > FARTHER[0] * nearest + FARTHER[1]:
            hit.factor *= 0.75


def _left_over(words: Sequence[str]) -> int:
    """How many words were not understood; what is written without spaces has one in two letters."""
    parts = [part for word in words for part in word.split()]
    return sum(-(-len(part) // 2) if is_unspaced(part) else 1 for part in parts)


def _doubted(hit: Hit) -> Hit:
    return replace(hit, factor=hit.factor * 0.7)


_Part = Callable[[str, str], bool]
_PARTS: dict[str, _Part] = {
    "starts": lambda text, part: text.startswith(part),
    "ends": lambda text, part: text.endswith(part),
    "contains": lambda text, part: part in text,
}


def _partly(one: Description, text: str) -> float:
    return 0.95 if _PARTS[one.part](fold(text), fold(one.name)) else 0.0
