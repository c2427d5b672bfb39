"""Chinese words for what a thing is given, loses or takes in: 给卡片加上“紧急”标签, 把它拖进去."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, OTHER, QUOTE
from carrel.models.steps.language.chinese.clipboard import copy_of
from carrel.models.steps.language.chinese.nouns import KIND
from carrel.models.steps.language.chinese.point import Rule, all_of, click, thing
from carrel.models.steps.language.chinese.text import ticked, typed
from carrel.models.steps.language.numbers import number
from carrel.models.steps.language.talk import EACH, Talk
from carrel.models.steps.program import Clear, Drag, ForEach, Paste, Perform, Step

__all__ = ["GIVEN"]

_COPIED = re.compile(
    r"(?:刚才|刚刚|之前|已)?复制(?:好|下来|过)?的.*|剪[贴切]板(?:里|中|上)?的.*|复制内容"
)


def _pasted(found: re.Match[str], talk: Talk) -> list[Step]:
    """把合计粘贴到“备注”里; what is copied already is only pasted."""
    if re.fullmatch(NAME, found["what"].strip()):
        # What was remembered is on no screen: it is typed.
        return typed(found["what"], found["into"], talk)
    into = Paste(thing(found["into"], talk))
    if _COPIED.fullmatch(found["what"].strip()):
        talk.put_aside(found["what"])
        return [into]
    return [copy_of(found["what"], talk), into]


def _taken_in(found: re.Match[str], talk: Talk) -> list[Step]:
    """把所有 PDF 移进去: into what was spoken of before them."""
    if each := all_of(found["what"]):
        body = Drag(f"{{{EACH}}}", onto="它")
        return [ForEach(EACH, (body,), every=thing(each, talk))]
    return [Drag(thing(found["what"], talk), onto="它")]


def _rated(found: re.Match[str], talk: Talk) -> list[Step]:
    stars = f"{number(found['n']):g} stars"
    talk.put_aside(found[0])
    what = thing(found["what"], talk) if found["what"] else None
    return [Perform("rate", what, (("with", stars),), said="评分")]


def _cleared(found: re.Match[str], talk: Talk) -> list[Step]:
    """把备注栏里的内容全部删除: the field is empty then."""
    talk.put_aside(found["all"] or "")
    return [Clear(thing(found["what"], talk))]


_TO = (
    rf"(?P<text>{QUOTE}|{NAME}|{OTHER}|"
    r"(?![留空不填写为是输选]|一?[栏项])[\u3400-\u9fff]{2,6}|[\x21-\x7e]+)"
)

GIVEN: tuple[tuple[str, Rule], ...] = (
    (
        r"(?P<what>(?!把|将|在|给)[^，,]+?)(?:[这那]个|前面?的?|的)?(?:复选框|方框|框|圆圈)打上?[勾钩]",
        lambda f, t: ticked(f["what"], t, on=True),
    ),
    (
        rf"(?P<what>(?!把|将)[^，,]{{0,12}}(?:{QUOTE}|开关|状态|模式|功能|通知|提醒|推送))(?P<how>打开|开启|启用|关掉|关闭|停用|禁用)",
        lambda f, t: ticked(f["what"], t, on=f["how"] in ("打开", "开启", "启用")),
    ),
    (
        r"(?:把|将)\s*(?P<what>(?!它|其).+?)\s*(?:粘贴|贴)[到进]\s*(?P<into>[^，,]+?)(?:里面|里|中|内|上)?",
        _pasted,
    ),
    (
        r"(?:把|将)\s*(?P<what>[^，,]+?)\s*(?:拖动?|拖拽|移动?|挪|放)(?:进去|过去|进来)(?P<onto>)",
        _taken_in,
    ),
    (
        (
            r"(?:给|为)\s*(?P<to>[^，,]+?)(?:上|里|中)?\s*(?:加上|添加|加|贴上|打上)(?:一?个)?\s*"
            rf"(?P<what>(?:标签|标记|备注|分类|评论)?(?:{QUOTE}|(?<=\s)[\x21-\x7e]+)\s*(?:标签|标记|备注|分类|星标|颜色)?)"
        ),
        lambda f, t: [
            Perform("add", thing(f["what"], t), (("to", thing(f["to"], t)),), said="添加")
        ],
    ),
    (
        r"(?:把它|给它)?(?:加上?|打上?|标上?|添加)(?:一?个)?星标?",
        lambda f, t: [Perform("star", None, said="星标")],
    ),
    (rf"(?P<into>抄送|密送)(?:给|到)?\s*{_TO}", lambda f, t: typed(f["text"], f["into"], t)),
    (
        rf"(?:把|将|给)\s*(?P<what>{QUOTE}[\u3400-\u9fff]{{0,4}}?|[\u3400-\u9fff]{{2,6}}?)(?:打|评|点)(?:到|为|成|上)?\s*(?P<n>[一二三四五\d])\s*(?:颗|个)?(?:星|星级)",
        _rated,
    ),
    (
        r"(?P<what>[\u3400-\u9fff]{2,6}?)(?:给|打)\s*(?P<n>[一二三四五\d])\s*(?:颗|个)?(?:星|星级)",
        _rated,
    ),
    (
        rf"(?:把|将)?\s*(?P<what>(?!把|将)[^，,]+?)\s*(?:重命名|改名|更名)[为成叫]?\s*(?P<text>{QUOTE})",
        lambda f, t: [
            Perform("rename", thing(f["what"], t), (("to", t.text(f["text"])),), said="重命名")
        ],
    ),
    (
        rf"(?P<what>{QUOTE}|[\u3400-\u9fff]{{2,8}}?)(?:这一?项)?(?:先|就)?不(?:要|用)?(?:勾选?|选中|打勾)",
        lambda f, t: ticked(f["what"], t, on=False),
    ),
    (
        r"(?:给|打)(?P<what>)(?P<n>[一二三四五\d])(?:颗|个)?(?:星|星级|分)(?:好评|评价|评分)?",
        _rated,
    ),
    (
        (
            r"(?:把|将)?\s*(?P<what>(?!把|将|清空|删除)[^，,]+?(?:框|栏|字段|域|格|[\ue000-\ue7ff]))(?:里面|里|中|内)?"
            r"(?:原来|原有|已有|现有|原先|所有|全部)?的?"
            r"(?:内容|文字|文本|值|字|东西|数字)(?P<all>全部|全都|都|先)?(?:删掉|清掉|去掉|删除|清空|清除|抹掉)"
        ),
        _cleared,
    ),
    (
        (
            r"(?:删掉|删除|删去|清掉|清除|去掉|抹掉)\s*(?P<what>[^，,]+?(?:框|栏|字段|域|格))(?:里面|里|中|内)?"
            r"(?P<all>原来|原有|已有|现有|所有|全部)?的?(?:内容|文字|文本|值|数字)"
        ),
        _cleared,
    ),
    (
        rf"(?:给|为|往|向)\s*(?P<into>[^，,]+?)(?:里面|里|中|内|上)?\s*(?:填上|填入|填写|填|输入|写上|写入)\s*(?P<text>{QUOTE}|{NAME}|[\x21-\x7e]+)",
        lambda f, t: typed(f["text"], f["into"], t),
    ),
    (
        rf"(?P<rest>[^，,把将在]*(?:{KIND}|{QUOTE}))(?:点一下|点击一下|点一次|单击一下|点开)",
        click("click"),
    ),
)
"""Rules, each with the words of a whole clause."""
