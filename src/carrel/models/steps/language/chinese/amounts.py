"""How many there are, or between what a number lies, in Chinese words."""

from __future__ import annotations

import re
from typing import Literal, cast

from carrel.models.steps.language.atoms import QUOTE, Atoms
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.program import Condition, Count, Every, Has, Not, Shows

__all__ = ["MODAL", "SCREEN", "amount_zh"]

MODAL = r"(?:应该|应当|必须|应|会|要|能够?|可以|已经?|还|正|都|将|仍然?|依然)*"
SCREEN = r"(?:(?:当前|整个)?(?:页面|屏幕|网页|窗口|界面|画面|这里)(?:上|中|里|内)?)"


def amount_zh(text: str, atoms: Atoms) -> Condition | None:
    """The condition, where it tells a number of things or a range."""
    for rule in (_both, _grid, _found, _counted, _plainly):
        if (condition := rule(text, atoms)) is not None:
            return condition
    return None


_GRID = re.compile(
    rf"(?P<of>[^，,]*?)(?:里面|里|中|内|上)?(?:总共|一共|共计?|只|仅|正好)*(?:有|是|为|包含|显示)?\s*(?P<rows>{NUMBER})\s*行\s*[、和×x*乘]?\s*"
    rf"(?P<columns>{NUMBER})\s*列"
)


def _grid(text: str, atoms: Atoms) -> Condition | None:
    """表格共有 3 行 4 列: so many of each."""
    found = _GRID.fullmatch(text)
    if found is None or re.search(r"[第不没未]$", found["of"]):
        return None
    of = f"{found['of']}里的" if found["of"] else ""
    counts = ((found["rows"], "行"), (found["columns"], "列"))
    return Every(tuple(Count(atoms.phrase(of + unit), int(number(n) or 0)) for n, unit in counts))


_HOLDING = re.compile(
    r"(?:列表|表格?|菜单|框|栏|区域?|面板|清单|页面?|文件夹|目录|里|中|内|上|卡片|夹|箱|车|树|组)$"
)


def _counted(text: str, atoms: Atoms) -> Condition | None:
    found = re.fullmatch(
        rf"(?:页面上|屏幕上|这里|(?P<of>(?!至少|最多|至多|应|必须|总共|一共|共|还|现在|恰好|只|刚好|正好|仍).+?)(?:里面|之中|当中|里|中|内|上)?)?(?P<much>至少|最多|至多)?"
        rf"(?:应该|应当|应|必须|总共|一共|共计?|还是?|现在|恰好|刚好|正好|仍然?|依然|依旧)*(?P<much2>至少|最多|至多)?"
        rf"(?:只|仅)?(?:有|显示|共有|包含|含有|剩下?|列出|出现|能?看到|存在|(?P<sought>[搜查找筛](?:索|询|选)?[出到])|(?<=共)|(?<=共计))了?\s*"
        rf"(?P<how>至少|最多|至多|不超过|不多于|不少于|正好|只有)?\s*(?P<n>{NUMBER})\s*"
        rf"(?P<unit>个|条|行|项|张|封|件|份|篇|列|本|位|款|种|名|只|部|家|页)\s*的?(?P<what>.*)",
        text,
    )
    if found is None or (count := number(found["n"])) is None:
        return None
    much = found["how"] or found["much"] or found["much2"] or ""
    how = {
        "至少": "least",
        "不少于": "least",
        "最多": "most",
        "至多": "most",
        "不多于": "most",
        "不超过": "most",
    }.get(much, "equals")
    if found["unit"] == "页" and not found["what"]:
        return None
    # 三行 are rows, three of 项 items; 搜索结果有 3 条 are three results.
    owner = (found["of"] or "").removesuffix("的")
    itself = owner and not found["what"] and not _HOLDING.search(owner)
    # 三行数据 are rows, too.
    told = re.sub(r"^(?:数据|内容|信息)(?:记录)?$", "", found["what"])
    told = "行" if told != found["what"] and found["unit"] == "条" else told
    some = "结果" if found["sought"] else "项目"
    what = told or {"行": "行", "列": "列"}.get(found["unit"], some)
    if itself and what == "项目":
        return Count(atoms.phrase(owner), int(count), cast(Literal["equals", "least", "most"], how))
    of = f"{owner}里的" if owner else ""
    return Count(atoms.phrase(of + what), int(count), cast(Literal["equals", "least", "most"], how))


_UNIT = r"(?P<unit>个|条|行|项|张|封|件|份|篇|列|本|款|种|名|只|部|家|笔|人|组|处|根|台|道|颗)"
_PLAINLY = re.compile(
    r"(?P<what>(?!.*(?:数|量|额|价|率|值|长|宽|高|大小)$)[^，,]+?)(?:里面|里|中|内|上)?(?:的)?(?:总数|数量|个数)?"
    r"(?P<how>不少于|不低于|至少|不超过|不多于|不高于|最多|至多|超过|多于|少于|不到|正好|恰好|刚好|总共|一共|共计?|只|仅|等于|为|是)"
    rf"(?:有|剩下?|是)?\s*(?P<n>{NUMBER})\s*{_UNIT}(?P<kind>[\u3400-\u9fff]{{0,6}})"
)
_MUCH = {
    "不少于": ("least", 0),
    "不低于": ("least", 0),
    "至少": ("least", 0),
    "不超过": ("most", 0),
    "不多于": ("most", 0),
    "不高于": ("most", 0),
    "最多": ("most", 0),
    "至多": ("most", 0),
    "超过": ("least", 1),
    "多于": ("least", 1),
    "少于": ("most", -1),
    "不到": ("most", -1),
}


def _plainly(text: str, atoms: Atoms) -> Condition | None:
    """搜索结果不少于 5 条; 表格共 12 行."""
    found = _PLAINLY.fullmatch(text)
    if found is None or (count := number(found["n"])) is None:
        return None
    told = found["how"] in ("等于", "为", "是")
    if told and not re.search(r"总数|数量|个数", text[: found.start("how")]):
        return None
    how, more = _MUCH.get(found["how"], ("equals", 0))
    what = found["what"]
    if found["unit"] in "行列" and not found["kind"]:
        what = f"{what}里的{found['unit']}"
    elif found["kind"]:
        what = f"{what}里的{found['kind']}"
    elif _HOLDING.search(what) or found["unit"] == "人":
        what = f"{what}里的{'人' if found['unit'] == '人' else '项目'}"
    return Count(
        atoms.phrase(what), int(count) + more, cast(Literal["equals", "least", "most"], how)
    )


def _found(text: str, atoms: Atoms) -> Condition | None:
    """共找到 5 条结果: what the page says, or as many as it shows."""
    found = re.fullmatch(
        rf"{SCREEN}?{MODAL}(?P<text>(?:总共|一共|共)?(?:找到|搜到|查到|搜索到|查询到|已选[中择]?|已勾选)了?\s*(?P<n>{NUMBER})\s*"
        r"(?P<unit>[个条项张件份本位款家部篇处])\s*(?P<what>[^，,]*))",
        text,
    )
    if found is None or (count := number(found["n"])) is None:
        return None
    told = Shows(atoms.phrase(found["text"]))
    if found["text"].startswith("已") or found["unit"] == "处":
        return told
    return Every((told, Count(atoms.phrase(found["what"] or "结果"), int(count))), any=True)


_PLACED = re.compile(r"(?:里面|里|中|内|上)?(?:应该|应当|应)?$")


_EITHER = re.compile(
    rf"(?P<place>.*?)既(?:有|包含|显示|出现)(?P<a>{QUOTE}[^，,又]*?)[，,]?(?:又|也)(?:有|包含|显示|出现)(?P<b>{QUOTE}.*)"
)
_NEITHER = re.compile(
    rf"(?P<place>.*?)既(?:没有?|不(?:再)?)(?:有|包含|显示|出现)?(?P<a>{QUOTE}[^，,又也]*?)[，,]?(?:又|也)(?:没有?|不(?:再)?)(?:有|包含|显示|出现)?(?P<b>{QUOTE}.*)"
)
_BETWEEN = re.compile(
    rf"(?P<what>.+?){MODAL}(?:在|介于|位于|处于)\s*(?P<low>-?{NUMBER})\s*[^\d，,]{{0,2}}?(?:到|至|和|与|-|~)\s*(?P<high>-?{NUMBER})\s*[^\d，,]{{0,2}}?之?间"
)


def _both(text: str, atoms: Atoms) -> Condition | None:
    """列表中既有“苹果”又有“香蕉”; 价格在 10 到 20 之间."""
    if pair := _NEITHER.fullmatch(text):
        place = f"{re.sub(_PLACED, '', pair['place'])}里的" if pair["place"] else ""
        return Every(tuple(Not(Shows(atoms.phrase(place + pair[one]))) for one in "ab"))
    if pair := _EITHER.fullmatch(text):
        place = f"{re.sub(_PLACED, '', pair['place'])}里的" if pair["place"] else ""
        return Every(tuple(Shows(atoms.phrase(place + pair[one])) for one in "ab"))
    if found := _BETWEEN.fullmatch(text):
        what = atoms.phrase(found["what"])
        low, high = Has(what, found["low"], "less"), Has(what, found["high"], "greater")
        return Every((Not(low), Not(high)))
    return None
