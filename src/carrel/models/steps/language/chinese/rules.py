"""Rules of Chinese clauses that begin with their verb."""

from __future__ import annotations

import re
from typing import Literal

from carrel.models.steps.language.atoms import DATED, NAME, QUOTE
from carrel.models.steps.language.chinese.clipboard import copy, paste
from carrel.models.steps.language.chinese.heads import (
    CHOOSING,
    ENTERING,
    MOVING,
    OWN_WORDS,
    TICKING,
    UNTICKING,
    verb_at_zh,
)
from carrel.models.steps.language.chinese.own import own, perform, sorted_by, with_particular
from carrel.models.steps.language.chinese.pages import (
    check,
    close,
    leave,
    open_,
    read,
    run,
    switch,
    told_zh,
    wait,
)
from carrel.models.steps.language.chinese.point import (
    IN,
    Rule,
    all_of,
    click,
    drag,
    press,
    thing,
)
from carrel.models.steps.language.chinese.scrolls import scroll
from carrel.models.steps.language.chinese.settings import set_value
from carrel.models.steps.language.chinese.text import (
    choose,
    choose_in,
    enter,
    enter_in,
    enter_moved,
    tick,
)
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, IT, NotUnderstood, Talk
from carrel.models.steps.program import (
    Change,
    Check,
    Clear,
    Compute,
    Copy,
    Expand,
    Find,
    ForEach,
    Highlight,
    Is,
    Let,
    Navigate,
    Paste,
    Press,
    Resize,
    SetValue,
    Sort,
    Step,
    Submit,
    Tick,
)

__all__ = ["RULES"]


def _refuse(why: str) -> Rule:
    def rule(found: re.Match[str], talk: Talk) -> list[Step]:
        raise NotUnderstood(why)

    return rule


def _own_first(found: re.Match[str], talk: Talk) -> list[Step]:
    """An application's verb, but not a name that only begins like one: 支付方式."""
    of = re.match(r"(?:列表|记录|页面?|结果|内容|标题)的", found["rest"])
    return own(found, talk) if of or verb_at_zh(found[0]) else []


def _plain(said: str) -> str:
    """A number in figures: 减一 is by 1."""
    amount = number(said)
    return said if amount is None else f"{amount:g}"


_STYLES = {
    "加粗": "bold",
    "变粗": "bold",
    "变斜": "italic",
    "加下划线": "underlined",
    "倾斜": "italic",
}
_HOW = (
    r"(?P<how>从高到低|从低到高|从大到小|从小到大|从新到旧|从旧到新|由高到低|由低到高|"
    r"升序|降序|倒序)?"
)
_SELECTED = re.compile(r"|(?:它|选中|所选|选定)的?(?:文本|内容|文字|部分|文件)?")
_SIZES: dict[str, Literal["larger", "smaller"]] = {"小": "smaller", "大": "larger"}


def _simple(*steps: Step) -> Rule:
    return lambda _found, _talk: list(steps)


def _folded(*, on: bool) -> Rule:
    def rule(found: re.Match[str], talk: Talk) -> list[Step]:
        if every := all_of(found["rest"]):
            return [ForEach(EACH, (Expand(f"{{{EACH}}}", on=on),), every=thing(every, talk))]
        return [Expand(thing(found["rest"], talk), on=on)]

    return rule


_FAR = rf"\s*(?P<far>(?:{NUMBER})\s*(?:个?像素|px|格|位|个位置))"
_REST = r"\s*(?P<rest>.*)"


def _submitted(found: re.Match[str], talk: Talk) -> list[Step]:
    """提交报名: what is submitted is what was filled in."""
    talk.put_aside(found["noun"] or "")
    return [Submit()]


def _done_to(found: re.Match[str], talk: Talk) -> list[Step]:
    """对订单 A1 执行“核销”操作: whatever verb the screen offers."""
    return perform(talk.text(found["verb"]), found["what"], (), talk)


RULES: tuple[tuple[str, Rule], ...] = (
    (
        r"(?:按|敲)?(?:一下)?回车键?(?P<aim>(?:来|以)?(?!后|之|再|然|并|和|两|三|一)[\u3400-\u9fff]{2,4})?",
        lambda f, t: t.put_aside(f["aim"] or "") or [Press(("enter",))],  # type: ignore[func-returns-value]
    ),
    (r"全选(?:所有|全部)?的?(?:文本|文字|内容|全文|正文)?", _simple(Highlight("everything"))),
    (r"选[中择](?:所有|全部)的?(?:文本|文字|内容)", _simple(Highlight("everything"))),
    (
        r"全选(?:所有|全部)?的?(?:文件|图片|项目|邮件|行|记录|列表项?)",
        lambda f, t: t.put_aside(f[0]) or [Press(("ctrl+a",))],  # type: ignore[func-returns-value]
    ),
    (
        r"(?P<onto>[向往朝][上下左右](?:边|侧|方)?)\s*(?:拖动|拖拽|拖|移动|挪动)\s*(?P<what>[^，,到]+)",
        drag,
    ),
    (
        r"(?:把|将)\s*(?P<what>.+?)\s*的(?:名字|名称|文件名)\s*(?:改[为成]|重命名为)\s*(?P<text>.+)",
        with_particular("rename", "to"),
    ),
    (
        r"(?:把|将)?\s*(?P<what>.+?)\s*(?:重命名|改名|更名)[为成]\s*(?P<text>.+)",
        with_particular("rename", "to"),
    ),
    (r"(?:重命名|改名)\s*(?P<what>.+?)\s*[为成]\s*(?P<text>.+)", with_particular("rename", "to")),
    (
        r"(?:把|将)?\s*(?P<what>(?!把|将)[\u3400-\u9fff]{2,8}?(?:(?:从|由)[\ue000-\ue7ff])?)\s*(?<![切变更替])换[为成到]\s*(?P<value>[^，,]+)",
        set_value,
    ),
    (
        r"(?:把|将)\s*(?P<what>[^，,]*?(?:[栏框格]|字段)(?:里面|里|中|内)?(?:的(?:内容|值|文字))?)\s*(?:替换|换)[为成]\s*(?P<value>[^，,]+)",
        set_value,
    ),
    (
        r"(?:把|将)?\s*(?P<what>.+?)\s*(?:替换|(?<![切变更替])换)[为成]\s*(?P<text>.+)",
        with_particular("replace", "with"),
    ),
    (r"用\s*(?P<text>.+?)\s*替换\s*(?P<what>.+)", with_particular("replace", "with")),
    (
        r"(?:(?:把|将)?\s*(?P<what>(?!保存|另存)[^，,]*?)\s*(?:另存|保存)[为成]|(?:保存|另存)(?P<what2>[^，,]*?)为)\s*(?P<text>.+)",
        with_particular("save", "as"),
    ),
    (r"(?:把|将)?\s*(?P<what>.*?)\s*标[记为]?[为成]\s*(?P<text>.+)", with_particular("mark", "as")),
    (
        r"(?:把|将)?\s*(?P<what>.+?)\s*(?:加入|(?<![拖缩播])放[入进]|加到|加进|(?<![拖缩播])放到|添加到|添加进|添加至)\s*(?P<text>(?![去来]$).+?)(?:里面|里|中|上)?",
        with_particular("add", "to"),
    ),
    (
        r"(?:标记|标(?![题签准注价识]))\s*(?P<what>.+?)\s*[为成]\s*(?P<text>.+)",
        with_particular("mark", "as"),
    ),
    (
        (
            r"(?:按照?|根据|依)\s*(?P<by>(?!升序|降序|倒序|[从由].到)[^，,]+?)(?<![序高低大小新旧])"
            r"(?P<how>)(?:排序|排列)\s*(?P<what>[^，,]*(?:表格|列表|表|文件夹?|邮件|商品|记录|图片|任务|订单|联系人))"
        ),
        sorted_by,
    ),
    (
        r"(?P<what>)(?:按照?|根据|依)\s*(?P<by>[^，,]+?)的?(?P<how>升序|降序|倒序|正序)(?:显示|来)?",
        sorted_by,
    ),
    (
        rf"(?P<what>)(?:按照?|根据|依)\s*(?P<by>[^，,]+?)\s*{_HOW[:-1]}\s*(?:排序|排列)\s*[^，,]*",
        sorted_by,
    ),
    (
        rf"(?P<what>)(?:把|将|对)?\s*(?P<by>[^，,]+?列)\s*(?:按照?|以)?{_HOW[:-1]}(?:进行)?(?:排序|排列)",
        sorted_by,
    ),
    (
        r"(?:新建|创建|添加|建立|新增)\s*(?:一个|一份|一条|个)?\s*(?:名为|名叫|名称为|名字为|名字叫|叫做?|标题为)\s*(?P<text>.+?)\s*的\s*(?P<what>.+)",
        with_particular("create", "named"),
    ),
    (
        rf"(?:把|将|对|给)?\s*(?P<what>[^，,]*?)\s*(?:按照?|根据|依)\s*(?P<by>(?!升序|降序|从.到)[^，,]+?)\s*(?:的?{_HOW}(?:的?顺序)?)(?:进行)?(?:排序|排列)",
        sorted_by,
    ),
    (
        r"(?:把|将)\s*(?P<what>.+?)\s*(?P<style>加粗|变粗|变斜|加下划线|倾斜)",
        lambda f, t: [Change(thing(f["what"], t), _STYLES[f["style"]])],
    ),
    (
        r"(?:把|将)\s*(?P<what>.*(?:窗口|对话框|图片|面板|列))\s*(?:缩|放|变|调)(?P<size>小|大)(?:一?点|一些)?",
        lambda f, t: [Resize(thing(f["what"], t), _SIZES[f["size"]])],
    ),
    (
        rf"(?:对|给|把|将)\s*(?P<what>.+?)\s*(?:执行|进行|做)一?下?\s*(?P<verb>{QUOTE})(?:的?操作|处理)?",
        _done_to,
    ),
    (
        r"(?:让|把|将)?\s*(?P<what>.+?)\s*(?:留空|保持空白|保持为空)",
        lambda f, t: [Check(Is(thing(f["what"], t), "empty"))],
    ),
    (
        r"(?:截图|截屏|截个图|截取(?:屏幕|截图)).*",
        _refuse("a picture of every step is kept anyway; there is no step for one"),
    ),
    (rf"(?:最多|最长|至多|最久)(?:等待|等){_REST}", wait),
    (
        r"(?:新开|再开|另开)一?个?新?的?标签页",
        _simple(Press(("ctrl+t",))),
    ),
    (r"(?:另起|换|新起|另)一?新?[行段]", _simple(Press(("enter",)))),
    (
        r"从\s*(?P<what>[^，,]+?)\s*(?:拖动?|拖拽|划|滑)(?:到|至)\s*(?P<onto>[^，,]+)",
        drag,
    ),
    (
        rf"(?:把|将)\s*(?P<what>.+?)\s*(?:(?P<up>增加|提高|调高|加大|加(?!入|到|进|粗))|减少|降低|调低|减小|减(?!少|小))了?\s*(?P<n>{NUMBER})\s*(?:个|件|份|次|%|％)?",
        lambda f, t: [
            SetValue(
                thing(f["what"], t), f"{'' if f['up'] else '-'}{_plain(f['n'])}", relative=True
            )
        ],
    ),
    (
        r"(?:全部|全都|都)(?P<un>取消勾选|取消选中|不勾选)|(?:全部|全都|都)(?:勾选|勾上|选中)",
        lambda f, t: [ForEach(EACH, (Tick((f"{{{EACH}}}",), on=not f["un"]),), every="复选框")],
    ),
    (
        r"(?:给|对|为)\s*(?P<what>.+?)\s*(?:添加|写|发表|留)(?:上|下)?(?:一条|个|一个)?(?:评论|留言|批注|评语|批语)\s*[：:]?\s*(?P<text>.+)",
        with_particular("comment", "text"),
    ),
    (
        rf"(?:记住|记下|记录)\s*(?P<what>[^，,]+?)\s*(?:记为|作为|为)\s*(?P<name>{NAME}|[A-Za-z_]\w*)",
        read,
    ),
    (
        r"令\s*(?P<name>\w+?(?<!变))\s*(?:为|=|是)\s*(?P<text>.+)|(?:设置?|让)\s*(?P<name2>\w+)\s*=\s*(?P<text2>.+)",
        lambda f, t: [Let(f["name"] or f["name2"], t.atoms.text(f["text"] or f["text2"]))],
    ),
    (
        rf"(?:在|往|向)\s*(?P<into>[^，,]+?){IN}\s*(?P<verb>{ENTERING})(?:的?是|为)?\s*(?P<text>.+)",
        enter_in,
    ),
    (
        r"(?:把|将)\s*(?P<rest>[^，,]+?\s*(?:(?:输入|填入|写入|键入|填写|录入)(?![框栏为成区法域])(?:到|进|在)?|[填写输敲打](?:到|进|在))\s*.+)",
        enter_moved,
    ),
    (
        rf"在\s*(?P<source>[^，,]*(?:日历|日期选择器|日期面板)[^，,]*?){IN}\s*(?:点击|点|单击)\s*(?P<what>{DATED}|[上本这当下]个?月的?\s*\d{{1,2}}\s*[日号])",
        choose_in,
    ),
    (rf"(?:在|从)\s*(?P<source>[^，,]+?){IN}\s*{CHOOSING}\s*(?P<what>.+)", choose_in),
    (
        r"(?:把|将)?\s*(?P<what>[^，,]+?)\s*(?:设[置定]?[为成到]|调[整节]?[到为成]|(?:更|修)?改[为成到]|更换[为成到]|变[为成]|填[为成]|写[为成]|填写[为成]|更新[为成]|切换[为成到]|定[为成]|(?<!剪)切[为成到]|拨[到成]|置[为成]|恢复[为成到]|[改设调]回|指定为|升到|降到)\s*(?P<value>.+)",
        set_value,
    ),
    (
        r"(?:设置(?![里中页]|界面)|修改|更改|调整|设定|切换|更换|编辑(?![框器]))\s*(?P<what>[^，,]+?)\s*[为成到]\s*(?P<value>.+)",
        set_value,
    ),
    (
        r"(?:用|使用|通过)\s*(?P<what>.+?)\s*(?:选择(?![框器])|选中|选(?![框项区择中])|设置为?|调到)\s*(?P<value>.+)",
        set_value,
    ),
    (
        r"(?:把|将)\s*(?P<where>[^，,]+?)(?P<rest>(?:横向|纵向|水平|垂直|[向往朝][上下左右])?(?:滚动?|滑动?|拉|翻)(?:(?:到|至)|[，,]?\s*直到).+)",
        scroll,
    ),
    (
        r"(?:把|将)\s*(?P<where>[^，,]{0,8}(?:列表|表格?|面板|侧边栏|页面|画布|时间轴))(?P<rest>[向往朝][上下左右](?:边|侧)?(?:滚动?|滑动?|拉|翻)(?:一下|一点|一些)?)",
        scroll,
    ),
    (
        r"(?P<where>(?![把将在从])[^，,]{0,8}(?:列表|表格|面板|侧边栏))(?P<rest>(?:[向往朝][上下左右])?(?:滚动?|滑动?|拉|翻)(?:到|至).+)",
        scroll,
    ),
    (
        rf"(?:在\s*(?P<where>.+?){IN}\s*)?(?:把|将)?(?:[向往朝][上下左右]|横向|纵向|水平|垂直)?(?:滚动|滚|翻|滑动|滑(?=到|一下|$|[，,])|拉(?=到))(?P<rest>.*)",
        scroll,
    ),
    (
        rf"(?:把|将)?\s*(?P<what>.+?)\s*(?P<onto>[向往朝][上下左右](?:边|侧|方)?)\s*(?:拖[动拽]?|移动?|滑动|挪动){_FAR}?",
        drag,
    ),
    (
        rf"(?:把|将)?\s*(?P<what>.+?)\s*{MOVING}\s*(?:到|至|进|入|向(?=.))?\s*(?P<onto>.+)",
        drag,
    ),
    (
        rf"{MOVING}\s*(?P<what>.+?)\s*(?:到|至|进|(?=[向往朝][上下左右]))\s*(?P<onto>.+)",
        drag,
    ),
    (rf"(?:双击){_REST}", click("double")),
    (rf"(?:三击){_REST}", click("triple")),
    (rf"(?:右键(?:单击|点击|点)|右击){_REST}", click("right")),
    (rf"(?:中键点击){_REST}", click("middle")),
    (rf"(?:{UNTICKING}|禁用|停用){_REST}", tick(on=False)),
    (rf"(?:{TICKING}|启用|开启){_REST}", tick(on=True)),
    (
        rf"(?:(?:鼠标)?左键(?:单击|点击)|单击|点击|点按|点开|点选|点进|点到|连续?点击?){_REST}",
        click("click"),
    ),
    (rf"(?:按下|按住|连续?按|敲击|敲|按)(?!.*排序){_REST}", press),
    (rf"点(?!击){_REST}", click("click")),
    (rf"{ENTERING}{_REST}", enter),
    (
        rf"(?:清空|清除|擦除){_REST}",
        lambda f, t: [Clear(thing(told_zh(f["rest"]), t) if f["rest"].strip() else None)],
    ),
    (
        r"(?:把|将)\s*(?P<rest>.+?)\s*(?:清空|清除|删空)",
        lambda f, t: [Clear(thing(told_zh(f["rest"]), t))],
    ),
    (rf"(?:高亮|全选){_REST}", lambda f, t: [Highlight(thing(f["rest"] or "文本", t))]),
    (rf"{CHOOSING}{_REST}", choose),
    (rf"(?:等待|稍等|等|暂停(?=\s*(?:{NUMBER}|一会))){_REST}", wait),
    (rf"(?:复制|拷贝){_REST}", copy),
    (
        r"(?:把|将)\s*(?P<what>.+?)\s*复制\s*到\s*(?P<into>.+)",
        lambda f, t: [
            Copy(thing(f["what"], t)),
            *([] if f["into"].startswith("剪贴板") else [Paste(thing(f["into"], t))]),
        ],
    ),
    (
        rf"(?:剪切){_REST}",
        lambda f, t: [
            *([] if _SELECTED.fullmatch(f["rest"]) else [Highlight(thing(f["rest"], t))]),
            Press(("ctrl+x",)),
        ],
    ),
    (rf"(?:把它|将其)?\s*粘贴{_REST}", paste),
    (rf"(?:切换[到至回成为]|切[到回成]|跳到|回到(?=.*窗口$)){_REST}", switch),
    (r"(?P<rest>返回列表)(?:页面?)?", click("click")),
    (
        r"(?:浏览器|页面)?(?:返回|后退|回到)(?:到?(?:上一?页|上一级|前一页|一页|一步))?",
        _simple(Navigate("back")),
    ),
    (r"(?:浏览器|页面)?前进(?:一页|一步|到?下一?页)?", _simple(Navigate("forward"))),
    (
        r"(?:浏览器)?(?:刷新|重新加载)(?:一下)?(?:当前|整个|该|这个|本)?的?(?:页面|网页|浏览器|一下)?",
        _simple(Navigate("reload")),
    ),
    (rf"(?:访问|前往|转到|跳转到|浏览(?!器)|进入|打开|启动|(?:返回|回)到|返回|去){_REST}", open_),
    (rf"(?:关闭|关掉|关上){_REST}", close),
    (rf"退出(?!登录|登陆|账号|账户|编辑|全屏){_REST}", leave),
    (rf"(?:运行|执行){_REST}", run),
    (
        (
            rf"(?:读取|读出|读|记住|记下|记录|获取(?=.+的)|提取(?=.+的))\s*(?P<what>.+?)(?:[，,]?\s*(?:并|后面|以后|之后)?(?:把它|将其)?(?:记住为|记为|记作|[叫称](?:它|其)(?:为|作|做)?|称[为作]|"
            rf"(?:保?存|储存|存储)[为到入成](?:变量)?|命名为|作为)\s*(?P<name>{NAME}|{QUOTE}|\w+))?"
        ),
        read,
    ),
    (rf"(?:验证|检查|确认|断言|确保|核对){_REST}", check),
    (rf"(?:找到|查找|寻找|找){_REST}", lambda f, t: [Find(thing(f["rest"], t))]),
    (rf"展开{_REST}", _folded(on=True)),
    (rf"(?:收起|折叠){_REST}", _folded(on=False)),
    (
        r"提交(?P<noun>表单|表格|该表单|问卷|申请|订单|答案|评价|评论|反馈|资料|信息|作业|修改|更改|报名|预约|审批|审核|工单|请求|登记|试卷|投诉|一下)?",
        _submitted,
    ),
    (
        rf"(?:统计|数一数|数(?![量字据目值额码学组])){_REST}",
        lambda f, t: [
            Compute(
                "count",
                thing(re.sub("^(?:页面|屏幕)上的?|的?(?:数量|个数|总数|条数)$", "", f["rest"]), t),
                IT,
            )
        ],
    ),
    (
        r"(?:求|计算|算出)\s*(?P<what>.+?)的?(?:总和|之和|(?<!之)和)",
        lambda f, t: [Compute("sum", thing(f["what"], t), IT)],
    ),
    (rf"(?:求|计算){_REST}", lambda f, t: [Compute("solve", thing(f["rest"], t), IT)]),
    (
        r"(?:把|将)?\s*(?P<what>.+?)\s*按\s*(?P<how>升序|降序|从小到大|从大到小)(?:的?顺序)?(?:排序|排列)|按\s*(?P<how2>升序|降序|从小到大|从大到小)(?:的?顺序)?(?:排序|排列)\s*(?P<what2>.+)",
        lambda f, t: [
            Sort(
                thing(f["what"] or f["what2"], t),
                "descending" if (f["how"] or f["how2"]) in ("降序", "从大到小") else "ascending",
            )
        ],
    ),
    (rf"(?:把|将|给|对)\s*(?P<what>.+?)\s*(?P<verb>{OWN_WORDS})(?P<rest>(?:一下|掉|了)?)", own),
    (rf"(?:把|将|给|对)\s*(?P<what>.+?)\s*(?P<verb>{OWN_WORDS}){_REST}", own),
    (rf"(?P<verb>{OWN_WORDS}){_REST}", _own_first),
)
"""Rules, each with the words of a whole clause."""
