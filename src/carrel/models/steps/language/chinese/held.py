"""What a thing holds, in Chinese words: 总价等于 9, 标题包含“甲”, 状态变为“乙”."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, QUOTE, Atoms
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.program import Compare, Condition, Every, Has, Not

__all__ = ["held_zh", "no_zh"]

_HOLDS: tuple[tuple[str, str], ...] = (
    ("小于|低于|少于", "less"),
    ("大于|高于|多于|超过", "greater"),
    ("包含|含有|包括|带有|带着|含(?![税义])|带(?=[\ue000-\uebff])", "contains"),
    ("以(?=.+开头)|开头(?:是|为)", "starts"),
    ("以(?=.+结尾)|结尾(?:是|为)", "ends"),
    ("匹配", "matches"),
    (
        "达到|当前选[中择]的?[是为了]?(?=[\ue000-\ue7ff])|选中的?[是为了]?(?=[\ue000-\ue7ff])|已?选择?的?[是为了](?=[\ue000-\ue7ff])|等于|显示(?![屏器区框栏])的?[为是]?|的值是|的值为|的内容是|的内容为|内容是|内容为|变[为成]了?|应?为|是|写着|叫",
        "equals",
    ),
)


def no_zh(condition: Condition, negative: object) -> Condition:
    """The condition, or its opposite."""
    return Not(condition) if negative else condition


_LISTED = re.compile(
    rf"(?P<list>{QUOTE}(?:\s*[、和与及]\s*{QUOTE})+)\s*(?:这?[两二三四五六七八九十\d]*[个项条种])?(?:选项|按钮|内容|文字|项)?"
)
_SHOWING = re.compile(
    r"(?:终端|控制台|命令行|编辑区|编辑器|正文|文档|日志|输出区?)(?:窗口)?$|"
    r"(?<![第首主])页面?$|界面$|(?<!列)(?:第\s*[\d一二三四五六七八九十]+|最后一|最[上下][面方]?的?一|[首末]|[这那该]一?)行$"
)


def _worked_out(text: str) -> bool:
    """单价的 2 倍, 比原来多: no text, but something that would have to be worked out."""
    return re.search(QUOTE, text) is None and bool(
        re.search(r"^[成着](?=[\u3400-\u9fff])|的|倍$|时.*应|应[为该是]|比|原来", text)
    )


_SUM = r"[\u3400-\u9fff]{0,10}(?:价|额|量|费|计|总数|总和)"
_AMOUNTS = re.compile(rf"{_SUM}(?:应该?|必须)?不?等于{_SUM}")


def held_zh(text: str, atoms: Atoms) -> Condition | None:
    """The condition, where it tells what a thing holds; None for any other."""
    for words, how in _HOLDS:
        found = re.fullmatch(
            rf"(?P<what>.+?)\s*(?:当前|目前)?(?P<un>不(?=应|该|会|能))?(?:应该|应当|必须|应|该|会|能|要|已经?)*\s*(?P<no>不|没有|未)?(?:{words})\s*(?P<text>.+?)(?:开头|结尾)?",
            text,
        )
        if found is None or re.search(
            r"^应(?![付收用聘届])|^必须|直到|点击|输入(?![框栏])|失败时|^(?:切换|更改|调整|读取|设定|记住|记下|记录(?=.*的))|"
            r"[改设换切调]$|^(?:另存|保存文|新建|创建|添加|上传|打开)",
            found["what"],
        ):
            continue
        if found["text"].strip() == "空":
            return None
        within = r"(?:里面|里|中|内|上)?的(?:内容|文字|文本|值)$|(?:里面|里|中|内|上)$"
        left = re.sub(within, "", found["what"])
        if several := _LISTED.fullmatch(found["text"].strip()):
            if how != "contains":
                return None
            quotes = re.findall(QUOTE, several["list"])
            denied = found["no"] or found["un"]
            return Every(
                tuple(no_zh(Has(atoms.phrase(left), atoms.text(q)), denied) for q in quotes)
            )
        if re.search(QUOTE, found["text"]) and not re.fullmatch(QUOTE, found["text"].strip()):
            return None
        if _AMOUNTS.fullmatch(text):
            # 总价等于小计: another amount on the screen, and no text.
            return None
        if _worked_out(found["text"]) or (how == "equals" and re.search(r"(?:开头|结尾)$", text)):
            return None
        right = atoms.text(found["text"])
        if _SHOWING.search(left) and re.search(r"显示[为是]?\s*$", text[: found.start("text")]):
            return no_zh(Has(atoms.phrase(left), right), found["no"] or found["un"])
        if re.fullmatch(rf"{NAME}|{NUMBER}", left.strip()):
            return no_zh(Compare(atoms.text(left), how, right), found["no"] or found["un"])  # type: ignore[arg-type]
        return no_zh(Has(atoms.phrase(left), right, how), found["no"] or found["un"])  # type: ignore[arg-type]
    return None
