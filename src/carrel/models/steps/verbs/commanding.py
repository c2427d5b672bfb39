"""Working with files in a terminal that is on the screen, by the commands it understands."""

from __future__ import annotations

import re
from collections.abc import Mapping

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Perform
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.roles import Kind, kind_of

__all__ = ["command_in", "files_in", "is_in_terminal", "which_file"]

_TERMINAL = re.compile(
    r"\b(?:terminal|console|shell|command (?:line|prompt))\b|终端", re.IGNORECASE
)
_COMMANDS: Mapping[str, str] = {
    "delete": "rm {}",
    "remove": "rm {}",
    "show": "cat {}",
    "view": "cat {}",
}
_FILE = re.compile(r"(?:an?|the|any|one) file\b\s*(?P<rest>.*)", re.IGNORECASE)
_PROMPT = re.compile(r"^\s*(?:\S*[$#>%])\s*|^\s*(?:\S+@\S+)")
_REFUSED = re.compile(
    r"not found|no such|unknown|error|denied|cannot|usage:|invalid|未找到", re.IGNORECASE
)


def is_in_terminal(step: Perform) -> bool:
    """Whether a step is to be done by commands."""
    place = step.place or ""
    return (
        bool(_TERMINAL.search(place))
        and step.verb in _COMMANDS
        and bool(_FILE.match(step.what or ""))
    )


def command_in(desk: Desk, step: Perform) -> Turns[str | None]:
    """List the files, choose the one that is meant, and give the command for it.

    Raises:
        Missed: No file, or more than can be told apart, is meant; or the command was refused.
    """
    desk.place = None
    yield from _focus(desk)
    listing = yield from _run(desk, "ls")
    said = " ".join([step.what or "", *(f"{word} {text}" for word, text in step.details)])
    name = which_file(files_in(listing), said)
    if name is None:
        raise Missed(
            f"no file is {said.strip()}; there are: {', '.join(files_in(listing)) or 'none'}"
        )
    told = yield from _run(desk, _COMMANDS[step.verb].format(name))
    if _REFUSED.search(told):
        raise Missed(f"the terminal says: {told.strip()[:200]}")
    return f"{step.verb} {name}"


def _focus(desk: Desk) -> Turns[None]:
    """Give the terminal the keyboard, by a click on its last line."""
    lines = [e for e in _lines(desk) if _PROMPT.match(e.name or e.value or e.text)]
    if not lines:
        raise Missed("no prompt of a terminal can be seen")
    assert lines[-1].box is not None
    at = lines[-1].box.center
    yield from desk.do(Click(at.x, at.y), why="give the terminal the keyboard", commits=False)


def _lines(desk: Desk) -> list[Element]:
    return [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.TEXT and e.box is not None and (e.name or e.value or e.text).strip()
    ]


def _run(desk: Desk, command: str) -> Turns[str]:
    """Give a command; what is written since."""
    before = {((e.name or e.value or e.text), e.box) for e in _lines(desk)}
    keys: tuple[Action, ...] = (Type(command), Key(("enter",)))
    yield from desk.do(*keys, why=f"give the command {command}")
    new: list[str] = []
    for pause in (0.1, 0.3, 0.6):
        yield from desk.again(pause, why="what it answers")
        new = [
            said
            for e in _lines(desk)
            if ((said := e.name or e.value or e.text), e.box) not in before
            if said.strip() not in (command, "") and not _PROMPT.fullmatch(said)
        ]
        if new:
            break
    return "\n".join(new)


def files_in(listing: str) -> list[str]:
    """The names in what `ls` wrote."""
    words = re.findall(r"\S+", listing)
    return [word for word in words if re.fullmatch(r"[\w.@+-]+", word) and word != "ls"]


def which_file(files: list[str], phrase: str) -> str | None:
    """The first file that is what a phrase says; any of several will do where it says "a file"."""
    found = _FILE.match(phrase)
    rest = found["rest"].strip() if found else ""
    extension = re.search(
        r"(?:extension|ending(?: with| in)?|type)\b.*?\.?(?P<ext>\w+)$", rest, re.IGNORECASE
    )
    if re.search(r"\b(?:no|without(?: an?| any)?)(?: file)? extension", rest, re.IGNORECASE):
        fitting = [name for name in files if "." not in name.strip(".")]
    elif extension is not None:
        fitting = [
            name for name in files if name.casefold().endswith(f".{extension['ext'].casefold()}")
        ]
    elif named := re.search(r"(?:named|called)\s+[\"“']?(?P<name>[\w.-]+)", rest, re.IGNORECASE):
        fitting = [name for name in files if name == named["name"]]
    elif begins := re.search(
        r"(?:starting|beginning|that starts) with\s+[\"“']?(?P<s>[\w.-]+)", rest
    ):
        fitting = [name for name in files if name.startswith(begins["s"])]
    else:
        fitting = files if not rest else []
    return fitting[0] if fitting else None
