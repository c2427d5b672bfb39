"""An application's own verbs, in English words: what is done to what, with which particulars."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from carrel.models.steps.language.atoms import ANY, DATED, QUOTE, TIMED
from carrel.models.steps.language.numbers import NUMBER, number, times
from carrel.models.steps.language.talk import (
    EACH,
    NotUnderstood,
    Talk,
    each_of,
    for_each,
    listed,
    trim,
)
from carrel.models.steps.program import Perform, Repeat, SetValue, Step

__all__ = ["perform"]

Details = tuple[tuple[str, str], ...]
_BASE = {
    "get rid of": "delete",
    "throw away": "delete",
    "trash": "delete",
    "log into": "log in",
    "login": "log in",
    "log me in": "log in",
    "sign me in": "log in",
    "log me out": "log out",
    "sign me out": "log out",
    "sign me up": "sign up",
    "sign up for": "sign up",
    "log on": "log in",
    "sign in": "log in",
    "logout": "log out",
    "sign out": "log out",
    "purchase": "buy",
    "search for": "search",
    "reply to all": "reply all",
    "reply to": "reply",
    "respond to": "reply",
    "agree to": "agree",
    "subscribe to": "subscribe",
    "vote for": "vote",
    "favourite": "favorite",
    "connect to": "connect",
}

# Words that begin a particular. After `from:` or `named` only the value can follow.
_DETAIL = re.compile(
    rf"(?:^|[\s,]+)(?P<word>(?:with|under|using|and|by)\s+(?:the\s+)?(?:text|message|words?|subject|title|"
    rf"password|user ?name|user|name|e-?mail|note|comment|value|quantity|reply)(?:\s+of)?|"
    rf"(?:\w+ed|written|made|drawn|sung|taken|shown|sold|built|sent|led) by|named|called|titled|"
    rf"labell?ed|saying|"
    rf"entitled|"
    rf"(?:starting|beginning|ending|leaving|departing|returning|arriving)\s+(?:on|at)|"
    rf"so that it (?:says|reads)|every(?=\s+(?:\w*day|week|month|year|morning|other)\b)|"
    rf"(?<=, )(?:and\s+)?(?:the|my|an?)\s+(?:text|message|subject|title|password|user ?name|name|"
    rf"e-?mail|note|comment|value|quantity|phone|address|reference|amount)|between|"
    rf"and(?=\s+{TIMED})|until|from|to|into|on|at|for|in|as|with|by|about|per|via|using)"
    rf"\s*:?\s+(?=\S)",
    re.IGNORECASE,
)
# Which of them tell what is meant, not how: "the email by Ann", "the file in Documents".
_PART_OF_THING = {"by", "in", "of", "on", "at", "about", "with", "for"}
_GOES = {
    "forward",
    "send",
    "share",
    "give",
    "move",
    "email",
    "mail",
    "message",
    "invite",
    "post",
    "add",
}


_BY_KEYS = re.compile(
    r"(?:(?:it|this|the \w+)\s+)?(?:with|using|via|by pressing|by)\s+(?P<keys>\S*\+\S+)",
    re.IGNORECASE,
)


def perform(verb: str, rest: str, talk: Talk) -> list[Step]:
    """The step of an application's verb."""
    base = _BASE.get(verb.lower(), verb.lower())
    if step := _spelled_out(verb.lower(), trim(rest), talk):
        return [step]
    body, count = times(re.sub(r"^(?:again|once more)$", "", trim(rest), flags=re.IGNORECASE))
    if base in ("undo", "redo") and re.fullmatch(r"it|that|this", body, re.IGNORECASE):
        body = ""
    if keys := _BY_KEYS.fullmatch(body):
        from carrel.models.steps.language.pointer import press

        return press(keys["keys"], talk)
    if count > 1:
        return [Repeat(tuple(perform(verb, body, talk)), times=count)]
    body = re.sub(r"^(it|them|that)\s+(?:on|over|off)\b", r"\1", body, flags=re.IGNORECASE)
    if base == "search":
        return _searched(re.sub(r"^for\s+", "", body, flags=re.IGNORECASE), talk)
    return _done(base, body, talk)


_SEARCHED = re.compile(
    r"(?:in\s+)?(?P<place>(?:the|this|my)\s.+?)\s+for\s+(?P<what>\S.*)", re.IGNORECASE
)


def _searched(body: str, talk: Talk) -> list[Step]:
    """`search the shop for shoes`."""
    found = _SEARCHED.fullmatch(body)
    if found is None:
        return _done("search", body, talk)
    if re.search(r"\b(?:shop|store|web ?site|site|page|web|app)$", found["place"], re.IGNORECASE):
        talk.put_aside(found["place"])
        return _done("search", found["what"], talk)
    place = talk.phrase(found["place"])
    return [replace(step, place=place) for step in _done("search", found["what"], talk)]


def _done(base: str, body: str, talk: Talk) -> list[Step]:
    for rule in (_short, _so_often, _said_that, _things, _so_many, _of_many, _to_someone):
        if steps := rule(base, body, talk):
            return steps
    thing, details = _details(body, base, talk)
    return [Perform(base, talk.phrase(thing) if thing.strip() else None, details)]


_VALUE = rf"(?:{QUOTE}|[^(),:\s]+)"


def _spelled_out(verb: str, body: str, talk: Talk) -> Step | None:
    """`forward X (to: "Bob", text: "Hello")`: every particular by its name."""
    found = re.fullmatch(
        rf"(?P<what>.*?)\s*\((?P<details>[^()]*:\s*{_VALUE}(?:\s*,\s*[^()]*?:\s*{_VALUE})*)\)", body
    )
    if found is None:
        return None
    pairs = re.findall(rf"\s*,?\s*([^:]*?):\s*({_VALUE})", found["details"])
    what = talk.phrase(found["what"]) if found["what"] else None
    return Perform(verb, what, tuple((word, talk.text(text)) for word, text in pairs))


def _short(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`rate it five stars`, `send her "Hello"`, `reply "Thanks"`, `write to Ann: "Hello"`."""
    if base in ("send", "write to") and (
        her := re.fullmatch(rf"(?:him|her|them)\s+({QUOTE})", body)
    ):
        talk.put_aside(body)
        return [Perform("send", talk.phrase(her[1]))]
    stars = re.fullmatch(
        rf"(?P<what>.+?)\s+(?:with\s+)?(?P<n>{NUMBER}\s+(?:stars?|points?|out of \d+).*)",
        body,
        re.IGNORECASE,
    )
    if stars and base == "rate":
        return [Perform(base, talk.phrase(stars["what"]), (("with", talk.text(stars["n"])),))]
    if base in ("accept", "reject", "decline", "allow") and re.fullmatch(
        r"all (?:\w+ )?cookies", body
    ):
        return [Perform(base, talk.phrase(body))]
    if found := re.fullmatch(rf"(?P<what>[^:]+?)\s*:\s*(?P<text>{QUOTE})", body):
        return [Perform(base, talk.phrase(found["what"]), (("text", talk.text(found["text"])),))]
    if found := re.fullmatch(r"(?P<what>it|them|that)\s+(?P<how>[a-z]+)", body, re.IGNORECASE):
        return [Perform(base, found["what"], (("as", found["how"]),))]
    to = re.fullmatch(rf"(?P<text>{QUOTE})\s+(?:to|on)\s+(?P<what>.+)", body)
    if to and base in ("reply", "comment", "answer"):
        return [Perform(base, talk.phrase(to["what"]), (("text", talk.text(to["text"])),))]
    if base in ("reply", "comment") and re.fullmatch(QUOTE, body):
        return [Perform(base, None, (("text", talk.text(body)),))]
    return None


def _said_that(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`reply to Ben that the offer stands`."""
    found = re.fullmatch(
        r"(?:to\s+)?(?P<who>.+?)\s+that\s+(?P<text>(?!is\b|was\b|says\b|has\b)\S+\s.+)", body
    )
    if found is None or base not in ("reply", "comment", "comment on", "write to"):
        return None
    said = ("text", talk.text(found["text"]))
    return [Perform(base, talk.phrase(found["who"]), (said,))]


def _things(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`add three notebooks and a pen to the cart`: one after the other."""
    thing, details = _details(body, base, talk)
    items = listed(thing)
    one = rf"(?:an?|the|one|{NUMBER})\s+\S.*|{QUOTE}"
    if (
        len(items) < 2
        or " and " not in thing
        or "more " in thing
        or not all(re.fullmatch(one, item, re.IGNORECASE) for item in items)
    ):
        return None
    if re.search(r"\s(?:of|with|for|between|from|in|by|that|which|except|but)\s", thing):
        return None
    if base not in {*_SHOPS, "delete", "remove", "star", "flag", "archive", "download", "open"}:
        return None
    if base not in _SHOPS:
        return [Perform(base, talk.phrase(item), details) for item in items]
    return [step for item in items for step in _ordered(base, item, details, talk)]


def _ordered(base: str, item: str, details: Details, talk: Talk) -> list[Step]:
    found = re.fullmatch(rf"(?P<n>{NUMBER})\s+(?P<what>.+)", item, re.IGNORECASE)
    if found is None or re.match(r"an?\s|one\s", item, re.IGNORECASE):
        return [Perform(base, talk.phrase(re.sub(r"^(?:an?|one)\s+", "", item)), details)]
    count = f"{number(found['n']):g}"
    return [Perform(base, talk.phrase(found["what"]), (("quantity", count), *details))]


def _so_often(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`undo the last two changes`: twice."""
    found = re.fullmatch(
        rf"(?:my|the)\s+last\s+(?P<n>{NUMBER})\s+(?P<what>[a-z]+s)", body, re.IGNORECASE
    )
    if found is None or base not in ("undo", "redo"):
        return None
    talk.put_aside(body)
    return [Repeat((Perform(base),), times=int(number(found["n"]) or 1))]


_SHOPS = {"add", "order", "buy", "purchase", "get"}
_MAKES = {"book", "plan", "reserve", "request", "create", "schedule", "insert", "generate", "pay",
          "set up", "set", "show", "play", "print"}  # fmt: skip
_BOOKS = {"book", "plan", "reserve", "request", "schedule", "set up"}
_WEEKDAY = r"(?:(?:next|this)\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow)\b"
_UNITS = (
    r"boxes|bottles|cans|packs|packets|pairs|bags|cups|kilos|pieces|copies|units|slices|sets|"
    r"tickets|jars|bunches|rolls|cartons|crates|glasses|portions|servings|litres|liters"
)


_MONEY = r"euros?|dollars?|pounds?|yen|francs?|eur|usd|gbp|chf|bucks|cents?|%|percent|points|€|\$"


def _so_many(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`add two boxes of tea to the cart`: one thing, so many of it; `show 50 entries per page`."""
    if base in ("show", "display") and (
        shown := re.fullmatch(rf"(?P<n>{NUMBER})\s+(?P<what>\w+ per \w+)", body, re.IGNORECASE)
    ):
        return [SetValue(talk.phrase(shown["what"]), talk.text(shown["n"]))]
    found = re.fullmatch(
        rf"(?P<n>{NUMBER})\s+(?:x\s+|of the\s+)?(?P<what>\S.*)", body, re.IGNORECASE
    )
    if found is None:
        return None
    if money := re.match(rf"(?:{_MONEY})(?:\s+|$)", found["what"], re.IGNORECASE):
        thing, details = _details(found["what"][money.end() :], base, talk)
        amount = talk.text(f"{found['n']} {money[0].strip()}")
        return [
            Perform(base, talk.phrase(thing) if thing else None, (("amount", amount), *details))
        ]
    if base not in _SHOPS:
        return None
    thing, details = _details(found["what"], base, talk)
    units = re.match(rf"(?:{_UNITS})\s+of\s|\w+s\b", thing, re.IGNORECASE)
    carted = any(re.search(r"\b(?:cart|basket|bag|trolley|order)$", text) for _, text in details)
    if not (units or carted or re.match(rf"{QUOTE}|[A-Z]", thing)):
        return None
    count = f"{number(found['n']):g}"
    return [Perform(base, talk.phrase(thing), (("quantity", count), *details))]


def _of_many(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`delete all messages`, `order 3 items`."""
    many = re.fullmatch(rf"(?P<n>{NUMBER})\s+(?P<what>\w+s\b.*)", body, re.IGNORECASE)
    if base == "show" or (many and base in _MAKES):
        return None
    what = each_of(body) or (many["what"] if many else None)
    if what is None:
        return None
    limit = int(number(many["n"]) or 1) if many else None
    but = re.search(
        r"\s*,?\s+(?:except|but|other than|apart from|excluding)\s.+$", what, re.IGNORECASE
    )
    thing, details = _details(what[: but.start()] if but else what, base, talk)
    thing += but[0] if but else ""
    return [for_each(talk, thing, Perform(base, f"{{{EACH}}}", details), limit=limit)]


def _to_someone(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`send Ann the report`, `forward to Ann the report`."""
    found = _given(body) if base in _GOES else None
    found = found or re.fullmatch(
        r"to (?P<who>\S+(?:\s+[A-Z]\w+)*)\s+(?P<what>(?:the|a|an|this|that|my|your)\s+.+)", body
    )
    if found is None:
        return None
    return [Perform(base, talk.phrase(found["what"]), (("to", talk.text(found["who"])),))]


def _given(body: str) -> re.Match[str] | None:
    """`send Ann the report`: the receiver comes first."""
    owned = re.fullmatch(r"(?P<who>[A-Z][\w-]+)\s+(?P<what>[A-Z][\w-]*['’]s?\s+\w.*)", body)
    return owned or re.fullmatch(
        r"(?P<who>(?!the |a |an |this |that |all |my |your |it\b|to "
        r")[^\s,]+(?:\s+[A-Z]\w+)?)\s+(?P<what>(?:the|a|an|this|that|my|your|all|every)\s+.+)",
        body,
    )


def _details(body: str, base: str, talk: Talk) -> tuple[str, tuple[tuple[str, str], ...]]:
    cuts = _cuts(body, base)
    if not cuts:
        return body, ()
    # "reply to Ann with …", "log in as Ann": the first particular stands where the thing would.
    ends = [cut.start() for cut in cuts[1:]] + [len(body)]
    details = [
        pair
        for cut, end in zip(cuts, ends, strict=True)
        for pair in _pieces(_word(cut["word"]), body[cut.end() : end], talk)
    ]
    return body[: cuts[0].start()], tuple(_same_month(details))


_NAMED = re.compile(
    rf"(?:the|a|an|my)\s+(?P<word>[a-z]+(?:\s[a-z]+)?)\s*:?\s+(?P<text>(?:[A-Z\d]|{ANY}).*)",
    re.DOTALL,
)


_PIECE = re.compile(
    rf"(?:and\s+)?(?:(?:the|my|an?)\s+)?(?P<word>[a-z]+|[A-Z]{{2,}})\s+(?P<text>(?:[A-Z\d+]|{ANY}).*)"
)


def _pieces(word: str, text: str, talk: Talk) -> list[tuple[str, str]]:
    """`to Ann Maier, IBAN DE02, purpose "Gift"`: after commas each names its own field.

    Raises:
        NotUnderstood: A quote stands among words that name nothing.
    """
    first, *others = re.split(r"\s*,\s*(?=\S)", text.strip())
    found = [_PIECE.fullmatch(piece) for piece in others]
    if others and all(found):
        named = [(f["word"].lower(), talk.text(f["text"])) for f in found if f]
        return [_detail(word, first, talk), *named]
    if re.search(rf"\S.*,.*{QUOTE}", text):
        raise NotUnderstood(f"which field takes what of “{talk.atoms.original(text.strip())}”?")
    return [_detail(word, text, talk)]


def _detail(word: str, text: str, talk: Talk) -> tuple[str, str]:
    """`with the reference Rent May` names its own field.

    Raises:
        NotUnderstood: More follows a date than belongs to it.
    """
    text = re.sub(r"[\s,]+and\s*$", "", text)
    if word in ("saying", "text"):
        text = re.sub(r"^that\s+", "", text.strip())
    if re.match(
        rf"(?:{DATED}|{TIMED})\s+and\s+(?!{DATED}|{TIMED})|.+\sand\s+(?:out|in|back)\s*$",
        text.strip(),
    ):
        raise NotUnderstood(f"where does “{talk.atoms.original(text.strip())}” end?")
    found = _NAMED.fullmatch(text.strip()) if word in ("with", "using", "under", "and") else None
    return (found["word"], talk.text(found["text"])) if found else (word, talk.text(text))


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
    if word.startswith("so that"):
        return "text"
    word = re.sub(r"^(?:and )?(?:the|my|an?) (?=\w)", "", word)
    return re.sub(r"^(?:with|under|using|and|by) (?:the )?(?=\w)|\s+of$", "", word)


def _of_receiver(last: re.Match[str], word: str, value: str) -> bool:
    """`to the chat with Rosa` is one place."""
    goes = last["word"].lower() in ("to", "into", "in") and word in ("with", "from")
    return goes and _NAMED.match(value) is None


_NEW = {"create", "add", "insert", "rename", "save", "compose", "set up", "make"}
_DEFINITE = re.compile(r"(?:the|my|this|that|your)\s", re.IGNORECASE)
_OPEN = re.compile(r"\b[a-z]+ing$|\s(?:that|which|who|whose)\s")
_RELATIVE = {"in", "with", "at", "on", "from", "to", "by", "for", "as"}


def _cuts(body: str, base: str) -> list[re.Match[str]]:
    """Where particulars begin: after a colon or before a value; else what belongs to the thing."""
    found = list(_DETAIL.finditer(body))
    kept: list[re.Match[str]] = []
    for cut in found:
        word = cut["word"].lower()
        value = body[cut.end() :]
        before = body[(kept[-1].end() if kept else 0) : cut.start()]
        # "the card ending in 42", "the flight that leaves at 9:40" are one thing each.
        if _OPEN.search(f" {before}") and word in _RELATIVE:
            continue
        if word == "to" and re.search(r"\b[A-Z]+\d+$", before) and re.match(r"[A-Z]+\d+\b", value):
            continue
        # "mute the group called Work": which one, not what it shall be called.
        if (
            word in ("called", "named", "titled")
            and base not in _NEW
            and not kept
            and _DEFINITE.match(before)
        ):
            continue
        if word == "to" and re.search(r"\b(?:pages?|rows?|lines?|slides?) \d+$", before):
            continue
        explicit = (
            ":" in cut[0] or len(word.split()) > 1 or re.match(rf"{QUOTE}|{DATED}|{TIMED}", value)
        )
        named = word in (
            "named",
            "called",
            "titled",
            "labelled",
            "labeled",
            "saying",
            "entitled",
            "between",
            "to",
            "into",
            "as",
            "and",
            "until",
        )
        if (
            explicit
            or named
            or (kept and word not in ("by", "of") and not _of_receiver(kept[-1], word, value))
            or cut.start() == 0
            or (word == "on" and base in _MAKES and re.match(_WEEKDAY, value, re.IGNORECASE))
            or (base in ("post", "publish", "share") and re.fullmatch(QUOTE, before.strip()))
            or (word == "with" and base in ("react to", "pay", "protect", "sign", "fill"))
            or (word == "by" and (base in ("filter", "group", "rank") or re.match(NUMBER, value)))
            or (word == "from" and base in {*_BOOKS, "transfer", "withdraw", "search", "order"})
            or (word not in _PART_OF_THING and word != "from")
        ):
            kept.append(cut)
    return kept


def perform_named(rest: str, talk: Talk) -> list[Step]:
    """`perform "verb" on X`: a verb that only the application knows."""
    found = re.fullmatch(
        rf"(?P<verb>{QUOTE})(?:\s+on\s+(?P<what>.+?))?(?P<details>\s*\(.+\))?", trim(rest)
    )
    if found is None:
        raise NotUnderstood("perform what? “perform “verb” on X”")
    verb = talk.text(found["verb"])
    if found["details"]:
        steps = perform("perform", f"{found['what'] or ''}{found['details']}", talk)
        return [replace(step, verb=verb) for step in steps if isinstance(step, Perform)]
    return [Perform(verb, talk.phrase(found["what"]) if found["what"] else None)]


def unknown(word: str) -> NotUnderstood:
    """For a verb that nobody knows."""
    from carrel.models.steps.language.words import nearest_verb

    near = nearest_verb(word)
    hint = f"; did you mean “{near}”?" if near else ""
    return NotUnderstood(f"“{word}” is not a verb of steps{hint}")
