"""Chinese steps that scroll: somewhere, to an end, or until something shows."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.chinese.point import WAY, thing
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.program import Point, Press, Scroll, Step

__all__ = ["scroll"]

_COMES_IN = re.compile(
    r"(?P<place>[^，,的]{2,10}?)(?:里面|里|中|内|上)(?:能)?(?:出现|看到|看见|显示|有)(?P<what>.+)"
)

_PAGE = re.compile(r"[上下前后]一?页|首页|尾页|末页|第\s*\d+\s*页")
"""What is turned to, and not looked for further down."""


def scroll(found: re.Match[str], talk: Talk) -> list[Step]:
    """Scroll somewhere, to an end, or until something shows."""
    text = found[0]
    half = r"(?:页面|网页|屏幕)的?(?:中间|中央|中部|一半)|一半"
    if re.search(r"像素|px", text) or (re.search(half, text) and not re.search(QUOTE, text)):
        raise NotUnderstood("how far is told by what shows then; “向下滚动直到看到 X”")
    where = found.groupdict().get("where")
    place = thing(where, talk) if where else None
    way = re.search(r"[向往朝]([上下左右])", text)
    direction = WAY[way[1]] if way else "down"
    if of := re.search(
        r"(?:滚动|翻动|滑动|[滚翻滑](?!动))(?:一下)?\s*(?P<of>(?!到|至|直到)[^，,]*?(?:列表|表格|面板|区域|侧边栏|页面|网页|窗口|框|栏|菜单|文档))"
        r"\s*[，,]?\s*(?=直到|到|至|$)",
        text,
    ):
        where = None if of["of"] in ("页面", "网页", "窗口") else of["of"]
        place = place or (thing(where, talk) if where else None)
        text = text[: of.start("of")] + text[of.end("of") :]
    if end := re.search(
        r"(?:到|至)\s*(?:(?:整个)?(?:页面|网页|屏幕|文档)的?)?(?:最)?(?P<end>底部|底端|最底部|最底下|最顶部|末尾|最后|结尾|底|顶部|顶端|开头|顶|最左[边侧端]?|最右[边侧端]?|最上面|最下面)(?:为止)?$",
        text,
    ):
        if end["end"][0] in "顶开" or "上" in end["end"]:
            direction = "up"
        elif "左" in end["end"] or "右" in end["end"]:
            direction = "left" if "左" in end["end"] else "right"
        of = re.search(
            r"(?:滚动|滚|翻)(?:到|至)\s*(?P<of>(?!最?[底顶末结开]|(?:整个)?(?:页面|网页|屏幕|文档)的?最?[底顶末结开]).+?)的?(?:最)?(?:底|顶|末尾|结尾|开头|最)",
            text,
        )
        if "直到" in text:
            talk.put_aside("直到")
        return [Scroll(direction, "end", place or (thing(of["of"], talk) if of else None))]
    if until := re.search(
        r"(?:直到|至|到)\s*(?:能)?(?:看到|看见|出现|露出)?\s*(?P<what>.+?)(?:出现|可见|显示|露出来?|出来)?"
        r"(?:在屏幕上|的位置|位置|处)?(?:为止)?$",
        text,
    ):
        what = until["what"]
        if text.startswith("翻") and _PAGE.fullmatch(what):
            return [Point(thing(what, talk))]
        if inside := _COMES_IN.fullmatch(what):
            what = f"{inside['place']}里的{inside['what']}"
        return [Scroll(direction, where=place, until=thing(what, talk))]
    if screens := re.search(rf"(?P<n>{NUMBER})\s*个?屏$", text):
        key = "pageup" if direction == "up" else "pagedown"
        talk.put_aside(text)
        return [Press((key,), times=int(number(screens["n"]) or 1))]
    named = re.search(
        r"(?:滚动|滑动|翻动)\s*(?P<of>(?!一|几)[\u3400-\u9fff\ue000-\ue7ff]{2,10})$", text
    )
    if named and place is None and not re.search(rf"{NUMBER}\s*[次格下行页屏]", named["of"]):
        return [Scroll(direction, None, thing(named["of"], talk))]
    count = re.search(rf"({NUMBER})\s*(?:次|格|下|行|页)", text)
    return [Scroll(direction, int(number(count[1]) or 1) if count else None, place)]
