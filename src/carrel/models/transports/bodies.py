"""Reading answers: at once, or as events."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Mapping
from typing import Protocol

from carrel.codec import Json
from carrel.errors import Unsupported
from carrel.models.dialect import Api
from carrel.models.model import OnText
from carrel.models.picture import Plain, Words
from carrel.models.transports import faults

__all__ = ["Gather", "Whole", "check_api", "dump", "parse", "read_stream"]

_EVENTS = ("text/event-stream", "application/vnd.amazon.eventstream")


class Gather(Protocol):
    """Puts events together; see `carrel.models.transports.assemble`."""

    error: dict[str, Json] | None

    @property
    def body(self) -> dict[str, Json] | None: ...  # noqa: D102

    def add(self, event: Mapping[str, Json]) -> str: ...  # noqa: D102


class Whole(Protocol):
    """A response of HTTP, as far as it matters here."""

    @property
    def headers(self) -> Mapping[str, str]: ...  # noqa: D102

    async def aread(self) -> bytes: ...  # noqa: D102


def check_api(provider: str, api: Api, known: tuple[Api, ...]) -> None:
    """Refuse an API that a provider does not speak.

    Raises:
        Unsupported: It does not.
    """
    if api not in known:
        names = ", ".join(known)
        raise Unsupported(f"{provider} does not speak {api}", hint=f"it speaks {names}")


def dump(body: Mapping[str, Json]) -> bytes:
    """A body as JSON. Pictures, most of its bytes, are copied and not searched for escapes."""
    mark = f"picture {secrets.token_hex(16)}"
    pictures: list[Plain] = []
    text = json.dumps(
        _lift(dict(body), mark, pictures),
        ensure_ascii=False,
        allow_nan=False,
        separators=(",", ":"),
    )
    # Half of a surrogate pair has no UTF-8; written as \udXXX, JSON reads it back as it was.
    parts = [part.encode("utf-8", "backslashreplace") for part in text.split(mark)]
    joined = [parts[0]]
    for picture, part in zip(pictures, parts[1:], strict=True):
        joined += (picture.encode("ascii"), part)
    return b"".join(joined)


def _lift(value: Json, mark: str, pictures: list[Plain]) -> Json:
    """The same with a mark in the place of every picture."""
    if isinstance(value, Plain):
        pictures.append(value)
        return mark
    if type(value) is Words:
        return value
    if isinstance(value, dict):
        # Most are plain words, of which there are thousands in a long conversation.
        return {
            key: item if type(item) is str else _lift(item, mark, pictures)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_lift(item, mark, pictures) for item in value]
    return value


def parse(provider: str, content: bytes) -> dict[str, Json]:
    """The JSON object in a body.

    Raises:
        ModelError: It holds none.
    """
    try:
        body = json.loads(content)
    except ValueError:
        raise faults.broken_answer(provider, "the answer is not JSON") from None
    if not isinstance(body, dict):
        raise faults.broken_answer(provider, "the answer is not a JSON object")
    return body


async def read_stream(
    provider: str, events: AsyncIterator[object], response: Whole, gather: Gather, on_text: OnText
) -> dict[str, Json]:
    """Read a streamed answer to its end.

    Raises:
        ModelError: It broke off, or an error came in the midst of it.
    """
    kind = response.headers.get("content-type", "")
    if not kind.startswith(_EVENTS):
        # Some servers do not stream, whatever they are asked.
        return parse(provider, await response.aread())
    try:
        async for event in events:
            if isinstance(event, dict):
                text = gather.add(event)
                if text:
                    on_text(text)
    except json.JSONDecodeError:
        raise faults.broken_answer(provider, "an event of the answer is not JSON") from None
    if gather.error is not None:
        raise faults.refused(provider, status=None, body=gather.error)
    if gather.body is None:
        raise faults.broken_answer(provider, "the answer broke off before its end")
    return gather.body
