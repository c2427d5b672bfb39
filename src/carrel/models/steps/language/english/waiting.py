"""English steps that wait and check: for a time, until something is so, or fail unless it is."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.claim_parts import shown
from carrel.models.steps.language.english.compared import held_against
from carrel.models.steps.language.english.conditions import claimed, read_condition
from carrel.models.steps.language.english.counts import HOW_MANY, is_loaded
from carrel.models.steps.language.english.predicates import predicate_of, uncontracted
from carrel.models.steps.language.english.reader import condition_of
from carrel.models.steps.language.english.reworded import in_other_words
from carrel.models.steps.language.english.told_rows import with_column
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, NotUnderstood, Talk, trim
from carrel.models.steps.language.words import KINDS
from carrel.models.steps.program import (
    Check,
    Condition,
    Count,
    Exists,
    ForEach,
    Has,
    Is,
    Not,
    Shows,
    Step,
    Wait,
)

__all__ = ["checked", "in_sight", "of_each", "verify", "wait"]

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


_AT_MOST = re.compile(
    rf"(?P<what>(?:for|until|till)\s.+?),?\s+(?:but\s+)?(?:for\s+)?(?:at most|up to|no longer than|"
    rf"a maximum of)\s+(?P<n>{NUMBER}|an?)\s*(?P<unit>seconds?|secs?|minutes?|mins?|hours?)",
    re.IGNORECASE,
)


_UNIT = r"(?P<unit>ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|hours?)"
_LONG = rf"(?P<n>{NUMBER}|an?|half an?)\s*{_UNIT}"
_BRIEFLY = re.compile(
    r"(?:(?:for\s+)?(?:just\s+)?(?:a (?:moment|bit|while|little|short (?:time|while)|second)|"
    r"briefly|some time))?",
    re.IGNORECASE,
)
_SOME = re.compile(
    r"(?:for\s+)?(?:another\s+)?a (?P<n>few|couple of) (?P<unit>seconds|minutes)", re.IGNORECASE
)
_SO_LONG = re.compile(rf"(?:for\s+)?(?:at least\s+|about\s+)?{_LONG}", re.IGNORECASE)
_BOUND = re.compile(
    r"(?:for\s+)?(?:up to|at most|no longer than|a maximum of|not longer than)\s+"
    rf"{_LONG}\s+(?P<what>(?:until|till|for|while)\s.+)",
    re.IGNORECASE,
)
# "5 seconds for the dialog to open": at most so long.
_SO_LONG_FOR = re.compile(
    rf"(?:for\s+)?{_LONG}\s+(?P<what>(?:for\s.+\sto\s|until\s|till\s).+)", re.IGNORECASE
)
_EITHER = re.compile(
    rf"(?:for\s+)?{_LONG}\s*,?\s+or\s+(?P<what>(?:until|till|for)\s.+)", re.IGNORECASE
)
_ENDS = re.compile(
    r"\b(?:to\s+)?(?:finish|complete|be done|ends?|stop|respond)(?:es|ed|s)?$|"
    r"\s(?:to\s+)?(?:has\s+|have\s+|is\s+|are\s+)?(?:(?:fully|completely)\s+)?"
    r"(?:finish(?:es|ed)?\s+\w+ing|done\s+\w+ing|load|be loaded|finished|complete|over|done)$",
    re.IGNORECASE,
)


# "changes to Done", "is Done": what it then says.
_SAYS = re.compile(
    r"\b(?:(?:changes?|changed|turns?|turned|switch(?:es)?|goes|go|set) to|shows?|says?|reads?|"
    r"displays?|equals?)\s\S+$",
    re.IGNORECASE,
)
_AGAIN = (
    r"refresh|reload|update|re-?draw|re-?render|re-?paint|recalculate|re-?sync|synchroni[sz]e|"
    r"re-?sort|rearrange|rebuild|repopulate|settle(?: down)?|reflow"
)
# "the table to refresh": that it is shown anew is seen only in that it stays as it is.
_SETTLES = re.compile(
    rf"\S.*?\s(?:(?:(?:to|has|have|is|are|been|be|being|finally|fully)\s+)+(?:{_AGAIN})"
    rf"(?:e?d|(?<=w)n)?|(?:{_AGAIN})e?s)(?:\s+(?:itself|automatically|completely))?",
    re.IGNORECASE,
)


def _is_end(until: str) -> bool:
    """Whether something only comes to its end; "is Done" is what it says."""
    found = _ENDS.search(until)
    if found is None or _SAYS.search(until):
        return False
    return until.split()[-1].islower()


# "the chart to blink": no rule knows when that is so.
_UNKNOWN = re.compile(r"\S.*\sto\s+(?!(?:the|an?|my|your|this|that|which|it)\b)[a-z]+(?:\s.*)?")


def wait(rest: str, talk: Talk) -> list[Step]:
    """Wait for a time, or until something is so."""
    body = trim(rest)
    if (time := _for_a_time(body, talk)) is not None:
        return [time]
    for bound in (_BOUND, _AT_MOST, _EITHER, _SO_LONG_FOR):
        if found := bound.fullmatch(body):
            talk.put_aside(body[: found.start("what")] + body[found.end("what") :])
            waits = wait(found["what"], talk)
            seconds = _duration(found)
            return [replace(step, seconds=seconds) for step in waits if isinstance(step, Wait)]
    return [_until(body, talk)]


def _for_a_time(body: str, talk: Talk) -> Wait | None:
    """`wait 5 seconds`, `wait a moment`."""
    if _BRIEFLY.fullmatch(body):
        return Wait(seconds=1.0)
    if some := _SOME.fullmatch(body):
        talk.put_aside(body)
        scale = 60 if some["unit"].lower() == "minutes" else 1
        return Wait(seconds=scale * (3.0 if some["n"].lower() == "few" else 2.0))
    found = _SO_LONG.fullmatch(body)
    return Wait(seconds=_duration(found)) if found else None


def _until(body: str, talk: Talk) -> Wait:
    """`wait until X is shown`, `wait for X`.

    Raises:
        NotUnderstood: Nothing tells when that is.
    """
    until = re.sub(r"^(?:until|till|for|while)\s+", "", body, flags=re.IGNORECASE)
    if is_loaded(until):
        return Wait()
    if _is_end(until) or _SETTLES.fullmatch(until):
        # When that is cannot be seen but by this: nothing goes on changing.
        talk.put_aside(until)
        return Wait()
    if path := re.fullmatch(r"(?:the|a) file\s+(?P<path>\S+)", until, re.IGNORECASE):
        return Wait(until=Exists(talk.text(path["path"])))
    condition = condition_of(until, talk)
    if condition is not None:
        return Wait(until=condition)
    if re.match(r"for\b", body, re.IGNORECASE) and not _UNKNOWN.fullmatch(until):
        return Wait(until=Shows(talk.phrase(until)))
    raise NotUnderstood(f"what “{talk.atoms.original(until)}” would look like is not clear")


# `expect an error message that says "x"`
_THING_SAYING = re.compile(
    rf"(?:an?|the)\s[^,]*?\b(?:message|error|warning|banner|toast|notice|notification|dialog|"
    rf"hint|label|"
    rf"tooltip|pop-?up|alert)\b[^,]*?(?:(?:that|which)\s(?:says|reads)|saying|reading)\s{QUOTE}",
    re.IGNORECASE,
)
_ON_PAGE = re.compile(
    r"(?P<what>.+?\s(?:appears?|exists?|(?:is|are)(?: not|n't)? (?:visible|shown|displayed|listed|"
    r"present)))\s+(?:on|in)\s+"
    r"(?P<place>(?:the|my|your)\s+(?!same\b)\S.*?\s?(?:page|tab|list|table|section|panel|dialog|"
    r"sidebar|menu))",
    re.IGNORECASE,
)


def in_sight(rest: str, talk: Talk) -> list[Step]:
    """`see three buttons`: so many of them are there.

    Raises:
        NotUnderstood: It does not say what, or says more than that.
    """
    talk.phrase(rest, "what to see")
    seen = shown(trim(rest), None, talk.atoms)
    if seen is None:
        raise NotUnderstood("one claim is one sentence: “you should see X. You should be …”")
    return [Check(seen)]


def verify(rest: str, talk: Talk) -> list[Step]:
    """Fail unless something is so."""
    seen = re.fullmatch(
        r"(?:that\s+)?(?:to|(?:i|you|we)(?: can)?)\s+see\s+(?!that\b|if\b)(?P<what>.+)",
        trim(rest),
        re.IGNORECASE,
    )
    if seen:
        return in_sight(seen["what"], talk)
    body = claimed(trim(rest))
    if re.match(r"(?:with|using|by|via|through)\s", body, re.IGNORECASE):
        raise NotUnderstood("how it is looked at is no part of a check; say what can be seen")
    timed = re.fullmatch(
        rf"(?P<what>.+?)\s+within\s+(?P<n>{NUMBER}|an?)\s*(?P<unit>seconds?|secs?|s|minutes?|"
        rf"mins?)",
        body,
        re.IGNORECASE,
    )
    body = in_other_words(body)
    if (each := of_each(body, talk)) is not None:
        return so_many(body, talk, each)
    there = _ON_PAGE.fullmatch(body)
    if there and (seen_there := read_condition(there["what"], talk.atoms)):
        return [Check(seen_there, place=talk.phrase(there["place"]))]
    if (against := held_against(body, talk)) is not None:
        return against
    if _THERE.match(body) and predicate_of(body) is None:
        # "expect exactly 2 rows in the table": that these are there.
        body = f"there should be {body}"
    condition = condition_of(timed["what"] if timed else body, talk)
    if timed and condition is not None:
        return [Wait(_duration(timed), condition)]
    if condition is None and _THING_SAYING.fullmatch(body):
        return [Check(Shows(talk.phrase(body)))]
    if condition is None:
        raise NotUnderstood(f"what “{talk.atoms.original(body)}” would look like is not clear")
    return [checked(condition)]


_THERE = re.compile(rf"(?:{HOW_MANY}\s+)?(?:{NUMBER})\s+[a-z]|(?-i:no|an?)\s+[a-z]", re.IGNORECASE)


_ALL = re.compile(
    r"(?:all(?: of)?(?: the)?|every|each(?: of the)?|both(?: of)?(?: the)?)\s+(?P<what>\S.*)",
    re.IGNORECASE,
)


_NO = re.compile(
    r"(?:no\s+(?!more\b|longer\b|further\b)|(?:none|not one|not any) of (?:the|these|those)\s+)"
    r"(?P<what>\S.*)",
    re.IGNORECASE,
)


_COLUMN = re.compile(
    rf"(?:has|have)\s+(?:(?:the|an?)\s+)?(?!(?:{KINDS}|the|an?|text|words?|names?)\b)"
    rf"(?P<column>[a-z][a-z-]*(?:\s[a-z-]+)?)\s+(?:of\s+|set to\s+)?(?P<value>{QUOTE}|[A-Z]\w*)"
)
"""`has the status Late`: what one of its columns says."""


def of_each(text: str, talk: Talk) -> Step | None:
    """`Every row has a Delete button`: that is checked of each; None where it speaks of one."""
    words, text = talk.atoms.original(text), with_column(text, talk.atoms)
    claim = predicate_of(uncontracted(text))
    every = claim and (_ALL.fullmatch(claim.subject) or _NO.fullmatch(claim.subject))
    if claim is None or not every or re.search(r"[()]|\sand\s", every["what"]):
        return None
    rest = text[text.index(claim.subject) + len(claim.subject) :].strip()
    if every.re is _NO and (told := _COLUMN.fullmatch(rest)):
        # A table without any row has none of those, either.
        said = talk.atoms.phrase(told["value"]).strip('"')
        value = talk.atoms.keep_quote(f'"{said}"', said)
        rows = f"{every['what']} with the {told['column']} {value}"
        return Check(Not(Shows(talk.phrase(rows))), words=words)
    each_one = talk.atoms.mask(f"[{{{EACH}}}]")
    condition = read_condition(f"{each_one} {rest}", talk.atoms)
    if condition is None and not claim.no:
        condition = read_condition(claim.of(each_one), talk.atoms)
    inner = condition.condition if isinstance(condition, Not) else condition
    plain = isinstance(inner, Shows) and inner.what.startswith(f"{{{EACH}}}")
    # Of what is out of sight there is none to go through.
    plain = plain or (isinstance(inner, Is) and inner.state == "visible")
    if condition is None or plain or (every.re is _NO and not isinstance(inner, Has | Is)):
        return None
    if every.re is _NO and isinstance(inner, Has) and inner.how == "equals":
        # "No row is Late": a row says more than that.
        condition = replace(inner, how=inner.how if re.search(r"\d", inner.text) else "contains")
    each = Check(Not(condition) if every.re is _NO else condition, words=words)
    return ForEach(EACH, (each,), every=talk.phrase(every["what"]), words=words)


_ALL_OF = re.compile(rf"all (?:of )?(?:the )?(?P<n>{NUMBER}) (?P<what>[a-z].*)", re.IGNORECASE)


def so_many(body: str, talk: Talk, each: Step) -> list[Step]:
    """`All three boxes are ticked`: there are three, and each of them is."""
    claim = predicate_of(uncontracted(body))
    many = _ALL_OF.fullmatch(claim.subject) if claim is not None else None
    count = number(many["n"]) if many else None
    if many is None or count is None or not isinstance(each, ForEach):
        return [each]
    what = talk.phrase(many["what"])
    there = Check(Count(what, int(count)), words=each.words)
    return [there, replace(each, every=what)]


def checked(condition: Condition, words: str = "") -> Step:
    """The step that checks it; what is said of all is checked of each."""
    inner = condition.condition if isinstance(condition, Not) else condition
    what = getattr(inner, "what", None)
    found = _ALL.fullmatch(what) if isinstance(what, str) else None
    if found is None or not isinstance(inner, Is | Has):
        return Check(condition, words=words)
    one = replace(inner, what=f"{{{EACH}}}")
    each = Check(Not(one) if inner is not condition else one, words=words)
    return ForEach(EACH, (each,), every=found["what"], words=words)
