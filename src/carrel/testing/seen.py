"""A request as a `FakeProvider` saw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from carrel.codec import Json
from carrel.models.dialect import Api

__all__ = ["Seen"]


@dataclass(frozen=True, slots=True)
class Seen:
    """One request.

    Attributes:
        number: How many requests came before it.
        model: The model that was asked, from the body or the URL.
        body: The parsed body, without the model where the URL carries it.
        headers: With lower-case names, the key's among them.
        key: The API key it came with; empty when it had none.
        betas: Values of the beta header.
        stream: Whether the answer is to be streamed.
        refused: Why it was refused; empty when it was answered.
    """

    number: int
    wire: Api
    path: str
    model: str
    body: Mapping[str, Json]
    headers: Mapping[str, str]
    key: str
    betas: tuple[str, ...] = ()
    stream: bool = False
    refused: str = ""
