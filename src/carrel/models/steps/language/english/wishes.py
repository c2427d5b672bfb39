"""English sentences that say what must be so or become so: stated, wished for, in the passive."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.appearances import CAME, COLOURS, WENT
from carrel.models.steps.language.english.claim_parts import shown
from carrel.models.steps.language.english.predicates import uncontracted
from carrel.models.steps.language.english.reader import Reader, condition_of, imperative
from carrel.models.steps.language.english.waiting import checked, verify
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.language.words import verb_at
from carrel.models.steps.phrases.owners import owner_of
from carrel.models.steps.program import (
    Check,
    Condition,
    Has,
    Not,
    Perform,
    SetValue,
    Shows,
    Step,
)

__all__ = ["STATED", "leads_to", "passive", "slid_until", "stated", "wanted"]

_WANTED = re.compile(
    r"(?:make sure|ensure|see to it|be sure|(?P<who>[\w'’-]+\s+)?wants?)(?:\s+that)?\s+"
    r"(?P<what>.+?)\s+"
    r"(?:is|are|gets?|to be|to get)\s+(?P<act>\w+)(?P<rest>\b.*)",
    re.IGNORECASE | re.DOTALL,
)


# "ensure that the field is marked as invalid": what must be so, and nothing to be done.
_CLAIMED = re.compile(
    r"(?:make sure|ensure|be sure)\s+that\s.+\s(?:marked|flagged)\s+as\s", re.IGNORECASE
)


_WANTS = re.compile(
    r"(?P<who>[A-Z][\w-]+(?: [A-Z][\w-]+)?) (?:wants|needs|would like|asked for|is asking for|"
    r"requested|should (?:get|have|receive)|must (?:get|have))(?: to (?:see|get|have))? "
    r"(?P<what>(?:the|an?|that) .+)",
)


def wanted(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Make sure the mail by Ann is forwarded to Bob`, `Ann wants her mail to be sent to Bob`."""
    given = _WANTS.fullmatch(text)
    if given is not None and owner_of(given["what"]) is not None:
        return [Perform("send", talk.phrase(given["what"]), (("to", given["who"]),))]
    found = _WANTED.fullmatch(text)
    verb = verb_at(f"{found['act']} {found['rest'].strip()}") if found else None
    if found is None or verb is None or not verb[0].startswith("own:"):
        return None
    if not found["who"] and not re.match(r"\s+(?:to|with|as|from|by)\s", found["rest"]):
        # "make sure the order is cancelled" is a check, and nothing shows that it is so.
        return None
    if re.search(r"\sthat\s", found["what"]) or _CLAIMED.match(text):
        return None
    what = re.sub(r"^The\b", "the", found["what"])
    if found["who"]:
        what = re.sub(r"^(?:his or her|his|her|their)\b", f"{found['who'].strip()}'s", what)
    return read(f"{verb[1]} {what} {found['rest'].strip()}", talk)


_SLID = re.compile(
    r"(?:set|move|drag|slide|adjust|turn|push|pull|bring)\s+(?P<what>(?:the|its|this)\s[^,;]*?"
    r"(?:slider|knob|dial|handle|thumb|wheel|stepper|spinner))"
    r"(?:\s+(?:to\s+the\s+)?(?:left|right|up|down)(?:wards?)?)?\s*,?\s+(?:so|until|till|such)"
    r"(?:\s+that)?\s+(?P<whose>the\s[^,;]+?)\s+(?:reads?|shows?|says?|displays?|is(?:\s+at)?|"
    rf"becomes|reaches|equals)\s+(?P<value>{QUOTE}|[^\w\s]?\d[\d.,]*\s?[^\w\s]?)",
    re.IGNORECASE,
)


def slid_until(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Drag the slider until the price reads 40`: brought there, and what is seen then."""
    found = _SLID.fullmatch(text)
    if found is None:
        return None
    condition = condition_of(text[found.start("whose") :], talk)
    if condition is None:
        return None
    value = talk.text(found["value"]).strip()
    talk.put_aside(text[found.end("what") : found.start("whose")])
    words = talk.atoms.original(text)
    return [SetValue(talk.phrase(found["what"]), value, words=words), checked(condition, words)]


_DOING = re.compile(
    r"(?P<act>\w+ing\b.+?)\s+(?:should|must|will|has to|ought to)\s+(?P<no>not\s+)?(?:now\s+)?"
    r"(?:(?P<show>show|display|open|bring up|reveal|bring|pop up|produce)\s+(?P<what>\S.*)|"
    r"(?:make|let|cause)\s+(?P<so>\S.*))",
    re.IGNORECASE | re.DOTALL,
)


_DOES = re.compile(
    r"(?:(?:verify|check|make sure|ensure|confirm|assert)(?:\s+that)?\s+)?(?P<act>\w+ing\b.+?)\s+"
    r"(?P<no>(?:does not|doesn['’]t)\s+)?(?:(?P<show>shows?|displays?|opens?|brings up|reveals?)\s+"
    r"(?P<what>\S.*)|(?:makes|lets|causes)\s+(?P<so>\S.*)|"
    r"(?P<away>closes?|hides?|dismisses|removes?)\s+(?P<gone>\S.*))",
    re.IGNORECASE | re.DOTALL,
)


def leads_to(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Clicking Help should open the manual`: what to do, and what must be so then."""
    found = _DOING.fullmatch(text) or _DOES.fullmatch(text)
    if found is None or verb_at(found["act"]) is None:
        return None
    away = found.groupdict().get("gone")
    said = f"{found['what']} is visible" if found["what"] else found["so"]
    said = f"{away} is not visible" if away else said
    said = re.sub(r"^(.+?)\s+(appear|disappear|vanish|show up|go away)$", r"\1 to \2", said)
    condition = condition_of(said, talk)
    if condition is None:
        return None
    check = checked(Not(condition) if found["no"] else condition, talk.atoms.original(text))
    return [*read(imperative(found["act"]), talk), check]


_PASSIVE = re.compile(
    r"(?P<what>.+?)\s+(?:that\s+)?(?:should|must|needs? to|has to|have to|ought to|is to|"
    r"are to)\s+(?:(?:now|already|also|still|then)\s+)?(?:be|have been)\s+(?P<act>\w+)"
    r"(?P<rest>\b.*)",
    re.IGNORECASE | re.DOTALL,
)


_BY_NOW = re.compile(
    r"\b(?:should|must)\s+(?:have been|(?:now|already|still|also|by now|then|again)\s+be|be (?:now|"
    r"already))\b|\s(?:by now|already|now)$",
    re.IGNORECASE,
)


# How a thing is then, and no wish to do so.
_LOOKS = re.compile(
    rf"\w+\s+in\s+(?:{COLOURS}|bold|italics)$|(?:un)?(?:lock|mut|hid|fold)(?:t?ed|den)\b|"
    r"(?:maximi|minimi)[sz]ed|aligned|cent(?:er|re)e?d|justified|rotated|crossed|struck|displayed|"
    r"shown|saved|sorted|zoomed|paused|played|stopped|(?:dis)?connected|indented|underlined|frozen|"
    r"merged|resized|enlarged|logged|signed",
    re.IGNORECASE,
)


# "An email should be sent": what becomes of something, of which nobody said which it is.
_OUTCOME = re.compile(r"an?\s+(?!new\b)", re.IGNORECASE)


# "The dialog asks whether it should be deleted": what somebody says, and no wish to do so.
_REPORTED = re.compile(
    r"\b(?:asks?|asked|asking|whether|if|wants?|says?|warns?|tells?|suggests?|claims?)\b",
    re.IGNORECASE,
)


def passive(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`The mail by Ann should be deleted`."""
    found = _PASSIVE.fullmatch(text)
    if found is None or verb_at(text) is not None:
        return None
    verb = verb_at(f"{found['act']} {found['rest'].strip()}")
    condition = condition_of(text, talk)
    if isinstance(condition, Not):
        state: Condition = condition.condition
    else:
        state = condition or Shows("")
    event = re.match(rf"(?:{CAME}|{WENT})\b", found["act"], re.IGNORECASE)
    said = isinstance(state, Has) and (state.how == "equals" or state.text == found["act"].lower())
    told = condition is not None and (_BY_NOW.search(text) or not (said or event))
    if _REPORTED.search(found["what"]):
        return None if condition is None else [checked(condition, talk.atoms.original(text))]
    if re.match(
        r"(?:nothing|none|no|neither|only|exactly|at least|at most|both)\b", text, re.IGNORECASE
    ):
        return None if condition is None else [checked(condition, talk.atoms.original(text))]
    if _LOOKS.match(f"{found['act']}{found['rest']}"):
        return None if condition is None else [checked(condition, talk.atoms.original(text))]
    if verb is None or told or not verb[0].startswith("own:") or _OUTCOME.match(found["what"]):
        return None if condition is None else [checked(condition, talk.atoms.original(text))]
    what = re.sub(r"^The\b", "the", found["what"])
    rest = f"{what} {found['rest'].strip()}".strip()
    return read(f"{verb[1]} {rest}", talk)


STATED = (
    r"^(?i:the|an?|there|this|no|none|every|each|all|both|its|exactly|only|at least|at most|"
    r"nothing|neither)\s"
)
"""How a sentence begins that says what is so, as tests say it: `Then the Save button is off`."""


def stated(text: str, talk: Talk) -> list[Step] | None:
    """`The page should show "Welcome"`: what must be so, not what to do."""
    text = uncontracted(text)
    if verb_at(text) is not None or re.match(r"\w+ing\b", text):
        return None
    said = rf"\b(?:should|must)\b|^(?:can\s|not\s|no longer\s).*\bsee\b|{QUOTE}|{STATED}"
    if not re.search(said, text):
        return None
    text = re.sub(r"^The\b", "the", text)
    seen = re.fullmatch(
        r"(?:should|must|can|do|will)?\s*(?P<no>not|n't|no longer)?\s*(?:be able "
        r"to\s+)?see\s+(?P<what>.+)",
        text,
        re.IGNORECASE,
    )
    if seen:
        talk.phrase(seen["what"])
        shows = shown(seen["what"], None, talk.atoms)
        words = talk.atoms.original(text)
        return [Check(Not(shows) if seen["no"] else shows, words=words)] if shows else None
    about = f"we {text}" if re.match(r"(?:should|must)\b", text) else text
    try:
        steps = verify(about, talk)
    except NotUnderstood:
        return None
    return [replace(step, words=talk.atoms.original(text)) for step in steps]
