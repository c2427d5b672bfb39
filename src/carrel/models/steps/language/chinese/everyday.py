"""Everyday Chinese acts, and how far they go: 去购物车结算, 过 3 秒再点, 音量拉到一半."""

from __future__ import annotations

import re
from collections.abc import Callable

from carrel.models.steps.language.atoms import OTHER, QUOTE
from carrel.models.steps.language.chinese.heads import OWN_WORDS, verb_at_zh
from carrel.models.steps.language.numbers import NUMBER, number

__all__ = ["AMOUNTS", "AT", "END", "Plain", "Sense"]

Plain = str | Callable[[re.Match[str]], str]
Sense = tuple[str, Plain]

AT = r"(?:^|(?<=[，,；：:]))\s*"
"""Where a clause begins."""
END = r"\s*(?:吧|呗|啦|哈|嘛)?\s*(?=$|[，,；])"
"""Where one ends."""
_LEVEL = (
    r"(?:[\u3400-\u9fff]{0,4}"
    r"(?:音量|声音|亮度|对比度|饱和度|透明度|色温|灵敏度|滑块|滑条|滑杆|进度条?))"
)
_NEW_LINE = (
    r"(?:后|之后|再|然后|，|,|^)\s*(?:(?:另起|新起|另|换)(?:一)?(?:新)?[行段]|换行)(?:后|再|，|,)?\s*"
    rf"(?P<verb>输入|写上?|填写?|键入|录入|加上)(?={QUOTE})"
)
_SHOWN_MONTH = (
    rf"{AT}(?:(?:在|把|将)?\s*(?P<what>[\u3400-\u9fff]{{0,4}}日历|日期选择器)(?:里|中|上)?[，,]?\s*)?"
    rf"(?:翻|切换|切|跳转|跳|转|调|换)(?:到|至|回)\s*(?P<month>\d{{4}}\s*年\s*\d{{1,2}}\s*月份?){END}"
)
_SITE = r"(?:[a-z\d-]+(?:\.[a-z\d-]+)+\s*(?:$|[，,]))"


def _gone_to(found: re.Match[str]) -> str:
    """去购物车结算: there, and what is done there; unchanged where that is only its name."""
    act = found["own"] + found["what"]
    if verb_at_zh(act) is None or re.match(r"[页框栏]", found["what"]):
        return found[0]
    return f"{found['then'] or ''}进入{found['to']}，{act}"


AMOUNTS: tuple[Sense, ...] = (
    (
        rf"{AT}(?:(?:过|隔)了?\s*(?P<n>{NUMBER}\s*(?:秒|分)钟?)(?:之后|以后|后)?|(?P<m>{NUMBER}\s*(?:秒|分)钟?)(?:之后|以后|后))[，,]?\s*(?:再|就)?(?=\S)(?![，,]|应|会|看|显)",
        r"等 \g<n>\g<m>，",
    ),
    (
        rf"{AT}(?:请)?(?:在\s*)?(?P<n>{NUMBER}\s*(?:秒|分)钟?)(?:之内|以内|内)[，,]?等(?:待|到)?(?P<what>[^，,]{{2,24}}?){END}",
        r"等待\g<what>，最多等 \g<n>",
    ),
    (rf"(?P<what>(?:把|将)[^，,]{{1,16}}?)(?:清零|归零){END}", r"\g<what>改为 0"),
    (
        rf"(?:把|将)(?:下面|以下|下列|如下)的?这?(?:[句段条个]?(?:话|文字|内容|消息|文本))(?:重复|连续)?(?P<act>发送|输入|粘贴|发)\s*(?P<n>{NUMBER})\s*(?:遍|次)[：:]\s*(?P<text>{QUOTE})",
        r"重复 \g<n> 次：\g<act>\g<text>",
    ),
    (
        rf"{AT}筛选(?:一下)?(?P<by>{QUOTE}|[\u3400-\u9fff]{{2,4}}?)(?:列|栏|字段)?[，,]\s*只(?:保留|显示|看|要|留)(?P<value>{QUOTE}){END}",
        r"筛选出\g<by>为\g<value>的记录",
    ),
    (
        rf"{AT}待(?![办定处审付发收评支遇命])(?=[^，,]{{2,20}}?(?:之后|以后|后|再|[，,]))",
        "等",
    ),
    # 去购物车结算: there, and what is done there.
    (
        rf"{AT}(?P<then>然后|再|接着|最后)?(?:去|到|前往|进入?|回到|打开)(?P<to>[\u3400-\u9fff]{{0,6}}?(?:购物车|页面?|中心|箱|收藏夹|文件夹|列表|栏目|后台|首页|主页|官网|商店|商城))(?:里|中|去)?(?P<own>{OWN_WORDS}|修改|更改|清空|填写|设置)(?P<what>[^，,；]{{0,12}}?){END}",
        _gone_to,
    ),
    # 往购物车里加两件“T恤”: as many of them.
    (
        rf"{AT}(?:往|向|给)(?P<to>[\u3400-\u9fff]{{2,6}}?)(?:里面|里|中|内)?(?:加入?|放入?|添加)\s*(?P<n>{NUMBER})\s*(?:[件个本份瓶盒双条台支只箱])(?P<what>[^，,；]{{1,20}}?){END}",
        lambda f: f"把{f['what']}加入{f['to']}，数量为 {number(f['n']) or 1:g}",
    ),
    (rf"{AT}上\s*(?={_SITE})", "访问 "),
    # 换行输入“乙”: two things, and no field that is called so.
    (
        _NEW_LINE,
        lambda f: ("，" if f.start() else "") + f"换行，{f['verb']}",
    ),
    (rf"{AT}插入(?:一个)?换行符?{END}", "换行"),
    (
        rf"{AT}(?:跳|转|移|回|定位|滚动)(?:动)?(?:到|至)(?P<of>文档|文章|正文|全文)的?(?P<end>末尾|结尾|最后|开头|开始处?){END}",
        r"把光标移到\g<of>\g<end>",
    ),
    (rf"{AT}等(?:待|上)?(?:个)?几秒钟?{END}", "等待 3 秒"),
    (rf"{AT}(?P<verb>[点按])一(?P=verb)(?=\S)", "点击"),
    # 2027年3月 is a month that a calendar shows.
    (
        _SHOWN_MONTH,
        lambda f: f"{f['what'] or '日历'}切换到{f['month']}",
    ),
    (rf"{AT}(?:翻|切换|切|跳转|跳|转)(?:到|至)(?P<which>[上下]一?个月){END}", r"点击\g<which>"),
    (rf"{AT}进(?={QUOTE}{END})", "进入"),
    (
        rf"{AT}写一?封新?的?(?:邮件|信)给\s*(?P<who>[^，,]+?){END}",
        r"给 \g<who> 写一封邮件",
    ),
    (rf"{AT}附件里?(?:添加|加上?|传上?)(?={QUOTE})", "上传附件"),
    (
        rf"{AT}附件里?(?:添加|加上?|传上?)\s*(?={OTHER}|[\w-]+\.\w{{2,5}}(?:$|[，,]))",
        "上传附件 ",
    ),
    # 逐个打开未读邮件，点“归档”: each is opened, and what follows is done there.
    (
        rf"{AT}(?:逐一?[个条封项张份]|逐一|挨个|一(?P<u>[个条封项张份])一?(?P=u)地?)地?(?P<verb>打开|点开|双击)(?!它|其|第|前|每|所有|全部)(?P<what>[^，,、：:并后\d\ue000-\uf8ff]{{2,20}}?)(?:(?=[，,]|$)|(?:并|后|之后再?)(?=[点单双选勾删]))",
        lambda f: (
            f"遍历{f['what']}，{f['verb']}它"
            + ("" if f.end() == len(f.string) or f.string[f.end()] in "，," else "，")
        ),
    ),
    (
        r"在\s*(?P<where>[^，,在]{1,8}?)(?:里|上|下)?建一?个新?的?文件夹" + END,
        r"在\g<where>里新建文件夹",
    ),
    (rf"(?<=[里中])(?:提醒|说|喊|发)一?(?:句|声)[：:]?(?=\s*{QUOTE})", "发送"),
    (rf"(?P<what>倒计时|闹钟|定时器?|计时器?)定\s*(?={NUMBER}\s*(?:秒|分|小时))", r"\g<what>设为 "),
    (
        rf"(?:打开|开一下)[\u3400-\u9fff]{{0,12}}?(?:网页版|官网|网站|主页)\s*(?={_SITE})",
        "访问 ",
    ),
    (rf"{AT}开一下\s*(?=\S)", "打开"),
    (
        rf"(?:把|将)?\s*(?P<what>{_LEVEL})(?:拉|拖|拨|拧|开|调)(?:到|至)(?:一半|中间|百分之五十)(?:左右|的?位置)?{END}",
        r"把\g<what>调到 50%",
    ),
    (
        rf"(?:把|将)?\s*(?P<what>{_LEVEL})(?:调|开|拉)?[低高大小亮暗](?:一?点儿?|一些)[，,]\s*(?:调|拉|开)?到(?=\s*\d)",
        r"把\g<what>调到",
    ),
    (
        rf"(?<!滚轮)(?<!滚动)(?P<zoom>放大|缩小)\s*(?P<n>{NUMBER})\s*[级档下]{END}",
        r"\g<zoom>\g<n>次",
    ),
    (
        rf"(?P<what>(?:把|将)[^，,从]{{1,10}}?)从\s*{NUMBER}\s*(?:加|增加|减|减少|调|改|升|降)(?:到|至|成)",
        r"\g<what>改为",
    ),
    (
        rf"按住(?P<what>[\u3400-\u9fff]{{1,8}}?)(?:往|向)(?P<way>[上下左右])(?:拽|拖|拉|扯)动?{END}",
        r"把\g<what>往\g<way>拖",
    ),
    (
        rf"(?:往|向)(?P<way>[上下])(?:划拉?|刷|滑)(?:动|着)?[，,]\s*(?:一直)?(?:划|刷|滑)到(?:出现|看到|看见)(?P<what>[^，,]+?)(?:就停(?:下来?)?|为止){END}",
        r"向\g<way>滚动直到看到\g<what>",
    ),
    # What a heading is clicked for has to be so: the first click may sort the other way.
    (
        rf"{AT}(?:点击?|单击)(?:一下)?\s*(?:表头|列头|列标题)?\s*(?P<of>{QUOTE}|[\u3400-\u9fff]{{2,6}}?)"
        r"(?:的?(?:表头|列头|列标题|[这那]?一?列))?[，,]?\s*(?:让|使得?)"
        r"(?:(?![按从升降])[\u3400-\u9fff]){0,6}\s*"
        r"(?P<how>从[大小高低多少]到[大小高低多少]|升序|降序)(?:的顺序)?(?:排列|排序|排)?" + END,
        r"一直点击\g<of>表头，直到列表按\g<of>\g<how>排列",
    ),
    (rf"{AT}共享(?:一下)?(?P<what>屏幕|桌面){END}", r"点击共享\g<what>"),
    (rf"添一?[条个项](?=\s*{QUOTE})", "添加"),
    (
        rf"给\s*(?P<who>{QUOTE}|[^，,：:]{{2,10}}?)\s*发一?[句条](?:话)?[：:]\s*(?P<text>[^，,]+)$",
        r"给\g<who>发一条消息：\g<text>",
    ),
    (rf"{AT}(?:跟|和|对)[他她]说(?:一声|一句)?[：:]?\s*(?={QUOTE}\s*(?:$|[，,]))", "发送"),
    # What was read is a part of what is gone into.
    (
        rf"{AT}点进去{END}",
        lambda f: f[0] if re.search(r"读取|记[下住录]", f.string[: f.start()]) else "点击它",
    ),
    (rf"(?<=[里中])发(?:出去|过去){END}", "，发送"),
    (rf"(?<=秒|分)\s*(?:的地方|的位置|处)\s*(?:接着|继续)(?:播?放|看){END}", "，播放"),
    (
        rf"{AT}右键(?P<entry>压缩[成为到][^，,]{{1,8}}?|解压(?:缩|到[^，,]{{1,8}}?)?|重命名|删除|另存为|打印|属性){END}",
        r"右键点击它，选\g<entry>",
    ),
)
"""Everyday acts, and how far they go."""
