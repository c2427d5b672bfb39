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


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_EXACT = _listed(
    "not no never without except until unless if or every each all both any either neither none "
    "other another others rest twice times than instead before after while again nothing only "
    "don doesn isn off and then untick uncheck disable deselect first second third fourth fifth "
    "last two three four five six seven eight nine ten"
)
"""Words that say more than which control is meant, unless they stand on it."""
_GRAMMAR = _listed(
    "the a an to of in on at by with via using through from for into onto under over as is it its "
    "this that these those my your his her their our me you so please now just there here up out "
    "back which who bottom top left right corner side"
)
_ACTS = _listed(
    "go switch open click press tap hit choose pick select take use mark make set turn move change "
    "get show view display continue proceed put start opt pay navigate head browse jump come bring "
    "enable activate tick check expand enter do keep"
)
"""Verbs that any control may stand for: what it is called says the rest."""
_STATES = _listed("selected ticked checked marked highlighted")
"""What tells of several which are meant; the noun behind it says what they are."""
_KINDS = _listed(
    "button link icon tab option item entry menu page view screen step box checkbox radio switch "
    "toggle section panel list table row field control message dialog window popup area mode label "
    "setting choice method picture image column card line bar form one ones items entries tasks"
)
"""Words for a kind of thing, which may also stand on one."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_PLAIN_ZH = (
    "请|然后|接着|并且?|再|把|将|给|在|里面?|中|上|下面|的|了|到|为|成|一下|这个|那个|该|选择|选中|选取|"
    "选|勾选|点击|点按|点|单击|按下?|进入|进到|打开|开启|切换到?|切到|转到|跳到|前往|去|继续|使用|采用|用|"
    "通过|设为|设置|改为|按钮|链接|图标|选项卡|选项|标签页|标签|菜单项|菜单|页面|页|视图|开关|单选框|"
    "复选框|项|栏|区域|对话框|弹窗|窗口|进行|操作"
)
"""What in Chinese any control may stand for, and no more."""
_MEANS = re.compile(r".+\s(?:with|by|using|via|through)\s+(?P<by>\S.*)", re.IGNORECASE | re.DOTALL)
_ARTICLES = _listed("the a an my your this")
_TRAILING = re.compile(
    r"\s+(?:(?:the|my|your|these|this)\s+)?(?:changes|form|it|now|here)[.!…]*$", re.IGNORECASE
)
"""Words behind the verb on a control that say nothing more."""


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
        for part in re.split(rf"[\W_]|{_PLAIN_ZH}", rest)
        if part and not any(part in text for text in around)
    ]


def _read(said: str) -> _Wanted | None:
    """The words of a step; None where it says none."""
    # What filters a list shows only what it is called.
    words = _words(
        re.sub(r"^(show|display|view|list|see)( me)? only\b", r"\1", said, flags=re.IGNORECASE)
    )
    # "the selected people": a control says that of whatever is listed.
    told = [w for w, before in zip(words, ("", *words), strict=False) if before not in _STATES]
    rest = [word for word in told if word not in _GRAMMAR | _KINDS]
    if not rest:
        return None
    if rest[0] in _ACTS and words[0] == rest[0]:
        rest = rest[1:] or rest
    means = _MEANS.fullmatch(said.strip())
    return _Wanted(
        words=frozenset(map(stem, rest)),
        exact=frozenset(stem(word) for word in rest if word in _EXACT),
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
    names = [written_on(element), written_on(label) if label is not None else ""]
    cut = [re.split(r"\s[-–—·|]\s|[(（:：,，]", name)[0] for name in names]
    return [name.strip() for name in (*names, *cut)]


def _said_by(name: str, wanted: _Wanted) -> frozenset[str]:
    """The words of a name, where all of them were said; none where it says more.

    Small words count, too: "Save as" is not "Save", and "Log out" not "Log in".
    """
    every = frozenset(stems(name))
    own = frozenset(stems(_TRAILING.sub("", name))) - _ARTICLES
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
