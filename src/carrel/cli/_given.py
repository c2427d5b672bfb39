"""What names in steps stand for: given openly with `--set`, or kept secret with `--set-secret`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from carrel.cli._types import parse_pairs
from carrel.errors import InvalidInput, UsageError

__all__ = ["Given", "read_given"]

# As the language of steps and the policy's secrets spell their names.
_NAME = re.compile(r"[^\W\d]\w*")
_IN_BRACES = re.compile(r"\{([^\W\d]\w*)\}")
_SECRET = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Given:
    """The names of one command.

    Attributes:
        open: What may be written down.
        secret: What may not: it is in no journal, report, message or log.
    """

    open: Mapping[str, str] = field(default_factory=dict)
    secret: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return bool(self.open or self.secret)

    @property
    def values(self) -> dict[str, str]:
        """All of them."""
        return {**self.open, **self.secret}

    @property
    def secrets(self) -> dict[str, str]:
        """The secret ones by the names that a run's secrets may have."""
        found: dict[str, str] = {}
        for name, value in self.secret.items():
            called = name.upper()
            number = 0
            # Theirs are of ASCII, and `pin` is `PIN`: none may stand in another's place.
            while _SECRET.fullmatch(called) is None or called in found:
                number += 1
                called = f"SET_{number}"
            found[called] = value
        return found

    def fill(self, task: str) -> str:
        """A task for a model that does not know these names: values, and references to secrets.

        What a scenario remembers on its way stays as it is.
        """
        references = dict(zip(self.secret, self.secrets, strict=True))

        def put(match: re.Match[str]) -> str:
            name = match[1]
            if name in references:
                return f"{{{{secret:{references[name]}}}}}"
            return self.open.get(name, match[0])

        return _IN_BRACES.sub(put, task)


def read_given(pairs: Sequence[str], secrets: Sequence[str], *, can_ask: bool) -> Given:
    """Read `--set NAME=VALUE` and `--set-secret NAME` or `NAME=VARIABLE`.

    Args:
        pairs: Of `--set`.
        secrets: Of `--set-secret`; their values are in the environment.
        can_ask: A person is there, who is asked for what the environment does not have.

    Raises:
        InvalidInput: Something is no name.
        UsageError: A name is given twice, or its value is nowhere.
    """
    given = parse_pairs(tuple(pairs))
    hidden: dict[str, str] = {}
    for text in secrets:
        name, equals, variable = text.partition("=")
        if _NAME.fullmatch(name) is None or (equals and not variable):
            # Not repeated: somebody may have written the secret itself.
            raise InvalidInput(
                "--set-secret takes NAME or NAME=VARIABLE", hint="the value is in the environment"
            )
        if name in given or name in hidden:
            raise UsageError(f"{name} is given twice")
        hidden[name] = _value(name, variable or name, named=bool(equals), can_ask=can_ask)
    return Given(given, hidden)


def _value(name: str, variable: str, *, named: bool, can_ask: bool) -> str:
    value = os.environ.get(variable, "")
    if not value and can_ask and not named:
        from getpass import getpass

        value = getpass(f"{name}: ")
    if value:
        return value
    # A variable that was written out may be the secret itself, by mistake.
    where = "the variable that was named for it" if named else f"the environment variable {name}"
    raise UsageError(
        f"there is no value for {name}: {where} is not set",
        hint=f"export {name}=…, or --set-secret {name}=VARIABLE",
    )
