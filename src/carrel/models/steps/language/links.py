"""What pronouns and places stand for, once all steps of a text are known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from carrel.models.steps.language.belonging import at_home
from carrel.models.steps.language.commands import in_terminal
from carrel.models.steps.language.finishing import finishes, selected
from carrel.models.steps.language.references import dialog_before, output_of, place_meant, refer
from carrel.models.steps.language.references_zh import about_zh, refer_zh, source_zh, switched_zh
from carrel.models.steps.language.spoken import quoted_before, spoken_of
from carrel.models.steps.language.talk import EACH, IT, PRONOUN
from carrel.models.steps.program import (
    Change,
    Check,
    Choose,
    Clear,
    Compute,
    Condition,
    Copy,
    Drag,
    Enter,
    Every,
    Expand,
    Find,
    ForEach,
    Has,
    Highlight,
    If,
    Is,
    Let,
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
    Run,
    Scroll,
    SetValue,
    Shows,
    Step,
    SwitchTo,
    Tick,
    Unclear,
    Wait,
    WindowOpen,
)

__all__ = ["link", "spoken_of"]

_HERE = re.compile(rf"(?:{PRONOUN}|him|her|he|she|they)", re.IGNORECASE)
_THE = re.compile(r"the\s+(?P<noun>[\w-]+)", re.IGNORECASE)


def link(steps: Iterable[Step], context: Sequence[Step] = ()) -> list[Step]:
    """The steps with every pronoun filled in; one that stands for nothing is unclear.

    Args:
        steps: In order.
        context: What was said before them.
    """
    done: list[Step] = list(context)
    for step in steps:
        if _answered(step, done) or _renamed(step, done):
            continue
        placed = place_meant(in_terminal(step, done), done)
        moved = _moved(_there(placed, done), done)
        meant = _rest(_nested(_all_of_them(moved, done), done), done)
        meant = _typed(_referring(source_zh(meant, done), done), done)
        if _into_front(meant, done):
            continue
        done.append(switched_zh(at_home(meant, done, spoken_of(done))))
    return done[len(context) :]


def _into_front(step: Step, before: list[Step]) -> bool:
    """`open X in a new tab and switch to it`: opened so that it comes to the front."""
    last = before[-1] if before else None
    said = step.title if isinstance(step, SwitchTo) else ""
    said = step.what if isinstance(step, Point) and step.how == "click" else said
    new = re.fullmatch(_NEW_TAB, said, re.IGNORECASE)
    if not new or not isinstance(last, Point) or last.how != "middle":
        return False
    before[-1] = replace(last, how="click", held=("ctrl", "shift"))
    return True


_NEW_TAB = r"it|(?:that|the new|the other|the opened) (?:browser )?(?:tab|page|one)|the new one"


def _renamed(step: Step, before: list[Step]) -> bool:
    """`read X and remember it as NAME` is one step."""
    last = before[-1] if before else None
    saved = _saved_as(step)
    if saved and isinstance(last, Read | Compute) and last.name == IT:
        before[-1] = replace(last, name=saved)
        return True
    if isinstance(step, Perform) and step.verb == "rename" and step.what == "it":
        if isinstance(last, Read | Compute) and last.name == IT:
            before[-1] = replace(last, name=step.details[0][1])
            return True
        return False
    if not isinstance(step, Read) or not _SAME.fullmatch(step.what) or step.name == IT:
        return False
    if not _HERE.fullmatch(step.what) and not isinstance(last, Read | Compute):
        return False
    if isinstance(last, Read | Compute) and last.name == IT:
        before[-1] = replace(last, name=step.name)
        return True
    if isinstance(last, Find):
        before[-1] = Read(last.what, step.name, words=last.words, line=last.line, place=last.place)
        return True
    if isinstance(last, Run) and last.name is None:
        before[-1] = replace(last, name=step.name)
        return True
    return False


_SAME = re.compile(
    rf"{_HERE.pattern}|(?:the|this|that) (?:number|count|sum|total|result|answer|value|text)",
    re.IGNORECASE,
)


def _saved_as(step: Step) -> str | None:
    """`read the price and save it as PRICE`: the name that it is kept under."""
    if not isinstance(step, Perform) or step.verb != "save" or not _HERE.fullmatch(step.what or ""):
        return None
    name = dict(step.details).get("as", "")
    return name.strip("{}") if re.fullmatch(r"\{?[A-Za-z_]\w*\}?", name) else None


def _answered(step: Step, before: list[Step]) -> bool:
    """`solve X and type your answer`: the answer is the one just worked out."""
    same = isinstance(step, Compute) and step.how == "solve" and step.what == "the problem"
    return same and bool(before) and isinstance(before[-1], Compute)


def _nested(step: Step, before: list[Step]) -> Step:
    if isinstance(step, If):
        condition = _about(_on_page(step.condition, before), before)
        if condition is None:
            return _lost(step)
        what = getattr(condition, "what", None) or getattr(
            getattr(condition, "condition", None), "what", None
        )
        context = [*before, Point(what)] if what and not _is_value(what) else before
        then, otherwise = link(step.then, context), link(step.otherwise, context)
        return replace(step, condition=condition, then=tuple(then), otherwise=tuple(otherwise))
    if isinstance(step, Repeat):
        about = getattr(getattr(step.until, "condition", step.until), "what", None)
        told = [Point(about)] if isinstance(about, str) and isinstance(step.until, Not) else []
        body = link(step.body, [*before, *told])
        until = _about(step.until, [*before, *body]) if step.until else None
        return (
            _lost(step)
            if step.until and until is None
            else replace(step, body=tuple(body), until=until)
        )
    if isinstance(step, ForEach):
        if any(_is_into_it(one) for one in step.body) and spoken_of(before) is None:
            return _lost(step)
        step = replace(step, body=tuple(_into_it(one, before) for one in step.body))
        return replace(step, body=tuple(link(step.body, [*before, Point(f"{{{step.name}}}")])))
    if isinstance(step, Check):
        said = output_of(_remembered(step.condition, before), before, IT)
        condition = _about(_nobody(said, before, step.place), before)
        return _lost(step) if condition is None else replace(step, condition=condition)
    if isinstance(step, Wait) and step.until is not None:
        condition = _about(step.until, before)
        return _lost(step) if condition is None else replace(step, until=condition)
    return step


def _is_value(what: str) -> bool:
    """Whether it is only told of a thing: `if the price is below 50, buy it`."""
    said = (
        r"(?:the|its)\s(?:\w+\s)?(?:price|total|amount|number|count|rating|temperature|score|cost)"
    )
    return re.fullmatch(said, what, re.IGNORECASE) is not None


def _is_into_it(step: Step) -> bool:
    return isinstance(step, Drag) and _HERE.fullmatch(step.onto or "") is not None


def _into_it(step: Step, before: list[Step]) -> Step:
    """`move all files into it`: into what was spoken of before them."""
    if not isinstance(step, Drag) or not _is_into_it(step):
        return step
    return replace(step, onto=spoken_of(before))


_HOLDING = re.compile(
    r"\b(?:field|box|input|area|cell|row|line|item|card|message|label|list|tab|entry)\b|[框栏格行]",
    re.IGNORECASE,
)


def _on_page(condition: Condition, before: list[Step]) -> Condition:
    """`click Verify; if it says “Expired”`: the page says so, not the button."""
    if isinstance(condition, Not):
        return Not(_on_page(condition.condition, before))
    if not isinstance(condition, Has) or condition.what.lower() != "it" or not before:
        return condition
    last = before[-1]
    clicked = isinstance(last, Point) and last.how == "click" and not _HOLDING.search(last.what)
    told = condition.how == "contains" and '"' not in condition.text
    return Shows(f'"{condition.text}"') if clicked and told else condition


def _nobody(condition: Condition, before: list[Step], place: str | None) -> Condition:
    """`At the bottom it should say “Saved”`: "it" stands for no thing."""
    if isinstance(condition, Not):
        return Not(_nobody(condition.condition, before, place))
    if not isinstance(condition, Has) or condition.what.lower() != "it":
        return condition
    last = before[-1] if before else None
    gone = isinstance(last, Check) and last.condition == Not(Shows(spoken_of(before) or ""))
    nothing = place is not None or spoken_of(before) is None or gone
    told = condition.how == "contains" and '"' not in condition.text
    return Shows(f'"{condition.text}"') if nothing and told else condition


def _remembered(condition: Condition, before: list[Step]) -> Condition:
    """`remember the order number and check that it is shown`: what was read, wherever it is."""
    if isinstance(condition, Not):
        return Not(_remembered(condition.condition, before))
    if not isinstance(condition, Shows):
        return condition
    read = next((s for s in reversed(before) if isinstance(s, Read)), None)
    if read is None:
        return condition
    named = re.fullmatch(r"(?:该|这个|此)(?P<noun>.+)", condition.what)
    same = named is not None and read.what.endswith(named["noun"])
    it = condition.what.lower() in ("it", "它") and spoken_of(before) == read.what
    return Shows(f"{{{read.name}}}") if same or it else condition


def _about(condition: Condition, before: list[Step]) -> Condition | None:
    """The condition with its pronoun filled in; None when that stands for nothing."""
    if (condition := about_zh(condition, before)) is None:  # type: ignore[assignment]
        return None
    if isinstance(condition, Not):
        inner = _about(condition.condition, before)
        return None if inner is None else Not(inner)
    if isinstance(condition, Every):
        earlier = [Check(one) for one in condition.conditions]
        parts = [
            _about(one, [*before, *earlier[:index]])
            for index, one in enumerate(condition.conditions)
        ]
        if not all(parts):
            return None
        return replace(condition, conditions=tuple(one for one in parts if one))
    if isinstance(condition, WindowOpen) and _HERE.fullmatch(condition.title):
        opened = next((s.what for s in reversed(before) if isinstance(s, Open)), None)
        if (dialog := dialog_before(before)) is not None:
            return Shows(dialog)
        return WindowOpen(opened) if opened else None
    if isinstance(condition, Is) and _is_program(condition, before):
        return WindowOpen(condition.what)
    what = getattr(condition, "what", None)
    if isinstance(condition, Shows) and (said := quoted_before(condition.what, before)):
        return Shows(said)
    if not isinstance(what, str):
        return condition
    thing = spoken_of(before) if _HERE.fullmatch(what) else refer(what, before)
    if thing is None or thing == what:
        return None if thing is None else condition
    return replace(condition, what=thing)  # type: ignore[call-arg]


def _is_program(condition: Is, before: list[Step]) -> bool:
    """验证 mousepad 已关闭: of a program that was opened, or closed, its window is meant."""
    opened = [s.what for s in before if isinstance(s, Open)]
    closed = [s.what for s in before if isinstance(s, Perform) and s.verb == "close" and s.what]
    names = {name.strip('"').casefold() for name in opened + closed}
    return condition.state == "checked" and condition.what.strip('"').casefold() in names


def _there(step: Step, before: list[Step]) -> Step:
    """`move all mails there`: to what was spoken of before them."""
    inner = step.body[0] if isinstance(step, ForEach) and len(step.body) == 1 else step
    if not isinstance(inner, Drag) or inner.onto != "there":
        return step
    thing = spoken_of(before)
    if thing is None:
        return _lost(step)
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


def _all_of_them(step: Step, before: list[Step]) -> Step:
    """`disable them all`: each of what was spoken of before."""
    if isinstance(step, Perform | Point) and step.what and _ALL_OF_THEM.fullmatch(step.what):
        body: Step = replace(step, what=f"{{{EACH}}}")
    elif isinstance(step, Tick) and len(step.what) == 1 and _ALL_OF_THEM.fullmatch(step.what[0]):
        body = replace(step, what=(f"{{{EACH}}}",))
    else:
        return step
    thing = spoken_of(before)
    if thing is None:
        return _lost(step)
    return ForEach(
        EACH, (body,), every=re.sub(r"^the\s+", "", thing), words=step.words, line=step.line
    )


def _rest(step: Step, before: list[Step]) -> Step:
    """`everything else` is all but what earlier loops were about."""
    if isinstance(step, ForEach) and step.every == "everything else":
        but = tuple(s.every for s in before if isinstance(s, ForEach) and s.every)
        return replace(step, every="everything", but=but)
    return step


def _meant(phrase: str | None, before: list[Step], place: str | None = None) -> str | None:
    """What the phrase stands for; the phrase itself when it is no pronoun."""
    if phrase is None or (phrase := refer_zh(phrase, before)) is None:
        return None
    thing = spoken_of(before)
    if _HERE.fullmatch(phrase) or phrase == f"{{{IT}}}":
        return thing
    said = _THE.fullmatch(phrase)
    if said and thing and thing != phrase and re.search(rf"\b{said['noun']}\b", thing):
        found = next((s for s in reversed(before) if isinstance(s, Find)), None)
        return found.what if found and found.what == thing else phrase
    return refer(phrase, before, place)


_MANY = re.compile(r"them|these|those|all of them|it|the selection", re.IGNORECASE)


def _nowhere(step: Step, before: list[Step]) -> Step:
    """`open X and write in it`, `pick A out of them`: where the keyboard is, from what is there."""
    last = before[-1] if before else None
    if isinstance(step, Enter | Paste) and isinstance(last, Open):
        return replace(step, into=None) if _HERE.fullmatch(step.into or "") else step
    if isinstance(step, Choose) and _HERE.fullmatch(step.source or ""):
        # What was only looked at is still to be opened; what was clicked is open.
        seen = isinstance(last, Scroll | Find | Check | Wait) and step.source == "it"
        return replace(step, source=spoken_of(before) if seen else None)
    return step


_BACK = ("it", "them", "him", "her")


def _referring(step: Step, before: list[Step]) -> Step:
    step = _nowhere(step, before)
    if isinstance(step, Enter | Paste | PickDate | PickTime) and step.into is not None:
        return _filled(step, "into", step.into, before)
    if isinstance(step, Compute):
        return _filled(step, "what", step.what, before) if _HERE.fullmatch(step.what) else step
    if isinstance(step, Drag) and step.onto is not None and _HERE.fullmatch(step.onto):
        return _filled(step, "onto", step.onto, before)
    if isinstance(step, Point | Highlight | Drag | Read | Find | Change | Expand | Open):
        return _filled(step, "what", step.what, before)
    if isinstance(step, Perform) and any(text.lower() in _BACK for _, text in step.details):
        thing = spoken_of(before)
        if thing is None:
            return _lost(step)
        told = tuple(
            (word, thing.strip('"') if text.lower() in _BACK else text)
            for word, text in step.details
        )
        step = replace(step, details=told)
    if isinstance(step, Clear | Copy | Perform | SetValue) and step.what is not None:
        if isinstance(step, Copy | Perform) and _needs_none(step, before):
            return replace(step, what=None)
        return _filled(step, "what", step.what, before)
    if isinstance(step, Choose):
        return _chosen(step, before)
    if isinstance(step, Tick) and len(step.what) == 1:
        meant = _meant(step.what[0], before)
        return _lost(step) if meant is None else replace(step, what=(meant,))
    return step


def _needs_none(step: Copy | Perform, before: list[Step]) -> bool:
    """Whether it is done to what is selected, or to what is in front."""
    what = step.what or ""
    if _MANY.fullmatch(what) and selected(before):
        return True
    if not isinstance(step, Perform):
        return False
    if finishes(step, before) or (bool(_HERE.fullmatch(what)) and _of_front(before)):
        return True
    # Of what is in front, where nothing else was spoken of: what cannot be undone must be named.
    front = re.fullmatch(r"it|this", what, re.IGNORECASE) and not before
    return bool(front) and step.verb not in _FOR_GOOD


_FOR_GOOD = ("delete", "remove", "discard", "erase", "buy", "pay", "order", "terminate", "kill")


def _chosen(step: Choose, before: list[Step]) -> Step:
    """`choose X from the list beneath it`."""
    if step.source and re.search(r"\s(?:it|them)$", step.source):
        source = _meant(step.source, before, step.place)
        step = replace(step, source=source or step.source)
    if len(step.options) != 1:
        return step
    meant = _meant(step.options[0], before)
    return _lost(step) if meant is None else replace(step, options=(meant,))


def _of_front(before: list[Step]) -> bool:
    """Whether only parts of what is in front were spoken of: `set its priority, assign it to`."""
    parts = [s for s in before if re.match(r"(?:its|their)\s", str(getattr(s, "what", "")))]
    return bool(parts) and spoken_of(before) is None


def _filled(step: Step, name: str, phrase: str, before: list[Step]) -> Step:
    meant = _meant(phrase, before, step.place)
    if isinstance(step, Open) and meant and re.fullmatch(r'"[^"]+"', meant):
        meant = meant.strip('"')
    if meant is None:
        return _lost(step)
    return step if meant == phrase else replace(step, **{name: meant})  # type: ignore[arg-type]


def _all_words(step: Step) -> str:
    """What was said of a step, with its place where that was said apart."""
    apart = step.place and step.place not in step.words
    return f"in {step.place}, {step.words}" if apart else step.words


def _lost(step: Step) -> Unclear:
    return Unclear(
        why=f"“{_all_words(step)}”: nothing was named before that “it” could stand for",
        words=step.words,
        line=step.line,
    )


def _pasted(step: Step, before: list[Step]) -> Step:
    """`read X as NAME and paste it into Y`: nothing was copied but what is remembered."""
    if not isinstance(step, Paste) or any(_copies(one) for one in before):
        return step
    read = next((one for one in reversed(before) if isinstance(one, Read | Compute)), None)
    if read is None:
        return step
    return Enter(f"{{{read.name}}}", step.into, words=step.words, line=step.line, place=step.place)


def _copies(step: Step) -> bool:
    """Whether it may fill the clipboard."""
    keys = isinstance(step, Press) and {"ctrl+c", "ctrl+x"} & set(step.chords)
    named = re.search(r"\b(?:copy|cut)\b", step.words, re.IGNORECASE)
    return isinstance(step, Copy) or bool(keys) or named is not None


def _typed(step: Step, before: list[Step]) -> Step:
    """`type it`: what was copied, found, or typed before."""
    step = _pasted(step, before)
    if not isinstance(step, Enter) or step.text != f"{{{IT}}}":
        return step
    for index in range(len(before) - 1, -1, -1):
        earlier = before[index]
        if isinstance(earlier, Read | Compute | Run) and earlier.name:
            return replace(step, text=f"{{{earlier.name}}}")
        if isinstance(earlier, Copy):
            return Paste(step.into, words=step.words, line=step.line, place=step.place)
        if isinstance(earlier, Find):
            before[index] = Read(
                earlier.what, IT, words=earlier.words, line=earlier.line, place=earlier.place
            )
            return step
        if isinstance(earlier, Enter) and earlier.text != f"{{{IT}}}":
            return replace(step, text=earlier.text)
        if isinstance(earlier, Let):
            return replace(step, text=earlier.text)
        if earlier == Point(step.into or ""):
            continue
        if isinstance(earlier, Point) and re.fullmatch(r"\{\w+\}", earlier.what):
            return replace(step, text=earlier.what)
    return _lost(step)
