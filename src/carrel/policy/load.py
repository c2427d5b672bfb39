"""Reading a policy from a TOML file, strictly: what is not understood is not ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from carrel.actions import EffectClass
from carrel.errors import InvalidInput, NotFound
from carrel.policy.limits import Limits
from carrel.policy.policy import Policy
from carrel.policy.rules import Rule, Verdict

__all__ = ["load_policy", "parse_policy"]

_TOP = ("mode", "unknown_price", "safety_checks", "unpinned_secrets", "default", "limits", "rules")
_LIMITS = ("steps", "seconds", "money", "tokens", "asks")
_RULE = ("verdict", "actions", "effects", "targets", "unless", "reason")
_NEUTRAL = dict.fromkeys(EffectClass, Verdict.ALLOW)

Choice = TypeVar("Choice", bound=StrEnum)


def load_policy(path: Path, base: Policy | None = None) -> Policy:
    """The policy in a file, on top of another.

    Rules and defaults of the file make the base stricter, or replace it with `mode = "replace"`;
    limits and other settings of the file are taken as they are.

    Args:
        path: A TOML file.
        base: What the machine's isolation warrants; the strictest, for no isolation, when None.

    Raises:
        NotFound: There is no such file.
        InvalidInput: It is not a policy; the message names the key.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise NotFound(f"there is no policy {path}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}") from error
    return parse_policy(text, base, where=str(path))


def parse_policy(text: str, base: Policy | None = None, *, where: str = "policy") -> Policy:
    """The same from a text.

    Raises:
        InvalidInput: It is not a policy; the message names the key.
    """
    import tomllib

    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{where} is not TOML: {error}") from error
    reader = _Reader(where)
    table = reader.table(data, "", _TOP)
    base = base or Policy.for_isolation("unknown")
    rules = tuple(reader.rule(item, f"rules[{i}]") for i, item in enumerate(reader.rules(table)))
    default = reader.default(table.get("default", {}))
    mode = table.get("mode", "tighten")
    if mode == "replace":
        merged = replace(base, rules=rules, default={**base.default, **default}, others=())
    elif mode == "tighten":
        own = replace(base, rules=rules, default={**_NEUTRAL, **default}, others=())
        merged = base.merge(own)
    else:
        raise reader.wrong("mode", mode, "one of tighten, replace")
    if table.get("safety_checks") == "allow":
        raise reader.wrong("safety_checks", "allow", "one of ask, deny")
    return replace(
        merged,
        limits=reader.limits(table.get("limits", {}), base.limits),
        unknown_price=reader.setting(table, "unknown_price", base.unknown_price),
        safety_checks=reader.setting(table, "safety_checks", base.safety_checks),
        unpinned_secrets=reader.setting(table, "unpinned_secrets", base.unpinned_secrets),
    )


class _Reader:
    """Reads values, and complains about them by the name of their key."""

    def __init__(self, where: str) -> None:
        self._where = where

    def wrong(self, key: str, value: object, expected: str) -> InvalidInput:
        shown = repr(str(value) if isinstance(value, Decimal) else value)
        return InvalidInput(f"{self._where}: {key}: expected {expected}, got {shown[:60]}")

    def table(self, value: object, key: str, known: tuple[str, ...]) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise self.wrong(key, value, "a table")
        unknown = sorted(value.keys() - set(known))
        if unknown:
            path = f"{key}.{unknown[0]}" if key else unknown[0]
            raise InvalidInput(
                f"{self._where}: {path}: there is no such key",
                hint=f"known keys: {', '.join(known)}",
            )
        return value

    def choice(self, kind: type[Choice], value: object, key: str) -> Choice:
        names = [item.value for item in kind]
        if not isinstance(value, str) or value not in names:
            raise self.wrong(key, value, f"one of {', '.join(names)}")
        return kind(value)

    def setting(self, table: Mapping[str, object], key: str, otherwise: Verdict) -> Verdict:
        return self.choice(Verdict, table[key], key) if key in table else otherwise

    def default(self, value: object) -> dict[EffectClass, Verdict]:
        table = self.table(value, "default", tuple(effect.value for effect in EffectClass))
        return {
            EffectClass(name): self.choice(Verdict, item, f"default.{name}")
            for name, item in table.items()
        }

    def rules(self, table: Mapping[str, object]) -> list[object]:
        value = table.get("rules", [])
        if not isinstance(value, list):
            raise self.wrong("rules", value, "a list of tables: [[rules]]")
        return value

    def rule(self, value: object, key: str) -> Rule:
        table = self.table(value, key, _RULE)
        if "verdict" not in table:
            raise InvalidInput(f"{self._where}: {key}.verdict: is missing")
        effects = self.words(table.get("effects", []), f"{key}.effects")
        reason = table.get("reason", "")
        if not isinstance(reason, str):
            raise self.wrong(f"{key}.reason", reason, "text")
        try:
            return Rule(
                self.choice(Verdict, table["verdict"], f"{key}.verdict"),
                self.words(table.get("actions", "*"), f"{key}.actions"),
                tuple(self.choice(EffectClass, item, f"{key}.effects") for item in effects),
                self.words(table.get("targets", "*"), f"{key}.targets"),
                self.words(table.get("unless", []), f"{key}.unless"),
                reason,
            )
        except InvalidInput as error:
            if error.message.startswith(self._where):
                raise
            raise InvalidInput(f"{self._where}: {key}: {error.message}", hint=error.hint) from error

    def words(self, value: object, key: str) -> tuple[str, ...]:
        words = [value] if isinstance(value, str) else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise self.wrong(key, value, "a text or a list of texts")
        return tuple(words)

    def limits(self, value: object, base: Limits) -> Limits:
        table = self.table(value, "limits", _LIMITS)
        found = {name: self.number(name, item) for name, item in table.items()}
        try:
            return replace(base, **found)  # type: ignore[arg-type]  # each is checked in `number`
        except InvalidInput as error:
            raise InvalidInput(f"{self._where}: {error.message}", hint=error.hint) from error

    def number(self, name: str, value: object) -> int | float | Decimal | None:
        if value == "none":
            return None
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise self.wrong(f"limits.{name}", value, 'a number or "none"')
        if name == "money":
            return Decimal(value)
        if name == "seconds":
            return float(value)
        if not isinstance(value, int):
            raise self.wrong(f"limits.{name}", value, 'a whole number or "none"')
        return value
