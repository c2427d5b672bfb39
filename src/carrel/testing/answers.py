"""What a `FakeProvider` is told to answer: pieces of an answer, and faults.

The modules `carrel.testing.openai`, `.chat`, `.anthropic` and `.gemini` build answers in the words
of their API. What is the same everywhere is here:

```python
provider.script(
    status(429, retry_after=1),  # first a rate limit
    overloaded(),  # then the provider's own word for "too busy"
    empty(),  # an answer that says nothing
    text("Done."),  # words, on any wire
)
```

Answers are added up: `openai.reasoning("Look first.") + openai.computer_call([...])`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from carrel.codec import Json
from carrel.decisions import SafetyCheck, Usage
from carrel.models.dialect import Api

__all__ = [
    "Answer",
    "ComputerCall",
    "Fault",
    "Piece",
    "Reply",
    "Said",
    "Stop",
    "Thought",
    "ToolCall",
    "disconnect",
    "empty",
    "filtered",
    "garbage",
    "hang",
    "overloaded",
    "raw",
    "refusal",
    "status",
    "text",
    "truncated",
]

Stop = Literal["", "refusal", "truncated", "content_filter"]
"""Why an answer ended, where that is not plain from what it holds."""

USAGE = Usage(input=100, output=20)


@dataclass(frozen=True, slots=True)
class Said:
    """Words for the person."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Reasoning; the server signs it, and checks the signature when it comes back."""

    text: str
    redacted: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a function tool, or of a member of a toolset."""

    name: str
    arguments: Mapping[str, Json] | str
    id: str = ""
    checks: tuple[SafetyCheck, ...] = ()

    @property
    def as_text(self) -> str:
        """The arguments as JSON text; text is taken as it is, also when it is not JSON."""
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(dict(self.arguments), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class ComputerCall:
    """A computer call of the Responses API."""

    actions: tuple[Mapping[str, Json], ...]
    id: str = ""
    checks: tuple[SafetyCheck, ...] = ()
    preview: bool = False


Piece = Said | Thought | ToolCall | ComputerCall


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a model.

    Attributes:
        wire: The only API it can be given on; None for any.
        stop: Why it ended, where its pieces do not say.
        usage: The tokens it reports.
        body: Sent as it is in place of everything else.
    """

    pieces: tuple[Piece, ...] = ()
    wire: Api | None = None
    stop: Stop = ""
    usage: Usage = USAGE
    body: Mapping[str, Json] | None = None

    def __add__(self, other: Answer) -> Answer:
        return Answer(
            (*self.pieces, *other.pieces),
            self.wire or other.wire,
            self.stop or other.stop,
            self.usage if self.usage != USAGE else other.usage,
        )

    def using(self, usage: Usage) -> Answer:
        """The same answer, reporting other tokens."""
        return replace(self, usage=usage)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong instead of an answer.

    Attributes:
        after: How many events of a streamed answer are sent before it goes wrong.
        answer: Where those events come from.
    """

    kind: Literal["status", "hang", "disconnect", "garbage"]
    status: int = 500
    message: str = ""
    type: str = ""
    code: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    details: tuple[Mapping[str, Json], ...] = ()
    after: int = 0
    answer: Answer = field(default_factory=Answer)


Reply = Answer | Fault


def text(words: str) -> Answer:
    """An answer in words."""
    return Answer((Said(words),))


def empty() -> Answer:
    """An answer that holds nothing."""
    return Answer()


def refusal(words: str = "I can't help with that.") -> Answer:
    """The model declines."""
    return Answer((Said(words),) if words else (), stop="refusal")


def truncated(words: str = "The next step is to") -> Answer:
    """An answer that was cut off at the output limit."""
    return Answer((Said(words),) if words else (), stop="truncated")


def filtered() -> Answer:
    """The provider's filter held the answer back."""
    return Answer(stop="content_filter")


def raw(body: Mapping[str, Json]) -> Answer:
    """A body that is sent as it is, also when it is not an answer at all."""
    return Answer(body=body)


def status(
    code: int,
    message: str = "",
    *,
    retry_after: float | str | None = None,
    retry_after_ms: int | None = None,
    retry_info: str = "",
    type: str = "",  # noqa: A002 (the field's name on the wire)
    error_code: str = "",
) -> Fault:
    """An error of HTTP, in the shape of the API that was called.

    Args:
        code: Such as 429.
        message: The provider's message; a fitting one when empty.
        retry_after: The header of that name: seconds, or a date of HTTP.
        retry_after_ms: The header of that name.
        retry_info: Gemini's `RetryInfo`, such as `34s`.
        type: The error's type in the body; what belongs to the status when empty.
        error_code: The error's code in the body, such as `insufficient_quota`.
    """
    headers: dict[str, str] = {}
    if retry_after is not None:
        headers["retry-after"] = str(retry_after)
    if retry_after_ms is not None:
        headers["retry-after-ms"] = str(retry_after_ms)
    details: tuple[Mapping[str, Json], ...] = ()
    if retry_info:
        kind = "type.googleapis.com/google.rpc.RetryInfo"
        details = ({"@type": kind, "retryDelay": retry_info},)
    return Fault("status", code, message, type, error_code, headers, details)


def overloaded(after: int = 0) -> Fault:
    """The provider is too busy: 529 for Anthropic, 503 for others; or in mid-stream."""
    return Fault("status", 503, type="overloaded", after=after, answer=_LONG)


def hang(after: int = 0) -> Fault:
    """Nothing more comes, and the connection stays open until the other side closes it."""
    return Fault("hang", after=after, answer=_LONG)


def disconnect(after: int = 0) -> Fault:
    """The connection is cut."""
    return Fault("disconnect", after=after, answer=_LONG)


def garbage(status: int = 200) -> Fault:
    """A page of HTML, as proxies send it."""
    return Fault("garbage", status)


_LONG = Answer((Said("One word follows the other until it stops."),))
