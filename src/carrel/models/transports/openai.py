"""OpenAI's Responses and chat completions, and every server that is compatible with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from carrel.codec import Json
from carrel.errors import CarrelError
from carrel.models.dialect import Api, Request
from carrel.models.model import OnText
from carrel.models.transports import faults, sdk
from carrel.models.transports.assemble import ChatStream, ResponseStream
from carrel.models.transports.bodies import dump, parse, read_stream
from carrel.models.transports.client import ClientTransport
from carrel.models.transports.transport import Timeouts

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = ["OpenAITransport", "azure_client", "openai_client"]

_PATHS = {Api.OPENAI_RESPONSES: "/responses", Api.OPENAI_CHAT: "/chat/completions"}


class OpenAITransport(ClientTransport["AsyncOpenAI"]):
    """Talks to one OpenAI-compatible server.

    Args:
        provider: As the person named it, for messages.
        make: Makes the client.
        secrets: Values that must never be in a message.
    """

    def __init__(
        self,
        provider: str,
        make: Callable[[], AsyncOpenAI],
        *,
        secrets: Sequence[str] = (),
        timeouts: Timeouts = Timeouts(),  # noqa: B008 (frozen)
        apis: tuple[Api, ...] = (Api.OPENAI_RESPONSES, Api.OPENAI_CHAT),
    ) -> None:
        super().__init__(provider, make, secrets=secrets, timeouts=timeouts)
        self.apis = apis

    async def _close(self, client: AsyncOpenAI) -> None:
        await client.close()

    def _faults(self) -> tuple[type[Exception], ...]:
        return (sdk.load("openai", "openai").OpenAIError,)

    async def _send(
        self, client: AsyncOpenAI, model: str, request: Request, on_text: OnText | None
    ) -> dict[str, Json]:
        body: dict[str, Json] = {"model": model, **request.body}
        return self._checked(await self._post(client, request.api, body, on_text))

    async def _post(
        self, client: AsyncOpenAI, api: Api, body: dict[str, Json], on_text: OnText | None
    ) -> dict[str, Json]:
        import httpx2

        path = _PATHS[api]
        if on_text is None:
            content = _whole(client, body)
            response = await client.post(
                path, cast_to=httpx2.Response, body=None if content else body, content=content
            )
            return parse(self._provider, response.content)
        from openai import AsyncStream

        body = {**body, "stream": True}
        if api is Api.OPENAI_CHAT:
            options = body.get("stream_options")
            given = options if isinstance(options, dict) else {}
            body["stream_options"] = {"include_usage": True, **given}
        content = _whole(client, body)
        stream = await client.post(
            path,
            cast_to=object,
            body=None if content else body,
            content=content,
            stream=True,
            stream_cls=AsyncStream[object],
        )
        async with stream:
            gather = ResponseStream() if api is Api.OPENAI_RESPONSES else ChatStream()
            return await read_stream(self._provider, stream, stream.response, gather, on_text)

    def _checked(self, body: dict[str, Json]) -> dict[str, Json]:
        """The body, unless it says that the response failed."""
        if body.get("error") and "object" not in body:
            # OpenRouter answers so when the provider behind it fails.
            raise faults.refused(self._provider, status=200, body=body, secrets=self._secrets)
        if body.get("object") != "response" or body.get("status") != "failed":
            return body
        error = body.get("error")
        code = error.get("code") if isinstance(error, dict) else None
        # As the same failure would have been answered before any of it was made.
        status = {"rate_limit_exceeded": 429, "server_error": 500}.get(str(code), 400)
        raise faults.refused(
            self._provider, status=status, body={"error": error}, secrets=self._secrets
        )

    def _translate(self, error: Exception) -> CarrelError:
        import openai

        if isinstance(error, openai.APITimeoutError):
            return faults.too_slow(self._provider)
        if isinstance(error, openai.APIConnectionError):
            return faults.lost_connection(self._provider, error, self._secrets)
        response = getattr(error, "response", None)
        return faults.refused(
            self._provider,
            status=getattr(error, "status_code", None),
            headers=cast("Mapping[str, str]", response.headers) if response is not None else None,
            body=getattr(error, "body", None),
            message=str(error),
            secrets=self._secrets,
        )


def _whole(client: AsyncOpenAI, body: Mapping[str, Json]) -> bytes | None:
    """The body as it is sent; None for Azure's client, which reads the model's name in it."""
    return dump(body) if type(client) is sdk.load("openai", "openai").AsyncOpenAI else None


def openai_client(key: str, base_url: str | None, timeouts: Timeouts) -> AsyncOpenAI:
    """A client that neither retries nor waits for ever."""
    import httpx2

    found: AsyncOpenAI = sdk.load("openai", "openai").AsyncOpenAI(
        # Servers on this computer want no key, and the SDK wants one.
        api_key=key or "none",
        base_url=base_url,
        timeout=httpx2.Timeout(timeouts.read, connect=timeouts.connect),
        max_retries=0,
    )
    return found


def azure_client(
    key: str, endpoint: str, deployment: str | None, version: str, timeouts: Timeouts
) -> AsyncOpenAI:
    """A client of Azure's dated API; its `v1` endpoint is spoken to by a plain client."""
    import httpx2

    found: AsyncOpenAI = sdk.load("openai", "openai").AsyncAzureOpenAI(
        api_key=key,
        azure_endpoint=endpoint,
        azure_deployment=deployment,
        api_version=version,
        timeout=httpx2.Timeout(timeouts.read, connect=timeouts.connect),
        max_retries=0,
    )
    return found
