"""Acts in Chinese that are said in many ways, each in the words that the rules know."""

from __future__ import annotations

import re
from collections.abc import Callable

from carrel.models.steps.language.afresh.amounts_zh import MEASURE, SO_MANY
from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import DATED, NAME, OTHER, QUOTE, TIMED
from carrel.models.steps.language.chinese.heads import OWN_WORDS, verb_at_zh

__all__ = ["DOINGS_ZH"]

_HAN = r"[\u3400-\u9fff]"
_START = r"(?:^|(?<=[，,；。]))\s*(?P<then>(?:然后|再|接着|先|最后|请|并|同时|随后|之后|就)*)"
_END = r"(?=\s*(?:[，,；。]|并(?!且?列)|然后|再|最后|$))"
_VALUE = rf"(?:{QUOTE}|{NAME}|{OTHER}|{DATED}|{TIMED}|[\w.@+%:-]+)"
_PAGE = (
    r"(?:这个|那个|那一?|这一?)?(?:设置页面?|标签页?|选项卡|页签|页面?|版块|板块|栏目|分类|模块|频道|菜单|视图|目录|"
    r"文件夹|设置|面板|一栏)"
)
_THERE = (
    r"(?:那里|那儿|那边|这里|这儿|这边|"
    r"那一?[栏项行块格]|这一?[栏项行块格]|一[栏项]|的?地方|处|里面|里|中|下面|下方|下)"
)
_ONE_VALUE = rf"(?:{QUOTE}|{OTHER}|[A-Za-z\d][\w-]*)"
_OF = rf"(?:一|1)?\s*{MEASURE}?(?:新的?)?"
_CHECKS = re.compile(
    r"验证|检查|断言|核对|核实|确保|确认(?=[^，,]*(?:是|为|有|显示|出现))|应(?!用|付|收)"
)
_NO_FIELD = re.compile(
    rf"[选填写改设调定为成到在从是]$|[填写选改]|输入|勾上|勾选|加上|显示|切换|应用|使用|(?:{OWN_WORDS})"
)
"""Words that do something, and name no field; what may do it as well is not told apart."""


def _field(plain: str) -> Callable[[re.Match[str]], str]:
    """A field and what it gets, unless a verb begins it, or something is only claimed.

    What is so is said in the same words as what is filled in.
    """

    def said(found: re.Match[str]) -> str:
        what = found["what"]
        acts = verb_at_zh(what) is not None or _NO_FIELD.search(what) is not None
        claimed = _CHECKS.search(found.string) is not None or "登录：" in found.string
        return found[0] if acts or claimed else found.expand(plain)

    return said


def _span(found: re.Match[str]) -> str:
    """From when to when, in the field that is named, or the one that such a value goes into."""
    what = found["what"]
    if what and (verb_at_zh(what) is not None or _NO_FIELD.search(what) is not None):
        return found[0]
    kind = "时间" if re.match(TIMED, found["a"]) else "日期"
    return f"{found['then']}{what or kind}选{found['a']}到{found['b']}"


def _made(found: re.Match[str]) -> str:
    """A new one, with the word for what it is."""
    if not found["sort"]:
        return f"{found['then']}添加{found['what']}"
    return f"{found['then']}新建{found['sort']}{found['what']}"


def _object_first(found: re.Match[str]) -> str:
    """The verb before what it is done to; nothing is changed where that is only claimed."""
    if _CHECKS.search(found.string):
        return found[0]
    return f"{found['then']}{found['verb']}{found['what']}"


def _click(found: re.Match[str]) -> str:
    return f"{found['then']}{'双击' if found['verb'] == '双击' else '点击'}{found['what']}"


def _there(found: re.Match[str]) -> str:
    what = found["what"]
    name = what if re.match(QUOTE, what) else f"“{what}”"
    return f"{found['then']}点击{name}，{found['act']}"


def _each_row(found: re.Match[str]) -> str:
    values = re.findall(_ONE_VALUE, found["list"])
    told = [f"{found['verb']}{found['of']}为 {value} 的那一行" for value in values]
    return found["then"] + "，".join(told)


DOINGS_ZH: tuple[Turn, ...] = (
    # 选微辣后加入购物车: one after the other; 最后立即下单: what a button is called.
    turn(
        r"(?<=[\u3400-\u9fff\ue000-\ue7ff])(?<![然最随之以])后(?=加入|提交|下单|保存|确认|点击|发送)",
        "，",
    ),
    turn(
        r"(?:最后|然后|再|，)\s*(?P<what>(?:立即|马上)[\u3400-\u9fff]{2})(?=[，。；]|$)",
        r"，点击“\g<what>”",
    ),
    # 再到“隐私”页, 去“账单”那边看看: to be shown something.
    turn(
        rf"{_START}(?:来到|进到|转到|切到|切至|跳到|转至|换到|回到|点到|到|去|进|切换(?:到|至)?)\s*(?P<what>{QUOTE})"
        rf"(?:{_PAGE}|{_THERE})*(?:看看|看一下)?{_END}",
        r"\g<then>点击\g<what>",
    ),
    turn(
        rf"{_START}(?:来到|进到|转到|切到|切至|跳到|转至|换到|到|去)\s*(?P<what>(?:(?!把|将|的){_HAN}){{2,6}}?)"
        rf"(?P<page>{_PAGE})(?:里面|里|中|下)?{_END}",
        r"\g<then>点击“\g<what>”",
    ),
    # 到通知页打开提示音, 在安全里把锁屏设成 5 分钟: first to where it is.
    turn(
        rf"{_START}(?:到|去|进|在|进入|切到|来到)\s*(?P<what>{QUOTE}|(?:(?!把|将|的|这|那|弹|对话|表|列){_HAN}){{2,5}}?)"
        rf"(?:{_PAGE}(?:里面|里|中|下|上)?|里面|里|中|下)(?P<act>(?:把|将|打开|开启|关掉|关闭|关上|勾选|勾上|取消勾选)[^，,；。]+)",
        _there,
    ),
    # 状态筛选“A”
    turn(
        rf"{_START}(?:按|用|根据)?(?P<what>(?:(?!按){_HAN}){{2,5}})(?:筛选|过滤)(?:为|成|出|选)?\s*(?P<to>{QUOTE}){_END}",
        r"\g<then>\g<what>选\g<to>",
    ),
    # 写一封邮件，收件人…: what is begun, and then filled in.
    turn(
        rf"{_START}(?:写|起草|编写|撰写|发|新写)(?:一封|封|一条|条|个|一个)?新?(?P<sort>邮件|信|站内信|消息|短信){_END}",
        r"\g<then>新建\g<sort>",
    ),
    turn(
        rf"{_START}(?P<what>收件人|发件人|抄送人?|密送|邮箱|电子邮箱|网址|链接|手机号?|电话)\s*[：:]?\s*(?P<to>{OTHER}|\d[\d-]+){_END}",
        _field(r"\g<then>\g<what>填\g<to>"),
    ),
    # 勾上设为常用: a name that begins like a verb.
    turn(
        rf"{_START}(?P<verb>勾选|勾上|取消勾选)(?P<what>(?:设为|设成|设置|加入|保存|记住|允许|同意|接收|订阅|匿名|开启|打开|启用|显示|隐藏|公开|自动|需要){_HAN}{{1,10}}){_END}",
        r"\g<then>\g<verb>“\g<what>”",
    ),
    # 勾选订单号为 A1 和 A2 的两行: each by itself.
    turn(
        rf"{_START}(?P<verb>勾选|勾上|选中|选择)(?P<of>{_HAN}{{2,5}}?)(?:[为是叫])\s*(?P<list>{_ONE_VALUE}(?:\s*[、和与及]\s*{_ONE_VALUE})+)\s*的(?:那|这)?(?:两|{SO_MANY})?{MEASURE}?[行条]?(?:{_HAN}{{0,4}}){_END}",
        _each_row,
    ),
    # 新添加一条待办“A”, 录入一笔支出：“A”
    turn(
        rf"{_START}(?:新?(?:添加|增加|添|加)(?:上|入)?|新增|新建|创建|录入|记上?|写上)\s*{_OF}"
        rf"(?P<sort>{_HAN}{{0,6}}?)(?:叫做?|名为|名叫|内容[为是]|标题[为是]|[：:])?\s*(?P<what>{QUOTE})(?:的?{_HAN}{{2,4}})?{_END}",
        _made,
    ),
    turn(
        rf"{_START}(?:往|在|给|向)(?P<list>{_HAN}{{2,8}}?|{QUOTE})(?:列表|清单)?(?:里面|里|中|内|上|下)?(?:再|又)?"
        rf"(?:新?(?:添加|增加|添|加)(?:上|入|进)?|新增|新建|创建|录入|记上?|写上)\s*{_OF}(?P<sort>{_HAN}{{0,6}}?)"
        rf"(?:叫做?|名为|[：:])?\s*(?P<what>{QUOTE}){_END}",
        _made,
    ),
    # 时间从 14:00 到 15:30, 9:30 到 10:00: from when to when.
    turn(
        rf"{_START}(?P<what>{_HAN}{{0,6}}?(?:时间|时段|日期|期间|周期|区间)?)(?:定|设|安排|选|填|改)?(?:为|在|成|到)?(?:从|自|由)?\s*"
        rf"(?P<a>{TIMED}|{DATED})\s*(?:开始)?[，,]?\s*(?:到|至|~|～|-|—|–)+\s*(?P<b>{TIMED}|{DATED})(?:结束|为止|止)?{_END}",
        _span,
    ),
    # 入住 2026-10-01，住 2 位成人: a field and what it gets, with no word between.
    turn(
        rf"{_START}(?P<what>(?!在|从|到|等|把|将|用|给|对|点|按){_HAN}{{2,8}}?)(?:定|安排|改|放)?(?:在|到)?\s*(?P<to>{DATED}|{TIMED}){_END}",
        _field(r"\g<then>\g<what>选\g<to>"),
    ),
    turn(
        rf"{_START}(?P<what>(?!第|共|等|点|按|加|买|选|每){_HAN}{{2,6}})\s*(?P<to>\d+)\s*{MEASURE}?(?:人)?{_END}",
        _field(r"\g<then>\g<what>设为 \g<to>"),
    ),
    turn(
        rf"{_START}(?P<what>(?!提示|显示|出现|弹出|看到|有|点|按|选){_HAN}{{2,6}})\s*[：:]?\s*(?P<to>{QUOTE}){_END}",
        _field(r"\g<then>\g<what>设为\g<to>"),
    ),
    # 抄送那里再勾上“A”: where, and what is done there.
    turn(
        rf"{_START}(?P<what>{QUOTE}|{_HAN}{{2,8}}?){_THERE}\s*(?:再|也|还|都|就|要|另外|同时|顺便|把)*"
        rf"(?P<verb>取消勾选|勾选|勾上|勾|选择|选上|选中|选|填写|填上|填|写上|写|输入)(?P<to>\s*{_VALUE})",
        r"\g<then>\g<what>\g<verb>\g<to>",
    ),
    # 给“A”加上星标, 把“A”标上星
    turn(
        rf"{_START}(?:给|为|把|将|对)(?P<what>[^，,；。]+?)(?:加|打|标|添|点|设|点亮)(?:上|个|一个|为|成|了)*(?:星标|星号|星星|五角星|星){_END}",
        r"\g<then>给\g<what>加星标",
    ),
    # 把卡片“A”挪到“B”那一列
    turn(
        rf"{_START}(?:把|将)(?P<what>[^，,；。]+?)(?:挪|移动?|拽|拉|搬|放|转移|调整?|改)(?:到|至|进|去)(?P<to>\s*{QUOTE}\s*(?:那|这)?一?(?:列|栏|泳道|分组|区域?|阶段)?)"
        rf"(?:里面|里|中|下面|下)?(?:去)?{_END}",
        r"\g<then>把\g<what>拖到\g<to>",
    ),
    # 主题为“A”的那封邮件: whatever is called so.
    turn(
        rf"{_START}(?P<verb>双击|打开|点开|点击|点进|点|查看|进入|看)(?P<of>{_HAN}{{2,6}}?)(?:叫做?|名为|[为是：:])\s*(?P<what>{QUOTE})"
        rf"的(?:那|这|该)?(?:一)?{MEASURE}?(?:{_HAN}{{0,6}}){_END}",
        _click,
    ),
    turn(
        rf"{_START}(?P<verb>双击|打开|点开|点击|点进|点|查看|进入|看)(?P<sort>{_HAN}{{1,4}})(?P<what>{QUOTE}){_END}",
        _click,
    ),
    # “待处理”列下面的“+ 新建”: a thing, and under what it stands.
    turn(
        rf"{_START}(?P<verb>双击|点击|点开|点一下|点|按下?|打开|勾选|勾上|选择|选中|选)(?P<place>{QUOTE}|{_HAN}{{2,8}}?)"
        rf"(?P<sort>那一?列|这一?列|列|一列|栏|分组|区域?|板块|分区|部分|卡片|面板|泳道)?(?:的)?(?:最)?(?:下面|下方|底部|底下|里面|里|中|上方|顶部|内|末尾|下)的(?P<what>{QUOTE})",
        lambda m: f"{m['then']}在{m['place']}{m['sort'] or ''}里{m['verb']}{m['what']}",
    ),
    # “香蕉”删除, “A”这一条勾上: what it is done to comes first.
    turn(
        rf"{_START}(?P<what>(?:(?![把将给对在从]){_HAN}){{0,4}}{QUOTE}(?:(?:这|那)?一?{MEASURE}?)?(?:{_HAN}{{0,3}}?))(?:也|都|再|给)?"
        rf"(?P<verb>删除|删掉|移除|取消勾选|勾选|勾上|收藏|关掉|关闭|关上|打开|开启|展开|收起|选中|置顶|归档|下载|加粗){_END}",
        _object_first,
    ),
    turn(
        rf"{_START}(?:应用|用上?|使用|启用|输入并使用)(?P<sort>优惠[券码]|折扣[券码]|代金券|兑换码|促销码|礼品码)[：:]?\s*(?P<what>{_VALUE}){_END}",
        lambda m: f"{m['then']}使用{m['sort']}{m['what']}",
    ),
    # 音量调低到 20
    turn(
        rf"{_START}(?:把|将)?(?P<what>{QUOTE}|{_HAN}{{2,10}}?)(?:调|降|升|增|减|拉|加|设)(?:低|高|大|小|整|至|到)+(?:到|至|为|成)?\s*(?P<to>\d[\d.]*\s*%?){_END}",
        r"\g<then>把\g<what>调到 \g<to>",
    ),
    # 密码两次都填“A”
    turn(
        rf"{_START}(?P<what>{_HAN}{{0,4}}密码)(?:两次|两遍|两处|两个框)(?:都|均)?(?:填写?|输入?|写|为|是)+\s*(?P<to>{_VALUE}){_END}",
        r"\g<then>\g<what>填\g<to>，确认\g<what>填\g<to>",
    ),
    # 住 2 位成人
    turn(
        rf"{_START}(?:住|共|预订|预定|订|入住|添加|选择?|填)?\s*(?P<n>{SO_MANY})\s*(?:位|名|个)(?P<what>成人|大人|儿童|小孩|婴儿|乘客|旅客|客人|房客|嘉宾|参会人){_END}",
        r"\g<then>\g<what>设为 \g<n>",
    ),
    # 给“A”打 5 星
    turn(
        rf"{_START}(?:给|为|对|把)(?P<what>[^，,；。]*?)(?:打|评|给|点)(?:上|个|了)*\s*(?P<n>\d|[一二三四五])\s*(?:颗?星(?:好评)?|分)(?:的?评[价分])?{_END}",
        r"\g<then>给\g<what>打 \g<n> 星",
    ),
    # 用“a”和“b”登录
    turn(
        rf"{_START}(?:用|使用|以)(?:账号|用户名|帐号|账户|邮箱)?\s*(?P<name>{_VALUE})(?:[、，,和与及/]|作为?账号[，,]?)\s*(?:密码)?\s*(?P<pass>{_VALUE})(?:作为?密码)?(?:来)?(?P<verb>登录|登陆|登入)(?:系统|网站|后台)?{_END}",
        r"\g<then>登录：账号\g<name>，密码\g<pass>",
    ),
    # 那一条, 这张: words that only point at what is named.
    turn(
        rf"(?<=[\ue000-\ue7ff])(?:那|这|该)一?{MEASURE}(?={_HAN}{{0,3}}(?:删|移|标|加|拖|勾))", ""
    ),
)
"""Acts, in the words that the rules know."""
