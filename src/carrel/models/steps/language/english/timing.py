"""English order in time around instructions: before, after, once, when."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.clauses import plain_cut
from carrel.models.steps.language.english.counts import FINISHED, is_loaded
from carrel.models.steps.language.english.reader import (
    Reader,
    condition_of,
    imperative,
    is_gerund,
    unclear,
)
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.program import Check, Enter, Repeat, Shows, Step, Wait

__all__ = ["fronted", "trailing_order"]

_FRONT = re.compile(
    r"(?P<word>without|as soon as|once|when|whenever|after|following|before|prior to|while|until|"
    r"in order to|so as to|to)\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)


_CLAIM = re.compile(r"\b(?:should|must|ought to)\b", re.IGNORECASE)


def fronted(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`before clicking A, do B`, `once X appears, do B`, `to log in, do B`."""
    found = _FRONT.match(text)
    if found is None:
        return None
    word, rest = found["word"].lower(), found["rest"]
    for joint in re.finditer(r"\s*,\s*(?:then\s+)?", rest):
        body = bare(rest[joint.end() :])
        said = _CLAIM.search(rest, joint.end())
        claim = said and word in ("after", "following", "once", "when", "as soon as")
        if is_gerund(body) or (verb_at(body) is None and not claim):
            continue
        first = rest[: joint.start()]
        if word in ("to", "in order to", "so as to"):
            talk.put_aside(first)
            return read(body, talk)
        if word == "without":
            return read(f"{body} without {first}", talk) if is_gerund(first) else None
        return _timed(word, first, body, talk, read)
    if word in ("as soon as", "once", "when", "whenever", "after") and (cut := plain_cut(rest)):
        return _timed(word, cut[0], bare(cut[1]), talk, read)
    return None


_DONE = re.compile(
    r"(?:you(?:'ve| have)?|i(?:'ve| have)?|having)\s+(?:just |already )?(?P<act>.+)", re.IGNORECASE
)


_ASKED = re.compile(
    r"(?:you are |you're |i am )?(?:asked|prompted)\s+for\s+(?P<what>.+)", re.IGNORECASE
)


def _when_asked(first: str, what: str, main: list[Step], talk: Talk) -> list[Step]:
    """`when asked for a name, enter X`: X goes there."""
    talk.put_aside(first)
    step = main[0]
    if isinstance(step, Enter) and step.into is None:
        into = re.sub(r"^(?:an?|your)\s+", "the ", talk.phrase(what))
        main = [replace(step, into=into), *main[1:]]
    return [Wait(words=talk.atoms.original(first)), *main]


_IDLE = re.compile(
    r"(?:you\s+)?(?:leav(?:e|ing)|go(?:ing)?(?: on)?|continu(?:e|ing)|proceed(?:ing)?|"
    r"finish(?:ing)?|"
    r"mov(?:e|ing) on|signing in|logging in|you (?:sign|log) in|you are (?:done|finished))",
    re.IGNORECASE,
)


_SOME_TIME = re.compile(
    rf"(?:about\s+|another\s+)?(?P<n>{NUMBER}|an?)\s+(?P<unit>seconds?|secs?|minutes?|mins?)",
    re.IGNORECASE,
)
# What was done before, by a name of its own.
_OVER = re.compile(
    r"(?:the|this|that|a|your|its)\s+(?:[\w-]+\s+)?(?P<what>(?:re)?load(?:ing)?|restart|swap|change|"
    r"update|upload|download|log-?(?:in|out)|sign-?(?:in|out)|reset|sort(?:ing)?|save|search|import|"
    r"export|click|refresh|deletion|removal|move|switch|purchase|payment|submission|"
    r"installation|sync(?:hroni[sz]ation)?|scan|registration|confirmation|edit|renaming|transfer|"
    r"drop|replacement|correction|drag|checkout|start-?up|reboot|build|merge|rotation)"
    r"(?:\s+(?:is\s+)?(?:complete|completed|done|finished|over))?",
    re.IGNORECASE,
)


def _timed(word: str, first: str, body: str, talk: Talk, read: Reader) -> list[Step]:
    main = read(body, talk)
    told = all(isinstance(step, Check) for step in main)
    after = word == "after" and re.match(r"(?:sign|log)", first) and told
    if _IDLE.fullmatch(first) and (after or word in ("before", "prior to")):
        talk.put_aside(first)
        return main
    if (wish := _ASKED.fullmatch(first)) and main:
        return _when_asked(first, wish["what"], main, talk)
    if word == "after" and (time := _SOME_TIME.fullmatch(first)):
        scale = 60 if time["unit"].lower().startswith("m") else 1
        waited = Wait(seconds=float(number(time["n"]) or 1) * scale)
        return [replace(waited, words=talk.atoms.original(f"{word} {first}")), *main]
    if is_loaded(first) and word not in ("before", "while", "until"):
        return [Wait(words=talk.atoms.original(f"{word} {first}")), *main]
    if word in ("after", "once", "following") and (over := _OVER.fullmatch(first)):
        talk.put_aside(first)
        lasts = re.search(r"load|import|install|sync|scan|start|boot|build|export", over["what"])
        return [*([Wait(words=talk.atoms.original(f"{word} {first}"))] if lasts else []), *main]
    if word in ("after", "once", "when", "as soon as") and FINISHED.fullmatch(first):
        talk.put_aside(first)
        return [Wait(words=talk.atoms.original(f"{word} {first}")), *main]
    acted = _DONE.match(first)
    inner = bare(acted["act"] if acted else first)
    condition = condition_of(first, talk)
    seen = re.match(r"(?:you|i|we) (?:can )?see\b", first, re.IGNORECASE) and condition is not None
    act = not seen and verb_at(inner) is not None
    if act and (acted or is_gerund(inner) or condition is None):
        steps = read(imperative(inner), talk)
        return [*main, *steps] if word in ("before", "prior to", "until") else [*steps, *main]
    if condition is None and re.fullmatch(QUOTE, first.strip()) and word in ("after", "once"):
        condition = Shows(talk.phrase(first))
    if condition is not None and word == "until":
        return [Repeat(tuple(main), until=condition, words=talk.atoms.original(body))]
    if condition is None or word in ("before", "prior to", "while", "until"):
        return [unclear(f"{word} {first}", talk, "when this is cannot be seen"), *main]
    wait = Wait(until=condition, words=talk.atoms.original(f"{word} {first}"))
    return [wait, *main]


def trailing_order(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Tick Agree before you click Save`."""
    found = re.fullmatch(
        r"(?P<body>.+?)[\s,]+(?P<word>before|prior to|after|once|when)\s+(?P<act>(?:you(?:'ve| "
        r"have)?\s+)?\w+.*)",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    if found is None or verb_at(found["body"]) is None:
        return None
    if is_loaded(found["act"]) and found["word"].lower() != "before":
        return [Wait(words=talk.atoms.original(found["act"])), *read(found["body"], talk)]
    act = re.sub(r"^you(?:'ve| have)?\s+", "", found["act"])
    if verb_at(act) is None or (act == found["act"] and not is_gerund(act)):
        return None
    main, other = read(found["body"], talk), read(imperative(act), talk)
    return [*main, *other] if found["word"].lower() in ("before", "prior to") else [*other, *main]
