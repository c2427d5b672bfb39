"""What an action touches, in the forms that patterns are matched against.

An allow pattern must speak for every form of a target, a deny pattern for any: `/tmp/../etc` is
allowed only where both the way it is written and what it means are.
"""

from __future__ import annotations

import fnmatch
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from posixpath import normpath
from typing import Literal
from urllib.parse import unquote

from carrel.actions import (
    Action,
    AppendFile,
    DeleteFile,
    Key,
    KeyDown,
    KeyUp,
    ListFiles,
    MakeDirectory,
    MoveFile,
    Open,
    ReadFile,
    Shell,
    StatFile,
    WriteFile,
)
from carrel.errors import InvalidInput
from carrel.keys import MODIFIERS, parse_chord
from carrel.policy.commands import read_command, suspects
from carrel.policy.urls import Url, host_matches, read_url, url_matches

__all__ = ["Target", "targets"]

Kind = Literal["text", "path", "command", "chord", "url"]

_FILES = (AppendFile, DeleteFile, ListFiles, MakeDirectory, MoveFile, ReadFile, StatFile, WriteFile)
# Without knowing the machine's home, `~` may be any of these.
_HOMES = re.compile(r"^(/root(?=/|$)|/home/[^/]+|/Users/[^/]+)")
_ABOVE_HOMES = ("/", "/home", "/Users")
_HOST_PATTERN = re.compile(r"[\w.*?:\[\]-]+|.*://.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Target:
    """One thing an action touches.

    Attributes:
        forms: Each of them must be allowed; one that is denied is enough.
        traces: More forms, which only deny and ask rules look at.
        readable: Whether a pattern other than `*` can speak for it at all.
        deep: Whether everything beneath the path is touched as well.
        watched: It needs no rule that allows it; rules that deny or ask do look at it.
        murky: A command too long to look through: every rule that denies or asks speaks of it.
    """

    kind: Kind
    forms: tuple[str, ...]
    traces: tuple[str, ...] = ()
    readable: bool = True
    url: Url | None = None
    deep: bool = False
    watched: bool = False
    murky: bool = False

    def covered_by(self, pattern: str) -> bool:
        """Whether an allow pattern speaks for all of it."""
        if pattern == "*":
            return True
        if not self.readable:
            return False
        if self.kind == "url":
            return self._url_matches(pattern)
        return all(self._matches(pattern, form) for form in self.forms)

    def touched_by(self, pattern: str) -> bool:
        """Whether a deny or ask pattern speaks of any of it."""
        if pattern == "*" or self.murky or self._url_matches(pattern):
            return True
        forms = (*self.forms, *self.traces)
        if self.kind != "path":
            return any(self._matches(pattern, form) for form in forms)
        patterns = {pattern, _HOMES.sub("~", pattern, count=1)}
        if self.deep and any(_beneath(text, form) for text in patterns for form in forms):
            return True
        return any(self._matches(text, form) for text in patterns for form in forms)

    def _url_matches(self, pattern: str) -> bool:
        if self.url is None or pattern.startswith(("/", "~")):
            return False
        if self.url.host is None:
            # Nobody knows whom it would reach, so every rule about hosts speaks of it.
            return _HOST_PATTERN.fullmatch(pattern) is not None
        if "://" in pattern or self.url.host == "":
            return url_matches(pattern, self.url)
        return host_matches(pattern, self.url)

    def _matches(self, pattern: str, form: str) -> bool:
        text = _chord_pattern(pattern) if self.kind == "chord" else pattern
        return _glob(text).match(form) is not None


@lru_cache(maxsize=4096)
def _glob(pattern: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(pattern))


@lru_cache(maxsize=1024)
def _chord_pattern(pattern: str) -> str:
    if set(pattern) & set("*?["):
        return pattern
    try:
        return _chord(parse_chord(pattern))
    except InvalidInput:
        return pattern


def _chord(keys: tuple[str, ...]) -> str:
    """A chord in one form: modifiers of both sides alike, in a fixed order, letters small."""
    plain = [key.removesuffix("_r") if key.removesuffix("_r") in MODIFIERS else key for key in keys]
    held = {key for key in plain if key in MODIFIERS}
    others = [key.lower() if len(held) else key for key in plain if key not in MODIFIERS]
    return "+".join([*(key for key in MODIFIERS if key in held), *others])


def _beneath(pattern: str, path: str) -> bool:
    fixed = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
    if fixed.startswith("~") and path in _ABOVE_HOMES:
        return True
    return fixed.startswith(path.rstrip("/") + "/")


def targets(action: Action, held: tuple[str, ...] = ()) -> tuple[Target, ...]:
    """What an action touches; never empty.

    Args:
        action: The action.
        held: Keys that earlier actions pressed and did not release.
    """
    if isinstance(action, Shell):
        # Variables given beside a command can change what it runs, so they are part of it.
        given = "".join(f"{name}={value} " for name, value in action.env.items())
        return tuple(_command(given + action.command))
    if isinstance(action, Open):
        return tuple(_opened(action))
    if isinstance(action, MoveFile):
        return _path(action.path, deep=True), _path(action.to)
    if isinstance(action, _FILES):
        return (_path(action.target, deep=isinstance(action, DeleteFile) and action.recursive),)
    if isinstance(action, Key):
        return (_keys(action.keys, held),)
    if isinstance(action, KeyDown):
        return (_keys((action.key,), held),)
    if isinstance(action, KeyUp):
        return (_keys((action.key,), ()),)
    return (Target("text", (action.target,)),)


def _keys(keys: tuple[str, ...], held: tuple[str, ...]) -> Target:
    more = tuple(key for key in held if key not in keys)
    return Target("chord", (_chord((*more, *keys)),), (_chord(keys),) if more else ())


def _path(text: str, *, deep: bool = False, watched: bool = False) -> Target:
    """A path as written and as meant. Machines read a relative one from the home directory."""
    rooted = text.startswith("/")
    meant = text if rooted or text == "~" or text.startswith("~/") else f"~/{text}"
    normal = normpath(meant).replace("//", "/")
    written = text if meant == text else normal
    if normal.startswith(("/", "~")):
        forms = tuple(dict.fromkeys((written, normal)))
        homes = (_HOMES.sub("~", normal),) if rooted else ()
        return Target("path", forms, homes, deep=deep, watched=watched)
    # It climbs out of a home that we do not know.
    rest = re.sub(r"^(\.\.(/|$))*", "", normal)
    guesses = tuple(normpath(f"{root}/{rest}").replace("//", "/") for root in _ABOVE_HOMES)
    return Target("path", (text,), guesses, readable=False, deep=deep, watched=watched)


def _command(text: str, *, watched: bool = False) -> Iterator[Target]:
    found = suspects(text)
    # Once is enough: what touches one target of an action touches the action.
    traces, murky = tuple(sorted(found or ())), found is None
    parts = read_command(text)
    readable = parts is not None
    for part in parts or (text.strip(),):
        yield Target("command", (part,), traces, readable, watched=watched, murky=murky)
        traces = ()


def _opened(action: Open) -> Iterator[Target]:
    what = action.what
    command = " ".join((what, *map(shlex.quote, action.arguments)))
    if what.startswith(("/", "~/")):
        yield _path(what)
        yield from _command(command, watched=True)
    elif (url := read_url(what)) is not None:
        yield _url(url)
    else:
        yield from _command(command)
    # A browser goes to a URL that it is given as an argument; programs open files likewise.
    for word in (*what.split(), *action.arguments):
        value = word.partition("=")[2] if word.startswith("-") else word
        if (url := read_url(value)) is not None:
            yield _url(url, watched=True)
        elif value.startswith(("/", "~/")):
            yield _path(value, watched=True)


def _url(url: Url, *, watched: bool = False) -> Target:
    if url.scheme == "file":
        path = _path(unquote(url.rest) or "/")
        traces = (*path.traces, str(url))
        return Target("path", path.forms, traces, path.readable, url, watched=watched)
    return Target("url", (str(url),), (), url.host is not None, url, watched=watched)
