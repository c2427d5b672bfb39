"""Looking: reading, remembering, checking, waiting."""

from __future__ import annotations

import math
import re
import time

from carrel.actions import Key
from carrel.actions import Wait as Pause
from carrel.models.steps.claims.absences import is_known_to_go
from carrel.models.steps.claims.all_seen import not_all_seen
from carrel.models.steps.claims.by_records import told_by_records
from carrel.models.steps.claims.conditions import counted_things, holds
from carrel.models.steps.claims.displays import is_display, result_shown
from carrel.models.steps.claims.done_marks import done_by_box
from carrel.models.steps.claims.figures import told_by_figure
from carrel.models.steps.claims.outputs import printed
from carrel.models.steps.claims.placements import comes_and_goes, placed
from carrel.models.steps.claims.sheets import is_of_cell, meant_cell, shown_in_cell
from carrel.models.steps.claims.told_states import told_state
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.bounds import bounded, not_told
from carrel.models.steps.finding.codes_shown import code_shown
from carrel.models.steps.finding.windowed import last_line
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.language.held import claim_of, read_claim, told_values
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.phrases.place_words import placed_in, read_place
from carrel.models.steps.program import (
    Check,
    Condition,
    Count,
    Every,
    Has,
    Is,
    Let,
    Not,
    Only,
    Read,
    Said,
    Shows,
    Sorted,
    Step,
    Wait,
    WindowOpen,
    Within,
)
from carrel.models.steps.reaching.further import come_to_words
from carrel.models.steps.reaching.passages import Passage, passage
from carrel.models.steps.reaching.places import come_to
from carrel.models.steps.shown.front import come_to_rest
from carrel.models.steps.shown.reading import chosen_of
from carrel.models.steps.turns import Missed, Turns
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["check", "let", "read", "until", "wait"]

CHECK_SECONDS = 3.0
WAIT_SECONDS = 30.0
TICK = 0.05
REST = 0.25
"""Seconds after which what is gone must still be gone."""
COMING = 5.0
"""Seconds in which something must have come that is waited for to go."""
STILL = 0.5
"""Seconds between the looks that must show the same."""


_MERE = frozenset({Kind.TEXT, Kind.HEADING, Kind.LINK, Kind.PAGE, Kind.GROUP, Kind.ANY})
"""What has no value of its own."""
_LOOSE = ("any", "group", "row")
"""Places that a person may know by a mere text that stands in them."""
_THIS_ROW = re.compile(r"(?:这|该|此)一?[行条项](?:里面|里|中|上)?的?(?P<what>.+)")


def read(desk: Desk, step: Read) -> Turns[str | None]:
    """Read what something says, and remember it."""
    if step.place is None and desk.scope is None and _THIS_ROW.fullmatch(step.what.strip()):
        # Read anywhere else it would be another row's, or the heading of the column.
        raise Missed(f"which row is meant by {step.what} was not said before")
    if (output := printed(desk, step.what)) is not None:
        desk.names[step.name] = output
        return f"{step.name} = {output[:200]}"
    if (address := meant_cell(desk, step.what)) is not None:
        desk.names[step.name] = yield from shown_in_cell(desk, address)
        return f"{step.name} = {desk.names[step.name]}"
    if step.place is None and (told := (yield from _result(desk, step.what))):
        desk.names[step.name] = told
        return f"{step.name} = {told}"
    if step.place is None and (code := code_shown(desk.elements, step.what)) is not None:
        desk.names[step.name] = code
        return f"{step.name} = {code}"
    found = yield from _passage_there(desk, step)
    element, text = found.element, found.text
    if kind_of(element) is Kind.COMBO:
        yield from desk.again(0, why="what is chosen", hidden=True)
        now = same_as(desk.unseen, element)
        text = (chosen_of(now, desk.unseen) if now is not None else "") or text
    elif kind_of(element) is Kind.BUTTON and step.what == "there":
        # It may be called by all that can be chosen; what is chosen is written on it.
        inner = [e for e in desk.elements if kind_of(e) is Kind.TEXT and within(e.box, element.box)]
        text = " ".join(dict.fromkeys(e.name or e.value or "" for e in inner)).strip() or text
    desk.worked = element.box
    desk.names[step.name] = " ".join(text.split())
    if kind_of(element) is Kind.PASSWORD:
        return f"{step.name} is remembered, and not told"
    return f"{step.name} = {desk.names[step.name]}"


def _result(desk: Desk, phrase: str) -> Turns[str]:
    """What a program shows as its last line or its result; empty where no such thing is meant."""
    line = yield from last_line(desk, phrase)
    if line is not None or not is_display(phrase) or web_page(desk.elements) is not None:
        # A page calls its results by their names.
        return line or ""
    for closer in (False, True):
        if closer:
            yield from desk.closer()
        if is_there(look_for(desk, wished(phrase), want="read")):
            return ""
        if told := result_shown(desk):
            return told
    return ""


def _passage_there(desk: Desk, step: Read) -> Turns[Passage]:
    """What is to be read, in the place that is said, if one is.

    Raises:
        Missed: It is not there, or the place is not.
    """
    place, what = step.place, step.what
    if place is None and (parts := placed_in(what)) is not None:
        place, what = parts if not_told(desk, parts[0]) is None else (None, what)
    if place is None:
        return (yield from passage(desk, what))
    yield from come_to(desk, place)
    for pause in (0.3, 0.7, 1.5):
        if not_told(desk, place) is None:
            break
        yield from desk.again(pause, why=f"{place} is not there yet")
    missing = not_told(desk, place)
    if missing is not None and (yield from desk.closer()):
        missing = not_told(desk, place)
    if missing is not None:
        raise Missed(missing)
    with bounded(desk, place):
        return (yield from passage(desk, what))


def let(desk: Desk, step: Let) -> Turns[str | None]:
    """Remember a text."""
    desk.names[step.name] = step.text
    return f"{step.name} = {step.text}"
    yield  # a verb is a generator, also one that asks for nothing


def check(desk: Desk, step: Check) -> Turns[str | None]:
    """Fail unless something is so, now or in a moment."""
    if step.place is not None:
        yield from come_to(desk, step.place)
    condition = _there(step, step.condition)
    try:
        yield from until(desk, condition, CHECK_SECONDS)
    except Missed:
        if (yield from _so_once_left(desk, condition)):
            return None
        if (yield from _so_in_words(desk, condition, f"{step.words} {step.place or ''}")):
            return None
        if not (yield from come_to_words(desk, condition)):
            raise
        so, told = yield from holds(desk, condition)
        if not so:
            raise Missed(told) from None
    return None


def _so_in_words(desk: Desk, condition: Condition, words: str) -> Turns[bool]:
    """Whether what is claimed stands on the screen word by word, though nothing is called so.

    What is told of a place, or of something that holds a value, is what it is.
    """
    if _stands_unplaced(desk, condition):
        return True
    if isinstance(condition, Has) and done_by_box(desk, condition) is not None:
        # What else is written of it may be of another time.
        return False
    claim = claim_of(words)
    # A quoted text alone stands where it was said to stand, or it does not.
    if not claim or not read_claim(claim).words:
        return False
    if not _is_untold(desk, placed(desk, condition)):
        return _is_told_otherwise(desk, claim, settled=_is_settled(desk, condition))
    so, _ = yield from holds(desk, Said(claim))
    return so


def _is_settled(desk: Desk, condition: Condition) -> bool:
    """Whether what is denied, or a number with all that tells it, is known to be otherwise."""
    if isinstance(condition, Within):
        return _is_settled(desk, condition.condition)
    if isinstance(condition, Count | Has) and told_by_figure(desk, condition) is not None:
        return True
    return isinstance(condition, Not | Every | Only | Sorted)


def _is_told_otherwise(desk: Desk, claim: str, *, settled: bool) -> bool:
    """Whether all of a claim is told of what it speaks of, which rules took for another thing."""
    if told_values(claim) is not None:
        return False  # values belong to their labels: that a record holds both says nothing of it
    tell = told_state if settled else told_by_records
    text = tell(desk.elements, claim)
    if text is not None:
        desk.doubt(f"it was held against the words {text[:200]!r}")
    return text is not None


_UNPLACED = re.compile(
    r"[\"“](?P<text>[^\"”]+)[\"”] (?:in|on|within|inside) (?P<place>the (?P<noun>"
    r"(?:month |week |day )?(?:calendar|schedule|planner|agenda|timeline|chart|diagram|map|canvas|"
    r"feed|chat|conversation|thread|board|gallery|grid|history|transcript)(?: view)?))",
    re.IGNORECASE,
)
"""Things that are what they are by their looks, and are hardly ever called so on a screen."""


def _stands_unplaced(desk: Desk, condition: Condition) -> bool:
    """Whether a quoted text stands by itself on a screen that has no word for where it is said to.

    What comes and goes, like a dialog, is there or is not.
    """
    said = _UNPLACED.fullmatch(condition.what.strip()) if isinstance(condition, Shows) else None
    if said is None or comes_and_goes(said["place"]) or not_told(desk, said["place"]) is None:
        return False
    texts = [fold(written_on(e)) for e in part_meant(desk.elements, "") if e.box is not None]
    named = any(fold(said["noun"]) in text for text in texts)
    if named or read_place(said["place"]).sort not in _LOOSE or fold(said["text"]) not in texts:
        return False
    desk.doubt(f"nothing is called {said['noun']}; {said['text']!r} stands on the screen")
    return True


def _is_untold(desk: Desk, condition: Condition) -> bool:
    """Whether nothing is called by what a plain claim is about, or it is a mere text."""
    if isinstance(condition, Within):
        if not_told(desk, condition.place) is not None:
            return True
        return read_place(condition.place).sort in _LOOSE and _is_mere(desk, condition.place)
    if isinstance(condition, Count | Has) and told_by_figure(desk, condition) is not None:
        return False
    if isinstance(condition, Count) and condition.how == "equals":
        # A label beside a number is no thing that can be counted.
        return all(kind_of(e) in _MERE for e in counted_things(desk, condition.what))
    if not isinstance(condition, Has) or condition.how not in ("equals", "contains"):
        return isinstance(condition, Shows)
    return _is_mere(desk, condition.what, condition.text)


def _is_mere(desk: Desk, phrase: str, text: str = "") -> bool:
    """Whether words mean nothing shown, a mere text, or a cell for another sort of value."""
    found = look_for(desk, wished(phrase), want="read")
    best = found.best.element if is_there(found) and found.best is not None else None
    if best is None or kind_of(best) in _MERE:
        return True
    return (
        kind_of(best) is Kind.CELL and bool(text) and _sort_of(text) != _sort_of(written_on(best))
    )


def _sort_of(text: str) -> str:
    """An amount of money, a number, or words."""
    if re.search(r"[$€£¥]\s?\d|\d\s?[€£元]", text):
        return "amount"
    return "number" if re.search(r"\d", text) else "words"


def _so_once_left(desk: Desk, condition: Condition) -> Turns[bool]:
    """Whether it is so when the field that was filled last is left: pages may wait for that."""
    focused = [e for e in desk.elements if "focused" in e.states and is_field(e)]
    filled = len(focused) == 1 and focused[0].box == desk.worked and bool(focused[0].value)
    if not filled or web_page(desk.elements) is None:
        return False
    why = "a page may take over what was typed when its field is left"
    yield from desk.do(Key(("tab",)), why=why, commits=False)
    for pause in (0.0, 0.4):
        if pause:
            yield from desk.again(pause, why="what came of it")
        so, _ = yield from holds(desk, condition, closer=True)
        if so:
            return True
    return False


def _there(step: Step, condition: Condition) -> Condition:
    """With the place that the step is about: only what is there counts."""
    return condition if step.place is None else Within(step.place, condition)


def wait(desk: Desk, step: Wait) -> Turns[str | None]:
    """Wait for a time, until something is so, or until the screen keeps still."""
    if step.until is not None:
        if step.place is not None:
            yield from come_to(desk, step.place)
        until_so = _there(step, step.until)
        yield from until(desk, until_so, step.seconds or WAIT_SECONDS, seen=True)
        if isinstance(step.until, WindowOpen):
            yield from come_to_rest(desk)
        return None
    if step.seconds is None:
        yield from _still(desk)
        return None
    seconds = step.seconds or 1.0
    if not math.isfinite(seconds) or seconds > 3600:
        raise Missed(f"{seconds:g} seconds is too long to wait")
    left = max(0.0, seconds - _gone_by(desk))
    yield from desk.do(Pause(seconds=left), why="wait", commits=False, last=True)
    return None


def _still(desk: Desk) -> Turns[None]:
    """Look until two looks in a row show the same, as on a page that has loaded.

    Raises:
        Missed: It went on changing.
    """
    waited, before = 0.0, None
    while waited < WAIT_SECONDS:
        now = [(e.role, e.name, e.value, e.box) for e in desk.elements]
        if now and now == before:
            return
        before = now
        yield from desk.again(STILL, why="until the page keeps still")
        waited += STILL
    raise Missed(f"the screen went on changing for {WAIT_SECONDS:g} s")


def _gone_by(desk: Desk) -> float:
    """Seconds since the step before acted, which have been spent on looking at what came of it."""
    since = 0.0 if desk.acted is None else time.monotonic() - desk.acted
    return math.floor(since / TICK) * TICK


def until(desk: Desk, condition: Condition, seconds: float, *, seen: bool = False) -> Turns[None]:
    """Look until something is so; with `seen` a thing that goes must have been there.

    With `seen` what is waited for is also looked for further down the page.

    Raises:
        Missed: It did not become so in time; the account says what there is instead.
    """
    goes = _what_goes(condition)
    if goes is not None:
        yield from _until_gone(desk, goes, seconds, seen=seen)
        return
    waited, pause, further = 0.0, 0.1, CHECK_SECONDS
    so, told = yield from holds(desk, condition)
    while not so and waited < seconds:
        pause = min(pause, seconds - waited)
        yield from desk.again(pause, why=f"not yet: {told}")
        waited += pause
        pause = min(pause * 1.6, 0.3 if isinstance(condition, Has) else 3.0)
        began = time.monotonic()
        so, told = yield from holds(desk, condition, closer=waited >= min(0.5, seconds))
        if is_of_cell(desk, condition):
            # To look is to go there and to copy what it shows: that is time that has gone by, too.
            waited += time.monotonic() - began
        if not so and seen and waited >= min(further, seconds):
            # It may have come further down the page.
            further *= 2
            if (yield from come_to_words(desk, condition)):
                so, told = yield from holds(desk, condition)
    if not so:
        raise Missed(f"{told}; waited {seconds:g} s for it")


def _what_goes(condition: Condition) -> Condition | None:
    """The thing that shall not be there, where the condition is just that."""
    if isinstance(condition, Within):
        inner = _what_goes(condition.condition)
        return None if inner is None else Within(condition.place, inner)
    inner = condition.condition if isinstance(condition, Not) else None
    if isinstance(inner, Is) and inner.state == "visible":
        return Shows(inner.what)
    return inner if isinstance(inner, Shows | Within) and _phrase(inner) else None


def _phrase(thing: Condition) -> str:
    """What a thing that goes is called; empty where more than a thing is meant."""
    while isinstance(thing, Within):
        thing = thing.condition
    return thing.what if isinstance(thing, Shows) else ""


def _until_gone(desk: Desk, thing: Condition, seconds: float, *, seen: bool) -> Turns[None]:
    """Look until a thing is not there, on a screen that keeps still.

    What was there and is not any more is gone. What was never there may be there under another
    name: that has to be ruled out first.

    Raises:
        Missed: It stays, or nobody can tell.
    """
    waited, pause, told, was_there = 0.0, 0.1, "", False
    known = is_known_to_go(_phrase(thing)) or not seen
    while True:
        there, told = yield from holds(desk, thing, closer=True)
        if not there and was_there and (unseen := not_all_seen(desk, thing)) is not None:
            told = unseen
        elif not there and (was_there or known):
            so, told = (True, "") if was_there else (yield from holds(desk, Not(thing)))
            if so and (yield from _keeps_so(desk, Not(thing) if not was_there else None, thing)):
                return
        elif not there:
            told = f"cannot tell whether {_phrase(thing)} is gone: it was never seen; {told}"
        was_there = was_there or there
        if waited >= (seconds if was_there or known else min(seconds, COMING)):
            raise Missed(f"{told}; waited {waited:g} s for it")
        pause = min(pause, seconds - waited)
        yield from desk.again(max(pause, TICK), why=f"not yet: {told}")
        waited, pause = waited + max(pause, TICK), min(pause * 1.6, 3.0)


def _keeps_so(desk: Desk, condition: Condition | None, thing: Condition) -> Turns[bool]:
    """Whether it is still gone a moment later, when the screen may have come to rest."""
    yield from desk.again(REST, why="whether it stays so")
    if condition is not None:
        return (yield from holds(desk, condition, closer=True))[0]
    there, _ = yield from holds(desk, thing, closer=True)
    return not there and not_all_seen(desk, thing) is None
