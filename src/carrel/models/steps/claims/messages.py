"""Messages: what a screen says of what was done, told by their sort or in other words.

"A confirmation message is shown" names no text, and "a message says that the settings were saved"
not the very words. What came with the last step, or is called a message by its page, is held
against them: by what such messages say, or by all the words that carry the meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.program import Condition, Has, Shows
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["is_any_message", "message_fits"]

_SORT = re.compile(
    r"(?:the |an? |some )?(?:(?P<good>confirmation|success|confirming)|(?P<bad>error|validation|"
    r"warning))(?: (?:message|notification|notice|toast|alert|banner|text|pop-?up|snack ?bar))?|"
    r"(?:the |an? |some )(?:message|notification|notice|toast|alert|banner)"
    r"|(?:一[条个])?(?:(?P<well>成功|确认)|(?P<ill>错误|失败|警告|校验))的?(?:提示(?:信息)?|消息|信息|通知)",
    re.IGNORECASE,
)
_GOOD = re.compile(
    r"\b(?:success\w*|saved|sent|added|created|updated|deleted|removed|thanks?|thank you|done|"
    r"complete[d]?|confirmed|placed|submitted|booked|registered|changed|welcome|received|approved|"
    r"published|uploaded|copied|subscribed|scheduled|accepted)\b|成功|完成|感谢|已\w",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:errors?|invalid|required|must|fail(?:ed|s|ure)?|cannot|can['’]?t|wrong|incorrect|missing|"
    r"(?:is|are|was|were|do|does|did|could|has|have) not|not (?:valid|found|allowed|possible)|"
    r"unable|denied|already|too (?:short|long|many|few)|"
    r"please (?:enter|select|choose|fill|provide|correct|try|specify))\b"
    r"|错误|失败|无效|不能|必须|请(?:输入|选择|填写)|不正确|不可|有误",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"(?:the |your |my |an? |all |it )?[^\"“”]*\b(?:was|were|is|are|has|have|had|been|will be)\b.+",
    re.IGNORECASE,
)
"""A whole sentence, as it is told of a message without quoting it."""
_WEAK = frozenset(
    stems(
        "was were is are has have had been be will that the a an to of in on at by for it you your "
        "my there successfully now"
    )
)
_DENIED = re.compile(r"\b(?:not|no|never|cannot|without|un\w+ed)\b|n['’]t\b", re.IGNORECASE)
LEAST = 2
"""Words with a meaning that a sentence has to have to be told in other words."""
LONGEST = 240


def is_any_message(phrase: str) -> bool:
    """Whether whatever message there is is meant: not any text is one."""
    return (
        re.fullmatch(r"(?:the|an?|some) (?:message|notice)", phrase.strip(), re.IGNORECASE)
        is not None
    )


def message_fits(desk: Desk, condition: Condition) -> str | None:
    """What a message says that is meant by a claim; None where there is none, or it means another.

    Args:
        desk: What is there, and what was there before the last step.
        condition: That a message is shown, or that one tells something.
    """
    if isinstance(condition, Shows):
        sort = _SORT.fullmatch(condition.what.strip())
        if sort is not None:
            return next((said for said in _new(desk) if _is_of_sort(sort, said)), None)
        return _in_other_words(desk, condition.what.strip('[]"“” '))
    told = isinstance(condition, Has) and condition.how == "contains"
    if isinstance(condition, Has) and told and _SORT.fullmatch(condition.what.strip()):
        return _in_other_words(desk, condition.text)
    return None


def _is_of_sort(sort: re.Match[str], said: str) -> bool:
    if sort["bad"] or sort["ill"]:
        return _BAD.search(said) is not None
    good = _GOOD.search(said) is not None and _BAD.search(said) is None
    return good or not (sort["good"] or sort["well"])


def _new(desk: Desk) -> Iterator[str]:
    """What is called a message by its page, and texts that came with the last step."""
    before = {written_on(e) for e in desk.earlier}
    for element in part_meant(desk.elements, ""):
        said = " ".join(written_on(element).split())
        if not said or len(said) > LONGEST:
            continue
        told = element.role in ("alert", "notification")
        if told or (_is_sentence(element, said) and written_on(element) not in before):
            yield said


def _is_sentence(element: Element, said: str) -> bool:
    """Whether it says something: a text of some words that is good or bad news."""
    if kind_of(element) not in (Kind.TEXT, Kind.HEADING):
        return False
    return _GOOD.search(said) is not None or _BAD.search(said) is not None


def _in_other_words(desk: Desk, claim: str) -> str | None:
    """The text that has every word of a sentence which carries its meaning, and denies no more."""
    wanted = frozenset(stems(claim)) - _WEAK
    quoted = re.search(rf"[\"“]{re.escape(claim)}[\"”]", desk.step) is not None
    # What "it" is, the place says that is spoken of.
    least = (
        1 if desk.scope is not None and re.match(r"(?:it|they)\b", claim, re.IGNORECASE) else LEAST
    )
    if quoted or len(wanted) < least or _TOLD.fullmatch(claim) is None:
        return None
    for element in part_meant(desk.elements, ""):
        said = " ".join(written_on(element).split())
        if kind_of(element) not in (Kind.TEXT, Kind.HEADING, Kind.DIALOG) or len(said) > LONGEST:
            continue
        denies = bool(_DENIED.search(said)) != bool(_DENIED.search(claim))
        if wanted <= frozenset(stems(said)) and not denies:
            return said
    return None
