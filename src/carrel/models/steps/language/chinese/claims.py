"""Chinese conditions of a form of their own: what is open or closed, pages, the order of things."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE, Atoms
from carrel.models.steps.language.chinese.held import no_zh
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.program import Condition, Count, Every, Has, Is, Not, Shows, Sorted

__all__ = ["claim_zh", "of_all_zh", "taken_zh"]

_ALL = re.compile(r"(?P<of>[^\"]*?[里中内上的])??(?:所有的?|全部的?)\s*(?P<what>[^\"]+)")
_SO_MANY = re.compile(rf"(?P<n>{NUMBER})\s*(?P<unit>[个行列条项张件]?)(?P<what>.*)")

_POPS = r"(?:对话框|弹窗|弹出框|弹框|弹出窗口|提示框|确认框|模态框|菜单|下拉列表|提示|通知|横幅)"
_CLOSED = re.compile(
    rf"(?P<what>.*{_POPS})(?:应该|应当|应|必须|都|已经?|被|成功|自动|会)*"
    r"(?:(?P<no>没有|没|未|不)(?:被|再)?)?(?P<how>关闭|关掉|关上|收起|打开|弹出)(?:了|状态)?"
)
_PAGE = re.compile(
    r"(?:我们?|现在|当前|目前|页码|页面|分页器?|列表|表格|当前页码?|当前页面)*"
    r"(?:应该|应当|应|已经?|仍然?|还)*(?:是|在|位于|处于|显示|为|停在|停留在|跳到|跳转到|到)了?"
    r"(?P<page>第\s*[\d一二三四五六七八九十]+\s*页)"
)
_ON_PAGE = re.compile(
    r"(?:当前|现在|目前|我|用户|浏览器|页面)*(?:应该|应当|应|已经?|成功|还|仍然?|依然)*"
    r"(?:自动)?(?:处于|位于|在|停留在|停在|跳转到|跳转至|跳转回|进入|回到|返回到?|跳[到回]|来到|切换到|转到)了?"
    r"(?:(?P<home>[首主]页)|(?P<name>.+?)(?:页面|界面|页))(?:上|中|里)?"
)
_SORTED = re.compile(
    r"(?P<what>.+?)(?:应该|应当|应|必须|已经?|都|是)*(?P<no>没有|不是|未)?(?:已经?)?"
    r"(?:按照?|依照?|根据)(?P<by>.*?)(?P<how>从低到高|从高到低|从小到大|从大到小|从新到旧|从旧到新|"
    r"升序|降序|由低到高|由高到低|由小到大|由大到小|首?字母顺序|字母|拼音)?(?:的顺序|顺序)?"
    r"(?:进行|来)?(?:排序|排列|显示|排好)?(?:的|了)?"
)
_PLAINLY = re.compile(
    r"(?P<what>.+?)(?:应该|应当|应|必须|已经?|都|是|呈)*(?P<no>没有|不是|未)?(?:以|呈|为)?"
    r"(?P<how>升序|降序|从低到高|从高到低|从小到大|从大到小)(?:排序|排列|的)?(?:的|了)?"
)
_FOCUS = re.compile(
    r"(?:光标|输入焦点|焦点|键盘焦点)(?:应该|应|已经?|现在)*(?P<no>不)?(?:在|位于|停在|落在|处于)(?P<what>.+?)"
    r"(?:里面|里|中|内|上)?|(?P<thing>.+?)(?:已经?)?(?P<never>没有?|未)?(?:获得|得到|拥有|有)了?(?:输入)?焦点"
)
_CHOSEN = re.compile(
    r"(?:当前|现在|目前|此时|默认)*(?:被|所|已)?(?:选中|激活|选择|选定|高亮|选)的"
    r"(?P<kind>选项卡|标签页?|页签|菜单项|选项|单选按钮|节点|项|行)?(?:应该|应当|应|仍然?|还|依然)*"
    r"(?P<no>不)?(?:是|为)(?P<what>.+)"
)
_ASKS = re.compile(
    r"(?:(?:有|弹出|出现|跳出|冒出)(?:来)?(?:了)?(?:一个|个)?)?(?P<what>对话框|弹窗|弹框|提示框|确认框|窗口|系统|程序|它)?"
    r"(?:弹窗|弹框)?(?:来)?(?:询问|问|请求确认|提醒|要求确认)(?:我们?|用户|你)?[^，,\ue000-\uf8ff]*"
)
_DOWN = ("高到低", "大到小", "降序", "新到旧")


_NO_ROW = re.compile(
    r"(?:(?P<held>[^\"，,没]+?)(?:里面|里|中|内|上))?(?:应该|应当|应)?(?:没有|不存在)(?:任何|哪)?"
    r"(?:一?[行条项个位名])?(?P<noun>[\u3400-\u9fff]{1,4}?)?的"
    rf"(?P<column>{QUOTE}|[^\W\ue000-\uf8ff]{{1,12}}?)(?:是|为|等于|显示为)(?P<value>{QUOTE})"
)
"""没有一行的状态是“过期”: no such row is there."""


def claim_zh(text: str, atoms: Atoms) -> Condition | None:
    """The condition, where it has one of these forms."""
    if found := _NO_ROW.fullmatch(text):
        row = f"{found['column']}为{found['value']}的{found['noun'] or '行'}"
        held = f"{found['held']}里的" if found["held"] else ""
        return Not(Shows(atoms.phrase(held + row)))
    if found := _CLOSED.fullmatch(text):
        away = found["how"] in ("关闭", "关掉", "关上", "收起")
        return no_zh(Shows(atoms.phrase(found["what"])), away != bool(found["no"]))
    if found := _ASKS.fullmatch(text):
        asks = found["what"] if found["what"] not in (None, "系统", "程序", "它") else "对话框"
        return Shows(asks)
    if (found := _CHOSEN.fullmatch(text)) and re.search(QUOTE, found["what"]):
        bare = re.fullmatch(QUOTE, found["what"].strip())
        what = found["what"] + (found["kind"] or "" if bare else "")
        return no_zh(Is(atoms.phrase(what), "selected"), found["no"])
    if found := _PAGE.fullmatch(text):
        return Is(atoms.phrase(found["page"]), "selected")
    if found := _FOCUS.fullmatch(text):
        what = found["what"] or found["thing"]
        return no_zh(Is(atoms.phrase(what), "focused"), found["no"] or found["never"])
    return _in_order(text, atoms) or _on_page(text, atoms)


def _in_order(text: str, atoms: Atoms) -> Condition | None:
    if not re.search(r"排序|排列|升序|降序|到[高低大小]|字母顺序", text):
        return None
    found = _SORTED.fullmatch(text) or _PLAINLY.fullmatch(text)
    if found is None:
        return None
    by = found.groupdict().get("by") or ""
    down = any(word in (found["how"] or "") for word in _DOWN)
    key = re.sub(r"[列栏]$", "", atoms.phrase(by)).strip('"“”') if by else ""
    numbered = re.search(r"第\s*[\d一二三四五六七八九十]+\s*[列栏]$", found["what"])
    what = found["what"] if numbered else re.sub(r"(?:[这那该]一?)?[列栏]$", "", found["what"])
    what = what or found["what"]
    return no_zh(Sorted(atoms.phrase(what), key, down), found["no"])


def _on_page(text: str, atoms: Atoms) -> Condition | None:
    found = _ON_PAGE.fullmatch(text)
    if found is None:
        return None
    name = found["home"] or found["name"]
    if re.search(r"[的了]$|第|当前|同一|新|下一|上一", name):
        return None
    said = atoms.text(name) if re.fullmatch(QUOTE, name) else name.strip()
    titled = (Has("页面标题", said), Shows(f"标题“{said}”"))
    return Every(titled, any=True)


_ANY = re.compile(r"(?:^|(?<=[里中内上]的)|(?<=[里中内上]))(?:任何|任意)的?")


_TAKEN = re.compile(
    r"(?:该|这个|此|同名的?|目标)?(?:文件名?|文件夹|名称|用户名|同名文件)(?:已经?|早已)存在(?:了)?"
)
"""What a program says before it writes over something."""


def taken_zh(text: str, atoms: Atoms) -> Condition | None:
    """文件已存在: the words that tell it."""
    return Shows('"已存在"') if _TAKEN.fullmatch(text.strip()) else None


def _no_more(shown: Shows) -> Condition:
    """所有提示都消失: none of them can be seen."""
    found = _ALL.fullmatch(shown.what)
    return Not(Shows((found["of"] or "") + found["what"]) if found else shown)


def of_all_zh(condition: Condition | None) -> Condition | None:
    """全部 5 行都显示 counts them; how many 所有行 would be no picture tells, unless it is none."""
    inner = condition.condition if isinstance(condition, Not) else condition
    if isinstance(condition, Not) and isinstance(inner, Shows):
        # 没有任何提示: none at all is what not to see one is.
        bare = _ANY.sub("", inner.what)
        if re.match(r"一[行条项个][^的]*(?:包含|显示|含有|写着|等于|[是为])", bare):
            # Of which none is so: that is checked of each.
            return None
        return Not(Shows(bare)) if bare != inner.what else _no_more(inner)
    found = _ALL.fullmatch(inner.what) if isinstance(inner, Shows) else None
    if found is None:
        return condition
    where = found["of"] or ""
    many = _SO_MANY.fullmatch(found["what"])
    count = number(many["n"]) if many else None
    if many is None or count is None:
        return None
    return Count(where + (many["what"] or many["unit"]), int(count))
