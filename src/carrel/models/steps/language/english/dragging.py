"""English steps that drag, draw, resize and bring into order."""

from __future__ import annotations

import re
from typing import Literal

from carrel.models.steps.language.atoms import OTHER, QUOTE
from carrel.models.steps.language.english.levels import at_value
from carrel.models.steps.language.english.listing import items_of
from carrel.models.steps.language.english.pointer import ORDERED, direction_of
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, NotUnderstood, Talk, each_of, for_each, trim
from carrel.models.steps.program import Drag, Draw, Resize, SetValue, Sort, Step

__all__ = ["drag", "draw", "resize", "sort"]

_WAY = re.compile(
    rf"(?P<what>.+?)\s+(?:to\s+the\s+|towards\s+the\s+)?(?P<dir>up|down|left|right)(?:wards?)?"
    rf"(?:\s+by)?(?:\s+(?P<n>{NUMBER})\s*(?P<unit>px|pixels?|places?|positions?|spots?|rows?|"
    rf"columns?|"
    r"cells?|steps?|squares?)?)?",
    re.IGNORECASE,
)
_ONTO = re.compile(
    r"(?P<what>.+?)\s+(?:so that it (?:is|lies|sits)\s+(?:completely |fully |entirely |right )?"
    r"(?:inside|in|on|over|within|on top of)(?: of)?|(?:and drop it )?"
    r"(?-i:over to|up to|down to|back to|on to|on top of|onto|into|inside|to|over|in|on))\s+"
    r"(?P<onto>.+)",
    re.IGNORECASE,
)

_ALL_THE_WAY = re.compile(
    r"(?P<what>.+?)\s+all the way\s+(?:to the\s+)?(?P<end>left|right|top|bottom)", re.IGNORECASE
)
_ASLANT = re.compile(
    r"(?P<what>.+?)\s+(?:to the\s+)?(?P<one>up|down|left|right)(?:wards?)?\s+and\s+(?:to the\s+)?"
    r"(?P<two>up|down|left|right)(?:wards?)?",
    re.IGNORECASE,
)


def _aslant(body: str, talk: Talk) -> list[Step] | None:
    """`the corner down and to the right`: one way after the other."""
    found = _ASLANT.fullmatch(body)
    if found is None:
        return None
    what = talk.phrase(found["what"])
    return [Drag(what, direction=direction_of(found[key], "")) for key in ("one", "two")]


_FROM_TO = re.compile(
    # "To do" with a capital is the name of a list.
    r"(?:(?P<what>.+?)\s+)?from\s+(?P<source>.+?)\s+(?-i:over to|on to|onto|into|to)\s+"
    r"(?P<onto>.+)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"(?P<what>(?:(?!\b(?:to|onto|into|on|in|over|inside)\b).)+?)\s+(?:to\s+)?"
    r"(?:(?:the\s+)?(?:place|position|spot)\s+)?(?:just\s+|right\s+|directly\s+)?"
    r"(?:to\s+)?(?:the\s+)?(?P<where>below|under|underneath|beneath|above|before|after|behind|"
    r"in front of|(?:left|right) of)\s+(?P<other>.+)",
    re.IGNORECASE,
)


_NO_THING = re.compile(
    r"(?:up|down|left|right|to)\b(?!\s+(?:arrow|button|handle|pane|panel|edge|border|side)\b)"
)


def _refuse_direction(body: str) -> None:
    """`pull down to refresh` drags nothing.

    Raises:
        NotUnderstood: So it is.
    """
    if _NO_THING.match(body):
        raise NotUnderstood("drag what? “drag X down”, “drag X to Y”; a page is scrolled")


def _in_order(body: str, talk: Talk) -> list[Step] | None:
    """`the names into alphabetical order`: they are sorted."""
    found = re.search(r"\sinto\s+(?=(?:an?\s+|the\s+)?\w+\s+order$)", body, re.IGNORECASE)
    return sort(f"{body[: found.start()]} in {body[found.end() :]}", talk) if found else None


def drag(rest: str, talk: Talk) -> list[Step]:
    """Drag one thing, or all of a kind, onto another, by pixels or in a direction."""
    rest = re.sub(r"(?<=\S)\s+(?:over\s+)?there$", " into there", trim(rest), flags=re.IGNORECASE)
    body = re.sub(r"\s+and\s+drop\s+(?:it|them)\s+", " ", trim(rest), flags=re.IGNORECASE)
    if found := re.fullmatch(rf"(?P<what>.+?)\s+by\s+(?P<by>{OTHER})", body):
        across = [
            int(float(n)) for n in re.findall(r"-?\d+(?:\.\d+)?", talk.atoms.original(found["by"]))
        ]
        return [Drag(talk.phrase(found["what"]), by=(across[0], across[1]))]
    body = re.sub(
        rf"\s+(?:by\s+)?({NUMBER})\s*(px|pixels?|places?|positions?|rows?|columns?|cells?|notch(?:es)?|steps?)\s+"
        r"(?:to\s+the\s+)?(up|down|left|right)$",
        r" \3 by \1 \2",
        body,
        flags=re.IGNORECASE,
    )
    _refuse_direction(body)
    rules = (_in_order, _everything, _aslant, _from_to)
    if steps := next(filter(None, (rule(body, talk) for rule in rules)), None):
        return steps
    for joint in re.finditer(r"\s*,?\s+and\s+|\s*,\s*", body):
        left, right = body[: joint.start()], body[joint.end() :]
        if _ONTO.fullmatch(left) and _ONTO.fullmatch(right):
            return [*drag(left, talk), *drag(right, talk)]
    if found := _ALL_THE_WAY.fullmatch(body):
        return [Drag(talk.phrase(found["what"]), onto=f"the far {found['end']} end")]
    found = _WAY.fullmatch(body)
    if found and not re.search(
        r"\bto the (?:bottom|top|upper|lower|cent\w+|middle|far)$|\s(?:on|at|in|to) the$",
        found["what"],
    ):
        return [_pushed(found, talk)]
    if beside := _BESIDE.fullmatch(body):
        where = f"the place {beside['where'].lower()} {talk.phrase(beside['other'])}"
        return [Drag(talk.phrase(beside["what"]), onto=where)]
    found = _ONTO.fullmatch(body)
    if found is None:
        raise NotUnderstood("drag it where? “drag X to Y”, “drag X left”, “drag X by (40, 0)”")
    thing, value = at_value(found, "onto")
    value = trim(value)
    if re.fullmatch(rf"{NUMBER}\s*%?", value) and re.search(
        r"slider|knob|handle|dial|volume", body, re.IGNORECASE
    ):
        return [SetValue(talk.phrase(thing), value)]
    onto = talk.phrase(value, "where to drag it")
    if what := each_of(thing):
        return [for_each(talk, what, Drag(f"{{{EACH}}}", onto=onto))]
    if re.fullmatch(r"everything else|the rest|the others?|all others", thing, re.IGNORECASE):
        return [for_each(talk, thing, Drag(f"{{{EACH}}}", onto=onto))]
    return _each(thing, onto, talk)


def _each(what: str, onto: str, talk: Talk) -> list[Step]:
    """One thing, or several that are named one by one."""
    things = items_of(what, talk)
    if len(things) < 2 or not all(map(_NAMED.fullmatch, things)):
        return [Drag(talk.phrase(what, "what to drag"), onto=onto)]
    return [Drag(talk.phrase(thing), onto=onto) for thing in things]


_NAMED = re.compile(rf"(?:(?:the|an?)\s\S.*|{QUOTE}|\S+|[A-Z]\S*(?:\s[A-Z\d]\S*)*)")


_EVERY = re.compile(
    r"(?P<what>(?:everything|all)\s+(?:from|in|on|by)\s.+?)\s+(?:in)?to\s+(?P<onto>.+)",
    re.IGNORECASE,
)


def _everything(body: str, talk: Talk) -> list[Step] | None:
    """`everything from Ann into the archive`: each of them."""
    found = _EVERY.fullmatch(body)
    if found is None:
        return None
    return [for_each(talk, found["what"], Drag(f"{{{EACH}}}", onto=talk.phrase(found["onto"])))]


# "the message from Lena": whose it is, and not where.
_SENT = re.compile(
    r"\b(?:messages?|e-?mails?|mails?|letters?|repl(?:y|ies)|invitations?|requests?|notifications?|"
    r"newsletters?|invoices?|bills?|offers?|quotes?|comments?|reports?)$",
    re.IGNORECASE,
)
_SENDER = re.compile(
    rf"(?!(?i:inbox|archive|trash|spam|drafts?|sent|junk|outbox|done|review|backlog|to)\b)"
    rf"[A-Z][\w.'’-]*(?:\s[A-Z][\w.'’-]*)*|{OTHER}"
)


def _from_to(body: str, talk: Talk) -> list[Step] | None:
    """`the meeting from Monday to Friday`."""
    found = _FROM_TO.fullmatch(body)
    if found is None:
        return None
    what, source = found["what"], talk.phrase(found["source"])
    onto = talk.phrase(found["onto"], "where to drag it")
    if every := each_of(what or ""):
        inner = Drag(f"{{{EACH}}}", onto=onto)
        return [for_each(talk, f"{every} from {found['source']}", inner)]
    if what and _SENT.search(what) and _SENDER.fullmatch(found["source"]):
        return [Drag(talk.phrase(f"{what} from {found['source']}"), onto)]
    return [Drag(talk.phrase(what), onto, place=source) if what else Drag(source, onto)]


def _pushed(found: re.Match[str], talk: Talk) -> Step:
    what, direction = talk.phrase(found["what"]), direction_of(found["dir"], "")
    count = number(found["n"]) if found["n"] else None
    if count is None:
        return Drag(what, direction=direction)
    if (
        found["unit"]
        and found["unit"].lower().startswith("p")
        and "pl" not in found["unit"].lower()
        and "pos" not in found["unit"].lower()
    ):
        sign = -1 if direction in ("left", "up") else 1
        across = direction in ("left", "right")
        return Drag(what, by=(sign * int(count), 0) if across else (0, sign * int(count)))
    return Drag(what, direction=direction, places=int(count))


_DRAW = re.compile(
    r"(?P<what>(?:an?|the)\s+.+?|[\ue000-\uf8ff])(?:\s+(?:(?:that|which)\s+)?(?:centered |"
    r"centred |running |runs |"
    r"passing |passes |going |goes |is )*(?P<how>through|around|from|on|about|at|over|across)\s+"
    r"(?P<where>.+?))?(?:\s+(?:by|with|using)\s+(?:dragging\s+)?(?:the|your)\s+(?:mouse|"
    r"pointer).*)?",
    re.IGNORECASE,
)


def draw(rest: str, talk: Talk) -> list[Step]:
    """Draw a line or a figure with the pointer."""
    found = _DRAW.fullmatch(trim(rest))
    if found is None or not re.search(
        r"\b(?:line|circle|square|rectangle|curve|stroke|box|"
        r"ellipse|oval|"
        r"triangle|arrow|diagonal)\b",
        talk.phrase(found["what"]),
        re.IGNORECASE,
    ):
        raise NotUnderstood("only lines and simple figures can be drawn")
    how = {
        "through": "through",
        "across": "through",
        "around": "around",
        "about": "around",
        "from": "from",
    }
    centred = re.search(r"cent(?:er|re)d", rest, re.IGNORECASE)
    where = talk.phrase(found["where"]) if found["where"] else None
    manner = "around" if centred else how.get((found["how"] or "").lower(), "on")
    return [Draw(talk.phrase(found["what"]), where, manner)]  # type: ignore[arg-type]


_SIZE = re.compile(
    r"(?P<what>.+?)\s+(?:so that (?:its|the) (?P<side>height|width|size) is|to be|so that "
    r"it is|to)\s+"
    r"(?P<how>smaller|larger|bigger|greater|taller|wider|narrower|shorter|less)(?:\s+than\s+.+)?",
    re.IGNORECASE,
)


def resize(rest: str, talk: Talk) -> list[Step]:
    """Make something larger or smaller."""
    found = _SIZE.fullmatch(trim(rest))
    if found is None:
        raise NotUnderstood("resize it how? “resize X to be wider”")
    word = found["how"].lower()
    how: Literal["larger", "smaller"] = (
        "smaller" if word in ("smaller", "narrower", "shorter", "less") else "larger"
    )
    side = {"taller": "height", "shorter": "height", "wider": "width", "narrower": "width"}.get(
        word
    )
    said = (found["side"] or "").lower()
    chosen = said if said in ("height", "width") else side or "both"
    return [Resize(talk.phrase(found["what"]), how, chosen)]  # type: ignore[arg-type]


def sort(rest: str, talk: Talk) -> list[Step]:
    """Bring things into order."""
    found = ORDERED.search(rest)
    if found is None or found["shown"] or found["as"]:
        raise NotUnderstood("sort in which order? “sort X in ascending order”")
    down = found["down"] or found["fall"]
    return [Sort(talk.phrase(rest[: found.start()]), "descending" if down else "ascending")]
