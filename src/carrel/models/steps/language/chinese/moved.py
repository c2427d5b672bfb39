"""Chinese clauses with the thing before its verb: 把 X 删掉, 将 X 记为 N, 给 X 打勾."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.chinese.asking import told
from carrel.models.steps.language.chinese.caret import CARET
from carrel.models.steps.language.chinese.clipboard import copy_of, pasted
from carrel.models.steps.language.chinese.given import GIVEN
from carrel.models.steps.language.chinese.own import (
    OWN_ZH,
    named_new,
    perform,
    replaced,
    written_to,
)
from carrel.models.steps.language.chinese.pages import check, told_zh
from carrel.models.steps.language.chinese.point import (
    INSIDE,
    Rule,
    all_of,
    click,
    drag,
    is_switch,
    numbered,
    thing,
)
from carrel.models.steps.language.chinese.scrolls import scroll
from carrel.models.steps.language.chinese.styles import coloured, styled
from carrel.models.steps.language.chinese.text import choose_of, chosen, ticked, typed
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, IT, NotUnderstood, Talk, listed
from carrel.models.steps.program import (
    Answer,
    Change,
    CloseWindow,
    Compute,
    Drag,
    Expand,
    ForEach,
    Open,
    Paste,
    Perform,
    Point,
    Read,
    SetValue,
    Step,
    Tick,
)

__all__ = ["MOVED"]

_BA = r"(?:把|将|给|对)\s*(?P<what>.+?)\s*"
_ALL = r"(?P<all>全部都?|全都|都|全|一并|统统|逐个|逐一)?"
_AS = rf"(?:变量\s*)?(?P<name>{NAME}|{QUOTE}|\w+)"
_REMEMBER = (
    rf"(?:(?<!标)记录?[为作成在到]|(?:读取|获取|提取|抓取)[为成到作]|存成(?={QUOTE}|{NAME})|"
    r"(?:保?存|储存|存储)[为到入成在]变量|赋值?给(?:变量)?)"
)
_FILED = r"文件|文档|图片|图像|表格|网页|页面|项目|工程|草稿|副本|它$|其$"
_RESULT = r"(?:(?:它|其|命令)?的?(?:输出|结果|内容|返回值|文本|值)|它|其)"
_REST = re.compile(r"^(?:剩下|剩余|余下)的?")
_OTHERS = re.compile(r"^(?:其余|其他|其它|另外)的?")
_LEVEL = r"[^，,]*(?:滑块|滑杆|滑条|滑动条|音量条?|亮度条?|进度条|对比度|饱和度|透明度|色温)"
_TICKED = r"(?:勾选上?|勾上|勾起来|打上?[勾钩]|打上?对勾)"
_UNTICKED = r"(?:取消勾选|取消选中|取消选择|取消打勾|去掉勾选?|去勾选?)"
_MARK = r"(?:的?(?:勾选状态|勾选|勾|对勾|对号))"
_MEMBER = re.compile(r"(?:用户|账号|账户|规则|任务|员工|成员|记录|[行条项]|角色|插件)$")
_WINDOW = re.compile(
    r"(?:窗口|对话框|弹窗|标签页?|页面|网页|面板|提示框?|广告|程序|应用|软件|菜单|文件|浏览器)$"
)


def _whole(found: re.Match[str], what: str) -> str:
    """The things with 所有 before them when 全部 or 剩下的 says so.

    Raises:
        NotUnderstood: It says 其余: all but which?
    """
    what = what.strip()
    if _OTHERS.match(what):
        raise NotUnderstood("all but which? “勾选所有复选框，除了 X”")
    rest = _REST.sub("", what)
    every = rest != what or bool(found.groupdict().get("all"))
    return f"所有{rest}" if every and all_of(rest) is None else rest


def _tick(on: bool) -> Rule:
    def rule(found: re.Match[str], talk: Talk) -> list[Step]:
        # “记住我”前面的勾: the box that stands before the name.
        what = re.sub(rf"(?<={QUOTE})(?:前面?|旁边|左边)的?$", "", found["what"].strip())
        return ticked(_whole(found, what), talk, on=on)

    return rule


_LETTERS = re.compile(
    r".*(?:里面?|中|内|前面?|后面?|[头尾]|的)的?(?:多余的?)?(?:空格|空白|换行符?|标点(?:符号)?|特殊字符|横[杠线]|逗号|小数点|引号|括号|零)"
)


def _own(word: str) -> Rule:
    def rule(found: re.Match[str], talk: Talk) -> list[Step]:
        what = re.sub(r"^(?:一下|了)", "", found["what"].strip())
        if _LETTERS.fullmatch(what):
            raise NotUnderstood("letters of a text are no thing; “在 X 里输入 Y” writes it anew")
        return perform(word, _whole(found, what), (), talk)

    return rule


def _choose(found: re.Match[str], talk: Talk) -> list[Step]:
    what = _whole(found, found["what"])
    if each := all_of(what):
        body = Tick((f"{{{EACH}}}",))
        return [ForEach(EACH, (body,), every=thing(each, talk))]
    return [chosen(what, None, talk)]


def _switched(found: re.Match[str], talk: Talk) -> list[Step]:
    """把 X 打开 opens a file or a page, and sets a switch."""
    what, on = found["what"].strip(), re.match(r"打开|开启|启用|开", found["verb"]) is not None
    items = listed(re.sub(r"(?:这)?[两三四几]个窗口$", "窗口", what))
    if not on and len(items) > 1 and re.search(r"窗口$", what):
        return [CloseWindow(talk.text(item.removesuffix("窗口"))) for item in items]
    if not re.match(r"打开|关", found["verb"]) and _MEMBER.search(what):
        verb = "enable" if on else "disable"
        return [Perform(verb, thing(what, talk), said=found["verb"])]
    if not on and re.fullmatch(r"它们?|其|这个|该项", what):
        return [Perform("close", what, said="关闭")]
    switch = is_switch(what, talk) or not re.match(r"打开|关", found["verb"])
    if not on and not _WINDOW.search(what):
        switch = True
    if switch:
        return ticked(_whole(found, what), talk, on=on)
    if on:
        return [Open(talk.atoms.text(what) if re.fullmatch(QUOTE, what) else thing(what, talk))]
    return [Perform("close", thing(what, talk), said="关闭")]


def _name(found: re.Match[str], talk: Talk) -> str:
    return talk.atoms.text(found["name"]).strip("{}") if found["name"] else IT


def _read(found: re.Match[str], talk: Talk) -> list[Step]:
    what = found.groupdict().get("what")
    if what is None or re.fullmatch(_RESULT, what.strip()):
        return [Read("它", _name(found, talk))]
    return [Read(thing(told_zh(what), talk), _name(found, talk))]


def _dragged(found: re.Match[str], talk: Talk) -> list[Step]:
    """把 a.txt 和 b.txt 都拖到回收站; 把滑块拖到 5."""
    onto = re.sub(rf"(?:{INSIDE})$", "", found["onto"])
    items = listed(numbered(found["what"]))
    if len(items) < 2 or all_of(found["what"]) is not None:
        return drag(found, talk)
    return [Drag(thing(item, talk), onto=thing(onto, talk)) for item in items]


def _from_menu(found: re.Match[str], talk: Talk) -> list[Step]:
    return [Point("它", "right"), chosen(found["what"], None, talk)]


def _counted(found: re.Match[str], talk: Talk) -> list[Step]:
    return [Compute("count", thing(f"{found['of']}里的{found['what']}", talk), IT)]


def _chosen_as(found: re.Match[str], talk: Talk) -> list[Step]:
    return choose_of(found["what"], found["value"], talk)


MOVED: tuple[tuple[str, Rule], ...] = (
    (r"(?:把|将)\s*(?P<what>.+?)\s*告诉我", told),
    (rf"(?:把|将)\s*{_RESULT}\s*(?:存[为到]|保存[为到])\s*{_AS}", _read),
    (
        r"(?:把|将)\s*(?:整个)?(?:页面|网页|屏幕|画面)(?P<where>)(?P<rest>(?:[向往][上下左右])?(?:滚动?|滑动?|拉|翻)(?:到|至).+)",
        scroll,
    ),
    (
        r"(?:把|将)?\s*(?P<what>[^，,]*(?:滑块|滑杆|滑动条|音量|亮度|进度条))\s*(?:[往向][左右])?(?:拉|拖动?|调|滑动?)(?:到|至)最(?P<end>[右大高左小低])(?:边|侧|端)?",
        lambda f, t: [SetValue(thing(f["what"], t), "100%" if f["end"] in "右大高" else "0%")],
    ),
    (
        rf"(?:把|将)?\s*(?P<what>{_LEVEL})\s*(?:[往向][左右])?(?:拉|拖动?|滑动?|推|移动?)(?:到|至)\s*(?P<value>\d[\d.]*\s*[%％]?)(?:的?(?:位置|处|左右))?",
        lambda f, t: [SetValue(thing(f["what"], t), t.text(f["value"]))],
    ),
    (
        r"(?:拖动|拖拽|拖|拉动|滑动)\s*(?P<what>[^，,]*(?:滑块|滑杆|滑动条|音量条?|亮度条?|进度条))\s*(?:到|至)最(?P<end>[右大高左小低])(?:边|侧|端)?",
        lambda f, t: [SetValue(thing(f["what"], t), "100%" if f["end"] in "右大高" else "0%")],
    ),
    *GIVEN,
    (
        rf"(?:把|将)?\s*(?P<what>[^，,]+?)\s*(?:增?加|减少?|降低?|提高|升)到\s*(?P<n>{NUMBER})",
        lambda f, t: [SetValue(thing(f["what"], t), f["n"])],
    ),
    (
        r"粘贴\s*(?:剪贴板|剪切板)?(?:里|中)?的?(?:内容|文本)?\s*(?:到|进|在)\s*(?P<into>[^，,]+?)(?:里面|里|中|内)?",
        lambda f, t: pasted(f["into"], t),
    ),
    (
        r"(?:到|在)\s*(?P<into>[^，,]+?)(?:里面|里|中|内|上)?\s*粘贴",
        lambda f, t: [Paste(thing(f["into"], t))],
    ),
    (
        r"(?:把|将)\s*(?P<what>(?!光标|插入点|鼠标)[^，,]+?)\s*(?:放|排|调整?)到\s*(?P<onto>[^，,]+?(?:[上下前后][面方边]|[左右][边侧]|旁边|之[前后]|第[一二三四五\d]+[位个]|最前面?|最后面?))",
        _dragged,
    ),
    (
        r"(?:把|将)\s*(?P<what>(?!光标|插入点)[^，,]+?)\s*(?:都|依次|分别|逐个)?(?:拖动?|移动?|挪动?|拖拽)到\s*(?P<onto>[^，,]+)",
        _dragged,
    ),
    (
        r"(?:(?:填|写|输|填写|输入|录入)(?:到|进)\s*(?P<into>[^，,]+?)|(?:填入|写入)\s*(?P<into2>[^，,]*(?:框|栏|字段|单元格|域)))(?:里面|里|中|内|上)?",
        lambda f, t: typed("它", f["into"] or f["into2"], t),
    ),
    (
        r"(?:把|将)\s*(?P<what>[^从]+?)\s*(?:移出|踢出|移除出)\s*(?P<of>[^，,]+)",
        lambda f, t: perform("移除", f"{f['of']}里的{f['what']}", (), t),
    ),
    (
        r"(?:把|将)\s*(?P<what>.+?)\s*从\s*(?P<of>[^，,]+?)(?:里面|里|中|内)?\s*(?:移除|移出|删除|删掉|去掉)",
        lambda f, t: perform("移除", f"{f['of']}里的{f['what']}", (), t),
    ),
    (
        r"从\s*(?P<of>[^，,把将]+?)(?:里面|里|中|内)?\s*(?:移除|移出|删除|删掉|去掉|去除|剔除)(?:掉)?\s*(?P<what>[^，,]+)",
        lambda f, t: perform("移除", f"{f['of']}里的{f['what']}", (), t),
    ),
    (r"右键(?:菜单)?(?:里|中)?选择?\s*(?P<what>.+)", _from_menu),
    (rf"批量(?P<verb>{'|'.join(OWN_ZH)})", lambda f, t: [Perform(OWN_ZH[f["verb"]], said=f[0])]),
    (
        r"(?P<what>[^，,把将\s]{2,10}?)(?P<way>加|减)\s*(?P<n>\d+)",
        lambda f, t: [
            SetValue(
                thing(f["what"], t),
                f"{'-' if f['way'] == '减' else ''}{number(f['n']):g}",
                relative=True,
            )
        ],
    ),
    (
        rf"按照?\s*(?P<by>[\u3400-\u9fff]{{2,8}}|{QUOTE})\s*(?P<verb>搜索|查询|查找|检索)\s*(?P<what>{QUOTE}|{NAME})",
        lambda f, t: [
            Perform("search", thing(f["what"], t), (("by", t.text(f["by"])),), said="搜索")
        ],
    ),
    (r"告诉我(?:结果|答案)?", lambda f, t: [Answer(f"{{{IT}}}")]),
    (
        r"统计\s*(?P<what>.+?)(?:一共|总共|共)?(?:有|出现了?)(?:多少|几)[个条项张封件位名份行次]",
        lambda f, t: [Compute("count", thing(f["what"], t), IT)],
    ),
    (
        r"统计\s*(?P<of>.+?)(?:里面|里|中|内|上)?(?:一共|总共)?有(?:多少|几)[个条项张封件位名份行]?(?P<what>.+)",
        _counted,
    ),
    (
        r"(?:修|更)?改[为成]\s*(?P<font>宋体|黑体|楷体|仿宋|微软雅黑|隶书)",
        lambda f, t: [Change("它", f["font"])],
    ),
    (
        r"(?:写|发送?)(?:一?[封条个份])?(?P<what>邮件|电子邮件|消息|短信|私信|信)给\s*(?P<who>[^，,]+)(?P<text>)",
        written_to,
    ),
    (
        r"(?:移动|移|挪)到\s*(?P<text>[^，,]+)",
        lambda f, t: [Perform("move", None, (("to", t.text(f["text"])),), said="移动")],
    ),
    (
        rf"(?:命名为|取名为?|起名为?|名字叫)\s*(?P<text>{QUOTE}|{NAME}|[^，,]+)",
        lambda f, t: typed(f["text"], None, t),
    ),
    (
        r"(?:(?:把|将)\s*(?P<what>[^，,]+?)\s*)?(?:设置?|变|改|标|标记|染)[为成]?(?P<colour>[红橙黄绿蓝紫黑白灰粉])色(?:字体)?",
        coloured,
    ),
    *CARET,
    (
        r"(?:查找|找到)\s*(?P<what>[^，,]+?)\s*[，,]?(?:并|然后)?(?:把它)?(?P<all>全部|都|全都)?(?:替换|换)[为成]\s*(?P<text>.+)",
        lambda f, t: replaced(f["what"], f["text"], bool(f["all"]), t),
    ),
    (
        r"(?P<said>清空|清除|重置)\s*(?:所有|全部)?的?(?P<what>.*(?:购物车|回收站|列表|历史|记录|缓存|垃圾箱|废纸篓|日志|筛选条件|筛选|格式))",
        lambda f, t: t.put_aside(f[0]) or [Perform("empty", thing(f["what"], t), said=f["said"])],  # type: ignore[func-returns-value]
    ),
    (
        r"(?:看看|看一下|查看|观察|看)(?:一下)?\s*(?P<rest>.*(?:是不是|是否|有没有).+)",
        check,
    ),
    (
        r"(?:(?:把|将)?[\u3400-\u9fff]{0,4}(?:列表|表格|结果|分页))?(?:翻到|跳到|转到|跳转到|切换?到)\s*(?P<what>第\s*(?:[\d一二三四五六七八九十]+|[\ue800-\uebff])\s*页|最后一页|末页)",
        lambda f, t: [Point(thing(f["what"], t))],
    ),
    (
        r"取消全选|取消(?:全部|所有)的?(?:勾选|选中|选择)|取消(?:勾选|选中)(?:全部|所有)",
        lambda f, t: [ForEach(EACH, (Tick((f"{{{EACH}}}",), on=False),), every="复选框")],
    ),
    (
        r"(?:取消|去掉|去除)\s*(?P<what>[^，,]+?)(?P<side>下面|下方|里面|里|中|内|下)?的?(?:所有|全部)的?(?:勾选|选中|对?勾|选择)",
        lambda f, t: [
            ForEach(
                EACH,
                (Tick((f"{{{EACH}}}",), on=False),),
                every=f"{thing(f['what'], t)}{f['side'] or '里'}的复选框",
            )
        ],
    ),
    (rf"{_BA}{_MARK}(?:去掉|去除|取消|拿掉|清除)", _tick(on=False)),
    (rf"(?:去掉|去除|取消)\s*(?P<what>.+?)(?:前面?|旁边)?{_MARK}", _tick(on=False)),
    (rf"{_BA}{_ALL}{_UNTICKED}", _tick(on=False)),
    (rf"(?P<what>[^把将给对在].*?)\s*{_ALL}{_UNTICKED}", _tick(on=False)),
    (rf"{_BA}(?:前面?|旁边)?{_ALL}{_TICKED}", _tick(on=True)),
    (r"在\s*(?P<what>.+?)(?:的?前面?|旁边|上|处)?(?:的框里?)?打上?(?:勾|钩|对勾)", _tick(on=True)),
    (rf"{_BA}{_ALL}(?:删掉|删了|删去|删除掉|删除|清理掉)", _own("删除")),
    (rf"{_BA}{_ALL}(?:移除掉?|去掉|移掉|移出去|拿掉|去除)", _own("移除")),
    (r"(?:删掉|删去|删(?!除))\s*(?P<what>.+)", _own("删除")),
    (r"(?:去掉|去除)\s*(?P<what>.+)", _own("移除")),
    (r"(?:搜一?下|搜(?!索))\s*(?P<what>.+)", _own("搜索")),
    (
        r"(?:把|将)\s*(?P<rest>.+?)\s*(?:逐一|逐个|依次|挨个|都|全都)?(?:点一下|点开|点击一下|单击一下|点击|单击|按一下|按下去?)",
        click("click"),
    ),
    (r"(?:把|将)\s*(?P<rest>.+?)\s*双击(?:一下|打开|运行|启动|执行|安装)?", click("double")),
    (rf"(?:把|将)\s*(?P<what>.+?)\s*{_ALL}(?:选上|选中|选定|选择|选出来)", _choose),
    (
        rf"(?:把|将)\s*(?P<what>.+?)\s*(?<![为成到]){_ALL}(?P<verb>打开|开启|启用|关掉|关闭|关上|停用|禁用)",
        _switched,
    ),
    (
        (
            rf"(?:把|将)\s*(?P<what>.+?)\s*(?:给?我?(?:记录?下来?|记住|读出来|抄下来|存下来))"
            rf"(?:[，,]?\s*(?:并|然后)?(?:取名|命名|记|存|叫)[为作做]?\s*{_AS})?"
        ),
        _read,
    ),
    (
        rf"(?:把|将)\s*(?P<what>(?!.*(?:{_FILED}))[^，,]+?)\s*(?:保存|存储?|储存)[为成到]\s*(?P<name>[A-Za-z_]\w*)",
        _read,
    ),
    (
        rf"(?:(?:把|将|获取|取得|提取|取出?)\s*|(?![读记运执找复数统算计]))(?P<what>[^，,]+?)(?:并|后)?\s*[，,]?\s*(?:并)?{_REMEMBER}\s*{_AS}\s*(?:里面|里|中)?",
        _read,
    ),
    (rf"(?:并|然后|再)?{_RESULT}?\s*(?:记[为作成]|记到|命名为|存[为到入]变量)\s*{_AS}", _read),
    (
        r"(?:告诉我|告知|说出|报告|回答)\s*(?:一下)?\s*[：:]?\s*(?P<what>.+?)(?:是(?:多少|什么|几|谁|哪个)|为多少)?",
        told,
    ),
    (
        rf"(?:看看|看一下)?(?P<what>{QUOTE}[^，,]*?|[^点按选填写勾把将在如给输打看]{{2,}}.*?)(?:是(?:多少|什么|几|谁)|为多少)",
        told,
    ),
    (
        r"(?:给|对|为)\s*(?P<what>[^，,]+?)\s*(?:加上?|添加|设置)(?P<style>粗体|斜体|下划线|粗)",
        styled,
    ),
    (
        r"(?:把|将)?\s*(?P<what>(?![给对为按点用在设改变]|选(?!中的))[^，,]+?)\s*(?:设置?[为成]|变[为成]|改[为成])?(?P<style>加粗|粗体|变粗|斜体|倾斜|下划线)(?:显示)?",
        styled,
    ),
    (
        r"(?:设置?[为成]|变[为成]|改[为成])?(?P<style>粗体|斜体|加粗|加下划线|下划线)",
        styled,
    ),
    (
        r"(?:(?:修|更)?改|换)[为成到]\s*(?P<value>[^，,]+)",
        lambda f, t: [SetValue("它", t.text(f["value"]))],
    ),
    (
        r"(?P<name>加入(?![到了])[\u3400-\u9fff]{2,4}|放入购物车|立即购买|去结算|去付款|去支付)",
        lambda f, t: [Point(f["name"])],
    ),
    (
        r"应用(?P<aim>更改|设置|修改)?",
        lambda f, t: t.put_aside(f["aim"] or "") or [Point("应用")],  # type: ignore[func-returns-value]
    ),
    (r"(?:把|将)\s*(?P<what>.+?)\s*(?:选[为成]|选择为)\s*(?P<value>.+)", _chosen_as),
    (
        r"(?:把|将)\s*(?P<what>.+?)\s*(?:复制|拷贝)(?:一下|下来|一份)?",
        lambda f, t: [copy_of(f["what"], t)],
    ),
    (r"(?:把|将)\s*(?P<what>.+?)\s*展开", lambda f, t: [Expand(thing(f["what"], t))]),
    (
        r"(?:把|将)\s*(?P<what>.+?)\s*(?:收起来?|折叠起?来?)",
        lambda f, t: [Expand(thing(f["what"], t), on=False)],
    ),
    (
        (
            r"给\s*(?P<who>.+?)\s*(?:写|发送?)(?:一?[封条个份])?(?P<what>邮件|电子邮件|消息|短信|私信|信)"
            r"(?:[，,：:]?\s*(?:内容(?:为|是)?|说)?\s*(?P<text>[^，,]+))?"
        ),
        written_to,
    ),
    (
        (
            r"(?:添加|新增|增加|新建|创建|加上?)\s*(?:一?[个条项份]|[两三四五]个)?\s*(?P<kind>(?!名[为叫称字]|叫|标题为)[\u3400-\u9fff]{0,8}?(?<![为叫]))\s*[：:]?\s*"
            rf"(?P<text>{QUOTE}(?:[、，,和与及\s]+{QUOTE})*)\s*(?:这?[两二三四五六七八九十\d]*[项个条样])?(?P<tail>[\u3400-\u9fff]{{0,6}})"
        ),
        named_new,
    ),
)
"""Rules, each with the words of a whole clause."""
