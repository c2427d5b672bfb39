"""Chinese verbs as words: where one begins, and nouns that only begin like one."""

from __future__ import annotations

import re

from carrel.models.steps.language.own_zh import OWN_ZH

__all__ = ["CHOOSING", "ENTERING", "OWN_WORDS", "TICKING", "UNTICKING", "VERBS", "verb_at_zh"]

OWN_WORDS = "|".join(sorted(OWN_ZH, key=len, reverse=True))
"""The applications' own verbs."""
ENTERING = (
    r"(?:输入(?![框栏法区域])|键入|填写(?![人者])|填入|填上|填进|填(?![表报写入上进成为])|写入|写上|"
    r"写下|写(?![着入上下成为作])|录入|敲入|敲上|打上(?!勾|钩|对勾)|追加)"
)
"""To type a text."""
CHOOSING = r"(?:选择(?![框器])|选中|选取|选定|选上|挑选|选(?![项框手题修择中取定上为成])|挑)"
"""To choose an option."""
TICKING = r"(?:勾选(?!框)上?|勾上|勾住|打上?[勾钩]|打上?对勾|勾(?![选上住勾]))"
"""To set a check box."""
UNTICKING = r"(?:取消勾选|取消选中|取消选择|取消打勾|不勾选|别勾选|去掉勾选)"
"""To clear a check box."""

VERBS = re.compile(
    rf"(?:双击|三击|右键(?:单击|点击|点)|右击|中键点击|(?:鼠标)?左键(?:单击|点击)|单击|点击|轻点|点按|点开|点选|"
    rf"连续?点击?|点|按下|按住|连续?按|按|敲击|敲|回车|将?鼠标(?:移动?到|悬停在|放在|移至)|悬停在|悬停于|指向|"
    rf"{ENTERING}|清空|清除|擦除|全选|多选|{UNTICKING}|{CHOOSING}|{TICKING}|启用|停用|禁用|开启|打开|启动|运行|"
    rf"执行|关闭|关掉|关上|设置|设为|设成|设定|调到|调整|调节|修改|更改|(?:修|更)?改[为成到]|把|将|滚动|滑动|滑到|拉到|翻到|"
    rf"向[上下左右]|往[上下左右]|拖动|拖拽|拖放|拖|移动|高亮|等待|等|稍等|暂停|复制|拷贝|剪切|粘贴|切换到|切换至|切换成|切到|"
    rf"访问|前往|转到|跳转到|跳到|进入|浏览|返回|后退|前进|刷新|重新加载|读取|读出|读|记住|记下|记录|记为|记作|"
    rf"结果记|令|让|验证|检查|确认|断言|确保|核对|找到|查找|寻找|找|展开|收起|折叠|提交|回到|去掉|去除|"
    rf"删掉|删去|删(?!除)|去|加入|放入|加(?=一|上|个)|新增|替换|改名|另存为|标记|标为|截图|截屏|最多等|统计|计算|求|数一数|数|"
    rf"排序|按.+排序|告诉我|告知|搜一?下|搜|查询|给|对|在|从|用|使用|通过|{OWN_WORDS})"
)
"""Where an instruction can begin."""

_NOUN = re.compile(
    r"验证(?:码|方式|问题)|确认(?:密码|码|邮箱|书|人|日期|框|新密码)|核对人|检查[人日结项]|数[量字据目值额码]|用[户途餐品]|使用[者人]|对话框?|对方|对象|对应|按[钮键]|等级|选[项手题修]|选择[框器]|"
    r"输入[框栏法区域]|勾选框|标题|标记点|标签|读者|点[数评心]|去年|从业|给付|通过率|通过日|求职|"
    r"数学|记录[人表数里中]|提交[人日时]|求助|让步|找零|移动电话|令牌|在[职线校]|将来|打开方式|开启时|"
    r"计算[器机]|设置[页面里中]|统计[表图]|浏览器|"
    rf"(?:{OWN_WORDS})(?:[人者名框栏单夹区量额价费员性方]|日期|时间|地址|方式|内容|金额|密码|类型|原因|编号|"
    r"账号|邮箱|结果|列表|记录|状态|标题|按钮|页面?|图标|范围|格式|须知|城市|地点|理由|词|关键[字词]|次数|选项)"
)


def verb_at_zh(text: str, at: int = 0) -> re.Match[str] | None:
    """The verb that begins there; None for a noun that only begins like one."""
    return None if _NOUN.match(text, at) else VERBS.match(text, at)
