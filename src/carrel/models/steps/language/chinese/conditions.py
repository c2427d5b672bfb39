"""What is or is not so on the screen, in Chinese words."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, QUOTE, Atoms
from carrel.models.steps.language.chinese.amounts import MODAL, SCREEN, amount_zh
from carrel.models.steps.language.chinese.claims import claim_zh, of_all_zh, taken_zh
from carrel.models.steps.language.chinese.each_of import told_of_each
from carrel.models.steps.language.chinese.held import held_zh, no_zh
from carrel.models.steps.language.chinese.joined import fault_zh, joined_zh
from carrel.models.steps.language.chinese.modals import without_modals
from carrel.models.steps.language.chinese.nouns import strays
from carrel.models.steps.language.chinese.open import file_zh, window_zh
from carrel.models.steps.language.chinese.plainly import plainly_zh
from carrel.models.steps.language.chinese.predicates import predicate_zh, row_zh
from carrel.models.steps.language.chinese.states import STATES
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.phrases.programs import kind_said
from carrel.models.steps.program import (
    Condition,
    Every,
    Has,
    Is,
    Not,
    Shows,
    WindowOpen,
)

__all__ = ["is_loaded_zh", "read_condition_zh", "unread_zh"]


def is_loaded_zh(text: str) -> bool:
    """Whether the words only say that the page has come up, not what it then shows."""
    return (
        re.fullmatch(
            r"(?:整个|新|该|这个)?(?:页面|网页|网站|窗口|界面|程序|应用|[\u3400-\u9fff]{1,5}页面?)(?:已经?|都|完全)?"
            r"(?:加载|载入|打开|启动)(?:完成|完毕|好|完|出来)?了?|"
            r"(?:整个|该)?(?:[\u3400-\u9fff]{0,4}(?:页面|网页|列表|表格|数据|内容|界面|结果|图表|视图))(?:已经?|都)?(?:自动)?"
            r"(?:重新(?:加载|载入)|刷新|更新|渲染)(?:完成|完毕|好|完|出来)?了?",
            text.strip(" ，,。"),
        )
        is not None
    )


_WHEN = re.compile(r"(?:(?<![计小及实临定按准同])时|的话|为止|之后|(?<!最)后)$")


_EITHER = re.compile(
    rf"^(?P<what>[^，,或]{{1,12}}?)(?P<is>是|为|等于)\s*(?P<a>{QUOTE}|[\x21-\x7e]+)\s*(?:或者|或)\s*(?P<b>{QUOTE}|[\x21-\x7e]+)$"
)
"""用户名是 a 或 b: the one or the other."""


_STILL = re.compile(r"(?<=[\u3400-\u9fff\ue000-\uf8ff])(?:仍然|依然|依旧|仍旧|仍)(?=是|为|等于)")


def read_condition_zh(text: str, atoms: Atoms) -> Condition | None:
    """The condition that the masked words state; None when no rule understands them."""
    # That it is still so is seen as it is now: 赵敏仍然是“待就诊”.
    text = _STILL.sub("", text)
    said = _WHEN.sub("", text.strip(" 。，,：:"))
    # 右上角显示的用户名是…: where it is shown is where it is.
    said = re.sub(
        r"(?<=[\u3400-\u9fff])显示的(?=[\u3400-\u9fff]{1,8}?(?:应|是|为|等于|包含|与))", "的", said
    )
    bare = plainly_zh(said)
    if re.search(
        rf"^{NUMBER}\s*(?:秒|分)钟?(?:之|以)?内|几[个条项张封行件位名份]|多少|什么|哪[个些里]|怎么|如何",
        bare,
    ):
        # That asks for something, and tells nothing.
        return None
    bare = _EITHER.sub(r"\g<what>\g<is>\g<a>或\g<what>\g<is>\g<b>", bare)
    if listed := _ONE_OF.fullmatch(bare):
        return _one_of(listed, atoms)
    if (each := told_of_each(bare)) and all(of_each := [_single(one, atoms) for one in each]):
        return Every(tuple(one for one in of_each if one))
    parts = re.split(r"\s*(?:或者|或)\s*", bare)
    found = [_single(part, atoms) for part in parts] if len(parts) > 1 else []
    if found and all(found):
        return Every(tuple(one for one in found if one), any=True)
    if (row := row_zh(without_modals(said), atoms)) and not strays(row):
        return row
    several = joined_zh(said, atoms, _claim, listed=_LISTED.search(said) is not None)
    return several or _single(bare, atoms) or joined_zh(said, atoms, _claim, listed=True)


_ONE_OF = re.compile(
    rf"(?P<head>[^，,]*[\u3400-\u9fff]\s*)(?P<list>{QUOTE}(?:、{QUOTE})*)\s*(?:或者|或)\s*(?P<last>{QUOTE})"
    r"(?P<tail>[\u3400-\u9fff]{0,4})"
)


def _one_of(listed: re.Match[str], atoms: Atoms) -> Condition | None:
    """包含“甲”或“乙”: one of them; 不包含“甲”或“乙”: neither."""
    texts = (*re.findall(QUOTE, listed["list"]), listed["last"])
    found = [_single(f"{listed['head']}{one}{listed['tail']}", atoms) for one in texts]
    denied = all(isinstance(one, Not) for one in found)
    return Every(tuple(one for one in found if one), any=not denied) if all(found) else None


_LISTED = re.compile(r"、[^、，,]{1,10}?(?:是|为|等于)\s*[\ue000-\uebff]")
"""名称是 {a}、价格是 {b}: two claims, and no text with a comma in it."""


def unread_zh(text: str, atoms: Atoms) -> str:
    """Of what is claimed the part that no rule understands."""
    return fault_zh(text.strip(" 。，,：:"), atoms, _claim)


def _claim(text: str, atoms: Atoms) -> Condition | None:
    """One of several claims, as it would be read by itself."""
    return _single(plainly_zh(text), atoms)


def _single(text: str, atoms: Atoms) -> Condition | None:
    # As many as one page shows are as many as can be seen.
    return of_all_zh(_rule_of(re.sub(r"每页(?:默认)?(?=显示|有)", "", text), atoms))


def _rule_of(text: str, atoms: Atoms) -> Condition | None:
    if (
        _DONE.fullmatch(text.strip())
        or _DOING.match(text.strip())
        or re.search(
            r"[，,；](?!\d)|(?:变[为成])[^\ue000-\uf8ff]*(?:并(?![列行])|且)[\u3400-\u9fff]", text
        )
    ):
        return None
    for rule in (
        taken_zh,
        predicate_zh,
        claim_zh,
        amount_zh,
        window_zh,
        file_zh,
        _bare_state,
        _among,
        _all_there,
        _seen,
        _state,
        held_zh,
    ):
        found = rule(text.strip(), atoms)
        if found is not None and not strays(found) and _measures(found):
            return found
    return Shows(atoms.phrase(text)) if re.fullmatch(QUOTE, text.strip()) else None


# What somebody does is nothing that is so.
_DOING = re.compile(
    r"鼠标|把|将|(?:切换|调整|修改|更改|点击|单击|双击|右击|输入(?![框栏区法域])|填写)(?![^，,]{0,8}(?:按钮|图标|键|链接|选项|后的|的))"
)


_ARITHMETIC = re.compile(
    r"(?:乘以?|除以|加上|减去)(?=[\u3400-\u9fff])|[价量额数费计][×÷*][\u3400-\u9fff]"
)


def _measures(condition: Condition) -> bool:
    """Whether more and less are told by a number: 不高于第二个 compares with what is not said."""
    if isinstance(condition, Not):
        return _measures(condition.condition)
    if isinstance(condition, Shows) and re.search(r"重复的|相同的", condition.what):
        # That some are alike is seen of none of them.
        return False
    if not isinstance(condition, Has):
        return True
    if re.fullmatch(
        r"当前|现在|目前|此时|这时|显示|还|也|都|再|就|仍|这|那|今天|今日|明天|昨天", condition.what
    ):
        # 当前显示的是英文界面: of no thing on the screen.
        return False
    if (
        re.search(r"\}\s*(?:加|减|乘|除|的|[-+*×÷])|[（(]", condition.text)
        and "{" in condition.text
    ):
        # {总数} 减 1 would have to be worked out.
        return False
    if _ARITHMETIC.search(condition.what):
        return False
    if condition.how not in ("less", "greater"):
        return True
    return (
        re.fullmatch(rf"(?!第)\D{{0,2}}(?:[\d.,]+|{NUMBER})\s*\S{{0,4}}|\{{.+\}}", condition.text)
        is not None
    )


def _no_or_none(condition: Condition | None, negative: object) -> Condition | None:
    return None if condition is None else no_zh(condition, negative)


# Whether somebody has done something cannot be seen: 没有登录, 已登录.
_DONE = re.compile(
    r"(?:我|你|用户)?(?:还)?(?:没有?|未|尚未|已经?)(?:被)?(?:登录|登陆|注册|注销|保存|提交|完成|发送|付款|支付|下载|上传)了?"
)


_LOUD = (
    r"(?:看得?到|看见|找得?到|搜得?到|查得?到|出现|弹出|跳出|冒出|露出|显示(?![屏器区框栏])出?|展示|列出|存在|(?:多出|新增)(?=[^，,\d]*[\ue000-\ue7ff])|"
    r"提示(?!文[字本]|[信框语符词音条栏区窗里中上内的变改为是已消不没应会出])|报(?=[\ue000-\ue7ff])|(?:写|标|列)[着有明](?=[^，,]*[\ue000-\ue7ff])|有)"
    r"(?:了|着|出)?"
)
_SIDE = (
    r"(?:底部|顶部|底端|顶端|左上角|右上角|左下角|右下角|中间|中央|里面|之中|当中|里|中|内|上方|上面|上|下方|"
    r"下面|下|旁边|左边|右边|左侧|右侧|后面|前面)"
)
_SAYS = re.compile(
    rf"(?:我|你|用户)?(?:{SCREEN})?{MODAL}(?P<no>没有?|未|不再?|不会|不能|不应该?|看不到|看不见)?{MODAL}"
    rf"(?:{_LOUD}|包含)?(?:有)?(?:文字|文本|消息|字样|内容)?\s*(?P<what>.+?)(?:字样|的字样|的提示|的文字)?"
)
_INSIDE = re.compile(
    rf"(?P<place>.*?{_SIDE})的?{MODAL}(?P<no>没有?|未|不再?|不会|不能|不应该?)?{MODAL}(?:{_LOUD})(?:文字|文本|消息)?\s*(?P<what>.+?)(?:字样|的字样)?"
)
_THERE = re.compile(
    r"(?P<what>.+?)\s*(?:应该|应当|应|会|必须|已经?|都|自动|自行)*(?:(?P<gone>消失|不见|没了|隐藏|(?:不再?|没有?|未|无法)(?:显示|出现|弹出|可见|存在|看见|看到|露出)来?)|"
    r"(?:应该|应当|应|会|已经?|都|全部|完全)*(?:出现|可见|显示出?来?|存在|看得见|能看到|加载完成?|加载完毕|加载好|载入完成?|加载出来|出来|弹出来?|露出来?|显现|[还仍]在))"
    r"(?:了|在屏幕上|在页面上)*"
)


_NAMED = rf"[\u3400-\u9fff]{{0,6}}?{QUOTE}"
_BOTH = re.compile(
    rf"(?P<head>.*?(?:{_LOUD}))\s*(?P<list>{_NAMED}(?:\s*[、和与及]\s*{_NAMED}|\s*{QUOTE})+)"
    r"(?:这?[两二三四五六]?[个项条](?P<kind>.{1,6})?)?"
)


def _seen_all(text: str, atoms: Atoms) -> Condition | None:
    """弹窗里有“确定”和“取消”两个按钮: each of them."""
    found = _BOTH.fullmatch(text)
    if found is None:
        return _named_all(text, atoms)
    if re.search(r"没|不|未", found["head"]):
        return None
    kind = found["kind"] or ""
    parts = [_seen(found["head"] + one + kind, atoms) for one in re.findall(_ITEM, found["list"])]
    return Every(tuple(part for part in parts if part)) if all(parts) else None


_PLAIN = r"(?:(?![的和与及])[\u3400-\u9fff]){2,6}?|[A-Za-z][\w.-]*"
_LIST = re.compile(
    rf"(?P<head>.*?(?:{_LOUD}))\s*(?P<list>(?:{_PLAIN})(?:、(?:{_PLAIN}))+(?:(?:以及|[、和与及])(?:{_PLAIN}))?)"
)


def _named_all(text: str, atoms: Atoms) -> Condition | None:
    """列表里有张伟、李静和王强: each of them, where 、 stands between them."""
    found = _LIST.fullmatch(text)
    if found is None or re.search(r"没|不|未", found["head"]):
        return None
    names = re.split(r"以及|[、和与及]", found["list"])
    parts = [_seen(found["head"] + one, atoms) for one in names]
    return Every(tuple(part for part in parts if part)) if all(parts) else None


_ITEM = re.compile(rf"(?:(?<=[、和与及])|^)?(?![和与及])[\u3400-\u9fff]{{0,6}}?{QUOTE}")
_DISPLAY = re.compile(r"(?:计算器的?)?(?:显示[屏器]|显示区域?|显示栏)(?:里面|里|中|上)")
_WARNED = re.compile(
    rf"(?:{SCREEN}|系统|弹窗|对话框)?(?:弹出|出现|显示)?提示(?:说|：|:)?(?P<what>(?!文[字本]|[信框语消是为符词音条栏区窗]|{QUOTE})[^，,]{{4,}})"
)


_PAGE_SAYS = re.compile(
    r"(?P<place>.*(?:页面?|首页|主页|弹窗|对话框|提示框|窗口|界面|面板|区域|列表|表格|菜单|卡片|横幅))"
    rf"{MODAL}(?P<no>不再?|没有?|未)?(?:显示|提示|弹出|出现|给出|报)(?:了|着|出)?(?P<what>[\u3400-\u9fff]{{0,6}}{QUOTE})"
)
_PAGE_SHOWS = re.compile(
    r"(?P<place>[^，,]{2,12}(?:窗口|弹窗|对话框|终端|面板|区域))(?P<no>没有?|未|不)?(?:出现|弹出)(?P<what>[\u3400-\u9fff]{2,8})"
)
_PART_HAS = re.compile(
    r"(?P<place>.*(?:[列行栏]|区域?|页面?|列表|表格|菜单|面板|弹窗|对话框|窗口|工具栏|卡片|文件夹))"
    rf"(?:{MODAL}(?P<no>没)?有|(?<=[行列]){MODAL}出现)(?P<what>[\u3400-\u9fff]{{0,6}}{QUOTE}.*)"
)


_ALL_THERE = re.compile(
    rf"(?P<list>{QUOTE}(?:\s*[、和与及]?\s*{QUOTE})+)(?:这?[两二三四五六]?[个项条])?(?P<kind>[\u3400-\u9fff]{{1,4}}?)?(?:均|都|全都|同时)?(?:已经?)?(?P<there>可见|出现|存在|显示|消失|不见|在)(?:了|出来)?"
)


def _all_there(text: str, atoms: Atoms) -> Condition | None:
    """“确定”和“取消”两个按钮都可见: each of them."""
    found = _ALL_THERE.fullmatch(text)
    if found is None:
        return None
    gone = found["there"] in ("消失", "不见")
    each = re.findall(QUOTE, found["list"])
    return Every(
        tuple(no_zh(Shows(atoms.phrase(one + (found["kind"] or ""))), gone) for one in each)
    )


def _seen(text: str, atoms: Atoms) -> Condition | None:
    if (says := _PAGE_SAYS.fullmatch(text)) and not re.search(r"标题$", says["place"]):
        place = re.sub(rf"^{SCREEN}$", "", says["place"])
        what = f"{place}里的{says['what']}" if place else says["what"]
        return no_zh(Shows(atoms.phrase(what)), says["no"])
    if shows := _PAGE_SHOWS.fullmatch(text):
        return no_zh(Shows(atoms.phrase(f"{shows['place']}里的{shows['what']}")), shows["no"])
    if (part := _PART_HAS.fullmatch(text)) and not re.fullmatch(SCREEN, part["place"]):
        return no_zh(Shows(atoms.phrase(f"{part['place']}里的{part['what']}")), part["no"])
    text = re.sub(r"^(?:里面|其中)(?=应|必|有|没|能|出现|显示)", "", text)
    if several := _seen_all(text, atoms):
        return several
    if warned := _WARNED.fullmatch(text):
        return Shows(atoms.phrase(warned["what"]))
    if (inside := _INSIDE.fullmatch(text)) and _DISPLAY.fullmatch(inside["place"]):
        how = "equals" if re.fullmatch(NUMBER, inside["what"].strip()) else "contains"
        return no_zh(Has("显示屏", atoms.text(inside["what"]), how), inside["no"])  # type: ignore[arg-type]
    if inside:
        place = re.sub(rf"^(?:{SCREEN}|里面|其中|上面|下面)的?$|^{SCREEN}的", "", inside["place"])
        what = f"{place}的{inside['what']}" if place else inside["what"]
        return no_zh(Shows(atoms.phrase(what)), inside["no"])
    if found := _THERE.fullmatch(text):
        what = re.sub(rf"^{SCREEN}的?(?=.)", "", found["what"])
        return no_zh(Shows(atoms.phrase(what)), found["gone"])
    if re.match(
        rf"(?:我|你|用户)?(?:{SCREEN})?{MODAL}(?:没|未|不)?{MODAL}(?:没有|看不|{_LOUD}|包含)",
        text,
    ):
        says = _SAYS.fullmatch(text)
        if says is not None and re.fullmatch(
            rf".+?(?:是|为|等于|变成)\s*(?:{QUOTE}|{NAME}|-?{NUMBER}[%％元]?)", says["what"]
        ):
            return _no_or_none(held_zh(says["what"], atoms), says["no"])
        if says is not None:
            return no_zh(Shows(atoms.phrase(says["what"])), says["no"])
    return None


_AMONG = re.compile(
    rf"(?P<what>.+?){MODAL}(?P<no>不再?|没有?)?(?:位于|出现在|显示在|在)(?P<place>[^，,]+?)(?P<side>里面|之中|当中|里|中|内|上方|下方|上面|下面|[左右旁][侧边]|上)"
)


def _among(text: str, atoms: Atoms) -> Condition | None:
    """“赵敏”不在列表中."""
    found = _AMONG.fullmatch(text)
    if found is None or re.search(r"如果|直到|[不没]$", found["what"]):
        return None
    place = re.sub(rf"^{SCREEN}$", "", found["place"])
    if place and re.match(r"[上下][方面]|[左右旁]", found["side"]):
        return no_zh(Shows(atoms.phrase(f"{place}{found['side']}的{found['what']}")), found["no"])
    what = f"{place}里的{found['what']}" if place else found["what"]
    return no_zh(Shows(atoms.phrase(what)), found["no"])


_WINDOWED = re.compile(
    r"(?:弹窗|对话框|弹出框|弹框|提示框|确认框|菜单|面板|抽屉|页面|下拉列表|日历|广告)$"
)


_SEVERAL = re.compile(
    rf"(?P<list>{QUOTE}(?:\s*[、和与及]\s*{QUOTE})+)(?:这?[两二三四五六]?[个项条])?(?P<kind>[\u3400-\u9fff]{{1,6}}?)?(?:均|都)?"
)


def _bare_state(text: str, atoms: Atoms) -> Condition | None:
    """没有勾选, of what was spoken of."""
    found = re.fullmatch(
        r"(?:还)?(?:(?P<no>没有?被?|未被?|不是|不(?=可))|已经?被?|被|(?=可))(?P<state>勾选|选中|启用|禁用|展开|折叠|勾上|可用|可点击?)(?:状态)?",
        text,
    )
    if found is None:
        return None
    state = STATES[found["state"]]
    is_ = Is("它", state.lstrip("-"))  # type: ignore[arg-type]
    return no_zh(is_, bool(found["no"]) != state.startswith("-"))


def _state(text: str, atoms: Atoms) -> Condition | None:
    words = "|".join(sorted(STATES, key=len, reverse=True))
    found = re.fullmatch(
        rf"(?P<what>.+?)\s*(?:应该|应当|应|必须|要|都)*(?:(?P<no>没有被?|未被?|不是|不|没被?)|已经?被?|被|是|处于|为|变[成为]?|仍然?|还)*\s*(?P<state>{words})(?:的|状态|了)?",
        text,
    )
    if found is None or re.search(
        r"不[能可得]$|[清留填抽]$|(?:全部|所有|每个)(?:都|均)?$", found["what"]
    ):
        return None
    state = STATES[found["state"]]
    opened = found["state"] in ("打开", "关闭", "开启")
    if opened and kind_said(atoms.text(found["what"])) is not None:
        there = WindowOpen(atoms.text(found["what"]))
        return no_zh(there, bool(found["no"]) != (found["state"] == "关闭"))
    if opened and _WINDOWED.search(found["what"]):
        shown = Shows(atoms.phrase(found["what"]))
        return no_zh(shown, bool(found["no"]) != (found["state"] == "关闭"))
    what = re.sub(r"从[^从]+?(?:状态)?$", "", found["what"]) or found["what"]
    if many := _SEVERAL.fullmatch(what):
        kind, each = many["kind"] or "", re.findall(QUOTE, many["list"])
        parts = tuple(
            no_zh(
                Is(atoms.phrase(one + kind), state.lstrip("-")),  # type: ignore[arg-type]
                bool(found["no"]) != state.startswith("-"),
            )
            for one in each
        )
        return Every(parts)
    is_ = Is(atoms.phrase(what), state.lstrip("-"))  # type: ignore[arg-type]
    return no_zh(is_, bool(found["no"]) != state.startswith("-"))
