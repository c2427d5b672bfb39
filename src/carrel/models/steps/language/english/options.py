"""Steps that choose, in English words: options, dates, values of a gauge."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import DATED, PHRASE, QUOTE, TIMED, quoted
from carrel.models.steps.language.dates import DAY_FIELD, DAY_OF_YEAR, iso_date, weekday_ahead
from carrel.models.steps.language.english.appearances import COLOURS
from carrel.models.steps.language.english.levels import set_value
from carrel.models.steps.language.english.listing import ALL_BUT, names_of
from carrel.models.steps.language.english.pointer import PATH
from carrel.models.steps.language.english.telling import telling
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import (
    EACH,
    NotUnderstood,
    Talk,
    each_of,
    for_each,
    listed,
    trim,
)
from carrel.models.steps.language.values import field_of, value_steps
from carrel.models.steps.language.words import KINDS
from carrel.models.steps.program import Choose, Highlight, PickDate, SetValue, Step

__all__ = ["choose", "each_as"]

_SOURCE = (
    r"list|listbox|drop-?down|menu|combo|combobox|box|select|selector|options?|choices|table|group|"
    r"dialog|field|tabs?|toolbar|results|calendar|picker|suggestions|section|grid|tree|panel|"
    r"page|radio"
)
_GAUGE = (
    r"sliders?|spinners?|picker|wheel|knob|dial|stepper|spin(?:ner)? box|range|colou?r picker|bar"
)


def choose(rest: str, talk: Talk) -> list[Step]:
    """Choose options, a date, a value of a slider, or text."""
    body = re.sub(r"^(?:the\s+)?cells\s+from\s+(?=[A-Z]+\d)", "cells ", trim(rest))
    if steps := telling(body, talk):
        return steps
    if re.match(r"from\s+(?:the|this|that|your|my)\s", body, re.IGNORECASE):
        raise NotUnderstood("it does not say which option")
    if (whole := _all_or_none(body)) is not None:
        return [whole]

    if but := ALL_BUT.fullmatch(body):
        return [for_each(talk, f"options {but['but']}", Choose((f"{{{EACH}}}",)))]
    if (
        steps := _made_up(body, talk)
        or _dated(body, talk)
        or _on_calendar(body, talk)
        or _day_from_now(body, talk)
        or _gauged(body, talk)
        or _text(body, talk)
    ):
        return steps
    if group := _IN_GROUP.fullmatch(body):
        body = f"{group['group']} > {group['what']}{(group['more'] or '').lstrip(',')}"
    if len(parts := PATH.split(body)) > 1:
        return _path(parts, talk)
    if len(chain := re.split(r"\s*,?\s+(?:and\s+)?then\s+", body)) > 1:
        return _chain(chain, talk)
    if keyed := _keyed(body, talk):
        return keyed
    if pairs := each_as(body):
        return [step for pair in pairs for step in choose(pair, talk)]
    if steps := _so_many(body, talk) or _of_labels(body, talk) or _by_labels(body, talk):
        return steps
    return _chosen(*_sourced(body), talk)


# "Ann in the list, which is under A - C": of the group of that name.
_IN_GROUP = re.compile(
    r"(?P<what>[^,]+),?\s+(?:which|that)\s+(?:is|stands|is\s+(?:found|listed|to\s+be\s+found))\s+"
    rf"(?:under|inside|within|in)\s+(?:the\s+(?:group|heading|category|submenu|folder)\s+)?"
    rf"(?P<group>{QUOTE}|{PHRASE}|(?-i:[A-Z])[^,]*?)(?P<more>,?\s+(?:from|in)\s+(?:the|my|your)\s[^,]+)?",
    re.IGNORECASE,
)


def _chosen(options: str, source: str | None, talk: Talk) -> list[Step]:
    """The options of one source, or of each of several.

    Raises:
        NotUnderstood: It is not clear where the source ends.
    """
    options = re.sub(r"^both\s+(?=.+\sand\s)", "", options, flags=re.IGNORECASE)
    if source and re.search(rf"\sand\s+[a-z]+\s+{QUOTE}$", source):
        raise NotUnderstood(f"where does “{talk.atoms.original(source)}” end?")
    if source and (every := each_of(source)):
        names, said = names_of(options, talk)
        return [for_each(talk, every, Choose(names, place=f"{{{EACH}}}", said=said))]
    phrase = talk.phrase(source) if source else None
    if what := each_of(options):
        return [for_each(talk, what, Choose((f"{{{EACH}}}",), phrase))]
    names, said = names_of(options, talk)
    return [Choose(names, phrase, said=said)]


def _all_or_none(body: str) -> Step | None:
    """`select all`, `choose nothing`."""
    if body == "None":
        # With a capital it is what an option is called.
        return Choose((body,))
    none = r"(?:nothing|none(?: of (?:them|the .+))?|no(?:ne)? (?:options?|items?|boxes))"
    if re.fullmatch(none, body, re.IGNORECASE):
        return Choose(())
    return Highlight("everything") if re.fullmatch(r"everything|all", body, re.IGNORECASE) else None


_UNDER = re.compile(r"(?P<what>\S.*?)\s+(?:under|from|in|via)\s+(?P<first>\S.*)", re.IGNORECASE)
_AS = re.compile(
    r"(?P<what>\S.*?)\s+(?P<as>as|for|from|"
    r"in(?=\s(?:the|my|your)\s[\w -]*\b(?:list|drop-?down|box|field|group|menu)))\s+"
    r"(?P<of>(?:the|your|my|its|question|row|line|day|step|room|guest|passenger)\s\S.*)",
    re.IGNORECASE,
)


def each_as(body: str) -> list[str]:
    """`A as the source and B as the destination`: one after the other."""
    for joint in re.finditer(r"\s*,?\s+and\s+|\s*,\s*", body):
        left, right = _AS.fullmatch(body[: joint.start()]), _AS.fullmatch(body[joint.end() :])
        if left and right and left["as"].lower() == right["as"].lower():
            return [left[0], *(each_as(right[0]) or [right[0]])]
    return []


_MADE_UP = re.compile(
    rf"(?:an?|the|your|my)\s+(?:new\s+|secure\s+)?(?P<noun>password|passphrase|pin|user ?name|"
    rf"nickname|display name)\s+(?:of\s+|like\s+)?(?P<text>{QUOTE})",
    re.IGNORECASE,
)
# "Price: low to high" is one option.
_ORDER = re.compile(
    r"(?:from\s+)?(?:low|high|new|old|cheap|a\b|z\b|ascend|descend|near|far|small|larg)\w*"
    r"(?:\s+(?:first|to\s.+|-\s.+))?",
    re.IGNORECASE,
)
_KEYED = re.compile(r"(?P<key>[A-Z][\w -]*?)\s*[:=]\s+(?P<value>\S.*)")


def _made_up(body: str, talk: Talk) -> list[Step] | None:
    """`choose a password "x"`: it is typed."""
    found = _MADE_UP.fullmatch(body)
    return value_steps(found["text"], field_of(found["noun"]), talk) if found else None


def _keyed(body: str, talk: Talk) -> list[Step] | None:
    """`Brand: Sony, Colour: red`: each from what it is called by."""
    found = [_KEYED.fullmatch(item) for item in listed(body)]
    if not all(found) or any(f and _ORDER.fullmatch(f["value"]) for f in found):
        return None
    return [Choose((talk.phrase(f["value"]),), talk.phrase(f["key"])) for f in found if f]


_LABEL_OF = re.compile(
    rf"(?:an?|the(?!\s[a-z -]+\sof\s{QUOTE}))\s+"
    rf"(?P<what>[a-z][a-z -]+?)(?:\s+of|(?<=date)|(?<=time)|(?<=day))\s+"
    rf"(?P<value>{DATED}|{TIMED}|{QUOTE}|{NUMBER}\s*%?|{DAY_OF_YEAR})",
    re.IGNORECASE,
)


def _of_labels(body: str, talk: Talk) -> list[Step] | None:
    """`a start date of 1 May 2027 and an hourly wage of 22`: what takes which value."""
    found = [_LABEL_OF.fullmatch(item) for item in listed(body)]
    if not all(found):
        return None
    return [s for f in found if f for s in set_value(f"the {f['what']} to {f['value']}", talk)]


_LABELLED = re.compile(
    rf"(?:the\s+)?(?P<of>size|colou?r|language|country|currency|category|priority|type|format|font|"
    rf"theme|quality|department)\s+(?P<value>{QUOTE}|(?-i:[A-Z\d][\w.-]*(?:\s[A-Z]\w*)*)|{COLOURS})",
    re.IGNORECASE,
)


def _by_labels(body: str, talk: Talk) -> list[Step] | None:
    """`size M and the colour green`: each from what it is called by."""
    found = [_LABELLED.fullmatch(item) for item in listed(body)]
    if len(found) < 2 or not all(found):
        return None
    return [Choose((talk.phrase(f["value"]),), talk.phrase(f["of"])) for f in found if f]


_AFTER = re.compile(
    rf"\s{NUMBER}\s+(?:days?|weeks?|months?|years?|hours?)\s+(?:after|before|from|later|earlier)\b",
    re.IGNORECASE,
)
# "choose 2 guests": of the guests, 2; or an option that says so.
_SO_MANY = re.compile(
    rf"(?P<n>{NUMBER})\s+(?P<of>(?!(?:{KINDS}|of|things?|ones|more|other|random|"
    rf"different)\b)[a-z]+)",
    re.IGNORECASE,
)


def _so_many(body: str, talk: Talk) -> list[Step] | None:
    """`2 adults and 1 child`: of each, so many."""
    found = [_SO_MANY.fullmatch(item) for item in listed(body)]
    # "One way" is what something is called.
    if not all(found) or any(f and f["n"][0].isupper() for f in found):
        return None
    return [
        Choose((f"{number(f['n']):g}",), talk.phrase(f["of"]), said=talk.phrase(f[0]))
        for f in found
        if f
    ]


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
    joint = re.search(
        rf"\s*,?\s+and\s+(?=(?:{DATED}|{TIMED})\s)", found["into"] or "", re.IGNORECASE
    )
    if joint is not None:
        first = f"{found['when']} in {found['into'][: joint.start()]}"
        rest = _dated(found["into"][joint.end() :], talk)
        return [*(_dated(first, talk) or ()), *rest] if rest else None
    into = talk.phrase(found["into"]) if found["into"] else None
    return value_steps(found["when"], into, talk)


_CALENDAR = re.compile(
    rf"(?:the\s+)?(?:date\s+)?(?P<when>{DAY_OF_YEAR})\s+(?:in|on|from|with|using|as|for)\s+"
    rf"(?P<into>(?:the|a)\s+(?:[\w-]+\s+){{0,3}}?(?:calendar|date ?picker)|{PHRASE}|"
    rf"(?:the|my|your)\s(?:[\w-]+\s)*?{DAY_FIELD})",
    re.IGNORECASE,
)


def _on_calendar(body: str, talk: Talk) -> list[Step] | None:
    """`the 15th of March in the calendar`: a day of this year."""
    found = _CALENDAR.fullmatch(body)
    day = iso_date(found["when"]) if found else None
    if found is None or day is None:
        return None
    return [PickDate(found["when"], day, talk.phrase(found["into"]))]


_FROM_NOW = re.compile(
    r"(?P<when>today|tomorrow|yesterday|next\s+(?P<day>(?i:mon|tues|wednes|thurs|fri|satur|sun)day))"
    r"\s+(?:in|on|from|with|using|as|for)\s+(?P<into>(?:the|a|my|your)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:calendar|date ?picker|date)(?:\s+(?:field|box))?)"
)


def _day_from_now(body: str, talk: Talk) -> list[Step] | None:
    """`tomorrow in the calendar`; a word with a capital is what something is called.

    Raises:
        NotUnderstood: It may be this week or the next.
    """
    found = _FROM_NOW.fullmatch(body)
    if found is None:
        return None
    if found["day"] is None:
        return value_steps(
            talk.atoms.mask(f"{found['when']}'s date"), talk.phrase(found["into"]), talk
        )
    days = weekday_ahead(found["day"])
    if len(days) > 1:
        raise NotUnderstood(f"{found['when']} may be {' or '.join(days)}; say the day itself")
    talk.put_aside(found["when"])
    return [PickDate(days[0], days[0], talk.phrase(found["into"]))]


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


# "the word hello", "the text Hello World": words of a text, where no sort of control follows.
_WORD = re.compile(
    rf"the\s+(?P<noun>words?|phrase|text)\s+(?P<text>(?!(?:{KINDS}|colou?r|size|style|tool|wrap|"
    rf"count|art|only|mode|align\w*)\b)(?:(?<=text )(?=[A-Z])|(?<!text ))[\w'’-]+"
    rf"(?:\s(?!(?:{KINDS})\b)[A-Z][\w'’-]*)*)"
)


_FROM_MENU = re.compile(
    r"(?!the\s|all\b)\S.*\s(?:from|in|under|on|of)\s(?:the|its|that|this)\s(?:\S+\s){0,3}"
    r"(?:menu(?: ?bar)?|sub-?menu|tool ?bar|ribbon|drop-?down(?: list| menu)?|combo ?box)",
    re.IGNORECASE,
)
"""`Paragraph from the Format menu`: what a menu has under the name of a sort of text."""


_IN_THE_TEXT = re.compile(
    rf"(?P<what>(?:the\s+)?(?:words?|text|phrase|passage|sentence)\s+{QUOTE})\s+"
    r"(?P<where>(?:in|of|inside|within)\s+(?:the|this|my)\s+(?:text|editor|document|note|page|letter|article|"
    r"text\s+(?:box|area|field)|message|body|mail|e-?mail))",
    re.IGNORECASE,
)


def _text(body: str, talk: Talk) -> list[Step] | None:
    """Text is highlighted, not chosen."""
    if word := _WORD.fullmatch(body):
        return [Highlight(f"the {word['noun']} {quoted(talk.text(word['text']))}")]
    if _FROM_MENU.fullmatch(body):
        return None
    found = re.fullmatch(
        rf"(?P<all>all(?: of)? (?:the )?text|(?:the\s+)?(?:text|words?|sentence|paragraph|"
        rf"passage)\s+(?:in|of|from|inside|below|{QUOTE}).*|"
        r"(?:the\s+)?(?:\w+\s+)?(?:paragraph|sentence)(?:\s+.+)?|(?:the )?text)(?:\s+(?:in|"
        r"of)\s+.+)?",
        body,
        re.IGNORECASE,
    )
    if found is None:
        return None
    if generic := _IN_THE_TEXT.fullmatch(body):
        # Where else words are, it says already that they are words.
        talk.put_aside(generic["where"])
        body = generic["what"]
    return [Highlight(talk.phrase(body))]


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


_FROM_BAR = re.compile(
    r"(?P<what>\S.*?)\s+(?:from|in|on)\s+(?P<source>the\s(?:[\w-]+\s)*(?:bar|toolbar|menubar|"
    r"ribbon|menu|sidebar|panel))",
    re.IGNORECASE,
)


def _chain(parts: list[str], talk: Talk) -> list[Step]:
    """`File from the menu bar and then Print`: one after the other, the first from there."""
    if first := _FROM_BAR.fullmatch(parts[0]):
        names = (first["what"], *parts[1:])
        source = talk.phrase(first["source"])
        return [Choose(tuple(map(talk.phrase, names)), source, path=True)]
    return _path(parts, talk)


def _sourced(body: str) -> tuple[str, str | None]:
    """The options and what they belong to.

    Raises:
        NotUnderstood: It is a day that must be worked out.
    """
    if _AFTER.search(body):
        raise NotUnderstood("which day that is no rule works out; say the day itself")
    cuts = list(
        re.finditer(
            r"\s+(?P<word>from|out of|in|within|inside|on|under|for|as|among|amongst|of)(?=\s)",
            body,
            re.IGNORECASE,
        )
    )
    for cut in reversed(cuts):
        word, right = cut["word"].lower(), body[cut.end() :].strip()
        if not cut["word"].islower():
            # "the From field": a name.
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
