"""What can be set, and where: project file, user file, environment, flag; each beats the last.

A project's file is `carrel.toml`, in the current directory or above it; the user's is
`config.toml` in the configuration directory. Both have the same tables: `[machine]` for every
machine that is made, `[machines.NAME]` for one, and in the user's file `[host]`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from carrel.errors import InvalidInput, NotFound, Refused
from carrel.machines.paths import USER_FILE, config_home
from carrel.machines.settable import HOST_KEYS, KEYS, Key, get_key

__all__ = [
    "HOST_KEYS",
    "KEYS",
    "Key",
    "Layer",
    "find_project",
    "get_key",
    "load_host",
    "load_layers",
    "read_file",
    "user_file",
]

PROJECT_FILE = "carrel.toml"
PROJECT_VARIABLE = "CARREL_PROJECT_FILE"
"""Names the project's file; empty for none."""


class Layer(NamedTuple):
    """Where values come from, weakest layer first in a list of them."""

    origin: str
    values: Mapping[str, object]


def user_file() -> Path:
    """The user's own file; it need not exist."""
    return config_home() / USER_FILE


def find_project(start: Path | None = None) -> Path | None:
    """The project's file: the one that is named, or the nearest upward from a directory.

    Raises:
        Refused: It belongs to somebody else, who could so decide over your machines.
        NotFound: The one that is named does not exist.
    """
    named = os.environ.get(PROJECT_VARIABLE)
    if named is not None:
        if named and not Path(named).is_file():
            raise NotFound(
                f"{PROJECT_VARIABLE} names {named}, which is no file",
                hint=f"{PROJECT_VARIABLE}=FILE, or {PROJECT_VARIABLE}= for none",
            )
        return Path(named).absolute() if named else None
    here = (start or Path.cwd()).absolute()
    for directory in (here, *here.parents):
        path = directory / PROJECT_FILE
        if path.is_file() and path != user_file():
            return _own(path)
    return None


def _own(path: Path) -> Path:
    if path.stat().st_uid not in (0, os.geteuid()):
        raise Refused(
            f"{path} belongs to another user, and is not read",
            hint=f"{PROJECT_VARIABLE}={path} to use it all the same, {PROJECT_VARIABLE}= for none",
        )
    return path


def read_file(path: Path) -> dict[str, object]:
    """The tables of a settings file; nothing where there is none.

    Raises:
        InvalidInput: It is not TOML, or not text.
    """
    if not path.is_file():
        return {}
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"{path} is not TOML: {error}", hint="mend it, or move it away"
        ) from error


def load_layers(machine: str | None = None, start: Path | None = None) -> list[Layer]:
    """All that is set for a machine of that name, or for any; the strongest last.

    Raises:
        InvalidInput: A file or a variable holds what it may not; the message says where.
    """
    layers: list[Layer] = []
    project = find_project(start)
    if project is not None:
        layers += _file_layers(project, machine, project=True)
    layers += _file_layers(user_file(), machine, project=False)
    layers += _environment()
    return [layer for layer in layers if layer.values]


def load_host() -> dict[str, object]:
    """What is set of this computer's limits, by key; a project has no say in it."""
    layers = [*_file_layers(user_file(), None, project=False), *_environment()]
    found = {name: value for layer in layers for name, value in layer.values.items()}
    return {name: value for name, value in found.items() if name in HOST_KEYS}


def _file_layers(path: Path, machine: str | None, *, project: bool) -> Iterator[Layer]:
    tables = read_file(path)
    known = ("machine", "machines") if project else ("machine", "machines", "host")
    for name in tables:
        if name not in known:
            raise InvalidInput(
                f"{path}: there is no table [{name}] here",
                hint=f"known tables: {', '.join(known)}",
            )
    yield _table_layer(path, "machine", tables.get("machine", {}), KEYS, project=project)
    by_name = _as_table(path, "machines", tables.get("machines", {}))
    for each, table in by_name.items():
        # All are read, so that a mistake is told before its machine is wanted.
        layer = _table_layer(path, f"machines.{each}", table, KEYS, project=project)
        if each == machine:
            yield layer
    host = {f"host.{name}": value for name, value in _host_table(path, tables).items()}
    yield _table_layer(path, "host", host, HOST_KEYS, project=project)


def _host_table(path: Path, tables: Mapping[str, object]) -> Mapping[str, object]:
    return _as_table(path, "host", tables.get("host", {}))


def _as_table(path: Path, name: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise InvalidInput(f"{path}: {name} is not a table", hint=f"write [{name}]")
    return value


def _table_layer(
    path: Path, name: str, value: object, known: Mapping[str, Key], *, project: bool
) -> Layer:
    where = f"{path} [{name}]"
    values: dict[str, object] = {}
    for key, item in _as_table(path, name, value).items():
        try:
            values[key] = get_key(key, known).check(item, where)
        except NotFound as error:
            raise InvalidInput(f"{where}: {error.message}", hint=error.hint) from None
    if project and values.get("provider") == "host":
        raise Refused(
            f"{where}: a project's file cannot choose your own screen",
            hint="say --provider host yourself",
        )
    return Layer(str(path), values)


def _environment() -> Iterator[Layer]:
    for key in (*KEYS.values(), *HOST_KEYS.values()):
        text = os.environ.get(key.variable)
        # CARREL_ENV and the like would be taken for something else.
        if text and key.name != "env":
            yield Layer(key.variable, {key.name: key.check(text, key.variable)})
