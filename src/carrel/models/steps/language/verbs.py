"""From an English verb to the rule that reads what follows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from carrel.models.steps.language import verbs_choose, verbs_desk, verbs_point, verbs_text
from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.talk import NotUnderstood, Talk, trim
from carrel.models.steps.language.verbs_own import perform, perform_named, unknown
from carrel.models.steps.language.words import verb_at
from carrel.models.steps.program import Check, Enter, Shows, Step, SwitchTo

__all__ = ["read_clause"]

Rule = Callable[[str, Talk], list[Step]]


def _check(rest: str, talk: Talk) -> list[Step]:
    """`check` verifies what is said to be so, and ticks everything else."""
    if re.match(r"(?:that|whether|if|for)\b", rest, re.IGNORECASE):
        return verbs_desk.verify(re.sub(r"^for\s+", "", rest), talk)
    return verbs_choose.tick(rest, talk)


_IN_FRONT = re.compile(
    r"(?:the\s+)?(?P<title>.+?)\s+window\s+(?:back\s+)?to\s+(?:the\s+)?(?:front|foreground|top)",
    re.IGNORECASE,
)


def _set(rest: str, talk: Talk) -> list[Step]:
    if window := _IN_FRONT.fullmatch(trim(rest)):
        return [SwitchTo(talk.text(window["title"]))]
    named = verbs_desk.let(rest, talk)
    if named is not None:
        return named
    try:
        return verbs_choose.set_value(rest, talk)
    except NotUnderstood:
        if re.match(r"(?:an?|another)\s", rest, re.IGNORECASE):
            return perform("set", rest, talk)
        return verbs_text.change(rest, talk)


def _make(rest: str, talk: Talk) -> list[Step]:
    if re.search(r"\s(?:on|off)$", trim(rest), re.IGNORECASE):
        return verbs_choose.toggle(rest, talk)
    return verbs_text.change(rest, talk)


def _change(rest: str, talk: Talk) -> list[Step]:
    if re.search(r"\b(?:style|colou?r|font)\s+of\b", rest, re.IGNORECASE):
        return verbs_text.change(rest, talk)
    return verbs_choose.set_value(rest, talk)


def _let(rest: str, talk: Talk) -> list[Step]:
    named = verbs_desk.let(rest, talk)
    if named is None:
        raise NotUnderstood("let what be what? “let NAME be value”")
    return named


def _move(rest: str, talk: Talk) -> list[Step]:
    return verbs_point.drag(rest, talk)


def _give(rest: str, talk: Talk) -> list[Step]:
    try:
        return verbs_text.change(rest, talk)
    except NotUnderstood:
        return perform("give", rest, talk)


def _add(rest: str, talk: Talk) -> list[Step]:
    """`add "x" to the field` types; adding anything else is the application's."""
    if re.fullmatch(
        r"(?:the text\s+)?[\ue000-\ue7ff]\s+(?:to|at)\s+.*(?:field|box|text|area|end)\b.*",
        trim(rest),
        re.IGNORECASE,
    ):
        return verbs_text.append(rest, talk)
    return perform("add", rest, talk)


def _built(rest: str, talk: Talk, verb: str) -> list[Step]:
    return perform(verb, rest, talk)


def _mark(rest: str, talk: Talk) -> list[Step]:
    if re.search(r"\bcheck ?box|\bbox\b", rest, re.IGNORECASE):
        return verbs_choose.tick(rest, talk)
    return perform("mark", rest, talk)


def _order(rest: str, talk: Talk) -> list[Step]:
    try:
        return verbs_point.sort(rest, talk)
    except NotUnderstood:
        return perform("order", rest, talk)


def _save(rest: str, talk: Talk) -> list[Step]:
    """`save X as NAME` remembers; without a name it is the application's."""
    if re.search(r"\s(?:as|in|under)\s+(?:the (?:name|variable)\s+)?[\ue800-\uebff]$", trim(rest)):
        return verbs_desk.read(rest, talk)
    return perform("save", rest, talk)


def _follow(rest: str, talk: Talk) -> list[Step]:
    """A link is followed with a click; following anything else is the application's."""
    if re.match(r"the link\b", trim(rest), re.IGNORECASE) or re.search(
        r"\blink$", trim(rest), re.IGNORECASE
    ):
        return verbs_point.point(rest, talk)
    return perform("follow", rest, talk)


def _replace(rest: str, talk: Talk) -> list[Step]:
    """`replace the name with "Ann"` types; replacing words is the application's."""
    found = re.fullmatch(
        r"(?:the (?:text|value|content)s? (?:in|of) )?(?P<what>(?:the|your)\s+.+?)\s+(?:with|"
        rf"by)\s+(?P<text>{QUOTE}|{NAME})",
        trim(rest),
        re.IGNORECASE,
    )
    if found is None:
        return perform("replace", rest, talk)
    return [Enter(talk.text(found["text"]), talk.phrase(found["what"]))]


_RULES: dict[str, Rule] = {
    "click": verbs_point.point,
    "double": partial(verbs_point.point, how="double"),
    "right": partial(verbs_point.point, how="right"),
    "middle": partial(verbs_point.point, how="middle"),
    "triple": partial(verbs_point.point, how="triple"),
    "hover": partial(verbs_point.point, how="hover"),
    "focus": verbs_point.point,
    "keep": verbs_point.keep,
    "press": verbs_point.press,
    "enter": verbs_text.enter,
    "append": verbs_text.append,
    "clear": verbs_text.clear,
    "choose": verbs_choose.choose,
    "tick": _check,
    "untick": partial(verbs_choose.tick, on=False),
    "toggle": verbs_choose.toggle,
    "set": _set,
    "increase": partial(verbs_choose.nudge, up=True),
    "decrease": partial(verbs_choose.nudge, up=False),
    "scroll": verbs_point.scroll,
    "drag": verbs_point.drag,
    "move": _move,
    "highlight": verbs_text.highlight,
    "wait": verbs_desk.wait,
    "copy": verbs_text.copy,
    "cut": verbs_text.cut,
    "paste": verbs_text.paste,
    "switch": verbs_desk.switch,
    "close": verbs_desk.close,
    "goto": verbs_desk.go_to,
    "navigate": verbs_desk.navigate,
    "back": verbs_desk.back,
    "forward": verbs_desk.forward,
    "reload": verbs_desk.reload,
    "open": verbs_desk.open_,
    "run": verbs_desk.run,
    "read": verbs_desk.read,
    "verify": verbs_desk.verify,
    "find": verbs_desk.find,
    "expand": verbs_desk.expand,
    "collapse": partial(verbs_desk.expand, on=False),
    "submit": verbs_desk.submit,
    "give": _give,
    "make": _make,
    "draw": verbs_point.draw,
    "resize": verbs_point.resize,
    "sort": _order,
    "compute": verbs_desk.compute,
    "let": _let,
    "answer": verbs_desk.answer,
    "perform": perform_named,
    "own:add": _add,
    "own:follow": _follow,
    "own:replace": _replace,
    "own:create": partial(_built, verb="create"),
    "own:mark": _mark,
    "own:order": _order,
    "own:save": _save,
}


def read_clause(clause: str, talk: Talk) -> list[Step]:
    """The steps of one masked clause that begins with its verb.

    Raises:
        NotUnderstood: No rule takes it.
    """
    if re.match(r"(?:(?:ctrl|control|shift|alt|cmd|command)[-+ ]+)+click", clause, re.IGNORECASE):
        return verbs_point.keep(clause, talk)
    found = verb_at(clause)
    if found is None:
        word = re.match(r"\S+", clause)
        raise unknown(talk.atoms.original(word[0]) if word else "")
    meaning, surface, rest = found
    if meaning == "set" and re.match(r"chang|updat|modif", surface, re.IGNORECASE):
        return _change(rest, talk)
    if surface.lower() in ("see", "sees"):
        return [Check(Shows(talk.phrase(rest, "what to see")))]
    if meaning == "compute":
        return verbs_desk.compute(rest, talk, surface)
    if meaning == "read":
        return verbs_desk.read(rest, talk, surface.lower())
    if meaning in _RULES:
        return _RULES[meaning](rest, talk)
    if meaning.startswith("own:"):
        return perform(meaning[4:], rest, talk)
    raise unknown(surface)
