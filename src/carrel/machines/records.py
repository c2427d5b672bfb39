"""The records of machines: one row each, which another version of Carrel may have written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from carrel import codec
from carrel.errors import CarrelError, InvalidInput, RunError
from carrel.machines.spec import Machine, MachineSpec, check_name

__all__ = ["Row", "Unreadable", "encode_wish", "is_id", "is_name", "read_row"]

Row = tuple[str, str, str, float]
"""Id, name, wish and moment of making, as they are stored."""

_ID = re.compile(r"mac_[0-9a-z]{26}")
_TELLING = ("provider", "image", "volumes")
"""What of a wish says which things on this computer are the machine's."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that cannot be read, and is kept as it is.

    Attributes:
        machine: What of it could be read; the rest of its wish is unknown.
        cause: Why it cannot be read.
        text: The wish as it is stored.
    """

    machine: Machine
    cause: str
    text: str

    @property
    def hint(self) -> str:
        """What its owner can do."""
        name = self.machine.name
        return f"use the version of Carrel that wrote it, or: carrel delete -f {name}"

    @property
    def is_named(self) -> bool:
        """Whether it has a name that can be typed."""
        return is_name(self.machine.name)

    def error(self) -> RunError:
        """What is said to whoever wants to use it."""
        return RunError(
            f"the record of {self.machine.name} cannot be read: {self.cause}",
            op="machine.get",
            hint=self.hint,
        )

    def mentions(self, word: str) -> bool:
        """Whether the wish, damaged as it is, has a word in it."""
        return re.search(rf"(?<![a-z0-9-]){re.escape(word)}(?![a-z0-9-])", self.text) is not None


def is_name(text: str) -> bool:
    """Whether it has the form of a machine's name."""
    try:
        check_name(text)
    except InvalidInput:
        return False
    return True


def is_id(text: str) -> bool:
    """Whether it has the form of a machine's id."""
    return _ID.fullmatch(text) is not None


def encode_wish(spec: MachineSpec) -> str:
    """A wish as it is stored."""
    return json.dumps(codec.encode(spec))


def read_row(row: Row, home: Path) -> Machine | Unreadable:
    """What a row says.

    Args:
        row: As stored.
        home: The directory of all machines.
    """
    identity, name, text, created_at = row
    try:
        if not is_id(identity):
            raise InvalidInput(f"{identity[:60]!a} is not the id of a machine")
        check_name(name)
        spec = codec.decode(MachineSpec, json.loads(text))
    except (ValueError, RecursionError, CarrelError) as error:
        # A path must never be made of an id that is none.
        known = is_id(identity)
        directory = home / (identity if known else ".unknown")
        wish = _salvage(text) if known else MachineSpec(provider="unknown")
        machine = Machine(identity, name, wish, directory, created_at)
        return Unreadable(machine, _words(error), text)
    return Machine(identity, name, spec, home / identity, created_at)


def _words(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON: {error}"
    return str(error)


def _salvage(text: str) -> MachineSpec:
    """A wish with what can be read of where the machine's things are."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    found: dict[str, object] = {"provider": "unknown"}
    for name in _TELLING:
        if isinstance(told, dict) and name in told:
            try:
                codec.decode(MachineSpec, {name: told[name]})
            except CarrelError:
                continue
            found[name] = told[name]
        elif isinstance(told, dict) and name == "provider":
            del found[name]  # the usual one is not written down
    return codec.decode(MachineSpec, found)
