"""Steps of the pointer and the keys, in English words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from carrel.keys import canonical_key
from carrel.models.steps.language.atoms import OTHER, QUOTE
from carrel.models.steps.language.keys import key_sequence
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
from carrel.models.steps.language.telling import telling
from carrel.models.steps.program import (
    Choose,
    Drag,
    Draw,
    ForEach,
    Point,
    Press,
    Resize,
    Scroll,
    SetValue,
    Sort,
    Step,
)

__all__ = ["drag", "draw", "keep", "point", "press", "resize", "scroll", "sort"]

Click = Literal["click", "double", "triple", "right", "middle", "hover"]
Direction = Literal["up", "down", "left", "right"]

PATH = re.compile(r"\s*(?:>|→|->|›|»|▸|➔)\s*")
_HELD = re.compile(
    r"[,\s]*(?:\bwhile\s+)?(?:hold(?:ing)?(?: down)?|with|pressing)\s+(?:the\s+)?"
    r"(?P<keys>(?:ctrl|control|shift|altgr|alt|option|cmd|command|meta|super|hyper)(?:\s*(?:\+|and)\s*"
    r"(?:ctrl|control|shift|altgr|alt|option|cmd|command|meta|super|hyper))*)(?:\s+keys?)?(?:\s+(?:held|pressed)"
    r"(?:\s+down)?)?\s*$",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    rf"(?P<what>.+?)\s+(?P<joint>on|of|for|in|next to|beside)\s+(?:(?P<all>all|every|each|both)"
    rf"(?:\s+(?:of\s+)?the)?|(?P<n>{NUMBER}))\s+(?P<every>[a-z].*)",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    r"\s+in\s+(?:an?\s+|the\s+)?(?:(?P<up>ascending|increasing|numerical|alphabetical|rising)|"
    r"(?P<down>descending|decreasing|reverse|falling)|(?P<shown>(?:displayed|shown|given|same)))"
    r"\s+order|\s+in\s+(?:the|an?)\s+order\s+(?P<as>(?:displayed|shown|given).*)|\s+from\s+(?:the\s+)?"
    r"(?P<rise>(?:smallest|lowest|least)\s+to\s+(?:the\s+)?(?:largest|highest|greatest|biggest))|"
    r"\s+from\s+(?:the\s+)?(?P<fall>(?:largest|highest|greatest|biggest)\s+to\s+(?:the\s+)?"
    r"(?:smallest|lowest|least))",
    re.IGNORECASE,
)


def point(rest: str, talk: Talk, how: Click = "click") -> list[Step]:
    """Click, double-click, hover … one thing, several, or all of a kind."""
    if how == "click" and (steps := telling(rest, talk)):
        return steps
    if len(chain := re.split(r"\s*,?\s+(?:and\s+)?then\s+(?:on\s+)?", rest)) > 1:
        return [step for part in chain for step in point(part, talk, how)]
    rest = re.sub(r"\s+(?:again|once more|one more time)$", "", rest, flags=re.IGNORECASE)
    if found := re.fullmatch(r"(?:in )?between\s+(?P<two>.+\sand\s.+)", trim(rest), re.IGNORECASE):
        return [Point(f"the midpoint between {talk.phrase(found['two'])}", how=how)]
    if found := re.search(r",?\s+(?:and |but )?not\s+(?:on\s+)?(?P<other>.+)$", rest):
        # A name may hold "not"; what is told apart from another one comes after a comma.
        if not re.match(r"\s*,", found[0]):
            raise NotUnderstood("what not to click is no step")
        talk.put_aside(found["other"])
        rest = rest[: found.start()]
    rest, count = times(_without_on(rest))
    held: tuple[str, ...] = ()
    if found := _HELD.search(rest):
        held = tuple(canonical_key(key) for key in re.split(r"\s*(?:\+|and)\s*", found["keys"]))
        rest = rest[: found.start()]
    if len(parts := PATH.split(trim(rest))) > 1 and how == "click":
        return [Choose(tuple(talk.phrase(part) for part in parts), path=True)]
    if loop := _in_order(rest, talk, how) or _over_each(rest, talk, how):
        return [loop]
    return [
        Point(talk.phrase(item, f"what to {_SAID[how]}"), how=how, held=held, times=count)
        for item in _several(rest)
    ]


_SAID = {
    "click": "click",
    "double": "double-click",
    "triple": "triple-click",
    "right": "right-click",
    "middle": "middle-click",
    "hover": "point at",
}  # fmt: skip


def _without_on(rest: str) -> str:
    return re.sub(r"^(?:on|at|over|upon|into|onto)\s+(?=\S)", "", rest, flags=re.IGNORECASE)


_PLURAL = (
    r"(?:buttons|links|icons|tabs|items|boxes|cells|tiles|options|entries|images|shapes|circles)"
)


def _several(rest: str) -> list[str]:
    """The things of a list; `and` inside one name is left alone unless every part is quoted."""
    items = listed(rest)
    if len(items) < 2:
        return [rest]
    if re.search(r",.*\bor\b", rest):
        raise NotUnderstood("it does not say which of them")
    quotes = [re.search(QUOTE, item) is not None for item in items]
    head = re.match(rf"(?:the\s+)?(?:\w+\s+)?{_PLURAL}\s+(?=\S)", items[0], re.IGNORECASE)
    tail = re.search(rf"\s+{_PLURAL}$", items[-1], re.IGNORECASE)
    nouns = all(re.match(r"(?:the|a|an|button|link)\s", item, re.IGNORECASE) for item in items)
    if head:
        items[0] = items[0][head.end() :]
    if tail:
        items[-1] = items[-1][: tail.start()]
    short = all(len(item.split()) == 1 for item in items) and len(items) > 2
    return items if all(quotes) or head or tail or nouns or short else [rest]


def _in_order(rest: str, talk: Talk, how: Click) -> ForEach | None:
    found = _ORDERED.search(rest)
    if found is None:
        return None
    what = each_of(rest[: found.start()]) or rest[: found.start()]
    body = Point(f"{{{EACH}}}", how=how)
    if found["shown"] or found["as"]:
        raise NotUnderstood("in which order? “in ascending order”, or one after the other")
    order: Literal["ascending", "descending"] = (
        "descending" if found["down"] or found["fall"] else "ascending"
    )
    return ForEach(EACH, (body,), every=talk.phrase(what), order=order)


def _over_each(rest: str, talk: Talk, how: Click) -> ForEach | None:
    if what := each_of(rest):
        return for_each(talk, what, Point(f"{{{EACH}}}", how=how))
    found = _LIMITED.fullmatch(trim(rest))
    if found is None:
        return None
    body = Point(talk.phrase(found["what"]), how=how, place=f"{{{EACH}}}")
    limit = None if found["all"] else int(number(found["n"]) or 1)
    return for_each(talk, found["every"], body, limit=limit)


_KEEP = re.compile(
    r"(?:your|the)\s+(?:mouse|pointer|cursor)(?:\s+(?:pointer|cursor))?\s+(?:hover(?:ed|ing)\s+)?"
    r"(?:inside|in|over|on|above|within|at)(?: of)?\s+(?P<what>.+?)(?:\s+(?:as|while)\s+it\s+.+)?$",
    re.IGNORECASE,
)


_HOLD = re.compile(
    r"(?:down\s+)?(?:the\s+)?(?P<keys>(?:ctrl|control|shift|alt|option|cmd|command|meta|super)"
    r"(?:\s*(?:\+|and)\s*(?:ctrl|control|shift|alt))*)(?:\s+key)?(?:\s+down)?\s*(?:,\s*)?(?:and\s+)?(?:while\s+|"
    r"then\s+|-|\+)?(?:you\s+)?click(?:ing)?(?:\s+on)?\s+(?P<what>.+)",
    re.IGNORECASE,
)


def _holding(step: Step, held: tuple[str, ...]) -> Step:
    if isinstance(step, ForEach):
        return replace(step, body=tuple(_holding(one, held) for one in step.body))
    return replace(step, held=held) if isinstance(step, Point) else step


def keep(rest: str, talk: Talk) -> list[Step]:
    """Keep the pointer on something, also when it moves."""
    if found := _HOLD.fullmatch(trim(rest)):
        held = tuple(canonical_key(key) for key in re.split(r"\s*(?:\+|and)\s*", found["keys"]))
        return [_holding(step, held) for step in point(found["what"], talk)]
    if found := _KEEP.match(trim(rest)):
        return [Point(talk.phrase(found["what"]), how="hover", stay=True)]
    raise NotUnderstood("only the pointer can be kept somewhere: “keep the mouse over …”")


_PRESSED_IN = re.compile(
    rf"(?P<keys>.+?)\s+(?:in|inside|within|on)\s+(?P<where>the\s+.+?\s(?:field|box|textbox|input|area|"
    rf"editor|list|table|slider|spinner|terminal|window|tree|grid)|{QUOTE})",
    re.IGNORECASE,
)


def press(rest: str, talk: Talk) -> list[Step]:
    """Press keys, or a button that is called so."""
    if keys := key_sequence(rest, talk):
        return keys
    body, count = times(rest)
    if found := _PRESSED_IN.fullmatch(trim(body)):
        keys = key_sequence(found["keys"], talk) or []
        if keys:
            focus = Point(talk.phrase(found["where"]))
            many = {"times": count} if count > 1 else {}
            return [focus, *(replace(k, **many) for k in keys if isinstance(k, Press))]
    return point(rest, talk)


_SCROLL = re.compile(
    rf"(?:(?P<where>(?:the|this)\s+.+?|{QUOTE})\s+)?(?:(?:back|all the way)\s+)*"
    r"(?P<dir>up|down|left|right)?"
    r"(?:wards?)?\s*(?:(?:to|until|till)\s+(?:you\s+(?:reach|see|find)\s+)?(?:the\s+)?(?:very\s+)?"
    r"(?P<end>bottom|top|end|beginning|start|left|right)\b(?:\s+(?:of|in)\s+(?P<of>.+))?)?"
    rf"(?:\s*(?:by\s+|for\s+)?(?P<n>{NUMBER})\s*(?:times?|notch(?:es)?|clicks?|lines?|steps?|pages?|"
    r"screens?)?)?(?:\s*(?:a (?:bit|little))?)?(?:\s*(?:in|on|inside|within)\s+(?P<in>.+))?",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"(?:(?P<where>the\s+.+?)\s+)?(?P<dir>up|down|left|right)?\s*(?:until|till|to find|to "
    r"see|to)\s+"
    r"(?:you\s+(?:can\s+)?(?:see|find|reach)\s+|(?:you )?get to\s+)?(?P<what>.+?)(?:\s+(?:is|are|"
    r"becomes|comes)\s+(?:visible|shown|displayed|in(?:to)? view|on (?:the )?screen|seen)|"
    r"\s+(?:appears?"
    r"|shows(?: up)?))?(?:\s+(?:in|on)\s+(?P<in>the\s+.+|[\ue000-\uf8ff]))?",
    re.IGNORECASE,
)


def scroll(rest: str, talk: Talk) -> list[Step]:
    """Scroll somewhere, so far, to an end, or until something shows."""
    body = trim(rest)
    if found := _SCROLL.fullmatch(body):
        where = found["where"] or found["of"] or found["in"]
        if where and re.fullmatch(r"the (?:page|screen|text)|it", where.strip(), re.IGNORECASE):
            where = "the page" if "page" in where else None
        end = (found["end"] or "").lower()
        direction = _direction(found["dir"], end)
        if found["n"]:
            amount: int | Literal["end"] | None = max(int(number(found["n"]) or 1), 1)
        else:
            amount = "end" if end else None
        return [Scroll(direction, amount, talk.phrase(where) if where else None)]
    if found := _UNTIL.fullmatch(body):
        where = found["where"] or found["in"]
        return [
            Scroll(
                _direction(found["dir"], ""),
                where=talk.phrase(where) if where else None,
                until=talk.phrase(found["what"]),
            )
        ]
    raise NotUnderstood("scroll where to? “scroll down”, “scroll to the bottom”, “scroll to X”")


def _direction(said: str | None, end: str) -> Direction:
    if end in ("left", "right"):
        return "left" if end == "left" else "right"
    if end:
        return "up" if end in ("top", "beginning", "start") else "down"
    lowered = (said or "down").lower()
    return lowered if lowered in ("up", "left", "right") else "down"  # type: ignore[return-value]


_WAY = re.compile(
    rf"(?P<what>.+?)\s+(?:to\s+the\s+|towards\s+the\s+)?(?P<dir>up|down|left|right)(?:wards?)?"
    rf"(?:\s+by)?(?:\s+(?P<n>{NUMBER})\s*(?P<unit>px|pixels?|places?|positions?|spots?|rows?|columns?|"
    r"cells?|steps?|squares?)?)?",
    re.IGNORECASE,
)
_ONTO = re.compile(
    r"(?P<what>.+?)\s+(?:so that it (?:is|lies|sits)\s+(?:completely |fully |entirely |right )?"
    r"(?:inside|in|on|over|within|on top of)(?: of)?|(?:and drop it )?(?:over to|on to|on top of|"
    r"onto|into|inside|to|over|in|on))\s+(?P<onto>.+)",
    re.IGNORECASE,
)

_ALL_THE_WAY = re.compile(
    r"(?P<what>.+?)\s+all the way\s+(?:to the\s+)?(?P<end>left|right|top|bottom)", re.IGNORECASE
)
_FROM_TO = re.compile(
    r"(?:(?P<what>.+?)\s+)?from\s+(?P<source>.+?)\s+(?:over to|on to|onto|into|to)\s+(?P<onto>.+)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"(?P<what>(?:(?!\b(?:to|onto|into|on|in|over|inside)\b).)+?)\s+(?:to\s+)?"
    r"(?:(?:the\s+)?(?:place|position|spot)\s+)?(?:just\s+|right\s+|directly\s+)?"
    r"(?:to\s+)?(?:the\s+)?(?P<where>below|under|underneath|beneath|above|before|after|behind|"
    r"in front of|(?:left|right) of)\s+(?P<other>.+)",
    re.IGNORECASE,
)


def drag(rest: str, talk: Talk) -> list[Step]:
    """Drag one thing, or all of a kind, onto another, by pixels or in a direction."""
    body = re.sub(r"\s+and\s+drop\s+(?:it|them)\s+", " ", trim(rest), flags=re.IGNORECASE)
    if found := re.fullmatch(rf"(?P<what>.+?)\s+by\s+(?P<by>{OTHER})", body):
        across = [
            int(float(n)) for n in re.findall(r"-?\d+(?:\.\d+)?", talk.atoms.original(found["by"]))
        ]
        return [Drag(talk.phrase(found["what"]), by=(across[0], across[1]))]
    body = re.sub(
        rf"\s+(?:by\s+)?({NUMBER})\s*(px|pixels?|places?|positions?|rows?|columns?|cells?)\s+"
        r"(?:to\s+the\s+)?(up|down|left|right)$",
        r" \3 by \1 \2",
        body,
        flags=re.IGNORECASE,
    )
    if found := _FROM_TO.fullmatch(body):
        what, source = found["what"], talk.phrase(found["source"])
        onto = talk.phrase(found["onto"], "where to drag it")
        return [Drag(talk.phrase(what), onto, place=source) if what else Drag(source, onto)]
    for joint in re.finditer(r"\s*,?\s+and\s+|\s*,\s*", body):
        left, right = body[: joint.start()], body[joint.end() :]
        if _ONTO.fullmatch(left) and _ONTO.fullmatch(right):
            return [*drag(left, talk), *drag(right, talk)]
    if found := _ALL_THE_WAY.fullmatch(body):
        return [Drag(talk.phrase(found["what"]), onto=f"the far {found['end']} end")]
    found = _WAY.fullmatch(body)
    if found and not re.search(
        r"\bto the (?:bottom|top|upper|lower|cent\w+|middle|far)$", found["what"]
    ):
        return [_pushed(found, talk)]
    if beside := _BESIDE.fullmatch(body):
        where = f"the place {beside['where'].lower()} {talk.phrase(beside['other'])}"
        return [Drag(talk.phrase(beside["what"]), onto=where)]
    found = _ONTO.fullmatch(body)
    if found is None:
        raise NotUnderstood("drag it where? “drag X to Y”, “drag X left”, “drag X by (40, 0)”")
    value = trim(found["onto"])
    if re.fullmatch(rf"{NUMBER}\s*%?", value) and re.search(
        r"slider|knob|handle|dial|volume", body, re.IGNORECASE
    ):
        return [SetValue(talk.phrase(found["what"]), value)]
    onto = talk.phrase(found["onto"], "where to drag it")
    if what := each_of(found["what"]):
        return [for_each(talk, what, Drag(f"{{{EACH}}}", onto=onto))]
    if re.fullmatch(
        r"everything else|the rest|the others?|all others", found["what"], re.IGNORECASE
    ):
        return [for_each(talk, found["what"], Drag(f"{{{EACH}}}", onto=onto))]
    return [Drag(talk.phrase(found["what"], "what to drag"), onto=onto)]


def _pushed(found: re.Match[str], talk: Talk) -> Step:
    what, direction = talk.phrase(found["what"]), _direction(found["dir"], "")
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
    r"(?P<where>.+?))?(?:\s+(?:by|with|using)\s+(?:dragging\s+)?(?:the|your)\s+(?:mouse|pointer).*)?",
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
    found = _ORDERED.search(rest)
    if found is None or found["shown"] or found["as"]:
        raise NotUnderstood("sort in which order? “sort X in ascending order”")
    down = found["down"] or found["fall"]
    return [Sort(talk.phrase(rest[: found.start()]), "descending" if down else "ascending")]
