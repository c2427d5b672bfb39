"""Deeds that no rule reads, and that what is on the screen may make clear."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from carrel.models.steps.language.chinese.unread import may_be_left_zh
from carrel.models.steps.language.held import claim_of
from carrel.models.steps.language.words import bare, nearest_verb, verb_at
from carrel.models.steps.phrases.small_words import ACTS, EXACT, GRAMMAR, KINDS, SETS
from carrel.models.steps.program import Step, Unclear, Worded

__all__ = ["as_worded", "tells_alone"]

LEAST = 3
"""Words: a verb, and two that tell of what."""
_QUOTES = re.compile(r"[\"“”]")
_QUOTED = re.compile(r"[\"“][^\"“”]*[\"”]")
_SEVERAL = re.compile(r"[.;:!?,]\s|[{}\n]|\d[./-]\d|\band\b")
_SENTENCES = re.compile(r"[.;:!?]\s|[{}\n\[\]()<>=*`]|\d[./-]\d|[\u3400-\u9fff]")
"""What stands in more than one plain demand, or in what is no word."""
_VALUE = re.compile(r"[\"“”\d]|(?<=\w )[A-Z]|\b(?:on|off)\b")
"""What a control may be given: a text, a number, a name, or to be on."""
_OPEN = frozenset(
    {"next", "previous", "today", "tomorrow", "yesterday", "from", "so", "above", "below"}
)
"""Words for what a rule has to know: days, what was there before, what comes of it, where it is."""
_GIVES = SETS - {"sort", "send", "order"} | {
    *("set", "change", "make", "show", "switch", "turn", "choose", "select", "pick", "use", "put"),
    *("view", "display"),
}
_LEADS = re.compile(r"^(?:(?:please|now|then|next|and|finally|only)\s+)+", re.IGNORECASE)


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MEANS = _listed("with by using via through")
_BACK = _listed("it them this that these those one ones him her he she they")
"""What was spoken of before, which no word on the screen tells."""
_LEFT_OPEN = _listed(
    "but however otherwise else rather same likewise similarly respectively accordingly also too "
    "whichever whatever wherever whoever whose who what why how provided case once whenever when "
    "where till later soon still yet already wait during should would could might may must maybe "
    "perhaps whether possibly about roughly approximately almost more less fewer most least enough "
    "some any both several few many everything everyone anything something nothing nobody rest "
    "remaining result results answer sum total average half double difference plus minus per "
    "percent earlier current existing old new original own correct right wrong proper suitable "
    "appropriate random password passcode pin secret token up down left over away forward forwards "
    "backward backwards higher lower top bottom beside between near inside outside ago hence "
    "keep keeping leave leaving avoid avoiding cannot can ensure sure see check verify confirm "
    "which because since though although unlike like try"
)
_BOUNDS = (EXACT - {"and"}) | _OPEN | _LEFT_OPEN
"""Words that bound a demand, turn it, or leave to somebody else what is meant."""
_ELSEWHERE = _listed(
    "run read wait verify find seek tell repeat let answer compute again draw drag move hover "
    "double right middle triple scroll copy cut paste highlight look keep resize back reload "
    "arrive named say there navigate position"
)
"""Verbs of hands and eyes for which nothing on the screen stands."""
_TAKEN = _listed("take get save store record note return retry draw")
"""Of these, the words that are as well for what is done with a button."""
_OBJECT = re.compile(
    r"(?P<verb>[A-Za-z]+)\s+(?:(?:the|an?|my|our|your|his|her|their|its|this|that)\s|[\"“A-Z\d])"
)
_SURE = re.compile(r"\b(?:is|are|was|were|be|been|being|has|have|had|does|do|did)\b", re.IGNORECASE)
"""What says how something is, and is no demand."""


def as_worded(steps: Iterable[Step], *, among: bool | None = None) -> list[Step]:
    """The steps, where deeds that no rule reads are left to what the screen tells at their turn.

    Args:
        steps: As they were read.
        among: Whether other steps of the same instruction are understood; by default it is seen
            from these.
    """
    listed = list(steps)
    if among is None:
        among = any(not isinstance(step, Unclear) for step in listed)
    whole = len(listed) == 1
    return [_worded(step, among, whole) if isinstance(step, Unclear) else step for step in listed]


def _worded(step: Unclear, among: bool, whole: bool) -> Step:
    left = _may_be_left(step.words, whole) or may_be_left_zh(step.words)
    if tells_alone(step.words) or (among and left):
        return replace(Worded(step.why), line=step.line, words=step.words)
    return step


def tells_alone(words: str) -> bool:
    """Whether it is one plain demand that something have a value, with no word that bounds it."""
    if len(_QUOTES.findall(words)) % 2 or _SEVERAL.search(words):
        return False
    plain = _LEADS.sub("", words)
    spoken = _words(plain)
    if len(spoken) < LEAST or (EXACT | _OPEN) & set(spoken) - {"off", "only"}:
        return False
    return spoken[0] in _GIVES and _VALUE.search(plain) is not None


def _may_be_left(words: str, whole: bool) -> bool:
    """Whether it is a deed whose words can all be looked for on the screen.

    What is said behind other things, with a verb that nobody knows, may belong to them: "delete
    everything, bar the newsletter".
    """
    plain = bare(words)
    unquoted = _QUOTED.sub(" ", plain)
    if _QUOTES.search(unquoted) or _SENTENCES.search(unquoted) or claim_of(words):
        return False
    spoken = _words(unquoted)
    if not spoken or _BOUNDS & set(spoken) or _SURE.search(unquoted) or not _is_deed(plain, whole):
        return False
    telling = [word for word in spoken[1:] if word not in GRAMMAR | KINDS | ACTS]
    told = len(telling) + len(_QUOTED.findall(plain))
    # "delete it": what that is was to be told before, and no button of that name knows it.
    return told > 0 and (not _BACK & set(spoken) or bool(_MEANS & set(spoken)) or told > 1)


def _is_deed(plain: str, whole: bool) -> bool:
    """Whether it begins with a verb: one that is known, or that no known one is misspelled as."""
    known = verb_at(plain)
    if known is None:
        found = _OBJECT.match(plain) if whole else None
        verb = found["verb"].casefold() if found is not None else "the"
        return verb not in GRAMMAR | EXACT and nearest_verb(verb) is None
    meaning, said, _ = known
    if meaning == "enter" and said.casefold() != "complete":
        # What is only described is not typed.
        return _QUOTED.search(plain) is not None
    return meaning not in _ELSEWHERE or said.casefold() in _TAKEN


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
