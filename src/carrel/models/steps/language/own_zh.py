"""An application's own verbs, in Chinese words."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.point_zh import Rule, all_of, thing
from carrel.models.steps.language.talk import EACH, Talk
from carrel.models.steps.program import ForEach, Perform, Step

__all__ = ["OWN_ZH", "own", "sorted_by", "with_particular"]

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
    "注册": "sign up",
    "搜索": "search",
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
}


def own(found: re.Match[str], talk: Talk) -> list[Step]:
    """An application's verb, with whom it goes to and what it says."""
    verb = OWN_ZH.get(found["verb"], found["verb"])
    rest = found["rest"].strip()
    groups = found.groupdict()
    what = groups.get("what")
    details: list[tuple[str, str]] = []
    if to := re.search(r"(?:给|到|至)\s*(?P<who>.+)$", rest):
        details.append(("to", talk.text(to["who"])))
        rest = rest[: to.start()].strip()
    text = re.search(rf"(?:内容为|内容是|：|:|说)?\s*(?P<text>{QUOTE})$", rest)
    if text and verb in ("reply", "send", "comment", "post"):
        details.append(("text", talk.text(text["text"])))
        rest = rest[: text.start()].strip()
    if what and rest and verb in ("rotate", "zoom"):
        details.append(("by", talk.text(rest)))
    target = (what or rest).strip("，, ")
    if each := all_of(target):
        return [
            ForEach(EACH, (Perform(verb, f"{{{EACH}}}", tuple(details)),), every=thing(each, talk))
        ]
    return [Perform(verb, thing(target, talk) if target else None, tuple(details))]


def with_particular(verb: str, word: str) -> Rule:
    """The rule of a verb with one particular: 把 X 改名为 Y."""

    def rule(found: re.Match[str], talk: Talk) -> list[Step]:
        details: tuple[tuple[str, str], ...] = ((word, talk.text(found["text"])),)
        what = found["what"].strip()
        if verb == "replace":
            what, every = re.sub(r"^(?:所有的?|全部的?|每个)\s*", "", what), what
            details += (("in", "everywhere"),) if what != every else ()
        elif each := all_of(what):
            body = Perform(verb, f"{{{EACH}}}", details)
            return [ForEach(EACH, (body,), every=thing(each, talk))]
        return [Perform(verb, thing(what, talk) if what else None, details)]

    return rule


def sorted_by(found: re.Match[str], talk: Talk) -> list[Step]:
    """按价格从高到低排序."""
    down = found["how"] and re.match(
        r"从(?:高到低|大到小|新到旧)|降序|倒序|由高到低|由大到小", found["how"]
    )
    order = (("order", "descending" if down else "ascending"),) if found["how"] else ()
    what = (found["what"] or "").strip()
    return [
        Perform(
            "sort", thing(what, talk) if what else None, (("by", talk.text(found["by"])), *order)
        )
    ]
