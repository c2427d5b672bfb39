"""What labels, boxes to tick and files of icons add to a name without making it another."""

from __future__ import annotations

import re
from functools import lru_cache

from carrel.perception._names import fold, same_marks, words_of

__all__ = [
    "adds_hint",
    "adds_nothing",
    "consents",
    "field_words",
    "file_says",
    "icon_words",
    "is_hint",
    "purpose",
    "says_more",
    "tells_apart",
]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LEAD = re.compile(
    r"(?:please|enter|type|input|choose|select|pick|provide|your|my|our|the|an?|full)\s+"
    r"|请|输入|填写|填入|选择|您的|你的|我的"
)
_TAIL = re.compile(r"\s+(?P<word>\w+)$|(?:地址|号码|必填|选填|可选|的)$")
_HINT = re.compile(r"[(（\[]([^)）\]]+)[)）\]]\s*[*:：]*\s*$")
_NEUTRAL = _listed("required optional here mode address name value details level")
# What a word for a kind of value may follow, without naming another value.
_TIMES = _listed(
    "start end begin beginning finish due birth from to since until departure departing "
    "return returning arrival expiry expiration checkin checkout in out"
)
_CODES = _listed(
    "zip post postal promo promotional coupon discount voucher referral pin security "
    "verification bar qr invite invitation"
)
_PLACES = _listed("street house building address apartment flat")
_CONSENT = _listed(
    "agree accept enable subscribe receive send show allow use remember keep get want like "
    "include turn activate join yes"
)
_REFUSAL = _listed(
    "not no never without disable mute hide block stop unsubscribe out off decline refuse "
    "reject deny exclude skip ignore unless opt clear remove forget"
)
_CONSENT_HAN = re.compile(r"同意|接受|订阅|接收|启用|开启|打开|记住|允许|显示|使用|阅读")
_REFUSAL_HAN = re.compile(r"不|禁|关|取消|退订|未|勿|停|屏蔽|静音|隐藏|拒|别")
_TELLING = _listed(
    "confirm confirmation repeat retype again verify old new current previous next start end "
    "first last from to min max minimum maximum second alternate backup recovery not"
)
_TELLING_HAN = re.compile(r"确认|重复|再次|旧|新|原|当前|备用|起始|开始|结束|最小|最大|不")
_ICON_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
# How themes and style sheets sort icons and draw them; not what they show.
_SORTS = _listed(
    "document edit view go list media mail window system user folder object format insert "
    "tools application applications preferences dialog emblem call contact network input fa "
    "fas far fab icon icons ico glyphicon bi mdi material feather lucide octicon ion ti pi "
    "symbolic"
)
_UNDONE = _listed("cancel undo un non disabled")
_ORNAMENTS = _listed(
    "outline outlined fill filled solid regular line alt small large circle square rounded "
    "round black white dark light button btn link img image picture svg png i o"
)


def _generic(before: str, word: str) -> bool:
    """Whether a word only says what sort of value it is: the number of "phone number"."""
    last = before.rpartition(" ")[2]
    if word in ("date", "time"):
        return last in _TIMES
    if word == "code":
        return last in _CODES
    if word == "number":
        return last not in _PLACES
    return word in _NEUTRAL


@lru_cache(maxsize=4096)
def adds_nothing(wish: str, label: str) -> bool:
    """Whether a label says the wish and only neutral words more: "Enter your email address *"."""
    wanted = fold(wish).replace(" ", "")
    label = _HINT.sub(_without_hint, label)
    text = fold(label) if same_marks(wish, label) else ""
    while text:
        if _without_tail(text, wanted):
            return True
        lead = _LEAD.match(text)
        if lead is None:
            return False
        text = text[lead.end() :]
    return False


def _without_hint(found: re.Match[str]) -> str:
    """Without how a value is written, and in what unit: "(dd/mm/yyyy)", "(kg)", "(8 or more)"."""
    words = re.findall(r"[^\W\d_]+", found[1].casefold())
    short = all(len(word) <= 3 or len(set(word)) == 1 for word in words)
    plain = short or bool(re.search(r"\d", found[1])) or found[1].casefold().startswith("e.g")
    return "" if plain and not set(words) & _TELLING else found[0]


def _without_tail(text: str, wanted: str) -> bool:
    while text:
        if text.replace(" ", "") == wanted:
            return True
        tail = _TAIL.search(text)
        if tail is None:
            return False
        before = text[: tail.start()]
        if tail["word"] and not _generic(before, tail["word"]):
            return False
        text = before
    return False


_PATTERN = re.compile(r"[A-Z0-9#+()]+(?:[-/.:_ ][A-Z0-9#+()]+)+")
"""How a value is written: `YYYY-MM-DD`, `HH:MM`, `123-456-7890`."""
_NUMBERED = re.compile(r"\w+ \d+\b")
_ASKING_HAN = re.compile(r"\d|请|可|须|需|至少|不超过|例如")


@lru_cache(maxsize=4096)
def is_hint(rest: str) -> bool:
    """Whether what follows a name explains how to fill it in, and makes it no other."""
    rest = rest.strip()
    words = rest.split()
    if not words or fold(words[0]) in _TELLING or _TELLING_HAN.match(rest):
        return False
    if _PATTERN.fullmatch(rest) and re.search(r"\d|(.)\1", rest):
        return True
    if re.match(r"[\u3400-\u9fff]", rest):
        return (
            len(rest) >= 4 and re.search(r"\d|请|可|须|需|至少|不超过|必须|例如", rest) is not None
        )
    sentence = rest[0].isupper() or rest[0].isdigit()
    told = any(word[0].islower() for word in words[1:])
    return sentence and told and len(words) > 2 and _NUMBERED.match(rest) is None


@lru_cache(maxsize=4096)
def adds_hint(wish: str, label: str) -> bool:
    """Whether a label is the wish and a hint: "Password At least 8 characters"."""
    wanted, text = wish.strip().casefold(), label.strip()
    if not wanted or not text.casefold().startswith(wanted):
        return False
    rest = text[len(wanted) :]
    return bool(rest) and not rest[0].isalnum() and is_hint(rest.lstrip(" :：,，*-–—"))


def says_more(wish: str, label: str) -> bool:
    """Whether it is what a label says and a word for what kind of thing that is: "phone number"."""
    return bool(fold(label)) and adds_nothing(label, wish)


@lru_cache(maxsize=4096)
def consents(wish: str, label: str) -> bool:
    """Whether a box with this label agrees to what is wished: "Send me the newsletter"."""
    said, known = words_of(wish), words_of(label)
    at = any(known[i : i + len(said)] == said for i in range(len(known)))
    if not said or not at or set(known) & (_REFUSAL - set(said)):
        return False
    rest = fold(label).replace(fold(wish), " ")
    if _REFUSAL_HAN.search(rest):
        return False
    return bool(set(known) & _CONSENT or _CONSENT_HAN.search(rest))


def tells_apart(hint: str, label: str) -> bool:
    """Whether a label says which of several such things it is: "Confirm password"."""
    rest = fold(label).replace(fold(hint), " ")
    return bool(set(rest.split()) & _TELLING or _TELLING_HAN.search(rest))


def icon_words(name: str) -> str:
    """The words in the name of an icon's file: `view-refresh-symbolic` is "view refresh"."""
    if not _ICON_NAME.fullmatch(name):
        return ""
    return name.removesuffix("-symbolic").replace("-", " ")


_PURPOSE = re.compile(
    r"^(?:please\s+)?(?:select|set|choose|enter|change|edit|pick|go\s+to|type|jump\s+to)\s+"
    r"(?:(?:the|an?|your)\s+)?(?=\S)|^(?:选择|设置|输入|修改|更改)(?=.)",
    re.IGNORECASE,
)
_FIELD_WORDS = _listed("entry field input box text edit textbox combo combobox label lineedit")


def purpose(name: str) -> str:
    """What is chosen where a part is called by what one does there: `Set zoom level`."""
    return _PURPOSE.sub("", name.strip())


def field_words(name: str) -> str:
    """The words in what a program calls a field: `page-label-entry` is "page"."""
    if not _ICON_NAME.fullmatch(name):
        return ""
    return " ".join(word for word in name.split("-") if word not in _FIELD_WORDS)


def file_says(wish: str, words: str) -> tuple[float, str]:
    """How well a file's words are what is wished for, and those of them that say what it shows."""
    said, known = words_of(wish), words_of(words)
    shown = [word for word in known if word not in _SORTS | _ORNAMENTS] or list(known)
    subject = " ".join(shown)
    if set(said) in (set(known), set(shown)):
        return 1.0, subject
    if not said or not set(said) <= set(known):
        return 0.0, subject
    # What comes before sorts it, as a rule, and what comes after makes it another.
    last = tuple(shown[-len(said) :]) == said and not set(shown) & (_UNDONE | _REFUSAL)
    return (0.98 if last else 0.72), subject
