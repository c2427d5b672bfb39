"""Steps of the pointer and the keys, in English words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from carrel.keys import canonical_key
from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.clauses import key_like
from carrel.models.steps.language.english.keys import key_sequence
from carrel.models.steps.language.english.listing import items_of
from carrel.models.steps.language.english.telling import telling
from carrel.models.steps.language.numbers import NUMBER, number, times
from carrel.models.steps.language.talk import (
    EACH,
    NotUnderstood,
    Talk,
    each_of,
    first_few,
    for_each,
    listed,
    trim,
)
from carrel.models.steps.language.words import KINDS
from carrel.models.steps.program import (
    Choose,
    Enter,
    ForEach,
    Point,
    Press,
    Scroll,
    Step,
    Tick,
)

__all__ = ["ORDERED", "PATH", "direction_of", "keep", "point", "press", "scroll"]

Click = Literal["click", "double", "triple", "right", "middle", "hover"]
Direction = Literal["up", "down", "left", "right"]

PATH = re.compile(r"\s*(?:>|→|->|›|»|▸|➔)\s*")
_HELD = re.compile(
    r"[,\s]*(?:\bwhile\s+)?(?:hold(?:ing)?(?: down)?|with|pressing)\s+(?:the\s+)?"
    r"(?P<keys>(?:ctrl|control|shift|altgr|alt|option|cmd|command|meta|super|hyper)(?:\s*(?:\+|"
    r"and)\s*"
    r"(?:ctrl|control|shift|altgr|alt|option|cmd|command|meta|super|"
    r"hyper))*)(?:\s+keys?)?(?:\s+(?:held|pressed)"
    r"(?:\s+down)?)?\s*$",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    rf"(?P<what>.+?)\s+(?P<joint>on|of|for|in|next to|beside)\s+(?:(?P<all>all|every|each|both)"
    rf"(?:\s+(?:of\s+)?the)?|(?P<n>{NUMBER}))\s+(?P<every>[a-z].*)",
    re.IGNORECASE,
)
ORDERED = re.compile(
    r"\s+in\s+(?:an?\s+|the\s+)?(?:(?P<up>ascending|increasing|numerical|alphabetical|rising)|"
    r"(?P<down>descending|decreasing|reverse|falling)|(?P<shown>(?:displayed|shown|given|same)))"
    r"\s+order|\s+in\s+(?:the|an?)\s+order\s+(?P<as>(?:displayed|shown|given).*)|"
    r"\s+from\s+(?:the\s+)?"
    r"(?P<rise>(?:smallest|lowest|least)\s+to\s+(?:the\s+)?(?:largest|highest|greatest|biggest))|"
    r"\s+from\s+(?:the\s+)?(?P<fall>(?:largest|highest|greatest|biggest)\s+to\s+(?:the\s+)?"
    r"(?:smallest|lowest|least))",
    re.IGNORECASE,
)


_AGAIN = (
    "(?:Try|Play|Start|Run|Send|Ask|Begin|Sign|Log|Search|Order|Buy|Watch|Check|Read|Do|Go|Once|"
    "Never|Load|Connect|Join|Show|Vote)"
)
"""Words that `again` makes one name with, on a button."""


def point(rest: str, talk: Talk, how: Click = "click") -> list[Step]:
    """Click, double-click, hover … one thing, several, or all of a kind."""
    if how == "click" and (steps := telling(rest, talk)):
        return steps
    if len(chain := re.split(r"\s*,?\s+(?:and\s+)?then\s+(?:on\s+)?", rest)) > 1:
        if any(re.match(r"(?:do|repeat)\b|the same\b", part) for part in chain[1:]):
            raise NotUnderstood("what to do again is not said")
        return [step for part in chain for step in point(part, talk, how)]
    # "Try again" is a name.
    rest = re.sub(
        rf"(?:\s+(?:once more|one more time)|(?<=[\ue000-\uf8ff])\s+again|"
        rf"(?<!\S)(?P<what>it|them|(?-i:the\s[a-z -]+)|(?:the\s.+\s)?(?:{KINDS}))\s+again|"
        rf"^(?P<name>(?:on\s+)?(?-i:(?!{_AGAIN}\b)[A-Z][\w-]*))\s+again)$",
        lambda m: m["what"] or m["name"] or "",
        rest,
        flags=re.IGNORECASE,
    )
    if found := re.fullmatch(r"(?:in )?between\s+(?P<two>.+\sand\s.+)", trim(rest), re.IGNORECASE):
        return [Point(f"the midpoint between {talk.phrase(found['two'])}", how=how)]
    if found := re.search(r",?\s+(?:and |but )?not\s+(?:on\s+)?(?P<other>.+)$", rest):
        # A name may hold "not"; what is told apart from another one comes after a comma.
        if not re.match(r"\s*,", found[0]):
            raise NotUnderstood("what not to click is no step")
        talk.put_aside(found[0])
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
        for item in _several(rest, talk)
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
    bare = re.sub(r"^(?:on|at|over|upon|into|onto)\s+(?=\S)", "", rest, flags=re.IGNORECASE)
    return re.sub(r"^(?:in|inside|within)\s+(?=(?:the|an?)\s)", "", bare, flags=re.IGNORECASE)


def _several(rest: str, talk: Talk) -> list[str]:
    """The things of a list; `and` inside one name is left alone unless every part is quoted."""
    items = listed(rest)
    if len(items) < 2:
        return [rest]
    if (counted := items_of(rest, talk)) and counted != items and len(counted) == len(items):
        return counted
    if re.search(r"\bin (?:the )?(?:row|column)\b", items[0]) and re.match(
        r"(?:the )?(?:row|column)\b", items[1]
    ):
        # "the cell in the row A and the column B" is one.
        return [rest]
    if re.search(r",.*\bor\b", rest):
        raise NotUnderstood("it does not say which of them")
    quotes = [re.search(QUOTE, item) is not None for item in items]
    head = re.match(rf"(?:the\s+)?(?:\w+\s+)?{_PLURAL}\s+(?=\S)", items[0], re.IGNORECASE)
    tail = re.search(rf"\s+{_PLURAL}$", items[-1], re.IGNORECASE)
    nouns = all(re.match(r"(?:the|a|an|button|link)\s", item, re.IGNORECASE) for item in items)
    if head:
        talk.put_aside(head[0])
        items[0] = items[0][head.end() :]
    if tail:
        items[-1] = items[-1][: tail.start()]
    short = all(len(item.split()) == 1 for item in items) and len(items) > 2
    return items if all(quotes) or head or tail or nouns or short else [rest]


def _in_order(rest: str, talk: Talk, how: Click) -> ForEach | None:
    found = ORDERED.search(rest)
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
    if few := first_few(rest):
        return for_each(talk, few[0], Point(f"{{{EACH}}}", how=how), limit=few[1])
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
    r"(?:\s*(?:\+|and)\s*(?:ctrl|control|shift|"
    r"alt))*)(?:\s+key)?(?:\s+down)?\s*(?:,\s*)?(?:and\s+)?(?:while\s+|"
    r"then\s+|-|\+)?(?:you\s+)?(?:click|select)(?:ing)?(?:\s+on)?\s+(?P<what>.+)",
    re.IGNORECASE,
)
_PLURAL = (
    r"(?:buttons|links|icons|tabs|items|boxes|cells|tiles|options|entries|images|shapes|circles|"
    r"files|folders|rows|columns|cards|messages|photos|pictures|documents|words|names)"
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
    if kept := re.fullmatch(
        r"(?P<what>.+?)\s+(?:switched |turned )?(?P<on>on|off|ticked|unticked)", trim(rest)
    ):
        return [Tick((talk.phrase(kept["what"]),), on=kept["on"] in ("on", "ticked"))]
    if re.fullmatch(r"(?:it|that|.+)\s+(?:as|in)\s+(?:[\ue800-\uebff]|[A-Z_]+)", trim(rest)):
        from carrel.models.steps.language.english.reading import read

        return read(rest, talk, "keep")
    raise NotUnderstood("only the pointer can be kept somewhere: “keep the mouse over …”")


_PRESSED_IN = re.compile(
    rf"(?P<keys>.+?)\s+(?:in|inside|within|on)\s+(?P<where>the\s+.+?\s(?:field|box|textbox|"
    rf"input|area|"
    rf"editor|list|table|slider|spinner|terminal|window|tree|grid)|{QUOTE})",
    re.IGNORECASE,
)


def _keys_and_numbers(rest: str, talk: Talk) -> list[Step] | None:
    """`Enter, then 20 and Enter`: numbers among keys are typed."""
    parts = re.split(r"\s*,\s*(?:and\s+)?(?:then\s+)?|\s+(?:and(?: then)?|then)\s+", trim(rest))
    if len(parts) < 3 or not all(key_like(part) or part.isdigit() for part in parts):
        return None
    return [
        Enter(part) if part.isdigit() else step
        for part in parts
        for step in (key_sequence(part, talk) or [Enter(part)])
    ]


_BUTTONS = r"(?:delete|insert|home|end)"
"""Keys that buttons are called, too."""
_QUOTED_BUTTON = re.compile(_BUTTONS, re.IGNORECASE)
BUTTONED = re.compile(
    r"\b(?:dialog(?:ue)?(?: box)?|pop-?up|modal|prompt|alert|message(?: box)?|tool ?bar|menu|"
    r"ribbon|row(?: \w+)?|card|header|footer|side ?bar|banner|panel|popover)$",
    re.IGNORECASE,
)
"""Places where such a name is a button: a key is pressed nowhere in them."""
_BUTTON_IN = re.compile(
    rf"{_BUTTONS}\s+(?:in|on|within|inside)\s+(?P<where>(?:the\s+)?.+)", re.IGNORECASE
)


def _is_button(rest: str, talk: Talk) -> bool:
    """Whether a word that is also a key stands for a button: in quotes, or where one is."""
    body = trim(rest)
    if re.fullmatch(QUOTE, body):
        return _QUOTED_BUTTON.fullmatch(talk.text(body)) is not None
    found = _BUTTON_IN.fullmatch(body)
    return found is not None and BUTTONED.search(found["where"]) is not None


def button_of(step: Press, place: str) -> str | None:
    """The button that `in the dialog, press Delete` means; None where it is a key."""
    (key, *others) = step.chords
    if others or step.times > 1 or not _QUOTED_BUTTON.fullmatch(key):
        return None
    if not BUTTONED.search(place) or re.search(r"\bkeys?\b", step.words, re.IGNORECASE):
        return None
    return key.capitalize()


_KEY_FOR = re.compile(
    r"(?P<keys>\S+(?:\s?\+\s?\S+)*)\s+for\s+(?!(?:about|at least|a|an|half)\b)"
    r"(?:the\s+)?(?-i:[a-z]+(?:[ -][a-z]+)*)",
    re.IGNORECASE,
)
"""`F11 for full screen`: what the key is for; how long it is held is another matter."""


def press(rest: str, talk: Talk) -> list[Step]:
    """Press keys, or a button that is called so."""
    if _is_button(rest, talk):
        return point(rest, talk)
    if keys := key_sequence(rest, talk):
        return keys
    if (end := _KEY_FOR.fullmatch(trim(rest))) and (keys := key_sequence(end["keys"], talk)):
        talk.put_aside(rest[end.end("keys") :])
        return keys
    if steps := _keys_and_numbers(rest, talk):
        return steps
    body, count = times(rest)
    if found := _PRESSED_IN.fullmatch(trim(body)):
        keys = key_sequence(found["keys"], talk) or []
        if keys:
            focus = Point(talk.phrase(found["where"]))
            pressed = [key for key in keys if isinstance(key, Press)]
            return [focus, *(replace(k, times=count) if count > 1 else k for k in pressed)]
    first = re.match(r"(?P<key>\w+)\s+(?:at|in|on|inside|within)\s", rest)
    if (first and key_like(first["key"])) or re.match(
        r"(?:ctrl|control|alt|shift|cmd|super)\s?\+\s?\w+\s", rest, re.IGNORECASE
    ):
        raise NotUnderstood("keys are pressed where the keyboard is; say first what to click")
    return point(rest, talk)


_SCROLL = re.compile(
    rf"(?:(?P<where>(?:the|this)\s+.+?|{QUOTE})\s+)?(?:(?:back|all the way)\s+)*"
    r"(?P<dir>up|down|left|right)?"
    r"(?:wards?)?\s*(?:(?:to|until|till)\s+(?:you\s+(?:reach|see|find)\s+)?(?:the\s+)?(?:very\s+)?"
    r"(?P<end>bottom|top|end|beginning|start|left|right)\b(?:\s+(?:of|in)\s+(?P<of>.+))?)?"
    rf"(?:\s*(?:by\s+|for\s+)?(?P<n>{NUMBER})\s*(?:times?|notch(?:es)?|clicks?|lines?|steps?|"
    rf"pages?|"
    r"screens?)?)?(?:\s*(?:a (?:bit|little))?)?(?:\s*(?:in|on|inside|within)\s+(?P<in>.+))?",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"(?:(?P<where>the\s+.+?)\s+)?(?:to the\s+)?(?P<dir>up|down|left|right)?\s*"
    r"(?:until|till|to find|to see|to)\s+"
    r"(?:you\s+(?:can\s+)?(?:see|find|reach)\s+|(?:you )?get to\s+)?(?P<what>.+?)(?:\s+(?:is|are|"
    r"becomes|comes)\s+(?:visible|shown|displayed|in(?:to)? view|on (?:the )?screen|seen)|"
    r"\s+(?:appears?"
    r"|shows(?: up)?))?(?:\s+(?:in|on)\s+(?P<in>the\s+.+|[\ue000-\uf8ff]))?",
    re.IGNORECASE,
)


def scroll(rest: str, talk: Talk) -> list[Step]:
    """Scroll somewhere, so far, to an end, or until something shows."""
    body = trim(rest)
    aimed = re.search(r"\s(?:until|till)\s", body, re.IGNORECASE)
    ends = re.search(r"\b(?:top|bottom|end|beginning|start)\b", body, re.IGNORECASE)
    if (not aimed or ends) and (found := _SCROLL.fullmatch(body)):
        where = found["where"] or found["of"] or found["in"]
        if found["in"] and re.search(r"\sto\s", found["in"]):
            raise NotUnderstood("scroll where to? “scroll to the bottom of X”, “scroll X to Y”")
        if where and re.fullmatch(r"the (?:page|screen|text)|it", where.strip(), re.IGNORECASE):
            where = "the page" if "page" in where else None
        end = (found["end"] or "").lower()
        direction = direction_of(found["dir"], end)
        if found["n"]:
            amount: int | Literal["end"] | None = max(int(number(found["n"]) or 1), 1)
        else:
            amount = "end" if end else None
        return [Scroll(direction, amount, talk.phrase(where) if where else None)]
    if found := _UNTIL.fullmatch(body):
        where = found["where"] or found["in"]
        return [
            Scroll(
                direction_of(found["dir"], ""),
                where=talk.phrase(where) if where else None,
                until=talk.phrase(found["what"]),
            )
        ]
    raise NotUnderstood("scroll where to? “scroll down”, “scroll to the bottom”, “scroll to X”")


def direction_of(said: str | None, end: str) -> Direction:
    """The way that is meant: said itself, or towards an end."""
    if end in ("left", "right"):
        return "left" if end == "left" else "right"
    if end:
        return "up" if end in ("top", "beginning", "start") else "down"
    lowered = (said or "down").lower()
    return lowered if lowered in ("up", "left", "right") else "down"  # type: ignore[return-value]
