"""The sessions of an MCP server: one process inside the machine for each client."""

from __future__ import annotations

import logging
from uuid import uuid4

import anyio
from anyio.abc import TaskGroup, TaskStatus
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER, StreamableHTTPServerTransport
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types import INVALID_REQUEST, UNSUPPORTED_PROTOCOL_VERSION, ErrorData, JSONRPCError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from carrel.errors import CarrelError
from carrel.machines.apps import App
from carrel.machines.linelog import note
from carrel.machines.spec import Machine
from carrel.mcp.stdio import StdioServer

__all__ = ["Sessions"]

MOST_SESSIONS = 32
IDLE = 30 * 60.0
"""Seconds without a request or an open stream after which a session ends."""

logger = logging.getLogger(__name__)


class Sessions:
    """Answers the requests for one deployed stdio server.

    Args:
        machine: Where it is.
        app: Which it is.
        tasks: Where the sessions run.
    """

    def __init__(self, machine: Machine, app: App, tasks: TaskGroup) -> None:
        self.app = app
        self._machine = machine
        self._tasks = tasks
        self._open: dict[str, StreamableHTTPServerTransport] = {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        version = request.headers.get(MCP_PROTOCOL_VERSION_HEADER)
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            await _refuse_version(version)(scope, receive, send)
            return
        identity = request.headers.get(MCP_SESSION_ID_HEADER)
        if identity is None:
            await self._begin(scope, receive, send)
        elif (transport := self._open.get(identity)) is None:
            await _error("Session not found", 404)(scope, receive, send)
        else:
            await transport.handle_request(scope, receive, send)
            if transport.is_terminated:
                self._open.pop(identity, None)

    async def _begin(self, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self._open) >= MOST_SESSIONS:
            await _error("Too many open sessions", 503)(scope, receive, send)
            return
        identity = uuid4().hex
        transport = StreamableHTTPServerTransport(identity, idle_timeout=IDLE)
        self._open[identity] = transport
        established = False

        async def watch(message: Message) -> None:
            nonlocal established
            if message["type"] == "http.response.start":
                established = message["status"] < 400
            await send(message)

        try:
            await self._tasks.start(self._serve, identity, transport)
            await transport.handle_request(scope, receive, watch)
        finally:
            # Only the request that opens a session can come without one.
            if not established:
                await self._end(identity)

    async def _serve(
        self,
        identity: str,
        transport: StreamableHTTPServerTransport,
        *,
        task_status: TaskStatus[None],
    ) -> None:
        async with transport.connect() as (incoming, outgoing):
            task_status.started()
            try:
                assert transport.idle_scope is not None
                with transport.idle_scope:
                    await StdioServer(self._machine, self.app).run(incoming, outgoing)
            except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
                logger.debug("session %s was ended by its client", identity)
            except CarrelError as error:
                note(self._machine.directory, "mcp", f"{self.app.name}: {error.message}")
            finally:
                await self._end(identity)

    async def _end(self, identity: str) -> None:
        transport = self._open.pop(identity, None)
        if transport is not None and not transport.is_terminated:
            with anyio.CancelScope(shield=True):
                await transport.terminate()

    async def close(self) -> None:
        """End every session."""
        for identity in list(self._open):
            await self._end(identity)


def _error(text: str, status: int, code: int = INVALID_REQUEST, data: object = None) -> Response:
    error = ErrorData(code=code, message=text, data=data)
    body = JSONRPCError(jsonrpc="2.0", id=None, error=error)
    content = body.model_dump_json(by_alias=True, exclude_none=False)
    return Response(content, status_code=status, media_type="application/json")


def _refuse_version(version: str) -> Response:
    """A session's own process is greeted once: versions without a greeting are not offered."""
    data = {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": version[:40]}
    return _error("Unsupported protocol version", 400, UNSUPPORTED_PROTOCOL_VERSION, data)
