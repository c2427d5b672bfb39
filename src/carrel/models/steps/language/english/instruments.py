"""English words about the thing that something is done with: a menu, a slider, a button."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from carrel.models.steps.language.atoms import ANY, QUOTE
from carrel.models.steps.language.english.pointer import PATH
from carrel.models.steps.language.english.reader import Reader
from carrel.models.steps.language.numbers import times
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.language.words import verb_at
from carrel.models.steps.program import (
    Change,
    Choose,
    Highlight,
    Perform,
    Point,
    Run,
    SetValue,
    Step,
    Unclear,
)

__all__ = ["by_control", "by_instrument", "clicked_for"]

_CUT = re.compile(
    r"[\s,]+(?P<word>with the help of|by means of|by way of|by using|with|using|via|through|from|"
    r"in|on|under)\s+(?=\S)",
    re.IGNORECASE,
)
_CLEARLY = ("with the help of", "by means of", "by way of", "by using", "using", "via", "through")
# What these are done to is told by what it has: "click the card with the star icon".
_TOLD_BY = frozenset(
    [
        "click",
        "press",
        "double",
        "right",
        "middle",
        "triple",
        "hover",
        "focus",
        "keep",
        "choose",
        "enter",
        "append",
        "verify",
        "wait",
        "read",
        "find",
        "drag",
        "move",
        "highlight",
        "goto",
        "open",
        "tell",
        "say",
        "perform",
        "answer",
        "scroll",
        "switch",
        "named",
    ]
)


@dataclass(frozen=True, slots=True)
class _Means:
    """One way to cut a clause.

    Attributes:
        goal: What is to be done.
        meaning: Of its verb.
        surface: The verb as it is written.
        what: What it is done to.
        word: What joins them.
        thing: What it is done with.
    """

    goal: str
    meaning: str
    surface: str
    what: str
    word: str
    thing: str

    @property
    def clearly(self) -> bool:
        """Whether the word between them can only mean a way to do it."""
        return self.word in _CLEARLY

    @property
    def is_own(self) -> bool:
        """Whether it is an application's own verb."""
        like = self.surface.lower() in ("insert", "extract", "get")
        return self.meaning.startswith("own:") or like


_Kind = Callable[[_Means, Talk, Reader], list[Step] | None]


def by_instrument(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Export it via File > Export`, `set the volume to 40 with the slider`; None otherwise."""
    kinds = (_by_command, _by_path, _by_mouse, _by_gauge, _by_menu, _often_or_file)
    return _with_any(text, kinds, talk, read)


def by_control(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Collapse the pane with the arrow at its bottom`: that is clicked; None otherwise."""
    return _with_any(text, (_clicked,), talk, read)


_UNKNOWN = re.compile(
    r"(?:^|(?<=\bthen )|(?<=\band ))(?P<goal>(?!the\b|an?\b|there\b|this\b|that\b|it\b)[A-Za-z]+\s+"
    r"(?:it|them|(?:the|my|this|that|its)\s[\w ]+?)(?:\s+(?:out|off|up|down|in|away|back|over))?)"
    r"[\s,]+(?:with the help of|by means of|by using|with|using|via|through)\s+"
    r"(?=(?:the|its)\s(?:(?!\s(?:and|then)\s)[^,;.])*?\b(?:button|icon|link|switch|toggle)\b)",
    re.IGNORECASE,
)


def clicked_for(text: str, talk: Talk) -> str:
    """`Grey it out with the Toggle button`: whatever that word means, the control does it."""

    def plain(found: re.Match[str]) -> str:
        if verb_at(found["goal"]) is not None or re.search(QUOTE, found["goal"]):
            return found[0]
        talk.put_aside(found[0])
        return "click "

    return _UNKNOWN.sub(plain, text)


def _with_any(text: str, kinds: Sequence[_Kind], talk: Talk, read: Reader) -> list[Step] | None:
    for cut in reversed(list(_CUT.finditer(text))):
        goal, thing = text[: cut.start()], text[cut.end() :]
        verb = verb_at(goal)
        if verb is None or re.search(r"\b(?:and|or|not|is|are)$|\sby\s\w+ing\b", goal):
            continue
        means = _Means(goal, verb[0], verb[1], verb[2], cut["word"].lower(), thing)
        for kind in kinds:
            steps = kind(means, talk, read)
            if steps is not None:
                words = talk.atoms.original(text)
                talk.put_aside(cut["word"])
                return [replace(step, words=words) for step in steps]
    return None


_COMMAND = re.compile(
    r"(?:the command\s+)?(?P<command>(?:ls|cat|grep|mkdir|rmdir|rm|cp|mv|touch|pwd|ps|tail|head|"
    r"chmod|chown|tar|df|du|curl|wget|git|ssh|apt|pip|npm|wc|uname|whoami)"
    r"(?:\s+(?:-\S+|[\w./~*-]*[./~*]\S*|[\ue000-\uf8ff]))*)"
)


def _by_command(means: _Means, talk: Talk, read: Reader) -> list[Step] | None:
    """`list the files with ls -lt`: the command does it."""
    found = _COMMAND.fullmatch(means.thing)
    if found is None or means.word not in ("with", *_CLEARLY):
        return None
    talk.put_aside(means.goal)
    return [Run(talk.atoms.original(found["command"]))]


def _by_path(means: _Means, talk: Talk, read: Reader) -> list[Step] | None:
    """`via File > Export`: that is the way through the menus."""
    thing = re.sub(r"^(?:the\s+)?menus?\s+(?=[A-Z])", "", means.thing)
    parts = PATH.split(thing)
    named = all(re.match(rf"[A-Z]|{ANY}", part) for part in parts)
    if len(parts) < 2 or not named or means.meaning in _TOLD_BY - {"find", "goto", "open"}:
        return None
    path = [talk.phrase(part) for part in parts]
    way = Choose(tuple(path), path=True)
    if means.meaning == "make" and (means.word in _DOES_IT or _is_unclear(read(means.goal, talk))):
        return _for_look(means, [way], talk, read)
    if means.meaning in ("tick", "untick", "toggle", "set", "make"):
        # What is switched or set is found where the way leads, and is no step of the way.
        return [way, *read(means.goal, talk)]
    if re.search(rf"{ANY}|\s(?:as|to)\s", means.what):
        # A name or a value goes with it; the way there is left to the hands.
        talk.put_aside(thing)
        return read(means.goal, talk)
    talk.put_aside(means.goal)
    return [way]


_DOES_IT = ("with", "using", "by using", "by means of", "with the help of")
_SELECTED = re.compile(
    r"(?:it|this|that|them|(?:the|my|this)\s+(?:(?:[\w-]+\s+)?selection|selected\s.+|marked\s.+|"
    r"highlighted\s.+))",
    re.IGNORECASE,
)


# "turn the last line into a list": a part of a text, which has to be selected.
_PART = re.compile(
    r"(?P<what>(?:the|this|my)\s(?:[\w-]+\s)*?(?:paragraphs?|lines?|sentences?|words?|heading|title|passage|text)"
    rf"(?:\s(?:{QUOTE}|(?:of|in|on|from)\s.+?))?|{QUOTE})\s+(?:in)?to\s+\S.*",
    re.IGNORECASE,
)
_GRIP = re.compile(r"(?:the|its)\s(?:.*\b)?(?:handle|grip|corner|edge|border)\b.*", re.IGNORECASE)


def _is_unclear(steps: list[Step]) -> bool:
    return any(isinstance(step, Unclear) for step in steps)


def _for_look(means: _Means, way: list[Step], talk: Talk, read: Reader) -> list[Step]:
    """What makes something look so is done to what is selected, or is selected for it."""
    looks = [one.what for one in read(means.goal, talk) if isinstance(one, Change)]
    part = _PART.fullmatch(means.what)
    what = looks or ([talk.phrase(part["what"])] if part else [])
    talk.put_aside(means.goal)
    if len(what) != 1 or _SELECTED.fullmatch(what[0]):
        return way
    return [Highlight(what[0]), *way]


_MOUSE = re.compile(
    r"(?:(?:the|your)\s+(?P<which>middle|right|left)\s+(?:mouse\s+)?button|an?\s+(?P<how>double|"
    r"right|middle|single|left)[- ]click|(?P<hand>(?:the|your)\s+(?:mouse(?: wheel| pointer)?|"
    r"keyboard|touch ?pad|track ?pad|scroll wheel)|(?:one|a)\s+(?:single\s+)?click))"
    r"(?:\s+on\s+it)?",
    re.IGNORECASE,
)


def _by_mouse(means: _Means, talk: Talk, read: Reader) -> list[Step] | None:
    """`with the middle mouse button`, `with a double-click`."""
    found = _MOUSE.fullmatch(means.thing)
    if found is None or means.word in ("from", "in", "on", "under"):
        return None
    if found["hand"]:
        talk.put_aside(means.thing)
        return read(means.goal, talk)
    if not means.what:
        return None
    how = (found["which"] or found["how"]).lower()
    talk.put_aside(means.surface)
    lead = "click" if how in ("left", "single") else f"{how}-click"
    return read(f"{lead} {means.what}", talk)


_LEVEL = re.compile(
    r"\S+\s+(?P<what>(?:the|my|your|its)\s.+?)\s+(?:from\s+\S+\s+)?(?-i:to)\s+(?P<value>\S.*)",
    re.IGNORECASE,
)
_GAUGE = re.compile(
    r"(?:the|its|a)\s+(?P<lead>(?:[\w-]+\s+)*?)(?P<kind>sliders?|drop-?down(?:\s+(?:list|menu))?|"
    r"spinner|wheel|knob|dial|list|combo ?box|picker|stepper|field|box|selector|gauge)"
    r"(?P<rest>\s+(?:in|on|at|under|below|next to|beside|above|of|to)\s.+)?",
    re.IGNORECASE,
)
_ARROWS = re.compile(
    r"(?:the\s+)?(?:(?:up|down|left|right)\s+)?(?:(?:and|or)\s+(?:up|down|left|right)\s+)?"
    r"(?:arrow|cursor)(?:\s+keys?|s)?",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?:(?:a range\s+)?(?:of|between|from)\s+)?(?P<low>[^\w\s]?\d[\d.,]*)\s*(?:and|to|-|–)\s*"
    r"(?P<high>[^\w\s]?\d[\d.,]*)(?:\s+(?:euros?|dollars?|pounds?|percent|%|€|\$))?",
    re.IGNORECASE,
)


def _by_gauge(means: _Means, talk: Talk, read: Reader) -> list[Step] | None:
    """`set the volume to 40 % using the slider in the corner`: the one for the volume."""
    level = _LEVEL.fullmatch(means.goal)
    if level is None or means.meaning in _TOLD_BY | {"copy", "paste"} or means.is_own:
        return None
    if _ARROWS.fullmatch(means.thing) and means.clearly:
        talk.put_aside(means.thing)
        return read(means.goal, talk)
    found = _GAUGE.fullmatch(means.thing)
    loose = means.word in ("in", "on", "under", "from")
    if found is None or (loose and not re.match(r"drop|list|combo|pick", found["kind"])):
        return None
    rest = talk.phrase(found["rest"]) if found["rest"] else ""
    if found["kind"].lower() == "sliders" and (span := _RANGE.fullmatch(level["value"])):
        talk.put_aside(f"{means.goal} {means.thing}")
        return [
            SetValue(f"the {nth} slider {rest}".strip(), span[end].strip())
            for nth, end in (("first", "low"), ("second", "high"))
        ]
    noun = re.sub(r"^(?:the|my|your|its)\s+", "", talk.phrase(level["what"]))
    lead = found["lead"].strip() or noun
    talk.put_aside(noun)
    value = re.sub(r"^(?:about|around|roughly|approximately)\s+(?=\S?\d)", "", level["value"])
    talk.put_aside(level["value"])
    return [SetValue(f"the {lead} {found['kind']} {rest}".strip(), talk.text(value))]


_MENU = re.compile(
    r"(?P<whose>the|its|their|a)\s+(?:.*\s)?menu"
    r"(?:\s+(?:in|at|on|of|behind|next to|beside|with)\s.+)?",
    re.IGNORECASE,
)
# What is in front; of another thing the goal would say which.
_FRONT = re.compile(
    r"(?:(?:it|this|that|them|(?:the|this|that|any|my)\s+(?:[\w-]+\s+){0,2}(?:dialog|pop-?up|"
    r"window|menu|modal|banner|message|notification|toast|alert|page|form|app|application|program|"
    r"view|panel|editor|prompt|tab|account|session))?)(?:\s*(?:again|here))?",
    re.IGNORECASE,
)


def _by_menu(means: _Means, talk: Talk, read: Reader) -> list[Step] | None:
    """`Log out via the avatar menu`, `pin it from its menu`: what the menu has under that name."""
    found = _MENU.fullmatch(means.thing)
    if found is None or means.word in ("with", "in", "on", "under"):
        return None
    verb = re.sub(r"\w+", lambda m: m[0].capitalize(), means.surface, count=1)
    source = re.sub(r"^(?:its|their|a)\s", "the ", talk.phrase(means.thing), flags=re.IGNORECASE)
    own = found["whose"].lower() != "the"
    if mode := _MODE.fullmatch(means.goal):
        talk.put_aside(means.goal[: mode.start("what")])
        return [Choose((talk.phrase(mode["what"]),), source)]
    if means.meaning in ("tick", "untick", "toggle") and means.what:
        return [Choose((talk.phrase(means.what),), source)]
    if not means.is_own:
        return None
    if re.search(rf"{QUOTE}|\s(?:as|to|with|called|named)\s", means.what):
        # With particulars of its own: the menu is where that is offered.
        steps = read(means.goal, talk)
        plain = len(steps) == 1 and isinstance(steps[0], Perform) and steps[0].place is None
        return [replace(steps[0], place=source)] if plain else None
    talk.put_aside(means.goal)
    here = re.fullmatch(r"(?P<what>.*?)\s*\b(?P<where>here)?", means.what)
    what = here["what"] if here else means.what
    name = f"{verb} {here['where']}" if here and here["where"] else verb
    if re.search(r"\bcontext menu$", means.thing, re.IGNORECASE) and what:
        return [Point(talk.phrase(what), how="right"), Choose((name,), source)]
    if own:
        return [Choose((name,), source, place=talk.phrase(what) if what else None)]
    if _FRONT.fullmatch(what):
        return [Choose((name,), source)]
    steps = read(means.goal, talk)
    plain = len(steps) == 1 and isinstance(steps[0], Perform) and steps[0].place is None
    return [replace(steps[0], place=source)] if plain else None


_MODE = re.compile(
    r"(?:switch|set|change|turn)\s+(?:.+?\s+)?(?:in)?to\s+(?P<what>\S.*)", re.IGNORECASE
)
_CONTROL = re.compile(
    r"(?:the|its|that)\s+(?:.*\b)?(?:button|icon|link|arrow|x|cross|toggle|plus|minus|sign|symbol|"
    r"chevron|triangle|handle|gear|pencil|bin|star|heart|flag|bell|cog|cogwheel|magnifier|dots|"
    r"lens|crosshair|eye|lock|shortcut|entry|option|command|trash can|floppy disk|paper ?clip)\b"
    rf"(?!\s+keys?\b).*|{QUOTE}|(?-i:[A-Z]{{1,3}})",
    re.IGNORECASE,
)
_BY_FILE = re.compile(r"(?:(?:the|a)\s+)?(?:file\s+)?(?P<file>\S+\.\w{1,5}|[\ue000-\ue7ff])")
_CLICKED = frozenset(
    ("copy", "submit", "close", "expand", "collapse", "reload", "sort", "clear", "navigate", "make")
)


def _controls(means: _Means) -> tuple[str, str, int] | None:
    """The goal, what it is about, and how often; None where the thing is no control for it."""
    if not _CONTROL.fullmatch(means.thing) or means.word in ("from", "in", "on", "under"):
        return None
    goal, count = times(means.goal)
    verb = verb_at(goal)
    does = means.is_own or means.meaning in _CLICKED
    if verb is None or means.meaning in _TOLD_BY or not (does or means.clearly):
        return None
    if re.search(QUOTE, verb[2]) and re.search(r"\s(?:as|to|called|named|with)\s", verb[2]):
        return None
    return goal, verb[2], count


def _often_or_file(means: _Means, talk: Talk, read: Reader) -> list[Step] | None:
    """`Zoom in twice with the plus button`, `upload a.jpg with the Browse button`."""
    control = _controls(means)
    if control is None:
        return None
    goal, what, count = control
    file = _BY_FILE.fullmatch(what)
    if file and means.meaning in ("own:upload", "own:attach", "own:import", "own:load"):
        talk.put_aside(means.surface)
        return [*read(f"click {means.thing}", talk), Choose((talk.phrase(file["file"]),))]
    if count > 1 and (_FRONT.fullmatch(what) or means.clearly):
        talk.put_aside(goal)
        return read(f"click {means.thing} {count} times", talk)
    return None


def _clicked(means: _Means, talk: Talk, read: Reader) -> list[Step] | None:
    control = _controls(means)
    pressed = means.is_own and re.search(r"\b(?:button|arrows?)\b", means.thing, re.IGNORECASE)
    if control is None or not (means.clearly or means.meaning in _CLICKED or pressed):
        return None
    goal, what, _ = control
    if means.meaning == "make" and _GRIP.fullmatch(means.thing):
        # What is made larger by its corner is dragged there; the hands know the corners.
        talk.put_aside(means.thing)
        return read(means.goal, talk)
    if means.meaning == "make":
        return _for_look(means, read(f"click {means.thing}", talk), talk, read)
    if _LEVEL.fullmatch(goal) and means.meaning != "copy":
        return None
    talk.put_aside(goal)
    what = re.sub(r"\s+(?:to the clipboard|as\s\S+|again)$", "", what)
    return read(f"click {_of(means.thing, what, talk)}", talk)


_ITS = re.compile(r"\b(?:its|their)\s+(?P<noun>\w+)", re.IGNORECASE)


def _of(thing: str, what: str, talk: Talk) -> str:
    """The control, where `its` and `it` are what the goal was about."""
    if not what or not re.search(r"\b(?:its?|their|them)\b", thing):
        return thing
    whose = talk.atoms.mask(f"[{talk.phrase(what)}]")
    if re.match(r"its\s", thing, re.IGNORECASE):
        return f"the {thing[4:]} in {whose}"
    owned = _ITS.sub(lambda m: f"the {m['noun']} of {whose}", thing)
    return re.sub(r"\b(?:it|them)\b", lambda _: whose, owned)
