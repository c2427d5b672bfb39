"""The user's settings file, changed one value at a time: its comments and its order stay."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from carrel.errors import InvalidInput, NotFound
from carrel.geometry import Size
from carrel.machines.paths import private_directory
from carrel.machines.settings import HOST_KEYS, KEYS, get_key, read_file

__all__ = ["set_value", "unset_value"]

_HEADER = re.compile(r"\s*\[")


def set_value(path: Path, name: str, text: str) -> object:
    """Set one value; returns it as it was understood.

    Args:
        path: The file; it is made where there is none.
        name: `memory`, `host.check`, …
        text: The value as somebody wrote it.

    Raises:
        NotFound: There is no such setting.
        InvalidInput: The value is none for it, or the file is written in a way that cannot be
            changed here.
    """
    key = get_key(name, {**KEYS, **HOST_KEYS})
    value = key.check(text)
    plain = key.words(value) if isinstance(value, Size) or key.is_amount else value
    _change(path, name, plain)
    return value


def unset_value(path: Path, name: str) -> None:
    """Take one value out.

    Raises:
        NotFound: It is not set there.
    """
    get_key(name, {**KEYS, **HOST_KEYS})
    table, key = _place(name)
    tables = read_file(path)
    if key not in _table(tables, table):
        raise NotFound(
            f"{name} is not set in {path}",
            hint="carrel config list --origin shows what is set where",
        )
    _change(path, name, None)


def _place(name: str) -> tuple[str, str]:
    table, dot, key = name.partition(".")
    return (table, key) if dot else ("machine", name)


def _table(tables: Mapping[str, object], name: str) -> dict[str, object]:
    found = tables.get(name, {})
    return dict(found) if isinstance(found, dict) else {}


def _change(path: Path, name: str, value: object) -> None:
    table, key = _place(name)
    tables = read_file(path)
    wanted = _table(tables, table)
    if value is None:
        del wanted[key]
    else:
        wanted[key] = list(value) if isinstance(value, tuple) else value
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    changed = _with_line(text, table, key, None if value is None else f"{key} = {_toml(value)}")
    if not _says(changed, {**tables, table: wanted}):
        raise InvalidInput(
            f"{path} is written in a way that only its author can change",
            hint=f"set {key} under [{table}] there by hand",
        )
    _replace(path, changed)


def _says(text: str, wanted: Mapping[str, object]) -> bool:
    try:
        return tomllib.loads(text) == dict(wanted)
    except tomllib.TOMLDecodeError:
        return False


def _with_line(text: str, table: str, key: str, line: str | None) -> str:
    """The text with the key's line in its table replaced, added or taken out."""
    # Not splitlines: other characters that end lines elsewhere are part of a text here.
    lines = text.removesuffix("\n").split("\n") if text else []
    start = next((at for at, each in enumerate(lines) if _is_header(each, table)), None)
    if start is None:
        lines += [*([""] if lines else []), f"[{table}]"]
        start = len(lines) - 1
    rest = range(start + 1, len(lines))
    end = next((at for at in rest if _HEADER.match(lines[at])), len(lines))
    name = re.compile(rf"\s*{re.escape(key)}\s*=")
    at = next((at for at in range(start + 1, end) if name.match(lines[at])), None)
    new = [] if line is None else [line]
    if at is not None:
        lines[at : at + 1] = new
    else:
        # What stands right above the next table speaks of that one.
        while end > start + 1 and lines[end - 1].strip()[:1] in ("", "#"):
            end -= 1
        lines[end:end] = new
    return "\n".join([*lines, ""])


def _is_header(line: str, table: str) -> bool:
    return re.fullmatch(rf"\s*\[\s*{re.escape(table)}\s*\]\s*(#.*)?", line) is not None


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{_string(str(name))} = {_toml(item)}" for name, item in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _string(str(value))


def _string(text: str) -> str:
    # JSON's escapes are TOML's, but for the one that JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _replace(path: Path, text: str) -> None:
    private_directory(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    # It may hold variables that are nobody else's to read.
    mode = 0o600
    with suppress(FileNotFoundError):
        mode &= path.stat().st_mode
    try:
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            os.fchmod(handle, mode)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
