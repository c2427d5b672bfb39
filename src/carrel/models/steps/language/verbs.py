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
from carrel.models.steps.program import Check, Enter, Has, Is, Not, Perform, Shows, Step, SwitchTo

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


def _sort(rest: str, talk: Talk) -> list[Step]:
    """By a column the application sorts; without one the things themselves are moved."""
    found = _SORTED_BY.fullmatch(trim(rest))
    if re.search(r"\(.+\)$", trim(rest)):
        return perform("sort", rest, talk)
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


def _by_surface(meaning: str, surface: str, rest: str, talk: Talk) -> list[Step] | None:
    """Where the very word tells: `put` is not `type`, `change` not `slide`."""
    if meaning == "set" and re.match(r"chang|updat|modif", surface, re.IGNORECASE):
        return _change(rest, talk)
    if meaning == "enter" and (verb := re.match(r"put|insert", surface, re.IGNORECASE)):
        return _put(rest, talk, verb[0].lower())
    if meaning == "enter" and surface.lower() in ("write", "type") and _MAIL.match(rest):
        return perform("compose", rest, talk)
    if meaning in ("make", "set") and (turned := _TURNED.fullmatch(trim(rest))):
        up = re.search(r"\sup\s+(?:to|by)\s", rest) is not None
        return options.nudge(f"{turned['what']} {turned['to']}", talk, up=up)
    if surface.lower() in ("confirm", "confirming"):
        return _confirm(rest, talk)
    if meaning == "move" and _CART.fullmatch(trim(rest)):
        return _put(rest, talk, "put")
    if meaning == "read" and re.match(r"(?:an?|the|one)?\s*screen ?shots?\b", rest, re.IGNORECASE):
        return _picture(rest, talk)
    if surface.lower() in ("see", "sees"):
        return [Check(Shows(talk.phrase(rest, "what to see")))]
    return None


def _by_meaning(meaning: str, surface: str, rest: str, talk: Talk) -> list[Step]:
    if meaning == "compute":
        return reading.compute(rest, talk, surface)
    if meaning == "read":
        return reading.read(rest, talk, surface.lower())
    if meaning in _RULES:
        return _RULES[meaning](rest, talk)
    if meaning.startswith("own:"):
        return perform(meaning[4:], rest, talk)
    raise unknown(surface)
