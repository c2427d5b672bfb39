"""From an English verb to the rule that reads what follows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from carrel.models.steps.language.atoms import ANY
from carrel.models.steps.language.english import (
    asking,
    checking,
    clipboard,
    commands,
    dragging,
    levels,
    looks,
    making,
    options,
    pages,
    pointer,
    reading,
    senses,
    shared,
    switching,
    texts,
    ticks,
    waiting,
)
from carrel.models.steps.language.english.appearances import COLOURS
from carrel.models.steps.language.english.entries import filled_with
from carrel.models.steps.language.english.own import perform, perform_named, unknown
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.talk import PRONOUN, NotUnderstood, Talk, trim
from carrel.models.steps.language.values import FIELD
from carrel.models.steps.language.words import verb_at
from carrel.models.steps.program import (
    Change,
    Open,
    Perform,
    Point,
    Press,
    Step,
    SwitchTo,
)

__all__ = ["read_clause"]

Rule = Callable[[str, Talk], list[Step]]


_IN_FRONT = re.compile(
    r"(?:the\s+)?(?P<title>.+?)\s+window\s+(?:back\s+)?to\s+(?:the\s+)?(?:front|foreground|top)",
    re.IGNORECASE,
)


# "set it as default": a control of its own, and no value.
_KEPT_AS = re.compile(
    r"(?P<what>it|this|(?:the|my|your|this)\s[^,]+?)\s+as\s+(?:the\s+|my\s+|your\s+)?"
    r"(?P<so>default|primary|favou?rite)(?:\s+(?:one|address|card|account|option))?",
    re.IGNORECASE,
)


def _set(rest: str, talk: Talk) -> list[Step]:
    if window := _IN_FRONT.fullmatch(trim(rest)):
        return [SwitchTo(talk.text(window["title"]))]
    if kept := _KEPT_AS.fullmatch(trim(rest)):
        return [Perform(f"set as {kept['so'].lower()}", talk.phrase(kept["what"]))]
    named = reading.let(rest, talk)
    if named is not None:
        return named
    if re.match(r"(?:an?|another)\s+(?:\w+\s+)?(?:reminder|alarm|timer|goal|deadline)\b", rest):
        return perform("set", rest, talk)
    if re.match(r"(?:the|my)\s+(?:\w+\s+)?(?:reminder|alarm|timer)\s+for\s[^,]+\sat\s", rest):
        return perform("set", rest, talk)
    if counted := levels.so_many(rest, talk):
        return counted
    try:
        return levels.set_value(rest, talk)
    except NotUnderstood:
        if re.match(r"(?:an?|another)\s", rest, re.IGNORECASE):
            return perform("set", rest, talk)
        return looks.change(rest, talk)


_TYPED = re.compile(
    rf"(?:{ANY}|{NUMBER}\s+(?:into|in|as|for)\b|{NUMBER}$|{PRONOUN}\s|"
    r"(?:the|a)\s+(?:text|word|words|value|number|string|phrase|letter|date|name)\b)",
    re.IGNORECASE,
)
_CART = re.compile(
    r"(?P<what>.+?)\s+(?:in|into|on|onto)\s+(?P<where>(?:the|my|your)\s+(?:[\w-]+\s+)?"
    r"(?:cart|basket|bag|wish ?list|order|trolley|favou?rites|"
    r"(?:shopping|reading|watch|to-?do) list))",
    re.IGNORECASE,
)


# What is inserted as it is, and not typed.
_OBJECT = re.compile(
    r"(?:the|an?|this|another)\s+(?:[\w-]+\s+)?(?:image|picture|photo|file|chart|table|link|video|"
    r"shape|icon|logo|signature|row|column|page|slide|break|comment|header|footer|symbol|graph)\b",
    re.IGNORECASE,
)


def _put(rest: str, talk: Talk, verb: str) -> list[Step]:
    """`put "x" in the field` types; things are put somewhere by the application or by dragging."""
    body = trim(rest)
    if found := _CART.fullmatch(body):
        return perform("add", f"{found['what']} to {found['where']}", talk)
    if verb == "insert" and _OBJECT.match(body):
        return perform("insert", rest, talk)
    into = re.search(rf"\b(?:{FIELD})$", body, re.IGNORECASE)
    named = re.search(r"\s(?:in|into|as|for)\s+(?:[A-Z]\w*\s?)+$", body)
    if _TYPED.match(body) or into or named:
        return texts.enter(rest, talk)
    if verb == "insert":
        return perform("insert", rest, talk)
    return dragging.drag(rest, talk)


def _change(rest: str, talk: Talk, verb: str = "change") -> list[Step]:
    if verb.startswith("updat") and not re.search(r"\s(?:to|with|from|at|as)\s|=", rest):
        return perform("update", rest, talk)
    if re.search(r"\b(?:style|colou?r|font)\s+of\b", rest, re.IGNORECASE):
        return looks.change(rest, talk)
    return levels.set_value(rest, talk)


def _let(rest: str, talk: Talk) -> list[Step]:
    named = reading.let(rest, talk)
    if named is None:
        raise NotUnderstood("let what be what? “let NAME be value”")
    return named


_ORDER = re.compile(r"(?:the|an|my|your|this)\s+(?:\w+\s+)?order(?:\s+now)?", re.IGNORECASE)


def _move(rest: str, talk: Talk) -> list[Step]:
    if _ORDER.fullmatch(trim(rest)):
        talk.put_aside(rest)
        return [Perform("place order")]
    return dragging.drag(rest, talk)


_MAIL = re.compile(
    r"(?:an?|the|another|my)\s+(?:[\w-]+\s+){0,2}?(?:e-?mail|mail|message|letter|"
    r"reply|post|"
    r"review|comment|note)\s+(?:to|for|about|with|saying|on|under|that)\b",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"(?P<what>(?:the|my|your)\s.+?)\s+(?:up|down)\s+(?P<to>(?:to|by)\s+.+)", re.IGNORECASE
)


_CARET = re.compile(
    r"(?:the|your)\s+(?:text\s+)?(?:cursor|caret)\s+(?:right\s+|directly\s+)?(?P<side>after|before|"
    r"behind|in front of|at the end of)\s+"
    r"(?P<what>(?:the|a)\s(?:\w+\s)?(?:heading|line|title)\b.*)",
    re.IGNORECASE,
)
_EDGE = re.compile(
    r"(?:the|your)\s+(?:text\s+)?(?:cursor|caret)\s+(?:to|at)\s+the\s+(?:very\s+)?"
    r"(?P<end>end|beginning|start|top)\s+of\s+(?:the|this)\s+"
    r"(?:(?P<line>(?:current\s+)?line)|(?:whole\s+)?(?:document|text|file|note))",
    re.IGNORECASE,
)
_CURSOR = re.compile(r"(?:the|your)\s+(?:text\s+)?(?:cursor|caret)\b", re.IGNORECASE)


def _tab(rest: str, talk: Talk, *, back: bool) -> list[Step]:
    """`tab to the next field`: only the next one is a single key away."""
    body = trim(rest)
    near = re.fullmatch(
        r"(?:from\s+|of\s+|to\s+)?(?:(?:the|this)\s+)?(?:(?:next|following|previous|last)\s+)?"
        r"(?:field|one|box|input|control|element|it)?",
        body,
        re.IGNORECASE,
    )
    if near is None:
        raise NotUnderstood("how often? “press Tab”, “press Tab twice”")
    talk.put_aside(f"tab {body}")
    return [Press(("shift+tab" if back else "tab",))]


def _go_there(rest: str, talk: Talk) -> list[Step]:
    """Where that is was said before."""
    if trim(rest):
        raise NotUnderstood("go there, and what then? One step for each")
    return [Open("there")]


_RULES: dict[str, Rule] = {
    "click": pointer.point,
    "double": partial(pointer.point, how="double"),
    "right": partial(pointer.point, how="right"),
    "middle": partial(pointer.point, how="middle"),
    "triple": partial(pointer.point, how="triple"),
    "hover": partial(pointer.point, how="hover"),
    "focus": pointer.point,
    "keep": senses.keep,
    "seek": senses.seek,
    "position": senses.position,
    "again": senses.again,
    "press": pointer.press,
    "enter": texts.enter,
    "append": texts.append,
    "clear": texts.clear,
    "choose": options.choose,
    "tick": checking.check,
    "untick": partial(ticks.tick, on=False),
    "toggle": ticks.toggle,
    "set": _set,
    "increase": partial(levels.nudge, up=True),
    "decrease": partial(levels.nudge, up=False),
    "scroll": pointer.scroll,
    "drag": dragging.drag,
    "move": _move,
    "highlight": looks.highlight,
    "wait": waiting.wait,
    "copy": clipboard.copy,
    "cut": clipboard.cut,
    "paste": clipboard.paste,
    "switch": switching.switch,
    "close": pages.close,
    "goto": pages.go_to,
    "there": _go_there,
    "navigate": pages.navigate,
    "back": pages.back,
    "forward": pages.forward,
    "reload": pages.reload,
    "open": pages.open_,
    "run": commands.run,
    "read": reading.read,
    "verify": waiting.verify,
    "find": reading.find,
    "expand": pages.expand,
    "collapse": partial(pages.expand, on=False),
    "submit": pages.submit,
    "give": shared.give,
    "make": making.make,
    "draw": dragging.draw,
    "resize": dragging.resize,
    "sort": shared.sort,
    "compute": reading.compute,
    "let": _let,
    "answer": reading.answer,
    "tell": asking.tell,
    "say": shared.say,
    "use": shared.use,
    "named": shared.named,
    "arrive": checking.arrive,
    "perform": perform_named,
    "own:add": shared.add,
    "own:follow": shared.follow,
    "own:replace": shared.replace,
    "own:create": partial(shared.built, verb="create"),
    "own:mark": shared.mark,
    "own:order": shared.order,
    "own:leave": checking.leave,
    "own:screenshot": making.picture,
    "own:save": shared.save,
    "own:load": shared.load,
    "own:proceed": partial(shared.go_on, verb="proceed"),
    "own:continue": partial(shared.go_on, verb="continue"),
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
        return looks.change(rest, talk)
    except NotUnderstood:
        return perform("format", rest, talk)


def _of_member(word: str, rest: str, talk: Talk) -> list[Step] | None:
    """`deactivate the user “jdoe”`: a user is no box; the application has that for it."""
    if not _MEMBER.match(rest) or not re.match(r"(?:de)?activ|(?:en|dis)abl", word):
        return None
    return perform(re.sub(r"(?:ing|ed)$", "", word), rest, talk)


def _caret(rest: str, talk: Talk) -> list[Step]:
    """Beside a thing, or at an end of a line or of all there is."""
    if beside := _CARET.fullmatch(trim(rest)):
        end = "home" if beside["side"].lower() in ("before", "in front of") else "end"
        talk.put_aside(rest)
        return [Point(talk.phrase(beside["what"])), Press((end,))]
    if edge := _EDGE.fullmatch(trim(rest)):
        talk.put_aside(rest)
        key = "end" if edge["end"].lower() == "end" else "home"
        return [Press((key if edge["line"] else f"ctrl+{key}",))]
    raise NotUnderstood("the caret goes into a field: “put the cursor in X”; keys move it on")


def _by_surface(meaning: str, surface: str, rest: str, talk: Talk) -> list[Step] | None:
    """Where the very word tells: `put` is not `type`, `change` not `slide`."""
    word = surface.lower()
    if meaning in ("enter", "move", "drag", "set") and _CURSOR.match(rest):
        return _caret(rest, talk)
    if meaning == "enter":
        return _written(word, rest, talk)
    if meaning == "make":
        return _turned(word, rest, talk)
    if meaning == "set" and re.match(r"chang|updat|modif", word):
        return _change(rest, talk, word)
    if word in ("confirm", "confirming"):
        return checking.confirm(rest, talk)
    if meaning == "move" and _CART.fullmatch(trim(rest)):
        return _put(rest, talk, "put")
    if meaning == "read":
        return _taken(word, rest, talk) or senses.take(word, rest, talk)
    return _by_last_words(meaning, word, rest, talk)


def _by_last_words(meaning: str, word: str, rest: str, talk: Talk) -> list[Step] | None:
    if meaning in ("tick", "untick"):
        return _of_member(word, rest, talk)
    if re.match(r"paus", word):
        return senses.pause(rest, talk)
    if word == "reorder" and _AGAIN.fullmatch(trim(rest)):
        return perform("reorder", rest, talk)
    if meaning == "tabbing":
        return _tab(rest, talk, back=word.endswith("back"))
    if word in ("see", "sees"):
        return waiting.in_sight(rest, talk)
    return None


_UNTOLD = re.compile(r"(?:the|this|that)\s(?:(?!(?:with|as|into?|to)\s)[\w'’-]+(?:\s|$))+")
# "reorder the first one": what is one thing cannot be sorted.
_AGAIN = re.compile(rf"(?:the|this|that)\s(?:[\w-]+\s)*one|{ANY}|it", re.IGNORECASE)
_MEMBER = re.compile(
    r"(?:the|this|my)\s+(?:[a-z]+\s)?(?:user|account|member|employee|customer|rule|job|plug-?in|webhook|"
    rf"coupon|campaign)\s+(?:{ANY}|[A-Z]\w*)",
    re.IGNORECASE,
)
_PAINTED = re.compile(
    rf"(?P<what>(?:the|this|cells?|rows?|columns?)\s.+?)\s+(?:with|in)\s+(?:the colou?r\s+)?"
    rf"(?P<colour>(?:(?:light|dark|bright|pale)\s+)?(?:{COLOURS}))",
    re.IGNORECASE,
)


# "fill the formula down to row 10": copied on, and no text to type.
_SPREAD = re.compile(
    r"(?:down(?:wards)?|across|(?:to\s+the\s+)?(?:right|left|up))\s+(?:the|it|from|to)\b|"
    r"(?:the|this|that|it|cells?|column|row)\b[^,]*?\s(?:down(?:wards)?|up(?:wards)?|right|left|"
    r"across)(?:\s(?:to|through|until)\b|$)",
    re.IGNORECASE,
)


def _written(word: str, rest: str, talk: Talk) -> list[Step] | None:
    """A mail is composed; things are put somewhere by the application or by dragging."""
    if word in ("write", "type") and _MAIL.match(rest):
        return perform("compose", rest, talk)
    if word.startswith("fill") and (paint := _PAINTED.fullmatch(trim(rest))):
        return [Change(talk.phrase(paint["what"]), paint["colour"].lower())]
    if word.startswith("fill") and (steps := filled_with(trim(rest), talk)):
        return steps
    if word.startswith("fill") and _SPREAD.match(rest):
        raise NotUnderstood("how to fill it on? “drag the fill handle to B5” does it by hand")
    if word == "complete" and _ENDED.fullmatch(trim(rest)):
        return perform("complete", rest, talk)
    if word == "complete" and _UNTOLD.fullmatch(trim(rest)):
        raise NotUnderstood(f"it does not say what “{talk.atoms.original(trim(rest))}” is")
    verb = re.match(r"put|insert", word)
    return _put(rest, talk, verb[0]) if verb else None


# "complete the renewal": what is brought to its end is no text.
_ENDED = re.compile(
    r"(?:the|this|that|my|your|our|his|her|their|its)\s(?:(?!(?:with|as|in|into|on|to|by|so|and|or|"
    r"from|using)\s)[\w'’-]+\s)*(?!(?:forms?|fields?|box(?:es)?|text|word|sentence|name|gaps?|blanks?|"
    r"line|cell|address|survey|questionnaire|quiz|test|exercise|task|step|puzzle|captcha|details|"
    r"entry|table)$)[a-z]+",
)


def _turned(word: str, rest: str, talk: Talk) -> list[Step] | None:
    """`turn the volume down to 20`, `turn the brightness all the way up`."""
    body = trim(rest)
    if ends := _EXTREME.fullmatch(body):
        way = "right" if ends["end"].lower().endswith("up") else "left"
        return dragging.drag(f"{ends['what']} all the way {way}", talk)
    if turned := _TURNED.fullmatch(body):
        up = re.search(r"\sup\s+(?:to|by)\s", rest) is not None
        return levels.nudge(f"{turned['what']} {turned['to']}", talk, up=up)
    return _formatted(rest, talk) if word.startswith("format") else None


def _taken(word: str, rest: str, talk: Talk) -> list[Step] | None:
    """`take X out of the cart` removes it; of the screen no picture is taken."""
    if re.match(r"(?:an?|the|one)?\s*screen ?shots?\b", rest, re.IGNORECASE):
        return making.picture(rest, talk)
    found = re.fullmatch(r"(?P<what>.+?)\s+out of\s+(?P<of>.+)", trim(rest))
    if found and re.match(r"tak", word):
        return perform("remove", f"{found['what']} from {found['of']}", talk)
    return None


_FLIPPED = re.compile(
    r"\b(?:horizontally|vertically|upside down)$|\b(?:image|picture|photo|layer|shape|page|card)$",
    re.IGNORECASE,
)


def _by_meaning(meaning: str, surface: str, rest: str, talk: Talk) -> list[Step]:
    own = re.match(r"rais|lower", surface, re.IGNORECASE) and not re.search(r"\s(?:to|by)\s", rest)
    if own and re.match(r"(?:the|my|your|it\b)", rest):
        return perform("raise" if surface[0].lower() == "r" else "lower", rest, talk)
    if surface.lower() == "start" and re.fullmatch(r"it|them|that", trim(rest), re.IGNORECASE):
        return [Perform("start", trim(rest))]
    if meaning == "look":
        return shared.look(rest, talk, surface)
    if meaning == "paging":
        return senses.paging(surface, rest, talk)
    if meaning == "toggle" and _FLIPPED.search(rest):
        return perform("flip", rest, talk)
    if meaning == "compute":
        return reading.compute(rest, talk, surface)
    if meaning == "read":
        return reading.read(rest, talk, surface.lower())
    if meaning in _RULES:
        return _RULES[meaning](rest, talk)
    if meaning.startswith("own:"):
        return perform(meaning[4:], rest, talk)
    raise unknown(surface)
