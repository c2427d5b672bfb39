"""How tasks are put in Chinese, in the words that the rules know: 鼠标放上去, 输入错误的密码."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.chinese.everyday import AT, END, Sense
from carrel.models.steps.language.numbers import NUMBER

__all__ = ["TASKS"]

_HAN = r"[\u3400-\u9fff]"
_UNFIT = (
    r"(?:错误|无效|不正确|非法|正确|有效|不存在|未注册|已注册|过长|过短|不一致|格式错误|不合法)"
)
_NOUN = (
    r"(?P<noun>密码|确认密码|邮箱|邮箱地址|手机号码?|用户名|账号|验证码|身份证号码?|日期|金额|"
    r"姓名|卡号|邮编|网址|优惠码)"
)


def _each_invited(found: re.Match[str]) -> str:
    names = re.split(r"\s*[、和与及]\s*", found["who"])
    return "，".join(f"{found['verb']}{one}" for one in names)


TASKS: tuple[Sense, ...] = (
    (
        rf"{AT}(?:再)?(?:把|将)?鼠标(?:指针)?(?:移动?|放|悬停|停留?|挪)(?:到)?(?:上去|上面去?|它上面?|过去){END}",
        "鼠标移到它上",
    ),
    # 输入错误的密码 111111: the text is an example of what is described.
    (
        rf"(?P<verb>输入|填写|填入|填)(?:一个)?{_UNFIT}的{_NOUN}\s*(?:，?(?:如|例如|比如|为|是|：|:))?\s*(?P<text>{QUOTE}|{NAME}|[\x21-\x7e]+){END}",
        r"\g<verb>\g<noun>\g<text>",
    ),
    (rf"{AT}连续(?=(?:登录|提交|刷新|发送|保存)\s*{NUMBER}\s*[次遍]{END})", ""),
    (
        rf"{AT}(?:看看|看一下|看|数一下|数数|查一下|确认一下)(?=[^，,]{{0,10}}?(?:一共|总共|共|还)?有(?:几|多少)[个条项张封行件位名份]{_HAN}{{1,8}}{END})",
        "",
    ),
    # 邀请小美和小刚进群: each of them.
    (
        rf"{AT}(?P<verb>邀请)(?P<who>(?:{QUOTE}|{_HAN}{{2,3}})(?:[、和与及](?:{QUOTE}|{_HAN}{{2,3}}?))+)(?:进群|入群|加入群聊?|加入会议|参加会议|加入)?{END}",
        _each_invited,
    ),
    # 点“税号”旁边的问号看一下说明: what the click is for.
    (
        rf"{AT}(?P<act>(?:点击|单击|点开|点)[^，,]{{2,24}}?)(?<!查)(?:来|去)?(?:看一下|看看)(?:[说详内提][\u3400-\u9fff]{{1,4}}){END}",
        r"\g<act>",
    ),
    (
        rf"(?P<undo>撤销[^，,]{{0,8}}[，,]\s*)(?:再|然后|接着)?(?:把它|将其)?恢复(?:回来)?{END}",
        r"\g<undo>重做",
    ),
    # 配料除了橄榄都勾上: all of them but that.
    (
        rf"{AT}(?:把|将)?(?P<what>(?![除把将]){_HAN}{{2,6}}?)(?:里|中)?除了?(?P<but>{QUOTE}|{_HAN}{{1,6}}?)(?:以外|之外|外)?[，,]?(?:其他的?|其余的?)?(?:全部|都|全)(?:勾上|勾选|选上|选中|勾){END}",
        r"除了\g<but>以外，把其他\g<what>都勾选上",
    ),
    # 到“物流查询”页粘贴并查询: there, and what is done there.
    (
        rf"{AT}(?:再|然后)?到(?P<to>{QUOTE}页面?)(?:里|上|中)?(?=粘贴|搜索|查询|填写|输入|上传|下载|提交)",
        r"进入\g<to>，",
    ),
    # 看一下合计，应该是 12: what should be so of it.
    (
        rf"{AT}(?:看一下|看看|检查一下|核对一下|检查|核对)(?P<what>[^，,]{{2,16}}?)[，,]\s*(?:它|其)?应该?(?P<is>是|为)(?=\s*\S)",
        r"验证\g<what>\g<is>",
    ),
    # 从购物车里删掉最贵的商品: that of what is in it.
    (
        rf"{AT}从(?P<of>[^，,把将]{{2,10}}?)(?:里面|里|中|内)(?:删掉|删除|移除|去掉|移出)(?P<what>[^，,]{{2,16}}?){END}",
        r"移除\g<of>里的\g<what>",
    ),
    (
        rf"{AT}(?P<col>{QUOTE}列?|[A-Z]\s*列|{_HAN}{{1,6}}列)只(?:显示|看|保留)(?P<value>{QUOTE}){END}",
        r"筛选出\g<col>为\g<value>的记录",
    ),
    (
        rf"{AT}给(?P<who>{QUOTE}{_HAN}{{0,4}})(?P<act>勾选|勾上|取消勾选)(?P<what>[^，,]{{1,16}}?){END}",
        r"在\g<who>里，\g<act>\g<what>",
    ),
    (rf"{AT}(?:用|使用|拖动|通过)滑块(?=[把将])", ""),
    (
        rf"{AT}(?P<list>(?:{QUOTE}|{_HAN}{{1,4}})(?:、(?:{QUOTE}|{_HAN}{{1,4}}))+)(?:都|全)?打上?[勾钩]{END}",
        r"勾选\g<list>",
    ),
    (rf"标(?:着|有)(?={QUOTE}的)", ""),
    (
        rf"{AT}引用(?P<what>[^，,]{{1,12}}?的?(?:消息|发言|评论|留言))(?:进行)?回复(?P<text>{QUOTE}){END}",
        r"回复\g<what>：\g<text>",
    ),
)
"""How it is said, and in what words the rules know it."""
