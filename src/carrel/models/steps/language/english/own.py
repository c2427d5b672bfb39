"""An application's own verbs, in English words: what is done to what, with which particulars."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.listing import items_of
from carrel.models.steps.language.english.own_forms import ONE_BY_ONE, filtered, nths, rescheduled
from carrel.models.steps.language.english.own_verbs import BASE, GOES
from carrel.models.steps.language.english.particulars import ALONE, MAKES, Details, details_of
from carrel.models.steps.language.numbers import NUMBER, number, times
from carrel.models.steps.language.talk import (
    EACH,
    NotUnderstood,
    Talk,
    each_of,
    first_few,
    for_each,
    trim,
)
from carrel.models.steps.program import Clear, Perform, Point, Repeat, SetValue, Step

__all__ = ["perform"]

_BY_KEYS = re.compile(
    r"(?:(?:it|this|the \w+)\s+)?(?:with|using|via|by pressing|by)\s+(?P<keys>\S*\+\S+)",
    re.IGNORECASE,
)


# "log in as “ben” (password “x”)": a particular of its own.
_BRACKETED = re.compile(
    rf"\s*\(\s*(?:with\s+)?(?:the\s+)?(?P<word>[a-z]+(?: [a-z]+)?)\s+(?P<text>{QUOTE})\s*\)",
    re.IGNORECASE,
)


_WORKED_OUT = re.compile(
    r"\b(?:sum|total|value|price|amount|number|result|count)s?\b.*\s(?:with|to|against)\s",
    re.IGNORECASE,
)
# No thing is called so, and no rule knows how that is done.
_MANNER = re.compile(
    r"(?<=\S)\s+(?:permanently|for good|forever|irrevocably|anonymously|privately|publicly|"
    r"secretly|temporarily|on both sides|double-sided|single-sided|"
    r"in (?:black and white|landscape|portrait)"
    r"(?: mode| format)?)$",
    re.IGNORECASE,
)


def perform(verb: str, rest: str, talk: Talk) -> list[Step]:
    """The step of an application's verb."""
    base = BASE.get(verb.lower(), verb.lower())
    if step := _spelled_out(verb.lower(), trim(rest), talk):
        return [step]
    rest = _BRACKETED.sub(r" with the \g<word> \g<text>", rest)
    body, count = times(re.sub(r"^(?:again|once more)$", "", trim(rest), flags=re.IGNORECASE))
    if base in ("undo", "redo") and re.fullmatch(r"it|that|this", body, re.IGNORECASE):
        body = ""
    if keys := _BY_KEYS.fullmatch(body):
        from carrel.models.steps.language.english.pointer import press

        return press(keys["keys"], talk)
    if count > 1:
        return [Repeat(tuple(perform(verb, body, talk)), times=count)]
    if here := re.search(r"(?<!\bfrom)\s+here$", body, re.IGNORECASE):
        # Where one is anyway.
        talk.put_aside(here[0])
        body = body[: here.start()]
    body = re.sub(r"\s+again$", "", body, flags=re.IGNORECASE)
    if own := re.match(r"(?:an?|one)\s\S+( of (?:your|my|our) own)\b", body, re.IGNORECASE):
        talk.put_aside(own[1])
        body = body[: own.start(1)] + body[own.end(1) :]
    if base in ("delete", "remove", "erase") and (inside := _CONTENTS.fullmatch(body)):
        return [Clear(talk.phrase(inside["of"]))]
    if base == "compare" and (_WORKED_OUT.search(body) or re.match(r"with\s", body)):
        raise NotUnderstood("what should come of that? “verify that X equals Y”")
    if how := _MANNER.search(body):
        raise NotUnderstood(f"how is that done: “{how[0].strip()}”? Say what is clicked for it")
    if base == "rename" and (old := _RENAMED.fullmatch(body)):
        body = f"{old['what']} {old['old']} to {old['new']}"
    body = re.sub(
        r"^(it|them|that)\s+(?:on|over|off)(?=\s*$|\s+to\b)", r"\1", body, flags=re.IGNORECASE
    )
    if base == "search":
        return _searched(re.sub(r"^for\s+", "", body, flags=re.IGNORECASE), talk)
    return _done(base, body, talk)


# "the contents of cell A1": that is emptied, and stays.
_CONTENTS = re.compile(
    r"(?:all\s+(?:of\s+)?)?the\s+(?:whole\s+|entire\s+|old\s+|existing\s+)?(?:contents?|text|"
    r"value)\s+(?:of|in|from)\s+"
    r"(?P<of>(?:the\s)?cell\s\S+|(?:the|this)\s[\w -]*?(?:field|box|input|cell|area))",
    re.IGNORECASE,
)
_RENAMED = re.compile(
    rf"(?P<what>the\s[a-z]+)\s+from\s+(?P<old>{QUOTE}|[A-Z]\S*)\s+to\s+(?P<new>{QUOTE}|\S.*)"
)
_IN_FIELD = re.compile(
    r"(?P<what>\S.*?)\s+(?:in|into|using|with|via|through)\s+(?P<place>(?:the|this)\s(?:[\w-]+\s){0,3}?"
    r"(?:search|filter|lookup)\s?(?:box|bar|field|input|form)\b.*)",
    re.IGNORECASE,
)
_SEARCHED = re.compile(
    r"(?:in\s+)?(?P<place>(?:the|this|my)\s.+?)\s+for\s+(?P<what>\S.*)", re.IGNORECASE
)


def _searched(body: str, talk: Talk) -> list[Step]:
    """`search the shop for shoes`."""
    if field := _IN_FIELD.fullmatch(body):
        place = talk.phrase(field["place"])
        return [replace(step, place=place) for step in _done("search", field["what"], talk)]
    found = _SEARCHED.fullmatch(body)
    if found is None:
        return _done("search", body, talk)
    if re.search(r"\b(?:shop|store|web ?site|site|page|web|app)$", found["place"], re.IGNORECASE):
        talk.put_aside(found["place"])
        return _done("search", found["what"], talk)
    place = talk.phrase(found["place"])
    return [replace(step, place=place) for step in _done("search", found["what"], talk)]


# "restart the router from the Maintenance tab": where that is offered.
_FROM_PART = re.compile(
    r"(?P<what>(?:the|my|your|this)\s[^,]+?)\s+(?:from|under|via)\s+"
    r"(?P<place>the\s(?:[\w-]+\s){0,3}?(?:tab|section|screen|panel))",
    re.IGNORECASE,
)
# "a folder named “2027” inside Documents": where it is made.
_NAMED_IN = re.compile(
    rf"(?P<what>.*\b(?:named|called|titled)\s+{QUOTE})\s+(?:inside|within|under)\s+"
    r"(?P<place>(?:the\s)?\S+(?:\s\S+){0,3})",
    re.IGNORECASE,
)
_OUT_OF = frozenset(("remove", "delete", "import", "export", "download", "withdraw", "transfer"))


def _done(base: str, body: str, talk: Talk) -> list[Step]:
    part = _NAMED_IN.fullmatch(body) if base in MAKES else None
    part = part or (_FROM_PART.fullmatch(body) if base not in _OUT_OF else None)
    if part is not None:
        where = talk.phrase(part["place"])
        talk.put_aside(body[part.end("what") : part.start("place")])
        return [replace(step, place=where) for step in _done(base, part["what"], talk)]
    for rule in (
        rescheduled,
        nths,
        filtered,
        _short,
        _spelled,
        _so_often,
        _said_that,
        _sorted,
        _things,
        _so_many,
        _of_many,
        _to_someone,
    ):
        if steps := rule(base, body, talk):
            return steps
    thing, details = details_of(body, base, talk)
    if signed := _by_sign(thing, details, talk):
        return [signed]
    if details and thing.strip().lower() == "the one":
        # "the one for May": which of them it is, and no particular of what is done.
        thing, details = f"the one {details[0][0]} {details[0][1]}", details[1:]
    if details and (place := _AREA.fullmatch(f"{details[-1][0]} {details[-1][1]}")):
        return [
            replace(step, place=place["area"]) for step in _done(base, _before(body, place), talk)
        ]
    if base in ("log in", "login", "log on", "sign in"):
        details = tuple(pair for detail in details for pair in _both(*detail))
        if any(_NO_VALUE.match(text) for _, text in details):
            raise NotUnderstood("who, and with which password? “log in as X with the password Y”")
        details = tuple(("username" if word == "as" else word, text) for word, text in details)
    return [Perform(base, talk.phrase(thing) if thing.strip() else None, details)]


_SIGN = re.compile(
    r"(?:the|its|that|this)\s+(?:[a-z]+\s+){0,2}?(?:tick|check ?mark|cross|x|plus|minus|bin|"
    r"dustbin|trash(?: can)?|pencil|pen|arrow|floppy(?: disk)?|disk|gear|cog)"
    r"(?:\s+(?:button|icon|sign|symbol|mark))?"
)


def _by_sign(thing: str, details: Details, talk: Talk) -> Point | None:
    """`save it with the green tick`: the button that shows it is pressed; no field gets the words.

    Raises:
        NotUnderstood: More is said than the sign can stand for.
    """
    signs = [text for word, text in details if word == "with" and _SIGN.fullmatch(text.lower())]
    if not signs:
        return None
    if len(details) > 1 or thing.strip().lower() not in ("", "it", "this", "that", "them"):
        raise NotUnderstood(f"“{signs[0]}” is pressed: a step of its own, “click {signs[0]}”")
    return Point(talk.phrase(signs[0]))


# No user is called so, and no password is: the words around them.
_NO_VALUE = re.compile(r"(?:and|is|are|or|being|was)\s", re.IGNORECASE)


def _both(word: str, text: str) -> Details:
    """`as demo / demo123`: the user and the password in one."""
    pair = re.fullmatch(r"(?P<user>\S+?)\s*/\s*(?P<password>\S+)", text) or re.fullmatch(
        r"[\"“](?P<user>[^\"”]+)[\"”] (?:and|/) [\"“](?P<password>[^\"”]+)[\"”]", text
    )
    if word not in ("as", "with", "username") or pair is None:
        return ((word, text),)
    return (("username", pair["user"]), ("password", pair["password"]))


# Where on the screen, and no particular of what is done.
_AREA = re.compile(
    r"(?:in|on|inside|within|from)\s+(?P<area>the\s(?:[\w-]+\s)*(?:side ?bar|panel|toolbar|"
    r"tool bar|pane|"
    r"explorer|view|header|footer|menu bar|dialog|pop-?up|status bar|tree|context menu|ribbon))",
    re.IGNORECASE,
)


def _before(body: str, place: re.Match[str]) -> str:
    return body[: body.lower().rindex(place[0].lower())].strip()


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
        if re.fullmatch(r"back|up|off|down|out|away|on|over|in", found["how"], re.IGNORECASE):
            return [Perform(f"{base} {found['how'].lower()}", found["what"])]
        return [Perform(base, found["what"], (("as", found["how"]),))]
    to = re.fullmatch(rf"(?P<text>{QUOTE})\s+(?:to|on)\s+(?P<what>.+)", body)
    if to and base in ("reply", "comment", "answer"):
        return [Perform(base, talk.phrase(to["what"]), (("text", talk.text(to["text"])),))]
    said = _REPLIED.fullmatch(body) if base in ("reply", "comment", "comment on") else None
    if said is not None:
        return [Perform(base, talk.phrase(said["what"]), (("with", talk.text(said["text"])),))]
    if base in ("reply", "comment") and re.fullmatch(QUOTE, body):
        return [Perform(base, None, (("text", talk.text(body)),))]
    return None


# "to Tom with Thank you": what is said to him.
_REPLIED = re.compile(r"(?:to\s+)?(?P<what>\S.*?)\s+with\s+(?P<text>[A-Z][^:]*)")
_FIELD_IS = re.compile(
    rf"(?:and\s+)?(?:(?:the|an?|my)\s+)?(?P<word>[A-Za-z][\w-]*(?: [a-z-]+)?)\s*[:=]?\s+"
    rf"(?P<text>{QUOTE}|[A-Z\d+]\S*(?:\s[A-Z\d]\S*)*)"
)


def _spelled(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`create a contact: name "Ann", phone "12"`: each particular by its noun."""
    found = re.fullmatch(r"(?P<what>(?:an?|the|another)\s[^:]+?)\s*:\s+(?P<rest>.+)", body)
    pieces = re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", found["rest"]) if found else []
    named = [_FIELD_IS.fullmatch(piece) for piece in pieces]
    if found is None or not all(named):
        return None
    details = tuple((f["word"].lower(), talk.text(f["text"])) for f in named if f)
    return [Perform(base, talk.phrase(found["what"]), details)]


def _said_that(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`reply to Ben that the offer stands`."""
    found = re.fullmatch(
        r"(?:to\s+)?(?P<who>.+?)\s+that\s+(?P<text>(?!is\b|was\b|says\b|has\b)\S+\s.+)", body
    )
    if found is None or base not in ("reply", "comment", "comment on", "write to"):
        return None
    said = ("text", talk.text(found["text"]))
    return [Perform(base, talk.phrase(found["who"]), (said,))]


def carted(details: Details) -> bool:
    """Whether things are put together on a list or in a basket."""
    last = details[-1][1] if details else ""
    return re.search(r"\b(?:cart|basket|bag|trolley|order|list)$", last, re.IGNORECASE) is not None


def _things(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`add three notebooks and a pen to the cart`: one after the other."""
    thing, details = details_of(body, base, talk)
    items = items_of(thing, talk)
    one = rf"(?:an?|the|one|{NUMBER})\s+\S.*|{QUOTE}|[\w-]+(?:\.\w+)*\.[a-z]\w{{1,4}}|[A-Z]+-\d+"
    if (
        len(items) < 2
        or " and " not in thing
        or "more " in thing
        or not (carted(details) or all(re.fullmatch(one, item, re.IGNORECASE) for item in items))
    ):
        return None
    if re.search(r"\s(?:with|for|between|from|in|by|that|which|except|but)\s", thing):
        return None
    if re.search(r"\sof\s", thing) and not carted(details):
        return None
    if base not in _SHOPS | ONE_BY_ONE:
        return None
    if base not in _SHOPS:
        return [Perform(base, talk.phrase(item), details) for item in items]
    return [step for item in items for step in _ordered(base, item, details, talk)]


_SORTED = re.compile(
    r"(?:the\s+)?(?:following\s+)?(?P<noun>[a-z]+s)\s*:?\s+(?P<items>\S.*)", re.IGNORECASE
)
_WORDED = frozenset(
    ("tags", "labels", "keywords", "categories", "topics", "hashtags", "skills", "ingredients")
)
"""What is called by mere words."""


def _sorted(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`add the tags kotlin and gradle`: one after the other, each by its noun."""
    thing, details = details_of(body, base, talk)
    found = _SORTED.fullmatch(thing.strip()) if base in _SHOPS | ONE_BY_ONE | {"create"} else None
    items = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", found["items"]) if found else []
    word = r"[\w#-]+" if found and found["noun"].lower() in _WORDED else r"[A-Z][\w-]*"
    one = rf"{QUOTE}|[\w-]*\d[\w.-]*|{word}"
    if found is None or len(items) < 2 or not all(re.fullmatch(one, item) for item in items):
        return None
    if carted(details):
        return None  # what goes into a basket is told by its name alone
    noun = re.sub(r"ies$", "y", found["noun"]).removesuffix("s")
    return [Perform(base, talk.phrase(f"the {noun} {item}"), details) for item in items]


def _ordered(base: str, item: str, details: Details, talk: Talk) -> list[Step]:
    found = re.fullmatch(rf"(?P<n>{NUMBER})\s+(?:of\s+(?=the\s))?(?P<what>.+)", item, re.IGNORECASE)
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
_UNITS = (
    r"boxes|bottles|cans|packs|packets|pairs|bags|cups|kilos|pieces|copies|units|slices|sets|"
    r"tickets|jars|bunches|rolls|cartons|crates|glasses|portions|servings|litres|liters"
)


_MONEY = r"euros?|dollars?|pounds?|yen|francs?|eur|usd|gbp|chf|bucks|cents?|%|percent|points|€|\$"


def _so_many(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`add two boxes of tea to the cart`: one thing, so many of it; `show 50 entries per page`."""
    per_page = (
        rf"(?P<only>(?:only|just)\s+)?(?P<n>{NUMBER})\s+(?P<what>\w+ (?:per|on each|on a) \w+)"
    )
    if base in ("show", "display") and (shown := re.fullmatch(per_page, body, re.IGNORECASE)):
        talk.put_aside(shown["only"] or "")
        return [SetValue(talk.phrase(shown["what"]), talk.text(shown["n"]))]
    shown = re.fullmatch(
        rf"(?P<n>{NUMBER})\s+(?P<what>entries|rows|records)(?: (?:in|of) (?P<place>the \S.*))?",
        body,
        re.IGNORECASE,
    )
    if base in ("show", "display") and shown:
        # “Show 25 entries” is how such drop-downs are written themselves.
        what, place = talk.phrase(f"{shown['what']} per page"), shown["place"]
        return [SetValue(what, talk.text(shown["n"]), place=talk.phrase(place) if place else None)]
    found = re.fullmatch(
        rf"(?P<n>{NUMBER})\s+(?:x\s+|of the\s+)?(?P<what>\S.*)", body, re.IGNORECASE
    )
    if found is None:
        return None
    if money := re.match(rf"(?:{_MONEY})(?:\s+|$)", found["what"], re.IGNORECASE):
        thing, details = details_of(found["what"][money.end() :], base, talk)
        amount = talk.text(f"{found['n']} {money[0].strip()}")
        return [
            Perform(base, talk.phrase(thing) if thing else None, (("amount", amount), *details))
        ]
    if base not in _SHOPS:
        return None
    thing, details = details_of(found["what"], base, talk)
    units = re.match(rf"(?:{_UNITS})\s+of\s|\w+s\b", thing, re.IGNORECASE)
    carted = any(re.search(r"\b(?:cart|basket|bag|trolley|order)$", text) for _, text in details)
    if not (units or carted or re.match(rf"{QUOTE}|[A-Z]", thing)):
        return None
    count = f"{number(found['n']):g}"
    return [Perform(base, talk.phrase(thing), (("quantity", count), *details))]


_MEASURES = (
    r"(?:miles|hours|minutes|seconds|days|weeks|months|years|kilomet|met(?:er|re)s|pounds|grams|"
    r"kilos|degrees|percent|points|pixels|inches|feet|lit(?:er|re)s|calories|steps)"
)
_TELLS_WHICH = ("from", "by", "in", "with", "about", "named", "called", "titled")


def _of_many(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`delete all messages`, `order 3 items`."""
    many = re.fullmatch(rf"(?P<n>{NUMBER})\s+(?P<what>\w+s\b.*)", body, re.IGNORECASE)
    measure = many and re.match(_MEASURES, many["what"], re.IGNORECASE)
    if base in ("show", "list", "count") or (many and base in MAKES) or measure:
        return None
    thing, _ = details_of(body, base, talk)
    few = first_few(thing) if base in ALONE else None
    what = each_of(body) or (many["what"] if many else None)
    if few:
        what = f"{few[0]}{body[len(thing) :]}"
    if what is None:
        return None
    limit = few[1] if few else int(number(many["n"]) or 1) if many else None
    but = re.search(
        r"\s*,?\s+(?:except|but|other than|apart from|excluding)\s.+$", what, re.IGNORECASE
    )
    where = re.search(r"\s+from\s+(?:the|my)\s.+$", but[0]) if but else None
    left = but[0][: where.start()] if but and where else but[0] if but else ""
    kept = f"{what[: but.start()]}{where[0] if where else ''}" if but else what
    thing, details = details_of(kept, base, talk)
    if details and details[0][0] in _TELLS_WHICH and base not in GOES:
        # "all messages from Ann": which of them.
        rest = what[len(thing) :].strip()
        own = re.match(rf"{details[0][0]}\s+(?:{QUOTE}|\S+(?:\s[A-Z]\S*)*)", rest)
        if own:
            thing, details = f"{thing} {own[0]}", details[1:]
    thing += left
    return [for_each(talk, thing, Perform(base, f"{{{EACH}}}", details), limit=limit)]


def _to_someone(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`send Ann the report`, `forward to Ann the report`."""
    found = _given(body) if base in GOES else None
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
    hint = f"; did you mean “{near}”?" if near and near != word.lower() else ""
    return NotUnderstood(f"“{word}” is not a verb of steps{hint}")
