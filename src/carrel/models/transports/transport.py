"""What carries a request to a provider and brings the answer back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from carrel.codec import Json
from carrel.models.dialect import Api, Request
from carrel.models.model import OnText

__all__ = ["Timeouts", "Transport"]


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long to wait, in seconds.

    Attributes:
        connect: For a connection.
        read: For the next bytes; a model may think that long before it says the first word.
        total: For the whole answer.
    """

    connect: float = 10.0
    read: float = 300.0
    total: float = 600.0


class Transport(Protocol):
    """Sends one request and returns the answer's body. Used with `async with`.

    It does not retry: whoever runs the agent decides that, once.
    """

    apis: tuple[Api, ...]
    """The wires it speaks."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    async def send(
        self, model: str, request: Request, on_text: OnText | None = None
    ) -> Mapping[str, Json]:
        """The API's answer as a JSON object, the same whether it was streamed or not.

        Args:
            model: The provider's name for it.
            request: What to send, as it is.
            on_text: Told of the text as it arrives; None to have it all at once.

        Raises:
            ModelError: No answer could be had; `context` says of which kind the failure is.
            Unsupported: The provider does not speak this API.
        """
        ...
