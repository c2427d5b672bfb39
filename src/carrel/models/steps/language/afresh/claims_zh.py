"""Claims in Chinese that are said in many ways, each in the words that the rules know."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.chinese.heads import verb_at_zh

__all__ = ["CLAIMS_ZH"]

_HAN = r"[\u3400-\u9fff]"
_LOOK = r"(?:验证|检查|确认|断言|确保|核对|核实|看看|看一下|查看)"
_START = rf"(?:^|(?<=[，,；。]))\s*(?P<then>(?:然后|再|接着|最后|请|并|同时)*)(?:{_LOOK})?"
_END = r"(?=\s*(?:[，,；。]|$))"
_MUST = r"(?:应该|应当|应|必须|需要?|会|要|已经|已|现在|此时|也|都|被|可以|能)*"


def _landed(found: re.Match[str]) -> str:
    """Where the page has gone by itself; a person who is told to go there goes."""
    goes = re.search(
        r"页面|浏览器|界面|系统|网页|自动|应|已|会|验证|检查|确认|断言|确保|核对", found[0]
    )
    return f"{found['then']}验证跳转到{found['what']}页面" if goes else found[0]


def _claimed(found: re.Match[str]) -> str:
    """The same as a claim, where no verb begins it: what is told to be done is not so yet."""
    claim = found["claim"]
    named = re.match(
        rf"{_HAN}+?(?:按钮|按键|输入框|下拉框|复选框|开关|链接|图标|标签页?)(?=是|已|不|变)", claim
    )
    told = re.match(_LOOK, claim) is not None
    acts = told or (verb_at_zh(claim) is not None and named is None)
    return found[0] if acts else f"验证{claim}"


CLAIMS_ZH: tuple[Turn, ...] = (
    # “A”应已从列表中消失, “A”已被移出购物车
    turn(
        rf"{_START}(?P<what>{QUOTE}){_MUST}(?:从|由)(?P<place>{_HAN}{{2,8}}?)(?:里面|里|中|内)?(?:消失|移除|删除|去掉|移走|不见)(?:了)?{_END}",
        r"\g<then>验证\g<place>中没有\g<what>",
    ),
    turn(
        rf"{_START}(?P<what>{QUOTE}){_MUST}(?:不在|移出)(?:了)?(?P<place>{_HAN}{{2,8}}?)(?:里面|里|中|内)?(?:了)?{_END}",
        r"\g<then>验证\g<place>中没有\g<what>",
    ),
    # 输入框里的内容被清空了
    turn(
        rf"{_START}(?P<what>{QUOTE}{_HAN}{{0,4}}?|{_HAN}{{2,10}}?)(?:里面|里|中|内)?(?:的)?(?:内容|文字|文本)?{_MUST}(?:清空|清除|清掉|变空|空白|为空|是空的|变为空|变成空的?)(?:了)?{_END}",
        r"\g<then>验证\g<what>为空",
    ),
    # 状态从“A”变成了“B”: what it is now is all that can be seen.
    turn(
        rf"{_START}(?P<what>{QUOTE}?(?:(?!从|由){_HAN}){{0,12}}?){_MUST}(?:从|由)\s*(?:{QUOTE}|[\d.¥￥]+)\s*{_MUST}"
        rf"(?:变成|变为|变更为|更新为|改成|改为|切换为|减少到|增加到|降到|升到|变到)(?:了)?\s*(?P<to>{QUOTE}|[\d.¥￥,]+)(?:了)?{_END}",
        r"\g<then>验证\g<what>变成\g<to>",
    ),
    # “A”应显示在页面底部: where it stands.
    turn(
        rf"{_START}(?P<what>{QUOTE}){_MUST}(?:显示|出现|位于|展示|排列?)?在(?P<place>(?:页面|屏幕|窗口|表格|列表|弹窗)?的?[底顶][部端]|{_HAN}{{2,8}}?(?:里面|里|中|内|下方|上方)){_END}",
        r"\g<then>验证\g<place>显示\g<what>",
    ),
    turn(
        rf"{_START}(?:页面|浏览器|界面|系统|网页)?{_MUST}(?:自动)?(?:跳转?|转|返回|回|进入|切换?)(?:到|至|回|入)?(?:了)?(?P<what>{QUOTE})(?:页面?|界面)?{_END}",
        _landed,
    ),
    # 列表应剩 3 人: so many of them.
    turn(
        rf"{_START}(?P<what>(?:(?!应|剩|只){_HAN}){{0,8}}?(?:列表|表格|名单|清单|结果|购物车|列))(?:里面|里|中|内)?{_MUST}(?:还)?(?:剩下?|余下|显示|列出|有|共有?|一共有?)\s*(?P<n>\d+|[一两二三四五六七八九十]+)\s*[人个位名项]{_END}",
        r"\g<then>验证\g<what>有 \g<n> 条",
    ),
    # 购物车里应有 2 件商品，总计 ¥156: two claims.
    turn(
        rf"(?P<one>{_HAN}[^，,；。]*(?:应|有)[^，,；。]*)[，,]\s*(?P<what>(?:总计|合计|共计|总价|总额|小计|总金额|应付|实付))\s*(?P<to>[¥￥$]?\s?\d[\d.,]*(?:\s*元)?){_END}",
        r"验证\g<one>。验证\g<what>为 \g<to>",
    ),
    # 结果里只应有“A”: it, and no more.
    turn(
        rf"{_START}(?P<what>(?:(?!应|剩|只|仅){_HAN}){{2,8}}?)(?:里面|里|中|内)?{_MUST}[只仅]{_MUST}(?:有|剩下?|显示|出现|列出|包含)\s*(?P<one>{QUOTE})(?:(?:这)?一[条行个项张])?{_END}",
        r"\g<then>验证\g<what>里有\g<one>，验证\g<what>有 1 条",
    ),
    # “已发送”后面应显示 (1): the number that stands with a name.
    turn(
        rf"{_START}(?:[左右][侧边](?:菜单|导航)?的?)?(?P<what>{QUOTE})(?:的)?(?:后面|后边|旁边|右侧|右边|边上)(?:的?括号[里中]?(?:的数字)?)?{_MUST}(?:显示|是|为|有|出现|变成|变为)?(?:数字)?\s*[(（]?(?P<n>\d+)[)）]?{_END}",
        r"\g<then>验证\g<what>旁边的数字是 \g<n>",
    ),
    # “A”开关是打开的, 表格共 8 行: how it is, said alone.
    turn(
        rf"^(?P<claim>(?:{QUOTE}|(?!把|将|让|使|请|点|按|选|填|写|删|去|到|在|给|用|对|等|如果|若|当){_HAN})[^，,；。]*?"
        rf"(?:是[^，,；。]{{1,8}}的|共有?\s*\d+\s*{_HAN}{{1,3}}|(?:变成|变为)了\s*(?:{QUOTE}|\d[\d.]*)|排在[^，,；。]{{1,8}}|(?<=[\ue000-\ue7ff])(?:已经?|已?被)(?!标|设)[^，,；。]{{1,8}}|消失了?|不见了|不再[^，,；。]+|没有了))$",
        _claimed,
    ),
)
"""Claims, in the words that the rules know."""
