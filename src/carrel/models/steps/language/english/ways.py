"""English words about the way something is done: looking through, by what means, to what end."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.clauses import key_like
from carrel.models.steps.language.english.reader import Reader
from carrel.models.steps.language.english.references import THERE
from carrel.models.steps.language.numbers import ORDINALS
from carrel.models.steps.language.same_way import Again
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.program import Find, Step, Unclear

__all__ = [
    "chained",
    "elsewhere",
    "looking_through",
    "same_way",
    "to_find",
    "without_purpose",
]

_MANY = (
    r"\s+(?:(?:all(?:\s+of)?|each(?:\s+of)?|every|any\s+of)\s+)?(?:(?:the|your|these|those)\s+)?"
    r"(?:\w+\s+)?(?:tabs?|pages?|sections?|menus?|lists?|folders?|results|trees?|panels?|"
    r"categor(?:y|ies))(?:\s+below)?[\s,]+"
)
_UNTIL = r"(?:until\s+you\s+(?:find|see|reach|come\s+to|get\s+to|spot)|to\s+find|and\s+find)\s+"
_IN = r"(?:\s+(?:through|in|into|between|among|around|over))"
_THROUGH = re.compile(
    rf"(?:(?:look|search|go|browse|flip|page|check){_IN}{_MANY}(?:for\s+|{_UNTIL})|"
    rf"(?:click|switch|open|expand|unfold|navigate|turn|browse|search|go){_IN}?{_MANY}{_UNTIL})"
    r"(?P<what>\S.*)",
    re.IGNORECASE | re.DOTALL,
)


def looking_through(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Look through the tabs for X`: the hands know how to look."""
    found = _THROUGH.fullmatch(text)
    if found is None or verb_at(bare(found["what"])) is not None:
        return None
    what, then = found["what"], ""
    for joint in re.finditer(r"[\s,]+(?:and then|and|then)\s+", what):
        if verb_at(bare(what[joint.end() :])) is not None:
            what, then = what[: joint.start()], what[joint.end() :]
            break
    talk.put_aside(text[: found.start("what")])
    steps = read(then, talk) if then else []
    return [Find(talk.phrase(what), words=talk.atoms.original(text)), *steps]


def to_find(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Look through the tabs to find and click X`: the way there is left to the hands."""
    found = re.fullmatch(
        r"(?P<way>(?:switch|look|go|browse|search|navigate|flip|click|expand|open|scroll|"
        r"page)\b.+?)[\s,]+(?:in order )?to\s+(?P<act>.+)",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    if found is None or not re.match(
        r"(?:click|tap|press|select|choose|pick|double|hover)\b", found["act"], re.IGNORECASE
    ):
        return None
    if not re.match(
        r"(?:switch|look|go|browse|search|navigate|flip|page)\s+(?:between|through|among|in|"
        r"around|the)\b|(?:expand|open|scroll)\s",
        found["way"],
        re.IGNORECASE,
    ):
        return None
    talk.put_aside(found["way"])
    words = talk.atoms.original(text)
    return [replace(step, words=words) for step in read(found["act"], talk)]


_ITEM = (
    rf"(?:{QUOTE}|(?-i:[A-Z])[\w'’&-]*(?:\s(?-i:[A-Z])[\w'’&-]*)*|"
    rf"the\s(?:{'|'.join(ORDINALS)}|last|other)\s[a-z]+)"
)
_NEXT_ITEM = r"(?:\s*,\s+(?:and\s+)?|\s+and\s+(?:then\s+|also\s+)?)"
_ITEMS = rf"{_ITEM}(?:{_NEXT_ITEM}{_ITEM})*"
_SO = r"(?:(?:in\s+)?(?:exactly\s+|just\s+)?the\s+same\s+(?:way|manner|fashion)|likewise|similarly)"
_DOES = r"[a-z]+\s+(?:(?!in\b|to\b|the\b|with\b|for\b)[a-z]+\s+){0,4}"
_AGAIN = re.compile(
    rf"{_DOES}(?P<behind>{_ITEMS})(?:\s+(?:too|as\s+well))?,?\s+{_SO}|"
    rf"(?:and\s+)?{_SO},?\s+{_DOES}(?P<front>{_ITEMS})|"
    r"(?:(?:do|repeat)\s+)?(?:exactly\s+)?(?:the\s+same(?:\s+thing)?|this|that|it|these\s+steps)"
    rf"\s+(?:again\s+)?(?:for|with)\s+(?:both\s+)?(?P<others>{_ITEMS})",
    re.IGNORECASE,
)


def same_way(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Then add "Eggs" the same way`: as it was told before, with another text."""
    found = _AGAIN.fullmatch(text)
    if found is None:
        return None
    said = found["behind"] or found["front"] or found["others"]
    items = tuple(talk.atoms.original(one) for one in re.findall(_ITEM, said))
    talk.put_aside(text)
    return [Again(items, loosely=bool(found["others"]), words=talk.atoms.original(text))]


def without_purpose(text: str, talk: Talk) -> str:
    """Without `to delete it`, `so that …`: why it is done, when the rest says what to do."""
    found = re.search(
        r"[\s,]+(?:because(?!\s+of\b)|in order to|so as to|so you can|"
        r"so that (?=(?:[\w'’-]+\s+){1,4}?(?:can|could|may|might|will)\b|(?:your|my|our|their)\s)|"
        r"to be able to)\s*.+$",
        text,
        re.IGNORECASE,
    )
    if found and found.start() > 0:
        talk.put_aside(found[0])
        return text[: found.start()]
    held = re.match(
        r"(?:(?:ctrl|control|shift|alt|cmd|command)[-+ ]+)+click\b|"
        r"hold\s+(?:down\s+)?(?:ctrl|control|shift|alt)\s+and\s+click\b",
        text,
        re.IGNORECASE,
    )
    verb = ("click", "", "") if held else verb_at(text)
    if verb is None or verb[0] not in (
        "click",
        "press",
        "double",
        "right",
        "enter",
        "choose",
        "tick",
        "untick",
        "hover",
        "switch",
        "expand",
        "open",
        "goto",
        "navigate",
    ):
        return text
    if verb[0] == "press" and (why := _KEY_TO.fullmatch(text)) and key_like(why["key"]):
        talk.put_aside(why["why"])
        return text[: why.start("why")].rstrip(" ,")
    for found in re.finditer(r"[\s,]+to\s+(?:find(?: and)?\s+)?(?=[a-z])", text):
        act = verb_at(text[found.end() :])
        if verb[0] == "enter" and not (act and re.match(r"(?:the|it|this|that)\b", act[2])):
            continue
        if act and len(text[: found.start()].split()) > 1:
            talk.put_aside(text[found.start() :])
            return text[: found.start()]
    return text


_KEY_TO = re.compile(r"\w+\s+(?:the\s+)?(?P<key>\S+)(?:\s+key)?(?P<why>,?\s+to\s.+)", re.IGNORECASE)
# "type it there" is where the keyboard is; a command has its terminal.
_KNOWN = frozenset(
    ("enter", "append", "drag", "move", "run", "verify", "wait", "goto", "paste", "read", "tell")
)
_THERE = re.compile(
    r"(?P<body>\S+\s.+?)\s+(?:(?:in|on|from|right|over|down|up|out)\s+)?there", re.IGNORECASE
)


def elsewhere(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Untick everything there`: where that is was said before."""
    found = _THERE.fullmatch(text)
    verb = verb_at(found["body"]) if found else None
    if found is None or verb is None or verb[0] in _KNOWN:
        return None
    if re.search(r"\b(?:is|are|was|were)$", found["body"], re.IGNORECASE):
        return None
    talk.put_aside(text[found.end("body") :])
    return [
        replace(step, place=THERE) if step.place is None and not isinstance(step, Unclear) else step
        for step in read(found["body"], talk)
    ]


_NAMED = re.compile(rf"(?:the\s.+|{QUOTE}|[A-Z]\S*(?: [A-Z]\S*)*|[\w.-]+)")


def chained(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Open the Edit menu, then Preferences`: the verb is said once."""
    first, *others = re.split(r"(?:\s*,\s*(?:and\s+)?|\s+and\s+)then\s+", text)
    verb = verb_at(first)
    leads = ("open", "expand", "hover", "collapse", "goto", "switch")
    if not others or verb is None or verb[0] not in leads:
        return None
    if verb[0] in ("goto", "switch"):
        others = [re.sub(r"^to\s+", "", one) for one in others]
    if not all(_NAMED.fullmatch(one) and verb_at(one) is None for one in others):
        return None
    parts = [first, *(f"{verb[1]} {one}" for one in others)]
    return [step for part in parts for step in read(part, talk)]
