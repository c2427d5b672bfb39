"""Signing in, told in any order: the act, the user and the password, each in words of its own."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import ANY, QUOTE

__all__ = ["SIGNING_IN"]

_THE = r"(?:(?:the|a|my|your|his|her|their|this|following)\s+)*"
_SMALL = (
    r"(?:and|or|with|is|as|the|a|an|for|in|into|of|to|on|then|using|field|fields|box|boxes|"
    r"password|"
    r"user|username|button|page|form|account|it|them|both|please|that|which|should|must|here|"
    r"below|above|shown|given|from)\b"
)
_VALUE = rf"(?:{QUOTE}|{ANY}|(?!{_SMALL})[^\s,;:\ue000-\uf8ff]*[^\s,;:.!?\ue000-\uf8ff])"
_USER = (
    r"(?:user\s?-?(?:name|id)?|name|login(?:\s?name)?|e-?mail(?:\s+address)?|account(?:\s+name)?|"
    r"member(?:\s+name)?|handle|nick\s?name)"
)
_KEY_WORD = r"(?:pass\s?-?(?:word|code|phrase)|pin)"
_IS = (
    r"(?:\s+(?:to\s+use|for\s+(?:it|that|this)(?:\s+(?:account|user))?|you\s+need|"
    r"needed))?(?:\s*[:=]|\s+(?:is|being|of|called|named|should\s+be|will\s+be|reads))?"
)
_ENTRY = r"(?:(?:enter|type|fill\s+in|use|put\s+in|provide|give|supply|write)\s+)?"


def _told(noun: str, group: str) -> str:
    """`the NOUN is X`, `X as the NOUN`, `X for NOUN`."""
    return (
        rf"{_ENTRY}{_THE}{noun}{_IS}\s+(?P<{group}1>{_VALUE})"
        rf"|{_ENTRY}(?P<{group}2>{_VALUE})\s+(?:(?:is|as|for|being|into|in)\s+){_THE}{noun}"
        r"(?:\s+(?:field|box))?"
    )


_ACT = (
    r"(?:log|sign)(?:ging|ing)?(?:\s+me)?[\s-]?(?:in|on|into)(?:\s*to)?\b|access(?=\s)|login\b|"
    r"authenticate\b|"
    r"(?:get|gain)\s+(?:in|access)\b|get\s+me\s+logged\s+in\b"
)
_ON = (
    rf"(?:(?:\s+(?:to|into|on|at))?\s+{_THE}(?:site|page|website|app|application|system|"
    rf"account(?!\s+(?:of|belonging|for)\b)|portal|service))?"
)
_AS = rf"as\s+{_THE}(?:user\s+|member\s+)?(?P<as>{_VALUE})"
_OF = (
    rf"(?:(?:in)?to\s+)?{_THE}account\s+(?:of|belonging\s+to|for)\s+{_THE}(?:{_USER}\s+"
    rf")?(?P<of>{_VALUE})"
)
_OWN = rf"(?:(?:in)?to\s+)?(?P<own>{_VALUE})['’]s\s+account"
_GLUE = (
    r"(?:just\s+)?(?:put|fill|type|enter)\s+(?:those|these|them|both)\s+in(?:to)?(?:\s+the\s+(?:boxes|fields|form))?|"
    r"fill\s+in\s+the\s+(?:text\s+|two\s+)?(?:fields|boxes)|(?:can|could)\s+you|for\s+me|just|[?]|"
    r"[,.;:()-]|and|with|using|by|use|then|please|to|here|are|both|when|you|do|so|for|it|them|"
    r"those|these|"
    r"(?:the\s+)?(?:following\s+)?(?:credentials|login\s+data|details|log-?in)|"
    r"(?:press|hit|click|push|tap|choose)(?:\s+on)?(?=\s+(?:the\s+)?[\"“]?log|\s+(?:the\s+)?sign)|"
    r"(?:the\s+)?button|in|after\s+that|afterwards|want|i|need|would|like"
)
_PART = re.compile(
    rf"\s*(?:(?P<of_all>{_OF})|(?P<own_all>{_OWN})|(?P<act>(?:the\s+)?(?:{_ACT}){_ON})"
    rf"|(?P<pass_all>{_told(_KEY_WORD, 'pass')})"
    rf"|(?P<user_all>{_told(_USER, 'user')})|(?P<as_all>{_AS})"
    rf"|(?P<glue>(?:{_GLUE})(?![\w])|[,.;:()-]))",
    re.IGNORECASE,
)
_MENTIONED = re.compile(rf"\b(?:{_ACT})|\b{_KEY_WORD}\b", re.IGNORECASE)
_NEXT = re.compile(r"(?:^|(?<=[.!?]\s))", re.IGNORECASE)


def _plainly(found: re.Match[str]) -> str:
    """The whole text, where it begins by telling all three, in the plain order."""
    text = found[0]
    if len(_MENTIONED.findall(text)) < 2:
        return text
    at, held = 0, {"act": "", "user": "", "pass": ""}
    ended = 0
    while part := _PART.match(text, at):
        group, value = _value(part)
        if group and (held[group] and value and held[group] != value):
            return text
        if group:
            held[group] = held[group] or value or "said"
        at = part.end()
        if all(held.values()) and group:
            ended = at
        if all(held.values()) and text[at - 1 : at] in ".;":
            ended = at
            break
    if not ended:
        return text
    rest = re.sub(r"^[\s,.;:]*(?:(?:and|then)\s+)*", "", text[ended:])
    said = f"Log in with the username {held['user']} and the password {held['pass']}"
    return f"{said}. {rest[:1].upper()}{rest[1:]}".rstrip() if rest else f"{said}."


def _value(part: re.Match[str]) -> tuple[str, str]:
    """What a part tells of: the act, the user or the password, and its value."""
    if part["glue"]:
        return "", ""
    if part["act"]:
        return "act", ""
    for group in ("pass1", "pass2"):
        if part[group]:
            return "pass", part[group]
    return "user", next(part[g] for g in ("user1", "user2", "as", "of", "own") if part[g])


SIGNING_IN: tuple[Turn, ...] = (turn(r"^.+$", _plainly),)
