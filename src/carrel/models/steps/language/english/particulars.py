"""Particulars of an application's verb, in English words: to whom, from where, with which text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from carrel.models.steps.language.atoms import ANY, DATED, OTHER, QUOTE, TIMED
from carrel.models.steps.language.dates import DAY_OF_YEAR
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.language.words import verb_at

__all__ = ["ALONE", "MAKES", "Details", "details_of"]

Details = tuple[tuple[str, str], ...]
MAKES = {"book", "plan", "reserve", "request", "create", "schedule", "insert", "generate", "pay",
          "set up", "set", "show", "play", "print"}  # fmt: skip
BOOKS = {"book", "fly", "travel", "plan", "reserve", "request", "schedule", "set up", "get",
         "rent", "hire", "lease"}  # fmt: skip
_WEEKDAY = r"(?:(?:next|this)\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow)\b"

# Words that begin a particular. After `from:` or `named` only the value can follow.
_DETAIL = re.compile(
    rf"(?:^|[\s,]+)(?P<word>(?:(?:along\s+|together\s+)?with|under|using|and|by)\s+(?:an?\s+|the\s+|my\s+|your\s+)?(?:text|message|words?|"
    rf"subject|title|"
    rf"password|user ?name|user|name|e-?mail|note|comment|value|quantity|reply|"
    rf"phone(?: number)?|address|reference|amount|city|age)(?:\s+of)?|"
    rf"(?:with|and|under)\s+(?:an?\s+|the\s+)?(?!\w+\s+(?:saying|called|named|titled|reading|"
    rf"labell?ed)\b)[a-z]+(?:\s[a-z]+)?(?:\s+of)?(?=\s*:?\s+{QUOTE})|"
    rf"with\s+an?\s+(?:quality|size|width|height|length|margin|resolution|rate|duration)\s+of|"
    rf"(?:\w+ed|written|made|drawn|sung|taken|shown|sold|built|sent|led) by|named|called|titled|"
    rf"labell?ed|saying|containing|dated|adding(?:\s+(?:the|a)\s+(?:line|text|note|message|words?))?|"
    rf"entitled|"
    rf"(?:that|which)\s+(?:says|reads|goes)(?=\s*:?\s+{QUOTE})|reading(?=\s*:?\s+{QUOTE})|"
    rf"(?:starting|beginning|ending|leaving|departing|returning|arriving)\s+(?:on|at)|"
    rf"due(?:\s+(?:on|by|at))?(?=\s+(?:{DATED}|{DAY_OF_YEAR}|{_WEEKDAY}))|"
    rf"so that it (?:says|reads)|every(?=\s+(?:\w*day|week|month|year|morning|other)\b)|"
    rf"(?<=, )(?:and\s+)?(?:the|my|an?)\s+(?:text|message|subject|title|password|user ?name|name|"
    rf"e-?mail|note|comment|value|quantity|phone|address|reference|amount)|between|"
    rf"and(?=\s+{TIMED})|until|through(?=\s+(?:{DATED}|{TIMED}|\d))|from|to|into|on|at|for|in|as|with|by|about|per|via|using)"
    rf"\s*:?\s+(?=\S)",
    re.IGNORECASE,
)
# Which of them tell what is meant, not how: "the review by Ann", "the file in Documents".
_PART_OF_THING = {"by", "in", "of", "on", "at", "about", "with", "for"}


def details_of(body: str, base: str, talk: Talk) -> tuple[str, Details]:
    """What is left for the thing itself, and the particulars: `the mail`, `(("to", "Bob"),)`."""
    cuts = _cuts(body, base)
    if not cuts:
        return body, ()
    # "reply to Ann with …", "log in as Ann": the first particular stands where the thing would.
    ends = [cut.start() for cut in cuts[1:]] + [len(body)]
    for cut in cuts:
        talk.put_aside(cut["word"])
    details = [
        pair
        for cut, end in zip(cuts, ends, strict=True)
        for pair in _pieces(_word(cut["word"]), body[cut.end() : end], talk)
    ]
    return body[: cuts[0].start()], tuple(_same_month(details))


_NAMED = re.compile(
    rf"(?:the|a|an|my)\s+(?P<word>[a-z]+(?:\s[a-z]+)?|[A-Z]{{2,4}})\s*:?\s+"
    rf"(?P<text>(?:[A-Z\d]|{ANY}).*)",
    re.DOTALL,
)


# "with account number 9988": the field, and its value.
_NUMBERED = re.compile(
    rf"(?P<word>[a-z]+\s(?:number|code|id|date|name|address))\s+(?P<text>{QUOTE}|\d\S*)"
)
_THEN = re.compile(
    r"(?P<text>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*) "
    r"(?P<when>today|tonight|tomorrow|next \w+|this \w+)"
)
# "with the name Lamp and the price 20": each by its noun.
_AND_THE = re.compile(
    rf"(?P<first>\S.*?)\s*,?\s+and\s+(?:the|an?|my|your)\s+(?P<word>[a-z]+(?:\s[a-z]+)?)\s+(?:of\s+)?"
    rf"(?P<text>(?:[A-Z\d€$£+-]|{ANY})[^,]*)"
)
_NAMING = ("with", "using", "under", "and", "by")
_SET_TO = re.compile(r"(?:the\s+)?(?P<word>[A-Za-z][\w -]*?)\s*=\s*(?P<text>\S.*)")
# "by status “Overdue”": the field, and its value.
_BY_FIELD = re.compile(rf"(?:the\s+)?(?P<word>[a-z]+(?:\s[a-z]+)?)\s+(?P<text>{QUOTE})")
_PIECE = re.compile(
    rf"(?:and\s+)?(?:(?:the|my|an?)\s+)?(?P<word>[a-z]+|[A-Z]{{2,}})\s+(?P<text>(?:[A-Z\d+]|"
    rf"{ANY}).*)"
)


def _pieces(word: str, text: str, talk: Talk) -> list[tuple[str, str]]:
    """`to Ann Maier, IBAN DE02, purpose "Gift"`: after commas each names its own field.

    Raises:
        NotUnderstood: A quote stands among words that name nothing.
    """
    if word not in _RELATIVE and (more := _AND_THE.fullmatch(text.strip())):
        named = [(more["word"], talk.text(more["text"]))]
        return [*_pieces(word, more["first"], talk), *named]
    day = _THEN.fullmatch(text.strip()) if word in ("from", "to", "in", "for", "at") else None
    if day is not None:
        return [*_pieces(word, day["text"], talk), ("on", talk.text(day["when"]))]
    if re.match(rf"(?:{DATED}|\d{{1,2}}\s[A-Z][a-z]+)\s*,\s*\d+\s[a-z]", text.strip()):
        raise NotUnderstood(f"where does “{talk.atoms.original(text.strip())}” end?")
    first, *others = re.split(r"\s*,\s*(?=\S)", text.strip())
    found = [_PIECE.fullmatch(piece) for piece in others]
    if others and all(found):
        named = [(f["word"].lower(), talk.text(f["text"])) for f in found if f]
        return [_detail(word, first, talk), *named]
    if re.search(rf"\S.*,.*{QUOTE}", text):
        raise NotUnderstood(f"which field takes what of “{talk.atoms.original(text.strip())}”?")
    return [_detail(word, text, talk)]


_DESCRIBED = (
    r"(?:an?|no|any|some|the (?:wrong|right|correct|same))\s+(?:[a-z]+\s+)*"
    r"(?:password|user ?name|name|e-?mail(?: address)?|text|message|code|value|number|subject|"
    r"title|credentials)|the (?:credentials|data|details|values|information)(?:\s.+)?"
)


def _detail(word: str, text: str, talk: Talk) -> tuple[str, str]:
    """`with the reference Rent May` names its own field.

    Raises:
        NotUnderstood: More follows a date than belongs to it.
    """
    text = re.sub(r"^=\s*(?=\S)", "", re.sub(r"[\s,]+and\s*$", "", text))
    if word in ("saying", "text"):
        text = re.sub(r"^that\s+", "", text.strip())
    if re.match(
        rf"(?:{DATED}|{TIMED})\s+and\s+(?!{DATED}|{TIMED})|.+\sand\s+(?:out|in|back)\s*$",
        text.strip(),
    ):
        raise NotUnderstood(f"where does “{talk.atoms.original(text.strip())}” end?")
    if re.match(rf"(?:{QUOTE}|{DATED}|{TIMED})(?:\s+without\s|,\s+(?!and\s)[a-z])", text.strip()):
        raise NotUnderstood(f"where does “{talk.atoms.original(text.strip())}” end?")
    if word == "to" and text[:1].islower() and (verb := verb_at(text)) and " " in verb[2]:
        raise NotUnderstood(
            f"whether “to {talk.atoms.original(text)}” is why, or a step of its own?"
        )
    if word in ("with", "using", "via") and re.fullmatch(r"the .+\s(?:command|tool)", text.strip()):
        raise NotUnderstood("how that is done with a command or a tool is a step of its own")
    if user := re.fullmatch(
        rf"(?:the\s+)?(?:user|account|person|name)\s+(?P<text>{QUOTE})", text.strip()
    ):
        text = user["text"]
    if word in ("using", "via") and re.match(r"(?:the|its)\s", text) and not _CODED.match(text):
        raise NotUnderstood(f"how “{talk.atoms.original(text)}” is used is a step of its own")
    if re.search(r"\bso that\b", text):
        raise NotUnderstood("“so that” tells why; say what to do")
    if word in ("with", "using") and re.fullmatch(_DESCRIBED, text.strip()):
        raise NotUnderstood("that only describes the text; put the text itself in quotes")
    if word == "by" and (by := _BY_FIELD.fullmatch(text.strip())):
        return by["word"], talk.text(by["text"])
    if (set_to := _SET_TO.fullmatch(text.strip())) and word in ("by", "with", "for", "where"):
        return set_to["word"], talk.text(set_to["text"])
    found = _of_field(word, text.strip())
    return (found["word"], talk.text(found["text"])) if found else (word, talk.text(text))


def _of_field(word: str, text: str) -> re.Match[str] | None:
    """The field that a particular names itself, and its text."""
    found = _NAMED.fullmatch(text) if word in _NAMING else None
    return _NUMBERED.fullmatch(text) if word == "with" and found is None else found


def _same_month(details: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """`from 3 to 7 August`: the month is said once."""
    for (word, text), after in zip_longest(details, details[1:]):
        month = (
            re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?( (?:of )?[A-Z]\w+(?: \d{4})?)", after[1])
            if after
            else None
        )
        alone = re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", text)
        yield (word, text + month[1]) if month and alone and word == "from" else (word, text)


def _word(said: str) -> str:
    """The noun of `with the text`, else the preposition itself."""
    word = re.sub(r"\s+", " ", said.lower())
    if word.startswith(("so that", "adding", "containing", "that ", "which ", "reading")):
        return "text"
    if word == "dated":
        return "date"
    if word.startswith("due"):
        return "due"
    word = re.sub(r"^(?:and )?(?:the|my|an?) (?=\w)", "", word)
    word = re.sub(r"^(?:along |together )", "", word)
    return re.sub(r"^(?:with|under|using|and|by) (?:(?:the|an?|my|your) )?(?=\w)|\s+of$", "", word)


def _of_receiver(last: re.Match[str], before: str, word: str, value: str) -> bool:
    """`to the chat with Rosa` is one place; `to 5 May with breakfast` tells a day, and more."""
    if re.fullmatch(rf"{DATED}|{TIMED}|{_DAY}|\d.*", before.strip(), re.IGNORECASE):
        return False
    goes = last["word"].lower() in ("to", "into", "in") and word in ("with", "from")
    many = re.match(rf"{NUMBER}\s+[a-z]", value, re.IGNORECASE)
    return goes and _NAMED.match(value) is None and many is None


_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_FOR_LONG = rf"{NUMBER}\s+(?:hours?|minutes?|days?|weeks?|months?)\b"
_DAY = rf"\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}|{_MONTH}\s+\d{{1,2}}"
# "with the TAN 482913": a field, and what plainly is its value.
_CODED = re.compile(r"(?:the\s+)?[A-Za-z-]+\s+(?=\S*\d)[\w.-]+(?:$|\s+(?:and|,))")
_BY_WAY = re.compile(
    rf"{NUMBER}|(?:train|bus|car|bike|plane|foot|air|ferry|tram|taxi|mail|post|e-?mail|courier|"
    r"invoice|card|cash|bank transfer)\s*$",
    re.IGNORECASE,
)
_JOINS = {"react to", "pay", "protect", "sign", "fill", "share", "sync", "merge", "compare", "swap",
          "associate", "combine", "exchange", "link", "pair", "unlock", "lock"}  # fmt: skip
_NEW = {"create", "add", "insert", "rename", "save", "compose", "set up", "make"}
_DEFINITE = re.compile(r"(?:the|my|this|that|your)\s", re.IGNORECASE)
_OPEN = re.compile(
    r"(?<!\bthe)(?<!\ba)(?<!\ban)(?<!\bmy)(?<!\bthis)\s[a-z]+ing$|\s(?:that|which|who|whose)\s"
)
_RELATIVE = {"in", "with", "at", "on", "from", "to", "by", "for", "as"}
ALONE = frozenset(
    (
        "mark", "delete", "remove", "archive", "star", "unstar", "flag", "unflag", "pin", "unpin",
        "approve", "reject", "accept", "decline", "like", "hide", "lock", "unlock", "follow",
        "unfollow", "queue up", "block", "mute", "dismiss", "restore", "resend", "cancel", "close",
    )
)  # fmt: skip
"""What is done to each of several by itself."""
_EXISTING = ALONE | {"forward", "download", "edit", "view", "duplicate", "confirm"}
"""What is only done to something that is there."""
_TELLS_WHICH = re.compile(
    r"at|on|in|by|about|with (?:the |an? )?(?:subject|title|name|id|number|order number|date|code|"
    r"reference|amount|label|status|e-?mail|address|phone(?: number)?)"
)
_WRITES = MAKES | {
    *("add", "post", "send", "write", "leave", "publish", "compose", "tweet", "comment"),
    *("reply", "submit", "message", "share"),
}
"""What a text is written for."""
_CALLS = ("called", "named", "titled")
# After these only a particular can follow.
_ALWAYS = frozenset(
    (
        "named", "called", "titled", "labelled", "labeled", "saying", "entitled", "between", "to",
        "into", "as", "and", "until", "through", "due", "due on", "due by", "due at",
    )
)  # fmt: skip


def _cuts(body: str, base: str) -> list[re.Match[str]]:
    """Where particulars begin: after a colon or before a value; else what belongs to the thing."""
    kept: list[re.Match[str]] = []
    for cut in _DETAIL.finditer(body):
        if cut.start() and cut["word"][0].isupper() and ":" not in cut[0]:
            # "the To do column": a part of a name.
            continue
        before = body[(kept[-1].end() if kept else 0) : cut.start()]
        value = body[cut.end() :]
        if _is_of_thing(cut["word"].lower(), before, value, base, first=not kept):
            continue
        if _begins(cut, before, value, base, kept):
            kept.append(cut)
    return kept


def _is_of_thing(word: str, before: str, value: str, base: str, *, first: bool) -> bool:
    """Whether the words still tell which thing it is: `the card ending in 42`."""
    if word.startswith("due") and base not in _NEW:
        return True
    if _OPEN.search(f" {before}") and word in _RELATIVE:
        # "the flight that leaves at 9:40" is one thing.
        return True
    if re.match(r"(?:that|which)\s|reading", word):
        return base not in _WRITES or _DEFINITE.match(before) is not None
    if word == "to":
        cells = re.search(r"\b[A-Z]+\d+$", before) and re.match(r"[A-Z]+\d+\b", value)
        span = re.search(r"\b(?:pages?|rows?|lines?|slides?) \d+$", before)
        return bool(re.match(r"the (?:left|right) of\s", value) or cells or span)
    if first and base in _EXISTING and _DEFINITE.match(before) and _TELLS_WHICH.fullmatch(word):
        # "delete the mail with the subject X": which one, and nothing that is done to it.
        return True
    # "mute the group called Work": which one, not what it shall be called.
    called = word in _CALLS and base not in _NEW and first
    return called and _DEFINITE.match(before) is not None


def _is_explicit(cut: re.Match[str], word: str, value: str, base: str) -> bool:
    """Whether what follows can only be the value of a particular."""
    timed = word == "for" and base not in MAKES
    return bool(
        ":" in cut[0]
        or len(word.split()) > 1
        or re.match(rf"{QUOTE}|{DATED}|{TIMED}|{_DAY}", value)
        or (timed and re.match(rf"{_FOR_LONG}|{_WEEKDAY}", value, re.IGNORECASE))
        or (word in ("with", "to") and re.match(OTHER, value))
        or (word in ("with", "using") and _CODED.match(value))
    )


def _begins(
    cut: re.Match[str], before: str, value: str, base: str, kept: list[re.Match[str]]
) -> bool:
    """Whether a particular begins here."""
    word = cut["word"].lower()
    if _is_explicit(cut, word, value, base) or word in _ALWAYS or cut.start() == 0:
        return True
    if re.fullmatch(r"it|them|this|that", before.strip(), re.IGNORECASE):
        return True
    if kept and word not in ("by", "of") and not _of_receiver(kept[-1], before, word, value):
        return True
    by_verb = {
        "on": base in MAKES and re.match(_WEEKDAY, value, re.IGNORECASE) is not None,
        "with": base in _JOINS or (base in _NEW and _NAMED.fullmatch(value) is not None),
        "by": base in ("filter", "group", "rank") or _BY_WAY.match(value) is not None,
        "from": base in {*BOOKS, "transfer", "withdraw", "search", "order"},
    }
    posted = base in ("post", "publish", "share") and re.fullmatch(QUOTE, before.strip())
    return bool(by_verb.get(word) or posted) or (word not in _PART_OF_THING and word != "from")
