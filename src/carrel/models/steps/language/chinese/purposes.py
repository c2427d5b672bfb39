"""What a click is for, said behind it: 点击“保存”完成设置, 点击 AC 清零."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY, QUOTE
from carrel.models.steps.language.chinese.heads import verb_at_zh
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.talk import Talk

__all__ = ["HANDS", "split_purpose"]

_CLICK = (
    r"(?:在?[^，,点按双单右击]*)?(?:双击|三击|右键(?:单击|点击|点)|右击|(?:鼠标)?左键(?:单击|点击)|单击|点击|轻点|点按|点开|点选|"
    r"连续?点击?|点|按下|按一下|按|敲)(?:一下)?"
)
_CHOOSE = r"(?:选择|选中|选取|勾选|选)"
_KIND = (
    r"(?:列标题|列头|列(?!表)|表头|列名|按钮|按键|键|链接|超链接|图标|菜单项|菜单|选项卡|选项|标签页|标签|单选按钮|复选框|开关|文件夹|"
    r"文件|[那这]?一[项行条个])"
)
_LATIN = r"[A-Za-z][\x21-\x7e]*(?: [\x21-\x7e]+)*"
_QUOTED = re.compile(
    rf"(?P<act>(?:{_CLICK}|(?P<choose>{_CHOOSE}))[^，,]*?{QUOTE}\s*{_KIND}?)\s*(?P<tail>[^，,]+)"
)
_KINDED = re.compile(
    rf"(?P<act>{_CLICK}\s*[^，,{QUOTE[1:-1]}]{{1,20}}?"
    r"(?:按钮|链接|图标|选项卡|标签页|菜单项|复选框|箭头|表头|叉号|加号|减号|齿轮|问号))(?P<choose>)\s*(?P<tail>[^，,]+)"
)
_PLAIN = re.compile(rf"(?P<act>{_CLICK}\s*{_LATIN})(?P<choose>)\s*(?P<tail>[\u3400-\u9fff][^，,]*)")
_SELF = re.compile(
    rf"(?P<act>(?:{_CLICK}|{_CHOOSE}|清空|勾上|打开|关闭)[^，,]+?)(?P<choose>)\s*"
    rf"(?P<tail>(?:(?:把|将|让|使|令)(?:它|其|之|该\w{{1,4}}?|[\u3400-\u9fff]{{2,6}}?)|以便?(?![上下内外前后])|从而|好让|用来|用于)"
    r"(?:[重完全]*(?:打开|展开|收起|选中|显示|关闭|关掉|收起来|隐藏|恢复|移[到至动回][左右另]|自适应|最大化|最小化|全屏|放大|缩小|变大|变小|排序|排列|全选|查看|编辑|变|处于|生效|弹出|进入|清空|保存|提交|确认|返回)"
    r"[^，,\ue000-\uf8ff]*))"
)
_BY_ICON = re.compile(
    rf"(?P<act>{_CLICK}[^，,]*?(?:图标|按钮|垃圾桶|叉号|键))(?P<choose>)\s*(?P<tail>(?:将其|把它|来|以)"
    r"(?:删除|移除|删掉|去掉|下载|复制|收藏|置顶|归档|清除|取消|停止|播放|暂停)(?:掉)?)"
)
_ITS = re.compile(
    rf"(?P<act>{_CLICK}\s*(?:它|其))(?P<choose>)\s*(?P<tail>进去|进入|打开|展开|查看)"
)
_AIM = re.compile(
    r"(?:以便|用来|用于|从而|以(?=[便\u3400-\u9fff]{2})|来(?=[\u3400-\u9fff]{2})|使得?|让)|"
    r"(?:按照?)?(?:升序|降序|[从由].到.)(?:进行)?(?:排序|排列)|"
    r"(?:进去|进入|增加|减少|清零|归零|求值|求和|开始|结束|得到|获得|获取|计算|显示|弹出|退出|离开|进行|应用|生效|"
    r"同意|接受|拒绝|放弃|忽略|上一|下一|放大|缩小|全屏|唤起|唤出|呼出|调出|触发|实现|回退|翻页|升级|更新|隐藏|加载|切换|"
    r"返回|回到|跳转|跳到|移[到动]|定位|确认|确定|生成|激活|断开|连接|排序)"
)
HANDS = re.compile(
    r"(?:点击|单击|双击|右击|点选|点开|输入|键入|填写|填入|选择|选中|勾选|取消勾选|按下|按(?!升序|降序|照|[从由])|拖动|拖拽|清空|等待|滚动|粘贴|复制|把|将)"
)
"""What somebody does with the hands."""
_GOES = re.compile(
    r"(?:进入|打开|回到|返回|跳转|前往|切换到|转到|弹出|显示|查看|关闭|完成|来|以便?)"
)
_STATING = re.compile(r"应|后|时|直到|如果|\d+\s*[次下遍]")


_KEYED = re.compile(r"(?:ctrl|control|shift|alt|cmd|win)\s*\+", re.IGNORECASE)
_OFTEN = re.compile(rf"(?P<aim>[\u3400-\u9fff]{{2,4}}?)\s*(?P<n>{NUMBER}\s*[次下遍])")


def split_purpose(clause: str, talk: Talk) -> tuple[str, str] | None:
    """The click, and the next instruction said right behind it; None when nothing follows.

    What the click only is for is put aside: the second part is then empty.
    """
    if re.match(
        r"(?:(?:[把将对][^，,]{1,12}?)?按照?(?!钮|下)|验证|检查|确认|断言|确保|核对|等待?).*(?:排序|排列|筛选|过滤|分组)",
        clause,
    ):
        return None
    for form in (_BY_ICON, _ITS, _SELF, _QUOTED, _KINDED, _PLAIN):
        found = form.fullmatch(clause)
        if found is None:
            continue
        if form in (_BY_ICON, _SELF) and not _STATING.search(found["tail"]):
            talk.put_aside(found["tail"])
            return found["act"], ""
        tail = found["tail"].strip()
        if (often := _OFTEN.fullmatch(tail)) and _AIM.match(often["aim"]):
            # 点击“+”放大两次: so often.
            talk.put_aside(often["aim"])
            return found["act"] + often["n"], ""
        if not _begins(tail, plain=form is _PLAIN):
            continue
        told = re.search(rf"{ANY}|[\x21-\x7e]", tail) and not _GOES.match(tail)
        if form is _PLAIN and _KEYED.search(found["act"]) and not told:
            talk.put_aside(tail)
            return found["act"], ""
        acts = HANDS.match(tail) and not (tail.startswith("清空") and not found["choose"])
        if acts or found["choose"] or told:
            return found["act"], tail
        talk.put_aside(tail)
        return found["act"], ""
    return None


def _begins(tail: str, *, plain: bool) -> bool:
    """Whether the words behind the name are what is done next, or why."""
    if _STATING.search(tail):
        return False
    aim = _AIM.match(tail)
    verb = verb_at_zh(tail)
    verb = verb if verb and len(verb[0]) > 1 else None
    head = verb or aim
    if head is None or tail[head.end() :].startswith(("的", "按钮", "图标", "链接", "键")):
        return False
    if re.match(r"(?:过|了|出|来)的", tail[head.end() :]):
        return False
    # A name in two languages: “GitHub 登录”.
    return not plain or len(tail) > 2 or verb is None
