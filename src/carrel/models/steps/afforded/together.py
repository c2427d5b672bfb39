"""Carrying an instruction out as several things on the screen that account for all of its words.

No grammar is asked which words belong together: the names of what is shown are looked for in the
instruction, the longest first. What is left must be small words, or stand around what was named;
a word that nothing accounts for, or a name that two things bear, and nothing is done. Menus, tabs
and links that are named may be opened before the rest of the names comes up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.afforded.mentions import (
    LOOSE,
    ORDINALS,
    How,
    Mention,
    is_small,
    mentions_in,
    words_around,
)
from carrel.models.steps.afforded.offers import topics_of
from carrel.models.steps.afforded.pairing import with_values
from carrel.models.steps.afforded.wording import ARTICLES, Wording, read_wording, stems_said
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.by_words import names_of
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.phrases.endings import closes, only_ends
from carrel.models.steps.phrases.in_lists import chooses_in_list
from carrel.models.steps.phrases.small_words import (
    ACTS,
    EXACT,
    MAKES,
    PLAIN_ZH,
    SETS,
)
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.models.steps.shown.panes import bring_into_view, off_screen, view_box
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.filling import fill_slot
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.selecting import box_for
from carrel.models.steps.verbs.slots import Slot, controls_of
from carrel.models.steps.verbs.ticking import bring_to
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["by_names"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


MOST = 12
"""Things that one instruction names, at most."""
_OPENERS = frozenset({Kind.TAB, Kind.LINK, Kind.MENU, Kind.MENU_ITEM, Kind.TREE_ITEM})
_OPENED = _listed("menu tab page section settings tabs folder view screen panel")
"""Words for what is opened to come to other things."""
_PLACING = _listed("in on for from under within inside using via through with at 在 从 用 通过")
_OFF_SAID = _listed(
    "unsubscribe "
    "off disable deactivate untick uncheck deselect unselect stop mute hide no without excluding "
    "not never forbid prohibit disallow revoke dont"
)
_ON_SAID = _listed("on enable activate tick check select include allow start show choose pick")
_OFF, _ON = frozenset(map(stem, _OFF_SAID)), frozenset(map(stem, _ON_SAID))
_ENDS = frozenset(map(stem, _listed("place now confirm complete go send submit my your it the")))
"""What may stand beside a verb on the button that ends what it says."""
_JOINS = frozenset({"and"})
_OFF_ZH = re.compile("关闭|关掉|取消|停用|禁用|不要|不勾|去掉|隐藏|停止")
_ON_ZH = re.compile("打开|开启|勾选|启用|选中|勾上|选择|选|显示")
_MERE = _listed(
    "i we us me want would like need wish please could can you let lets so that also finally next "
    "them it these those this one ones there be been being is are was were have has had having "
    "will shall should must both just about any some answer say mention fill type "
    "enter write give find locate look press hit finally together too d m ll down up "
    "saying state drops drop opens appears appear comes pops"
)
"""Words that say nothing of their own beside names of things that are used."""
_SETTING = SETS - _listed(
    "send receive request order apply leave opt restore schedule deliver ship pass sort group rate "
    "swap"
)
"""Verbs for what is done when a thing has its value, and needs no button."""
_TICKS = _listed("tick check")
_SELECTS = _TICKS | _listed("select mark")
"""Verbs by which an entry is selected, with the box that it may have for that."""
_WHERE = _listed("left right top bottom corner side middle")
"""Words for where a thing is, which names do not tell."""
_TAKES = _listed(
    "click press tap hit choose pick select take open go show hide view display find look start "
    "play book reserve answer get use like want visit see using via in from on under with "
    "tick check"
)
_CHANGES = _listed(
    "enter type fill write add edit update rename replace delete remove drag drop increase "
    "decrease raise lower copy paste double right hover scroll untick uncheck deselect"
)
_TAKES_ZH = re.compile("点击?|单击|选择?|打开|进入|查看|切换|找到|预订|播放|按|在|从")
_CHANGES_ZH = re.compile(
    "改|设|填|输入|写|删除?|移除|移动|拖|双击|右键|悬停|滚动|勾|取消|重命名|编辑|添加|新增"
)
_CLAIMS = re.compile(
    r"\b(?:double|right|middle|ctrl|shift)[- ]?click|\b(?:drag|hover|scroll)\b|"
    r"双击|右键|拖|悬停|滚动|"
    r"^\W*(?:verify|check that|assert|make sure|ensure|wait|expect)\b"
    r"|如果|除非|直到|每个|所有|全部|不要|别|除了|或者?|验证|检查|等待|应该|应当",
    re.IGNORECASE,
)
"""Signs that stand by themselves, as keys do: they are words that no name accounts for."""
_MERE_ZH = re.compile(
    rf"{PLAIN_ZH}|我们?|要|想|需要|帮我?|麻烦|以及|和|与|及|最后|之后|后|都|也|就|是|填写?|写|输入|填入|录入|"
    "改|设|换|调整?|分别|完成|一个|个|这|那|里|中|进|它|他|她|上|来|按|处|为|作为|弹出的?|弹框|提示框|确认框|出现的?|所在的?|对应的?"
)


def by_names(
    desk: Desk, said: str, *, only_values: bool = False, unread: bool = False
) -> Turns[bool]:
    """Do what an instruction says with all the things that it names; whether they were there.

    Args:
        desk: Where they are.
        said: The instruction, in the person's words.
        only_values: Whether it is left alone where anything is to be pressed or opened.
        unread: Whether no rule reads it, so that nothing of it is known but its words.

    Raises:
        Missed: It was begun, and what is still to be done is not to be found.
    """
    wording = replace(read_wording(said), unread=unread)
    if not wording.words or _CLAIMS.search(said) or chooses_in_list(said):
        return False
    free = [True] * len(wording.words)
    context: set[str] = set()
    before = desk.commits
    for _ in range(MOST):
        lists = any(kind_of(one) is Kind.COMBO for one in controls_of(desk))
        if lists or web_page(desk.elements) is not None:
            yield from desk.again(0, why="what is there by name", hidden=True)
        plan, complete = _plan(desk, wording, free, context)
        if not complete:
            plan, complete = _plan(_whole(desk), wording, free, context)
        if only_values and not (complete and all(map(_gives_value, plan))):
            return False
        step = plan[0] if plan and (complete or _opens(wording, plan[0])) else None
        if step is None:
            break
        if not _in_sight(desk, step):
            if not (yield from bring_into_view(desk, step.control)):
                break
            continue
        context |= _around(desk, step)
        if complete:
            _settle(free, plan)
        yield from _take(desk, wording, step)
        _spend(free, step)
        if complete and len(plan) == 1:
            return True
        yield from desk.again(why="what comes up")
    if desk.commits == before:
        return False
    left = " ".join(w.said for w, is_free in zip(wording.words, free, strict=True) if is_free)
    raise Missed(f"begun by the names that are shown; nothing shown accounts for “{left}”")


def _gives_value(one: Mention) -> bool:
    """Whether doing it once more changes nothing."""
    if one.how is How.TICK:
        return one.control.role != "toggle button"
    return one.how in (How.SET, How.FIELD) or kind_of(one.control) is Kind.RADIO


def _whole(desk: Desk) -> Desk:
    """The same with what is out of sight, but for what closed lists hold."""
    tree = lineage_of(desk.unseen)
    listed = {e.id for c in desk.unseen if kind_of(c) is Kind.COMBO for e in tree.below(c)}
    away = [e for e in off_screen(desk) if e.id not in listed]
    whole = copy(desk)
    whole.scope = None
    whole.seen = replace(desk.seen, elements=(*desk.elements, *away))
    return whole


def _in_sight(desk: Desk, one: Mention) -> bool:
    shown = any(e.box == one.control.box and e.role == one.control.role for e in desk.elements)
    at = one.control.box.center if one.control.box is not None else None
    inside = web_page(desk.elements) is None or at is None or view_box(desk).contains(at)
    return shown and inside


def _plan(
    desk: Desk, wording: Wording, free: list[bool], context: set[str]
) -> tuple[list[Mention], bool]:
    """What is to be done with what is named, in order, and whether no word is left over."""
    mentions = mentions_in(desk, wording, free)
    paired = with_values(wording, mentions, [not one for one in free])
    if paired is None:
        return [one for one in mentions if one.clear and _opens(wording, one)][:1], False
    given, values = paired
    given = _without_places(desk, wording, given)
    if not all(one.clear and (one.how not in LOOSE or _is_taken(wording, one)) for one in given):
        return [], False
    if len(given) == 1 and given[0].how is How.TEXT and not context:
        # One text may stand there for any reason.
        return ([given[0]] if _opens(wording, given[0]) else []), False
    around = set(context)
    for one in mentions:
        around |= _around(desk, one)
    around |= topics_of(desk)
    spans = frozenset(at for one in mentions for at in range(*one.span))
    left = [
        at
        for at in range(len(wording.words))
        if free[at] and at not in spans | values and not _is_small(wording, at, around, given)
    ]
    left = _left_zh(wording, left, around)
    plan = sorted(given, key=lambda one: _order(wording, one, spans))
    begun = bool(plan or context)
    if len(left) == 1 and begun and (ending := _ending(desk, wording, left[0])) is not None:
        return [*plan, ending], True
    return plan, not left


def _without_places(desk: Desk, wording: Wording, given: list[Mention]) -> list[Mention]:
    """Without texts that only say where the control of their clause is: its row, its column."""
    tree = lineage_of(tuple(desk.elements))
    firm = [one for one in given if one.clear and one.how in (How.USE, How.FIELD)]
    kept: list[Mention] = []
    for one in given:
        clause, own = wording.words[one.span[0]].clause, wording.words[slice(*one.span)]
        told = one.how in LOOSE and any(
            {word.stem for word in own} <= words_around(tree, other.control)
            for other in firm
            if wording.words[other.span[0]].clause == clause
        )
        if not told:
            kept.append(one)
    return kept


def _ending(desk: Desk, wording: Wording, at: int) -> Mention | None:
    """The button that ends what the first verb began: “Order a large pizza” is Place order."""
    verb = wording.words[at]
    if not verb.first or verb.clause > 0 or verb.quote >= 0:
        return None
    said = {word.stem for word in wording.words}
    buttons = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.BUTTON and e.role != "toggle button" and not is_disabled(e)
        if verb.stem in (name := set(stems(written_on(e)))) and name <= said | _ENDS
    ]
    if len(buttons) != 1 or modal_over(desk.elements, buttons[0]) is not None:
        return None
    return Mention((at, at + 1), buttons[0], How.USE)


def _is_taken(wording: Wording, one: Mention) -> bool:
    """Whether the verb before a mere text or an entry is one for taking it, and nothing else."""
    before = wording.words[: one.span[0]]
    text = "".join(word.said for word in before)
    signs = max(_TAKES_ZH.finditer(text), key=lambda found: found.end(), default=None)
    others = max(_CHANGES_ZH.finditer(text), key=lambda found: found.end(), default=None)
    if signs is not None or others is not None:
        return signs is not None and (others is None or others.end() < signs.end())
    for word in reversed(before):
        said = word.said.casefold()
        if said in _TAKES:
            return True
        if said in SETS | ACTS | _CHANGES:
            return False
    return False


def _is_small(wording: Wording, at: int, around: set[str], given: Sequence[Mention]) -> bool:
    word = wording.words[at]
    said = word.said.casefold()
    if word.quote >= 0 or said in _WHERE:
        return False
    if wording.unread and word.first and said in MAKES:
        return any(map(_gives_value, given))
    if is_small(word) or said in ACTS | _SETTING | _MERE:
        return True
    if word.stem in around:
        # What is shown says what a thing is, but does nothing: a deed needs what does it.
        own = [one for one in given if wording.words[one.span[0]].clause >= word.clause]
        pressed = any(one.how is How.USE and kind_of(one.control) is Kind.BUTTON for one in own)
        return pressed or not word.first
    if said in ORDINALS:
        return str(ORDINALS.index(said) + 1) in around
    if _is_noun_of(wording, at, given):
        return True
    before = wording.words[at - 1].said.casefold() if at else ""
    if before in ORDINALS and said.isalpha() and said not in EXACT:
        # "the first question" is what stands at the number 1, whatever that is called.
        return str(ORDINALS.index(before) + 1) in around
    menu = any(each.said.casefold() in ("menu", "菜单") for each in wording.words)
    clauses = {word.clause, word.clause + 1} if word.stem in _ON else {word.clause}
    near = (one for one in given if wording.words[one.span[0]].clause in clauses)
    switched = any(one.how is How.TICK or _is_toggled(one, menu) for one in near)
    return said in ("and", "then", "but", "off", "only", "after", "while") or (
        word.stem in _OFF | _ON and switched
    )


def _is_noun_of(wording: Wording, at: int, given: Sequence[Mention]) -> bool:
    """Whether a word only says what a name beside it is of: “seat C4”, “the 20:15 showing”."""
    word = wording.words[at].said.casefold()
    if word in EXACT | _OFF_SAID | _ON_SAID or not word.isalpha():
        return False
    for one in given:
        start, end = one.span
        article = start > 0 and wording.words[start - 1].said.casefold() in ARTICLES
        if at == end and article and _ends_there(wording, at):
            return True
        code = end - start == 1 and bool(re.search(r"\d|^[A-Z]{1,2}$", wording.words[start].said))
        if at == start - 1 and code:
            return True
    return False


def _ends_there(wording: Wording, at: int) -> bool:
    """Whether what is said of a thing ends with this word."""
    rest = wording.words[at + 1 : at + 2]
    return not rest or rest[0].clause != wording.words[at].clause or is_small(rest[0])


def _is_toggled(one: Mention, menu: bool) -> bool:
    """Whether it is an entry of a menu, as such that show and hide things are."""
    return kind_of(one.control) is Kind.MENU_ITEM or (menu and one.how is How.TEXT)


def _left_zh(wording: Wording, left: list[int], around: set[str]) -> list[int]:
    """Of signs that are left over those that no small word of Chinese is made of."""
    runs: list[list[int]] = []
    for at in left:
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    kept: list[int] = []
    for run in runs:
        text = "".join(wording.words[at].said for at in run)
        if not re.match(r"[\u3400-\u9fff]", text) or _MERE_ZH.sub("", text):
            kept += run
    return kept


def _around(desk: Desk, one: Mention) -> set[str]:
    """The words that stand on a thing and around it."""
    tree = lineage_of(tuple(desk.elements))
    own = {word for text in names_of(tree, one.control) for word in stems_said(text)}
    return own | words_around(tree, one.control)


def _order(wording: Wording, one: Mention, named_at: frozenset[int]) -> tuple[int, int, int]:
    """As they are named; but what is opened to come to the rest of a clause comes before that."""
    clause = _begun(wording, wording.words[one.span[0]].clause, named_at)
    first = _is_placing(wording, one) and (_opens(wording, one) or one.how is How.TEXT)
    rank = 0 if first else 2 if _is_verb(wording, one) else 1
    return clause, rank, one.span[0]


def _is_verb(wording: Wording, one: Mention) -> bool:
    """Whether a button is called as the deed is: `Book` ends what the words behind it tell."""
    begins = one.span[0] == 0 or wording.words[one.span[0] - 1].clause != (
        wording.words[one.span[0]].clause
    )
    return begins and one.how is How.USE and kind_of(one.control) is Kind.BUTTON


def _begun(wording: Wording, clause: int, named_at: frozenset[int]) -> int:
    """The clause that this one only goes on with: “C4 and C5 for the evening” is one demand."""
    own = [at for at, word in enumerate(wording.words) if word.clause == clause]
    plain = (at for at in own if wording.words[at].said.casefold() not in _JOINS | ARTICLES)
    goes_on = clause > 0 and next(plain, -1) in named_at and own[0] not in named_at
    joined = goes_on and wording.words[own[0]].said.casefold() in _JOINS
    return _begun(wording, clause - 1, named_at) if joined else clause


def _is_placing(wording: Wording, one: Mention) -> bool:
    before = [w.said.casefold() for w in wording.words[max(0, one.span[0] - 2) : one.span[0]]]
    return bool(_PLACING & set(before))


def _opens(wording: Wording, one: Mention) -> bool:
    """Whether a thing is one that only leads to others."""
    said = written_on(one.control)
    if only_ends(said) or closes(said):
        return False  # an answer to what is in front leads nowhere
    if one.how is How.USE and kind_of(one.control) in _OPENERS:
        return not wording.unread or _is_placing(wording, one)
    behind = wording.words[one.span[1] : one.span[1] + 1]
    said = behind[0].said.casefold() if behind else ""
    return one.how in (How.USE, How.TEXT) and said in _OPENED and _is_placing(wording, one)


def _settle(free: list[bool], plan: Sequence[Mention]) -> None:
    """Every word is accounted for: only what is still to be done has to be found again."""
    ahead = {at for one in plan for at in (*range(*one.span), *range(*one.told))}
    for at in range(len(free)):
        free[at] = free[at] and at in ahead


def _spend(free: list[bool], one: Mention) -> None:
    """Have the words of a thing, and of its value, told once and for all."""
    for at in (*range(*one.span), *range(*one.told)):
        free[at] = False


def _take(desk: Desk, wording: Wording, one: Mention) -> Turns[None]:
    why = f"{named(one.control)} is named"
    if one.how is How.TICK and (one.control.role != "toggle button" or _switches(wording, one)):
        yield from bring_to(desk, one.control, _is_on(wording, one), why)
    elif one.how is How.USE and kind_of(one.control) is Kind.RADIO:
        yield from bring_to(desk, one.control, True, why)
    elif one.how in (How.SET, How.FIELD):
        yield from fill_slot(desk, Slot(one.control, one.value))
    elif one.how in LOOSE and (box := _selected_by(desk, wording, one)) is not None:
        yield from bring_to(desk, box, True, why)
    elif one.control.box is not None:
        at = one.control.box.center
        yield from desk.do(Click(at.x, at.y), why=why, last=True)
        if not (yield from desk.effect()) and one.how is How.TEXT:
            raise Missed(f"{named(one.control)} is only a text: a click on it does nothing")


def _selected_by(desk: Desk, wording: Wording, one: Mention) -> Element | None:
    """The box of an entry that is to be selected.

    Raises:
        Missed: It is to be ticked, and has none.
    """
    said = [word.said.casefold() for word in wording.words[: one.span[0]]]
    verb = next((w for w in reversed(said) if w in _SELECTS), "")
    signs = re.search("勾选|选中|选择|多选", "".join(said))
    box = box_for(desk, one.control) if verb or signs else None
    if box is None and (verb in _TICKS or (signs and signs[0] == "勾选")):
        raise Missed(f"{named(one.control)} is named, but no box to tick it by can be told")
    return box


def _switches(wording: Wording, one: Mention) -> bool:
    """Whether its clause says that something is switched on or off."""
    own = [w for w in wording.words if w.clause == wording.words[one.span[0]].clause]
    text = "".join(w.said for w in own)
    return any(w.stem in _OFF | _ON for w in own) or bool(
        _OFF_ZH.search(text) or _ON_ZH.search(text)
    )


def _is_on(wording: Wording, one: Mention) -> bool:
    """Whether a box is to be ticked: the last word before it that says so, in its clause."""
    clause = wording.words[one.span[0]].clause
    own = [w for w in wording.words if w.clause == clause]
    text = "".join(w.said for w in own)
    if re.search(r"[\u3400-\u9fff]", text):
        return not _OFF_ZH.search(text)
    return not any(w.stem in _OFF for w in own if w not in wording.words[slice(*one.span)])
