"""English words about the way something is done: looking through, by what means, to what end."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.reader import Reader, imperative
from carrel.models.steps.language.settings import instrument
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.program import Find, Has, Repeat, Step

__all__ = ["by_means", "looking_through", "same_way", "to_find", "without_purpose"]

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
        r"(?:switch|look|go|browse|search|navigate|flip|page)\s+(?:between|through|among|in|around|the)\b|(?:expand|open|scroll)\s",
        found["way"],
        re.IGNORECASE,
    ):
        return None
    talk.put_aside(found["way"])
    words = talk.atoms.original(text)
    return [replace(step, words=words) for step in read(found["act"], talk)]


_LEVEL = re.compile(
    r"(?:increase|decrease|raise|lower|reduce|change|set|bring|turn up|turn down)\s+"
    r"(?P<what>.+?)\s+(?:from\s+\S+\s+)?to\s+(?P<n>\d+(?:[.,]\d+)?)",
    re.IGNORECASE,
)


def by_means(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Close the dialog by clicking the x`: how it is to be done is the instruction."""
    found = re.fullmatch(
        r"(?P<goal>.+?)[\s,]+by\s+(?P<means>(?:first\s+)?\w+ing\b.+)",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    if found is None or verb_at(bare(found["means"])) is None:
        return None
    if re.match(
        r"(?:dragging|moving|using)\s+(?:the|your)\s+(?:mouse|pointer)",
        found["means"],
        re.IGNORECASE,
    ):
        return None
    if level := _LEVEL.fullmatch(found["goal"]):
        # One click may not do: as often as it takes.
        body = tuple(read(imperative(bare(found["means"])), talk))
        there = Has(talk.phrase(level["what"]), talk.text(level["n"]), "equals")
        talk.put_aside(found["goal"])
        return [Repeat(body, until=there, words=talk.atoms.original(text))]
    if whole := _of_goal(found["goal"], found["means"], talk):
        return read(whole, talk)
    means = re.sub(r"^using\s+", "use ", found["means"], flags=re.IGNORECASE)
    if means != found["means"]:
        goal = read(found["goal"], talk)
        return instrument(means[4:], found["goal"], goal, talk)
    talk.put_aside(found["goal"])
    return read(imperative(bare(means)), talk)


_TOGGLED = re.compile(
    r"(?:clicking|pressing|tapping|using)\s+(?:on\s+)?(?:the|its|a|an)\s+(?:little\s+|small\s+)?"
    r"(?:plus|minus|arrow|triangle|chevron|caret|toggle|expander)(?:\s+(?:sign|icon|button|symbol))?"
    r"(?:\s+(?:next to|beside|in front of|before|of|left of)\s.+)?",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|this|that)\b", re.IGNORECASE)


def _of_goal(goal: str, means: str, talk: Talk) -> str | None:
    """The instruction, where the way is told in words that lean on the goal.

    `Add "Milk" by typing it into X` types that text; `expand the row by clicking its arrow` is
    expanding it; what is done `the same way` later is done with the same words.
    """
    verb = verb_at(bare(goal))
    if verb and verb[0] in ("expand", "collapse") and _TOGGLED.fullmatch(means):
        talk.put_aside(means)
        return goal
    named = re.findall(QUOTE, goal)
    if len(named) != 1 or not _IT.search(means) or re.search(QUOTE, means.split(" into ")[0]):
        return None
    talk.put_aside(goal)
    talk.way = means
    return _IT.sub(named[0], imperative(bare(means)), count=1)


_SAME_WAY = re.compile(
    rf"\w+\s+(?:[a-z ]+\s)?(?P<text>{QUOTE}),?\s+(?:in\s+)?(?:exactly\s+)?the\s+same\s+way",
    re.IGNORECASE,
)


def same_way(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Then add "Eggs" the same way`: as it was told before, with another text."""
    found = _SAME_WAY.fullmatch(text)
    if found is None:
        return None
    if not talk.way:
        raise NotUnderstood("in which way? none was told before")
    talk.put_aside(text)
    return read(_IT.sub(found["text"], imperative(bare(talk.way)), count=1), talk)


def without_purpose(text: str, talk: Talk) -> str:
    """Without `to delete it`, `so that …`: why it is done, when the rest says what to do."""
    filtered = re.match(r"(?:filter|show|edit|change|arrange|set)\b", text, re.IGNORECASE)
    if filtered and re.search(r"\sso that\s", text):
        return text
    found = re.search(
        r"[\s,]+(?:in order to|so as to|so that (?!it\b|its\b|the\b|you\b)|so you can|to be "
        r"able to)\s*.+$",
        text,
        re.IGNORECASE,
    )
    if found and found.start() > 0:
        talk.put_aside(found[0])
        return text[: found.start()]
    verb = verb_at(text)
    if verb is None or verb[0] not in (
        "click",
        "press",
        "double",
        "right",
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
    found = re.search(r"[\s,]+to\s+(?:(?P<find>find(?: and)?)\s+)?(?=(?P<act>[a-z].*)$)", text)
    if found and verb_at(text[found.end() :]) and len(text[: found.start()].split()) > 1:
        talk.put_aside(text[found.start() :])
        return text[: found.start()]
    return text
