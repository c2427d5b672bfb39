"""What models cost: a dated table, a person's own on top of it, and never a guess.

A model that is not in the table has no price; that is not the same as costing nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path

from carrel.decisions import Decision, Usage
from carrel.errors import InvalidInput
from carrel.policy.paths import config_home

__all__ = ["Price", "Prices", "Rates"]

MILLION = Decimal(1_000_000)
DEFAULT_OUTPUT = 4096
"""Tokens of an answer that an estimate reckons with when nobody set a limit."""

_ALIASES = {"google": "gemini"}
_RATES = ("input", "cached", "cache_write", "output")
_DATE = re.compile(
    r"(-preview)?[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{2}-\d{4}|\d{2}-\d{2}|\d{3})|-latest", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars for a million tokens.

    Attributes:
        cached: None where the provider gives no discount: then it is `input`.
        cache_write: None where writing to the cache costs no more than reading afresh.
    """

    input: Decimal
    output: Decimal
    cached: Decimal | None = None
    cache_write: Decimal | None = None

    def cost(self, usage: Usage) -> Decimal:
        """Exactly what an answer costs."""
        cached = self.input if self.cached is None else self.cached
        write = self.input if self.cache_write is None else self.cache_write
        total = (
            usage.input * self.input
            + usage.cached * cached
            + usage.cache_writes * write
            + usage.output * self.output
        )
        return total / MILLION


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one model.

    Attributes:
        long: Rates of a request whose context has more than `above` tokens.
        read: The day its source was read.
    """

    rates: Rates
    above: int | None = None
    long: Rates | None = None
    source: str = ""
    read: date | None = None

    def cost(self, usage: Usage) -> Decimal:
        """Exactly what an answer costs."""
        context = usage.input + usage.cached + usage.cache_writes
        is_long = self.long is not None and self.above is not None and context > self.above
        rates = self.long if is_long and self.long is not None else self.rates
        return rates.cost(usage)


FREE = Price(Rates(Decimal(0), Decimal(0), Decimal(0), Decimal(0)), source="runs on this computer")


@dataclass(frozen=True, slots=True)
class _Entry:
    """Prices of one model by the day from which they hold, newest first."""

    prices: tuple[tuple[date, Price], ...]

    def on(self, day: date) -> Price | None:
        return next((price for start, price in self.prices if start <= day), None)


@dataclass(frozen=True, slots=True)
class _Provider:
    local: bool
    via: tuple[str, ...]
    models: Mapping[str, _Entry]

    def find(self, model: str) -> _Entry | None:
        """By its exact name, else by the longest name that lacks only a date."""
        if model in self.models:
            return self.models[model]
        names = sorted(self.models, key=len, reverse=True)
        fits = (name for name in names if model.startswith(name))
        return next((self.models[n] for n in fits if _DATE.fullmatch(model[len(n) :])), None)


class Prices:
    """The prices that hold.

    Args:
        override: A file in the form of the shipped table; its models and providers come first.
            None takes `prices.toml` of the configuration directory, if it is there.
        today: The day to look at; prices change on announced days.
    """

    def __init__(self, override: Path | None = None, *, today: date | None = None) -> None:
        self._today = today
        self._tables = [_shipped()]
        path = override or config_home() / "prices.toml"
        if override is not None or path.exists():
            self._tables.insert(0, _read(_load(path), str(path)))
        # Whoever passes on prices may pass on those of the other table.
        self._makers = {**self._tables[-1], **self._tables[0]}

    def price(self, model: str) -> Price | None:
        """The price of `provider:model`, or of a model by its own name; None when not known.

        `grounder+thinker` has one only where both have the same.
        """
        if len(parts := _parts(model)) > 1:
            first, *others = map(self.price, parts)
            return first if all(other == first for other in others) else None
        day = self._today or datetime.now(UTC).date()
        for table in self._tables:
            found = _look_up(table, self._makers, model, day)
            if found is not None:
                return found
        return None

    def cost(self, model: str, usage: Usage) -> Decimal | None:
        """Exactly what an answer costs; None when the price is not known."""
        price = self.price(model)
        return None if price is None else price.cost(usage)

    def cost_of(self, model: str, decision: Decision) -> Decimal | None:
        """Exactly what a decision of `model` costs, each part of it at its own model's price."""
        shares = decision.shares or {model: decision.usage}
        return _total(self.cost(name, usage) for name, usage in shares.items())

    def estimate(
        self, model: str, context_tokens: int, max_output: int | None = None
    ) -> Decimal | None:
        """The most the next answer should cost: nothing cached, and an answer of full length."""
        if len(parts := _parts(model)) > 1:
            return _total(self.estimate(part, context_tokens, max_output) for part in parts)
        price = self.price(model)
        if price is None:
            return None
        output = DEFAULT_OUTPUT if max_output is None else max_output
        fresh = price.cost(Usage(input=context_tokens, output=output))
        return max(fresh, price.cost(Usage(cache_writes=context_tokens, output=output)))


def _parts(model: str) -> list[str]:
    """The models behind a name: two for `grounder+thinker`, else the one."""
    first, plus, second = model.partition("+")
    composed = plus and ":" in second and not model.startswith(("scripted:", "replay:"))
    return [first.strip(), second.strip()] if composed else [model]


def _total(costs: Iterable[Decimal | None]) -> Decimal | None:
    """The sum, when every part of it is known."""
    total = Decimal(0)
    for cost in costs:
        if cost is None:
            return None
        total += cost
    return total


def _look_up(
    table: Mapping[str, _Provider], makers: Mapping[str, _Provider], model: str, day: date
) -> Price | None:
    name, colon, rest = model.partition(":")
    provider = table.get(name) or table.get(_ALIASES.get(name, ""))
    if provider is None:
        # A name without a provider. Where somebody else sells it, the price is not theirs.
        entries = [] if colon else [found for p in table.values() if (found := p.find(model))]
    elif provider.local:
        return FREE
    else:
        entries = [
            found for found in (provider.find(rest), *_resold(makers, provider, rest)) if found
        ]
    prices = {price for entry in entries if (price := entry.on(day)) is not None}
    return prices.pop() if len(prices) == 1 else None


def _resold(makers: Mapping[str, _Provider], provider: _Provider, model: str) -> list[_Entry]:
    """Of one who passes on the prices of others: `anthropic/claude-…`."""
    maker, slash, name = model.partition("/")
    seller = makers.get(_ALIASES.get(maker, maker))
    if not slash or maker not in provider.via or seller is None:
        return []
    # Some write claude-opus-4.5 for claude-opus-4-5.
    found = seller.find(name) or seller.find(name.replace(".", "-"))
    return [] if found is None else [found]


@cache
def _shipped() -> dict[str, _Provider]:
    from importlib import resources

    text = resources.files("carrel.policy").joinpath("prices.toml").read_text(encoding="utf-8")
    return _read(_parse(text, "prices.toml"), "prices.toml")


def _load(path: Path) -> dict[str, object]:
    try:
        return _parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}") from error


def _parse(text: str, where: str) -> dict[str, object]:
    import tomllib

    try:
        # Decimal from the digits as they are written: 0.1 is a tenth.
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{where} is not TOML: {error}") from error


def _read(data: Mapping[str, object], where: str) -> dict[str, _Provider]:
    known = _table(data, where, ("providers",)).get("providers", {})
    return {
        name: _provider(item, f"{where}: providers.{name}")
        for name, item in _table(known, f"{where}: providers").items()
    }


def _provider(data: object, where: str) -> _Provider:
    table = _table(data, where, ("source", "read", "local", "via", "models"))
    source, read, via = table.get("source", ""), table.get("read"), table.get("via", [])
    local = table.get("local", False)
    if not isinstance(source, str) or not isinstance(local, bool):
        raise InvalidInput(f"{where}: source is text and local is true or false")
    if read is not None and not isinstance(read, date):
        raise InvalidInput(f"{where}.read: expected a date such as 2026-11-15")
    if not isinstance(via, list) or not all(isinstance(name, str) for name in via):
        raise InvalidInput(f"{where}.via: expected a list of providers")
    models = {
        name: _entry(item, f"{where}.models.{name}", source, read)
        for name, item in _table(table.get("models", {}), f"{where}.models").items()
    }
    return _Provider(local, tuple(via), models)


def _entry(data: object, where: str, source: str, read: date | None) -> _Entry:
    table = _table(data, where, (*_RATES, "above", "long", "then"))
    prices = [(date.min, _price(table, where, source, read))]
    if "then" in table:
        then = _table(table["then"], f"{where}.then", (*_RATES, "above", "long", "from"))
        start = then.get("from")
        if not isinstance(start, date):
            raise InvalidInput(f"{where}.then.from: expected a date such as 2027-01-01")
        prices.insert(0, (start, _price(then, f"{where}.then", source, read)))
    return _Entry(tuple(prices))


def _price(table: Mapping[str, object], where: str, source: str, read: date | None) -> Price:
    above = table.get("above")
    if ("long" in table) != (above is not None):
        raise InvalidInput(f"{where}: long and above belong together")
    if above is not None and (not isinstance(above, int) or isinstance(above, bool) or above < 1):
        raise InvalidInput(f"{where}.above: expected a number of tokens")
    long = None
    if "long" in table:
        long = _rates(_table(table["long"], f"{where}.long", _RATES), f"{where}.long")
    return Price(_rates(table, where), above, long, source, read)


def _rates(table: Mapping[str, object], where: str) -> Rates:
    values = {name: _money(table[name], f"{where}.{name}") for name in _RATES if name in table}
    if not {"input", "output"} <= values.keys():
        raise InvalidInput(f"{where}: input and output are needed")
    return Rates(**values)


def _money(value: object, where: str) -> Decimal:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        amount = Decimal(value)
        if amount.is_finite() and amount >= 0:
            return amount
    raise InvalidInput(f"{where}: expected US dollars for a million tokens")


def _table(value: object, where: str, known: tuple[str, ...] | None = None) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise InvalidInput(f"{where}: expected a table")
    unknown = [] if known is None else sorted(value.keys() - set(known))
    if unknown:
        raise InvalidInput(
            f"{where}: unknown key {', '.join(map(repr, unknown))}",
            hint=f"known keys: {', '.join(known or ())}",
        )
    return value
