"""Chinese words for what something is done with: 用 Ctrl+S 保存, 用 mousepad 打开 a.txt."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY, NAME, OTHER, QUOTE
from carrel.models.steps.language.chinese.own import OWN_ZH
from carrel.models.steps.language.chinese.point import Rule, chord_zh, thing
from carrel.models.steps.language.chinese.text import typed
from carrel.models.steps.language.english.pages import web_address
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.program import Choose, Enter, Open, Perform, Press, Run, Step

__all__ = ["MEANS", "is_means"]

_WITH = r"(?:使用|利用|通过|用|以)"
_KEYS = (
    r"(?P<keys>(?:(?:ctrl|control|alt|shift|cmd|command|super|win)\s*\+\s*)+(?:\w+|[-=/])|F\d{1,2}|"
    r"回车键?|esc|tab|enter|delete|backspace|home|end|空格键?)"
)
_PRESSED = re.compile(
    rf"{_WITH}\s*(?:键盘)?的?(?:快捷键|组合键|热键|按键)?\s*[“\"]?{_KEYS}\s*键?\s*(?:快捷键|组合键|键)?\s*"
    r"(?P<aim>[\u3400-\u9fff]*)",
    re.IGNORECASE,
)


def is_means(text: str) -> bool:
    """Whether the clause begins with what it is done with, and is an instruction."""
    return any(re.fullmatch(words, text, re.DOTALL | re.IGNORECASE) for words, _ in MEANS)


def _press(found: re.Match[str], talk: Talk) -> list[Step]:
    key = chord_zh(talk.atoms.text(found["keys"]))
    if key is None:
        raise NotUnderstood(f"there is no key {talk.atoms.original(found['keys'])}")
    talk.put_aside(found["keys"])
    if found["aim"]:
        talk.put_aside(found["aim"])
    return [Press((key,))]


_FILE = re.compile(rf"{QUOTE}|{NAME}|{OTHER}|[\w.~/-]+\.\w{{1,5}}")


_GIVEN = rf"(?:{QUOTE}|{NAME}|{OTHER}|[\x21-\x7e]+)"


_NOUNED = rf"[\u3400-\u9fff]{{2,6}}?\s*(?:为|是|：|:)?\s*{_GIVEN}"


def _signed_in(found: re.Match[str], talk: Talk) -> list[Step]:
    """用账号“a”和密码“b”登录."""
    pairs = re.findall(rf"([\u3400-\u9fff]{{2,6}}?)\s*(?:为|是|：|:)?\s*({_GIVEN})", found["given"])
    details = tuple((noun.lstrip("和与及"), talk.text(text)) for noun, text in pairs)
    talk.put_aside(found["at"])
    return [Perform(OWN_ZH[found["verb"]], None, details, said=found["verb"])]


def _signed_in_as(found: re.Match[str], talk: Talk) -> list[Step]:
    """用 admin 账号登录; 用 admin/123 登录."""
    name, _, secret = talk.text(found["name"]).partition("/")
    details = (("账号", name), *((("密码", secret),) if secret else ()))
    talk.put_aside(found[0])
    details = tuple((word, text.strip()) for word, text in details)
    return [Perform(OWN_ZH[found["verb"]], None, details, said=found["verb"])]


def _open_with(found: re.Match[str], talk: Talk) -> list[Step]:
    """The program, and what it shall open."""
    app = re.sub(r"^(?:应用程序|应用|程序|软件)\s*", "", found["app"].strip())
    app = re.sub(r"(?:这个)?(?:应用程序|应用|程序|软件)$", "", app)
    named = talk.atoms.text(app) if re.fullmatch(ANY, app) else thing(app, talk)
    what = re.sub(
        r"^(?:一下)?(?:文件|网址|网页|网站|页面|文档|图片)\s*(?=\S)", "", found["what"].strip()
    )
    if url := web_address(what, talk):
        return [Open(url, using=named)]
    if desktop := re.fullmatch(rf"桌面上?的?(?:文件)?\s*(?P<file>{QUOTE}|[\w.-]+\.\w+)", what):
        talk.put_aside(what)
        return [Open(f"~/Desktop/{talk.text(desktop['file'])}", using=named)]
    if folder := re.fullmatch(rf"(?P<name>{QUOTE}|{OTHER})\s*(?:这个)?(?:文件夹|目录|文件)", what):
        what = folder["name"]
        return [Open(talk.text(what), using=named)]
    if _FILE.fullmatch(what) is None:
        raise NotUnderstood(f"which file is “{talk.atoms.original(what)}”? its path says it")
    return [Open(talk.text(what), using=named)]


def _started(found: re.Match[str], talk: Talk) -> list[Step]:
    """从应用菜单中启动“画图”: whichever way it is started."""
    talk.put_aside(found[0][: found.start("what") - found.start()])
    return [Open(talk.text(found["what"]))]


def _in_terminal(found: re.Match[str], talk: Talk) -> list[Step]:
    """在终端里运行“ls”: typed there, where it is seen, and its output read there."""
    command = found["text"].strip()
    if re.match(QUOTE, command) and len(command) > 1:
        raise NotUnderstood(f"where does the command “{talk.atoms.original(command)}” end?")
    return [Run(talk.atoms.text(command), place="终端")]


def _sought(found: re.Match[str], talk: Talk) -> list[Step]:
    """用 Ctrl+F 查找“天气”: the keys, and what is typed where they lead."""
    key = chord_zh(talk.atoms.text(found["keys"]))
    if key is None:
        raise NotUnderstood(f"there is no key {talk.atoms.original(found['keys'])}")
    return [Press((key,)), Enter(talk.text(found["text"]))]


def _went_up(found: re.Match[str], talk: Talk) -> list[Step]:
    talk.put_aside(found[0])
    return [Press(("alt+up",))]


MEANS: tuple[tuple[str, Rule], ...] = (
    (
        rf"{_WITH}\s*(?:快捷键|组合键)?\s*{_KEYS}\s*(?:来|去)?(?:查找|搜索|搜)\s*(?P<text>{QUOTE}|{NAME})",
        _sought,
    ),
    (_PRESSED.pattern, _press),
    (
        rf"{_WITH}\s*(?P<noun>[\u3400-\u9fff]{{2,6}}?[码券号])\s*(?P<text>{QUOTE}|{NAME}|[\x21-\x7e]+)",
        lambda f, t: [Enter(t.text(f["text"]), f"{f['noun']}字段")],
    ),
    (
        rf"{_WITH}\s*(?P<text>{QUOTE}|{NAME})\s*(?:填写|填充|填入|填)\s*(?P<into>[^，,]+)",
        lambda f, t: typed(f["text"], f["into"], t),
    ),
    (
        r"(?:从|在|通过)\s*(?:系统)?(?:应用程序|应用|程序|开始)菜单(?:里面|里|中|内|上)?\s*(?:启动|打开|运行|找到并打开)\s*(?P<what>[^，,]+)",
        _started,
    ),
    (r"(?:返回|回到|进入)(?:到)?上一?[级层]的?(?:目录|文件夹)", _went_up),
    (
        rf"{_WITH}\s*(?P<given>{_NOUNED}(?:\s*[、，,和与及]\s*{_NOUNED})*)\s*(?:来|去|进行)?(?P<verb>登录|登陆|注册)(?P<at>系统|网站|账号|[\u3400-\u9fff]{{0,6}})",
        _signed_in,
    ),
    (
        rf"{_WITH}\s*(?P<name>{QUOTE}|{NAME}|{OTHER}|[\x21-\x7e]+(?:\s*/\s*[\x21-\x7e]+)?)\s*(?:这个)?(?:账号|账户|用户|帐号)?(?:的?身份)?\s*(?:来|去|进行|重新)?(?P<verb>登录|登陆)(?:系统|网站)?",
        _signed_in_as,
    ),
    (
        rf"(?:{_WITH}|从)\s*(?P<menu>[^，,]*?菜单)(?:里面|里|中|内|上|下)?的?\s*(?:打开|点击|单击|执行|进入|点)\s*(?P<what>[^，,]+)",
        lambda f, t: [Choose((thing(f["what"], t),), thing(f["menu"], t))],
    ),
    (
        (
            rf"{_WITH}\s*(?P<app>(?!户|鼠标|键盘|右键)[^，,]+?(?<!菜单)(?<!按钮)(?<!链接)(?<!图标)(?<![栏键框卡页]))\s*(?:来|去)?(?:打开|开启|启动|访问|浏览|查看|编辑)"
            r"(?!方式|器)\s*(?P<what>[^，,]+)"
        ),
        _open_with,
    ),
    (
        r"在\s*(?:终端|命令行|控制台)(?:窗口)?(?:里面|里|中|内|上)?\s*(?:运行|执行|输入(?=(?:以下|下面的?)?命令))(?:以下|下面的?)?(?:命令)?\s*[：:]?\s*(?P<text>[^，,]+?)(?:并?(?:按|敲)(?:下)?回车(?:键)?(?:执行)?)?",
        _in_terminal,
    ),
)
"""Rules, each with the words of a whole clause."""
