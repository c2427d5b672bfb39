"""One client's session with an MCP server on standard input and output, inside a machine."""

from __future__ import annotations

import json
import logging
from collections import deque
from typing import TYPE_CHECKING

import anyio
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from carrel.computer import Computer, Process
from carrel.errors import CarrelError
from carrel.guest.restarts import Restarts
from carrel.guest.tasks import task_group
from carrel.machines.apps import APP_LOG, App
from carrel.machines.attendant import MAX_LINE, Splitter, ending_words
from carrel.machines.linelog import LineLog, stamp
from carrel.machines.provider import get_provider
from carrel.machines.spec import Machine
from carrel.mcp.lines import Lines, Oversized, request_of

if TYPE_CHECKING:
    from mcp.client._transport import ReadStream, WriteStream

__all__ = ["StdioServer"]

SERVER_ENDED = -32000
MAX_MESSAGE = 64 << 20
MAX_ASKED = 1024
"""Questions of a server that may wait for the client's answer; beyond, the oldest is forgotten."""

MAX_ID = 1024
_LAST_WORDS = 5

logger = logging.getLogger(__name__)


class StdioServer:
    """A server process of one session's own; one that dies is started and greeted again.

    What was asked of a process that died is answered with an error that says so.
    """

    def __init__(self, machine: Machine, app: App) -> None:
        self._machine = machine
        self._app = app
        self._log = LineLog(machine.directory / APP_LOG)
        self._pending: dict[RequestId, ServerMessageMetadata | None] = {}
        self._tokens: dict[str | int, RequestId] = {}
        self._asked: dict[RequestId, None] = {}
        self._hello: JSONRPCRequest | None = None
        self._thanks: JSONRPCNotification | None = None
        self._greeted = False
        self._greeting = False
        self._process: Process | None = None
        self._ready = anyio.Event()
        self._words: deque[str] = deque(maxlen=_LAST_WORDS)

    async def run(
        self,
        incoming: ReadStream[SessionMessage | Exception],
        outgoing: WriteStream[SessionMessage],
    ) -> None:
        """Serve until the client's session ends, or the server has ended for good."""
        provider = get_provider(self._machine.spec.provider)
        async with task_group() as tasks:

            async def take() -> None:
                await self._take_all(incoming)
                tasks.cancel_scope.cancel()

            # A process is worth starting once there is something to say to it.
            first = await incoming.receive()
            async with Computer(lambda: provider.channel(self._machine)) as computer:
                self._note(first)
                tasks.start_soon(take)
                await self._live(computer, first, outgoing)
                tasks.cancel_scope.cancel()

    async def _live(
        self,
        computer: Computer,
        first: SessionMessage | Exception,
        outgoing: WriteStream[SessionMessage],
    ) -> None:
        restarts = Restarts(self._app.restart)
        opening = first if isinstance(first, SessionMessage) else None
        while True:
            began = anyio.current_time()
            try:
                words, failed = await self._one_life(computer, opening, outgoing)
            except CarrelError as error:
                words, failed = f"could not be started: {error.message}", True
            self._ready, self._process, opening = anyio.Event(), None, None
            delay = restarts.after(failed, anyio.current_time() - began)
            await self._answer_pending(words, outgoing)
            if delay is None or not self._greeted:
                return
            await anyio.sleep(delay)

    async def _one_life(
        self,
        computer: Computer,
        opening: SessionMessage | None,
        outgoing: WriteStream[SessionMessage],
    ) -> tuple[str, bool]:
        """From the start of a process to its end: how it ended, and whether it failed."""
        app = self._app
        program = computer.exec(*app.words(), cwd=app.cwd, env=app.env, stdin=True)
        async with program as process:
            self._process = process
            self._greeting = self._greeted
            if opening is not None:
                await self._send(opening.message)
            elif self._hello is not None and self._greeted:
                await self._send(self._hello)
            if not self._greeting:
                self._ready.set()
            await self._read(process, outgoing)
            ended = await process.wait()
        words = ending_words(ended.code, ended.signal, last=True)
        return words, ended.status != 0

    async def _read(self, process: Process, outgoing: WriteStream[SessionMessage]) -> None:
        output, errors = Lines(MAX_MESSAGE), Splitter(0)
        async for piece in process:
            if piece.source == "stderr":
                for line, _ in errors.feed(piece.data):
                    self._keep("err", line.decode(errors="replace"))
                continue
            for found in output.feed(piece.data):
                if isinstance(found, Oversized):
                    await self._answer_oversized(found, outgoing)
                else:
                    await self._deliver(found, outgoing)
        for line, _ in errors.finish():
            self._keep("err", line.decode(errors="replace"))

    async def _answer_oversized(
        self, line: Oversized, outgoing: WriteStream[SessionMessage]
    ) -> None:
        words = f"a message of {line.size} bytes is dropped: at most {MAX_MESSAGE} are passed on"
        self._keep("err", words)
        request = request_of(line)
        if request is None and len(self._pending) == 1:
            request = next(iter(self._pending))
        if request is not None and request in self._pending:
            await self._fail(request, f"the MCP server {self._app.name}: {words}", outgoing)

    def _keep(self, stream: str, text: str) -> None:
        text = text[:MAX_LINE]
        self._words.append(text)
        entry = {"at": stamp(), "app": self._app.name, "stream": stream, "text": text}
        try:
            self._log.write(json.dumps(entry).encode())
        except OSError as error:
            logger.warning("output of %s is lost: %s", self._app.name, error)

    # From the client to the server

    async def _take_all(self, incoming: ReadStream[SessionMessage | Exception]) -> None:
        async for item in incoming:
            if self._note(item):
                assert isinstance(item, SessionMessage)
                await self._ready.wait()
                await self._send(item.message)

    def _note(self, item: SessionMessage | Exception) -> bool:
        """Remember what a message means for later; whether it is for the server at all."""
        if isinstance(item, Exception):
            return False
        message = item.message
        if isinstance(message, JSONRPCRequest):
            metadata = item.metadata
            known = isinstance(metadata, ServerMessageMetadata)
            self._pending[message.id] = metadata if known else None  # type: ignore[assignment]
            self._note_token(message)
            if message.method == "initialize":
                self._hello = message
        elif isinstance(message, JSONRPCNotification):
            if message.method == "notifications/initialized":
                self._thanks = message
        elif message.id not in self._asked:
            # The process that asked for it is gone.
            return False
        else:
            del self._asked[message.id]
        return True

    def _note_token(self, message: JSONRPCRequest) -> None:
        meta = (message.params or {}).get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        if isinstance(token, str | int):
            self._tokens[token] = message.id

    async def _send(self, message: JSONRPCMessage) -> None:
        if self._process is None:
            return  # it has ended this moment, and what was asked of it is answered
        line = message.model_dump_json(by_alias=True, exclude_unset=True)
        try:
            await self._process.write(line.encode() + b"\n")
        except CarrelError as error:
            # It has ended, and what was asked of it is answered then.
            logger.debug("a message to %s is lost: %s", self._app.name, error)
            return
        if isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            await self._give_up((message.params or {}).get("requestId"))

    async def _give_up(self, request: object) -> None:
        """Nobody answers a request that was cancelled."""
        if not isinstance(request, str | int) or request not in self._pending:
            return
        metadata = self._forget(request)
        if metadata is not None and metadata.on_request_unanswered is not None:
            await metadata.on_request_unanswered()

    def _forget(self, request: RequestId) -> ServerMessageMetadata | None:
        for token in [token for token, owner in self._tokens.items() if owner == request]:
            del self._tokens[token]
        return self._pending.pop(request, None)

    # From the server to the client

    async def _deliver(self, line: bytes, outgoing: WriteStream[SessionMessage]) -> None:
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError:
            # Some servers print other things there as well.
            self._keep("out", line[:MAX_LINE].decode(errors="replace"))
            return
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            if self._greeting and self._hello is not None and message.id == self._hello.id:
                await self._go_on()
                return
            if message.id is not None:
                self._forget(message.id)
                if self._hello is not None and message.id == self._hello.id:
                    self._greeted = isinstance(message, JSONRPCResponse)
            await outgoing.send(SessionMessage(message))
            return
        if isinstance(message, JSONRPCRequest):
            if isinstance(message.id, str) and len(message.id) > MAX_ID:
                self._keep("err", f"a request with an id of {len(message.id)} letters is dropped")
                return
            self._asked[message.id] = None
            if len(self._asked) > MAX_ASKED:
                del self._asked[next(iter(self._asked))]
        about = ServerMessageMetadata(related_request_id=self._occasion(message))
        await outgoing.send(SessionMessage(message, about))

    def _occasion(self, message: JSONRPCRequest | JSONRPCNotification) -> RequestId | None:
        """The client's request that a message of the server belongs to, as far as can be known."""
        token = (message.params or {}).get("progressToken")
        if isinstance(token, str | int) and token in self._tokens:
            return self._tokens[token]
        return next(iter(self._pending)) if len(self._pending) == 1 else None

    async def _go_on(self) -> None:
        """A process that took another one's place was greeted, and the client need not know."""
        self._greeting = False
        if self._thanks is not None:
            await self._send(self._thanks)
        self._ready.set()

    async def _answer_pending(self, words: str, outgoing: WriteStream[SessionMessage]) -> None:
        said = "".join(f"\n{line}" for line in self._words)
        text = f"the MCP server {self._app.name} {words}{said}"
        for request in list(self._pending):
            await self._fail(request, text, outgoing)
        self._asked.clear()
        self._words.clear()

    async def _fail(
        self, request: RequestId, text: str, outgoing: WriteStream[SessionMessage]
    ) -> None:
        self._forget(request)
        error = ErrorData(code=SERVER_ENDED, message=text)
        answer = JSONRPCError(jsonrpc="2.0", id=request, error=error)
        await outgoing.send(SessionMessage(answer))
