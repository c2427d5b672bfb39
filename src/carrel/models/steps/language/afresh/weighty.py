"""Words that turn what is said into something else: no plainer words may do without them."""

from __future__ import annotations

import re

__all__ = ["is_weighty", "keeps_weight"]

_WEIGHTY = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        (
            r"\b(?:not|never|cannot|no|none|nobody|nothing|neither|nor|without|avoid|refrain|stop|"
            r"skip|leave\s+out|(?:rather|other)\s+than|instead\s+of|nowhere)\b|n['’]t\b|"
            r"不(?!同|错)|别(?!的|人|名|处)|勿|没|无|未|莫"
        ),
        r"\b(?:except|excluding|apart\s+from|aside\s+from|other\s+than|unless)\b|除",
        r"\b(?:if|unless|whether|in\s+case|provided)\b|如果|若|要是|假如|倘",
        r"\b(?:only|at\s+least|at\s+most|more\s+than|less\s+than|fewer)\b|只(?!读)|仅|至少|至多|最多",
    )
)
"""Denials, exceptions, conditions and bounds."""
_OBLIGED = re.compile(
    r"\byou(?:['’]ll)?\s+(?:first\s+)?(?:will\s+|may\s+|might\s+)?(?:first\s+)?"
    r"(?:must|have\s+to|need\s+to|should)\s+(?:first\s+)?(?P<act>\w+)",
    re.IGNORECASE,
)
_MEANS = frozenset(["scroll", "look", "search", "wait", "move", "go", "do"])
"""What has to be done on the way to a thing is seen to where the thing is looked for."""
_FORBIDDEN = re.compile(
    r"(?:\bdo\s+not|\bdon['’]?t|\bnever|\bavoid|\brefrain\s+from|"
    r"\byou\s+(?:must|should|may|can|are|were)(?:\s+not|n['’]t))\s+(?!forget\b|save\b)[^,.;:]+|"
    r"(?:不要|不准|勿|不许|不得|不可|别)(?!忘)[^，,。；;]+",
    re.IGNORECASE,
)
"""What shall not be done, with all that says when: cut up, half of it would be left to do."""
_RIGHTS = re.compile(
    r"\b(?:do\s+not|don['’]t|never)\s+(?:let|allow|permit)\s+(?!me\b|us\b|it\b)(?=\w+\s)"
    r"|\b(?:stop|ban|block|keep|prevent)\s+(?=\w+\s+from\s+\w+ing\b)",
    re.IGNORECASE,
)
"""What others shall not be allowed to do, which is done by forbidding it."""
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")
_LIGHT = re.compile(
    r"\b(?:it|that)\s+(?:does\s+not|doesn['’]t)\s+matter\s+(?:which|where|how|when)(?:\s+one)?\b|"
    r"\b(?:is\s+not|isn['’]t|(?:are\s+not|aren['’]t)|no\s+longer)\s+(?:needed|wanted)"
    r"(?:\s+any\s?more)?\b|"
    r"\b(?:do\s+not|don['’]t|never)\s+forget\b|\b(?:do\s+not|don['’]t|not\s+to)\s+save\b|"
    r"\bwhether\s+(?:to|you\s+want\s+to)\s+save\b|\busing\s+only\b|"
    r"别忘(?:了|记)|不要忘(?:了|记)|无论|不管|没用了|不需要的|不要的|只应有|"
    r"了没有?(?=[？?。！]|$)|(?:^|[，,；。])\s*(?:再|然后|请|帮我)*只(?:看|保留|留)",
    re.IGNORECASE,
)
"""What only sounds like one: plainer words say it otherwise."""


_CLAIMED = re.compile(
    r"\b(?:verify|assert|validate|expect|check\s+(?:that|whether|if)|confirm\s+that|make\s+sure|ensure)\b",
    re.IGNORECASE,
)


_TOLD = re.compile(
    r"\bonly\s+after\b|\b(?:I|we)\s+(?:don['’]?t|do\s+not|no\s+longer)\s+need\b"
    r"|(?-i:(?<=[a-z,;:]\s)[A-Z][\w-]*)",
    re.IGNORECASE,
)
"""Order in time, what somebody has no use for, and names: nothing is denied of the deed by them."""


def is_weighty(said: str) -> bool:
    """Whether it denies, excepts, conditions, bounds or claims anything."""
    told = _TOLD.sub(" ", said)
    return _CLAIMED.search(told) is not None or any(w.search(told) for w in _WEIGHTY)


def keeps_weight(said: str, worded: str) -> bool:
    """Whether plainer words deny, except, condition, bound and demand all that was said.

    Args:
        said: As the person said it, names masked.
        worded: The same in plainer words, likewise masked.
    """
    said = _RIGHTS.sub("forbid ", said)
    if len(re.findall(r"\bforbid\b", worded)) < len(re.findall(r"\bforbid\b", said)):
        return False
    heavy = _LIGHT.sub(" ", said)
    if any(len(words.findall(worded)) < len(words.findall(heavy)) for words in _WEIGHTY):
        return False
    if any(_plain(found[0]) not in _plain(worded) for found in _FORBIDDEN.finditer(said)):
        return False
    wanted = {found["act"].lower() for found in _OBLIGED.finditer(said)} - _MEANS
    if any(act not in worded.lower() for act in wanted):
        return False
    return set(_NUMBER.findall(said)) <= set(_NUMBER.findall(worded))


def _plain(words: str) -> str:
    return " ".join(words.lower().split()).rstrip("!? ")
