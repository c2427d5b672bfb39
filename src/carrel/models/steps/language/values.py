"""What is to be typed: literal, remembered, a date, worked out, or read from the screen first."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY, DATED, NAME, OTHER, QUOTE, TIMED
from carrel.models.steps.language.dates import (
    is_day_first,
    is_spoken_time,
    iso_date,
    iso_time,
    other_day,
)
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.signs import sign_of
from carrel.models.steps.language.talk import (
    IT,
    PRONOUN,
    NotUnderstood,
    Talk,
    trim,
)
from carrel.models.steps.program import (
    Complete,
    Compute,
    Enter,
    Phrase,
    PickDate,
    PickTime,
    Read,
    Step,
)

__all__ = ["FIELD", "ITEM", "NOUN", "RULE", "computed", "field_of", "refuse_new", "value_steps"]

FIELD = (
    r"fields?|box(?:es)?|inputs?|areas?|textbox(?:es)?|textareas?|form|column|cell|editor|line|bar|"
    r"prompt|dialog|place|blank|spinner|entry|terminal|document|search|window|text"
)


NOUN = (
    r"(?P<noun>(?:first |last |full |user |e-?mail |phone |postal |zip |street |search |order |"
    r"card |account |new |current |old |repeat |confirm )?"
    r"(?:name|username|user|login|password|passphrase|e-?mail|"
    r"address|e-?mail address|number|phone|code|zip|city|country|state|text|texts|word|words|value|"
    r"phrase|string|title|subject|message|query|keyword|amount|quantity|age|date(?: of birth)?|"
    r"time|comment|url|"
    r"term|line|sentence|id|pin|captcha|year|price|answer|note|description|company|term))"
)


_PLAIN_NOUN = {"text", "texts", "word", "words", "value", "phrase", "string", "number", "line",
               "sentence", "term"}  # fmt: skip


def field_of(noun: str) -> Phrase:
    """The field that a noun names: `the username field`."""
    bare = re.sub(r"^(?:the|a|an|your|my|their)\s+", "", noun.strip(), flags=re.IGNORECASE)
    return f"the {bare}" if re.search(rf"\b(?:{FIELD})$", bare) else f"the {bare} field"


ITEM = re.compile(r"(?:an?|any|the|some)\s+[\w -]+?\s+(?:that|which)\s+(?P<rule>.+)", re.IGNORECASE)


RULE = re.compile(
    rf"(?P<how>(?:starts?|begins?|beginning|starting) with|(?:ends?|ending) (?:with|in)|contains?|"
    rf"has|includes?)\s+(?P<text>{QUOTE}|\S+)",
    re.IGNORECASE,
)


_SAID_BEFORE = re.compile(
    rf"{PRONOUN}|the same \w+(?: again)?|(?:the same\s+)?(?:again|once (?:more|again)|"
    r"a second time)|"
    r"the [a-z ]+?(?: that| which)? (?:you|i)(?:['’]ve| have)?(?: just)? copied(?: before|"
    r" earlier)?",
    re.IGNORECASE,
)


def value_steps(text: str, into: Phrase | None, talk: Talk) -> list[Step]:
    """The steps that type a value: literal, remembered, a date, or read from the screen first."""
    bare = re.sub(r"^\(\s*([^()]*?)\s*\)$", r"\1", trim(text))
    if not bare and not text.strip():
        raise NotUnderstood("it does not say what to type")
    if (found := ITEM.fullmatch(bare)) and (steps := _completed(found["rule"], into, talk)):
        # What kind of entry it is the suggestions themselves say.
        talk.put_aside(bare[: found.start("rule")])
        return steps
    if found := re.fullmatch(
        rf"(?:the\s+)?(?:date\s+|time\s+)?(?P<when>{DATED}|{TIMED})", bare, re.IGNORECASE
    ):
        return [_timed(found["when"], into, talk)]
    if _SAID_BEFORE.fullmatch(bare):
        talk.put_aside(bare)
        return [Enter(f"{{{IT}}}", into)]
    if told := _TOLD.fullmatch(bare):
        talk.put_aside(told["noun"])
        return value_steps(told["text"], into or field_of(told["noun"]), talk)
    if not _SOMEBODYS.fullmatch(bare) and (named := _named(bare, into, talk)):
        return [named]
    if re.fullmatch(
        rf"(?:your|my)\s+(?!answer|result|solution)[a-z][\w ,-]*|{_SOMEBODYS.pattern}", bare
    ):
        raise NotUnderstood(f"it does not say what {talk.atoms.original(bare)} is")
    if read := computed(bare, talk) or _read(bare, talk):
        return [read, Enter(f"{{{IT}}}", into)]
    if sign := sign_of(bare):
        talk.put_aside(bare)
        return [Enter(sign, into)]
    _refuse_description(bare, talk)
    if found := re.fullmatch(rf"the\s+{NOUN}\s+(?P<text>[^\s].*)", bare, re.IGNORECASE):
        noun = found["noun"].lower()
        return [
            Enter(
                talk.text(found["text"]), into or (None if noun in _PLAIN_NOUN else field_of(noun))
            )
        ]
    if re.search(QUOTE, bare) and not re.fullmatch(QUOTE, bare):
        raise NotUnderstood(f"where does the text “{talk.atoms.original(bare)}” end?")
    # Before its field a dot is the text's own: "John & Sons Ltd. in the Company field".
    end = re.search(r"[.!?]+$", text.strip()) if into else None
    return [Enter(talk.atoms.text(bare + (end[0] if end else "")), into)]


def _named(bare: str, into: Phrase | None, talk: Talk) -> Enter | None:
    """A text that stands behind the noun of its field: `the username "ann"`."""
    if found := re.fullmatch(
        rf"(?:(?:the|a|an|your|my|their|his|her|this|"
        rf"following)\s+)*{NOUN}\s*:?\s*"
        rf"(?:of\s+)?(?P<text>{QUOTE}|{NAME})",
        bare,
        re.IGNORECASE,
    ):
        noun = found["noun"].lower()
        field = None if noun in _PLAIN_NOUN else field_of(noun)
        return Enter(talk.text(found["text"]), into or field)
    if (found := _FIELD_QUOTED.fullmatch(bare)) and not _TEXTUAL.search(found["noun"]):
        talk.put_aside(found["noun"])
        return Enter(talk.text(found["text"]), into or field_of(found["noun"]))
    if found := re.fullmatch(rf"(?:[\w'’-]+\s+){{0,4}}(?P<text>{QUOTE})", bare):
        return Enter(talk.text(found["text"]), into)
    if owned := _OWNED.fullmatch(bare) or _MINE.fullmatch(bare) or _coded(bare):
        talk.put_aside(owned["noun"])
        noun = re.sub(r"^[A-Z](?=[a-z])", lambda m: m[0].lower(), owned["noun"])
        return Enter(talk.text(owned["text"]), into or field_of(noun))
    return None


# `your birthday, 14 July 1992,`: the field, and its value beside it.
_TOLD = re.compile(
    rf"(?:the|your|my)\s+(?P<noun>[a-z][a-z -]*?),\s+(?P<text>{DATED}|{TIMED}|{OTHER}|{QUOTE}),?"
)
# `the passenger name "Ann"`: the field, unless the noun only says that it is a text.
_FIELD_QUOTED = re.compile(
    rf"(?:the|an?|your|my)\s+(?P<noun>(?!.*\s(?:is|in|into|as|to)\b)[A-Za-z][\w'’-]*"
    rf"(?:\s[\w'’-]+){{0,3}})\s*:?\s*"
    rf"(?:of\s+)?(?P<text>{QUOTE}|{NAME})",
    re.IGNORECASE,
)
_TEXTUAL = re.compile(
    r"(?:^|\s)(?:texts?|words?|values?|phrases?|strings?|numbers?|lines?|sentences?|terms?|commands?|"
    r"formulas?|expressions?|letters?|digits?|characters?|paragraphs?|greeting|reply|emoji|symbols?|"
    r"sequence|contents?|option|item|entry|file|folder|tag|task|link|user|"
    r"following|new|same|exact)$",
    re.IGNORECASE,
)
_OWNED = re.compile(
    rf"(?:my|our|his|her|their|your|a|an|the)\s+{NOUN.replace('company', 'company|formula')}"
    rf"\s*[,:]?\s+(?:is\s+)?(?P<text>(?-i:[A-Z\d=+]|{ANY}).*)",
    re.IGNORECASE,
)


_MINE = re.compile(
    rf"(?:my|his|her|their|our)\s+(?P<noun>[a-z]+(?: [a-z]+)?)\s+(?:is\s+)?"
    rf"(?P<text>(?:[A-Z\d+]|{ANY}).*)"
)


# `the voucher code SPRING15`: what plainly is a code, and the field that its noun names.
_CODED = re.compile(
    r"(?:the|a|an|your|my)\s+(?P<noun>(?:[A-Za-z-]+\s){1,3}(?:code|number|no\.|id|ID|name|key|"
    r"amount|address|reference|IBAN|date|year|size|limit|rate|price|quantity|count))\s+"
    r"(?P<text>(?=\S*[\dA-Z])[\w.+#/-]+)"
)


_DIGITS = re.compile(
    r"(?:the|an?|your|my)\s+(?P<noun>[A-Za-z][A-Za-z-]*(?:\s[a-z][a-z-]*){0,2})\s+"
    r"(?P<text>(?=\S*\d)[\w.+#/-]+(?:[ -][\d-]+)*)"
)


def _coded(bare: str) -> re.Match[str] | None:
    """`the ISBN 978-3-16`: a field, and what plainly is its value."""
    if found := _CODED.fullmatch(bare):
        return found
    found = _DIGITS.fullmatch(bare)
    return None if found is None or _TEXTUAL.search(found["noun"]) else found


# "the password I always use": only somebody knows it.
_SOMEBODYS = re.compile(
    r"(?:the|that|this)\s+(?:[a-z-]+\s+){1,3}(?:(?:that|which)\s+)?(?:I|you|we|he|she|they)(?:['’]ve|['’]d)?\s+"
    r"(?:(?:always|usually|normally|often|just|have|had|last|already|also)\s+)*"
    r"(?:use|uses|used|chose|choose|picked|got|get|received|set|wrote|created|registered|know|"
    r"remember|prefer|want|like|need|entered|typed|saw|noted)\b.*"
)


def _refuse_description(bare: str, talk: Talk) -> None:
    """What is no text itself is not typed.

    Raises:
        NotUnderstood: It only tells of one, or it is not clear where it ends.
    """
    if re.fullmatch(r"(?:any|some|no|every)thing(?: else)?|whatever(?: .*)?", bare):
        raise NotUnderstood("that only describes the text; put the text itself in quotes")
    if re.match(r"(?:an?|some|any)\s+[a-z]", bare) and not re.search(ANY, bare):
        raise NotUnderstood("that only describes the text; put the text itself in quotes")
    if re.fullmatch(
        rf"(?:{NUMBER}|\d+)\s+(?:random\s+)?(?:characters?|letters|digits|spaces|lines|words)", bare
    ):
        raise NotUnderstood("that only describes the text; put the text itself in quotes")
    if re.fullmatch(r"(?:the|this|that)\s+[a-z]+(?:\s[a-z]+)?", bare):
        raise NotUnderstood(f"it does not say what {talk.atoms.original(bare)} is; read it first")
    if re.fullmatch(rf"(?:the|an?)\s+{NOUN}", bare):
        raise NotUnderstood(f"it does not say what {talk.atoms.original(bare)} is")


def _completed(rule: str, into: Phrase | None, talk: Talk) -> list[Step] | None:
    parts = {"starts": "", "ends": "", "contains": ""}
    pieces = re.split(r"\s*,?\s+and\s+", rule)
    for piece in pieces:
        found = RULE.fullmatch(piece)
        if found is None:
            return None
        word = found["how"].lower()
        key = (
            "ends"
            if word.startswith("end")
            else "starts"
            if word[:2] in ("st", "be")
            else "contains"
        )
        parts[key] = talk.text(found["text"])
    return [Complete(parts["starts"], parts["ends"], parts["contains"], into)]


def _timed(atom: str, into: Phrase | None, talk: Talk) -> Step:
    said = talk.atoms.original(atom)
    place = (
        None if into in ("the date", "date", "the time", "time", "a date", "your date") else into
    )
    if re.fullmatch(DATED, atom):
        if (day := iso_date(said)) is None:
            raise NotUnderstood(f"there is no such day as {said}")
        other = other_day(said)
        if other and any(map(is_day_first, talk.atoms.known.values())):
            # Beside 15/06/2025, 01/06/2025 is the first of June.
            return PickDate(said, other, place)
        return PickDate(said, day, place, other=other)
    if (hour := iso_time(said)) is None:
        raise NotUnderstood(f"there is no such time as {said}")
    if is_spoken_time(said):
        # Words are no text for a field.
        talk.put_aside(atom)
        said = hour
    return PickTime(said, hour, place)


_SUMS: tuple[tuple[str, str], ...] = (
    (r"(?:the\s+)?(?:total\s+)?(?:number|count|amount|quantity) of\s+(?P<what>.+)", "count"),
    (
        (
            r"how many\s+(?P<what>.+?)(?:\s+(?:remain|there\s+are|"
            r"are\s+(?:there|shown|displayed|visible|left|listed)"
            r"(?:\s+(?:now|in total|altogether|after \w+ing))?|"
            r"(?:are|is) (?:there )?(?:on|in) .+|do you see|can you see|you (?:can )?see))?"
        ),
        "count",
    ),
    (
        (
            r"how (?:often|many times)\s+(?P<what>.+?)\s+(?:occurs?|appears?|comes? up|"
            r"is (?:mentioned|used|shown))"
        ),
        "count",
    ),
    (r"(?:the\s+)?(?:sum|total)\s+of\s+(?P<what>.+)", "sum"),
    (r"(?:the\s+)?(?:sum|total)\s+(?!of\b)(?P<what>(?:.+\s)?[a-z]+s\b.*)", "sum"),
    (r"(?:the\s+)?difference (?:of|between)\s+(?P<what>.+)", "difference"),
    (r"(?:the\s+)?product of\s+(?P<what>.+)", "product"),
    (r"(?:the\s+)?(?:average|mean) of\s+(?P<what>.+)", "average"),
    (
        (
            r"(?:the\s+)?(?:greatest|largest|biggest|highest|maximum)(?: number| value)? (?:of|"
            r"among|in|from)\s+"
            r"(?P<what>.+)"
        ),
        "greatest",
    ),
    (
        (
            r"(?:the\s+)?(?:smallest|lowest|least|minimum)(?: number| value)? (?:of|among|in|"
            r"from)\s+(?P<what>.+)"
        ),
        "least",
    ),
    (
        (
            r"(?:the\s+)?(?:result|answer|solution|value)(?: (?:of|to|for))\s+(?P<what>(?:the|this|"
            r"that)\s+(?:\w+\s+)?"
            r"(?:problem|equation|calculation|sum|expression|question|formula|puzzle).*)"
        ),
        "solve",
    ),
)


_HAS = re.compile(
    r"(?:the )?how many\s+(?P<what>.+?)\s+(?:do(?:es)?\s+)?(?P<of>(?:the|this|that|each)\s+.+?|"
    r"(?<=\sdoes\s)\S.*?)\s+ha(?:s|ve)",
    re.IGNORECASE,
)


_HOW_MANY_HAVE = re.compile(
    r"^((?:count\s+)?how many\s+[a-z][\w -]*?)\s+(have|has|contain|cost|need|(?:start|end) "
    r"with)\s+",
    re.IGNORECASE,
)


_HOW_MANY_ARE = re.compile(
    r"^(?P<many>(?:count\s+)?how many\s+[a-z][\w -]*?)\s+are\s+"
    r"(?:(?:there\s+)?(?P<where>(?:in|on|under|within|inside|at)\s.+)|(?P<so>(?!(?:there|shown|displayed|visible|left|listed)\b)[a-z].*))",
    re.IGNORECASE,
)


def _with_state(found: re.Match[str]) -> str:
    """`how many messages are unread`: those that are."""
    return f"{found['many']} {found['where'] or 'that are ' + found['so']}"


def computed(text: str, talk: Talk) -> Compute | None:
    """What must be worked out from the screen first; None when the words say no such thing."""
    text = _HOW_MANY_ARE.sub(_with_state, _HOW_MANY_HAVE.sub(r"\1 that \2 ", trim(text)))
    if found := _HAS.fullmatch(trim(text)):
        return Compute("count", talk.phrase(f"{found['what']} of {found['of']}"), IT)
    for words, how in _SUMS:
        if found := re.fullmatch(words, trim(text), re.IGNORECASE):
            return Compute(how, talk.phrase(found["what"]), IT)  # type: ignore[arg-type]
    if found := re.fullmatch(r"the solution (?:of|to|for) (?P<what>.+)", trim(text), re.IGNORECASE):
        return Compute("solve", talk.phrase(found["what"]), IT)
    if re.fullmatch(r"(?:your|the|my)\s+(?:answer|result|solution)", trim(text), re.IGNORECASE):
        return Compute("solve", "the problem", IT)
    return None


_SHOWN = re.compile(
    r"(?:the|its|their|his|her|every)\s+(?:.+?\s+)?(?:of|from|in|below|above|shown|"
    r"displayed|next to|"
    r"beside|for|under|on|at|that|which|corresponding|listed|given|you (?:see|found|copied|"
    r"read))\b.*|"
    r"(?:what|whatever)\s+.+|(?:the|its|their)\s+(?:[\w-]+\s+)?(?:value|word|text|result|code|"
    r"number)\s*|(?:his|her|its)\s+[a-z][a-z -]*|"
    r"(?:the|this|my|your)\s[\w -]+['’]s\s+[a-z][\w -]*|"
    r"[\w-]+['’]s?\s+(?:[\w-]+\s+)?(?:number|e-?mail|address|phone|name|value|age|price|score|id|"
    r"phone number)",
    re.IGNORECASE,
)


def _read(text: str, talk: Talk) -> Read | None:
    if re.search(QUOTE, text) and not re.match(r"the (?:value|text|word|number|price)\b", text):
        return None
    return Read(talk.phrase(text), IT) if _SHOWN.fullmatch(text) else None


def refuse_new(field: str) -> None:
    """What is not there yet takes no text.

    Raises:
        NotUnderstood: So it is.
    """
    if found := re.match(r"(?:an?\s+(?:new|blank|empty|fresh)|another)\s+(?P<what>\w+)", field):
        raise NotUnderstood(f"a new {found['what']} must be made first; that is a step of its own")
