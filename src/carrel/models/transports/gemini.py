"""Gemini's `generateContent`, at Google AI and on Vertex.

The SDK's `generate_content` reads a request into its own types and drops what they do not know, and
answers in types that leave out what they do not know. So bodies go through the SDK's own client one
layer below: as they are, with its authentication.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING

from carrel.codec import Json
from carrel.errors import CarrelError
from carrel.models.dialect import Api, Request
from carrel.models.model import OnText
from carrel.models.transports import faults, sdk
from carrel.models.transports.assemble import GeminiStream
from carrel.models.transports.bodies import parse
from carrel.models.transports.client import ClientTransport
from carrel.models.transports.transport import Timeouts

if TYPE_CHECKING:
    from google.genai import Client

__all__ = ["GeminiTransport", "gemini_client"]


class GeminiTransport(ClientTransport["Client"]):
    """Talks to one server of Gemini's API.

    Args:
        provider: As the person named it, for messages.
        make: Makes the client.
        secrets: Values that must never be in a message.
    """

    apis: tuple[Api, ...] = (Api.GEMINI,)

    async def _close(self, client: Client) -> None:
        await client.aio.aclose()
        client.close()

    def _faults(self) -> tuple[type[Exception], ...]:
        errors = sdk.load("google.genai.errors", "gemini")
        http = sdk.load("httpx2", "gemini").HTTPError
        auth = sdk.load("google.auth.exceptions", "gemini").GoogleAuthError
        return (errors.APIError, errors.UnknownApiResponseError, http, auth)

    async def _send(
        self, client: Client, model: str, request: Request, on_text: OnText | None
    ) -> dict[str, Json]:
        # Private, and the only door that takes a body as it is: see the head of this module.
        api = client._api_client  # noqa: SLF001
        where = _path(model, vertex=bool(client.vertexai))
        body: dict[str, object] = dict(request.body)
        if on_text is None:
            answer = await api.async_request("post", f"{where}:generateContent", body)
            return parse(self._provider, (answer.body or "").encode())
        path = f"{where}:streamGenerateContent?alt=sse"
        chunks = await api.async_request_streamed("post", path, body)
        return await self._gather(chunks, on_text)

    async def _gather(self, chunks: AsyncIterator[object], on_text: OnText) -> dict[str, Json]:
        gather = GeminiStream()
        async with aclosing(chunks):  # type: ignore[type-var]
            async for chunk in chunks:
                event = json.loads(getattr(chunk, "body", "") or "{}")
                text = gather.add(event) if isinstance(event, dict) else ""
                if text:
                    on_text(text)
        if gather.body is None:
            raise faults.broken_answer(self._provider, "the answer broke off before its end")
        return gather.body

    def _translate(self, error: Exception) -> CarrelError:
        import httpx2

        if isinstance(error, sdk.load("google.genai.errors", "gemini").UnknownApiResponseError):
            return faults.broken_answer(self._provider, "the answer is not JSON")
        if isinstance(error, sdk.load("google.auth.exceptions", "gemini").GoogleAuthError):
            return faults.refused(
                self._provider, status=401, message=str(error), secrets=self._secrets
            )
        if isinstance(error, httpx2.TimeoutException):
            return faults.too_slow(self._provider)
        if isinstance(error, httpx2.HTTPError):
            return faults.lost_connection(self._provider, error, self._secrets)
        status = getattr(error, "code", None)
        return faults.refused(
            self._provider,
            status=status if isinstance(status, int) else None,
            headers=getattr(getattr(error, "response", None), "headers", None),
            body=getattr(error, "details", None),
            message=str(error),
            secrets=self._secrets,
        )


def _path(model: str, *, vertex: bool) -> str:
    if "/" in model:
        return model
    return f"publishers/google/models/{model}" if vertex else f"models/{model}"


def gemini_client(
    key: str,
    base_url: str | None,
    timeouts: Timeouts,
    *,
    vertex: bool = False,
    project: str | None = None,
    region: str | None = None,
) -> Client:
    """A client that neither retries nor waits for ever."""
    options: dict[str, object] = {"timeout": int(timeouts.read * 1000)}
    if base_url is not None:
        options["base_url"] = base_url
    made = sdk.load("google.genai", "gemini")
    found: Client = made.Client(
        vertexai=vertex,
        api_key=key or None,
        project=None if key else project,
        location=None if key else region,
        http_options=options,
    )
    return found
