"""Steps about the desk, in English words: pages, windows, programs, waiting, reading, checking."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import NAME, OTHER, QUOTE
from carrel.models.steps.language.conditions import is_loaded, read_condition
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, IT, NotUnderstood, Talk, each_of, for_each, trim
from carrel.models.steps.language.values import computed
from carrel.models.steps.language.verbs_point import PATH, point
from carrel.models.steps.program import (
    Answer,
    Check,
    Choose,
    CloseWindow,
    Compute,
    Expand,
    Find,
    GoTo,
    Let,
    Navigate,
    Open,
    Point,
    Read,
    Run,
    Step,
    Submit,
    SwitchTo,
    Wait,
)

__all__ = [
    "close",
    "compute",
    "expand",
    "find",
    "go_to",
    "let",
    "navigate",
    "open_",
    "read",
    "run",
    "submit",
    "switch",
    "verify",
    "wait",
]

_HOST = (
    r"(?:www\.)?[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|edu|gov|de|uk|cn|fr|ch|at|jp|"
    r"eu|info|app|co)(?:[:/]\S*)?|localhost(?::\d+)?(?:/\S*)?"
)
_PAGE = r"(?:the\s+)?(?:web\s?(?:page|site)|page|site|url|address|link)\s*(?:at|of|:)?\s+"


def web_address(text: str, talk: Talk) -> str | None:
    """The address of a page; None when the words are none."""
    said = re.sub(rf"^{_PAGE}", "", trim(text), flags=re.IGNORECASE)
    shown = talk.atoms.text(said) if re.fullmatch(f"{OTHER}|{QUOTE}|{NAME}", said) else said
    if re.match(r"(?:https?|ftp|file|about|chrome|data):", shown, re.IGNORECASE):
        return shown
    if re.fullmatch(_HOST, shown, re.IGNORECASE):
        return shown
    named = re.fullmatch(rf"{_PAGE}.+", trim(text), re.IGNORECASE)
    return shown if named and re.fullmatch(f"{NAME}|{QUOTE}", said) else None


def go_to(rest: str, talk: Talk) -> list[Step]:
    """A page, a window, or a thing on the screen that leads there."""
    body = trim(rest)
    if url := web_address(body, talk):
        return [GoTo(url)]
    if re.fullmatch(r"(?:the\s+)?(?:previous|last) page|back", body, re.IGNORECASE):
        return [Navigate("back")]
    if re.fullmatch(r"(?:the\s+)?next page in (?:the )?history", body, re.IGNORECASE):
        return [Navigate("forward")]
    if found := re.fullmatch(r"(?:the\s+)?(?P<title>.+?)\s+window", body, re.IGNORECASE):
        return [SwitchTo(talk.text(found["title"]))]
    if re.fullmatch(NAME, body):
        return [GoTo(talk.text(body))]
    if len(parts := PATH.split(body)) > 1:
        return [Choose(tuple(talk.phrase(part) for part in parts), path=True)]
    return [Open(talk.phrase(body, "where to go"))]


def back(rest: str, talk: Talk) -> list[Step]:
    """Back in the history."""
    body = trim(rest)
    if not body or re.fullmatch(
        r"(?:to\s+)?(?:the\s+)?(?:previous|last) (?:page|screen)|(?:one|a) page",
        body,
        re.IGNORECASE,
    ):
        return [Navigate("back")]
    if found := re.fullmatch(r"to\s+(?P<where>.+)", body, re.IGNORECASE):
        return go_to(found["where"], talk)
    raise NotUnderstood("only “go back” or “go back to X”")


def forward(rest: str, talk: Talk) -> list[Step]:
    """Forward in the history."""
    return [Navigate("forward")]


def reload(rest: str, talk: Talk) -> list[Step]:
    """Load the page again."""
    body = trim(rest)
    if body and not re.search(r"page|tab|site|browser|it|window|screen", body, re.IGNORECASE):
        return point(rest, talk)
    return [Navigate("reload")]


def navigate(rest: str, talk: Talk) -> list[Step]:
    """Looking through something is only a way to find what comes next."""
    return [
        Find(
            talk.phrase(
                re.sub(r"^(?:through|in|around|among)\s+", "", trim(rest), flags=re.IGNORECASE)
            )
        )
    ]


def open_(rest: str, talk: Talk) -> list[Step]:
    """A page, a program, a file, or a thing on the screen."""
    body = trim(rest)
    if url := web_address(body, talk):
        return [GoTo(url)]
    if (
        found := re.fullmatch(
            r"(?P<url>.+?)\s+in\s+(?:the|a|your)\s+(?:web\s+)?browser", body, re.IGNORECASE
        )
    ) and (url := web_address(found["url"], talk)):
        return [GoTo(url)]
    if len(parts := PATH.split(body)) > 1:
        return [Choose(tuple(talk.phrase(part) for part in parts), path=True)]
    if re.search(r"\b(?:section|accordion|panel|tree (?:node|item))s?\b", body, re.IGNORECASE):
        return expand(rest, talk)
    bare = re.sub(
        r"^(?:the\s+)?(?:(?:application|app|program)\s+(?=\S)|(?:file|folder)\s+(?=[\ue000-\uf8ff]))",
        "",
        body,
        flags=re.IGNORECASE,
    )
    if found := re.fullmatch(
        r"(?:the\s+)?(?P<name>.+?)\s+(?:application|app|program)", body, re.IGNORECASE
    ):
        bare = found["name"]
    if re.fullmatch(f"{QUOTE}|{OTHER}|{NAME}", bare):
        return [Open(talk.atoms.text(bare))]
    return [Open(talk.phrase(bare, "what to open"))]


def expand(rest: str, talk: Talk, *, on: bool = True) -> list[Step]:
    """Unfold or fold sections."""
    if what := each_of(rest):
        return [for_each(talk, what, Expand(f"{{{EACH}}}", on))]
    return [Expand(talk.phrase(rest, "what to expand"), on)]


_WINDOW = re.compile(
    r"(?:the\s+)?(?:(?:current|active|front(?:most)?)\s+)?window|"
    r"(?:the\s+)?(?P<title>.+?)\s+(?:window|application|app|program)|"
    r"(?:the\s+)?window\s+(?:titled\s+|named\s+|called\s+)?(?P<named>.+)",
    re.IGNORECASE,
)


def close(rest: str, talk: Talk) -> list[Step]:
    """Close a window, or what on the screen closes a thing."""
    body = trim(rest)
    if found := _WINDOW.fullmatch(body):
        title = found["title"] or found["named"]
        return [CloseWindow(talk.text(title) if title else None)]
    if not body:
        return [CloseWindow()]
    return [_own("close", body, talk)]


def _own(verb: str, rest: str, talk: Talk) -> Step:
    from carrel.models.steps.language.verbs_own import perform

    return perform(verb, rest, talk)[0]


def switch(rest: str, talk: Talk) -> list[Step]:
    """To another window or tab."""
    body = trim(rest)
    if found := re.fullmatch(
        r"(?:to\s+)?(?:the\s+)?(?:window\s+(?:titled\s+|named\s+)?(?P<a>.+)|(?P<b>.+?)\s+(?:window|application|app))",
        body,
        re.IGNORECASE,
    ):
        return [SwitchTo(talk.text(found["a"] or found["b"]))]
    if re.match(r"(?:between|through|among)\b", body, re.IGNORECASE):
        return [Find(talk.phrase(re.sub(r"^\w+\s+", "", body)))]
    if found := re.fullmatch(r"(?P<what>.+?)\s+(?P<on>on|off)", body, re.IGNORECASE):
        from carrel.models.steps.language.verbs_choose import tick

        return tick(found["what"], talk, on=found["on"].lower() == "on")
    bare = re.sub(r"^to\s+", "", body, flags=re.IGNORECASE)
    if re.search(r"\b(?:tab|page|view|mode|section)\b", bare, re.IGNORECASE):
        return [Point(talk.phrase(bare))]
    return [SwitchTo(talk.atoms.text(bare))]


def run(rest: str, talk: Talk) -> list[Step]:
    """Run a command, and remember its output when that is asked for."""
    body = trim(rest)
    found = re.fullmatch(
        rf"(?P<what>.+?)\s+(?:and\s+)?(?:(?:remember|save|store)(?: it| the output| its "
        rf"output)?\s+)?(?:as|in)\s+(?P<name>{NAME}|[a-z_]\w*)",
        body,
        re.IGNORECASE,
    )
    name = _name(found["name"], talk) if found else None
    what = found["what"] if found else body
    what = re.sub(
        r"^(?:the\s+)?(?:shell\s+)?(?:command|program|script)\s*:?\s+",
        "",
        what,
        flags=re.IGNORECASE,
    )
    what = re.sub(
        r"\s+(?:in|on|from)\s+(?:the|a)\s+(?:terminal|shell|console|command line|desk)$",
        "",
        what,
        flags=re.IGNORECASE,
    )
    if not what:
        raise NotUnderstood("it does not say which command")
    return [Run(talk.atoms.text(what), name)]


def _name(masked: str, talk: Talk) -> str:
    return talk.atoms.text(masked).strip("{}").strip('"')


_SECONDS = {
    "ms": 0.001,
    "millisecond": 0.001,
    "second": 1,
    "sec": 1,
    "s": 1,
    "minute": 60,
    "min": 60,
    "hour": 3600,
}


def _duration(found: re.Match[str]) -> float:
    """The seconds of a number and a unit."""
    amount = 0.5 if found["n"].lower().startswith("half") else number(found["n"])
    unit = found["unit"].lower()
    scale = _SECONDS.get(unit) or _SECONDS.get(unit.rstrip("s"), 1)
    return round((amount or 0) * scale, 3)


def wait(rest: str, talk: Talk) -> list[Step]:
    """Wait for a time, or until something is so."""
    body = trim(rest)
    if not body or re.fullmatch(
        r"(?:for\s+)?a (?:moment|bit|while|little|short (?:time|while))", body, re.IGNORECASE
    ):
        return [Wait(seconds=1.0)]
    found = re.fullmatch(
        rf"(?:for\s+)?(?:at least\s+|about\s+)?(?P<n>{NUMBER}|an?|half an?)\s*(?P<unit>ms|"
        rf"milliseconds?|seconds?|secs?|s|minutes?|mins?|hours?)",
        body,
        re.IGNORECASE,
    )
    if found:
        return [Wait(seconds=_duration(found))]
    most = re.match(
        rf"(?:for\s+)?(?:up to|at most|no longer than)\s+(?P<n>{NUMBER}|an?|half an?)\s*"
        r"(?P<unit>seconds?|secs?|s|minutes?|mins?|hours?)\s+(?=(?:until|till|for|while)\s)",
        body,
        re.IGNORECASE,
    )
    if most:
        waits = wait(body[most.end() :], talk)
        return [replace(step, seconds=_duration(most)) for step in waits if isinstance(step, Wait)]
    either = re.fullmatch(
        rf"(?:for\s+)?(?P<n>{NUMBER}|an?|half an?)\s*(?P<unit>seconds?|secs?|s|minutes?|mins?|hours?)"
        r"\s*,?\s+or\s+(?P<until>(?:until|till|for)\s.+)",
        body,
        re.IGNORECASE,
    )
    if either:
        waits = wait(either["until"], talk)
        return [
            replace(step, seconds=_duration(either)) for step in waits if isinstance(step, Wait)
        ]
    until = re.sub(r"^(?:until|till|for|while)\s+", "", body, flags=re.IGNORECASE)
    if is_loaded(until):
        return [Wait()]
    if re.search(
        r"\b(?:to\s+)?(?:finish|complete|be done|ends?|stop|respond)(?:es|ed|s)?$",
        until,
        re.IGNORECASE,
    ):
        raise NotUnderstood(
            "when that is cannot be seen; “wait until “Done” is shown”, “… until X disappears”"
        )
    until = re.sub(
        r"\s+to\s+(appear|show up|load|open|disappear|go away|vanish|close|be .+)$",
        r" \1",
        until,
        flags=re.IGNORECASE,
    )
    condition = read_condition(until, talk.atoms)
    if condition is None:
        if re.match(r"for\b", body, re.IGNORECASE):
            from carrel.models.steps.program import Shows

            return [Wait(until=Shows(talk.phrase(until)))]
        raise NotUnderstood(f"what “{talk.atoms.original(until)}” would look like is not clear")
    return [Wait(until=condition)]


_AS = re.compile(
    rf"(?P<what>.+?)\s+(?:and\s+(?:remember|save|store|keep|call)\s+(?:it\s+)?)?(?:as|in|under|into)\s+(?:the\s+(?:name|variable)\s+)?(?P<name>{NAME}|[A-Za-z_]\w*|{QUOTE})",
    re.IGNORECASE,
)


def read(rest: str, talk: Talk, verb: str = "read") -> list[Step]:
    """Read what a thing says; remember it under a name."""
    body = trim(rest)
    if found := _AS.fullmatch(body):
        name = _name(found["name"], talk)
        if counted := computed(found["what"], talk):
            return [Compute(counted.how, counted.what, name)]
        what = re.sub(
            r"^(?:the\s+)?(?:text|value)\s+of\s+(?=the\s)", "", found["what"], flags=re.IGNORECASE
        )
        if re.fullmatch(QUOTE, what.strip()) and verb in ("remember", "store", "save"):
            return [Let(name, talk.text(what))]
        return [Read(talk.phrase(what), name)]
    if counted := computed(body, talk):
        return [counted]
    return [Read(talk.phrase(body, "what to read"), IT)]


def let(rest: str, talk: Talk) -> list[Step] | None:
    """`NAME = value`, `NAME be value`."""
    found = re.fullmatch(
        rf"(?P<name>{NAME}|[A-Za-z_]\w*)\s*(?:=|:=|\bbe\b)\s*(?P<text>.*)", rest.strip()
    )
    return [Let(_name(found["name"], talk), talk.atoms.text(found["text"]))] if found else None


def verify(rest: str, talk: Talk) -> list[Step]:
    """Fail unless something is so."""
    body = re.sub(
        r"^(?:that|whether|if|to see(?: that| if)?)\s+", "", trim(rest), flags=re.IGNORECASE
    )
    condition = read_condition(body, talk.atoms)
    if condition is None:
        raise NotUnderstood(f"what “{talk.atoms.original(body)}” would look like is not clear")
    return [Check(condition)]


def find(rest: str, talk: Talk) -> list[Step]:
    """Bring a thing into view."""
    body = re.sub(r"^(?:for|out)\s+", "", trim(rest), flags=re.IGNORECASE)
    if counted := computed(body, talk):
        return [counted]
    if found := re.fullmatch(
        r"(?P<what>.+?)\s+(?:in|on|from|within|among|inside)\s+(?P<place>(?:the|this|your|my)\s+.+)",
        body,
        re.IGNORECASE,
    ):
        what, place = found["what"], talk.phrase(found["place"])
        # "the last word in the text" is one phrase; "Ann in the list" a thing and a place.
        if not re.search(r"\b(?:word|letter|text|number|value|line|sentence)\b", what):
            return [Find(talk.phrase(what), place=place)]
    return [Find(talk.phrase(body, "what to find"))]


def compute(rest: str, talk: Talk, verb: str = "solve") -> list[Step]:
    """Work out an answer."""
    body = re.sub(r"^(?:for|out)\s+", "", trim(rest), flags=re.IGNORECASE)
    if verb.lower().startswith("count"):
        return [
            Compute(
                "count",
                talk.phrase(
                    re.sub(
                        r"^(?:how many|the number of|all(?: the)?)\s+",
                        "",
                        body,
                        flags=re.IGNORECASE,
                    )
                ),
                IT,
            )
        ]
    if re.match(r"(?:add|sum)", verb, re.IGNORECASE):
        return [Compute("sum", talk.phrase(re.sub(r"^up\s+", "", body)), IT)]
    return [computed(body, talk) or Compute("solve", talk.phrase(body, "what to solve"), IT)]


def submit(rest: str, talk: Talk) -> list[Step]:
    """Finish a form."""
    body = trim(rest)
    if not body or re.fullmatch(
        r"(?:it|(?:the|this|your|my)(?:\s+\w+)?\s*(?:form|answers?|page|order|request|changes)?)",
        body,
        re.IGNORECASE,
    ):
        return [Submit()]
    if re.fullmatch(r"(?:button|the button)", body, re.IGNORECASE):
        return [Point(talk.phrase(f"the submit {body.split()[-1]}"))]
    raise NotUnderstood("only a form is submitted; click a button by its name")


def answer(rest: str, talk: Talk) -> list[Step]:
    """Give an answer where it is asked for."""
    body = re.sub(r"^(?:with\s+|the question (?:with\s+)?)", "", trim(rest), flags=re.IGNORECASE)
    return [Answer(talk.text(body))]
