"""Chinese steps about text, options and values."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import DATED, NAME, OTHER, QUOTE, TIMED
from carrel.models.steps.language.chinese.days import dated_fields, day_meant, day_of_month
from carrel.models.steps.language.chinese.described import (
    DESCRIBED,
    LABEL_ONLY,
    SOMEBODYS,
    WORKED_OUT,
)
from carrel.models.steps.language.chinese.point import (
    IN,
    QUOTED_PATH,
    Rule,
    all_of,
    numbered,
    thing,
)
from carrel.models.steps.language.english.pointer import PATH
from carrel.models.steps.language.talk import EACH, IT, NotUnderstood, Talk, listed
from carrel.models.steps.language.values import value_steps
from carrel.models.steps.program import (
    Choose,
    Enter,
    ForEach,
    Highlight,
    PickDate,
    Read,
    Step,
    Tick,
)

__all__ = [
    "choose",
    "choose_in",
    "choose_of",
    "chosen",
    "ends_open",
    "enter",
    "enter_in",
    "enter_moved",
    "tick",
    "ticked",
    "typed",
]


_KIND = re.compile(
    r"^(?:公式|文本|文字|内容|数字|数值|命令|关键[字词]|网址|字符串?)\s*[：:]?\s*(?=[\x21-\x7e\ue000-\ue7ff])"
)
_PAIR = re.compile(
    rf"(?P<noun>[\u3400-\u9fff]{{2,6}}?)\s*(?:为|是|：|:)?\s*(?P<text>[\x21-\x7e]+|{QUOTE}|{NAME}|{OTHER})"
)
_APART = re.compile(rf"(?<={QUOTE})\s*(?={QUOTE})")
_COUNTED = re.compile(r"\s*(?:这)?(?:[两二三四五六七八九十]|\d+)\s*[项个条样种](?:选项|任务)?$")


def refuse_run_on(text: str, talk: Talk) -> None:
    """Words behind a comma are a name of the list only in quotes.

    Raises:
        NotUnderstood: They may be the next instruction.
    """
    _, *others = re.split(r"\s*[，,]\s*", text.strip(" ，,"))
    if any(not re.search(QUOTE, other) for other in others):
        raise NotUnderstood(f"where does the list “{talk.atoms.original(text)}” end?")


def ends_open(text: str) -> bool:
    """Whether it is unclear where a text ends: it goes on behind a quote, or with 然后."""
    if re.search(r"[，；]|,(?=[^,]*[\u3400-\u9fff])", text):
        return True
    if re.search(QUOTE, text) is None:
        return (
            re.search(r"应[为该当]|之[前后](?=.)|是否|不可|然后|[^之以前最]后$|[再并就]$", text)
            is not None
        )
    return re.fullmatch(QUOTE, text.strip()) is None


_ENDS = re.compile(r"(?P<low>\d[\d.]*)\s*(?:到|至|-|~|～|—)\s*(?P<high>\d[\d.]*)")
_CARET = re.compile(r"(?:当前)?(?:光标(?:所在)?(?:的?位置|处)?|当前位置|此处|焦点处?)")


def _place(into: str) -> str:
    """姓名处 is 姓名; 住处 stays."""
    return re.sub(
        r"(?<=[^住出去好用来长办])(?:这里|那里|的位置|(?<=[\ue000-\ue7ff])位置|(?<!办事)处)$",
        "",
        into.strip(),
    )


_SUCH = r"(?:\d+\s*位|错误|正确|有效|无效|[新旧](?!密码)|合法|非法|任意|重复|已注册)的?"
_CALLED = re.compile(
    rf"(?P<noun>(?:{_SUCH})?(?P<field>[\u3400-\u9fff]{{0,6}}[码号名址箱额量价期题证]))\s+"
    rf"(?P<text>[\x21-\x7e]+(?:[ -]\d+)*|{OTHER})"
)
_SPOKEN_OF = re.compile(
    r"它|其|(?:同样|相同|一样)的(?:密码|口令|邮箱|账号|用户名|验证码|内容|文字|文本|值|数值|数字|号码|名称|名字|地址)|"
    r"(?:计算)?结果|答案|(?:该|这|那|此|刚才|刚刚|上面|上述|方才)(?:个|串|条|段|组|一)?(?:读到|记下|看到|得到|查到)?的?"
    r"(?:那个|这个|那串)?(?:文本|内容|值|数字?|数值|百分比|编号|号码?|单号|订单号|金额|名字|名称|地址|链接|文字|日期|时间|结果|验证码|价格)"
)


def _aimed(into: str | None) -> str | None:
    """The words of the field; None for where the keyboard is.

    Raises:
        NotUnderstood: Several texts go there, or one several times.
    """
    if into and re.search(r"(?:依次|分别|重复|逐个|轮流)$", into.strip()):
        raise NotUnderstood("which goes where, and how often? “在 X 里输入 Y”, one after another")
    return _place(into) if into and not _CARET.fullmatch(into.strip()) else None


def _called(bare: str, field: str | None, talk: Talk, *, append: bool) -> Step | None:
    """密码“a”, 会议号 123: the text, into the field that is named before it."""
    if found := re.fullmatch(
        rf"(?P<noun>\w{{1,8}}?)\s*(?:为|是|：|:)?\s*(?P<text>{QUOTE}|{NAME})", bare
    ):
        noun = re.sub(r"^(?:错误|正确|有效|无效|新|合法|非法|任意)的", "", found["noun"])
        talk.put_aside(found["noun"])
        plain = re.fullmatch(
            r"(?:多行|单行|一段|一行|以下|如下|下列|这段)?的?"
            r"(?:文本|文字|内容|数字|值|单词|字符|命令|公式|网址|关键[字词])",
            noun,
        )
        return Enter(talk.text(found["text"]), field or (None if plain else f"{noun}字段"), append)
    if field is None and (found := _CALLED.fullmatch(bare)):
        talk.put_aside(found["noun"])
        return Enter(talk.text(found["text"]), f"{found['field']}字段", append)
    if field is None and (
        found := re.fullmatch(
            r"(?P<noun>验证码|用户名|密码|邮箱|姓名|名字|电话|手机号码?|地址|数量|金额|账号|邮编)\s*(?:为|是)?\s*"
            rf"(?P<text>[\w@.+-]+|{OTHER})",
            bare,
            re.ASCII,
        )
    ):
        return Enter(talk.text(found["text"]), f"{found['noun']}字段", append)
    return None


_SHOWN_CODE = re.compile(
    r"(?:[^\ue000-\uf8ff]{1,12}(?:里面|里|中|上面|上|下面|下方|旁边)的)?[\u3400-\u9fff]{0,6}"
    r"(?:(?:兑换|邀请|优惠|取件|取货|提货|会员|口令|激活|确认|校验|识别|推荐|动态|短信|图形|订单|快递|运|单|编|卡|账|座位|车牌|发票|学|工|流水)(?:码|号|号码|单号)|验证码|编码|口令|序列号)"
)
"""兑换码, 卡片上的取件码: what such a text is called, and never the text itself."""
_AT_END = re.compile(r"的?(?:最后面?|末尾|结尾|尾部|后面)$")


_READ = re.compile(
    r".+的(?:值|内容|文字|文本|电话|电话号码|邮箱|地址|价格|名字|名称|数值)|(?:下面|上面|下方|上方)的.+|"
    r"[^\ue000-\uf8ff]{0,6}(?:页面|屏幕|提示|弹窗|对话框|邮件|短信|表格|列表|图片|截图|卡片|标题栏|地址栏)(?:里面|里|中|上|内)的[\u3400-\u9fff]{2,8}"
)


def _is_read(bare: str, field: str | None) -> bool:
    """Whether a text only says where to read what is to be typed."""
    if field is not None and _SHOWN_CODE.fullmatch(bare):
        return True
    return _READ.fullmatch(bare) is not None and not re.search(QUOTE + "$", bare)


def typed(text: str, into: str | None, talk: Talk, *, append: bool = False) -> list[Step]:
    """Type a text, a date or what is read elsewhere, into a field or where the keyboard is.

    Raises:
        NotUnderstood: It is not clear where the text ends.
    """
    into = _aimed(into)
    if into and append and (end := _AT_END.search(into)) and end.start():
        # What is added goes to the end anyway.
        talk.put_aside(end[0])
        into = into[: end.start()]
    field = thing(into, talk) if into else None
    bare = _KIND.sub("", text.strip())
    if _SPOKEN_OF.fullmatch(bare):
        talk.put_aside(bare)
        return [Enter(f"{{{IT}}}", field)]
    if into and (what := all_of(into) or (into[1:] if into.startswith("两个") else None)):
        return [
            ForEach(
                EACH,
                (Enter(talk.text(bare), f"{{{EACH}}}"),),
                every=thing(what.lstrip("个"), talk),
            )
        ]
    if (called := _called(bare, field, talk, append=append)) is not None:
        return [called]
    if re.fullmatch(rf"{DATED}|{TIMED}", bare):
        return value_steps(bare, field, talk)
    if into and (day := day_meant(bare, into, talk)):
        return [PickDate(day, day, field)]
    if (
        (ends := _ENDS.fullmatch(bare))
        and field
        and re.search(r"(?:区间|范围|价格|价位|金额|年龄)\"?$", field)
    ):
        low, high = (f"{field}的第{which}个输入框" for which in "一二")
        return [Enter(ends["low"], low), Enter(ends["high"], high)]
    told_of = DESCRIBED.fullmatch(bare) or SOMEBODYS.fullmatch(bare)
    if told_of or (field is None and LABEL_ONLY.fullmatch(bare)):
        raise NotUnderstood("that only describes the text; put the text itself in quotes")
    if _is_read(bare, field):
        return [Read(talk.phrase(bare), IT), Enter(f"{{{IT}}}", field)]
    if WORKED_OUT.fullmatch(bare):
        raise NotUnderstood("that only says how to work it out; “计算 X 的和，把它填入 Y”")
    if ends_open(bare) or re.match(r"[填写选]\S", bare):
        raise NotUnderstood(f"where does the text “{talk.atoms.original(bare)}” end?")
    return [Enter(talk.atoms.text(bare), field, append)]


def paired(text: str, talk: Talk) -> list[Step]:
    """账号“a”和密码“b”: each into its own field; none when it is no such list."""
    pairs = [_PAIR.fullmatch(item) for item in listed(text)]
    if len(pairs) < 2 or not all(pairs):
        return []
    return [Enter(talk.text(pair["text"]), f"{pair['noun']}字段") for pair in pairs if pair]


def enter(found: re.Match[str], talk: Talk) -> list[Step]:
    """`输入 X 到 Y`, `输入用户名“a”和密码“b”`."""
    rest = found["rest"].strip()
    append = "追加" in found[0][:6]
    if not rest:
        raise NotUnderstood("it does not say what to type")
    shared = re.findall(rf"(\w{{1,8}}?)\s*(?:为|是|：|:)?\s*({QUOTE}|{NAME})", rest)
    if len(shared) > 1 and re.fullmatch(
        rf"(?:\w{{1,8}}?\s*(?:为|是|：|:)?\s*(?:{QUOTE}|{NAME})[\s、，,和及]*)+", rest
    ):
        return [
            Enter(talk.text(text), f"{re.sub('^[和及]', '', noun)}字段") for noun, text in shared
        ]
    if several := paired(rest, talk):
        return several
    if moved := re.fullmatch(rf"(?P<text>.+?)\s*(?:到|进|入|在)\s*(?P<into>.+?){IN}", rest):
        return typed(moved["text"], moved["into"], talk, append=append)
    if pair := re.fullmatch(
        r"(?P<into>[^，,=]*?[\u3400-\u9fff\ue000-\ue7ff])\s*(?:：|:|为|成)\s*(?P<text>.+)", rest
    ):
        return typed(pair["text"], pair["into"], talk, append=append)
    return typed(rest, None, talk, append=append)


_OF_FIELD = re.compile(
    rf"(?P<noun>(?!文本|文字|内容$|数字)[\u3400-\u9fff]{{2,8}}?)(?:为|是|：|:)?\s*(?P<text>{QUOTE}|{NAME}|(?<=\s)[\x21-\x7e]+)"
)
_BOXED = re.compile(r"(?:窗口|对话框|弹窗|弹出框|表单|页面|面板|区域|卡片|抽屉|弹框)$")


_IN_EACH = re.compile(r"(?P<list>.+?)(?:里面|里|中|内|上)?(?:都|均|同时)")


def enter_in(found: re.Match[str], talk: Talk) -> list[Step]:
    """`在 Y 中输入 X`."""
    append = "追加" in found["verb"]
    into = found["into"]
    if (each := _IN_EACH.fullmatch(into)) and len(fields := listed(each["list"])) > 1:
        return [step for one in fields for step in typed(found["text"], one, talk, append=append)]
    inner = _OF_FIELD.fullmatch(found["text"].strip())
    if inner and _BOXED.search(into):
        field = f"{inner['noun']}字段"
        return [Enter(talk.text(inner["text"]), field, append, place=thing(into, talk))]
    if several := paired(found["text"], talk):
        place = thing(into, talk)
        return [replace(step, place=place) for step in several]
    return typed(found["text"], into, talk, append=append)


_LABEL = re.compile(
    r".*(?:颜色|尺[码寸]|城市|省份|国家|地区|性别|语言|品牌|规格|型号|部门|职[位务]|类[型别]|分类|主题|状态|等级|优先级|方式|"
    r"年[龄级]|学历|单位|币种|字[体号]|角色|套餐|口味|时[间段]|日期|座位|房型|身份|级别|格式|频率|范围)"
)


def _plainly(rest: str, talk: Talk) -> list[Step] | None:
    """Nothing, everything, or days; None for options."""
    if re.fullmatch(r"空|无|什么都不选|任何", rest):
        return [Choose(())]
    if re.fullmatch(r"全部|所有|全文", rest):
        return [Highlight("everything")]
    if dated := re.fullmatch(
        rf"(?:日期|时间)?\s*(?P<when>{DATED}|{TIMED})(?:\s*(?:作为|为|当作)(?P<into>.+))?", rest
    ):
        field = re.sub(r"^(?:日期|时间)$", "", dated["into"] or "")
        return value_steps(dated["when"], thing(field, talk) if field else None, talk)
    if day := day_of_month(rest, talk):
        return [PickDate(day, day)]
    if re.fullmatch(rf"(?:明|今|去|后|前)年的?\s*{DATED}", rest):
        raise NotUnderstood("which year is that? write it: “2027 年 1 月 1 日”")
    if span := re.fullmatch(rf"(?P<from>{DATED})\s*(?:至|到|-|—|~)\s*(?P<to>{DATED})", rest):
        return [*value_steps(span["from"], None, talk), *value_steps(span["to"], None, talk)]
    if fields := dated_fields(rest):
        return [
            step for field, when in fields for step in value_steps(when, thing(field, talk), talk)
        ]
    return None


def choose(found: re.Match[str], talk: Talk) -> list[Step]:
    """Choose options, a date or text."""
    rest = found["rest"].strip()
    if not rest:
        raise NotUnderstood("it does not say what to choose")
    if steps := _plainly(rest, talk):
        return steps
    if named := re.fullmatch(r"(?P<what>.+?)(?:作为|当作)(?P<source>.+)", rest):
        return choose_of(named["source"], named["what"], talk)
    pairs = [one for item in listed(rest) if (one := _OF_FIELD.fullmatch(item))]
    if len(pairs) == len(listed(rest)) and all(_LABEL.fullmatch(one["noun"]) for one in pairs):
        return [chosen(one["text"], one["noun"], talk) for one in pairs]
    if some := re.fullmatch(
        rf"(?P<text>{QUOTE})\s*(?:这|那)?(?:[一两二三四五六七八九几\d]个)?(?:字|词|句话?|段(?:文字|话)?)",
        rest,
    ):
        return [Highlight(thing(some["text"], talk))]
    if re.search(r"(?:文本|文字|段落)$", rest):
        return [Highlight(thing(rest, talk))]
    rest = QUOTED_PATH.sub(" > ", rest)
    if len(parts := PATH.split(rest)) > 1:
        return [Choose(tuple(thing(part, talk) for part in parts), path=True)]
    if re.fullmatch(QUOTE, rest) and re.search(r"\s>\s|→", inner := talk.text(rest)):
        return [Choose(tuple(re.split(r"\s*(?:>|→)\s*", inner)), path=True)]
    if what := all_of(rest):
        return [ForEach(EACH, (Choose((f"{{{EACH}}}",)),), every=thing(what, talk))]
    return [chosen(rest, None, talk)]


_TOLD_APART = re.compile(
    r"[\u3400-\u9fff]{2,4}[为是][^、，,]{1,8}(?:[、和且]|并且)[\u3400-\u9fff]{2,4}[为是][^、，,]{1,8}的[\u3400-\u9fff]{1,6}"
)
"""颜色为蓝色、尺码为 M 的款式: one thing, told apart by both."""


def chosen(rest: str, source: str | None, talk: Talk) -> Step:
    """Options in a list, of something."""
    rest = numbered(_APART.sub("、", rest))
    refuse_run_on(rest, talk)
    if len(listed(rest)) > 1:
        rest = _COUNTED.sub("", rest)
    items = [rest] if _TOLD_APART.fullmatch(rest) else listed(rest)
    said = "" if len(items) < 2 or all(re.fullmatch(QUOTE, i) for i in items) else talk.phrase(rest)
    return Choose(
        tuple(thing(item, talk) for item in items),
        thing(source, talk) if source else None,
        said=said,
    )


def choose_in(found: re.Match[str], talk: Talk) -> list[Step]:
    """`从 Y 中选择 X`."""
    return choose_of(found["source"], found["what"], talk)


_SPAN = re.compile(rf"从?\s*(?P<a>{DATED}|{TIMED})\s*(?:至|到|~|～)\s*(?P<b>{DATED}|{TIMED})")


_SIDE = re.compile(
    r"(?:页面|屏幕|窗口)?的?(?:最?[左右上下][侧边面方]|[左右][上下]角|顶部|底部|中间|中央)"
)


def choose_of(source: str, what: str, talk: Talk) -> list[Step]:
    """Choose options, or a date, of something."""
    source = _place(source)
    if _SIDE.fullmatch(source):
        talk.put_aside(source)
        return [Choose((f"{source}的{thing(what, talk)}",))]
    rest = re.sub(rf"^(?:日期|时间)\s*(?:为|是)?\s*(?={DATED}|{TIMED})", "", what.strip())
    if re.search("日历|日期(?:选择器|控件|面板|弹层)", source) and (
        of_month := re.fullmatch(r"(\d{1,2})\s*[日号]", rest)
    ):
        talk.put_aside(rest)
        return [Choose((of_month[1],), thing(source, talk))]
    if day := day_meant(rest, source, talk):
        return [PickDate(day, day, thing(source, talk))]
    if re.fullmatch(rf"{DATED}|{TIMED}", rest):
        return value_steps(rest, thing(source, talk), talk)
    if span := _SPAN.fullmatch(rest):
        kind = "日期" if re.match(DATED, span["a"]) else "时间"
        ends = (("开始", span["a"]), ("结束", span["b"]))
        field = thing(source, talk)
        return [s for end, at in ends for s in value_steps(at, f"{field}的{end}{kind}", talk)]
    if re.fullmatch(r"(?:全部|所有)的?(?:文本|文字|内容)", rest):
        return [Highlight("everything", place=thing(source, talk))]
    if len(parts := PATH.split(rest)) > 1:
        return [Choose(tuple(thing(p, talk) for p in parts), thing(source, talk), path=True)]
    if each := all_of(rest):
        body = Choose((f"{{{EACH}}}",))
        return [ForEach(EACH, (body,), every=thing(each, talk), place=thing(source, talk))]
    return [chosen(rest, source, talk)]


def tick(*, on: bool) -> Rule:
    """The rule that sets check boxes and switches."""
    return lambda found, talk: ticked(found["rest"], talk, on=on)


def ticked(said: str, talk: Talk, *, on: bool) -> list[Step]:
    """Set the check boxes and switches of a list, or all of a kind."""
    rest = numbered(_APART.sub("、", said.strip()))
    refuse_run_on(rest, talk)
    if not rest:
        raise NotUnderstood("it does not say what to tick")
    if len(listed(rest)) > 1:
        rest = _COUNTED.sub("", rest)
        if not re.search(r"(?:复选框|勾选框|开关)们?$", listed(rest)[0]):
            rest = re.sub(r"\s*(?:的)?(?:复选框|勾选框|开关)们?$", "", rest)
    if what := all_of(rest):
        return [ForEach(EACH, (Tick((f"{{{EACH}}}",), on),), every=thing(what, talk))]
    items = listed(rest)
    quoted = all(re.fullmatch(QUOTE, item) for item in items)
    list_said = "" if len(items) < 2 or quoted else talk.phrase(rest)
    return [Tick(tuple(thing(item, talk) for item in items), on, said=list_said)]


def enter_moved(found: re.Match[str], talk: Talk) -> list[Step]:
    """`把 X 填入 Y`."""
    parts = re.fullmatch(
        rf"(?P<text>.+?)\s*(?:(?:输入|填入|写入|键入|填写|录入)(?![框栏区法域])|填|写|输(?!入)|敲|打)(?:到|进|在)?\s*(?P<into>.+?){IN}",
        found["rest"],
    )
    if parts is None:
        raise NotUnderstood("it does not say where to type it")
    if apart := re.fullmatch(r"(?P<texts>.+?)\s*(?:分别|依次)", parts["text"]):
        texts, fields = listed(apart["texts"]), listed(parts["into"])
        named = all(re.fullmatch(rf"{QUOTE}|{NAME}", one) for one in texts)
        if named and len(texts) == len(fields) > 1:
            return [s for a, b in zip(texts, fields, strict=True) for s in typed(a, b, talk)]
    if re.search(r"依次|分别|逐个|各$", parts["text"]):
        raise NotUnderstood("which goes where? “在 X 里输入 Y”, one after another")
    return typed(parts["text"], parts["into"], talk)
