"""A dialect: how one family of models is asked, and how its answers are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Protocol

from carrel.codec import Json
from carrel.decisions import Decision
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.picture import Picture

__all__ = ["Api", "Dialect", "Locator", "Request"]


class Api(StrEnum):
    """The wires that transports speak."""

    OPENAI_RESPONSES = "openai-responses"
    OPENAI_CHAT = "openai-chat"
    ANTHROPIC = "anthropic-messages"
    GEMINI = "gemini"


@dataclass(frozen=True, slots=True)
class Request:
    """One request, ready for a transport.

    Attributes:
        body: The JSON object of the API, without the model's name where the URL carries it.
        betas: Values of the provider's beta header.
    """

    api: Api
    body: Mapping[str, Json]
    betas: tuple[str, ...] = field(default=())


class Dialect(Protocol):
    """Two pure functions. Coordinates are converted here, once, and nowhere else.

    `decode` never raises for what a model wrote: a call it cannot understand becomes a `Call` with
    a `problem`. It raises `ProtocolError` only when the body is not an answer of the API at all.
    """

    name: ClassVar[str]
    api: ClassVar[Api]
    wants_elements: ClassVar[bool]
    """Whether pictures should come with the elements on them."""

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        ...

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer to the request for this very context."""
        ...


class Locator(Protocol):
    """A dialect that can say where something is on a picture."""

    api: ClassVar[Api]

    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        """The request that asks where `description` is."""
        ...

    def decode_locate(self, body: Mapping[str, Json], picture: Picture) -> Point:
        """The point on the screen.

        Raises:
            ActionFailed: The answer holds no point, or one outside the picture.
        """
        ...
