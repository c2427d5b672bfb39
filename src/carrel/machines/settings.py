"""What can be set, and where: project file, user file, environment, flag; each beats the last.

A project's file is `carrel.toml`, in the current directory or above it; the user's is
`config.toml` in the configuration directory. Both have the same tables: `[machine]` for every
machine that is made, `[machines.NAME]` for one, and in the user's file `[host]`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, get_args

from carrel.errors import InvalidInput, NotFound, Refused
from carrel.geometry import Size
from carrel.machines.amounts import amount_words, parse_amount
from carrel.machines.paths import USER_FILE, config_home
from carrel.machines.presets import get_preset
from carrel.machines.profiles import get_profile
from carrel.machines.spec import NetworkMode, Restart, parse_mac, parse_port, parse_volume
from carrel.machines.templates import get_template

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

Read = Callable[[object], object]


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that can be set.

    Attributes:
        field: Of a machine's spec; nothing where it only leads to some.
        read: Makes a value out of a text or of TOML's own values, or refuses it.
        help: What it is, with an example.
    """

    name: str
    field: str
    read: Read
    help: str

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"CARREL_{self.name.replace('.', '_').upper()}"

    def check(self, value: object, where: str = "") -> object:
        """Read a value.

        Args:
            value: As it is written.
            where: In which file or variable; nothing where somebody has just typed it.

        Raises:
            InvalidInput: It is not one; the message says where it was found.
        """
        try:
            return self.read(value)
        except (InvalidInput, NotFound) as error:
            place = f"{where}: " if where else ""
            message = f"{place}{self.name}: {error.message}"
            raise InvalidInput(message, hint=error.hint or self.help) from error

    def words(self, value: object) -> str:
        """A value as it would be written."""
        if self.field in ("memory_mb", "disk_mb") or self.name == "host.memory":
            return amount_words(value) if isinstance(value, int) else str(value)
        if isinstance(value, Mapping):
            return ",".join(f"{name}={item}" for name, item in value.items())
        if isinstance(value, tuple | list):
            return ",".join(map(str, value))
        if isinstance(value, bool):
            return "true" if value else "false"
        return "" if value is None else str(value)


class Layer(NamedTuple):
    """Where values come from, weakest layer first in a list of them."""

    origin: str
    values: Mapping[str, object]


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"{_short(value)} is not a text")
    return value


def _short(value: object) -> str:
    return f"{value!a}"[:60]


def _whole(value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{_short(value)} is not a whole number")
    return value


def _amount(value: object) -> int:
    return parse_amount(value) if isinstance(value, str) else _whole(value)


def _truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise InvalidInput(f"{_short(value)} is neither true nor false")


def _screen(value: object) -> Size:
    return Size.parse(_text(value))


def _mac(value: object) -> str:
    return "" if value in ("", "none") else parse_mac(_text(value))


def _one_of(*known: str) -> Read:
    def read(value: object) -> str:
        if value not in known:
            raise InvalidInput(f"{_short(value)} is not known", hint=f"one of {', '.join(known)}")
        return str(value)

    return read


def _named(get: Callable[[str], object]) -> Read:
    def read(value: object) -> str:
        get(_text(value))
        return str(value)

    return read


def _list_of(check: Callable[[str], object]) -> Read:
    def read(value: object) -> tuple[str, ...]:
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list | tuple):
            raise InvalidInput(f"{_short(value)} is not a list of texts")
        texts = [_text(item).strip() for item in items if item != ""]
        for text in texts:
            check(text)
        return tuple(texts)

    return read


def _rule(text: str) -> None:
    from carrel.machines.egress import Rule

    Rule.parse(text)


def _variables(value: object) -> dict[str, str]:
    if isinstance(value, str):
        pairs = [pair.partition("=") for pair in value.split(",") if pair]
        if not all(name and equals for name, equals, _ in pairs):
            raise InvalidInput(f"{_short(value)} is not NAME=VALUE", hint="such as LANG=C.UTF-8")
        return {name: text for name, _, text in pairs}
    if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
        raise InvalidInput(f"{_short(value)} is not a table of texts")
    return {str(name): str(text) for name, text in value.items()}


def _provider(value: object) -> str:
    from carrel.machines.provider import provider_names

    return str(_one_of("auto", *provider_names())(value))


def _image(value: object) -> str:
    return _text(value)


_MACHINE = (
    Key("template", "template", _named(get_template), "what to make it from: carrel template list"),
    Key("profile", "", _named(get_profile), "minimal, standard or performance"),
    Key("preset", "preset", _named(get_preset), "trusted, standard, restricted or isolated"),
    Key("provider", "provider", _provider, "which engine makes it, or auto"),
    Key("image", "image", _image, "what its disk comes from: desktop, minimal, node, host"),
    Key("kind", "kind", _text, "kind of computer; provider qemu: microvm or q35"),
    Key("mac", "mac", _mac, "provider qemu: address of a card that leads nowhere, auto or none"),
    Key("size", "size", _screen, "its screen, such as 1280x800"),
    Key("cpus", "cpus", _whole, "most processors; 0 is no limit"),
    Key("memory", "memory_mb", _amount, "most memory, such as 8GB"),
    Key("disk", "disk_mb", _amount, "most disk, such as 50GB; 0 is no limit"),
    Key("pids", "pids", _whole, "most processes and threads"),
    Key("network", "network", _one_of(*get_args(NetworkMode)), "none, allowlist or nat"),
    Key("allow", "allow", _list_of(_rule), "what it may reach, such as example.org:443"),
    Key("env", "env", _variables, "variables for all in it, such as LANG=C.UTF-8"),
    Key("ports", "ports", _list_of(parse_port), "HOST:GUEST, published on 127.0.0.1"),
    Key("restart", "restart", _one_of(*get_args(Restart)), "never, on-failure or always"),
    Key("volumes", "volumes", _list_of(parse_volume), "NAME:/path"),
)
_HOST = (
    Key("host.memory", "", _amount, "most memory for machines; this computer's by default"),
    Key("host.cpus", "", _whole, "most processors for a machine; this computer's by default"),
    Key("host.check", "", _truth, "false: refuse nothing for want of memory or processors"),
)
KEYS: Mapping[str, Key] = {key.name: key for key in _MACHINE}
"""What a machine is made with."""

HOST_KEYS: Mapping[str, Key] = {key.name: key for key in _HOST}
"""What all machines together may have."""


def get_key(name: str, known: Mapping[str, Key]) -> Key:
    """The key of that name.

    Raises:
        NotFound: It is not one; the hint names those there are.
    """
    if name not in known:
        raise NotFound(
            f"there is no setting {name[:40]!a}", hint=f"known settings: {', '.join(known)}"
        )
    return known[name]


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
