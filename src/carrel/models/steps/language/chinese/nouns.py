"""What Chinese words can call a thing, and where in them something else begins.

Every rule may name a thing in whatever words stand at its place; that they are a thing at all is
told here, once for all of them. What follows the last 的 is the thing itself: it may begin with a
verb, as buttons do (提交订单), or hold one that a noun ends (最近登录时间), but behind a noun no
instruction, aim or time goes on within the same name (加号|新建笔记, 画面|进入全屏).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass

from carrel.models.steps import program as p
from carrel.models.steps.language.accounting_words import word_set
from carrel.models.steps.language.atoms import ANY
from carrel.models.steps.language.chinese.own import OWN_FORMS, OWN_ZH

__all__ = ["KIND", "is_noun", "stray", "strays"]

KIND = (
    r"(?:按钮|按键|链接|图标|菜单项|菜单|选项卡|选项|标签页|标签|页签|复选框|单选框|勾选框|全选框|输入框|文本框|"
    r"搜索框|下拉框|编辑框|提示框|对话框|文本域|单元格|开关|滑块|弹窗|窗口|面板|列表|表格|表头|表单|标题|"
    r"字段|内容|文字|文件夹|文件|目录|卡片|图片|头像|邮件|页面|网页|区域|进度条|工具栏|导航栏|侧边栏|状态栏|"
    r"加号|减号|箭头|齿轮|小眼睛|铃铛|星标|叉号|三角|[向上下左右]键|方向键|空格键|[那这]一?[行列栏格项条个]|"
    r"第\s*[\d一二三四五六七八九十]+\s*[行列])"
)
"""Words for what a thing is."""

# Never a part of a name that stands behind another: what is done with it, why, when, or how it is.
_OPENS = (
    r"(?:将|把|使(?!用)|让|令(?!牌)|以(?![上下内外前后])|来(?![自源])|并(?![列行发])|然后|接着|从而|以便|"
    r"就|则|现在|目前|此时|这时|重新|应该|应当|应(?![用付收])|必须|里面|其中|那里|也|都|才|"
    r"直接|立即|马上|后(?![面边方台端续者的])|时(?![间段刻区])|的是|的为)"
)
_ACTS = (
    r"(?:进入|打开|删掉|删除|去掉|清空|查看|返回|跳转|跳到|跳回|回到|展开|收起|恢复|完成|点击|单击|双击|填写|选择|"
    r"选中|勾选|拖到|拖动|拖进|改成|改为|设为|设成|换成|变成|变为|显示|出现|消失|保存|提交|搜索|查询|关闭|关掉|"
    r"复制|粘贴|移到|滚动|快进|暂停|新建|添加|下载|上传|隐藏|切换|飘过|看(?![板到见点]))(?!按钮|按键|图标|链接|[器框栏键页屏区]|[时日]|方式|结果|"
    r"列表|记录|状态|选项|菜单|对话框|标签|条件|历史|设置|功能|[^\s]{0,4}的)"
)
_HARD = re.compile(r"后(?!的)|将|把|然后|接着|并|就|直接")
_AFTER = re.compile(
    rf"(?:{ANY}|{KIND})\s*(?P<tail>{_OPENS}|{_ACTS})|[\x21-\x7e]\s*(?P<far>{_OPENS})"
)
_WHOLE = re.compile(
    r".+才|.*[^但于可老总]是|.*(?<![成迁])就|.*[^之以前最今背先随售税饭落善课事\ue000-\uf8ff]后|自动|已经|立即|默认|.*打上?[勾钩].*|为.+|(?:切到|切换到|拖到|移到|出现|弹出)|.*(?:留空|不填).*|[完好](?![整成美全友]).+|.*(?:起来|下去|过来|过去)|[左右上下][边侧面方]|[\u3400-\u9fff]{0,6}(?<![公英])里面?|(?:完毕?|好|出来?|下来|上去|掉|了|着)|(?:点击?|按|勾选?|选|填)(?:它|其|一下).*|.*(?:[：；。，]|,\s).*|(?:检查|验证|核对|断言|确保)(?![码框人项]|结果|方式).*(?:[\ue000-\uf8ff]|[上里中]的).*|"
    r"确认(?!对话框|窗口|弹窗|[框页]|密码|按钮|提交|订单|新).*[\ue000-\uf8ff].*|(?:接着|随后|此时|这时|此刻|并且|并(?![列行发])|再(?![次见来])|"
    r"在(?![线职校途售库建读]))(?=.{2}).*|.*(?:看一下|看看|看是否|查一下|查看是否|然后|说明(?=[\u3400-\u9fff]{2,}成功)).*|去[\ue000-\uf8ff].*|[去来进出上下不没未]|[进出上下回过][去来]|不[了动]|.*如果.*|.+(?:会|自动|随之|(?<![供反效响适感对相])应)|[宽窄大小长短高]?一[点些]|.*(?<![小临及定实计按准到何当超限平学课工])时|.+[那这][里儿]?|的.*|.*的|(?:里面|其中|那里|这里)(?:里|中|上)的.+|.*里的的.*|"
    r"(?:[那这]里|此处)[也还都]?|(?:其余|其他|其它|剩下)的?|(?:使(?!用)|让(?![座步])|把(?!手)|将(?![军来])|令(?!牌)).+|"
    r".*(?<![\ue000-\uf8ff])(?:之后|以后|然后|的时候|以后.*|之前)|.+(?<![事优领率原首预祖])先|.*(?:还没|尚未|没|不|分钟后|秒后|天后)|"
    r".*(?<![所存现正])[在从把被]|应(?![用付收届聘还纳缴交扣]).*|[存记改设叫称填写选点按]|用(?![户途品餐量工料车印水电药章法语词地人款]).+|.*[^通经不路超]过"
)
_HANDS = word_set("""
    粘贴 复制 剪切 勾选 勾上 输入 填写 填入 右键点击 右击 双击 单击 点击 关闭 关掉 运行 执行 拖到
    切到 跳到 选中 点开 打开 进入 返回 检查 出现 消失 确认 访问 前往 看一下 看看 等待 等到 弹出 刷新
    切换到
""")
# Verbs that are as well what came of them: 该申请, 我的预约.
_NOUNS_TOO = word_set("""
    申请 预约 报名 投票 续费 续借 缴费 退款 退货 审核 同步 备份 部署 预览 翻译 订阅 扫描 打卡 推送
    同意 确定 激活 暂停 结束
""")
_WORDS = "|".join(
    sorted(
        {*OWN_FORMS, *_HANDS} - _NOUNS_TOO, key=lambda word: len(word.split("(")[0]), reverse=True
    )
)
_WITHIN = re.compile(
    rf"直接(?=[点按提])|(?:随便|随意|任意)(?=[加选点挑])|(?<=..)(?:全部|全都)$|(?<=.)[让使](?![用者])|(?<=.)[将把](?![来手])|还没|\ue7ff[^\ue7ff的]{{0,4}}[和与及、][^\ue7ff的]{{0,6}}\ue7ff|\ue7ff[^\ue7ff]*[而但]\ue7ff|(?:往|向)[左右上下]$|有几|"
    rf"加载(?=出来|完|好)|在[^的]+(?:之[前后]|(?<![当目以])前$|(?<![最])后$)|没有|没(?=[填选写勾做点下传])|就(?=[点按选灰黑白红蓝绿黄])|别忘了?|亮了|亮起来|看[到见](?!的)|…+(?=[\u3400-\u9fff])|先(?=[下点选输填上关])|\d\s*秒钟?(?:之?内|以内)|不(?:再|能|含|会|应)|另起|(?<=.)从(?![业事])(?=\ue7ff|\S{{1,4}}$)|(?<=.)为(?=\s*[\d\ue7ff])|(?<=.)默认[是为]|\ue7ff\s*\ue7ff|尚未|应该|应当|一下|然后|随后|全部(?=[选删勾清])|都(?=[没不])|"
    rf"(?<=[\w\ue000-\uf8ff])应(?=[为是有显变由从以能会弹提出在被已可不])|"
    rf"(?<![最前背随之以今日先])后(?![面台续缀端退勤备方者来天排的边])(?=[\u3400-\u9fff])|"
    rf"(?<![小临及定实计按准到何当超限学课工])时(?![间段区刻钟光长效报])(?=[\u3400-\u9fff])|"
    rf"(?<=[\w\s])(?:插入|追加|添加|加上?|填写?|写上?|输入|选择?|[改设][为成]|(?<![节地站起终要特热景])点击?|勾选?|拖到)\s*(?={ANY})|"
    rf"(?<=[^\s的])\s*(?P<act>{_WORDS})(?![框栏法区域器项值])"
)
# 立即购买, 去结算: how a button says it.
_LEAD = re.compile(
    r"(?:去|已|未|立即|马上|重新|批量|一键|自动|继续|确认|取消|我要|快速|再次|免费|在线|手动|全部|开始|是否|允许|正在|请|默认)+"
)
# A noun behind a verb makes one name of both: 最近登录时间, 商品搜索框.
_NOUNED = re.compile(
    rf".*(?:{KIND}|[框栏钮键页区域表单器率期法人者度值数量额式型项名号码费价址站径位件间段限级类组条款图标志别称签夹箱车格列行口卡机店员史录果态息料容集词知醒告讯权])"
)
# 双面打印, 在线支付: a verb that ends a short name.
_MANNER = re.compile(rf"[\u3400-\u9fff]{{2,3}}(?:{'|'.join(OWN_ZH)})")
# 删除选中, 查看全部: a button for what is selected, or for all.
_ON_SELECTION = re.compile(
    rf"(?:批量)?(?:{'|'.join(OWN_ZH)}|查看|展开|收起|折叠|显示|隐藏|选择|打开|关闭|清除|清空)"
    r"(?:选中|所选|全部|所有)(?:项|行|内容|文件|评论|结果|记录)?"
)
_NAMED = re.compile(
    r"按钮|按键|图标|链接|[键项页框栏数量率]|方式|时间|状态|记录|列表|次数|历史|窗口|对话框|弹窗|选项|菜单项|功能|类型|结果|区域?|日期|人"
)
_SELF = re.compile(
    r".*[里中上下内旁]?(?:[边侧面方部端角])?的|(?:那|这|该|某|新|旧)?(?:第?\s*[\d一二两三四五六七八九十]+)?\s*[个条项张封份件]"
)
_RELATIVE = re.compile(r"[^，,]*的\s*\S")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|«[^»]*»|\"\"\".*?\"\"\"", re.DOTALL)


def is_noun(text: str) -> bool:
    """Whether a noun ends the words, whatever verb they begin with: 查询结果, 新增按钮."""
    return _NOUNED.fullmatch(text.strip()) is not None and not stray(text)


def stray(phrase: str) -> str:
    """The words in a thing's name that cannot belong to it; empty where all do.

    Args:
        phrase: Masked or with its quotes.
    """
    text = _QUOTED.sub("\ue7ff", phrase.strip())
    if _WHOLE.fullmatch(text):
        return phrase
    for found in _AFTER.finditer(text):
        # “姓名”不能为空的提示: what tells a thing from others ends with 的.
        if _HARD.match(text, found.start("tail")) or not _RELATIVE.match(text, found.end()):
            return text[found.start("tail" if found["tail"] else "far") :].replace("\ue7ff", "…")
    own = text[(held.end() if (held := _SELF.match(text)) else 0) :]
    within = _WITHIN.search(_LEAD.sub("", own, count=1) if _LEAD.match(own) else own)
    if within is None:
        return ""
    named = within["act"] in OWN_ZH or _NAMED.match(own, own.index(within[0]) + len(within[0]))
    apart = within[0][0].isspace() and within["act"] in _HANDS
    if within["act"] and named and not apart and (_NOUNED.fullmatch(own) or _MANNER.fullmatch(own)):
        return ""
    if _ON_SELECTION.fullmatch(own):
        return ""
    if within["act"] in OWN_ZH and re.fullmatch(rf"[\x20-\x7e]+{within['act']}", own):
        # A name in two languages: Cancel 取消.
        return ""
    return own[own.index(within[0]) :].lstrip().replace("\ue7ff", "…")


_NAMING = {"what", "into", "source", "onto", "where", "until", "place", "every", "title"}
_SEVERAL = {"options", "but", "what"}


def _phrases(value: object) -> Iterator[str]:
    """The words for things in a step or a condition, and in those inside it."""
    if isinstance(value, tuple):
        for one in value:
            yield from _phrases(one)
    if not is_dataclass(value) or isinstance(value, type):
        return
    for field in fields(value):
        inner = getattr(value, field.name)
        if isinstance(inner, str) and field.name in _NAMING:
            yield inner
        elif isinstance(inner, tuple) and field.name in _SEVERAL:
            yield from (one for one in inner if isinstance(one, str))
        if not isinstance(inner, str):
            yield from _phrases(inner)


def strays(parts: Sequence[p.Step] | p.Condition) -> str:
    """The first words in steps or a condition that no thing can be called by; empty for none."""
    value: object = tuple(parts) if isinstance(parts, list | tuple) else parts
    return next((lost for phrase in _phrases(value) if (lost := stray(phrase))), "")
