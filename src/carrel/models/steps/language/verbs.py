"""From an English verb to the rule that reads what follows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from carrel.models.steps.language import (
    asking,
    dragging,
    options,
    pages,
    pointer,
    reading,
    texts,
    waiting,
)
from carrel.models.steps.language.atoms import ANY, NAME, QUOTE
from carrel.models.steps.language.conditions import read_condition
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.own import perform, perform_named, unknown
from carrel.models.steps.language.talk import PRONOUN, NotUnderstood, Talk, trim
from carrel.models.steps.language.values import FIELD
from carrel.models.steps.language.words import verb_at
from carrel.models.steps.program import (
    Change,
    Check,
    Enter,
    GoTo,
    Has,
    Is,
    Not,
    Perform,
    Shows,
    Step,
    SwitchTo,
)

__all__ = ["read_clause"]

Rule = Callable[[str, Talk], list[Step]]


def _check(rest: str, talk: Talk) -> list[Step]:
    """`check` verifies what is said to be so, and ticks everything else."""
    if re.match(r"(?:that|whether|if|for)\b", rest, re.IGNORECASE):
        return waiting.verify(re.sub(r"^for\s+", "", rest), talk)
    return options.tick(rest, talk)


_IN_FRONT = re.compile(
    r"(?:the\s+)?(?P<title>.+?)\s+window\s+(?:back\s+)?to\s+(?:the\s+)?(?:front|foreground|top)",
    re.IGNORECASE,
)


def _set(rest: str, talk: Talk) -> list[Step]:
    if window := _IN_FRONT.fullmatch(trim(rest)):
        return [SwitchTo(talk.text(window["title"]))]
    named = reading.let(rest, talk)
    if named is not None:
        return named
    if re.match(r"(?:an?|another)\s+(?:\w+\s+)?(?:reminder|alarm|timer|goal|deadline)\b", rest):
        return perform("set", rest, talk)
    try:
        return options.set_value(rest, talk)
    except NotUnderstood:
        if re.match(r"(?:an?|another)\s", rest, re.IGNORECASE):
            return perform("set", rest, talk)
        return texts.change(rest, talk)


_SIZED = re.compile(
    r"(?P<what>.+?)\s+(?:wider|narrower|taller|shorter)|"
    r"(?P<thing>.*\b(?:window|dialog|pane|panel|column|row|box|image|picture|sidebar|shape|area|"
    r"frame|map))\s+(?:larger|smaller|bigger)",
    re.IGNORECASE,
)


def _make(rest: str, talk: Talk) -> list[Step]:
    body = trim(rest)
    if re.search(r"\s(?:on|off)$", body, re.IGNORECASE):
        return options.toggle(rest, talk)
    if re.fullmatch(r"(?:an?|the|one)?\s*screen ?shots?(?:\s.*)?", body, re.IGNORECASE):
        return _picture(rest, talk)
    try:
        return _styled(rest, body, talk)
    except NotUnderstood:
        if re.match(r"(?:an?|another|two|three)\s", body, re.IGNORECASE):
            return perform("create", rest, talk)
        raise


def _styled(rest: str, body: str, talk: Talk) -> list[Step]:
    if found := _SIZED.fullmatch(body):
        what = found["what"] or found["thing"]
        return dragging.resize(f"{what} to be {body[len(what) :].strip()}", talk)
    return texts.change(rest, talk)


def _picture(rest: str, talk: Talk) -> list[Step]:
    raise NotUnderstood("a picture of every step is kept anyway; there is no step for one")


_LEFT = re.compile(r"(?P<what>.+)\s+(?P<state>\w+(?: (?:out|in|on|off))?)")


def _leave(rest: str, talk: Talk) -> list[Step]:
    """`leave the phone field blank` must be so; leaving anything else is the application's."""
    if found := _LEFT.fullmatch(trim(rest)):
        condition = read_condition(f"{found['what']} is {found['state']}", talk.atoms)
        if isinstance(condition, Is | Not):
            return [Check(condition)]
    if at := re.fullmatch(r"(?P<what>.+?)\s+(?:at|on|set to)\s+(?P<value>\S+)", trim(rest)):
        return [Check(Has(talk.phrase(at["what"]), talk.text(at["value"]), "equals"))]
    if re.search(r"\s(?:as (?:it|they) (?:is|are)|unchanged|alone)$", rest, re.IGNORECASE):
        raise NotUnderstood("what not to do is no step")
    return perform("leave", rest, talk)


_TYPED = re.compile(
    rf"(?:{ANY}|{NUMBER}\s+(?:into|in|as|for)\b|{NUMBER}$|{PRONOUN}\s|"
    r"(?:the|a)\s+(?:text|word|words|value|number|string|phrase|letter|date|name)\b)",
    re.IGNORECASE,
)
_CART = re.compile(
    r"(?P<what>.+?)\s+(?:in|into|on|onto)\s+(?P<where>(?:the|my|your)\s+(?:[\w-]+\s+)?"
    r"(?:cart|basket|bag|wish ?list|order|trolley|favou?rites|list))",
    re.IGNORECASE,
)


def _put(rest: str, talk: Talk, verb: str) -> list[Step]:
    """`put "x" in the field` types; things are put somewhere by the application or by dragging."""
    body = trim(rest)
    if found := _CART.fullmatch(body):
        return perform("add", f"{found['what']} to {found['where']}", talk)
    into = re.search(rf"\b(?:{FIELD})$", body, re.IGNORECASE)
    named = re.search(r"\s(?:in|into|as|for)\s+(?:[A-Z]\w*\s?)+$", body)
    if _TYPED.match(body) or into or named:
        return texts.enter(rest, talk)
    if verb == "insert":
        return perform("insert", rest, talk)
    return dragging.drag(rest, talk)


def _confirm(rest: str, talk: Talk) -> list[Step]:
    """`confirm` alone is a button of the application; with more it is a check."""
    if key := re.fullmatch(
        r"(?:it\s+)?(?:with|by)\s+(?:pressing\s+)?(?P<key>(?:the\s+)?(?:enter|return)(?:\s+key)?)",
        trim(rest),
        re.IGNORECASE,
    ):
        return pointer.press(key["key"], talk)
    if by := re.fullmatch(r"(?:it\s+)?(?:with|by)\s+(?:clicking\s+)?(?P<what>.+)", trim(rest)):
        return pointer.point(by["what"], talk)
    if not trim(rest) or re.fullmatch(
        r"(?:it|this|(?:the|your)\s+(?:\w+\s+)?(?:deletion|removal|dialog|prompt|order|choice|purchase|"
        r"changes?|action|booking|payment|message|request|selection|warning|question))",
        trim(rest),
        re.IGNORECASE,
    ):
        return [Perform("confirm")]
    return waiting.verify(rest, talk)


def _change(rest: str, talk: Talk) -> list[Step]:
    if re.search(r"\b(?:style|colou?r|font)\s+of\b", rest, re.IGNORECASE):
        return texts.change(rest, talk)
    return options.set_value(rest, talk)


def _let(rest: str, talk: Talk) -> list[Step]:
    named = reading.let(rest, talk)
    if named is None:
        raise NotUnderstood("let what be what? “let NAME be value”")
    return named


def _move(rest: str, talk: Talk) -> list[Step]:
    return dragging.drag(rest, talk)


def _give(rest: str, talk: Talk) -> list[Step]:
    if stars := re.fullmatch(
        rf"(?P<what>.+?)\s+(?P<n>{NUMBER}(?: out of \d+)?)\s+stars?", trim(rest)
    ):
        return [
            Perform(
                "rate", talk.phrase(stars["what"]), (("with", f"{talk.text(stars['n'])} stars"),)
            )
        ]
    if time := re.fullmatch(r"it\s+(?P<most>up to\s.+)", trim(rest), re.IGNORECASE):
        return waiting.wait(time["most"], talk)
    if named := re.fullmatch(
        r"(?P<what>.+?)\s+(?:the|a)\s+(?:new\s+)?(?:name|title)\s+(?P<name>.+)",
        trim(rest),
        re.IGNORECASE,
    ):
        to = (("to", talk.text(named["name"])),)
        return [Perform("rename", talk.phrase(named["what"]), to)]
    try:
        return texts.change(rest, talk)
    except NotUnderstood:
        return perform("give", rest, talk)


def _add(rest: str, talk: Talk) -> list[Step]:
    """`add "x" to the field` types; adding anything else is the application's."""
    if re.fullmatch(
        r"(?:the text\s+)?[\ue000-\ue7ff]\s+(?:to|at)\s+.*(?:field|box|text|area|end)\b.*",
        trim(rest),
        re.IGNORECASE,
    ):
        return texts.append(rest, talk)
    return perform("add", rest, talk)


def _built(rest: str, talk: Talk, verb: str) -> list[Step]:
    return perform(verb, rest, talk)


def _mark(rest: str, talk: Talk) -> list[Step]:
    if re.search(r"\bcheck ?box|\bbox\b", rest, re.IGNORECASE):
        return options.tick(rest, talk)
    return perform("mark", rest, talk)


_SORTED_BY = re.compile(
    r"(?:(?P<what>.+?)\s+)?(?:by|on|according to)\s+(?P<by>.+?)(?:[\s,]+\(?(?:in\s+)?"
    r"(?:(?P<up>ascending(?: order)?|(?:lowest|smallest|oldest|cheapest|least) first|"
    r"a (?:to|-) z|a-z|from low(?:est)? to high(?:est)?)|"
    r"(?P<down>descending(?: order)?|(?:highest|largest|newest|latest|biggest|most \w+) first|"
    r"z (?:to|-) a|z-a|from high(?:est)? to low(?:est)?))\)?)?",
    re.IGNORECASE,
)


_SORTED = re.compile(
    r"(?:the\s+)?(?P<what>column\s+\S+|\S+ column)\s+(?P<way>(?:from )?[az] to [az]|ascending|"
    r"descending|"
    r"alphabetically|in (?:ascending|descending) order)",
    re.IGNORECASE,
)


def _sort(rest: str, talk: Talk) -> list[Step]:
    """By a column the application sorts; without one the things themselves are moved."""
    found = _SORTED_BY.fullmatch(trim(rest))
    if re.search(r"\(.+\)$", trim(rest)):
        return perform("sort", rest, talk)
    if way := _SORTED.fullmatch(trim(rest)):
        down = re.match(r"(?:from )?z|desc|high|large|new", way["way"], re.IGNORECASE)
        order = "descending" if down else "ascending"
        talk.put_aside(way["way"])
        return [Perform("sort", None, (("by", talk.text(way["what"])), ("order", order)))]
    if found is None:
        return dragging.sort(rest, talk)
    order = "ascending" if found["up"] else "descending" if found["down"] else ""
    details = (("by", talk.text(found["by"])), *((("order", order),) if order else ()))
    return [Perform("sort", talk.phrase(found["what"]) if found["what"] else None, details)]


def _order(rest: str, talk: Talk) -> list[Step]:
    """`order by date` sorts, `order 3 pizzas` buys."""
    if re.match(r"(?:by|according to)\b|.+\s(?:by|according to)\s", rest, re.IGNORECASE):
        return _sort(rest, talk)
    try:
        return dragging.sort(rest, talk)
    except NotUnderstood:
        return perform("order", rest, talk)


def _save(rest: str, talk: Talk) -> list[Step]:
    """`save X as NAME` remembers; without a name it is the application's."""
    if re.search(r"\s(?:as|in|under)\s+(?:the (?:name|variable)\s+)?[\ue800-\uebff]$", trim(rest)):
        return reading.read(rest, talk)
    return perform("save", rest, talk)


def _follow(rest: str, talk: Talk) -> list[Step]:
    """A link is followed with a click; following anything else is the application's."""
    if re.match(r"the link\b", trim(rest), re.IGNORECASE) or re.search(
        r"\blink$", trim(rest), re.IGNORECASE
    ):
        return pointer.point(rest, talk)
    return perform("follow", rest, talk)


_EVERYWHERE = re.compile(
    r"\s+(?:everywhere|throughout(?: the \w+)?|in (?:the )?(?:whole|entire) \w+)$", re.IGNORECASE
)
_EVERY_WORD = re.compile(
    rf"(?:all|every|each)(?:\s+(?:of the|the))?(?:\s+(?:occurrences?|instances?)(?:\s+of)?)?\s+"
    rf"(?:the\s+)?(?:words?\s+)?(?={QUOTE})",
    re.IGNORECASE,
)


def _replace(rest: str, talk: Talk) -> list[Step]:
    """`replace the name with "Ann"` types; replacing words is the application's."""
    body = trim(rest)
    shorter = _EVERY_WORD.sub("", _EVERYWHERE.sub("", body), count=1)
    found = re.fullmatch(
        r"(?:the (?:text|value|content)s? (?:in|of) )?(?P<what>(?:the|your)\s+.+?)\s+(?:with|"
        rf"by)\s+(?P<text>{QUOTE}|{NAME})",
        body,
        re.IGNORECASE,
    )
    if found is not None:
        return [Enter(talk.text(found["text"]), talk.phrase(found["what"]))]
    found = re.fullmatch(r"(?P<what>.+?)\s+(?:with|by)\s+(?P<text>.+)", shorter, re.IGNORECASE)
    if found is None:
        return perform("replace", rest, talk)
    where = (("in", "everywhere"),) if shorter != body else ()
    details = (("with", talk.text(found["text"])), *where)
    return [Perform("replace", talk.phrase(found["what"]), details)]


def _go_on(rest: str, talk: Talk, verb: str) -> list[Step]:
    """`proceed to checkout` goes there."""
    if found := re.fullmatch(r"(?:on\s+)?to\s+(?P<where>.+)", trim(rest), re.IGNORECASE):
        return pages.go_to(found["where"], talk)
    return perform(verb, rest, talk)


_MAIL = re.compile(
    r"(?:an?|the|another|my)\s+(?:new\s+|short\s+|quick\s+)?(?:e-?mail|mail|message|letter|reply|post|"
    r"review|comment|note)\s+(?:to|for|about|with|saying|on|under|that)\b",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"(?P<what>(?:the|my|your)\s.+?)\s+(?:up|down)\s+(?P<to>(?:to|by)\s+.+)", re.IGNORECASE
)


_STYLES = {
    "under": "underlined",
    "ital": "italic",
    "bold": "bold",
    "embo": "bold",
    "stri": "strikethrough",
}


def _look(rest: str, talk: Talk, surface: str) -> list[Step]:
    """`underline the title`."""
    style = next(s for start, s in _STYLES.items() if surface.lower().startswith(start))
    return [Change(talk.phrase(rest, "what to change"), style)]


def _say(rest: str, talk: Talk) -> list[Step]:
    if re.fullmatch(QUOTE, trim(rest)):
        return texts.enter(rest, talk)
    raise NotUnderstood("what is to be typed goes in quotes, what is to be told is “tell me …”")


_CURSOR = re.compile(r"(?:the|your)\s+(?:text\s+)?(?:cursor|caret)\b", re.IGNORECASE)


def _load(rest: str, talk: Talk) -> list[Step]:
    """An address is gone to; loading anything else is the application's."""
    if url := pages.web_address(rest, talk):
        return [GoTo(url)]
    return perform("load", rest, talk)


def _use(rest: str, talk: Talk) -> list[Step]:
    """A code is used by applying it."""
    if re.search(r"\b(?:code|coupon|voucher|discount|gift card|promo)\b", rest, re.IGNORECASE):
        return perform("apply", rest, talk)
    if re.fullmatch(QUOTE, trim(rest)) or re.search(r"\b(?:button|link|icon)$", trim(rest)):
        return pointer.point(rest, talk)
    raise NotUnderstood("use it for what? “use X to …”")


def _named(rest: str, talk: Talk) -> list[Step]:
    """`… and name it X`."""
    return [Perform("rename", "it", (("to", talk.text(rest)),))]


_RULES: dict[str, Rule] = {
    "click": pointer.point,
    "double": partial(pointer.point, how="double"),
    "right": partial(pointer.point, how="right"),
    "middle": partial(pointer.point, how="middle"),
    "triple": partial(pointer.point, how="triple"),
    "hover": partial(pointer.point, how="hover"),
    "focus": pointer.point,
    "keep": pointer.keep,
    "press": pointer.press,
    "enter": texts.enter,
    "append": texts.append,
    "clear": texts.clear,
    "choose": options.choose,
    "tick": _check,
    "untick": partial(options.tick, on=False),
    "toggle": options.toggle,
    "set": _set,
    "increase": partial(options.nudge, up=True),
    "decrease": partial(options.nudge, up=False),
    "scroll": pointer.scroll,
    "drag": dragging.drag,
    "move": _move,
    "highlight": texts.highlight,
    "wait": waiting.wait,
    "copy": texts.copy,
    "cut": texts.cut,
    "paste": texts.paste,
    "switch": pages.switch,
    "close": pages.close,
    "goto": pages.go_to,
    "navigate": pages.navigate,
    "back": pages.back,
    "forward": pages.forward,
    "reload": pages.reload,
    "open": pages.open_,
    "run": pages.run,
    "read": reading.read,
    "verify": waiting.verify,
    "find": reading.find,
    "expand": pages.expand,
    "collapse": partial(pages.expand, on=False),
    "submit": pages.submit,
    "give": _give,
    "make": _make,
    "draw": dragging.draw,
    "resize": dragging.resize,
    "sort": _sort,
    "compute": reading.compute,
    "let": _let,
    "answer": reading.answer,
    "tell": asking.tell,
    "say": _say,
    "use": _use,
    "named": _named,
    "perform": perform_named,
    "own:add": _add,
    "own:follow": _follow,
    "own:replace": _replace,
    "own:create": partial(_built, verb="create"),
    "own:mark": _mark,
    "own:order": _order,
    "own:leave": _leave,
    "own:screenshot": _picture,
    "own:save": _save,
    "own:load": _load,
    "own:proceed": partial(_go_on, verb="proceed"),
    "own:continue": partial(_go_on, verb="continue"),
}


def read_clause(clause: str, talk: Talk) -> list[Step]:
    """The steps of one masked clause that begins with its verb.

    Raises:
        NotUnderstood: No rule takes it.
    """
    if re.match(r"(?:(?:ctrl|control|shift|alt|cmd|command)[-+ ]+)+click", clause, re.IGNORECASE):
        return pointer.keep(clause, talk)
    found = verb_at(clause)
    if found is None:
        word = re.match(r"\S+", clause)
        raise unknown(talk.atoms.original(word[0]) if word else "")
    return _by_surface(*found, talk) or _by_meaning(*found, talk)


_EXTREME = re.compile(
    r"(?P<what>(?:the|my)\s.+?)\s+(?P<end>(?:all the way|fully|completely)\s+(?:up|down))",
    re.IGNORECASE,
)


def _formatted(rest: str, talk: Talk) -> list[Step]:
    try:
        return texts.change(rest, talk)
    except NotUnderstood:
        return perform("format", rest, talk)


def _by_surface(meaning: str, surface: str, rest: str, talk: Talk) -> list[Step] | None:
    """Where the very word tells: `put` is not `type`, `change` not `slide`."""
    word = surface.lower()
    if meaning in ("enter", "move", "drag", "set") and _CURSOR.match(rest):
        raise NotUnderstood("the caret goes into a field: “put the cursor in X”; keys move it on")
    if meaning == "enter":
        return _written(word, rest, talk)
    if meaning == "make":
        return _turned(word, rest, talk)
    if meaning == "set" and re.match(r"chang|updat|modif", word):
        return _change(rest, talk)
    if word in ("confirm", "confirming"):
        return _confirm(rest, talk)
    if meaning == "move" and _CART.fullmatch(trim(rest)):
        return _put(rest, talk, "put")
    if meaning == "read":
        return _taken(word, rest, talk)
    if word in ("see", "sees"):
        return [Check(Shows(talk.phrase(rest, "what to see")))]
    return None


def _written(word: str, rest: str, talk: Talk) -> list[Step] | None:
    """A mail is composed; things are put somewhere by the application or by dragging."""
    if word in ("write", "type") and _MAIL.match(rest):
        return perform("compose", rest, talk)
    verb = re.match(r"put|insert", word)
    return _put(rest, talk, verb[0]) if verb else None


def _turned(word: str, rest: str, talk: Talk) -> list[Step] | None:
    """`turn the volume down to 20`, `turn the brightness all the way up`."""
    body = trim(rest)
    if ends := _EXTREME.fullmatch(body):
        way = "right" if ends["end"].lower().endswith("up") else "left"
        return dragging.drag(f"{ends['what']} all the way {way}", talk)
    if turned := _TURNED.fullmatch(body):
        up = re.search(r"\sup\s+(?:to|by)\s", rest) is not None
        return options.nudge(f"{turned['what']} {turned['to']}", talk, up=up)
    return _formatted(rest, talk) if word.startswith("format") else None


def _taken(word: str, rest: str, talk: Talk) -> list[Step] | None:
    """`take X out of the cart` removes it; of the screen no picture is taken."""
    if re.match(r"(?:an?|the|one)?\s*screen ?shots?\b", rest, re.IGNORECASE):
        return _picture(rest, talk)
    found = re.fullmatch(r"(?P<what>.+?)\s+out of\s+(?P<of>.+)", trim(rest))
    if found and re.match(r"tak", word):
        return perform("remove", f"{found['what']} from {found['of']}", talk)
    return None


def _by_meaning(meaning: str, surface: str, rest: str, talk: Talk) -> list[Step]:
    if meaning == "look":
        return _look(rest, talk, surface)
    if meaning == "compute":
        return reading.compute(rest, talk, surface)
    if meaning == "read":
        return reading.read(rest, talk, surface.lower())
    if meaning in _RULES:
        return _RULES[meaning](rest, talk)
    if meaning.startswith("own:"):
        return perform(meaning[4:], rest, talk)
    raise unknown(surface)
