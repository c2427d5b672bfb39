"""Words for a part of the screen: what sort of part it is, and what tells it from others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["ORDINALS", "PlaceWords", "Sort", "bare_place", "placed_in", "read_place"]

Sort = Literal[
    "whole",
    "point",
    "dialog",
    "window",
    "row",
    "column",
    "list",
    "table",
    "menu",
    "tab",
    "bar",
    "status",
    "side",
    "group",
    "any",
]


@dataclass(frozen=True, slots=True)
class PlaceWords:
    """A place as a person says it.

    Attributes:
        name: What is written on it, over it or in it; empty where nothing is said of that.
        number: Which one, from 1; -1 for the last; 0 where it is not said.
        side: Where on the screen: `left`, `right`, `top` or `bottom`.
    """

    sort: Sort
    name: str = ""
    number: int = 0
    side: str = ""


_ENGLISH: tuple[tuple[Sort, str], ...] = (
    ("dialog", r"dialog(?:ue)?s?(?: box| window)?|pop-?ups?(?: window| box)?"),
    ("dialog", r"modal(?: dialog| window)?|alert(?: box)?|prompt|message box"),
    ("dialog", r"confirmation(?: box)?|toast|notification|banner"),
    ("status", r"status ?bar|status line"),
    ("row", r"(?:table )?rows?|line item|record|entry|list item"),
    ("column", r"(?:table )?columns?|lane"),
    ("table", r"(?:data )?table|(?:data )?grid|spreadsheet"),
    ("list", r"list(?: ?box)?|list ?view|results?(?: list)?|tree(?: ?view)?|queue"),
    ("menu", r"(?:context |pop-?up |drop-?down |sub-?)?menu|drop-?down(?: list)?"),
    ("tab", r"tab(?: page| panel)?"),
    ("bar", r"tool ?bar|menu ?bar|nav(?:igation)?(?: ?bar)?|ribbon"),
    ("window", r"window"),
    ("group", r"section|panel|pane|side ?bar|form|card|area|group(?: box)?|block|region"),
    ("group", r"calendar|frame|tile|field ?set|container|part|header|footer|widget|view"),
    ("whole", r"(?:web ?|whole |entire |current )?(?:page|screen|site|website|app(?:lication)?)"),
)
_CHINESE: tuple[tuple[Sort, str], ...] = (
    (
        "dialog",
        (
            r"对话框|弹窗|弹出框|弹出窗口|弹框|弹层|提示框|确认框|模态框|消息框|通知|横幅|气泡框?|确认提示|"
            r"(?:二次)?(?:确认|提示|警告|询问|提醒)(?:弹?窗口?|弹?框|层)|"
            r"弹(?:出|出来)的?(?:窗口?|框|层|提示|确认|窗体)"
        ),
    ),
    ("status", r"状态栏"),
    ("bar", r"工具栏|菜单栏|导航栏|导航条|工具条"),
    ("group", r"侧边栏|侧栏|搜索栏|页眉|页脚|信息栏"),
    ("list", r"列表框?|清单|树形列表|搜索结果|结果列表"),
    ("row", r"(?:所在|对应)?的?(?:那|这|该)?一?行|(?:那|这|该)一?[条项](?:记录|数据)?|记录"),
    ("column", r"(?:那|这|该)?一?[列栏]|泳道|看板列"),
    ("table", r"表格|数据表|网格|表"),
    ("list", r"树|结果"),
    ("menu", r"(?:下拉|右键|弹出|快捷)?菜单|下拉(?:框|列表)"),
    ("tab", r"标签页|选项卡|页签"),
    ("window", r"窗口"),
    ("group", r"区域?|部分|面板|分组|组|表单|卡片|板块|分区|一?块|模块|[那这该]一?格|格子"),
    ("whole", r"(?:当前|整个|这个|该)?(?:页面?|网页|屏幕|界面|画面|网站|桌面)"),
)
_SIDES = {
    "left": "left",
    "left-hand": "left",
    "left hand": "left",
    "right": "right",
    "right-hand": "right",
    "right hand": "right",
    "top": "top",
    "upper": "top",
    "bottom": "bottom",
    "lower": "bottom",
    "左": "left",
    "右": "right",
    "顶": "top",
    "上": "top",
    "底": "bottom",
    "下": "bottom",
}
_EN_SIDE = r"left(?:[- ]hand)?|right(?:[- ]hand)?|top|upper|bottom|lower"
ORDINALS = {
    word: number
    for number, words in enumerate(
        (
            ("first", "1st"),
            ("second", "2nd"),
            ("third", "3rd"),
            ("fourth", "4th"),
            ("fifth", "5th"),
            ("sixth", "6th"),
            ("seventh", "7th"),
            ("eighth", "8th"),
            ("ninth", "9th"),
            ("tenth", "10th"),
        ),
        1,
    )
    for word in words
} | {"last": -1, "final": -1, "only": 0}
_NUMERALS = {c: n for n, c in enumerate("一二三四五六七八九十", 1)} | {"两": 2}
_POINT = re.compile(r"\(?\s*\d{1,5}\s*[,，]\s*\d{1,5}\s*\)?")
_QUOTES = "\"“”'‘’「」『』"
_ARTICLE = re.compile(r"^(?:the|this|that|my|your|our|an?|its)\s+", re.IGNORECASE)
_OPENED = re.compile(
    r"^(?:(?:newly |just )?(?:open(?:ed)?|current|new|resulting|shown)\s+)+"
    r"|\s+(?:(?:that|which)\s+(?:is|has|was|just|appears?|appeared|opens?|opened|came|pops?|"
    r"popped|up|shown|open|now|\s)+|in front|on (?:the )?(?:screen|page)|that opens)$",
    re.IGNORECASE,
)
_ZH_OPENED = re.compile(
    r"^(?:(?:当前|新?打开|新?弹出|新?出现|显示|跳出|刚才|刚刚|随后|此时)(?:来|了)*的?)+(?=.)"
)
_BY = (
    r"(?:of|for|with|containing|that (?:contains|has|says|shows)|which (?:contains|says)|"
    r"where|named|called|titled|labelled|labeled|headed|under|belonging to|about)"
)


def read_place(phrase: str) -> PlaceWords:
    """What the words for a place say."""
    text = " ".join(phrase.split()).strip(" ,，。.")
    if _POINT.fullmatch(text):
        return PlaceWords("point", text)
    if re.search(r"[\u3400-\u9fff]", re.sub(r"[\"“][^\"”]*[\"”]", "", text)):
        return _chinese(text)
    return _english(text)


def bare_place(phrase: str) -> str:
    """The words without their article."""
    return _ARTICLE.sub("", phrase.strip())


def _bare(name: str) -> str:
    return name.strip().strip(_QUOTES).strip()


def _english(text: str) -> PlaceWords:
    bare = _OPENED.sub("", _ARTICLE.sub("", _OPENED.sub("", text)))
    side = ""
    if found := re.fullmatch(
        rf"(?P<side>{_EN_SIDE})(?: (?:side|half|part|edge|corner|end|hand side))?"
        r"(?: of (?:the )?(?P<of>.+))?",
        bare,
        re.IGNORECASE,
    ):
        of = read_place(found["of"]) if found["of"] else PlaceWords("whole")
        if of.sort == "whole":
            return PlaceWords("side", side=_SIDES[found["side"].lower()])
    if found := re.match(rf"(?P<side>{_EN_SIDE})\s+(?=\S)", bare, re.IGNORECASE):
        side, bare = _SIDES[found["side"].lower()], bare[found.end() :]
    if found := re.search(
        rf"\s+(?:on|at|to) the (?P<side>{_EN_SIDE})(?: side| hand side)?"
        r"(?: of (?:the )?(?:page|screen|window))?$",
        bare,
        re.IGNORECASE,
    ):
        side, bare = _SIDES[found["side"].lower()], bare[: found.start()]
    number = 0
    first = re.match(r"(?P<word>[\w-]+)\s+", bare)
    if first and first["word"].lower() in ORDINALS:
        number, bare = ORDINALS[first["word"].lower()], bare[first.end() :]
    for sort, nouns in _ENGLISH:
        if re.fullmatch(nouns, bare, re.IGNORECASE):
            return PlaceWords(sort, "", number, side or _usual_side(bare))
        if found := re.fullmatch(
            rf"(?:{nouns}) (?:number |no\.? |#)?(?P<n>\d+)", bare, re.IGNORECASE
        ):
            return PlaceWords(sort, "", int(found["n"]), side)
        if found := re.fullmatch(
            rf"(?:{nouns}) (?:{_BY} )?(?P<name>.+)|(?P<owner>.+)['’]s (?:{nouns})"
            rf"|(?P<head>.+) (?:{nouns})",
            bare,
            re.IGNORECASE,
        ):
            name = found["name"] or found["owner"] or found["head"]
            return PlaceWords(sort, _bare(_ARTICLE.sub("", name)), number, side)
    return PlaceWords("any", _bare(bare), number, side)


def _usual_side(noun: str) -> str:
    """A header is at the top, a footer at the bottom."""
    return {"header": "top", "footer": "bottom", "页眉": "top", "页脚": "bottom"}.get(
        noun.casefold(), ""
    )


_ZH_SIDE = re.compile(
    r"^(?:页面|屏幕|窗口|界面|网页)?的?(?P<side>[左右顶底上下])"
    r"(?:[侧边]|部|方|面|半部分|半部|半)的?(?:那个|这个)?"
)
_ZH_NUMBER = re.compile(r"第\s*(?P<n>[一二三四五六七八九十]|\d+)\s*[个张条]?|最后[一1]?[个张条]?")


def _chinese(text: str) -> PlaceWords:
    bare = re.sub(r"(?:里面|之中|当中|里|中|内)$", "", _ZH_OPENED.sub("", text)).strip()
    side, number = "", 0
    if found := _ZH_SIDE.match(bare):
        side, bare = _SIDES[found["side"]], bare[found.end() :].strip()
        if not bare:
            return PlaceWords("side", side=side)
    if found := re.search(rf"(?:{_ZH_NUMBER.pattern})(?=[^“\"”]*$)", bare):
        digits = found["n"]
        number = -1 if digits is None else _NUMERALS.get(digits) or int(digits)
        bare = bare[: found.start()] + bare[found.end() :]
    bare = re.sub(r"^(?:那个|这个|该|名为|标题为|标题是|叫做?|包含|含有?)\s*", "", bare)
    for sort, nouns in _CHINESE:
        found = re.fullmatch(
            rf"(?P<name>.*?)\s*(?:的?(?:那个|这个|该|那一个|一个)|的)?(?:{nouns})", bare
        )
        if found is None:
            continue
        if not found["name"] or (sort == "row" and _is_holder(found["name"])):
            return PlaceWords(sort, "", number, side or _usual_side(bare))
        return PlaceWords(sort, _bare(found["name"]), number, side)
    return PlaceWords("any", _bare(bare), number, side)


def _is_holder(name: str) -> bool:
    """Whether it is no name: the 表格 of 表格第 2 行."""
    return (
        re.fullmatch(r"(?:该|这个|那个)?(?:数据)?(?:表格?|列表|清单)(?:里|中|的|内)*", name)
        is not None
    )


# A thing and its place in one phrase


_PIECE = r"(?:“[^”]*”|\"[^\"]*\"|[^\"“”])"
_EN_IN = re.compile(
    r"(?P<what>.+?)\s+(?:in|inside(?: of)?|within|on|at|of|from)\s+"
    r"(?P<place>(?:the|this|that|my|your)\s.+)",
    re.IGNORECASE,
)
_ZH_IN = re.compile(
    rf"(?P<place>{_PIECE}+?(?:里面|之中|当中|里|中(?![这那该]?一?[列栏行])|内|上|下方|上方|顶部|底部))的?(?P<what>(?!的).+)"
)
_ZH_OF = re.compile(
    rf"(?P<place>(?:{_PIECE}*?(?:行|列|栏|区域?|部分|面板|部|[左右][侧边])))的(?P<what>.+)"
)


def placed_in(phrase: str) -> tuple[str, str] | None:
    """The place and the thing of `"Ann" in the dialog`; None where no part of the screen is said.

    What is only beside or under another thing is no such place.
    """
    text = phrase.strip()
    found = _EN_IN.fullmatch(text)
    if found is not None and "[" not in text and not _cuts_quote(found["what"]):
        words = _english(found["place"])
        if words.sort not in ("any", "whole", "window"):
            return found["place"], found["what"]
        return None
    for form in (_ZH_IN, _ZH_OF):
        found = form.fullmatch(text)
        if found is None or not re.search(r"[\u3400-\u9fff]", text):
            continue
        if _cuts_quote(found["what"]) or _cuts_quote(found["place"]):
            continue
        place = re.sub(r"(?:里面|之中|当中|里|中|内|上)$", "", found["place"])
        if _chinese(place).sort not in ("any", "whole", "window"):
            return place, found["what"]
    return None


def _cuts_quote(part: str) -> bool:
    """Whether a part of a phrase ends within a name in quotes: `"Tip of the Day" dialog`."""
    return part.count('"') % 2 == 1 or part.count("“") != part.count("”")
