"""Everyday Chinese verbs in the words that the rules know: 敲 `ls`, 戳加号, 贴到便签里.

People have many verbs for one act of the hands. Each is told here once, by where it stands, so
that every rule needs to know one word for an act; what was said is kept for the reports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from carrel.models.steps.language.atoms import ANY, NAME, OTHER, QUOTE, quoted
from carrel.models.steps.language.chinese.heads import verb_at_zh
from carrel.models.steps.language.chinese.left_out import filled_out_zh
from carrel.models.steps.language.chinese.loosely import closely_zh
from carrel.models.steps.language.chinese.office import OFFICE
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Step

__all__ = ["as_said", "worded_zh"]

_KEY = (
    r"(?:(?:ctrl|control|alt|shift|cmd|command|win|super)\s*\+\s*)+(?:[a-z\d]+|[-=/])|F\d{1,2}\b|"
    r"(?:esc|tab|enter|delete|backspace|home|end|pageup|pagedown)(?![\w.-])|"
    r"回车|空格|退格|方向键|[上下左右]方向键|[上下左右]箭头"
)
_VALUE = rf"\s*(?:{ANY}|[\x21-\x7e])"


_TICKED = re.compile(r"(?:取消勾选|勾选|勾上|选中)(?P<list>[^，,；;]*)$")


def _as_many(found: re.Match[str]) -> str:
    """The last of what is ticked, without how many they are; as it was where they are others."""
    ticked = _TICKED.search(found.string[: found.start()])
    if ticked is None or number(found["n"]) != len(re.findall(r"[和与及、]", ticked["list"])) + 1:
        return found[0]
    return f"{found['last']}那一行" if found["unit"] == "行" else found["last"]


_SENSES: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    # To press a key.
    (rf"(?<![按点])(?:敲击?|摁|按动?)(?:一下|下|一次)?(?=\s*(?:{_KEY}))", "按"),
    (
        r"(?:^|(?<=[，,；：:]))\s*(?=(?:(?:ctrl|alt|shift|cmd|win)\s*\+\s*\S+|F\d{1,2})(?:\s|$|[，,]|[\u3400-\u9fff]))",
        "按 ",
    ),
    (
        r"(?<=[\w)\]'\"~/.;*\ue000-\uf8ff])\s*(?:(?<=[\ue000-\uf8ff])|\s)(?:[，,]?\s*(?:并|然后|再|后)?)\s*(?:按|敲)?(?:一?下)?回车(?!符|换行)(?P<aim>键?)",
        "，按回车",
    ),
    (
        rf"(?:使?用|按)(?:键盘上?的?)?方向键(?:向|往)?(?P<way>[上下左右])移?动?\s*(?P<n>{NUMBER})\s*[次下格]",
        r"按方向键\g<way>\g<n>次",
    ),
    (r"(?<=[\u3400-\u9fff])(?:升级|提升|晋升|升|降级|降)(?:为|成)", "改为"),
    (r"(?<=题)(?:判断|判)(?:为|成)?\s*[“\"]?(?P<what>对|错|正确|错误)[”\"]?", r"选\g<what>"),
    (r"(?:^|(?<=[，,]))(?P<then>然后|再|并)?加[进到]购物车(?=$|[，,])", r"\g<then>加入购物车"),
    (rf"(?P<one>{QUOTE})(?={QUOTE})", r"\g<one>、"),
    (r"点选(?=\s*[\ue000-\ue7ff])", "点击"),
    (
        rf"(?<=验证|检查|确认)(?P<what>[\u3400-\u9fff]{{2,8}})显示[为成](?P<to>{QUOTE})",
        r"\g<what>是\g<to>",
    ),
    # 买 2 件: how many there shall be of what is shown.
    (
        rf"(?:^|(?<=[，,]))(?:买|要|来|拿)\s*(?P<n>{NUMBER})\s*[件个份张盒瓶双](?=[，,])",
        r"数量改成 \g<n>",
    ),
    # “周文”那条申请的“同意”: of the entry that says so.
    (
        rf"(?P<of>{QUOTE})\s*(?:那|这)一?[条个张份封位名项件篇][\u3400-\u9fff]{{0,4}}的(?={QUOTE})",
        r"\g<of>那一行的",
    ),
    # 性别一栏是“女”: what stands beside the word.
    (
        r"(?<=[\u3400-\u9fff\ue000-\ue7ff]{2})(?<!第)(?:这|那)?一[栏项](?=(?:的值|的内容)?(?:应该?)?(?:是|为|显示))",
        "",
    ),
    # To type a text.
    (rf"(?<![敲推])敲(?:入|进|上|一?下)?(?={_VALUE})", "输入"),
    (r"(?<![运传灌认服])输(?![入出赢送血液给错])(?:上|进(?!去))?", "输入"),
    (rf"(?<![拨钻攻])打(?:上|入|进)?(?=\s*{QUOTE}(?!标签))(?!\s*[\d一二三四五])", "输入"),
    (
        rf"(?<![粘剪张便标])(?:粘?贴)(?:入|上|进)(?=\s*(?:{QUOTE}|{NAME}|{OTHER}|[\x21-\x7e]))",
        "输入",
    ),
    (
        rf"(?:填|写|输入|录|选|勾|改)好(?=\s*(?:(?:(?!后)[\u3400-\u9fff]){{2,8}}{QUOTE}|{QUOTE}))",
        lambda f: f[0][:-1],
    ),
    (
        r"(?<=[\u3400-\u9fff])(?P<verb>填写|输入|填|写|选择|选)\s*[：:]\s*(?=[^\s，,])",
        r"\g<verb>",
    ),
    (rf"(?:注明|写明|填明|备注上|补充说明|补上)(?=[：:]?\s*{QUOTE})", "填写"),
    (r"(?<![筛挑评])选出(?=所有|全部|[\u3400-\u9fff]{2})", "选中"),
    (r"从剪[贴切]板(?:里|中)?(?=粘贴)", ""),
    (r"另存(?=到|在|至)", "保存"),
    (
        rf"(?:^|(?<=[，,]))(?P<then>再|然后|并)?存(?:成|为|到|在)(?=\s*(?:[\w./~-]+\.[a-z]\w{{1,4}}|{OTHER})(?:$|[，,]))",
        r"\g<then>保存为",
    ),
    (r"(?<=题[一二三四五六七八九十\d])\s*(?:回?答)(?=\s*[\ue000-\ue7ff])", "选"),
    (r"[向往朝][左右上下](?=拖[动拽]?[^，,]{1,12}?(?:到|至)[\u3400-\u9fff\ue000-\ue7ff])", ""),
    (r"(?:^|(?<=[，,]))框选(?=[\u3400-\u9fff])", "选中"),
    (r"(?<=.)(?:移|挪|拖|放)回(?!收站)到?", "拖到"),
    (
        r"按\s*alt\s*\+\s*f4\s*(?:来|以)?关闭(?P<what>[^，,]*)[，,]\s*(?P<how>不保存|保存)(?=$|[，,])",
        r"关闭\g<what>，\g<how>",
    ),
    # “张三”和“李四”两行: the row of each.
    (
        rf"(?P<list>{QUOTE}(?:\s*、\s*{QUOTE})*\s*[和与及、]\s*{QUOTE})\s*(?:所在的?)?(?:这|那)?[两二三四五六七八九十\d]+\s*行(?!的)(?=$|[，,]|都|全|勾|选|删|打|拖|移|点)",
        lambda f: re.sub(QUOTE, lambda one: f"{one[0]}那一行", f["list"]),
    ),
    # 把第 2 题选 B: what is chosen there.
    (r"(?:把|将)(?=第\s*[\d一二三四五六七八九十]+\s*题\s*(?:选|填|答))", ""),
    (r"(?:(?<=[，,])|^)\s*找到(?:了|它)?(?:之后|以后|后)[，,]?\s*(?=把|将|点|双|右|选|删)", ""),
    (r"改选(?=\s*[\ue000-\uf8ff\u3400-\u9fff])", "选"),
    (r"page\s+(?P<way>up|down)", r"Page\g<way>"),
    (
        r"(?P<what>(?:滑块|滑条|滑杆|音量|亮度|进度)[条块]?)[往向][左右](?=(?:拖|拉|调|滑)动?(?:到|至)\s*\d)",
        r"\g<what>",
    ),
    # To copy and paste.
    (r"(?<![粘剪张便标])贴(?=[到进在入上回])|粘(?=[到进在入上回])", "粘贴"),
    (r"复制(?:出来|下来|好|走)(?!的)", "复制"),
    # To point.
    (r"戳(?:一?下)?|(?<!长)摁(?:一?下)?|轻触|轻点", "点击"),
    (r"(?:鼠标)?右键(?:一下)?(?=[，,]|$)(?<![上点击按]右键)(?<!鼠标右键)", "右键点击它"),
    (r"(?<=上)(?:鼠标)?右键(?=[，,]|$)", "点击右键"),
    (r"(?<![点击按的])(?:鼠标)?右键(?:一下)?(?![点单双菜选里中键，,]|$)", "右键点击"),
    (r"勾掉|去勾|把勾去掉", "取消勾选"),
    (rf"(?:^|(?<=[，,再]))划掉(?={QUOTE})", "勾选"),
    (rf"(?:^|(?<=[，,里中上]))点[上亮选](?=\s*{QUOTE})", "点击"),
    (r"点个赞", "点赞"),
    (r"(?:^|(?<=[，,]))下拉(?:菜单|列表)?(?:里|中)?(?=选)", ""),
    (r"(?:删掉|删除|清空|清除)(?:后|了)?(?:重新|再)(?=[输填写录])", "清空，"),
    (
        r"(?:^|(?<=[，,]))(?P<in>[^，,\ue000-\uf8ff]{0,6}(?:弹框|弹窗|对话框|确认框|提示框|弹出框|菜单))(?=[点选勾](?:击|择|上|选)?\s*[\ue000-\ue7ff])",
        r"\g<in>里",
    ),
    (
        r"(?P<in>在[^，,]{2,16}?(?:窗口|弹窗|弹框|对话框|表单|页面?|面板|条件|区域|卡片)(?:里面|里|中|内|上))(?=[\u3400-\u9fff]{2,8}?(?:填写?|选择?|写|输入)(?:[上入])?\s*[\ue000-\uf8ff\x21-\x7e])",
        r"\g<in>，",
    ),
    (
        rf"(?:^|(?<=[，,]))(?P<to>(?![在给往向把将为])[\u3400-\u9fff]{{2,5}}?(?<![面边上下侧]))(?:处|栏|里|中)?(?:添加|加上|加入)(?=\s*{QUOTE}(?:\s*[、和与及]\s*{QUOTE})*\s*(?:$|[，,]))",
        lambda f: f[0] if verb_at_zh(f["to"]) else f"在{f['to']}里添加",
    ),
    # To run a command.
    (rf"(?<![运奔快正在])跑(?:一下|一遍|下)?(?={_VALUE})", "运行"),
    (r"(?<=[\x21-\x7e\ue000-\uf8ff])\s*(?:这|那)[条个](?:命令|指令)", ""),
    (
        r"(?:^|(?<=[，,]))换(?:成|用)?(?=\s*[^，,]{1,16}?(?:账号|帐号|账户|用户)?(?:重新)?登[录陆])",
        "用",
    ),
    (r"(?<=[到为成])\s*(?:大约|大概|差不多|约)(?=\s*\d)", ""),
    # To go somewhere.
    (rf"(?:^|(?<=[，,]))(?:在)?浏览器(?:里|中)?(?=(?:访问|打开|输入)\s*(?:{OTHER}|[a-z\d]))", ""),
    (r"(?<=[\ue000-\uf8ff])\s*(?:这|那)个(?:网址|链接|网站|地址|页面)", ""),
    (
        r"退回(?=到|至|上|前|首页|主页|列表|桌面|[\u3400-\u9fff]{1,4}(?:页面?|列表|界面)(?:$|[，,]))",
        "返回",
    ),
    (r"(?:(?<!前)进到|去到|来到|走到|转进)", "进入"),
    (r"(?:定|安排|约|选|设)(?:在|到)(?=\s*[\uec00-\uf0ff])", "选"),
    (
        rf"(?:^|(?<=[，,里中上]))发(?:送)?(?:一?[条个句])?(?:消息|评论|留言)?(?=\s*{QUOTE}(?:$|[，,]))",
        "发送",
    ),
    (r"(?<=.)(?:划|归|丢|扔)(?:到|进)", "拖到"),
    (
        r"(?:补填|补录|补写|补输入?|(?<![体比毛净])重填|(?<![体比毛净])重写)(?=\s*[\u3400-\u9fff\x21-\x7e\ue000-\uf8ff])",
        "填",
    ),
    # To change.
    (r"(?<=.)(?:改写|变更|流转|改换|改动|拨|挪)(?:成|为|到)", "改为"),
    (r"(?:清|抹|擦)掉(?:了|，)?(?=重新|再|$|[，,])", "清空，"),
    (r"(?:清|抹)掉", "清空"),
    (r"(?<=清空)[，,]+(?=$|[，,])", ""),
    (r"(?:关了|叉掉|×掉|关闭掉)(?=$|[，,])", "关掉"),
    (rf"(?<![暂])停(?:留|顿)?(?=\s*{NUMBER}\s*(?:秒|分))", "等"),
    # To look.
    (r"[扫瞄看瞧]一眼|瞧瞧|瞧一下|留意(?:一下)?", "看看"),
    (
        r"(?P<event>[^，,]{2,20}?)(?:就算|即为|即视为|就说明|则说明|说明|就表示)(?:测试|登录|操作|这?是)?(?:成功|通过|正确|正常|完成)了?$",
        r"应\g<event>",
    ),
    (r"(?:必填|必选|带星号?|带\s*\*\s*号?|标有?\s*\*\s*号?)的(?=[\u3400-\u9fff\ue000-\ue7ff])", ""),
    # When it is so: a claim is about what is there as its turn comes.
    (
        (
            r"(?:在)?(?:一开始|刚开始|最初|起初|初始(?:状态下?|情况下|时)|默认(?:情况|状态)下|"
            r"(?:页面|网页)?刚(?:打开|进入?|加载完?)(?:页面|网页)?(?:时|的时候|后))[，,]?\s*"
            r"(?=(?:(?!点击|输入|把|将|选择|填|打开)[^，,])*(?:应|是|为|不|没|未|无|显示|有|处于))"
        ),
        "",
    ),
    # 张三、李四和王五三行: one after the other, as many as there are.
    (
        rf"(?<=[和与及、])(?P<last>{QUOTE}|[\u3400-\u9fff]{{2,4}}?)(?:这|那)?(?P<n>[两二三四五六七八九十\d]+)\s*(?P<unit>[行个条项封份人位张件款])(?P<noun>[\u3400-\u9fff]{{0,4}})(?=\s*(?:$|[，,]))",
        _as_many,
    ),
    # To leave something out.
    (
        r"(?:^|(?<=[，,]))(?:填写?|输入?|写|选择?|勾选?|改|设置?|看|上传|下载|登录|提交|保存)(?:完|好)[\u3400-\u9fff]{1,8}?(?:[，,]|(?:之后|以后|后)[，,]?(?=再|就|点|按|提交|保存))",
        "",
    ),
    (
        r"(?<!全部)(?<!都)(?P<v>填写?|输入?|写|选择?|勾选?|改|设置?|配置|编辑|录入)(?:完|好)了?(?:之后|以后|后)?[，,]?(?=再|就|点|按|提交|保存|看|确认)",
        "",
    ),
    (
        r"(?:^|(?<=[，,里]))(?:不|漏|没|未)(?:填写|填(?!写)|输入|录入)(?P<field>(?!任何|什么|内容|东西|其他|别的)[\u3400-\u9fff]{2,8})[，,]?\s*(?:就|而|直接)+",
        r"\g<field>留空，",
    ),
    (r"(?<=留空)[，,]?\s*(?:就|后|并)?(?:直接)?(?=[点按提]|保存|登录|注册)", "，"),
    (r"(?<=[\ue000-\ue7ff])\s*(?:就|而|便)?直接(?=[点按提保])", "，"),
    (
        r"(?:随便|随意|任意)(?P<act>选择?|挑选?|点开|点击?|打开)(?:上)?一?(?P<unit>[个件条张本项款篇封])(?=[\u3400-\u9fff])",
        r"\g<act>任意一\g<unit>",
    ),
    (
        r"(?:^|(?<=[，,]))选择?(?:文件|图片|附件)?\s*(?P<what>[^，,]*\w\.[a-z]\w{1,4})\s*(?:并|来|进行|后)?(?P<act>上传|导入)(?=$|[，,])",
        r"\g<act>\g<what>",
    ),
    (
        r"(?:^|(?<=[，,]))(?:选择|选|挑选|挑)(?=[^，,]{2,12}?(?:加入|放入|加到|放到|加进|放进)[\u3400-\u9fff])(?![项框])",
        "把",
    ),
    (
        rf"(?:把|将)?\s*(?P<by>{QUOTE}|(?!把|将)[\u3400-\u9fff]{{2,6}}?)筛选?[成为到]\s*(?P<value>{QUOTE})(?=$|[，,])",
        r"筛选出\g<by>为\g<value>的记录",
    ),
    # To do it to each.
    (
        r"(?:^|(?<=[，,]))(?:凡是|但凡|只要是)(?P<what>[^，,]{2,20}?)[，,]?\s*(?:一律|全|都)+(?=[点勾删])",
        r"对所有\g<what>，都",
    ),
    (
        r"(?:把|将)(?P<of>[^，,每]*)每一?(?P<unit>[行条项个张封])的(?P<what>[^，,]+?)都(?=[改设调选填换切])",
        r"对\g<of>每一\g<unit>，把\g<what>",
    ),
    (
        r"(?:把|将)(?P<each>[^，,]*每一?[行条项个张封][^，,]+?)都(?=[点勾](?:击|选|上)?(?:一下)?\s*[\ue000-\ue7ff])",
        r"对\g<each>，",
    ),
    (r"(?<![寻查])找出(?:来)?(?=\s*[\u3400-\u9fff\ue000-\ue7ff])", "找到"),
    (r"(?<=勾选|勾上|选中)(?:起来|出来)", ""),
    # To tell, and to remember.
    (r"(?:念|读|说|报|报告)给我(?:听)?|念出来|报出来", "告诉我"),
    (r"记成", "记为"),
    # To wait for something, and then to go on.
    (
        r"(?<![平相同])(?P<wait>等(?![级于号])[^，,；]{2,24}?(?<![最然随]))(?:之后|以后|后(?![面边方台端续者来的])|(?<=[了完好没])(?=再))(?:再|就)?[，,]?\s*(?=\S)",
        r"\g<wait>，",
    ),
    (
        rf"(?P<wait>等(?![级于号])\s*(?:{NUMBER}\s*(?:秒钟?|分钟?)|[^，,；]{{2,24}}?))再(?=[点按选输填勾看查导打把将单双保提刷关])",
        r"\g<wait>，",
    ),
    # What is only remarked.
    (r"[，,]\s*(?:先)?(?:不要|别|不)(?:急着)?按?(?:回车|发送|提交|保存)(?=[，,])", ""),
    (r"(?:^|(?<=[，,]))以\s*[^，,]{1,12}的?身份(?=点|按|选|进行)(?:进行)?", ""),
    (
        r"(?:^|(?<=[，,]))(?P<what>[^，,]{2,10}?)(?:原来|原本|之前|目前|现在|默认)(?:是|为)\s*[^，,]+[，,]\s*(?:把它|将其)?(?=[改换调设])",
        r"把\g<what>",
    ),
    (rf"[，,]?\s*而(?:不是|非|不为)\s*(?:{ANY}|[\x21-\x7e]+|[^，,]{{1,10}})(?=$|[，,])", ""),
    (r"(?:^|(?<=[，,]))(?:在)?[\u3400-\u9fff]{2,8}?的?(?:过程中|期间|途中)[，,]?(?=\s*\S)", ""),
    (r"(?<=[\x21-\x7e\ue000-\uf8ff])\s*[（(][\u3400-\u9fff，、\s]{1,20}[）)]", ""),
    (
        rf"[，,]\s*(?:大约|大概|约|差不多)(?:需要?|要|等)?\s*{NUMBER}\s*(?:秒|分)钟?(?:左右)?(?=$|[，,])",
        "",
    ),
    (r"(?:^|(?<=[，,]))从中(?=[挑选找])", ""),
    (r"(?:输入框|文本框)?(?:失去焦点|失焦|移开焦点)后?[，,]?", "按 Tab 键，"),
    (
        r"从\s*(?P<a>[\uec00-\uf0ff])\s*(?:选择?|填|设)(?:到|至)\s*(?P<b>[\uec00-\uf0ff])",
        r"选 \g<a> 到 \g<b>",
    ),
    (r"(?:几|[一二三四五六七八九十\d]+)个字(?=有没有|是否|是不是)", ""),
    (r"有没有(?=出现|显示|弹出|被|变)", "是否"),
    # In which order.
    (
        r"(?:^|(?<=[，,]))(?P<by>(?:(?![按根依把将对验检确应让使])[\u3400-\u9fff]){2,6}?)(?=(?:[从由][高低大小新旧]到[高低大小新旧]|升序|降序)排[序列](?:$|[，,]))",
        r"按\g<by>",
    ),
    (r"(从(?:低到高|高到低|大到小|小到大|新到旧|旧到新))排(?![序列])", r"\1排序"),
    (r"排(?:一下|个|一?次)序", "排序"),
    (r"(?<=[升降倒]序)排(?:一下|一排|下)(?=$|[，,])", "排序"),
    (r"倒序|逆序", "降序"),
    (r"正序|(?<!的)顺序(?=排)", "升序"),
    (r"(?<=顺序)(?:来|依次)?排(?:好|放好|一下|起来)(?=$|[，,])", "排列"),
)
"""How it is said, and in what words the rules know it."""

_SQL = re.compile(
    r"(?P<text>\b(?:select|insert|update|delete|create|alter|drop|show)\s[^，。\u3400-\u9fff\ue000-\uf8ff]*;)\s*[，,]?\s*(?=[\u3400-\u9fff])",
    re.IGNORECASE,
)
# 点击同意并继续: buttons that say two things are called by both.
_PAIRED = re.compile(
    r"(?<=[点击按])\s*(?P<name>(?:同意|确认|保存|注册|登录|提交|接受)并(?:继续|登录|注册|提交|下载|安装|支付|新建|关闭|退出|返回|发送|下一步|开始|授权|开通|打印|发布))(?=按钮|$|[，,。])"
)
_COMPILED = tuple((re.compile(words, re.IGNORECASE), plain) for words, plain in (*OFFICE, *_SENSES))


def worded_zh(masked: str, talk: Talk) -> str:
    """The masked sentence with each act in the one word that the rules know for it."""
    masked = _SQL.sub(lambda f: talk.atoms.mask(quoted(f["text"])) + "，", masked)
    masked = _PAIRED.sub(lambda f: talk.atoms.mask(quoted(f["name"])), masked)
    masked = closely_zh(filled_out_zh(masked), talk)
    for words, plain in _COMPILED:
        for found in words.finditer(masked):
            said = found.expand(plain) if isinstance(plain, str) else plain(found)
            # What stays as it was is still to be accounted for.
            talk.aside += [found[0]] if found[0] and said != found[0] else []
        masked = words.sub(plain, masked)
    return masked


def as_said(steps: Sequence[Step], worded: str, said: str) -> list[Step]:
    """The steps of a sentence that was put into other words, each with the words as they were.

    Args:
        steps: What was read.
        worded: The words that were read.
        said: The words of the person.
    """
    changes = SequenceMatcher(None, worded, said, autojunk=False).get_opcodes()

    def place(at: int, *, end: bool) -> int:
        for tag, a, b, c, d in changes:
            if a <= at < b or (end and a < at <= b):
                return c + at - a if tag == "equal" else (d if end else c)
        return len(said)

    def original(words: str) -> str:
        at = worded.find(words)
        if at < 0 or not words:
            return words
        return said[place(at, end=False) : place(at + len(words), end=True)] or words

    return [replace(step, words=original(step.words)) for step in steps]
