"""Where each setting of a machine came from, kept beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import fields

from carrel.machines.spec import Machine, MachineSpec

__all__ = ["origin_of", "read_origins", "write_origins"]

_FILE = "origins.json"


def write_origins(machine: Machine, origins: Mapping[str, str]) -> None:
    """Note where fields of a machine's wish came from; what was noted of others stays."""
    path = machine.directory / _FILE
    if not machine.directory.is_dir():
        return  # its provider keeps nothing here
    text = json.dumps({**read_origins(machine), **origins}, indent=1)
    draft = path.with_name(f".{_FILE}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def read_origins(machine: Machine) -> dict[str, str]:
    """What was noted, by field."""
    try:
        found = json.loads((machine.directory / _FILE).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    known = {field.name for field in fields(MachineSpec)}
    return {key: str(value) for key, value in found.items() if key in known}


def origin_of(machine: Machine, field: str, noted: Mapping[str, str]) -> str:
    """Where one field came from, as far as it is known."""
    if field in noted:
        return noted[field]
    same = getattr(machine.spec, field) == getattr(MachineSpec(), field)
    return "default" if same else "given when it was made"
