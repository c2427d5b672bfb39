"""Loosely spoken Chinese in the order that the rules know: 弹幕关了吧, 亮度调低点，调到 40%.

In talk the thing often comes first and its act after it without 把, a remark stands beside what
is to be done, and a condition has no word of its own. Each such way is put here into the words of
the plain one; where that is not certain nothing is changed, and the sentence stays refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.chinese.everyday import AMOUNTS, AT, END, Plain, Sense
from carrel.models.steps.language.chinese.heads import OWN_WORDS, verb_at_zh
from carrel.models.steps.language.chinese.tasks import TASKS
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import Talk

__all__ = ["closely_zh"]

_AT, _END = AT, END
_KEYS = r"(?:(?:ctrl|control|alt|shift|cmd|win)\s*\+\s*)+(?:[a-z\d]+|F\d{1,2})"
_ONE = r"[那这]一?[个条张封项份首篇段行格]"
# Words of a claim, a case or a time: what holds them is no thing that something is done to.
_NO_THING = re.compile(
    r"^(?:全部|全都|所有的?|统统|通通)$|应|如果|要是|没|不|已|刚|被|自动|会|能|才|就|的话|之后|以后|的时候|等|若|当|把|将|让|是|有|还|也|每|和|与|再|并"
)


def _done_to(act: str) -> Callable[[re.Match[str]], str]:
    """What is done to the thing named before it, behind 把; unchanged where that is no thing."""

    def worded(found: re.Match[str]) -> str:
        what = found["what"].strip()
        if verb_at_zh(what) or _NO_THING.search(what):
            return found[0]
        return act.format(**{**found.groupdict(), "what": what})

    return worded


_REMARKS: tuple[Sense, ...] = (
    (
        rf"{_AT}[^，,的]{{1,8}}?(?:先)?(?:不用|不必|别|不要)(?:去)?(?:管|理)(?:它|了)?[，,]\s*(?=(?:继续|直接|就)?[点按选])",
        "",
    ),
    (
        rf"(?P<at>{_AT}(?:然后|再)?(?:进入?|打开|点开|点进)[^，,]{{2,16}}?)(?:去)?(?:看看|看一下|瞧瞧|看一眼){_END}",
        r"\g<at>",
    ),
    (rf"{_AT}进(?=(?:他|她|它|其)(?:们)?的)", "进入"),
    (rf"{_AT}(?:忽略|不管|无视)(?:它|[^，,的]{{1,8}})[，,]\s*(?=(?:继续|直接)?[点按选])", ""),
    # 检查点击“展开”后显示 5 条: first the click, then what is so.
    (
        rf"{_AT}(?P<check>验证|检查|确认|断言|核对)(?P<act>(?:点击|单击|双击|选择|勾选|输入|切换到|打开|提交|按下?)[^，,]*?(?:{QUOTE}|按钮|键)[^，,]{{0,3}}?)(?:之后|以后|后)[，,]?\s*(?P<claim>[^，,]+)",
        r"\g<act>，\g<check>\g<claim>",
    ),
    (
        rf"{_AT}(?:读|看|查看|浏览|阅读)(?:完|好)了?(?:之后|以后|后)?[，,]?\s*(?:再|就)?(?=返回|关闭|点|按|退)",
        "",
    ),
    # 验证：输入…并点击…后，出现…: what is done first is no claim.
    (
        r"^(?:验证|检查|测试|确认)[：:]\s*(?=(?:在[^，,]+)?(?:输入|点击?|填写?|选择|打开|单击|双击))",
        "",
    ),
    # 填写表单：姓名“A”，…: the fields that follow.
    (
        r"(?:^|(?<=[，,；]))\s*(?:填写|填|录入|完善|补全)(?:好)?(?:以下|下列|如下)?的?[\u3400-\u9fff]{0,4}?(?:表单|信息|资料|内容|字段|表格)(?:如下)?[：:]\s*(?=[\u3400-\u9fff])",
        "",
    ),
    (
        r"(?:千万|可)?(?:别忘了?|记得|记住要|务必)要?(?=[点按选填写勾输敲把将打关保提删])(?<!应记得)(?<!要记得)",
        "",
    ),
    (
        r"[，,]\s*(?:我?(?:等下|待会儿?|一会儿?|等会儿?|回头|后面))(?:还)?(?:我?要用|会用到?|用得[上着]|有用)"
        + _END,
        "",
    ),
    (rf"{_AT}(?:刚才|刚刚|不小心)*[删写填点按打选输改](?:错|多)了[，,]\s*(?=按|用|点|撤)", ""),
    (
        rf"{_AT}[^，,应如若]{{0,14}}?不小心[^，,]{{1,8}}?(?:了|掉)[，,]\s*(?=按|用\s*[a-z]|点|撤)",
        "",
    ),
    (rf"{_AT}(?:都|全都|全部)?(?:弄|搞|忙|办)(?:完|好)了?(?:之后|以后)?[，,]?(?:就|再)?(?=\S)", ""),
    # 长按…哦不，右键: what is said after the slip is meant.
    (
        rf"{_AT}[^，,]{{1,10}}?(?:…+|\.{{3}})\s*(?:哦|啊|呃|哎)?(?:不对?|不是|错了|说错了)[，,]\s*(?=\S)",
        "",
    ),
    (rf"{_AT}只看[\u3400-\u9fff]{{1,6}}[，,]\s*(?=[^，,]*[勾钩])", ""),
    (r"[，,]?\s*(?:谢谢啦|谢啦|多谢|辛苦了|拜托了)$", ""),
    (r"(?<=[\u3400-\u9fff\x21-\x7e\ue000-\uf8ff])\s*(?:呗|哈|嘛)$", ""),
)
"""What is only said beside an act."""

_GIVEN = rf"[\u3400-\u9fff]{{2,6}}?\s*(?:为|是|：|:)?\s*(?:{QUOTE}|[\x21-\x27\x2a-\x7e]+)"
_BRACKETED: tuple[Sense, ...] = (
    (
        rf"{_AT}(?P<own>登录|登陆)\s*(?P<at>[\uf500-\uf8ff])\s*[（(]\s*(?P<one>{_GIVEN})\s*[，,、/]\s*(?P<two>{_GIVEN})\s*[）)]",
        r"访问 \g<at>，用\g<one> 和\g<two> \g<own>",
    ),
    # 登录邮箱（账号 a，密码 b）: with these.
    (
        rf"{_AT}(?P<own>登录|登陆|注册)(?P<at>[\u3400-\u9fff]{{0,6}}?)\s*[（(]\s*(?P<one>{_GIVEN})\s*[，,、/]\s*(?P<two>{_GIVEN})\s*[）)]",
        r"用\g<one> 和\g<two> \g<own>\g<at>",
    ),
)
"""What brackets tell of an act."""

_KEYED: tuple[Sense, ...] = (
    (
        rf"(?P<keys>按?\s*{_KEYS})\s*(?:退|撤销?|回退|倒退)\s*(?P<n>{NUMBER})\s*[步次下]",
        r"\g<keys> \g<n> 次",
    ),
    (rf"用\s*(?P<keys>{_KEYS})\s*(?:找|调|弄|恢复|还原)(?:回来)?{_END}", r"按 \g<keys>"),
    (
        rf"{_AT}(?:用|按)?\s*(?P<keys>{_KEYS})\s*(?:换|切换?|跳)到\s*(?P<to>(?!文[末首尾档]|末尾|开头|结尾|行[首尾末]|最|[顶底]|页[首尾面]|第)[^，,]+?)\s*(?:[那这]个)?(?P<kind>窗口)?(?:去|来)?{_END}",
        r"按 \g<keys>，切换到\g<to>\g<kind>",
    ),
    (rf"{_AT}(?:把|将)(?:电脑|屏幕)锁(?:上|住|了|定){_END}", "按 Win+L"),
    (
        rf"{_AT}在?(?:文末|文档末尾|文档最后|正文末尾|文章末尾)另?起一行{_END}",
        "按 Ctrl+End，按回车",
    ),
)
"""Keys, and what they are for."""

_THING_FIRST: tuple[Sense, ...] = (
    (
        rf"{_AT}(?P<what>(?:[\u3400-\u9fff]{{0,4}})(?:音量|亮度|对比度|饱和度|透明度|色温|数量|价格|字号))(?P<how>调[高低]|提高|降低)\s*(?P<n>\d+\s*[%％]?){_END}",
        _done_to("把{what}{how} {n}"),
    ),
    (
        rf"{_AT}(?P<what>[^，,；：:]{{2,24}}?的{_ONE})[，,]?\s*(?:戳|点|摁|单击|点击)一?下{_END}",
        _done_to("点击{what}"),
    ),
    (
        rf"{_AT}(?P<what>[^，,；：:]{{0,24}}?(?:{_ONE}|{QUOTE}))[，,]?\s*(?:右击|右键点?)一?下{_END}",
        _done_to("右键点击{what}"),
    ),
    (
        rf"{_AT}(?P<what>[^，,；：:]{{0,24}}?(?:{_ONE}|{QUOTE}))[，,]?\s*双击一?下{_END}",
        _done_to("双击{what}"),
    ),
    (
        rf"{_AT}(?P<what>[^，,；：:]{{2,24}}?)(?P<all>统统|全部?|都|通通)?(?:给我)?(?:删了|删掉)(?:算了)?{_END}",
        _done_to("把{what}{all}删掉"),
    ),
    (
        rf"{_AT}(?P<what>[^，,；：:]{{2,12}}?)(?:给我)?(?:关了|关上|关掉){_END}",
        _done_to("把{what}关掉"),
    ),
    (
        rf"{_AT}(?P<what>(?:搜索|浏览|下载|观看|聊天|播放)(?:历史|记录)+)清空(?:一下)?{_END}",
        r"清空\g<what>",
    ),
    (rf"{_AT}(?P<what>[^，,；：:\s]{{2,12}}?)清空(?:一下)?{_END}", _done_to("清空{what}")),
    (
        rf"{_AT}(?P<what>第[^，,；：:]{{1,6}}?[段行列页句])(?:整[段行列页句])?(?:都|全)?不要了{_END}",
        _done_to("把{what}删掉"),
    ),
    (
        rf"{_AT}(?P<what>[^，,；：:]{{0,24}}?(?:{_ONE}|{QUOTE}[^，,；：:]{{0,6}}?))[，,]?\s*(?P<own>{OWN_WORDS})一下{_END}",
        _done_to("把{what}{own}一下"),
    ),
    (
        rf"{_AT}(?P<what>[^，,；：:]{{0,16}}?(?:{QUOTE}|的)){_ONE}[，,]?\s*(?:勾上|打上?[勾钩]){_END}",
        _done_to("勾选{what}"),
    ),
    (rf"(?:把|将)?\s*(?P<what>{QUOTE})\s*[那这]个[勾钩](?:打上|勾上){_END}", r"勾选\g<what>"),
    (
        rf"{_AT}(?P<what>[^，,；：:]{{2,12}}?)按(?P<by>[^，,]{{2,10}}?)排{_END}",
        _done_to("把{what}按{by}排序"),
    ),
    (
        r"(?P<by>按[^，,]+?)(?:[那这]一?列)?排(?:个|一下)?序[，,]\s*(?P<how>升序|降序|倒序)" + _END,
        r"\g<by>\g<how>排序",
    ),
)
"""The thing, and then what is done to it."""


_FIELD = r"(?:出发地|目的地|到达地|出发站|到达站|起点|终点|科室|有效期|舱位|座位等级)"
_VALUE = (
    r"(?![里中要在不没有框栏留那这错已保随别先至站]|上(?![海饶虞])|机场|列表|城市|附近|天气|酒店)"
    r"(?:(?![填选写输为是的应显变改设换点按删传成])[\u3400-\u9fff]){2,6}"
)
_TELLS = re.compile(r"应|验证|检查|确认|断言|核对|看|如果|要是|若|显示|提示")


def _field_set(found: re.Match[str]) -> str:
    """出发地武汉，…: what a field gets among others, unless the sentence tells what is so."""
    alone = re.search(r"[，,]", found.string) is None
    if alone or _TELLS.search(found.string) or verb_at_zh(found["value"]):
        return found[0]
    return f"{found['what']}设为{found['value']}"


_SIGNS_IN = re.compile(r"登[录陆]|注册|新建|创建|账[号户]|用户名|邮件")


def _password(found: re.Match[str]) -> str:
    """Wi-Fi 换成 Home，密码 1234: typed, unless it belongs to what is done before it."""
    told = _TELLS.search(found.string) or _SIGNS_IN.search(found.string)
    return found[0] if told else "，密码填 "


_FIELDS: tuple[Sense, ...] = (
    (rf"[，,]\s*密码\s*(?=[\x21-\x7e]+{_END})", _password),
    (rf"{_AT}(?P<what>Wi-?Fi|WLAN|VPN|DNS)\s*(?:换|切)(?:成|到)", r"\g<what>设为"),
    (rf"{_AT}大小(?=[一二三四五六七八小初]号{_END})", "字号设为"),
    (rf"{_AT}(?P<what>{_FIELD})(?P<value>{_VALUE}){_END}", _field_set),
    (
        rf"{_AT}(?P<what>性别|婚否|婚姻状况|民族|学历|口味|规格|尺寸|颜色|餐具|辣度|甜度)点(?=[\u3400-\u9fff]{{1,4}}{_END})(?!击|一下|开|选|单|外卖)",
        r"\g<what>选",
    ),
    (
        rf"{_AT}(?P<what>[\u3400-\u9fff]{{2,6}})(?:换|改)成(?=[^，,]{{2,10}}的[那这][个条张]{_END})",
        r"\g<what>选",
    ),
    (
        rf"{_AT}(?P<what>[^，,]{{2,8}}?)(?:[那这][格栏个])?[填写输]错了[，,]\s*全?(?:部)?(?:删|清)(?:了|掉|空)[，,]?(?:再|重新|重)[填写输]入?",
        _done_to("清空{what}，{what}填"),
    ),
    (
        r"(?P<what>(?:(?![每对如果若要把将勾点])[\u3400-\u9fff]){2,6}?)[挑选](?![项框择])(?P<a>[^，,选挑勾]{1,6})[，,]\s*(?:要是|如果)?没有(?:(?P=a))?(?:的话[，,]?)?(?:就|则)?[挑选要]?(?P<b>[^，,点按刷关打勾填输退返跳]{1,6}?)"
        + _END,
        r"如果有\g<a>，\g<what>选\g<a>，否则\g<what>选\g<b>",
    ),
)
"""Fields and what each gets, with no verb between."""

_EACH_ACTS = {
    **dict.fromkeys(("删掉", "删除"), "把所有{what}删掉"),
    **dict.fromkeys(("勾上", "勾选"), "勾选所有{what}"),
}
_EACH: tuple[Sense, ...] = (
    # Never 点开: what follows would be done in each as well.
    (
        r"(?P<what>前\s*[\d一二两三四五六七八九十]+[个条封张件][^，,；：:]{1,8}?)[，,]\s*(?:都|全)?(?:挨个|逐个|逐一)(?P<act>勾上|勾选|删掉|删除)$",
        _done_to("{act}{what}"),
    ),
    (
        r"(?:^|(?<=[，,；：:]))\s*(?P<what>[^，,；：:]{2,16}?)[，,]?\s*(?:都|全)?(?:挨个|逐个|逐一|一(?P<u>[个条封张份])一?(?P=u))地?(?P<act>删掉|删除|勾上|勾选)$",
        lambda f: _done_to(_EACH_ACTS[f["act"]])(f),
    ),
)
"""The same done to each of several things."""

_CASES: tuple[Sense, ...] = (
    # 最多等 30 秒，看到“成功”就…: what is waited for, so long.
    (
        rf"{_AT}最[多长久]等待?\s*(?P<n>{NUMBER}\s*(?:秒|分)钟?)[，,]\s*(?:等|直)?(?:看到|看见|出现|等到)(?P<what>[^，,]{{1,20}}?)(?:了|后)?(?:就|再|[，,])(?=[点按选关打输双])",
        r"等待\g<what>出现，最多等 \g<n>，",
    ),
    # 一路点“下一步”，到了确认页就…: until it is there.
    (
        r"(?P<loop>(?:一直|不断|一路|不停地?|反复|持续)[点按][^，,]+)[，,]\s*(?:等|直)?到了?(?P<at>[^，,]{1,16}?(?:页面?|步|界面))(?:就|再|后|时)(?=[点按])",
        r"\g<loop>，直到\g<at>出现，然后",
    ),
    (rf"(?:从|由){QUOTE}(?=变[为成]{QUOTE})", ""),
    (
        rf"(?P<at>鼠标[^，,]*?(?:停|放|移)[^，,]*?上)\s*(?P<n>{NUMBER}\s*秒)钟?{_END}",
        r"\g<at>，等 \g<n>",
    ),
    (
        r"(?P<verb>记下|读取|记录|记住)(?P<of>[^，,]{1,14}?的)(?P<a>[\u3400-\u9fff]{2,5})[、和与](?P<b>[\u3400-\u9fff]{2,5}?)[，,]?\s*(?:并)?分别(?:保存|记|存)[为作成]\s*(?P<x>\w+)\s*[、和与,，]\s*(?P<y>\w+)",
        r"\g<verb>\g<of>\g<a>为 \g<x> 和\g<b>为 \g<y>",
    ),
    (
        rf"{_AT}只有当?(?P<case>[^，,]+?)(?:的时候|的情况下|时)?[，,]?\s*才(?:能|可以|会)?(?=[点按选勾提输填打关删把])",
        r"如果\g<case>，就",
    ),
    # 当…时…，否则…: a case and its other, and nothing to wait for.
    (
        rf"{_AT}当(?![前天日])(?P<case>[^，,]+?)(?:的时候|时)[，,]\s*(?P<rest>[^如]*[，,；]\s*(?:否则|不然))",
        r"如果\g<case>，\g<rest>",
    ),
    (rf"{_AT}看[到见](?P<what>[^，,]{{2,20}}?)再(?=[点按发提保关])", r"等\g<what>，"),
    (
        rf"(?P<case>(?:大于|小于|超过|低于|高于|多于|少于|达到|不少于)\s*{NUMBER}\s*[\u3400-\u9fff%％]?)\s*才(?=[点按下提勾选付])",
        r"\g<case>就",
    ),
    (
        r"(?<![平相同])(?P<wait>等(?![级于号下])[^，,；]{2,24}?(?:[了好完]|出来|出现))就(?=[点按选输填把将关打双右])",
        r"\g<wait>，",
    ),
    (r"就可以(?=[点按选勾提保])", "就"),
    (rf"(?<={QUOTE})(?P<kind>按钮)?亮(?:了|起来)了?(?=$|[，,就再后])", r"\g<kind>可用"),
    (
        rf"(?<=[人次总]数)(?P<than>不少于|不低于|不超过|超过|大于|多于|少于)\s*(?P<n>{NUMBER})\s*[个位名次](?=就|则|的话|[，,])",
        lambda f: f"{f['than']} {number(f['n']) or 0:g} ",
    ),
    (
        rf"(?<=就)(?P<act>[点按选勾][^，,]*{QUOTE})了$",
        r"\g<act>",
    ),
    (
        r"(?:系统)?问(?:你|我)?(?:确不确定|确定不确定|是否确定|确认不确认|是不是确定)[，,]?就(?=[点选按])",
        "如果出现确认对话框，就",
    ),
    (
        r"(?<=等)(?P<what>[^，,]{2,12}?)(?:掉下|弹下|冒出|滑出|蹦出|跳出|弹出)来(?=$|[，,再后就])",
        r"\g<what>出现",
    ),
    (r"(?<=没有)(?P<what>[^，,没有了]{1,12})了(?=$|[，,]|就|的话)", r"\g<what>"),
)
"""Cases, and what is waited for."""

_COMPILED = tuple(
    (re.compile(words, re.IGNORECASE), plain)
    for words, plain in (
        *TASKS,
        *_REMARKS,
        *_BRACKETED,
        *_KEYED,
        *_FIELDS,
        *_EACH,
        *_THING_FIRST,
        *AMOUNTS,
        *_CASES,
    )
)


def closely_zh(masked: str, talk: Talk) -> str:
    """The masked sentence of talk in the words and the order that the rules know."""
    for words, plain in _COMPILED:
        masked = _worded(words, plain, masked, talk)
    return masked


def _worded(words: re.Pattern[str], plain: Plain, masked: str, talk: Talk) -> str:
    def one(found: re.Match[str]) -> str:
        said = found.expand(plain) if isinstance(plain, str) else plain(found)
        if said != found[0]:
            # What has a name in the pattern is said again: it may not get lost.
            for piece in _outside(found):
                if said.count(piece.strip()) < found[0].count(piece.strip()):
                    talk.put_aside(piece)
        return said

    return words.sub(one, masked)


def _outside(found: re.Match[str]) -> Iterator[str]:
    """What was matched outside the named parts."""
    at = found.start()
    for start, end in sorted(found.span(name) for name in found.groupdict()):
        if start >= at:
            yield found.string[at:start]
            at = end
    yield found.string[at : found.end()]
