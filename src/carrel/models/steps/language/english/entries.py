"""Several texts for several fields in one English breath: pairs, lists, particulars of a form."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY, NAME, OTHER, QUOTE
from carrel.models.steps.language.numbers import NUMBER, number, ordinal
from carrel.models.steps.language.talk import IT, NotUnderstood, Talk
from carrel.models.steps.language.values import FIELD, NOUN, field_of, value_steps
from carrel.models.steps.program import Enter, Step

__all__ = ["INTO", "entries", "filled_with"]

INTO = r"(?:into|in|inside|within|to|on|for|as|under)"
One = Callable[[str, Talk], list[Step]]
_AND = re.compile(r"\s*,?\s+and\s+|\s*[,;]\s*(?:and\s+)?")


def entries(body: str, talk: Talk, one: One) -> list[Step] | None:
    """A step for each text; None when it is only one, and its field is not told by `there`.

    Args:
        body: What follows the verb, masked.
        talk: What it belongs to.
        one: Reads one text and its field.
    """
    return (
        _there(body, talk)
        or _respectively(body, talk)
        or _one_each(body, talk)
        or _particulars(body, talk)
        or _in_a_row(body, talk)
        or _shared(body, talk)
        or _pairs(body, talk, one)
        or _several(body, talk)
    )


_THERE = re.compile(
    r"(?P<text>\S.*?)\s+(?:(?P<in>(?:in|into|inside|within)\s+(?:it|them|there|here))|t?here)",
    re.IGNORECASE,
)
# "hello there" is a text of its own, like much else that ends so.
_GREETS = re.compile(r"(?:hello|hi|hey|ho|greetings|who(?:['’]s| is)?|you)", re.IGNORECASE)


def _there(body: str, talk: Talk) -> list[Step] | None:
    """`type Bob there`: into what was named before.

    Raises:
        NotUnderstood: The word may belong to the text.
    """
    found = _THERE.fullmatch(body)
    if found is None or re.search(rf"\s{INTO}\s", found["text"]):
        return None
    if found["in"]:
        return value_steps(found["text"], "there" if "here" in found["in"].lower() else IT, talk)
    words = found["text"].split()
    if _GREETS.fullmatch(words[-1]) or re.fullmatch(QUOTE, found["text"]):
        return None
    if len(words) > 1 and not all(re.match(r"[A-Z\d]", word) for word in words):
        raise NotUnderstood("whether the last word belongs to the text? Put the text in quotes")
    return value_steps(found["text"], "there", talk)


_FORM = re.compile(
    r"^(?:in\s+|out\s+)?(?:(?:the|this|my|your)\s+(?:[\w-]+\s+)?form\s+(?:with|using)\s+)?"
    r"(?:the|this|these|my|your)\s+(?:[\w-]+\s+){0,2}(?:form|fields|details|survey|"
    r"(?:(?<=following )|(?<=these ))(?:values|data|information|texts|numbers)|"
    r"(?:address|data|information|particulars)(?=\s*:))\b"
    r"(?:\s+for\s+(?P<who>(?-i:[A-Z])[\w'’-]+(?:\s+(?-i:[A-Z])[\w'’-]+)*)(?=\s+(?:with|using)))?"
    r"(?:\s+(?:with|using|as follows|with the following(?: \w+)?))?\s*:?\s+(?=\S)",
    re.IGNORECASE,
)
_PARTICULAR = re.compile(
    rf"(?:(?:the|a|an|your|my)\s+)?(?:{NOUN}(?:\s+(?:field|box|input)(?=\s+(?:with|as|to)\s))?|"
    rf"(?P<label>[^\W\d][\w -]*?|{QUOTE})(?=\s*[:=]))"
    rf"(?:\s*[:=]\s*|\s+(?:is|as|of|with|to)\s+|\s+)(?P<text>\S.*)",
    re.IGNORECASE,
)


# `department Finance`: a small word for the field, and what plainly is a value.
_PLAIN = re.compile(
    rf"(?:(?:the|a|an|your|my|his|her)\s+)?"
    rf"(?P<noun>(?P<label>(?!the\b)[a-z][a-z'’-]*(?:\s(?!(?:with|to)\b)[a-z'’-]+){{0,2}}?|[A-Z]{{2,}}))"
    rf"\s+(?:is\s+|of\s+|as\s+|with\s+|to\s+)?(?P<text>(?:[A-Z\d+€$£]|{ANY}).*)"
)


def _particulars(body: str, talk: Talk) -> list[Step] | None:
    """`the form with name John Smith, email a@b.c and phone 555-1234`."""
    form = _FORM.match(body)
    pieces = _AND.split(body[form.end() :] if form else body)
    if form and form["who"]:
        pieces.insert(0, f"name {form['who']}")
    found = [_PARTICULAR.fullmatch(piece) for piece in pieces]
    if form or any(found):
        found = [f or _PLAIN.fullmatch(piece) for f, piece in zip(found, pieces, strict=True)]
    fits = all(f and not re.search(rf"\s{INTO}\s", f["text"]) for f in found)
    if not fits or (form is None and len(pieces) < 2):
        if form and body[form.end() :].strip() and not _has_field(body[form.end() :]):
            raise NotUnderstood("which field takes which text? “enter “Ann” in the name field”")
        return None
    if form:
        talk.put_aside(form[0])
    return [
        step
        for f in found
        if f
        for step in value_steps(f["text"], _labelled(f["label"] or f["noun"], talk), talk)
    ]


def _labelled(noun: str, talk: Talk) -> str:
    return talk.phrase(noun) if re.fullmatch(QUOTE, noun) else field_of(noun)


_RESPECTIVE = re.compile(
    r"(?:in\s+|out\s+)?(?P<fields>the\s.+?)\s+(?:with|as)\s+(?P<texts>.+?)(?:,?\s+respectively)?",
    re.IGNORECASE,
)


_RESPECTIVE_AS = re.compile(
    rf"(?P<texts>{ANY}(?:\s*,\s*(?:and\s+)?{ANY}|\s+and\s+{ANY})+)\s+(?:as|for)\s+(?P<fields>[^:=]+?)"
    r"(?:,?\s+respectively)?",
    re.IGNORECASE,
)


def _respectively(body: str, talk: Talk) -> list[Step] | None:
    """`the username and the password with "a" and "b"`: the first into the first."""
    found = _RESPECTIVE.fullmatch(body) or _RESPECTIVE_AS.fullmatch(body)
    fields, texts = (_AND.split(found[key]) if found else [] for key in ("fields", "texts"))
    if len(fields) < 2 or len(fields) != len(texts):
        return None
    if not all(re.fullmatch(ANY, text) for text in texts) or re.search(ANY, found["fields"]):  # type: ignore[index]
        return None
    noun = re.fullmatch(r"(?:the\s+)?\S+(?P<noun>\s\S.*)", fields[-1])
    if noun and all(re.fullmatch(r"(?:the\s+)?\S+", name) for name in fields[:-1]):
        # "first and last name": the noun is said once.
        short = ("first", "last", "middle", "old", "new", "start", "end", "from", "to")
        fields = [f"{n}{noun['noun']}" if n.split()[-1] in short else n for n in fields[:-1]] + [
            fields[-1]
        ]
    pairs = zip(texts, fields, strict=True)
    return [step for text, name in pairs for step in value_steps(text, field_of(name), talk)]


def _one_each(body: str, talk: Talk) -> list[Step] | None:
    """`10, 20 and 30 into A1, A2 and A3`: the first into the first."""
    found = re.fullmatch(r"(?P<texts>[^:=]+?)\s+(?:into|in)\s+(?P<fields>[^:=]+)", body)
    if found is None:
        return None
    texts, fields = _AND.split(found["texts"]), _AND.split(found["fields"])
    plain = all(re.fullmatch(rf"{ANY}|\w+", text) for text in texts)
    short = all(re.fullmatch(rf"(?:cell\s+)?(?:{ANY}|[A-Z]\w*)", name) for name in fields)
    if len(texts) < 2 or len(texts) != len(fields) or not (plain and short):
        return None
    pairs = zip(texts, fields, strict=True)
    return [step for text, name in pairs for step in value_steps(text, talk.phrase(name), talk)]


def _in_a_row(body: str, talk: Talk) -> list[Step] | None:
    """`"a" and then "b"`: one after the other into the same place."""
    more = rf"(?:\s*,?\s*(?:(?:and\s+)?(?:then\s+)?|followed by\s+){QUOTE})+"
    if re.fullmatch(rf"{QUOTE}{more}", body) is None:
        return None
    texts = [talk.text(text) for text in re.findall(QUOTE, body)]
    return [Enter(text, append=index > 0) for index, text in enumerate(texts)]


def _shared(body: str, talk: Talk) -> list[Step] | None:
    """`username "x" and password "y"`, all `into the text fields`."""
    body = re.sub(
        rf"\s+(?:into|in)\s+(?:the|their|its|both)\s+(?:\w+\s+){{0,2}}(?:{FIELD})$",
        "",
        body,
        flags=re.IGNORECASE,
    )
    part = (
        rf"(?:(?:the|a|your|my)\s+)?(?P<noun>[a-z][\w -]*?)\s*(?::|=|is|as|of|"
        rf"with)?\s*(?P<text>{QUOTE}|{NAME})"
    )
    parts = re.split(r"\s*,?\s+and\s+|\s*,\s*", body)
    found = [re.fullmatch(part, piece, re.IGNORECASE) for piece in parts]
    if (
        len(parts) < 2
        or not all(found)
        or any(f and re.search(rf"\b{INTO}\b", f["noun"]) for f in found)
    ):
        return None
    return [Enter(talk.text(f["text"]), into=field_of(f["noun"])) for f in found if f]


def _pairs(body: str, talk: Talk, one: One) -> list[Step] | None:
    """`Ann in the name field and 42 in the age field`: one verb, several texts and fields."""
    for joint in _AND.finditer(body):
        left, right = body[: joint.start()], body[joint.end() :]
        if _has_field(left) and _has_field(right) and not _reads(right):
            rest = entries(right, talk, one) or one(right, talk)
            first = [_with_noun(step, rest) for step in one(left, talk)]
            return [*first, *(_with_noun_before(step, first) for step in rest)]
    return None


_NTH = r"the (?:first|second|third|fourth|fifth|\w+(?:st|nd|rd|th)|last|other)"


def _with_noun(step: Step, after: list[Step]) -> Step:
    """`in the first and … in the second field`: the noun is said once."""
    other = after[0]
    if not isinstance(step, Enter) or not isinstance(other, Enter) or not step.into:
        return step
    if not re.fullmatch(_NTH, step.into) or not other.into:
        return step
    noun = re.fullmatch(r"the (?:\w+(?:st|nd|rd|th)|last)\s+(?P<noun>.+)", other.into)
    return replace(step, into=f"{step.into} {noun['noun']}") if noun else step


def _with_noun_before(step: Step, before: list[Step]) -> Step:
    """`on the first line and … on the second`."""
    last = before[-1]
    if not isinstance(step, Enter) or not isinstance(last, Enter) or not step.into or not last.into:
        return step
    noun = re.fullmatch(rf"{_NTH}\s+(?P<noun>.+)", last.into)
    short = re.fullmatch(rf"{_NTH}(?: one)?", step.into)
    if not noun or not short:
        return step
    return replace(step, into=f"{re.sub(r' one$', '', step.into)} {noun['noun']}")


def _has_field(text: str) -> bool:
    if re.match(r"(?:the(?!\s+(?:same|result|answer)\b)|your)\b", text) and not re.search(
        QUOTE, text
    ):
        return re.search(r"\bwith\b|:", text) is not None
    return (
        re.search(r"\S\s+(?:into|in|to|on|for|as|inside|with|under)\s+\S", text, re.IGNORECASE)
        is not None
        or re.search(r"\w\s*[:=]\s*\S", text) is not None
    )


def _reads(text: str) -> bool:
    return re.match(r"(?:ends|starts|contains|has)\b", text, re.IGNORECASE) is not None


def _several(body: str, talk: Talk) -> list[Step] | None:
    """`"a", "b" and "c" into the three fields`: one each, in order."""
    text = f"(?:{QUOTE}|{OTHER})"
    found = re.fullmatch(
        rf"(?P<texts>{text}(?:\s*,?\s*(?:and\s+)?{text})+)\s+(?:into|in)\s+(?:the\s+)?"
        r"(?P<fields>(?:.*\s)?(?:fields|boxes|inputs|textboxes|cells))(?:\s+respectively)?",
        body,
        re.IGNORECASE,
    )
    if found is None:
        return None
    noun = re.sub(r"(?<=x)es$|s$", "", found["fields"])
    texts = re.findall(text, found["texts"])
    many = re.match(rf"(?P<n>{NUMBER}|both)\s+", noun, re.IGNORECASE)
    if many and (2 if many["n"].lower() == "both" else number(many["n"])) == len(texts):
        talk.put_aside(many[0])
        noun = noun[many.end() :]
    return [Enter(talk.text(t), into=f"the {ordinal(i)} {noun}") for i, t in enumerate(texts, 1)]


_FILLED = re.compile(
    r"(?P<field>(?:(?:the|your|"
    r"my)\s+)?[A-Z][\w'’()-]*(?:\s+(?!with\b)[\w'’()./°%-]+){0,4})\s+with\s+(?P<text>\S.*)",
    re.DOTALL,
)


def filled_with(body: str, talk: Talk) -> list[Step] | None:
    """`First name with Ann, Last name with Lee`, after `fill in`: fields and what each takes."""
    starts = [0, *(j.end() for j in _AND.finditer(body) if _FILLED.match(body, j.end()))]
    ends = [*starts[1:], len(body)]
    pieces = [
        re.sub(r"(?:\s*[,;])?(?:\s*\band)?\s*$", "", body[start:end])
        for start, end in zip(starts, ends, strict=True)
    ]
    found = [_FILLED.fullmatch(piece) for piece in pieces]
    if not all(found):
        return None
    return [s for f in found if f for s in value_steps(f["text"], talk.phrase(f["field"]), talk)]
