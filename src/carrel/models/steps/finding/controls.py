"""The control that stands for a verb: by its words, its icon, or a mere text that acts as one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from carrel.frames import Element
from carrel.models.steps.desk import Desk, children_of, within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.floating import drawn_dialogs
from carrel.models.steps.layout.modals import dialogs_shown
from carrel.models.steps.phrases.endings import ends, leaves, only_ends
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.shown.laid_out import goes_with
from carrel.models.steps.shown.parts import in_part
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = [
    "LESS",
    "MORE",
    "control_for",
    "control_said",
    "controls_for",
    "counts",
    "finishing",
    "is_more",
    "more_of",
    "waits",
]

_KINDS = (Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.IMAGE, Kind.MENU_ITEM, Kind.OPTION, Kind.TAB)
_TEXTS = (Kind.TEXT, Kind.HEADING)

_ALSO: Mapping[str, str] = {
    "delete": r"delete|remove|trash|discard|bin|erase|删除|移除|删掉|去掉|移出",
    "remove": r"remove|delete|trash|discard|移除|移出|删除|删掉|去掉",
    "forward": r"forward|fwd|转发",
    "reply": r"reply|respond|answer|回复",
    "star": r"(?:add (?:a )?)?star|favou?rite|important|flag|收藏|(?:加|添加|标记?|设为|标为)?星标|"
    r"加星",
    "flag": r"flag|star|important|标记",
    "like": r"like|favou?rite|heart|love|点赞|喜欢",
    "share": r"share|retweet|repost|分享|转发",
    "search": r"search|find|go|搜索|查找|查询|检索|搜一下|搜",
    "log in": r"log ?in|sign ?in|登录",
    "sign in": r"sign ?in|log ?in|登录",
    "book": r"book|reserve|预订",
    "reserve": r"reserve|book|预订",
    "buy": r"buy|add to (?:cart|basket|bag)|order|purchase|book|get|购买|加入|加购",
    "order": r"order|add(?: to (?:cart|basket|bag))?|buy|\+|订购",
    "send": r"send|submit|发送",
    "resend": r"resend|send|forward|重发",
    "pass on": r"forward|send|share|转发",
    "give": r"give|send|forward|share|转发",
    "add": r"add|new|create|plus|\+|添加|新建|新增|加入|放入|加购|增加|创建",
    "create": r"create|new|add|plus|\+|新建|创建|添加|新增",
    "compose": r"compose|new (?:mail|message|e-?mail)|write|写信|写邮件|撰写|新邮件|发邮件",
    "save": r"save|保存",
    "edit": r"edit|change|pencil|编辑|修改|更改",
    "archive": r"archive|归档",
    "approve": r"approve|accept|通过|同意|批准|审批通过|审核通过",
    "agree": r"agree|accept|approve|同意|通过|批准|接受",
    "reject": r"reject|decline|refuse|deny|驳回|拒绝|不通过|不同意|打回",
    "decline": r"decline|reject|refuse|deny|拒绝|驳回|不通过|不同意",
    "close": r"close|dismiss|x|×|✕|关闭",
    "mute": r"mute|静音",
    "block": r"block|屏蔽",
    "report": r"report|举报",
    "follow": r"follow|关注",
    "continue": r"continue|next|proceed|go on|forward|继续|下一步",
    "back": r"back|previous|prev|go back|上一步|返回",
    "confirm": r"confirm|ok|okay|yes|确认|确定|是",
    "skip": r"skip|next|跳过|下一[首曲]",
    "rename": r"rename|edit|重命名|改名|更名|编辑",
}
_MORE = re.compile(
    r"(?:more|options|menu|overflow|kebab|dots|actions?$|…|⋯|⋮|\.\.\.|更多)", re.IGNORECASE
)
_NEUTRAL = frozenset(
    {
        *(
            "this",
            "the",
            "a",
            "an",
            "it",
            "now",
            "here",
            "selected",
            "your",
            "my",
            "to",
            "for",
            "in",
        ),
        *("message", "mail", "email", "e", "item", "post", "entry", "button", "icon", "form"),
    }
)
_MORE_OR_LESS = frozenset(
    {"no", "not", "never", "un", "all", "off", "disabled", "lock", "locked", "account", "cancel"}
)
"""Words that make another thing of an icon than its verb says."""
_ICON = re.compile(r"[\w-]+-symbolic")
_WORD_ENDS = r"(?![^\W\u3400-\u9fff])"
"""Chinese is written without spaces: what follows the verb there is looked at for itself."""
_PARTICLES = re.compile(r"[到进入至此该这那个条项一的我]|按钮|本[条项]")


def controls_for(desk: Desk, verb: str, elements: Sequence[Element] | None = None) -> list[Element]:
    """Everything on the screen that stands for a verb, buttons rather than mere texts."""
    listed = desk.elements if elements is None else elements
    words = verb.casefold().strip()
    spoken = frozenset(re.findall(r"\w+", desk.step.casefold()))
    if spoken & _JOURNEYS:
        spoken |= _JOURNEYS
    called = "|".join(map(_spaced, filter(None, (words, desk.said))))
    own = re.compile(rf"\W*(?:{called}){_WORD_ENDS}", re.IGNORECASE)
    also = re.compile(rf"\W*(?:{_ALSO.get(words, re.escape(words))}){_WORD_ENDS}", re.IGNORECASE)
    for pattern in (own, also):
        if named := _usable(listed, partial(_is_named, pattern=pattern, spoken=spoken)):
            return named
    said = {*words.split(), desk.said}
    if not spoken - _PLAIN - said and (sole := _sole(listed, own)):
        return sole
    if words == "confirm" and (answer := _confirming(listed)) is not None:
        return [answer]
    if waits(listed, words):
        # What does it is there, and cannot be used yet: a text of that name is something else.
        return []
    # A mere text that says something alike is what it says, and no control; a mere sign is one.
    signs = [e for e in _texts(listed, also) if not re.search(r"[^\W_]", e.name)]
    return _texts(listed, own) or signs


def waits(elements: Sequence[Element], verb: str) -> bool:
    """Whether a button that is called by a verb, and by nothing else, is there but disabled."""
    own = re.compile(rf"\W*{_spaced(verb)}\W*", re.IGNORECASE)
    shown = part_meant(elements, "")
    return any(
        kind_of(e) is Kind.BUTTON and is_disabled(e) and own.fullmatch(_said(e)) for e in shown
    )


_JOURNEYS = frozenset({"flight", "train", "trip", "journey", "ticket"})
"""Words for what is booked, of which a page has its own."""
_PLAIN = frozenset(
    {"it", "this", "that", "the", "and", "then", "now", "finally", "all", "everything"}
)
_OTHERWISE = frozenset(
    {
        "as",
        "draft",
        "copy",
        "template",
        "later",
        "close",
        "exit",
        "new",
        "another",
        "without",
        "for",
    }
)
_OTHERWISE_ZH = re.compile(
    r"另存|草稿|副本|模板|全部|所有|并|新建|退出|关闭|账[号户]|[为成]|稍后|取消"
)
"""Words that make something else of a control than its verb alone."""


def _spaced(verb: str) -> str:
    """A verb of two words, which many write as one: `Checkout`, `Sign-in`."""
    return r"[\s-]?".join(map(re.escape, verb.split()))


def _sole(elements: Sequence[Element], own: re.Pattern[str]) -> list[Element]:
    """The only control that begins with a verb of which nothing else is said: `Save changes`."""
    begun = _usable(elements, lambda e: own.match(_said(e)) is not None)
    buttons = [e for e in begun if kind_of(e) is Kind.BUTTON] or begun
    words = set(re.findall(r"\w+", _said(buttons[0]).casefold())) if len(buttons) == 1 else set()
    if any(map(_OTHERWISE_ZH.search, words)):
        return []
    return buttons if words and not words & (_OTHERWISE | _MORE_OR_LESS) else []


def _confirming(elements: Sequence[Element]) -> Element | None:
    """The one button of the dialog in front that does not give it up, whatever it says.

    Where all its buttons go on in their way, as Delete and Keep do, its question tells which.
    """
    dialogs = dialogs_shown(elements) or drawn_dialogs(elements)
    inside = children_of(elements, dialogs[-1]) if dialogs else ()
    buttons = [e for e in _usable(inside, lambda e: bool(_said(e))) if kind_of(e) is Kind.BUTTON]
    goes_on = [e for e in buttons if not leaves(_said(e))]
    if len(goes_on) > 1:
        goes_on = [e for e in goes_on if set(stems(_said(e))) <= _asked(dialogs[-1], inside)]
    return goes_on[0] if len(goes_on) == 1 < len(buttons) else None


def _asked(dialog: Element, inside: Sequence[Element]) -> set[str]:
    """The words of what a dialog asks, as stems; what it only tells is no question."""
    said = (written_on(e) for e in (dialog, *inside) if kind_of(e) is not Kind.BUTTON)
    asked = [part for text in said for part in re.findall(r"[^.!?]*[?？]", text)]
    return {stem for part in asked for stem in stems(part)}


def _texts(elements: Sequence[Element], pattern: re.Pattern[str]) -> list[Element]:
    """Texts that say nothing else, each place once."""
    usable = [e for e in part_meant(elements, "") if e.box is not None and not is_disabled(e)]
    return _once([e for e in usable if kind_of(e) in _TEXTS and _says_only(e, pattern)])


def _usable(elements: Sequence[Element], fits: Callable[[Element], bool]) -> list[Element]:
    """What can be pressed and fits."""
    return [
        e
        for e in part_meant(elements, "")
        if e.box is not None and not is_disabled(e) and kind_of(e) in _KINDS and fits(e)
    ]


def _said(element: Element) -> str:
    name = element.name.strip() or element.text.strip()
    # Of a mere sign its author may say what it is for.
    signs = name and element.hint.strip() and not any(map(str.isalnum, name))
    return element.hint.strip() if signs else name


def _is_named(element: Element, pattern: re.Pattern[str], spoken: frozenset[str]) -> bool:
    """Whether it is called so; what else it is called must have been said, or say nothing.

    "Delete account" is not what deletes a file, and "Remove all" not what removes one thing.
    """
    name = element.name.strip()
    if _ICON.fullmatch(name):
        words = name.removesuffix("-symbolic").casefold().split("-")
        more = _MORE_OR_LESS.intersection(words) - spoken
        return not more and any(pattern.fullmatch(word) for word in words)
    said = _said(element)
    found = pattern.match(said)
    if found is None:
        return False
    rest = re.findall(r"[^\W\d]+", said[found.end() :].casefold())
    return all(word in _NEUTRAL or word in spoken or _is_said(word, spoken) for word in rest)


def _is_said(word: str, spoken: frozenset[str]) -> bool:
    """Whether Chinese words say nothing more, or what was said: the 购物车 of 加入购物车."""
    if not re.fullmatch(r"[\u3400-\u9fff]+", word):
        return False
    parts = filter(None, _PARTICLES.split(word))
    return all(any(part in said for said in spoken) for part in parts)


def _says_only(element: Element, pattern: re.Pattern[str]) -> bool:
    said = (element.name or element.value or element.text).strip(" .:!")
    return pattern.fullmatch(said) is not None


def _once(elements: list[Element]) -> list[Element]:
    """Each place once: a text may be an element within one that says the same."""
    kept: list[Element] = []
    for element in elements:
        if not any(within(element.box, other.box) for other in kept):
            kept.append(element)
    return kept


def control_said(desk: Desk) -> str | None:
    """What a control is called whose name is all that the step says: “Proceed to checkout”."""
    words = fold(desk.step)
    called = {
        name
        for e in part_meant(desk.elements, "")
        if kind_of(e) in (Kind.BUTTON, Kind.LINK, Kind.MENU_ITEM) and e.box is not None
        if words and fold(name := written_on(e)) == words and not is_disabled(e)
    }
    return called.pop() if len(called) == 1 else None


def control_for(desk: Desk, verb: str, *, near: bool) -> Element | None:
    """The one that is meant; with `near` only where the work is going on."""
    return _one(desk, controls_for(desk, verb), near=near)


def _one(desk: Desk, fitting: list[Element], *, near: bool) -> Element | None:
    if near:
        held = in_part(desk, fitting, rows=True)
        laid = goes_with(desk, desk.worked, fitting) if len(held) != 1 else None
        fitting = held if laid is None else [laid]
    elif len(fitting) > 1:
        fitting = in_part(desk, fitting) or fitting
    return fitting[0] if len(fitting) == 1 else None


def more_of(desk: Desk) -> Element | None:
    """What opens further choices for the thing the work is about."""
    named = [e for e in _usable(desk.elements, is_more) if not counts(e, desk.elements)]
    return _one(desk, named or _texts(desk.elements, _MORE), near=True)


MORE = re.compile(
    r"[+＋➕▲△⏶]|(?:more|plus|add|increas\w+|increment|up|one more)\b.*|增加.*|加一?|加号",
    re.IGNORECASE,
)
LESS = re.compile(
    r"[-−–—－➖▼▽⏷]|(?:fewer|less|minus|decreas\w+|decrement|reduce|down|one less|"
    r"remove (?:one|an?))\b.*|减少.*|减一?|减号",
    re.IGNORECASE,
)
"""What is written on the buttons that count a number up and down."""
STEPPER = 400
"""Pixels between the two buttons that count something up and down."""


def counts(button: Element, elements: Sequence[Element]) -> bool:
    """Whether it counts something up or down, as another beside it does the other way."""
    box = button.box
    says = [(MORE, LESS), (LESS, MORE)]
    other = [there for here, there in says if here.fullmatch(_said(button))]
    return box is not None and any(
        e.box is not None
        and kind_of(e) is Kind.BUTTON
        and any(one.fullmatch(_said(e)) for one in other)
        and abs(e.box.center.y - box.center.y) < box.height
        and abs(e.box.center.x - box.center.x) < STEPPER
        for e in elements
    )


def is_more(element: Element) -> bool:
    """Whether a control is called after the further choices that it opens."""
    name = element.name.strip()
    if _ICON.fullmatch(name):
        return any(map(_MORE.fullmatch, name.removesuffix("-symbolic").split("-")))
    return _MORE.match(_said(element)) is not None


def _ending(elements: Sequence[Element]) -> list[Element]:
    """What finishes a form, buttons rather than mere texts."""
    named = _usable(elements, lambda e: ends(_said(e)))
    if named:
        return named
    texts = [e for e in part_meant(elements, "") if e.box is not None and kind_of(e) in _TEXTS]
    return _once([e for e in texts if only_ends(e.name or e.value or e.text)])


def finishing(desk: Desk, verb: str) -> Element | None:
    """The one control that ends what was begun: named for ending, or for the verb."""
    own = [e for e in controls_for(desk, verb) if not leaves(e.name)]
    for fitting in (_ending(desk.elements), own):
        if len(fitting) == 1:
            return fitting[0]
        buttons = [e for e in fitting if kind_of(e) is Kind.BUTTON]
        if len(buttons) == 1:
            return buttons[0]
        both = [e for e in fitting if any(e is one for one in own)]
        if len(both) == 1:
            return both[0]
    return None
