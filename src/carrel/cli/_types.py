"""What options and arguments are written as."""

from __future__ import annotations

import math
import os
import re
from typing import TYPE_CHECKING, Any

import click

from carrel.errors import CarrelError, InvalidInput
from carrel.geometry import Box, Point, Size

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType

__all__ = [
    "BOX",
    "BUTTON",
    "DISK",
    "LABEL",
    "MAC",
    "MACHINE",
    "MEMORY",
    "NETWORKS",
    "POINT",
    "PORT",
    "SCREEN",
    "SECONDS",
    "SIZE",
    "TEMPLATE",
    "VARIABLE",
    "WINDOW",
    "parse_pairs",
]

NETWORKS = ("none", "nat", "allowlist")
BUTTON = click.Choice(["left", "middle", "right", "back", "forward"])


class _Type(_ParamType):
    """A value read by `read`; its errors are Carrel's own."""

    def read(self, text: str) -> object:
        raise NotImplementedError

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        return self.read(value) if isinstance(value, str) else value


class _SizeType(_Type):
    name = "WxH"

    def read(self, text: str) -> Size:
        return Size.parse(text)


class _ScreenType(_Type):
    name = "WxH"

    def read(self, text: str) -> Size:
        from carrel.machines.spec import parse_screen

        return parse_screen(text)


class _PointType(_Type):
    name = "X,Y"

    def read(self, text: str) -> Point:
        return Point(*_numbers(text, 2, "a point", "100,200"))


class _BoxType(_Type):
    name = "X,Y,W,H"

    def read(self, text: str) -> Box:
        return Box(*_numbers(text, 4, "a region", "0,0,640,480"))


def _numbers(text: str, count: int, what: str, example: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    fits = len(parts) == count and all(re.fullmatch(r"-?\d{1,9}", p, re.ASCII) for p in parts)
    if not fits:
        raise InvalidInput(f"{text[:60]!a} is not {what}", hint=f"write it as {example}")
    return [int(part) for part in parts]


class _SecondsType(_Type):
    name = "SECONDS"

    def read(self, text: str) -> float:
        try:
            seconds = float(text)
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds < math.inf:
            raise InvalidInput(f"{text[:60]!a} is not a number of seconds", hint="such as 2 or 0.5")
        return seconds


class _AmountType(_Type):
    name = "MB|4GB"

    def __init__(self, what: str) -> None:
        self._what = what

    def read(self, text: str) -> int:
        from carrel.machines.amounts import parse_amount

        return parse_amount(text, self._what)


class _MacType(_Type):
    name = "ADDRESS"

    def read(self, text: str) -> object:
        from carrel.machines.settings import KEYS

        return KEYS["mac"].check(text)


class _PortType(_Type):
    name = "HOST:GUEST"

    def read(self, text: str) -> str:
        from carrel.machines.spec import parse_port

        parse_port(text)
        return text


class _WindowType(_Type):
    name = "ID"

    def read(self, text: str) -> int:
        if not re.fullmatch(r"0x[0-9a-fA-F]{1,16}|\d{1,19}", text, re.ASCII):
            raise InvalidInput(
                f"{text[:60]!a} is not a window id", hint="carrel do windows lists them"
            )
        return int(text, 16 if text.startswith("0x") else 10)


class _MachineType(_ParamType):
    """A machine's name, completed from the store."""

    name = "NAME"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        import sqlite3

        from click.shell_completion import CompletionItem

        from carrel.machines.store import Store

        try:
            names = Store().names()
        except (CarrelError, OSError, sqlite3.Error):
            # A shell waits for this: no names is the only useful answer.
            return []
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class _LabelType(_ParamType):
    """The label of a snapshot, completed from those of the machine named before it."""

    name = "LABEL"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        import sqlite3

        from click.shell_completion import CompletionItem

        from carrel.cli._machines import run
        from carrel.machines.lifecycle import Machines

        try:
            labels = run(Machines().snapshots, ctx.params["name"])
        except (CarrelError, OSError, sqlite3.Error):
            # A shell waits for this: no labels is the only useful answer.
            return []
        return [CompletionItem(label) for label in labels if label.startswith(incomplete)]


class _TemplateType(_ParamType):
    """A template's name, completed from those there are."""

    name = "TEMPLATE"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from carrel.machines.templates import find_templates

        found = find_templates()[0]
        return [
            CompletionItem(t.name, help=t.summary) for t in found if t.name.startswith(incomplete)
        ]


class _VariableType(_ParamType):
    """`NAME` or `NAME=VARIABLE`, completed from the environment: its names, never its values."""

    name = "NAME[=VARIABLE]"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        before, equals, begun = incomplete.rpartition("=")
        names = sorted(name for name in os.environ if name.startswith(begun))
        return [CompletionItem(f"{before}{equals}{name}") for name in names]


SIZE = _SizeType()
SCREEN = _ScreenType()
POINT = _PointType()
BOX = _BoxType()
SECONDS = _SecondsType()
MEMORY = _AmountType("memory")
DISK = _AmountType("disk")
MAC = _MacType()
PORT = _PortType()
WINDOW = _WindowType()
MACHINE = _MachineType()
LABEL = _LabelType()
TEMPLATE = _TemplateType()
VARIABLE = _VariableType()


_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def parse_pairs(pairs: tuple[str, ...]) -> dict[str, str]:
    """Read `NAME=VALUE` options.

    Raises:
        InvalidInput: One has no name or no `=`.
    """
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or _VARIABLE.fullmatch(name) is None:
            raise InvalidInput(
                f"{pair[:60]!a} is not NAME=VALUE", hint="such as --env LANG=C.UTF-8"
            )
        found[name] = value
    return found
