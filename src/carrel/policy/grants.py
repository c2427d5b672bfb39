"""What a person has agreed to: once, for this run, or from now on.

A grant lifts an ask, never a deny. It holds for the same kind of action on the same target,
compared letter by letter: a `*` in a granted command is a star, not a pattern.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from carrel.actions import Action, DeleteFile, Open, Shell
from carrel.errors import InvalidInput
from carrel.policy.paths import config_home, read_private, write_private
from carrel.policy.targets import targets

__all__ = ["Grants", "Pattern", "Scope", "pattern_of"]

Scope = Literal["once", "run", "always"]


@dataclass(frozen=True, slots=True, order=True)
class Pattern:
    """What is agreed to: a kind of action, and what it touches."""

    action: str
    target: str


def pattern_of(action: Action, held: tuple[str, ...] = ()) -> Pattern:
    """The pattern of an action; of a URL it is the site, of a path what it means.

    Whatever else makes it another thing to agree to is in it as well: a command's environment and
    input, a program's arguments, that a deletion is recursive.
    """
    if isinstance(action, Shell):
        beside = (dict(action.env), action.cwd, action.stdin)
        return Pattern(action.type, action.command + _digest(beside, any(beside)))
    found = [target for target in targets(action, held) if not target.watched]
    url = found[0].url
    if url is not None and url.host and url.scheme != "file":
        port = "" if url.port is None else f":{url.port}"
        text = f"{url.scheme}://{url.host}{port}"
    elif found[0].kind == "command":
        text = action.target
    else:
        text = " -> ".join(target.forms[-1] for target in found)
    if isinstance(action, Open):
        text += _digest(action.arguments, bool(action.arguments))
    if isinstance(action, DeleteFile) and action.recursive:
        text += " (all of it)"
    return Pattern(action.type, text)


def _digest(value: object, wanted: bool) -> str:
    text = json.dumps(value, sort_keys=True)
    return f" [{hashlib.sha256(text.encode()).hexdigest()[:16]}]" if wanted else ""


class Grants:
    """The grants of one run, and the standing ones.

    Args:
        path: Where standing grants are kept; None for `grants.json` of the configuration directory.
        where: What they hold for, such as the machine's isolation: what somebody agreed to inside
            an isolated machine is not agreed to on their own screen.
    """

    def __init__(self, path: Path | None = None, *, where: str = "") -> None:
        self._path = path or config_home() / "grants.json"
        self._where = where
        self._run: set[Pattern] = set()
        self._once: set[Pattern] = set()
        self._always = self._load()

    def covers(self, pattern: Pattern) -> bool:
        """Whether somebody has agreed to it."""
        return pattern in self._run or pattern in self._always or pattern in self._once

    def add(self, patterns: Iterable[Pattern], scope: Scope) -> None:
        """Take note of what a person agreed to.

        Raises:
            Refused: The file of standing grants is open to others.
        """
        new = set(patterns)
        if scope == "once":
            self._once |= new
        elif scope == "run":
            self._run |= new
        else:
            self._remember(new)

    def forget_once(self) -> None:
        """What was agreed to once has been done, or is past."""
        self._once.clear()

    def revoke(self, pattern: Pattern) -> None:
        """Take a grant back, a standing one as well."""
        self._run.discard(pattern)
        self._once.discard(pattern)
        if pattern in self._always:
            self._change(set(), {pattern})

    @property
    def standing(self) -> tuple[Pattern, ...]:
        """Everything agreed to from now on, here."""
        return tuple(sorted(self._always))

    def _remember(self, new: set[Pattern]) -> None:
        self._change(new, set())

    def _change(self, add: set[Pattern], remove: set[Pattern]) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(
            self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            # Other runs write it as well.
            fcntl.flock(lock, fcntl.LOCK_EX)
            data = self._read()
            here = {Pattern(*item) for item in data.get(self._where, [])}
            self._always = (here | add) - remove
            data[self._where] = [[p.action, p.target] for p in sorted(self._always)]
            write_private(self._path, json.dumps(data, indent=1, sort_keys=True) + "\n")
        finally:
            os.close(lock)

    def _load(self) -> set[Pattern]:
        return {Pattern(*item) for item in self._read().get(self._where, [])}

    def _read(self) -> dict[str, list[list[str]]]:
        text = read_private(self._path)
        if text is None:
            return {}
        try:
            data = json.loads(text)
        except ValueError as error:
            raise InvalidInput(f"{self._path} is damaged: {error}", hint="delete it") from error
        if not _is_grants(data):
            raise InvalidInput(f"{self._path} does not hold grants", hint="delete it")
        return dict(data)


def _is_grants(data: object) -> bool:
    return isinstance(data, dict) and all(
        isinstance(items, list)
        and all(
            isinstance(i, list) and len(i) == 2 and all(isinstance(t, str) for t in i)
            for i in items
        )
        for items in data.values()
    )
