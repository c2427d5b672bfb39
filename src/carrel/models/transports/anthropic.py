"""Anthropic's Messages, at Anthropic, on Bedrock and on Vertex."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from carrel.codec import Json
from carrel.errors import CarrelError
from carrel.models.dialect import Api, Request
from carrel.models.model import OnText
from carrel.models.transports import faults, sdk
from carrel.models.transports.assemble import MessageStream
from carrel.models.transports.bodies import dump, parse, read_stream
from carrel.models.transports.client import ClientTransport
from carrel.models.transports.transport import Timeouts

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic, AsyncAnthropicBedrock, AsyncAnthropicVertex

    Client = AsyncAnthropic | AsyncAnthropicBedrock | AsyncAnthropicVertex

__all__ = ["AnthropicTransport", "anthropic_client", "bedrock_client", "vertex_client"]


class AnthropicTransport(ClientTransport["Client"]):
    """Talks to one server of Anthropic's Messages.

    Args:
        provider: As the person named it, for messages.
        make: Makes the client.
        secrets: Values that must never be in a message.
        streams: Whether answers can be streamed; the text comes at once otherwise.
    """

    apis: tuple[Api, ...] = (Api.ANTHROPIC,)

    def __init__(
        self,
        provider: str,
        make: Callable[[], Client],
        *,
        secrets: Sequence[str] = (),
        timeouts: Timeouts = Timeouts(),  # noqa: B008 (frozen)
        streams: bool = True,
    ) -> None:
        super().__init__(provider, make, secrets=secrets, timeouts=timeouts)
        self._streams = streams

    async def _close(self, client: Client) -> None:
        await client.close()

    def _faults(self) -> tuple[type[Exception], ...]:
        # While it streams, the SDK lets errors of HTTP through as they are.
        ours = sdk.load("anthropic", "anthropic").AnthropicError
        return (ours, sdk.load("httpx2", "anthropic").HTTPError)

    async def _send(
        self, client: Client, model: str, request: Request, on_text: OnText | None
    ) -> dict[str, Json]:
        import httpx2

        body: dict[str, Json] = {"model": model, **request.body}
        path = "/v1/messages?beta=true" if request.betas else "/v1/messages"
        headers = {"anthropic-beta": ",".join(request.betas)} if request.betas else {}
        if on_text is None or not self._streams:
            content = _whole(client, body)
            response = await client.post(
                path,
                cast_to=httpx2.Response,
                body=None if content else body,
                content=content,
                options={"headers": headers},
            )
            found = parse(self._provider, response.content)
            if on_text is not None:
                _tell(found, on_text)
            return found
        from anthropic import AsyncStream

        body["stream"] = True
        content = _whole(client, body)
        stream = await client.post(
            path,
            cast_to=object,
            body=None if content else body,
            content=content,
            options={"headers": headers},
            stream=True,
            stream_cls=AsyncStream[object],
        )
        async with stream:
            return await read_stream(
                self._provider, stream, stream.response, MessageStream(), on_text
            )

    def _translate(self, error: Exception) -> CarrelError:
        import anthropic
        import httpx2

        if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
            return faults.too_slow(self._provider)
        if isinstance(error, anthropic.APIConnectionError | httpx2.HTTPError):
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


def _whole(client: Client, body: Mapping[str, Json]) -> bytes | None:
    """The body as it is sent; None for clients of clouds, which change it."""
    return dump(body) if type(client) is sdk.load("anthropic", "anthropic").AsyncAnthropic else None


def _tell(body: Mapping[str, Json], on_text: OnText) -> None:
    content = body.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "text":
            on_text(str(block.get("text", "")))


def anthropic_client(key: str, base_url: str | None, timeouts: Timeouts) -> Client:
    """A client that neither retries nor waits for ever."""
    import httpx2

    found: Client = sdk.load("anthropic", "anthropic").AsyncAnthropic(
        api_key=key,
        base_url=base_url,
        timeout=httpx2.Timeout(timeouts.read, connect=timeouts.connect),
        max_retries=0,
    )
    return found


def bedrock_client(key: str, region: str, base_url: str | None, timeouts: Timeouts) -> Client:
    """A client of Bedrock; without a key, AWS's own credentials are used."""
    import httpx2

    found: Client = sdk.load("anthropic", "anthropic").AsyncAnthropicBedrock(
        api_key=key or None,
        aws_region=region,
        base_url=base_url,
        timeout=httpx2.Timeout(timeouts.read, connect=timeouts.connect),
        max_retries=0,
    )
    return found


def vertex_client(
    token: str, project: str, region: str, base_url: str | None, timeouts: Timeouts
) -> Client:
    """A client of Vertex; without a token, Google's default credentials are used."""
    import httpx2

    found: Client = sdk.load("anthropic", "anthropic").AsyncAnthropicVertex(
        access_token=token or None,
        project_id=project,
        region=region,
        base_url=base_url,
        timeout=httpx2.Timeout(timeouts.read, connect=timeouts.connect),
        max_retries=0,
    )
    return found
