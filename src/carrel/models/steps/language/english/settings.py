"""English words about where or with what something is done: in the dialog, with the slider."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY, PHRASE, QUOTE
from carrel.models.steps.language.english.clauses import clauses
from carrel.models.steps.language.english.keys import chord
from carrel.models.steps.language.english.listing import span_of
from carrel.models.steps.language.english.pointer import button_of
from carrel.models.steps.language.english.reader import Reader, is_gerund, unclear
from carrel.models.steps.language.english.whereabouts import without_comma
from carrel.models.steps.language.spoken import spoken_of
from carrel.models.steps.language.talk import (
    EACH,
    NotUnderstood,
    Talk,
    each_of,
    first_few,
    for_each,
)
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.program import (
    Check,
    Choose,
    Clear,
    Complete,
    Drag,
    Enter,
    Expand,
    Find,
    ForEach,
    GoTo,
    Open,
    Perform,
    PickDate,
    PickTime,
    Point,
    Press,
    Read,
    SetValue,
    Step,
    Unclear,
)

__all__ = ["instrument", "placed", "used"]

_PLACE = re.compile(
    r"(?P<word>in|inside|within|on|under|at|for|from|using|with|via|by using|below|above|"
    r"next to|beside|"
    r"through|over in|among)\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)


_SO = re.compile(r"\s(?:selected|open|checked|ticked|active|focused|highlighted)$", re.IGNORECASE)


def placed(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`In the dialog, click OK`; `From the File menu choose Save`."""
    found = _PLACE.match(text)
    if found is None:
        return None
    place, body = _place_and_body(found["rest"], found["word"])
    if body is None:
        return None
    if found["word"].lower() == "at" and (appended := _at_the_end(place, body)):
        return read(appended, talk)
    if gap := _gapped(found["word"], body):
        first, second = gap
        return [*read(f"{found['word']} {place}, {first}", talk), *read(second, talk)]
    if whole := _of_menu(found["word"], place, body):
        first, *others = whole
        return [*read(first, talk), *(step for part in others for step in read(part, talk))]
    steps = [_all_of_it(step, text, talk) for step in read(body, talk)]
    if found["word"].lower() in ("using", "with", "via", "by using", "through") and not (
        _SO.search(place)
    ):
        return instrument(place, body, steps, talk)
    if _SO.search(place):
        return [unclear(text, talk, "it does not say whether that must be so, or is to be done")]
    return _bounded(found["word"].lower(), place, body, steps, talk)


def _bounded(word: str, place: str, body: str, steps: list[Step], talk: Talk) -> list[Step]:
    """The steps where they are done: in a place, or for a field."""
    phrase = talk.phrase(place)
    if word in _BESIDE and steps and (nearby := _near(steps[0], word, phrase)) is not None:
        return [nearby, *steps[1:]]
    if word in ("from", "among") and re.match(
        r"(?:choose|select|pick)\b", bare(body), re.IGNORECASE
    ):
        return _from(phrase, steps)
    if word in ("for", "in", "on") and (few := first_few(place)):
        each = tuple(_until_elsewhere(steps, f"{{{EACH}}}"))
        return [for_each(talk, few[0], *each, limit=few[1])]
    if word in ("for", "in", "on", "at", "under", "next to", "beside") and (
        all_of := each_of(place)
    ):
        each = tuple(_until_elsewhere(steps, f"{{{EACH}}}"))
        return [for_each(talk, all_of, *each)]
    if word in ("for", "in", "on") and (rows := span_of(place)):
        talk.put_aside(place)
        return [ForEach(EACH, tuple(_until_elsewhere(steps, f"{{{EACH}}}")), rows)]
    if word == "for" and steps and not _OF_MANY.search(phrase):
        set_so = _for_field(steps[0], phrase)
        if set_so is not steps[0]:
            return [set_so, *steps[1:]]
    if re.fullmatch(PHRASE, place) and len(steps) == 1 and isinstance(steps[0], Enter):
        # In brackets it is a place, whatever it is called.
        return [replace(steps[0], place=steps[0].place or phrase)]
    if steps and isinstance(steps[0], Drag) and steps[0].place and word in ("in", "on"):
        steps[0] = replace(steps[0], place=f"{steps[0].place} {word} {phrase}")
    return _until_elsewhere(steps, phrase)


_BESIDE = ("next to", "beside", "above", "below")


def _near(step: Step, word: str, phrase: str) -> Step | None:
    """`Next to her name, click the badge`: the one beside it; None where no one thing is meant."""
    holder = step.condition if isinstance(step, Check) else step
    what = getattr(holder, "what", None)
    if isinstance(what, tuple) and len(what) == 1:
        near: object = (f"{what[0]} {word} {phrase}",)
    elif isinstance(what, str):
        near = f"{what} {word} {phrase}"
    else:
        return None
    if isinstance(step, Check):
        return replace(step, condition=replace(step.condition, what=near))  # type: ignore[call-arg]
    return replace(step, what=near)  # type: ignore[call-arg]


_OF_MANY = re.compile(
    r"\b(?:question|row|item|section|card|user|person|order|product|entry|line|day|guest|passenger|"
    r"room|step|group|column|player|student|event|meeting)\b",
    re.IGNORECASE,
)


def _for_field(step: Step, phrase: str) -> Step:
    """`For the country, choose Norway`: what is set so."""
    if step.place:
        return step
    if isinstance(step, Enter | PickDate | PickTime | Complete) and step.into is None:
        return replace(step, into=phrase)
    if isinstance(step, Choose) and step.source is None:
        return replace(step, source=phrase)
    return step


_END = re.compile(r"the (?:very )?(?:end|bottom)(?: of .+)?", re.IGNORECASE)
_WRITTEN = re.compile(
    rf"(?:type|enter|write|add|append|put|insert)\s+(?:(?:the|a)\s+)?(?:new\s+)?"
    rf"(?:(?:text|line|words?|sentence|paragraph|note)\s+)?(?P<text>{QUOTE})(?P<more>.*)",
    re.IGNORECASE | re.DOTALL,
)


def _at_the_end(place: str, body: str) -> str | None:
    """`At the end of the text, add "x"`: after what is there."""
    written = _WRITTEN.fullmatch(body)
    if written is None or not _END.fullmatch(place):
        return None
    return f"type {written['text']} at {place}{written['more']}"


def _of_menu(word: str, place: str, body: str) -> list[str]:
    """`From the File menu choose Export as PDF`: the whole name is what the menu has."""
    verb = verb_at(bare(body))
    lists = re.search(r"\b(?:menu|list|drop-?down|combo ?box)$", place, re.IGNORECASE)
    if word.lower() not in ("from", "in") or lists is None or verb is None or verb[0] != "choose":
        return []
    first, *others = clauses(body)
    if re.search(r"\s(?:from|out of)\s", first) or not re.search(r"\s(?:as|for)\s", first):
        return []
    return [f"{first} from {place}", *others]


def _gapped(word: str, body: str) -> tuple[str, str] | None:
    """`… choose A and for question 4 B`: the verb is said once."""
    for joint in re.finditer(rf"\s*,?\s+(?:and\s+)?{word}\s+", body, re.IGNORECASE):
        verb = verb_at(body[: joint.start()])
        rest = re.fullmatch(
            rf"(?P<place>\S+ [^,]+?),?\s+(?P<what>{QUOTE}|[A-Z][\w'-]*(?: [A-Z][\w'-]*)*)",
            body[joint.end() :],
        )
        own = rest and re.search(
            r"\s(?:type|enter|choose|select|pick|click|tick|of|in|on|for|with|to|as|named|called|"
            r"the|is|are|was|equals|has|have|says|shows|reads|contains|not)$",
            rest["place"],
        )
        if rest and re.search(r"\s(?:and|then)\s|^(?:as|des)cending\b", rest["place"]):
            continue
        if verb and rest and not own and verb_at(rest[0]) is None:
            return body[: joint.start()], f"{word} {rest['place']}, {verb[1]} {rest['what']}"
    return None


def _all_of_it(step: Step, text: str, talk: Talk) -> Step:
    """What is unclear somewhere is told with its place."""
    if not isinstance(step, Unclear):
        return step
    words = talk.atoms.original(text)
    return replace(step, why=step.why if words in step.why else f"“{words}”: {step.why}")


def _until_elsewhere(steps: list[Step], phrase: str) -> list[Step]:
    """A place is meant for what follows it, until another one is said."""
    if len(steps) > 1 and isinstance(steps[0], Read) and isinstance(steps[1], Enter):
        # What is read elsewhere is typed here.
        return [steps[0], *_until_elsewhere(steps[1:], phrase)]
    there = next((i for i, step in enumerate(steps) if step.place or _says_place(step)), len(steps))
    if re.search(
        r"^the (?:field|box)\b|\b(?:field|box|input|bar|cell(?: \w+)?)$", phrase, re.IGNORECASE
    ):
        there = min(there, 1)
    there = min(there, *(i + 1 for i, step in enumerate(steps) if _leads(step, phrase)), len(steps))
    return [
        _at(step, phrase, spoken_of(steps[:i]) is not None) if i < there else step
        for i, step in enumerate(steps)
    ]


def _says_place(step: Step) -> bool:
    """Whether a value is set in a part of its own: `my name on the Profile tab`."""
    what = step.what if isinstance(step, SetValue) else None
    part = r"\s(?:on|in|under) the [\w -]+ (?:tab|section|page|panel|dialog)$"
    return what is not None and re.search(part, what, re.IGNORECASE) is not None


def _leads(step: Step, phrase: str) -> bool:
    """Whether it leads away from a place: what a menu offers is not in the menu."""
    menu = re.search(
        r"\b(?:menu|side ?bar|navigation|toolbar|header|footer|ribbon|dock|taskbar|nav)\b",
        phrase,
        re.IGNORECASE,
    )
    return isinstance(step, Open | GoTo) or (
        menu is not None and isinstance(step, Point | Choose | Expand)
    )


def _at(step: Step, phrase: str, told: bool = False) -> Step:
    """The step in a place; a list or a menu is what options are chosen from.

    Where something was `told` of before it, that is what "it" stands for, and not the place.
    """
    if isinstance(step, Unclear) or step.place:
        return step
    if isinstance(step, Enter | PickDate | PickTime | Complete) and step.into is None:
        fields = re.search(
            r"^the field\b|\b(?:field|box|textbox|input|area|textarea|bar|cell(?: [a-z]+\d+)?)$",
            phrase,
            re.IGNORECASE,
        )
        return replace(step, into=phrase) if fields else replace(step, place=phrase)
    if isinstance(step, Clear) and step.what in (None, "{it}", "it") and not told:
        return replace(step, what=phrase)
    if isinstance(step, Press) and (button := button_of(step, phrase)):
        return Point(button, words=step.words, place=phrase)
    lists = re.search(r"\b(?:list|menu|drop-?down|combo box|group|select)$", phrase, re.IGNORECASE)
    if isinstance(step, Choose) and step.source is None and lists:
        return replace(step, source=phrase)
    if (entry := _entry_of_menu(step)) and re.search(r"\bmenu$", phrase, re.IGNORECASE):
        # What a menu holds is chosen from it, a menu below it as well.
        return Choose((entry,), phrase, words=step.words, line=step.line)
    return replace(step, place=phrase)


def _entry_of_menu(step: Step) -> str:
    """What an entry is called that is opened, unfolded or pointed at; empty for other steps."""
    if isinstance(step, Open):
        return "" if step.using else step.what
    if isinstance(step, Expand):
        return step.what if step.on else ""
    return step.what if isinstance(step, Point) and step.how == "hover" else ""


def _from(phrase: str, steps: list[Step]) -> list[Step]:
    return [
        replace(step, source=phrase)
        if isinstance(step, Choose) and step.source is None and i == 0
        else step
        for i, step in enumerate(steps)
    ]


_WHERE = ("in", "inside", "within", "on", "under", "at", "below", "above", "next to", "beside")
_MUST = r"(?:should|must|ought to|may not|shouldn['’]t|mustn['’]t)\b"
_CLAIMED = re.compile(
    rf"(?P<place>[^,]+?)(?:,\s+(?P<claim>(?!(?:and|then)\b)(?:[^,]+?\s{_MUST}|there\s+(?:is|are)\b).*)|"
    rf"\s+(?P<bare>(?:it|there|you|nothing)\s+{_MUST}.*|there\s+(?:is|are)\s.*))",
    re.IGNORECASE | re.DOTALL,
)


_AROUND = re.compile(
    r"(?P<place>[^,]+?)\s*,\s*(?P<body>(?:if|unless|when|once|for (?:each|every)|until|repeat|"
    r"as soon as|while|after|before)\s\S.*)",
    re.IGNORECASE | re.DOTALL,
)


def _place_and_body(rest: str, word: str) -> tuple[str, str | None]:
    if around := _AROUND.fullmatch(rest) if word.lower() in _WHERE else None:
        # In which case, or how often, is said of what is done there, and no part of its name.
        return around["place"], around["body"]
    if claim := _CLAIMED.fullmatch(rest) if word.lower() in _WHERE else None:
        return claim["place"], claim["claim"] or claim["bare"]
    if parts := without_comma(rest, word):
        return parts
    for joint in re.finditer(r"\s*,\s*(?:please\s+)?", rest):
        body = bare(rest[joint.end() :])
        if verb_at(body) is not None and not is_gerund(body):
            return rest[: joint.start()], body
    for joint in re.finditer(rf"(?<=[\w{ANY[1:-1]}])\s+(?=[a-z])", rest):
        found = verb_at(bare(rest[joint.end() :]))
        place = rest[: joint.start()]
        if (
            found
            and found[2]
            and len(place.split()) > 1
            and re.search(
                r"\b(?:menu|list|drop-?down|dialog|form|page|section|tab|window|field|box|"
                r"toolbar|panel|table|row|bar|view|group|"
                r"pane|column|area|sidebar|ribbon|screen|card|post|entry|item|pop-?up|tile)$|"
                r"\b(?:card|row|post|entry|item|line|section|tile|product|listing)\s+"
                r"(?:of|for|by|from|with|named|called|titled|labell?ed|containing)\s+\S.*$",
                place,
                re.IGNORECASE,
            )
        ):
            return place, rest[joint.end() :]
    return rest, None


_USE = re.compile(
    r"(?:use|using|utilize|utilise)\s+(?P<what>.+?)\s+(?:to|for|in order to)\s+(?P<body>.+)",
    re.IGNORECASE | re.DOTALL,
)


def used(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Use the slider to select 5`."""
    found = _USE.match(text)
    if found is None or verb_at(bare(found["body"])) is None:
        return None
    body = bare(found["body"])
    if _shortcut(found["what"]):
        # What the keys are for is said, and what comes after that is done.
        purpose, *others = clauses(body)
        keys = instrument(found["what"], purpose, [], talk)
        return [*keys, *(step for part in others for step in read(part, talk))]
    return instrument(found["what"], body, read(body, talk), talk)


def instrument(what: str, body: str, steps: list[Step], talk: Talk) -> list[Step]:
    """What something is done with: a slider takes the value, a field the text, or it is a place."""
    key = re.fullmatch(
        r"(?:the\s+)?(?P<way>left|right|up|down)[- ]arrow(?:\s+key)?", what, re.IGNORECASE
    )
    if key and len(steps) == 1 and isinstance(steps[0], Point):
        talk.put_aside(body)
        return [Press((key["way"].lower(),), times=steps[0].times)]
    if keys := _shortcut(what):
        talk.put_aside(body)
        return [Press((keys,))]
    if re.fullmatch(r"(?:the\s+)?(?:arrow|cursor)s?(?:\s+keys)?", what, re.IGNORECASE):
        if steps and isinstance(steps[0], Open | Drag):
            raise NotUnderstood("which key, how often? “press Down 2 times”")
        talk.put_aside(what)
        return steps
    if re.search(r"\b(?:keyboard|mouse|pointer|touchpad)(?: only)?$", what, re.IGNORECASE):
        talk.put_aside(what)
        return steps
    phrase = talk.phrase(what)
    first, *others = steps
    program = re.sub(r"^(?:the|an?)\s+", "", talk.text(what), flags=re.IGNORECASE)
    if isinstance(first, Open) and re.fullmatch(r"[\w.+-]+|(?:\w+ ){1,2}\w+", program):
        return [replace(first, using=program), *others]
    if isinstance(first, Enter | PickDate | PickTime | Complete) and first.into is None:
        return [replace(first, into=phrase), *others]
    if isinstance(first, Find) and re.search(r"\bsearch\b", what, re.IGNORECASE):
        search = Perform("search", first.what, words=first.words, place=phrase)
        return [search, *others]
    if (
        isinstance(first, Choose)
        and re.search(r"slider|spinner|picker|wheel|dial|knob", what, re.IGNORECASE)
        and len(first.options) == 1
    ):
        value = re.sub(r"^(?:the )?(?:value|number|colou?r)\s+", "", first.options[0])
        return [SetValue(phrase, value.strip('"'), words=first.words), *others]
    if isinstance(first, Choose) and first.source is None:
        return [replace(first, source=phrase), *others]
    if (
        isinstance(first, Unclear)
        or first.place
        or re.search(r"keyboard|mouse|pointer|shortcut", what, re.IGNORECASE)
    ):
        talk.put_aside(what)
        return steps
    return [replace(first, place=phrase), *others]


def _shortcut(what: str) -> str | None:
    """The chord of `the keyboard shortcut Ctrl+S`."""
    found = re.fullmatch(
        r"(?:the\s+)?(?:(?:keyboard\s+)?shortcut\s+|keys?\s+)?(?P<keys>\S*\w\s?\+\s?\w+)",
        what.strip(),
        re.IGNORECASE,
    )
    if found is None:
        found = re.fullmatch(
            r"(?:the\s+)?(?P<keys>tab|enter|return|escape|esc|delete|backspace|f\d+)(?:\s+key)?",
            what.strip(),
            re.IGNORECASE,
        )
    return chord(found["keys"]) if found else None
