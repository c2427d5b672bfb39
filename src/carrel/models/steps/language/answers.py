"""Questions and checks whose answer decides what is done: `Is X shown? If so, …`."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.claim_parts import SEEN, STATE
from carrel.models.steps.language.words import bare

__all__ = ["decided", "with_answers"]

_LIMIT = r"(?:below|above|under|over|less than|more than|at least|at most)\s+[^\w\s]?\d\S*"
_IS = re.compile(
    rf"(?P<be>is|are)\s+(?P<what>.+?)\s+(?P<state>{STATE}|{SEEN}|{_LIMIT})\?", re.IGNORECASE
)
_IS_IN = re.compile(
    rf"(?P<be>is|are)\s+(?P<what>{QUOTE}|(?:the|an?)\s.+?)\s+(?P<where>(?:in|on|under|below|above)\s+(?:the|this)\s.+)\?",
    re.IGNORECASE,
)
_IS_THERE = re.compile(r"(?P<be>is|are)\s+there\s+(?P<what>.+)\?", re.IGNORECASE)
_DOES = re.compile(
    r"(?:does|do)\s+(?P<what>.+?)\s+(?P<say>say|show|contain|read|appear|include|exist)"
    r"(?P<rest>\s.+)?\?",
    re.IGNORECASE,
)
_SEE = re.compile(r"(?:(?:can|do)\s+you\s+)?see\s+(?P<what>.+)\?", re.IGNORECASE)
_BE = r"(?:it|they|he|she|this|that|there)"
_SO = (
    rf"(?:so|yes|{_BE}\s+(?:is|are|does|do|has|have|was|were)(?=\s*[,:])|you\s+do|"
    r"that\s+is\s+the\s+case|true)"
)
_NOT_SO = (
    rf"(?:not|no|{_BE}\s+(?:is|are|does|do|has|have|was|were)(?:n['’]t|\s+not|\s+no)"
    r"(?=\s*[,:])|you\s+"
    r"(?:don['’]t|do\s+not)|that\s+is\s+not\s+the\s+case|false)"
)
_YES = re.compile(
    rf"(?:if\s+{_SO}|in\s+that\s+case|then)[,:]?\s+(?P<act>\S.*)", re.IGNORECASE | re.DOTALL
)
_NO = re.compile(rf"if\s+{_NOT_SO}[,:]?\s+(?P<act>\S.*)", re.IGNORECASE | re.DOTALL)
_LOOK = re.compile(
    r"(?:check|see|look|verify|find out|make sure|ensure|confirm|determine)\s+(?P<if>whether|if|"
    r"that)?\s*(?P<claim>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_JOINT = re.compile(
    rf"\s*[,;:]?\s+(?:and,?\s+|but\s+)?(?=if\s+(?:{_SO}|{_NOT_SO})[\s,:])", re.IGNORECASE
)


def _as_claim(question: str) -> str | None:
    if found := _IS_THERE.fullmatch(question):
        return f"there {found['be'].lower()} {found['what']}"
    if found := _IS.fullmatch(question):
        return f"{found['what']} {found['be'].lower()} {found['state']}"
    if found := _IS_IN.fullmatch(question):
        return f"{found['what']} {found['be'].lower()} visible {found['where']}"
    if found := _DOES.fullmatch(question):
        return f"{found['what']} {found['say'].lower()}s{found['rest'] or ''}"
    if found := _SEE.fullmatch(question):
        return f"{found['what']} is visible"
    return None


def _looked_at(text: str, answer: re.Match[str] | None) -> str | None:
    """What is looked at, where what follows says what to do then: `check whether X`."""
    found = _LOOK.fullmatch(bare(text))
    if found is None or answer is None:
        return None
    word = (found["if"] or "").lower()
    # "check that X; if so, …" goes on only where it is so anyway.
    return found["claim"].rstrip(" ,.;:") if word in ("whether", "if") or answer.re is _NO else None


def with_answers(parts: list[str]) -> list[str]:
    """Sentences, where a question and what is done on its answer are one: `if …, …`."""
    joined: list[str] = []
    for part in parts:
        answer = _NO.fullmatch(part) or _YES.fullmatch(part)
        claim = _as_claim(_bare_question(joined[-1])) if joined else None
        if claim is None and joined and not re.match(r"then\b", part, re.IGNORECASE):
            claim = _looked_at(joined[-1], answer)
        if claim is None or answer is None:
            joined.append(part)
            continue
        word = "if" if answer.re is _YES else "unless"
        joined[-1] = f"{word} {claim}, {answer['act']}"
    return [_wanted(part) for part in joined]


def _wanted(part: str) -> str:
    """A question that nothing is done on wants to be told: `Is Save enabled?`."""
    claim = _as_claim(_bare_question(part))
    return f"tell me whether {claim}" if claim else part


def decided(text: str) -> str:
    """`Check whether X, and if so, do Y`: if X, do Y; what is before it stays."""
    joint = _JOINT.search(text)
    if joint is None:
        return text
    before, answered = text[: joint.start()], text[joint.end() :]
    answer = _NO.fullmatch(answered) or _YES.fullmatch(answered)
    looks = list(
        re.finditer(r"(?:^|,\s+(?:and\s+|then\s+)*|\s(?:and|then)\s+(?:then\s+)?)", before)
    )
    for look in reversed(looks):
        claim = _looked_at(before[look.end() :], answer)
        if claim and answer:
            word = "if" if answer.re is _YES else "unless"
            return f"{before[: look.end()]}{word} {claim}, {answer['act']}"
    return text


def _bare_question(text: str) -> str:
    """A question without what leads to it, its mark kept."""
    return f"{bare(text)}?" if text.rstrip().endswith("?") else text
