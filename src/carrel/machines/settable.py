"""The settings there are: how each is read, refused and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, get_args

from carrel.errors import InvalidInput, NotFound, Unavailable
from carrel.geometry import Size
from carrel.machines.amounts import amount_words, parse_amount
from carrel.machines.presets import get_preset
from carrel.machines.profiles import get_profile
from carrel.machines.spec import (
    LEAST_MEMORY_MB,
    MachineSpec,
    NetworkMode,
    Restart,
    parse_mac,
    parse_port,
    parse_screen,
    parse_volume,
)
from carrel.machines.templates import get_template

__all__ = ["HOST_KEYS", "KEYS", "Key", "get_key"]

NO_MAC = "none"
"""How no network card is written."""

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

    @property
    def is_amount(self) -> bool:
        """Whether it is of memory or disk, and may be written with a unit."""
        return self.field in ("memory_mb", "disk_mb") or self.name == "host.memory"

    def check(self, value: object, where: str = "") -> object:
        """Read a value.

        Args:
            value: As it is written.
            where: In which file or variable; nothing where somebody has just typed it.

        Raises:
            InvalidInput: It is not one; the message says where it was found.
        """
        place = f"{where}: " if where else ""
        try:
            read = self.read(value)
        except (InvalidInput, NotFound) as error:
            message = f"{place}{self.name}: {error.message}"
            raise InvalidInput(message, hint=error.hint or self.help) from error
        try:
            self._require_possible(read)
        except InvalidInput as error:
            raise InvalidInput(f"{place}{error.message}", hint=self.help) from error
        return read

    def _require_possible(self, value: object) -> None:
        """Refuse what no machine can have."""
        # These two only make sense together, and need not come from the same place.
        if self.field and self.field not in ("network", "allow"):
            wish: dict[str, Any] = {self.field: value}
            MachineSpec(**wish)

    def words(self, value: object) -> str:
        """A value as it would be written."""
        if self.is_amount:
            return amount_words(value) if isinstance(value, int) else str(value)
        if isinstance(value, Mapping):
            return ",".join(f"{name}={item}" for name, item in value.items())
        if isinstance(value, tuple | list):
            return ",".join(map(str, value))
        if isinstance(value, bool):
            return "true" if value else "false"
        if self.name == "mac":
            return str(value or NO_MAC)
        return "" if value is None else str(value)


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
    return parse_screen(_text(value))


def _at_least(least: int, read: Callable[[object], int], words: Callable[[int], str]) -> Read:
    def read_enough(value: object) -> int:
        number = read(value)
        if number < least:
            raise InvalidInput(f"{words(number)} is less than {words(least)}")
        return number

    return read_enough


def _mac(value: object) -> str:
    return "" if value in ("", NO_MAC) else parse_mac(_text(value))


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
    from carrel.machines.images.cache import image_names

    return str(_one_of(*image_names())(value))


def _kind(value: object) -> str:
    from carrel.machines.provider import get_provider, provider_names

    kinds: list[str] = []
    for name in provider_names():
        with suppress(Unavailable):  # of another package, which cannot be loaded
            kinds += get_provider(name).capabilities.kinds
    return str(_one_of(*kinds)(value))


_MACHINE = (
    Key("template", "template", _named(get_template), "what to make it from: carrel template list"),
    Key("profile", "", _named(get_profile), "minimal, standard or performance"),
    Key("preset", "preset", _named(get_preset), "trusted, standard, restricted or isolated"),
    Key("provider", "provider", _provider, "which engine makes it, or auto"),
    Key("image", "image", _image, "what its disk comes from: desktop, minimal, node, host"),
    Key("kind", "kind", _kind, "kind of computer; provider qemu: microvm or q35"),
    Key("mac", "mac", _mac, "provider qemu: address of a card that leads nowhere, auto or none"),
    Key("size", "size", _screen, "its screen, such as 1280x800"),
    Key("cpus", "cpus", _whole, "most processors; 0 is no limit"),
    Key("memory", "memory_mb", _amount, "most memory, such as 8GB"),
    Key(
        "disk",
        "disk_mb",
        _amount,
        "most disk, such as 50GB; 0 is no limit, in a virtual machine 20GB",
    ),
    Key("pids", "pids", _whole, "most processes and threads"),
    Key("network", "network", _one_of(*get_args(NetworkMode)), "none, allowlist or nat"),
    Key("allow", "allow", _list_of(_rule), "what it may reach, such as example.org:443"),
    Key("env", "env", _variables, "variables for all in it, such as LANG=C.UTF-8"),
    Key("ports", "ports", _list_of(parse_port), "HOST:GUEST, published on 127.0.0.1"),
    Key("restart", "restart", _one_of(*get_args(Restart)), "never, on-failure or always"),
    Key("volumes", "volumes", _list_of(parse_volume), "NAME:/path"),
)
_HOST = (
    Key(
        "host.memory",
        "",
        _at_least(LEAST_MEMORY_MB, _amount, amount_words),
        "most memory for machines; this computer's by default",
    ),
    Key(
        "host.cpus",
        "",
        _at_least(1, _whole, str),
        "most processors for a machine; this computer's by default",
    ),
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
