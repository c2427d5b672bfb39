"""Where the MCP servers of a machine are published, and the token that opens them."""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import Unavailable
from carrel.machines.apps import App
from carrel.machines.spec import Machine

__all__ = ["HOST", "Endpoint", "endpoint", "listen", "read_token", "require_sdk", "token_file"]

HOST = "127.0.0.1"
_PORT = "mcp.json"
_TOKEN = "mcp.token"  # noqa: S105 (a file's name)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What a client needs."""

    url: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """What every request must carry."""
        return {"Authorization": f"Bearer {self.token}"}


def require_sdk() -> None:
    """See that the MCP SDK is there, without loading it.

    Raises:
        Unavailable: It is not.
    """
    if importlib.util.find_spec("mcp") is None or importlib.util.find_spec("uvicorn") is None:
        raise Unavailable(
            "publishing MCP servers needs the MCP SDK",
            op="deploy",
            hint="pip install 'carrel[mcp]'",
        )


def token_file(machine: Machine) -> Path:
    """Where a machine's token is."""
    return machine.directory / _TOKEN


def read_token(machine: Machine) -> str:
    """The token of a machine, made when it is first asked for; only its owner can read it."""
    path = token_file(machine)
    draft = path.with_name(f".{_TOKEN}.{os.getpid()}")
    if not path.exists():
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        with os.fdopen(os.open(draft, flags, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32))
        # Whoever was first has made it.
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()


def _port_on_record(machine: Machine) -> int | None:
    with suppress(FileNotFoundError, ValueError, KeyError, TypeError):
        return int(json.loads((machine.directory / _PORT).read_text())["port"])
    return None


def listen(machine: Machine) -> socket.socket:
    """Listen where the machine's servers were published before, or where there is room.

    Clients are configured once; the port stays the same while nobody else takes it.
    """
    before = _port_on_record(machine)
    for port in (before or 0, 0):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
            listener.listen(128)
        except OSError:
            listener.close()
            continue
        found = int(listener.getsockname()[1])
        if found != before:
            _record(machine, found)
        return listener
    raise Unavailable("there is no free port on this computer", op="mcp")


def _record(machine: Machine, port: int) -> None:
    draft = machine.directory / f".{_PORT}.{os.getpid()}"
    draft.write_text(json.dumps({"port": port}))
    draft.replace(machine.directory / _PORT)


def endpoint(machine: Machine, app: App) -> Endpoint | None:
    """Where an app is published; None before it ever was."""
    port = _port_on_record(machine)
    if port is None:
        return None
    return Endpoint(f"http://{HOST}:{port}/{app.name}/mcp", read_token(machine))
