"""Steps written back as words: canonical English that reads as the same steps again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from carrel.errors import InvalidInput
from carrel.models.steps import program as p
from carrel.models.steps.language.atoms import quoted
from carrel.models.steps.language.dates import iso_date
from carrel.models.steps.language.file import read_file
from carrel.models.steps.language.sentence import read_text
from carrel.models.steps.language.talk import EACH
from carrel.models.steps.language.words import OWN
from carrel.models.steps.language.writing_conditions import Say, plain, say_condition, wrapped

__all__ = ["write_program", "write_step"]

_INDENT = "    "


def write_step(step: p.Step) -> str:
    """The step in canonical English; several lines when it has a body.

    Raises:
        InvalidInput: It holds what no words can say, or it is `Unclear`.
    """
    return "\n".join(_lines(step, 0))


def write_program(program: p.Program) -> str:
    """The program as a file of steps."""
    head = [f"title: {program.title}"] if program.title else []
    return "\n".join([*head, *(line for step in program.steps for line in _lines(step, 0))]) + "\n"


def _lines(step: p.Step, depth: int) -> list[str]:
    margin = _INDENT * depth
    if isinstance(step, p.If | p.Repeat | p.ForEach):
        margin += f"in {wrapped(step.place)}, " if step.place else ""
    if isinstance(step, p.If):
        lines = [f"{margin}if {say_condition(step.condition)}", *_body(step.then, depth)]
        if step.otherwise:
            lines += [f"{_INDENT * depth}else", *_body(step.otherwise, depth)]
        return lines
    if isinstance(step, p.Repeat):
        head = f"until {say_condition(step.until)}" if step.until else f"{step.times or 1} times"
        return [f"{margin}repeat {head}", *_body(step.body, depth)]
    if isinstance(step, p.ForEach):
        return [f"{margin}for each {_loop(step)}", *_body(step.body, depth)]
    if isinstance(step, p.Worded):
        # No other words are known for it.
        return [margin + step.words]
    return [margin + _line(step)]


def _body(steps: Sequence[p.Step], depth: int) -> list[str]:
    return [line for step in steps for line in _lines(step, depth + 1)]


def _loop(step: p.ForEach) -> str:
    name = f"{step.name} in "
    if step.items:
        return name + ", ".join(quoted(item) for item in step.items)
    head = (name if step.name != EACH else "") + wrapped(step.every or "")
    if step.but:
        head += " except " + " and ".join(wrapped(one) for one in step.but)
    if step.order != "reading":
        head += f" in {step.order} order"
    return head + (f", at most {step.limit}" if step.limit is not None else "")


def _line(step: p.Step) -> str:
    """In plain words when they read as this step again, else with every phrase in brackets."""
    writer = _WRITERS.get(type(step))
    if writer is None:
        raise InvalidInput(f"a step of kind {type(step).__name__} has no words", op="steps.write")
    for say in (plain, wrapped):
        place = f"in {say(step.place)}, " if step.place else ""
        line = place + writer(step, say)
        if say is wrapped or _same(line, step):
            return line
    raise AssertionError("unreachable")


def _same(line: str, step: p.Step) -> bool:
    if "\n" in line:
        return False
    try:
        read = [one for program in read_file(line) for one in program.steps]
    except InvalidInput:
        # A name in it may be given by another step.
        read = read_text(line)
    return [replace(one, words="", line=0) for one in read] == [replace(step, words="", line=0)]


def _point(step: p.Point, say: Say) -> str:
    if step.stay:
        return f"keep the mouse over {say(step.what)}"
    verb = {"click": "click", "hover": "hover over"}.get(step.how, f"{step.how}-click")
    held = f" holding {'+'.join(step.held)}" if step.held else ""
    return f"{verb} {say(step.what)}{held}" + (f" {step.times} times" if step.times > 1 else "")


def _into(phrase: str | None, say: Say, word: str = "into") -> str:
    return f" {word} {say(phrase)}" if phrase is not None else ""


def _enter(step: p.Enter, say: Say) -> str:
    verb, word = ("append", "to") if step.append else ("type", "into")
    return f"{verb} {quoted(step.text)}{_into(step.into, say, word)}"


def _several(phrases: Sequence[str], said: str, say: Say) -> str:
    if said and say is plain:
        return said
    words = [say(phrase) for phrase in phrases]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def _choose(step: p.Choose, say: Say) -> str:
    if not step.options:
        return "choose nothing"
    if step.path:
        path = " > ".join(say(one) for one in step.options)
        return f"choose {path}{_into(step.source, say, 'from')}"
    return f"choose {_several(step.options, step.said, say)}{_into(step.source, say, 'from')}"


def _tick(step: p.Tick, say: Say) -> str:
    verb = "tick" if step.on else "untick"
    return f"{verb} {_several(step.what, step.said, say)}" if step.what else f"{verb} nothing"


def _day(step: p.PickDate) -> str:
    """As it was said, unless only what stood beside it told which day that is."""
    return step.text if iso_date(step.text) in (step.iso, None) else step.iso


def _set(step: p.SetValue, say: Say) -> str:
    what = f"{say(step.what)} " if step.what is not None else ""
    if step.relative:
        down = step.value.startswith("-")
        return f"{'decrease' if down else 'increase'} {what}by {step.value.lstrip('+-')}"
    return f"set {what}to {quoted(step.value)}"


_SPOKEN = {",": "comma", " ": "space"}


def _press(step: p.Press, say: Say) -> str:
    chords = ", ".join(_SPOKEN.get(chord, chord) for chord in step.chords)
    return f"press the keys {chords}" + (f" {step.times} times" if step.times > 1 else "")


def _scroll(step: p.Scroll, say: Say) -> str:
    where = _into(step.where, say, "in")
    if step.until is not None:
        return f"scroll {step.direction} until {say(step.until)} is visible{where}"
    if step.amount == "end":
        end = {"up": "top", "down": "bottom"}.get(step.direction, step.direction)
        return f"scroll to the {end}" + _into(step.where, say, "of")
    count = f" {step.amount} times" if step.amount is not None else ""
    return f"scroll {step.direction}{count}{where}"


def _drag(step: p.Drag, say: Say) -> str:
    what = f"drag {say(step.what)}"
    if step.by is not None:
        return f"{what} by ({step.by[0]}, {step.by[1]})"
    if step.direction is not None:
        places = f" by {step.places} places" if step.places is not None else ""
        return f"{what} {step.direction}{places}"
    return f"{what} to {say(step.onto or '')}"


def _draw(step: p.Draw, say: Say) -> str:
    return f"draw {say(step.what)}{_into(step.where, say, step.how)}"


def _resize(step: p.Resize, say: Say) -> str:
    words = {
        ("width", "larger"): "wider", ("width", "smaller"): "narrower",
        ("height", "larger"): "taller", ("height", "smaller"): "shorter",
    }  # fmt: skip
    return f"resize {say(step.what)} to be {words.get((step.side, step.how), step.how)}"


def _complete(step: p.Complete, say: Say) -> str:
    parts = [
        f"{word} {quoted(text)}"
        for word, text in (
            ("starts with", step.starts),
            ("ends with", step.ends),
            ("contains", step.contains),
        )
        if text
    ]
    return f"enter an entry that {' and '.join(parts)}{_into(step.into, say)}"


def _wait(step: p.Wait, say: Say) -> str:
    if step.until is not None:
        most = f" up to {step.seconds:g} seconds" if step.seconds else ""
        return f"wait{most} until {say_condition(step.until, say)}"
    if step.seconds is None:
        return "wait until the page has loaded"
    return f"wait {step.seconds:g} seconds"


_SUMS = {
    "count": "number",
    "sum": "sum",
    "difference": "difference",
    "product": "product",
    "average": "average",
    "greatest": "greatest",
    "least": "least",
    "solve": "solution",
}


def _compute(step: p.Compute, say: Say) -> str:
    return f"remember the {_SUMS[step.how]} of {say(step.what)} as {step.name}"


def _perform(step: p.Perform, say: Say) -> str:
    known = step.verb in OWN
    thing = "" if step.what is None else f" {'' if known else 'on '}{say(step.what)}"
    details = ", ".join(f"{word}: {quoted(text)}" for word, text in step.details)
    return (
        (step.verb if known else f"perform {quoted(step.verb)}")
        + thing
        + (f" ({details})" if details else "")
    )


def _fill(step: p.Fill, say: Say) -> str:
    return f"enter the value for each field{_into(step.source, say, 'from')}{_into(step.into, say)}"


def _named(step: p.Run, say: Say) -> str:
    return f"run {quoted(step.command)}" + (f" as {step.name}" if step.name else "")


def _go(step: p.GoTo, say: Say) -> str:
    return f"go to {step.url}" if say is plain else f"visit the page {quoted(step.url)}"


def _open(step: p.Open, say: Say) -> str:
    if step.using:
        return f"open {quoted(step.what)} with the app {quoted(step.using)}"
    return f"open {step.what}" if say is plain else f"open the app {quoted(step.what)}"


def _close(step: p.CloseWindow, say: Say) -> str:
    told = {True: " and save", False: " without saving", None: ""}[step.saving]
    return "close the window" + (f" {quoted(step.title)}" if step.title else "") + told


_WRITERS: dict[type[p.Step], Callable[..., str]] = {
    p.Point: _point,
    p.Enter: _enter,
    p.Clear: lambda s, say: "clear" + (f" {say(s.what)}" if s.what else ""),
    p.Choose: _choose,
    p.Tick: _tick,
    p.PickDate: lambda s, say: f"choose the date {_day(s)}{_into(s.into, say, 'in')}",
    p.PickTime: lambda s, say: f"choose the time {s.text}{_into(s.into, say, 'in')}",
    p.SetValue: _set,
    p.Press: _press,
    p.Scroll: _scroll,
    p.Drag: _drag,
    p.Draw: _draw,
    p.Resize: _resize,
    p.Sort: lambda s, say: f"sort {say(s.what)} in {s.order} order",
    p.Expand: lambda s, say: f"{'expand' if s.on else 'collapse'} {say(s.what)}",
    p.Complete: _complete,
    p.Highlight: lambda s, say: f"highlight {say(s.what)}",
    p.Wait: _wait,
    p.Copy: lambda s, say: "copy" + (f" {say(s.what)}" if s.what else ""),
    p.Paste: lambda s, say: f"paste{_into(s.into, say)}",
    p.SwitchTo: lambda s, say: f"switch to {quoted(s.title)}",
    p.CloseWindow: _close,
    p.GoTo: _go,
    p.Navigate: lambda s, say: {"back": "go back", "forward": "go forward", "reload": "reload"}[
        s.how
    ],
    p.Open: _open,
    p.Run: _named,
    p.Read: lambda s, say: f"read {say(s.what)} as {s.name}",
    p.Find: lambda s, say: f"find {say(s.what)}",
    p.Compute: _compute,
    p.Answer: lambda s, say: f"{'tell me' if s.aloud else 'answer'} {quoted(s.text)}",
    p.Perform: _perform,
    p.Let: lambda s, say: f"set {s.name} = {quoted(s.text)}",
    p.Change: lambda s, say: f"give {say(s.what)} the style {quoted(s.into)}",
    p.Fill: _fill,
    p.Submit: lambda s, say: "submit",
    p.Check: lambda s, say: f"verify that {say_condition(s.condition, say)}",
}
