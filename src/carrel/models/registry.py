"""Which dialect a model speaks, and how to open one: `provider:model`.

A table maps names to dialects by pattern and priority; a plugin adds its own with `@dialect`, from
a module that an entry point of the group `carrel.models` names. Modules are imported when used.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from carrel.errors import InvalidInput, NotFound, Unavailable, UsageError
from carrel.models._registry_table import DIALECTS, FAMILIES, TABLE, Entry, FamilyLine
from carrel.models.dialect import Api, Dialect

if TYPE_CHECKING:
    from carrel.models.model import Model
    from carrel.models.transports import Transport

__all__ = [
    "RESERVED",
    "Family",
    "Name",
    "dialect",
    "dialect_named",
    "entries",
    "families",
    "find_dialect",
    "open_model",
    "parse",
]

RESERVED = ("steps", "human", "scripted", "replay")
"""Models that are not language models, by the names they are opened with."""

# Providers with an API of their own that also have one of chat completions.
CHAT_URLS = {
    "anthropic": "https://api.anthropic.com/v1/",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/openai/",
}


@dataclass(frozen=True, slots=True)
class Family:
    """A family of models, for people to choose from.

    Attributes:
        examples: Names as they are written, or forms of such names.
        needs: What it takes: variables of the environment, a server, packages.
        available: Whether all of that is known to be here; `reason` says what is or is not. A
            server of one's own is not looked for.
    """

    name: str
    examples: tuple[str, ...]
    api: Api | None
    needs: tuple[str, ...]
    available: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Name:
    """A model's name, taken apart."""

    provider: str
    model: str

    @property
    def bare(self) -> str:
        """Without routing prefixes: `anthropic/claude-…` and `us.anthropic.claude-…` alike."""
        last = self.model.rstrip("/").rpartition("/")[2].lower()
        return re.sub(r"^(?:[a-z]{2,6}(?:-[a-z]+)?\.)?(?:anthropic|google|openai|qwen)\.", "", last)

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" if self.model else self.provider


_added: list[Entry] = []
_plugins: dict[str, type[Dialect]] = {}

D = TypeVar("D", bound="type[Dialect]")


def dialect(pattern: str, priority: int = 0) -> Callable[[D], D]:
    """Register a class as the dialect of models whose name matches, before ours of that priority.

    Args:
        pattern: A regular expression, searched in the lower-case name.
        priority: The highest wins; ours go from -100 (any chat model) to 30.
    """
    try:
        re.compile(pattern)
    except re.error as error:
        raise InvalidInput(f"{pattern!r} is not a regular expression: {error}") from None

    def register(cls: D) -> D:
        _plugins[cls.name] = cls
        _added.append(Entry(pattern, priority, cls.name, cls.api))
        return cls

    return register


def entries() -> tuple[Entry, ...]:
    """Every line of the table, plugins' first."""
    _load_plugins()
    return (*reversed(_added), *TABLE)


@cache
def _load_plugins() -> None:
    for point in entry_points(group="carrel.models"):
        try:
            point.load()
        except (ImportError, AttributeError) as error:
            raise Unavailable(
                f"the plugin {point.value} cannot be loaded: {error}",
                hint="repair or remove the package that provides it",
            ) from error


def _provider_names() -> tuple[str, ...]:
    from carrel.models.transports import PROVIDERS

    return tuple(PROVIDERS)


def parse(name: str) -> Name:
    """Take `provider:model` apart; `provider/model` and well-known bare names work too.

    Raises:
        UsageError: There is no such provider, or none is named.
    """
    known = (*_provider_names(), "google", *RESERVED)
    for separator in (":", "/"):
        provider, found, model = name.partition(separator)
        if found and provider.lower() in known:
            return _checked(provider.lower(), model)
    if name.lower() in RESERVED:
        return Name(name.lower(), "")
    usual = _usual_provider(name.lower())
    if usual is None:
        raise UsageError(
            f"{name[:80]!r} does not say which provider serves it",
            hint=f"write PROVIDER:MODEL; providers: {', '.join(_provider_names())}; "
            f"or one of {', '.join(RESERVED)}",
        )
    return Name(usual, name)


def _checked(provider: str, model: str) -> Name:
    if not model.strip() and provider not in RESERVED:
        raise UsageError(f"{provider}: names no model", hint=f"write {provider}:MODEL")
    return Name("gemini" if provider == "google" else provider, model.strip())


def _usual_provider(model: str) -> str | None:
    if ":" in model or "/" in model:
        return None
    usual = {"claude": "anthropic", "gpt": "openai", "computer-use": "openai", "gemini": "gemini"}
    return next((provider for start, provider in usual.items() if model.startswith(start)), None)


def find_dialect(model: str) -> type[Dialect]:
    """The dialect for a model that its provider can carry.

    Raises:
        UsageError: There is none; the message says what there is.
    """
    return dialect_named(_entry(parse(model)).dialect)


def _apis(provider: str) -> tuple[Api, ...]:
    from carrel.models.transports import find_provider

    apis = find_provider(provider).apis
    return (*apis, Api.OPENAI_CHAT) if provider in CHAT_URLS else apis


def _entry(name: Name) -> Entry:
    if name.provider in RESERVED:
        raise UsageError(f"{name} is not a language model and has no dialect")
    apis = _apis(name.provider)
    fitting = [
        entry
        for entry in entries()
        if entry.api in apis
        and (entry.providers is None or name.provider in entry.providers)
        and re.search(entry.pattern, name.bare)
    ]
    if not fitting:
        raise UsageError(
            f"no dialect fits {name}",
            hint="known models: "
            + ", ".join(example for family in families() for example in family.examples),
        )
    return max(fitting, key=lambda entry: entry.priority)


def open_model(
    name: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    options: Mapping[str, str] | None = None,
) -> Model:
    """A model by its name, to be used with `async with`.

    Args:
        name: `provider:model`, `grounder+thinker` of two such names, `steps`, `scripted:FILE`
            or `replay:RUN`.
        base_url: Where the provider is; of a composed model, where the grounder's is.
        api_key: From the environment when None.
        options: `dialect` (by name, whatever the model is called), `stream` (`false` for servers
            that do it badly), and what the provider takes, such as `region`.

    Raises:
        UsageError: The name or an option is unknown.
        Unavailable: A key or a package is missing; the hint says which.
    """
    given = dict(options or {})
    if "+" in name and not name.startswith(RESERVED):
        return _composed(name, base_url, api_key, given)
    parsed = parse(name)
    if parsed.provider in RESERVED:
        return _reserved(parsed)
    spoken, transport = _connected(parsed, base_url, api_key, given)
    return _spoken(name, parsed, spoken, transport, given)


def _spoken(
    name: str, parsed: Name, spoken: Dialect, transport: Transport, given: Mapping[str, str]
) -> Model:
    from carrel.models.spoken import SpokenModel

    stream = given.get("stream", "true").lower() not in ("false", "no", "0")
    return SpokenModel(name, spoken, transport, stream=stream, model=parsed.model)


def _connected(
    parsed: Name, base_url: str | None, api_key: str | None, given: Mapping[str, str]
) -> tuple[Dialect, Transport]:
    from carrel.models.transports import find_provider, open_transport

    spoken = dialect_named(given.get("dialect") or _entry(parsed).dialect)()
    settings = {k: v for k, v in given.items() if k not in ("dialect", "stream")}
    provider, key = parsed.provider, api_key
    if spoken.api not in find_provider(provider).apis and provider in CHAT_URLS:
        base_url = base_url or CHAT_URLS[provider]
        key = key if key is not None else _key(provider)
        provider = "openai-compatible"
    transport = open_transport(provider, key=key, base_url=base_url, settings=settings or None)
    return spoken, transport


def _key(provider: str) -> str:
    from carrel.models.transports import find_provider

    names = find_provider(provider).keys
    found = next((os.environ[name] for name in names if os.environ.get(name)), "")
    if not found:
        raise Unavailable(
            f"there is no API key for {provider}", op="model.open", hint=f"set {names[0]}"
        )
    return found


def dialect_named(name: str) -> type[Dialect]:
    """A dialect by its own name, whatever the model is called.

    Raises:
        NotFound: There is none; the hint names them all.
    """
    _load_plugins()
    if name in _plugins:
        return _plugins[name]
    if name not in DIALECTS:
        known = ", ".join((*_plugins, *DIALECTS))
        raise NotFound(f"there is no dialect {name[:40]!r}", hint=f"known: {known}")
    module, _, attribute = DIALECTS[name].partition(":")
    found = getattr(importlib.import_module(f"carrel.models.dialects.{module}"), attribute)
    return cast("type[Dialect]", found)


def _composed(name: str, base_url: str | None, api_key: str | None, given: dict[str, str]) -> Model:
    from carrel.models.composed import ComposedModel, Meter

    first, _, second = name.partition("+")
    if not first.strip() or not second.strip() or "+" in second:
        raise UsageError(
            f"{name[:80]!r} is not GROUNDER+THINKER",
            hint="for example vllm:GTA1-7B+openai:gpt-5.4",
        )
    grounder, thinker = parse(first.strip()), parse(second.strip())
    points, carries = _connected(grounder, base_url, api_key, given)
    if not hasattr(points, "encode_locate"):
        raise UsageError(
            f"{grounder} cannot say where things are",
            hint="first one that points: UI-TARS, Qwen-VL, GTA1, Holo, UI-Ins, Gelato, InternVL",
        )
    meter = Meter(carries)
    # What is given for one is for the other too only where both are the same provider's.
    same = grounder.provider == thinker.provider
    where, key = (base_url, api_key) if same else (None, None)
    asked, line = _connected(thinker, where, key, {**given, "dialect": "described"})
    return ComposedModel(
        name,
        _spoken(first, grounder, points, meter, given),
        _spoken(second, thinker, asked, line, given),
        meter=meter,
    )


def _reserved(parsed: Name) -> Model:
    if parsed.provider == "scripted" and parsed.model:
        from carrel.models.scripted import ScriptedModel, read_script

        return ScriptedModel(read_script(Path(parsed.model)), str(parsed))
    if parsed.provider == "replay" and parsed.model:
        from carrel.models.replay import ReplayModel

        return ReplayModel(parsed.model)
    if parsed.provider == "steps" and not parsed.model:
        from carrel.models.steps.model import StepsModel

        return StepsModel()
    hints = {
        "steps": "write steps alone: the task says what to do",
        "scripted": "write scripted:FILE",
        "replay": "write replay:RUN",
        "human": "a person needs a terminal: carrel run --model human",
    }
    raise UsageError(
        f"{parsed.provider} cannot be opened by name alone", hint=hints[parsed.provider]
    )


def families() -> list[Family]:
    """Every family of models this installation knows, and whether it can be used now."""
    known = [_family(line) for line in FAMILIES]
    for entry in reversed(_plugin_entries()):
        words = f"from a plugin, for names with {entry.pattern!r}"
        known.append(Family(entry.dialect, (), entry.api, (), True, words))
    return known


def _plugin_entries() -> list[Entry]:
    _load_plugins()
    return list(_added)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _family(line: FamilyLine) -> Family:
    from carrel.models._registry_needs import (
        find_way,
        what_is_missing,
        what_is_needed,
        what_is_there,
    )
    from carrel.models.transports import find_provider

    if not line.providers:
        return Family(line.name, line.examples, None, (), True, line.words)
    extras = dict.fromkeys(find_provider(name).extra for name in line.providers)
    packages = " or ".join(f"carrel[{extra}]" for extra in extras)
    ways = [find_way(name) for name in line.providers]
    needs = (line.words or what_is_needed(ways), packages)
    if not any(_is_installed(module) for module in line.modules):
        return Family(line.name, line.examples, line.api, needs, False, f"install {packages}")
    there = "" if line.pair else what_is_there(ways, os.environ)
    reason = there or what_is_missing(ways)
    return Family(line.name, line.examples, line.api, needs, bool(there), reason)
