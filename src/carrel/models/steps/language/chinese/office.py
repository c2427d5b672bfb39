"""How testers and office workers put an act: 抄送一栏勾选“A”, 给“A”点一次“+”, 把进度拉到 60%."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.chinese.everyday import AT, END, Sense
from carrel.models.steps.language.chinese.heads import verb_at_zh
from carrel.models.steps.language.numbers import NUMBER

__all__ = ["OFFICE"]

_TAKES = r"(?:只|仅|取消|不)?(?:选|勾)"
_WHEN = r"[\uec00-\uf0ff]"
_CLICKED = rf"(?:点击|单击|点)(?:一下|{NUMBER}\s*[次下])?\s*{QUOTE}"
_APART = re.compile(r"\s*[、，,和与及]\s*")
_NOUN = r"[\u3400-\u9fff]{0,5}[码号名址箱额量价期题证注言由因容明称别型门间话位]"


def _one_by_one(found: re.Match[str]) -> str:
    """依次填写姓名、电话：张三、138: each its own; unchanged where they are not as many."""
    fields, texts = _APART.split(found["fields"]), _APART.split(found["texts"].strip())
    if len(fields) != len(texts) or any(verb_at_zh(one) for one in fields):
        return found[0]
    return "，".join(f"{field}填{text}" for field, text in zip(fields, texts, strict=True))


OFFICE: tuple[Sense, ...] = (
    # 抄送一栏勾选“A”: the field, without the word for it.
    (
        rf"(?<=[\u3400-\u9fff\ue000-\ue7ff])(?<![第每任后前上下某])(?:这|那)?一(?:栏|项)(?:里面|里|中|内|处)?(?={_TAKES})",
        "",
    ),
    # 给“A”点两次“+”: where it is clicked.
    (
        rf"(?:^|(?<=[，,；再]))(?:给|为|对)(?P<what>{QUOTE}[^，,每]{{0,8}}?|[^，,每所\ue000-\ue7ff]{{2,12}}?)(?:都)?(?={_CLICKED})",
        r"在\g<what>那里",
    ),
    # 把进度拉到 60%: what is brought to a number.
    (
        r"(?P<what>(?:把|将)[^，,]{1,16}?)(?:拉|滑|推|拨)动?(?:到|至)(?=\s*\d[\d.]*\s*(?:[%％元度分秒年人级档岁]|$|[，,]))",
        r"\g<what>调到",
    ),
    (
        r"(?P<what>(?:把|将)[^，,]{1,16}?)(?:调[大小高低]|降低?|升高?|增大|减小)(?:到|至)(?=\s*\d)",
        r"\g<what>调到",
    ),
    # 把卡片拉到“完成”列: by hand, and no page that is scrolled.
    (
        rf"(?P<what>(?:把|将)(?!页面|滚动条|列表|网页|屏幕|窗口)[^，,]*?)拉(?:到|进|至)(?=\s*{QUOTE})",
        r"\g<what>拖到",
    ),
    (
        rf"在(?P<into>[^，,在]{{2,12}}?)(?:里面|里|中|内)换行(?:后|再)*(?P<verb>输入|填写|写上?|录入)(?=\s*{QUOTE})",
        r"点击\g<into>，把光标移到末尾，换行，\g<verb>",
    ),
    # 手机号只输入 10 位数字“138…”: what is typed, and a word on how long it is.
    (rf"(?<=[\u3400-\u9fff])[只仅](?=(?:输入|填写?|写)\s*(?:\d|{QUOTE}))", ""),
    (
        rf"(?<=[入写填])\s*(?:{NUMBER})\s*[位个](?:数字|字符|字母|汉字|字)的?(?={QUOTE})",
        "",
    ),
    (
        rf"{AT}(?:依次|分别)?(?:填写|输入|录入|填入|填)(?P<fields>[^，,：:\ue000-\uf8ff]+(?:[、和与及][^，,：:\ue000-\uf8ff]+)+)[：:]\s*(?P<texts>[^：:]+)$",
        _one_by_one,
    ),
    (
        rf"(?:把|将)?(?P<what>[\u3400-\u9fff\ue000-\ue7ff]{{1,10}}?)(?:设置?[为成]|改[为成])(?=\s*{_WHEN}\s*(?:到|至|~|～|-)\s*{_WHEN})",
        r"\g<what>选",
    ),
    # 点“新增”，姓名“张三”，…: a field with its text among other acts.
    (
        rf"(?<=[，,])\s*(?P<noun>{_NOUN})(?=\s*{QUOTE}\s*(?:$|[，,]))",
        lambda f: f[0] if verb_at_zh(f["noun"]) or _is_said_on(f) else f"{f['noun']}设为",
    ),
    # 逐个点击列表中的“启用”按钮: each of them.
    (
        rf"{AT}(?:逐一?[个条封项张份]|逐一|挨个)地?(?P<verb>点击|单击|勾选|勾上|删除|选中)(?!它|其|第|前|每|所有|全部)(?P<what>[^，,、：:和\d]{{2,20}}?){END}",
        r"遍历\g<what>，\g<verb>它",
    ),
    # “互联网”下的“电子商务”: the way to it.
    (
        rf"(?P<verb>选择?|选中)\s*(?P<a>{QUOTE})(?:分类|类目|目录|菜单)?下面?的(?P<b>{QUOTE})(?=$|[，,])",
        r"\g<verb>\g<a> > \g<b>",
    ),
    (
        rf"{AT}(?:验证|检查|确认|确保)(?P<what>[^，,]{{2,30}}?)(?:会|能|可以)?在\s*(?P<n>{NUMBER}\s*(?:秒|分)钟?)(?:之内|以内|内)(?P<how>出现|消失|显示|弹出|关闭|可见){END}",
        r"等待\g<what>\g<how>，最多等 \g<n>",
    ),
    # 检查只有 2 行，而且每一行的状态都是“A”: two checks.
    (
        r"(?P<check>验证|检查|确认|确保|核对)(?P<one>[^，,；]+)[，,]\s*(?:而且|并且|且|同时|并)?(?=(?:每一?[行条个项]|所有[行条]?)[^，,；]*(?:都|均))",
        r"\g<check>\g<one>，\g<check>",
    ),
    # 只剩“A”一条: that one, and no other.
    (
        rf"(?P<head>(?:验证|检查|确认|确保|核对)[^，,；]*?)(?:只剩下?|只有|仅剩下?|仅有)(?P<what>{QUOTE})(?:这)?一(?P<unit>[条行个项])(?:数据|记录)?(?=$|[，,；])",
        lambda f: f"{f['head']}有{f['what']}，{f['head'][:2]}只有 1 行",
    ),
    # 没有“A”和“B”: neither.
    (
        rf"(?P<check>验证|检查|确认|确保|核对)(?P<at>[^，,；\ue000-\ue7ff]*?)(?P<no>没有|看不到|不包含|不再有|不显示|不存在|找不到|搜不到|不含)(?P<texts>{QUOTE}(?:\s*[、和与及或]\s*{QUOTE})+)(?=了?(?:$|[，,；]))",
        lambda f: "，".join(
            f"{f['check']}{f['at']}{f['no']}{one}" for one in re.findall(QUOTE, f["texts"])
        ),
    ),
    # 直接点“确定”: as it is.
    (rf"(?<=[里中上])直接(?=[点按选提][^，,；]*{QUOTE})", ""),
    # 把筛选切回“全部”: to what it was.
    (
        rf"(?P<what>(?:把|将)[^，,；]{{1,12}}?)(?:切换?|换|改|调|设)回(?:到|为|成|来)?(?=\s*{QUOTE})",
        r"\g<what>改为",
    ),
    # 状态列全部为“启用”: so in every row.
    (
        rf"(?P<verb>验证|检查|确认|确保|核对)(?:表格|列表)?(?:里|中)?的?(?P<what>{QUOTE}|[\u3400-\u9fff]{{2,6}}?)(?:这一|一)?列(?:的值)?(?:全部?|全都|都|均)+(?=是|为|显示|[大小高低等]于|包含|不)",
        r"\g<verb>每一行的\g<what>都",
    ),
    (
        r"由灰色?变(?:亮|为?可[用点]击?)|由灰色?变[成为]?可(?:以?点击?|用)",
        "变为可用",
    ),
    (r"由(?:亮|可[点用]击?)变[为成]?灰色?", "变为不可用"),
)
"""How it is said, and in what words the rules know it."""

_ACTING = re.compile(
    r"(?:再|然后|接着|先)?(?:点|单击|双击|按|打开|新[增建]|添加|选|填|写|输入|进入|勾)"
)


def _is_said_on(found: re.Match[str]) -> bool:
    """Whether it goes on with what another part says: a claim, or things of one kind."""
    parts = re.split(r"[，,；]", found.string[: found.start()].rstrip("，, "))
    pair = re.compile(rf"\s*{_NOUN}\s*(?:设为)?\s*{QUOTE}\s*")
    before = next((part for part in reversed(parts) if not pair.fullmatch(part)), "")
    return _ACTING.match(before.strip()) is None or found["noun"] in before
