"""Steps that choose, in English words: options, check boxes, values of sliders."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY, DATED, OTHER, QUOTE, TIMED
from carrel.models.steps.language.dates import DAY_OF_YEAR, iso_date
from carrel.models.steps.language.numbers import NUMBER, ORDINALS, number, ordinal
from carrel.models.steps.language.pointer import PATH
from carrel.models.steps.language.talk import (
    EACH,
    NotUnderstood,
    Talk,
    each_of,
    first_few,
    for_each,
    listed,
    trim,
)
from carrel.models.steps.language.telling import telling
from carrel.models.steps.language.values import value_steps
from carrel.models.steps.language.words import KINDS, verb_at
from carrel.models.steps.program import Choose, Highlight, PickDate, Point, SetValue, Step, Tick

__all__ = ["choose", "set_value", "tick", "toggle"]

_SOURCE = (
    r"list|listbox|drop-?down|menu|combo|combobox|box|select|selector|options?|choices|table|group|"
    r"dialog|field|tabs?|toolbar|results|calendar|picker|suggestions|section|grid|tree|panel|"
    r"page|radio"
)
_GAUGE = (
    r"sliders?|spinners?|picker|wheel|knob|dial|stepper|spin(?:ner)? box|range|colou?r picker|bar"
)
_HEADS = re.compile(
    r"^(?:the\s+)?(?:following\s+)?(?:options?|items?|values?|entries|choices|check ?boxes|boxes|"
    r"words?|names?|radio buttons?|switches|files|rows|settings|checkbox|"
    r"box)\s*:?\s+(?:(?:labell?ed|named|called|for)\s+)?"
    r"(?!of\b|in\b|at\b|with\b|that\b|which\b|similar\b|below\b|above\b|on\b|next\b|from\b|"
    r"labell?ed\b|named\b)(?=\S)",
    re.IGNORECASE,
)
_TAILS = re.compile(
    r"\s+(?:options|items|values|entries|choices|check ?boxes|boxes|radio buttons|switches|"
    r"settings)$",
    re.IGNORECASE,
)


def choose(rest: str, talk: Talk) -> list[Step]:
    """Choose options, a date, a value of a slider, or text."""
    body = trim(rest)
    if steps := telling(body, talk):
        return steps
    if re.fullmatch(
        r"(?:nothing|none(?: of (?:them|the .+))?|no(?:ne)? (?:options?|items?|boxes))",
        body,
        re.IGNORECASE,
    ):
        return [Choose(())]
    if re.fullmatch(r"everything|all", body, re.IGNORECASE):
        return [Highlight("everything")]
    if but := _ALL_BUT.fullmatch(body):
        return [for_each(talk, f"options {but['but']}", Choose((f"{{{EACH}}}",)))]
    if (
        steps := _dated(body, talk)
        or _on_calendar(body, talk)
        or _gauged(body, talk)
        or _text(body, talk)
    ):
        return steps
    if len(parts := PATH.split(body)) > 1:
        return _path(parts, talk)
    if pairs := _each_as(body):
        return [step for pair in pairs for step in choose(pair, talk)]
    if len(items := listed(body)) > 1 and all(map(_SO_MANY.fullmatch, items)):
        return [step for item in items for step in choose(item, talk)]
    if many := _SO_MANY.fullmatch(body):
        return [
            Choose((f"{number(many['n']):g}",), talk.phrase(many["of"]), said=talk.phrase(body))
        ]
    if steps := _of_labels(body, talk):
        return steps
    options, source = _sourced(body)
    options = re.sub(r"^both\s+(?=.+\sand\s)", "", options, flags=re.IGNORECASE)
    phrase = talk.phrase(source) if source else None
    if what := each_of(options):
        return [for_each(talk, what, Choose((f"{{{EACH}}}",), phrase))]
    names, said = names_of(options, talk)
    return [Choose(names, phrase, said=said)]


_UNDER = re.compile(r"(?P<what>\S.*?)\s+(?:under|from|in|via)\s+(?P<first>\S.*)", re.IGNORECASE)
_AS = re.compile(
    r"(?P<what>\S.*?)\s+(?P<as>as|for|from)\s+(?P<of>(?:the|your|my|its)\s\S.*)", re.IGNORECASE
)


def _each_as(body: str) -> list[str]:
    """`A as the source and B as the destination`: one after the other."""
    for joint in re.finditer(r"\s*,?\s+and\s+|\s*,\s*", body):
        left, right = _AS.fullmatch(body[: joint.start()]), _AS.fullmatch(body[joint.end() :])
        if left and right and left["as"].lower() == right["as"].lower():
            return [left[0], right[0]]
    return []


_LABEL_OF = re.compile(
    rf"(?:an?|the)\s+(?P<what>[a-z][a-z -]+?)\s+of\s+"
    rf"(?P<value>{DATED}|{TIMED}|{QUOTE}|{NUMBER}\s*%?)",
    re.IGNORECASE,
)


def _of_labels(body: str, talk: Talk) -> list[Step] | None:
    """`a start date of 1 May 2027 and an hourly wage of 22`: what takes which value."""
    found = [_LABEL_OF.fullmatch(item) for item in listed(body)]
    if not all(found):
        return None
    return [s for f in found if f for s in set_value(f"the {f['what']} to {f['value']}", talk)]


# "choose 2 guests": of the guests, 2; or an option that says so.
_SO_MANY = re.compile(
    rf"(?P<n>{NUMBER})\s+(?P<of>(?!(?:{KINDS}|of|things?|ones|more|other|random|"
    rf"different)\b)[a-z]+)",
    re.IGNORECASE,
)
_ALL_BUT = re.compile(
    r"(?:everything|all(?: of them)?),?\s+"
    r"(?P<but>(?:except|but|other than|apart from|excluding)\s.+)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?:the\s+)?(?P<noun>[a-z]+?)(?:e?s)?\s+(?P<first>\d{1,3})\s*(?:to|through|till|until|-|–)\s*"
    r"(?P<last>\d{1,3})",
    re.IGNORECASE,
)


def _range(masked: str) -> tuple[str, ...]:
    """Each of `rows 2 to 5`."""
    found = _RANGE.fullmatch(trim(masked))
    if found is None or not 0 < int(found["last"]) - int(found["first"]) < 100:
        return ()
    numbers = range(int(found["first"]), int(found["last"]) + 1)
    return tuple(f"{found['noun']} {number}" for number in numbers)


def names_of(masked: str, talk: Talk) -> tuple[tuple[str, ...], str]:
    """The names of a list, and the list as it was said when it may be split otherwise."""
    if several := _range(masked):
        return several, ""
    head = _HEADS.match(masked)
    plural = head and re.search(r"(?:s|es)\s*:?\s*$", head[0].strip())
    body = (
        masked[head.end() :]
        if head
        and (plural or (re.match(ANY, masked[head.end() :]) is None and len(listed(masked)) > 1))
        else masked
    )
    items = listed(body)
    if len(items) < 2:
        return (talk.phrase(masked if not plural else body, "which"),), ""
    head = re.match(
        r"(?P<head>.+\b(?:similar to|like|starting with|ending with|containing|meaning))\s+\S+$",
        items[0],
        re.IGNORECASE,
    )
    if head and all(len(item.split()) == 1 for item in items[1:]):
        return tuple(
            talk.phrase(item if i == 0 else f"{head['head']} {item}")
            for i, item in enumerate(items)
        ), ""
    if numbered := _numbered(items):
        return tuple(talk.phrase(one) for one in numbered), ""
    tail = _TAILS.search(items[-1])
    if tail:
        items[-1] = items[-1][: tail.start()]
        body = body[: body.rindex(tail[0])] if tail[0] in body else body
    said = (
        ""
        if all(re.fullmatch(ANY, item) for item in items)
        else talk.phrase(re.sub(r"^both\s+", "", body))
    )
    return tuple(talk.phrase(item, "which") for item in items), said


_ORDINAL = rf"(?:{'|'.join(ORDINALS)}|last|\d+(?:st|nd|rd|th))"


def _numbered(items: list[str]) -> list[str]:
    """`the second and fourth check boxes`: one phrase each."""
    last = re.fullmatch(
        rf"(?:the\s+)?{_ORDINAL}\s+(?P<noun>.+?)(?P<s>e?s)?", items[-1], re.IGNORECASE
    )
    firsts = [
        re.fullmatch(rf"(?:the\s+)?(?P<n>{_ORDINAL})", item, re.IGNORECASE) for item in items[:-1]
    ]
    if last is None or not all(firsts):
        return []
    noun = re.sub(
        r"(?<=x)es$|(?<=[^s])s$", "", items[-1].split(maxsplit=items[-1].startswith("the ") + 1)[-1]
    )
    ordinals = [found["n"] for found in firsts if found] + [
        re.sub(r"^the\s+", "", items[-1]).split()[0]
    ]
    return [f"the {one} {noun}" for one in ordinals]


def _dated(body: str, talk: Talk) -> list[Step] | None:
    found = re.fullmatch(
        rf"(?:the\s+)?(?:date\s+|day\s+|time\s+)?(?P<when>{DATED}|{TIMED})(?:\s+(?:as|for|in|"
        rf"from|on|into|with|using)"
        rf"\s+(?P<into>.+))?",
        body,
        re.IGNORECASE,
    )
    if found is None:
        return None
    into = talk.phrase(found["into"]) if found["into"] else None
    return value_steps(found["when"], into, talk)


_CALENDAR = re.compile(
    rf"(?:the\s+)?(?P<when>{DAY_OF_YEAR})\s+(?:in|on|from|with|using)\s+"
    r"(?P<into>(?:the|a)\s+(?:[\w-]+\s+){0,3}?(?:calendar|date ?picker))",
    re.IGNORECASE,
)


def _on_calendar(body: str, talk: Talk) -> list[Step] | None:
    """`the 15th of March in the calendar`: a day of this year."""
    found = _CALENDAR.fullmatch(body)
    day = iso_date(found["when"]) if found else None
    if found is None or day is None:
        return None
    return [PickDate(found["when"], day, talk.phrase(found["into"]))]


def _gauged(body: str, talk: Talk) -> list[Step] | None:
    found = re.fullmatch(
        rf"(?P<value>.+?)\s+(?:with|using|on|by using|via|in|from)\s+(?P<what>(?:the|"
        rf"a)\s+(?:.+?\s+)?(?:{_GAUGE})\b.*)",
        body,
        re.IGNORECASE,
    )
    if found is None or re.search(
        r"\b(?:scroll|tool|menu|tab)bar|tool bar|menu bar", found["what"], re.IGNORECASE
    ):
        return None
    value = re.sub(
        r"^(?:the\s+)?(?:value|number|colou?r)\s+(?:of\s+)?",
        "",
        found["value"],
        flags=re.IGNORECASE,
    )
    return [SetValue(talk.phrase(found["what"]), talk.text(value))]


def _text(body: str, talk: Talk) -> list[Step] | None:
    """Text is highlighted, not chosen."""
    found = re.fullmatch(
        rf"(?P<all>all(?: of)? (?:the )?text|(?:the\s+)?(?:text|words?|sentence|paragraph|"
        rf"passage)\s+(?:in|of|from|inside|below|{QUOTE}).*|"
        r"(?:the\s+)?(?:\w+\s+)?(?:paragraph|sentence)(?:\s+.+)?|(?:the )?text)(?:\s+(?:in|"
        r"of)\s+.+)?",
        body,
        re.IGNORECASE,
    )
    return [Highlight(talk.phrase(body))] if found else None


def _path(parts: list[str], talk: Talk) -> list[Step]:
    source = None
    if under := _UNDER.fullmatch(parts[0]):
        parts = [under["first"], *parts[1:], under["what"]]
        return [Choose(tuple(talk.phrase(part) for part in parts), path=True)]
    if found := re.fullmatch(
        r"(?P<last>.+?)\s+(?:from|in|on)\s+(?P<source>(?:the|a)\s+.+|[\ue000-\uf8ff])",
        parts[-1],
        re.IGNORECASE,
    ):
        parts, source = [*parts[:-1], found["last"]], talk.phrase(found["source"])
    return [Choose(tuple(talk.phrase(part) for part in parts), source, path=True)]


def _sourced(body: str) -> tuple[str, str | None]:
    """The options and what they belong to."""
    cuts = list(
        re.finditer(
            r"\s+(?P<word>from|out of|in|within|inside|on|under|for|as|among|amongst|of)(?=\s)",
            body,
            re.IGNORECASE,
        )
    )
    for cut in reversed(cuts):
        word, right = cut["word"].lower(), body[cut.end() :].strip()
        if word == "as" and not cut["word"].islower():
            continue
        if re.search(r"\s(?:from|in|for|as|of)\s", right) and word in ("of", "on"):
            continue
        named = re.search(rf"\b(?:{_SOURCE})\b", right, re.IGNORECASE) is not None
        the = re.match(rf"(?:the|your|a|an|my)\s|{QUOTE}", right, re.IGNORECASE) is not None
        if word in ("from", "out of", "among", "amongst") and _leftmost(cuts, cut):
            return body[: cut.start()], right
        if word in _AT and _is_sourced(body[: cut.start()]):
            # `from the size list under "Shirts"` says where that list is.
            continue
        if word in _AT and (named or word == "under") and (the or right.split()[0][:1].isupper()):
            return body[: cut.start()], right
        if word == "for" and re.fullmatch(rf"(?:the|an?)\s+(?:{_ONE_KIND})", body[: cut.start()]):
            # `the radio button for "Small"` is one thing.
            continue
        if word in ("for", "as") and not named and len(right.split()) <= 5:
            return body[: cut.start()], right
        if word in ("for", "as") and named:
            return body[: cut.start()], right
    return body, None


_ONE_KIND = r"radio button|option|check ?box|box|item|entry|button|row|card|tile|tab|plan|value"
_AT = ("in", "within", "inside", "on", "under")


def _is_sourced(body: str) -> bool:
    """Whether it says already what the options come from: `M from the size list`."""
    ends = rf".+\s(?:from|out of)\s(?:the|your|an?|my)\s.*\b(?:{_SOURCE})"
    return re.fullmatch(ends, body, re.IGNORECASE) is not None


def _leftmost(cuts: list[re.Match[str]], cut: re.Match[str]) -> bool:
    return all(c["word"].lower() != cut["word"].lower() or c.start() >= cut.start() for c in cuts)


def tick(rest: str, talk: Talk, *, on: bool = True) -> list[Step]:
    """Set check boxes and switches."""
    body = re.sub(r"^(?:on|off)\s+", "", trim(rest), flags=re.IGNORECASE)
    if re.fullmatch(r"nothing|none", body, re.IGNORECASE):
        return [Tick((), on)]
    body = re.sub(
        r"\s+(?:as (?:checked|ticked|done)|(?:back )?(?:on|off))$", "", body, flags=re.IGNORECASE
    )
    if there := re.fullmatch(r"everything\s+(?P<in>(?:in|on|under|of)\s.+)", body, re.IGNORECASE):
        return [for_each(talk, f"checkboxes {there['in']}", Tick((f"{{{EACH}}}",), on))]
    if re.fullmatch(r"everything|all(?: of them)?", body, re.IGNORECASE):
        return [for_each(talk, "checkboxes", Tick((f"{{{EACH}}}",), on))]
    if but := _ALL_BUT.fullmatch(body):
        return [for_each(talk, f"checkboxes {but['but']}", Tick((f"{{{EACH}}}",), on))]
    if what := each_of(body):
        return [for_each(talk, what, Tick((f"{{{EACH}}}",), on))]
    if few := first_few(body):
        return [for_each(talk, few[0], Tick((f"{{{EACH}}}",), on), limit=few[1])]
    if but := _BUT_NOT.fullmatch(body):
        return [*tick(but["what"], talk, on=on), *tick(but["but"], talk, on=not on)]
    if there := _THERE.fullmatch(body):
        inner = tick(there["what"], talk, on=on)
        return [
            replace(step, place=talk.phrase(there["place"] or there["under"])) for step in inner
        ]
    names, said = names_of(body, talk)
    return [Tick(names, on, said=said)]


_BUT_NOT = re.compile(
    r"(?P<what>.+?),?\s+(?:but(?: do)? not|and not|but leave out|not)\s+(?P<but>\S.*)",
    re.IGNORECASE,
)
_AREA = (
    r"settings|preferences|tab|page|section|panel|menu|screen|dialog|area|window|group|view|pane"
)
_THERE = re.compile(
    rf"(?P<what>.+?)\s+(?:(?:in|on|under|inside|within)\s+(?P<place>(?:the|my|"
    rf"your)\s+(?:[\w&-]+\s+)"
    rf"{{0,4}}(?:{_AREA})|[A-Z][\w& -]*\s+(?:{_AREA}))|"
    r"under\s+(?P<under>[A-Z][\w&-]*(?:\s[A-Z]\w*)*))"
)


def toggle(rest: str, talk: Talk) -> list[Step]:
    """Bring a switch to its other state."""
    if found := re.fullmatch(r"(?P<what>.+?)\s+(?P<on>on|off)", trim(rest), re.IGNORECASE):
        return tick(found["what"], talk, on=found["on"].lower() == "on")
    return [Point(talk.phrase(rest))]


_TO = re.compile(
    r"(?P<what>.+?)\s+(?:to(?: be| the (?:value|combination|position))?|at|=|as)\s+(?P<value>.+)",
    re.IGNORECASE,
)


_FOR_TIME = re.compile(
    rf"(?P<what>(?:the|my|your)\s.+?)\s+for\s+(?P<when>{DATED}|{TIMED})", re.IGNORECASE
)


def set_value(rest: str, talk: Talk) -> list[Step]:
    """`set X to Y`: a slider, a list or a field, whichever the screen has."""
    body = trim(rest)
    if to := re.fullmatch(r"to\s+(?P<value>.+)", body, re.IGNORECASE):
        return [SetValue(None, talk.text(to["value"]))]
    for joint in re.finditer(r"\s*,?\s+and\s+|\s*,\s*", body):
        left, right = body[: joint.start()], body[joint.end() :]
        if _TO.fullmatch(left) and _TO.fullmatch(right):
            return [*set_value(left, talk), *set_value(right, talk)]
    if timed := re.fullmatch(
        rf"(?P<what>(?:the|my|your)\s.+?)\s+for\s+(?P<when>{DATED}|{TIMED})", body
    ):
        return value_steps(timed["when"], talk.phrase(timed["what"]), talk)
    if (there := _THERE.fullmatch(body)) and _TO.fullmatch(there["what"]):
        phrase = talk.phrase(there["place"] or there["under"])
        return [replace(step, place=phrase) for step in set_value(there["what"], talk)]
    found = _TO.fullmatch(body)
    if found is None:
        raise NotUnderstood("set it to what? “set X to Y”")
    what = re.sub(r"^the (?:value|state) of\s+", "", found["what"], flags=re.IGNORECASE)
    what, value = _without_old(what, talk), found["value"]
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


def _given(what: str, value: str, talk: Talk) -> list[Step]:
    """One value for one thing, for each of several, or one each."""
    if (every := each_of(what)) and len(listed(value)) == 1:
        return [for_each(talk, every, SetValue(f"{{{EACH}}}", talk.text(value)))]
    if values := _values(value, what, talk):
        noun = re.sub(r"^(?:the|all|both)\s+(?:the\s+)?", "", what, flags=re.IGNORECASE)
        noun = re.sub(rf"^{NUMBER}\s+", "", noun)[:-1]
        return [SetValue(f"the {ordinal(i)} {noun}", v) for i, v in enumerate(values, 1)]
    if re.fullmatch(rf"{DATED}|{TIMED}", trim(value)):
        return value_steps(value, talk.phrase(what), talk)
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
        r"\s(?:with|using|via|through|by|while|when|so that)\s+(?:the|its|an?)\s", value
    ):
        raise NotUnderstood(f"where does “{talk.atoms.original(value)}” end?")
    if re.match(rf"{QUOTE}\s+\w", value):
        raise NotUnderstood(f"where does “{talk.atoms.original(value)}” end?")


def _without_old(what: str, talk: Talk) -> str:
    """`the language from English`: what it was before is no part of its name.

    Raises:
        NotUnderstood: The old one may be asked for, too.
    """
    found = re.fullmatch(r"(?P<what>.+?)\s+from\s+(?P<old>.+)", what)
    if found is None:
        return what
    if re.search(r"\b(?:password|passphrase|pin)$", found["what"], re.IGNORECASE):
        raise NotUnderstood("which field takes the old one? One step for each field")
    if re.search(rf"{DATED}|{TIMED}|\b(?:range|period)$", what):
        raise NotUnderstood("which field takes which of them? One step for each field")
    talk.put_aside(found["old"])
    return found["what"]


def _values(value: str, what: str, talk: Talk) -> list[str]:
    """One value each for several sliders."""
    if not re.search(r"(?:sliders|spinners|fields|dials|knobs)$", what.strip(), re.IGNORECASE):
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
    found = re.fullmatch(rf"(?P<what>.+?)\s+by\s+(?P<n>{NUMBER})", trim(rest), re.IGNORECASE)
    if found is None:
        raise NotUnderstood("by how much? “increase X by 2”, “increase X to 10”")
    amount = number(found["n"]) or 0
    return [SetValue(talk.phrase(found["what"]), f"{amount if up else -amount:g}", relative=True)]
