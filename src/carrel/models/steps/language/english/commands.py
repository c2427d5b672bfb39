"""Commands in English: which words are the command, and which only say where and how often."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.english.own import perform
from carrel.models.steps.language.english.reading import name_of
from carrel.models.steps.language.numbers import times
from carrel.models.steps.language.talk import NotUnderstood, Talk, trim
from carrel.models.steps.phrases.programs import kind_called
from carrel.models.steps.program import Open, Repeat, Run, Step, SwitchTo, Unclear

__all__ = ["in_terminal", "run"]

_AS = re.compile(
    rf"(?P<what>.+?)\s+(?:(?:and\s+)?(?:remember|save|store|keep)"
    rf"(?: it| the output| its output)?\s+"
    rf"(?:as|in)|as|in(?=\s+(?:{NAME}|(?-i:[A-Z_][A-Z\d_]*))$))\s+"
    rf"(?P<name>{NAME}|(?!there$)[a-z_]\w*)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:(?:the|this|a|that)\s+)?(?:following\s+)?(?:shell\s+|terminal\s+)?"
    r"(?:command|program|script)(?P<colon>\s*:)?\s+",
    re.IGNORECASE,
)
_THERE = (
    r"(?P<place>there|(?:in|on|from|into|inside)\s+(?:there|it|"
    r"(?:the|a|an|that|this|my)\s+(?:(?:open|running|current|existing|same|integrated|"
    r"built-in)\s+)?(?:terminal(?:\s+(?:window|emulator))?|console|"
    r"xterm|command line|shell|desk)))"
)
_PLACED = re.compile(rf"(?P<what>.+?)\s+{_THERE}", re.IGNORECASE)
_PLACED_FIRST = re.compile(rf"{_THERE}\s*:?\s+(?P<what>.+)", re.IGNORECASE)
_AGAIN = re.compile(r"\s+(?:again|once more|one more time)$", re.IGNORECASE)
_THING = re.compile(
    r"(?:the|an?|it|this|that|these|those|all|my|your|every)(?:\s|$)", re.IGNORECASE
)
_BACK = "there"
"""A place that was spoken of before."""


def run(rest: str, talk: Talk) -> list[Step]:
    """Run a command, and remember its output when that is asked for."""
    body = trim(rest)
    named = _AS.fullmatch(body)
    name = name_of(named["name"], talk) if named else None
    said = named["what"] if named else body
    if _LEAD.match(said) is None and re.search(QUOTE, said) is None and _THING.match(said):
        # "run the tests": what the application runs.
        return perform("run", rest, talk)
    what = _LEAD.sub("", said, count=1)
    what, back = _backgrounded(what, talk)
    what, place = _whereabouts(what, talk)
    what, back = (what, True) if back else _backgrounded(what, talk)
    if again := _AGAIN.search(what):
        talk.put_aside(again[0])
    what, count = times(_AGAIN.sub("", what))
    command = _command(what.strip(), talk)
    step = Run(f"{command} &" if back else command, name, place=place)
    return [Repeat((step,), times=count)] if count > 1 else [step]


_BACKGROUND = re.compile(
    r"\s+(?:in|into|to)\s+the\s+background$|\s+as\s+a\s+background\s+(?:job|process|task)$",
    re.IGNORECASE,
)


def _backgrounded(what: str, talk: Talk) -> tuple[str, bool]:
    """A command, and whether nothing waits for it."""
    found = _BACKGROUND.search(what)
    if found is None:
        return what, False
    talk.put_aside(found[0])
    return what[: found.start()], True


def _command(what: str, talk: Talk) -> str:
    """The command itself; a quoted one is exactly what is in the quotes."""
    said = talk.atoms.original(what)
    if not what:
        raise NotUnderstood("it does not say which command")
    if len(what) > 1 and (re.match(QUOTE, what) or "`" in said):
        raise NotUnderstood(f"where does the command “{said}” end? only it goes in the quotes")
    return talk.atoms.text(what)


def _whereabouts(what: str, talk: Talk) -> tuple[str, str | None]:
    """A command, and the terminal that it is typed into."""
    found = _PLACED.fullmatch(what) or _PLACED_FIRST.fullmatch(what)
    if found is None:
        return what, None
    talk.put_aside(found["place"])
    place = re.sub(r"^(?:in|on|from|into|inside)\s+", "", found["place"], flags=re.IGNORECASE)
    if re.search(r"(?:shell|desk)$", place, re.IGNORECASE):
        return found["what"], None
    place = re.sub(r"\b(?:open|running|current|existing|same)\s+", "", place, flags=re.IGNORECASE)
    here = re.fullmatch(r"there|it", place, re.IGNORECASE)
    return found["what"], _BACK if here else talk.phrase(place)


_PATH = re.compile(r"\"?(?:~|/)[\w./~-]*\"?")


def in_terminal(step: Step, before: Sequence[Step]) -> Step:
    """`switch to the terminal and run X there`: the terminal that was spoken of just before."""
    last = before[-1] if before else None
    if isinstance(step, Open) and isinstance(last, Open | SwitchTo) and _PATH.fullmatch(step.what):
        # `open a terminal, go to /tmp`: there a folder is gone to by a command.
        window = _window(last)
        there = window is not None and _is_terminal(window)
        gone = Run(f"cd {step.what}", words=step.words, line=step.line, place=window)
        return gone if there else step
    if not isinstance(step, Run) or step.place not in (None, _BACK, "it"):
        return step
    if step.place is None:
        # `open a terminal and run X`: what it is opened for.
        window = _window(last) if isinstance(last, Open | SwitchTo | Run) else None
        gone_to = isinstance(last, Run) and last.command.startswith("cd ")
        said = window is not None and (window.isascii() or gone_to) and _is_terminal(window)
        return replace(step, place=window) if said else step
    for earlier in reversed(before):
        window = _window(earlier)
        if window is None:
            continue
        if not _is_terminal(window):
            break
        return replace(step, place=window)
    why = f"“{step.words}”: no terminal was spoken of that “there” could stand for"
    return Unclear(why=why, words=step.words, line=step.line)


def _is_terminal(window: str) -> bool:
    kind = kind_called(window)
    return kind is not None and kind.name == "terminal emulator"


def _window(step: Step) -> str | None:
    if isinstance(step, SwitchTo):
        return f"the {step.title}"
    return re.sub(r"^an?\s", "the ", step.what) if isinstance(step, Open) else step.place
