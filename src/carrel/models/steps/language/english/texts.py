"""Steps about text, in English words: typing, clearing, copying, pasting."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY, DATED, NAME, OTHER, QUOTE, TIMED
from carrel.models.steps.language.english.entries import INTO, entries
from carrel.models.steps.language.english.own import perform
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.talk import (
    EACH,
    IT,
    PRONOUN,
    NotUnderstood,
    Talk,
    each_of,
    for_each,
    listed,
    trim,
)
from carrel.models.steps.language.values import (
    FIELD,
    ITEM,
    RULE,
    computed,
    field_of,
    refuse_new,
    value_steps,
)
from carrel.models.steps.program import (
    Clear,
    Enter,
    Fill,
    Perform,
    Phrase,
    Point,
    Press,
    Step,
)

__all__ = [
    "append",
    "clear",
    "computed",
    "enter",
    "value_steps",
]


_CASE: tuple[tuple[str, Callable[[str], str]], ...] = (
    (r"(?:upper[- ]?case|capitals?|block capitals?|caps|capital)(?:\s+letters?)?", str.upper),
    (r"(?:lower[- ]?case|small)(?:\s+letters?)?", str.lower),
)


_MANNER = re.compile(
    r",?\s+(?:\(?without (?:the )?(?:quotes|quotation marks)\)?|exactly(?: as (?:it is )?(?:shown|"
    r"written|given|displayed|is|it is))?|as (?:it is )?(?:shown|written)|word for word|verbatim|"
    r"from top to bottom|from left to right|"
    r"in (?:this|that|the given) order)"
    rf"(?:,(?=\s+(?:in|into|as)\s))?(?=$|\s|,)|(?<={ANY}),(?=\s+(?:in|into)\s+(?:the|your)\s)",
    re.IGNORECASE,
)
_AT_END = re.compile(
    r"\s+(?:at|to) the (?:very )?(?:end|bottom)(?: of (?P<of>(?:the|my) .+|[\ue000-\ue7ff]))?$",
    re.IGNORECASE,
)


_FOLLOWING = re.compile(
    rf"^(?:the\s+)?(?:following(?:\s+\w+)?|this|text)\s+(?P<into>(?:into|in)\s[^:]+?)\s*:\s*"
    rf"(?P<text>{QUOTE})$",
    re.IGNORECASE,
)
_SEPARATED = re.compile(
    rf"(?:(?:the\s+)?[a-z][a-z -]*?s\s+)?(?P<items>{ANY}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+){ANY})+)"
    r"(?:\s+(?:into|in)\s+(?P<into>the\s[^,]+?))?,?\s+(?:(?:separated|divided)\s+(?:by|with)\s+"
    r"(?:an?\s+)?(?P<sign>comma|semicolon|space)s?|on\s+separate\s+lines|(?:each\s+)?on\s+(?:its|"
    r"their)\s+own\s+lines?|each\s+on\s+a\s+(?:new|separate)\s+line|one\s+per\s+line)",
    re.IGNORECASE,
)
_LINE_END = re.compile(
    r"\s+(?:at|to) the (?:very )?(?P<end>end|start|beginning) of "
    r"(?P<line>line \d+|the (?:[\w-]+ )?line(?: \d+)?)$",
    re.IGNORECASE,
)


def _at_end(step: Step, of: str | None, talk: Talk) -> Step:
    """After what is there; a document is where the keyboard is."""
    if not isinstance(step, Enter):
        return step
    into = step.into if of is None or re.search(r"document|text$|file", of) else talk.phrase(of)
    return replace(step, append=True, into=into)


def enter(rest: str, talk: Talk) -> list[Step]:
    """Type one or several texts, each into its own field."""
    body = re.sub(
        r",?\s+followed by (?:the )?(enter|return|tab)(?: key)?$",
        r" ⏎\1",
        trim(rest),
        flags=re.IGNORECASE,
    )
    if found := re.search(r" ⏎(\w+)$", body):
        key = "tab" if found[1].lower() == "tab" else "enter"
        return [*enter(body[: found.start()], talk), Press((key,))]
    body = re.sub(
        rf"^({PRONOUN})\s+(?:again|once more|a second time)\b", r"\1", body, flags=re.IGNORECASE
    )
    for manner in _MANNER.finditer(body):
        talk.put_aside(manner[0])
    body = _MANNER.sub("", body)
    body = re.sub(rf"({QUOTE})\s+(?:slowly|quickly|carefully|gently|there|here)\b", r"\1", body)
    body = _FOLLOWING.sub(r"\g<text> \g<into>", body)
    if parted := _SEPARATED.fullmatch(body):
        talk.put_aside(body)
        named = (parted["sign"] or "line").lower()
        sign = {"comma": ", ", "semicolon": "; ", "space": " ", "line": "\n"}[named]
        texts = sign.join(talk.text(item) for item in listed(parted["items"]))
        into = _into(parted["into"], talk) if parted["into"] else None
        return [Enter(texts, into)]
    if line := _LINE_END.search(body):
        talk.put_aside(line[0])
        where = [
            Point(talk.phrase(line["line"])),
            Press(("end" if line["end"] == "end" else "home",)),
        ]
        return [*where, *(_at_end(step, None, talk) for step in enter(body[: line.start()], talk))]
    if end := _AT_END.search(body):
        talk.put_aside(end[0])
        return [_at_end(step, end["of"], talk) for step in enter(body[: end.start()], talk)]
    if not re.match(QUOTE, body) and re.fullmatch(
        rf"(?:(?!\s{INTO}\s).)+\sat the (?:very )?(?:top|beginning|start)\b.*", body
    ):
        raise NotUnderstood("text goes where the keyboard is; “press Ctrl+Home” goes to the top")
    if re.search(r"\s(?:twice|thrice|\w+ times)$", body, re.IGNORECASE):
        raise NotUnderstood("how often is not said of a text; one step for each time")
    if re.fullmatch(
        r"(?:in |out )?(?:the|this|a|your) (?:[\w-]+ )?form|(?:it|this|that|them|these) (?:in|out)",
        body,
        re.IGNORECASE,
    ):
        raise NotUnderstood("it does not say what to fill the form with")
    if steps := _told_apart(body, talk):
        return steps
    if (
        not re.match(r"(?:the|your)\b", body)
        and (item := ITEM.match(body))
        and re.match(RULE, item["rule"])
    ):
        return _one(body, talk)
    return entries(body, talk, _one) or _one(body, talk)


def _told_apart(body: str, talk: Talk) -> list[Step] | None:
    """The text and what it is, told by another form than `X into Y`."""
    if (of := _AMOUNT_OF.fullmatch(body)) is not None:
        return value_steps(of["text"], talk.phrase(f"the {of['noun']} of {of['what']}"), talk)
    if (told := _IN_BRACKETS.fullmatch(body)) and not _HINT.fullmatch(told["text"].strip()):
        into = _into(told["into"], talk) if told["into"] else field_of(told["noun"])
        return value_steps(told["text"], into, talk)
    if found := _FILL.fullmatch(body):
        places = [talk.phrase(found[k]) if found[k] else None for k in ("into", "source")]
        return [Fill(places[0], places[1])]
    return None


# "a quantity of 3 for the pens": that goes with them, and not into them.
_AMOUNT_OF = re.compile(
    rf"an?\s+(?P<noun>[a-z]+)\s+of\s+(?P<text>{QUOTE}|[^\w\s]?\d[\d.,]*)\s+for\s+(?P<what>the\s\S.*)",
    re.IGNORECASE,
)
# "your name (Ada)": what it is, and the text itself.
_IN_BRACKETS = re.compile(
    r"(?:your|my|the|an?)\s+(?P<noun>[a-z][a-z -]*?)\s*\(\s*(?P<text>[^()]+?)\s*\)"
    r"(?:\s+(?:in|into)\s+(?P<into>(?!the\s+form\b).+?)|\s+(?:in|into)\s+the\s+form)?",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"(?:e\.g\.|for example|optional|required|if|any|the|as|see|s|in|without|with)\b.*",
    re.IGNORECASE,
)
_FILL = re.compile(
    r"(?:the )?(?:corresponding |matching |right )?(?:values?|data)(?: that| which)?(?: "
    r"corresponds?| matche?s?| belongs?)?"
    r"(?: with| to| for| of)? (?:each|every)(?: label| field| row)?(?: shown)?"
    r"(?: (?:in|from) (?P<source>the (?:table|list|text|page)(?: \w+)?|"
    r"[\ue000-\uf8ff]))?(?: (?:into|in) (?P<into>the .+|[\ue000-\uf8ff]))?",
    re.IGNORECASE,
)


def _one(body: str, talk: Talk) -> list[Step]:
    """One text, and the field it goes into when it is said."""
    if found := re.fullmatch(rf"(?:in\s+|out\s+)?(?P<field>{QUOTE})\s+with\s+(?P<text>.+)", body):
        return value_steps(found["text"], talk.phrase(found["field"]), talk)
    if found := re.fullmatch(
        rf"(?:the\s+)?formula\s+(?P<text>=.+?)(?:\s+{INTO}\s+(?P<in>.+))?", body
    ):
        return value_steps(found["text"], _into(found["in"], talk) if found["in"] else None, talk)
    found = re.fullmatch(r"(?P<field>.+?)\s+(?:with|as|to be)\s+(?P<text>.+)", body)
    if found and not re.match(QUOTE, found["field"]) and _is_field(found["field"]):
        _refuse_structure(found["text"], found["field"])
        return value_steps(found["text"], _into(found["field"], talk), talk)
    if found := re.fullmatch(
        rf"(?P<field>[^{QUOTE[1:-1]}=:(]+?)\s*(?:=|:(?=\s|{ANY}))\s*(?P<text>.+)", body
    ):
        field = found["field"]
        if said := _SORT_OF_TEXT.fullmatch(field):
            talk.put_aside(said["noun"])
            field = said["into"]
        return value_steps(found["text"], _into(field, talk), talk)
    if cells := _cells(body, talk):
        return cells
    if found := _AS_FIELD.fullmatch(body):
        place = talk.phrase(found["place"])
        steps = value_steps(found["text"], _into(found["field"], talk), talk)
        return [replace(step, place=place) for step in steps]
    if re.match(r"into\s", body, re.IGNORECASE):
        raise NotUnderstood("it does not say what to type")
    text, field = _parted(body)
    _refuse_structure(text, field)
    text, change = _cased(text)
    if not change and field:
        field, change = _cased(field)
    steps = value_steps(text, _into(field, talk) if field else None, talk)
    if each := each_of(field) if field else None:
        return _in_each(steps, each, talk)
    return [_changed(step, change) for step in steps]


# "twice.txt as the name in the dialog": the field of the place, and nothing of the text.
_AS_FIELD = re.compile(
    rf"(?P<text>{QUOTE}|(?:(?!\sas\s)[^{QUOTE[1:-1]}])+?)\s+as\s+"
    r"(?P<field>(?:the|its|my|your|an?)\s+[a-z][a-z-]*(?:\s[a-z-]+){0,2}?)\s+(?:in|on|of|inside)\s+"
    r"(?P<place>(?:the|this|that)\s(?:[\w-]+\s){0,3}?"
    r"(?:form|dialog(?:ue)?(?: box)?|window|pop-?up|panel|section|row|line|card|entry|sheet|page|"
    r"table|group|block)(?:\s(?:that|which|on|at|in|of|for)\s.+)?)",
)
# "your message into the chat box: …": what sort of text it is, and where it goes.
_SORT_OF_TEXT = re.compile(
    r"(?P<noun>(?:the|your|my|an?|this)\s+(?:[a-z-]+\s+){0,2}?[a-z-]+)\s+(?:into|in|to)\s+"
    r"(?P<into>(?:the|your|my)\s.+)"
)
_RANGE = re.compile(
    r"(?:the\s+)?cells\s+(?P<col>[A-Z]+)(?P<first>\d+)\s*(?:to|through|:|"
    r"-)\s*(?P=col)(?P<last>\d+)\s+with\s+"
    r"(?P<texts>.+)"
)


def _cells(body: str, talk: Talk) -> list[Step] | None:
    """`cells A1 to A3 with x, y and z`: one each."""
    found = _RANGE.fullmatch(body)
    texts = _numbers(found["texts"], talk) or listed(found["texts"]) if found else []
    if found is None or len(texts) != int(found["last"]) - int(found["first"]) + 1:
        return None
    names = (f"cell {found['col']}{int(found['first']) + i}" for i in range(len(texts)))
    return [
        step
        for text, name in zip(texts, names, strict=True)
        for step in value_steps(text, name, talk)
    ]


def _numbers(said: str, talk: Talk) -> list[str]:
    """The numbers of `the numbers 1 to 5`, each as a text."""
    span = re.fullmatch(r"(?:the\s+)?numbers\s+(?P<a>\d+)\s*(?:to|through|-)\s*(?P<b>\d+)", said)
    most = 100
    if span is None or not 0 < int(span["b"]) - int(span["a"]) < most:
        return []
    talk.put_aside(said)
    return [str(n) for n in range(int(span["a"]), int(span["b"]) + 1)]


_UNNAMED = re.compile(rf"[A-Z][^,]*,\s[^,]*(?:{OTHER}|@)[^,]*(?:,|\sand\s).+")


def _refuse_structure(text: str, field: str | None) -> None:
    """What tells of texts and fields is not typed itself.

    Raises:
        NotUnderstood: So it is.
    """
    if field is None and _UNNAMED.fullmatch(text):
        raise NotUnderstood("which field takes which text? “enter “Ann” in the name field”")
    if re.fullmatch(
        r"the (?:first|second|third|fourth|fifth|last|other|\d+(?:st|nd|rd|th)) (?:one|word)",
        text,
        re.IGNORECASE,
    ):
        raise NotUnderstood("which that is has to be read first; a text of its own goes in quotes")
    if field is None and re.match(r"(?:then|and|cells?|rows?|columns?)\s", text):
        raise NotUnderstood(
            "where does what go? “type “x” into Y”; a text of its own goes in quotes"
        )
    if re.fullmatch(rf"{DATED}|{TIMED}", field or ""):
        raise NotUnderstood("which field takes which of them? One step for each field")
    if field is None and re.search(
        r"[^\s\ue000-\uf8ff]\sin\s(?:bold|italics?|red|green|blue|yellow)(?: letters| type)?$", text
    ):
        raise NotUnderstood("what it shall look like is a step of its own: “make X bold”")
    if re.fullmatch(
        r"(?:bold|italics?|red|green|blue|yellow|colou?r)(?: letters| type)?", field or ""
    ):
        raise NotUnderstood("what it shall look like is a step of its own: “make X bold”")
    several = re.match(
        r"(?:the|all)\s+(?:[\w-]+\s+)?(?:rows|cells|fields|boxes|columns|inputs|lines)\b",
        field or "",
    )
    if several and len(listed(text)) > 1:
        raise NotUnderstood("which of them goes where? One step for each")
    if re.fullmatch(r"an? (?:\w+ )?(?:heading|title|bullet(?: point)?|list)", field or ""):
        raise NotUnderstood("only into a field; what it shall look like is a step of its own")


def _is_field(text: str) -> bool:
    return re.match(
        r"(?:the|your|all|every|each|in\b|out\b|both)\b", text, re.IGNORECASE
    ) is not None or (re.search(rf"\b(?:{FIELD})$", text, re.IGNORECASE) is not None)


def _into(field: str, talk: Talk) -> Phrase:
    bare = re.sub(r"^(?:in|out|into)\s+", "", field.strip(), flags=re.IGNORECASE)
    bare = re.sub(r"^the following\s+", "the ", bare, flags=re.IGNORECASE)
    refuse_new(bare)
    return talk.phrase(bare, "where to type it")


def _parted(body: str) -> tuple[str, str | None]:
    """The text and the field: at the preposition after a quote, else at the last one that fits."""
    # What stands before a quote tells what it is, unless it is the quote that tells where it goes.
    before = r"(?!into\s)(?:[\w-]+\s+)?(?:(?!(?:into|in|inside|within|for)\s)[\w-]+\s+){0,2}?"
    text = rf"(?:(?:the|a|an|your|my)\s+)?{before}{QUOTE}|{NAME}|{DATED}|{TIMED}|{OTHER}"
    if found := re.fullmatch(
        rf"(?P<text>{text})(?P<case>\s+in (?:all )?(?:upper|lower|"
        rf"capital|small)[\w -]*?)?"
        rf"(?:\s+{INTO}\s+(?P<field>.+))?",
        body,
        re.IGNORECASE,
    ):
        return found["text"] + (found["case"] or ""), found["field"]
    told = r"(?<!\bshown)(?<!\bdisplayed)(?<!\bgiven)(?<!\bwritten)(?<!\blisted)(?<!\bprinted)"
    cut = rf"(?:{told}\s+|\s+(?=into\s))(?P<word>{INTO})\s+"
    cuts = list(re.finditer(cut, body, re.IGNORECASE))
    fits = [m for m in cuts if _fits(m["word"], body[m.end() :]) or _short(m, body)]
    chosen = next((m for m in fits if m["word"].lower() == "into"), None) or (
        fits[-1] if fits else None
    )
    if chosen is None:
        chosen = _named(cuts, body)
    if chosen is None:
        return body, None
    return body[: chosen.start()], body[chosen.end() :]


def _named(cuts: list[re.Match[str]], body: str) -> re.Match[str] | None:
    """`5 in Quantity`: a field by its name alone.

    Raises:
        NotUnderstood: The words before it are no plain value: "meet me in Paris".
    """
    quoted = next((m for m in cuts if re.fullmatch(QUOTE, body[m.end() :])), None)
    if quoted is not None and not re.search(QUOTE, body[: quoted.start()]):
        return quoted
    cut = next((m for m in reversed(cuts) if m["word"].lower() in ("in", "inside", "under")), None)
    if cut is None:
        return None
    value, field = body[: cut.start()], body[cut.end() :]
    if re.fullmatch(rf"{NUMBER}", value, re.IGNORECASE):
        return cut
    if re.fullmatch(r"[A-Z][\w'’-]*(?:\s+[\w'’-]+){0,3}", field) is None:
        return None
    if len(value.split()) > 1 and not all(word[:1].isupper() for word in value.split()):
        raise NotUnderstood(f"whether “in {field}” belongs to the text? Put the text in quotes")
    return cut


def _fits(word: str, field: str) -> bool:
    if re.match(r"(?:all\s+)?(?:upper|lower|capital|small|block|caps)\b", field, re.IGNORECASE):
        return False
    named = re.search(rf"\b(?:{FIELD})\b", field, re.IGNORECASE) is not None
    return (
        word.lower() in ("into", "as")
        or named
        or field[:4].lower() in ("the ", "your", "both", "each", "all ")
    )


def _short(cut: re.Match[str], body: str) -> bool:
    """`5 for quantity`: one word for a field of few words."""
    single = len(body[: cut.start()].split()) == 1
    return cut["word"].lower() == "for" and single and len(body[cut.end() :].split()) <= 3


def _cased(text: str) -> tuple[str, Callable[[str], str] | None]:
    for words, change in _CASE:
        found = re.search(
            rf"\s*\bin\s+(?:all\s+)?{words}|\s*\bas\s+{words}$|^all {words}\s+(?:in|into)\s+",
            text,
            re.IGNORECASE,
        )
        if found:
            rest = (text[: found.start()] + " " + text[found.end() :]).strip()
            return re.sub(r"^(?:in|into)\s+", "", rest), change
    return text, None


def _changed(step: Step, change: Callable[[str], str] | None) -> Step:
    if change is None or not isinstance(step, Enter) or "{" in step.text:
        return step
    return Enter(change(step.text), step.into, step.append)


def _in_each(steps: list[Step], what: str, talk: Talk) -> list[Step]:
    *before, last = steps
    if not isinstance(last, Enter):
        raise NotUnderstood("only a text can go into several fields")
    return [*before, for_each(talk, what, Enter(last.text, into=f"{{{EACH}}}"))]


def append(rest: str, talk: Talk) -> list[Step]:
    """Type after what is already there."""
    return [
        Enter(step.text, step.into, append=True) if isinstance(step, Enter) else step
        for step in enter(rest, talk)
    ]


def clear(rest: str, talk: Talk) -> list[Step]:
    """Empty fields."""
    body = re.sub(
        r"^(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:existing\s+)?(?:text|contents?|value)s?\s+(?:in|"
        r"of|from|inside)\s+",
        "",
        trim(rest),
        flags=re.IGNORECASE,
    )
    body = re.sub(r"(?<=\S)\s+(?:again|once more)$", "", body, flags=re.IGNORECASE)
    if re.search(r"\b(?:trash|bin|cart|basket|cache|history|queue|folder)$", body, re.IGNORECASE):
        return perform("empty", body, talk)
    if not body or re.fullmatch(r"it", body, re.IGNORECASE):
        return [Clear(f"{{{IT}}}" if body else None)]
    if (what := each_of(body)) and re.search(rf"\b(?:{FIELD})\b", what, re.IGNORECASE):
        return [for_each(talk, what, Clear(f"{{{EACH}}}"))]
    if what:
        return [Perform("clear", talk.phrase(body))]
    parts = re.split(r"\s*,?\s+and\s+(?=the\s)|\s*,\s*(?=the\s)", body)
    return [Clear(talk.phrase(part)) for part in parts]
