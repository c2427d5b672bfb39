"""An application's own verbs, in Chinese words."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import DATED, OTHER, QUOTE, TIMED
from carrel.models.steps.language.chinese.point import Rule, all_of, numbered, thing
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, NotUnderstood, Talk, listed
from carrel.models.steps.program import ForEach, Perform, Point, Repeat, Step

__all__ = [
    "OWN_FORMS",
    "OWN_ZH",
    "named_new",
    "own",
    "perform",
    "replaced",
    "sorted_by",
    "with_particular",
    "written_to",
]

OWN_ZH = {
    "删除": "delete",
    "移除": "remove",
    "转发": "forward",
    "回复": "reply",
    "发送": "send",
    "分享": "share",
    "点赞": "like",
    "收藏": "favorite",
    "归档": "archive",
    "购买": "buy",
    "预订": "book",
    "订购": "order",
    "下单": "order",
    "登录": "log in",
    "登陆": "log in",
    "注销": "log out",
    "退出登录": "log out",
    "登出": "log out",
    "注册": "sign up",
    "搜索": "search",
    "查询": "search",
    "下载": "download",
    "上传": "upload",
    "保存": "save",
    "打印": "print",
    "重命名": "rename",
    "取消": "cancel",
    "新建": "create",
    "创建": "create",
    "添加": "add",
    "安装": "install",
    "卸载": "uninstall",
    "播放": "play",
    "撤销": "undo",
    "重做": "redo",
    "关注": "follow",
    "取消关注": "unfollow",
    "评论": "comment",
    "发布": "post",
    "导出": "export",
    "导入": "import",
    "编辑": "edit",
    "继续": "continue",
    "完成": "finish",
    "跳过": "skip",
    "停止": "stop",
    "旋转": "rotate",
    "查看": "view",
    "合并": "merge",
    "隐藏": "hide",
    "静音": "mute",
    "结算": "check out",
    "结账": "check out",
    "付款": "pay",
    "支付": "pay",
    "发表": "post",
    "新增": "add",
    "置顶": "pin",
    "拉黑": "block",
    "举报": "report",
    "签到": "sign in",
    "恢复": "restore",
    "还原": "restore",
    "解压": "extract",
    "压缩": "compress",
    "筛选": "filter",
    "审批": "approve",
    "审批通过": "approve",
    "审核通过": "approve",
    "批准": "approve",
    "审批驳回": "reject",
    "审核驳回": "reject",
    "审批拒绝": "reject",
    "审核拒绝": "reject",
    "驳回": "reject",
    "重置": "reset",
    "重启": "restart",
    "发货": "ship",
    "重试": "retry",
    "加星标": "star",
    "星标": "star",
    "标星": "star",
    "锁定": "lock",
    "冻结": "freeze",
    "撤回": "withdraw",
    "指派": "assign",
    "邀请": "invite",
    "领取": "claim",
    "兑换": "redeem",
    "绑定": "bind",
    "解绑": "unbind",
    "授权": "authorize",
    "挂断": "hang up",
    "拨打": "call",
    "充值": "top up",
    "提现": "withdraw",
    "确定": "confirm",
    "同意": "agree",
    "接受": "accept",
    "拒绝": "decline",
    "申请": "apply",
    "预约": "reserve",
    "报名": "sign up",
    "投票": "vote",
    "续费": "renew",
    "续借": "renew",
    "缴费": "pay",
    "退款": "refund",
    "退货": "return",
    "转派": "reassign",
    "派单": "dispatch",
    "接单": "accept",
    "交卷": "hand in",
    "审核": "review",
    "催办": "remind",
    "终止": "terminate",
    "结束": "end",
    "中止": "abort",
    "上架": "publish",
    "下架": "unpublish",
    "开通": "activate",
    "激活": "activate",
    "同步": "sync",
    "备份": "back up",
    "部署": "deploy",
    "回滚": "roll back",
    "预览": "preview",
    "翻译": "translate",
    "订阅": "subscribe",
    "退订": "unsubscribe",
    "暂停": "pause",
    "快进": "fast-forward",
    "放大": "zoom in",
    "缩小": "zoom out",
    "清理": "clean",
    "扫描": "scan",
    "签收": "sign for",
    "打卡": "clock in",
    "解锁": "unlock",
    "解冻": "unfreeze",
    "克隆": "clone",
    "推送": "push",
    "拉取": "pull",
    "认领": "claim",
    "裁剪": "crop",
    "生成": "generate",
    "插入": "insert",
    "分配": "assign",
    "转让": "transfer",
    "拆分": "split",
    "求和": "sum",
    "打包": "pack",
    "发起": "start",
    "踢出": "kick out",
    "禁言": "mute",
    "取关": "unfollow",
    "反选": "invert selection",
    "加密": "encrypt",
    "借阅": "borrow",
    "归还": "return",
    "加购": "add to cart",
    "转办": "hand over",
    "加签": "add a signer",
    "受理": "accept",
    "结案": "close",
    "作废": "void",
    "复核": "review",
    "退回": "send back",
    "打回": "send back",
    "派发": "dispatch",
    "签约": "sign",
    "续签": "renew",
    "改签": "rebook",
    "退票": "refund",
    "催单": "remind",
    "评价": "review",
    "格式化": "format",
    "翻转": "flip",
}

_BEGINS_NOUNS = {
    "打印": "打印(?![机店纸件稿])",
    "分享": "分享(?!会)",
    "支付": "支付(?!宝|码)",
    "播放": "播放(?!器)",
    "下载": "下载(?!器)",
    "编辑": "编辑(?!器)",
}
OWN_FORMS = tuple(_BEGINS_NOUNS.get(word, word) for word in sorted(OWN_ZH, key=len, reverse=True))
"""The same verbs as patterns, the longest first: 打印 is none in 打印纸."""


_LATEST = re.compile(r"^(?:上一?[步次]|刚才|刚刚|最近一?次?|前一步)的?[\u3400-\u9fff]{0,4}$")


_DONE = r"(?:一下|一次|下来|掉|了|起来|出去|出来|成功|完成|好)*"


def _told_behind(rest: str, what: str | None, talk: Talk) -> tuple[str, list[tuple[str, str]]]:
    """What is left of the words behind a verb, and whom it goes to and what it becomes."""
    details: list[tuple[str, str]] = []
    cells = re.match(r"[A-Z]{1,2}\d{1,4}\s*(?:到|至|:)\s*[A-Z]{1,2}\d{1,4}", rest)
    if cells is None and (
        to := re.search(r"(?:给|到(?![期账货达店岗场位])|至)\s*(?P<who>.+)$", rest)
    ):
        if re.search(r"[，,；：]", to["who"]):
            raise NotUnderstood(f"where does “{talk.atoms.original(to['who'])}” end?")
        details.append(("to", talk.text(to["who"])))
        rest = rest[: to.start()].strip()
    if used := re.fullmatch(r"(?P<what>.+?)\s*(?:作为|当作)\s*(?P<as>[^，,]+)", rest):
        details.append(("as", talk.text(used["as"])))
        rest = used["what"].strip()
    if into := (
        re.fullmatch(
            rf"(?:成(?!功)|为)\s*(?P<as>{QUOTE}|[\x21-\x7e]+(?:\s?[\u3400-\u9fff]{{2,4}})?|[\u3400-\u9fff]{{1,4}}(?:格式|文件|文档|压缩包|[中英日法德]文|形))",
            rest,
        )
    ):
        details.append(("as", talk.text(into["as"])))
        rest = ""
    return rest, details


def own(found: re.Match[str], talk: Talk) -> list[Step]:
    """An application's verb, with whom it goes to and what it says."""
    verb = OWN_ZH.get(found["verb"], found["verb"])
    rest = found["rest"].strip()
    groups = found.groupdict()
    what = groups.get("what")
    if what and (many := re.fullmatch(r"(?P<what>.{2,}?)(?:全部|全都|都|统统)", what.strip())):
        # 把已完成的任务都归档: all of them.
        what = many["what"] if all_of(many["what"]) else f"所有{many['what']}"
    if re.search(rf"(?:\d|{DATED}|{TIMED})\s*(?:到|至)\s*第?\s*(?:\d|{DATED}|{TIMED})", rest):
        raise NotUnderstood("which of them is not something that the verb alone can be told")
    rest, details = _told_behind(rest, what, talk)
    text = re.search(rf"(?:内容为|内容是|：|:|说)?\s*(?P<text>{QUOTE})$", rest)
    if text and verb in ("reply", "send", "comment", "post"):
        details.append(("text", talk.text(text["text"])))
        rest = rest[: text.start()].strip()
    if what and rest and verb in ("rotate", "zoom") and not re.fullmatch(_DONE, rest):
        details.append(("by", talk.text(rest)))
    if verb in ("undo", "redo"):
        rest = _LATEST.sub("", rest)
    if often := re.fullmatch(rf"(?!一次)(?P<n>{NUMBER})\s*[次遍]", rest):
        steps = perform(found["verb"], (what or "").strip(), tuple(details), talk)
        return [Repeat(tuple(steps), times=int(number(often["n"]) or 1))]
    if re.search(r"[，,；]", rest) and not re.search(QUOTE, rest):
        raise NotUnderstood(f"where does “{talk.atoms.original(rest)}” end?")
    if re.match(r"失败|成功|出错|(?:以|之)?后(?!台)", rest):
        raise NotUnderstood("that it came out so is nothing to do; “等到“…”出现”")
    if what and rest and not details and not re.fullmatch(_DONE, rest):
        raise NotUnderstood(f"what is “{talk.atoms.original(rest)}” to that?")
    target = re.sub(
        r"^(?:一下|一次|下来|掉|了|起来|出去|出来|出(?=[\u3400-\u9fff]))|(?:一下|下来)$",
        "",
        (what or rest).strip("，, "),
    )
    return perform(found["verb"], target, tuple(details), talk)


_THESE = re.compile(
    r"[这那](?:[两二三四五六七八九十几\d]+|些)\s*[个条封张件项份行位本]?[\u3400-\u9fff]{1,4}"
)
"""这三封邮件: what was never named."""


_NTH = (
    r"(?:第|最后一|倒数第?)\s*[\d一二三四五六七八九十]*\s*"
    r"[个行列条项张封页件份][\u3400-\u9fff]{0,6}"
)
_ONE = rf"(?:{QUOTE}|{OTHER}|[\w-]+(?:\.[\w-]+)*\.[a-z]\w{{1,4}})(?:文件夹?)?"
_NAMED_ALL = re.compile(
    rf"(?P<list>{_ONE}(?:\s*[、，,]\s*{_ONE})*\s*(?:和|与|及|以及|、)\s*{_ONE})\s*"
    r"(?:这?[两二三四五六七八九十\d]+[个条项张封份件]?(?:文件夹?|项|邮件|图片|记录|任务|订单)?)?(?:都|全部)?"
)


def _named(target: str) -> list[str]:
    """Each of several things that are called by names of their own; none for anything else."""
    found = _NAMED_ALL.fullmatch(target.strip())
    return re.findall(_ONE, found["list"]) if found else []


def perform(word: str, target: str, details: tuple[tuple[str, str], ...], talk: Talk) -> list[Step]:
    """An application's verb by its Chinese word, on one thing or on all of a kind.

    Raises:
        NotUnderstood: It is done to the others, but nothing says to which.
    """
    verb = OWN_ZH.get(word, word)
    if re.match(r"(?:其余|其他|其它|剩下|剩余|另外)的", target):
        raise NotUnderstood("all but which? “删除所有文件，除了 X”")
    if word in ("申请", "开通", "打印") and target in OWN_ZH and not details:
        # 申请退款: what a control is called.
        return [Point(word + target)]
    each = all_of(target)
    if _THESE.fullmatch(each or target):
        raise NotUnderstood(
            f"which are “{talk.atoms.original(each or target)}”? name them one by one"
        )
    if named := _named(each or target):
        # 删掉 a.log 和 b.log: one after the other.
        return [Perform(verb, thing(one, talk), details, said=word) for one in named]
    items = listed(numbered(each or target))
    if len(items) > 1 and all(re.fullmatch(_NTH, item) for item in items):
        # 把第三行和第五行都删掉: the last first, so that the others keep their places.
        return [Perform(verb, thing(one, talk), details, said=word) for one in reversed(items)]
    if each:
        body = Perform(verb, f"{{{EACH}}}", details, said=word)
        return [ForEach(EACH, (body,), every=thing(each, talk))]
    return [Perform(verb, thing(target, talk) if target else None, details, said=word)]


def replaced(what: str, text: str, everywhere: bool, talk: Talk) -> list[Step]:
    """查找 X 并全部替换成 Y."""
    details: tuple[tuple[str, str], ...] = (("with", talk.text(text)),)
    details += (("in", "everywhere"),) if everywhere else ()
    return [Perform("replace", thing(what, talk), details, said="替换")]


def written_to(found: re.Match[str], talk: Talk) -> list[Step]:
    """给李雷写一封邮件."""
    details: tuple[tuple[str, str], ...] = (("to", talk.text(found["who"])),)
    if found["text"]:
        details += (("text", talk.text(found["text"])),)
    verb = "email" if found["what"].endswith("邮件") else "message"
    return [Perform(verb, None, details, said=f"写{found['what']}")]


_ENTRIES = re.compile(r"|.*(?:待办|待办事项|任务|事项|条目|项目|项|标签|关键[字词]|选项|备忘)")


def named_new(found: re.Match[str], talk: Talk) -> list[Step]:
    """添加“买牛奶”和“交电费”两项; 新建文件夹“照片”."""
    word = re.match(r"[\u3400-\u9fff]{2}", found[0])
    said = word[0] if word and word[0] in OWN_ZH else "添加"
    kind = found["kind"] or found["tail"]
    names = [talk.text(letter) for letter in re.findall(QUOTE, found["text"])]
    if _ENTRIES.fullmatch(kind):
        talk.put_aside(kind)
        return [Perform("add", None, (("text", name),), said=said) for name in names]
    return [Perform("create", kind, (("named", name),), said=said) for name in names]


_SAID = {
    "rename": "重命名",
    "replace": "替换",
    "save": "保存",
    "mark": "标记",
    "add": "加入",
    "create": "新建",
    "comment": "评论",
}


_IN_TEXT = re.compile(
    rf"(?:整个|当前)?(?:文档|全文|文章|正文|文件|文本|编辑器|表格|页面)(?:里面|里|中|内)?的?(?P<all>所有|全部)?的?(?={QUOTE}$)"
)
"""Where everywhere is: 文档里的“客户”."""


def with_particular(verb: str, word: str) -> Rule:
    """The rule of a verb with one particular: 把 X 改名为 Y."""

    def rule(found: re.Match[str], talk: Talk) -> list[Step]:
        if re.search(r"[，,；]|格式$", found["text"]):
            raise NotUnderstood(f"where does “{talk.atoms.original(found['text'])}” end?")
        details: tuple[tuple[str, str], ...] = ((word, talk.text(found["text"])),)
        said_of = found["what"] or found.groupdict().get("what2") or ""
        what = re.sub(r"(?<=.)(?:全部|全都|统统|都)$", "", said_of.strip())
        if what != said_of.strip() and verb != "replace" and not _named(what):
            # 把未读邮件都标为已读: all of them.
            what = what if all_of(what) or re.fullmatch(r"全部|所有", what) else f"所有{what}"
        said = _SAID.get(verb, "") + (talk.text(found["text"]) if verb == "add" else "")
        if re.fullmatch(r"全部|所有|都|全都", what):
            raise NotUnderstood("all of what? “把所有邮件标为已读”")
        if verb == "replace":
            bare = re.sub(r"^(?:所有的?|全部的?|每个)\s*|(?:全部|全)$", "", what)
            every = bare != said_of.strip()
            inside = _IN_TEXT.match(bare)
            if inside and (every := every or inside["all"] is not None):
                talk.put_aside(inside[0])
                bare = bare[inside.end() :]
            what, details = bare, (*details, ("in", "everywhere")) if every else details
        elif each := all_of(what):
            body = Perform(verb, f"{{{EACH}}}", details, said=said)
            return [ForEach(EACH, (body,), every=thing(each, talk))]
        if named := _named(what):
            return [Perform(verb, thing(one, talk), details, said=said) for one in named]
        target = thing(what, talk) if what else None
        return [Perform(verb, target, details, said=said)]

    return rule


def _column(by: str, talk: Talk) -> str:
    """“金额”列: what the column is called."""
    named = re.fullmatch(rf"(?P<name>{QUOTE})\s*(?:这一|那一)?[列栏]", by.strip())
    return talk.text(named["name"] if named else by)


def sorted_by(found: re.Match[str], talk: Talk) -> list[Step]:
    """按价格从高到低排序."""
    down = found["how"] and re.match(
        r"从(?:高到低|大到小|新到旧)|降序|倒序|由高到低|由大到小", found["how"]
    )
    order = (("order", "descending" if down else "ascending"),) if found["how"] else ()
    what = (found["what"] or "").strip()
    if re.search(r"、|拖", found["by"]):
        raise NotUnderstood("an order of one's own is dragged; “把 A 拖到 B 上”, one after another")
    return [
        Perform(
            "sort",
            thing(what, talk) if what else None,
            (("by", _column(found["by"], talk)), *order),
        )
    ]
