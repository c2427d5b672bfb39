"""Requests in Chinese as one person puts them to another, each as a plain instruction."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.amounts_zh import MEASURE, SO_MANY
from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import DATED, NAME, OTHER, QUOTE, TIMED
from carrel.models.steps.language.chinese.heads import OWN_WORDS, verb_at_zh

__all__ = ["REQUESTS_ZH"]

_HAN = r"[\u3400-\u9fff]"
_SO = r"[^，,；;。！!？?：:]"
_START = (
    r"(?:^|(?<=[，,；。！!：:]))\s*"
    r"(?P<then>(?:然后|再|接着|先|最后|请|并|同时|随后|之后|就|也|还|顺便|顺手|记得|另外)*)"
)
_END = r"(?=\s*(?:[，,；。！!]|然后|最后|$))"
_VALUE = rf"(?:{QUOTE}|{NAME}|{OTHER}|{DATED}|{TIMED}|[\w.@+%:-]+)"
_CHECKS = re.compile(
    r"验证|检查|断言|核对|核实|确保|确认(?=[^，,]*(?:是|为|有|显示|出现))|应(?!用|付|收|急)"
)
_DONE = r"(?:上|掉|了|好|完|成功|下来|出来|起来|上去|出去|回去|过去|进去|一下|下|给我|吧)*"
_PARTICLE = r"(?:掉|下来|出来|起来|上去|出去|回去|过去|进去|一下|给我|.[掉好完下上出])"
_LONE = {
    "订": "预订",
    "定": "预订",
    "撤": "撤回",
    "导": "导出",
    "发": "发送",
    "存": "保存",
    "交": "提交",
    "传": "上传",
    "打": "打印",
    "批": "批准",
    "领": "领取",
    "退": "退货",
    "取": "领取",
    "改": "修改",
    "约": "预约",
}
_LONES = "".join(_LONE)
"""Verbs of one letter, with the word that a control has for them."""
_ALREADY = re.compile(
    r"[设改调设换变移拖加放填写选标命分切升降定转替发派交添存][成为到入进给]|给|[成为]|之[前后]|从|叫|打开|开启|关掉|关闭|关上|勾上|勾选|选中|选上|取消|清空|清除|"
    r"展开|收起|折叠|点开|点击|双击|点一|拖|移|排序|加粗|删掉|删除|去掉|移除|复制|重命名|改名|还原|最大化|最小化|收藏|"
    r"[加减]\s*\d|等|如果|若"
)
"""What the rules read by words of their own."""
_ALL = ("全部", "全都", "都", "所有", "统统", "它", "它们", "其余", "其他")
_NO_VERB = re.compile(r"[一点些大小宽窄低高长短快慢多少好坏删改这那的不都]|^[条张项行个]")
_ENDED = re.compile(r"(?:[\ue000-\ue7ff\w](?<![\u3400-\u9fff])|[单条项行票证表品])$")
"""How the name of a thing ends where a verb can follow it."""
_PARTED = (
    "报名",
    "挂号",
    "请假",
    "打卡",
    "签到",
    "下单",
    "退款",
    "退货",
    "充值",
    "投票",
    "结账",
    "缴费",
    "付款",
    "转账",
    "点赞",
    "评分",
)
_ORDERED = re.compile(
    r"\s*(?:帮我|给我|请|麻烦你?|我要|我想|替我)*(?:点|买|订|下单|来|要|预订|预约|把\s*[一两二三四五六七八九十\d]+\s*件)"
)
_NO_OPTION = re.compile(
    r"^(?:然后|最后|谢谢|好吗|可以|另外|其他|备注)|[了吗的吧呢]$|[\d选填写设改]|留空|不变|^.{2,3}(?:要|是).{1,2}$"
)
_FILLED = re.compile(
    r"[设改填选写调换变][为成到]|[选填写挑]|输入|日期|时间|(?:上|下|里|中|的|都|不|没)$"
)
"""Words of a field that has its value already, or that are none of a field."""


def _done_to(found: re.Match[str]) -> str:
    """The act by the word of a control for it; nothing where other words tell what is done."""
    what, verb = found["what"], found["lone"] or found["verb"]
    if _CHECKS.search(found.string) or _ALREADY.search(what + verb) or what in _ALL:
        return found[0]
    verb = _LONE.get(verb, verb)
    if re.fullmatch(OWN_WORDS, verb) or verb == "提交":
        return f"{found['then']}{verb}{what}"
    if not found["lone"] and (_NO_VERB.search(verb) or not _ENDED.search(what)):
        # Where the verb begins cannot be told.
        return found[0]
    return f"{found['then']}对{what}执行“{verb}”操作"


def _topic(found: re.Match[str]) -> str:
    """What is switched or deleted comes first, as behind 把 that is not said again."""
    if _CHECKS.search(found.string) or verb_at_zh(found["what"]) or found["what"] in _ALL:
        return found[0]
    return f"{found['then']}把{found['what']}{found['verb']}"


def _value(found: re.Match[str]) -> str:
    """A field and its value, where something is being filled in and nothing is claimed."""
    what = found["what"]
    if _CHECKS.search(found.string) or verb_at_zh(what) is not None or _FILLED.search(what):
        return found[0]
    return f"{found['then']}{what}设为 {found['to']}"


def _ticked_off(found: re.Match[str]) -> str:
    return f"{found['then']}勾选{found['what']}"


def _noted(found: re.Match[str]) -> str:
    """A text of one's own, added to what holds such texts."""
    text = found["to"] if re.fullmatch(QUOTE, found["to"]) else f"“{found['to']}”"
    return f"{found['then']}在{found['place']}里添加{text}"


def _apart(found: re.Match[str]) -> str:
    """A verb of two letters with something between them: 报个名, 请一下假."""
    verb = found["a"] + found["b"]
    return f"{found['then']}{verb}" if verb in _PARTED else found[0]


def _option(found: re.Match[str]) -> str:
    """What is only named behind an order is chosen with it: 少糖, 二等座."""
    what = found["what"]
    ordered = _ORDERED.match(found.string) is not None and not _CHECKS.search(found.string)
    if not ordered or verb_at_zh(what) is not None or _NO_OPTION.search(what):
        return found[0]
    return f"选“{what}”"


def _all_marked(found: re.Match[str]) -> str:
    what = found["what"]
    return (
        found[0]
        if what in _ALL
        else f"{found['then']}把所有{what.removeprefix('所有')}标记为{found['to']}"
    )


REQUESTS_ZH: tuple[Turn, ...] = (
    # 能不能帮我, 我想, 麻烦替我: that somebody would like it.
    turn(
        rf"{_START}(?:(?:你|您)?(?:能不能|可不可以|能否|可否|是否可以|可以|能)(?=帮|替|麻烦|给我|请)|拜托你?|烦请|劳烦您?|麻烦[你您]?|请[你您]?(?![假求购款])|帮我|帮忙|替我|给我(?!们)|"
        rf"(?:我|我们)(?:这边)?(?:想要|想|要|得|需要|打算|准备|现在要|希望)(?=[^，,。]*)|希望你?|需要)+(?={_SO})",
        r"\g<then>",
    ),
    turn(
        r"[，,]?\s*(?:谢谢[你您]?|多谢|辛苦[你您]?了?|拜托了|可以吗|好吗|行吗|好不好|行不行|可以不|成吗|哦|哈|啦|呗)\s*(?=[。！!？?，,]|$)",
        "",
    ),
    # 别的不用动: what is not to be done to anything.
    turn(
        r"[，,。]\s*(?:其他|其它|其余|别的|剩下的)(?:的|地方|内容|信息|选项|设置)?(?:都|就)?(?:先)?(?:不用|不要|别|不必|甭|不)(?:动|改|管|变|填|选)(?:了|它)?(?=[。！!，,]|$)",
        "",
    ),
    # 报个名, 挂一下号
    turn(
        rf"{_START}(?P<a>[报挂请打签下退充投结缴付转点评])(?:一下|一个|个|了个|一次)(?P<b>[名号假卡到单款货值票账费赞分])(?=[：:，,。！!]|$)",
        _apart,
    ),
    turn(
        r"[，,]\s*(?:请|麻烦你?)?(?:帮我|帮忙|替我)?(?:操作|处理|办理?|弄|搞定?)一下(?=[。！!]|$)",
        "",
    ),
    turn(
        r"(?<=保存|提交|登录|查询|搜索|下单|付款|完成)(?:之后|以后|后)(?=看看|看一下|告诉我|查看)",
        "，",
    ),
    turn(
        rf"{_START}(?P<what>报名|挂号|预约|预订|注册|登记|请假|下单|投票)(?:信息|资料)?[：:]\s*",
        r"\g<then>\g<what>，",
    ),
    turn(rf"{_START}想(?:要)?(?=[^，,。]{{3,}})", r"\g<then>"),
    turn(
        rf"{_START}(?:填写?|完成)(?:一下|好)?(?:这[个份张]|下面的|该)?(?:问卷|表单|表格|申请表|登记表|信息)[：:]\s*",
        r"\g<then>",
    ),
    # 手机号换了，帮我更新成 1
    turn(
        rf"{_START}(?:我们?的?)?(?P<what>{_HAN}{{2,6}}?)(?:换|变|改|搬)了[，,]\s*(?:请|麻烦你?|帮我|帮忙|替我|把它)*(?:更新|修改|更改|改|换)(?:成|为)",
        r"\g<then>把\g<what>改成",
    ),
    # 给“A”开一下
    turn(
        rf"{_START}(?:给|把|将)(?P<what>{_SO}{{1,16}}?)(?:(?P<on>开|打开)|关)(?:一下|上|了|起来){_END}",
        lambda m: f"{m['then']}把{m['what']}{'打开' if m['on'] else '关掉'}",
    ),
    # 给李四调到夜班组
    turn(
        rf"{_START}给(?P<what>{_SO}{{1,12}}?)(?P<verb>(?:调|换|改|设)(?:到|成|为))",
        r"\g<then>把\g<what>\g<verb>",
    ),
    # 把通知都设为已读
    turn(
        rf"{_START}(?:把|将)(?P<what>{_SO}{{1,16}}?)(?:全都|全部|统统|都)(?:设|改|标|标记|置)(?:为|成)(?P<to>\s*(?:{QUOTE}|{_HAN}{{2,4}})){_END}",
        _all_marked,
    ),
    # 只看“已发货”的
    turn(
        rf"{_START}(?:只|仅)(?:看|显示|保留|要|留)(?:下|一下)?(?P<what>{QUOTE})(?:的)?(?:{_HAN}{{0,4}}){_END}",
        r"\g<then>选\g<what>",
    ),
    # 写个评语“A”
    turn(
        rf"{_START}(?:写|填|留|加|发)(?:上|下)?(?:一?[个条句段份])(?P<what>{_HAN}{{2,4}}?)[：:，,]?(?:说|是|为|内容[为是]?)?(?P<to>{QUOTE}){_END}",
        r"\g<then>\g<what>填\g<to>",
    ),
    # 送到公司前台
    turn(
        rf"(?<=[，,])\s*(?:送|寄|配送|邮寄|发)(?:到|往|至)(?P<to>{_SO}{{2,24}}?){_END}",
        r"地址设为 \g<to>",
    ),
    # 少糖: what is only named behind an order
    turn(rf"(?<=[，,])\s*(?P<what>{_HAN}{{2,5}})(?=[，,。]|$)", _option),
    # 设为默认
    turn(
        rf"{_START}设(?:为|成)(?P<what>默认|首选|公开|私密|常用)(?:{_HAN}{{0,2}}){_END}",
        r"\g<then>勾选“设为\g<what>”",
    ),
    # 共享给赵敏
    turn(r"共享(?=给)", "分享"),
    # 去个人中心看看余额: first to where it is.
    turn(
        rf"{_START}(?:到|去|进|进入|切到|切换到|来到)(?P<what>{QUOTE}|(?:(?!把|将|的|这|那){_HAN}){{2,8}}?)(?:里面|里|中|下面|下|那里|那边)?(?:去)?(?P<act>(?:看看|看一下|查看|查一下|查查|看)(?={_SO}))",
        lambda m: (
            f"{m['then']}{'点击' if re.match(QUOTE, m['what']) else '打开'}{m['what']}，{m['act']}"
        ),
    ),
    # 把待办“A”勾掉: to tick off what is done.
    turn(
        rf"{_START}(?:把|将)(?P<what>(?:待办事?项?|任务|事项|清单里?的?|购物清单里?的?|计划){_SO}{{0,24}}?)(?:给)?(?:勾掉|划掉|打勾|打钩)了?{_END}",
        _ticked_off,
    ),
    # 把订单提交了, 把 3 号会议室订下来
    turn(
        rf"{_START}(?:把|将)(?P<what>{_SO}+?)(?:给|都|全都|全部)?(?:(?P<lone>[{_LONES}]){_DONE[:-1]}+"
        rf"|(?P<verb>(?!{_PARTICLE})(?:{OWN_WORDS}|[提递转上]交|{_HAN}{{2}}(?<![{_LONES}]))){_DONE}){_END}",
        _done_to,
    ),
    # 退掉那双鞋, 订下 3 号会议室
    turn(
        rf"{_START}(?P<lone>[{_LONES}])(?P<verb>)(?:掉|好|了|下(?!午|周|个|一|单|载))(?P<what>{_SO}{{1,24}}?){_END}",
        _done_to,
    ),
    # 去提醒设置里把 X 打开: first to where it is.
    turn(
        rf"{_START}(?:到|去|进|进入|切到|来到|在)(?P<what>(?:(?!把|将|的|这|那|弹|对话|表|列){_HAN}){{2,8}}?)(?:里面|里|中|下面|下|那里|那边)(?:去)?(?P<act>(?:把|将){_SO}+)",
        r"\g<then>打开\g<what>，\g<act>",
    ),
    # 成绩通知关掉: 把 of the clause before counts for it.
    turn(
        rf"{_START}(?P<what>(?!把|将|在|到|去|从|给|让|请|不|别|勿|点|按|等){_HAN}[\w\u3400-\u9fff\ue000-\ue7ff\s]{{1,14}}?)(?:也|都|给)?"
        rf"(?P<verb>打开|开启|启用|关掉|关闭|关上|停用|勾上|勾选上?|取消勾选|删掉|删除|清空|展开|收起)(?:了|一下)?{_END}",
        _topic,
    ),
    turn(
        rf"{_START}(?:把|将)(?P<what>{_SO}{{1,16}}?)(?P<verb>开起来|关了|开了|打开了|关掉了|开一下|关一下){_END}",
        lambda m: f"{m['then']}把{m['what']}{'打开' if '开' in m['verb'] else '关掉'}",
    ),
    # 仓库选上海仓查询一下: and then to look for it.
    turn(
        rf"(?P<field>[选填写][择上]?\s*{_SO}{{1,16}}?|{QUOTE}|{NAME})(?:再|后|然后|并|来)?(?P<act>查询|搜索|检索|筛选|提交|保存)(?:一下|下){_END}",
        r"\g<field>，\g<act>",
    ),
    # 查一下状态为“A”的: what a form searches by.
    turn(
        rf"{_START}(?:筛一?下|筛选?出?|过滤出?)(?P<by>{_HAN}{{2,5}})(?:在|从|是)\s*(?P<a>\d[\d.]*)\s*(?:元|块)?\s*(?:到|至|-|~|—)\s*(?P<b>\d[\d.]*)\s*(?:元|块)?(?:之间|以内)?的?{_HAN}{{0,4}}{_END}",
        r"\g<then>\g<by>填 \g<a> 到 \g<b>",
    ),
    # 找出最便宜的耳机，加两件到购物车: what is found is what is taken.
    turn(
        rf"{_START}(?:找出|找到|找|搜出|挑出|挑|选出)(?:里面|其中)?(?P<what>最{_SO}{{2,24}}?|{_SO}{{0,10}}?最(?:便宜|贵|低|高|新|早|快|大|小)的{_SO}{{1,16}}?)[，,](?:然后|再|并|就|把它)*"
        rf"(?:加|放|添|要|来|买|购买|下单|拿)(?:上|入|进)?\s*(?P<n>{SO_MANY})\s*{MEASURE}(?:(?:到|进|入|放?进)+购物[车袋篮](?:里|中)?)?{_END}",
        r"\g<then>把 \g<n> 件\g<what>加入购物车",
    ),
    # 给 5 月 12 日那天加一个日程: a new thing with what it has.
    turn(
        rf"{_START}(?:给|在|为)\s*(?P<day>{DATED})(?:那天|这天|当天|那一天)?(?:加|添加|新建|建|安排|创建)(?:上|个)?(?:一个|一条|一项|个|条)?(?P<what>{_HAN}{{2,6}}){_END}",
        r"\g<then>新建\g<what>，日期选\g<day>",
    ),
    turn(
        rf"{_START}(?:在|往|到){_HAN}{{0,8}}?(?:系统|后台|平台|页面|列表|{_HAN}{{2,4}})(?:里面|里|中|上)?给(?P<who>{_SO}{{1,10}}?)(?:建|开|创建|新建|添加|加)(?:立|上)?(?:一个|个)(?P<what>{_HAN}{{2,6}}){_END}",
        r"\g<then>新建\g<what>，姓名设为\g<who>",
    ),
    # 提交一个报修单，类型选…: it is filled in first.
    turn(
        rf"{_START}(?:提交|提|报|填写|填|登记)(?:一个|一份|一张|一条|个|张|份)(?P<what>{_HAN}{{1,8}}?)[：:，,](?P<rest>{_HAN}[^。]*?)(?:[，,]\s*(?:然后|再|最后)*提交)?(?=[。！!]|$)",
        r"\g<then>新建\g<what>，\g<rest>，提交",
    ),
    turn(
        rf"{_START}(?:新?(?:建|开|增|加|添)|新建|创建|添加|新增|录入|登记|写|发起|起草)(?:一个|一份|一张|一条|一笔|个|张|份|条|笔)(?P<what>{_HAN}{{1,8}}?)(?=[，,：:]){_END}?",
        r"\g<then>新建\g<what>",
    ),
    # 改名叫“A”: what was spoken of before.
    turn(
        rf"(?:(?:从|在){_HAN}{{2,8}}?(?:里面|里|中|上)?)?(?:找到|找出|选中)(?P<what>{_SO}{{1,24}}?)[，,](?:然后|再|并|把它|将其|给它)*(?:改名|重命名|更名|名字改)(?:叫做?|为|成)\s*(?P<to>{_VALUE}){_END}",
        r"把\g<what>重命名为\g<to>",
    ),
    # 新建日程，叫“体检”: what it is called.
    turn(
        rf"(?P<made>(?:新建|创建|添加|新增){_SO}{{2,20}}?[，,](?:日期选{_SO}{{2,20}}[，,])?)\s*(?:就)?(?:叫做?|名叫|名字叫做?|名称叫做?|名字是|名称是)\s*(?P<to>{_VALUE}|{_HAN}{{1,8}}){_END}",
        r"\g<made>名称设为 \g<to>",
    ),
    # 时间是早上八点: what a new thing has.
    turn(
        rf"(?P<before>(?:新建|创建|添加|新增|预约|预订|填|选|设为){_SO}*[，,]\s*)(?P<what>{_HAN}{{0,4}}(?:时间|日期|时段))(?:就)?(?:是|定|要|在|安排在?|约在?|用){{1,2}}\s*(?P<to>{_SO}{{2,16}}?){_END}",
        r"\g<before>\g<what>选\g<to>",
    ),
    # 给赵六开通报表权限
    turn(
        rf"{_START}(?:给|为|对|帮)(?P<who>{_SO}{{1,12}}?)(?P<verb>开通|授予|分配|增加|添加|取消|关闭|移除|续费|办理|申请|充值|退款|延期|续期|重置)(?P<what>{_HAN}{{2,8}}|\s*\d[\d.]*\s*元){_END}",
        r"\g<then>给\g<who>\g<verb>“\g<what>”",
    ),
    # 旧密码是 abc, 角色给普通用户, 尺码要 XL
    turn(
        rf"{_START}(?P<what>(?!把|将|在|从|到|给|让|我|你|他|她|它|这|那){_HAN}{{2,8}}?)(?:就)?(?:是|用|要|叫做?|给|填成|写成|挑|定为|定成|走|[：:])\s*(?P<to>{QUOTE}|{NAME}|{OTHER}|[A-Za-z\d][\w.@+%:!-]*|{_HAN}{{1,8}}){_END}",
        _value,
    ),
    turn(
        rf"{_START}(?P<what>姓名|名字|名称|联系人|收件人|收货人|电话|手机|手机号|邮箱|备注|标题|主题|单号|编号|金额|数量|价格|单价|人数|部门|职位|岗位|角色|类型|类别|分类|性别|年龄|关系|城市|科室|医生|原因|理由|描述|说明|内容)"
        rf"\s*[：:]?\s*(?P<to>{QUOTE}|{OTHER}|[A-Za-z\d][\w.@+%:!-]*|(?!是|为|填|写|选|输|改|设|调|换|应|有|没|不|要|用|给|叫|栏|框|列|里|中|和|、|下拉|选项|输入){_HAN}{{1,6}}){_END}",
        _value,
    ),
    turn(
        rf"{_START}(?P<what>(?:详细|收货|公司|家庭|办公)?地址)\s*[：:]?\s*(?P<to>(?!是|为|填|写|选|输|改|设|栏|框|里){_SO}{{2,30}}?){_END}",
        _value,
    ),
    turn(
        rf"{_START}(?P<verb>新增|添加|新建|创建)(?P<what>{_HAN}{{2,8}})[：:]\s*(?={_HAN})",
        r"\g<then>新建\g<what>，",
    ),
    # 匿名发布: how it is sent.
    turn(
        rf"{_START}匿名(?P<act>发布|发表|提交|评价|评论){_END}",
        r"\g<then>勾选“匿名”，\g<act>",
    ),
    # 在备忘录里记一条：周四开会
    turn(
        rf"{_START}(?:在|往|到)(?P<place>{_HAN}{{2,8}}?)(?:里面|里|中|上|下)(?:再|新)?(?:记|写|加|添|建|发|新建|添加|新增|录)(?:上|入|布)?一?{MEASURE}(?P<sort>{_HAN}{{0,4}}?)[：:，,]\s*(?P<to>{_SO}{{2,40}}?)(?=\s*(?:[。；！]|$))",
        _noted,
    ),
    # 把优惠券 SAVE20 用上
    turn(
        rf"{_START}(?:把|将)(?P<sort>优惠[券码]|折扣[券码]|代金券|兑换码|促销码|礼品码|红包|积分)\s*(?P<what>{_VALUE})?\s*(?:给)?(?:用上|用了|用掉|使用上?|兑换了?|输入上?){_END}",
        lambda m: f"{m['then']}使用{m['sort']}{m['what'] or ''}",
    ),
)
"""Requests, as instructions that the rules know."""
