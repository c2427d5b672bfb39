"""Secrets by reference: a model writes `{{secret:NAME}}`, and never sees what is typed.

A value is put in at the very last moment, after the gate and the journal, and only where it may
go: a secret pinned to an application or a host is typed nowhere else.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol, cast, get_args

from carrel import codec
from carrel.actions import Action, SetClipboard, Shell, Type
from carrel.codec import Json
from carrel.errors import InvalidInput, NotFound, Refused
from carrel.intents import Ask, CallTool, Done, Note
from carrel.journal.redact import Redactor
from carrel.policy.paths import config_home, read_private
from carrel.policy.urls import Url, host_matches, read_host
from carrel.results import Result

__all__ = ["Focus", "Secret", "Secrets", "Use"]

Use = Literal["type", "set_clipboard", "shell", "tool"]
USES: tuple[str, ...] = get_args(Use)
PREFIX = "CARREL_SECRET_"

_REFERENCE = re.compile(r"\{\{\s*secret:([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}", re.ASCII)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}", re.ASCII)
_KEYS = ("value", "apps", "hosts", "uses")


class Focus(Protocol):
    """Where typed text would go, as far as the machine says."""

    @property
    def app(self) -> str:
        """The application whose window has the keyboard; empty when not known."""
        ...

    @property
    def host(self) -> str:
        """The host of the page that is shown; empty when not known."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """One secret. Its value is in no text made of it.

    Attributes:
        name: Compared without regard to case.
        apps: Patterns of applications it may be typed into; empty for any.
        hosts: Patterns of hosts whose pages it may be typed into; empty for any.
        uses: In which actions it may be used.
    """

    name: str
    value: str
    apps: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ("type",)

    def __post_init__(self) -> None:
        if _NAME.fullmatch(self.name) is None:
            raise InvalidInput(f"{self.name[:60]!r} is not a name for a secret", hint="use letters")
        if not self.value:
            raise InvalidInput(f"the secret {self.name} is empty")
        object.__setattr__(self, "name", self.name.upper())

    def __repr__(self) -> str:
        return f"Secret({self.name})"

    @property
    def is_pinned(self) -> bool:
        """Whether it is bound to applications or hosts."""
        return bool(self.apps or self.hosts)

    def check(self, focus: Focus) -> None:
        """Nothing, if it may be typed where the focus is.

        Raises:
            Refused: It is pinned to something else, or nobody knows what has the focus.
        """
        app = focus.app.lower()
        if self.apps and not any(fnmatch.fnmatchcase(app, item.lower()) for item in self.apps):
            where = f"not into {focus.app!r}" if app else "and nobody knows what has the keyboard"
            raise self._misplaced(f"only into {', '.join(self.apps)}, {where}")
        host = read_host(focus.host) if focus.host else None
        page = Url("https", host, None, "/")
        if self.hosts and not any(host and host_matches(item, page) for item in self.hosts):
            where = (
                f"not on {focus.host!r}" if focus.host else "and nobody knows which page is shown"
            )
            raise self._misplaced(f"only on {', '.join(self.hosts)}, {where}")

    def _misplaced(self, why: str) -> Refused:
        return Refused(
            f"the secret {self.name} may be typed {why}",
            hint="bring the right window to the front and look before you type",
            context={"secret": self.name},
        )


class Secrets:
    """The secrets of a run.

    Args:
        secrets: Later ones replace earlier ones of the same name.
    """

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._secrets = {secret.name: secret for secret in secrets}
        self._redactor = Redactor(self.values(), shapes=False)

    @classmethod
    def load(
        cls,
        path: Path | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        given: Mapping[str, str | Secret] | None = None,
    ) -> Secrets:
        """Secrets from a file, the environment and the caller; the later of these wins.

        Pins of the file hold for a value from elsewhere, too.

        Args:
            path: A TOML file that only you can read; `secrets.toml` of the configuration
                directory when None.
            environ: `CARREL_SECRET_NAME` is the secret NAME.
            given: By name.

        Raises:
            Refused: Others can read the file.
            InvalidInput: It is not a file of secrets.
        """
        where = path or config_home() / "secrets.toml"
        text = read_private(where)
        if text is None and path is not None:
            raise NotFound(f"there is no file {path}")
        drafts = _read(text or "", str(where))
        environ = os.environ if environ is None else environ
        values: dict[str, str | Secret] = {
            name.removeprefix(PREFIX).upper(): value
            for name, value in environ.items()
            if name.startswith(PREFIX) and value
        }
        values |= {name.upper(): value for name, value in (given or {}).items()}
        return cls(_join(drafts, values))

    def __repr__(self) -> str:
        return f"Secrets({', '.join(sorted(self._secrets))})"

    @property
    def names(self) -> tuple[str, ...]:
        """What models may refer to."""
        return tuple(sorted(self._secrets))

    def values(self) -> tuple[str, ...]:
        """For whoever keeps them out of what is written."""
        return tuple(secret.value for secret in self._secrets.values())

    def hide(self, result: Result) -> Result:
        """A result as a model may see it: whoever was given a secret may have said it again."""
        if not self._secrets:
            return result
        hide, error = self._redactor, result.error
        if error is not None:
            hint = None if error.hint is None else hide.text(error.hint)
            error = replace(error, message=hide.text(error.message), hint=hint)
        data, evidence = hide.data(result.data), hide.data(result.evidence)
        return replace(
            result, text=hide.text(result.text), data=data, evidence=evidence, error=error
        )

    def get(self, name: str) -> Secret:
        """One secret.

        Raises:
            NotFound: There is none of that name.
        """
        secret = self._secrets.get(name.upper())
        if secret is None:
            known = ", ".join(self.names) or "none"
            raise NotFound(f"there is no secret {name.upper()}", hint=f"known secrets: {known}")
        return secret

    def references(self, action: Action) -> tuple[str, ...]:
        """The secrets an action refers to. Words to a person and notes are only words."""
        if isinstance(action, Done | Ask | Note):
            return ()
        names = [name.upper() for text in _texts(codec.encode(action)) for name in _names(text)]
        return tuple(dict.fromkeys(names))

    def check(self, action: Action) -> tuple[Secret, ...]:
        """The secrets of an action, if they may be used in it at all.

        Raises:
            NotFound: There is no such secret.
            Refused: Secrets do not go there, or this one does not.
        """
        secrets = tuple(self.get(name) for name in self.references(action))
        if not secrets:
            return ()
        _check_place(action)
        for secret in secrets:
            if action.type not in secret.uses:
                raise Refused(
                    f"the secret {secret.name} may not be used with {action.type}",
                    hint=f"it may be used with {', '.join(secret.uses)}",
                )
        return secrets

    def resolve(self, action: Action, focus: Focus) -> Action:
        """The action with the values in place of the references.

        What comes back must not be written, shown or logged.

        Raises:
            NotFound: There is no such secret.
            Refused: A pin does not fit the focus, or secrets do not go there.
        """
        secrets = self.check(action)
        if isinstance(action, Type):
            for secret in secrets:
                secret.check(focus)
            return replace(action, text=self._fill(action.text)) if secrets else action
        if isinstance(action, SetClipboard) and secrets:
            return replace(action, text=self._fill(action.text))
        if isinstance(action, Shell) and secrets:
            env = {name: self._fill(value) for name, value in action.env.items()}
            stdin = None if action.stdin is None else self._fill(action.stdin)
            return replace(action, env=env, stdin=stdin)
        if isinstance(action, CallTool) and secrets:
            filled = cast("dict[str, Json]", self._fill_json(dict(action.arguments)))
            return replace(action, arguments=filled)
        return action

    def _fill(self, text: str) -> str:
        return _REFERENCE.sub(lambda found: self.get(found[1]).value, text)

    def _fill_json(self, value: Json) -> Json:
        if isinstance(value, str):
            return self._fill(value)
        if isinstance(value, list):
            return [self._fill_json(item) for item in value]
        if isinstance(value, dict):
            return {key: self._fill_json(item) for key, item in value.items()}
        return value


def _names(text: str) -> list[str]:
    return [found[1] for found in _REFERENCE.finditer(text)]


def _texts(value: Json) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)


def _check_place(action: Action) -> None:
    """Refuse references where a value would be seen: in a command line, a path, a file."""
    elsewhere: Json = True
    if isinstance(action, Type | SetClipboard):
        elsewhere = None
    elif isinstance(action, Shell):
        elsewhere = [action.command, action.cwd, *action.env]
    elif isinstance(action, CallTool):
        elsewhere = [action.name, *_keys(action.arguments)]
    if elsewhere is True or any(map(_names, _texts(elsewhere))):
        raise Refused(
            f"a secret cannot be used there in {action.type}",
            hint="type it, or give it to a command by env or stdin",
        )


def _keys(value: object) -> Iterable[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from _keys(item)


@dataclass(frozen=True, slots=True, repr=False)
class _Draft:
    """What a file says of a secret; the value may come from elsewhere."""

    name: str
    value: str | None
    apps: tuple[str, ...]
    hosts: tuple[str, ...]
    uses: tuple[Use, ...]

    def with_value(self, value: str) -> Secret:
        return Secret(self.name, value, self.apps, self.hosts, self.uses)


def _join(drafts: Mapping[str, _Draft], values: Mapping[str, str | Secret]) -> Iterable[Secret]:
    for name, draft in drafts.items():
        if draft.value is not None and name not in values:
            yield draft.with_value(draft.value)
    for name, value in values.items():
        if isinstance(value, Secret):
            yield value
        elif name in drafts:
            yield drafts[name].with_value(value)
        else:
            yield Secret(name, value)


def _read(text: str, where: str) -> dict[str, _Draft]:
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # Its message names a place, not the text there.
        raise InvalidInput(f"{where} is not TOML: {error}") from None
    drafts = [_draft(name, item, f"{where}: {name}") for name, item in data.items()]
    return {draft.name: draft for draft in drafts}


def _draft(name: str, data: object, where: str) -> _Draft:
    if not isinstance(data, dict):
        raise InvalidInput(f"{where}: expected a table with {', '.join(_KEYS)}")
    unknown = sorted(data.keys() - set(_KEYS))
    if unknown:
        raise InvalidInput(
            f"{where}: unknown key {', '.join(map(repr, unknown))}",
            hint=f"known keys: {', '.join(_KEYS)}",
        )
    value = data.get("value")
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"{where}.value: expected text")
    uses = _words(data, "uses", where) or ("type",)
    if not set(uses) <= set(USES):
        raise InvalidInput(f"{where}.uses: known are {', '.join(USES)}")
    apps, hosts = _words(data, "apps", where), _words(data, "hosts", where)
    return _Draft(name.upper(), value, apps, hosts, cast("tuple[Use, ...]", uses))


def _words(data: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise InvalidInput(f"{where}.{key}: expected a list of texts")
    return tuple(value)
