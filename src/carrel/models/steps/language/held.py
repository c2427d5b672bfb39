"""Claims that no rule reads, as what has to stand on the screen word by word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from carrel.models.steps.language.afresh.suspicions import is_doubtful
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.program import Check, Enter, Perform, Said, Shows, Step, Unclear
from carrel.perception._names import fold

__all__ = [
    "KINDS",
    "SORTS",
    "WEAK",
    "Claim",
    "as_held",
    "can_be_held",
    "can_be_told",
    "claim_of",
    "in_parts",
    "numbers_in",
    "read_claim",
    "retold",
    "shares_in",
    "sort_of_number",
    "stated_pair",
    "told_values",
]

SEVERAL = 2
"""Quoted texts that no one thing on the screen is called by."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_QUOTED = re.compile(r"[\"“«「『]([^\"”»」』]+)[\"”»」』]")
_NUMBERS = re.compile(r"(?<![A-Za-z\d])\d{4}-\d{1,2}-\d{1,2}|(?<![A-Za-z\d])\d+(?:[.,:/]\d+)*")
_SHARES = re.compile(r"(\d+)\s*(?:(?:out\s+)?of|from|to|/|[-–—]|：|:)\s*(?:the\s+)?(\d+)")
_VALUE = re.compile(r"\d|(?<=\w )(?:[A-Z][a-z]|[A-Z]{2})")
_TWISTS = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|nor|without|cannot|longer|gone|except|but|only|more|"
    r"less|fewer|than|least|most|between|every|each|all|any|both|either|or|if|unless|until|before|"
    r"after|above|below|under|over|beside|first|second|third|last|next|previous|top|bottom|"
    r"(?:the|its|far) left|left (?:of|side|corner|hand|column|panel|pane|edge)|right|same|"
    r"different|other|another|again|instead|while|when|exactly|count|times|disabled|"
    r"enabled|empty|blank|hidden|visible|sorted|in \w* ?order|selected|checked|ticked|unchecked|"
    r"active|inactive|closed|highlighted|focused|bold|crossed|struck|gr[ae]yed|disappear\w*|"
    r"vanish\w*|removed|deleted|remain\w*|unchanged|later|earlier|"
    r"higher|lower|larger|smaller|greater|cheaper|degrees?|"
    r"seconds?|minutes?|hours?|plus|minus|rotated|sum|total of)\b|n['’]t\b|"
    r"[不没无未仅]|只有|只能|每|都|全部|所有|或|比|更|最|第[一二三四五六七八九十\d]|为空|灰|勾选|选中|排序|"
    r"消失|禁用|减少|增加|新增|[加减乘除]|秒|分钟|前面|后面|隐藏|其|时|，|[晚早大小高低多少]于|至少|以上|以下|之前|之后",
    re.IGNORECASE,
)
"""Words that turn a claim round, bound it, or say how a thing is: they are not held by its text."""
WEAK = frozenset(
    stems(
        "the a an to of in on at by with as is are was were be been being has have had it its this "
        "that these those there here and for from into i we you they user should must will shall "
        "would can may does do did now then also already so still just see sees seen show shows "
        "shown showing display displays displayed displaying list lists listed listing read reads "
        "say says saying state states stating contain contains include includes including appear "
        "appears appeared mention mentions reflect reflects indicate indicates report reports "
        "reported tell tells telling give gives hold holds carry carries stand stands find finds "
        "found get gets greet greets welcome welcomes confirm confirms inform informs "
        "told informed notified confirming correctly properly successfully immediately up set "
        "verify check ensure make "
        "sure expect assert validate view viewing present called named labelled marked "
        "come comes came pop pops popped turn turns which who whose she he him them her his our "
        "their my your long assigned belong belongs cost costs costing worth priced amounts exactly"
    )
)
KINDS = frozenset(
    stems(
        "page screen text message line row entry item value field label column table section panel "
        "area box card banner toast notice notification alert dialog popup heading title caption "
        "list"
    )
)
"""Words for what something stands in or on, which need not be written there."""
SORTS = frozenset(
    stems(
        "mail order ticket user customer person product article task song track file document "
        "contact invoice note event post comment booking appointment subject sender name price "
        "status state size date time amount quantity number owner author assignee summary record "
        "size error warning info game book room patient member result"
    )
)
"""Words for sorts of things: where the screen does not say them, nothing else can be meant."""
_AMOUNT = re.compile(r"[$€£¥₹]\s?\d|\d\s?[$€£¥₹元]")
_AMOUNTS = frozenset(stems("amount price cost"))
"""Words for what an amount of money says by itself."""
_SORTS_ZH = re.compile(r"(订单|金额|数量|总数|个数|名称|状态|价格|记录|商品|客户|用户|邮件|任务)")
_WEAK_ZH = (
    "请|验证|检查|确认|断言|确保|应该|应当|应|需要|要|会|能够|能|可以|看到|看见|出现|显示|展示|列出|包含|包括|含有|"
    "写着|提示|弹出|页面|界面|屏幕|列表|表格|文字|内容|信息|消息|字样|一行|一条|那一行|这一行|那行|那条|该|此|这|那|"
    "现在|已经|了|着|的|是|为|有|在|里面|里|中|和|与|并且|并|且|同时|就|也|变成|变为|成|到|一个|个|条|行"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What has to be said.

    Attributes:
        words: The words that carry a meaning.
        numbers: In the form in which they are compared.
        quoted: Texts that have to stand there as they are.
        sorts: Of the words, those that only say what sort of thing it is.
        shares: Pairs of numbers of which the first is told of the second: 4 of 12.
    """

    words: frozenset[str]
    numbers: frozenset[str]
    quoted: tuple[str, ...]
    sorts: frozenset[str] = frozenset()
    shares: tuple[tuple[str, str], ...] = ()


_UNTOLD_ROW = re.compile(r"\s*(?:验证|检查|确认|断言|核对)?\s*(?:这|该|此)一?行")
"""A row that nothing was said of before: any row may say what is claimed of it."""


def can_be_held(claim: str) -> bool:
    """Whether a claim may be held against what is written, word by word."""
    bare = _QUOTED.sub(" ", claim)
    if _UNTOLD_ROW.match(bare) is not None:
        return False
    if _TWISTS.search(bare) is not None or re.search(r"[\"“”「」{}]", bare):
        return False
    # Without a value of its own it says what is so, and not what is written.
    read = read_claim(claim)
    return bool(_QUOTED.search(claim) or _VALUE.search(bare)) and bool(read.words or read.quoted)


_CHOOSING = re.compile(
    r"\b(?:the only|^only|the (?:most|least) [a-z]+|the first|the last|exactly|the (?:cheapest|"
    r"newest|latest|oldest|earliest|largest|biggest|smallest|longest|shortest|highest|lowest))\b",
    re.IGNORECASE,
)
"""Words that turn no claim round, but tell which of several records is meant, or how many."""


def can_be_told(claim: str) -> bool:
    """Whether a claim in English may be held against the records that a screen tells."""
    bare = _CHOOSING.sub(" ", _QUOTED.sub(" ", claim))
    if _HAN.search(bare) or _TWISTS.search(bare) or re.search(r"[\"“”{}]", bare):
        return False
    chosen = re.search(r"\bthe (?:\w+est|(?:most|least) \w+)\b", claim, re.IGNORECASE)
    return bool(chosen or _QUOTED.search(claim) or _VALUE.search(bare))


def read_claim(claim: str) -> Claim:
    """What a claim says, without what is mere grammar."""
    quoted = tuple(fold(text) for text in _QUOTED.findall(claim))
    bare = _QUOTED.sub(" ", claim)
    numbers = numbers_in(bare)
    rest = _NUMBERS.sub(" ", bare)
    if _HAN.search(rest):
        pieces = [piece for piece in re.split(rf"[\W_]|{_WEAK_ZH}", rest) if piece]
        split = [part for piece in pieces for part in _SORTS_ZH.split(piece) if part]
        if _AMOUNT.search(bare):
            split = [part for part in split if part not in ("金额", "价格")]
        sorts = frozenset(filter(_SORTS_ZH.fullmatch, split))
        return Claim(frozenset(split), numbers, quoted, sorts, shares_in(bare))
    words = frozenset(stems(rest)) - WEAK - {"s"}
    if _AMOUNT.search(bare):
        words -= _AMOUNTS
    telling = words - KINDS
    kept = telling or (frozenset() if quoted else words)
    return Claim(kept, numbers, quoted, kept & SORTS, shares_in(bare))


def shares_in(text: str) -> tuple[tuple[str, str], ...]:
    """Every two numbers of which the first is told of the second: 4 of 12, 4/12, 4–12."""
    return tuple((one[1], one[2]) for one in _SHARES.finditer(text))


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, in the form in which they are compared."""
    return frozenset(map(_plain_number, _NUMBERS.findall(text)))


def _plain_number(number: str) -> str:
    """Without the commas of thousands, and zeros behind the point."""
    bare = re.sub(r",(?=\d{3}(?!\d))", "", number)
    return re.sub(r"\.0+$", "", bare)


def sort_of_number(text: str, number: str) -> str:
    """What sort of number it is where it stands: an amount, a share, a time, a plain one."""
    for found in _NUMBERS.finditer(text):
        if _plain_number(found[0]) != number:
            continue
        before, after = text[: found.start()], text[found.end() :]
        if re.search(r"[$€£¥₹]\s?$", before) or re.match(r"\s?[€£元]|\$", after):
            return "amount"
        if re.match(r"\s?%", after):
            return "share"
        return "time" if ":" in found[0] else "date" if "-" in found[0] else "number"
    return "number"


def in_parts(claim: str) -> list[str]:
    """The parts of a claim that lists several things, each with a value of its own; else none.

    What follows "and" has to be a thing, and must not say more of the one before.
    """
    parts = re.split(r",?\s+and\s+(?=[\d\"“]|(?:the|one|two|three|four|five)\s)", claim)
    whole = len(parts) > 1 and all(_QUOTED.search(p) or re.search(r"\d", p) for p in parts)
    return parts if whole and all(map(can_be_held, parts)) else []


_PAIR = re.compile(
    r"(?:(?:the|its|her|his|their|my|your)\s+)?(?P<label>[^\s\"“].{0,60}?)\s+"
    r"(?:(?:should|must)\s+(?:now\s+|still\s+)?(?:be|read|say|show|equal|have)|is|are|reads|says|"
    r"shows|equals)\s+(?:set\s+to\s+)?(?P<value>\S.{0,60})",
    re.IGNORECASE,
)
_PAIR_ZH = re.compile(
    r"(?P<label>[^“”\"，。]{1,20}?)(?:应该?是|应为|应显示为?|显示为?|是|为)\s*(?P<value>[^，。]{1,40})"
)


def stated_pair(claim: str) -> tuple[str, str] | None:
    """The two sides of a claim that says of something named what it is; None for any other."""
    pattern = _PAIR_ZH if _HAN.search(_QUOTED.sub(" ", claim)) else _PAIR
    found = pattern.fullmatch(claim.strip())
    if found is None or _TWISTS.search(_QUOTED.sub(" ", claim)):
        return None
    if not re.match(r"[\"“A-Z\d$€£¥+-]", found["value"]):
        # What begins like a word of a sentence is rather how something is.
        return None
    return found["label"], found["value"].strip('"“”')


_GIVEN = re.compile(
    r"(?:the|this|its|my|your|our)\s+(?P<subject>[\w -]{1,60}?)\s+(?:(?:should|must)\s+)?"
    r"(?:now\s+)?(?:gives?|says?|shows?|lists?|displays?|names?|tells?|has|have|contains?|mentions?|states?)"
    r"\s+(?P<told>\S.*)",
    re.IGNORECASE,
)
_ONE_GIVEN = re.compile(
    r"(?P<value>[\"“][^\"“”]+[\"”]|(?:[A-Z\d$€£][\w.,:%€$/-]*)(?:\s[A-Z\d+&][\w.,:%€$/-]*)*)\s+"
    r"(?:as|for|under)\s+(?:(?:the|its|their|her|his)\s+)?"
    r"(?P<label>(?!(?:and|or)\b)[a-z][\w'’-]*(?:\s(?!(?:and|or|but|not|in|on)\b)[a-z][\w'’-]*){0,3})"
    r"(?:,?\s+and\s+|,\s*|$)"
)


_OF_ONE = re.compile(r"\b(?:row|line|entry|item|card|record|of|for|in|with)\b", re.IGNORECASE)
"""Words for one of several, of which its row tells."""


def told_values(claim: str) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """What says it, and labels with their values: `the review gives "Ann" as the name`.

    Args:
        claim: In the person's words; None is the answer where it says anything more.
    """
    found = _GIVEN.fullmatch(claim.strip())
    if found is None or _TWISTS.search(found["subject"]) or _OF_ONE.search(found["subject"]):
        return None
    told, given = found["told"], list[tuple[str, str]]()
    while told:
        one = _ONE_GIVEN.match(told)
        if one is None:
            return None
        given.append((one["label"], one["value"].strip('"“”')))
        told = told[one.end() :]
    return found["subject"], tuple(given)


_LEAD = re.compile(
    r"(?:(?:then|and|also|finally|now|please)\s+)*(?:verify|check(?! (?:in|out|off)\b)|make sure|"
    r"ensure|confirm(?= that\b)|assert|expect|validate)"
    r"(?:\s+(?:that|whether|if))?\s+(?P<claim>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_VERB = (
    r"is|are|was|were|lists?|shows?|says?|reads?|contains?|includes?|displays?|has|have|costs?|"
    r"came|comes|arrived|belongs?"
)
_STATED = re.compile(
    r"(?:then\s+)?(?P<claim>(?:(?:the|an?|its?|there|we|i|her|his|my|your)\s|[\"“A-Z\d]|"
    r"[\w-]+\.\w).*\b(?:should|must)\b.*)"
    r"|(?P<told>(?:the|her|his|its|my|your|our)\s(?:(?!\bto\b)[^,;]){1,60}?\s"
    rf"(?:{_VERB})\s.+)"
    # A thing with a number, whose name begins like an act.
    rf"|(?P<thing>[a-z]+\s#?[\w-]*\d[\w-]*\s(?:{_VERB})\s.+)",
    re.DOTALL | re.IGNORECASE,
)
_LEAD_ZH = re.compile(
    r"(?:并|再|然后|最后)?(?:验证|检查|断言|确保|核对|确认)(?P<claim>\S.*)|(?P<stated>.*应[该当]?.*|"
    r"[^，。]{2,20}是\s*[¥￥]?\d.*)",
    re.DOTALL,
)


def as_held(steps: Iterable[Step], text: str = "") -> list[Step]:
    """The steps, where a claim that no rule reads is held against what is shown, if it can be.

    Args:
        steps: As they were read.
        text: All that was said: where it is one claim, no part of it is carried out.
    """
    listed = list(steps)
    several = re.search(r"[.;。；]\s+\S|\band\b", text) and not in_parts(text)
    if listed and _begins_a_claim(listed[0]) and not several:
        whole = _held(Unclear("", line=listed[0].line, words=" ".join(text.split())))
        if not isinstance(whole, Unclear):
            return [whole]
    return [_held(step) if isinstance(step, Unclear) else step for step in listed]


def retold(step: Step) -> Step:
    """The step; one that takes several labels with their values for one text is held by them.

    Args:
        step: As it was read.
    """
    shown = step.condition if isinstance(step, Check) else None
    if not isinstance(shown, Shows) or len(_QUOTED.findall(shown.what)) < SEVERAL:
        return step
    claim = claim_of(step.words)
    if told_values(claim) is None:
        return step
    return Check(Said(claim), line=step.line, words=step.words)


def _begins_a_claim(step: Step) -> bool:
    """Whether what comes first was not understood, or is no act: it says what is or should be."""
    if isinstance(step, Enter):
        return " should " in step.text
    if isinstance(step, Perform):
        return is_doubtful([step])
    return isinstance(step, Unclear)


def _held(step: Unclear) -> Step:
    claim = claim_of(step.words)
    if not claim or _UNTOLD_ROW.match(claim):
        return step
    if not (can_be_held(claim) or stated_pair(claim) or can_be_told(claim) or told_values(claim)):
        return step
    return Check(Said(claim), line=step.line, words=step.words)


def claim_of(words: str) -> str:
    """What is claimed, without "verify that"; empty where nothing is."""
    pattern = _LEAD_ZH if _HAN.search(_QUOTED.sub(" ", words)) else _LEAD
    found = pattern.fullmatch(words.strip()) or _STATED.fullmatch(words.strip())
    return next(filter(None, found.groups()), "").rstrip(" .。!！") if found else ""
