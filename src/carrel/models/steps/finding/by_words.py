"""The one control that all the words of a step fit, where no thing is called as they say.

People say what they want ("continue with Next", "pick the dark theme", "open order 1043 for
editing"), and the screen has a button, a choice, a row. Every word has to be accounted for: by what
is written on the control, by what stands around it, or by being no more than grammar. A word that
is left over, or a second control that fits as well, and nothing is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.models.steps.desk import within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.layout.runs import run_of
from carrel.models.steps.phrases.small_words import (
    ACTS,
    EXACT,
    GRAMMAR,
    KINDS,
    PLAIN_ZH,
    STATES,
)
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.perception._names import fold
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["control_meant", "names_of", "stands_around", "telling_words"]

_USED = frozenset(
    {
        *(Kind.BUTTON, Kind.LINK, Kind.TAB, Kind.RADIO, Kind.CHECKBOX, Kind.SWITCH),
        *(Kind.MENU_ITEM, Kind.OPTION, Kind.ICON),
    }
)
_TEXTS = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL})
_CHOICES = frozenset({Kind.RADIO, Kind.CHECKBOX, Kind.SWITCH})
"""What is a choice of its own, and heads no other one."""
_ROWS = frozenset({Kind.ROW, Kind.OPTION, Kind.TREE_ITEM})
ABOVE, ASIDE = 260, 420
"""Pixels from what heads a control down to it, and how far it may begin to the left of it."""
LEAST = 2
"""Words of a step that is written on something, at least: one may stand anywhere."""
HEAD = 6
"""Words of a text that heads something, at most."""


_HAN = re.compile(r"[\u3400-\u9fff]")
_MEANS = re.compile(r".+\s(?:with|by|using|via|through)\s+(?P<by>\S.*)", re.IGNORECASE | re.DOTALL)
_ARTICLES = frozenset({"the", "a", "an", "my", "your", "this"})
_TRAILING = re.compile(
    r"\s+(?:(?:the|my|your|these|this)\s+)?(?:changes|form|it|now|here)[.!…]*$", re.IGNORECASE
)
"""Words behind the verb on a control that say nothing more."""
_LEADING = re.compile(r"^(?:proceed|continue|go)\s+to\s+(?=\S)", re.IGNORECASE)
"""Words on a control that only say that it leads somewhere."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What something on the screen has to say.

    Attributes:
        words: Every one of these.
        exact: Of these, the ones that have to stand on the control itself.
        said: All that was said: these may stand on it as well.
        means: The words behind "with" or "by", if any.
        verb: The first word, which what is pressed need not say where it is told as a means.
        quoted: Texts that are quoted.
    """

    words: frozenset[str]
    exact: frozenset[str]
    said: frozenset[str]
    means: frozenset[str]
    verb: str
    quoted: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Fit:
    """A control, and which of the words it and what is around it say."""

    element: Element
    named: frozenset[str]
    around: frozenset[str]

    @property
    def rank(self) -> tuple[int, int]:
        return len(self.named), len(self.around)


def control_meant(elements: Sequence[Element], said: str) -> Element | None:
    """The control that a whole step means; None where a word is left over, or several fit.

    Args:
        elements: What is on the screen.
        said: The step, in the person's words.
    """
    tree = lineage_of(tuple(elements))
    meant = _by_signs(tree, said) if _HAN.search(said) else _by_words(tree, said)
    meant = meant or _just_so(tree, said)
    return None if meant is None or modal_over(elements, meant) is not None else meant


def _by_words(tree: Lineage, said: str) -> Element | None:
    wanted = _read(said)
    if wanted is None:
        return None
    fits = sorted(_fits(tree, wanted), key=lambda fit: fit.rank, reverse=True)
    best = fits[0] if fits else None
    if best is None or (len(fits) > 1 and fits[1].rank == best.rank):
        return None
    left = wanted.words - best.named - best.around
    if best.named <= wanted.means:
        left -= {wanted.verb}
    return None if left or not wanted.exact <= best.named else best.element


def _just_so(tree: Lineage, said: str) -> Element | None:
    """The one thing on which the whole step is written: pages make buttons of mere texts."""
    words = [word for word in _words(said) if word not in _ARTICLES]
    if len(words) < LEAST and not _HAN.search(said):
        return None
    written = [
        e
        for e in part_meant(tree.elements, "")
        if e.box is not None and [w for w in _words(written_on(e)) if w not in _ARTICLES] == words
    ]
    inner = min(written, key=lambda e: e.box.area if e.box else 0, default=None)
    alone = inner is not None and all(within(inner.box, e.box) for e in written)
    return inner if alone and inner is not None and not is_disabled(inner) else None


def _by_signs(tree: Lineage, said: str) -> Element | None:
    """The same for words that are written without spaces: the longest name that is in them."""
    found: dict[int, list[Element]] = {}
    for element in _controls(tree):
        names = [name for name in _forms(tree, element) if len(name) > 1 and name in said]
        if names and not _left_of(said, max(names, key=len), stands_around(tree, element)):
            found.setdefault(max(map(len, names)), []).append(element)
    best = found[max(found)] if found else []
    return best[0] if len(best) == 1 else None


def _left_of(said: str, name: str, around: Sequence[str]) -> list[str]:
    """What of a step neither the name of a control says, nor what is around it, nor grammar."""
    rest = said.replace(name, " ", 1)
    return [
        part
        for part in re.split(rf"[\W_]|{PLAIN_ZH}", rest)
        if part and not any(part in text for text in around)
    ]


def _read(said: str) -> _Wanted | None:
    """The words of a step; None where it says none."""
    # What filters a list shows only what it is called.
    words = _words(
        re.sub(r"^(show|display|view|list|see)( me)? only\b", r"\1", said, flags=re.IGNORECASE)
    )
    # "the selected people": a control says that of whatever is listed.
    told = [w for w, before in zip(words, ("", *words), strict=False) if before not in STATES]
    rest = [word for word in told if word not in GRAMMAR | KINDS]
    if not rest:
        return None
    if rest[0] in ACTS and words[0] == rest[0]:
        rest = rest[1:] or rest
    means = _MEANS.fullmatch(said.strip())
    return _Wanted(
        words=frozenset(map(stem, rest)),
        exact=frozenset(stem(word) for word in rest if word in EXACT),
        said=frozenset(map(stem, words)),
        means=frozenset(map(stem, _words(means["by"]))) if means else frozenset(),
        verb=stem(words[0]),
        quoted=frozenset(fold(text) for text in re.findall(r'["“«]([^"”»]+)["”»]', said)),
    )


def telling_words(said: str) -> frozenset[str]:
    """The words of a step that tell what is meant; none where one says more than that."""
    wanted = _read(said)
    return wanted.words if wanted is not None and not wanted.exact else frozenset()


def names_of(tree: Lineage, element: Element) -> list[str]:
    """What a control is called, and what comes before a price or a remark on it."""
    return _forms(tree, element)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _controls(tree: Lineage) -> Iterator[Element]:
    for element in part_meant(tree.elements, ""):
        if kind_of(element) in _USED and element.box is not None and not is_disabled(element):
            yield element


def _fits(tree: Lineage, wanted: _Wanted) -> Iterator[_Fit]:
    for element in _controls(tree):
        named = max((_said_by(form, wanted) for form in _forms(tree, element)), key=len)
        if not named:
            continue
        around = stands_around(tree, element)
        texts = {fold(written_on(element)), *map(fold, around)}
        if any(not any(text in said for said in texts) for text in wanted.quoted):
            continue
        beside = frozenset(one for text in around for one in stems(text))
        yield _Fit(element, named, (wanted.words & beside) - named)


def _forms(tree: Lineage, element: Element) -> list[str]:
    """What it is called: all of it, and what comes before a price or a remark."""
    label = label_of(element, tree.elements)
    if label is not None and _is_of_another(tree, element, label):
        label = None
    names = [written_on(element), written_on(label) if label is not None else ""]
    cut = [re.split(r"\s[-–—·|]\s|[(（:：,，]", name)[0] for name in names]
    return [name.strip() for name in (*names, *cut)]


def _is_of_another(tree: Lineage, choice: Element, label: Element) -> bool:
    """Whether the words beside a choice that has a name of its own are those of the one before."""
    own, said = fold(written_on(choice)), fold(written_on(label))
    if kind_of(choice) not in _CHOICES or not own or own == said:
        return False
    if kind_of(choice) is Kind.RADIO and own not in said and said not in own:
        return True  # what stands before the first of a group is what all of them are about
    others = (e for e in tree.elements if kind_of(e) in _CHOICES and e.id != choice.id)
    return any(fold(e.name) == said for e in others)


def _said_by(name: str, wanted: _Wanted) -> frozenset[str]:
    """The words of a name, where all of them were said; none where it says more.

    Small words count, too: "Save as" is not "Save", and "Log out" not "Log in".
    """
    every = frozenset(stems(name))
    own = frozenset(stems(_TRAILING.sub("", _LEADING.sub("", name)))) - _ARTICLES
    fits = bool(own) and own <= wanted.said and not own.isdisjoint(wanted.words)
    return every & wanted.said if fits else frozenset()


def stands_around(tree: Lineage, element: Element) -> list[str]:
    """What stands around it: its row, the parts it is in, and what heads it."""
    found: list[str] = []
    for holder in tree.above(element):
        found.append(written_on(holder))
        if kind_of(holder) in _ROWS or kind_of(holder) is Kind.DIALOG:
            found += [written_on(e) for e in tree.below(holder) if kind_of(e) in _TEXTS]
    for part in run_of(tree.elements, element) or ():
        found += [written_on(e) for e in (part, *tree.below(part)) if kind_of(e) in _TEXTS]
    choices = [set(stems(written_on(e))) for e in tree.elements if kind_of(e) in _CHOICES]
    twins = [e for e in tree.elements if _is_twin(e, element)]
    heads = (e for e in tree.elements if _heads(e, element))
    for head in (e for e in heads if not any(_in_line(e, twin) for twin in twins)):
        said = set(stems(written_on(head)))
        if kind_of(head) is Kind.HEADING or not any(one and one <= said for one in choices):
            found.append(written_on(head))
    chosen = [e for e in tree.elements if kind_of(e) is Kind.TAB and "selected" in e.states]
    return [text for text in (*found, *map(written_on, chosen)) if text]


def _is_twin(element: Element, of: Element) -> bool:
    """Whether it is another control of the same name, in another line: its line is its own."""
    if element.id == of.id or element.box is None or of.box is None:
        return False
    same = kind_of(element) is kind_of(of) and written_on(element) == written_on(of)
    return same and abs(element.box.center.y - of.box.center.y) > of.box.height // 2


def _in_line(text: Element, control: Element) -> bool:
    own, at = text.box, control.box
    return own is not None and at is not None and abs(own.center.y - at.center.y) <= at.height // 2


def _heads(text: Element, element: Element) -> bool:
    """Whether a short text stands over a control, or at its left."""
    own, at = text.box, element.box
    if own is None or at is None or kind_of(text) not in (Kind.TEXT, Kind.HEADING):
        return False
    if len(written_on(text).split()) > HEAD:
        return False
    over = 0 <= at.y - own.bottom + own.height // 2 <= ABOVE
    before = _in_line(text, element) and own.x < at.x
    # In one part of a page a line begins as far to the left as the page is wide.
    whole = before and text.parent is not None and text.parent == element.parent
    return whole or ((over or before) and -ASIDE <= own.x - at.x <= at.width)
