"""Well-known pictures on buttons: what they are called, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from carrel.perception._names import fold

__all__ = ["is_drawn", "is_pictured", "is_symbol_word", "same_symbol", "symbol_of"]

# One symbol a line: the words for it, then the characters that draw it. Words after a semicolon are
# drawn alike, and mean something else when they are written.
_TABLE = """
close, dismiss, cross, x, times, 关闭, 叉号; clear; remove | × ✕ ✖ ✗ ✘ ⨯ ╳ ❌ 🗙 🅧 ⊗
menu, hamburger, hamburger menu, main menu, 菜单 | ≡ ☰ 𝌆
search, find, magnifying glass, magnifier, 搜索, 放大镜, 查找 | 🔍 🔎 ⌕
settings, gear, cog, preferences, configuration, options, 设置, 齿轮 | ⚙ ⚙️ 🛠 🔧
archive, 归档 | 🗄 🗄️ 🗃 🗃️
trash, delete, bin, trash can, remove, garbage, dustbin, 删除, 垃圾桶 | 🗑 🗑️ ␡
star, favorite, favourite, bookmark, 星标, 收藏, 星星; important | ☆ ★ ⭐ ✩ ✭
reply, answer, respond, 回复 | ↩ ↩️ ⮌ ↰
reply all, 全部回复 | ↞
forward, forward mail, 转发 | ↪ ↪️ ➦ ⮎
back, back arrow, arrow left, left arrow, previous, prev, 返回, 后退, 上一个 | ← ◀ ‹ « ⟵ ⬅ ◂ ❮ ⇐ <
next, right arrow, arrow right, go forward, forward arrow, 下一个, 前进 | → ▶ › » ⟶ ➡ ▸ ❯ ⇒ ➔ >
up, up arrow, arrow up, 向上 | ↑ ▲ ⬆ ⬆️ ▴ ⌃ ⇧
down, down arrow, arrow down, 向下 | ↓ ▼ ⬇ ⬇️ ▾ ⌄ ⇩
more, three dots, ellipsis, more options, overflow, kebab, dots, 更多, 三个点 | … ⋯ ⋮ ︙ ••• ··· ...
plus, add, new, create, 添加, 新建, 加号 | + ＋ ➕ ⊕
minus, subtract, 减号; collapse | − – - ➖ ⊖
multiply, multiplication, multiplied by, 乘号, 乘以 | × * ✕ ✖
divide, division, divided by, 除号, 除以 | ÷ /
equals, equal, equals sign, 等号 | =
play, start, 播放 | ▶ ▶️ ► ⏵
pause, 暂停 | ⏸ ⏸️ ‖ ▮▮
stop, 停止 | ⏹ ⏹️ ■
record, 录制 | ⏺ ●
refresh, reload, renew, 刷新, 重新加载 | ⟳ ↻ 🔄 ♻ ⥁
undo, 撤销 | ↶ ⤺ ⮪
redo, 重做 | ↷ ⤻ ⮫
home, house, 主页, 首页 | ⌂ 🏠 🏡
user, person, profile, account, avatar, 用户, 个人资料, 账户 | 👤 👥 🙍 🧑
like, heart, love, 喜欢, 点赞, 爱心 | ♥ ❤ ❤️ ♡ 🤍
thumbs up, upvote | 👍
thumbs down, downvote | 👎
share, 分享 | ⤴ 🔗 ➦
retweet, repost, 转推 | 🔁 ⇄ ⟲
edit, pencil, pen, 编辑, 铅笔 | ✎ ✏ ✏️ 🖉 🖊
save, floppy, disk, floppy disk, 保存 | 💾
print, printer, 打印 | 🖨 🖨️ ⎙ 🖶
mail, email, envelope, 邮件, 信封 | ✉ ✉️ 📧
attach, attachment, paperclip, 附件, 回形针 | 📎 🖇
download, 下载 | ⬇ ⤓ ⭳
upload, 上传 | ⤒ ⭱
calendar, 日历; date | 📅 📆 🗓
clock, 时钟; time | ⏰ 🕒 ⏱ ⌚
lock, 锁定, 锁 | 🔒 🔐
unlock, 解锁 | 🔓
bell, notifications, alerts, 通知, 铃铛 | 🔔 🕭
help, question mark, 帮助, 问号 | ? ❓ ﹖
info, information, 信息 | ℹ ⓘ 🛈
warning, 警告 | ⚠ ⚠️
check, tick, check mark, checkmark, 对勾; done; ok; confirm, 确认; apply; update; accept | ✓ ✔ ✅ ☑
cart, basket, shopping cart, 购物车 | 🛒
camera, 相机 | 📷 📸
microphone, mic, 麦克风 | 🎤 🎙
volume, sound, speaker, 音量 | 🔊 🔉 🔈
mute, 静音 | 🔇
folder, 文件夹 | 📁 📂
file, document, 文件 | 📄 🗎
comment, chat, message, 评论, 消息 | 💬 🗨
eye, show, 显示; view | 👁 👁️
filter, funnel, 筛选 | ⏷ ⧩
sort, 排序 | ⇅ ↕ ⇵
maximize, full screen, fullscreen, 最大化, 全屏 | 🗖 ⛶ □
minimize, 最小化 | 🗕 _
copy, duplicate, 复制 | ⧉ 🗐 ⎘
cut, scissors, 剪切, 剪刀 | ✂ ✂️
"""


# The signs of icon fonts, which a page writes with letters that nobody else uses: the word for what
# is drawn, then their numbers (Font Awesome, Glyphicons).
_FONTS = """
bell f0f3 f0a2 e123
envelope f0e0 f003
search f002 e003
gear f013 f085 e019
trash f1f8 f014 f2ed e020
menu f0c9
close f00d e014
pencil f040 f303 f304 f044
plus f067 e081
minus f068 e082
user f007 f2bd e008
home f015 e021
star f005 f006 e006 e007
heart f004 f08a e005
lock f023 e033
unlock f09c
download f019
upload f093
print f02f e045
save f0c7
paperclip f0c6
calendar f073 f133 e109
clock f017
filter f0b0 e138
sort f0dc
refresh f021 e031
undo f0e2
redo f01e
back f060 f053 f104 e079
next f061 f054 f105 e080
up f062 f077 f106 e113
down f063 f078 f107 e114
more f141 f142
play f04b
pause f04c
stop f04d
volume f028
mute f6a9
camera f030
microphone f130
folder f07b f07c
file f15b f016
comment f075 f0e5
eye f06e
maximize f065
copy f0c5
cut f0c4
help f059 f128
info f05a f129
warning f071
check f00c e013
cart f07a e116
thumbs_up f164 f087
thumbs_down f165 f088
share f064 f1e0
reply f112
reply_all f122
"""
_FONT_SIGN = re.compile("[\ue000-\uf8ff]")

_PICTURES = """
magnifying glass, magnifier, hamburger, gear, cog, trash can, bin, dustbin, garbage can, pencil,
pen, floppy, floppy disk, envelope, paperclip, house, bell, heart, cross, plus, minus, three dots,
ellipsis, kebab, check mark, checkmark, tick, funnel, thumbs up, thumbs down, scissors, star, x,
放大镜, 齿轮, 垃圾桶, 铅笔, 信封, 回形针, 铃铛, 爱心, 叉号, 加号, 减号, 三个点, 对勾, 剪刀, 问号
"""
_PICTURED = frozenset(fold(word) for word in re.split(r"[,\n]", _PICTURES) if word.strip())
"""What is drawn and not written: nobody says so of words on a button."""

_LETTERS = {
    "b": ("bold", "加粗", "粗体"),
    "i": ("italic", "italics", "斜体", "倾斜"),
    "u": ("underline", "下划线"),
    "s": ("strikethrough", "strike through", "strike", "删除线"),
}
"""What the buttons of an editor with one letter on them do to what is written."""

_STEPPED = "day|week|month|year|page|slide|picture|photo|image|step"
_WAY = re.compile(
    rf"(?:the )?(?:arrow|button|icon) (?:for|to) (?:the )?(?P<to>next|previous) (?:{_STEPPED})"
    rf"|(?:the )?(?P<this>next|previous) (?:{_STEPPED}) (?:arrow|button|icon)"
)
"""What leads on or back, said by what it leads to."""

_Numbers = Mapping[str, frozenset[int]]


def _read() -> tuple[_Numbers, _Numbers, _Numbers]:
    words: dict[str, set[int]] = {}
    meant: dict[str, set[int]] = {}
    drawn: dict[str, set[int]] = {}
    senses = 0
    for number, line in enumerate(_TABLE.strip().splitlines()):
        called, _, glyphs = line.partition(" | ")
        for sense in called.split("; "):
            senses += 1
            for word in sense.split(", "):
                words.setdefault(fold(word), set()).add(number)
                meant.setdefault(fold(word), set()).add(senses)
        for glyph in glyphs.split():
            drawn.setdefault(glyph.replace("\ufe0f", ""), set()).add(number)
    for line in _FONTS.strip().splitlines():
        word, *codes = line.split()
        for code in codes:
            drawn[chr(int(code, 16))] = words[fold(word.replace("_", " "))]
    words_of, meaning, glyphs_of = (
        MappingProxyType({key: frozenset(found) for key, found in table.items()})
        for table in (words, meant, drawn)
    )
    return words_of, meaning, glyphs_of


_WORDS, _MEANT, _GLYPHS = _read()


def symbol_of(text: str) -> frozenset[int]:
    """The symbols that a text draws, as numbers that only mean something to each other.

    A sign of an icon font may have a count beside it.
    """
    bare = text.strip().replace("\ufe0f", "")
    if bare not in _GLYPHS and not any(map(str.isalpha, bare)):
        return _signs_in(bare)
    return _GLYPHS.get(bare, frozenset())


def _signs_in(text: str) -> frozenset[int]:
    """What the signs of icon fonts among other letters draw."""
    return frozenset().union(*(_GLYPHS.get(sign, ()) for sign in _FONT_SIGN.findall(text)))


def is_drawn(wish: str) -> bool:
    """Whether somebody wrote the picture itself, as in: click the "×"."""
    return wish.strip().casefold() == "x" or bool(symbol_of(wish))


def is_pictured(wish: str) -> bool:
    """Whether somebody says what a picture shows, and not what it is for: the pencil."""
    return _bare(wish) in _PICTURED or _WAY.fullmatch(fold(wish)) is not None


def is_symbol_word(wish: str) -> bool:
    """Whether it is a word for a well-known picture, be it for what it shows or what it is for."""
    return _bare(wish) in _WORDS or bool(symbol_of(wish))


def _bare(wish: str) -> str:
    word = fold(wish)
    if word in _WORDS:
        return word
    if (way := _WAY.fullmatch(word)) is not None:
        return way["to"] or way["this"]
    return re.sub(r" (?:sign|mark|symbol)$", "", word)


def _senses(symbols: frozenset[int]) -> frozenset[int]:
    """Everything that these pictures may mean."""
    return frozenset().union(*(_MEANT[word] for word, drawn in _WORDS.items() if drawn & symbols))


def same_symbol(wish: str, name: str, *, words: bool = False, verb: bool = True) -> float:
    """How well a drawn character is the symbol that is wished for, 0 to 1.

    With `words` another word for the same picture will do, too: "gear" for Settings; and with
    `verb` a name that begins with it, as that of a picture does.
    """
    if fold(wish) in _LETTERS.get(fold(name), ()):
        return 0.9
    wanted = _WORDS.get(_bare(wish), frozenset()) | symbol_of(wish)
    if not wanted:
        return 0.0
    if wanted & symbol_of(name):
        return 0.95
    if is_pictured(wish) and wanted & _signs_in(name):
        return 0.86
    if not words:
        return 0.0
    meant = _MEANT.get(_bare(wish)) or _senses(symbol_of(wish))
    if meant & _MEANT.get(fold(name), frozenset()):
        return 0.86
    if is_pictured(wish) and wanted & _WORDS.get(fold(name), frozenset()):
        # It only says what is drawn, whatever that stands for here.
        return 0.86
    # Its name may say what it is done to: Delete image.
    first, _, thing = fold(name).partition(" ")
    few = bool(thing) and len(thing.split()) <= 2 and not set(thing.split()) & _MORE
    drawn = is_pictured(wish) and bool(wanted & _WORDS.get(first, frozenset()))
    return 0.85 if verb and few and (drawn or meant & _MEANT.get(first, frozenset())) else 0.0


_MORE = frozenset(["all", "everything", "account", "every"])
