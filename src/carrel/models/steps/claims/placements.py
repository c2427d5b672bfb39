"""Conditions about a thing in a place, taken apart: the place, and what is so there."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.desk import Desk, children_of, within
from carrel.models.steps.finding.bounds import not_told
from carrel.models.steps.finding.held_entries import is_numbered
from carrel.models.steps.finding.wishes import Wish, look_for, resolve, wished
from carrel.models.steps.language.english.appearances import COLOURS
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.floating import all_dialogs, drawn_dialogs
from carrel.models.steps.phrases.place_words import bare_place, placed_in, read_place
from carrel.models.steps.program import Condition, Count, Has, Is, Shows, Within
from carrel.models.steps.shown.captions import announced
from carrel.models.steps.shown.reading import fold
from carrel.perception.find import Found
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["comes_and_goes", "is_any_dialog", "is_drawn_dialog", "is_question", "lies_so", "placed"]

_PASSING = re.compile(r"banner|toast|notification|alert|通知|横幅|提示框", re.IGNORECASE)
"""Words for what a box in the middle of the page is not."""
_FLOATING = re.compile(r"toast|notification|banner|snack ?bar|通知|横幅|提示条", re.IGNORECASE)
"""Words for what comes beside a dialog, and not in it."""
_MESSAGE = re.compile(
    rf"(?:the |an? |some )?(?:(?P<colour>{COLOURS}) )?(?:(?:small|little|error|warning|success|"
    r"short|confirmation|alert|status|pop-?up|info|validation|flash|toast|system|inline) )*"
    r"(?:message|notice|notification|toast|alert|banner|snack ?bar|callout|error|warning|text)"
    r"(?: (?:that (?:appears?|is shown)|shown|on the (?:page|screen)))?"
    r"|(?:该|这条|那条|一条|一个)?(?P<hue>[红橙黄绿蓝灰黑]色?的?)?(?:错误|警告|成功|提示|确认|弹窗|全局|轻)*"
    r"(?:消息|提示信息|提示文字|提示语?|通知|横幅|提示条|气泡)",
    re.IGNORECASE,
)
"""Words for whatever tells something, which seldom says of itself that it is a message."""
_QUESTION = re.compile(
    r"(?:the |an? |any )?confirm(?:ation)? (?:dialog(?:ue)?|pop-?up|prompt|message|box|window)"
    r"(?: box| window)?|(?:一个)?(?:确认|询问)的?(?:对话框|弹窗|弹出框|弹框|框|窗口|提示框)",
    re.IGNORECASE,
)
_DIRECTIONS = frozenset({"right_of", "left_of", "above", "below"})
ASIDE = 0.65
"""From here on something lies in the direction that was said, be it not in the same line."""
_NTH_OF = re.compile(
    r"(?P<row>the (?:first|second|third|fourth|fifth|last|only) (?:table )?(?:row|line|entry)) of "
    r"(?P<whole>(?:the|this) \S.*)",
    re.IGNORECASE,
)
_SAYING = ("dialog", "row", "column", "list", "table", "menu", "tab", "bar", "status", "group")


def placed(desk: Desk, condition: Condition) -> Condition:
    """`"Ann" in the dialog is visible` as what is so within the dialog; else as it is."""
    if isinstance(condition, Has):
        condition = _in_whole(desk, condition)
    if isinstance(condition, Has) and condition.how in ("contains", "equals"):
        if _is_beside_dialog(desk, condition.what):
            return Shows(_in_colour(condition.what, _quoted(condition.text)))
        words = read_place(condition.what)
        exactly = condition.how == "equals" and words.sort not in ("status", "bar", "dialog", "row")
        said = words.sort in _SAYING and not exactly and not is_numbered(condition.what)
        if said and not_told(desk, condition.what) is None:
            return Within(condition.what, Shows(_quoted(condition.text)))
        if _is_any_message(desk, condition.what):
            shown = Shows(_in_colour(condition.what, _quoted(condition.text)))
            return Within("the dialog", shown) if len(all_dialogs(desk.elements)) == 1 else shown
    if not isinstance(condition, Shows | Is | Count | Has):
        return condition
    if (numbered := _of_numbered(desk, condition)) is not None:
        return numbered
    written = _IN_TEXT_ZH.fullmatch(condition.what.strip())
    if written is not None and isinstance(condition, Shows) and _is_written(desk):
        # What a program is for writing holds its text, and not things that can be seen in it.
        return Has(written["of"], written["text"], "contains")
    if isinstance(condition, Count) and (group := _ticked_of(desk, condition.what)) is not None:
        return Within(group[0], replace(condition, what=group[1]))
    parts = placed_in(condition.what) or _under_heading(desk, condition.what)
    if parts is None:
        return condition
    place, what = parts
    strict = isinstance(condition, Shows | Count)
    if not strict and not_told(desk, place) is not None:
        return condition
    return Within(place, replace(condition, what=what))


def _in_whole(desk: Desk, condition: Has) -> Has:
    """A row of a table that is called so is in it, and no row of that name."""
    nth = _NTH_OF.fullmatch(condition.what.strip())
    if nth is None or not_told(desk, nth["whole"]) is not None:
        return condition
    return replace(condition, what=f"{nth['row']} in {nth['whole']}")


def _of_numbered(desk: Desk, condition: Shows | Is | Count | Has) -> Condition | None:
    """What is in a row that is counted in a place of its own, or as an entry of the only table."""
    told = _NTH_ZH.fullmatch(condition.what.strip())
    if told is None or not isinstance(condition, Has):
        return None
    row = f"{told['nth']}行{told['rest'] or ''}"
    inner = replace(condition, what=row)
    place = (told["place"] or "").strip()
    for where in dict.fromkeys((place, _TABLE_ZH.sub("", place))):
        if not where or _TABLE_ZH.fullmatch(where):
            continue
        if not_told(desk, where) is None:
            return Within(where, inner)
    tables = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.ROW and e.box]
    mere = not place or _TABLE_ZH.fullmatch(place) is not None
    return inner if mere and tables and told["unit"] != "行" and told["rest"] else None


def _is_written(desk: Desk) -> bool:
    """Whether a program that one writes in is at work, and not a page."""
    page = web_page(desk.elements)
    own = {e.id for e in children_of(desk.elements, page)} if page is not None else set()
    focused = [e for e in desk.elements if {"multi line", "focused"} <= set(e.states)]
    return page is None or any(e.id not in own for e in focused)


_TICKED = re.compile(
    r"(?P<noun>[a-z]+) (?P<so>that are (?:ticked|checked|unticked|unchecked|selected|on|off))"
)


def _ticked_of(desk: Desk, phrase: str) -> tuple[str, str] | None:
    """The group of `extras that are ticked`, and the boxes in it."""
    found = _TICKED.fullmatch(phrase.strip())
    if found is None or wished(found["noun"]).description.kinds:
        return None
    place = f"the {found['noun']}"
    told = found["noun"] not in ("boxes", "ones") and not_told(desk, place) is None
    return (place, f"checkboxes {found['so']}") if told else None


_NTH_ZH = re.compile(
    r"(?:(?P<place>[\"“][^\"”]+[\"”]|[^\"“”第]{2,12}?)(?:里面?|中|内|(?:下面|下方)?的)?)?"
    r"(?P<nth>第\s*[\d一二三四五六七八九十]+\s*|(?:倒数第|最后)[一二三四五六]?)"
    r"(?P<unit>[行条项笔个张])(?P<noun>[\u3400-\u9fff]{0,4}?)(?P<rest>的.+)?"
)
"""“我的申请”里第一行的类型, 第二条订单的金额: an entry by its number, and where it is counted."""
_IN_TEXT_ZH = re.compile(
    r"(?P<of>(?:文档|笔记|正文|文本|编辑器|编辑区|便签|文章)(?:内容|正文|文本|文字|区域?)?)(?:里面?|中|内|上)的?"
    r"[\"“](?P<text>[^\"”]+)[\"”]"
)
_TABLE_ZH = re.compile(r"(?:的?(?:数据)?(?:列表|表格|表|清单))$")
_IN_ZH = re.compile(
    r"[\"“](?P<place>[^\"”]+)[\"”](?:里面?|中|内|(?:下面|下方|之下)(?=的|有|能|看))的?"
    r"(?P<what>[^的].*)"
)
_IN = re.compile(r"(?P<what>\S.*) in (?P<place>(?:the |[A-Z\"“])[^,;]*)")


def _under_heading(desk: Desk, phrase: str) -> tuple[str, str] | None:
    """The place of `"Fix login" in Done`, where a heading or a named part is called so."""
    found = _IN_ZH.fullmatch(phrase.strip()) or _IN.fullmatch(phrase.strip())
    if found is None or "[" in phrase or found["what"].count('"') % 2:
        return None
    name = fold(bare_place(found["place"]).strip('"“”'))
    called = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) in (Kind.HEADING, Kind.GROUP) and fold(e.name) == name and e.box is not None
    ]
    if len({e.box for e in called}) != 1 or not_told(desk, found["place"]) is not None:
        return None
    others = [e for e in part_meant(desk.elements, "") if fold(written_on(e)) == name]
    if any(not within(e.box, called[0].box) for e in others):
        # A folder or a tab of that name may be meant as well.
        return None
    return found["place"], found["what"]


def _is_beside_dialog(desk: Desk, phrase: str) -> bool:
    """Whether a toast or the like is meant, and only a dialog is there that asks something."""
    if not _FLOATING.search(phrase) or _MESSAGE.fullmatch(phrase.strip()) is None:
        return False
    dialogs = all_dialogs(desk.elements)
    return bool(dialogs) and not any(e.role in ("alert", "notification") for e in dialogs)


def _is_any_message(desk: Desk, phrase: str) -> bool:
    """Whether a message is meant that nothing on the screen is called, no field for one either."""
    if _MESSAGE.fullmatch(phrase.strip()) is None:
        return False
    wish = wished(phrase)
    match = resolve(desk, look_for(desk, wish, want="read"))
    # Any text at all fits "the message"; only what is called so, or a field for one, is meant.
    if match is not None and (wish.description.name or kind_of(match.element) is not Kind.TEXT):
        return False
    return announced(part_meant(desk.elements, ""), phrase) is None


def _in_colour(message: str, text: str) -> str:
    """What a message says, in the colour that is said of it, if one is."""
    found = _MESSAGE.fullmatch(message.strip())
    if found is not None and found["colour"]:
        return f"the {found['colour']} {text}"
    return f"{found['hue'].rstrip('的')}的{text}" if found is not None and found["hue"] else text


def _quoted(text: str) -> str:
    return f"“{text}”" if '"' in text else f'"{text}"'


def comes_and_goes(place: str) -> bool:
    """Whether any dialog or menu is meant, of which there may just be none."""
    words = read_place(place)
    return words.sort in ("dialog", "menu") and not words.name


def is_drawn_dialog(desk: Desk, phrase: str) -> bool:
    """Whether a dialog is meant, and one is there that its page does not call so."""
    words = read_place(phrase)
    if words.sort != "dialog" or _PASSING.search(phrase) or not drawn_dialogs(desk.elements):
        return False
    return not words.name or not_told(desk, phrase) is None


def is_any_dialog(phrase: str) -> bool:
    """Whether whatever dialog is open is meant, or any that asks to confirm."""
    words, said = read_place(phrase), phrase.strip()
    if _QUESTION.fullmatch(said) is not None:
        return True
    return words.sort == "dialog" and not words.name and _PASSING.search(said) is None


def is_question(desk: Desk, phrase: str) -> bool:
    """Whether a dialog that asks to confirm is meant, and one is there, whatever it is called.

    It has something to press, and nothing to fill in.
    """
    if _QUESTION.fullmatch(phrase.strip()) is None:
        return False
    for dialog in all_dialogs(desk.elements):
        held = children_of(desk.elements, dialog)
        if any(kind_of(e) is Kind.BUTTON for e in held) and not any(map(is_field, held)):
            return True
    return False


def lies_so(desk: Desk, wish: Wish, found: Found) -> bool:
    """Whether the one thing of a name lies right of, left of, over or under another, if not beside.

    To be told that it does is enough; to be told which of several is meant it is not.
    """
    one, best = wish.description, found.best
    placed_so = [r for r in one.relations if r.kind in _DIRECTIONS and r.target.exact]
    if not one.exact or not placed_so or len(placed_so) != len(one.relations):
        return False
    plain = replace(wish, description=replace(one, relations=(), readings=()))
    alone = resolve(desk, look_for(desk, plain, want="read"))
    if alone is None or best is None or best.confidence < ASIDE:
        return False
    return best.element.box == alone.element.box
