"""Every error Carrel raises, as one tree.

Each error says what happened (`str(error)`), why where it is known, and what to type next
(`hint`), and carries a stable `code` that the command line, HTTP and SDK share.

```
CarrelError
├── UsageError            fix what you asked for                (exit status 2)
│   ├── InvalidInput      a value is missing, unknown or ill-typed
│   ├── NotFound          nothing has that name
│   ├── AlreadyExists     something already has that name
│   └── WrongState        the machine is in a state that does not allow this
├── PrerequisiteError     fix the computer you run on           (exit status 3)
│   ├── Unavailable       a program, kernel feature or permission is missing
│   └── Unsupported       this provider, display or application cannot do that
└── RunError              it was tried and did not work         (exit status 1)
    ├── ActionFailed      the machine refused or could not carry out an action
    ├── Refused           policy or isolation forbids it
    ├── TimedOut          a bounded wait ran out
    ├── Interrupted       the answer was lost; look again before you repeat it
    ├── MachineLost       the machine died or cannot be reached
    ├── ModelError        a model's provider did not give a usable answer
    └── ProtocolError     the other side of the stream spoke nonsense
```
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

__all__ = [
    "ActionFailed",
    "AlreadyExists",
    "CarrelError",
    "Interrupted",
    "InvalidInput",
    "MachineLost",
    "ModelError",
    "NotFound",
    "PrerequisiteError",
    "ProtocolError",
    "Refused",
    "RunError",
    "TimedOut",
    "Unavailable",
    "Unsupported",
    "UsageError",
    "WrongState",
    "error_from_wire",
]

Context = Mapping[str, object]


class CarrelError(Exception):
    """Base of every error in this package.

    Args:
        message: What happened, in one sentence.
        op: The operation that failed, for example `machine.start`.
        hint: What to type next to fix it.
        context: Facts for a program: JSON values only.
        retryable: Whether the same call may work later without any change.
    """

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 1
    retryable: bool = False

    def __init__(
        self,
        message: str,
        *,
        op: str | None = None,
        hint: str | None = None,
        context: Context | None = None,
        retryable: bool | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.op = op
        self.hint = hint
        self.context: dict[str, object] = dict(context or {})
        if retryable is not None:
            self.retryable = retryable

    def to_wire(self) -> dict[str, object]:
        """This error as a JSON object."""
        wire: dict[str, object] = {
            "code": self.code,
            "message": self.message,
            "retryable": self.retryable,
        }
        if self.op is not None:
            wire["op"] = self.op
        if self.hint is not None:
            wire["hint"] = self.hint
        if self.context:
            wire["context"] = self.context
        return wire


class UsageError(CarrelError):
    """The caller asked for something that cannot be meant."""

    code = "usage"
    exit_status = 2


class InvalidInput(UsageError):
    """A value is missing, unknown, out of range or of the wrong type."""

    code = "invalid_input"


class NotFound(UsageError):
    """Nothing has that name."""

    code = "not_found"


class AlreadyExists(UsageError):
    """Something already has that name."""

    code = "already_exists"


class WrongState(UsageError):
    """The machine is in a state that does not allow this."""

    code = "wrong_state"


class PrerequisiteError(CarrelError):
    """The computer Carrel runs on lacks something."""

    code = "prerequisite"
    exit_status = 3


class Unavailable(PrerequisiteError):
    """A program, kernel feature or permission is missing; the hint says how to get it."""

    code = "unavailable"


class Unsupported(PrerequisiteError):
    """This provider, display or application cannot do that at all."""

    code = "unsupported"


class RunError(CarrelError):
    """It was tried and did not work."""

    code = "run"


class ActionFailed(RunError):
    """The machine could not carry out an action."""

    code = "action_failed"


class Refused(RunError):
    """Policy or isolation forbids it."""

    code = "refused"


class TimedOut(RunError):
    """A bounded wait ran out."""

    code = "timed_out"
    retryable = True


class Interrupted(RunError):
    """The answer was lost: the effect may or may not have happened. Look before repeating."""

    code = "interrupted"


class MachineLost(RunError):
    """The machine died or cannot be reached."""

    code = "machine_lost"


class ModelError(RunError):
    """A model's provider did not give a usable answer.

    `context` may hold `status` (of HTTP), `retry_after` (seconds the provider asked for) and
    `kind`: `rate_limit`, `overloaded`, `timeout`, `connection`, `auth`, `bad_request`, `too_large`,
    `content`, `quota` or `other`.
    """

    code = "model"


class ProtocolError(RunError):
    """The other side of the stream sent something that is not the protocol."""

    code = "protocol"


def _tree(cls: type[CarrelError]) -> dict[str, type[CarrelError]]:
    found = {cls.code: cls}
    for child in cls.__subclasses__():
        found.update(_tree(child))
    return found


_BY_CODE = _tree(CarrelError)


def error_from_wire(wire: Mapping[str, object]) -> CarrelError:
    """The error that another process sent with `CarrelError.to_wire`."""
    cls = _BY_CODE.get(str(wire.get("code")), RunError)
    op, hint, context = wire.get("op"), wire.get("hint"), wire.get("context")
    return cls(
        str(wire.get("message", "unknown error")),
        op=op if isinstance(op, str) else None,
        hint=hint if isinstance(hint, str) else None,
        context=context if isinstance(context, dict) else None,
        retryable=bool(wire.get("retryable", False)),
    )
