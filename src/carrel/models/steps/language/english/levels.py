"""Values that something is set to, in English words: sliders, lists, fields, whichever it is."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY, DATED, OTHER, QUOTE, TIMED
from carrel.models.steps.language.dates import DAY_FIELD, DAY_OF_YEAR, iso_date
from carrel.models.steps.language.english.ticks import THERE, tick
from carrel.models.steps.language.numbers import NUMBER, number, ordinal
from carrel.models.steps.language.talk import (
    EACH,
    NotUnderstood,
    Talk,
    each_of,
    for_each,
    listed,
    trim,
)
from carrel.models.steps.language.values import value_steps
from carrel.models.steps.language.words import verb_at
from carrel.models.steps.program import PickDate, SetValue, Step

__all__ = ["at_value", "nudge", "set_value", "so_many"]

_MANY = re.compile(rf"(?P<n>{NUMBER})\s+(?P<what>[a-z][a-z-]*(?: [a-z-]+)?)")


def so_many(rest: str, talk: Talk) -> list[Step] | None:
    """`set 4 rows and 3 columns`: what is counted, to how many."""
    found = [_MANY.fullmatch(item) for item in listed(rest)]
    if not all(found) or not any(f and f["what"].endswith("s") for f in found):
        return None
    return [SetValue(f["what"], f"{number(f['n']):g}") for f in found if f]


_TO = re.compile(
    r"(?P<what>.+?)\s+(?:to(?: be| the (?:(?:value|number|position|level|setting)s?|combination))?|"
    r"at|=|as)\s+(?P<value>.+)",
    re.IGNORECASE,
)


_AS_THE = re.compile(
    rf"(?P<value>{QUOTE}|{OTHER}|(?-i:[A-Z]\S*(?:\s[A-Z]\S*)*)|\S+\.\w+)\s+as\s+"
    r"(?P<what>(?:the|your|my)\s.+)",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"(?P<what>(?:the\s+|a\s+)?[a-z][a-z -]*?)"
    rf"(?<!\sto)(?<!\sas)(?<!\sat)(?<!\sbe)\s+(?P<value>{QUOTE})"
    r"(?:\s+(?:for|of|on)\s+(?P<of>(?:the|my|this)\s.+))?"
)
_MIDDLE = re.compile(
    r"(?:its|the)\s+(?:middle|cent(?:er|re)|halfway|half-way)(?:\s+(?:position|point|value|mark))?|"
    r"half|halfway|half-way|half\s+way",
    re.IGNORECASE,
)
_FOR_TIME = re.compile(
    rf"(?P<what>(?:the|my|your)\s.+?)\s+for\s+(?P<when>{DATED}|{TIMED})", re.IGNORECASE
)


_ENDS_IN = re.compile(
    rf"(?P<before>.+)\s+to\s+(?P<value>{QUOTE}|{DATED}|{TIMED}|{OTHER}|(?i:{DAY_OF_YEAR})|"
    rf"(?i:{NUMBER})|(?:(?:about|around|roughly|approximately)\s+)?"
    r"[^\w\s]?\s?-?\d[\d.,:/-]*\s?(?:%|[€$£¥]|[AaPp]\.?[Mm]\.?|"
    r"euros?|dollars?|pounds?|EUR|USD|GBP|CHF)?)",
)
# "9 to 17", "a quarter to 3", "up to 5": this "to" is one of the value.
_OWN_TO = re.compile(
    rf"(?:(?!.*\sfrom\s).*\s)?(?:{NUMBER}|[^\w\s]?\d\S*|{ANY}|quarter|half|up|next|equal|close|down|back|be|"
    r"noon|midnight|minutes?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:from|between)\s.+|"
    rf"{DAY_OF_YEAR}",
    re.IGNORECASE,
)
_TEXTUAL = re.compile(
    r"(?:(?:the|my|your|its)\s+)?(?:[\w-]+\s)?(?:titles?|subject|name|text|message|note|comment|"
    r"headline|heading|caption|description|label|summary|slogan|subtitle)",
    re.IGNORECASE,
)
"""What has words as its value, which may hold a "to" as well."""


def at_value(joint: re.Match[str], group: str = "value") -> tuple[str, str]:
    """What is set and its value, split at the last "to" where a plain value is behind it.

    `the amount of the taxi to Malpensa to 79.50` is no amount of “Malpensa to 79.50”.
    """
    what, value = joint["what"], joint[group]
    found = _ENDS_IN.fullmatch(value)
    if found is None or _OWN_TO.fullmatch(found["before"]):
        return what, value
    if _TEXTUAL.fullmatch(what) and not re.match(QUOTE, found["value"]):
        return what, value
    cut = joint.start(group) + found.end("before")
    return joint.string[joint.start("what") : cut], found["value"]


def set_value(rest: str, talk: Talk) -> list[Step]:
    """`set X to Y`: a slider, a list or a field, whichever the screen has."""
    body = trim(rest)
    if to := re.fullmatch(r"to\s+(?P<value>.+)", body, re.IGNORECASE):
        return [SetValue(None, talk.text(to["value"]))]
    for joint in re.finditer(r"\s*,?\s+and\s+|\s*,\s*", body):
        left, right = body[: joint.start()], body[joint.end() :]
        if _TO.fullmatch(left) and _TO.fullmatch(right):
            return [*set_value(left, talk), *set_value(right, talk)]
    if timed := _FOR_TIME.fullmatch(body):
        return value_steps(timed["when"], talk.phrase(timed["what"]), talk)
    if (there := THERE.fullmatch(body)) and _TO.fullmatch(there["what"]):
        phrase = talk.phrase(there["place"] or there["under"])
        return [replace(step, place=phrase) for step in set_value(there["what"], talk)]
    if labelled := _LABELLED.fullmatch(body):
        place = talk.phrase(labelled["of"]) if labelled["of"] else None
        what, value = talk.phrase(labelled["what"]), talk.text(labelled["value"])
        return [SetValue(what, value, place=place)]
    if named := _AS_THE.fullmatch(body):
        return [SetValue(talk.phrase(named["what"]), talk.text(named["value"]))]
    found = _TO.fullmatch(body)
    if found is None or re.match(r"(?:in|on|under|at|for)\s", found["what"]):
        raise NotUnderstood("set it to what? “set X to Y”")
    what, value = at_value(found)
    what = re.sub(r"^the (?:value|state) of\s+", "", what, flags=re.IGNORECASE)
    about = re.match(r"(?:about|around|roughly|approximately)\s+(?=\S?\d)", value)
    talk.put_aside(about[0] if about else "")
    what, value = _without_old(what, talk), value[about.end() if about else 0 :]
    if _MIDDLE.fullmatch(trim(value)):
        talk.put_aside(value)
        return [SetValue(talk.phrase(what), "50%")]
    if owned := re.fullmatch(
        rf"(?P<value>{NUMBER}|{QUOTE})\s+(?:for|of|in)\s+(?P<of>the\s.+)",
        trim(value),
        re.IGNORECASE,
    ):
        place = talk.phrase(owned["of"])
        return [SetValue(talk.phrase(what), talk.text(owned["value"]), place=place)]
    if (state := trim(value).lower()) in (
        "on",
        "off",
        "checked",
        "unchecked",
        "ticked",
        "enabled",
        "disabled",
    ):
        return tick(what, talk, on=state in ("on", "checked", "ticked", "enabled"))
    _refuse_open(trim(value), talk)
    return _given(what, value, talk)


_BUT = re.compile(
    r"(?P<value>\S.*?),?\s+(?P<but>(?:except(?: for)?|apart from|other than)\s.+)", re.IGNORECASE
)


def _given(what: str, value: str, talk: Talk) -> list[Step]:
    """One value for one thing, for each of several, or one each."""
    every = each_of(what)
    if every and (but := _BUT.fullmatch(trim(value))):
        every, value = f"{every} {but['but']}", but["value"]
    if every and len(listed(value)) == 1:
        return [for_each(talk, every, SetValue(f"{{{EACH}}}", talk.text(value)))]
    if values := _values(value, what, talk):
        noun = re.sub(r"^(?:the|all|both)\s+(?:the\s+)?", "", what, flags=re.IGNORECASE)
        noun = re.sub(rf"^{NUMBER}\s+", "", noun)[:-1]
        return [SetValue(f"the {ordinal(i)} {noun}", v) for i, v in enumerate(values, 1)]
    if re.fullmatch(rf"{DATED}|{TIMED}", trim(value)):
        return value_steps(value, talk.phrase(what), talk)
    told = re.fullmatch(DAY_OF_YEAR, trim(value), re.IGNORECASE)
    day = iso_date(trim(value)) if told else None
    if day and re.search(rf"\b{DAY_FIELD}$", what, re.IGNORECASE):
        return [PickDate(trim(value), day, talk.phrase(what))]
    if re.fullmatch(r"today|tomorrow|yesterday", trim(value)) and re.search(r"\bdate\b", what):
        return value_steps(talk.atoms.mask(f"{trim(value)}'s date"), talk.phrase(what), talk)
    if re.search(r"\b(?:field|textbox|text box|input|text area|textarea)$", what, re.IGNORECASE):
        return value_steps(value, talk.phrase(what), talk)
    return [SetValue(talk.phrase(what), talk.text(value))]


def _refuse_open(value: str, talk: Talk) -> None:
    """What goes on after the value, or is none.

    Raises:
        NotUnderstood: So it is.
    """
    verb = verb_at(value)
    if verb and value[0].islower() and len(verb[2].split()) > 1:
        raise NotUnderstood("set it to what? “set X to Y”")
    if not re.search(QUOTE, value) and re.search(
        r"\s(?:with|using|via|through|by|while|when|so that)\s+(?:the|its|an?)\s|\s(?:on|"
        r"for) (?:all|each|every)\s|>",
        value,
    ):
        raise NotUnderstood(f"where does “{talk.atoms.original(value)}” end?")
    if re.search(r"\b(?:twice|half|\w+ times) as\s|\bas (?:wide|tall|large|high|big) as\s", value):
        raise NotUnderstood("how much that is no rule works out; say the value itself")
    if re.search(r"\s(?:and|but)\s+the\s", value) and not re.search(QUOTE, value):
        raise NotUnderstood(f"where does “{talk.atoms.original(value)}” end?")
    if re.match(rf"{QUOTE}\s+\w", value):
        raise NotUnderstood(f"where does “{talk.atoms.original(value)}” end?")


def _without_old(what: str, talk: Talk) -> str:
    """`the language from English`: what it was before is no part of its name.

    Raises:
        NotUnderstood: The old one may be asked for, too.
    """
    found = re.fullmatch(r"(?P<what>.+?)\s+from\s+(?P<old>.+)", what)
    if found is None or re.search(r"\sto\s", found["old"]):
        # "the fare from Rome to Oslo": a way, and not what it was.
        return what
    if each_of(found["what"]):
        raise NotUnderstood("which of them are that now? “for each X whose status is A, …”")
    if re.search(r"\b(?:password|passphrase|pin)$", found["what"], re.IGNORECASE):
        raise NotUnderstood("which field takes the old one? One step for each field")
    if re.search(rf"{DATED}|{TIMED}|\b(?:range|period)$", what):
        raise NotUnderstood("which field takes which of them? One step for each field")
    talk.put_aside(found["old"])
    return found["what"]


_SEVERAL = re.compile(r"(?:sliders|spinners|counters|fields|dials|knobs)$", re.IGNORECASE)


def _values(value: str, what: str, talk: Talk) -> list[str]:
    """One value each for several sliders."""
    if not _SEVERAL.search(what.strip()):
        return []
    bare = trim(value)
    if re.fullmatch(OTHER, bare):
        return re.findall(r"-?\d+(?:\.\d+)?", talk.atoms.original(bare))
    items = listed(re.sub(r"\s+respectively$", "", bare))
    return [talk.text(item) for item in items] if len(items) > 1 else []


def nudge(rest: str, talk: Talk, *, up: bool) -> list[Step]:
    """`increase X to 5`."""
    if re.search(r"\s+to\s+", rest) and not re.search(r"\s+by\s+\S+$", rest):
        return set_value(rest, talk)
    found = re.fullmatch(
        rf"(?P<what>.+?)\s+by\s+(?P<n>{NUMBER})(?P<unit>\s*(?:levels?|steps?|points?|pt|px|pixels?|"
        r"percent|%|notch(?:es)?|degrees?|units?|minutes?|seconds?|hours?|days?|places?))?",
        trim(rest),
        re.IGNORECASE,
    )
    if found is None:
        raise NotUnderstood("by how much? “increase X by 2”, “increase X to 10”")
    talk.put_aside(found["unit"] or "")
    amount = number(found["n"]) or 0
    return [SetValue(talk.phrase(found["what"]), f"{amount if up else -amount:g}", relative=True)]
