"""A published MCP server as a client sees it."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import anyio

from carrel.errors import CarrelError, RunError, TimedOut
from carrel.mcp.endpoint import Endpoint

__all__ = ["Found", "look"]

_TRY_AGAIN = 0.1


@dataclass(frozen=True, slots=True)
class Found:
    """What a server says of itself."""

    name: str
    version: str
    tools: tuple[str, ...]


async def look(endpoint: Endpoint, bound: float = 60.0) -> Found:
    """Connect as any client does, and list the tools.

    Raises:
        RunError: The server did not start, or does not speak MCP.
        TimedOut: It did not answer.
    """
    import httpx2
    from mcp.shared.exceptions import MCPError

    try:
        with anyio.fail_after(bound):
            await _until_published(endpoint)
            return await _look(endpoint)
    except TimeoutError:
        raise TimedOut(f"the MCP server did not answer within {bound:.0f} s", op="mcp") from None
    except BaseExceptionGroup as group:
        raise _told(_first(group)) from group
    except (MCPError, httpx2.HTTPError) as error:
        raise _told(error) from error


async def _until_published(endpoint: Endpoint) -> None:
    host, port = endpoint.url.split("/")[2].split(":")
    while True:
        try:
            async with await anyio.connect_tcp(host, int(port)):
                return
        except OSError:
            await anyio.sleep(_TRY_AGAIN)


async def _look(endpoint: Endpoint) -> Found:
    import httpx2
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client

    # What it has to say of a session that ends is nobody's news here.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    async with httpx2.AsyncClient(headers=endpoint.headers, timeout=None) as http:
        transport = streamable_http_client(endpoint.url, http_client=http)
        async with Client(transport) as client:
            info = client.server_info
            listed = await client.list_tools()
            name, version = (info.name, info.version) if info else ("?", "?")
            return Found(name, version, tuple(tool.name for tool in listed.tools))


def _told(error: BaseException) -> BaseException:
    """An error of the SDK's in our words; any other as it is."""
    import httpx2
    from mcp.shared.exceptions import MCPError

    if isinstance(error, MCPError):
        return RunError(error.error.message, op="mcp")
    return RunError(str(error), op="mcp") if isinstance(error, httpx2.HTTPError) else error


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error of several that tells most: ours, or else the first."""
    leaves = [
        _first(error) if isinstance(error, BaseExceptionGroup) else error
        for error in group.exceptions
    ]
    return next((leaf for leaf in leaves if isinstance(leaf, CarrelError)), leaves[0])
