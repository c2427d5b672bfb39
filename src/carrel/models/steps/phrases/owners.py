"""Things known by whom they belong to, or what they say: "the review by Ann", "the member @ann".

Such a thing has no name of its own on the screen. It is the entry of a list that says the name.
"""

from __future__ import annotations

import re

__all__ = ["is_person", "owner_of"]

_THING = (
    r"(?:e-?mails?|mails?|messages?|letters?|posts?|comments?|replies|reply|notes?|"
    r"threads?|conversations?|chats?|entry|entries|contacts?|profiles?|accounts?|cards?|"
    r"reviews?|articles?|photos?|pictures?|songs?|stories|story|events?|tasks?|orders?|"
    r"bookings?|records?|requests?|invitations?|uploads?|information|updates?|news|invoices?|"
    r"tickets?|issues?|products?|projects?|meetings?|appointments?|reminders?|notifications?|"
    r"items?|books?|documents?)"
)
_PERSON = (
    r"(?:user|person|contact|sender|author|member|friend|colleague|customer|student|player|"
    r"employee|poster)"
)
_WHO = r"(?P<who>@?[\w.@&-]+(?: (?!from\b|in\b|on\b|of\b|that\b|which\b|today\b)[\w.'-]+){0,2})"
_WHEN = (
    r"(?:,? (?:from|of|sent)? ?(?:today|yesterday|this (?:morning|week|month)|last \w+)|"
    r" (?:in|from|on) (?:my|the|your|our) (?:inbox|mailbox|list|page|feed|timeline|folder))*"
)
_LEAD = (
    r"(?:the |an? |all |any |every |each |that |this |my |copy of |of )*"
    r"(?:(?:last|latest|new|newest|recent) )?"
)
_BY = (
    r"(?:(?:found |shown )?(?:in the \w+ )?(?:that |which )?"
    r"(?:(?:you|i|we) (?:just |have )?)?(?:is |was |came |are |were |has been |got )?"
    r"(?:sent |written |posted |made |shared |received |created )?"
    r"(?:to (?:you|me|us) )?(?:by|from|of|belonging to))"
)
_SENT = r"(?:has |just )?(?:sent|wrote|posted|shared|made)(?: (?:to )?(?:you|me|us))?"
_TITLED = (
    r"(?:(?:with|having|that has|whose)(?: (?:the|an?))? (?:subject|title|name|heading|text|number|"
    r"caption|label|id)(?: line)?(?: is| of)?|entitled|titled|called|named|that says|about)"
)
_NUMBERED = r"(?P<who>#\d[\w-]*|(?=[\w-]*\d)[A-Z\d][\w-]{2,})"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_LEAD}(?:\w+ )?{_THING} {_BY} (?:the )?(?:{_PERSON} )?{_WHO}{_WHEN}",
        rf"{_LEAD}{_PERSON}s? (?:named |called |with the name )?{_WHO}{_WHEN}",
        rf"{_LEAD}(?:of )?{_WHO}['’]s? (?:\w+ )?{_THING}{_WHEN}",
        rf"{_LEAD}{_THING} (?:that |which )?{_WHO} {_SENT}{_WHEN}",
        rf"{_LEAD}(?:\w+ )?{_THING} {_TITLED} {_WHO}{_WHEN}",
        rf"{_LEAD}{_THING} (?:no\.? |nr\.? |number )?{_NUMBERED}",
        # Without its apostrophe.
        rf"{_LEAD}(?P<who>[A-Z][\w-]{{2,}})s {_THING}{_WHEN}",
    )
)
_QUOTED = re.compile(
    rf"{_LEAD}(?:\w+ )?{_THING} (?:{_BY}|{_TITLED}) [\"“](?P<who>[^\"”]+)[\"”]", re.IGNORECASE
)
_SORT_ZH = (
    r"(?:邮件|来信|信件|消息|私信|短信|帖子|评论|留言|回复|订单|记录|申请|任务|工单|会议|日程|文章|公告|通知|照片|卡片|"
    r"预约|条目|名片|资料|账号|动态|笔记|待办|事项|商品|客户|联系人|员工|成员|用户|项目|课程|菜谱|发票|合同|文档|文件|那条|那封)"
)
_SURNAME = (
    r"[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪"
    r"范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔汤欧倪施温季俞章鲁葛伍柳樊岳齐梅庄]"
)
_WHO_ZH = (
    rf"(?:[\"“](?P<quoted>[^\"”]+)[\"”]|(?P<who>{_SURNAME}[\u3400-\u9fff]{{1,2}}|"
    r"[\u3400-\u9fff]{2,6}?(?:部|组|科|处|公司|中心|老师|经理|主管|管理员|客服)))"
)
_THAT_ZH = rf"(?:那|这|该)?一?[封条个张篇份项位名笔]?{_SORT_ZH}"
_FORMS_ZH = tuple(
    re.compile(form)
    for form in (
        rf"(?:来自|由)?{_WHO_ZH}(?:发来|发送|寄来|发|写|提交|创建|发布|上传)?的{_THAT_ZH}",
        rf"[\u3400-\u9fff]{{2,5}}?(?:叫做?|名为|[为是：:])\s*{_WHO_ZH}\s*的{_THAT_ZH}",
    )
)


def owner_of(phrase: str) -> str | None:
    """The name that an entry must say to be what the phrase means; None where it is no such."""
    text = " ".join(phrase.split()).strip(" .")
    for form in _FORMS:
        found = form.fullmatch(text)
        # A name begins with a capital letter, or is a handle; "the contact book" is none.
        if found is not None and re.match(r"[@#]|\d|[^\W\d_a-z]", found["who"]):
            return found["who"].strip(" \"'“”")
    for form in _FORMS_ZH:
        if (told := form.fullmatch(text)) is not None:
            return told["quoted"] or told["who"]
    quoted = _QUOTED.fullmatch(text)
    return quoted["who"] if quoted is not None else None


def is_person(phrase: str) -> bool:
    """Whether somebody is meant, and not one thing of theirs."""
    return re.match(rf"{_LEAD}{_PERSON}s? ", phrase.strip(), re.IGNORECASE) is not None
