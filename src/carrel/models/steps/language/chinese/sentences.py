"""Chinese sentences: the order of their instructions, and what surrounds them."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.accounting import holds_unclear
from carrel.models.steps.language.atoms import ANY
from carrel.models.steps.language.chinese.around import around_zh
from carrel.models.steps.language.chinese.branches import IF
from carrel.models.steps.language.chinese.clauses import (
    CHECKING,
    clauses_zh,
    is_bound_zh,
    joints_zh,
)
from carrel.models.steps.language.chinese.exceptions import excepted_zh
from carrel.models.steps.language.chinese.manners import bare_zh
from carrel.models.steps.language.chinese.nouns import strays
from carrel.models.steps.language.chinese.together import in_order, is_clear_zh, take
from carrel.models.steps.language.chinese.verbs import is_clause, read_clause_zh
from carrel.models.steps.language.chinese.wording import as_said, worded_zh
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.program import Step, Unclear

__all__ = ["read_chinese"]


_UNCHANGED = re.compile(
    r"[，,]\s*(?:其他|其它|其余|别的)(?:的|项|选项|设置|内容)?(?:都|均)?(?:保持)?(?:不变|不动|不改|默认|不填|不用填|不选|留空)(?=[，,]|$)"
)
_AS_IT_IS = re.compile(
    r"[，,]\s*[^，,]{1,10}?(?:(?:就|都)?(?:用|取|按|使用)(?:系统)?默认(?:的|值|设置)?(?:即可|就行)?|保持(?:[\ue000-\ue7ff]|原样|默认|原来的?|现状)?(?:不变|即可)?|(?:保持[^，,]{1,6})?(?:不|别)(?:用|要|必)?(?:改|动|管|变|碰)|(?<!要)留着)(?=[，,]|$)"
)
_NOTHING = re.compile(
    r"(?:什么[都也]不|不)(?:填写?|输入?|选择?|做|改)(?:任何|什么|其他)?(?:内容|东西|信息|字段|文字|修改)?[，,]?\s*"
    r"(?:(?:就|而)?直接|(?<=[，,])\s*)(?=点|单|按|提交)"
)
_IF_INSIDE = re.compile(
    rf"^(?P<place>(?![点按选输填勾关]|打(?!印机))[^，,、]{{1,24}}?){IF}(?=[^，,]+(?:[，,]|就|则))"
)


def read_chinese(sentence: str, talk: Talk) -> list[Step]:
    """The steps of one masked Chinese sentence; what no rule takes is an `Unclear` step."""
    worded = _worded(sentence, talk)
    steps = _read_plain(worded, talk)
    if worded == sentence:
        return steps
    return as_said(steps, talk.atoms.original(worded), talk.atoms.original(sentence))


def _worded(sentence: str, talk: Talk) -> str:
    """The sentence in the words that the rules know, also where one wording asks for another."""
    for _ in range(MOST_WORDINGS):
        worded = worded_zh(sentence, talk)
        if worded == sentence:
            break
        sentence = worded
    return sentence


def _read_plain(sentence: str, talk: Talk) -> list[Step]:
    kept = talk.mark()
    steps = _read(sentence, talk)
    if not steps or is_clear_zh(sentence, steps, talk) or talk.trying:
        return steps
    aside = talk.aside[kept[0] :]
    if found := _searched(bare_zh(sentence), talk):
        return found
    talk.aside += aside
    if not holds_unclear(steps) and (lost := strays(steps)):
        words = talk.atoms.original(sentence)
        return [Unclear(why=f"“{words}”: what is “{lost}”? one name goes in quotes", words=words)]
    return steps


def _read(sentence: str, talk: Talk) -> list[Step]:
    text = _IF_INSIDE.sub(r"如果\g<place>", bare_zh(sentence))
    if idle := _NOTHING.match(text):
        talk.put_aside(idle[0])
        text = text[idle.end() :]
    if unchanged := _UNCHANGED.search(text):
        talk.put_aside(unchanged[0])
        text = text[: unchanged.start()] + text[unchanged.end() :]
    if kept := _AS_IT_IS.search(text):
        talk.put_aside(kept[0])
        text = text[: kept.start()] + text[kept.end() :]
    if not text:
        return []
    if steps := _forbidden(text, talk):
        return steps
    try:
        if steps := excepted_zh(text, talk, read_chinese):
            return steps
        if steps := around_zh(text, talk, read_chinese):
            return steps
    except NotUnderstood as error:
        words = talk.atoms.original(text)
        return [Unclear(why=f"“{words}”: {error}", words=words)]
    parts = clauses_zh(text, talk.atoms)
    if len(parts) > 1:
        return in_order(parts, talk, read_chinese)
    return _clause(bare_zh(parts[0]), talk)


_SCOPED = re.compile(
    r"如果|若|假如|要是|除非|否则|不然|一旦|只要|每(?!页)|重复|循环|一直|直到|反复|逐|不要|别(?!名)|请勿|除了|当(?![前天日])|按住"
)
"""Words whose reach over what follows is for their own rules to tell."""


def _searched(text: str, talk: Talk) -> list[Step] | None:
    """The steps where the sentence is cut so that every part is read, and all its words count."""
    if _SCOPED.search(text):
        return None
    kept, talk.trying = talk.mark(), True
    try:
        return _read_on([], text, talk, set())
    except NotUnderstood:
        talk.back_to(kept)
        return None
    finally:
        talk.trying = False


def _ends(rest: str) -> list[tuple[int, int]]:
    """Where the next part may end, and where the one after it begins, in the order of trying."""
    cuts = [(joint.start(), joint.end()) for joint in joints_zh(rest, wide=True)]
    cuts.append((len(rest), len(rest)))
    # What is checked goes as far as it can: 有“苹果”，但没有“香蕉” is one claim.
    return cuts[::-1] if CHECKING.match(bare_zh(rest)) else cuts


def _read_on(steps: list[Step], rest: str, talk: Talk, lost: set[str]) -> list[Step] | None:
    if rest in lost or len(lost) > MOST_CUTS:
        return None
    for end, start in _ends(rest):
        part, after = rest[:end], rest[start:]
        if _NAMES_ONLY.fullmatch(part) or (end == len(rest) and not steps):
            continue
        if after and is_bound_zh(part, rest[end:start], after):
            continue
        kept, added = talk.mark(), list(steps)
        take(added, part, talk, read_chinese)
        if is_clear_zh(part, added, talk) and (
            end == len(rest) or (added := _read_on(added, after, talk, lost) or [])
        ):
            return added
        talk.back_to(kept)
    lost.add(rest)
    return None


_NAMES_ONLY = re.compile(rf"(?:{ANY}|\s|[、和与及]|按钮|选项|[两二三四]?[个项])*")
"""Of a list: no claim that they can be seen."""
MOST_WORDINGS = 6
"""So many times a sentence is put into other words."""
MOST_CUTS = 12
"""So many ends of a sentence are tried; one that is longer is not understood."""


def _forbidden(text: str, talk: Talk) -> list[Step] | None:
    """不要点取消，点确定: what not to do, and what to do instead."""
    found = re.match(
        r"(?:不要|不准|请勿|不许|别)(?P<act>[^，,]+)(?:[，,]\s*(?P<rest>.+))?$", text, re.DOTALL
    )
    if found is None or not is_clause(found["act"]):
        return None
    words = talk.atoms.original(text[: found.end("act")])
    refused = Unclear(why=f"“{words}”: what not to do is no step", words=words)
    talk.forbidden.append((refused, tuple(read_chinese(found["act"], talk))))
    return [refused, *(read_chinese(found["rest"], talk) if found["rest"] else [])]


def _clause(text: str, talk: Talk) -> list[Step]:
    words = talk.atoms.original(text)
    try:
        steps = read_clause_zh(text, talk)
    except NotUnderstood as error:
        return [Unclear(why=f"“{words}”: {error}", words=words)]
    return [step if step.words else replace(step, words=words) for step in steps]
