"""The process that publishes a machine's MCP servers on this computer's loopback.

Started by the machine's attendant; it ends with its standard input. See
docs/adr/0017-mcp-servers-in-machines.md.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import anyio
import uvicorn
from anyio.abc import TaskGroup
from starlette.types import Receive, Scope, Send

from carrel.machines.apps import App, Apps
from carrel.machines.attention import publishing
from carrel.machines.linelog import note
from carrel.machines.spec import Machine
from carrel.machines.store import Store
from carrel.mcp.endpoint import HOST, listen, read_token
from carrel.mcp.forward import forward, respond
from carrel.mcp.guard import Guard
from carrel.mcp.sessions import Sessions

__all__ = ["Gateway", "main"]

_GRACE = 1


class Gateway:
    """The ASGI application: `/APP/mcp` is the endpoint of an app.

    Args:
        machine: Whose apps.
        guard: Who may come in.
        tasks: Where sessions run.
    """

    def __init__(self, machine: Machine, guard: Guard, tasks: TaskGroup) -> None:
        self._machine = machine
        self._guard = guard
        self._tasks = tasks
        self._sessions: dict[str, Sessions] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close"})
            return
        refusal = self._guard.check(scope["headers"])
        if refusal is not None:
            ask = ((b"www-authenticate", b"Bearer"),) if refusal.status == 401 else ()
            await respond(send, refusal.status, refusal.reason, *ask)
            return
        app = self._find(scope["path"])
        if app is None:
            await respond(send, 404, "no MCP server is published here")
        elif app.kind == "mcp-http":
            await forward(self._machine, app, scope, receive, send)
        else:
            await self._sessions_of(app).handle(scope, receive, send)

    def _find(self, path: str) -> App | None:
        name, _, rest = path.strip("/").partition("/")
        app = Apps(self._machine).find(name)
        return app if app is not None and app.kind != "program" and rest == "mcp" else None

    def _sessions_of(self, app: App) -> Sessions:
        sessions = self._sessions.get(app.name)
        if sessions is not None and sessions.app != app:
            # Another one was deployed in its place.
            self._tasks.start_soon(sessions.close)
            sessions = None
        if sessions is None:
            sessions = self._sessions[app.name] = Sessions(self._machine, app, self._tasks)
        return sessions

    async def review(self) -> None:
        """End the sessions of what is not deployed any more."""
        apps = Apps(self._machine)
        for name, sessions in list(self._sessions.items()):
            if apps.find(name) != sessions.app:
                del self._sessions[name]
                await sessions.close()


async def _review_on_signal(gateway: Gateway) -> None:
    with anyio.open_signal_receiver(signal.SIGHUP) as signals:
        async for _ in signals:
            await gateway.review()


async def _end_with_input(server: uvicorn.Server) -> None:
    os.set_blocking(0, False)
    while True:
        await anyio.wait_readable(0)
        with suppress(BlockingIOError):
            if not os.read(0, 4096):
                server.should_exit = True
                return


async def _publish(machine: Machine, listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    async with anyio.create_task_group() as tasks:
        gateway = Gateway(machine, Guard(port, read_token(machine)), tasks)
        config = uvicorn.Config(
            gateway,
            log_config=None,
            access_log=False,
            # Whoever can connect could fill the log with what uvicorn warns of.
            log_level="error",
            lifespan="off",
            # An upgrade is not asked for by any client of MCP, and would not be seen by the guard.
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
        )
        server = uvicorn.Server(config)
        tasks.start_soon(_review_on_signal, gateway)
        tasks.start_soon(_end_with_input, server)
        note(machine.directory, "mcp", f"MCP servers are published on {HOST}:{port}")
        await server.serve(sockets=[listener])
        tasks.cancel_scope.cancel()


def main() -> NoReturn:
    """Publish the servers of the machine that the arguments name: the store's directory, an id."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(message)s")
    home, identity = sys.argv[-2:]
    machine = next((m for m in Store(Path(home)).all() if m.id == identity), None)
    if machine is not None:
        with listen(machine) as listener, publishing(machine.directory):
            anyio.run(_publish, machine, listener)
    sys.exit(0)


if __name__ == "__main__":
    main()
