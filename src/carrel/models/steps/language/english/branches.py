"""English conditions around instructions: `if … then … otherwise`, and those that trail them."""

from __future__ import annotations

import re
from dataclasses import fields, replace

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.clauses import clauses, plain_cut
from carrel.models.steps.language.english.counts import FINISHED
from carrel.models.steps.language.english.reader import ENDS, NO_END, Reader, condition_of, unclear
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.spoken import spoken_of
from carrel.models.steps.language.talk import PRONOUN, Talk
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.program import Condition, Has, If, Not, Repeat, Step, Wait

__all__ = ["if_then", "trailing_condition", "typed_if"]

_IF = re.compile(
    r"(?P<word>if|unless|in case|provided(?: that)?|assuming)\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_ELSE = re.compile(r"[\s,.;]*\b(?:otherwise|or else|else|if not)\b[\s,:]*", re.IGNORECASE)
_THEN = re.compile(
    r"\s*[,;]\s*(?:and\s+)?(?:then|after that|afterwards|next)[\s,]+|"
    r"(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:then\s+)?"
    r"(?=(?-i:carry on|continue|go on|proceed|move on)\b(?! clicking))",
    re.IGNORECASE,
)
# What only brings something into the state that the rest needs is done in that case alone.
_MENDED = re.compile(
    r"(?:check|tick|uncheck|untick|enable|disable|select|deselect|expand|collapse|unfold|unlock|"
    r"unmute|(?:turn|switch|toggle)\s+(?:on|off))\s+(?:it|that|this|them)(?:\s+first)?|"
    r"(?:turn|switch|toggle)\s+(?:it|that|this|them)\s+(?:on|off)(?:\s+first)?",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\s*,\s+(?:and\s+)?", re.IGNORECASE)
_UNKNOWN = "no rule understands this condition; say what can be seen then"


_ENDED = re.compile(
    rf"(?:{ENDS.pattern}|(?:stop|abort|fail|halt)(?:\s+(?:the|this)\s+(?:run|test|script|task|"
    r"scenario))?(?:\s+(?:here|now|immediately))?)[\s.!]*",
    re.IGNORECASE,
)


_TYPED = re.compile(
    r"(?P<body>(?:type|enter|write)\s[^,]+?\s+and\s+(?:press|hit)\s+(?:the\s+)?\w+(?:\s+key)?)\s+"
    r"if\s+(?P<cond>[^,]+)",
    re.IGNORECASE,
)


def typed_if(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Type y and press Enter if it asks`: what is typed is also sent only then."""
    found = _TYPED.fullmatch(text)
    condition = condition_of(found["cond"], talk) if found else None
    if found is None or condition is None:
        return None
    return [If(condition, tuple(read(found["body"], talk)))]


def if_then(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`If X is shown, do A, otherwise B`; after `, then` the main line goes on."""
    found = _IF.match(text)
    if found is None:
        return None
    rest = found["rest"]
    for joint in re.finditer(r"\s*,?\s+then\s+|\s*[,:]\s+(?:then\s+)?", rest):
        condition = condition_of(rest[: joint.start()], talk)
        body = rest[joint.end() :]
        if condition is not None and _ENDED.fullmatch(bare(body)):
            return [unclear(text, talk, NO_END)]
        if condition is not None and verb_at(bare(body)) is not None:
            return _branch(found["word"], condition, body, talk, read)
    if (cut := plain_cut(rest)) and (condition := condition_of(cut[0], talk)):
        return _branch(found["word"], condition, cut[1], talk, read)
    return [unclear(text, talk, _UNKNOWN)]


def _branch(word: str, condition: Condition, body: str, talk: Talk, read: Reader) -> list[Step]:
    condition = Not(condition) if word.lower() == "unless" else condition
    parts = _ELSE.split(body, maxsplit=1)
    last, after = _main_line(parts[-1], condition)
    then = tuple(read(parts[0] if len(parts) > 1 else last, talk))
    otherwise = tuple(read(last, talk)) if len(parts) > 1 else ()
    return [If(condition, then, otherwise), *(read(after, talk) if after else [])]


def _main_line(body: str, condition: Condition) -> tuple[str, str]:
    """What is done only in that case, and what comes after it in any case."""
    mended = _NEXT.search(body)
    if mended and _MENDED.fullmatch(bare(body[: mended.start()])):
        after = body[mended.end() :]
        if verb_at(bare(after)) is not None and not _ELSE.match(after):
            return body[: mended.start()], after
    for joint in _THEN.finditer(body):
        before, after = body[: joint.start()], body[joint.end() :]
        if verb_at(bare(before)) is None or verb_at(bare(after)) is None:
            continue
        if not _depends(bare(before), bare(after), condition):
            return before, after
    return body, ""


def _depends(before: str, after: str, condition: Condition) -> bool:
    """Whether it plainly speaks of what is there only in that case."""
    first = clauses(after)[0]
    if re.search(rf"\b(?:{PRONOUN}|its|their)\b", first, re.IGNORECASE):
        return True
    typed, found = verb_at(before), verb_at(first)
    if typed and found and typed[0] == "enter" and found[0] in ("press", "submit"):
        # What was typed in that case is also sent in that case.
        return (
            found[0] == "submit"
            or re.match(r"(?:enter|return)\b", found[2], re.IGNORECASE) is not None
        )
    about = {word.lower() for text in _texts(condition) for word in re.findall(r"\w{4,}", text)}
    return any(word.lower() in about for word in re.findall(r"\w+", first))


def _texts(condition: Condition) -> list[str]:
    texts: list[str] = []
    for field in fields(condition):
        value = getattr(condition, field.name)
        if isinstance(value, Condition):
            texts += _texts(value)
        elif isinstance(value, tuple):
            texts += [text for one in value for text in _texts(one)]
        elif isinstance(value, str):
            texts.append(value)
    return texts


_TRAILING = re.compile(
    r"(?P<body>.+?)[\s,]+(?:but\s+|and\s+)?(?P<word>(?:only\s+)?(?:until|till|if|unless|once|when|"
    r"whenever|as soon as|while)|(?:but\s+)?not\s+before)\s+(?P<cond>.+)",
    re.IGNORECASE | re.DOTALL,
)


_SEEN = re.compile(r"^you (?:see|find|reach(?!.*\s(?:page|screen)$))\s+", re.IGNORECASE)


def trailing_condition(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Click Save, but only if it is enabled`, `Click Next until X appears`."""
    found = _TRAILING.fullmatch(text)
    verb = verb_at(found["body"]) if found else None
    if found is None or verb is None:
        return None
    word = re.sub(r"^only\s+", "", found["word"].lower())
    timed = re.match(r"give it\b", found["body"], re.IGNORECASE)
    if word in ("until", "till") and (timed or verb[0] in ("wait", "scroll")):
        return None
    if verb[0] in ("verify", "wait", "tell") or re.match(r"check$", found["body"], re.IGNORECASE):
        return None
    if word in ("if", "unless") and len(parts := _ELSE.split(found["cond"], maxsplit=1)) > 1:
        return _either(found["body"], word, parts, talk, read)
    if word in ("once", "when", "as soon as") and FINISHED.fullmatch(found["cond"]):
        talk.put_aside(found["cond"])
        waited = Wait(words=talk.atoms.original(f"{word} {found['cond']}"))
        return [waited, *read(found["body"], talk)]
    said = _SEEN.sub("you see ", found["cond"])
    if word in ("until", "till") and re.search(r"\s(?:is|are|been) reached$", said, re.IGNORECASE):
        return [unclear(text, talk, "when that is cannot be seen; say what is visible then")]
    condition = condition_of(said, talk)
    if condition is None:
        refused = _is_open(word, verb[0], said, found["body"])
        return [unclear(text, talk, _UNKNOWN)] if refused else None
    if word in ("until", "till") and (pages := _ON_EACH.search(found["body"])):
        talk.put_aside(pages[0])
        return trailing_condition(text.replace(pages[0], "", 1), talk, read)
    often = _EVERY.fullmatch(found["body"])
    body = tuple(read(_once_more(often["body"] if often else found["body"]), talk))
    condition = _about(condition, spoken_of(body))
    if often:
        talk.put_aside(often[0])
        scale = 60 if often["unit"].lower().startswith("m") else 1
        body = (*body, Wait(seconds=float(number(often["n"] or "1") or 1) * scale))
    if word in ("until", "till"):
        return [Repeat(body, until=condition)]
    if word in ("if", "unless"):
        return [If(Not(condition) if word == "unless" else condition, body)]
    return [Wait(until=condition, words=talk.atoms.original(f"{word} {found['cond']}")), *body]


_WHEN = re.compile(
    r"[^\x00-\x7f]|\d|the end|next|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    re.IGNORECASE,
)


def _is_open(word: str, meaning: str, said: str, body: str) -> bool:
    """Whether words that no rule understands must be a condition."""
    if word in ("until", "till"):
        return meaning.startswith("own:") and _WHEN.match(said) is None
    return word in ("if", "unless") and not re.search(r"[\ue000-\ue7ff]$", body)


# "on every page until": again and again, which `until` says already.
_ON_EACH = re.compile(
    r",?\s+(?:on|in)\s+(?:each|every)\s+(?:page|screen|step|slide|dialog)$|\s+(?:again and again|"
    r"over and over|repeatedly)(?:\s+again)?$",
    re.IGNORECASE,
)
_EVERY = re.compile(
    rf"(?P<body>.+?)\s+every\s+(?:(?P<n>{NUMBER})\s+)?(?P<unit>seconds?|secs?|minutes?|mins?)",
    re.IGNORECASE,
)


def _either(body: str, word: str, parts: list[str], talk: Talk, read: Reader) -> list[Step]:
    """`Press A if there is one, otherwise B`."""
    condition = condition_of(parts[0], talk)
    if condition is None:
        return [unclear(f"{body} {word} {parts[0]}", talk, _UNKNOWN)]
    then = tuple(read(body, talk))
    condition = _about(condition, spoken_of(then))
    condition = Not(condition) if word == "unless" else condition
    return [If(condition, then, tuple(read(_same_verb(body, parts[1]), talk)))]


def _same_verb(body: str, other: str) -> str:
    """`type "yes" if …, otherwise "no"`: the verb is said once."""
    verb, quotes = verb_at(bare(body)), re.findall(QUOTE, body)
    said = other.strip(" .,")
    act = verb_at(bare(other))
    if verb is None or (act and (act[2] or not said[:1].isupper())):
        return other
    if re.fullmatch(QUOTE, said) and len(quotes) == 1:
        return body.replace(quotes[0], said)
    named = re.fullmatch(r"(?:the\s\S.*|[A-Z]\S*(?:\s\S+){0,3})", said)
    acts = ("click", "press", "choose", "tick", "open")
    return f"{verb[1]} {said}" if named and verb[0] in acts else other


def _once_more(body: str) -> str:
    """`keep clicking Next` is `clicking Next`, again and again."""
    return re.sub(
        r"^(?:keep(?: on)?|continue|go on|carry on)\s+(?=\w+ing\b)", "", body, flags=re.IGNORECASE
    )


# What shows a number is not the button that changes it.
_BESIDE = re.compile(
    r".*\b(?:button|sign|arrow|icon|symbol)\s+(?:next to|beside|of|for|right of|left of|"
    r"near)\s+(?P<of>.+)",
    re.IGNORECASE,
)


def _about(condition: Condition, thing: str | None) -> Condition:
    """`it` in the condition is what the instruction before it is about."""
    if isinstance(condition, Not):
        return Not(_about(condition.condition, thing))
    what = getattr(condition, "what", None)
    if not thing or not isinstance(what, str):
        return condition
    if re.fullmatch(rf"{PRONOUN}|one|(?:it|they) there", what, re.IGNORECASE):
        beside = _BESIDE.fullmatch(thing) if isinstance(condition, Has) else None
        return replace(condition, what=beside["of"] if beside else thing)  # type: ignore[call-arg]
    kind = re.fullmatch(r"(?:the|that)\s(?P<kind>button|link|icon|tab|box|checkbox|option)", what)
    if kind and re.search(rf"\b{kind['kind']}\b", thing):
        return replace(condition, what=thing)  # type: ignore[call-arg]
    if kind and re.fullmatch(r'[A-Z"“]\S*(?: [A-Z]\S*)*|"[^"]+"|“[^”]+”', thing):
        return replace(condition, what=f"the {thing} {kind['kind']}")  # type: ignore[call-arg]
    return condition
