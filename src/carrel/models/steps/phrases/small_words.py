"""Words that say little of themselves: what may stand in a step beside what it is about."""

from __future__ import annotations

__all__ = ["ACTS", "EXACT", "GRAMMAR", "KINDS", "MAKES", "PLAIN_ZH", "SETS", "STATES"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


EXACT = _listed(
    "not no never without except until unless if or every each all both any either neither none "
    "other another others rest twice times than instead before after while again nothing only "
    "don doesn isn off and then untick uncheck disable deselect first second third fourth fifth "
    "last two three four five six seven eight nine ten"
)
"""Words that say more than which control is meant, unless they stand on it."""
GRAMMAR = _listed(
    "the a an to of in on at by with via using through from for into onto under over as is it its "
    "this that these those my your his her their our me you so please now just there here up out "
    "back which who bottom top left right corner side"
)
ACTS = _listed(
    "go switch open click press tap hit choose pick select take use mark make set turn move change "
    "get show view display continue proceed put start opt pay navigate head browse jump come bring "
    "enable activate tick check expand enter do keep"
)
"""Verbs that any control may stand for: what it is called says the rest."""
MAKES = _listed("move turn mark keep make change bring put set get do")
"""Of these, the ones for giving something a value: a mere button has to say them itself."""
SETS = _listed(
    "assign narrow limit restrict filter adjust specify give send receive request sort group order "
    "leave opt prefer allow apply rate swap restore pass schedule deliver ship"
)
"""Verbs of giving something a value."""
STATES = _listed("selected ticked checked marked highlighted")
"""What tells of several which are meant; the noun behind it says what they are."""
KINDS = _listed(
    "button link icon tab option item entry menu page view screen step box checkbox radio switch "
    "toggle section panel list table row field control message dialog window popup area mode label "
    "setting choice method picture image column card line bar form key one ones items entries tasks"
)
"""Words for a kind of thing, which may also stand on one."""
PLAIN_ZH = (
    "请|然后|接着|并且?|再|把|将|给|在|里面?|中|上|下面|的|了|到|为|成|一下|这个|那个|该|选择|选中|选取|"
    "选|勾选|点击|点按|点|单击|按下?|进入|进到|打开|开启|切换到?|切到|转到|跳到|前往|去|继续|使用|采用|用|"
    "通过|设为|设置|改为|按钮|链接|图标|选项卡|选项|标签页|标签|菜单项|菜单|页面|页|视图|开关|单选框|"
    "复选框|项|栏|区域|对话框|弹窗|窗口|进行|操作"
)
"""What in Chinese any control may stand for, and no more."""
