"""What pronouns and places stand for, once all steps of a text are known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeGuard

from carrel.models.steps.language.asserted import about, nobody, on_page, remembered
from carrel.models.steps.language.belonging import at_home, is_ownerless, with_owner
from carrel.models.steps.language.chinese.references import refer_zh, source_zh, switched_zh
from carrel.models.steps.language.english.columns import in_column
from carrel.models.steps.language.english.commands import in_terminal
from carrel.models.steps.language.english.recalling import into_front, lost, renamed, typed
from carrel.models.steps.language.english.reckoning import carried_on
from carrel.models.steps.language.english.references import (
    made_before,
    output_of,
    place_meant,
    refer,
)
from carrel.models.steps.language.finishing import finishes, selected
from carrel.models.steps.language.one_of import another_one, every_meant, nth_alone, thing_of
from carrel.models.steps.language.plurals import chosen_only, each_named, taken_up
from carrel.models.steps.language.same_way import again
from carrel.models.steps.language.spoken import spoken_of
from carrel.models.steps.language.talk import EACH, HERE, IT
from carrel.models.steps.program import (
    Change,
    Check,
    Choose,
    Clear,
    Compute,
    Copy,
    Drag,
    Enter,
    Expand,
    Find,
    ForEach,
    GoTo,
    Highlight,
    If,
    Not,
    Open,
    Paste,
    Perform,
    PickDate,
    PickTime,
    Point,
    Press,
    Read,
    Repeat,
    Scroll,
    SetValue,
    Step,
    SwitchTo,
    Tick,
    Wait,
    WindowOpen,
)

__all__ = ["link", "spoken_of"]

_THE = re.compile(r"the\s+(?P<noun>[\w-]+)", re.IGNORECASE)


def link(steps: Iterable[Step], context: Sequence[Step] = ()) -> list[Step]:
    """The steps with every pronoun filled in; one that stands for nothing is unclear.

    Args:
        steps: In order.
        context: What was said before them.
    """
    done: list[Step] = list(context)
    each = (
        carried_on(_copied(chosen_only(one, done), done), done)
        for told in steps
        for said in again(told, done)
        for one in each_named(said, done)
    )
    for step in each:
        if _answered(step, done) or renamed(step, done) or taken_up(step, done):
            continue
        placed = place_meant(in_terminal(_emptied(step, done), done), done)
        moved = _moved(_there(placed, done), done)
        meant = _rest(_nested(_all_of_them(moved, done), done), done)
        meant = typed(_referring(source_zh(meant, done), done), done)
        if into_front(meant, done):
            continue
        if isinstance(meant, SwitchTo) and HERE.fullmatch(meant.title):
            meant = _switched(meant, done)
        meant = switched_zh(at_home(meant, done, spoken_of(done)))
        done.append(in_column(_owned(meant, done)))
    return done[len(context) :]


def _copied(step: Step, before: list[Step]) -> Step:
    """`scroll to the error and copy it`: nothing is selected that would be copied without it."""
    last = before[-1] if before else None
    if not isinstance(step, Copy) or step.what is not None or not isinstance(last, Scroll | Find):
        return step
    it = re.search(r"\bcopy\s+(?:it|that|this)\b", step.words, re.IGNORECASE)
    return replace(step, what=spoken_of(before)) if it else step


def _switched(step: SwitchTo, before: list[Step]) -> Step:
    """`wait for the Survey window and switch to it`: one that has no title nobody can tell."""
    last = before[-1] if before else None
    until = last.until if isinstance(last, Wait) else getattr(last, "condition", None)
    if isinstance(until, WindowOpen):
        return replace(step, title=until.title)
    return replace(step, title=last.what) if isinstance(last, Open) else lost(step)


def _owned(step: Step, before: list[Step]) -> Step:
    """The step; one about `its icon` where nothing was named that has one is unclear."""
    return lost(step) if is_ownerless(step, before) else step


_BIN = re.compile(r"\b(?:trash|bin|recycle bin|waste ?basket|cart|basket|queue)$", re.IGNORECASE)


def _emptied(step: Step, before: list[Step]) -> Step:
    """`move it to the trash and empty it`: what it lies in now."""
    last = before[-1] if before else None
    if not isinstance(step, Clear) or step.what != f"{{{IT}}}":
        return step
    to = dict(last.details).get("to") if isinstance(last, Perform) else None
    onto = last.onto if isinstance(last, Drag) else to
    if onto is None or not _BIN.search(onto):
        return step
    return Perform("empty", onto, words=step.words, line=step.line)


def _answered(step: Step, before: list[Step]) -> bool:
    """`solve X and type your answer`: the answer is the one just worked out."""
    same = isinstance(step, Compute) and step.how == "solve" and step.what == "the problem"
    return same and bool(before) and isinstance(before[-1], Compute)


def _nested(step: Step, before: list[Step]) -> Step:
    if isinstance(step, If):
        condition = about(with_owner(on_page(step.condition, before), before), before)
        if condition is None:
            return lost(step)
        what = getattr(condition, "what", None) or getattr(
            getattr(condition, "condition", None), "what", None
        )
        context = [*before, Point(what)] if what and not _is_value(what) else before
        then, otherwise = link(step.then, context), link(step.otherwise, context)
        return replace(step, condition=condition, then=tuple(then), otherwise=tuple(otherwise))
    if isinstance(step, Repeat):
        thing = getattr(getattr(step.until, "condition", step.until), "what", None)
        told = [Point(thing)] if isinstance(thing, str) and isinstance(step.until, Not) else []
        body = link(step.body, [*before, *told])
        until = about(with_owner(step.until, before), [*before, *body]) if step.until else None
        return (
            lost(step)
            if step.until and until is None
            else replace(step, body=tuple(body), until=until)
        )
    if isinstance(step, ForEach):
        every = every_meant(step.every, before) if step.every else None
        if step.every and every is None:
            return lost(step)
        step = replace(step, every=every)
        if any(_is_into_it(one) for one in step.body) and spoken_of(before) is None:
            return lost(step)
        step = replace(step, body=tuple(_into_it(one, before) for one in step.body))
        return replace(step, body=tuple(link(step.body, [*before, Point(f"{{{step.name}}}")])))
    if isinstance(step, Check):
        said = output_of(remembered(step.condition, before), before, IT)
        condition = about(nobody(said, before, step.place), before)
        return lost(step) if condition is None else replace(step, condition=condition)
    if isinstance(step, Wait) and step.until is not None:
        condition = about(step.until, before)
        return lost(step) if condition is None else replace(step, until=condition)
    return step


def _is_value(what: str) -> bool:
    """Whether it is only told of a thing: `if the price is below 50, buy it`."""
    said = (
        r"(?:the|its)\s(?:\w+\s)?(?:price|total|amount|number|count|rating|temperature|score|cost)"
    )
    return re.fullmatch(said, what, re.IGNORECASE) is not None


def _is_into_it(step: Step) -> bool:
    return isinstance(step, Drag) and HERE.fullmatch(step.onto or "") is not None


def _into_it(step: Step, before: list[Step]) -> Step:
    """`move all files into it`: into what was spoken of before them."""
    if not isinstance(step, Drag) or not _is_into_it(step):
        return step
    return replace(step, onto=spoken_of(before))


def _there(step: Step, before: list[Step]) -> Step:
    """`move all mails there`: to what was spoken of before them."""
    inner = step.body[0] if isinstance(step, ForEach) and len(step.body) == 1 else step
    if not isinstance(inner, Drag) or inner.onto != "there":
        return step
    thing = spoken_of(before)
    if thing is None:
        return lost(step)
    moved = replace(inner, onto=thing)
    return replace(step, body=(moved,)) if isinstance(step, ForEach) else moved


def _moved(step: Step, before: list[Step]) -> Step:
    """`select A and B and move them into C`: the application moves what is selected."""
    if not isinstance(step, Drag) or step.onto is None or not _MANY.fullmatch(step.what):
        return step
    if step.what.lower() == "it" or not selected(before):
        return step
    return Perform("move", None, (("to", step.onto),), words=step.words, line=step.line)


_ALL_OF_THEM = re.compile(r"them all|all of them|each of them|every one of them", re.IGNORECASE)


def _is_all(what: str, before: list[Step]) -> bool:
    """`find all drafts and delete them`: each of them."""
    many = re.match(r"(?:all|every|each)\s", spoken_of(before) or "", re.IGNORECASE)
    return bool(_ALL_OF_THEM.fullmatch(what) or (many and what.lower() == "them"))


def _all_of_them(step: Step, before: list[Step]) -> Step:
    """`disable them all`: each of what was spoken of before."""
    if isinstance(step, Perform | Point) and step.what and _is_all(step.what, before):
        body: Step = replace(step, what=f"{{{EACH}}}")
    elif isinstance(step, Tick) and len(step.what) == 1 and _ALL_OF_THEM.fullmatch(step.what[0]):
        body = replace(step, what=(f"{{{EACH}}}",))
    else:
        return step
    thing = spoken_of(before)
    if thing is None:
        return lost(step)
    return ForEach(
        EACH,
        (body,),
        every=re.sub(r"^(?:all(?: of)?(?: the)?|every|each|the)\s+", "", thing),
        words=step.words,
        line=step.line,
    )


def _rest(step: Step, before: list[Step]) -> Step:
    """`everything else` is all but what earlier loops were about."""
    if isinstance(step, ForEach) and step.every == "everything else":
        but = tuple(s.every for s in before if isinstance(s, ForEach) and s.every)
        return replace(step, every="everything", but=but)
    return step


# "the profile of Tom": who that is.
_PERSON = re.compile(
    r"(?:the|my|this)\s[a-z ]+?\s(?:of|by|from|for)\s(?P<who>[A-Z]\S*(?:\s[A-Z]\S*)*)"
)


def _meant(phrase: str | None, before: list[Step], place: str | None = None) -> str | None:
    """What the phrase stands for; the phrase itself when it is no pronoun."""
    if phrase is None or (phrase := refer_zh(phrase, before)) is None:
        return None
    thing = spoken_of(before)
    if re.fullmatch(r"him|her", phrase, re.IGNORECASE) and (of := _PERSON.fullmatch(thing or "")):
        return of["who"]
    if HERE.fullmatch(phrase) or phrase == f"{{{IT}}}":
        return thing
    said = _THE.fullmatch(phrase)
    if said and thing and thing != phrase and re.search(rf"\b{said['noun']}\b", thing):
        found = next((s for s in reversed(before) if isinstance(s, Find)), None)
        return found.what if found and found.what == thing else phrase
    return nth_alone(refer(phrase, before, place) or "", before) or None


_MANY = re.compile(r"them|these|those|all of them|it|the selection", re.IGNORECASE)


def _gone_to(step: Step, before: list[Step]) -> Step:
    """`move it to the folder and go there`, `open X and paste it there`: where that is."""
    if isinstance(step, Paste) and re.fullmatch(r"(?:in )?t?here", step.into or ""):
        last = before[-1] if before else None
        front = isinstance(last, Open | GoTo | SwitchTo | Point | Press)
        return replace(step, into=None if front else spoken_of(before))
    if isinstance(step, Enter) and re.fullmatch(f"{IT}|there", step.into or ""):
        return _typed_there(step, before)
    if not isinstance(step, Open) or step.what != "there":
        return step
    for earlier in reversed(before):
        if isinstance(earlier, Drag) and earlier.onto:
            return replace(step, what=earlier.onto)
        if isinstance(earlier, Perform) and (to := dict(earlier.details).get("to")):
            return replace(step, what=to)
    return lost(step)


# What brings up something else is not written into itself.
_LEADS = re.compile(r"\b(?:button|link|icon|tab|menu|app|window|page)\b", re.IGNORECASE)


def _typed_there(step: Enter, before: list[Step]) -> Step:
    """`click the Name field and type Bob there`: into it; where the keyboard is, in what opened."""
    last = before[-1] if before else None
    leads = isinstance(last, Point) and _LEADS.search(last.what)
    if leads or isinstance(last, Open | GoTo | SwitchTo | Press):
        return replace(step, into=None)
    thing = spoken_of(before)
    return lost(step) if thing is None else replace(step, into=thing)


# "Norway in it": an option, and what has it.
_WITHIN = re.compile(r"(?P<what>(?!(?:the|an?|any)\s)\S.*?)\s+(?:in|inside|within) it")


# What was chosen from is still there; which that was has been said, or it had come up.
_SAME_LIST = re.compile(
    r"(?:the|that|this)\s(?:very\s)?same\s(?:list|menu|drop-?down|box|field|options|suggestions)",
    re.IGNORECASE,
)


def _is_one(step: Step) -> TypeGuard[Choose]:
    """Whether one option is chosen, from what nobody said."""
    return isinstance(step, Choose) and len(step.options) == 1 and step.source is None


def _nowhere(step: Step, before: list[Step]) -> Step:
    """`open X and write in it`, `pick A out of them`: where the keyboard is, from what is there."""
    last = before[-1] if before else None
    if isinstance(step, Enter | Paste) and isinstance(last, Open):
        return replace(step, into=None) if HERE.fullmatch(step.into or "") else step
    within = _WITHIN.fullmatch(step.options[0]) if _is_one(step) else None
    if _is_one(step) and within and before:
        step = replace(step, options=(within["what"],), source=IT)
    if isinstance(step, Choose) and _SAME_LIST.fullmatch(step.source or ""):
        earlier = next((one for one in reversed(before) if isinstance(one, Choose)), None)
        return step if earlier is None else replace(step, source=earlier.source)
    if isinstance(step, Choose) and HERE.fullmatch(step.source or ""):
        # What was only looked at is still to be opened; what was clicked is open.
        seen = isinstance(last, Scroll | Find | Check | Wait) and step.source == "it"
        return replace(step, source=spoken_of(before) if seen else None)
    return step


def _sought(step: Perform, before: list[Step]) -> Step:
    """`read the code as C and search for it`: what was read, and not the words for it."""
    last = before[-1] if before else None
    if isinstance(last, Read | Compute):
        return replace(step, what=f'"{{{last.name}}}"')
    return lost(step) if isinstance(last, Copy) else _filled(step, "what", step.what or IT, before)


_BACK = ("it", "them", "him", "her")


def _referring(step: Step, before: list[Step]) -> Step:
    step = another_one(_nowhere(_gone_to(step, before), before), before)
    before = thing_of(step, before)
    if isinstance(step, Drag) and step.onto and (made := made_before(step.onto, before)):
        return _filled(replace(step, onto=made), "what", step.what, before)
    if isinstance(step, Paste) and step.into and (made := made_before(step.into, before)):
        return replace(step, into=made)
    if isinstance(step, Open) and (made := made_before(step.what, before)):
        return replace(step, what=made)
    if isinstance(step, Enter | Paste | PickDate | PickTime) and step.into is not None:
        return _filled(step, "into", step.into, before)
    if isinstance(step, Compute):
        return _filled(step, "what", step.what, before) if HERE.fullmatch(step.what) else step
    if isinstance(step, Drag) and step.onto is not None and HERE.fullmatch(step.onto):
        return _filled(step, "onto", step.onto, before)
    if isinstance(step, Scroll):
        seen = refer(step.until, before, step.place) if step.until else None
        return replace(step, until=seen) if seen else step
    return _referring_to(step, before)


def _referring_to(step: Step, before: list[Step]) -> Step:
    """The step about the very thing that it speaks of."""
    if isinstance(step, Point | Highlight | Drag | Read | Find | Change | Expand | Open):
        return _filled(step, "what", step.what, before)
    if isinstance(step, Perform) and any(text.lower() in _BACK for _, text in step.details):
        thing = spoken_of(before)
        if thing is None:
            return lost(step)
        told = tuple(
            (word, thing.strip('"') if text.lower() in _BACK else text)
            for word, text in step.details
        )
        step = replace(step, details=told)
    if isinstance(step, Perform) and step.verb == "search" and HERE.fullmatch(step.what or ""):
        return _sought(step, before)
    if isinstance(step, Clear | Copy | Perform | SetValue) and step.what is not None:
        if isinstance(step, Copy | Perform) and _needs_none(step, before):
            return replace(step, what=None)
        return _filled(step, "what", step.what, before)
    if isinstance(step, Choose):
        return _chosen(step, before)
    if isinstance(step, Tick) and len(step.what) == 1:
        meant = _meant(step.what[0], before)
        return lost(step) if meant is None else replace(step, what=(meant,))
    return step


def _needs_none(step: Copy | Perform, before: list[Step]) -> bool:
    """Whether it is done to what is selected, or to what is in front."""
    what = step.what or ""
    # What replaces it must know what it was.
    if isinstance(step, Perform) and step.verb == "replace":
        return False
    if _MANY.fullmatch(what) and selected(before):
        return True
    if not isinstance(step, Perform):
        return False
    if finishes(step, before) or (bool(HERE.fullmatch(what)) and _of_front(before)):
        return True
    # Of what is in front, where nothing else was spoken of: what cannot be undone must be named.
    front = re.fullmatch(r"it|this", what, re.IGNORECASE) and not before
    return bool(front) and step.verb not in _FOR_GOOD


_FOR_GOOD = ("delete", "remove", "discard", "erase", "buy", "pay", "order", "terminate", "kill")


def _chosen(step: Choose, before: list[Step]) -> Step:
    """`choose X from the list beneath it`."""
    if step.source and re.search(r"\s(?:it|them)$|^the \w+$", step.source):
        source = _meant(step.source, before, step.place)
        step = replace(step, source=source or step.source)
    if len(step.options) != 1:
        return step
    meant = _meant(step.options[0], before)
    return lost(step) if meant is None else replace(step, options=(meant,))


def _of_front(before: list[Step]) -> bool:
    """Whether only parts of what is in front were spoken of: `set its priority, assign it to`."""
    parts = [s for s in before if re.match(r"(?:its|their)\s", str(getattr(s, "what", "")))]
    return bool(parts) and spoken_of(before) is None


def _filled(step: Step, name: str, phrase: str, before: list[Step]) -> Step:
    meant = _meant(phrase, before, step.place)
    if isinstance(step, Open) and meant and re.fullmatch(r'"[^"]+"', meant):
        meant = meant.strip('"')
    if meant is None:
        return lost(step)
    return step if meant == phrase else replace(step, **{name: meant})  # type: ignore[arg-type]
