"""Tools of MCP servers, as tools of an agent."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from carrel.codec import Json
from carrel.errors import ActionFailed, CarrelError, Unavailable
from carrel.models.context import ToolSpec

if TYPE_CHECKING:
    from mcp import Client

__all__ = ["McpServer", "McpTool"]

TIMEOUT = 120.0
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True)
class McpServer:
    """A server to take tools from.

    Attributes:
        name: Stands before the names of its tools: `NAME_TOOL`.
        command: The program to run, with its arguments, for a server on standard input and output.
            It runs on this computer with its user's rights, so name only what you trust.
        url: Of a streamable HTTP server, instead of a command.
        env: Variables for the command; nothing else of the environment but PATH and HOME goes in.
    """

    name: str
    command: tuple[str, ...] = ()
    url: str | None = None
    env: Mapping[str, str] = field(default_factory=dict, repr=False)

    @asynccontextmanager
    async def tools(self) -> AsyncIterator[tuple[McpTool, ...]]:
        """Connect, and give its tools while connected.

        Raises:
            Unavailable: The server cannot be started or reached, or `mcp` is not installed.
        """
        left: GeneratorExit | None = None
        async with self._connected() as client:
            listed = await client.list_tools()
            try:
                yield tuple(McpTool(self.name, client, tool) for tool in listed.tools)
            except GeneratorExit as error:
                # A run that is left early. Not through the client: its tasks would make a group
                # of it, which hides whatever the run was left for.
                left = error
        if left is not None:
            raise left

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Client]:
        try:
            from mcp import Client, StdioServerParameters
        except ImportError:
            raise Unavailable(
                "MCP tools need the package mcp", hint="pip install 'carrel[mcp]'"
            ) from None
        target: str | StdioServerParameters
        if self.url is not None:
            target = self.url
        else:
            command, *arguments = self.command
            target = StdioServerParameters(command=command, args=arguments, env=dict(self.env))
        entered = False
        try:
            async with Client(target, read_timeout_seconds=TIMEOUT) as client:
                entered = True
                yield client
        except CarrelError:
            raise
        except Exception as error:  # whatever a server and its SDK raise before it answers
            if entered:
                raise
            told = _reason(error)
            raise Unavailable(
                f"the MCP server {self.name!r} cannot be reached: {told}",
                hint=f"try it by hand: {self.url or ' '.join(self.command)}",
            ) from error


class McpTool:
    """One tool of a connected server."""

    def __init__(self, server: str, client: Client, tool: object) -> None:
        self._client = client
        self._name: str = tool.name  # type: ignore[attr-defined]
        described = getattr(tool, "description", None) or self._name
        schema = cast("dict[str, Json]", getattr(tool, "input_schema", None) or {"type": "object"})
        name = _UNFIT.sub("_", f"{server}_{self._name}")[:64]
        self.spec = ToolSpec(name, described, schema)

    async def call(self, arguments: Mapping[str, Json]) -> str:
        """Call it on the server; an error it answers is raised, to be told to the model."""
        from mcp import MCPError

        try:
            result = await self._client.call_tool(self._name, dict(arguments))
        except MCPError as error:
            raise ActionFailed(f"{self.spec.name}: {error}") from error
        text = "\n".join(_text(block) for block in result.content)
        if result.is_error:
            raise ActionFailed(text or f"{self.spec.name} failed")
        return text or "done"


def _reason(error: BaseException) -> str:
    """What went wrong at the bottom of it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(str(error).split()) or type(error).__name__


def _text(block: object) -> str:
    """A block of an answer in words; what is not text is named, not shown."""
    text = getattr(block, "text", None)
    if isinstance(text, str):
        return text
    kind = getattr(block, "type", type(block).__name__)
    return f"[{kind}]"
